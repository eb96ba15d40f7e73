// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * dump.c - one opened dump, whatever its form: physical memory and ELF notes; the
 * engine does the rest. Virtual memory is read for Xen only.
 */
#include "forms.h"
#include "notes.h"

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
	bool big_endian;
	void *notes;
	size_t notes_len;
	bool notes_whole;
};

static const struct form_ops *const forms[FORM_COUNT] = {
	[FORM_ELF_CORE] = &elfcore_form,
	[FORM_KDUMP] = &kdump_form,
	[FORM_LIME] = &lime_form,
};

const char *dump_vmcoreinfo(const struct dump *d, size_t *len)
{
	return d->form->vmcoreinfo ? d->form->vmcoreinfo(d->opened, len) : NULL;
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

/* the file in natural order, and its form */
static int unflatten(struct dump *d, enum form *form)
{
	char magic[SELFMAG];
	int err = flattened_open(d->file_fd, &d->fd);

	*form = !err && read_fully(d->fd, magic, sizeof(magic), 0) &&
				!memcmp(magic, ELFMAG, SELFMAG) ?
			FORM_ELF_CORE :
			FORM_KDUMP;
	return err;
}

static int open_form(struct dump *d, const char *path, enum form form, unsigned int threads)
{
	struct form_file file = { .path = path, .threads = threads };
	int err = form == FORM_FLATTENED ? unflatten(d, &form) : 0;

	if (err)
		return err;
	d->notes_whole = dump_notes(d->fd, &d->notes, &d->notes_len);
	d->big_endian = kernel_big_endian(headers_big_endian(d->fd), d->notes, d->notes_len);
	file.fd = d->fd;
	file.xen = notes_have(d->big_endian, d->notes, d->notes_len, "Xen");
	/* an unknown file may be of a form that libkdumpfile knows */
	d->form = forms[form] ? forms[form] : &kdump_form;
	return d->form->open(&file, &d->opened);
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
	err = d->fd < 0 ? OTST_ERR_UNSUPPORTED : open_form(d, path, form, threads);
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
