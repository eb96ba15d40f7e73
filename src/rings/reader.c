// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * reader.c - the records of a ring, all cpus merged by time, as the kernel's
 * iterator gives them to the trace file: __find_next_entry() of
 * kernel/trace/trace.c, rb_iter_peek() of kernel/trace/ring_buffer.c.
 *
 * Each cpu is a cursor with one record in view; a heap orders the cursors by the
 * time of that record. A cursor moves on only when its record was handed out and the
 * next one is asked for, so the record stays where it is until then.
 */

#include "reader.h"

/* sub-buffers to request ahead, for all cpus together */
#define AHEAD 128u

/* ---- one cpu ---- */

static void add_reader_gap(struct otst_cpu_cursor *cursor, uint32_t count, const char *error)
{
	if (!cursor->gap)
		cursor->gap_error = error;
	cursor->gap += count;
}

/* request at least half of what is allowed at once: a target wakes its threads less often */
static void look_ahead(const struct otst_reader *r, struct otst_cpu_cursor *cursor)
{
	size_t end = cursor->next + r->ahead < cursor->end ? cursor->next + r->ahead : cursor->end;

	if (cursor->asked < cursor->next)
		cursor->asked = cursor->next;
	if (end < cursor->asked + (r->ahead + 1) / 2 && end != cursor->end)
		return;
	for (; cursor->asked < end; cursor->asked++)
		otst_ahead(r->ring->o, cursor->cpu->subbufs[cursor->asked].data,
			   r->ring->subbuf_size);
}

/* load the next sub-buffer into the free buffer; what is missing before it becomes a gap */
static int load_subbuf(struct otst_reader *r, struct otst_cpu_cursor *cursor)
{
	const struct otst_subbuf *s = &cursor->cpu->subbufs[cursor->next++];
	struct otst_subbuf_head head;
	int err;

	look_ahead(r, cursor);
	if (s->missing)
		add_reader_gap(cursor, s->missing, "the list of sub-buffers is cut");
	cursor->loaded = !cursor->kept;
	err = otst_subbuf_load(r->ring, cursor->cpu, s, cursor->buf[cursor->loaded], &head,
			       &cursor->walk);
	if (err && otst_fatal(err))
		return err;
	if (err) {
		cursor->walk.at = cursor->walk.len = 0;
		add_reader_gap(cursor, 1, otst_strdup(r->ring->o, otst_message(r->ring->o)));
		return 0;
	}
	cursor->read = head.read;
	cursor->view.vague = head.vague;
	cursor->torn = head.error;
	if (head.lost && !head.start) {
		cursor->lost = true;
		cursor->lost_count = head.lost_count;
	}
	return 0;
}

/* go on after the end of a sub-buffer, or of the part of it that can be walked */
static int next_subbuf(struct otst_reader *r, struct otst_cpu_cursor *cursor,
		       enum otst_subbuf_step step)
{
	if (cursor->torn)
		add_reader_gap(cursor, 1, cursor->torn);
	else if (step == OTST_SUBBUF_BAD)
		add_reader_gap(cursor, 1, cursor->walk.error);
	cursor->torn = NULL;
	if (cursor->next < cursor->end)
		return load_subbuf(r, cursor);
	if (cursor->end == cursor->cpu->nr_subbufs && cursor->cpu->missing)
		add_reader_gap(cursor, cursor->cpu->missing, "the list of sub-buffers is cut");
	cursor->done = true;
	return 0;
}

/* bring the next record that passes the filter into view */
static int advance_cursor(struct otst_reader *r, struct otst_cpu_cursor *cursor)
{
	struct otst_record *rec = &cursor->view;
	int err;

	while (!cursor->done) {
		enum otst_subbuf_step step = otst_subbuf_next(&cursor->walk, rec);

		if (step != OTST_SUBBUF_RECORD) {
			err = next_subbuf(r, cursor, step);
			if (err)
				return err;
			continue;
		}
		rec->consumed = (uint32_t)(rec->data - cursor->walk.data) < cursor->read;
		rec->lost = cursor->lost;
		rec->lost_count = cursor->lost_count;
		if (!otst_filter_passes(&r->filter, rec))
			continue;
		cursor->lost = false;
		cursor->lost_count = 0;
		return 0;
	}
	return 0;
}

/* ---- all cpus ---- */

