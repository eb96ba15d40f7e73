// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_stack.c - the stack object, ORC tables of every layout, and unwinding of
 * stacks that are whole, cut, looped, damaged or noise.
 */
#include "mock.h"

#include <stdio.h>
#include <string.h>

#include "../../src/output/stack.h"
#include "../../src/stacks/x86_64.h"

#define TEXT   0xffffffff81000000
#define FN_A   (TEXT + 0x100) /* sp + 0x20 */
#define FN_B   (TEXT + 0x200) /* bp + 16 */
#define FN_END (TEXT + 0x300)
#define FN_UND (TEXT + 0x400) /* no rule */
#define FN_REG (TEXT + 0x500) /* pt_regs at sp */
#define FN_BAD (TEXT + 0x600) /* sp - 8: the wrong direction */
#define FN_IND (TEXT + 0x700) /* [sp] */
#define TRAMP  (TEXT + 0x800)
#define THUNK  (TEXT + 0x900) /* of an indirect jump */
#define IPS    0xffffffff82000000
#define ORCS   0xffffffff82001000
#define STACK  0xffffc90000000000

/* how a kernel numbers registers and types */
struct numbers {
	unsigned int sp, bp, prev_sp, undefined, sp_indirect;
	unsigned int call, regs, type_bits;
	bool has_end, has_signal;
	const char *hash;
};

static const struct numbers v4_14 = { 5, 4, 1, 0, 9, 0, 1, 2, false, false, NULL };
static const struct numbers v5_10 = { 5, 4, 1, 0, 9, 0, 1, 2, true, false, NULL };
static const struct numbers v6_3 = { 5, 4, 1, 0, 9, 0, 1, 2, true, true, NULL };
static const struct numbers v6_4 = { 5, 4, 1, 0, 9, 2, 3, 3, false, true, NULL };
static const struct numbers v6_12 = {
	5,
	4,
	1,
	0,
	9,
	2,
	3,
	3,
	false,
	true,
	"fe 5d 32 bf 58 1b d6 3b 2c a9 a5 c6 5b a5 a6 25 ea b3 fe 24"
};
static const struct numbers v7_2 = { 3,
				     4,
				     8,
				     0,
				     9,
				     2,
				     3,
				     3,
				     false,
				     true,
				     "13 7c 36 ad 76 27 c4 dd 55 93 21 76 bb 0e cd bd 50 41 fc 82" };
static const struct numbers unknown = {
	3,
	4,
	8,
	0,
	9,
	2,
	3,
	3,
	false,
	true,
	"00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff 00 11 22 33"
};

#define BASE                                                   \
	"type new_utsname 390\n"                               \
	"	machine 260 char[65]\n"                              \
	"type uts_namespace 400\n"                             \
	"	name 0 struct new_utsname\n"                         \
	"sym init_uts_ns 0xffffffff83000000 400\n"             \
	"obj uts_namespace init_uts_ns\n"                      \
	"	name.machine = \"x86_64\"\n"                         \
	"sym _stext 0xffffffff81000000 256\n"                  \
	"sym fn_a 0xffffffff81000100 256\n"                    \
	"sym fn_b 0xffffffff81000200 256\n"                    \
	"sym fn_end 0xffffffff81000300 256\n"                  \
	"sym arch_rethook_trampoline 0xffffffff81000800 256\n" \
	"sym __x86_indirect_thunk_rax 0xffffffff81000900 32\n" \
	"sym _etext 0xffffffff81001000 0\n"                    \
	"sym _end 0xffffffff84000000 8\n"

struct table {
	char text[16384];
	size_t len;
	const struct numbers *n;
	unsigned int count;
};

static void add(struct table *t, const char *line)
{
	t->len += (size_t)snprintf(t->text + t->len, sizeof(t->text) - t->len, "%s\n", line);
	assert_true(t->len < sizeof(t->text));
}

static void entry(struct table *t, uint64_t ip, int sp_offset, unsigned int sp_reg, int bp_offset,
		  unsigned int bp_reg, unsigned int type, bool end, bool signal)
{
	uint64_t at = IPS + 4 * (uint64_t)t->count;
	unsigned int flags = sp_reg | bp_reg << 4 | type << 8;
	char line[160];

	if (t->n->has_signal)
		flags |= (unsigned int)signal << (8 + t->n->type_bits);
	if (t->n->has_end)
		flags |= (unsigned int)end << (8 + t->n->type_bits + t->n->has_signal);
	snprintf(line, sizeof(line), "u32 0x%llx: 0x%x", (unsigned long long)at,
		 (unsigned int)(ip - at));
	add(t, line);
	snprintf(line, sizeof(line), "u16 0x%llx: 0x%x 0x%x 0x%x",
		 (unsigned long long)(ORCS + 6 * (uint64_t)t->count), sp_offset & 0xffff,
		 bp_offset & 0xffff, flags);
	add(t, line);
	t->count++;
}

/* a call frame, or one of the two that are not frames */
static void call(struct table *t, uint64_t ip, int sp_offset, unsigned int reg)
{
	const struct numbers *n = t->n;

	entry(t, ip, sp_offset, reg, -16, reg == n->bp ? n->prev_sp : n->undefined, n->call, false,
	      false);
}

static void no_call(struct table *t, uint64_t ip, bool end)
{
	/* new kernels: UNDEFINED 0, END_OF_STACK 1 */
	entry(t, ip, 0, t->n->undefined, 0, t->n->undefined, t->n->type_bits == 3 ? end : 0, end,
	      false);
}

static void begin(struct table *t, const struct numbers *n)
{
	char line[64];

	*t = (struct table){ .n = n };
	add(t, BASE);
	add(t, "sym __start_orc_unwind_ip 0xffffffff82000000");
	add(t, "sym __start_orc_unwind 0xffffffff82001000");
	if (n->hash) {
		add(t, "sym __start_orc_header 0xffffffff82002000");
		t->len += (size_t)snprintf(t->text + t->len, sizeof(t->text) - t->len,
					   "mem 0xffffffff82002000: %s\n", n->hash);
	}
	add(t, "type orc_entry 6\n	sp_offset 0 s16\n	bp_offset 2 s16\n"
	       "	sp_reg 4 u16:4@0\n	bp_reg 4 u16:4@4");
	snprintf(line, sizeof(line), "	type 4 u16:%u@8", n->type_bits);
	add(t, line);
	if (n->has_signal) {
		snprintf(line, sizeof(line), "	signal 4 u16:1@%u", 8 + n->type_bits);
		add(t, line);
	}
	if (n->has_end) {
		snprintf(line, sizeof(line), "	end 4 u16:1@%u", 8 + n->type_bits + n->has_signal);
		add(t, line);
	}
}

static struct mock *finish(struct table *t)
{
	char line[80];

