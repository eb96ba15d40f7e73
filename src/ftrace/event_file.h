/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * event_file.h - the events of a trace array, their triggers, and what a hist
 * trigger counts by.
 */
#ifndef OTST_EVENT_FILE_H
#define OTST_EVENT_FILE_H

#include "tracing.h"

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
 * @has_triggers: the list is not empty
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
	struct otst_messages errors;
};

/**
 * otst_event_files() - all events of an array, read once per command
 *
 * Return: 0, even when some are bad; LOOKUP when the kernel has no events; or
 * an error that ends the command.
 */
int otst_event_files(struct otst *o, const struct otst_trace_array *a,
		     const struct otst_event_files **ret);

/** otst_event_name() - "sched" and "sched_switch" of the struct trace_event_call at @call */
int otst_event_name(struct otst *o, uint64_t call, const char **system, const char **name);

/* ---- hist triggers (hist_trigger.c) ---- */

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
	OTST_HIST_USECS,
	OTST_HIST_PERCENT,
	OTST_HIST_GRAPH,
};

/**
 * struct otst_hist_field - a key, value or variable (kernel: struct hist_field)
 * @name: as the hist file shows it
 * @offset: where it is in the key; @size: size of a key
 * @var: its value goes into a variable and is not shown; @var_name, @var_idx
 * @expr: computed; its value is not shown
 * @dollar: the trigger file writes a $ before its name
 * @bare: the trigger file leaves out its form
 * @cpu: the kernel's word for the cpu, if the field is that; @comm: it is the task's name
 * @is_constant: its value is @constant
 * @stack_field: with STACK, the field of the event that has the stack, NULL for the common one
 */
struct otst_hist_field {
	const char *name;
	const char *var_name;
	enum otst_hist_form form;
	uint32_t offset;
	uint32_t size;
	uint64_t buckets;
	bool var;
	uint32_t var_idx;
	bool expr;
	bool string;
	bool dollar;
	bool bare;
	const char *cpu;
	bool comm;
	bool is_constant;
	uint64_t constant;
	const char *stack_field;
};

/** struct otst_hist_sort - a sort key: a key or value (index into @fields without variables) */
struct otst_hist_sort {
	uint32_t field;
	bool descending;
};

/** enum otst_hist_handler - when an action is taken */
enum otst_hist_handler {
	OTST_HIST_ONMATCH, /**< the event &otst_hist_action.system, @event matches */
	OTST_HIST_ONMAX,   /**< the variable &otst_hist_action.var_name has a new maximum */
	OTST_HIST_ONCHANGE /**< it changes */
};

/** enum otst_hist_does - what an action does */
enum otst_hist_does { OTST_HIST_SAVES, OTST_HIST_TRACES, OTST_HIST_SNAPSHOTS, OTST_HIST_DOES_MORE };

/**
 * struct otst_hist_action - (kernel: struct action_data)
 * @name: "save", "trace", or a synthetic event's own
 * @synth_event: with the keyword "trace", the event that it traces; else NULL
 * @params: parameters of an action that traces, NULL-terminated
 * @var: for ONMAX and ONCHANGE, the index of the variable that keeps the value
 */
struct otst_hist_action {
	enum otst_hist_handler handler;
	const char *system;
	const char *event;
	const char *var_name;
	enum otst_hist_does does;
	const char *name;
	const char *synth_event;
	const char *const *params;
	uint32_t var;
};

#define OTST_HIST_FIELDS  32
#define OTST_HIST_SORTS	  4
#define OTST_HIST_ACTIONS 16
#define OTST_HIST_SAVED	  64

/**
 * struct otst_hist - a hist trigger (kernel: struct hist_trigger_data)
 * @name: name of a named trigger, or NULL
 * @map: its struct tracing_map, with @map_size entries
 * @fields: values, starting with the hit count, then keys
 * @nr_vars: how many of the values are variables
 * @saved: variables that an action saves; @saved[].name, @string, @var_idx are used
 * @clock: clock of a trigger that uses time stamps, else NULL
 * @filter: or NULL
 * @cpu_twice: this kernel prints the name of a cpu field twice
 * @complete: enough could be read for its text
 * @old_words: this kernel says "stacktrace" where newer ones say "common_stacktrace"
 */
struct otst_hist {
	bool big_endian;
	uint64_t addr;
	const char *name;
	uint64_t map;
	uint64_t map_size;
	struct otst_hist_field fields[OTST_HIST_FIELDS];
	uint32_t nr_vals;
	uint32_t nr_keys;
	uint32_t nr_vars;
	struct otst_hist_sort sorts[OTST_HIST_SORTS];
	uint32_t nr_sorts;
	struct otst_hist_action actions[OTST_HIST_ACTIONS];
	uint32_t nr_actions;
	struct otst_hist_field saved[OTST_HIST_SAVED];
	uint32_t nr_saved;
	uint32_t key_size;
	const char *clock;
	const char *filter;
	bool paused;
	bool no_hitcount;
	bool cpu_twice;
	bool complete;
	bool old_words;
};

/**
 * otst_hist_trigger() - decode a hist trigger
 * @data: struct event_trigger_data
 */
int otst_hist_trigger(struct otst *o, uint64_t data, struct otst_hist *ret);

/* ---- triggers (trigger.c, hist_trigger.c) ---- */

/** enum otst_trigger_kind - what a trigger does */
enum otst_trigger_kind {
	OTST_TRIGGER_UNSHOWN, /**< the trigger file leaves it out */
	OTST_TRIGGER_TRACEON,
	OTST_TRIGGER_TRACEOFF,
	OTST_TRIGGER_SNAPSHOT,
	OTST_TRIGGER_STACKTRACE,
	OTST_TRIGGER_ENABLE, /**< or disables; an event or its histogram */
	OTST_TRIGGER_HIST,
};

/**
 * struct otst_trigger - one struct event_trigger_data
 * @count: how many more times it acts, -1 for no limit
 * @filter: or NULL
 * @system, @event: for ENABLE, what it enables, or disables when not @enables;
 *	@of_hist: it does so to the histogram of that event
 * @hist: for HIST, even when parts of it could not be read; else NULL
 */
struct otst_trigger {
	uint64_t addr;
	enum otst_trigger_kind kind;
	int64_t count;
	const char *filter;
	const char *system;
	const char *event;
	bool enables;
	bool of_hist;
	const struct otst_hist *hist;
	const char *error;
};

/**
 * otst_triggers() - the triggers of one event
 * @ret: vector of struct otst_trigger
 * @errors: vector of const char *
 */
int otst_triggers(struct otst *o, const struct otst_event_file *e, struct otst_vec *ret,
		  struct otst_messages *errors);

#endif /* OTST_EVENT_FILE_H */
