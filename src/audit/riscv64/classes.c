// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * classes.c - the classes of differences that riscv64's text has, in the order in
 * which the kernel applies them, and what ftrace writes at the entries of functions
 * (arch/riscv/kernel/ftrace.c): eight bytes, built as nops of two bytes, become two nops of
 * four, or auipc and jalr through t0; since v6.16 auipc and a nop, or both. The ftrace_ops
 * that is called may be stored before the function (CALL_OPS). Static calls are plain
 * pointers on riscv64.
 */
#include <string.h>

#include "../../ftrace/ftrace.h"
#include "riscv64.h"

#define INSN 4u
#define PAIR 8u /* auipc and jalr */

static otst_apply_fn *const classes[] = {
	otst_apply_kgdb,	   otst_apply_kprobes,
	otst_riscv64_alternatives, otst_riscv64_runtime_consts,
	otst_apply_ftrace,	   otst_apply_jump_labels,
};

/* four nops of two bytes, or two of four */
static bool are_nops(const struct otst_expect *e, const uint8_t *bytes)
{
	static const uint8_t short_nops[] = { 1, 0, 1, 0, 1, 0, 1, 0 };
	const struct otst_insn_form *nops = &e->arch->arch->insn.nop;

	return bytes && (!memcmp(bytes, short_nops, sizeof(short_nops)) ||
			 !memcmp(bytes, nops->bytes, nops->len));
}

/*
 * Since v6.16 a site is the second instruction of its call, and the first one always stays
 * (ftrace_call_adjust(), ftrace_init_nop()).
 */
static bool is_second(const struct otst_expect *e, uint64_t ip)
{
	return !are_nops(e, otst_expect_built(e, ip, PAIR)) &&
	       are_nops(e, otst_expect_built(e, ip - INSN, PAIR));
}

/* the ftrace_ops before the function, if there is room (CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS) */
static int riscv64_prepare_site(struct otst_expect *e, uint64_t ip,
				const struct otst_ftrace_function *f)
{
	uint64_t at = (ip - 3 * INSN) & ~UINT64_C(7), ops;

	if (!is_second(e, ip) || !are_nops(e, otst_expect_built(e, at, PAIR)) ||
	    are_nops(e, otst_expect_found(e, at, PAIR)))
		return 0;
	/* there are more ftrace_ops than the record shows: ftrace is about to update it */
	if (f && !f->unique && f->count > 1 &&
	    f->site.flags & (uint64_t)otst_enumerator_or(e->o, "FTRACE_FL_CALL_OPS_EN", 0)) {
		otst_expect_unknown(e, at, PAIR);
		return 0;
	}
	ops = otst_expect_call_ops(e, f);
	if (ops)
		otst_expect_set_word(e, OTST_DIFF_FTRACE, at, ops);
	return 0;
}

/* jalr reaches what is near the common trampoline; all else is called through the latter */
static int riscv64_switch_site(struct otst_expect *e, uint64_t ip, uint64_t to)
{
	uint64_t at = is_second(e, ip) ? ip - INSN : ip;
	uint64_t common = otst_symbol_or0(e->o, "ftrace_caller"),
		 reach = otst_arch_riscv64.ftrace.lead_reach;
	uint8_t bytes[PAIR], jump[PAIR];

	if (to && at != ip && to - common + reach > 2 * reach)
		to = common;
	e->arch->arch->insn.put_branch(bytes, OTST_BRANCH_CALL, at, at == ip ? to : common);
	if (!to)
		memcpy(bytes + (at == ip ? 0 : INSN), e->arch->arch->insn.nop.bytes,
		       at == ip ? PAIR : INSN);
	else if (at != ip) {
		e->arch->arch->insn.put_branch(jump, OTST_BRANCH_CALL, at, to);
		memcpy(bytes + INSN, jump + INSN, INSN);
	}
	otst_expect_set(e, OTST_DIFF_FTRACE, at, bytes, PAIR);
	return 0;
}

static void riscv64_lose_site(struct otst_expect *e, const struct otst_expect_part *p, size_t at)
{
	if (are_nops(e, p->built + at) && !otst_ftrace_site_at(e->o, p->addr + at, NULL))
		otst_expect_unknown(e, p->addr + at, PAIR);
}

const struct otst_audit_arch otst_audit_riscv64 = {
	.arch = &otst_arch_riscv64,
	.classes = classes,
	.nr_classes = sizeof(classes) / sizeof(*classes),
	.common_call = otst_riscv64_by_ra,
	.prepare_site = riscv64_prepare_site,
	.switch_site = riscv64_switch_site,
	.lose_site = riscv64_lose_site,
};
