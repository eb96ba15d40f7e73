// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_arch.c - forms of instructions by the table of processors: what the kernel
 * writes into its text, byte by byte as assemblers make it.
 */
#include <elf.h>
#include <string.h>

#include "../../src/arch/arch.h"
#include "mock.h"

#ifndef R_PPC64_ENTRY
#define R_PPC64_ENTRY 118
#endif

#define AT UINT64_C(0xffff800010000000)

struct form {
	uint8_t bytes[8];
	size_t len; /* of the instruction */
	enum otst_branch_kind kind;
	int64_t distance;
};

static void check_branches(const struct otst_arch *a, const struct form *forms, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct form *f = &forms[i];
		uint8_t made[OTST_BRANCH_MAX];
		struct otst_branch b;
		bool is = a->insn.branch(f->bytes, sizeof(f->bytes), AT, &b);

		assert_int_equal(is, f->kind != OTST_BRANCH_NONE);
		assert_int_equal(b.kind, f->kind);
		if (!is)
			continue;
		assert_int_equal(b.len, f->len);
		assert_int_equal(b.target, AT + (uint64_t)f->distance);
		if (f->len != a->insn.branch_len)
			continue;
		assert_int_equal(a->insn.put_branch(made, f->kind, AT, b.target), f->len);
		assert_memory_equal(made, f->bytes, f->len);
	}
}

static void test_x86_64(void **state)
{
	static const struct form forms[] = {
		{ { 0xe8, 0x10, 0, 0, 0 }, 5, OTST_BRANCH_CALL, 0x15 },
		{ { 0xe8, 0xfb, 0xff, 0xff, 0xff }, 5, OTST_BRANCH_CALL, 0 },
		{ { 0xe9, 0, 0, 0, 0x80 }, 5, OTST_BRANCH_JUMP, 5 - 0x80000000ll },
		{ { 0xeb, 0xfe }, 2, OTST_BRANCH_JUMP, 0 },
		{ { 0x0f, 0x84, 1, 0, 0, 0 }, 6, OTST_BRANCH_NONE, 0 },
		{ { 0xff, 0xd0 }, 2, OTST_BRANCH_NONE, 0 },
	};
	static const uint8_t int3[] = { 0xcc }, endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x90 },
			     nop[] = { 0x0f, 0x1f, 0x44, 0, 0 };
	static const uint8_t direct[] = { 0, 0, 0xe8, 1, 2, 3, 4 },
			     indirect[] = { 0, 0, 0, 0, 0, 0xff, 0xd0 },
			     through[] = { 0, 0xff, 0x15, 1, 2, 3, 4 },
			     none[] = { 0, 0, 0x55, 0x48, 0x89, 0xe5, 0x90 };
	const struct otst_arch *a = otst_arch_named("x86_64");
	struct otst_branch b;

	(void)state;
	check_branches(a, forms, sizeof(forms) / sizeof(*forms));
	/* cut off by the end of what could be read */
	assert_true(a->insn.branch(forms[0].bytes, 4, AT, &b));
	assert_int_equal(b.target, 0);
	assert_true(otst_insn_is(&a->insn.breakpoint, int3, 1));
	assert_false(otst_insn_is(&a->insn.breakpoint, endbr, 5));
	assert_false(otst_insn_is(&a->insn.nop, nop, 4));
	assert_true(otst_insn_is(&a->insn.nop, nop, 5));
	assert_int_equal(a->insn.entry_mark(endbr), 4);
	assert_int_equal(a->insn.entry_mark(nop), 0);
	assert_int_equal(a->insn.entry_nop(nop), 5);
	assert_int_equal(a->insn.call_window, sizeof(direct));
	assert_true(a->insn.follows_call(direct));
	assert_true(a->insn.follows_call(indirect));
	assert_true(a->insn.follows_call(through));
	assert_false(a->insn.follows_call(none));
}

