// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * diskpages.c - memory of a compressed dump: a small cache of inflated pages, and
 * threads that inflate the pages that are read next.
 *
 * A read returns the same bytes whatever the threads do: each page is inflated whole into
 * its own slot, and diskpages_read() takes it from there, waits for the thread that is
 * inflating it, or inflates it itself. One lock guards the slots; it is never held while
 * inflating. The engine is called from one thread and makes its calls from one.
 */
#include "diskpages.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A page's number selects its set of slots. Engine and page tables have their own caches. */
#define WAYS	   4u
#define SETS	   16u
#define SETS_AHEAD 64u
#define SLOT_BYTES (4u << 20) /* limit for all slots together, for large pages */

/* pages of one read that are requested ahead of the one being copied */
#define READ_AHEAD 32u

enum state {
	EMPTY,
	QUEUED,	 /* requested ahead, not started yet */
	WORKING, /* a thread is inflating it */
	READY,
	DAMAGED, /* found while reading ahead; reported to whoever reads the page */
};

struct slot {
	uint64_t pfn;
	enum state state;
	uint32_t used;
	uint8_t *data;
};

struct diskpages {
	const struct diskparts *parts;
	uint64_t page_size;
	struct inflate *own;
	struct slot *slots;
	unsigned int sets;
	uint32_t clock;
	uint8_t *spare; /* for a page whose set is busy */

	unsigned int may_start; /* threads, not counting this one */
	pthread_t *threads;
	unsigned int started;
	pthread_mutex_t lock;
	pthread_cond_t work, done;
	struct slot **queue; /* one entry per slot */
	size_t first, queued;
	unsigned int idle;
	bool stop;
};

/* ---- slots, under the lock ---- */

static struct slot *set_of(struct diskpages *p, uint64_t pfn)
{
	return &p->slots[(pfn * 0x9e3779b97f4a7c15ull >> 40) % p->sets * WAYS];
}

static struct slot *find_slot(struct diskpages *p, uint64_t pfn)
{
	struct slot *s = set_of(p, pfn);

	for (unsigned int i = 0; i < WAYS; i++) {
		if (s[i].state != EMPTY && s[i].pfn == pfn)
			return &s[i];
	}
	return NULL;
}

/* the least recently used slot of the set, with memory; NULL when all are busy */
static struct slot *claim_slot(struct diskpages *p, uint64_t pfn)
{
	struct slot *s = set_of(p, pfn), *found = NULL;

	for (unsigned int i = 0; i < WAYS; i++) {
		if (s[i].state == QUEUED || s[i].state == WORKING)
			continue;
		if (!found || s[i].state == EMPTY ||
		    (found->state != EMPTY && p->clock - s[i].used > p->clock - found->used))
			found = &s[i];
	}
	if (found && !found->data)
		found->data = malloc(p->page_size);
	if (!found || !found->data)
		return NULL;
	found->pfn = pfn;
	found->used = ++p->clock;
	return found;
}

static bool fill_page(struct diskpages *p, struct inflate *by, uint64_t pfn, void *data)
{
	struct diskpage page;

	return diskparts_find(p->parts, pfn, &page) && inflate_page(by, &page, data);
}

/* ---- other threads ---- */

static struct slot *take_work(struct diskpages *p)
{
	while (p->queued) {
		struct slot *s = p->queue[p->first];

		p->first = (p->first + 1) % (SETS_AHEAD * WAYS);
		p->queued--;
		/* the reader may have been faster */
		if (s->state == QUEUED)
			return s;
	}
	return NULL;
}

static void *run_thread(void *priv)
{
	struct diskpages *p = priv;
	struct inflate *by = inflate_create((uint32_t)p->page_size);

	pthread_mutex_lock(&p->lock);
	while (by && !p->stop) {
		struct slot *s = take_work(p);
		bool whole;

		if (!s) {
			p->idle++;
			pthread_cond_wait(&p->work, &p->lock);
			p->idle--;
			continue;
		}
		s->state = WORKING;
		pthread_mutex_unlock(&p->lock);
		whole = fill_page(p, by, s->pfn, s->data);
		pthread_mutex_lock(&p->lock);
		s->state = whole ? READY : DAMAGED;
		pthread_cond_signal(&p->done);
	}
	pthread_mutex_unlock(&p->lock);
	inflate_destroy(by);
	return NULL;
}

