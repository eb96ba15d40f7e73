// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * kretprobe.c - struct kretprobe around a kprobe (include/linux/kprobes.h):
 * its handlers, and how many of its instances are in calls that have not
 * returned. Four generations keep the free instances in four ways; the
 * instances in use are those that are not free, so no task is visited.
 */
#include <inttypes.h>

#include "../built/disassemble.h"
#include "probes.h"

#define MAX_INSTANCES (1u << 20)

/* number of nodes in a chain, 0 when it is damaged */
static int count_chain(struct otst *o, uint64_t first, uint64_t link, uint64_t *ret)
{
	struct otst_walk w;
	uint64_t node;

	otst_walk_chain(o, first, link, 0, &w);
	while (otst_walk_next(&w, &node))
		;
	*ret = w.steps;
	return w.err;
}

static int count_freelist(struct otst *o, uint64_t head, uint64_t *ret)
{
	const struct otst_member *next;
	uint64_t first;
	int err;

	err = otst_member(o, "freelist_node", "next", &next);
	err = err ?: otst_read_u64(o, head, &first);
	return err ? err : count_chain(o, first, next->offset, ret);
}

/*
 * Linux 4bbd93455659 ("kprobes: kretprobe scalability improvement") (v6.7):
 * each cpu has a ring of free objects, head..last.
 */
static int count_objpool(struct otst *o, uint64_t pool, uint64_t *instances, uint64_t *ret)
{
	struct otst_view v, slot;
	uint64_t slots, at, cpus, i, free = 0;
	int err;

	err = otst_view_read(o, "objpool_head", pool, &v);
	if (err)
		return err;
	*instances = otst_u64(&v, "nr_objs");
	cpus = otst_view_has(&v, "nr_possible_cpus") ? otst_u64(&v, "nr_possible_cpus") :
						       otst_u64(&v, "nr_cpus");
	slots = otst_u64(&v, "cpu_slots");
	if (v.err)
		return v.err;
	if (cpus > otst_kernel(o)->nr_cpus || *instances > MAX_INSTANCES)
		return otst_raise(o, OTST_ERR_CORRUPT,
				  "objpool of %" PRIu64 " cpu%s, %" PRIu64 " object%s", cpus,
				  otst_number(cpus, "", "s"), *instances,
				  otst_number(*instances, "", "s"));
	for (i = 0; i < cpus; i++) {
		err = otst_read_u64(o, slots + 8 * i, &at);
		/* a cpu that is not possible has no ring */
		if (!err && !at)
			continue;
		err = err ?: otst_view_read(o, "objpool_slot", at, &slot);
		if (err)
			return err;
		free += (uint32_t)(otst_u64(&slot, "last") - otst_u64(&slot, "head"));
		if (slot.err)
			return slot.err;
	}
	*ret = free;
	return 0;
}

/* pool member @pool of structure @type at @addr: an objpool, or a list of free nodes */
static int count_pool(struct otst *o, struct otst_kretprobe *r, const char *type, uint64_t addr,
		      uint64_t *ret)
{
	const struct otst_member *pool;
	int err = otst_member(o, type, "pool", &pool);

	if (err)
		return err;
	if (pool->size > 8) {
		r->pool = "objpool";
		return count_objpool(o, addr + pool->offset, &r->instances, ret);
	}
	return count_freelist(o, addr + pool->offset, ret);
}

static int count_free(struct otst *o, struct otst_kretprobe *r, struct otst_view *rp, uint64_t *ret)
{
	r->instances = (uint64_t)r->maxactive;
	/* Linux f3a112c0c40d ("x86,rethook,kprobes: Replace kretprobe with rethook on x86") (v5.18) */
	if (otst_view_has(rp, "rh")) {
		r->pool = "rethook";
		return count_pool(o, r, "rethook", otst_u64(rp, "rh"), ret);
	}
	/* Linux 6e426e0fcd20 ("kprobes: Replace rp->free_instance with freelist") (v5.11) */
	if (otst_view_has(rp, "freelist")) {
		r->pool = "freelist";
		return count_freelist(o, otst_addr_of(rp, "freelist"), ret);
	}
	if (otst_view_has(rp, "rph")) {
		r->pool = "freelist";
		return count_pool(o, r, "kretprobe_holder", otst_u64(rp, "rph"), ret);
	}
	r->pool = "hlist";
	return count_chain(o, otst_u64(rp, "free_instances"), 0, ret);
}

/*
 * The kprobe_profile of older kernels shows only the kprobe's nmissed. The only sign of
 * that is the code of probes_profile_seq_show(): it either reads kretprobe.nmissed of the
 * event that it is given, or does not.
 */
static int find_profiled(struct otst *o, const void *of, void *ret)
{
	const struct otst_member *nmissed;
	bool *profiled = ret;

	(void)of;
	/* Linux c31ffb3ff633 ("tracing/kprobes: Factor out struct trace_probe") (v3.14) renamed it */
	*profiled = (otst_member(o, "trace_kprobe", "rp.nmissed", &nmissed) &&
		     otst_member(o, "trace_probe", "rp.nmissed", &nmissed)) ||
		    otst_function_uses(o, "probes_profile_seq_show", nmissed->offset, true);
	return otst_stopped(o);
}

static bool is_profiled(struct otst *o)
{
	static const struct otst_once once = { .size = sizeof(bool), .make = find_profiled };
	const bool *profiled = otst_once_or_null(o, &once, NULL);

	return !profiled || *profiled;
}

int otst_dynamic_event_missed(struct otst *o, const char *type, uint64_t at, uint64_t *ret)
{
	uint64_t handler, missed = 0;
	int err = otst_read_member(o, type, at, "rp.handler", &handler);

	err = err ?: otst_read_member(o, type, at, "rp.kp.nmissed", ret);
	if (!err && handler && is_profiled(o))
		err = otst_read_member(o, type, at, "rp.nmissed", &missed);
	*ret += (uint32_t)missed;
	return err;
}

int otst_kretprobe(struct otst *o, struct otst_probe *p)
{
	struct otst_kretprobe *r = otst_new(o, sizeof(*r));
	struct otst_view v;
	uint64_t free;
	int err;

	/* kp is the first member in every kernel */
	err = otst_view_read(o, "kretprobe", p->record, &v);
	if (err)
		return err;
	otst_handler_add(o, p, OTST_HANDLER_RETURN, otst_u64(&v, "handler"));
	otst_handler_add(o, p, OTST_HANDLER_ENTRY, otst_u64_with(&v, "entry_handler", "data_size"));
	r->maxactive = (int64_t)otst_u64(&v, "maxactive");
	r->nmissed = (uint32_t)otst_u64(&v, "nmissed");
	r->data_size = otst_u64(&v, "data_size");
	p->ret = r;
	if (v.err)
		return v.err;
	r->profiled = r->nmissed && is_profiled(o);
	if (r->maxactive < 0 || r->maxactive > MAX_INSTANCES)
		return otst_raise(o, OTST_ERR_CORRUPT, "kretprobe: maxactive is %" PRId64,
				  r->maxactive);
	err = count_free(o, r, &v, &free);
	if (err)
		return otst_fail(o, err, "kretprobe's free instances");
	if (free > r->instances)
		return otst_raise(o, OTST_ERR_CORRUPT,
				  "kretprobe has %" PRIu64 " free instance%s of %" PRIu64, free,
				  otst_number(free, "", "s"), r->instances);
	r->in_use = r->instances - free;
	r->in_use_known = true;
	return 0;
}
