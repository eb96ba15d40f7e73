// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * relocation.c - addresses in the kernel's text, which the kernel writes when it
 * boots, wherever it was loaded (arch/powerpc/kernel/reloc_64.S); and two variables in
 * the text that start the other cpus (head_64.S, setup_64.c, smp_release_cpus()).
 */
#include <elf.h>

#include "ppc64le.h"

static void relocate_kernel(struct otst_expect *e)
{
	const struct otst_section *rela = otst_expect_section(e, ".rela.dyn");
	struct otst_rela r;

	for (size_t i = 0; otst_expect_rela(e, rela, i, &r); i++) {
		if ((uint32_t)r.info == R_PPC64_RELATIVE)
			otst_expect_set_word(e, OTST_DIFF_RELOCATION, r.at,
					     r.addend + e->built->slide);
		else
			otst_expect_unknown(e, r.at, 8);
	}
}

/* the function that these cpus enter once released; the number of the last one that waits */
static void start_cpus(struct otst_expect *e)
{
	uint64_t hold = otst_symbol_or0(e->o, "__secondary_hold_spinloop");
	uint64_t start = otst_symbol_or0(e->o, "generic_secondary_smp_init");
	uint64_t number = otst_symbol_or0(e->o, "__secondary_hold_acknowledge");
	const uint8_t *found = otst_expect_found(e, hold, 8);

	otst_expect_unknown(e, number, 8);
	if (!found || !start || otst_get_le(found, 8) != start)
		return;
	otst_expect_set_word(e, OTST_DIFF_RUNTIME_CONST, hold, start);
}

int otst_ppc64le_relocation(struct otst_expect *e)
{
	/* a module's relocations are applied where its file is read */
	if (e->module)
		return 0;
	relocate_kernel(e);
	start_cpus(e);
	return 0;
}
