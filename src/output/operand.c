// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * operand.c - operands that chose nothing: names that the kernel does not have,
 * and names of something on which there is no record.
 */
#include <string.h>

#include "operand.h"

const char *otst_operand_text(struct otst *o, const struct otst_operand *op)
{
	const char *text = op->message;
	size_t i;

	for (i = 0; i < op->nr_near && text; i++)
		text = otst_format(o, "%s%s%s", text, i ? ", " : "; near: ", op->near[i]);
	return text ? text : op->message;
}

static void operand_json(struct otst_printer *p, const struct otst_operand *op)
{
	struct json_object *j = otst_json_new("operand"), *near = otst_json_array();
	size_t i;

	otst_json_string(j, "operand", op->text);
	if (op->known == OTST_KNOWN_NOT_LOOKED)
		otst_json_null(j, "known");
	else
		otst_json_bool(j, "known", op->known == OTST_KNOWN);
	otst_json_string(j, "message", op->message);
	for (i = 0; i < op->nr_near; i++)
		otst_json_append_string(near, op->near[i]);
	otst_json_object(j, "near", near);
	otst_json_line(p, j);
}

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
		operand_json(p, op);
	else
		otst_printf(p, "%s\n", line);
}
