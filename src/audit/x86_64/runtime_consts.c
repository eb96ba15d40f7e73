// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * runtime_consts.c - constants in instructions that the kernel knows only when
 * it has booted (arch/x86/include/asm/runtime-const.h, since 6.11): sections
 * runtime_ptr_NAME, runtime_shift_NAME and (7.3) runtime_mask_NAME list the
 * places that get the value of the variable NAME, or, where the compiler dropped the
 * variable, a value that it may have had, the same at each place. The variable of
 * USER_PTR_MAX is local to arch/x86/kernel/cpu/common.c up to 6.14.
 */
#include <string.h>

#include "x86_64.h"

/* arch_cpu_finalize_init(): TASK_SIZE_MAX, with four-level or five-level page tables */
static bool is_user_end(const char *name, uint64_t value)
{
	const uint64_t page = 4096;

	return !strcmp(name, "USER_PTR_MAX") &&
	       (value == (UINT64_C(1) << 47) - page || value == (UINT64_C(1) << 56) - page);
}

static void x86_64_put_byte(uint8_t *place, uint64_t value)
{
	place[0] = (uint8_t)value;
}

static void x86_64_put_word(uint8_t *place, uint64_t value)
{
	otst_put_le(place, value, 4);
}

static void x86_64_put_pointer(uint8_t *place, uint64_t value)
{
	otst_put_le(place, value, 8);
}

static uint64_t x86_64_get_pointer(const uint8_t *place)
{
	return otst_get_le(place, 8);
}

int otst_apply_runtime_consts(struct otst_expect *e)
{
	static const struct otst_runtime_form forms[] = {
		{ "runtime_ptr_", 8, 8, x86_64_put_pointer, x86_64_get_pointer, is_user_end },
		{ "runtime_shift_", 1, 1, x86_64_put_byte, NULL, NULL },
		{ "runtime_mask_", 4, 4, x86_64_put_word, NULL, NULL },
	};

	return otst_runtime_consts(e, forms, sizeof(forms) / sizeof(*forms));
}
