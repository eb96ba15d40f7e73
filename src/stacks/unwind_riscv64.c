// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * unwind_riscv64.c - the way to a caller on riscv64: frame records below the frame
 * pointer, as arch/riscv/kernel/stacktrace.c follows them, registers of
 * exceptions, and the cpu's own stacks. Right after registers, the image's call
 * frames tell a caller that is in no record yet. Also where a switched-out task goes on.
 */

#include "../base/engine.h"
#include "../built/built.h"
#include "unwinder.h"

#define RECORD	      16u /* struct stackframe: fp, ra; the frame pointer is its end */
#define OVERFLOW_SIZE 4096u

/* ---- a task that does not run ---- */

static int riscv64_read_switched(struct otst *o, const struct otst_task *t, struct otst_capture *c,
				 uint64_t *slot)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	const struct otst_member *fp, *pc;
	uint64_t fork = otst_symbol_or0(o, "ret_from_fork");
	struct otst_sym sym;
	int err;

	err = otst_member(o, "task_struct", "thread.s", &fp);
	err = err ?: otst_member(o, "task_struct", "thread.ra", &pc);
	err = err ?: otst_read_u64(o, t->addr + fp->offset, &c->regs[arch->reg.fp]);
	err = err ?: otst_read_u64(o, t->addr + pc->offset, &c->regs[arch->reg.pc]);
	if (err)
		return err;
	*slot = t->addr + pc->offset;
	c->regs[arch->reg.sp] = t->sp;
	/*
	 * a new task's first instruction does not follow a call: ret_from_fork,
	 * ret_from_fork_user and the like
	 */
	otst_symbolize(o, c->regs[arch->reg.pc], &sym);
	c->call = c->regs[arch->reg.pc] != fork && (!sym.name || c->regs[arch->reg.pc] != sym.addr);
	return 0;
}

/* ---- registers on the stack ---- */

/* true if @pc is in the code of exception entry, which leaves registers on the stack */
static bool riscv64_is_entry(struct otst *o, uint64_t pc)
{
	uint64_t begin = otst_symbol_or0(o, "handle_exception");
	uint64_t end = otst_symbol_or0(o, "ret_from_exception_end");
	struct otst_sym sym;

	if (begin && end)
		return pc >= begin && pc < end;
	/*
	 * Linux 7ecdadf7f8c6 ("riscv: stacktrace: Make walk_stackframe cross pt_regs frame")
	 * (v6.1) knows only ret_from_exception
	 */
	otst_symbolize(o, pc, &sym);
	return begin && (sym.addr == begin || pc == otst_symbol_or0(o, "ret_from_exception"));
}

/* ---- the way to the caller ---- */

/* are the registers of the task's entry into the kernel at @at? They end its stack. */
static bool riscv64_is_outermost(struct otst_unwind *s, uint64_t at)
{
	uint64_t size;

	/* PT_SIZE_ON_STACK is the size of struct pt_regs, aligned to 16 */
	return s->b.place == OTST_PLACE_TASK && !otst_type_size(s->o, "pt_regs", &size) &&
	       at + ((size + 15) & ~UINT64_C(15)) == s->b.end;
}

static enum otst_found riscv64_find_record(struct otst_unwind *s, struct otst_frame *f,
					   struct otst_rule *r)
{
	uint64_t record[2], at = s->fp - RECORD;

	/* entry code has no record: its stack pointer is the address of the registers */
	if (otst_unwind_is_on(s, s->sp, 1) && riscv64_is_outermost(s, s->sp)) {
		otst_chain_find_user(s, s->sp);
		r->type = OTST_RULE_END;
		return OTST_FOUND_RULE;
	}
	if (!s->exact && riscv64_is_entry(s->o, s->ip - 1)) {
		*r = (struct otst_rule){
			.base = OTST_BASE_SP,
			.type = OTST_RULE_REGS,
			.next_exact = true,
		};
		return OTST_FOUND_RULE;
	}
	if (s->fp % 8)
		return otst_chain_fail(s, "no frame record can be below", s->fp);
	if (otst_unwind_is_on(s, at, RECORD) && at < s->sp)
		return otst_chain_fail(s, "the stack goes in the wrong direction to", s->fp);
	if (!otst_unwind_stack(s, at, record, 2))
		return otst_chain_fail(s, "no frame record can be read below", s->fp);
	s->sp = s->fp;
	return otst_chain_go(s, f, record[1], at + 8, record[0]);
}

/*
 * Right after registers, the return address may still be in ra: in a function that
 * calls no other, as the image's call frames say, and at the entry of every function.
 */
static bool in_ra(struct otst_unwind *s, struct otst_cfi *ret)
{
	struct otst_sym sym;

	*ret = (struct otst_cfi){ 0 };
	if (!s->has_regs || !s->full || !s->exact || !otst_is_code(s->o, s->regs[s->arch->reg.ra]))
		return false;
	if (!otst_cfi_read(s->o, s->ip, ret))
		return ret->ret_in_reg;
	otst_symbolize(s->o, s->ip, &sym);
	return sym.name && s->ip - sym.addr <= s->arch->insn.entry_max - 4;
}

static enum otst_found riscv64_find_rule(struct otst_unwind *s, struct otst_frame *f,
					 struct otst_rule *r, enum otst_how *how, const char **why)
{
	struct otst_cfi c;
	uint64_t fp = s->fp;

	(void)why;
	*how = OTST_HOW_FP;
	if (!in_ra(s, &c))
		return riscv64_find_record(s, f, r);
	/* a function that saves only its frame pointer has it where others have ra */
	if (c.fp_saved) {
		s->sp = s->fp;
		if (!otst_unwind_stack(s, s->fp - 8, &fp, 1))
			return otst_chain_fail(s, "no frame pointer can be read below", s->fp);
	}
	return otst_chain_go(s, f, s->regs[s->arch->reg.ra], 0, fp);
}

/* ---- a cpu's own stacks ---- */

static bool riscv64_find_place(struct otst *o, unsigned int cpu, uint64_t addr,
			       struct otst_bounds *ret)
{
	uint64_t size = otst_thread_size(o), at = otst_symbol_or0(o, "irq_stack_ptr"), begin;

	if (at && !otst_read_u64(o, otst_percpu(o, at, cpu), &begin) &&
	    otst_place_try(ret, OTST_PLACE_IRQ, begin, size, addr))
		return true;
	at = otst_symbol_or0(o, "overflow_stack");
	return at && otst_place_try(ret, OTST_PLACE_OVERFLOW, otst_percpu(o, at, cpu),
				    OVERFLOW_SIZE, addr);
}

const struct otst_unwinder otst_unwinder_riscv64 = {
	.arch = &otst_arch_riscv64,
	.switched = riscv64_read_switched,
	.find = riscv64_find_rule,
	.take_regs = otst_chain_take_regs,
	.chain = OTST_BASE_FP,
	.interrupts = riscv64_is_entry,
	.place = riscv64_find_place,
};
