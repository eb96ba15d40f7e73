// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * ppc64le.c - struct user_pt_regs of arch/powerpc/include/uapi/asm/ptrace.h, the
 * ELFv2 calling convention, the instructions that kernels patch in, and page tables,
 * whose entries are big-endian in every kernel (since Linux 4.7).
 */
#include <capstone/capstone.h>
#include <elf.h>

#include "arch.h"
#include "bytes.h"

/* gpr[32] of struct pt_regs and what follows it */
enum { R1 = 1, R3 = 3, R31 = 31, NIP, MSR, ORIG_R3, CTR, LR, XER, CCR, NR_REGS };

#define MSR_PR 0x4000u /* problem state: user mode */

static const struct otst_register regs[NR_REGS] = {
	{ "r0", "gpr", 0, 0 },
	{ "r1", "gpr", 1, 1 },
	{ "r2", "gpr", 2, 2 },
	{ "r3", "gpr", 3, 3 },
	{ "r4", "gpr", 4, 4 },
	{ "r5", "gpr", 5, 5 },
	{ "r6", "gpr", 6, 6 },
	{ "r7", "gpr", 7, 7 },
	{ "r8", "gpr", 8, 8 },
	{ "r9", "gpr", 9, 9 },
	{ "r10", "gpr", 10, 10 },
	{ "r11", "gpr", 11, 11 },
	{ "r12", "gpr", 12, 12 },
	{ "r13", "gpr", 13, 13 },
	{ "r14", "gpr", 14, 14 },
	{ "r15", "gpr", 15, 15 },
	{ "r16", "gpr", 16, 16 },
	{ "r17", "gpr", 17, 17 },
	{ "r18", "gpr", 18, 18 },
	{ "r19", "gpr", 19, 19 },
	{ "r20", "gpr", 20, 20 },
	{ "r21", "gpr", 21, 21 },
	{ "r22", "gpr", 22, 22 },
	{ "r23", "gpr", 23, 23 },
	{ "r24", "gpr", 24, 24 },
	{ "r25", "gpr", 25, 25 },
	{ "r26", "gpr", 26, 26 },
	{ "r27", "gpr", 27, 27 },
	{ "r28", "gpr", 28, 28 },
	{ "r29", "gpr", 29, 29 },
	{ "r30", "gpr", 30, 30 },
	{ "r31", "gpr", 31, 31 },
	[NIP] = { "pc", "nip", 0, OTST_NO_REG },
	[MSR] = { "msr", "msr", 0, OTST_NO_REG },
	[ORIG_R3] = { "orig_r3", "orig_gpr3", 0, OTST_NO_REG },
	[CTR] = { "ctr", "ctr", 0, 66 },
	[LR] = { "lr", "link", 0, 65 },
	[XER] = { "xer", "xer", 0, 76 },
	[CCR] = { "cr", "ccr", 0, OTST_NO_REG },
};

static const uint8_t args[] = { 3, 4, 5, 6, 7, 8, 9, 10 };

/* __show_regs() of arch/powerpc/kernel/process.c */
static const struct otst_shown_reg shown[] = {
	{ " LR: ", LR, 16, 0 },	    { " CTR: ", CTR, 16, 0 },	{ "\nMSR:  ", MSR, 16, 0 },
	{ "  CR: ", CCR, 8, 0 },    { "  XER: ", XER, 8, 0 },	{ "\nGPR00: ", 0, 16, 0 },
	{ " ", 1, 16, 0 },	    { " ", 2, 16, 0 },		{ " ", 3, 16, 0 },
	{ "\nGPR04: ", 4, 16, 0 },  { " ", 5, 16, 0 },		{ " ", 6, 16, 0 },
	{ " ", 7, 16, 0 },	    { "\nGPR08: ", 8, 16, 0 },	{ " ", 9, 16, 0 },
	{ " ", 10, 16, 0 },	    { " ", 11, 16, 0 },		{ "\nGPR12: ", 12, 16, 0 },
	{ " ", 13, 16, 0 },	    { " ", 14, 16, 0 },		{ " ", 15, 16, 0 },
	{ "\nGPR16: ", 16, 16, 0 }, { " ", 17, 16, 0 },		{ " ", 18, 16, 0 },
	{ " ", 19, 16, 0 },	    { "\nGPR20: ", 20, 16, 0 }, { " ", 21, 16, 0 },
	{ " ", 22, 16, 0 },	    { " ", 23, 16, 0 },		{ "\nGPR24: ", 24, 16, 0 },
	{ " ", 25, 16, 0 },	    { " ", 26, 16, 0 },		{ " ", 27, 16, 0 },
	{ "\nGPR28: ", 28, 16, 0 }, { " ", 29, 16, 0 },		{ " ", 30, 16, 0 },
	{ " ", 31, 16, 0 },
};

