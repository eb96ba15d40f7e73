// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stack.c - stacks for programs that use the library: of tasks in the dump, or from
 * registers and bytes that the program supplies. Frames come from src/stacks/; their names
 * are those that -t prints.
 */
#include <string.h>

#include "../base/engine.h"
#include "../built/built.h"
#include "../output/stack.h"
#include "commands.h"

/* one call of the library: the caller's structures, converted to this engine's */
struct call {
	struct otst *o;
	struct otst_stack_walk walk;
	struct otst_output complaints;
};

#define TAKE(ret, last, from)                 \
	otst_take_struct(ret, sizeof(*(ret)), \
			 (size_t)((char *)(&(ret)->last + 1) - (char *)(ret)), from)

/* @bad: what is wrong with another of the caller's structures, or 0 */
static int begin_call(struct call *c, const struct otst_stack_walk *walk,
		      const struct otst_output *err, int bad)
{
	int wrong = otst_take_output(err, &c->complaints);

	bad = bad ? bad : TAKE(&c->walk, priv, walk);
	bad = bad ? bad : wrong;
	otst_command_begin(c->o);
	return bad ? otst_raise(c->o, bad, "%s", otst_error_text(bad)) :
		     otst_image_check(c->o, false);
}

static int end_call(struct call *c, int err)
{
	if (otst_stopped(c->o))
		err = otst_stopped(c->o);
	if (err && err != OTST_ERR_OUTPUT && c->complaints.write)
		otst_complain(c->o, &c->complaints);
	otst_command_end(c->o);
	return err;
}

static void say_end(const struct call *c, const char *how, const char *why)
{
	if (c->walk.end)
		c->walk.end(c->walk.priv, how, why);
}

static int hand_over(const struct call *c, const struct otst_stack *st)
{
	for (size_t i = 0; i < st->count; i++) {
		const struct otst_frame *f = &st->frames[i];
		const struct otst_stack_frame frame = {
			.size = sizeof(frame),
			.pc = f->pc,
			.slot = f->slot,
			.replaced = f->replaced,
			.regs = f->regs,
			.name = otst_frame_name(c->o, f),
			.place = otst_place_name(f->place),
			.how = otst_how_name(f->how),
			.reliable = f->reliable,
			.exact = f->exact,
		};

		if (otst_check(c->o))
			return otst_check(c->o);
		if (c->walk.frame(c->walk.priv, &frame))
			return otst_raise(c->o, OTST_ERR_OUTPUT, "stopped");
	}
	say_end(c, otst_end_name(st->end), st->why);
	return 0;
}

static int walk_task(const struct call *c, const struct otst_task *t, struct otst_stack *st)
{
	const struct otst_stack_task task = {
		.size = sizeof(task),
		.addr = t->addr,
		.pid = t->pid,
		.comm = t->comm,
		.cpu = t->cpu,
		.running = t->current,
	};
	int answer = c->walk.task ? c->walk.task(c->walk.priv, &task) : 0, err;

	if (answer)
		return answer > 0 ? 0 : otst_raise(c->o, OTST_ERR_OUTPUT, "stopped");
	err = t->current ? otst_stack_save_running(c->o, t, st) : otst_stack_save_task(c->o, t, st);
	if (!err)
		return hand_over(c, st);
	if (otst_fatal(err))
		return err;
	say_end(c, "none", otst_message(c->o));
	return 0;
}

static int walk_stacks(const struct call *c)
{
	struct otst_stack *st = otst_stack_create(c->o, 0);
	const struct otst_tasks *tasks;
	int err = st ? otst_tasks(c->o, &tasks) : otst_no_memory(c->o);

	for (size_t i = 0; !err && i < tasks->count; i++)
		err = walk_task(c, tasks->items[i], st);
	/* the list of tasks breaks off there */
	if (!err && tasks->errors.count)
		err = otst_raise(c->o, OTST_ERR_CORRUPT, "%s", tasks->errors.texts[0]);
	return err;
}

int otst_stack_tasks(struct otst *o, const struct otst_stack_walk *walk,
		     const struct otst_output *err)
{
	struct call c = { .o = o };
	int ret = begin_call(&c, walk, err, 0);

	return end_call(&c, ret ? ret : walk_stacks(&c));
}

static int take_regs(struct otst *o, const struct otst_stack_state *s, uint64_t *ret)
{
	const struct otst_arch *a = otst_kernel(o)->arch;

	for (uint64_t i = 0; i < s->nr_regs; i++) {
		unsigned int reg = 0;

		while (reg < a->reg.count && strcmp(a->reg.list[reg].name, s->regs[i].name) != 0)
			reg++;
		if (reg == a->reg.count)
			return otst_raise(o, OTST_ERR_USAGE, "no register %s",
					  otst_clean(o, s->regs[i].name));
		ret[reg] = s->regs[i].value;
	}
	return 0;
}

static int walk_state(const struct call *c, const struct otst_stack_state *s)
{
	struct otst_stack *st = otst_stack_create(c->o, 0);
	struct otst_capture capture = {
		.full = s->full,
		.call = s->call,
		.task = s->task,
		.cpu = (int)s->cpu,
		.pieces = s->pieces,
		.nr_pieces = s->nr_pieces,
		.returns = s->returns,
		.nr_returns = s->nr_returns,
	};
	int err = st ? take_regs(c->o, s, capture.regs) : otst_no_memory(c->o);

	err = err ?: otst_stack_unwind(c->o, &capture, st);
	return err ? err : hand_over(c, st);
}

int otst_stack_frames(struct otst *o, const struct otst_stack_state *state,
		      const struct otst_stack_walk *walk, const struct otst_output *err)
{
	struct otst_stack_state taken;
	struct call c = { .o = o };
	int ret = begin_call(&c, walk, err, TAKE(&taken, call, state));

	return end_call(&c, ret ? ret : walk_state(&c, &taken));
}
