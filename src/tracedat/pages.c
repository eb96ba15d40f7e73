// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * pages.c - sub-buffers for a trace.dat: struct buffer_data_page of
 * kernel/trace/ring_buffer.c as it is in memory, with two differences: it holds
 * only events that nobody has read, and its word "commit" says what the kernel
 * would tell a reader: whether events before this sub-buffer are missing.
 */
#include <string.h>

#include "dat.h"
#include "../rings/subbuf.h"

/* kernel/trace/ring_buffer.c: RB_MISSED_EVENTS, RB_MISSED_STORED */
#define MISSED_EVENTS (UINT32_C(1) << 31)
#define MISSED_STORED (UINT32_C(1) << 30)

#define COMMIT 8 /* after the time stamp */

/**
 * struct writer - one cpu's sub-buffers on their way to the file
 * @missed: events before the next sub-buffer are missing; @lost: how many, 0 if unknown
 * @reader: struct buffer_page of the reader page
 * @overwritten: lost events not yet reported to readers; they precede the first of the other pages
 * @left_out: sub-buffers that are not in the file; @cut: those that are only partly in it
 * @reason: why the first of either was left out or cut
 */
struct writer {
	struct otst_file *f;
	const struct otst_ring *ring;
	const struct otst_ring_cpu *cpu;
	size_t stride;
	uint8_t *page;
	bool missed;
	uint64_t lost;
	uint64_t reader;
	uint64_t overwritten;
	size_t left_out;
	size_t cut;
	const char *reason;
	struct otst_dat *ret;
};

static void put_u64(const struct writer *w, uint8_t *to, uint64_t v)
{
	v = otst_get(w->ring->o, &v, sizeof(v));
	memcpy(to, &v, sizeof(v));
}

static void note_left_out(struct writer *w, size_t *counter, size_t count, const char *reason)
{
	w->missed = true;
	w->lost = 0;
	*counter += count;
	w->reason = w->reason ?: otst_strdup(w->ring->o, reason);
}

/*
 * Find what rb_get_reader_page() finds when it takes the first sub-buffer, and
 * what ring_buffer_read_page() reports to a reader of pages.
 */
static int find_lost(struct writer *w)
{
	struct otst_view v;
	int err = otst_view_read(w->ring->o, "ring_buffer_per_cpu", w->cpu->addr, &v);

	if (err)
		return err;
	w->reader = otst_u64(&v, "reader_page");
	w->overwritten = otst_u64(&v, "overrun") - otst_u64(&v, "last_overrun");
	w->lost = otst_u64(&v, "lost_events");
	w->missed = w->lost;
	return v.err;
}

static void add_lost_events(struct writer *w, const struct otst_subbuf *s,
			    const struct otst_subbuf_head *head)
{
	if (s->addr != w->reader && !s->consumed && w->overwritten) {
		w->lost = w->missed ? 0 : w->overwritten;
		w->missed = true;
		w->overwritten = 0;
	}
	if (head->lost) {
		w->lost = w->missed ? 0 : head->lost_count;
		w->missed = true;
	}
}

/* write the word "commit" for @len bytes of events, and the lost count after them */
static void put_commit(struct writer *w, uint32_t len)
{
	uint8_t *data = w->page + w->ring->header;
	uint32_t room = w->ring->subbuf_size - w->ring->header, flags = 0;

	if (w->missed)
		flags = MISSED_EVENTS;
	if (w->missed && w->lost && room - len >= sizeof(w->lost)) {
		flags |= MISSED_STORED;
		put_u64(w, data + len, w->lost);
	}
	put_u64(w, w->page + COMMIT, len | flags);
}

/*
 * Turn @w->page into what goes into the file, and walk to its end; returns its
 * number of event bytes. Readers of the file trust what they find, so nothing
 * follows the last valid event.
 */
static uint32_t prepare_page(struct writer *w, struct otst_subbuf_walk *walk)
{
	uint8_t *data = w->page + w->ring->header;
	uint32_t room = w->ring->subbuf_size - w->ring->header;
	uint32_t start = walk->at, end = start;
	uint64_t time = walk->time;
	struct otst_record r;

	while (otst_subbuf_next(walk, &r) == OTST_SUBBUF_RECORD)
		end = walk->at;
	memmove(data, data + start, end - start);
	memset(data + end - start, 0, room - (end - start));
	put_u64(w, w->page, time);
	put_commit(w, end - start);
	return end - start;
}

static int write_subbuf(struct writer *w, const struct otst_subbuf *s)
{
	struct otst_subbuf_head head;
	struct otst_subbuf_walk walk;
	int err = otst_subbuf_load(w->ring, w->cpu, s, w->page, &head, &walk);

	if (otst_fatal(err))
		return err;
	if (err) {
		note_left_out(w, &w->left_out, 1, otst_message(w->ring->o));
		return 0;
	}
	add_lost_events(w, s, &head);
	if (prepare_page(w, &walk)) {
		w->missed = false;
		w->lost = 0;
		w->ret->subbufs++;
		err = otst_file_write(w->f, w->page, w->ring->subbuf_size);
		err = err ?: otst_file_align(w->f, w->stride);
	}
	if (!err && (walk.error || head.error))
		note_left_out(w, &w->cut, 1, walk.error ? walk.error : head.error);
	return err;
}

static void report_pages(struct writer *w)
{
	struct otst *o = w->ring->o;
	const char *message;

	w->ret->left_out += w->left_out;
	w->ret->cut += w->cut;
	if (!w->reason)
		return;
	message = otst_format(o, "cpu %u: %zu sub-buffer%s left out, %zu cut: %s", w->cpu->cpu,
			      w->left_out, otst_number(w->left_out, "", "s"), w->cut, w->reason);
	otst_note_text(o, &w->ret->errors, message);
}

int otst_dat_pages(struct otst_file *f, const struct otst_ring *ring,
		   const struct otst_ring_cpu *cpu, size_t stride, uint8_t *page,
		   struct otst_dat *ret)
{
	struct writer w = { f, ring, cpu, stride, page, .ret = ret };
	int err;

	otst_notes(ring->o, &ret->errors, &cpu->errors);
	err = otst_note(ring->o, &ret->errors, find_lost(&w));
	for (size_t i = 0; i < cpu->nr_subbufs && !err; i++) {
		const struct otst_subbuf *s = &cpu->subbufs[i];

		if (s->missing || !s->data)
			note_left_out(&w, &w.left_out, s->missing + !s->data, "not found");
		if (!err && s->data)
			err = write_subbuf(&w, s);
	}
	if (!err && cpu->missing)
		note_left_out(&w, &w.left_out, cpu->missing, "not found");
	if (!err)
		report_pages(&w);
	return err;
}
