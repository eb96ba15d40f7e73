// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * relocation.c - addresses in the kernel's text, which the kernel writes when it
 * boots, wherever it was loaded (arch/powerpc/kernel/reloc_64.S); and two variables in
 * the text that start the other cpus (head_64.S, setup_64.c, smp_release_cpus()).
 */
#include <elf.h>

#include "ppc64le.h"

#define RELA 24u

static void write_word(struct otst_expect *e, enum otst_difference d, uint64_t at, uint64_t value)
{
	uint8_t bytes[8];

	otst_ppc64_put(bytes, (uint32_t)value);
	otst_ppc64_put(bytes + INSN, (uint32_t)(value >> 32));
	otst_expect_set(e, d, at, bytes, sizeof(bytes));
}

static void relocate(struct otst_expect *e, const struct otst_section *s)
{
	uint64_t slide = e->built->slide, i;

	for (i = 0; i + RELA <= s->size; i += RELA) {
		const uint8_t *raw = s->data + i;
		uint64_t at = otst_get_le(raw, 8) + slide;

		if ((uint32_t)otst_get_le(raw + 8, 8) == R_PPC64_RELATIVE)
			write_word(e, OTST_DIFF_RELOCATION, at, otst_get_le(raw + 16, 8) + slide);
		else
			otst_expect_unknown(e, at, 8);
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
	write_word(e, OTST_DIFF_RUNTIME_CONST, hold, start);
}

int otst_ppc64_relocation(struct otst_expect *e)
{
	const struct otst_section *rela = otst_expect_section(e, ".rela.dyn");

	/* a module's relocations are applied where its file is read */
	if (e->module)
		return 0;
	if (rela)
		relocate(e, rela);
	start_cpus(e);
	return 0;
}