static void test_aarch64(void **state)
{
	static const struct form forms[] = {
		{ { 0x04, 0x00, 0x00, 0x94 }, 4, OTST_BRANCH_CALL, 0x10 },
		{ { 0xff, 0xff, 0xff, 0x97 }, 4, OTST_BRANCH_CALL, -4 },
		{ { 0x00, 0x00, 0x00, 0x16 }, 4, OTST_BRANCH_JUMP, -0x8000000 },
		{ { 0x00, 0x00, 0x00, 0x14 }, 4, OTST_BRANCH_JUMP, 0 },
		{ { 0x20, 0x00, 0x00, 0x54 }, 4, OTST_BRANCH_NONE, 0 }, /* b.eq */
		{ { 0x00, 0x00, 0x3f, 0xd6 }, 4, OTST_BRANCH_NONE, 0 }, /* blr x0 */
	};
	static const uint8_t brk4[] = { 0x80, 0, 0x20, 0xd4 }, brk400[] = { 0, 0x80, 0x20, 0xd4 },
			     nop[] = { 0x1f, 0x20, 0x03, 0xd5 };
	static const uint8_t marks[][4] = { { 0x5f, 0x24, 0x03, 0xd5 },	  /* bti c */
					    { 0x9f, 0x24, 0x03, 0xd5 },	  /* bti j */
					    { 0x3f, 0x23, 0x03, 0xd5 },	  /* paciasp */
					    { 0xe9, 0x03, 0x1e, 0xaa } }; /* mov x9, x30 */
	static const uint8_t calls[][4] = { { 0x01, 0, 0, 0x94 },
					    { 0x00, 0x00, 0x3f, 0xd6 },	  /* blr x0 */
					    { 0x1f, 0x08, 0x3f, 0xd6 },	  /* blraaz x0 */
					    { 0x01, 0x08, 0x3f, 0xd7 } }; /* blraa x0, x1 */
	static const uint8_t jump[] = { 0x00, 0x00, 0x1f, 0xd6 };	  /* br x0 */
	const struct otst_arch *a = otst_arch_named("aarch64");

	(void)state;
	check_branches(a, forms, sizeof(forms) / sizeof(*forms));
	assert_true(otst_insn_is(&a->insn.breakpoint, brk4, 4));
	assert_false(otst_insn_is(&a->insn.breakpoint, brk400, 4));
	assert_true(otst_insn_is(&a->insn.kgdb_breakpoint, brk400, 4));
	assert_int_equal(a->insn.entry_nop(nop), 4);
	assert_int_equal(a->insn.entry_mark(nop), 0);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(a->insn.entry_mark(marks[i]), 4);
		assert_true(a->insn.follows_call(calls[i]));
		assert_false(a->insn.follows_call(marks[i]));
	}
	assert_false(a->insn.follows_call(jump));
}

static void test_riscv64(void **state)
{
	static const struct form forms[] = {
		{ { 0x97, 0x52, 0x34, 0x12, 0xe7, 0x82, 0xb2, 0x89 },
		  8,
		  OTST_BRANCH_CALL,
		  0x1234489b },
		{ { 0x97, 0x02, 0, 0, 0xe7, 0x82, 0x02, 0x80 }, 8, OTST_BRANCH_CALL, -0x800 },
		{ { 0x17, 0x03, 0, 0, 0x67, 0, 0x83, 0 }, 8, OTST_BRANCH_JUMP, 8 }, /* by t1 */
		{ { 0x97, 0x52, 0x34, 0x12, 0xe7, 0, 0x83, 0 }, 8, OTST_BRANCH_NONE, 0 },
		{ { 0x6f, 0xf0, 0x1f, 0xff }, 4, OTST_BRANCH_JUMP, -0x10 },
		{ { 0x6f, 0, 0xa0, 0x96 }, 4, OTST_BRANCH_JUMP, 0x16a - 0x100000 },
		{ { 0xef, 0, 0x40, 0 }, 4, OTST_BRANCH_CALL, 4 },
		{ { 0xe5, 0xb7 }, 2, OTST_BRANCH_JUMP, -0x18 }, /* c.j */
		{ { 0xdd, 0xa6 }, 2, OTST_BRANCH_JUMP, 0x400 - 0x1a },
		{ { 0x82, 0x97 }, 2, OTST_BRANCH_NONE, 0 }, /* c.jalr */
	};
	static const uint8_t ebreak[] = { 0x73, 0, 0x10, 0 }, c_ebreak[] = { 0x02, 0x90, 0, 0 },
			     nops[] = { 0x13, 0, 0, 0, 0x13, 0, 0, 0 }, c_nop[] = { 1, 0, 0, 0 },
			     lpad[] = { 0x17, 0, 0, 0 };
	static const uint8_t calls[][4] = { { 0xef, 0, 0x40, 0 },	 /* jal ra */
					    { 0xe7, 0, 0x05, 0 },	 /* jalr ra, a0 */
					    { 0, 0, 0x82, 0x97 } };	 /* c.jalr a5 */
	static const uint8_t others[][4] = { { 0x6f, 0xf0, 0x1f, 0xff }, /* j */
					     { 0x67, 0, 0x83, 0 },	 /* jr t1 */
					     { 0, 0, 0x02, 0x90 } };	 /* c.ebreak */
	const struct otst_arch *a = otst_arch_named("riscv64");
	struct otst_branch b;
	uint8_t made[OTST_BRANCH_MAX];

	(void)state;
	/* put_branch() writes a call as the pair by t0, and a jump as jal */
	check_branches(a, forms, 2);
	for (size_t i = 2; i < sizeof(forms) / sizeof(*forms); i++) {
		bool is = a->insn.branch(forms[i].bytes, sizeof(forms[i].bytes), AT, &b);

		assert_int_equal(is, forms[i].kind != OTST_BRANCH_NONE);
		assert_int_equal(b.kind, forms[i].kind);
		if (!is)
			continue;
		assert_int_equal(b.len, forms[i].len);
		assert_int_equal(b.target, AT + (uint64_t)forms[i].distance);
	}
	for (size_t i = 4; i < 6; i++) {
		assert_int_equal(a->insn.put_branch(made, OTST_BRANCH_JUMP, AT,
						    AT + (uint64_t)forms[i].distance),
				 4);
		assert_memory_equal(made, forms[i].bytes, 4);
	}
	assert_int_equal(a->insn.put_branch(made, OTST_BRANCH_JUMP, AT, AT + 0x100000), 0);
	/* half of a pair */
	assert_false(a->insn.branch(forms[0].bytes, 4, AT, &b));
	assert_ptr_equal(otst_breakpoint_at(a, ebreak, 4), &a->insn.breakpoint);
	assert_ptr_equal(otst_breakpoint_at(a, c_ebreak, 4), &a->insn.short_breakpoint);
	assert_null(otst_breakpoint_at(a, nops, 4));
	assert_ptr_equal(otst_breakpoint_on(a, 4), &a->insn.breakpoint);
	assert_ptr_equal(otst_breakpoint_on(a, 2), &a->insn.short_breakpoint);
	assert_int_equal(a->insn.len(nops), 4);
	assert_int_equal(a->insn.len(c_nop), 2);
	assert_int_equal(a->insn.entry_nop(nops), 4);
	assert_int_equal(a->insn.entry_nop(c_nop), 2);
	assert_int_equal(a->insn.entry_nop(ebreak), 0);
	assert_int_equal(a->insn.entry_mark(lpad), 4);
	assert_int_equal(a->insn.entry_mark(forms[0].bytes), 0);
	for (size_t i = 0; i < 3; i++) {
		assert_true(a->insn.follows_call(calls[i]));
		assert_false(a->insn.follows_call(others[i]));
	}
}

