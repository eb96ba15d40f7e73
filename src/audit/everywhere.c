// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * everywhere.c - all of physical memory, searched for words that lead into a module that hides, or
 * into executable memory of nobody. What has such a word need not use it: freed memory keeps what
 * it had. So it is evidence, and no finding.
 */
#include <stdlib.h>
#include <string.h>

#include "../base/engine.h"
#include "../base/hash.h"
#include "../base/hashmap.h"
#include "../base/sorted.h"
#include "../memory/translate.h"
#include "everywhere.h"

#define WINDOW	  (1u << 18)
#define BLOCK	  64u	      /* words that are tested at once */
#define NEAR	  (16u << 20) /* ranges so near to each other are searched for as one */
#define MOST_HITS 4096u	      /* of one window */

struct search {
	struct otst *o;
	struct otst_audit *a;
	const struct otst_sought *sought;
	size_t nr_sought;
	struct otst_sought *clusters; /* they have all that is sought, and what lies between */
	size_t nr_clusters;
	struct otst_page_holders holders;
	struct otst_hashmap by_holder;
	uint64_t done, all;
};

/* a piece of memory, looked through on another thread */
struct window {
	const struct search *s;
	uint64_t phys;
	size_t len;
	uint64_t *words;
	uint32_t hits[MOST_HITS]; /* numbers of words */
	size_t nr_hits;
	uint64_t job;
};

/* ---- on whichever thread: neither engine nor target ---- */

static uint64_t has_any(const uint64_t *words, const struct otst_sought *c)
{
	uint64_t any = 0, len = c->end - c->begin;

	for (unsigned int i = 0; i < BLOCK; i++)
		any |= words[i] - c->begin < len;
	return any;
}

static bool is_sought(const struct search *s, uint64_t word)
{
	for (size_t i = 0; i < s->nr_sought; i++) {
		if (word >= s->sought[i].begin && word < s->sought[i].end)
			return true;
	}
	return false;
}

static void look_through(void *what)
{
	struct window *w = what;
	size_t i, k, n = w->len / sizeof(*w->words), block;

	w->nr_hits = 0;
	for (i = 0; i < n && otst_big_endian(w->s->o) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	     i++)
		w->words[i] = __builtin_bswap64(w->words[i]);
	/* the buffer ends with a block of zeros */
	for (block = 0; block < n; block += BLOCK) {
		for (k = 0; k < w->s->nr_clusters; k++) {
			if (has_any(w->words + block, &w->s->clusters[k]))
				break;
		}
		if (k == w->s->nr_clusters)
			continue;
		for (i = block; i < block + BLOCK && i < n && w->nr_hits < MOST_HITS; i++) {
			if (is_sought(w->s, w->words[i]))
				w->hits[w->nr_hits++] = (uint32_t)i;
		}
	}
}

/* ---- on the engine's thread ---- */

static int make_clusters(struct search *s)
{
	struct otst_sought *c = otst_alloc(s->o, s->nr_sought * sizeof(*c));

	if (!c)
		return otst_no_memory(s->o);
	memcpy(c, s->sought, s->nr_sought * sizeof(*c));
	otst_sort(c, s->nr_sought, sizeof(*c), otst_by_u64);
	for (size_t i = 0; i < s->nr_sought; i++) {
		struct otst_sought *last = s->nr_clusters ? &c[s->nr_clusters - 1] : NULL;

		if (!last || c[i].begin > last->end + NEAR)
			c[s->nr_clusters++] = c[i];
		else if (c[i].end > last->end)
			last->end = c[i].end;
	}
	s->clusters = c;
	return 0;
}

static void take_hit(struct search *s, uint64_t phys, uint64_t to)
{
	struct otst_audit_words *words;
	uint64_t virt;
	const char *holder = otst_page_holder(s->o, &s->holders, phys, &virt);
	void **place = otst_hashmap_place(s->o, &s->by_holder, otst_hash(holder, strlen(holder)));

	for (words = place ? *place : NULL; words && strcmp(words->holder, holder) != 0;)
		words = words->next;
	if (!words && place) {
		words = otst_new(s->o, sizeof(*words));
		*words = (struct otst_audit_words){
			.holder = holder, .phys = phys, .virt = virt, .to = to, .next = *place
		};
		*place = words;
		*(struct otst_audit_words **)otst_vec_push(s->o, &s->a->words, sizeof(words)) =
			words;
	}
	if (words)
		words->count++;
}

