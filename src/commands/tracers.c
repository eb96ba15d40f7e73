// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracers.c - otst -T: tracers and trace arrays.
 */
#include "commands.h"
#include "../output/stacktracer.h"

int otst_cmd_tracers(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	struct otst_stack_tracer stack;
	struct otst_tracing t;
	int err, none;

	if (args->nr_operands)
		return otst_raise(o, OTST_ERR_USAGE, "-T takes no operands");
	err = otst_tracing(o, &t);
	if (err)
		return err;
	none = otst_stack_tracer(o, &stack);
	if (none && otst_fatal(none))
		return none;
	otst_print_tracing(p, &t, none ? NULL : &stack);
	return 0;
}
