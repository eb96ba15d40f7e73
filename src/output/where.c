// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * where.c - struct otst_where as text: the handlers in their order, the text
 * in three columns, captures, tasks.
 */
#include <inttypes.h>
#include <string.h>

#include "../ftrace/ftrace.h"
#include "audit.h"
#include "table.h"
#include "where.h"

#define HEX_BYTES    8	 /* of an instruction, shown without -v */
#define CALLED_LINES 16u /* the same */

static void widen_column(int *width, const char *text)
{
	int len = (int)strlen(text);

	len = len < OTST_NAME_COLUMN ? len : OTST_NAME_COLUMN;
	*width = len > *width ? len : *width;
}

/* ---- handlers ---- */

/* for each step: does one before it have the same record */
static const bool *find_repeated(struct otst *o, const struct otst_where *w)
{
	bool *repeated = otst_alloc(o, w->nr_steps + 1), added = true;
	struct otst_set seen = { 0 };

	for (size_t i = 0; i < w->nr_steps && repeated; i++) {
		const struct otst_step *s = &w->steps[i];

		otst_set_add(o, &seen, s->probe ? (uintptr_t)s->probe : (uintptr_t)s->ops, &added);
		repeated[i] = !added;
	}
	return repeated;
}

/* what is wrong with the step's record, printed only once */
static void print_step_remarks(struct otst_printer *p, const struct otst_step *s, bool repeated)
{
	/* for a probe, the column STATE says why it never runs */
	if (s->why && (p->verbose || s->stage == OTST_STAGE_BODY ||
		       (s->stage == OTST_STAGE_NEVER && !s->probe)))
		otst_printf(p, "             (%s)\n", s->why);
	if (!s->probe || repeated)
		return;
	if (s->probe->error)
		otst_print_bad(p,
			       otst_or_unknown(otst_format(p->o, "%s, record 0x%" PRIx64,
							   s->probe->place, s->probe->record)),
			       s->probe->error);
	if (s->probe->disagree)
		otst_print_finding(p, "  ", NULL, s->probe->disagree);
}

/* a step whose owner is nobody, said only once for each record */
static bool is_nobodys(const struct otst_step *s, bool repeated)
{
	return otst_is_nobodys(otst_step_owner(s)) && !repeated;
}

static void print_steps(struct otst_printer *p, const struct otst_where *w, const bool *repeated)
{
	struct otst_table t;

	otst_table_init(&t, p, &otst_step_object, w);
	for (size_t i = 0; i < w->nr_steps; i++)
		otst_table_measure(&t, &w->steps[i]);
	otst_table_head(&t);
	for (size_t i = 0; i < w->nr_steps; i++) {
		otst_table_row(&t, &w->steps[i]);
		print_step_remarks(p, &w->steps[i], repeated[i]);
		if (is_nobodys(&w->steps[i], repeated[i]))
			otst_print_finding(p, "  ", NULL, otst_step_owner(&w->steps[i])->reason);
		if (!repeated[i])
			otst_print_hidden(p, NULL, otst_step_owner(&w->steps[i]));
	}
}

/* ---- through what else it is called ---- */

static bool is_same_function(const struct otst_registered *a, const struct otst_registered *b)
{
	return !strcmp(a->where, b->where) && a->role == b->role;
}

/* a function may be that of many timers */
static void print_called(struct otst_printer *p, const struct otst_where *w)
{
	const struct otst_registered *c = w->called.data;
	size_t i, k, times, lines = 0, left = 0;

	for (i = 0; i < w->called.count; i++) {
		for (k = 0; k < i && !is_same_function(&c[k], &c[i]); k++)
			;
		if (k < i)
			continue;
		if (lines >= CALLED_LINES && !p->verbose) {
			left++;
			continue;
		}
		for (times = 0; k < w->called.count; k++)
			times += is_same_function(&c[k], &c[i]);
		otst_printf(p, "called through %s%s%s", c[i].where, c[i].role ? ", as " : "",
			    c[i].role ? c[i].role : "");
		otst_printf(p, times > 1 ? ", %zu times\n" : "\n", times);
		lines++;
	}
	if (left)
		otst_printf(p, "called through %zu more: -v\n", left);
}

