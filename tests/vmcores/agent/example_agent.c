// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * example_agent.c - an agent of the kind that many machines run: it sees which files are
 * opened, removed and renamed, and which processes begin. Its fault is one that agents have
 * had: it knows the file systems that there were when it was written, and expects no others.
 */
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/magic.h>
#include <linux/module.h>
#include <linux/tracepoint.h>

struct agent_volume {
	unsigned long magic;
	unsigned long opened;
};

static struct agent_volume agent_volumes[] = {
	{ RAMFS_MAGIC }, { TMPFS_MAGIC },   { PROC_SUPER_MAGIC },
	{ SYSFS_MAGIC }, { DEBUGFS_MAGIC }, { TRACEFS_MAGIC },
};
static atomic_long_t agent_changed, agent_started, agent_forked;

static noinline struct agent_volume *agent_volume_of(const struct super_block *sb)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(agent_volumes); i++)
		if (agent_volumes[i].magic == sb->s_magic)
			return &agent_volumes[i];
	return NULL;
}

/* vfs_open(path, file): the volume of an unknown file system is NULL */
static int agent_open_pre(struct kprobe *p, struct pt_regs *regs)
{
	const struct path *path = (const struct path *)regs_get_kernel_argument(regs, 0);

	agent_volume_of(path->mnt->mnt_sb)->opened++;
	return 0;
}

static int agent_fork_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	atomic_long_inc(&agent_forked);
	return 0;
}

static void notrace agent_change(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				 struct ftrace_regs *regs)
{
	atomic_long_inc(&agent_changed);
}

static void agent_exec(void *data, struct task_struct *task, pid_t pid, struct linux_binprm *program)
{
	atomic_long_inc(&agent_started);
}

static struct kprobe agent_open = { .symbol_name = "vfs_open", .pre_handler = agent_open_pre };
static struct kretprobe agent_fork = { .kp.symbol_name = "kernel_clone", .handler = agent_fork_return };
static struct ftrace_ops agent_changes = { .func = agent_change };
static struct tracepoint *agent_tracepoint;

static void find_tracepoint(struct tracepoint *tp, void *name)
{
	if (!strcmp(tp->name, name))
		agent_tracepoint = tp;
}

static int hook_changes(void)
{
	static char *functions[] = { "vfs_unlink", "vfs_rename" };
	size_t i;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(functions) && !err; i++)
		err = ftrace_set_filter(&agent_changes, functions[i], strlen(functions[i]), 0);
	return err ? err : register_ftrace_function(&agent_changes);
}

/* never removed: the machine dies with it */
static int __init agent_init(void)
{
	int err;

	for_each_kernel_tracepoint(find_tracepoint, "sched_process_exec");
	if (!agent_tracepoint)
		return -ENOENT;
	err = register_kprobe(&agent_open);
	if (!err)
		err = register_kretprobe(&agent_fork);
	if (!err)
		err = hook_changes();
	if (!err)
		err = tracepoint_probe_register(agent_tracepoint, agent_exec, NULL);
	/* with an error, what is hooked already would outlive the module */
	WARN_ON(err);
	return 0;
}

module_init(agent_init);
MODULE_DESCRIPTION("an agent with a fault");
MODULE_LICENSE("GPL");
