// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * trace.c - struct otst_trace as text in the kernel's words.
 */
#include <inttypes.h>

#include "../traces/log/log.h"
#include "stack.h"
#include "trace.h"
#include "trigger.h"

#define SECOND UINT64_C(1000000000)

static void print_head(struct otst_printer *p, const struct otst_trace *t)
{
	const char *headline = t->counted ? otst_hist_headline(p->o, t->counted) : t->headline;

	otst_print_trace_title(p, t);
	if (headline)
		otst_print_string(p, headline);
	if (headline && t->age_known)
		otst_printf(p, ", for %" PRIu64 ".%06" PRIu64 " s", t->age / SECOND,
			    t->age % SECOND / 1000);
	if (headline)
		otst_print_string(p, "\n");
	if (t->bpf)
		otst_print_trace_bpf(p, t->bpf);
	if (t->call)
		otst_printf(p, "%s\n", t->call->text);
	if (p->verbose && t->where)
		otst_printf(p, "(%s)\n", t->where);
	if (t->consumed)
		otst_printf(p, " (already read)\n");
	if (t->overwritten)
		otst_printf(p, " (its beginning is lost)\n");
}

/* "file.c:17", in brackets */
static void print_place(struct otst_printer *p, const struct otst_line *s)
{
	if (s->file && s->line)
		otst_printf(p, " (%s:%u)", s->file, s->line);
	else if (s->file)
		otst_printf(p, " (%s)", s->file);
}

/* calls that the compiler inlined come first, as if they were frames of their own */
static void print_inlined(struct otst_printer *p, const struct otst_lines *lines)
{
	for (size_t i = 0; i + 1 < lines->count; i++) {
		otst_printf(p, "                       %s",
			    lines->items[i].function ? lines->items[i].function : "?");
		print_place(p, &lines->items[i]);
		otst_printf(p, " [inlined]\n");
	}
}

/* as the kernel that printed the log did */
static void print_pc(struct otst_printer *p, const struct otst_trace_line *line, const char *name)
{
	if (line->title == OTST_PC_RIP && line->cs)
		otst_printf(p, "RIP: %04x:%s", line->cs, name);
	else if (line->title == OTST_PC_NIP && line->addr && !p->verbose)
		otst_printf(p, "NIP [%016" PRIx64 "] %s", line->addr, name);
	else
		otst_printf(p, "%s%s", otst_log_title(line->title) ?: otst_pc_title(p->o, line->cs),
			    name);
}

static void print_trace_line(struct otst_printer *p, const struct otst_trace_line *line)
{
	const char *name = otst_trace_line_name(p->o, line);
	struct otst_lines lines = { 0 };

	if (!otst_trace_line_is_code(line)) {
		otst_printf(p, "%s%s\n", line->kind == OTST_LINE_MARK ? " " : "", name);
		return;
	}
	lines = otst_trace_source_lines(p, line);
	print_inlined(p, &lines);
	otst_print_string(p, " ");
	if (p->verbose && line->addr)
		otst_printf(p, "[<%016" PRIx64 ">] ", line->addr);
	if (line->sized)
		otst_printf(p, "%8" PRId32 " %7" PRId32 "  ", line->depth, line->size);
	if (line->kind == OTST_LINE_IP)
		print_pc(p, line, name);
	else if (!line->reliable)
		otst_print_string(p, "? ");
	if (line->kind != OTST_LINE_IP)
		otst_print_string(p, name);
	if (*line->letters)
		otst_printf(p, " (%s)", line->letters);
	if (lines.count)
		print_place(p, &lines.items[lines.count - 1]);
	otst_print_string(p, "\n");
}

/* as the kernel's show_regs() prints them */
static void print_regs(struct otst_printer *p, const uint64_t *regs)
{
	const struct otst_arch *arch = otst_kernel(p->o)->arch;

	for (size_t i = 0; i < arch->reg.nr_shown; i++) {
		const struct otst_shown_reg *r = &arch->reg.shown[i];

		otst_printf(p, "%s%0*" PRIx64, r->before, r->digits,
			    regs[r->reg] & (r->mask ? r->mask : UINT64_MAX));
	}
	otst_printf(p, "\n");
}

