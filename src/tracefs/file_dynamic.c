// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * file_dynamic.c - events created at run time, as their users wrote them:
 * dynamic_events, kprobe_events, uprobe_events, synthetic_events, and the hits
 * of kprobes and uprobes (kernel/trace/trace_dynevent.c and the show functions of
 * trace_kprobe.c, trace_uprobe.c, trace_eprobe.c, trace_fprobe.c,
 * trace_events_synth.c and trace_events_user.c).
 */
#include <inttypes.h>
#include <string.h>

#include "../built/disassemble.h"
#include "../events/events.h"
#include "../probes/probes.h"
#include "tracefs.h"

#define MAX_ARGS   128u /* MAX_TRACE_ARGS */
#define MAX_FIELDS 64u	/* SYNTH_FIELDS_MAX */
#define MAX_STRING 256

/* of a user event: its text has 512 characters, and a field at least 4 of them */
#define MAX_USER_FIELDS 128u

/**
 * struct event - one dynamic event while its line is built
 * @at: the structure around its link, of type @type
 * @prefix: prefix of the members of struct trace_probe: "tp.", or "" if @type has them itself
 */
struct event {
	struct otst *o;
	const char *type;
	uint64_t at;
	const char *prefix;
	struct otst_text text;
};

/**
 * struct kind - one kind of dynamic event
 * @show: the kernel function that prints one; dyn_event_operations.show points to it
 * @type: the structure around the link
 * @file: the file with this kind only, or NULL; @list: its own list in kernels without a common one
 * @profile: prints its hits, NULL for a kind that has none
 */
struct kind {
	const char *show;
	const char *type;
	const char *file;
	const char *list;
	int (*print)(struct event *e, bool dynamic);
	int (*profile)(struct event *e);
};

/* ---- parts of a line ---- */

static int read_value(struct event *e, const char *member, uint64_t *ret)
{
	return otst_read_member(e->o, e->type, e->at, member, ret);
}

static int put_string(struct event *e, const char *format, const char *member)
{
	const char *s;
	int err = otst_read_member_string(e->o, e->type, e->at, member, MAX_STRING, &s);

	if (!err)
		otst_text_printf(&e->text, format, s);
	return err;
}

/* ":GROUP/EVENT" */
static int put_names(struct event *e)
{
	const char *group, *event;
	int err = otst_dynamic_event_names(e->o, e->type, e->at, &group, &event);

	if (!err)
		otst_text_printf(&e->text, ":%s/%s", group, event);
	return err;
}

/* " NAME=HOW" of each argument, as it was written */
static int put_args(struct event *e)
{
	const char *args = otst_format(e->o, "%sargs", e->prefix), *name, *how;
	const struct otst_member *m;
	uint64_t nr, i, size, at;
	int err = read_value(e, otst_format(e->o, "%snr_args", e->prefix), &nr);

	err = err ?: otst_member(e->o, e->type, args, &m);
	err = err ?: otst_type_size(e->o, "probe_arg", &size);
	if (!err && (nr & UINT32_MAX) > MAX_ARGS)
		return otst_raise(e->o, OTST_ERR_CORRUPT, "%" PRIu64 " arguments", nr);
	for (i = 0; !err && i < nr; i++) {
		at = e->at + m->offset + i * size;
		err = otst_read_member_string(e->o, "probe_arg", at, "name", MAX_STRING, &name);
		if (!err)
			err = otst_read_member_string(e->o, "probe_arg", at, "comm", MAX_STRING,
						      &how);
		if (!err)
			otst_text_printf(&e->text, " %s=%s", name, how);
	}
	return err;
}

/* ---- kprobes ---- */

/* Linux 6a13a0d7b4d1 ("tracing/kprobes: Fix to show maxactive number on kprobe_events") (v5.0) */
static bool shows_maxactive(struct otst *o)
{
	const struct otst_member *m;
	bool listed = otst_has_symbol(o, "dyn_event_list");

	return !otst_member(o, "trace_kprobe", "rp.maxactive", &m) &&
	       otst_function_uses(o, listed ? "trace_kprobe_show" : "probes_seq_show", m->offset,
				  listed);
}

