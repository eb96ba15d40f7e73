// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * image.c - the kernel's ELF file, when the user has it: text as it was built, moved
 * by the KASLR offset, whole sections such as .BTF, and libdw's handle of its debug
 * information. Through libelf.
 */
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../memory/translate.h"
#include "../memory/vmcoreinfo.h"
#include "../names/symbols.h"
#include "boot.h"
#include "image.h"

/* of compressed sections no more is taken: debug information becomes a third */
#define INFLATED       32u
#define INFLATED_LEAST (UINT64_C(32) << 20)

/** struct image - @elf is NULL without a usable file; @why tells the reason when one was named */
struct image {
	int fd;
	Elf *elf;
	const char *why;
};

/* the file itself, or what it has when it is decompressed; 0, or what ends a command */
static int open_file(struct otst *o, struct image *img)
{
	int unpacked = -1, err = 0;

	if (!o->unpacked) {
		img->fd = open(o->options.vmlinux, O_RDONLY | O_CLOEXEC);
		if (img->fd < 0) {
			img->why = otst_keep_string(o, strerror(errno));
			return 0;
		}
		err = otst_boot_open(o, img->fd, &unpacked);
		o->unpacked = unpacked + 1;
	}
	if (o->unpacked) {
		if (img->fd >= 0)
			close(img->fd);
		img->fd = fcntl(o->unpacked - 1, F_DUPFD_CLOEXEC, 0);
	}
	if (err == OTST_ERR_LOOKUP)
		img->why = otst_keep_string(o, otst_message(o));
	return otst_stopped(o);
}

/* bytes of a section when it is decompressed; 0 when it is not. "ZLIB" and the size: .zdebug_info of old binutils */
static uint64_t inflated_size(Elf_Scn *scn, const GElf_Shdr *sh)
{
	const uint8_t *bytes;
	GElf_Chdr chdr;
	Elf_Data *data;
	uint64_t size = 0;

	if (sh->sh_flags & SHF_COMPRESSED)
		return gelf_getchdr(scn, &chdr) ? chdr.ch_size : 0;
	if (sh->sh_type != SHT_PROGBITS || sh->sh_size < 12)
		return 0;
	data = elf_rawdata(scn, NULL);
	bytes = data && data->d_size >= 12 ? data->d_buf : NULL;
	if (!bytes || memcmp(bytes, "ZLIB", 4) != 0)
		return 0;
	for (size_t i = 4; i < 12; i++)
		size = size << 8 | bytes[i];
	return size;
}

bool otst_sections_inflate(void *elf)
{
	uint64_t all = 0, most = 0, size;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn))) {
		size = gelf_getshdr(scn, &sh) ? inflated_size(scn, &sh) : 0;
		if (!size)
			continue;
		all = all + size < all ? UINT64_MAX : all + size;
		/* sections may be in the same place */
		most = sh.sh_size > most ? sh.sh_size : most;
	}
	return all > INFLATED_LEAST && (all - INFLATED_LEAST) / INFLATED > most;
}

static int open_image(struct otst *o, const void *of, void *value)
{
	struct image *img = value;
	int err;

	(void)of;
	img->fd = -1;
	if (!o->options.vmlinux)
		return 0;
	elf_version(EV_CURRENT);
	err = open_file(o, img);
	if (err || img->why)
		return err;
	img->elf = elf_begin(img->fd, ELF_C_READ_MMAP, NULL);
	if (!img->elf || elf_kind(img->elf) != ELF_K_ELF || gelf_getclass(img->elf) != ELFCLASS64)
		img->why = "not a kernel's ELF file";
	else if (otst_sections_inflate(img->elf))
		img->why = OTST_SECTIONS_INFLATE;
	if (!img->why)
		return 0;
	elf_end(img->elf);
	img->elf = NULL;
	return 0;
}

static void close_image(void *value)
{
	struct image *img = value;

	elf_end(img->elf);
	if (img->fd >= 0)
		close(img->fd);
}

static const struct otst_once image = { .size = sizeof(struct image),
					.make = open_image,
					.destroy = close_image };

static Elf *get_elf(struct otst *o)
{
	const struct image *img = otst_once_or_null(o, &image, NULL);

	return img ? img->elf : NULL;
}

static Elf_Scn *section_named(Elf *elf, const char *name, GElf_Shdr *ret)
{
	Elf_Scn *scn = NULL;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *s;

		if (!gelf_getshdr(scn, ret))
			continue;
		s = elf_strptr(elf, strings, ret->sh_name);
		if (s && !strcmp(s, name))
			return scn;
	}
	return NULL;
}

