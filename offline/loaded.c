// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * loaded.c - library memory that is of no use after startup: the dynamic loader reads the
 * relocation tables only once. libcapstone's take 1.8 MB. They are mapped from the file and
 * not written to: if anything reads them again, they are read from the file again.
 */
#include "offline.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

/* is all of it in a segment that is not writable */
static bool is_constant(const struct dl_phdr_info *info, uintptr_t start, uintptr_t end)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t segment = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && !(p->p_flags & PF_W) && start >= segment &&
		    end <= segment + p->p_filesz)
			return true;
	}
	return false;
}

static void drop_pages(const struct dl_phdr_info *info, uintptr_t start, uintptr_t len)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), end;

	/* on most machines, but not on all, the loader writes the address into it */
	start += start < info->dlpi_addr ? info->dlpi_addr : 0;
	end = (start + len) & -page;
	start = (start + page - 1) & -page;
	if (start < end && is_constant(info, start, end))
		madvise((void *)start, end - start, MADV_DONTNEED);
}

static int drop_relocations(struct dl_phdr_info *info, size_t size, void *priv)
{
	uintptr_t start = 0, len = 0;

	(void)size;
	(void)priv;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Dyn) *d =
			(const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);

		if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
			continue;
		for (; d->d_tag != DT_NULL; d++) {
			start = d->d_tag == DT_RELA ? d->d_un.d_ptr : start;
			len = d->d_tag == DT_RELASZ ? d->d_un.d_val : len;
		}
	}
	if (len)
		drop_pages(info, start, len);
	return 0;
}

void loaded_drop(void)
{
	dl_iterate_phdr(drop_relocations, NULL);
}
