// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * memory.c - reads of kernel memory through a small cache.
 *
 * Records lie close together and a target pays about a microsecond for each read
 * whatever its size, so small reads fetch the chunk around them. If a chunk is not
 * entirely in the dump, only the bytes asked for are read, without the cache.
 */
#include <stdlib.h>
#include <string.h>
#include <inttypes.h>

#include "../base/engine.h"
#include "memory.h"
#include "translate.h"

#define CACHE_CHUNKS 512u	      /* power of two: 2 MiB */
#define DIRECT_READ  (4 * OTST_CHUNK) /* larger reads bypass the cache */

struct chunk_cache {
	uint64_t memory;	     /* the &otst.memory for which it is valid */
	uint64_t base[CACHE_CHUNKS]; /* 1 = empty: never a chunk's address */
	unsigned char data[CACHE_CHUNKS][OTST_CHUNK];
};

int otst_target_read(struct otst *o, int space, uint64_t addr, void *buf, size_t len)
{
	int err = otst_check(o);

	if (err)
		return err;
	if (!len)
		return 0;
	if (addr + (len - 1) < addr)
		return otst_raise(o, OTST_ERR_FAULT, "%zu bytes at 0x%" PRIx64 " wrap around", len,
				  addr);
	err = o->ops.read(o->priv, space, addr, buf, len);
	if (err == OTST_ERR_UNSUPPORTED && space == OTST_VIRT)
		err = otst_translated_read(o, addr, buf, len);
	if (otst_fatal(err))
		return otst_answer(o, err);
	if (err)
		return otst_raise(o, err, "cannot read %zu byte%s at 0x%" PRIx64, len,
				  otst_number(len, "", "s"), addr);
	return 0;
}

static void empty_cache(struct chunk_cache *c, uint64_t memory)
{
	for (size_t i = 0; i < CACHE_CHUNKS; i++)
		c->base[i] = 1;
	c->memory = memory;
}

static int cache_init(struct otst *o, const void *of, void *value)
{
	struct chunk_cache **ret = value, *c = malloc(sizeof(*c));

	(void)of;
	if (!c)
		return otst_no_memory(o);
	empty_cache(c, o->memory);
	*ret = c;
	return 0;
}

static void cache_free(void *value)
{
	free(*(struct chunk_cache **)value);
}

static const struct otst_once chunk_cache = { .size = sizeof(struct chunk_cache *),
					      .make = cache_init,
					      .destroy = cache_free };

static int cached_chunk(struct otst *o, uint64_t base, const unsigned char **ret)
{
	size_t slot = (base / OTST_CHUNK) & (CACHE_CHUNKS - 1);
	struct chunk_cache **cache, *c;
	int err = otst_once(o, &chunk_cache, NULL, &cache);

	if (err)
		return err;
	c = *cache;
	if (c->memory != o->memory)
		empty_cache(c, o->memory);
	if (c->base[slot] != base) {
		c->base[slot] = 1;
		err = otst_target_read(o, OTST_VIRT, base, c->data[slot], OTST_CHUNK);
		if (err)
			return err;
		c->base[slot] = base;
	}
	*ret = c->data[slot];
	return 0;
}

static int read_chunks(struct otst *o, uint64_t addr, void *buf, size_t len)
{
	unsigned char *to = buf;

	if (len >= DIRECT_READ || addr + len < addr)
		return otst_target_read(o, OTST_VIRT, addr, buf, len);
	while (len) {
		uint64_t base = addr & ~(uint64_t)(OTST_CHUNK - 1);
		size_t at = addr - base;
		size_t n = OTST_CHUNK - at < len ? OTST_CHUNK - at : len;
		const unsigned char *chunk;
		int err;

		err = cached_chunk(o, base, &chunk);
		if (!err)
			memcpy(to, chunk + at, n);
		else if (err == OTST_ERR_FAULT)
			err = otst_target_read(o, OTST_VIRT, addr, to, n);
		if (err)
			return err;
		to += n;
		addr += n;
		len -= n;
	}
	return 0;
}

int otst_read(struct otst *o, uint64_t addr, void *buf, size_t len)
{
	int err = read_chunks(o, addr, buf, len);

	if (err && o->once.making)
		otst_once_retry(o);
	return err;
}

int otst_read_now(struct otst *o, uint64_t addr, void *buf, size_t len)
{
	return otst_is_live(o) ? otst_target_read(o, OTST_VIRT, addr, buf, len) :
				 otst_read(o, addr, buf, len);
}

int otst_read_head(struct otst *o, uint64_t addr, void *buf, size_t least, size_t most, size_t *ret)
{
	size_t low = least, high = most, n;
	int err = read_chunks(o, addr, buf, most);

	if (!err)
		*ret = most;
	if (err != OTST_ERR_FAULT)
		return err;
	/* @high bytes cannot be read */
	while (high - low > 1) {
		n = low + (high - low) / 2;
		err = read_chunks(o, addr, buf, n);
		if (err && err != OTST_ERR_FAULT)
			return err;
		if (err)
			high = n;
		else
			low = n;
	}
	*ret = low;
	return otst_read(o, addr, buf, low);
}

int otst_read_u8(struct otst *o, uint64_t addr, uint8_t *ret)
{
	return otst_read(o, addr, ret, 1);
}

int otst_read_u32(struct otst *o, uint64_t addr, uint32_t *ret)
{
	unsigned char b[4];
	int err = otst_read(o, addr, b, sizeof(b));

	if (!err)
		*ret = (uint32_t)otst_get(o, b, sizeof(b));
	return err;
}

int otst_read_u64(struct otst *o, uint64_t addr, uint64_t *ret)
{
	unsigned char b[8];
	int err = otst_read(o, addr, b, sizeof(b));

	if (!err)
		*ret = otst_get(o, b, sizeof(b));
	return err;
}

int otst_read_string(struct otst *o, uint64_t addr, size_t max, const char **ret)
{
	char chunk[256];
	size_t len = 0;
	int err;
	char *s = otst_alloc(o, max + 1);

	if (!s)
		return otst_no_memory(o);
	while (len < max) {
		/* not past the chunk that holds the next byte: the string may end there */
		size_t n = OTST_CHUNK - ((addr + len) & (OTST_CHUNK - 1));
		char *nul;

		n = n < sizeof(chunk) ? n : sizeof(chunk);
		n = n < max - len ? n : max - len;
		err = otst_read(o, addr + len, chunk, n);
		/* a dump may hold no more than the string itself */
		if (err == OTST_ERR_FAULT && n > 1) {
			n = 1;
			err = otst_read(o, addr + len, chunk, n);
		}
		if (err)
			return err;
		memcpy(s + len, chunk, n);
		nul = memchr(chunk, '\0', n);
		if (nul)
			break;
		len += n;
	}
	*ret = otst_clean(o, s);
	return 0;
}
