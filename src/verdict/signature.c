// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * signature.c - what two crashes of one kind have in common, in a line of text and a number:
 * how the kernel ended, the function that failed, and the first ones below it.
 *
 * The frames are those that the kernel printed, so that a dump and its log have the same
 * signature; a dump whose log has none goes by the stack. docs/verdict.md defines it:
 * nothing here, tables included, changes within a major version. So its tables are its own: those
 * of stacks.c grow with each kernel.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/sorted.h"
#include "report.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define MOST_NAMES   4u	 /* the function that failed, and those below it */
#define MOST_SEEN    64u /* different functions of a stack that overflowed */
#define LEAST_TIMES  3u	 /* that a function of its cycle is on it */

/* the kernel's functions that are passed over; "*" ends a prefix */
static const char *const passed[] = {
	/* how a report or a panic is made */
	"dump_stack*",
	"show_stack*",
	"show_trace*",
	"dump_backtrace*",
	"show_regs*",
	"panic",
	"vpanic",
	"nmi_panic",
	"check_panic_on_warn",
	"__warn*",
	"warn_slowpath*",
	"report_bug*",
	"__report_bug",
	"oops_end",
	"die",
	"die_addr",
	"__die*",
	"no_context",
	"page_fault_oops",
	"die_kernel_fault",
	"die_with_address",
	"crash_kexec",
	"__crash_kexec",
	"machine_kexec*",
	"__schedule_bug",
	"schedule_debug",
	"__might_*",
	"___might_*",
	"print_report",
	"end_report",
	"print_address_description*",
	"kasan_*",
	"__kasan_*",
	"__asan_*",
	"asan_*",
	"__hwasan_*",
	"check_region*",
	"kfence_report_error",
	"kfence_handle_page_fault",
	"ubsan_*",
	"__ubsan_*",
	"object_err",
	"slab_err",
	"__stack_chk_fail",
	"panic_on_rcu_stall",
	"rcu_dump_cpu_stacks",
	"sched_show_task",
	"watchdog_timer_fn",
	/* entries of exceptions and interrupts: x86 */
	"exc_*",
	"asm_*",
	"sysvec_*",
	"__sysvec_*",
	"do_user_addr_fault",
	"do_kern_addr_fault",
	"bad_area*",
	"__bad_area*",
	"kernelmode_fixup_or_oops",
	"handle_bug",
	"do_error_trap",
	"do_trap",
	"do_invalid_op",
	"invalid_op",
	"page_fault",
	"do_page_fault",
	"__do_page_fault",
	"async_page_fault",
	"general_protection",
	"do_general_protection",
	"double_fault",
	"do_double_fault",
	"error_entry",
	"handle_stack_overflow",
	"handle_bad_stack",
	"panic_bad_stack",
	"kernel_stack_overflow",
	"smp_apic_timer_interrupt",
	"apic_timer_interrupt",
	"common_interrupt",
	"do_IRQ",
	"ret_from_intr",
	"nmi",
	"end_repeat_nmi",
	"default_do_nmi",
	"do_nmi",
	"nmi_handle",
	"divide_error",
	/* arm64 */
	"__do_kernel_fault",
	"do_translation_fault",
	"do_mem_abort",
	"do_bad_area",
	"el1*",
	"do_el1*",
	"bug_handler",
	"bug_brk_handler",
	"call_break_hook",
	"brk_handler",
	"do_debug_exception",
	"arm64_notify_die",
	"call_on_irq_stack",
	"do_interrupt_handler",
	/* s390x, ppc64le, riscv64 */
	"__do_pgm_check",
	"pgm_check_handler",
	"do_dat_exception",
	"do_protection_exception",
	"handle_fault_error_nolock",
	"do_no_context",
	"monitor_event_exception",
	"bad_page_fault",
	"___do_page_fault",
	"hash__do_page_fault",
	"do_hash_fault",
	"data_access_common*",
	"instruction_access_common*",
	"program_check_*",
	"do_program_check",
	"_exception",
	"handle_page_fault",
	"handle_exception",
	"do_trap_*",
	/* soft interrupts */
	"__do_softirq",
	"handle_softirqs",
	"do_softirq*",
	"irq_exit*",
	"__irq_exit_rcu",
	/* what runs hooks */
	"aggr_*",
	"opt_pre_handler",
	"optimized_callback",
	"kprobe_*",
	"__kprobe*",
	"setup_singlestep",
	"int3",
	"do_int3",
	"pre_handler_kretprobe",
	"setjmp_pre_handler",
	"trampoline_handler",
	"trampoline_probe_handler",
	"__kretprobe_trampoline*",
	"kretprobe_*",
	"rethook_*",
	"arch_rethook_*",
	"fprobe_*",
	"__fprobe_*",
	"ftrace_*",
	"arch_ftrace_ops_list_func",
	"__ftrace_*",
	"trace_clock_*",
	"function_graph_*",
	"return_to_handler",
	"bpf_trampoline_*",
	"bpf_dispatcher_*",
	"__bpf_prog_enter*",
	"__bpf_prog_exit*",
	"trace_call_bpf",
	"bpf_trace_run*",
	"__bpf_trace_*",
	"__traceiter_*",
	"perf_trace_run_bpf_submit",
	"uprobe_dispatcher",
	"uretprobe_dispatcher",
};

