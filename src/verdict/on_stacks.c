// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * on_stacks.c - hooks on the stacks that matter: the failing instruction, what called
 * it, and whom a stuck task waits for.
 */
#include <inttypes.h>

#include "evidence.h"

#define NEAR	   256u /* bytes of a small function: the size of an unloaded one is unknown */
#define PATCH_SIZE 5u	/* bytes of a jump */

static size_t running_steps(const struct otst_where *w)
{
	size_t i, n = 0;

	for (i = 0; w && i < w->nr_steps; i++)
		n += otst_step_runs(&w->steps[i]);
	return n;
}

/* who hooks a function, in order, each once: "kprobe of module lab, ftrace_ops graph_ops" */
static const char *list_steps(struct otst *o, const struct otst_where *w)
{
	const char *s = "";
	size_t i, k;

	for (i = 0; i < w->nr_steps; i++) {
		const struct otst_step *t = &w->steps[i];
		const struct otst_owner *owner = otst_step_owner(t);

		if (!otst_step_runs(t))
			continue;
		/* entry and return of one probe are one hook */
		for (k = 0; k < i; k++) {
			if (w->steps[k].probe == t->probe && w->steps[k].ops == t->ops &&
			    otst_step_runs(&w->steps[k]))
				break;
		}
		if (k < i)
			continue;
		s = otst_format(o, "%s%s%s%s%s%s", s, *s ? ", " : "", otst_step_kind(t),
				owner->name ? " of " : "",
				owner->name ? otst_owner_kind_name(owner->kind) : "",
				owner->name ? otst_format(o, " %s", owner->name) : "");
	}
	return s;
}

/* who placed all that runs on a function; NULL when there are several, or it is unknown */
static const char *only_owner(struct otst *o, const struct otst_where *w)
{
	const char *only = NULL;
	bool one = true;

	for (size_t i = 0; i < w->nr_steps && one; i++) {
		if (otst_step_runs(&w->steps[i]))
			one = otst_is_only_owner(o, otst_step_owner(&w->steps[i]), &only);
	}
	return one ? only : NULL;
}

/* ---- A and B: the failing instruction ---- */

/* the probe whose jump has @pc inside its bytes, where no instruction begins any more */
static const struct otst_probe *patched_over(const struct otst_finder *f, uint64_t pc)
{
	for (size_t i = 0; i < f->h->probes.count; i++) {
		const struct otst_probe *p = f->h->probes.items[i];

		if (p->via == OTST_VIA_JUMP && pc > p->addr && pc - p->addr < PATCH_SIZE)
			return p;
	}
	return NULL;
}

static bool is_near(uint64_t pc, uint64_t function)
{
	return function && pc - function < NEAR;
}

/* the record that still points to the code at frame @at, or the hook code that called it; or NULL */
static const char *who_leads_to(struct otst_finder *f, const struct otst_verdict_stack *s,
				size_t at)
{
	const struct otst_verdict_frame *above = at + 1 < s->nr_frames ? &s->frames[at + 1] : NULL;
	uint64_t pc = s->frames[at].frame.pc;

	for (size_t i = 0; i < f->h->list.count; i++) {
		const struct otst_ftrace_ops *ops = f->h->list.items[i];

		if (is_near(pc, ops->func) || is_near(pc, ops->saved_func))
			return otst_format(f->o, "the callback of the ftrace_ops at 0x%" PRIx64,
					   ops->addr);
	}
	for (size_t i = 0; i < f->h->probes.count; i++) {
		const struct otst_probe *p = f->h->probes.items[i];

		for (size_t k = 0; k < p->nr_handlers; k++) {
			if (is_near(pc, p->handlers[k].addr))
				return otst_format(f->o, "the %s of a %s on %s",
						   otst_handler_name(p->handlers[k].role),
						   otst_probe_kind(p->kind)->name,
						   p->sym.name ? p->sym.name : "?");
		}
	}
	if (above && !above->frame.exact &&
	    (otst_role_is_hook(above->role) || above->role == OTST_ROLE_DISPATCH))
		return otst_format(f->o, "called by %s", otst_evidence_name(f->o, above));
	return NULL;
}

