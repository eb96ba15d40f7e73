// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_faults.c - otst-faults: every single read of a dump fails once.
 *
 *	otst-faults [--vmlinux FILE] [--limit N] DUMP
 *
 * Runs each listing cleanly, then repeats it once for each page that it read,
 * with this page cut, and once for each read, with this read failing.
 * However the run ends, it may print no control character. When it lists fewer
 * probes or traces than the clean run, it must say so by its status, or by a
 * note or an error that the clean run does not have. -w is asked for every
 * address and target that -l and -f name; it may not list fewer hooks or tasks
 * for them without saying so, either.
 *
 * Exit status: 0 all passed, 1 a case failed, 99 broken set-up.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fuzz/open_dump.h"
#include "fault_target.h"

#define EXIT_BROKEN 99
#define OPERANDS    48u

/** struct result - the result of one run of a command */
struct result {
	int status;
	size_t records;
	uint64_t said;	/* sum of a hash of each note and error, of lists of errors, too */
	char error_end; /* what ends the error in the text, while there is one; else 0 */
	uint64_t error; /* hash of the error so far */
	uint64_t line;	/* the hash of the current line */
	size_t facts;	/* how many the command has in its lines */
	const char *const *wanted; /* what facts look like, up to NULL; NULL for none */
	size_t errors;		   /* errors of records */
	bool bad_byte;
	char last[8];
	size_t last_len;
	char tail[15];
};

/** struct command - an option and its operands: for -w, the words that -l and -f print */
struct command {
	const char *option;
	const char *const *facts; /* parts of its lines, up to NULL: there may not be fewer */
	const char *operands[OPERANDS];
	size_t count;
};

static void end_line(struct result *r)
{
	bool error = !memcmp(r->last, "!!", 2) || !memcmp(r->last, "err", 3);
	bool note = !memcmp(r->last, "note", 4);

	/* lines about errors are not records */
	r->records += r->last_len && !error && !note;
	r->said += note || error ? r->line : 0;
	r->line = 0;
	r->last_len = 0;
	memset(r->last, 0, sizeof(r->last));
}

/* one error that takes the place of another is said, too */
static void hash_error(struct result *r, char c)
{
	if (!r->error_end)
		return;
	r->error = r->error * 31 + (unsigned char)c;
	if (c != r->error_end)
		return;
	r->said += r->error;
	r->error = 0;
	r->error_end = 0;
}

/* counts the fact or the error of a record that the text in r->tail ends with */
static void count_value(struct result *r)
{
	const char *end = r->tail + sizeof(r->tail);
	const char *const *f;
	bool list = !memcmp(end - 11, "\"errors\":[\"", 11) ||
		    !memcmp(end - 15, "\"unreadable\":[\"", 15);

	if (list)
		r->error_end = ']';
	/* -w also reports an operand that no longer names anything */
	r->errors += list || !memcmp(end - 9, "\"error\":\"", 9) ||
		     !memcmp(end - 8, "\"none\":\"", 8) ||
		     /* the state of what a command covers */
		     !memcmp(end - 13, "\":\"not looked\"", 13);
	for (f = r->wanted; f && *f; f++)
		r->facts += !memcmp(end - strlen(*f), *f, strlen(*f));
}

/* Counts the lines that start with {"type":"probe" or other records. */
static int count_lines(void *priv, const char *text, size_t len)
{
	struct result *r = priv;

	r->bad_byte |= dump_bad_byte(text, len) >= 0;
	for (size_t i = 0; i < len; i++) {
		r->line = r->line * 31 + (unsigned char)text[i];
		hash_error(r, text[i]);
		memmove(r->tail, r->tail + 1, sizeof(r->tail) - 1);
		r->tail[sizeof(r->tail) - 1] = text[i];
		count_value(r);
		if (text[i] == '\n') {
			end_line(r);
		} else if (r->last_len < 9) {
			r->last_len++;
		} else if (r->last_len < 9 + sizeof(r->last)) {
			/* after {"type":" */
			r->last[r->last_len++ - 9] = text[i];
		}
	}
	return 0;
}

static int check_complaint(void *priv, const char *text, size_t len)
{
	struct result *r = priv;

	r->bad_byte |= dump_bad_byte(text, len) >= 0;
	return 0;
}

static int run_words(struct fault_target *f, const struct command *c, const struct otst_output *out,
		     struct result *ret)
{
	const char *words[4 + OPERANDS] = { "otst", c->option, "-v", "-j" };
	struct otst_output err = { .size = sizeof(err), .write = check_complaint, .priv = ret };
	struct otst *o;

	*ret = (struct result){ .wanted = c->facts };
	memcpy(words + 4, c->operands, c->count * sizeof(*words));
	f->reads = 0;
	if (fault_target_open(f, &o))
		return 1;
	ret->status = otst_run(o, 4 + (int)c->count, words, out, &err);
	otst_close(o);
	return 0;
}

static int run_once(struct fault_target *f, const struct command *c, struct result *ret)
{
	struct otst_output out = { .size = sizeof(out), .write = count_lines, .priv = ret };

	return run_words(f, c, &out, ret);
}

/* ---- what -w is asked for ---- */

struct text {
	char *data;
	size_t len;
};

static int keep_text(void *priv, const char *text, size_t len)
{
	struct text *t = priv;
	char *more = realloc(t->data, t->len + len + 1);

	if (!more)
		return -1;
	t->data = more;
	memcpy(t->data + t->len, text, len);
	t->len += len;
	t->data[t->len] = '\0';
	return 0;
}

