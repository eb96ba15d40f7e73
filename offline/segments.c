// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * segments.c - runs of physical memory that lie in a file as they are: what an ELF dump, a
 * LiME image and other plain forms come down to.
 *
 * Memory is copied out of a mapping of the file, or read with pread() where pages
 * lie far apart. No address past the file's end is touched. A file that is truncated
 * while it is being read still ends in SIGBUS.
 */
#include "forms.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

/** struct segment_list - @count of them, room for @room */
struct segment_list {
	struct segment *items;
	size_t count;
	size_t room;
};

/*
 * Touching a page of the mapping brings in its neighbours as well
 * (fault_around_bytes, 64 KiB), which pays off if they are read, too. So a window of
 * the file is read through the mapping from the second time on, and after
 * MOST_MAPPED windows all of them are given back.
 */
#define WINDOW	    (64u << 10)
#define MOST_MAPPED 48u
#define SEEN	    256u

struct segments {
	int fd;
	const char *map;     /* the whole file; NULL when it cannot be mapped */
	uint64_t seen[SEEN]; /* windows that were read, as 2 * (number + 1); odd: mapped */
	unsigned int mapped;
	uint64_t file_size;
	struct segment_list list;   /* after segments_sort(): by address, without overlaps */
	struct segment_list copies; /* second copies of memory that is in the list, likewise */
	size_t last;		    /* index of the last read's segment in the list */
	uint64_t missing;	    /* bytes that should have been in the file */
	bool gaps_are_zero;
	bool skips_holes;
	bool can_place;
	bool moves;
	bool differs; /* this was said */
};

int segments_create(int fd, struct segments **ret)
{
	struct segments *s = calloc(1, sizeof(*s));
	struct stat st;

	if (!s)
		return OTST_ERR_NOMEM;
	s->fd = fd;
	s->file_size = fstat(fd, &st) ? 0 : (uint64_t)st.st_size;
	s->map = mmap(NULL, s->file_size, PROT_READ, MAP_SHARED, fd, 0);
	if (s->map == MAP_FAILED)
		s->map = NULL;
	*ret = s;
	return 0;
}

void segments_close(void *priv)
{
	struct segments *s = priv;

	if (!s)
		return;
	if (s->map)
		munmap((void *)s->map, s->file_size);
	free(s->list.items);
	free(s->copies.items);
	free(s);
}

uint64_t segments_file_size(const struct segments *s)
{
	return s->file_size;
}

static int add_segment(struct segment_list *l, uint64_t phys, uint64_t size, uint64_t offset)
{
	struct segment *items = grow_array(l->items, l->count, &l->room, sizeof(*items));

	if (!items)
		return OTST_ERR_NOMEM;
	l->items = items;
	l->items[l->count++] = (struct segment){ phys, phys + size, offset };
	return 0;
}

int segments_add(struct segments *s, uint64_t phys, uint64_t size, uint64_t offset)
{
	uint64_t present = offset < s->file_size ? s->file_size - offset : 0;

	if (!size || size > UINT64_MAX - phys)
		return 0;
	if (size > present) {
		s->missing += size - present;
		size = present;
	}
	return size ? add_segment(&s->list, phys, size, offset) : 0;
}

static int by_address(const void *a, const void *b)
{
	const struct segment *x = a, *y = b;

	if (x->phys != y->phys)
		return x->phys < y->phys ? -1 : 1;
	/* The longer one first: it covers the other. */
	return x->end > y->end ? -1 : x->end < y->end;
}

/* QEMU's dumps with paging=on name the same bytes of the file for each address they are mapped to */
static bool has_bytes_of(const struct segment *s, const struct segment *of)
{
	return s->phys >= of->phys && s->offset - s->phys == of->offset - of->phys;
}

