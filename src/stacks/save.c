// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * save.c - a task's stack from the dump: from where it was switched out, or from
 * where its cpu's registers point.
 */
#include <inttypes.h>

#include "../base/coverage.h"
#include "unwinder.h"

/* the stack pointer came from a member that the kernel must have */
static int lack_sp(struct otst *o)
{
	const char *name = otst_kernel(o)->arch->reg.thread_sp;
	const struct otst_member *m;

	return name ? otst_lack(o, otst_member(o, "task_struct", name, &m)) : 0;
}

int otst_stack_save_task(struct otst *o, const struct otst_task *t, struct otst_stack *st)
{
	const struct otst_unwinder *u = otst_unwinder(o);
	struct otst_capture c = { .task = t->addr, .cpu = -1 };
	uint64_t slot;
	int err = t->sp ? 0 : lack_sp(o);

	otst_stack_zero(st);
	if (!u)
		return otst_raise(o, OTST_ERR_UNSUPPORTED,
				  "stacks of this architecture are not known");
	if (err)
		return err;
	if (t->on_cpu || t->current)
		return otst_raise(o, OTST_ERR_UNSUPPORTED, "the task runs");
	if (!t->stack)
		return otst_raise(o, OTST_ERR_LOOKUP, "the task has no stack");
	if (t->sp - t->stack >= otst_thread_size(o))
		return otst_raise(o, OTST_ERR_CORRUPT,
				  "stack pointer 0x%" PRIx64 " is not on the task's stack", t->sp);
	err = u->switched(o, t, &c, &slot);
	err = err ?: otst_stack_unwind(o, &c, st);
	if (!err && st->count)
		st->frames[0].slot = slot;
	return err;
}

int otst_stack_save_running(struct otst *o, const struct otst_task *t, struct otst_stack *st)
{
	struct otst_capture c = { .full = true, .task = t->addr, .cpu = (int)t->cpu };
	int err;

	otst_stack_zero(st);
	if (!otst_unwinder(o))
		return otst_raise(o, OTST_ERR_UNSUPPORTED,
				  "stacks of this architecture are not known");
	if (!t->current)
		return otst_raise(o, OTST_ERR_UNSUPPORTED, "the task does not run");
	err = otst_cpu_regs(o, t->cpu, c.regs);
	return err ? err : otst_stack_unwind(o, &c, st);
}

static void count_lost(struct otst *o, struct otst_lost *lost, const char *why)
{
	if (lost->count++)
		return;
	lost->why = otst_strdup(o, why ? why : "lost");
}

int otst_stack_save_any(struct otst *o, const struct otst_task *t, struct otst_stack *st,
			struct otst_lost *lost)
{
	int err = t->current || t->on_cpu ? otst_stack_save_running(o, t, st) :
					    otst_stack_save_task(o, t, st);

	if (!err || otst_fatal(err))
		return err;
	otst_stack_zero(st);
	/* a task in user mode, or at its end without a stack, is nowhere; others may be anywhere */
	if (err == OTST_ERR_AGAIN || (!t->stack && !t->error))
		return 0;
	count_lost(o, lost, otst_message(o));
	return 0;
}

void otst_lost_end(struct otst *o, const struct otst_stack *st, struct otst_lost *lost)
{
	if (st->end == OTST_END_LOST)
		count_lost(o, lost, st->why);
}

void otst_lost_note(struct otst *o, const struct otst_lost *lost, const char *where,
		    struct otst_messages *notes)
{
	const char *note;

	if (!lost->count)
		return;
	note = otst_format(o,
			   "%zu task%s may be %s: %s stack%s could not be unwound to the end (%s)",
			   lost->count, otst_number(lost->count, "", "s"), where,
			   otst_number(lost->count, "its", "their"),
			   otst_number(lost->count, "", "s"), lost->why);
	otst_note_text(o, notes, note);
}
