/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * reader.h - what the files of the reader share: a cursor for each cpu.
 */
#ifndef OTST_RINGS_READER_H
#define OTST_RINGS_READER_H

#include "subbuf.h"

/**
 * struct otst_cpu_cursor - one cpu
 * @next, @end: sub-buffers to load
 * @asked: sub-buffers up to here were requested ahead
 * @buf: the one that @walk is in, and the one before
 * @loaded: index in @buf of the one that @walk is in
 * @kept: index in @buf of the one that holds the record handed out last
 * @read: number of bytes of the sub-buffer that somebody has read
 * @torn: error of the gap after the end of @walk, or NULL
 * @lost: lost events, not reported yet
 * @gap: not reported yet, comes before @view
 * @view: the record in view, when not @done
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
 * @limit: before this time, only the first of @heap has records
 * @ahead: number of sub-buffers of a cpu to request ahead
 * @skip: number of records that come before those that are chosen
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
	       (!filter->chosen || filter->chosen(filter->priv, rec));
}

/** otst_cursor_range() - leave out sub-buffers wholly outside of the chosen time (range.c) */
int otst_cursor_range(const struct otst_reader *r, struct otst_cpu_cursor *l);

/** otst_reader_last() - leave out those that are too old for &otst_reader_filter.last (range.c) */
int otst_reader_last(struct otst_reader *r);

#endif /* OTST_RINGS_READER_H */