	snprintf(line, sizeof(line), "sym __stop_orc_unwind_ip 0x%llx",
		 (unsigned long long)(IPS + 4 * (uint64_t)t->count));
	add(t, line);
	snprintf(line, sizeof(line), "sym __stop_orc_unwind 0x%llx",
		 (unsigned long long)(ORCS + 6 * (uint64_t)t->count));
	add(t, line);
	return mock_open(t->text);
}

static struct mock *open_table(const struct numbers *n)
{
	struct table t;

	begin(&t, n);
	no_call(&t, TEXT, false);
	call(&t, FN_A, 0x20, n->sp);
	call(&t, FN_B, 16, n->bp);
	no_call(&t, FN_END, true);
	no_call(&t, FN_UND, false);
	entry(&t, FN_REG, 0, n->sp, 0, n->undefined, n->regs, false, true);
	call(&t, FN_BAD, -8, n->sp);
	call(&t, FN_IND, 0, n->sp_indirect);
	no_call(&t, TRAMP, false);
	no_call(&t, THUNK, n->has_end);
	return finish(&t);
}

/* ---- the object ---- */

static int put_pc(struct otst_stack *st, uint64_t pc)
{
	return otst_stack_put_frame(st, &(struct otst_frame){ .pc = pc, .reliable = true });
}

static void test_object(void **state)
{
	struct mock *m = mock_open(BASE);
	struct otst_stack *a = otst_stack_create(m->o, 3), *b = otst_stack_create(m->o, 2);

	(void)state;
	assert_non_null(a);
	assert_non_null(b);
	assert_int_equal(a->count, 0);
	assert_int_equal(put_pc(a, 1), 0);
	assert_int_equal(put_pc(a, 2), 0);
	assert_int_equal(put_pc(a, 3), 0);
	assert_int_equal(a->end, OTST_END_OPEN);
	assert_int_not_equal(put_pc(a, 4), 0);
	assert_int_equal(a->end, OTST_END_FULL);
	assert_int_equal(a->count, 3);
	assert_int_equal(a->frames[2].pc, 3);
	assert_true(a->frames[2].reliable);

	otst_stack_copy(a, b);
	assert_int_equal(b->count, 2);
	assert_int_equal(b->room, 2);
	assert_int_equal(b->frames[1].pc, 2);
	assert_int_equal(b->end, OTST_END_FULL);
	otst_stack_zero(b);
	assert_int_equal(b->count, 0);
	assert_int_equal(b->end, OTST_END_OPEN);
	assert_int_equal(put_pc(b, 9), 0);
	otst_stack_copy(b, a);
	assert_int_equal(a->count, 1);
	assert_int_equal(a->room, 3);
	assert_int_equal(a->frames[0].pc, 9);
	otst_stack_copy(a, a);
	assert_int_equal(a->count, 1);

	otst_stack_destroy(a);
	assert_int_not_equal(put_pc(a, 1), 0);
	otst_stack_destroy(NULL);
	mock_close(m);
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(otst_place_name(OTST_PLACE_IRQ), "IRQ");
	assert_string_equal(otst_place_name(OTST_PLACE_DB), "#DB");
	assert_null(otst_place_name(OTST_PLACE_UNKNOWN));
	assert_null(otst_place_name(OTST_PLACES));
	assert_string_equal(otst_end_name(OTST_END_CUT), "cut");
	assert_string_equal(otst_how_name(OTST_HOW_SCAN), "scan");
	assert_string_equal(otst_inflight_kind_name(OTST_INFLIGHT_GRAPH), "fgraph");
}

/* ---- ORC ---- */

static void check_rules(const struct numbers *n)
{
	struct mock *m = open_table(n);
	struct otst_rule r;

	assert_null(otst_orc_why(m->o));
	assert_int_equal(otst_orc_find(m->o, FN_A, &r), 0);
	assert_int_equal(r.type, OTST_RULE_CALL);
	assert_int_equal(r.base, OTST_BASE_SP);
	assert_int_equal(r.sp_offset, 0x20);
	assert_int_equal(r.fp, OTST_FP_SAME);
	assert_false(r.next_exact);
	/* up to the next entry, and not a byte more */
	assert_int_equal(otst_orc_find(m->o, FN_B - 1, &r), 0);
	assert_int_equal(r.base, OTST_BASE_SP);
	assert_int_equal(otst_orc_find(m->o, FN_B, &r), 0);
	assert_int_equal(r.base, OTST_BASE_FP);
	assert_int_equal(r.sp_offset, 16);
	assert_int_equal(r.fp, OTST_FP_PREV_SP);
	assert_int_equal(r.fp_offset, -16);
	assert_int_equal(otst_orc_find(m->o, FN_END + 5, &r), 0);
	assert_int_equal(r.type, OTST_RULE_END);
	assert_int_equal(otst_orc_find(m->o, FN_REG, &r), 0);
	assert_int_equal(r.type, OTST_RULE_REGS);
	assert_true(r.next_exact);
	assert_int_equal(otst_orc_find(m->o, FN_UND, &r), 0);
	assert_int_equal(r.type,
			 n->has_end || n->type_bits == 3 ? OTST_RULE_UNDEFINED : OTST_RULE_END);
	assert_int_equal(otst_orc_find(m->o, FN_IND, &r), 0);
	assert_int_equal(r.base, OTST_BASE_SP_INDIRECT);
	assert_int_equal(otst_orc_find(m->o, 0, &r), 0);
	assert_int_equal(r.sp_offset, 8);
	assert_int_equal(otst_orc_find(m->o, TEXT - 1, &r), OTST_ERR_LOOKUP);
	assert_int_equal(otst_orc_find(m->o, 0xffffffffc0000000, &r), OTST_ERR_LOOKUP);
	mock_close(m);
}

static void test_orc(void **state)
{
	(void)state;
	check_rules(&v4_14);
	check_rules(&v5_10);
	check_rules(&v6_3);
	check_rules(&v6_4);
	check_rules(&v6_12);
	check_rules(&v7_2);
}

static void test_orc_damaged(void **state)
{
	struct otst_rule r;
	struct table t;
	struct mock *m;

	(void)state;
	/* an unknown layout */
	m = open_table(&unknown);
	assert_non_null(otst_orc_why(m->o));
	assert_int_equal(otst_orc_find(m->o, FN_A, &r), OTST_ERR_LOOKUP);
	mock_close(m);
	/* not sorted */
	begin(&t, &v6_12);
	call(&t, FN_B, 16, v6_12.bp);
	call(&t, FN_A, 32, v6_12.sp);
	m = finish(&t);
	assert_non_null(otst_orc_why(m->o));
	mock_close(m);
	/* a page of it is gone */
	begin(&t, &v6_12);
	call(&t, FN_A, 32, v6_12.sp);
	add(&t, "unmap 0xffffffff82001000 6");
	m = finish(&t);
	assert_non_null(otst_orc_why(m->o));
	mock_close(m);
	/* the bounds are swapped, or one table is longer */
	m = mock_open(BASE "sym __start_orc_unwind_ip 0xffffffff82000010\n"
			   "sym __stop_orc_unwind_ip 0xffffffff82000000\n"
			   "sym __start_orc_unwind 0xffffffff82001000\n"
			   "sym __stop_orc_unwind 0xffffffff82001006\n"
			   "type orc_entry 6\n	sp_reg 4 u16:4@0\n	bp_reg 4 u16:4@4\n"
			   "	type 4 u16:2@8\n");
	assert_non_null(otst_orc_why(m->o));
	mock_close(m);
	/* none at all */
	m = mock_open(BASE);
	assert_non_null(otst_orc_why(m->o));
	mock_close(m);
}

