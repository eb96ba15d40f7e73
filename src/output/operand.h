/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * operand.h - what became of an operand that chose nothing:
 *
 *	do_nanoslep: no such function; near: do_nanosleep
 *	no probe on do_sys_open
 */
#ifndef OTST_OUTPUT_OPERAND_H
#define OTST_OUTPUT_OPERAND_H

#include "output.h"

/**
 * struct otst_operand - an operand that chose nothing
 * @text: as the user wrote it, cleaned
 * @known: the kernel has what it names, or that is not known
 * @message: what is to be said: behind "operand: ", alone when it is @known
 * @near: names like it, @nr_near
 */
struct otst_operand {
	const char *text;
	enum otst_answer known;
	const char *message;
	const char *const *near;
	size_t nr_near;
};

/** otst_operand_text() - "no such function; near: do_nanosleep"; in the command's arena, never NULL */
const char *otst_operand_text(struct otst *o, const struct otst_operand *op);

/**
 * otst_print_operand() - the line, or JSON object; counts what is not known
 * @aside: to where complaints go: the output is another program's
 */
void otst_print_operand(struct otst_printer *p, const struct otst_operand *op, bool aside);

#endif /* OTST_OUTPUT_OPERAND_H */
