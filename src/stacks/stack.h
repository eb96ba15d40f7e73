/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * stack.h - captured stacks: the object, and the ways to get one out of a dump.
 *
 * struct otst_stack has the operations of FreeBSD's stack(9): create, destroy, put, copy
 * and zero have their names; stack_save_td() is otst_stack_save_task(),
 * stack_save_td_running() is otst_stack_save_running(), stack_print(),
 * stack_print_short() and stack_sbuf_print() are in src/output/stack.h. Nothing in a
 * dump is locked, so there is no second set for ddb; the current thread is not in a dump,
 * so there is no stack_save(). Other programs use otst_stack_tasks() and
 * otst_stack_frames() of otst.h.
 *
 * Unwinding follows the kernel's own unwinder (unwinder.h) step by step, so the frames
 * are those that the kernel would have printed. Where that gives up, it goes on with the
 * image's DWARF call frames, then with frame pointers, and finally with a scan whose
 * frames are marked.
 *
 * Memory belongs to the command's arena. Nothing here fails on a bad stack: the
 * stack ends there and says how.
 */
#ifndef OTST_STACK_H
#define OTST_STACK_H

#include "../tasks/regs.h"
#include "../tasks/task.h"

/* ---- the object (stack.c) ---- */

/** enum otst_place - the stacks of the kernel (x86: enum stack_type) */
enum otst_place {
	OTST_PLACE_UNKNOWN,
	OTST_PLACE_TASK,
	OTST_PLACE_IRQ,
	OTST_PLACE_SOFTIRQ,
	OTST_PLACE_ENTRY,
	OTST_PLACE_DF,
	OTST_PLACE_NMI,
	OTST_PLACE_DB,
	OTST_PLACE_MCE,
	OTST_PLACE_VC,
	OTST_PLACE_VC2,
	OTST_PLACE_OVERFLOW, /**< arm64: the cpu's, for when a task's stack overflows */
	OTST_PLACE_SDEI,     /**< arm64: firmware events */
	OTST_PLACE_SDEI_CRITICAL,
	OTST_PLACE_NODAT, /**< s390x: without address translation */
	OTST_PLACE_RESTART,
	OTST_PLACES,
};

/** otst_place_name() - as the kernel prints it between < and >: "TASK", "IRQ", "#DB"; NULL for UNKNOWN */
const char *otst_place_name(enum otst_place place);

/** enum otst_how - what a frame was found with */
enum otst_how {
	OTST_HOW_GIVEN, /**< put there by a caller: a register, or a saved array of pcs */
	OTST_HOW_ORC,	/**< the kernel's ORC table */
	OTST_HOW_CFI,	/**< DWARF call frame information of the image file */
	OTST_HOW_FP,	/**< frame pointer */
	OTST_HOW_SCAN,	/**< a word on the stack that looks like a return address; never reliable */
};

/** otst_how_name() - "given", "orc", "cfi", "fp", "scan" */
const char *otst_how_name(enum otst_how how);

/**
 * struct otst_frame - one program counter of a stack
 * @pc: where execution goes on; the real return address when a trampoline was there
 * @slot: address that held @pc, 0 for a register or when unknown
 * @sp: stack pointer after this frame's call, 0 when unknown
 * @replaced: trampoline that was in @slot in place of @pc, else 0
 * @regs: address of the struct pt_regs that @pc comes from, else 0
 * @cs: with @regs, its code segment
 * @place: the stack that @slot lies on
 * @how: what it was found with
 * @reliable: not a guess
 * @exact: @pc is the next instruction and not a return address after a call
 */
struct otst_frame {
	uint64_t pc;
	uint64_t slot;
	uint64_t sp;
	uint64_t replaced;
	uint64_t regs;
	uint16_t cs;
	uint8_t place;
	uint8_t how;
	bool reliable;
	bool exact;
};

/** enum otst_end - how a stack ends */
enum otst_end {
	OTST_END_OPEN,	/**< frames may still be put */
	OTST_END_WHOLE, /**< at user mode or at a kernel thread's start */
	OTST_END_FULL,	/**< there was no room for more */
	OTST_END_CUT,	/**< the bytes that were saved end in the middle */
	OTST_END_LOST,	/**< nothing tells where to go on */
	OTST_END_COUNT,
};

/** otst_end_name() - "open", "whole", "full", "cut", "lost" */
const char *otst_end_name(enum otst_end end);

/**
 * struct otst_stack - a captured stack, innermost frame first
 * @frames: @count of them, room for @room
 * @guessed: some reliable frame rests on a frame pointer in code that no table knows
 * @why: with OTST_END_LOST and OTST_END_CUT, what was missing; else NULL
 * @user: address of the user mode pt_regs that it ends with, else 0
 */
