// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * crc32c.c - CRC-32C, eight bytes at a time ("slicing by 8").
 */
#include "crc32c.h"

#define POLYNOMIAL 0x82f63b78u /* its bits reversed */

void crc32c_init(struct crc32c *c)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i;

		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
		c->after[0][i] = crc;
	}
	for (size_t n = 1; n < 8; n++) {
		for (size_t i = 0; i < 256; i++) {
			uint32_t before = c->after[n - 1][i];

			c->after[n][i] = before >> 8 ^ c->after[0][before & 255];
		}
	}
}

uint32_t crc32c(const struct crc32c *c, const void *data, size_t len)
{
	const unsigned char *at = data;
	uint32_t crc = ~0u;

	for (; len >= 8; len -= 8, at += 8)
		crc = c->after[7][at[0] ^ (crc & 255)] ^ c->after[6][at[1] ^ (crc >> 8 & 255)] ^
		      c->after[5][at[2] ^ (crc >> 16 & 255)] ^ c->after[4][at[3] ^ crc >> 24] ^
		      c->after[3][at[4]] ^ c->after[2][at[5]] ^ c->after[1][at[6]] ^
		      c->after[0][at[7]];
	for (; len; len--)
		crc = crc >> 8 ^ c->after[0][(crc ^ *at++) & 255];
	return ~crc;
}
