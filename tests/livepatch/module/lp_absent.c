// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp_absent - patches a module that is not loaded, and one that is.
 */
#include "lp.h"

static int absent(void)
{
	return 0;
}

static int absent_one(struct seq_file *m)
{
	seq_puts(m, "one: absent\n");
	return 0;
}

static struct klp_func functions[] = { FUNCTION("not_there", absent), FUNCTION("nor_this", absent),
				       {} };
static struct klp_func victim_functions[] = { FUNCTION("victim_one", absent_one), {} };
static struct klp_object objects[] = {
	{ .name = "lp_not_loaded", .funcs = functions },
	{ .name = "lp_victim", .funcs = victim_functions },
	{},
};

LIVE_PATCH(false);
