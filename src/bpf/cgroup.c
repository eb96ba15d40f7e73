// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * cgroup.c - programs on the control groups of the unified hierarchy: struct
 * cgroup_bpf of include/linux/bpf-cgroup-defs.h has a list of struct
 * bpf_prog_list for each attach type. This file lists the programs without a
 * link; links are in a tree of their own.
 */
#include <ctype.h>
#include <inttypes.h>

#include "../base/engine.h"
#include "attach.h"

#define MAX_LISTS 256u
#define MAX_DEPTH 512u /* nesting of groups */
#define MAX_NAME  256

/* enum of the kernel's interface: BPF_F_ALLOW_OVERRIDE, BPF_F_ALLOW_MULTI */
#define ALLOW_OVERRIDE 1u
#define ALLOW_MULTI    2u

/* @list: bytes of a list head; @names: names of the lists */
struct layout {
	struct otst *o;
	uint64_t lists;
	uint64_t list;
	uint32_t count;
	bool is_hlist;
	uint64_t node;
	const char **names;
};

/* one struct bpf_prog_list, in list @index */
struct entry {
	uint64_t addr;
	uint32_t index;
};

/* ---- what is in the lists ---- */

static const char *upper_case(struct otst *o, const char *name)
{
	char *copy = otst_copy(o, name), *at;

	for (at = copy; at && *at; at++)
		*at = (char)toupper((unsigned char)*at);
	return copy;
}

/*
 * Linux 6fc88c354f3a ("bpf: Migrate cgroup_bpf to internal cgroup_bpf_attach_type
 * enum") (v5.15) gave the lists an order of their own, with enumerators of the
 * same names; the order before that is the one of enum bpf_attach_type.
 */
static int name_lists(struct layout *layout)
{
	int64_t at, first = otst_enumerator_or(layout->o, "CGROUP_LSM_START", -1);
	int64_t last = otst_enumerator_or(layout->o, "CGROUP_LSM_END", -1);
	bool own = otst_enumerator_or(layout->o, "CGROUP_INET_INGRESS", -1) >= 0;

	for (uint32_t i = 0; i < MAX_LISTS; i++) {
		const char *name = otst_attach_name(layout->o, i),
			   *enumerator = upper_case(layout->o, name);

		if (!enumerator)
			return otst_no_memory(layout->o);
		at = own ? otst_enumerator_or(layout->o, enumerator, -1) : (int64_t)i;
		if (at >= 0 && at < (int64_t)layout->count)
			layout->names[at] = name;
		if (own && first >= 0 && i >= first && i <= last && i < layout->count)
			layout->names[i] = "lsm_cgroup";
	}
	return 0;
}

static int read_cgroup_layout(struct otst *o, struct layout *ret)
{
	const struct otst_member *lists, *node;
	int err = otst_member(o, "cgroup", "bpf.progs", &lists);

	err = err ?: otst_member(o, "bpf_prog_list", "node", &node);
	if (err)
		return err;
	if (!lists->count || lists->count > MAX_LISTS)
		return otst_raise(o, OTST_ERR_CORRUPT, "%" PRIu32 " lists of programs",
				  lists->count);
	*ret = (struct layout){
		.o = o,
		.lists = lists->offset,
		.list = lists->size / lists->count,
		.count = lists->count,
		.is_hlist = !strcmp(lists->type, "hlist_head"), /* since 6.0 */
		.node = node->offset,
	};
	return 0;
}

static int read_cgroup_list(const struct layout *layout, uint64_t head, uint32_t index,
			    struct otst_vec *entries)
{
	struct otst_walk w;
	struct entry *e;
	uint64_t node;

	if (layout->is_hlist)
		otst_walk_hlist(layout->o, head, &w);
	else
		otst_walk_list(layout->o, head, &w);
	while (otst_walk_next(&w, &node)) {
		e = otst_vec_push(layout->o, entries, sizeof(*e));
		*e = (struct entry){ node - layout->node, index };
	}
	return w.err;
}

/* @entries: vector of struct entry: all entries of a group */
static int read_lists(const struct layout *layout, uint64_t cgroup, struct otst_vec *entries,
		      struct otst_messages *errors)
{
	uint8_t *heads = otst_alloc(layout->o, layout->count * layout->list);
	uint64_t head, first;
	int err = otst_read(layout->o, cgroup + layout->lists, heads, layout->count * layout->list);

