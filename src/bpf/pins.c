// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * pins.c - BPF programs, and links to them, that have a name in a BPF file
 * system (kernel/bpf/inode.c): the dentries of its super blocks
 * (include/linux/dcache.h) whose inodes have the operations of programs or of
 * links. struct mount (fs/mount.h) tells where the file system is mounted.
 */
#include <inttypes.h>

#include "bpf.h"

#define MAX_DEPTH    64u
#define MAX_DENTRIES (1u << 20)
#define MAX_NAME     256u

struct pins {
	struct otst *o;
	struct otst_holds *holds;
	uint64_t prog_iops;
	uint64_t link_iops;
	uint64_t namespace;   /* the one of init, whose paths are shown */
	struct otst_vec todo; /* struct place */
	struct otst_set seen; /* dentries in @todo */
};

struct place {
	uint64_t dentry;
	const char *path;
};

/* ---- paths ---- */

/* prepends "/name" to @path for each level, up to the root of the file system */
static int climb_dentries(struct otst *o, uint64_t dentry, const char **path)
{
	const char *name;
	uint64_t parent;
	int err = 0;

	for (unsigned int i = 0; i < MAX_DEPTH; i++) {
		err = otst_read_member(o, "dentry", dentry, "d_parent", &parent);
		if (err || parent == dentry)
			return err;
		err = otst_read_member_string(o, "dentry", dentry, "d_name.name", MAX_NAME, &name);
		if (err)
			return err;
		*path = otst_format(o, "/%s%s", name, *path);
		dentry = parent;
	}
	return otst_raise(o, OTST_ERR_CORRUPT, "path of dentry 0x%" PRIx64 " has no end", dentry);
}

/* where @mount is; "" when it is nowhere */
static int mount_path(struct otst *o, uint64_t mount, const char **ret)
{
	uint64_t parent, dentry;
	const char *path = "";
	int err;

	for (unsigned int i = 0; i < MAX_DEPTH; i++) {
		err = otst_read_member(o, "mount", mount, "mnt_parent", &parent);
		if (!err && parent == mount) {
			*ret = path;
			return 0;
		}
		err = err ?: otst_read_member(o, "mount", mount, "mnt_mountpoint", &dentry);
		err = err ?: climb_dentries(o, dentry, &path);
		if (err)
			return err;
		mount = parent;
	}
	return otst_raise(o, OTST_ERR_CORRUPT, "mounts have no end");
}

/*
 * The mounts of a super block. Linux 09a1b33c080f ("preparations to taking
 * MNT_WRITE_HOLD out of ->mnt_flags") (v6.18) turned the list into a chain; @back
 * is the offset of a node in its mount.
 */
static int walk_mounts(struct otst *o, uint64_t sb, struct otst_walk *ret, uint64_t *back)
{
	const struct otst_member *mounts, *node;
	uint64_t first;
	int err = otst_member(o, "super_block", "s_mounts", &mounts);

	*back = 0;
	if (err)
		return err;
	if (otst_has_member(o, "mount", "mnt_next_for_sb")) {
		err = otst_member(o, "mount", "mnt_next_for_sb", &node);
		err = err ?: otst_read_u64(o, sb + mounts->offset, &first);
		if (!err)
			otst_walk_chain(o, first, node->offset, 0, ret);
		return err;
	}
	err = otst_member(o, "mount", "mnt_instance", &node);
	if (err)
		return err;
	*back = node->offset;
	otst_walk_list(o, sb + mounts->offset, ret);
	return 0;
}

/* the path of a mount of all of @sb, if possible one that init sees; else @ret stays "" */
static int find_mount(struct pins *p, uint64_t sb, uint64_t root, const char **ret)
{
	uint64_t node, back, at, space;
	struct otst_walk mounts;
	const char *path = "";
	int err = walk_mounts(p->o, sb, &mounts, &back);

	while (!err && otst_walk_next(&mounts, &node)) {
		err = otst_read_member(p->o, "mount", node - back, "mnt.mnt_root", &at);
		err = err ?: otst_read_member(p->o, "mount", node - back, "mnt_ns", &space);
		if (err || at != root || (**ret && space != p->namespace))
			continue;
		err = mount_path(p->o, node - back, &path);
		if (!err)
			*ret = path;
		if (!err && space == p->namespace)
			return 0;
	}
	return err ? err : mounts.err;
}

/* ---- dentries ---- */

static int add_pin_place(struct pins *p, uint64_t dentry, const char *path)
{
	struct place *place;
	bool added;
	int err = otst_set_add(p->o, &p->seen, dentry, &added);

	if (err || !added)
		return err;
	place = otst_vec_push(p->o, &p->todo, sizeof(*place));
	*place = (struct place){ .dentry = dentry, .path = path };
	return 0;
}

/*
 * Linux da549bdd15c2 ("dentry: switch the lists of children to hlist") (v6.8)
 * renamed both members.
 */
