/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * diskpages.h - the pages of a compressed dump: diskguard.c finds them, inflate.c reads
 * and inflates them, diskpages.c does so with as many threads as are allowed.
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

/**
 * diskguard_find() - find the page @pfn; any thread may call it
 *
 * Return: false when it is not in the dump, or its descriptor is damaged.
 */
bool diskguard_find(const struct diskguard *g, uint64_t pfn, struct diskpage *ret);

/** diskguard_next() - like elfcore_next() */
bool diskguard_next(const struct diskguard *g, uint64_t phys, uint64_t *start, uint64_t *end);

/** diskguard_vmcoreinfo() - where VMCOREINFO is, when it is not among the notes */
bool diskguard_vmcoreinfo(const struct diskguard *g, uint64_t *offset, uint64_t *size);

/* ---- inflate.c ---- */

struct inflate;

/** inflate_create() - the state that one thread needs; NULL when out of memory */
struct inflate *inflate_create(uint32_t page_size);
void inflate_destroy(struct inflate *i);

/** inflate_page() - read the page described by @page from @fd into @ret; false if damaged */
bool inflate_page(struct inflate *i, int fd, const struct diskpage *page, void *ret);

/* ---- diskpages.c ---- */

struct diskpages;

/**
 * diskpages_open() - open the pages that @g knows
 * @fd, @g: must stay open as long as @ret
 * @threads: how many may work at once, including this one
 */
int diskpages_open(int fd, const struct diskguard *g, unsigned int threads, struct diskpages **ret);
void diskpages_close(struct diskpages *p);

/** diskpages_read() - read physical memory; FAULT unless all of it can be read */
int diskpages_read(struct diskpages *p, uint64_t phys, void *buf, uint64_t len);

/** diskpages_ahead() - this memory will be read soon: other threads may start on it */
void diskpages_ahead(struct diskpages *p, uint64_t phys, uint64_t len);

#endif /* OTST_DISKPAGES_H */
