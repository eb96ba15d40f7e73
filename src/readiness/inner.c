// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * inner.c - parts of decoders that made-up memory does not lead to, because what comes before
 * them asks for too much at once: each is called by itself, on one record that is made up.
 */
#include "../audit/expect.h"
#include "../base/engine.h"
#include "../events/plan.h"
#include "../ftrace/ftrace.h"
#include "../names/module_sets.h"
#include "../owners/owners.h"
#include "../probes/probes.h"
#include "../rings/rings.h"
#include "../stacks/unwinder.h"
#include "../traces/hist/hist.h"
#include "readiness.h"

#define OFF	    0x100u /* a list's head that is not an entry, too */
#define STACK_BYTES 0x4000u

static int ask_hist(struct otst *o, uint64_t at, struct otst_messages *said)
{
	struct otst_hist_map m;
	int err = otst_hist_map(o, at, &m);

	otst_notes(o, said, &m.errors);
	return err;
}

static int ask_hist_trigger(struct otst *o, uint64_t at, struct otst_messages *said)
{
	struct otst_hist h;

	(void)said;
	return otst_hist_trigger(o, at, &h);
}

/* what prints events needs their list and their fields */
static int ask_fields(struct otst *o, uint64_t at, struct otst_messages *said)
{
	const struct otst_event_format *const *all;
	struct otst_vec fields = { 0 };
	int err = otst_event_formats(o, &all);

	if (err)
		otst_note(o, said, err);
	return otst_format_fields(o, at + OFF, &fields);
}

/* the ring of one cpu */
static int ask_ring(struct otst *o, uint64_t at, struct otst_messages *said)
{
	struct otst_cpu_buffer cpu = { .addr = at };
	const struct otst_trace_buffer buffer = {
		.addr = at, .subbuf_size = otst_page_size(o), .cpus = &cpu, .nr_cpus = 1
	};
	struct otst_ring *ring;
	int err = otst_ring_open(o, &buffer, false, &ring);

	if (!err)
		otst_notes(o, said, &ring->cpus[0].errors);
	return err;
}

/* pages with instructions that probes step over */
static int ask_slot(struct otst *o, uint64_t at, struct otst_messages *said)
{
	(void)said;
	(void)otst_may_be_slot(o, at);
	return 0;
}

/* what is in the place of a jump to a detour */
static int ask_optimized(struct otst *o, uint64_t at, struct otst_messages *said)
{
	(void)said;
	return otst_kprobe_optimized(o, at);
}

/* what commands of set_ftrace_filter keep for each function */
static int ask_mapper(struct otst *o, uint64_t at, struct otst_messages *said)
{
	struct otst_hash hash = { 0 };
	int err = otst_hash_read_values(o, at, "ftrace_func_map", "data", &hash);

	if (hash.error)
		otst_note_text(o, said, hash.error);
	return err;
}

/* whose an ftrace_ops is, by what it calls */
static int ask_owner(struct otst *o, uint64_t at, struct otst_messages *said)
{
	static const char *const calls[] = { "function_trace_call", "function_trace_probe_call",
					     "klp_ftrace_handler", "fprobe_handler" };

	(void)said;
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		struct otst_ftrace_ops ops = { .addr = at };

		if (!otst_has_witness(o, calls[i]) || otst_symbol(o, calls[i], &ops.func))
			continue;
		otst_ftrace_owner(o, &ops);
		ops.private = at;
		otst_ftrace_owner(o, &ops);
	}
	return 0;
}

/* where consumers are a chain, the first one lies where made-up memory has a node without children */
static int ask_consumer(struct otst *o, const char *handler, uint64_t at,
			struct otst_messages *said)
{
	struct otst_probe p = { 0 };
	uint64_t func;
	int err = otst_has_witness(o, handler) ? otst_symbol(o, handler, &func) : OTST_ERR_LOOKUP;

	if (err)
		return 0;
	err = otst_uprobe_owner(o, at + OFF, func, 0, &p);
	if (p.error)
		otst_note_text(o, said, p.error);
	return err;
}

static int ask_event_consumer(struct otst *o, uint64_t at, struct otst_messages *said)
{
	return ask_consumer(o, "uprobe_dispatcher", at, said);
}

static int ask_link_consumer(struct otst *o, uint64_t at, struct otst_messages *said)
{
	return ask_consumer(o, "uprobe_multi_link_handler", at, said);
}

/* the records of functions that can be hooked */
static int ask_sites(struct otst *o, uint64_t at, struct otst_messages *said)
{
	const struct otst_ftrace_sites *sites;
	int err = otst_ftrace_sites(o, &sites);

	(void)at;
	if (!err)
		otst_notes(o, said, &sites->errors);
	return err;
}

static int ask_hash(struct otst *o, uint64_t at, struct otst_messages *said)
{
	struct otst_hash hash = { 0 };
	int err = otst_hash_read(o, at, false, &hash);

	if (hash.error)
		otst_note_text(o, said, hash.error);
	return err;
}

/* ---- stacks ---- */

/* a stack pointer on a task's stack, all of it made up */
static struct otst_unwind begin_unwind(struct otst *o, uint64_t at, struct otst_capture *c)
{
	struct otst_unwind u = { .o = o, .c = c, .unwinder = otst_unwinder(o) };

	*c = (struct otst_capture){ .task = at, .full = true };
	u.arch = otst_kernel(o)->arch;
	u.st = otst_stack_create(o, 1);
	u.ip = otst_text_bounds(o)->stext;
	u.sp = u.fp = at;
	u.exact = true;
	u.b = (struct otst_bounds){ .place = OTST_PLACE_TASK,
				    .begin = at - STACK_BYTES / 2,
				    .end = at + STACK_BYTES / 2 };
	u.repair.capture = c;
	return u;
}

