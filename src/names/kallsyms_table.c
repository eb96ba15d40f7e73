// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * kallsyms_table.c - reads the kernel's own symbol table: tokens, compressed names, addresses.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/engine.h"
#include "../memory/memory.h"
#include "kallsyms_table.h"
#include "symbols.h"

#define MAX_SYMBOLS (4u << 20)
#define NAMES_CHUNK (64u << 10) /* read at a time after the first guess */

static int read_block(struct otst *o, uint64_t addr, size_t len, void *ret)
{
	void *buf = malloc(len ? len : 1);
	int err = buf ? otst_read(o, addr, buf, len) : otst_no_memory(o);

	if (err)
		free(buf);
	else
		*(void **)ret = buf;
	return err;
}

static void set_token(struct otst_kallsyms_token *t, const char *text)
{
	size_t i, len = strlen(text);

	t->text = text;
	t->hash = otst_kallsyms_hash(0, text, len);
	t->tail = len ? otst_kallsyms_hash(0, text + 1, len - 1) : 0;
	t->step = 1;
	for (i = 0; i < len; i++)
		t->step *= OTST_KALLSYMS_STEP;
	t->has_dot = memchr(text, '.', len);
}

static int read_tokens(struct otst *o, struct otst_kallsyms *k)
{
	const uint64_t table = k->place.token_table, at = k->place.token_index;
	unsigned char index[OTST_KALLSYMS_TOKENS * 2];
	size_t len, i;
	int err = otst_read(o, at, index, sizeof(index));

	if (err)
		return err;
	/* the last token starts where the index says and is short */
	len = otst_get(o, index + 2 * (OTST_KALLSYMS_TOKENS - 1), 2) + 256;
	if (at > table && at - table < len)
		len = at - table;
	k->token_table = calloc(1, len + 1);
	err = k->token_table ? otst_read(o, table, k->token_table, len) : otst_no_memory(o);
	if (err)
		return err;
	for (i = 0; i < OTST_KALLSYMS_TOKENS; i++) {
		size_t off = otst_get(o, index + 2 * i, 2);

		set_token(&k->token[i], off < len ? k->token_table + off : "");
	}
	return 0;
}

/* read up to @chunk more bytes of the names, less where the dump ends before that */
static int read_more_names(struct otst *o, struct otst_kallsyms *k, size_t chunk)
{
	unsigned char *more = realloc(k->names, k->names_len + chunk);
	size_t got;
	int err;

	if (!more)
		return otst_no_memory(o);
	k->names = more;
	err = otst_read_head(o, k->place.names + k->names_len, more + k->names_len, 1, chunk, &got);
	if (err)
		return otst_fail(o, err, "kallsyms_names");
	k->names_len += got;
	return 0;
}

/*
 * The length of kallsyms_names is stored nowhere: read as much as the names
 * usually need, then more until the last one is complete.
 */
static int read_kallsyms_names(struct otst *o, struct otst_kallsyms *k)
{
	size_t chunk = (size_t)k->count * 14 + OTST_CHUNK, off = 0, body = 0, len = 0;
	uint32_t i = 0;
	int err;

	k->marker = calloc((k->count >> OTST_KALLSYMS_SHIFT) + 1, sizeof(*k->marker));
	if (!k->marker)
		return otst_no_memory(o);
	while (i < k->count) {
		size_t next = otst_kallsyms_next(k, off, &body, &len);

		if (next) {
			if (!(i & ((1u << OTST_KALLSYMS_SHIFT) - 1)))
				k->marker[i >> OTST_KALLSYMS_SHIFT] = (uint32_t)off;
			off = next;
			i++;
			continue;
		}
		if (k->names_len > (size_t)k->count * OTST_NAME_MAX)
			return otst_raise(o, OTST_ERR_CORRUPT, "kallsyms_names has no end");
		err = read_more_names(o, k, chunk);
		if (err)
			return err;
		chunk = NAMES_CHUNK;
	}
	return 0;
}

/* ---- markers: the offset of each 256th name, 32 bits since 5.0 ---- */

#define MARKED	   256u
#define LEAST_NAME 2u	/* a length, a type */
#define MOST_NAME  130u /* as kallsyms_shape.c */

static bool are_markers(const struct otst *o, const unsigned char *raw, size_t count)
{
	uint64_t last = 0, at;

	for (size_t i = 0; i < count; i++, last = at) {
		at = otst_get(o, raw + 4 * i, 4);
		if (i ? at < last + MARKED * LEAST_NAME || at > last + MARKED * MOST_NAME : at)
			return false;
	}
	return true;
}

static int compare_markers(struct otst *o, const struct otst_kallsyms *k, const unsigned char *raw,
			   size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (otst_get(o, raw + 4 * i, 4) != k->marker[i * MARKED >> OTST_KALLSYMS_SHIFT])
			return otst_raise(o, OTST_ERR_CORRUPT,
					  "kallsyms_names is damaged between its names %zu and %zu "
					  "of %" PRIu32,
					  (i - 1) * MARKED, i * MARKED, k->count);
	}
	return 0;
}

