// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * inflate.c - one page of a compressed dump, in any of the four formats that
 * makedumpfile writes: diskdump_mod.h, struct page_desc.
 *
 * libdeflate reads zlib's format more than twice as fast as zlib does; libkdumpfile
 * needs the other libraries, too.
 */
#include "diskpages.h"

#include <libdeflate.h>
#include <lzo/lzo1x.h>
#include <snappy-c.h>
#include <stdlib.h>
#include <zstd.h>

/* &diskpage.flags; without any of them the page is not compressed */
#define COMPRESSED_ZLIB	  0x1u
#define COMPRESSED_LZO	  0x2u
#define COMPRESSED_SNAPPY 0x4u
#define COMPRESSED_ZSTD	  0x20u
#define COMPRESSED	  (COMPRESSED_ZLIB | COMPRESSED_LZO | COMPRESSED_SNAPPY | COMPRESSED_ZSTD)

struct inflate {
	uint32_t page_size;
	struct libdeflate_decompressor *zlib;
	ZSTD_DCtx *zstd;
	uint8_t packed[];
};

struct inflate *inflate_create(uint32_t page_size)
{
	struct inflate *i = calloc(1, sizeof(*i) + page_size);

	if (i)
		i->page_size = page_size;
	return i;
}

void inflate_destroy(struct inflate *i)
{
	if (!i)
		return;
	libdeflate_free_decompressor(i->zlib);
	ZSTD_freeDCtx(i->zstd);
	free(i);
}

static bool by_zlib(struct inflate *i, uint32_t size, void *ret)
{
	if (!i->zlib)
		i->zlib = libdeflate_alloc_decompressor();
	/* NULL for the actual size: the output must be exactly one page */
	return i->zlib && libdeflate_zlib_decompress(i->zlib, i->packed, size, ret, i->page_size,
						     NULL) == LIBDEFLATE_SUCCESS;
}

static bool by_lzo(const struct inflate *i, uint32_t size, void *ret)
{
	lzo_uint len = i->page_size;

	return lzo1x_decompress_safe(i->packed, size, ret, &len, NULL) == LZO_E_OK &&
	       len == i->page_size;
}

static bool by_snappy(const struct inflate *i, uint32_t size, void *ret)
{
	size_t len = i->page_size;

	return snappy_uncompress((const char *)i->packed, size, ret, &len) == SNAPPY_OK &&
	       len == i->page_size;
}

static bool by_zstd(struct inflate *i, uint32_t size, void *ret)
{
	if (!i->zstd)
		i->zstd = ZSTD_createDCtx();
	return i->zstd &&
	       ZSTD_decompressDCtx(i->zstd, ret, i->page_size, i->packed, size) == i->page_size;
}

bool inflate_page(struct inflate *i, const struct diskpage *page, void *ret)
{
	if (!(page->flags & COMPRESSED))
		return page->size == i->page_size &&
		       read_fully(page->fd, ret, page->size, page->offset);
	if (page->size > i->page_size || !read_fully(page->fd, i->packed, page->size, page->offset))
		return false;
	if (page->flags & COMPRESSED_ZLIB)
		return by_zlib(i, page->size, ret);
	if (page->flags & COMPRESSED_LZO)
		return by_lzo(i, page->size, ret);
	if (page->flags & COMPRESSED_SNAPPY)
		return by_snappy(i, page->size, ret);
	return by_zstd(i, page->size, ret);
}
