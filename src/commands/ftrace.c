// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * ftrace.c - otst -f: ftrace_ops, and the functions that they hook. An operand
 * that names a function shows it and the ops that hook it; one that names an
 * ops, its callback or its owner shows the ops and the functions that it hooks.
 */
#include <fnmatch.h>

#include "../ftrace/ftrace.h"
#include "commands.h"

struct choice {
	struct otst_filter *filters;
	size_t count;
	const struct otst_ftrace_list *list;
	bool *chosen; /* for each ops of the list: an operand chooses it */
};

static bool ops_meant(const struct otst_filter *f, const struct otst_ftrace_ops *ops)
{
	return otst_filter_matches(f, ops->addr, &ops->sym) ||
	       otst_filter_matches(f, ops->func, &ops->func_sym) ||
	       otst_filter_matches(f, ops->saved_func, &ops->saved_func_sym) ||
	       otst_filter_matches(f, ops->entry, &ops->entry_sym) ||
	       (!f->name && ops->trampoline >= f->first && ops->trampoline <= f->last) ||
	       (f->name && ops->owner.name && !fnmatch(f->name, ops->owner.name, 0));
}

static bool function_meant(void *priv, uint64_t ip, const struct otst_sym *sym)
{
	const struct choice *c = priv;
	bool meant = false;

	for (size_t i = 0; i < c->count; i++) {
		if (otst_filter_matches(&c->filters[i], ip, sym))
			meant = c->filters[i].met = true;
	}
	if (meant)
		return true;
	for (size_t i = 0; i < c->list->count; i++) {
		const struct otst_ftrace_ops *ops = c->list->items[i];

		if (c->chosen[i] && ops->active && otst_ftrace_ops_has(ops, ip))
			return true;
	}
	return false;
}

static int choose_ops(struct otst *o, struct otst_filter *filters, size_t count,
		      const struct otst_ftrace_list *list, struct choice *ret)
{
	*ret = (struct choice){
		.list = list,
		.count = count,
		.filters = filters,
		.chosen = otst_alloc(o, list->count + 1),
	};
	if (!ret->chosen)
		return otst_no_memory(o);
	for (size_t i = 0; i < list->count; i++) {
		for (size_t j = 0; j < count; j++) {
			if (ops_meant(&ret->filters[j], list->items[i]))
				ret->chosen[i] = ret->filters[j].met = true;
		}
	}
	return 0;
}

/* keep the ops that were chosen, and those that hook a function that is shown */
static void drop_others(const struct choice *c, const struct otst_ftrace_functions *functions,
			struct otst_ftrace_list *list)
{
	size_t i, j, k, n = 0;

	for (i = 0; functions && i < functions->count; i++) {
		const struct otst_ftrace_function *f = &functions->items[i];

		/* neighbouring functions may share one array of ops */
		if (i && f->ops == f[-1].ops)
			continue;
		for (j = 0, k = 0; j < list->count && k < f->nr_ops; j++) {
			if (list->items[j] == f->ops[k]) {
				c->chosen[j] = true;
				k++;
			}
		}
	}
	for (i = 0; i < list->count; i++) {
		if (c->chosen[i])
			list->items[n++] = list->items[i];
	}
	list->count = n;
}

int otst_cmd_ftrace(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	struct otst_ftrace_functions functions, *known = &functions;
	struct otst_filter *filters = NULL;
	struct otst_ftrace_list list;
	struct choice c;
	int err = otst_check_paths(o, args);

	err = err ?: otst_filters(o, args, &filters);
	err = err ?: otst_ftrace_ops_list(o, true, &list);
	err = err ?: choose_ops(o, filters, args->nr_operands, &list, &c);
	if (err)
		return err;
	err = otst_ftrace_functions(o, &list, c.count ? function_meant : NULL, &c, &functions);
	if (err == OTST_ERR_LOOKUP)
		known = NULL; /* without dynamic ftrace every function calls every ops */
	else if (err && otst_fatal(err))
		return err;
	else if (err)
		otst_print_bad(p, "functions", otst_message(o));
	if (err)
		known = NULL;
	if (c.count)
		drop_others(&c, known, &list);
	err = otst_print_unmet(o, args, c.filters, "no ftrace_ops on", false, p);
	if (err)
		return err;
	otst_print_ftrace(p, &list, known);
	return 0;
}
