// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lab_driver.c - a driver without any hook, and its faults: the word written to
 * "go" says which. Hooks elsewhere have nothing to do with it.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

#include "lab_order.h"
#include "lab_scenarios.h"

static int *volatile driver_nothing;
static volatile int driver_more = 1;
static DEFINE_MUTEX(driver_mutex);

int driver_faults(int n);
int driver_read(int *p);

/* the guest hooks it in one scenario */
noinline int driver_faults(int n)
{
	barrier();
	return *driver_nothing + n;
}

noinline int driver_read(int *p)
{
	barrier();
	return *p + 1;
}

static int driver_null(void)
{
	return driver_faults(1);
}

static noinline int driver_recurse(int n)
{
	volatile char room[256];

	room[n & 255] = n;
	return n ? driver_recurse(n + 1) + room[0] : 0;
}

static int driver_deep(void)
{
	return driver_recurse(1);
}

/* memory that was never anybody's */
static void driver_work_function(struct work_struct *work)
{
	driver_read((int *)0xffffc800dead0000ul);
}
static DECLARE_WORK(driver_work, driver_work_function);

static int driver_page(void)
{
	schedule_work(&driver_work);
	return 0;
}

static void driver_timer_function(struct timer_list *unused)
{
	driver_faults(2);
}
static DEFINE_TIMER(driver_timer, driver_timer_function);

static int driver_interrupt(void)
{
	mod_timer(&driver_timer, jiffies + HZ / 2);
	return 0;
}

static int driver_owner_thread(void *unused)
{
	mutex_lock(&driver_mutex);
	set_current_state(TASK_INTERRUPTIBLE);
	schedule_timeout(MAX_SCHEDULE_TIMEOUT);
	return 0;
}

static int driver_waiter_thread(void *unused)
{
	mutex_lock(&driver_mutex);
	mutex_unlock(&driver_mutex);
	return 0;
}

static int driver_waits(void)
{
	lab_start(driver_owner_thread, NULL, 0, "driver_owner");
	msleep(500);
	lab_start(driver_waiter_thread, NULL, 1, "driver_waiter");
	return 0;
}

static int driver_loop_thread(void *unused)
{
	preempt_disable();
	while (driver_more)
		cpu_relax();
	preempt_enable();
	return 0;
}

static int driver_stall(void)
{
	lab_start(driver_loop_thread, NULL, 1, "driver_looper");
	return 0;
}

static int driver_memory(void)
{
	void *p;

	do {
		p = (void *)__get_free_page(GFP_KERNEL);
	} while (p);
	return 0;
}

static const struct lab_scenario scenarios[] = {
	{ "null", driver_null },	 { "overflow", driver_deep },
	{ "page", driver_page },	 { "interrupt", driver_interrupt },
	{ "mutex", driver_waits },	 { "stall", driver_stall },
	{ "soft", driver_stall },	 { "oom", driver_memory },
	{ "hooked", driver_null },	 { "deep", driver_deep },
};

LAB_MODULE(scenarios, "a driver without hooks, and its faults");
