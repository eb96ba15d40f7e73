// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * evidence.c - how near hooks are to the crash: each piece of evidence with
 * its rank and the command that shows more, and the verdict in one sentence.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "verdict.h"

#define MODULE_NAME 64u	 /* MODULE_NAME_LEN is less */
#define NEAR	    256u /* bytes of a small function: of an unloaded one the size is unknown */
#define SECOND	    UINT64_C(1000000000)
#define PATCH_SIZE  5u		/* bytes of a jump */
#define MODULES_GAP (16u << 20) /* modules lie nearer to each other */

struct finder {
	struct otst *o;
	struct otst_verdict *v;
	const struct otst_hooks *h;
};

const char *otst_rank_name(enum otst_rank rank)
{
	static const char *const names[] = { "A", "B", "C", "D", "E", "F", NULL };

	return names[rank];
}

static int add(struct finder *f, enum otst_rank rank, const char *text, const char *owner,
	       const char *more)
{
	struct otst_evidence_item *e = otst_vec_push(f->o, &f->v->evidence, sizeof(*e));

	*e = (struct otst_evidence_item){ rank, text, owner, more };
	return 0;
}

static const char *owner_text(struct otst *o, const struct otst_owner *w)
{
	if (w->kind == OTST_OWNER_UNKNOWN || !w->name)
		return NULL;
	return otst_format(o, "%s %s", otst_owner_kind_name(w->kind), w->name);
}

/* whose hook it is that brought the code of @frame */
static const char *owner_of(struct otst *o, const struct otst_verdict_frame *frame)
{
	return frame->sym.module ? otst_format(o, "module %s", frame->sym.module) :
				   owner_text(o, &frame->owner);
}

/* "lab_pre [otst_lab]", or the address */
static const char *name(struct otst *o, const struct otst_verdict_frame *f)
{
	return otst_sym_format(o, f->frame.pc, &f->sym, OTST_SYM_PS);
}

static const char *where_command(struct otst *o, const struct otst_verdict_frame *f)
{
	const struct otst_sym *sym = &f->sym;

	if (f->role == OTST_ROLE_PROGRAM)
		return "otst -l -v";
	return sym->name ? otst_format(o, "otst -w %s%s%s", sym->module ? sym->module : "",
				       sym->module ? ":" : "", sym->name) :
			   "otst -i";
}

static size_t running_steps(const struct otst_where *w)
{
	size_t i, n = 0;

	for (i = 0; w && i < w->nr_steps; i++)
		n += otst_step_runs(&w->steps[i]);
	return n;
}

/* who is on a function, in order and each once: "kprobe of module lab, ftrace_ops graph_ops" */
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

/* ---- A and B: the failing instruction ---- */

/* inside the bytes of a jump that a probe put there, where no instruction begins any more */
static const struct otst_probe *patched_over(const struct finder *f, uint64_t pc)
{
	size_t i;

	for (i = 0; i < f->h->probes.count; i++) {
		const struct otst_probe *p = f->h->probes.items[i];

		if (p->via == OTST_VIA_JUMP && pc > p->addr && pc - p->addr < PATCH_SIZE)
			return p;
	}
	return NULL;
}

/* "; unloaded last: lab_stray"; or "" */
static const char *last_unloaded(struct otst *o)
{
	uint64_t at = otst_symbol_or0(o, "last_unloaded_module");
	const char *module;

	if (!at)
		return "";
	if (otst_read_string(o, at, MODULE_NAME, &module))
		return "; what was unloaded last cannot be read";
	return *module ? otst_format(o, "; unloaded last: %s", module) : "";
}

