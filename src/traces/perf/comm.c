// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * comm.c - names of the tasks that perf sampled: PERF_RECORD_COMM tells when
 * a task got a new name, PERF_RECORD_FORK whose name a task began with; the dump
 * itself has the names of tasks that still exist.
 */
#include <stdlib.h>
#include <string.h>

#include "../../base/sorted.h"
#include "../../tasks/task.h"
#include "perf.h"

#define BODY	  8u  /* pid and tid, then the name */
#define FORK_BODY 24u /* pid, ppid, tid, ptid, time */
#define MAX_NAME  64u
#define MAX_FORKS 64u /* forks through which a name is followed */

/* @name is NULL where the name is that of the thread @parent */
struct comm {
	int64_t tid;
	uint64_t time;
	const char *name;
	int64_t parent;
};

static void add_perf_comm(struct otst *o, struct otst_perf_comms *c, struct comm comm)
{
	struct comm *item = otst_vec_push(o, &c->items, sizeof(*item));

	*item = comm;
}

void otst_perf_fork_add(struct otst *o, struct otst_perf_comms *c, const struct otst_perf_record *r)
{
	const uint8_t *body = r->data + OTST_PERF_HEADER;

	if (r->size < OTST_PERF_HEADER + FORK_BODY)
		return;
	add_perf_comm(o, c,
		      (struct comm){ .tid = (int32_t)otst_get(o, body + 8, 4),
				     .time = otst_get(o, body + 16, 8),
				     .parent = (int32_t)otst_get(o, body + 12, 4) });
}

void otst_perf_comm_add(struct otst *o, struct otst_perf_comms *c, const struct otst_perf_record *r,
			uint64_t time)
{
	const uint8_t *body = r->data + OTST_PERF_HEADER;
	char name[MAX_NAME + 1] = "";
	const char *kept;
	size_t room;

	if (r->size < OTST_PERF_HEADER + BODY)
		return;
	room = r->size - OTST_PERF_HEADER - BODY;
	memcpy(name, body + BODY, room < MAX_NAME ? room : MAX_NAME);
	kept = otst_strdup(o, otst_clean(o, name));
	add_perf_comm(o, c,
		      (struct comm){ .tid = (int32_t)otst_get(o, body + 4, 4),
				     .time = time,
				     .name = kept });
}

static int by_task(const void *a, const void *b)
{
	const struct comm *x = a, *y = b;

	return otst_cmp(x->tid, y->tid) ?: otst_cmp(x->time, y->time);
}

static int by_pid(const void *a, const void *b)
{
	const struct otst_task *x = *(struct otst_task *const *)a,
			       *y = *(struct otst_task *const *)b;

	return otst_cmp(x->pid, y->pid) ?: otst_cmp(x->cpu, y->cpu);
}

int otst_perf_comms_sort(struct otst *o, struct otst_perf_comms *c)
{
	const struct otst_tasks *all;
	int err = otst_tasks(o, &all);

	if (err)
		return err;
	otst_sort(c->items.data, c->items.count, sizeof(struct comm), by_task);
	c->tasks = otst_alloc(o, (all->count + 1) * sizeof(struct otst_task *));
	if (!c->tasks)
		return otst_no_memory(o);
	c->nr_tasks = all->count;
	if (all->count) {
		memcpy(c->tasks, all->items, all->count * sizeof(struct otst_task *));
		otst_sort(c->tasks, c->nr_tasks, sizeof(struct otst_task *), by_pid);
	}
	return 0;
}

/* all idle tasks have pid 0: take the one of @cpu */
static const char *find_comm_task(const struct otst_perf_comms *c, int64_t tid, int cpu)
{
	struct otst_task wanted = { .pid = (uint64_t)tid, .cpu = (unsigned int)cpu };
	size_t low = 0, high = c->nr_tasks, mid;
	const struct otst_task *t, *key = &wanted;

	if (tid)
		wanted.cpu = 0;
	/* the first that is not before it */
	while (low < high) {
		mid = low + (high - low) / 2;
		if (by_pid(&c->tasks[mid], &key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	t = low < c->nr_tasks ? c->tasks[low] : NULL;
	return t && t->pid == wanted.pid && (tid || t->cpu == wanted.cpu) ? t->comm : NULL;
}

/*
 * The last entry of @tid that is not after @time; NULL when there is none. @later tells
 * whether one came after it.
 */
static const struct comm *find_comm(const struct otst_perf_comms *c, int64_t tid, uint64_t time,
				    bool *later)
{
	const struct comm *items = c->items.data;
	size_t low = 0, high = c->items.count, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (items[mid].tid < tid || (items[mid].tid == tid && items[mid].time <= time))
			low = mid + 1;
		else
			high = mid;
	}
	*later = low < c->items.count && items[low].tid == tid;
	return low && items[low - 1].tid == tid ? &items[low - 1] : NULL;
}

const char *otst_perf_comm(const struct otst_perf_comms *c, int64_t tid, uint64_t time, int cpu)
{
	const struct comm *found;
	bool later;

	for (unsigned int i = 0; tid >= 0 && i < MAX_FORKS; i++) {
		found = find_comm(c, tid, time, &later);
		if (found && found->name)
			return found->name;
		/* it got another name later: the name before that is not known */
		if (!found)
			return later ? NULL : find_comm_task(c, tid, cpu);
		tid = found->parent;
		time = found->time;
	}
	return NULL;
}
