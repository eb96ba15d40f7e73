/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * patched.S - an image file for text dumps: one place of text for each table
 * that says what a kernel writes there, with the tables. dumps/patched.txt has
 * what became of it.
 */
	.set	lab_key, 0xffffffff82500000
	.set	__SCK__lab, 0xffffffff82500010
	.set	__SCK__unlock, 0xffffffff82500018
	.set	lab_slot, 0xffffffff82500020

	.section .stext, "ax"
	.globl	_stext
_stext:
	ret

	.section .patched, "ax"
patched:
lock_site:			/* 0x00 */
	lock cmpxchg %ecx, (%rdx)
	.balign	16, 0xcc
jump_site:			/* 0x10 */
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x00
	.balign	8, 0xcc
jump_target:			/* 0x18 */
	ret
	.balign	16, 0xcc
call_site:			/* 0x20 */
	call	__SCT__lab
	.balign	16, 0xcc
__SCT__lab:			/* 0x30 */
	.byte	0xe9
	.long	lab_first - . - 4
	.balign	16, 0xcc
debugged:			/* 0x40 */
	push	%rbp
	mov	%rsp, %rbp
	.balign	16, 0xcc
poked_late:			/* 0x50 */
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x00
	.balign	8, 0xcc
poked_early:			/* 0x58 */
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x00
	.balign	8, 0xcc
counted_site:			/* 0x60 */
	call	lab_counted
	.balign	16, 0xcc
	.fill	16, 1, 0x90	/* 0x70 */
lab_counted:			/* 0x80 */
	ret
	.balign	16, 0xcc
ftrace_call:			/* 0x90 */
	call	ftrace_stub
	.balign	16, 0xcc
ftrace_stub:			/* 0xa0 */
	ret
	.balign	16, 0xcc
direct_site:			/* 0xb0 */
	.byte	0xff, 0x15
	.long	lab_slot - . - 4
	.balign	16, 0xcc
dispatch_func:			/* 0xc0 */
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x00
	.balign	16, 0xcc
lab_first:			/* 0xd0 */
	ret
	.balign	16, 0xcc
lab_second:			/* 0xe0 */
	ret
	.balign	16, 0xcc
poked_jcc:			/* 0xf0: a conditional jump, 6 bytes */
	.byte	0x0f, 0x84
	.long	lab_first - . - 4
	.balign	16, 0xcc
unlock_site:			/* 0x100 */
	call	__SCT__unlock
	.balign	16, 0xcc
mask_site:			/* 0x110 */
	and	$0x12345678, %eax
	.balign	16, 0xcc
queues_site:			/* 0x120 */
	movabs	$0x0123456789abcdef, %rcx
	.balign	16, 0xcc
__SCT__unlock:			/* 0x130 */
	.byte	0xe9
	.long	lab_unlock - . - 4
	.balign	16, 0xcc
lab_unlock:			/* 0x140 */
	ret
	.balign	16, 0xcc
filled_site:			/* 0x150: a jump over the place of a replacement, FILL_RETURN_BUFFER */
	.byte	0xeb, 14
	.fill	14, 1, 0x90

	.section .smp_locks, "a"
	.long	lock_site - .

	.section __jump_table, "a"
	.long	jump_site - ., jump_target - .
	.quad	lab_key - .

	.section .static_call_sites, "a"
	.long	call_site - ., __SCK__lab - .
	.long	unlock_site - ., __SCK__unlock - .

	.section runtime_mask___futex_mask, "a"
	.long	mask_site + 1 - .

	.section runtime_ptr___futex_queues, "a"
	.long	queues_site + 2 - .

	.section .call_sites, "a"
	.long	counted_site - .

	.section .altinstructions, "a"
	.long	direct_site - .
	.long	direct_site - .	/* no replacement */
	.long	0x00030000	/* where feature 0 is not; a direct call */
	.byte	6, 0
	.long	filled_site - .
	.long	direct_site - .
	.long	0		/* where feature 0 is */
	.byte	16, 0
