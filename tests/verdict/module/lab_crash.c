// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lab_crash.c - crashes with and without hooks: the word written to the
 * parameter "go" says which. Each function is called for one of them.
 */
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/version.h>

#include "lab_order.h"
#include "lab_scenarios.h"

/* Linux d19ad0775dcd ("ftrace: Have the callbacks receive a struct ftrace_regs instead of pt_regs") (v5.11) */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
#define crash_regs pt_regs
#else
#define crash_regs ftrace_regs
#endif

static DEFINE_MUTEX(crash_mutex);
static int *volatile crash_nothing;
static volatile int crash_more = 1;

int crash_hooked(long n);
int crash_elsewhere(long n);
int crash_by_itself(long n);

noinline int crash_hooked(long n)
{
	barrier();
	return (int)n + 1;
}

noinline int crash_elsewhere(long n)
{
	barrier();
	return (int)n + 2;
}

/* its own instruction faults */
noinline int crash_by_itself(long n)
{
	barrier();
	return *crash_nothing + (int)n;
}

/* ---- handlers ---- */

static int crash_fault_pre(struct kprobe *p, struct pt_regs *regs)
{
	*crash_nothing = 1;
	return 0;
}

static int crash_quiet_pre(struct kprobe *p, struct pt_regs *regs)
{
	return 0;
}

/* holds the mutex forever; what it sleeps in decides whether the kernel reports it as hung */
static int crash_sleep_pre(struct kprobe *p, struct pt_regs *regs)
{
	mutex_lock(&crash_mutex);
	set_current_state(TASK_UNINTERRUPTIBLE);
	schedule_timeout(MAX_SCHEDULE_TIMEOUT);
	return 0;
}

static int crash_hold_pre(struct kprobe *p, struct pt_regs *regs)
{
	mutex_lock(&crash_mutex);
	set_current_state(TASK_INTERRUPTIBLE);
	schedule_timeout(MAX_SCHEDULE_TIMEOUT);
	return 0;
}

static int crash_lock_pre(struct kprobe *p, struct pt_regs *regs)
{
	lab_lock_both((long)regs_get_kernel_argument(regs, 0));
	return 0;
}

/* the cpu takes no interrupts: another one notices */
static int crash_off_pre(struct kprobe *p, struct pt_regs *regs)
{
	local_irq_disable();
	while (crash_more)
		cpu_relax();
	return 0;
}

/* what a handler must not do: the kernel notices where it counts preemption */
static int crash_nap_pre(struct kprobe *p, struct pt_regs *regs)
{
	msleep(10);
	return 0;
}

/* owns the mutex and does not sleep */
static int crash_busy_pre(struct kprobe *p, struct pt_regs *regs)
{
	mutex_lock(&crash_mutex);
	while (crash_more)
		cpu_relax();
	return 0;
}

/* waits for a lock that nobody releases */
static int crash_spinlock_pre(struct kprobe *p, struct pt_regs *regs)
{
	static DEFINE_RAW_SPINLOCK(lock);

	raw_spin_lock(&lock);
	raw_spin_lock(&lock);
	return 0;
}

static struct kprobe crash_kp = { .symbol_name = "crash_hooked" };
static struct kprobe crash_other_kp = {
	.symbol_name = "crash_elsewhere",
	.pre_handler = crash_quiet_pre,
};
static struct kprobe crash_own_kp = {
	.symbol_name = "crash_by_itself",
	.pre_handler = crash_quiet_pre,
};

static int hook(int (*handler)(struct kprobe *, struct pt_regs *))
{
	crash_kp.pre_handler = handler;
	return register_kprobe(&crash_kp);
}

/* ---- threads ---- */

static int crash_call_thread(void *n)
{
	crash_hooked((long)n);
	return 0;
}

static int crash_mutex_thread(void *unused)
{
	mutex_lock(&crash_mutex);
	mutex_unlock(&crash_mutex);
	return 0;
}

static int crash_loop_thread(void *unused)
{
	preempt_disable();
	while (crash_more)
		cpu_relax();
	preempt_enable();
	return 0;
}

/* ---- ftrace ---- */

static void notrace crash_spin_callback(unsigned long ip, unsigned long parent,
					struct ftrace_ops *ops, struct crash_regs *regs)
{
	/* a preemptible kernel would give its cpu to the watchdog */
	preempt_disable_notrace();
	while (crash_more)
		cpu_relax();
}

static struct ftrace_ops crash_ops = { .func = crash_spin_callback };

/* ---- scenarios ---- */

static int crash_handler(void)
{
	int err = hook(crash_fault_pre);

	return err ? err : crash_hooked(1);
}

static int crash_sleeping(void)
{
	int err = hook(crash_sleep_pre);

	lab_start(crash_call_thread, NULL, 0, "crash_sleeper");
	msleep(500);
	lab_start(crash_mutex_thread, NULL, 1, "crash_waiter");
	return err;
}

static int crash_holding(void)
{
	int err = hook(crash_hold_pre);

	lab_start(crash_call_thread, NULL, 0, "crash_holder");
	msleep(500);
	lab_start(crash_mutex_thread, NULL, 1, "crash_waiter");
	return err;
}

