/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * disassemble.h - machine code of the dump's architecture as text, through
 * libcapstone: x86_64 in AT&T syntax, as crash and objdump show it, and arm64.
 */
#ifndef OTST_DISASSEMBLE_H
#define OTST_DISASSEMBLE_H

#include "../dump.h"

#define OTST_INSN_MAX 15u /* bytes of the longest instruction */

/**
 * struct otst_insn - one instruction
 * @bytes: @len of them
 * @known: false when it cannot be decoded: @text is then ".byte 0x06", or
 *	".inst 0xffffffff" on arm64
 * @text: "callq 0xffffffff81002000"; printable whatever the bytes are
 * @target: where a direct jump or call goes, or the address that an operand relative
 *	to the instruction refers to; 0 when there is none
 * @refers: @target comes from such an operand
 * @name: name of @target, as otst_name() gives it; NULL when it has none. The caller
 *	may replace it with a better one before otst_insn_line().
 */
struct otst_insn {
	uint64_t addr;
	unsigned int len;
	unsigned char bytes[OTST_INSN_MAX];
	bool known;
	const char *text;
	uint64_t target;
	bool refers;
	const char *name;
};

/** struct otst_insns - consecutive instructions, in the command's arena */
struct otst_insns {
	struct otst_insn *items;
	size_t count;
};

/**
 * otst_disassemble() - decode bytes as if they were at @addr
 * @bytes: @len of them, from anywhere
 * @want: decode only instructions that begin in the first @want bytes; the bytes
 *	after these complete the last one
 *
 * What cannot be decoded, or is cut off by the end of @bytes, becomes an entry that
 * is not @known, and decoding goes on after it.
 *
 * Return: 0; UNSUPPORTED for another architecture; NOMEM, INTERRUPTED.
 */
int otst_disassemble(struct otst *o, uint64_t addr, const void *bytes, size_t len, size_t want,
		     struct otst_insns *ret);

/**
 * otst_disassemble_function() - the code of a function of the kernel
 *
 * For facts that only the kernel's code shows. Gives no instructions when the function
 * does not exist, its size is unknown or more than @most, or the dump does not have it.
 *
 * Return: 0, or what ends a command.
 */
int otst_disassemble_function(struct otst *o, const char *name, size_t most,
			      struct otst_insns *ret);

/**
 * otst_function_uses() - does a kernel function have a memory operand at @offset of a register
 *
 * This shows whether it uses that member of a structure that it is given.
 *
 * Return: @otherwise when there is no code to look at.
 */
bool otst_function_uses(struct otst *o, const char *name, uint64_t offset, bool otherwise);

/** otst_insn_line() - "callq 0xffffffff81002000 <vfs_read+0x8>" in the command's arena; never NULL */
const char *otst_insn_line(struct otst *o, const struct otst_insn *insn);

#endif /* OTST_DISASSEMBLE_H */
