// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * runtime_consts.c - constants in instructions that the kernel knows only when it has booted
 * (asm/runtime-const.h): sections list the places that get the value of a variable. If the
 * compiler dropped the variable, because only these instructions use it, the value must be one
 * that it may have had, the same at each place: a slab cache, or a table of futexes
 * (kernel/futex/core.c).
 */
#include <string.h>

#include "expect.h"

#define PLACE_MAX 16u /* bytes of the longest place */

/* true if this is the address of one of the kernel's slab caches */
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

/* futex_init(): a table for each node; the first chain of the first table is a list */
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

/*
 * What the kernel wrote at @sites; false when that is unknown. Without a variable
 * the first place that still exists tells the value: init text is freed.
 */
static bool find_value(struct otst_expect *e, const struct otst_runtime_form *f, const char *name,
		       const struct otst_vec *sites, uint64_t *ret)
{
	uint64_t variable = otst_symbol_or0(e->o, name);
	const uint64_t *at = sites->data;
	const uint8_t *found = NULL;
	uint8_t raw[8];

	if (variable) {
		if (otst_read(e->o, variable, raw, f->size))
			return false;
		*ret = otst_get(e->o, raw, f->size);
		return true;
	}
	for (size_t i = 0; i < sites->count && f->get && !found; i++)
		found = otst_expect_found(e, at[i], f->len);
	*ret = found ? f->get(found) : 0;
	return found && ((f->may_be && f->may_be(name, *ret)) ||
			 is_futex_queues(e->o, name, *ret) || is_cache(e->o, *ret));
}

static int patch_all(struct otst_expect *e, const struct otst_runtime_form *f, const char *section)
{
	const char *name = section + strlen(f->prefix);
	struct otst_vec sites = { 0 };
	uint8_t bytes[PLACE_MAX];
	uint64_t value;
	size_t i;
	int err = otst_expect_sites(e, section, &sites);
	const uint64_t *at = sites.data;

	if (err || !sites.count)
		return err;
	if (!find_value(e, f, name, &sites, &value)) {
		for (i = 0; i < sites.count && otst_has_symbol(e->o, name); i++)
			otst_expect_unknown(e, at[i], f->len);
		return i ? otst_expect_lost(e, 0, 0, name, otst_symbol_or0(e->o, name)) : 0;
	}
	for (i = 0; i < sites.count && !err; i++) {
		const uint8_t *now = otst_expect_now(e, at[i], f->len);

		if (!now)
			continue;
		memcpy(bytes, now, f->len);
		f->put(bytes, value);
		otst_expect_set(e, OTST_DIFF_RUNTIME_CONST, at[i], bytes, f->len);
	}
	return err;
}

int otst_runtime_consts(struct otst_expect *e, const struct otst_runtime_form *forms, size_t count)
{
	int err = 0;

	for (size_t i = 0; i < e->built->count && !err; i++) {
		const char *name = e->built->items[i].name;

		for (size_t k = 0; k < count && !err; k++) {
			if (!strncmp(name, forms[k].prefix, strlen(forms[k].prefix)))
				err = patch_all(e, &forms[k], name);
		}
	}
	return err;
}
