// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * file_events.c - event files of an array: for all events, for one system, for one event
 * (kernel/trace/trace_events.c, trace_events_trigger.c).
 */
#include <inttypes.h>
#include <string.h>

#include "../output/trigger.h"
#include "tracefs.h"

#define MAX_NAME    256
#define MAX_STRING  4096
#define CALL_COLUMN 32 /* get_call_len() */

static void missing_events(struct otst_array_view *a, const struct otst_event_files *files)
{
	otst_notes(a->o, &a->out->errors, &files->errors);
}

/* Linux b355247df104 ("tracing: Cache ":mod:" events for modules not loaded yet"), after v6.12 */
static int show_module_event(struct otst_array_view *a, uint64_t at)
{
	static const char *const members[] = { "match", "module", "system", "event" };
	const char *s[4] = { NULL, "?", "*", "*" };
	struct otst_view v;
	int err;

	err = otst_view_read(a->o, "event_mod_load", at, &v);
	for (size_t i = 0; !err && i < 4; i++) {
		uint64_t text = otst_u64(&v, members[i]);

		if (text)
			err = otst_read_string(a->o, text, MAX_NAME, &s[i]);
	}
	if (err)
		return err;
	return s[0] ? otst_line(a->out, "%s:mod:%s", s[0], s[1]) :
		      otst_line(a->out, "%s:%s:mod:%s", s[2], s[3], s[1]);
}

int otst_file_set_event(struct otst_array_view *a)
{
	const struct otst_event_files *files;
	const struct otst_member *link;
	struct otst_walk w;
	uint64_t node;
	int err = otst_event_files(a->o, a->array, &files);

	for (size_t i = 0; !err && i < files->count; i++) {
		if (files->items[i].enabled && files->items[i].name)
			err = otst_line(a->out, "%s:%s", files->items[i].system,
					files->items[i].name);
	}
	if (!err)
		missing_events(a, files);
	if (err || !otst_view_has(&a->v, "mod_events") ||
	    otst_member(a->o, "event_mod_load", "list", &link))
		return err;
	otst_walk_list(a->o, otst_addr_of(&a->v, "mod_events"), &w);
	while (!err && otst_walk_next(&w, &node))
		err = show_module_event(a, node - link->offset);
	return err ? err : w.err;
}

/* "sched:sched_switch" padded to the column where its filter or trigger begins */
static const char *call_column(struct otst *o, const struct otst_event_file *e)
{
	size_t len = strlen(e->system) + 1 + strlen(e->name);

	return otst_format(o, "%s:%s%*s", e->system, e->name,
			   len >= CALL_COLUMN ? 1 : (int)(CALL_COLUMN - len), "");
}

int otst_file_event_filters(struct otst_array_view *a)
{
	const struct otst_event_files *files;
	int err = otst_event_files(a->o, a->array, &files);

	for (size_t i = 0; !err && i < files->count; i++) {
		const struct otst_event_file *e = &files->items[i];
		struct otst_text t = { .o = a->o };

		if (!e->filter || !e->name || !e->can_enable)
			continue;
		/* a filter that was rejected has lines of its own below it */
		otst_text_string(&t, call_column(a->o, e));
		err = otst_split_lines(a->out, &t, e->filter);
	}
	if (!err)
		missing_events(a, files);
	return err;
}

int otst_file_event_triggers(struct otst_array_view *a)
{
	const struct otst_event_files *files;
	size_t i, k;
	int err = otst_event_files(a->o, a->array, &files);

	for (i = 0; !err && i < files->count; i++) {
		const struct otst_event_file *e = &files->items[i];
		struct otst_vec triggers = { 0 };
		const struct otst_trigger *t;
		const char *text;

		/* t_next(): not those of ftrace's own events, such as ftrace:print */
		if (!e->name || !e->can_enable)
			continue;
		err = otst_triggers(a->o, e, &triggers, &a->out->errors);
		for (k = 0, t = triggers.data; !err && k < triggers.count; k++, t++) {
			text = otst_trigger_text(a->o, t);
			if (text)
				err = otst_line(a->out, "%s%s", call_column(a->o, e), text);
		}
	}
	if (!err)
		missing_events(a, files);
	return err;
}

