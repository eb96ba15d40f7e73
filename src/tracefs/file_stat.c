// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * file_stat.c - trace_stat/: what the function profiler counted (struct ftrace_profile of
 * kernel/trace/ftrace.c), a file for each cpu, and how often branches were as foretold (struct
 * ftrace_branch_data of include/linux/compiler_types.h, kernel/trace/trace_branch.c).
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/sorted.h"
#include "../tracefile/tracefile.h"
#include "tracefs.h"

#define WORD	   8u
#define MOST_BYTES 65536u /* of a page */
#define MOST_ROWS  (1u << 20)
#define MOST_NAME  1024u

/* a line that waits to be sorted; @order: as they were found */
struct row {
	uint64_t time, hits, square;
	const char *name;
	int64_t percent;
	const char *text;
	size_t order;
};

struct rows {
	struct otst_array_view *a;
	struct otst_vec rows; /* of struct row */
};

static struct row *add_stat_row(struct rows *t)
{
	struct row *r = otst_vec_push(t->a->o, &t->rows, sizeof(*r));

	*r = (struct row){ .order = t->rows.count };
	return r;
}

static void sort_rows(struct rows *t, int (*compare)(const void *left, const void *right))
{
	otst_sort(t->rows.data, t->rows.count, sizeof(struct row), compare);
}

/* what was read before an error is shown; 0, or an error that leaves nothing to show */
static int note_rest(struct rows *t, int err)
{
	return !err || err == OTST_ERR_LOOKUP ? err : otst_note(t->a->o, &t->a->out->errors, err);
}

/* ---- functions ---- */

/*
 * function_stat_cmp() and insert_stat(): the largest comes first, of equal ones the last; of the time where the graph
 * tracer measures it
 */
static int compare_functions(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return a->order > b->order ? -1 : 1;
}

/* where a page's records and their members are */
struct profile {
	uint64_t next, index, records; /* in a struct ftrace_profile_page */
	uint64_t size, ip, counter;    /* of and in a struct ftrace_profile */
	uint64_t time, square;	       /* the same, where @timed */
	bool timed;
};

static int find_stat_members(struct otst *o, struct profile *p)
{
	int err = otst_offset(o, "ftrace_profile_page", "next", &p->next);

	err = err ?: otst_offset(o, "ftrace_profile_page", "index", &p->index);
	err = err ?: otst_offset(o, "ftrace_profile_page", "records", &p->records);
	err = err ?: otst_type_size(o, "ftrace_profile", &p->size);
	err = err ?: otst_offset(o, "ftrace_profile", "ip", &p->ip);
	err = err ?: otst_offset(o, "ftrace_profile", "counter", &p->counter);
	/* both are there with CONFIG_FUNCTION_GRAPH_TRACER */
	p->timed = otst_has_member(o, "ftrace_profile", "time") ||
		   otst_has_member(o, "ftrace_profile", "time_squared");
	if (err || !p->timed)
		return err;
	err = otst_offset(o, "ftrace_profile", "time", &p->time);
	return err ?: otst_offset(o, "ftrace_profile", "time_squared", &p->square);
}

static void add_profiled_function(struct rows *t, const struct profile *p, const uint8_t *record)
{
	struct otst *o = t->a->o;
	const uint64_t hits = otst_get(o, record + p->counter, WORD);
	struct otst_sym sym;
	struct row *r;

	if (!hits)
		return;
	otst_symbolize_all(o, otst_get(o, record + p->ip, WORD), &sym);
	r = add_stat_row(t);
	r->hits = hits;
	r->name = sym.name ? sym.name : "";
	/* where nothing is measured, hits are compared */
	r->time = p->timed ? otst_get(o, record + p->time, WORD) : hits;
	r->square = p->timed ? otst_get(o, record + p->square, WORD) : 0;
}

static int read_stat_page(struct rows *t, const struct profile *p, uint64_t page)
{
	struct otst *o = t->a->o;
	uint64_t count, i;
	uint8_t *data;
	int err = otst_read_u64(o, page + p->index, &count);

	if (!err && (!p->size || count > MOST_BYTES / p->size || t->rows.count > MOST_ROWS))
		err = otst_raise(o, OTST_ERR_CORRUPT, "%" PRIu64 " functions", count);
	if (err)
		return err;
	data = otst_alloc(o, count * p->size + 1);
	if (!data)
		return otst_no_memory(o);
	err = otst_read(o, page + p->records, data, count * p->size);
	for (i = 0; i < count && !err; i++)
		add_profiled_function(t, p, data + i * p->size);
	return err ?: otst_check(o);
}

