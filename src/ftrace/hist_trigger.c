// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * hist_trigger.c - a hist trigger's definition: struct hist_trigger_data of
 * kernel/trace/trace_events_hist.c with its fields, sort keys and actions. What
 * it counted is in its map (src/traces/hist/hist.c).
 */
#include <inttypes.h>
#include <string.h>

#include "../names/rodata.h"
#include "event_file.h"

#define MAX_STRING 1024
#define POINTER	   8
#define NONE	   "(null)" /* what the kernel prints for a pointer that is 0 */

/* hist_field.flags; 0 for those this kernel does not have */
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
	int64_t onmatch, onmax, onchange;
	int64_t save, trace, snapshot;
	int err; /* of a flag */
};

/* an enumerator that the kernel has if it has @sibling, which came with it or later; or 0 */
static uint64_t hist_flag(struct reading *r, const char *name, const char *sibling)
{
	uint64_t value = 0;

	r->err = r->err ?: otst_enumerator_with(r->o, name, sibling, &value);
	return value;
}

static int read_hist_flags(struct reading *r)
{
	/* 4.7, 4.17, and what came one by one */
	static const char log2[] = "HIST_FIELD_FL_LOG2", alias[] = "HIST_FIELD_FL_ALIAS";

	r->f = (struct flags){
		.hitcount = hist_flag(r, "HIST_FIELD_FL_HITCOUNT", log2),
		.key = hist_flag(r, "HIST_FIELD_FL_KEY", log2),
		.string = hist_flag(r, "HIST_FIELD_FL_STRING", log2),
		.hex = hist_flag(r, "HIST_FIELD_FL_HEX", log2),
		.sym = hist_flag(r, "HIST_FIELD_FL_SYM", log2),
		.sym_offset = hist_flag(r, "HIST_FIELD_FL_SYM_OFFSET", log2),
		.execname = hist_flag(r, "HIST_FIELD_FL_EXECNAME", log2),
		.syscall = hist_flag(r, "HIST_FIELD_FL_SYSCALL", log2),
		.stack = hist_flag(r, "HIST_FIELD_FL_STACKTRACE", log2),
		.log2 = hist_flag(r, log2, alias),
		.timestamp = hist_flag(r, "HIST_FIELD_FL_TIMESTAMP", alias),
		.usecs = hist_flag(r, "HIST_FIELD_FL_TIMESTAMP_USECS", alias),
		.var = hist_flag(r, "HIST_FIELD_FL_VAR", alias),
		.expr = hist_flag(r, "HIST_FIELD_FL_EXPR", alias),
		.var_ref = hist_flag(r, "HIST_FIELD_FL_VAR_REF", alias),
		.cpu = hist_flag(r, "HIST_FIELD_FL_CPU", alias),
		.alias = hist_flag(r, alias, "HIST_FIELD_FL_BUCKET"),
		.bucket = hist_flag(r, "HIST_FIELD_FL_BUCKET", "HIST_FIELD_FL_PERCENT"),
		.constant = hist_flag(r, "HIST_FIELD_FL_CONST", "HIST_FIELD_FL_PERCENT"),
		.percent = hist_flag(r, "HIST_FIELD_FL_PERCENT", "HIST_FIELD_FL_GRAPH"),
		.graph = hist_flag(r, "HIST_FIELD_FL_GRAPH", "HIST_FIELD_FL_GRAPH"),
		.comm = hist_flag(r, "HIST_FIELD_FL_COMM", "HIST_FIELD_FL_COMM"),
	};
	return r->err;
}

/* the string that a pointer member points to; NULL when that is 0 */
static int read_hist_text(struct otst *o, struct otst_view *v, const char *member, const char **ret)
{
	uint64_t at = otst_u64(v, member);

	*ret = NULL;
	if (v->err || !at)
		return v->err;
	return otst_read_string(o, at, MAX_STRING, ret);
}

/*
 * Kernels whose events have a generic field for their stack call it
 * common_stacktrace here. 6.3, which lies between the two changes, is treated as one of them.
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
		    read_hist_text(o, &v, "name", &name) || !name)
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
	return err ? err : read_hist_text(o, &field, "name", ret);
}

/* the name of an expression, or of a variable of this or another event */
static int reference_name(struct reading *r, struct otst_view *v, uint64_t flags, const char **ret)
{
	const char *system, *event;
	int err;

	err = read_hist_text(r->o, v, "name", ret);
	err = err ?: read_hist_text(r->o, v, "system", &system);
	if (err || !system)
		return err;
	err = read_hist_text(r->o, v, "event_name", &event);
	if (err)
		return err;
	/* kernels that know common_comm write the $ here, others before the whole name */
	*ret = otst_format(r->o, "%s.%s.%s%s", system, event ? event : "(null)",
			   r->f.comm && flags & r->f.var_ref ? "$" : "", *ret ? *ret : "(null)");
	return 0;
}

