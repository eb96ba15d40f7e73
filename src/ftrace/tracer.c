// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tracer.c - trace_types of kernel/trace/trace.c: the chain of every
 * registered struct tracer (kernel/trace/trace.h), and ftrace_trace_arrays, the
 * trace arrays that use them: the top one (global_trace) and the instances.
 */
#include <inttypes.h>

#include "../base/coverage.h"
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

static int read_listed_tracer(struct otst *o, struct otst_tracer *t)
{
	struct otst_vec options = { 0 };
	struct otst_view v;
	uint64_t name, flags;
	int err;

	err = otst_view_read(o, "tracer", t->addr, &v);
	if (err)
		return err;
	name = otst_u64(&v, "name");
	err = v.err ?: otst_read_string(o, name, MAX_NAME, &t->name);
	if (err)
		return err;
	t->init = otst_u64(&v, "init");
	t->flags = otst_u64(&v, "flags");
	t->enabled = otst_u64_or(&v, "enabled", 0);
	otst_symbolize(o, t->init, &t->init_sym);
	err = v.err;
	/* 7.x: options live in each trace array, and these are their defaults */
	flags = t->flags ? t->flags : otst_u64_or(&v, "default_flags", 0);
	if (!err && flags)
		err = otst_trace_options(o, flags, &options);
	err = err ?: otst_vec_end(o, &options);
	t->options = options.data;
	return err;
}

static int read_tracers(struct listing *list)
{
	const struct otst_member *next;
	uint64_t head, first, node;
	struct otst_walk w;
	int err;

	err = otst_symbol(list->o, "trace_types", &head);
	err = err ?: otst_member(list->o, "tracer", "next", &next);
	err = err ?: otst_read_u64(list->o, head, &first);
	if (err)
		return otst_note(list->o, &list->errors, otst_fail(list->o, err, "trace_types"));
	otst_walk_chain(list->o, first, next->offset, 0, &w);
	while (!err && otst_walk_next(&w, &node)) {
		struct otst_tracer *t = otst_new(list->o, sizeof(*t)), **slot;

		slot = otst_vec_push(list->o, &list->tracers, sizeof(*slot));
		*slot = t;
		t->addr = node;
		err = read_listed_tracer(list->o, t);
		if (err && !otst_fatal(err)) {
			t->error = otst_strdup(list->o, otst_message(list->o));
			err = 0;
		}
	}
	return err || !w.err ?
		       err :
		       otst_note(list->o, &list->errors, otst_fail(list->o, w.err, "trace_types"));
}

static int add_tracer_array(struct listing *list, uint64_t addr)
{
	struct otst_trace_array *a = otst_new(list->o, sizeof(*a)), **slot;
	int err;

	slot = otst_vec_push(list->o, &list->arrays, sizeof(*slot));
	*slot = a;
	err = otst_trace_array(list->o, addr, list->disabled, a);
	/* only the top one has no name: this one was overwritten */
	if (!err && !a->name && addr != otst_symbol_or0(list->o, "global_trace")) {
		a->name = otst_format(list->o, "0x%" PRIx64, addr);
		a->error = a->error ? a->error : "it has no name";
	}
	return err;
}

static bool has_array(const struct listing *list, uint64_t addr)
{
	struct otst_trace_array *const *a = list->arrays.data;
	size_t i;

	for (i = 0; i < list->arrays.count && a[i]->addr != addr; i++)
		;
	return i < list->arrays.count;
}

static int read_arrays(struct listing *list)
{
	const struct otst_member *link;
	struct otst_walk w;
	uint64_t head, node;
	int err = 0;

	err = otst_symbol(list->o, "ftrace_trace_arrays", &head) ?:
		      otst_lack(list->o, otst_member(list->o, "trace_array", "list", &link));
	if (err) {
		/* before there were instances */
		err = otst_symbol(list->o, "global_trace", &node);
		return err ? otst_note(list->o, &list->errors, err) : add_tracer_array(list, node);
	}
	otst_walk_list(list->o, head, &w);
	while (!err && otst_walk_next(&w, &node))
		err = add_tracer_array(list, node - link->offset);
	if (err || !w.err)
		return err;
	err = otst_note(list->o, &list->errors, otst_fail(list->o, w.err, "ftrace_trace_arrays"));
	/* the top one comes last in the list, and has a symbol */
	node = otst_symbol_or0(list->o, "global_trace");
	return err || !node || has_array(list, node) ? err : add_tracer_array(list, node);
}

static int find_users(struct otst *o, struct otst_tracer *t, const struct otst_vec *arrays)
{
	struct otst_trace_array *const *a = arrays->data;
	struct otst_vec users = { 0 };
	const char **slot;
	int err;

	for (size_t i = 0; i < arrays->count; i++) {
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
	struct listing list = { .o = o };
	uint64_t at = otst_symbol_or0(o, "tracing_disabled");
	uint64_t size;
	uint32_t disabled;
	int err;

	if (!otst_has_symbol(o, "global_trace"))
		return otst_raise(o, OTST_ERR_LOOKUP,
				  "no trace arrays: this kernel has no tracing (CONFIG_TRACING)");
	err = otst_type_size(o, "trace_array", &size);
	if (err)
		return otst_doubt_absence(o, err, OTST_TRACING_WITNESSES);
	list.disabled = at && !otst_read_u32(o, at, &disabled) && disabled;
	err = read_tracers(&list);
	err = err ?: read_arrays(&list);
	for (size_t i = 0; !err && i < list.tracers.count; i++)
		err = find_users(o, ((struct otst_tracer **)list.tracers.data)[i], &list.arrays);
	if (err)
		return err;
	*ret = (struct otst_tracing){
		.tracers = list.tracers.data,
		.nr_tracers = list.tracers.count,
		.arrays = list.arrays.data,
		.nr_arrays = list.arrays.count,
		.errors = list.errors,
		.disabled = list.disabled,
	};
	return 0;
}