static bool ppc64le_user_mode(const uint64_t *r)
{
	return r[MSR] & MSR_PR;
}

/* ---- instructions (arch/powerpc/include/asm/ppc-opcode.h) ---- */

#define INSN	     4u
#define OPCODE_MASK  0xfc000003u /* with AA and LK */
#define B	     0x48000000u
#define BL	     0x48000001u
#define NOP	     0x60000000u
#define MFLR_R0	     0x7c0802a6u
#define MTLR_R0	     0x7c0803a6u
#define LK	     1u
#define PRIMARY_MASK 0xfc000001u
#define BY_REG_MASK  0xfc0007feu
#define BLR	     0x4c000020u
#define BCTR	     0x4c000420u

static uint32_t ppc64le_get_insn(const uint8_t *bytes)
{
	return (uint32_t)otst_get_le(bytes, INSN);
}

static bool ppc64le_find_branch(const uint8_t *bytes, size_t len, uint64_t addr,
				struct otst_branch *ret)
{
	uint32_t insn = ppc64le_get_insn(bytes);

	(void)len;
	*ret = (struct otst_branch){ .len = INSN };
	if ((insn & OPCODE_MASK) == BL)
		ret->kind = OTST_BRANCH_CALL;
	else if ((insn & OPCODE_MASK) == B)
		ret->kind = OTST_BRANCH_JUMP;
	else
		return false;
	/* LI, in words */
	ret->target = addr + (uint64_t)((int64_t)((uint64_t)(insn & ~OPCODE_MASK) << 38) >> 38);
	return true;
}

static void ppc64le_put_insn(uint8_t *to, uint32_t insn)
{
	otst_put_le(to, insn, INSN);
}

static size_t ppc64le_put_branch(uint8_t *to, enum otst_branch_kind kind, uint64_t addr,
				 uint64_t target)
{
	ppc64le_put_insn(to, (kind == OTST_BRANCH_CALL ? BL : B) |
				     ((uint32_t)(target - addr) & ~OPCODE_MASK));
	return INSN;
}

/* addis r2, r12 and addi r2, r2 of the global entry, and what ftrace writes before its calls */
static size_t ppc64le_entry_mark(const uint8_t *bytes)
{
	uint32_t insn = ppc64le_get_insn(bytes);

	return (insn & 0xffff0000) == 0x3c4c0000 || (insn & 0xffff0000) == 0x38420000 ||
			       insn == MFLR_R0 ?
		       INSN :
		       0;
}

static size_t ppc64le_entry_nop(const uint8_t *bytes)
{
	return ppc64le_get_insn(bytes) == NOP ? INSN : 0;
}

/* bl and bla, conditional calls, calls through the link and the count register */
static bool ppc64le_follows_call(const uint8_t *before)
{
	uint32_t insn = ppc64le_get_insn(before);

	if (!(insn & LK))
		return false;
	return (insn & PRIMARY_MASK) == (B | LK) || (insn & PRIMARY_MASK) == (0x40000000u | LK) ||
	       (insn & BY_REG_MASK) == BLR || (insn & BY_REG_MASK) == BCTR;
}