/* ---- text ---- */

static const char *hex_text(struct otst *o, const unsigned char *b, unsigned int n,
			    unsigned int most)
{
	const char *s = "";

	for (unsigned int i = 0; i < n && i < most; i++)
		s = otst_or_unknown(otst_format(o, "%s%s%02x", s, i ? " " : "", b[i]));
	return n > most ? otst_or_unknown(otst_format(o, "%s ..", s)) : s;
}

/* "callq vfs_read"; -v shows the address */
static const char *insn_text(struct otst_printer *p, const struct otst_insn *insn)
{
	const char *space = strchr(insn->text, ' ');

	if (p->verbose || !insn->target || !insn->name || insn->refers || !space ||
	    strchr(insn->text, ','))
		return otst_insn_line(p->o, insn);
	return otst_or_unknown(
		otst_format(p->o, "%.*s %s", (int)(space - insn->text), insn->text, insn->name));
}

static const char *insn_hex(struct otst_printer *p, const struct otst_insn *insn)
{
	return insn ? hex_text(p->o, insn->bytes, insn->len,
			       p->verbose ? OTST_INSN_MAX : HEX_BYTES) :
		      "";
}

/* one of the three columns: widths of its bytes, and of all */
struct code_column {
	int hex;
	int all;
};

static const char *code_cell(struct otst_printer *p, const struct otst_insn *insn,
			     const struct code_column *c)
{
	return insn ? otst_or_unknown(otst_format(p->o, "%-*s  %s", c->hex, insn_hex(p, insn),
						  insn_text(p, insn))) :
		      "";
}

static const char *built_cell(struct otst_printer *p, const struct otst_where *w,
			      const struct otst_code_row *r, const struct code_column *c)
{
	return w->code.built_known ? code_cell(p, r->built, c) : "unknown";
}

/* @at: where the cell begins in its line */
static const char *found_cell(struct otst_printer *p, const struct otst_code_row *r,
			      const struct code_column *c, size_t at)
{
	const char *s;

	if (r->covered)
		return "(written over)";
	if (!r->found)
		return "not in the dump";
	if (r->same)
		return "same";
	s = code_cell(p, r->found, c);
	/* a line that is too long need not repeat what the column before shows */
	if (at + strlen(s) > p->width && r->wanted && r->wanted->len == r->found->len &&
	    !memcmp(r->wanted->bytes, r->found->bytes, r->found->len))
		return "as wanted";
	return s;
}

enum { BUILT, WANTED, FOUND, CODE_COLUMNS };

static void measure_code(struct otst_printer *p, const struct otst_code *c,
			 struct code_column ret[CODE_COLUMNS])
{
	ret[BUILT] = (struct code_column){ 0, (int)strlen("AS BUILT") };
	ret[WANTED] = (struct code_column){ 0, (int)strlen("AS RECORDS WANT IT") };
	ret[FOUND] = (struct code_column){ 0 };
	for (size_t i = 0; i < c->nr_rows; i++) {
		widen_column(&ret[BUILT].hex, insn_hex(p, c->rows[i].built));
		widen_column(&ret[WANTED].hex, insn_hex(p, c->rows[i].wanted));
		if (!c->rows[i].same)
			widen_column(&ret[FOUND].hex, insn_hex(p, c->rows[i].found));
	}
	for (size_t i = 0; i < c->nr_rows; i++) {
		widen_column(&ret[BUILT].all, code_cell(p, c->rows[i].built, &ret[BUILT]));
		widen_column(&ret[WANTED].all, code_cell(p, c->rows[i].wanted, &ret[WANTED]));
	}
}

/* the mark of a line that shows a contradiction */
static void print_mark(struct otst_printer *p, bool wrong)
{
	otst_print_styled(p, wrong ? OTST_STYLE_BAD : OTST_STYLE_PLAIN, wrong ? "!" : " ", 1);
}

