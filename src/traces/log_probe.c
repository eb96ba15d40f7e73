// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * log_probe.c - the probe that a trace belongs to, from its frames: a handler
 * is called by the kernel's kprobes code, that by a breakpoint, a jump or
 * ftrace, and behind these stands the probed function.
 *
 *	handler_pre+0x20/0x24 [kprobe_test]	the handler
 *	kprobe_ftrace_handler+0xb8/0x120	kprobes
 *	? do_fork+0x5/0x2c0			the probed function
 */
#include <string.h>

#include "log.h"

/* kernel/kprobes.c and arch/.../kernel/kprobes: a trace with one of these is of a probe */
static const char *const kprobes[] = {
	"aggr_pre_handler",	     "aggr_post_handler",    "opt_pre_handler",
	"optimized_callback",	     "kprobe_handler",	     "kprobe_int3_handler",
	"kprobe_ftrace_handler",     "kprobe_debug_handler", "kprobe_exceptions_notify",
	"kprobe_breakpoint_handler", "kprobe_brk_handler",   "kprobe_post_process",
	"setjmp_pre_handler",
};

/* what stands between these and the probed function */
static const char *const glue[] = {
	"notifier_call_chain",
	"__atomic_notifier_call_chain",
	"atomic_notifier_call_chain",
	"notify_die",
	"do_int3",
	"exc_int3",
	"int3",
	"asm_exc_int3",
	"xen_int3",
	"ftrace_ops_assist_func",
	"ftrace_ops_list_func",
	"arch_ftrace_ops_list_func",
	"ftrace_ops_recurs_func",
	"ftrace_call",
	"ftrace_caller",
	"ftrace_regs_call",
	"ftrace_regs_caller",
	"ftrace_regs_caller_end",
	"ftrace_common",
	"call_break_hook",
	"brk_handler",
	"do_debug_exception",
	"el1_dbg",
	"el1_sync_handler",
	"el1h_64_sync_handler",
	"el1h_64_sync",
	"debug_trap",
	"do_debug",
	"debug",
	"die_notifier",
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))
#define WITHIN	 8 /* guesses that may stand between two frames of the glue */

static bool is_one_of(const struct otst_trace_line *l, const char *const *names, size_t count)
{
	struct otst_sym_text sym;
	size_t i;

	if (!l->text || !otst_sym_text_parse(l->text, &sym))
		return false;
	for (i = 0; i < count; i++) {
		size_t len = strlen(names[i]);

		/* "notifier_call_chain.isra.0" */
		if (sym.name_len >= len && !memcmp(sym.name, names[i], len) &&
		    (sym.name_len == len || sym.name[len] == '.'))
			return true;
	}
	return false;
}

/* trampolines of ftrace and detour buffers have no name */
static bool is_nameless(const struct otst_trace_line *l)
{
	struct otst_sym_text sym;

	return l->kind == OTST_LINE_FRAME && l->text && !otst_sym_text_parse(l->text, &sym);
}

/* first line of kprobes' own, -1 when there is none */
static long find_kprobes(const struct otst_trace *t)
{
	size_t i;

	for (i = 0; i < t->nr_lines; i++) {
		if (t->lines[i].kind != OTST_LINE_MARK &&
		    is_one_of(&t->lines[i], kprobes, COUNT(kprobes)))
			return (long)i;
	}
	return -1;
}

/* the last line of the glue that begins at @first */
static size_t skip_glue(const struct otst_trace *t, size_t first)
{
	size_t i, last = first;

	for (i = first + 1; i < t->nr_lines && i - last <= WITHIN; i++) {
		const struct otst_trace_line *l = &t->lines[i];

		if (l->kind != OTST_LINE_FRAME)
			continue;
		if (is_one_of(l, kprobes, COUNT(kprobes)) || is_one_of(l, glue, COUNT(glue)) ||
		    (is_nameless(l) && l->reliable))
			last = i;
	}
	return last;
}

static const char *name_of(struct otst *o, const struct otst_trace_line *l)
{
	struct otst_sym_text sym;

	if (!l->text || !otst_sym_text_parse(l->text, &sym))
		return NULL;
	/* "fork_idle+0xd0/0xd0": the start of what lies behind it, whose name is not there */
	if (sym.size && sym.offset == sym.size)
		return NULL;
	return otst_format(o, "%.*s", (int)sym.name_len, sym.name);
}

/* "otst" and "allie" by their module's name, others by the function's */
static const char *handler_of(struct otst *o, const struct otst_trace_line *l)
{
	struct otst_sym_text sym;

	if (!l->text || !otst_sym_text_parse(l->text, &sym))
		return NULL;
	if (sym.module_len == 4 && !memcmp(sym.module, "otst", 4))
		return "otst";
	if ((sym.module_len == 5 && !memcmp(sym.module, "allie", 5)) ||
	    (sym.name_len > 6 && !memcmp(sym.name, "allie_", 6)))
		return "allie";
	return name_of(o, l);
}

int otst_log_probe(struct otst *o, struct otst_trace *t)
{
	long first = find_kprobes(t), i;
	size_t at;

	if (first < 0)
		return 0;
	for (i = first - 1; i >= 0 && !t->handler; i--) {
		if (t->lines[i].kind != OTST_LINE_MARK && t->lines[i].reliable)
			t->handler = handler_of(o, &t->lines[i]);
	}
	if (t->probe)
		return 0;
	for (at = skip_glue(t, (size_t)first) + 1; at < t->nr_lines && !t->probe; at++) {
		if (t->lines[at].kind != OTST_LINE_MARK)
			t->probe = name_of(o, &t->lines[at]);
	}
	return 0;
}