/* ---- unwinding ---- */

struct fixture {
	uint64_t words[64];
	struct otst_piece piece, pieces[2];
	struct otst_capture c;
};

/* fn_a called by fn_b called by fn_end */
static void good_stack(struct fixture *f)
{
	*f = (struct fixture){ .c = { .cpu = -1 } };
	f->words[3] = FN_B + 5;
	f->words[10] = STACK + 8 * 40;
	f->words[11] = FN_END + 5;
	f->piece = (struct otst_piece){ STACK, f->words, sizeof(f->words) };
	f->c.pieces = &f->piece;
	f->c.nr_pieces = 1;
	f->c.regs[X86_IP] = FN_A + 4;
	f->c.regs[X86_SP] = STACK;
	f->c.regs[X86_BP] = STACK + 8 * 10;
}

static void test_unwind(void **state)
{
	struct mock *m = open_table(&v6_12);
	struct otst_stack *st = otst_stack_create(m->o, 0), *one = otst_stack_create(m->o, 1);
	struct fixture f;

	(void)state;
	good_stack(&f);
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_equal(st->end, OTST_END_WHOLE);
	assert_int_equal(st->count, 3);
	assert_int_equal(st->frames[0].pc, FN_A + 4);
	assert_int_equal(st->frames[0].how, OTST_HOW_GIVEN);
	assert_true(st->frames[0].exact);
	assert_int_equal(st->frames[1].pc, FN_B + 5);
	assert_int_equal(st->frames[1].slot, STACK + 8 * 3);
	assert_int_equal(st->frames[1].how, OTST_HOW_ORC);
	assert_false(st->frames[1].exact);
	assert_int_equal(st->frames[2].pc, FN_END + 5);
	assert_true(st->frames[2].reliable);

	/* the same twice, and into a stack that is too small */
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_equal(st->count, 3);
	assert_int_equal(otst_stack_unwind(m->o, &f.c, one), 0);
	assert_int_equal(one->count, 1);
	assert_int_equal(one->end, OTST_END_FULL);
	mock_close(m);
}

static void test_cut(void **state)
{
	struct mock *m = open_table(&v6_12);
	struct otst_stack *st = otst_stack_create(m->o, 0);
	struct fixture f;

	(void)state;
	good_stack(&f);
	f.piece.len = 8 * 11;
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_equal(st->end, OTST_END_CUT);
	assert_int_equal(st->count, 2);
	assert_non_null(st->why);
	/* in the middle of a word */
	f.piece.len = 8 * 3 + 5;
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_equal(st->end, OTST_END_CUT);
	assert_int_equal(st->count, 1);
	/* nothing of it */
	f.piece.len = 0;
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_equal(st->end, OTST_END_CUT);
	assert_int_equal(st->count, 1);
	mock_close(m);
}

static void test_regs(void **state)
{
	struct mock *m = open_table(&v6_12);
	struct otst_stack *st = otst_stack_create(m->o, 0);
	struct fixture f;

	(void)state;
	/* an interrupt: registers in the middle */
	good_stack(&f);
	memset(f.words, 0, sizeof(f.words));
	f.c.regs[X86_IP] = FN_REG + 4;
	f.words[X86_IP] = FN_A;
	f.words[X86_CS] = 0x10;
	f.words[X86_SP] = STACK + 8 * 30;
	f.words[33] = FN_END + 1;
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_equal(st->end, OTST_END_WHOLE);
	assert_int_equal(st->count, 3);
	assert_int_equal(st->frames[1].pc, FN_A);
	assert_int_equal(st->frames[1].regs, STACK);
	assert_int_equal(st->frames[1].cs, 0x10);
	/* its first instruction: not that of the function before */
	assert_true(st->frames[1].exact);
	assert_int_equal(st->frames[2].pc, FN_END + 1);

	/* from user mode: that is the end */
	f.words[X86_CS] = 0x33;
	f.words[X86_IP] = 0x401000;
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_equal(st->end, OTST_END_WHOLE);
	assert_int_equal(st->count, 1);
	assert_int_equal(st->user, STACK);

	f.c.full = true;
	f.c.regs[X86_CS] = 0x33;
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), OTST_ERR_AGAIN);
	mock_close(m);
}

static void test_trampoline(void **state)
{
	struct mock *m = open_table(&v6_12);
	struct otst_stack *st = otst_stack_create(m->o, 0);
	const struct otst_return returns[] = { { STACK, FN_UND }, { STACK + 8 * 3, FN_B + 5 } };
	struct fixture f;

	(void)state;
	good_stack(&f);
	f.words[3] = TRAMP;
	f.c.returns = returns;
	f.c.nr_returns = 2;
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_equal(st->end, OTST_END_WHOLE);
	assert_int_equal(st->frames[1].pc, FN_B + 5);
	assert_int_equal(st->frames[1].replaced, TRAMP);
	/* the caller is unknown: the trampoline is shown as it is */
	f.c.nr_returns = 1;
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_equal(st->end, OTST_END_LOST);
	assert_int_equal(st->frames[1].pc, TRAMP);
	assert_int_equal(st->frames[1].replaced, 0);
	assert_true(otst_is_trampoline(m->o, TRAMP));
	assert_false(otst_is_trampoline(m->o, TRAMP + 1));
	assert_false(otst_is_trampoline(m->o, 0));
	mock_close(m);
}

/* before and after its call of itself; old kernels say end of stack for both, new ones undefined */
static void check_thunk(const struct numbers *n)
{
	struct mock *m = open_table(n);
	struct otst_stack *st = otst_stack_create(m->o, 0);
	struct fixture f;
	int i;

	for (i = 0; i < 2; i++) {
		good_stack(&f);
		f.c.regs[X86_IP] = i ? THUNK + 0xc : THUNK;
		f.words[0] = i ? THUNK + 5 : FN_B + 5;
		f.words[1] = i ? FN_B + 5 : 0;
		assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
		assert_int_equal(st->end, OTST_END_WHOLE);
		assert_int_equal(st->count, 3);
		assert_int_equal(st->frames[1].pc, FN_B + 5);
		assert_int_equal(st->frames[1].slot, STACK + 8 * (uint64_t)i);
		assert_int_equal(st->frames[2].pc, FN_END + 5);
	}
	f.piece.len = 0;
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_equal(st->end, OTST_END_CUT);
	assert_int_equal(st->count, 1);
	mock_close(m);
}

