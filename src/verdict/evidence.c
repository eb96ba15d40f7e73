// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * evidence.c - how near hooks are to the crash: the order of the questions, what
 * the audit and the captures answer, and the verdict in one sentence.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/sorted.h"
#include "evidence.h"

#define SECOND UINT64_C(1000000000)

/* ---- the audit ---- */

/* who placed the probes at @addr; NULL when there are several, or it is unknown */
static const char *owner_at(const struct otst_finder *f, uint64_t addr)
{
	const char *only = NULL;
	bool one = addr;

	for (size_t i = 0; one && i < f->h->probes.count; i++) {
		const struct otst_probe *p = f->h->probes.items[i];

		if (p->addr == addr)
			one = otst_is_only_owner(f->o, &p->owner, &only);
	}
	return one ? only : NULL;
}

/* text that neither the image nor a record explains */
static void judge_text(struct otst_finder *f, const struct otst_audit *audit)
{
	const struct otst_sym *sym = &f->v->failing_sym;
	const struct otst_finding *found = audit->findings.data;

	for (size_t i = 0; sym->name && i < audit->findings.count; i++) {
		if (found[i].kind == OTST_FINDING_TEXT && found[i].len &&
		    found[i].addr - sym->addr < sym->size) {
			otst_verdict_add(f, OTST_RANK_B,
					 otst_format(f->o,
						     "The text of %s is not as built at +0x%" PRIx64
						     ", and no record explains it",
						     sym->name, found[i].addr - sym->addr),
					 NULL, "otst -a");
			return;
		}
	}
	if (!sym->name || !audit->not_compared)
		return;
	otst_note_text(f->o, &f->v->notes,
		       otst_format(f->o, "the text of %s was not compared: %s", sym->name,
				   audit->not_compared));
}

/* tasks that sleep, or wait for each other, inside handlers bring a kernel down only by a hang */
static void judge_deadly(struct otst_finder *f, const struct otst_audit *audit)
{
	const struct otst_finding *found = audit->findings.data;

	if (!otst_stands_still(f->v->report.death))
		return;
	for (size_t i = 0; i < audit->findings.count; i++) {
		if (found[i].kind == OTST_FINDING_DEADLY)
			otst_verdict_add(f, OTST_RANK_D, found[i].message,
					 owner_at(f, found[i].addr), "otst -a");
	}
}

static int judge_audit(struct otst_finder *f)
{
	struct otst_audit audit = { 0 };
	int err = otst_audit(f->o, &audit);

	if (err)
		return err == OTST_ERR_LOOKUP ? 0 : err;
	judge_text(f, &audit);
	judge_deadly(f, &audit);
	return 0;
}

/* ---- E: what ran just before ---- */

/* if a crash is asked for or memory runs out, what ran on that cpu has nothing to do with it */
static bool fails_by_itself(enum otst_death death)
{
	return otst_died(death) && death != OTST_DEATH_ASKED && death != OTST_DEATH_OUT_OF_MEMORY;
}

/* is it what a hook took when it ran; what the other sources have is older, or of no hook */
static bool is_capture(const struct otst_trace *t)
{
	switch (t->source) {
	case OTST_SOURCE_MODULE:
	case OTST_SOURCE_STAP:
	case OTST_SOURCE_FTRACE:
		return true;
	/* perf also samples a cpu without any hook */
	case OTST_SOURCE_PERF:
		return t->probe;
	case OTST_SOURCE_LOG:
	case OTST_SOURCE_INFLIGHT:
	case OTST_SOURCE_JPROBE:
	case OTST_SOURCE_TASK:
	case OTST_SOURCE_STACKTRACER:
	case OTST_SOURCE_HIST:
	case OTST_SOURCE_DEPOT:
	case OTST_SOURCE_CALLCHAIN:
	case OTST_SOURCE_BPF:
	case OTST_SOURCE_SNAPSHOT:
	case OTST_SOURCE_COUNT:
		break;
	}
	return false;
}

/*
 * Is @t a hook's capture on the cpu that failed, in the second before? The log's clock
 * is local_clock(), ftrace's is sched_clock(): if the processor's clock is unstable, the
 * former may lag, and a capture that seems to come later did not.
 */
static bool is_recent(const struct otst_report *r, const struct otst_trace *t)
{
	if (!is_capture(t))
		return false;
	/* trace_clock_global() is local_clock() of all cpus; ftrace uses it if that is unstable */
	if (t->clock != OTST_CLOCK_LOCAL &&
	    !(t->clock == OTST_CLOCK_TRACE && t->clock_name && !strcmp(t->clock_name, "global")))
		return false;
	return r->has_time && t->time + SECOND >= r->time && t->cpu >= 0 && t->cpu == r->cpu;
}

/* the probes of a module that captures may be gone: its captures name it */
static const char *capture_owner(struct otst_finder *f, const struct otst_trace *t)
{
	const char *owner = owner_at(f, t->probe_addr);

	return !owner && t->source == OTST_SOURCE_MODULE && t->handler ?
		       otst_format(f->o, "module %s", t->handler) :
		       owner;
}

