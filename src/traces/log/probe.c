// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * probe.c - the probe that a trace belongs to, from its frames: a handler is
 * called by the kernel's kprobes code, which is reached by a breakpoint, a jump or
 * ftrace; the frame after these is the probed function.
 *
 *	handler_pre+0x20/0x24 [kprobe_test]	the handler
 *	kprobe_ftrace_handler+0xb8/0x120	kprobes
 *	? do_fork+0x5/0x2c0			the probed function
 */
#include <string.h>

#include "log.h"

/* kernel/kprobes.c and arch/.../kernel/kprobes: a trace with one of these is from a probe */
static const char *const kprobes[] = {
	"aggr_pre_handler",	     "aggr_post_handler",    "opt_pre_handler",
	"optimized_callback",	     "kprobe_handler",	     "kprobe_int3_handler",
	"kprobe_ftrace_handler",     "kprobe_debug_handler", "kprobe_exceptions_notify",
	"kprobe_breakpoint_handler", "kprobe_brk_handler",   "kprobe_post_process",
	"setjmp_pre_handler",
};

/* what may appear between these and the probed function */
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

/* where a task entered the kernel: no probe's handler is called from beyond them */
static const char *const bases[] = {
	"do_syscall_64",       "entry_SYSCALL_64", "entry_SYSCALL_64_after_hwframe",
	"do_int80_syscall_32", "el0_svc",	   "ret_from_fork",
};

/* calls and returns go through these: they appear as guesses, whatever was probed */
static const char *const thunks[] = {
	"srso_return_thunk",	   "srso_alias_return_thunk", "srso_untrain_ret",
	"retbleed_return_thunk",   "__x86_return_thunk",      "zen_untrain_ret",
	"call_depth_return_thunk", "its_return_thunk",
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))
#define WITHIN	 8 /* guesses that may appear between two frames of the glue */

static bool is_named(const struct otst_sym_text *sym, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t len;

		if (*sym->name != *names[i])
			continue;
		len = strlen(names[i]);
		/* "notifier_call_chain.isra.0" */
		if (sym->name_len >= len && !memcmp(sym->name, names[i], len) &&
		    (sym->name_len == len || sym->name[len] == '.'))
			return true;
	}
	return false;
}

static bool is_one_of_probes(const struct otst_trace_line *line, const char *const *names,
			     size_t count)
{
	struct otst_sym_text sym;

	return line->text && otst_sym_text_parse(line->text, &sym) && is_named(&sym, names, count);
}

enum otst_log_role otst_log_role(const char *text)
{
	struct otst_sym_text sym;

	if (!otst_sym_text_parse(text, &sym))
		return OTST_LOG_ROLE_NONE;
	if (is_named(&sym, kprobes, COUNT(kprobes)))
		return OTST_LOG_ROLE_KPROBES;
	return is_named(&sym, bases, COUNT(bases)) ? OTST_LOG_ROLE_BASE : OTST_LOG_ROLE_NONE;
}

/* trampolines of ftrace and detour buffers have no name */
static bool is_nameless(const struct otst_trace_line *line)
{
	struct otst_sym_text sym;

	return line->kind == OTST_LINE_FRAME && line->text &&
	       !otst_sym_text_parse(line->text, &sym);
}

/* the first line of kprobes code, -1 when there is none */
static long find_kprobes(const struct otst_trace *t)
{
	for (size_t i = 0; i < t->nr_lines; i++) {
		if (t->lines[i].role == OTST_LOG_ROLE_KPROBES)
			return (long)i;
		if (t->lines[i].reliable && t->lines[i].role == OTST_LOG_ROLE_BASE)
			break;
	}
	return -1;
}

/* the last line of the glue that begins at @first */
static size_t skip_glue(const struct otst_trace *t, size_t first)
{
	size_t i, last = first;

	for (i = first + 1; i < t->nr_lines && i - last <= WITHIN; i++) {
		const struct otst_trace_line *line = &t->lines[i];

		if (line->kind != OTST_LINE_FRAME)
			continue;
		if (line->role == OTST_LOG_ROLE_KPROBES ||
		    is_one_of_probes(line, glue, COUNT(glue)) ||
		    (is_nameless(line) && line->reliable))
			last = i;
	}
	return last;
}

static const char *name_of_glue(struct otst *o, const struct otst_trace_line *line)
{
	struct otst_sym_text sym;

	if (!line->text || !otst_sym_text_parse(line->text, &sym))
		return NULL;
	/* "fork_idle+0xd0/0xd0": the start of the next function, whose name is not shown */
	if (sym.size && sym.offset == sym.size)
		return NULL;
	return otst_log_keep(o, sym.name, sym.name_len);
}

/* "otst" and "allie" by the name of their module, others by the name of the function */
static const char *handler_of(struct otst *o, const struct otst_trace_line *line)
{
	struct otst_sym_text sym;

	if (!line->text || !otst_sym_text_parse(line->text, &sym))
		return NULL;
	if (sym.module_len == 4 && !memcmp(sym.module, "otst", 4))
		return "otst";
	if ((sym.module_len == 5 && !memcmp(sym.module, "allie", 5)) ||
	    (sym.name_len > 6 && !memcmp(sym.name, "allie_", 6)))
		return "allie";
	return name_of_glue(o, line);
}

#define ENTRY_MAX 9u /* offset after a call at a function's entry that follows an endbr64 */

/* true if this is the address after a breakpoint or a call at the entry of a function */
static bool is_entry(const struct otst_trace_line *line)
{
	struct otst_sym_text sym;

	return line->text && otst_sym_text_parse(line->text, &sym) && sym.offset &&
	       sym.offset <= ENTRY_MAX;
}

/*
 * Find the probed function's line after the glue that ends before @at. A guess in front
 * of it may be left over from an earlier call: of the guesses, and the frame after them,
 * the one at a function's entry counts.
 */
static const struct otst_trace_line *find_probed(const struct otst_trace *t, size_t at)
{
	const struct otst_trace_line *first = NULL;
	size_t end = at + WITHIN;

	for (; at < t->nr_lines && (!first || at < end); at++) {
		const struct otst_trace_line *line = &t->lines[at];

		if (line->kind == OTST_LINE_MARK || is_one_of_probes(line, thunks, COUNT(thunks)))
			continue;
		if (is_entry(line))
			return line;
		first = first ? first : line;
		if (line->reliable)
			break;
	}
	return first;
}

void otst_log_probe(struct otst *o, struct otst_trace *t)
{
	const struct otst_trace_line *probed;
	long first = find_kprobes(t), i;

	if (first < 0)
		return;
	for (i = first - 1; i >= 0 && !t->handler; i--) {
		if (t->lines[i].kind != OTST_LINE_MARK && t->lines[i].reliable)
			t->handler = handler_of(o, &t->lines[i]);
	}
	if (t->probe)
		return;
	probed = find_probed(t, skip_glue(t, (size_t)first) + 1);
	t->probe = probed ? name_of_glue(o, probed) : NULL;
}
