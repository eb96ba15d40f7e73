// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * code.c - whether a word on a stack can be a return address.
 */
#include "stack.h"

#define MAX_WINDOW 16u /* bytes before a return address */

bool otst_is_kernel_text(struct otst *o, uint64_t pc)
{
	const struct otst_text_bounds *t = otst_text_bounds(o);

	if (otst_in_bounds(t, pc))
		return true;
	return (pc < t->stext || pc >= t->end) && pc >= otst_kernel(o)->arch->space.text_begin &&
	       otst_is_text(o, pc);
}

bool otst_is_code(struct otst *o, uint64_t pc)
{
	const struct otst_text_bounds *t = otst_text_bounds(o);
	uint8_t byte;

	if (otst_is_kernel_text(o, pc))
		return true;
	/* trampolines, detour buffers, BPF: in the range for modules, and not kernel data */
	if (pc < otst_kernel(o)->arch->space.text_begin || (pc >= t->stext && pc < t->end))
		return false;
	return !otst_module_at(o, pc) && !otst_read_u8(o, pc, &byte);
}

bool otst_follows_call(struct otst *o, uint64_t pc)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	unsigned char before[MAX_WINDOW];

	return otst_read(o, pc - arch->insn.call_window, before, arch->insn.call_window) ||
	       arch->insn.follows_call(before);
}