	for (uint32_t i = 0; i < layout->count && !err; i++) {
		head = cgroup + layout->lists + i * layout->list;
		first = otst_get(layout->o, heads + i * layout->list, 8);
		/* nearly all lists are empty; those of a dead group were never set up */
		if (!first || first == head)
			continue;
		err = read_cgroup_list(layout, head, i, entries);
		if (err)
			err = otst_note(layout->o, errors,
					otst_fail(layout->o, err, "programs of cgroup 0x%" PRIx64,
						  cgroup));
	}
	return err;
}

int otst_cgroup_has_link(struct otst *o, uint64_t cgroup, uint64_t link, bool *ret)
{
	struct otst_vec entries = { 0 };
	struct otst_messages errors = { 0 };
	const struct entry *e;
	struct layout layout;
	uint64_t theirs;
	size_t i;
	int err = read_cgroup_layout(o, &layout);

	err = err ?: read_lists(&layout, cgroup, &entries, &errors);
	/* a list that could not be read to its end may have it */
	*ret = errors.count > 0;
	for (i = 0, e = entries.data; i < entries.count && !err && !*ret; i++) {
		err = otst_read_member(o, "bpf_prog_list", e[i].addr, "link", &theirs);
		*ret = !err && theirs == link;
	}
	return err;
}

/* ---- one group ---- */

static int read_path(struct otst *o, uint64_t kn, const char **ret)
{
	const char *up = otst_either(o, "kernfs_node", "__parent", "parent");
	const char *path = "", *name;
	unsigned int depth;
	uint64_t parent;
	int err = 0;

	for (depth = 0; depth < MAX_DEPTH && !err; depth++) {
		err = otst_read_member(o, "kernfs_node", kn, up, &parent);
		if (err || !parent)
			break;
		err = otst_read_member_string(o, "kernfs_node", kn, "name", MAX_NAME, &name);
		path = err ? path : otst_format(o, "/%s%s", name, path);
		if (!path)
			return otst_no_memory(o);
		kn = parent;
	}
	if (!err && depth == MAX_DEPTH)
		err = otst_raise(o, OTST_ERR_CORRUPT, "its path has more than %u parts", MAX_DEPTH);
	if (!err)
		*ret = *path ? path : "/";
	return err;
}

int otst_cgroup_path(struct otst *o, uint64_t cgroup, struct otst_probe *p, const char **ret)
{
	uint64_t kn, id;
	int err = otst_read_member(o, "cgroup", cgroup, "kn", &kn);

	if (!err && !otst_read_member(o, "kernfs_node", kn, "id", &id))
		otst_probe_fact(o, p, "cgroup_id", NULL, (int64_t)id);
	err = err ?: read_path(o, kn, ret);
	if (!err) {
		otst_probe_fact(o, p, "cgroup", *ret, 0);
		return 0;
	}
	return otst_fail(o, err, "cgroup 0x%" PRIx64, cgroup);
}

const char *otst_task_cgroup(struct otst *o, uint64_t task)
{
	const struct doubts doubts = o->doubts;
	uint64_t set, cgroup, kn;
	const char *path = NULL;

	if (otst_read_member(o, "task_struct", task, "cgroups", &set) || !set ||
	    otst_read_member(o, "css_set", set, "dfl_cgrp", &cgroup) || !cgroup ||
	    otst_read_member(o, "cgroup", cgroup, "kn", &kn) || read_path(o, kn, &path))
		path = NULL;
	o->doubts = doubts;
	return path;
}

static int add_flags(const struct layout *layout, uint64_t cgroup, uint32_t index,
		     struct otst_probe *p)
{
	const struct otst_member *flags;
	uint8_t raw[8] = { 0 };
	uint64_t each, value;
	int err;

	if (otst_member(layout->o, "cgroup", "bpf.flags", &flags) || flags->count != layout->count)
		return 0;
	each = flags->size / flags->count;
	if (each > sizeof(raw))
		return 0;
	err = otst_read(layout->o, cgroup + flags->offset + index * each, raw, each);
	value = otst_get(layout->o, raw, each);
	if (!err && value & (ALLOW_OVERRIDE | ALLOW_MULTI))
		otst_probe_fact(layout->o, p, "attach_flags",
				value & ALLOW_MULTI ? "multi" : "override", 0);
	return err;
}

static int fill_row(const struct layout *layout, uint64_t cgroup, uint32_t index, uint64_t prog,
		    struct otst_probe *p)
{
	const char *path, *type = layout->names[index];
	const char *target;
	/* even if the program is damaged, its place is known */
	int err = otst_probe_error(layout->o, p, otst_bpf_owner(layout->o, prog, p));

