// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * cfi.c - the image file's DWARF call frames as unwind rules, for kernels
 * without ORC and for code that ORC leaves out.
 */
#include "../base/engine.h"
#include "../built/built.h"
#include "stack.h"

#define UNKNOWN_KIND "a call frame of a kind that is not known"

/* entry code of x86_64: from the pc to the stack pointer that the cpu pushed before it */
#define IRET_SP 24

int otst_cfi_find(struct otst *o, uint64_t pc, struct otst_rule *ret)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	struct otst_rule r = { .type = OTST_RULE_CALL };
	struct otst_cfi c;
	int err = otst_cfi_read(o, pc, &c);

	if (err)
		return err;
	if (c.outermost) {
		*ret = (struct otst_rule){ .type = OTST_RULE_END };
		return 0;
	}
	r.sp_offset = (int32_t)c.cfa_offset;
	r.ret_offset = (int32_t)c.ret_offset;
	r.fp_offset = (int32_t)c.fp_offset;
	if (r.sp_offset != c.cfa_offset || r.ret_offset != c.ret_offset ||
	    r.fp_offset != c.fp_offset || c.cfa_sum != (int32_t)c.cfa_sum)
		return otst_raise(o, OTST_ERR_CORRUPT,
				  "the image file's call frame makes no sense");
	if (c.cfa_sum) {
		if (c.cfa_reg != arch->reg.sp || c.cfa_offset)
			return otst_raise(o, OTST_ERR_LOOKUP, UNKNOWN_KIND);
		r.base = OTST_BASE_SP_INDIRECT;
		r.sp_offset = (int32_t)c.cfa_sum;
	} else if (c.cfa_reg == arch->reg.sp) {
		r.base = c.cfa_deref ? OTST_BASE_SP_AT : OTST_BASE_SP;
	} else if (c.cfa_reg == arch->reg.fp) {
		r.base = c.cfa_deref ? OTST_BASE_FP_INDIRECT : OTST_BASE_FP;
	} else if (!c.cfa_deref && !c.cfa_offset) {
		r.base = OTST_BASE_REG;
		r.reg = c.cfa_reg;
	} else {
		return otst_raise(o, OTST_ERR_LOOKUP, UNKNOWN_KIND);
	}
	if (c.fp_saved)
		r.fp = OTST_FP_PREV_SP;
	if (c.sp_saved && c.sp_offset == c.ret_offset + IRET_SP &&
	    (r.base == OTST_BASE_SP || r.base == OTST_BASE_SP_INDIRECT)) {
		r.type = OTST_RULE_IRET;
		r.sp_offset += r.ret_offset;
		r.fp_offset -= r.ret_offset;
		r.next_exact = true;
	}
	*ret = r;
	return 0;
}
