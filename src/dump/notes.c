// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * notes.c - the notes of the dump file itself, for a front end that has the file
 * but not its notes: registers of the cpus (NT_PRSTATUS), which crash gives to the
 * cpus that are online, and a panic takes the others off line; VMCOREINFO.
 *
 * Notes stand in the PT_NOTE segment of an ELF file, and where the sub header of
 * makedumpfile's compressed form says (its diskdump_mod.h).
 */
#include <elf.h>
#include <endian.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"

#define NOTES_MAX (16u << 20) /* bytes of notes that are believed */
#define HEADERS	  1024u	      /* ELF program headers that are looked at for the notes */

/* struct disk_dump_header and struct kdump_sub_header, 64-bit layout */
#define KDUMP_MAGIC   "KDUMP   "
#define VERSION_AT    8
#define BLOCK_SIZE_AT 428
#define KDUMP_HEADER  432
#define SUB_NOTE_AT   48 /* offset and size, since version 4 */
#define NOTE_VERSION  4u

struct notes {
	unsigned char *data;
	size_t len;
};

static bool read_at(int fd, void *buf, size_t len, uint64_t offset)
{
	return offset <= INT64_MAX && pread(fd, buf, len, (off_t)offset) == (ssize_t)len;
}

static bool find_in_elf(int fd, uint64_t *at, uint64_t *len)
{
	Elf64_Ehdr eh;
	Elf64_Phdr ph;
	unsigned int i;

	if (!read_at(fd, &eh, sizeof(eh), 0) || memcmp(eh.e_ident, ELFMAG, SELFMAG) != 0 ||
	    eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_ident[EI_DATA] != ELFDATA2LSB)
		return false;
	for (i = 0; i < le16toh(eh.e_phnum) && i < HEADERS; i++) {
		if (!read_at(fd, &ph, sizeof(ph), le64toh(eh.e_phoff) + i * sizeof(ph)))
			return false;
		if (le32toh(ph.p_type) == PT_NOTE) {
			*at = le64toh(ph.p_offset);
			*len = le64toh(ph.p_filesz);
			return true;
		}
	}
	return false;
}

static bool find_in_kdump(int fd, uint64_t *at, uint64_t *len)
{
	unsigned char head[KDUMP_HEADER], sub[SUB_NOTE_AT + 16];

	if (!read_at(fd, head, sizeof(head), 0) ||
	    memcmp(head, KDUMP_MAGIC, sizeof(KDUMP_MAGIC) - 1) != 0 ||
	    otst_get_le(head + VERSION_AT, 4) < NOTE_VERSION ||
	    !read_at(fd, sub, sizeof(sub), otst_get_le(head + BLOCK_SIZE_AT, 4)))
		return false;
	*at = otst_get_le(sub + SUB_NOTE_AT, 8);
	*len = otst_get_le(sub + SUB_NOTE_AT + 8, 8);
	return true;
}

static int read_notes(struct otst *o, const void *of, void *value)
{
	const char *path = o->options.vmcore;
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	struct notes *n = value;
	uint64_t at, len;

	(void)of;
	if (fd < 0)
		return 0;
	if ((find_in_elf(fd, &at, &len) || find_in_kdump(fd, &at, &len)) && len &&
	    len <= NOTES_MAX) {
		n->data = malloc(len);
		if (n->data && read_at(fd, n->data, len, at))
			n->len = len;
	}
	close(fd);
	return 0;
}

static void free_notes(void *value)
{
	free(((struct notes *)value)->data);
}

static const struct otst_once notes = { .size = sizeof(struct notes),
					.make = read_notes,
					.destroy = free_notes };

bool otst_note_vmcoreinfo(struct otst *o, const char **ret, uint64_t *len)
{
	static const char name[] = "VMCOREINFO";
	const struct notes *n = otst_once_or_null(o, &notes, NULL);
	size_t at = 0, desc, next;

	for (; n && n->len - at >= OTST_NOTE_HEADER; at = next) {
		const unsigned char *note = n->data + at;
		uint64_t desc_len = otst_get_le(note + 4, 4);

		desc = at + OTST_NOTE_HEADER + ((otst_get_le(note, 4) + 3) & ~3ull);
		next = desc + ((desc_len + 3) & ~3ull);
		if (next > n->len)
			break;
		if (otst_get_le(note, 4) < sizeof(name) - 1 ||
		    memcmp(note + OTST_NOTE_HEADER, name, sizeof(name) - 1) != 0)
			continue;
		*ret = (const char *)n->data + desc;
		*len = desc_len;
		return true;
	}
	return false;
}

int otst_note_regs(struct otst *o, unsigned int cpu, uint64_t *ret)
{
	const struct notes *n = otst_once_or_null(o, &notes, NULL);
	size_t at = 0, desc, next;

	for (; n && n->len - at >= OTST_NOTE_HEADER; at = next) {
		const unsigned char *note = n->data + at;

		desc = at + OTST_NOTE_HEADER + ((otst_get_le(note, 4) + 3) & ~3ull);
		next = desc + ((otst_get_le(note + 4, 4) + 3) & ~3ull);
		if (next > n->len)
			break;
		if (otst_get_le(note + 8, 4) != NT_PRSTATUS || cpu--)
			continue;
		return otst_prstatus_regs(o, n->data + desc, next - desc, ret);
	}
	return OTST_ERR_LOOKUP;
}
