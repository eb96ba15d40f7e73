// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * inflight.c - trace source "inflight": calls that have not returned to a
 * waiting probe (src/stacks/inflight.c: kretprobe instances, rethook nodes,
 * function graph's shadow stack). Each has the frames of the task's stack from
 * the probed function outwards; if the stack does not show them, the two that the
 * record itself has: the function, and the caller it returns to. After these come
 * the kprobes that cpus are handling, each with the stack of its cpu's task.
 */
#include <inttypes.h>
#include <string.h>

#include "../ftrace/ftrace.h"
#include "traces.h"

struct source {
	struct otst *o;
	struct otst_traces *traces;
	const struct otst_probes *probes; /* NULL when the kernel has no kprobes */
	struct otst_stack *stack;	  /* of the task at hand */
	const struct otst_task *task;
	uint64_t task_addr;
	/* by family: the frame after the last one found, and which record had its address */
	size_t next[OTST_FAMILIES];
	const struct otst_inflight *last[OTST_FAMILIES];
	uint64_t now;	 /* the newest time known from the dump, 0 for none */
	const char *why; /* why there is no stack, or NULL */
};

/* ---- the task and its stack ---- */

static int save_stack(struct source *s)
{
	const struct otst_task *t = s->task;
	int err;

	otst_stack_zero(s->stack);
	memset(s->next, 0, sizeof(s->next));
	memset(s->last, 0, sizeof(s->last));
	s->why = NULL;
	if (!t) {
		s->why = "its task is not on the kernel's list";
		return 0;
	}
	err = t->current || t->on_cpu ? otst_stack_save_running(s->o, t, s->stack) :
					otst_stack_save_task(s->o, t, s->stack);
	if (!err || otst_fatal(err))
		return err;
	otst_stack_zero(s->stack);
	s->why = otst_strdup(s->o, otst_message(s->o));
	return 0;
}

static int set_task(struct source *s, uint64_t addr)
{
	if (s->task_addr == addr)
		return 0;
	s->task_addr = addr;
	s->task = otst_task_at(s->o, addr);
	return save_stack(s);
}

/* ---- frames of one call ---- */

/* what a call's record keeps: where its return address was pushed, or the caller's frame pointer */
static uint64_t place_of_call(struct otst *o, const struct otst_frame *f)
{
	return otst_kernel(o)->arch->reg.ra == OTST_NO_REG ? f->slot : f->sp;
}

/*
 * Find the frame of the call's return address. Records that do not keep the slot
 * are in stack order, so each is searched for after the last one found. Records of
 * the same call are an exception: they had the address one after the other.
 */
static bool find_inflight_frame(struct source *s, const struct otst_inflight *c, size_t *ret)
{
	enum otst_family family = otst_inflight_family(c);
	const struct otst_stack *st = s->stack;
	size_t i = c->slot ? 0 : s->next[family];

	if (i && c->keeper && c->keeper == s->last[family])
		i--;
	for (; i < st->count; i++) {
		const struct otst_frame *f = &st->frames[i];

		if (c->slot ? place_of_call(s->o, f) == c->slot :
			      f->replaced && f->pc == c->caller) {
			s->next[family] = i + 1;
			s->last[family] = c->keeper;
			*ret = i;
			return true;
		}
	}
	return false;
}

/* true if the frame before the caller's is still in the function, not in one that it jumped to */
static bool is_inside(const struct otst_frame *f, const struct otst_sym *func)
{
	return func->name && func->size && f->pc - func->addr - !f->exact < func->size;
}

/* the frames that the record alone knows */
static void put_known(struct otst *o, const struct otst_inflight *c, bool caller,
		      struct otst_stack *st)
{
	struct otst_frame f = { .pc = c->func, .how = OTST_HOW_GIVEN };

	f.reliable = true;
	f.exact = true;
	if (c->func)
		otst_stack_put_frame(st, &f);
	f.pc = c->caller;
	if (otst_kernel(o)->arch->reg.ra == OTST_NO_REG)
		f.slot = c->slot;
	f.exact = false;
	if (caller && c->caller)
		otst_stack_put_frame(st, &f);
}

static int fill_stack(struct source *s, const struct otst_inflight *c, struct otst_trace *t)
{
	const struct otst_stack *from = s->stack;
	struct otst_stack *st = otst_stack_create(s->o, from->count + 2);
	size_t at, i;

	if (!st)
		return otst_no_memory(s->o);
	t->stack = st;
	if (!find_inflight_frame(s, c, &at)) {
		put_known(s->o, c, true, st);
		st->end = OTST_END_LOST;
		st->why = s->why ? s->why : "the stack does not have its return address";
		return 0;
	}
	if (at && is_inside(&from->frames[at - 1], &c->func_sym))
		otst_stack_put_frame(st, &from->frames[at - 1]);
	else
		put_known(s->o, c, false, st);
	for (i = at; i < from->count; i++)
		otst_stack_put_frame(st, &from->frames[i]);
	/* put it on the same stack as its caller, or the output would mark a change of stacks */
	if (st->count > 1 && !st->frames[0].place)
		st->frames[0].place = st->frames[1].place;
	st->end = from->end;
	st->why = from->why;
	st->guessed = from->guessed;
	st->user = from->user;
	return 0;
}

/* ---- what is said about it ---- */

static const struct otst_probe *find_probe(const struct source *s, const struct otst_inflight *c)
{
	if (c->kind != OTST_INFLIGHT_KRETPROBE || !c->probe || !s->probes)
		return NULL;
	for (size_t i = 0; i < s->probes->count; i++) {
		if (s->probes->items[i]->record == c->probe)
			return s->probes->items[i];
	}
	return NULL;
}

/* "sym+0x1/0x1d [mod]"; a return address is named by the call before it */
static const char *code_name(struct otst *o, uint64_t addr, bool exact)
{
	struct otst_sym sym;

	if (!addr)
		return "an unknown caller";
	otst_symbolize_all(o, otst_frame_code(o, addr, exact), &sym);
	return otst_sym_format(o, addr, &sym, OTST_SYM_PS_OFFSET);
}

/* on the same clock as entry times; run queues update it at each tick and task switch */
static uint64_t newest_time(struct otst *o, struct otst_messages *errors)
{
	const struct otst_member *clock;
	uint64_t rq = otst_symbol_or0(o, "runqueues"), value, newest = 0;

	if (!rq)
		return 0;
	if (otst_member(o, "rq", "clock", &clock)) {
		otst_note_text(o, errors, otst_strdup(o, otst_message(o)));
		return 0;
	}
	for (unsigned int cpu = 0; cpu < otst_kernel(o)->nr_cpus; cpu++) {
		if (!otst_read_u64(o, otst_percpu(o, rq, cpu) + clock->offset, &value) &&
		    value > newest)
			newest = value;
	}
	return newest;
}

/* "kretprobe of event lab:nanosleep_ret waits for a return to vfs_read+0x1/0x2" */
static const char *inflight_headline(struct otst *o, const struct otst_inflight *c,
				     const struct otst_probe *p)
{
	const struct otst_owner *w = p ? &p->owner : NULL;
	const char *by = "";

	if (w && w->kind != OTST_OWNER_UNKNOWN)
		by = otst_format(o, " of %s %s", otst_owner_kind_name(w->kind),
				 w->name ? w->name : "?");
	else if (!c->probe && c->kind != OTST_INFLIGHT_GRAPH)
		by = " that is no longer registered";
	return otst_format(o, "%s%s waits for a return to %s", otst_inflight_kind_name(c->kind),
			   by ? by : "", code_name(o, c->caller, false));
}

static void fill_task(const struct source *s, struct otst_trace *t)
{
	const struct otst_task *task = s->task;

	if (task) {
		t->pid = (int64_t)task->pid;
		t->comm = task->comm;
		t->cpu = task->current || task->on_cpu ? (int)task->cpu : -1;
	}
}

static void fill_call(const struct source *s, const struct otst_inflight *c, size_t i,
		      struct otst_trace *t)
{
	const struct otst_probe *p = find_probe(s, c);

	t->seq = i;
	t->where = otst_format(s->o, "record 0x%" PRIx64 " of task 0x%" PRIx64, c->record, c->task);
	if (c->time) {
		t->clock = OTST_CLOCK_LOCAL;
		t->time = c->time;
		t->age_known = s->now >= c->time;
		t->age = t->age_known ? s->now - c->time : 0;
	}
	fill_task(s, t);
	t->probe = p && p->symbol_name ? p->symbol_name : c->func_sym.name;
	t->probe_addr = c->func;
	t->handler = c->handler_sym.name;
	t->headline = inflight_headline(s->o, c, p);
	t->error = c->error;
}

/* ---- the source ---- */

/* 0 even when the kernel has no kprobes: function graph does not need them */
static int read_probes(struct source *s)
{
	struct otst_probes *probes = otst_new(s->o, sizeof(*probes));
	int err = otst_kprobes(s->o, probes);

	if (!err)
		s->probes = probes;
	return err && otst_fatal(err) ? err : 0;
}

/* ---- kprobes being handled ---- */

static const char *describe_handling(struct otst *o, unsigned int cpu, const struct otst_ctlblk *b,
				     const struct otst_probe *p)
{
	const char *status = otst_ctlblk_status(b->status);
	const char *s = otst_format(o, "%s is being handled on cpu %u, status %s",
				    p ? otst_probe_kind(p->kind)->name : "a kprobe in no table",
				    cpu, status ? status : "unknown");

	if (b->before && status && b->status == 0x4)
		s = otst_format(o, "%s; it came while kprobe 0x%" PRIx64 " was handled", s,
				b->before);
	return s;
}

static int add_handled(struct source *s, unsigned int cpu, const struct otst_ctlblk *b)
{
	const struct otst_probe *p = s->probes ? otst_ctlblk_probe(s->probes, b) : NULL;
	struct otst_trace *t = otst_trace_add(s->traces, OTST_SOURCE_INFLIGHT);
	int err = set_task(s, otst_task_current(s->o, cpu));
	struct otst_stack *st = otst_stack_create(s->o, s->stack->count + 1);

	if (err || !st)
		return err ? err : otst_no_memory(s->o);
	otst_stack_copy(s->stack, st);
	if (s->why) {
		st->end = OTST_END_LOST;
		st->why = s->why;
	}
	t->stack = st;
	t->seq = s->traces->items.count;
	t->where = otst_format(s->o, "current_kprobe 0x%" PRIx64 " of cpu %u", b->current, cpu);
	fill_task(s, t);
	t->cpu = (int)cpu;
	t->headline = describe_handling(s->o, cpu, b, p);
	if (!p) {
		t->error = "current_kprobe is not a registered probe";
		return 0;
	}
	t->probe = p->symbol_name ? p->symbol_name : p->sym.name;
	t->probe_addr = p->addr;
	t->handler = otst_trace_handler(p);
	return 0;
}

static int add_all_handled(struct source *s)
{
	/* current_kprobe is set to this one around code that must not be probed itself */
	uint64_t busy = otst_symbol_or0(s->o, "kprobe_busy");
	struct otst_ctlblk b;
	int err = 0;

	for (unsigned int cpu = 0; cpu < otst_kernel(s->o)->nr_cpus && !err; cpu++) {
		err = otst_ctlblk(s->o, cpu, &b);
		if (err)
			err = otst_traces_note(s->traces, err);
		if (!err && b.current && b.current != busy)
			err = add_handled(s, cpu, &b);
	}
	return err;
}

static bool is_possible(struct otst *o)
{
	return otst_has_symbol(o, "current_kprobe") || otst_has_symbol(o, "kretprobe_inst_table") ||
	       otst_has_member(o, "task_struct", "kretprobe_instances") ||
	       otst_has_member(o, "task_struct", "rethooks") ||
	       otst_has_member(o, "task_struct", "ret_stack");
}

static int add_call(struct source *s, const struct otst_inflight *c, size_t i)
{
	struct otst_trace *t = otst_trace_add(s->traces, OTST_SOURCE_INFLIGHT);
	int err = set_task(s, c->task);

	if (err)
		return err;
	fill_call(s, c, i, t);
	return fill_stack(s, c, t);
}

int otst_source_inflight(struct otst *o, const struct otst_trace_filter *filter,
			 struct otst_traces *ret)
{
	struct source s = { .o = o, .traces = ret, .task_addr = UINT64_MAX };
	struct otst_inflights calls;
	int err;

	(void)filter;
	if (!is_possible(o))
		return otst_raise(o, OTST_ERR_LOOKUP,
				  "this kernel has neither return probes nor function graph");
	err = otst_inflight(o, &calls);
	if (err)
		return err;
	s.stack = otst_stack_create(o, 0);
	if (!s.stack)
		return otst_no_memory(o);
	err = read_probes(&s);
	s.now = newest_time(o, &ret->errors);
	for (size_t i = 0; i < calls.count && !err; i++) {
		err = otst_check(o);
		err = err ?: add_call(&s, calls.items[i], i);
	}
	err = err ?: add_all_handled(&s);
	if (!err)
		otst_notes(o, &ret->errors, &calls.errors);
	return err;
}