/* text of a module that was unloaded is a hook's where a record still points to it, or hook code called it */
static int judge_gone(struct finder *f, const struct otst_verdict_stack *s, size_t at)
{
	uint64_t pc = s->frames[at].frame.pc;
	const char *who = NULL, *note;
	size_t i, k;

	for (i = 0; i < f->h->list.count && !who; i++) {
		const struct otst_ftrace_ops *ops = f->h->list.items[i];

		if (pc - ops->func < NEAR || (ops->saved_func && pc - ops->saved_func < NEAR))
			who = otst_format(f->o, "the callback of the ftrace_ops at 0x%" PRIx64,
					  ops->addr);
	}
	for (i = 0; i < f->h->probes.count && !who; i++) {
		const struct otst_probe *p = f->h->probes.items[i];

		for (k = 0; k < p->nr_handlers; k++) {
			if (pc - p->handlers[k].addr < NEAR)
				who = otst_format(f->o, "the %s of a %s on %s",
						  otst_handler_name(p->handlers[k].role),
						  otst_probe_kind(p->kind)->name,
						  p->sym.name ? p->sym.name : "?");
		}
	}
	if (!who && at + 1 < s->nr_frames && !s->frames[at + 1].frame.exact &&
	    (otst_role_is_hook(s->frames[at + 1].role) ||
	     s->frames[at + 1].role == OTST_ROLE_DISPATCH))
		who = otst_format(f->o, "called by %s", name(f->o, &s->frames[at + 1]));
	if (who)
		return add(f, OTST_RANK_A,
			   otst_format(f->o,
				       "The failing instruction is at 0x%" PRIx64
				       ", where no module is loaded any more: %s%s",
				       pc, who, last_unloaded(f->o)),
			   NULL, "otst -a");
	note = otst_format(f->o,
			   "the failing instruction is at 0x%" PRIx64
			   ", where no module is loaded; no hook's record points there%s",
			   pc, last_unloaded(f->o));
	return otst_note_text(f->o, &f->v->notes, note);
}

/* code of the kernel that a traced function calls: on x86_64 most ftrace_ops have a copy of their own */
static bool calls_callbacks(const struct otst_sym *sym)
{
	static const char *const names[] = { "ftrace_caller", "ftrace_regs_caller", "ftrace_common",
					     "ftrace_call",   "ftrace_regs_call",   NULL };

	return otst_sym_is_one_of(sym, names);
}

static int judge_failing(struct finder *f, const struct otst_verdict_stack *s, size_t at)
{
	const struct otst_verdict_frame *frame = &s->frames[at];
	uint64_t pc = frame->frame.pc - !frame->frame.exact;
	const struct otst_probe *p = patched_over(f, pc);
	const char *more = where_command(f->o, frame);

	if (otst_role_is_hook(frame->role))
		return add(f, OTST_RANK_A,
			   otst_format(f->o, "The failing instruction is in %s, %s",
				       name(f->o, frame), frame->what),
			   owner_of(f->o, frame), more);
	if (frame->role == OTST_ROLE_GONE)
		return judge_gone(f, s, at);
	if (p)
		return add(f, OTST_RANK_A,
			   otst_format(f->o,
				       "The failing instruction is in the jump that a %s put "
				       "into %s",
				       otst_probe_kind(p->kind)->name, name(f->o, frame)),
			   owner_text(f->o, &p->owner), more);
	if (frame->role == OTST_ROLE_DISPATCH)
		return add(f, OTST_RANK_B,
			   otst_format(f->o, "The failing instruction is in %s, which %s",
				       name(f->o, frame), frame->what),
			   NULL, "otst -l");
	if (calls_callbacks(&frame->sym))
		return add(f, OTST_RANK_B,
			   otst_format(f->o,
				       "The failing instruction is in %s, which calls the "
				       "callbacks of ftrace",
				       name(f->o, frame)),
			   NULL, "otst -l");
	if (running_steps(frame->where))
		return add(f, OTST_RANK_B,
			   otst_format(f->o, "The failing instruction is %s's own; on it: %s",
				       name(f->o, frame), list_steps(f->o, frame->where)),
			   NULL, more);
	return 0;
}

