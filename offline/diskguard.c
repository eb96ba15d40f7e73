// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * diskguard.c - the header of a compressed dump, and where its pages are:
 * for diskpages.c, which reads them, and for a check before libkdumpfile reads a
 * Xen dump.
 *
 * Up to release 0.5.3 the library trusts the size in a page's descriptor: it reads
 * up to 256 KiB of compressed data into a buffer of one page, so a flipped bit in
 * the file overwrites the heap. It also maps windows of the file without checking
 * where the file ends. The layout comes from makedumpfile's diskdump_mod.h: header,
 * sub header, two bitmaps, then a descriptor for each bit set in the second one.
 *
 * The bitmap is mapped; the memory that counting its bits brings in is given back.
 */
#include "offline.h"
#include "diskpages.h"
#include "../front/notes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* struct disk_dump_header, 64-bit layout */
#define VERSION_AT	 8
#define MACHINE_AT	 272 /* 65 bytes, in utsname */
#define STATUS_AT	 424
#define BLOCK_SIZE_AT	 428
#define SUB_HDR_SIZE_AT	 432
#define BITMAP_BLOCKS_AT 436
#define MAX_MAPNR_AT	 440
#define HEADER_SIZE	 464

#define STATUS_INCOMPLETE 0x8u /* DUMP_DH_COMPRESSED_INCOMPLETE */

/* struct kdump_sub_header, 64-bit layout */
#define SUB_SIZE	  104
#define SUB_SPLIT_AT	  12 /* version 2 and later; the part's first page and the end */
#define SUB_VMCOREINFO_AT 32 /* version 3: offset, size */
#define SUB_NOTE_AT	  48 /* version 4: offset, size */
#define SUB_ERASEINFO_AT  64 /* version 5: offset, size */
#define SUB_PART64_AT	  80 /* version 6: the same numbers, in full */
#define SUB_MAX_MAPNR_AT  96 /* version 6 */

/* struct page_desc: offset, size, flags, page flags */
#define DESC_SIZE     24
#define DESC_SIZE_AT  8
#define DESC_FLAGS_AT 12
#define PAGE_SIZE_MIN 4096u
#define PAGE_SIZE_MAX 65536u

/* Set bits are counted ahead of time per group of this size, so that a lookup is short. */
#define GROUP_BITS  4096u
#define GROUP_BYTES (GROUP_BITS / 8)

/* bytes of the bitmap kept in memory while its bits are counted */
#define COUNTED_MAX (1u << 20)

struct diskguard {
	int fd;
	const uint8_t *map; /* the whole file */
	uint64_t size;
	bool big_endian;
	uint64_t page_size;	/* also the header's block size */
	const uint8_t *bitmap;	/* in @map */
	uint64_t pages;		/* bits of the bitmap, whole groups */
	uint64_t max_pfn;	/* pages of the machine; bits beyond them do not count */
	uint64_t first, end;	/* the pages that this file may have; all unless it is a part */
	uint64_t skipped;	/* dumped pages before @first: their descriptors are elsewhere */
	uint64_t vmcoreinfo[2]; /* offset and size, if only the sub header has it */
	uint64_t desc_at;	/* where the descriptors start */
	uint64_t *before;	/* for each group and the end, bits set before it */
};

static uint32_t get32(const struct diskguard *g, const uint8_t *p)
{
	return (uint32_t)get_number(g->big_endian, p, 4);
}

static uint64_t get64(const struct diskguard *g, const uint8_t *p)
{
	return get_number(g->big_endian, p, 8);
}

static uint64_t count_bits(const uint8_t *p, size_t len)
{
	uint64_t n = 0, word;

	for (; len >= sizeof(word); p += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		n += (uint64_t)__builtin_popcountll(word);
	}
	while (len--)
		n += (uint64_t)__builtin_popcount(*p++);
	return n;
}

static bool in_file(const struct diskguard *g, uint64_t offset, uint64_t len)
{
	return offset <= g->size && len <= g->size - offset;
}