static void test_thunk(void **state)
{
	(void)state;
	check_thunk(&v5_10);
	check_thunk(&v6_12);
}

/* fn_und is in no table, as __crash_kexec; @called is where the call before FN_B + 5 leads */
static struct mock *open_nonstandard(const char *called)
{
	struct table t;

	begin(&t, &v6_12);
	no_call(&t, TEXT, false);
	call(&t, FN_B, 16, v6_12.bp);
	no_call(&t, FN_END, true);
	no_call(&t, FN_UND, false);
	add(&t, "sym fn_und 0xffffffff81000400 256");
	add(&t, "fill 0xffffffff81000100 0x400 0x90");
	add(&t, called);
	/* ftrace's nop; push %r15; push %rbp; push %rbx; sub $0xb0,%rsp */
	add(&t, "mem 0xffffffff81000400: 0f 1f 44 00 00 41 57 55 53 48 81 ec b0 00 00 00");
	return finish(&t);
}

static void test_nonstandard(void **state)
{
	struct mock *m = open_nonstandard("mem 0xffffffff81000200: e8 fb 01 00 00");
	struct otst_stack *st = otst_stack_create(m->o, 0);
	struct fixture f;

	(void)state;
	good_stack(&f);
	f.c.regs[X86_IP] = FN_UND + 0x40;
	f.c.regs[X86_BP] = STACK + 8 * 20;
	/* a return address that no call of it put there; the saved bp; r15; the right one */
	f.words[1] = FN_A + 5;
	f.words[3] = 0;
	f.words[4] = STACK + 8 * 10;
	f.words[5] = 15;
	f.words[6] = FN_B + 5;
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_equal(st->end, OTST_END_WHOLE);
	assert_int_equal(st->count, 3);
	assert_int_equal(st->frames[1].pc, FN_B + 5);
	assert_int_equal(st->frames[1].slot, STACK + 8 * 6);
	assert_true(st->frames[1].reliable);
	assert_int_equal(st->frames[2].pc, FN_END + 5);
	mock_close(m);

	/* it is called by nobody on this stack: what looks like a return address is a guess */
	m = open_nonstandard("mem 0xffffffff81000200: e8 fc 01 00 00");
	st = otst_stack_create(m->o, 0);
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_equal(st->end, OTST_END_LOST);
	assert_false(st->count > 1 && st->frames[1].reliable);
	/* the stack ends before the return address */
	f.piece.len = 8 * 6;
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_not_equal(st->end, OTST_END_WHOLE);
	mock_close(m);
}

static void test_loops(void **state)
{
	struct mock *m = open_table(&v6_12);
	struct otst_stack *st = otst_stack_create(m->o, 0);
	struct fixture f;
	size_t i;

	(void)state;
	/* a rule that leads back */
	good_stack(&f);
	f.c.regs[X86_IP] = FN_BAD;
	f.c.regs[X86_SP] = STACK + 8 * 20;
	f.words[18] = FN_BAD;
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_equal(st->end, OTST_END_LOST);
	assert_int_equal(st->count, 1);
	/* frame pointers that lead back */
	good_stack(&f);
	f.c.regs[X86_IP] = FN_B;
	for (i = 0; i < 60; i += 2) {
		f.words[i] = STACK + 8 * 10;
		f.words[i + 1] = FN_B + 5;
	}
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_equal(st->end, OTST_END_LOST);
	assert_true(st->count < 64);
	/* [sp] that points to itself */
	good_stack(&f);
	f.c.regs[X86_IP] = FN_IND;
	f.words[0] = STACK;
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_true(st->end == OTST_END_LOST || st->end == OTST_END_CUT);
	mock_close(m);
}

static void test_scan(void **state)
{
	struct mock *m = open_table(&v6_12);
	struct otst_stack *st = otst_stack_create(m->o, 0);
	struct fixture f;
	size_t i, guesses = 0;

	(void)state;
	good_stack(&f);
	f.c.regs[X86_IP] = FN_UND + 4;
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_equal(st->end, OTST_END_LOST);
	assert_non_null(st->why);
	assert_int_equal(st->count, 3);
	for (i = 1; i < st->count; i++) {
		guesses += !st->frames[i].reliable;
		assert_int_equal(st->frames[i].how, OTST_HOW_SCAN);
	}
	assert_int_equal(guesses, 2);
	assert_int_equal(st->frames[1].pc, FN_B + 5);
	mock_close(m);
}

/* a kernel without ORC: frame pointers */
static void test_frame_pointers(void **state)
{
	struct mock *m = mock_open(BASE);
	struct otst_stack *st = otst_stack_create(m->o, 0);
	struct fixture f;

	(void)state;
	good_stack(&f);
	f.words[2] = STACK + 8 * 10;
	f.c.regs[X86_BP] = STACK + 8 * 2;
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	assert_int_equal(st->frames[1].pc, FN_B + 5);
	assert_int_equal(st->frames[1].how, OTST_HOW_FP);
	assert_true(st->frames[1].reliable);
	assert_int_equal(st->frames[2].pc, FN_END + 5);
	assert_false(st->guessed);
	mock_close(m);
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* words that are text, stack or noise: it ends, within its room, and says how */
static void test_noise(void **state)
{
	static const struct numbers *const all[] = { &v5_10, &v6_12, &v7_2 };
	uint64_t seed = 88172645463325252;
	struct fixture f;
	size_t k, i, n;

	(void)state;
	for (k = 0; k < sizeof(all) / sizeof(*all); k++) {
		struct mock *m = open_table(all[k]);

		for (n = 0; n < 20000; n++) {
			struct otst_stack *st;

			if (!(n % 500))
				otst_command_end(m->o);
			st = otst_stack_create(m->o, 1 + next_random(&seed) % 40);
			good_stack(&f);
			for (i = 0; i < 64; i++) {
				uint64_t r = next_random(&seed);

				f.words[i] = r % 3 == 0 ? TEXT + r / 3 % 0x900 :
					     r % 3 == 1 ? STACK + r / 3 % 600 :
							  r;
			}
			f.c.regs[X86_IP] = TEXT + next_random(&seed) % 0x900;
			f.c.regs[X86_SP] = STACK + next_random(&seed) % 520;
			f.c.regs[X86_BP] = STACK + next_random(&seed) % 520;
			f.c.full = n & 1;
			f.c.regs[X86_CS] = 0x10;
			f.piece.len = next_random(&seed) % (sizeof(f.words) + 1);
			assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
			assert_int_not_equal(st->end, OTST_END_OPEN);
			assert_true(st->count >= 1 && st->count <= st->room);
		}
		mock_close(m);
	}
}

static void test_other_arch(void **state)
{
	struct mock *m = mock_open("sym _stext 0xffffffff81000000");
	struct otst_stack *st = otst_stack_create(m->o, 0);
	struct otst_task t = { .addr = STACK };
	struct fixture f;

	(void)state;
	good_stack(&f);
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), OTST_ERR_UNSUPPORTED);
	assert_int_equal(otst_stack_save_task(m->o, &t, st), OTST_ERR_UNSUPPORTED);
	assert_int_equal(otst_stack_save_running(m->o, &t, st), OTST_ERR_UNSUPPORTED);
	mock_close(m);
}

