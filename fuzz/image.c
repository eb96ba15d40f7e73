// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * image.c - the forms of dumps and memory images: the first byte of the input chooses the form, the
 * rest is the file, or for the last form the file of --memory-map. One more number is the program's own
 * choice, with flattened dumps. Whatever the reader opens is read: ranges, memory at their ends, notes,
 * registers. A range without bytes aborts.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../offline/forms.h"
#include "../front/notes.h"
#include "../offline/offline.h"
#include "harness.h"

#define MOST_RANGES 64

static const struct form_ops *const forms[] = { &elfcore_form, &xencore_form, &sadump_form, &kdump_form,
						&lime_form,    &avml_form,    &qemu_form,   &vmware_form,
						&raw_form,     &raw_form };

#define FORMS (sizeof(forms) / sizeof(*forms))

static void read_some(const struct form_ops *f, void *opened, uint64_t at)
{
	static unsigned char buf[20000];

	f->read(opened, OTST_PHYS, at, buf, sizeof(buf));
	f->read(opened, OTST_PHYS, at - 100, buf, 200);
}

static void read_all(const struct form_ops *f, void *opened)
{
	uint64_t start = 0, end = 0;

	for (int n = 0; n < MOST_RANGES && f->next(opened, end, &start, &end); n++) {
		if (end <= start)
			abort();
		read_some(f, opened, start);
		read_some(f, opened, end);
		read_some(f, opened, start + (end - start) / 2);
	}
	read_some(f, opened, 0);
}

static void read_notes(const struct form_ops *f, void *opened, const struct form_file *file)
{
	void *notes;
	size_t len;

	dump_notes(file->fd, &notes, &len);
	if (f->registers)
		f->registers(opened, file, &notes, &len);
	free(notes);
}

/* the program's own choice; @path: the file */
static void read_chosen(const char *path)
{
	static unsigned char buf[20000];
	const struct dump_files files = { .path = path };
	uint64_t start, end = 0;
	struct dump *d;

	if (dump_open(&files, 1, &d))
		return;
	for (int n = 0; n < MOST_RANGES && dump_next(d, end, &start, &end); n++) {
		if (end <= start)
			abort();
		dump_read(d, OTST_PHYS, start, buf, sizeof(buf));
		dump_read(d, OTST_PHYS, end - 100, buf, 200);
	}
	dump_close(d);
}

static void read_form(const struct form_ops *f, const struct form_file *file)
{
	char magic[SELFMAG];
	void *opened;

	/* form.c never takes an ELF file for one that libkdumpfile is to read */
	if (f == &kdump_form && pread(file->fd, magic, SELFMAG, 0) == SELFMAG &&
	    !memcmp(magic, ELFMAG, SELFMAG))
		return;
	if (f->open(file, &opened))
		return;
	read_all(f, opened);
	if (f->place && f->place(opened, 1u << 30))
		read_all(f, opened);
	read_notes(f, opened, file);
	f->close(opened);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1, memory = -1;
	size_t which = size ? *data % (FORMS + 1) : 0;
	struct form_file file = { .path = "image", .threads = 1 };
	char path[32];

	if (!size)
		return 0;
	if (fd < 0) {
		fd = memfd_create("image", 0);
		memory = memfd_create("memory", 0);
		if (ftruncate(memory, 1 << 20))
			abort();
	}
	if (ftruncate(fd, 0) || pwrite(fd, data + 1, size - 1, 0) != (ssize_t)size - 1)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	file.fd = which == FORMS - 1 ? memory : fd;
	file.memory_map = which == FORMS - 1 ? path : NULL;
	if (which == FORMS)
		read_chosen(path);
	else
		read_form(forms[which], &file);
	return 0;
}
