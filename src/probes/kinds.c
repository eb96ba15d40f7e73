// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * kinds.c - the table of probe kinds, and how those that were asked for
 * are collected.
 */
#include <string.h>

#include "../capturers/stap.h"
#include "../base/coverage.h"
#include "../base/engine.h"
#include "../built/built.h"
#include "../ftrace/ftrace.h"
#include "probes.h"

/* what a part of the kernel is given to call: src/registered/ */
#define REGISTERED(name, what, needs)                                \
	{                                                            \
		name, '-', what, needs, otst_registered_probes, NULL \
	}

static const struct otst_probe_kind_row kinds[] = {
	[OTST_PROBE_KPROBE] = {
		"kprobe", 'k', "handlers before and after one instruction", "CONFIG_KPROBES",
		otst_kprobes,
		"register_kprobe",
	},
	[OTST_PROBE_KRETPROBE] = {
		"kretprobe", 'r', "handlers at entry and return of a function", "CONFIG_KRETPROBES",
		otst_kprobes,
		"register_kretprobe",
	},
	[OTST_PROBE_JPROBE] = {
		"jprobe", 'j', "a function called with the arguments of another", "setjmp_pre_handler, up to 4.18",
		otst_kprobes,
		"setjmp_pre_handler",
	},
	[OTST_PROBE_OTST] = {
		"otst", 'k', "one stack trace of a function's callers", "otst.ko, of 2011 as well",
		otst_kprobes,
		"register_kprobe",
	},
	[OTST_PROBE_ALLIE] = {
		"allie", 'k', "stack traces of a function's callers, or panic", "allie.ko, of 2007 as well",
		otst_kprobes,
		"register_kprobe",
	},
	[OTST_PROBE_LEFTOVER] = {
		"leftover", '-', "a text patch that outlived its probes", "CONFIG_OPTPROBES",
		otst_kprobes,
		"register_kprobe",
	},
	[OTST_PROBE_FPROBE] = {
		"fprobe", '-', "handlers at entry and return of functions", "CONFIG_FPROBE",
		otst_fprobes,
		"register_fprobe register_fprobe_ips",
	},
	[OTST_PROBE_KPROBE_MULTI] = {
		"kprobe_multi", '-', "a BPF program at entry or return of functions",
		"CONFIG_FPROBE and CONFIG_BPF_EVENTS, since 5.18",
		otst_fprobes,
		"kprobe_multi_link_handler kprobe_multi_link_exit_handler",
	},
	[OTST_PROBE_FENTRY] = {
		"fentry", '-', "a BPF program at the entry of a function",
		"BPF trampolines, since 5.5", otst_trampolines,
		"bpf_trampoline_link_prog bpf_trampoline_get",
	},
	[OTST_PROBE_FEXIT] = {
		"fexit", '-', "a BPF program at the return of a function",
		"BPF trampolines, since 5.5", otst_trampolines,
		"bpf_trampoline_link_prog bpf_trampoline_get",
	},
	[OTST_PROBE_FMOD_RET] = {
		"fmod_ret", '-', "a BPF program that may replace a function's return value",
		"BPF trampolines, since 5.7", otst_trampolines, NULL,
	},
	[OTST_PROBE_LSM] = {
		"lsm", '-', "a BPF program on a security hook", "CONFIG_BPF_LSM, since 5.7",
		otst_trampolines, NULL,
	},
	[OTST_PROBE_FREPLACE] = {
		"freplace", '-', "a BPF program that runs instead of another one",
		"BPF trampolines, since 5.6", otst_trampolines, NULL,
	},
	[OTST_PROBE_UPROBE] = {
		"uprobe", '-', "a consumer of a probe on a file that programs run",
		"CONFIG_UPROBES", otst_uprobes,
		"uprobe_register",
	},
	[OTST_PROBE_UPROBE_MULTI] = {
		"uprobe_multi", '-', "the same of a BPF program",
		"CONFIG_UPROBES and CONFIG_BPF_EVENTS, since 6.6", otst_uprobes,
		"uprobe_multi_link_handler uprobe_multi_link_ret_handler",
	},
	[OTST_PROBE_LIVEPATCH] = {
		"livepatch", '-', "a function that a live patch replaces", "CONFIG_LIVEPATCH",
		otst_livepatches,
		"klp_enable_patch",
	},
	[OTST_PROBE_FTRACE] = {
		"ftrace", '-', "an ftrace_ops of none of these: a tracer, a trigger, perf, a module",
		"CONFIG_FUNCTION_TRACER", otst_ftrace_hooks,
		OTST_FTRACE_WITNESSES,
	},
	[OTST_PROBE_TRACEPOINT] = {
		"tracepoint", '-', "a callback of a tracepoint", "CONFIG_TRACEPOINTS",
		otst_tracepoints,
		"tracepoint_probe_register",
	},
	[OTST_PROBE_SYSCALL] = {
		"syscall", '-', "perf, or a BPF program, on one system call",
		"CONFIG_FTRACE_SYSCALLS", otst_syscall_events,
		"perf_syscall_enter",
	},
	[OTST_PROBE_USER_EVENT] = {
		"user_event", '-', "an event that programs define and report",
		"CONFIG_USER_EVENTS, since 6.4", otst_user_event_probes,
		"user_events_ioctl user_events_open",
	},
	[OTST_PROBE_HWBREAKPOINT] = {
		"hwbreakpoint", '-', "a debug register that watches an address",
		"CONFIG_HAVE_HW_BREAKPOINT", otst_perf_probes,
		"register_user_hw_breakpoint",
	},
	[OTST_PROBE_PERF_EVENT] = {
		"perf_event", '-', "a BPF program or a module on the samples of a timer or counter",
		"CONFIG_PERF_EVENTS", otst_perf_probes,
		"perf_event_create_kernel_counter",
	},
	[OTST_PROBE_BPF] = {
		"bpf", '-', "a BPF program on something other than a function: a cgroup, an "
			    "interface, a socket, ...",
		"CONFIG_BPF_SYSCALL; links since 5.8", otst_attached,
		"bpf_prog_put",
	},
	[OTST_PROBE_STAP] = {
		"stap", '-', "a SystemTap script's timer, begin, procfs and the like",
		"a module of SystemTap's", otst_stap_others, NULL,
	},
	[OTST_PROBE_NETFILTER] = REGISTERED("netfilter",
		"a hook on packets", "CONFIG_NETFILTER, since 4.16"),
	[OTST_PROBE_PACKET] = REGISTERED("packet",
		"a handler of packets by type, of an interface, or of a protocol", "CONFIG_NET"),
	[OTST_PROBE_SECURITY] = REGISTERED("security",
		"a function of a security module", "CONFIG_SECURITY, since 4.17"),
	[OTST_PROBE_NOTIFIER] = REGISTERED("notifier",
		"a callback of a notifier chain: panic, reboot, modules, interfaces, ...", "any kernel"),
	[OTST_PROBE_TIMER] = REGISTERED("timer", "what a timer calls when it expires", "since 4.8"),
	[OTST_PROBE_WORK] = REGISTERED("work",
		"work that waits, is delayed, or is being done, and RCU callbacks", "any kernel"),
	[OTST_PROBE_KTHREAD] = REGISTERED("kthread", "what a kernel thread runs", "since 5.10"),
	[OTST_PROBE_BINFMT] = REGISTERED("binfmt",
		"what loads programs of one format", "any kernel"),
	[OTST_PROBE_CONSOLE] = REGISTERED("console",
		"what writes the kernel's messages", "CONFIG_PRINTK"),
	[OTST_PROBE_TTY] = REGISTERED("tty", "a line discipline of terminals", "CONFIG_TTY"),
	[OTST_PROBE_SYSRQ] = REGISTERED("sysrq", "what a key of sysrq does", "CONFIG_MAGIC_SYSRQ"),
	[OTST_PROBE_INPUT] = REGISTERED("input", "what sees keys and other input", "CONFIG_INPUT"),
	[OTST_PROBE_INTERRUPT] = REGISTERED("interrupt", "what an interrupt calls", "any kernel"),
	[OTST_PROBE_PROC] = REGISTERED("proc",
		"what reading or writing a file of /proc calls", "CONFIG_PROC_FS, since 3.19"),
	[OTST_PROBE_TABLE] = REGISTERED("table",
		"an entry of a table of system calls, or of interrupts and exceptions",
		"sys_call_table and its like; idt_table of x86_64"),
};
OTST_EACH_HAS(kinds, OTST_PROBE_KINDS);