/* ftrace_init_ool_stub() of arch/powerpc/kernel/trace/ftrace.c */
static bool is_stub(const uint8_t *bytes, uint64_t addr, uint64_t *ret)
{
	struct otst_branch call, back;

	if (ppc64le_get_insn(bytes) != MFLR_R0 || ppc64le_get_insn(bytes + 2 * INSN) != MTLR_R0 ||
	    !ppc64le_find_branch(bytes + INSN, INSN, addr + INSN, &call) ||
	    !ppc64le_find_branch(bytes + 3 * INSN, INSN, addr + 3 * INSN, &back) ||
	    call.kind != OTST_BRANCH_CALL || back.kind != OTST_BRANCH_JUMP)
		return false;
	*ret = call.target;
	return true;
}

static void ppc64le_refer(const struct cs_insn *insn, bool branch, uint64_t *target, bool *refers)
{
	const cs_ppc *a = &insn->detail->ppc;

	(void)refers;
	if (branch && a->op_count && a->operands[a->op_count - 1].type == PPC_OP_IMM)
		*target = (uint64_t)a->operands[a->op_count - 1].imm;
}

/* ---- page tables (arch/powerpc/include/asm/book3s/64/{radix,hash,hash-4k,hash-64k}.h) ---- */

#define LINEAR	    UINT64_C(0xc000000000000000)
#define VMALLOC_64K UINT64_C(0xc008000000000000)
#define VMALLOC_4K  UINT64_C(0xc0003d0000000000)
/*
 * Before Linux 0034d395f89d ("powerpc/mm/hash64: Map all the kernel regions in the same 0xc
 * range") (v5.2).
 */
#define VMALLOC_OLD UINT64_C(0xd000000000000000)

#define TOP_SHIFT 39u
#define VALID	  (UINT64_C(1) << 63)
#define LEAF	  (UINT64_C(1) << 62)
#define NEXT_BITS 0x1fu /* RPDS */
#define LOW_BITS  0xffu

#define HASHED(shift, bits, end, vmalloc)                                   \
	{                                                                   \
		.page_shift = (shift), .va_bits = (bits), .linear = LINEAR, \
		.linear_len = (end)-LINEAR, .mapped = (vmalloc)             \
	}

/* of the radix MMU, then of the hash MMU */
static const struct otst_paging layouts[] = {
	{ .page_shift = 16, .va_bits = 52 },	  { .page_shift = 12, .va_bits = 52 },
	HASHED(16, 52, VMALLOC_64K, VMALLOC_64K), HASHED(12, 46, VMALLOC_4K, VMALLOC_4K),
	HASHED(16, 52, VMALLOC_64K, VMALLOC_OLD), HASHED(12, 46, VMALLOC_4K, VMALLOC_OLD),
};

#define NR_LAYOUTS (sizeof(layouts) / sizeof(*layouts))

static const char *const top_tables[] = { "swapper_pg_dir", NULL };

static bool ppc64le_translates(const struct otst_paging *g, uint64_t virt)
{
	return !((virt ^ (g->mapped ? g->mapped : LINEAR)) >> g->va_bits);
}

/* radix: 13 bits, 9, 9, and 9 or 5; hash: 8, 10, 10, 8 with pages of 64 KiB, else 9, 9, 7, 9 */
static unsigned int ppc64le_index_bits(const struct otst_paging *g, unsigned int shift)
{
	if (g->mapped && g->page_shift == 16)
		return shift == 16 || shift == 44 ? 8 : 10;
	if (g->mapped)
		return shift == 21 ? 7 : 9;
	return shift == TOP_SHIFT ? g->va_bits - shift : shift < 21 ? 21 - shift : 9;
}

/*
 * Before Linux da7ad366b497 ("powerpc/mm/book3s: Update pmd_present to look at _PAGE_PRESENT
 * bit") (v4.20) only an address leads to the next table.
 */
