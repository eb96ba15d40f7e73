// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * uprobe.c - uprobes_tree of kernel/events/uprobes.c: probes on files that
 * programs run. Each struct uprobe is a place in a file; each of its
 * consumers is a probe: of a tracefs event, of perf, of a BPF link or of a module.
 * The breakpoints are in the memory of processes, which a kernel dump
 * seldom has, so there is no evidence to compare with the claim.
 */
#include <inttypes.h>

#include "../capturers/stap.h"
#include "probes.h"

#define MAX_NAME      256u
#define MAX_DEPTH     64  /* directories of a path */
#define MAX_PENDING   128 /* of a red-black tree: twice the height of 2^64 nodes */
#define MAX_CONSUMERS 65536u
#define RB_COLORS     3u /* of rb_node.__rb_parent_color: not the parent */

/* struct uprobe's flags; bit 1 had several names up to 3.13, none since. Consumers have none. */
static const char *const flag_names[] = { "COPY_INSN", NULL };

struct listing {
	struct otst *o;
	struct otst_vec probes;
	struct otst_messages errors;
};

/* ---- the file's name ---- */

/*
 * The path from an alias of the inode up to the root of its file system. Where
 * that is mounted differs from process to process.
 */
static int name_inode(struct otst *o, uint64_t inode, const char **ret)
{
	const struct otst_member *aliases, *alias;
	const char *path = "", *name;
	uint64_t dentry, parent;
	int i, err;

	err = otst_member(o, "inode", "i_dentry", &aliases);
	/* 7.x: the union around d_alias has no name */
	if (!err && otst_member(o, "dentry", "d_alias", &alias))
		err = otst_member(o, "dentry", "d_u.d_alias", &alias);
	err = err ?: otst_read_u64(o, inode + aliases->offset, &dentry);
	if (err)
		return err;
	if (!dentry)
		return otst_raise(o, OTST_ERR_LOOKUP, "its inode has no name any more");
	dentry -= alias->offset;
	for (i = 0; i < MAX_DEPTH; i++, dentry = parent) {
		err = otst_read_member(o, "dentry", dentry, "d_parent", &parent);
		if (err || parent == dentry)
			break;
		err = otst_read_member_string(o, "dentry", dentry, "d_name.name", MAX_NAME, &name);
		if (err)
			break;
		path = otst_format(o, "/%s%s", name, path);
	}
	if (!err && i == MAX_DEPTH)
		err = otst_raise(o, OTST_ERR_CORRUPT, "its directories have no end");
	if (!err)
		*ret = path;
	return err;
}

/* ---- the owner ---- */

/* the struct bpf_uprobe around the consumer, its link, and the program of that */
static int own_by_link(struct otst *o, uint64_t consumer, struct otst_probe *p)
{
	const struct otst_member *m;
	uint64_t link, prog;
	int err;

	p->kind = OTST_PROBE_UPROBE_MULTI;
	p->owner.kind = OTST_OWNER_BPF;
	err = otst_member(o, "bpf_uprobe", "consumer", &m);
	err = err ?: otst_read_member(o, "bpf_uprobe", consumer - m->offset, "link", &link);
	err = err ?: otst_read_member(o, "bpf_uprobe_multi_link", link, "link.prog", &prog);
	return err ? otst_fail(o, err, "uprobe_multi link") : otst_bpf_owner(o, prog, p);
}

/* an event knows the file by the name that its user gave it */
static int own_by_event(struct otst *o, uint64_t consumer, bool is_return, struct otst_probe *p)
{
	const struct otst_member *m;
	const char *name;
	uint64_t at;
	int err;

	err = otst_member(o, "trace_uprobe", "consumer", &m);
	if (err)
		return err;
	at = consumer - m->offset;
	err = otst_read_member_string(o, "trace_uprobe", at, "filename", MAX_NAME, &name);
	if (!err)
		p->target = otst_format(o, "%s+0x%" PRIx64, name, p->offset);
	else
		err = otst_probe_error(o, p, err);
	return err ? err : otst_event_owner(o, p, "trace_uprobe", at, is_return ? 'r' : 'p');
}

int otst_uprobe_owner(struct otst *o, uint64_t consumer, uint64_t handler, uint64_t ret_handler,
		      struct otst_probe *p)
{
	if (otst_handler_is(o, handler, "uprobe_dispatcher") ||
	    otst_handler_is(o, ret_handler, "uretprobe_dispatcher"))
		return own_by_event(o, consumer, ret_handler, p);
	if (otst_handler_is(o, handler, "uprobe_multi_link_handler") ||
	    otst_handler_is(o, ret_handler, "uprobe_multi_link_ret_handler"))
		return own_by_link(o, consumer, p);
	otst_owner_of_code(o, handler ? handler : ret_handler, &p->owner);
	otst_stap_attach(o, p);
	return 0;
}

/* ---- records ---- */