static bool is_record_before(const struct otst_cpu_cursor *a, const struct otst_cpu_cursor *b)
{
	if (a->view.time != b->view.time)
		return a->view.time < b->view.time;
	return a->cpu->cpu < b->cpu->cpu;
}

static void sift_down(struct otst_reader *r, size_t at)
{
	struct otst_cpu_cursor *cursor = r->heap[at];

	for (;;) {
		size_t child = 2 * at + 1;

		if (child + 1 < r->nr_heap && is_record_before(r->heap[child + 1], r->heap[child]))
			child++;
		if (child >= r->nr_heap || !is_record_before(r->heap[child], cursor))
			break;
		r->heap[at] = r->heap[child];
		at = child;
	}
	r->heap[at] = cursor;
}

/* put the first of the heap in its place; set how far it may go before the others count */
static void sift_first(struct otst_reader *r)
{
	if (r->nr_heap)
		sift_down(r, 0);
	r->limit = UINT64_MAX;
	for (size_t i = 1; i < r->nr_heap && i <= 2; i++) {
		if (r->heap[i]->view.time < r->limit)
			r->limit = r->heap[i]->view.time;
	}
}

/* advance the cursor whose record was handed out */
static int settle_cursor(struct otst_reader *r)
{
	struct otst_cpu_cursor *cursor = r->heap[0];
	int err;

	if (!r->taken)
		return 0;
	r->taken = false;
	err = advance_cursor(r, cursor);
	if (err)
		return err;
	if (cursor->done && !cursor->gap)
		r->heap[0] = r->heap[--r->nr_heap];
	sift_first(r);
	return 0;
}

static void tell_gap(struct otst_cpu_cursor *cursor, struct otst_record *ret)
{
	*ret = (struct otst_record){
		.time = cursor->view.time,
		.cpu = cursor->cpu->cpu,
		.gap = cursor->gap,
		.error = cursor->gap_error,
	};
}

/* copy what @l has in view to @ret */
static void tell_record(struct otst_cpu_cursor *cursor, struct otst_record *ret)
{
	if (cursor->gap)
		tell_gap(cursor, ret);
	else
		*ret = cursor->view;
}

/*
 * The next record is nearly always of the same cpu and in the same sub-buffer. Then
 * only the position in it moves, and @ret is written once. Return: false when this is
 * not the case; nothing has changed then.
 */
static inline bool next_nearby(struct otst_reader *r, struct otst_record *ret)
{
	struct otst_cpu_cursor *cursor = r->heap[0];
	struct otst_subbuf_walk w = cursor->walk;
	struct otst_record rec;

	if (cursor->lost || r->filter.chosen || otst_subbuf_next(&w, &rec) != OTST_SUBBUF_RECORD ||
	    !otst_filter_passes(&r->filter, &rec) || rec.time >= r->limit)
		return false;
	cursor->walk.at = w.at;
	cursor->walk.time = w.time;
	cursor->view.time = rec.time;
	*ret = (struct otst_record){
		.time = rec.time,
		.data = rec.data,
		.big_endian = rec.big_endian,
		.size = rec.size,
		.cpu = cursor->view.cpu,
		.pid = rec.pid,
		.type = rec.type,
		.consumed = (uint32_t)(rec.data - w.data) < cursor->read,
		.vague = cursor->view.vague,
	};
	cursor->kept = cursor->loaded;
	return true;
}

static int next_record(struct otst_reader *r, struct otst_record *ret)
{
	struct otst_cpu_cursor *cursor;
	int err = r->nr_heap ? settle_cursor(r) : 0;

	if (err < 0)
		return err;
	if (!r->nr_heap)
		return 0;
	cursor = r->heap[0];
	tell_record(cursor, ret);
	if (cursor->gap) {
		cursor->gap = 0;
		/* after the last record, nothing more is in view */
		if (cursor->done) {
			r->heap[0] = r->heap[--r->nr_heap];
			sift_first(r);
		}
		return 1;
	}
	cursor->kept = cursor->loaded;
	r->taken = true;
	return 1;
}

/* skip what is too old to be among the newest; 0 when that was all */
static int skip_older(struct otst_reader *r)
{
	struct otst_record rec;
	int more = 1;

	while (r->skip && (more = next_record(r, &rec)) > 0)
		r->skip -= !rec.gap;
	return more;
}

