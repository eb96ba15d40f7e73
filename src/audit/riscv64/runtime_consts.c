// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * runtime_consts.c - constants in instructions that the kernel knows only when it has
 * booted (arch/riscv/include/asm/runtime-const.h, since 6.16): sections runtime_ptr_NAME and
 * runtime_shift_NAME list the places. What is written there also depends on the cpu and is
 * not known: the places are taken as found, and counted.
 */
#include <string.h>

#include "riscv64.h"

#define POINTER 16u /* lui, lui, addiw, addiw */
#define SHIFT	4u

static int lose_consts(struct otst_expect *e, const char *section, size_t len, size_t *places)
{
	struct otst_vec sites = { 0 };
	int err = otst_expect_sites(e, section, &sites);
	const uint64_t *at = sites.data;

	for (size_t i = 0; i < sites.count && !err; i++)
		otst_expect_unknown(e, at[i], len);
	*places += sites.count;
	return err;
}

int otst_riscv64_runtime_consts(struct otst_expect *e)
{
	static const char ptr[] = "runtime_ptr_", shift[] = "runtime_shift_";
	size_t i, pointers = 0, shifts = 0;
	int err = 0;

	for (i = 0; i < e->built->count && !err; i++) {
		const char *name = e->built->items[i].name;

		if (!strncmp(name, ptr, sizeof(ptr) - 1))
			err = lose_consts(e, name, POINTER, &pointers);
		else if (!strncmp(name, shift, sizeof(shift) - 1))
			err = lose_consts(e, name, SHIFT, &shifts);
	}
	if (err || !(pointers + shifts))
		return err;
	return otst_note(e->o, &e->out->notes,
			 otst_raise(e->o, OTST_ERR_LOOKUP,
				    "what stands for constants known since boot is not known: "
				    "%zu place%s, %zu bytes, %s taken as found",
				    pointers + shifts, otst_number(pointers + shifts, "", "s"),
				    pointers * POINTER + shifts * SHIFT,
				    otst_number(pointers + shifts, "is", "are")));
}
