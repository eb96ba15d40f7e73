// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * site.c - the order in which handlers run at one hooked instruction.
 *
 * A debug register triggers before the instruction is executed. A breakpoint or jump comes
 * before it, so kprobes armed that way are next. At an ftrace site (arch/x86/kernel/ftrace_64.S):
 *
 *  - the ftrace_ops in the order of ftrace_ops_list (__ftrace_ops_list_func());
 *    the newest comes first, add_ftrace_ops(). Under a manager the users of
 *    function graph run by their index (function_graph_enter_regs()).
 *  - function graph in the tail of the trampoline, if its ops is a stub
 *    (ftrace_graph_call, before v5.17 on x86)
 *  - the direct call of a BPF trampoline: the callback of its ops only notes
 *    it, and the trampoline jumps there at its end. Programs run in the order
 *    of bpf_trampoline.progs_hlist: fentry, fmod_ret, then the function.
 *  - the live patch: klp_ftrace_handler() only sets where execution continues.
 *
 * Each of them runs its handlers in the order of its records: records.c.
 *
 * Whoever takes the return address later runs earlier at the return: steps.c
 * reverses the groups that are noted here. The users of function graph share
 * one group, which __ftrace_return_to_handler() runs forwards; so do the
 * programs at the return of a BPF trampoline.
 */
#include <string.h>

#include "../ftrace/ftrace.h"
#include "where.h"

/* ---- one ftrace_ops ---- */

static bool is_graph(const struct otst_order *r, const struct otst_ftrace_ops *ops)
{
	return ops->entry || otst_handler_is(r->o, ops->func, "ftrace_graph_func") ||
	       otst_is_graph_ops(r->o, ops->addr);
}

/* before sub-ops, function graph has one user, in two pointers */
static uint64_t graph_pointer(struct otst *o, const char *name)
{
	uint64_t at = otst_symbol_or0(o, name), func;

	return at && !otst_read_u64(o, at, &func) ? func : 0;
}

static void add_graph(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops,
		      unsigned int group)
{
	struct otst_step s = { .addr = addr, .ops = ops, .role = OTST_STEP_ENTRY };
	uint64_t ret = ops->entry ? ops->ret : graph_pointer(r->o, "ftrace_graph_return");
	uint64_t at = ops->entry || ret ? 0 : otst_symbol_or0(r->o, "ftrace_graph_return");

	/* ftrace_graph_entry_test() calls the user's own handler */
	s.handler = ops->entry ? ops->entry : graph_pointer(r->o, "__ftrace_graph_entry");
	s.handler = s.handler ?: graph_pointer(r->o, "ftrace_graph_entry");
	s.handler = s.handler ?: ops->func;
	otst_symbolize_code(r->o, s.handler, &s.handler_sym);
	otst_order_step(r, &s);
	/* ftrace_stub, ftrace_stub_graph: nobody wants to see returns */
	s.role = OTST_STEP_RETURN;
	s.handler = ret;
	otst_symbolize_code(r->o, ret, &s.handler_sym);
	/* the pointer is never NULL: it could not be read */
	if (at) {
		s.why = "its handler cannot be read";
		otst_order_return(r, &s, group);
		return;
	}
	if (!ret || (s.handler_sym.name && !strncmp(s.handler_sym.name, "ftrace_stub", 11)))
		return;
	otst_order_return(r, &s, group);
}

/*
 * Linux ff205766dbbe ("ftrace: Fix function_graph tracer interaction with BPF
 * trampoline") (v5.5): function_graph_enter() does nothing if a direct call
 * waits for the trampoline's end, because ftrace_graph_caller then mistakes the
 * stack for another caller's. A count that cannot be read is taken as nonzero:
 * there is a direct call here.
 */
static bool is_passed_by(const struct otst_order *r, const struct otst_ftrace_ops *direct)
{
	uint64_t at = otst_symbol_or0(r->o, "ftrace_direct_func_count");
	uint32_t count;

	return direct && at && (otst_read_u32(r->o, at, &count) || count);
}

/* function graph called by the trampoline's tail */
static void add_tail(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops,
		     const struct otst_ftrace_ops *direct, const struct otst_ftrace_ops *patch)
{
	struct otst_step s = { .stage = OTST_STAGE_NEVER, .addr = addr, .ops = ops };
	struct otst_step *slot;

	if (is_passed_by(r, direct))
		s.why = "passes by what has a direct call";
	else if (patch && !ops->filter.empty)
		s.why = "its filter lacks the live patch's function, which it sees here";
	else {
		add_graph(r, addr, ops, ++r->groups);
		return;
	}
	s.role = OTST_STEP_ENTRY;
	s.handler = graph_pointer(r->o, "__ftrace_graph_entry");
	otst_symbolize_code(r->o, s.handler, &s.handler_sym);
	slot = otst_vec_push(r->o, &r->never, sizeof(*slot));
	*slot = s;
}

static int add_site_ops(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops,
			unsigned int group)
{
	struct otst_step s = { .addr = addr, .ops = ops, .role = OTST_STEP_CALL };

	if (ops->owner.kind == OTST_OWNER_KPROBES)
		return otst_order_kprobes(r, addr, OTST_STAGE_ENTRY, true, ops);
	if (ops->fprobe)
		return otst_order_fprobes(r, addr, ops, group);
	if (is_graph(r, ops)) {
		add_graph(r, addr, ops, group ? group : ++r->groups);
		return 0;
	}
	if (otst_ftrace_redirects(ops))
		s.role = OTST_STEP_REDIRECT;
	s.handler = ops->saved_func ? ops->saved_func : ops->func;
	s.handler_sym = ops->saved_func ? ops->saved_func_sym : ops->func_sym;
	otst_order_step(r, &s);
	return 0;
}

