/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * diskpages.h - the pages of a compressed dump: where they are (diskguard.c), read and
 * inflated (inflate.c), by as many threads as there may be (diskpages.c).
 */
#ifndef OTST_DISKPAGES_H
#define OTST_DISKPAGES_H

#include "offline.h"

/**
 * struct diskpage - where a page is in the file
 * @flags: how it is compressed, see inflate_page()
 */
struct diskpage {
	uint64_t offset;
	uint32_t size;
	uint32_t flags;
};

/** diskguard_find() - the page @pfn; false when it is not in the dump, or its descriptor is damaged. For any thread. */
bool diskguard_find(const struct diskguard *g, uint64_t pfn, struct diskpage *ret);

/** diskguard_next() - as elfcore_next() */
bool diskguard_next(const struct diskguard *g, uint64_t phys, uint64_t *start, uint64_t *end);

/** diskguard_vmcoreinfo() - where VMCOREINFO is, when it is not among the notes */
bool diskguard_vmcoreinfo(const struct diskguard *g, uint64_t *offset, uint64_t *size);

/* ---- inflate.c ---- */

struct inflate;

/** inflate_create() - what one thread needs; NULL when out of memory */
struct inflate *inflate_create(uint32_t page_size);
void inflate_destroy(struct inflate *i);

/** inflate_page() - read the page at @page of @fd into @ret; false when it is damaged */
bool inflate_page(struct inflate *i, int fd, const struct diskpage *page, void *ret);

/* ---- diskpages.c ---- */

struct diskpages;

/**
 * diskpages_open() - the pages that @g knows
 * @fd, @g: must stay open as long as @ret
 * @threads: how many may work at once, this one counted
 */
int diskpages_open(int fd, const struct diskguard *g, unsigned int threads, struct diskpages **ret);
void diskpages_close(struct diskpages *p);

/** diskpages_read() - physical memory, all or FAULT */
int diskpages_read(struct diskpages *p, uint64_t phys, void *buf, uint64_t len);

/** diskpages_ahead() - this memory is read soon: other threads may begin with it */
void diskpages_ahead(struct diskpages *p, uint64_t phys, uint64_t len);

#endif /* OTST_DISKPAGES_H */
