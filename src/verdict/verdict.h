/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * verdict.h - was a hook involved in the crash? What died, the stacks that matter, what
 * hooks each of their functions, and the evidence by rank.
 *
 * Nothing is decoded here: the log, stacks, probes and the audit come from the
 * folders below. Memory belongs to the command's arena. Strings are safe to print.
 */
#ifndef OTST_VERDICT_H
#define OTST_VERDICT_H

#include "../audit/audit.h"
#include "../traces/log/words.h"
#include "../where/where.h"

/* ---- what died (report.c) ---- */

/** otst_died() - true if it is known that the kernel was not alive */
static inline bool otst_died(enum otst_death death)
{
	return death != OTST_DEATH_NONE && death != OTST_DEATH_UNKNOWN;
}

/** otst_death_name() - "alive", "asked for", "oops", "soft lockup" and so on */
const char *otst_death_name(enum otst_death death);

/** struct otst_stuck - a task or cpu that the log names as stuck; @pid, @cpu: -1 when the line does not say */
struct otst_stuck {
	int64_t pid;
	int cpu;
	const char *line;
};

/**
 * struct otst_report - what the log and the kernel's variables say about the end
 * @line: the log's line that says why: "BUG: kernel NULL pointer dereference, ..."; or NULL
 * @panic: the text of panic(); or NULL
 * @time: of @line, in ns of the log's clock; valid when @has_time
 * @cpu, @pid, @comm: who failed; -1 and NULL if unknown
 * @panic_cpu: the cpu that went into panic(), -1 when unknown
 * @ip: the failing instruction according to the log, 0 if none; @ip_text: as printed
 * @address: the bad address of a fault; valid when @has_address
 * @overflow: a stack overflowed
 * @nested: other oopses came before this one was over: of several faults it is the outermost
 * @unended: with OTST_DEATH_NONE, the report of an oops that has no end in the log; only the
 *	stacks tell if it is still going on. NULL if there is none
 * @stuck: vector of struct otst_stuck
 * @seq: of @line, as &otst_log_line.seq; @traces_before: traces of the log that ended before it
 */
struct otst_report {
	enum otst_death death;
	const char *line;
	const char *panic;
	uint64_t time;
	bool has_time;
	int cpu;
	int panic_cpu;
	int64_t pid;
	const char *comm;
	uint64_t ip;
	const char *ip_text;
	bool has_address;
	uint64_t address;
	bool overflow;
	bool nested;
	const struct otst_report *unended;
	struct otst_vec stuck;
	uint64_t seq;
	size_t traces_before;
};

/* ---- frames (frames.c) ---- */

/** enum otst_frame_role - how a frame's code relates to hooks; the first are a hook's own code */
enum otst_frame_role {
	OTST_ROLE_HANDLER,     /**< a probe's handler in a module */
	OTST_ROLE_PROGRAM,     /**< a BPF program */
	OTST_ROLE_TRAMPOLINE,  /**< of ftrace or BPF */
	OTST_ROLE_DETOUR,      /**< code that an optimized or single-stepped kprobe made */
	OTST_ROLE_PATCH,       /**< a function of a live patch */
	OTST_ROLE_REPLACEMENT, /**< to which an ftrace_ops redirects calls */
	OTST_ROLE_GONE,	       /**< text of a module that was unloaded */
	OTST_ROLE_CALLEE,      /**< called by a handler, in the handler's module */
	OTST_ROLE_CATCHER,     /**< another function of a module that does nothing but capture */
	OTST_ROLE_DISPATCH,    /**< kernel code that runs handlers */
	OTST_ROLE_OWNER,       /**< another function of a module that owns hooks */
	OTST_ROLE_NONE,
	OTST_ROLE_COUNT
};

/** otst_role_name() - "handler", "BPF program" and so on */
const char *otst_role_name(enum otst_frame_role role);

/** otst_role_is_hook() - is code of this role there because of a hook */
bool otst_role_is_hook(enum otst_frame_role role);

/**
 * struct otst_verdict_frame - a frame with what hooks its function
 * @what: says whose code it is: "pre_handler of a kprobe on do_nanosleep, module lab"; NULL
 *	with OTST_ROLE_NONE
 * @dying: of OTST_ROLE_HANDLER: a module asked the dying kernel to call it
 * @owner: who placed the probe of a BPF program
 * @where: the function, with the steps of everything on it; @where->nr_steps may be 0
 */
struct otst_verdict_frame {
	struct otst_frame frame;
	struct otst_sym sym;
	enum otst_frame_role role;
	const char *what;
	bool dying;
	struct otst_owner owner;
	struct otst_where *where;
};

/** enum otst_stack_reason - why a stack matters */
enum otst_stack_reason {
	OTST_STACK_PANIC, /**< of the task that brought the kernel down */
	OTST_STACK_STUCK, /**< of a task that the log names as stuck */
	OTST_STACK_CPU,	  /**< ran on another cpu */
	OTST_STACK_OWNER, /**< owns a lock that a stuck task waits for */
	OTST_STACK_COUNT
};