static int add_consumer(struct listing *list, struct otst_view *uprobe, uint64_t consumer,
			uint64_t inode, uint64_t offset)
{
	struct otst *o = list->o;
	struct otst_probe *p;
	uint64_t handler, ret_handler;
	const char *path = NULL;
	struct otst_view v;
	int err, unnamed;

	p = otst_probe_add(o, &list->probes, OTST_PROBE_UPROBE, consumer, "uprobes_tree");
	p->node = uprobe->addr;
	if (otst_view_has(uprobe, "flags")) {
		p->node_flags = (uint32_t)otst_u64(uprobe, "flags");
		p->flag_names = flag_names;
	}
	p->offset = offset;
	p->claim = OTST_CLAIM_ARMED;
	p->evidence.seen = OTST_SEEN_NONE;
	p->target = otst_format(o, "inode 0x%" PRIx64 "+0x%" PRIx64, inode, offset);
	unnamed = name_inode(o, inode, &path);
	if (!unnamed)
		p->target = otst_format(o, "%s+0x%" PRIx64, path, offset);
	/* an inode may have lost its name */
	if (unnamed && unnamed != OTST_ERR_LOOKUP) {
		err = otst_probe_error(o, p, otst_fail(o, unnamed, "name of its file"));
		if (err)
			return err;
	}
	err = otst_view_read(o, "uprobe_consumer", consumer, &v);
	if (!err) {
		handler = otst_u64(&v, "handler");
		ret_handler = otst_u64(&v, "ret_handler");
		otst_handler_add(o, p, OTST_HANDLER_CONSUMER, handler);
		otst_handler_add(o, p, OTST_HANDLER_CONSUMER_RETURN, ret_handler);
		otst_handler_add(o, p, OTST_HANDLER_FILTER, otst_u64(&v, "filter"));
		err = v.err;
		/* uprobe_register() refuses it */
		if (!err && !handler && !ret_handler)
			err = otst_raise(o, OTST_ERR_CORRUPT, "it has no handler");
		err = err ?: otst_uprobe_owner(o, consumer, handler, ret_handler, p);
	}
	return otst_probe_error(o, p, err);
}

static int walk_consumers(struct listing *list, struct otst_view *v)
{
	uint64_t inode = otst_u64(v, "inode"), offset = otst_u64(v, "offset"), at;
	const struct otst_member *node, *next;
	struct otst_walk w;
	uint64_t back;
	int err = v->err;

	if (err)
		return err;
	/* Linux cc01bd044e6a ("uprobes: travers uprobe's consumer list locklessly under SRCU protection") (v6.12) */
	if (!otst_member(list->o, "uprobe_consumer", "cons_node", &node)) {
		back = node->offset;
		otst_walk_list(list->o, otst_addr_of(v, "consumers"), &w);
	} else {
		err = otst_member(list->o, "uprobe_consumer", "next", &next);
		if (err)
			return err;
		back = 0;
		otst_walk_chain(list->o, otst_u64(v, "consumers"), next->offset, 0, &w);
	}
	if (v->err)
		return v->err;
	while (!err && otst_walk_next(&w, &at)) {
		if (w.steps > MAX_CONSUMERS)
			return otst_raise(list->o, OTST_ERR_CORRUPT, "no end after %zu consumer%s",
					  w.steps, otst_number(w.steps, "", "s"));
		err = add_consumer(list, v, at - back, inode, offset);
	}
	return err ? err : w.err;
}

/* each node knows its parent, so a tree caught in a rotation cannot lead in circles */
static int check_node(struct otst *o, uint64_t node, uint64_t parent)
{
	uint64_t colored;
	int err;

	if (!node)
		return 0;
	err = otst_read_member(o, "rb_node", node, "__rb_parent_color", &colored);
	if (!err && (colored & ~(uint64_t)RB_COLORS) != parent)
		err = otst_raise(o, OTST_ERR_CORRUPT, "node 0x%" PRIx64 " has another parent",
				 node);
	return err;
}

/* a damaged link loses only what is behind it */
static int follow_link(struct listing *list, uint64_t from, const char *member, uint64_t *ret)
{
	uint64_t next = 0;
	int err = otst_read_member(list->o, "rb_node", from, member, &next);

	err = err ?: check_node(list->o, next, from);
	*ret = err ? 0 : next;
	return err ? otst_note(list->o, &list->errors, otst_fail(list->o, err, "uprobes_tree")) : 0;
}

static int add_uprobe(struct listing *list, uint64_t addr)
{
	struct otst_view v;
	int err = otst_view_read(list->o, "uprobe", addr, &v);

	err = err ?: walk_consumers(list, &v);
	return err ? otst_note(list->o, &list->errors,
			       otst_fail(list->o, err, "uprobe 0x%" PRIx64, addr)) :
		     0;
}

/* in the order of the tree: by inode, then by offset */
static int walk_tree(struct listing *list, uint64_t node)
{
	const struct otst_member *link;
	uint64_t pending[MAX_PENDING];
	size_t n = 0;
	int err;

	err = otst_member(list->o, "uprobe", "rb_node", &link);
	err = err ?: check_node(list->o, node, 0);
	while (!err && (node || n)) {
		while (!err && node) {
			if (n == MAX_PENDING)
				return otst_raise(list->o, OTST_ERR_CORRUPT,
						  "the tree is too deep");
			pending[n++] = node;
			err = follow_link(list, node, "rb_left", &node);
		}
		if (err)
			break;
		node = pending[--n];
		err = add_uprobe(list, node - link->offset);
		err = err ?: otst_check(list->o);
		err = err ?: follow_link(list, node, "rb_right", &node);
	}
	return err;
}

int otst_uprobes(struct otst *o, struct otst_probes *ret)
{
	struct listing list = { .o = o };
	uint64_t tree, root;
	int err;

	err = otst_symbol(o, "uprobes_tree", &tree);
	if (err)
		return otst_fail(o, err, "this kernel has no uprobes");
	err = otst_read_u64(o, tree, &root);
	err = err ?: walk_tree(&list, root);
	if (err)
		err = otst_note(o, &list.errors, otst_fail(o, err, "uprobes_tree"));
	*ret = otst_probes_of(&list.probes, &list.errors);
	return err;
}
