/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * bytes.h - integers in a buffer, in an order that a format prescribes. What
 * a kernel wrote in its own order is read with otst_get(), see ../dump/memory.h.
 */
#ifndef OTST_BYTES_H
#define OTST_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** otst_get_le() - little-endian integer of 1..8 bytes */
static inline uint64_t otst_get_le(const void *p, size_t size)
{
	uint64_t v = 0;

	memcpy(&v, p, size < sizeof(v) ? size : sizeof(v));
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(v) : v;
}

/** otst_put_le() - write one */
static inline void otst_put_le(void *to, uint64_t v, size_t size)
{
	v = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(v) : v;
	memcpy(to, &v, size < sizeof(v) ? size : sizeof(v));
}

/** otst_get_be() - big-endian integer of 1..8 bytes */
static inline uint64_t otst_get_be(const void *p, size_t size)
{
	size = size < 8 ? size : 8;
	return size ? __builtin_bswap64(otst_get_le(p, size)) >> (64 - 8 * size) : 0;
}

/** otst_put_be() - write a big-endian integer */
static inline void otst_put_be(void *to, uint64_t v, size_t size)
{
	uint8_t *b = (uint8_t *)to;

	while (size--) {
		b[size] = (uint8_t)v;
		v >>= 8;
	}
}

/** otst_get_as() - one of the two */
static inline uint64_t otst_get_as(bool big_endian, const void *p, size_t size)
{
	return big_endian ? otst_get_be(p, size) : otst_get_le(p, size);
}

#endif /* OTST_BYTES_H */
