// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * modvalue.c - where a symbol and a section of a module's file are in memory.
 */
#include <string.h>

#include "../image/image.h"
#include "../names/kallsyms.h"
#include "modload.h"

/* an import is exported elsewhere, so as a rule one global symbol has the name */
static bool find_import(struct otst *o, const char *name, uint64_t *ret)
{
	return otst_export_repeated(o, name, ret) ||
	       !(otst_symbol_shared(o, name) ? otst_image_global(o, name, ret) :
					       otst_symbol(o, name, ret)) ||
	       !otst_symbol_any(o, name, ret);
}

bool otst_load_value(const struct otst_loading *load, const GElf_Sym *sym, const char *name,
		     uint64_t *ret)
{
	const struct otst_toc *toc = otst_kernel(load->o)->arch->reloc.toc;

	if (sym->st_shndx == SHN_ABS) {
		*ret = sym->st_value;
		return true;
	}
	if (sym->st_shndx == SHN_UNDEF && toc && !strcmp(name, toc->pointer)) {
		*ret = load->toc;
		return load->toc;
	}
	if (sym->st_shndx == SHN_UNDEF)
		return find_import(load->o, name, ret) || GELF_ST_BIND(sym->st_info) == STB_WEAK;
	if (sym->st_shndx >= load->count || !load->sections[sym->st_shndx].addr)
		return false;
	*ret = load->sections[sym->st_shndx].addr + sym->st_value;
	return true;
}

struct otst_section *otst_load_section(const struct otst_loading *load, const char *name)
{
	for (size_t i = 0; i < load->count; i++) {
		if (load->sections[i].name && load->sections[i].addr &&
		    !strcmp(load->sections[i].name, name))
			return &load->sections[i];
	}
	return NULL;
}
