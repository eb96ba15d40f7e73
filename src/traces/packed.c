// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * packed.c - the list of traces. A log may have more of them than memory has room for,
 * so its traces wait packed until they are looked at: numbers in as few bytes as they need,
 * texts, and for each line of the stack the number of one that all traces share.
 */
#include <stddef.h>
#include <string.h>

#include "../base/hash.h"
#include "traces.h"

#define CHUNK	   1024u /* lines of the table that are allocated at a time */
#define FIRST	   1024u /* slots before the table grows */
#define MOST_BYTES 10u	 /* of a number */
#define NUMBERS	   8u	 /* of a trace, and one for each line */

/**
 * struct otst_trace_store - what packed traces share
 * @chunks: vector of struct otst_trace_line *, CHUNK lines each; @count of them in all
 * @slots: @room, a power of two, of 1 + the number of a line; 0 is free
 * @bytes: a trace that is being packed, @bytes_room of them
 * @source: of all packed traces
 */
struct otst_trace_store {
	struct otst_vec chunks;
	uint32_t count;
	uint32_t *slots;
	size_t room;
	uint8_t *bytes;
	size_t bytes_room;
	enum otst_source_kind source;
};

/* ---- lines ---- */

static struct otst_trace_line *line_at(const struct otst_trace_store *s, uint64_t id)
{
	return ((struct otst_trace_line **)s->chunks.data)[id / CHUNK] + id % CHUNK;
}

/* equal texts of one source are the same pointer */
static bool is_same_line(const struct otst_trace_line *a, const struct otst_trace_line *b)
{
	return a->text == b->text && a->addr == b->addr && a->kind == b->kind && a->cs == b->cs &&
	       a->title == b->title && a->reliable == b->reliable && a->exact == b->exact &&
	       a->source == b->source && !memcmp(a->letters, b->letters, sizeof(a->letters));
}

static uint64_t hash_of_packed(const struct otst_trace_line *line)
{
	return otst_mix(otst_mix(0, (uintptr_t)line->text), line->addr + line->reliable);
}

/* the slot of a line, or the free one that it gets */
static uint32_t *find_slot(const struct otst_trace_store *s, const struct otst_trace_line *line)
{
	size_t at = hash_of_packed(line) % s->room;

	while (s->slots[at] && !is_same_line(line_at(s, s->slots[at] - 1), line))
		at = (at + 1) % s->room;
	return &s->slots[at];
}

static bool grow_slots(struct otst *o, struct otst_trace_store *s)
{
	size_t room = s->room ? 2 * s->room : FIRST;
	uint32_t *slots, i;

	if (4 * (size_t)s->count < 3 * s->room)
		return true;
	slots = otst_alloc(o, room * sizeof(*slots));
	if (!slots)
		return false;
	s->slots = slots;
	s->room = room;
	for (i = 0; i < s->count; i++)
		*find_slot(s, line_at(s, i)) = i + 1;
	return true;
}

/* a new line; false when out of memory */
static bool keep_packed_line(struct otst *o, struct otst_trace_store *s,
			     const struct otst_trace_line *line)
{
	struct otst_trace_line **chunk;

	if (s->count % CHUNK == 0) {
		struct otst_trace_line *lines = otst_alloc(o, CHUNK * sizeof(*lines));

		chunk = lines ? otst_vec_push(o, &s->chunks, sizeof(*chunk)) : NULL;
		if (!chunk || otst_stopped(o))
			return false;
		*chunk = lines;
	}
	*line_at(s, s->count++) = *line;
	return true;
}

/* the number of a line, UINT32_MAX when out of memory */
static uint32_t number_of(struct otst *o, struct otst_trace_store *s,
			  const struct otst_trace_line *line)
{
	uint32_t *slot;

	if (!grow_slots(o, s))
		return UINT32_MAX;
	slot = find_slot(s, line);
	if (!*slot && !keep_packed_line(o, s, line))
		return UINT32_MAX;
	*slot = *slot ?: s->count;
	return *slot - 1;
}

void otst_traces_each_line(const struct otst_traces *t,
			   void (*each)(void *priv, struct otst_trace_line *line), void *priv)
{
	for (uint32_t i = 0; t->store && i < t->store->count; i++)
		each(priv, line_at(t->store, i));
}

/* ---- bytes ---- */

static uint8_t *put_packed_number(uint8_t *to, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*to++ = (uint8_t)(v | 0x80);
	*to++ = (uint8_t)v;
	return to;
}

static uint64_t get_number(const uint8_t **from)
{
	unsigned int shift = 0;
	uint64_t v = 0;

	for (; **from & 0x80; shift += 7)
		v |= (uint64_t)(*(*from)++ & 0x7f) << shift;
	return v | (uint64_t) * (*from)++ << shift;
}

/* texts of a trace, in the order in which they are packed */
static const size_t texts[] = {
	offsetof(struct otst_trace, time_text), offsetof(struct otst_trace, where),
	offsetof(struct otst_trace, comm),	offsetof(struct otst_trace, headline),
	offsetof(struct otst_trace, probe),	offsetof(struct otst_trace, handler),
	offsetof(struct otst_trace, error),
};

#define TEXTS	    (sizeof(texts) / sizeof(*texts))
#define TRUNCATED   (1u << TEXTS)
#define OVERWRITTEN (2u << TEXTS)
#define ENDS	    (4u << TEXTS)

static const char **text_of(const struct otst_trace *t, size_t i)
{
	return (const char **)((char *)t + texts[i]);
}

