// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * evidence.c - what the kernel text itself shows at a probed address:
 * arch/x86/kernel/kprobes/core.c and opt.c (int3, jump to a detour buffer),
 * arch/x86/kernel/ftrace.c (call or nop), arch/arm64 (brk, bl). Only the dump
 * is used, so that the result is the same with and without an image file.
 */
#include <string.h>

#include "../base/engine.h"
#include "../built/built.h"
#include "../ftrace/ftrace.h"
#include "../owners/owners.h"
#include "probes.h"

/* a compiler's call or jump leads here; where records are lost, that tells it from a patched one */
static bool is_text(struct otst *o, uint64_t addr)
{
	struct otst_sym sym;

	otst_symbolize(o, addr, &sym);
	return sym.name || sym.module;
}

static bool is_detour(struct otst *o, uint64_t addr)
{
	bool cut, found = otst_is_detour_slot(o, addr, &cut);

	return found || (cut && !is_text(o, addr));
}

/* name what a call at an ftrace site leads to */
static const char *name_callee(struct otst *o, uint64_t target)
{
	static const char key;
	void **memo = otst_memo(o, &key);
	struct otst_ftrace_list *list;
	struct otst_sym sym;

	if (!*memo) {
		list = otst_new(o, sizeof(*list));
		if (list && !otst_ftrace_ops_list(o, false, list))
			*memo = list;
	}
	list = *memo;
	/* a trampoline's page may carry the stale name of freed module text */
	for (size_t i = 0; list && i < list->count; i++) {
		const struct otst_ftrace_ops *ops = list->items[i];
		uint64_t func = ops->saved_func ? ops->saved_func : ops->func;

		if (!ops->trampoline || target - ops->trampoline >= ops->trampoline_size)
			continue;
		otst_symbolize(o, func, &sym);
		return otst_format(o, "trampoline of %s",
				   sym.name ? sym.name : "a function unknown");
	}
	otst_veneer_at(o, target, &target);
	otst_symbolize(o, target, &sym);
	return sym.name;
}

/* true if @addr is an ftrace site; where the records are lost, the callee decides */
static bool is_ftrace_call(struct otst *o, uint64_t addr, uint64_t target)
{
	const struct otst_ftrace_sites *sites;
	const char *callee;

	if (!otst_ftrace_sites(o, &sites) && !sites->errors.count)
		return otst_ftrace_site_at(o, addr, NULL);
	if (otst_ftrace_site_at(o, addr, NULL))
		return true;
	if (!is_text(o, target))
		return true;
	callee = name_callee(o, target);
	return callee &&
	       (!strncmp(callee, "trampoline of ", strlen("trampoline of ")) ||
		!strcmp(callee, "ftrace_caller") || !strcmp(callee, "ftrace_regs_caller"));
}

/* riscv64 since 6.16: a site is the second instruction of its call; the first is always there */
static bool find_second(struct otst *o, uint64_t addr, struct otst_evidence *e,
			struct otst_branch *ret)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	uint8_t pair[OTST_BRANCH_MAX];

	if (!arch->ftrace.call_lead || !otst_ftrace_site_at(o, addr, NULL))
		return false;
	if (otst_read(o, addr - arch->ftrace.call_lead, pair, arch->insn.branch_len)) {
		e->seen = OTST_SEEN_UNREADABLE;
		return false;
	}
	return arch->insn.branch(pair, arch->insn.branch_len, addr - arch->ftrace.call_lead, ret);
}

static void judge_probe_text(struct otst *o, uint64_t addr, uint64_t detour,
			     struct otst_evidence *e)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	uint8_t trampoline[OTST_VENEER_MAX];
	struct otst_ftrace_site site = { 0 };
	struct otst_branch b;
	uint64_t callee;
	bool is_jump, to_detour, is_site;

	e->seen = OTST_SEEN_UNTOUCHED;
	if (otst_breakpoint_at(arch, e->found, e->nr_found)) {
		e->seen = OTST_SEEN_INT3;
		return;
	}
	if ((!arch->insn.branch(e->found, e->nr_found, addr, &b) && !find_second(o, addr, e, &b)) ||
	    !b.target)
		return;
	is_jump = b.kind == OTST_BRANCH_JUMP;
	to_detour = is_jump && (b.target == detour || is_detour(o, b.target));
	is_site = is_jump && !to_detour && otst_ftrace_site_at(o, addr, &site);
	if (to_detour) {
		e->seen = OTST_SEEN_JUMP;
		e->target_name = "detour buffer";
	} else if (is_jump && otst_veneer_at(o, b.target, &callee) &&
		   (!site.stub || site.stub == b.target) && is_ftrace_call(o, addr, b.target)) {
		/* the function jumps to a trampoline or stub of its own, which calls */
		e->seen = OTST_SEEN_CALL;
		e->target_name = name_callee(o, b.target);
	} else if (is_site && (arch->ftrace.switch_site || (site.stub && site.stub == b.target)) &&
		   otst_read(o, b.target, trampoline, arch->reloc.veneer_len)) {
		e->seen = OTST_SEEN_UNREADABLE;
	} else if (is_site) {
		/* 7.x: the function jumps to its direct trampoline, "direct(jmp)" */
		e->seen = OTST_SEEN_JUMP;
		e->target_name = name_callee(o, b.target);
	} else if (b.kind == OTST_BRANCH_CALL && is_ftrace_call(o, addr, b.target)) {
		e->seen = OTST_SEEN_CALL;
		e->target_name = name_callee(o, b.target);
	}
	e->target = e->seen == OTST_SEEN_UNTOUCHED ? 0 : b.target;
}

void otst_evidence(struct otst *o, uint64_t addr, uint64_t detour, struct otst_evidence *ret)
{
	unsigned int n;

	memset(ret, 0, sizeof(*ret));
	if (!otst_is_kernel_pointer(o, addr))
		return;
	for (n = OTST_TEXT_BYTES; n >= 4; n /= 2) {
		if (!otst_read(o, addr, ret->found, n))
			break;
	}
	if (n < 4)
		return;
	ret->nr_found = n;
	if (!otst_text_built(o, addr, ret->built, n))
		ret->nr_built = n;
	judge_probe_text(o, addr, detour, ret);
}
