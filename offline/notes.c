// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * notes.c - the ELF notes of a dump, as bytes for the engine: they stand in the
 * PT_NOTE segments of an ELF file, and where the sub header of makedumpfile's
 * compressed form says (its diskdump_mod.h).
 */
#include <endian.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "notes.h"

/* Notes of 8192 cpus stay below this; more is damage. */
#define NOTES_MAX (64u << 20)

/* struct disk_dump_header and struct kdump_sub_header, 64-bit layout */
#define KDUMP_MAGIC   "KDUMP   "
#define VERSION_AT    8
#define BLOCK_SIZE_AT 428
#define KDUMP_HEADER  432
#define SUB_NOTE_AT   48 /* offset and size, since version 4 */
#define NOTE_VERSION  4u

static bool read_at(int fd, void *buf, size_t len, uint64_t offset)
{
	return offset <= INT64_MAX && pread(fd, buf, len, (off_t)offset) == (ssize_t)len;
}

/* more than 65534 program headers: the first section header counts them */
static size_t count_headers(int fd, const Elf64_Ehdr *eh)
{
	Elf64_Shdr sh;

	if (le16toh(eh->e_phentsize) != sizeof(Elf64_Phdr))
		return 0;
	if (le16toh(eh->e_phnum) != PN_XNUM)
		return le16toh(eh->e_phnum);
	return read_at(fd, &sh, sizeof(sh), le64toh(eh->e_shoff)) ? le32toh(sh.sh_info) : 0;
}

size_t elf_headers(int fd, Elf64_Phdr **ret)
{
	Elf64_Phdr *headers;
	struct stat st;
	Elf64_Ehdr eh;
	size_t count;

	*ret = NULL;
	if (!read_at(fd, &eh, sizeof(eh), 0) || memcmp(eh.e_ident, ELFMAG, SELFMAG) != 0 ||
	    eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_ident[EI_DATA] != ELFDATA2LSB)
		return 0;
	count = count_headers(fd, &eh);
	if (fstat(fd, &st) || count > (uint64_t)st.st_size / sizeof(*headers))
		return 0;
	headers = calloc(count ? count : 1, sizeof(*headers));
	if (!headers || !read_at(fd, headers, count * sizeof(*headers), le64toh(eh.e_phoff))) {
		free(headers);
		return 0;
	}
	*ret = headers;
	return count;
}

static bool add_notes(int fd, uint64_t at, uint64_t size, void **ret, size_t *len)
{
	char *more;

	if (size > NOTES_MAX - *len)
		size = NOTES_MAX - *len;
	more = realloc(*ret, *len + size + 1);
	if (!more)
		return false;
	*ret = more;
	if (!read_at(fd, more + *len, size, at))
		return false;
	*len += size;
	return true;
}

static bool add_kdump_notes(int fd, void **ret, size_t *len)
{
	unsigned char head[KDUMP_HEADER], sub[SUB_NOTE_AT + 16];
	uint32_t version, block;
	uint64_t note[2];

	if (!read_at(fd, head, sizeof(head), 0) ||
	    memcmp(head, KDUMP_MAGIC, sizeof(KDUMP_MAGIC) - 1) != 0)
		return true;
	memcpy(&version, head + VERSION_AT, sizeof(version));
	memcpy(&block, head + BLOCK_SIZE_AT, sizeof(block));
	if (le32toh(version) < NOTE_VERSION || !read_at(fd, sub, sizeof(sub), le32toh(block)))
		return true;
	memcpy(note, sub + SUB_NOTE_AT, sizeof(note));
	return add_notes(fd, le64toh(note[0]), le64toh(note[1]), ret, len);
}

bool dump_notes(int fd, void **ret, size_t *len)
{
	Elf64_Phdr *headers;
	size_t count = elf_headers(fd, &headers);
	bool whole = true;

	*ret = NULL;
	*len = 0;
	if (!count)
		whole = add_kdump_notes(fd, ret, len);
	for (size_t i = 0; i < count; i++) {
		if (le32toh(headers[i].p_type) == PT_NOTE)
			whole &= add_notes(fd, le64toh(headers[i].p_offset),
					   le64toh(headers[i].p_filesz), ret, len);
	}
	free(headers);
	return whole;
}

bool notes_have(const void *notes, size_t len, const char *name)
{
	const size_t name_len = strlen(name) + 1;
	const char *at = notes;
	Elf64_Nhdr head;

	while (len >= sizeof(head)) {
		uint64_t size;

		memcpy(&head, at, sizeof(head));
		size = sizeof(head) + ((uint64_t)le32toh(head.n_namesz) + 3) / 4 * 4 +
		       ((uint64_t)le32toh(head.n_descsz) + 3) / 4 * 4;
		if (le32toh(head.n_namesz) == name_len && len - sizeof(head) >= name_len &&
		    !memcmp(at + sizeof(head), name, name_len))
			return true;
		if (size >= len)
			break;
		at += size;
		len -= size;
	}
	return false;
}
