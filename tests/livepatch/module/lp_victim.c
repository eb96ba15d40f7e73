// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp_victim - functions for live patches. Reading /proc/lp_victim calls
 * victim_one() and victim_two(); a task that writes to it sleeps in
 * victim_block() until the end.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

int victim_one(struct seq_file *m);
int victim_two(struct seq_file *m);
void victim_block(void);

noinline int victim_one(struct seq_file *m)
{
	seq_puts(m, "one: built\n");
	return 0;
}

noinline int victim_two(struct seq_file *m)
{
	seq_puts(m, "two: built\n");
	return 0;
}

noinline void victim_block(void)
{
	for (;;)
		msleep(1000000);
}

static int show(struct seq_file *m, void *v)
{
	return victim_one(m) + victim_two(m);
}

static int open(struct inode *inode, struct file *file)
{
	return single_open(file, show, NULL);
}

static ssize_t block(struct file *file, const char __user *text, size_t size, loff_t *pos)
{
	victim_block();
	return size;
}

static const struct proc_ops ops = {
	.proc_open = open,
	.proc_read = seq_read,
	.proc_write = block,
	.proc_release = single_release,
};

static int __init victim_init(void)
{
	return proc_create("lp_victim", 0600, NULL, &ops) ? 0 : -ENOMEM;
}

static void __exit victim_exit(void)
{
	remove_proc_entry("lp_victim", NULL);
}

module_init(victim_init);
module_exit(victim_exit);
MODULE_DESCRIPTION("functions for live patches");
MODULE_LICENSE("GPL");
