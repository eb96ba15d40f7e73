// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * elfcore.c - physical memory of an ELF dump: /proc/vmcore's form, what
 * makedumpfile -E leaves of it, and QEMU's dump-guest-memory.
 *
 * These dumps are read here and not through libkdumpfile. Up to 0.5.4, its newest
 * release, it returns zeros, not an error, for memory that was cut off or filtered
 * out; and 0.5.1
 *  - maps 4 MiB windows without checking where the file ends, so that a truncated
 *    dump whose segments are not page-aligned (QEMU's) ends in SIGBUS;
 *  - looks up virtual addresses in a table that is sorted by physical address.
 * Memory is copied out of a mapping of the file, or read with pread() where pages
 * lie far apart. No address past the file's end is touched. A file that is truncated
 * while it is being read still ends in SIGBUS.
 */
#include "offline.h"
#include "notes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

/**
 * struct segment - a run of physical memory that is in the file
 * @phys: first address
 * @end: first address after it
 * @offset: where @phys is in the file
 */
struct segment {
	uint64_t phys;
	uint64_t end;
	uint64_t offset;
};

/* a bit of e_flags that makedumpfile sets, see its elf_info.h; kernels and QEMU leave it 0 */
#define DUMP_ELF_INCOMPLETE 0x1u

/*
 * Touching a page of the mapping brings in its neighbours as well
 * (fault_around_bytes, 64 KiB), which pays off if they are read, too. So a window of
 * the file is read through the mapping from the second time on, and after
 * MOST_MAPPED windows all of them are given back.
 */
#define WINDOW	    (64u << 10)
#define MOST_MAPPED 48u
#define SEEN	    256u

struct elfcore {
	int fd;
	const char *map;     /* the whole file; NULL when it cannot be mapped */
	uint64_t seen[SEEN]; /* windows that were read, as 2 * (number + 1); odd: mapped */
	unsigned int mapped;
	uint64_t file_size;
	struct segment *segments; /* by address, without overlaps */
	size_t count;
	size_t last; /* index of the last read's segment */
};

static int read_headers(struct elfcore *e, Elf64_Phdr **ret, size_t *ret_count)
{
	unsigned char eh[sizeof(Elf64_Ehdr)];
	bool whole, big;
	int err;

	*ret = NULL;
	whole = read_fully(e->fd, eh, sizeof(eh), 0);
	big = whole && eh[EI_DATA] == ELFDATA2MSB;
	err = whole ? machine_check_elf((unsigned int)get_number(
			      big, eh + offsetof(Elf64_Ehdr, e_machine), 2)) :
		      0;
	if (err)
		return err;
	if (!whole || eh[EI_CLASS] != ELFCLASS64) {
		complain("the ELF dump is not one of a 64-bit kernel");
		return OTST_ERR_UNSUPPORTED;
	}
	if (get_number(big, eh + offsetof(Elf64_Ehdr, e_flags), 4) & DUMP_ELF_INCOMPLETE)
		complain(INCOMPLETE_DUMP);
	*ret_count = elf_headers(e->fd, ret);
	if (*ret_count)
		return 0;
	complain("the ELF dump's program headers are damaged or cut off");
	return OTST_ERR_CORRUPT;
}

static int by_address(const void *a, const void *b)
{
	const struct segment *x = a, *y = b;

	if (x->phys != y->phys)
		return x->phys < y->phys ? -1 : 1;
	/* The longer one first: the part of the other that it covers is dropped. */
	return x->end > y->end ? -1 : x->end < y->end;
}

/*
 * Sort, and cut off what an earlier segment covers: /proc/vmcore describes
 * the kernel's text twice, once as text and once in the direct mapping.
 */
static void sort_segments(struct elfcore *e)
{
	uint64_t covered = 0;
	size_t kept = 0;

	qsort(e->segments, e->count, sizeof(*e->segments), by_address);
	for (size_t i = 0; i < e->count; i++) {
		struct segment s = e->segments[i];

		if (s.end <= covered)
			continue;
		if (s.phys < covered) {
			s.offset += covered - s.phys;
			s.phys = covered;
		}
		covered = s.end;
		e->segments[kept++] = s;
	}
	e->count = kept;
}

/* Returns how many bytes of the segment are missing at the end of the file. */
static uint64_t add_segment(struct elfcore *e, const Elf64_Phdr *ph)
{
	uint64_t offset = ph->p_offset, size = ph->p_filesz, phys = ph->p_paddr, missing = 0;

	/* All ones: memory that has no physical address of its own. */
	if (!size || phys == UINT64_MAX || size > UINT64_MAX - phys)
		return 0;
	if (offset >= e->file_size)
		return size;
	if (size > e->file_size - offset) {
		missing = size - (e->file_size - offset);
		size -= missing;
	}
	e->segments[e->count++] = (struct segment){ phys, phys + size, offset };
	return missing;
}

static int read_segments(struct elfcore *e, const Elf64_Phdr *ph, size_t count)
{
	uint64_t missing = 0;

	e->segments = calloc(count, sizeof(*e->segments));
	if (!e->segments)
		return OTST_ERR_NOMEM;
	for (size_t i = 0; i < count; i++) {
		if (ph[i].p_type == PT_LOAD)
			missing += add_segment(e, &ph[i]);
	}
	sort_segments(e);
	if (missing)
		complain("the dump is truncated: %llu %s not in it", (unsigned long long)missing,
			 missing == 1 ? "byte of memory is" : "bytes of memory are");
	return 0;
}

int elfcore_open(int fd, struct elfcore **ret)
{
	struct elfcore *e = calloc(1, sizeof(*e));
	Elf64_Phdr *ph;
	struct stat st;
	size_t count;
	int err;

	if (!e)
		return OTST_ERR_NOMEM;
	e->fd = fd;
	e->file_size = fstat(fd, &st) ? 0 : (uint64_t)st.st_size;
	e->map = mmap(NULL, e->file_size, PROT_READ, MAP_SHARED, fd, 0);
	if (e->map == MAP_FAILED)
		e->map = NULL;
	err = read_headers(e, &ph, &count);
	if (!err)
		err = read_segments(e, ph, count);
	free(ph);
	if (!err && !e->count) {
		complain("the ELF dump holds no memory");
		err = OTST_ERR_CORRUPT;
	}
	if (err) {
		elfcore_close(e);
		return err;
	}
	*ret = e;
	return 0;
}

void elfcore_close(struct elfcore *e)
{
	if (!e)
		return;
	if (e->map)
		munmap((void *)e->map, e->file_size);
	free(e->segments);
	free(e);
}

/* Index of the first segment that ends after @phys; e->count when there is none. */
static size_t find_segment(const struct elfcore *e, uint64_t phys)
{
	size_t low = 0, high = e->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (e->segments[mid].end <= phys)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool use_mapping(struct elfcore *e, uint64_t window)
{
	uint64_t *seen = &e->seen[window % SEEN], number = 2 * (window + 1);

	if (*seen == number + 1)
		return true;
	if (*seen != number) {
		*seen = number;
		return false;
	}
	if (e->mapped++ == MOST_MAPPED) {
		madvise((void *)e->map, e->file_size, MADV_DONTNEED);
		memset(e->seen, 0, sizeof(e->seen));
		e->mapped = 1;
	}
	*seen = number + 1;
	return true;
}

/* add_segment() ensures that the segments lie within the file. */
static bool read_file(struct elfcore *e, void *buf, uint64_t len, uint64_t offset)
{
	char *to = buf;

	if (!e->map)
		return read_fully(e->fd, buf, len, offset);
	while (len) {
		uint64_t part = WINDOW - offset % WINDOW < len ? WINDOW - offset % WINDOW : len;

		if (use_mapping(e, offset / WINDOW))
			memcpy(to, e->map + offset, part);
		else if (!read_fully(e->fd, to, part, offset))
			return false;
		to += part;
		offset += part;
		len -= part;
	}
	return true;
}

int elfcore_read(struct elfcore *e, uint64_t phys, void *buf, uint64_t len)
{
	char *at = buf;

	while (len) {
		const struct segment *s = &e->segments[e->last];
		uint64_t part;

		if (phys < s->phys || phys >= s->end) {
			size_t i = find_segment(e, phys);

			if (i == e->count || phys < e->segments[i].phys)
				return OTST_ERR_FAULT;
			e->last = i;
			s = &e->segments[i];
		}
		part = s->end - phys < len ? s->end - phys : len;
		if (!read_file(e, at, part, s->offset + (phys - s->phys)))
			return OTST_ERR_FAULT;
		at += part;
		phys += part;
		len -= part;
	}
	return 0;
}

bool elfcore_next(const struct elfcore *e, uint64_t phys, uint64_t *start, uint64_t *end)
{
	size_t i = find_segment(e, phys);

	if (i == e->count)
		return false;
	*start = phys > e->segments[i].phys ? phys : e->segments[i].phys;
	*end = e->segments[i].end;
	return true;
}
