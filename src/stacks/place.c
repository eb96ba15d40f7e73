// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * place.c - which of the kernel's stacks an address lies on: a task's, or one of
 * its cpu's, which differ by architecture.
 */
#include "unwinder.h"

static const char task_key;

static int find_size(struct otst *o, const void *of, void *value)
{
	(void)of;
	*(uint64_t *)value = otst_thread_size(o);
	return 0;
}

static const struct otst_once thread_size = { .size = sizeof(uint64_t), .make = find_size };

/* the stack of @task: looked up once for each task that is unwound, not once a frame */
static uint64_t task_stack(struct otst *o, uint64_t task)
{
	void **place = otst_memo(o, &task_key);
	struct otst_task *t;

	if (!*place)
		*place = otst_new(o, sizeof(*t));
	t = *place;
	if (t && t->addr != task && otst_task_read(o, task, t))
		*t = (struct otst_task){ .addr = task };
	return t ? t->stack : 0;
}

bool otst_place_try(struct otst_bounds *ret, enum otst_place place, uint64_t begin, uint64_t size,
		    uint64_t addr)
{
	*ret = (struct otst_bounds){ .place = place, .begin = begin, .end = begin + size };
	return begin && addr - begin < size;
}

bool otst_place_find(struct otst *o, uint64_t task, int cpu, uint64_t addr, struct otst_bounds *ret)
{
	const struct otst_unwinder *u = otst_unwinder(o);
	const uint64_t *size = otst_once_or_null(o, &thread_size, NULL);

	if (!size)
		return false;
	if (task && otst_place_try(ret, OTST_PLACE_TASK, task_stack(o, task), *size, addr))
		return true;
	return u && cpu >= 0 && (unsigned int)cpu < otst_kernel(o)->nr_cpus &&
	       u->place(o, (unsigned int)cpu, addr, ret);
}
