/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs.h - what files of /sys/kernel/tracing would say, line by line and to
 * the letter: how tracing was set up, as its users know it.
 *
 * A path is counted from there: "set_event", "per_cpu/cpu0/stats",
 * "events/sched/sched_switch/trigger", "instances/foo/set_ftrace_filter".
 */
#ifndef OTST_TRACEFS_H
#define OTST_TRACEFS_H

#include "../list/list.h"
#include "tracing.h"

/**
 * struct otst_file_text - text that grows by lines
 * @items: vector of const char *, without the newlines
 * @errors: vector of const char *: what could not be read, and is missing
 */
struct otst_file_text {
	struct otst *o;
	struct otst_vec items;
	struct otst_vec errors;
};

/** otst_line() - append a line; 0 or NOMEM */
int otst_line(struct otst_file_text *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** otst_join() - a longer text in the arena; NULL when out of memory, and of NULL, so that the last one tells of all */
const char *otst_join(struct otst *o, const char *text, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * struct otst_tracefs_file - one file
 * @path: in the array's own directory
 * @array: its trace array
 */
struct otst_tracefs_file {
	const char *path;
	const struct otst_trace_array *array;
	struct otst_file_text text;
};

/**
 * otst_tracefs_find() - the array of a path
 * @path: a leading "/sys/kernel/tracing/" or "/sys/kernel/debug/tracing/" is left out
 *
 * Return: 0; USAGE when there is no such instance.
 */
int otst_tracefs_find(struct otst *o, const struct otst_tracing *t, const char *path,
		      struct otst_tracefs_file *ret);

/**
 * otst_tracefs_read() - the text of a file that otst_tracefs_find() found
 * @all: with what the kernel has and its own file leaves out: function
 *	commands that stand behind filters of modules
 *
 * Return: 0, also when parts are missing; USAGE when otst does not know such a
 * file; LOOKUP when this kernel has not what it shows; or what ends a command.
 */
int otst_tracefs_read(struct otst *o, bool all, struct otst_tracefs_file *f);

/** otst_tracefs_name() - the path of file @i, with capitals for what varies; NULL behind the last */
const char *otst_tracefs_name(size_t i);

/**
 * otst_tracefs_each() - the files that tell how one array is set up: all of its
 * own and its cpus'; those of events are summed up in set_event,
 * show_event_filters and show_event_triggers
 * @each: is handed one; a non-zero return ends the list and is returned
 *
 * Return: 0, also when some files cannot be read; or what ends a command.
 */
int otst_tracefs_each(struct otst *o, const struct otst_trace_array *a,
		      int (*each)(void *priv, const struct otst_tracefs_file *f), void *priv);

/* ---- events of an array (event_file.c) ---- */

/**
 * struct otst_event_file - one event in one trace array (kernel: struct
 * trace_event_file; ftrace_event_file before 4.2)
 * @call: its struct trace_event_call
 * @system, @name: "sched", "sched_switch"; NULL when unknown
 * @can_enable: it has an enable file
 * @enabled, @soft_disabled, @soft_mode: what the enable file shows
 * @filter: as its filter file reads, NULL for none
 * @triggers: address of its list of triggers, 0 when the kernel has none
 * @nr_triggers: 0 or 1: the list is empty or not
 */
struct otst_event_file {
	uint64_t addr;
	uint64_t call;
	const char *system;
	const char *name;
	uint64_t id;
	bool can_enable;
	bool enabled;
	bool soft_disabled;
	bool soft_mode;
	const char *filter;
	uint64_t triggers;
	bool has_triggers;
	const char *error;
};

/** struct otst_event_files - in the kernel's order */
struct otst_event_files {
	struct otst_event_file *items;
	size_t count;
	struct otst_vec errors;
};

/**
 * otst_event_files() - all events of an array, read once per command
 *
 * Return: 0, also when some are bad; LOOKUP when the kernel has no events; or
 * what ends a command.
 */
int otst_event_files(struct otst *o, const struct otst_trace_array *a,
		     const struct otst_event_files **ret);

/** otst_event_name() - "sched" and "sched_switch" of the struct trace_event_call at @call */
int otst_event_name(struct otst *o, uint64_t call, const char **system, const char **name);

/* ---- triggers (trigger.c, hist_trigger.c) ---- */

/**
 * struct otst_trigger - one struct event_trigger_data
 * @text: as the trigger file prints it; NULL for one that it does not print
 * @hist: its struct hist_trigger_data when it is a histogram, else 0
 */
struct otst_trigger {
	uint64_t addr;
	const char *text;
	uint64_t hist;
	const char *error;
};

/**
 * otst_triggers() - of one event
 * @ret: vector of struct otst_trigger
 * @errors: vector of const char *
 */
int otst_triggers(struct otst *o, const struct otst_event_file *e, struct otst_vec *ret,
		  struct otst_vec *errors);

/* ---- files of an array (tracefs_*.c) ---- */

/** struct otst_array_view - a trace array while a file of it is being read */
struct otst_array_view {
	struct otst *o;
	const struct otst_trace_array *array;
	struct otst_view v;
	bool all; /**< see otst_tracefs_read() */
	struct otst_file_text *out;
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

otst_array_file_fn otst_file_set_event;
otst_array_file_fn otst_file_event_filters;
otst_array_file_fn otst_file_event_triggers;
otst_array_file_fn otst_file_events_enable;

otst_array_file_fn otst_file_ftrace_filter;
otst_array_file_fn otst_file_ftrace_notrace;
otst_array_file_fn otst_file_graph_function;
otst_array_file_fn otst_file_graph_notrace;
otst_array_file_fn otst_file_stack_trace_filter;

otst_array_file_fn otst_file_ftrace_pid;
otst_array_file_fn otst_file_ftrace_notrace_pid;
otst_array_file_fn otst_file_event_pid;
otst_array_file_fn otst_file_event_notrace_pid;

/**
 * otst_file_event() - print a file of one event or of a system
 * @path: "events/sched/sched_switch/trigger", "events/sched/enable"
 * @rest: what follows "events/"
 */
int otst_file_event(struct otst_array_view *a, const char *path, const char *rest);

/**
 * otst_file_percpu() - print a file of one cpu
 * @path: "per_cpu/cpu0/stats"
 * @rest: what follows "per_cpu/cpu"
 */
int otst_file_percpu(struct otst_array_view *a, const char *path, const char *rest);

/** otst_file_unknown() - complain of a path that is no known file's. Return: USAGE */
int otst_file_unknown(struct otst *o, const char *path);

/* ---- histograms (hist_trigger.c) ---- */

/** enum otst_hist_form - how a key or value of a histogram is printed */
enum otst_hist_form {
	OTST_HIST_PLAIN,
	OTST_HIST_STRING,
	OTST_HIST_HEX,
	OTST_HIST_SYM,
	OTST_HIST_SYM_OFFSET,
	OTST_HIST_EXECNAME,
	OTST_HIST_SYSCALL,
	OTST_HIST_STACK,
	OTST_HIST_LOG2,
	OTST_HIST_BUCKETS,
	OTST_HIST_PERCENT,
	OTST_HIST_GRAPH,
};

/**
 * struct otst_hist_field - a key, value or variable (kernel: struct hist_field)
 * @name: as the hist file shows it
 * @text: as the trigger file shows it, "call_site.sym"
 * @offset: in the key; @size: of a key
 * @var: its value goes into a variable and is not shown; @var_idx
 * @expr: computed; its value is not shown
 * @stack_field: with STACK, the field of the event that has the stack, NULL for the common one
 */
struct otst_hist_field {
	const char *name;
	const char *text;
	const char *var_name;
	enum otst_hist_form form;
	uint32_t offset;
	uint32_t size;
	uint64_t buckets;
	bool var;
	uint32_t var_idx;
	bool expr;
	bool string;
	const char *stack_field;
};

/** struct otst_hist_sort - by a key or value (index of @fields without variables) */
struct otst_hist_sort {
	uint32_t field;
	bool descending;
};

/**
 * struct otst_hist_track - an action that keeps the value of a variable
 * @word: "max", "changed"
 * @var: index of the variable
 * @snapshot: keeps nothing else
 */
struct otst_hist_track {
	const char *word;
	uint32_t var;
	bool snapshot;
};

#define OTST_HIST_FIELDS 32
#define OTST_HIST_SORTS	 4
#define OTST_HIST_TRACKS 16
#define OTST_HIST_SAVED	 64

/**
 * struct otst_hist - a hist trigger (kernel: struct hist_trigger_data)
 * @text: as the trigger file prints it
 * @map: its struct tracing_map
 * @fields: values, the first is the hit count, then keys
 * @saved: variables that an action saves; @saved[].name, @string, @var_idx are used
 * @stack_depth: entries of a stack that is a key
 * @old_words: this kernel says "stacktrace" where newer ones say "common_stacktrace"
 */
struct otst_hist {
	uint64_t addr;
	const char *text;
	uint64_t map;
	struct otst_hist_field fields[OTST_HIST_FIELDS];
	uint32_t nr_vals;
	uint32_t nr_keys;
	struct otst_hist_sort sorts[OTST_HIST_SORTS];
	uint32_t nr_sorts;
	struct otst_hist_track tracks[OTST_HIST_TRACKS];
	uint32_t nr_tracks;
	struct otst_hist_field saved[OTST_HIST_SAVED];
	uint32_t nr_saved;
	uint32_t key_size;
	uint32_t stack_depth;
	bool no_hitcount;
	bool old_words;
};

/**
 * otst_hist_trigger() - decode a hist trigger
 * @data: struct event_trigger_data
 */
int otst_hist_trigger(struct otst *o, uint64_t data, struct otst_hist *ret);

#endif /* OTST_TRACEFS_H */
