// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * failing.c - which frame of a stack failed: the one that called the kernel's machinery for panics,
 * faults and warnings, or that an interrupt found stuck
 */
#include <string.h>

#include "verdict.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* functions between the one that gave up and the end of the kernel, with those that report; "*" ends a prefix */
static const char *const machinery[] = {
	"crash_kexec",
	"__crash_kexec",
	"machine_kexec",
	"sysrq_handle_crash",
	/* complaints */
	"schedule_debug",
	"end_report",
	"kfence_report_error",
	"kfence_handle_page_fault",
	/* entries of exceptions, down to the registers: x86 */
	"exc_*",
	"asm_exc_*",
	"do_user_addr_fault",
	"do_kern_addr_fault",
	"bad_area_nosemaphore",
	"__bad_area_nosemaphore",
	"kernelmode_fixup_or_oops",
	"do_trap",
	"page_fault",
	"general_protection",
	"do_general_protection",
	"double_fault",
	"do_double_fault",
	"handle_stack_overflow",
	"handle_bad_stack",
	"panic_bad_stack",
	"kernel_stack_overflow",
	/* arm64 */
	"__do_kernel_fault",
	"do_page_fault",
	"do_translation_fault",
	"do_mem_abort",
	"do_bad_area",
	"el1_*",
	"el1h_64_sync*",
	"do_el1_*",
	"bug_handler",
	"bug_brk_handler",
	"call_break_hook",
	"brk_handler",
	"do_debug_exception",
	"arm64_notify_die",
	/* s390x */
	"__do_pgm_check",
	"pgm_check_handler",
	"do_dat_exception",
	"do_protection_exception",
	"handle_fault_error_nolock",
	"do_no_context",
	"monitor_event_exception",
	/* ppc64le */
	"bad_page_fault",
	"__bad_page_fault",
	"___do_page_fault",
	"hash__do_page_fault",
	"do_hash_fault",
	"data_access_common*",
	"instruction_access_common*",
	"program_check_*",
	"do_program_check",
	"_exception",
	/* riscv64 */
	"handle_page_fault",
	"handle_exception",
	"do_trap_*",
};

/* those by which the kernel ends after a fault or a BUG */
static const char *const oopses[] = {
	"oops_end",	    "die",	  "die_addr",	     "__die",
	"__die_body",	    "no_context", "page_fault_oops", "die_kernel_fault",
	"die_with_address",
};

static bool is_among(const struct otst_sym *sym, const char *const *names, size_t count)
{
	return sym->name && !sym->module &&
	       otst_is_among(sym->name, strlen(sym->name), names, count);
}

static bool is_oops(const struct otst_sym *sym)
{
	return is_among(sym, oopses, COUNT(oopses));
}

static bool is_machinery(const struct otst_sym *sym)
{
	return is_oops(sym) || is_among(sym, machinery, COUNT(machinery)) ||
	       (sym->name && !sym->module && otst_is_reporter(sym->name, strlen(sym->name)));
}

static bool is_overflow(const struct otst_sym *sym)
{
	static const char *const names[] = { "handle_stack_overflow", "handle_bad_stack",
					     "panic_bad_stack", "kernel_stack_overflow" };

	return is_among(sym, names, COUNT(names));
}

static bool is_trap(const struct otst_sym *sym)
{
	static const char *const names[] = { "report_bug", "__report_bug" };

	return is_among(sym, names, COUNT(names));
}

/* where the stack went into panic(), or its begin: a cpu that waits there for its end is interrupted */
static size_t panic_frame(const struct otst_verdict_stack *s)
{
	static const char *const names[] = { "panic", "vpanic", "nmi_panic" };

	for (size_t i = 0; i < s->nr_frames; i++) {
		if (is_among(&s->frames[i].sym, names, COUNT(names)))
			return i;
	}
	return 0;
}

/* does the machinery by which the kernel ended have such a function; a cpu may wait in others */
static bool ends_by(const struct otst_verdict_stack *s, bool (*test)(const struct otst_sym *sym))
{
	size_t i = panic_frame(s);

	while (i < s->nr_frames && !is_machinery(&s->frames[i].sym))
		i++;
	for (; i < s->nr_frames && is_machinery(&s->frames[i].sym); i++) {
		if (test(&s->frames[i].sym))
			return true;
	}
	return false;
}

