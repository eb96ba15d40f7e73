/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - tables that fit the width of the output.
 *
 * The first columns stand in one line and are as wide as their content. The
 * others, the flowing ones, stand behind them where there is room, else on a
 * line of their own below, indented; nothing is cut:
 *
 *	KIND    ADDRESS           PROBED        STATE
 *	        OWNER  HANDLERS
 *	kprobe  ffffffff9e4332c0  do_nanosleep  armed ftrace
 *	        module otst_lab  pre=lab_pre [otst_lab]
 */
#ifndef OTST_OUTPUT_TABLE_H
#define OTST_OUTPUT_TABLE_H

#include "output.h"

#define OTST_COLUMNS 10

/** struct otst_column - @most: how wide it gets, a longer cell moves what stands behind it; 0: no limit */
struct otst_column {
	const char *title;
	bool right; /**< its cells end in one column */
	unsigned int most;
};

/** struct otst_cell - text in one column of one row; never NULL */
struct otst_cell {
	const char *text;
	enum otst_style style;
};

/**
 * struct otst_table - a table that is being measured, then printed
 * @flow: the first column that may go to a line of its own
 * @split: the first column that does so in every row
 * @width: of each column
 * @shortest: cell of the last column that says something
 */
struct otst_table {
	struct otst_printer *p;
	const struct otst_column *columns;
	unsigned int count;
	unsigned int flow;
	unsigned int split;
	unsigned int width[OTST_COLUMNS];
	unsigned int shortest;
};

/** otst_table_init() - @count columns, no more than OTST_COLUMNS */
void otst_table_init(struct otst_table *t, struct otst_printer *p,
		     const struct otst_column *columns, unsigned int count, unsigned int flow);

/** otst_table_measure() - widen the columns for a row; all rows first */
void otst_table_measure(struct otst_table *t, const struct otst_cell *row);

/** otst_table_head() - settle what stands where, and print the titles */
void otst_table_head(struct otst_table *t);

void otst_table_row(struct otst_table *t, const struct otst_cell *row);

#endif /* OTST_OUTPUT_TABLE_H */
