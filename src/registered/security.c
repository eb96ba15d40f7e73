// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * security.c - functions of security modules: the lists of security_hook_heads, and since 6.12
 * static_calls_table (struct lsm_static_call of include/linux/lsm_hooks.h).
 */
#include <inttypes.h>

#include "registered.h"

#define MOST_HOOKS 8192u
#define HEAD	   8u /* struct hlist_head */

static const char *hook_name(struct otst *o, uint64_t hook)
{
	struct otst_sym sym;

	otst_symbolize(o, hook, &sym);
	return sym.name ? otst_format(o, "LSM %s", sym.name) : "LSM";
}

/* Linux df0ce17331e2 ("security: convert security hooks to use hlist") (v4.17); before that, list_heads */
static int give_lists(const struct otst_registered_walk *r, uint64_t heads)
{
	const struct otst_member *list, *back;
	struct otst *o = r->o;
	struct otst_walk w;
	uint64_t size, at, node;
	int err;

	err = otst_type_size(o, "security_hook_heads", &size);
	err = err ?: otst_member(o, "security_hook_list", "list", &list);
	err = err ?: otst_member(o, "security_hook_list", "list.pprev", &back);
	if (!err && size > MOST_HOOKS * HEAD)
		err = otst_raise(o, OTST_ERR_CORRUPT, "%" PRIu64 " bytes of lists", size);
	if (err)
		return otst_registry_lost(r, err, "security_hook_heads");
	for (at = heads; at < heads + size && !err; at += HEAD) {
		otst_walk_hlist(o, at, &w);
		while (!err && otst_walk_next(&w, &node))
			err = otst_registry_give(r, hook_name(o, node - list->offset),
						 "security_hook_list", node - list->offset, "hook");
		err = err ?: otst_registry_lost(r, w.err, "security_hook_heads");
	}
	return err;
}

/* Linux 417c5643cd67 ("lsm: replace indirect LSM hook calls with static calls") (v6.12) */
static int give_calls(const struct otst_registered_walk *r, uint64_t table)
{
	uint64_t whole, size, at, hook;
	int err;

	err = otst_type_size(r->o, "lsm_static_calls_table", &whole);
	err = err ?: otst_type_size(r->o, "lsm_static_call", &size);
	if (!err && (!size || whole > MOST_HOOKS * size))
		err = otst_raise(r->o, OTST_ERR_CORRUPT,
				 "%" PRIu64 " bytes of calls, %" PRIu64 " each", whole, size);
	if (err)
		return otst_registry_lost(r, err, "static_calls_table");
	for (at = table; at + size <= table + whole && !err; at += size) {
		err = otst_read_member(r->o, "lsm_static_call", at, "hl", &hook);
		if (err)
			err = otst_registry_lost(r, err, "static_calls_table");
		else if (hook)
			err = otst_registry_give(r, hook_name(r->o, hook), "security_hook_list",
						 hook, "hook");
	}
	return err;
}

int otst_registered_security(const struct otst_registered_walk *r)
{
	uint64_t heads = otst_symbol_or0(r->o, "security_hook_heads"),
		 table = otst_symbol_or0(r->o, "static_calls_table");
	int err = heads ? give_lists(r, heads) : 0;

	return err || !table ? err : give_calls(r, table);
}
