// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * formats.c - the list ftrace_events of kernel/trace/trace_events.c: every
 * struct trace_event_call with its fields and its print format, and from them
 * the text of its file events/SYSTEM/NAME/format (f_show() there). Modules'
 * events, those defined at run time and ftrace's own entries are in the same
 * list.
 */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/coverage.h"
#include "../base/sorted.h"
#include "../ftrace/tracing.h"
#include "plan.h"

#define MAX_NAME 256
#define MAX_ID	 UINT16_MAX

static const char memo_key;

/* one event: what callers see, and where it was found */
struct event {
	struct otst_event_format pub;
	uint64_t call;
	uint64_t print; /* function that prints a record */
	bool read;
	bool planned;
	struct otst_plan *plan;
};

/*
 * @call: "trace_event_call"; Linux 2425bcb9240f ("tracing: Rename
 * ftrace_event_{call,class} to trace_event_{call,class}") (v4.2)
 */
struct events {
	struct otst *o;
	const char *call;
	const char *class;
	struct otst_vec all; /* of struct event *, then of the public part */
	struct event *by_id[MAX_ID + 1];
	struct otst_messages errors;
	struct otst_messages notes;
	uint64_t common;
	int err;
};

static uint64_t event_flag(struct otst *o, const char *name)
{
	return (uint64_t)otst_enumerator_or(o, name, 0);
}

static bool is_dynamic(struct otst *o, uint64_t flags, const char *system)
{
	return flags & (event_flag(o, "TRACE_EVENT_FL_KPROBE") |
			event_flag(o, "TRACE_EVENT_FL_UPROBE") |
			event_flag(o, "TRACE_EVENT_FL_EPROBE") |
			event_flag(o, "TRACE_EVENT_FL_FPROBE") |
			event_flag(o, "TRACE_EVENT_FL_DYNAMIC")) ||
	       !strcmp(system, "synthetic");
}

static int read_event_names(struct events *e, struct event *ev, struct otst_view *call)
{
	uint64_t flags = otst_u64(call, "flags"), name = otst_u64(call, "name");
	uint64_t class = otst_u64(call, "class"), system;
	struct otst *o = e->o;
	struct otst_view v;
	int err = call->err;

	err = err ?: otst_view_read(o, e->class, class, &v);
	if (err)
		return err;
	system = otst_u64(&v, "system");
	if (v.err)
		return v.err;
	/*
	 * Linux de7b2973903c ("tracepoint: Use struct pointer instead of name hash
	 * for reg/unreg tracepoints") (v3.15)
	 */
	if (flags & event_flag(o, "TRACE_EVENT_FL_TRACEPOINT"))
		err = otst_read_u64(o, name, &name);
	err = err ?: otst_read_string(o, name, MAX_NAME, &ev->pub.name);
	err = err ?: otst_read_string(o, system, MAX_NAME, &ev->pub.system);
	if (!err)
		ev->pub.dynamic = is_dynamic(o, flags, ev->pub.system);
	return err;
}

static int add_event_format(struct events *e, uint64_t addr)
{
	struct event *ev = otst_new(e->o, sizeof(*ev)), **slot;
	struct otst_view call;
	uint64_t type;
	int err = otst_view_read(e->o, e->call, addr, &call);

	if (err)
		return err;
	type = otst_u64(&call, "event.type");
	err = read_event_names(e, ev, &call);
	if (err)
		return err;
	if (!type || type > MAX_ID)
		return otst_raise(e->o, OTST_ERR_CORRUPT, "the id of %s:%s is %" PRIu64,
				  ev->pub.system, ev->pub.name, type);
	ev->call = addr;
	ev->pub.id = (uint16_t)type;
	if (e->by_id[type])
		return otst_raise(e->o, OTST_ERR_CORRUPT, "%s:%s has the id of %s:%s",
				  ev->pub.system, ev->pub.name, e->by_id[type]->pub.system,
				  e->by_id[type]->pub.name);
	slot = otst_vec_push(e->o, &e->all, sizeof(*slot));
	e->by_id[type] = *slot = ev;
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct event *x = *(const struct event *const *)a;
	const struct event *y = *(const struct event *const *)b;

	return (x->pub.id > y->pub.id) - (x->pub.id < y->pub.id);
}

