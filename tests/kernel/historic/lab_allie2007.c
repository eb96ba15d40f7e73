// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lab_allie2007: the statics of the allie module of 2007, on today's kprobes.
 *
 *   insmod lab_allie2007.ko symbol=vfs_rmdir count=3
 *
 * pre and post begin with 1 and count the runs of the handlers. Action 2 is
 * left out. Today's struct kprobe has neither fault nor break handler.
 */
#include <linux/kprobes.h>
#include <linux/module.h>

static char *symbol;
module_param(symbol, charp, 0444);
static int count = 1;
module_param(count, int, 0444);
static int action = 1;
module_param(action, int, 0444);
static unsigned int flags;
module_param(flags, uint, 0444);
static int verbose;
module_param(verbose, int, 0444);

static struct kprobe kp;
static int pre = 1;
static int post = 1;

static int allie_pre_handler(struct kprobe *p, struct pt_regs *regs)
{
	if (verbose)
		pr_info("%s: %d\n", __func__, pre);
	if (pre <= count && action == 1)
		dump_stack();
	pre++;
	return 0;
}
NOKPROBE_SYMBOL(allie_pre_handler);

static void allie_post_handler(struct kprobe *p, struct pt_regs *regs,
			       unsigned long how)
{
	if (verbose)
		pr_info("%s: %d\n", __func__, post);
	post++;
}
NOKPROBE_SYMBOL(allie_post_handler);

static int __init allie_init(void)
{
	pr_info("%s: called\n", __func__);
	pr_info("%s: flags=%08x, action=%d, count=%d, verbose=%d\n", __func__,
		flags, action, count, verbose);
	kp.symbol_name = symbol;
	kp.flags = flags;
	kp.pre_handler = allie_pre_handler;
	kp.post_handler = allie_post_handler;
	return register_kprobe(&kp);
}

static void __exit allie_exit(void)
{
	unregister_kprobe(&kp);
	pr_info("%s: pre=%d, post=%d\n", __func__, pre - 1, post - 1);
}

module_init(allie_init);
module_exit(allie_exit);
MODULE_DESCRIPTION("otst test: records of the allie module of 2007");
MODULE_LICENSE("GPL");
