// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lab_stray.c - a module that is unloaded while the kernel still calls it: a timer
 * that it does not stop; with hook=1 an ftrace callback that it leaves behind, with
 * probe=1 a kprobe whose record is its own, with handler=1 one whose record outlives
 * it, with tracepoint=1 a probe of a tracepoint. With oopses=1 the callback is also on a
 * function that prints an oops, so that this fails, too; with oopses=2 its record is the
 * module's own; with oopses=3 it is an fprobe of the module's own.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/tracepoint.h>
#include <linux/version.h>

#ifdef CONFIG_FPROBE
#include <linux/fprobe.h>
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
#define stray_regs pt_regs
#else
#define stray_regs ftrace_regs
#endif

static bool hook;
module_param(hook, bool, 0);
static bool probe;
module_param(probe, bool, 0);
static bool handler;
module_param(handler, bool, 0);
static bool tracepoint;
module_param(tracepoint, bool, 0);
static int oopses;
module_param(oopses, int, 0);

/* outlives the module */
static struct timer_list *stray_timer;

static void stray_function(struct timer_list *unused)
{
	pr_info("lab_stray: too early\n");
}

static void notrace stray_callback(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				   struct stray_regs *regs)
{
}

static int stray_hook(void)
{
	struct ftrace_ops *ops = kzalloc(sizeof(*ops), GFP_KERNEL);
	int err;

	if (!ops)
		return -ENOMEM;
	ops->func = stray_callback;
	err = ftrace_set_filter(ops, "vfs_mkdir", strlen("vfs_mkdir"), 1);
	return err ? err : register_ftrace_function(ops);
}

static struct ftrace_ops stray_own_ops = { .func = stray_callback };

static int stray_oopses(void)
{
	struct ftrace_ops *ops = &stray_own_ops;
	int err;

	if (oopses == 1) {
		ops = kzalloc(sizeof(*ops), GFP_KERNEL);
		if (!ops)
			return -ENOMEM;
		ops->func = stray_callback;
	}
	err = ftrace_set_filter(ops, "vfs_mkdir", strlen("vfs_mkdir"), 1);
	if (!err)
		err = ftrace_set_filter(ops, "show_opcodes", strlen("show_opcodes"), 0);
	return err ? err : register_ftrace_function(ops);
}

#ifdef CONFIG_FPROBE
static int stray_entry(void)
{
	return 0;
}

static struct fprobe stray_fprobe = { .entry_handler = (void *)stray_entry };

static int stray_fprobes(void)
{
	static const char *syms[] = { "vfs_mkdir", "show_opcodes" };

	return register_fprobe_syms(&stray_fprobe, syms, 2);
}
#else
static int stray_fprobes(void)
{
	return -ENODEV;
}
#endif

static int stray_pre(struct kprobe *p, struct pt_regs *regs)
{
	return 0;
}

static struct kprobe stray_kp = { .symbol_name = "vfs_mkdir", .pre_handler = stray_pre };

static int stray_handler(void)
{
	struct kprobe *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return -ENOMEM;
	p->symbol_name = kstrdup("vfs_mkdir", GFP_KERNEL);
	p->pre_handler = stray_pre;
	return register_kprobe(p);
}

static void stray_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
}

static void stray_find(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "sched_process_fork"))
		tracepoint_probe_register(tp, stray_fork, NULL);
}

static int __init stray_init(void)
{
	if (oopses)
		return oopses == 3 ? stray_fprobes() : stray_oopses();
	if (handler)
		return stray_handler();
	if (tracepoint) {
		for_each_kernel_tracepoint(stray_find, NULL);
		return 0;
	}
	if (probe)
		return register_kprobe(&stray_kp);
	if (hook)
		return stray_hook();
	stray_timer = kzalloc(sizeof(*stray_timer), GFP_KERNEL);
	if (!stray_timer)
		return -ENOMEM;
	timer_setup(stray_timer, stray_function, 0);
	mod_timer(stray_timer, jiffies + 3 * HZ);
	return 0;
}

/* leaves the timer and the callback */
static void __exit stray_exit(void)
{
}

module_init(stray_init);
module_exit(stray_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("is gone when its timer fires");
