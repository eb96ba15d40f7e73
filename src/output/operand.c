// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * operand.c - operands that matched nothing: names that the kernel does not have,
 * and names of something that has no record.
 */
#include <string.h>

#include "../names/lookup.h"
#include "operand.h"
#include "rows.h"

const char *otst_operand_text(struct otst *o, const struct otst_operand *op)
{
	const char *text = op->message;

	for (size_t i = 0; i < op->nr_near && text; i++)
		text = otst_format(o, "%s%s%s", text, i ? ", " : "; near: ", op->near[i]);
	return text ? text : op->message;
}

static void operand_rows(struct otst_rows *r, const void *item)
{
	const struct otst_operand *op = item;

	ROW_TEXT(r, "operand", op->text, .what = "as it was given");
	ROW_BOOL_OR_NULL(
		r, "known", op->known != OTST_KNOWN_NOT_LOOKED, op->known == OTST_KNOWN,
		.what = "the kernel has what it names: a function, variable, module or event; "
			"null when that could not be looked up");
	ROW_TEXT(r, "message", op->message);
	ROW_TEXTS(r, "near", op->near, op->nr_near, .most_items = 4,
		  .what = "names that are like it");
}

const struct otst_object otst_operand_object = { OTST_LINE, "operand", operand_rows,
						 "an operand that chose nothing" };

void otst_print_operand(struct otst_printer *p, const struct otst_operand *op, bool aside)
{
	const char *line = otst_operand_text(p->o, op);

	p->unknown += op->known == OTST_KNOWN_NOT;
	p->bad += op->known == OTST_KNOWN_NOT_LOOKED;
	if (op->known != OTST_KNOWN)
		line = otst_format(p->o, "%s%s: %s",
				   op->known == OTST_KNOWN_NOT_LOOKED && !aside ? "!! " : "",
				   op->text, line);
	if (line && aside)
		line = otst_format(p->o, "otst: %s\n", line);
	if (!line)
		p->err = otst_no_memory(p->o);
	else if (aside)
		p->aside->write(p->aside->priv, line, strlen(line));
	else if (p->json)
		otst_print_json(p, &otst_operand_object, op, NULL);
	else
		otst_printf(p, "%s\n", line);
}
