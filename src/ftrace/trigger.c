// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trigger.c - struct event_trigger_data of kernel/trace/trace.h, as the print
 * functions of kernel/trace/trace_events_trigger.c show it in an event's
 * trigger file. Which one that is tells the kind of the trigger.
 */
#include <inttypes.h>
#include <string.h>

#include "tracefs.h"

#define MAX_FILTER 4096

struct kind {
	const char *print;
	const char *name;
};

static const struct kind kinds[] = {
	{ "traceon_trigger_print", "traceon" },
	{ "traceoff_trigger_print", "traceoff" },
	{ "snapshot_trigger_print", "snapshot" },
	{ "stacktrace_trigger_print", "stacktrace" },
};

/* " if FILTER" */
static int read_condition(struct otst *o, struct otst_view *v, const char **ret)
{
	uint64_t at = otst_u64(v, "filter_str");
	const char *s;
	int err;

	*ret = "";
	if (v->err || !at)
		return v->err;
	err = otst_read_string(o, at, MAX_FILTER, &s);
	if (!err)
		*ret = otst_format(o, " if %s", s);
	return err || *ret ? err : otst_no_memory(o);
}

static int format_counted(struct otst *o, struct otst_view *v, const char *what, const char **ret)
{
	int64_t count = (int64_t)otst_u64(v, "count");
	const char *condition;
	int err = read_condition(o, v, &condition);

	if (err)
		return err;
	if (count == -1)
		*ret = otst_format(o, "%s:unlimited%s", what, condition);
	else
		*ret = otst_format(o, "%s:count=%" PRId64 "%s", what, count, condition);
	return *ret ? 0 : otst_no_memory(o);
}

/* event_enable_trigger_print() */
static int format_enable(struct otst *o, struct otst_view *v, const char **ret)
{
	const char *system, *name, *what;
	struct otst_view e, file;
	int err;

	err = otst_view_read(o, "enable_trigger_data", otst_u64(v, "private_data"), &e);
	if (!err)
		err = otst_view_read(o, "trace_event_file", otst_u64(&e, "file"), &file);
	if (!err)
		err = otst_event_name(o, otst_u64(&file, "event_call"), &system, &name);
	if (err)
		return err;
	what = otst_format(o, "%s_%s:%s:%s", otst_u64(&e, "enable") ? "enable" : "disable",
			   otst_u64_or(&e, "hist", 0) ? "hist" : "event", system, name);
	return what ? format_counted(o, v, what, ret) : otst_no_memory(o);
}

/* the print function: of the trigger's own operations, of its command's in 6.18 and newer */
static int find_print(struct otst *o, struct otst_view *v, uint64_t *ret)
{
	struct otst_view ops;
	int err;

	if (otst_view_has(v, "ops"))
		err = otst_view_read(o, "event_trigger_ops", otst_u64(v, "ops"), &ops);
	else
		err = otst_view_read(o, "event_command", otst_u64(v, "cmd_ops"), &ops);
	if (err)
		return err;
	*ret = otst_u64(&ops, "print");
	return ops.err;
}

static int format_hist(struct otst *o, struct otst_trigger *t, struct otst_view *v)
{
	struct otst_hist *h = otst_alloc(o, sizeof(*h));
	int err;

	if (!h)
		return otst_no_memory(o);
	t->hist = otst_u64(v, "private_data");
	err = otst_hist_trigger(o, t->addr, h);
	t->text = h->text;
	return err;
}

static int read_trigger(struct otst *o, struct otst_trigger *t)
{
	struct otst_sym sym;
	struct otst_view v;
	uint64_t print;
	size_t i;
	int err;

	err = otst_view_read(o, "event_trigger_data", t->addr, &v);
	if (!err)
		err = find_print(o, &v, &print);
	if (err)
		return err;
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (otst_handler_is(o, print, kinds[i].print))
			return format_counted(o, &v, kinds[i].name, &t->text);
	}
	if (otst_handler_is(o, print, "event_enable_trigger_print"))
		return format_enable(o, &v, &t->text);
	if (otst_handler_is(o, print, "event_hist_trigger_print") ||
	    otst_handler_is(o, print, "event_hist_trigger_named_print"))
		return format_hist(o, t, &v);
	/* an event probe's trigger is not printed */
	if (otst_handler_is(o, print, "eprobe_trigger_print"))
		return 0;
	otst_symbolize(o, print, &sym);
	return otst_raise(o, OTST_ERR_CORRUPT, "no trigger is printed by %s",
			  sym.name ? sym.name : "an unknown function");
}

int otst_triggers(struct otst *o, const struct otst_event_file *e, struct otst_vec *ret,
		  struct otst_vec *errors)
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

		if (!t)
			return otst_no_memory(o);
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
