/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * patched_riscv64.S - an image file for text dumps, as patched.S, with instructions of
 * riscv64 as numbers: any assembler makes it. dumps/patched-riscv64.txt has what became of it.
 */
#define NOP .long 0x00000013
#define RET .long 0x00008067
#define SHORT_NOPS .long 0x00010001, 0x00010001

	.set	lab_key, 0xffffffff82500000

	.section .stext, "ax"
	.globl	_stext
_stext:
	RET

	.section .patched, "ax"
patched:
alt_site:			/* 0x00 */
	NOP
alt_lacking:			/* 0x04 */
	NOP
alt_call:			/* 0x08 */
	NOP
	NOP
jump:				/* 0x10: j .+0x30 */
	.long	0x0300006f
call:				/* 0x14: auipc ra, 0; jalr 0x2c(ra) */
	.long	0x00000097, 0x02c080e7
	NOP
jump_site:			/* 0x20 */
	NOP
	NOP
erratum_site:			/* 0x28 */
	NOP
fence:				/* 0x2c: fence */
	.long	0x0ff0000f
	NOP				/* 0x30 */
	NOP
lab_idle:			/* 0x38 */
	SHORT_NOPS
lab_target:			/* 0x40 */
	RET
	NOP
	NOP				/* 0x48 */
	NOP
lab_traced:			/* 0x50 */
	SHORT_NOPS
	.long	0x00011101		/* 0x58: c.addi sp, -32; c.nop */
	RET
	SHORT_NOPS			/* 0x60: for an ftrace_ops */
lab_late_idle:			/* 0x68 */
	SHORT_NOPS
	RET				/* 0x70 */
	NOP
	SHORT_NOPS			/* 0x78: for an ftrace_ops */
lab_late:			/* 0x80 */
	SHORT_NOPS
	RET
	NOP
ftrace_caller:			/* 0x90 */
	NOP
ftrace_call:			/* 0x94: auipc ra, 0; jalr 0xc(ra) */
	.long	0x00000097, 0x00c080e7
	RET
ftrace_stub:			/* 0xa0 */
	RET
lab_tracer:			/* 0xa4 */
	RET

	.section __jump_table, "a"
	.long	jump_site - ., lab_target - .
	.quad	lab_key - .

	.section .alternative, "a"
	.long	alt_site - ., jump - .
	.short	0, 4
	.long	5
	.long	alt_lacking - ., jump - .
	.short	0, 4
	.long	6
	.long	alt_call - ., call - .
	.short	0, 8
	.long	7
	.long	erratum_site - ., fence - .
	.short	0x489, 4
	.long	1
