/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * unwinder.h - the part of unwinding that depends on the architecture: a file
 * unwind_ARCH.c for each, which follows the kernel's own unwinder there.
 */
#ifndef OTST_UNWINDER_H
#define OTST_UNWINDER_H

#include "stack.h"

/**
 * struct otst_unwind - one stack while it is unwound
 * @ip, @sp, @fp: of the frame that was reached; @exact as in struct otst_frame
 * @regs: with @has_regs, the registers that it came from; all of them with @full
 * @prev: with @has_prev, the full registers before those, where it came from a part of them
 * @b: the stack that @sp is on
 * @cut: a read went beyond the saved bytes
 * @err: what ends the command
 */
struct otst_unwind {
	struct otst *o;
	const struct otst_arch *arch;
	const struct otst_unwinder *unwinder;
	const struct otst_capture *c;
	struct otst_stack *st;
	uint64_t ip, sp, fp;
	bool exact;
	bool done;
	uint64_t regs[OTST_REGS_MAX];
	uint64_t prev[OTST_REGS_MAX];
	bool has_regs, full, has_prev;
	struct otst_bounds b;
	unsigned int visited; /* bit for each enum otst_place */
	struct otst_repair repair;
	bool cut;
	int err;
};

/** enum otst_found - what &otst_unwinder.find found */
enum otst_found {
	OTST_FOUND_RULE,
	OTST_FOUND_CALLER, /**< the caller itself: @ip, @sp and @fp are its own */
	OTST_FOUND_WHOLE,  /**< the outermost frame */
	OTST_FOUND_NOTHING,
};

/**
 * struct otst_unwinder - one architecture
 * @switched: reads the registers of a task that does not run into @c->regs, and sets
 *	@c->call; @slot is the address that holds its pc, 0 for none
 * @find: goes from @u to its caller; @f is filled when that is found without a rule.
 *	For NOTHING, @why is the message, NULL for the last one raised
 * @take_regs: takes the registers at @at, of an OTST_RULE_REGS or OTST_RULE_IRET, into
 *	@u->regs, @f->regs, @f->slot; false with the message raised
 * @chain: the register that leads from frame to frame, for the functions of chain.c
 * @any_pc: a stack goes on after registers whose pc is not code: a call jumped there
 * @interrupts: does the frame of @pc, an instruction, lead to registers
 * @place: finds one of a cpu's own stacks
 */
struct otst_unwinder {
	const struct otst_arch *arch;
	int (*switched)(struct otst *o, const struct otst_task *t, struct otst_capture *c,
			uint64_t *slot);
	enum otst_found (*find)(struct otst_unwind *u, struct otst_frame *f, struct otst_rule *r,
				enum otst_how *how, const char **why);
	bool (*take_regs)(struct otst_unwind *u, uint64_t at, bool full, struct otst_frame *f);
	enum otst_base chain;
	bool any_pc;
	bool (*interrupts)(struct otst *o, uint64_t pc);
	bool (*place)(struct otst *o, unsigned int cpu, uint64_t addr, struct otst_bounds *ret);
};

/** otst_unwinder() - the one for this kernel; NULL if its architecture is not known (unwinders.c) */
const struct otst_unwinder *otst_unwinder(struct otst *o);

#define OTST_DECLARE_UNWINDER(arch) \
	extern const struct otst_unwinder otst_unwinder_##arch __attribute__((weak));
OTST_ARCHES(OTST_DECLARE_UNWINDER)
#undef OTST_DECLARE_UNWINDER

/* ---- memory of the stack (unwind.c) ---- */

/** otst_unwind_words() - @count words at @addr, wherever that is; false when they are not there */
bool otst_unwind_words(struct otst_unwind *u, uint64_t addr, uint64_t *ret, size_t count);

/** otst_unwind_stack() - the same on this stack, or on the one before, which then becomes @u->b */
bool otst_unwind_stack(struct otst_unwind *u, uint64_t addr, uint64_t *ret, size_t count);

/** otst_unwind_bytes() - like otst_unwind_stack(), but for bytes */
bool otst_unwind_bytes(struct otst_unwind *u, uint64_t addr, void *ret, size_t len);

/** otst_unwind_is_on() - do @len bytes at @addr lie on this stack */
bool otst_unwind_is_on(const struct otst_unwind *u, uint64_t addr, size_t len);

/** otst_unwind_real() - if @u->ip is a trampoline in @slot, replace it by the real address */
void otst_unwind_real(struct otst_unwind *u, uint64_t slot, struct otst_frame *f);

/* ---- steps along a chain of frames (chain.c) ---- */

/** otst_chain_take_regs() - &otst_unwinder.take_regs of a whole struct pt_regs */
bool otst_chain_take_regs(struct otst_unwind *u, uint64_t at, bool full, struct otst_frame *f);

/** otst_chain_go() - the caller goes on at @ip, read from @slot; its link in the chain is @link */
enum otst_found otst_chain_go(struct otst_unwind *u, struct otst_frame *f, uint64_t ip,
			      uint64_t slot, uint64_t link);

/** otst_chain_fail() - the chain ends at @at; @what is the message before that address */
enum otst_found otst_chain_fail(struct otst_unwind *u, const char *what, uint64_t at);

/** otst_chain_regs() - the struct pt_regs at @at into @ret, OTST_REGS_MAX of them; false when it is not there */
bool otst_chain_regs(struct otst_unwind *u, uint64_t at, uint64_t *ret);

/** otst_chain_find_user() - the task's entry into the kernel is at @at, if it came from user mode */
void otst_chain_find_user(struct otst_unwind *u, uint64_t at);

/* ---- a cpu's own stacks (place.c) ---- */

/** otst_place_try() - @ret becomes the stack of @size bytes at @begin; false when @addr is not on it */
bool otst_place_try(struct otst_bounds *ret, enum otst_place place, uint64_t begin, uint64_t size,
		    uint64_t addr);

#endif /* OTST_UNWINDER_H */
