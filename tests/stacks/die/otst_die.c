// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * otst_die: panic in a chosen context, so that a dump has a stack across
 * several of the kernel's stacks and the log has the kernel's own trace of it.
 *
 *   echo MODE > /sys/module/otst_die/parameters/go
 *
 *   irq       in a hard interrupt
 *   softirq   in a timer
 *   fault     by a fault in a hard interrupt
 *   int3      in the handler of a kprobe that breaks a function, in a softirq
 *   probe     the same on the function's ftrace site
 *   ret       in the handler of a kretprobe, in a softirq
 *   db        in the handler of a hardware breakpoint, in a hard interrupt
 *   over      where the interrupts' stack ends
 *   deep      where the task's stack ends
 *   deaf      on cpu 1, while cpu 0 has interrupts masked and does not stop
 *
 * On s390x the cpus that panic() stopped store their registers in their low cores.
 */
#include <linux/delay.h>
#include <linux/hw_breakpoint.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timer.h>
#ifdef CONFIG_S390
#include <linux/cpumask.h>
#include <linux/panic_notifier.h>
#include <asm/lowcore.h>
#include <asm/sigp.h>
#endif

/* nothing is mapped there; s390x has its lowcore at 0 */
#ifdef CONFIG_S390
#define DIE_NOWHERE (-4096UL)
#else
#define DIE_NOWHERE 8UL
#endif

static char mode[16];
static struct irq_work die_work;
static struct timer_list die_timer;
static int __maybe_unused die_watched;
static struct perf_event *__percpu *die_breakpoint __maybe_unused;

noinline int die_leaf(int x);
noinline int die_leaf(int x)
{
	volatile int v = x;

	v += 0x1234567;
	v ^= 0x7654321;
	v += 0x1111111;
	return v;
}

noinline int die_deep(int x);
noinline int die_deep(int x)
{
	volatile char room[512];

	room[x & 511] = x;
	/* deeper than any stack */
	return x > 1 << 20 ? x : die_deep(x + 1) + room[x & 511];
}

noinline int die_middle(int x);
noinline int die_middle(int x)
{
	volatile int big[40];

	big[x & 31] = x;
	if (!strcmp(mode, "irq") || !strcmp(mode, "softirq"))
		panic("otst_die: %s", mode);
	if (!strcmp(mode, "fault"))
		big[1] = *(volatile int *)(DIE_NOWHERE + (unsigned long)(x & 1));
	if (!strcmp(mode, "db"))
		WRITE_ONCE(die_watched, x);
	if (!strcmp(mode, "over") || !strcmp(mode, "deep"))
		return die_deep(x) + big[x & 31];
	return die_leaf(x) + big[x & 31];
}

noinline int die_outer(int x);
noinline int die_outer(int x)
{
	int ret = die_middle(x + 1);

	return die_leaf(ret) + 1;
}

static void die_on_work(struct irq_work *w)
{
	die_outer(raw_smp_processor_id());
}

static void die_on_timer(struct timer_list *t)
{
	die_outer(raw_smp_processor_id());
}

static int die_pre(struct kprobe *p, struct pt_regs *regs)
{
	panic("otst_die: %s", mode);
	return 0;
}

static int die_ret(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	panic("otst_die: %s", mode);
	return 0;
}

static struct kprobe die_probe = { .symbol_name = "die_leaf", .pre_handler = die_pre };
static struct kretprobe die_retprobe = {
	.kp.symbol_name = "die_middle",
	.handler = die_ret,
	.maxactive = 8,
};

static void __maybe_unused die_on_breakpoint(struct perf_event *e, struct perf_sample_data *d,
			      struct pt_regs *regs)
{
	panic("otst_die: %s", mode);
}

static int set_breakpoint(void)
{
#ifdef CONFIG_HAVE_HW_BREAKPOINT
	struct perf_event_attr attr;

	hw_breakpoint_init(&attr);
	attr.bp_addr = (unsigned long)&die_watched;
	attr.bp_len = HW_BREAKPOINT_LEN_4;
	attr.bp_type = HW_BREAKPOINT_W;
	die_breakpoint = register_wide_hw_breakpoint(&attr, die_on_breakpoint, NULL);
	return PTR_ERR_OR_ZERO((void __force *)die_breakpoint);
#else
	return -EOPNOTSUPP;
#endif
}

#ifdef CONFIG_S390
/*
 * panic() has stopped the other cpus. They store their status in their low cores, as
 * smp_store_status() makes them do on the way into a capture kernel. QEMU numbers the
 * cpus as the kernel does.
 */
static int die_store(struct notifier_block *nb, unsigned long action, void *data)
{
	int cpu;

	for_each_online_cpu(cpu) {
		unsigned long area = __pa(lowcore_ptr[cpu]->floating_pt_save_area);

		if (cpu == raw_smp_processor_id())
			continue;
		while (__pcpu_sigp(cpu, SIGP_STORE_STATUS_AT_ADDRESS, area, NULL) == SIGP_CC_BUSY)
			cpu_relax();
	}
	return NOTIFY_DONE;
}

static struct notifier_block die_on_panic = { .notifier_call = die_store };

static void store_at_panic(void)
{
	atomic_notifier_chain_register(&panic_notifier_list, &die_on_panic);
}
#else
static void store_at_panic(void)
{
}
#endif

static void die_spin(void *arg)
{
	for (;;)
		cpu_relax();
}

/* On some architectures an interrupt stops the other cpus for a dump. */
static int die_deaf(void)
{
	int err = set_cpus_allowed_ptr(current, cpumask_of(1));

	if (err)
		return err;
	err = smp_call_function_single(0, die_spin, NULL, 0);
	if (err)
		return err;
	mdelay(100);
	panic("otst_die: %s", mode);
}

static int go(const char *value, const struct kernel_param *kp)
{
	int err = 0;

	strscpy(mode, value, sizeof(mode));
	mode[strcspn(mode, "\n")] = '\0';
	if (!strcmp(mode, "int3")) {
		/* past endbr and the call to ftrace */
		die_probe.offset = 16;
		while (die_probe.offset < 32) {
			err = register_kprobe(&die_probe);
			if (!err)
				break;
			die_probe.offset++;
			die_probe.addr = NULL;
		}
	} else if (!strcmp(mode, "probe")) {
		err = register_kprobe(&die_probe);
	} else if (!strcmp(mode, "ret")) {
		err = register_kretprobe(&die_retprobe);
	} else if (!strcmp(mode, "db")) {
		err = set_breakpoint();
	}
	if (err)
		return err;
	if (!strcmp(mode, "deaf"))
		return die_deaf();
	if (!strcmp(mode, "deep"))
		return die_outer(1) & 0;
	if (!strcmp(mode, "irq") || !strcmp(mode, "fault") || !strcmp(mode, "db") ||
	    !strcmp(mode, "over"))
		irq_work_queue(&die_work);
	else
		mod_timer(&die_timer, jiffies + 2);
	return 0;
}

static const struct kernel_param_ops go_ops = { .set = go };

module_param_cb(go, &go_ops, NULL, 0200);

static int __init die_init(void)
{
	init_irq_work(&die_work, die_on_work);
	timer_setup(&die_timer, die_on_timer, 0);
	store_at_panic();
	return 0;
}

module_init(die_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("otst: panic in a context of choice");
