/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hist.h - what hist triggers counted: the entries of their maps, in the order
 * in which the kernel's hist file shows them.
 */
#ifndef OTST_HIST_H
#define OTST_HIST_H

#include "traces.h"
#include "../ftrace/tracefs.h"

/**
 * struct otst_hist_entry - one entry of a map (kernel: struct tracing_map_elt)
 * @key: &otst_hist.key_size bytes
 * @sums: one for each value; the first is the hit count
 * @vars: address of its variables, 0 when it has none
 * @comm: task's name when it was first counted, NULL when the map has none
 */
struct otst_hist_entry {
	const uint8_t *key;
	const uint64_t *sums;
	uint64_t vars;
	const char *comm;
};

/**
 * struct otst_hist_map - a trigger's map
 * @entries: @count of them, sorted
 * @hits: events that were counted; @drops: and that found no room
 * @errors: entries that could not be read: vector of const char *
 */
struct otst_hist_map {
	struct otst_hist *hist;
	const struct otst_hist_entry *entries;
	size_t count;
	uint64_t hits;
	uint64_t drops;
	struct otst_vec errors;
};

/**
 * otst_hist_map() - read and sort a map (kernel/trace/tracing_map.c)
 * @trigger: struct event_trigger_data of a histogram
 *
 * Return: 0, also when entries are bad; FAULT, CORRUPT, LOOKUP when there is
 * nothing; or what ends a command.
 */
int otst_hist_map(struct otst *o, uint64_t trigger, struct otst_hist_map *ret);

/**
 * otst_hist_file() - the text of events/SYSTEM/EVENT/hist
 * @path: "events/kmem/kmalloc/hist", in the directory of @f->array
 *
 * Return: as otst_tracefs_read().
 */
int otst_hist_file(struct otst *o, struct otst_tracefs_file *f);

/**
 * otst_hist_each() - all histograms of all arrays
 * @each: is handed the text of one hist file; a non-zero return ends the list
 */
int otst_hist_each(struct otst *o, int (*each)(void *priv, const struct otst_tracefs_file *f),
		   void *priv);

/* ---- between hist.c and its neighbours ---- */

/** otst_hist_sort() - put entries into the kernel's order (hist_sort.c); 0 or NOMEM */
int otst_hist_sort(struct otst *o, struct otst_view *map, const struct otst_hist *h,
		   struct otst_hist_entry *entries, size_t count);

/** otst_hist_text() - the block that hist_trigger_show() prints for one map (hist_text.c) */
int otst_hist_text(struct otst *o, const struct otst_hist_map *m, struct otst_file_text *out);

#endif /* OTST_HIST_H */