/* Sorts, and moves to @covered the copies of what an earlier segment covers. */
static int separate_copies(struct segment_list *l, struct segment_list *covered)
{
	uint64_t end = 0;
	size_t kept = 0;
	int err = 0;

	if (l->count)
		qsort(l->items, l->count, sizeof(*l->items), by_address);
	for (size_t i = 0; !err && i < l->count; i++) {
		struct segment one = l->items[i];

		if (one.phys < end) {
			uint64_t part = (one.end < end ? one.end : end) - one.phys;

			if (!has_bytes_of(&one, &l->items[kept - 1]))
				err = add_segment(covered, one.phys, part, one.offset);
			one.phys += part;
			one.offset += part;
		}
		if (one.phys == one.end)
			continue;
		end = one.end;
		l->items[kept++] = one;
	}
	l->count = kept;
	return err;
}

static int sort_lists(struct segments *s)
{
	struct segment_list more = { 0 };
	int err = separate_copies(&s->list, &s->copies);

	if (s->moves)
		s->copies.count = 0;
	err = err ?: separate_copies(&s->copies, &more);
	if (!err && more.count)
		complain("memory at 0x%" PRIx64
			 " is in the file more than twice: only two copies are compared",
			 more.items->phys);
	free(more.items);
	return err;
}

int segments_sort(struct segments *s, const char *what)
{
	int err = sort_lists(s);

	if (err)
		return err;
	if (s->missing)
		complain("the dump is truncated: %llu %s not in it", (unsigned long long)s->missing,
			 s->missing == 1 ? "byte of memory is" : "bytes of memory are");
	if (s->list.count)
		return 0;
	complain("the %s holds no memory", what);
	return OTST_ERR_CORRUPT;
}

void segments_let_move(struct segments *s)
{
	s->moves = true;
}

void segments_fill_gaps(struct segments *s)
{
	s->gaps_are_zero = true;
}

void segments_skip_holes(struct segments *s)
{
	s->skips_holes = true;
}

void segments_let_place(struct segments *s)
{
	s->can_place = true;
}

int segments_finish(struct segments *s, int err, const char *what, void **ret)
{
	err = err ?: segments_sort(s, what);
	if (err)
		segments_close(s);
	else
		*ret = s;
	return err;
}

