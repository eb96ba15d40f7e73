// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stubs.c - code of ftrace that the kernel writes: the stub through which calls reach
 * the common trampoline when they are too far from it (ftrace_dyn_arch_init()).
 */
#include "ppc64le.h"

#define LD_R12_R13    0xe98d0000u
#define ADDIS_R12_R12 0x3d8c0000u
#define ADDI_R12_R12  0x398c0000u
#define MTCTR_R12     0x7d8903a6u
#define BCTR	      0x4e800420u
#define LENGTH	      (5 * INSN)

static int read_toc(struct otst *o, uint64_t *toc, uint64_t *offset)
{
	const struct otst_member *m;
	uint64_t pacas, paca;
	int err = otst_member(o, "paca_struct", "kernel_toc", &m);

	err = err ?: otst_symbol(o, "paca_ptrs", &pacas);
	err = err ?: otst_read_u64(o, pacas, &pacas);
	err = err ?: otst_read_u64(o, pacas, &paca);
	err = err ?: otst_read_u64(o, paca + m->offset, toc);
	*offset = err ? 0 : m->offset;
	return err;
}

static int ppc64le_set_stub(struct otst_expect *e, uint64_t at)
{
	uint64_t to = otst_symbol_or0(e->o, "ftrace_regs_caller"), toc, offset;
	uint8_t bytes[LENGTH];

	if (!to)
		to = otst_symbol_or0(e->o, "ftrace_caller");
	if (read_toc(e->o, &toc, &offset))
		return otst_expect_lost(e, at, LENGTH, "stub of ftrace at", at);
	to -= toc;
	otst_ppc64le_put(bytes, LD_R12_R13 | (uint32_t)offset);
	/* the lower half is signed */
	otst_ppc64le_put(bytes + INSN, ADDIS_R12_R12 | ((uint32_t)(to + 0x8000) >> 16));
	otst_ppc64le_put(bytes + 2 * INSN, ADDI_R12_R12 | (uint32_t)(to & 0xffff));
	otst_ppc64le_put(bytes + 3 * INSN, MTCTR_R12);
	otst_ppc64le_put(bytes + 4 * INSN, BCTR);
	otst_expect_set(e, OTST_DIFF_FTRACE, at, bytes, LENGTH);
	return 0;
}

int otst_ppc64le_stubs(struct otst_expect *e)
{
	uint64_t at = e->module ? 0 : otst_symbol_or0(e->o, "ftrace_tramp_text");

	return at ? ppc64le_set_stub(e, at) : 0;
}
