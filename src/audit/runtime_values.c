// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * runtime_values.c - what constants in instructions may be whose variables the compiler
 * dropped, because nothing but these instructions has them (asm/runtime-const.h): slab
 * caches, and a table of futexes (kernel/futex/core.c).
 */
#include <string.h>

#include "expect.h"

/* is this the address of one of the kernel's slab caches */
static bool is_cache(struct otst *o, uint64_t value)
{
	const struct otst_member *link;
	struct otst_walk w;
	uint64_t head, node;

	if (otst_symbol(o, "slab_caches", &head) || otst_member(o, "kmem_cache", "list", &link))
		return false;
	otst_walk_list(o, head, &w);
	while (otst_walk_next(&w, &node)) {
		if (node - link->offset == value)
			return true;
	}
	return false;
}

/* futex_init(): a table for each node; the first chain of the first one is a list */
static bool is_futex_queues(struct otst *o, const char *name, uint64_t value)
{
	const struct otst_member *chain, *list;
	uint64_t table, head, next, prev;

	if (strcmp(name, "__futex_queues") ||
	    otst_member(o, "futex_hash_bucket", "chain", &chain) ||
	    otst_member(o, "plist_head", "node_list", &list) || otst_read_u64(o, value, &table))
		return false;
	head = table + chain->offset + list->offset;
	return !otst_read_u64(o, head, &next) && !otst_read_u64(o, next + 8, &prev) && prev == head;
}

bool otst_runtime_value(struct otst *o, const char *name, uint64_t value)
{
	return is_futex_queues(o, name, value) || is_cache(o, value);
}
