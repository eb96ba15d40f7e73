// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * owner.c - the owner of a struct ftrace_ops. The callback tells: a
 * module's function stands for that module; those of the kernel's own users
 * stand for kprobes, fprobe, livepatch, perf, BPF or a tracer, whose records
 * surround the ftrace_ops or are behind its private pointer.
 */
#include <string.h>

#include "../base/coverage.h"
#include "../capturers/owner.h"
#include "ftrace.h"

#define MAX_NAME 256

static void set_owner(struct otst_ftrace_ops *ops, enum otst_owner_kind kind, const char *name)
{
	ops->owner.kind = kind;
	ops->owner.name = name;
}

static void own_by_module(struct otst_ftrace_ops *ops, const struct otst_module *m)
{
	set_owner(ops, OTST_OWNER_MODULE, m->name);
	ops->owner.hidden = m->hidden;
}

/* "@tracer of @array"; the private pointer of a tracer's ops leads to its trace array */
static const char *name_tracer(struct otst *o, const struct otst_ftrace_ops *ops,
			       const char *tracer)
{
	uint64_t name = 0, top = otst_symbol_or0(o, "global_trace");
	const char *array = NULL, *s;
	const struct otst_member *m;
	int err = 0;

	/* a tracer's ops has it since trace arrays have ops of their own, and function graph since 6.10 */
	if (!ops->private && otst_has_member(o, "trace_array", "ops"))
		otst_lack(o, otst_member(o, "ftrace_ops", "private", &m));
	if (ops->private && ops->private != top)
		err = otst_lack(o, otst_read_member(o, "trace_array", ops->private, "name", &name));
	if (!err && !name && (ops->private || ops->addr == otst_symbol_or0(o, "global_ops")))
		array = "top";
	else if (err || !name || otst_read_string(o, name, MAX_NAME, &array))
		array = NULL;
	s = array ? otst_format(o, "%s of %s", tracer, array) : tracer;
	return s ? s : tracer;
}

/* the struct fprobe around @ops: its user's handlers tell the owner */
static void own_fprobe(struct otst *o, struct otst_ftrace_ops *ops)
{
	const struct otst_member *m;

	ops->fprobe = true;
	set_owner(ops, OTST_OWNER_FPROBE, NULL);
	/*
	 * Linux 4346ba160409 ("fprobe: Rewrite fprobe on function-graph
	 * tracer") (v6.14): from then on all share one ops.
	 */
	if (otst_has_symbol(o, "fprobe_table") || otst_lack(o, otst_member(o, "fprobe", "ops", &m)))
		return;
	otst_fprobe_owner(o, ops->addr - m->offset, &ops->owner);
	if (ops->owner.kind == OTST_OWNER_MODULE || ops->owner.kind == OTST_OWNER_KERNEL)
		ops->owner.kind = OTST_OWNER_FPROBE;
}

/* the struct klp_ops around @ops; the function on top of its stack lies in the patch */
static const char *name_patch(struct otst *o, const struct otst_ftrace_ops *ops)
{
	const struct otst_member *fops, *stack, *node, *func;
	const struct otst_module *mod;
	uint64_t top, head, addr;
	int err = otst_member(o, "klp_ops", "fops", &fops);

	err = err ?: otst_member(o, "klp_ops", "func_stack", &stack);
	err = err ?: otst_member(o, "klp_func", "stack_node", &node);
	err = err ?: otst_member(o, "klp_func", "new_func", &func);
	if (otst_lack(o, err))
		return NULL;
	head = ops->addr - fops->offset + stack->offset;
	if (otst_read_u64(o, head, &top) || top == head ||
	    otst_read_u64(o, top - node->offset + func->offset, &addr))
		return NULL;
	mod = otst_module_at(o, addr);
	return mod ? mod->name : NULL;
}

/* struct ftrace_func_probe around @ops: a command of set_ftrace_filter, such as "traceon" */
static const char *name_command(struct otst *o, struct otst_ftrace_ops *ops)
{
	const struct otst_member *m, *func;
	struct otst_ftrace_ops tracer = *ops;
	uint64_t probe_ops, addr;
	struct otst_sym sym;
	struct otst_view v;
	int err;

	/* up to 4.11 all commands shared one ops */
	if (ops->addr == otst_symbol_or0(o, "trace_probe_ops"))
		return NULL;
	err = otst_member(o, "ftrace_func_probe", "ops", &m);
	err = err ?: otst_view_read(o, "ftrace_func_probe", ops->addr - m->offset, &v);
	err = err ?: otst_member(o, "ftrace_probe_ops", "func", &func);
	if (otst_lack(o, err))
		return NULL;
	probe_ops = otst_u64(&v, "probe_ops");
	tracer.private = otst_u64_with(&v, "tr", "probe_ops");
	if (otst_lack(o, v.err) || otst_read_u64(o, probe_ops + func->offset, &addr))
		return NULL;
	otst_symbolize(o, addr, &sym);
	return sym.name ? name_tracer(o, &tracer, sym.name) : NULL;
}