struct otst_stack {
	struct otst_frame *frames;
	size_t count;
	size_t room;
	enum otst_end end;
	bool guessed;
	const char *why;
	uint64_t user;
};

/** the most frames that an unwinder puts: the kernel's own deepest stack has far fewer */
#define OTST_STACK_FRAMES 256

/**
 * otst_stack_create() - an empty stack
 * @room: frames that it can take, 0 for OTST_STACK_FRAMES
 *
 * Return: NULL when out of memory.
 */
struct otst_stack *otst_stack_create(struct otst *o, size_t room);

/**
 * otst_stack_destroy() - end the use of a stack; NULL is fine
 *
 * The memory is the arena's and goes with the command; this empties @st and
 * takes its room away, so that a later put fails and nothing is printed.
 */
void otst_stack_destroy(struct otst_stack *st);

/**
 * otst_stack_put_frame() - append a frame
 *
 * Return: 0; non-zero, and no change except OTST_END_FULL, when it is full.
 */
int otst_stack_put_frame(struct otst_stack *st, const struct otst_frame *frame);

/** otst_stack_copy() - copy @src to @dst; what does not fit is cut off, and @dst then ends FULL */
void otst_stack_copy(const struct otst_stack *src, struct otst_stack *dst);

/** otst_stack_zero() - no frames, as after otst_stack_create() */
void otst_stack_zero(struct otst_stack *st);

/* ---- getting a stack (save.c) ---- */

/**
 * otst_stack_save_task() - the stack of a task that does not run, as its
 * /proc/PID/stack or sysrq-t would show it
 * @t: the task
 * @st: emptied first
 *
 * Return: 0, however the stack ends; UNSUPPORTED on an architecture that is
 * not known here, or when the task runs; LOOKUP when it has no stack; or what
 * ends a command.
 */
int otst_stack_save_task(struct otst *o, const struct otst_task *t, struct otst_stack *st);

/**
 * otst_stack_save_running() - the stack of a task that ran when the kernel
 * stopped, from its cpu's registers (otst_cpu_regs())
 *
 * Return: 0, however the stack ends; AGAIN when its cpu was in user mode;
 * UNSUPPORTED on an architecture that is not known here, or when the task
 * does not run; LOOKUP when the dump has no registers of its cpu.
 */
int otst_stack_save_running(struct otst *o, const struct otst_task *t, struct otst_stack *st);

/** struct otst_lost - tasks whose stacks could not be followed to their end; @why: of the first one */
struct otst_lost {
	size_t count;
	const char *why;
};

/**
 * otst_stack_save_any() - the stack of a task, whether it runs or not
 * @st: emptied first; stays empty when there is no stack
 * @lost: counts the task, unless there is none because it is in user mode or was at its end
 *
 * Return: 0, or what ends a command.
 */
int otst_stack_save_any(struct otst *o, const struct otst_task *t, struct otst_stack *st,
			struct otst_lost *lost);

/** otst_lost_end() - count @st's task when @st ends LOST */
void otst_lost_end(struct otst *o, const struct otst_stack *st, struct otst_lost *lost);

/** otst_lost_note() - say that those tasks may be @where ("inside a handler"), if there are any */
void otst_lost_note(struct otst *o, const struct otst_lost *lost, const char *where,
		    struct otst_messages *notes);

/**
 * struct otst_capture - registers, and the stack to unwind from them
 * @regs: by the architecture's register numbers; pc, stack and frame pointer are always used
 * @full: the other registers are known, too (a few kinds of code need them)
 * @call: @regs.ip is a return address and not the next instruction
 * @task: the task; 0 when unknown: the bounds of its stack and its trampolines then are, too
 * @cpu: the cpu; -1 when unknown: its interrupt stacks then are, too
 * @pieces: what was saved, @nr_pieces of them; with none, the stack is read from the
 *	dump. With pieces, the dump's memory is not used: it has changed since.
 * @returns: return addresses that trampolines had replaced at that time,
 *	@nr_returns of them; with none, those that the dump still knows
 */
struct otst_capture {
	uint64_t regs[OTST_REGS_MAX];
	bool full;
	bool call;
	uint64_t task;
	int cpu;
	const struct otst_piece *pieces;
	size_t nr_pieces;
	const struct otst_return *returns;
	size_t nr_returns;
};

/**
 * otst_stack_unwind() - frames from registers and stack bytes (unwind.c)
 * @st: emptied first; its first frame is @regs.ip
 *
 * Return: 0, however the stack ends; AGAIN when @c is of user mode; UNSUPPORTED
 * on an architecture that is not known here; or what ends a command.
 */
