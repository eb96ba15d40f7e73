// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_stops.c - otst-stops: a command that is cut short leaves nothing behind.
 *
 *	otst-stops [--vmlinux FILE] [--limit N] [--whole] [--threads] [--source SOURCE] DUMP
 *
 * Keeps what each command prints on a fresh engine, then cuts the command short in
 * every way: the user stops it from the n-th question on, on an engine that knows
 * nothing yet and on one that has run commands before; the output is closed at the
 * n-th write; the n-th read fails once; the n-th allocation fails. After each, the
 * command and -i must print on the same engine what they print on fresh ones, byte
 * for byte. A command that was stopped or ran out of memory must say that and nothing
 * else. On a dump that is --whole, a command that was not cut short keeps what it found
 * out. With --threads another thread does work of the engine; without, it is done when
 * the engine waits for it. With --source there is one command, the text of that source;
 * when a read of it fails and lines are missing, it must say so.
 *
 * N places per command and way (default 40, 0 for all of them): the first half
 * one after the other, the rest spread over the whole run.
 *
 * Exit status: 0 all passed, 1 a case failed, 99 broken set-up.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../offline/offline.h"
#include "../../src/base/engine.h"
#include "../fuzz/open_dump.h"
#include "fault_target.h"

#define EXIT_BROKEN 99
#define WORDS	    4

typedef const char *command_words[WORDS + 1];

static const command_words all_commands[] = {
	{ "otst", "-i" },
	{ "otst", "-l", "-v" },
	{ "otst", "-t" },
	{ "otst", "-f" },
	{ "otst", "-T", "-v" },
	{ "otst", "-a" },
	{ "otst", "-b", "-v" },
	{ "otst", "-t", "-s", "ftrace" },
	{ "otst", "-w", "do_nanosleep" },
	{ "otst", "-l", "do_nanoslep" },
};

#define COMMANDS (sizeof(all_commands) / sizeof(*all_commands))
#define LIST	 1 /* the command that reads only records and names */

enum way { STOPPED, STOPPED_LATER, CLOSED, FAILED, NO_MEMORY, WAYS };

static const char *const way_names[WAYS] = { "stopped at question", "stopped later at question",
					     "closed at write", "failed at read",
					     "out of memory at allocation" };

/**
 * struct output - what a command printed
 * @close_at: this write and all after it are refused; 0 for none
 */
struct output {
	char *text;
	size_t len;
	uint64_t writes;
	uint64_t close_at;
};

struct result {
	struct output out;
	struct output err;
	int status;
};

static int keep(void *priv, const char *text, size_t len)
{
	struct output *t = priv;
	char *more;

	t->writes++;
	if (t->close_at && t->writes >= t->close_at)
		return -1;
	more = realloc(t->text, t->len + len + 1);
	if (!more)
		return -1;
	memcpy(more + t->len, text, len);
	t->text = more;
	t->len += len;
	t->text[t->len] = '\0';
	return 0;
}

static void forget(struct result *r)
{
	free(r->out.text);
	free(r->err.text);
	*r = (struct result){ 0 };
}

static void run(struct otst *o, const command_words command, struct result *ret)
{
	struct otst_output out = { .size = sizeof(out), .write = keep, .priv = &ret->out };
	struct otst_output err = { .size = sizeof(err), .write = keep, .priv = &ret->err };
	int words = 0;

	while (command[words])
		words++;
	ret->status = otst_run(o, words, command, &out, &err);
}

static bool same_text(const struct output *a, const struct output *b)
{
	return a->len == b->len && (!a->len || !memcmp(a->text, b->text, a->len));
}

static bool same(const struct result *a, const struct result *b)
{
	return a->status == b->status && same_text(&a->out, &b->out) && same_text(&a->err, &b->err);
}

/* shows people where two texts differ */
static void show(const struct output *fresh, const struct output *again)
{
	size_t at = 0;

	while (at < fresh->len && at < again->len && fresh->text[at] == again->text[at])
		at++;
	while (at && at <= fresh->len && fresh->text[at - 1] != '\n')
		at--;
	fprintf(stderr, "  fresh: %.100s\n  again: %.100s\n",
		at < fresh->len ? fresh->text + at : "", at < again->len ? again->text + at : "");
}

