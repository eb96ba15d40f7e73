/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * unpack.h - data in the formats by which kernels, and files of them, are compressed.
 */
#ifndef OTST_UNPACK_H
#define OTST_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** enum otst_packing - a format, by its first bytes */
enum otst_packing {
	OTST_PACKING_NONE,
	OTST_PACKING_GZIP,
	OTST_PACKING_XZ,
	OTST_PACKING_LZMA,
	OTST_PACKING_BZIP2,
	OTST_PACKING_ZSTD,
	OTST_PACKING_LZ4,
	OTST_PACKING_LZ4_LEGACY, /**< what kernels use: blocks of 8 MiB */
	OTST_PACKING_LZO,	 /**< lzop's; it is not read */
	OTST_PACKING_COUNT
};

/** otst_packing_of() - the format of @data */
enum otst_packing otst_packing_of(const uint8_t *data, size_t len);

/** otst_packing_name() - "gzip" */
const char *otst_packing_name(enum otst_packing packing);

/**
 * otst_unpack() - decompress one stream, and those of the same format behind it
 * @take: gets the bytes piece by piece; it returns false to stop
 * @rest: how many bytes behind the streams are something else than padding
 *
 * Return: NULL, also when @take stopped it; or why it did not come to the end: a
 * static string.
 */
const char *otst_unpack(enum otst_packing packing, const uint8_t *data, size_t len,
			bool (*take)(void *priv, const uint8_t *bytes, size_t len), void *priv,
			size_t *rest);

#endif /* OTST_UNPACK_H */
