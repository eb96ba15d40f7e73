// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * ops.c - ftrace_ops_list of kernel/trace/ftrace.c: every struct ftrace_ops
 * (include/linux/ftrace.h) that functions call. Some stand for others: the
 * manager of function-graph tracing for the ops on its subop_list, and in old
 * kernels global_ops and control_ops for those on ftrace_global_list and
 * ftrace_control_list. The result is one otst_ftrace_ops for each, with those
 * of a manager after it.
 */
#include <inttypes.h>
#include <string.h>

#include "../base/coverage.h"
#include "ftrace.h"

/* a corrupt list leads through memory that holds no records */
#define MAX_OPS	    (1u << 16)
#define MAX_BAD_RUN 16

static const char *const ops_flags[] = { "ENABLED",
					 "GLOBAL",
					 "DYNAMIC",
					 "CONTROL",
					 "PER_CPU",
					 "SAVE_REGS",
					 "SAVE_REGS_IF_SUPPORTED",
					 "RECURSION_SAFE",
					 "RECURSION",
					 "STUB",
					 "INITIALIZED",
					 "DELETED",
					 "ADDING",
					 "REMOVING",
					 "MODIFYING",
					 "ALLOC_TRAMP",
					 "IPMODIFY",
					 "PID",
					 "RCU",
					 "TRACE_ARRAY",
					 "PERMANENT",
					 "DIRECT",
					 "SUBOP",
					 "GRAPH",
					 NULL };

struct listing {
	struct otst *o;
	struct otst_vec items;
	struct otst_messages errors;
	bool hashes;
	unsigned int bad_run; /* records in a row that make no sense */
};

/* ---- names of flags ---- */

#define BITS 64

struct flag_names {
	struct flag_names *next;
	const char *prefix;
	uint64_t value;
	const char *names;
};

static const char *spell_flags(struct otst *o, uint64_t value, const char *prefix,
			       const char *const *names)
{
	const char *bit_name[BITS] = { 0 }, *s = NULL;

	for (; *names; names++) {
		const char *whole = otst_format(o, "%s%s", prefix, *names);
		uint64_t mask = (uint64_t)otst_enumerator_or(o, whole, 0);

		/* 1 << 31 comes sign-extended out of an enum of 32 bits */
		if ((mask & 0xffffffff) == 0x80000000)
			mask = 0x80000000;
		if (mask && !(mask & (mask - 1)))
			bit_name[__builtin_ctzll(mask)] = *names;
	}
	for (unsigned int bit = 0; bit < BITS; bit++) {
		if (!(value >> bit & 1) || !bit_name[bit])
			continue;
		s = s ? otst_format(o, "%s|%s", s, bit_name[bit]) : bit_name[bit];
		value &= ~(UINT64_C(1) << bit);
		if (!s)
			return "?";
	}
	if (value)
		s = otst_format(o, "%s%s0x%" PRIx64, s ? s : "", s ? "|" : "", value);
	else if (!s)
		s = "0";
	return s ? s : "?";
}

const char *otst_flags(struct otst *o, uint64_t value, const char *prefix, const char *const *names)
{
	static const char key;
	void **memo = otst_memo(o, &key);
	struct flag_names *f;

	/* thousands of records share a few values */
	for (f = *memo; f; f = f->next) {
		if (f->value == value && !strcmp(f->prefix, prefix))
			return f->names;
	}
	f = otst_new(o, sizeof(*f));
	*f = (struct flag_names){ *memo, prefix, value, spell_flags(o, value, prefix, names) };
	*memo = f;
	return f->names;
}

static uint64_t ops_flag(struct otst *o, const char *name)
{
	return (uint64_t)otst_enumerator_or(o, name, 0);
}

/* ---- one ftrace_ops ---- */

uint64_t otst_ftrace_call_target(struct otst *o, uint64_t at)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	unsigned char insn[OTST_BRANCH_MAX];
	struct otst_branch b;

	if (otst_read(o, at, insn, arch->insn.branch_len) ||
	    !arch->insn.branch(insn, arch->insn.branch_len, at, &b))
		return 0;
	return b.kind == OTST_BRANCH_CALL ? b.target : 0;
}

