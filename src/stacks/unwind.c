// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * unwind.c - from registers and stack bytes to frames: the steps that all
 * architectures share. Each architecture's own file (unwinder.h) finds the way to a
 * caller, as the kernel's unwinder there does. When all else fails, the rest of the
 * stack is scanned.
 */
#include <inttypes.h>
#include <string.h>

#include "unwinder.h"

#define MAX_STEPS 4096u /* frames that a stack without room does not keep */
#define MAX_WORDS 8u

bool otst_returns_to_interrupted(struct otst *o, uint64_t pc)
{
	const struct otst_unwinder *u = otst_unwinder(o);

	return u && u->interrupts(o, pc);
}

/* ---- memory of the stack ---- */

static const struct otst_piece *find_piece(const struct otst_capture *c, uint64_t addr)
{
	for (size_t i = 0; i < c->nr_pieces; i++) {
		if (addr - c->pieces[i].base < c->pieces[i].len)
			return &c->pieces[i];
	}
	return NULL;
}

static bool read_stack(struct otst_unwind *s, uint64_t addr, void *buf, size_t len)
{
	const struct otst_piece *p;

	if (!s->c->nr_pieces)
		return !otst_read(s->o, addr, buf, len);
	p = find_piece(s->c, addr);
	if (!p || len > p->len - (addr - p->base)) {
		s->cut = true;
		return false;
	}
	memcpy(buf, (const char *)p->bytes + (addr - p->base), len);
	return true;
}

bool otst_unwind_words(struct otst_unwind *s, uint64_t addr, uint64_t *ret, size_t count)
{
	unsigned char b[MAX_WORDS * 8];

	if (count > MAX_WORDS || !read_stack(s, addr, b, count * 8))
		return false;
	for (size_t i = 0; i < count; i++)
		ret[i] = otst_get(s->o, b + 8 * i, 8);
	return true;
}

static bool on_stack(const struct otst_bounds *b, uint64_t addr, size_t len)
{
	return addr >= b->begin && addr < b->end && len <= b->end - addr;
}

/* bounds of an unknown stack: what was saved, or the block that a task's stack fills */
static void guess_bounds(struct otst_unwind *s, uint64_t addr, struct otst_bounds *ret)
{
	const struct otst_piece *p = find_piece(s->c, addr);
	uint64_t size = otst_thread_size(s->o);

	*ret = (struct otst_bounds){ .place = OTST_PLACE_UNKNOWN };
	if (p) {
		ret->begin = p->base;
		ret->end = p->base + p->len;
	} else if (!s->c->nr_pieces && !s->c->task) {
		ret->begin = addr & ~(size - 1);
		ret->end = ret->begin + size;
	}
}

/* kernel's get_stack_info(): the stack of @addr becomes the current one; each only once */
static bool enter_stack(struct otst_unwind *s, uint64_t addr)
{
	struct otst_bounds b;

	if (!otst_place_find(s->o, s->c->task, s->c->cpu, addr, &b)) {
		guess_bounds(s, addr, &b);
		if (!on_stack(&b, addr, 1)) {
			/* further up on a stack of which only this much was saved */
			s->cut |= s->c->nr_pieces && addr >= s->b.end &&
				  addr - s->b.begin < otst_thread_size(s->o);
			return false;
		}
		s->b = b;
		return true;
	}
	if (s->visited & 1u << b.place)
		return false;
	s->visited |= 1u << b.place;
	s->b = b;
	return true;
}

static bool access_ok(struct otst_unwind *s, uint64_t addr, size_t len)
{
	if (on_stack(&s->b, addr, len) || (enter_stack(s, addr) && on_stack(&s->b, addr, len)))
		return true;
	/* the last saved word is not whole */
	s->cut |= find_piece(s->c, addr) != NULL;
	return false;
}

bool otst_unwind_stack(struct otst_unwind *s, uint64_t addr, uint64_t *ret, size_t count)
{
	return access_ok(s, addr, count * 8) && otst_unwind_words(s, addr, ret, count);
}