/* Index of the first segment that ends after @phys; the list's count when there is none. */
static size_t find_segment(const struct segment_list *l, uint64_t phys)
{
	size_t low = 0, high = l->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (l->items[mid].end <= phys)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool use_mapping(struct segments *s, uint64_t window)
{
	uint64_t *seen = &s->seen[window % SEEN], number = 2 * (window + 1);

	if (*seen == number + 1)
		return true;
	if (*seen != number) {
		*seen = number;
		return false;
	}
	if (s->mapped++ == MOST_MAPPED) {
		madvise((void *)s->map, s->file_size, MADV_DONTNEED);
		memset(s->seen, 0, sizeof(s->seen));
		s->mapped = 1;
	}
	*seen = number + 1;
	return true;
}

/* segments_add() ensures that the segments lie within the file. */
static bool read_file(struct segments *s, void *buf, uint64_t len, uint64_t offset)
{
	char *to = buf;

	if (!s->map)
		return read_fully(s->fd, buf, len, offset);
	while (len) {
		uint64_t part = WINDOW - offset % WINDOW < len ? WINDOW - offset % WINDOW : len;

		if (use_mapping(s, offset / WINDOW))
			memcpy(to, s->map + offset, part);
		else if (!read_fully(s->fd, to, part, offset))
			return false;
		to += part;
		offset += part;
		len -= part;
	}
	return true;
}

/* Moves to the segment that holds @phys. Between segments: returns how many zeros follow. */
static bool find_part(struct segments *s, uint64_t phys, uint64_t *zeros)
{
	const struct segment *at = &s->list.items[s->last];
	size_t i;

	*zeros = 0;
	if (phys >= at->phys && phys < at->end)
		return true;
	i = find_segment(&s->list, phys);
	if (i == s->list.count)
		return false;
	at = &s->list.items[i];
	s->last = i;
	if (phys >= at->phys)
		return true;
	*zeros = at->phys - phys;
	return s->gaps_are_zero;
}

/* Says it once: a dump can have many such pages. */
static int refuse_copies(struct segments *s, uint64_t phys)
{
	if (!s->differs)
		complain(COPIES_DIFFER, phys);
	s->differs = true;
	return OTST_ERR_FAULT;
}

/* Compares the bytes of @copy, from @phys to @end, with @buf, which was read at @phys. */
static bool is_same(struct segments *s, const struct segment *copy, uint64_t phys, uint64_t end,
		    const char *buf)
{
	char other[4096];

	while (phys < end) {
		uint64_t part = end - phys < sizeof(other) ? end - phys : sizeof(other);

		if (!read_file(s, other, part, copy->offset + (phys - copy->phys)) ||
		    memcmp(other, buf, part) != 0)
			return false;
		phys += part;
		buf += part;
	}
	return true;
}

/* @buf: @len bytes that were read at @phys; FAULT if a second copy of them is different */
static int compare_copies(struct segments *s, uint64_t phys, const char *buf, uint64_t len)
{
	for (size_t i = find_segment(&s->copies, phys); i < s->copies.count; i++) {
		const struct segment *copy = &s->copies.items[i];
		uint64_t from = copy->phys > phys ? copy->phys : phys;
		uint64_t to = copy->end < phys + len ? copy->end : phys + len;

		if (from >= to)
			break;
		if (!is_same(s, copy, from, to, buf + (from - phys)))
			return refuse_copies(s, from);
	}
	return 0;
}

static int read_parts(struct segments *s, uint64_t phys, char *buf, uint64_t len)
{
	while (len) {
		const struct segment *here;
		uint64_t part, zeros;

		if (!find_part(s, phys, &zeros))
			return OTST_ERR_FAULT;
		here = &s->list.items[s->last];
		part = zeros ? zeros : here->end - phys;
		part = part < len ? part : len;
		if (zeros)
			memset(buf, 0, part);
		else if (!read_file(s, buf, part, here->offset + (phys - here->phys)))
			return OTST_ERR_FAULT;
		buf += part;
		phys += part;
		len -= part;
	}
	return 0;
}

int segments_read(void *priv, int space, uint64_t phys, void *buf, uint64_t len)
{
	int err = space == OTST_PHYS ? read_parts(priv, phys, buf, len) : OTST_ERR_UNSUPPORTED;

	return err ?: compare_copies(priv, phys, buf, len);
}

/* Cuts the range down to its first part that the file system has stored; false: it has none. */
static bool skip_hole(const struct segments *s, const struct segment *in, uint64_t *start,
		      uint64_t *end)
{
	uint64_t from = in->offset + (*start - in->phys), to = in->offset + (*end - in->phys);
	off_t data = lseek(s->fd, (off_t)from, SEEK_DATA), hole;

	if (data < 0)
		return errno != ENXIO; /* ENXIO: a hole up to the file's end */
	if ((uint64_t)data >= to)
		return false;
	hole = lseek(s->fd, data, SEEK_HOLE);
	*start += (uint64_t)data - from;
	if (hole > data && (uint64_t)hole < to)
		*end -= to - (uint64_t)hole;
	return true;
}

bool segments_next(void *priv, uint64_t phys, uint64_t *start, uint64_t *end)
{
	const struct segments *s = priv;
	size_t i;

	for (i = find_segment(&s->list, phys); i < s->list.count; i++) {
		const struct segment *here = &s->list.items[i];

		*start = phys > here->phys ? phys : here->phys;
		*end = here->end;
		if (!s->skips_holes || skip_hole(s, here, start, end))
			return true;
	}
	return false;
}

bool segments_place(void *priv, uint64_t phys)
{
	struct segments *s = priv;
	struct segment *only = s->list.items;
	uint64_t size;

	if (!s->can_place || s->list.count != 1)
		return false;
	size = only->end - only->phys;
	if (size > UINT64_MAX - phys)
		return false;
	only->phys = phys;
	only->end = phys + size;
	return true;
}

bool segments_extent(void *priv, uint64_t i, uint64_t *phys, uint64_t *size, uint64_t *offset)
{
	const struct segments *s = priv;

	if (i >= s->list.count)
		return false;
	*phys = s->list.items[i].phys;
	*size = s->list.items[i].end - s->list.items[i].phys;
	*offset = s->list.items[i].offset;
	return true;
}
