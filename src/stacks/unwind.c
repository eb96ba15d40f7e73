// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unwind.c - from registers and stack bytes to frames, x86_64. The steps are
 * those of unwind_next_frame() in arch/x86/kernel/unwind_orc.c, which is what
 * the kernel prints and saves stacks with. Where ORC knows nothing come the
 * image's call frames, then frame pointers, and when all is lost a scan of the
 * rest of the stack.
 */
#include <inttypes.h>
#include <string.h>

#include "../arch/x86_64.h"
#include "stack.h"

#define MAX_STEPS 4096u /* frames that a stack without room does not keep */

struct state {
	struct otst *o;
	const struct otst_capture *c;
	struct otst_stack *st;
	uint64_t ip, sp, bp;
	bool exact;
	bool done;
	uint64_t regs[OTST_REGS_MAX]; /* that the last frame came from */
	uint64_t prev[OTST_REGS_MAX]; /* full ones before it, when it has only the cpu's five */
	bool has_regs, full, has_prev;
	struct otst_bounds b;
	unsigned int visited; /* bit for each enum otst_place */
	struct otst_repair repair;
	bool cut; /* a read went out of the saved bytes */
	int err;  /* what ends the command */
};

/* ---- memory of the stack ---- */

static const struct otst_piece *find_piece(const struct otst_capture *c, uint64_t addr)
{
	size_t i;

	for (i = 0; i < c->nr_pieces; i++) {
		if (addr - c->pieces[i].base < c->pieces[i].len)
			return &c->pieces[i];
	}
	return NULL;
}

static bool read_stack(struct state *s, uint64_t addr, void *buf, size_t len)
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

static bool read_words(struct state *s, uint64_t addr, uint64_t *ret, size_t count)
{
	unsigned char b[X86_REGS * 8];
	size_t i;

	if (count > X86_REGS || !read_stack(s, addr, b, count * 8))
		return false;
	for (i = 0; i < count; i++)
		ret[i] = otst_get(s->o, b + 8 * i, 8);
	return true;
}

static bool on_stack(const struct otst_bounds *b, uint64_t addr, size_t len)
{
	return addr >= b->begin && addr < b->end && len <= b->end - addr;
}

/* bounds of a stack that nothing is known of: what was saved, or the block that a task's fills */
static void guess_bounds(struct state *s, uint64_t addr, struct otst_bounds *ret)
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
static bool enter_stack(struct state *s, uint64_t addr)
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

static bool access_ok(struct state *s, uint64_t addr, size_t len)
{
	if (on_stack(&s->b, addr, len) || (enter_stack(s, addr) && on_stack(&s->b, addr, len)))
		return true;
	/* the last saved word is not whole */
	s->cut |= find_piece(s->c, addr) != NULL;
	return false;
}

static bool stack_words(struct state *s, uint64_t addr, uint64_t *ret, size_t count)
{
	return access_ok(s, addr, count * 8) && read_words(s, addr, ret, count);
}

/* ---- ends ---- */

static void end(struct state *s, enum otst_end how, const char *why)
{
	s->done = true;
	if (s->st->end == OTST_END_FULL)
		return;
	s->st->end = how;
	s->st->why = why;
}

static void lose(struct state *s, const char *why)
{
	if (s->cut)
		end(s, OTST_END_CUT, "the saved bytes end here");
	else
		end(s, OTST_END_LOST, why ? why : otst_strdup(s->o, otst_message(s->o)));
}

/* ---- one step ---- */

static bool get_reg(const struct state *s, unsigned int reg, uint64_t *ret)
{
	if (!s->has_regs || !(s->full || s->has_prev))
		return false;
	*ret = s->full ? s->regs[reg] : s->prev[reg];
	return true;
}

