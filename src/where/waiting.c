// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * waiting.c - where the tasks are that a live patch's transition waits for: their stacks are asked
 * what klp_check_stack_func() of kernel/livepatch/transition.c asks. A task cannot move to a patch
 * while it is inside a function that is being replaced, nor leave the patch inside its function.
 */
#include <inttypes.h>

#include "where.h"

struct looking {
	struct otst *o;
	struct otst_probes *probes;
	struct otst_stack *stack;
	struct otst_lost lost;
};

/* is @sym the function that @p puts in the place of another */
static bool is_replacement_of(const struct otst_probe *p, const struct otst_sym *sym)
{
	const struct otst_handler *h = otst_probe_handler(p, OTST_HANDLER_REPLACEMENT);

	return h && h->sym.name && h->sym.addr == sym->addr;
}

/* does the transition of @p wait for tasks inside @sym */
static bool holds_up(const struct looking *look, const struct otst_probe *p,
		     const struct otst_sym *sym)
{
	if (p->transition->leaves)
		return is_replacement_of(p, sym);
	if (p->sym.name && p->sym.addr == sym->addr)
		return true;
	/* an earlier patch's function is replaced as well */
	for (size_t i = 0; i < look->probes->count; i++) {
		const struct otst_probe *other = look->probes->items[i];

		if (other != p && other->kind == OTST_PROBE_LIVEPATCH && other->addr == p->addr &&
		    is_replacement_of(other, sym))
			return true;
	}
	return false;
}

/* "bash/123 in vfs_read+0x1f/0x40": the first such frame, none that is a guess */
static const char *find_waiting_frame(struct looking *look, const struct otst_probe *p,
				      const struct otst_task *t)
{
	struct otst_sym sym;

	for (size_t i = 0; i < look->stack->count; i++) {
		const struct otst_frame *f = &look->stack->frames[i];
		uint64_t code = otst_frame_code(look->o, f->pc, f->exact);

		otst_symbolize_frame(look->o, code, &sym);
		if (!f->reliable || !sym.name || !holds_up(look, p, &sym))
			continue;
		return otst_format(look->o, "%s/%" PRIu64 " in %s+0x%" PRIx64 "/0x%" PRIx64,
				   t->comm ? t->comm : "?", t->pid, sym.name, f->pc - sym.addr,
				   sym.size);
	}
	return NULL;
}

static int look_at_waiting(struct looking *look, const struct otst_transition *moving,
			   const struct otst_task *t)
{
	const char *frame;
	int err = otst_stack_save_any(look->o, t, look->stack, &look->lost);

	if (err)
		return err;
	otst_lost_end(look->o, look->stack, &look->lost);
	for (size_t i = 0; i < look->probes->count; i++) {
		struct otst_probe *p = look->probes->items[i];

		frame = p->transition == moving ? find_waiting_frame(look, p, t) : NULL;
		if (frame)
			otst_probe_fact(look->o, p, "held_up_by", frame, 0);
	}
	return otst_check(look->o);
}

int otst_where_waiting(struct otst *o, struct otst_probes *probes)
{
	struct looking look = { .o = o, .probes = probes };
	const struct otst_transition *moving = NULL;
	const struct otst_task *const *tasks;
	int err = 0;

	/* the kernel has one transition at a time */
	for (size_t i = 0; i < probes->count && !moving; i++)
		moving = probes->items[i]->transition;
	if (!moving)
		return 0;
	look.stack = otst_stack_create(o, 0);
	if (!look.stack)
		return otst_no_memory(o);
	tasks = moving->waits.data;
	for (size_t i = 0; i < moving->waits.count && !err; i++)
		err = look_at_waiting(&look, moving, tasks[i]);
	if (!err)
		otst_lost_note(o, &look.lost, "inside a function that a live patch replaces",
			       &probes->errors);
	return err;
}
