/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * probes.h - what is armed on the kernel.
 *
 * Each file of this folder decodes one kernel mechanism into the entries of
 * src/list/list.h, whose rules for memory, strings and errors hold here too.
 */
#ifndef OTST_PROBES_H
#define OTST_PROBES_H

#include "../bpf/bpf.h"
#include "../capturers/owner.h"
#include "../ftrace/tracing.h"
#include "../list/list.h"
#include "../registered/registered.h"

/* ---- text evidence (evidence.c) ---- */

/**
 * otst_evidence() - look at the kernel text at @addr
 * @detour: detour buffer of the probe there, 0 when it has none or it is unknown
 * @ret: for unreadable text, @ret->seen is UNREADABLE; never fails
 */
void otst_evidence(struct otst *o, uint64_t addr, uint64_t detour, struct otst_evidence *ret);

/* ---- kinds (kinds.c; a file for each mechanism) ---- */

/** struct otst_probe_kind_row - a kind as the user sees it */
struct otst_probe_kind_row {
	const char *name; /**< as -k takes it */
	char letter;	  /**< as the kernel's kprobes/list prints it, or '-' */
	const char *what;
	const char *needs;	  /**< kernel support */
	otst_collect_fn *collect; /**< may find several kinds */
	const char *witnesses;	  /**< of otst_doubt_absence() */
};

/** otst_registered_probe_kind() - the kind of entry that it is in the list */
static inline enum otst_probe_kind otst_registered_probe_kind(const struct otst_registered *r)
{
	return (enum otst_probe_kind)((int)OTST_PROBE_NETFILTER + (int)r->kind);
}

/** otst_probe_kind() - the row of @kind */
const struct otst_probe_kind_row *otst_probe_kind(enum otst_probe_kind kind);

/**
 * otst_probes() - probes of all mechanisms, kind by kind
 * @wanted: names of kinds, NULL-terminated; or NULL for all
 *
 * Of what parts of the kernel were given to call, NULL means what is not the kernel's own text.
 * A mechanism that the kernel does not have is left out quietly, unless it is
 * the only kind that was asked for.
 *
 * Return: 0, even when some records are bad; LOOKUP; or an error that ends the command.
 */
int otst_probes(struct otst *o, const char *const *wanted, struct otst_probes *ret);

/**
 * otst_hook_probes() - those that hook code: all kinds but what parts of the kernel were given to
 * call; as otst_probes()
 */
int otst_hook_probes(struct otst *o, struct otst_probes *ret);

/** otst_collect_live() - what @collect finds in a live kernel (live.c); sets &otst_probes.moved */
int otst_collect_live(struct otst *o, otst_collect_fn *collect, struct otst_probes *ret);

/** otst_kprobe_optimized() - read what a record only has when it is optimized; see src/readiness/inner.c (kprobe.c) */
int otst_kprobe_optimized(struct otst *o, uint64_t record);

otst_collect_fn otst_kprobes;	  /* kprobe.c: all users' probes of kprobe_table */
otst_collect_fn otst_fprobes;	  /* fprobe.c: all functions of all fprobes */
otst_collect_fn otst_trampolines; /* trampoline.c: all programs on all BPF trampolines */
otst_collect_fn otst_uprobes;	  /* uprobe.c: all consumers of all uprobes */
otst_collect_fn otst_livepatches; /* livepatch.c: all functions of all live patches */
otst_collect_fn otst_ftrace_hooks; /* ftrace_hook.c: ftrace_ops that are not part of any other kind */
otst_collect_fn otst_syscall_events; /* syscall_event.c: all system calls that perf watches */
otst_collect_fn otst_perf_probes;    /* hw_breakpoint.c: breakpoints and programs on perf events */
otst_collect_fn otst_tracepoints;    /* tracepoint.c: all callbacks of all tracepoints */
otst_collect_fn
	otst_registered_probes; /* registered.c: what parts of the kernel were given to call */
/** otst_registered_kind_probes() - of one kind only: one for which otst_is_registered() is true (registered.c) */
int otst_registered_kind_probes(struct otst *o, enum otst_probe_kind kind, struct otst_probes *ret);
otst_collect_fn otst_user_event_probes; /* user_event.c: all events that programs have defined */

/* ---- user events (user_event.c) ---- */

/* bits of user_event.status: EVENT_STATUS_* of kernel/trace/trace_events_user.c, 5.18 to 7.2 */
#define OTST_USER_EVENT_FTRACE 0x01u
#define OTST_USER_EVENT_PERF   0x02u
#define OTST_USER_EVENT_OTHER  0x80u

