// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * modtext.c - a module's file as the kernel had it when it was loaded: sections
 * where sysfs says they are (struct module_sect_attrs, kernel/module/sysfs.c),
 * relocated as the kernel does it.
 */
#include <string.h>
#include <unistd.h>

#include "../image/image.h"
#include "../names/kallsyms.h"
#include "debug.h"
#include "modload.h"

#define MAX_SECTIONS 1024u
#define NAME_MAX_LEN 128u

/* ---- where the sections are ---- */

/* powerpc's kernels write "_init" for ".init" (module_frob_arch_sections()) */
static bool is_named(const char *section, const char *s)
{
	while (*section && (*section == *s || (*s == '_' && !strncmp(section, ".init", 5)))) {
		section++;
		s++;
	}
	return *section == *s;
}

/* is it one that the kernel's loader makes or fills, so that the file may have none of that name */
static bool is_made_by_loader(const char *s)
{
	return strstr(s, "plt") || strstr(s, "got") || strstr(s, "stubs") || strstr(s, "tramp");
}

static int set_address(struct otst_loading *load, uint64_t name, uint64_t addr)
{
	const struct otst_module_range *r = otst_module_range_at(load->m, addr);
	const char *s;
	int err = otst_read_string(load->o, name, NAME_MAX_LEN, &s);

	for (size_t i = 0; !err && i < load->count; i++) {
		/* several sections may share a name: the kernel lists them in the file's order */
		if (load->sections[i].addr || !load->sections[i].name ||
		    !is_named(load->sections[i].name, s))
			continue;
		load->sections[i].addr = addr;
		return 0;
	}
	if (!err && r && r->text && !r->init && !is_made_by_loader(s))
		load->damage = otst_format(load->o, "lacks the section %s", otst_clean(load->o, s));
	return err;
}

/* Linux ed66f991bb19 ("module: Refactor section attr into bin attribute") (v5.8) */
static bool are_plain(struct otst *o)
{
	return otst_has_type(o, "module_sect_attr") &&
	       otst_has_member(o, "module_sect_attr", "mattr");
}

/*
 * Linux 34f5ec0f8252 ("module: sysfs: Drop 'struct module_sect_attr'") (v6.14)
 * has the address in bin_attribute.private.
 */
static int read_section_attributes(struct otst_loading *load, uint64_t attrs)
{
	const struct otst_member *name, *address;
	uint64_t list, at, text, value, i;
	bool late = !otst_has_type(load->o, "module_sect_attr"), plain = are_plain(load->o);
	/* before that, the group lists structures whose first member is mattr */
	int err = plain ? otst_member(load->o, "module_sect_attr", "name", &name) :
			  otst_member(load->o, "bin_attribute", "attr.name", &name);

	if (!err)
		err = otst_read_member(load->o, "module_sect_attrs", attrs,
				       plain ? "grp.attrs" : "grp.bin_attrs", &list);
	if (!err)
		err = late ? otst_member(load->o, "bin_attribute", "private", &address) :
			     otst_member(load->o, "module_sect_attr", "address", &address);
	for (i = 0; !err && i < MAX_SECTIONS; i++) {
		err = otst_read_u64(load->o, list + 8 * i, &at);
		if (err || !at)
			break;
		err = otst_read_u64(load->o, at + address->offset, &value);
		err = err ?: otst_read_u64(load->o, at + name->offset, &text);
		err = err ?: set_address(load, text, value);
	}
	return err;
}

static int find_addresses(struct otst_loading *load)
{
	uint64_t attrs;
	int err = otst_read_member(load->o, "module", load->m->addr, "sect_attrs", &attrs);

	if (!err && !attrs)
		err = otst_raise(load->o, OTST_ERR_LOOKUP, "no sections in sysfs");
	err = err ?: read_section_attributes(load, attrs);
	if (!err && load->percpu)
		load->sections[load->percpu].addr = load->m->percpu;
	return err ? otst_fail(load->o, err, "module %s: addresses of its sections",
			       load->m->name) :
		     0;
}

/* freed after the module had started */
static bool is_gone(const struct otst_module *m, uint64_t addr)
{
	const struct otst_module_range *r = otst_module_range_at(m, addr);

	return !r || (r->init && m->state == OTST_MODULE_LIVE);
}

/* ---- relocation ---- */

/* ---- table of contents ---- */

/* my_r2() of arch/powerpc/kernel/module_64.c */
static void find_toc(struct otst_loading *load)
{
	const struct otst_toc *toc = otst_kernel(load->o)->arch->reloc.toc;
	const struct otst_section *s = toc ? otst_load_section(load, toc->section) : NULL;

	s = s || !toc ? s : otst_load_section(load, toc->stubs);
	if (s)
		load->toc = (s->addr & ~(toc->align - 1)) + toc->bias;
}

