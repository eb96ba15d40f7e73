// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hist_trigger.c - a hist trigger's definition: struct hist_trigger_data of
 * kernel/trace/trace_events_hist.c with its fields, sort keys and actions, and
 * the text that event_hist_trigger_print() makes of them. What it counted is
 * in its map (src/traces/hist.c).
 */
#include <inttypes.h>
#include <string.h>

#include "tracefs.h"

#define MAX_STRING 1024
#define MAX_VALUES 8
#define POINTER	   8

/* hist_field.flags; 0 for what this kernel has not */
struct flags {
	uint64_t hitcount, key, string, hex, sym, sym_offset, execname, syscall, stack, log2;
	uint64_t timestamp, usecs, var, expr, var_ref, cpu, alias, bucket, constant;
	uint64_t percent, graph, comm;
};

struct reading {
	struct otst *o;
	struct otst_hist *h;
	struct flags f;
	struct otst_view v; /* struct hist_trigger_data */
	struct otst_view attrs;
	uint32_t nr_vars;
	uint32_t nr_actions;
	int64_t onmatch, onmax, onchange;
	int64_t save, trace, snapshot;
};

static uint64_t flag(struct otst *o, const char *name)
{
	return (uint64_t)otst_enumerator_or(o, name, 0);
}

static void read_flags(struct otst *o, struct flags *f)
{
	*f = (struct flags){
		.hitcount = flag(o, "HIST_FIELD_FL_HITCOUNT"),
		.key = flag(o, "HIST_FIELD_FL_KEY"),
		.string = flag(o, "HIST_FIELD_FL_STRING"),
		.hex = flag(o, "HIST_FIELD_FL_HEX"),
		.sym = flag(o, "HIST_FIELD_FL_SYM"),
		.sym_offset = flag(o, "HIST_FIELD_FL_SYM_OFFSET"),
		.execname = flag(o, "HIST_FIELD_FL_EXECNAME"),
		.syscall = flag(o, "HIST_FIELD_FL_SYSCALL"),
		.stack = flag(o, "HIST_FIELD_FL_STACKTRACE"),
		.log2 = flag(o, "HIST_FIELD_FL_LOG2"),
		.timestamp = flag(o, "HIST_FIELD_FL_TIMESTAMP"),
		.usecs = flag(o, "HIST_FIELD_FL_TIMESTAMP_USECS"),
		.var = flag(o, "HIST_FIELD_FL_VAR"),
		.expr = flag(o, "HIST_FIELD_FL_EXPR"),
		.var_ref = flag(o, "HIST_FIELD_FL_VAR_REF"),
		.cpu = flag(o, "HIST_FIELD_FL_CPU"),
		.alias = flag(o, "HIST_FIELD_FL_ALIAS"),
		.bucket = flag(o, "HIST_FIELD_FL_BUCKET"),
		.constant = flag(o, "HIST_FIELD_FL_CONST"),
		.percent = flag(o, "HIST_FIELD_FL_PERCENT"),
		.graph = flag(o, "HIST_FIELD_FL_GRAPH"),
		.comm = flag(o, "HIST_FIELD_FL_COMM"),
	};
}

/* the string that a pointer member points to; NULL when that is 0 */
static int read_text(struct otst *o, struct otst_view *v, const char *member, const char **ret)
{
	uint64_t at = otst_u64(v, member);

	*ret = NULL;
	if (v->err || !at)
		return v->err;
	return otst_read_string(o, at, MAX_STRING, ret);
}

/*
 * Kernels whose events have a generic field for their stack call it
 * common_stacktrace here. A kernel of the time between the two, 6.3, is taken for one of them.
 */
