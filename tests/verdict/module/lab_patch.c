// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lab_patch.c - a live patch whose function faults; with callee=1 a function it calls
 * faults, with callee=2 neither.
 */
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/seq_file.h>

static int callee;
module_param(callee, int, 0);

static int *volatile patch_nothing;

static int patched_cmdline_proc_show(struct seq_file *m, void *v)
{
	int ret;

	if (!callee)
		return *patch_nothing;
	if (callee == 2) {
		seq_puts(m, "patched\n");
		return 0;
	}
	/* what it calls is not patched */
	ret = seq_write(m, patch_nothing, 64);
	barrier();
	return ret;
}

static struct klp_func funcs[] = {
	{ .old_name = "cmdline_proc_show", .new_func = patched_cmdline_proc_show }, {}
};

static struct klp_object objs[] = { { .funcs = funcs }, {} };

static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objs };

static int __init patch_init(void)
{
	return klp_enable_patch(&patch);
}

static void __exit patch_exit(void)
{
}

module_init(patch_init);
module_exit(patch_exit);
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
MODULE_DESCRIPTION("a live patch whose function faults");
