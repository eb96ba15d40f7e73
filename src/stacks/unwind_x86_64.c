// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * unwind_x86_64.c - the way to a caller on x86_64. The steps are those of
 * unwind_next_frame() in arch/x86/kernel/unwind_orc.c, which is what the kernel
 * prints and saves stacks with. Where ORC knows nothing, the image's call frames
 * are tried, then frame pointers. A task that was switched out goes on where struct
 * inactive_task_frame of arch/x86/include/asm/switch_to.h says.
 */
#include <inttypes.h>
#include <string.h>

#include "../base/coverage.h"
#include "../built/disassemble.h"
#include "x86_64.h"

#define IRET_WORDS     5u     /* ip, cs, flags, sp and ss, which the cpu pushes */
#define LARGEST_SWITCH 16384u /* bytes of the function that switches tasks */

#define NONSTANDARD_WORDS 64u /* of the frame of a function that ORC leaves out */
#define REX_B		  0x41
#define PUSH		  0x50
#define PUSH_BP		  0x55

/* ---- a task that does not run ---- */

/* the address after the call of __switch_to(), 0 when not found; bytes pushed before the call */
struct old_switch {
	uint64_t behind;
	uint64_t pushed;
};

#define PUSHF 0x9c
#define SWITCHES \
	8u /* instructions of switch_to() before the call, and some that may be among them */

static int find_switch(struct otst *o, const void *of, void *value)
{
	static const char *const names[] = { "__schedule", "schedule", "context_switch" };
	uint64_t target = otst_symbol_or0(o, "__switch_to");
	struct old_switch *s = value;
	struct otst_insns insns;
	size_t i, k, back;
	int err = 0;

	(void)of;
	/* older kernels have a label there, and save flags */
	*s = (struct old_switch){ otst_symbol_or0(o, "thread_return"), 16 };
	for (i = 0; i < sizeof(names) / sizeof(*names) && !s->behind && target && !err; i++) {
		err = otst_disassemble_function(o, names[i], LARGEST_SWITCH, &insns);
		for (k = 0; k < insns.count && !err && !s->behind; k++) {
			if (insns.items[k].target != target || insns.items[k].refers)
				continue;
			s->behind = insns.items[k].addr + insns.items[k].len;
			s->pushed = 8;
			/* 2c7577a75837 ("sched/x86_64: Don't save flags on context switch") */
			for (back = 1; back <= SWITCHES && back <= k; back++)
				s->pushed = insns.items[k - back].bytes[0] == PUSHF ? 16 :
										      s->pushed;
		}
	}
	return err;
}

static const struct otst_once old_switch = { .size = sizeof(struct old_switch),
					     .make = find_switch };

/*
 * Before 0100301bfdf5 ("sched/x86: Rewrite the switch_to() code") (v4.9) the macro
 * switch_to() pushed flags and bp, later bp alone, and called __switch_to() on the next
 * task's stack: all tasks go on after that call. A new task, whose sp is where
 * copy_thread() put its registers, goes on in ret_from_fork.
 */
static int read_old_frame(struct otst *o, const struct otst_task *t, struct otst_capture *c)
{
	const struct old_switch *s;
	int err;

	if (t->sp == t->stack + otst_thread_size(o) - otst_pt_regs(o)->size) {
		c->regs[X86_SP] = t->sp;
		return otst_symbol(o, "ret_from_fork", &c->regs[X86_IP]);
	}
	err = otst_once(o, &old_switch, NULL, &s);
	if (err)
		return err;
	if (!s->behind)
		return otst_raise(
			o, OTST_ERR_LOOKUP,
			"the call of __switch_to() is not found, behind which tasks go on");
	c->regs[X86_IP] = s->behind;
	c->regs[X86_SP] = t->sp + s->pushed;
	return otst_read_u64(o, t->sp, &c->regs[X86_BP]);
}

