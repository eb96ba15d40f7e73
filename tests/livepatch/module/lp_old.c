// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp_old - a patch of the kernel and of a module.
 */
#include "lp.h"

static int old_loadavg(struct seq_file *m, void *v)
{
	seq_puts(m, "loadavg: old\n");
	return 0;
}

static int old_one(struct seq_file *m)
{
	seq_puts(m, "one: old\n");
	return 0;
}

static struct klp_func kernel_functions[] = { FUNCTION("loadavg_proc_show", old_loadavg), {} };
static struct klp_func victim_functions[] = { FUNCTION("victim_one", old_one), {} };
static struct klp_object objects[] = {
	{ .funcs = kernel_functions },
	{ .name = "lp_victim", .funcs = victim_functions },
	{},
};

LIVE_PATCH(false);