/*
 * Linux 1e3bac71c505 ("tracing/histogram: Rename "cpu" to "common_cpu"") (v5.14);
 * also in stable and vendor kernels.
 */
static const char *cpu_name(struct otst *o)
{
	static const struct otst_needle name = OTST_NEEDLE("common_cpu\0");
	bool found = false;

	return !otst_rodata_has(o, &name, 1, &found) || found ? "common_cpu" : "cpu";
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
		*ret = cpu_name(r->o);
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
	       flags & f->usecs	     ? OTST_HIST_USECS :
	       flags & f->percent    ? OTST_HIST_PERCENT :
	       flags & f->graph	     ? OTST_HIST_GRAPH :
				       OTST_HIST_PLAIN;
}

static int read_hist_field(struct reading *r, uint64_t at, struct otst_hist_field *field)
{
	const struct flags *f = &r->f;
	struct otst_view v;
	uint64_t flags;
	int err;

	err = otst_view_read(r->o, "hist_field", at, &v);
	if (err)
		return err;
	flags = otst_u64(&v, "flags");
	field->form = form_of(r, flags);
	field->string = flags & f->string;
	field->var = flags & f->var;
	field->expr = flags & f->expr;
	field->bare = flags & (f->var_ref | f->expr);
	field->cpu = flags & f->cpu ? cpu_name(r->o) : NULL;
	field->comm = flags & f->comm;
	field->is_constant = flags & f->constant;
	if (field->is_constant)
		field->constant = otst_u64(&v, "constant");
	/* kernels that know common_comm write it inside the name, after system and event */
	field->dollar = flags & (f->var_ref | f->alias) && !(f->comm && otst_u64(&v, "system"));
	field->offset = (uint32_t)otst_u64(&v, "offset");
	field->size = (uint32_t)otst_u64(&v, "size");
	field->buckets = otst_u64_or(&v, "buckets", 0);
	field->var_idx = (uint32_t)otst_u64_or(&v, "var.idx", 0);
	err = field_name(r, at, 0, &field->name);
	if (!err && otst_view_has(&v, "var.name"))
		err = read_hist_text(r->o, &v, "var.name", &field->var_name);
	if (!err && flags & r->f.stack)
		err = event_field_name(r->o, &v, &field->stack_field);
	return err ? err : v.err;
}

/* ---- all fields, and the sort keys ---- */

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
		err = err ?: read_hist_field(r, at, &r->h->fields[i]);
	}
	return err;
}

static int read_sorts(struct reading *r)
{
	uint64_t keys = otst_addr_of(&r->v, "sort_keys"), size;
	struct otst_view v;
	int err;

	r->h->nr_sorts = (uint32_t)otst_u64(&r->v, "n_sort_keys");
	err = otst_type_size(r->o, "tracing_map_sort_key", &size);
	if (!err && r->h->nr_sorts > OTST_HIST_SORTS)
		err = otst_raise(r->o, OTST_ERR_CORRUPT, "%u sort keys", r->h->nr_sorts);
	for (uint32_t i = 0; !err && i < r->h->nr_sorts; i++) {
		err = otst_view_read(r->o, "tracing_map_sort_key", keys + i * size, &v);
		if (err)
			break;
		r->h->sorts[i].field = (uint32_t)otst_u64(&v, "field_idx");
		r->h->sorts[i].descending = otst_u64(&v, "descending") & 0xff;
		err = v.err;
	}
	return err;
}

/* ---- actions ---- */

