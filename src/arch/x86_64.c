// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * x86_64.c - struct pt_regs of arch/x86/include/asm/ptrace.h, the x86-64 psABI.
 */
#include <capstone/capstone.h>
#include <elf.h>
#include <string.h>

#include "arch.h"
#include "bytes.h"
#include "x86_64.h"

static const struct otst_register regs[X86_REGS] = {
	[X86_R15] = { "r15", "r15", .dwarf = 15 },
	[X86_R14] = { "r14", "r14", .dwarf = 14 },
	[X86_R13] = { "r13", "r13", .dwarf = 13 },
	[X86_R12] = { "r12", "r12", .dwarf = 12 },
	[X86_BP] = { "rbp", "bp", .dwarf = 6 },
	[X86_BX] = { "rbx", "bx", .dwarf = 3 },
	[X86_R11] = { "r11", "r11", .dwarf = 11 },
	[X86_R10] = { "r10", "r10", .dwarf = 10 },
	[X86_R9] = { "r9", "r9", .dwarf = 9 },
	[X86_R8] = { "r8", "r8", .dwarf = 8 },
	[X86_AX] = { "rax", "ax", .dwarf = 0 },
	[X86_CX] = { "rcx", "cx", .dwarf = 2 },
	[X86_DX] = { "rdx", "dx", .dwarf = 1 },
	[X86_SI] = { "rsi", "si", .dwarf = 4 },
	[X86_DI] = { "rdi", "di", .dwarf = 5 },
	[X86_ORIG_AX] = { "orig_rax", "orig_ax", .dwarf = OTST_NO_REG },
	[X86_IP] = { "rip", "ip", .dwarf = OTST_NO_REG },
	[X86_CS] = { "cs", "cs", .dwarf = OTST_NO_REG },
	[X86_FLAGS] = { "eflags", "flags", .dwarf = OTST_NO_REG },
	[X86_SP] = { "rsp", "sp", .dwarf = 7 },
	[X86_SS] = { "ss", "ss", .dwarf = OTST_NO_REG },
};

static const uint8_t args[] = { X86_DI, X86_SI, X86_DX, X86_CX, X86_R8, X86_R9 };

/* __show_regs() of arch/x86/kernel/process_64.c */
static const struct otst_shown_reg shown[] = {
	{ " RSP: ", X86_SS, 4, 0xffff },  { ":", X86_SP, 16, 0 },
	{ " EFLAGS: ", X86_FLAGS, 8, 0 }, { "\n RAX: ", X86_AX, 16, 0 },
	{ " RBX: ", X86_BX, 16, 0 },	  { " RCX: ", X86_CX, 16, 0 },
	{ "\n RDX: ", X86_DX, 16, 0 },	  { " RSI: ", X86_SI, 16, 0 },
	{ " RDI: ", X86_DI, 16, 0 },	  { "\n RBP: ", X86_BP, 16, 0 },
	{ " R08: ", X86_R8, 16, 0 },	  { " R09: ", X86_R9, 16, 0 },
	{ "\n R10: ", X86_R10, 16, 0 },	  { " R11: ", X86_R11, 16, 0 },
	{ " R12: ", X86_R12, 16, 0 },	  { "\n R13: ", X86_R13, 16, 0 },
	{ " R14: ", X86_R14, 16, 0 },	  { " R15: ", X86_R15, 16, 0 },
};

static bool x86_64_user_mode(const uint64_t *r)
{
	return r[X86_CS] & 3;
}

/* ---- instructions ---- */

#define CALL  0xe8
#define JMP   0xe9
#define JMP8  0xeb
#define REL32 5u /* bytes of call and jmp rel32 */

static bool x86_64_find_branch(const uint8_t *bytes, size_t len, uint64_t addr,
			       struct otst_branch *ret)
{
	*ret = (struct otst_branch){ .len = REL32 };
	if (bytes[0] == CALL)
		ret->kind = OTST_BRANCH_CALL;
	else if (bytes[0] == JMP || bytes[0] == JMP8)
		ret->kind = OTST_BRANCH_JUMP;
	else
		return false;
	if (bytes[0] == JMP8) {
		ret->len = 2;
		ret->target = addr + 2 + (uint64_t)(int64_t)(int8_t)bytes[1];
	} else if (len >= REL32) {
		ret->target = addr + REL32 + (uint64_t)(int64_t)(int32_t)otst_get_le(bytes + 1, 4);
	}
	return true;
}

