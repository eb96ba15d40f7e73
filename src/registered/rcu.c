// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * rcu.c - functions that call_rcu() was given and that were not called yet: the list of each cpu's
 * struct rcu_data (kernel/rcu/tree.h, struct rcu_segcblist, since 4.12), and the one that bypasses it.
 */
#include "registered.h"

#define MOST_OFFSETS 4096u /* such a function is the offset of the rcu_head in what is freed */

/* there are very many callbacks, of few functions: each function is handed over once */
static int give_callback(const struct otst_registered_walk *r, uint64_t at)
{
	uint64_t func;
	bool added = true;
	int err = otst_read_member(r->o, "callback_head", at, "func", &func);

	if (err)
		return otst_registry_lost(r, err, "an RCU callback");
	if (func < MOST_OFFSETS || otst_set_add(r->o, r->seen, func, &added) || !added)
		return otst_check(r->o);
	return otst_registry_take(r, "RCU callback", "func", func, at);
}

static int give_callbacks(const struct otst_registered_walk *r, uint64_t data, const char *member)
{
	const struct otst_member *head;
	struct otst_walk w;
	uint64_t node;
	int err = otst_member(r->o, "rcu_data", member, &head);

	if (err)
		return otst_registry_lost(r, err, "RCU callbacks");
	otst_walk_hlist(r->o, data + head->offset, &w);
	while (!err && otst_walk_next(&w, &node))
		err = give_callback(r, node);
	return err ?: otst_registry_lost(r, w.err, "RCU callbacks");
}

int otst_registered_rcu(const struct otst_registered_walk *r)
{
	/* the kernels before 4.20 have up to three */
	static const char *const names[] = { "rcu_data", "rcu_sched_data", "rcu_bh_data",
					     "rcu_preempt_data" };
	int err = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !err; i++) {
		uint64_t at = otst_symbol_or0(r->o, names[i]);

		if (!at || !otst_has_member(r->o, "rcu_data", "cblist.head"))
			continue;
		for (unsigned int cpu = 0; cpu < otst_kernel(r->o)->nr_cpus && !err; cpu++) {
			uint64_t data = otst_percpu(r->o, at, cpu);

			err = give_callbacks(r, data, "cblist.head");
			if (!err && otst_has_member(r->o, "rcu_data", "nocb_bypass.head"))
				err = give_callbacks(r, data, "nocb_bypass.head");
		}
	}
	return err;
}
