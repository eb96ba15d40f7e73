// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * runtime_consts.c - constants in instructions that the kernel knows only when it has
 * booted (arch/arm64/include/asm/runtime-const.h, since 6.12): sections runtime_ptr_NAME and
 * runtime_shift_NAME list the places that get the value of the variable NAME, or, where the
 * compiler dropped the variable, a value that it may have had: in four moves of 16 bits, or
 * as the distance of a shift.
 */
#include "aarch64.h"

#define MOVES (4 * INSN)

static void aarch64_put_pointer(uint8_t *bytes, uint64_t value)
{
	for (unsigned int i = 0; i < 4; i++, value >>= 16)
		otst_a64_put(bytes + i * INSN, (otst_a64_get(bytes + i * INSN) & 0xffe0001f) |
						       (uint32_t)(value & 0xffff) << 5);
}

static void aarch64_put_shift(uint8_t *bytes, uint64_t value)
{
	otst_a64_put(bytes, (otst_a64_get(bytes) & 0xffc0ffff) | (uint32_t)(value & 63) << 16);
}

static uint64_t aarch64_get_pointer(const uint8_t *bytes)
{
	uint64_t value = 0;

	for (unsigned int i = 4; i-- > 0;)
		value = value << 16 | (otst_a64_get(bytes + i * INSN) >> 5 & 0xffff);
	return value;
}

int otst_a64_runtime_consts(struct otst_expect *e)
{
	static const struct otst_runtime_form forms[] = {
		{ "runtime_ptr_", MOVES, 8, aarch64_put_pointer, aarch64_get_pointer, NULL },
		{ "runtime_shift_", INSN, 4, aarch64_put_shift, NULL, NULL },
	};

	return otst_runtime_consts(e, forms, sizeof(forms) / sizeof(*forms));
}
