// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * overflow.c - a stack that overflowed: the cycle of functions that fills it. Which
 * function finds the stack full is chance, so the cycle is judged, not the failing
 * instruction.
 */
#include "evidence.h"

#define MOST_LENGTH 32u /* functions of a cycle */
#define LEAST_TIMES 3u	/* that it repeats itself */
#define MOST_NAMES  6u	/* that are said */

/* a trampoline has no name, but returns to the same place in it */
static bool is_same_frame(const struct otst_verdict_frame *a, const struct otst_verdict_frame *b)
{
	if (!a->frame.reliable || !b->frame.reliable)
		return false;
	return a->sym.name && b->sym.name ? a->sym.addr == b->sym.addr : a->frame.pc == b->frame.pc;
}

/* frames from @first on that repeat themselves every @length ones */
static size_t count_repeated(const struct otst_verdict_stack *s, size_t first, size_t length)
{
	size_t i = first;

	while (i + length < s->nr_frames && is_same_frame(&s->frames[i], &s->frames[i + length]))
		i++;
	return i > first ? i + length - first : 0;
}

void otst_cycle_find(struct otst_verdict_stack *s)
{
	size_t from = s->failing < s->nr_frames ? s->failing : 0;
	size_t first, length, n, most = 0, reliable = 0;

	for (n = 0; n < s->nr_frames; n++)
		reliable += s->frames[n].frame.reliable;
	for (length = 1; length <= MOST_LENGTH; length++) {
		for (first = from; first + length < s->nr_frames; first += n ? n : 1) {
			n = count_repeated(s, first, length);
			if (n / length < LEAST_TIMES || n <= most)
				continue;
			most = n;
			s->cycle = (struct otst_cycle){ first, length, n / length };
		}
	}
	/* it does not fill the stack */
	if (2 * most < reliable)
		s->cycle = (struct otst_cycle){ 0 };
}

const char *otst_cycle_text(struct otst *o, const struct otst_verdict_stack *s)
{
	const struct otst_cycle *c = &s->cycle;
	const char *text = "";
	size_t i;

	if (!c->times)
		return s->end == OTST_END_WHOLE ? "no cycle of functions fills the stack" :
						  "what fills the stack is not known";
	for (i = 0; i < c->length && i < MOST_NAMES; i++)
		text = otst_format(o, "%s%s%s", text, i ? ", " : "",
				   otst_evidence_name(o, &s->frames[c->first + i]));
	return otst_format(o, "%s%s %s%zu times", text, i < c->length ? ", .." : "",
			   s->end == OTST_END_WHOLE ? "" : "at least ", c->times);
}

/* the first frame of the cycle that is a hook's own code; a trampoline awaits a return there */
static const struct otst_verdict_frame *hook_in_cycle(const struct otst_verdict_stack *s)
{
	for (size_t i = 0; i < s->cycle.length && s->cycle.times; i++) {
		const struct otst_verdict_frame *f = &s->frames[s->cycle.first + i];

		if (otst_role_is_hook(f->role) && f->role != OTST_ROLE_TRAMPOLINE)
			return f;
	}
	return NULL;
}

static void add_overflow(struct otst_finder *f, enum otst_rank rank,
			 const struct otst_verdict_stack *s, const char *where,
			 const struct otst_verdict_frame *frame)
{
	const char *text = otst_format(f->o, "The stack overflowed: %s. %s: %s%s%s",
				       otst_cycle_text(f->o, s), where,
				       otst_evidence_name(f->o, frame), frame->what ? ", " : "",
				       frame->what ? frame->what : "");

	otst_verdict_add(f, rank, text, otst_evidence_owner(f->o, frame),
			 otst_evidence_command(f->o, frame));
}

void otst_judge_overflow(struct otst_finder *f, const struct otst_verdict_stack *s)
{
	const struct otst_verdict_frame *frame = hook_in_cycle(s);
	size_t i;

	if (frame) {
		add_overflow(f, OTST_RANK_A, s, "Hook code is in this cycle", frame);
		return;
	}
	i = s->failing < s->nr_frames && otst_calls_callbacks(&s->frames[s->failing].sym) ?
		    s->failing :
		    otst_find_hook(s, s->failing < s->nr_frames ? s->failing : 0);
	if (i < s->nr_frames)
		add_overflow(f, OTST_RANK_C, s,
			     s->cycle.times ? "Hook code is on it, but not in this cycle" :
					      "Hook code is on it",
			     &s->frames[i]);
}