int otst_image_map(struct otst *o, uint64_t offset, size_t len, struct otst_mapping *ret)
{
	const struct image *img = otst_once_or_null(o, &image, NULL);
	uint64_t before = offset % OTST_MAP_ALIGNED;
	struct stat st;
	void *map;

	if (!img || !img->elf || !len || fstat(img->fd, &st) || offset > (uint64_t)st.st_size ||
	    len > (uint64_t)st.st_size - offset)
		return OTST_ERR_LOOKUP;
	map = mmap(NULL, before + len, PROT_READ, MAP_PRIVATE, img->fd, (off_t)(offset - before));
	if (map == MAP_FAILED)
		return OTST_ERR_LOOKUP;
	*ret = (struct otst_mapping){ map, before + len, (const char *)map + before, len };
	return 0;
}

void otst_mapping_forget(const struct otst_mapping *v)
{
	if (v->map)
		madvise(v->map, v->map_len, MADV_DONTNEED);
}

void otst_mapping_close(struct otst_mapping *v)
{
	if (v->map)
		munmap(v->map, v->map_len);
	v->map = NULL;
}

int otst_image_map_section(struct otst *o, const char *name, struct otst_mapping *ret)
{
	Elf *elf = get_elf(o);
	GElf_Shdr sh;

	if (!elf || !section_named(elf, name, &sh) || sh.sh_type == SHT_NOBITS)
		return OTST_ERR_LOOKUP;
	return otst_image_map(o, sh.sh_offset, sh.sh_size, ret);
}

int otst_image_bytes(struct otst *o, const char *name, const void **ret, size_t *len)
{
	Elf *elf = get_elf(o);
	Elf_Data *data = NULL;
	GElf_Shdr shdr;
	Elf_Scn *scn;

	if (!elf)
		return OTST_ERR_LOOKUP;
	scn = section_named(elf, name, &shdr);
	if (scn && shdr.sh_type != SHT_NOBITS)
		data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf || !data->d_size)
		return OTST_ERR_LOOKUP;
	*ret = data->d_buf;
	*len = data->d_size;
	return 0;
}

void *otst_image_elf(struct otst *o)
{
	return get_elf(o);
}

static int open_dwarf(struct otst *o, const void *of, void *value)
{
	Elf *elf = otst_image_elf(o);

	(void)of;
	*(Dwarf **)value = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
	return 0;
}

static void close_dwarf(void *value)
{
	dwarf_end(*(Dwarf **)value);
}

static const struct otst_once image_dwarf = { .size = sizeof(Dwarf *),
					      .make = open_dwarf,
					      .destroy = close_dwarf };

void *otst_image_dwarf(struct otst *o)
{
	Dwarf *const *dwarf = otst_once_or_null(o, &image_dwarf, NULL);

	return dwarf ? *dwarf : NULL;
}

int otst_image_usable(struct otst *o)
{
	const struct image *img = otst_once_or_null(o, &image, NULL);

	if (!img || !img->why)
		return otst_stopped(o);
	return otst_raise(o, OTST_ERR_FILE, "vmlinux %s: %s", otst_clean(o, o->options.vmlinux),
			  img->why);
}

int otst_image_string(struct otst *o, const char *symbol, char *ret, size_t size)
{
	uint64_t addr;

	return otst_image_symbol(o, symbol, &addr) ? OTST_ERR_LOOKUP :
						     otst_image_string_at(o, addr, ret, size);
}

int otst_image_string_at(struct otst *o, uint64_t addr, char *ret, size_t size)
{
	Elf *elf = get_elf(o);
	Elf_Scn *scn = NULL;

	if (!elf)
		return OTST_ERR_LOOKUP;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;
		Elf_Data *data;
		size_t len;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS ||
		    !(sh.sh_flags & SHF_ALLOC) || addr - sh.sh_addr >= sh.sh_size)
			continue;
		data = elf_rawdata(scn, NULL);
		if (!data || data->d_size <= addr - sh.sh_addr)
			break;
		len = data->d_size - (addr - sh.sh_addr);
		if (len >= size)
			len = size - 1;
		memcpy(ret, (char *)data->d_buf + (addr - sh.sh_addr), len);
		ret[len] = '\0';
		return 0;
	}
	return OTST_ERR_LOOKUP;
}

/* a symbol of a file that nothing has indexed */
static bool find_link(Elf *elf, const char *name, uint64_t *ret)
{
	Elf_Scn *scn = NULL;
	const char *s;
	GElf_Shdr sh;
	GElf_Sym sym;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data = NULL;

		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB)
			data = elf_getdata(scn, NULL);
		for (int i = 1; data && gelf_getsym(data, i, &sym); i++) {
			s = elf_strptr(elf, sh.sh_link, sym.st_name);
			if (s && !strcmp(s, name)) {
				*ret = sym.st_value;
				return true;
			}
		}
	}
	return false;
}

