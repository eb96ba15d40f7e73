/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * hist.h - what hist triggers counted: the entries of their maps, in the order
 * in which the kernel's hist file shows them, but for entries that are equal by it.
 */
#ifndef OTST_HIST_H
#define OTST_HIST_H

#include "../traces.h"
#include "../../ftrace/event_file.h"

/**
 * struct otst_hist_entry - one entry of a map (kernel: struct tracing_map_elt)
 * @hist: its trigger
 * @key: &otst_hist.key_size bytes
 * @sums: one for each value; the first is the hit count
 * @vars: address of its variables, 0 when it has none
 * @comm: name of the task that was counted first, NULL when the map keeps none
 */
struct otst_hist_entry {
	const struct otst_hist *hist;
	const uint8_t *key;
	const uint64_t *sums;
	uint64_t vars;
	const char *comm;
};

/**
 * struct otst_hist_map - a trigger's map
 * @entries: @count of them, sorted
 * @hits: events that were counted; @drops: events that found no room
 * @errors: entries that could not be read: vector of const char *
 */
struct otst_hist_map {
	struct otst_hist *hist;
	const struct otst_hist_entry *entries;
	size_t count;
	uint64_t hits;
	uint64_t drops;
	struct otst_messages errors;
};

/**
 * otst_hist_map() - read and sort a map (kernel/trace/tracing_map.c)
 * @trigger: struct event_trigger_data of a histogram
 *
 * Return: 0, even when entries are bad; FAULT, CORRUPT or LOOKUP when there is
 * nothing to show; or an error that ends the command.
 */
int otst_hist_map(struct otst *o, uint64_t trigger, struct otst_hist_map *ret);

/**
 * struct otst_hist_snapshot - why a histogram took the snapshot of its trace array
 * @action: what asked for it; NULL when no snapshot was taken
 * @value: that it was taken for
 * @entry: whose value it is; only its key and comm are known
 */
struct otst_hist_snapshot {
	const struct otst_hist_action *action;
	uint64_t value;
	struct otst_hist_entry entry;
};

/**
 * otst_hist_snapshot() - read it (tracing_cond_snapshot_data() of kernel/trace/trace.c)
 * @array: struct trace_array
 */
int otst_hist_snapshot(struct otst *o, uint64_t array, const struct otst_hist *h,
		       struct otst_hist_snapshot *ret);

/**
 * otst_hist_event_fn - called for an event that has a histogram
 * @triggers: vector of struct otst_trigger
 */
typedef int otst_hist_event_fn(void *priv, const struct otst_trace_array *a,
			       const struct otst_event_file *e, const struct otst_vec *triggers);

/**
 * otst_hist_events() - visit each event that has a histogram, in all trace arrays
 * @errors: vector of const char *
 *
 * Return: 0, even when parts are bad; LOOKUP when the kernel has no histograms; or an error that
 * ends the command.
 */
int otst_hist_events(struct otst *o, struct otst_messages *errors, otst_hist_event_fn *each,
		     void *priv);

/**
 * otst_hist_sort() - put entries in order (sort.c)
 *
 * Return: 0; FAULT, CORRUPT or LOOKUP when the map does not tell how its fields compare.
 */
int otst_hist_sort(struct otst *o, struct otst_view *map, const struct otst_hist *h,
		   struct otst_hist_entry *entries, size_t count);

#endif /* OTST_HIST_H */
