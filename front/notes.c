// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * notes.c - the ELF notes of a dump, as bytes for the engine: they are in the PT_NOTE
 * segments of an ELF file; in makedumpfile's compressed form, the sub header says
 * where they are (its diskdump_mod.h).
 */
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
#define SUB_SPLIT_AT  12 /* since version 2 */
#define SPLIT_VERSION 2u
#define SUB_NOTE_AT   48 /* offset and size, since version 4 */
#define NOTE_VERSION  4u
#define SUB_ERASE_AT  64 /* offset and size of text, since version 5 */
#define ERASE_VERSION 5u
#define VERSION_MAX   0xffffu /* in the wrong byte order every version is larger */

/* struct elf_prstatus of ppc64: pr_pid, and pr_reg[] up to its end; MSR_LE of the msr */
#define PPC64_PRSTATUS 504u
#define PID_AT	       32u
#define REGS_AT	       112u
#define REGS_END       (REGS_AT + 48 * 8)
#define MSR_AT	       (REGS_AT + 33 * 8)
#define MSR_LE	       1u

uint64_t get_number(bool big_endian, const void *at, size_t size)
{
	const unsigned char *p = at;
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < size; i++)
		v = v << 8 | p[big_endian ? i : size - 1 - i];
	return v;
}

static bool read_at(int fd, void *buf, size_t len, uint64_t offset)
{
	return offset <= INT64_MAX && pread(fd, buf, len, (off_t)offset) == (ssize_t)len;
}

#define FIELD(big, from, type, member) \
	get_number(big, (from) + offsetof(type, member), sizeof(((type *)0)->member))

/* with more than 65534 program headers, the first section header has the count */
static size_t count_headers(int fd, bool big, const unsigned char *eh)
{
	unsigned char sh[sizeof(Elf64_Shdr)];
	size_t count = FIELD(big, eh, Elf64_Ehdr, e_phnum);

	if (FIELD(big, eh, Elf64_Ehdr, e_phentsize) != sizeof(Elf64_Phdr))
		return 0;
	if (count != PN_XNUM)
		return count;
	return read_at(fd, sh, sizeof(sh), FIELD(big, eh, Elf64_Ehdr, e_shoff)) ?
		       FIELD(big, sh, Elf64_Shdr, sh_info) :
		       0;
}

static Elf64_Phdr native_header(bool big, const unsigned char *ph)
{
	return (Elf64_Phdr){
		.p_type = (uint32_t)FIELD(big, ph, Elf64_Phdr, p_type),
		.p_offset = FIELD(big, ph, Elf64_Phdr, p_offset),
		.p_paddr = FIELD(big, ph, Elf64_Phdr, p_paddr),
		.p_filesz = FIELD(big, ph, Elf64_Phdr, p_filesz),
	};
}

size_t elf_headers(int fd, Elf64_Phdr **ret)
{
	unsigned char eh[sizeof(Elf64_Ehdr)];
	Elf64_Phdr *headers;
	struct stat st;
	size_t count, i;
	bool big;

	*ret = NULL;
	if (!read_at(fd, eh, sizeof(eh), 0) || memcmp(eh, ELFMAG, SELFMAG) != 0 ||
	    eh[EI_CLASS] != ELFCLASS64)
		return 0;
	big = eh[EI_DATA] == ELFDATA2MSB;
	count = count_headers(fd, big, eh);
	if (fstat(fd, &st) || count > (uint64_t)st.st_size / sizeof(*headers))
		return 0;
	headers = calloc(count ? count : 1, sizeof(*headers));
	if (!headers ||
	    !read_at(fd, headers, count * sizeof(*headers), FIELD(big, eh, Elf64_Ehdr, e_phoff))) {
		free(headers);
		return 0;
	}
	for (i = 0; i < count; i++)
		headers[i] = native_header(big, (const unsigned char *)&headers[i]);
	*ret = headers;
	return count;
}

