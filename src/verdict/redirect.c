// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * redirect.c - code to which the callback of an ftrace_ops redirects calls
 * (FTRACE_OPS_FL_IPMODIFY), as live patches outside of the kernel's own mechanism and
 * security agents do. The ops does not say where to; a stack does, where a call of the
 * redirected function led to code of the ops' module. Else the module's own record of the
 * redirection does, or its callback, which has the address.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../built/disassemble.h"
#include "evidence.h"

#define MOST_SITE   16u	  /* an ftrace site is this near to a function's beginning */
#define MOST_CODE   4096u /* bytes of a callback */
#define MOST_BEFORE 64u	  /* bytes before a struct ftrace_ops that belong to the same record */

static bool redirects_at(const struct otst_ftrace_ops *ops, uint64_t function)
{
	for (uint64_t off = 0; function && off <= MOST_SITE && otst_ftrace_redirects(ops); off++) {
		if (otst_ftrace_ops_has(ops, function + off))
			return true;
	}
	return false;
}

const struct otst_ftrace_ops *otst_redirect_of(const struct otst_hooks *h, uint64_t function)
{
	for (size_t i = 0; i < h->list.count; i++) {
		if (redirects_at(h->list.items[i], function))
			return h->list.items[i];
	}
	return NULL;
}

bool otst_insn_calls(const struct otst_insn *i)
{
	return i->known && i->target && !i->refers &&
	       (!strncmp(i->text, "call", 4) || !strncmp(i->text, "bl ", 3));
}

/* the function that the direct call before @frame, a return address, calls; 0 when there is none */
static uint64_t read_redirect_callee(struct otst *o, const struct otst_frame *frame,
				     struct otst_messages *errors)
{
	unsigned int len = otst_kernel(o)->arch->insn.branch_len;
	unsigned char bytes[OTST_INSN_MAX];
	struct otst_insns code;
	int err;

	if (frame->exact || !len || len > sizeof(bytes))
		return 0;
	err = otst_read(o, frame->pc - len, bytes, len);
	if (err)
		otst_note(o, errors, otst_fail(o, err, "the call before 0x%" PRIx64, frame->pc));
	if (err || otst_disassemble(o, frame->pc - len, bytes, len, len, &code) || !code.count ||
	    !otst_insn_calls(&code.items[0]))
		return 0;
	return code.items[0].target;
}

static bool is_owners(const struct otst_ftrace_ops *ops, const struct otst_sym *sym)
{
	return sym->module && ops->owner.name && !strcmp(sym->module, ops->owner.name);
}

/* "to which an ftrace_ops of module lab redirects vfs_read" */
static const char *describe_redirect(struct otst *o, const struct otst_ftrace_ops *ops,
				     uint64_t function)
{
	const char *owner = otst_verdict_owner(o, &ops->owner);
	struct otst_sym sym = { 0 };

	if (!function && ops->filter.count == 1)
		function = ops->filter.ips[0];
	if (function)
		otst_symbolize_all(o, function, &sym);
	return otst_format(o, "to which an ftrace_ops%s%s redirects %s", owner ? " of " : "",
			   owner ? owner : "", sym.name ? sym.name : "functions");
}

/* true if @value is among @count words */
static bool has_word(const uint64_t *words, size_t count, uint64_t value)
{
	size_t i;

	for (i = 0; i < count && words[i] != value; i++)
		;
	return i < count;
}

/*
 * Does the record that @ops is part of have both functions: { name, function, original,
 * address, ops } is the usual one. One of them alone may belong to anything.
 */
static bool record_has(struct otst *o, const struct otst_ftrace_ops *ops, uint64_t function,
		       struct otst_messages *errors)
{
	uint64_t words[MOST_BEFORE / 8], in_page = ops->addr % otst_page_size(o);
	size_t i, k, count = (in_page < MOST_BEFORE ? in_page : MOST_BEFORE) / 8;
	int err = otst_read(o, ops->addr - 8 * count, words, 8 * count);

	if (err)
		otst_note(o, errors,
			  otst_fail(o, err, "what precedes the ftrace_ops at 0x%" PRIx64,
				    ops->addr));
	if (err)
		return false;
	for (i = 0; i < count; i++)
		words[i] = otst_get(o, &words[i], sizeof(*words));
	if (!has_word(words, count, function))
		return false;
	for (i = 0; i < ops->filter.count; i++) {
		for (k = 0; k <= MOST_SITE; k++) {
			if (has_word(words, count, ops->filter.ips[i] - k))
				return true;
		}
	}
	return false;
}

