/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * x86_64.h - x86_64's registers by name, for files that are only about x86_64.
 */
#ifndef OTST_ARCH_X86_64_H
#define OTST_ARCH_X86_64_H

/** enum otst_x86_64_reg - in the order of struct pt_regs (arch/x86/include/asm/ptrace.h) */
enum otst_x86_64_reg {
	X86_R15,
	X86_R14,
	X86_R13,
	X86_R12,
	X86_BP,
	X86_BX,
	X86_R11,
	X86_R10,
	X86_R9,
	X86_R8,
	X86_AX,
	X86_CX,
	X86_DX,
	X86_SI,
	X86_DI,
	X86_ORIG_AX,
	X86_IP,
	X86_CS,
	X86_FLAGS,
	X86_SP,
	X86_SS,
	X86_REGS,
};

#endif /* OTST_ARCH_X86_64_H */
