// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * otst_lab: arm every kind of probe that a module can arm.
 *
 * Each probe is a static with a telling name, so that a test can ask for it
 * by symbol. What cannot be armed on a kernel is reported in the kernel log
 * ("otst_lab: NAME: error N") and left out.
 *
 * /proc/otst_lab takes one command a line:
 *   hit            run every probed function of this module three times
 *   want N         stop the following three after N kprobes in all
 *   entry ADDR     kprobe at the function at this hexadecimal address
 *   mid ADDR       kprobe after its call to ftrace: the kernel optimises it
 *   int3 ADDR      the same with a post handler: never optimised
 *   queue          arm one more kprobe and keep it from being optimised: it
 *                  stays on the kernel's optimizing_list (15 seconds); a task
 *                  spins meanwhile, on kernels without an optimiser as well
 * and says, when read, how many kprobes they have armed.
 */
#define pr_fmt(fmt) "otst_lab: " fmt

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/version.h>
#if IS_ENABLED(CONFIG_FPROBE)
#include <linux/fprobe.h>
#endif

/* ---- functions to probe ------------------------------------------------ */

/*
 * Straight code, long enough for probes in its middle: no loop and no jump,
 * so that the kernel finds no jump target in the bytes it wants to replace.
 * volatile keeps one instruction after the other.
 */
#define LAB_STEPS(v)							\
	do {								\
		(v) += 0x1234567; (v) ^= 0x7654321; (v) += 0x1111111;	\
		(v) ^= 0x2222222; (v) += 0x3333333; (v) ^= 0x4444444;	\
		(v) += 0x5555555; (v) ^= 0x6666666; (v) += 0x7777777;	\
	} while (0)

/* The compiler would fold identical functions into one. */
#define LAB_UNLIKE_OTHERS(name) asm volatile("# " #name)

#define LAB_FUNCTION(name)						\
noinline unsigned long name(unsigned long x);				\
noinline unsigned long name(unsigned long x)				\
{									\
	volatile unsigned long v = x;					\
									\
	LAB_UNLIKE_OTHERS(name);					\
	LAB_STEPS(v);							\
	return v;							\
}

LAB_FUNCTION(lab_entry)
LAB_FUNCTION(lab_entry_post)
LAB_FUNCTION(lab_two)
LAB_FUNCTION(lab_two_mid)
LAB_FUNCTION(lab_child)
LAB_FUNCTION(lab_opt)
LAB_FUNCTION(lab_int3)
LAB_FUNCTION(lab_disabled)
LAB_FUNCTION(lab_disabled_later)
LAB_FUNCTION(lab_queued)
LAB_FUNCTION(lab_ret)
LAB_FUNCTION(lab_ret_skip)
LAB_FUNCTION(lab_traced_one)
LAB_FUNCTION(lab_traced_two)
LAB_FUNCTION(lab_traced_three)
LAB_FUNCTION(lab_fprobed)
LAB_FUNCTION(lab_event)		/* for kprobe_events, by the init script */
LAB_FUNCTION(lab_held)		/* only by the thread that spins */

static unsigned long (*const lab_functions[])(unsigned long) = {
	lab_entry, lab_entry_post, lab_two, lab_two_mid, lab_child, lab_opt,
	lab_int3, lab_disabled, lab_disabled_later, lab_queued, lab_ret,
	lab_ret_skip, lab_traced_one, lab_traced_two, lab_traced_three,
	lab_fprobed, lab_event,
};

static DECLARE_COMPLETION(lab_wake);

/* Two functions in which kernel threads sleep until the module goes. */
#define LAB_SLEEPER(name)						\
noinline int name(unsigned long arg);					\
noinline int name(unsigned long arg)					\
{									\
	LAB_UNLIKE_OTHERS(name);					\
	wait_for_completion_interruptible(&lab_wake);			\
	return (int)arg;						\
}

LAB_SLEEPER(lab_sleep)
LAB_SLEEPER(lab_sleep_short)

/* ---- kprobes ------------------------------------------------------------ */

static int lab_pre(struct kprobe *p, struct pt_regs *regs)
{
	return 0;
}

static void lab_post(struct kprobe *p, struct pt_regs *regs,
		     unsigned long flags)
{
}

