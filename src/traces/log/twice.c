// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * twice.c - a console that was captured twice into one file: each line comes again,
 * at once or after some others. And a log that a file has twice: its traces are copies.
 *
 * Two equal lines prove nothing: a function that calls itself has equal frames. But a report
 * has only one line that names its task. Where that line comes again, what follows it is
 * compared with what followed the first one.
 */
#include <string.h>

#include "../../base/hash.h"
#include "log.h"

#define LINES 128 /* between a line and its copy */

/** struct key - what a line is recognised by: its time, length, first and last bytes */
struct key {
	uint64_t time;
	uint32_t caller;
	uint32_t len;
	char first[16];
	char last[16];
};

/**
 * struct otst_log_twice - the last lines
 * @count: of lines so far; line N is in @keys[N % LINES]
 * @on: copies are expected, of line @next and those after it
 */
struct otst_log_twice {
	struct key keys[LINES];
	uint64_t count;
	uint64_t next;
	bool on;
};

struct otst_log_twice *otst_log_twice(struct otst *o)
{
	return otst_new(o, sizeof(struct otst_log_twice));
}

/* a clock that ticks in milliseconds tells nothing apart */
static bool is_fine(enum otst_clock clock, uint64_t time)
{
	return clock == OTST_CLOCK_LOCAL && time % 1000000;
}

static void make_key(const struct otst_log_line *line, struct key *ret)
{
	size_t len = strlen(line->text);

	memset(ret, 0, sizeof(*ret));
	ret->time = line->time;
	ret->caller = line->caller;
	ret->len = (uint32_t)len;
	memcpy(ret->first, line->text, len < sizeof(ret->first) ? len : sizeof(ret->first));
	if (len >= sizeof(ret->last))
		memcpy(ret->last, line->text + len - sizeof(ret->last), sizeof(ret->last));
}

static bool is_key(const struct otst_log_twice *t, uint64_t i, const struct key *key)
{
	return !memcmp(&t->keys[i % LINES], key, sizeof(*key));
}

/* the same line before: right before, or with the same time to the microsecond */
static bool find_first(struct otst_log_twice *t, const struct key *key, bool fine)
{
	uint64_t i, oldest = t->count > LINES ? t->count - LINES : 0;

	for (i = t->count; i-- > oldest;) {
		if (is_key(t, i, key)) {
			t->on = true;
			t->next = i + 1;
			return true;
		}
		if (!fine)
			break;
	}
	return false;
}

bool otst_log_is_twice(struct otst_log_twice *t, const struct otst_log_line *line,
		       enum otst_log_kind kind)
{
	bool fine = is_fine(line->clock, line->time);
	struct key key;

	make_key(line, &key);
	if (t->on && t->next < t->count && is_key(t, t->next, &key)) {
		t->next++;
		return true;
	}
	if ((kind == OTST_LOG_HEAD || (kind == OTST_LOG_HEADLINE && fine)) &&
	    find_first(t, &key, fine))
		return true;
	t->keys[t->count++ % LINES] = key;
	if (t->count - t->next >= LINES)
		t->on = false;
	return false;
}

/* ---- traces ---- */

static bool is_copy(const struct otst_trace *a, const struct otst_trace *b)
{
	if (a->time != b->time || a->clock != b->clock || a->cpu != b->cpu || a->pid != b->pid ||
	    a->nr_lines != b->nr_lines || !otst_same_text(a->headline, b->headline) ||
	    !otst_same_text(a->comm, b->comm))
		return false;
	for (size_t i = 0; a->lines != b->lines && i < a->nr_lines; i++) {
		if (a->lines[i].addr != b->lines[i].addr ||
		    !otst_same_text(a->lines[i].text, b->lines[i].text))
			return false;
	}
	return true;
}

/* the traces of a log that is there once become later and later, but for parts of reports */
static bool may_have_copies(const struct otst_traces *t, size_t first)
{
	struct otst_trace_room room = { 0 };
	uint64_t last = 0;

	for (size_t i = first; i < t->items.count; i++) {
		const struct otst_trace *trace = otst_trace_peek(t, i, &room);

		if (!is_fine(trace->clock, trace->time))
			continue;
		if (trace->time <= last)
			return true;
		last = trace->time;
	}
	return false;
}

/**
 * struct seen - traces that were kept: @table, of @size places, has 1 + their numbers
 * @room: for one of them
 */
struct seen {
	const struct otst_traces *traces;
	size_t *table;
	size_t size;
	struct otst_trace_room room;
};

/* equal texts of lines are the same pointer */
static uint64_t hash_of_trace(const struct otst_trace *t)
{
	uint64_t hash = otst_mix(otst_mix(t->time, (uint64_t)t->pid), (uint64_t)t->cpu);

	for (size_t i = 0; i < t->nr_lines; i++)
		hash = otst_mix(otst_mix(hash, (uintptr_t)t->lines[i].text), t->lines[i].addr);
	return hash;
}

/* the place of a trace that equals @trace, or a free one */
static size_t *find_twice_place(struct seen *s, const struct otst_trace *trace)
{
	size_t at = hash_of_trace(trace) % s->size;

	while (s->table[at] &&
	       !is_copy(otst_trace_peek(s->traces, s->table[at] - 1, &s->room), trace))
		at = (at + 1) % s->size;
	return &s->table[at];
}

static bool is_first(struct seen *s, const struct otst_trace *trace, size_t number)
{
	size_t *place;

	if (!is_fine(trace->clock, trace->time))
		return true;
	place = find_twice_place(s, trace);
	if (*place)
		return false;
	*place = number + 1;
	return true;
}

int otst_log_drop_copies(struct otst *o, struct otst_traces *t, size_t first)
{
	struct seen seen = { .traces = t, .size = 16 };
	struct otst_trace_item *items = otst_trace_items(t);
	struct otst_trace_room room = { 0 };
	size_t i, n = first;

	if (!may_have_copies(t, first))
		return 0;
	while (seen.size < 2 * (t->items.count - first))
		seen.size *= 2;
	seen.table = otst_alloc(o, seen.size * sizeof(*seen.table));
	if (!seen.table)
		return otst_no_memory(o);
	for (i = first; i < t->items.count; i++) {
		if (!is_first(&seen, otst_trace_peek(t, i, &room), n))
			continue;
		items[n++] = items[i];
	}
	t->items.count = n;
	return 0;
}