/* text of an unloaded module is a hook's if a record still points to it or hook code called it */
static void judge_gone(struct otst_finder *f, const struct otst_verdict_stack *s, size_t at)
{
	uint64_t pc = s->frames[at].frame.pc;
	bool is_null = pc < otst_page_size(f->o);
	const char *last = is_null ? "" : otst_last_unloaded(f->o);
	const char *who = who_leads_to(f, s, at), *note;

	if (who) {
		otst_verdict_add(
			f, OTST_RANK_A,
			otst_format(f->o, "The failing instruction is at 0x%" PRIx64 ", %s: %s%s",
				    pc,
				    is_null ? "a call through a pointer that is NULL" :
					      "where no module is loaded any more",
				    who, last),
			NULL, "otst -a");
		return;
	}
	if (is_null)
		note = otst_format(
			f->o,
			"the failing instruction is at 0x%" PRIx64 ": %s called through a "
			"pointer that is NULL; no hook's record points there",
			pc,
			at + 1 < s->nr_frames ? otst_evidence_name(f->o, &s->frames[at + 1]) : "?");
	else
		note = otst_format(f->o,
				   "the failing instruction is at 0x%" PRIx64
				   ", where no module is loaded; no hook's record points there%s",
				   pc, last);
	otst_note_text(f->o, &f->v->notes, note);
}

/* of code that is there: a hook's, or hooked, or neither */
static void judge_code(struct otst_finder *f, const struct otst_verdict_frame *frame)
{
	const struct otst_probe *p = patched_over(f, frame->frame.pc - !frame->frame.exact);
	const char *name = otst_evidence_name(f->o, frame), *where = NULL, *owner = NULL;
	const char *more = otst_evidence_command(f->o, frame);
	enum otst_rank rank = OTST_RANK_B;

	if (otst_role_is_hook(frame->role)) {
		rank = OTST_RANK_A;
		where = otst_format(f->o, "in %s, %s", name, frame->what);
		owner = otst_evidence_owner(f->o, frame);
	} else if (p) {
		rank = OTST_RANK_A;
		where = otst_format(f->o, "in the jump that a %s put into %s",
				    otst_probe_kind(p->kind)->name, name);
		owner = otst_verdict_owner(f->o, &p->owner);
	} else if (frame->role == OTST_ROLE_DISPATCH) {
		where = otst_format(f->o, "in %s, which %s", name, frame->what);
		more = "otst -l";
	} else if (otst_calls_callbacks(&frame->sym)) {
		where = otst_format(f->o, "in %s, which calls the callbacks of ftrace", name);
		more = "otst -l";
	} else if (running_steps(frame->where) && f->v->report.death != OTST_DEATH_PANIC) {
		/* who calls panic() did not fail: it met what it was written to meet */
		where = otst_format(f->o, "%s's own; on it: %s", name,
				    list_steps(f->o, frame->where));
		owner = only_owner(f->o, frame->where);
	}
	if (where)
		otst_verdict_add(f, rank, otst_format(f->o, "The failing instruction is %s", where),
				 owner, more);
}

static int judge_failing(struct otst_finder *f, const struct otst_verdict_stack *s, size_t at)
{
	bool wild = true;
	int err;

	if (s->frames[at].role != OTST_ROLE_GONE) {
		judge_code(f, &s->frames[at]);
		return 0;
	}
	err = otst_judge_wild(f, s, at, &wild);
	if (!err && !wild)
		judge_gone(f, s, at);
	return err;
}

/* ---- C and D: stacks ---- */

static void judge_callers(struct otst_finder *f, const struct otst_verdict_stack *s, size_t from,
			  enum otst_rank rank)
{
	const char *comm = s->task->comm ? s->task->comm : "?", *text;
	size_t i = otst_find_hook(s, from);
	const struct otst_verdict_frame *frame;

	/* what the original function does while it waits is not the replacement's doing */
	while (rank == OTST_RANK_D && otst_awaits_original(f, s, i))
		i = otst_find_hook(s, i + 1);
	frame = &s->frames[i];
	if (i == s->nr_frames)
		return;
	if (rank == OTST_RANK_D)
		text = otst_format(f->o,
				   "A stuck %s waits for %s (PID %" PRIu64
				   "), which is inside %s, %s",
				   s->reason == OTST_STACK_CPU ? "cpu" : "task", comm, s->task->pid,
				   otst_evidence_name(f->o, frame), frame->what);
	else
		text = otst_format(f->o,
				   "Hook code is on the stack of %s (PID %" PRIu64 "): %s, %s",
				   comm, s->task->pid, otst_evidence_name(f->o, frame),
				   frame->what);
	otst_verdict_add(f, rank, text, otst_evidence_owner(f->o, frame),
			 otst_evidence_command(f->o, frame));
}

