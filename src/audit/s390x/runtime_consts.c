// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * runtime_consts.c - constants in instructions (arch/s390/include/asm/runtime-const.h): sections
 * runtime_ptr_NAME and runtime_shift_NAME list the places that get the value of the variable NAME:
 * iihf and iilf hold one half each, srl holds the distance.
 */
#include "s390x.h"

#define LOADS 12u /* iihf, iilf: 32 bits after 16 */
#define SHIFT 4u  /* srl: the last 12 bits */

static void s390x_put_word(uint8_t *bytes, uint64_t value)
{
	for (size_t i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(value >> 8 * (3 - i));
}

static void s390x_put_pointer(uint8_t *bytes, uint64_t value)
{
	s390x_put_word(bytes + 2, value >> 32);
	s390x_put_word(bytes + 8, value);
}

static void s390x_put_shift(uint8_t *bytes, uint64_t value)
{
	s390x_put_word(bytes, (otst_get_be(bytes, 4) & ~UINT64_C(0xfff)) | (value & 0xfff));
}

static uint64_t s390x_get_pointer(const uint8_t *bytes)
{
	return otst_get_be(bytes + 2, 4) << 32 | otst_get_be(bytes + 8, 4);
}

int otst_s390x_runtime_consts(struct otst_expect *e)
{
	static const struct otst_runtime_form forms[] = {
		{ "runtime_ptr_", LOADS, 8, s390x_put_pointer, s390x_get_pointer, NULL },
		{ "runtime_shift_", SHIFT, 4, s390x_put_shift, NULL, NULL },
	};

	return otst_runtime_consts(e, forms, sizeof(forms) / sizeof(*forms));
}
