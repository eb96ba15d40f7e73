/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arch.h - what is known of a processor without a dump. One file of this
 * folder describes one processor; the rest of the engine asks its table.
 */
#ifndef OTST_ARCH_H
#define OTST_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct otst_arch - one processor
 * @name: as new_utsname.machine says it; "" of a processor that has no file here
 * @elf_machine: EM_*
 */
struct otst_arch {
	const char *name;
	uint16_t elf_machine;
};

extern const struct otst_arch otst_arch_unknown;
extern const struct otst_arch otst_arch_x86_64;
extern const struct otst_arch otst_arch_aarch64;

/** otst_arch_named() - the processor that new_utsname.machine names; never NULL */
const struct otst_arch *otst_arch_named(const char *machine);

/** otst_arch_of_elf() - the processor of an ELF file's e_machine; never NULL */
const struct otst_arch *otst_arch_of_elf(uint16_t machine);

#endif /* OTST_ARCH_H */
