// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stacks.c - the stacks that matter: of the task that brought the kernel down,
 * of those that the log names as stuck, and of what ran on the other cpus.
 */
#include "verdict.h"

#define MOST_FRAMES 1024u /* of a stack that is full */

const char *otst_stack_reason_name(enum otst_stack_reason reason)
{
	static const char *const names[] = {
		[OTST_STACK_PANIC] = "panic",
		[OTST_STACK_STUCK] = "stuck",
		[OTST_STACK_CPU] = "running",
		[OTST_STACK_OWNER] = "lock owner",
	};
	OTST_EACH_HAS(names, OTST_STACK_COUNT);

	return names[reason];
}

static int copy_frames(struct otst *o, const struct otst_stack *st, struct otst_verdict_stack *s)
{
	/* and one for otst_failing_find() */
	s->frames = otst_alloc(o, (st->count + 1) * sizeof(*s->frames));
	if (!s->frames)
		return otst_no_memory(o);
	for (size_t i = 0; i < st->count; i++) {
		struct otst_verdict_frame *f = &s->frames[i];

		*f = (struct otst_verdict_frame){ .frame = st->frames[i], .role = OTST_ROLE_NONE };
		/* for the unwinder of 6.4 and later, a breakpoint is like a call: it looks before it */
		if (i && f->frame.reliable && otst_is_breakpoint_entry(&f[-1].sym) &&
		    f[-1].frame.pc == f[-1].sym.addr)
			f->frame.exact = true;
		otst_symbolize_code(o, otst_frame_code(o, f->frame.pc, f->frame.exact), &f->sym);
	}
	s->nr_frames = st->count;
	s->end = st->end;
	s->why = st->why;
	return 0;
}

static struct otst_verdict_stack *find_stack(const struct otst_verdict *v,
					     const struct otst_task *task)
{
	struct otst_verdict_stack *s = v->stacks.data;

	for (size_t i = 0; i < v->stacks.count; i++) {
		if (s[i].task == task)
			return &s[i];
	}
	return NULL;
}

int otst_verdict_stack_add(struct otst *o, struct otst_verdict *v, enum otst_stack_reason reason,
			   const struct otst_task *task)
{
	struct otst_verdict_stack *s = find_stack(v, task);
	struct otst_lost lost = { 0 };
	struct otst_stack *st;
	int err;

	if (s) {
		/* a lock owner may be running */
		if (s->reason == OTST_STACK_CPU)
			s->reason = reason;
		return 0;
	}
	st = otst_stack_create(o, MOST_FRAMES);
	s = otst_vec_push(o, &v->stacks, sizeof(*s));
	if (!st || !s)
		return otst_no_memory(o);
	*s = (struct otst_verdict_stack){ .reason = reason,
					  .task = task,
					  .runs = task->current || task->on_cpu };
	err = otst_stack_save_any(o, task, st, &lost);
	if (!err)
		err = copy_frames(o, st, s);
	if (err)
		return err;
	if (lost.count) {
		s->end = OTST_END_LOST;
		s->why = lost.why;
	}
	s->failing = s->nr_frames;
	return 0;
}

static const struct otst_task *task_of_pid(const struct otst_tasks *tasks, int64_t pid)
{
	for (size_t i = 0; i < tasks->count; i++) {
		if (!tasks->items[i]->idle && tasks->items[i]->pid == (uint64_t)pid)
			return tasks->items[i];
	}
	return NULL;
}

static const struct otst_task *task_on_cpu(struct otst *o, int cpu)
{
	uint64_t addr = cpu >= 0 && (unsigned int)cpu < otst_kernel(o)->nr_cpus ?
				otst_task_current(o, (unsigned int)cpu) :
				0;

	return addr ? otst_task_at(o, addr) : NULL;
}

/* is @task in the middle of an oops; @lost: its stack could not be followed */
static int look_for_oops(struct otst *o, const struct otst_task *task, bool *ret, bool *lost)
{
	struct otst_stack *st = otst_stack_create(o, MOST_FRAMES);
	struct otst_verdict_stack s = { .task = task };
	struct otst_lost ends = { 0 };
	int err = otst_stack_save_any(o, task, st, &ends);

	err = err ?: copy_frames(o, st, &s);
	for (size_t i = 0; i < s.nr_frames && !err; i++)
		*ret = *ret || otst_is_in_oops(&s, i);
	*lost = *lost || ends.count || st->end == OTST_END_LOST || st->end == OTST_END_CUT;
	return err;
}