static int print_kprobe(struct event *e, bool dynamic)
{
	uint64_t handler, maxactive, symbol, addr, offset;
	int err = read_value(e, "rp.handler", &handler);

	(void)dynamic;
	err = err ?: read_value(e, "rp.maxactive", &maxactive);
	err = err ?: read_value(e, "symbol", &symbol);
	err = err ?: read_value(e, "rp.kp.addr", &addr);
	err = err ?: read_value(e, "rp.kp.offset", &offset);
	if (err)
		return err;
	otst_text_printf(&e->text, "%s", handler ? "r" : "p");
	if (handler && maxactive && shows_maxactive(e->o))
		otst_text_printf(&e->text, "%" PRId32, (int32_t)maxactive);
	err = put_names(e);
	if (!err && !symbol)
		otst_text_printf(&e->text, " 0x%s", otst_hashed_pointer(e->o, addr));
	else if (!err)
		err = put_string(e, " %s", "symbol");
	if (!err && symbol && offset)
		otst_text_printf(&e->text, "+%" PRIu32, (uint32_t)offset);
	return err ? err : put_args(e);
}

static int profile_kprobe(struct event *e)
{
	const char *group, *event;
	uint64_t hits, missed;
	int err = otst_dynamic_event_names(e->o, e->type, e->at, &group, &event);

	err = err ?: otst_dynamic_event_hits(e->o, e->type, e->at, &hits);
	err = err ?: otst_dynamic_event_missed(e->o, e->type, e->at, &missed);
	if (!err)
		otst_text_printf(&e->text, "  %-44s %15" PRIu64 " %15" PRIu64, event, hits, missed);
	return err;
}

/* ---- uprobes ---- */

static int print_uprobe(struct event *e, bool dynamic)
{
	uint64_t handler, offset, counter = 0;
	const struct otst_member *m;
	int err = read_value(e, "consumer.ret_handler", &handler);

	(void)dynamic;
	err = err ?: read_value(e, "offset", &offset);
	if (!err && !otst_member(e->o, e->type, "ref_ctr_offset", &m))
		err = read_value(e, "ref_ctr_offset", &counter);
	if (err)
		return err;
	otst_text_printf(&e->text, "%s", handler ? "r" : "p");
	err = put_names(e);
	err = err ?: put_string(e, " %s", "filename");
	if (err)
		return err;
	otst_text_printf(&e->text, ":0x%016" PRIx64, offset);
	if (counter)
		otst_text_printf(&e->text, "(0x%" PRIx64 ")", counter);
	return put_args(e);
}

static int profile_uprobe(struct event *e)
{
	const char *group, *event;
	uint64_t hits;
	int err = otst_dynamic_event_names(e->o, e->type, e->at, &group, &event);

	err = err ?: otst_dynamic_event_hits(e->o, e->type, e->at, &hits);
	err = err ?: put_string(e, "  %s", "filename");
	if (!err)
		otst_text_printf(&e->text, " %-44s %15" PRIu64, event, hits);
	return err;
}

/* ---- probes on events and on entries of functions by fprobe ---- */

static int print_eprobe(struct event *e, bool dynamic)
{
	int err;

	(void)dynamic;
	otst_text_printf(&e->text, "e");
	err = put_names(e);
	err = err ?: put_string(e, " %s", "event_system");
	err = err ?: put_string(e, ".%s", "event_name");
	return err ? err : put_args(e);
}

/* a tracepoint's since Linux e2d0d7b2f42d ("tracing/probes: Add tracepoint support on fprobe_events") (v6.5) */
static int is_tracepoint(struct event *e, uint64_t *ret)
{
	static const char *const members[] = { "tprobe", "tpoint" };
	const struct otst_member *m;

	*ret = 0;
	for (size_t i = 0; i < 2; i++) {
		if (!otst_member(e->o, e->type, members[i], &m))
			return read_value(e, members[i], ret);
	}
	return otst_check(e->o);
}

static int print_fprobe(struct event *e, bool dynamic)
{
	uint64_t tracepoint, exit, maxactive = 0;
	int err = is_tracepoint(e, &tracepoint);

	(void)dynamic;
	err = err ?: read_value(e, "fp.exit_handler", &exit);
	if (!err && otst_has_member(e->o, e->type, "fp.nr_maxactive"))
		err = read_value(e, "fp.nr_maxactive", &maxactive);
	if (err)
		return err;
	otst_text_printf(&e->text, "%s", tracepoint ? "t" : "f");
	if (exit && maxactive)
		otst_text_printf(&e->text, "%" PRId32, (int32_t)maxactive);
	err = put_names(e);
	err = err ?: put_string(e, exit ? " %s%%return" : " %s", "symbol");
	return err ? err : put_args(e);
}

