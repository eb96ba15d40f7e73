// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dat.c - otst -t -s ftrace -x trace.dat:FILE: ring buffers as a file.
 */
#include <string.h>

#include "commands.h"
#include "../tracefile/dat.h"

#define FORMAT "trace.dat:"
#define SOURCE "ftrace"

bool otst_is_dat(const char *format)
{
	return !strncmp(format, FORMAT, strlen(FORMAT));
}

/* options that would need single events */
static const char *misfit(const struct otst_args *args)
{
	if (args->pid)
		return "-p";
	if (args->last)
		return "-n";
	if (args->kinds)
		return "-k";
	if (args->text)
		return "--text";
	return args->nr_operands ? "operands" : NULL;
}

/* "ftrace" or "ftrace:ARRAY" */
static int choose_array(struct otst *o, const char *sources, struct otst_dat_wish *wish)
{
	size_t len = strlen(SOURCE);

	if (!sources || !strcmp(sources, SOURCE))
		return 0;
	if (strncmp(sources, SOURCE ":", len + 1) != 0 || !sources[len + 1])
		return otst_raise(o, OTST_ERR_USAGE,
				  "-x trace.dat is for -s ftrace or -s ftrace:ARRAY");
	wish->instance = sources + len + 1;
	return 0;
}

int otst_cmd_dat(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	struct otst_dat_wish wish = {
		.path = args->format + strlen(FORMAT),
		.consumed = args->verbose,
		.cpus = args->cpus,
	};
	int err;

	if (misfit(args))
		return otst_raise(o, OTST_ERR_USAGE, "-x trace.dat takes whole sub-buffers: not %s",
				  misfit(args));
	if (!*wish.path)
		return otst_raise(o, OTST_ERR_USAGE, "-x trace.dat needs a file: trace.dat:FILE");
	err = choose_array(o, args->sources, &wish);
	return err ? err : otst_dat(o, &wish, p);
}
