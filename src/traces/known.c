// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * known.c - stacks that occur again and again, each kept once.
 */
#include <string.h>

#include "traces.h"

#define WORD 8u

int otst_known_find(struct otst *o, struct otst_knowns *all, unsigned int kind,
		    const uint8_t *words, size_t size, struct otst_known **ret, bool *fresh)
{
	uint64_t hash = size;
	struct otst_known *k;
	uint8_t *copy;
	void **first;

	*fresh = false;
	for (size_t i = 0; i + WORD <= size; i += WORD)
		hash = (hash ^ otst_get(o, words + i, WORD)) * UINT64_C(0x9e3779b97f4a7c15);
	first = otst_hashmap_place(o, &all->by_hash, hash);
	if (!first)
		return OTST_ERR_NOMEM;
	for (k = *first; k; k = k->next) {
		if (k->kind == kind && k->size == size && !memcmp(k->words, words, size)) {
			*ret = k;
			return 0;
		}
	}
	k = otst_new(o, sizeof(*k));
	copy = otst_alloc(o, size + 1);
	if (!k || !copy)
		return otst_no_memory(o);
	*k = (struct otst_known){ *first, memcpy(copy, words, size), size, kind, { 0 } };
	*first = *ret = k;
	*fresh = true;
	return 0;
}

int otst_known_append(struct otst *o, struct otst_trace *t, const struct otst_known *k)
{
	struct otst_trace_line *all;

	if (!t->nr_lines) {
		t->lines = k->lines.data;
		t->nr_lines = k->lines.count;
		return 0;
	}
	all = otst_alloc(o, (t->nr_lines + k->lines.count) * sizeof(*all));
	if (!all)
		return otst_no_memory(o);
	memcpy(all, t->lines, t->nr_lines * sizeof(*all));
	memcpy(all + t->nr_lines, k->lines.data, k->lines.count * sizeof(*all));
	t->lines = all;
	t->nr_lines += k->lines.count;
	return 0;
}