static int read_event_list(struct events *e)
{
	const struct otst_member *link;
	struct otst *o = e->o;
	struct otst_walk w;
	uint64_t head, node;
	int err;

	err = otst_symbol(o, "ftrace_events", &head);
	if (err)
		return otst_fail(o, err, "this kernel has no trace events");
	err = otst_member(o, e->call, "list", &link);
	if (otst_has_type(o, e->call))
		otst_lack(o, err);
	if (err)
		return err;
	e->common = otst_symbol_or0(o, "ftrace_common_fields");
	otst_walk_list(o, head, &w);
	while (!err && otst_walk_next(&w, &node)) {
		err = add_event_format(e, node - link->offset);
		if (err)
			err = otst_note(o, &e->errors,
					otst_fail(o, err, "event at 0x%" PRIx64, node));
	}
	if (!err && w.err)
		err = otst_note(o, &e->errors, otst_fail(o, w.err, "ftrace_events"));
	if (err)
		return err;
	otst_sort(e->all.data, e->all.count, sizeof(struct event *), by_id);
	return otst_vec_end(o, &e->all);
}

/* the list, read now if it was not; NULL when out of memory */
static struct events *get_events(struct otst *o)
{
	struct events **memo = (struct events **)otst_memo(o, &memo_key), *e;

	if (*memo)
		return *memo;
	e = otst_alloc(o, sizeof(*e));
	if (!e)
		return NULL;
	e->o = o;
	e->call = otst_event_call_type(o);
	e->class = otst_event_class_type(o);
	e->err = read_event_list(e);
	*memo = e;
	return e;
}

/* head of the list of an event's fields: trace_get_fields() */
static int find_fields(struct events *e, const struct event *ev, struct otst_view *class,
		       uint64_t data, uint64_t *ret)
{
	uint64_t get = otst_u64_or(class, "get_fields", 0);
	const struct otst_member *m, *call;
	struct otst *o = e->o;

	if (!get) {
		*ret = otst_addr_of(class, "fields");
		return class->err;
	}
	if (otst_handler_is(o, get, "user_event_get_fields") &&
	    !otst_member(o, "user_event", "fields", &m) &&
	    !otst_member(o, "user_event", "call", &call)) {
		*ret = ev->call - call->offset + m->offset;
		return 0;
	}
	if (!otst_handler_is(o, get, "syscall_get_enter_fields") ||
	    otst_member(o, "syscall_metadata", "enter_fields", &m))
		return otst_raise(o, OTST_ERR_UNSUPPORTED,
				  "its fields are where 0x%" PRIx64 " says", get);
	*ret = data + m->offset;
	return 0;
}

/* the function of struct trace_event_functions that prints records */
static void find_print(struct events *e, struct event *ev, struct otst_view *call)
{
	uint64_t funcs = otst_u64(call, "event.funcs");
	const struct otst_member *m;

	if (call->err || otst_lack(e->o, otst_member(e->o, "trace_event_functions", "trace", &m)) ||
	    otst_read_u64(e->o, funcs + m->offset, &ev->print))
		return;
	ev->pub.unnamed = !strcmp(ev->pub.system, "syscalls") &&
			  (otst_handler_is(e->o, ev->print, "print_syscall_enter") ||
			   otst_handler_is(e->o, ev->print, "print_syscall_exit"));
	/* Linux 4bec284cc0b9 ("tracing/user_events: Use print_format_fields() for trace output") (v6.4) */
	ev->pub.as_fields = otst_handler_is(e->o, ev->print, "user_event_print_trace") &&
			    otst_has_symbol(e->o, "print_event_fields");
}

static int read_format(struct events *e, struct event *ev)
{
	struct otst_event_format *f = &ev->pub;
	struct otst_vec fields = { 0 };
	struct otst_view call, class;
	uint64_t head = 0;
	int err = otst_view_read(e->o, e->call, ev->call, &call);

	if (err)
		return err;
	find_print(e, ev, &call);
	err = call.err;
	err = err ?: otst_view_follow(&call, "class", e->class, &class);
	if (!err && e->common)
		err = otst_format_fields(e->o, e->common, &fields);
	f->nr_common = fields.count;
	err = err ?: find_fields(e, ev, &class, otst_u64(&call, "data"), &head);
	err = err ?: otst_format_fields(e->o, head, &fields);
	if (!err && fields.count == f->nr_common && otst_view_has(&class, "fields_array"))
		err = otst_format_table(e->o, otst_u64(&class, "fields_array"), &fields);
	f->fields = fields.data;
	f->nr_fields = fields.count;
	err = err ?: otst_print_fmt_read(e->o, otst_u64(&call, "print_fmt"), &f->print_fmt);
	return err ? err : otst_format_text(e->o, f);
}