/* registers of a task that was switched out; @slot is where its pc is */
static int x86_64_read_frame(struct otst *o, const struct otst_task *t, struct otst_capture *c,
			     uint64_t *slot)
{
	const struct otst_member *bp, *ret;
	uint64_t size;
	int err;

	*slot = 0;
	/* the function came with the structure */
	if (!otst_has_type(o, "inactive_task_frame") && !otst_has_symbol(o, "__switch_to_asm"))
		return read_old_frame(o, t, c);
	err = otst_type_size(o, "inactive_task_frame", &size);
	err = err ?: otst_member(o, "inactive_task_frame", "bp", &bp);
	err = err ?: otst_member(o, "inactive_task_frame", "ret_addr", &ret);
	err = err ?: otst_read_u64(o, t->sp + bp->offset, &c->regs[X86_BP]);
	err = err ?: otst_read_u64(o, t->sp + ret->offset, &c->regs[X86_IP]);
	if (err)
		return otst_lack(o, err);
	*slot = t->sp + ret->offset;
	c->regs[X86_SP] = t->sp + size;
	return 0;
}

/* a new task's first instruction does not follow a call */
static bool x86_64_is_new(struct otst *o, uint64_t ip)
{
	return ip && (ip == otst_symbol_or0(o, "ret_from_fork_asm") ||
		      (!otst_has_symbol(o, "ret_from_fork_asm") &&
		       ip == otst_symbol_or0(o, "ret_from_fork")));
}

static int x86_64_read_switched(struct otst *o, const struct otst_task *t, struct otst_capture *c,
				uint64_t *slot)
{
	int err = x86_64_read_frame(o, t, c, slot);

	c->call = !err && !x86_64_is_new(o, c->regs[X86_IP]);
	return err;
}

/* ---- registers on the stack ---- */

/* registers that an exception, an interrupt or a system call left at @at */
static bool x86_64_take_regs(struct otst_unwind *s, uint64_t at, bool full, struct otst_frame *f)
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
 * Inside the trampoline of a return probe, whose handler is running. ORC knows
 * the way only since v5.12. Before that, the trampoline pushed sp and flags where
 * the return address had been popped from, then the registers of pt_regs below.
 */
static bool leave_trampoline(struct otst_unwind *s, struct otst_frame *f)
{
	const struct otst_pt_regs *pt = otst_pt_regs(s->o);
	struct otst_sym sym;
	uint64_t real;

	otst_symbolize(s->o, s->ip - 1, &sym);
	/* function graph's trampoline has another layout */
	if (!sym.name || !otst_is_trampoline(s->o, sym.addr) ||
	    sym.addr == otst_symbol_or0(s->o, "return_to_handler"))
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

static int find_pointers(struct otst *o, const void *of, void *value)
{
	static const char *const names[] = { "schedule", "vfs_read", "do_exit" };
	static const uint8_t prologue[] = { 0x55, 0x48, 0x89, 0xe5 }; /* push %rbp; mov %rsp,%rbp */
	bool *none = value;
	uint8_t code[16];
	uint64_t addr;

	(void)of;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !*none; i++) {
		addr = otst_symbol_or0(o, names[i]);
		*none = addr && !otst_read(o, addr, code, sizeof(code)) &&
			!memmem(code, sizeof(code), prologue, sizeof(prologue));
	}
	return 0;
}

static const struct otst_once no_pointers = { .size = sizeof(bool), .make = find_pointers };

/* do the kernel's functions not set up frame pointers? Then bp can have any value. */
static bool has_no_pointers(struct otst *o)
{
	const bool *none = otst_once_or_null(o, &no_pointers, NULL);

	return otst_orc_none(o) && none && *none;
}

/*
 * unwind_frame.c: bp points to the caller's bp, with the return address above it. With
 * its lowest bit set, it is the address of registers that entry code saved.
 */