/* fgraph_ops.idx; the same for all if there is none */
static uint64_t graph_index(struct otst *o, const struct otst_ftrace_ops *ops)
{
	const struct otst_member *m;
	uint64_t idx;

	if (!ops->entry || otst_member(o, "fgraph_ops", "ops", &m) ||
	    otst_read_member(o, "fgraph_ops", ops->addr - m->offset, "idx", &idx))
		return 0;
	return idx;
}

/* how many sub-ops of one manager there are; they are adjacent from @first on */
static size_t count_users(const struct otst_ftrace_function *f, size_t first)
{
	size_t n = first;

	while (n < f->nr_ops && f->ops[n]->manager == f->ops[first]->manager)
		n++;
	return n - first;
}

static int add_site_users(struct otst_order *r, const struct otst_ftrace_function *f, size_t first,
			  size_t n)
{
	bool *done = otst_alloc(r->o, n);
	unsigned int group = ++r->groups;
	size_t i, k, best;
	int err = 0;

	if (!done)
		return otst_no_memory(r->o);
	for (i = 0; i < n && !err; i++) {
		for (k = 0, best = n; k < n; k++) {
			if (!done[k] &&
			    (best == n || graph_index(r->o, f->ops[first + k]) <
						  graph_index(r->o, f->ops[first + best])))
				best = k;
		}
		done[best] = true;
		err = add_site_ops(r, f->site.ip, f->ops[first + best], group);
	}
	return err;
}

/* ---- all of a site ---- */

static bool is_manager(const struct otst_ftrace_function *f, const struct otst_ftrace_ops *ops)
{
	for (size_t i = 0; ops->manages && i < f->nr_ops; i++) {
		if (f->ops[i]->manager == ops)
			return true;
	}
	return false;
}

static bool is_direct(const struct otst_order *r, const struct otst_ftrace_ops *ops)
{
	return ops->direct || otst_handler_is(r->o, ops->func, "call_direct_funcs");
}

static bool is_livepatch(const struct otst_order *r, const struct otst_ftrace_ops *ops)
{
	return otst_handler_is(r->o, ops->func, "klp_ftrace_handler");
}

/* its callback is never called: the trampoline's tail calls function graph */
static bool is_tail(const struct otst_order *r, const struct otst_ftrace_ops *ops)
{
	return is_graph(r, ops) && otst_handler_is(r->o, ops->func, "ftrace_stub");
}

/* add the ops that are called one after the other; @last gets those that wait for the end */
static int add_site_list(struct otst_order *r, const struct otst_ftrace_function *f,
			 const struct otst_ftrace_ops *last[3])
{
	size_t i, n;
	int err = 0;

	for (i = 0; i < f->nr_ops && !err; i += n) {
		const struct otst_ftrace_ops *ops = f->ops[i];

		n = ops->manager ? count_users(f, i) : 1;
		if (ops->manager)
			err = add_site_users(r, f, i, n);
		else if (is_manager(f, ops))
			continue;
		else if (is_tail(r, ops))
			last[0] = ops;
		else if (is_direct(r, ops))
			last[1] = ops;
		else if (is_livepatch(r, ops))
			last[2] = ops;
		else
			err = add_site_ops(r, f->site.ip, ops, 0);
	}
	return err;
}

static void add_direct(struct otst_order *r, uint64_t addr, const struct otst_ftrace_function *f,
		       const struct otst_ftrace_ops *ops)
{
	struct otst_step s = { .addr = addr, .ops = ops, .role = OTST_STEP_DIRECT };
	bool any = false;

	otst_order_programs(r, addr, ops, &any);
	if (any)
		return;
	s.handler = f && f->direct ? f->direct : ops ? ops->direct : 0;
	if (!s.handler && !ops)
		return;
	otst_symbolize_code(r->o, s.handler, &s.handler_sym);
	otst_order_step(r, &s);
}

static void add_livepatch(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops)
{
	struct otst_step s = { .addr = addr, .ops = ops, .role = OTST_STEP_CALL };
	bool any = false;

	otst_order_livepatches(r, addr, ops, &any);
	if (any || !ops)
		return;
	s.handler = ops->func;
	s.handler_sym = ops->func_sym;
	otst_order_step(r, &s);
}

int otst_order_site(struct otst_order *r, uint64_t addr, const struct otst_ftrace_function *f,
		    enum otst_stage stage)
{
	const struct otst_ftrace_ops *last[3] = { NULL };
	int err;

	otst_order_breakpoints(r, addr, stage);
	err = otst_order_kprobes(r, addr, stage, false, NULL);
	if (!err && f)
		err = add_site_list(r, f, last);
	/* if the ops cannot be read, the probes still tell */
	err = err ?: otst_order_kprobes(r, addr, stage, true, NULL);
	err = err ?: otst_order_fprobes(r, addr, NULL, 0);
	if (!err && last[0])
		add_tail(r, addr, last[0], last[1], last[2]);
	if (err)
		return err;
	add_direct(r, addr, f, last[1]);
	add_livepatch(r, addr, last[2]);
	return 0;
}