static int read_stat_pages(struct rows *t, const struct profile *p, uint64_t first)
{
	struct otst_walk w;
	uint64_t page;
	int err = 0;

	otst_walk_chain(t->a->o, first, p->next, 0, &w);
	while (!err && otst_walk_next(&w, &page))
		err = read_stat_page(t, p, page);
	return err ?: w.err;
}

/* function_stat_show(): time, its average and variance in microseconds; nothing below tracing_thresh */
static int show_times(struct rows *t, const struct row *r, uint64_t least)
{
	const uint64_t average = r->time / r->hits, below = r->hits * (r->hits - 1) * 1000;
	struct otst_text line = { .o = t->a->o };

	if (average < least)
		return 0;
	otst_text_printf(&line, "  %-30.30s  %10" PRIu64 "    ", r->name, r->hits);
	otst_graph_duration(&line, r->time);
	otst_text_string(&line, "    ");
	otst_graph_duration(&line, average);
	otst_text_string(&line, "    ");
	otst_graph_duration(&line, below ? (r->hits * r->square - r->time * r->time) / below : 0);
	return otst_line_text(t->a->out, &line);
}

static int show_functions(struct rows *t, bool timed)
{
	struct otst_tracefs_file *out = t->a->out;
	const struct row *r = t->rows.data;
	uint64_t least = 0, at;
	int err = otst_symbol(t->a->o, "tracing_thresh", &at);

	err = err == OTST_ERR_LOOKUP ? 0 : err ?: otst_read_u64(t->a->o, at, &least);
	if (!err)
		err = otst_line(out, "  Function                               Hit%s",
				timed ? "    Time            Avg             s^2" : "");
	if (!err)
		err = otst_line(out, "  --------                               ---%s",
				timed ? "    ----            ---             ---" : "");
	for (size_t i = 0; i < t->rows.count && !err; i++)
		err = timed ? show_times(t, &r[i], least) :
			      otst_line(out, "  %-30.30s  %10" PRIu64, r[i].name, r[i].hits);
	return err;
}

/* ---- branches ---- */

/* annotated_branch_stat_cmp() */
static int compare_branches(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->percent != b->percent)
		return a->percent > b->percent ? -1 : 1;
	if (a->hits != b->hits)
		return a->hits > b->hits ? -1 : 1;
	/* the best ones last */
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->order > b->order ? -1 : 1;
}

static const char *read_stat_name(struct rows *t, uint64_t at)
{
	const char *name;
	int err = otst_read_string(t->a->o, at, MOST_NAME, &name);

	if (err)
		(void)otst_note(t->a->o, &t->a->out->errors, err);
	return err ? "?" : name;
}

/* branch_stat_show(): the share that was not as foretold, and where that is */
static void put_place(struct rows *t, struct otst_text *line, int64_t percent, struct otst_view *v)
{
	const char *func = read_stat_name(t, otst_u64(v, "func")),
		   *file = read_stat_name(t, otst_u64(v, "file")), *slash = strrchr(file, '/');

	if (percent < 0)
		otst_text_string(line, "  X ");
	else
		otst_text_printf(line, "%3" PRId64 " ", percent);
	otst_text_printf(line, "%-30.30s %-20.20s %d", func, slash ? slash + 1 : file,
			 (int)otst_u64(v, "line"));
}

/* get_incorrect_percent() */
static int64_t find_percent(uint64_t correct, uint64_t incorrect)
{
	if (!correct)
		return incorrect ? 100 : -1;
	/* damaged counters may add up to 0 */
	return correct + incorrect ? (int64_t)(incorrect * 100 / (correct + incorrect)) : -1;
}

