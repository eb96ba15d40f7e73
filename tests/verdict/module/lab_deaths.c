// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lab_deaths.c - ways in which a driver without hooks brings a kernel down: the word
 * written to "go" says which. Hooks elsewhere have nothing to do with any.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/rwsem.h>
#include <linux/semaphore.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/version.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "lab_order.h"
#include "lab_scenarios.h"

static int *volatile death_nothing;
static volatile int death_zero;
static volatile unsigned long death_size = 256;
static const volatile int death_constant[4] = { 1, 2, 3, 4 };

/* ---- a function's own instruction ---- */

static noinline int death_bug(void)
{
	BUG();
	return 0;
}

static noinline int death_warning(void)
{
	WARN(1, "a driver asked for it\n");
	return 0;
}

static noinline int death_panic(void)
{
	panic("a driver gave up");
	return 0;
}

static noinline int death_noncanonical(void)
{
	return *(volatile int *)0x0010203040506070ul;
}

static noinline int death_rodata(void)
{
	*(volatile int *)&death_constant[1] = 7;
	return 0;
}

static noinline int death_user(void)
{
	return *(volatile int *)0x00007000dead0000ul;
}

static noinline int death_divide(void)
{
	return 7 / death_zero;
}

static noinline int death_illegal(void)
{
#ifdef CONFIG_ARM64
	asm volatile(".inst 0x00000000");
#else
	asm volatile(".byte 0x0f, 0xff, 0xc0");
#endif
	return 0;
}

static noinline int death_guard(void)
{
	volatile char *p = vmalloc(PAGE_SIZE);

	return p ? p[PAGE_SIZE + 8] : -ENOMEM;
}

static noinline int death_freed_pages(void)
{
	volatile char *p = vmalloc(PAGE_SIZE);

	vfree((void *)p);
	vm_unmap_aliases();
	return p ? p[8] : -ENOMEM;
}

/* a page table with bits that mean nothing */
static noinline int death_table(void)
{
	volatile char *p = vmalloc(PAGE_SIZE);
	unsigned long addr = (unsigned long)p;
	pmd_t *pmd;

	if (!p)
		return -ENOMEM;
	pmd = pmd_offset(pud_offset(p4d_offset(pgd_offset(current->mm, addr), addr), addr), addr);
#ifdef CONFIG_ARM64
	*pte_offset_kernel(pmd, addr) = __pte(0x00ffff000000ff03ul);
#else
	*pte_offset_kernel(pmd, addr) = __pte(1ul << 51 | 0x63);
#endif
	return p[8];
}

/* ---- calls to nowhere ---- */

static noinline int death_call(unsigned long to)
{
	int (*volatile f)(void) = (int (*)(void))to;

	return f() + 1;
}

static int death_call_null(void)
{
	return death_call(0);
}

static int death_call_data(void)
{
	return death_call((unsigned long)&death_size);
}

static int death_call_wild(void)
{
	return death_call(0x1020304050607080ul);
}

/* ---- what the kernel itself finds ---- */

static noinline int death_list(void)
{
	LIST_HEAD(head);
	struct list_head *one = kzalloc(sizeof(*one), GFP_KERNEL);

	if (!one)
		return -ENOMEM;
	list_add(one, &head);
	one->prev = one;
	list_del(one);
	return 0;
}

struct death_object {
	struct death_object *next;
	int (*call)(void);
	char room[48];
};

static noinline int death_use_after_free(void)
{
	struct death_object *volatile p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return -ENOMEM;
	p->next = p;
	p->call = death_bug;
	kfree(p);
	/* what a poisoning allocator does */
	memset((void *)p, 0x6b, sizeof(*p));
	return p->next->call();
}

static noinline int death_double_free(void)
{
	void *p = kmalloc(192, GFP_KERNEL);

	kfree(p);
	kfree(p);
	return 0;
}

static noinline int death_stack(void)
{
	char room[32];

	volatile char *p = room;
	unsigned long i;

	for (i = 0; i < death_size / 2; i++)
		p[i] = 0x5a;
	return room[3];
}

/* a copy that is longer than its target, which the compiler knows */
static noinline int death_fortify(void)
{
	struct death_object o;

	memset(o.room, 0, death_size);
	barrier_data(&o);
	return o.room[3];
}

static noinline int death_refcount(void)
{
	refcount_t r = REFCOUNT_INIT(0);

	refcount_inc(&r);
	return 0;
}

