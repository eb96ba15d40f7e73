// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * consumed.c - the times of events that were already read from a ring: new kernels
 * (7.2, not yet 6.12) clear the time of a sub-buffer that a reader gives back.
 *
 * The differences from event to event are still there, and no event is later
 * than the start of the sub-buffer that follows. So the latest possible start of
 * each sub-buffer is found by going backwards from the newest.
 */
#include "subbuf.h"

#define PROBE (1ull << 40) /* any other start, to see which times depend on it */

/*
 * The latest start of the events in @w, which is walked from time 0, when what follows
 * starts at @next. After an absolute time stamp, times do not depend on the start.
 */
static uint64_t latest_start(struct otst_subbuf_walk w, uint64_t next)
{
	struct otst_subbuf_walk shifted = w;
	struct otst_record a, b;
	uint64_t last = 0;

	shifted.time += PROBE;
	while (otst_subbuf_next(&w, &a) == OTST_SUBBUF_RECORD &&
	       otst_subbuf_next(&shifted, &b) == OTST_SUBBUF_RECORD) {
		if (b.time != a.time + PROBE) {
			next = a.time < next ? a.time : next;
			break;
		}
		last = a.time;
	}
	return last < next ? next - last : 0;
}

/* when the first sub-buffer that the kernel still counts starts */
static int first_unread(const struct otst_ring *ring, const struct otst_ring_cpu *c, size_t *i,
			uint64_t *ret)
{
	int known = 0;

	while (*i < c->nr_subbufs && c->subbufs[*i].consumed)
		++*i;
	for (size_t at = *i; at < c->nr_subbufs && !known; at++)
		known = otst_subbuf_stamp_of(ring, &c->subbufs[at], ret);
	return known < 0 ? known : 0;
}

int otst_subbufs_date(const struct otst_ring *ring, struct otst_ring_cpu *c)
{
	uint8_t *buf = otst_alloc(ring->o, ring->subbuf_size);
	struct otst_subbuf_head head;
	struct otst_subbuf_walk w;
	uint64_t next = c->read_stamp;
	size_t i = 0;
	int err;

	if (!buf)
		return otst_no_memory(ring->o);
	err = first_unread(ring, c, &i, &next);
	while (i-- && !(err && otst_fatal(err))) {
		struct otst_subbuf *s = &c->subbufs[i];

		/* kernels that keep the time keep it in all sub-buffers */
		err = otst_subbuf_load(ring, c, s, buf, &head, &w);
		if (err || !head.len)
			continue;
		if (!head.vague)
			return 0;
		s->time = next = latest_start(w, next);
	}
	return err && otst_fatal(err) ? err : 0;
}
