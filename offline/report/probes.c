// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * probes.c - probes to rows of their table, and the text of -w to a block for each function.
 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 500 /* functions whose -w is shown */
#define LAID_OUT   1000

static const char *probe_name(const struct json *j)
{
	const char *symbol = json_text(j, "symbol");

	return symbol ? symbol : json_text(j, "target");
}

static void add_probed(struct html *h, const struct json *j)
{
	if (json_text(j, "symbol"))
		html_symbol(h, j);
	else
		html_add(h, "%s",
			 probe_name(j)		      ? probe_name(j) :
			 json_text(j, "facts.member") ? json_text(j, "place") :
							NULL);
}

/* operands of -w: no patterns, no options */
static bool is_operand(const char *name)
{
	return *name && !strpbrk(name, "*?[");
}

static void note_disagreement(struct report *r, const struct json *j)
{
	struct html *h = &r->parts[PART_DISAGREE];

	if (r->nr_disagree++ >= REPORT_LINES)
		return;
	html_add(h, "<li><a href=\"#p%zu\">%s on ", r->nr_probes, json_text(j, "kind"));
	add_probed(h, j);
	html_fill(h, j, "</a>: {disagree}</li>\n");
}
void report_take_probe(struct report *r, const struct json *j, const char *json)
{
	const char *name = probe_name(j);

	if (json_text(j, "disagree"))
		note_disagreement(r, j);
	if (json_text(j, "error"))
		report_error(r, json_text(j, "place"), json_text(j, "error"));
	r->nr_probes++;
	/* a row is about half the size of its record */
	if (r->probes.bytes > r->limit) {
		r->parts[PART_PROBES].left_out++;
		return;
	}
	r->broken |= !list_add(&r->probes, json);
	/* of many functions there is only a number */
	if (name && is_operand(name) && (json_text(j, "symbol") || !json_is(j, "kind", "ftrace")) &&
	    r->names.count < MOST_NAMES && list_find(&r->names, name) == r->names.count)
		r->broken |= !list_add(&r->names, name);
}

static void add_state(struct html *h, const struct json *j)
{
	html_fill(h, j, "<td>{claimed}");
	if (json_is(j, "claimed", "armed") && !json_is(j, "via", "none"))
		html_fill(h, j, " {via}");
	html_fill(h, j,
		  "{queue? ({queue})}{error?<div class=\"why\">{error}</div>}</td>"
		  "<td>{observed}{disagree? !<div class=\"why\">{disagree}</div>}</td>");
}

static void add_owner(struct html *h, const struct json *owner)
{
	html_fill(h, owner,
		  json_text(owner, "event_type") ? "<td>{kind} {event_type}:{name}" :
						   "<td>{kind}{name? {name}}");
	html_fill(h, owner, "{script? ({script})}");
	if (json_is(owner, "kind", "nobody"))
		html_fill(h, owner, " !<div class=\"why\">{reason}</div>");
	if (json_true(owner, "hidden"))
		html_add(h, " !<div class=\"why\">hides: it is not on the list of modules</div>");
	html_add(h, "</td>");
}

static void add_handlers(struct html *h, const struct json *handlers)
{
	const struct json *m;

	html_add(h, "<td>");
	for (m = handlers ? handlers->child : NULL; m; m = m->next) {
		html_add(h, "<span>%s=", m->key);
		html_symbol(h, m);
		html_add(h, "</span> ");
	}
	html_add(h, "</td>");
}

/* a function and those that hook it: what the filter finds in a row that only has their number */
void report_take_function(struct report *r, const struct json *j)
{
	const struct json *ops = json_get(j, "ops");
	const char *name = json_text(j, "symbol");
	char *text;

	for (ops = ops ? ops->child : NULL; ops && name; ops = ops->next) {
		r->hooked_cut |= r->hooked.bytes > r->limit / 8;
		if (r->hooked_cut)
			return;
		if (asprintf(&text, "%s %s", ops->text ? ops->text : "?", name) < 0) {
			r->broken = true;
			return;
		}
		r->broken |= !list_add(&r->hooked, text);
		free(text);
	}
}

/* for script.js: words that the row has without showing them; data-cut if there may be more */
static void add_hooked(struct report *r, const struct json *j)
{
	struct html *h = &r->parts[PART_PROBES];
	const char *record = json_text(j, "record");
	size_t len = record ? strlen(record) : 0, i;

	if (!len || json_text(j, "symbol") || !json_is(j, "kind", "ftrace"))
		return;
	html_add(h, "%s data-more=\"", r->hooked_cut ? " data-cut" : "");
	for (i = 0; i < r->hooked.count; i++) {
		const char *item = r->hooked.items[i];

		if (!strncmp(item, record, len) && item[len] == ' ')
			html_add(h, "%s", item + len);
	}
	html_add(h, "\"");
}

