// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * aarch64.c - struct user_pt_regs, which struct pt_regs of
 * arch/arm64/include/asm/ptrace.h begins with, and the AAPCS64.
 */
#include <capstone/capstone.h>
#include <elf.h>
#include <stdio.h>

#include "arch.h"
#include "bytes.h"

/* regs[31] of struct pt_regs and what follows it */
enum { FP = 29, LR = 30, SP, PC, PSTATE, NR_REGS };

#define MODE_MASK 0xfu /* PSR_MODE_MASK; PSR_MODE_EL0t is 0 */

static const struct otst_register regs[NR_REGS] = {
	{ "x0", "regs", 0, 0 },
	{ "x1", "regs", 1, 1 },
	{ "x2", "regs", 2, 2 },
	{ "x3", "regs", 3, 3 },
	{ "x4", "regs", 4, 4 },
	{ "x5", "regs", 5, 5 },
	{ "x6", "regs", 6, 6 },
	{ "x7", "regs", 7, 7 },
	{ "x8", "regs", 8, 8 },
	{ "x9", "regs", 9, 9 },
	{ "x10", "regs", 10, 10 },
	{ "x11", "regs", 11, 11 },
	{ "x12", "regs", 12, 12 },
	{ "x13", "regs", 13, 13 },
	{ "x14", "regs", 14, 14 },
	{ "x15", "regs", 15, 15 },
	{ "x16", "regs", 16, 16 },
	{ "x17", "regs", 17, 17 },
	{ "x18", "regs", 18, 18 },
	{ "x19", "regs", 19, 19 },
	{ "x20", "regs", 20, 20 },
	{ "x21", "regs", 21, 21 },
	{ "x22", "regs", 22, 22 },
	{ "x23", "regs", 23, 23 },
	{ "x24", "regs", 24, 24 },
	{ "x25", "regs", 25, 25 },
	{ "x26", "regs", 26, 26 },
	{ "x27", "regs", 27, 27 },
	{ "x28", "regs", 28, 28 },
	{ "x29", "regs", 29, 29 },
	{ "x30", "regs", 30, 30 },
	[SP] = { "sp", "sp", 0, 31 },
	[PC] = { "pc", "pc", 0, OTST_NO_REG },
	[PSTATE] = { "pstate", "pstate", 0, OTST_NO_REG },
};