/*
 * They lie before the tokens; in kernels since 6.2 the order of the names, 3 bytes a name, may lie
 * between. Where nothing looks like them, nothing is compared.
 */
static int check_markers(struct otst *o, const struct otst_kallsyms *k)
{
	const size_t count = (k->count + MARKED - 1) / MARKED, size = (4 * count + 7) & -(size_t)8;
	const size_t order = (3 * (size_t)k->count + 7) & -(size_t)8;
	const uint64_t ends[] = { k->place.token_table, k->place.token_table - order };
	unsigned char *raw = malloc(size);
	int err = raw ? 0 : otst_no_memory(o);

	for (size_t i = 0; i < 2 && !err; i++) {
		if (otst_read(o, ends[i] - size, raw, size) || !are_markers(o, raw, count))
			continue;
		err = compare_markers(o, k, raw, count);
		break;
	}
	free(raw);
	return err ?: otst_stopped(o);
}

/* ---- addresses ---- */

static int read_absolute(struct otst *o, struct otst_kallsyms *k)
{
	unsigned char *raw = NULL;
	int err = read_block(o, k->place.addresses, (size_t)k->count * 8, &raw);

	if (err)
		return otst_fail(o, err, "kallsyms_addresses");
	for (uint32_t i = 0; i < k->count; i++)
		k->addr[i] = otst_get(o, raw + 8 * (size_t)i, 8);
	free(raw);
	return 0;
}

/*
 * 32-bit values, newest way first: relative to the place of the value itself
 * (no kallsyms_relative_base); relative to the base, where negative values
 * count down from it and others are absolute per-cpu addresses
 * (CONFIG_KALLSYMS_ABSOLUTE_PERCPU, up to 6.14); relative to the base.
 */
static int read_offsets(struct otst *o, struct otst_kallsyms *k)
{
	const uint64_t at = k->place.offsets;
	const bool self = !k->place.relative_base;
	uint64_t base = 0;
	bool percpu = false;
	unsigned char *raw = NULL;
	int err;

	if (!self) {
		err = otst_read_u64(o, k->place.relative_base, &base);
		if (err)
			return otst_fail(o, err, "kallsyms_relative_base");
	}
	err = read_block(o, at, (size_t)k->count * 4, &raw);
	if (err)
		return otst_fail(o, err, "kallsyms_offsets");
	for (uint32_t i = 0; !self && i < k->count && !percpu; i++)
		percpu = otst_get(o, raw + 4 * (size_t)i, 4) >> 31;
	for (uint32_t i = 0; i < k->count; i++) {
		uint32_t v = (uint32_t)otst_get(o, raw + 4 * (size_t)i, 4);

		if (self)
			k->addr[i] = at + 4 * (uint64_t)i + (uint64_t)(int64_t)(int32_t)v;
		else if (!percpu)
			k->addr[i] = base + v;
		else if ((int32_t)v < 0)
			k->addr[i] = base - 1 - (uint64_t)(int64_t)(int32_t)v;
		else
			k->addr[i] = v;
	}
	free(raw);
	return 0;
}

static int read_addresses(struct otst *o, struct otst_kallsyms *k)
{
	int err;

	k->addr = calloc(k->count, sizeof(*k->addr));
	if (!k->addr)
		return otst_no_memory(o);
	err = k->place.offsets ? read_offsets(o, k) : read_absolute(o, k);
	if (err)
		return err;
	for (uint32_t i = 1; i < k->count; i++) {
		if (k->addr[i] < k->addr[i - 1])
			return otst_raise(o, OTST_ERR_CORRUPT, "kallsyms addresses are not sorted");
	}
	return 0;
}

/* Up to 4.20 it is an unsigned long, whose lower half comes last on big-endian machines. */
static int read_count(struct otst *o, struct otst_kallsyms *k)
{
	int err = otst_read_u32(o, k->place.num_syms, &k->count);

	if (!err && !k->count && otst_big_endian(o))
		err = otst_read_u32(o, k->place.num_syms + 4, &k->count);
	if (err)
		return otst_fail(o, err, "kallsyms_num_syms");
	if (!k->count || k->count > MAX_SYMBOLS)
		return otst_raise(o, OTST_ERR_CORRUPT, "kallsyms_num_syms is %" PRIu32, k->count);
	return 0;
}

int otst_kallsyms_read(struct otst *o, const struct otst_kallsyms_place *place,
		       struct otst_kallsyms **ret)
{
	struct otst_kallsyms *k = calloc(1, sizeof(*k));
	int err;

	if (!k)
		return otst_no_memory(o);
	k->place = *place;
	err = read_count(o, k);
	err = err ?: read_tokens(o, k);
	err = err ?: read_kallsyms_names(o, k);
	err = err ?: check_markers(o, k);
	err = err ?: read_addresses(o, k);
	if (err)
		otst_kallsyms_close(k);
	else
		*ret = k;
	return err;
}

void otst_kallsyms_close(struct otst_kallsyms *k)
{
	if (!k)
		return;
	free(k->addr);
	free(k->names);
	free(k->marker);
	free(k->token_table);
	otst_names_deinit(&k->index);
	free(k);
}
