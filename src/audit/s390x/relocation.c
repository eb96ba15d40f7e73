// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * relocation.c - addresses in the kernel's data, which its boot code writes wherever it was loaded
 * (arch/s390/boot/startup.c, handle_relocs()). Newer kernels have a list of them that is not in
 * vmlinux: there each address of the image moves.
 */
#include <elf.h>

#include "s390x.h"

#define RELA   24u
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

int otst_s390_relocation(struct otst_expect *e)
{
	const struct otst_section *rela = otst_expect_section(e, ".rela.dyn");
	const struct otst_section *symbols = otst_expect_section(e, ".dynsym");
	uint64_t slide = e->built->slide, i, at, info, value;
	uint8_t bytes[8];

	for (i = 0; rela && i + RELA <= rela->size; i += RELA) {
		at = otst_get_be(rela->data + i, 8) + slide;
		info = otst_get_be(rela->data + i + 8, 8);
		value = 0;
		if ((uint32_t)info != R_390_RELATIVE &&
		    (((uint32_t)info != R_390_64 && (uint32_t)info != R_390_GLOB_DAT) ||
		     !symbol_value(symbols, info >> 32, &value))) {
			otst_expect_unknown(e, at, 8);
			continue;
		}
		value += otst_get_be(rela->data + i + 16, 8) + slide;
		otst_put_be(bytes, value, sizeof(bytes));
		otst_expect_set(e, OTST_DIFF_RELOCATION, at, bytes, sizeof(bytes));
	}
	return 0;
}
