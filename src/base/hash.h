/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * hash.h - map from the hash of a name to small numbers (hash.c)
 */
#ifndef OTST_HASH_H
#define OTST_HASH_H

#include <string.h>

#include "../otst.h"

/** struct otst_names - open-addressing map from a hash to a non-zero 32-bit value */
struct otst_names {
	uint32_t *hash;
	uint32_t *value;
	size_t mask;
	size_t used;
};

/** otst_mix() - @hash with one more number in it */
static inline uint64_t otst_mix(uint64_t hash, uint64_t v)
{
	hash = (hash ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

/** otst_mix_text() - @hash with @len bytes of text in it */
static inline uint64_t otst_mix_text(uint64_t hash, const char *s, size_t len)
{
	uint64_t v = 0;

	for (hash = otst_mix(hash, len); len >= sizeof(v); s += sizeof(v), len -= sizeof(v)) {
		memcpy(&v, s, sizeof(v));
		hash = otst_mix(hash, v);
	}
	for (v = 0; len; len--)
		v = v << 8 | (unsigned char)*s++;
	return otst_mix(hash, v);
}

/**
 * OTST_NAME_MOST - bytes of a name; a longer one is none
 *
 * The kernel's own are shorter than 512 (KSYM_NAME_LEN). In a file that somebody made, all
 * names can be ends of one string of megabytes.
 */
#define OTST_NAME_MOST 1024u

/** OTST_NAMES_SHARE - so many names share a place of a table only where somebody chose them for that */
#define OTST_NAMES_SHARE 512u

uint32_t otst_hash(const char *s, size_t len);
int otst_names_init(struct otst_names *n, size_t expected);
void otst_names_deinit(struct otst_names *n);
void otst_names_add(struct otst_names *n, uint32_t hash, uint32_t value);

/** otst_names_find() - next value with this hash; start with *@slot = SIZE_MAX; 0 at the end */
uint32_t otst_names_find(const struct otst_names *n, uint32_t hash, size_t *slot);

#endif /* OTST_HASH_H */
