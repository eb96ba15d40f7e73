// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * classes.c - the classes of differences that riscv64's text has, in the order in
 * which the kernel applies them, and what ftrace writes at the entries of functions
 * (arch/riscv/kernel/ftrace.c): built as nops of two bytes, eight bytes become two nops of
 * four, or auipc and jalr by t0. Static calls are plain pointers on riscv64.
 */
#include <string.h>

#include "../../ftrace/ftrace.h"
#include "riscv64.h"

#define INSN 4u

static otst_apply_fn *const classes[] = {
	otst_apply_kgdb,   otst_apply_kprobes,	   otst_rv64_alternatives,
	otst_apply_ftrace, otst_apply_jump_labels,
};

/* these kernels are linked to where they run, or have entries that say what moves */
static size_t relocated(const struct otst_expect *e, uint64_t addr, const uint8_t *expected,
			const uint8_t *found, size_t len, size_t at, size_t *from)
{
	(void)e;
	(void)addr;
	(void)expected;
	(void)found;
	(void)len;
	(void)at;
	(void)from;
	return 0;
}

static const uint8_t *nop(const struct otst_expect *e)
{
	return e->arch->arch->nop.bytes;
}

static size_t put_jump(const struct otst_expect *e, const uint8_t *built, uint64_t addr,
		       uint64_t target, uint8_t *ret)
{
	(void)built;
	if (target)
		return e->arch->arch->put_branch(ret, OTST_BRANCH_JUMP, addr, target);
	memcpy(ret, e->arch->arch->nop.bytes, INSN);
	return INSN;
}

void otst_rv64_by_ra(uint8_t *pair)
{
	/* rd of auipc; rd and rs1 of jalr */
	pair[0] = (uint8_t)((pair[0] & 0x7f) | 0x80);
	pair[1] = (uint8_t)(pair[1] & 0xf0);
	pair[4] = (uint8_t)((pair[4] & 0x7f) | 0x80);
	pair[5] = (uint8_t)(pair[5] & 0x70) | 0x80;
	pair[6] = (uint8_t)(pair[6] & 0xf0);
}

/* four nops of two bytes, or two of four */
static void lose_site(struct otst_expect *e, const struct otst_expect_part *p, size_t at)
{
	static const uint8_t short_nops[] = { 1, 0, 1, 0, 1, 0, 1, 0 };
	const struct otst_insn_form *nops = &e->arch->arch->nop;

	if ((!memcmp(p->built + at, short_nops, nops->len) ||
	     !memcmp(p->built + at, nops->bytes, nops->len)) &&
	    !otst_ftrace_site_at(e->o, p->addr + at, NULL))
		otst_expect_unknown(e, p->addr + at, nops->len);
}

const struct otst_audit_arch otst_audit_riscv64 = {
	.arch = &otst_arch_riscv64,
	.classes = classes,
	.nr_classes = sizeof(classes) / sizeof(*classes),
	.relocated = relocated,
	.nop = nop,
	.put_jump = put_jump,
	.common_call = otst_rv64_by_ra,
	.lose_site = lose_site,
};
