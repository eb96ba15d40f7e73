// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * unpack.c - decompresses a whole stream, piece by piece, so that a vmlinux of a
 * gigabyte needs no memory of that size. The formats are those of Linux
 * scripts/Makefile.lib (cmd_gzip, cmd_xzkern, ...) and of the tools that
 * distributions use.
 */
#include <bzlib.h>
#include <lz4.h>
#include <lz4frame.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "../arch/bytes.h"
#include "unpack.h"

#define PIECE	     (1u << 20)
#define LEGACY_BLOCK (8u << 20)
#define LZMA_MEMORY  (1ull << 30) /* more is not believed */

static const char cut[] = "is cut", broken[] = "is damaged", no_memory[] = "needs more memory";

/** struct stream - @room: PIECE bytes for the output */
struct stream {
	const uint8_t *data;
	size_t len;
	bool (*take)(void *priv, const uint8_t *bytes, size_t len);
	void *priv;
	uint8_t *room;
};

/* zlib and bzip2 count in 32 bits */
static unsigned int cap_length(size_t len)
{
	return len > PIECE ? PIECE : (unsigned int)len;
}

/* parallel programs write one stream after the other: does another one start here */
static bool goes_on(const uint8_t *at, const uint8_t *end, enum otst_packing packing)
{
	return otst_packing_of(at, (size_t)(end - at)) == packing;
}

static const char *unpack_gzip(struct stream *s)
{
	z_stream z = { 0 };
	const uint8_t *end = s->data + s->len;
	const char *why = NULL;
	int got = Z_OK;

	if (inflateInit2(&z, MAX_WBITS + 16) != Z_OK)
		return no_memory;
	z.next_in = (uint8_t *)s->data;
	while (!why) {
		z.avail_in = cap_length((size_t)(end - z.next_in));
		z.next_out = s->room;
		z.avail_out = PIECE;
		got = inflate(&z, Z_NO_FLUSH);
		if (!s->take(s->priv, s->room, PIECE - z.avail_out))
			break;
		if (got == Z_STREAM_END && !goes_on(z.next_in, end, OTST_PACKING_GZIP))
			break;
		if (got == Z_STREAM_END)
			inflateReset(&z);
		else if (got == Z_BUF_ERROR && z.next_in == end)
			why = cut;
		else if (got != Z_OK)
			why = got == Z_MEM_ERROR ? no_memory : broken;
	}
	inflateEnd(&z);
	return why;
}

/* the kernel adds its size to either format: what follows the stream is not looked at */
static const char *run_lzma(struct stream *s, lzma_stream *z)
{
	lzma_ret got = LZMA_OK;

	z->next_in = s->data;
	z->avail_in = s->len;
	while (got == LZMA_OK) {
		z->next_out = s->room;
		z->avail_out = PIECE;
		got = lzma_code(z, LZMA_RUN);
		if (!s->take(s->priv, s->room, PIECE - z->avail_out))
			return NULL;
	}
	if (got == LZMA_STREAM_END)
		return NULL;
	if (got == LZMA_BUF_ERROR)
		return cut;
	return got == LZMA_MEM_ERROR || got == LZMA_MEMLIMIT_ERROR ? no_memory : broken;
}

static const char *unpack_xz(struct stream *s)
{
	lzma_stream z = LZMA_STREAM_INIT;
	const char *why = lzma_stream_decoder(&z, LZMA_MEMORY, 0) == LZMA_OK ? run_lzma(s, &z) :
									       no_memory;

	lzma_end(&z);
	return why;
}

static const char *unpack_lzma(struct stream *s)
{
	lzma_stream z = LZMA_STREAM_INIT;
	const char *why = lzma_alone_decoder(&z, LZMA_MEMORY) == LZMA_OK ? run_lzma(s, &z) :
									   no_memory;

	lzma_end(&z);
	return why;
}

static const char *unpack_bzip2_stream(struct stream *s, bz_stream *z, const char *end, bool *stop)
{
	int got = BZ_OK;

	while (got != BZ_STREAM_END && !*stop) {
		z->avail_in = cap_length((size_t)(end - z->next_in));
		z->next_out = (char *)s->room;
		z->avail_out = PIECE;
		got = BZ2_bzDecompress(z);
		*stop = !s->take(s->priv, s->room, PIECE - z->avail_out);
		if (got == BZ_OK && z->next_in == end && z->avail_out)
			return cut;
		if (got != BZ_OK && got != BZ_STREAM_END)
			return got == BZ_MEM_ERROR ? no_memory : broken;
	}
	return NULL;
}

static const char *unpack_bzip2(struct stream *s)
{
	const char *end = (const char *)s->data + s->len, *why = NULL;
	bz_stream z = { .next_in = (char *)s->data };
	bool stop = false;

	do {
		if (BZ2_bzDecompressInit(&z, 0, 0) != BZ_OK)
			return no_memory;
		why = unpack_bzip2_stream(s, &z, end, &stop);
		BZ2_bzDecompressEnd(&z);
	} while (!why && !stop &&
		 goes_on((const uint8_t *)z.next_in, (const uint8_t *)end, OTST_PACKING_BZIP2));
	return why;
}