/* At function entries: the kernel turns these into ftrace-based probes. */
static struct kprobe lab_kp_entry = {
	.symbol_name = "lab_entry", .pre_handler = lab_pre,
};
static struct kprobe lab_kp_entry_post = {
	.symbol_name = "lab_entry_post", .pre_handler = lab_pre,
	.post_handler = lab_post,
};
static struct kprobe lab_kp_vmlinux = {
	.symbol_name = "do_nanosleep", .pre_handler = lab_pre,
};
/* Two users of one address: an aggregate with two children. */
static struct kprobe lab_kp_two_a = {
	.symbol_name = "lab_two", .pre_handler = lab_pre,
};
static struct kprobe lab_kp_two_b = {
	.symbol_name = "lab_two", .pre_handler = lab_pre,
	.post_handler = lab_post,
};
/* The same, one of the two disabled. */
static struct kprobe lab_kp_child_on = {
	.symbol_name = "lab_child", .pre_handler = lab_pre,
};
static struct kprobe lab_kp_child_off = {
	.symbol_name = "lab_child", .pre_handler = lab_pre,
	.flags = KPROBE_FLAG_DISABLED,
};
/* In mid-function; the offset is found when it is armed. */
static struct kprobe lab_kp_opt = {
	.symbol_name = "lab_opt", .pre_handler = lab_pre,
};
static struct kprobe lab_kp_opt_vmlinux = {
	.symbol_name = "do_nanosleep", .pre_handler = lab_pre,
};
static struct kprobe lab_kp_two_mid_a = {
	.symbol_name = "lab_two_mid", .pre_handler = lab_pre,
};
static struct kprobe lab_kp_two_mid_b = {
	.symbol_name = "lab_two_mid", .pre_handler = lab_pre,
};
static struct kprobe lab_kp_int3 = {
	.symbol_name = "lab_int3", .pre_handler = lab_pre,
	.post_handler = lab_post,
};
static struct kprobe lab_kp_int3_vmlinux = {
	.symbol_name = "hrtimer_nanosleep", .pre_handler = lab_pre,
	.post_handler = lab_post,
};
static struct kprobe lab_kp_queued = {
	.symbol_name = "lab_queued", .pre_handler = lab_pre,
};
/* Disabled: when registered, and later. */
static struct kprobe lab_kp_disabled = {
	.symbol_name = "lab_disabled", .pre_handler = lab_pre,
	.flags = KPROBE_FLAG_DISABLED,
};
static struct kprobe lab_kp_disabled_later = {
	.symbol_name = "lab_disabled_later", .pre_handler = lab_pre,
};
/* On text that will be freed: see lab_module_event. */
static struct kprobe lab_kp_gone = {
	.symbol_name = "lab_victim_func", .pre_handler = lab_pre,
};
static struct kprobe lab_kp_init_gone = {
	.symbol_name = "lab_victim_init_text", .pre_handler = lab_pre,
};

static bool lab_spinning;

/* For 15 seconds, or until the module goes. */
static void lab_spin_here(void)
{
	unsigned long end = jiffies + 15 * HZ;

	WRITE_ONCE(lab_spinning, true);
	while (!kthread_should_stop() && time_before(jiffies, end))
		cpu_relax();
}

/* Whoever looks at the machine meanwhile finds a task inside a handler. */
static int lab_held_handler(struct kprobe *p, struct pt_regs *regs)
{
	lab_spin_here();
	return 0;
}

static struct kprobe lab_kp_held = {
	.symbol_name = "lab_held", .pre_handler = lab_held_handler,
};

/* Report what could not be armed; true when it was. */
static bool lab_ok(const char *name, int err)
{
	if (err)
		pr_info("%s: error %d\n", name, err);
	return !err;
}

/* What module exit has to undo. */
static struct kprobe *lab_armed[64];
static int lab_nr_armed;

static bool lab_arm(const char *name, struct kprobe *kp)
{
	if (!lab_ok(name, register_kprobe(kp)))
		return false;
	lab_armed[lab_nr_armed++] = kp;
	return true;
}

#define LAB_ARM(kp) lab_arm(#kp, &(kp))

/*
 * A refused registration leaves traces in the record, and one that was used
 * leaves even more: begin again with the definition.
 */
static void lab_reset(struct kprobe *kp, const struct kprobe *def,
		      unsigned int offset)
{
	*kp = *def;
	kp->offset = offset;
}

