// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp_over - goes on top of another patch of the same function.
 */
#include "lp.h"

static int over_loadavg(struct seq_file *m, void *v)
{
	seq_puts(m, "loadavg: over\n");
	return 0;
}

static struct klp_func kernel_functions[] = { FUNCTION("loadavg_proc_show", over_loadavg), {} };
static struct klp_object objects[] = { { .funcs = kernel_functions }, {} };

LIVE_PATCH(false);