static bool has_stack_field(struct otst *o)
{
	const struct otst_member *link;
	uint64_t head = otst_symbol_or0(o, "ftrace_generic_fields"), node;
	struct otst_walk w;
	struct otst_view v;
	const char *name;

	if (!head || otst_member(o, "ftrace_event_field", "link", &link))
		return false;
	otst_walk_list(o, head, &w);
	while (otst_walk_next(&w, &node)) {
		if (otst_view_read(o, "ftrace_event_field", node - link->offset, &v) ||
		    read_text(o, &v, "name", &name) || !name)
			continue;
		if (!strcmp(name, "stacktrace"))
			return true;
	}
	return false;
}

/* ---- one field ---- */

static int event_field_name(struct otst *o, struct otst_view *v, const char **ret)
{
	uint64_t at = otst_u64(v, "field");
	struct otst_view field;
	int err;

	*ret = NULL;
	if (v->err || !at)
		return v->err;
	err = otst_view_read(o, "ftrace_event_field", at, &field);
	return err ? err : read_text(o, &field, "name", ret);
}

/* the name of an expression, or of a variable of this or another event */
static int reference_name(struct reading *r, struct otst_view *v, uint64_t flags, const char **ret)
{
	const char *system, *event;
	int err;

	err = read_text(r->o, v, "name", ret);
	if (!err)
		err = read_text(r->o, v, "system", &system);
	if (err || !system)
		return err;
	err = read_text(r->o, v, "event_name", &event);
	if (err)
		return err;
	/* the kernels that know common_comm write the $ here, and others before it all */
	*ret = otst_format(r->o, "%s.%s.%s%s", system, event ? event : "(null)",
			   r->f.comm && flags & r->f.var_ref ? "$" : "", *ret ? *ret : "(null)");
	return *ret ? 0 : otst_no_memory(r->o);
}

/* hist_field_name() */
static int field_name(struct reading *r, uint64_t at, unsigned int level, const char **ret)
{
	const struct flags *f = &r->f;
	struct otst_view v;
	uint64_t flags, operand;
	int err;

	*ret = "";
	if (!at || level > 1)
		return 0;
	err = otst_view_read(r->o, "hist_field", at, &v);
	if (err)
		return err;
	flags = otst_u64(&v, "flags");
	err = event_field_name(r->o, &v, ret);
	if (err || *ret)
		return err;
	if (flags & (f->log2 | f->alias | f->bucket)) {
		err = otst_read_u64(r->o, otst_addr_of(&v, "operands"), &operand);
		return err ? err : field_name(r, operand, level + 1, ret);
	}
	if (flags & f->cpu)
		*ret = "common_cpu";
	else if (flags & f->comm)
		*ret = "common_comm";
	else if (flags & (f->expr | f->var_ref))
		err = reference_name(r, &v, flags, ret);
	else if (flags & f->timestamp)
		*ret = "common_timestamp";
	else if (flags & f->stack && !r->h->old_words)
		*ret = "common_stacktrace";
	else if (flags & f->hitcount && !r->h->old_words)
		*ret = "hitcount";
	if (!*ret)
		*ret = "";
	return err;
}

/* get_hist_field_flags() */
static const char *modifier(const struct reading *r, uint64_t flags)
{
	const struct flags *f = &r->f;

	return flags & f->hex	     ? "hex" :
	       flags & f->sym	     ? "sym" :
	       flags & f->sym_offset ? "sym-offset" :
	       flags & f->execname   ? "execname" :
	       flags & f->syscall    ? "syscall" :
	       flags & f->log2	     ? "log2" :
	       flags & f->bucket     ? "buckets" :
	       flags & f->usecs	     ? "usecs" :
	       flags & f->percent    ? "percent" :
	       flags & f->graph	     ? "graph" :
				       NULL;
}