/* ---- sections ---- */

/* the relocations of one section */
struct table {
	Elf_Data *relas, *symbols;
	size_t count, target;
	size_t strings; /* with the symbols' names */
};

/* finds the relocation at the place that a symbol names; as a rule it precedes this one */
static bool find_at_place(const struct otst_loading *load, const struct table *t, size_t i,
			  const GElf_Sym *place, uint32_t type, GElf_Rela *ret)
{
	const struct otst_arch *arch = otst_kernel(load->o)->arch;

	for (size_t k = 1; k < t->count && place->st_shndx == t->target; k++) {
		if (gelf_getrela(t->relas, (int)((i + t->count - k) % t->count), ret) &&
		    ret->r_offset == place->st_value &&
		    arch->reloc.by_place(type, (uint32_t)GELF_R_TYPE(ret->r_info)))
			return true;
	}
	return false;
}

static const char *symbol_name(const struct otst_loading *load, const struct table *t,
			       const GElf_Sym *sym)
{
	const char *name = elf_strptr(load->elf, t->strings, sym->st_name);

	return name ? name : "";
}

/* relocates through the table of contents or a stub; false when that is not known */
static bool apply_toc(struct otst_loading *load, const struct table *t, const GElf_Rela *r,
		      const GElf_Sym *sym, enum otst_reloc_toc kind, uint64_t value)
{
	const struct otst_arch *arch = otst_kernel(load->o)->arch;
	const struct otst_section *s = &load->sections[t->target];
	uint32_t type = (uint32_t)GELF_R_TYPE(r->r_info);
	uint8_t *place = load->data[t->target] + r->r_offset;
	bool far = kind == OTST_TOC_CALL && sym->st_shndx == SHN_UNDEF;

	if (kind != OTST_TOC_CALL && !load->toc)
		return false;
	if (far && !otst_slot_at(load, OTST_SLOT_PLT, r, value - (uint64_t)r->r_addend, &value))
		return false;
	if (kind == OTST_TOC_VALUE)
		value = load->toc;
	else if (kind == OTST_TOC_CALL && !far)
		value += arch->reloc.toc->local(sym->st_other);
	if (!arch->reloc.apply(place, s->size - r->r_offset, type,
			       kind == OTST_TOC_BASE ? load->toc : s->addr + r->r_offset, value))
		return false;
	if (far && strcmp(symbol_name(load, t, sym), arch->reloc.toc->own_call))
		arch->reloc.toc->restore(place, s->size - r->r_offset);
	return true;
}

/* false for a type that modules do not have */
static bool apply_reloc(struct otst_loading *load, const struct table *t, size_t i, GElf_Rela *r,
			GElf_Sym *sym)
{
	const struct otst_arch *arch = otst_kernel(load->o)->arch;
	const struct otst_section *s = &load->sections[t->target];
	uint32_t type = (uint32_t)GELF_R_TYPE(r->r_info);
	uint64_t at = r->r_offset, value = 0;
	enum otst_reloc_toc toc = arch->reloc.toc ? arch->reloc.toc->reloc(type) : OTST_TOC_NONE;
	enum otst_reloc_slot kind;

	if (arch->reloc.by_place && arch->reloc.by_place(type, 0) &&
	    (!find_at_place(load, t, i, sym, type, r) ||
	     !gelf_getsym(t->symbols, (int)GELF_R_SYM(r->r_info), sym)))
		return false;
	/* OTST_TOC_VALUE needs no symbol */
	if (toc != OTST_TOC_VALUE && !otst_load_value(load, sym, symbol_name(load, t, sym), &value))
		return false;
	if (at > s->size)
		return false;
	if (toc)
		return apply_toc(load, t, r, sym, toc, value + (uint64_t)r->r_addend);
	/* @r is the relocation of the other place, if the symbol names one */
	kind = arch->reloc.slot ? arch->reloc.slot((uint32_t)GELF_R_TYPE(r->r_info)) :
				  OTST_SLOT_NONE;
	if (kind != OTST_SLOT_GOT &&
	    arch->reloc.apply(load->data[t->target] + at, s->size - at, type, s->addr + r->r_offset,
			      value + (uint64_t)r->r_addend))
		return true;
	return kind && otst_slot_at(load, kind, r, value, &value) &&
	       arch->reloc.apply(load->data[t->target] + at, s->size - at, type,
				 s->addr + r->r_offset, value);
}

