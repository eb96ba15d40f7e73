// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stacktracer.c - the one record of the stack tracer, kernel/trace/trace_stack.c:
 * static arrays of return addresses and of the depth of each, the number of
 * entries, and the size of the deepest stack in bytes. Their names changed twice:
 *
 *	stack_dump_index	max_stack_trace.nr_entries	max_stack_size (3.10)
 *	stack_trace_index	stack_trace_max.nr_entries	stack_trace_max_size (4.4 to 4.18)
 *	stack_trace_index	stack_trace_nr_entries		stack_trace_max_size (5.4 and later)
 *
 * In the first two the entries end with ULONG_MAX.
 */
#include <inttypes.h>

#include "stacktracer.h"

#define MAX_ENTRIES 500 /* STACK_TRACE_ENTRIES */

/* the tracer's own frame is subtracted from the maximum once, but not from the entries */
#define TRACER_FRAME 512

struct roots {
	uint64_t addrs;
	uint64_t depths;
	uint64_t max_size;
	uint64_t count;
	uint64_t lock;
	bool list;  /* the count is in a struct stack_trace, which ends with ULONG_MAX */
	bool first; /* 3.10: that end is counted, but not in the count that is shown */
};

static int find_roots(struct otst *o, struct roots *r)
{
	static const char absent[] = "no stack_dump_trace: this kernel has no stack tracer "
				     "(CONFIG_STACK_TRACER)";
	const struct otst_member *m = NULL;
	uint64_t list;
	int err;

	*r = (struct roots){ .addrs = otst_symbol_or0(o, "stack_dump_trace") };
	r->first = otst_has_symbol(o, "stack_dump_index");
	r->depths = otst_symbol_or0(o, r->first ? "stack_dump_index" : "stack_trace_index");
	r->max_size = otst_symbol_or0(o, r->first ? "max_stack_size" : "stack_trace_max_size");
	r->lock = otst_symbol_or0(o, r->first ? "max_stack_lock" : "stack_trace_max_lock");
	r->count = otst_symbol_or0(o, "stack_trace_nr_entries");
	if (!r->count) {
		list = otst_symbol_or0(o, r->first ? "max_stack_trace" : "stack_trace_max");
		r->list = true;
		err = list ? otst_member(o, "stack_trace", "nr_entries", &m) : 0;
		if (err)
			return err;
		r->count = list ? list + m->offset : 0;
	}
	if (!r->addrs || !r->depths || !r->max_size || !r->count)
		return otst_raise(o, OTST_ERR_LOOKUP, "%s", absent);
	return 0;
}

/* riscv64 kernels that have both kinds of lock choose one at boot, by a static key */
static bool has_queued_locks(struct otst *o)
{
	uint64_t key = otst_symbol_or0(o, "qspinlock_key");
	const struct otst_member *m = NULL;
	uint32_t enabled;

	if (!otst_has_type(o, "qspinlock"))
		return false;
	if (!key || otst_member(o, "static_key", "enabled", &m) ||
	    otst_read_u32(o, key + m->offset, &enabled))
		return true;
	return enabled != 0;
}

/* the holder of the lock rewrites the record; a ticket lock is held while its halves differ */
static bool is_locked(struct otst *o, const struct roots *r)
{
	uint64_t size = 4;
	uint32_t v;

	if (!r->lock || otst_read_u32(o, r->lock, &v))
		return false;
	if (has_queued_locks(o))
		return v != 0;
	if (otst_type_size(o, "arch_spinlock", &size) || size != 2)
		return (v & 0xffff) != v >> 16;
	return (v & 0xff) != (v >> 8 & 0xff);
}