/*
 * Arm kp on the first instruction at or after byte 12 of its function where
 * the kernel allows it (it refuses addresses inside an instruction), and if
 * want_opt is set, where it also prepares the jump. Such a probe hangs on an
 * aggregate from the beginning, hence the check of its list.
 */
static bool lab_arm_mid(const char *name, struct kprobe *kp, bool want_opt)
{
	struct kprobe def = *kp;
	unsigned int offset;
	int err = -EILSEQ;

	for (offset = 12; offset < 160; offset++) {
		lab_reset(kp, &def, offset);
		err = register_kprobe(kp);
		if (err)
			continue;
		if (!want_opt || !list_empty(&kp->list)) {
			lab_armed[lab_nr_armed++] = kp;
			return true;
		}
		unregister_kprobe(kp);
		err = -ENOSPC;
	}
	lab_reset(kp, &def, 0);
	return lab_ok(name, err);
}

#define LAB_ARM_MID(kp, want_opt) lab_arm_mid(#kp, &(kp), want_opt)

static void lab_arm_kprobes(void)
{
	LAB_ARM(lab_kp_entry);
	LAB_ARM(lab_kp_entry_post);
	LAB_ARM(lab_kp_vmlinux);
	LAB_ARM(lab_kp_two_a);
	LAB_ARM(lab_kp_two_b);
	LAB_ARM(lab_kp_child_on);
	LAB_ARM(lab_kp_child_off);
	LAB_ARM_MID(lab_kp_opt, true);
	LAB_ARM_MID(lab_kp_opt_vmlinux, true);
	if (LAB_ARM_MID(lab_kp_two_mid_a, true)) {
		lab_kp_two_mid_b.offset = lab_kp_two_mid_a.offset;
		LAB_ARM(lab_kp_two_mid_b);
	}
	LAB_ARM_MID(lab_kp_int3, false);
	LAB_ARM_MID(lab_kp_int3_vmlinux, false);
	LAB_ARM(lab_kp_held);
	LAB_ARM(lab_kp_disabled);
	if (LAB_ARM(lab_kp_disabled_later))
		lab_ok("disable lab_kp_disabled_later",
		       disable_kprobe(&lab_kp_disabled_later));
}

static int lab_module_event(struct notifier_block *nb, unsigned long event,
			    void *data)
{
	struct module *mod = data;

	if (event == MODULE_STATE_COMING &&
	    !strcmp(mod->name, "otst_lab_victim")) {
		LAB_ARM(lab_kp_gone);
		LAB_ARM(lab_kp_init_gone);
	}
	return NOTIFY_DONE;
}

static struct notifier_block lab_module_nb = {
	.notifier_call = lab_module_event,
};

/* ---- kretprobes --------------------------------------------------------- */

struct lab_ret_data {
	u64 magic;
	u64 arg;
	u64 jiffies;
};

static int lab_ret_handler(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return 0;
}

/* s390's regs_get_kernel_argument() calls what modules cannot; not every kernel has powerpc's */
#ifdef CONFIG_S390
#define lab_first_argument(regs) ((regs)->gprs[2])
#elif defined(CONFIG_PPC64)
#define lab_first_argument(regs) ((regs)->gpr[3])
#else
#define lab_first_argument(regs) regs_get_kernel_argument(regs, 0)
#endif

static int lab_ret_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct lab_ret_data *data = (void *)ri->data;

	data->magic = 0x6f7473745f6c6162ULL;	/* "otst_lab" */
	data->arg = lab_first_argument(regs);
	data->jiffies = get_jiffies_64();
	return 0;
}

/* Says "do not follow this call". */
static int lab_ret_entry_skip(struct kretprobe_instance *ri,
			      struct pt_regs *regs)
{
	return 1;
}

/* Five calls of it are in flight in the dump. */
static struct kretprobe lab_rp_sleep = {
	.kp.symbol_name = "lab_sleep", .handler = lab_ret_handler,
	.entry_handler = lab_ret_entry,
	.data_size = sizeof(struct lab_ret_data), .maxactive = 8,
};
/* Two instances for five calls: three are missed. */
static struct kretprobe lab_rp_short = {
	.kp.symbol_name = "lab_sleep_short", .handler = lab_ret_handler,
	.maxactive = 2,
};
static struct kretprobe lab_rp_default = {
	.kp.symbol_name = "lab_ret", .handler = lab_ret_handler,
};
static struct kretprobe lab_rp_skip = {
	.kp.symbol_name = "lab_ret_skip", .handler = lab_ret_handler,
	.entry_handler = lab_ret_entry_skip,
	.data_size = sizeof(struct lab_ret_data),
};
/* Shares its address with lab_kp_entry: an aggregate of two sorts. */
static struct kretprobe lab_rp_shared = {
	.kp.symbol_name = "lab_entry", .handler = lab_ret_handler,
	.maxactive = 4,
};
static struct kretprobe lab_rp_disabled = {
	.kp.symbol_name = "lab_disabled", .handler = lab_ret_handler,
	.kp.flags = KPROBE_FLAG_DISABLED,
};

