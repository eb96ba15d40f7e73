// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * same.c - traces of the log that have the same stack: in a storm of hung tasks there are
 * hundreds of them. The first is shown whole, the others are counted with their tasks.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../base/sorted.h"
#include "trace.h"

#define FEW	 5u /* tasks that are named without -v */
#define HEADLINE 256u

/** struct key - @hash of what makes trace number @index the same as others */
struct key {
	uint64_t hash;
	uint32_t index;
};

static uint64_t mix_text(uint64_t hash, const char *s)
{
	return s ? otst_mix_text(hash, s, strlen(s)) : otst_mix(hash, 0);
}

/* ---- what is the same ---- */

/* a headline without what names the task: its name, and numbers */
static void strip_headline(const struct otst_trace *t, char ret[HEADLINE])
{
	const char *s = t->headline ?: "";
	size_t len = t->comm ? strlen(t->comm) : 0, n = 0;

	while (*s && n < HEADLINE - 1) {
		bool number = *s >= '0' && *s <= '9';
		bool name = !number && len && *s == *t->comm && !strncmp(s, t->comm, len);

		ret[n++] = number || name ? '#' : *s;
		s += number ? strspn(s, "0123456789abcdefx") : name ? len : 1;
	}
	ret[n] = '\0';
}

static bool is_line_same(const struct otst_trace_line *a, const struct otst_trace_line *b)
{
	return a->kind == b->kind && a->addr == b->addr && a->reliable == b->reliable &&
	       otst_same_text(a->text, b->text);
}

static bool is_same_trace(const struct otst_trace *a, const struct otst_trace *b)
{
	char of_a[HEADLINE], of_b[HEADLINE];

	if (a->nr_lines != b->nr_lines || a->clock != b->clock || a->truncated != b->truncated ||
	    a->ends != b->ends || !a->error != !b->error || a->overwritten != b->overwritten ||
	    !otst_same_text(a->probe, b->probe) || !otst_same_text(a->handler, b->handler))
		return false;
	for (size_t i = 0; i < a->nr_lines && a->lines != b->lines; i++) {
		if (!is_line_same(&a->lines[i], &b->lines[i]))
			return false;
	}
	strip_headline(a, of_a);
	strip_headline(b, of_b);
	return !strcmp(of_a, of_b);
}

static uint64_t hash_of_text(const struct otst_trace *t)
{
	uint64_t hash = t->nr_lines;
	char headline[HEADLINE];

	for (size_t i = 0; i < t->nr_lines; i++)
		hash = mix_text(otst_mix(hash, t->lines[i].addr), t->lines[i].text);
	strip_headline(t, headline);
	return mix_text(hash, headline);
}

/* ---- finding them ---- */

static int by_hash(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	return otst_cmp(x->hash, y->hash) ?: otst_cmp(x->index, y->index);
}

/* those of one hash, @keys in the order of the traces */
static void join_same(struct otst_same *s, const struct otst_traces *t, const struct key *keys,
		      size_t n, struct otst_trace_room rooms[2])
{
	size_t i, k, last;

	for (i = 0; i < n; i++) {
		const struct otst_trace *first;

		if (s->first[keys[i].index] != keys[i].index)
			continue;
		first = otst_trace_peek(t, keys[i].index, &rooms[0]);
		for (k = last = i; ++k < n;) {
			if (s->first[keys[k].index] != keys[k].index ||
			    !is_same_trace(first, otst_trace_peek(t, keys[k].index, &rooms[1])))
				continue;
			s->first[keys[k].index] = keys[i].index;
			s->next[keys[last].index] = keys[k].index;
			s->count[keys[i].index]++;
			last = k;
		}
	}
}

static bool is_candidate(const struct otst_trace *t)
{
	return t->source == OTST_SOURCE_LOG && t->nr_lines && !t->error;
}

/* allocates, with each trace alone */
static bool begin_same(struct otst *o, size_t n, struct otst_same *ret)
{
	ret->first = otst_alloc(o, n * sizeof(*ret->first));
	ret->next = otst_alloc(o, n * sizeof(*ret->next));
	ret->count = otst_alloc(o, n * sizeof(*ret->count));
	for (size_t i = 0; ret->count && i < n; i++) {
		ret->first[i] = (uint32_t)i;
		ret->count[i] = 1;
	}
	return ret->first && ret->next && ret->count;
}

