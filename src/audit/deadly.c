// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * deadly.c - tasks that cannot go on because of a probe: a handler that sleeps
 * (handlers of kprobes run with preemption off), and cpus that are inside
 * handlers of one probe and wait for a lock. Found in the stacks of tasks that are
 * inside handlers.
 */
#include <inttypes.h>
#include <string.h>

#include "../ftrace/ftrace.h"
#include "../traces/traces.h"
#include "expect.h"

/* functions of a task that gives up its cpu voluntarily; being preempted is not sleeping */
static const char *const sleeps[] = { "schedule", "schedule_timeout", "io_schedule",
				      "schedule_preempt_disabled" };
static const char *const waits[] = {
	"native_queued_spin_lock_slowpath",
	"queued_spin_lock_slowpath",
	"_raw_spin_lock",
	"_raw_spin_lock_irq",
	"_raw_spin_lock_irqsave",
	"_raw_spin_lock_bh",
	"queued_read_lock_slowpath",
	"queued_write_lock_slowpath",
	"do_raw_spin_lock",
	"smp_call_function_many_cond",
	"smp_call_function_single",
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static bool is_deadly_name(const char *name, const char *const *names, size_t n)
{
	while (n--) {
		if (!strcmp(name, names[n]))
			return true;
	}
	return false;
}

/* the handler, or a part that the compiler made of it */
static bool is_handler(const struct otst_sym *sym, const char *handler)
{
	struct otst_sym whole = { .name = handler, .module = sym->module };

	return sym->name && (!strcmp(sym->name, handler) || otst_sym_is_part(sym, &whole));
}

/* one of @names that the handler called, directly or indirectly; NULL when there is none */
static const char *called_inside(struct otst *o, const struct otst_trace *t,
				 const char *const *names, size_t n)
{
	const struct otst_stack *st = t->stack;
	const char *found = NULL;
	struct otst_sym sym;

	for (size_t i = 0; st && t->handler && i < st->count; i++) {
		const struct otst_frame *f = &st->frames[i];

		if (!f->reliable)
			continue;
		/* a call may be the last instruction */
		otst_symbolize_all(o, f->pc - !f->exact, &sym);
		if (is_handler(&sym, t->handler))
			return found;
		if (sym.name && is_deadly_name(sym.name, names, n))
			found = sym.name;
	}
	return NULL;
}

static const char *describe_task(struct otst *o, const struct otst_trace *t)
{
	const char *s = otst_format(o, "%s/%" PRId64, t->comm ? t->comm : "?", t->pid);

	return s && t->cpu >= 0 ? otst_format(o, "%s on cpu %d", s, t->cpu) : s;
}

static void check_sleep(struct otst *o, struct otst_audit *a, const struct otst_trace *t)
{
	const char *in = called_inside(o, t, sleeps, COUNT(sleeps));

	if (!in)
		return;
	otst_finding_record(o, a, OTST_FINDING_DEADLY, t->probe_addr, 0,
			    otst_format(o, "%s sleeps inside the handler %s (%s)",
					describe_task(o, t), t->handler, in));
}

/* the first of several cpus that wait inside handlers of one probe reports them all */
static void check_waits(struct otst *o, struct otst_audit *a, const struct otst_traces *all,
			size_t i)
{
	const struct otst_trace *t = otst_trace_at(all, i);
	const char *in = called_inside(o, t, waits, COUNT(waits)), *list = NULL;

	if (!in || !t->probe_addr)
		return;
	for (size_t k = 0; k < all->items.count; k++) {
		const struct otst_trace *u = otst_trace_at(all, k);

		if (k == i || u->probe_addr != t->probe_addr || u->cpu == t->cpu ||
		    !called_inside(o, u, waits, COUNT(waits)))
			continue;
		if (k < i)
			return;
		list = otst_format(o, "%s, %s", list ? list : describe_task(o, t),
				   describe_task(o, u));
	}
	if (!list)
		return;
	otst_finding_record(o, a, OTST_FINDING_DEADLY, t->probe_addr, 0,
			    otst_format(o, "%s wait for a lock inside handlers of one probe (%s)",
					list, in));
}

int otst_audit_deadly(struct otst *o, struct otst_audit *a)
{
	static const struct otst_trace_filter all = { .pid = -1 };
	struct otst_traces traces = { .o = o };
	int err = otst_source_task(o, &all, &traces);

	if (err == OTST_ERR_LOOKUP)
		return 0;
	if (err)
		return otst_note(o, &a->errors, err);
	for (size_t i = 0; i < traces.items.count; i++) {
		check_sleep(o, a, otst_trace_at(&traces, i));
		check_waits(o, a, &traces, i);
	}
	otst_notes(o, &a->notes, &traces.notes);
	otst_notes(o, &a->errors, &traces.errors);
	return 0;
}