static bool decode_hashed(uint64_t entry, uint64_t *next, bool *is_memory)
{
	*is_memory = entry & LEAF;
	if (*is_memory) {
		*next = entry & UINT64_C(0x001ffffffffff000);
		return entry & VALID;
	}
	*next = entry & UINT64_C(0x3fffffffffffff00);
	return *next && !(entry & LOW_BITS);
}

static bool ppc64le_decode_entry(const struct otst_paging *g, uint64_t entry, unsigned int shift,
				 uint64_t *next, bool *is_memory)
{
	if (g->mapped)
		return decode_hashed(entry, next, is_memory);
	if (!(entry & VALID))
		return false;
	*is_memory = entry & LEAF;
	/* the entry has the next table's number of index bits: 64 KiB or 4 KiB pages */
	if (!*is_memory && shift == 21 && (entry & NEXT_BITS) != shift - g->page_shift)
		return false;
	*next = entry & (*is_memory ? UINT64_C(0x01fffffffffff000) : UINT64_C(0x0fffffffffffff00));
	return true;
}

/*
 * The kernel lies in the linear map. The tables of the radix MMU translate that, too, but in large
 * pages, so the image alone does not tell the size of the other pages.
 */
static size_t ppc64le_find_pagings(otst_fact_fn *fact, void *priv,
				   struct otst_paging ret[OTST_PAGINGS_MAX], uint64_t *virt,
				   uint64_t *phys)
{
	uint64_t root, page_size;
	size_t i, count = 0;

	if (!fact(priv, "SYMBOL(swapper_pg_dir)", &root) || root >> 52 != 0xc00 ||
	    !fact(priv, "PAGESIZE", &page_size))
		return 0;
	if (!fact(priv, "SYMBOL(_stext)", virt))
		*virt = root;
	*phys = *virt - LINEAR;
	for (i = 0; i < NR_LAYOUTS; i++) {
		if (page_size >> layouts[i].page_shift != 1)
			continue;
		ret[count] = layouts[i];
		ret[count++].root = root - LINEAR;
	}
	return count;
}

/* ---- relocations of modules (arch/powerpc/kernel/module_64.c) ---- */

#ifndef R_PPC64_ENTRY
#define R_PPC64_ENTRY 118
#endif

#define LD_R2_R12     0xe84c0000u /* ld r2, 0(r12) */
#define ADD_R2_R2_R12 0x7c426214u
#define ADDIS_R2_R12  0x3c4c0000u
#define ADDI_R2_R2    0x38420000u
#define LD_R2_R1      0xe8410018u /* ld r2, 24(r1) */

/* @size: bytes of the place; @mask: its bits; @high: the value is the upper half, rounded */
static const struct reloc {
	uint8_t type, size;
	bool relative, high;
	uint64_t mask;
} relocs[] = {
	{ R_PPC64_ADDR32, 4, false, false, UINT32_MAX },
	{ R_PPC64_ADDR64, 8, false, false, UINT64_MAX },
	{ R_PPC64_REL32, 4, true, false, UINT32_MAX },
	{ R_PPC64_REL64, 8, true, false, UINT64_MAX },
	{ R_PPC64_TOC, 8, false, false, UINT64_MAX },
	{ R_PPC64_TOC16, 2, true, false, 0xffff },
	{ R_PPC64_TOC16_LO, 2, true, false, 0xffff },
	{ R_PPC64_TOC16_HA, 2, true, true, 0xffff },
	{ R_PPC64_TOC16_DS, 2, true, false, 0xfffc },
	{ R_PPC64_TOC16_LO_DS, 2, true, false, 0xfffc },
	{ R_PPC64_REL16_LO, 2, true, false, 0xffff },
	{ R_PPC64_REL16_HA, 2, true, true, 0xffff },
	{ R_PPC64_REL24, 4, true, false, 0x03fffffc },
};

