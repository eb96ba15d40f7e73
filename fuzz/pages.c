// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pages.c - the insides of rings, maps, tables and logs, byte by byte: the first byte of the input
 * chooses a place in a text dump, the rest replaces in order the bytes that the dump gives there.
 *
 * With OTST_SEEDS=DIRECTORY writes what the dumps have there, and runs nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/text/text_dump.h"
#include "../tests/text/text_target.h"
#include "harness.h"

/**
 * struct place - what the input replaces
 * @name: of the seed
 * @dump: in tests/text/dumps
 * @line: the command that reads it
 */
struct place {
	const char *name;
	const char *dump;
	uint64_t at;
	uint64_t len;
	const char *line;
};

static const struct place places[] = {
	{ "printk-ring", "prb-log.txt", 0xffffffff82710000, 0x6000, "-t -j" },
	{ "printk-log", "3.10-log.txt", 0xffffffff81c00e00, 0x1300, "-t -j" },
	{ "printk-bytes", "2.6-log.txt", 0xffffffff82700000, 0x1100, "-t -j" },
	{ "perf-events", "perf.txt", 0xffff888010010000, 0x1000, "-t -j" },
	{ "perf-user-page", "perf.txt", 0xffff888010020000, 0x2000, "-t -j" },
	{ "perf-ring", "perf.txt", 0xffffc90000100000, 0x2000, "-t -v" },
	{ "perf-aux", "perf-aux.txt", 0xffff888010000000, 0x100000, "-t -j" },
	{ "bpf-maps", "bpf.txt", 0xffffc90000010000, 0x8000, "-t -j" },
	{ "bpf-elements", "bpf.txt", 0xffff888000030000, 0x3000, "-t -v" },
	{ "bpf-perf-array", "bpf.txt", 0xffff888000033000, 0x4000, "-t -j" },
	{ "bpf-ring", "bpf.txt", 0xffffc90000100000, 0x4000, "-t -j" },
	{ "bpf-map-hash", "verdict-map-hash.txt", 0xffff888000000000, 0x10000000, "-b -j" },
	{ "bpf-map-ring", "verdict-map-ring.txt", 0xffffc90000000000, 0x10000000, "-b -j" },
	{ "bpf-idr", "bpf.txt", 0xffff888000010000, 0x1000, "-l -j" },
	{ "hist", "hist-cpu.txt", 0xffff888001002000, 0x2000, "-T events/lab/two/hist" },
	{ "filters", "state.txt", 0xffff888001000000, 0x1000, "-T events/lab/one/filter events/lab/one/trigger" },
	{ "kallsyms", "shape.txt", 0xffffffff82200000, 0x4000, "-i" },
	{ "page-tables", "audit-memory.txt", 0xffff888001000000, 0x6000, "-a -j" },
	{ "ftrace-ring", "s390x-ring.txt", 0x2600000, 0xc00000, "-t -j -s ftrace" },
	{ "ftrace-file", "s390x-ring.txt", 0x2600000, 0xc00000, "-t -s ftrace:lab_instance" },
	{ "ftrace-formats", "s390x-ring.txt", 0x4000000, 0x10000, "-t -s ftrace:lab_instance" },
	{ "depot", "depot.txt", 0xffff888001000000, 0x2000000, "-t -j" },
	{ "stap-relay", "stap.txt", 0xffff888075000000, 0x10000, "-t -s stap" },
	{ "stap-text", "stap.txt", 0xffffc90000100000, 0x20000, "-t -s stap -j" },
	{ "stap-module", "stap.txt", 0xffffffffc0204000, 0x8000, "-l -j" },
	{ "task-stack", "task.txt", 0xffff800000000000, 0x7f0000000000, "-t -j" },
	{ "notes-in-memory", "notes-capture.txt", 0xffff800000000000, 0x7f0000000000, "-t -j" },
};

#define PLACES (sizeof(places) / sizeof(*places))

