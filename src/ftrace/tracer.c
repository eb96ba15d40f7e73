// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tracer.c - trace_types of kernel/trace/trace.c: the chain of every
 * registered struct tracer (kernel/trace/trace.h), and ftrace_trace_arrays, the
 * trace arrays that use them: the top one (global_trace) and the instances.
 */
#include <inttypes.h>

#include "../list/list.h"
#include "tracing.h"

#define MAX_NAME 256

struct listing {
	struct otst *o;
	struct otst_vec tracers;
	struct otst_vec arrays;
	struct otst_messages errors;
	bool disabled;
};

static int read_tracer(struct otst *o, struct otst_tracer *t)
{
	struct otst_vec options = { 0 };
	struct otst_view v;
	uint64_t name, flags;
	int err;

	err = otst_view_read(o, "tracer", t->addr, &v);
	if (err)
		return err;
	name = otst_u64(&v, "name");
	t->init = otst_u64(&v, "init");
	t->flags = otst_u64(&v, "flags");
	t->enabled = otst_u64_or(&v, "enabled", 0);
	otst_symbolize(o, t->init, &t->init_sym);
	err = v.err;
	err = err ?: otst_read_string(o, name, MAX_NAME, &t->name);
	/* 7.x: options live in each trace array, and these are their defaults */
	flags = t->flags ? t->flags : otst_u64_or(&v, "default_flags", 0);
	if (!err && flags)
		err = otst_trace_options(o, flags, &options);
	err = err ?: otst_vec_end(o, &options);
	t->options = options.data;
	return err;
}

static int read_tracers(struct listing *l)
{
	const struct otst_member *next;
	uint64_t head, first, node;
	struct otst_walk w;
	int err;

	err = otst_symbol(l->o, "trace_types", &head);
	err = err ?: otst_member(l->o, "tracer", "next", &next);
	err = err ?: otst_read_u64(l->o, head, &first);
	if (err)
		return otst_note(l->o, &l->errors, otst_fail(l->o, err, "trace_types"));
	otst_walk_chain(l->o, first, next->offset, 0, &w);
	while (!err && otst_walk_next(&w, &node)) {
		struct otst_tracer *t = otst_new(l->o, sizeof(*t)), **slot;

		slot = otst_vec_push(l->o, &l->tracers, sizeof(*slot));
		*slot = t;
		t->addr = node;
		err = read_tracer(l->o, t);
		if (err && !otst_fatal(err)) {
			t->error = otst_strdup(l->o, otst_message(l->o));
			err = 0;
		}
	}
	return err || !w.err ? err :
			       otst_note(l->o, &l->errors, otst_fail(l->o, w.err, "trace_types"));
}

static int add_array(struct listing *l, uint64_t addr)
{
	struct otst_trace_array *a = otst_new(l->o, sizeof(*a)), **slot;
	int err;

	slot = otst_vec_push(l->o, &l->arrays, sizeof(*slot));
	*slot = a;
	err = otst_trace_array(l->o, addr, l->disabled, a);
	/* only the top one has no name: this one was overwritten */
	if (!err && !a->name && addr != otst_symbol_or0(l->o, "global_trace")) {
		a->name = otst_format(l->o, "0x%" PRIx64, addr);
		a->error = a->error ? a->error : "it has no name";
	}
	return err;
}

static bool has_array(const struct listing *l, uint64_t addr)
{
	struct otst_trace_array *const *a = l->arrays.data;
	size_t i;

	for (i = 0; i < l->arrays.count && a[i]->addr != addr; i++)
		;
	return i < l->arrays.count;
}

static int read_arrays(struct listing *l)
{
	const struct otst_member *link;
	struct otst_walk w;
	uint64_t head, node;
	int err = 0;

	if (otst_symbol(l->o, "ftrace_trace_arrays", &head) ||
	    otst_member(l->o, "trace_array", "list", &link)) {
		/* before there were instances */
		err = otst_symbol(l->o, "global_trace", &node);
		return err ? otst_note(l->o, &l->errors, err) : add_array(l, node);
	}
	otst_walk_list(l->o, head, &w);
	while (!err && otst_walk_next(&w, &node))
		err = add_array(l, node - link->offset);
	if (err || !w.err)
		return err;
	err = otst_note(l->o, &l->errors, otst_fail(l->o, w.err, "ftrace_trace_arrays"));
	/* the top one comes last in the list, and has a symbol */
	node = otst_symbol_or0(l->o, "global_trace");
	return err || !node || has_array(l, node) ? err : add_array(l, node);
}

static int find_users(struct otst *o, struct otst_tracer *t, const struct otst_vec *arrays)
{
	struct otst_trace_array *const *a = arrays->data;
	struct otst_vec users = { 0 };
	const char **slot;
	size_t i;
	int err;

	for (i = 0; i < arrays->count; i++) {
		if (a[i]->tracer_addr != t->addr)
			continue;
		slot = otst_vec_push(o, &users, sizeof(*slot));
		*slot = a[i]->name ? a[i]->name : "top";
	}
	err = otst_vec_end(o, &users);
	t->current_in = users.data;
	return err;
}

int otst_tracing_missing(struct otst *o, const struct otst_tracing *t, const char *name)
{
	if (t->errors.count)
		return otst_raise(o, OTST_ERR_FAULT, "no trace array \"%s\" was found: %s",
				  otst_clean(o, name), t->errors.texts[0]);
	return otst_raise(o, OTST_ERR_LOOKUP, "no trace array \"%s\"", otst_clean(o, name));
}

int otst_tracing(struct otst *o, struct otst_tracing *ret)
{
	struct listing l = { .o = o };
	uint64_t at = otst_symbol_or0(o, "tracing_disabled");
	uint32_t disabled;
	size_t i;
	int err;

	if (!otst_has_type(o, "trace_array") || !otst_has_symbol(o, "global_trace"))
		return otst_raise(o, OTST_ERR_LOOKUP,
				  "no trace arrays: this kernel has no tracing (CONFIG_TRACING)");
	l.disabled = at && !otst_read_u32(o, at, &disabled) && disabled;
	err = read_tracers(&l);
	err = err ?: read_arrays(&l);
	for (i = 0; !err && i < l.tracers.count; i++)
		err = find_users(o, ((struct otst_tracer **)l.tracers.data)[i], &l.arrays);
	if (err)
		return err;
	*ret = (struct otst_tracing){
		.tracers = l.tracers.data,
		.nr_tracers = l.tracers.count,
		.arrays = l.arrays.data,
		.nr_arrays = l.arrays.count,
		.errors = l.errors,
		.disabled = l.disabled,
	};
	return 0;
}
