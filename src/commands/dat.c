// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * dat.c - otst -t -s ftrace, -s snapshot with -x trace.dat:FILE: ring buffers as a file.
 */
#include <string.h>

#include "commands.h"
#include "../tracedat/dat.h"

#define FORMAT "trace.dat"

bool otst_is_dat(const char *format)
{
	size_t len = strlen(FORMAT);

	return !strncmp(format, FORMAT, len) && (!format[len] || format[len] == ':');
}

/* options that need single events */
static const char *misfit_option(const struct otst_args *args)
{
	if (args->pid)
		return "-p";
	if (args->last)
		return "-n";
	if (args->kinds)
		return "-k";
	if (args->from || args->to)
		return "--from, --to";
	if (args->text)
		return "--text";
	return args->nr_operands ? "operands" : NULL;
}

static int choose_buffers(struct otst *o, const char *sources, struct otst_dat_filter *filter)
{
	if (!sources || otst_names_source(sources, "ftrace", &filter->instance))
		return 0;
	filter->snapshot = otst_names_source(sources, "snapshot", &filter->instance);
	if (filter->snapshot)
		return 0;
	return otst_raise(o, OTST_ERR_USAGE,
			  "-x trace.dat needs -s ftrace, -s snapshot or an instance of them");
}

int otst_cmd_dat(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	const char *rest = args->format + strlen(FORMAT);
	struct otst_dat_filter filter = {
		.path = *rest ? rest + 1 : rest,
		.consumed = args->verbose,
		.cpus = args->cpus,
	};
	int err;

	if (misfit_option(args))
		return otst_raise(o, OTST_ERR_USAGE, "-x trace.dat takes whole sub-buffers: not %s",
				  misfit_option(args));
	if (!*filter.path)
		return otst_raise(o, OTST_ERR_USAGE, "-x trace.dat needs a file: trace.dat:FILE");
	err = choose_buffers(o, args->sources, &filter);
	return err ? err : otst_dat(o, &filter, p);
}