/* hist_field_print() */
static int field_text(struct reading *r, struct otst_view *v, struct otst_hist_field *field)
{
	uint64_t flags = otst_u64(v, "flags");
	const char *name = field->name, *more = modifier(r, flags), *s = "";
	struct otst *o = r->o;
	bool quiet = flags & (r->f.var_ref | r->f.expr);

	if (!r->h->old_words)
		quiet |= flags & r->f.stack;
	if (field->var_name)
		s = otst_join(o, s, "%s=", field->var_name);
	/* kernels that know common_comm lack an "else" here, and go on to print the name */
	if (flags & r->f.cpu)
		s = otst_join(o, s, "common_cpu");
	if (flags & r->f.comm)
		s = otst_join(o, s, "common_comm");
	else if (flags & r->f.cpu && !r->f.comm)
		;
	else if (flags & r->f.constant)
		s = otst_join(o, s, "%" PRIu64, otst_u64(v, "constant"));
	else
		s = otst_join(o, s, "%s%s",
			      flags & (r->f.var_ref | r->f.alias) &&
					      !(r->f.comm && otst_u64(v, "system")) ?
				      "$" :
				      "",
			      name);
	if (flags && !quiet && more)
		s = otst_join(o, s, ".%s", more);
	if (field->buckets)
		s = otst_join(o, s, "=%" PRId64, (int64_t)field->buckets);
	field->text = s;
	return s ? 0 : otst_no_memory(o);
}

static enum otst_hist_form form_of(const struct reading *r, uint64_t flags)
{
	const struct flags *f = &r->f;

	return flags & f->hex	     ? OTST_HIST_HEX :
	       flags & f->sym	     ? OTST_HIST_SYM :
	       flags & f->sym_offset ? OTST_HIST_SYM_OFFSET :
	       flags & f->execname   ? OTST_HIST_EXECNAME :
	       flags & f->syscall    ? OTST_HIST_SYSCALL :
	       flags & f->stack	     ? OTST_HIST_STACK :
	       flags & f->log2	     ? OTST_HIST_LOG2 :
	       flags & f->bucket     ? OTST_HIST_BUCKETS :
	       flags & f->string     ? OTST_HIST_STRING :
	       flags & f->percent    ? OTST_HIST_PERCENT :
	       flags & f->graph	     ? OTST_HIST_GRAPH :
				       OTST_HIST_PLAIN;
}

static int read_field(struct reading *r, uint64_t at, struct otst_hist_field *field)
{
	struct otst_view v;
	uint64_t flags;
	int err;

	err = otst_view_read(r->o, "hist_field", at, &v);
	if (err)
		return err;
	flags = otst_u64(&v, "flags");
	field->form = form_of(r, flags);
	field->string = flags & r->f.string;
	field->var = flags & r->f.var;
	field->expr = flags & r->f.expr;
	field->offset = (uint32_t)otst_u64(&v, "offset");
	field->size = (uint32_t)otst_u64(&v, "size");
	field->buckets = otst_u64_or(&v, "buckets", 0);
	field->var_idx = (uint32_t)otst_u64_or(&v, "var.idx", 0);
	err = field_name(r, at, 0, &field->name);
	if (!err && otst_view_has(&v, "var.name"))
		err = read_text(r->o, &v, "var.name", &field->var_name);
	if (!err && flags & r->f.stack)
		err = event_field_name(r->o, &v, &field->stack_field);
	if (!err)
		err = field_text(r, &v, field);
	return err ? err : v.err;
}

/* ---- all fields, and by which they are sorted ---- */

static int read_fields(struct reading *r)
{
	uint64_t fields = otst_addr_of(&r->v, "fields"), at;
	uint32_t i, n = r->h->nr_vals + r->h->nr_keys;
	int err = 0;

	if (r->h->nr_vals < 1 || n > OTST_HIST_FIELDS)
		return otst_raise(r->o, OTST_ERR_CORRUPT, "%u values and %u keys", r->h->nr_vals,
				  r->h->nr_keys);
	for (i = 0; i < n && !err; i++) {
		err = otst_read_u64(r->o, fields + (uint64_t)i * POINTER, &at);
		if (!err)
			err = read_field(r, at, &r->h->fields[i]);
	}
	return err;
}

