// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * log_print: what is written to /proc/log_print goes through printk(), a record for each write.
 * A newline at its end is the record's; others are within it, as lockdep prints them.
 */
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

static ssize_t log_print_write(struct file *file, const char __user *from, size_t len, loff_t *at)
{
	char *text;

	if (len > 1000)
		return -E2BIG;
	text = memdup_user_nul(from, len);
	if (IS_ERR(text))
		return PTR_ERR(text);
	if (len && text[len - 1] == '\n')
		text[len - 1] = '\0';
	printk(KERN_ERR "%s\n", text);
	kfree(text);
	return len;
}

static const struct proc_ops log_print_ops = {
	.proc_write = log_print_write,
};

static int __init log_print_init(void)
{
	return proc_create("log_print", 0200, NULL, &log_print_ops) ? 0 : -ENOMEM;
}

static void __exit log_print_exit(void)
{
	remove_proc_entry("log_print", NULL);
}

module_init(log_print_init);
module_exit(log_print_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Lab module: prints what is written to it");
