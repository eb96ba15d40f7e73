// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * hashmap.c - struct otst_hashmap: open addressing, at most half full.
 *
 * Keys come from the dump. The factor that spreads them depends on where the slots are, which no dump
 * can know, so that no choice of keys makes them share their places.
 */
#include "engine.h"
#include "hashmap.h"

#define FIRST_ROOM 16u /* power of two */

struct otst_hashmap_slot {
	uint64_t key;
	void *value; /* NULL in a free slot */
};

/* the slot of @key, or the free one where it belongs */
static struct otst_hashmap_slot *slot_of(const struct otst_hashmap *m, uint64_t key)
{
	uint64_t factor = (uintptr_t)m->slots * 0x9e3779b97f4a7c15u | 1;
	/* the upper bits of the product depend on all bits of the key */
	size_t at = (size_t)(key * factor >> (64 - __builtin_ctzll(m->room)));

	while (m->slots[at].value && m->slots[at].key != key)
		at = (at + 1) & (m->room - 1);
	return &m->slots[at];
}

static int grow_map(struct otst *o, struct otst_hashmap *m)
{
	struct otst_hashmap old = *m;
	size_t i, room = old.room ? old.room * 4 : FIRST_ROOM, len = room * sizeof(*m->slots);

	m->slots = m->keep ? otst_keep(o, len) : otst_alloc(o, len);
	if (!m->slots) {
		*m = old;
		return otst_no_memory(o);
	}
	m->room = room;
	for (i = 0; i < old.room; i++) {
		if (old.slots[i].value)
			*slot_of(m, old.slots[i].key) = old.slots[i];
	}
	return 0;
}

void *otst_hashmap_find(const struct otst_hashmap *m, uint64_t key)
{
	return m->room ? slot_of(m, key)->value : NULL;
}

void **otst_hashmap_place(struct otst *o, struct otst_hashmap *m, uint64_t key)
{
	struct otst_hashmap_slot *slot;

	if (m->count * 2 >= m->room && grow_map(o, m))
		return NULL;
	slot = slot_of(m, key);
	if (!slot->value) {
		slot->key = key;
		m->count++;
	}
	return &slot->value;
}