static void test_ppc64le(void **state)
{
	static const struct form forms[] = {
		{ { 0x01, 0x10, 0x00, 0x48 }, 4, OTST_BRANCH_CALL, 0x1000 },
		{ { 0xfd, 0xff, 0xff, 0x4b }, 4, OTST_BRANCH_CALL, -4 },
		{ { 0x38, 0x00, 0x00, 0x48 }, 4, OTST_BRANCH_JUMP, 0x38 },
		{ { 0xc8, 0x0f, 0x00, 0x4a }, 4, OTST_BRANCH_JUMP, -0x1fff038 },
		{ { 0xf4, 0xff, 0x82, 0x41 }, 4, OTST_BRANCH_NONE, 0 }, /* beq */
		{ { 0x21, 0x04, 0x80, 0x4e }, 4, OTST_BRANCH_NONE, 0 }, /* bctrl */
	};
	static const uint8_t trap[] = { 0x08, 0, 0xe0, 0x7f }, nop[] = { 0, 0, 0, 0x60 };
	static const uint8_t marks[][4] = { { 0xa6, 0x02, 0x08, 0x7c },	   /* mflr r0 */
					    { 0x23, 0x01, 0x4c, 0x3c },	   /* addis r2, r12 */
					    { 0x56, 0x04, 0x42, 0x38 } };  /* addi r2, r2 */
	static const uint8_t calls[][4] = { { 0x01, 0x10, 0x00, 0x48 },	   /* bl */
					    { 0x21, 0x04, 0x80, 0x4e },	   /* bctrl */
					    { 0x21, 0x00, 0x80, 0x4e },	   /* blrl */
					    { 0xe1, 0xff, 0x9f, 0x42 } };  /* bcl */
	static const uint8_t others[][4] = { { 0x38, 0x00, 0x00, 0x48 },   /* b */
					     { 0x20, 0x04, 0x80, 0x4e },   /* bctr */
					     { 0x20, 0x00, 0x80, 0x4e },   /* blr */
					     { 0xf4, 0xff, 0x82, 0x41 } }; /* beq */
	const struct otst_arch *a = otst_arch_named("ppc64le");

	(void)state;
	check_branches(a, forms, sizeof(forms) / sizeof(*forms));
	assert_true(otst_insn_is(&a->insn.breakpoint, trap, 4));
	assert_false(otst_insn_is(&a->insn.kgdb_breakpoint, trap, 4));
	assert_int_equal(a->insn.entry_nop(nop), 4);
	assert_int_equal(a->insn.entry_mark(nop), 0);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(a->insn.entry_mark(marks[i]), 4);
	for (size_t i = 0; i < 4; i++) {
		assert_true(a->insn.follows_call(calls[i]));
		assert_false(a->insn.follows_call(others[i]));
	}
}

