// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * fprobe.c - struct fprobe of include/linux/fprobe.h: handlers at entry and
 * return of many functions at once. Up to 6.13 each has an ftrace_ops of its
 * own, whose filter names the functions; since then fprobe_table lists them
 * with their addresses, and all share one ops. BPF's kprobe_multi links are
 * fprobes with a handler in the kernel. The result is one otst_probe for
 * each function.
 */
#include <inttypes.h>

#include "../ftrace/ftrace.h"
#include "probes.h"

#define MAX_FUNCTIONS 131072u
#define FLAG_DISABLED 1u /* FPROBE_FL_DISABLED */
#define TABLE_SIZE    64 /* FPROBE_TABLE_SIZE: 1 << FPROBE_HASH_BITS */

static const char *const flag_names[] = { "DISABLED", "KPROBE_SHARED", NULL };

struct listing {
	struct otst *o;
	struct otst_vec probes;
	struct otst_messages errors;
};

/* the program of the struct bpf_kprobe_multi_link around the fprobe at @fp */
static int own_by_link(struct otst *o, uint64_t fp, struct otst_probe *p)
{
	const struct otst_member *m;
	uint64_t prog;
	int err;

	err = otst_member(o, "bpf_kprobe_multi_link", "fp", &m);
	if (!err)
		err = otst_read_member(o, "bpf_kprobe_multi_link", fp - m->offset, "link.prog",
				       &prog);
	return err ? otst_fail(o, err, "kprobe_multi link") : otst_bpf_owner(o, prog, p);
}

/* ---- one function of an fprobe ---- */

/* what all functions of an fprobe have */
struct fprobe {
	uint64_t at;
	uint32_t flags;
	uint64_t nmissed, entry, exit;
};

static int read_fprobe(struct otst_view *v, struct fprobe *ret)
{
	*ret = (struct fprobe){ .at = v->addr,
				.flags = (uint32_t)otst_u64(v, "flags"),
				.nmissed = otst_u64(v, "nmissed"),
				.entry = otst_u64(v, "entry_handler"),
				.exit = otst_u64(v, "exit_handler") };
	return v->err;
}

static int add_fprobe_function(struct listing *list, const struct fprobe *fp, uint64_t addr,
			       const char *place)
{
	struct otst *o = list->o;
	int err = 0;
	struct otst_probe *p = otst_probe_add(o, &list->probes, OTST_PROBE_FPROBE, fp->at, place);

	p->addr = otst_ftrace_location(o, addr);
	otst_symbolize_all(o, p->addr, &p->sym);
	p->flags = fp->flags;
	p->flag_names = flag_names;
	p->nmissed = fp->nmissed;
	p->claim = p->flags & FLAG_DISABLED ? OTST_CLAIM_DISABLED : OTST_CLAIM_ARMED;
	p->via = OTST_VIA_FTRACE;
	otst_handler_add(o, p, OTST_HANDLER_ENTRY, fp->entry);
	otst_handler_add(o, p, OTST_HANDLER_EXIT, fp->exit);
	otst_evidence(o, p->addr, 0, &p->evidence);
	if (p->claim == OTST_CLAIM_ARMED && p->evidence.seen != OTST_SEEN_CALL &&
	    p->evidence.seen != OTST_SEEN_UNREADABLE)
		p->disagree = "armed by a call at an ftrace site, but there is none";
	if (otst_fprobe_is_multi(o, fp->entry) || otst_fprobe_is_multi(o, fp->exit)) {
		p->kind = OTST_PROBE_KPROBE_MULTI;
		err = own_by_link(o, fp->at, p);
	} else {
		otst_fprobe_owner_of(o, fp->at, fp->entry ? fp->entry : fp->exit, &p->owner);
	}
	return otst_probe_error(o, p, err);
}

static int bad_record(struct listing *list, int err, uint64_t fp)
{
	return otst_note(list->o, &list->errors, otst_fail(list->o, err, "fprobe 0x%" PRIx64, fp));
}

/* ---- fprobe_table, since 6.14 ---- */

/* fprobe_ip_table chains the fprobes of one function in the order in which they are called */
static int link_last(struct listing *list, uint64_t node)
{
	struct otst_probe **items = list->probes.data, *p = items[list->probes.count - 1];
	const struct otst_member *link;
	int err = otst_member(list->o, "fprobe_hlist_node", "hlist", &link);

	if (err)
		return err;
	p->link = node + link->offset;
	return otst_read_member(list->o, "fprobe_hlist_node", node, "hlist.next", &p->next_link);
}

static int add_fprobe_array(struct listing *l, const struct fprobe *fp, uint64_t list,
			    uint64_t count, const char *place)
{
	const struct otst_member *array, *addr, *owner;
	uint64_t size, ip, node, i;
	struct otst *o = l->o;
	int err;

	err = otst_member(o, "fprobe_hlist", "array", &array);
	err = err ?: otst_member(o, "fprobe_hlist_node", "addr", &addr);
	err = err ?: otst_member(o, "fprobe_hlist_node", "fp", &owner);
	err = err ?: otst_type_size(o, "fprobe_hlist_node", &size);
	if (!err && count > MAX_FUNCTIONS)
		err = otst_raise(o, OTST_ERR_CORRUPT, "%" PRId64 " functions", (int64_t)count);
	for (i = 0; i < count && !err; i++) {
		node = list + array->offset + i * size;
		err = otst_read_u64(o, node + owner->offset, &ip);
		/* an entry that is being removed has let go of its fprobe */
		if (err || !ip)
			continue;
		err = otst_read_u64(o, node + addr->offset, &ip);
		err = err ?: add_fprobe_function(l, fp, ip, place);
		err = err ?: link_last(l, node);
		err = err ?: otst_check(o);
	}
	return err;
}