int otst_reader_next(struct otst_reader *r, struct otst_record *ret)
{
	int more = r->skip ? skip_older(r) : 1;

	if (more <= 0)
		return more;
	if (r->taken && next_nearby(r, ret))
		return 1;
	return next_record(r, ret);
}

int otst_reader_peek(struct otst_reader *r, unsigned int cpu, struct otst_record *ret)
{
	int err = r->skip ? skip_older(r) : 1;

	if (err <= 0)
		return err;
	err = r->nr_heap ? settle_cursor(r) : 0;
	if (err)
		return err;
	for (size_t i = 0; i < r->nr_cursors; i++) {
		struct otst_cpu_cursor *cursor = &r->cursors[i];

		if (cursor->cpu->cpu != cpu || (cursor->done && !cursor->gap))
			continue;
		tell_record(cursor, ret);
		return 1;
	}
	return 0;
}

/* ---- opening ---- */

static bool is_chosen_cpu(const struct otst_reader_filter *filter, unsigned int cpu)
{
	return !filter->cpus || (cpu < filter->nr_cpus && filter->cpus[cpu / 64] >> cpu % 64 & 1);
}

static int add_cursor(struct otst_reader *r, const struct otst_ring_cpu *c)
{
	struct otst_cpu_cursor *cursor = &r->cursors[r->nr_cursors];

	cursor->cpu = c;
	cursor->end = c->nr_subbufs;
	cursor->view.cpu = c->cpu;
	cursor->buf[0] = otst_alloc(r->ring->o, r->ring->subbuf_size);
	cursor->buf[1] = otst_alloc(r->ring->o, r->ring->subbuf_size);
	if (!cursor->buf[0] || !cursor->buf[1])
		return otst_no_memory(r->ring->o);
	r->nr_cursors++;
	return otst_cursor_range(r, cursor);
}

static int fill_heap(struct otst_reader *r)
{
	int err;

	/* with many cpus, what is ready for one of them would be lost before its turn */
	r->ahead = r->nr_cursors && r->nr_cursors <= AHEAD / 2 ? AHEAD / r->nr_cursors : 0;
	for (size_t i = 0; i < r->nr_cursors; i++) {
		struct otst_cpu_cursor *cursor = &r->cursors[i];

		err = advance_cursor(r, cursor);
		if (err)
			return err;
		if (!cursor->done || cursor->gap)
			r->heap[r->nr_heap++] = cursor;
	}
	for (size_t i = r->nr_heap / 2; i--;)
		sift_down(r, i);
	sift_first(r);
	return 0;
}

int otst_reader_open(struct otst_ring *ring, const struct otst_reader_filter *filter,
		     struct otst_reader **ret)
{
	struct otst_reader *r = otst_new(ring->o, sizeof(*r));
	int err = 0;

	r->ring = ring;
	r->filter = *filter;
	r->cursors = otst_alloc(ring->o, (ring->nr_cpus + 1) * sizeof(*r->cursors));
	r->heap = otst_alloc(ring->o, (ring->nr_cpus + 1) * sizeof(struct otst_cpu_cursor *));
	if (!r->cursors || !r->heap)
		return otst_no_memory(ring->o);
	for (size_t i = 0; i < ring->nr_cpus && !err; i++) {
		if (is_chosen_cpu(filter, ring->cpus[i].cpu))
			err = add_cursor(r, &ring->cpus[i]);
	}
	if (!err && filter->last)
		err = otst_reader_last(r);
	err = err ?: fill_heap(r);
	if (!err)
		*ret = r;
	return err;
}

int otst_ring_skipped(struct otst_ring *ring, unsigned int cpu, uint64_t from, uint64_t *ret)
{
	uint64_t word = 1ull << cpu % 64,
		 *cpus = otst_alloc(ring->o, (cpu / 64 + 1) * sizeof(word));
	struct otst_reader_filter filter = { cpus, cpu + 1, -1, 0, UINT64_MAX, 0, NULL, NULL };
	struct otst_record rec;
	struct otst_reader *r;
	int more;

	if (!cpus)
		return otst_no_memory(ring->o);
	cpus[cpu / 64] = word;
	more = otst_reader_open(ring, &filter, &r);
	if (more)
		return more;
	*ret = 0;
	while ((more = otst_reader_next(r, &rec)) > 0 && (rec.gap || rec.time < from))
		*ret += !rec.gap;
	return more < 0 ? more : 0;
}
