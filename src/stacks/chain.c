// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * chain.c - steps shared by the unwinders of architectures with a chain of frames: frame
 * records below the frame pointer, or a back chain at the stack pointer.
 */
#include <inttypes.h>

#include "unwinder.h"

/* the register that follows the chain: records of replaced return addresses are found by it */
static uint64_t *link_of(struct otst_unwind *u)
{
	return u->unwinder->chain == OTST_BASE_FP ? &u->fp : &u->sp;
}

bool otst_chain_regs(struct otst_unwind *u, uint64_t at, uint64_t *ret)
{
	unsigned char bytes[OTST_PT_REGS_MAX];

	if (!otst_unwind_bytes(u, at, bytes, otst_pt_regs(u->o)->size))
		return false;
	otst_regs_take(u->o, bytes, ret);
	return true;
}

bool otst_chain_take_regs(struct otst_unwind *u, uint64_t at, bool full, struct otst_frame *f)
{
	const struct otst_pt_regs *pt = otst_pt_regs(u->o);

	(void)full;
	if (!pt->size || !otst_chain_regs(u, at, u->regs)) {
		otst_raise(u->o, OTST_ERR_CORRUPT, "registers at 0x%" PRIx64 " cannot be read", at);
		return false;
	}
	u->ip = u->regs[u->arch->reg.pc];
	u->sp = u->regs[u->arch->reg.sp];
	u->has_regs = u->full = true;
	/* interrupted right after the return into a trampoline */
	otst_unwind_real(u, u->unwinder->chain == OTST_BASE_FP ? u->regs[u->arch->reg.fp] : u->sp,
			 f);
	f->regs = at;
	f->slot = at + pt->at[u->arch->reg.pc];
	return true;
}

enum otst_found otst_chain_fail(struct otst_unwind *u, const char *what, uint64_t at)
{
	otst_raise(u->o, OTST_ERR_CORRUPT, "%s 0x%" PRIx64, what, at);
	return OTST_FOUND_NOTHING;
}

enum otst_found otst_chain_go(struct otst_unwind *u, struct otst_frame *f, uint64_t ip,
			      uint64_t slot, uint64_t link)
{
	u->ip = ip;
	*link_of(u) = link;
	otst_unwind_real(u, link, f);
	u->exact = u->has_regs = false;
	if (!otst_is_code(u->o, u->ip)) {
		otst_raise(u->o, OTST_ERR_CORRUPT, "0x%" PRIx64 " is not kernel text", u->ip);
		return OTST_FOUND_NOTHING;
	}
	f->pc = u->ip;
	f->slot = slot;
	f->sp = link;
	f->place = u->b.place;
	f->how = OTST_HOW_FP;
	return OTST_FOUND_CALLER;
}

void otst_chain_find_user(struct otst_unwind *u, uint64_t at)
{
	uint64_t regs[OTST_REGS_MAX] = { 0 };

	if (otst_chain_regs(u, at, regs) && regs[u->arch->reg.pc] && u->arch->reg.user_mode(regs))
		u->st->user = at;
}