static void test_s390x(void **state)
{
	static const struct form forms[] = {
		{ { 0xc0, 0x05, 0, 0, 0, 0x80 }, 6, OTST_BRANCH_CALL, 0x100 }, /* by r0 */
		{ { 0xc0, 0xf4, 0xff, 0xff, 0xff, 0xf8 }, 6, OTST_BRANCH_JUMP, -0x10 },
		{ { 0xc0, 0x04, 0, 0, 0, 0x80 }, 6, OTST_BRANCH_NONE, 0 },
		{ { 0xa7, 0xf4, 0xff, 0xfe }, 4, OTST_BRANCH_JUMP, -4 },
		{ { 0xa7, 0x84, 0, 4 }, 4, OTST_BRANCH_NONE, 0 }, /* je */
		{ { 0xa7, 0xe5, 0, 4 }, 4, OTST_BRANCH_CALL, 8 },
		{ { 0x0d, 0xe1 }, 2, OTST_BRANCH_NONE, 0 },
	};
	static const uint8_t brasl[] = { 0xc0, 0xe5, 0xff, 0xff, 0xff, 0xf8 },
			     bras[] = { 0, 0, 0xa7, 0xe5, 0, 4 },
			     basr[] = { 0, 0, 0, 0, 0x0d, 0xe1 };
	/* jg, basr by another register, brasl by r1 */
	static const uint8_t others[][6] = { { 0xc0, 0xf4, 0, 0, 0, 0x80 },
					     { 0, 0, 0, 0, 0x0d, 0x12 },
					     { 0xc0, 0x15, 0, 0, 0, 0x10 } };
	static const uint8_t probe[] = { 0, 2, 0, 0, 0, 0 };
	/* brasl %r1, where vfs_read continues, ftrace_caller: from Debian's 6.1 */
	uint8_t trampoline[] = { 0xc0, 0x15, 0xff, 0xb5, 0xaf, 0x78, 0, 0, 0, 0,    0,	  0,
				 0,    0x41, 0x23, 0x7e, 0,    0,    0, 0, 0, 0xa3, 0x30, 0x80 };
	uint8_t site[] = { 0xc0, 0x04, 0, 0, 0, 0x80 };
	const struct otst_arch *a = otst_arch_named("s390x");
	struct otst_branch b;
	uint64_t to;

	(void)state;
	check_branches(a, forms, sizeof(forms) / sizeof(*forms));
	assert_true(a->insn.branch(forms[0].bytes, 4, AT, &b));
	assert_int_equal(b.target, 0);
	assert_ptr_equal(otst_breakpoint_at(a, probe, 2), &a->insn.breakpoint);
	assert_null(otst_breakpoint_at(a, basr, 6));
	assert_int_equal(a->insn.entry_nop(forms[2].bytes), 6);
	assert_int_equal(a->insn.entry_nop(forms[1].bytes), 0);
	assert_true(a->insn.follows_call(brasl) && a->insn.follows_call(bras) &&
		    a->insn.follows_call(basr));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(a->insn.follows_call(others[i]));
	assert_true(a->reloc.veneer(trampoline, AT, &to));
	assert_int_equal(to, 0xa33080);
	trampoline[1] = 0xe5;
	assert_false(a->reloc.veneer(trampoline, AT, &to));
	assert_true(a->ftrace.switch_site(site, true));
	assert_int_equal(site[1], 0xf4);
	assert_true(a->ftrace.switch_site(site, false));
	assert_memory_equal(site, forms[2].bytes, sizeof(site));
	assert_false(a->ftrace.switch_site(trampoline, true));
}

/* region-third, segment and page tables, as arch/s390/include/asm/pgtable.h has their entries */
static void test_s390x_tables(void **state)
{
	static const struct {
		uint64_t entry;
		unsigned int shift;
		bool present, is_memory;
		uint64_t next;
	} entries[] = {
		{ 0x1295007, 31, true, false, 0x1295000 },
		{ 0x80000407, 31, true, true, 0x80000000 }, /* 2 GiB */
		{ 0x1295003, 31, false, false, 0 },	    /* of a segment table */
		{ 0x1295027, 31, false, false, 0 },	    /* invalid */
		{ 0x129800b, 42, true, false, 0x1298000 },
		{ 0x2677800, 20, true, false, 0x2677800 }, /* page tables are of 2 KiB */
		{ 0x2600400, 20, true, true, 0x2600000 },
		{ 0x2600420, 20, false, false, 0 },
		{ 0x267721f, 12, true, true, 0x2677000 },
		{ 0x2677400, 12, false, false, 0 },
	};
	const struct otst_arch *a = otst_arch_named("s390x");

	(void)state;
	for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++) {
		uint64_t next = 0;
		bool memory = false, is;

		is = a->paging.decode_entry(&a->paging.layouts[0], entries[i].entry,
					    entries[i].shift, &next, &memory);
		assert_int_equal(is, entries[i].present);
		if (!is)
			continue;
		assert_int_equal(memory, entries[i].is_memory);
		assert_int_equal(next & -(UINT64_C(1) << (memory ? entries[i].shift : 11)),
				 entries[i].next);
	}
	assert_int_equal(a->paging.index_bits(&a->paging.layouts[0], 12), 8);
	assert_int_equal(a->paging.index_bits(&a->paging.layouts[0], 20), 11);
	assert_true(a->paging.translates(&a->paging.layouts[0], 0x3ff7fd00000));
	assert_false(a->paging.translates(&a->paging.layouts[0], UINT64_C(1) << 42));
}

