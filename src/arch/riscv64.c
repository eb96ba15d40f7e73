// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * riscv64.c - struct pt_regs of arch/riscv/include/asm/ptrace.h, whose head is
 * struct user_regs_struct of a dump's notes; the LP64 calling convention; the instructions that
 * kernels patch in; page tables of Sv39, Sv48 and Sv57.
 */
#include <capstone/capstone.h>
#include <elf.h>

#include "arch.h"
#include "bytes.h"

/* as in struct pt_regs; x1 to x31 have the numbers that DWARF gives them, too */
enum { PC, RA, SP, S0 = 8, A0 = 10, A7 = 17, STATUS = 32, NR_REGS };

#define SR_SPP 0x100u /* the mode before the exception was the kernel's */

static const struct otst_register regs[NR_REGS] = {
	{ "pc", "epc", 0, OTST_NO_REG },
	{ "ra", "ra", 0, 1 },
	{ "sp", "sp", 0, 2 },
	{ "gp", "gp", 0, 3 },
	{ "tp", "tp", 0, 4 },
	{ "t0", "t0", 0, 5 },
	{ "t1", "t1", 0, 6 },
	{ "t2", "t2", 0, 7 },
	{ "s0", "s0", 0, 8 },
	{ "s1", "s1", 0, 9 },
	{ "a0", "a0", 0, 10 },
	{ "a1", "a1", 0, 11 },
	{ "a2", "a2", 0, 12 },
	{ "a3", "a3", 0, 13 },
	{ "a4", "a4", 0, 14 },
	{ "a5", "a5", 0, 15 },
	{ "a6", "a6", 0, 16 },
	{ "a7", "a7", 0, 17 },
	{ "s2", "s2", 0, 18 },
	{ "s3", "s3", 0, 19 },
	{ "s4", "s4", 0, 20 },
	{ "s5", "s5", 0, 21 },
	{ "s6", "s6", 0, 22 },
	{ "s7", "s7", 0, 23 },
	{ "s8", "s8", 0, 24 },
	{ "s9", "s9", 0, 25 },
	{ "s10", "s10", 0, 26 },
	{ "s11", "s11", 0, 27 },
	{ "t3", "t3", 0, 28 },
	{ "t4", "t4", 0, 29 },
	{ "t5", "t5", 0, 30 },
	{ "t6", "t6", 0, 31 },
	{ "status", "status", 0, OTST_NO_REG },
};

static const uint8_t args[] = { 10, 11, 12, 13, 14, 15, 16, 17 };

/* __show_regs() of arch/riscv/kernel/process.c */
static const struct otst_shown_reg shown[] = {
	{ " ra : ", 1, 16, 0 },	 { " sp : ", 2, 16, 0 },      { "\n gp : ", 3, 16, 0 },
	{ " tp : ", 4, 16, 0 },	 { " t0 : ", 5, 16, 0 },      { "\n t1 : ", 6, 16, 0 },
	{ " t2 : ", 7, 16, 0 },	 { " s0 : ", 8, 16, 0 },      { "\n s1 : ", 9, 16, 0 },
	{ " a0 : ", 10, 16, 0 }, { " a1 : ", 11, 16, 0 },     { "\n a2 : ", 12, 16, 0 },
	{ " a3 : ", 13, 16, 0 }, { " a4 : ", 14, 16, 0 },     { "\n a5 : ", 15, 16, 0 },
	{ " a6 : ", 16, 16, 0 }, { " a7 : ", 17, 16, 0 },     { "\n s2 : ", 18, 16, 0 },
	{ " s3 : ", 19, 16, 0 }, { " s4 : ", 20, 16, 0 },     { "\n s5 : ", 21, 16, 0 },
	{ " s6 : ", 22, 16, 0 }, { " s7 : ", 23, 16, 0 },     { "\n s8 : ", 24, 16, 0 },
	{ " s9 : ", 25, 16, 0 }, { " s10: ", 26, 16, 0 },     { "\n s11: ", 27, 16, 0 },
	{ " t3 : ", 28, 16, 0 }, { " t4 : ", 29, 16, 0 },     { "\n t5 : ", 30, 16, 0 },
	{ " t6 : ", 31, 16, 0 }, { "\nstatus: ", 32, 16, 0 },
};

