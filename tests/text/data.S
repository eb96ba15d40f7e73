/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data.S - an image file for text dumps: a constant, and pointers to functions in read-only data, in
 * data that is read-only after boot, in data, and in that of each cpu. dumps/audit-data.txt has what became of them.
 */
	.section .stext, "ax"
	.globl	_stext
_stext:
	ret

	.section .patched, "ax"
null_seek:
	ret
	.balign	16, 0xcc
null_ioctl:
	ret
	.balign	16, 0xcc
cap_settime:
	ret
	.balign	16, 0xcc
other_function:
	ret
	.balign	16, 0xcc

	.section .rodata, "a"
constant:
	.ascii	"constant"
null_fops:
	.quad	null_seek, null_ioctl

	.section .after_init, "aw"
hooks:
	.quad	cap_settime, 7

	.section .data, "aw"
proto:
	.quad	null_ioctl, null_seek, other_function, cap_settime

	.section .data..percpu, "aw"
	.quad	0
of_cpu:
	.quad	null_seek
