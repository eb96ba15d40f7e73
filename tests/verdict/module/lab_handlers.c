// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lab_handlers.c - more crashes in handlers and next to them: kinds of hooks and
 * faults that lab_crash.c does not have. The word written to "go" says which.
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
#include <linux/timer.h>
#include <linux/tracepoint.h>
#include <linux/uprobes.h>
#include <linux/version.h>

#include "lab_scenarios.h"

/* Linux d19ad0775dcd ("ftrace: Have the callbacks receive a struct ftrace_regs instead of pt_regs") (v5.11) */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
#define hand_regs pt_regs
#else
#define hand_regs ftrace_regs
#endif

static int *volatile hand_nothing;
static volatile int hand_more = 1;

int hand_hooked(int n);
int hand_caller(int n);
int hand_faults(int n);
int hand_warns(int n);
int hand_slot(int *p);

noinline int hand_hooked(int n)
{
	barrier();
	return n + 1;
}

/* no hook is on it */
noinline int hand_faults(int n)
{
	barrier();
	return *hand_nothing + n;
}

/* hooked; what it calls is not */
noinline int hand_caller(int n)
{
	int ret = hand_faults(n);

	barrier();
	return ret + 1;
}

noinline int hand_warns(int n)
{
	WARN(n, "lab_handlers asked for it\n");
	barrier();
	return n;
}

#ifdef CONFIG_X86
/* a kprobe is on the instruction that faults, after a nop that is known by its number */
noinline int hand_slot(int *p)
{
	int ret;

	asm volatile("nopl 0x12345678(%%rax)\n"
		     "mov (%1), %0\n"
		     "nopl 0x12345678(%%rax)\n"
		     : "=r"(ret)
		     : "r"(p));
	return ret;
}
#endif

/* ---- handlers ---- */

static int hand_quiet_pre(struct kprobe *p, struct pt_regs *regs)
{
	return 0;
}

/* not a canonical address */
static int hand_wild_pre(struct kprobe *p, struct pt_regs *regs)
{
	return *(volatile int *)0x6b6b6b6b6b6b6b6bul & 0;
}

static noinline int hand_recurse(int n)
{
	volatile char room[256];

	room[n & 255] = n;
	return n ? hand_recurse(n + 1) + room[0] : 0;
}

static int hand_deep_pre(struct kprobe *p, struct pt_regs *regs)
{
	return hand_recurse(1) & 0;
}

/* is interrupted by a timer that is nobody's hook */
static int hand_wait_pre(struct kprobe *p, struct pt_regs *regs)
{
	while (hand_more)
		cpu_relax();
	return 0;
}

static struct kprobe hand_kp = { .symbol_name = "hand_hooked" };

static int hand_call(kprobe_pre_handler_t handler)
{
	int err;

	hand_kp.pre_handler = handler;
	err = register_kprobe(&hand_kp);
	return err ? err : hand_hooked(1);
}

static int hand_wild(void)
{
	return hand_call(hand_wild_pre);
}

static int hand_deep(void)
{
	return hand_call(hand_deep_pre);
}

static void hand_timer_function(struct timer_list *unused)
{
	BUG();
}
static DEFINE_TIMER(hand_timer, hand_timer_function);

static int hand_above(void)
{
	int err;

	hand_kp.pre_handler = hand_wait_pre;
	err = register_kprobe(&hand_kp);
	if (err)
		return err;
	/* the timer finds this cpu in the handler */
	preempt_disable();
	hand_timer.expires = jiffies + HZ / 2;
	add_timer_on(&hand_timer, smp_processor_id());
	hand_hooked(1);
	preempt_enable();
	return 0;
}

/* ---- kretprobes ---- */

static int hand_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return *hand_nothing;
}

static int hand_quiet_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return 0;
}

static struct kretprobe hand_rp = { .handler = hand_return, .kp.symbol_name = "hand_hooked" };
static struct kretprobe hand_caller_rp = { .handler = hand_quiet_return,
					   .kp.symbol_name = "hand_caller" };

static int hand_returned(void)
{
	int err = register_kretprobe(&hand_rp);

	return err ? err : hand_hooked(1);
}

/* a pending return is not code of a hook */
static int hand_under(void)
{
	int err = register_kretprobe(&hand_caller_rp);

	return err ? err : hand_caller(1);
}

/* ---- the function's own ---- */

static int hand_warned(void)
{
	int err;

	hand_kp.symbol_name = "hand_warns";
	hand_kp.pre_handler = hand_quiet_pre;
	err = register_kprobe(&hand_kp);
	return err ? err : hand_warns(1);
}

