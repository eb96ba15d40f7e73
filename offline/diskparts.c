// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * diskparts.c - the files that makedumpfile --split makes of one dump. Each is a compressed
 * dump of its own: it has the header, the notes and the page bitmap of the whole, and the
 * pages of one range of memory. crash reads them together; makedumpfile --reassemble makes
 * one file of them.
 */
#include "diskpages.h"
#include "../front/notes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/**
 * struct part - one file
 * @own: it was opened here
 * @first, @end: the physical memory that it holds
 */
struct part {
	const struct diskguard *guard;
	struct diskguard *own;
	int fd;
	uint64_t first;
	uint64_t end;
};

struct diskparts {
	struct part *list; /* by address */
	size_t count;
	uint64_t page_size;
};

static void note_range(struct part *p)
{
	diskguard_part(p->guard, &p->first, &p->end);
}

static int open_part(struct part *p, const char *path, const struct diskguard *whole)
{
	int err;

	p->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (p->fd < 0) {
		complain("cannot open %s: %s", path, strerror(errno));
		return OTST_ERR_UNSUPPORTED;
	}
	err = diskguard_open(p->fd, &p->own);
	if (err)
		return err;
	if (!p->own || !diskguard_is_same(whole, p->own)) {
		complain("%s: part of another dump", path);
		return OTST_ERR_UNSUPPORTED;
	}
	p->guard = p->own;
	note_range(p);
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

/* Parts follow each other from 0 to the end of memory. */
static int check_ranges(const struct diskparts *p)
{
	uint64_t end = diskguard_memory_end(p->list[0].guard), reached = 0;

	for (size_t i = 0; i <= p->count; i++) {
		uint64_t first = i < p->count ? p->list[i].first : end;

		if (first < reached && i < p->count) {
			complain(
				"the same part of a split dump is given twice: memory from 0x%" PRIx64
				" to 0x%" PRIx64,
				first, p->list[i].end);
			return OTST_ERR_UNSUPPORTED;
		}
		if (first > reached)
			complain("a part of a split dump is not given: memory from 0x%" PRIx64
				 " to 0x%" PRIx64 " is missing",
				 reached, first);
		if (i < p->count)
			reached = p->list[i].end;
	}
	return 0;
}

static int open_parts(struct diskparts *p, const char *const *paths, size_t count)
{
	int err = 0;

	for (size_t i = 0; !err && i < count; i++)
		err = open_part(&p->list[p->count++], paths[i], p->list[0].guard);
	if (err)
		return err;
	qsort(p->list, p->count, sizeof(*p->list), by_address);
	return check_ranges(p);
}

int diskparts_open(const struct diskguard *g, const char *const *paths, size_t count,
		   struct diskparts **ret)
{
	struct diskparts *p = calloc(1, sizeof(*p));
	int err;

	if (!p)
		return OTST_ERR_NOMEM;
	p->list = calloc(count + 1, sizeof(*p->list));
	if (!p->list) {
		free(p);
		return OTST_ERR_NOMEM;
	}
	p->list[0] = (struct part){ .guard = g, .fd = -1 };
	p->count = 1;
	p->page_size = diskguard_page_size(g);
	note_range(&p->list[0]);
	err = open_parts(p, paths, count);
	if (err) {
		diskparts_close(p);
		return err;
	}
	*ret = p;
	return 0;
}

void diskparts_close(struct diskparts *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->count; i++) {
		diskguard_close(p->list[i].own);
		if (p->list[i].fd >= 0)
			close(p->list[i].fd);
	}
	free(p->list);
	free(p);
}

/* the first part that ends after @phys; NULL when there is none */
static const struct part *find_part(const struct diskparts *p, uint64_t phys)
{
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (p->list[mid].end <= phys)
			low = mid + 1;
		else
			high = mid;
	}
	return low < p->count ? &p->list[low] : NULL;
}

bool diskparts_find(const struct diskparts *p, uint64_t pfn, struct diskpage *ret)
{
	const struct part *at = find_part(p, pfn * p->page_size);

	return at && diskguard_find(at->guard, pfn, ret);
}

bool diskparts_next(const struct diskparts *p, uint64_t phys, uint64_t *start, uint64_t *end)
{
	const struct part *at = find_part(p, phys);

	for (; at && at < p->list + p->count; at++) {
		if (diskguard_next(at->guard, phys, start, end))
			return true;
	}
	return false;
}