static bool waits_for_cpus(const struct otst_verdict_stack *s)
{
	size_t i;

	for (i = 0; i < s->nr_frames && !otst_waits_for_cpus(&s->frames[i].sym); i++)
		;
	return i < s->nr_frames;
}

/* a stuck cpu waits until other cpus take its interrupt: one of them may be inside a hook */
void otst_judge_cpus(struct otst_finder *f)
{
	struct otst_verdict_stack *s = f->v->stacks.data;
	size_t i, before, n = f->v->stacks.count;
	bool waits;

	for (i = 0; i < n && !(s[i].failing < s[i].nr_frames && waits_for_cpus(&s[i])); i++)
		;
	waits = i < n && otst_stands_still(f->v->report.death);
	for (i = 0; i < n; i++) {
		if (s[i].reason != OTST_STACK_CPU || !s[i].runs)
			continue;
		before = f->v->evidence.count;
		if (waits)
			judge_callers(f, &s[i], 0, OTST_RANK_D);
		if (f->v->evidence.count > before)
			s[i].inside = true;
		else
			otst_judge_running(f, &s[i]);
	}
}

static bool is_called_by_panic(const struct otst_verdict_stack *s, size_t i)
{
	static const char *const names[] = { "panic", "vpanic", "do_panic", NULL };

	while (++i < s->failing && !s->frames[i].frame.exact) {
		if (otst_sym_is_one_of(&s->frames[i].sym, names))
			return true;
	}
	return false;
}

/* what panic() called and has not come back from: the hook is below what failed */
static void judge_dying(struct otst_finder *f, const struct otst_verdict_stack *s)
{
	size_t i = otst_find_hook(s, 0);
	const struct otst_verdict_frame *frame = &s->frames[i];

	if (i >= s->failing || i == s->nr_frames || !frame->dying || !is_called_by_panic(s, i))
		return;
	otst_verdict_add(f, OTST_RANK_C,
			 otst_format(f->o, "The dying kernel has not come back from %s, %s",
				     otst_evidence_name(f->o, frame), frame->what),
			 otst_evidence_owner(f->o, frame), otst_evidence_command(f->o, frame));
}

int otst_judge_stack(struct otst_finder *f, struct otst_verdict_stack *s)
{
	bool failed = s->failing < s->nr_frames;
	int err = 0;

	if (s->reason == OTST_STACK_CPU || s->reporter)
		return 0;
	if (s->reason == OTST_STACK_OWNER) {
		judge_callers(f, s, 0, OTST_RANK_D);
		return 0;
	}
	/* who asks, or what an NMI happened to interrupt */
	if (f->v->report.death == OTST_DEATH_ASKED && s->runs) {
		otst_judge_running(f, s);
		return 0;
	}
	if (s->reason == OTST_STACK_PANIC && f->v->report.overflow) {
		otst_judge_overflow(f, s);
		return 0;
	}
	if (failed)
		err = judge_failing(f, s, s->failing);
	judge_dying(f, s);
	if (failed && otst_role_is_hook(s->frames[s->failing].role))
		return err;
	if (!err)
		judge_callers(f, s, failed ? s->failing + 1 : 0, OTST_RANK_C);
	return err;
}

/* ---- without any evidence: the nearest hook ---- */

static size_t first_own_frame(const struct otst_verdict_stack *s)
{
	return s->failing < s->nr_frames ? s->failing : 0;
}

const char *otst_nearest_hook(struct otst_finder *f)
{
	const struct otst_verdict_stack *s = f->v->stacks.data;

	for (size_t i = 0; i < f->v->stacks.count; i++) {
		/* what comes after the failing frame only reports it, as a reporter does */
		for (size_t k = first_own_frame(&s[i]); k < s[i].nr_frames && !s[i].reporter; k++) {
			if (running_steps(s[i].frames[k].where))
				return otst_format(f->o, "on %s, frame %zu of %s (PID %" PRIu64 ")",
						   otst_evidence_name(f->o, &s[i].frames[k]), k,
						   s[i].task->comm ? s[i].task->comm : "?",
						   s[i].task->pid);
		}
	}
	return "on no function of these stacks";
}