/* and these, unless nothing else is there */
static const char *const helpers[] = {
	/* what waits for its caller */
	"__schedule",
	"schedule",
	"schedule_timeout*",
	"schedule_preempt_disabled",
	"schedule_hrtimeout*",
	"io_schedule*",
	"__switch_to*",
	"preempt_schedule*",
	"__cond_resched",
	"mutex_lock*",
	"__mutex_lock*",
	"ww_mutex_lock*",
	"__ww_mutex_lock*",
	"rt_mutex_*",
	"rwsem_*",
	"down",
	"down_*",
	"__down*",
	"call_rwsem_*",
	"wait_for_completion*",
	"wait_for_common*",
	"__wait_for_common*",
	"do_wait_for_common*",
	"wait_on_bit*",
	"__wait_on_bit*",
	"out_of_line_wait_on_bit*",
	"bit_wait*",
	"msleep*",
	"usleep_range*",
	"native_queued_spin_lock_slowpath",
	"__pv_queued_spin_lock_slowpath",
	"queued_spin_lock_slowpath",
	"queued_read_lock_slowpath",
	"queued_write_lock_slowpath",
	"_raw_spin_*",
	"_raw_read_*",
	"_raw_write_*",
	"do_raw_spin_lock",
	"__lock_text_start",
	"smp_call_function*",
	"on_each_cpu*",
	"__delay",
	"delay_*",
	"__const_udelay",
	"__udelay",
	/* what copies for its caller */
	"memcpy*",
	"__memcpy*",
	"__pi_memcpy*",
	"memset*",
	"__memset*",
	"__pi_memset*",
	"memmove*",
	"__memmove*",
	"__pi_memmove*",
	"memcmp",
	"__pi_memcmp",
	"strlen",
	"strnlen",
	"strcmp",
	"strncmp",
	"strcpy",
	"strncpy",
	"strscpy",
	"sized_strscpy",
	"__pi_str*",
	"rep_movs_alternative",
	"rep_stos_alternative",
	"copy_user_*",
	"__arch_copy_*",
	"_copy_from_user",
	"_copy_to_user",
};

/* by which the kernel was entered: nothing behind them counts */
static const char *const entries[] = {
	"entry_*",
	"do_syscall_*",
	"do_fast_syscall_*",
	"do_int80_*",
	"system_call*",
	"sysenter_*",
	"syscall_*",
	"__x64_*",
	"__ia32_*",
	"__arm64_*",
	"__riscv_*",
	"__s390x_*",
	"__se_sys_*",
	"__do_sys_*",
	"ksys_*",
	"sys_*",
	"SyS_*",
	"x64_sys_call",
	"ia32_sys_call",
	"invoke_syscall",
	"el0*",
	"do_el0*",
	"ret_to_user",
	"ret_from_fork*",
	"ret_from_kernel_*",
	"kernel_thread_*",
	"secondary_startup*",
	"__secondary_*",
	"start_secondary",
	"start_kernel",
	"x86_64_start_*",
	"common_startup_64",
	"irqentry_exit_*",
	"exit_to_user_mode*",
};

/* of a breakpoint that a hook put there: the code that it interrupted has called the hook */
static const char *const breakpoints[] = {
	"int3",		"do_int3",  "exc_int3",		  "asm_exc_int3",
	"brk_handler",	"el1_dbg",  "el1h_64_sync*",	  "el1_brk64",
	"do_el1_brk64", "kprobe_*", "optimized_callback",
};

/* a trampoline calls these: it has no name, or that of freed text which lay there */
static const char *const from_trampolines[] = {
	"kprobe_ftrace_handler",     "fprobe_handler",	      "fprobe_kprobe_handler",
	"arch_ftrace_ops_list_func", "ftrace_ops_list_func",  "ftrace_ops_assist_func",
	"function_trace_call",	     "function_graph_enter*",
};

/* letters that end a name, with which the compiler marks its copies of a function: "f.cold" */
#define COPY_MARK '.'

/** struct name - of a function; not NUL-terminated */
struct name {
	const char *text;
	size_t len;
	const char *module;
	size_t module_len;
};