static const char *unpack_zstd(struct stream *s)
{
	ZSTD_inBuffer in = { s->data, s->len, 0 };
	ZSTD_DCtx *z = ZSTD_createDCtx();
	const char *why = NULL;
	size_t left = 1;

	if (!z)
		return no_memory;
	/* the kernel is compressed with windows up to its own size */
	ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, 30);
	while (!why && (left || goes_on(s->data + in.pos, s->data + in.size, OTST_PACKING_ZSTD))) {
		ZSTD_outBuffer out = { s->room, PIECE, 0 };

		left = ZSTD_decompressStream(z, &out, &in);
		if (ZSTD_isError(left))
			why = broken;
		else if (!s->take(s->priv, s->room, out.pos))
			break;
		else if (left && in.pos == in.size && out.pos < out.size)
			why = cut;
	}
	ZSTD_freeDCtx(z);
	return why;
}

static const char *unpack_lz4(struct stream *s)
{
	LZ4F_dctx *z;
	const char *why = NULL;
	size_t at = 0, left = 1;

	if (LZ4F_isError(LZ4F_createDecompressionContext(&z, LZ4F_VERSION)))
		return no_memory;
	while (left && !why) {
		size_t in = s->len - at, out = PIECE;

		left = LZ4F_decompress(z, s->room, &out, s->data + at, &in, NULL);
		at += in;
		if (LZ4F_isError(left))
			why = broken;
		else if (!s->take(s->priv, s->room, out))
			break;
		else if (left && !in && !out)
			why = cut;
	}
	LZ4F_freeDecompressionContext(z);
	return why;
}

/*
 * Linux lib/decompress_unlz4.c: blocks with their length before them. The stream has no
 * end of its own; a block that is not full is the last.
 */
static const char *unpack_lz4_legacy(struct stream *s)
{
	char *block = malloc(LEGACY_BLOCK);
	const char *why = block ? NULL : no_memory;
	int got = LEGACY_BLOCK;
	size_t at = 4, len;

	for (; !why && got == LEGACY_BLOCK && at < s->len; at += 4 + len) {
		len = s->len - at < 4 ? SIZE_MAX : otst_get_le(s->data + at, 4);
		if (len == SIZE_MAX || len > s->len - at - 4 ||
		    len > (size_t)LZ4_compressBound(LEGACY_BLOCK)) {
			why = cut;
			break;
		}
		got = LZ4_decompress_safe((const char *)s->data + at + 4, block, (int)len,
					  LEGACY_BLOCK);
		if (got <= 0)
			why = broken;
		else if (!s->take(s->priv, (const uint8_t *)block, (size_t)got))
			break;
	}
	free(block);
	return why;
}

static const char *unpack_lzo(struct stream *s)
{
	(void)s;
	return "is compressed by lzop, which is not read";
}

static const struct {
	const char *name;
	size_t len;
	const char *magic;
	const char *(*unpack)(struct stream *s);
} formats[OTST_PACKING_COUNT] = {
	[OTST_PACKING_GZIP] = { "gzip", 3, "\x1f\x8b\x08", unpack_gzip },
	[OTST_PACKING_XZ] = { "xz", 6, "\xfd\x37zXZ\0", unpack_xz },
	[OTST_PACKING_LZMA] = { "lzma", 3, "\x5d\0\0", unpack_lzma },
	[OTST_PACKING_BZIP2] = { "bzip2", 3, "BZh", unpack_bzip2 },
	[OTST_PACKING_ZSTD] = { "zstd", 4, "\x28\xb5\x2f\xfd", unpack_zstd },
	[OTST_PACKING_LZ4] = { "lz4", 4, "\x04\x22\x4d\x18", unpack_lz4 },
	[OTST_PACKING_LZ4_LEGACY] = { "lz4", 4, "\x02\x21\x4c\x18", unpack_lz4_legacy },
	[OTST_PACKING_LZO] = { "lzop", 4, "\x89LZO", unpack_lzo },
};

enum otst_packing otst_packing_of(const uint8_t *data, size_t len)
{
	enum otst_packing i;

	for (i = OTST_PACKING_NONE + 1; i < OTST_PACKING_COUNT; i++) {
		if (len >= formats[i].len && !memcmp(data, formats[i].magic, formats[i].len))
			return i;
	}
	return OTST_PACKING_NONE;
}

const char *otst_packing_name(enum otst_packing packing)
{
	return formats[packing].name;
}

const char *otst_unpack(enum otst_packing packing, const uint8_t *data, size_t len,
			bool (*take)(void *priv, const uint8_t *bytes, size_t len), void *priv)
{
	struct stream s = { data, len, take, priv, malloc(PIECE) };
	const char *why = s.room ? formats[packing].unpack(&s) : no_memory;

	free(s.room);
	return why;
}