/* A dump's notes have no status; a kernel thread that was never in user mode has no pc. */
static bool riscv64_user_mode(const uint64_t *r)
{
	return !(r[STATUS] & SR_SPP) && !(r[PC] >> 63);
}

/* ---- instructions ---- */

#define INSN	  4u
#define PAIR	  8u /* auipc and jalr */
#define NOP	  0x00000013u
#define C_NOP	  0x0001u
#define AUIPC	  0x17u
#define JAL	  0x6fu
#define JALR	  0x67u
#define OP_MASK	  0x7fu
#define JALR_MASK 0x707fu
#define T0	  5u

static size_t insn_len(const uint8_t *bytes)
{
	return (bytes[0] & 3) == 3 ? INSN : 2;
}

static uint32_t riscv64_get_insn(const uint8_t *bytes)
{
	return (uint32_t)otst_get_le(bytes, INSN);
}

static unsigned int dest_reg(uint32_t insn)
{
	return insn >> 7 & 31;
}

/* the register that holds the target of a jump, or an immediate's sign */
static unsigned int source_reg(uint32_t insn)
{
	return insn >> 15 & 31;
}

/* x0 keeps no return address; calls keep theirs in ra or t0 */
static enum otst_branch_kind riscv64_kind_of(unsigned int link)
{
	return !link			? OTST_BRANCH_JUMP :
	       link == RA || link == T0 ? OTST_BRANCH_CALL :
					  OTST_BRANCH_NONE;
}

/* imm[20|10:1|11|19:12] of jal */
static int64_t jal_offset(uint32_t insn)
{
	return (int64_t)(int32_t)((insn & 0x80000000) | (insn & 0xff000) << 11 |
				  (insn & 0x100000) << 2 | (insn & 0x7fe00000) >> 9) >>
	       11;
}

/* imm[11|4|9:8|10|6|7|3:1|5] of c.j */
static int64_t compressed_offset(uint32_t insn)
{
	uint32_t v = (insn >> 12 & 1) << 11 | (insn >> 11 & 1) << 4 | (insn >> 9 & 3) << 8 |
		     (insn >> 8 & 1) << 10 | (insn >> 7 & 1) << 6 | (insn >> 6 & 1) << 7 |
		     (insn >> 3 & 7) << 1 | (insn >> 2 & 1) << 5;

	return (int64_t)(v ^ 0x800) - 0x800;
}

/* auipc and a jalr through its register */
static bool find_pair(const uint8_t *bytes, size_t len, uint64_t addr, struct otst_branch *ret)
{
	uint32_t high = riscv64_get_insn(bytes),
		 low = len < PAIR ? 0 : riscv64_get_insn(bytes + INSN);

	if (len < PAIR || (low & JALR_MASK) != JALR || source_reg(low) != dest_reg(high))
		return false;
	ret->kind = riscv64_kind_of(dest_reg(low));
	ret->len = PAIR;
	ret->target =
		addr + (uint64_t)((int64_t)(int32_t)(high & 0xfffff000) + ((int32_t)low >> 20));
	return ret->kind != OTST_BRANCH_NONE;
}

static bool riscv64_find_branch(const uint8_t *bytes, size_t len, uint64_t addr,
				struct otst_branch *ret)
{
	uint32_t insn = riscv64_get_insn(bytes);

	*ret = (struct otst_branch){ .len = INSN };
	if ((insn & OP_MASK) == AUIPC)
		return find_pair(bytes, len, addr, ret);
	if ((insn & OP_MASK) == JAL) {
		ret->kind = riscv64_kind_of(dest_reg(insn));
		ret->target = addr + (uint64_t)jal_offset(insn);
	} else if ((insn & 0xe003) == 0xa001) {
		*ret = (struct otst_branch){ OTST_BRANCH_JUMP, 2,
					     addr + (uint64_t)compressed_offset(insn) };
	}
	return ret->kind != OTST_BRANCH_NONE;
}