/* text that neither the image nor a record explains */
static int judge_text(struct finder *f, const struct otst_audit *audit)
{
	const struct otst_sym *sym = &f->v->failing_sym;
	const struct otst_finding *found = audit->findings.data;
	size_t i;

	for (i = 0; sym->name && i < audit->findings.count; i++) {
		if (found[i].kind == OTST_FINDING_TEXT && found[i].len &&
		    found[i].addr - sym->addr < sym->size)
			return add(f, OTST_RANK_B,
				   otst_format(f->o,
					       "The text of %s is not as built at +0x%" PRIx64
					       ", and no record explains it",
					       sym->name, found[i].addr - sym->addr),
				   NULL, "otst -a");
	}
	if (!sym->name || !audit->not_compared)
		return 0;
	return otst_note_text(f->o, &f->v->notes, audit->not_compared);
}

/* may a kernel end so because tasks do not go on */
static bool stands_still(enum otst_death death)
{
	return death != OTST_DEATH_OOPS && death != OTST_DEATH_WARNING &&
	       death != OTST_DEATH_OUT_OF_MEMORY;
}

/* tasks that sleep, or wait for each other, inside handlers bring a kernel down by standing still */
static int judge_deadly(struct finder *f, const struct otst_audit *audit)
{
	const struct otst_finding *found = audit->findings.data;
	size_t i;
	int err = 0;

	if (!stands_still(f->v->report.death))
		return 0;
	for (i = 0; i < audit->findings.count && !err; i++) {
		if (found[i].kind == OTST_FINDING_DEADLY)
			err = add(f, OTST_RANK_D, found[i].message, NULL, "otst -a");
	}
	return err;
}

static int judge_audit(struct finder *f)
{
	struct otst_audit audit = { 0 };
	int err = otst_audit(f->o, &audit);

	if (err)
		return err == OTST_ERR_LOOKUP ? 0 : err;
	err = judge_text(f, &audit);
	return err ? err : judge_deadly(f, &audit);
}

/* ---- C and D: stacks ---- */

/* a trampoline that has called the function below it, whose return it waits for: nothing of the hook runs */
static bool waits_for_return(const struct otst_verdict_stack *s, size_t i)
{
	const struct otst_where *w = i ? s->frames[i - 1].where : NULL;
	size_t k;

	for (k = 0; w && k < w->nr_steps; k++) {
		const struct otst_probe *p = w->steps[k].probe;

		if (p && (p->kind == OTST_PROBE_FEXIT || p->kind == OTST_PROBE_FMOD_RET ||
			  p->kind == OTST_PROBE_LSM))
			return true;
	}
	return false;
}

/* the innermost frame of a hook from @from on; else of the code that runs handlers; else the end */
static size_t find_hook(const struct otst_verdict_stack *s, size_t from)
{
	size_t i, found = s->nr_frames;

	for (i = from; i < s->nr_frames; i++) {
		if (!s->frames[i].frame.reliable)
			continue;
		if (otst_role_is_hook(s->frames[i].role) &&
		    s->frames[i].role != OTST_ROLE_TRAMPOLINE)
			return i;
		if (found == s->nr_frames &&
		    (s->frames[i].role == OTST_ROLE_DISPATCH ||
		     (s->frames[i].role == OTST_ROLE_TRAMPOLINE && !waits_for_return(s, i))))
			found = i;
	}
	return found;
}

static int judge_callers(struct finder *f, const struct otst_verdict_stack *s, size_t from,
			 enum otst_rank rank)
{
	const char *comm = s->task->comm ? s->task->comm : "?", *text;
	size_t i = find_hook(s, from);
	const struct otst_verdict_frame *frame = &s->frames[i];

	if (i == s->nr_frames)
		return 0;
	if (rank == OTST_RANK_D)
		text = otst_format(f->o,
				   "A stuck %s waits for %s (PID %" PRIu64
				   "), which is inside %s, %s",
				   s->reason == OTST_STACK_CPU ? "cpu" : "task", comm, s->task->pid,
				   name(f->o, frame), frame->what);
	else
		text = otst_format(f->o,
				   "Hook code is on the stack of %s (PID %" PRIu64 "): %s, %s",
				   comm, s->task->pid, name(f->o, frame), frame->what);
	return add(f, rank, text, owner_of(f->o, frame), where_command(f->o, frame));
}