	err = err ?: otst_cgroup_path(layout->o, cgroup, p, &path);
	if (err)
		return err;
	type = type ?: otst_format(layout->o, "list %" PRIu32, index);
	target = otst_format(layout->o, "cgroup %s", path);
	otst_attach_type_fact(layout->o, p, target, type);
	return add_flags(layout, cgroup, index, p);
}

static int add_cgroup_entry(struct otst_attach *a, const struct layout *layout, uint64_t cgroup,
			    const struct entry *e)
{
	struct otst_probe *p;
	struct otst_view v;
	uint64_t prog = 0, link = 0;
	int err = otst_view_read(a->o, "bpf_prog_list", e->addr, &v);

	if (!err) {
		prog = otst_u64(&v, "prog");
		link = otst_u64_or(&v, "link", 0);
		err = v.err;
	}
	/* a link has its own row; an entry that was just detached has neither */
	if (!err && (link || !prog))
		return 0;
	p = otst_attach_row(a, e->addr,
			    otst_format(a->o, "cgroup 0x%" PRIx64 " list %" PRIu32, cgroup,
					e->index));
	if (err)
		p->claim = OTST_CLAIM_UNKNOWN;
	else
		err = fill_row(layout, cgroup, e->index, prog, p);
	return otst_probe_error(a->o, p, err);
}

static int add_group(struct otst_attach *a, const struct layout *layout, uint64_t cgroup)
{
	struct otst_vec entries = { 0 };
	const struct entry *e;
	size_t i;
	int err = read_lists(layout, cgroup, &entries, &a->errors);

	for (i = 0, e = entries.data; i < entries.count && !err; i++)
		err = add_cgroup_entry(a, layout, cgroup, &e[i]);
	return err;
}

/* ---- all groups ---- */

/* @groups: vector of their addresses, to which the children of @cgroup are added */
static int add_cgroup_children(struct otst_attach *a, uint64_t cgroup, struct otst_set *seen,
			       struct otst_vec *groups)
{
	const struct otst_member *self, *children, *sibling;
	struct otst_walk w;
	uint64_t node, *slot;
	bool added = true;
	int err = otst_member(a->o, "cgroup", "self", &self);

	err = err ?: otst_member(a->o, "cgroup_subsys_state", "children", &children);
	err = err ?: otst_member(a->o, "cgroup_subsys_state", "sibling", &sibling);
	if (err)
		return err;
	otst_walk_list(a->o, cgroup + self->offset + children->offset, &w);
	while (!err && otst_walk_next(&w, &node)) {
		err = otst_set_add(a->o, seen, node, &added);
		if (!err && !added)
			err = otst_raise(a->o, OTST_ERR_CORRUPT, "it is in two groups");
		slot = err ? NULL : otst_vec_push(a->o, groups, sizeof(*slot));
		if (!err)
			*slot = node - sibling->offset - self->offset;
	}
	return err ? err : w.err;
}

static int walk_groups(struct otst_attach *a, const struct layout *layout, uint64_t root)
{
	struct otst_vec groups = { 0 };
	struct otst_set seen = { 0 };
	uint64_t *slot = otst_vec_push(a->o, &groups, sizeof(*slot)), cgroup;
	int err = 0;

	*slot = root;
	for (size_t i = 0; i < groups.count && !err; i++) {
		cgroup = ((const uint64_t *)groups.data)[i];
		err = add_group(a, layout, cgroup);
		err = err ?: add_cgroup_children(a, cgroup, &seen, &groups);
		if (err)
			err = otst_note(a->o, &a->errors,
					otst_fail(a->o, err, "cgroup 0x%" PRIx64, cgroup));
		err = err ?: otst_check(a->o);
	}
	return err;
}

int otst_attach_cgroups(struct otst_attach *a)
{
	const struct otst_member *root;
	struct layout layout;
	uint64_t at;
	int err = otst_symbol(a->o, "cgrp_dfl_root", &at);

	err = err ?: otst_member(a->o, "cgroup_root", "cgrp", &root);
	err = err ?: read_cgroup_layout(a->o, &layout);
	if (err)
		return err;
	layout.names = otst_alloc(a->o, layout.count * sizeof(*layout.names));
	if (!layout.names)
		return otst_no_memory(a->o);
	err = name_lists(&layout);
	return err ? err : walk_groups(a, &layout, at + root->offset);
}