/* values as GNU ld writes them */
static void test_relocations(void **state)
{
	enum { FAR_LOW = 0x12345678, NEAR_LOW = 0x10001ff4 };
	static const struct {
		uint32_t type;
		unsigned int at;
		uint64_t value, built, linked;
		size_t size;
	} relocs[] = {
		{ R_AARCH64_MOVW_UABS_G0_NC, 0x0, FAR_LOW, 0xd2800000, 0xd28acf00, 4 },
		{ R_AARCH64_MOVW_UABS_G1_NC, 0x4, FAR_LOW, 0xf2a00000, 0xf2a24680, 4 },
		{ R_AARCH64_MOVW_UABS_G2_NC, 0x8, FAR_LOW, 0xf2c00000, 0xf2d00000, 4 },
		{ R_AARCH64_MOVW_UABS_G3, 0xc, FAR_LOW, 0xf2e00000, 0xf2ffffe0, 4 },
		{ R_AARCH64_LD_PREL_LO19, 0x18, NEAR_LOW, 0x58000002, 0x5800fee2, 4 },
		{ R_AARCH64_ADR_PREL_LO21, 0x1c, NEAR_LOW, 0x10000003, 0x1000fec3, 4 },
		{ R_AARCH64_ADR_PREL_PG_HI21, 0x20, FAR_LOW, 0x90000004, 0xb0011a24, 4 },
		{ R_AARCH64_ADD_ABS_LO12_NC, 0x24, FAR_LOW, 0x91000084, 0x9119e084, 4 },
		{ R_AARCH64_LDST8_ABS_LO12_NC, 0x28, FAR_LOW, 0x39400085, 0x3959e085, 4 },
		{ R_AARCH64_LDST16_ABS_LO12_NC, 0x2c, FAR_LOW, 0x79400085, 0x794cf085, 4 },
		{ R_AARCH64_LDST32_ABS_LO12_NC, 0x30, FAR_LOW, 0xb9400085, 0xb9467885, 4 },
		{ R_AARCH64_LDST64_ABS_LO12_NC, 0x34, FAR_LOW, 0xf9400085, 0xf9433c85, 4 },
		{ R_AARCH64_LDST128_ABS_LO12_NC, 0x38, FAR_LOW + 8, 0x3dc00085, 0x3dc1a085, 4 },
		{ R_AARCH64_TSTBR14, 0x3c, NEAR_LOW, 0x36180006, 0x3618fdc6, 4 },
		{ R_AARCH64_CONDBR19, 0x40, NEAR_LOW, 0xb4000006, 0xb400fda6, 4 },
		{ R_AARCH64_JUMP26, 0x48, NEAR_LOW, 0x14000000, 0x140007eb, 4 },
		{ R_AARCH64_CALL26, 0x4c, NEAR_LOW, 0x94000000, 0x940007ea, 4 },
		{ R_AARCH64_ABS64, 0x50, FAR_LOW, 0, 0xffff800012345678, 8 },
		{ R_AARCH64_PREL64, 0x58, FAR_LOW, 0, 0x2345620, 8 },
		{ R_AARCH64_PREL32, 0x60, NEAR_LOW, 0, 0x1f94, 4 },
		{ R_AARCH64_PREL16, 0x64, NEAR_LOW, 0, 0x1f90, 2 },
	};
	const struct otst_arch *a = otst_arch_named("aarch64");
	uint64_t word;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(relocs) / sizeof(*relocs); i++) {
		word = relocs[i].built;
		assert_true(a->reloc.apply((uint8_t *)&word, relocs[i].size, relocs[i].type,
					   AT + relocs[i].at,
					   (AT & ~0xffffffffull) + relocs[i].value));
		assert_int_equal(word, relocs[i].linked);
		assert_false(a->reloc.apply((uint8_t *)&word, relocs[i].size - 1, relocs[i].type,
					    AT, AT));
	}
	/* movz becomes movn for a negative value */
	word = 0xd2800001;
	assert_true(a->reloc.apply((uint8_t *)&word, 4, R_AARCH64_MOVW_SABS_G0, AT, (uint64_t)-5));
	assert_int_equal(word, 0x92800081);
	assert_true(a->reloc.apply((uint8_t *)&word, 4, R_AARCH64_MOVW_SABS_G0, AT, 7));
	assert_int_equal(word, 0xd28000e1);
	assert_false(a->reloc.apply((uint8_t *)&word, 4, R_AARCH64_TLSDESC_CALL, AT, AT));
}

/* @built at AT becomes @linked when the symbol is @value bytes away; one byte less will not do */
struct relocation {
	uint32_t type;
	int64_t value;
	uint64_t built, linked;
	size_t size;
};

static void assert_relocated(const struct otst_arch *a, const struct relocation *r)
{
	uint64_t word = r->built;

	assert_true(
		a->reloc.apply((uint8_t *)&word, r->size, r->type, AT, AT + (uint64_t)r->value));
	assert_int_equal(word, r->linked);
	assert_false(a->reloc.apply((uint8_t *)&word, r->size - 1, r->type, AT, AT));
}

