// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lab_agents.c - hooks of kinds that lab_crash.c and lab_handlers.c do not have, and
 * faults in them. The word written to "go" says which; "quiet" places hooks of each
 * kind that do nothing, for crashes that no hook causes (lab_driver.c).
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/hw_breakpoint.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/namei.h>
#include <linux/perf_event.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <linux/uprobes.h>
#include <linux/version.h>
#include <linux/workqueue.h>

#ifdef CONFIG_X86
#include <asm/nmi.h>
#endif

#include "lab_order.h"
#include "lab_scenarios.h"

/* Linux d19ad0775dcd ("ftrace: Have the callbacks receive a struct ftrace_regs instead of pt_regs") (v5.11) */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
#define agent_regs pt_regs
#define AGENT_ALLOWS FTRACE_OPS_FL_RECURSION_SAFE
#else
#define agent_regs ftrace_regs
/* Linux a25d036d939a ("ftrace: Reverse what the RECURSION flag means in the ftrace_ops") (v5.11) */
#define AGENT_ALLOWS 0
#endif

static int *volatile agent_nothing;
static DECLARE_RWSEM(agent_rwsem);

int agent_hooked(int n);
int agent_called(int n);
int agent_elsewhere(int n);
int agent_offset(int n);

noinline int agent_hooked(int n)
{
	barrier();
	return n + 1;
}

/* traced; called by what traces agent_hooked() */
noinline int agent_called(int n)
{
	barrier();
	return n + 2;
}

/* has a quiet probe */
noinline int agent_elsewhere(int n)
{
	barrier();
	return n + 3;
}

#ifdef CONFIG_X86
/* room for a jump after a nop that is known by its number */
noinline int agent_offset(int n)
{
	asm volatile("nopl 0x12345678(%rax)\n"
		     "nopl 0x12345678(%rax)\n"
		     "nopl 0x12345678(%rax)\n");
	return n + 4;
}
#endif

/* ---- handlers ---- */

static int agent_quiet_pre(struct kprobe *p, struct pt_regs *regs)
{
	return 0;
}

#ifdef CONFIG_X86
static int agent_fault_pre(struct kprobe *p, struct pt_regs *regs)
{
	*agent_nothing = 1;
	return 0;
}
#endif

static void agent_fault_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	*agent_nothing = 1;
}

static int agent_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return *agent_nothing;
}

static int agent_quiet_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return 0;
}

/* owns the semaphore and sleeps so that the kernel does not report it as hung */
static int agent_write_pre(struct kprobe *p, struct pt_regs *regs)
{
	down_write(&agent_rwsem);
	set_current_state(TASK_INTERRUPTIBLE);
	schedule_timeout(MAX_SCHEDULE_TIMEOUT);
	return 0;
}

static struct kprobe agent_kp = { .symbol_name = "agent_hooked" };
static struct kprobe agent_quiet_kp = { .symbol_name = "agent_elsewhere",
					.pre_handler = agent_quiet_pre };

static int agent_hook(kprobe_pre_handler_t handler)
{
	agent_kp.pre_handler = handler;
	return register_kprobe(&agent_kp);
}

static int agent_after(void)
{
	int err;

	agent_kp.post_handler = agent_fault_post;
	err = agent_hook(agent_quiet_pre);
	return err ? err : agent_hooked(1);
}

static struct kretprobe agent_rp = { .entry_handler = agent_entry,
				     .handler = agent_quiet_return,
				     .kp.symbol_name = "agent_hooked" };

static int agent_entered(void)
{
	int err = register_kretprobe(&agent_rp);

	return err ? err : agent_hooked(1);
}

#ifdef CONFIG_X86
/* in the detour of an optimized kprobe */
static int agent_jump(void)
{
	static const unsigned char nop[] = { 0x0f, 0x1f, 0x80, 0x78, 0x56, 0x34, 0x12 };
	const unsigned char *text = (void *)agent_offset;
	int err;

	while (memcmp(text, nop, sizeof(nop)))
		text++;
	agent_kp.symbol_name = "agent_offset";
	agent_kp.offset = text + sizeof(nop) - (const unsigned char *)agent_offset;
	err = agent_hook(agent_fault_pre);
	/* the optimizer works in the background */
	msleep(3000);
	return err ? err : agent_offset(1);
}
#endif

static int agent_reader_thread(void *unused)
{
	down_read(&agent_rwsem);
	up_read(&agent_rwsem);
	return 0;
}

