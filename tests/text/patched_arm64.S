/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * patched_arm64.S - an image file for text dumps, as patched.S, with instructions of
 * arm64 as numbers: any assembler makes it. dumps/patched-arm64.txt has what became of it.
 */
#define NOP .long 0xd503201f
#define RET .long 0xd65f03c0

	.set	lab_key, 0xffffffff82500000
	.set	lab_callback, 0xffffffff81008000
	.set	alt_cb_patch_nops, 0xffffffff81008100
	.set	kvm_get_kimage_voffset, 0xffffffff81008200

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
cb_nops:			/* 0x08: b .+8 */
	.long	0x14000002
cb_unknown:			/* 0x0c */
	NOP
replacement:			/* 0x10: b .+0x30 */
	.long	0x1400000c
cb_move:			/* 0x14: movz x1, #0 */
	.long	0xd2800001
	NOP
	NOP
jump_site:			/* 0x20 */
	NOP
	NOP
address:			/* 0x28 */
	.quad	0
	NOP				/* 0x30: before the function, an ftrace_ops */
	NOP
lab_idle:			/* 0x38 */
	NOP
	NOP
lab_target:			/* 0x40 */
	RET
	NOP
	NOP				/* 0x48 */
	NOP
lab_traced:			/* 0x50 */
	NOP
	NOP
	RET
	NOP
shift_site:			/* 0x60: lsr w0, w1, #12 */
	.long	0x530c7c20
	NOP
	NOP
	NOP
ptr_site:			/* 0x70: movz and movk x0 */
	.long	0xd299bde0, 0xf2b13560, 0xf2c8ace0, 0xf2e02460
	NOP				/* 0x80 */
	NOP
	NOP
	NOP
ftrace_caller:			/* 0x90 */
	NOP
ftrace_call:			/* 0x94: bl ftrace_stub */
	.long	0x94000003
	RET
	NOP
ftrace_stub:			/* 0xa0 */
	RET
lab_tracer:			/* 0xa4 */
	RET
	NOP				/* 0xa8 */
	NOP
cache_site:			/* 0xb0: movz and movk x1 */
	.long	0xd299bde1, 0xf2b13561, 0xf2c8ace1, 0xf2e02461

	.section __jump_table, "a"
	.long	jump_site - ., lab_target - .
	.quad	lab_key - .

	.section .altinstructions, "a"
	.long	alt_site - ., replacement - .
	.short	5
	.byte	4, 4
	.long	alt_lacking - ., replacement - .
	.short	6
	.byte	4, 4
	.long	cb_nops - ., alt_cb_patch_nops - .
	.short	0x8007
	.byte	4, 0
	.long	cb_unknown - ., lab_callback - .
	.short	0x8007
	.byte	4, 0
	.long	cb_move - ., kvm_get_kimage_voffset - .
	.short	0x8007
	.byte	4, 0
	.long	cb_move - ., cb_nops - .	/* of no instruction, and no callback */
	.short	5
	.byte	0, 0

	.section runtime_shift_d_hash_shift, "a"
	.long	shift_site - .

	.section runtime_ptr_dentry_hashtable, "a"
	.long	ptr_site - .

	.section runtime_ptr___names_cache, "a"	/* of no variable */
	.long	cache_site - .

	.data				/* what is linked behind it */
	.quad	0
	.section .data..percpu, "aw"
of_cpu:
	.quad	0

	.section .rela.dyn, "a", @progbits
	.quad	address, 0x403, lab_target	/* R_AARCH64_RELATIVE */
	.quad	of_cpu, 0x403, patched + 0x50
