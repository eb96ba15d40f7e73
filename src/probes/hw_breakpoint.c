// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * hw_breakpoint.c - hardware breakpoints: perf events of type
 * PERF_TYPE_BREAKPOINT (kernel/events/hw_breakpoint.c), opened by programs, by
 * debuggers through ptrace or by modules. No text is changed for them: the
 * evidence is in what each cpu remembers of its debug registers (on x86 bp_per_reg,
 * cpu_debugreg, cpu_dr7; on arm64 bp_on_reg and wp_on_reg, without the register values).
 */
#include <inttypes.h>

#include "../ftrace/ftrace.h"
#include "perf_event.h"

/* enum of include/uapi/linux/hw_breakpoint.h */
#define BP_READ	 1u
#define BP_WRITE 2u
#define BP_EXEC	 4u

/* one row: what one user asked for, with one event for each cpu */
struct row {
	const struct otst_perf_event *first;
	struct otst_probe *p;
	const char *cpus;
	const char *registers;
};

struct listing {
	struct otst *o;
	bool slots; /* the kernel has them */
	struct otst_vec rows;
	struct otst_vec probes;
	struct otst_messages errors;
};

/* ---- the registers of a cpu ---- */

static int read_debug_word(struct listing *list, uint64_t variable, unsigned int cpu,
			   unsigned int i, uint64_t *ret)
{
	return otst_read_u64(list->o, otst_percpu(list->o, variable, cpu) + 8 * (uint64_t)i, ret);
}

/* the event is in slot @i of @cpu: do the registers agree */
static int check_register(struct listing *list, struct row *r, const struct otst_perf_event *e,
			  const struct otst_debug_registers *debug, unsigned int cpu,
			  unsigned int i)
{
	uint64_t addresses = debug->addresses ? otst_symbol_or0(list->o, debug->addresses) : 0;
	uint64_t control = debug->control ? otst_symbol_or0(list->o, debug->control) : 0, bits,
		 addr;
	int err;

	r->p->evidence.seen = OTST_SEEN_REGISTER;
	r->registers = otst_format(list->o, "%s%scpu %u %s%u", r->registers ? r->registers : "",
				   r->registers ? ", " : "", cpu, debug->name, i);
	if (!control || !addresses)
		return 0;
	err = read_debug_word(list, control, cpu, 0, &bits);
	err = err ?: read_debug_word(list, addresses, cpu, i, &addr);
	if (err)
		return err;
	if (!(bits >> 2 * i & 3))
		r->p->disagree = otst_format(list->o, "cpu %u has it in %s%u, which is off", cpu,
					     debug->name, i);
	else if (addr != e->attr.bp_addr)
		r->p->disagree = otst_format(list->o, "cpu %u has 0x%" PRIx64 " in %s%u", cpu, addr,
					     debug->name, i);
	return 0;
}

static int find_in(struct listing *list, struct row *r, const struct otst_perf_event *e,
		   const struct otst_debug_registers *debug, bool *found)
{
	uint64_t slots = otst_symbol_or0(list->o, debug->slots), event;
	unsigned int cpu, i, n = slots ? otst_kernel(list->o)->nr_cpus : 0;
	int err = 0;

	for (cpu = 0; cpu < n; cpu++) {
		for (i = 0; i < debug->count && !err; i++) {
			err = read_debug_word(list, slots, cpu, i, &event);
			if (err || event != e->addr)
				continue;
			*found = true;
			err = check_register(list, r, e, debug, cpu, i);
		}
	}
	return err;
}

static int find_registers(struct listing *list, struct row *r, const struct otst_perf_event *e)
{
	const struct otst_arch *arch = otst_kernel(list->o)->arch;
	bool found = false;
	int err = 0;

	for (unsigned int i = 0; i < arch->nr_debug && !err; i++)
		err = find_in(list, r, e, &arch->debug[i], &found);
	if (err)
		return otst_fail(list->o, err, "debug registers");
	if (e->state == OTST_PERF_ACTIVE && list->slots && !found)
		r->p->disagree =
			otst_format(list->o, "on for cpu %d, but in no debug register", e->oncpu);
	return 0;
}

/* ---- what it is ---- */

static const char *access_name(uint32_t type)
{
	static const char *const names[] = { "none", "r", "w", "rw" };

	return type & BP_EXEC ? "x" : names[type & (BP_READ | BP_WRITE)];
}

