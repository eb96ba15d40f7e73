/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * tracing.h - tracers, and the trace arrays that they run in.
 *
 * Memory and errors are as in list.h.
 */
#ifndef OTST_TRACING_H
#define OTST_TRACING_H

#include "../list/list.h"

/* ---- tracers (tracer.c, trace_array.c) ---- */

/**
 * struct otst_tracer - one struct tracer
 * @init: its init function, 0 when none
 * @flags: tracer.flags, a pointer to its options, 0 when none
 * @options: option names, "no" before those that are off, NULL-terminated
 * @current_in: trace arrays where it is current ("top" for the global one), NULL-terminated
 * @enabled: how many trace arrays use it, by its own count
 */
struct otst_tracer {
	uint64_t addr;
	const char *name;
	uint64_t init;
	struct otst_sym init_sym;
	uint64_t flags;
	const char *const *options;
	const char *const *current_in;
	uint64_t enabled;
	const char *error;
};

/** struct otst_cpu_buffer - one cpu's ring buffer; counters as per_cpu/cpuN/stats prints them */
struct otst_cpu_buffer {
	unsigned int cpu;
	uint64_t addr; /**< struct ring_buffer_per_cpu, 0 when it could not be found */
	uint64_t nr_pages;
	uint64_t size;	  /**< bytes, as buffer_size_kb counts them */
	uint64_t entries; /**< unread events */
	uint64_t overrun;
	uint64_t commit_overrun;
	uint64_t dropped;
	uint64_t read;
	uint64_t bytes;
	uint64_t record_disabled;
	uint64_t disabled;	  /**< trace_array_cpu.disabled: a tracer has disabled it */
	uint64_t skipped_entries; /**< older than the current tracer when the trace file was last opened */
	const char *error;
};

/**
 * struct otst_buffer_types - the kernel's type names for the parts of a ring buffer
 * @wrapper: the type that a trace array has
 * @ring: the type that it points to
 */
struct otst_buffer_types {
	const char *wrapper;
	const char *ring;
};

/** otst_buffer_types() - the names in this kernel (trace_array.c) */
const struct otst_buffer_types *otst_buffer_types(struct otst *o);

/** otst_buffer_member() - trace_array member of the buffer or snapshot (trace_array.c) */
const char *otst_buffer_member(struct otst *o, bool snapshot);

/**
 * struct otst_trace_buffer - the ring buffers of a trace array
 * @addr: struct trace_buffer (ring_buffer before 5.10), 0 when there is none
 * @subbuf_size: bytes of a sub-buffer
 * @time_start: the trace file leaves out what is older
 * @cpus: those that have a buffer, @nr_cpus of them
 */
struct otst_trace_buffer {
	uint64_t addr;
	uint64_t subbuf_size;
	uint64_t time_start;
	uint64_t record_disabled;
	struct otst_cpu_buffer *cpus;
	size_t nr_cpus;
	const char *error;
};

/**
 * struct otst_trace_array - one struct trace_array
 * @name: NULL for the top one
 * @tracer: current tracer's name, NULL when unknown
 * @tracer_addr: current struct tracer
 * @clock: name, NULL when unknown
 * @clock_in_ns: it counts nanoseconds
 * @options: as trace_options prints them, the tracer's own at the end, NULL-terminated
 * @switches_known: false when the buffer could not be read; @recording, @switches and
 *	@tracing_on are then unknown
 * @recording: all switches let events in on at least one cpu
 * @switches: those that are off, NULL-terminated
 * @tracing_on: as the tracing_on file reads
 * @snapshot_known: the kernel has snapshots
 */
struct otst_trace_array {
	uint64_t addr;
	const char *name;
	const char *tracer;
	uint64_t tracer_addr;
	const char *clock;
	bool clock_in_ns;
	const char *const *options;
	bool switches_known;
	bool recording;
	const char *const *switches;
	bool tracing_on;
	struct otst_trace_buffer buffer;
	bool snapshot_known;
	bool snapshot_allocated;
	struct otst_trace_buffer snapshot;
	const char *error;
};

/** struct otst_tracing - trace_types and ftrace_trace_arrays, both in the kernel's order */
struct otst_tracing {
	struct otst_tracer **tracers;
	size_t nr_tracers;
	struct otst_trace_array **arrays;
	size_t nr_arrays;
	struct otst_messages errors;
	bool disabled; /**< tracing_disabled: tracing shut itself down */
};

/** of otst_doubt_absence(): a kernel that has trace arrays has this */
#define OTST_TRACING_WITNESSES "tracing_open"

/**
 * otst_tracing() - tracers and trace arrays (kernel/trace/trace.c)
 *
 * Return: 0, even when some records are bad; LOOKUP when the kernel has no
 * tracing; or an error that ends the command.
 */
int otst_tracing(struct otst *o, struct otst_tracing *ret);

/** otst_tracing_missing() - raise an error: no trace array @name, or the list is broken before it */
int otst_tracing_missing(struct otst *o, const struct otst_tracing *t, const char *name);

/**
 * otst_trace_array() - read the struct trace_array at @addr (trace_array.c)
 * @disabled: tracing_disabled
 *
 * Return: 0, even when parts are bad (&otst_trace_array.error); or an error that ends the command.
 */
int otst_trace_array(struct otst *o, uint64_t addr, bool disabled, struct otst_trace_array *ret);

/**
 * otst_trace_options() - names of a struct tracer_flags, appended to @names
 * @flags: its address
 * @names: vector of strings
 */
int otst_trace_options(struct otst *o, uint64_t flags, struct otst_vec *names);

/**
 * otst_trace_option() - is this one of &otst_trace_array.options
 * @name: "sym-offset" when it is on, "nosym-offset" when it is off
 */
bool otst_trace_option(const struct otst_trace_array *a, const char *name);

/* ---- names of structures (event_file.c) ---- */

/**
 * otst_event_call_type() - this kernel's name for struct trace_event_call and its
 * neighbours: struct ftrace_event_call and so on up to 4.1
 */
const char *otst_event_call_type(struct otst *o);
const char *otst_event_class_type(struct otst *o);
const char *otst_event_file_type(struct otst *o);

#endif /* OTST_TRACING_H */
