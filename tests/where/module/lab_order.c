// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lab_order: hooks a function, vfs_fadvise(), in every way that a module can, calls
 * it once when "run" is written, and reports through "log" which handler ran when:
 *
 *	NANOSECONDS NAME
 *
 * Other files in this folder include this one for another FUNCTION, whose first
 * parameter is a struct file as well; with NO_MIDDLE nothing after the entry is
 * probed, with REPLACED the function is live-patched.
 *
 * The clock is that of bpf_ktime_get_ns() in BPF programs, so that their times
 * can be merged with these.
 */
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/version.h>
#if IS_ENABLED(CONFIG_FPROBE)
#include <linux/fprobe.h>
#endif

#if defined(REPLACED) && IS_ENABLED(CONFIG_LIVEPATCH)
#define REPLACES
#include <linux/livepatch.h>
#endif

#ifndef FUNCTION
#define FUNCTION "vfs_fadvise"
#endif
#define ROOM 64

static struct {
	u64 ns;
	const char *name;
} order_log[ROOM];
static unsigned int order_nr;
static bool order_on;

static notrace void order_note(const char *name)
{
	if (!READ_ONCE(order_on) || order_nr >= ROOM)
		return;
	order_log[order_nr].name = name;
	order_log[order_nr++].ns = ktime_get_mono_fast_ns();
}

/* ---- kprobes: several at the entry, several further in ---- */