/*
 * The page of the @index-th descriptor; false if its data is not in the file, is empty (an
 * incomplete dump's descriptor was never written) or exceeds a page.
 */
static bool read_descriptor(const struct diskguard *g, uint64_t index, struct diskpage *ret)
{
	uint8_t desc[DESC_SIZE];

	if (!read_fully(g->fd, desc, sizeof(desc), g->desc_at + index * DESC_SIZE))
		return false;
	ret->fd = g->fd;
	ret->offset = get64(g, desc);
	ret->size = get32(g, desc + DESC_SIZE_AT);
	ret->flags = get32(g, desc + DESC_FLAGS_AT);
	return ret->size && ret->size <= g->page_size && in_file(g, ret->offset, ret->size);
}

/*
 * Bitmap blocks are as large as pages, so they hold whole groups. Where the file ends within a
 * group, the mapping has zeros up to the group's end.
 */
static bool count_groups(struct diskguard *g)
{
	size_t groups = g->pages / GROUP_BITS;

	g->before = calloc(groups + 1, sizeof(*g->before));
	if (!g->before)
		return false;
	for (size_t i = 0; i < groups; i++) {
		g->before[i + 1] =
			g->before[i] + count_bits(g->bitmap + i * GROUP_BYTES, GROUP_BYTES);
		if (!((i + 1) * GROUP_BYTES % COUNTED_MAX))
			madvise((void *)g->map, g->size, MADV_DONTNEED);
	}
	return true;
}

/* how many pages before @pfn are dumped */
static uint64_t count_dumped(const struct diskguard *g, uint64_t pfn)
{
	const uint8_t *group = g->bitmap + pfn / GROUP_BITS * GROUP_BYTES;
	uint64_t n = g->before[pfn / GROUP_BITS];

	if (pfn % GROUP_BITS)
		n += count_bits(group, pfn % GROUP_BITS / 8);
	if (pfn % 8)
		n += (uint64_t)__builtin_popcount(g->bitmap[pfn / 8] & ((1u << pfn % 8) - 1));
	return n;
}

/* Page data is written in order, so the last page is the first to go missing. */
static void warn_truncated(const struct diskguard *g)
{
	uint64_t dumped = count_dumped(g, g->end) - g->skipped;
	struct diskpage page;

	if (get32(g, g->map + STATUS_AT) & STATUS_INCOMPLETE)
		complain(INCOMPLETE_DUMP);
	else if (dumped && !read_descriptor(g, dumped - 1, &page))
		complain("the dump is truncated or damaged: pages at its end cannot be read");
}

/* Everything the library reads when it opens the file must lie within it. */
static bool notes_fit(const struct diskguard *g, const uint8_t *sub, uint32_t version)
{
	static const struct {
		uint32_t version, at;
	} notes[] = {
		{ 3, SUB_VMCOREINFO_AT },
		{ 4, SUB_NOTE_AT },
		{ 5, SUB_ERASEINFO_AT },
	};

	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++) {
		if (version >= notes[i].version &&
		    !in_file(g, get64(g, sub + notes[i].at), get64(g, sub + notes[i].at + 8)))
			return false;
	}
	return true;
}

static bool is_part(const struct diskguard *g, const uint8_t *sub, uint32_t version)
{
	return version >= 2 && get32(g, sub + SUB_SPLIT_AT);
}

/* makedumpfile --split: each part has the bitmap of the whole dump, and some of the pages. */
static void read_part(struct diskguard *g, const uint8_t *sub, uint32_t version)
{
	size_t at = version >= 6 ? SUB_PART64_AT : SUB_SPLIT_AT + 4;

	g->end = g->max_pfn;
	if (!is_part(g, sub, version))
		return;
	g->end = get64(g, sub + at + 8) < g->max_pfn ? get64(g, sub + at + 8) : g->max_pfn;
	g->first = get64(g, sub + at) < g->end ? get64(g, sub + at) : g->end;
	g->skipped = count_dumped(g, g->first);
}