/* arch/x86/kernel/ftrace.c, calc_trampoline_call_offset(); false when the kernel has no such caller */
static bool call_offset(struct otst *o, bool regs, uint64_t *caller, uint64_t *ret)
{
	uint64_t call = otst_symbol_or0(o, regs ? "ftrace_regs_call" : "ftrace_call");

	*caller = otst_symbol_or0(o, regs ? "ftrace_regs_caller" : "ftrace_caller");
	*ret = call - *caller;
	return call && *caller;
}

uint64_t otst_ftrace_caller_calls(struct otst *o, bool regs)
{
	uint64_t caller, off;

	return call_offset(o, regs, &caller, &off) ? otst_ftrace_call_target(o, caller + off) : 0;
}

uint64_t otst_ftrace_trampoline_call(struct otst *o, const struct otst_ftrace_ops *ops)
{
	uint64_t caller, off;

	return ops->trampoline && ops->flags & ops_flag(o, "FTRACE_OPS_FL_ALLOC_TRAMP") &&
			       call_offset(o, ops->flags & ops_flag(o, "FTRACE_OPS_FL_SAVE_REGS"),
					   &caller, &off) ?
		       ops->trampoline + off :
		       0;
}

bool otst_ftrace_saves_regs(struct otst *o, const struct otst_ftrace_ops *ops)
{
	return ops->flags & ops_flag(o, "FTRACE_OPS_FL_SAVE_REGS");
}

/* arch/x86/kernel/ftrace.c, arch_ftrace_trampoline_func(); other architectures have none */
static void read_callee(struct otst *o, struct otst_ftrace_ops *ops)
{
	uint64_t call = otst_ftrace_trampoline_call(o, ops);

	if (!ops->trampoline)
		return;
	if (call)
		ops->calls = otst_ftrace_call_target(o, call);
	else if (ops->trampoline == otst_symbol_or0(o, "ftrace_graph_caller"))
		ops->calls = otst_symbol_or0(o, "prepare_ftrace_return");
	otst_symbolize_all(o, ops->calls, &ops->calls_sym);
}

static int read_hashes(struct otst *o, struct otst_view *v, struct otst_hash *filter_ret,
		       struct otst_hash *notrace_ret)
{
	uint64_t filter, notrace;
	int err;

	/* Linux 33b7f99cf003 ("ftrace: Allow ftrace_ops to use the hashes from other ops") */
	if (otst_view_has(v, "func_hash") || otst_has_type(o, "ftrace_ops_hash")) {
		uint64_t hashes = otst_u64(v, "func_hash");
		struct otst_view h;

		if (v->err)
			return v->err;
		/* no function was requested yet: the first request calls ftrace_ops_init() */
		if (!hashes && !(otst_u64(v, "flags") & ops_flag(o, "FTRACE_OPS_FL_INITIALIZED"))) {
			*filter_ret = *notrace_ret = (struct otst_hash){ .empty = true };
			return v->err;
		}
		err = otst_view_read(o, "ftrace_ops_hash", hashes, &h);
		if (err)
			return err;
		filter = otst_u64(&h, "filter_hash");
		notrace = otst_u64(&h, "notrace_hash");
		if (h.err)
			return h.err;
	} else {
		/* without CONFIG_DYNAMIC_FTRACE there is no filter: every function calls the ops */
		filter = otst_u64_or(v, "filter_hash", 0);
		notrace = otst_u64_or(v, "notrace_hash", 0);
	}
	err = otst_hash_read(o, filter, false, filter_ret);
	return err ? err : otst_hash_read(o, notrace, false, notrace_ret);
}

int otst_ftrace_hashes(struct otst *o, uint64_t addr, struct otst_hash *filter,
		       struct otst_hash *notrace)
{
	struct otst_view v;
	int err = otst_view_read(o, "ftrace_ops", addr, &v);

	return err ? err : read_hashes(o, &v, filter, notrace);
}

