// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * walk.c - walks along the kernel's linked lists that end no matter what the dump
 * holds: include/linux/list.h (list_head, hlist), llist.h, and chains of structures
 * with a next pointer.
 */
#include <inttypes.h>

#include "../base/engine.h"
#include "../base/hashmap.h"
#include "kernel.h"
#include "memory.h"
#include "walk.h"

/* far above every list that a machine can have, far below a hang */
#define WALK_LIMIT (1000u * 1000)

/*
 * A walk is lost after so many bad records in a row. A good record makes up for GOOD of them: where
 * most are bad, the list is none either. A record that leads to a list of bad records counts
 * as MOST_BAD of them at most, so that a few of these end the walk above them, too.
 */
#define LOST	 128u
#define GOOD	 4u
#define MOST_BAD 32u

bool otst_is_poison(uint64_t ptr)
{
	/* include/linux/poison.h: LIST_POISON1/2 of 2.6, 3.x-4.x and 5.x, with and without the base */
	switch (ptr) {
	case 0x100:
	case 0x122:
	case 0x200:
	case 0x00100100:
	case 0x00200200:
	case 0xdead000000000100:
	case 0xdead000000000122:
	case 0xdead000000000200:
	case 0x6b6b6b6b6b6b6b6b: /* POISON_FREE */
	case 0x5a5a5a5a5a5a5a5a: /* POISON_INUSE */
	case 0xcccccccccccccccc: /* POISON_FREE_INITMEM */
		return true;
	default:
		return false;
	}
}

bool otst_is_kernel_pointer(struct otst *o, uint64_t ptr)
{
	/* the last page holds error codes */
	return ptr >= otst_kernel(o)->arch->space.kernel_begin && ptr < 0xfffffffffffff000;
}

static void start_walk(struct otst *o, uint64_t link, uint64_t end, struct otst_walk *ret)
{
	*ret = (struct otst_walk){ .o = o, .link = link, .end = end };
}

void otst_walk_list(struct otst *o, uint64_t head, struct otst_walk *ret)
{
	start_walk(o, 0, head, ret);
	ret->err = otst_read_u64(o, head, &ret->next);
}

void otst_walk_hlist(struct otst *o, uint64_t head, struct otst_walk *ret)
{
	start_walk(o, 0, 0, ret);
	ret->err = otst_read_u64(o, head, &ret->next);
}

void otst_walk_both_ways(struct otst *o, uint64_t head, bool is_hlist, struct otst_walk *ret)
{
	if (is_hlist)
		otst_walk_hlist(o, head, ret);
	else
		otst_walk_list(o, head, ret);
	ret->head = head;
}

void otst_walk_chain(struct otst *o, uint64_t first, uint64_t link, uint64_t end,
		     struct otst_walk *ret)
{
	start_walk(o, link, end, ret);
	ret->next = first;
}

bool otst_set_has(const struct otst_set *s, uint64_t value)
{
	return otst_hashmap_find(&s->map, value);
}

int otst_set_add(struct otst *o, struct otst_set *s, uint64_t value, bool *added)
{
	void **place = otst_hashmap_place(o, &s->map, value);

	if (!place)
		return OTST_ERR_NOMEM;
	*added = !*place;
	*place = s;
	return 0;
}

static int remember_node(struct otst_walk *w, uint64_t node)
{
	bool added;
	int err = otst_set_add(w->o, &w->seen, node, &added);

	if (err || added)
		return err;
	return otst_raise(w->o, OTST_ERR_CORRUPT, "list loops back to 0x%" PRIx64, node);
}

static int check_pointer(struct otst_walk *w, uint64_t ptr)
{
	if (otst_is_poison(ptr))
		return otst_raise(w->o, OTST_ERR_CORRUPT,
				  "poisoned pointer 0x%" PRIx64 " after 0x%" PRIx64, ptr, w->at);
	if (!otst_is_kernel_pointer(w->o, ptr) || ptr & 3)
		return otst_raise(w->o, OTST_ERR_CORRUPT,
				  "bad pointer 0x%" PRIx64 " after 0x%" PRIx64, ptr, w->at);
	if (w->steps >= WALK_LIMIT)
		return otst_raise(w->o, OTST_ERR_CORRUPT, "list has more than %u nodes",
				  WALK_LIMIT);
	return remember_node(w, ptr);
}

int otst_walk_torn(struct otst *o, uint64_t node)
{
	return otst_raise(o, OTST_ERR_CORRUPT,
			  "0x%" PRIx64
			  " does not lead back: it changed while memory was read, or is damaged",
			  node);
}

/* list_head.prev and hlist_node.pprev: a node begins with its next pointer, so both lead to a node */
static int check_back(struct otst_walk *w, uint64_t node)
{
	uint64_t back;
	int err = otst_read_u64(w->o, node + 8, &back);

	if (err || back == w->head || (back != node && otst_set_has(&w->seen, back)))
		return err;
	return otst_walk_torn(w->o, node);
}

/* what the caller made of the record that was handed out last */
static int judge_record(struct otst_walk *w)
{
	uint64_t bad = w->o->bad_records - w->bad;

	w->bad = w->o->bad_records;
	if (bad)
		w->lost += bad < MOST_BAD ? (unsigned int)bad : MOST_BAD;
	else
		w->lost -= w->lost < GOOD ? w->lost : GOOD;
	if (w->lost >= LOST)
		return otst_raise(
			w->o, OTST_ERR_CORRUPT,
			"most of the last records make no sense: the rest of the list, from 0x%" PRIx64
			" on, is not read",
			w->at);
	return otst_is_full(w->o);
}

bool otst_walk_next(struct otst_walk *w, uint64_t *ret)
{
	if (w->err)
		return false;
	if (w->steps)
		w->err = judge_record(w) ?: otst_read_u64(w->o, w->at + w->link, &w->next);
	else
		w->bad = w->o->bad_records;
	if (w->err || w->next == w->end)
		return false;
	w->err = check_pointer(w, w->next);
	/* memory that is made up (src/readiness/) leads back to no list */
	if (!w->err && w->head && !w->o->recorder)
		w->err = check_back(w, w->next);
	if (w->err)
		return false;
	w->at = w->next;
	w->steps++;
	*ret = w->at;
	return true;
}
