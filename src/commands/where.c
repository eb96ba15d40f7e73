// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * where.c - otst -w: everything that is on a function, or on a tracepoint or a
 * place in a file.
 */
#include <string.h>

#include "../names/lookup.h"
#include "../output/operand.h"
#include "../output/where.h"
#include "commands.h"

static int read_operands(struct otst *o, const struct otst_args *args, const struct otst_filter *f,
			 const struct otst_where_operand **ret)
{
	struct otst_where_operand *op = otst_alloc(o, args->nr_operands * sizeof(*op));

	if (!op)
		return otst_no_memory(o);
	for (size_t i = 0; i < args->nr_operands; i++) {
		if (!f[i].name && f[i].first != f[i].last)
			return otst_raise(o, OTST_ERR_USAGE,
					  "a range of addresses is not a function");
		op[i] = (struct otst_where_operand){ args->operands[i], !f[i].name, f[i].first };
	}
	*ret = op;
	return 0;
}

/* index of an item's operand, for its word and its filter */
static size_t find_operand(struct otst *o, const struct otst_args *args, const struct otst_where *w)
{
	size_t i;

	for (i = 0; i + 1 < args->nr_operands; i++) {
		if (!strcmp(otst_clean(o, args->operands[i]), w->operand))
			break;
	}
	return i;
}

/* the message about an operand that is neither a function nor a target */
static int judge_operand(struct otst *o, const struct otst_args *args, const struct otst_filter *f,
			 struct otst_where *w, struct otst_operand *ret)
{
	size_t i = find_operand(o, args, w);
	int err = otst_judge_operand(o, args->operands[i], &f[i], "no probe on", ret);

	if (err)
		return err;
	if (ret->known == OTST_KNOWN && f[i].name &&
	    args->operands[i][strcspn(args->operands[i], "*?[")])
		return otst_raise(o, OTST_ERR_USAGE, "%s: -w takes no patterns", ret->text);
	if (ret->known == OTST_KNOWN && f[i].name && ret->what)
		return otst_raise(o, OTST_ERR_USAGE,
				  "%s is a %s: -w takes functions, tracepoints and places in files",
				  ret->text, ret->what);
	/* the reason: it exists but is not a function, or the address is not in any text */
	if (ret->known == OTST_KNOWN)
		ret->message = otst_format(o, "%s: %s", ret->text, w->none);
	else if (!f[i].name && ret->known == OTST_KNOWN_NOT)
		ret->message = w->none;
	else
		w->none = otst_operand_text(o, ret);
	return ret->message ? 0 : otst_no_memory(o);
}

/* as text, this line is all there is of such an item; in JSON the item has its object, too */
static int judge_all(struct otst *o, const struct otst_args *args, const struct otst_filter *f,
		     struct otst_wheres *all, struct otst_printer *p)
{
	struct otst_operand op;
	size_t i, n = 0;
	int err;

	for (i = 0; i < all->count; i++) {
		struct otst_where *w = &all->items[i];

		if (w->none) {
			err = judge_operand(o, args, f, w, &op);
			if (err)
				return err;
			otst_print_operand(p, &op, false);
		}
		if (!w->none || p->json)
			all->items[n++] = *w;
	}
	all->count = n;
	return 0;
}

int otst_cmd_where(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	const struct otst_where_operand *operands = NULL;
	struct otst_filter *f = NULL;
	struct otst_wheres all;
	int err;

	if (!args->nr_operands)
		return otst_raise(o, OTST_ERR_USAGE, "which function? otst -w SYMBOL or ADDRESS");
	err = otst_filters(o, args, &f);
	err = err ?: read_operands(o, args, f, &operands);
	err = err ?: otst_wheres(o, operands, args->nr_operands, args->sources, &all);
	err = err ?: judge_all(o, args, f, &all, p);
	if (!err)
		otst_print_wheres(p, &all);
	return err;
}
