// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * locks.c - what a sleeping task waits for, and who has it. A task that waits
 * for a mutex or a rw_semaphore has a struct mutex_waiter or rwsem_waiter on
 * its stack, which names the task and stands in the lock's list.
 */
#include "verdict.h"

#define MOST_WAITERS 4096u
#define READER_OWNED 1u /* RWSEM_READER_OWNED: the last of its readers, which may have left it */
#define OWNER_FLAGS  7u /* MUTEX_FLAGS, RWSEM_OWNER_FLAGS_MASK: a task_struct is aligned to more */

/* a kind of lock: its waiters and where it keeps list and owner */
struct lock {
	const char *waiter;
	const char *type;
	bool readers;
};

static const struct lock locks[] = {
	{ "mutex_waiter", "mutex", false },
	{ "rwsem_waiter", "rw_semaphore", true },
};

struct layout {
	uint64_t task;	    /* of the waiter */
	uint64_t list;	    /* of the waiter */
	uint64_t wait_list; /* of the lock */
	uint64_t owner;	    /* of the lock */
	bool readers;	    /* may own it */
};

static bool read_layout(struct otst *o, const struct lock *l, struct layout *ret)
{
	const struct otst_member *task, *list, *wait_list, *owner;

	if (otst_member(o, l->waiter, "task", &task) || otst_member(o, l->waiter, "list", &list) ||
	    otst_member(o, l->type, "wait_list", &wait_list) ||
	    otst_member(o, l->type, "owner", &owner))
		return false;
	*ret = (struct layout){ task->offset, list->offset, wait_list->offset, owner->offset,
				l->readers };
	return true;
}

/* the owner of the lock whose wait_list is @node; NULL when it is none, or nobody's */
static const struct otst_task *owner_at(struct otst *o, const struct layout *l, uint64_t node,
					const struct otst_task *waiter)
{
	uint64_t owner;

	if (otst_read_u64(o, node - l->wait_list + l->owner, &owner) ||
	    (l->readers && owner & READER_OWNED))
		return NULL;
	owner &= ~(uint64_t)OWNER_FLAGS;
	return owner == waiter->addr ? NULL : otst_task_at(o, owner);
}

/* from one waiter along the list to the lock */
static const struct otst_task *follow(struct otst *o, const struct layout *l, uint64_t waiter,
				      const struct otst_task *task)
{
	uint64_t first = waiter + l->list, node = first, next, back;
	const struct otst_task *owner;
	unsigned int i;

	for (i = 0; i < MOST_WAITERS; i++) {
		if (otst_read_u64(o, node, &next) || !otst_is_kernel_pointer(o, next) || next & 7 ||
		    otst_read_u64(o, next + 8, &back) || back != node)
			return NULL;
		if (next == first)
			return NULL;
		owner = owner_at(o, l, next, task);
		if (owner)
			return owner;
		node = next;
	}
	return NULL;
}

static const struct otst_task *find_waiter(struct otst *o, const struct layout *l,
					   const struct otst_task *task, const uint64_t *words,
					   uint64_t from, size_t count)
{
	const struct otst_task *owner;
	size_t i;

	for (i = 0; i < count; i++) {
		if (words[i] != task->addr)
			continue;
		owner = follow(o, l, from + 8 * i - l->task, task);
		if (owner)
			return owner;
	}
	return NULL;
}

const struct otst_task *otst_lock_owner(struct otst *o, const struct otst_task *task)
{
	uint64_t end = task->stack + otst_thread_size(o), from = task->sp & ~(uint64_t)7;
	const struct otst_task *owner;
	struct layout layout;
	uint64_t *words;
	size_t count, i;

	if (!task->stack || from < task->stack || from >= end)
		return NULL;
	count = (size_t)(end - from) / 8;
	words = otst_alloc(o, count * 8);
	if (!words || otst_read(o, from, words, count * 8))
		return NULL;
	for (i = 0; i < sizeof(locks) / sizeof(*locks); i++) {
		if (!read_layout(o, &locks[i], &layout))
			continue;
		owner = find_waiter(o, &layout, task, words, from, count);
		if (owner)
			return owner;
	}
	return NULL;
}
