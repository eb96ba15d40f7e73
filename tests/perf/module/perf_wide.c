// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf_wide: what perf has in a kernel but no program can request.
 *
 * A module's hardware breakpoint, on all cpus, that is hit three times. A task
 * named "sampler-stuck" that never gets out of the callchain that perf takes of
 * it: what is in its buffer by then goes to the kernel log, and stuck becomes 1.
 * An event source with an AUX area, "perf_wide", that fills WIDE_AUX bytes of it
 * each time it is switched on.
 */
#include <linux/hw_breakpoint.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/slab.h>

#define WIDE_AUX 1000

/* ---- the breakpoint ---- */

#ifdef CONFIG_HAVE_HW_BREAKPOINT
static struct perf_event *__percpu *wide;
static u32 wide_watched;
static u32 wide_hits;

static void wide_handler(struct perf_event *event, struct perf_sample_data *data,
			 struct pt_regs *regs)
{
	wide_hits++;
	/* before the write: nothing steps over a breakpoint that has a handler */
	if (IS_ENABLED(CONFIG_ARM64))
		instruction_pointer_set(regs, instruction_pointer(regs) + 4);
}

static int set_breakpoint(void)
{
	struct perf_event_attr attr;
	unsigned int i;

	hw_breakpoint_init(&attr);
	attr.bp_addr = (unsigned long)&wide_watched;
	attr.bp_len = HW_BREAKPOINT_LEN_4;
	attr.bp_type = HW_BREAKPOINT_W;
	wide = register_wide_hw_breakpoint(&attr, wide_handler, NULL);
	if (IS_ERR((void *)(unsigned long)wide))
		return PTR_ERR((void *)(unsigned long)wide);
	for (i = 1; i <= 3; i++)
		WRITE_ONCE(wide_watched, i);
	pr_info("perf_wide: %px watched, %u hits\n", &wide_watched, wide_hits);
	return 0;
}
#else
static int set_breakpoint(void)
{
	return 0;
}
#endif

/* ---- the callchain that does not end ---- */

static int stuck;
module_param(stuck, int, 0444);

/* powerpc offers no accessor for the arguments */
static void *first_argument(struct pt_regs *regs)
{
#ifdef CONFIG_PPC64
	return (void *)regs->gpr[3];
#else
	return (void *)regs_get_kernel_argument(regs, 0);
#endif
}

static int stay(struct kprobe *p, struct pt_regs *regs)
{
	struct perf_callchain_entry_ctx *ctx = first_argument(regs);
	u64 i;

	if (strcmp(current->comm, "sampler-stuck"))
		return 0;
	pr_info("perf_wide: taking %px on %d of %d:", ctx->entry, smp_processor_id(), current->pid);
	for (i = 0; i < ctx->entry->nr; i++)
		pr_cont(" %llx", ctx->entry->ip[i]);
	pr_cont(" end\n");
	/* the other cpus go on, and wait for this one to answer */
	local_irq_enable();
	WRITE_ONCE(stuck, 1);
	while (READ_ONCE(stuck))
		cpu_relax();
	return 0;
}

static struct kprobe in_callchain = { .symbol_name = "perf_callchain_user", .pre_handler = stay };

/* ---- the AUX area ---- */

static struct perf_output_handle wide_handle;

static int aux_init(struct perf_event *event)
{
	return event->attr.type == event->pmu->type ? 0 : -ENOENT;
}

static int aux_add(struct perf_event *event, int flags)
{
	if (perf_aux_output_begin(&wide_handle, event))
		perf_aux_output_end(&wide_handle, WIDE_AUX);
	return 0;
}

static void aux_nothing(struct perf_event *event, int flags)
{
}

static void aux_read(struct perf_event *event)
{
}

static void *aux_setup(struct perf_event *event, void **pages, int nr_pages, bool overwrite)
{
	return kzalloc(8, GFP_KERNEL);
}

static void aux_free(void *aux)
{
	kfree(aux);
}

static struct pmu wide_pmu = {
	.module = THIS_MODULE,
	.capabilities = PERF_PMU_CAP_EXCLUSIVE,
	.task_ctx_nr = perf_invalid_context,
	.event_init = aux_init,
	.add = aux_add,
	.del = aux_nothing,
	.start = aux_nothing,
	.stop = aux_nothing,
	.read = aux_read,
	.setup_aux = aux_setup,
	.free_aux = aux_free,
};

static int __init wide_init(void)
{
	int err = set_breakpoint();

	/* an emulated processor may have none */
	if (err)
		pr_info("perf_wide: breakpoint %d\n", err);
	err = perf_pmu_register(&wide_pmu, "perf_wide", -1);
	pr_info("perf_wide: AUX %d\n", err);
	err = register_kprobe(&in_callchain);
	pr_info("perf_wide: kprobe %d\n", err);
	return 0;
}

/* the module stays, since a task is stuck in it */
module_init(wide_init);
MODULE_DESCRIPTION("A hardware breakpoint on all cpus, a callchain without end, an AUX area");
MODULE_LICENSE("GPL");
