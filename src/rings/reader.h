/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * reader.h - what the files of the reader share: one cursor a cpu.
 */
#ifndef OTST_RINGS_READER_H
#define OTST_RINGS_READER_H

#include "subbuf.h"

/**
 * struct otst_cpu_cursor - one cpu
 * @next, @end: sub-buffers to load
 * @asked: up to there, they were asked for ahead
 * @buf: the one that @walk is in, and the one before
 * @loaded: of @buf, that in which @walk is
 * @kept: of @buf, that which holds the record handed out last
 * @read: so many bytes of the sub-buffer were read by somebody
 * @torn: what comes after the end of @walk, or NULL
 * @lost: not told yet
 * @gap: not told yet, comes before @view
 * @view: the record, when not @done
 */
struct otst_cpu_cursor {
	const struct otst_ring_cpu *cpu;
	size_t next;
	size_t end;
	size_t asked;
	uint8_t *buf[2];
	unsigned int loaded;
	unsigned int kept;
	struct otst_subbuf_walk walk;
	uint32_t read;
	const char *torn;
	bool lost;
	uint64_t lost_count;
	uint32_t gap;
	const char *gap_error;
	struct otst_record view;
	bool done;
};

/**
 * struct otst_reader - all cpus
 * @heap: cursors by the time of what is in view, then by cpu
 * @taken: what the first of @heap has in view was handed out
 * @limit: up to before this time, no other than the first of @heap has a record
 * @ahead: so many sub-buffers of a cpu are asked for ahead
 * @skip: so many records come before those that are chosen
 */
struct otst_reader {
	struct otst_ring *ring;
	struct otst_reader_filter filter;
	struct otst_cpu_cursor *cursors;
	size_t nr_cursors;
	struct otst_cpu_cursor **heap;
	size_t nr_heap;
	bool taken;
	uint64_t limit;
	size_t ahead;
	uint64_t skip;
};

static inline bool otst_filter_passes(const struct otst_reader_filter *filter,
				      const struct otst_record *rec)
{
	return rec->time >= filter->from && rec->time <= filter->to &&
	       (filter->pid < 0 || rec->pid == filter->pid) &&
	       (!filter->wanted || filter->wanted(filter->priv, rec));
}

/** otst_cursor_range() - leave out sub-buffers that lie wholly outside of the chosen time (range.c) */
int otst_cursor_range(const struct otst_reader *r, struct otst_cpu_cursor *l);

/** otst_reader_last() - leave out those that are too old for &otst_reader_filter.last (range.c) */
int otst_reader_last(struct otst_reader *r);

#endif /* OTST_RINGS_READER_H */
