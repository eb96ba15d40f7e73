// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lab_gone.c - arms a kprobe, an ftrace_ops and a tracepoint callback on events
 * that never happen in the lab, and is unloaded without unregistering them: their
 * records live on, but the functions that they name are gone.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <linux/version.h>

/* Linux d19ad0775dcd ("ftrace: Have the callbacks receive a struct ftrace_regs instead of pt_regs") (v5.11) */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
#define lab_ftrace_regs pt_regs
#else
#define lab_ftrace_regs ftrace_regs
#endif

static int gone_pre(struct kprobe *p, struct pt_regs *regs)
{
	return 0;
}

static void notrace gone_ftrace(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				struct lab_ftrace_regs *regs)
{
}

static void gone_callback(void *data)
{
}

static void find_tracepoint(struct tracepoint *tp, void *priv)
{
	if (!strcmp(tp->name, "mark_victim"))
		*(struct tracepoint **)priv = tp;
}

static int __init gone_init(void)
{
	struct kprobe *kp = kzalloc(sizeof(*kp), GFP_KERNEL);
	struct ftrace_ops *ops = kzalloc(sizeof(*ops), GFP_KERNEL);
	static char function[] = "orderly_reboot";
	struct tracepoint *tp = NULL;
	int err;

	if (!kp || !ops)
		return -ENOMEM;
	kp->symbol_name = "orderly_reboot";
	kp->pre_handler = gone_pre;
	err = register_kprobe(kp);
	if (err)
		return err;
	ops->func = gone_ftrace;
	err = ftrace_set_filter(ops, function, strlen(function), 1);
	if (!err)
		err = register_ftrace_function(ops);
	if (err)
		return err;
	for_each_kernel_tracepoint(find_tracepoint, &tp);
	return tp ? tracepoint_probe_register(tp, gone_callback, NULL) : -ENOENT;
}

static void __exit gone_exit(void)
{
}

module_init(gone_init);
module_exit(gone_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("leaves its probes behind");
