/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * patched_vendor.S - an image file for text dumps, as patched.S: of RHEL 7's
 * 3.10, and with PACKED of RHEL 9's 5.14. dumps/patched-3.10.txt and
 * dumps/patched-5.14.txt have what became of it.
 */
	.set	pv_ops_at, 0xffffffff82500800

	.section .stext, "ax"
	.globl	_stext
_stext:
	ret

	.section .patched, "ax"
patched:
called:				/* 0x00: a call through a slot */
	call	*pv_ops_at
	.balign	16, 0xcc
saved:				/* 0x10: save_fl */
	call	*pv_ops_at
	.balign	16, 0xcc
jumped:				/* 0x20: usergs_sysret64 */
	jmp	*pv_ops_at
	.balign	16, 0xcc
key_site:			/* 0x30 */
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x00
	.balign	16, 0xcc
has_site:			/* 0x40: static_cpu_has(), without a replacement */
	.byte	0xe9
	.long	lab_first - . - 4
	.balign	16, 0xcc
choice:				/* 0x50: ALTERNATIVE_JUMP of copy_user_generic */
	.byte	0xe9
	.long	lab_first - . - 4
	.balign	16, 0xcc
lab_first:			/* 0x60 */
	ret
	.balign	16, 0xcc
lab_second:			/* 0x70 */
	ret
	.balign	16, 0xcc
replacement:			/* 0x80: the distance is that of the place it goes to */
	.byte	0xe9
	.long	lab_second - choice - 5
	.balign	16, 0xcc
user_end:			/* 0x90: runtime_const_ptr(USER_PTR_MAX) */
	movabs	$0x0123456789abcdef, %rax
	.balign	16, 0xcc
#ifndef PACKED
preempted:			/* 0xa0: vcpu_is_preempted of RHEL 8.10 */
	call	*pv_ops_at
	.balign	16, 0xcc
preempted_wide:			/* 0xb0: the same with a prefix */
	call	*pv_ops_at
	.balign	16, 0xcc
#endif

#ifdef PACKED
	.macro site at, type, len
	.long	\at - .
	.byte	\type, \len
	.endm
#else
	.macro site at, type, len
	.balign	8
	.quad	\at
	.byte	\type, \len
	.short	0
	.endm
#endif
	.section .parainstructions, "a"
	site	called, 4, 7
	site	saved, 2, 7
	site	jumped, 1, 7
#ifndef PACKED
	site	preempted, 5, 7
	site	preempted_wide, 5, 7
#endif

#ifdef PACKED
	.section runtime_ptr_USER_PTR_MAX, "a"
	.long	user_end + 2 - .
#else
	.section __jump_table, "a"
	.quad	key_site, lab_first, 0xffffffff82500000

	.section .altinstructions, "a"
	.long	has_site - ., 0
	.short	0
	.byte	5, 0
	.long	choice - ., replacement - .
	.short	0
	.byte	5, 5
#endif