/* ---- tasks ---- */

#define TASKS                                                                                 \
	"type list_head 16\n	next 0 ptr list_head\n	prev 8 ptr list_head\n"                   \
	"type task_struct 256\n	tasks 0 struct list_head\n	thread_node 16 struct list_head\n" \
	"	pid 32 s32\n	tgid 36 s32\n	comm 40 char[16]\n	stack 56 ptr\n"                       \
	"	on_cpu 64 s32\n	cpu 68 u32\n	signal 72 ptr signal_struct\n"                         \
	"	__state 80 u32\n	flags 84 u32\n"                                                    \
	"type signal_struct 32\n	thread_head 0 struct list_head\n"                            \
	"sym init_task 0xffff888000001000 256\n"                                              \
	"obj task_struct init_task\n	comm = \"swapper/0\"\n"                                  \
	"let t1 0xffff888000002000\nobj task_struct t1\n	pid = 1\n	tgid = 1\n"                \
	"	comm = \"init\"\n	signal = 0xffff888000008000\n"                                    \
	"let t2 0xffff888000003000\nobj task_struct t2\n	pid = 2\n	tgid = 1\n"                \
	"	comm = \"thread\"\n	signal = 0xffff888000008000\n"                                  \
	"let t3 0xffff888000004000\nobj task_struct t3\n	pid = 3\n	tgid = 3\n"                \
	"	comm = \"a\\x1bb\"\n"                                                               \
	"obj signal_struct 0xffff888000008000\n"                                              \
	"list init_task t1 t3\n"                                                              \
	"list 0xffff888000008000 t1+16 t2+16\n"

static void test_tasks(void **state)
{
	struct mock *m = mock_open(BASE TASKS);
	const struct otst_tasks *t, *again;

	(void)state;
	assert_int_equal(otst_tasks(m->o, &t), 0);
	assert_int_equal(t->errors.count, 0);
	assert_int_equal(t->count, 3);
	assert_int_equal(t->items[0]->pid, 1);
	assert_int_equal(t->items[1]->pid, 2);
	assert_int_equal(t->items[1]->tgid, 1);
	assert_string_equal(t->items[1]->comm, "thread");
	assert_string_equal(t->items[2]->comm, "a\\x1bb");
	assert_non_null(otst_task_at(m->o, 0xffff888000003000));
	assert_null(otst_task_at(m->o, 0xffff888000003008));
	assert_int_equal(otst_tasks(m->o, &again), 0);
	assert_ptr_equal(t, again);
	mock_close(m);

	/* a list that loops, and threads that do */
	m = mock_open(BASE TASKS "u64 0xffff888000004000: 0xffff888000002000\n"
				 "u64 0xffff888000003010: 0xffff888000003010\n");
	assert_int_equal(otst_tasks(m->o, &t), 0);
	assert_int_equal(t->count, 3);
	assert_int_equal(t->errors.count, 2);
	mock_close(m);
}

/* the list is broken after the first task: the rest is found from its end */
static void test_tasks_broken(void **state)
{
	struct mock *m = mock_open(BASE TASKS "u64 0xffff888000002000: 0xffff888000909000\n");
	const struct otst_tasks *t;

	(void)state;
	assert_int_equal(otst_tasks(m->o, &t), 0);
	/* the way on, and the threads of what is not there */
	assert_int_equal(t->errors.count, 2);
	assert_non_null(otst_task_at(m->o, 0xffff888000002000));
	assert_non_null(otst_task_at(m->o, 0xffff888000004000));
	mock_close(m);
}

/* ---- a task's stack ---- */

#define STACKS                                                                    \
	"type thread_union 16384\n	stack 0 u64[2048]\n"                           \
	"type thread_struct 32\n	sp 8 u64\n"                                      \
	"type task_struct 256\n	tasks 0 u64[2]\n	pid 32 s32\n	comm 40 char[16]\n" \
	"	stack 56 ptr\n	thread 64 struct thread_struct\n"                        \
	"	kretprobe_instances 96 ptr\n"                                           \
	"let t 0xffff888000001000\nobj task_struct t\n	pid = 7\n"                 \
	"	stack = 0xffffc90000000000\n	thread.sp = 0xffffc90000000100\n"          \
	"fill 0xffffc90000000000 16384 0\n"

static void save(struct mock *m, struct otst_stack **ret)
{
	struct otst_task t;

	*ret = otst_stack_create(m->o, 0);
	assert_int_equal(otst_task_read(m->o, 0xffff888000001000, &t), 0);
	assert_null(t.error);
	assert_int_equal(otst_stack_save_task(m->o, &t, *ret), 0);
}

static void test_save(void **state)
{
	struct otst_task t = { .addr = 0xffff888000001000, .stack = STACK };
	struct otst_stack *st;
	struct mock *m;

	(void)state;
	/* since v4.9 the address is on the stack; frame pointers from there on */
	m = mock_open(BASE STACKS "type inactive_task_frame 56\n	bp 40 u64\n"
				  "	ret_addr 48 u64\n"
				  "u64 0xffffc90000000128: 0xffffc90000000200 0xffffffff81000105\n"
				  "u64 0xffffc90000000200: 0 0xffffffff81000205\n");
	save(m, &st);
	assert_int_equal(st->count, 2);
	assert_int_equal(st->frames[0].pc, FN_A + 5);
	assert_int_equal(st->frames[0].slot, STACK + 0x130);
	assert_int_equal(st->frames[0].sp, STACK + 0x138);
	assert_int_equal(st->frames[1].pc, FN_B + 5);
	assert_int_equal(st->frames[1].how, OTST_HOW_FP);

	t.sp = STACK + 0x4000;
	assert_int_equal(otst_stack_save_task(m->o, &t, st), OTST_ERR_CORRUPT);
	t.stack = 0;
	assert_int_equal(otst_stack_save_task(m->o, &t, st), OTST_ERR_LOOKUP);
	t.on_cpu = true;
	assert_int_equal(otst_stack_save_task(m->o, &t, st), OTST_ERR_UNSUPPORTED);
	assert_int_equal(otst_stack_save_running(m->o, &t, st), OTST_ERR_UNSUPPORTED);
	t.current = true;
	assert_int_equal(otst_stack_save_running(m->o, &t, st), OTST_ERR_LOOKUP);
	mock_close(m);

	/* before that, all tasks resumed at one place */
	m = mock_open(BASE STACKS "sym thread_return 0xffffffff81000110\n"
				  "u64 0xffffc90000000100: 0xffffc90000000200 0x246\n"
				  "u64 0xffffc90000000200: 0 0xffffffff81000205\n");
	save(m, &st);
	assert_int_equal(st->count, 2);
	assert_int_equal(st->frames[0].pc, FN_A + 0x10);
	assert_int_equal(st->frames[1].pc, FN_B + 5);
	mock_close(m);
}

