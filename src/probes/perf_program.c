// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * perf_program.c - BPF programs and modules' functions that run at each sample of
 * a perf event which is not itself a probe: timers, page faults, processor
 * counters (perf_event.prog and .overflow_handler, kernel/events/core.c). Programs
 * on tracepoints, kprobes and uprobes hang on their trace event instead, and programs on
 * breakpoints are listed with the breakpoints.
 */

#include "perf_event.h"

/* one row: one program or function on what one user asked for, with one event for each cpu */
struct row {
	const struct otst_perf_event *first;
	struct otst_probe *p;
	const char *cpus;
};

struct listing {
	struct otst *o;
	struct otst_vec rows;
	struct otst_vec *probes;
};

/* the kernel's own functions write samples for user space, and watch for lockups */
static bool is_handler(struct otst *o, const struct otst_perf_event *e)
{
	return e->kernel && e->overflow_handler && otst_module_at(o, e->overflow_handler);
}

static int start_row(struct listing *list, const struct otst_perf_event *e, struct row **ret)
{
	struct otst_probe *p =
		otst_probe_add(list->o, list->probes, OTST_PROBE_PERF_EVENT, e->addr, e->place);
	struct row *r = otst_vec_push(list->o, &list->rows, sizeof(*r));
	const char *owner;

	*r = (struct row){ .first = e, .p = p };
	*ret = r;
	p->claim = otst_perf_claim(e->state);
	p->evidence.seen = OTST_SEEN_NONE;
	p->target = otst_perf_event_name(list->o, e);
	owner = otst_perf_owner_name(list->o, e);
	if (owner)
		otst_probe_fact(list->o, p, "perf", owner, 0);
	if (e->task_pid >= 0)
		otst_probe_fact(list->o, p, "task", NULL, e->task_pid);
	if (e->prog)
		return otst_bpf_owner(list->o, e->prog, p);
	otst_handler_add(list->o, p, OTST_HANDLER_OVERFLOW, e->overflow_handler);
	otst_owner_of_code(list->o, e->overflow_handler, &p->owner);
	return 0;
}

static int add_program_event(struct listing *list, const struct otst_perf_event *e)
{
	struct row *rows = list->rows.data, *r = NULL;
	int err = 0;

	for (size_t i = 0; i < list->rows.count && !r; i++)
		r = otst_perf_is_twin(rows[i].first, e) ? &rows[i] : NULL;
	if (!r)
		err = start_row(list, e, &r);
	if (err && otst_fatal(err))
		return err;
	if (!err)
		otst_perf_add_cpu(list->o, e, &r->cpus);
	return otst_probe_error(list->o, r->p, err);
}

int otst_perf_programs(struct otst *o, const struct otst_perf_events *all, struct otst_vec *probes)
{
	struct listing list = { .o = o, .probes = probes };
	const struct row *rows;
	int err = 0;

	for (size_t i = 0; i < all->count && !err; i++) {
		const struct otst_perf_event *e = &all->items[i];

		if (!e->error && (e->prog || is_handler(o, e)) && !e->tp_event &&
		    e->attr.type != OTST_PERF_TYPE_BREAKPOINT)
			err = add_program_event(&list, e);
	}
	rows = list.rows.data;
	for (size_t i = 0; i < list.rows.count && !err; i++)
		otst_probe_fact(o, rows[i].p, "cpus", rows[i].cpus ? rows[i].cpus : "?", 0);
	return err;
}
