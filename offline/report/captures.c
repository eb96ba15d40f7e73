// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * captures.c - captured stacks to blocks, and to the data that script.js draws.
 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* false for kernel clocks that do not count nanoseconds */
static bool counts_ns(const char *clock)
{
	return clock && strcmp(clock, "counter") != 0 && strcmp(clock, "x86-tsc") != 0;
}

static void add_capture_head(struct html *h, const struct json *j)
{
	const char *clock = json_text(j, "clock"), *time = json_text(j, "time");
	char text[48];

	if (time && counts_ns(clock))
		snprintf(text, sizeof(text), "%lld.%06lld", json_number(j, "time") / 1000000000,
			 json_number(j, "time") / 1000 % 1000000);
	else
		snprintf(text, sizeof(text), "%s", time ? time : "no time");
	html_fill(h, j, "<b>{source}</b> [{time_text?{time_text}}");
	if (!json_text(j, "time_text"))
		html_add(h, "%s", text);
	html_fill(h, j, "]{cpu? cpu {cpu}}");
	html_fill(h, j, json_text(j, "pid") ? " PID {pid} {comm}" : " {where}");
	html_fill(h, j, "{probe?, probe {probe}}{handler? by {handler}}");
	if (json_number(j, "count") > 1)
		html_add(h, ", %lld times", json_number(j, "count"));
}

static void add_stack(struct html *h, const struct json *j)
{
	const struct json *f = json_get(j, "frames"), *reliable;

	html_fill(h, j, "<pre>{headline?{headline}\n}");
	for (f = f ? f->child : NULL; f; f = f->next) {
		reliable = json_get(f, "reliable");
		html_add(h, "%s%s\n", reliable && reliable->kind == 'f' ? "? " : "",
			 json_text(f, "text"));
	}
	html_fill(h, j, "{error?!! {error}\n}</pre>");
}

static void note_inside(struct report *r, const struct json *j)
{
	struct html *h = &r->parts[PART_INSIDE];

	if (r->nr_inside++ >= REPORT_LINES)
		return;
	html_fill(h, j, "<li><details><summary>PID {pid} {comm}: {headline}</summary>");
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

void report_take_trace(struct report *r, const struct json *j)
{
	struct html h = { 0 }, data = { 0 };
	struct capture *grown;

	html_add(&h, "<details class=\"capture\" id=\"c%zu\"><summary>", r->nr_captures);
	add_capture_head(&h, j);
	html_add(&h, "</summary>");
	add_stack(&h, j);
	html_add(&h, "</details>\n");
	if (json_text(j, "error"))
		report_error(r, json_text(j, "where"), json_text(j, "error"));
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
