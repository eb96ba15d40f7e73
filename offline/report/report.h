/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * report.h - what the files of the report share: otst --report and --bundle.
 *
 * The report belongs to the front end: it runs the engine's commands, reads the -j
 * records, and writes one HTML page with style.css and script.js in it.
 */
#ifndef OTST_REPORT_H
#define OTST_REPORT_H

#include "../../src/otst.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- json.c: records ---- */

/**
 * struct json - a value of a record
 * @kind: one of { [ " 0 t f n
 * @key: its name in an object
 * @text: strings, decoded; numbers, as they are written
 * @child: first member of an object or array
 */
struct json {
	char kind;
	const char *key;
	const char *text;
	struct json *child;
	struct json *next;
};

/** json_parse() - parse one record; free() the result. NULL when not JSON or out of memory */
struct json *json_parse(const char *text);

/** json_get() - the member "owner.name" of an object, NULL when there is none */
const struct json *json_get(const struct json *j, const char *path);

/** json_text() - its string or number, NULL for everything else */
const char *json_text(const struct json *j, const char *path);

/** json_number() - its number, else 0 */
long long json_number(const struct json *j, const char *path);

/** json_is() - is the member this string */
bool json_is(const struct json *j, const char *path, const char *text);

/** json_true() - is the member true */
bool json_true(const struct json *j, const char *path);

/* ---- html.c: the page; strings are escaped only here ---- */

/**
 * struct html - a piece of the page
 * @limit: how many bytes it may have; 0: no limit
 * @left_out: rows that had no room
 * @broken: out of memory
 */
struct html {
	char *text;
	size_t len;
	size_t size;
	size_t limit;
	size_t left_out;
	bool broken;
};

/**
 * html_add() - markup with values
 *
 * Knows %s, %zu and %lld. Strings are escaped: characters with a meaning in markup become
 * entities; control characters, bytes that are not UTF-8 and characters that change the
 * direction or the order of text become "\x1b", "\u202e".
 */
void html_add(struct html *h, const char *markup, ...) __attribute__((format(printf, 2, 3)));

/**
 * html_fill() - markup with members of a record
 *
 * "{name}" is the member's string or number, escaped; "-" when it has none. "{name?markup}" is left out then.
 */
void html_fill(struct html *h, const struct json *j, const char *markup);

/** html_text() - @len bytes of text, escaped */
void html_text(struct html *h, const char *text, size_t len);

/** html_json() - a JSON string with its quotes, safe inside a script element */
void html_json(struct html *h, const char *text);

/** html_append() - append text that is already HTML */
void html_append(struct html *h, const char *text, size_t len);

/** html_symbol() - "do_nanosleep+0xd [mod]" from an object with symbol, offset, module */
void html_symbol(struct html *h, const struct json *j);

/** html_keep() - keep what was added since @mark if it is within the limit, else drop it */
bool html_keep(struct html *h, size_t mark);

/* ---- list.c ---- */

struct list {
	char **items;
	size_t count;
	size_t bytes;
};

/** list_add() - add a copy of @text; false when out of memory */
bool list_add(struct list *l, const char *text);

/** list_find() - the index in the list; its count when it is not there */
size_t list_find(const struct list *l, const char *text);

/** list_free() - free the strings and what holds them */
void list_free(struct list *l);

/* ---- the page in the making ---- */

/** enum part - the parts that page.html has places for */
enum part {
	PART_VERDICT,
	PART_STACKS,
	PART_FINDINGS,
	PART_UNDECLARED,
	PART_DISAGREE,
	PART_INSIDE,
	PART_GAPS,
	PART_KERNEL,
	PART_KINDS,
	PART_OWNERS,
	PART_PROBES,
	PART_SCREENS,
	PART_TRACE,
	PART_TRACERS,
	PART_TEXTS,
	PARTS,
};

/** struct capture - a captured stack: its HTML, and the data that script.js gets */
struct capture {
	char *html;
	char *data;
	bool of_log;
};

/** struct screen - one object of -w: its index in &report.names, and how its text begins */
struct screen {
	size_t name;
	char head[64];
};