/* a function's first two instructions find the TOC; they use its distance if that is short */
static void shorten_entry(uint8_t *place, uint64_t distance)
{
	if (distance + 0x80008000 > UINT32_MAX ||
	    (ppc64le_get_insn(place) & 0xffff0003) != LD_R2_R12 ||
	    ppc64le_get_insn(place + INSN) != ADD_R2_R2_R12)
		return;
	ppc64le_put_insn(place, ADDIS_R2_R12 | ((uint32_t)(distance + 0x8000) >> 16));
	ppc64le_put_insn(place + INSN, ADDI_R2_R2 | (uint32_t)(distance & 0xffff));
}

static bool ppc64le_relocate(uint8_t *place, size_t room, uint32_t type, uint64_t addr,
			     uint64_t value)
{
	const struct reloc *r = relocs, *end = relocs + sizeof(relocs) / sizeof(*relocs);

	if (type == R_PPC64_NONE || type == R_PPC64_TOCSAVE)
		return true;
	if (type == R_PPC64_ENTRY) {
		if (room >= 2 * INSN)
			shorten_entry(place, value - addr);
		return room >= 2 * INSN;
	}
	while (r < end && r->type != type)
		r++;
	if (r == end || r->size > room)
		return false;
	value -= r->relative ? addr : 0;
	if (type == R_PPC64_REL24 && (value + 0x2000000 > 0x3ffffff || value & 3))
		return false;
	value = r->high ? (value + 0x8000) >> 16 : value;
	otst_put_le(place, (otst_get_le(place, r->size) & ~r->mask) | (value & r->mask), r->size);
	return true;
}

static enum otst_reloc_toc reloc_toc(uint32_t type)
{
	switch (type) {
	case R_PPC64_TOC16:
	case R_PPC64_TOC16_LO:
	case R_PPC64_TOC16_HA:
	case R_PPC64_TOC16_DS:
	case R_PPC64_TOC16_LO_DS:
		return OTST_TOC_BASE;
	case R_PPC64_TOC:
	case R_PPC64_ENTRY:
		return OTST_TOC_VALUE;
	case R_PPC64_REL24:
		return OTST_TOC_CALL;
	default:
		return OTST_TOC_NONE;
	}
}

static unsigned int local_entry(uint8_t st_other)
{
	return 1u << (st_other >> 5) >> 2 << 2;
}

/* restore_r2(): not after a jump */
static void restore_toc(uint8_t *place, size_t room)
{
	if (room >= 2 * INSN && ppc64le_get_insn(place) & LK &&
	    ppc64le_get_insn(place + INSN) == NOP)
		ppc64le_put_insn(place + INSN, LD_R2_R1);
}

/* ppc64_stub_insns: addis r11,r2; addi r11,r11; std r2,24(r1); ld r12,32(r11); mtctr r12; bctr */
static void ppc64le_put_stub(uint8_t *to, uint64_t distance)
{
	ppc64le_put_insn(to, 0x3d620000 | ((uint32_t)(distance + 0x8000) >> 16));
	ppc64le_put_insn(to + INSN, 0x396b0000 | (uint32_t)(distance & 0xffff));
	ppc64le_put_insn(to + 2 * (size_t)INSN, 0xf8410018);
	ppc64le_put_insn(to + 3 * (size_t)INSN, 0xe98b0020);
	ppc64le_put_insn(to + 4 * (size_t)INSN, 0x7d8903a6);
	ppc64le_put_insn(to + 5 * (size_t)INSN, 0x4e800420);
}

/* stub_insns: ld r12 from the paca (r13); addis r12, r12; addi r12, r12; mtctr r12; bctr */
static void put_own_stub(uint8_t *to, uint64_t distance, uint64_t member)
{
	ppc64le_put_insn(to, 0xe98d0000 | (uint32_t)(member & 0xfffc));
	ppc64le_put_insn(to + INSN, 0x3d8c0000 | ((uint32_t)(distance + 0x8000) >> 16));
	ppc64le_put_insn(to + 2 * (size_t)INSN, 0x398c0000 | (uint32_t)(distance & 0xffff));
	ppc64le_put_insn(to + 3 * (size_t)INSN, 0x7d8903a6);
	ppc64le_put_insn(to + 4 * (size_t)INSN, 0x4e800420);
}