/* the struct fgraph_ops around a sub-op */
static int read_graph(struct otst *o, struct otst_ftrace_ops *ops)
{
	uint64_t graph = ops_flag(o, "FTRACE_OPS_FL_GRAPH");
	const struct otst_member *m;
	struct otst_view v;
	uint64_t saved;
	int err;

	/* before that flag existed, all sub-ops belonged to function graph */
	if (!(ops->flags & (graph ? graph : ops_flag(o, "FTRACE_OPS_FL_SUBOP"))) ||
	    otst_member(o, "fgraph_ops", "ops", &m))
		return 0;
	err = otst_view_read(o, "fgraph_ops", ops->addr - m->offset, &v);
	if (err)
		return err;
	ops->entry = otst_u64(&v, "entryfunc");
	ops->ret = otst_u64(&v, "retfunc");
	ops->private = otst_u64_or(&v, "private", 0);
	saved = otst_u64_or(&v, "saved_func", 0);
	ops->saved_func = saved == ops->entry ? 0 : saved;
	otst_symbolize_all(o, ops->entry, &ops->entry_sym);
	otst_symbolize_all(o, ops->ret, &ops->ret_sym);
	return v.err;
}

/* where all functions of @ops go directly, when they share one address */
static uint64_t common_direct(struct otst *o, const struct otst_ftrace_ops *ops)
{
	uint64_t first = 0, direct;

	for (size_t i = 0; i < ops->filter.count; i++) {
		direct = otst_ftrace_direct(o, ops->filter.ips[i]);
		if (!direct || (first && direct != first))
			return 0;
		first = direct;
	}
	return first;
}

static int take_ops_members(struct otst *o, struct otst_view *v, struct otst_ftrace_ops *ops)
{
	uint64_t enabled, trampoline;
	int err =
		otst_enumerator_with(o, "FTRACE_OPS_FL_ENABLED", "FTRACE_OPS_FL_DYNAMIC", &enabled);

	/* what its trampoline calls depends on these */
	err = err ?: otst_enumerator_any(o, "FTRACE_OPS_FL_ALLOC_TRAMP", &trampoline);
	err = err ?: otst_enumerator_any(o, "FTRACE_OPS_FL_SAVE_REGS", &trampoline);
	if (err)
		return err;
	ops->func = otst_u64(v, "func");
	ops->flags = otst_u64(v, "flags");
	ops->flag_names = otst_flags(o, ops->flags, "FTRACE_OPS_FL_", ops_flags);
	ops->saved_func = otst_u64_or(v, "saved_func", 0);
	if (ops->saved_func == ops->func)
		ops->saved_func = 0;
	ops->private = otst_u64_or(v, "private", 0);
	/* the size is newer: Linux aec0be2d6e9f ("ftrace/x86/extable: Add is_ftrace_trampoline() function") (v3.19) */
	ops->trampoline = otst_u64_with(v, "trampoline", "trampoline_size");
	ops->trampoline_size = otst_u64_with(v, "trampoline_size", "saved_func");
	ops->direct = otst_u64_or(v, "direct_call", 0);
	ops->ops_func = otst_u64_or(v, "ops_func", 0);
	ops->active = ops->active || ops->flags & enabled;
	otst_symbolize_code(o, ops->func, &ops->func_sym);
	otst_symbolize_all(o, ops->trampoline, &ops->trampoline_sym);
	return v->err;
}

static int read_ops(struct otst *o, bool hashes, struct otst_ftrace_ops *ops)
{
	struct otst_view v;
	const char *why;
	int err;

	err = otst_view_read(o, "ftrace_ops", ops->addr, &v);
	err = err ?: take_ops_members(o, &v, ops);
	if (err)
		return err;
	/* a manager calls its sub-ops through pointers other than this one */
	if (!otst_is_kernel_pointer(o, ops->func) && !ops->manager)
		return otst_raise(o, OTST_ERR_CORRUPT, "its callback is 0x%" PRIx64, ops->func);
	read_callee(o, ops);
	err = read_graph(o, ops);
	otst_symbolize_code(o, ops->saved_func, &ops->saved_func_sym);
	if (!err && hashes) {
		err = read_hashes(o, &v, &ops->filter, &ops->notrace);
		ops->hashes_read = !err;
	}
	why = err ? otst_strdup(o, otst_message(o)) : NULL;
	if (!ops->direct && ops->flags & ops_flag(o, "FTRACE_OPS_FL_DIRECT"))
		ops->direct = common_direct(o, ops);
	/* bit 0 stands for a jump instead of a call */
	ops->direct &= ~UINT64_C(1);
	otst_symbolize_all(o, ops->direct, &ops->direct_sym);
	otst_ftrace_owner(o, ops);
	return err ? otst_raise(o, err, "%s", why) : 0;
}

