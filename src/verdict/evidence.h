/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * evidence.h - shared by the files that look for evidence.
 */
#ifndef OTST_VERDICT_EVIDENCE_H
#define OTST_VERDICT_EVIDENCE_H

#include "../built/disassemble.h"
#include "verdict.h"

/** struct otst_finder - what they search, and where evidence goes */
struct otst_finder {
	struct otst *o;
	struct otst_verdict *v;
	const struct otst_hooks *h;
};

/** otst_verdict_add() - add a piece of evidence, see struct otst_evidence_item; returns 0 */
void otst_verdict_add(struct otst_finder *f, enum otst_rank rank, const char *text,
		      const char *owner, const char *more);

/** otst_verdict_owner() - "module lab"; NULL when unknown */
const char *otst_verdict_owner(struct otst *o, const struct otst_owner *w);

/** otst_is_only_owner() - is @w known, and none but *@only (NULL: the first one), which becomes its text */
bool otst_is_only_owner(struct otst *o, const struct otst_owner *w, const char **only);

/** otst_last_unloaded() - "; unloaded last: lab_stray"; or "" */
const char *otst_last_unloaded(struct otst *o);

/** otst_stands_still() - may a kernel die this way because tasks make no progress */
bool otst_stands_still(enum otst_death death);

/* ---- on_stacks.c ---- */

/** otst_judge_stack() - A and B, the failing instruction; C, code above it; D, who owns a lock */
int otst_judge_stack(struct otst_finder *f, struct otst_verdict_stack *s);

/** otst_judge_cpus() - D: a cpu that a stuck one waits for */
void otst_judge_cpus(struct otst_finder *f);

/* ---- item.c ---- */

/** otst_evidence_owner() - who owns the hook that the code of @frame belongs to; NULL when unknown */
const char *otst_evidence_owner(struct otst *o, const struct otst_verdict_frame *frame);

/** otst_evidence_name() - "lab_pre [otst_lab]", or the address */
const char *otst_evidence_name(struct otst *o, const struct otst_verdict_frame *frame);

/** otst_evidence_command() - the command that shows more about its function */
const char *otst_evidence_command(struct otst *o, const struct otst_verdict_frame *frame);

/**
 * otst_find_hook() - the innermost hook frame of @s from @from on (frames.c)
 *
 * Return: else that of code that runs handlers; else the end.
 */
size_t otst_find_hook(const struct otst_verdict_stack *s, size_t from);

/** otst_waits_for_cpus() - does this kernel function wait until other cpus have done something */
bool otst_waits_for_cpus(const struct otst_sym *sym);

/** otst_calls_callbacks() - true if this is kernel code that a traced function calls */
bool otst_calls_callbacks(const struct otst_sym *sym);

/* ---- redirect.c ---- */

/** otst_redirect_of() - an ftrace_ops that may send calls of @function elsewhere; NULL when there is none */
const struct otst_ftrace_ops *otst_redirect_of(const struct otst_hooks *h, uint64_t function);

/** otst_insn_calls() - "callq 0xffffffff81002000", "bl #0xffff800008002000"; false for a jump, and without a target */
bool otst_insn_calls(const struct otst_insn *i);

/** otst_awaits_original() - does frame @i, a replacement, wait for the function that it replaces */
bool otst_awaits_original(const struct otst_finder *f, const struct otst_verdict_stack *s,
			  size_t i);

/** otst_judge_wild() - A: a call that a hook may redirect led to frame @at, where no code is; @ret: it did */
int otst_judge_wild(struct otst_finder *f, const struct otst_verdict_stack *s, size_t at,
		    bool *ret);

/* ---- overflow.c ---- */

/** otst_cycle_text() - "lab_recurse [lab] 72 times", or that there is no cycle */
const char *otst_cycle_text(struct otst *o, const struct otst_verdict_stack *s);

/** otst_judge_overflow() - A: hook code is in the cycle that fills the stack; C: it is elsewhere on it */
void otst_judge_overflow(struct otst_finder *f, const struct otst_verdict_stack *s);

/* ---- running.c ---- */

/** otst_judge_running() - C or D: @s ran inside a hook when the machine may have hung */
void otst_judge_running(struct otst_finder *f, struct otst_verdict_stack *s);

/** otst_nearest_hook() - "on vfs_read, frame 3 of cat (PID 7)": the innermost hooked function (on_stacks.c) */
const char *otst_nearest_hook(struct otst_finder *f);

/* ---- bad_pointer.c ---- */

/** otst_judge_address() - B: what the bad pointer, or the base of the access, points to */
int otst_judge_address(struct otst_finder *f);

/* ---- returns.c ---- */

/** otst_judge_returns() - note whose return values a hook can change, among what the failing function called */
int otst_judge_returns(struct otst_finder *f);

/* ---- deferred.c ---- */

/** otst_note_deferred() - note which code of a module that owns hooks was called on @s as work, a timer or the like */
void otst_note_deferred(struct otst_finder *f, const struct otst_verdict_stack *s);

#endif /* OTST_VERDICT_EVIDENCE_H */