const struct otst_probe_kind_row *otst_probe_kind(enum otst_probe_kind kind)
{
	return &kinds[kind];
}

static bool is_chosen_kind(const char *const *wanted, const char *name)
{
	if (!wanted)
		return true;
	while (*wanted && strcmp(*wanted, name))
		wanted++;
	return *wanted;
}

/* does an earlier wanted row have the same collector */
static bool was_collected(const char *const *wanted, int kind)
{
	for (int k = 0; k < kind; k++) {
		if (kinds[k].collect == kinds[kind].collect &&
		    is_chosen_kind(wanted, kinds[k].name))
			return true;
	}
	return false;
}

/* collectors that read the same records report the same errors */
static void note_all_once(struct otst *o, struct otst_messages *errors,
			  const struct otst_messages *more)
{
	for (size_t i = 0; i < more->count; i++)
		otst_note_once(o, errors, more->texts[i]);
}

/* shown only when that kind is asked for, as what the kernel itself registered */
static bool is_routine(struct otst *o, const struct otst_probe *p)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);

	return p->routine || (otst_is_registered(p->kind) && p->nr_handlers &&
			      otst_in_bounds(b, p->handlers[0].addr));
}

/* where text was freed, or a module has been, there may be other code by now */
static bool keeps_place(struct otst *o, const struct otst_probe *p)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);

	return otst_claims_text(p->claim) || (p->addr >= b->stext && p->addr < b->etext);
}