static void add_probe(struct report *r, size_t number, const struct json *j)
{
	struct html *h = &r->parts[PART_PROBES];
	const char *name = probe_name(j), *address = json_text(j, "address");
	size_t mark = h->len, at = name ? list_find(&r->names, name) : r->names.count;

	html_add(h, "<tr id=\"p%zu\"", number);
	if (json_text(j, "disagree") || json_text(j, "error") ||
	    json_is(json_get(j, "owner"), "kind", "nobody") ||
	    json_true(json_get(j, "owner"), "hidden"))
		html_add(h, " class=\"bad\"");
	else if (!json_is(j, "claimed", "armed"))
		html_add(h, " class=\"off\"");
	add_hooked(r, j);
	html_add(h, "><td>%s</td><td>%s</td><td>", json_text(j, "kind"),
		 address && !strncmp(address, "0x", 2) ? address + 2 : address);
	if (at < r->names.count && r->has_screen[at])
		html_add(h, "<a class=\"screen\" href=\"#w%zu\">", at);
	add_probed(h, j);
	if (at < r->names.count && r->has_screen[at])
		html_add(h, "</a>");
	html_add(h, "</td>");
	add_state(h, j);
	html_fill(h, j, "<td class=\"n\">{nmissed}</td><td class=\"n\">{hits}</td>");
	add_owner(h, json_get(j, "owner"));
	add_handlers(h, json_get(j, "handlers"));
	html_add(h, "</tr>\n");
	html_keep(h, mark);
}

void report_probes(struct report *r)
{
	size_t i;

	for (i = 0; i < r->probes.count; i++) {
		struct json *j = json_parse(r->probes.items[i]);

		/* laying out tens of thousands of rows takes a browser half a minute: script.js shows them */
		if (i == LAID_OUT)
			html_add(&r->parts[PART_PROBES], "</tbody><tbody class=\"rest\" hidden>\n");

		if (j)
			add_probe(r, i, j);
		r->broken |= !j;
		free(j);
	}
}

/* ---- functions ---- */

void report_take_where(struct report *r, const struct json *j)
{
	const char *operand = json_text(j, "operand"), *address = json_text(j, "address");
	struct screen *s, *grown;

	if (json_text(j, "none") || !operand)
		return;
	grown = realloc(r->screens, (r->nr_screens + 1) * sizeof(*grown));
	if (!grown) {
		r->broken = true;
		return;
	}
	r->screens = grown;
	s = &grown[r->nr_screens++];
	s->name = list_find(&r->names, operand);
	/* "vfs_read at ffffffff81000000, 100 bytes", or the target alone */
	if (address)
		snprintf(s->head, sizeof(s->head), " at %016llx, ", strtoull(address, NULL, 16));
	else
		snprintf(s->head, sizeof(s->head), "%s", operand);
}

/* the line at or after @text where the screen begins */
static const char *find_screen(const char *text, const struct screen *s)
{
	const char *line, *end, *at;

	for (line = text; line; line = end ? end + 1 : NULL) {
		end = strchr(line, '\n');
		at = strstr(line, s->head);
		if (!at || !end)
			return NULL;
		if (at < end && (*s->head == ' ' ? *line != ' ' : at == line))
			return line;
	}
	return NULL;
}

void report_screens(struct report *r, const char *text)
{
	struct html *h = &r->parts[PART_SCREENS];
	const char *from = text, *to;
	size_t i, mark;

	for (i = 0; i < r->nr_screens; i++) {
		const struct screen *s = &r->screens[i], *next = s + 1;

		from = from ? find_screen(from, s) : NULL;
		if (!from)
			break;
		to = i + 1 < r->nr_screens ? find_screen(strchr(from, '\n') + 1, next) : NULL;
		/* the last line holds the count of all */
		to = to ? to : from + strlen(from);
		mark = h->len;
		if (s->name < r->names.count) {
			html_add(h, "<details><summary>%s</summary><pre", r->names.items[s->name]);
			if (!r->has_screen[s->name])
				html_add(h, " id=\"w%zu\"", s->name);
			html_add(h, ">");
			html_text(h, from, (size_t)(to - from));
			html_add(h, "</pre></details>\n");
			if (html_keep(h, mark))
				r->has_screen[s->name] = true;
		}
		from = to;
	}
	h->left_out += r->nr_screens - i;
}
