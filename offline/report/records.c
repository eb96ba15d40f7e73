// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * records.c - turns the engine's records into rows of the page's tables and into
 * collapsible blocks.
 */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES  500	 /* functions whose -w is shown */
#define MOST_ERRORS 1000 /* error messages that are compared and shown */
#define LAID_OUT    1000
#define MOST_LINES  20 /* per kind in the first section; the kind's table has all */

/* add a copy of @text; false when out of memory */
static bool list_add(struct list *l, const char *text)
{
	char **grown;

	if (!(l->count & (l->count - 1))) {
		grown = realloc(l->items, (l->count ? 2 * l->count : 1) * sizeof(*grown));
		if (!grown)
			return false;
		l->items = grown;
	}
	l->items[l->count] = strdup(text);
	if (!l->items[l->count])
		return false;
	l->count++;
	l->bytes += strlen(text);
	return true;
}

static void list_free(struct list *l)
{
	while (l->count)
		free(l->items[--l->count]);
	free(l->items);
}

/* the index in the list; @l->count when it is not there */
static size_t list_find(const struct list *l, const char *text)
{
	size_t i;

	for (i = 0; i < l->count && strcmp(l->items[i], text) != 0; i++)
		;
	return i;
}

/* "do_nanosleep+0xd [mod]" from an object with symbol, offset, module */
static void add_symbol(struct html *h, const struct json *j)
{
	const char *symbol = json_text(j, "symbol"), *module = json_text(j, "module");
	char offset[32] = "";

	if (json_number(j, "offset"))
		snprintf(offset, sizeof(offset), "+0x%llx", json_number(j, "offset"));
	html_add(h, "%s%s", symbol ? symbol : json_text(j, "address"), symbol ? offset : "");
	if (module)
		html_add(h, " [%s]", module);
}

/* ---- probes ---- */

static const char *probe_name(const struct json *j)
{
	const char *symbol = json_text(j, "symbol");

	return symbol ? symbol : json_text(j, "target");
}

static void add_probed(struct html *h, const struct json *j)
{
	if (json_text(j, "symbol"))
		add_symbol(h, j);
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

	if (r->nr_disagree++ >= MOST_LINES)
		return;
	html_add(h, "<li><a href=\"#p%zu\">%s on ", r->nr_probes, json_text(j, "kind"));
	add_probed(h, j);
	html_add(h, "</a>: %s</li>\n", json_text(j, "disagree"));
}

static void note_error(struct report *r, const char *where, const char *message)
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

static void take_probe(struct report *r, const struct json *j, const char *json)
{
	const char *name = probe_name(j);

	if (json_text(j, "disagree"))
		note_disagreement(r, j);
	if (json_text(j, "error"))
		note_error(r, json_text(j, "place"), json_text(j, "error"));
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
	html_add(h, "<td>%s", json_text(j, "claimed"));
	if (json_is(j, "claimed", "armed") && !json_is(j, "via", "none"))
		html_add(h, " %s", json_text(j, "via"));
	if (json_text(j, "queue"))
		html_add(h, " (%s)", json_text(j, "queue"));
	if (json_text(j, "error"))
		html_add(h, "<div class=\"why\">%s</div>", json_text(j, "error"));
	html_add(h, "</td><td>%s", json_text(j, "observed"));
	if (json_text(j, "disagree"))
		html_add(h, " !<div class=\"why\">%s</div>", json_text(j, "disagree"));
	html_add(h, "</td>");
}

static void add_owner(struct html *h, const struct json *owner)
{
	html_add(h, "<td>%s", json_text(owner, "kind"));
	if (json_text(owner, "event_type"))
		html_add(h, " %s:%s", json_text(owner, "event_type"), json_text(owner, "name"));
	else if (json_text(owner, "name"))
		html_add(h, " %s", json_text(owner, "name"));
	if (json_text(owner, "script"))
		html_add(h, " (%s)", json_text(owner, "script"));
	if (json_is(owner, "kind", "nobody"))
		html_add(h, " !<div class=\"why\">%s</div>", json_text(owner, "reason"));
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
		add_symbol(h, m);
		html_add(h, "</span> ");
	}
	html_add(h, "</td>");
}