/* @constant: how often the condition was a constant, where that is counted */
static int add_branch(struct rows *t, struct otst_view *v, const uint64_t *constant)
{
	struct row *r = add_stat_row(t);
	struct otst_text line = { .o = t->a->o };
	int width = 8;

	r->time = otst_u64(v, "correct");
	r->hits = otst_u64(v, "incorrect");
	r->percent = find_percent(r->time, r->hits);
	otst_text_printf(&line, "%8" PRIu64, r->time);
	if (constant && *constant) {
		width -= snprintf(NULL, 0, "/%" PRIu64, *constant);
		otst_text_printf(&line, "/%" PRIu64, *constant);
	}
	otst_text_printf(&line, " %*" PRIu64 " ", width > 0 ? width : 0, r->hits);
	put_place(t, &line, r->percent, v);
	r->text = otst_text_done(&line);
	return v->err ?: otst_check(v->o);
}

/* @start, @stop: symbols around a table; @data: the member of @type that is a ftrace_branch_data */
static int read_branches(struct rows *t, const char *start, const char *stop, const char *type,
			 const char *data)
{
	struct otst *o = t->a->o;
	struct otst_view v, part;
	uint64_t at, end, size, constant = 0;
	int err = otst_file_symbol(o, start, &at);

	err = err ?: otst_file_symbol(o, stop, &end);
	err = err ?: otst_type_size(o, type, &size);
	if (!err && (!size || end < at || (end - at) / size > MOST_ROWS))
		err = otst_raise(o, OTST_ERR_CORRUPT, "%s: the end of the table is not known",
				 stop);
	for (; !err && at + size <= end; at += size) {
		err = otst_view_read(o, type, at, &v);
		if (!err && data) {
			constant = otst_u64(&v, "constant");
			err = v.err ?: otst_view_sub(&v, data, "ftrace_branch_data", &part);
		}
		err = err ?: add_branch(t, data ? &part : &v, data ? &constant : NULL);
	}
	return note_rest(t, err);
}

static int show_branches(struct rows *t, const char *columns)
{
	struct otst_tracefs_file *out = t->a->out;
	const struct row *r = t->rows.data;
	int err = otst_line(out, "%s        Function                  File              Line",
			    columns);

	if (!err)
		err = otst_line(out, " ------- ---------  -        --------        %s",
				"          ----              ----");
	for (size_t i = 0; i < t->rows.count && !err; i++)
		err = otst_line(out, "%s", r[i].text);
	return err;
}

/* ---- files ---- */

int otst_file_function_stat(struct otst_array_view *a, const char *number)
{
	const struct otst_kernel *k = otst_kernel(a->o);
	struct rows t = { .a = a };
	struct profile p = { 0 };
	uint64_t stats, start;
	unsigned long cpu;
	char *end;
	int err;

	cpu = strtoul(number, &end, 10);
	if (!isdigit((unsigned char)*number) || *end)
		return OTST_FILE_UNKNOWN;
	err = otst_file_symbol(a->o, "ftrace_profile_stats", &stats);
	if (!err && cpu >= k->nr_cpus)
		err = k->possible_known ?
			      otst_raise(a->o, OTST_ERR_USAGE, "there is no cpu %lu", cpu) :
			      otst_raise(a->o, OTST_ERR_LOOKUP, "cpu %lu: %s", cpu,
					 k->error ? k->error : "the cpus are not known");
	if (!err)
		err = otst_read_member(a->o, "ftrace_profile_stat",
				       otst_percpu(a->o, stats, (unsigned int)cpu), "start",
				       &start);
	/* a cpu whose functions were never counted has no pages */
	err = err ?: find_stat_members(a->o, &p);
	/* a cpu whose functions were never counted has no pages */
	err = err || !start ? err : note_rest(&t, read_stat_pages(&t, &p, start));
	sort_rows(&t, compare_functions);
	return err ?: show_functions(&t, p.timed);
}

/* Linux d45ae1f7041a ("tracing: Process constants for (un)likely() profiler") (v4.11) */
int otst_file_branch_annotated(struct otst_array_view *a)
{
	struct rows t = { .a = a };
	int err = read_branches(&t, "__start_annotated_branch_profile",
				"__stop_annotated_branch_profile", "ftrace_likely_data", "data");

	sort_rows(&t, compare_branches);
	return err ?: show_branches(&t, " correct incorrect  %");
}

int otst_file_branch_all(struct otst_array_view *a)
{
	struct rows t = { .a = a };
	int err = read_branches(&t, "__start_branch_profile", "__stop_branch_profile",
				"ftrace_branch_data", NULL);

	return err ?: show_branches(&t, "   miss      hit    %");
}