static uint8_t *room_for(struct otst *o, struct otst_trace_store *s, const struct otst_trace *t)
{
	size_t i, need = MOST_BYTES * (NUMBERS + t->nr_lines);

	for (i = 0; i < TEXTS; i++)
		need += *text_of(t, i) ? strlen(*text_of(t, i)) + 1 : 0;
	if (need > s->bytes_room) {
		s->bytes = otst_alloc(o, 2 * need);
		s->bytes_room = s->bytes ? 2 * need : 0;
	}
	return s->bytes;
}

static uint8_t *pack_numbers(const struct otst_trace *t, uint8_t *to)
{
	unsigned int flags = (t->truncated ? TRUNCATED : 0) | (t->overwritten ? OVERWRITTEN : 0) |
			     (t->ends ? ENDS : 0);

	for (size_t i = 0; i < TEXTS; i++)
		flags |= *text_of(t, i) ? 1u << i : 0;
	to = put_packed_number(to, flags);
	to = put_packed_number(to, t->clock);
	to = put_packed_number(to, t->time);
	to = put_packed_number(to, t->seq);
	to = put_packed_number(to, (uint64_t)t->cpu + 1);
	to = put_packed_number(to, (uint64_t)t->pid + 1);
	to = put_packed_number(to, t->probe_addr);
	return put_packed_number(to, t->nr_lines);
}

/* NULL when out of memory */
static const uint8_t *pack_trace(struct otst *o, struct otst_trace_store *s,
				 const struct otst_trace *t)
{
	uint8_t *to = room_for(o, s, t), *copy;
	size_t i, len;

	if (!to)
		return NULL;
	to = pack_numbers(t, to);
	for (i = 0; i < t->nr_lines; i++) {
		uint32_t number = number_of(o, s, &t->lines[i]);

		if (number == UINT32_MAX)
			return NULL;
		to = put_packed_number(to, number);
	}
	for (i = 0; i < TEXTS; i++) {
		if (*text_of(t, i))
			to = (uint8_t *)stpcpy((char *)to, *text_of(t, i)) + 1;
	}
	len = (size_t)(to - s->bytes);
	copy = otst_alloc(o, len);
	return copy ? memcpy(copy, s->bytes, len) : NULL;
}

static const uint8_t *unpack_numbers(const uint8_t *from, struct otst_trace *t, unsigned int *flags)
{
	*flags = (unsigned int)get_number(&from);
	t->truncated = *flags & TRUNCATED;
	t->overwritten = *flags & OVERWRITTEN;
	t->ends = *flags & ENDS;
	t->clock = (enum otst_clock)get_number(&from);
	t->time = get_number(&from);
	t->seq = get_number(&from);
	t->cpu = (int)(get_number(&from) - 1);
	t->pid = (int64_t)(get_number(&from) - 1);
	t->probe_addr = get_number(&from);
	t->nr_lines = get_number(&from);
	return from;
}

/* @n numbers of lines; where they end */
static const uint8_t *unpack_lines(struct otst *o, const struct otst_trace_store *s,
				   const uint8_t *from, struct otst_trace_room *room, size_t n)
{
	room->lines.count = 0;
	for (; n; n--)
		*otst_trace_line_add(o, &room->lines) = *line_at(s, get_number(&from));
	return from;
}

static struct otst_trace *unpack_trace(const struct otst_traces *traces, const uint8_t *from,
				       struct otst_trace_room *room)
{
	struct otst_trace *t = &room->trace;
	unsigned int flags;

	*t = (struct otst_trace){ .source = traces->store->source, .count = 1 };
	from = unpack_numbers(from, t, &flags);
	from = unpack_lines(traces->o, traces->store, from, room, t->nr_lines);
	t->lines = room->lines.data;
	t->nr_lines = room->lines.count;
	for (size_t i = 0; i < TEXTS; i++) {
		if (!(flags & 1u << i))
			continue;
		*text_of(t, i) = (const char *)from;
		from += strlen((const char *)from) + 1;
	}
	return t;
}

/* ---- the list ---- */

struct otst_trace *otst_trace_add(struct otst_traces *t, enum otst_source_kind source)
{
	struct otst_trace *trace = otst_new(t->o, sizeof(*trace));
	struct otst_trace_item *item = otst_vec_push(t->o, &t->items, sizeof(*item));

	trace->source = source;
	trace->cpu = -1;
	trace->pid = -1;
	trace->count = 1;
	return item->whole = trace;
}

int otst_trace_pack(struct otst_traces *t, size_t i, const struct otst_trace *trace)
{
	struct otst_trace_item packed = { 0 };

	t->store = t->store ?: otst_alloc(t->o, sizeof(*t->store));
	if (!t->store)
		return OTST_ERR_NOMEM;
	t->store->source = trace->source;
	packed.packed = pack_trace(t->o, t->store, trace);
	if (!packed.packed)
		return OTST_ERR_NOMEM;
	if (i == t->items.count)
		*(struct otst_trace_item *)otst_vec_push(t->o, &t->items, sizeof(packed)) = packed;
	else
		otst_trace_items(t)[i] = packed;
	return 0;
}

const struct otst_trace *otst_trace_peek(const struct otst_traces *t, size_t i,
					 struct otst_trace_room *room)
{
	const struct otst_trace_item *item = &otst_trace_items(t)[i];

	return item->whole ?: unpack_trace(t, item->packed, room);
}

struct otst_trace *otst_trace_at(const struct otst_traces *t, size_t i)
{
	struct otst_trace_item *item = &otst_trace_items(t)[i];

	if (!item->whole)
		item->whole = unpack_trace(t, item->packed,
					   otst_new(t->o, sizeof(struct otst_trace_room)));
	return item->whole;
}