static size_t x86_64_put_branch(uint8_t *to, enum otst_branch_kind kind, uint64_t addr,
				uint64_t target)
{
	uint64_t distance = target - (addr + REL32);

	to[0] = kind == OTST_BRANCH_CALL ? CALL : JMP;
	otst_put_le(to + 1, distance, 4);
	return REL32;
}

/* endbr64, and what the kernel overwrites it with in functions that are never called indirectly */
static size_t x86_64_entry_mark(const uint8_t *bytes)
{
	static const uint8_t marks[][4] = { { 0xf3, 0x0f, 0x1e, 0xfa },
					    { 0x0f, 0x1f, 0x40, 0x00 },
					    { 0x0f, 0x1f, 0x40, 0xd6 },
					    { 0x66, 0x0f, 0x1f, 0x00 },
					    { 0xd6, 0x0f, 0x1f, 0x00 } };

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		if (!memcmp(bytes, marks[i], sizeof(*marks)))
			return sizeof(*marks);
	}
	return 0;
}

static size_t x86_64_entry_nop(const uint8_t *bytes)
{
	static const uint8_t nops[][REL32] = { { 0x0f, 0x1f, 0x44, 0x00, 0x00 },
					       { 0x66, 0x66, 0x66, 0x66, 0x90 },
					       { 0x3e, 0x8d, 0x74, 0x26, 0x00 } };

	for (size_t i = 0; i < sizeof(nops) / sizeof(*nops); i++) {
		if (!memcmp(bytes, nops[i], sizeof(*nops)))
			return sizeof(*nops);
	}
	return 0;
}

#define CALL_WINDOW 7u /* longest call instruction that is looked for */
#define MIN_CALL    2u

static bool x86_64_follows_call(const uint8_t *before)
{
	const uint8_t *end = before + CALL_WINDOW;

	if (*(end - REL32) == CALL)
		return true;
	/* call r/m: ff /2, with 0 to 5 bytes after the ModRM byte */
	for (unsigned int n = MIN_CALL; n <= CALL_WINDOW; n++) {
		if (*(end - n) == 0xff && (*(end - n + 1) & 0x38) == 0x10)
			return true;
	}
	return false;
}

/* arch/x86/kernel/module.c */
static bool x86_64_relocate(uint8_t *place, size_t room, uint32_t type, uint64_t addr,
			    uint64_t value)
{
	size_t size = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;

	switch (type) {
	case R_X86_64_NONE:
		return true;
	case R_X86_64_PC32:
	case R_X86_64_PLT32:
	case R_X86_64_PC64:
		value -= addr;
		break;
	case R_X86_64_64:
	case R_X86_64_32:
	case R_X86_64_32S:
		break;
	default:
		return false;
	}
	if (size <= room)
		otst_put_le(place, value, size);
	return size <= room;
}

/* arch/x86/kernel/hw_breakpoint.c */
static const struct otst_debug_registers debug[] = {
	{ "bp_per_reg", "cpu_debugreg", "cpu_dr7", "dr", 4 },
};

/* ---- disassembly ---- */

/*
 * What libcapstone 4 does not know, or takes for something else. Only whole
 * instructions without operands to decode are here; ud1 is one of them because
 * its operand only carries a number for the trap's handler.
 */
