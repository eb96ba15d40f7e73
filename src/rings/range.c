// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * range.c - which sub-buffers a reader has to look into.
 *
 * For a window of time they are found by bisection, as long as the times in their
 * headers are in order. For the newest records, sub-buffers are judged from the
 * newest backwards until nothing older can be among the records.
 */
#include "reader.h"

#define MAX_PROBES 64u

/* ---- a window of time ---- */

/* sub-buffers below @lo start before a time, @hi and above do not */
struct halving {
	const struct otst_ring *ring;
	const struct otst_subbuf *subbufs;
	size_t lo;
	size_t hi;
	uint64_t lo_time;
	uint64_t hi_time;
	bool early; /* where no time is known, rather answer too early than too late */
};

/*
 * Tests one sub-buffer between the two: the middle one, or the next one whose time
 * is known. Return: 1; 0 when times are not in order; or what ends a command.
 */
static int halve_range(struct halving *h, uint64_t time)
{
	size_t at = h->lo + (h->hi - h->lo) / 2, mid = at;
	uint64_t stamp = 0;
	int known = 0;

	for (; at < h->hi && at - mid < MAX_PROBES && !known; at += !known)
		known = otst_subbuf_stamp_of(h->ring, &h->subbufs[at], &stamp);
	if (known < 0)
		return known;
	if (!known && h->early)
		h->hi = mid;
	else if (!known)
		h->lo = h->hi;
	if (!known)
		return 1;
	if (stamp < h->lo_time || stamp > h->hi_time)
		return 0;
	if (stamp < time) {
		h->lo = at + 1;
		h->lo_time = stamp;
	} else {
		h->hi = h->early ? mid : at;
		h->hi_time = stamp;
	}
	return 1;
}

/* the first sub-buffer of those in @h that does not start before @time */
static int find_time(struct halving h, uint64_t time, size_t *ret)
{
	int more = 1;

	while (h.lo < h.hi && more > 0)
		more = halve_range(&h, time);
	*ret = h.hi;
	return more;
}

int otst_cursor_range(const struct otst_reader *r, struct otst_cpu_cursor *cursor)
{
	struct halving h = { r->ring, cursor->cpu->subbufs, 0, 0, 0, UINT64_MAX, true };
	size_t unread = 0, begin, end;
	int known = 1;

	/* what was read has no reliable time, and is not worth the effort */
	while (unread < cursor->end && cursor->cpu->subbufs[unread].consumed)
		unread++;
	begin = unread;
	end = cursor->end;
	h.lo = unread;
	h.hi = end;
	if (r->filter.from)
		known = find_time(h, r->filter.from, &begin);
	h.lo = begin;
	h.early = false;
	if (known > 0 && r->filter.to < UINT64_MAX)
		known = find_time(h, r->filter.to + 1, &end);
	if (known <= 0)
		return known;
	/* the sub-buffer before has events up to that time */
	cursor->next = begin > unread ? begin - 1 : 0;
	cursor->end = end;
	return 0;
}

/* ---- the newest ---- */

/**
 * struct cut - how far a cursor was judged
 * @at: the sub-buffer judged last
 * @start: nothing in it is earlier; @bound: nothing before it is later
 * @count: records in it that pass
 */
struct cut {
	size_t at;
	uint64_t start;
	uint64_t bound;
	uint64_t count;
};

/* judge the sub-buffer before the ones already judged */
static int judge_cut(struct otst_reader *r, struct otst_cpu_cursor *cursor, struct cut *c)
{
	const struct otst_subbuf *s = &cursor->cpu->subbufs[--c->at];
	struct otst_subbuf_head head;
	struct otst_subbuf_walk w;
	struct otst_record rec = cursor->view;
	uint64_t bound;
	int err, known;

	c->count = 0;
	c->start = 0;
	err = otst_subbuf_load(r->ring, cursor->cpu, s, cursor->buf[0], &head, &w);
	if (err)
		return otst_fatal(err) ? err : 0;
	while (otst_subbuf_next(&w, &rec) == OTST_SUBBUF_RECORD) {
		rec.consumed = (uint32_t)(rec.data - w.data) < head.read;
		c->count += otst_filter_passes(&r->filter, &rec);
	}
	if (!head.len)
		return 0;
	c->start = head.time;
	if (!c->at)
		return 0;
	/* a time that is damaged must not end the search */
	known = otst_subbuf_stamp_of(r->ring, s - 1, &bound);
	if (known < 0)
		return known;
	if (!known || bound < head.time)
		bound = head.time;
	c->bound = bound < c->bound ? bound : c->bound;
	return 0;
}

/* the cursor with the newest sub-buffer not yet judged; NULL when all are judged */
static struct cut *newest_cut(const struct otst_reader *r, struct cut *cuts)
{
	struct cut *best = NULL;

	for (size_t i = 0; i < r->nr_cursors; i++) {
		if (cuts[i].at > r->cursors[i].next && (!best || cuts[i].bound > best->bound))
			best = &cuts[i];
	}
	return best;
}

/*
 * How many records are certain to be as new as @bound, which nothing exceeds that is
 * not judged: all but those in the sub-buffer judged last of each cpu. The sub-buffers
 * after that one were judged when the bound was where they start.
 */
static uint64_t count_sure(const struct otst_reader *r, const struct cut *cuts, uint64_t total,
			   uint64_t bound)
{
	for (size_t i = 0; i < r->nr_cursors; i++) {
		if (cuts[i].at > r->cursors[i].next || cuts[i].start < bound)
			total -= cuts[i].count;
	}
	return total;
}

static int judge_all(struct otst_reader *r, struct cut *cuts, uint64_t *total)
{
	uint64_t enough = 0;
	struct cut *c;
	int err;

	while ((c = newest_cut(r, cuts))) {
		/* other records of the same time may come before those, or after */
		if (c->bound < enough)
			break;
		if (!enough && count_sure(r, cuts, *total, c->bound) >= r->filter.last)
			enough = c->bound;
		err = judge_cut(r, &r->cursors[c - cuts], c);
		if (err)
			return err;
		*total += c->count;
	}
	return 0;
}

int otst_reader_last(struct otst_reader *r)
{
	struct cut *cuts = otst_alloc(r->ring->o, (r->nr_cursors + 1) * sizeof(*cuts));
	uint64_t total = 0;
	int err;

	if (!cuts)
		return otst_no_memory(r->ring->o);
	for (size_t i = 0; i < r->nr_cursors; i++)
		cuts[i] = (struct cut){ .at = r->cursors[i].end, .bound = UINT64_MAX };
	err = judge_all(r, cuts, &total);
	if (err)
		return err;
	for (size_t i = 0; i < r->nr_cursors; i++)
		r->cursors[i].next = cuts[i].at;
	r->skip = total > r->filter.last ? total - r->filter.last : 0;
	return 0;
}
