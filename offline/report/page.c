// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * page.c - fills in page.html: {{name}} stands for a part of the report, a number, or
 * a file that is compiled in.
 */
#include "report.h"

#include <string.h>

static void add_part(struct html *page, const struct html *part, const char *none)
{
	if (part->len)
		html_append(page, part->text, part->len);
	else
		html_add(page, "%s", none);
}

/* what had no room, and where to find it */
static void add_cut(struct html *page, size_t left_out, const char *what, const char *command)
{
	if (left_out)
		html_add(page,
			 "<p class=\"cut\">Left out, as the page would be too large: %s: %zu. See "
			 "<code>%s</code>, or give a larger --report-limit.</p>\n",
			 what, left_out, command);
}

static void add_list(struct html *page, const char *headline, size_t count, const struct html *part,
		     const char *more)
{
	if (!count)
		return;
	html_add(page, "<h3>%s: %zu</h3>\n<ul class=\"matters\">\n", headline, count);
	add_part(page, part, "");
	html_add(page, "</ul>\n<p class=\"more\">All of it: <code>%s</code></p>\n", more);
}

static void add_errors(struct report *r, struct html *page)
{
	size_t i, mark, before = page->len;

	if (!r->nr_unreadable)
		return;
	html_add(
		page,
		"<details class=\"matters\"><summary>Records that could not be read: %zu</summary>\n<ul>\n",
		r->nr_unreadable);
	for (i = 0; i < r->errors.count && page->len - before < r->limit / 20; i++) {
		mark = page->len;
		html_add(page, "<li>%s</li>\n", r->errors.items[i]);
		html_keep(page, mark);
	}
	html_add(page, "</ul></details>\n");
	add_cut(page, r->nr_unreadable - i, "messages", "otst -l; otst -t; otst -a; otst -T");
}

static const char ranks[] =
	"<details><summary>What the ranks mean</summary>\n<ul>\n"
	"<li><b>A</b> the failing instruction is in code that a hook brought</li>\n"
	"<li><b>B</b> the failing function is hooked, or the bad pointer leads into a hook's memory</li>\n"
	"<li><b>C</b> a hook's code is further up the same stack</li>\n"
	"<li><b>D</b> a stuck task waits for one that is inside a hook</li>\n"
	"<li><b>E</b> something was captured on the cpu that failed, in the last second</li>\n"
	"<li><b>F</b> hooks exist, and none of this holds</li>\n"
	"</ul></details>\n";

static void add_matters(struct report *r, struct html *page)
{
	add_part(page, &r->parts[PART_VERDICT], "There is no verdict.");
	html_append(page, ranks, sizeof(ranks) - 1);
	if (r->parts[PART_STACKS].len) {
		html_add(page, "<h3>Stacks that matter, with what hooks each function</h3>\n");
		add_part(page, &r->parts[PART_STACKS], "");
		add_cut(page, r->parts[PART_STACKS].left_out, "stacks", "otst -b");
	}
	add_list(page, "Hooks that nobody declared", r->nr_undeclared, &r->parts[PART_UNDECLARED],
		 "otst -a");
	add_list(page, "Findings in text and records", r->nr_findings, &r->parts[PART_FINDINGS],
		 "otst -a");
	add_list(page, "Probes whose text disagrees", r->nr_disagree, &r->parts[PART_DISAGREE],
		 "otst -l");
	add_list(page, "Tasks inside a handler", r->nr_inside, &r->parts[PART_INSIDE],
		 "otst -t -s task");
	add_errors(r, page);
	if (r->nr_gaps) {
		html_add(page, "<h3>Not looked at: %zu</h3>\n<ul class=\"gaps\">\n", r->nr_gaps);
		add_part(page, &r->parts[PART_GAPS], "");
		html_add(page, "</ul>\n");
		add_cut(page, r->parts[PART_GAPS].left_out, "lines", "otst -i -v");
	}
	html_add(page, "<ul class=\"none\">\n");
	if (!r->nr_findings && !r->nr_undeclared)
		html_add(page, "<li>Audit of text and records: nothing found.</li>\n");
	if (!r->nr_disagree)
		html_add(page, "<li>No probe whose text disagrees with its record.</li>\n");
	if (!r->nr_inside)
		html_add(page, "<li>No task inside a handler.</li>\n");
	if (!r->nr_unreadable)
		html_add(page, "<li>Every record was read.</li>\n");
	if (r->nr_uncompared)
		html_add(page,
			 "<li>Not compared by the audit, for want of a file: %zu "
			 "(<code>otst -a -v</code> tells which).</li>\n",
			 r->nr_uncompared);
	else if (!r->nr_gaps)
		html_add(page, "<li>Everything was looked at.</li>\n");
	html_add(page, "</ul>\n");
}