/* Linux 7d18a10c3167 ("tracing: Refactor hist trigger action code") (v5.1) named them save_vars */
static int read_saved_vars(struct reading *r)
{
	bool old = !otst_view_has(&r->v, "save_vars");
	uint64_t list = otst_addr_of(&r->v, old ? "max_vars" : "save_vars"), at, var, val;
	struct otst_hist_field value;
	struct otst_view pair;
	int err = 0;

	r->h->nr_saved = (uint32_t)otst_u64(&r->v, old ? "n_max_vars" : "n_save_vars");
	if (r->h->nr_saved > OTST_HIST_SAVED)
		return otst_raise(r->o, OTST_ERR_CORRUPT, "%u saved variables", r->h->nr_saved);
	for (uint32_t i = 0; !err && i < r->h->nr_saved; i++) {
		struct otst_hist_field *s = &r->h->saved[i];

		err = otst_read_u64(r->o, list + (uint64_t)i * POINTER, &at);
		err = err ?: otst_view_read(r->o, "field_var", at, &pair);
		if (err)
			break;
		var = otst_u64(&pair, "var");
		val = otst_u64(&pair, "val");
		err = read_hist_field(r, var, s);
		err = err ?: read_hist_field(r, val, &value);
		/* the value tells how to print it, the variable where it is and its name */
		s->string = value.string;
		s->name = s->var_name ? s->var_name : "";
	}
	return err;
}

static int read_hist_params(struct reading *r, struct otst_view *v, struct otst_hist_action *a)
{
	uint64_t n = otst_u64(v, "n_params"), params = otst_addr_of(v, "params"), at, i;
	const char **list = otst_alloc(r->o, (OTST_HIST_SAVED + 1) * sizeof(*list));
	int err = 0;

	if (!list)
		return otst_no_memory(r->o);
	a->params = list;
	if (otst_u64_or(v, "use_trace_keyword", 0) & 0xff) {
		err = read_hist_text(r->o, v, "synth_event_name", &a->synth_event);
		a->synth_event = a->synth_event ?: NONE;
	}
	for (i = 0; !err && i < n && i < OTST_HIST_SAVED; i++) {
		err = otst_read_u64(r->o, params + i * POINTER, &at);
		err = err ?: otst_read_string(r->o, at, MAX_STRING, &list[i]);
	}
	return err;
}

static int read_handler(struct reading *r, struct otst_view *v, struct otst_hist_action *a)
{
	struct otst_view field;
	int err;

	if (a->handler == OTST_HIST_ONMATCH) {
		err = read_hist_text(r->o, v, "match_data.event_system", &a->system);
		return err ? err : read_hist_text(r->o, v, "match_data.event", &a->event);
	}
	err = read_hist_text(r->o, v, "track_data.var_str", &a->var_name);
	if (!err)
		err = otst_view_follow(v, "track_data.track_var", "hist_field", &field);
	if (!err)
		a->var = (uint32_t)otst_u64(&field, "var.idx");
	return err;
}

static int read_onmatch(struct reading *r, struct otst_view *v, struct otst_hist_action *a)
{
	struct otst_view event;
	int err;

	a->handler = OTST_HIST_ONMATCH;
	a->does = OTST_HIST_TRACES;
	err = read_hist_text(r->o, v, "onmatch.match_event_system", &a->system);
	err = err ?: read_hist_text(r->o, v, "onmatch.match_event", &a->event);
	if (!err)
		err = otst_view_follow(v, "onmatch.synth_event", "synth_event", &event);
	err = err ?: read_hist_text(r->o, &event, "name", &a->name);
	return err ? err : read_hist_params(r, v, a);
}

static int read_onmax(struct reading *r, struct otst_view *v, struct otst_hist_action *a)
{
	struct otst_view field;
	int err;

	a->handler = OTST_HIST_ONMAX;
	a->does = OTST_HIST_SAVES;
	err = read_hist_text(r->o, v, "onmax.var_str", &a->var_name);
	err = err ?: read_hist_text(r->o, v, "onmax.fn_name", &a->name);
	err = err ?: otst_view_follow(v, "onmax.max_var", "hist_field", &field);
	if (!err)
		a->var = (uint32_t)otst_u64(&field, "var.idx");
	return err;
}

/* before that commit, an action's function tells what it is: print_actions_spec() */
static int read_by_function(struct reading *r, struct otst_view *v, struct otst_hist_action *a)
{
	uint64_t fn = otst_u64(v, "fn");
	int err = 0;

	if (otst_handler_is(r->o, fn, "action_trace"))
		err = read_onmatch(r, v, a);
	else if (otst_handler_is(r->o, fn, "onmax_save"))
		err = read_onmax(r, v, a);
	else
		return v->err;
	r->h->nr_actions += !err;
	return err ? err : v->err;
}

