// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_faults.c - otst-faults: every single read of a dump fails once.
 *
 *	otst-faults [--vmlinux FILE] [--limit N] DUMP
 *
 * Takes a clean run of each listing, then repeats it once for each page that
 * it read with this page cut, and once for each read with this read failing.
 * However the run ends, it may print no control character; and when it
 * lists fewer probes or traces than the clean run, it must say so by its status
 * or by a note that the clean run does not have.
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

/** struct result - what one run of a command gave */
struct result {
	int status;
	size_t records;
	size_t notes;
	uint64_t said; /* sum over all notes of a number that the text makes */
	uint64_t line; /* that of the line at hand */
	bool bad_byte;
	char last[8];
	size_t last_len;
};

static void end_line(struct result *r)
{
	bool note = !memcmp(r->last, "note", 4);

	/* lines about errors are no records */
	r->records += r->last_len && memcmp(r->last, "!!", 2) && memcmp(r->last, "err", 3) && !note;
	r->notes += note;
	r->said += note ? r->line : 0;
	r->line = 0;
	r->last_len = 0;
	memset(r->last, 0, sizeof(r->last));
}

/* Counts the lines that start with {"type":"probe" or other records. */
static int count_lines(void *priv, const char *text, size_t len)
{
	struct result *r = priv;

	r->bad_byte |= dump_bad_byte(text, len) >= 0;
	for (size_t i = 0; i < len; i++) {
		r->line = r->line * 31 + (unsigned char)text[i];
		if (text[i] == '\n') {
			end_line(r);
		} else if (r->last_len < 9) {
			r->last_len++;
		} else if (r->last_len < 9 + sizeof(r->last)) {
			/* behind {"type":" */
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

static int run_once(struct fault_target *f, const char *option, struct result *ret)
{
	const char *words[] = { "otst", option, "-v", "-j" };
	struct otst_output out = { .write = count_lines, .priv = ret };
	struct otst_output err = { .write = check_complaint, .priv = ret };
	struct otst *o;

	memset(ret, 0, sizeof(*ret));
	f->reads = 0;
	if (otst_open(&f->ops, f, NULL, &o))
		return 1;
	ret->status = otst_run(o, 4, words, &out, &err);
	otst_close(o);
	return 0;
}

/* A failed read may cost records, but never silently. */
static int judge(const struct fault_target *f, const char *option, const struct result *clean)
{
	struct result r;
	const char *bad = NULL;

	if (run_once((struct fault_target *)f, option, &r))
		bad = "cannot be opened";
	else if (r.bad_byte)
		bad = "prints a control character";
	else if (r.status < 0 || r.status > 4 || r.status == OTST_EXIT_USAGE)
		bad = "returns a status that no command may return";
	else if (r.records < clean->records && r.status == OTST_EXIT_CLEAN &&
		 (!r.notes || r.said == clean->said))
		bad = "loses records and says nothing";
	if (!bad)
		return 0;
	fprintf(stderr, "otst-faults: %s %s (%zu of %zu records, status %d) when\n", option, bad,
		r.records, clean->records, r.status);
	fault_target_print(f);
	return 1;
}

static int run_command(struct page_store *store, struct fault_target *f, const char *option,
		       uint64_t limit, uint64_t *cases)
{
	const struct store_page *const *pages;
	struct result clean;
	uint64_t reads, step;
	size_t count;
	int failed = 0;

	fault_target_reset(f);
	if (run_once(f, option, &clean))
		return EXIT_BROKEN;
	reads = f->reads;
	pages = page_store_walked(store, false, &count);
	for (size_t i = 0; i < count && i < limit; i++, ++*cases) {
		fault_target_reset(f);
		fault_target_cut(f, pages[i]->number * STORE_PAGE);
		failed += judge(f, option, &clean);
	}
	step = reads / limit + 1;
	for (uint64_t i = 1; i <= reads; i += step, ++*cases) {
		fault_target_reset(f);
		f->fail_at = i;
		failed += judge(f, option, &clean);
	}
	return failed;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "vmlinux", required_argument, NULL, 'k' },
		{ "limit", required_argument, NULL, 'l' },
		{ NULL, 0, NULL, 0 },
	};
	static const char *const commands[] = { "-l", "-t", "-f", "-T", "-a", "-i" };
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
	fault_target_init(page_store_ops(store), store, &fault);
	page_store_record(store, true);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		failed += run_command(store, &fault, commands[i], limit, &cases);
	printf("%s: %" PRIu64 " runs with one fault each: %d failed\n", argv[optind], cases,
	       failed);
	page_store_destroy(store);
	dump.close(dump.priv);
	return failed ? 1 : 0;
}
