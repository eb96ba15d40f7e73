// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * otst: one stack trace, once.
 *
 *   echo -n netif_rx > /proc/driver/otst	arm; several symbols in a row
 *   cat /proc/driver/otst			what is armed
 *
 * The first call of the function prints a stack trace to the kernel log and
 * keeps it in memory (otst_records.h); then the probe is removed. A symbol may
 * be "module:symbol" and "symbol+0x10".
 *
 * The interface is that of the one-time stacktrace module of 2011, but not the
 * implementation: that module disabled the probe from its own handler. Here the
 * first hit claims the probe in one atomic step, whichever cpus are in the
 * handler; an irq_work, which can be queued in any context, then schedules the
 * work item that removes the probe.
 */
#define pr_fmt(fmt) "otst: " fmt

#include <linux/ctype.h>
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/workqueue.h>

#define OTST_DEFAULT_RECORDS 4
#include "otst_capture.h"

#define OTST_PROC_NAME	"driver/otst"
#define OTST_MAX_PROBES 1024

static unsigned int probes = 64;
module_param(probes, uint, 0444);
MODULE_PARM_DESC(probes,
		 "symbols that can be armed or keep captures (default 64)");

/* Protects the slots; handlers only claim, count and capture. */
static DEFINE_MUTEX(otst_mutex);
static struct otst_slot *otst_slots;

static void otst_reap_work(struct work_struct *work);
static DECLARE_WORK(otst_work, otst_reap_work);
static struct irq_work otst_irq_work;

static void otst_print_head(struct otst_rec_probe *p)
{
	pr_info("triggered stacktrace for symbol %s at 0x%llx...:\n", p->symbol,
		(unsigned long long)p->address);
}

/* ---- firing ----------------------------------------------------------------- */

static void otst_irq(struct irq_work *work)
{
	schedule_work(&otst_work);
}

static int otst_handler(struct kprobe *kp, struct pt_regs *regs)
{
	struct otst_slot *slot = container_of(kp, struct otst_slot, kp);
	struct otst_rec_probe *p = &slot->rec;
	bool later = otst_print_later(regs);
	u32 flags;

	atomic64_inc(&p->hits);
	if (READ_ONCE(p->state) != OTST_REC_ARMED ||
	    cmpxchg(&p->state, OTST_REC_ARMED, OTST_REC_FIRED) !=
		    OTST_REC_ARMED)
		return 0;

	p->fired_time = local_clock();
	p->left = 0;
	otst_registry.last_time = p->fired_time;
	flags = otst_context(kp, regs);
	if (later)
		flags |= OTST_REC_PRINT_LATER;
	otst_capture(slot, regs, flags);
	if (!later) {
		otst_print_head(p);
		dump_stack();
	}
	irq_work_queue(&otst_irq_work);
	return 0;
}
NOKPROBE_SYMBOL(otst_handler);

/* ---- arming and removing, under otst_mutex ---------------------------------- */

static void otst_remove(struct otst_slot *slot)
{
	struct otst_rec_probe *p = &slot->rec;

	/* When this returns, no handler is running any more. */
	unregister_kprobe(&slot->kp);
	otst_print_waiting(p, otst_print_head);
	p->removed_time = local_clock();
	otst_registry.last_time = p->removed_time;
	WRITE_ONCE(p->state, p->fired_time ? OTST_REC_REMOVED : OTST_REC_FREE);
	pr_info("symbol %s unregistered!\n", p->symbol);
}

/* Remove probes that have fired, and probes in a module that was unloaded. */
static void otst_reap(void)
{
	unsigned int i;

	for (i = 0; i < probes; i++) {
		struct otst_slot *slot = &otst_slots[i];
		u32 state = READ_ONCE(slot->rec.state);

		if (state == OTST_REC_FIRED ||
		    (state == OTST_REC_ARMED && kprobe_gone(&slot->kp)))
			otst_remove(slot);
	}
}

static void otst_reap_work(struct work_struct *work)
{
	mutex_lock(&otst_mutex);
	otst_reap();
	mutex_unlock(&otst_mutex);
}

static bool otst_is_armed(const struct otst_slot *slot)
{
	u32 state = READ_ONCE(slot->rec.state);

	return state == OTST_REC_ARMED || state == OTST_REC_FIRED;
}

/*
 * The symbol's own slot, so that its ring goes on; else a free one; else the
 * slot of the symbol that was removed longest ago, whose captures are lost.
 */
static struct otst_slot *otst_find_slot(const char *symbol)
{
	struct otst_slot *free = NULL, *oldest = NULL;
	unsigned int i;

	for (i = 0; i < probes; i++) {
		struct otst_slot *slot = &otst_slots[i];

		if (!strcmp(slot->rec.symbol, symbol))
			return slot;
		if (otst_is_armed(slot))
			continue;
		if (slot->rec.state == OTST_REC_FREE)
			free = free ?: slot;
		else if (!oldest ||
			 slot->rec.removed_time < oldest->rec.removed_time)
			oldest = slot;
	}
	return free ?: oldest;
}

/* Give the slot to another symbol; its ring, if any, is reused. */
static void otst_rename_slot(struct otst_slot *slot, const char *symbol)
{
	struct otst_rec_probe *p = &slot->rec;
	u64 ring = p->ring;

	if (p->state == OTST_REC_REMOVED)
		otst_registry.lost_probes++;
	memset(p, 0, sizeof(*p));
	otst_copy_string(p->symbol, symbol, sizeof(p->symbol));
	if (ring) {
		memset((void *)(unsigned long)ring, 0,
		       (size_t)records * otst_layout.size);
		p->nr_records = records;
		p->record_size = otst_layout.size;
		p->ring = ring;
	}
}

