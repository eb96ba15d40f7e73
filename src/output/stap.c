// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stap.c - a SystemTap session and a probe of its script: description, and
 * lines in -v.
 */
#include <inttypes.h>

#include "stap.h"

static const char *known_text(const char *s)
{
	return s ? s : "unknown";
}

static const char *count_or_unknown(struct otst *o, int64_t n)
{
	return n < 0 ? "unknown" : known_text(otst_format(o, "%" PRId64, n));
}

void otst_print_stap(struct otst_printer *p, const struct otst_probe_stap *s)
{
	const struct otst_stap *session = s->session;
	const struct otst_stap_row *row = s->row;

	otst_printf(p, "    %-14s %s, script %s, SystemTap %s, %s; errors %s, skipped %s\n",
		    "session", session->module->name, known_text(session->script),
		    known_text(session->version), known_text(session->state),
		    count_or_unknown(p->o, session->errors),
		    count_or_unknown(p->o, session->skipped));
	otst_printf(p, "    %-14s %s%s%s%s\n", "probe point", known_text(row ? row->point : NULL),
		    row && row->location ? " at " : "", row && row->location ? row->location : "",
		    row && !row->enabled ? " (its condition does not hold)" : "");
	if (row)
		otst_printf(p, "    %-14s %s\n", "script's", otst_name(p->o, row->handler));
}

static void stap_rows(struct otst_rows *r, const void *item)
{
	const struct otst_probe_stap *s = item;

	ROW_TEXT(r, "module", s->session->module->name);
	ROW_TEXT_OR_NULL(r, "script", s->session->script, .what = "its file's name");
	ROW_TEXT_OR_NULL(r, "version", s->session->version, .what = "of SystemTap");
	ROW_TEXT_OR_NULL(r, "state", s->session->state,
			 .words = "not started|starting|running|error|stopping|stopped",
			 .what = "of the session");
	ROW_NUMBER_OR_NULL(r, "errors", s->session->errors >= 0, s->session->errors,
			   .what = "probes that failed");
	ROW_NUMBER_OR_NULL(r, "skipped", s->session->skipped >= 0, s->session->skipped,
			   .what = "probes that were skipped");
	ROW_TEXT_OR_NULL(r, "point", s->row ? s->row->point : NULL,
			 .what = "the probe point in full");
	ROW_TEXT_OR_NULL(r, "location", s->row ? s->row->location : NULL,
			 .what = "where the script has it");
	ROW_BOOL_OR_NULL(r, "enabled", s->row, s->row->enabled,
			 .what = "false when its condition does not hold");
}

const struct otst_object otst_stap_object = { OTST_PART, "systemtap", stap_rows,
					      "a probe of a SystemTap script" };
