// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stack.c - a frame as text in the kernel's words (printk_stack_address()
 * and show_trace_log_lvl() of arch/x86/kernel/dumpstack.c).
 */

#include "../ftrace/ftrace.h"
#include "stack.h"

static void symbolize_frame(struct otst *o, const struct otst_frame *f, struct otst_sym *ret)
{
	otst_symbolize_frame(o, otst_frame_code(o, f->pc, f->exact), ret);
}

const char *otst_frame_name(struct otst *o, const struct otst_frame *f)
{
	struct otst_sym sym;

	symbolize_frame(o, f, &sym);
	return otst_sym_format(o, f->pc, &sym, OTST_SYM_PS_OFFSET);
}

const char *otst_pc_title(struct otst *o, uint16_t cs)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	const char *s = arch->reg.segments ? otst_format(o, "%s%04x:", arch->reg.shown_pc, cs) :
					     arch->reg.shown_pc;

	return s ? s : "";
}
