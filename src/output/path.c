// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * path.c - what a local file is when it is not the kernel image or the dump that
 * it was taken for.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../image/boot.h"
#include "path.h"

/**
 * struct content - what a file holds
 * @name: "a dump"; NULL when it is empty
 * @problem: for otst_path_problem(); NULL for a kernel image or a dump
 */
struct content {
	const char *name;
	const char *problem;
};

#define NEITHER(what)                                            \
	{                                                        \
		what, what ", neither a kernel image nor a dump" \
	}

static const struct content dump = { "a dump", NULL }, image = { "a kernel image", NULL },
			    object = NEITHER("an ELF object file"),
			    program = NEITHER("an ELF program or library"),
			    ascii_text = NEITHER("ASCII text"), text = NEITHER("text"),
			    data = NEITHER("data"), empty = { NULL, "empty file" };

/* what the first bytes tell */
static const struct magic {
	size_t len;
	const char *bytes;
	struct content content;
} magics[] = {
	{ 8, "KDUMP   ", { "a dump", NULL } },
	{ 8, "DISKDUMP", { "a dump", NULL } },
	{ 12, "makedumpfile", { "a dump", NULL } },
	{ 2, "\x1f\x8b", NEITHER("a file that gzip compressed") },
	{ 6, "\xfd\x37zXZ\0", NEITHER("a file that xz compressed") },
	{ 3, "BZh", NEITHER("a file that bzip2 compressed") },
	{ 4, "\x28\xb5\x2f\xfd", NEITHER("a file that zstd compressed") },
};

static struct content elf_content(int fd, const Elf64_Ehdr *head)
{
	unsigned int type = head->e_ident[EI_DATA] == ELFDATA2MSB ?
				    __builtin_bswap16(head->e_type) :
				    head->e_type;

	if (type == ET_CORE)
		return dump;
	if (type != ET_EXEC && type != ET_DYN)
		return object;
	return otst_boot_is_program(fd) ? program : image;
}

static bool is_text_file(const unsigned char *s, size_t len, bool *ascii)
{
	*ascii = true;
	for (; len--; s++) {
		if ((*s < ' ' && !strchr("\t\n\v\f\r\b\033", *s)) || *s == 0x7f || !*s)
			return false;
		*ascii &= *s < 0x80;
	}
	return true;
}

static struct content content_of(int fd)
{
	union {
		Elf64_Ehdr elf;
		unsigned char bytes[4096];
	} head = { 0 };
	ssize_t got = pread(fd, head.bytes, sizeof(head.bytes), 0);
	bool ascii;

	if (got < 0)
		return (struct content){ strerror(errno), strerror(errno) };
	if (!got)
		return empty;
	if (!memcmp(head.bytes, ELFMAG, SELFMAG))
		return elf_content(fd, &head.elf);
	if (otst_boot_is_image(fd))
		return image;
	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++) {
		if (!memcmp(head.bytes, magics[i].bytes, magics[i].len))
			return magics[i].content;
	}
	if (is_text_file(head.bytes, (size_t)got, &ascii))
		return ascii ? ascii_text : text;
	return data;
}

const char *otst_access_problem(void)
{
	switch (errno) {
	case ENOENT:
	case ENOTDIR:
		return "no such file";
	case EACCES:
		return "permission denied";
	default:
		return strerror(errno);
	}
}

const char *otst_content_name(int fd)
{
	return content_of(fd).name;
}

bool otst_content_is_text(int fd)
{
	const char *name = content_of(fd).name;

	return name && (name == ascii_text.name || name == text.name);
}

const char *otst_path_problem(const char *path)
{
	const char *problem;
	struct stat st;
	int fd;

	if (stat(path, &st))
		return otst_access_problem();
	if (S_ISDIR(st.st_mode))
		return "is a directory";
	if (!S_ISREG(st.st_mode))
		return "is not a regular file";
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return otst_access_problem();
	problem = content_of(fd).problem;
	close(fd);
	return problem;
}
