// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * site.c - the order in which handlers run at one hooked instruction.
 *
 * A debug register stops before the instruction is looked at. A breakpoint or
 * jump stands before it, so kprobes that came in that way are next. At an ftrace site (arch/x86/kernel/ftrace_64.S):
 *
 *  - the ftrace_ops in the order of ftrace_ops_list (__ftrace_ops_list_func());
 *    the newest stands first, add_ftrace_ops(). Under a manager the users of
 *    function graph run by their index (function_graph_enter_regs()).
 *  - function graph in the tail of the trampoline, where its ops is a stub
 *    (ftrace_graph_call, before v5.17 on x86)
 *  - the direct call of a BPF trampoline: the callback of its ops only notes
 *    it, and the trampoline jumps there at its end. Programs run in the order
 *    of bpf_trampoline.progs_hlist: fentry, fmod_ret, then the function.
 *  - the live patch: klp_ftrace_handler() only sets where to go on.
 *
 * Inside one ops, kprobes of an aggregate run in the order of its list
 * (aggr_pre_handler()), all pre handlers before all post handlers; fprobes in
 * the order in which fprobe_ip_table chains them (fprobe_fgraph_entry()).
 *
 * Whoever takes the return address is run by whoever took it later: steps.c
 * turns the groups around that are noted here. Users of function graph share
 * one group, which __ftrace_return_to_handler() runs forwards; so do the
 * programs at the return of a BPF trampoline.
 */
#include <string.h>

#include "where.h"

/* ---- single steps ---- */

static const struct otst_handler *find_handler(const struct otst_probe *p, const char *role)
{
	unsigned int i;

	for (i = 0; i < p->nr_handlers; i++) {
		if (!strcmp(p->handlers[i].role, role))
			return &p->handlers[i];
	}
	return NULL;
}

static int add_step(struct otst_order *r, const struct otst_step *step)
{
	struct otst_step *slot = otst_vec_push(r->o, &r->steps, sizeof(*slot));

	if (!slot)
		return otst_no_memory(r->o);
	*slot = *step;
	return 0;
}

static int add_return(struct otst_order *r, const struct otst_step *step, unsigned int group)
{
	struct otst_return_step *slot = otst_vec_push(r->o, &r->returns, sizeof(*slot));

	if (!slot)
		return otst_no_memory(r->o);
	*slot = (struct otst_return_step){ *step, group };
	slot->step.stage = OTST_STAGE_RETURN;
	return 0;
}

static void set_handler(struct otst_step *s, const char *role, const struct otst_handler *h)
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