static int add_dentry_children(struct pins *p, const struct place *parent)
{
	bool hlist = otst_has_member(p->o, "dentry", "d_children");
	const struct otst_member *head, *node;
	struct otst_walk children;
	const char *name, *path;
	uint64_t at;
	int err = otst_member(p->o, "dentry", hlist ? "d_children" : "d_subdirs", &head);

	if (!err)
		err = otst_member(p->o, "dentry", hlist ? "d_sib" : "d_child", &node);
	if (err)
		return err;
	if (hlist)
		otst_walk_hlist(p->o, parent->dentry + head->offset, &children);
	else
		otst_walk_list(p->o, parent->dentry + head->offset, &children);
	while (!err && otst_walk_next(&children, &at)) {
		at -= node->offset;
		err = otst_read_member_string(p->o, "dentry", at, "d_name.name", MAX_NAME, &name);
		if (err)
			break;
		path = otst_format(p->o, "%s/%s", parent->path, name);
		err = add_pin_place(p, at, path);
	}
	return err ? err : children.err;
}

static int add_pin(struct pins *p, const struct place *place, uint64_t inode, bool is_link)
{
	struct otst_hold *hold;
	const char **slot;
	uint64_t prog;
	int err = otst_read_member(p->o, "inode", inode, "i_private", &prog);

	if (!err && is_link)
		err = otst_read_member(p->o, "bpf_link", prog, "prog", &prog);
	if (err)
		return err;
	hold = otst_holds_find(p->holds, prog);
	if (!hold)
		return 0;
	slot = otst_vec_push(p->o, &hold->pins, sizeof(*slot));
	*slot = place->path;
	return 0;
}

static int look_at_place(struct pins *p, const struct place *place)
{
	uint64_t inode, ops;
	int err = otst_read_member(p->o, "dentry", place->dentry, "d_inode", &inode);

	/* a negative dentry has none */
	if (err || !inode)
		return err;
	err = otst_read_member(p->o, "inode", inode, "i_op", &ops);
	if (err)
		return err;
	if (ops == p->prog_iops || (p->link_iops && ops == p->link_iops))
		return add_pin(p, place, inode, ops != p->prog_iops);
	return add_dentry_children(p, place);
}

static int look_at_super_block(struct pins *p, uint64_t sb)
{
	const char *path = "";
	struct place place;
	uint64_t root;
	int err = otst_read_member(p->o, "super_block", sb, "s_root", &root);

	if (err || !root)
		return err;
	err = find_mount(p, sb, root, &path);
	if (err)
		path = "";
	err = otst_holds_bad(p->o, p->holds, err);
	p->todo = (struct otst_vec){ 0 };
	err = err ?: add_pin_place(p, root, path);
	for (size_t i = 0; i < p->todo.count && i < MAX_DENTRIES && !err; i++) {
		place = ((struct place *)p->todo.data)[i];
		err = otst_check(p->o);
		err = err ?: look_at_place(p, &place);
		if (err)
			otst_fail(p->o, err, "%s", *place.path ? place.path : "/");
		err = otst_holds_bad(p->o, p->holds, err);
	}
	return err;
}

static int walk_super_blocks(struct pins *p, uint64_t head, uint64_t type)
{
	const struct otst_member *node;
	struct otst_walk blocks;
	uint64_t at, of;
	int err = otst_member(p->o, "super_block", "s_list", &node);

	if (err)
		return err;
	otst_walk_list(p->o, head, &blocks);
	while (!err && otst_walk_next(&blocks, &at)) {
		at -= node->offset;
		err = otst_read_member(p->o, "super_block", at, "s_type", &of);
		if (!err && of == type)
			err = look_at_super_block(p, at);
		if (err)
			otst_fail(p->o, err, "super block 0x%" PRIx64, at);
		err = otst_holds_bad(p->o, p->holds, err);
	}
	return err ? err : blocks.err;
}

int otst_bpf_pins(struct otst *o, struct otst_holds *h)
{
	uint64_t head = otst_symbol_or0(o, "super_blocks"),
		 type = otst_symbol_or0(o, "bpf_fs_type");
	uint64_t init = otst_symbol_or0(o, "init_nsproxy");
	struct pins p = {
		.o = o,
		.holds = h,
		.prog_iops = otst_symbol_or0(o, "bpf_prog_iops"),
		.link_iops = otst_symbol_or0(o, "bpf_link_iops"),
	};
	int err;

	if (!head || !type || !p.prog_iops)
		return 0;
	if (init && otst_read_member(o, "nsproxy", init, "mnt_ns", &p.namespace))
		p.namespace = 0;
	err = walk_super_blocks(&p, head, type);
	/* a kernel with an unknown layout is not a damaged kernel */
	if (err == OTST_ERR_LOOKUP)
		return 0;
	return otst_holds_bad(o, h, err ? otst_fail(o, err, "BPF file systems") : 0);
}
