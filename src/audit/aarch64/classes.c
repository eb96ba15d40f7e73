// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * classes.c - the classes of differences that arm64's text has, in the order in
 * which the kernel applies them, and what ftrace writes at the entries of functions
 * (arch/arm64/kernel/ftrace.c): of the nops that were built, one becomes the move of the
 * return address, which then stays, and the next the call. The ftrace_ops that is called
 * may be stored before the function (CALL_OPS). Static calls are plain pointers on arm64.
 */
#include <string.h>

#include "../../ftrace/ftrace.h"
#include "aarch64.h"

static otst_apply_fn *const classes[] = {
	otst_apply_kgdb,	 otst_apply_kprobes,	 otst_a64_relocation,
	otst_a64_plts,		 otst_a64_shadow_stacks, otst_a64_alternatives,
	otst_a64_runtime_consts, otst_apply_ftrace,	 otst_apply_jump_labels,
};

/* Linux baaf553d3bc3 ("arm64: Implement HAVE_DYNAMIC_FTRACE_WITH_CALL_OPS") (v6.3) */
static uint64_t ops_at(uint64_t ip)
{
	return (ip - 3 * INSN) & ~UINT64_C(7);
}

static void set_ops(struct otst_expect *e, uint64_t ip, const struct otst_ftrace_function *f)
{
	static const uint8_t nops[] = { 0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20, 0x03, 0xd5 };
	const uint8_t *built = otst_expect_built(e, ops_at(ip), sizeof(nops));
	const uint8_t *found = otst_expect_found(e, ops_at(ip), sizeof(nops));
	uint64_t ops = otst_expect_call_ops(e, f);

	/* nops that are still before a function are padding, in a kernel without CALL_OPS */
	if (!ops || !built || !found || memcmp(built, nops, sizeof(nops)) != 0 ||
	    !memcmp(found, nops, sizeof(nops)))
		return;
	otst_expect_set_word(e, OTST_DIFF_FTRACE, ops_at(ip), ops);
}

static int aarch64_prepare_site(struct otst_expect *e, uint64_t ip,
				const struct otst_ftrace_function *f)
{
	const uint8_t *now = otst_expect_now(e, ip - INSN, INSN);
	uint8_t move[INSN];

	/* a kernel built with -pg has only the call of _mcount */
	if (!now || otst_a64_get(now) != NOP)
		return 0;
	otst_a64_put(move, MOV_X9_X30);
	otst_expect_set(e, OTST_DIFF_FTRACE, ip - INSN, move, INSN);
	set_ops(e, ip, f);
	return 0;
}

static void aarch64_lose_site(struct otst_expect *e, const struct otst_expect_part *p, size_t at)
{
	uint64_t addr = p->addr + at, target, mcount = otst_symbol_or0(e->o, "_mcount");
	uint32_t built = otst_a64_get(p->built + at);

	if (mcount && otst_a64_branch(built, addr, &target) && target == mcount) {
		otst_expect_unknown(e, addr, INSN);
		return;
	}
	if (built != NOP || at < INSN || otst_a64_get(p->found + at - INSN) != MOV_X9_X30 ||
	    otst_a64_get(p->built + at - INSN) != NOP || otst_ftrace_site_at(e->o, addr, NULL))
		return;
	otst_expect_unknown(e, addr - INSN, 2 * INSN);
	if (otst_has_symbol(e->o, "ftrace_nop_ops"))
		otst_expect_unknown(e, ops_at(addr), 8);
}

const struct otst_audit_arch otst_audit_aarch64 = {
	.arch = &otst_arch_aarch64,
	.classes = classes,
	.nr_classes = sizeof(classes) / sizeof(*classes),
	.prepare_site = aarch64_prepare_site,
	.lose_site = aarch64_lose_site,
	.relocate = otst_a64_relocation,
};