/* 3.10: after the call of __switch_to(), which only the code of __schedule() shows */
#define SWITCH                                                             \
	"sym __schedule 0xffffffff81000900 32\n"                           \
	"sym __switch_to 0xffffffff81000a00 16\n"                          \
	"fill 0xffffffff81000900 32 0x90\nmem 0xffffffff8100090a: 9c 55\n" \
	"call 0xffffffff81000910 0xffffffff81000a00\n"                     \
	"u64 0xffffc90000000100: 0xffffc90000000200 0x246\n"               \
	"u64 0xffffc90000000200: 0x7ffc0000 0xffffffff81000205\n"

static void test_switch(void **state)
{
	struct otst_stack *st;
	struct otst_task t;
	struct mock *m;

	(void)state;
	/* with frame pointers; the last one lies on no stack */
	m = mock_open(BASE STACKS SWITCH
		      "sym schedule 0xffffffff81000b00 32\n"
		      "mem schedule: 0f 1f 44 00 00 55 48 89 e5 53 90 90 90 90 90 90\n");
	save(m, &st);
	assert_int_equal(st->count, 2);
	assert_int_equal(st->frames[0].pc, TEXT + 0x915);
	assert_int_equal(st->frames[0].slot, 0);
	assert_int_equal(st->frames[0].sp, STACK + 0x110);
	assert_int_equal(st->frames[1].pc, FN_B + 5);
	assert_int_equal(st->frames[1].how, OTST_HOW_FP);
	assert_int_equal(st->end, OTST_END_LOST);
	mock_close(m);

	/* frames at the end of the stack: below r11 of a system call's registers it is whole */
	m = mock_open(BASE STACKS SWITCH "u64 0xffffc90000000100: 0xffffc90000003f78\n"
					 "u64 0xffffc90000003f78: 0x7ffc0000 0xffffffff81000205\n");
	save(m, &st);
	assert_int_equal(st->count, 2);
	assert_int_equal(st->end, OTST_END_WHOLE);
	mock_close(m);

	/* without: bp points to what looks like a frame, but may be any value; words are scanned */
	m = mock_open(BASE STACKS SWITCH
		      "sym schedule 0xffffffff81000b00 32\n"
		      "mem schedule: 0f 1f 44 00 00 53 48 83 ec 20 90 90 90 90 90 90\n");
	save(m, &st);
	assert_int_equal(st->count, 2);
	assert_int_equal(st->frames[1].how, OTST_HOW_SCAN);
	assert_false(st->frames[1].reliable);
	assert_int_equal(st->end, OTST_END_LOST);
	mock_close(m);

	/* a new task's sp is where its registers begin */
	m = mock_open(BASE STACKS SWITCH "sym ret_from_fork 0xffffffff81000c00 32\n"
					 "set task_struct t\n	thread.sp = 0xffffc90000003f58\n");
	save(m, &st);
	assert_int_equal(st->count, 1);
	assert_int_equal(st->frames[0].pc, TEXT + 0xc00);
	assert_true(st->frames[0].exact);
	assert_int_equal(st->end, OTST_END_WHOLE);
	mock_close(m);

	/* 4.4 pushes only bp */
	m = mock_open(BASE STACKS SWITCH "mem 0xffffffff8100090a: 90\n");
	save(m, &st);
	assert_int_equal(st->frames[0].sp, STACK + 0x108);
	assert_int_equal(st->frames[1].pc, FN_B + 5);
	mock_close(m);

	/* nothing calls it */
	m = mock_open(BASE STACKS SWITCH "fill 0xffffffff81000910 5 0x90\n");
	st = otst_stack_create(m->o, 0);
	assert_int_equal(otst_task_read(m->o, 0xffff888000001000, &t), 0);
	assert_int_equal(otst_stack_save_task(m->o, &t, st), OTST_ERR_LOOKUP);
	mock_close(m);
}

/* ---- calls in flight ---- */

/* v5.11 to v5.17: a list of each task, through a holder */
#define HOLDERS                                                                           \
	"type llist_node 8\n	next 0 ptr llist_node\n"                                     \
	"type kretprobe_holder 16\n	rp 0 ptr kretprobe\n"                                 \
	"type kprobe 64\n	addr 8 ptr\n"                                                   \
	"type kretprobe 128\n	kp 0 struct kprobe\n	handler 64 ptr\n	data_size 72 u64\n"   \
	"type kretprobe_instance 64\n	llist 16 struct llist_node\n	rph 24 ptr\n"          \
	"	ret_addr 32 ptr\n	fp 40 ptr\n	data 48 char[]\n"                                 \
	"let rp 0xffff888000010000\nobj kretprobe rp\n	kp.addr = fn_a\n	handler = fn_b\n" \
	"	data_size = 24\n"                                                               \
	"let rph 0xffff888000011000\nobj kretprobe_holder rph\n	rp = rp\n"                \
	"let i1 0xffff888000012000\nobj kretprobe_instance i1\n	rph = rph\n"              \
	"	ret_addr = arch_rethook_trampoline\n	fp = 0xffffc90000000130\n"                 \
	"let i2 0xffff888000013000\nobj kretprobe_instance i2\n	rph = rph\n"              \
	"	ret_addr = fn_b+5\n	fp = 0xffffc90000000130\n"                                  \
	"u64 t+96: i1+16\nu64 i1+16: i2+16\n"