static const struct otst_insn_known known[] = {
	{ { 0xd6 }, 1, 0xff, 1, "udb" },
	{ { 0x0f, 0x01, 0xe8 }, 3, 0xff, 3, "serialize" },
	{ { 0x0f, 0x01, 0xc6 }, 3, 0xff, 3, "wrmsrns" },
	{ { 0x0f, 0x01, 0xee }, 3, 0xff, 3, "rdpkru" },
	{ { 0x0f, 0x01, 0xfa }, 3, 0xff, 3, "monitorx" },
	{ { 0x0f, 0x01, 0xfb }, 3, 0xff, 3, "mwaitx" },
	{ { 0x0f, 0x01, 0xef }, 3, 0xff, 3, "wrpkru" },
	{ { 0x66, 0x0f, 0xae, 0xf1 }, 4, 0xff, 4, "tpause %ecx" },
	{ { 0xc4, 0xe2, 0x78, 0x49, 0xc0 }, 5, 0xff, 5, "tilerelease" },
	{ { 0x0f, 0xb9, 0xc0 }, 3, 0xc0, 3, "ud1" },
	{ { 0x0f, 0xb9, 0x40 }, 3, 0xc7, 4, "ud1" },
	{ { 0x67, 0x0f, 0xb9, 0x40 }, 4, 0xc7, 5, "ud1" },
	{ { 0x67, 0x0f, 0xb9, 0x80 }, 4, 0xc7, 8, "ud1" },
	{ { 0xf2, 0x0f, 0x01, 0xca }, 4, 0xff, 4, "erets" },
	{ { 0xf3, 0x0f, 0x01, 0xca }, 4, 0xff, 4, "eretu" },
	{ { 0xf3, 0x0f, 0xc7, 0xf8 }, 4, 0xff, 4, "rdpid %rax" },
	{ { 0xf2, 0x0f, 0x00, 0xf0 }, 4, 0xff, 4, "lkgs %ax" },
	{ { 0xf2, 0x0f, 0x00, 0xf7 }, 4, 0xff, 4, "lkgs %di" },
};

static void x86_64_refer(const struct cs_insn *insn, bool branch, uint64_t *target, bool *refers)
{
	const cs_x86 *x = &insn->detail->x86;

	for (unsigned int i = 0; i < x->op_count; i++) {
		const cs_x86_op *op = &x->operands[i];

		if (op->type != X86_OP_MEM || op->mem.base != X86_REG_RIP)
			continue;
		*target = insn->address + insn->size + (uint64_t)op->mem.disp;
		*refers = true;
	}
	if (branch && x->op_count && x->operands[x->op_count - 1].type == X86_OP_IMM)
		*target = (uint64_t)x->operands[x->op_count - 1].imm;
}

/* ---- page tables (arch/x86/include/asm/pgtable_types.h) ---- */

#define KERNEL_MAP UINT64_C(0xffffffff80000000) /* __START_KERNEL_map */

#define PTE_PRESENT    1u
#define PTE_WRITE      2u
#define PTE_HUGE       (1u << 7)
#define PTE_NO_EXECUTE (UINT64_C(1) << 63)
#define PTE_ADDRESS    UINT64_C(0x000ffffffffff000)

static const struct otst_paging layouts[] = {
	{ .page_shift = 12, .va_bits = 48 },
	{ .page_shift = 12, .va_bits = 57 },
};

/* v4.13 renamed init_level4_pgt */
static const char *const top_tables[] = { "init_top_pgt", "init_level4_pgt", NULL };

/* the upper bits are copies of the highest bit that is translated */
static bool x86_64_translates(const struct otst_paging *g, uint64_t virt)
{
	unsigned int unused = 64 - g->va_bits;

	return (uint64_t)((int64_t)(virt << unused) >> unused) == virt;
}

static unsigned int x86_64_rights(const struct otst_paging *g, uint64_t entry, bool is_memory)
{
	(void)g;
	(void)is_memory;
	return (entry & PTE_WRITE ? OTST_MAY_WRITE : 0) |
	       (entry & PTE_NO_EXECUTE ? 0 : OTST_MAY_EXECUTE);
}

static bool x86_64_decode_entry(const struct otst_paging *g, uint64_t entry, unsigned int shift,
				uint64_t *next, bool *is_memory)
{
	/* pages of 2 MiB and of 1 GiB */
	bool huge = (shift == 21 || shift == 30) && entry & PTE_HUGE;

	if (!(entry & PTE_PRESENT))
		return false;
	*next = entry & PTE_ADDRESS & ~g->encryption;
	*is_memory = shift == g->page_shift || huge;
	return true;
}

