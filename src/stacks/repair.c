// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * repair.c - what was there before return probes and function graph replaced a
 * return address by their trampolines (unwind_recover_ret_addr() of
 * arch/x86/include/asm/unwind.h, for all generations).
 */

#include "stack.h"

static uint64_t from_capture(const struct otst_capture *c, uint64_t slot)
{
	for (size_t i = 0; i < c->nr_returns; i++) {
		if (c->returns[i].slot == slot)
			return c->returns[i].ret;
	}
	return 0;
}

/* skip the records of a call just met on the stack: their trampolines share one place */
static void pass_call(struct otst_repair *r, const struct otst_inflight *keeper)
{
	for (size_t i = 0; i < r->calls.count; i++) {
		if (r->calls.items[i]->keeper == keeper)
			r->next[otst_inflight_family(r->calls.items[i])] = i + 1;
	}
}

/* the caller by the record of @slot, or by the next record if the kernel keeps no slots */
static uint64_t from_calls(struct otst_repair *r, enum otst_family family, uint64_t slot)
{
	bool keeps_slot = false;

	for (size_t i = 0; i < r->calls.count; i++) {
		const struct otst_inflight *c = r->calls.items[i];

		if (otst_inflight_family(c) != family || !c->slot)
			continue;
		keeps_slot = true;
		if (c->slot == slot && c->caller)
			return c->caller;
	}
	/* bytes saved at another time can only be matched by their place */
	if (keeps_slot || r->capture->nr_pieces)
		return 0;
	for (size_t i = r->next[family]; i < r->calls.count; i++) {
		const struct otst_inflight *c = r->calls.items[i];

		if (otst_inflight_family(c) != family)
			continue;
		/* a call is here even if its return address is not known */
		r->next[family] = i + 1;
		if (c->keeper)
			pass_call(r, c->keeper);
		return c->caller;
	}
	return 0;
}

struct last_task {
	uint64_t task;
	struct otst_inflights calls;
};

static const char last_key;

/* captures of one task often come in a row */
static void read_calls(struct otst *o, struct otst_repair *r)
{
	void **place = otst_memo(o, &last_key);
	struct last_task *last;

	if (!*place)
		*place = otst_new(o, sizeof(*last));
	last = *place;
	if (!last)
		return;
	if (last->task != r->capture->task) {
		*last = (struct last_task){ .task = r->capture->task };
		if (otst_inflight_task(o, last->task, &last->calls))
			last->calls.count = 0;
	}
	r->calls = last->calls;
}

uint64_t otst_repair(struct otst *o, struct otst_repair *r, uint64_t pc, uint64_t slot)
{
	enum otst_family family;
	uint64_t ret;

	if (!otst_trampoline(o, pc, &family))
		return pc;
	ret = from_capture(r->capture, slot);
	if (ret || !r->capture->task)
		return ret;
	if (!r->read) {
		r->read = true;
		read_calls(o, r);
	}
	return from_calls(r, family, slot);
}