/* trigger_show() without a trigger */
static int show_available_triggers(struct otst_array_view *a)
{
	uint64_t head, node, text;
	const struct otst_member *link, *name;
	struct otst_vec names = { 0 };
	struct otst_text t = { .o = a->o };
	const char **slot;
	struct otst_walk w;
	int err;

	err = otst_symbol(a->o, "trigger_commands", &head);
	err = err ?: otst_member(a->o, "event_command", "list", &link);
	err = err ?: otst_member(a->o, "event_command", "name", &name);
	if (err)
		return err;
	otst_walk_list(a->o, head, &w);
	while (!err && otst_walk_next(&w, &node)) {
		slot = otst_vec_push(a->o, &names, sizeof(*slot));
		*slot = "?";
		err = otst_read_u64(a->o, node - link->offset + name->offset, &text);
		err = err ?: otst_read_string(a->o, text, MAX_NAME, slot);
	}
	otst_text_char(&t, '#');
	for (size_t i = names.count; i--;)
		otst_text_printf(&t, " %s", ((const char **)names.data)[i]);
	err = err ?: otst_line(a->out, "# Available triggers:");
	return err ? err : otst_line_text(a->out, &t);
}

/* check_user_trigger(): an event probe's does not count */
static bool has_user_trigger(const struct otst_vec *triggers)
{
	const struct otst_trigger *t = triggers->data;

	for (size_t i = 0; i < triggers->count; i++) {
		if (t[i].kind != OTST_TRIGGER_UNSHOWN || t[i].error)
			return true;
	}
	return false;
}

static int show_triggers(struct otst_array_view *a, const struct otst_event_file *e)
{
	struct otst_vec triggers = { 0 };
	const struct otst_trigger *t;
	const char *text;
	size_t i;
	int err = otst_triggers(a->o, e, &triggers, &a->out->errors);

	if (!err && !has_user_trigger(&triggers))
		return show_available_triggers(a);
	for (i = 0, t = triggers.data; !err && i < triggers.count; i++, t++) {
		text = otst_trigger_text(a->o, t);
		if (text)
			err = otst_line(a->out, "%s", text);
	}
	return err;
}

static int read_event_file(struct otst_array_view *a, const struct otst_event_file *e,
			   const char *file)
{
	struct otst_text t = { .o = a->o };

	if (e->error)
		return otst_raise(a->o, OTST_ERR_FAULT, "%s", e->error);
	/* event_create_dir() */
	if (!strcmp(file, "enable") && !e->can_enable)
		return otst_raise(a->o, OTST_ERR_USAGE,
				  "no file of an event that cannot be enabled");
	if (!strcmp(file, "enable"))
		return otst_line(a->out, "%c%s", e->enabled && !e->soft_disabled ? '1' : '0',
				 e->soft_disabled || e->soft_mode ? "*" : "");
	if (!strcmp(file, "filter"))
		return otst_split_lines(a->out, &t, e->filter ? e->filter : "none");
	if (!strcmp(file, "trigger"))
		return show_triggers(a, e);
	if (!strcmp(file, "id"))
		return otst_line(a->out, "%" PRIu64, e->id);
	return OTST_FILE_UNKNOWN;
}