/* halves of instructions, and instructions as GNU as writes them */
static void test_ppc_relocations(void **state)
{
	static const struct relocation relocs[] = {
		{ R_PPC64_REL24, 0x1234, 0x48000001, 0x48001235, 4 },
		{ R_PPC64_REL24, -8, 0x48001235, 0x4bfffff9, 4 },
		{ R_PPC64_REL32, -8, 0, 0xfffffff8, 4 },
		{ R_PPC64_REL64, -16, 1, (uint64_t)-16, 8 },
		{ R_PPC64_REL16_HA, 0x12348abc, 0, 0x1235, 2 },
		{ R_PPC64_REL16_LO, 0x12348abc, 0, 0x8abc, 2 },
		{ R_PPC64_TOC16_HA, -0x8000, 0x1234, 0, 2 },
		{ R_PPC64_TOC16_HA, -0x8001, 0, 0xffff, 2 },
		{ R_PPC64_TOC16_LO_DS, 0x12348abc, 1, 0x8abd, 2 },
		{ R_PPC64_ENTRY, 0x12348abc, 0x7c426214e84cfff8, 0x38428abc3c4c1235, 8 },
		/* too far; another instruction */
		{ R_PPC64_ENTRY, 0x80000000, 0x7c426214e84cfff8, 0x7c426214e84cfff8, 8 },
		{ R_PPC64_ENTRY, 0x12348abc, 0x7c426214e84dfff8, 0x7c426214e84dfff8, 8 },
		/* the next ones are not relative to their place */
		{ R_PPC64_ADDR64, 0x10, 0, AT + 0x10, 8 },
		{ R_PPC64_ADDR32, 0x1234 - AT, 0, 0x1234, 4 },
		{ R_PPC64_TOC, 0x8000, 0, AT + 0x8000, 8 },
	};
	const struct otst_arch *a = otst_arch_named("ppc64le");
	uint64_t word;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(relocs) / sizeof(*relocs); i++)
		assert_relocated(a, &relocs[i]);
	assert_true(a->reloc.apply((uint8_t *)&word, 4, R_PPC64_REL24, AT, AT + 0x1fffffc));
	assert_false(a->reloc.apply((uint8_t *)&word, 4, R_PPC64_REL24, AT, AT + 0x2000000));
	assert_false(a->reloc.apply((uint8_t *)&word, 4, R_PPC64_REL24, AT, AT - 0x2000004));
	assert_false(a->reloc.apply((uint8_t *)&word, 4, R_PPC64_REL24, AT, AT + 2));
	assert_false(a->reloc.apply((uint8_t *)&word, 8, R_PPC64_COPY, AT, AT));
	/* from a function's first instruction to where r2 is set */
	assert_int_equal(a->reloc.toc->local(0), 0);
	assert_int_equal(a->reloc.toc->local(1 << 5), 0);
	assert_int_equal(a->reloc.toc->local(3 << 5), 8);
	/* a nop behind a call, not behind a jump */
	word = 0x6000000048001235;
	a->reloc.toc->restore((uint8_t *)&word, 4);
	assert_int_equal(word, 0x6000000048001235);
	a->reloc.toc->restore((uint8_t *)&word, 8);
	assert_int_equal(word, 0xe841001848001235);
	word = 0x6000000048001234;
	a->reloc.toc->restore((uint8_t *)&word, 8);
	assert_int_equal(word, 0x6000000048001234);
}

/* instructions as GNU as writes them, at AT and @value away from it */
static void test_riscv_relocations(void **state)
{
	static const struct relocation relocs[] = {
		{ R_RISCV_BRANCH, 0xaaa, 0x00b50063, 0x2ab505e3, 4 },
		{ R_RISCV_BRANCH, -0x556, 0x2ab505e3, 0xaab505e3, 4 },
		{ R_RISCV_JAL, 0xaaaaa, 0x000000ef, 0x2abaa0ef, 4 },
		{ R_RISCV_JAL, -0x55556, 0x2abaa0ef, 0xaabaa0ef, 4 },
		{ R_RISCV_PCREL_HI20, 0x12345abc, 0x00000517, 0x12346517, 4 },
		{ R_RISCV_PCREL_LO12_I, 0x12345abc, 0x00050513, 0xabc50513, 4 },
		{ R_RISCV_PCREL_LO12_S, 0x12345abc, 0x00b53023, 0xaab53e23, 4 },
		{ R_RISCV_CALL_PLT, 0x12345abc, 0x000080e700000097, 0xabc080e712346097, 8 },
		{ R_RISCV_CALL, 0x12345abc, 0x000080e700000097, 0xabc080e712346097, 8 },
		{ R_RISCV_RVC_BRANCH, 0xaa, 0xc101, 0xc54d, 2 },
		{ R_RISCV_RVC_BRANCH, -0x56, 0xc54d, 0xd54d, 2 },
		{ R_RISCV_RVC_JUMP, 0x2aa, 0xa001, 0xa46d, 2 },
		{ R_RISCV_RVC_JUMP, -0x556, 0xa46d, 0xb46d, 2 },
		{ R_RISCV_32_PCREL, -8, 0, 0xfffffff8, 4 },
		/* the next ones are not relative to their place */
		{ R_RISCV_HI20, 0x12345abc - AT, 0x00000537, 0x12346537, 4 },
		{ R_RISCV_LO12_I, 0x12345abc - AT, 0x00050513, 0xabc50513, 4 },
		{ R_RISCV_64, 0x10, 0, AT + 0x10, 8 },
		{ R_RISCV_ADD32, 0x1234 - AT, 0x11111111, 0x11112345, 4 },
		{ R_RISCV_SUB32, 0x1111 - AT, 0x11112345, 0x11111234, 4 },
		{ R_RISCV_ADD64, 1 - AT, UINT64_MAX, 0, 8 },
		{ R_RISCV_SUB8, 3 - AT, 0x01, 0xfe, 1 },
		{ R_RISCV_SET6, 0x7f - AT, 0x80, 0xbf, 1 },
		{ R_RISCV_SUB6, 1 - AT, 0x80, 0xbf, 1 },
	};
	const struct otst_arch *a = otst_arch_named("riscv64");
	uint64_t word;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(relocs) / sizeof(*relocs); i++)
		assert_relocated(a, &relocs[i]);
	/* riscv_insn_valid_32bit_offset(); the kernel refuses R_RISCV_ALIGN */
	assert_true(a->reloc.apply((uint8_t *)&word, 8, R_RISCV_CALL, AT, AT + 0x7ffff7ff));
	assert_false(a->reloc.apply((uint8_t *)&word, 8, R_RISCV_CALL, AT, AT + 0x7ffff800));
	assert_true(a->reloc.apply((uint8_t *)&word, 8, R_RISCV_CALL, AT, AT - 0x80000800));
	assert_false(a->reloc.apply((uint8_t *)&word, 8, R_RISCV_CALL, AT, AT - 0x80000802));
	assert_false(a->reloc.apply((uint8_t *)&word, 8, R_RISCV_ALIGN, AT, AT));
	assert_true(a->reloc.by_place(R_RISCV_PCREL_LO12_I, R_RISCV_PCREL_HI20));
	assert_false(a->reloc.by_place(R_RISCV_PCREL_LO12_I, R_RISCV_RELAX));
	assert_false(a->reloc.by_place(R_RISCV_LO12_I, 0));
}