/*
 * The kprobe comes first: a symbol that cannot be probed changes nothing. Until
 * the state is ARMED, the handler only counts.
 */
static int otst_register(struct otst_slot *slot, const char *symbol)
{
	struct otst_rec_probe *p = &slot->rec;
	int err;

	err = otst_ring_create(p);
	if (!err)
		err = otst_kprobe_init(slot, symbol);
	if (err)
		return err;
	slot->kp.pre_handler = otst_handler;
	err = register_kprobe(&slot->kp);
	if (err)
		return err;

	if (strcmp(p->symbol, symbol))
		otst_rename_slot(slot, symbol);
	p->kprobe = (unsigned long)&slot->kp;
	p->address = (unsigned long)slot->kp.addr;
	p->action = 1;
	p->count = 1;
	p->left = 1;
	p->armed_count++;
	p->fired_time = 0;
	p->removed_time = 0;
	p->armed_time = local_clock();
	otst_registry.last_time = p->armed_time;
	pr_info("symbol %s registered!\n", symbol);
	/* Pairs with the claim in otst_handler(). */
	smp_store_release(&p->state, OTST_REC_ARMED);
	return 0;
}

static int otst_arm(const char *symbol)
{
	struct otst_slot *slot = otst_find_slot(symbol);

	if (!slot)
		return -ENOSPC;
	if (otst_is_armed(slot))
		return -EEXIST;
	return otst_register(slot, symbol);
}

/* ---- /proc/driver/otst ------------------------------------------------------- */

/*
 * Arm the words of a text. The first word that is refused, and all after it,
 * are left to the caller's next write(), which then gets the error: so a shell
 * reports it, and the symbols before it are armed.
 */
static ssize_t otst_arm_words(char *text)
{
	char *word = skip_spaces(text);

	while (*word) {
		char *end = word + strcspn(word, " \t\r\n");
		char *next = skip_spaces(end);
		int err;

		*end = '\0';
		err = otst_arm(word);
		if (err)
			return word == skip_spaces(text) ? err : word - text;
		word = next;
	}
	return word - text;
}

static ssize_t otst_proc_write(struct file *file, const char __user *ubuf,
			       size_t count, loff_t *ppos)
{
	size_t len = min_t(size_t, count, PAGE_SIZE);
	char *text;
	ssize_t ret;

	text = kmalloc(len + 1, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	if (copy_from_user(text, ubuf, len)) {
		kfree(text);
		return -EFAULT;
	}
	text[len] = '\0';
	/* A word that is cut off here arrives whole with the next write(). */
	if (len < count) {
		while (len && !isspace(text[len - 1]))
			len--;
		text[len] = '\0';
	}
	ret = -ENAMETOOLONG;
	if (len || !count) {
		mutex_lock(&otst_mutex);
		otst_reap(); /* a fired symbol may be armed again */
		ret = otst_arm_words(text);
		mutex_unlock(&otst_mutex);
	}
	kfree(text);
	return ret;
}

static int otst_proc_show(struct seq_file *m, void *v)
{
	unsigned int i;

	mutex_lock(&otst_mutex);
	for (i = 0; i < probes; i++)
		if (READ_ONCE(otst_slots[i].rec.state) == OTST_REC_ARMED)
			seq_printf(m, "%s\n", otst_slots[i].rec.symbol);
	mutex_unlock(&otst_mutex);
	return 0;
}

static int otst_proc_open(struct inode *inode, struct file *file)
{
	return single_open(file, otst_proc_show, NULL);
}

#ifdef OTST_HAS_PROC_OPS /* 5.6 */
static const struct proc_ops otst_proc_ops = {
	.proc_open = otst_proc_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = otst_proc_write,
};
#else
static const struct file_operations otst_proc_ops = {
	.owner = THIS_MODULE,
	.open = otst_proc_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
	.write = otst_proc_write,
};
#endif

/* ---- module ------------------------------------------------------------------ */

static int __init otst_init(void)
{
	probes = clamp(probes, 1U, (unsigned int)OTST_MAX_PROBES);
	otst_slots = vzalloc(probes * sizeof(*otst_slots));
	if (!otst_slots)
		return -ENOMEM;
	init_irq_work(&otst_irq_work, otst_irq);
	otst_registry_init(otst_slots, probes);
	if (!proc_create(OTST_PROC_NAME, 0600, NULL, &otst_proc_ops)) {
		otst_registry_deinit();
		vfree(otst_slots);
		return -ENOMEM;
	}
	pr_info("one-time stacktrace driver loaded!\n");
	return 0;
}

static void __exit otst_exit(void)
{
	unsigned int i;

	/* From here on nothing new is armed. */
	remove_proc_entry(OTST_PROC_NAME, NULL);
	mutex_lock(&otst_mutex);
	for (i = 0; i < probes; i++)
		if (otst_is_armed(&otst_slots[i]))
			otst_remove(&otst_slots[i]);
	mutex_unlock(&otst_mutex);
	/* No handler is left that could queue these. */
	irq_work_sync(&otst_irq_work);
	cancel_work_sync(&otst_work);

	otst_registry_deinit();
	for (i = 0; i < probes; i++)
		otst_ring_destroy(&otst_slots[i].rec);
	vfree(otst_slots);
	pr_info("one-time stacktrace driver unloaded!\n");
}

module_init(otst_init);
module_exit(otst_exit);
MODULE_DESCRIPTION("One-time stack traces of kernel functions");
MODULE_LICENSE("GPL");
