// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf_wide: a hardware breakpoint of a module, on all cpus, that is hit three times.
 */
#include <linux/hw_breakpoint.h>
#include <linux/module.h>
#include <linux/perf_event.h>

static struct perf_event *__percpu *wide;
static u32 wide_watched;
static u32 wide_hits;

static void wide_handler(struct perf_event *event, struct perf_sample_data *data,
			 struct pt_regs *regs)
{
	wide_hits++;
}

static int __init wide_init(void)
{
	struct perf_event_attr attr;
	unsigned int i;

	hw_breakpoint_init(&attr);
	attr.bp_addr = (unsigned long)&wide_watched;
	attr.bp_len = HW_BREAKPOINT_LEN_4;
	attr.bp_type = HW_BREAKPOINT_W;
	wide = register_wide_hw_breakpoint(&attr, wide_handler, NULL);
	if (IS_ERR((void __force *)wide))
		return PTR_ERR((void __force *)wide);
	for (i = 1; i <= 3; i++)
		WRITE_ONCE(wide_watched, i);
	pr_info("perf_wide: %px watched, %u hits\n", &wide_watched, wide_hits);
	return 0;
}

static void __exit wide_exit(void)
{
	unregister_wide_hw_breakpoint(wide);
}

module_init(wide_init);
module_exit(wide_exit);
MODULE_DESCRIPTION("A hardware breakpoint on all cpus");
MODULE_LICENSE("GPL");
