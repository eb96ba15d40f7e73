// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * locks.c - what a sleeping task waits for, and who owns it. Newer kernels record
 * the lock in task_struct.blocker. In older ones a task that waits for a mutex
 * or a rw_semaphore has a struct mutex_waiter or rwsem_waiter on its stack,
 * which points to the task and is on the lock's list. Under PREEMPT_RT all locks that
 * sleep are rt_mutexes, spinlocks among them, and task_struct.pi_blocked_on leads to the
 * task's struct rt_mutex_waiter (kernel/locking/rtmutex_common.h); so it does for futexes
 * with priority inheritance on other kernels.
 */
#include <inttypes.h>
#include <string.h>

#include "verdict.h"

#define MOST_WAITERS 4096u
#define READER_OWNED 1u /* RWSEM_READER_OWNED: the last reader, which may have released it */
#define OWNER_FLAGS  7u /* MUTEX_FLAGS, RWSEM_OWNER_FLAGS_MASK: a task_struct is aligned to more */

/* a kind of lock: the type of its waiters, and of itself with list and owner */
struct lock {
	const char *waiter;
	const char *type;
	bool readers;
};

static const struct lock locks[] = {
	{ "mutex_waiter", "mutex", false },
	{ "rwsem_waiter", "rw_semaphore", true },
};

/* one look; @lost: something could not be read */
struct look {
	struct otst *o;
	const struct otst_task *task;
	bool lost;
};

struct layout {
	uint64_t task;	    /* of the waiter */
	uint64_t list;	    /* of the waiter */
	uint64_t wait_list; /* of the lock */
	uint64_t owner;	    /* of the lock */
	bool readers;	    /* may own it */
};

static bool read_lock_layout(struct otst *o, const struct lock *lock, struct layout *ret)
{
	const struct otst_member *task, *list, *wait_list, *owner;

	if (otst_member(o, lock->waiter, "task", &task) ||
	    otst_member(o, lock->waiter, "list", &list) ||
	    otst_member(o, lock->type, "wait_list", &wait_list) ||
	    otst_member(o, lock->type, "owner", &owner))
		return false;
	*ret = (struct layout){ task->offset, list->offset, wait_list->offset, owner->offset,
				lock->readers };
	return true;
}

static bool read_lock_word(struct look *w, uint64_t at, uint64_t *ret)
{
	bool ok = !otst_read_u64(w->o, at, ret);

	w->lost = w->lost || !ok;
	return ok;
}

/* the task in the lock owner at @at; NULL if it is none, the waiter, or one of several readers */
static const struct otst_task *owner_at(struct look *w, uint64_t at, bool readers)
{
	uint64_t owner;

	if (!read_lock_word(w, at, &owner) || (readers && owner & READER_OWNED))
		return NULL;
	owner &= ~(uint64_t)OWNER_FLAGS;
	return owner == w->task->addr ? NULL : otst_task_at(w->o, owner);
}

/* follow the list from one waiter to the lock */
static const struct otst_task *follow_waiters(struct look *w, const struct layout *layout,
					      uint64_t waiter)
{
	uint64_t first = waiter + layout->list, node = first, next, back;
	const struct otst_task *owner;

	for (unsigned int i = 0; i < MOST_WAITERS; i++) {
		if (!read_lock_word(w, node, &next) || !otst_is_kernel_pointer(w->o, next) ||
		    next & 7 || !read_lock_word(w, next + 8, &back) || back != node)
			return NULL;
		if (next == first)
			return NULL;
		owner = owner_at(w, next - layout->wait_list + layout->owner, layout->readers);
		if (owner)
			return owner;
		node = next;
	}
	return NULL;
}

static const struct otst_task *find_waiter(struct look *w, const struct layout *layout,
					   const uint64_t *words, uint64_t from, size_t count)
{
	const struct otst_task *owner;

	for (size_t i = 0; i < count; i++) {
		if (words[i] != w->task->addr)
			continue;
		owner = follow_waiters(w, layout, from + 8 * i - layout->task);
		if (owner)
			return owner;
	}
	return NULL;
}

/* task_struct.blocker, of include/linux/hung_task.h: the lock, and its kind in the lowest bits */
static const struct otst_task *blocker_owner(struct look *w)
{
	/* BLOCKER_TYPE_MUTEX, SEM, RWSEM_READER, RWSEM_WRITER; anybody may release a semaphore */
	static const struct lock *const kinds[] = { &locks[0], NULL, &locks[1], &locks[1] };
	const struct otst_member *blocker, *owner;
	const struct lock *lock;
	uint64_t at;

	if (otst_member(w->o, "task_struct", "blocker", &blocker) ||
	    !read_lock_word(w, w->task->addr + blocker->offset, &at))
		return NULL;
	lock = kinds[at & 3];
	if (!otst_is_kernel_pointer(w->o, at) || !lock ||
	    otst_member(w->o, lock->type, "owner", &owner))
		return NULL;
	return owner_at(w, (at & ~UINT64_C(3)) + owner->offset, lock->readers);
}

/*
 * Linux 830e6acc8a1c ("locking/rtmutex: Split out the inner parts of 'struct rtmutex'")
 * (v5.15) made rt_mutex_base, which mutexes and rw_semaphores share under PREEMPT_RT.
 */
static const char *rt_lock_type(struct otst *o)
{
	return otst_has_member(o, "rt_mutex_base", "owner") ? "rt_mutex_base" : "rt_mutex";
}

