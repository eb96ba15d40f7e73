// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x86_64.c - struct pt_regs of arch/x86/include/asm/ptrace.h, the x86-64 psABI.
 */
#include <elf.h>

#include "arch.h"

enum {
	R15,
	R14,
	R13,
	R12,
	BP,
	BX,
	R11,
	R10,
	R9,
	R8,
	AX,
	CX,
	DX,
	SI,
	DI,
	ORIG_AX,
	IP,
	CS,
	FLAGS,
	SP,
	SS,
	NR_REGS,
};

static const struct otst_register regs[NR_REGS] = {
	[R15] = { "r15", "r15", .dwarf = 15 },
	[R14] = { "r14", "r14", .dwarf = 14 },
	[R13] = { "r13", "r13", .dwarf = 13 },
	[R12] = { "r12", "r12", .dwarf = 12 },
	[BP] = { "rbp", "bp", .dwarf = 6 },
	[BX] = { "rbx", "bx", .dwarf = 3 },
	[R11] = { "r11", "r11", .dwarf = 11 },
	[R10] = { "r10", "r10", .dwarf = 10 },
	[R9] = { "r9", "r9", .dwarf = 9 },
	[R8] = { "r8", "r8", .dwarf = 8 },
	[AX] = { "rax", "ax", .dwarf = 0 },
	[CX] = { "rcx", "cx", .dwarf = 2 },
	[DX] = { "rdx", "dx", .dwarf = 1 },
	[SI] = { "rsi", "si", .dwarf = 4 },
	[DI] = { "rdi", "di", .dwarf = 5 },
	[ORIG_AX] = { "orig_rax", "orig_ax", .dwarf = OTST_NO_REG },
	[IP] = { "rip", "ip", .dwarf = OTST_NO_REG },
	[CS] = { "cs", "cs", .dwarf = OTST_NO_REG },
	[FLAGS] = { "eflags", "flags", .dwarf = OTST_NO_REG },
	[SP] = { "rsp", "sp", .dwarf = 7 },
	[SS] = { "ss", "ss", .dwarf = OTST_NO_REG },
};

static const uint8_t args[] = { DI, SI, DX, CX, R8, R9 };

/* __show_regs() of arch/x86/kernel/process_64.c */
static const struct otst_shown_reg shown[] = {
	{ " RSP: ", SS, 4, 0xffff }, { ":", SP, 16, 0 },       { " EFLAGS: ", FLAGS, 8, 0 },
	{ "\n RAX: ", AX, 16, 0 },   { " RBX: ", BX, 16, 0 },  { " RCX: ", CX, 16, 0 },
	{ "\n RDX: ", DX, 16, 0 },   { " RSI: ", SI, 16, 0 },  { " RDI: ", DI, 16, 0 },
	{ "\n RBP: ", BP, 16, 0 },   { " R08: ", R8, 16, 0 },  { " R09: ", R9, 16, 0 },
	{ "\n R10: ", R10, 16, 0 },  { " R11: ", R11, 16, 0 }, { " R12: ", R12, 16, 0 },
	{ "\n R13: ", R13, 16, 0 },  { " R14: ", R14, 16, 0 }, { " R15: ", R15, 16, 0 },
};

static bool user_mode(const uint64_t *r)
{
	return r[CS] & 3;
}

const struct otst_arch otst_arch_x86_64 = {
	.name = "x86_64",
	.elf_machine = EM_X86_64,

	.regs = regs,
	.nr_regs = NR_REGS,
	.pc = IP,
	.sp = SP,
	.fp = BP,
	.ra = OTST_NO_REG,
	.dwarf_ra = 16,
	.args = args,
	.nr_args = sizeof(args),
	.stack_args = 8,
	.syscall = ORIG_AX,
	.syscall_args = { DI, SI, DX, R10, R8, R9 },
	.shown = shown,
	.nr_shown = sizeof(shown) / sizeof(*shown),
	.user_mode = user_mode,
	.thread_sp = "thread.sp",
};