static int judge_captures(struct otst_finder *f)
{
	static const struct otst_trace_filter all = { .pid = -1 };
	struct otst_traces traces = { .o = f->o };
	const struct otst_trace *last = NULL;
	size_t i, n = 0;
	int err = otst_traces(f->o, &all, &traces);

	if (err)
		return err == OTST_ERR_LOOKUP ? 0 : err;
	for (i = 0; i < traces.items.count; i++) {
		const struct otst_trace *t = otst_trace_at(&traces, i);

		if (is_recent(&f->v->report, t)) {
			last = t;
			n++;
		}
	}
	otst_notes_once(f->o, &f->v->errors, &traces.errors);
	if (!n)
		return 0;
	otst_verdict_add(
		f, OTST_RANK_E,
		otst_format(f->o, "%zu capture%s on cpu %d in the last second; the last one: %s", n,
			    otst_number(n, "", "s"), f->v->report.cpu,
			    last->probe	   ? last->probe :
			    last->headline ? last->headline :
					     otst_source_name(last->source)),
		capture_owner(f, last), otst_format(f->o, "otst -t -c %d", f->v->report.cpu));
	return 0;
}

/* ---- the verdict ---- */

/* the lists could be followed to their ends */
static bool is_complete(const struct otst_finder *f)
{
	return otst_all_looked(&f->v->coverage) && !f->h->probes.errors.count &&
	       !f->h->list.errors.count;
}

static const char *no_hook_near(struct otst_finder *f)
{
	struct otst_verdict *v = f->v;
	const char *full =
		v->overflow ? otst_format(f->o, "The stack overflowed: %s. ", v->overflow) : "";

	if (!v->hooks)
		return otst_format(f->o, "%s%s", full,
				   is_complete(f) ?
					   "No hooks exist in this kernel" :
					   "No hooks were found; not all kinds could be looked at");
	if (v->report.death == OTST_DEATH_NONE)
		return otst_format(f->o,
				   "The kernel was alive when the dump was made; %zu hook%s %s",
				   v->hooks, otst_number(v->hooks, "", "s"),
				   otst_number(v->hooks, "exists", "exist"));
	if (v->report.death == OTST_DEATH_UNKNOWN)
		return otst_format(f->o, "How the kernel ended is not known; %zu hook%s %s",
				   v->hooks, otst_number(v->hooks, "", "s"),
				   otst_number(v->hooks, "exists", "exist"));
	if (v->unseen)
		return otst_format(f->o, "%sNo failing stack could be read; %zu hook%s %s", full,
				   v->hooks, otst_number(v->hooks, "", "s"),
				   otst_number(v->hooks, "exists", "exist"));
	return otst_format(
		f->o, "%s%s; %zu hook%s %s, nearest: %s", full,
		v->lost ?
			"Stacks of failing or stuck tasks could not be followed to their ends; no hook "
			"runs on what was seen of them" :
			"No hook runs on any stack of a failing or stuck task",
		v->hooks, otst_number(v->hooks, "", "s"), otst_number(v->hooks, "exists", "exist"),
		otst_nearest_hook(f));
}

static int by_rank(const void *a, const void *b)
{
	return (int)((const struct otst_evidence_item *)a)->rank -
	       (int)((const struct otst_evidence_item *)b)->rank;
}

int otst_evidence_find(struct otst *o, struct otst_verdict *v, const struct otst_hooks *h)
{
	struct otst_finder f = { .o = o, .v = v, .h = h };
	struct otst_verdict_stack *s = v->stacks.data;
	int err = 0;

	for (size_t i = 0; i < v->stacks.count; i++) {
		if (s[i].reason == OTST_STACK_PANIC && v->report.overflow)
			v->overflow = otst_cycle_text(o, &s[i]);
	}
	for (size_t i = 0; i < v->stacks.count && !err; i++) {
		err = otst_judge_stack(&f, &s[i]);
		if (!err)
			otst_note_deferred(&f, &s[i]);
	}
	if (!err)
		otst_judge_cpus(&f);
	if (!err)
		err = otst_judge_address(&f);
	if (!err)
		err = otst_judge_returns(&f);
	if (!err && otst_died(v->report.death))
		err = judge_audit(&f);
	if (!err && !v->evidence.count && fails_by_itself(v->report.death))
		err = judge_captures(&f);
	if (err)
		return err;
	otst_sort(v->evidence.data, v->evidence.count, sizeof(struct otst_evidence_item), by_rank);
	if (v->evidence.count) {
		const struct otst_evidence_item *first = v->evidence.data;

		v->rank = first->rank;
		v->sentence = first->rank < OTST_RANK_E ? first->text : no_hook_near(&f);
	} else {
		v->rank = v->hooks && !v->unseen && v->report.death != OTST_DEATH_UNKNOWN ?
				  OTST_RANK_F :
				  OTST_RANK_NONE;
		v->sentence = no_hook_near(&f);
	}
	return otst_check(o);
}
