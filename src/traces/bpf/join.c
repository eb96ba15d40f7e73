// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * join.c - the stacks that an element or a record names, as lines of its
 * trace. A kernel stack comes before the user stack, since both were running;
 * several kernel stacks are separated by marks.
 */
#include <errno.h>

#include "bpf.h"

static const char *why_none(int64_t id)
{
	switch (-id) {
	case EPERM:
		return "none was asked for";
	case EFAULT:
		return "EFAULT: no stack could be taken";
	case EEXIST:
		return "EEXIST: another stack has its place";
	case ENOMEM:
		return "ENOMEM: the map was full";
	case EINVAL:
		return "EINVAL";
	case EBUSY:
		return "EBUSY";
	default:
		return "an error";
	}
}

/* "?" before each frame: the stack was captured, but perhaps not for what seems to name it */
static struct otst_trace_line *as_guesses(struct otst *o, const struct otst_trace_line *lines,
					  size_t count)
{
	struct otst_trace_line *guesses = otst_alloc(o, (count + 1) * sizeof(*guesses));

	for (size_t i = 0; guesses && i < count; i++) {
		guesses[i] = lines[i];
		guesses[i].reliable = lines[i].kind == OTST_LINE_MARK;
	}
	return guesses;
}

/* @lines are shared with everything else that names the stack */
static int join_held(struct otst_trace *t, const struct otst_slot *slot, struct otst_held *h,
		     struct otst_trace_id *id, struct otst_vec *lines)
{
	const struct otst_stacks *s = slot->stacks;
	int err;

	if (!h) {
		id->problem = "nothing is there any more";
		return 0;
	}
	err = otst_held_lines(s, h);
	if (err)
		return err;
	h->claimed |= !slot->guess;
	if (slot->guess && !h->guessed)
		h->guessed = as_guesses(s->o, h->lines, h->nr_lines);
	t->error = t->error ? t->error : h->error;
	*lines = (struct otst_vec){ (void *)(uintptr_t)(slot->guess ? h->guessed : h->lines),
				    h->nr_lines, h->nr_lines };
	return otst_check(s->o);
}

static int join_frames(struct otst *o, const struct otst_slot *slot, const uint8_t *at,
		       uint32_t room, struct otst_vec *lines)
{
	uint64_t count = room / 8;
	int err;

	if (slot->form == OTST_SLOT_INLINE) {
		count = otst_get(o, at, 8);
		at += 8;
		count = count < room / 8 - 1 ? count : room / 8 - 1;
	}
	err = otst_bpf_frames(o, at, count, lines);
	if (slot->guess)
		lines->data = as_guesses(o, lines->data, lines->count);
	return err ? err : otst_check(o);
}

static int join_slot(struct otst *o, const struct otst_slot *slot, const uint8_t *bytes,
		     uint32_t size, struct otst_trace *t, struct otst_vec *lines)
{
	uint32_t room = slot->offset < size ? size - slot->offset : 0;
	struct otst_trace_id *id;

	room = room < slot->size ? room : slot->size;
	if (room < 4 || (slot->form != OTST_SLOT_ID && room < 8))
		return 0;
	id = otst_vec_push(o, &t->bpf->ids, sizeof(*id));
	*id = (struct otst_trace_id){ .name = slot->name, .evidence = slot->evidence };
	t->bpf->guess |= slot->guess;
	if (!slot->stacks)
		return join_frames(o, slot, bytes + slot->offset, room, lines);
	id->map = slot->stacks->map->id;
	id->has_id = true;
	if (slot->form == OTST_SLOT_KEYED) {
		id->id = (int64_t)otst_get(o, bytes + slot->offset, 8);
		return join_held(
			t, slot,
			otst_stacks_find(slot->stacks, (uint64_t)id->id,
					 (uint32_t)otst_get(o, bytes + slot->offset + 8, 4)),
			id, lines);
	}
	id->id = otst_slot_id(o, bytes + slot->offset, room);
	if (id->id < 0) {
		id->problem = why_none(id->id);
		return 0;
	}
	return join_held(t, slot, otst_stacks_find(slot->stacks, (uint64_t)id->id, 0), id, lines);
}

int otst_slots_join(struct otst *o, const struct otst_vec *slots, const uint8_t *bytes,
		    uint32_t size, struct otst_trace *t, struct otst_vec *stacks)
{
	const struct otst_slot *slot = slots->data;
	struct otst_vec *lines;
	int err = 0;

	for (size_t i = 0; i < slots->count && !err; i++) {
		lines = otst_vec_push(o, stacks, sizeof(*lines));
		*lines = (struct otst_vec){ 0 };
		err = join_slot(o, &slot[i], bytes, size, t, lines);
	}
	return err;
}

/* ---- in a row ---- */

static bool is_users(const struct otst_vec *stack)
{
	const struct otst_trace_line *line = stack->data;

	return stack->count && line->kind == OTST_LINE_MARK;
}

static bool is_kernels_stack(const struct otst_vec *stack)
{
	return stack->count && !is_users(stack);
}

static void append_stack(struct otst *o, struct otst_vec *lines, const struct otst_vec *stack)
{
	const struct otst_trace_line *from = stack->data;
	struct otst_trace_line *line;

	if (is_kernels_stack(stack) && lines->count)
		otst_trace_mark_add(o, lines, "<kernel stack trace>");
	for (size_t i = 0; i < stack->count; i++) {
		line = otst_trace_line_add(o, lines);
		*line = from[i];
	}
}

void otst_stacks_lines(struct otst *o, const struct otst_vec *stacks, struct otst_trace *t)
{
	const struct otst_vec *stack = stacks->data, *only = NULL, *first = NULL;
	struct otst_vec lines = { 0 };
	size_t i, n = 0, kernels = 0;

	for (i = 0; i < stacks->count; i++) {
		only = stack[i].count ? &stack[i] : only;
		first = is_kernels_stack(&stack[i]) ? &stack[i] : first;
		n += stack[i].count != 0;
		kernels += is_kernels_stack(&stack[i]);
	}
	/* a single kernel stack comes first; several stay where they are */
	if (kernels != 1)
		first = NULL;
	if (n == 1)
		lines = *only;
	else if (first)
		append_stack(o, &lines, first);
	for (i = 0; i < stacks->count && n > 1; i++) {
		if (&stack[i] != first)
			append_stack(o, &lines, &stack[i]);
	}
	t->lines = lines.data;
	t->nr_lines = lines.count;
}