static const struct otst_toc toc = {
	.pointer = ".TOC.",
	.section = ".toc",
	.stubs = ".stubs",
	.bias = 0x8000,
	.align = 256,
	.stub = "ppc64_stub_entry",
	.function = "funcdata",
	.own_call = "_mcount",
	.reloc = reloc_toc,
	.local = local_entry,
	.restore = restore_toc,
	.magic = "magic",
	.mark = 0x73747562,
	.kernel = "kernel_toc",
	.put = ppc64le_put_stub,
	.put_own = put_own_stub,
};

/* arch/powerpc/include/uapi/asm/fcntl.h */
static const struct otst_open_flags open_flags = {
	.directory = 040000,
	.nofollow = 0100000,
	.direct = 0400000,
	.largefile = 0200000,
};

const struct otst_arch otst_arch_ppc64le = {
	.name = "ppc64le",
	.elf_machine = EM_PPC64,

	.reg = {
		.list = regs,
		.count = NR_REGS,
		.pc = NIP,
		.sp = R1,
		.fp = R31,
		.ra = LR,
		.dwarf_ra = 65,
		.args = args,
		.nr_args = sizeof(args),
		.stack_args = 96, /* after the 32-byte header and room for eight registers */
		.by_reference = false,
		.syscall = 0,
		.syscall_args = { R3, 4, 5, 6, 7, 8 },
		.shown = shown,
		.shown_pc = "NIP: ",
		.nr_shown = sizeof(shown) / sizeof(*shown),
		.user_mode = ppc64le_user_mode,
		.thread_sp = "thread.ksp",
	},

	.insn = {
		.breakpoint = { { 0x08, 0x00, 0xe0, 0x7f }, INSN },	 /* trap */
		.kgdb_breakpoint = { { 0x08, 0x10, 0x82, 0x7d }, INSN }, /* twge r2, r2 */
		.nop = { { 0x00, 0x00, 0x00, 0x60 }, INSN },
		.call_reach = 32u << 20,
		.step = INSN,
		.branch_len = INSN,
		.branch = ppc64le_find_branch,
		.put_branch = ppc64le_put_branch,
		.entry_mark = ppc64le_entry_mark,
		.entry_nop = ppc64le_entry_nop,
		.entry_max = 4 * INSN,
		.call_window = INSN,
		.follows_call = ppc64le_follows_call,
	},

	.ftrace = {
		.call_prefix = { { 0xa6, 0x02, 0x08, 0x7c }, INSN }, /* mflr r0 */
		.call_max = 4 * INSN, /* after the global entry, mflr r0 and std r0, 16(r1) */
		.stub_call = INSN,
	},

	.reloc = {
		.veneer_len = 4 * INSN,
		.veneer = is_stub,
		.apply = ppc64le_relocate,
		.toc = &toc,
	},

	.disasm = {
		.has_capstone = true,
		.arch = CS_ARCH_PPC,
		.mode = CS_MODE_64 | CS_MODE_LITTLE_ENDIAN,
		.refer = ppc64le_refer,
	},

	.space = {
		.kernel_begin = LINEAR,
		.text_begin = LINEAR,
		.user_end = UINT64_C(1) << 52,
		.user_window = UINT64_C(1) << 47,
		.section_bits = 24,
	},

	.paging = {
		.layouts = layouts,
		.nr_layouts = NR_LAYOUTS,
		.top_tables = top_tables,
		.index_bits = ppc64le_index_bits,
		.big_tables = true,
		.translates = ppc64le_translates,
		.decode_entry = ppc64le_decode_entry,
		.find = ppc64le_find_pagings,
	},

	.image = {
		.head_symbol = "__start_initialization_multiplatform",
		.head_source = "arch/powerpc/kernel/head_64.S",
	},

	.open_flags = &open_flags,
};