/**
 * struct seen - the stack so far, from the innermost frame on
 * @guesses: frames that nobody is sure of count as well
 * @trap: the last frame is a breakpoint's; @trampoline: the next one is a trampoline's
 * @spare: the first helper or entry
 * @all, @times: with an overflow, each function, and how often it was there
 */
struct seen {
	struct name names[MOST_NAMES];
	size_t count;
	struct name spare;
	bool guesses;
	bool trap;
	bool trampoline;
	bool end;
	struct name all[MOST_SEEN];
	size_t times[MOST_SEEN];
	size_t nr_all;
};

static bool is_among(const struct name *n, const char *const *names, size_t count)
{
	return !n->module_len && otst_is_among(n->text, n->len, names, count);
}

static bool is_same_name(const struct name *a, const struct name *b)
{
	return a->len == b->len && a->module_len == b->module_len &&
	       !memcmp(a->text, b->text, a->len) &&
	       (!a->module_len || !memcmp(a->module, b->module, a->module_len));
}

/* "f.cold" is f, "bpf_prog_0123456789abcdef_f" is bpf_prog_f, ppc64le's ".f" is f */
static struct name plain_name(struct otst *o, struct name n)
{
	static const char program[] = "bpf_prog_";
	size_t tag = sizeof(program) - 1;
	const char *dot;

	if (n.len > 1 && *n.text == COPY_MARK) {
		n.text++;
		n.len--;
	}
	dot = memchr(n.text, COPY_MARK, n.len);
	n.len = dot ? (size_t)(dot - n.text) : n.len;
	if (n.len > tag + 17 && !memcmp(n.text, program, tag) &&
	    strspn(n.text + tag, "0123456789abcdef") == 16 && n.text[tag + 16] == '_') {
		n.text =
			otst_format(o, "bpf_prog_%.*s", (int)(n.len - tag - 17), n.text + tag + 17);
		n.len = strlen(n.text);
	}
	return n;
}

static void count_name(struct seen *s, const struct name *n)
{
	size_t i;

	for (i = 0; i < s->nr_all && !is_same_name(&s->all[i], n); i++)
		;
	if (i == MOST_SEEN)
		return;
	s->nr_all += i == s->nr_all;
	s->all[i] = *n;
	s->times[i]++;
}

/* the next frame outwards; @regs: it is where an exception or an interrupt came; @n->len is 0 without a name */
static void see_frame(struct otst *o, struct seen *s, struct name n, bool regs)
{
	bool helper;

	if (n.len)
		n = plain_name(o, n);
	else if (regs && !s->count)
		n = (struct name){ "?", 1, NULL, 0 };
	if (s->end || (regs && s->count && !s->trap)) {
		s->end = true;
		return;
	}
	if (s->trampoline && n.module_len) {
		s->trampoline = false;
		return;
	}
	s->trampoline = is_among(&n, from_trampolines, COUNT(from_trampolines));
	s->trap = is_among(&n, breakpoints, COUNT(breakpoints));
	if (!n.len || s->trap || is_among(&n, passed, COUNT(passed)))
		return;
	helper = is_among(&n, helpers, COUNT(helpers));
	if (helper || is_among(&n, entries, COUNT(entries))) {
		s->spare = s->spare.len ? s->spare : n;
		s->end = s->count && !helper;
		return;
	}
	count_name(s, &n);
	if (s->count < MOST_NAMES && !(s->count && is_same_name(&s->names[s->count - 1], &n)))
		s->names[s->count++] = n;
}

/* ---- where frames come from ---- */

/*
 * A function does not return to its first byte: what stands there ended with a call that does not
 * return, and has another name. Nor does it return past its end. @regs: it is where the cpu was.
 */
static struct name parse_frame_name(const char *text, bool regs)
{
	struct otst_sym_text sym;

	if (!text || !otst_sym_text_parse(text, &sym) ||
	    (!regs && sym.has_offset && (!sym.offset || otst_is_past_end(&sym))))
		return (struct name){ 0 };
	return (struct name){ sym.name, sym.name_len, sym.module, sym.module_len };
}

/* a lockup is where an interrupt met the kernel, not what the interrupt does */
static size_t first_line(const struct otst_trace *t, enum otst_death death)
{
	const struct otst_trace_line *line = death == OTST_DEATH_SOFT_LOCKUP ||
							     death == OTST_DEATH_HARD_LOCKUP ?
						     otst_report_registers(t) :
						     NULL;

	return line && !(line->cs & 3) ? (size_t)(line - t->lines) : 0;
}