static size_t x86_64_find_pagings(otst_fact_fn *fact, void *priv,
				  struct otst_paging ret[OTST_PAGINGS_MAX], uint64_t *virt,
				  uint64_t *phys)
{
	uint64_t root, base, five = 0, encryption = 0;

	/*
	 * swapper_pg_dir is a macro for either. Linux 401721ecd1dc ("kexec: export the
	 * value of phys_base instead of symbol address") (v4.10).
	 */
	if ((!fact(priv, "SYMBOL(init_top_pgt)", &root) &&
	     !fact(priv, "SYMBOL(swapper_pg_dir)", &root) &&
	     !fact(priv, "SYMBOL(init_level4_pgt)", &root)) ||
	    root < KERNEL_MAP || !fact(priv, "NUMBER(phys_base)", &base))
		return 0;
	if (!fact(priv, "SYMBOL(_stext)", virt))
		*virt = root;
	*phys = *virt - KERNEL_MAP + base;
	fact(priv, "NUMBER(pgtable_l5_enabled)", &five);
	fact(priv, "NUMBER(sme_mask)", &encryption);
	ret[0] = layouts[five ? 1 : 0];
	ret[0].root = root - KERNEL_MAP + base;
	ret[0].encryption = encryption;
	return 1;
}

/* phys_base is added to an address's distance from KERNEL_MAP */
static uint64_t x86_64_image_shift(uint64_t move, uint64_t phys_base)
{
	return move + KERNEL_MAP - phys_base;
}

const struct otst_arch otst_arch_x86_64 = {
	.name = "x86_64",
	.elf_machine = EM_X86_64,
	.page_size = 4096,

	.reg = {
		.list = regs,
		.count = X86_REGS,
		.pc = X86_IP,
		.sp = X86_SP,
		.fp = X86_BP,
		.ra = OTST_NO_REG,
		.dwarf_ra = 16,
		.args = args,
		.nr_args = sizeof(args),
		.stack_args = 8,
		.syscall = X86_ORIG_AX,
		.syscall_args = { X86_DI, X86_SI, X86_DX, X86_R10, X86_R8, X86_R9 },
		.shown = shown,
		.shown_pc = "RIP: ",
		.segments = true,
		.nr_shown = sizeof(shown) / sizeof(*shown),
		.user_mode = x86_64_user_mode,
		.thread_sp = "thread.sp",
	},

	.insn = {
		.breakpoint = { { 0xcc }, 1 },
		.kgdb_breakpoint = { { 0xcc }, 1 },
		.nop = { { 0x0f, 0x1f, 0x44, 0x00, 0x00 }, 5 },
		.step = 1,
		.branch_len = REL32,
		.branch = x86_64_find_branch,
		.put_branch = x86_64_put_branch,
		.entry_mark = x86_64_entry_mark,
		.entry_nop = x86_64_entry_nop,
		.entry_max = 4 + REL32,
		.call_window = CALL_WINDOW,
		.follows_call = x86_64_follows_call,
		.bpf_pokes_straight = true,
	},

	.ftrace = {
		.names_callee = true,
		.call_max = 4, /* after endbr64 */
	},

	.reloc = {
		.apply = x86_64_relocate,
	},

	.disasm = {
		.has_capstone = true,
		.arch = CS_ARCH_X86,
		.mode = CS_MODE_64,
		.syntax = CS_OPT_SYNTAX_ATT,
		.known = known,
		.nr_known = sizeof(known) / sizeof(*known),
		.refer = x86_64_refer,
	},

	.space = {
		/* linear map with five-level tables, code, DEFAULT_MAP_WINDOW */
		.kernel_begin = 0xff00000000000000,
		.text_begin = KERNEL_MAP,
		.user_end = UINT64_C(1) << 56,
		.user_window = UINT64_C(1) << 47,
		.section_bits = 27,
	},

	.paging = {
		.layouts = layouts,
		.nr_layouts = sizeof(layouts) / sizeof(*layouts),
		.top_tables = top_tables,
		.encryption = "sme_me_mask",
		.translates = x86_64_translates,
		.decode_entry = x86_64_decode_entry,
		.rights = x86_64_rights,
		.find = x86_64_find_pagings,
	},

	.image = {
		.head_symbol = "startup_64",
		.head_source = "arch/x86/kernel/head_64.S",
		.align = 2u << 20, /* CONFIG_PHYSICAL_ALIGN at least */
		.offset = "phys_base",
		.shift = x86_64_image_shift,
	},

	.debug = debug,
	.nr_debug = sizeof(debug) / sizeof(*debug),
};
