// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hz.c - HZ, ticks a second, which print formats need for
 * jiffies_to_msecs(). A kernel keeps this constant of its configuration as the
 * enumerator CREATE_COOLDOWN of kernel/workqueue.c, and as the length of a tick
 * in clocksource_jiffies of kernel/time/jiffies.c.
 */
#include "plan.h"

#define NSEC_PER_SEC 1000000000u
#define MAX_HZ	     10000u /* the highest of any architecture is 1200 */
#define MAX_SHIFT    31u    /* JIFFIES_SHIFT is 6 or 8 */

/* mult is TICK_NSEC << JIFFIES_SHIFT, shift is JIFFIES_SHIFT */
static uint64_t hz_of_clocksource(struct otst *o)
{
	uint64_t at = otst_symbol_or0(o, "clocksource_jiffies"), mult, shift, ns;

	if (!at || otst_read_member(o, "clocksource", at, "mult", &mult) ||
	    otst_read_member(o, "clocksource", at, "shift", &shift) || shift > MAX_SHIFT)
		return 0;
	ns = (uint32_t)mult >> shift;
	return ns ? (NSEC_PER_SEC + ns / 2) / ns : 0;
}

unsigned int otst_event_hz(struct otst *o)
{
	int64_t hz = otst_enumerator_or(o, "CREATE_COOLDOWN", 0);

	if (hz <= 0 || hz > MAX_HZ)
		hz = (int64_t)hz_of_clocksource(o);
	return hz <= MAX_HZ ? (unsigned int)hz : 0;
}