#define PRE(n)                                                       \
	static int order_##n(struct kprobe *p, struct pt_regs *regs) \
	{                                                            \
		order_note("order_" #n);                             \
		return 0;                                            \
	}

#define POST(n)                                                                            \
	static void order_##n(struct kprobe *p, struct pt_regs *regs, unsigned long flags) \
	{                                                                                  \
		order_note("order_" #n);                                                   \
	}

PRE(entry_a)
PRE(entry_b)
static struct kprobe order_kp_entry_a = { .symbol_name = FUNCTION, .pre_handler = order_entry_a };
static struct kprobe order_kp_entry_b = { .symbol_name = FUNCTION, .pre_handler = order_entry_b };

#ifndef NO_MIDDLE
PRE(mid_a)
PRE(mid_b)
PRE(late)
POST(mid_a_post)
POST(mid_b_post)

static struct kprobe order_kp_mid_a = {
	.symbol_name = FUNCTION,
	.pre_handler = order_mid_a,
	.post_handler = order_mid_a_post,
};
static struct kprobe order_kp_mid_b = {
	.symbol_name = FUNCTION,
	.pre_handler = order_mid_b,
	.post_handler = order_mid_b_post,
};
static struct kprobe order_kp_late = { .symbol_name = FUNCTION, .pre_handler = order_late };
#endif

/* ---- kretprobes ---- */

#define RET(n)                                                                    \
	static int order_##n(struct kretprobe_instance *ri, struct pt_regs *regs) \
	{                                                                         \
		order_note("order_" #n);                                          \
		return 0;                                                         \
	}

RET(ret_a_entry)
RET(ret_a)
RET(ret_b)

static struct kretprobe order_rp_a = {
	.kp.symbol_name = FUNCTION,
	.entry_handler = order_ret_a_entry,
	.handler = order_ret_a,
	.maxactive = 4,
};
static struct kretprobe order_rp_b = {
	.kp.symbol_name = FUNCTION,
	.handler = order_ret_b,
	.maxactive = 4,
};

/* ---- ftrace_ops ---- */

/* Linux d19ad0775dcd ("ftrace: Have the callbacks receive a struct ftrace_regs instead of pt_regs") (v5.11) */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
#define order_regs pt_regs
#else
#define order_regs ftrace_regs
#endif

#define OPS(n)                                                                         \
	static void notrace order_##n(unsigned long ip, unsigned long parent,          \
				      struct ftrace_ops *ops, struct order_regs *regs) \
	{                                                                              \
		order_note("order_" #n);                                               \
	}                                                                              \
	static struct ftrace_ops order_ops_##n = { .func = order_##n };

OPS(ftrace_a)
OPS(ftrace_b)

/* ---- fprobes: their handlers' parameters changed often, and nobody looks at them here ---- */

#if IS_ENABLED(CONFIG_FPROBE)
#define FPROBE(n)                        \
	static int order_##n(void)       \
	{                                \
		order_note("order_" #n); \
		return 0;                \
	}

FPROBE(fprobe_a)
FPROBE(fprobe_a_exit)
FPROBE(fprobe_b)
FPROBE(fprobe_b_exit)
FPROBE(fprobe_c)
FPROBE(fprobe_d)

static struct fprobe order_fp_a = {
	.entry_handler = (void *)order_fprobe_a,
	.exit_handler = (void *)order_fprobe_a_exit,
};
static struct fprobe order_fp_b = {
	.entry_handler = (void *)order_fprobe_b,
	.exit_handler = (void *)order_fprobe_b_exit,
};
static struct fprobe order_fp_c = { .entry_handler = (void *)order_fprobe_c };
static struct fprobe order_fp_d = { .entry_handler = (void *)order_fprobe_d };

static int order_fprobe(struct fprobe *fp)
{
	return register_fprobe(fp, FUNCTION, NULL);
}

static void order_unfprobe(void)
{
	unregister_fprobe(&order_fp_d);
	unregister_fprobe(&order_fp_c);
	unregister_fprobe(&order_fp_b);
	unregister_fprobe(&order_fp_a);
}
#else
#define order_fprobe(fp) 0
static void order_unfprobe(void)
{
}
#endif

/* ---- function graph: told by probes on its functions ---- */

static unsigned long order_ip;

static void order_graph(const char *name, struct pt_regs *regs)
{
	/* struct ftrace_graph_ent and _ret begin with the function's address */
	unsigned long func = *(unsigned long *)regs_get_kernel_argument(regs, 0);

	if (func - order_ip < 16)
		order_note(name);
}

static int order_graph_entry(struct kprobe *p, struct pt_regs *regs)
{
	order_graph("trace_graph_entry", regs);
	return 0;
}

static int order_graph_return(struct kprobe *p, struct pt_regs *regs)
{
	order_graph("trace_graph_return", regs);
	return 0;
}

static struct kprobe order_kp_graph_entry = {
	.symbol_name = "trace_graph_entry",
	.pre_handler = order_graph_entry,
};
static struct kprobe order_kp_graph_return = {
	.symbol_name = "trace_graph_return",
	.pre_handler = order_graph_return,
};

/* ---- run, and tell ---- */

static int order_run(const char *val, const struct kernel_param *kp)
{
	long (*function)(struct file * file, u64 a, u64 b, u64 c) = (void *)order_ip;
	struct file *file;

	if (!order_ip)
		return -ENOENT;
	file = filp_open("/", O_RDONLY, 0);
	if (IS_ERR(file))
		return PTR_ERR(file);
	order_nr = 0;
	WRITE_ONCE(order_on, true);
	function(file, 0, 0, 0);
	WRITE_ONCE(order_on, false);
	filp_close(file, NULL);
	return 0;
}

static int order_tell(char *buffer, const struct kernel_param *kp)
{
	unsigned int i;
	int n = 0;

	for (i = 0; i < order_nr; i++)
		n += scnprintf(buffer + n, PAGE_SIZE - n, "%llu %s\n", order_log[i].ns,
			       order_log[i].name);
	return n;
}

static const struct kernel_param_ops order_run_ops = { .set = order_run };
static const struct kernel_param_ops order_log_ops = { .get = order_tell };
module_param_cb(run, &order_run_ops, NULL, 0200);
module_param_cb(log, &order_log_ops, NULL, 0400);

#ifndef NO_MIDDLE
/* at the first instruction after @from that accepts a probe */
static int order_probe_behind(struct kprobe *p, unsigned int from)
{
	unsigned int at;
	int err = -EINVAL;

	for (at = from; at < from + 16 && err; at++) {
		p->offset = at;
		p->addr = NULL;
		p->flags = 0;
		err = register_kprobe(p);
	}
	return err;
}

static int order_middle(void)
{
	int err = order_probe_behind(&order_kp_mid_a, 10);

	order_kp_mid_b.offset = order_kp_mid_a.offset;
	if (!err)
		err = register_kprobe(&order_kp_mid_b);
	return err ? err : order_probe_behind(&order_kp_late, order_kp_mid_a.offset + 1);
}

static void order_unmiddle(void)
{
	unregister_kprobe(&order_kp_late);
	unregister_kprobe(&order_kp_mid_b);
	unregister_kprobe(&order_kp_mid_a);
}
#else
#define order_middle() 0
static void order_unmiddle(void)
{
}
#endif

static int order_fops(struct ftrace_ops *ops)
{
	int err = ftrace_set_filter(ops, (unsigned char *)FUNCTION, strlen(FUNCTION), 0);

	return err ? err : register_ftrace_function(ops);
}

/* ---- a live patch ---- */

#ifdef REPLACES
static long order_new(struct file *file, u64 a, u64 b, u64 c)
{
	order_note("order_new");
	return a;
}

static struct klp_func order_funcs[] = { { .old_name = FUNCTION, .new_func = order_new }, {} };
static struct klp_object order_objects[] = { { .funcs = order_funcs }, {} };
static struct klp_patch order_patch = { .mod = THIS_MODULE, .objs = order_objects };

static int order_replace(void)
{
	return klp_enable_patch(&order_patch);
}

MODULE_INFO(livepatch, "Y");
#else
#define order_replace() 0
#endif

#define TRY(call)                                                    \
	do {                                                         \
		int err_ = (call);                                   \
		if (err_)                                            \
			pr_info("lab_order: " #call ": %d\n", err_); \
	} while (0)

static int __init order_init(void)
{
	TRY(order_fops(&order_ops_ftrace_a));
	TRY(register_kprobe(&order_kp_entry_a));
	TRY(order_fprobe(&order_fp_a));
	TRY(order_fprobe(&order_fp_c));
	TRY(register_kretprobe(&order_rp_a));
	TRY(order_fops(&order_ops_ftrace_b));
	TRY(order_fprobe(&order_fp_d));
	TRY(order_fprobe(&order_fp_b));
	TRY(register_kprobe(&order_kp_entry_b));
	TRY(register_kretprobe(&order_rp_b));
	order_ip = (unsigned long)order_kp_entry_a.addr;
#ifdef CONFIG_X86
	/* the probe is after endbr64 */
	order_ip &= ~15ul;
#endif
	TRY(order_middle());
	TRY(register_kprobe(&order_kp_graph_entry));
	TRY(register_kprobe(&order_kp_graph_return));
	return order_replace();
}

static void __exit order_exit(void)
{
	unregister_kprobe(&order_kp_graph_return);
	unregister_kprobe(&order_kp_graph_entry);
	order_unmiddle();
	unregister_kretprobe(&order_rp_b);
	unregister_kprobe(&order_kp_entry_b);
	order_unfprobe();
	unregister_ftrace_function(&order_ops_ftrace_b);
	unregister_kretprobe(&order_rp_a);
	unregister_kprobe(&order_kp_entry_a);
	unregister_ftrace_function(&order_ops_ftrace_a);
}

module_init(order_init);
module_exit(order_exit);
MODULE_DESCRIPTION("hooks one function in every way, and tells the order");
MODULE_LICENSE("GPL");
