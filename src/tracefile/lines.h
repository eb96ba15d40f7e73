/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * lines.h - lines of functions and events as the engine's thread notes them
 * (lines.c), for another one that turns a batch of them into text (batches.c).
 */
#ifndef OTST_TRACEFILE_LINES_H
#define OTST_TRACEFILE_LINES_H

#include "print.h"

#define OTST_TF_BATCHES 4u
#define OTST_TF_LINES	4096u
#define OTST_TF_RECORDS (256u * 1024) /* bytes of a batch's events */
#define OTST_TF_APART	128u	      /* bytes: two cache lines */

/**
 * struct otst_tf_noted - one line, after @at bytes of the batch's other text
 * @event: an event, with its record; NULL: a function, with its @parent if that is printed
 */
struct otst_tf_noted {
	const struct otst_tf_columns *columns;
	const struct otst_tf_event *event;
	union {
		struct {
			const struct otst_tf_name *ip;
			const struct otst_tf_name *parent;
		};
		struct {
			const uint8_t *data;
			uint32_t size;
		};
	};
	uint64_t time;
	size_t at;
};

/**
 * struct otst_tf_batch - lines that one job turns into text
 * @other: text other than lines, @other_len bytes; &otst_tf.t while the batch is filled
 * @records: records of events, @records_len bytes
 * @out: text not printed yet: of the lines before @done, and of @other before @copied
 * @job: job of the thread that works on it, or 0
 * @apart: keeps what two threads write at the same time out of adjacent cache lines
 */
struct otst_tf_batch {
	const struct otst_tf *tf;
	char *other;
	size_t other_len;
	uint8_t *records;
	size_t records_len;
	struct otst_tf_noted *lines;
	size_t nr_lines;
	struct otst_text out;
	size_t done;
	size_t copied;
	struct otst_tf_secs secs;
	uint64_t job;
	char apart[OTST_TF_APART];
};

/**
 * struct otst_tf_lines - all batches
 * @now: number of the batch being @filled; the @waiting batches before it are not printed yet
 */
struct otst_tf_lines {
	struct otst *o;
	struct otst_printer *p;
	struct otst_tf_batch batches[OTST_TF_BATCHES];
	struct otst_tf_batch *filled;
	unsigned int now;
	unsigned int waiting;
};

#endif /* OTST_TRACEFILE_LINES_H */
