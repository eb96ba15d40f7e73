// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * insn.c - branches that the kernel moves when it patches itself
 * (arch/powerpc/lib/code-patching.c, translate_branch()).
 */
#include "ppc64le.h"

#define ABSOLUTE 2u /* AA */

uint32_t otst_ppc64le_get(const uint8_t *from)
{
	return (uint32_t)otst_get_le(from, INSN);
}

void otst_ppc64le_put(uint8_t *to, uint32_t insn)
{
	otst_put_le(to, insn, INSN);
}

/* bits of the distance: b and bl, bc and bcl; 0 for all else */
static uint32_t distance_mask(uint32_t insn)
{
	if (insn & ABSOLUTE)
		return 0;
	return insn >> 26 == 18 ? 0x03fffffc : insn >> 26 == 16 ? 0xfffc : 0;
}

bool otst_ppc64le_branch(uint32_t insn, uint64_t addr, uint64_t *target)
{
	uint32_t mask = distance_mask(insn), sign = (mask + 4) >> 1;

	*target = addr + (((uint64_t)(insn & mask) ^ sign) - sign);
	return mask;
}

uint32_t otst_ppc64le_move(uint32_t insn, uint64_t addr, uint64_t target)
{
	uint32_t mask = distance_mask(insn);

	return (insn & ~mask) | ((uint32_t)(target - addr) & mask);
}

/* the functions of modules set r2, too */
uint64_t otst_ppc64le_entry(const struct otst_expect *e, uint64_t func)
{
	const uint8_t *insns = otst_expect_built(e, func, 2 * (size_t)INSN);
	uint32_t first = insns ? otst_ppc64le_get(insns) >> 16 : 0x3c4c;
	uint32_t second = insns ? otst_ppc64le_get(insns + INSN) >> 16 : 0x3842;

	return func + ((first == 0x3c4c || first == 0x3c40) && second == 0x3842 ? 2 * INSN : 0);
}