static int ask_task(struct otst *o, uint64_t at, struct otst_messages *said)
{
	const struct otst_unwinder *u = otst_unwinder(o);
	struct otst_task task = { .addr = at, .stack = at - STACK_BYTES / 2, .sp = at };
	struct otst_capture c = { .task = at };
	struct otst_stack *st;
	uint64_t slot;
	int err = otst_task_read(o, at, &task);

	if (err)
		otst_note(o, said, err);
	if (!u || task.sp)
		return u ? u->switched(o, &task, &c, &slot) : 0;
	st = otst_stack_create(o, 1);
	err = otst_stack_save_task(o, &task, st);
	otst_stack_destroy(st);
	return err;
}

static int ask_frame(struct otst *o, uint64_t at, struct otst_messages *said)
{
	enum otst_how how = OTST_HOW_GIVEN;
	struct otst_frame f = { 0 };
	struct otst_capture c;
	struct otst_unwind u = begin_unwind(o, at, &c);
	const char *why = NULL;
	struct otst_rule r;
	bool lost;

	lost = u.unwinder && u.unwinder->find(&u, &f, &r, &how, &why) == OTST_FOUND_NOTHING;
	if (why)
		otst_note_text(o, said, why);
	otst_stack_destroy(u.st);
	return lost ? OTST_ERR_LOOKUP : 0;
}

/* ---- the audit ---- */

static int ask_audit(struct otst *o, otst_audit_fn *look, struct otst_messages *said)
{
	struct otst_audit a = { 0 };
	const struct otst_coverage *c;
	size_t i;
	int err = look(o, &a);

	otst_notes(o, said, &a.errors);
	otst_notes(o, said, &a.notes);
	for (i = 0, c = a.coverage.data; i < a.coverage.count; i++)
		otst_note_text(o, said, c[i].why);
	return err;
}

static int ask_text(struct otst *o, uint64_t at, struct otst_messages *said)
{
	struct otst_audit a = { 0 };
	int err = otst_audit_bare(o, at, &a);

	if (a.unread)
		otst_note_text(o, said, a.unread);
	otst_notes(o, said, &a.errors);
	otst_notes(o, said, &a.notes);
	return err;
}

/* BUG() and WARN() are in a table where lib/bug.c is built (CONFIG_GENERIC_BUG) */
static int ask_data(struct otst *o, uint64_t at, struct otst_messages *said)
{
	const char *why = otst_has_witness(o, "report_bug") ? otst_audit_bug_table(o) : NULL;

	(void)at;
	if (why)
		otst_note_text(o, said, why);
	return 0;
}

static int ask_records(struct otst *o, uint64_t at, struct otst_messages *said)
{
	(void)at;
	return ask_audit(o, otst_audit_records, said);
}

/* the names of system calls, by which their table is checked */
static int ask_calls(struct otst *o, uint64_t at, struct otst_messages *said)
{
	const char *name;

	(void)at, (void)said;
	return otst_syscall_name(o, 0, &name);
}

static int ask_modules(struct otst *o, uint64_t at, struct otst_messages *said)
{
	struct otst_module_members m;
	int i, err = 0;

	(void)at;
	for (i = 0; i < OTST_MODULES_SETS && !err; i++) {
		m = (struct otst_module_members){ 0 };
		err = otst_module_set_read(o, (enum otst_module_set)i, &m);
		if (m.why)
			otst_note_text(o, said, m.why);
	}
	return err;
}

static int ask_memory(struct otst *o, uint64_t at, struct otst_messages *said)
{
	const struct otst_areas *areas = otst_areas(o);

	(void)at;
	if (areas->gap)
		otst_note_text(o, said, areas->gap);
	return 0;
}

/* ---- all ---- */

static const struct otst_inner parts[] = {
	{ "probes", "ftrace", ask_hash },
	{ "probes", "ftrace", ask_owner },
	{ "probes", "kprobe", ask_slot },
	{ "probes", "kprobe", ask_optimized },
	{ "probes", "uprobe", ask_event_consumer },
	{ "probes", "uprobe_multi", ask_link_consumer },
	{ "files", "set_ftrace_filter", ask_hash },
	{ "files", "set_ftrace_filter", ask_mapper },
	{ "files", "set_ftrace_filter", ask_sites },
	{ "files", "set_ftrace_notrace", ask_hash },
	{ "files", "set_ftrace_notrace", ask_sites },
	{ "files", "stack_trace_filter", ask_hash },
	{ "files", "stack_trace_filter", ask_sites },
	{ "files", "enabled_functions", ask_hash },
	{ "traces", "ftrace", ask_fields },
	{ "traces", "ftrace", ask_ring },
	{ "traces", "snapshot", ask_ring },
	{ "traces", "hist", ask_hist },
	{ "traces", "hist", ask_hist_trigger },
	{ "stacks", "task", ask_task },
	{ "stacks", "frame", ask_frame },
	{ "audit", "text", ask_text },
	{ "audit", "data", ask_data },
	{ "audit", "record", ask_records },
	{ "audit", "record", ask_calls },
	{ "audit", "module", ask_modules },
	{ "audit", "memory", ask_memory },
};

const struct otst_inner *otst_inner(size_t i)
{
	return i < sizeof(parts) / sizeof(*parts) ? &parts[i] : NULL;
}
