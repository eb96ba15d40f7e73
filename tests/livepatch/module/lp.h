/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lp.h - a live patch in a few lines: its file defines the new functions
 * and `objects[]`, and says LIVE_PATCH(replace).
 */
#include <linux/kernel.h>
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#define FUNCTION(old, new) { .old_name = old, .new_func = new }

#define LIVE_PATCH(replaces)                                                                       \
	static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objects };                   \
	static int __init lp_init(void)                                                            \
	{                                                                                          \
		patch.replace = (replaces);                                                        \
		return klp_enable_patch(&patch);                                                   \
	}                                                                                          \
	/* without an exit function, even an empty one, a live patch cannot be unloaded */         \
	static void __exit lp_exit(void)                                                           \
	{                                                                                          \
	}                                                                                          \
	module_init(lp_init);                                                                      \
	module_exit(lp_exit);                                                                      \
	MODULE_DESCRIPTION("a live patch of the test lab");                                        \
	MODULE_LICENSE("GPL");                                                                     \
	MODULE_INFO(livepatch, "Y")