static void riscv64_put_insn(uint8_t *to, uint32_t insn)
{
	otst_put_le(to, insn, INSN);
}

/* imm[20|10:1|11|19:12] of jal, over the upper 20 bits */
static uint32_t jal_bits(uint64_t v)
{
	return (uint32_t)((v >> 20 & 1) << 31 | (v >> 1 & 0x3ff) << 21 | (v >> 11 & 1) << 20 |
			  (v & 0xff000));
}

/* Calls are as ftrace makes them, make_call_t0(); jumps as jump labels have them. */
static size_t riscv64_put_branch(uint8_t *to, enum otst_branch_kind kind, uint64_t addr,
				 uint64_t target)
{
	uint64_t offset = target - addr;

	if (kind == OTST_BRANCH_CALL) {
		riscv64_put_insn(to, (uint32_t)((offset + 0x800) & 0xfffff000) | T0 << 7 | AUIPC);
		riscv64_put_insn(to + INSN,
				 (uint32_t)(offset & 0xfff) << 20 | T0 << 15 | T0 << 7 | JALR);
		return PAIR;
	}
	if (offset + (1u << 20) >= 1u << 21)
		return 0;
	riscv64_put_insn(to, JAL | jal_bits(offset));
	return INSN;
}

/* lpad, the target of indirect calls: auipc to x0 */
static size_t riscv64_entry_mark(const uint8_t *bytes)
{
	return (riscv64_get_insn(bytes) & 0xfff) == AUIPC ? INSN : 0;
}

static size_t riscv64_entry_nop(const uint8_t *bytes)
{
	uint32_t insn = riscv64_get_insn(bytes);

	return insn == NOP ? INSN : (insn & 0xffff) == C_NOP ? 2 : 0;
}

/* jal ra, jalr ra; c.jalr, which with x0 is c.ebreak */
static bool riscv64_follows_call(const uint8_t *before)
{
	uint32_t insn = riscv64_get_insn(before), half = insn >> 16;

	return (insn & 0xfff) == (RA << 7 | JAL) || (insn & 0x7fff) == (RA << 7 | JALR) ||
	       ((half & 0xf07f) == 0x9002 && half != 0x9002);
}

/* ---- relocations of modules (arch/riscv/kernel/module.c) ---- */

enum reloc_op { STORE, ADD, SUBTRACT };
enum reloc_field { DATA, LOW_BITS, BRANCH_B, JUMP_J, BRANCH_C, JUMP_C, HIGH, LOW_I, LOW_S, CALL };

/* @size: bytes of the place; @relative: the value is relative to it */
static const struct reloc {
	uint8_t type, op, field, size;
	bool relative;
} relocs[] = {
	{ R_RISCV_32, STORE, DATA, 4, false },
	{ R_RISCV_64, STORE, DATA, 8, false },
	{ R_RISCV_BRANCH, STORE, BRANCH_B, INSN, true },
	{ R_RISCV_JAL, STORE, JUMP_J, INSN, true },
	{ R_RISCV_CALL, STORE, CALL, PAIR, true },
	{ R_RISCV_CALL_PLT, STORE, CALL, PAIR, true },
	{ R_RISCV_PCREL_HI20, STORE, HIGH, INSN, true },
	{ R_RISCV_PCREL_LO12_I, STORE, LOW_I, INSN, true },
	{ R_RISCV_PCREL_LO12_S, STORE, LOW_S, INSN, true },
	{ R_RISCV_HI20, STORE, HIGH, INSN, false },
	{ R_RISCV_LO12_I, STORE, LOW_I, INSN, false },
	{ R_RISCV_LO12_S, STORE, LOW_S, INSN, false },
	{ R_RISCV_ADD8, ADD, DATA, 1, false },
	{ R_RISCV_ADD16, ADD, DATA, 2, false },
	{ R_RISCV_ADD32, ADD, DATA, 4, false },
	{ R_RISCV_ADD64, ADD, DATA, 8, false },
	{ R_RISCV_SUB8, SUBTRACT, DATA, 1, false },
	{ R_RISCV_SUB16, SUBTRACT, DATA, 2, false },
	{ R_RISCV_SUB32, SUBTRACT, DATA, 4, false },
	{ R_RISCV_SUB64, SUBTRACT, DATA, 8, false },
	{ R_RISCV_RVC_BRANCH, STORE, BRANCH_C, 2, true },
	{ R_RISCV_RVC_JUMP, STORE, JUMP_C, 2, true },
	{ R_RISCV_SUB6, SUBTRACT, LOW_BITS, 1, false },
	{ R_RISCV_SET6, STORE, LOW_BITS, 1, false },
	{ R_RISCV_SET8, STORE, DATA, 1, false },
	{ R_RISCV_SET16, STORE, DATA, 2, false },
	{ R_RISCV_SET32, STORE, DATA, 4, false },
	{ R_RISCV_32_PCREL, STORE, DATA, 4, true },
	{ R_RISCV_GOT_HI20, STORE, HIGH, INSN, true },
	{ 59 /* R_RISCV_PLT32 */, STORE, DATA, 4, true },
};