static void print_trace_bytes(struct otst_printer *p, const struct otst_piece *piece)
{
	for (size_t i = 0; i + 8 <= piece->len; i += 8)
		otst_printf(p, "%s%016" PRIx64, i ? " " : " Stack: ",
			    otst_get(p->o, (const char *)piece->bytes + i, 8));
	otst_printf(p, "\n");
}

/* the last line is text that a script or a program wrote, and not a frame */
static bool ends_in_text(const struct otst_trace *t)
{
	const struct otst_trace_line *lines = t->lines;

	return t->nr_lines && lines[t->nr_lines - 1].kind == OTST_LINE_TEXT;
}

static void print_frames_end(struct otst_printer *p, const struct otst_trace *t, size_t count)
{
	const struct otst_stack *st = t->stack;

	if (!count)
		otst_printf(p, " (no frames)\n");
	if (t->truncated && t->ends)
		otst_printf(p, " (" OTST_TRACE_ENDS ")\n");
	else if (t->truncated && ends_in_text(t))
		otst_printf(p, " (the rest of it is lost)\n");
	else if (t->truncated || (st && st->end == OTST_END_FULL))
		otst_printf(p, " (more frames than were kept)\n");
	else if (st && (st->end == OTST_END_CUT || st->end == OTST_END_LOST))
		otst_printf(p, " (%s%s%s)\n", otst_end_name(st->end), st->why ? ": " : "",
			    st->why ? st->why : "");
}

static void print_end(struct otst_printer *p, const struct otst_trace *t)
{
	if (t->error)
		otst_print_bad(p, t->where, t->error);
	otst_print_string(p, "\n");
}

static void print_trace_text(struct otst_printer *p, const struct otst_trace *t)
{
	const struct otst_trace_line *lines;
	size_t i, n;

	otst_trace_lines(p->o, t, &lines, &n);
	for (i = 0; i < n; i++)
		__builtin_prefetch(lines[i].text);
	print_head(p, t);
	for (i = 0; i < n; i++)
		print_trace_line(p, &lines[i]);
	if (t->regs && (t->regs_matter || p->verbose))
		print_regs(p, t->regs);
	if (otst_trace_has_few_bytes(t))
		print_trace_bytes(p, t->capture->pieces);
	print_frames_end(p, t, n);
}

void otst_print_trace(struct otst_printer *p, const struct otst_trace *t)
{
	if (!p->json) {
		print_trace_text(p, t);
		print_end(p, t);
		return;
	}
	p->bad += t->error != NULL;
	otst_print_json(p, &otst_trace_object, t, NULL);
}

/* trace number @i, which may have the same stack as others */
static void print_one(struct otst_printer *p, const struct otst_traces *traces,
		      const struct otst_same *same, uint32_t i, struct otst_trace_room rooms[2])
{
	const struct otst_trace *t;
	struct otst_same_json json = { same->count[same->first[i]], NULL };

	if (!p->json && same->first[i] != i)
		return;
	t = otst_trace_peek(traces, i, &rooms[0]);
	if (p->json) {
		json.first = same->first[i] == i ?
				     NULL :
				     otst_trace_peek(traces, same->first[i], &rooms[1])->where;
		p->bad += t->error != NULL;
		otst_print_json(p, &otst_trace_object, t, &json);
		return;
	}
	print_trace_text(p, t);
	if (json.count > 1)
		otst_print_same(p, traces, same, i);
	print_end(p, t);
}

void otst_print_traces(struct otst_printer *p, const struct otst_traces *traces)
{
	struct otst_trace_room rooms[2] = { 0 };
	struct otst_same same = { 0 };

	p->err = p->err ?: otst_find_same(p->o, traces, &same);
	for (size_t i = 0; i < traces->items.count && !p->err; i++) {
		if (same.first)
			print_one(p, traces, &same, (uint32_t)i, rooms);
		else
			otst_print_trace(p, otst_trace_peek(traces, i, &rooms[0]));
	}
	otst_print_errors(p, &traces->errors);
	otst_print_notes(p, &traces->notes);
	otst_print_note(p, otst_lines_missing(p->o));
	otst_print_gaps(p, &traces->coverage);
	otst_print_end(p, "trace", "traces", traces->items.count);
}