static struct kretprobe *lab_rets[8];
static int lab_nr_rets;

static void lab_arm_ret(const char *name, struct kretprobe *rp)
{
	if (lab_ok(name, register_kretprobe(rp)))
		lab_rets[lab_nr_rets++] = rp;
}

#define LAB_ARM_RET(rp) lab_arm_ret(#rp, &(rp))

static struct task_struct *lab_threads[10];

static int lab_sleep_thread(void *arg)
{
	lab_sleep((unsigned long)arg);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ / 10);
	return 0;
}

static int lab_sleep_short_thread(void *arg)
{
	lab_sleep_short((unsigned long)arg);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ / 10);
	return 0;
}

static void lab_arm_kretprobes(void)
{
	unsigned long i;

	LAB_ARM_RET(lab_rp_sleep);
	LAB_ARM_RET(lab_rp_short);
	LAB_ARM_RET(lab_rp_default);
	LAB_ARM_RET(lab_rp_skip);
	LAB_ARM_RET(lab_rp_shared);
	LAB_ARM_RET(lab_rp_disabled);

	for (i = 0; i < ARRAY_SIZE(lab_threads); i++) {
		struct task_struct *t;

		t = kthread_run(i & 1 ? lab_sleep_short_thread :
					lab_sleep_thread,
				(void *)i, "lab_sleeper/%lu", i);
		lab_threads[i] = IS_ERR(t) ? NULL : t;
	}
}

/* ---- ftrace_ops --------------------------------------------------------- */

/* Linux d19ad0775dcd ("ftrace: Have the callbacks receive a struct
 * ftrace_regs instead of pt_regs") (v5.11)
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
#define lab_ftrace_regs pt_regs
#else
#define lab_ftrace_regs ftrace_regs
#endif

static void notrace lab_ftrace(unsigned long ip, unsigned long parent,
			       struct ftrace_ops *ops,
			       struct lab_ftrace_regs *regs)
{
}

static struct ftrace_ops lab_fops_filter = { .func = lab_ftrace };
static struct ftrace_ops lab_fops_notrace = { .func = lab_ftrace };
static struct ftrace_ops lab_fops_regs = {
	.func = lab_ftrace, .flags = FTRACE_OPS_FL_SAVE_REGS,
};
static struct ftrace_ops lab_fops_ipmodify = {
	.func = lab_ftrace,
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
};

static struct ftrace_ops *lab_fops[4];
static int lab_nr_fops;

static void lab_arm_ops(const char *name, struct ftrace_ops *ops,
			char *filter, char *filter_more, char *notrace_glob)
{
	int err;

	err = ftrace_set_filter(ops, filter, strlen(filter), 0);
	if (!err && filter_more)
		err = ftrace_set_filter(ops, filter_more, strlen(filter_more),
					0);
	if (!err && notrace_glob)
		err = ftrace_set_notrace(ops, notrace_glob,
					 strlen(notrace_glob), 0);
	if (!err)
		err = register_ftrace_function(ops);
	if (lab_ok(name, err))
		lab_fops[lab_nr_fops++] = ops;
}

static void lab_arm_ftrace(void)
{
	/* ftrace_set_filter writes into its argument. */
	static char one[] = "lab_traced_one", two[] = "lab_traced_two";
	static char three[] = "lab_traced_three", any[] = "lab_traced_*";
	static char sleepers[] = "do_nanosleep", vfs[] = "vfs_s*";
	static char vfs_not[] = "vfs_statx*";

	lab_arm_ops("lab_fops_filter", &lab_fops_filter, one, sleepers, NULL);
	lab_arm_ops("lab_fops_notrace", &lab_fops_notrace, any, vfs, vfs_not);
	lab_arm_ops("lab_fops_regs", &lab_fops_regs, two, NULL, NULL);
	lab_arm_ops("lab_fops_ipmodify", &lab_fops_ipmodify, three, NULL, NULL);
}