/* a function and those that hook it: what the filter finds in a row that only has their number */
static void take_function(struct report *r, const struct json *j)
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
	html_add(h, "<td class=\"n\">%s</td><td class=\"n\">%s</td>", json_text(j, "nmissed"),
		 json_text(j, "hits"));
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

static void take_where(struct report *r, const struct json *j)
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

/* ---- captures ---- */

/* false for kernel clocks that do not count nanoseconds */
static bool counts_ns(const char *clock)
{
	return clock && strcmp(clock, "counter") != 0 && strcmp(clock, "x86-tsc") != 0;
}

static void add_capture_head(struct html *h, const struct json *j)
{
	const char *clock = json_text(j, "clock"), *time = json_text(j, "time");
	char text[48];

	html_add(h, "<b>%s</b>", json_text(j, "source"));
	if (json_text(j, "time_text"))
		html_add(h, " [%s]", json_text(j, "time_text"));
	else if (time && counts_ns(clock))
		snprintf(text, sizeof(text), "%lld.%06lld", json_number(j, "time") / 1000000000,
			 json_number(j, "time") / 1000 % 1000000);
	else
		snprintf(text, sizeof(text), "%s", time ? time : "no time");
	if (!json_text(j, "time_text"))
		html_add(h, " [%s]", text);
	if (json_text(j, "cpu"))
		html_add(h, " cpu %s", json_text(j, "cpu"));
	if (json_text(j, "pid"))
		html_add(h, " PID %s %s", json_text(j, "pid"), json_text(j, "comm"));
	else
		html_add(h, " %s", json_text(j, "where"));
	if (json_text(j, "probe"))
		html_add(h, ", probe %s", json_text(j, "probe"));
	if (json_text(j, "handler"))
		html_add(h, " by %s", json_text(j, "handler"));
	if (json_number(j, "count") > 1)
		html_add(h, ", %lld times", json_number(j, "count"));
}

static void add_stack(struct html *h, const struct json *j)
{
	const struct json *f = json_get(j, "frames"), *reliable;

	html_add(h, "<pre>");
	if (json_text(j, "headline"))
		html_add(h, "%s\n", json_text(j, "headline"));
	for (f = f ? f->child : NULL; f; f = f->next) {
		reliable = json_get(f, "reliable");
		html_add(h, "%s%s\n", reliable && reliable->kind == 'f' ? "? " : "",
			 json_text(f, "text"));
	}
	if (json_text(j, "error"))
		html_add(h, "!! %s\n", json_text(j, "error"));
	html_add(h, "</pre>");
}

static void note_inside(struct report *r, const struct json *j)
{
	struct html *h = &r->parts[PART_INSIDE];

	if (r->nr_inside++ >= MOST_LINES)
		return;
	html_add(h, "<li><details><summary>PID %s %s: %s</summary>", json_text(j, "pid"),
		 json_text(j, "comm"), json_text(j, "headline"));
	add_stack(h, j);
	html_add(h, "</details></li>\n");
}

/* what the timeline and the flame graph need; guesses are left out */
static void add_data(struct html *h, size_t number, const struct json *j)
{
	const struct json *frames = json_get(j, "frames"), *f;
	const char *separator = "";

	html_add(h, "{\"i\":%zu,\"s\":", number);
	html_json(h, json_text(j, "source") ? json_text(j, "source") : "?");
	if (json_text(j, "time") && json_text(j, "clock")) {
		html_add(h, ",\"t\":%lld,\"c\":", json_number(j, "time"));
		html_json(h, json_text(j, "clock"));
	}
	if (json_text(j, "cpu"))
		html_add(h, ",\"u\":%lld", json_number(j, "cpu"));
	if (json_true(j, "truncated"))
		html_add(h, ",\"x\":1");
	html_add(h, ",\"n\":%lld,\"f\":[", json_number(j, "count") ? json_number(j, "count") : 1);
	for (f = frames ? frames->child : NULL; f; f = f->next) {
		const char *name = json_text(f, "symbol"), *module = json_text(f, "module");
		char both[768];

		if (!json_is(f, "kind", "frame") || !json_true(f, "reliable"))
			continue;
		snprintf(both, sizeof(both), "%s%s%s%s", name ? name : json_text(f, "text"),
			 name && module ? " [" : "", name && module ? module : "",
			 name && module ? "]" : "");
		html_append(h, separator, strlen(separator));
		html_json(h, both);
		separator = ",";
	}
	html_add(h, "]}");
}

