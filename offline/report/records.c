// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * records.c - takes the engine's records: each goes to what makes HTML of it. The kernel, trace
 * arrays and what could not be read or looked at are here.
 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ERRORS 1000 /* error messages that are compared and shown */

void report_error(struct report *r, const char *where, const char *message)
{
	char *text;

	if (asprintf(&text, "%s%s%s", where ? where : "", where ? ": " : "", message) < 0) {
		r->broken = true;
		return;
	}
	if (list_find(&r->errors, text) == r->errors.count) {
		r->nr_unreadable++;
		if (r->errors.count < MOST_ERRORS)
			r->broken |= !list_add(&r->errors, text);
	}
	free(text);
}

void report_gap(struct report *r, const char *what, const char *why, const char *help)
{
	struct html *h = &r->parts[PART_GAPS];
	size_t mark = h->len;

	r->nr_gaps++;
	html_add(h, "<li>%s", what);
	if (why)
		html_add(h, ": %s", why);
	if (help)
		html_add(h, " (%s would help)", help);
	html_add(h, "</li>\n");
	html_keep(h, mark);
}

static void take_coverage(struct report *r, const struct json *j)
{
	bool part = json_is(j, "state", "in part");
	char what[128];

	/* each text and table that the audit has no file for, a sum on the page */
	if (r->command == 'a' && (part || json_is(j, "state", "not looked")))
		r->nr_uncompared++;
	if (r->command != 'i' || (!part && !json_is(j, "state", "not looked")))
		return;
	snprintf(what, sizeof(what), "%s, %s%s", json_text(j, "of"), json_text(j, "what"),
		 part ? ", in part" : "");
	report_gap(r, what, json_text(j, "why"), json_text(j, "help"));
}

static void take_info(struct report *r, const struct json *j)
{
	static const char *const rows[][2] = {
		{ "Kernel", "release" },
		{ "Version", "version" },
		{ "Host", "nodename" },
		{ "Machine", "machine" },
		{ "Cpus, possible", "cpus_possible" },
		{ "Cpus, online", "cpus_online" },
		{ "Symbols from", "symbols" },
		{ "Types from", "types" },
		{ "Modules", "modules" },
		{ "Probes", "probes" },
		{ "Probes armed", "armed" },
		{ "Functions with ftrace sites", "functions" },
		{ "Functions hooked", "functions_hooked" },
		{ "ftrace_ops", "ftrace_ops" },
	};
	struct html *h = &r->parts[PART_KERNEL];
	const struct json *m;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		html_add(h, "<div><dt>%s</dt><dd>%s</dd></div>\n", rows[i][0],
			 json_text(j, rows[i][1]));
	html_add(h, "<div><dt>Text as built</dt><dd>%s</dd></div>\n",
		 json_true(j, "text_built") ? "known" : "not known: no vmlinux was given");
	/* a kernel that was given no name has "(none)" */
	if (!json_text(j, "nodename") || json_is(j, "nodename", "") ||
	    json_is(j, "nodename", "(none)"))
		snprintf(r->title, sizeof(r->title), "Linux %s", json_text(j, "release"));
	else
		snprintf(r->title, sizeof(r->title), "%s %s", json_text(j, "nodename"),
			 json_text(j, "release"));
	m = json_get(j, "kinds");
	for (m = m ? m->child : NULL; m; m = m->next) {
		if (strcmp(m->text, "0") != 0)
			html_add(&r->parts[PART_KINDS],
				 "<tr><td>%s</td><td class=\"n\">%s</td></tr>\n", m->key, m->text);
	}
	h = &r->parts[PART_OWNERS];
	m = json_get(j, "owners");
	for (m = m ? m->child : NULL; m; m = m->next) {
		size_t mark = h->len;

		html_fill(h, m,
			  "<tr><td>{kind}</td><td>{name}</td><td class=\"n\">{count}</td></tr>\n");
		html_keep(h, mark);
	}
}