/* an instruction's own breakpoint comes before whatever stands there; watched data has no other place */
static int add_breakpoints(struct otst_order *r, uint64_t addr, enum otst_stage stage)
{
	size_t i;
	int err = 0;

	for (i = 0; i < r->h->probes.count && !err; i++) {
		struct otst_step s = {
			.stage = stage, .addr = addr, .role = "call", .probe = r->h->probes.items[i]
		};

		if (!runs_at(r, i, addr) || s.probe->kind != OTST_PROBE_HWBREAKPOINT)
			continue;
		r->used[i] = true;
		if (s.probe->nr_handlers)
			set_handler(&s, "call", &s.probe->handlers[0]);
		err = add_step(r, &s);
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
	const struct otst_handler *entry = find_handler(s.probe, "entry_handler");
	int err;

	set_handler(&s, "entry", entry);
	s.why = entry ? NULL : "only takes the return address";
	err = add_step(r, &s);
	s.why = NULL;
	set_handler(&s, "return", find_handler(s.probe, "handler"));
	return err ? err : add_return(r, &s, ++r->groups);
}

/* what runs before the instruction; a kprobe without handlers stands for itself */
static int add_before(struct otst_order *r, struct otst_step s)
{
	const struct otst_handler *pre = find_handler(s.probe, "pre_handler");

	if (s.probe->kind == OTST_PROBE_KRETPROBE)
		return add_kretprobe(r, s);
	if (s.probe->kind == OTST_PROBE_JPROBE) {
		set_handler(&s, "entry", find_handler(s.probe, "entry"));
		return add_step(r, &s);
	}
	if (!pre && find_handler(s.probe, "post_handler"))
		return 0;
	if (pre)
		set_handler(&s, "pre", pre);
	else
		s.why = "has no handler";
	return add_step(r, &s);
}

static int add_after(struct otst_order *r, struct otst_step s)
{
	const struct otst_handler *post = find_handler(s.probe, "post_handler");

	/* the pre handlers of these two are the kernel's; an optimized probe calls no post handler */
	if (!post || s.probe->kind == OTST_PROBE_KRETPROBE || s.probe->kind == OTST_PROBE_JPROBE ||
	    s.probe->via == OTST_VIA_JUMP)
		return 0;
	set_handler(&s, "post", post);
	return add_step(r, &s);
}

static int add_kprobes(struct otst_order *r, uint64_t addr, enum otst_stage stage, bool ftrace,
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
	const struct otst_handler *entry = find_handler(s.probe, "entry_handler");
	const struct otst_handler *exit = find_handler(s.probe, "exit_handler");
	int err = 0;

	r->used[i] = true;
	set_handler(&s, "entry", entry);
	s.why = entry ? NULL : "only takes the return address";
	err = add_step(r, &s);
	s.why = NULL;
	set_handler(&s, "return", exit);
	return err || !exit ? err : add_return(r, &s, group);
}

/* is there one at @addr, disabled or not, whose chain goes on with @link */
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

/* the next one of the chain; those of a loop as they come */
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

/* kernels that have fprobe_ftrace_ops call those without an exit handler through it, not through function graph */
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
	return !ops->manager == !find_handler(p, "exit_handler");
}

static int add_fprobes(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops,
		       unsigned int group)
{
	bool *done = otst_alloc(r->o, r->h->probes.count + 1);
	size_t i;
	int err = 0;

	if (!done)
		return otst_no_memory(r->o);
	while (!err && (i = next_fprobe(r, done, addr)) != SIZE_MAX) {
		done[i] = true;
		/* each with an ops of its own takes the return address by itself */
		if (runs_at(r, i, addr) && is_called_by(r, r->h->probes.items[i], ops))
			err = add_fprobe(r, i, addr, ops, group ? group : ++r->groups);
		if (!err)
			err = otst_check(r->o);
	}
	return err;
}

/* ---- one ftrace_ops ---- */

static bool is_graph(const struct otst_order *r, const struct otst_ftrace_ops *ops)
{
	return ops->entry || otst_handler_is(r->o, ops->func, "ftrace_graph_func") ||
	       ops->addr == otst_symbol_or0(r->o, "graph_ops");
}

/* before sub-ops, function graph has one user, in two pointers */
static uint64_t graph_pointer(struct otst *o, const char *name)
{
	uint64_t at = otst_symbol_or0(o, name), func;

	return at && !otst_read_u64(o, at, &func) ? func : 0;
}

static int add_graph(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops,
		     unsigned int group)
{
	struct otst_step s = { .addr = addr, .ops = ops, .role = "entry" };
	uint64_t ret = ops->entry ? ops->ret : graph_pointer(r->o, "ftrace_graph_return");
	uint64_t at = ops->entry || ret ? 0 : otst_symbol_or0(r->o, "ftrace_graph_return");
	int err;

	/* behind ftrace_graph_entry_test() stands the user's own */
	s.handler = ops->entry ? ops->entry : graph_pointer(r->o, "__ftrace_graph_entry");
	if (!s.handler)
		s.handler = graph_pointer(r->o, "ftrace_graph_entry");
	if (!s.handler)
		s.handler = ops->func;
	otst_symbolize_all(r->o, s.handler, &s.handler_sym);
	err = add_step(r, &s);
	/* ftrace_stub, ftrace_stub_graph: nobody wants to see returns */
	s.role = "return";
	s.handler = ret;
	otst_symbolize_all(r->o, ret, &s.handler_sym);
	/* it is never NULL */
	if (!err && at) {
		s.why = "its handler cannot be read";
		return add_return(r, &s, group);
	}
	if (err || !ret || (s.handler_sym.name && !strncmp(s.handler_sym.name, "ftrace_stub", 11)))
		return err;
	return add_return(r, &s, group);
}