static bool fp_rule(struct otst_unwind *s, struct otst_rule *ret)
{
	bool none = has_no_pointers(s->o);
	uint64_t pair[2];

	if (s->fp & 1 && !none) {
		*ret = (struct otst_rule){
			.base = OTST_BASE_FP,
			.sp_offset = -1,
			.type = OTST_RULE_REGS,
			.next_exact = true,
		};
		return true;
	}
	if (none || s->fp % 8 || !otst_unwind_is_on(s, s->fp, 16) || s->fp < s->sp ||
	    !otst_unwind_words(s, s->fp, pair, 2) || !otst_is_code(s->o, pair[1]) ||
	    !(otst_follows_call(s->o, pair[1]) || otst_is_trampoline(s->o, pair[1]))) {
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

static void note_user(struct otst_unwind *s, uint64_t regs)
{
	uint64_t cs;

	if (otst_unwind_words(s, regs + otst_pt_regs(s->o)->at[X86_CS], &cs, 1) && cs & 3)
		s->st->user = regs;
}

/* the boot cpu's idle task never entered the kernel: its stack ends with its first frames */
static bool has_user_regs(const struct otst_unwind *s)
{
	return s->b.place == OTST_PLACE_TASK && s->c->task != otst_symbol_or0(s->o, "init_task");
}

/*
 * Is @r a call frame of entry code, with the pc of the registers that end the stack as
 * its return address? Then only user mode comes after it, or nothing.
 */
static bool leads_to_user(struct otst_unwind *s, const struct otst_rule *r)
{
	const struct otst_pt_regs *pt = otst_pt_regs(s->o);
	uint64_t regs = s->b.end - pt->size;
	int32_t offset = r->sp_offset + (r->type == OTST_RULE_CALL ? r->ret_offset : 0);

	if (!has_user_regs(s) || r->base != OTST_BASE_SP ||
	    s->sp + (uint64_t)(int64_t)offset != regs + pt->at[X86_IP])
		return false;
	note_user(s, regs);
	return true;
}

/*
 * The outermost frame of a task lies right below the registers of its entry
 * into the kernel, which end the stack (but for 16 bytes where the kernel is
 * built for FRED). On kernels before ORC, system calls save them from r11 on, and the
 * frame lies below those. Only ORC has a table for entry code.
 */
static bool x86_64_is_outermost(struct otst_unwind *s)
{
	const struct otst_pt_regs *pt = otst_pt_regs(s->o);
	uint64_t regs = s->b.end - pt->size;

	if (s->b.place != OTST_PLACE_TASK)
		return false;
	if (s->sp == regs - 16)
		regs -= 16;
	if (s->sp != regs &&
	    !(otst_orc_none(s->o) && has_user_regs(s) && s->sp == regs + pt->at[X86_R11]) &&
	    s->fp != regs - 16 && s->fp != regs - 24)
		return false;
	note_user(s, regs);
	return true;
}

/*
 * arch/x86/lib/retpoline.S: a thunk that stands in for an indirect jump calls its own
 * second half. ORC has no way out of the first half (UNWIND_HINT_EMPTY, _UNDEFINED), but a
 * cpu may be there all the same. The return address is on top of the stack, or follows that
 * of the call.
 */
static bool leave_thunk(struct otst_unwind *s, struct otst_rule *ret)
{
	static const char prefix[] = "__x86_indirect_";
	struct otst_sym sym, top;
	uint64_t word;

	if (!s->exact)
		return false;
	otst_symbolize(s->o, s->ip, &sym);
	if (!sym.name || strncmp(sym.name, prefix, strlen(prefix)) != 0)
		return false;
	if (!otst_unwind_words(s, s->sp, &word, 1)) {
		ret->type = OTST_RULE_UNDEFINED;
		return false;
	}
	otst_symbolize(s->o, word, &top);
	*ret = (struct otst_rule){
		.base = OTST_BASE_SP,
		.sp_offset = top.name && top.addr == sym.addr ? 16 : 8,
		.type = OTST_RULE_CALL,
		.ret_offset = -8,
	};
	return true;
}

/* does a direct call of @function end at @pc */
static bool follows_call_of(struct otst_unwind *s, uint64_t pc, uint64_t function)
{
	uint8_t bytes[5];
	struct otst_branch b;

	return !otst_read(s->o, pc - sizeof(bytes), bytes, sizeof(bytes)) &&
	       otst_arch_x86_64.insn.branch(bytes, sizeof(bytes), pc - sizeof(bytes), &b) &&
	       b.kind == OTST_BRANCH_CALL && b.target == function;
}

/* How far below the return address @function pushes bp, by its first instructions; 0: it does not. */
static int32_t find_pushed_fp(struct otst_unwind *s, uint64_t function)
{
	uint8_t code[32];
	int32_t depth = 8;
	size_t at = 0;

	if (otst_read(s->o, function, code, sizeof(code)))
		return 0;
	at += otst_arch_x86_64.insn.entry_mark(code);
	/* ftrace's call or nop */
	if (code[at] == 0xe8 || code[at] == 0x0f)
		at += 5;
	for (; at + 1 < sizeof(code); at += 1, depth += 8) {
		if (code[at] == PUSH_BP)
			return depth;
		at += code[at] == REX_B;
		if ((code[at] & 0xf8) != PUSH)
			break;
	}
	return 0;
}

/*
 * STACK_FRAME_NON_STANDARD() leaves a function out of ORC. __crash_kexec() is one, and a panic's
 * registers are from there. The return address is the first one above that a direct call of this
 * function put there.
 */
static bool leave_nonstandard(struct otst_unwind *s, struct otst_rule *ret)
{
	struct otst_sym sym;
	uint64_t word;
	int32_t pushed;

	otst_symbolize(s->o, s->ip, &sym);
	if (!sym.name || sym.addr == s->ip)
		return false;
	for (unsigned int i = 0; i < NONSTANDARD_WORDS; i++) {
		if (!otst_unwind_is_on(s, s->sp + 8 * i, 8) ||
		    !otst_unwind_words(s, s->sp + 8 * i, &word, 1))
			return false;
		if (!otst_is_kernel_text(s->o, word) || !follows_call_of(s, word, sym.addr))
			continue;
		pushed = find_pushed_fp(s, sym.addr);
		*ret = (struct otst_rule){
			.base = OTST_BASE_SP,
			.sp_offset = 8 * (int32_t)(i + 1),
			.type = OTST_RULE_CALL,
			.ret_offset = -8,
			.fp = pushed ? OTST_FP_PREV_SP : OTST_FP_SAME,
			.fp_offset = -8 - pushed,
		};
		return true;
	}
	return false;
}

#define NO_FRAME "this kernel has no ORC tables, and no debug file has a call frame of 0x%" PRIx64

static enum otst_found x86_64_find_rule(struct otst_unwind *s, struct otst_frame *f,
					struct otst_rule *r, enum otst_how *how, const char **why)
{
	uint64_t pc = s->exact ? s->ip : s->ip - 1;
	bool none;
	int err;

	*how = OTST_HOW_ORC;
	err = otst_orc_find(s->o, pc, r);
	if (!err && (r->type == OTST_RULE_UNDEFINED || r->type == OTST_RULE_END) &&
	    leave_thunk(s, r))
		return OTST_FOUND_RULE;
	if (!err && r->type == OTST_RULE_UNDEFINED)
		err = otst_raise(s->o, OTST_ERR_CORRUPT, "ORC has no way out of 0x%" PRIx64, s->ip);
	if (!err)
		return OTST_FOUND_RULE;
	none = otst_orc_none(s->o);
	if ((err == OTST_ERR_CORRUPT || none) && leave_trampoline(s, f))
		return OTST_FOUND_CALLER;
	if (!otst_fatal(err)) {
		/* ORC's message is better than those of the later attempts */
		*why = none ? otst_format(s->o, NO_FRAME, s->ip) :
			      otst_strdup(s->o, otst_message(s->o));
		*how = OTST_HOW_CFI;
		if (!otst_cfi_find(s->o, pc, r))
			return none && leads_to_user(s, r) ? OTST_FOUND_WHOLE : OTST_FOUND_RULE;
		if (err == OTST_ERR_CORRUPT && leave_nonstandard(s, r))
			return OTST_FOUND_RULE;
		*how = OTST_HOW_FP;
		if (err == OTST_ERR_LOOKUP && fp_rule(s, r)) {
			/* in a kernel with ORC, code that is in no table */
			s->st->guessed |= !otst_orc_why(s->o);
			return OTST_FOUND_RULE;
		}
		if (err == OTST_ERR_LOOKUP && x86_64_is_outermost(s))
			return OTST_FOUND_WHOLE;
	} else {
		s->err = err;
	}
	return OTST_FOUND_NOTHING;
}

static bool is_interrupt_entry(struct otst *o, uint64_t pc)
{
	struct otst_rule rule;

	return !otst_orc_find(o, pc, &rule) &&
	       (rule.type == OTST_RULE_REGS || rule.type == OTST_RULE_IRET || rule.next_exact);
}

const struct otst_unwinder otst_unwinder_x86_64 = {
	.arch = &otst_arch_x86_64,
	.switched = x86_64_read_switched,
	.find = x86_64_find_rule,
	.take_regs = x86_64_take_regs,
	.interrupts = is_interrupt_entry,
	.place = otst_x86_64_place,
};