static const uint8_t args[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

/* __show_regs() of arch/arm64/kernel/process.c */
static const struct otst_shown_reg shown[] = {
	{ " lr : ", LR, 16, 0 },   { " sp : ", SP, 16, 0 }, { " pstate: ", PSTATE, 8, 0 },
	{ "\n x29: ", 29, 16, 0 }, { " x28: ", 28, 16, 0 }, { " x27: ", 27, 16, 0 },
	{ "\n x26: ", 26, 16, 0 }, { " x25: ", 25, 16, 0 }, { " x24: ", 24, 16, 0 },
	{ "\n x23: ", 23, 16, 0 }, { " x22: ", 22, 16, 0 }, { " x21: ", 21, 16, 0 },
	{ "\n x20: ", 20, 16, 0 }, { " x19: ", 19, 16, 0 }, { " x18: ", 18, 16, 0 },
	{ "\n x17: ", 17, 16, 0 }, { " x16: ", 16, 16, 0 }, { " x15: ", 15, 16, 0 },
	{ "\n x14: ", 14, 16, 0 }, { " x13: ", 13, 16, 0 }, { " x12: ", 12, 16, 0 },
	{ "\n x11: ", 11, 16, 0 }, { " x10: ", 10, 16, 0 }, { " x9 : ", 9, 16, 0 },
	{ "\n x8 : ", 8, 16, 0 },  { " x7 : ", 7, 16, 0 },  { " x6 : ", 6, 16, 0 },
	{ "\n x5 : ", 5, 16, 0 },  { " x4 : ", 4, 16, 0 },  { " x3 : ", 3, 16, 0 },
	{ "\n x2 : ", 2, 16, 0 },  { " x1 : ", 1, 16, 0 },  { " x0 : ", 0, 16, 0 },
};

static bool aarch64_user_mode(const uint64_t *r)
{
	return !(r[PSTATE] & MODE_MASK);
}

/* ---- instructions (arch/arm64/include/asm/insn.h) ---- */

#define INSN 4u

#define BRANCH_MASK 0xfc000000u
#define B	    0x14000000u
#define BL	    0x94000000u
#define NOP	    0xd503201fu
#define PACIASP	    0xd503233fu
#define MOV_X9_X30  0xaa1e03e9u /* saves the return address, which ftrace's call overwrites */
#define BTI	    0xd503241fu /* with its targets in bits 7:6 */
#define BTI_MASK    0xffffff3fu
#define BLR_MASK    0xfefff000u /* for blr, blraa, blrab and their zero forms */
#define BLR	    0xd63f0000u

static uint32_t aarch64_get_insn(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

static bool aarch64_find_branch(const uint8_t *bytes, size_t len, uint64_t addr,
				struct otst_branch *ret)
{
	uint32_t insn = aarch64_get_insn(bytes);

	(void)len;
	*ret = (struct otst_branch){ .len = INSN };
	if ((insn & BRANCH_MASK) == BL)
		ret->kind = OTST_BRANCH_CALL;
	else if ((insn & BRANCH_MASK) == B)
		ret->kind = OTST_BRANCH_JUMP;
	else
		return false;
	/* imm26, in words */
	ret->target = addr + (uint64_t)((int64_t)((uint64_t)insn << 38) >> 36);
	return true;
}

static size_t aarch64_put_branch(uint8_t *to, enum otst_branch_kind kind, uint64_t addr,
				 uint64_t target)
{
	uint32_t insn = (kind == OTST_BRANCH_CALL ? BL : B) |
			(uint32_t)((target - addr) >> 2 & ~BRANCH_MASK);

	otst_put_le(to, insn, INSN);
	return INSN;
}

static size_t aarch64_entry_mark(const uint8_t *bytes)
{
	uint32_t insn = aarch64_get_insn(bytes);

	return (insn & BTI_MASK) == BTI || insn == PACIASP || insn == MOV_X9_X30 ? INSN : 0;
}

static size_t aarch64_entry_nop(const uint8_t *bytes)
{
	return aarch64_get_insn(bytes) == NOP ? INSN : 0;
}

static bool aarch64_follows_call(const uint8_t *before)
{
	uint32_t insn = aarch64_get_insn(before);

	return (insn & BRANCH_MASK) == BL || (insn & BLR_MASK) == BLR;
}

#define ADRP_MASK 0x9f000000u
#define ADRP	  0x90000000u
#define BR_X16	  0xd61f0200u

static uint64_t bits_of(uint32_t insn, unsigned int low, unsigned int count)
{
	return insn >> low & ((1u << count) - 1);
}

/* struct plt_entry of a module: adrp x16; add x16, x16; br x16. Up to 4.20 movn, movk, movk, br. */
static bool aarch64_veneer(const uint8_t *bytes, uint64_t addr, uint64_t *ret)
{
	uint32_t i[4] = { aarch64_get_insn(bytes), aarch64_get_insn(bytes + 4),
			  aarch64_get_insn(bytes + 8), aarch64_get_insn(bytes + 12) };
	uint64_t pages = bits_of(i[0], 5, 19) << 2 | bits_of(i[0], 29, 2);

	if ((i[0] & (ADRP_MASK | 31)) == (ADRP | 16) && (i[1] & 0xffc003ff) == 0x91000210 &&
	    i[2] == BR_X16) {
		*ret = (addr & ~UINT64_C(0xfff)) + ((uint64_t)((int64_t)(pages << 43) >> 31)) +
		       bits_of(i[1], 10, 12);
		return true;
	}
	if ((i[0] & 0xffe0001f) != 0x92800010 || (i[1] & 0xffe0001f) != 0xf2a00010 ||
	    (i[2] & 0xffe0001f) != 0xf2c00010 || i[3] != BR_X16)
		return false;
	*ret = UINT64_C(0xffff) << 48 | bits_of(i[2], 5, 16) << 32 | bits_of(i[1], 5, 16) << 16 |
	       (~bits_of(i[0], 5, 16) & 0xffff);
	return true;
}

#define PLT_ENTRY (3 * INSN)

/* get_plt_entry() of arch/arm64/kernel/module-plts.c */
static bool aarch64_put_plt(uint8_t *to, uint64_t size, uint64_t at, uint64_t target, uint64_t via)
{
	uint64_t pages = (target >> 12) - (at >> 12);

	(void)via;
	if (size != PLT_ENTRY || pages + (1u << 20) >= 1u << 21)
		return false;
	otst_put_le(to, ADRP | 16 | (pages & 3) << 29 | (pages >> 2 & 0x7ffff) << 5, INSN);
	otst_put_le(to + INSN, 0x91000210 | (target & 0xfff) << 10, INSN);
	otst_put_le(to + 2 * (size_t)INSN, BR_X16, INSN);
	return true;
}

/* ---- relocations of modules (arch/arm64/kernel/module.c) ---- */

enum reloc_op { ABSOLUTE, RELATIVE, PAGES };
enum reloc_field { DATA, IMMEDIATE, ADR, MOVE, MOVE_SIGNED };

/* @low, @len: bits of the value; @at: where they are in the instruction */
static const struct reloc {
	uint16_t type;
	uint8_t op, field, low, len, at;
} relocs[] = {
	{ R_AARCH64_ABS64, ABSOLUTE, DATA, 0, 64, 0 },
	{ R_AARCH64_ABS32, ABSOLUTE, DATA, 0, 32, 0 },
	{ R_AARCH64_ABS16, ABSOLUTE, DATA, 0, 16, 0 },
	{ R_AARCH64_PREL64, RELATIVE, DATA, 0, 64, 0 },
	{ R_AARCH64_PREL32, RELATIVE, DATA, 0, 32, 0 },
	{ R_AARCH64_PREL16, RELATIVE, DATA, 0, 16, 0 },
	{ R_AARCH64_MOVW_UABS_G0, ABSOLUTE, MOVE, 0, 16, 5 },
	{ R_AARCH64_MOVW_UABS_G0_NC, ABSOLUTE, MOVE, 0, 16, 5 },
	{ R_AARCH64_MOVW_UABS_G1, ABSOLUTE, MOVE, 16, 16, 5 },
	{ R_AARCH64_MOVW_UABS_G1_NC, ABSOLUTE, MOVE, 16, 16, 5 },
	{ R_AARCH64_MOVW_UABS_G2, ABSOLUTE, MOVE, 32, 16, 5 },
	{ R_AARCH64_MOVW_UABS_G2_NC, ABSOLUTE, MOVE, 32, 16, 5 },
	{ R_AARCH64_MOVW_UABS_G3, ABSOLUTE, MOVE, 48, 16, 5 },
	{ R_AARCH64_MOVW_SABS_G0, ABSOLUTE, MOVE_SIGNED, 0, 16, 5 },
	{ R_AARCH64_MOVW_SABS_G1, ABSOLUTE, MOVE_SIGNED, 16, 16, 5 },
	{ R_AARCH64_MOVW_SABS_G2, ABSOLUTE, MOVE_SIGNED, 32, 16, 5 },
	{ R_AARCH64_MOVW_PREL_G0, RELATIVE, MOVE_SIGNED, 0, 16, 5 },
	{ R_AARCH64_MOVW_PREL_G0_NC, RELATIVE, MOVE, 0, 16, 5 },
	{ R_AARCH64_MOVW_PREL_G1, RELATIVE, MOVE_SIGNED, 16, 16, 5 },
	{ R_AARCH64_MOVW_PREL_G1_NC, RELATIVE, MOVE, 16, 16, 5 },
	{ R_AARCH64_MOVW_PREL_G2, RELATIVE, MOVE_SIGNED, 32, 16, 5 },
	{ R_AARCH64_MOVW_PREL_G2_NC, RELATIVE, MOVE, 32, 16, 5 },
	{ R_AARCH64_MOVW_PREL_G3, RELATIVE, MOVE_SIGNED, 48, 16, 5 },
	{ R_AARCH64_LD_PREL_LO19, RELATIVE, IMMEDIATE, 2, 19, 5 },
	{ R_AARCH64_ADR_PREL_LO21, RELATIVE, ADR, 0, 21, 0 },
	{ R_AARCH64_ADR_PREL_PG_HI21, PAGES, ADR, 12, 21, 0 },
	{ R_AARCH64_ADR_PREL_PG_HI21_NC, PAGES, ADR, 12, 21, 0 },
	{ R_AARCH64_ADD_ABS_LO12_NC, ABSOLUTE, IMMEDIATE, 0, 12, 10 },
	{ R_AARCH64_LDST8_ABS_LO12_NC, ABSOLUTE, IMMEDIATE, 0, 12, 10 },
	{ R_AARCH64_LDST16_ABS_LO12_NC, ABSOLUTE, IMMEDIATE, 1, 11, 10 },
	{ R_AARCH64_LDST32_ABS_LO12_NC, ABSOLUTE, IMMEDIATE, 2, 10, 10 },
	{ R_AARCH64_LDST64_ABS_LO12_NC, ABSOLUTE, IMMEDIATE, 3, 9, 10 },
	{ R_AARCH64_LDST128_ABS_LO12_NC, ABSOLUTE, IMMEDIATE, 4, 8, 10 },
	{ R_AARCH64_TSTBR14, RELATIVE, IMMEDIATE, 2, 14, 5 },
	{ R_AARCH64_CONDBR19, RELATIVE, IMMEDIATE, 2, 19, 5 },
	{ R_AARCH64_JUMP26, RELATIVE, IMMEDIATE, 2, 26, 0 },
	{ R_AARCH64_CALL26, RELATIVE, IMMEDIATE, 2, 26, 0 },
};

static uint32_t put_bits(uint32_t insn, unsigned int at, unsigned int len, uint64_t v)
{
	uint32_t mask = (1u << len) - 1;

	return (insn & ~(mask << at)) | ((uint32_t)v & mask) << at;
}

/* movz for a value that is not negative, movn with the complement for one that is */
static uint32_t put_move(uint32_t insn, uint64_t value, uint64_t part)
{
	bool negative = (int64_t)value < 0;

	return put_bits(put_bits(insn, 29, 2, negative ? 0 : 2), 5, 16, negative ? ~part : part);
}

static enum otst_reloc_slot aarch64_reloc_slot(uint32_t type)
{
	return type == R_AARCH64_CALL26 || type == R_AARCH64_JUMP26 ? OTST_SLOT_PLT :
								      OTST_SLOT_NONE;
}

/* The distance of a call that does not reach is truncated: the module's PLT is used instead. */
static bool aarch64_relocate(uint8_t *place, size_t room, uint32_t type, uint64_t addr,
			     uint64_t value)
{
	const struct reloc *r = relocs, *end = relocs + sizeof(relocs) / sizeof(*relocs);
	uint64_t part;
	uint32_t insn;
	size_t size;

	/* 256 is R_ARM_NONE */
	if (type == R_AARCH64_NONE || type == 256)
		return true;
	while (r < end && r->type != type)
		r++;
	size = r == end || r->field != DATA ? INSN : r->len / 8;
	if (r == end || size > room)
		return false;
	if (r->op == RELATIVE)
		value -= addr;
	else if (r->op == PAGES)
		value = (value & ~UINT64_C(0xfff)) - (addr & ~UINT64_C(0xfff));
	part = value >> r->low;
	insn = r->field == DATA ? 0 : aarch64_get_insn(place);
	if (r->field == DATA)
		otst_put_le(place, value, size);
	else if (r->field == ADR)
		otst_put_le(place, put_bits(put_bits(insn, 29, 2, part), 5, 19, part >> 2), INSN);
	else if (r->field == MOVE_SIGNED)
		otst_put_le(place, put_move(insn, value, part), INSN);
	else
		otst_put_le(place, put_bits(insn, r->at, r->len, part), INSN);
	return true;
}

/* breakpoints and watchpoints: arch/arm64/kernel/hw_breakpoint.c, ARM_MAX_BRP and ARM_MAX_WRP */
static const struct otst_debug_registers debug[] = {
	{ "bp_on_reg", NULL, NULL, "dbgbvr", 16 },
	{ "wp_on_reg", NULL, NULL, "dbgwvr", 16 },
};

/* ---- disassembly ---- */

#define BRK	 0xd4200000u
#define BRK_MASK 0xffe0001fu

/*
 * brk, the breakpoint of kprobes and of BUG(): libcapstone 5 prints numbers
 * below 10 in decimal, libcapstone 4 prints all in hexadecimal.
 */
static bool spell_insn(const uint8_t *bytes, char ret[OTST_INSN_TEXT])
{
	uint32_t insn = aarch64_get_insn(bytes);

	if ((insn & BRK_MASK) != BRK)
		return false;
	snprintf(ret, OTST_INSN_TEXT, "brk #0x%x", insn >> 5 & 0xffff);
	return true;
}

/* hints, which libcapstone 4 prints as numbers */
static const struct otst_insn_known known[] = {
	{ { 0x3f, 0x23, 0x03, 0xd5 }, 4, 0xff, 4, "paciasp" },
	{ { 0xbf, 0x23, 0x03, 0xd5 }, 4, 0xff, 4, "autiasp" },
	{ { 0xff, 0x20, 0x03, 0xd5 }, 4, 0xff, 4, "xpaclri" },
	{ { 0x1f, 0x24, 0x03, 0xd5 }, 4, 0xff, 4, "bti" },
	{ { 0x5f, 0x24, 0x03, 0xd5 }, 4, 0xff, 4, "bti c" },
	{ { 0x9f, 0x24, 0x03, 0xd5 }, 4, 0xff, 4, "bti j" },
	{ { 0xdf, 0x24, 0x03, 0xd5 }, 4, 0xff, 4, "bti jc" },
	{ { 0x1f, 0x22, 0x03, 0xd5 }, 4, 0xff, 4, "esb" },
	{ { 0x9f, 0x22, 0x03, 0xd5 }, 4, 0xff, 4, "csdb" },
};

static void aarch64_refer(const struct cs_insn *insn, bool branch, uint64_t *target, bool *refers)
{
	const cs_arm64 *a = &insn->detail->arm64;

	(void)refers;
	if (branch && a->op_count && a->operands[a->op_count - 1].type == ARM64_OP_IMM)
		*target = (uint64_t)a->operands[a->op_count - 1].imm;
}

/* ---- page tables (arch/arm64/include/asm/pgtable-hwdef.h) ---- */

#define DESC_VALID 1u
#define DESC_TABLE 2u /* at the last level: a page */
/* of a page or block */
#define PTE_RDONLY (UINT64_C(1) << 7)
#define PTE_WRITE  (UINT64_C(1) << 51) /* read-only until it is written to */
#define PTE_PXN	   (UINT64_C(1) << 53)
/* of a table */
#define TABLE_PXN    (UINT64_C(1) << 59)
#define TABLE_RDONLY (UINT64_C(1) << 62)

static const struct otst_paging layouts[] = {
	{ .page_shift = 12, .va_bits = 39 }, { .page_shift = 12, .va_bits = 48 },
	{ .page_shift = 12, .va_bits = 52 }, { .page_shift = 14, .va_bits = 36 },
	{ .page_shift = 14, .va_bits = 47 }, { .page_shift = 14, .va_bits = 48 },
	{ .page_shift = 14, .va_bits = 52 }, { .page_shift = 16, .va_bits = 42 },
	{ .page_shift = 16, .va_bits = 48 }, { .page_shift = 16, .va_bits = 52 },
};

static const char *const top_tables[] = { "swapper_pg_dir", NULL };

/*
 * The kernel's addresses have all upper bits set. The next bit may be either: it
 * is clear at the start of the linear map.
 */
static bool aarch64_translates(const struct otst_paging *g, uint64_t virt)
{
	return virt >> g->va_bits == UINT64_MAX >> g->va_bits;
}

/*
 * An entry keeps the upper bits of a 52-bit physical address below the others: in
 * bits 15:12 with 64 KiB pages; in bits 9:8 with smaller pages, if virtual addresses
 * have 52 bits, too (FEAT_LPA2).
 */
static uint64_t entry_address(const struct otst_paging *g, uint64_t entry)
{
	uint64_t mask = ((1ull << 48) - 1) & ~((1ull << g->page_shift) - 1);

	if (g->page_shift == 16)
		return (entry & mask) | (entry >> 12 & 15) << 48;
	if (g->va_bits == 52)
		return (entry & (mask | 3ull << 48)) | (entry >> 8 & 3) << 50;
	return entry & mask;
}

static bool aarch64_decode_entry(const struct otst_paging *g, uint64_t entry, unsigned int shift,
				 uint64_t *next, bool *is_memory)
{
	bool last = shift == g->page_shift;

	/* an entry that is not a table is a block; the last level has no blocks */
	if (!(entry & DESC_VALID) || (last && !(entry & DESC_TABLE)))
		return false;
	*next = entry_address(g, entry);
	*is_memory = last || !(entry & DESC_TABLE);
	return true;
}

static unsigned int aarch64_rights(const struct otst_paging *g, uint64_t entry, bool is_memory)
{
	(void)g;
	if (!is_memory)
		return (entry & TABLE_RDONLY ? 0 : OTST_MAY_WRITE) |
		       (entry & TABLE_PXN ? 0 : OTST_MAY_EXECUTE);
	return (entry & PTE_RDONLY && !(entry & PTE_WRITE) ? 0 : OTST_MAY_WRITE) |
	       (entry & PTE_PXN ? 0 : OTST_MAY_EXECUTE);
}

/*
 * A kernel with 52-bit addresses runs on 48-bit processors, too. With 64 KiB pages
 * its top table is still the one for 52 bits; with smaller pages T1SZ decides.
 */
static size_t aarch64_find_pagings(otst_fact_fn *fact, void *priv,
				   struct otst_paging ret[OTST_PAGINGS_MAX], uint64_t *virt,
				   uint64_t *phys)
{
	uint64_t root, offset, page_size, bits;
	struct otst_paging paging = { 0 };
	size_t count = 0;

	/* Linux 20a166243328 ("arm64: kdump: add VMCOREINFO's for user-space tools") (v4.12) */
	if (!fact(priv, "SYMBOL(swapper_pg_dir)", &root) ||
	    !fact(priv, "NUMBER(kimage_voffset)", &offset) || !fact(priv, "PAGESIZE", &page_size) ||
	    !page_size)
		return 0;
	if (!fact(priv, "SYMBOL(_stext)", virt))
		*virt = root;
	*phys = *virt - offset;
	paging.root = root - offset;
	paging.page_shift = (uint32_t)__builtin_ctzll(page_size);
	/* what the processor was set to (v5.9), and what the kernel was built for */
	if (fact(priv, "NUMBER(TCR_EL1_T1SZ)", &bits) && bits < 64) {
		paging.va_bits = (uint32_t)(64 - bits);
		ret[count++] = paging;
	}
	if (fact(priv, "NUMBER(VA_BITS)", &bits) && bits < 64) {
		paging.va_bits = (uint32_t)bits;
		ret[count++] = paging;
	}
	return count;
}

/* kimage_voffset is subtracted from a virtual address */
static uint64_t aarch64_image_shift(uint64_t move, uint64_t kimage_voffset)
{
	return move + kimage_voffset;
}

/* arch/arm64/include/uapi/asm/fcntl.h */
static const struct otst_open_flags open_flags = {
	.directory = 040000,
	.nofollow = 0100000,
	.direct = 0200000,
	.largefile = 0400000,
};

const struct otst_arch otst_arch_aarch64 = {
	.name = "aarch64",
	.elf_machine = EM_AARCH64,

	.reg = {
		.list = regs,
		.count = NR_REGS,
		.pc = PC,
		.sp = SP,
		.fp = FP,
		.ra = LR,
		.dwarf_ra = LR,
		.args = args,
		.nr_args = sizeof(args),
		.stack_args = 0,
		.by_reference = true,
		.syscall = 8,
		.syscall_args = { 0, 1, 2, 3, 4, 5 },
		.shown = shown,
		.shown_pc = "pc : ",
		.nr_shown = sizeof(shown) / sizeof(*shown),
		.user_mode = aarch64_user_mode,
		.thread_sp = "thread.cpu_context.sp",
		.graph_place = "fp",
	},

	.insn = {
		.breakpoint = { { 0x80, 0x00, 0x20, 0xd4 }, INSN },	 /* brk #4 */
		.kgdb_breakpoint = { { 0x00, 0x80, 0x20, 0xd4 }, INSN }, /* brk #0x400 */
		.nop = { { 0x1f, 0x20, 0x03, 0xd5 }, INSN },
		.call_reach = 128u << 20,
		.step = INSN,
		.branch_len = INSN,
		.branch = aarch64_find_branch,
		.put_branch = aarch64_put_branch,
		.entry_mark = aarch64_entry_mark,
		.entry_nop = aarch64_entry_nop,
		.entry_max = 4 * INSN, /* bti, mov x9,x30, the call, paciasp */
		.call_window = INSN,
		.follows_call = aarch64_follows_call,
	},

	.ftrace = {
		.call_prefix = { { 0xe9, 0x03, 0x1e, 0xaa }, INSN }, /* mov x9, x30 */
		.call_max = 2 * INSN,				     /* after bti */
	},

	.reloc = {
		.veneer_len = 4 * INSN,
		.veneer = aarch64_veneer,
		.put_plt = aarch64_put_plt,
		.plt_sizes = { PLT_ENTRY },
		.apply = aarch64_relocate,
		.slot = aarch64_reloc_slot,
	},

	.disasm = {
		.has_capstone = true,
		.arch = CS_ARCH_ARM64,
		.mode = CS_MODE_LITTLE_ENDIAN,
		.spell = spell_insn,
		.known = known,
		.nr_known = sizeof(known) / sizeof(*known),
		.refer = aarch64_refer,
	},

	.space = {
		/* linear map with 52 bits, VMALLOC_START with 48, DEFAULT_MAP_WINDOW_64 */
		.kernel_begin = 0xfff0000000000000,
		.text_begin = 0xffff800000000000,
		.user_end = UINT64_C(1) << 52,
		.user_window = UINT64_C(1) << 48,
	},

	.paging = {
		.layouts = layouts,
		.nr_layouts = sizeof(layouts) / sizeof(*layouts),
		.top_tables = top_tables,
		.translates = aarch64_translates,
		.decode_entry = aarch64_decode_entry,
		.rights = aarch64_rights,
		.find = aarch64_find_pagings,
	},

	.image = {
		.head_symbol = "__primary_switched",
		.head_source = "arch/arm64/kernel/head.S",
		.head_unmapped = true,
		.align = 64u << 10, /* 2 MiB, and TEXT_OFFSET before v5.8 */
		.offset = "kimage_voffset",
		.shift = aarch64_image_shift,
	},

	.open_flags = &open_flags,
	.debug = debug,
	.nr_debug = sizeof(debug) / sizeof(*debug),
};
