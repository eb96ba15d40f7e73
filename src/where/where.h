/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * where.h - everything about one function: who hooks it, in the order in
 * which they run; its text as built, as the records want it and as found; the
 * captures that belong to it; the tasks that are inside it.
 *
 * Nothing is decoded here: probes, ftrace_ops, stacks and traces come from the
 * folders below, and are put together. docs/where.md says why the order is
 * what it is.
 *
 * Memory belongs to the command's arena. Strings are safe to print.
 */
#ifndef OTST_WHERE_H
#define OTST_WHERE_H

#include "../audit/audit.h"
#include "../ftrace/ftrace.h"
#include "../built/disassemble.h"
#include "../registered/registered.h"
#include "../traces/traces.h"

/* ---- who hooks it (steps.c, site.c, records.c) ---- */

/** enum otst_stage - when something runs */
enum otst_stage {
	OTST_STAGE_ENTRY,  /**< before the function's own code */
	OTST_STAGE_BODY,   /**< at an instruction further in */
	OTST_STAGE_RETURN, /**< when it returns */
	OTST_STAGE_NEVER,  /**< a record is there, but nothing calls it: disabled, removed, .. */
	OTST_STAGE_COUNT,
};

/** otst_stage_name() - "entry", "body", "return", "never" */
const char *otst_stage_name(enum otst_stage stage);

/** enum otst_step_role - what is called, in words that fit every kind of probe */
enum otst_step_role {
	OTST_STEP_NONE, /**< there is no handler */
	OTST_STEP_PRE,
	OTST_STEP_POST,
	OTST_STEP_ENTRY,
	OTST_STEP_RETURN,
	OTST_STEP_CALL,
	OTST_STEP_MODIFY,   /**< the return value */
	OTST_STEP_DIRECT,   /**< a direct trampoline */
	OTST_STEP_REDIRECT, /**< a live patch, or an ftrace_ops whose callback may do the same */
	OTST_STEP_REPLACE,  /**< a BPF program in place of another */
	OTST_STEP_COUNT,
};

/** otst_step_role_name() - "pre", "post", ..; NULL for OTST_STEP_NONE */
const char *otst_step_role_name(enum otst_step_role role);

/**
 * struct otst_step - one handler that runs
 * @number: its place in the order, from 1; 0 for OTST_STAGE_NEVER
 * @addr: the hooked instruction, for returns too
 * @role: what is called
 * @handler: its address, 0 if there is none or it is a BPF program; @handler_sym: its symbol
 * @probe: the probe it belongs to, NULL for an ftrace_ops itself
 * @ops: the ftrace_ops through which it is called, NULL if there is none
 * @why: a remark about it, or NULL
 * @disagree: what the text at @addr contradicts, as the probe has it or as its code shows; or NULL
 */
struct otst_step {
	enum otst_stage stage;
	unsigned int number;
	uint64_t addr;
	enum otst_step_role role;
	uint64_t handler;
	struct otst_sym handler_sym;
	const struct otst_probe *probe;
	const struct otst_ftrace_ops *ops;
	const char *why;
	const char *disagree;
};

/** otst_step_runs() - true if it is called at all */
static inline bool otst_step_runs(const struct otst_step *s)
{
	return s->stage != OTST_STAGE_NEVER;
}

/** otst_step_kind() - the kind of its probe, or "ftrace_ops" (steps.c) */
const char *otst_step_kind(const struct otst_step *s);

/** otst_step_owner() - who placed it (steps.c) */
const struct otst_owner *otst_step_owner(const struct otst_step *s);

/* ---- its text (code.c) ---- */

/**
 * struct otst_code_row - one instruction
 * @built: as built; NULL if it is unknown or begins elsewhere
 * @wanted: as an armed record wants it; NULL if none does
 * @found: as it is in the dump; NULL if it is unreadable or begins elsewhere
 * @same: found as built
 * @covered: an instruction found before it covers it
 * @wrong: what was found is not what the record wants
 * @gap: does not directly follow the row before
 */
struct otst_code_row {
	uint64_t addr;
	const struct otst_insn *built;
	const struct otst_insn *wanted;
	const struct otst_insn *found;
	bool same;
	bool covered;
	bool wrong;
	bool gap;
};

/**
 * struct otst_code_saved - original bytes that a record keeps
 * @insns: the instructions they begin, completed from the text that follows
 * @differs: they are not the bytes as built
 */
struct otst_code_saved {
	const struct otst_probe *probe;
	struct otst_insns insns;
	bool differs;
};

/**
 * struct otst_code - the function's beginning, and every hooked place
 * @error: why there are no instructions, or NULL
 */
struct otst_code {
	struct otst_code_row *rows;
	size_t nr_rows;
	struct otst_code_saved *saved;
	size_t nr_saved;
	bool built_known;
	const char *error;
};

