// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * event_file.c - the events of a trace array: the list trace_array.events of
 * struct trace_event_file (include/linux/trace_events.h; ftrace_event_file
 * before 4.2), each with its struct trace_event_call, whether it is enabled,
 * its filter and whether it has triggers.
 */
#include <inttypes.h>

#include "../base/coverage.h"
#include "event_file.h"

#define MAX_NAME   256
#define MAX_FILTER 4096

/* values of the kernel's enumerators; 0 for those it does not have */
struct flags {
	uint64_t enabled;
	uint64_t soft_disabled;
	uint64_t soft_mode;
	uint64_t ignore_enable;
	uint64_t tracepoint;
	uint64_t custom;
};

static uint64_t file_flag_bit(struct otst *o, const char *name)
{
	int64_t n = otst_enumerator_or(o, name, -1);

	return n < 0 || n > 63 ? 0 : UINT64_C(1) << n;
}

static uint64_t either_type(uint64_t a, uint64_t b)
{
	return a ? a : b;
}

static uint64_t call_flag(struct otst *o, const char *flag, const char *bit)
{
	return either_type((uint64_t)otst_enumerator_or(o, flag, 0), file_flag_bit(o, bit));
}

/* FTRACE_EVENT_FL_ and struct ftrace_event_file up to v4.1, EVENT_FILE_FL_ and struct trace_event_file since */
static void read_file_flags(struct otst *o, struct flags *f)
{
	f->enabled = either_type(file_flag_bit(o, "EVENT_FILE_FL_ENABLED_BIT"),
				 file_flag_bit(o, "FTRACE_EVENT_FL_ENABLED_BIT"));
	f->soft_disabled = either_type(file_flag_bit(o, "EVENT_FILE_FL_SOFT_DISABLED_BIT"),
				       file_flag_bit(o, "FTRACE_EVENT_FL_SOFT_DISABLED_BIT"));
	f->soft_mode = either_type(file_flag_bit(o, "EVENT_FILE_FL_SOFT_MODE_BIT"),
				   file_flag_bit(o, "FTRACE_EVENT_FL_SOFT_MODE_BIT"));
	/* clang leaves out an enum of which only constants of another one are made: its types have no .._BIT */
	f->ignore_enable =
		call_flag(o, "TRACE_EVENT_FL_IGNORE_ENABLE", "TRACE_EVENT_FL_IGNORE_ENABLE_BIT");
	f->tracepoint = call_flag(o, "TRACE_EVENT_FL_TRACEPOINT", "TRACE_EVENT_FL_TRACEPOINT_BIT");
	f->custom = call_flag(o, "TRACE_EVENT_FL_CUSTOM", "TRACE_EVENT_FL_CUSTOM_BIT");
}

const char *otst_event_file_type(struct otst *o)
{
	return otst_has_type(o, "trace_event_file") ? "trace_event_file" : "ftrace_event_file";
}

const char *otst_event_call_type(struct otst *o)
{
	return otst_has_type(o, "trace_event_call") ? "trace_event_call" : "ftrace_event_call";
}

const char *otst_event_class_type(struct otst *o)
{
	return otst_has_type(o, "trace_event_class") ? "trace_event_class" : "ftrace_event_class";
}

/* trace_event_name(): a tracepoint's event has the tracepoint's name, unless it has its own */
static int read_event_name(struct otst *o, const struct flags *f, struct otst_view *call,
			   const char **ret)
{
	uint64_t flags = otst_u64(call, "flags"), name;
	struct otst_view tp;
	int err;

	if (flags & f->custom || !(flags & f->tracepoint)) {
		name = otst_u64(call, "name");
	} else {
		err = otst_view_follow(call, "tp", "tracepoint", &tp);
		return err ?: otst_view_string(&tp, "name", MAX_NAME, ret);
	}
	return call->err ? call->err : otst_read_string(o, name, MAX_NAME, ret);
}

static int read_system(struct otst *o, struct otst_view *call, struct otst_view *class,
		       const char **ret)
{
	int err = otst_view_follow(call, "class", otst_event_class_type(o), class);

	return err ?: otst_view_string(class, "system", MAX_NAME, ret);
}

int otst_event_name(struct otst *o, uint64_t call, const char **system, const char **name)
{
	struct otst_view v, class;
	struct flags f;
	int err;

	read_file_flags(o, &f);
	err = otst_view_read(o, otst_event_call_type(o), call, &v);
	err = err ?: read_event_name(o, &f, &v, name);
	return err ? err : read_system(o, &v, &class, system);
}

static int read_filter(struct otst *o, struct otst_view *file, struct otst_view *call,
		       struct otst_event_file *e)
{
	/* Linux f306cc82a93d ("tracing: Update event filters for multibuffer") (v3.13) */
	uint64_t at = otst_view_has(file, "filter") ? otst_u64(file, "filter") :
						      otst_u64_or(call, "filter", 0);
	struct otst_view v;
	uint64_t string;
	int err;

