/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frames.S - an image file for text dumps: the call frames of a kernel before ORC,
 * 3.10's, without frame pointers. switch_to() of arch/x86/include/asm/switch_to.h pushes
 * what no call frame knows; entry code has the call frames of arch/x86/kernel/entry_64.S
 * (its macros XCPT_FRAME, DEFAULT_FRAME, SAVE_ARGS, SAVE_ARGS_IRQ written out). What
 * the dumps say of stacks is counted from here: dumps/3.10-tasks.txt.
 */
	.cfi_sections .debug_frame

	.section .stext, "ax"
	.globl	_stext
_stext:
	ret

	.macro function name
	.balign	64, 0xcc
\name:
	.endm

	/* one that makes room and calls another: the return address is \name+9 */
	.macro caller name, room, callee
	function \name
	.cfi_startproc
	sub	$\room, %rsp
	.cfi_adjust_cfa_offset \room
	call	\callee
	add	$\room, %rsp
	.cfi_adjust_cfa_offset -\room
	ret
	.cfi_endproc
	.endm

	/* one that keeps rbx, and calls: \name+6 */
	.macro keeper name, callee
	function \name
	.cfi_startproc
	push	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbx, 0
	call	\callee
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbx
	ret
	.cfi_endproc
	.endm

	.section .frames, "ax"
	function __schedule		/* 0x000: tasks go on at +0xc */
	.cfi_startproc
	push	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbx, 0
	sub	$0x20, %rsp
	.cfi_adjust_cfa_offset 0x20
	pushf
	push	%rbp
	call	__switch_to
	pop	%rbp
	popf
	add	$0x20, %rsp
	.cfi_adjust_cfa_offset -0x20
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbx
	ret
	.cfi_endproc

	function __switch_to		/* 0x040 */
	ret
	caller schedule_timeout, 0x18, __schedule	/* 0x080 */
	caller lab_entry, 8, schedule_timeout		/* 0x0c0: a jprobe's */
	caller lab_return, 8, schedule_timeout		/* 0x100: a kretprobe's handler */
	caller kauditd_thread, 8, schedule_timeout	/* 0x140 */

	function system_call		/* 0x180: the call returns to +0xb */
	.cfi_startproc simple
	.cfi_signal_frame
	.cfi_def_cfa rsp, 5*8
	.cfi_register rip, rcx
	sub	$80, %rsp		/* SAVE_ARGS 8, 0 */
	.cfi_adjust_cfa_offset 80
	.cfi_rel_offset rip, 128-48
	call	*0(, %rax, 8)
	push	%rdi			/* sysret_careful: +0x11 */
	.cfi_adjust_cfa_offset 8
	call	__schedule
	pop	%rdi
	.cfi_adjust_cfa_offset -8
	ud2
	.cfi_endproc

	function int_careful		/* 0x1c0: all registers are saved; +6 */
	.cfi_startproc simple
	.cfi_signal_frame
	.cfi_def_cfa rsp, 168
	.cfi_rel_offset rip, 128
	push	%rdi
	.cfi_adjust_cfa_offset 8
	call	__schedule
	ud2
	.cfi_endproc

	function ret_from_fork		/* 0x200: a kernel thread returns to +3 */
	.cfi_startproc simple
	.cfi_signal_frame
	.cfi_def_cfa rsp, 168
	.cfi_rel_offset rsp, 152
	.cfi_rel_offset rip, 128
	.cfi_rel_offset rbp, 32
	nop
	call	*%rbx
	ud2
	.cfi_endproc

	function common_interrupt	/* 0x240: +0x11 from the interrupt's stack, +0x1b from the task's */
	.cfi_startproc simple
	.cfi_signal_frame
	.cfi_def_cfa rsp, 168-120
	.cfi_rel_offset rsp, 152-120
	.cfi_rel_offset rip, 128-120
	sub	$120-32, %rsp
	.cfi_adjust_cfa_offset 120-32
	mov	%rbp, (%rsp)
	.cfi_rel_offset rbp, 0
	mov	%rsp, %rsi
	.cfi_def_cfa_register rsi
	push	%rsi
	.cfi_escape 0x0f, 6, 0x77, 0, 0x06, 0x08, 168-32, 0x22
	call	do_IRQ
	pop	%rsi			/* ret_from_intr */
	.cfi_def_cfa rsi, 168-32
	lea	48-32(%rsi), %rsp
	.cfi_def_cfa_register rsp
	.cfi_adjust_cfa_offset 32-48
	call	preempt_schedule_irq	/* retint_kernel */
	ud2
	.cfi_endproc

	caller do_IRQ, 0x18, lab_tick			/* 0x280 */
	caller lab_tick, 8, lab_tick			/* 0x2c0: a kprobe's handler */
	keeper preempt_schedule_irq, __schedule		/* 0x300 */

	function kretprobe_trampoline_holder		/* 0x340: its call frames are none of the label's */
	.cfi_startproc
	nop
kretprobe_trampoline:				/* 0x341: +0xe */
	push	%rsp
	pushf
	sub	$144, %rsp
	call	trampoline_handler
	ud2
	.cfi_endproc

	function trampoline_handler			/* 0x380: +0xa */
	.cfi_startproc
	push	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbx, 0
	sub	$0x10, %rsp
	.cfi_adjust_cfa_offset 0x10
	call	lab_return
	ud2
	.cfi_endproc

	caller rest_init, 8, __schedule			/* 0x3c0 */
	caller start_kernel, 0x18, rest_init		/* 0x400 */
	caller x86_64_start_kernel, 8, start_kernel	/* 0x440 */
	keeper start_secondary, __schedule		/* 0x480 */

	.org	0x700
	caller lab_outer, 8, lab_inner			/* 0x700 */
	caller lab_inner, 8, schedule_timeout		/* 0x740 */
