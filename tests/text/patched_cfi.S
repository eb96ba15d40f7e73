/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * patched_cfi.S - an image file for text dumps, as clang builds with CONFIG_CFI_CLANG: two
 * functions with the hash of their type before them, the second never called indirectly, and
 * an indirect call that compares, and a return with clang's prefix. dumps/patched-cfi.txt has
 * what became of it.
 */
	.section .stext, "ax"
	.globl	_stext
_stext:
	ret

	.section .patched, "ax"
__cfi_lab_called:		/* 0x00 */
	mov	$0x11223344, %eax
	.fill	11, 1, 0x90
lab_called:			/* 0x10 */
	endbr64
	ret
	.balign	16, 0xcc
__cfi_lab_sealed:		/* 0x20 */
	mov	$0x55667788, %eax
	.fill	11, 1, 0x90
lab_sealed:			/* 0x30 */
	endbr64
	ret
	.balign	16, 0xcc
	.fill	2, 1, 0x90
	mov	$-0x11223344, %r10d	/* 0x42 */
	add	-15(%r11), %r10d
	je	call_site
	ud2
call_site:			/* 0x50 */
	cs
	call	__x86_indirect_thunk_r11
	.balign	16, 0xcc
__x86_indirect_thunk_r11:	/* 0x60 */
	ret
	.balign	16, 0xcc
lab_returns:			/* 0x70 */
	.byte	0x2e, 0xe9		/* not a short jump */
	.long	__x86_return_thunk - . - 4
	.balign	16, 0xcc
__x86_return_thunk:		/* 0x80 */
	ret
	.balign	16, 0xcc

	.section .return_sites, "a"
	.long	lab_returns - .

	.section .cfi_sites, "a"
	.long	__cfi_lab_called - .
	.long	__cfi_lab_sealed - .

	.section .retpoline_sites, "a"
	.long	call_site - .

	.section .ibt_endbr_seal, "a"
	.long	lab_sealed - .