static int read_sorts(struct reading *r)
{
	uint64_t keys = otst_addr_of(&r->v, "sort_keys"), size;
	struct otst_view v;
	uint32_t i;
	int err;

	r->h->nr_sorts = (uint32_t)otst_u64(&r->v, "n_sort_keys");
	err = otst_type_size(r->o, "tracing_map_sort_key", &size);
	if (!err && r->h->nr_sorts > OTST_HIST_SORTS)
		err = otst_raise(r->o, OTST_ERR_CORRUPT, "%u sort keys", r->h->nr_sorts);
	for (i = 0; !err && i < r->h->nr_sorts; i++) {
		err = otst_view_read(r->o, "tracing_map_sort_key", keys + i * size, &v);
		if (err)
			break;
		r->h->sorts[i].field = (uint32_t)otst_u64(&v, "field_idx");
		r->h->sorts[i].descending = otst_u64(&v, "descending") & 0xff;
		err = v.err;
	}
	return err;
}

/* ---- text ---- */

static const char *add_keys(struct reading *r, const char *s)
{
	const struct otst_hist *h = r->h;
	uint32_t i;

	for (i = h->nr_vals; s && i < h->nr_vals + h->nr_keys; i++) {
		const struct otst_hist_field *k = &h->fields[i];
		const char *text = k->text;

		if (k->form == OTST_HIST_STACK && h->old_words)
			text = "stacktrace";
		else if (k->form == OTST_HIST_STACK)
			text = k->stack_field ? otst_format(r->o, "%s.stacktrace", k->stack_field) :
						"common_stacktrace";
		s = otst_join(r->o, s, "%s%s", i > h->nr_vals ? "," : "", text ? text : "?");
	}
	return s;
}

static const char *add_values(struct reading *r, const char *s)
{
	const struct otst_hist *h = r->h;
	const char *before = "";
	uint32_t i;

	s = otst_join(r->o, s, ":vals=");
	for (i = 0; s && i < h->nr_vals; i++) {
		if (h->fields[i].var || (!i && h->no_hitcount))
			continue;
		s = otst_join(r->o, s, "%s%s", before, i ? h->fields[i].text : "hitcount");
		before = ",";
	}
	before = ":";
	for (i = 0; s && i < h->nr_vals; i++) {
		if (!h->fields[i].var)
			continue;
		s = otst_join(r->o, s, "%s%s", before, h->fields[i].text);
		before = ",";
	}
	return s;
}

static const char *add_sorts(struct reading *r, const char *s)
{
	const struct otst_hist *h = r->h;
	uint32_t i, field;

	s = otst_join(r->o, s, ":sort=");
	for (i = 0; s && i < h->nr_sorts; i++) {
		field = h->sorts[i].field;
		/* keys stand behind the variables, which the map does not count */
		if (field >= h->nr_vals - r->nr_vars)
			field += r->nr_vars;
		s = otst_join(r->o, s, "%s%s%s", i ? "," : "",
			      !h->sorts[i].field	      ? "hitcount" :
			      field < h->nr_vals + h->nr_keys ? h->fields[field].text :
								"?",
			      h->sorts[i].descending ? ".descending" : "");
	}
	return s;
}

/* ---- actions ---- */

static int read_saved(struct reading *r)
{
	uint64_t list = otst_addr_of(&r->v, "save_vars"), at, var, val;
	struct otst_hist_field value;
	struct otst_view pair;
	uint32_t i;
	int err = 0;

	r->h->nr_saved = (uint32_t)otst_u64(&r->v, "n_save_vars");
	if (r->h->nr_saved > OTST_HIST_SAVED)
		return otst_raise(r->o, OTST_ERR_CORRUPT, "%u saved variables", r->h->nr_saved);
	for (i = 0; !err && i < r->h->nr_saved; i++) {
		struct otst_hist_field *s = &r->h->saved[i];

		err = otst_read_u64(r->o, list + (uint64_t)i * POINTER, &at);
		if (!err)
			err = otst_view_read(r->o, "field_var", at, &pair);
		if (err)
			break;
		var = otst_u64(&pair, "var");
		val = otst_u64(&pair, "val");
		err = read_field(r, var, s);
		if (!err)
			err = read_field(r, val, &value);
		/* the value tells how to print it, the variable where it is and its name */
		s->string = value.string;
		s->name = s->var_name ? s->var_name : "";
	}
	return err;
}

