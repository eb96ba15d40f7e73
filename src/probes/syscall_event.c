// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * syscall_event.c - system calls that perf watches, and BPF programs on
 * its events (kernel/trace/trace_syscalls.c). All share one callback of the
 * tracepoints sys_enter and sys_exit, which then looks for the call's own
 * struct trace_event_call.
 */
#include <inttypes.h>

#include "perf_event.h"

#define MAX_NAME   256
#define MAX_EVENTS 65536u

struct listing {
	struct otst *o;
	const char *type; /**< of the events */
	uint64_t classes[2];
	struct otst_vec probes;
	struct otst_messages errors;
};

static int add_syscall_event(struct listing *list, struct otst_view *call)
{
	struct otst_probe *p;
	uint64_t name;
	int err;

	p = otst_probe_add(list->o, &list->probes, OTST_PROBE_SYSCALL, call->addr, "ftrace_events");
	p->target = "?";
	p->claim = OTST_CLAIM_ARMED;
	p->evidence.seen = OTST_SEEN_NONE;
	p->owner.kind = OTST_OWNER_PERF;
	name = otst_u64(call, "name");
	err = call->err ? call->err : otst_read_string(list->o, name, MAX_NAME, &p->target);
	if (!err)
		otst_probe_fact(list->o, p, "perf_events", NULL,
				(int32_t)otst_u64(call, "perf_refcount"));
	err = err ?: otst_bpf_on_event(list->o, list->type, call->addr, "", p);
	err = err ?: otst_perf_on_event(list->o, list->type, call->addr, "", p);
	return otst_probe_error(list->o, p, err);
}

static int look_at_event(struct listing *list, uint64_t addr)
{
	struct otst_view call;
	uint64_t class;
	int err = otst_view_read(list->o, list->type, addr, &call);

	if (err)
		return err;
	class = otst_u64(&call, "class");
	if (call.err || (class != list->classes[0] && class != list->classes[1]))
		return call.err;
	return (int32_t)otst_u64_or(&call, "perf_refcount", 0) > 0 ?
		       add_syscall_event(list, &call) :
		       0;
}

int otst_syscall_events(struct otst *o, struct otst_probes *ret)
{
	struct listing list = {
		.o = o,
		.type = otst_event_call_type(o),
		.classes = { otst_symbol_or0(o, "event_class_syscall_enter"),
			     otst_symbol_or0(o, "event_class_syscall_exit") },
	};
	const struct otst_member *link;
	struct otst_walk w;
	uint64_t head, node;
	int err;

	if (!list.classes[0] || !list.classes[1])
		return otst_raise(o, OTST_ERR_LOOKUP, "this kernel has no events for system calls");
	err = otst_symbol(o, "ftrace_events", &head);
	err = err ?: otst_member(o, list.type, "list", &link);
	if (err)
		return err;
	otst_walk_list(o, head, &w);
	while (!err && w.steps <= MAX_EVENTS && otst_walk_next(&w, &node)) {
		err = look_at_event(&list, node - link->offset);
		if (err)
			err = otst_note(o, &list.errors,
					otst_fail(o, err, "event 0x%" PRIx64, node - link->offset));
	}
	if (!err && w.err)
		err = otst_note(o, &list.errors, otst_fail(o, w.err, "ftrace_events"));
	*ret = otst_probes_of(&list.probes, &list.errors);
	return err;
}