static bool waits_for_cpus(const struct otst_verdict_stack *s)
{
	static const char *const names[] = { "smp_call_function_many_cond",
					     "smp_call_function_many", "smp_call_function_single",
					     "csd_lock_wait", "multi_cpu_stop" };
	size_t i, k;

	for (i = 0; i < s->nr_frames; i++) {
		for (k = 0; k < sizeof(names) / sizeof(*names); k++) {
			if (s->frames[i].sym.name && !strcmp(s->frames[i].sym.name, names[k]))
				return true;
		}
	}
	return false;
}

/* a stuck cpu waits until others take its interrupt: one of these may be inside a hook */
static int judge_cpus(struct finder *f)
{
	const struct otst_verdict_stack *s = f->v->stacks.data;
	size_t i, n = f->v->stacks.count;
	int err = 0;

	for (i = 0; i < n && !(s[i].failing < s[i].nr_frames && waits_for_cpus(&s[i])); i++)
		;
	if (i == n || !stands_still(f->v->report.death))
		return 0;
	for (i = 0; i < n && !err; i++) {
		if (s[i].reason == OTST_STACK_CPU && s[i].runs)
			err = judge_callers(f, &s[i], 0, OTST_RANK_D);
	}
	return err;
}

static int judge_stack(struct finder *f, const struct otst_verdict_stack *s)
{
	bool failed = s->failing < s->nr_frames;
	int err = 0;

	if (s->reason == OTST_STACK_CPU || s->reporter)
		return 0;
	if (s->reason == OTST_STACK_OWNER)
		return judge_callers(f, s, 0, OTST_RANK_D);
	if (failed)
		err = judge_failing(f, s, s->failing);
	if (failed && otst_role_is_hook(s->frames[s->failing].role))
		return err;
	return err ? err : judge_callers(f, s, failed ? s->failing + 1 : 0, OTST_RANK_C);
}

/* ---- the bad pointer ---- */

/* where modules are loaded, but none is at @addr */
static bool among_modules(struct otst *o, uint64_t addr)
{
	uint64_t low = UINT64_MAX, high = 0;
	struct otst_module *const *m;
	unsigned int i;

	if (otst_modules(o, &m) || otst_module_at(o, addr))
		return false;
	for (; *m; m++) {
		for (i = 0; i < (*m)->nr_ranges; i++) {
			const struct otst_module_range *r = &(*m)->ranges[i];

			if (r->size && r->base < low)
				low = r->base;
			if (r->size && r->base + r->size > high)
				high = r->base + r->size;
		}
	}
	return addr >= low - MODULES_GAP && addr < high + MODULES_GAP &&
	       !otst_is_kernel_text(o, addr);
}

/* " where no module is loaded any more; unloaded last: lab_stray"; or "" */
static const char *unloaded_at(struct otst *o, uint64_t addr)
{
	const char *last = last_unloaded(o);

	return *last && among_modules(o, addr) ?
		       otst_format(o, " where no module is loaded any more%s", last) :
		       "";
}

/* evidence where @addr lies in memory that a hook brought */
static int judge_memory(struct finder *f, const char *says, uint64_t addr)
{
	struct otst_memory m;
	int err = otst_memory_find(f->o, f->h, addr, &f->v->errors, &m);
	const char *where;

	if (err || !m.what)
		return err;
	where = unloaded_at(f->o, addr);
	return add(f, OTST_RANK_B,
		   otst_format(f->o, "%s 0x%" PRIx64 " lies in %s%s%s", says, addr, m.what,
			       *where ? "," : "", where),
		   m.owner ? owner_text(f->o, m.owner) : NULL, m.more);
}

