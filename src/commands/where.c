// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * where.c - otst -w: everything that is on a function, or on a tracepoint or a
 * place in a file.
 */
#include "commands.h"
#include "../output/where.h"

static int read_operands(struct otst *o, const struct otst_args *args,
			 const struct otst_where_operand **ret)
{
	struct otst_where_operand *op = otst_alloc(o, args->nr_operands * sizeof(*op));
	const struct otst_filter *f = otst_filters(o, args);
	size_t i;

	if (!op || !f)
		return otst_no_memory(o);
	for (i = 0; i < args->nr_operands; i++) {
		if (!f[i].name && f[i].first != f[i].last)
			return otst_raise(o, OTST_ERR_USAGE, "a range of addresses is no function");
		op[i] = (struct otst_where_operand){ args->operands[i], !f[i].name, f[i].first };
	}
	*ret = op;
	return 0;
}

int otst_cmd_where(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	const struct otst_where_operand *operands = NULL;
	struct otst_wheres all;
	int err;

	if (!args->nr_operands)
		return otst_raise(o, OTST_ERR_USAGE, "which function? otst -w SYMBOL or ADDRESS");
	err = read_operands(o, args, &operands);
	if (!err)
		err = otst_wheres(o, operands, args->nr_operands, args->sources, &all);
	if (!err)
		otst_print_wheres(p, &all);
	return err;
}