/* ---- synthetic events ---- */

static int put_dynamic_field(struct event *e, uint64_t field, bool last)
{
	const char *type, *name, *loc;
	int err = otst_read_member_string(e->o, "synth_field", field, "type", MAX_STRING, &type);

	err = err ?: otst_read_member_string(e->o, "synth_field", field, "name", MAX_STRING, &name);
	if (err)
		return err;
	/* "__data_loc" belongs only in the event's format file */
	loc = strstr(type, "__data_loc ");
	otst_text_printf(&e->text, "%s %s%s", loc ? loc + strlen("__data_loc ") : type, name,
			 last ? "" : "; ");
	return 0;
}

static int print_synthetic(struct event *e, bool dynamic)
{
	uint64_t nr, fields, field, i;
	int err = read_value(e, "n_fields", &nr);

	err = err ?: read_value(e, "fields", &fields);
	if (err)
		return err;
	if ((nr & UINT32_MAX) > MAX_FIELDS)
		return otst_raise(e->o, OTST_ERR_CORRUPT, "%" PRIu64 " fields", nr);
	if (dynamic)
		err = put_string(e, "s:%s/", "class.system");
	err = err ?: put_string(e, "%s\t", "name");
	for (i = 0; !err && i < nr; i++) {
		err = otst_read_u64(e->o, fields + 8 * i, &field);
		err = err ?: put_dynamic_field(e, field, i + 1 == nr);
	}
	return err;
}

/* ---- user events ---- */

/* "u:NAME TYPE FIELD; TYPE FIELD"; the newest field is the first of the list */
static int put_user_fields(struct event *e)
{
	static const char structure[] = "struct ";
	const struct otst_member *fields, *link;
	uint64_t head, node, size, steps = 0;
	const char *type, *name;
	int err = otst_member(e->o, e->type, "fields", &fields);

	err = err ?: otst_member(e->o, "ftrace_event_field", "link", &link);
	if (err)
		return err;
	head = node = e->at + fields->offset;
	while (!(err = otst_read_u64(e->o, node + 8, &node)) && node != head) {
		uint64_t at = node - link->offset;

		if (++steps > MAX_USER_FIELDS)
			return otst_raise(e->o, OTST_ERR_CORRUPT, "its fields have no end");
		err = otst_read_member_string(e->o, "ftrace_event_field", at, "type", MAX_STRING,
					      &type);
		if (!err)
			err = otst_read_member_string(e->o, "ftrace_event_field", at, "name",
						      MAX_STRING, &name);
		err = err ?: otst_read_member(e->o, "ftrace_event_field", at, "size", &size);
		if (err)
			return err;
		otst_text_printf(&e->text, "%s%s %s", steps == 1 ? " " : "; ", type, name);
		if (!strncmp(type, structure, strlen(structure)))
			otst_text_printf(&e->text, " %" PRId32, (int32_t)size);
	}
	return err;
}

static int print_user(struct event *e, bool dynamic)
{
	struct otst_user_event u;
	int err = otst_user_event_read(e->o, e->at, &u);

	(void)dynamic;
	if (!err)
		otst_text_printf(&e->text, "u:%s", u.name);
	return err ? err : put_user_fields(e);
}

/* ---- the lists ---- */

static const struct kind kinds[] = {
	{ "trace_kprobe_show", "trace_kprobe", "kprobe_events", "probe_list", print_kprobe,
	  profile_kprobe },
	{ "trace_uprobe_show", "trace_uprobe", "uprobe_events", "uprobe_list", print_uprobe,
	  profile_uprobe },
	{ "synth_event_show", "synth_event", "synthetic_events", "synth_event_list",
	  print_synthetic, NULL },
	{ "eprobe_dyn_event_show", "trace_eprobe", NULL, NULL, print_eprobe, NULL },
	{ "trace_fprobe_show", "trace_fprobe", NULL, NULL, print_fprobe, NULL },
	{ "user_event_show", "user_event", NULL, NULL, print_user, NULL },
};

#define KINDS (sizeof(kinds) / sizeof(*kinds))

/* before struct trace_kprobe was split off, struct trace_probe held the kprobe itself */
static const char *type_of_field(struct otst *o, const struct kind *k)
{
	return k == kinds && otst_has_member(o, "trace_probe", "rp") ? "trace_probe" : k->type;
}

