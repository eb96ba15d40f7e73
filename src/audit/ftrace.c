// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * ftrace.c - entries of functions (struct dyn_ftrace): each was built as a call
 * of __fentry__, or as nops. It is now a nop, or a call or jump to where the record's flags
 * say (kernel/trace/ftrace.c, ftrace_get_addr_curr()). This file also covers what the
 * common trampolines call (ftrace_update_ftrace_func() of arch/ARCH/kernel/ftrace.c).
 */

#include "../ftrace/ftrace.h"
#include "expect.h"

/* read once per command: the functions that are hooked, and the common trampolines */
struct hooked {
	const struct otst_ftrace_sites *sites;
	struct otst_ftrace_functions functions;
	uint64_t direct_en;
	uint64_t caller[2]; /* without and with registers */
	const char *absent; /* a kernel without ftrace, as this message says; or NULL */
};

/* without one of these flags each hooked function would look as if something else hooked it */
static int read_hook_flags(struct otst *o, struct hooked *ret)
{
	uint64_t flag;
	int err = otst_enumerator_any(o, "FTRACE_FL_ENABLED", &flag);

	err = err ?: otst_enumerator_any(o, "FTRACE_FL_REGS_EN", &flag);
	err = err ?: otst_enumerator_any(o, "FTRACE_FL_TRAMP_EN", &flag);
	return err ?: otst_enumerator_any(o, "FTRACE_FL_DIRECT_EN", &ret->direct_en);
}

static int read_hooked(struct otst *o, struct hooked *ret)
{
	struct otst_ftrace_list list;
	int err = read_hook_flags(o, ret);

	err = err ?: otst_ftrace_sites(o, &ret->sites);
	err = err ?: otst_ftrace_ops_list(o, true, &list);
	err = err ?: otst_ftrace_functions(o, &list, NULL, NULL, &ret->functions);
	ret->caller[0] = otst_symbol_or0(o, "ftrace_caller");
	ret->caller[1] = otst_symbol_or0(o, "ftrace_regs_caller");
	return err;
}

static int find_hooked(struct otst_expect *e, struct hooked **ret)
{
	static const char key;
	void **memo = otst_memo(e->o, &key);
	int err;

	if (!*memo) {
		*memo = otst_new(e->o, sizeof(struct hooked));
		if (*memo) {
			err = read_hooked(e->o, *memo);
			if (err == OTST_ERR_LOOKUP)
				((struct hooked *)*memo)->absent =
					otst_strdup(e->o, otst_message(e->o));
			else if (err)
				err = otst_note(e->o, &e->out->errors, err);
			if (err && err != OTST_ERR_LOOKUP)
				return err;
		}
	}
	if (!*memo)
		return otst_no_memory(e->o);
	*ret = *memo;
	return (*ret)->absent ?
		       otst_expect_absent(e,
					  otst_raise(e->o, OTST_ERR_LOOKUP, "%s", (*ret)->absent),
					  OTST_FTRACE_WITNESSES) :
		       0;
}

static void set_site(struct otst_expect *e, enum otst_difference d, uint64_t at,
		     const uint8_t *bytes)
{
	otst_expect_set(e, d, at, bytes, e->arch->arch->insn.branch_len);
}

static void put_call(struct otst_expect *e, uint8_t *bytes, uint64_t at, uint64_t to)
{
	e->arch->arch->insn.put_branch(bytes, OTST_BRANCH_CALL, at, to);
}

/* accepts a call to any target */
static void take_found(struct otst_expect *e, enum otst_difference d, uint64_t at)
{
	const struct otst_arch *arch = e->arch->arch;
	uint8_t *found = otst_expect_found(e, at, arch->insn.branch_len);
	struct otst_branch b;

	if (!found || !arch->insn.branch(found, arch->insn.branch_len, at, &b) ||
	    b.kind != OTST_BRANCH_CALL)
		return;
	set_site(e, d, at, found);
}

static int expect_hooked(struct otst_expect *e, const struct hooked *h,
			 const struct otst_ftrace_function *f)
{
	uint64_t at = f->site.ip, flags = f->site.flags, to;
	enum otst_branch_kind kind = OTST_BRANCH_CALL;
	uint8_t bytes[OTST_BRANCH_MAX];
	int err = e->arch->prepare_site ? e->arch->prepare_site(e, at, f) : 0;

	if (err)
		return err;
	if (flags & h->direct_en && f->direct) {
		kind = f->direct_jmp ? OTST_BRANCH_JUMP : kind;
		to = f->direct;
	} else if (flags & h->functions.bits.tramp_en && !f->nr_tramps) {
		/* its ops is not in the list, or was not read: ftrace_records.c reports that */
		take_found(e, OTST_DIFF_FTRACE, at);
		return 0;
	} else if (flags & h->functions.bits.tramp_en) {
		/* the record does not say which: take the one that the text calls */
		for (size_t i = 0; i < f->nr_tramps; i++) {
			put_call(e, bytes, at, f->tramps[i]->trampoline);
			if (otst_expect_fits(e, at, bytes, e->arch->arch->insn.branch_len))
				break;
		}
		set_site(e, OTST_DIFF_FTRACE, at, bytes);
		return 0;
	} else {
		to = h->caller[flags & h->functions.bits.regs_en ? 1 : 0];
	}
	to = otst_ftrace_reach(e->o, otst_ftrace_call_place(e->o, &f->site), to);
	if (!to)
		return otst_expect_lost(e, at, e->arch->arch->insn.branch_len, "call of ftrace at",
					at);
	if (e->arch->switch_site)
		return e->arch->switch_site(e, at, to);
	e->arch->arch->insn.put_branch(bytes, kind, at, to);
	set_site(e, OTST_DIFF_FTRACE, at, bytes);
	return 0;
}