static int add_fprobe_entry(struct listing *l, uint64_t list, const char *place)
{
	struct otst_view v, of;
	uint64_t at, count;
	struct fprobe fp;
	int err;

	err = otst_view_read(l->o, "fprobe_hlist", list, &v);
	if (err)
		return bad_record(l, err, list);
	at = otst_u64(&v, "fp");
	count = otst_u64(&v, "size");
	if (v.err || !at)
		return v.err ? bad_record(l, v.err, list) : 0;
	err = otst_view_read(l->o, "fprobe", at, &of);
	err = err ?: read_fprobe(&of, &fp);
	if (!err && otst_u64(&of, "hlist_array") != list)
		err = of.err ?:
			       otst_raise(l->o, OTST_ERR_CORRUPT,
					  "its list of functions is another");
	err = err ?: add_fprobe_array(l, &fp, list, count, place);
	return err ? bad_record(l, err, at) : 0;
}

static int walk_fprobe_table(struct listing *list, uint64_t table)
{
	const struct otst_member *link;
	struct otst_walk w;
	const char *place;
	uint64_t node, i;
	int err;

	err = otst_member(list->o, "fprobe_hlist", "hlist", &link);
	for (i = 0; i < TABLE_SIZE && !err; i++) {
		place = otst_format(list->o, "fprobe_table[%" PRIu64 "]", i);
		otst_walk_hlist(list->o, table + 8 * i, &w);
		while (!err && otst_walk_next(&w, &node))
			err = add_fprobe_entry(list, node - link->offset, place);
		if (!err && w.err)
			err = otst_note(list->o, &list->errors,
					otst_fail(list->o, w.err, "%s", place));
	}
	return err;
}

/* ---- one ftrace_ops each, before 6.14 ---- */

static bool is_fprobe_ops(struct otst *o, const struct otst_ftrace_ops *ops)
{
	uint64_t func = ops->saved_func ? ops->saved_func : ops->func;

	return otst_handler_is(o, func, "fprobe_handler") ||
	       otst_handler_is(o, func, "fprobe_kprobe_handler");
}

static int add_fprobe_ops(struct listing *list, const struct otst_ftrace_ops *ops, uint64_t offset)
{
	const char *error = otst_ftrace_ops_error(ops);
	struct otst_view v;
	struct fprobe fp;
	int err = 0;

	if (error)
		err = otst_note(list->o, &list->errors,
				otst_raise(list->o, OTST_ERR_CORRUPT, "fprobe at 0x%" PRIx64 ": %s",
					   ops->addr - offset, error));
	err = err ?: otst_view_read(list->o, "fprobe", ops->addr - offset, &v);
	err = err ?: read_fprobe(&v, &fp);
	for (size_t i = 0; i < ops->filter.count && !err; i++) {
		/* register_fprobe()'s notfilter */
		if (!otst_ftrace_ops_has(ops, ops->filter.sorted[i]))
			continue;
		err = add_fprobe_function(list, &fp, ops->filter.sorted[i], "ftrace_ops_list");
		err = err ?: otst_check(list->o);
	}
	return err ? bad_record(list, err, ops->addr - offset) : 0;
}

static int walk_ops(struct listing *l, uint64_t offset)
{
	struct otst_ftrace_list list;
	int err = otst_ftrace_ops_list(l->o, true, &list);

	for (size_t i = 0; !err && i < list.count; i++) {
		const struct otst_ftrace_ops *ops = list.items[i];

		if (is_fprobe_ops(l->o, ops))
			err = add_fprobe_ops(l, ops, offset);
		else if (ops->error && !ops->func)
			/* nothing tells the owner */
			err = otst_note(l->o, &l->errors,
					otst_raise(l->o, OTST_ERR_CORRUPT,
						   "ftrace_ops at 0x%" PRIx64 ": %s", ops->addr,
						   ops->error));
	}
	if (!err)
		otst_notes(l->o, &l->errors, &list.errors);
	return err;
}

int otst_fprobes(struct otst *o, struct otst_probes *ret)
{
	uint64_t table = otst_symbol_or0(o, "fprobe_table");
	const struct otst_member *ops;
	struct listing list = { .o = o };
	int err;

	if (!table && !otst_has_symbol(o, "fprobe_handler"))
		return otst_raise(o, OTST_ERR_LOOKUP, "this kernel has no fprobes");
	/*
	 * Linux 4346ba160409 ("fprobe: Rewrite fprobe on function-graph
	 * tracer") (v6.14)
	 */
	err = table ? walk_fprobe_table(&list, table) : otst_member(o, "fprobe", "ops", &ops);
	if (!table && !err)
		err = walk_ops(&list, ops->offset);
	*ret = otst_probes_of(&list.probes, &list.errors);
	return err;
}