/* leave signals to the thread that handles them */
static void start_threads(struct diskpages *p)
{
	unsigned int count = p->may_start;
	sigset_t all, before;

	p->threads = calloc(count, sizeof(*p->threads));
	if (!p->threads)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (p->started < count && !pthread_create(&p->threads[p->started], NULL, run_thread, p))
		p->started++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void use_sets(struct diskpages *p, unsigned int sets)
{
	while (sets > 1 && sets * WAYS * p->page_size > SLOT_BYTES)
		sets /= 2;
	for (unsigned int i = 0; i < SETS_AHEAD * WAYS; i++)
		p->slots[i].state = EMPTY;
	p->sets = sets;
}

/* runs at first use: a short listing needs neither threads nor many pages */
static bool get_ready(struct diskpages *p)
{
	if (p->may_start && !p->started) {
		use_sets(p, SETS_AHEAD);
		start_threads(p);
		if (!p->started)
			p->may_start = 0;
	}
	return p->started;
}

static bool ask_for(struct diskpages *p, uint64_t pfn)
{
	struct slot *s;

	if (p->queued == SETS_AHEAD * WAYS || find_slot(p, pfn))
		return false;
	s = claim_slot(p, pfn);
	if (!s)
		return false;
	s->state = QUEUED;
	p->queue[(p->first + p->queued++) % (SETS_AHEAD * WAYS)] = s;
	return true;
}

void diskpages_ahead(struct diskpages *p, uint64_t phys, uint64_t len)
{
	uint64_t pfn = phys / p->page_size, last = (phys + len - 1) / p->page_size;
	bool more = false;

	if (!len || !get_ready(p))
		return;
	pthread_mutex_lock(&p->lock);
	for (; pfn <= last; pfn++)
		more |= ask_for(p, pfn);
	if (more && p->idle)
		pthread_cond_signal(&p->work);
	pthread_mutex_unlock(&p->lock);
}

/* ---- reading ---- */

/* inflate into @s, or into the spare page when it is NULL; drops the lock meanwhile */
static const uint8_t *fill_here(struct diskpages *p, uint64_t pfn, struct slot *s)
{
	uint8_t *data = s ? s->data : p->spare;
	bool whole;

	if (s)
		s->state = WORKING;
	pthread_mutex_unlock(&p->lock);
	whole = fill_page(p, p->own, pfn, data);
	pthread_mutex_lock(&p->lock);
	if (s)
		s->state = whole ? READY : EMPTY;
	return whole ? data : NULL;
}

/* the page's bytes, valid until the lock is dropped; NULL when it is not in the dump, or damaged */
static const uint8_t *get_page(struct diskpages *p, uint64_t pfn)
{
	struct slot *s = find_slot(p, pfn);

	if (!s)
		return fill_here(p, pfn, claim_slot(p, pfn));
	s->used = ++p->clock;
	if (s->state == QUEUED)
		return fill_here(p, pfn, s);
	while (s->state == WORKING)
		pthread_cond_wait(&p->done, &p->lock);
	if (s->state == READY)
		return s->data;
	s->state = EMPTY;
	return NULL;
}

int diskpages_read(struct diskpages *p, uint64_t phys, void *buf, uint64_t len)
{
	uint64_t ahead = 0;
	uint8_t *to = buf;

	while (len) {
		uint64_t pfn = phys / p->page_size, at = phys % p->page_size;
		uint64_t n = p->page_size - at < len ? p->page_size - at : len;
		const uint8_t *page;

		/* ask for more once less than half of READ_AHEAD is still ahead */
		if (len - n > READ_AHEAD / 2 * p->page_size && ahead < pfn + READ_AHEAD / 2) {
			uint64_t left = (len - n) / p->page_size;

			ahead = pfn + (left < READ_AHEAD ? left : READ_AHEAD);
			diskpages_ahead(p, (pfn + 1) * p->page_size, (ahead - pfn) * p->page_size);
		}
		pthread_mutex_lock(&p->lock);
		page = get_page(p, pfn);
		if (page)
			memcpy(to, page + at, n);
		pthread_mutex_unlock(&p->lock);
		if (!page)
			return OTST_ERR_FAULT;
		to += n;
		phys += n;
		len -= n;
	}
	return 0;
}

/* ---- opening ---- */

int diskpages_open(const struct diskparts *parts, uint64_t page_size, unsigned int threads,
		   struct diskpages **ret)
{
	struct diskpages *p = calloc(1, sizeof(*p));

	if (!p)
		return OTST_ERR_NOMEM;
	p->parts = parts;
	p->page_size = page_size;
	p->may_start = threads ? threads - 1 : 0;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->work, NULL);
	pthread_cond_init(&p->done, NULL);
	p->own = inflate_create((uint32_t)p->page_size);
	p->spare = malloc(p->page_size);
	p->slots = calloc(SETS_AHEAD * WAYS, sizeof(*p->slots));
	p->queue = calloc(SETS_AHEAD * WAYS, sizeof(struct slot *));
	if (!p->own || !p->spare || !p->slots || !p->queue) {
		diskpages_close(p);
		return OTST_ERR_NOMEM;
	}
	use_sets(p, SETS);
	*ret = p;
	return 0;
}

void diskpages_close(struct diskpages *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->work);
	pthread_mutex_unlock(&p->lock);
	for (unsigned int i = 0; i < p->started; i++)
		pthread_join(p->threads[i], NULL);
	free(p->threads);
	for (unsigned int i = 0; p->slots && i < SETS_AHEAD * WAYS; i++)
		free(p->slots[i].data);
	free(p->slots);
	free(p->queue);
	inflate_destroy(p->own);
	free(p->spare);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->work);
	pthread_cond_destroy(&p->done);
	free(p);
}