static const char *torn_text(struct otst *o, const struct otst_stack_tracer *t)
{
	if (t->counted < 0 || t->counted > MAX_ENTRIES)
		return otst_format(o, "torn: %" PRId64 " entries, and there is room for %d",
				   t->counted, MAX_ENTRIES);
	for (size_t i = 0; i < t->count; i++) {
		if (t->entries[i].depth < 0 ||
		    (uint64_t)t->entries[i].depth > t->max_size + TRACER_FRAME)
			return otst_format(o, "torn: entry %zu lies %d byte%s deep, of %" PRIu64, i,
					   t->entries[i].depth,
					   otst_number(t->entries[i].depth, "", "s"), t->max_size);
		if (t->entries[i].size < 0)
			return otst_format(o, "torn: entry %zu lies deeper than the one before",
					   i + 1);
		if (!otst_is_kernel_pointer(o, t->entries[i].addr))
			return otst_format(o, "torn: entry %zu is not a kernel address", i);
	}
	return NULL;
}

static int read_entries(struct otst *o, const struct roots *r, struct otst_stack_tracer *t)
{
	struct otst_stack_entry *e = otst_alloc(o, MAX_ENTRIES * sizeof(*e));
	size_t i, want = t->counted > MAX_ENTRIES ? MAX_ENTRIES : (size_t)t->counted;
	uint32_t depth;
	int err = 0;

	if (!e)
		return otst_no_memory(o);
	t->entries = e;
	for (i = 0; i < want; i++) {
		err = otst_read_u64(o, r->addrs + i * 8, &e[i].addr);
		if (err || (r->list && e[i].addr == UINT64_MAX))
			break;
		err = otst_read_u32(o, r->depths + i * 4, &depth);
		if (err)
			break;
		e[i].depth = e[i].size = (int32_t)depth;
		/* damaged depths may be further apart than an int holds */
		if (i)
			e[i - 1].size = (int32_t)((uint32_t)e[i - 1].size - depth);
		t->count++;
	}
	return err;
}

int otst_stack_tracer(struct otst *o, struct otst_stack_tracer *ret)
{
	uint64_t at = otst_symbol_or0(o, "stack_tracer_enabled");
	struct otst_stack_tracer t = { 0 };
	uint32_t n, enabled;
	struct roots r;
	int err = find_roots(o, &r);

	err = err ?: otst_read_u32(o, r.count, &n);
	err = err ?: otst_read_u64(o, r.max_size, &t.max_size);
	if (err)
		return err;
	t.enabled = at && !otst_read_u32(o, at, &enabled) && enabled;
	t.counted = (int32_t)n;
	if (t.counted > 0)
		err = read_entries(o, &r, &t);
	if (err && otst_fatal(err))
		return err;
	if (r.first)
		t.counted--;
	if (err)
		t.error = otst_strdup(o, otst_message(o));
	else if (is_locked(o, &r))
		t.error = "torn: it was being written, stack_trace_max_lock is held";
	else if (n)
		t.error = torn_text(o, &t);
	*ret = t;
	return 0;
}

/* ---- as a source of traces ---- */

static void add_lines(struct otst *o, const struct otst_stack_tracer *t, struct otst_trace *trace)
{
	struct otst_vec lines = { 0 };

	for (size_t i = 0; i < t->count; i++) {
		struct otst_trace_line *line = otst_trace_line_add(o, &lines);

		*line = (struct otst_trace_line){
			.addr = t->entries[i].addr,
			.reliable = true,
			.exact = true,
			.sized = true,
			.depth = t->entries[i].depth,
			.size = t->entries[i].size,
		};
	}
	trace->lines = lines.data;
	trace->nr_lines = lines.count;
}

int otst_source_stacktracer(struct otst *o, const struct otst_trace_filter *filter,
			    struct otst_traces *ret)
{
	struct otst_stack_tracer t;
	struct otst_trace *trace;
	int err;

	(void)filter;
	err = otst_stack_tracer(o, &t);
	if (err || (!t.count && !t.error))
		return err;
	trace = otst_trace_add(ret, OTST_SOURCE_STACKTRACER);
	trace->where = "stack_dump_trace";
	trace->headline = otst_format(o, "deepest kernel stack: %" PRIu64 " byte%s", t.max_size,
				      otst_number(t.max_size, "", "s"));
	trace->error = t.error;
	add_lines(o, &t, trace);
	return 0;
}
