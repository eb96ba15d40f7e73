// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * access.c - an instruction's memory operands, as libcapstone writes them:
 * "mov 8(%rax, %rcx, 4), %rdx" on x86_64, "ldr x0, [x1, #8]" on arm64.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../built/disassemble.h"
#include "verdict.h"

#define ACCESS 64u /* bytes of the widest access */

/* a number as assemblers write it, "-0x18"; 0 if there is none */
static uint64_t operand_number(const char *s)
{
	return s[0] == '-' ? -strtoull(s + 1, NULL, 0) : strtoull(s, NULL, 0);
}

/* take the register at @*s and move past it; false if it is none */
static bool take_register(struct otst *o, const char **s, const uint64_t *regs, uint64_t *ret)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	size_t len, i;

	*s += strspn(*s, " ,%");
	for (len = 0; isalnum((unsigned char)(*s)[len]); len++)
		;
	for (i = 0; i < arch->reg.count && len; i++) {
		const char *name = arch->reg.list[i].name;

		if (strlen(name) != len || strncmp(name, *s, len) != 0)
			continue;
		*s += len;
		*ret = regs[i];
		return true;
	}
	return false;
}

/* where the number before the bracket at @s begins */
static const char *read_displacement(const char *text, const char *s)
{
	while (s > text && (isxdigit((unsigned char)s[-1]) || s[-1] == 'x' || s[-1] == '-'))
		s--;
	return s;
}

/* "-0x18(%rax, %rcx, 4)": the operand whose bracket is at @s */
static bool att_operand(struct otst *o, const char *text, const char *s, const uint64_t *regs,
			uint64_t *base, uint64_t *addr)
{
	const char *before = read_displacement(text, s);
	uint64_t index;

	/* a segment has a base of its own */
	if (before > text && before[-1] == ':')
		return false;
	s++;
	if (!take_register(o, &s, regs, base))
		return false;
	*addr = *base + operand_number(before);
	if (take_register(o, &s, regs, &index)) {
		s += strspn(s, ", ");
		*addr += index * (isdigit((unsigned char)*s) ? operand_number(s) : 1);
	}
	return true;
}

/* "[x1, #8]", "[x1, x2, lsl #3]": the operand whose bracket is at @s */
static bool arm_operand(struct otst *o, const char *s, const uint64_t *regs, uint64_t *base,
			uint64_t *addr)
{
	const char *end = strchr(s, ']'), *hash;
	uint64_t index, n;

	s++;
	if (!end || !take_register(o, &s, regs, base))
		return false;
	hash = memchr(s, '#', (size_t)(end - s));
	n = hash ? operand_number(hash + 1) : 0;
	*addr = *base;
	if (take_register(o, &s, regs, &index))
		*addr += index << (n & 63);
	else
		*addr += n;
	return true;
}

int otst_access_base(struct otst *o, uint64_t pc, const uint64_t *regs, uint64_t addr,
		     uint64_t *base)
{
	uint8_t code[OTST_INSN_MAX];
	struct otst_insns insns;
	uint64_t through, at;
	const char *s;
	/* an instruction that continues in the next page is not decoded */
	size_t page = otst_page_size(o), len = page - pc % page;
	int err;

	*base = 0;
	len = len < sizeof(code) ? len : sizeof(code);
	err = otst_read(o, pc, code, len);
	err = err ?: otst_disassemble(o, pc, code, len, 1, &insns);
	if (err)
		return err;
	for (s = insns.items[0].text; (s = strpbrk(s, "([")); s++) {
		bool ok = *s == '[' ? arm_operand(o, s, regs, &through, &at) :
				      att_operand(o, insns.items[0].text, s, regs, &through, &at);

		if (ok && addr - at < ACCESS) {
			*base = through;
			return 0;
		}
	}
	return 0;
}