/* entries of the exception by which a probe on an instruction is met: x86, arm64, s390, ppc, riscv */
static const char *const breakpoints[] = {
	"asm_exc_int3",
	"exc_int3",
	"int3",
	"do_int3",
	"asm_exc_debug",
	"exc_debug*",
	"el1_brk64",
	"do_el1_brk64",
	"el1_dbg",
	"do_debug_exception",
	"brk_handler",
	"illegal_op",
	"program_check_exception",
	"do_program_check",
	"do_trap_break",
};

bool otst_is_breakpoint_entry(const struct otst_sym *sym)
{
	return is_among(sym, breakpoints, COUNT(breakpoints));
}

/* the frame with the registers of a fault or an interrupt: the instruction that the cpu was at */
static size_t interrupted_frame(const struct otst_verdict_stack *s, size_t from)
{
	for (size_t i = from; i < s->nr_frames; i++) {
		if (s->frames[i].frame.regs && s->frames[i].frame.exact)
			return i;
	}
	return s->nr_frames;
}

bool otst_is_in_oops(const struct otst_verdict_stack *s, size_t i)
{
	return s->frames[i].frame.reliable && is_oops(&s->frames[i].sym) &&
	       interrupted_frame(s, i) < s->nr_frames;
}

/* are the registers of frame @i those of a breakpoint: the functions of its entry are nearer */
static bool is_breakpoint(const struct otst_verdict_stack *s, size_t i)
{
	while (i-- > 0 && !s->frames[i].frame.regs) {
		if (otst_is_breakpoint_entry(&s->frames[i].sym))
			return true;
		if (s->frames[i].sym.module)
			break;
	}
	return false;
}

/*
 * Where a cpu was that does not go on: the registers of the interrupt that came to see why; those of
 * a breakpoint are older, the cpu is in what is called from there. It may have stopped where it is,
 * for no reason that the stack shows.
 */
static size_t stuck_frame(const struct otst_verdict_stack *s)
{
	size_t i = interrupted_frame(s, 0);

	while (i < s->nr_frames && is_breakpoint(s, i))
		i = interrupted_frame(s, i + 1);
	return i == s->nr_frames && i && s->frames[0].frame.exact ? 0 : i;
}

/* of nested faults the first: the outermost frame at its instruction, else the outermost of a fault */
static size_t first_fault(const struct otst_report *r, const struct otst_verdict_stack *s)
{
	size_t i, found = s->nr_frames;

	for (i = 0; r->ip && i < s->nr_frames; i++) {
		if (s->frames[i].frame.exact && s->frames[i].frame.pc == r->ip)
			found = i;
	}
	for (i = 1; found == s->nr_frames && i < s->nr_frames; i++) {
		size_t k = s->nr_frames - i;

		if (s->frames[k].frame.exact && s->frames[k].frame.regs &&
		    is_machinery(&s->frames[k - 1].sym))
			found = k;
	}
	return found;
}

/* the frame that failed, on the stack that went into panic() */
static size_t failing_frame(const struct otst_report *r, const struct otst_verdict_stack *s)
{
	size_t i, last = s->nr_frames;

	if (r->nested)
		return first_fault(r, s);
	for (i = 0; r->ip && r->death == OTST_DEATH_OOPS && i < s->nr_frames; i++) {
		if (s->frames[i].frame.pc == r->ip && s->frames[i].frame.exact)
			return i;
	}
	for (i = panic_frame(s); i < s->nr_frames; i++) {
		if (!is_machinery(&s->frames[i].sym)) {
			if (last < s->nr_frames)
				break;
			continue;
		}
		last = i;
	}
	/* without panic() on it, the stack begins with the registers of the fault */
	if (last == s->nr_frames) {
		if (r->death != OTST_DEATH_OOPS)
			return s->nr_frames;
		i = interrupted_frame(s, 0);
		return i < s->nr_frames || !s->runs ? i : 0;
	}
	if (r->death == OTST_DEATH_OOPS || r->death == OTST_DEATH_SOFT_LOCKUP ||
	    r->death == OTST_DEATH_HARD_LOCKUP || r->death == OTST_DEATH_RCU_STALL ||
	    (r->death == OTST_DEATH_WARNING && ends_by(s, is_trap)))
		return interrupted_frame(s, last);
	return r->death == OTST_DEATH_PANIC || r->death == OTST_DEATH_WARNING ? last + 1 :
										s->nr_frames;
}