static int agent_call_thread(void *n)
{
	return agent_hooked((long)n) & 0;
}

static int agent_reader(void)
{
	int err = agent_hook(agent_write_pre);

	lab_start(agent_call_thread, NULL, 1, "agent_writer");
	msleep(500);
	lab_start(agent_reader_thread, NULL, 0, "agent_reader");
	return err;
}

#ifdef CONFIG_X86
/* ---- NMI ---- */

static int agent_nmi(unsigned int type, struct pt_regs *regs)
{
	agent_hooked(1);
	return NMI_DONE;
}

/* the guest asks for an NMI then */
static int agent_innmi(void)
{
	int err = agent_hook(agent_fault_pre);

	return err ? err : register_nmi_handler(NMI_LOCAL, agent_nmi, 0, "agent");
}
#endif

/* ---- perf ---- */

static void agent_overflow(struct perf_event *event, struct perf_sample_data *data,
			   struct pt_regs *regs)
{
	*agent_nothing = 1;
}

static void agent_quiet_overflow(struct perf_event *event, struct perf_sample_data *data,
				 struct pt_regs *regs)
{
}

static int agent_sample(perf_overflow_handler_t handler)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_CPU_CLOCK,
					.size = sizeof(attr),
					.sample_period = 10000000 };

	return PTR_ERR_OR_ZERO(
		perf_event_create_kernel_counter(&attr, 0, NULL, handler, NULL));
}

static int agent_samples(void)
{
	return agent_sample(agent_overflow);
}

/* ---- ftrace ---- */

/* traces what it calls, and says that it handles recursion */
static void agent_again(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			struct agent_regs *regs)
{
	agent_called(1);
}

static void notrace agent_quiet_callback(unsigned long ip, unsigned long parent,
					 struct ftrace_ops *ops, struct agent_regs *regs)
{
}

static struct ftrace_ops agent_again_ops = { .func = agent_again, .flags = AGENT_ALLOWS };
static struct ftrace_ops agent_quiet_ops = { .func = agent_quiet_callback };

static int agent_filter(struct ftrace_ops *ops, char *name)
{
	return ftrace_set_filter(ops, name, strlen(name), 0);
}

static int agent_recurses(void)
{
	int err = agent_filter(&agent_again_ops, "agent_hooked");

	if (!err)
		err = agent_filter(&agent_again_ops, "agent_called");
	if (!err)
		err = register_ftrace_function(&agent_again_ops);
	return err ? err : agent_hooked(1);
}

#ifdef CONFIG_FPROBE
#include <linux/fprobe.h>

/* entry_handler() and exit_handler() of 6.1, 6.12 and 7.2 differ in their arguments, of which none is read */
static int agent_fentry(void)
{
	return *agent_nothing;
}

static int agent_quiet_fentry(void)
{
	return 0;
}

static void agent_fexit(void)
{
	*agent_nothing = 1;
}

static struct fprobe agent_fp;

static int agent_fprobe_on(void *entry, void *exit)
{
	agent_fp.entry_handler = entry;
	agent_fp.exit_handler = exit;
	return register_fprobe(&agent_fp, "agent_hooked", NULL);
}

static int agent_fprobe(void)
{
	int err = agent_fprobe_on(agent_fentry, NULL);

	return err ? err : agent_hooked(1);
}

static int agent_fprobe_exit(void)
{
	int err = agent_fprobe_on(agent_quiet_fentry, agent_fexit);

	return err ? err : agent_hooked(1);
}
#else
static void *agent_quiet_fentry;

static int agent_fprobe_on(void *entry, void *exit)
{
	return 0;
}
#endif

/* ---- the module's own ---- */

static void agent_work_function(struct work_struct *work)
{
	*agent_nothing = 1;
}
static DECLARE_WORK(agent_work, agent_work_function);

/* the module has a probe, which has nothing to do with this */
static int agent_worker(void)
{
	int err = register_kprobe(&agent_quiet_kp);

	agent_elsewhere(1);
	schedule_work(&agent_work);
	return err;
}

/* a struct kprobe that is no longer registered is freed twice; another kprobe is not involved */
static int agent_twice(void)
{
	struct kprobe *p = kzalloc(sizeof(*p), GFP_KERNEL);
	int err = register_kprobe(&agent_quiet_kp);

	if (!p || err)
		return -ENOMEM;
	p->symbol_name = "agent_hooked";
	p->pre_handler = agent_quiet_pre;
	err = register_kprobe(p);
	agent_hooked(1);
	unregister_kprobe(p);
	kfree(p);
	kfree(p);
	return err;
}

