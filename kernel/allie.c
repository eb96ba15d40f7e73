// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * allie: catch the calls of one kernel function.
 *
 *   insmod allie.ko symbol=mpage_bio_submit count=3
 *
 * The first `count` calls of `symbol` are captured in memory (otst_records.h),
 * and then, depending on `action`:
 *
 *   0	nothing more
 *   1	a stack trace in the kernel log (dump_stack)
 *   2	panic: the dump shows who called
 *
 * All calls are counted, before and after the probed instruction. The interface
 * is that of the function call catcher of 2007.
 */
#define pr_fmt(fmt) fmt

#include <linux/irq_work.h>
#include <linux/workqueue.h>

#define OTST_DEFAULT_RECORDS 64
#include "otst_capture.h"

enum {
	ALLIE_NOTHING = 0,
	ALLIE_DUMP_STACK = 1,
	ALLIE_PANIC = 2,
};

static char *symbol;
module_param(symbol, charp, 0444);
MODULE_PARM_DESC(symbol, "function to catch: [module:]symbol[+offset]");

static int count = 1;
module_param(count, int, 0444);
MODULE_PARM_DESC(count, "stack traces to take, -1: no limit (default 1)");

static int action = ALLIE_DUMP_STACK;
module_param(action, int, 0444);
MODULE_PARM_DESC(
	action,
	"0: only keep it in memory, 1: dump_stack, 2: panic (default 1)");

static uint flags;
module_param(flags, uint, 0444);
MODULE_PARM_DESC(flags, "flags of the kprobe; 2: registered, but disabled");

static int verbose;
module_param(verbose, int, 0444);
MODULE_PARM_DESC(verbose, "1: a line for each capture, 2: for each call");

static struct otst_slot allie;

/* ---- handlers ---------------------------------------------------------------- */

static void allie_print_head(struct otst_rec_probe *p)
{
	pr_info("allie_pre_handler: %s at 0x%lx\n", p->symbol,
		(unsigned long)allie.kp.addr);
}

static void allie_print_work(struct work_struct *work)
{
	otst_print_waiting(&allie.rec, allie_print_head);
}

static DECLARE_WORK(allie_work, allie_print_work);

static void allie_irq(struct irq_work *work)
{
	schedule_work(&allie_work);
}

static struct irq_work allie_irq_work;

/* Take one of the captures that are left, if there is one. */
static bool allie_take(struct otst_rec_probe *p)
{
	s32 left = READ_ONCE(p->left), old;

	while (left > 0) {
		old = cmpxchg(&p->left, left, left - 1);
		if (old == left)
			return true;
		left = old;
	}
	return p->count < 0;
}

static void allie_tell(const char *who, struct kprobe *kp, struct pt_regs *regs)
{
	pr_info("%s: %s at 0x%lx, sp=0x%lx, cpu=%u, pid=%d, comm=%.16s\n", who,
		allie.rec.symbol, (unsigned long)kp->addr,
		kernel_stack_pointer(regs), raw_smp_processor_id(),
		current->pid, current->comm);
}

static int allie_pre_handler(struct kprobe *kp, struct pt_regs *regs)
{
	struct otst_rec_probe *p = &allie.rec;
	bool later = otst_print_later(regs), taken;
	u32 what;

	atomic64_inc(&p->hits);
	taken = allie_take(p);
	if (!later && verbose > (taken ? 0 : 1))
		allie_tell(__func__, kp, regs);
	if (!taken)
		return 0;

	if (!READ_ONCE(p->fired_time)) {
		WRITE_ONCE(p->address, (unsigned long)kp->addr);
		WRITE_ONCE(p->fired_time, local_clock());
	}
	what = otst_context(kp, regs);
	if (action == ALLIE_PANIC)
		what |= OTST_REC_PANIC;
	else if (action == ALLIE_DUMP_STACK && later)
		what |= OTST_REC_PRINT_LATER;
	otst_capture(&allie, regs, what);

	if (action == ALLIE_PANIC)
		panic("allie: %s at 0x%lx", p->symbol, (unsigned long)kp->addr);
	if (action != ALLIE_DUMP_STACK)
		return 0;
	if (later)
		irq_work_queue(&allie_irq_work);
	else
		dump_stack();
	return 0;
}
NOKPROBE_SYMBOL(allie_pre_handler);

