// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * ftrace_hook.c - each struct ftrace_ops of include/linux/ftrace.h that is not part
 * of a probe of another kind: the function and function-graph tracers of every trace
 * array, the stack tracer, commands of set_ftrace_filter, perf's event
 * ftrace:function, and those that a module registered. The result is one otst_probe
 * for each ops, however many functions it hooks.
 */
#include <string.h>

#include "../ftrace/ftrace.h"
#include "probes.h"

struct listing {
	struct otst *o;
	struct otst_vec probes;
	const struct otst_ftrace_list *list;
	const struct otst_ftrace_sites *sites; /* NULL when unknown */
};

/* ---- one ops ---- */

static uint64_t count_sites(const struct listing *list, const struct otst_ftrace_ops *ops)
{
	uint64_t n = 0;

	if (ops->hashes_read && ops->filter.empty && ops->notrace.empty)
		return list->sites->count;
	for (size_t i = 0; i < list->sites->count; i++)
		n += otst_ftrace_ops_has(ops, list->sites->items[i].ip);
	return n;
}

/* a single function is named and its text is looked at; of others there is only a number */
static void place_hook(struct listing *list, const struct otst_ftrace_ops *ops,
		       struct otst_probe *p)
{
	const struct otst_hash *f = &ops->filter;

	p->evidence.seen = OTST_SEEN_NONE;
	if (!ops->hashes_read || f->empty || f->count != 1 || !otst_ftrace_ops_has(ops, *f->ips)) {
		p->target = otst_ftrace_scope(list->o, ops);
		if (!strcmp(p->target, "unknown"))
			p->target = "unknown functions";
		return;
	}
	p->addr = *f->ips;
	otst_symbolize_all(list->o, p->addr, &p->sym);
	otst_evidence(list->o, p->addr, 0, &p->evidence);
	if (p->claim == OTST_CLAIM_ARMED && !list->list->dead &&
	    p->evidence.seen != OTST_SEEN_CALL && p->evidence.seen != OTST_SEEN_JUMP &&
	    p->evidence.seen != OTST_SEEN_UNREADABLE)
		p->disagree = "armed by a call at an ftrace site, but there is none";
}

static void add_handlers(struct listing *list, const struct otst_ftrace_ops *ops,
			 struct otst_probe *p)
{
	if (ops->entry) {
		otst_handler_add(list->o, p, OTST_HANDLER_GRAPH_ENTRY,
				 ops->saved_func ? ops->saved_func : ops->entry);
		otst_handler_add(list->o, p, OTST_HANDLER_GRAPH_RETURN, ops->ret);
	} else if (ops->direct) {
		otst_handler_add(list->o, p, OTST_HANDLER_DIRECT, ops->direct);
	} else {
		otst_handler_add(list->o, p, OTST_HANDLER_CALLBACK,
				 ops->saved_func ? ops->saved_func : ops->func);
	}
}

static struct otst_probe *add_hook(struct listing *list, const struct otst_ftrace_ops *ops)
{
	struct otst_probe *p = otst_probe_add(list->o, &list->probes, OTST_PROBE_FTRACE, ops->addr,
					      ops->manager ? "subop_list" : "ftrace_ops_list");

	p->ops = ops;
	p->flags = (uint32_t)ops->flags;
	p->owner = ops->owner;
	p->error = otst_ftrace_ops_error(ops);
	/* the record itself could not be read */
	if (ops->error && !ops->func)
		return p;
	if (p->owner.kind == OTST_OWNER_PERF && !p->owner.name)
		p->owner.name = "ftrace:function";
	p->claim = !ops->active		? OTST_CLAIM_DISABLED :
		   !list->list->enabled ? OTST_CLAIM_DISARMED :
					  OTST_CLAIM_ARMED;
	p->via = OTST_VIA_FTRACE;
	place_hook(list, ops, p);
	add_handlers(list, ops, p);
	if (ops->sym.name && ops->sym.addr == ops->addr)
		otst_probe_fact(list->o, p, "ops", otst_sym_name(list->o, ops->addr, &ops->sym), 0);
	otst_probe_fact(list->o, p, "ops_flags", ops->flag_names, 0);
	if (list->sites && !p->error)
		otst_probe_fact(list->o, p, "functions", NULL, (int64_t)count_sites(list, ops));
	return p;
}

