// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * form.c - tells a vmlinux, the forms of a dump and other files apart by
 * their first bytes, so that operands can come in any order.
 */
#include "notes.h"
#include "offline.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct magic {
	enum form form;
	size_t offset;
	size_t len;
	const char *bytes;
};

static const struct magic magics[] = {
	{ FORM_KDUMP, 0, 8, "KDUMP   " },
	{ FORM_KDUMP, 0, 8, "DISKDUMP" },
	{ FORM_KDUMP, 0, 8, S390_DUMP_MAGIC },
	{ FORM_FLATTENED, 0, 12, "makedumpfile" },
	{ FORM_LIME, 0, 4, "EMiL" },
	{ FORM_LIME, 0, 8, LIME_BIG_ENDIAN },
	{ FORM_PACKED, 0, 2, "\x1f\x8b" },
	{ FORM_PACKED, 0, 6,
	  "\xfd"
	  "7zXZ\0" },
	{ FORM_PACKED, 0, 3, "BZh" },
	{ FORM_PACKED, 0, 4, "\x28\xb5\x2f\xfd" },
};

static enum form elf_form(const unsigned char *head, const char *path)
{
	unsigned int type = head[EI_DATA] == ELFDATA2MSB ? head[16] << 8 | head[17] :
							   head[17] << 8 | head[16];

	if (type == ET_CORE)
		return FORM_ELF_CORE;
	/* programs and libraries have these types, too */
	if (type == ET_EXEC || type == ET_DYN)
		return otst_path_problem(path) ? FORM_OTHER : FORM_VMLINUX;
	return FORM_OTHER;
}

static enum form form_of_fd(int fd, const char *path)
{
	unsigned char head[1024] = { 0 };
	ssize_t got = pread(fd, head, sizeof(head), 0);

	if (got <= 0)
		return FORM_OTHER;
	if (!memcmp(head, ELFMAG, SELFMAG))
		return elf_form(head, path);
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
		if (!memcmp(head + magics[i].offset, magics[i].bytes, magics[i].len) &&
		    (magics[i].form != FORM_PACKED || otst_path_problem(path)))
			return magics[i].form;
	}
	return otst_path_problem(path) ? FORM_OTHER : FORM_VMLINUX;
}

enum form form_of(const char *path)
{
	enum form form = FORM_NONE;
	struct stat st;
	int fd;

	/* live_open() reports why it cannot be opened */
	if (live_is_path(path))
		return FORM_ELF_CORE;
	/* Opening a FIFO would wait for its other end. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return FORM_NONE;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		form = form_of_fd(fd, path);
	close(fd);
	return form;
}

bool form_is_dump(enum form form)
{
	return form == FORM_ELF_CORE || form == FORM_KDUMP || form == FORM_FLATTENED ||
	       form == FORM_LIME;
}

const char *form_message(enum form form)
{
	switch (form) {
	case FORM_PACKED:
		return "a compressed file; unpack it first (gzip -d, xz -d, bzip2 -d, zstd -d)";
	default:
		return NULL;
	}
}
