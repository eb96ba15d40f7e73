// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lab_otst2011: the records of the otst module of 2011, on today's kprobes.
 *
 *   insmod lab_otst2011.ko symbols=vfs_symlink,vfs_mkdir gone=vfs_unlink
 *
 * Same structure, same names of statics and handlers. What is armed fires
 * once and is disabled, by a work item: the module of 2011 did that in the
 * handler, where two cpus could wait for each other forever. `gone` is
 * unregistered again but stays on the list, as between two writes.
 */
#define pr_fmt(fmt) "lab_otst2011: " fmt

#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#define OTST_MAX 8

static char *symbols[OTST_MAX];
static int nr_symbols;
module_param_array(symbols, charp, &nr_symbols, 0444);
MODULE_PARM_DESC(symbols, "functions to arm");

static char *gone;
module_param(gone, charp, 0444);
MODULE_PARM_DESC(gone, "function whose probe is unregistered but stays on the list");

struct otst_kprobes_elem {
	char symname[256];
	struct kprobe probe;
	struct list_head list;
};

static LIST_HEAD(otst_kprobes);

/* Kept outside the elements, which must look as they did: which of them have fired. */
static struct otst_kprobes_elem *otst_elems[OTST_MAX];
static unsigned long otst_fired;

static void otst_disable_work(struct work_struct *work)
{
	unsigned int i;

	for (i = 0; i < OTST_MAX; i++)
		if (otst_elems[i] && test_bit(i, &otst_fired))
			disable_kprobe(&otst_elems[i]->probe);
}

static DECLARE_WORK(otst_work, otst_disable_work);

static void otst_irq(struct irq_work *work)
{
	schedule_work(&otst_work);
}

static struct irq_work otst_irq_work;

static int otst_handler(struct kprobe *kp, struct pt_regs *regs)
{
	unsigned int i;

	for (i = 0; i < OTST_MAX; i++) {
		if (!otst_elems[i] || kp != &otst_elems[i]->probe ||
		    test_and_set_bit(i, &otst_fired))
			continue;
		pr_info("triggered stacktrace for symbol %s at 0x%px:\n",
			kp->symbol_name, kp->addr);
		dump_stack();
	}
	return 0;
}
NOKPROBE_SYMBOL(otst_handler);

static void otst_handler_post_work(struct kprobe *kp, struct pt_regs *regs,
				   unsigned long flags)
{
	irq_work_queue(&otst_irq_work);
}
NOKPROBE_SYMBOL(otst_handler_post_work);

static struct otst_kprobes_elem *otst_add(const char *symbol)
{
	struct otst_kprobes_elem *elem = kzalloc(sizeof(*elem), GFP_KERNEL);

	if (!elem)
		return NULL;
	strscpy(elem->symname, symbol, sizeof(elem->symname));
	elem->probe.symbol_name = elem->symname;
	elem->probe.pre_handler = otst_handler;
	elem->probe.post_handler = otst_handler_post_work;
	if (register_kprobe(&elem->probe)) {
		pr_err("cannot probe %s\n", symbol);
		kfree(elem);
		return NULL;
	}
	list_add_tail(&elem->list, &otst_kprobes);
	return elem;
}

static int __init otst_init(void)
{
	struct otst_kprobes_elem *elem;
	int i;

	init_irq_work(&otst_irq_work, otst_irq);
	for (i = 0; i < nr_symbols; i++)
		otst_elems[i] = otst_add(symbols[i]);
	elem = gone ? otst_add(gone) : NULL;
	if (elem)
		unregister_kprobe(&elem->probe);
	return 0;
}

static void __exit otst_exit(void)
{
	struct otst_kprobes_elem *elem, *next;
	unsigned int i;

	for (i = 0; i < OTST_MAX; i++)
		if (otst_elems[i])
			unregister_kprobe(&otst_elems[i]->probe);
	irq_work_sync(&otst_irq_work);
	cancel_work_sync(&otst_work);
	list_for_each_entry_safe(elem, next, &otst_kprobes, list)
		kfree(elem);
}

module_init(otst_init);
module_exit(otst_exit);
MODULE_DESCRIPTION("otst test: records of the otst module of 2011");
MODULE_LICENSE("GPL");