bool otst_unwind_bytes(struct otst_unwind *s, uint64_t addr, void *ret, size_t len)
{
	return access_ok(s, addr, len) && read_stack(s, addr, ret, len);
}

bool otst_unwind_is_on(const struct otst_unwind *s, uint64_t addr, size_t len)
{
	return on_stack(&s->b, addr, len);
}

void otst_unwind_real(struct otst_unwind *s, uint64_t slot, struct otst_frame *f)
{
	uint64_t real =
		otst_is_trampoline(s->o, s->ip) ? otst_repair(s->o, &s->repair, s->ip, slot) : 0;

	if (real && real != s->ip) {
		f->replaced = s->ip;
		s->ip = real;
	}
}

/* ---- ends ---- */

static void end_unwind(struct otst_unwind *s, enum otst_end how, const char *why)
{
	s->done = true;
	if (s->st->end == OTST_END_FULL)
		return;
	s->st->end = how;
	s->st->why = why;
}

static void lose_frame(struct otst_unwind *s, const char *why)
{
	if (s->cut)
		end_unwind(s, OTST_END_CUT, "the saved bytes end here");
	else
		end_unwind(s, OTST_END_LOST, why ? why : otst_strdup(s->o, otst_message(s->o)));
}

/* ---- one step ---- */

static bool get_reg(const struct otst_unwind *s, unsigned int reg, uint64_t *ret)
{
	if (!s->has_regs || !(s->full || s->has_prev))
		return false;
	*ret = s->full ? s->regs[reg] : s->prev[reg];
	return true;
}

/* the stack pointer at the call of the current function, or the address of registers */
static bool find_sp(struct otst_unwind *s, const struct otst_rule *r, uint64_t *ret)
{
	switch (r->base) {
	case OTST_BASE_SP:
		*ret = s->sp + (uint64_t)(int64_t)r->sp_offset;
		return true;
	case OTST_BASE_FP:
		*ret = s->fp + (uint64_t)(int64_t)r->sp_offset;
		return true;
	case OTST_BASE_SP_INDIRECT:
		if (!otst_unwind_stack(s, s->sp, ret, 1))
			break;
		*ret += (uint64_t)(int64_t)r->sp_offset;
		return true;
	case OTST_BASE_SP_AT:
		if (!otst_unwind_stack(s, s->sp + (uint64_t)(int64_t)r->sp_offset, ret, 1))
			break;
		return true;
	case OTST_BASE_FP_INDIRECT:
		if (!otst_unwind_stack(s, s->fp + (uint64_t)(int64_t)r->sp_offset, ret, 1))
			break;
		return true;
	case OTST_BASE_REG:
		if (get_reg(s, r->reg, ret))
			return true;
		otst_raise(s->o, OTST_ERR_CORRUPT, "a register that is needed here is not known");
		return false;
	}
	otst_raise(s->o, OTST_ERR_CORRUPT, "the way to the caller leaves the stack");
	return false;
}

static bool find_fp(struct otst_unwind *s, const struct otst_rule *r, uint64_t sp)
{
	uint64_t at = s->fp;

	switch (r->fp) {
	case OTST_FP_SAME:
		get_reg(s, s->arch->reg.fp, &s->fp);
		return true;
	case OTST_FP_PREV_SP:
		at = sp;
		break;
	case OTST_FP_FP:
		break;
	}
	at += (uint64_t)(int64_t)r->fp_offset;
	if (otst_unwind_stack(s, at, &s->fp, 1))
		return true;
	otst_raise(s->o, OTST_ERR_CORRUPT, "the caller's frame pointer is not on the stack");
	return false;
}

static bool take_call(struct otst_unwind *s, uint64_t sp, const struct otst_rule *r,
		      struct otst_frame *f)
{
	f->slot = sp + (uint64_t)(int64_t)r->ret_offset;
	if (!otst_unwind_stack(s, f->slot, &s->ip, 1)) {
		otst_raise(s->o, OTST_ERR_CORRUPT,
			   "the return address at 0x%" PRIx64 " cannot be read", f->slot);
		return false;
	}
	otst_unwind_real(s, f->slot, f);
	s->sp = sp;
	s->has_regs = s->has_prev = false;
	return true;
}

