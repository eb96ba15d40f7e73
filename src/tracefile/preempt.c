// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * preempt.c - how the kernel preempts, in the words of print_trace_header()
 * (kernel/trace/trace.c) and, in newer kernels, preempt_model_str(). The version
 * string tells how the kernel was configured: "#1 SMP PREEMPT_DYNAMIC".
 */
#include "print.h"

/* does the code at @from call @to within its first @len bytes; @otherwise if it cannot be read */
static bool calls_within(struct otst *o, uint64_t from, size_t len, uint64_t to, bool otherwise)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	unsigned char text[1024];
	struct otst_branch b;

	if (!from || !to || otst_read(o, from, text, len))
		return otherwise;
	for (size_t i = 0; i + arch->insn.branch_len <= len; i += arch->insn.step) {
		if (arch->insn.branch(text + i, len - i, from + i, &b) &&
		    b.kind == OTST_BRANCH_CALL && b.target == to)
			return true;
	}
	return false;
}

/*
 * The only trace of CONFIG_PREEMPT_VOLUNTARY is the calls that might_sleep()
 * then compiles to: mutex_lock() begins with one.
 */
static bool is_voluntary(struct otst *o)
{
	uint64_t to = otst_symbol_or0(o, "__cond_resched");

	to = to ?: otst_symbol_or0(o, "_cond_resched");
	return calls_within(o, otst_symbol_or0(o, "mutex_lock"), 64, to, true);
}

/*
 * Some kernels can be lazy and do not say so: Debian's 6.12 with PREEMPT_RT. The others call
 * preempt_model_lazy() (v6.13).
 */
static bool says_lazy(struct otst *o)
{
	return calls_within(o, otst_symbol_or0(o, "print_trace_header"), 1024,
			    otst_symbol_or0(o, "preempt_model_lazy"), false);
}

/* enum of kernel/sched/core.c: preempt_dynamic_none, _voluntary, _full, _lazy; -1 if none */
static int dynamic_mode(struct otst *o)
{
	uint64_t at = otst_symbol_or0(o, "preempt_dynamic_mode");
	uint32_t mode;

	return at && !otst_read_u32(o, at, &mode) && mode < 4 ? (int)mode : -1;
}

/* preempt_model_str() */
static const char *find_new(struct otst *o, bool preempt, bool rt, int mode)
{
	static const char *const modes[] = { "(none)", "(voluntary)", "(full)", "(lazy)" };
	const char *how = rt ? "_RT" : "";
	bool lazy, brace;

	if (!preempt && mode < 0)
		return is_voluntary(o) ? "VOLUNTARY" : "NONE";
	/* 7.2 on arm64 is lazy, but its version string does not say so */
	lazy = mode < 0 && otst_kernel_says(o, OTST_SAYS_LAZY);
	brace = rt && (mode >= 0 || lazy);
	if (brace)
		how = "_{RT,";
	return otst_format(o, "PREEMPT%s%s%s%s", how, mode >= 0 ? modes[mode] : "",
			   lazy ? "LAZY" : "", brace ? "}" : "");
}

/* print_trace_header() alone */
static const char *find_old(struct otst *o, bool preempt, bool rt, int mode)
{
	static const char *const modes[] = { "server", "desktop", "preempt" };

	if (mode >= 0 && mode < 3)
		return modes[mode];
	if (mode == 3 && says_lazy(o))
		return "lazy";
	if (rt)
		return "preempt_rt";
	if (mode >= 0)
		return "unknown";
	if (preempt)
		return "preempt";
	return is_voluntary(o) ? "desktop" : "server";
}

const char *otst_tf_preempt_model(struct otst *o)
{
	const char *version = otst_kernel(o)->version;
	bool rt = strstr(version, "PREEMPT_RT"), preempt = strstr(version, "PREEMPT");
	int mode = dynamic_mode(o);

	if (otst_has_symbol(o, "preempt_model_str"))
		return find_new(o, preempt, rt, mode);
	return find_old(o, preempt, rt, mode);
}
