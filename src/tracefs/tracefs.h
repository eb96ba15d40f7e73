/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * tracefs.h - what files of /sys/kernel/tracing would say, line by line and to
 * the letter: how tracing was set up, in the form that its users know.
 *
 * A path is relative to that directory: "set_event", "per_cpu/cpu0/stats",
 * "events/sched/sched_switch/trigger", "instances/foo/set_ftrace_filter".
 */
#ifndef OTST_TRACEFS_H
#define OTST_TRACEFS_H

#include "../base/text_buffer.h"
#include "../ftrace/event_file.h"
#include "../output/output.h"

/**
 * struct otst_tracefs_file - one file
 * @path: relative to the array's own directory
 * @array: its trace array
 * @lines: vector of const char *, without the newlines
 * @errors: vector of const char *: what could not be read and is missing
 * @enough: so many of the numbers of a bitmap will do; 0: all are wanted
 */
struct otst_tracefs_file {
	struct otst *o;
	const char *path;
	const struct otst_trace_array *array;
	struct otst_vec lines;
	struct otst_messages errors;
	size_t enough;
};

/** otst_line() - append a line; 0 or NOMEM */
int otst_line(struct otst_tracefs_file *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** otst_line_text() - append the text of a buffer as a line, and empty it; 0 or NOMEM */
int otst_line_text(struct otst_tracefs_file *f, struct otst_text *t);

/**
 * otst_tracefs_find() - find the array of a path
 * @path: a leading "/sys/kernel/tracing/" or "/sys/kernel/debug/tracing/" is ignored
 *
 * Return: 0; USAGE if there is no such instance.
 */
int otst_tracefs_find(struct otst *o, const struct otst_tracing *t, const char *path,
		      struct otst_tracefs_file *ret);

/**
 * otst_tracefs_read() - read the text of a file that otst_tracefs_find() found
 * @all: include what the kernel has but its own file leaves out: function
 *	commands after module filters
 *
 * Return: 0, even if parts are missing; USAGE if otst does not know the file;
 * LOOKUP if this kernel lacks what it shows; or an error that ends the command.
 */
int otst_tracefs_read(struct otst *o, bool all, struct otst_tracefs_file *f);

/**
 * otst_tracefs_name() - the path of file @i, with capitals for what varies; NULL after the last
 * @witnesses: gets what otst_doubt_absence() takes; or NULL
 */
const char *otst_tracefs_name(size_t i, const char **witnesses);

/** gets one file; a non-zero return ends the list and is returned */
typedef int otst_tracefs_fn(void *priv, const struct otst_tracefs_file *f);

/**
 * otst_tracefs_each() - the files that tell how one array is set up: all of its
 * own and those of its cpus; the files of events are summed up in set_event,
 * show_event_filters and show_event_triggers
 *
 * Return: 0, even if some files cannot be read; or an error that ends the command.
 */
int otst_tracefs_each(struct otst *o, const struct otst_trace_array *a, otst_tracefs_fn *each,
		      void *priv);

/* ---- files of an array (file_*.c) ---- */

/** struct otst_array_view - a trace array while one of its files is read */
struct otst_array_view {
	struct otst *o;
	const struct otst_trace_array *array;
	struct otst_view v;
	bool all; /**< see otst_tracefs_read() */
	struct otst_tracefs_file *out;
};

/** Each prints one file. */
typedef int otst_array_file_fn(struct otst_array_view *a);

otst_array_file_fn otst_file_tracing_on;
otst_array_file_fn otst_file_current_tracer;
otst_array_file_fn otst_file_trace_options;
otst_array_file_fn otst_file_trace_clock;
otst_array_file_fn otst_file_buffer_size;
otst_array_file_fn otst_file_buffer_total;
otst_array_file_fn otst_file_subbuf_size;
otst_array_file_fn otst_file_cpumask;

/* file_settings.c */
otst_array_file_fn otst_file_buffer_percent;
otst_array_file_fn otst_file_timestamp_mode;
otst_array_file_fn otst_file_max_latency;
otst_array_file_fn otst_file_tracing_thresh;
otst_array_file_fn otst_file_function_profile;
otst_array_file_fn otst_file_dyn_ftrace;
otst_array_file_fn otst_file_saved_tgids;
otst_array_file_fn otst_file_cmdlines_size;
otst_array_file_fn otst_file_available_events;
otst_array_file_fn otst_file_error_log;

/* file_user.c */
otst_array_file_fn otst_file_user_events;

/* file_stat.c */
otst_array_file_fn otst_file_branch_annotated;
otst_array_file_fn otst_file_branch_all;

/** otst_file_function_stat() - trace_stat/functionN; @number: what follows "trace_stat/function" */
int otst_file_function_stat(struct otst_array_view *a, const char *number);

/* file_latency.c */
otst_array_file_fn otst_file_osnoise_period;
otst_array_file_fn otst_file_osnoise_runtime;
otst_array_file_fn otst_file_osnoise_stop;
otst_array_file_fn otst_file_osnoise_stop_total;
otst_array_file_fn otst_file_osnoise_cpus;
otst_array_file_fn otst_file_osnoise_options;
otst_array_file_fn otst_file_timerlat_period;
otst_array_file_fn otst_file_timerlat_stack;
otst_array_file_fn otst_file_hwlat_mode;
otst_array_file_fn otst_file_hwlat_width;
otst_array_file_fn otst_file_hwlat_window;

otst_array_file_fn otst_file_set_event;
otst_array_file_fn otst_file_event_filters;
otst_array_file_fn otst_file_event_triggers;
otst_array_file_fn otst_file_events_enable;

otst_array_file_fn otst_file_ftrace_filter;
otst_array_file_fn otst_file_ftrace_notrace;
otst_array_file_fn otst_file_graph_function;
otst_array_file_fn otst_file_graph_notrace;
otst_array_file_fn otst_file_graph_depth;
otst_array_file_fn otst_file_stack_trace_filter;

/* of the kernel, not of an array (file_dynamic.c, file_kernel.c) */
otst_array_file_fn otst_file_dynamic_events;
otst_array_file_fn otst_file_kprobe_events;
otst_array_file_fn otst_file_uprobe_events;
otst_array_file_fn otst_file_synthetic_events;
otst_array_file_fn otst_file_kprobe_profile;
otst_array_file_fn otst_file_uprobe_profile;
otst_array_file_fn otst_file_enabled_functions;
otst_array_file_fn otst_file_touched_functions;
otst_array_file_fn otst_file_available_tracers;
otst_array_file_fn otst_file_saved_cmdlines;
otst_array_file_fn otst_file_printk_formats;
otst_array_file_fn otst_file_kprobes_list;

/** otst_printk_formats() - the lines of printk_formats: format strings of trace_printk() by address */
int otst_printk_formats(struct otst *o, struct otst_tracefs_file *f);

otst_array_file_fn otst_file_ftrace_pid;
otst_array_file_fn otst_file_ftrace_notrace_pid;
otst_array_file_fn otst_file_event_pid;
otst_array_file_fn otst_file_event_notrace_pid;

/**
 * otst_file_event() - print a file of one event or of a system
 * @rest: what follows "events/": "sched/sched_switch/trigger", "sched/enable"
 */
int otst_file_event(struct otst_array_view *a, const char *rest);

/**
 * otst_file_percpu() - print a file of one cpu
 * @rest: what follows "per_cpu/cpu": "0/stats"
 */
int otst_file_percpu(struct otst_array_view *a, const char *rest);

/**
 * otst_hist_file() - the text of events/SYSTEM/EVENT/hist
 * @f: "events/kmem/kmalloc/hist", in the directory of its array
 *
 * Return: as otst_tracefs_read().
 */
int otst_hist_file(struct otst *o, struct otst_tracefs_file *f);

/**
 * otst_hist_each() - all histograms of all arrays
 * @errors: what could not be read on the way to them
 * @each: gets the text of one hist file; a non-zero return ends the list
 */
int otst_hist_each(struct otst *o, struct otst_messages *errors, otst_tracefs_fn *each, void *priv);

/**
 * otst_split_lines() - print a string of the kernel's that has line ends, which otst_read_string()
 * made printable
 * @t: what the first line begins with; empty afterwards
 */
int otst_split_lines(struct otst_tracefs_file *f, struct otst_text *t, const char *s);

/** otst_file_symbol() - a symbol without which the kernel does not have the file */
int otst_file_symbol(struct otst *o, const char *name, uint64_t *ret);

/** otst_file_mask() - one line: the mask of cpus at @addr, as the kernel's %*pb or, @list, %*pbl prints it */
int otst_file_mask(struct otst_array_view *a, uint64_t addr, unsigned int bits, bool list);

/** what a printer returns for a path of which it knows the folder, but no such file in it */
#define OTST_FILE_UNKNOWN 1

/* ---- text and JSON (file_print.c) ---- */

/** otst_print_tracefs_file() - print the text to the letter, then what is missing; or one object */
void otst_print_tracefs_file(struct otst_printer *p, const struct otst_tracefs_file *f);

/** otst_print_tracefs_part() - the same below the heading of its array, after the file's name */
void otst_print_tracefs_part(struct otst_printer *p, const struct otst_tracefs_file *f);

#endif /* OTST_TRACEFS_H */
