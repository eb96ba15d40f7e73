// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * log_trace.c - the trace of a log that belongs to a report.
 */
#include <string.h>

#include "report.h"

#define REACH 64u /* lines between a headline and its trace */

static bool is_of(const struct otst_report *r, const struct otst_trace *t)
{
	if (t->seq > r->seq + REACH || (r->cpu >= 0 && t->cpu >= 0 && r->cpu != t->cpu))
		return false;
	return r->pid < 0 || t->pid < 0 || r->pid == t->pid;
}

const struct otst_trace *otst_report_trace(const struct otst_traces *traces,
					   const struct otst_report *r)
{
	const struct otst_trace *t, *near = NULL;

	for (size_t i = r->traces_before; r->line && i < traces->items.count; i++) {
		t = otst_trace_at(traces, i);
		if (!is_of(r, t))
			continue;
		if (t->headline && !strcmp(t->headline, r->line))
			return t;
		near = near ?: t;
	}
	return near;
}

const struct otst_trace_line *otst_report_registers(const struct otst_trace *t)
{
	for (size_t i = 0; t && i < t->nr_lines; i++) {
		if (t->lines[i].kind == OTST_LINE_IP)
			return &t->lines[i];
	}
	return NULL;
}
