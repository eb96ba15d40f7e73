// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * trace_array.c - one struct trace_array of kernel/trace/trace.h: its tracer,
 * options, clock and switches, and its ring buffers (kernel/trace/ring_buffer.c)
 * with the counters that per_cpu/cpuN/stats shows.
 *
 * "struct trace_buffer" means two things: until 5.5 the wrapper in a trace
 * array, the buffer itself being struct ring_buffer; since then the buffer, its
 * wrapper being struct array_buffer. Linux 13292494379f ("tracing: Make struct
 * ring_buffer less ambiguous") and 1c5eb4481e01 ("tracing: Rename trace_buffer
 * to array_buffer") (both v5.6). Up to 5.7, "struct ring_buffer" is also perf's.
 */
#include <inttypes.h>
#include <string.h>

#include "../base/coverage.h"
#include "../list/list.h"
#include "tracing.h"

#define MAX_NAME     256
#define MAX_OPTIONS  64
#define MAX_CLOCKS   64
#define MAX_ORDER    20
#define POINTER_SIZE 8

/* kernel/trace/ring_buffer.c: a bit of record_disabled, set by tracing_on */
#define RB_BUFFER_OFF (1u << 20)

/* one element of trace_clocks[], an unnamed structure: {func, name, in_ns} */
#define CLOCK_SIZE  24
#define CLOCK_NAME  8
#define CLOCK_IN_NS 16

const struct otst_buffer_types *otst_buffer_types(struct otst *o)
{
	static const struct otst_buffer_types now = { "array_buffer", "trace_buffer{buffers}" };
	static const struct otst_buffer_types before = { "trace_buffer{buffer}",
							 "ring_buffer{buffers}" };

	return otst_has_type(o, "array_buffer") ? &now : &before;
}

const char *otst_buffer_member(struct otst *o, bool snapshot)
{
	static const char *const now[] = { "array_buffer", "snapshot_buffer" };
	static const char *const before[] = { "trace_buffer", "max_buffer" };

	return otst_either(o, "trace_array", now[snapshot], before[snapshot]);
}

static void add_string(struct otst *o, struct otst_vec *v, const char *s)
{
	const char **slot = otst_vec_push(o, v, sizeof(*slot));

	*slot = s;
}

/* the vector as a NULL-terminated list */
static const char *const *end_list(struct otst *o, struct otst_vec *v)
{
	return otst_vec_end(o, v) ? NULL : v->data;
}

/* ---- options ---- */

int otst_trace_options(struct otst *o, uint64_t flags, struct otst_vec *names)
{
	const struct otst_member *name_m, *bit_m;
	uint64_t opts, val, size, name, bit, i;
	const char *s;
	int err;

	err = otst_read_member(o, "tracer_flags", flags, "opts", &opts);
	err = err ?: otst_read_member(o, "tracer_flags", flags, "val", &val);
	err = err ?: otst_type_size(o, "tracer_opt", &size);
	err = err ?: otst_member(o, "tracer_opt", "name", &name_m);
	err = err ?: otst_member(o, "tracer_opt", "bit", &bit_m);
	for (i = 0; !err && opts && i < MAX_OPTIONS; i++, opts += size) {
		err = otst_read_u64(o, opts + name_m->offset, &name);
		if (err || !name)
			break;
		err = otst_read_member(o, "tracer_opt", opts, "bit", &bit);
		err = err ?: otst_read_string(o, name, MAX_NAME, &s);
		if (!err)
			add_string(o, names, otst_format(o, "%s%s", val & bit ? "" : "no", s));
	}
	return err;
}

/* tracing_trace_options_show(): the core's options, then the current tracer's */
static int read_options(struct otst *o, struct otst_view *v, struct otst_trace_array *ret)
{
	uint64_t at = otst_symbol_or0(o, "trace_options"), flags, tracer_flags = 0, name, i;
	uint64_t old = otst_view_has(v, "trace_flags") ? 0 : otst_symbol_or0(o, "trace_flags");
	struct otst_vec names = { 0 };
	const char *s;
	int err = 0;

	/* a global variable before it became a member of each trace array */
	err = old ? otst_read_u64(o, old, &flags) :
		    otst_read_member(o, "trace_array", v->addr, "trace_flags", &flags);
	for (i = 0; !err && at && i < MAX_OPTIONS; i++) {
		err = otst_read_u64(o, at + i * POINTER_SIZE, &name);
		if (err || !name)
			break;
		err = otst_read_string(o, name, MAX_NAME, &s);
		if (!err)
			add_string(o, &names,
				   otst_format(o, "%s%s", flags >> i & 1 ? "" : "no", s));
	}
	/* 7.x keeps the values of a tracer's options in each trace array */
	if (!err && otst_view_has(v, "current_trace_flags"))
		tracer_flags = otst_u64(v, "current_trace_flags");
	else if (!err && ret->tracer_addr)
		err = otst_read_member(o, "tracer", ret->tracer_addr, "flags", &tracer_flags);
	if (!err && tracer_flags)
		err = otst_trace_options(o, tracer_flags, &names);
	ret->options = end_list(o, &names);
	return err ? otst_fail(o, err, "options") : 0;
}

bool otst_trace_option(const struct otst_trace_array *a, const char *name)
{
	for (size_t i = 0; a->options && a->options[i]; i++) {
		if (!strcmp(a->options[i], name))
			return true;
	}
	return false;
}

/* ---- clock ---- */

/* clocks that do not count nanoseconds: kernel/trace/trace.c, trace_clocks[] */
static bool is_in_ns(const char *function)
{
	return !function ||
	       (strcmp(function, "trace_clock_counter") &&
		strcmp(function, "trace_clock_jiffies") && strcmp(function, "trace_clock_x86_tsc"));
}

static void read_clock(struct otst *o, struct otst_view *v, struct otst_trace_array *ret)
{
	uint64_t clocks = otst_symbol_or0(o, "trace_clocks"), id, clock, at;
	const struct otst_buffer_types *types = otst_buffer_types(o);
	struct otst_sym sym;
	uint32_t in_ns;

	ret->clock_in_ns = true;
	id = otst_u64_or(v, "clock_id", MAX_CLOCKS);
	clock = clocks + id * CLOCK_SIZE;
	if (clocks && id < MAX_CLOCKS && !otst_read_u32(o, clock + CLOCK_IN_NS, &in_ns) &&
	    !otst_read_u64(o, clock + CLOCK_NAME, &at) &&
	    !otst_read_string(o, at, MAX_NAME, &ret->clock) && *ret->clock) {
		ret->clock_in_ns = in_ns;
		return;
	}
	/* without the table, use the name of the function that the buffer calls */
	ret->clock = NULL;
	if (!ret->buffer.addr || otst_read_member(o, types->ring, ret->buffer.addr, "clock", &at))
		return;
	otst_symbolize(o, at, &sym);
	ret->clock = sym.name;
	ret->clock_in_ns = is_in_ns(sym.name);
}

/* ---- ring buffers ---- */

static int read_buffer_cpu(struct otst *o, uint64_t at, uint64_t data, struct otst_cpu_buffer *c)
{
	uint64_t percpu = otst_percpu(o, data, c->cpu);
	struct otst_view v;
	int err;

	err = otst_view_read(o, "ring_buffer_per_cpu", at, &v);
	if (err)
		return err;
	c->nr_pages = otst_u64(&v, "nr_pages");
	c->overrun = otst_u64(&v, "overrun");
	c->read = otst_u64(&v, "read");
	c->entries = otst_u64(&v, "entries") - (c->overrun + c->read);
	c->commit_overrun = otst_u64(&v, "commit_overrun");
	c->dropped = otst_u64_or(&v, "dropped_events", 0);
	c->bytes = otst_u64_or(&v, "entries_bytes", 0) - otst_u64_or(&v, "read_bytes", 0);
	c->record_disabled = otst_u64(&v, "record_disabled") & 0xffffffff;
	err = v.err;
	if (!err && data)
		err = otst_read_member(o, "trace_array_cpu", percpu, "entries", &c->size);
	if (!err && data)
		err = otst_read_member(o, "trace_array_cpu", percpu, "disabled", &c->disabled);
	if (!err && data)
		err = otst_read_member(o, "trace_array_cpu", percpu, "skipped_entries",
				       &c->skipped_entries);
	return err;
}

static int read_cpumask(struct otst *o, const char *ring, uint64_t addr, unsigned char *ret,
			size_t bytes)
{
	const struct otst_member *m;
	uint64_t at;
	int err;

	err = otst_member(o, ring, "cpumask", &m);
	if (err)
		return err;
	at = addr + m->offset;
	/* cpumask_var_t is a pointer with CONFIG_CPUMASK_OFFSTACK */
	if (m->kind == OTST_KIND_POINTER) {
		err = otst_read_u64(o, at, &at);
		if (err)
			return err;
	}
	return otst_read(o, at, ret, bytes);
}

static int read_cpus(struct otst *o, const char *ring, uint64_t data, struct otst_trace_buffer *ret)
{
	unsigned int cpu, nr = otst_kernel(o)->nr_cpus;
	/* a cpumask is made of longs */
	size_t bytes = ((size_t)nr + 63) / 64 * 8;
	unsigned char *mask = otst_alloc(o, bytes);
	uint64_t buffers, at;
	int err;

	ret->cpus = otst_alloc(o, (nr ? nr : 1) * sizeof(*ret->cpus));
	if (!mask || !ret->cpus)
		return otst_no_memory(o);
	err = read_cpumask(o, ring, ret->addr, mask, bytes);
	err = err ?: otst_read_member(o, ring, ret->addr, "buffers", &buffers);
	if (err)
		return err;
	for (cpu = 0; cpu < nr; cpu++) {
		struct otst_cpu_buffer *c = &ret->cpus[ret->nr_cpus];

		if (!otst_bit(otst_big_endian(o), mask, cpu))
			continue;
		err = otst_read_u64(o, buffers + (uint64_t)cpu * POINTER_SIZE, &at);
		if (!err && !at)
			continue;
		ret->nr_cpus++;
		c->cpu = cpu;
		c->addr = err ? 0 : at;
		err = err ?: read_buffer_cpu(o, at, data, c);
		if (err && otst_fatal(err))
			return err;
		if (err)
			c->error = otst_strdup(o, otst_message(o));
	}
	return 0;
}

static int read_subbuf_size(struct otst *o, const char *ring, struct otst_trace_buffer *ret)
{
	uint64_t order;
	int err;

	ret->subbuf_size = (uint32_t)otst_page_size(o);
	/* Linux f9b94daa542a ("ring-buffer: Set new size of the ring buffer sub page") (v6.8) */
	if (!otst_has_member(o, ring, "subbuf_order"))
		return 0;
	err = otst_read_member(o, ring, ret->addr, "subbuf_order", &order);
	if (!err && order > MAX_ORDER)
		err = otst_raise(o, OTST_ERR_CORRUPT, "sub-buffers of order %" PRIu64, order);
	if (!err)
		ret->subbuf_size <<= order;
	return err;
}

/* read the wrapper that is member @member of the trace array */
static int read_array_buffer(struct otst *o, struct otst_view *v, const char *member,
			     struct otst_trace_buffer *ret)
{
	uint64_t data, disabled, wrapper = otst_addr_of(v, member);
	const struct otst_buffer_types *types = otst_buffer_types(o);
	int err = v->err;

	err = err ?: otst_read_member(o, types->wrapper, wrapper, "buffer", &ret->addr);
	err = err ?: otst_read_member(o, types->wrapper, wrapper, "data", &data);
	err = err ?: otst_read_member(o, types->wrapper, wrapper, "time_start", &ret->time_start);
	/* an instance that is being made or removed has none */
	if (!err && ret->addr) {
		err = otst_read_member(o, types->ring, ret->addr, "record_disabled", &disabled);
		ret->record_disabled = err ? 0 : disabled;
		err = err ?: read_subbuf_size(o, types->ring, ret);
		err = err ?: read_cpus(o, types->ring, data, ret);
	}
	if (err && !otst_fatal(err)) {
		ret->error = otst_format(o, "%s: %s", member, otst_message(o));
		err = 0;
	}
	return err;
}

/* ---- switches ---- */

/* does any cpu record; @unknown: cannot tell, as no readable cpu does and one cannot be read */
static bool any_cpu_on(const struct otst_trace_buffer *b, bool *unknown)
{
	*unknown = b->error;
	for (size_t i = 0; i < b->nr_cpus; i++) {
		if (b->cpus[i].error)
			*unknown = true;
		else if (!b->cpus[i].record_disabled && !b->cpus[i].disabled)
			return true;
	}
	return false;
}

static int find_switches(struct otst *o, struct otst_view *v, bool disabled,
			 struct otst_trace_array *ret)
{
	uint64_t off = ret->buffer.record_disabled & RB_BUFFER_OFF;
	uint64_t held = ret->buffer.record_disabled & ~(uint64_t)RB_BUFFER_OFF;
	uint64_t buffer_disabled = otst_u64_or(v, "buffer_disabled", 0);
	uint64_t stopped = otst_u64_or(v, "stop_count", 0);
	struct otst_vec list = { 0 };
	bool unknown = false;

	ret->tracing_on = ret->buffer.addr ? !off : !buffer_disabled;
	if (disabled)
		add_string(o, &list, "tracing_disabled");
	if (!ret->buffer.addr)
		add_string(o, &list, "no buffer");
	if (off)
		add_string(o, &list, "tracing_on");
	if (buffer_disabled)
		add_string(o, &list, "buffer_disabled");
	if (held)
		add_string(o, &list, otst_format(o, "record_disabled %" PRIu64, held));
	if (stopped)
		add_string(o, &list, otst_format(o, "stop_count %" PRId64, (int64_t)stopped));
	if (ret->buffer.addr && !any_cpu_on(&ret->buffer, &unknown) && !unknown)
		add_string(o, &list, "every cpu's buffer");
	ret->switches_known = !ret->buffer.error && (list.count || !unknown);
	ret->recording = !list.count && ret->switches_known;
	ret->switches = end_list(o, &list);
	return otst_stopped(o);
}

/* ---- all of it ---- */

static int read_tracer(struct otst *o, struct otst_view *v, struct otst_trace_array *ret)
{
	uint64_t name;
	int err;

	ret->tracer_addr = otst_u64(v, "current_trace");
	if (v->err || !ret->tracer_addr)
		return v->err;
	err = otst_read_member(o, "tracer", ret->tracer_addr, "name", &name);
	err = err ?: otst_read_string(o, name, MAX_NAME, &ret->tracer);
	return err ? otst_fail(o, err, "current tracer") : 0;
}

static int read_snapshot(struct otst *o, struct otst_view *v, struct otst_trace_array *ret)
{
	const char *member = otst_buffer_member(o, true);
	const struct otst_member *m;
	int err = otst_member(o, "trace_array", "allocated_snapshot", &m);

	err = err ?: otst_member(o, "trace_array", member, &m);
	if (otst_doubt_absence(o, err, "update_max_tr"))
		return 0;
	ret->snapshot_known = true;
	ret->snapshot_allocated = otst_u64(v, "allocated_snapshot");
	/* where nobody asked for a snapshot there is a buffer of two pages, unused */
	return ret->snapshot_allocated ? read_array_buffer(o, v, member, &ret->snapshot) : 0;
}

static void note_array_error(struct otst *o, int err, struct otst_trace_array *ret)
{
	if (!err)
		return;
	ret->error = otst_strdup(o, otst_message(o));
	if (err == OTST_ERR_LOOKUP && otst_has_witness(o, OTST_TRACING_WITNESSES))
		otst_lack(o, otst_raise(o, err, "%s", ret->error));
}

static int read_trace_array(struct otst *o, bool disabled, struct otst_trace_array *ret)
{
	const char *member = otst_buffer_member(o, false);
	uint64_t name;
	struct otst_view v;
	int err, first = 0;

	err = otst_view_read(o, "trace_array", ret->addr, &v);
	if (err)
		return err;
	name = otst_u64_or(&v, "name", 0);
	if (name) {
		err = otst_read_string(o, name, MAX_NAME, &ret->name);
		if (err)
			return otst_fail(o, err, "name");
	}
	err = read_array_buffer(o, &v, member, &ret->buffer);
	if (!err)
		first = read_tracer(o, &v, ret);
	if (!err && !first)
		first = read_options(o, &v, ret);
	if (first && otst_fatal(first))
		return first;
	note_array_error(o, first, ret);
	err = err ?: find_switches(o, &v, disabled, ret);
	err = err ?: read_snapshot(o, &v, ret);
	if (!err)
		read_clock(o, &v, ret);
	return err ? err : v.err;
}

int otst_trace_array(struct otst *o, uint64_t addr, bool disabled, struct otst_trace_array *ret)
{
	int err;

	*ret = (struct otst_trace_array){ .addr = addr };
	err = read_trace_array(o, disabled, ret);
	if (!err || otst_fatal(err))
		return err;
	note_array_error(o, err, ret);
	return 0;
}
