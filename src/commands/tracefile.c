// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tracefile.c - otst -t -s ftrace, -s snapshot: the kernel's trace file.
 */
#include <string.h>

#include "commands.h"
#include "../tracefile/tracefile.h"

bool otst_names_source(const char *s, const char *source, const char **instance)
{
	size_t len = strlen(source);

	if (strncmp(s, source, len) || (s[len] && s[len] != ':'))
		return false;
	*instance = s[len] ? s + len + 1 : NULL;
	return true;
}

bool otst_is_tracefile(const struct otst_args *args)
{
	const char *s = args->sources, *instance;

	if (!s || strchr(s, ',') || args->format || args->text)
		return false;
	/* stacks alone are traces like any other */
	if (args->kinds && !strcmp(args->kinds, "stack"))
		return false;
	return otst_names_source(s, "ftrace", &instance) ||
	       otst_names_source(s, "snapshot", &instance);
}

void otst_print_entry_kinds(struct otst_printer *p)
{
	const char *const *k;

	for (k = otst_tracefile_kinds(); *k; k += 2)
		otst_printf(p, "%-10s  %s\n", k[0], k[1]);
}

int otst_cmd_tracefile(struct otst *o, const struct otst_args *args,
		       const struct otst_trace_filter *traces, struct otst_filter *filters,
		       struct otst_printer *p)
{
	struct otst_tracefile_filter filter = {
		.consumed = p->verbose,
		.kinds = args->kinds,
		.cpus = args->cpus,
		.pid = traces->pid,
		.from = args->from,
		.to = args->to,
		.last = traces->last,
		.chosen = traces->chosen,
		.priv = traces->priv,
		.names = args->operands,
		.nr_names = args->nr_operands,
		.met = otst_alloc(o, args->nr_operands + 1),
	};
	int err;

	if (!filter.met)
		return otst_no_memory(o);
	filter.snapshot = otst_names_source(args->sources, "snapshot", &filter.instance);
	if (!filter.snapshot)
		otst_names_source(args->sources, "ftrace", &filter.instance);
	err = otst_tracefile(o, &filter, p);
	for (size_t i = 0; i < args->nr_operands; i++)
		filters[i].met |= filter.met[i];
	return err ? err : otst_print_unmet(o, args, filters, "no entry of", false, p);
}
