/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * table.h - tables that fit the width of the output.
 *
 * The first columns are in one line and are as wide as their content. The
 * others, the flowing ones, follow them if there is room; otherwise they go to
 * an indented line of their own below. Nothing is cut:
 *
 *	KIND    ADDRESS           PROBED        STATE
 *	        OWNER  HANDLERS
 *	kprobe  ffffffff9e4332c0  do_nanosleep  armed ftrace
 *	        module otst_lab  pre=lab_pre [otst_lab]
 */
#ifndef OTST_OUTPUT_TABLE_H
#define OTST_OUTPUT_TABLE_H

#include "rows.h"

#define OTST_COLUMNS 10

/** struct otst_column - what struct otst_row says about a column */
struct otst_column {
	const char *title;
	bool right;
	unsigned int most;
	bool flow;
};

/** struct otst_cell - text in one column of one row; never NULL */
struct otst_cell {
	const char *text;
	enum otst_style style;
};

/**
 * struct otst_table - a table that is being measured, then printed
 * @object: the description of a row; @of: what its items are a part of, or NULL
 * @flow: the first column that may go to a line of its own
 * @split: the first column that does so in every row
 * @width: of each column
 * @shortest: length of the shortest cell of the last column that is not empty
 */
struct otst_table {
	struct otst_printer *p;
	const struct otst_object *object;
	const void *of;
	struct otst_column columns[OTST_COLUMNS];
	unsigned int count;
	unsigned int flow;
	unsigned int split;
	unsigned int width[OTST_COLUMNS];
	unsigned int shortest;
};

/** otst_table_init() - a table with the columns of @object, which has at most OTST_COLUMNS */
void otst_table_init(struct otst_table *t, struct otst_printer *p, const struct otst_object *object,
		     const void *of);

/** otst_table_measure() - widen the columns for a row; call it for all rows first */
void otst_table_measure(struct otst_table *t, const void *item);

/** otst_table_head() - settle the layout and print the titles */
void otst_table_head(struct otst_table *t);

void otst_table_row(struct otst_table *t, const void *item);

#endif /* OTST_OUTPUT_TABLE_H */