int otst_find_same(struct otst *o, const struct otst_traces *t, struct otst_same *ret)
{
	size_t i, k, n = 0, count = t->items.count;
	struct otst_trace_room rooms[2] = { 0 };
	struct key *keys;

	*ret = (struct otst_same){ 0 };
	if (count < 2 || count > UINT32_MAX)
		return 0;
	keys = otst_alloc(o, count * sizeof(*keys));
	if (!keys || !begin_same(o, count, ret))
		return otst_no_memory(o);
	for (i = 0; i < count; i++) {
		const struct otst_trace *trace = otst_trace_peek(t, i, rooms);

		if (is_candidate(trace))
			keys[n++] = (struct key){ hash_of_text(trace), (uint32_t)i };
	}
	otst_sort(keys, n, sizeof(*keys), by_hash);
	for (i = 0; i < n; i = k) {
		for (k = i + 1; k < n && keys[k].hash == keys[i].hash; k++)
			;
		if (k > i + 1)
			join_same(ret, t, keys + i, k - i, rooms);
	}
	return 0;
}

/* ---- showing them ---- */

static int by_pid(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* how many tasks these traces are of; 0 when one of them does not say */
static size_t count_tasks(struct otst *o, const struct otst_traces *t, const struct otst_same *s,
			  uint32_t first)
{
	int64_t *pids = otst_alloc(o, s->count[first] * sizeof(*pids));
	struct otst_trace_room room = { 0 };
	size_t i, n = 0, tasks = 1;
	uint32_t at = first;

	if (!pids)
		return 0;
	do {
		pids[n++] = otst_trace_peek(t, at, &room)->pid;
		at = s->next[at];
	} while (at);
	otst_sort(pids, n, sizeof(*pids), by_pid);
	for (i = 1; i < n; i++)
		tasks += pids[i] != pids[i - 1];
	return pids[0] < 0 ? 0 : tasks;
}

static void print_few(struct otst_printer *p, const struct otst_traces *t,
		      const struct otst_same *s, uint32_t first)
{
	size_t n = 0, more = s->count[first] - 1;
	struct otst_trace_room room = { 0 };

	for (uint32_t at = s->next[first]; at && n < FEW; at = s->next[at], n++) {
		const struct otst_trace *trace = otst_trace_peek(t, at, &room);

		otst_printf(p, "%s%s", n ? ", " : "  also ", trace->comm ? trace->comm : "?");
		if (trace->pid >= 0)
			otst_printf(p, " PID %" PRId64, trace->pid);
	}
	if (more > n)
		otst_printf(p, " and %zu more; -v names them", more - n);
	otst_printf(p, "\n");
}

static void print_all_same(struct otst_printer *p, const struct otst_traces *t,
			   const struct otst_same *s, uint32_t first)
{
	struct otst_trace_room room = { 0 };

	for (uint32_t at = s->next[first]; at && !p->err; at = s->next[at]) {
		const struct otst_trace *trace = otst_trace_peek(t, at, &room);

		otst_printf(p, "  ");
		otst_print_trace_title(p, trace);
		if (trace->headline)
			otst_printf(p, "  %s\n", trace->headline);
		if (trace->where)
			otst_printf(p, "  (%s)\n", trace->where);
	}
}

void otst_print_same(struct otst_printer *p, const struct otst_traces *t, const struct otst_same *s,
		     uint32_t first)
{
	size_t count = s->count[first], tasks = count_tasks(p->o, t, s, first);
	struct otst_trace_room room = { 0 };
	uint32_t last = first;

	while (s->next[last])
		last = s->next[last];
	otst_printf(p, " same stack: %zu %s", count, otst_number(count, "trace", "traces"));
	if (tasks)
		otst_printf(p, ", %zu task%s", tasks, otst_number(tasks, "", "s"));
	otst_printf(p, ", until %s\n", otst_trace_time(p->o, otst_trace_peek(t, last, &room)));
	if (p->verbose)
		print_all_same(p, t, s, first);
	else
		print_few(p, t, s, first);
}