/* the stack pointer at the call of the current function, the address of regs, or the iret frame */
static bool find_sp(struct state *s, const struct otst_rule *r, uint64_t *ret)
{
	switch (r->base) {
	case OTST_BASE_SP:
		*ret = s->sp + (uint64_t)(int64_t)r->sp_offset;
		return true;
	case OTST_BASE_BP:
		*ret = s->bp + (uint64_t)(int64_t)r->sp_offset;
		return true;
	case OTST_BASE_SP_INDIRECT:
		if (!stack_words(s, s->sp, ret, 1))
			break;
		*ret += (uint64_t)(int64_t)r->sp_offset;
		return true;
	case OTST_BASE_SP_AT:
		if (!stack_words(s, s->sp + (uint64_t)(int64_t)r->sp_offset, ret, 1))
			break;
		return true;
	case OTST_BASE_BP_INDIRECT:
		if (!stack_words(s, s->bp + (uint64_t)(int64_t)r->sp_offset, ret, 1))
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

static bool find_bp(struct state *s, const struct otst_rule *r, uint64_t sp)
{
	uint64_t at;

	switch (r->bp) {
	case OTST_BP_SAME:
		get_reg(s, X86_BP, &s->bp);
		return true;
	case OTST_BP_PREV_SP:
		at = sp + (uint64_t)(int64_t)r->bp_offset;
		break;
	default:
		at = s->bp + (uint64_t)(int64_t)r->bp_offset;
		break;
	}
	if (stack_words(s, at, &s->bp, 1))
		return true;
	otst_raise(s->o, OTST_ERR_CORRUPT, "the caller's frame pointer is not on the stack");
	return false;
}

static bool take_call(struct state *s, uint64_t sp, const struct otst_rule *r, struct otst_frame *f)
{
	uint64_t real;

	f->slot = sp + (uint64_t)(int64_t)r->ret_offset;
	if (!stack_words(s, f->slot, &s->ip, 1)) {
		otst_raise(s->o, OTST_ERR_CORRUPT,
			   "the return address at 0x%" PRIx64 " cannot be read", f->slot);
		return false;
	}
	if (otst_is_trampoline(s->o, s->ip)) {
		real = otst_repair(s->o, &s->repair, s->ip, f->slot);
		if (real && real != s->ip) {
			f->replaced = s->ip;
			s->ip = real;
		}
	}
	s->sp = sp;
	s->has_regs = s->has_prev = false;
	return true;
}

/* registers that an exception, an interrupt or a system call left at @at */
static bool take_regs(struct state *s, uint64_t at, bool full, struct otst_frame *f)
{
	uint64_t regs[OTST_REGS_MAX] = { 0 }, real;
	unsigned int first = full ? 0 : X86_IP;

	if (!stack_words(s, at, regs + first, X86_REGS - first)) {
		otst_raise(s->o, OTST_ERR_CORRUPT, "registers at 0x%" PRIx64 " cannot be read", at);
		return false;
	}
	s->ip = regs[X86_IP];
	s->sp = regs[X86_SP];
	/* interrupted right after the ret into a trampoline, where there is no table */
	if (otst_is_trampoline(s->o, s->ip)) {
		real = otst_repair(s->o, &s->repair, s->ip, s->sp - 8);
		if (real && real != s->ip) {
			f->replaced = s->ip;
			s->ip = real;
		}
	}
	if (full) {
		s->has_prev = false;
	} else if (s->has_regs && s->full) {
		memcpy(s->prev, s->regs, sizeof(s->prev));
		s->has_prev = true;
	}
	memcpy(s->regs, regs, sizeof(regs));
	s->has_regs = true;
	s->full = full;
	f->regs = at - 8 * (uint64_t)first;
	f->slot = f->regs + 8 * X86_IP;
	f->cs = (uint16_t)regs[X86_CS];
	return true;
}

static bool apply(struct state *s, const struct otst_rule *r, struct otst_frame *f)
{
	enum otst_place place = s->b.place;
	uint64_t begin = s->b.begin, old_sp = s->sp, sp;

	if (!find_sp(s, r, &sp))
		return false;
	if (r->type == OTST_RULE_CALL ? !take_call(s, sp, r, f) :
					!take_regs(s, sp, r->type == OTST_RULE_REGS, f))
		return false;
	f->place = s->b.place;
	if (!find_bp(s, r, sp))
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

/*
 * Inside the trampoline of a return probe, whose handler is running. ORC tells
 * the way only since v5.12; before, the trampoline pushed sp and flags where
 * the return address had been popped from, then the registers of pt_regs below.
 */
static bool leave_trampoline(struct state *s, struct otst_frame *f)
{
	struct otst_sym sym;
	uint64_t real;

	otst_symbolize(s->o, s->ip - 1, &sym);
	if (!sym.name || !otst_is_trampoline(s->o, sym.addr))
		return false;
	f->slot = s->sp + 8 * X86_SP;
	real = otst_repair(s->o, &s->repair, sym.addr, f->slot);
	if (!real || !stack_words(s, s->sp + 8 * X86_BP, &s->bp, 1) || !on_stack(&s->b, f->slot, 8))
		return false;
	f->how = OTST_HOW_ORC;
	f->place = s->b.place;
	f->replaced = sym.addr;
	s->ip = f->pc = real;
	s->sp = f->sp = f->slot + 8;
	s->has_regs = s->has_prev = false;
	return true;
}

/*
 * unwind_frame.c: bp points to the caller's, the return address above it. With
 * its lowest bit set it is the address of registers that entry code saved.
 */
static bool fp_rule(struct state *s, struct otst_rule *ret)
{
	uint64_t pair[2];

	if (s->bp & 1) {
		*ret = (struct otst_rule){
			.base = OTST_BASE_BP,
			.sp_offset = -1,
			.type = OTST_RULE_REGS,
			.next_exact = true,
		};
		return true;
	}
	if (s->bp % 8 || !on_stack(&s->b, s->bp, 16) || s->bp < s->sp ||
	    !read_words(s, s->bp, pair, 2) || !otst_is_code(s->o, pair[1]) ||
	    !otst_follows_call(s->o, pair[1])) {
		if (!s->cut)
			otst_raise(s->o, OTST_ERR_LOOKUP, "nothing tells who called 0x%" PRIx64,
				   s->ip);
		return false;
	}
	*ret = (struct otst_rule){
		.base = OTST_BASE_BP,
		.sp_offset = 16,
		.type = OTST_RULE_CALL,
		.ret_offset = -8,
		.bp = OTST_BP_PREV_SP,
		.bp_offset = -16,
	};
	return true;
}

/*
 * The outermost frame of a task lies right below the registers of its entry
 * into the kernel, which end the stack (but for 16 bytes where the kernel is
 * built for FRED). There is no table for entry code but ORC.
 */
static bool is_outermost(struct state *s)
{
	uint64_t regs = s->b.end - X86_REGS * 8, cs;

	if (s->b.place != OTST_PLACE_TASK)
		return false;
	if (s->sp == regs - 16)
		regs -= 16;
	if (s->sp != regs && s->bp != regs - 16 && s->bp != regs - 24)
		return false;
	if (read_words(s, regs + 8 * X86_CS, &cs, 1) && cs & 3)
		s->st->user = regs;
	return true;
}

enum found { FOUND_RULE, FOUND_CALLER, FOUND_END };

/* a rule, or the caller itself, or the stack is ended */
static enum found find_rule(struct state *s, struct otst_frame *f, struct otst_rule *r,
			    enum otst_how *how)
{
	uint64_t pc = s->exact ? s->ip : s->ip - 1;
	const char *why = NULL;
	int err;

	*how = OTST_HOW_ORC;
	err = otst_orc_find(s->o, pc, r);
	if (!err && r->type == OTST_RULE_UNDEFINED)
		err = otst_raise(s->o, OTST_ERR_CORRUPT, "ORC has no way out of 0x%" PRIx64, s->ip);
	if (!err)
		return FOUND_RULE;
	if (err == OTST_ERR_CORRUPT && leave_trampoline(s, f))
		return FOUND_CALLER;
	if (!otst_fatal(err)) {
		/* ORC's message is better than those of what comes after it */
		why = otst_strdup(s->o, otst_message(s->o));
		*how = OTST_HOW_CFI;
		if (!otst_cfi_find(s->o, pc, r))
			return FOUND_RULE;
		*how = OTST_HOW_FP;
		if (err == OTST_ERR_LOOKUP && fp_rule(s, r)) {
			/* in a kernel with ORC, code that is in no table */
			s->st->guessed |= !otst_orc_why(s->o);
			return FOUND_RULE;
		}
		if (err == OTST_ERR_LOOKUP && is_outermost(s)) {
			end(s, OTST_END_WHOLE, NULL);
			return FOUND_END;
		}
	} else {
		s->err = err;
	}
	lose(s, why);
	return FOUND_END;
}

/* to the caller; false at the end */
static bool step(struct state *s, struct otst_frame *f)
{
	struct otst_rule r;
	enum otst_how how;

	*f = (struct otst_frame){ .reliable = true };
	s->cut = false;
	switch (find_rule(s, f, &r, &how)) {
	case FOUND_RULE:
		break;
	case FOUND_CALLER:
		return true;
	case FOUND_END:
		return false;
	}
	if (r.type == OTST_RULE_END) {
		end(s, OTST_END_WHOLE, NULL);
		return false;
	}
	f->how = (uint8_t)how;
	if (!apply(s, &r, f)) {
		lose(s, NULL);
		return false;
	}
	f->pc = s->ip;
	if (f->regs && f->cs & 3) {
		s->st->user = f->regs;
		end(s, OTST_END_WHOLE, NULL);
		return false;
	}
	if (!otst_is_code(s->o, s->ip) && !(f->regs && !s->ip)) {
		/* a kernel thread's registers are all zero before it ever went to user mode */
		otst_raise(s->o, OTST_ERR_CORRUPT, "0x%" PRIx64 " is not kernel text", s->ip);
		lose(s, NULL);
		return false;
	}
	return true;
}

/* ---- when all else fails ---- */

static bool scan_one(struct state *s, uint64_t from)
{
	uint64_t at, word, real;

	/* at the very top of memory the next word is at 0 */
	for (at = (from + 7) & ~7ull; at >= from && at < s->b.end; at += 8) {
		struct otst_frame f = { .slot = at, .sp = at + 8, .how = OTST_HOW_SCAN };

		/* a hole of one page hides no more than that page */
		if (!read_words(s, at, &word, 1)) {
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

/* the rest of this stack, and of those that it was switched to from */
static void scan(struct state *s)
{
	enum otst_end ended = s->st->end;
	uint64_t from = s->sp, next;

	if (s->st->count && s->st->frames[s->st->count - 1].slot >= from)
		from = s->st->frames[s->st->count - 1].slot + 8;
	if (!on_stack(&s->b, from, 8) && !enter_stack(s, from))
		return;
	while (scan_one(s, from) && s->b.next && read_words(s, s->b.next, &next, 1)) {
		from = next;
		if (!enter_stack(s, from))
			break;
	}
	if (s->st->end != OTST_END_FULL)
		s->st->end = ended;
}

/* ---- start ---- */

/* the first frame, and the stack that it lies on */
static bool start(struct state *s)
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
	if (!known) {
		/* it may have run over into the guard page below its stack */
		page = (s->sp + OTST_CHUNK - 1) & ~(uint64_t)(OTST_CHUNK - 1);
		known = enter_stack(s, page);
	}
	f.place = s->b.place;
	if (otst_stack_put_frame(s->st, &f))
		return false;
	if (!known)
		end(s, s->c->nr_pieces ? OTST_END_CUT : OTST_END_LOST,
		    "the stack pointer is on no stack that is known");
	return known;
}

int otst_stack_unwind(struct otst *o, const struct otst_capture *c, struct otst_stack *st)
{
	struct state s = { .o = o, .c = c, .st = st };
	struct otst_frame f;
	unsigned int steps;
	int err;

	otst_stack_zero(st);
	if (otst_kernel(o)->arch != &otst_arch_x86_64)
		return otst_raise(o, OTST_ERR_UNSUPPORTED,
				  "stacks of this architecture are not known");
	if (c->full && c->regs[X86_CS] & 3)
		return otst_raise(o, OTST_ERR_AGAIN, "the cpu was in user mode");
	s.ip = c->regs[X86_IP];
	s.sp = c->regs[X86_SP];
	s.bp = c->regs[X86_BP];
	s.exact = !c->call;
	s.has_regs = s.full = c->full;
	memcpy(s.regs, c->regs, sizeof(s.regs));
	s.repair.capture = c;
	if (!start(&s))
		return 0;
	for (steps = 0; steps < MAX_STEPS && step(&s, &f); steps++) {
		if (otst_stack_put_frame(st, &f))
			break;
	}
	if (steps == MAX_STEPS)
		end(&s, OTST_END_LOST, "too many frames");
	err = s.err ? s.err : otst_check(o);
	if (err)
		return err;
	if (st->end == OTST_END_LOST)
		scan(&s);
	return 0;
}