int otst_stack_unwind(struct otst *o, const struct otst_capture *c, struct otst_stack *st);

/* ---- arguments (arguments.c) ---- */

/**
 * struct otst_argument - an argument of a call
 * @name: NULL when unknown; @type: as C writes it, or NULL
 * @text: its value: "0xffff888003a41000", "-1", "true", an enumerator, "{0x1, 0x2}" for a
 *	structure; NULL when the registers and stack bytes do not have it
 */
struct otst_argument {
	const char *name;
	const char *type;
	const char *text;
};

/**
 * struct otst_arguments - a call at its function's entry
 * @function: its symbol
 * @text: "do_fork(clone_flags=0x1200011, ...)"
 */
struct otst_arguments {
	const char *function;
	const struct otst_argument *args;
	size_t count;
	const char *text;
};

/**
 * otst_arguments() - arguments of the function that @addr is the entry of
 * @addr: where @c->regs were taken: the function's first instruction, or one
 *	after endbr or the call of ftrace
 * @c: registers; its pieces, or the dump's memory where it has none, for
 *	arguments on the stack
 * @ret: NULL when @addr is not an entry, the compiler changed the function's
 *	parameters, or its prototype or the architecture's registers are not known
 *
 * Return: 0, or what ends a command.
 */
int otst_arguments(struct otst *o, uint64_t addr, const struct otst_capture *c,
		   const struct otst_arguments **ret);

/* ---- calls in flight (inflight.c) ---- */

/** enum otst_inflight_kind - what waits for a function to return */
enum otst_inflight_kind {
	OTST_INFLIGHT_KRETPROBE, /**< struct kretprobe_instance, or a rethook node of a kretprobe */
	OTST_INFLIGHT_FPROBE,	 /**< rethook node of an fprobe */
	OTST_INFLIGHT_RETHOOK,	 /**< rethook node of something else */
	OTST_INFLIGHT_GRAPH,	 /**< function graph's shadow stack */
};

/** otst_inflight_kind_name() - "kretprobe", "fprobe", "rethook", "fgraph" (inflight_list.c) */
const char *otst_inflight_kind_name(enum otst_inflight_kind kind);

/**
 * struct otst_inflight - one call that has not returned
 * @record: kretprobe_instance, rethook_node, or place on the shadow stack
 * @task: struct task_struct of the task that is inside
 * @probe: struct kretprobe or fprobe; 0 when there is none, or it was unregistered since
 * @func: the function; 0 when unknown; @func_sym
 * @ret_addr: return address as the record keeps it: a trampoline when another
 *	probe had already replaced it
 * @caller: the real return address; 0 when no record has it; @caller_sym
 * @keeper: the record that has @caller, the outermost of the call's records; NULL when none has
 * @slot: address on the stack that holds the trampoline, or the caller's frame pointer
 *	where calls push no address; 0 when not kept
 * @handler: what will be called; 0 when unknown
 * @data: the probe's own data, 0 when none; @data_size bytes
 * @time: trace clock at entry, in ns; 0 when not kept
 * @error: what could not be read, or NULL
 */
struct otst_inflight {
	enum otst_inflight_kind kind;
	uint64_t record;
	uint64_t task;
	uint64_t probe;
	uint64_t func;
	struct otst_sym func_sym;
	uint64_t ret_addr;
	uint64_t caller;
	struct otst_sym caller_sym;
	const struct otst_inflight *keeper;
	uint64_t slot;
	uint64_t handler;
	struct otst_sym handler_sym;
	uint64_t data;
	uint64_t data_size;
	uint64_t time;
	const char *error;
};

/** struct otst_inflights - calls of one task, or of all, innermost first in each task and kind */
struct otst_inflights {
	struct otst_inflight **items;
	size_t count;
	struct otst_messages errors;
};

/** otst_inflight_task() - calls that the task at @task is inside; 0, also when some are bad, or what ends a command */
int otst_inflight_task(struct otst *o, uint64_t task, struct otst_inflights *ret);

/** otst_inflight() - calls of all tasks, in the order of otst_tasks() */
int otst_inflight(struct otst *o, struct otst_inflights *ret);

/* ---- between the files of this folder ---- */

/** enum otst_base - what a rule's stack pointer is computed from */
enum otst_base {
	OTST_BASE_SP,	       /**< sp + offset */
	OTST_BASE_FP,	       /**< frame pointer + offset */
	OTST_BASE_SP_INDIRECT, /**< [sp] + offset */
	OTST_BASE_SP_AT,       /**< [sp + offset] (ORC's SP_INDIRECT before v5.12) */
	OTST_BASE_FP_INDIRECT, /**< [frame pointer + offset] */
	OTST_BASE_REG,	       /**< register @reg; known only right after full registers */
};