static void test_inflight(void **state)
{
	struct otst_inflights in;
	struct otst_repair r = { 0 };
	struct otst_capture c = { .task = 0xffff888000001000, .cpu = -1 };
	struct mock *m = mock_open(BASE STACKS HOLDERS);

	(void)state;
	assert_int_equal(otst_inflight_task(m->o, 0xffff888000001000, &in), 0);
	assert_int_equal(in.count, 2);
	assert_int_equal(in.errors.count, 0);
	assert_int_equal(in.items[0]->kind, OTST_INFLIGHT_KRETPROBE);
	assert_int_equal(in.items[0]->func, FN_A);
	assert_int_equal(in.items[0]->handler, FN_B);
	assert_int_equal(in.items[0]->ret_addr, TRAMP);
	/* the inner one replaced the outer one's trampoline */
	assert_int_equal(in.items[0]->caller, FN_B + 5);
	assert_int_equal(in.items[0]->data, 0xffff888000012000 + 48);
	assert_int_equal(in.items[0]->data_size, 24);
	assert_int_equal(in.items[1]->caller, FN_B + 5);
	assert_string_equal(in.items[1]->caller_sym.name, "fn_b");

	r.capture = &c;
	assert_int_equal(otst_repair(m->o, &r, TRAMP, STACK + 0x130), FN_B + 5);
	assert_int_equal(otst_repair(m->o, &r, TRAMP, STACK + 0x138), 0);
	assert_int_equal(otst_repair(m->o, &r, FN_A, STACK + 0x138), FN_A);
	mock_close(m);

	/* it loops; the kretprobe is gone; the holder is not there */
	m = mock_open(BASE STACKS HOLDERS "u64 i2+16: i1+16\nu64 i1+24: 0xffff888000099000\n"
					  "u64 rph: 0\n");
	assert_int_equal(otst_inflight_task(m->o, 0xffff888000001000, &in), 0);
	assert_int_equal(in.count, 2);
	assert_int_equal(in.errors.count, 1);
	assert_non_null(in.items[0]->error);
	assert_null(in.items[1]->error);
	assert_int_equal(in.items[1]->func, 0);
	assert_int_equal(in.items[1]->caller, FN_B + 5);
	mock_close(m);
}

/* function graph: entries up to v6.10, words since */
#define GRAPH "type ftrace_ret_stack 24\n	ret 0 u64\n	func 8 u64\n	retp 16 ptr\n"

#define GRAPH_OBJ "obj task_struct 0xffff888000001000\n	ret_stack = 0xffff888000020000\n"

static void test_graph(void **state)
{
	struct otst_inflights in;
	struct mock *m;

	(void)state;
	m = mock_open(BASE GRAPH
		      "type task_struct 256\n	ret_stack 0 ptr ftrace_ret_stack\n"
		      "	curr_ret_stack 8 s32\n" GRAPH_OBJ "	curr_ret_stack = 1\n"
		      "u64 0xffff888000020000: fn_a+1 fn_b 0xffffc90000000100 fn_b+1 fn_a "
		      "0xffffc90000000080\n");
	assert_int_equal(otst_inflight_task(m->o, 0xffff888000001000, &in), 0);
	assert_int_equal(in.count, 2);
	assert_int_equal(in.items[0]->kind, OTST_INFLIGHT_GRAPH);
	assert_int_equal(in.items[0]->func, FN_A);
	assert_int_equal(in.items[0]->caller, FN_B + 1);
	assert_int_equal(in.items[0]->slot, STACK + 0x80);
	assert_int_equal(in.items[1]->func, FN_B);
	mock_close(m);

	/* a frame with a bitmap, then one with two data words before it: 3+1, 3+2+1+1 */
	m = mock_open(BASE GRAPH
		      "type task_struct 256\n	ret_stack 0 ptr u64\n"
		      "	curr_ret_stack 8 s32\n" GRAPH_OBJ "	curr_ret_stack = 11\n"
		      "u64 0xffff888000020000: fn_a+1 fn_b 0xffffc90000000100 0x1403\n"
		      "u64 0xffff888000020020: fn_b+1 fn_a 0xffffc90000000080 0x1403 1 2 0x1806\n");
	assert_int_equal(otst_inflight_task(m->o, 0xffff888000001000, &in), 0);
	assert_int_equal(in.errors.count, 0);
	assert_int_equal(in.count, 2);
	assert_int_equal(in.items[0]->func, FN_A);
	assert_int_equal(in.items[1]->func, FN_B);
	assert_int_equal(in.items[1]->caller, FN_A + 1);
	mock_close(m);

	/* an offset that leads outside, and an index that does */
	m = mock_open(BASE GRAPH "type task_struct 256\n	ret_stack 0 ptr u64\n"
				 "	curr_ret_stack 8 s32\n" GRAPH_OBJ
				 "	curr_ret_stack = 4\n"
				 "u64 0xffff888000020000: fn_a+1 fn_b 0xffffc90000000100 0x1409\n");
	assert_int_equal(otst_inflight_task(m->o, 0xffff888000001000, &in), 0);
	assert_int_equal(in.count, 0);
	assert_int_equal(in.errors.count, 1);
	mock_close(m);
	m = mock_open(BASE GRAPH "type task_struct 256\n	ret_stack 0 ptr u64\n"
				 "	curr_ret_stack 8 s32\n" GRAPH_OBJ
				 "	curr_ret_stack = 0x7fffffff\n");
	assert_int_equal(otst_inflight_task(m->o, 0xffff888000001000, &in), 0);
	assert_int_equal(in.errors.count, 1);
	mock_close(m);
}

/*
 * Up to v4.8 neither keeps the slot. fn_a was called from fn_b+5, and fn_b from fn_end+5;
 * each has a kretprobe, and function graph: whichever of the two came last has the
 * other's trampoline. fn_a has two kretprobes.
 */
#define BOTH                                                                                              \
	"sym kretprobe_trampoline 0xffffffff81000c00 64\n"                                                \
	"sym return_to_handler 0xffffffff81000d00 64\n"                                                   \
	"sym kretprobe_inst_table 0xffffffff83001000 512\nfill kretprobe_inst_table 512 0\n"              \
	"type hlist_node 16\n	next 0 ptr hlist_node\n	pprev 8 ptr hlist_node\n"                           \
	"type kprobe 64\n	addr 8 ptr\n"                                                                   \
	"type kretprobe 128\n	kp 0 struct kprobe\n	handler 64 ptr\n	data_size 72 u64\n"                   \
	"type kretprobe_instance 40\n	hlist 0 struct hlist_node\n	rp 16 ptr kretprobe\n"                  \
	"	ret_addr 24 ptr\n	task 32 ptr\n"                                                                \
	"type ftrace_ret_stack 24\n	ret 0 u64\n	func 8 u64\n	calltime 16 u64\n"                           \
	"type task_struct 256\n	ret_stack 0 ptr ftrace_ret_stack\n	curr_ret_stack 8 s32\n" GRAPH_OBJ \
	"	curr_ret_stack = 2\n"                                                                           \
	"let rp_a 0xffff888000010000\nobj kretprobe rp_a\n	kp.addr = fn_a\n"                              \
	"let rp_b 0xffff888000010100\nobj kretprobe rp_b\n	kp.addr = fn_b\n"                              \
	"let i1 0xffff888000012000\nobj kretprobe_instance i1\n	rp = rp_a\n"                              \
	"	task = 0xffff888000001000\n	ret_addr = kretprobe_trampoline\n"                                  \
	"let i2 0xffff888000012100\nobj kretprobe_instance i2\n	rp = rp_a\n"                              \
	"	task = 0xffff888000001000\n	ret_addr = fn_b+5\n"                                                \
	"let i3 0xffff888000012200\nobj kretprobe_instance i3\n	rp = rp_b\n"                              \
	"	task = 0xffff888000001000\n	ret_addr = return_to_handler\n"                                     \
	"hlist kretprobe_inst_table+8*5 i1 i2 i3\n"                                                       \
	"u64 0xffff888000020000: 0xffffffff81000f05 fn_end 1\n"                                           \
	"u64 0xffff888000020018: fn_end+5 fn_b 2 kretprobe_trampoline fn_a 3\n"