static int print_event(struct otst_array_view *a, const struct kind *k, uint64_t at, bool profile,
		       bool dynamic)
{
	struct event e = {
		.o = a->o, .type = type_of_field(a->o, k), .at = at, .text = { .o = a->o }
	};
	int err;

	e.prefix = otst_has_member(a->o, e.type, "tp.nr_args") ? "tp." : "";
	err = profile ? k->profile(&e) : k->print(&e, dynamic);
	if (!err)
		return otst_line_text(a->out, &e.text);
	return otst_note(a->o, &a->out->errors, otst_fail(a->o, err, "%s 0x%" PRIx64, e.type, at));
}

/* find the kind of the struct dyn_event at @at */
static int find_kind(struct otst *o, uint64_t at, const struct kind **ret)
{
	uint64_t ops, show;
	int err = otst_read_member(o, "dyn_event", at, "ops", &ops);

	err = err ?: otst_read_member(o, "dyn_event_operations", ops, "show", &show);
	for (size_t i = 0; !err && i < KINDS; i++) {
		if (otst_handler_is(o, show, kinds[i].show)) {
			*ret = &kinds[i];
			return 0;
		}
	}
	return err ? err : otst_raise(o, OTST_ERR_UNSUPPORTED, "it is of an unknown kind");
}

static int print_dynamic(struct otst_array_view *a, uint64_t at, const char *file, bool profile)
{
	const struct otst_member *m;
	const struct kind *k;
	int err = find_kind(a->o, at, &k);

	if (!err && file && (!k->file || strcmp(file, k->file)))
		return 0;
	err = err ?: otst_member(a->o, k->type, "devent", &m);
	if (err)
		return otst_note(a->o, &a->out->errors,
				 otst_fail(a->o, err, "dynamic event 0x%" PRIx64, at));
	return print_event(a, k, at - m->offset, profile, !file);
}

/* Linux 5448d44c3855 ("tracing: Add unified dynamic event framework") (v5.0) has one list for all */
static int walk_all(struct otst_array_view *a, uint64_t head, const char *file, bool profile)
{
	const struct otst_member *link;
	struct otst_walk w;
	uint64_t node;
	int err = otst_member(a->o, "dyn_event", "list", &link);

	if (err)
		return err;
	otst_walk_list(a->o, head, &w);
	while (!err && otst_walk_next(&w, &node))
		err = print_dynamic(a, node - link->offset, file, profile);
	return err ? err : w.err;
}

static int walk_own(struct otst_array_view *a, const struct kind *k, bool profile)
{
	const char *type = type_of_field(a->o, k);
	const struct otst_member *link;
	uint64_t head, node;
	struct otst_walk w;
	int err = otst_symbol(a->o, k->list, &head);

	err = err ?: otst_member(a->o, type, "list", &link);
	if (err)
		return err;
	otst_walk_list(a->o, head, &w);
	while (!err && otst_walk_next(&w, &node))
		err = print_event(a, k, node - link->offset, profile, false);
	return err ? err : w.err;
}

static const struct kind *kind_of_file(const char *file)
{
	for (size_t i = 0; file && i < KINDS; i++) {
		if (kinds[i].file && !strcmp(file, kinds[i].file))
			return &kinds[i];
	}
	return NULL;
}

static int print_dynamic_file(struct otst_array_view *a, const char *file, bool profile)
{
	const struct kind *k = kind_of_file(file);
	uint64_t head, show;
	int err = otst_symbol(a->o, "dyn_event_list", &head);

	if (err)
		return k && err == OTST_ERR_LOOKUP ? walk_own(a, k, profile) : err;
	/* the list is there for the sake of any kind: the file comes with its own */
	err = k ? otst_symbol(a->o, k->show, &show) : 0;
	return err ?: walk_all(a, head, file, profile);
}

int otst_file_dynamic_events(struct otst_array_view *a)
{
	return print_dynamic_file(a, NULL, false);
}

int otst_file_kprobe_events(struct otst_array_view *a)
{
	return print_dynamic_file(a, "kprobe_events", false);
}

int otst_file_uprobe_events(struct otst_array_view *a)
{
	return print_dynamic_file(a, "uprobe_events", false);
}

int otst_file_synthetic_events(struct otst_array_view *a)
{
	return print_dynamic_file(a, "synthetic_events", false);
}

int otst_file_kprobe_profile(struct otst_array_view *a)
{
	return print_dynamic_file(a, "kprobe_events", true);
}

int otst_file_uprobe_profile(struct otst_array_view *a)
{
	return print_dynamic_file(a, "uprobe_events", true);
}
