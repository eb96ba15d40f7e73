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

#include "../base/hashmap.h"
#include "../ftrace/ftrace.h"
#include "where.h"

/* ---- single steps ---- */

void otst_order_step(struct otst_order *r, const struct otst_step *step)
{
	struct otst_step *slot = otst_vec_push(r->o, &r->steps, sizeof(*slot));

	*slot = *step;
}

void otst_order_return(struct otst_order *r, const struct otst_step *step, unsigned int group)
{
	struct otst_return_step *slot = otst_vec_push(r->o, &r->returns, sizeof(*slot));

	*slot = (struct otst_return_step){ *step, group };
	slot->step.stage = OTST_STAGE_RETURN;
}

static void set_handler(struct otst_step *s, enum otst_step_role role, const struct otst_handler *h)
{
	s->role = role;
	s->handler = h ? h->addr : 0;
	s->handler_sym = h ? h->sym : (struct otst_sym){ 0 };
}

static bool is_meant_to_run(const struct otst_meant *m)
{
	return m->probe->claim == OTST_CLAIM_ARMED && !m->used;
}

/* the probes at @addr, @count of them, as listed */
static struct otst_meant **find_meant(const struct otst_order *r, uint64_t addr, size_t *count)
{
	size_t low = 0, high = r->nr_meant, mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (r->by_address[mid]->probe->addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	for (; high < r->nr_meant && r->by_address[high]->probe->addr == addr; high++)
		;
	*count = high - low;
	return r->by_address + low;
}

/* ---- debug registers ---- */

/* an instruction's breakpoint precedes whatever else is there; watched data has nothing else */
void otst_order_breakpoints(struct otst_order *r, uint64_t addr, enum otst_stage stage)
{
	size_t i, n;
	struct otst_meant **here = find_meant(r, addr, &n);

	for (i = 0; i < n; i++) {
		struct otst_step s = { .stage = stage,
				       .addr = addr,
				       .role = OTST_STEP_CALL,
				       .probe = here[i]->probe };

		if (!is_meant_to_run(here[i]) || s.probe->kind != OTST_PROBE_HWBREAKPOINT)
			continue;
		here[i]->used = true;
		if (s.probe->nr_handlers)
			set_handler(&s, OTST_STEP_CALL, &s.probe->handlers[0]);
		otst_order_step(r, &s);
	}
}

/* ---- kprobes of one address ---- */

static bool is_kprobe(const struct otst_probe *p)
{
	return p->kind == OTST_PROBE_KPROBE || p->kind == OTST_PROBE_KRETPROBE ||
	       p->kind == OTST_PROBE_JPROBE || p->kind == OTST_PROBE_OTST ||
	       p->kind == OTST_PROBE_ALLIE;
}

static void add_kretprobe(struct otst_order *r, struct otst_step s)
{
	const struct otst_handler *entry = otst_probe_handler(s.probe, OTST_HANDLER_ENTRY);

	set_handler(&s, OTST_STEP_ENTRY, entry);
	s.why = entry ? NULL : "only takes the return address";
	otst_order_step(r, &s);
	s.why = NULL;
	set_handler(&s, OTST_STEP_RETURN, otst_probe_handler(s.probe, OTST_HANDLER_RETURN));
	otst_order_return(r, &s, ++r->groups);
}

/* what runs before the instruction; a kprobe without handlers is a step by itself */
static void add_before(struct otst_order *r, struct otst_step s)
{
	const struct otst_handler *pre = otst_probe_handler(s.probe, OTST_HANDLER_PRE);

	if (s.probe->kind == OTST_PROBE_KRETPROBE) {
		add_kretprobe(r, s);
		return;
	}
	if (s.probe->kind == OTST_PROBE_JPROBE) {
		set_handler(&s, OTST_STEP_ENTRY, otst_probe_handler(s.probe, OTST_HANDLER_JPROBE));
		otst_order_step(r, &s);
		return;
	}
	if (!pre && otst_probe_handler(s.probe, OTST_HANDLER_POST))
		return;
	if (pre)
		set_handler(&s, OTST_STEP_PRE, pre);
	else
		s.why = "has no handler";
	otst_order_step(r, &s);
}

static void add_after(struct otst_order *r, struct otst_step s)
{
	const struct otst_handler *post = otst_probe_handler(s.probe, OTST_HANDLER_POST);

	/* the pre handlers of these two are the kernel's; an optimized probe calls no post handler */
	if (!post || s.probe->kind == OTST_PROBE_KRETPROBE || s.probe->kind == OTST_PROBE_JPROBE ||
	    s.probe->via == OTST_VIA_JUMP)
		return;
	set_handler(&s, OTST_STEP_POST, post);
	otst_order_step(r, &s);
}

int otst_order_kprobes(struct otst_order *r, uint64_t addr, enum otst_stage stage, bool ftrace,
		       const struct otst_ftrace_ops *ops)
{
	struct otst_step s = { .stage = stage, .addr = addr, .ops = ops };
	size_t i, k, n;
	struct otst_meant **here = find_meant(r, addr, &n), **chosen;

	chosen = otst_alloc(r->o, (n + 1) * sizeof(*chosen));
	if (!chosen)
		return otst_no_memory(r->o);
	for (i = 0, k = 0; i < n; i++) {
		if (is_meant_to_run(here[i]) && is_kprobe(here[i]->probe) &&
		    (here[i]->probe->via == OTST_VIA_FTRACE) == ftrace)
			chosen[k++] = here[i];
	}
	for (i = 0; i < k; i++) {
		chosen[i]->used = true;
		s.probe = chosen[i]->probe;
		add_before(r, s);
	}
	for (i = 0; i < k; i++) {
		s.probe = chosen[i]->probe;
		add_after(r, s);
	}
	return 0;
}

/* ---- fprobes of one function ---- */

static bool is_fprobe(const struct otst_probe *p)
{
	return p->kind == OTST_PROBE_FPROBE || p->kind == OTST_PROBE_KPROBE_MULTI;
}

static void add_fprobe(struct otst_order *r, struct otst_meant *m, uint64_t addr,
		       const struct otst_ftrace_ops *ops, unsigned int group)
{
	struct otst_step s = { .addr = addr, .ops = ops, .probe = m->probe };
	const struct otst_handler *entry = otst_probe_handler(s.probe, OTST_HANDLER_ENTRY);
	const struct otst_handler *exit = otst_probe_handler(s.probe, OTST_HANDLER_EXIT);

	m->used = true;
	set_handler(&s, OTST_STEP_ENTRY, entry);
	s.why = entry ? NULL : "only takes the return address";
	otst_order_step(r, &s);
	s.why = NULL;
	set_handler(&s, OTST_STEP_RETURN, exit);
	if (exit)
		otst_order_return(r, &s, group);
}

/**
 * struct chain - the fprobes at one address, in the order in which fprobe_ip_table chains them
 * @by_link: struct otst_meant by the address of its link
 */
struct chain {
	struct otst_meant **items;
	size_t count;
	struct otst_hashmap by_link;
	struct otst_set done;
};

static uint64_t key_of_record(const struct otst_meant *m)
{
	return (uint64_t)(uintptr_t)m;
}

/* @m and what follows it, up to one that is already there */
static void follow_meant(struct otst *o, struct chain *c, struct otst_meant *m)
{
	bool added;

	while (m && !otst_set_add(o, &c->done, key_of_record(m), &added) && added) {
		c->items[c->count++] = m;
		m = m->probe->next_link ? otst_hashmap_find(&c->by_link, m->probe->next_link) :
					  NULL;
	}
}

/* chains from their beginnings; then loops, from the first one listed */
static int read_fprobe_chain(struct otst_order *r, uint64_t addr, struct chain *c)
{
	struct otst_set followers = { 0 };
	size_t i, n;
	struct otst_meant **here = find_meant(r, addr, &n);
	void **place;
	bool added;

	c->items = otst_alloc(r->o, (n + 1) * sizeof(*c->items));
	for (i = 0; i < n; i++) {
		const struct otst_probe *p = here[i]->probe;

		place = is_fprobe(p) && p->link ? otst_hashmap_place(r->o, &c->by_link, p->link) :
						  NULL;
		if (place && !*place)
			*place = here[i];
		if (is_fprobe(p) && p->next_link)
			otst_set_add(r->o, &followers, p->next_link, &added);
	}
	for (i = 0; i < n; i++) {
		if (is_fprobe(here[i]->probe) &&
		    (!here[i]->probe->link || !otst_set_has(&followers, here[i]->probe->link)))
			follow_meant(r->o, c, here[i]);
	}
	for (i = 0; i < n; i++) {
		if (is_fprobe(here[i]->probe))
			follow_meant(r->o, c, here[i]);
	}
	return otst_check(r->o);
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
	struct chain c = { 0 };
	int err = read_fprobe_chain(r, addr, &c);

	for (size_t i = 0; i < c.count && !err; i++) {
		/* fprobes with an ops of their own each take the return address separately */
		if (is_meant_to_run(c.items[i]) && is_called_by(r, c.items[i]->probe, ops))
			add_fprobe(r, c.items[i], addr, ops, group ? group : ++r->groups);
	}
	return err;
}

/* ---- BPF trampolines, live patches ---- */

static bool is_program_record(const struct otst_probe *p)
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
void otst_order_programs(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops,
			 bool *any)
{
	unsigned int group = ++r->groups;
	size_t i, n;
	struct otst_meant **here = find_meant(r, addr, &n);

	for (i = 0; i < n; i++) {
		struct otst_step s = { .addr = addr, .ops = ops, .probe = here[i]->probe };

		if (!is_meant_to_run(here[i]) || !is_program_record(s.probe))
			continue;
		here[i]->used = true;
		*any = true;
		/* programs have no handler, except for the code that runs those of cgroups */
		set_handler(&s, program_role(s.probe),
			    otst_probe_handler(s.probe, OTST_HANDLER_BPF));
		if (s.probe->at_return)
			otst_order_return(r, &s, group);
		else
			otst_order_step(r, &s);
	}
}

void otst_order_livepatches(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops,
			    bool *any)
{
	size_t i, n;
	struct otst_meant **here = find_meant(r, addr, &n);

	for (i = 0; i < n; i++) {
		struct otst_step s = { .addr = addr, .ops = ops, .probe = here[i]->probe };

		if (!is_meant_to_run(here[i]) || s.probe->kind != OTST_PROBE_LIVEPATCH)
			continue;
		here[i]->used = true;
		*any = true;
		set_handler(&s, OTST_STEP_REDIRECT,
			    otst_probe_handler(s.probe, OTST_HANDLER_REPLACEMENT));
		otst_order_step(r, &s);
	}
}
