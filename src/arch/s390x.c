// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * s390x.c - the PSW and the general registers, as NT_PRSTATUS and struct pt_regs of
 * arch/s390/include/asm/ptrace.h have them, the ELF ABI of s390x, its page tables, and the
 * relocations of modules.
 */
#include <capstone/capstone.h>
#include <elf.h>

#include "arch.h"
#include "bytes.h"

enum { MASK, ADDR, R0, RA = R0 + 14, SP = R0 + 15, NR_REGS };

#define MODE_USER (UINT64_C(1) << 48) /* PSW_MASK_PSTATE */

static const struct otst_register regs[NR_REGS] = {
	{ "pswm", "psw.mask", 0, 64 }, { "pswa", "psw.addr", 0, 65 }, { "r0", "gprs", 0, 0 },
	{ "r1", "gprs", 1, 1 },	       { "r2", "gprs", 2, 2 },	      { "r3", "gprs", 3, 3 },
	{ "r4", "gprs", 4, 4 },	       { "r5", "gprs", 5, 5 },	      { "r6", "gprs", 6, 6 },
	{ "r7", "gprs", 7, 7 },	       { "r8", "gprs", 8, 8 },	      { "r9", "gprs", 9, 9 },
	{ "r10", "gprs", 10, 10 },     { "r11", "gprs", 11, 11 },     { "r12", "gprs", 12, 12 },
	{ "r13", "gprs", 13, 13 },     { "r14", "gprs", 14, 14 },     { "r15", "gprs", 15, 15 },
};

static const uint8_t args[] = { R0 + 2, R0 + 3, R0 + 4, R0 + 5, R0 + 6 };

/* show_registers() of arch/s390/kernel/dumpstack.c */
static const struct otst_shown_reg shown[] = {
	{ "\nKrnl GPRS: ", R0, 16, 0 },
	{ " ", R0 + 1, 16, 0 },
	{ " ", R0 + 2, 16, 0 },
	{ " ", R0 + 3, 16, 0 },
	{ "\n           ", R0 + 4, 16, 0 },
	{ " ", R0 + 5, 16, 0 },
	{ " ", R0 + 6, 16, 0 },
	{ " ", R0 + 7, 16, 0 },
	{ "\n           ", R0 + 8, 16, 0 },
	{ " ", R0 + 9, 16, 0 },
	{ " ", R0 + 10, 16, 0 },
	{ " ", R0 + 11, 16, 0 },
	{ "\n           ", R0 + 12, 16, 0 },
	{ " ", R0 + 13, 16, 0 },
	{ " ", R0 + 14, 16, 0 },
	{ " ", R0 + 15, 16, 0 },
};

static bool s390x_user_mode(const uint64_t *r)
{
	return r[MASK] & MODE_USER;
}

/* ---- "store status": the architecture says where in a cpu's low core (asm/lowcore.h) ---- */

#define LOWCORE	   8192u
#define STORED_AT  0x1280u /* gpregs_save_area, then psw_save_area */
#define STORED_PSW 128u
#define STORED_LEN 144u

/*
 * The kernel zeroes a low core before its cpu starts, and a PSW of 64-bit code is never zero.
 * General registers without a PSW come from a machine check.
 */
static bool take_stored(const uint8_t *bytes, uint64_t *ret)
{
	ret[MASK] = otst_get_be(bytes + STORED_PSW, 8);
	ret[ADDR] = otst_get_be(bytes + STORED_PSW + 8, 8);
	for (unsigned int i = 0; i < 16; i++)
		ret[R0 + i] = otst_get_be(bytes + 8 * (size_t)i, 8);
	return ret[MASK];
}

/* ---- instructions: 2, 4 or 6 bytes, according to the first two bits ---- */

#define LONG   6u /* brasl, brcl: a distance of 32 bits, in half words */
#define SHORT  4u /* bras, brc: of 16 bits */
#define BRASL  0xc005u
#define BRCL   0xc004u
#define BRAS   0xa705u
#define BRC    0xa704u
#define OPCODE 0xff0fu /* a register or the condition is between its two parts */
#define ALWAYS 0x00f0u