static void drop_oldest(struct report *r)
{
	while (r->used > r->room && r->first < r->nr_captures) {
		struct capture *c = &r->captures[r->first++];

		r->used -= strlen(c->html) + strlen(c->data);
		free(c->html);
		free(c->data);
		*c = (struct capture){ 0 };
	}
}

static void take_trace(struct report *r, const struct json *j)
{
	struct html h = { 0 }, data = { 0 };
	struct capture *grown;

	html_add(&h, "<details class=\"capture\" id=\"c%zu\"><summary>", r->nr_captures);
	add_capture_head(&h, j);
	html_add(&h, "</summary>");
	add_stack(&h, j);
	html_add(&h, "</details>\n");
	if (json_text(j, "error"))
		note_error(r, json_text(j, "where"), json_text(j, "error"));
	if (json_is(j, "source", "task"))
		note_inside(r, j);
	add_data(&data, r->nr_captures, j);
	grown = r->captures;
	if (!(r->nr_captures & (r->nr_captures - 1)))
		grown = realloc(grown, (r->nr_captures ? 2 * r->nr_captures : 1) * sizeof(*grown));
	if (!grown || h.broken || data.broken) {
		free(h.text);
		free(data.text);
		r->broken = true;
		return;
	}
	r->captures = grown;
	grown[r->nr_captures++] =
		(struct capture){ h.text, data.text, json_is(j, "source", "log") };
	r->used += h.len + data.len;
	drop_oldest(r);
}

/* ---- everything else ---- */

/* the evidence besides the sentence itself, and who owns what each is about */
static void add_evidence(struct html *h, const struct json *j)
{
	const struct json *e = json_get(j, "evidence");
	const char *sentence = json_text(j, "verdict");
	bool any = false;

	for (e = e ? e->child : NULL; e; e = e->next) {
		const char *text = json_text(e, "text");
		bool same = text && sentence && !strcmp(text, sentence);

		html_add(h, any ? "<li>" : "<ul class=\"evidence\">\n<li>");
		html_add(h, "<b>%s</b> ", json_text(e, "rank"));
		html_add(h, "%s", same ? "as above" : text);
		if (json_text(e, "owner"))
			html_add(h, "; owner: %s", json_text(e, "owner"));
		html_add(h, " <code class=\"more\">%s</code></li>\n", json_text(e, "command"));
		any = true;
	}
	if (any)
		html_add(h, "</ul>\n");
}

static void take_verdict(struct report *r, const struct json *j)
{
	struct html *h = &r->parts[PART_VERDICT];

	if (json_text(j, "rank"))
		html_add(h, "<p class=\"verdict\"><b>Rank %s</b> ", json_text(j, "rank"));
	else
		html_add(h, "<p class=\"verdict\"><b>No rank</b> ");
	html_add(h, "%s</p>\n<p>%s: %s</p>\n", json_text(j, "verdict"), json_text(j, "end"),
		 json_text(j, "line"));
	add_evidence(h, j);
	if (json_text(j, "signature"))
		html_add(h, "<p>Signature %s: %s</p>\n", json_text(j, "signature_hash"),
			 json_text(j, "signature"));
	if (json_text(j, "time"))
		snprintf(r->crash, sizeof(r->crash), "%s", json_text(j, "time"));
}

static void add_hook(struct html *h, const struct json *hook)
{
	const struct json *owner = json_get(hook, "owner");

	html_add(h, "<li>%s %s, %s", json_text(hook, "stage"), json_text(hook, "kind"),
		 json_text(owner, "kind"));
	if (json_text(owner, "name"))
		html_add(h, " %s", json_text(owner, "name"));
	if (json_get(hook, "handler.address")) {
		html_add(h, ": ");
		add_symbol(h, json_get(hook, "handler"));
	}
	html_add(h, "</li>");
}

/* does a hook's own code run on it */
static bool runs_hook(const struct json *frames)
{
	const struct json *f;

	for (f = frames ? frames->child : NULL; f; f = f->next) {
		if (json_text(f, "role") && !json_is(f, "role", "runs handlers") &&
		    !json_is(f, "role", "module with hooks") && !json_is(f, "role", "trampoline"))
			return true;
	}
	return false;
}