/* ---- fprobe ------------------------------------------------------------- */

#if IS_ENABLED(CONFIG_FPROBE)
#if defined(CONFIG_CFI_CLANG) || defined(CONFIG_CFI)
/* a call of another type ends the kernel; as of v6.5 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 14, 0)
#define ftrace_regs pt_regs
#endif
static int lab_fprobe_handler(struct fprobe *fp, unsigned long ip, unsigned long ret,
			      struct ftrace_regs *regs, void *data)
{
	return 0;
}

static void lab_fprobe_exit(struct fprobe *fp, unsigned long ip, unsigned long ret,
			    struct ftrace_regs *regs, void *data)
{
}
#undef ftrace_regs
#else
/*
 * The handlers' parameters changed in v6.4, v6.5 and v6.14; nothing here looks
 * at them, and the x86 calling convention does not mind.
 */
static int lab_fprobe_handler(void)
{
	return 0;
}
#define lab_fprobe_exit lab_fprobe_handler
#endif

static struct fprobe lab_fprobe = {
	.entry_handler = (void *)lab_fprobe_handler,
	.exit_handler = (void *)lab_fprobe_exit,
};
static bool lab_fprobe_armed;

static void lab_arm_fprobe(void)
{
	lab_fprobe_armed = lab_ok("lab_fprobe",
				  register_fprobe(&lab_fprobe, "lab_fprobed",
						  NULL));
}

static void lab_disarm_fprobe(void)
{
	if (lab_fprobe_armed)
		unregister_fprobe(&lab_fprobe);
}
#else
static void lab_arm_fprobe(void) { }
static void lab_disarm_fprobe(void) { }
#endif

/* ---- commands ----------------------------------------------------------- */

struct lab_extra {
	struct list_head list;
	struct kprobe kp;
};

static LIST_HEAD(lab_extras);
static DEFINE_MUTEX(lab_mutex);		/* lab_extras, lab_nr_extras */
static unsigned int lab_nr_extras;
static unsigned int lab_want = UINT_MAX;
static struct task_struct *lab_spinner;

static int lab_arm_extra(unsigned long addr, bool post)
{
	struct lab_extra *extra = kzalloc(sizeof(*extra), GFP_KERNEL);
	int err;

	if (!extra)
		return -ENOMEM;
	extra->kp.addr = (void *)addr;
	extra->kp.pre_handler = lab_pre;
	if (post)
		extra->kp.post_handler = lab_post;
	err = register_kprobe(&extra->kp);
	if (err) {
		kfree(extra);
		return err;
	}
	list_add_tail(&extra->list, &lab_extras);
	lab_nr_extras++;
	return 0;
}

/*
 * An instruction begins after the five bytes of the ftrace call; on kernels
 * with indirect branch tracking, after four more.
 */
static int lab_arm_extra_mid(unsigned long addr, bool post)
{
	int err = lab_arm_extra(addr + 5, post);

	return err ? lab_arm_extra(addr + 9, post) : 0;
}

static int lab_extra(const char *how, unsigned long addr)
{
	int err = -EINVAL;

	mutex_lock(&lab_mutex);
	if (lab_nr_extras >= lab_want)
		err = 0;
	else if (!strcmp(how, "entry"))
		err = lab_arm_extra(addr, false);
	else if (!strcmp(how, "mid"))
		err = lab_arm_extra_mid(addr, false);
	else if (!strcmp(how, "int3"))
		err = lab_arm_extra_mid(addr, true);
	mutex_unlock(&lab_mutex);
	return err;
}

/*
 * Before it writes a jump, the optimiser waits until every task has passed a
 * quiescent state. A task that spins inside an RCU reader keeps it waiting. The
 * task spins in the handler of a probe, or by itself if the probe was refused.
 */
static int lab_spin(void *arg)
{
	rcu_read_lock();
	lab_held(0);
	if (!READ_ONCE(lab_spinning))
		lab_spin_here();
	rcu_read_unlock();
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ / 10);
	return 0;
}

