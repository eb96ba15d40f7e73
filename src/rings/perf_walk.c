// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * perf_walk.c - the records of a perf buffer, oldest first: which stretches
 * hold records, where each stretch starts, and stretches that are filled from
 * their end.
 */
#include "perf_record.h"

/*
 * A stretch of records.
 * @end: position after it; @cut: its last record may continue there, where it is overwritten
 */
struct stretch {
	struct otst_perf_buffer *b;
	const struct otst_perf_filter *filter;
	uint64_t end;
	bool cut;
	bool consumed;
	bool writing;
};

/* the record or the gap at @at; neither when it is overwritten */
static int look_at_record(const struct stretch *s, uint64_t at, struct otst_perf_record *rec,
			  uint64_t *next)
{
	struct otst *o = s->b->o;
	int err = otst_perf_record_read(s->b, at, s->end - at, rec);

	rec->consumed = s->consumed;
	rec->writing = s->writing;
	*next = err ? s->end : at + rec->size;
	if (!err || otst_fatal(err))
		return err;
	rec->data = NULL;
	if (s->cut && err == OTST_ERR_CORRUPT && otst_perf_header_plausible(rec) &&
	    rec->size > s->end - at)
		return 0;
	rec->error = otst_strdup(o, otst_message(o));
	/* the end of what is being written is not known */
	err = s->writing ? 0 : otst_perf_record_find(s->b, s->filter, at + 8, s->end, s->cut, next);
	rec->gap = *next - at;
	return err;
}

static int hand_out_record(const struct stretch *s, uint64_t at)
{
	struct otst_perf_record rec;
	uint64_t next;
	int err = look_at_record(s, at, &rec, &next);

	if (err || (!rec.data && !rec.error))
		return err;
	return s->filter->each(s->filter->priv, &rec);
}

static int walk_up(const struct stretch *s, uint64_t at)
{
	struct otst_perf_record rec;
	uint64_t next;
	int err = 0;

	for (; at != s->end && !err; at = next) {
		err = look_at_record(s, at, &rec, &next);
		if (!err && (rec.data || rec.error))
			err = s->filter->each(s->filter->priv, &rec);
	}
	return err;
}

/* ---- filled from the end: the newest record comes first ---- */

/* the number of the page that holds @at, counted from @base */
static uint64_t page_of(uint64_t at, uint64_t base)
{
	return (at - base) / OTST_CHUNK;
}

/* for each page the first record that starts in it, as a distance from @from, plus one */
static int note_pages(const struct stretch *s, uint64_t from, uint64_t base, uint64_t *starts)
{
	struct otst_perf_record rec;
	uint64_t at = from, next, *slot;
	int err = 0;

	for (; at != s->end && !err; at = next) {
		slot = &starts[page_of(at, base)];
		*slot = *slot ? *slot : at - from + 1;
		err = look_at_record(s, at, &rec, &next);
	}
	return err;
}

static int walk_page_down(const struct stretch *s, uint64_t at, uint64_t base)
{
	uint64_t places[OTST_CHUNK / OTST_PERF_HEADER], page = page_of(at, base);
	struct otst_perf_record rec;
	unsigned int n = 0;
	int err = 0;

	while (!err && at != s->end && page_of(at, base) == page) {
		places[n++] = at;
		err = look_at_record(s, at, &rec, &at);
	}
	while (!err && n)
		err = hand_out_record(s, places[--n]);
	return err;
}

static int walk_down(const struct stretch *s, uint64_t from)
{
	uint64_t base = from & ~(uint64_t)(OTST_CHUNK - 1), *starts, page;
	int err;

	if (from == s->end)
		return 0;
	page = page_of(s->end - 1, base) + 1;
	starts = otst_alloc(s->b->o, page * sizeof(*starts));
	if (!starts)
		return otst_no_memory(s->b->o);
	err = note_pages(s, from, base, starts);
	while (!err && page--) {
		if (starts[page])
			err = walk_page_down(s, from + starts[page] - 1, base);
	}
	return err;
}

/* a reader leaves the position of the newest record that it has read */
static int walk_backward(const struct stretch *all, uint64_t oldest, bool tail)
{
	struct otst_perf_buffer *b = all->b;
	struct stretch old = *all, fresh = *all, late = *all;
	int err = 0;

	/* the newest record has overwritten a part of the oldest */
	old.cut = oldest;
	old.end = oldest;
	old.consumed = true;
	fresh.cut = old.cut && !tail;
	fresh.end = tail ? b->tail : oldest;
	late.end = b->head;
	late.writing = true;
	if (tail && all->filter->consumed)
		err = walk_down(&old, b->tail);
	err = err ?: walk_down(&fresh, b->head);
	return err ? err : walk_down(&late, b->written);
}

/* ---- filled from the start ---- */

/* a stretch of which only the end is known, unless it starts at position 0 */
static int walk_from(const struct stretch *s, uint64_t from)
{
	uint64_t at = from;
	int err = 0;

	if (from)
		err = otst_perf_record_find(s->b, s->filter, from, s->end, false, &at);
	return err ? err : walk_up(s, at);
}

static int walk_forward(const struct stretch *all, uint64_t oldest, bool tail)
{
	struct otst_perf_buffer *b = all->b;
	struct stretch old = *all, fresh = *all, late = *all;
	int err = 0;

	old.end = b->tail;
	old.consumed = true;
	fresh.end = b->head;
	late.end = b->written;
	late.writing = true;
	if (!tail)
		err = walk_from(&fresh, oldest);
	else if (all->filter->consumed)
		err = walk_from(&old, oldest);
	if (!err && tail)
		err = walk_up(&fresh, b->tail);
	return err ? err : walk_up(&late, b->head);
}

/* ---- the buffer ---- */

static int complain_of_buffer(const struct otst_perf_filter *filter, const char *error)
{
	struct otst_perf_record rec = { .error = error };

	return filter->each(filter->priv, &rec);
}

/* where the bytes that are not overwritten end (backward), or else begin */
static uint64_t find_oldest(const struct otst_perf_buffer *b)
{
	if (b->backward)
		return 0 - b->written > b->size ? b->written + b->size : 0;
	return b->written > b->size ? b->written - b->size : 0;
}

/* true if @at lies from @first to @last */
static bool is_between(uint64_t first, uint64_t at, uint64_t last)
{
	return at - first <= last - first && !(at % 8);
}

/* user space can write to the page with head and tail; the kernel's own position is elsewhere */
int otst_perf_buffer_walk(struct otst_perf_buffer *b, const struct otst_perf_filter *filter)
{
	struct stretch all = { .b = b, .filter = filter };
	uint64_t oldest = find_oldest(b);
	bool down = b->backward, tail = !b->overwrite;
	int err = 0;

	if (!b->size)
		return 0;
	if (b->written % 8)
		return complain_of_buffer(filter, "its head is at no record");
	if (!(down ? is_between(b->written, b->head, oldest) :
		     is_between(oldest, b->head, b->written))) {
		err = complain_of_buffer(filter, "data_head is not where the kernel wrote last");
		b->head = b->written;
	}
	if (!err && tail &&
	    !(down ? is_between(b->head, b->tail, oldest) : is_between(oldest, b->tail, b->head))) {
		err = complain_of_buffer(filter, "data_tail is not in the buffer");
		tail = false;
	}
	if (err)
		return err;
	return down ? walk_backward(&all, oldest, tail) : walk_forward(&all, oldest, tail);
}
