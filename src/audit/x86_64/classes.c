// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * classes.c - the classes of differences that x86_64's text has, in the order in
 * which the kernel applies them; probes and patches under way are on top of all others.
 */
#include <string.h>

#include "x86_64.h"

static otst_apply_fn *const classes[] = {
	otst_apply_kgdb,	   otst_apply_pokes,	    otst_apply_kprobes,
	otst_apply_paravirt,	   otst_apply_cfi,	    otst_apply_retpolines,
	otst_apply_returns,	   otst_apply_call_depth,   otst_apply_alternatives,
	otst_apply_call_depth,	   otst_apply_endbrs,	    otst_apply_smp_locks,
	otst_apply_runtime_consts, otst_apply_ftrace,	    otst_apply_dispatcher,
	otst_apply_jump_labels,	   otst_apply_static_calls,
};

static int prepare_classes(struct otst_expect *e)
{
	e->patcher = otst_patcher(e->o);
	return e->patcher ? 0 : otst_no_memory(e->o);
}

static const uint8_t *nop_of_x86(struct otst *o)
{
	return otst_patcher(o)->nop5;
}

/* a jump of 2 or 5 bytes, as it was built */
static size_t x86_64_put_jump(const struct otst_expect *e, const uint8_t *built, uint64_t addr,
			      uint64_t target, uint8_t *ret)
{
	size_t len = built[0] == JMP8 || (built[0] == 0x66 && built[1] == 0x90) ? 2 : 5;

	if (!target) {
		memcpy(ret, len == 5 ? e->patcher->nop5 : e->patcher->nop[2], len);
	} else if (len == 2) {
		ret[0] = JMP8;
		ret[1] = (uint8_t)(target - (addr + 2));
	} else {
		otst_put_rel32(ret, JMP, addr, target);
	}
	return len;
}

/* a site that was built as a call of __fentry__ and is in no record */
static void x86_64_lose_site(struct otst_expect *e, const struct otst_expect_part *p, size_t at)
{
	uint64_t addr = p->addr + at;

	if (p->built[at] == CALL &&
	    otst_get_rel32(p->built + at, addr) == otst_symbol_or0(e->o, "__fentry__") &&
	    !otst_ftrace_site_at(e->o, addr, NULL))
		otst_expect_unknown(e, addr, 5);
}

const struct otst_audit_arch otst_audit_x86_64 = {
	.arch = &otst_arch_x86_64,
	.in_pieces = true,
	.classes = classes,
	.nr_classes = sizeof(classes) / sizeof(*classes),
	.prepare = prepare_classes,
	.relocated = otst_x86_64_relocated,
	.nop = nop_of_x86,
	.put_jump = x86_64_put_jump,
	.lose_site = x86_64_lose_site,
	.trampoline_ops = otst_x86_64_trampoline_ops,
	.check_trampoline = otst_x86_64_check_trampoline,
	.check_kprobe = otst_x86_64_check_kprobe,
};