/* the result of an unresolved relocation is not known: it is taken from memory */
static void lose_place(struct otst_loading *load, const struct table *t, const GElf_Rela *r)
{
	const struct otst_arch *arch = otst_kernel(load->o)->arch;
	const struct otst_section *s = &load->sections[t->target];
	uint8_t found[8];
	uint32_t type = (uint32_t)GELF_R_TYPE(r->r_info);
	size_t len = 4;

	/* a call may be two instructions, or be followed by one that sets the TOC pointer */
	if ((arch->reloc.slot && arch->reloc.slot(type) == OTST_SLOT_PLT) ||
	    (arch->reloc.toc && arch->reloc.toc->reloc(type) == OTST_TOC_CALL))
		len = sizeof(found);
	if (r->r_offset < s->size && len > s->size - r->r_offset)
		len = s->size - r->r_offset;
	if (r->r_offset < s->size && !otst_read(load->o, s->addr + r->r_offset, found, len))
		memcpy(load->data[t->target] + r->r_offset, found, len);
}

/* is its section empty, such as lock classes in a kernel without them: sysfs does not list it */
static bool is_empty(const struct otst_loading *load, const GElf_Sym *sym)
{
	Elf_Scn *scn = sym->st_shndx < load->count ? elf_getscn(load->elf, sym->st_shndx) : NULL;
	GElf_Shdr sh;

	return sym->st_shndx != SHN_UNDEF && scn && gelf_getshdr(scn, &sh) && !sh.sh_size;
}

static int relocate_section(struct otst_loading *load, Elf_Scn *scn, const GElf_Shdr *sh)
{
	struct table t = { .relas = elf_getdata(scn, NULL), .target = sh->sh_info };
	Elf_Scn *symbols = elf_getscn(load->elf, sh->sh_link);
	GElf_Shdr symtab;

	t.count = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	t.symbols = symbols && gelf_getshdr(symbols, &symtab) ? elf_getdata(symbols, NULL) : NULL;
	t.strings = t.symbols ? symtab.sh_link : 0;
	for (size_t i = 0; t.relas && t.symbols && i < t.count; i++) {
		const char *name;
		GElf_Rela r;
		GElf_Sym sym;

		if (!(i & 0xfff) && otst_check(load->o))
			return OTST_ERR_INTERRUPTED;
		if (!gelf_getrela(t.relas, (int)i, &r) ||
		    !gelf_getsym(t.symbols, (int)GELF_R_SYM(r.r_info), &sym) ||
		    apply_reloc(load, &t, i, &r, &sym))
			continue;
		/* apply_reloc() may have replaced the symbol by that of another relocation */
		name = symbol_name(load, &t, &sym);
		if (gelf_getrela(t.relas, (int)i, &r))
			lose_place(load, &t, &r);
		if (is_empty(load, &sym))
			continue;
		load->why = otst_format(load->o, "module %s: a relocation by %s cannot be resolved",
					load->m->name, otst_clean(load->o, name));
	}
	return 0;
}

/* ---- the file ---- */

static int read_section(struct otst_loading *load, size_t i, Elf_Scn *scn, const GElf_Shdr *sh,
			const char *name)
{
	struct otst_section *s = &load->sections[i];
	Elf_Data *data = sh->sh_type == SHT_NOBITS ? NULL : elf_rawdata(scn, NULL);

	s->name = otst_strdup(load->o, name);
	s->size = sh->sh_size;
	s->text = (sh->sh_flags & (SHF_EXECINSTR | SHF_WRITE)) == SHF_EXECINSTR;
	if (!strcmp(name, ".data..percpu"))
		load->percpu = i;
	if (!data || data->d_size < sh->sh_size)
		return 0;
	load->data[i] = otst_alloc(load->o, sh->sh_size);
	if (!load->data[i])
		return otst_no_memory(load->o);
	/* an empty section has no bytes to copy, and may have no pointer to them */
	if (sh->sh_size)
		memcpy(load->data[i], data->d_buf, sh->sh_size);
	s->data = load->data[i];
	return 0;
}

/* a file with debug information alone has no text */
static bool has_text(const struct otst_loading *load)
{
	for (size_t i = 0; i < load->count; i++) {
		if (load->sections[i].text && load->sections[i].size && !load->sections[i].data)
			return false;
	}
	return true;
}

static int read_module_sections(struct otst_loading *load)
{
	const struct otst_toc *toc = otst_kernel(load->o)->arch->reloc.toc;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	size_t strings;
	const char *name;
	int err = 0;

	if (elf_getshdrstrndx(load->elf, &strings) || elf_getshdrnum(load->elf, &load->count) ||
	    load->count > MAX_SECTIONS)
		return otst_raise(load->o, OTST_ERR_LOOKUP, "is not a module");
	load->sections =
		otst_alloc(load->o, (load->count + OTST_MADE_MAX) * sizeof(*load->sections));
	load->data = otst_alloc(load->o, load->count * sizeof(*load->data));
	if (!load->sections || !load->data)
		return otst_no_memory(load->o);
	while (!err && (scn = elf_nextscn(load->elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_ALLOC))
			continue;
		name = elf_strptr(load->elf, strings, sh.sh_name);
		/* the kernel fills the section of stubs, which may be empty in the file */
		if (name && (sh.sh_size || (toc && !strcmp(name, toc->stubs))))
			err = read_section(load, elf_ndxscn(scn), scn, &sh, name);
	}
	return err;
}

