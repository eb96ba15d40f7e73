// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * otst_hammer: calls the functions to be probed, from all cpus at once.
 *
 *   otst_hammer_task	by a thread on each cpu, without a pause
 *   otst_hammer_irq	in a hard interrupt, by a timer on each cpu
 *   otst_hammer_ipi	in an interrupt that all cpus get at the same time
 *   otst_hammer_bh	in a software interrupt, by a timer
 *
 * The emulator runs one cpu after the other, and goes on to the next when it
 * meets cpu_relax(): that is why the calls to it are everywhere.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timer.h>
#include <linux/version.h>

#define HAMMER_FUNCTION(name)					\
noinline unsigned long name(unsigned long x);			\
noinline unsigned long name(unsigned long x)			\
{								\
	volatile unsigned long v = x;				\
								\
	asm volatile("# " #name);				\
	v += 0x1234567;						\
	cpu_relax();						\
	v ^= 0x7654321;						\
	return v;						\
}

HAMMER_FUNCTION(otst_hammer_task)
HAMMER_FUNCTION(otst_hammer_irq)
HAMMER_FUNCTION(otst_hammer_ipi)
HAMMER_FUNCTION(otst_hammer_bh)

static struct task_struct *hammer_threads[NR_CPUS];
static struct task_struct *hammer_caller;
static DEFINE_PER_CPU(struct hrtimer, hammer_hrtimer);
static struct timer_list hammer_timer;
static bool hammer_stop;

static enum hrtimer_restart hammer_tick(struct hrtimer *t)
{
	otst_hammer_irq(1);
	if (READ_ONCE(hammer_stop))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(t, ms_to_ktime(3));
	return HRTIMER_RESTART;
}

static void hammer_bh(struct timer_list *t)
{
	otst_hammer_bh(2);
	if (!READ_ONCE(hammer_stop))
		mod_timer(t, jiffies + 1);
}

static void hammer_ipi(void *arg)
{
	otst_hammer_ipi(3);
}

static void hammer_start_timer(void *arg)
{
	struct hrtimer *t = this_cpu_ptr(&hammer_hrtimer);

/* Linux 9779489a31d7 ("hrtimers: Delete hrtimer_init()") (v6.15) */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
	hrtimer_init(t, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED);
	t->function = hammer_tick;
#else
	hrtimer_setup(t, hammer_tick, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED);
#endif
	hrtimer_start(t, ms_to_ktime(3), HRTIMER_MODE_REL_PINNED);
}

static int hammer_thread(void *arg)
{
	unsigned long n = 0;

	while (!kthread_should_stop()) {
		otst_hammer_task(n);
		/* A few in a row, then the emulator's next cpu. */
		if (++n % 16 == 0)
			cpu_relax();
		if (n % 256 == 0)
			usleep_range(50, 100);
	}
	return 0;
}

static int hammer_call(void *arg)
{
	while (!kthread_should_stop()) {
		on_each_cpu(hammer_ipi, NULL, 1);
		usleep_range(500, 1000);
	}
	return 0;
}

static int __init hammer_init(void)
{
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		struct task_struct *t = kthread_create(hammer_thread, NULL,
						       "hammer/%u", cpu);

		if (IS_ERR(t))
			continue;
		kthread_bind(t, cpu);
		hammer_threads[cpu] = t;
		wake_up_process(t);
	}
	hammer_caller = kthread_run(hammer_call, NULL, "hammer_ipi");
	on_each_cpu(hammer_start_timer, NULL, 1);
	timer_setup(&hammer_timer, hammer_bh, 0);
	mod_timer(&hammer_timer, jiffies + 1);
	return 0;
}

static void __exit hammer_exit(void)
{
	unsigned int cpu;

	WRITE_ONCE(hammer_stop, true);
	if (!IS_ERR(hammer_caller))
		kthread_stop(hammer_caller);
	for_each_online_cpu(cpu) {
		if (hammer_threads[cpu])
			kthread_stop(hammer_threads[cpu]);
		hrtimer_cancel(per_cpu_ptr(&hammer_hrtimer, cpu));
	}
	msleep(20);	/* the timer sees hammer_stop and stays off */
}

module_init(hammer_init);
module_exit(hammer_exit);
MODULE_DESCRIPTION("otst test: calls functions from all cpus at once");
MODULE_LICENSE("GPL");
