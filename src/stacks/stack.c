// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stack.c - struct otst_stack: a list of frames with a fixed room, after
 * FreeBSD's stack(9).
 */
#include <string.h>

#include "stack.h"

#define MAX_ROOM 65536u

const char *otst_place_name(enum otst_place place)
{
	/* stack_type_name() of arch/x86/kernel/dumpstack_64.c; arm64 prints none */
	static const char *const names[] = {
		[OTST_PLACE_TASK] = "TASK",
		[OTST_PLACE_IRQ] = "IRQ",
		[OTST_PLACE_SOFTIRQ] = "SOFTIRQ",
		[OTST_PLACE_ENTRY] = "ENTRY_TRAMPOLINE",
		[OTST_PLACE_DF] = "#DF",
		[OTST_PLACE_NMI] = "NMI",
		[OTST_PLACE_DB] = "#DB",
		[OTST_PLACE_MCE] = "#MC",
		[OTST_PLACE_VC] = "#VC",
		[OTST_PLACE_VC2] = "#VC2",
		[OTST_PLACE_OVERFLOW] = "OVERFLOW",
		[OTST_PLACE_SDEI] = "SDEI",
		[OTST_PLACE_SDEI_CRITICAL] = "SDEI_CRITICAL",
		[OTST_PLACE_NODAT] = "NODAT",
		[OTST_PLACE_RESTART] = "RESTART",
	};
	OTST_EACH_HAS(names, OTST_PLACES);

	return place < OTST_PLACES ? names[place] : NULL;
}

const char *otst_how_name(enum otst_how how)
{
	static const char *const names[] = { "given", "orc", "cfi", "fp", "scan" };

	return how <= OTST_HOW_SCAN ? names[how] : "given";
}

const char *otst_end_name(enum otst_end end)
{
	static const char *const names[] = { "open", "whole", "full", "cut", "lost" };
	OTST_EACH_HAS(names, OTST_END_COUNT);

	return end <= OTST_END_LOST ? names[end] : "open";
}

struct otst_stack *otst_stack_create(struct otst *o, size_t room)
{
	struct otst_stack *st = otst_new(o, sizeof(*st));

	room = room ?: OTST_STACK_FRAMES;
	if (room > MAX_ROOM)
		return NULL;
	st->frames = otst_alloc(o, room * sizeof(*st->frames));
	if (!st->frames)
		return NULL;
	st->room = room;
	return st;
}

void otst_stack_destroy(struct otst_stack *st)
{
	if (st)
		*st = (struct otst_stack){ 0 };
}

void otst_stack_zero(struct otst_stack *st)
{
	*st = (struct otst_stack){ .frames = st->frames, .room = st->room };
}

int otst_stack_put_frame(struct otst_stack *st, const struct otst_frame *frame)
{
	if (st->count >= st->room) {
		st->end = OTST_END_FULL;
		return OTST_ERR_NOMEM;
	}
	st->frames[st->count++] = *frame;
	return 0;
}

void otst_stack_copy(const struct otst_stack *src, struct otst_stack *dst)
{
	struct otst_frame *frames = dst->frames;
	size_t room = dst->room;

	if (src == dst)
		return;
	*dst = *src;
	dst->frames = frames;
	dst->room = room;
	if (src->count > room) {
		dst->count = room;
		dst->end = OTST_END_FULL;
	}
	if (dst->count)
		memcpy(frames, src->frames, dst->count * sizeof(*frames));
}
