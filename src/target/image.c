// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * image.c - the kernel's ELF file, when the user has it: text as it was built,
 * moved by what KASLR added, and whole sections such as .BTF. Through libelf.
 */
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"
#include "image.h"

struct image {
	int fd;
	Elf *elf;
	uint64_t shift; /* run-time address minus link address */
	bool shift_known;
	bool shift_tried;
};

static struct image *image(struct otst *o)
{
	struct image *img = o->image;

	if (img)
		return img;
	img = calloc(1, sizeof(*img));
	if (!img)
		return NULL;
	o->image = img;
	img->fd = -1;
	if (!o->options.vmlinux || elf_version(EV_CURRENT) == EV_NONE)
		return img;
	img->fd = open(o->options.vmlinux, O_RDONLY | O_CLOEXEC);
	if (img->fd >= 0)
		img->elf = elf_begin(img->fd, ELF_C_READ_MMAP, NULL);
	if (img->elf &&
	    (elf_kind(img->elf) != ELF_K_ELF || gelf_getclass(img->elf) != ELFCLASS64)) {
		elf_end(img->elf);
		img->elf = NULL;
	}
	return img;
}

static Elf_Scn *section(Elf *elf, const char *name, GElf_Shdr *ret)
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

int otst_image_section(struct otst *o, const char *name, const void **ret, size_t *len)
{
	struct image *img = image(o);
	Elf_Data *data = NULL;
	GElf_Shdr shdr;
	Elf_Scn *scn;

	if (!img || !img->elf)
		return OTST_ERR_LOOKUP;
	scn = section(img->elf, name, &shdr);
	if (scn && shdr.sh_type != SHT_NOBITS)
		data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf || !data->d_size)
		return OTST_ERR_LOOKUP;
	*ret = data->d_buf;
	*len = data->d_size;
	return 0;
}

int otst_image_bytes(struct otst *o, const char *name, const void **ret, size_t *len)
{
	return otst_image_section(o, name, ret, len);
}

void *otst_image_elf(struct otst *o)
{
	struct image *img = image(o);

	return img ? img->elf : NULL;
}

/* link address of a global symbol */
static bool find_global(Elf *elf, const char *wanted, uint64_t *ret)
{
	Elf_Data *data = NULL;
	GElf_Shdr shdr;
	Elf_Scn *scn = section(elf, ".symtab", &shdr);
	size_t i, n;

	if (scn)
		data = elf_getdata(scn, NULL);
	if (!data || !shdr.sh_entsize)
		return false;
	n = data->d_size / shdr.sh_entsize;
	for (i = 0; i < n; i++) {
		GElf_Sym sym;
		const char *name;

		if (!gelf_getsym(data, (int)i, &sym) || GELF_ST_BIND(sym.st_info) == STB_LOCAL)
			continue;
		name = elf_strptr(elf, shdr.sh_link, sym.st_name);
		if (name && !strcmp(name, wanted)) {
			*ret = sym.st_value;
			return true;
		}
	}
	return false;
}

static bool know_shift(struct otst *o, struct image *img)
{
	const char *offset;
	uint64_t run, link;

	if (!img->shift_tried) {
		img->shift_tried = true;
		/* VMCOREINFO saves reading the file's symbols */
		offset = otst_vmcoreinfo(o, "KERNELOFFSET");
		if (offset) {
			img->shift = strtoull(offset, NULL, 16);
			img->shift_known = true;
		} else if (find_global(img->elf, "_stext", &link) &&
			   !otst_symbol(o, "_stext", &run)) {
			img->shift = run - link;
			img->shift_known = true;
		}
	}
	return img->shift_known;
}

bool otst_image_shift(struct otst *o, uint64_t *ret)
{
	struct image *img = image(o);

	if (!img || !img->elf || !know_shift(o, img))
		return false;
	*ret = img->shift;
	return true;
}

int otst_image_global(struct otst *o, const char *name, uint64_t *ret)
{
	uint64_t shift, link;

	if (!otst_image_shift(o, &shift) || !find_global(otst_image_elf(o), name, &link))
		return OTST_ERR_LOOKUP;
	*ret = link + shift;
	return 0;
}

int otst_image_text(struct otst *o, uint64_t addr, void *buf, size_t len)
{
	struct image *img = image(o);
	Elf_Scn *scn = NULL;

	if (!img || !img->elf)
		return otst_raise(o, OTST_ERR_LOOKUP, "no kernel image file was given");
	if (!know_shift(o, img))
		return otst_raise(o, OTST_ERR_LOOKUP, "no _stext in the kernel image file");
	addr -= img->shift;
	while ((scn = elf_nextscn(img->elf, scn))) {
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

void otst_image_deinit(struct otst *o)
{
	if (!o->image)
		return;
	elf_end(o->image->elf);
	if (o->image->fd >= 0)
		close(o->image->fd);
	free(o->image);
	o->image = NULL;
}