/* the registers of the instruction that failed; false when they are not known */
static bool failing_regs(struct finder *f, uint64_t *pc, uint64_t *regs)
{
	const struct otst_verdict_stack *s = f->v->stacks.data;
	const struct otst_frame *frame;
	size_t i;
	int err;

	for (i = 0; i < f->v->stacks.count; i++) {
		frame = &s[i].frames[s[i].failing].frame;
		if (s[i].failing >= s[i].nr_frames || !frame->regs || !frame->exact)
			continue;
		*pc = frame->pc;
		err = otst_regs_read(f->o, frame->regs, regs);
		if (err)
			otst_note(f->o, &f->v->errors,
				  otst_fail(f->o, err, "registers of the fault"));
		return !err;
	}
	return false;
}

/* does a register point into memory that a hook brought; what cannot be read was said of the bad pointer */
static bool points_there(struct finder *f, const uint64_t *regs)
{
	struct otst_memory m = { 0 };
	struct otst_messages said = { 0 };
	size_t i;

	for (i = 0; i < otst_kernel(f->o)->arch->nr_regs && !m.what; i++) {
		if (otst_memory_find(f->o, f->h, regs[i], &said, &m))
			return false;
	}
	return m.what;
}

/* what looked for a hook in memory of an unloaded module was led there by a record; nothing says so of other code */
static int judge_unloaded(struct finder *f, uint64_t addr)
{
	const struct otst_verdict_stack *s = f->v->stacks.data;
	const char *where = unloaded_at(f->o, addr), *note;
	size_t i;

	if (!*where)
		return otst_check(f->o);
	for (i = 0; i < f->v->stacks.count; i++) {
		if (s[i].failing < s[i].nr_frames &&
		    s[i].frames[s[i].failing].role == OTST_ROLE_DISPATCH)
			return add(f, OTST_RANK_B,
				   otst_format(f->o, "The bad pointer 0x%" PRIx64 " lies%s", addr,
					       where),
				   NULL, "otst -a");
	}
	note = otst_format(f->o, "the bad pointer 0x%" PRIx64 " lies%s; no record of a hook does",
			   addr, where);
	return otst_note_text(f->o, &f->v->notes, note);
}

static int judge_address(struct finder *f)
{
	uint64_t regs[OTST_REGS_MAX], addr = f->v->report.address, pc, base;
	size_t n = f->v->evidence.count;
	int err;

	if (!f->v->report.has_address)
		return 0;
	err = judge_memory(f, "The bad pointer", addr);
	if (!err && f->v->evidence.count == n && addr != f->v->failing)
		err = judge_unloaded(f, addr);
	if (err || f->v->evidence.count > n || !failing_regs(f, &pc, regs) || pc == addr)
		return err;
	err = otst_access_base(f->o, pc, regs, addr, &base);
	if (err) {
		const char *why = otst_strdup(f->o, otst_message(f->o));

		return points_there(f, regs) ?
			       otst_note(f->o, &f->v->errors,
					 otst_raise(f->o, err, "the failing instruction: %s",
						    why)) :
			       otst_check(f->o);
	}
	return base && base != addr ? judge_memory(f, "The base of the failing access", base) : 0;
}

/* ---- E: what ran just before ---- */

/* what ran on the cpu where a crash is asked for, or memory runs out, has nothing to do with it */
static bool fails_by_itself(enum otst_death death)
{
	return death != OTST_DEATH_NONE && death != OTST_DEATH_ASKED &&
	       death != OTST_DEATH_OUT_OF_MEMORY;
}

/*
 * A hook's capture on the cpu that failed, in the second before. The log's clock is
 * local_clock(), ftrace's sched_clock(): where the processor's is not stable the
 * former may be behind, and what seems to be captured later was not.
 */
static bool is_recent(const struct otst_report *r, const struct otst_trace *t)
{
	static const char *const captures[] = { "module", "stap", "ftrace", "perf" };
	size_t i;

	for (i = 0; i < sizeof(captures) / sizeof(*captures); i++) {
		if (!strcmp(t->source, captures[i]))
			break;
	}
	/* perf samples a cpu without any hook */
	if (i == sizeof(captures) / sizeof(*captures) || (!strcmp(t->source, "perf") && !t->probe))
		return false;
	/* trace_clock_global() is local_clock() of all cpus, which ftrace takes where that is not stable */
	if (t->clock != OTST_CLOCK_LOCAL &&
	    !(t->clock == OTST_CLOCK_TRACE && t->clock_name && !strcmp(t->clock_name, "global")))
		return false;
	return r->has_time && t->time + SECOND >= r->time && t->cpu >= 0 && t->cpu == r->cpu;
}