/* ---- captures (captures.c) ---- */

#define OTST_NEWEST 3u

/** struct otst_where_source - captures of one source; @newest: the last @nr_newest, newest first */
struct otst_where_source {
	enum otst_source_kind source;
	size_t count;
	const struct otst_trace *newest[OTST_NEWEST];
	size_t nr_newest;
};

/* ---- tasks (inside.c) ---- */

/**
 * struct otst_where_task - a task whose stack goes through the function
 * @runs: on its cpu, not asleep
 * @depth: number of its innermost frame in the function, 0 for the innermost of all
 * @frames: how many frames are in the function
 */
struct otst_where_task {
	const struct otst_task *task;
	bool runs;
	size_t depth;
	struct otst_frame frame;
	struct otst_sym sym;
	size_t frames;
};

/* ---- all of it (where.c) ---- */

/**
 * struct otst_where - what one operand means
 * @operand: as the user wrote it
 * @sym: the function. @sym.name is NULL if the operand is none: @none says so, or only
 *	@sym.addr is known, the place of a probe whose text was freed
 * @target: a target without an address: the name of a tracepoint, a place in a file; else NULL
 * @names: other names of the function, NULL-terminated
 * @steps: in the order in which they run; those that never run come last
 * @called: vector of struct otst_registered: through what parts of the kernel call it
 * @changes: vector of struct otst_finding: what no record explains in all of its text
 * @uncompared: why not all of its text was compared, NULL when it was; @help: what would help, or NULL
 * @sources: vector of struct otst_where_source
 * @tasks: vector of struct otst_where_task
 */
struct otst_where {
	const char *operand;
	struct otst_sym sym;
	const char *target;
	const char *none;
	const char *const *names;
	struct otst_step *steps;
	size_t nr_steps;
	struct otst_vec called;
	struct otst_code code;
	struct otst_vec changes;
	const char *uncompared;
	const char *help;
	struct otst_vec sources;
	struct otst_vec tasks;
};

/**
 * struct otst_wheres - all operands; functions that share a name each have an item
 * @all_disarmed: kprobes/enabled is 0
 * @complete: every kind of hook was looked at, and each record could be read
 * @coverage: vector of struct otst_coverage: functions that no record hooks, whose text was not compared
 * @errors: what could not be read on the way, as messages
 * @notes: what is worth knowing but is no damage
 */
struct otst_wheres {
	struct otst_where *items;
	size_t count;
	bool all_disarmed;
	bool complete;
	struct otst_vec coverage;
	struct otst_messages errors;
	struct otst_messages notes;
};

/** struct otst_where_operand - a word from the user; @is_address: it is the address @address */
struct otst_where_operand {
	const char *text;
	bool is_address;
	uint64_t address;
};

/**
 * otst_wheres() - look everything up, once for all operands
 * @operands: @count symbols, "module:symbol", addresses, tracepoints, places in files "path:0x1234"
 * @sources: of captures, as -s takes them; NULL for all
 *
 * Return: 0, even if an operand means nothing; USAGE; or an error that ends the command.
 */
int otst_wheres(struct otst *o, const struct otst_where_operand *operands, size_t count,
		const char *sources, struct otst_wheres *ret);

/**
 * otst_where_waiting() - which frame of which task keeps a live patch's transition from ending:
 * adds the fact "held_up_by" to the function's probe (waiting.c)
 *
 * Tasks whose stack cannot be followed are added to the errors of @probes.
 *
 * Return: 0, or what ends a command.
 */
int otst_where_waiting(struct otst *o, struct otst_probes *probes);

/* ---- shared by the files of this folder ---- */

/**
 * struct otst_hooks - what was collected, for all functions
 * @probes: without those of kind ftrace, whose ftrace_ops are in @list
 * @nr_ftrace: how many of kind ftrace there are
 * @nobodys: how many of all these are nobody's
 * @registered: vector of struct otst_registered
 * @has_functions: @functions could be read
 */
struct otst_hooks {
	struct otst_probes probes;
	size_t nr_ftrace;
	size_t nobodys;
	struct otst_vec registered;
	struct otst_ftrace_list list;
	struct otst_ftrace_functions functions;
	bool has_functions;
};

/** otst_hooks_probes() - all probes; read errors go to @errors; 0, or what ends the command */
int otst_hooks_probes(struct otst *o, struct otst_hooks *h, struct otst_messages *errors);

/** otst_hooks_registered() - the same for what parts of the kernel were given to call (called.c) */
int otst_hooks_registered(struct otst *o, struct otst_hooks *h, struct otst_messages *errors);

/**
 * otst_hooks_ftrace() - the same for ftrace_ops, and the hooked functions that @want accepts
 * @want, @priv: as otst_ftrace_functions() takes them
 */
int otst_hooks_ftrace(struct otst *o, struct otst_hooks *h, otst_site_fn *want, void *priv,
		      struct otst_messages *errors);