bool headers_big_endian(int fd)
{
	unsigned char head[KDUMP_HEADER] = { 0 };

	if (pread(fd, head, sizeof(head), 0) < 0)
		return false;
	if (!memcmp(head, ELFMAG, SELFMAG))
		return head[EI_DATA] == ELFDATA2MSB;
	if (!memcmp(head, LIME_BIG_ENDIAN, sizeof(LIME_BIG_ENDIAN) - 1))
		return true;
	if (!memcmp(head, S390_DUMP_MAGIC, sizeof(S390_DUMP_MAGIC) - 1))
		return true;
	return !memcmp(head, KDUMP_MAGIC, sizeof(KDUMP_MAGIC) - 1) &&
	       get_number(false, head + VERSION_AT, 4) > VERSION_MAX;
}

/* does the file have @size bytes at @at, and are all notes, @len bytes so far, no larger than the file */
static bool notes_fit(int fd, uint64_t at, uint64_t size, size_t len)
{
	struct stat st;
	uint64_t most;

	if (fstat(fd, &st) || at > (uint64_t)st.st_size)
		return false;
	most = (uint64_t)st.st_size < NOTES_MAX ? (uint64_t)st.st_size : NOTES_MAX;
	return len <= most && size <= most - len && size <= (uint64_t)st.st_size - at;
}

static bool add_notes(int fd, uint64_t at, uint64_t size, void **ret, size_t *len)
{
	char *more = notes_fit(fd, at, size, *len) ? realloc(*ret, *len + size + 1) : NULL;

	if (!more)
		return false;
	*ret = more;
	if (!read_at(fd, more + *len, size, at))
		return false;
	*len += size;
	return true;
}

/* what makedumpfile's --config erased, as the note that an ELF dump has: its erase_info.c */
static bool add_erase_note(int fd, bool big, uint64_t at, uint64_t size, void **ret, size_t *len)
{
	static const char name[12] = "ERASEINFO";
	size_t head = sizeof(Elf64_Nhdr) + sizeof(name), from = *len, i;
	char *more = notes_fit(fd, at, size, from) ? realloc(*ret, from + head + size + 4) : NULL;

	if (!more)
		return false;
	*ret = more;
	more += from;
	memset(more, 0, head + size + 4);
	for (i = 0; i < 4; i++) {
		more[big ? 3 - i : i] = (char)((strlen(name) + 1) >> 8 * i);
		more[4 + (big ? 3 - i : i)] = (char)(size >> 8 * i);
	}
	memcpy(more + sizeof(Elf64_Nhdr), name, sizeof(name));
	if (!read_at(fd, more + head, size, at))
		return false;
	*len = from + head + (size + 3) / 4 * 4;
	return true;
}

bool dump_is_part(int fd)
{
	unsigned char head[KDUMP_HEADER], sub[SUB_SPLIT_AT + 4];
	bool big = headers_big_endian(fd);

	return read_at(fd, head, sizeof(head), 0) &&
	       !memcmp(head, KDUMP_MAGIC, sizeof(KDUMP_MAGIC) - 1) &&
	       get_number(big, head + VERSION_AT, 4) >= SPLIT_VERSION &&
	       read_at(fd, sub, sizeof(sub), get_number(big, head + BLOCK_SIZE_AT, 4)) &&
	       get_number(big, sub + SUB_SPLIT_AT, 4);
}

static bool add_kdump_notes(int fd, void **ret, size_t *len)
{
	unsigned char head[KDUMP_HEADER], sub[SUB_ERASE_AT + 16];
	bool big = headers_big_endian(fd), whole;
	uint64_t version, erased;

	if (!read_at(fd, head, sizeof(head), 0) ||
	    memcmp(head, KDUMP_MAGIC, sizeof(KDUMP_MAGIC) - 1) != 0)
		return true;
	version = get_number(big, head + VERSION_AT, 4);
	if (version < NOTE_VERSION ||
	    !read_at(fd, sub, sizeof(sub), get_number(big, head + BLOCK_SIZE_AT, 4)))
		return true;
	whole = add_notes(fd, get_number(big, sub + SUB_NOTE_AT, 8),
			  get_number(big, sub + SUB_NOTE_AT + 8, 8), ret, len);
	erased = version < ERASE_VERSION ? 0 : get_number(big, sub + SUB_ERASE_AT + 8, 8);
	if (erased)
		whole &= add_erase_note(fd, big, get_number(big, sub + SUB_ERASE_AT, 8), erased,
					ret, len);
	return whole;
}

