// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lab_otst2011.c - the faults of the otst module of 2011, with its names, records and
 * order of steps. `fault` says which of them is left in:
 *
 *	free	a probe's record is freed twice when its name is given back
 *	sleep	the handler disables its own probe, which sleeps
 *	stuck	a probe is unregistered in a section that RCU waits for
 *	spin	the list's lock is taken in the handler and, with interrupts on, by the reader
 *	nap	the reader sleeps with the list's lock held
 *
 * Without it the probe is disabled by a work item, and all is well. The function
 * that "spin" calls from a timer is otst_target().
 */
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#define pr_here(...) pr_info("otst: " __VA_ARGS__)

static char *fault = "";
module_param(fault, charp, 0444);

struct otst_kprobes_elem {
	char symname[256];
	struct kprobe probe;
	struct list_head list;
};

static LIST_HEAD(otst_kprobes);
static DEFINE_SPINLOCK(otst_kprobes_lock);

static bool has(const char *name)
{
	return !strcmp(fault, name);
}

noinline void otst_target(void);
noinline void otst_target(void)
{
	barrier();
}

static struct kprobe *otst_fired;

static void otst_disable(struct work_struct *work)
{
	disable_kprobe(otst_fired);
}
static DECLARE_WORK(otst_work, otst_disable);

static void otst_irq(struct irq_work *work)
{
	schedule_work(&otst_work);
}
static struct irq_work otst_irq_work;

static int otst_handler(struct kprobe *kp, struct pt_regs *regs)
{
	if (has("spin")) {
		spin_lock(&otst_kprobes_lock);
		spin_unlock(&otst_kprobes_lock);
		return 0;
	}
	pr_here("triggered stacktrace for symbol %s at 0x%px:\n", kp->symbol_name, kp->addr);
	dump_stack();
	return 0;
}

static void otst_handler_post_work(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
	if (has("sleep")) {
		disable_kprobe(kp);
	} else if (!otst_fired) {
		otst_fired = kp;
		irq_work_queue(&otst_irq_work);
	}
}

/* the first one that has fired, which is then in no table any more */
static struct otst_kprobes_elem *otst_take(void)
{
	struct otst_kprobes_elem *elem;

	list_for_each_entry_rcu(elem, &otst_kprobes, list, true) {
		if (!kprobe_disabled(&elem->probe))
			continue;
		if (has("stuck"))
			rcu_read_lock();
		unregister_kprobe(&elem->probe);
		if (has("stuck"))
			rcu_read_unlock();
		return elem;
	}
	return NULL;
}

static noinline void otst_collect_garbage(void)
{
	struct otst_kprobes_elem *elem;

	while ((elem = otst_take())) {
		spin_lock(&otst_kprobes_lock);
		list_del_rcu(&elem->list);
		spin_unlock(&otst_kprobes_lock);
		synchronize_rcu();
		pr_here("symbol %s unregistered!\n", elem->symname);
		/* the name is the record's beginning */
		if (has("free"))
			kfree(elem->symname);
		kfree(elem);
	}
}

static int otst_proc_show(struct seq_file *m, void *v)
{
	struct otst_kprobes_elem *elem;

	spin_lock(&otst_kprobes_lock);
	list_for_each_entry(elem, &otst_kprobes, list)
		seq_printf(m, "%s\n", elem->symname);
	if (has("nap"))
		msleep(20);
	if (has("spin"))
		mdelay(60000);
	spin_unlock(&otst_kprobes_lock);
	return 0;
}

static int otst_proc_open(struct inode *inode, struct file *file)
{
	return single_open(file, otst_proc_show, NULL);
}

static void otst_timer_function(struct timer_list *unused)
{
	otst_target();
}
static DEFINE_TIMER(otst_timer, otst_timer_function);

static ssize_t otst_proc_write(struct file *file, const char __user *buffer, size_t count,
			       loff_t *pos)
{
	struct otst_kprobes_elem *elem;
	int err;

	otst_collect_garbage();
	elem = kzalloc(sizeof(*elem), GFP_KERNEL);
	if (!elem)
		return -ENOMEM;
	if (copy_from_user(elem->symname, buffer, min(count, sizeof(elem->symname) - 1))) {
		kfree(elem);
		return -EFAULT;
	}
	strim(elem->symname);
	elem->probe.pre_handler = otst_handler;
	elem->probe.post_handler = otst_handler_post_work;
	elem->probe.symbol_name = elem->symname;
	err = register_kprobe(&elem->probe);
	if (err) {
		kfree(elem);
		return err;
	}
	spin_lock(&otst_kprobes_lock);
	list_add_tail_rcu(&elem->list, &otst_kprobes);
	spin_unlock(&otst_kprobes_lock);
	if (has("spin") && !timer_pending(&otst_timer)) {
		otst_timer.expires = jiffies + 2 * HZ;
		add_timer_on(&otst_timer, 0);
	}
	return count;
}

static const struct proc_ops otst_ops = {
	.proc_open = otst_proc_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_write = otst_proc_write,
	.proc_release = single_release,
};

static int __init otst_init(void)
{
	init_irq_work(&otst_irq_work, otst_irq);
	return proc_create("driver/otst", 0600, NULL, &otst_ops) ? 0 : -ENOMEM;
}

module_init(otst_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("faults of the otst module of 2011");