static void allie_post_handler(struct kprobe *kp, struct pt_regs *regs,
			       unsigned long how)
{
	atomic64_inc(&allie.rec.post_hits);
	if (verbose > 1 && !otst_print_later(regs))
		allie_tell(__func__, kp, regs);
}
NOKPROBE_SYMBOL(allie_post_handler);

/*
 * Linux ec6aba3d2be1 ("kprobes: Remove kprobe::fault_handler") (v5.14) removed
 * this callback.
 */
#ifdef OTST_HAS_FAULT_HANDLER
static int allie_fault_handler(struct kprobe *kp, struct pt_regs *regs,
			       int trapnr)
{
	if (verbose)
		pr_info("%s: %s at 0x%lx, trap %d\n", __func__,
			allie.rec.symbol, (unsigned long)kp->addr, trapnr);
	return 0; /* the kernel handles it */
}
NOKPROBE_SYMBOL(allie_fault_handler);
#define ALLIE_FAULT_HANDLER(kp) ((kp)->fault_handler = allie_fault_handler)
#else
#define ALLIE_FAULT_HANDLER(kp) \
	do {                    \
	} while (0)
#endif

/* ---- module ------------------------------------------------------------------ */

static int allie_register(void)
{
	struct otst_rec_probe *p = &allie.rec;
	struct kprobe *kp = &allie.kp;
	int err;

	err = otst_kprobe_init(&allie, symbol);
	if (!err)
		err = otst_ring_create(p);
	if (err)
		return err;
	otst_copy_string(p->symbol, symbol, sizeof(p->symbol));
	p->kprobe = (unsigned long)kp;
	p->count = count;
	p->left = count;
	p->action = action;
	p->flags = flags;
	p->verbose = verbose;
	p->armed_count = 1;
	p->armed_time = local_clock();
	kp->flags = flags;
	kp->pre_handler = allie_pre_handler;
	kp->post_handler = allie_post_handler;
	ALLIE_FAULT_HANDLER(kp);
	/* It may be hit, and panic, before register_kprobe() returns. */
	p->state = OTST_REC_ARMED;
	err = register_kprobe(kp);
	if (err) {
		otst_ring_destroy(p);
		return err;
	}
	p->address = (unsigned long)kp->addr;
	return 0;
}

/* Not __init: see otst_registry.h. */
static int allie_init(void)
{
	int err;

	pr_info("%s: called\n", __func__);
	pr_info("%s: flags=%08x, action=%d, count=%d, verbose=%d\n", __func__,
		flags, action, count, verbose);
	if (!symbol || action < ALLIE_NOTHING || action > ALLIE_PANIC) {
		pr_err("%s: symbol= is needed, and an action from 0 to 2\n",
		       __func__);
		return -EINVAL;
	}
	pr_info("%s: symbol=%s\n", __func__, symbol);
	init_irq_work(&allie_irq_work, allie_irq);
	otst_registry_init(&allie, 1);
	err = allie_register();
	if (err) {
		otst_registry_deinit();
		pr_err("%s: cannot probe %s: error %d\n", __func__, symbol,
		       err);
	}
	return err;
}

static void __exit allie_exit(void)
{
	struct otst_rec_probe *p = &allie.rec;

	unregister_kprobe(&allie.kp);
	irq_work_sync(&allie_irq_work);
	cancel_work_sync(&allie_work);
	otst_print_waiting(p, allie_print_head);
	pr_info("%s: pre=%lld, post=%lld\n", __func__,
		(long long)atomic64_read(&p->hits),
		(long long)atomic64_read(&p->post_hits));
	otst_registry_deinit();
	otst_ring_destroy(p);
}

module_init(allie_init);
module_exit(allie_exit);
MODULE_DESCRIPTION("Catches the calls of a kernel function");
MODULE_LICENSE("GPL");
