// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * unwind_s390x.c - the way to a caller on s390x: the back chain, as
 * arch/s390/kernel/unwind_bc.c follows it. Each frame has the address of its caller's
 * frame, and the return address is among the registers saved there. A frame without a
 * back chain is followed by struct pt_regs. The cpu's own stacks are named in its
 * lowcore (arch/s390/kernel/dumpstack.c).
 */

#include "unwinder.h"

/* struct stack_frame with -mpacked-stack: gprs[10] are r6 to r15, then the back chain */
#define RETURN_AT 136u
#define CHAIN_AT  152u
#define FRAME	  160u

/* ---- a task that does not run ---- */

static int s390x_read_switched(struct otst *o, const struct otst_task *t, struct otst_capture *c,
			       uint64_t *slot)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	int err = otst_read_u64(o, t->sp + RETURN_AT, &c->regs[arch->reg.pc]);

	if (err)
		return err;
	*slot = t->sp + RETURN_AT;
	c->regs[arch->reg.sp] = t->sp;
	/* a new task's first instruction does not follow a call */
	c->call = c->regs[arch->reg.pc] != otst_symbol_or0(o, "ret_from_fork");
	return 0;
}

/* ---- registers on the stack ---- */

/* the code of entry.S that leaves registers on the stack */
static bool s390x_is_entry(struct otst *o, uint64_t pc)
{
	static const char *const handlers[] = {
		"pgm_check_handler", "io_int_handler", "ext_int_handler",
		"mcck_int_handler",  "system_call",    "restart_int_handler",
	};
	struct otst_sym sym;

	for (size_t i = 0; i < sizeof(handlers) / sizeof(*handlers); i++) {
		uint64_t at = otst_symbol_or0(o, handlers[i]);

		if (!at || pc < at)
			continue;
		otst_symbolize(o, pc, &sym);
		if (sym.addr == at)
			return true;
	}
	return false;
}

/* ---- the way to the caller ---- */

/*
 * A task's stack ends with the task's entry into the kernel, the stack of interrupts with the
 * interrupt of a program.
 */
static bool s390x_is_final(struct otst_unwind *s, uint64_t at)
{
	uint64_t regs[OTST_REGS_MAX] = { 0 }, size;

	if (otst_type_size(s->o, "pt_regs", &size) || at + size != s->b.end ||
	    !otst_chain_regs(s, at, regs))
		return false;
	if (s->arch->reg.user_mode(regs))
		s->st->user = at;
	return s->st->user == at || s->b.place == OTST_PLACE_TASK;
}

/* a frame without a back chain is followed by registers */
static enum otst_found s390x_find_regs(struct otst_unwind *s, struct otst_rule *r)
{
	*r = (struct otst_rule){
		.base = OTST_BASE_SP,
		.sp_offset = FRAME,
		.type = s390x_is_final(s, s->sp + FRAME) ? OTST_RULE_END : OTST_RULE_REGS,
		.next_exact = true,
	};
	return OTST_FOUND_RULE;
}

/*
 * Right after registers, the return address may still be in r14, and the frame at the
 * stack pointer may be the caller's. What is there is a guess, as the kernel says.
 */
static bool guess_sp(struct otst_unwind *s, uint64_t *ret)
{
	return s->has_regs && s->full && s->exact &&
	       otst_unwind_stack(s, s->sp + RETURN_AT, ret, 1) && *ret != s->ip &&
	       otst_is_kernel_text(s->o, *ret) && otst_follows_call(s->o, *ret);
}

static enum otst_found s390x_find_rule(struct otst_unwind *s, struct otst_frame *f,
				       struct otst_rule *r, enum otst_how *how, const char **why)
{
	uint64_t chain, ip;

	(void)why;
	*how = OTST_HOW_FP;
	if (s->sp % 8)
		return otst_chain_fail(s, "no frame can be at", s->sp);
	if (guess_sp(s, &ip)) {
		f->reliable = false;
		return otst_chain_go(s, f, ip, s->sp + RETURN_AT, s->sp);
	}
	if (!otst_unwind_stack(s, s->sp + CHAIN_AT, &chain, 1))
		return otst_chain_fail(s, "no back chain can be read in the frame at", s->sp);
	if (!chain)
		return s390x_find_regs(s, r);
	if (otst_unwind_is_on(s, chain, FRAME) && chain <= s->sp)
		return otst_chain_fail(s, "the stack goes in the wrong direction to", chain);
	if (!otst_unwind_stack(s, chain + RETURN_AT, &ip, 1))
		return otst_chain_fail(s, "no frame can be read at", chain);
	return otst_chain_go(s, f, ip, chain + RETURN_AT, chain);
}

/* ---- a cpu's own stacks ---- */

/* each stack is aligned to its size; the lowcore has an address in it */
static const struct {
	const char *member;
	enum otst_place place;
} stacks[] = {
	{ "async_stack", OTST_PLACE_IRQ },
	{ "nodat_stack", OTST_PLACE_NODAT },
	{ "mcck_stack", OTST_PLACE_MCE },
	{ "restart_stack", OTST_PLACE_RESTART },
};

static bool s390x_find_place(struct otst *o, unsigned int cpu, uint64_t addr,
			     struct otst_bounds *ret)
{
	uint64_t size = otst_thread_size(o), at = otst_symbol_or0(o, "lowcore_ptr"), top;

	if (!at || otst_read_u64(o, at + UINT64_C(8) * cpu, &at))
		return false;
	for (size_t i = 0; i < sizeof(stacks) / sizeof(*stacks); i++) {
		if (otst_has_member(o, "lowcore", stacks[i].member) &&
		    !otst_read_member(o, "lowcore", at, stacks[i].member, &top) &&
		    otst_place_try(ret, stacks[i].place, top & -size, size, addr))
			return true;
	}
	return false;
}

const struct otst_unwinder otst_unwinder_s390x = {
	.arch = &otst_arch_s390x,
	.switched = s390x_read_switched,
	.find = s390x_find_rule,
	.take_regs = otst_chain_take_regs,
	.chain = OTST_BASE_SP,
	.interrupts = s390x_is_entry,
	.place = s390x_find_place,
};
