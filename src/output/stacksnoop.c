// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stacksnoop.c - records with stacks as bcc's stacksnoop prints them: as its
 * first version did, with a line of the table for each frame, or as it does since
 * it reads its stacks from a map, with a line of the table for each stack.
 */
#include <inttypes.h>

#include "stacksnoop.h"

#define SECOND UINT64_C(1000000000)

/* the columns at the start of each line: "TIME(s)", and with -v "COMM PID CPU" */
static void print_snoop_columns(struct otst_printer *p, const struct otst_trace *t)
{
	if (t->clock == OTST_CLOCK_NONE)
		otst_printf(p, "%-18s ", "?");
	else
		otst_printf(p, "%-18s ",
			    otst_format(p->o, "%" PRIu64 ".%09" PRIu64, t->time / SECOND,
					t->time % SECOND));
	if (!p->verbose)
		return;
	otst_printf(p, "%-12.12s ", t->comm ? t->comm : "?");
	if (t->pid < 0)
		otst_printf(p, "%-6s ", "?");
	else
		otst_printf(p, "%-6" PRId64 " ", t->pid);
	if (t->cpu < 0)
		otst_printf(p, "%-3s ", "?");
	else
		otst_printf(p, "%-3d ", t->cpu);
}

static void print_header(struct otst_printer *p, const char *last)
{
	otst_printf(p, "%-18s ", "TIME(s)");
	if (p->verbose)
		otst_printf(p, "%-12s %-6s %-3s ", "COMM", "PID", "CPU");
	otst_printf(p, "%s\n", last);
}

static const char *symbol_text(struct otst *o, uint64_t addr, bool offsets)
{
	struct otst_sym sym;

	otst_symbolize(o, addr, &sym);
	if (!sym.name)
		return "[unknown]";
	return otst_sym_format(o, addr, &sym, offsets ? OTST_SYM_OFFSET : 0);
}

static bool is_snoop_frame(const struct otst_trace_line *line)
{
	return line->kind == OTST_LINE_FRAME && line->addr && !line->cs;
}

/* for each stack without frames, a line that says why */
static void print_problems(struct otst_printer *p, const struct otst_trace *t, const char *before,
			   bool columns)
{
	const struct otst_trace_id *id = t->bpf->ids.data;

	for (size_t i = 0; i < t->bpf->ids.count; i++) {
		if (!id[i].problem)
			continue;
		if (columns)
			print_snoop_columns(p, t);
		otst_printf(p, "%s(stack id %" PRId64 ": %s)\n", before, id[i].id, id[i].problem);
	}
}

/* the version of 2016: an empty line, then "ip: ffffffff81280461 ext4_sync_fs", "r0: ..." */
static void print_stack_lines(struct otst_printer *p, const struct otst_trace *t, bool offsets)
{
	size_t i, n = 0;

	print_snoop_columns(p, t);
	otst_printf(p, "\n");
	for (i = 0; i < t->nr_lines; i++) {
		const struct otst_trace_line *line = &t->lines[i];

		if (!is_snoop_frame(line))
			continue;
		print_snoop_columns(p, t);
		if (n++)
			otst_printf(p, "r%zu", n - 2);
		else
			otst_printf(p, "ip");
		otst_printf(p, ": %" PRIx64 " %s\n", line->addr,
			    symbol_text(p->o, line->addr, offsets));
	}
	print_problems(p, t, "", true);
}

/* the function that was asked for, else the innermost frame's: a kprobe's stack begins there */
static const char *snooped_function(struct otst *o, const struct otst_trace *t)
{
	if (t->probe)
		return t->probe;
	return t->nr_lines && is_snoop_frame(t->lines) ? symbol_text(o, t->lines->addr, false) :
							 "?";
}

/* later versions: the function; below it the frames, each after a tab, and an empty line */
static void print_stack(struct otst_printer *p, const struct otst_trace *t, bool offsets)
{
	print_snoop_columns(p, t);
	otst_printf(p, "%s\n", snooped_function(p->o, t));
	for (size_t i = 0; i < t->nr_lines; i++) {
		if (is_snoop_frame(&t->lines[i]))
			otst_printf(p, "\t%s\n", symbol_text(p->o, t->lines[i].addr, offsets));
	}
	print_problems(p, t, "\t", false);
	otst_printf(p, "\n");
}

static bool is_snooped(const struct otst_trace *t)
{
	const struct otst_trace_id *id;

	if (!t->bpf || !t->bpf->data || !t->bpf->ids.count)
		return false;
	id = t->bpf->ids.data;
	return id->has_id;
}

void otst_print_stacksnoop(struct otst_printer *p, const struct otst_traces *traces,
			   bool by_function, bool offsets)
{
	bool untimed = false;

	print_header(p, by_function ? "FUNCTION" : "STACK");
	for (size_t i = 0; i < traces->items.count && !p->err; i++) {
		const struct otst_trace *t = otst_trace_at(traces, i);

		if (!is_snooped(t))
			continue;
		untimed |= t->clock == OTST_CLOCK_NONE;
		if (t->error)
			p->bad++;
		if (by_function)
			print_stack(p, t, offsets);
		else
			print_stack_lines(p, t, offsets);
	}
	otst_print_errors(p, &traces->errors);
	if (untimed)
		otst_print_note(p, "the records have no times: the tool prints when it read them");
}