/* the guest traces all functions */
static int hand_all(void)
{
	return hand_faults(1);
}

#ifdef CONFIG_X86
static int hand_in_slot(void)
{
	static const unsigned char nop[] = { 0x0f, 0x1f, 0x80, 0x78, 0x56, 0x34, 0x12 };
	const unsigned char *text = (void *)hand_slot;
	int err;

	while (memcmp(text, nop, sizeof(nop)))
		text++;
	hand_kp.symbol_name = "hand_slot";
	hand_kp.offset = text + sizeof(nop) - (const unsigned char *)hand_slot;
	hand_kp.pre_handler = hand_quiet_pre;
	err = register_kprobe(&hand_kp);
	return err ? err : hand_slot(NULL);
}
#endif

/* ---- other kinds ---- */

static void notrace hand_quiet_callback(unsigned long ip, unsigned long parent,
					struct ftrace_ops *ops, struct hand_regs *regs)
{
}

static void notrace hand_fault_callback(unsigned long ip, unsigned long parent,
					struct ftrace_ops *ops, struct hand_regs *regs)
{
	*hand_nothing = 1;
}

static struct ftrace_ops hand_quiet_ops = { .func = hand_quiet_callback };
static struct ftrace_ops hand_fault_ops = { .func = hand_fault_callback };

static int hand_filter(struct ftrace_ops *ops)
{
	int err = ftrace_set_filter(ops, "hand_hooked", strlen("hand_hooked"), 1);

	return err ? err : register_ftrace_function(ops);
}

/* one of two callbacks on the function */
static int hand_pair(void)
{
	int err = hand_filter(&hand_quiet_ops);

	if (!err)
		err = hand_filter(&hand_fault_ops);
	return err ? err : hand_hooked(1);
}

static int hand_watched;

static void hand_watch_handler(struct perf_event *event, struct perf_sample_data *data,
			       struct pt_regs *regs)
{
	*hand_nothing = 1;
}

static int hand_watch(void)
{
	struct perf_event_attr attr;
	struct perf_event *__percpu *events;

	hw_breakpoint_init(&attr);
	attr.bp_addr = (unsigned long)&hand_watched;
	attr.bp_len = HW_BREAKPOINT_LEN_4;
	attr.bp_type = HW_BREAKPOINT_W;
	events = register_wide_hw_breakpoint(&attr, hand_watch_handler, NULL);
	if (IS_ERR((void __force *)events))
		return PTR_ERR((void __force *)events);
	WRITE_ONCE(hand_watched, 1);
	return 0;
}

static void hand_tracepoint(void *data, struct task_struct *parent, struct task_struct *child)
{
	*hand_nothing = 1;
}

static void hand_find(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "sched_process_fork"))
		tracepoint_probe_register(tp, hand_tracepoint, NULL);
}

static int hand_traced(void)
{
	for_each_kernel_tracepoint(hand_find, NULL);
	return 0;
}

/* on the program that the guest runs next */
static unsigned long offset;
module_param(offset, ulong, 0600);

/* Linux da09a9e0c3ea ("uprobe: Add data pointer to consumer handlers") (v6.13) */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static int hand_user(struct uprobe_consumer *self, struct pt_regs *regs)
#else
static int hand_user(struct uprobe_consumer *self, struct pt_regs *regs, __u64 *data)
#endif
{
	return *hand_nothing;
}

static struct uprobe_consumer hand_consumer = { .handler = hand_user };

static int hand_uprobe(void)
{
	struct path path;
	int err = kern_path("/bin/busybox", LOOKUP_FOLLOW, &path);

	if (err)
		return err;
/* Linux 3c83a9ad0295 ("uprobes: make uprobe_register() return struct uprobe *") (v6.12) */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
	return uprobe_register(d_inode(path.dentry), offset, &hand_consumer);
#else
	return PTR_ERR_OR_ZERO(uprobe_register(d_inode(path.dentry), offset, 0, &hand_consumer));
#endif
}

static const struct lab_scenario scenarios[] = {
	{ "wild", hand_wild },		{ "deep", hand_deep },	   { "above", hand_above },
	{ "returned", hand_returned },	{ "under", hand_under },   { "warned", hand_warned },
	{ "pair", hand_pair },		{ "watch", hand_watch },
#ifdef CONFIG_X86
	{ "slot", hand_in_slot },
#endif
	{ "tracepoint", hand_traced },	{ "uprobe", hand_uprobe }, { "traced", hand_all },
};

LAB_MODULE(scenarios, "crashes in and beside handlers");
