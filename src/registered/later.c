// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * later.c - what is called later: timers (struct timer_base of kernel/time/timer.c, since 4.8),
 * high-resolution timers, work that waits or is being done (struct worker_pool of
 * kernel/workqueue.c).
 */
#include <inttypes.h>

#include "registered.h"

#define MOST_VECTORS 4096u
#define MOST_CLOCKS  16u
#define TIMER_BASES  3u
#define CLOCKS	     (UINT64_C(1) << 33) /* jiffies */

/* ---- timers ---- */

/* the timer of a delayed work leads to the function of the work */
static int give_timer(const struct otst_registered_walk *r, uint64_t timer)
{
	struct otst_registered_walk delayed = *r;
	const struct otst_member *in, *work;
	struct otst *o = r->o;
	uint64_t func;
	int err = otst_read_member(o, "timer_list", timer, "function", &func);

	if (err)
		return otst_registry_lost(r, err, "a timer");
	if (!otst_handler_is(o, func, "delayed_work_timer_fn"))
		return otst_registry_take(r, "timer", "function", func, timer);
	err = otst_member(o, "delayed_work", "timer", &in);
	err = err ?: otst_member(o, "delayed_work", "work", &work);
	delayed.kind = OTST_REGISTERED_WORK;
	return err ? otst_registry_lost(r, err, "a delayed work") :
		     otst_registry_give(&delayed, "delayed work", "work_struct",
					timer - in->offset + work->offset, "func");
}

/**
 * struct wheels - all struct timer_base
 * @vectors: its lists; @entry: in a struct timer_list; @size: of a base
 * @torn: lists that could not be read to their end
 */
struct wheels {
	const struct otst_member *vectors;
	uint64_t entry, size;
	unsigned int torn;
};

static int give_list(const struct otst_registered_walk *r, uint64_t head, struct wheels *t)
{
	struct otst_walk w;
	uint64_t node;
	int err = 0;

	otst_walk_both_ways(r->o, head, true, &w);
	while (!err && otst_walk_next(&w, &node))
		err = give_timer(r, node - t->entry);
	/* in an image of a running machine there are many: the first one stands for all */
	if (!err && w.err && t->torn++)
		return otst_check(r->o);
	return err ?: otst_registry_lost(r, w.err, "timer_bases");
}

/* the vectors of one struct timer_base, read in one go */
static int give_base(const struct otst_registered_walk *r, uint64_t base, struct wheels *t)
{
	uint8_t *heads = otst_alloc(r->o, t->vectors->size);
	uint32_t i;
	int err;

	if (!heads)
		return otst_no_memory(r->o);
	base += t->vectors->offset;
	err = otst_read(r->o, base, heads, t->vectors->size);
	if (err)
		return otst_registry_lost(r, err, "timer_bases");
	for (i = 0; i < t->vectors->count && !err; i++) {
		if (otst_get(r->o, heads + 8 * (size_t)i, 8))
			err = give_list(r, base + 8 * (uint64_t)i, t);
	}
	return err;
}

/*
 * How many there are depends on the configuration (NR_BASES: up to 3), and no symbol says where a
 * per-cpu variable ends: each is of its cpu, and its clock began with the others'
 */
static int is_base(struct otst *o, uint64_t first, uint64_t base, unsigned int cpu, bool *ret)
{
	uint64_t of, clock, other;
	int err = otst_read_member(o, "timer_base", base, "cpu", &of);

	err = err ?: otst_read_member(o, "timer_base", base, "clk", &clock);
	err = err ?: otst_read_member(o, "timer_base", first, "clk", &other);
	*ret = !err && of == cpu && clock && clock - other + CLOCKS / 2 < CLOCKS;
	return err;
}

static int give_bases(const struct otst_registered_walk *r, uint64_t first, unsigned int cpu,
		      struct wheels *t)
{
	uint64_t base = first;
	unsigned int i;
	bool is = true;
	int err = 0;

	for (i = 0; i < TIMER_BASES && is && !err; i++, base += t->size) {
		err = i ? is_base(r->o, first, base, cpu, &is) : 0;
		err = err ? otst_registry_lost(r, err, "timer_bases") :
		      is  ? give_base(r, base, t) :
			    0;
	}
	return err;
}

static int give_timers(const struct otst_registered_walk *r)
{
	struct otst *o = r->o;
	uint64_t at = otst_symbol_or0(o, "timer_bases");
	const struct otst_member *entry;
	struct wheels t = { 0 };
	unsigned int cpu;
	int err;

	if (!at)
		return 0;
	err = otst_member(o, "timer_base", "vectors", &t.vectors);
	err = err ?: otst_member(o, "timer_list", "entry", &entry);
	err = err ?: otst_type_size(o, "timer_base", &t.size);
	if (!err && (!t.size || t.vectors->count > MOST_VECTORS))
		err = otst_raise(o, OTST_ERR_CORRUPT, "%" PRIu32 " lists in %" PRIu64 " bytes",
				 t.vectors->count, t.size);
	if (err)
		return otst_registry_lost(r, err, "timer_bases");
	t.entry = entry->offset;
	for (cpu = 0; cpu < otst_kernel(o)->nr_cpus && !err; cpu++)
		err = give_bases(r, otst_percpu(o, at, cpu), cpu, &t);
	if (!err && t.torn > 1)
		err = otst_registry_lost(r,
					 otst_raise(o, OTST_ERR_CORRUPT,
						    "%u more of its lists break off, too",
						    t.torn - 1),
					 "timer_bases");
	return err;
}

