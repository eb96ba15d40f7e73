// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * module_sets.c - where the kernel keeps its modules besides their list: the latched
 * rb-tree mod_tree of kernel/module/tree_lookup.c, by which __module_address() finds whose an
 * address is; the kobjects of module_kset, which are /sys/module; module_bug_list of
 * lib/bug.c. A module that is only taken off the list is still in these.
 */
#include <inttypes.h>

#include "../base/engine.h"
#include "../memory/memory.h"
#include "../memory/walk.h"
#include "../types/types.h"
#include "module_sets.h"
#include "symbols.h"

#define MOST_NODES 65536u * 8

const char *otst_module_set_name(enum otst_module_set set)
{
	static const char *const names[] = { "the module tree", "/sys/module",
					     "the list of bug tables" };

	return names[set];
}

bool otst_module_set_has(const struct otst_module_members *s, uint64_t addr)
{
	return otst_set_has(&s->seen, addr);
}

static int add_member(struct otst *o, struct otst_module_members *s, uint64_t addr)
{
	bool added;
	int err = otst_set_add(o, &s->seen, addr, &added);

	if (!err && added)
		*(uint64_t *)otst_vec_push(o, &s->items, sizeof(uint64_t)) = addr;
	return err;
}

/* ---- mod_tree ---- */

/**
 * struct tree - the one of the two trees that readers use
 * @node: where its struct rb_node is in a struct mod_tree_node
 * @module: the size of struct module
 */
struct tree {
	struct otst *o;
	struct otst_module_members *set;
	uint64_t root, node, module, left, right, mod;
};

/* Linux 93c2e105f6bc ("module: Optimize __module_address() using a latched RB-tree") (v4.2) */
static int find_tree(struct otst *o, struct tree *t)
{
	const struct otst_member *root, *tree, *seq, *node, *mod, *left, *right;
	uint64_t at;
	uint32_t count;
	int err = otst_symbol(o, "mod_tree", &at);

	t->set->there = !err;
	err = err ?: otst_member(o, "mod_tree_root", "root", &root);
	err = err ?: otst_member(o, "latch_tree_root", "tree", &tree);
	err = err ?: otst_member(o, "latch_tree_root", "seq", &seq);
	err = err ?: otst_member(o, "mod_tree_node", "mod", &mod);
	err = err ?: otst_member(o, "mod_tree_node", "node", &node);
	err = err ?: otst_member(o, "rb_node", "rb_left", &left);
	err = err ?: otst_member(o, "rb_node", "rb_right", &right);
	err = err ?: otst_type_size(o, "module", &t->module);
	err = err ?: otst_read_u32(o, at + root->offset + seq->offset, &count);
	if (err)
		return err;
	t->node = node->offset + (count & 1) * (node->size / 2);
	t->mod = mod->offset;
	t->left = left->offset;
	t->right = right->offset;
	return otst_read_u64(o, at + root->offset + tree->offset + (count & 1) * (tree->size / 2),
			     &t->root);
}

/* a node is part of its module */
static int take_node(struct tree *t, uint64_t node, uint64_t next[2])
{
	uint64_t at = node - t->node, mod;
	int err = otst_read_u64(t->o, at + t->mod, &mod);

	err = err ?: otst_read_u64(t->o, node + t->left, &next[0]);
	err = err ?: otst_read_u64(t->o, node + t->right, &next[1]);
	if (!err && at - mod >= t->module)
		err = otst_raise(t->o, OTST_ERR_CORRUPT,
				 "the node at 0x%" PRIx64 " is not in its module", node);
	return err ? err : add_member(t->o, t->set, mod);
}

static int read_mod_tree(struct otst *o, struct otst_module_members *s)
{
	struct tree t = { .o = o, .set = s };
	struct otst_vec open = { 0 };
	struct otst_set seen = { 0 };
	int err = find_tree(o, &t), failed = 0;
	uint64_t node, next[2];
	bool added;

	if (!err)
		*(uint64_t *)otst_vec_push(o, &open, sizeof(node)) = t.root;
	while (!err && open.count && !otst_stopped(o)) {
		node = ((uint64_t *)open.data)[--open.count];
		if (!node)
			continue;
		added = false;
		if (!otst_is_kernel_pointer(o, node) || otst_set_add(o, &seen, node, &added) ||
		    !added || seen.map.count > MOST_NODES) {
			failed = otst_raise(o, OTST_ERR_CORRUPT, "a bad node at 0x%" PRIx64, node);
			continue;
		}
		failed = take_node(&t, node, next) ?: failed;
		if (failed)
			continue;
		*(uint64_t *)otst_vec_push(o, &open, sizeof(node)) = next[0];
		*(uint64_t *)otst_vec_push(o, &open, sizeof(node)) = next[1];
	}
	return err ? err : failed;
}

/* ---- /sys/module ---- */

/* built-in modules have no struct module */
static int read_sysfs(struct otst *o, struct otst_module_members *s)
{
	const struct otst_member *list, *entry, *kobj, *mod;
	uint64_t at, kset, node, module;
	struct otst_walk w;
	int err = otst_symbol(o, "module_kset", &at);

	s->there = !err;
	err = err ?: otst_member(o, "kset", "list", &list);
	err = err ?: otst_member(o, "kobject", "entry", &entry);
	err = err ?: otst_member(o, "module_kobject", "kobj", &kobj);
	err = err ?: otst_member(o, "module_kobject", "mod", &mod);
	err = err ?: otst_read_u64(o, at, &kset);
	if (err)
		return err;
	otst_walk_list(o, kset + list->offset, &w);
	while (!err && otst_walk_next(&w, &node)) {
		err = otst_read_u64(o, node - entry->offset - kobj->offset + mod->offset, &module);
		if (!err && module)
			err = add_member(o, s, module);
	}
	return err ? err : w.err;
}

/* ---- module_bug_list ---- */

static int read_bugs(struct otst *o, struct otst_module_members *s)
{
	const struct otst_member *link;
	struct otst_walk w;
	uint64_t head, node;
	int err = otst_symbol(o, "module_bug_list", &head);

	s->there = !err;
	err = err ?: otst_member(o, "module", "bug_list", &link);
	if (err)
		return err;
	otst_walk_list(o, head, &w);
	while (!err && otst_walk_next(&w, &node))
		err = add_member(o, s, node - link->offset);
	return err ? err : w.err;
}

int otst_module_set_read(struct otst *o, enum otst_module_set set, struct otst_module_members *ret)
{
	static int (*const readers[])(struct otst * o,
				      struct otst_module_members * s) = { read_mod_tree, read_sysfs,
									  read_bugs };
	const struct doubts doubts = o->doubts;
	int err = readers[set](o, ret);

	if (err && otst_fatal(err))
		return err;
	/* a kernel that has the set, and not the members that lead through it, is another one than is known */
	ret->there |= err != OTST_ERR_LOOKUP;
	if (err && ret->there)
		ret->why = otst_keep_string(o, otst_message(o));
	else if (err && o->doubts.count > doubts.count)
		ret->why = otst_keep_string(o, o->doubts.why);
	/* who asks for a module's address doubts nothing else */
	o->doubts = doubts;
	return otst_stopped(o);
}
