// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * unwind_aarch64.c - the way to a caller on arm64: frame records, as
 * arch/arm64/kernel/stacktrace.c follows them, registers of exceptions, and the
 * cpu's own stacks of arch/arm64/include/asm/stacktrace.h. Right after registers,
 * the image's call frames tell a caller that is in no record yet. A task that was
 * switched out goes on where struct cpu_context says.
 */
#include <stdlib.h>

#include "../base/engine.h"
#include "../built/built.h"
#include "unwinder.h"

#define RECORD	      16u /* struct frame_record: fp, lr */
#define META_FINAL    1u  /* FRAME_META_TYPE_FINAL */
#define META_PT_REGS  2u  /* FRAME_META_TYPE_PT_REGS */
#define OVERFLOW_SIZE 4096u

/* ---- pointer authentication ---- */

/*
 * Removes the signature from a return address. It is in the upper bits, which are all
 * set in addresses of kernel text. Linux de1702f65feb ("arm64: move PAC masks to
 * <asm/pointer_auth.h>") has the mask, and VMCOREINFO gives its value.
 */
static uint64_t strip_pac(struct otst *o, uint64_t pc)
{
	const char *mask = otst_vmcoreinfo(o, "NUMBER(KERNELPACMASK)");
	uint64_t stext = otst_text_bounds(o)->stext;

	if (mask)
		return pc | strtoull(mask, NULL, 16);
	if (otst_is_code(o, pc) || !~stext)
		return pc;
	/* all code lies close together: set the upper bits that are set in all of it */
	return pc | ~(UINT64_MAX >> __builtin_clzll(~stext));
}

/* ---- a task that does not run ---- */

static int aarch64_read_switched(struct otst *o, const struct otst_task *t, struct otst_capture *c,
				 uint64_t *slot)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	const struct otst_member *fp, *pc;
	int err;

	err = otst_member(o, "task_struct", "thread.cpu_context.fp", &fp);
	err = err ?: otst_member(o, "task_struct", "thread.cpu_context.pc", &pc);
	err = err ?: otst_read_u64(o, t->addr + fp->offset, &c->regs[arch->reg.fp]);
	err = err ?: otst_read_u64(o, t->addr + pc->offset, &c->regs[arch->reg.pc]);
	if (err)
		return err;
	*slot = t->addr + pc->offset;
	c->regs[arch->reg.pc] = strip_pac(o, c->regs[arch->reg.pc]);
	c->regs[arch->reg.sp] = t->sp;
	/* a new task's first instruction does not follow a call */
	c->call = c->regs[arch->reg.pc] != otst_symbol_or0(o, "ret_from_fork");
	return 0;
}

/* ---- registers on the stack ---- */

/* true if @pc is in the code of exception entry, which leaves registers on the stack */
static bool aarch64_is_entry(struct otst *o, uint64_t pc)
{
	uint64_t begin = otst_symbol_or0(o, "__entry_text_start");

	return begin && pc >= begin && pc < otst_symbol_or0(o, "__entry_text_end");
}

/* ---- the way to the caller ---- */

/*
 * The outermost record has no addresses and is in the struct pt_regs that ends the
 * task's stack. @regs is the address of that struct.
 */
static bool aarch64_is_final(struct otst_unwind *s, uint64_t regs)
{
	uint64_t size;

	return s->b.place == OTST_PLACE_TASK && !otst_type_size(s->o, "pt_regs", &size) &&
	       regs + size == s->b.end;
}

/* true if @ip is in one of @names, which end with NULL */
static bool aarch64_is_in(struct otst *o, uint64_t ip, const char *const *names)
{
	struct otst_sym sym;

	otst_symbolize(o, ip, &sym);
	return otst_sym_is_one_of(&sym, names);
}

/*
 * Before Linux 7d7b720a4b80 ("arm64: Implement stack trace termination record") (v5.14)
 * threads began without a frame pointer, and idle tasks with an empty record.
 */
static const char *const thread_begins[] = { "ret_from_fork", NULL };
static const char *const idle_begins[] = { "start_kernel", "secondary_start_kernel", NULL };

/* what an empty record means; @regs is the struct pt_regs around it */
static enum otst_found find_empty(struct otst_unwind *s, uint64_t regs, struct otst_rule *r)
{
	uint64_t type;
	bool ends;

	/* Linux c2c6b27b5aa1 ("arm64: stacktrace: unwind exception boundaries") (v6.13) */
	if (otst_has_member(s->o, "frame_record_meta", "type")) {
		if (!otst_unwind_stack(s, s->fp + RECORD, &type, 1))
			return otst_chain_fail(s, "no type of the frame record at", s->fp);
		if (type == META_PT_REGS)
			return OTST_FOUND_RULE;
		ends = type == META_FINAL;
	} else {
		ends = aarch64_is_final(s, regs) || aarch64_is_entry(s->o, s->ip - 1) ||
		       aarch64_is_in(s->o, s->ip, idle_begins);
	}
	if (!ends)
		return otst_chain_fail(s, "nothing in the frame record at", s->fp);
	r->type = OTST_RULE_END;
	otst_chain_find_user(s, regs);
	return OTST_FOUND_RULE;
}

