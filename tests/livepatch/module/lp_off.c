// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp_off - is disabled again.
 */
#include "lp.h"

static int off_one(struct seq_file *m)
{
	seq_puts(m, "one: off\n");
	return 0;
}

static struct klp_func victim_functions[] = { FUNCTION("victim_one", off_one), {} };
static struct klp_object objects[] = { { .name = "lp_victim", .funcs = victim_functions }, {} };

LIVE_PATCH(false);
