// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vmlinux.c - the kernel's ELF file: does it belong to the dump, how far was
 * the kernel moved (KASLR), and its symbols and types when they are asked for.
 */
#include "offline.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BUILD_ID_MAX 64u

struct vmlinux {
	int fd;
	Elf *elf;
	const struct dump *d;
	struct elfsyms *syms;
	bool syms_tried;
	struct types *types;
	bool types_tried;
	uint64_t first; /* lowest address of the image; lower symbols are offsets, not places */
	uint64_t shift; /* running address less linked address */
};

/* ---- does it belong to the dump ---- */

static bool build_id_in(Elf_Data *notes, char *ret)
{
	size_t at = 0, name, desc;
	GElf_Nhdr nh;

	while ((at = gelf_getnote(notes, at, &nh, &name, &desc))) {
		const unsigned char *bytes = (const unsigned char *)notes->d_buf + desc;

		if (nh.n_type != NT_GNU_BUILD_ID || nh.n_namesz != sizeof(ELF_NOTE_GNU) ||
		    memcmp((const char *)notes->d_buf + name, ELF_NOTE_GNU, nh.n_namesz) ||
		    !nh.n_descsz || nh.n_descsz > BUILD_ID_MAX)
			continue;
		for (size_t i = 0; i < nh.n_descsz; i++)
			sprintf(ret + 2 * i, "%02x", bytes[i]);
		return true;
	}
	return false;
}

static bool find_build_id(Elf *elf, char *ret)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *notes;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_NOTE)
			continue;
		notes = elf_getdata(scn, NULL);
		if (notes && build_id_in(notes, ret))
			return true;
	}
	return false;
}

static void check_build_id(const struct vmlinux *v, const char *path)
{
	size_t len, id_len;
	const char *info = dump_vmcoreinfo(v->d, &len);
	const char *id = vmcoreinfo_line(info, len, "BUILD-ID", &id_len);
	char own[2 * BUILD_ID_MAX + 1];

	if (!id || !find_build_id(v->elf, own))
		return;
	if (strlen(own) != id_len || memcmp(own, id, id_len))
		complain(
			"warning: %s is not the kernel of this dump (build ID %s, the dump's is %.*s)",
			path, own, (int)id_len, id);
}

/* Bytes of the file at a linked address, NULL when there are not that many. */
static const char *linked_bytes(const struct vmlinux *v, uint64_t addr, size_t len)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(v->elf, scn))) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_ALLOC) ||
		    sh.sh_type == SHT_NOBITS || addr < sh.sh_addr ||
		    addr - sh.sh_addr >= sh.sh_size || sh.sh_size - (addr - sh.sh_addr) < len)
			continue;
		data = elf_getdata(scn, NULL);
		if (data && data->d_size >= sh.sh_size)
			return (const char *)data->d_buf + (addr - sh.sh_addr);
	}
	return NULL;
}

static struct elfsyms *symbols(struct vmlinux *v);

/* For kernels without a build ID in VMCOREINFO, Linux before 0935288c6e00 (v5.9). */
static void check_release(struct vmlinux *v, const char *path)
{
	static const char before[] = "Linux version ";
	size_t len, release_len, unused;
	const char *info = dump_vmcoreinfo(v->d, &len);
	const char *release = vmcoreinfo_line(info, len, "OSRELEASE", &release_len);
	const char *banner;
	uint64_t addr;

	if (!release || vmcoreinfo_line(info, len, "BUILD-ID", &unused) || !symbols(v) ||
	    elfsyms_find(v->syms, "linux_banner", &addr))
		return;
	banner = linked_bytes(v, addr, sizeof(before) + release_len);
	if (!banner || memcmp(banner, before, sizeof(before) - 1))
		return;
	banner += sizeof(before) - 1;
	if (memcmp(banner, release, release_len) || banner[release_len] != ' ')
		complain("warning: %s is not the kernel of this dump (the dump's is %.*s)", path,
			 (int)release_len, release);
}

