// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * unwind_ppc64le.c - the way to a caller on ppc64le: the back chain of the ELFv2 ABI
 * and the link register's place in the caller's frame, as show_stack() of
 * arch/powerpc/kernel/process.c follows them; registers of interrupts, in a frame with
 * a marker. Right after registers, the image's call frames tell whether the return
 * address is still in the link register. A task that was switched out goes on after the
 * frame of _switch().
 */

#include "../base/engine.h"
#include "../built/built.h"
#include "unwinder.h"

#define LR_SAVE 16u /* STACK_FRAME_LR_SAVE, in the caller's frame */

/* STACK_FRAME_REGS_MARKER: "REGS" in memory, in older kernels "regshere" as a number */
static const uint64_t markers[] = { 0x53474552, 0x7265677368657265 };

/* where the marker and the registers are in a frame, since v6.2 and before */
static const struct {
	uint8_t marker, regs;
} layouts[] = { { 32, 48 }, { 96, 112 } };

/* ---- a task that does not run ---- */

static int ppc64le_read_switched(struct otst *o, const struct otst_task *t, struct otst_capture *c,
				 uint64_t *slot)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	uint64_t back;
	int err = otst_read_u64(o, t->sp, &back);

	err = err ?: otst_read_u64(o, back + LR_SAVE, &c->regs[arch->reg.pc]);
	if (err)
		return err;
	*slot = back + LR_SAVE;
	c->regs[arch->reg.sp] = back;
	c->call = true;
	return 0;
}

/* ---- registers on the stack ---- */

/* the registers that the frame at @sp holds; 0 when it holds none */
static uint64_t ppc64le_find_regs(struct otst_unwind *s, uint64_t sp)
{
	uint64_t word;

	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		if (otst_unwind_stack(s, sp + layouts[i].marker, &word, 1) &&
		    (word == markers[0] || word == markers[1]))
			return sp + layouts[i].regs;
	}
	return 0;
}

/* true if @pc is in the code of exception entry, which leaves registers on the stack */
static bool ppc64le_is_entry(struct otst *o, uint64_t pc)
{
	uint64_t begin = otst_symbol_or0(o, "__start_interrupts");

	return begin && pc >= begin && pc < otst_symbol_or0(o, "__end_interrupts");
}

/* ---- the way to the caller ---- */

/*
 * Right after registers, the return address may still be in lr: in a function that
 * calls no other, as the image's call frames say, and at the entry of every function.
 */
static bool ppc64le_in_lr(struct otst_unwind *s)
{
	struct otst_sym sym;
	struct otst_cfi c;

	if (!s->has_regs || !s->full || !s->exact || !otst_is_code(s->o, s->regs[s->arch->reg.ra]))
		return false;
	if (!otst_cfi_read(s->o, s->ip, &c))
		return c.ret_in_reg;
	otst_symbolize(s->o, s->ip, &sym);
	return sym.name && s->ip - sym.addr <= s->arch->insn.entry_max;
}

static enum otst_found ppc64le_find_rule(struct otst_unwind *s, struct otst_frame *f,
					 struct otst_rule *r, enum otst_how *how, const char **why)
{
	uint64_t back, ip, regs;

	(void)why;
	*how = OTST_HOW_FP;
	/* as long as a function has no frame of its own, this is its caller's */
	if (ppc64le_in_lr(s))
		return otst_chain_go(s, f, s->regs[s->arch->reg.ra], 0, s->sp);
	regs = s->exact ? 0 : ppc64le_find_regs(s, s->sp);
	if (regs) {
		*r = (struct otst_rule){
			.base = OTST_BASE_SP,
			.sp_offset = (int32_t)(regs - s->sp),
			.type = OTST_RULE_REGS,
			.next_exact = true,
		};
		return OTST_FOUND_RULE;
	}
	if (s->sp % 16 || !otst_unwind_stack(s, s->sp, &back, 1))
		return otst_chain_fail(s, "no back chain can be read at", s->sp);
	/* copy_thread() ends the chain of a kernel thread */
	if (!back)
		return OTST_FOUND_WHOLE;
	if (otst_unwind_is_on(s, back, 1) && back <= s->sp)
		return otst_chain_fail(s, "the stack goes in the wrong direction from", s->sp);
	if (!otst_unwind_stack(s, back + LR_SAVE, &ip, 1))
		return otst_chain_fail(s, "no return address for the frame at", s->sp);
	return otst_chain_go(s, f, ip, back + LR_SAVE, back);
}

/* ---- a cpu's own stacks ---- */

/* pointers to stacks of THREAD_SIZE, by cpu (arch/powerpc/kernel/irq.c, setup_64.c) */
static const struct {
	const char *array;
	enum otst_place place;
} stacks[] = {
	{ "hardirq_ctx", OTST_PLACE_IRQ },
	{ "softirq_ctx", OTST_PLACE_SOFTIRQ },
};

static bool ppc64le_find_place(struct otst *o, unsigned int cpu, uint64_t addr,
			       struct otst_bounds *ret)
{
	uint64_t size = otst_thread_size(o), at, begin;

	for (size_t i = 0; i < sizeof(stacks) / sizeof(*stacks); i++) {
		at = otst_symbol_or0(o, stacks[i].array);
		if (at && !otst_read_u64(o, at + 8 * (uint64_t)cpu, &begin) &&
		    otst_place_try(ret, stacks[i].place, begin, size, addr))
			return true;
	}
	return false;
}

const struct otst_unwinder otst_unwinder_ppc64le = {
	.arch = &otst_arch_ppc64le,
	.switched = ppc64le_read_switched,
	.find = ppc64le_find_rule,
	.take_regs = otst_chain_take_regs,
	.chain = OTST_BASE_SP,
	.interrupts = ppc64le_is_entry,
	.place = ppc64le_find_place,
};
