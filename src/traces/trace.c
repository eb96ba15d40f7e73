// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * trace.c - one captured trace: how sources make it, and its lines, whichever of its two forms
 * it has.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "traces.h"

const char *otst_source_name(enum otst_source_kind kind)
{
	static const char *const names[] = {
		[OTST_SOURCE_LOG] = "log",	     [OTST_SOURCE_MODULE] = "module",
		[OTST_SOURCE_INFLIGHT] = "inflight", [OTST_SOURCE_JPROBE] = "jprobe",
		[OTST_SOURCE_TASK] = "task",	     [OTST_SOURCE_STACKTRACER] = "stacktracer",
		[OTST_SOURCE_HIST] = "hist",	     [OTST_SOURCE_DEPOT] = "depot",
		[OTST_SOURCE_PERF] = "perf",	     [OTST_SOURCE_CALLCHAIN] = "callchain",
		[OTST_SOURCE_BPF] = "bpf",	     [OTST_SOURCE_STAP] = "stap",
		[OTST_SOURCE_FTRACE] = "ftrace",     [OTST_SOURCE_SNAPSHOT] = "snapshot",
	};
	OTST_EACH_HAS(names, OTST_SOURCE_COUNT);

	return names[kind];
}

const char *otst_clock_name(enum otst_clock clock)
{
	static const char *const names[] = {
		[OTST_CLOCK_NONE] = NULL,
		[OTST_CLOCK_LOCAL] = "local",
		[OTST_CLOCK_TRACE] = "trace",
		[OTST_CLOCK_SYSLOG] = "syslog",
	};
	OTST_EACH_HAS(names, OTST_CLOCK_COUNT);

	return names[clock];
}

struct otst_trace_line *otst_trace_line_add(struct otst *o, struct otst_vec *lines)
{
	return otst_vec_push(o, lines, sizeof(struct otst_trace_line));
}

void otst_trace_mark_add(struct otst *o, struct otst_vec *lines, const char *text)
{
	*otst_trace_line_add(o, lines) =
		(struct otst_trace_line){ .kind = OTST_LINE_MARK, .text = text, .reliable = true };
}

int otst_traces_note(struct otst_traces *t, int err)
{
	return otst_note(t->o, &t->errors, err);
}

/* ---- frames ---- */

/* "sym", "sym [mod]" */
static bool parse_symbol_name(const char *text, struct otst_sym_text *ret)
{
	const char *s = text;

	while (isalnum((unsigned char)*s) || *s == '_' || *s == '.' || *s == '$')
		s++;
	*ret = (struct otst_sym_text){ .name = text, .name_len = (size_t)(s - text) };
	if (s == text || isdigit((unsigned char)*text))
		return false;
	if (!strncmp(s, " [", 2)) {
		ret->module = s + 2;
		ret->module_len = strcspn(ret->module, " ]");
		s = strchr(s, ']') ? strchr(s, ']') + 1 : s;
	}
	return !*s;
}

bool otst_sym_text_parse(const char *text, struct otst_sym_text *ret)
{
	const char *plus = strstr(text, "+0x"), *open;
	char *end;

	if (!plus)
		return parse_symbol_name(text, ret);
	if (plus == text)
		return false;
	*ret = (struct otst_sym_text){ .name = text, .name_len = (size_t)(plus - text) };
	ret->has_offset = true;
	ret->offset = strtoull(plus + 1, &end, 16);
	if (*end == '/')
		ret->size = strtoull(end + 1, &end, 16);
	open = strstr(end, " [");
	if (open) {
		ret->module = open + 2;
		/* "[mod 0123..ef]": a build id */
		ret->module_len = strcspn(ret->module, " ]");
	}
	return true;
}

static void add_mark(struct otst *o, struct otst_vec *lines, const char *open, unsigned int place)
{
	const char *name = otst_place_name(place);

	if (name)
		otst_trace_mark_add(o, lines, otst_format(o, "%s%s>", open, name));
}

static void add_trace_frame(struct otst *o, struct otst_vec *lines, const struct otst_frame *f)
{
	struct otst_trace_line *line = otst_trace_line_add(o, lines);

	*line = (struct otst_trace_line){
		.kind = f->regs ? OTST_LINE_IP : OTST_LINE_FRAME,
		.addr = f->pc,
		.cs = f->cs,
		.reliable = f->reliable,
		.exact = f->exact,
	};
}

void otst_trace_lines(struct otst *o, const struct otst_trace *t,
		      const struct otst_trace_line **ret, size_t *count)
{
	unsigned int place = OTST_PLACE_UNKNOWN;
	struct otst_vec lines = { 0 };

	if (!t->stack) {
		*ret = t->lines;
		*count = t->nr_lines;
		return;
	}
	for (size_t i = 0; i < t->stack->count; i++) {
		const struct otst_frame *f = &t->stack->frames[i];

		if (f->place != place) {
			add_mark(o, &lines, "</", place);
			add_mark(o, &lines, "<", f->place);
			place = f->place;
		}
		add_trace_frame(o, &lines, f);
	}
	add_mark(o, &lines, "</", place);
	*ret = lines.data;
	*count = lines.count;
}