/**
 * struct otst_user_event - an event that a program has defined
 * @name: as it was registered
 * @system, @event: of its trace event; of several formats of one name each has an event of its own
 * @status: what its programs are told: OTST_USER_EVENT_*, 0 when nobody uses it
 */
struct otst_user_event {
	const char *name;
	const char *system;
	const char *event;
	uint8_t status;
};

/**
 * otst_user_events() - addresses of all of them, in the order of user_events_status
 * @ret: vector of uint64_t
 * @errors: parts of the table that could not be walked
 *
 * Return: 0; LOOKUP when the kernel has none; or an error that ends the command.
 */
int otst_user_events(struct otst *o, struct otst_vec *ret, struct otst_messages *errors);

/** otst_user_event_read() - read the struct user_event at @addr */
int otst_user_event_read(struct otst *o, uint64_t addr, struct otst_user_event *ret);

/** otst_user_event_users() - " ftrace perf other" as far as they are in @status */
const char *otst_user_event_users(struct otst *o, uint8_t status);

/* ---- kprobes being handled (ctlblk.c) ---- */

/**
 * struct otst_ctlblk - the kprobe that one cpu is handling
 * @addr: struct kprobe_ctlblk, 0 when the kernel has none
 * @current: struct kprobe that it is handling, 0 for none; @instance: its user at work, or 0
 * @status: kprobe_status
 * @before: the probe whose handling was interrupted; valid only while @status is REENTER
 * @has_jprobe: the kernel has jprobes: @regs are the registers at entry of the last one's
 *	function (all 0 when there was none), @saved_sp is where its return address
 *	lies, @stack what followed there, @stack_len bytes of room
 */
struct otst_ctlblk {
	uint64_t addr;
	uint64_t current;
	uint64_t instance;
	uint64_t status;
	uint64_t before;
	bool has_jprobe;
	uint64_t regs[OTST_REGS_MAX];
	uint64_t saved_sp;
	const unsigned char *stack;
	size_t stack_len;
};

/** otst_ctlblk() - read that of @cpu; 0, even when it handles nothing; FAULT, CORRUPT */
int otst_ctlblk(struct otst *o, unsigned int cpu, struct otst_ctlblk *ret);

/** otst_ctlblk_probe() - the probe of @probes being handled; NULL when none of them is */
const struct otst_probe *otst_ctlblk_probe(const struct otst_probes *probes,
					   const struct otst_ctlblk *b);

/** otst_ctlblk_status() - "HIT_ACTIVE", "HIT_SS", "REENTER", "HIT_SSDONE"; NULL for anything else */
const char *otst_ctlblk_status(uint64_t status);

/* ---- helpers between the files of this folder ---- */

/** otst_kretprobe() - fill @p from the struct kretprobe around its kprobe (kretprobe.c) */
int otst_kretprobe(struct otst *o, struct otst_probe *p);

/**
 * otst_event_owner() - set the owner of @p: a dynamic event, or perf's local one (event.c)
 * @type: the structure around its record: "trace_kprobe", "trace_uprobe"; @at: its address
 * @letter: 'p' or 'r'
 */
int otst_event_owner(struct otst *o, struct otst_probe *p, const char *type, uint64_t at,
		     char letter);

/**
 * otst_dynamic_event_names() - the names of a dynamic event
 * @type: the structure around its struct trace_probe: "trace_kprobe", "trace_uprobe" ..; @at: its address
 */
int otst_dynamic_event_names(struct otst *o, const char *type, uint64_t at, const char **group,
			     const char **event);

/** otst_dynamic_event_hits() - its hits; LOOKUP where this kernel does not count them */
int otst_dynamic_event_hits(struct otst *o, const char *type, uint64_t at, uint64_t *ret);

/** otst_dynamic_event_missed() - misses of a struct trace_kprobe as kprobe_profile sums them up (kretprobe.c) */
int otst_dynamic_event_missed(struct otst *o, const char *type, uint64_t at, uint64_t *ret);

/** otst_uprobe_owner() - whose a struct uprobe_consumer is, by its handlers (uprobe.c) */
int otst_uprobe_owner(struct otst *o, uint64_t consumer, uint64_t handler, uint64_t ret_handler,
		      struct otst_probe *p);

#endif /* OTST_PROBES_H */