static void add_captures(struct report *r, struct html *page, bool of_log)
{
	size_t i, count = 0;

	if (!of_log)
		add_cut(page, r->first, "captures, the oldest", "otst -t");
	for (i = r->first; i < r->nr_captures; i++) {
		if (r->captures[i].of_log != of_log)
			continue;
		html_append(page, r->captures[i].html, strlen(r->captures[i].html));
		count++;
	}
	if (!count)
		html_add(page, "<p>None.</p>\n");
}

static void add_data(struct report *r, struct html *page)
{
	size_t i;

	html_add(page, "[");
	for (i = r->first; i < r->nr_captures; i++) {
		html_add(page, i > r->first ? ",\n" : "\n");
		html_append(page, r->captures[i].data, strlen(r->captures[i].data));
	}
	html_add(page, "]");
}

/* {{name}} of a file that is compiled in */
static bool add_file(struct html *page, const char *name)
{
	static const struct {
		const char *name;
		const char *text;
	} files[] = { { "style", report_style_css },
		      { "style_hash", report_style_hash },
		      { "script", report_script_js },
		      { "script_hash", report_script_hash } };

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (!strcmp(name, files[i].name)) {
			html_append(page, files[i].text, strlen(files[i].text));
			return true;
		}
	}
	return false;
}

/* {{name}} of a part, and {{name_cut}} outside of its table: how much of it had no room */
static bool add_named_part(struct report *r, struct html *page, const char *name)
{
	static const struct {
		const char *name;
		enum part part;
		const char *none;
		const char *cut;
		const char *command;
	} parts[] = { { "kernel", PART_KERNEL, "", NULL, NULL },
		      { "kinds", PART_KINDS, "", NULL, NULL },
		      { "owners", PART_OWNERS, "", "owners", "otst -i -v" },
		      { "probes", PART_PROBES, "", "probes", "otst -l" },
		      { "screens", PART_SCREENS, "None.", "functions", "otst -w FUNCTION" },
		      { "trace", PART_TRACE, "No entries.", NULL, NULL },
		      { "tracers", PART_TRACERS, "", "trace arrays", "otst -T" },
		      { "texts", PART_TEXTS, "", NULL, NULL } };

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		size_t len = strlen(parts[i].name);

		if (!strcmp(name, parts[i].name)) {
			add_part(page, &r->parts[parts[i].part], parts[i].none);
			return true;
		}
		if (parts[i].cut && !strncmp(name, parts[i].name, len) &&
		    !strcmp(name + len, "_cut")) {
			add_cut(page, r->parts[parts[i].part].left_out, parts[i].cut,
				parts[i].command);
			return true;
		}
	}
	return false;
}

/* one {{name}}; false for an unknown name */
static bool add_place(struct report *r, struct html *page, const char *name)
{
	if (add_file(page, name) || add_named_part(r, page, name))
		return true;
	if (!strcmp(name, "crash") && !*r->crash)
		return true;
	if (!strcmp(name, "crash"))
		html_add(page, " data-crash=\"%s\"", r->crash);
	else if (!strcmp(name, "title"))
		html_add(page, "%s", r->title);
	else if (!strcmp(name, "version"))
		html_add(page, "%s", otst_version());
	else if (!strcmp(name, "matters"))
		add_matters(r, page);
	else if (!strcmp(name, "captures") || !strcmp(name, "log"))
		add_captures(r, page, *name == 'l');
	else if (!strcmp(name, "data"))
		add_data(r, page);
	else
		return false;
	return true;
}

void report_page(struct report *r, struct html *page)
{
	const char *at = report_page_html, *open, *close;
	char name[32];

	while ((open = strstr(at, "{{")) && (close = strstr(open, "}}")) &&
	       (size_t)(close - open - 2) < sizeof(name)) {
		html_append(page, at, (size_t)(open - at));
		memcpy(name, open + 2, (size_t)(close - open - 2));
		name[close - open - 2] = '\0';
		page->broken |= !add_place(r, page, name);
		at = close + 2;
	}
	html_append(page, at, strlen(at));
}
