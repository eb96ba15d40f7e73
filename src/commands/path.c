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

#include "../otst.h"

#define NEITHER ", neither a kernel image nor a dump"

/* what the first bytes tell; @problem is NULL for a dump */
static const struct magic {
	size_t len;
	const char *bytes;
	const char *problem;
} magics[] = {
	{ 8, "KDUMP   ", NULL },
	{ 8, "DISKDUMP", NULL },
	{ 12, "makedumpfile", NULL },
	{ 2, "\x1f\x8b", "a file that gzip compressed" NEITHER },
	{ 6, "\xfd\x37zXZ\0", "a file that xz compressed" NEITHER },
	{ 3, "BZh", "a file that bzip2 compressed" NEITHER },
	{ 4, "\x28\xb5\x2f\xfd", "a file that zstd compressed" NEITHER },
};

/* programs and libraries load into the lower half of the address space */
static bool is_program(int fd, const Elf64_Ehdr *head)
{
	bool loads = false;
	Elf64_Phdr seg;
	unsigned int i;

	if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != ELFDATA2LSB)
		return false;
	for (i = 0; i < head->e_phnum; i++) {
		off_t at = (off_t)(head->e_phoff + (uint64_t)i * sizeof(seg));

		if (pread(fd, &seg, sizeof(seg), at) != sizeof(seg))
			return false;
		if (seg.p_type == PT_LOAD && seg.p_vaddr >> 63)
			return false;
		loads |= seg.p_type == PT_LOAD;
	}
	return loads;
}

static const char *elf_problem(int fd, const Elf64_Ehdr *head)
{
	unsigned int type = head->e_ident[EI_DATA] == ELFDATA2MSB ?
				    __builtin_bswap16(head->e_type) :
				    head->e_type;

	if (type == ET_CORE)
		return NULL;
	if (type != ET_EXEC && type != ET_DYN)
		return "an ELF object file" NEITHER;
	return is_program(fd, head) ? "an ELF program or library" NEITHER : NULL;
}

static bool is_text(const unsigned char *s, size_t len, bool *ascii)
{
	*ascii = true;
	for (; len--; s++) {
		if ((*s < ' ' && !strchr("\t\n\v\f\r\b\033", *s)) || *s == 0x7f || !*s)
			return false;
		*ascii &= *s < 0x80;
	}
	return true;
}

static const char *content_problem(int fd)
{
	union {
		Elf64_Ehdr elf;
		unsigned char bytes[4096];
	} head = { 0 };
	ssize_t got = pread(fd, head.bytes, sizeof(head.bytes), 0);
	bool ascii;
	size_t i;

	if (got < 0)
		return strerror(errno);
	if (!got)
		return "empty file";
	if (!memcmp(head.bytes, ELFMAG, SELFMAG))
		return elf_problem(fd, &head.elf);
	for (i = 0; i < sizeof(magics) / sizeof(*magics); i++) {
		if (!memcmp(head.bytes, magics[i].bytes, magics[i].len))
			return magics[i].problem;
	}
	if (is_text(head.bytes, (size_t)got, &ascii))
		return ascii ? "ASCII text" NEITHER : "text" NEITHER;
	return "data" NEITHER;
}

static const char *access_problem(void)
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

const char *otst_path_problem(const char *path)
{
	const char *problem;
	struct stat st;
	int fd;

	if (stat(path, &st))
		return access_problem();
	if (S_ISDIR(st.st_mode))
		return "is a directory";
	if (!S_ISREG(st.st_mode))
		return "is not a regular file";
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return access_problem();
	problem = content_problem(fd);
	close(fd);
	return problem;
}
