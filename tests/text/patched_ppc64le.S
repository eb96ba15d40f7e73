/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * patched_ppc64le.S - an image file for text dumps, as patched.S, with instructions of
 * ppc64le as numbers: any assembler makes it. dumps/patched-ppc64le.txt has what became of it.
 */
#define NOP .long 0x60000000
#define BLR .long 0x4e800020

	.set	lab_key, 0xffffffff82500000

	.section .stext, "ax"
	.globl	_stext
_stext:
	BLR

	.section .patched, "ax"
patched:
cpu_lacks:			/* 0x00 */
	NOP
cpu_lacks_too:			/* 0x04 */
	NOP
	BLR
mmu_has:			/* 0x0c */
	NOP
lwsync_site:			/* 0x10: sync */
	.long	0x7c0004ac
jump_site:			/* 0x14 */
	NOP
spec_site:			/* 0x18 */
	NOP
rfi_site:			/* 0x1c */
	NOP
	NOP
	NOP
stf_entry_site:			/* 0x28 */
	NOP
	NOP
	NOP
lab_target:			/* 0x34 */
	BLR
branch:				/* 0x38: b .-4 */
	.long	0x4bfffffc
condition:			/* 0x3c: bne .-8 */
	.long	0x4082fff8
lab_idle:			/* 0x40 */
	NOP
	NOP
	BLR
lab_traced:			/* 0x4c */
	NOP
	NOP
	BLR
	BLR
stf_exit_site:			/* 0x5c */
	NOP
	NOP
	NOP
	NOP
	NOP
	NOP
uaccess_site:			/* 0x74 */
	NOP
	NOP
	NOP
	BLR
entry_site:			/* 0x84 */
	NOP
	NOP
	NOP
ftrace_caller:			/* 0x90 */
	NOP
ftrace_call:			/* 0x94: bl .+8 */
	.long	0x48000009
	BLR
ftrace_stub:			/* 0x9c */
	BLR
lab_tracer:			/* 0xa0: addis r2, r12, 0; addi r2, r2, 0 */
	.long	0x3c4c0000, 0x38420000
	BLR
stf_barrier_fallback:		/* 0xac */
	BLR
ftrace_tramp_text:		/* 0xb0 */
	.zero	20
return_site:			/* 0xc4 */
	NOP
hold:				/* 0xc8 */
	.quad	0, 0
moved:				/* 0xd8 */
	.quad	0
optinsn_slot:			/* 0xe0: room for three */
	.zero	0xa8
optprobe_template_entry:	/* 0x188 */
	NOP
	NOP				/* 0x18c: the record */
	NOP
	NOP
	NOP
	NOP
	NOP				/* 0x1a0: the call */
	NOP				/* 0x1a4: the instruction */
	NOP
	NOP
	NOP
	NOP
	NOP				/* 0x1b8: the other call */
	NOP				/* 0x1bc: the way back */
probed:				/* 0x1c0 */
	NOP
	BLR
optimized_callback:		/* 0x1c8 */
	BLR
emulate_step:			/* 0x1cc */
	BLR
patch__flush_link_stack_return:	/* 0x1d0 */
	.long	return_site - .
	NOP
stubs_count:			/* 0x1d8 */
	.long	5
	NOP
stubs:				/* 0x1e0: of functions that are called out of line, five of 24 bytes */
	.zero	0x78
line_idle:			/* 0x258 */
	NOP
	BLR
line_traced:			/* 0x260 */
	NOP
	BLR
line_shared:			/* 0x268 */
	NOP
	BLR
line_never:			/* 0x270 */
	NOP
	BLR

	.section __jump_table, "a"
	.long	jump_site - ., lab_target - .
	.quad	lab_key - .

	.section __ftr_fixup, "a"
1:	.quad	2, 2, cpu_lacks - 1b, cpu_lacks_too - 1b, branch - 1b, condition - 1b
1:	.quad	5, 4, cpu_lacks_too - 1b, mmu_has - 1b, condition - 1b, lab_idle - 1b

	.section __mmu_ftr_fixup, "a"
1:	.quad	1, 1, mmu_has - 1b, lwsync_site - 1b, 0, 0

	.section __lwsync_fixup, "a"
	.quad	lwsync_site - .

	.section __spec_barrier_fixup, "a"
	.quad	spec_site - .
	.section __rfi_flush_fixup, "a"
	.quad	rfi_site - .
	.section __stf_entry_barrier_fixup, "a"
	.quad	stf_entry_site - .
	.section __stf_exit_barrier_fixup, "a"
	.quad	stf_exit_site - .
	.section __uaccess_flush_fixup, "a"
	.quad	uaccess_site - .
	.section __entry_flush_fixup, "a"
	.quad	entry_site - .

	/* R_PPC64_RELATIVE */
	.section .rela.dyn, "a", @progbits
	.quad	moved, 22, lab_target