static bool apply_rule(struct otst_unwind *s, const struct otst_rule *r, struct otst_frame *f)
{
	enum otst_place place = s->b.place;
	uint64_t begin = s->b.begin, old_sp = s->sp, sp;

	if (!find_sp(s, r, &sp))
		return false;
	if (r->type == OTST_RULE_CALL ?
		    !take_call(s, sp, r, f) :
		    !s->unwinder->take_regs(s, sp, r->type == OTST_RULE_REGS, f))
		return false;
	f->place = s->b.place;
	if (!find_fp(s, r, sp))
		return false;
	if (s->b.place == place && s->b.begin == begin && on_stack(&s->b, s->sp, 8) &&
	    s->sp <= old_sp) {
		otst_raise(s->o, OTST_ERR_CORRUPT, "the stack goes in the wrong direction");
		return false;
	}
	s->exact = r->next_exact;
	f->sp = s->sp;
	f->exact = s->exact;
	return true;
}

/* head_64.S pushes a return address of 0 "to stop unwinder" where a cpu's first stack begins */
static bool is_stop(const struct otst_unwind *s, const struct otst_frame *f)
{
	return !s->ip && !f->regs && s->b.place == OTST_PLACE_TASK &&
	       s->b.end - s->sp <= otst_pt_regs(s->o)->size;
}

/* to the caller; false at the end */
static bool step_out(struct otst_unwind *s, struct otst_frame *f)
{
	enum otst_how how = OTST_HOW_GIVEN;
	const char *why = NULL;
	enum otst_found found;
	struct otst_rule r;

	*f = (struct otst_frame){ .reliable = true };
	s->cut = false;
	found = s->unwinder->find(s, f, &r, &how, &why);
	if (found == OTST_FOUND_CALLER)
		return true;
	if (found == OTST_FOUND_WHOLE || (found == OTST_FOUND_RULE && r.type == OTST_RULE_END)) {
		end_unwind(s, OTST_END_WHOLE, NULL);
		return false;
	}
	if (found == OTST_FOUND_NOTHING) {
		lose_frame(s, why);
		return false;
	}
	f->how = (uint8_t)how;
	if (!apply_rule(s, &r, f)) {
		lose_frame(s, NULL);
		return false;
	}
	f->pc = s->ip;
	if (f->regs && s->arch->reg.user_mode(s->regs)) {
		s->st->user = f->regs;
		end_unwind(s, OTST_END_WHOLE, NULL);
		return false;
	}
	if (is_stop(s, f)) {
		end_unwind(s, OTST_END_WHOLE, NULL);
		return false;
	}
	/* a kernel thread's registers are all zero until it first goes to user mode */
	if (!otst_is_code(s->o, s->ip) && !(f->regs && (!s->ip || s->unwinder->any_pc))) {
		otst_raise(s->o, OTST_ERR_CORRUPT, "0x%" PRIx64 " is not kernel text", s->ip);
		lose_frame(s, NULL);
		return false;
	}
	return true;
}

/* ---- when all else fails ---- */

static bool scan_one(struct otst_unwind *s, uint64_t from)
{
	uint64_t at, word, real;

	/* at the very top of memory the next word is at 0 */
	for (at = (from + 7) & ~7ull; at >= from && at < s->b.end; at += 8) {
		struct otst_frame f = { .slot = at, .sp = at + 8, .how = OTST_HOW_SCAN };

		/* a hole of one page hides no more than that page */
		if (!otst_unwind_words(s, at, &word, 1)) {
			at = (at | (OTST_CHUNK - 1)) - 7;
			continue;
		}
		if (!otst_is_kernel_text(s->o, word) || !otst_follows_call(s->o, word)) {
			if (!otst_is_trampoline(s->o, word))
				continue;
			real = otst_repair(s->o, &s->repair, word, at);
			f.replaced = real ? word : 0;
			word = real ? real : word;
		}
		f.pc = word;
		f.place = s->b.place;
		if (otst_stack_put_frame(s->st, &f))
			return false;
	}
	return true;
}