/* where no variable tells, a cpu that is still in the functions of an oops does */
static int find_unended(struct otst *o, struct otst_verdict *v)
{
	const struct otst_report *unended = v->report.unended;
	bool in = false, lost = false;
	unsigned int cpu;
	int err = 0;

	for (cpu = 0; unended && cpu < otst_kernel(o)->nr_cpus && !in && !err; cpu++) {
		const struct otst_task *task = task_on_cpu(o, (int)cpu);

		lost = lost || !task;
		err = task ? look_for_oops(o, task, &in, &lost) : 0;
	}
	if (err || !unended)
		return err;
	if (!in) {
		otst_note_text(o, lost ? &v->errors : &v->notes,
			       otst_format(o, "the log does not show how an oops ended%s: %s",
					   lost ? ", and not each running cpu's stack is known" :
						  "",
					   unended->line));
		return 0;
	}
	v->report = *unended;
	v->report.cpu = (int)cpu - 1;
	v->report.panic_cpu = -1;
	return 0;
}

static int add_panic(struct otst *o, struct otst_verdict *v, const struct otst_tasks *tasks)
{
	const struct otst_report *r = &v->report;
	const struct otst_task *task = task_on_cpu(o, r->panic_cpu >= 0 ? r->panic_cpu : r->cpu);

	if (!otst_died(r->death))
		return 0;
	/* the log's task is the one that hung, not the one that reports it */
	if (!task && r->pid >= 0 && r->death != OTST_DEATH_HUNG_TASK)
		task = task_of_pid(tasks, r->pid);
	if (!task) {
		const char *note = "which task brought the kernel down is not known";

		otst_note_text(o, &v->notes, note);
		return 0;
	}
	return otst_verdict_stack_add(o, v, OTST_STACK_PANIC, task);
}

static int add_stuck_stack(struct otst *o, struct otst_verdict *v, const struct otst_tasks *tasks)
{
	const struct otst_stuck *stuck = v->report.stuck.data;
	int err = 0;

	for (size_t i = 0; i < v->report.stuck.count && !err; i++) {
		const struct otst_task *task = stuck[i].pid >= 0 ?
						       task_of_pid(tasks, stuck[i].pid) :
						       task_on_cpu(o, stuck[i].cpu);

		if (task)
			err = otst_verdict_stack_add(o, v, OTST_STACK_STUCK, task);
	}
	return err;
}

static int add_cpus(struct otst *o, struct otst_verdict *v)
{
	unsigned int cpu, unknown = 0;
	const char *note;
	int err = 0;

	for (cpu = 0; cpu < otst_kernel(o)->nr_cpus && !err; cpu++) {
		const struct otst_task *task = task_on_cpu(o, (int)cpu);

		unknown += !task;
		/* interrupts may run hooks on an idle cpu: see otst_verdict() */
		if (task && (!task->idle || otst_may_hang(v->report.death)))
			err = otst_verdict_stack_add(o, v, OTST_STACK_CPU, task);
		if (!err)
			err = otst_check(o);
	}
	if (err || !unknown)
		return err;
	note = otst_kernel(o)->possible_known ?
		       otst_format(o, "what ran on %u of %u cpu%s is not known", unknown,
				   otst_kernel(o)->nr_cpus,
				   otst_number(otst_kernel(o)->nr_cpus, "", "s")) :
		       "what ran on the cpus is not known, nor how many there are";
	otst_note_text(o, &v->notes, note);
	return 0;
}

int otst_verdict_stacks(struct otst *o, struct otst_verdict *v)
{
	const struct otst_tasks *tasks;
	int err = otst_tasks(o, &tasks);

	if (err)
		return otst_note(o, &v->errors, err);
	err = find_unended(o, v);
	if (!err)
		err = add_panic(o, v, tasks);
	if (!err)
		err = add_stuck_stack(o, v, tasks);
	if (!err)
		err = add_cpus(o, v);
	if (!err)
		otst_failing_find(o, v);
	if (!err)
		otst_notes(o, &v->errors, &tasks->errors);
	return err;
}
