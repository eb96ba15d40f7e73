// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * read_dump.c - otst-readdump: reads a dump in an order that no listing uses,
 * through the file reader, and compares what it reads with an ELF dump of the
 * same memory.
 *
 *	otst-readdump [--seed S] [--reads N] [--whole ROUNDS] [--text ADDR] [--threads N]
 *		[--may-fault] ELF DUMP
 *
 *	--reads      that many random reads (200,000): pages that are in the dump
 *	             and pages that are not, a few again and again, others once;
 *	             neighbours, parts and several pages at a time, and the kernel's
 *	             text by its virtual address
 *	--whole      instead: every page, in random order, ROUNDS times
 *	--text       virtual addresses from ADDR on, instead of the kernel's text
 *	--threads    N threads inflate pages of DUMP; every other read is announced, some
 *	             with more memory than is read, or with memory that is not read
 *	--may-fault  pages of DUMP are damaged: what can be read has to be right
 *
 * Exit status: 0 all as in ELF, 1 not, 99 broken set-up.
 */
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../src/memory/vmcoreinfo.h"
#include "open_dump.h"
#include "random.h"

#define BROKEN	  99
#define PAGE	  4096u
#define HOT	  128u
#define READ_MAX  (4 * PAGE)
#define TEXT_SPAN (64u << 20)

/** struct reader - @elf is the reference, @dump is tested */
struct reader {
	struct open_dump elf;
	struct open_dump dump;
	uint64_t seed;
	uint64_t state;
	uint64_t first; /* a page somewhat before the first one in the dump */
	uint64_t pages; /* from there to somewhat after the last one */
	uint64_t text;
	bool may_fault;
	bool ahead;
	uint64_t read, virtual, absent, lost, wrong;
};

/* For the signal handler. */
static struct {
	const char *path;
	uint64_t seed;
	volatile uint64_t number;
} current;

static void on_crash(int signal)
{
	char text[256];
	int len = snprintf(text, sizeof(text),
			   "otst-readdump: %s: seed %" PRIu64 ": read %" PRIu64
			   " ends with signal %d\n",
			   current.path, current.seed, current.number, signal);

	if (len > 0 && write(STDERR_FILENO, text, (size_t)len) < 0)
		_exit(1);
	raise(signal);
}

static void catch_signals(void)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	struct sigaction sa = { .sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND };

	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		sigaction(crashes[i], &sa, NULL);
}

static void check_read(struct reader *r, int space, uint64_t addr, uint64_t len)
{
	static char right[READ_MAX], found[READ_MAX];
	int want = r->elf.ops->read(r->elf.priv, space, addr, right, len);
	int got;

	current.number++;
	got = r->dump.ops->read(r->dump.priv, space, addr, found, len);
	if (got && !want && r->may_fault) {
		r->lost++;
	} else if (!got != !want || (!got && memcmp(right, found, len) != 0)) {
		if (r->wrong++ < 10)
			printf("%s: seed %" PRIu64 ": read %" PRIu64 ": %s 0x%" PRIx64 ", %" PRIu64
			       " bytes: %s\n",
			       current.path, r->seed, current.number,
			       space == OTST_PHYS ? "physical" : "virtual", addr, len,
			       got  ? "not read, which ELF has" :
			       want ? "read, which ELF has not" :
				      "other bytes than ELF's");
	} else if (got) {
		r->absent++;
	} else {
		r->read++;
		r->virtual += space == OTST_VIRT;
	}
}

/* announces what is read next, what is read at some time, or what is not in the dump */
static void tell_ahead(struct reader *r, uint64_t page, const uint64_t *hot)
{
	uint64_t kind = random_below(&r->state, 8);

	if (kind < 2)
		page = hot[random_below(&r->state, HOT)];
	else if (kind == 2)
		page = r->first + random_below(&r->state, r->pages);
	if (kind < 4)
		r->dump.ops->ahead(r->dump.priv, page * PAGE + 1,
				   random_below(&r->state, 64 * PAGE));
}

static void read_random(struct reader *r, uint64_t reads)
{
	uint64_t hot[HOT], page = 0;

	for (size_t i = 0; i < HOT; i++)
		hot[i] = r->first + random_below(&r->state, r->pages);
	for (uint64_t i = 0; i < reads; i++) {
		uint64_t kind = random_below(&r->state, 20), len = PAGE, at = 0;

		if (kind < 8)
			page = r->first + random_below(&r->state, r->pages);
		else if (kind < 14)
			page = hot[random_below(&r->state, HOT)];
		else
			page++;
		if (r->ahead)
			tell_ahead(r, page, hot);
		if (kind >= 16 && kind < 18) {
			at = random_below(&r->state, PAGE);
			len = 1 + random_below(&r->state, READ_MAX - 1);
		}
		if (kind >= 18 && r->text)
			check_read(r, OTST_VIRT,
				   r->text + random_below(&r->state, TEXT_SPAN / PAGE) * PAGE,
				   PAGE);
		else
			check_read(r, OTST_PHYS, page * PAGE + at, len);
	}
}