/* an invalid instruction in what a program calls, after ftrace's call as a compiler's would be */
static int agent_helper(void)
{
	int err = lab_corrupt("bpf_get_current_comm");

	return err ? err : agent_hooked(1);
}

/* ---- user space ---- */

static char *path = "/bin/busybox";
module_param(path, charp, 0400);
static unsigned long offset;
module_param(offset, ulong, 0400);

/* Linux da09a9e0c3ea ("uprobe: Add data pointer to consumer handlers") (v6.13) */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#define AGENT_DATA
#else
#define AGENT_DATA , __u64 *data
#endif

static int agent_user(struct uprobe_consumer *self, struct pt_regs *regs AGENT_DATA)
{
	return 0;
}

static int agent_user_return(struct uprobe_consumer *self, unsigned long func,
			     struct pt_regs *regs AGENT_DATA)
{
	return *agent_nothing;
}

static struct uprobe_consumer agent_consumer = { .handler = agent_user };

static int agent_consume(void)
{
	struct path found;
	int err = kern_path(path, LOOKUP_FOLLOW, &found);

	if (err)
		return err;
/* Linux 3c83a9ad0295 ("uprobes: make uprobe_register() return struct uprobe *") (v6.12) */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
	return uprobe_register(d_inode(found.dentry), offset, &agent_consumer);
#else
	return PTR_ERR_OR_ZERO(uprobe_register(d_inode(found.dentry), offset, 0, &agent_consumer));
#endif
}

static int agent_user_returned(void)
{
	agent_consumer.ret_handler = agent_user_return;
	return agent_consume();
}

/* ---- all of them, doing nothing ---- */

static void agent_switch(void *data)
{
}

static void agent_find(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "sched_switch") || !strcmp(tp->name, "sched_process_fork") ||
	    !strcmp(tp->name, "kmalloc") || !strcmp(tp->name, "workqueue_execute_start"))
		tracepoint_probe_register(tp, agent_switch, NULL);
}

static int agent_watched;

static int agent_quiet(void)
{
	static char *const names[] = { "vfs_write", "ksys_write", "process_one_work", "kthread",
				       "vfs_read", "do_sys_openat2", "schedule_timeout" };
	static struct kprobe kps[ARRAY_SIZE(names)];
	static struct kretprobe rp = { .handler = agent_quiet_return,
				       .kp.symbol_name = "ksys_write" };
	struct perf_event_attr attr;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		kps[i].symbol_name = names[i];
		kps[i].pre_handler = agent_quiet_pre;
		if (register_kprobe(&kps[i]))
			pr_info("agents: no kprobe on %s\n", names[i]);
		if (agent_filter(&agent_quiet_ops, names[i]))
			pr_info("agents: no callback on %s\n", names[i]);
	}
	for_each_kernel_tracepoint(agent_find, NULL);
	hw_breakpoint_init(&attr);
	attr.bp_addr = (unsigned long)&agent_watched;
	attr.bp_len = HW_BREAKPOINT_LEN_4;
	attr.bp_type = HW_BREAKPOINT_W;
	pr_info("agents: %d %d %d %d %d %d\n", register_kretprobe(&rp),
		register_ftrace_function(&agent_quiet_ops), agent_sample(agent_quiet_overflow),
		agent_consume(), agent_fprobe_on(agent_quiet_fentry, NULL),
		IS_ERR((void __force *)register_wide_hw_breakpoint(&attr, agent_quiet_overflow,
								    NULL)));
	return 0;
}

static const struct lab_scenario scenarios[] = {
	{ "after", agent_after },	  { "entered", agent_entered },
	{ "reader", agent_reader },	  { "samples", agent_samples },
	{ "recurses", agent_recurses },
#ifdef CONFIG_X86
	{ "jump", agent_jump },		  { "innmi", agent_innmi },
#endif
#ifdef CONFIG_FPROBE
	{ "fprobe", agent_fprobe },	  { "fprobe-exit", agent_fprobe_exit },
#endif
	{ "worker", agent_worker },	  { "twice", agent_twice },
	{ "helper", agent_helper },
	{ "uretprobe", agent_user_returned }, { "quiet", agent_quiet },
};

LAB_MODULE(scenarios, "hooks of more kinds, and faults in them");