static int add_listed_ops(struct listing *list, uint64_t addr, struct otst_ftrace_ops *manager,
			  bool active, struct otst_ftrace_ops **ret)
{
	struct otst_ftrace_ops *ops = otst_new(list->o, sizeof(*ops)), **slot;
	int err;

	slot = otst_vec_push(list->o, &list->items, sizeof(*slot));
	*slot = ops;
	if (ret)
		*ret = ops;
	ops->addr = addr;
	ops->manager = manager;
	if (manager)
		manager->manages = true;
	ops->active = active;
	ops->flag_names = "?";
	otst_symbolize(list->o, addr, &ops->sym);
	err = read_ops(list->o, list->hashes, ops);
	list->bad_run = err ? list->bad_run + 1 : 0;
	if (!err || otst_fatal(err))
		return err;
	(void)otst_lack(list->o, err);
	ops->error = otst_strdup(list->o, otst_message(list->o));
	return 0;
}

/* 0 while a list is worth following */
static int check_length(struct listing *list)
{
	if (list->bad_run >= MAX_BAD_RUN)
		return otst_raise(list->o, OTST_ERR_CORRUPT, "%u records in a row make no sense",
				  list->bad_run);
	if (list->items.count >= MAX_OPS)
		return otst_raise(list->o, OTST_ERR_CORRUPT, "more than %u records", MAX_OPS);
	return 0;
}

/* ---- lists ---- */

/* Linux 5fccc7552ccb ("ftrace: Add subops logic to allow one ops to manage many") (v6.11) */
static int add_subops(struct listing *list, struct otst_ftrace_ops *manager)
{
	const struct otst_member *head, *link;
	struct otst_walk w;
	uint64_t node;
	int err = 0;

	if (otst_member(list->o, "ftrace_ops", "subop_list", &head) ||
	    otst_member(list->o, "ftrace_ops", "list", &link))
		return 0;
	err = otst_read_u64(list->o, manager->addr + head->offset, &node);
	/* a record of which nothing could be read has said so */
	if (err && !manager->error)
		return otst_note(list->o, &list->errors,
				 otst_fail(list->o, err, "subop_list of 0x%" PRIx64,
					   manager->addr));
	/* a list that was never initialised holds zeroes */
	if (err || !node)
		return otst_fatal(err) ? err : 0;
	otst_walk_list(list->o, manager->addr + head->offset, &w);
	while (!err && otst_walk_next(&w, &node)) {
		err = add_listed_ops(list, node - link->offset, manager, false, NULL);
		w.err = err ? 0 : check_length(list);
	}
	if (!err && w.err)
		err = otst_note(list->o, &list->errors,
				otst_fail(list->o, w.err, "subop_list of 0x%" PRIx64,
					  manager->addr));
	return err;
}

static int walk_chain(struct listing *l, const char *name, struct otst_ftrace_ops *manager);

/*
 * Users of old kernels' shared ops. Those on ftrace_global_list have no flags, and
 * use the filter of global_ops instead of their own.
 */
static int add_users(struct listing *list, struct otst_ftrace_ops *ops)
{
	if (ops->addr == otst_symbol_or0(list->o, "global_ops") &&
	    otst_has_symbol(list->o, "ftrace_global_list"))
		return walk_chain(list, "ftrace_global_list", ops);
	if (ops->addr == otst_symbol_or0(list->o, "control_ops") &&
	    otst_has_symbol(list->o, "ftrace_control_list"))
		return walk_chain(list, "ftrace_control_list", ops);
	return add_subops(list, ops);
}

static int walk_chain(struct listing *list, const char *name, struct otst_ftrace_ops *manager)
{
	bool global = manager && !strcmp(name, "ftrace_global_list");
	struct otst_ftrace_ops *ops = NULL;
	const struct otst_member *next;
	uint64_t head, first, end, node;
	struct otst_walk w;
	int err = otst_symbol(list->o, name, &head);

	err = err ?: otst_symbol(list->o, "ftrace_list_end", &end);
	err = err ?: otst_member(list->o, "ftrace_ops", "next", &next);
	err = err ?: otst_read_u64(list->o, head, &first);
	if (err)
		return otst_fail(list->o, err, "%s", name);
	otst_walk_chain(list->o, first, next->offset, end, &w);
	while (!err && otst_walk_next(&w, &node)) {
		err = add_listed_ops(list, node, manager, global && manager->active, &ops);
		if (!err && global) {
			ops->filter = manager->filter;
			ops->notrace = manager->notrace;
			ops->hashes_read = manager->hashes_read;
		}
		if (!err && !manager)
			err = add_users(list, ops);
		w.err = err ? 0 : check_length(list);
	}
	if (!err && w.err)
		err = otst_note(list->o, &list->errors, otst_fail(list->o, w.err, "%s", name));
	return err;
}