static int judge_captures(struct finder *f)
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
	err = otst_notes(f->o, &f->v->errors, &traces.errors);
	if (err || !n)
		return err;
	return add(f, OTST_RANK_E,
		   otst_format(f->o, "%zu capture%s on cpu %d in the last second; the last one: %s",
			       n, n == 1 ? "" : "s", f->v->report.cpu,
			       last->probe    ? last->probe :
			       last->headline ? last->headline :
						last->source),
		   last->handler, otst_format(f->o, "otst -t -c %d", f->v->report.cpu));
}

/* ---- the verdict ---- */

/* the innermost function of a failing or stuck task's stack that is hooked */
static const char *nearest(struct finder *f)
{
	const struct otst_verdict_stack *s = f->v->stacks.data;
	size_t i, k;

	for (i = 0; i < f->v->stacks.count; i++) {
		for (k = 0; k < s[i].nr_frames; k++) {
			if (running_steps(s[i].frames[k].where))
				return otst_format(f->o, "on %s, frame %zu of %s (PID %" PRIu64 ")",
						   name(f->o, &s[i].frames[k]), k,
						   s[i].task->comm ? s[i].task->comm : "?",
						   s[i].task->pid);
		}
	}
	return "on no function of these stacks";
}

/* has every kind of hook that the kernel may have been looked at */
static bool all_looked_at(const struct otst_verdict *v)
{
	const struct otst_coverage *c = v->coverage.data;
	size_t i;

	for (i = 0; i < v->coverage.count; i++) {
		if (otst_is_gap(&c[i]))
			return false;
	}
	return true;
}

static const char *far(struct finder *f)
{
	struct otst_verdict *v = f->v;

	if (v->rank == OTST_RANK_NONE)
		return all_looked_at(v) ? "No hooks exist in this kernel" :
					  "No hooks were found; not all kinds could be looked at";
	if (v->report.death == OTST_DEATH_NONE)
		return otst_format(f->o,
				   "The kernel was alive when the dump was made; %zu hooks exist",
				   v->hooks);
	return otst_format(
		f->o,
		"No hook runs on any stack of a failing or stuck task; %zu hooks exist, nearest: %s",
		v->hooks, nearest(f));
}

static int by_rank(const void *a, const void *b)
{
	return (int)((const struct otst_evidence_item *)a)->rank -
	       (int)((const struct otst_evidence_item *)b)->rank;
}

int otst_evidence_find(struct otst *o, struct otst_verdict *v, const struct otst_hooks *h)
{
	struct finder f = { .o = o, .v = v, .h = h };
	const struct otst_verdict_stack *s = v->stacks.data;
	size_t i;
	int err = 0;

	for (i = 0; i < v->stacks.count && !err; i++)
		err = judge_stack(&f, &s[i]);
	if (!err)
		err = judge_cpus(&f);
	if (!err)
		err = judge_address(&f);
	if (!err && v->report.death != OTST_DEATH_NONE)
		err = judge_audit(&f);
	if (!err && !v->evidence.count && fails_by_itself(v->report.death))
		err = judge_captures(&f);
	if (err)
		return err;
	if (v->evidence.count > 1)
		qsort(v->evidence.data, v->evidence.count, sizeof(struct otst_evidence_item),
		      by_rank);
	if (v->evidence.count) {
		const struct otst_evidence_item *first = v->evidence.data;

		v->rank = first->rank;
		v->sentence = first->rank < OTST_RANK_E ? first->text : far(&f);
	} else {
		v->rank = v->hooks ? OTST_RANK_F : OTST_RANK_NONE;
		v->sentence = far(&f);
	}
	return otst_check(o);
}