/*
 * Finds the bitmap of the pages that are dumped. The file of a part without pages ends with the
 * bitmap's bits, in the middle of a block.
 */
static const char *read_bitmap(struct diskguard *g, const uint8_t *sub, uint32_t version)
{
	uint64_t bytes = (uint64_t)get32(g, g->map + BITMAP_BLOCKS_AT) * g->page_size,
		 at = (1 + (uint64_t)get32(g, g->map + SUB_HDR_SIZE_AT)) * g->page_size,
		 pages = version >= 6 ? get64(g, sub + SUB_MAX_MAPNR_AT) :
					get32(g, g->map + MAX_MAPNR_AT);

	g->desc_at = at + bytes;
	/* Two bitmaps: memory that exists, memory that is dumped. */
	if (pages <= bytes * 8 / 2) {
		bytes = bytes / 2 / g->page_size * g->page_size;
		at += bytes;
	}
	g->bitmap = g->map + at;
	g->max_pfn = pages < bytes * 8 ? pages : bytes * 8;
	g->pages = (g->max_pfn + GROUP_BITS - 1) / GROUP_BITS * GROUP_BITS;
	if (!in_file(g, at, is_part(g, sub, version) ? (g->max_pfn + 7) / 8 : bytes))
		return "its page bitmap is cut off";
	return count_groups(g) ? NULL : "out of memory";
}

static const char *read_layout(struct diskguard *g)
{
	const uint8_t *head = g->map, *sub;
	const char *problem;
	uint32_t version;

	if (!in_file(g, PAGE_SIZE_MIN, SUB_SIZE))
		return "its header is cut off";
	g->page_size = get32(g, head + BLOCK_SIZE_AT);
	if (g->page_size < PAGE_SIZE_MIN || g->page_size > PAGE_SIZE_MAX ||
	    g->page_size & (g->page_size - 1))
		return "its header is damaged, or not of a 64-bit kernel";
	if (!in_file(g, g->page_size, SUB_SIZE))
		return "its header is cut off";
	sub = g->map + g->page_size;
	version = get32(g, head + VERSION_AT);
	if (!notes_fit(g, sub, version))
		return "its notes are cut off";

	if (version == 3) {
		g->vmcoreinfo[0] = get64(g, sub + SUB_VMCOREINFO_AT);
		g->vmcoreinfo[1] = get64(g, sub + SUB_VMCOREINFO_AT + 8);
	}
	problem = read_bitmap(g, sub, version);
	if (problem)
		return problem;
	read_part(g, sub, version);
	warn_truncated(g);
	return NULL;
}

/* The name is at the same offset for every byte order and word size. */
static int check_machine(const struct diskguard *g)
{
	char name[65] = "";

	if (g->size >= MACHINE_AT + sizeof(name))
		memcpy(name, g->map + MACHINE_AT, sizeof(name) - 1);
	return machine_check_name(name);
}

static bool has_magic(int fd)
{
	char magic[8];

	return read_fully(fd, magic, sizeof(magic), 0) &&
	       (!memcmp(magic, "KDUMP   ", 8) || !memcmp(magic, "DISKDUMP", 8));
}

int diskguard_open(int fd, struct diskguard **ret)
{
	struct diskguard *g;
	const char *problem;
	struct stat st;
	int err = 0;

	*ret = NULL;
	if (!has_magic(fd) || fstat(fd, &st))
		return 0;
	g = calloc(1, sizeof(*g));
	if (!g)
		return OTST_ERR_NOMEM;
	g->fd = fd;
	g->size = (uint64_t)st.st_size;
	g->big_endian = headers_big_endian(fd);
	g->map = mmap(NULL, g->size, PROT_READ, MAP_SHARED, fd, 0);
	if (g->map == MAP_FAILED) {
		g->map = NULL;
		problem = "it cannot be mapped";
	} else {
		err = check_machine(g);
		problem = err ? NULL : read_layout(g);
	}
	if (problem) {
		complain("cannot read the compressed dump: %s", problem);
		err = OTST_ERR_CORRUPT;
	}
	if (err) {
		diskguard_close(g);
		return err;
	}
	*ret = g;
	return 0;
}