/** otst_stack_reason_name() - "panic", "stuck", "running", "lock owner" (stacks.c) */
const char *otst_stack_reason_name(enum otst_stack_reason reason);

/**
 * struct otst_cycle - functions that call each other until the stack is full
 * @first: index of its innermost frame; @length: frames until it repeats itself
 * @times: how often it is there, 0 when there is none
 */
struct otst_cycle {
	size_t first;
	size_t length;
	size_t times;
};

/**
 * struct otst_verdict_stack - one stack
 * @reporter: its task only reports that another task or cpu is stuck
 * @failing: index of the frame that failed; @nr_frames if there is none
 * @cycle: of the stack that overflowed
 * @inside: runs inside a hook while the machine hangs, or may hang
 * @end, @why: how the stack ends
 */
struct otst_verdict_stack {
	enum otst_stack_reason reason;
	const struct otst_task *task;
	bool runs;
	bool reporter;
	bool inside;
	struct otst_verdict_frame *frames;
	size_t nr_frames;
	size_t failing;
	struct otst_cycle cycle;
	enum otst_end end;
	const char *why;
};

/* ---- evidence ---- */

/** enum otst_rank - how near a hook is to the crash, nearest first */
enum otst_rank {
	OTST_RANK_A,	/**< the failing instruction is in a hook's code */
	OTST_RANK_B,	/**< the failing function is hooked, patched or not as built */
	OTST_RANK_C,	/**< a hook's code is further up the same stack */
	OTST_RANK_D,	/**< a stuck task waits for one that is inside a hook */
	OTST_RANK_E,	/**< hooks ran on that cpu in the last second */
	OTST_RANK_F,	/**< hooks exist, none near */
	OTST_RANK_NONE, /**< no hooks exist, or nobody knows how near they are */
	OTST_RANK_COUNT,
};

/** otst_rank_name() - "A" to "F", NULL for NONE */
const char *otst_rank_name(enum otst_rank rank);

/**
 * struct otst_evidence_item - one piece of evidence
 * @text: a sentence
 * @owner: who placed the hook: "module lab"; NULL when unknown
 * @more: the otst command that shows more
 */
struct otst_evidence_item {
	enum otst_rank rank;
	const char *text;
	const char *owner;
	const char *more;
};

/**
 * struct otst_code_owner - whose code failed, by what a log prints
 * @text: "lab_write+0x12/0x40 [lab]", as printed; NULL if the log does not say
 * @module: its module, NULL for the kernel's own code
 * @flags: what the list of modules says of @module: "OE"; or NULL
 * @near: the frame nearest to it that lies in a module, "lab_read+0x1/0x20 [lab]"; NULL if @text is in
 *	one, or there is none
 * @near_module, @near_flags: the same of that frame
 */
struct otst_code_owner {
	const char *text;
	const char *module;
	const char *flags;
	const char *near;
	const char *near_module;
	const char *near_flags;
};

/**
 * struct otst_signature - what crashes of one kind have in common (signature.c)
 * @text: "oops: lab_bad [lab], vfs_write, .."; NULL if nothing died
 * @hash: of @text, 16 hexadecimal digits
 */
struct otst_signature {
	const char *text;
	const char *hash;
};

/**
 * struct otst_verdict - all of it
 * @unseen: no failing stack could be read; @lost: some stacks could not be followed to their ends
 * @no_log: why there is no kernel log to go by; or NULL
 * @failing: the failing instruction, 0 if there is none; @failing_sym: its symbol
 * @sentence: the verdict
 * @overflow: what filled the stack that overflowed: "lab_recurse [lab] 72 times"; NULL if none did
 * @stacks: vector of struct otst_verdict_stack
 * @evidence: vector of struct otst_evidence_item, by rank
 * @hooks: how many probes there are, of all kinds; @nobodys: how many of these are nobody's
 * @errors, @notes: what could not be read, and what was not looked at
 * @coverage: how far each kind of probe was covered
 * @alone: made from a log, without a dump (otst_verdict_log()): no stacks, and @hooks means nothing
 * @code: with @alone, whose code failed
 * @trace: with @alone, the trace of the report; NULL if the log has none
 * @log: without @alone, the traces of the dump's log; NULL if it could not be read
 */
struct otst_verdict {
	struct otst_report report;
	const char *no_log;
	bool unseen;
	bool lost;
	uint64_t failing;
	struct otst_sym failing_sym;
	enum otst_rank rank;
	const char *sentence;
	const char *overflow;
	struct otst_vec stacks;
	struct otst_vec evidence;
	size_t hooks;
	size_t nobodys;
	struct otst_messages errors;
	struct otst_messages notes;
	struct otst_vec coverage;
	bool alone;
	struct otst_code_owner code;
	const struct otst_trace *trace;
	const struct otst_traces *log;
	struct otst_signature signature;
};