static void take_hits(struct search *s, struct window *w)
{
	if (w->job)
		otst_finish(s->o, w->job);
	w->job = 0;
	for (size_t i = 0; i < w->nr_hits && !otst_stopped(s->o); i++)
		take_hit(s, w->phys + w->hits[i] * sizeof(*w->words), w->words[w->hits[i]]);
	w->nr_hits = 0;
}

/* pages that are not in the dump are zeros */
static int fill_window(struct search *s, struct window *w)
{
	uint8_t *at = (uint8_t *)w->words;
	size_t i;
	int err = otst_target_read(s->o, OTST_PHYS, w->phys, at, w->len);

	if (err == OTST_ERR_FAULT) {
		for (i = 0, err = 0; i < w->len && !err; i += OTST_CHUNK) {
			size_t len = w->len - i < OTST_CHUNK ? w->len - i : OTST_CHUNK;

			err = otst_target_read(s->o, OTST_PHYS, w->phys + i, at + i, len);
			if (err != OTST_ERR_FAULT)
				continue;
			memset(at + i, 0, len);
			s->a->absent += len;
			err = 0;
		}
	}
	memset(at + w->len, 0, BLOCK * sizeof(*w->words));
	return err;
}

static int search_range(struct search *s, struct window *windows, uint64_t begin, uint64_t end)
{
	unsigned int turn = 0;
	int err = 0;

	for (; begin < end && !err; begin += windows[turn].len, turn ^= 1) {
		struct window *w = &windows[turn];

		take_hits(s, w);
		w->phys = begin;
		w->len = end - begin < WINDOW ? (size_t)(end - begin) : WINDOW;
		if (s->o->ops.ahead && end - begin > w->len)
			s->o->ops.ahead(s->o->priv, begin + w->len, WINDOW);
		err = fill_window(s, w);
		if (err)
			break;
		w->job = otst_has_threads(s->o) ? otst_start(s->o, look_through, w) : 0;
		if (!w->job)
			look_through(w);
		s->a->searched += w->len;
		otst_progress(s->o, "searching memory", s->a->searched, s->all);
		err = otst_check(s->o);
	}
	take_hits(s, &windows[0]);
	take_hits(s, &windows[1]);
	return err;
}

static uint64_t count_memory(struct otst *o)
{
	uint64_t at = 0, begin, end, all = 0;

	for (; !o->ops.memory(o->priv, at, &begin, &end) && end > begin; at = end)
		all += end - begin;
	return all;
}

static int search_all(struct search *s)
{
	struct window *windows = otst_alloc(s->o, 2 * sizeof(*windows));
	uint64_t at = 0, begin, end;
	int i, err = 0;

	for (i = 0; i < 2 && windows; i++) {
		windows[i].s = s;
		windows[i].words = otst_alloc(s->o, WINDOW + BLOCK * sizeof(uint64_t));
	}
	if (!windows || !windows[0].words || !windows[1].words)
		return otst_no_memory(s->o);
	s->all = count_memory(s->o);
	for (; !err && !s->o->ops.memory(s->o->priv, at, &begin, &end) && end > begin; at = end)
		err = search_range(s, windows, begin, end);
	return err;
}

static int by_count(const void *a, const void *b)
{
	const struct otst_audit_words *x = *(struct otst_audit_words *const *)a;
	const struct otst_audit_words *y = *(struct otst_audit_words *const *)b;

	return otst_cmp(y->count, x->count) ?: strcmp(x->holder, y->holder);
}

int otst_audit_everywhere(struct otst *o, struct otst_audit *a)
{
	struct search s = { .o = o, .a = a, .sought = a->sought.data, .nr_sought = a->sought.count };
	int err;

	if (!a->want_words || !s.nr_sought)
		return 0;
	if (!o->ops.memory) {
		otst_audit_gap(o, a, "all of memory", OTST_LOOKED_NOT,
			       "this front end does not say where memory is");
		return 0;
	}
	err = make_clusters(&s);
	err = err ?: otst_page_holders(o, &s.holders);
	err = err ?: search_all(&s);
	if (err && !otst_fatal(err))
		err = otst_note(o, &a->errors, err);
	if (!err && a->words.count)
		otst_sort(a->words.data, a->words.count, sizeof(struct otst_audit_words *),
			  by_count);
	return err;
}
