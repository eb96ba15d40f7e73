// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * records.c - the probes of one mechanism at one place, as steps in the order in
 * which that mechanism runs them: breakpoints in debug registers; kprobes of an
 * aggregate in the order of its list, all pre handlers before all post handlers
 * (aggr_pre_handler()); fprobes in the order in which fprobe_ip_table chains them
 * (fprobe_fgraph_entry()); the programs of a BPF trampoline in the order of
 * bpf_trampoline.progs_hlist; live patches. site.c knows the order of the mechanisms.
 */

#include "../ftrace/ftrace.h"
#include "where.h"

/* ---- single steps ---- */

int otst_order_step(struct otst_order *r, const struct otst_step *step)
{
	struct otst_step *slot = otst_vec_push(r->o, &r->steps, sizeof(*slot));

	*slot = *step;
	return 0;
}

int otst_order_return(struct otst_order *r, const struct otst_step *step, unsigned int group)
{
	struct otst_return_step *slot = otst_vec_push(r->o, &r->returns, sizeof(*slot));

	*slot = (struct otst_return_step){ *step, group };
	slot->step.stage = OTST_STAGE_RETURN;
	return 0;
}

static void set_handler(struct otst_step *s, enum otst_step_role role, const struct otst_handler *h)
{
	s->role = role;
	s->handler = h ? h->addr : 0;
	s->handler_sym = h ? h->sym : (struct otst_sym){ 0 };
}

static bool runs_at(const struct otst_order *r, size_t i, uint64_t addr)
{
	const struct otst_probe *p = r->h->probes.items[i];

	return p->addr == addr && p->claim == OTST_CLAIM_ARMED && !r->used[i];
}

/* ---- debug registers ---- */

/* an instruction's breakpoint precedes whatever else is there; watched data has nothing else */
int otst_order_breakpoints(struct otst_order *r, uint64_t addr, enum otst_stage stage)
{
	size_t i;
	int err = 0;

	for (i = 0; i < r->h->probes.count && !err; i++) {
		struct otst_step s = { .stage = stage,
				       .addr = addr,
				       .role = OTST_STEP_CALL,
				       .probe = r->h->probes.items[i] };

		if (!runs_at(r, i, addr) || s.probe->kind != OTST_PROBE_HWBREAKPOINT)
			continue;
		r->used[i] = true;
		if (s.probe->nr_handlers)
			set_handler(&s, OTST_STEP_CALL, &s.probe->handlers[0]);
		err = otst_order_step(r, &s);
	}
	return err;
}

/* ---- kprobes of one address ---- */

static bool is_kprobe(const struct otst_probe *p)
{
	return p->kind == OTST_PROBE_KPROBE || p->kind == OTST_PROBE_KRETPROBE ||
	       p->kind == OTST_PROBE_JPROBE || p->kind == OTST_PROBE_OTST ||
	       p->kind == OTST_PROBE_ALLIE;
}

static int add_kretprobe(struct otst_order *r, struct otst_step s)
{
	const struct otst_handler *entry = otst_probe_handler(s.probe, OTST_HANDLER_ENTRY);
	int err;

	set_handler(&s, OTST_STEP_ENTRY, entry);
	s.why = entry ? NULL : "only takes the return address";
	err = otst_order_step(r, &s);
	s.why = NULL;
	set_handler(&s, OTST_STEP_RETURN, otst_probe_handler(s.probe, OTST_HANDLER_RETURN));
	return err ? err : otst_order_return(r, &s, ++r->groups);
}