/* as GNU as and ld write them for s390x: big-endian, and distances in half words from @AT */
static void test_s390_relocations(void **state)
{
	static const struct {
		uint32_t type;
		int64_t value;
		uint64_t linked;
		size_t size;
	} relocs[] = {
		{ R_390_PC32DBL, 0x12345678, 0x091a2b3c, 4 },
		{ R_390_PLT32DBL, -2, 0xffffffff, 4 },
		{ R_390_PLT32DBL, 0xfffffffe, 0x7fffffff, 4 },
		{ R_390_PLT32DBL, -0x100000000, 0x80000000, 4 },
		{ R_390_GOTENT, -0x1622, 0xfffff4ef, 4 },
		{ R_390_PC16DBL, 0x1234, 0x091a, 2 },
		{ R_390_PLT16DBL, -0x10000, 0x8000, 2 },
		{ R_390_PC32, 0x12345679, 0x12345679, 4 },
		{ R_390_PC64, -1, UINT64_MAX, 8 },
		/* the next ones are not relative to their place */
		{ R_390_64, 0x10, AT + 0x10, 8 },
		{ R_390_32, 0x12345678 - AT, 0x12345678, 4 },
		{ R_390_16, 0x1234 - AT, 0x1234, 2 },
		{ R_390_8, 0x12 - AT, 0x12, 1 },
	};
	const struct otst_arch *a = otst_arch_named("s390x");
	uint8_t bytes[8];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(relocs) / sizeof(*relocs); i++) {
		memset(bytes, 0x55, sizeof(bytes));
		assert_true(a->reloc.apply(bytes, relocs[i].size, relocs[i].type, AT,
					   AT + (uint64_t)relocs[i].value));
		assert_int_equal(otst_get_be(bytes, relocs[i].size), relocs[i].linked);
		assert_false(a->reloc.apply(bytes, relocs[i].size - 1, relocs[i].type, AT, AT));
	}
	/* out of reach, where calls use the PLT; half a half word; a copy is not for modules */
	assert_false(a->reloc.apply(bytes, 4, R_390_PLT32DBL, AT, AT + 0x100000000));
	assert_false(a->reloc.apply(bytes, 4, R_390_PLT32DBL, AT, AT - 0x100000002));
	assert_false(a->reloc.apply(bytes, 2, R_390_PLT16DBL, AT, AT + 0x10000));
	assert_false(a->reloc.apply(bytes, 4, R_390_PC32DBL, AT, AT + 1));
	assert_false(a->reloc.apply(bytes, 8, R_390_COPY, AT, AT));
	assert_int_equal(a->reloc.slot(R_390_GOTENT), OTST_SLOT_GOT);
	assert_int_equal(a->reloc.slot(R_390_PLT32DBL), OTST_SLOT_PLT);
	assert_int_equal(a->reloc.slot(R_390_PC32DBL), OTST_SLOT_NONE);
}

