// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * debug.c - debug files: the DWARF of the kernel's image file, and that of modules,
 * through libdw. A module's file is relocatable; libdwfl lays its sections out and
 * relocates the DWARF. The symbols that the file and the module in the dump have in
 * common tell where each section really is. This does not depend on how a kernel
 * version stores section addresses in sysfs, and it detects a file of another build.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/sorted.h"
#include "../image/image.h"
#include "debug.h"

#define VOTES 32 /* symbols of a section that are compared */

static void close_file(void *value)
{
	struct otst_dwarf *dwarf = value;

	otst_units_free(dwarf->units);
	free(dwarf->placed);
	if (dwarf->dwfl)
		dwfl_end(dwarf->dwfl); /* ends the Dwarf, too; the kernel's is image.c's */
	dwarf->units = NULL;
	dwarf->placed = NULL;
	dwarf->nr_placed = 0;
	dwarf->dwfl = NULL;
	dwarf->dwarf = NULL;
}

/* ---- the kernel ---- */

static int open_kernel(struct otst *o, const void *of, void *value)
{
	Dwarf *dwarf = otst_image_dwarf(o);
	struct otst_dwarf *d = value;
	uint64_t shift;

	(void)of;
	d->why = "no image file with debug information";
	if (!dwarf || !otst_image_shift(o, &shift))
		return 0;
	d->placed = calloc(1, sizeof(*d->placed));
	if (!d->placed)
		return otst_no_memory(o);
	d->dwarf = dwarf;
	*d->placed = (struct otst_placed){ .size = UINT64_MAX, .shift = shift };
	d->nr_placed = 1;
	return 0;
}

static const struct otst_once kernel = { .size = sizeof(struct otst_dwarf),
					 .make = open_kernel,
					 .destroy = close_file };

struct otst_dwarf *otst_dwarf_kernel(struct otst *o)
{
	/* lines.c fills in its part behind a constant handle */
	return (struct otst_dwarf *)otst_once_or_null(o, &kernel, NULL);
}

/* ---- a module's file ---- */

/* only the files that modfile.c names: no look-up over a network */
static int find_nothing(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base,
			const char *file, const char *link, GElf_Word crc, char **ret)
{
	(void)mod, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)ret;
	return -1;
}

static int find_no_elf(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base,
		       char **file, Elf **elf)
{
	(void)mod, (void)data, (void)name, (void)base, (void)file, (void)elf;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = find_no_elf,
	.find_debuginfo = find_nothing,
	.section_address = dwfl_offline_section_address,
};

/* what the first symbols of one section say */
struct vote {
	uint64_t shift[VOTES];
	unsigned int count;
	bool placed;
	uint64_t winner;
};

struct fit {
	struct otst *o;
	const struct otst_module *m;
	Dwfl_Module *mod;
	struct vote *votes;
	size_t sections;
};

/* the name of symbol @i of the file if it is a function, else NULL */
static const char *get_function(const struct fit *f, int i, GElf_Addr *addr, GElf_Word *section)
{
	GElf_Sym sym;
	const char *name = dwfl_module_getsym_info(f->mod, i, &sym, addr, section, NULL, NULL);

	if (!name || GELF_ST_TYPE(sym.st_info) != STT_FUNC || *section == SHN_UNDEF ||
	    *section >= f->sections)
		return NULL;
	return name;
}

static void count_votes(const struct fit *f)
{
	int i, n = dwfl_module_getsymtab(f->mod);
	const char *name;
	GElf_Word section;
	GElf_Addr addr;
	uint64_t at;

	for (i = 1; i < n; i++) {
		name = get_function(f, i, &addr, &section);
		if (name && f->votes[section].count < VOTES &&
		    !otst_module_symbol(f->o, f->m, name, &at))
			f->votes[section].shift[f->votes[section].count++] = at - addr;
	}
}

/* a name that two functions share casts a wrong vote */
static void choose_winner(struct vote *v)
{
	unsigned int i, k, n;

	for (i = 0; i < v->count && !v->placed; i++) {
		for (n = 0, k = 0; k < v->count; k++)
			n += v->shift[k] == v->shift[i];
		v->placed = 2 * n > v->count;
		v->winner = v->shift[i];
	}
}

static bool has_symbol(const struct otst_module *m, const char *name, uint64_t addr)
{
	size_t i = otst_count_below(m->symbols, m->nr_symbols, addr, addr);

	for (; i < m->nr_symbols && m->symbols[i].addr == addr; i++) {
		if (!strcmp(m->symbols[i].name, name))
			return true;
	}
	return false;
}

/* is each function of the file where the dump should have it; those of another build are not */
static bool all_there(const struct fit *f)
{
	int i, n = dwfl_module_getsymtab(f->mod);
	const struct vote *v;
	const char *name;
	GElf_Word section;
	GElf_Addr addr;

	for (i = 1; i < n; i++) {
		name = get_function(f, i, &addr, &section);
		v = name ? &f->votes[section] : NULL;
		if (v && v->count && (!v->placed || !has_symbol(f->m, name, addr + v->winner)))
			return false;
	}
	return true;
}

static void place_sections(const struct fit *f, Elf *elf, struct otst_dwarf *dwarf)
{
	for (size_t i = 1; i < f->sections; i++) {
		struct otst_placed *p = &dwarf->placed[dwarf->nr_placed];
		GElf_Shdr sh;

		if (!f->votes[i].placed || !gelf_getshdr(elf_getscn(elf, i), &sh))
			continue;
		p->shift = f->votes[i].winner;
		p->begin = sh.sh_addr + p->shift;
		p->size = sh.sh_size;
		dwarf->nr_placed++;
	}
}

