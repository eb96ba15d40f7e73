// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * trigger.c - struct event_trigger_data of kernel/trace/trace.h: the triggers of
 * an event. The function of kernel/trace/trace_events_trigger.c that prints one
 * tells its kind.
 */
#include <inttypes.h>

#include "event_file.h"

#define MAX_FILTER 4096

struct kind {
	const char *print;
	enum otst_trigger_kind kind;
};

static const struct kind kinds[] = {
	{ "traceon_trigger_print", OTST_TRIGGER_TRACEON },
	{ "traceoff_trigger_print", OTST_TRIGGER_TRACEOFF },
	{ "snapshot_trigger_print", OTST_TRIGGER_SNAPSHOT },
	{ "stacktrace_trigger_print", OTST_TRIGGER_STACKTRACE },
	{ "event_enable_trigger_print", OTST_TRIGGER_ENABLE },
	{ "event_hist_trigger_print", OTST_TRIGGER_HIST },
	{ "event_hist_trigger_named_print", OTST_TRIGGER_HIST },
	/* an event probe's trigger is not printed */
	{ "eprobe_trigger_print", OTST_TRIGGER_UNSHOWN },
};

static int read_counted(struct otst *o, struct otst_view *v, struct otst_trigger *t)
{
	uint64_t filter = otst_u64(v, "filter_str");

	t->count = (int64_t)otst_u64(v, "count");
	if (v->err || !filter)
		return v->err;
	return otst_read_string(o, filter, MAX_FILTER, &t->filter);
}

static int read_enable(struct otst *o, struct otst_view *v, struct otst_trigger *t)
{
	struct otst_view e, file;
	int err;

	err = otst_view_follow(v, "private_data", "enable_trigger_data", &e);
	err = err ?: otst_view_follow(&e, "file", "trace_event_file", &file);
	err = err ?: otst_event_name(o, otst_u64(&file, "event_call"), &t->system, &t->event);
	if (err)
		return err;
	t->enables = otst_u64(&e, "enable");
	t->of_hist = otst_u64_or(&e, "hist", 0);
	return read_counted(o, v, t);
}

/* the print function: from the trigger's own operations, or its command's in 6.18 and newer */
static int find_trigger_print(struct otst_view *v, uint64_t *ret)
{
	struct otst_view ops;
	int err;

	if (otst_view_has(v, "ops"))
		err = otst_view_follow(v, "ops", "event_trigger_ops", &ops);
	else
		err = otst_view_follow(v, "cmd_ops", "event_command", &ops);
	if (err)
		return err;
	*ret = otst_u64(&ops, "print");
	return ops.err;
}

static int read_hist(struct otst *o, struct otst_trigger *t)
{
	struct otst_hist *h = otst_alloc(o, sizeof(*h));

	t->hist = h;
	return h ? otst_hist_trigger(o, t->addr, h) : otst_no_memory(o);
}

static int read_trigger(struct otst *o, struct otst_trigger *t)
{
	struct otst_sym sym;
	struct otst_view v;
	uint64_t print;
	int err;

	err = otst_view_read(o, "event_trigger_data", t->addr, &v);
	err = err ?: find_trigger_print(&v, &print);
	if (err)
		return err;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!otst_handler_is(o, print, kinds[i].print))
			continue;
		err = kinds[i].kind == OTST_TRIGGER_HIST    ? read_hist(o, t) :
		      kinds[i].kind == OTST_TRIGGER_ENABLE  ? read_enable(o, &v, t) :
		      kinds[i].kind == OTST_TRIGGER_UNSHOWN ? 0 :
							      read_counted(o, &v, t);
		/* a histogram that was read only in part is still one */
		if (!err || t->hist)
			t->kind = kinds[i].kind;
		return err;
	}
	otst_symbolize(o, print, &sym);
	return otst_raise(o, OTST_ERR_CORRUPT, "no trigger is printed by %s",
			  sym.name ? sym.name : "an unknown function");
}

int otst_triggers(struct otst *o, const struct otst_event_file *e, struct otst_vec *ret,
		  struct otst_messages *errors)
{
	const struct otst_member *link;
	struct otst_walk w;
	uint64_t node;
	int err;

	if (!e->has_triggers)
		return 0;
	err = otst_member(o, "event_trigger_data", "list", &link);
	if (err)
		return err;
	otst_walk_list(o, e->triggers, &w);
	while (!err && otst_walk_next(&w, &node)) {
		struct otst_trigger *t = otst_vec_push(o, ret, sizeof(*t));

		t->addr = node - link->offset;
		err = read_trigger(o, t);
		if (err && !otst_fatal(err)) {
			t->error = otst_strdup(o, otst_message(o));
			err = otst_note(o, errors,
					otst_fail(o, err, "trigger 0x%" PRIx64, t->addr));
		}
	}
	if (!err && w.err)
		err = otst_note(o, errors,
				otst_fail(o, w.err, "triggers of %s",
					  e->name ? e->name : "an event"));
	return err;
}