static int crash_spinning(void)
{
	int err = hook(crash_busy_pre);

	lab_start(crash_call_thread, NULL, 0, "crash_holder");
	msleep(500);
	lab_start(crash_mutex_thread, NULL, 1, "crash_waiter");
	return err;
}

static int crash_irqsoff(void)
{
	int err = hook(crash_off_pre);

	lab_start(crash_call_thread, NULL, 1, "crash_caller");
	return err;
}

/* a cpu is inside a handler when somebody asks for the crash */
static int crash_busy(void)
{
	int err = hook(crash_busy_pre);

	lab_start(crash_call_thread, NULL, 1, "crash_caller");
	return err;
}

static int crash_locked(void)
{
	int err = hook(crash_spinlock_pre);

	lab_start(crash_call_thread, NULL, 1, "crash_caller");
	return err;
}

/* the guest has put a BPF program on the function */
static int crash_loop(void)
{
	lab_start(crash_call_thread, NULL, 0, "crash_caller");
	return 0;
}

static int crash_deadlock(void)
{
	int err = hook(crash_lock_pre);

	lab_start(crash_call_thread, (void *)0, 0, "crash_one");
	lab_start(crash_call_thread, (void *)1, 1, "crash_two");
	return err;
}

/* a kprobe and, from the guest, function graph are on it */
static int crash_itself(void)
{
	int err = register_kprobe(&crash_own_kp);

	return err ? err : crash_by_itself(1);
}

/* the module has a probe, which has nothing to do with this */
static int crash_module(void)
{
	int err = register_kprobe(&crash_other_kp);

	if (!err)
		crash_elsewhere(1);
	return err ? err : *crash_nothing;
}

/* an invalid instruction in a function of the kernel, which the guest calls then */
static int crash_corrupt(void)
{
	return lab_corrupt("cmdline_proc_show");
}

static int crash_callback(void)
{
	int err = ftrace_set_filter(&crash_ops, "crash_hooked", strlen("crash_hooked"), 1);

	if (!err)
		err = register_ftrace_function(&crash_ops);
	lab_start(crash_call_thread, NULL, 1, "crash_caller");
	return err;
}

static int crash_stall(void)
{
	lab_start(crash_loop_thread, NULL, 1, "crash_looper");
	return 0;
}

/* all memory, page by page: larger pieces are refused before it is gone */
static int crash_memory(void)
{
	void *p;

	do {
		p = (void *)__get_free_page(GFP_KERNEL);
	} while (p);
	return 0;
}

/* a record that is freed while the kernel still knows it */
static int crash_freed(void)
{
	struct kprobe *p = kzalloc(sizeof(*p), GFP_KERNEL);
	int err;

	if (!p)
		return -ENOMEM;
	p->symbol_name = "crash_hooked";
	p->pre_handler = crash_quiet_pre;
	err = register_kprobe(p);
	if (err)
		return err;
	/* what a poisoning allocator does when memory is freed */
	memset(p, 0x6b, sizeof(*p));
	return crash_hooked(1);
}

/* no hook is on any of its functions; crash_elsewhere(), where the guest has a probe, ran before on this cpu */
static int crash_before(void)
{
	preempt_disable();
	crash_elsewhere(1);
	mdelay(10);
	return *crash_nothing;
}

static int crash_bug(void)
{
	BUG();
	return 0;
}

/* a breakpoint that nobody owns */
static int crash_trap(void)
{
#ifdef CONFIG_ARM64
	asm volatile("brk #0");
#else
	asm volatile("int3");
#endif
	return 0;
}

/* the module has a probe, which has nothing to do with this */
static int crash_double(void)
{
	int err = register_kprobe(&crash_other_kp);
	void *p = kmalloc(64, GFP_KERNEL);

	kfree(p);
	kfree(p);
	return err;
}

static int crash_atomic(void)
{
	int err = hook(crash_nap_pre);

	return err ? err : crash_hooked(1);
}

static int crash_warning(void)
{
	WARN(1, "lab_crash asked for it\n");
	return 0;
}

static const struct lab_scenario scenarios[] = {
	{ "handler", crash_handler },   { "sleeping", crash_sleeping },
	{ "holding", crash_holding },   { "deadlock", crash_deadlock },
	{ "itself", crash_itself },	{ "module", crash_module },
	{ "corrupt", crash_corrupt },   { "callback", crash_callback },
	{ "stall", crash_stall },	{ "memory", crash_memory },
	{ "freed", crash_freed },	{ "warning", crash_warning },
	{ "spinning", crash_spinning }, { "irqsoff", crash_irqsoff },
	{ "waits", crash_irqsoff },	{ "loop", crash_loop },
	{ "before", crash_before },	{ "bug", crash_bug },
	{ "trap", crash_trap },		{ "double", crash_double },
	{ "atomic", crash_atomic },	{ "asked-busy", crash_busy },
	{ "asked-locked", crash_locked },
};

LAB_MODULE(scenarios, "crashes, with hooks and without");