static void test_both(void **state)
{
	struct otst_capture c = { .task = 0xffff888000001000, .cpu = -1 };
	struct otst_repair r = { .capture = &c };
	struct otst_inflights in;
	struct mock *m = mock_open(BASE BOTH);
	size_t i;

	(void)state;
	assert_int_equal(otst_inflight_task(m->o, 0xffff888000001000, &in), 0);
	assert_int_equal(in.errors.count, 0);
	assert_int_equal(in.count, 6);
	for (i = 0; i < in.count; i++)
		assert_null(in.items[i]->error);
	/* kretprobes: two of fn_a, one of fn_b; then function graph */
	assert_int_equal(in.items[0]->caller, FN_B + 5);
	assert_int_equal(in.items[1]->caller, FN_B + 5);
	assert_int_equal(in.items[2]->caller, FN_END + 5);
	assert_int_equal(in.items[3]->func, FN_A);
	assert_int_equal(in.items[3]->caller, FN_B + 5);
	assert_int_equal(in.items[4]->caller, FN_END + 5);
	assert_int_equal(in.items[5]->caller, TEXT + 0xf05);
	/* on the stack: function graph's for fn_a, the kretprobe's for fn_b, function graph's */
	assert_int_equal(otst_repair(m->o, &r, TEXT + 0xd00, STACK), FN_B + 5);
	assert_int_equal(otst_repair(m->o, &r, TEXT + 0xc00, STACK + 8), FN_END + 5);
	assert_int_equal(otst_repair(m->o, &r, TEXT + 0xd00, STACK + 16), TEXT + 0xf05);
	assert_int_equal(otst_repair(m->o, &r, TEXT + 0xd00, STACK + 24), 0);
	mock_close(m);

	/* fn_a's kretprobe instance is lost: there is no answer, and no other's is taken */
	m = mock_open(BASE BOTH "hlist kretprobe_inst_table+8*5 i3\n");
	assert_int_equal(otst_inflight_task(m->o, 0xffff888000001000, &in), 0);
	assert_int_equal(in.count, 4);
	assert_int_equal(in.items[0]->caller, FN_END + 5);
	assert_int_equal(in.items[1]->func, FN_A);
	assert_int_equal(in.items[1]->caller, 0);
	mock_close(m);

	/* each has the other's: it ends, without an answer */
	m = mock_open(BASE BOTH "u64 0xffff888000020018: kretprobe_trampoline\n");
	assert_int_equal(otst_inflight_task(m->o, 0xffff888000001000, &in), 0);
	assert_int_equal(in.items[2]->caller, 0);
	assert_int_equal(in.items[4]->caller, 0);
	assert_int_equal(in.items[3]->caller, FN_B + 5);
	mock_close(m);
}

#define ARM64                                              \
	BASE "set uts_namespace init_uts_ns\n"             \
	     "	name.machine = \"aarch64\"\n"               \
	     "type pt_regs 336\n"                          \
	     "	regs 0 u64[31]\n"                           \
	     "	sp 248 u64\n"                               \
	     "	pc 256 u64\n"                               \
	     "	pstate 264 u64\n"                           \
	     "	stackframe 304 u64[2]\n"                    \
	     "sym __entry_text_start 0xffffffff81000e00\n" \
	     "sym __entry_text_end 0xffffffff81000f00\n"

/*
 * fn_a, called by the code of exception entry, which interrupted fn_b: registers from
 * word 6 on, with their record at word 44. Until v6.12 that has the pc as well.
 */
static void interrupted_stack(struct fixture *f)
{
	*f = (struct fixture){ .c = { .cpu = -1, .pieces = f->pieces, .nr_pieces = 2 } };
	f->words[2] = STACK + 8 * 44;
	f->words[3] = TEXT + 0xe10;
	f->words[6 + 29] = STACK + 8 * 50;
	f->words[6 + 31] = STACK + 8 * 48;
	f->words[6 + 32] = FN_B + 4;
	f->words[6 + 33] = 0x60400005;
	f->words[44] = STACK + 8 * 50;
	f->words[45] = FN_B + 4;
	f->words[50] = STACK + 8 * 56;
	f->words[51] = FN_END + 4;
	f->pieces[0] = (struct otst_piece){ STACK, f->words, 8 * 6 };
	f->c.regs[otst_arch_aarch64.reg.pc] = FN_A + 4;
	f->c.regs[otst_arch_aarch64.reg.sp] = STACK;
	f->c.regs[otst_arch_aarch64.reg.fp] = STACK + 8 * 2;
}

/* the task's stack was saved from word @from on */
static void unwind_arm64(size_t from, uint64_t regs, size_t frames)
{
	static const uint64_t pcs[] = { FN_A + 4, TEXT + 0xe10, FN_B + 4, FN_END + 4 };
	struct mock *m = mock_open(ARM64);
	struct otst_stack *st = otst_stack_create(m->o, 0);
	struct fixture f;
	size_t i;

	interrupted_stack(&f);
	f.pieces[1] = (struct otst_piece){ STACK + 8 * from, f.words + from, 8 * (64 - from) };
	assert_int_equal(otst_stack_unwind(m->o, &f.c, st), 0);
	for (i = 0; i < frames; i++) {
		assert_int_equal(st->frames[i].pc, pcs[i]);
		assert_true(st->frames[i].reliable);
	}
	assert_true(st->count == frames || !st->frames[frames].reliable);
	if (frames > 2) {
		assert_int_equal(st->frames[2].regs, regs);
		assert_true(st->frames[2].exact);
	} else {
		assert_int_equal(st->end, OTST_END_CUT);
	}
	mock_close(m);
}

static void test_arm64_pieces(void **state)
{
	(void)state;
	unwind_arm64(6, STACK + 8 * 6, 4);
	/* without the registers */
	unwind_arm64(44, 0, 4);
	/* without a part of the record */
	unwind_arm64(45, 0, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_object),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_orc),
		cmocka_unit_test(test_orc_damaged),
		cmocka_unit_test(test_unwind),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_regs),
		cmocka_unit_test(test_trampoline),
		cmocka_unit_test(test_thunk),
		cmocka_unit_test(test_nonstandard),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_scan),
		cmocka_unit_test(test_frame_pointers),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_other_arch),
		cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_tasks_broken),
		cmocka_unit_test(test_save),
		cmocka_unit_test(test_switch),
		cmocka_unit_test(test_inflight),
		cmocka_unit_test(test_graph),
		cmocka_unit_test(test_both),
		cmocka_unit_test(test_arm64_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
