// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * otst_lab_victim: a module that exists to be probed and unloaded.
 *
 * otst_lab puts kprobes on both functions while this module is COMING. The
 * init text is freed after loading and the rest by rmmod: both probes then
 * stay behind, marked GONE.
 */
#include <linux/init.h>
#include <linux/module.h>

noinline int lab_victim_func(int x);
noinline int lab_victim_func(int x)
{
	barrier();
	return x + 1;
}

/* Not static: a clone would have another name. */
noinline __init int lab_victim_init_text(int x);
noinline __init int lab_victim_init_text(int x)
{
	barrier();
	return x - 1;
}

static int __init lab_victim_init(void)
{
	return lab_victim_func(0) + lab_victim_init_text(0);
}

static void __exit lab_victim_exit(void)
{
}

module_init(lab_victim_init);
module_exit(lab_victim_exit);
MODULE_DESCRIPTION("otst lab: text to be probed and unloaded");
MODULE_LICENSE("GPL");