/* does a section of relocations name what they are for, and their symbols */
static bool is_table_whole(Elf *elf, const GElf_Shdr *sh)
{
	Elf_Scn *of = elf_getscn(elf, sh->sh_info), *symbols = elf_getscn(elf, sh->sh_link);
	GElf_Shdr to, symtab;

	return sh->sh_entsize == gelf_fsize(elf, ELF_T_RELA, 1, EV_CURRENT) && of && symbols &&
	       gelf_getshdr(of, &to) && gelf_getshdr(symbols, &symtab) &&
	       symtab.sh_type == SHT_SYMTAB && to.sh_type != SHT_RELA && to.sh_type != SHT_NULL;
}

static void find_damage(struct otst_loading *l)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while (!l->damage && (scn = elf_nextscn(l->elf, scn))) {
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA &&
		    !is_table_whole(l->elf, &sh))
			l->damage = "is damaged: its relocations belong to no section";
	}
}

static int load_module(struct otst_loading *l, const char **misfit)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	int err = find_addresses(l);

	if (!err)
		find_damage(l);
	*misfit = l->damage;
	if (!err && l->damage)
		return otst_raise(l->o, OTST_ERR_LOOKUP, "is not whole");
	if (!err)
		find_toc(l);
	err = err ?: otst_slots_find(l);
	for (size_t i = 0; !err && i < l->count; i++)
		l->sections[i].init = is_gone(l->m, l->sections[i].addr);
	while (!err && (scn = elf_nextscn(l->elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_RELA || sh.sh_info >= l->count ||
		    !l->data[sh.sh_info] || !l->sections[sh.sh_info].addr)
			continue;
		err = relocate_section(l, scn, &sh);
	}
	return err ?: otst_slots_make(l);
}

/* 0 when @l has the module; LOOKUP when @path is not its file; sets @misfit for another build */
static int try_module_file(struct otst_loading *l, const char *path, const char **misfit)
{
	const struct otst_arch *arch = otst_kernel(l->o)->arch;
	int fd, err = otst_modfile_open(l->o, path, &fd, misfit);
	GElf_Ehdr eh;

	if (err)
		return err;
	(void)elf_version(EV_CURRENT);
	l->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!l->elf || !gelf_getehdr(l->elf, &eh) || eh.e_type != ET_REL || !arch->reloc.apply ||
	    eh.e_machine != arch->elf_machine)
		err = otst_raise(l->o, OTST_ERR_LOOKUP, "is not a module");
	else
		err = read_module_sections(l);
	if (!err)
		*misfit = otst_module_misfit(l->o, l->m, l->elf);
	if (!err && (*misfit || !has_text(l)))
		err = otst_raise(l->o, OTST_ERR_LOOKUP, "is not its file");
	err = err ?: load_module(l, misfit);
	elf_end(l->elf);
	close(fd);
	return err;
}

int otst_built_module(struct otst *o, const struct otst_module *m, struct otst_built *ret,
		      const char **why)
{
	const char *path, *misfit, *message = NULL;
	size_t i, k, n = 0;
	int err = OTST_ERR_LOOKUP;

	*why = NULL;
	for (i = 0; (path = otst_modfile(o, m, i)); i++) {
		struct otst_loading load = { .o = o, .m = m };

		misfit = NULL;
		err = try_module_file(&load, path, &misfit);
		if (misfit)
			message = otst_format(o, "module %s: %s %s", m->name, otst_clean(o, path),
					      misfit);
		if (err == OTST_ERR_LOOKUP && !load.why)
			continue;
		if (err)
			return err;
		for (k = 0; k < load.count + load.made; k++) {
			if (load.sections[k].name && load.sections[k].addr)
				load.sections[n++] = load.sections[k];
		}
		*ret = (struct otst_built){ .items = load.sections,
					    .count = n,
					    .left_out = load.left_out,
					    .odd = load.odd,
					    .tables = load.keeper != OTST_KEPT_NOT };
		*why = load.why;
		return 0;
	}
	if (message)
		otst_note_once(o, otst_module_misfits(o), message);
	return otst_raise(o, OTST_ERR_LOOKUP, "no file with its text");
}
