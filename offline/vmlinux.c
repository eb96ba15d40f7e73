// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vmlinux.c - the kernel's ELF file: how far was the kernel moved (KASLR), and
 * its symbols when they are asked for. Whether it belongs to the dump is for the
 * engine to say, before it asks for any of them.
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

struct vmlinux {
	int fd;
	Elf *elf;
	const struct dump *d;
	struct elfsyms *syms;
	bool syms_tried;
	uint64_t first; /* lowest address of the image; lower symbols are offsets, not places */
	uint64_t shift; /* running address less linked address */
};

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
	*ret = v;
	return 0;
}

void vmlinux_close(struct vmlinux *v)
{
	if (!v)
		return;
	elfsyms_close(v->syms);
	if (v->elf)
		elf_end(v->elf);
	if (v->fd >= 0)
		close(v->fd);
	free(v);
}

/* ---- symbols ---- */

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