/* struct trace_subsystem_dir; ftrace_subsystem_dir before 4.2 */
static int find_system(struct otst_array_view *a, const char *system, struct otst_view *ret)
{
	const struct otst_member *link;
	const char *type = otst_has_type(a->o, "trace_subsystem_dir") ? "trace_subsystem_dir" :
									"ftrace_subsystem_dir";
	const char *name, *why = NULL;
	struct otst_view dir;
	int err, unread = 0;
	struct otst_walk w;
	uint64_t node;

	err = otst_member(a->o, type, "list", &link);
	if (err)
		return err;
	otst_walk_list(a->o, otst_addr_of(&a->v, "systems"), &w);
	while (otst_walk_next(&w, &node)) {
		err = otst_view_read(a->o, type, node - link->offset, &dir);
		err = err ?: otst_view_follow(&dir, "subsystem", "event_subsystem", ret);
		err = err ?: otst_view_string(ret, "name", MAX_NAME, &name);
		if (!err && !strcmp(name, system))
			return 0;
		if (!err)
			continue;
		unread = err;
		why = otst_strdup(a->o, otst_message(a->o));
	}
	if (w.err)
		return otst_fail(a->o, w.err, "systems");
	return unread ? otst_raise(a->o, unread, "%s", why) :
			otst_raise(a->o, OTST_ERR_USAGE, "no events of a system %s",
				   otst_clean(a->o, system));
}

/* system_enable_read() */
static int show_system_enable(struct otst_array_view *a, const char *system)
{
	const struct otst_event_files *files;
	unsigned int set = 0;
	struct otst_view sub;
	int err = otst_event_files(a->o, a->array, &files);

	for (size_t i = 0; !err && i < files->count; i++) {
		const struct otst_event_file *e = &files->items[i];

		if (e->name && e->can_enable && (!system || !strcmp(e->system, system)))
			set |= e->enabled ? 2 : 1;
	}
	/* a system may have no event that can be enabled */
	if (!err && !set && system)
		err = find_system(a, system, &sub);
	return err ? err : otst_line(a->out, "%c", "?01X"[set]);
}

int otst_file_events_enable(struct otst_array_view *a)
{
	return show_system_enable(a, NULL);
}

/* print_subsystem_event_filter() */
static int show_system_filter(struct otst_array_view *a, const char *system)
{
	struct otst_text t = { .o = a->o };
	static const char *const none[] = {
		"### global filter ###", "# Use this to set filters for multiple events.",
		"# Only events with the given fields will be affected.",
		"# If no events are modified, an error message will be displayed here"
	};
	struct otst_view sub, filter;
	int err = find_system(a, system, &sub);
	uint64_t text = 0;
	const char *s;

	if (!err && otst_u64(&sub, "filter")) {
		err = otst_view_follow(&sub, "filter", "event_filter", &filter);
		text = err ? 0 : otst_u64(&filter, "filter_string");
	}
	if (!err && text)
		err = otst_read_string(a->o, text, MAX_STRING, &s);
	if (!err && text)
		return otst_split_lines(a->out, &t, s);
	for (size_t i = 0; !err && i < sizeof(none) / sizeof(*none); i++)
		err = otst_line(a->out, "%s", none[i]);
	return err;
}

int otst_file_event(struct otst_array_view *a, const char *rest)
{
	const struct otst_event_files *all;
	char *system = otst_copy(a->o, rest), *name, *file;
	int err;

	if (!system)
		return otst_stopped(a->o);
	name = strchr(system, '/');
	if (!name)
		return OTST_FILE_UNKNOWN;
	*name++ = '\0';
	file = strchr(name, '/');
	if (!file && !strcmp(name, "enable"))
		return show_system_enable(a, system);
	if (!file && !strcmp(name, "filter"))
		return show_system_filter(a, system);
	if (!file)
		return OTST_FILE_UNKNOWN;
	*file++ = '\0';
	err = otst_event_files(a->o, a->array, &all);
	for (size_t i = 0; !err && i < all->count; i++) {
		const struct otst_event_file *e = &all->items[i];

		if (e->system && e->name && !strcmp(e->system, system) && !strcmp(e->name, name))
			return read_event_file(a, e, file);
	}
	return err ? err :
		     otst_raise(a->o, OTST_ERR_USAGE, "no event %s:%s there",
				otst_clean(a->o, system), otst_clean(a->o, name));
}
