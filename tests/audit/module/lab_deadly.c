// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lab_deadly.c - forbidden handlers: one sleeps, and one takes two locks in the
 * order that its caller asks for. Two threads on two cpus call the latter, in
 * opposite orders, and wait for each other forever.
 */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "lab_order.h"

int deadly_lock_here(long order);
int deadly_sleep_here(long n);

noinline int deadly_lock_here(long order)
{
	barrier();
	return (int)order + 1;
}

noinline int deadly_sleep_here(long n)
{
	barrier();
	return (int)n + 2;
}

static int deadly_lock_pre(struct kprobe *p, struct pt_regs *regs)
{
	lab_lock_both((long)regs_get_kernel_argument(regs, 0));
	return 0;
}

static int deadly_sleep_pre(struct kprobe *p, struct pt_regs *regs)
{
	set_current_state(TASK_UNINTERRUPTIBLE);
	schedule_timeout(MAX_SCHEDULE_TIMEOUT);
	return 0;
}

static struct kprobe deadly_kp_lock = {
	.symbol_name = "deadly_lock_here",
	.pre_handler = deadly_lock_pre,
};

static struct kprobe deadly_kp_sleep = {
	.symbol_name = "deadly_sleep_here",
	.pre_handler = deadly_sleep_pre,
};

static int deadly_lock_thread(void *order)
{
	deadly_lock_here((long)order);
	return 0;
}

static int deadly_sleep_thread(void *unused)
{
	deadly_sleep_here(0);
	return 0;
}

/* written once no other module will be loaded or unloaded */
static int deadly_go(const char *text, const struct kernel_param *param)
{
	lab_start(deadly_sleep_thread, NULL, 1, "deadly_sleeper");
	msleep(500);
	lab_start(deadly_lock_thread, (void *)0, 2, "deadly_one");
	lab_start(deadly_lock_thread, (void *)1, 3, "deadly_two");
	while (atomic_read(&lab_holders) < 2)
		msleep(50);
	return 0;
}

static const struct kernel_param_ops deadly_go_ops = { .set = deadly_go };
module_param_cb(go, &deadly_go_ops, NULL, 0200);

static int __init deadly_init(void)
{
	int err = register_kprobe(&deadly_kp_lock);

	return err ? err : register_kprobe(&deadly_kp_sleep);
}

module_init(deadly_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("handlers that sleep, and that wait for each other");
