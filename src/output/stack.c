// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stack.c - struct otst_stack as text in the kernel's words (printk_stack_address()
 * and show_trace_log_lvl() of arch/x86/kernel/dumpstack.c).
 */

#include "../base/text_buffer.h"
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

static void put_mark(struct otst_text *t, const char *open, unsigned int place)
{
	const char *name = otst_place_name(place);

	if (name)
		otst_text_printf(t, " %s%s>\n", open, name);
}

const char *otst_pc_title(struct otst *o, uint16_t cs)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	const char *s = arch->reg.segments ? otst_format(o, "%s%04x:", arch->reg.shown_pc, cs) :
					     arch->reg.shown_pc;

	return s ? s : "";
}

static void put_frame(struct otst_text *t, const struct otst_frame *f)
{
	struct otst_sym sym;

	if (f->regs)
		otst_text_printf(t, " %s", otst_pc_title(t->o, f->cs));
	else
		otst_text_string(t, f->reliable ? " " : " ? ");
	symbolize_frame(t->o, f, &sym);
	otst_text_sym(t, f->pc, &sym, OTST_SYM_PS_OFFSET);
	otst_text_char(t, '\n');
}

static void put_stack(struct otst_text *t, const struct otst_stack *st)
{
	unsigned int place = OTST_PLACE_UNKNOWN;

	for (size_t i = 0; i < st->count; i++) {
		const struct otst_frame *f = &st->frames[i];

		if (f->place != place) {
			put_mark(t, "</", place);
			put_mark(t, "<", f->place);
			place = f->place;
		}
		put_frame(t, f);
	}
	put_mark(t, "</", place);
}

const char *otst_stack_text(struct otst *o, const struct otst_stack *st)
{
	struct otst_text t = { .o = o };

	put_stack(&t, st);
	return otst_text_done(&t);
}

void otst_print_stack(struct otst_printer *p, const struct otst_stack *st)
{
	struct otst_text t = { .o = p->o };

	put_stack(&t, st);
	if (t.buf)
		otst_write(p, t.buf, otst_text_len(&t));
	if (st->end == OTST_END_FULL)
		otst_printf(p, " (more frames than the %zu that are kept)\n", st->room);
	else if (st->end == OTST_END_CUT || st->end == OTST_END_LOST)
		otst_printf(p, " (%s%s%s)\n", otst_end_name(st->end), st->why ? ": " : "",
			    st->why ? st->why : "");
}

void otst_print_stack_short(struct otst_printer *p, const struct otst_stack *st)
{
	struct otst_sym sym;

	for (size_t i = 0; i < st->count; i++) {
		const struct otst_frame *f = &st->frames[i];

		symbolize_frame(p->o, f, &sym);
		if (i)
			otst_printf(p, " ");
		otst_printf(p, "#%zu %s%s", i, f->reliable ? "" : "?",
			    otst_sym_format(p->o, f->pc, &sym, OTST_SYM_OFFSET));
	}
	otst_printf(p, "\n");
}