bool otst_flat_shift(struct otst *o, unsigned int machine, uint64_t *ret)
{
	const struct otst_arch *arch = otst_arch_of_elf(machine);
	struct otst_vmcoreinfo info = { 0 };
	uint64_t run;

	otst_vmcoreinfo_proved(o, &info);
	if (otst_vmcoreinfo_value(&info, "KERNELOFFSET", 16, ret))
		return true;
	if (!arch || !arch->image.link || !otst_vmcoreinfo_value(&info, "SYMBOL(_stext)", 16, &run))
		return false;
	/* the text is near the start */
	*ret = (run & -(uint64_t)arch->image.align) - arch->image.link;
	return true;
}

static unsigned int machine_of(Elf *elf)
{
	GElf_Ehdr eh;

	return elf && gelf_getehdr(elf, &eh) ? eh.e_machine : EM_NONE;
}

bool otst_elf_shift(struct otst *o, void *elf, uint64_t *ret)
{
	struct otst_vmcoreinfo info = { 0 };
	uint64_t run, link;

	otst_vmcoreinfo_proved(o, &info);
	if (otst_vmcoreinfo_value(&info, "SYMBOL(_stext)", 16, &run) &&
	    !otst_vmcoreinfo_value(&info, "KERNELOFFSET", 16, &link) &&
	    find_link(elf, "_stext", &link)) {
		*ret = run - link;
		return true;
	}
	return otst_flat_shift(o, machine_of(elf), ret);
}

/* run-time address minus link address */
struct shift {
	uint64_t bytes;
	bool known;
};

/*
 * On x86 and arm64 VMCOREINFO has the shift, elsewhere the start of the text. Without
 * either, it is what the search of memory found, or follows from the target's _stext.
 * Only VMCOREINFO that was given or found in memory is used: the kernel's own copy is
 * found by symbols, which are themselves moved.
 */
static int find_shift(struct otst *o, const void *of, void *value)
{
	struct otst_vmcoreinfo info = { 0 };
	struct shift *s = value;
	uint64_t run, link;

	(void)of;
	/* a log prints offsets in functions: any place will do */
	s->known = otst_is_alone(o);
	if (s->known)
		return 0;
	otst_vmcoreinfo_proved(o, &info);
	s->known = otst_vmcoreinfo_value(&info, "KERNELOFFSET", 16, &s->bytes) ||
		   otst_image_found(o, &s->bytes);
	if (s->known)
		return 0;
	if (otst_image_symbol(o, "_stext", &link)) {
		s->known = otst_flat_shift(o, machine_of(otst_image_elf(o)), &s->bytes);
		return 0;
	}
	if (otst_vmcoreinfo_value(&info, "SYMBOL(_stext)", 16, &run) ||
	    (o->ops.symbol && !otst_symbol(o, "_stext", &run))) {
		s->bytes = run - link;
		s->known = true;
	}
	return 0;
}

static const struct otst_once shift = { .size = sizeof(struct shift), .make = find_shift };

bool otst_image_shift(struct otst *o, uint64_t *ret)
{
	const struct shift *s = get_elf(o) ? otst_once_or_null(o, &shift, NULL) : NULL;

	if (!s || !s->known)
		return false;
	*ret = s->bytes;
	return true;
}

int otst_image_global(struct otst *o, const char *name, uint64_t *ret)
{
	uint64_t slide, link;

	if (!otst_image_shift(o, &slide) || otst_image_symbol(o, name, &link))
		return OTST_ERR_LOOKUP;
	*ret = link + slide;
	return 0;
}

int otst_image_text(struct otst *o, uint64_t addr, void *buf, size_t len)
{
	Elf *elf = get_elf(o);
	Elf_Scn *scn = NULL;
	uint64_t slide;

	if (!elf)
		return otst_raise(o, OTST_ERR_LOOKUP, "no kernel image file was given");
	if (!otst_image_shift(o, &slide))
		return otst_raise(o, OTST_ERR_LOOKUP, "no _stext in the kernel image file");
	addr -= slide;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr shdr;
		Elf_Data *data;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_PROGBITS ||
		    !(shdr.sh_flags & SHF_EXECINSTR) || addr - shdr.sh_addr >= shdr.sh_size)
			continue;
		data = elf_rawdata(scn, NULL);
		if (!data || data->d_size < len || addr - shdr.sh_addr > data->d_size - len)
			break;
		memcpy(buf, (char *)data->d_buf + (addr - shdr.sh_addr), len);
		return 0;
	}
	return otst_raise(o, OTST_ERR_LOOKUP, "not in the text of the kernel image file");
}