/** struct given - bytes in a row that a dump gives, and what they are */
struct given {
	uint64_t at;
	uint8_t *bytes;
	size_t len;
};

/** struct opened - the dump of a place, and what it gives there */
struct opened {
	struct text_dump *dump;
	struct given *given;
	size_t nr;
};

static int compare_pages(const void *a, const void *b)
{
	const struct text_page *const *p = a, *const *q = b;

	return ((*p)->number > (*q)->number) - ((*p)->number < (*q)->number);
}

static void add_byte(struct opened *o, uint64_t at, uint8_t byte)
{
	struct given *g = o->nr ? &o->given[o->nr - 1] : NULL;

	if (!g || g->at + g->len != at) {
		o->given = text_xrealloc(o->given, (o->nr + 1) * sizeof(*g));
		g = &o->given[o->nr++];
		*g = (struct given){ .at = at, .bytes = text_xrealloc(NULL, TEXT_PAGE) };
	} else if (g->len % TEXT_PAGE == 0) {
		g->bytes = text_xrealloc(g->bytes, g->len + TEXT_PAGE);
	}
	g->bytes[g->len++] = byte;
}

static void find_given(struct opened *o, const struct place *p)
{
	struct text_page **pages = text_xrealloc(NULL, o->dump->nr_slots * sizeof(*pages));
	size_t nr = 0;

	for (size_t i = 0; i < o->dump->nr_slots; i++) {
		struct text_page *page = o->dump->table[i];

		if (page && page->number * TEXT_PAGE + TEXT_PAGE > p->at &&
		    page->number * TEXT_PAGE < p->at + p->len)
			pages[nr++] = page;
	}
	qsort(pages, nr, sizeof(*pages), compare_pages);
	for (size_t i = 0; i < nr; i++) {
		for (unsigned int k = 0; k < TEXT_PAGE; k++) {
			uint64_t at = pages[i]->number * TEXT_PAGE + k;

			if (at - p->at < p->len && (pages[i]->valid[k / 8] >> k % 8 & 1))
				add_byte(o, at, pages[i]->data[k]);
		}
	}
	free(pages);
	if (!o->nr)
		abort();
}

static struct opened *open_place(size_t i)
{
	static struct opened all[PLACES];

	if (!all[i].dump) {
		all[i].dump = harness_base(places[i].dump);
		find_given(&all[i], &places[i]);
	}
	return &all[i];
}

static void replace(struct opened *o, const uint8_t *data, size_t size)
{
	for (struct given *g = o->given; g < o->given + o->nr && size; g++) {
		size_t len = size < g->len ? size : g->len;

		text_dump_write(o->dump, g->at, data, len);
		data += len;
		size -= len;
	}
}

static void put_back(struct opened *o)
{
	for (struct given *g = o->given; g < o->given + o->nr; g++)
		text_dump_write(o->dump, g->at, g->bytes, g->len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct otst_options options = { .size = sizeof(options) };
	size_t i = size ? *data % PLACES : 0;
	struct opened *o = open_place(i);

	if (!size)
		return 0;
	replace(o, data + 1, size - 1);
	options.big_endian = text_target_big_endian(o->dump);
	harness_line(text_target_ops(), o->dump, &options, places[i].line);
	put_back(o);
	return 0;
}

static void write_seed(const char *dir, size_t i)
{
	struct opened *o = open_place(i);
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, places[i].name);
	f = fopen(path, "w");
	if (!f)
		abort();
	fputc((int)i, f);
	for (size_t k = 0; k < o->nr; k++)
		fwrite(o->given[k].bytes, 1, o->given[k].len, f);
	if (fclose(f))
		abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *dir = getenv("OTST_SEEDS");

	(void)argc, (void)argv;
	for (size_t i = 0; dir && i < PLACES; i++)
		write_seed(dir, i);
	if (dir)
		_Exit(0);
	return 0;
}
