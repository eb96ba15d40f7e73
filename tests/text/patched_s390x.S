/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * patched_s390x.S - an image file for text dumps, as patched.S, with instructions and
 * tables of s390x as bytes: any assembler makes it. dumps/patched-s390x.txt has what became of it.
 */
#define RET   .byte 0x07, 0xfe
#define NOPR  .byte 0x07, 0x07
#define SITE  .byte 0xc0, 0x04, 0, 0, 0, 0

	.section .stext, "ax"
	.globl	_stext
_stext:
	RET

	.section .patched, "ax"
patched:
alt_site:			/* 0x00: brc 0, . */
	.byte	0xa7, 0x04, 0, 0
alt_lacking:			/* 0x04 */
	.byte	0xa7, 0x04, 0, 0
niai:				/* 0x08 */
	.byte	0xb2, 0xfa, 0x00, 0x70
	RET				/* 0x0c */
	RET
jump_site:			/* 0x10: brcl 0, lab_target */
	.byte	0xc0, 0x04, 0, 0, 0, 0x10
likely_site:			/* 0x16: brcl 15, lab_target */
	.byte	0xc0, 0xf4, 0, 0, 0, 0x0d
expoline:			/* 0x1c: brcl 15, .+16 */
	.byte	0xc0, 0xf4, 0, 0, 0, 0x08
	.rept	7			/* 0x22 */
	RET
	.endr
lab_target:			/* 0x30 */
	RET
	NOPR
	NOPR
	NOPR
lab_idle:			/* 0x38 */
	SITE
	RET
lab_traced:			/* 0x40 */
	SITE
	.byte	0xeb, 0x6f, 0xf0, 0x48, 0x00, 0x24 /* stmg %r6, %r15, 72(%r15) */
	RET				/* 0x4c */
	NOPR
shared:				/* 0x50: lg %r1, 2(%r1); br %r1 */
	.byte	0xe3, 0x10, 0x10, 0x02, 0x00, 0x04, 0x07, 0xf1
ftrace_caller:			/* 0x58 */
	RET
	NOPR
ftrace_graph_caller:		/* 0x5c: brc 15, .+4 */
	.byte	0xa7, 0xf4, 0, 2
ftrace_stub:			/* 0x60 */
	RET
	NOPR
lab_tracer:			/* 0x64 */
	RET
	NOPR
trampolines:			/* 0x68, 0x80, 0x98 */
	.fill	72, 1, 0
	.org	0x1000
kprobes_insn_page:
	.fill	4096, 1, 0

	.section .altinstructions, "a"
	.byte	0xff, 0xf8, 0x00, 0x00	/* alt_site - . */
	.byte	0xff, 0xf8, 0x00, 0x04	/* niai - . */
	.byte	0x00, 49, 4
	.byte	0xff, 0xf7, 0xff, 0xf9	/* alt_lacking - . */
	.byte	0xff, 0xf7, 0xff, 0xf9	/* niai - . */
	.byte	0x00, 50, 4

	.section .nospec_call_table, "a"
	.byte	0xff, 0xf7, 0x00, 0x1c	/* expoline - . */
