// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * save.c - a task's stack out of the dump: where it was switched from (struct
 * inactive_task_frame of arch/x86/include/asm/switch_to.h), or where its cpu's
 * registers point.
 */
#include <inttypes.h>

#include "../arch/x86_64.h"
#include "stack.h"

/* registers of a task that was switched from; @slot is where its pc stands */
static int read_switched(struct otst *o, const struct otst_task *t, struct otst_capture *c,
			 uint64_t *slot)
{
	const struct otst_member *bp, *ret;
	uint64_t size;
	int err;

	if (!otst_has_type(o, "inactive_task_frame")) {
		/*
		 * Before 7b32aeadbc95 ("sched/x86: Add 'struct inactive_task_frame'")
		 * (v4.9) switch_to() pushed flags and bp and noted no address: all tasks go
		 * on at thread_return.
		 */
		*slot = 0;
		c->regs[X86_SP] = t->sp + 16;
		err = otst_symbol(o, "thread_return", &c->regs[X86_IP]);
		return err ? err : otst_read_u64(o, t->sp, &c->regs[X86_BP]);
	}
	err = otst_type_size(o, "inactive_task_frame", &size);
	if (!err)
		err = otst_member(o, "inactive_task_frame", "bp", &bp);
	if (!err)
		err = otst_member(o, "inactive_task_frame", "ret_addr", &ret);
	if (!err)
		err = otst_read_u64(o, t->sp + bp->offset, &c->regs[X86_BP]);
	if (!err)
		err = otst_read_u64(o, t->sp + ret->offset, &c->regs[X86_IP]);
	if (err)
		return err;
	*slot = t->sp + ret->offset;
	c->regs[X86_SP] = t->sp + size;
	return 0;
}

/* a new task's first instruction is not behind a call */
static bool is_new(struct otst *o, uint64_t ip)
{
	return ip && (ip == otst_symbol_or0(o, "ret_from_fork_asm") ||
		      (!otst_has_symbol(o, "ret_from_fork_asm") &&
		       ip == otst_symbol_or0(o, "ret_from_fork")));
}

int otst_stack_save_task(struct otst *o, const struct otst_task *t, struct otst_stack *st)
{
	struct otst_capture c = { .task = t->addr, .cpu = -1 };
	uint64_t slot;
	int err;

	otst_stack_zero(st);
	if (otst_kernel(o)->arch != &otst_arch_x86_64)
		return otst_raise(o, OTST_ERR_UNSUPPORTED,
				  "stacks of this architecture are not known");
	if (t->on_cpu || t->current)
		return otst_raise(o, OTST_ERR_UNSUPPORTED, "the task runs");
	if (!t->stack)
		return otst_raise(o, OTST_ERR_LOOKUP, "the task has no stack");
	if (t->sp - t->stack >= otst_thread_size(o))
		return otst_raise(o, OTST_ERR_CORRUPT,
				  "stack pointer 0x%" PRIx64 " is not on the task's stack", t->sp);
	err = read_switched(o, t, &c, &slot);
	if (err)
		return err;
	c.call = !is_new(o, c.regs[X86_IP]);
	err = otst_stack_unwind(o, &c, st);
	if (!err && st->count)
		st->frames[0].slot = slot;
	return err;
}

int otst_stack_save_running(struct otst *o, const struct otst_task *t, struct otst_stack *st)
{
	struct otst_capture c = { .full = true, .task = t->addr, .cpu = (int)t->cpu };
	int err;

	otst_stack_zero(st);
	if (otst_kernel(o)->arch != &otst_arch_x86_64)
		return otst_raise(o, OTST_ERR_UNSUPPORTED,
				  "stacks of this architecture are not known");
	if (!t->current)
		return otst_raise(o, OTST_ERR_UNSUPPORTED, "the task does not run");
	err = otst_cpu_regs(o, t->cpu, c.regs);
	return err ? err : otst_stack_unwind(o, &c, st);
}

static int count_lost(struct otst *o, struct otst_lost *lost, const char *why)
{
	if (lost->count++)
		return 0;
	lost->why = otst_strdup(o, why ? why : "lost");
	return lost->why ? 0 : otst_no_memory(o);
}

int otst_stack_save_any(struct otst *o, const struct otst_task *t, struct otst_stack *st,
			struct otst_lost *lost)
{
	int err = t->current || t->on_cpu ? otst_stack_save_running(o, t, st) :
					    otst_stack_save_task(o, t, st);

	if (!err || otst_fatal(err))
		return err;
	otst_stack_zero(st);
	/* in user mode, or without a stack at its end, a task is nowhere; of others nobody knows */
	if (err == OTST_ERR_AGAIN || (!t->stack && !t->error))
		return 0;
	return count_lost(o, lost, otst_message(o));
}

int otst_lost_end(struct otst *o, const struct otst_stack *st, struct otst_lost *lost)
{
	return st->end == OTST_END_LOST ? count_lost(o, lost, st->why) : 0;
}

int otst_lost_note(struct otst *o, const struct otst_lost *lost, const char *where,
		   struct otst_vec *notes)
{
	const char *note;

	if (!lost->count)
		return 0;
	note = otst_format(o,
			   "%zu tasks may be %s: their stacks could not be unwound to the end (%s)",
			   lost->count, where, lost->why);
	return note ? otst_notes(o, notes, &note, 1) : otst_no_memory(o);
}
