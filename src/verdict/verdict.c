// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * verdict.c - the order of the examination: what died, whose stacks matter, who
 * owns the locks that stuck tasks wait for, what hooks all of these functions,
 * and what that amounts to.
 */
#include "evidence.h"

#define MOST_OWNERS 8u /* in a chain of tasks that wait for each other */

/* add the tasks that own what stuck tasks wait for, and so on along the chain */
static int add_lock_owners(struct otst *o, struct otst_verdict *v)
{
	size_t i, first = v->stacks.count;
	int err = 0;

	for (i = 0; i < v->stacks.count && i < first + MOST_OWNERS && !err; i++) {
		const struct otst_verdict_stack *s =
			&((const struct otst_verdict_stack *)v->stacks.data)[i];
		const struct otst_task *owner;
		const char *gap;

		if (s->runs || (s->reason != OTST_STACK_STUCK && s->reason != OTST_STACK_OWNER))
			continue;
		owner = otst_lock_owner(o, s, &gap);
		err = otst_check(o);
		if (!err && gap)
			otst_note_text(o, &v->errors, gap);
		if (!err && owner)
			err = otst_verdict_stack_add(o, v, OTST_STACK_OWNER, owner);
	}
	return err;
}

/* one struct otst_where for each function that a frame is in */
static void collect_functions(struct otst *o, struct otst_verdict *v, struct otst_vec *functions)
{
	struct otst_verdict_stack *s = v->stacks.data;
	size_t i, k, n;

	for (i = 0; i < v->stacks.count; i++) {
		for (k = 0; k < s[i].nr_frames; k++) {
			struct otst_verdict_frame *f = &s[i].frames[k];
			struct otst_where **all = functions->data, **slot;

			if (!f->sym.name)
				continue;
			for (n = 0; n < functions->count && all[n]->sym.addr != f->sym.addr; n++)
				;
			if (n < functions->count) {
				f->where = all[n];
				continue;
			}
			f->where = otst_new(o, sizeof(*f->where));
			slot = otst_vec_push(o, functions, sizeof(*slot));
			f->where->sym = f->sym;
			*slot = f->where;
		}
	}
}

static bool is_frame_to_show(void *priv, uint64_t ip, const struct otst_sym *sym)
{
	const struct otst_vec *functions = priv;
	struct otst_where *const *all = functions->data;

	(void)sym;
	for (size_t i = 0; i < functions->count; i++) {
		if (otst_where_has(all[i], ip))
			return true;
	}
	return false;
}

static int read_hooks(struct otst *o, struct otst_verdict *v, struct otst_vec *functions,
		      struct otst_hooks *h)
{
	struct otst_where **all = functions->data;
	int err = otst_hooks_probes(o, h, &v->errors);

	err = err ?: otst_hooks_registered(o, h, &v->errors);
	v->coverage = h->probes.coverage;
	if (!err)
		err = otst_hooks_ftrace(o, h, is_frame_to_show, functions, &v->errors);
	if (!err)
		otst_hooks_unplaced(o, h, &(struct otst_vec){ 0 }, &v->errors);
	for (size_t i = 0; i < functions->count && !err; i++)
		err = otst_where_steps(o, h, all[i]);
	return err;
}

/* idle cpus matter only if an interrupt runs a hook there */
static void drop_idle(struct otst_verdict *v)
{
	struct otst_verdict_stack *s = v->stacks.data;
	size_t i, k, n = 0;

	for (i = 0; i < v->stacks.count; i++) {
		for (k = 0; k < s[i].nr_frames && !otst_role_is_hook(s[i].frames[k].role); k++)
			;
		if (s[i].reason != OTST_STACK_CPU || !s[i].task->idle || k < s[i].nr_frames)
			s[n++] = s[i];
	}
	v->stacks.count = n;
}

/*
 * Without a single frame nothing is known of hooks on stacks; and unless the machine hung, what other cpus
 * did says nothing about the stack that is lost.
 */
static void note_unseen(struct otst *o, struct otst_verdict *v)
{
	const struct otst_verdict_stack *s = v->stacks.data;
	bool fails_here = false;

	v->unseen = otst_died(v->report.death);
	for (size_t i = 0; i < v->stacks.count && !otst_stands_still(v->report.death); i++)
		fails_here |= s[i].reason == OTST_STACK_PANIC;
	for (size_t i = 0; i < v->stacks.count && v->unseen; i++)
		v->unseen = !s[i].nr_frames || s[i].reporter ||
			    (fails_here && s[i].reason == OTST_STACK_CPU);
	if (v->unseen)
		otst_note_text(o, &v->errors, "no failing stack could be read");
}

/* a stack that could not be followed may have a hook further up */
static void note_lost(struct otst *o, struct otst_verdict *v)
{
	const struct otst_verdict_stack *s = v->stacks.data;
	const char *note;

	for (size_t i = 0; i < v->stacks.count; i++) {
		if (s[i].end != OTST_END_LOST && s[i].end != OTST_END_CUT)
			continue;
		v->lost = true;
		note = otst_format(
			o, "the stack of %s (PID %llu) could not be followed to its end: %s",
			s[i].task->comm ? s[i].task->comm : "?", (unsigned long long)s[i].task->pid,
			s[i].why ? s[i].why : "?");
		otst_note_text(o, &v->notes, note);
	}
}

/* the stacks, and whether this kernel's types tell the way from each frame to the next */
static int read_stacks(struct otst *o, struct otst_verdict *v, struct otst_coverage *ret)
{
	struct otst_look look = otst_look_begin(o);
	int err = otst_verdict_stacks(o, v);

	*ret = (struct otst_coverage){ .of = "stacks",
				       .what = "stacks",
				       .records = v->stacks.count };
	return err ? err : otst_look_end(o, &look, 0, ret);
}

int otst_verdict(struct otst *o, bool crashed, struct otst_verdict *ret)
{
	struct otst_vec functions = { 0 };
	struct otst_hooks h = { 0 };
	struct otst_coverage stacks = { 0 };
	int err;

	*ret = (struct otst_verdict){ .rank = OTST_RANK_NONE };
	err = otst_report_read(o, ret);
	if (crashed && !otst_died(ret->report.death) && !ret->report.unended)
		return err;
	if (!err && !crashed && otst_kernel(o)->error)
		otst_note_text(o, &ret->errors, otst_format(o, "cpus: %s", otst_kernel(o)->error));
	if (!err && ret->no_log)
		otst_note_text(o, &ret->errors, ret->no_log);
	if (!err)
		err = read_stacks(o, ret, &stacks);
	if (crashed && !otst_died(ret->report.death))
		return err;
	if (!err)
		err = add_lock_owners(o, ret);
	if (!err)
		collect_functions(o, ret, &functions);
	if (!err)
		err = read_hooks(o, ret, &functions, &h);
	if (!err && otst_is_gap(&stacks))
		*(struct otst_coverage *)otst_vec_push(o, &ret->coverage, sizeof(stacks)) = stacks;
	if (!err)
		err = otst_frames_judge(o, ret, &h);
	if (!err)
		otst_signature_find(o, ret);
	if (!err)
		note_unseen(o, ret);
	drop_idle(ret);
	if (!err)
		note_lost(o, ret);
	ret->hooks = h.probes.count + h.nr_ftrace;
	ret->nobodys = h.nobodys;
	return err ? err : otst_evidence_find(o, ret, &h);
}