/* the frames of one stack that matters, each with what hooks its function */
static void take_stack(struct report *r, const struct json *j)
{
	struct html *h = &r->parts[PART_STACKS];
	const struct json *f = json_get(j, "frames"), *hook;
	size_t mark = h->len;

	html_add(h, "<details%s><summary>%s: %s, PID %s, cpu %s</summary>\n<ol start=\"0\">\n",
		 json_is(j, "reason", "running") && !runs_hook(f) ? "" : " open",
		 json_text(j, "reason"), json_text(j, "comm"), json_text(j, "pid"),
		 json_text(j, "cpu"));
	for (f = f ? f->child : NULL; f; f = f->next) {
		html_add(h, json_true(f, "failing") ? "<li class=\"failing\">" : "<li>");
		html_add(h, json_true(f, "reliable") ? "" : "? ");
		add_symbol(h, f);
		if (json_text(f, "what"))
			html_add(h, " <span class=\"what\">(%s)</span>", json_text(f, "what"));
		hook = json_get(f, "hooks");
		hook = hook ? hook->child : NULL;
		if (hook)
			html_add(h, "<ul>");
		for (; hook; hook = hook->next)
			add_hook(h, hook);
		if (json_get(f, "hooks") && json_get(f, "hooks")->child)
			html_add(h, "</ul>");
		html_add(h, "</li>\n");
	}
	html_add(h, "</ol></details>\n");
	html_keep(h, mark);
}

static void add_bytes(struct html *h, const struct json *j)
{
	static const char *const rows[] = { "built", "expected", "found" };
	size_t i;

	if (!json_text(j, "found"))
		return;
	html_add(h, "<pre>");
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (json_text(j, rows[i]))
			html_add(h, "%s %s\n", rows[i], json_text(j, rows[i]));
	}
	html_add(h, "</pre>");
}

/* what was hooked without a record of it, or by a module that hides */
static bool is_undeclared(const struct json *j)
{
	return json_is(j, "kind", "pointer") || json_is(j, "kind", "module") ||
	       json_is(j, "kind", "memory") || json_is(j, "kind", "data");
}

static void take_finding(struct report *r, const struct json *j)
{
	bool undeclared = is_undeclared(j);
	struct html *h = &r->parts[undeclared ? PART_UNDECLARED : PART_FINDINGS];

	if ((undeclared ? r->nr_undeclared++ : r->nr_findings++) >= MOST_LINES)
		return;
	html_add(h, "<li>");
	if (json_get(j, "place.address")) {
		add_symbol(h, json_get(j, "place"));
		html_add(h, ": ");
	}
	html_add(h, "%s", json_text(j, "message"));
	add_bytes(h, j);
	html_add(h, "</li>\n");
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

		html_add(h, "<tr><td>%s</td><td>%s</td><td class=\"n\">%s</td></tr>\n",
			 json_text(m, "kind"), json_text(m, "name"), json_text(m, "count"));
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
		note_error(r, name, json_text(j, "error"));
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
		take_probe(r, j, json);
	else if (!strcmp(type, "function"))
		take_function(r, j);
	else if (!strcmp(type, "trace"))
		take_trace(r, j);
	else if (!strcmp(type, "where"))
		take_where(r, j);
	else if (!strcmp(type, "info"))
		take_info(r, j);
	else if (!strcmp(type, "verdict") && r->command == 'b')
		take_verdict(r, j);
	else if (!strcmp(type, "verdict_stack") && r->command == 'b')
		take_stack(r, j);
	else if (!strcmp(type, "finding"))
		take_finding(r, j);
	else if (!strcmp(type, "more_findings"))
		r->nr_findings += (size_t)json_number(j, "count");
	else if (!strcmp(type, "audit") && json_text(j, "not_compared"))
		report_gap(r, "text against text as built", json_text(j, "not_compared"), NULL);
	else if (!strcmp(type, "trace_array"))
		take_array(r, j);
	else if (!strcmp(type, "coverage"))
		take_coverage(r, j);
	else if (!strcmp(type, "error") && !where)
		note_error(r, json_text(j, "where"), json_text(j, "message"));
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