/**
 * otst_hooks_unplaced() - report records that do not tell their place: it may be any function
 * @items: vector of struct otst_where; probes that have a step there are left out
 *
 * Return: 0, or an error that ends the command.
 */
void otst_hooks_unplaced(struct otst *o, const struct otst_hooks *h, const struct otst_vec *items,
			 struct otst_messages *errors);

/** otst_where_has() - true if @addr lies in @w's function */
bool otst_where_has(const struct otst_where *w, uint64_t addr);

/** otst_where_resolve() - what the operand means: one or more struct otst_where in @ret (resolve.c) */
int otst_where_resolve(struct otst *o, const struct otst_where_operand *operands, size_t count,
		       const struct otst_hooks *h, struct otst_vec *ret);

/** otst_where_is_target() - does the user's word mean this target: its name, "path:0x1234", or the path alone */
bool otst_where_is_target(const char *target, const char *operand);

/** otst_where_steps() - fill @w->steps (steps.c) */
int otst_where_steps(struct otst *o, const struct otst_hooks *h, struct otst_where *w);

/** otst_where_called() - fill @w->called (called.c) */
void otst_where_called(struct otst *o, const struct otst_hooks *h, struct otst_where *w);

/** otst_where_code() - fill @w->code (code.c); messages go to @errors */
int otst_where_code(struct otst *o, const struct otst_hooks *h, struct otst_where *w,
		    struct otst_messages *errors);

/** otst_where_compared() - fill the changes and &otst_where.uncompared of @w[@n] (compared.c); messages as above */
int otst_where_compared(struct otst *o, struct otst_where *w, size_t n,
			struct otst_messages *errors);

/** otst_where_captures() - fill the sources of @w[@n] (captures.c); messages go to @errors, @notes */
int otst_where_captures(struct otst *o, const char *sources, struct otst_where *w, size_t n,
			struct otst_messages *errors, struct otst_messages *notes);

/** otst_where_inside() - fill the tasks of @w[@n] (inside.c); messages as above */
int otst_where_inside(struct otst *o, struct otst_where *w, size_t n, struct otst_messages *errors,
		      struct otst_messages *notes);

/* ---- the order at one hooked address (site.c) ---- */

/** struct otst_meant - a probe of the function; @used: a step has it */
struct otst_meant {
	const struct otst_probe *probe;
	bool used;
};

/**
 * struct otst_order - steps while they are put in order
 * @steps: vector of struct otst_step, in order
 * @returns: vector of struct otst_return_step: who takes the return address, in order
 * @never: vector of struct otst_step: what is at a site but not called there
 * @meant: the @nr_meant probes of @w, as listed; @by_address: the same by address
 */
struct otst_order {
	struct otst *o;
	const struct otst_hooks *h;
	const struct otst_where *w;
	struct otst_vec steps;
	struct otst_vec returns;
	struct otst_vec never;
	struct otst_meant *meant;
	struct otst_meant **by_address;
	size_t nr_meant;
	unsigned int groups;
};

/** struct otst_return_step - what runs at return: in order within a @group, the last group first */
struct otst_return_step {
	struct otst_step step;
	unsigned int group;
};

/* ---- the records of one mechanism at one place (records.c); 0, NOMEM or INTERRUPTED ---- */

/** otst_order_step() - append a copy of @step */
void otst_order_step(struct otst_order *r, const struct otst_step *step);

/** otst_order_return() - the same for what runs at return */
void otst_order_return(struct otst_order *r, const struct otst_step *step, unsigned int group);

/** otst_order_breakpoints() - debug registers that stop at @addr */
void otst_order_breakpoints(struct otst_order *r, uint64_t addr, enum otst_stage stage);

/** otst_order_kprobes() - kprobes and kretprobes at @addr: on @ftrace, called by @ops, or others */
int otst_order_kprobes(struct otst_order *r, uint64_t addr, enum otst_stage stage, bool ftrace,
		       const struct otst_ftrace_ops *ops);

/** otst_order_fprobes() - fprobes that @ops calls, NULL: all; @group: of returns, 0 for one each */
int otst_order_fprobes(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops,
		       unsigned int group);

/** otst_order_programs() - programs of the BPF trampoline on @addr; @any is set if there are any */
void otst_order_programs(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops,
			 bool *any);

/** otst_order_livepatches() - live patches of the function at @addr; @any as above */
void otst_order_livepatches(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops,
			    bool *any);

/**
 * otst_order_site() - append what runs at @addr: its breakpoints or jump, then its ftrace site (site.c)
 * @f: the hooked ftrace site there, or NULL
 */
int otst_order_site(struct otst_order *r, uint64_t addr, const struct otst_ftrace_function *f,
		    enum otst_stage stage);

#endif /* OTST_WHERE_H */
