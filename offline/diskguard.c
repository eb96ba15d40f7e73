// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * diskguard.c - looks at a page's descriptor in a compressed dump before
 * libkdumpfile does.
 *
 * Up to release 0.5.2 the library reads a compressed page of up to 256 KiB, as
 * its descriptor says, into a buffer of one page: a flipped bit in the file
 * overwrites the heap. It also takes what lies after the end of a truncated
 * file for zeros. The layout is makedumpfile's diskdump_mod.h: header, sub
 * header, two bitmaps, then a descriptor for each bit set in the second one.
 */
#include "offline.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* struct disk_dump_header and struct page_desc, 64-bit layout */
#define BLOCK_SIZE_AT		428
#define SUB_HDR_SIZE_AT		432
#define BITMAP_BLOCKS_AT	436
#define MAX_MAPNR_AT		440
#define HEADER_VERSION_AT	8
#define SUB_MAX_MAPNR_AT	96	/* in the sub header, version 6 and later */
#define SUB_SPLIT_AT		12

#define DESC_SIZE		24
#define PAGE_SIZE		4096u

/* Bits counted ahead of time for each of these, so that a look-up is short. */
#define GROUP_BITS		4096u
#define GROUP_BYTES		(GROUP_BITS / 8)

struct diskguard {
	int fd;
	uint64_t file_size;
	uint64_t desc_at;	/* where the descriptors start */
	uint64_t pages;		/* bits of the bitmap */
	uint8_t *bitmap;
	uint64_t *before;	/* for each group, bits set before it */
};

static uint32_t get32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

static uint64_t get64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return le64toh(v);
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

static bool read_bitmap(struct diskguard *g, uint64_t at, uint64_t bytes)
{
	size_t groups = (size_t)((bytes + GROUP_BYTES - 1) / GROUP_BYTES);
	uint64_t set = 0;

	g->bitmap = calloc(groups, GROUP_BYTES);
	g->before = calloc(groups, sizeof(*g->before));
	if (!g->bitmap || !g->before || !read_fully(g->fd, g->bitmap, bytes, at))
		return false;
	for (size_t i = 0; i < groups; i++) {
		g->before[i] = set;
		set += count_bits(g->bitmap + i * GROUP_BYTES, GROUP_BYTES);
	}
	return true;
}

static bool read_layout(struct diskguard *g)
{
	uint8_t head[512], sub[128];
	uint64_t bytes, at, pages;

	if (!read_fully(g->fd, head, sizeof(head), 0) ||
	    get32(head + BLOCK_SIZE_AT) != PAGE_SIZE ||
	    !read_fully(g->fd, sub, sizeof(sub), PAGE_SIZE))
		return false;
	pages = get32(head + MAX_MAPNR_AT);
	if (get32(head + HEADER_VERSION_AT) >= 6)
		pages = get64(sub + SUB_MAX_MAPNR_AT);
	/* A part of a split dump counts from its own first page; rare, and not guarded. */
	if (get32(head + HEADER_VERSION_AT) >= 2 && get32(sub + SUB_SPLIT_AT))
		return false;

	at = (1 + (uint64_t)get32(head + SUB_HDR_SIZE_AT)) * PAGE_SIZE;
	bytes = (uint64_t)get32(head + BITMAP_BLOCKS_AT) * PAGE_SIZE;
	if (at > g->file_size || bytes > g->file_size - at)
		return false;
	g->desc_at = at + bytes;
	/* Two bitmaps: memory that exists, memory that is dumped. */
	if (pages <= bytes * 8 / 2) {
		bytes /= 2;
		at += bytes;
	}
	g->pages = bytes * 8;
	return read_bitmap(g, at, bytes);
}

struct diskguard *diskguard_open(int fd)
{
	struct diskguard *g = calloc(1, sizeof(*g));
	struct stat st;
	char magic[8];

	if (!g)
		return NULL;
	g->fd = fd;
	g->file_size = fstat(fd, &st) ? 0 : (uint64_t)st.st_size;
	if (read_fully(fd, magic, sizeof(magic), 0) &&
	    (!memcmp(magic, "KDUMP   ", 8) || !memcmp(magic, "DISKDUMP", 8)) && read_layout(g))
		return g;
	diskguard_close(g);
	return NULL;
}

void diskguard_close(struct diskguard *g)
{
	if (!g)
		return;
	free(g->bitmap);
	free(g->before);
	free(g);
}

bool diskguard_allows(struct diskguard *g, uint64_t pfn)
{
	const uint8_t *group;
	uint8_t desc[DESC_SIZE];
	uint64_t index, offset, size;

	/* Not dumped: the library says so itself. */
	if (pfn >= g->pages || !(g->bitmap[pfn / 8] >> pfn % 8 & 1))
		return true;
	group = g->bitmap + pfn / GROUP_BITS * GROUP_BYTES;
	index = g->before[pfn / GROUP_BITS];
	index += count_bits(group, pfn % GROUP_BITS / 8);
	index += (uint64_t)__builtin_popcount(g->bitmap[pfn / 8] & ((1u << pfn % 8) - 1));

	if (!read_fully(g->fd, desc, sizeof(desc), g->desc_at + index * DESC_SIZE))
		return false;
	offset = get64(desc);
	size = get32(desc + 8);
	return size <= PAGE_SIZE && offset <= g->file_size && size <= g->file_size - offset;
}