/* imm[12|10:5] and imm[4:1|11] of a branch */
static uint32_t branch_bits(uint64_t v)
{
	return (uint32_t)((v >> 12 & 1) << 31 | (v >> 5 & 0x3f) << 25 | (v >> 1 & 0xf) << 8 |
			  (v >> 11 & 1) << 7);
}

static uint32_t compressed_branch_bits(uint64_t v)
{
	return (uint32_t)((v >> 8 & 1) << 12 | (v >> 3 & 3) << 10 | (v >> 6 & 3) << 5 |
			  (v >> 1 & 3) << 3 | (v >> 5 & 1) << 2);
}

static uint32_t compressed_jump_bits(uint64_t v)
{
	return (uint32_t)((v >> 11 & 1) << 12 | (v >> 4 & 1) << 11 | (v >> 8 & 3) << 9 |
			  (v >> 10 & 1) << 8 | (v >> 6 & 1) << 7 | (v >> 7 & 1) << 6 |
			  (v >> 1 & 7) << 3 | (v >> 5 & 1) << 2);
}

/* an instruction, or as much as there is of it; of a call auipc, whose jalr is written apart */
static uint64_t riscv64_put_field(enum reloc_field field, uint64_t old, uint64_t v)
{
	switch (field) {
	case LOW_BITS:
		return (old & 0xc0) | (v & 0x3f);
	case BRANCH_B:
		return (old & 0x01fff07f) | branch_bits(v);
	case JUMP_J:
		return (old & 0xfff) | jal_bits(v);
	case BRANCH_C:
		return (old & 0xe383) | compressed_branch_bits(v);
	case JUMP_C:
		return (old & 0xe003) | compressed_jump_bits(v);
	case HIGH:
		return (old & 0xfff) | ((v + 0x800) & 0xfffff000);
	case LOW_I:
		return (old & 0xfffff) | (v & 0xfff) << 20;
	case LOW_S:
		return (old & 0x1fff07f) | (v >> 5 & 0x7f) << 25 | (v & 0x1f) << 7;
	case CALL:
		return (old & 0x000fffff00000fff) | ((v + 0x800) & 0xfffff000) | (v & 0xfff) << 52;
	case DATA:
		break;
	}
	return v;
}

/* the lower half of a distance names the place of the upper half, from which it is counted */
static bool reloc_by_place(uint32_t type, uint32_t at_place)
{
	return (type == R_RISCV_PCREL_LO12_I || type == R_RISCV_PCREL_LO12_S) &&
	       (!at_place || at_place == R_RISCV_PCREL_HI20 || at_place == R_RISCV_GOT_HI20);
}

/* module_frob_arch_sections() of arch/riscv/kernel/module-sections.c */
static enum otst_reloc_slot riscv64_reloc_slot(uint32_t type)
{
	switch (type) {
	case R_RISCV_GOT_HI20:
		return OTST_SLOT_GOT;
	case R_RISCV_CALL_PLT:
	case 59 /* R_RISCV_PLT32 */:
		return OTST_SLOT_PLT;
	default:
		return OTST_SLOT_NONE;
	}
}