/* ---- opening ---- */

static int open_elf(struct vmlinux *v, const char *path)
{
	size_t count = 0;
	GElf_Phdr ph;

	elf_version(EV_CURRENT);
	v->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (v->fd < 0) {
		complain("cannot open %s: %s", path, strerror(errno));
		return OTST_ERR_UNSUPPORTED;
	}
	v->elf = elf_begin(v->fd, ELF_C_READ_MMAP, NULL);
	if (!v->elf || elf_kind(v->elf) != ELF_K_ELF || elf_getphdrnum(v->elf, &count) || !count) {
		complain("%s: not a kernel's ELF file: %s", path, elf_errmsg(-1));
		return OTST_ERR_UNSUPPORTED;
	}
	v->first = UINT64_MAX;
	for (size_t i = 0; i < count; i++) {
		/* The per-cpu segment of x86_64 is linked at 0. */
		if (gelf_getphdr(v->elf, (int)i, &ph) && ph.p_type == PT_LOAD && ph.p_vaddr &&
		    ph.p_vaddr < v->first)
			v->first = ph.p_vaddr;
	}
	return 0;
}

int vmlinux_open(const char *path, const struct dump *d, struct vmlinux **ret)
{
	struct vmlinux *v;
	int err;

	v = calloc(1, sizeof(*v));
	if (!v)
		return OTST_ERR_NOMEM;
	v->d = d;
	v->fd = -1;
	err = open_elf(v, path);
	if (err) {
		vmlinux_close(v);
		return err;
	}
	check_build_id(v, path);
	check_release(v, path);
	*ret = v;
	return 0;
}

void vmlinux_close(struct vmlinux *v)
{
	if (!v)
		return;
	types_close(v->types);
	elfsyms_close(v->syms);
	if (v->elf)
		elf_end(v->elf);
	if (v->fd >= 0)
		close(v->fd);
	free(v);
}

/* ---- symbols and types ---- */

static uint64_t find_shift(struct vmlinux *v)
{
	size_t len;
	const char *info = dump_vmcoreinfo(v->d, &len);
	uint64_t shift, run, link;

	/* x86 and arm64 say it; elsewhere the start of the text tells. */
	if (vmcoreinfo_hex(info, len, "KERNELOFFSET", &shift))
		return shift;
	if (vmcoreinfo_hex(info, len, "SYMBOL(_stext)", &run) &&
	    !elfsyms_find(v->syms, "_stext", &link))
		return run - link;
	return 0;
}

static struct elfsyms *symbols(struct vmlinux *v)
{
	if (!v->syms_tried) {
		v->syms_tried = true;
		if (!elfsyms_open(v->elf, &v->syms))
			v->shift = find_shift(v);
	}
	return v->syms;
}

bool vmlinux_has_symbols(struct vmlinux *v)
{
	return symbols(v);
}

int vmlinux_symbol(struct vmlinux *v, const char *name, uint64_t *ret)
{
	uint64_t addr;
	int err;

	if (!symbols(v))
		return OTST_ERR_LOOKUP;
	err = elfsyms_find(v->syms, name, &addr);
	if (err)
		return err;
	*ret = addr >= v->first ? addr + v->shift : addr;
	return 0;
}

int vmlinux_symbol_at(struct vmlinux *v, uint64_t addr, struct otst_symbol *ret)
{
	int err;

	if (!symbols(v) || addr - v->shift < v->first)
		return OTST_ERR_LOOKUP;
	err = elfsyms_at(v->syms, addr - v->shift, ret);
	if (!err)
		ret->addr += v->shift;
	return err;
}

struct types *vmlinux_types(struct vmlinux *v)
{
	if (!v->types_tried) {
		v->types_tried = true;
		if (types_open(v->fd, &v->types))
			v->types = NULL;
	}
	return v->types;
}