void diskguard_close(struct diskguard *g)
{
	if (!g)
		return;
	if (g->map)
		munmap((void *)g->map, g->size);
	free(g->before);
	free(g);
}

void diskguard_part(const struct diskguard *g, uint64_t *first, uint64_t *end)
{
	*first = g->first * g->page_size;
	*end = g->end * g->page_size;
}

uint64_t diskguard_memory_end(const struct diskguard *g)
{
	return g->max_pfn * g->page_size;
}

/* the notes, which have the registers of every cpu; NULL if they are elsewhere */
static const uint8_t *find_notes(const struct diskguard *g, uint64_t *size)
{
	const uint8_t *sub = g->map + g->page_size;

	if (get32(g, g->map + VERSION_AT) < 4)
		return NULL;
	*size = get64(g, sub + SUB_NOTE_AT + 8);
	return g->map + get64(g, sub + SUB_NOTE_AT);
}

static bool have_same_notes(const struct diskguard *a, const struct diskguard *b)
{
	uint64_t size_a = 0, size_b = 0;
	const uint8_t *of_a = find_notes(a, &size_a), *of_b = find_notes(b, &size_b);

	return !of_a || (of_b && size_a == size_b && !memcmp(of_a, of_b, size_a));
}

bool diskguard_is_same(const struct diskguard *a, const struct diskguard *b)
{
	/* makedumpfile compares the headers as well, see its store_splitting_info() */
	return !memcmp(a->map, b->map, HEADER_SIZE) && a->max_pfn == b->max_pfn &&
	       a->pages == b->pages && have_same_notes(a, b) &&
	       !memcmp(a->before, b->before, (a->pages / GROUP_BITS + 1) * sizeof(*a->before));
}

uint64_t diskguard_page_size(const struct diskguard *g)
{
	return g->page_size;
}

bool diskguard_vmcoreinfo(const struct diskguard *g, uint64_t *offset, uint64_t *size)
{
	*offset = g->vmcoreinfo[0];
	*size = g->vmcoreinfo[1];
	return *size;
}

static bool is_dumped(const struct diskguard *g, uint64_t pfn)
{
	return g->bitmap[pfn / 8] >> pfn % 8 & 1;
}

bool diskguard_find(const struct diskguard *g, uint64_t pfn, struct diskpage *ret)
{
	if (pfn < g->first || pfn >= g->end || !is_dumped(g, pfn))
		return false;
	return read_descriptor(g, count_dumped(g, pfn) - g->skipped, ret);
}

bool diskguard_allows(const struct diskguard *g, uint64_t phys, uint64_t len)
{
	uint64_t last = (phys + len - 1) / g->page_size;
	struct diskpage page;

	for (uint64_t pfn = phys / g->page_size; pfn <= last; pfn++) {
		if (!diskguard_find(g, pfn, &page))
			return false;
	}
	return true;
}

/* first page at or after @pfn that is (or, unless @dumped, is not) dumped; skips uniform groups */
static uint64_t find_bit(const struct diskguard *g, uint64_t pfn, bool dumped)
{
	while (pfn < g->end && is_dumped(g, pfn) != dumped) {
		uint64_t group = pfn / GROUP_BITS, set = g->before[group + 1] - g->before[group];

		if (!(pfn % GROUP_BITS) && set == (dumped ? 0 : GROUP_BITS))
			pfn += GROUP_BITS;
		else
			pfn++;
	}
	return pfn < g->end ? pfn : g->end;
}

bool diskguard_next(const struct diskguard *g, uint64_t phys, uint64_t *start, uint64_t *end)
{
	uint64_t pfn = phys / g->page_size;
	uint64_t from = find_bit(g, pfn > g->first ? pfn : g->first, true);

	if (from >= g->end)
		return false;
	*start = from * g->page_size;
	*end = find_bit(g, from, false) * g->page_size;
	return true;
}
