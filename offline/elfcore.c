// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * elfcore.c - physical memory of an ELF dump: /proc/vmcore's form, what makedumpfile -E
 * leaves of it, QEMU's dump-guest-memory, and VirtualBox's dumpvmcore.
 *
 * These dumps are read here and not through libkdumpfile. Up to 0.5.4, its newest
 * release, it returns zeros, not an error, for memory that was cut off or filtered
 * out; and 0.5.1
 *  - maps 4 MiB windows without checking where the file ends, so that a truncated
 *    dump whose segments are not page-aligned (QEMU's) ends in SIGBUS;
 *  - looks up virtual addresses in a table that is sorted by physical address.
 */
#include "forms.h"
#include "../front/notes.h"

#include <stdlib.h>

/* a bit of e_flags that makedumpfile sets, see its elf_info.h; kernels and QEMU leave it 0 */
#define DUMP_ELF_INCOMPLETE 0x1u

static int read_headers(int fd, Elf64_Phdr **ret, size_t *ret_count)
{
	unsigned char eh[sizeof(Elf64_Ehdr)];
	bool whole, big;
	int err;

	*ret = NULL;
	whole = read_fully(fd, eh, sizeof(eh), 0);
	big = whole && eh[EI_DATA] == ELFDATA2MSB;
	err = whole ? machine_check_elf((unsigned int)get_number(
			      big, eh + offsetof(Elf64_Ehdr, e_machine), 2)) :
		      0;
	if (err)
		return err;
	if (!whole || eh[EI_CLASS] != ELFCLASS64) {
		complain("the ELF dump is not one of a 64-bit kernel");
		return OTST_ERR_UNSUPPORTED;
	}
	if (get_number(big, eh + offsetof(Elf64_Ehdr, e_flags), 4) & DUMP_ELF_INCOMPLETE)
		complain(INCOMPLETE_DUMP);
	*ret_count = elf_headers(fd, ret);
	if (*ret_count)
		return 0;
	complain("the ELF dump's program headers are damaged or cut off");
	return OTST_ERR_CORRUPT;
}

static int add_segments(struct segments *s, const Elf64_Phdr *ph, size_t count)
{
	int err = 0;

	for (size_t i = 0; !err && i < count; i++) {
		/* All ones: memory that has no physical address of its own. */
		if (ph[i].p_type == PT_LOAD && ph[i].p_paddr != UINT64_MAX)
			err = segments_add(s, ph[i].p_paddr, ph[i].p_filesz, ph[i].p_offset);
	}
	return err;
}

static int open_elf(const struct form_file *file, void **ret)
{
	struct segments *s;
	Elf64_Phdr *ph;
	size_t count;
	int err;

	err = segments_create(file->fd, &s);
	if (err)
		return err;
	/* /proc/kcore has the kernel's text twice, too */
	if (live_is_path(file->path))
		segments_let_move(s);
	err = read_headers(file->fd, &ph, &count);
	err = err ?: add_segments(s, ph, count);
	free(ph);
	return segments_finish(s, err, "ELF dump", ret);
}

static int vbox_registers(void *priv, const struct form_file *file, void **notes, size_t *len)
{
	(void)priv;
	(void)file;
	return registers_of_vbox(notes, len);
}

const struct form_ops elfcore_form = {
	.open = open_elf,
	.close = segments_close,
	.read = segments_read,
	.next = segments_next,
	.registers = vbox_registers,
};
