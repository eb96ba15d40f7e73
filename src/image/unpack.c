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

#define PIECE	      (1u << 20)
#define LEGACY_BLOCK  (8u << 20)
#define SKIPPED_HEAD  8u
#define SKIPPED_MAGIC 0x184d2a50u
#define LZMA_MEMORY   (1ull << 30) /* more is not believed */

static const char cut[] = "is cut", broken[] = "is damaged", no_memory[] = "needs more memory";

/**
 * struct stream - @at: how much of @data is used
 * @stopped: @take wants no more
 * @room: PIECE bytes for the output
 */
struct stream {
	const uint8_t *data;
	size_t len, at;
	bool (*take)(void *priv, const uint8_t *bytes, size_t len);
	void *priv;
	bool stopped;
	uint8_t *room;
};

/* false when no more is wanted */
static bool give_bytes(struct stream *s, const void *bytes, size_t len)
{
	s->stopped = !s->take(s->priv, bytes, len);
	return !s->stopped;
}

/* zlib and bzip2 count in 32 bits */
static unsigned int cap_length(size_t len)
{
	return len > PIECE ? PIECE : (unsigned int)len;
}

/* what begins behind the last stream */
static enum otst_packing packing_at(const struct stream *s)
{
	return otst_packing_of(s->data + s->at, s->len - s->at);
}

static const char *unpack_gzip(struct stream *s)
{
	z_stream z = { 0 };
	const uint8_t *end = s->data + s->len;
	const char *why = NULL;
	int got = Z_OK;

	if (inflateInit2(&z, MAX_WBITS + 16) != Z_OK)
		return no_memory;
	z.next_in = (uint8_t *)s->data + s->at;
	while (got == Z_OK) {
		z.avail_in = cap_length((size_t)(end - z.next_in));
		z.next_out = s->room;
		z.avail_out = PIECE;
		got = inflate(&z, Z_NO_FLUSH);
		if (!give_bytes(s, s->room, PIECE - z.avail_out))
			break;
		if (got == Z_BUF_ERROR && z.next_in == end)
			why = cut;
		else if (got != Z_OK && got != Z_STREAM_END)
			why = got == Z_MEM_ERROR ? no_memory : broken;
	}
	s->at = (size_t)(z.next_in - s->data);
	inflateEnd(&z);
	return why;
}

static const char *run_lzma(struct stream *s, lzma_stream *z)
{
	lzma_ret got = LZMA_OK;

	z->next_in = s->data + s->at;
	z->avail_in = s->len - s->at;
	while (got == LZMA_OK) {
		z->next_out = s->room;
		z->avail_out = PIECE;
		got = lzma_code(z, LZMA_RUN);
		if (!give_bytes(s, s->room, PIECE - z->avail_out))
			return NULL;
	}
	s->at = s->len - z->avail_in;
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

static const char *unpack_bzip2(struct stream *s)
{
	const char *end = (const char *)s->data + s->len, *why = NULL;
	bz_stream z = { .next_in = (char *)s->data + s->at };
	int got = BZ_OK;

	if (BZ2_bzDecompressInit(&z, 0, 0) != BZ_OK)
		return no_memory;
	while (got == BZ_OK && !why) {
		z.avail_in = cap_length((size_t)(end - z.next_in));
		z.next_out = (char *)s->room;
		z.avail_out = PIECE;
		got = BZ2_bzDecompress(&z);
		if (!give_bytes(s, s->room, PIECE - z.avail_out))
			break;
		if (got == BZ_OK && z.next_in == end && z.avail_out)
			why = cut;
		else if (got != BZ_OK && got != BZ_STREAM_END)
			why = got == BZ_MEM_ERROR ? no_memory : broken;
	}
	s->at = (size_t)((const uint8_t *)z.next_in - s->data);
	BZ2_bzDecompressEnd(&z);
	return why;
}

static const char *unpack_zstd(struct stream *s)
{
	ZSTD_inBuffer in = { s->data, s->len, s->at };
	ZSTD_DCtx *z = ZSTD_createDCtx();
	const char *why = NULL;
	size_t left = 1;

	if (!z)
		return no_memory;
	/* the kernel is compressed with windows up to its own size */
	ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, 30);
	while (!why && left) {
		ZSTD_outBuffer out = { s->room, PIECE, 0 };

		left = ZSTD_decompressStream(z, &out, &in);
		if (ZSTD_isError(left))
			why = broken;
		else if (!give_bytes(s, s->room, out.pos))
			break;
		else if (left && in.pos == in.size && out.pos < out.size)
			why = cut;
	}
	s->at = in.pos;
	ZSTD_freeDCtx(z);
	return why;
}

