// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * event.c - dynamic events of tracefs and perf's local ones that own probes:
 * struct trace_kprobe and struct trace_uprobe of kernel/trace, with the name
 * of their event and their hits.
 */
#include <string.h>

#include "../base/coverage.h"
#include "perf_event.h"

#define MAX_NAME 256

/* where the event's call and class are kept */
struct place {
	const char *type; /* structure that has both */
	uint64_t addr;
	const char *call; /* its members */
	const char *class;
	const char *prefix; /* of members of the call */
};

static int find_event(struct otst *o, const char *type, uint64_t at, struct place *ret)
{
	uint64_t event;
	int err;

	/* Linux 60d53e2c3b75 ("tracing/probe: Split trace_event related data from trace_probe") (v5.4) */
	if (otst_has_member(o, type, "tp.event")) {
		err = otst_read_member(o, type, at, "tp.event", &event);
		*ret = (struct place){ "trace_probe_event", event, "call.name", "class.system",
				       "call." };
		return err;
	}
	/* Linux c31ffb3ff633 ("tracing/kprobes: Factor out struct trace_probe") (v3.14) */
	if (otst_has_member(o, type, "tp.call"))
		*ret = (struct place){ type, at, "tp.call.name", "tp.class.system", "tp.call." };
	else
		*ret = (struct place){ type, at, "call.name", "class.system", "call." };
	/* the newest name is the one to miss */
	return otst_has_member(o, type, ret->call) ?
		       0 :
		       otst_read_member(o, type, at, "tp.event", &event);
}

/* probes of perf_event_open() never enter the list of dynamic events */
static int is_listed_event(struct otst *o, const char *type, uint64_t at, bool *ret)
{
	const struct otst_member *m;
	uint64_t next;
	int err;

	if (otst_member(o, type, "devent.list", &m) &&
	    otst_lack(o, otst_member(o, type, otst_either(o, type, "devent", "list"), &m))) {
		*ret = true;
		return 0;
	}
	err = otst_read_u64(o, at + m->offset, &next);
	if (!err)
		*ret = next != at + m->offset;
	return err;
}

int otst_dynamic_event_hits(struct otst *o, const char *type, uint64_t at, uint64_t *ret)
{
	const struct otst_member *m;
	int err = otst_member(o, type, "nhit", &m);

	if (err == OTST_ERR_LOOKUP)
		err = otst_member(o, type, "nhits", &m);
	err = err ?: otst_read_u64(o, at + m->offset, ret);
	/*
	 * later kernels count per cpu, for uprobes since Linux 10cdb82aa77f
	 * ("uprobes: turn trace_uprobe's nhit counter to be per-CPU one") (v6.12);
	 * the member is then a pointer
	 */
	if (!err && m->kind == OTST_KIND_POINTER)
		err = otst_percpu_sum(o, *ret, ret);
	return err;
}

static int read_hits(struct otst *o, const char *type, uint64_t at, struct otst_probe *p)
{
	const struct otst_member *m;
	int err;

	if (otst_member(o, type, "nhit", &m) && otst_member(o, type, "nhits", &m)) {
		/* events of fprobes and of events count nothing */
		if (strcmp(type, "trace_fprobe") != 0 && strcmp(type, "trace_eprobe") != 0)
			otst_lack(o, OTST_ERR_LOOKUP);
		return 0;
	}
	err = otst_dynamic_event_hits(o, type, at, &p->hits);
	if (err)
		return otst_fail(o, err, "hits");
	p->hits_known = true;
	return 0;
}

int otst_dynamic_event_names(struct otst *o, const char *type, uint64_t at, const char **group,
			     const char **event)
{
	struct place place;
	int err = find_event(o, type, at, &place);

	if (!err)
		err = otst_read_member_string(o, place.type, place.addr, place.class, MAX_NAME,
					      group);
	return err ? err :
		     otst_read_member_string(o, place.type, place.addr, place.call, MAX_NAME,
					     event);
}

int otst_event_owner(struct otst *o, struct otst_probe *p, const char *type, uint64_t at,
		     char letter)
{
	const char *group, *event;
	struct place place;
	bool listed;
	int err;

	p->owner.event_type = letter;
	err = find_event(o, type, at, &place);
	err = err ?: otst_dynamic_event_names(o, type, at, &group, &event);
	err = err ?: is_listed_event(o, type, at, &listed);
	if (err)
		return otst_fail(o, err, "trace event of the probe");
	p->owner.kind = listed ? OTST_OWNER_EVENT : OTST_OWNER_PERF;
	p->owner.name = otst_format(o, "%s:%s", group, event);
	if (listed)
		otst_event_holder(o, p, group, event);
	err = otst_bpf_on_event(o, place.type, place.addr, place.prefix, p);
	err = err ?: otst_perf_on_event(o, place.type, place.addr, place.prefix, p);
	return err ? err : read_hits(o, type, at, p);
}