/**
 * struct report - the page in the making
 * @command: the command whose records come now
 * @probes: records of -l, as many as may fit
 * @names: functions and targets of the probes, each once; @has_screen: -w knows it
 * @hooked: "0xffffffff82200000 vfs_read": an ftrace_ops and a function that it hooks; @hooked_cut:
 *	there are more than the page has room for
 * @arrays: names of trace arrays; "" is the top one
 * @errors: what could not be read, each message once
 * @captures: the newest captures; those before @first had no room
 * @room: how many bytes the captures may have
 * @crash: when the kernel died, in ns of the local clock; "" when that is not known
 */
struct report {
	char command;
	size_t limit;
	struct html parts[PARTS];
	struct list probes;
	struct list names;
	struct list hooked;
	bool hooked_cut;
	struct list arrays;
	struct list errors;
	bool *has_screen;
	struct screen *screens;
	size_t nr_screens;
	struct capture *captures;
	size_t nr_captures, first, room, used;
	size_t nr_probes, nr_disagree, nr_unreadable, nr_inside, nr_findings, nr_undeclared,
		nr_gaps, nr_uncompared;
	char title[256];
	char crash[32];
	bool broken;
};

/* lines of each list in the first section; the command beside it shows all */
#define REPORT_LINES 20

/* ---- records.c ---- */

/** report_record() - take a record of any command; an &otst_records.record */
int report_record(void *priv, const char *type, const char *json, size_t len);

/**
 * report_text() - text of the command @command, under a headline that opens it
 * @room: how many bytes it may have; the rest is cut
 * @newest: keep the end of the text, not its start
 */
void report_text(struct html *h, const char *headline, const char *command, const char *text,
		 size_t room, bool newest);

/** report_gap() - note what could not be looked at, or a command that failed */
void report_gap(struct report *r, const char *what, const char *why, const char *help);

/** report_error() - note what could not be read; once, however often it is said */
void report_error(struct report *r, const char *where, const char *message);

/** report_close() - free everything */
void report_close(struct report *r);

/* ---- probes.c ---- */

/** report_take_probe() - a record of -l; @json: the same as text, which is kept */
void report_take_probe(struct report *r, const struct json *j, const char *json);

/** report_take_function() - a function of -f and those that hook it: words for the filter of probes */
void report_take_function(struct report *r, const struct json *j);

/** report_take_where() - a record of -w: the text of this function comes next */
void report_take_where(struct report *r, const struct json *j);

/** report_screens() - split the text of -w by function; its records come first */
void report_screens(struct report *r, const char *text);

/** report_probes() - make the table, once the screens are there */
void report_probes(struct report *r);

/* ---- captures.c ---- */

/** report_take_trace() - a record of -t */
void report_take_trace(struct report *r, const struct json *j);

/* ---- findings.c ---- */

/** report_take_verdict() - the record that -b begins with */
void report_take_verdict(struct report *r, const struct json *j);

/** report_take_stack() - one stack of -b, each frame with what hooks its function */
void report_take_stack(struct report *r, const struct json *j);

/** report_take_finding() - a difference that -a does not explain */
void report_take_finding(struct report *r, const struct json *j);

/* ---- page.c ---- */

/** report_page() - the whole page */
void report_page(struct report *r, struct html *page);

/* ---- files that are compiled in, see embed ---- */

extern const char report_page_html[], report_style_css[], report_script_js[];
extern const char report_style_hash[], report_script_hash[];

/* ---- report.c ---- */

/**
 * struct report_request - what the command line asks for
 * @file: path of the page, or NULL; see report_is_stdout()
 * @bundle: directory for the commands' text and JSON, or NULL
 * @limit: bytes of the page
 * @options: @nr_options words for every command: --modules DIR, --force
 */
struct report_request {
	const char *file;
	const char *bundle;
	size_t limit;
	const char *const *options;
	int nr_options;
};

#define REPORT_LIMIT ((size_t)5 << 20)
#define REPORT_LEAST ((size_t)256 << 10)

/** report_is_stdout() - does a page go to standard output: "-", or what that is, unless it is a file */
bool report_is_stdout(const char *path);

/** report_make() - write the files; complains itself. Return: enum otst_exit */
int report_make(struct otst *o, const struct report_request *request,
		const volatile sig_atomic_t *interrupted);

#endif /* OTST_REPORT_H */
