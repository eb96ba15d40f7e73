// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arch.c - the table of processors.
 */
#include <string.h>

#include "arch.h"

const struct otst_arch otst_arch_unknown = {
	.name = "",
	.pc = OTST_NO_REG,
	.sp = OTST_NO_REG,
	.fp = OTST_NO_REG,
	.ra = OTST_NO_REG,
};

#define ROW(arch) &otst_arch_##arch,

/* NULL for one that is not linked */
static const struct otst_arch *const arches[] = { OTST_ARCHES(ROW) };

#define COUNT (sizeof(arches) / sizeof(*arches))

const struct otst_arch *otst_arch_named(const char *machine)
{
	size_t i;

	for (i = 0; i < COUNT; i++) {
		if (arches[i] && !strcmp(arches[i]->name, machine))
			return arches[i];
	}
	return &otst_arch_unknown;
}

const struct otst_arch *otst_arch_of_elf(uint16_t machine)
{
	size_t i;

	for (i = 0; i < COUNT; i++) {
		if (arches[i] && arches[i]->elf_machine == machine)
			return arches[i];
	}
	return &otst_arch_unknown;
}