static int action_params(struct reading *r, struct otst_view *a, int64_t action, const char **s)
{
	uint64_t n = otst_u64(a, "n_params"), params = otst_addr_of(a, "params"), at, i;
	const char *before = "", *text;
	int err = 0;

	if (action == r->save) {
		for (i = 0; i < r->h->nr_saved; i++)
			*s = otst_join(r->o, *s, "%s%s", i ? "," : "", r->h->saved[i].name);
		return 0;
	}
	if (action != r->trace)
		return 0;
	if (otst_u64(a, "use_trace_keyword") & 0xff) {
		err = read_text(r->o, a, "synth_event_name", &text);
		*s = otst_join(r->o, *s, "%s", !err && text ? text : "(null)");
		before = ",";
	}
	for (i = 0; !err && i < n && i < OTST_HIST_SAVED; i++) {
		err = otst_read_u64(r->o, params + i * POINTER, &at);
		if (!err)
			err = otst_read_string(r->o, at, MAX_STRING, &text);
		if (!err)
			*s = otst_join(r->o, *s, "%s%s", before, text);
		before = ",";
	}
	return err;
}

static int add_action(struct reading *r, uint64_t at, const char **s)
{
	const char *name, *first = "", *second;
	int64_t handler, action;
	struct otst_view a, field;
	int err;

	err = otst_view_read(r->o, "action_data", at, &a);
	if (err)
		return err;
	handler = (int64_t)otst_u64(&a, "handler");
	action = (int64_t)otst_u64(&a, "action");
	err = read_text(r->o, &a, "action_name", &name);
	if (!err && handler == r->onmatch) {
		err = read_text(r->o, &a, "match_data.event_system", &first);
		if (!err)
			err = read_text(r->o, &a, "match_data.event", &second);
		if (!err)
			*s = otst_join(r->o, *s, ":onmatch(%s.%s)", first ? first : "(null)",
				       second ? second : "(null)");
	} else if (!err && (handler == r->onmax || handler == r->onchange)) {
		struct otst_hist_track *t = &r->h->tracks[r->h->nr_tracks++];

		err = read_text(r->o, &a, "track_data.var_str", &first);
		*s = otst_join(r->o, *s, ":%s(%s)", handler == r->onmax ? "onmax" : "onchange",
			       !err && first ? first : "(null)");
		if (!err)
			err = otst_view_read(r->o, "hist_field",
					     otst_u64(&a, "track_data.track_var"), &field);
		if (!err) {
			*t = (struct otst_hist_track){
				.word = handler == r->onmax ? "max" : "changed",
				.var = (uint32_t)otst_u64(&field, "var.idx"),
				.snapshot = action == r->snapshot,
			};
		}
	} else {
		return err;
	}
	*s = otst_join(r->o, *s, ".%s(", name ? name : "(null)");
	if (!err)
		err = action_params(r, &a, action, s);
	*s = otst_join(r->o, *s, ")");
	return err ? err : a.err;
}

static int add_actions(struct reading *r, const char **s)
{
	uint64_t list = otst_addr_of(&r->v, "actions"), at;
	uint32_t i;
	int err = 0;

	if (r->nr_actions > OTST_HIST_TRACKS)
		return otst_raise(r->o, OTST_ERR_CORRUPT, "%u actions", r->nr_actions);
	for (i = 0; !err && i < r->nr_actions; i++) {
		err = otst_read_u64(r->o, list + (uint64_t)i * POINTER, &at);
		if (!err)
			err = add_action(r, at, s);
	}
	return err;
}

/* ---- all of it ---- */