static void read_whole(struct reader *r, uint64_t rounds)
{
	uint64_t *order = calloc(r->pages, sizeof(*order));

	if (!order)
		exit(BROKEN);
	for (uint64_t i = 0; i < r->pages; i++)
		order[i] = r->first + i;
	while (rounds--) {
		for (uint64_t i = r->pages; i-- > 1;) {
			uint64_t j = random_below(&r->state, i + 1), page = order[i];

			order[i] = order[j];
			order[j] = page;
		}
		for (uint64_t i = 0; i < r->pages; i++)
			check_read(r, OTST_PHYS, order[i] * PAGE, PAGE);
	}
	free(order);
}

/* The memory in the dump, and a sixteenth more at both ends. */
static void find_memory(struct reader *r)
{
	uint64_t first = UINT64_MAX, end = 0, more;
	char page[PAGE];

	for (uint64_t i = 0; i < (8ull << 30) / PAGE; i++) {
		if (r->elf.ops->read(r->elf.priv, OTST_PHYS, i * PAGE, page, PAGE))
			continue;
		if (first == UINT64_MAX)
			first = i;
		end = i + 1;
	}
	if (first == UINT64_MAX)
		exit(BROKEN);
	more = (end - first) / 16;
	r->first = first > more ? first - more : 0;
	r->pages = end + more - r->first;
}

static uint64_t find_text(const struct open_dump *elf)
{
	struct otst_vmcoreinfo info;
	uint64_t text = 0;

	if (!elf->ops->vmcoreinfo(elf->priv, &info.text, &info.len))
		otst_vmcoreinfo_value(&info, "SYMBOL(_stext)", 16, &text);
	return text;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "reads", required_argument, NULL, 'r' },
		{ "whole", required_argument, NULL, 'w' },
		{ "text", required_argument, NULL, 't' },
		{ "threads", required_argument, NULL, 'n' },
		{ "may-fault", no_argument, NULL, 'f' },
		{ NULL, 0, NULL, 0 },
	};
	struct reader r = { .seed = 1 };
	uint64_t reads = 200000, rounds = 0;
	unsigned int threads = 1;
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		if (c == 's')
			r.seed = strtoull(optarg, NULL, 0);
		else if (c == 'r')
			reads = strtoull(optarg, NULL, 0);
		else if (c == 'w')
			rounds = strtoull(optarg, NULL, 0);
		else if (c == 't')
			r.text = strtoull(optarg, NULL, 0);
		else if (c == 'n')
			threads = (unsigned int)strtoul(optarg, NULL, 0);
		else if (c == 'f')
			r.may_fault = true;
		else
			return BROKEN;
	}
	if (argc - optind != 2 || !r.seed) {
		fputs("usage: otst-readdump [--seed S] [--reads N] [--whole ROUNDS] [--text ADDR] "
		      "[--threads N] [--may-fault] ELF DUMP\n",
		      stderr);
		return BROKEN;
	}
	current.path = argv[optind + 1];
	current.seed = r.state = r.seed;
	if (open_dump(NULL, argv[optind], &r.elf))
		return BROKEN;
	open_dump_threads = threads;
	if (open_dump(NULL, argv[optind + 1], &r.dump))
		return BROKEN;
	r.ahead = threads > 1;
	if (r.ahead != !!r.dump.ops->ahead)
		return BROKEN;
	find_memory(&r);
	if (!r.text)
		r.text = find_text(&r.elf);
	catch_signals();
	if (rounds)
		read_whole(&r, rounds);
	else
		read_random(&r, reads);
	printf("%s: %" PRIu64 " reads, seed %" PRIu64 ": %" PRIu64 " as in the ELF dump (%" PRIu64
	       " virtual), %" PRIu64 " absent from both, %" PRIu64 " damaged, %" PRIu64 " wrong\n",
	       current.path, current.number, r.seed, r.read, r.virtual, r.absent, r.lost, r.wrong);
	r.dump.close(r.dump.priv);
	r.elf.close(r.elf.priv);
	/* a run that saw only one kind of page shows nothing */
	return r.wrong || !r.read || !r.absent || (r.may_fault && !r.lost);
}