/* scan the rest of this stack, and of those from which the cpu switched to it */
static void scan_rest(struct otst_unwind *s)
{
	enum otst_end ended = s->st->end;
	uint64_t from = s->sp, next;

	if (s->st->count && s->st->frames[s->st->count - 1].slot >= from)
		from = s->st->frames[s->st->count - 1].slot + 8;
	if (!on_stack(&s->b, from, 8) && !enter_stack(s, from))
		return;
	while (scan_one(s, from) && s->b.next && otst_unwind_words(s, s->b.next, &next, 1)) {
		from = next;
		if (!enter_stack(s, from))
			break;
	}
	if (s->st->end != OTST_END_FULL)
		s->st->end = ended;
}

/* ---- start ---- */

/* a task that is entering or leaving the kernel: any call would have pushed something */
static bool is_empty(const struct otst_unwind *s)
{
	return s->full && s->b.place == OTST_PLACE_TASK && s->sp == s->b.end;
}

/* the first frame, and the stack that it lies on */
static bool start_unwind(struct otst_unwind *s)
{
	struct otst_frame f = {
		.pc = s->ip,
		.sp = s->sp,
		.how = OTST_HOW_GIVEN,
		.reliable = true,
		.exact = s->exact,
	};
	uint64_t page;
	bool known;

	known = enter_stack(s, s->sp);
	/* the top of a stack to which nothing has been pushed yet */
	known = known || enter_stack(s, s->sp - 1);
	if (!known) {
		/* it may have overflowed into the guard page below its stack */
		page = (s->sp + OTST_CHUNK - 1) & ~(uint64_t)(OTST_CHUNK - 1);
		known = enter_stack(s, page);
	}
	f.place = s->b.place;
	if (otst_stack_put_frame(s->st, &f))
		return false;
	if (!known)
		end_unwind(s, s->c->nr_pieces ? OTST_END_CUT : OTST_END_LOST,
			   "the stack pointer is on no stack that is known");
	if (!known || !is_empty(s))
		return known;
	end_unwind(s, OTST_END_WHOLE, NULL);
	return false;
}

int otst_stack_unwind(struct otst *o, const struct otst_capture *c, struct otst_stack *st)
{
	struct otst_unwind s = { .o = o, .c = c, .st = st };
	struct otst_frame f;
	unsigned int steps;
	int err;

	otst_stack_zero(st);
	s.arch = otst_kernel(o)->arch;
	s.unwinder = otst_unwinder(o);
	if (!s.unwinder)
		return otst_raise(o, OTST_ERR_UNSUPPORTED,
				  "stacks of this architecture are not known");
	if (c->full && s.arch->reg.user_mode(c->regs))
		return otst_raise(o, OTST_ERR_AGAIN, "the cpu was in user mode");
	s.ip = c->regs[s.arch->reg.pc];
	s.sp = c->regs[s.arch->reg.sp];
	s.fp = c->regs[s.arch->reg.fp];
	s.exact = !c->call;
	s.has_regs = s.full = c->full;
	memcpy(s.regs, c->regs, sizeof(s.regs));
	s.repair.capture = c;
	if (!start_unwind(&s))
		return 0;
	for (steps = 0; steps < MAX_STEPS && step_out(&s, &f); steps++) {
		if (otst_stack_put_frame(st, &f))
			break;
	}
	if (steps == MAX_STEPS)
		end_unwind(&s, OTST_END_LOST, "too many frames");
	err = s.err ? s.err : otst_check(o);
	if (err)
		return err;
	if (st->end == OTST_END_LOST)
		scan_rest(&s);
	return 0;
}
