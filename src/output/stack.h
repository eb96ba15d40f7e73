/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * stack.h - captured stacks as text, as the kernel prints them.
 *
 *	 <IRQ>
 *	 sym+0x1/0x1d [module]
 *	 ? sym+0x1/0x1d
 *	 </IRQ>
 *	 <TASK>
 *	 RIP: 0010:sym+0x1/0x1d
 *	 </TASK>
 */
#ifndef OTST_OUTPUT_STACK_H
#define OTST_OUTPUT_STACK_H

#include "output.h"
#include "../stacks/stack.h"

/**
 * otst_frame_name() - "sym+0x1/0x1d [module]", a plain number when nothing is known
 *
 * Like the kernel's %pB: a return address gets the name of the call before it.
 * In the command's arena; never NULL.
 */
const char *otst_frame_name(struct otst *o, const struct otst_frame *f);

/** otst_pc_title() - the prefix of an address from saved registers: "RIP: 0010:"; never NULL */
const char *otst_pc_title(struct otst *o, uint16_t cs);

/**
 * otst_stack_text() - a stack as a string of lines (stack_sbuf_print of stack(9))
 *
 * Return: NULL when out of memory.
 */
const char *otst_stack_text(struct otst *o, const struct otst_stack *st);

/** otst_print_stack() - print a stack; if it is not whole, a last line says how it ends */
void otst_print_stack(struct otst_printer *p, const struct otst_stack *st);

/** otst_print_stack_short() - one line: "#0 sym+0x1 #1 sym+0x2" */
void otst_print_stack_short(struct otst_printer *p, const struct otst_stack *st);

#endif /* OTST_OUTPUT_STACK_H */
