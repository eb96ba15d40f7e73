/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commands.h - one file a command, one table (run.c).
 */
#ifndef OTST_COMMANDS_H
#define OTST_COMMANDS_H

#include "../output/output.h"

/**
 * struct otst_args - a parsed command line
 * @kinds: argument of -k, or NULL
 * @operands: what is left: filters, NULL-terminated
 */
struct otst_args {
	bool verbose;
	bool json;
	const char *kinds;
	const char *const *operands;
	size_t nr_operands;
};

/** A command decodes, hands to the printer, and returns 0 or what ended it. */
typedef int otst_command_fn(struct otst *o, const struct otst_args *args, struct otst_printer *p);

otst_command_fn otst_cmd_list;		/* -l */
otst_command_fn otst_cmd_ftrace;	/* -f */
otst_command_fn otst_cmd_tracers;	/* -T */
otst_command_fn otst_cmd_info;		/* -i */

#endif /* OTST_COMMANDS_H */