static void print_saved(struct otst_printer *p, const struct otst_where *w, uint64_t addr)
{
	for (size_t i = 0; i < w->code.nr_saved; i++) {
		const struct otst_code_saved *s = &w->code.saved[i];

		if (s->probe->addr != addr)
			continue;
		print_mark(p, s->differs);
		otst_printf(p, "       %s saved %s:", s->probe->place,
			    hex_text(p->o, s->probe->saved, s->probe->nr_saved, OTST_TEXT_BYTES));
		for (size_t k = 0; k < s->insns.count; k++)
			otst_printf(p, "%s %s", k ? ";" : "", insn_text(p, &s->insns.items[k]));
		otst_printf(p, "%s\n", s->differs ? ", which is not what was built" : "");
	}
}

static void print_row(struct otst_printer *p, const struct otst_where *w,
		      const struct otst_code_row *r, const struct code_column *c)
{
	if (r->gap)
		otst_printf(p, "  ..\n");
	print_mark(p, r->wrong);
	otst_printf(p, " +0x%-4" PRIx64 " %-*s  %-*s  %s\n", r->addr - w->sym.addr, c[BUILT].all,
		    built_cell(p, w, r, &c[BUILT]), c[WANTED].all,
		    code_cell(p, r->wanted, &c[WANTED]),
		    found_cell(p, r, &c[FOUND], (size_t)(14 + c[BUILT].all + c[WANTED].all)));
}

static void print_where_code(struct otst_printer *p, const struct otst_where *w)
{
	const struct otst_code *c = &w->code;
	struct code_column code[CODE_COLUMNS];

	if (c->error) {
		otst_printf(p, "\nno instructions: %s\n", c->error);
		return;
	}
	if (!c->nr_rows) {
		otst_printf(p, "\nits text is not in the dump\n");
		return;
	}
	measure_code(p, c, code);
	otst_printf(p, "\n  %-7s %-*s  %-*s  %s\n", "TEXT", code[BUILT].all, "AS BUILT",
		    code[WANTED].all, "AS RECORDS WANT IT", "AS FOUND");
	for (size_t i = 0; i < c->nr_rows; i++) {
		print_row(p, w, &c->rows[i], code);
		print_saved(p, w, c->rows[i].addr);
	}
}

/* ---- captures and tasks ---- */

static void print_sources(struct otst_printer *p, const struct otst_where *w)
{
	const struct otst_where_source *s = w->sources.data;

	for (size_t i = 0; i < w->sources.count; i++) {
		otst_printf(p, "\n%zu %s in %s%s:\n", s[i].count,
			    otst_number(s[i].count, "capture", "captures"),
			    otst_source_name(s[i].source),
			    otst_number(s[i].count, "", ", newest first"));
		for (size_t k = 0; k < s[i].nr_newest; k++) {
			otst_printf(p, "  ");
			otst_print_trace_title(p, s[i].newest[k]);
		}
	}
}

static void print_tasks(struct otst_printer *p, const struct otst_where *w)
{
	const struct otst_where_task *t = w->tasks.data;

	if (w->tasks.count)
		otst_printf(p, "\n%zu %s inside:\n", w->tasks.count,
			    otst_number(w->tasks.count, "task", "tasks"));
	for (size_t i = 0; i < w->tasks.count; i++) {
		otst_printf(p, "  PID: %" PRIu64 " Comm: %s ", t[i].task->pid,
			    otst_or_unknown(t[i].task->comm));
		if (t[i].runs)
			otst_printf(p, "on CPU %u", t[i].task->cpu);
		else
			otst_printf(p, "not running");
		otst_printf(p, ", frame %zu: %s%s\n", t[i].depth, t[i].frame.reliable ? "" : "? ",
			    otst_frame_name(p->o, &t[i].frame));
	}
}

/* ---- all of it ---- */

static void print_head(struct otst_printer *p, const struct otst_where *w)
{
	const char *const *name;

	if (w->none) {
		otst_printf(p, "%s: %s\n", w->operand, w->none);
		return;
	}
	if (w->target) {
		otst_printf(p, "%s\n", w->target);
		return;
	}
	if (!w->sym.name) {
		otst_printf(p, "0x%" PRIx64 ", in no function of the kernel or of a module\n",
			    w->sym.addr);
		return;
	}
	otst_printf(p, "%s at %016" PRIx64 ", %" PRIu64 " byte%s",
		    otst_sym_name(p->o, w->sym.addr, &w->sym), w->sym.addr, w->sym.size,
		    otst_number(w->sym.size, "", "s"));
	for (name = w->names; name && *name; name++)
		otst_printf(p, "%s%s", name == w->names ? ", also called " : ", ", *name);
	otst_printf(p, "\n");
}

