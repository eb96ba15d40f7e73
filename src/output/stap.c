// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap.c - a SystemTap session and a probe of its script as lines of fields
 * and as a JSON object.
 */
#include <inttypes.h>

#include "stap.h"

static const char *known(const char *s)
{
	return s ? s : "unknown";
}

static const char *number(struct otst *o, int64_t n)
{
	return n < 0 ? "unknown" : known(otst_format(o, "%" PRId64, n));
}

void otst_print_stap(struct otst_printer *p, const struct otst_probe_stap *s)
{
	const struct otst_stap *session = s->session;
	const struct otst_stap_row *row = s->row;

	otst_printf(p, "    %-14s %s, script %s, SystemTap %s, %s; errors %s, skipped %s\n",
		    "session", session->module->name, known(session->script),
		    known(session->version), known(session->state), number(p->o, session->errors),
		    number(p->o, session->skipped));
	otst_printf(p, "    %-14s %s%s%s%s\n", "probe point", known(row ? row->point : NULL),
		    row && row->location ? " at " : "", row && row->location ? row->location : "",
		    row && !row->enabled ? " (its condition does not hold)" : "");
	if (row)
		otst_printf(p, "    %-14s %s\n", "script's", otst_name(p->o, row->handler));
}

static void json_number(struct json_object *j, const char *key, int64_t n)
{
	if (n >= 0)
		otst_json_s64(j, key, n);
	else
		otst_json_null(j, key);
}

struct json_object *otst_json_stap(const struct otst_probe_stap *s)
{
	const struct otst_stap_row *row = s ? s->row : NULL;
	struct json_object *j;

	if (!s)
		return NULL;
	j = otst_json_new(NULL);
	otst_json_string(j, "module", s->session->module->name);
	otst_json_string(j, "script", s->session->script);
	otst_json_string(j, "version", s->session->version);
	otst_json_string(j, "state", s->session->state);
	json_number(j, "errors", s->session->errors);
	json_number(j, "skipped", s->session->skipped);
	otst_json_string(j, "point", row ? row->point : NULL);
	otst_json_string(j, "location", row ? row->location : NULL);
	if (row)
		otst_json_bool(j, "enabled", row->enabled);
	else
		otst_json_null(j, "enabled");
	return j;
}
