// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * inflight_graph.c - function graph's shadow stack, task_struct.ret_stack
 * (kernel/trace/fgraph.c): an array of frames, and since v6.11 words.
 */
#include <inttypes.h>
#include <string.h>

#include "../base/coverage.h"
#include "inflight.h"

#define MAX_RET_STACK 4096u /* entries, or words; the kernel has 50 entries or 512 words */
#define NOTRACE_DEPTH 65536 /* FTRACE_NOTRACE_DEPTH, v4.4: subtracted from the index */

/* a control word of the shadow stack since v6.11: FGRAPH_FRAME_OFFSET, _TYPE, _DATA, _DATA_INDEX */
#define WORD_OFFSET    0x3ffu
#define WORD_TYPE(w)   ((w) >> 10 & 0x3)
#define WORD_SIZE(w)   ((int64_t)((w) >> 12 & 0x1f) + 1)
#define WORD_INDEX(w)  ((w) >> 17 & 0xf)
#define WORD_TYPE_DATA 2u

static void add_graph_frame(struct otst_inflight_list *list, uint64_t task,
			    const unsigned char *frame, uint64_t size, uint64_t at, uint64_t time)
{
	struct otst_inflight *i = otst_inflight_add(list, OTST_INFLIGHT_GRAPH, at, task);
	const char *place = otst_kernel(list->o)->arch->reg.graph_place;
	struct otst_view v;

	otst_view_at(list->o, "ftrace_ret_stack", at, frame, size, &v);
	i->ret_addr = otst_u64(&v, "ret");
	i->func = otst_u64(&v, "func");
	i->slot = otst_u64_or(&v, place ? place : "retp", 0);
	i->time = otst_u64_or(&v, "calltime", time);
	if (v.err) {
		i->error = otst_strdup(list->o, otst_message(list->o));
		return;
	}
	if (!otst_is_text(list->o, i->func))
		i->error = "the function is not in kernel text";
}

/* up to v6.10: an array of struct ftrace_ret_stack and the index of its top */
static int add_graph_array(struct otst_inflight_list *list, uint64_t task, uint64_t stack,
			   int64_t top, uint64_t size)
{
	const struct otst_member *time;
	unsigned char *frames;
	int64_t i;
	int err;

	if (top < -1)
		top += NOTRACE_DEPTH;
	if (top < 0)
		return 0;
	if (top >= (int64_t)MAX_RET_STACK || size > 256)
		return otst_raise(list->o, OTST_ERR_CORRUPT, "index %" PRId64, top);
	/* each of them has the time of its call */
	(void)otst_lack(list->o, otst_member(list->o, "ftrace_ret_stack", "calltime", &time));
	frames = otst_alloc(list->o, (size_t)(top + 1) * size);
	err = otst_read(list->o, stack, frames, (size_t)(top + 1) * size);
	for (i = top; i >= 0 && !err; i--)
		add_graph_frame(list, task, frames + (uint64_t)i * size, size,
				stack + (uint64_t)i * size, 0);
	return err;
}

/* does user number @index of the shadow stack keep the time of a call first in its data */
static bool is_timed(struct otst *o, uint64_t index)
{
	static const char *const entries[] = {
		"trace_graph_entry",  "trace_graph_entry_args", "irqsoff_graph_entry",
		"wakeup_graph_entry", "profile_graph_entry",
	};
	uint64_t array = otst_symbol_or0(o, "fgraph_array"), ops, entry;
	const struct otst_member *m = otst_inflight_member(o, "fgraph_ops", "entryfunc");

	if (!array || !m || otst_read_u64(o, array + 8 * index, &ops) ||
	    otst_read_u64(o, ops + m->offset, &entry))
		return false;
	for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++) {
		if (otst_handler_is(o, entry, entries[i]))
			return true;
	}
	return false;
}

/*
 * When the call of the frame at word @frame began, 0 when it was not recorded.
 * Where ftrace_ret_stack has no calltime (v6.14), tracers record it in words of
 * their own above the frame, each block below a word that tells whose it is.
 */
static uint64_t find_graph_time(struct otst *o, const unsigned char *words, int64_t frame,
				int64_t end)
{
	int64_t at = end - 1;

	while (at > frame) {
		uint64_t word = otst_get(o, words + 8 * at, 8);

		if (WORD_TYPE(word) != WORD_TYPE_DATA || WORD_SIZE(word) >= at - frame)
			break;
		at -= WORD_SIZE(word);
		if (is_timed(o, WORD_INDEX(word)))
			return otst_get(o, words + 8 * at, 8);
		at--;
	}
	return 0;
}

/*
 * Linux 42675b723b48 ("function_graph: Convert ret_stack to a series of
 * longs") (v6.11): words. Each frame is below one or more control words, which
 * tell how far down it is.
 */
static int add_words(struct otst_inflight_list *list, uint64_t task, uint64_t stack, int64_t top,
		     uint64_t size)
{
	unsigned char *words;
	int64_t at = top, end;
	int err;

	if (top <= 0)
		return 0;
	if (top > (int64_t)MAX_RET_STACK)
		return otst_raise(list->o, OTST_ERR_CORRUPT, "index %" PRId64, top);
	words = otst_alloc(list->o, (size_t)top * 8);
	err = otst_read(list->o, stack, words, (size_t)top * 8);
	while (!err && at > 0) {
		uint64_t word = otst_get(list->o, words + 8 * (at - 1), 8);
		int64_t down = (int64_t)(word & WORD_OFFSET);

		if (!down || down > at - 1)
			return otst_raise(list->o, OTST_ERR_CORRUPT, "bad word 0x%" PRIx64, word);
		end = at;
		at -= 1 + down;
		if ((uint64_t)(top - at) * 8 < size)
			return otst_raise(list->o, OTST_ERR_CORRUPT, "frame at its end");
		add_graph_frame(list, task, words + 8 * at, size, stack + 8 * (uint64_t)at,
				find_graph_time(list->o, words, at, end));
	}
	return err;
}

int otst_inflight_graph(struct otst_inflight_list *list, uint64_t task)
{
	const struct otst_member *ret_stack, *current;
	uint64_t stack, size;
	uint32_t top;
	int err;

	/* both are there with CONFIG_FUNCTION_GRAPH_TRACER */
	if (!otst_inflight_member(list->o, "task_struct", "ret_stack") &&
	    !otst_inflight_member(list->o, "task_struct", "curr_ret_stack"))
		return 0;
	err = otst_member(list->o, "task_struct", "ret_stack", &ret_stack);
	err = err ?: otst_member(list->o, "task_struct", "curr_ret_stack", &current);
	err = err ?: otst_type_size(list->o, "ftrace_ret_stack", &size);
	if (err) {
		otst_note_once(list->o, &list->errors, otst_strdup(list->o, otst_message(list->o)));
		return otst_check(list->o);
	}
	err = otst_read_u64(list->o, task + ret_stack->offset, &stack);
	if (!err && !stack)
		return 0;
	if (!err && !otst_is_kernel_pointer(list->o, stack))
		err = otst_raise(list->o, OTST_ERR_CORRUPT, "bad pointer 0x%" PRIx64, stack);
	err = err ?: otst_read_u32(list->o, task + current->offset, &top);
	if (!err && !strcmp(ret_stack->type, "ftrace_ret_stack"))
		err = add_graph_array(list, task, stack, (int32_t)top, size);
	else if (!err)
		err = add_words(list, task, stack, (int32_t)top, size);
	if (err)
		err = otst_note(list->o, &list->errors,
				otst_fail(list->o, err, "ret_stack of task 0x%" PRIx64, task));
	return err;
}
