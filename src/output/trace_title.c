// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * trace_title.c - the first line of a trace, and what text and JSON both ask of it.
 */
#include <inttypes.h>
#include <string.h>

#include "trace.h"

#define SECOND	  UINT64_C(1000000000)
#define FEW_WORDS 8 /* a jprobe's 64 bytes */

/* "[   12.345678]" */
#define TIME		"[%5" PRIu64 ".%06" PRIu64 "]"
#define TIME_NUMBERS(t) (t)->time / SECOND, (t)->time % SECOND / 1000

const char *otst_trace_time(struct otst *o, const struct otst_trace *t)
{
	if (t->clock == OTST_CLOCK_NONE)
		return "[?]";
	if (t->time_text)
		return otst_format(o, "[%s]", t->time_text);
	return otst_format(o, TIME, TIME_NUMBERS(t));
}

static const char *clock_text(const struct otst_trace *t)
{
	if (t->clock_name)
		return t->clock_name;
	return t->clock == OTST_CLOCK_NONE ? "no time" : otst_clock_name(t->clock);
}

static void print_number(struct otst_printer *p, const char *label, int64_t v)
{
	if (v < 0)
		otst_printf(p, " %s: ?", label);
	else
		otst_printf(p, " %s: %" PRId64, label, v);
}

void otst_print_string(struct otst_printer *p, const char *s)
{
	otst_write(p, s, strlen(s));
}

/* the same as otst_trace_time() */
static void print_time(struct otst_printer *p, const struct otst_trace *t)
{
	if (t->clock == OTST_CLOCK_NONE || t->time_text)
		otst_print_string(p, otst_trace_time(p->o, t));
	else
		otst_printf(p, TIME, TIME_NUMBERS(t));
}

void otst_print_trace_title(struct otst_printer *p, const struct otst_trace *t)
{
	print_time(p, t);
	print_number(p, "CPU", t->cpu);
	print_number(p, "PID", t->pid);
	otst_print_string(p, " Comm: ");
	otst_print_string(p, otst_or_unknown(t->comm));
	if (t->probe)
		otst_printf(p, ", probe %s", t->probe);
	else if (t->probe_addr)
		otst_printf(p, ", probe %s", otst_name(p->o, t->probe_addr));
	if (t->handler)
		otst_printf(p, " by %s", t->handler);
	otst_printf(p, " (%s, %s%s)\n", otst_source_name(t->source), clock_text(t),
		    t->clock == OTST_CLOCK_NONE ? "" : " clock");
}

const char *otst_trace_line_name(struct otst *o, const struct otst_trace_line *line)
{
	struct otst_frame f = { .pc = line->addr, .exact = line->exact };

	return line->text ? line->text : otst_frame_name(o, &f);
}

struct otst_lines otst_trace_source_lines(struct otst_printer *p,
					  const struct otst_trace_line *line)
{
	struct otst_lines lines = { 0 };
	uint64_t addr = p->verbose ? otst_trace_line_code(p->o, line) : 0;

	if (p->verbose && line->source)
		return *line->source;
	if (addr && otst_lines(p->o, addr, &lines) == OTST_ERR_NOMEM)
		p->err = OTST_ERR_NOMEM;
	return lines;
}

bool otst_trace_has_few_bytes(const struct otst_trace *t)
{
	return t->regs_matter && t->capture && t->capture->nr_pieces == 1 &&
	       t->capture->pieces->len && t->capture->pieces->len <= 8 * FEW_WORDS;
}
