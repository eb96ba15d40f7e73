/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * disassemble.h - machine code of the dump's architecture as text, through
 * libcapstone: x86_64 in AT&T syntax, as crash and objdump show it, and arm64.
 */
#ifndef OTST_DISASSEMBLE_H
#define OTST_DISASSEMBLE_H

#include "dump.h"

#define OTST_INSN_MAX 15u /* bytes of the longest instruction */

/**
 * struct otst_insn - one instruction
 * @bytes: @len of them
 * @known: false when nothing can be made of it: @text is ".byte 0x06", or
 *	".inst 0xffffffff" on arm64
 * @text: "callq 0xffffffff81002000"; printable whatever the bytes are
 * @target: where a direct jump or call goes, or what lies at an operand that is
 *	relative to the instruction; 0 when there is none
 * @refers: @target is such an operand's
 * @name: of @target, as otst_name() says it; NULL when it has none. The caller
 *	may put a better one in its place before otst_insn_line().
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

/** struct otst_insns - instructions one behind the other, in the command's arena */
struct otst_insns {
	struct otst_insn *items;
	size_t count;
};

/**
 * otst_disassemble() - decode bytes as if they stood at @addr
 * @bytes: @len of them, wherever they are from
 * @want: only instructions that begin in the first so many; what stands behind
 *	lets the last one be whole
 *
 * What cannot be decoded, or is cut off by the end of @bytes, is an entry that
 * is not @known, and decoding goes on behind it.
 *
 * Return: 0; UNSUPPORTED for another architecture; NOMEM, INTERRUPTED.
 */
int otst_disassemble(struct otst *o, uint64_t addr, const void *bytes, size_t len, size_t want,
		     struct otst_insns *ret);

/**
 * otst_disassemble_function() - the code of a function of the kernel
 *
 * For what only the kernel's code tells. Gives no instructions when the function does
 * not exist, its size is unknown or more than @most, or the dump does not have it.
 *
 * Return: 0, or what ends a command.
 */
int otst_disassemble_function(struct otst *o, const char *name, size_t most,
			      struct otst_insns *ret);

/**
 * otst_function_uses() - does a function of the kernel have a memory operand at @offset of a register
 *
 * Which tells whether it looks at that member of a structure that it is given.
 *
 * Return: @otherwise when there is no code to look at.
 */
bool otst_function_uses(struct otst *o, const char *name, uint64_t offset, bool otherwise);

/** otst_insn_line() - "callq 0xffffffff81002000 <vfs_read+0x8>" in the command's arena; never NULL */
const char *otst_insn_line(struct otst *o, const struct otst_insn *insn);

#endif /* OTST_DISASSEMBLE_H */