/* what runs before the instruction; a kprobe without handlers is a step by itself */
static int add_before(struct otst_order *r, struct otst_step s)
{
	const struct otst_handler *pre = otst_probe_handler(s.probe, OTST_HANDLER_PRE);

	if (s.probe->kind == OTST_PROBE_KRETPROBE)
		return add_kretprobe(r, s);
	if (s.probe->kind == OTST_PROBE_JPROBE) {
		set_handler(&s, OTST_STEP_ENTRY, otst_probe_handler(s.probe, OTST_HANDLER_JPROBE));
		return otst_order_step(r, &s);
	}
	if (!pre && otst_probe_handler(s.probe, OTST_HANDLER_POST))
		return 0;
	if (pre)
		set_handler(&s, OTST_STEP_PRE, pre);
	else
		s.why = "has no handler";
	return otst_order_step(r, &s);
}

static int add_after(struct otst_order *r, struct otst_step s)
{
	const struct otst_handler *post = otst_probe_handler(s.probe, OTST_HANDLER_POST);

	/* the pre handlers of these two are the kernel's; an optimized probe calls no post handler */
	if (!post || s.probe->kind == OTST_PROBE_KRETPROBE || s.probe->kind == OTST_PROBE_JPROBE ||
	    s.probe->via == OTST_VIA_JUMP)
		return 0;
	set_handler(&s, OTST_STEP_POST, post);
	return otst_order_step(r, &s);
}

int otst_order_kprobes(struct otst_order *r, uint64_t addr, enum otst_stage stage, bool ftrace,
		       const struct otst_ftrace_ops *ops)
{
	size_t i, k, n = r->h->probes.count;
	struct otst_step s = { .stage = stage, .addr = addr, .ops = ops };
	size_t *chosen = otst_alloc(r->o, (n + 1) * sizeof(*chosen));
	int err = 0;

	if (!chosen)
		return otst_no_memory(r->o);
	for (i = 0, k = 0; i < n; i++) {
		s.probe = r->h->probes.items[i];
		if (runs_at(r, i, addr) && is_kprobe(s.probe) &&
		    (s.probe->via == OTST_VIA_FTRACE) == ftrace)
			chosen[k++] = i;
	}
	for (i = 0, n = k; i < n && !err; i++) {
		r->used[chosen[i]] = true;
		s.probe = r->h->probes.items[chosen[i]];
		err = add_before(r, s);
	}
	for (i = 0; i < n && !err; i++) {
		s.probe = r->h->probes.items[chosen[i]];
		err = add_after(r, s);
	}
	return err;
}

/* ---- fprobes of one function ---- */

static bool is_fprobe(const struct otst_probe *p)
{
	return p->kind == OTST_PROBE_FPROBE || p->kind == OTST_PROBE_KPROBE_MULTI;
}

static int add_fprobe(struct otst_order *r, size_t i, uint64_t addr,
		      const struct otst_ftrace_ops *ops, unsigned int group)
{
	struct otst_step s = { .addr = addr, .ops = ops, .probe = r->h->probes.items[i] };
	const struct otst_handler *entry = otst_probe_handler(s.probe, OTST_HANDLER_ENTRY);
	const struct otst_handler *exit = otst_probe_handler(s.probe, OTST_HANDLER_EXIT);
	int err = 0;

	r->used[i] = true;
	set_handler(&s, OTST_STEP_ENTRY, entry);
	s.why = entry ? NULL : "only takes the return address";
	err = otst_order_step(r, &s);
	s.why = NULL;
	set_handler(&s, OTST_STEP_RETURN, exit);
	return err || !exit ? err : otst_order_return(r, &s, group);
}

/* is an fprobe left at @addr, disabled or not, whose chain continues with @link */
static bool comes_later(const struct otst_order *r, const bool *done, uint64_t addr, uint64_t link)
{
	size_t i;

	for (i = 0; link && i < r->h->probes.count; i++) {
		const struct otst_probe *p = r->h->probes.items[i];

		if (!done[i] && p->addr == addr && is_fprobe(p) && p->next_link == link)
			return true;
	}
	return false;
}

