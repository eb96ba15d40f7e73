// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lab_redirect.c - an agent that redirects calls of vfs_mkdir() by an ftrace_ops with
 * IPMODIFY, as live patches outside of the kernel's own mechanism do; the word written
 * to "go" says to what.
 */
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/version.h>

#include "lab_order.h"
#include "lab_scenarios.h"

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
#define red_regs	    pt_regs
#define ftrace_get_regs(regs) (regs)
#else
#define red_regs ftrace_regs
#endif

static int *volatile red_nothing;
static DEFINE_MUTEX(red_mutex);
static unsigned long red_to;

int red_faults(void);
int red_holds(void);

noinline int red_faults(void)
{
	barrier();
	return *red_nothing;
}

/* holds the mutex forever, in a sleep that the kernel does not report as hung */
noinline int red_holds(void)
{
	mutex_lock(&red_mutex);
	set_current_state(TASK_INTERRUPTIBLE);
	schedule_timeout(MAX_SCHEDULE_TIMEOUT);
	return 0;
}

static void notrace red_callback(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				 struct red_regs *regs)
{
	ftrace_get_regs(regs)->ip = red_to;
}

static struct ftrace_ops red_ops = {
	.func = red_callback,
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
};

static int red_redirect(unsigned long to)
{
	int err = ftrace_set_filter(&red_ops, "vfs_mkdir", strlen("vfs_mkdir"), 1);

	red_to = to;
	return err ? err : register_ftrace_function(&red_ops);
}

static int red_waiter_thread(void *unused)
{
	/* until the guest's mkdir has the mutex */
	while (!mutex_is_locked(&red_mutex))
		schedule_timeout_interruptible(HZ / 10);
	mutex_lock(&red_mutex);
	mutex_unlock(&red_mutex);
	return 0;
}

static int red_fault(void)
{
	return red_redirect((unsigned long)red_faults);
}

static int red_hold(void)
{
	lab_start(red_waiter_thread, NULL, 0, "red_waiter");
	return red_redirect((unsigned long)red_holds);
}

/* to no code at all */
static int red_wild(void)
{
	return red_redirect(0xffffffffdead0000ul);
}

static const struct lab_scenario scenarios[] = {
	{ "redirect", red_fault },
	{ "redirect-hold", red_hold },
	{ "redirect-wild", red_wild },
};

LAB_MODULE(scenarios, "redirects calls of a function of the kernel");
