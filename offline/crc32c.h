/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * crc32c.h - the checksum CRC-32C (Castagnoli's polynomial, RFC 3720), which zlib does not have.
 */
#ifndef OTST_CRC32C_H
#define OTST_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/** struct crc32c - tables for eight bytes at a time: of a byte that 0..7 others follow */
struct crc32c {
	uint32_t after[8][256];
};

void crc32c_init(struct crc32c *c);

uint32_t crc32c(const struct crc32c *c, const void *data, size_t len);

#endif /* OTST_CRC32C_H */
