// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * dump.c - one opened dump, whatever its form: physical memory and ELF notes; the
 * engine does the rest. Virtual memory is read for Xen only.
 */
#include "forms.h"
#include "../front/notes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dump {
	int fd;
	int file_fd; /* the flattened file of a flattened dump, else the same as fd */
	const struct form_ops *form;
	void *opened; /* by form->open() */
	bool has_map; /* of memory */
	bool big_endian;
	void *notes;
	size_t notes_len;
	bool notes_whole;
};

/* NULL for a file that is not a dump */
static const struct form_ops *ops_of(enum form form)
{
	switch (form) {
	case FORM_ELF_CORE:
		return &elfcore_form;
	case FORM_XEN_CORE:
		return &xencore_form;
	case FORM_SADUMP:
		return &sadump_form;
	case FORM_KDUMP:
	case FORM_PART:
	case FORM_FLATTENED: /* until unflatten_file() knows better */
		return &kdump_form;
	case FORM_LIME:
		return &lime_form;
	case FORM_AVML:
		return &avml_form;
	case FORM_QEMU:
		return &qemu_form;
	case FORM_VMWARE:
		return &vmware_form;
	case FORM_RAW:
		return &raw_form;
	case FORM_NONE:
	case FORM_OTHER:
	case FORM_VMLINUX:
	case FORM_PACKED:
	case FORM_FOREIGN:
	case FORM_BTF:
		break;
	}
	return NULL;
}

bool form_is_dump(enum form form)
{
	return ops_of(form);
}

const char *dump_vmcoreinfo(const struct dump *d, size_t *len)
{
	return d->form->vmcoreinfo ? d->form->vmcoreinfo(d->opened, len) : NULL;
}

const void *dump_elf_notes(const struct dump *d, size_t *len)
{
	*len = d->notes_len;
	return d->notes;
}

const char *dump_hint(const struct dump *d)
{
	return d->has_map ? NULL : d->form->hint;
}

bool dump_is_big_endian(const struct dump *d)
{
	return d->big_endian;
}

/* ---- opening ---- */

/* the file in natural order, and its form */
static int unflatten_file(struct dump *d, enum form *form)
{
	char magic[SELFMAG];
	int err = flattened_open(d->file_fd, &d->fd);

	*form = !err && read_fully(d->fd, magic, sizeof(magic), 0) &&
				!memcmp(magic, ELFMAG, SELFMAG) ?
			FORM_ELF_CORE :
			FORM_KDUMP;
	return err;
}

/*
 * The addresses of s390x's interrupt handlers, at a fixed place: the new PSWs of struct lowcore,
 * arch/s390/include/asm/lowcore.h. Each has the bits for 64-bit addresses, EA and BA.
 */
static bool is_s390(struct dump *d)
{
	unsigned char psw[5][16];

	if (d->form->read(d->opened, OTST_PHYS, 0x1b0, psw, sizeof(psw)))
		return false;
	for (size_t i = 0; i < 5; i++) {
		if (!(psw[i][3] & 1) || !(psw[i][4] & 0x80) || psw[i][8] & 0x80)
			return false;
	}
	return true;
}

static int open_form(struct dump *d, struct form_file *file, enum form form)
{
	int err = form == FORM_FLATTENED ? unflatten_file(d, &form) : 0;

	if (err)
		return err;
	/* a program may open a file that form_is_dump() refuses */
	d->form = ops_of(form) ?: &kdump_form;
	if (file->memory_map && !d->form->takes_map) {
		complain("--memory-map is for memory images without headers; this file has one");
		return OTST_ERR_UNSUPPORTED;
	}
	d->has_map = file->memory_map;
	d->notes_whole = dump_notes(d->fd, &d->notes, &d->notes_len);
	d->big_endian = kernel_big_endian(headers_big_endian(d->fd), d->notes, d->notes_len);
	file->fd = d->fd;
	file->xen = notes_have(d->big_endian, d->notes, d->notes_len, "Xen");
	err = d->form->open(file, &d->opened);
	if (!err && d->form->registers)
		err = d->form->registers(d->opened, file, &d->notes, &d->notes_len);
	if (!err && d->form->has_no_byte_order)
		d->big_endian |= is_s390(d);
	return err;
}

static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		complain("cannot open %s: %s", path, strerror(errno));
	return fd;
}

int dump_open(const struct dump_files *files, unsigned int threads, struct dump **ret)
{
	struct form_file file = { .path = files->path,
				  .more = files->more,
				  .nr_more = files->nr_more,
				  .threads = threads,
				  .memory_map = files->memory_map };
	const char *path = files->path, *advice;
	enum form form = form_of(path, &advice);
	struct dump *d;
	int err;

	if (advice) {
		complain("%s: %s", path, advice);
		return OTST_ERR_UNSUPPORTED;
	}
	d = calloc(1, sizeof(*d));
	if (!d)
		return OTST_ERR_NOMEM;
	d->file_fd = live_is_path(path) ? live_open() : open_file(path);
	d->fd = d->file_fd;
	err = d->fd < 0 ? OTST_ERR_UNSUPPORTED : open_form(d, &file, form);
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
	if (d->opened)
		d->form->close(d->opened);
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
	return d->form->read(d->opened, space, addr, buf, len);
}

bool dump_reads_ahead(const struct dump *d)
{
	return d->form->ahead;
}

void dump_ahead(struct dump *d, uint64_t phys, uint64_t len)
{
	d->form->ahead(d->opened, phys, len);
}

bool dump_next(struct dump *d, uint64_t phys, uint64_t *start, uint64_t *end)
{
	return d->form->next(d->opened, phys, start, end);
}

bool dump_place(struct dump *d, uint64_t phys)
{
	return d->form->place && d->form->place(d->opened, phys);
}

bool dump_extent(struct dump *d, uint64_t i, uint64_t *phys, uint64_t *size, uint64_t *offset)
{
	return d->form->extent && d->form->extent(d->opened, i, phys, size, offset);
}