/* read the rest of an event at first use; errors stay with that event */
static int complete_event(struct events *e, struct event *ev)
{
	int err;

	if (ev->read)
		return 0;
	ev->read = true;
	err = read_format(e, ev);
	if (!err)
		return 0;
	ev->pub.error = otst_format(e->o, "format of %s:%s: %s", ev->pub.system, ev->pub.name,
				    otst_message(e->o));
	if (otst_fatal(err))
		return err;
	otst_note_text(e->o, &e->errors, ev->pub.error);
	return 0;
}

static int make_plan(struct events *e, struct event *ev)
{
	struct otst_view call;
	struct otst_plan *plan = otst_new(e->o, sizeof(*plan));
	int err = otst_view_read(e->o, e->call, ev->call, &call);

	if (!err)
		err = otst_plan_make(e->o, &ev->pub, ev->call, otst_u64(&call, "data"), ev->print,
				     plan);
	if (err)
		return err;
	plan->alone = otst_plan_is_alone(plan);
	ev->plan = plan;
	return 0;
}

/* report a guess once, even when several formats need it */
static void note_guess(struct events *e, const char *note)
{
	const char *const *told = e->notes.texts;

	for (size_t i = 0; note && i < e->notes.count; i++) {
		if (!strcmp(told[i], note))
			return;
	}
	if (note)
		otst_note_text(e->o, &e->notes, note);
}

int otst_event_plan(struct otst *o, const struct otst_event_format *f, const struct otst_plan **ret)
{
	struct events *e = get_events(o);
	struct event *ev = e ? e->by_id[f->id] : NULL;
	int err = 0;

	*ret = NULL;
	if (!e)
		return OTST_ERR_NOMEM;
	if (!ev || !f->text)
		return 0;
	if (!ev->planned) {
		ev->planned = true;
		err = make_plan(e, ev);
		/* a format that is not understood is not corrupt */
		if (otst_lack(o, err))
			err = otst_note(o, err == OTST_ERR_UNSUPPORTED ? &e->notes : &e->errors,
					otst_fail(o, err, "%s:%s is printed as raw fields",
						  f->system, f->name));
		else
			note_guess(e, ev->plan->note);
	}
	*ret = ev->plan;
	return err;
}

bool otst_event_name_matches(const struct otst_event_format *f, const char *glob)
{
	const char *colon = strchr(glob, ':');
	char system[128];
	size_t len;

	if (!colon)
		return !fnmatch(glob, f->name, 0);
	len = (size_t)(colon - glob);
	if (len >= sizeof(system))
		return false;
	memcpy(system, glob, len);
	system[len] = '\0';
	return !fnmatch(system, f->system, 0) && !fnmatch(colon + 1, f->name, 0);
}

bool otst_event_on_tracepoint(struct otst *o, const char *glob, const char *tracepoint)
{
	const struct events *e = strchr(glob, ':') ? get_events(o) : NULL;
	struct event *const *ev = e && !e->err ? e->all.data : NULL;

	for (; ev && *ev; ev++) {
		const struct otst_event_format *f = &(*ev)->pub;

		if (!f->dynamic && !strcmp(f->name, tracepoint) && otst_event_name_matches(f, glob))
			return true;
	}
	return false;
}

const struct otst_event_format *otst_event_names(struct otst *o, uint16_t id)
{
	struct events *e = get_events(o);

	return e && e->by_id[id] ? &e->by_id[id]->pub : NULL;
}

const struct otst_event_format *otst_event_format(struct otst *o, uint16_t id)
{
	const struct otst_event_format *f = otst_event_names(o, id);

	return f && !complete_event(get_events(o), get_events(o)->by_id[id]) ? f : NULL;
}

int otst_event_formats(struct otst *o, const struct otst_event_format *const **ret)
{
	struct events *e = get_events(o);
	struct event **all;
	int err = e ? e->err : OTST_ERR_NOMEM;

	if (err)
		return err;
	for (all = e->all.data; !err && *all; all++)
		err = complete_event(e, *all);
	/* the public part is its first member */
	if (!err)
		*ret = (const struct otst_event_format *const *)e->all.data;
	return err;
}

static const struct otst_messages none;

/* reads no list: when nothing has asked for an event, there is nothing to report */
static const struct events *known_events(struct otst *o)
{
	struct events **memo = (struct events **)otst_memo(o, &memo_key);

	return *memo;
}

const struct otst_messages *otst_event_errors(struct otst *o)
{
	const struct events *e = known_events(o);

	return e ? &e->errors : &none;
}

const struct otst_messages *otst_event_notes(struct otst *o)
{
	const struct events *e = known_events(o);

	return e ? &e->notes : &none;
}