/*
 * Linux ff205766dbbe ("ftrace: Fix function_graph tracer interaction with BPF
 * trampoline") (v5.5): function_graph_enter() does nothing where a direct call
 * waits for the trampoline's end, for ftrace_graph_caller then takes the stack
 * for that of another caller. A count that cannot be read is none of zero: there
 * is a direct call here.
 */
static bool is_passed_by(const struct otst_order *r, const struct otst_ftrace_ops *direct)
{
	uint64_t at = otst_symbol_or0(r->o, "ftrace_direct_func_count");
	uint32_t count;

	return direct && at && (otst_read_u32(r->o, at, &count) || count);
}

/* function graph called by the trampoline's tail */
static int add_tail(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops,
		    const struct otst_ftrace_ops *direct)
{
	struct otst_step s = { .stage = OTST_STAGE_NEVER, .addr = addr, .ops = ops };
	struct otst_step *slot;

	if (!is_passed_by(r, direct))
		return add_graph(r, addr, ops, ++r->groups);
	s.role = "entry";
	s.why = "passes by what has a direct call";
	s.handler = graph_pointer(r->o, "__ftrace_graph_entry");
	otst_symbolize_all(r->o, s.handler, &s.handler_sym);
	slot = otst_vec_push(r->o, &r->never, sizeof(*slot));
	if (!slot)
		return otst_no_memory(r->o);
	*slot = s;
	return 0;
}

static int add_ops(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops,
		   unsigned int group)
{
	struct otst_step s = { .addr = addr, .ops = ops, .role = "call" };

	if (ops->owner.kind == OTST_OWNER_KPROBES)
		return add_kprobes(r, addr, OTST_STAGE_ENTRY, true, ops);
	if (ops->fprobe)
		return add_fprobes(r, addr, ops, group);
	if (is_graph(r, ops))
		return add_graph(r, addr, ops, group ? group : ++r->groups);
	s.handler = ops->saved_func ? ops->saved_func : ops->func;
	s.handler_sym = ops->saved_func ? ops->saved_func_sym : ops->func_sym;
	return add_step(r, &s);
}

/* fgraph_ops.idx; the same for all where there is none */
static uint64_t graph_index(struct otst *o, const struct otst_ftrace_ops *ops)
{
	const struct otst_member *m;
	uint64_t idx;

	if (!ops->entry || otst_member(o, "fgraph_ops", "ops", &m) ||
	    otst_read_member(o, "fgraph_ops", ops->addr - m->offset, "idx", &idx))
		return 0;
	return idx;
}

/* sub-ops of one manager, which stand together from @first on; how many they are */
static size_t count_users(const struct otst_ftrace_function *f, size_t first)
{
	size_t n = first;

	while (n < f->nr_ops && f->ops[n]->manager == f->ops[first]->manager)
		n++;
	return n - first;
}

static int add_users(struct otst_order *r, const struct otst_ftrace_function *f, size_t first,
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
		err = add_ops(r, f->site.ip, f->ops[first + best], group);
	}
	return err;
}

/* ---- all of a site ---- */

