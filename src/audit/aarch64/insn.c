// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * insn.c - instructions that the kernel moves when it patches itself
 * (arch/arm64/include/asm/insn.h).
 */
#include "aarch64.h"

/* direct branches; @low, @len: bits of the distance, which counts words */
static const struct form {
	uint32_t mask, value;
	unsigned int low, len;
} forms[] = {
	{ 0x7c000000, 0x14000000, 0, 26 }, /* b, bl */
	{ 0xff000010, 0x54000000, 5, 19 }, /* b.cond */
	{ 0x7e000000, 0x34000000, 5, 19 }, /* cbz, cbnz */
	{ 0x7e000000, 0x36000000, 5, 14 }, /* tbz, tbnz */
};

uint32_t otst_a64_get(const uint8_t *from)
{
	return (uint32_t)otst_get_le(from, INSN);
}

void otst_a64_put(uint8_t *to, uint32_t insn)
{
	otst_put_le(to, insn, INSN);
}

static const struct form *aarch64_find_form(uint32_t insn)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if ((insn & forms[i].mask) == forms[i].value)
			return &forms[i];
	}
	return NULL;
}

static uint64_t sign_extend(uint64_t v, unsigned int bits)
{
	return (uint64_t)((int64_t)(v << (64 - bits)) >> (64 - bits));
}

bool otst_a64_branch(uint32_t insn, uint64_t addr, uint64_t *target)
{
	const struct form *f = aarch64_find_form(insn);

	if (!f)
		return false;
	*target = addr + 4 * sign_extend(insn >> f->low & ((1u << f->len) - 1), f->len);
	return true;
}

uint64_t otst_a64_page(uint32_t insn, uint64_t addr)
{
	uint64_t imm = sign_extend((insn >> 5 & 0x7ffff) << 2 | (insn >> 29 & 3), 21);

	return (insn & ADRP_MASK) == ADRP ? (addr & ~UINT64_C(0xfff)) + (imm << 12) : addr + imm;
}

uint32_t otst_a64_move(uint32_t insn, uint64_t from, uint64_t to)
{
	const struct form *f = aarch64_find_form(insn);
	uint64_t target;
	uint32_t mask;

	if (f && otst_a64_branch(insn, from, &target)) {
		mask = ((1u << f->len) - 1) << f->low;
		return (insn & ~mask) | ((uint32_t)((target - to) >> 2) << f->low & mask);
	}
	if ((insn & ADRP_MASK) != ADRP)
		return insn;
	target = (otst_a64_page(insn, from) - (to & ~UINT64_C(0xfff))) >> 12;
	return (insn & ~0x60ffffe0u) | (uint32_t)(target & 3) << 29 |
	       (uint32_t)(target >> 2 & 0x7ffff) << 5;
}