static const char *unpack_lz4(struct stream *s)
{
	LZ4F_dctx *z;
	const char *why = NULL;
	size_t left = 1;

	if (LZ4F_isError(LZ4F_createDecompressionContext(&z, LZ4F_VERSION)))
		return no_memory;
	while (left && !why) {
		size_t in = s->len - s->at, out = PIECE;

		left = LZ4F_decompress(z, s->room, &out, s->data + s->at, &in, NULL);
		s->at += in;
		if (LZ4F_isError(left))
			why = broken;
		else if (!give_bytes(s, s->room, out))
			break;
		else if (left && !in && !out)
			why = cut;
	}
	LZ4F_freeDecompressionContext(z);
	return why;
}

/*
 * Linux lib/decompress_unlz4.c: blocks with their length before them. The stream has no
 * end of its own; a block that is not full is the last, and so is one before the next stream.
 */
static const char *unpack_lz4_legacy(struct stream *s)
{
	char *block = malloc(LEGACY_BLOCK);
	const char *why = block ? NULL : no_memory;
	int got = LEGACY_BLOCK;
	size_t len;

	s->at += 4;
	for (; !why && got == LEGACY_BLOCK && s->at < s->len; s->at += 4 + len) {
		if (packing_at(s) == OTST_PACKING_LZ4_LEGACY)
			break;
		len = s->len - s->at < 4 ? SIZE_MAX : otst_get_le(s->data + s->at, 4);
		if (len == SIZE_MAX || len > s->len - s->at - 4 ||
		    len > (size_t)LZ4_compressBound(LEGACY_BLOCK)) {
			why = cut;
			break;
		}
		got = LZ4_decompress_safe((const char *)s->data + s->at + 4, block, (int)len,
					  LEGACY_BLOCK);
		if (got <= 0)
			why = broken;
		else if (!give_bytes(s, block, (size_t)got))
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

/* zstd and lz4 skip frames with a program's own data; parallel zstd has one before each frame */
static size_t skip_frames(const uint8_t *data, size_t len)
{
	size_t at = 0, frame;

	while (len - at >= SKIPPED_HEAD && (otst_get_le(data + at, 4) & ~0xfu) == SKIPPED_MAGIC) {
		frame = SKIPPED_HEAD + otst_get_le(data + at + 4, 4);
		if (frame > len - at)
			break;
		at += frame;
	}
	return at;
}

enum otst_packing otst_packing_of(const uint8_t *data, size_t len)
{
	size_t skipped = skip_frames(data, len);
	enum otst_packing i;

	for (i = OTST_PACKING_NONE + 1; i < OTST_PACKING_COUNT; i++) {
		if (len - skipped >= formats[i].len &&
		    !memcmp(data + skipped, formats[i].magic, formats[i].len))
			return i;
	}
	return OTST_PACKING_NONE;
}

const char *otst_packing_name(enum otst_packing packing)
{
	return formats[packing].name;
}

const char *otst_unpack(enum otst_packing packing, const uint8_t *data, size_t len,
			bool (*take)(void *priv, const uint8_t *bytes, size_t len), void *priv,
			size_t *rest)
{
	struct stream s = { data, len, 0, take, priv, false, malloc(PIECE) };
	const char *why = s.room ? NULL : no_memory;

	/* `cat`, parallel programs and those that append write one stream after the other */
	while (!why && !s.stopped && packing_at(&s) == packing) {
		why = formats[packing].unpack(&s);
		/* padding: of xz, of tapes */
		while (!s.stopped && s.at < len && !data[s.at])
			s.at++;
	}
	*rest = s.stopped ? 0 : len - s.at;
	free(s.room);
	return why;
}