/* ---- high-resolution timers ---- */

/* where the parts of a struct hrtimer_cpu_base are */
struct clocks {
	uint64_t first, size, count; /* of its array of struct hrtimer_clock_base */
	uint64_t root;		     /* in one of these: the root of the tree */
};

static int find_clocks(struct otst *o, struct clocks *c)
{
	const struct otst_member *base, *root;
	const char *name = otst_either(o, "hrtimer_clock_base", "active.rb_root.rb_root.rb_node",
				       "active.head.rb_node");
	int err = otst_member(o, "hrtimer_cpu_base", "clock_base", &base);

	err = err ?: otst_member(o, "hrtimer_clock_base", name, &root);
	if (!err && (!base->count || base->count > MOST_CLOCKS))
		err = otst_raise(o, OTST_ERR_CORRUPT, "%" PRIu32 " clocks", base->count);
	if (err)
		return err;
	*c = (struct clocks){ base->offset, base->size / base->count, base->count, root->offset };
	return 0;
}

static int visit_hrtimer(const struct otst_registered_walk *r, const char *where, uint64_t at)
{
	return otst_registry_give(r, where, "hrtimer", at, "function");
}

static int give_hrtimers(const struct otst_registered_walk *r)
{
	uint64_t at = otst_symbol_or0(r->o, "hrtimer_bases"), i;
	struct clocks c;
	unsigned int cpu;
	int err;

	if (!at)
		return 0;
	err = find_clocks(r->o, &c);
	if (err)
		return otst_registry_lost(r, err, "hrtimer_bases");
	for (cpu = 0; cpu < otst_kernel(r->o)->nr_cpus && !err; cpu++) {
		for (i = 0; i < c.count && !err; i++)
			err = otst_registry_tree(r, "hrtimer",
						 otst_percpu(r->o, at, cpu) + c.first + i * c.size +
							 c.root,
						 "hrtimer", "node.node", visit_hrtimer);
	}
	return err;
}

/* ---- work ---- */

static int visit_work(const struct otst_registered_walk *r, const char *where, uint64_t at)
{
	return otst_registry_give(r, where, "work_struct", at, "func");
}

static int visit_worker(const struct otst_registered_walk *r, const char *where, uint64_t at)
{
	return otst_registry_give(r, where, "worker", at, "current_func");
}

static int give_pool(const struct otst_registered_walk *r, uint64_t pool)
{
	bool added = true;
	int err;

	/* many workqueues share a pool */
	if (otst_set_add(r->o, r->seen, pool, &added) || !added)
		return otst_check(r->o);
	err = otst_registry_list_in(r, "work", "worker_pool", pool, "worklist", "work_struct",
				    "entry", visit_work);
	/* Linux da028469ba17 ("workqueue: separate out pool->workers") (v3.16) */
	if (err || otst_has_member(r->o, "worker_pool", "worker_idr"))
		return err;
	return otst_registry_list_in(r, "work", "worker_pool", pool, "workers", "worker", "node",
				     visit_worker);
}

static int visit_pwq(const struct otst_registered_walk *r, const char *where, uint64_t pwq)
{
	/* those over the limit of their workqueue; the second name is that before 5.15 */
	const char *waiting =
		otst_either(r->o, "pool_workqueue", "inactive_works", "delayed_works");
	uint64_t pool;
	int err = otst_read_member(r->o, "pool_workqueue", pwq, "pool", &pool);

	if (err || !pool)
		return otst_registry_lost(r, err, where);
	err = give_pool(r, pool);
	if (!err)
		err = otst_registry_list_in(r, where, "pool_workqueue", pwq, waiting, "work_struct",
					    "entry", visit_work);
	return err;
}

static int visit_workqueue(const struct otst_registered_walk *r, const char *where, uint64_t wq)
{
	return otst_registry_list_in(r, where, "workqueue_struct", wq, "pwqs", "pool_workqueue",
				     "pwqs_node", visit_pwq);
}

int otst_registered_work(const struct otst_registered_walk *r)
{
	return otst_registry_list(r, "work", otst_registry_head(r, "work", "workqueues"),
				  "workqueue_struct", "list", visit_workqueue);
}

int otst_registered_timers(const struct otst_registered_walk *r)
{
	return give_timers(r) ?: give_hrtimers(r);
}
