// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * helper.c - a second thread for the engine's work: &otst_target_ops.start and finish.
 *
 * It takes jobs in order. A job that it has not begun by the time the engine waits for it is
 * run by the engine's thread.
 */
#include "offline.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#define JOBS 8u

enum state { FREE, QUEUED, WORKING, DONE };

struct job {
	void (*work)(void *what);
	void *what;
	enum state state;
};

/* @next: the number of the next job, never 0; @taken: the helper has seen the jobs before it */
struct helper {
	pthread_t thread;
	bool started, failed, stop, idle;
	pthread_mutex_t lock;
	pthread_cond_t more, done;
	struct job jobs[JOBS]; /* by number */
	uint64_t next, taken;
};

static struct job *take_job(struct helper *h)
{
	while (h->taken < h->next) {
		struct job *j = &h->jobs[h->taken++ % JOBS];

		/* the engine's thread may have been faster */
		if (j->state == QUEUED)
			return j;
	}
	return NULL;
}

static void *run_helper(void *priv)
{
	struct helper *h = priv;

	pthread_mutex_lock(&h->lock);
	while (!h->stop) {
		struct job *j = take_job(h);

		if (!j) {
			h->idle = true;
			pthread_cond_wait(&h->more, &h->lock);
			h->idle = false;
			continue;
		}
		j->state = WORKING;
		pthread_mutex_unlock(&h->lock);
		j->work(j->what);
		pthread_mutex_lock(&h->lock);
		j->state = DONE;
		pthread_cond_signal(&h->done);
	}
	pthread_mutex_unlock(&h->lock);
	return NULL;
}

/* leave signals to the thread that handles them */
static void start_thread(struct helper *h)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	h->started = !pthread_create(&h->thread, NULL, run_helper, h);
	h->failed = !h->started;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

uint64_t helper_start(struct helper *h, void (*work)(void *what), void *what)
{
	struct job *j;
	uint64_t number = 0;

	if (!h->started && !h->failed)
		start_thread(h);
	if (h->failed)
		return 0;
	pthread_mutex_lock(&h->lock);
	j = &h->jobs[h->next % JOBS];
	if (j->state == FREE) {
		*j = (struct job){ .work = work, .what = what, .state = QUEUED };
		number = h->next++;
		if (h->idle)
			pthread_cond_signal(&h->more);
	}
	pthread_mutex_unlock(&h->lock);
	return number;
}

void helper_finish(struct helper *h, uint64_t number)
{
	struct job *j = &h->jobs[number % JOBS];
	bool here;

	pthread_mutex_lock(&h->lock);
	here = j->state == QUEUED;
	while (!here && j->state != DONE)
		pthread_cond_wait(&h->done, &h->lock);
	j->state = FREE;
	pthread_mutex_unlock(&h->lock);
	if (here)
		j->work(j->what);
}

struct helper *helper_create(void)
{
	struct helper *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->next = h->taken = 1;
	pthread_mutex_init(&h->lock, NULL);
	pthread_cond_init(&h->more, NULL);
	pthread_cond_init(&h->done, NULL);
	return h;
}

void helper_destroy(struct helper *h)
{
	if (!h)
		return;
	pthread_mutex_lock(&h->lock);
	h->stop = true;
	pthread_cond_signal(&h->more);
	pthread_mutex_unlock(&h->lock);
	if (h->started)
		pthread_join(h->thread, NULL);
	pthread_mutex_destroy(&h->lock);
	pthread_cond_destroy(&h->more);
	pthread_cond_destroy(&h->done);
	free(h);
}