static bool is_manager(const struct otst_ftrace_function *f, const struct otst_ftrace_ops *ops)
{
	size_t i;

	for (i = 0; i < f->nr_ops; i++) {
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

/* its callback is never called: the trampoline's tail does it */
static bool is_tail(const struct otst_order *r, const struct otst_ftrace_ops *ops)
{
	return is_graph(r, ops) && otst_handler_is(r->o, ops->func, "ftrace_stub");
}

/* those that are called one after the other; what waits for the end is left in @last */
static int add_list(struct otst_order *r, const struct otst_ftrace_function *f,
		    const struct otst_ftrace_ops *last[3])
{
	size_t i, n;
	int err = 0;

	for (i = 0; i < f->nr_ops && !err; i += n) {
		const struct otst_ftrace_ops *ops = f->ops[i];

		n = ops->manager ? count_users(f, i) : 1;
		if (ops->manager)
			err = add_users(r, f, i, n);
		else if (is_manager(f, ops))
			continue;
		else if (is_tail(r, ops))
			last[0] = ops;
		else if (is_direct(r, ops))
			last[1] = ops;
		else if (is_livepatch(r, ops))
			last[2] = ops;
		else
			err = add_ops(r, f->site.ip, ops, 0);
	}
	return err;
}

static bool is_program(const struct otst_probe *p)
{
	return p->kind == OTST_PROBE_FENTRY || p->kind == OTST_PROBE_FEXIT ||
	       p->kind == OTST_PROBE_FMOD_RET || p->kind == OTST_PROBE_LSM ||
	       p->kind == OTST_PROBE_FREPLACE;
}

static const char *program_role(const struct otst_probe *p)
{
	if (p->kind == OTST_PROBE_FREPLACE)
		return "replace";
	return p->at_return ? "return" : p->kind == OTST_PROBE_FENTRY ? "entry" : "modify";
}

/* a BPF trampoline's lists come as fentry, fexit, fmod_ret; what runs at return waits for it */
static int add_programs(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops,
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
		s.role = program_role(s.probe);
		err = s.probe->at_return ? add_return(r, &s, group) : add_step(r, &s);
	}
	return err;
}

static int add_direct(struct otst_order *r, uint64_t addr, const struct otst_ftrace_function *f,
		      const struct otst_ftrace_ops *ops)
{
	struct otst_step s = { .addr = addr, .ops = ops, .role = "direct" };
	bool any = false;
	int err = add_programs(r, addr, ops, &any);

	if (err || any)
		return err;
	s.handler = f && f->direct ? f->direct : ops ? ops->direct : 0;
	if (!s.handler && !ops)
		return 0;
	otst_symbolize_all(r->o, s.handler, &s.handler_sym);
	return add_step(r, &s);
}

static int add_livepatch(struct otst_order *r, uint64_t addr, const struct otst_ftrace_ops *ops)
{
	bool any = false;
	size_t i;
	int err = 0;

	for (i = 0; i < r->h->probes.count && !err; i++) {
		struct otst_step s = { .addr = addr, .ops = ops, .probe = r->h->probes.items[i] };

		if (!runs_at(r, i, addr) || s.probe->kind != OTST_PROBE_LIVEPATCH)
			continue;
		r->used[i] = true;
		any = true;
		set_handler(&s, "redirect", find_handler(s.probe, "new_func"));
		err = add_step(r, &s);
	}
	if (!err && ops && !any) {
		struct otst_step s = { .addr = addr,
				       .ops = ops,
				       .role = "call",
				       .handler = ops->func,
				       .handler_sym = ops->func_sym };

		err = add_step(r, &s);
	}
	return err;
}

int otst_order_site(struct otst_order *r, uint64_t addr, const struct otst_ftrace_function *f,
		    enum otst_stage stage)
{
	const struct otst_ftrace_ops *last[3] = { NULL };
	int err = add_breakpoints(r, addr, stage);

	if (!err)
		err = add_kprobes(r, addr, stage, false, NULL);
	if (!err && f)
		err = add_list(r, f, last);
	/* where the ops cannot be read, the probes still tell */
	if (!err)
		err = add_kprobes(r, addr, stage, true, NULL);
	if (!err)
		err = add_fprobes(r, addr, NULL, 0);
	if (!err && last[0])
		err = add_tail(r, addr, last[0], last[1]);
	if (!err)
		err = add_direct(r, addr, f, last[1]);
	return err ? err : add_livepatch(r, addr, last[2]);
}