static bool find_sections(struct otst *o, const struct otst_module *m, struct otst_dwarf *dwarf,
			  Elf *elf, size_t sections)
{
	struct fit f = { .o = o, .m = m, .mod = dwarf->module, .sections = sections };

	f.votes = calloc(sections, sizeof(*f.votes));
	dwarf->placed = calloc(sections, sizeof(*dwarf->placed));
	if (f.votes && dwarf->placed) {
		count_votes(&f);
		for (size_t i = 0; i < sections; i++)
			choose_winner(&f.votes[i]);
		if (all_there(&f))
			place_sections(&f, elf, dwarf);
	}
	free(f.votes);
	return dwarf->nr_placed;
}

static const char *place_file(struct otst *o, const struct otst_module *m, struct otst_dwarf *dwarf,
			      const char **misfit)
{
	const char *why;
	GElf_Addr bias;
	size_t n;
	Elf *elf = dwfl_module_getelf(dwarf->module, &bias);

	if (!elf || elf_getshdrnum(elf, &n))
		return "is not an ELF file";
	why = otst_module_misfit(o, m, elf);
	if (why) {
		*misfit = why;
		return "is of another build";
	}
	dwarf->dwarf = dwfl_module_getdwarf(dwarf->module, &bias);
	if (!dwarf->dwarf)
		return "has no debug information";
	if (!find_sections(o, m, dwarf, elf, n))
		return "does not have the symbols of the module in the dump";
	return NULL;
}

/* NULL, or why @path will not do; @misfit is set when it is of another build */
static const char *try_debug_file(struct otst *o, const struct otst_module *m, const char *path,
				  struct otst_dwarf *dwarf, const char **misfit)
{
	const char *why = "cannot be opened";
	int fd;

	/* libdwfl would decompress it whatever comes out */
	if (otst_modfile_open(o, path, &fd, misfit))
		return *misfit ?: why;
	dwarf->dwfl = dwfl_begin(&callbacks);
	if (dwarf->dwfl) {
		dwfl_report_begin(dwarf->dwfl);
		dwarf->module = dwfl_report_offline(dwarf->dwfl, m->name, path, fd);
		dwfl_report_end(dwarf->dwfl, NULL, NULL);
	}
	/* a module that is there closes it */
	if (!dwarf->module)
		close(fd);
	if (dwarf->module)
		why = place_file(o, m, dwarf, misfit);
	if (why) {
		close_file(dwarf);
		dwarf->module = NULL;
	}
	return why;
}

static int open_module(struct otst *o, const void *of, void *value)
{
	const struct otst_module *m = of;
	struct otst_dwarf *dwarf = value;
	const char *path, *why, *text, *misfit = NULL;

	dwarf->name = m->name;
	dwarf->why = "no debug file found";
	for (size_t i = 0; !dwarf->dwarf && (path = otst_modfile(o, m, i)); i++) {
		why = try_debug_file(o, m, path, dwarf, &misfit);
		text = why ? otst_format(o, "%s %s", path, why) : NULL;
		if (text)
			dwarf->why = otst_keep_string(o, text);
		text = misfit ? otst_format(o, "module %s: %s %s", m->name, path, misfit) : NULL;
		if (text)
			dwarf->misfit = otst_keep_string(o, text);
		misfit = NULL;
	}
	if (dwarf->dwarf)
		dwarf->misfit = NULL;
	return otst_stopped(o);
}

static const struct otst_once module = { .size = sizeof(struct otst_dwarf),
					 .make = open_module,
					 .destroy = close_file };

/* ---- by address ---- */

int otst_dwarf_at(struct otst *o, uint64_t addr, struct otst_dwarf **ret, uint64_t *pc)
{
	const struct otst_module *m = otst_module_at(o, addr);
	struct otst_dwarf *dwarf;
	int err = m ? otst_once(o, &module, m, &dwarf) : otst_once(o, &kernel, NULL, &dwarf);

	if (err)
		return err;
	if (dwarf->misfit)
		otst_note_once(o, otst_module_misfits(o), dwarf->misfit);
	*ret = dwarf;
	for (size_t i = 0; i < dwarf->nr_placed; i++) {
		if (addr - dwarf->placed[i].begin < dwarf->placed[i].size) {
			*pc = addr - dwarf->placed[i].shift;
			return 0;
		}
	}
	return otst_raise(o, OTST_ERR_LOOKUP, "%s: %s", dwarf->name ? dwarf->name : "kernel",
			  dwarf->dwarf ? "not in its debug file" : dwarf->why);
}

int otst_debug_dir(struct otst *o, const char *dir)
{
	char *before = o->module_dir;
	int fd;

	if (before == dir || (before && dir && !strcmp(before, dir)))
		return 0;
	fd = dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (dir && fd < 0)
		return otst_raise(o, OTST_ERR_FILE, "--modules %s: %s", otst_clean(o, dir),
				  strerror(errno));
	if (dir)
		close(fd);
	o->module_dir = dir ? strdup(dir) : NULL;
	free(before);
	if (dir && !o->module_dir)
		return otst_no_memory(o);
	/* a file that was not found before may be found now */
	otst_once_forget(o);
	return 0;
}
