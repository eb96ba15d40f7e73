// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x86_64.c
 */
#include <elf.h>

#include "arch.h"

const struct otst_arch otst_arch_x86_64 = {
	.name = "x86_64",
	.elf_machine = EM_X86_64,
};
