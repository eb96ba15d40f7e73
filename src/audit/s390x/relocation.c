// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * relocation.c - addresses in the kernel's data, which its boot code writes wherever it was loaded
 * (arch/s390/boot/startup.c, handle_relocs()). Newer kernels have a list of them that is not in
 * vmlinux: there each address of the image moves.
 */
#include <elf.h>

#include "s390x.h"

#define SYMBOL 24u
#define VALUE  8u /* of a symbol, in Elf64_Sym */

/* false when the table ends before symbol @index */
static bool symbol_value(const struct otst_section *symbols, uint64_t index, uint64_t *ret)
{
	if (!symbols || index >= symbols->size / SYMBOL)
		return false;
	*ret = otst_get_be(symbols->data + index * SYMBOL + VALUE, 8);
	return true;
}

int otst_s390x_relocation(struct otst_expect *e)
{
	const struct otst_section *symbols = otst_expect_section(e, ".dynsym");
	const struct otst_section *rela = otst_expect_section(e, ".rela.dyn");
	struct otst_rela r;
	uint64_t value;
	uint32_t type;

	for (size_t i = 0; otst_expect_rela(e, rela, i, &r); i++) {
		type = (uint32_t)r.info;
		value = 0;
		if (type == R_390_RELATIVE || ((type == R_390_64 || type == R_390_GLOB_DAT) &&
					       symbol_value(symbols, r.info >> 32, &value)))
			otst_expect_set_word(e, OTST_DIFF_RELOCATION, r.at,
					     value + r.addend + e->built->slide);
		else
			otst_expect_unknown(e, r.at, 8);
	}
	return 0;
}
