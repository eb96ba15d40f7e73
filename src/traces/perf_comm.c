// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf_comm.c - names of the tasks that perf sampled: PERF_RECORD_COMM tells
 * when one got a new name, PERF_RECORD_FORK whose name one began with; the dump
 * itself knows those that still live.
 */
#include <stdlib.h>
#include <string.h>

#include "../target/task.h"
#include "perf.h"

#define BODY	  8u  /* pid and tid, then the name */
#define FORK_BODY 24u /* pid, ppid, tid, ptid, time */
#define MAX_NAME  64u
#define MAX_FORKS 64u /* that one name is followed through */

/* @name is NULL where it is that of the thread @parent */
struct comm {
	int64_t tid;
	uint64_t time;
	const char *name;
	int64_t parent;
};

static int add(struct otst *o, struct otst_perf_comms *c, struct comm comm)
{
	struct comm *item = otst_vec_push(o, &c->items, sizeof(*item));

	if (!item)
		return otst_no_memory(o);
	*item = comm;
	return 0;
}

int otst_perf_fork_add(struct otst *o, struct otst_perf_comms *c, const struct otst_perf_record *r)
{
	const uint8_t *body = r->data + OTST_PERF_HEADER;

	if (r->size < OTST_PERF_HEADER + FORK_BODY)
		return 0;
	return add(o, c,
		   (struct comm){ .tid = (int32_t)otst_get_le(body + 8, 4),
				  .time = otst_get_le(body + 16, 8),
				  .parent = (int32_t)otst_get_le(body + 12, 4) });
}

int otst_perf_comm_add(struct otst *o, struct otst_perf_comms *c, const struct otst_perf_record *r,
		       uint64_t time)
{
	const uint8_t *body = r->data + OTST_PERF_HEADER;
	char name[MAX_NAME + 1] = "";
	const char *kept;
	size_t room;

	if (r->size < OTST_PERF_HEADER + BODY)
		return 0;
	room = r->size - OTST_PERF_HEADER - BODY;
	memcpy(name, body + BODY, room < MAX_NAME ? room : MAX_NAME);
	kept = otst_strdup(o, otst_clean(o, name));
	if (!kept)
		return otst_no_memory(o);
	return add(o, c,
		   (struct comm){
			   .tid = (int32_t)otst_get_le(body + 4, 4), .time = time, .name = kept });
}

static int by_task(const void *a, const void *b)
{
	const struct comm *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

int otst_perf_comms_sort(struct otst *o, struct otst_perf_comms *c)
{
	if (c->items.count)
		qsort(c->items.data, c->items.count, sizeof(struct comm), by_task);
	return otst_tasks(o, &c->tasks);
}

static const char *find_task(const struct otst_perf_comms *c, int64_t tid, int cpu)
{
	size_t i;

	for (i = 0; i < c->tasks->count; i++) {
		const struct otst_task *t = c->tasks->items[i];

		if ((int64_t)t->pid == tid && (!t->idle || (int)t->cpu == cpu))
			return t->comm;
	}
	return NULL;
}

/* the last that is of @tid and not after @time; NULL when there is none, @later tells whether one came after */
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
	unsigned int i;
	bool later;

	for (i = 0; tid >= 0 && i < MAX_FORKS; i++) {
		found = find_comm(c, tid, time, &later);
		if (found && found->name)
			return found->name;
		/* it got another name later: the one before is not known any more */
		if (!found)
			return later ? NULL : find_task(c, tid, cpu);
		tid = found->parent;
		time = found->time;
	}
	return NULL;
}