#define PLT_ENTRY (3 * INSN)

/* struct plt_entry: auipc t0; ld t1, (t0); jr t1 */
static bool riscv64_put_plt(uint8_t *to, uint64_t size, uint64_t at, uint64_t target, uint64_t via)
{
	uint64_t distance = via - at, high = (distance + 0x800) & 0xfffff000;

	(void)target;
	if (size != PLT_ENTRY || distance + 0x80000800 >= UINT64_C(1) << 32)
		return false;
	otst_put_le(to, 0x297 | high, INSN);
	otst_put_le(to + INSN, 0x2b303 | ((distance - high) & 0xfff) << 20, INSN);
	otst_put_le(to + 2 * (size_t)INSN, 0x30067, INSN);
	return true;
}

/* A call that is out of reach goes through the module's PLT, which the kernel makes. */
static bool riscv64_relocate(uint8_t *place, size_t room, uint32_t type, uint64_t addr,
			     uint64_t value)
{
	const struct reloc *r = relocs, *end = relocs + sizeof(relocs) / sizeof(*relocs);
	uint64_t old;

	if (type == R_RISCV_NONE || type == R_RISCV_RELAX)
		return true;
	while (r < end && r->type != type)
		r++;
	if (r == end || r->size > room)
		return false;
	value -= r->relative ? addr : 0;
	if ((r->field == CALL || (r->field == HIGH && r->relative)) &&
	    value + 0x80000800 >= UINT64_C(1) << 32)
		return false;
	if (r->type == 59 && value + 0x80000000 >= UINT64_C(1) << 32)
		return false;
	old = otst_get_le(place, r->size);
	if (r->op != STORE)
		value = r->op == ADD ? old + value : old - value;
	value = riscv64_put_field(r->field, old, value);
	otst_put_le(place, value, r->size);
	return true;
}

#if CS_API_MAJOR >= 5
static void riscv64_refer(const struct cs_insn *insn, bool branch, uint64_t *target, bool *refers)
{
	const cs_riscv *a = &insn->detail->riscv;

	(void)refers;
	if (branch && a->op_count && a->operands[a->op_count - 1].type == RISCV_OP_IMM)
		*target = insn->address + (uint64_t)a->operands[a->op_count - 1].imm;
}
#endif

/* ---- page tables (arch/riscv/include/asm/pgtable-64.h) ---- */

#define PTE_VALID  1u
#define PTE_ACCESS 0xeu /* R, W, X: none in an entry that leads to a table */

static const struct otst_paging layouts[] = {
	{ .page_shift = 12, .va_bits = 39 },
	{ .page_shift = 12, .va_bits = 48 },
	{ .page_shift = 12, .va_bits = 57 },
};

static const char *const top_tables[] = { "swapper_pg_dir", NULL };

/* the kernel's half */
static bool riscv64_translates(const struct otst_paging *g, uint64_t virt)
{
	return virt >> (g->va_bits - 1) == UINT64_MAX >> (g->va_bits - 1);
}

static bool riscv64_decode_entry(const struct otst_paging *g, uint64_t entry, unsigned int shift,
				 uint64_t *next, bool *is_memory)
{
	if (!(entry & PTE_VALID))
		return false;
	*next = (entry >> 10 & ((UINT64_C(1) << 44) - 1)) << g->page_shift;
	*is_memory = shift == g->page_shift || (entry & PTE_ACCESS);
	return true;
}

/* Linux 649d6b1019a2 ("RISC-V: Add arch_crash_save_vmcoreinfo support") (v6.2) */
static size_t riscv64_find_pagings(otst_fact_fn *fact, void *priv,
				   struct otst_paging ret[OTST_PAGINGS_MAX], uint64_t *virt,
				   uint64_t *phys)
{
	uint64_t root, offset, bits;

	if (!fact(priv, "SYMBOL(swapper_pg_dir)", &root) ||
	    !fact(priv, "NUMBER(va_kernel_pa_offset)", &offset) ||
	    !fact(priv, "NUMBER(VA_BITS)", &bits) || bits >= 64)
		return 0;
	if (!fact(priv, "SYMBOL(_stext)", virt))
		*virt = root;
	*phys = *virt - offset;
	ret[0] = (struct otst_paging){ .root = root - offset,
				       .page_shift = 12,
				       .va_bits = (uint32_t)bits };
	return 1;
}