static void test_veneers(void **state)
{
	/* adrp x16, .+0x2345000; add x16, x16, #0x678; br x16; and back by a page */
	static const uint8_t forth[] = { 0x30, 0x1a, 0x01, 0xb0, 0x10, 0xe2, 0x19, 0x91,
					 0x00, 0x02, 0x1f, 0xd6, 0,    0,    0,	   0 };
	static const uint8_t back[] = { 0xf0, 0xff, 0xff, 0xf0, 0x10, 0x02, 0x00, 0x91,
					0x00, 0x02, 0x1f, 0xd6, 0,    0,    0,	  0 };
	/* movn x16, #0x4321; movk x16, #0x1234, lsl #16; movk x16, #0x8000, lsl #32; br x16 */
	static const uint8_t moves[] = { 0x30, 0x64, 0x88, 0x92, 0x90, 0x46, 0xa2, 0xf2,
					 0x10, 0x00, 0xd0, 0xf2, 0x00, 0x02, 0x1f, 0xd6 };
	const struct otst_arch *a = otst_arch_named("aarch64");
	uint8_t other[sizeof(forth)];
	uint64_t to;

	(void)state;
	assert_true(a->reloc.veneer(forth, AT + 8, &to));
	assert_int_equal(to, AT + 0x2345678);
	assert_true(a->reloc.veneer(back, AT + 8, &to));
	assert_int_equal(to, AT - 0x1000);
	assert_true(a->reloc.veneer(moves, AT, &to));
	assert_int_equal(to, 0xffff80001234bcde);
	/* br x17 */
	memcpy(other, forth, sizeof(other));
	other[8] = 0x20;
	assert_false(a->reloc.veneer(other, AT, &to));
}

#define COUNT_ROW(arch) +1

/* a row of OTST_ARCHES() whose file is missing goes unnoticed by the linker */
static void test_all_linked(void **state)
{
	size_t n = 0;

	(void)state;
	while (otst_arch_row(n))
		n++;
	assert_int_equal(n, 0 OTST_ARCHES(COUNT_ROW));
}

static void expect_part(const struct otst_arch *a, const char *part, bool needed, bool is_there)
{
	if (needed && !is_there)
		fail_msg("%s has no %s", *a->name ? a->name : "the unknown processor", part);
}

/* what the engine uses without a question: see struct otst_arch */
static void expect_required(const struct otst_arch *a)
{
	const struct otst_arch_paging *p = &a->paging;

	expect_part(a, "insn.step", true, a->insn.step);
	expect_part(a, "insn.branch_len", true, a->insn.branch_len);
	expect_part(a, "insn.branch", true, a->insn.branch);
	expect_part(a, "insn.put_branch", true, a->insn.put_branch);
	expect_part(a, "insn.entry_mark", true, a->insn.entry_mark);
	expect_part(a, "insn.entry_nop", true, a->insn.entry_nop);
	expect_part(a, "insn.follows_call", true, a->insn.follows_call);
	expect_part(a, "reg.user_mode", a->reg.list, a->reg.user_mode);
	expect_part(a, "reg.thread_sp", a->reg.list, a->reg.thread_sp);
	expect_part(a, "reg.shown_pc", a->reg.list, a->reg.shown_pc);
	expect_part(a, "stored.take", a->stored.areas, a->stored.take);
	expect_part(a, "reloc.put_plt", a->reloc.slot, a->reloc.put_plt);
	expect_part(a, "reloc.veneer_len", a->reloc.veneer, a->reloc.veneer_len);
	expect_part(a, "disasm.refer", a->disasm.has_capstone, a->disasm.refer);
	expect_part(a, "paging.top_tables", p->layouts, p->top_tables);
	expect_part(a, "paging.translates", p->layouts, p->translates);
	expect_part(a, "paging.decode_entry", p->layouts, p->decode_entry);
	expect_part(a, "paging.find", p->layouts, p->find);
}

static void test_required(void **state)
{
	const struct otst_arch *a;

	(void)state;
	expect_required(&otst_arch_unknown);
	for (size_t i = 0; (a = otst_arch_row(i)); i++) {
		expect_part(a, "name", true, a->name && *a->name);
		expect_part(a, "elf_machine", true, a->elf_machine);
		expect_required(a);
	}
}

static void test_unknown(void **state)
{
	static const uint8_t call[] = { 0xe8, 0, 0, 0, 0 };
	const struct otst_arch *a = otst_arch_named("mips64");
	struct otst_branch b;
	uint8_t to[OTST_BRANCH_MAX];

	(void)state;
	assert_ptr_equal(a, &otst_arch_unknown);
	assert_false(a->insn.branch(call, sizeof(call), AT, &b));
	assert_int_equal(a->insn.put_branch(to, OTST_BRANCH_CALL, AT, AT), 0);
	assert_false(otst_insn_is(&a->insn.breakpoint, call, sizeof(call)));
	assert_true(a->insn.follows_call(call));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86_64),
		cmocka_unit_test(test_aarch64),
		cmocka_unit_test(test_riscv64),
		cmocka_unit_test(test_ppc64le),
		cmocka_unit_test(test_s390x),
		cmocka_unit_test(test_s390x_tables),
		cmocka_unit_test(test_relocations),
		cmocka_unit_test(test_ppc_relocations),
		cmocka_unit_test(test_riscv_relocations),
		cmocka_unit_test(test_s390_relocations),
		cmocka_unit_test(test_veneers),
		cmocka_unit_test(test_all_linked),
		cmocka_unit_test(test_required),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