/* where the guesses behind the fault's registers begin; of nested faults, behind those of the first */
static size_t behind_fault(const struct otst_report *r, const struct otst_verdict_stack *s)
{
	size_t i, last;

	for (i = 0; i < s->nr_frames && s->frames[i].frame.reliable; i++)
		;
	for (last = s->nr_frames; r->nested && last > i; last--) {
		if (is_machinery(&s->frames[last - 1].sym))
			return last;
	}
	return i;
}

/*
 * A jump to nowhere leaves no frame that an unwinder believes: the frames that it
 * guesses after the fault's registers are callers of the instruction in the log.
 */
static void insert_failing(struct otst *o, const struct otst_report *r,
			   struct otst_verdict_stack *s)
{
	struct otst_verdict_frame *f;
	size_t i;

	if (r->death != OTST_DEATH_OOPS || !r->ip ||
	    (s->end != OTST_END_LOST && s->end != OTST_END_CUT))
		return;
	for (i = 0; i < s->nr_frames && s->frames[i].frame.pc != r->ip; i++)
		;
	if (i < s->nr_frames)
		return;
	i = behind_fault(r, s);
	f = &s->frames[i];
	memmove(f + 1, f, (s->nr_frames++ - i) * sizeof(*f));
	*f = (struct otst_verdict_frame){
		.frame = { .pc = r->ip, .exact = true, .reliable = true },
		.role = OTST_ROLE_NONE,
	};
	otst_symbolize_code(o, r->ip, &f->sym);
}

/* true if @s is of a task that the log names as stuck, or of the task that ran on such a cpu */
static bool is_stuck(const struct otst_report *r, const struct otst_verdict_stack *s)
{
	const struct otst_stuck *stuck = r->stuck.data;

	for (size_t i = 0; i < r->stuck.count; i++) {
		if (stuck[i].pid >= 0 ? stuck[i].pid == (int64_t)s->task->pid && !s->task->idle :
					stuck[i].cpu >= 0 && s->runs &&
						(unsigned int)stuck[i].cpu == s->task->cpu)
			return true;
	}
	return false;
}

/* a lockup or stall may be reported by a cpu or task that has nothing to do with it */
static bool reports_others(const struct otst_report *r, const struct otst_verdict_stack *s)
{
	return (r->death == OTST_DEATH_HUNG_TASK || r->death == OTST_DEATH_RCU_STALL ||
		r->death == OTST_DEATH_SOFT_LOCKUP || r->death == OTST_DEATH_HARD_LOCKUP) &&
	       r->stuck.count && !is_stuck(r, s);
}

/* the instruction that a frame is at; if it called panic(), which is a direct call, the call */
static uint64_t failing_address(struct otst *o, const struct otst_frame *f)
{
	return f->exact ? f->pc : f->pc - otst_kernel(o)->arch->insn.branch_len;
}

void otst_failing_find(struct otst *o, struct otst_verdict *v)
{
	struct otst_report *r = &v->report;
	struct otst_verdict_stack *s = v->stacks.data;

	for (size_t i = 0; i < v->stacks.count; i++) {
		if (s[i].reason == OTST_STACK_PANIC) {
			/* the console itself may have failed */
			if (r->death == OTST_DEATH_PANIC && !r->panic && ends_by(&s[i], is_oops))
				r->death = OTST_DEATH_OOPS;
			s[i].reporter = reports_others(r, &s[i]);
			insert_failing(o, r, &s[i]);
			if (!s[i].reporter)
				s[i].failing = failing_frame(r, &s[i]);
			r->overflow = r->overflow ||
				      (r->death == OTST_DEATH_OOPS && ends_by(&s[i], is_overflow));
			if (r->overflow)
				otst_cycle_find(&s[i]);
		} else if (s[i].reason == OTST_STACK_STUCK && s[i].runs &&
			   r->death != OTST_DEATH_HUNG_TASK) {
			s[i].failing = stuck_frame(&s[i]);
		}
		if (!v->failing && s[i].failing < s[i].nr_frames) {
			const struct otst_verdict_frame *f = &s[i].frames[s[i].failing];

			v->failing = failing_address(o, &f->frame);
			v->failing_sym = f->sym;
		}
	}
	if (!v->failing && r->ip && r->death == OTST_DEATH_OOPS) {
		v->failing = r->ip;
		otst_symbolize_code(o, r->ip, &v->failing_sym);
	}
}
