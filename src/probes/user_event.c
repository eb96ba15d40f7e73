// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * user_event.c - events that programs define and report through user_events_data: struct
 * user_event of kernel/trace/trace_events_user.c, in the register_table of init_group. A row
 * is an event, whether or not somebody listens: its status says that to the programs, its
 * tracepoint has the callbacks.
 */
#include <inttypes.h>
#include <string.h>

#include "perf_event.h"

#define MAX_NAME  512u /* MAX_EVENT_DESC */
#define MAX_FUNCS 64u
#define PERSISTS  1 /* USER_EVENT_REG_PERSIST of include/uapi/linux/user_events.h, 6.8 to 7.2 */

struct listing {
	struct otst *o;
	struct otst_vec probes;
	struct otst_messages errors;
};

/* ---- the table ---- */

static int walk_bucket(struct otst *o, uint64_t head, uint64_t link, struct otst_vec *ret)
{
	struct otst_walk w;
	uint64_t node, *slot;

	otst_walk_hlist(o, head, &w);
	while (otst_walk_next(&w, &node)) {
		slot = otst_vec_push(o, ret, sizeof(*slot));
		*slot = node - link;
	}
	return w.err;
}

int otst_user_events(struct otst *o, struct otst_vec *ret, struct otst_messages *errors)
{
	const struct otst_member *table, *link;
	uint64_t group, i;
	int err;

	if (!otst_has_symbol(o, "init_group"))
		return otst_raise(o, OTST_ERR_LOOKUP, "this kernel has no user events");
	err = otst_member(o, "user_event_group", "register_table", &table);
	err = err ?: otst_member(o, "user_event", "node", &link);
	err = err ?: otst_read_u64(o, otst_symbol_or0(o, "init_group"), &group);
	/* their set-up may have failed at boot */
	for (i = 0; !err && group && i < table->size / 8; i++) {
		err = walk_bucket(o, group + table->offset + 8 * i, link->offset, ret);
		if (err)
			err = otst_note(o, errors,
					otst_fail(o, err, "register_table[%" PRIu64 "]", i));
	}
	return err;
}

/* ---- one event ---- */

int otst_user_event_read(struct otst *o, uint64_t addr, struct otst_user_event *ret)
{
	/* Linux 64805e4039a2 ("tracing/user_events: Introduce multi-format events") (v6.9) */
	const char *name = otst_either(o, "user_event", "reg_name", "tracepoint.name");
	uint64_t status;
	int err = otst_read_member_string(o, "user_event", addr, name, MAX_NAME, &ret->name);

	if (!err)
		err = otst_read_member_string(o, "user_event", addr, "tracepoint.name", MAX_NAME,
					      &ret->event);
	if (!err)
		err = otst_read_member_string(o, "user_event", addr, "class.system", MAX_NAME,
					      &ret->system);
	err = err ?: otst_read_member(o, "user_event", addr, "status", &status);
	if (!err)
		ret->status = (uint8_t)status;
	return err;
}

const char *otst_user_event_users(struct otst *o, uint8_t status)
{
	return otst_format(o, "%s%s%s", status & OTST_USER_EVENT_FTRACE ? " ftrace" : "",
			   status & OTST_USER_EVENT_PERF ? " perf" : "",
			   status & OTST_USER_EVENT_OTHER ? " other" : "");
}

/* ---- what its tracepoint has ---- */

/* @ret: their names; NULL when there are none */
static int read_callbacks(struct otst *o, uint64_t addr, const char **ret)
{
	const char *names = NULL;
	struct otst_sym sym;
	uint64_t at, func, size, i;
	int err = otst_read_member(o, "user_event", addr, "tracepoint.funcs", &at);

	err = err ?: otst_type_size(o, "tracepoint_func", &size);
	for (i = 0; !err && at && i < MAX_FUNCS; i++) {
		err = otst_read_member(o, "tracepoint_func", at + i * size, "func", &func);
		if (err || !func)
			break;
		otst_symbolize_code(o, func, &sym);
		names = otst_format(o, "%s%s%s", names ? names : "", names ? " " : "",
				    otst_sym_name(o, func, &sym));
	}
	*ret = names;
	return err;
}

static int judge_status(struct otst *o, struct otst_probe *p, uint64_t addr, uint8_t status)
{
	const char *callbacks;
	int err = read_callbacks(o, addr, &callbacks);

	if (err)
		return otst_fail(o, err, "callbacks of its tracepoint");
	if (status && !callbacks)
		p->disagree = "its programs are told to report it, but nobody listens";
	if (!status && callbacks)
		p->disagree = "somebody listens, but its programs are told not to report it";
	if (callbacks)
		otst_probe_fact(o, p, "callbacks", callbacks, 0);
	return 0;
}

static int add_facts(struct otst *o, struct otst_probe *p, uint64_t addr,
		     const struct otst_user_event *e)
{
	int64_t persists = otst_enumerator_or(o, "USER_EVENT_REG_PERSIST", PERSISTS);
	uint64_t refs, flags;
	int err;

	if (e->status)
		otst_probe_fact(o, p, "used_by", otst_user_event_users(o, e->status) + 1, 0);
	if (e->name != e->event && strcmp(e->name, e->event))
		otst_probe_fact(o, p, "registered_as", e->name, 0);
	err = otst_read_member(o, "user_event", addr, "refcnt.refs.counter", &refs);
	if (!err)
		otst_probe_fact(o, p, "references", NULL, (int64_t)refs);
	/* before Linux 5dbd04eddb2c ("tracing/user_events: Allow events to persist for
	 * perfmon_capable users") (v6.7) they went with their last user */
	if (err || !otst_has_member(o, "user_event", "reg_flags"))
		return err;
	err = otst_read_member(o, "user_event", addr, "reg_flags", &flags);
	if (!err)
		otst_probe_fact(o, p, "persists", flags & (uint64_t)persists ? "yes" : "no", 0);
	return err;
}

static int add_user_event(struct listing *list, uint64_t addr)
{
	struct otst *o = list->o;
	struct otst_probe *p = otst_probe_add(o, &list->probes, OTST_PROBE_USER_EVENT, addr,
					      "register_table of user events");
	struct otst_user_event e;
	int err;

	p->target = "?";
	p->evidence.seen = OTST_SEEN_NONE;
	err = otst_user_event_read(o, addr, &e);
	if (err)
		return otst_probe_error(o, p, err);
	p->target = otst_format(o, "%s:%s", e.system, e.event);
	p->claim = e.status ? OTST_CLAIM_ARMED : OTST_CLAIM_DISABLED;
	p->owner.kind = OTST_OWNER_EVENT;
	p->owner.name = p->target;
	err = judge_status(o, p, addr, e.status);
	err = err ?: add_facts(o, p, addr, &e);
	err = err ?: otst_bpf_on_event(o, "user_event", addr, "call.", p);
	err = err ?: otst_perf_on_event(o, "user_event", addr, "call.", p);
	return otst_probe_error(o, p, err);
}

int otst_user_event_probes(struct otst *o, struct otst_probes *ret)
{
	struct listing list = { .o = o };
	struct otst_vec events = { 0 };
	int err = otst_user_events(o, &events, &list.errors);

	for (size_t i = 0; i < events.count && !err; i++)
		err = add_user_event(&list, ((const uint64_t *)events.data)[i]);
	*ret = otst_probes_of(&list.probes, &list.errors);
	return err;
}