/**
 * struct test - a dump, and what its commands print
 * @commands: @count of them, the first one is -i
 * @lines: missing lines have to be reported
 */
struct test {
	struct fault_target *f;
	struct otst *o;
	const command_words *commands;
	size_t count;
	bool lines;
	struct result fresh[COMMANDS];
	uint64_t places[COMMANDS][WAYS]; /* how many a clean run has */
	uint64_t cases;
	int failed;
};

static void report_failure(struct test *t, size_t command, enum way way, uint64_t n,
			   const char *what)
{
	fprintf(stderr, "otst-stops: %s %s, %s %" PRIu64 ": %s\n", t->commands[command][1],
		t->commands[command][2] ? t->commands[command][2] : "", way_names[way], n, what);
	t->failed++;
}

static void run_again(struct test *t, size_t command, size_t next, enum way way, uint64_t n)
{
	struct result r = { 0 };

	fault_target_reset(t->f);
	run(t->o, t->commands[next], &r);
	if (!same(&r, &t->fresh[next])) {
		report_failure(t, command, way, n,
			       next == command ? "then prints something else" :
						 "then -i prints something else");
		show(&t->fresh[next].out, &r.out);
		show(&t->fresh[next].err, &r.err);
	}
	forget(&r);
}

/* a command that ends before the user stops it counts as a whole run */
static void judge_stop(struct test *t, size_t command, enum way way, uint64_t n,
		       const struct result *r)
{
	const char *message = way == NO_MEMORY ? "otst: out of memory\n" : "otst: interrupted\n";
	const struct result *fresh = &t->fresh[command];

	if ((way == NO_MEMORY ? t->o->allocations : t->f->questions) < n) {
		if (!same(r, fresh))
			report_failure(t, command, way, n, "ends, and prints something else");
		return;
	}
	if (r->status != OTST_EXIT_FAILED || !r->err.text || strcmp(r->err.text, message) != 0)
		report_failure(t, command, way, n, "does not say what ended it");
	if (r->out.len && (r->out.len > fresh->out.len ||
			   memcmp(r->out.text, fresh->out.text, r->out.len) != 0)) {
		report_failure(t, command, way, n, "prints what a whole run does not");
		show(&fresh->out, &r->out);
	}
}

static size_t count_lines(const struct output *t)
{
	size_t n = 0;
	const char *at;

	for (at = t->text; at && (at = strchr(at, '\n')); at++)
		n++;
	return n;
}

static void judge_fault(struct test *t, size_t command, uint64_t n, const struct result *r)
{
	const struct result *fresh = &t->fresh[command];

	if (r->status == fresh->status && same_text(&r->err, &fresh->err) &&
	    count_lines(&r->out) < count_lines(&fresh->out))
		report_failure(t, command, FAILED, n, "loses lines and says nothing");
}

static void reopen(struct test *t)
{
	otst_close(t->o);
	if (fault_target_open(t->f, &t->o))
		exit(EXIT_BROKEN);
}

static void cut_short(struct test *t, size_t command, enum way way, uint64_t n)
{
	struct result r = { 0 };

	t->cases++;
	fault_target_reset(t->f);
	if (way == STOPPED || way == NO_MEMORY)
		reopen(t);
	t->f->stop_at = way == STOPPED || way == STOPPED_LATER ? n : 0;
	t->f->fail_at = way == FAILED ? n : 0;
	r.out.close_at = way == CLOSED ? n : 0;
	t->o->fail_allocation = way == NO_MEMORY ? n : 0;
	run(t->o, t->commands[command], &r);
	if (t->f->stop_at || way == NO_MEMORY)
		judge_stop(t, command, way, n, &r);
	if (way == FAILED && t->lines)
		judge_fault(t, command, n, &r);
	forget(&r);
	run_again(t, command, command, way, n);
	if (command)
		run_again(t, command, 0, way, n);
}