static void describe_place(struct listing *list, const struct otst_perf_event *e,
			   struct otst_probe *p)
{
	if ((int64_t)e->attr.bp_addr < 0) {
		p->addr = e->attr.bp_addr;
		otst_symbolize_all(list->o, p->addr, &p->sym);
	} else if (e->task_pid >= 0) {
		p->target = otst_format(list->o, "0x%" PRIx64 " of task %" PRId64, e->attr.bp_addr,
					e->task_pid);
	} else {
		p->target = otst_format(list->o, "0x%" PRIx64, e->attr.bp_addr);
	}
}

static int find_breakpoint_owner(struct listing *list, const struct otst_perf_event *e,
				 struct otst_probe *p)
{
	const char *name = otst_perf_owner_name(list->o, e);
	int err = 0;

	if (e->prog)
		err = otst_bpf_owner(list->o, e->prog, p);
	else if (e->kernel && e->overflow_handler)
		otst_owner_of_code(list->o, e->overflow_handler, &p->owner);
	else if (e->kernel)
		p->owner = (struct otst_owner){ .kind = OTST_OWNER_KERNEL };
	else
		p->owner = (struct otst_owner){ .kind = OTST_OWNER_PERF, .name = name };
	if (!err && name)
		otst_probe_fact(list->o, p, "perf", name, 0);
	return err;
}

static int start_row(struct listing *list, const struct otst_perf_event *e, struct row **ret)
{
	struct otst_probe *p;
	struct row *r = otst_vec_push(list->o, &list->rows, sizeof(*r));

	p = otst_probe_add(list->o, &list->probes, OTST_PROBE_HWBREAKPOINT, e->addr, e->place);
	*r = (struct row){ .first = e, .p = p };
	*ret = r;
	p->claim = otst_perf_claim(e->state);
	p->evidence.seen = list->slots ? OTST_SEEN_NONE : OTST_SEEN_UNREADABLE;
	p->hits_known = true;
	describe_place(list, e, p);
	otst_handler_add(list->o, p, OTST_HANDLER_OVERFLOW, e->overflow_handler);
	otst_probe_fact(list->o, p, "access", access_name(e->attr.bp_type), 0);
	otst_probe_fact(list->o, p, "length", NULL, (int64_t)e->attr.bp_len);
	if (e->task_pid >= 0)
		otst_probe_fact(list->o, p, "task", NULL, e->task_pid);
	return find_breakpoint_owner(list, e, p);
}

/* ---- rows ---- */

static struct row *find_debug_row(struct listing *list, const struct otst_perf_event *e)
{
	struct row *rows = list->rows.data;

	for (size_t i = 0; i < list->rows.count; i++) {
		if (otst_perf_is_twin(rows[i].first, e))
			return &rows[i];
	}
	return NULL;
}

static int add_breakpoint_event(struct listing *list, const struct otst_perf_event *e)
{
	struct row *r = find_debug_row(list, e);
	int err = r ? 0 : start_row(list, e, &r);

	if (err && otst_fatal(err))
		return err;
	if (err)
		return otst_probe_error(list->o, r->p, err);
	r->p->hits += e->count;
	otst_perf_add_cpu(list->o, e, &r->cpus);
	return otst_probe_error(list->o, r->p, find_registers(list, r, e));
}

/* facts of a row that are known only after all its events */
static void finish_rows(struct listing *list)
{
	const struct row *r = list->rows.data;

	for (size_t i = 0; i < list->rows.count; i++) {
		otst_probe_fact(list->o, r[i].p, "cpus", r[i].cpus ? r[i].cpus : "?", 0);
		if (r[i].registers)
			otst_probe_fact(list->o, r[i].p, "registers", r[i].registers, 0);
	}
}

int otst_perf_probes(struct otst *o, struct otst_probes *ret)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	struct listing list = { .o = o };
	const struct otst_perf_events *all;
	int err = otst_perf_events(o, &all);

	if (err)
		return err;
	list.slots = arch->nr_debug && otst_symbol_or0(o, arch->debug->slots);
	for (size_t i = 0; i < all->count && !err; i++) {
		const struct otst_perf_event *e = &all->items[i];

		if (e->error) {
			otst_raise(o, OTST_ERR_CORRUPT, "event 0x%" PRIx64 " of %s: %s", e->addr,
				   e->place, e->error);
			err = otst_note(o, &list.errors, OTST_ERR_CORRUPT);
		} else if (e->attr.type == OTST_PERF_TYPE_BREAKPOINT) {
			err = add_breakpoint_event(&list, e);
		}
	}
	if (!err)
		finish_rows(&list);
	err = err ?: otst_perf_programs(o, all, &list.probes);
	if (!err)
		otst_notes(o, &list.errors, &all->errors);
	*ret = otst_probes_of(&list.probes, &list.errors);
	return err;
}