static int read_map(struct reading *r, uint32_t *bits)
{
	struct otst_view map;
	int err;

	r->h->map = otst_u64(&r->v, "map");
	err = otst_view_read(r->o, "tracing_map", r->h->map, &map);
	if (err)
		return err;
	*bits = (uint32_t)otst_u64(&map, "map_bits");
	return map.err;
}

static int make_text(struct reading *r, struct otst_view *data)
{
	const char *s = "hist:", *text;
	struct otst *o = r->o;
	uint32_t bits;
	int err;

	err = read_text(o, data, "name", &text);
	if (!err && text)
		s = otst_join(o, s, "%s:", text);
	if (!err)
		err = read_map(r, &bits);
	if (err)
		return err;
	s = add_keys(r, otst_join(o, s, "keys="));
	s = otst_join(o, add_sorts(r, add_values(r, s)), ":size=%" PRIu64,
		      bits < 32 ? UINT64_C(1) << bits : 0);
	if (otst_u64_or(&r->v, "enable_timestamps", 0) & 0xff) {
		err = read_text(o, &r->attrs, "clock", &text);
		s = otst_join(o, s, ":clock=%s", !err && text ? text : "(null)");
	}
	if (r->h->no_hitcount)
		s = otst_join(o, s, ":nohitcount");
	if (!err)
		err = add_actions(r, &s);
	if (!err)
		err = read_text(o, data, "filter_str", &text);
	if (!err && text)
		s = otst_join(o, s, " if %s", text);
	s = otst_join(o, s, "%s", otst_u64(data, "paused") & 0xff ? " [paused]" : " [active]");
	r->h->text = s;
	if (!s)
		return otst_no_memory(o);
	return err ? err : data->err;
}

int otst_hist_trigger(struct otst *o, uint64_t data, struct otst_hist *ret)
{
	struct reading r = {
		.o = o,
		.h = ret,
		.onmatch = otst_enumerator_or(o, "HANDLER_ONMATCH", -1),
		.onmax = otst_enumerator_or(o, "HANDLER_ONMAX", -1),
		.onchange = otst_enumerator_or(o, "HANDLER_ONCHANGE", -1),
		.save = otst_enumerator_or(o, "ACTION_SAVE", -1),
		.trace = otst_enumerator_or(o, "ACTION_TRACE", -1),
		.snapshot = otst_enumerator_or(o, "ACTION_SNAPSHOT", -1),
	};
	struct otst_view trigger;
	int err;

	*ret = (struct otst_hist){ .old_words = !has_stack_field(o) };
	read_flags(o, &r.f);
	err = otst_view_read(o, "event_trigger_data", data, &trigger);
	if (err)
		return err;
	ret->addr = otst_u64(&trigger, "private_data");
	err = otst_view_read(o, "hist_trigger_data", ret->addr, &r.v);
	if (!err)
		err = otst_view_read(o, "hist_trigger_attrs", otst_u64(&r.v, "attrs"), &r.attrs);
	if (err)
		return err;
	ret->nr_vals = (uint32_t)otst_u64(&r.v, "n_vals");
	ret->nr_keys = (uint32_t)otst_u64(&r.v, "n_keys");
	ret->key_size = (uint32_t)otst_u64(&r.v, "key_size");
	r.nr_vars = (uint32_t)otst_u64_or(&r.v, "n_vars", 0);
	r.nr_actions = (uint32_t)otst_u64_or(&r.v, "n_actions", 0);
	ret->no_hitcount = otst_u64_or(&r.attrs, "no_hitcount", 0) & 0xff;
	err = read_fields(&r);
	if (!err)
		err = read_sorts(&r);
	if (!err && otst_view_has(&r.v, "save_vars"))
		err = read_saved(&r);
	if (!err)
		err = make_text(&r, &trigger);
	return err ? otst_fail(o, err, "hist_trigger_data 0x%" PRIx64, ret->addr) : r.v.err;
}