/**
 * next_note() - get the note at *@at and move *@at to the next one
 * @desc: its bytes
 *
 * Return: its header; NULL at the end, and where the notes are damaged.
 */
static unsigned char *next_note(bool big, void *notes, size_t len, size_t *at, unsigned char **desc,
				size_t *desc_len)
{
	unsigned char *head = (unsigned char *)notes + *at;
	uint64_t name;

	if (*at > len || len - *at < sizeof(Elf64_Nhdr))
		return NULL;
	name = sizeof(Elf64_Nhdr) + (get_number(big, head, 4) + 3) / 4 * 4;
	*desc_len = get_number(big, head + 4, 4);
	if (name + *desc_len > len - *at)
		return NULL;
	*desc = head + name;
	*at += name + (*desc_len + 3) / 4 * 4;
	return head;
}

/* The last note ends where the notes do, but for zeros. */
static bool are_whole(bool big, void *notes, size_t len)
{
	const unsigned char *bytes = notes;
	unsigned char *desc;
	size_t at = 0, desc_len;

	while (next_note(big, notes, len, &at, &desc, &desc_len))
		;
	while (at < len && !bytes[at])
		at++;
	return at >= len;
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
		if (headers[i].p_type == PT_NOTE)
			whole &= add_notes(fd, headers[i].p_offset, headers[i].p_filesz, ret, len);
	}
	free(headers);
	return whole && are_whole(headers_big_endian(fd), *ret, *len);
}

bool note_next(bool big_endian, void *notes, size_t len, size_t *at, const char *name,
	       unsigned char **desc, size_t *desc_len)
{
	const size_t name_len = strlen(name);
	unsigned char *head;
	uint64_t found;

	while ((head = next_note(big_endian, notes, len, at, desc, desc_len))) {
		found = get_number(big_endian, head, 4);
		if ((found == name_len || found == name_len + 1) &&
		    !memcmp(head + sizeof(Elf64_Nhdr), name, found))
			return true;
	}
	return false;
}

bool notes_have(bool big_endian, void *notes, size_t len, const char *name)
{
	unsigned char *desc;
	size_t at = 0, desc_len;

	return note_next(big_endian, notes, len, &at, name, &desc, &desc_len);
}

/* ---- a little-endian kernel under big-endian headers ---- */

static void swap_notes(unsigned char *at, size_t size)
{
	size_t i;

	for (i = 0; i < size / 2; i++) {
		unsigned char byte = at[i];

		at[i] = at[size - 1 - i];
		at[size - 1 - i] = byte;
	}
}

static bool is_prstatus(const unsigned char *head, size_t desc_len)
{
	return get_number(true, head + 8, 4) == NT_PRSTATUS && desc_len == PPC64_PRSTATUS;
}

static bool is_little(void *notes, size_t len)
{
	unsigned char *head, *desc;
	size_t at = 0, desc_len;

	while ((head = next_note(true, notes, len, &at, &desc, &desc_len))) {
		if (is_prstatus(head, desc_len))
			return get_number(true, desc + MSR_AT, 8) & MSR_LE;
	}
	return false;
}

bool kernel_big_endian(bool big_endian, void *notes, size_t len)
{
	unsigned char *head, *desc;
	size_t at = 0, desc_len, i;

	if (!big_endian || !is_little(notes, len))
		return big_endian;
	while ((head = next_note(true, notes, len, &at, &desc, &desc_len))) {
		if (is_prstatus(head, desc_len)) {
			swap_notes(desc + PID_AT, 4);
			for (i = REGS_AT; i < REGS_END; i += 8)
				swap_notes(desc + i, 8);
		}
		for (i = 0; i < 3; i++)
			swap_notes(head + 4 * i, 4);
	}
	return false;
}
