// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp_stuck - patches a function in which a task sleeps, so it never completes, nor is it undone if
 * the task came after the patch. With replace=1 it is to replace all earlier patches.
 */
#include <linux/delay.h>

#include "lp.h"

static bool replace;
module_param(replace, bool, 0);

static void stuck_block(void)
{
	for (;;)
		msleep(1000000);
}

static struct klp_func victim_functions[] = { FUNCTION("victim_block", stuck_block), {} };
static struct klp_object objects[] = { { .name = "lp_victim", .funcs = victim_functions }, {} };

LIVE_PATCH(replace);
