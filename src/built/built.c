// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * built.c - the sections of the kernel's image file that were loaded, at their
 * addresses in the running kernel.
 */
#include <gelf.h>
#include <string.h>

#include "../base/coverage.h"
#include "../base/engine.h"
#include "../dump.h"
#include "../image/image.h"
#include "built.h"

struct reading {
	struct otst *o;
	struct otst_vec sections;
	struct otst_built *ret;
	uint64_t init_begin;
	uint64_t init_end;
	uint64_t head_end;
};

static void add_built_section(struct reading *r, Elf_Scn *scn, const GElf_Shdr *sh,
			      const char *name)
{
	struct otst_section *s = otst_vec_push(r->o, &r->sections, sizeof(*s));
	Elf_Data *data = sh->sh_type == SHT_NOBITS ? NULL : elf_rawdata(scn, NULL);

	s->name = name;
	s->addr = sh->sh_addr + r->ret->slide;
	s->size = sh->sh_size;
	/* relocate_kernel() is in .data, and filled in by kexec */
	s->text = (sh->sh_flags & (SHF_EXECINSTR | SHF_WRITE)) == SHF_EXECINSTR;
	s->init = (s->addr >= r->init_begin && s->addr < r->init_end) || s->addr < r->head_end;
	if (data && data->d_size >= sh->sh_size)
		s->data = data->d_buf;
	if (!sh->sh_addr && !strcmp(name, ".data..percpu"))
		r->ret->percpu_end = sh->sh_size;
	if (sh->sh_addr >= r->ret->begin && sh->sh_addr + sh->sh_size > r->ret->end)
		r->ret->end = sh->sh_addr + sh->sh_size;
}

static int read_built_sections(struct reading *r, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	size_t strings;
	const char *name;

	if (elf_getshdrstrndx(elf, &strings))
		return otst_raise(r->o, OTST_ERR_LOOKUP, "the kernel's image file has no sections");
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_ALLOC) || !sh.sh_size)
			continue;
		name = elf_strptr(elf, strings, sh.sh_name);
		if (!r->ret->begin && sh.sh_flags & SHF_EXECINSTR)
			r->ret->begin = sh.sh_addr;
		if (name)
			add_built_section(r, scn, &sh, name);
	}
	return 0;
}

int otst_built_kernel(struct otst *o, struct otst_built *ret)
{
	struct reading r = { .o = o, .ret = ret };
	Elf *elf = otst_image_elf(o);
	int err;

	*ret = (struct otst_built){ 0 };
	if (!elf && o->options.vmlinux)
		return otst_raise(o, OTST_ERR_LOOKUP,
				  "%s cannot be read as the kernel's image file",
				  otst_clean(o, o->options.vmlinux));
	if (!elf)
		return otst_raise(o, OTST_ERR_LOOKUP, "no file to compare it with");
	/* a boot image without symbols, in a dump without symbols: no record can be found */
	if (!otst_image_has_symbols(o) && otst_symbols_gap(o))
		return otst_raise(o, OTST_ERR_LOOKUP, "%s has no symbols, and %s",
				  otst_clean(o, o->options.vmlinux), otst_symbols_gap(o));
	if (!otst_image_shift(o, &ret->slide))
		return otst_raise(o, OTST_ERR_LOOKUP, "no _stext in the kernel image file");
	if (otst_init_is_over(o)) {
		r.init_begin = otst_symbol_or0(o, "__init_begin");
		r.init_end = otst_symbol_or0(o, "__init_end");
	}
	if (otst_kernel(o)->arch->image.head_unmapped)
		r.head_end = otst_symbol_or0(o, "_stext");
	err = read_built_sections(&r, elf);
	if (err)
		return err;
	ret->items = r.sections.data;
	ret->count = r.sections.count;
	return 0;
}
