// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unwind_x86_64.c - the way to a caller on x86_64. The steps are those of
 * unwind_next_frame() in arch/x86/kernel/unwind_orc.c, which is what the kernel
 * prints and saves stacks with. Where ORC knows nothing come the image's call
 * frames, then frame pointers. And where a task was switched from: struct
 * inactive_task_frame of arch/x86/include/asm/switch_to.h.
 */
#include <inttypes.h>
#include <string.h>

#include "x86_64.h"

#define IRET_WORDS 5u /* ip, cs, flags, sp and ss, which the cpu pushes */

/* ---- a task that does not run ---- */

/* registers of a task that was switched from; @slot is where its pc stands */
static int read_frame(struct otst *o, const struct otst_task *t, struct otst_capture *c,
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
	err = err ?: otst_member(o, "inactive_task_frame", "bp", &bp);
	err = err ?: otst_member(o, "inactive_task_frame", "ret_addr", &ret);
	err = err ?: otst_read_u64(o, t->sp + bp->offset, &c->regs[X86_BP]);
	err = err ?: otst_read_u64(o, t->sp + ret->offset, &c->regs[X86_IP]);
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

static int read_switched(struct otst *o, const struct otst_task *t, struct otst_capture *c,
			 uint64_t *slot)
{
	int err = read_frame(o, t, c, slot);

	c->call = !err && !is_new(o, c->regs[X86_IP]);
	return err;
}

/* ---- registers on the stack ---- */

/* registers that an exception, an interrupt or a system call left at @at */
static bool take_regs(struct otst_unwind *s, uint64_t at, bool full, struct otst_frame *f)
{
	const struct otst_pt_regs *pt = otst_pt_regs(s->o);
	unsigned char bytes[OTST_PT_REGS_MAX];
	uint64_t regs[OTST_REGS_MAX] = { 0 };

	if (full ? !otst_unwind_bytes(s, at, bytes, pt->size) :
		   !otst_unwind_stack(s, at, regs + X86_IP, IRET_WORDS)) {
		otst_raise(s->o, OTST_ERR_CORRUPT, "registers at 0x%" PRIx64 " cannot be read", at);
		return false;
	}
	if (full)
		otst_regs_take(s->o, bytes, regs);
	s->ip = regs[X86_IP];
	s->sp = regs[X86_SP];
	/* interrupted right after the ret into a trampoline, where there is no table */
	otst_unwind_real(s, s->sp - 8, f);
	if (full) {
		s->has_prev = false;
	} else if (s->has_regs && s->full) {
		memcpy(s->prev, s->regs, sizeof(s->prev));
		s->has_prev = true;
	}
	memcpy(s->regs, regs, sizeof(regs));
	s->has_regs = true;
	s->full = full;
	f->regs = full ? at : at - pt->at[X86_IP];
	f->slot = f->regs + pt->at[X86_IP];
	f->cs = (uint16_t)regs[X86_CS];
	return true;
}

/* ---- the way to the caller ---- */

/*
 * Inside the trampoline of a return probe, whose handler is running. ORC tells
 * the way only since v5.12; before, the trampoline pushed sp and flags where
 * the return address had been popped from, then the registers of pt_regs below.
 */
static bool leave_trampoline(struct otst_unwind *s, struct otst_frame *f)
{
	const struct otst_pt_regs *pt = otst_pt_regs(s->o);
	struct otst_sym sym;
	uint64_t real;

	otst_symbolize(s->o, s->ip - 1, &sym);
	if (!sym.name || !otst_is_trampoline(s->o, sym.addr))
		return false;
	f->slot = s->sp + pt->at[X86_SP];
	real = otst_repair(s->o, &s->repair, sym.addr, f->slot);
	if (!real || !otst_unwind_stack(s, s->sp + pt->at[X86_BP], &s->fp, 1) ||
	    !otst_unwind_is_on(s, f->slot, 8))
		return false;
	f->how = OTST_HOW_ORC;
	f->place = s->b.place;
	f->replaced = sym.addr;
	s->ip = f->pc = real;
	s->sp = f->sp = f->slot + 8;
	s->has_regs = s->has_prev = false;
	return true;
}

/*
 * unwind_frame.c: bp points to the caller's, the return address above it. With
 * its lowest bit set it is the address of registers that entry code saved.
 */
static bool fp_rule(struct otst_unwind *s, struct otst_rule *ret)
{
	uint64_t pair[2];

	if (s->fp & 1) {
		*ret = (struct otst_rule){
			.base = OTST_BASE_FP,
			.sp_offset = -1,
			.type = OTST_RULE_REGS,
			.next_exact = true,
		};
		return true;
	}
	if (s->fp % 8 || !otst_unwind_is_on(s, s->fp, 16) || s->fp < s->sp ||
	    !otst_unwind_words(s, s->fp, pair, 2) || !otst_is_code(s->o, pair[1]) ||
	    !otst_follows_call(s->o, pair[1])) {
		if (!s->cut)
			otst_raise(s->o, OTST_ERR_LOOKUP, "nothing tells who called 0x%" PRIx64,
				   s->ip);
		return false;
	}
	*ret = (struct otst_rule){
		.base = OTST_BASE_FP,
		.sp_offset = 16,
		.type = OTST_RULE_CALL,
		.ret_offset = -8,
		.fp = OTST_FP_PREV_SP,
		.fp_offset = -16,
	};
	return true;
}

/*
 * The outermost frame of a task lies right below the registers of its entry
 * into the kernel, which end the stack (but for 16 bytes where the kernel is
 * built for FRED). There is no table for entry code but ORC.
 */
static bool is_outermost(struct otst_unwind *s)
{
	const struct otst_pt_regs *pt = otst_pt_regs(s->o);
	uint64_t regs = s->b.end - pt->size, cs;

	if (s->b.place != OTST_PLACE_TASK)
		return false;
	if (s->sp == regs - 16)
		regs -= 16;
	if (s->sp != regs && s->fp != regs - 16 && s->fp != regs - 24)
		return false;
	if (otst_unwind_words(s, regs + pt->at[X86_CS], &cs, 1) && cs & 3)
		s->st->user = regs;
	return true;
}

static enum otst_found find(struct otst_unwind *s, struct otst_frame *f, struct otst_rule *r,
			    enum otst_how *how, const char **why)
{
	uint64_t pc = s->exact ? s->ip : s->ip - 1;
	int err;

	*how = OTST_HOW_ORC;
	err = otst_orc_find(s->o, pc, r);
	if (!err && r->type == OTST_RULE_UNDEFINED)
		err = otst_raise(s->o, OTST_ERR_CORRUPT, "ORC has no way out of 0x%" PRIx64, s->ip);
	if (!err)
		return OTST_FOUND_RULE;
	if (err == OTST_ERR_CORRUPT && leave_trampoline(s, f))
		return OTST_FOUND_CALLER;
	if (!otst_fatal(err)) {
		/* ORC's message is better than those of what comes after it */
		*why = otst_strdup(s->o, otst_message(s->o));
		*how = OTST_HOW_CFI;
		if (!otst_cfi_find(s->o, pc, r))
			return OTST_FOUND_RULE;
		*how = OTST_HOW_FP;
		if (err == OTST_ERR_LOOKUP && fp_rule(s, r)) {
			/* in a kernel with ORC, code that is in no table */
			s->st->guessed |= !otst_orc_why(s->o);
			return OTST_FOUND_RULE;
		}
		if (err == OTST_ERR_LOOKUP && is_outermost(s))
			return OTST_FOUND_WHOLE;
	} else {
		s->err = err;
	}
	return OTST_FOUND_NOTHING;
}

static bool interrupts(struct otst *o, uint64_t pc)
{
	struct otst_rule rule;

	return !otst_orc_find(o, pc, &rule) &&
	       (rule.type == OTST_RULE_REGS || rule.type == OTST_RULE_IRET || rule.next_exact);
}

const struct otst_unwinder otst_unwinder_x86_64 = {
	.arch = &otst_arch_x86_64,
	.switched = read_switched,
	.find = find,
	.take_regs = take_regs,
	.interrupts = interrupts,
	.place = otst_x86_64_place,
};
