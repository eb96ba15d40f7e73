// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * otst_tracer: writes into the trace what only kernel code can write:
 * trace_printk() in its three record types, and events of a module.
 *
 *   echo N >/sys/module/otst_tracer/parameters/go
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>

#define CREATE_TRACE_POINTS
#include "tracer_events.h"

/* Not constant: such formats and strings are copied into the record. */
static char changing[] = "this format changes: %d %s\n";

static void print_all(int n)
{
	u64 wide = 0xfedcba9876543210ULL + n;
	u8 bytes[8] = { 1, 2, 3, 4, n, 6, 7, 255 };

	trace_printk("numbers %d %u %x %#x %5d|%-5d|%05d %hhd %hd %ld %llu %lx\n", n, n, n, n, n, n,
		     n, (char)n, (short)n, (long)n, wide, (long)wide);
	trace_printk("strings %s %10s|%-10s|%.3s|%*s|%c%c\n", "plain", "right", "left", "cut off",
		     n % 9, "wide", 'x', 'y');
	trace_printk("pointers %ps %pS %p %px\n", print_all, print_all, changing, changing);
	trace_printk("rendered %*ph %pM %pU %pI4\n", 8, bytes, bytes, bytes, bytes);
	trace_printk("no newline at the end %d", n);
	trace_printk("a constant without arguments\n");
	trace_puts("put as it is\n");
	trace_puts(changing);
	__trace_printk(_THIS_IP_, changing, n, "argument");
}

static int go_set(const char *val, const struct kernel_param *kp)
{
	int rounds, n;
	int err = kstrtoint(val, 0, &rounds);

	if (err)
		return err;
	for (n = 0; n < rounds; n++) {
		print_all(n);
		trace_tracer_fields(n, n & 1 ? "odd text" : "");
		trace_tracer_mask(n);
		trace_tracer_pointer(go_set);
		trace_tracer_plain(n);
		trace_tracer_other(n);
	}
	return 0;
}

static const struct kernel_param_ops go_ops = { .set = go_set };
module_param_cb(go, &go_ops, NULL, 0200);
MODULE_PARM_DESC(go, "write so many rounds into the trace");

static int __init tracer_init(void)
{
	trace_printk("from a function that is gone afterwards\n");
	return 0;
}

static void __exit tracer_exit(void)
{
}

module_init(tracer_init);
module_exit(tracer_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("writes into the trace");
