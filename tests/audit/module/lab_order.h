/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lab_order.h - two cpus that wait for each other forever inside a kprobe handler,
 * which takes two locks in the order that its caller asks for; and threads bound
 * to a cpu.
 */
#ifndef LAB_ORDER_H
#define LAB_ORDER_H

#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

static DEFINE_RAW_SPINLOCK(lab_first);
static DEFINE_RAW_SPINLOCK(lab_second);
static atomic_t lab_holders = ATOMIC_INIT(0);

/* for a kprobe handler: @order is the first argument of the probed function */
static inline void lab_lock_both(long order)
{
	raw_spinlock_t *mine = order ? &lab_second : &lab_first;
	raw_spinlock_t *other = order ? &lab_first : &lab_second;

	raw_spin_lock(mine);
	atomic_inc(&lab_holders);
	while (atomic_read(&lab_holders) < 2)
		cpu_relax();
	raw_spin_lock(other);
}

static inline void lab_start(int (*fn)(void *), void *data, unsigned int cpu, const char *name)
{
	struct task_struct *t = kthread_create(fn, data, "%s", name);

	if (IS_ERR(t))
		return;
	kthread_bind(t, cpu);
	wake_up_process(t);
}

#endif /* LAB_ORDER_H */
