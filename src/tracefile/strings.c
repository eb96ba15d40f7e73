// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * strings.c - strings that entries point to.
 */
#include "print.h"

#define STRINGS	   2048u
#define STRING_MAX 4096u

/* @texts: kernel strings by address; @scratch: for more of them than an undamaged dump has */
struct otst_tf_strings {
	struct otst_hashmap texts;
	char scratch[STRING_MAX + 1];
};

struct otst_tf_strings *otst_tf_strings_create(struct otst *o)
{
	return otst_new(o, sizeof(struct otst_tf_strings));
}

/* in small pieces: the page after the string may be missing from the dump */
static bool read_string(struct otst *o, uint64_t addr, char *buf)
{
	size_t len = 0, n, end;

	while (len < STRING_MAX) {
		n = 256 - ((addr + len) & 255);
		n = n < STRING_MAX - len ? n : STRING_MAX - len;
		if (otst_read(o, addr + len, buf + len, n)) {
			n = 1;
			if (otst_read(o, addr + len, buf + len, n))
				break;
		}
		end = strnlen(buf + len, n);
		len += end;
		if (end < n)
			break;
	}
	buf[len] = '\0';
	return len || !otst_read(o, addr, buf + len, 1);
}

const char *otst_tf_string(struct otst_tf *tf, uint64_t addr)
{
	struct otst_tf_strings *all = tf->strings;
	const char *known = otst_hashmap_find(&all->texts, addr);
	void **place;
	char *copy;

	if (!addr)
		return NULL;
	if (known)
		return known;
	if (!read_string(tf->o, addr, all->scratch))
		return NULL;
	if (all->texts.count >= STRINGS)
		return all->scratch;
	copy = otst_copy(tf->o, all->scratch);
	place = copy ? otst_hashmap_place(tf->o, &all->texts, addr) : NULL;
	if (place)
		*place = copy;
	return copy;
}
