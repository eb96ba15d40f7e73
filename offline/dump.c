// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * dump.c - one opened dump, whatever its form: physical memory and ELF notes; the
 * engine does the rest. Virtual memory is read for Xen only.
 */
#include "offline.h"
#include "notes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dump {
	int fd;
	int file_fd; /* the flattened file of a flattened dump, else the same as fd */
	struct elfcore *elf;
	struct kdump *kdump;
	bool xen; /* the library translates addresses */
	bool big_endian;
	void *notes;
	size_t notes_len;
	bool notes_whole;
};

const char *dump_vmcoreinfo(const struct dump *d, size_t *len)
{
	return d->kdump ? kdump_file_vmcoreinfo(d->kdump, len) : NULL;
}

const void *dump_elf_notes(const struct dump *d, size_t *len)
{
	*len = d->notes_len;
	return d->notes;
}

bool dump_is_big_endian(const struct dump *d)
{
	return d->big_endian;
}

/* ---- opening ---- */

static int open_form(struct dump *d, enum form form, unsigned int threads)
{
	char magic[4];
	int err;

	if (form == FORM_FLATTENED) {
		err = flattened_open(d->file_fd, &d->fd);
		if (err)
			return err;
		form = read_fully(d->fd, magic, sizeof(magic), 0) &&
				       !memcmp(magic, ELFMAG, SELFMAG) ?
			       FORM_ELF_CORE :
			       FORM_KDUMP;
	}
	d->notes_whole = dump_notes(d->fd, &d->notes, &d->notes_len);
	d->big_endian = kernel_big_endian(headers_big_endian(d->fd), d->notes, d->notes_len);
	if (form == FORM_ELF_CORE)
		return elfcore_open(d->fd, &d->elf);
	err = kdump_file_open(d->fd, notes_have(d->big_endian, d->notes, d->notes_len, "Xen"),
			      threads, &d->kdump);
	d->xen = !err && kdump_file_is_xen(d->kdump);
	return err ? err : d->xen ? kdump_file_translate(d->kdump) : 0;
}

static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		complain("cannot open %s: %s", path, strerror(errno));
	return fd;
}

int dump_open(const char *path, unsigned int threads, struct dump **ret)
{
	enum form form = form_of(path);
	struct dump *d;
	int err;

	if (form_message(form) && form != FORM_OTHER) {
		complain("%s: %s", path, form_message(form));
		return OTST_ERR_UNSUPPORTED;
	}
	d = calloc(1, sizeof(*d));
	if (!d)
		return OTST_ERR_NOMEM;
	d->file_fd = live_is_path(path) ? live_open() : open_file(path);
	d->fd = d->file_fd;
	err = d->fd < 0 ? OTST_ERR_UNSUPPORTED : open_form(d, form, threads);
	if (!err && !d->notes_whole)
		complain("the dump's notes are cut off");
	if (err) {
		dump_close(d);
		return err;
	}
	*ret = d;
	return 0;
}

void dump_close(struct dump *d)
{
	if (!d)
		return;
	elfcore_close(d->elf);
	kdump_file_close(d->kdump);
	free(d->notes);
	if (d->fd >= 0 && d->fd != d->file_fd)
		close(d->fd);
	if (d->file_fd >= 0)
		close(d->file_fd);
	free(d);
}

/* ---- reading ---- */

int dump_read(struct dump *d, int space, uint64_t addr, void *buf, uint64_t len)
{
	if (space == OTST_VIRT && !d->xen)
		return OTST_ERR_UNSUPPORTED;
	return d->elf ? elfcore_read(d->elf, addr, buf, len) :
			kdump_file_read(d->kdump, space, addr, buf, len);
}

bool dump_reads_ahead(const struct dump *d)
{
	return d->kdump;
}

void dump_ahead(struct dump *d, uint64_t phys, uint64_t len)
{
	kdump_file_ahead(d->kdump, phys, len);
}

bool dump_next(struct dump *d, uint64_t phys, uint64_t *start, uint64_t *end)
{
	return d->elf ? elfcore_next(d->elf, phys, start, end) :
			kdump_file_next(d->kdump, phys, start, end);
}