static int take_fresh(struct test *t, size_t command)
{
	struct result *r = &t->fresh[command];
	struct otst *o;

	fault_target_reset(t->f);
	if (fault_target_open(t->f, &o))
		return -1;
	run(o, t->commands[command], r);
	t->places[command][NO_MEMORY] = o->allocations;
	otst_close(o);
	t->places[command][STOPPED] = t->f->questions;
	t->places[command][STOPPED_LATER] = t->f->questions;
	t->places[command][CLOSED] = r->out.writes;
	t->places[command][FAILED] = t->f->reads;
	return 0;
}

static void run_ways(struct test *t, size_t command, uint64_t limit)
{
	uint64_t n, places, step;
	int way;

	for (way = 0; way < WAYS; way++) {
		places = t->places[command][way];
		step = limit && places > limit ? places / (limit / 2 + 1) + 1 : 1;
		for (n = 1; n <= places; n += n < limit / 2 ? 1 : step)
			cut_short(t, command, (enum way)way, n);
	}
}

/* the second run reads the records alone, /proc's among them: less than three fifths of the first one's */
static void run_twice(struct test *t)
{
	uint64_t first;
	int i;

	for (i = 0; i < 2; i++) {
		struct result r = { 0 };

		first = t->f->reads;
		fault_target_reset(t->f);
		if (!i)
			reopen(t);
		run(t->o, t->commands[LIST], &r);
		forget(&r);
	}
	if (t->f->reads * 5 < first * 3)
		return;
	fprintf(stderr, "otst-stops: -l reads %" PRIu64 " times, then %" PRIu64 " times\n", first,
		t->f->reads);
	t->failed++;
}

static int run_all(struct test *t, uint64_t limit, bool whole)
{
	size_t i;

	for (i = 0; i < t->count; i++) {
		if (take_fresh(t, i))
			return EXIT_BROKEN;
	}
	reopen(t);
	if (whole)
		run_twice(t);
	for (i = 0; i < t->count; i++)
		run_ways(t, i, limit);
	otst_close(t->o);
	for (i = 0; i < t->count; i++)
		forget(&t->fresh[i]);
	return t->failed ? 1 : 0;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "vmlinux", required_argument, NULL, 'k' },
		{ "limit", required_argument, NULL, 'l' },
		{ "whole", no_argument, NULL, 'w' },
		{ "threads", no_argument, NULL, 't' },
		{ "source", required_argument, NULL, 's' },
		{ NULL, 0, NULL, 0 },
	};
	const char *vmlinux = NULL;
	struct fault_target fault;
	command_words source[] = { { "otst", "-i" }, { "otst", "-t", "-s" } };
	struct test t = { .f = &fault, .commands = all_commands, .count = COMMANDS };
	struct helper *helper = NULL;
	struct page_store *store;
	struct open_dump dump;
	uint64_t limit = 40;
	bool whole = false;
	int c, status;

	while ((c = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		if (c == 'k')
			vmlinux = optarg;
		else if (c == 'l')
			limit = strtoull(optarg, NULL, 0);
		else if (c == 'w')
			whole = true;
		else if (c == 't')
			helper = helper_create();
		else if (c == 's')
			source[1][3] = optarg;
		else
			return EXIT_BROKEN;
	}
	if (optind + 1 != argc) {
		fputs("usage: otst-stops [--vmlinux FILE] [--limit N] [--whole] [--threads] [--source SOURCE] DUMP\n",
		      stderr);
		return EXIT_BROKEN;
	}
	if (open_dump(vmlinux, argv[optind], &dump))
		return EXIT_BROKEN;
	store = page_store_create(dump.ops, dump.priv);
	fault_target_init(page_store_ops(store), store, &dump.options, &fault);
	fault.helper = helper;
	if (source[1][3]) {
		t.commands = (const command_words *)source;
		t.count = 2;
		t.lines = true;
	}
	status = run_all(&t, limit, whole);
	printf("%s: cut short %" PRIu64 " times: %d failed\n", argv[optind], t.cases, t.failed);
	helper_destroy(helper);
	page_store_destroy(store);
	dump.close(dump.priv);
	return status;
}