static uint16_t opcode_of(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static bool s390x_find_branch(const uint8_t *bytes, size_t len, uint64_t addr,
			      struct otst_branch *ret)
{
	uint16_t insn = opcode_of(bytes), op = insn & OPCODE;
	bool is_long = op == BRASL || op == BRCL;

	*ret = (struct otst_branch){ .len = is_long ? LONG : SHORT };
	if (op == BRASL || op == BRAS)
		ret->kind = OTST_BRANCH_CALL;
	else if ((op == BRCL || op == BRC) && (insn & ALWAYS) == ALWAYS)
		ret->kind = OTST_BRANCH_JUMP;
	else
		return false;
	if (is_long && len >= LONG)
		ret->target = addr + 2 * (uint64_t)(int64_t)(int32_t)otst_get_be(bytes + 2, 4);
	else if (!is_long && len >= SHORT)
		ret->target = addr + 2 * (uint64_t)(int64_t)(int16_t)otst_get_be(bytes + 2, 2);
	return true;
}

static size_t s390x_put_branch(uint8_t *to, enum otst_branch_kind kind, uint64_t addr,
			       uint64_t target)
{
	uint64_t insn = kind == OTST_BRANCH_CALL ? BRASL : BRCL | ALWAYS;

	insn = insn << 32 | ((target - addr) >> 1 & UINT32_MAX);
	for (size_t i = 0; i < LONG; i++)
		to[i] = (uint8_t)(insn >> 8 * (LONG - 1 - i));
	return LONG;
}

/* since v5.15 it holds the distance to the function's trampoline */
static size_t s390x_entry_nop(const uint8_t *bytes)
{
	return opcode_of(bytes) == BRCL ? LONG : 0;
}

/* brasl, bras, basr; all of them put the return address into r14 */
static bool s390x_follows_call(const uint8_t *before)
{
	return opcode_of(before) == (BRASL | 0xe0) || opcode_of(before + 2) == (BRAS | 0xe0) ||
	       (before[4] == 0x0d && before[5] >> 4 == 14);
}

#define BRASL_R1      (BRASL | 0x10)
#define INTERCEPTOR   16u
#define TRAMPOLINE_TO (INTERCEPTOR + 8)

/*
 * struct ftrace_hotpatch_trampoline, one for each function that can be traced: brasl to
 * code that all share, where the function continues, and the address of what it calls.
 */
static bool s390x_veneer(const uint8_t *bytes, uint64_t addr, uint64_t *ret)
{
	(void)addr;
	if (opcode_of(bytes) != BRASL_R1)
		return false;
	*ret = otst_get_be(bytes + INTERCEPTOR, 8);
	return true;
}

/* the condition of brcl: always or never */
static bool s390x_switch_site(uint8_t *insn, bool on)
{
	if ((opcode_of(insn) & OPCODE) != BRCL)
		return false;
	insn[1] = (uint8_t)(on ? BRCL | ALWAYS : BRCL);
	return true;
}

/* ---- relocations of modules (arch/s390/kernel/module.c) ---- */

/* as check_rela() counts them */
static enum otst_reloc_slot s390x_reloc_slot(uint32_t type)
{
	switch (type) {
	case R_390_GOT12:
	case R_390_GOT16:
	case R_390_GOT20:
	case R_390_GOT32:
	case R_390_GOT64:
	case R_390_GOTENT:
	case R_390_GOTPLT12:
	case R_390_GOTPLT16:
	case R_390_GOTPLT20:
	case R_390_GOTPLT32:
	case R_390_GOTPLT64:
	case R_390_GOTPLTENT:
		return OTST_SLOT_GOT;
	case R_390_PLT16DBL:
	case R_390_PLT32DBL:
	case R_390_PLT32:
	case R_390_PLT64:
	case R_390_PLTOFF16:
	case R_390_PLTOFF32:
	case R_390_PLTOFF64:
		return OTST_SLOT_PLT;
	default:
		return OTST_SLOT_NONE;
	}
}

#define PLT_ENTRY     22u /* with the target in its last 8 bytes */
#define PLT_ENTRY_OLD 20u

/*
 * basr %r1, 0; lg %r1, of the target; br %r1. Kernels with expolines jump through the last entry
 * instead: with brcl, or in shorter entries with brc.
 */
static bool s390x_put_plt(uint8_t *to, uint64_t size, uint64_t at, uint64_t target, uint64_t via)
{
	uint8_t insns[] = { 0x0d, 0x10, 0xe3, 0x10, 0x10, 0x0c, 0x00, 0x04, 0x07, 0xf1 };
	uint64_t distance = (via - at - 8) >> 1;

	if (size != PLT_ENTRY && size != PLT_ENTRY_OLD)
		return false;
	insns[5] = (uint8_t)(size - 10);
	memset(to, 0, size);
	memcpy(to, insns, sizeof(insns));
	if (via && size == PLT_ENTRY) {
		to[8] = 0xc0;
		to[9] = 0xf4;
		otst_put_be(to + 10, distance, 4);
	} else if (via) {
		to[8] = 0xa7;
		to[9] = 0xf4;
		otst_put_be(to + 10, distance, 2);
	}
	otst_put_be(to + size - 8, target, 8);
	return true;
}

/* @size: bytes of the place; @relative: to the place; @half: counts half words */
static const struct {
	uint8_t type, size;
	bool relative, half;
} relocs[] = {
	{ R_390_8, 1, false, false },	   { R_390_16, 2, false, false },
	{ R_390_32, 4, false, false },	   { R_390_64, 8, false, false },
	{ R_390_PC16, 2, true, false },	   { R_390_PC32, 4, true, false },
	{ R_390_PC64, 8, true, false },	   { R_390_PC16DBL, 2, true, true },
	{ R_390_PC32DBL, 4, true, true },  { R_390_PLT16DBL, 2, true, true },
	{ R_390_PLT32DBL, 4, true, true }, { R_390_GOTENT, 4, true, true },
};

static bool s390x_relocate(uint8_t *place, size_t room, uint32_t type, uint64_t addr,
			   uint64_t value)
{
	const size_t count = sizeof(relocs) / sizeof(*relocs);
	size_t i, k, size;

	if (type == R_390_NONE)
		return true;
	for (i = 0; i < count && relocs[i].type != type; i++)
		;
	if (i == count || relocs[i].size > room)
		return false;
	size = relocs[i].size;
	value -= relocs[i].relative ? addr : 0;
	if (relocs[i].half) {
		if (value & 1 || value + (UINT64_C(1) << 8 * size) >= UINT64_C(1) << (8 * size + 1))
			return false;
		value >>= 1;
	}
	for (k = size; k--; value >>= 8)
		place[k] = (uint8_t)value;
	return true;
}

/* ---- disassembly ---- */

/* the breakpoint of kprobes is not a defined instruction */
static const struct otst_insn_known known[] = {
	{ { 0x00, 0x02 }, 2, 0xff, 2, ".short 0x0002" },
};

static void s390x_refer(const struct cs_insn *insn, bool branch, uint64_t *target, bool *refers)
{
	const cs_sysz *z = &insn->detail->sysz;

	(void)refers;
	if (branch && z->op_count && z->operands[z->op_count - 1].type == SYSZ_OP_IMM)
		*target = (uint64_t)z->operands[z->op_count - 1].imm;
}

/* ---- page tables (arch/s390/include/asm/pgtable.h) ---- */

#define SEGMENT_SHIFT 20u
#define INVALID	      0x20u /* of a segment or region */
#define LARGE	      0x400u
#define TYPE	      0x0cu
#define PAGE_INVALID  0x400u

/* region-third and region-second tables on top */
static const struct otst_paging layouts[] = {
	{ .page_shift = 12, .va_bits = 42 },
	{ .page_shift = 12, .va_bits = 53 },
};

static const char *const top_tables[] = { "swapper_pg_dir", NULL };

static unsigned int s390x_index_bits(const struct otst_paging *g, unsigned int shift)
{
	return shift == g->page_shift ? 8 : 11;
}

static bool s390x_translates(const struct otst_paging *g, uint64_t virt)
{
	return !(virt >> g->va_bits);
}

static bool s390x_decode_entry(const struct otst_paging *g, uint64_t entry, unsigned int shift,
			       uint64_t *next, bool *is_memory)
{
	*is_memory = shift == g->page_shift || (entry & LARGE && shift < 42);
	if (entry & (shift == g->page_shift ? PAGE_INVALID : INVALID))
		return false;
	/* an entry says in which kind of table it is, see _REGION_ENTRY_TYPE_R3 */
	if (shift > g->page_shift && (entry & TYPE) != (shift - SEGMENT_SHIFT) / 11 << 2)
		return false;
	*next = entry & ~(uint64_t)(!*is_memory && shift == SEGMENT_SHIFT ? 0x7ff : 0xfff);
	return true;
}

/*
 * Up to v6.9 the kernel's addresses are physical ones. Since then the image has its own
 * addresses: Linux c98d2ecae08f ("s390/mm: Uncouple physical vs virtual address spaces") (v6.10).
 */
static size_t s390x_find_pagings(otst_fact_fn *fact, void *priv,
				 struct otst_paging ret[OTST_PAGINGS_MAX], uint64_t *virt,
				 uint64_t *phys)
{
	uint64_t root, own, offset, place;
	size_t i;

	/* no other machine's kernels have SAMODE31 */
	if (!fact(priv, "SAMODE31", &own) || !fact(priv, "SYMBOL(swapper_pg_dir)", &root))
		return 0;
	if (!fact(priv, "SYMBOL(_stext)", virt))
		*virt = root;
	if (!fact(priv, "KERNELOFFPHYS", &place) || !fact(priv, "KERNELOFFSET", &offset))
		place = offset = 0;
	*phys = *virt - offset + place;
	for (i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		ret[i] = layouts[i];
		ret[i].root = root - offset + place;
	}
	return i;
}

/* the variable is the shift */
static uint64_t s390x_image_shift(uint64_t move, uint64_t kaslr_offset)
{
	(void)move;
	return kaslr_offset;
}

const struct otst_arch otst_arch_s390x = {
	.name = "s390x",
	.elf_machine = EM_S390,
	.page_size = 4096,

	.reg = {
		.list = regs,
		.count = NR_REGS,
		.pc = ADDR,
		.sp = SP,
		.fp = R0 + 11,
		.ra = RA,
		.dwarf_ra = 14,
		.args = args,
		.nr_args = sizeof(args),
		.stack_args = 160,
		.by_reference = true,
		.shown = shown,
		.nr_shown = sizeof(shown) / sizeof(*shown),
		.shown_pc = "Krnl PSW : ",
		.user_mode = s390x_user_mode,
		.thread_sp = "thread.ksp",
	},

	.stored = {
		.areas = "lowcore_ptr",
		.align = LOWCORE,
		.at = STORED_AT,
		.len = STORED_LEN,
		.take = take_stored,
	},

	.insn = {
		.breakpoint = { { 0x00, 0x02 }, 2 },
		.nop = { { 0xc0, 0x04 }, LONG },
		.step = 2,
		.branch_len = LONG,
		.branch = s390x_find_branch,
		.put_branch = s390x_put_branch,
		.entry_mark = otst_arch_no_mark,
		.entry_nop = s390x_entry_nop,
		.entry_max = LONG,
		.call_window = LONG,
		.follows_call = s390x_follows_call,
	},

	.ftrace = {
		.call_max = 0,
		.switch_site = s390x_switch_site,
	},

	.reloc = {
		.veneer_len = TRAMPOLINE_TO,
		.veneer = s390x_veneer,
		.apply = s390x_relocate,
		.slot = s390x_reloc_slot,
		.put_plt = s390x_put_plt,
		.plt_sizes = { PLT_ENTRY, PLT_ENTRY_OLD },
		/* exrl %r0, .+10; j .; br %r1 */
		.plt_jump = { { 0xc6, 0, 0, 0, 0, 0x05, 0xa7, 0xf4, 0, 0, 0x07, 0xf1 }, 12 },
	},

	.disasm = {
		.known = known,
		.nr_known = sizeof(known) / sizeof(*known),
		.has_capstone = true,
		.arch = CS_ARCH_SYSZ,
		.mode = CS_MODE_BIG_ENDIAN,
		.refer = s390x_refer,
	},

	.space = {
		/* memory is mapped at its physical addresses, and programs have their own address space */
		.kernel_begin = 0x1000,
		.text_begin = 0x1000,
		.user_end = UINT64_C(1) << 53,
		.user_window = UINT64_C(1) << 42,
		.section_bits = 28,
	},

	.paging = {
		.layouts = layouts,
		.nr_layouts = sizeof(layouts) / sizeof(*layouts),
		.top_tables = top_tables,
		.index_bits = s390x_index_bits,
		.big_tables = true,
		.translates = s390x_translates,
		.decode_entry = s390x_decode_entry,
		.find = s390x_find_pagings,
	},

	.image = {
		.head_symbol = "startup_continue",
		.head_source = "arch/s390/kernel/head64.S",
		.align = 4096,
		.offset = "__kaslr_offset",
		.shift = s390x_image_shift,
	},
};
