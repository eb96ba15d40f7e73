/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * kallsyms_table.h - the kernel's own symbol table as it is in memory: kallsyms_table.c reads it,
 * kallsyms.c looks symbols up in it.
 */
#ifndef OTST_KALLSYMS_TABLE_H
#define OTST_KALLSYMS_TABLE_H

#include "../base/hash.h"
#include "kallsyms.h"

#define OTST_KALLSYMS_TOKENS 256
#define OTST_KALLSYMS_SHIFT  4 /* one marker for 16 names */

/* the hash of a name is made from those of its tokens: the name need not be expanded */
#define OTST_KALLSYMS_STEP 16777619u

/**
 * struct otst_kallsyms_token - what a code in kallsyms_names stands for
 * @hash: of @text; @tail: of @text without its first character
 * @step: OTST_KALLSYMS_STEP to the power of the length of @text
 */
struct otst_kallsyms_token {
	const char *text;
	uint32_t hash;
	uint32_t tail;
	uint32_t step;
	bool has_dot;
};

/* @place: where the kernel has it */
struct otst_kallsyms {
	struct otst_kallsyms_place place;
	uint32_t count;
	uint64_t *addr; /* [count], ascending */
	unsigned char *names;
	size_t names_len;
	uint32_t *marker; /* offset of each 16th name */
	struct otst_kallsyms_token token[OTST_KALLSYMS_TOKENS];
	char *token_table;
	uint64_t text_start, text_end; /* _stext .. _end: where the kernel uses this table */
	struct otst_names index;
	bool index_made;
};

/* offset after the entry at @off, or 0 when the entry leaves the table */
static inline size_t otst_kallsyms_next(const struct otst_kallsyms *k, size_t off, size_t *body,
					size_t *len)
{
	size_t n;

	if (off >= k->names_len)
		return 0;
	n = k->names[off++];
	/*
	 * Linux 73bbb94466fd ("kallsyms: support "big" kernel symbols") (v6.1)
	 * spends a second length byte on names of more than 127 codes.
	 */
	if (n & 0x80) {
		if (off >= k->names_len)
			return 0;
		n = (n & 0x7f) | (size_t)k->names[off++] << 7;
	}
	if (n > k->names_len - off)
		return 0;
	*body = off;
	*len = n;
	return off + n;
}

static inline uint32_t otst_kallsyms_hash(uint32_t h, const char *s, size_t len)
{
	while (len--)
		h = h * OTST_KALLSYMS_STEP + (unsigned char)*s++;
	return h;
}

/** otst_kallsyms_read() - read the table at @place, all but @text_start, @text_end and @index */
int otst_kallsyms_read(struct otst *o, const struct otst_kallsyms_place *place,
		       struct otst_kallsyms **ret);

#endif /* OTST_KALLSYMS_TABLE_H */