struct pi_layout {
	uint64_t blocked; /* of the task */
	uint64_t task;	  /* of the waiter */
	uint64_t lock;	  /* of the waiter */
	uint64_t owner;	  /* of the lock */
};

static bool read_pi_layout(struct otst *o, struct pi_layout *ret)
{
	const struct otst_member *blocked, *task, *lock, *owner;

	if (otst_member(o, "task_struct", "pi_blocked_on", &blocked) ||
	    otst_member(o, "rt_mutex_waiter", "task", &task) ||
	    otst_member(o, "rt_mutex_waiter", "lock", &lock) ||
	    otst_member(o, rt_lock_type(o), "owner", &owner))
		return false;
	*ret = (struct pi_layout){ blocked->offset, task->offset, lock->offset, owner->offset };
	return true;
}

/* the owner of the rt_mutex that the task waits for */
static const struct otst_task *pi_owner(struct look *w)
{
	struct pi_layout l;
	uint64_t waiter, task, lock;

	if (!read_pi_layout(w->o, &l) || !read_lock_word(w, w->task->addr + l.blocked, &waiter) ||
	    !waiter || !read_lock_word(w, waiter + l.task, &task) ||
	    !read_lock_word(w, waiter + l.lock, &lock))
		return NULL;
	/* another task's waiter proves nothing */
	w->lost = w->lost || task != w->task->addr;
	return task == w->task->addr ? owner_at(w, lock + l.owner, false) : NULL;
}

static const struct otst_task *search_stack(struct look *w)
{
	uint64_t end = w->task->stack + otst_thread_size(w->o);
	uint64_t from = w->task->sp & ~(uint64_t)7;
	const struct otst_task *owner = NULL;
	struct layout layout;
	uint64_t *words;
	size_t count, i;

	if (!w->task->stack || from < w->task->stack || from >= end)
		return NULL;
	count = (size_t)(end - from) / 8;
	words = otst_alloc(w->o, count * 8);
	if (!words || otst_read(w->o, from, words, count * 8)) {
		w->lost = true;
		return NULL;
	}
	for (i = 0; i < count; i++)
		words[i] = otst_get(w->o, &words[i], sizeof(*words));
	for (i = 0; i < sizeof(locks) / sizeof(*locks) && !owner; i++) {
		if (read_lock_layout(w->o, &locks[i], &layout))
			owner = find_waiter(w, &layout, words, from, count);
	}
	return owner;
}

/* the kind of lock that the functions of a stack wait for, or NULL */
static const struct lock *waited_for(const struct otst_verdict_stack *s)
{
	static const struct {
		const char *begin; /* of a function's name */
		const struct lock *lock;
	} functions[] = { { "mutex_lock", &locks[0] },	{ "__mutex_lock", &locks[0] },
			  { "rwsem_down_", &locks[1] }, { "rwbase_", &locks[1] },
			  { "down_read", &locks[1] },	{ "down_write", &locks[1] } };

	for (size_t i = 0; i < s->nr_frames; i++) {
		const char *name = s->frames[i].frame.reliable ? s->frames[i].sym.name : NULL;

		for (size_t k = 0; name && k < sizeof(functions) / sizeof(*functions); k++) {
			if (!strncmp(name, functions[k].begin, strlen(functions[k].begin)))
				return functions[k].lock;
		}
	}
	return NULL;
}

/* do this kernel's structures lead from a task to a lock of kind @l and its owner */
static bool is_traceable(struct otst *o, const struct lock *lock)
{
	/* up to 5.14, patches for PREEMPT_RT had mutex.lock and rw_semaphore.rtmutex */
	static const char *const rt_owners[] = { "rtmutex.owner", "rwbase.rtmutex.owner",
						 "lock.owner" };
	struct pi_layout pi;
	struct layout layout;
	bool rt = false;

	for (size_t i = 0; i < sizeof(rt_owners) / sizeof(*rt_owners); i++)
		rt = rt || otst_has_member(o, lock->type, rt_owners[i]);
	if (rt)
		return read_pi_layout(o, &pi);
	return read_lock_layout(o, lock, &layout) ||
	       (otst_has_member(o, "task_struct", "blocker") &&
		otst_has_member(o, lock->type, "owner"));
}

/* why the owner was not found although there may be one, or NULL */
static const char *find_gap(const struct look *w, const struct otst_verdict_stack *s)
{
	const char *name = w->task->comm ? w->task->comm : "?";
	const struct lock *lock = waited_for(s);

	if (w->lost)
		return otst_format(w->o, "what %s (PID %" PRIu64 ") waits for could not be read",
				   name, w->task->pid);
	if (lock && !is_traceable(w->o, lock))
		return otst_format(w->o,
				   "who owns the %s that %s (PID %" PRIu64
				   ") waits for was not looked up: "
				   "this kernel's structures do not lead from a task to its owner",
				   lock->type, name, w->task->pid);
	return NULL;
}

const struct otst_task *otst_lock_owner(struct otst *o, const struct otst_verdict_stack *s,
					const char **gap)
{
	struct look w = { .o = o, .task = s->task };
	const struct otst_task *owner = blocker_owner(&w);

	owner = owner ?: pi_owner(&w);
	owner = owner ?: search_stack(&w);
	*gap = owner ? NULL : find_gap(&w, s);
	return owner;
}