/* the next fprobe of the chain; if they form a loop, the first one left */
static size_t next_fprobe(const struct otst_order *r, const bool *done, uint64_t addr)
{
	size_t i, first = SIZE_MAX;

	for (i = 0; i < r->h->probes.count; i++) {
		const struct otst_probe *p = r->h->probes.items[i];

		if (done[i] || p->addr != addr || !is_fprobe(p))
			continue;
		if (!comes_later(r, done, addr, p->link))
			return i;
		first = first == SIZE_MAX ? i : first;
	}
	return first;
}

/* kernels with fprobe_ftrace_ops call fprobes without an exit handler by it, not by fgraph */
static bool is_called_by(const struct otst_order *r, const struct otst_probe *p,
			 const struct otst_ftrace_ops *ops)
{
	const struct otst_member *m;

	if (!ops)
		return true;
	if (!p->link)
		return !otst_member(r->o, "fprobe", "ops", &m) &&
		       p->record + m->offset == ops->addr;
	if (!otst_has_symbol(r->o, "fprobe_ftrace_ops"))
		return true;
	return !ops->manager == !otst_probe_handler(p, OTST_HANDLER_EXIT);
}

int otst_order_fprobes(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops,
		       unsigned int group)
{
	bool *done = otst_alloc(r->o, r->h->probes.count + 1);
	size_t i;
	int err = 0;

	if (!done)
		return otst_no_memory(r->o);
	while (!err && (i = next_fprobe(r, done, addr)) != SIZE_MAX) {
		done[i] = true;
		/* fprobes with an ops of their own each take the return address separately */
		if (runs_at(r, i, addr) && is_called_by(r, r->h->probes.items[i], ops))
			err = add_fprobe(r, i, addr, ops, group ? group : ++r->groups);
		err = err ?: otst_check(r->o);
	}
	return err;
}

/* ---- BPF trampolines, live patches ---- */

static bool is_program(const struct otst_probe *p)
{
	return p->kind == OTST_PROBE_FENTRY || p->kind == OTST_PROBE_FEXIT ||
	       p->kind == OTST_PROBE_FMOD_RET || p->kind == OTST_PROBE_LSM ||
	       p->kind == OTST_PROBE_FREPLACE;
}

static enum otst_step_role program_role(const struct otst_probe *p)
{
	if (p->kind == OTST_PROBE_FREPLACE)
		return OTST_STEP_REPLACE;
	return p->at_return		    ? OTST_STEP_RETURN :
	       p->kind == OTST_PROBE_FENTRY ? OTST_STEP_ENTRY :
					      OTST_STEP_MODIFY;
}

/* a BPF trampoline's lists come as fentry, fexit, fmod_ret; what runs at return comes later */
int otst_order_programs(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops,
			bool *any)
{
	unsigned int group = ++r->groups;
	size_t i;
	int err = 0;

	for (i = 0; i < r->h->probes.count && !err; i++) {
		struct otst_step s = { .addr = addr, .ops = ops, .probe = r->h->probes.items[i] };

		if (!runs_at(r, i, addr) || !is_program(s.probe))
			continue;
		r->used[i] = true;
		*any = true;
		/* programs have no handler, except for the code that runs those of cgroups */
		set_handler(&s, program_role(s.probe),
			    otst_probe_handler(s.probe, OTST_HANDLER_BPF));
		err = s.probe->at_return ? otst_order_return(r, &s, group) : otst_order_step(r, &s);
	}
	return err;
}

int otst_order_livepatches(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops,
			   bool *any)
{
	size_t i;
	int err = 0;

	for (i = 0; i < r->h->probes.count && !err; i++) {
		struct otst_step s = { .addr = addr, .ops = ops, .probe = r->h->probes.items[i] };

		if (!runs_at(r, i, addr) || s.probe->kind != OTST_PROBE_LIVEPATCH)
			continue;
		r->used[i] = true;
		*any = true;
		set_handler(&s, OTST_STEP_REDIRECT,
			    otst_probe_handler(s.probe, OTST_HANDLER_REPLACEMENT));
		err = otst_order_step(r, &s);
	}
	return err;
}