/* ---- direct calls of kernels that have one ops for all of them ---- */

static uint64_t direct_at(struct otst *o, uint64_t ip)
{
	/* bit 0 stands for a jump instead of a call */
	return otst_ftrace_direct(o, ip) & ~UINT64_C(1);
}

/* those of @all that lead to the same place as its @first one, as if they had an ops of their own */
static struct otst_ftrace_ops *split_direct(struct otst *o, const struct otst_ftrace_ops *all,
					    size_t first)
{
	struct otst_ftrace_ops *one = otst_new(o, sizeof(*one));
	uint64_t *ips = otst_alloc(o, all->filter.count * sizeof(*ips));
	size_t i, n = 0;

	*one = *all;
	one->direct = direct_at(o, all->filter.sorted[first]);
	for (i = first; ips && i < all->filter.count; i++) {
		if (direct_at(o, all->filter.sorted[i]) == one->direct)
			ips[n++] = all->filter.sorted[i];
	}
	one->filter.ips = one->filter.sorted = ips;
	one->filter.count = n;
	return one;
}

static bool is_listed_hook(const struct listing *list, uint64_t record, uint64_t direct)
{
	struct otst_probe *const *items = list->probes.data;

	for (size_t i = 0; i < list->probes.count; i++) {
		if (items[i]->record == record && items[i]->ops->direct == direct)
			return true;
	}
	return false;
}

/* BPF trampolines have rows of their own; their code is a module's or nobody's otherwise */
static int add_direct_calls(struct listing *list, const struct otst_ftrace_ops *all)
{
	struct otst_owner owner;

	for (size_t i = 0; i < all->filter.count; i++) {
		uint64_t to = direct_at(list->o, all->filter.sorted[i]);

		if (!to || is_listed_hook(list, all->addr, to))
			continue;
		otst_owner_of_code(list->o, to, &owner);
		if (owner.kind == OTST_OWNER_MODULE || owner.kind == OTST_OWNER_NOBODY)
			add_hook(list, split_direct(list->o, all, i))->owner = owner;
	}
	return otst_check(list->o);
}

/* ---- all of them ---- */

/* do its functions have rows of another kind */
static bool is_of_other_kind(const struct otst_ftrace_ops *ops)
{
	return ops->fprobe || ops->owner.kind == OTST_OWNER_KPROBES ||
	       ops->owner.kind == OTST_OWNER_LIVEPATCH || ops->owner.kind == OTST_OWNER_BPF ||
	       ops->manages;
}

static int add_all_hooks(struct listing *list)
{
	int err = 0;

	for (size_t i = 0; i < list->list->count && !err; i++) {
		const struct otst_ftrace_ops *ops = list->list->items[i];

		if (otst_handler_is(list->o, ops->func, "call_direct_funcs") && !ops->direct &&
		    ops->owner.kind == OTST_OWNER_KERNEL)
			err = add_direct_calls(list, ops);
		else if (!is_of_other_kind(ops))
			add_hook(list, ops);
		err = err ?: otst_check(list->o);
	}
	return err;
}

int otst_ftrace_hooks(struct otst *o, struct otst_probes *ret)
{
	struct otst_ftrace_list *list = otst_new(o, sizeof(*list));
	const struct otst_ftrace_sites *sites;
	struct listing l = { .o = o, .list = list };
	int err = otst_ftrace_ops_list(o, true, list);

	if (err)
		return err;
	err = otst_ftrace_sites(o, &l.sites);
	if (err && otst_fatal(err))
		return err;
	sites = err ? NULL : l.sites;
	l.sites = sites && !sites->errors.count ? sites : NULL;
	err = add_all_hooks(&l);
	/* how many functions these hook is not known */
	if (!err && sites && l.probes.count)
		otst_notes(o, &list->errors, &sites->errors);
	*ret = otst_probes_of(&l.probes, &list->errors);
	return err;
}