static void append_probes(struct otst *o, const struct otst_probes *part, const char *const *wanted,
			  struct otst_vec *items, struct otst_messages *errors)
{
	struct otst_probe **slot;

	for (size_t i = 0; i < part->count; i++) {
		struct otst_probe *p = part->items[i];

		if (!p->error && keeps_place(o, p))
			p->disagree = p->evidence.odd ?: p->disagree;
		if (!is_chosen_kind(wanted, kinds[p->kind].name) || (!wanted && is_routine(o, p)))
			continue;
		slot = otst_vec_push(o, items, sizeof(*slot));
		*slot = p;
	}
	note_all_once(o, errors, &part->errors);
}

/* unreadable modules cost records of every kind; kprobes, if any, have reported it already */
static int note_modules(struct otst *o, struct otst_messages *errors)
{
	struct otst_messages notes = { 0 };
	int err = otst_modules_notes(o, &notes);

	if (!err)
		note_all_once(o, errors, &notes);
	return err;
}

static size_t count_kind(const struct otst_probes *part, int kind)
{
	size_t i, n = 0;

	for (i = 0; i < part->count; i++)
		n += (int)part->items[i]->kind == kind;
	return n;
}

/* all kinds of one collector were read in the same pass */
static void cover_kinds(struct otst *o, const char *const *wanted, int kind,
			const struct otst_probes *part, const struct otst_coverage *looked,
			struct otst_vec *coverage)
{
	struct otst_coverage *c;

	for (int k = kind; k < OTST_PROBE_KINDS; k++) {
		if (kinds[k].collect != kinds[kind].collect ||
		    !is_chosen_kind(wanted, kinds[k].name))
			continue;
		c = otst_vec_push(o, coverage, sizeof(*c));
		*c = *looked;
		c->of = "probes";
		c->what = kinds[k].name;
		c->records = count_kind(part, k);
	}
}

/* a collector takes the kernel to be without its records */
static int doubt_kinds(struct otst *o, const char *const *wanted, int kind, int err)
{
	for (int k = kind; k < OTST_PROBE_KINDS; k++) {
		if (kinds[k].collect == kinds[kind].collect &&
		    is_chosen_kind(wanted, kinds[k].name))
			otst_doubt_absence(o, err, kinds[k].witnesses);
	}
	return err;
}

/* run one collector; a mechanism that the kernel lacks is an error only when @alone */
static int run_collector(struct otst *o, const char *const *wanted, int kind,
			 struct otst_probes *part, struct otst_messages *errors,
			 struct otst_coverage *looked)
{
	struct otst_look look = otst_look_begin(o);
	bool alone = wanted && !wanted[1];
	int err, failed;

	otst_progress(o, kinds[kind].name, 0, 0);
	err = otst_is_live(o) ? otst_collect_live(o, kinds[kind].collect, part) :
				kinds[kind].collect(o, part);
	err = doubt_kinds(o, wanted, kind, err);
	failed = otst_look_end(o, &look, err, looked);
	if (!failed && part->moved) {
		looked->looked = OTST_LOOKED_IN_PART;
		looked->why = otst_format(
			o, "%zu came, went or changed while they were read: the kernel runs",
			part->moved);
	}
	if (failed || !err)
		return failed;
	if (err == OTST_ERR_LOOKUP && (!alone || looked->looked != OTST_LOOKED_ABSENT))
		return 0;
	return alone ? err : otst_note(o, errors, err);
}

static int collect_up_to(struct otst *o, const char *const *wanted, int kinds_end,
			 struct otst_probes *ret)
{
	struct otst_vec items = { 0 }, coverage = { 0 };
	struct otst_messages errors = { 0 };
	struct otst_probes part;
	bool disarmed = false, none = true;
	int k, err;

	for (k = 0; k < kinds_end; k++) {
		struct otst_coverage looked = { 0 };

		if (!is_chosen_kind(wanted, kinds[k].name) || was_collected(wanted, k))
			continue;
		part = (struct otst_probes){ 0 };
		err = run_collector(o, wanted, k, &part, &errors, &looked);
		if (!err)
			append_probes(o, &part, wanted, &items, &errors);
		if (!err)
			cover_kinds(o, wanted, k, &part, &looked, &coverage);
		if (err)
			return err;
		none &= looked.looked == OTST_LOOKED_ABSENT;
		disarmed |= part.all_disarmed;
	}
	err = note_modules(o, &errors);
	if (!err)
		otst_text_notes(o, &errors);
	if (err)
		return err;
	*ret = otst_probes_of(&items, &errors);
	ret->all_disarmed = disarmed;
	ret->coverage = coverage;
	if (none)
		return otst_raise(o, OTST_ERR_LOOKUP, "this kernel has no probes of any kind");
	return 0;
}

int otst_probes(struct otst *o, const char *const *wanted, struct otst_probes *ret)
{
	return collect_up_to(o, wanted, OTST_PROBE_KINDS, ret);
}

int otst_hook_probes(struct otst *o, struct otst_probes *ret)
{
	return collect_up_to(o, NULL, OTST_PROBE_NETFILTER, ret);
}
