// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * maple.c - what a struct maple_tree of include/linux/maple_tree.h (6.1 and later) holds. Each
 * slot of a node stands for the numbers from the pivot before it up to its own; the low bits of a
 * pointer to a node tell what kind of node that is.
 */
#include <inttypes.h>

#include "../base/engine.h"
#include "../types/types.h"
#include "idr.h"
#include "memory.h"
#include "walk.h"

#define NODE	  256u
#define MAX_NODES (1000u * 1000)
#define MAX_DEPTH 31u	/* MAPLE_HEIGHT_MAX */
#define MAX_SMALL 4096u /* XA_ZERO_ENTRY and the like: no pointers */
#define LOW_BITS  3u
#define MARK	  2u /* xa_is_internal() */

/* where a kind of node has its pivots and slots */
struct layout {
	uint64_t pivots, nr_pivots;
	uint64_t slots, nr_slots;
};

struct tree {
	struct otst *o;
	struct layout range, arange;
	uint64_t leaf, arange_type; /* enum maple_type */
	struct otst_set nodes;
	struct otst_vec *entries;
	struct otst_messages *errors;
};

static int read_maple_layout(struct otst *o, const char *type, struct layout *ret)
{
	const struct otst_member *pivots, *slots;
	int err = otst_member(o, type, "pivot", &pivots);

	err = err ?: otst_member(o, type, "slot", &slots);
	if (err)
		return err;
	*ret = (struct layout){ pivots->offset, pivots->count, slots->offset, slots->count };
	if (ret->nr_slots != ret->nr_pivots + 1 || ret->slots + ret->nr_slots * 8 > NODE ||
	    ret->pivots + ret->nr_pivots * 8 > NODE)
		return otst_raise(o, OTST_ERR_CORRUPT, "%s has %" PRIu64 " slots", type,
				  ret->nr_slots);
	return 0;
}

/* the pointer to the top node carries a mark that it is one; in a node, those to other nodes do not */
static bool is_top(uint64_t entry)
{
	return (entry & LOW_BITS) == MARK && entry > MAX_SMALL;
}

/* the node stands for the numbers @min to @max; a pivot of 0 behind the first one ends it */
static int read_maple_node(struct tree *t, uint64_t entry, uint64_t min, uint64_t max,
			   unsigned int depth)
{
	uint64_t type = entry >> 3 & 0xf, pivot, slot, i;
	const struct layout *layout = type == t->arange_type ? &t->arange : &t->range;
	unsigned char raw[NODE];
	bool added = false;
	int err;

	if (otst_set_add(t->o, &t->nodes, entry, &added) || !added || depth > MAX_DEPTH ||
	    t->nodes.map.count > MAX_NODES)
		return otst_raise(t->o, OTST_ERR_CORRUPT, "node 0x%" PRIx64 " comes twice", entry);
	err = otst_read(t->o, entry & ~(uint64_t)(NODE - 1), raw, NODE);
	for (i = 0; i < layout->nr_slots && !err; i++, min = pivot + 1) {
		pivot = i < layout->nr_pivots ? otst_get(t->o, raw + layout->pivots + i * 8, 8) :
						max;
		if ((!pivot && i) || pivot > max)
			pivot = max;
		slot = otst_get(t->o, raw + layout->slots + i * 8, 8);
		if (type <= t->leaf)
			err = otst_idr_add(t->o, t->entries, t->errors, min, slot);
		else if (slot && (err = read_maple_node(t, slot, min, pivot, depth + 1)))
			err = otst_note(t->o, t->errors, err);
		if (pivot >= max)
			break;
	}
	return err ? err : otst_check(t->o);
}

int otst_maple_tree(struct otst *o, uint64_t root, struct otst_vec *entries,
		    struct otst_messages *errors)
{
	struct tree t = { .o = o, .entries = entries, .errors = errors };
	uint64_t head;
	int err = otst_read_member(o, "maple_tree", root, "ma_root", &head);

	err = err ?: read_maple_layout(o, "maple_range_64", &t.range);
	err = err ?: read_maple_layout(o, "maple_arange_64", &t.arange);
	if (err)
		return err;
	t.leaf = (uint64_t)otst_enumerator_or(o, "maple_leaf_64", 1);
	t.arange_type = (uint64_t)otst_enumerator_or(o, "maple_arange_64", 3);
	return is_top(head) ? read_maple_node(&t, head, 0, UINT64_MAX, 0) :
			      otst_idr_add(o, entries, errors, 0, head);
}
