/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * Names that not all kernels from 3.10 on have. A macro is tested for directly;
 * for functions, structures and headers Kbuild greps the kernel's headers and
 * defines OTST_HAS_*. No version is tested: vendors backport what they want.
 */
#ifndef OTST_COMPAT_H
#define OTST_COMPAT_H

#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#ifdef OTST_HAS_SCHED_CLOCK_H /* 4.11 */
#include <linux/sched/clock.h>
#include <linux/sched/task_stack.h>
#endif

#ifndef READ_ONCE /* 3.19 */
#define READ_ONCE(x)	 (*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile typeof(x) *)&(x) = (v))
#endif

#ifndef smp_store_release /* 3.14 */
#define smp_store_release(p, v)    \
	do {                       \
		smp_mb();          \
		WRITE_ONCE(*p, v); \
	} while (0)
#define smp_load_acquire(p)                    \
	({                                     \
		typeof(*p) v_ = READ_ONCE(*p); \
		smp_mb();                      \
		v_;                            \
	})
#endif

#ifndef NOKPROBE_SYMBOL /* 3.16 */
#define NOKPROBE_SYMBOL(function)
#endif

#ifndef ALIGN_DOWN /* 4.9 */
#define ALIGN_DOWN(x, a) ((x) & ~((typeof(x))(a)-1))
#endif

#ifndef sizeof_field /* 4.16 */
#define sizeof_field(type, member) sizeof(((type *)0)->member)
#endif

#ifndef OTST_HAS_COPY_FROM_KERNEL_NOFAULT /* 5.8 */
#define copy_from_kernel_nofault probe_kernel_read
#endif

/* 5.2; save_stack_trace() ends its list with one more entry */
#if defined(CONFIG_STACKTRACE) && !defined(OTST_HAS_STACK_TRACE_SAVE)
static inline unsigned int
stack_trace_save(unsigned long *entries, unsigned int size, unsigned int skip)
{
	struct stack_trace trace = {
		.entries = entries,
		.max_entries = size,
		.skip = skip,
	};

	save_stack_trace(&trace);
	if (trace.nr_entries && entries[trace.nr_entries - 1] == ULONG_MAX)
		trace.nr_entries--;
	return trace.nr_entries;
}
#endif

/* Not all kernels have strscpy(), new ones lack strlcpy(); false when cut */
static inline bool otst_copy_string(char *to, const char *from, size_t size)
{
	size_t len = strnlen(from, size);
	bool whole = len < size;

	len -= !whole;
	memcpy(to, from, len);
	to[len] = '\0';
	return whole;
}

#endif /* OTST_COMPAT_H */