/* a capture may begin with the record, and lack the registers before it */
static bool has_saved(struct otst_unwind *s, uint64_t regs)
{
	unsigned char bytes[OTST_PT_REGS_MAX];
	bool there = !s->c->nr_pieces ||
		     otst_unwind_bytes(s, regs, bytes, otst_pt_regs(s->o)->size);

	s->cut = false;
	return there;
}

static enum otst_found aarch64_find_record(struct otst_unwind *s, struct otst_frame *f,
					   struct otst_rule *r)
{
	const struct otst_member *m;
	uint64_t record[2], at = s->fp, regs;
	enum otst_found found;
	bool interrupted = false;

	if (!at && aarch64_is_in(s->o, s->ip, thread_begins))
		return OTST_FOUND_WHOLE;
	if (at % 8)
		return otst_chain_fail(s, "no frame record can be at", s->fp);
	if (otst_unwind_is_on(s, at, RECORD) && at < s->sp)
		return otst_chain_fail(s, "the stack goes in the wrong direction to", s->fp);
	if (!otst_unwind_stack(s, at, record, 2))
		return otst_chain_fail(s, "no frame record can be read at", s->fp);
	if (otst_has_member(s->o, "pt_regs", "stackframe") &&
	    !otst_member(s->o, "pt_regs", "stackframe", &m)) {
		regs = at - m->offset;
		*r = (struct otst_rule){
			.base = OTST_BASE_FP,
			.sp_offset = -(int32_t)m->offset,
			.type = OTST_RULE_REGS,
			.next_exact = true,
		};
		if (!record[0] && !record[1])
			return find_empty(s, regs, r);
		/* before v6.13 the record in front of registers has their pc */
		interrupted = !s->exact && aarch64_is_entry(s->o, s->ip - 1);
		if (interrupted && has_saved(s, regs))
			return OTST_FOUND_RULE;
	}
	s->sp = at + RECORD;
	found = otst_chain_go(s, f, strip_pac(s->o, record[1]), at + 8, record[0]);
	s->exact = f->exact = interrupted;
	return found;
}

/*
 * Right after registers, the return address may still be in lr: in a function that
 * calls no other, as the image's call frames say; at the entry of every function; and
 * where a call led to something that is not code.
 */
static bool aarch64_in_lr(struct otst_unwind *s)
{
	struct otst_sym sym;
	struct otst_cfi c;
	uint64_t lr;

	if (!s->has_regs || !s->full || !s->exact)
		return false;
	lr = strip_pac(s->o, s->regs[s->arch->reg.ra]);
	if (!otst_is_code(s->o, lr))
		return false;
	if (!otst_is_code(s->o, s->ip))
		return otst_follows_call(s->o, lr);
	if (!otst_cfi_read(s->o, s->ip, &c))
		return c.ret_in_reg && !c.fp_saved;
	otst_symbolize(s->o, s->ip, &sym);
	return sym.name && s->ip - sym.addr < s->arch->insn.entry_max - 4;
}

static enum otst_found aarch64_find_rule(struct otst_unwind *s, struct otst_frame *f,
					 struct otst_rule *r, enum otst_how *how, const char **why)
{
	(void)why;
	*how = OTST_HOW_FP;
	if (aarch64_in_lr(s))
		return otst_chain_go(s, f, strip_pac(s->o, s->regs[s->arch->reg.ra]), 0, s->fp);
	return aarch64_find_record(s, f, r);
}

/* ---- a cpu's own stacks ---- */

/* per-cpu variables that point to the start of a stack of THREAD_SIZE */
static const struct {
	const char *pointer;
	enum otst_place place;
} stacks[] = {
	{ "irq_stack_ptr", OTST_PLACE_IRQ },
	{ "sdei_stack_normal_ptr", OTST_PLACE_SDEI },
	{ "sdei_stack_critical_ptr", OTST_PLACE_SDEI_CRITICAL },
};

static bool aarch64_find_place(struct otst *o, unsigned int cpu, uint64_t addr,
			       struct otst_bounds *ret)
{
	uint64_t size = otst_thread_size(o), at, begin;

	for (size_t i = 0; i < sizeof(stacks) / sizeof(*stacks); i++) {
		at = otst_symbol_or0(o, stacks[i].pointer);
		if (at && !otst_read_u64(o, otst_percpu(o, at, cpu), &begin) &&
		    otst_place_try(ret, stacks[i].place, begin, size, addr))
			return true;
	}
	at = otst_symbol_or0(o, "overflow_stack");
	return at && otst_place_try(ret, OTST_PLACE_OVERFLOW, otst_percpu(o, at, cpu),
				    OVERFLOW_SIZE, addr);
}

const struct otst_unwinder otst_unwinder_aarch64 = {
	.arch = &otst_arch_aarch64,
	.switched = aarch64_read_switched,
	.find = aarch64_find_rule,
	.take_regs = otst_chain_take_regs,
	.chain = OTST_BASE_FP,
	.any_pc = true,
	.interrupts = aarch64_is_entry,
	.place = aarch64_find_place,
};