static int read_action(struct reading *r, uint64_t at)
{
	struct otst_hist_action *a = &r->h->actions[r->h->nr_actions];
	int64_t handler, action;
	struct otst_view v;
	int err;

	err = otst_view_read(r->o, "action_data", at, &v);
	if (err)
		return err;
	if (otst_view_has(&v, "onmatch"))
		return read_by_function(r, &v, a);
	handler = (int64_t)otst_u64(&v, "handler");
	action = (int64_t)otst_u64(&v, "action");
	if (handler != r->onmatch && handler != r->onmax && handler != r->onchange)
		return v.err;
	r->h->nr_actions++;
	a->handler = handler == r->onmatch ? OTST_HIST_ONMATCH :
		     handler == r->onmax   ? OTST_HIST_ONMAX :
					     OTST_HIST_ONCHANGE;
	a->does = action == r->save	? OTST_HIST_SAVES :
		  action == r->trace	? OTST_HIST_TRACES :
		  action == r->snapshot ? OTST_HIST_SNAPSHOTS :
					  OTST_HIST_DOES_MORE;
	err = read_hist_text(r->o, &v, "action_name", &a->name);
	err = err ?: read_handler(r, &v, a);
	if (!err && a->does == OTST_HIST_TRACES)
		err = read_hist_params(r, &v, a);
	return err ? err : v.err;
}

static int read_actions(struct reading *r)
{
	uint64_t list = otst_addr_of(&r->v, "actions"), n, at;
	int err = 0;

	n = otst_u64_or(&r->v, "n_actions", 0);
	if (n > OTST_HIST_ACTIONS)
		return otst_raise(r->o, OTST_ERR_CORRUPT, "%" PRIu64 " actions", n);
	for (uint32_t i = 0; !err && i < n; i++) {
		err = otst_read_u64(r->o, list + (uint64_t)i * POINTER, &at);
		err = err ?: read_action(r, at);
	}
	return err;
}

/* ---- all of it ---- */

static int read_hist_map(struct reading *r)
{
	struct otst_view map;
	uint64_t bits;
	int err;

	err = otst_view_follow(&r->v, "map", "tracing_map", &map);
	if (err)
		return err;
	r->h->map = map.addr;
	bits = otst_u64(&map, "map_bits");
	r->h->map_size = bits < 32 ? UINT64_C(1) << bits : 0;
	return map.err;
}

/* read the parts that the text can do without */
static int read_rest(struct reading *r, struct otst_view *data)
{
	struct otst_hist *h = r->h;
	int err = 0;

	h->complete = true;
	h->paused = otst_u64(data, "paused") & 0xff;
	if (otst_u64_or(&r->v, "enable_timestamps", 0) & 0xff) {
		err = read_hist_text(r->o, &r->attrs, "clock", &h->clock);
		h->clock = h->clock ?: NONE;
	}
	err = err ?: read_actions(r);
	err = err ?: read_hist_text(r->o, data, "filter_str", &h->filter);
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
	err = read_hist_flags(&r);
	ret->cpu_twice = r.f.comm != 0;
	err = err ?: otst_view_read(o, "event_trigger_data", data, &trigger);
	if (err)
		return err;
	ret->addr = otst_u64(&trigger, "private_data");
	err = otst_view_read(o, "hist_trigger_data", ret->addr, &r.v);
	err = err ?: otst_view_follow(&r.v, "attrs", "hist_trigger_attrs", &r.attrs);
	if (err)
		return err;
	ret->nr_vals = (uint32_t)otst_u64(&r.v, "n_vals");
	ret->nr_keys = (uint32_t)otst_u64(&r.v, "n_keys");
	ret->big_endian = otst_big_endian(o);
	ret->key_size = (uint32_t)otst_u64(&r.v, "key_size");
	ret->nr_vars = (uint32_t)otst_u64_or(&r.v, "n_vars", 0);
	ret->no_hitcount = otst_u64_or(&r.attrs, "no_hitcount", 0) & 0xff;
	err = r.v.err ?: read_fields(&r);
	err = err ?: read_sorts(&r);
	if (!err && (otst_view_has(&r.v, "save_vars") || otst_view_has(&r.v, "max_vars")))
		err = read_saved_vars(&r);
	err = err ?: read_hist_text(o, &trigger, "name", &ret->name);
	err = err ?: read_hist_map(&r);
	err = err ?: read_rest(&r, &trigger);
	return err ? otst_fail(o, err, "hist_trigger_data 0x%" PRIx64, ret->addr) : r.v.err;
}