static void take_array(struct report *r, const struct json *j)
{
	const struct json *recording = json_get(j, "recording"), *m = json_get(j, "buffer.cpus");
	const char *name = json_text(j, "name"), *separator = "";
	bool top = json_get(j, "instance") && !json_true(j, "instance");
	struct html *h = &r->parts[PART_TRACERS];
	long long entries = 0, overrun = 0;
	size_t mark = h->len;

	for (m = m ? m->child : NULL; m; m = m->next) {
		entries += json_number(m, "entries");
		overrun += json_number(m, "overrun");
	}
	html_add(h, "<tr><td>%s</td><td>%s</td><td>%s", top ? "top" : name, json_text(j, "tracer"),
		 !recording || recording->kind == 'n' ? "unknown" :
		 recording->kind == 't'		      ? "yes" :
							"no");
	m = json_get(j, "off");
	for (m = m ? m->child : NULL; m; m = m->next, separator = ",")
		html_add(h, "%s %s", separator, m->text);
	html_add(h, "</td><td>%s</td><td class=\"n\">%lld</td><td class=\"n\">%lld</td></tr>\n",
		 json_text(j, "clock"), entries, overrun);
	html_keep(h, mark);
	if (json_text(j, "error"))
		report_error(r, name, json_text(j, "error"));
	if (entries && (top || name))
		r->broken |= !list_add(&r->arrays, top ? "" : name);
}

int report_record(void *priv, const char *type, const char *json, size_t len)
{
	struct report *r = priv;
	bool where = r->command == 'w';
	struct json *j = json_parse(json);

	(void)len;
	if (!j) {
		r->broken = true;
		return 1;
	}
	if (!strcmp(type, "probe"))
		report_take_probe(r, j, json);
	else if (!strcmp(type, "function"))
		report_take_function(r, j);
	else if (!strcmp(type, "trace"))
		report_take_trace(r, j);
	else if (!strcmp(type, "where"))
		report_take_where(r, j);
	else if (!strcmp(type, "info"))
		take_info(r, j);
	else if (!strcmp(type, "verdict") && r->command == 'b')
		report_take_verdict(r, j);
	else if (!strcmp(type, "verdict_stack") && r->command == 'b')
		report_take_stack(r, j);
	else if (!strcmp(type, "finding"))
		report_take_finding(r, j);
	else if (!strcmp(type, "more_findings"))
		r->nr_findings += (size_t)json_number(j, "count");
	else if (!strcmp(type, "audit") && json_text(j, "not_compared"))
		report_gap(r, "text against text as built", json_text(j, "not_compared"), NULL);
	else if (!strcmp(type, "trace_array"))
		take_array(r, j);
	else if (!strcmp(type, "coverage"))
		take_coverage(r, j);
	else if (!strcmp(type, "error") && !where)
		report_error(r, json_text(j, "where"), json_text(j, "message"));
	free(j);
	return r->broken;
}

void report_text(struct html *h, const char *headline, const char *command, const char *text,
		 size_t room, bool newest)
{
	size_t len = strlen(text), mark = h->len;
	/* a character becomes an entity of 6 bytes at most; few do */
	const char *end = text + (len < room ? len : room * 3 / 4);

	if (newest && *end) {
		end = strchr(text + len - (size_t)(end - text), '\n');
		text = end ? end + 1 : "";
		end = text + strlen(text);
	}
	while (!newest && *end && end > text && end[-1] != '\n')
		end--;
	html_add(h, "<details><summary>%s <code>%s</code>", headline, command);
	if ((size_t)(end - text) < len)
		html_add(h, ", cut: the %s %zu of %zu bytes", newest ? "last" : "first",
			 (size_t)(end - text), len);
	html_add(h, "</summary><pre>");
	html_text(h, text, (size_t)(end - text));
	html_add(h, "</pre></details>\n");
	if (!html_keep(h, mark))
		html_add(h, "<p class=\"cut\">%s: left out, see <code>%s</code>.</p>\n", headline,
			 command);
}

void report_close(struct report *r)
{
	size_t i;

	for (i = 0; i < PARTS; i++)
		free(r->parts[i].text);
	for (i = r->first; i < r->nr_captures; i++) {
		free(r->captures[i].html);
		free(r->captures[i].data);
	}
	free(r->captures);
	free(r->screens);
	free(r->has_screen);
	list_free(&r->probes);
	list_free(&r->names);
	list_free(&r->hooked);
	list_free(&r->arrays);
	list_free(&r->errors);
}
