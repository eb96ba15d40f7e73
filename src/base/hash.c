// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * hash.c - map from the hash of a name to small numbers (BTF type ids,
 * places in the symbol table). The caller compares the names themselves.
 */
#include <stdlib.h>
#include <string.h>

#include "hash.h"

/* The same of one hash, as a name that is there more than once has: names come from the dump. */
#define MOST_SAME 64u

uint32_t otst_hash(const char *s, size_t len)
{
	uint32_t h = 2166136261u; /* FNV-1a */

	while (len--)
		h = (h ^ (unsigned char)*s++) * 16777619u;
	return h;
}

int otst_names_init(struct otst_names *n, size_t expected)
{
	size_t room = 64;

	/* at most three quarters of the slots are used */
	while (room < expected + expected / 3)
		room *= 2;
	n->hash = malloc(room * sizeof(*n->hash));
	n->value = calloc(room, sizeof(*n->value));
	n->mask = room - 1;
	n->used = 0;
	if (n->hash && n->value)
		return 0;
	otst_names_deinit(n);
	return OTST_ERR_NOMEM;
}

void otst_names_deinit(struct otst_names *n)
{
	free(n->hash);
	free(n->value);
	memset(n, 0, sizeof(*n));
}

void otst_names_add(struct otst_names *n, uint32_t hash, uint32_t value)
{
	size_t slot = hash & n->mask, steps = 0, same = 0;

	/* the table is sized for all names; a full one drops the rest */
	if (!n->value || n->used >= n->mask)
		return;
	while (n->value[slot] && steps++ < OTST_NAMES_SHARE && same < MOST_SAME) {
		same += n->hash[slot] == hash;
		slot = (slot + 1) & n->mask;
	}
	if (n->value[slot] || same == MOST_SAME)
		return;
	n->hash[slot] = hash;
	n->value[slot] = value;
	n->used++;
}

uint32_t otst_names_find(const struct otst_names *n, uint32_t hash, size_t *slot)
{
	size_t at = *slot == SIZE_MAX ? (hash & n->mask) : (*slot + 1) & n->mask;

	if (!n->value)
		return 0;
	while (n->value[at] && n->hash[at] != hash)
		at = (at + 1) & n->mask;
	*slot = at;
	return n->value[at];
}
