// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * arch.c - the table of processors.
 */
#include <string.h>

#include "arch.h"

/* ---- a processor about which nothing is known ---- */

bool otst_arch_no_branch(const uint8_t *bytes, size_t len, uint64_t addr, struct otst_branch *ret)
{
	(void)bytes;
	(void)len;
	(void)addr;
	*ret = (struct otst_branch){ .kind = OTST_BRANCH_NONE };
	return false;
}

size_t otst_arch_put_nothing(uint8_t *to, enum otst_branch_kind kind, uint64_t addr,
			     uint64_t target)
{
	(void)to;
	(void)kind;
	(void)addr;
	(void)target;
	return 0;
}

size_t otst_arch_no_mark(const uint8_t *bytes)
{
	(void)bytes;
	return 0;
}

bool otst_arch_may_follow_call(const uint8_t *before)
{
	(void)before;
	return true;
}

const struct otst_arch otst_arch_unknown = {
	.name = "",

	.reg = {
		.pc = OTST_NO_REG,
		.sp = OTST_NO_REG,
		.fp = OTST_NO_REG,
		.ra = OTST_NO_REG,
		.shown_pc = "RIP: ",
		.segments = true,
	},

	.insn = {
		.step = 1,
		.branch_len = 5,
		.branch = otst_arch_no_branch,
		.put_branch = otst_arch_put_nothing,
		.entry_mark = otst_arch_no_mark,
		.entry_nop = otst_arch_no_mark,
		.follows_call = otst_arch_may_follow_call,
	},

	.ftrace = {
		.call_max = 4,
	},

	.space = {
		.kernel_begin = 0xff00000000000000,
		.text_begin = 0xff00000000000000,
		.user_end = UINT64_C(1) << 56,
		.user_window = UINT64_C(1) << 56,
	},
};

/* ---- the table ---- */

#define ROW(arch) &otst_arch_##arch,

/* NULL for an architecture that is not linked in */
static const struct otst_arch *const arches[] = { OTST_ARCHES(ROW) };

#define COUNT (sizeof(arches) / sizeof(*arches))

const struct otst_arch *otst_arch_row(size_t i)
{
	for (size_t k = 0; k < COUNT; k++) {
		if (arches[k] && !i--)
			return arches[k];
	}
	return NULL;
}

const struct otst_arch *otst_arch_named(const char *machine)
{
	const struct otst_arch *a;

	for (size_t i = 0; (a = otst_arch_row(i)); i++) {
		if (!strcmp(a->name, machine))
			return a;
	}
	return &otst_arch_unknown;
}

const struct otst_arch *otst_arch_of_elf(uint16_t machine)
{
	const struct otst_arch *a;

	for (size_t i = 0; (a = otst_arch_row(i)); i++) {
		if (a->elf_machine == machine)
			return a;
	}
	return &otst_arch_unknown;
}

bool otst_insn_is(const struct otst_insn_form *form, const uint8_t *bytes, size_t len)
{
	return form->len && len >= form->len && !memcmp(bytes, form->bytes, form->len);
}

const struct otst_insn_form *otst_breakpoint_at(const struct otst_arch *arch, const uint8_t *bytes,
						size_t len)
{
	if (otst_insn_is(&arch->insn.breakpoint, bytes, len))
		return &arch->insn.breakpoint;
	return otst_insn_is(&arch->insn.short_breakpoint, bytes, len) ?
		       &arch->insn.short_breakpoint :
		       NULL;
}

const struct otst_insn_form *otst_breakpoint_on(const struct otst_arch *arch, size_t len)
{
	return arch->insn.short_breakpoint.len && len == arch->insn.short_breakpoint.len ?
		       &arch->insn.short_breakpoint :
		       &arch->insn.breakpoint;
}
