// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp_new - replaces all patches before it.
 */
#include "lp.h"

static int new_loadavg(struct seq_file *m, void *v)
{
	seq_puts(m, "loadavg: new\n");
	return 0;
}

static int new_two(struct seq_file *m)
{
	seq_puts(m, "two: new\n");
	return 0;
}

static struct klp_func kernel_functions[] = { FUNCTION("loadavg_proc_show", new_loadavg), {} };
static struct klp_func victim_functions[] = { FUNCTION("victim_two", new_two), {} };
static struct klp_object objects[] = {
	{ .funcs = kernel_functions },
	{ .name = "lp_victim", .funcs = victim_functions },
	{},
};

LIVE_PATCH(true);