/*
 * Records of functions were lost: what may be a function's entry but is in none
 * of the remaining records may be a nop, or a call.
 */
static int lose_ftrace(struct otst_expect *e)
{
	for (size_t i = 0; i < e->nr_parts; i++) {
		const struct otst_expect_part *p = &e->parts[i];

		for (size_t at = 0; p->found && at + e->arch->arch->insn.branch_len <= p->size;
		     at += e->arch->arch->insn.step)
			e->arch->lose_site(e, p, at);
		if (otst_check(e->o))
			return OTST_ERR_INTERRUPTED;
	}
	return 0;
}

/* all sites that are not hooked are a nop */
static int expect_nops(struct otst_expect *e, const struct hooked *h)
{
	int err = 0;

	for (size_t i = 0; h->sites && i < h->sites->count && !err; i++) {
		const struct otst_ftrace_site *s = &h->sites->items[i];

		if (s->flags & h->functions.bits.enabled)
			continue;
		err = e->arch->prepare_site ? e->arch->prepare_site(e, s->ip, NULL) : 0;
		if (!err && e->arch->switch_site)
			err = e->arch->switch_site(e, s->ip, 0);
		else if (!err)
			set_site(e, OTST_DIFF_FTRACE, s->ip, otst_audit_nop(e->o));
		if (!err && !(i & 0xfff))
			err = otst_check(e->o);
	}
	return err;
}

/* accepts calls to any target */
static int lose_callers(struct otst_expect *e, const char *const *calls, uint64_t variable)
{
	int err = otst_expect_lost(e, 0, 0, "ftrace_trace_function", variable);

	for (size_t i = 0; i < 2 && !err; i++)
		take_found(e, OTST_DIFF_FTRACE_CALL, otst_symbol_or0(e->o, calls[i]));
	return err;
}

/*
 * ftrace_call, ftrace_regs_call: they call the function that serves all ops, or,
 * while that changes, the function that walks the list
 */
static int set_callers(struct otst_expect *e)
{
	static const char *const calls[] = { "ftrace_call", "ftrace_regs_call" };
	uint64_t choice[3] = { 0 }, variable = otst_symbol_or0(e->o, "ftrace_trace_function");
	uint8_t bytes[OTST_BRANCH_MAX];
	size_t i, k;
	bool done;

	if (variable && otst_read_u64(e->o, variable, &choice[0]))
		return lose_callers(e, calls, variable);
	otst_audit_pointer(e->o, e->out, "ftrace_trace_function", "function", choice[0], variable);
	choice[1] = otst_symbol_or0(e->o, "arch_ftrace_ops_list_func");
	choice[2] = otst_symbol_or0(e->o, "ftrace_ops_list_func");
	for (i = 0; i < 2; i++) {
		uint64_t at = otst_symbol_or0(e->o, calls[i]);

		for (k = 0, done = false; at && k < 3 && !done; k++) {
			if (!choice[k])
				continue;
			put_call(e, bytes, at,
				 e->arch->called_at ? e->arch->called_at(e, choice[k]) : choice[k]);
			if (e->arch->common_call)
				e->arch->common_call(bytes);
			otst_expect_try(e, OTST_DIFF_FTRACE_CALL, at, bytes,
					e->arch->arch->insn.branch_len, &done);
		}
	}
	return 0;
}

/* up to 5.12: the jump to the function graph tracer, or to nothing */
static void set_graph(struct otst_expect *e)
{
	static const char *const targets[] = { "ftrace_graph_caller", "ftrace_stub" };
	uint64_t at = otst_symbol_or0(e->o, "ftrace_graph_call"), target;
	uint8_t bytes[OTST_BRANCH_MAX];
	bool done = false;

	for (size_t i = 0; at && i < 2 && !done; i++) {
		target = otst_symbol_or0(e->o, targets[i]);
		if (!target)
			continue;
		e->arch->arch->insn.put_branch(bytes, OTST_BRANCH_JUMP, at, target);
		otst_expect_try(e, OTST_DIFF_FTRACE_CALL, at, bytes, e->arch->arch->insn.branch_len,
				&done);
	}
}

int otst_apply_ftrace(struct otst_expect *e)
{
	struct hooked *h = NULL;
	int err = find_hooked(e, &h);

	if (!err && (!h->sites || h->sites->errors.count))
		err = lose_ftrace(e);
	err = err ?: expect_nops(e, h);
	for (size_t i = 0; !err && i < h->functions.count; i++)
		err = expect_hooked(e, h, &h->functions.items[i]);
	if (!err && !e->module)
		err = set_callers(e);
	if (!err && !e->module)
		set_graph(e);
	return err;
}