static void lab_queue(void)
{
	struct task_struct *t;

	t = kthread_create(lab_spin, NULL, "lab_spin");
	if (IS_ERR(t))
		return;
	/*
	 * The task keeps its cpu to itself, on arm64 even from interrupts: whatever
	 * waits for that cpu goes on when the task is done.
	 */
	set_cpus_allowed_ptr(current, cpumask_of(0));
	kthread_bind(t, num_online_cpus() - 1);
	lab_spinner = t;
	wake_up_process(t);
	while (!READ_ONCE(lab_spinning))
		msleep(1);
	/*
	 * Where nothing is optimised, nothing waits either: each place would be
	 * refused, and unregistering would wait until the task has ended.
	 */
	if (IS_ENABLED(CONFIG_OPTPROBES))
		LAB_ARM_MID(lab_kp_queued, true);
}

static int lab_command(char *line)
{
	unsigned long addr;
	char how[8];
	int i;

	if (!strcmp(line, "hit")) {
		for (i = 0; i < 3 * ARRAY_SIZE(lab_functions); i++)
			lab_functions[i / 3](i);
		return 0;
	}
	if (!strcmp(line, "queue")) {
		lab_queue();
		return 0;
	}
	if (sscanf(line, "want %u", &lab_want) == 1)
		return 0;
	/* Some addresses out of thousands cannot be probed: say nothing. */
	if (sscanf(line, "%7s %lx", how, &addr) == 2) {
		lab_extra(how, addr);
		return 0;
	}
	return -EINVAL;
}

/* Writers cut lines anywhere: the beginning of a line waits for its end. */
static ssize_t lab_proc_write(struct file *file, const char __user *ubuf,
			      size_t count, loff_t *ppos)
{
	static char line[64];
	static size_t len;
	char *buf = memdup_user_nul(ubuf, count);
	size_t i;

	if (IS_ERR(buf))
		return PTR_ERR(buf);
	for (i = 0; i < count; i++) {
		int err;

		if (buf[i] != '\n') {
			if (len < sizeof(line) - 1)
				line[len++] = buf[i];
			continue;
		}
		line[len] = '\0';
		len = 0;
		err = lab_command(line);
		if (err)
			pr_info("%s: error %d\n", line, err);
		cond_resched();
	}
	kfree(buf);
	return count;
}

static int lab_proc_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%u\n", lab_nr_extras);
	return 0;
}

static int lab_proc_open(struct inode *inode, struct file *file)
{
	return single_open(file, lab_proc_show, NULL);
}

/* Linux d56c0d45f0e2 ("proc: decouple proc from VFS with "struct proc_ops"") (v5.6) */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 6, 0)
static const struct file_operations lab_proc_ops = {
	.owner = THIS_MODULE,
	.open = lab_proc_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
	.write = lab_proc_write,
};
#else
static const struct proc_ops lab_proc_ops = {
	.proc_open = lab_proc_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = lab_proc_write,
};
#endif

static int __init lab_init(void)
{
	if (!proc_create("otst_lab", 0600, NULL, &lab_proc_ops))
		return -ENOMEM;
	lab_ok("module notifier", register_module_notifier(&lab_module_nb));
	lab_arm_kprobes();
	lab_arm_kretprobes();
	lab_arm_ftrace();
	lab_arm_fprobe();
	pr_info("armed\n");
	return 0;
}

static void __exit lab_exit(void)
{
	struct lab_extra *extra, *tmp;
	int i;

	remove_proc_entry("otst_lab", NULL);
	unregister_module_notifier(&lab_module_nb);
	if (lab_spinner)
		kthread_stop(lab_spinner);
	complete_all(&lab_wake);
	for (i = 0; i < ARRAY_SIZE(lab_threads); i++)
		if (lab_threads[i])
			kthread_stop(lab_threads[i]);
	lab_disarm_fprobe();
	while (lab_nr_fops)
		unregister_ftrace_function(lab_fops[--lab_nr_fops]);
	while (lab_nr_rets)
		unregister_kretprobe(lab_rets[--lab_nr_rets]);
	while (lab_nr_armed)
		unregister_kprobe(lab_armed[--lab_nr_armed]);
	list_for_each_entry_safe(extra, tmp, &lab_extras, list) {
		unregister_kprobe(&extra->kp);
		kfree(extra);
	}
}

module_init(lab_init);
module_exit(lab_exit);
MODULE_DESCRIPTION("otst lab: arms every kind of probe that a module can arm");
MODULE_LICENSE("GPL");
