// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * idr.c - what a struct idr of include/linux/idr.h, or a radix tree, holds, by number: a tree of
 * struct xa_node (lib/xarray.c), up to 4.19 of struct radix_tree_node, which
 * has the same members; a pointer to a node has its low bits marked.
 */
#include <inttypes.h>

#include "../base/engine.h"
#include "../types/types.h"
#include "idr.h"
#include "memory.h"
#include "walk.h"

#define MAX_SLOTS 64u
#define MAX_NODES (1000u * 1000)
#define LOW_BITS  3u
#define MAX_SMALL 4096u /* internal entries up to here are marks, not nodes */

struct tree {
	struct otst *o;
	const char *node; /* name of the structure */
	uint64_t mark;	  /* low bits of a pointer to a node */
	uint64_t shift, slots, count;
	uint64_t base;
	size_t nodes;
	struct otst_vec *entries;
	struct otst_messages *errors;
};

/* @type, or @old before 4.20: the structure that has the tree; @xarray, @radix: its pointer to the top node */
static int read_idr_layout(struct tree *t, uint64_t at, const char *type, const char *xarray,
			   const char *old, const char *radix, uint64_t *head)
{
	const struct otst_member *shift, *slots;
	struct otst *o = t->o;
	int err;

	/* Linux 01959dfe771c ("xarray: Define struct xa_node") (v4.20) */
	if (otst_has_member(o, type, xarray) || !otst_has_member(o, old, radix)) {
		t->node = "xa_node";
		t->mark = 2;
		err = otst_read_member(o, type, at, xarray, head);
	} else {
		t->node = "radix_tree_node";
		t->mark = 1;
		err = otst_read_member(o, old, at, radix, head);
	}
	err = err ?: otst_member(o, t->node, "shift", &shift);
	err = err ?: otst_member(o, t->node, "slots", &slots);
	if (err)
		return err;
	t->shift = shift->offset;
	t->slots = slots->offset;
	t->count = slots->count;
	if (!t->count || t->count > MAX_SLOTS || t->count & (t->count - 1))
		return otst_raise(o, OTST_ERR_CORRUPT, "%s has %" PRIu64 " slots", t->node,
				  t->count);
	return 0;
}

static bool is_node(const struct tree *t, uint64_t entry)
{
	return (entry & LOW_BITS) == t->mark && entry > MAX_SMALL;
}

int otst_idr_add(struct otst *o, struct otst_vec *entries, struct otst_messages *errors,
		 uint64_t id, uint64_t entry)
{
	struct otst_idr_entry *e;

	/* the tree's own marks and small values are not objects */
	if (!entry || (entry & LOW_BITS && entry <= MAX_SMALL))
		return 0;
	if (!otst_is_kernel_pointer(o, entry) || entry & LOW_BITS)
		return otst_note(o, errors,
				 otst_raise(o, OTST_ERR_CORRUPT,
					    "number %" PRIu64 ": bad pointer 0x%" PRIx64, id,
					    entry));
	e = otst_vec_push(o, entries, sizeof(*e));
	*e = (struct otst_idr_entry){ id, entry };
	return 0;
}

/* @above: shift of the node that leads here */
static int read_radix_node(struct tree *t, uint64_t entry, uint64_t id, unsigned int above)
{
	unsigned char raw[MAX_SLOTS * 8];
	uint64_t node = entry & ~(uint64_t)LOW_BITS, slot;
	unsigned int bits = (unsigned int)__builtin_ctzll(t->count);
	uint8_t shift;
	int err;

	if (++t->nodes > MAX_NODES)
		return otst_raise(t->o, OTST_ERR_CORRUPT, "more than %u nodes", MAX_NODES);
	err = otst_read_u8(t->o, node + t->shift, &shift);
	err = err ?: otst_read(t->o, node + t->slots, raw, t->count * 8);
	if (!err && (shift >= above || shift % bits))
		err = otst_raise(t->o, OTST_ERR_CORRUPT,
				 "node 0x%" PRIx64 " is of level %u below level %u", node, shift,
				 above);
	for (size_t i = 0; i < t->count && !err; i++) {
		slot = otst_get(t->o, raw + i * 8, 8);
		if (!is_node(t, slot) || !shift) {
			err = otst_idr_add(t->o, t->entries, t->errors,
					   t->base + id + ((uint64_t)i << shift), slot);
			continue;
		}
		err = read_radix_node(t, slot, id + ((uint64_t)i << shift), shift);
		if (err)
			err = otst_note(t->o, t->errors, err);
	}
	return err ? err : otst_check(t->o);
}

static int read_radix_tree(struct tree *t, uint64_t head)
{
	return is_node(t, head) ? read_radix_node(t, head, 0, 64) :
				  otst_idr_add(t->o, t->entries, t->errors, t->base, head);
}

int otst_idr(struct otst *o, uint64_t idr, struct otst_vec *entries, struct otst_messages *errors)
{
	struct tree t = { .o = o, .entries = entries, .errors = errors };
	uint64_t head;
	int err = read_idr_layout(&t, idr, "idr", "idr_rt.xa_head", "idr", "idr_rt.rnode", &head);

	if (!err && otst_has_member(o, "idr", "idr_base"))
		err = otst_read_member(o, "idr", idr, "idr_base", &t.base);
	return err ? err : read_radix_tree(&t, head);
}

int otst_radix_tree(struct otst *o, uint64_t root, struct otst_vec *entries,
		    struct otst_messages *errors)
{
	struct tree t = { .o = o, .entries = entries, .errors = errors };
	uint64_t head;
	int err = read_idr_layout(&t, root, "xarray", "xa_head", "radix_tree_root", "rnode", &head);

	return err ? err : read_radix_tree(&t, head);
}
