// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * classes.c - the classes of differences that ppc64le's text has, in the order in
 * which the kernel applies them, and what ftrace writes at the entries of functions
 * (arch/powerpc/kernel/trace/ftrace.c): of the nops that were built, one becomes the move of
 * the return address, which then stays, and the next the call; or there is only one nop
 * (out_of_line.c). Static calls are plain pointers on ppc64le.
 */

#include "../../ftrace/ftrace.h"
#include "ppc64le.h"

#define STD_R0 0xf8010010u /* std r0, 16(r1): compilers before GCC 6 put it before the call */

static otst_apply_fn *const classes[] = {
	otst_apply_kgdb,	otst_apply_kprobes,    otst_ppc64le_relocation,
	otst_ppc64le_features,	otst_apply_ftrace,     otst_ppc64le_stubs,
	otst_apply_jump_labels, otst_ppc64le_barriers, otst_ppc64le_detours,
};

static int ppc64le_prepare_site(struct otst_expect *e, uint64_t ip,
				const struct otst_ftrace_function *f)
{
	const uint8_t *now = otst_expect_now(e, ip - INSN, 2 * (size_t)INSN);
	uint8_t insn[INSN];

	if (otst_ftrace_has_stubs(e->o))
		return otst_ppc64le_set_ops(e, ip, f);
	if (!now || (otst_ppc64le_get(now) != NOP && otst_ppc64le_get(now) != STD_R0))
		return 0;
	otst_ppc64le_put(insn, otst_ppc64le_get(now) == NOP ? MFLR_R0 : NOP);
	otst_expect_set(e, OTST_DIFF_FTRACE, ip - INSN, insn, INSN);
	return 0;
}

static int ppc64le_switch_site(struct otst_expect *e, uint64_t ip, uint64_t to)
{
	uint8_t insn[INSN];

	if (otst_ftrace_has_stubs(e->o))
		return otst_ppc64le_set_stub(e, ip, to);
	if (to)
		e->arch->arch->insn.put_branch(insn, OTST_BRANCH_CALL, ip, to);
	else
		otst_ppc64le_put(insn, NOP);
	otst_expect_set(e, OTST_DIFF_FTRACE, ip, insn, INSN);
	return 0;
}

static void ppc64le_lose_site(struct otst_expect *e, const struct otst_expect_part *p, size_t at)
{
	uint64_t addr = p->addr + at, target, mcount = otst_symbol_or0(e->o, "_mcount");
	uint32_t built = otst_ppc64le_get(p->built + at);

	if (e->stubs.count) {
		otst_ppc64le_lose_stub(e, p, at);
		return;
	}
	if (at < INSN || otst_ftrace_site_at(e->o, addr, NULL))
		return;
	if (mcount && otst_ppc64le_branch(built, addr, &target) && target == mcount)
		otst_expect_unknown(e, addr - INSN, 2 * (size_t)INSN);
	else if (built == NOP && otst_ppc64le_get(p->built + at - INSN) == NOP &&
		 otst_ppc64le_get(p->found + at - INSN) == MFLR_R0)
		otst_expect_unknown(e, addr - INSN, 2 * (size_t)INSN);
}

const struct otst_audit_arch otst_audit_ppc64le = {
	.arch = &otst_arch_ppc64le,
	.classes = classes,
	.nr_classes = sizeof(classes) / sizeof(*classes),
	.called_at = otst_ppc64le_entry,
	.prepare = otst_ppc64le_prepare,
	.prepare_site = ppc64le_prepare_site,
	.switch_site = ppc64le_switch_site,
	.lose_site = ppc64le_lose_site,
	.relocate = otst_ppc64le_relocation,
};
