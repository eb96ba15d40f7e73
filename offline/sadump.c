// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * sadump.c - what the firmware of Fujitsu's PRIMEQUEST and PRIMERGY servers writes when the
 * machine is dead (sadump): a partition, or a file that was copied from one. The layout is known
 * from makedumpfile's and crash's sadump_mod.h and from libkdumpfile: a header of the
 * partition, one block long, a header of the dump, the cpus, a bitmap of the memory that exists
 * and one of what is dumped, and these pages, as they are.
 *
 * Dumps that are spread over several disks are refused.
 */
#include "forms.h"
#include "../front/notes.h"

#include <stdlib.h>
#include <string.h>

/* struct sadump_part_header; a copied file has another header before it */
#define MEDIA_BLOCK 4096u
#define DISK_AT	    152u /* which disk of a set it is; 0: the only one */

/* struct sadump_header */
#define HEADER		 120u
#define VERSION_AT	 8
#define BLOCK_SIZE_AT	 40
#define SUB_BLOCKS_AT	 48
#define BITMAP_BLOCKS_AT 52
#define DUMPED_BLOCKS_AT 56
#define MAX_MAPNR_AT	 60
#define NR_CPUS_AT	 80
#define MAX_MAPNR_64_AT	 88 /* since version 1 */
#define BLOCK_MIN	 512u
#define BLOCK_MAX	 65536u

/* behind it: size of the states, an APIC ID and an LDR for each cpu, the states */
#define APIC	   16u
#define STATES_MAX (16u << 20)

#define CHUNK 65536u /* of the bitmap, read at once */

/**
 * struct layout - where things are in the file
 * @page: size of a page, and of a block
 * @cpus_at: what is known of the @nr_cpus cpus
 * @bitmap: of dumped pages; the first page is the highest bit
 * @pages: of the machine; bits beyond them do not count
 */
struct layout {
	uint64_t page;
	uint64_t cpus_at;
	uint64_t nr_cpus;
	uint64_t bitmap;
	uint64_t bitmap_size;
	uint64_t pages;
	uint64_t data;
};

static uint64_t head_number(const unsigned char *head, size_t at, size_t size)
{
	return get_number(false, head + at, size);
}

/* the dump's header follows the partition's, whose size is that of a block */
static bool find_header(int fd, uint64_t from, unsigned char *head, uint64_t *at)
{
	for (uint64_t block = BLOCK_MIN; block <= BLOCK_MAX; block *= 2) {
		*at = from + block;
		if (read_fully(fd, head, HEADER, *at) && !memcmp(head, SADUMP_MAGIC, 8) &&
		    head_number(head, BLOCK_SIZE_AT, 4) == block)
			return true;
	}
	return false;
}

static void take_layout(const unsigned char *head, uint64_t at, struct layout *ret)
{
	uint64_t block = head_number(head, BLOCK_SIZE_AT, 4);

	ret->cpus_at = at + block;
	ret->nr_cpus = head_number(head, NR_CPUS_AT, 4);
	ret->page = block;
	ret->bitmap = at + block * (1 + head_number(head, SUB_BLOCKS_AT, 4) +
				    head_number(head, BITMAP_BLOCKS_AT, 4));
	ret->bitmap_size = block * head_number(head, DUMPED_BLOCKS_AT, 4);
	ret->data = ret->bitmap + ret->bitmap_size;
	ret->pages = head_number(head, VERSION_AT, 4) ? head_number(head, MAX_MAPNR_64_AT, 8) :
							head_number(head, MAX_MAPNR_AT, 4);
	if (ret->pages > ret->bitmap_size * 8)
		ret->pages = ret->bitmap_size * 8;
}

/* ---- pages ---- */

static bool is_dumped(const unsigned char *bits, uint64_t i)
{
	return bits[i / 8] >> (7 - i % 8) & 1;
}

/* Adds the pages of @count bits, from page @pfn on; moves *@data behind them. */
static int add_bits(struct segments *s, uint64_t page, const unsigned char *bits, uint64_t pfn,
		    uint64_t count, uint64_t *data)
{
	int err = 0;

	for (uint64_t i = 0, from; !err && i < count; i++) {
		if (!is_dumped(bits, i))
			continue;
		for (from = i; i < count && is_dumped(bits, i); i++)
			;
		err = segments_add(s, (pfn + from) * page, (i - from) * page, *data);
		*data += (i - from) * page;
	}
	return err;
}

static int add_memory(struct segments *s, int fd, const struct layout *l)
{
	unsigned char *bits = malloc(CHUNK);
	uint64_t data = l->data;
	int err = bits ? 0 : OTST_ERR_NOMEM;

	for (uint64_t pfn = 0; !err && pfn < l->pages; pfn += CHUNK * 8) {
		uint64_t count = l->pages - pfn < CHUNK * 8 ? l->pages - pfn : CHUNK * 8;

		if (!read_fully(fd, bits, (count + 7) / 8, l->bitmap + pfn / 8)) {
			complain("the dump of sadump is truncated: its page bitmap is cut off");
			break;
		}
		err = add_bits(s, l->page, bits, pfn, count, &data);
	}
	free(bits);
	return err;
}

/* ---- opening ---- */

static int find_layout(int fd, struct layout *ret)
{
	unsigned char part[DISK_AT + 4] = { 0 }, head[HEADER];
	uint64_t from = 0, at;

	if (read_fully(fd, part, 8, 0) && memcmp(part, SADUMP_MAGIC, 8) != 0)
		from = MEDIA_BLOCK;
	if (read_fully(fd, part, sizeof(part), from) && find_header(fd, from, head, &at)) {
		take_layout(head, at, ret);
		return 0;
	}
	if (!from && get_number(false, part + DISK_AT, 4)) {
		complain("one disk of a dump of sadump; join them first: makedumpfile -c "
			 "--diskset=DISK1 --diskset=DISK2 .. NEW");
		return OTST_ERR_UNSUPPORTED;
	}
	complain("the dump of sadump is damaged, or cut off: it has no header");
	return OTST_ERR_CORRUPT;
}

static int open_sadump(const struct form_file *file, void **ret)
{
	struct layout layout;
	struct segments *s;
	int err;

	err = segments_create(file->fd, &s);
	if (err)
		return err;
	err = find_layout(file->fd, &layout);
	err = err ?: add_memory(s, file->fd, &layout);
	return segments_finish(s, err, "dump of sadump", ret);
}

static int sadump_registers(void *priv, const struct form_file *file, void **notes, size_t *len)
{
	unsigned char size[4], *states;
	struct layout l;
	uint64_t all;
	int err;

	(void)priv;
	err = find_layout(file->fd, &l);
	if (err || !l.nr_cpus || !read_fully(file->fd, size, sizeof(size), l.cpus_at))
		return err;
	all = get_number(false, size, 4);
	if (!all || all > STATES_MAX)
		return 0;
	states = malloc(all);
	if (!states)
		return OTST_ERR_NOMEM;
	if (read_fully(file->fd, states, all, l.cpus_at + sizeof(size) + l.nr_cpus * APIC))
		err = registers_of_sadump(states, all / l.nr_cpus, l.nr_cpus, notes, len);
	free(states);
	return err;
}

const struct form_ops sadump_form = {
	.open = open_sadump,
	.close = segments_close,
	.read = segments_read,
	.next = segments_next,
	.registers = sadump_registers,
};
