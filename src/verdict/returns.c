// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * returns.c - values that hooks change: the failing function calls others before the
 * failing instruction, and a hook on one of these can change what it returns.
 */

#include "../built/disassemble.h"
#include "evidence.h"

#define MOST_CODE 65536u /* bytes of a function */

/* struct bpf_prog: the program calls bpf_override_return() */
static bool overrides_return(struct otst *o, const struct otst_probe *p)
{
	const struct otst_program *b = p->programs.data;
	uint64_t set;

	for (size_t i = 0; i < p->programs.count; i++) {
		if (otst_has_member(o, "bpf_prog", "kprobe_override") &&
		    !otst_read_member(o, "bpf_prog", b[i].addr, "kprobe_override", &set) && set)
			return true;
	}
	return false;
}

/* a module's code at the function's return: it is given the registers */
static bool has_code_at_return(const struct otst_probe *p)
{
	for (unsigned int i = 0; i < p->nr_handlers; i++) {
		const struct otst_handler *h = &p->handlers[i];

		if ((h->role == OTST_HANDLER_RETURN || h->role == OTST_HANDLER_EXIT) &&
		    (h->sym.module || otst_is_nobodys(&p->owner)))
			return true;
	}
	return false;
}

static bool can_change(struct otst *o, const struct otst_probe *p)
{
	if (p->claim != OTST_CLAIM_ARMED || !p->addr)
		return false;
	return p->kind == OTST_PROBE_FMOD_RET || p->kind == OTST_PROBE_LIVEPATCH ||
	       has_code_at_return(p) || overrides_return(o, p);
}

static bool any_can_change(const struct otst_finder *f)
{
	for (size_t i = 0; i < f->h->probes.count; i++) {
		if (can_change(f->o, f->h->probes.items[i]))
			return true;
	}
	for (size_t i = 0; i < f->h->list.count; i++) {
		if (otst_ftrace_redirects(f->h->list.items[i]))
			return true;
	}
	return false;
}

/* "kretprobe of module lab"; NULL when no hook can change what @function returns */
static const char *who_changes(const struct otst_finder *f, uint64_t function)
{
	const struct otst_ftrace_ops *ops;
	const char *owner;

	for (size_t i = 0; i < f->h->probes.count; i++) {
		const struct otst_probe *p = f->h->probes.items[i];

		if (p->sym.addr != function || !can_change(f->o, p))
			continue;
		owner = otst_verdict_owner(f->o, &p->owner);
		return otst_format(f->o, "%s%s%s", otst_probe_kind(p->kind)->name,
				   owner ? " of " : "", owner ? owner : "");
	}
	ops = otst_redirect_of(f->h, function);
	if (!ops)
		return NULL;
	owner = otst_verdict_owner(f->o, &ops->owner);
	return otst_format(f->o, "ftrace_ops that redirects calls%s%s", owner ? ", " : "",
			   owner ? owner : "");
}

static void note_callee(struct otst_finder *f, const struct otst_insn *call)
{
	const char *who = who_changes(f, call->target);
	struct otst_sym sym;

	if (!who)
		return;
	otst_symbolize_all(f->o, call->target, &sym);
	otst_note_text(
		f->o, &f->v->notes,
		otst_format(f->o,
			    "before the failing instruction %s calls %s, and a hook can change what "
			    "that returns: %s",
			    f->v->failing_sym.name,
			    otst_sym_format(f->o, call->target, &sym, OTST_SYM_MODULE), who));
}

/* each callee once, the last call before the failing instruction first */
static void note_callees(struct otst_finder *f, const struct otst_insns *code)
{
	size_t i, k;

	for (i = code->count; i--;) {
		if (!otst_insn_calls(&code->items[i]))
			continue;
		for (k = i + 1; k < code->count; k++) {
			if (otst_insn_calls(&code->items[k]) &&
			    code->items[k].target == code->items[i].target)
				break;
		}
		if (k == code->count)
			note_callee(f, &code->items[i]);
	}
}

int otst_judge_returns(struct otst_finder *f)
{
	const struct otst_sym *sym = &f->v->failing_sym;
	struct otst_insns code;
	unsigned char *bytes;
	uint64_t len;
	int err;

	if (!sym->name || !f->v->failing || otst_stands_still(f->v->report.death))
		return 0;
	len = f->v->failing - sym->addr;
	if (!len || len >= sym->size || len > MOST_CODE || !any_can_change(f))
		return 0;
	bytes = otst_alloc(f->o, len);
	err = otst_read(f->o, sym->addr, bytes, len);
	if (err)
		return otst_note(f->o, &f->v->errors,
				 otst_fail(f->o, err, "the code of %s", sym->name));
	err = otst_disassemble(f->o, sym->addr, bytes, len, len, &code);
	/* only some processors' code is decoded */
	if (err)
		return err == OTST_ERR_UNSUPPORTED ? 0 : err;
	note_callees(f, &code);
	return 0;
}