/* "movq $0xffffffffc0000200, 0x80(%rdi)": does the instruction have the number @value */
static bool has_number(const struct otst_insn *i, uint64_t value)
{
	const char *s;

	if (!i->known)
		return false;
	if (i->refers && i->target == value)
		return true;
	for (s = strchr(i->text, '$'); s; s = strchr(s + 1, '$')) {
		uint64_t v = s[1] == '-' ? -strtoull(s + 2, NULL, 0) : strtoull(s + 1, NULL, 0);

		if (v == value)
			return true;
	}
	return false;
}

static bool callback_has(struct otst *o, const struct otst_ftrace_ops *ops, uint64_t function,
			 struct otst_messages *errors)
{
	const struct otst_sym *sym = ops->saved_func ? &ops->saved_func_sym : &ops->func_sym;
	unsigned char *bytes;
	struct otst_insns code;
	size_t i;
	int err;

	if (!sym->name || !sym->size || sym->size > MOST_CODE)
		return false;
	bytes = otst_alloc(o, sym->size);
	err = bytes ? otst_read(o, sym->addr, bytes, sym->size) : OTST_ERR_NOMEM;
	if (err)
		otst_note(o, errors, otst_fail(o, err, "the code of %s", sym->name));
	if (err || otst_disassemble(o, sym->addr, bytes, sym->size, sym->size, &code))
		return false;
	for (i = 0; i < code.count && !has_number(&code.items[i], function); i++)
		;
	return i < code.count;
}

static void judge_frame(struct otst *o, const struct otst_hooks *h, struct otst_verdict_stack *s,
			size_t i, struct otst_messages *errors)
{
	struct otst_verdict_frame *f = &s->frames[i];
	const struct otst_frame *above = i + 1 < s->nr_frames ? &s->frames[i + 1].frame : NULL;
	uint64_t callee;

	for (size_t k = 0; k < h->list.count; k++) {
		const struct otst_ftrace_ops *ops = h->list.items[k];

		if (!otst_ftrace_redirects(ops) || !is_owners(ops, &f->sym))
			continue;
		callee = above && above->reliable ? read_redirect_callee(o, above, errors) : 0;
		if (callee == f->sym.addr || !redirects_at(ops, callee)) {
			if (!record_has(o, ops, f->sym.addr, errors) &&
			    !callback_has(o, ops, f->sym.addr, errors))
				continue;
			callee = 0;
		}
		f->role = OTST_ROLE_REPLACEMENT;
		f->what = describe_redirect(o, ops, callee);
		return;
	}
}

void otst_judge_redirects(struct otst *o, struct otst_verdict *v, const struct otst_hooks *h,
			  struct otst_verdict_stack *s)
{
	for (size_t i = 0; i < s->nr_frames; i++) {
		if (s->frames[i].role > OTST_ROLE_REPLACEMENT && s->frames[i].sym.module &&
		    s->frames[i].frame.reliable)
			judge_frame(o, h, s, i, &v->errors);
	}
}

bool otst_awaits_original(const struct otst_finder *f, const struct otst_verdict_stack *s, size_t i)
{
	return i && i < s->nr_frames && s->frames[i].role == OTST_ROLE_REPLACEMENT &&
	       s->frames[i - 1].sym.name && otst_redirect_of(f->h, s->frames[i - 1].sym.addr);
}

static bool any_redirects(const struct otst_hooks *h)
{
	size_t i;

	for (i = 0; i < h->list.count && !otst_ftrace_redirects(h->list.items[i]); i++)
		;
	return i < h->list.count;
}

int otst_judge_wild(struct otst_finder *f, const struct otst_verdict_stack *s, size_t at, bool *ret)
{
	const struct otst_ftrace_ops *ops;
	uint64_t callee = 0;

	if (at + 1 < s->nr_frames && any_redirects(f->h))
		callee = read_redirect_callee(f->o, &s->frames[at + 1].frame, &f->v->errors);
	ops = otst_redirect_of(f->h, callee);
	*ret = ops;
	if (!ops)
		return otst_check(f->o);
	otst_verdict_add(f, OTST_RANK_A,
			 otst_format(f->o, "The failing instruction is at 0x%" PRIx64 ", %s",
				     s->frames[at].frame.pc, describe_redirect(f->o, ops, callee)),
			 otst_verdict_owner(f->o, &ops->owner), "otst -f -v");
	return 0;
}
