/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader.h - what the files of the reader share: one lane a cpu.
 */
#ifndef OTST_RINGS_READER_H
#define OTST_RINGS_READER_H

#include "subbuf.h"

/**
 * struct otst_lane - one cpu
 * @next, @end: sub-buffers to load
 * @buf: the one that @walk is in, and the one before
 * @loaded: of @buf, that in which @walk is
 * @kept: of @buf, that which holds the record handed out last
 * @read: so many bytes of the sub-buffer were read by somebody
 * @torn: what comes after the end of @walk, or NULL
 * @lost: not told yet
 * @gap: not told yet, comes before @view
 * @view: the record, when not @done
 */
struct otst_lane {
	const struct otst_ring_cpu *cpu;
	size_t next;
	size_t end;
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
 * @heap: lanes by the time of what is in view, then by cpu
 * @taken: what the first of @heap has in view was handed out
 * @limit: up to before this time, no other than the first of @heap has a record
 * @skip: so many records come before those that are wished
 */
struct otst_reader {
	struct otst_ring *ring;
	struct otst_reader_wish wish;
	struct otst_lane *lanes;
	size_t nr_lanes;
	struct otst_lane **heap;
	size_t nr_heap;
	bool taken;
	uint64_t limit;
	uint64_t skip;
};

static inline bool otst_wish_passes(const struct otst_reader_wish *wish,
				    const struct otst_record *rec)
{
	return rec->time >= wish->from && rec->time <= wish->to &&
	       (wish->pid < 0 || rec->pid == wish->pid) &&
	       (!wish->wanted || wish->wanted(wish->priv, rec));
}

/** otst_lane_range() - leave out sub-buffers that lie wholly outside of the wished time (range.c) */
int otst_lane_range(const struct otst_reader *r, struct otst_lane *l);

/** otst_reader_last() - leave out those that are too old for &otst_reader_wish.last (range.c) */
int otst_reader_last(struct otst_reader *r);

#endif /* OTST_RINGS_READER_H */