	if (!at)
		return 0;
	err = otst_view_read(o, "event_filter", at, &v);
	if (err)
		return err;
	string = otst_u64(&v, "filter_string");
	if (v.err || !string)
		return v.err;
	return otst_read_string(o, string, MAX_FILTER, &e->filter);
}

static int read_triggers(struct otst *o, struct otst_view *v, struct otst_event_file *e)
{
	uint64_t next;
	int err;

	if (!otst_view_has(v, "triggers"))
		return 0;
	e->triggers = otst_addr_of(v, "triggers");
	err = otst_read_u64(o, e->triggers, &next);
	e->has_triggers = !err && next != e->triggers;
	return err;
}

static int read_call(struct otst *o, const struct flags *f, struct otst_view *file,
		     struct otst_event_file *e)
{
	struct otst_view call, class, event;
	int err = otst_view_read(o, otst_event_call_type(o), e->call, &call);

	/* read the name last: an event with a name then has a system */
	err = err ?: read_system(o, &call, &class, &e->system);
	/* one without the other names no event */
	if (err)
		e->name = NULL;
	err = err ?: read_event_name(o, f, &call, &e->name);
	err = err ?: otst_view_sub(&call, "event", "trace_event", &event);
	if (err)
		return err;
	e->id = otst_u64(&event, "type");
	e->can_enable = otst_u64(&class, "reg") && !(otst_u64(&call, "flags") & f->ignore_enable);
	err = read_filter(o, file, &call, e);
	return err ? err : call.err ? call.err : class.err;
}

static int read_file(struct otst *o, const struct flags *f, struct otst_event_file *e)
{
	struct otst_view v;
	uint64_t flags;
	int err = otst_view_read(o, otst_event_file_type(o), e->addr, &v);

	if (err)
		return err;
	flags = otst_u64(&v, "flags");
	e->call = otst_u64(&v, "event_call");
	e->enabled = flags & f->enabled;
	e->soft_disabled = flags & f->soft_disabled;
	/* 6.18 and newer have no bit for soft mode, and look at the number of its users */
	e->soft_mode = f->soft_mode ? (flags & f->soft_mode) != 0 : otst_u64_or(&v, "sm_ref", 0);
	err = v.err;
	err = err ?: read_triggers(o, &v, e);
	return err ? err : read_call(o, f, &v, e);
}

static int read_files(struct otst *o, uint64_t head, struct otst_event_files *ret)
{
	const struct otst_member *link;
	struct otst_vec files = { 0 };
	struct otst_walk w;
	struct flags f;
	uint64_t node;
	int err;

	read_file_flags(o, &f);
	err = otst_member(o, otst_event_file_type(o), "list", &link);
	if (err)
		return err;
	otst_walk_list(o, head, &w);
	while (!err && otst_walk_next(&w, &node)) {
		struct otst_event_file *e = otst_vec_push(o, &files, sizeof(*e));

		e->addr = node - link->offset;
		err = read_file(o, &f, e);
		if (err && !otst_fatal(err)) {
			(void)otst_lack(o, err);
			e->error = otst_strdup(o, otst_message(o));
			err = otst_note(o, &ret->errors,
					otst_fail(o, err, "event 0x%" PRIx64, e->addr));
		}
	}
	ret->items = files.data;
	ret->count = files.count;
	if (!err && w.err)
		err = otst_note(o, &ret->errors, otst_fail(o, w.err, "events"));
	return err;
}

/* what was read for one array in this command */
struct known {
	uint64_t array;
	struct otst_event_files files;
};

int otst_event_files(struct otst *o, const struct otst_trace_array *a,
		     const struct otst_event_files **ret)
{
	static const char key;
	void **memo = otst_memo(o, &key);
	const struct otst_member *events;
	struct otst_vec *list;
	struct known *k, **slot;
	int err;

	if (!*memo)
		*memo = otst_new(o, sizeof(*list));
	list = *memo;
	if (!list)
		return otst_no_memory(o);
	for (size_t i = 0; i < list->count; i++) {
		k = ((struct known **)list->data)[i];
		if (k->array == a->addr) {
			*ret = &k->files;
			return 0;
		}
	}
	err = otst_member(o, "trace_array", "events", &events);
	if (err)
		return err;
	k = otst_new(o, sizeof(*k));
	k->array = a->addr;
	err = read_files(o, a->addr + events->offset, &k->files);
	if (err)
		return err;
	slot = otst_vec_push(o, list, sizeof(*slot));
	*slot = k;
	*ret = &k->files;
	return 0;
}
