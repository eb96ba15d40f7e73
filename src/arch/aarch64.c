// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * aarch64.c
 */
#include <elf.h>

#include "arch.h"

const struct otst_arch otst_arch_aarch64 = {
	.name = "aarch64",
	.elf_machine = EM_AARCH64,
};