/** enum otst_rule_type - what lies at the stack pointer */
enum otst_rule_type {
	OTST_RULE_END,	     /**< outermost */
	OTST_RULE_UNDEFINED, /**< the table has no answer here */
	OTST_RULE_CALL,	     /**< a return address below it */
	OTST_RULE_REGS,	     /**< struct pt_regs */
	OTST_RULE_IRET,	     /**< the part of it that the cpu itself pushes */
};

/** enum otst_fp_rule - where the caller's frame pointer is */
enum otst_fp_rule {
	OTST_FP_SAME,
	OTST_FP_PREV_SP, /**< at the new stack pointer + offset */
	OTST_FP_FP,	 /**< at the frame pointer + offset */
};

/**
 * struct otst_rule - how to get to the caller of one address
 * @ret_offset: with OTST_RULE_CALL, offset of the return address from the new stack pointer: -8
 * @next_exact: the caller's pc is an instruction and not a return address
 */
struct otst_rule {
	enum otst_base base;
	unsigned int reg;
	int32_t sp_offset;
	enum otst_rule_type type;
	int32_t ret_offset;
	enum otst_fp_rule fp;
	int32_t fp_offset;
	bool next_exact;
};

/**
 * otst_cfi_find() - the rule of @pc from the image file's DWARF (cfi.c)
 *
 * Return: 0; LOOKUP when there is no file, or nothing in it that a rule can express.
 */
int otst_cfi_find(struct otst *o, uint64_t pc, struct otst_rule *ret);

/** otst_is_kernel_text() - a fast otst_is_text(): it checks each word of a scan (code.c) */
bool otst_is_kernel_text(struct otst *o, uint64_t pc);

/** otst_is_code() - the kernel's __kernel_text_address(), with less knowledge of generated code */
bool otst_is_code(struct otst *o, uint64_t pc);

/** otst_follows_call() - does a call instruction end at @pc; true when the text cannot be read */
bool otst_follows_call(struct otst *o, uint64_t pc);

/** struct otst_bounds - one stack's range, and where the stack before it was left */
struct otst_bounds {
	enum otst_place place;
	uint64_t begin;
	uint64_t end;
	uint64_t next; /**< address of the word with the stack pointer before it; 0 for none */
};

/**
 * otst_place_find() - the stack that @addr lies on (place.c)
 * @task: whose stack may be meant, 0 for none
 * @cpu: whose interrupt stacks may be meant, -1 for none
 */
bool otst_place_find(struct otst *o, uint64_t task, int cpu, uint64_t addr,
		     struct otst_bounds *ret);

/** struct otst_repair - trampolines on one stack, and what they replaced; zero-initialise */
struct otst_repair {
	const struct otst_capture *capture;
	struct otst_inflights calls;
	bool read;
	size_t next[2]; /**< by family, for generations that do not keep the slot */
};

/** enum otst_family - who has a return trampoline of its own: return probes, function graph */
enum otst_family { OTST_FAMILY_PROBE, OTST_FAMILY_GRAPH, OTST_FAMILIES };

/**
 * otst_frame_code() - an address in the instruction that a frame stands for (trampoline.c)
 *
 * Every listing names a frame by it. Return: @pc when it is @exact, or the start of a return
 * trampoline, which nobody calls; else the byte before, which is in the call.
 */
uint64_t otst_frame_code(struct otst *o, uint64_t pc, bool exact);

/**
 * otst_trampoline() - true if @pc is the start of one of the kernel's return trampolines
 * (trampoline.c); @ret: whose
 */
bool otst_trampoline(struct otst *o, uint64_t pc, enum otst_family *ret);

/** otst_is_trampoline() - the same, whoever's */
bool otst_is_trampoline(struct otst *o, uint64_t pc);

/** otst_inflight_family() - whose trampoline the call goes through */
enum otst_family otst_inflight_family(const struct otst_inflight *i);

/**
 * otst_repair() - the real return address
 * @pc: the trampoline that is at @slot
 *
 * Return: 0 when it cannot be told.
 */
uint64_t otst_repair(struct otst *o, struct otst_repair *r, uint64_t pc, uint64_t slot);

/** otst_returns_to_interrupted() - does the frame of @pc lead to registers: of an interrupt, an exception (unwind.c) */
bool otst_returns_to_interrupted(struct otst *o, uint64_t pc);

#endif /* OTST_STACK_H */