static void see_trace(struct otst *o, struct seen *s, const struct otst_trace *t,
		      enum otst_death death)
{
	for (size_t i = first_line(t, death); t && i < t->nr_lines; i++) {
		const struct otst_trace_line *line = &t->lines[i];
		bool regs = line->kind == OTST_LINE_IP;

		if (!otst_trace_line_is_code(line) || !(line->reliable || s->guesses))
			continue;
		if (line->cs & 3)
			return;
		see_frame(o, s, parse_frame_name(line->text, regs), regs);
	}
}

/* After a jump to nowhere all frames are guesses. @ip: the failing function if there is no trace; or NULL */
static void see_log(struct otst *o, struct seen *s, const struct otst_trace *t, const char *ip,
		    enum otst_death death)
{
	see_trace(o, s, t, death);
	if (s->count == 1 && *s->names[0].text == '?') {
		*s = (struct seen){ .guesses = true };
		see_trace(o, s, t, death);
	}
	if (!s->count && ip)
		see_frame(o, s, parse_frame_name(ip, true), true);
}

static void see_sym(struct otst *o, struct seen *s, const struct otst_sym *sym, bool regs)
{
	const char *name = sym->name ?: "", *module = sym->module ?: "";

	see_frame(o, s, (struct name){ name, strlen(name), module, strlen(module) }, regs);
}

static void see_stack(struct otst *o, struct seen *s, const struct otst_verdict_stack *st)
{
	s->end = false;
	for (size_t i = st->failing < st->nr_frames ? st->failing : 0; i < st->nr_frames; i++) {
		if (st->frames[i].frame.reliable)
			see_sym(o, s, &st->frames[i].sym, st->frames[i].frame.exact);
	}
}

/* the stack of the one that failed, or of the one that is stuck */
static const struct otst_verdict_stack *find_signature_stack(const struct otst_verdict *v)
{
	const struct otst_verdict_stack *s = v->stacks.data;
	bool hung = v->report.death == OTST_DEATH_HUNG_TASK;

	for (size_t i = 0; i < v->stacks.count; i++) {
		if (hung ? s[i].reason == OTST_STACK_STUCK : s[i].failing < s[i].nr_frames)
			return &s[i];
	}
	return NULL;
}

/* ---- what it says ---- */

static const char *end_word(const struct otst_report *r)
{
	if (r->overflow)
		return "stack overflow";
	return r->line && strstr(r->line, "kernel BUG at ") ? "BUG" : otst_death_name(r->death);
}

/* where it does not matter, or is chance, where the kernel was */
static bool has_frames(enum otst_death death)
{
	return death != OTST_DEATH_ASKED && death != OTST_DEATH_OUT_OF_MEMORY;
}

static int by_text(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	int order = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

/* of a stack that overflowed, the functions of the cycle by name: chance decides with which one it ends */
static void take_cycle(struct seen *s)
{
	size_t i, n = 0;

	for (i = 0; i < s->nr_all; i++) {
		if (s->times[i] >= LEAST_TIMES)
			s->all[n++] = s->all[i];
	}
	if (!n)
		return;
	otst_sort(s->all, n, sizeof(*s->all), by_text);
	s->count = n < MOST_NAMES ? n : MOST_NAMES;
	memcpy(s->names, s->all, s->count * sizeof(*s->names));
}

/* 64 bits of FNV-1a */
static uint64_t hash_text(const char *s)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *s; s++)
		hash = (hash ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return hash;
}

static void set_text(struct otst *o, const struct seen *s, struct otst_verdict *v)
{
	const char *text = end_word(&v->report);

	for (size_t i = 0; i < s->count; i++) {
		const struct name *n = &s->names[i];

		text = otst_format(o, "%s%s%.*s%s%.*s%s", text, i ? ", " : ": ", (int)n->len,
				   n->text, n->module_len ? " [" : "", (int)n->module_len,
				   n->module_len ? n->module : "", n->module_len ? "]" : "");
	}
	v->signature.text = otst_clean(o, text);
	v->signature.hash = otst_format(o, "%016" PRIx64, hash_text(v->signature.text));
}

void otst_signature_find(struct otst *o, struct otst_verdict *v)
{
	const struct otst_trace *t = v->alone ? v->trace :
				     v->log   ? otst_report_trace(v->log, &v->report) :
						NULL;
	const struct otst_verdict_stack *stack = find_signature_stack(v);
	struct seen *s = otst_new(o, sizeof(*s));

	if (!otst_died(v->report.death))
		return;
	if (has_frames(v->report.death)) {
		see_log(o, s, t, v->alone || v->report.nested ? v->report.ip_text : NULL,
			v->report.death);
		if (!s->count && stack)
			see_stack(o, s, stack);
		if (!s->count && v->failing_sym.name)
			see_sym(o, s, &v->failing_sym, true);
		if (!s->count && s->spare.len)
			s->names[s->count++] = s->spare;
	}
	if (v->report.overflow)
		take_cycle(s);
	set_text(o, s, v);
}
