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
#include "../built/disassemble.h"
#include "../ftrace/ftrace.h"
#include "../owners/owners.h"
#include "probes.h"

/* a compiler's call or jump leads here; where records are lost, that tells it from a patched one */
static bool is_kernel_text(struct otst *o, uint64_t addr)
{
	struct otst_sym sym;

	otst_symbolize(o, addr, &sym);
	return sym.name || sym.module;
}

static bool is_detour(struct otst *o, uint64_t addr)
{
	bool cut, found = otst_is_detour_slot(o, addr, &cut);

	return found || (cut && !is_kernel_text(o, addr));
}

/* the ops whose trampoline @target is in */
static const struct otst_ftrace_ops *find_trampoline(struct otst *o, uint64_t target)
{
	struct otst_ftrace_list list;

	return otst_ftrace_ops_list(o, true, &list) ? NULL :
						      otst_ftrace_trampoline_at(&list, target);
}

/* name what a call at an ftrace site leads to */
static const char *name_callee(struct otst *o, uint64_t target)
{
	/* a trampoline's page may carry the stale name of freed module text */
	const struct otst_ftrace_ops *ops = find_trampoline(o, target);
	struct otst_sym sym;

	if (ops) {
		otst_symbolize(o, ops->saved_func ? ops->saved_func : ops->func, &sym);
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
	if (!is_kernel_text(o, target))
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

/* ---- what no record can have led to ---- */

static const char *name_place(struct otst *o, uint64_t addr)
{
	struct otst_sym sym;

	otst_symbolize_all(o, addr, &sym);
	return otst_sym_name(o, addr, &sym);
}

/* one of the kernel's common trampolines, or what a module has to reach it */
static bool is_common(struct otst *o, uint64_t addr, uint64_t target)
{
	static const char *const names[] = { "ftrace_caller", "ftrace_regs_caller" };
	struct otst_sym sym;
	uint64_t common;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		common = otst_symbol_or0(o, names[i]);
		if (common && otst_ftrace_reach(o, addr, common) == target)
			return true;
	}
	otst_veneer_at(o, target, &target);
	otst_symbolize(o, target, &sym);
	/* __fentry__ or mcount() before the site was made a nop */
	return sym.name && !sym.module && sym.addr == target &&
	       (otst_begins(sym.name, "ftrace_") || !strcmp(sym.name, "__fentry__") ||
		strstr(sym.name, "mcount"));
}

/* do all records say where their trampolines are */
static bool are_known(const struct otst_ftrace_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct otst_ftrace_ops *ops = list->items[i];

		if (ops->error && !(ops->trampoline && ops->trampoline_size))
			return false;
	}
	return !list->errors.count;
}

/* ftrace_get_addr_curr(): may the site at @addr lead to @target */
static bool is_ftraces(struct otst *o, uint64_t addr, uint64_t target)
{
	struct otst_ftrace_list list;
	struct otst_sym sym;

	if (otst_ftrace_ops_list(o, true, &list) || !are_known(&list) ||
	    (otst_ftrace_direct(o, addr) & ~UINT64_C(1)) == target ||
	    otst_ftrace_trampoline_at(&list, target) || is_common(o, addr, target))
		return true;
	/* another trampoline of BPF's, while one takes the place of the other */
	otst_symbolize_code(o, target, &sym);
	return sym.name && !is_kernel_text(o, target);
}

/*
 * The instruction that begins before @addr and ends behind it. The kernel puts probes where an
 * instruction begins (can_probe()), so that one was written later.
 */
static bool find_cover(struct otst *o, uint64_t addr, struct otst_insn *ret)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	uint8_t bytes[2 * OTST_INSN_MAX];
	struct otst_insns code;
	struct otst_branch b;
	struct otst_sym sym;

	otst_symbolize_all(o, addr, &sym);
	if (arch->insn.step >= arch->insn.branch_len || !sym.name ||
	    addr - sym.addr - 1 >= OTST_INSN_MAX - 1 ||
	    otst_read(o, sym.addr, bytes, addr - sym.addr + OTST_INSN_MAX) ||
	    otst_disassemble(o, sym.addr, bytes, addr - sym.addr + OTST_INSN_MAX, addr - sym.addr,
			     &code))
		return false;
	for (size_t i = 0; i < code.count && code.items[i].known; i++) {
		const struct otst_insn *insn = &code.items[i];

		if (insn->addr + insn->len > addr) {
			*ret = *insn;
			return true;
		}
		/* where it ends, another instruction may not begin */
		if (otst_breakpoint_at(arch, insn->bytes, insn->len) ||
		    (arch->insn.branch(insn->bytes, insn->len, insn->addr, &b) &&
		     b.kind == OTST_BRANCH_JUMP))
			return false;
	}
	return false;
}

static void take_cover(struct otst *o, uint64_t addr, struct otst_evidence *e)
{
	struct otst_insn insn;

	if (!find_cover(o, addr, &insn))
		return;
	e->seen = OTST_SEEN_COVERED;
	e->target = insn.target;
	e->target_name = insn.target ? name_place(o, insn.target) : NULL;
	e->odd = NULL;
	/* the detour of another probe, for which this one has made room */
	if (!insn.target || !is_detour(o, insn.target))
		e->odd = otst_format(o, "its place is in the middle of an instruction: %s%s%s%s",
				     insn.text, e->target_name ? " <" : "",
				     e->target_name ? e->target_name : "",
				     e->target_name ? ">" : "");
}

static void judge_target(struct otst *o, uint64_t addr, struct otst_evidence *e)
{
	if ((e->seen == OTST_SEEN_CALL || e->seen == OTST_SEEN_JUMP) &&
	    otst_ftrace_site_at(o, addr, NULL) && !is_detour(o, e->target) &&
	    !is_ftraces(o, addr, e->target))
		e->odd = otst_format(o, "its ftrace site leads to %s, which is not ftrace's",
				     name_place(o, e->target));
	if (e->seen == OTST_SEEN_UNTOUCHED || e->odd)
		take_cover(o, addr, e);
}

/* ---- what there is ---- */

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
	judge_target(o, addr, ret);
}
