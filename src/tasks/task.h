/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * task.h - the kernel's tasks: init_task.tasks, every thread of each, and the idle
 * tasks, which are on no list. If init_task.tasks is broken, the rest comes from the
 * tree of parents and children.
 *
 * Memory belongs to the command's arena. A task that cannot be read is in the list
 * with its error set.
 */
#ifndef OTST_TASK_H
#define OTST_TASK_H

#include "../dump.h"

/**
 * struct otst_task - one struct task_struct
 * @comm: safe to print
 * @cpu: where it runs or ran last
 * @state: task_struct.__state (state before v5.14)
 * @on_cpu: the kernel says that it runs
 * @current: it is its cpu's current task
 * @idle: the idle task of @cpu
 * @kthread: a kernel thread (PF_KTHREAD)
 * @stack: lowest address of its kernel stack, 0 when it no longer has one
 * @sp: stack pointer when it was switched out; of no use while it runs
 * @error: what could not be read, or NULL
 */
struct otst_task {
	uint64_t addr;
	uint64_t pid;
	uint64_t tgid;
	const char *comm;
	unsigned int cpu;
	uint64_t state;
	bool on_cpu;
	bool current;
	bool idle;
	bool kthread;
	uint64_t stack;
	uint64_t sp;
	const char *error;
};

/**
 * struct otst_tasks - all tasks: the idle ones by cpu, then those of init_task.tasks,
 * each thread group's leader before its other threads; after a break in that list, in
 * the order of the tree
 * @errors: what could not be walked, as messages. A break in init_task.tasks counts
 *	only if the tree (task_struct.children) is broken too or not known: otherwise
 *	no task is missing.
 */
struct otst_tasks {
	struct otst_task **items;
	size_t count;
	struct otst_messages errors;
};

/**
 * otst_tasks() - walk all tasks, once per command
 * @ret: in the command's arena
 *
 * Return: 0, also when some tasks are bad; or what ends a command.
 */
int otst_tasks(struct otst *o, const struct otst_tasks **ret);

/** otst_task_at() - the task whose struct task_struct is at @addr; NULL when the walk missed it */
const struct otst_task *otst_task_at(struct otst *o, uint64_t addr);

/**
 * otst_task_read() - read the one task at @addr, on a list or not
 *
 * Return: 0, also when parts could not be read (&otst_task.error); or NOMEM.
 */
int otst_task_read(struct otst *o, uint64_t addr, struct otst_task *ret);

/** otst_task_kthread() - address of struct kthread of the kernel thread @t; 0, or as otst_read_member() */
int otst_task_kthread(struct otst *o, const struct otst_task *t, uint64_t *ret);

/** otst_task_current() - the task that @cpu was running; 0 when unknown */
uint64_t otst_task_current(struct otst *o, unsigned int cpu);

/** otst_thread_size() - bytes of a task's kernel stack (THREAD_SIZE) */
uint64_t otst_thread_size(struct otst *o);

#endif /* OTST_TASK_H */