/* no record hooks it: what that means */
static const char *describe_absence(const struct otst_where *w, bool complete)
{
	bool changed = w->changes.count;

	for (size_t i = 0; i < w->code.nr_rows; i++)
		changed |= w->code.rows[i].wrong;
	if (changed)
		return "no record hooks it, but its text was changed";
	if (!complete)
		return "no hook of it was found; not all could be looked at";
	return w->uncompared ? "no record hooks it; its text was not compared" : "nothing hooks it";
}

static void print_where_text(struct otst_printer *p, const struct otst_where *w,
			     const bool *repeated, bool complete)
{
	print_head(p, w);
	if (w->none)
		return;
	if (w->nr_steps)
		print_steps(p, w, repeated);
	else
		otst_printf(p, "%s\n", describe_absence(w, complete));
	for (size_t i = 0; i < w->changes.count; i++)
		otst_print_audit_finding(p, (const struct otst_finding *)w->changes.data + i);
	print_called(p, w);
	if (w->sym.name)
		print_where_code(p, w);
	print_sources(p, w);
	print_tasks(p, w);
}

static bool step_disagrees(const struct otst_step *s, bool repeated)
{
	return s->probe && s->probe->disagree && !repeated;
}

static bool is_changed_at(const struct otst_where *w, uint64_t addr)
{
	const struct otst_finding *f = w->changes.data;
	size_t i;

	for (i = 0; i < w->changes.count; i++) {
		if (addr < f[i].addr + f[i].len && f[i].addr < addr + OTST_INSN_MAX)
			break;
	}
	return i < w->changes.count;
}

/* records that the text contradicts: as probes report, and others that the columns show */
static size_t count_findings(const struct otst_where *w, const bool *repeated)
{
	size_t i, k, n = w->changes.count;

	for (i = 0; i < w->nr_steps; i++)
		n += step_disagrees(&w->steps[i], repeated[i]);
	for (i = 0; i < w->code.nr_rows; i++) {
		for (k = 0; k < w->nr_steps && w->code.rows[i].wrong; k++) {
			if (w->steps[k].addr == w->code.rows[i].addr &&
			    step_disagrees(&w->steps[k], repeated[k]))
				break;
		}
		n += w->code.rows[i].wrong && k == w->nr_steps &&
		     !is_changed_at(w, w->code.rows[i].addr);
	}
	for (i = 0; i < w->code.nr_saved; i++)
		n += w->code.saved[i].differs;
	return n;
}

static size_t count_nobodys(const struct otst_where *w, const bool *repeated)
{
	size_t i, n = 0;

	for (i = 0; i < w->nr_steps; i++)
		n += is_nobodys(&w->steps[i], repeated[i]);
	return n;
}

static size_t count_hidden(const struct otst_where *w, const bool *repeated)
{
	size_t i, n = 0;

	for (i = 0; i < w->nr_steps; i++)
		n += otst_step_owner(&w->steps[i])->hidden && !repeated[i];
	return n;
}

void otst_print_wheres(struct otst_printer *p, const struct otst_wheres *all)
{
	size_t i, found = 0;

	for (i = 0; i < all->count && !p->err; i++) {
		const struct otst_where *w = &all->items[i];
		const bool *repeated = find_repeated(p->o, w);

		if (!repeated)
			break;
		found += !w->none;
		p->findings += count_findings(w, repeated);
		p->nobodys += count_nobodys(w, repeated);
		p->hidden += count_hidden(w, repeated);
		if (p->json)
			otst_print_json(p, &otst_where_object, w, NULL);
		else
			print_where_text(p, w, repeated, all->complete);
		if (!p->json)
			otst_printf(p, "\n");
	}
	otst_print_errors(p, &all->errors);
	otst_print_notes(p, &all->notes);
	otst_print_gaps(p, &all->coverage);
	if (all->all_disarmed && !p->json)
		otst_printf(p, "all kprobes are disarmed (kprobes/enabled is 0)\n");
	otst_print_end(p, "function or target", "functions and targets", found);
}
