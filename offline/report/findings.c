// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * findings.c - what matters: the verdict, the stacks that it is about, and findings of the audit.
 */
#include "report.h"

#include <stdio.h>
#include <string.h>

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
		html_fill(h, e, same ? "<b>{rank}</b> as above" : "<b>{rank}</b> {text}");
		html_fill(h, e,
			  "{owner?; owner: {owner}} <code class=\"more\">{command}</code></li>\n");
		any = true;
	}
	if (any)
		html_add(h, "</ul>\n");
}

void report_take_verdict(struct report *r, const struct json *j)
{
	struct html *h = &r->parts[PART_VERDICT];

	html_add(h, "<p class=\"verdict\">");
	html_fill(h, j, json_text(j, "rank") ? "<b>Rank {rank}</b>" : "<b>No rank</b>");
	html_fill(h, j, " {verdict}</p>\n<p>{end}: {line}</p>\n");
	add_evidence(h, j);
	html_fill(h, j, "{signature?<p>Signature {signature_hash}: {signature}</p>\n}");
	if (json_text(j, "time"))
		snprintf(r->crash, sizeof(r->crash), "%s", json_text(j, "time"));
}

static void add_hook(struct html *h, const struct json *hook)
{
	html_fill(h, hook, "<li>{stage} {kind}, {owner.kind}{owner.name? {owner.name}}");
	if (json_get(hook, "handler.address")) {
		html_add(h, ": ");
		html_symbol(h, json_get(hook, "handler"));
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
void report_take_stack(struct report *r, const struct json *j)
{
	struct html *h = &r->parts[PART_STACKS];
	const struct json *f = json_get(j, "frames"), *hook;
	size_t mark = h->len;

	html_add(h,
		 json_is(j, "reason", "running") && !runs_hook(f) ? "<details>" : "<details open>");
	html_fill(h, j,
		  "<summary>{reason}: {comm}, PID {pid}, cpu {cpu}</summary>\n<ol start=\"0\">\n");
	for (f = f ? f->child : NULL; f; f = f->next) {
		html_add(h, json_true(f, "failing") ? "<li class=\"failing\">" : "<li>");
		html_add(h, json_true(f, "reliable") ? "" : "? ");
		html_symbol(h, f);
		html_fill(h, f, "{what? <span class=\"what\">({what})</span>}");
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

void report_take_finding(struct report *r, const struct json *j)
{
	bool undeclared = is_undeclared(j);
	struct html *h = &r->parts[undeclared ? PART_UNDECLARED : PART_FINDINGS];

	if ((undeclared ? r->nr_undeclared++ : r->nr_findings++) >= REPORT_LINES)
		return;
	html_add(h, "<li>");
	if (json_get(j, "place.address")) {
		html_symbol(h, json_get(j, "place"));
		html_add(h, ": ");
	}
	html_fill(h, j, "{message}");
	add_bytes(h, j);
	html_add(h, "</li>\n");
}