/* the user of function graph where there is only one at a time */
static const char *name_graph(struct otst *o)
{
	static const char *const pointers[] = { "__ftrace_graph_entry", "ftrace_graph_entry" };
	struct otst_sym sym;
	uint64_t func;

	for (unsigned int i = 0; i < 2; i++) {
		uint64_t at = otst_symbol_or0(o, pointers[i]);

		if (!at || otst_read_u64(o, at, &func))
			continue;
		otst_symbolize(o, func, &sym);
		if (otst_handler_is(o, func, "trace_graph_entry"))
			return "function_graph";
		if (sym.name && strncmp(sym.name, "ftrace_graph_entry", 18))
			return sym.name;
	}
	return "function graph";
}

static bool is_one_of_names(struct otst *o, uint64_t func, const char *const *names)
{
	for (; *names; names++) {
		if (otst_handler_is(o, func, *names))
			return true;
	}
	return false;
}

static bool own_by_kernel_function(struct otst *o, struct otst_ftrace_ops *ops, uint64_t func)
{
	static const char *const kprobes[] = { "kprobe_ftrace_handler", NULL };
	static const char *const fprobes[] = { "fprobe_handler",      "fprobe_kprobe_handler",
					       "fprobe_ftrace_entry", "fprobe_entry",
					       "fprobe_fgraph_entry", NULL };
	static const char *const function[] = { "function_trace_call",
						"function_stack_trace_call",
						"function_no_repeats_trace_call",
						"function_stack_no_repeats_trace_call",
						"function_args_trace_call",
						"function_trace_call_preempt_only",
						NULL };

	if (is_one_of_names(o, func, kprobes))
		set_owner(ops, OTST_OWNER_KPROBES, NULL);
	else if (is_one_of_names(o, func, fprobes))
		own_fprobe(o, ops);
	else if (is_one_of_names(o, func, function))
		set_owner(ops, OTST_OWNER_TRACER, name_tracer(o, ops, "function"));
	else if (otst_handler_is(o, func, "trace_graph_entry"))
		set_owner(ops, OTST_OWNER_TRACER, name_tracer(o, ops, "function_graph"));
	else if (otst_handler_is(o, func, "function_trace_probe_call"))
		set_owner(ops, OTST_OWNER_TRACER, name_command(o, ops));
	else if (otst_handler_is(o, func, "klp_ftrace_handler"))
		set_owner(ops, OTST_OWNER_LIVEPATCH, name_patch(o, ops));
	else if (otst_handler_is(o, func, "perf_ftrace_function_call"))
		set_owner(ops, OTST_OWNER_PERF, NULL);
	else
		return false;
	return true;
}

/* the functions jump straight to a trampoline: BPF's, or a module's own */
static bool own_by_direct(struct otst *o, struct otst_ftrace_ops *ops)
{
	uint64_t direct = (uint64_t)otst_enumerator_or(o, "FTRACE_OPS_FL_DIRECT", 0);
	const struct otst_module *mod;

	if (!(ops->flags & direct))
		return false;
	mod = otst_module_at(o, ops->direct ? ops->direct : ops->addr);
	if (mod)
		own_by_module(ops, mod);
	else if (otst_handler_is(o, ops->ops_func, "bpf_tramp_ftrace_ops_func"))
		set_owner(ops, OTST_OWNER_BPF, ops->direct_sym.name);
	else if (ops->direct)
		otst_owner_of_code(o, ops->direct, &ops->owner);
	else
		/* one ops for all direct calls; each function's line says where it goes */
		set_owner(ops, OTST_OWNER_KERNEL, "direct calls");
	return true;
}

bool otst_is_graph_ops(struct otst *o, uint64_t addr)
{
	return addr &&
	       (addr == otst_symbol_or0(o, "graph_ops") ||
		(addr == otst_symbol_or0(o, "fgraph_ops") && !otst_has_symbol(o, "graph_ops")));
}

void otst_ftrace_owner(struct otst *o, struct otst_ftrace_ops *ops)
{
	uint64_t func = ops->saved_func ? ops->saved_func : ops->entry ? ops->entry : ops->func;
	const struct otst_module *mod = otst_module_at(o, func);

	ops->owner = (struct otst_owner){ .kind = OTST_OWNER_UNKNOWN };
	if (mod) {
		own_by_module(ops, mod);
		return;
	}
	if (own_by_kernel_function(o, ops, func) || own_by_direct(o, ops))
		return;
	if (otst_is_graph_ops(o, ops->addr)) {
		set_owner(ops, OTST_OWNER_KERNEL,
			  otst_has_member(o, "fgraph_ops", "ops") ? "function graph" :
								    name_graph(o));
		return;
	}
	mod = otst_module_at(o, ops->addr);
	if (mod)
		own_by_module(ops, mod);
	else
		otst_owner_of_code(o, func, &ops->owner);
}