static noinline int death_sleep_atomic(void)
{
	preempt_disable();
	msleep(10);
	preempt_enable();
	return 0;
}

/* ---- out of reach of the caller: interrupts, workers, threads ---- */

static int death_fault(void)
{
	barrier();
	return *(volatile int *)death_nothing + 1;
}

static void death_work_function(struct work_struct *unused)
{
	death_fault();
}
static DECLARE_WORK(death_work, death_work_function);

static int death_worker(void)
{
	schedule_work(&death_work);
	return 0;
}

static void death_rcu_function(struct rcu_head *unused)
{
	death_fault();
}
static struct rcu_head death_rcu;

static int death_callback(void)
{
	call_rcu(&death_rcu, death_rcu_function);
	return 0;
}

static enum hrtimer_restart death_hrtimer_function(struct hrtimer *unused)
{
	death_fault();
	return HRTIMER_NORESTART;
}
static struct hrtimer death_hrtimer;

static int death_timer(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
	hrtimer_setup(&death_hrtimer, death_hrtimer_function, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
#else
	hrtimer_init(&death_hrtimer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	death_hrtimer.function = death_hrtimer_function;
#endif
	hrtimer_start(&death_hrtimer, ms_to_ktime(100), HRTIMER_MODE_REL);
	return 0;
}

static int death_thread_function(void *unused)
{
	return death_fault();
}

static int death_thread(void)
{
	lab_start(death_thread_function, NULL, 1, "death_thread");
	return 0;
}

static void death_other_cpu(void *unused)
{
	death_fault();
}

static int death_smp(void)
{
	return smp_call_function_single(1, death_other_cpu, NULL, 1);
}

/* ---- tasks and cpus that do not go on ---- */

static DECLARE_COMPLETION(death_never);
static struct semaphore death_semaphore;
static DECLARE_RWSEM(death_rwsem);
static DEFINE_RAW_SPINLOCK(death_lock);

static int death_complete_thread(void *unused)
{
	wait_for_completion(&death_never);
	return 0;
}

static int death_completion(void)
{
	lab_start(death_complete_thread, NULL, 1, "death_waiter");
	return 0;
}

static int death_down_thread(void *unused)
{
	sema_init(&death_semaphore, 0);
	down(&death_semaphore);
	return 0;
}

static int death_down(void)
{
	lab_start(death_down_thread, NULL, 1, "death_downer");
	return 0;
}

static int death_read_thread(void *unused)
{
	down_write(&death_rwsem);
	down_read(&death_rwsem);
	return 0;
}

static int death_read(void)
{
	lab_start(death_read_thread, NULL, 1, "death_reader");
	return 0;
}

static int death_spin_thread(void *unused)
{
	raw_spin_lock(&death_lock);
	raw_spin_lock(&death_lock);
	return 0;
}

static int death_spin(void)
{
	lab_start(death_spin_thread, NULL, 1, "death_spinner");
	return 0;
}

static int death_irqs_thread(void *unused)
{
	local_irq_disable();
	while (!death_zero)
		cpu_relax();
	return 0;
}

static int death_irqs(void)
{
	lab_start(death_irqs_thread, NULL, 1, "death_masker");
	return 0;
}

static const struct lab_scenario scenarios[] = {
	{ "bug", death_bug },
	{ "warning", death_warning },
	{ "panic", death_panic },
	{ "noncanonical", death_noncanonical },
	{ "rodata", death_rodata },
	{ "user", death_user },
	{ "divide", death_divide },
	{ "illegal", death_illegal },
	{ "guard", death_guard },
	{ "unmapped", death_freed_pages },
	{ "table", death_table },
	{ "call-null", death_call_null },
	{ "call-data", death_call_data },
	{ "call-wild", death_call_wild },
	{ "list", death_list },
	{ "use-after-free", death_use_after_free },
	{ "double-free", death_double_free },
	{ "stack", death_stack },
	{ "fortify", death_fortify },
	{ "refcount", death_refcount },
	{ "sleep-atomic", death_sleep_atomic },
	{ "worker", death_worker },
	{ "rcu", death_callback },
	{ "hrtimer", death_timer },
	{ "thread", death_thread },
	{ "smp", death_smp },
	{ "completion", death_completion },
	{ "semaphore", death_down },
	{ "rwsem", death_read },
	{ "spin", death_spin },
	{ "irqs", death_irqs },
};

LAB_MODULE(scenarios, "deaths of a driver without hooks");