#define KERNEL_LINK_ADDR 0xffffffff80000000

/* kernel_map.virt_addr is where KERNEL_LINK_ADDR was moved to */
static uint64_t riscv64_image_shift(uint64_t move, uint64_t virt_addr)
{
	(void)move;
	return virt_addr - KERNEL_LINK_ADDR;
}

const struct otst_arch otst_arch_riscv64 = {
	.name = "riscv64",
	.elf_machine = EM_RISCV,
	.page_size = 4096,

	.reg = {
		.list = regs,
		.count = NR_REGS,
		.pc = PC,
		.sp = SP,
		.fp = S0,
		.ra = RA,
		.dwarf_ra = RA,
		.args = args,
		.nr_args = sizeof(args),
		.stack_args = 0,
		.by_reference = true,
		.syscall = A7,
		.syscall_args = { A0, 11, 12, 13, 14, 15 },
		.shown = shown,
		.shown_pc = "epc : ",
		.nr_shown = sizeof(shown) / sizeof(*shown),
		.user_mode = riscv64_user_mode,
		.thread_sp = "thread.sp",
		.graph_place = "fp",
	},

	.insn = {
		.breakpoint = { { 0x73, 0x00, 0x10, 0x00 }, INSN }, /* ebreak */
		.short_breakpoint = { { 0x02, 0x90 }, 2 },	    /* c.ebreak */
		.kgdb_breakpoint = { { 0x02, 0x90 }, 2 },
		.nop = { { 0x13, 0x00, 0x00, 0x00, 0x13, 0x00, 0x00, 0x00 }, PAIR },
		.step = 2,
		.len = insn_len,
		.branch_len = PAIR,
		.branch = riscv64_find_branch,
		.put_branch = riscv64_put_branch,
		.entry_mark = riscv64_entry_mark,
		.entry_nop = riscv64_entry_nop,
		.entry_max = 3 * INSN, /* lpad, the call */
		.call_window = INSN,
		.follows_call = riscv64_follows_call,
		.bpf_pokes_straight = true,
	},

	.ftrace = {
		.call_max = 2 * INSN, /* after lpad, and since 6.16 after auipc */
		.call_lead = INSN,
		.lead_reach = 2047,
	},

	.reloc = {
		.apply = riscv64_relocate,
		.slot = riscv64_reloc_slot,
		.put_plt = riscv64_put_plt,
		.plt_sizes = { PLT_ENTRY },
		.by_place = reloc_by_place,
	},

	.disasm = {
#if CS_API_MAJOR >= 5
		.has_capstone = true,
		.arch = CS_ARCH_RISCV,
		.mode = CS_MODE_RISCV64 | CS_MODE_RISCVC,
		.refer = riscv64_refer,
#endif
	},

	.space = {
		/* the kernel's half of Sv57; the module area, which ends where the kernel begins */
		.kernel_begin = 0xff00000000000000,
		.text_begin = 0xffffffff00000000,
		.user_end = UINT64_C(1) << 56,
		.user_window = UINT64_C(1) << 47,
		.section_bits = 27,
	},

	.paging = {
		.layouts = layouts,
		.nr_layouts = sizeof(layouts) / sizeof(*layouts),
		.top_tables = top_tables,
		.translates = riscv64_translates,
		.decode_entry = riscv64_decode_entry,
		.find = riscv64_find_pagings,
	},

	.image = {
		.head_symbol = "_start_kernel",
		.head_source = "arch/riscv/kernel/head.S",
		.align = 2u << 20,
		.link = KERNEL_LINK_ADDR,
		.offset = "kernel_map",
		.offset_at = 8, /* virt_addr of struct kernel_mapping */
		.shift = riscv64_image_shift,
	},
};
