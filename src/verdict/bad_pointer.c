// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * bad_pointer.c - does the address that could not be accessed, or the pointer that led
 * there, lie in a hook's memory.
 */
#include <inttypes.h>

#include "../tasks/regs.h"
#include "evidence.h"

#define MODULES_GAP (16u << 20) /* modules are closer to each other */

/* true if @addr is in the area where modules are loaded, but in none of them */
static bool among_modules(struct otst *o, uint64_t addr)
{
	uint64_t low = UINT64_MAX, high = 0;
	struct otst_module *const *m;

	if (otst_modules(o, &m) || otst_module_at(o, addr))
		return false;
	for (; *m; m++) {
		for (unsigned int i = 0; i < (*m)->nr_ranges; i++) {
			const struct otst_module_range *r = &(*m)->ranges[i];

			if (r->size && r->base < low)
				low = r->base;
			if (r->size && r->base + r->size > high)
				high = r->base + r->size;
		}
	}
	return addr >= low - MODULES_GAP && addr < high + MODULES_GAP &&
	       !otst_is_kernel_text(o, addr);
}

/* " where no module is loaded any more; unloaded last: lab_stray"; or "" */
static const char *unloaded_at(struct otst *o, uint64_t addr)
{
	const char *last = otst_last_unloaded(o);

	return *last && among_modules(o, addr) ?
		       otst_format(o, " where no module is loaded any more%s", last) :
		       "";
}

/* add evidence if @addr lies in a hook's memory */
static int judge_memory(struct otst_finder *f, const char *says, uint64_t addr)
{
	struct otst_memory m;
	int err = otst_memory_find(f->o, f->h, addr, &f->v->errors, &m);
	const char *where;

	if (err || !m.what)
		return err;
	where = unloaded_at(f->o, addr);
	otst_verdict_add(f, OTST_RANK_B,
			 otst_format(f->o, "%s 0x%" PRIx64 " lies in %s%s%s", says, addr, m.what,
				     *where ? "," : "", where),
			 m.owner ? otst_verdict_owner(f->o, m.owner) : NULL, m.more);
	return 0;
}

/* the registers at the failing instruction; false if they are unknown */
static bool failing_regs(struct otst_finder *f, uint64_t *pc, uint64_t *regs)
{
	const struct otst_verdict_stack *s = f->v->stacks.data;
	const struct otst_frame *frame;
	int err;

	for (size_t i = 0; i < f->v->stacks.count; i++) {
		frame = &s[i].frames[s[i].failing].frame;
		if (s[i].failing >= s[i].nr_frames || !frame->regs || !frame->exact)
			continue;
		*pc = frame->pc;
		err = otst_regs_read(f->o, frame->regs, regs);
		if (err)
			otst_note(f->o, &f->v->errors,
				  otst_fail(f->o, err, "registers of the fault"));
		return !err;
	}
	return false;
}

/* does a register point into a hook's memory; read errors are noted for the bad pointer already */
static bool points_there(struct otst_finder *f, const uint64_t *regs)
{
	struct otst_memory m = { 0 };
	struct otst_messages said = { 0 };

	for (size_t i = 0; i < otst_kernel(f->o)->arch->reg.count && !m.what; i++) {
		if (otst_memory_find(f->o, f->h, regs[i], &said, &m))
			return false;
	}
	return m.what;
}

/* a record led code that looks up hooks to an unloaded module; nothing says so for other code */
static int judge_unloaded(struct otst_finder *f, uint64_t addr)
{
	const struct otst_verdict_stack *s = f->v->stacks.data;
	const char *where = unloaded_at(f->o, addr), *note;

	if (!*where)
		return otst_check(f->o);
	for (size_t i = 0; i < f->v->stacks.count; i++) {
		if (s[i].failing < s[i].nr_frames &&
		    s[i].frames[s[i].failing].role == OTST_ROLE_DISPATCH) {
			otst_verdict_add(f, OTST_RANK_B,
					 otst_format(f->o, "The bad pointer 0x%" PRIx64 " lies%s",
						     addr, where),
					 NULL, "otst -a");
			return 0;
		}
	}
	note = otst_format(f->o, "the bad pointer 0x%" PRIx64 " lies%s; no record of a hook does",
			   addr, where);
	otst_note_text(f->o, &f->v->notes, note);
	return 0;
}

int otst_judge_address(struct otst_finder *f)
{
	uint64_t regs[OTST_REGS_MAX], addr = f->v->report.address, pc, base;
	size_t n = f->v->evidence.count;
	int err;

	/* a full stack is no bad pointer */
	if (!f->v->report.has_address || f->v->report.overflow)
		return 0;
	err = judge_memory(f, "The bad pointer", addr);
	if (!err && f->v->evidence.count == n && addr != f->v->failing)
		err = judge_unloaded(f, addr);
	if (err || f->v->evidence.count > n || !failing_regs(f, &pc, regs) || pc == addr)
		return err;
	err = otst_access_base(f->o, pc, regs, addr, &base);
	if (err) {
		const char *why = otst_strdup(f->o, otst_message(f->o));

		return points_there(f, regs) ?
			       otst_note(f->o, &f->v->errors,
					 otst_raise(f->o, err, "the failing instruction: %s",
						    why)) :
			       otst_check(f->o);
	}
	return base && base != addr ? judge_memory(f, "The base of the failing access", base) : 0;
}
