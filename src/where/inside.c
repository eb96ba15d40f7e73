// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * inside.c - tasks and cpus whose kernel stack goes through a function: every
 * task is unwound once, and each of its frames looked up among the functions
 * that were asked for.
 */
#include <stdlib.h>

#include "../base/sorted.h"
#include "../ftrace/ftrace.h"
#include "where.h"

struct looking {
	struct otst *o;
	struct otst_where **functions; /* by address */
	size_t count;
	struct otst_stack *stack;
	struct otst_lost lost;
};

static int by_symbol_address(const void *a, const void *b)
{
	const struct otst_where *x = *(struct otst_where *const *)a;
	const struct otst_where *y = *(struct otst_where *const *)b;

	return (x->sym.addr > y->sym.addr) - (x->sym.addr < y->sym.addr);
}

/* the function that the compiler made the code at @addr out of */
static struct otst_where *whole_of(const struct looking *look, uint64_t addr)
{
	struct otst_sym sym;

	if (!otst_symbolize_part(look->o, addr, &sym))
		return NULL;
	for (size_t i = 0; i < look->count; i++) {
		if (otst_sym_is_part(&sym, &look->functions[i]->sym))
			return look->functions[i];
	}
	return NULL;
}

static struct otst_where *function_of(const struct looking *look, uint64_t addr)
{
	size_t low = 0, high = look->count;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (look->functions[mid]->sym.addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && otst_where_has(look->functions[low - 1], addr) ? look->functions[low - 1] :
								       whole_of(look, addr);
}

/* the entry of @task in @w, which is the last one if there is one */
static struct otst_where_task *find_task(struct otst_where *w, const struct otst_task *task)
{
	struct otst_where_task *t = w->tasks.data;

	return w->tasks.count && t[w->tasks.count - 1].task == task ? &t[w->tasks.count - 1] : NULL;
}

static void add_inside_frame(struct looking *look, const struct otst_task *task, bool runs,
			     size_t depth)
{
	const struct otst_frame *f = &look->stack->frames[depth];
	struct otst_where *w = function_of(look, otst_frame_code(look->o, f->pc, f->exact));
	struct otst_where_task *t;

	if (!w)
		return;
	t = find_task(w, task);
	if (!t) {
		t = otst_vec_push(look->o, &w->tasks, sizeof(*t));
		*t = (struct otst_where_task){
			.task = task, .runs = runs, .depth = depth, .frame = *f
		};
		otst_symbolize_frame(look->o, otst_frame_code(look->o, f->pc, f->exact), &t->sym);
	}
	t->frames++;
}

static int look_at_task_inside(struct looking *look, const struct otst_task *task)
{
	bool runs = task->current || task->on_cpu;
	int err = otst_stack_save_any(look->o, task, look->stack, &look->lost);

	for (size_t i = 0; i < look->stack->count && !err; i++)
		add_inside_frame(look, task, runs, i);
	if (!err)
		otst_lost_end(look->o, look->stack, &look->lost);
	return err;
}

int otst_where_inside(struct otst *o, struct otst_where *w, size_t n, struct otst_messages *errors,
		      struct otst_messages *notes)
{
	struct looking look = { .o = o };
	const struct otst_tasks *tasks;
	int err;

	look.functions = otst_alloc(o, (n + 1) * sizeof(*look.functions));
	look.stack = otst_stack_create(o, 0);
	if (!look.functions || !look.stack)
		return otst_no_memory(o);
	for (size_t i = 0; i < n; i++) {
		if (w[i].sym.name)
			look.functions[look.count++] = &w[i];
	}
	if (!look.count)
		return 0;
	otst_sort(look.functions, look.count, sizeof(*look.functions), by_symbol_address);
	err = otst_tasks(o, &tasks);
	if (err)
		return otst_fatal(err) ? err : otst_note(o, errors, err);
	for (size_t i = 0; i < tasks->count && !err; i++) {
		err = otst_check(o);
		err = err ?: look_at_task_inside(&look, tasks->items[i]);
	}
	if (err)
		return err;
	otst_lost_note(o, &look.lost, "inside", notes);
	otst_notes(o, errors, &tasks->errors);
	return 0;
}
