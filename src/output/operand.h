/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * operand.h - messages about operands that matched nothing:
 *
 *	do_nanoslep: no such function; near: do_nanosleep
 *	no probe on do_sys_open
 */
#ifndef OTST_OUTPUT_OPERAND_H
#define OTST_OUTPUT_OPERAND_H

#include "output.h"

/**
 * struct otst_operand - an operand that matched nothing
 * @text: as the user wrote it, cleaned
 * @known: whether the kernel has what it names, if that can be told
 * @what: what it is instead: "module", "variable"; NULL for anything else
 * @message: the message; follows "operand: ", except when @known is OTST_KNOWN
 * @near: similar names, @nr_near of them
 */
struct otst_operand {
	const char *text;
	enum otst_answer known;
	const char *what;
	const char *message;
	const char *const *near;
	size_t nr_near;
};

/** otst_operand_text() - "no such function; near: do_nanosleep"; in the command's arena, never NULL */
const char *otst_operand_text(struct otst *o, const struct otst_operand *op);

/**
 * otst_print_operand() - print a line or JSON object about an operand; counts unknown names
 * @aside: print to where complaints go, because the output is for another program
 */
void otst_print_operand(struct otst_printer *p, const struct otst_operand *op, bool aside);

#endif /* OTST_OUTPUT_OPERAND_H */
