// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf_comm.c - names of the tasks that perf sampled: PERF_RECORD_COMM tells
 * when one got a new name; the dump itself knows those that still live.
 */
#include <stdlib.h>
#include <string.h>

#include "../target/task.h"
#include "perf.h"

#define BODY	 8u /* pid and tid, then the name */
#define MAX_NAME 64u

struct comm {
	int64_t tid;
	uint64_t time;
	const char *name;
};

int otst_perf_comm_add(struct otst *o, struct otst_perf_comms *c, const struct otst_perf_record *r,
		       uint64_t time)
{
	const uint8_t *body = r->data + OTST_PERF_HEADER;
	char name[MAX_NAME + 1] = "";
	struct comm *item;
	size_t room;

	if (r->size < OTST_PERF_HEADER + BODY)
		return 0;
	item = otst_vec_push(o, &c->items, sizeof(*item));
	if (!item)
		return otst_no_memory(o);
	room = r->size - OTST_PERF_HEADER - BODY;
	memcpy(name, body + BODY, room < MAX_NAME ? room : MAX_NAME);
	*item = (struct comm){ (int32_t)otst_get_le(body + 4, 4), time, NULL };
	item->name = otst_strdup(o, otst_clean(o, name));
	return item->name ? 0 : otst_no_memory(o);
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

const char *otst_perf_comm(const struct otst_perf_comms *c, int64_t tid, uint64_t time, int cpu)
{
	const struct comm *items = c->items.data;
	size_t low = 0, high = c->items.count, mid;

	if (tid < 0)
		return NULL;
	/* the first that is of a later task or time */
	while (low < high) {
		mid = low + (high - low) / 2;
		if (items[mid].tid < tid || (items[mid].tid == tid && items[mid].time <= time))
			low = mid + 1;
		else
			high = mid;
	}
	if (low && items[low - 1].tid == tid)
		return items[low - 1].name;
	/* it got another name later: the one before is not known any more */
	if (low < c->items.count && items[low].tid == tid)
		return NULL;
	return find_task(c, tid, cpu);
}