/**
 * otst_verdict() - examine the crash
 * @crashed: look no further than @ret->report if the kernel was alive
 *
 * Return: 0, even if parts could not be read; or an error that ends the command.
 */
int otst_verdict(struct otst *o, bool crashed, struct otst_verdict *ret);

/**
 * otst_verdict_log() - what died, and whose code, by text files alone (from_log.c)
 * @texts: paths, NULL-terminated, "-": standard input
 *
 * Of several boots in a log, the one that ended worst, the last of these.
 *
 * Return: 0; LOOKUP if no file can be read; or an error that ends the command.
 */
int otst_verdict_log(struct otst *o, const char *const *texts, struct otst_verdict *ret);

/* ---- shared by the files of this folder ---- */

/** otst_report_read() - fill @v->report, @v->no_log */
int otst_report_read(struct otst *o, struct otst_verdict *v);

/** otst_signature_find() - fill @v->signature, which needs @v->report and the stacks (signature.c) */
void otst_signature_find(struct otst *o, struct otst_verdict *v);

/**
 * otst_is_among() - is a function of the kernel, whose name has @len letters, one of @names (item.c)
 * @names: @count of them; "*" ends a prefix
 *
 * A part that the compiler split off ("f.cold") is its function. @name need not end with a NUL.
 */
bool otst_is_among(const char *name, size_t len, const char *const *names, size_t count);

/**
 * otst_is_reporter() - is it one of the kernel's functions that complain of their caller: panic(), a warning,
 * a sanitizer's report (item.c)
 *
 * @name has @len letters. The signature has a list of its own, which does not change (signature_names.c).
 */
bool otst_is_reporter(const char *name, size_t len);

/** otst_verdict_stacks() - find the stacks that matter, not yet what hooks them (stacks.c) */
int otst_verdict_stacks(struct otst *o, struct otst_verdict *v);

/** otst_verdict_stack_add() - add @task's stack to @v->stacks, or give it the nearer @reason */
int otst_verdict_stack_add(struct otst *o, struct otst_verdict *v, enum otst_stack_reason reason,
			   const struct otst_task *task);

/** otst_failing_find() - the frame that failed on each stack that has one; @v takes the first (failing.c) */
void otst_failing_find(struct otst *o, struct otst_verdict *v);

/** otst_is_in_oops() - true if frame @i of @s is an oops at work, of registers that @s has */
bool otst_is_in_oops(const struct otst_verdict_stack *s, size_t i);

/** otst_is_breakpoint_entry() - true if a probe on an instruction is met by way of this function */
bool otst_is_breakpoint_entry(const struct otst_sym *sym);

/**
 * otst_cycle_find() - fill @s->cycle, if the frames behind the failing one have one that fills the
 * stack (overflow.c)
 */
void otst_cycle_find(struct otst_verdict_stack *s);

/** otst_frames_judge() - find out what each frame is (frames.c); 0, or what ends the command */
int otst_frames_judge(struct otst *o, struct otst_verdict *v, const struct otst_hooks *h);

/** otst_judge_redirects() - find the frames to which an ftrace_ops redirected a call (redirect.c) */
void otst_judge_redirects(struct otst *o, struct otst_verdict *v, const struct otst_hooks *h,
			  struct otst_verdict_stack *s);

/**
 * otst_lock_owner() - owner of the lock that the task of @s waits for; NULL if unknown (locks.c)
 * @gap: why a lock's owner is unknown, where it could not be read or looked up; else NULL
 */
const struct otst_task *otst_lock_owner(struct otst *o, const struct otst_verdict_stack *s,
					const char **gap);

/**
 * struct otst_memory - a hook's memory
 * @what: "the record of a kprobe on vfs_read", "BPF map 12, counts"; NULL if it is no hook's
 * @owner: who placed the hook; NULL if unknown
 * @more: the otst command that shows more
 */
struct otst_memory {
	const char *what;
	const struct otst_owner *owner;
	const char *more;
};

/** otst_memory_find() - which hook's memory has @addr (memory.c); 0, or what ends the command */
int otst_memory_find(struct otst *o, const struct otst_hooks *h, uint64_t addr,
		     struct otst_messages *errors, struct otst_memory *ret);

/**
 * otst_access_base() - find the pointer by which the instruction at @pc accesses @addr (access.c)
 * @regs: registers before the instruction
 * @base: value of the base register; 0 if no operand of the instruction leads to @addr
 *
 * Return: 0, or the error if its bytes cannot be read or decoded.
 */
int otst_access_base(struct otst *o, uint64_t pc, const uint64_t *regs, uint64_t addr,
		     uint64_t *base);

/** otst_may_hang() - the crash was asked for, or reported, because the machine hung, or may have (running.c) */
bool otst_may_hang(enum otst_death death);

/** otst_evidence_find() - fill @v->evidence, @v->rank and @v->sentence (evidence.c) */
int otst_evidence_find(struct otst *o, struct otst_verdict *v, const struct otst_hooks *h);

#endif /* OTST_VERDICT_H */