static bool read_switch(struct otst *o, const char *name, bool unknown)
{
	uint64_t at = otst_symbol_or0(o, name);
	uint32_t v;

	return at && !otst_read_u32(o, at, &v) ? v != 0 : unknown;
}

/* reads the list; see otst_ftrace_ops_list() */
static int read_ops_list(struct otst *o, bool hashes, struct otst_ftrace_list *ret)
{
	struct listing list = { .o = o, .hashes = hashes };
	int err;

	if (!otst_has_symbol(o, "_stext"))
		return otst_raise(o, OTST_ERR_LOOKUP, "ftrace_ops_list: no symbols are known");
	if (!otst_has_symbol(o, "ftrace_ops_list"))
		return otst_raise(
			o, OTST_ERR_LOOKUP,
			"no ftrace_ops_list: this kernel has no function tracing (CONFIG_FUNCTION_TRACER)");
	err = walk_chain(&list, "ftrace_ops_list", NULL);
	if (err)
		return otst_doubt_absence(o, err, OTST_FTRACE_WITNESSES);
	*ret = (struct otst_ftrace_list){
		.items = list.items.data,
		.count = list.items.count,
		.errors = list.errors,
		.enabled = read_switch(o, "ftrace_enabled", true),
		.dead = read_switch(o, "ftrace_disabled", false),
	};
	return 0;
}

int otst_ftrace_ops_list(struct otst *o, bool hashes, struct otst_ftrace_list *ret)
{
	static const char keys[2];
	struct otst_ftrace_list *list;
	void **memo = otst_memo(o, &keys[1]);
	int err;

	if (!*memo && !hashes)
		memo = otst_memo(o, &keys[0]);
	if (!*memo) {
		list = otst_new(o, sizeof(*list));
		err = read_ops_list(o, hashes, list);
		err = err ?: otst_stopped(o);
		if (err)
			return err;
		*memo = list;
	}
	*ret = *(const struct otst_ftrace_list *)*memo;
	return 0;
}

const struct otst_ftrace_ops *otst_ftrace_trampoline_at(const struct otst_ftrace_list *list,
							uint64_t addr)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct otst_ftrace_ops *ops = list->items[i];

		if (ops->trampoline && addr - ops->trampoline < ops->trampoline_size)
			return ops;
	}
	return NULL;
}

bool otst_ftrace_ops_has(const struct otst_ftrace_ops *ops, uint64_t ip)
{
	return ops->hashes_read && (ops->filter.empty || otst_hash_has(&ops->filter, ip)) &&
	       (ops->notrace.empty || !otst_hash_has(&ops->notrace, ip));
}

bool otst_ftrace_redirects(const struct otst_ftrace_ops *ops)
{
	return ops->active && ops->hashes_read && strstr(ops->flag_names, "IPMODIFY") &&
	       (ops->owner.kind == OTST_OWNER_MODULE || ops->owner.kind == OTST_OWNER_NOBODY);
}

const char *otst_ftrace_ops_error(const struct otst_ftrace_ops *ops)
{
	return ops->error ?: ops->filter.error ?: ops->notrace.error;
}

static const char *count_functions(struct otst *o, const char *but, size_t n)
{
	return otst_format(o, "%s%zu function%s", but, n, otst_number(n, "", "s"));
}

const char *otst_ftrace_scope(struct otst *o, const struct otst_ftrace_ops *ops)
{
	size_t i, n = 0;

	if (!ops->hashes_read || ops->filter.error || ops->notrace.error)
		return "unknown";
	if (ops->filter.empty && ops->notrace.empty)
		return "all functions";
	if (ops->filter.empty)
		return count_functions(o, "all but ", ops->notrace.count);
	for (i = 0; i < ops->filter.count; i++)
		n += otst_ftrace_ops_has(ops, ops->filter.ips[i]);
	return count_functions(o, "", n);
}