/* a copy of the value of @key in a line; NULL when there is none, or it is not a string */
static char *value_of(const char *line, const char *key)
{
	const char *at = strstr(line, key), *end;

	if (!at || at[strlen(key)] != '"')
		return NULL;
	at += strlen(key) + 1;
	end = strchr(at, '"');
	/* an escaped value would have to be unescaped */
	return end && !memchr(at, '\\', (size_t)(end - at)) ? strndup(at, (size_t)(end - at)) :
							      NULL;
}

static void add_operand(struct command *where, char *word)
{
	size_t i;

	for (i = 0; word && i < where->count && strcmp(where->operands[i], word); i++)
		;
	if (word && i == where->count && i < OPERANDS)
		where->operands[where->count++] = word;
	else
		free(word);
}

static void add_operands(struct fault_target *f, const char *option, struct command *where)
{
	const struct command c = { .option = option };
	struct text t = { 0 };
	struct otst_output out = { .size = sizeof(out), .write = keep_text, .priv = &t };
	struct result r;
	char *line, *rest = NULL;

	if (!run_words(f, &c, &out, &r) && t.data) {
		for (line = strtok_r(t.data, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest)) {
			add_operand(where, value_of(line, "\"address\":"));
			add_operand(where, value_of(line, "\"target\":"));
		}
	}
	free(t.data);
}

/* ---- faults ---- */

static bool lost_silently(const struct command *c, const struct result *r,
			  const struct result *clean)
{
	if (r->status != clean->status || r->errors > clean->errors || r->said != clean->said)
		return false;
	return r->records < clean->records || (c->facts && r->facts < clean->facts);
}

/* A failed read may cost records, but never silently. */
static int judge(const struct fault_target *f, const struct command *c, const struct result *clean)
{
	struct result r;
	const char *bad = NULL;

	if (run_once((struct fault_target *)f, c, &r))
		bad = "cannot be opened";
	else if (r.bad_byte)
		bad = "prints a control character";
	else if (r.status < 0 || r.status > 4 || r.status == OTST_EXIT_USAGE)
		bad = "returns a status that no command may return";
	else if (lost_silently(c, &r, clean))
		bad = "loses records and says nothing";
	if (!bad)
		return 0;
	fprintf(stderr, "otst-faults: %s %s (%zu of %zu records, status %d) when\n", c->option, bad,
		r.records, clean->records, r.status);
	fault_target_print(f);
	return 1;
}

static int run_command(struct page_store *store, struct fault_target *f, const struct command *c,
		       uint64_t limit, uint64_t *cases)
{
	const struct store_page *const *pages;
	struct result clean;
	uint64_t reads, step;
	size_t count;
	int failed = 0;

	fault_target_reset(f);
	if (run_once(f, c, &clean))
		return EXIT_BROKEN;
	reads = f->reads;
	pages = page_store_walked(store, false, &count);
	for (size_t i = 0; i < count && i < limit; i++, ++*cases) {
		fault_target_reset(f);
		fault_target_cut(f, pages[i]->number * STORE_PAGE);
		failed += judge(f, c, &clean);
	}
	step = reads / limit + 1;
	for (uint64_t i = 1; i <= reads; i += step, ++*cases) {
		fault_target_reset(f);
		f->fail_at = i;
		failed += judge(f, c, &clean);
	}
	return failed;
}

/* hooks and tasks of -w, deadly findings of -a; lines of a file */
static const char *const facts[] = { "\"stage\":\"", "\"depth\":", "\"deadly\"", NULL };
static const char *const lines[] = { "\",\"", NULL };

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "vmlinux", required_argument, NULL, 'k' },
		{ "limit", required_argument, NULL, 'l' },
		{ NULL, 0, NULL, 0 },
	};
	struct command commands[] = { { .option = "-l" },
				      { .option = "-t" },
				      { .option = "-f" },
				      { .option = "-T" },
				      { .option = "-T",
					.facts = lines,
					.operands = { "dynamic_events", "kprobe_profile" },
					.count = 2 },
				      { .option = "-T",
					.facts = lines,
					.operands = { "../kprobes/list", "saved_cmdlines" },
					.count = 2 },
				      { .option = "-T",
					.facts = lines,
					.operands = { "enabled_functions", "printk_formats" },
					.count = 2 },
				      { .option = "-a", .facts = facts },
				      { .option = "-b", .facts = facts },
				      { .option = "-i" },
				      { .option = "-w", .facts = facts } };
	struct command *where = &commands[sizeof(commands) / sizeof(*commands) - 1];
	const char *vmlinux = NULL;
	uint64_t limit = 2000, cases = 0;
	struct page_store *store;
	struct fault_target fault;
	struct open_dump dump;
	int c, failed = 0;

	while ((c = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		if (c == 'k')
			vmlinux = optarg;
		else if (c == 'l')
			limit = strtoull(optarg, NULL, 0);
		else
			return EXIT_BROKEN;
	}
	if (optind + 1 != argc || !limit) {
		fputs("usage: otst-faults [--vmlinux FILE] [--limit N] DUMP\n", stderr);
		return EXIT_BROKEN;
	}
	if (open_dump(vmlinux, argv[optind], &dump))
		return EXIT_BROKEN;
	store = page_store_create(dump.ops, dump.priv);
	fault_target_init(page_store_ops(store), store, &dump.options, &fault);
	fault_target_reset(&fault);
	add_operands(&fault, "-l", where);
	add_operands(&fault, "-f", where);
	page_store_record(store, 1);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (&commands[i] != where || where->count)
			failed += run_command(store, &fault, &commands[i], limit, &cases);
	printf("%s: %" PRIu64 " runs with one fault each: %d failed\n", argv[optind], cases,
	       failed);
	while (where->count)
		free((char *)where->operands[--where->count]);
	page_store_destroy(store);
	dump.close(dump.priv);
	return failed ? 1 : 0;
}
