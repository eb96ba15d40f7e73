/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * diskpages.h - the pages of a compressed dump: diskguard.c finds them in a file, diskparts.c
 * in several, inflate.c reads and inflates them, diskpages.c does so with as many threads as
 * are allowed.
 */
#ifndef OTST_DISKPAGES_H
#define OTST_DISKPAGES_H

#include "offline.h"

/**
 * struct diskpage - where a page is
 * @fd: the file
 * @flags: how it is compressed, see inflate_page()
 */
struct diskpage {
	int fd;
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

/** diskguard_next() - see &form_ops.next */
bool diskguard_next(const struct diskguard *g, uint64_t phys, uint64_t *start, uint64_t *end);

/** diskguard_part() - physical memory from @first to @end is in this file if it is in the dump */
void diskguard_part(const struct diskguard *g, uint64_t *first, uint64_t *end);

/** diskguard_memory_end() - the first physical address after the machine's memory */
uint64_t diskguard_memory_end(const struct diskguard *g);

/** diskguard_is_same() - have both the same header and notes, and as many pages */
bool diskguard_is_same(const struct diskguard *a, const struct diskguard *b);

/** diskguard_vmcoreinfo() - where VMCOREINFO is, when it is not among the notes */
bool diskguard_vmcoreinfo(const struct diskguard *g, uint64_t *offset, uint64_t *size);

/* ---- inflate.c ---- */

struct inflate;

/** inflate_create() - the state that one thread needs; NULL when out of memory */
struct inflate *inflate_create(uint32_t page_size);
void inflate_destroy(struct inflate *i);

/** inflate_page() - read the page described by @page into @ret; false if damaged */
bool inflate_page(struct inflate *i, const struct diskpage *page, void *ret);

/* ---- diskparts.c: the files that makedumpfile --split makes of one dump ---- */

struct diskparts;

/**
 * diskparts_open() - put the parts of a dump together; a dump that is not split is its only part
 * @g: the first file; must stay open as long as @ret
 * @paths: @count more files
 *
 * Return: 0, NOMEM, or an error after a complaint. Missing parts are complaints, too.
 */
int diskparts_open(const struct diskguard *g, const char *const *paths, size_t count,
		   struct diskparts **ret);
void diskparts_close(struct diskparts *p);

/** diskparts_find(), diskparts_next() - as diskguard_find() and diskguard_next(), of all parts */
bool diskparts_find(const struct diskparts *p, uint64_t pfn, struct diskpage *ret);
bool diskparts_next(const struct diskparts *p, uint64_t phys, uint64_t *start, uint64_t *end);

/* ---- diskpages.c ---- */

struct diskpages;

/**
 * diskpages_open() - open the pages of @parts
 * @parts: must stay open as long as @ret
 * @page_size: of them
 * @threads: how many may work at once, including this one
 */
int diskpages_open(const struct diskparts *parts, uint64_t page_size, unsigned int threads,
		   struct diskpages **ret);
void diskpages_close(struct diskpages *p);

/** diskpages_read() - read physical memory; FAULT unless all of it can be read */
int diskpages_read(struct diskpages *p, uint64_t phys, void *buf, uint64_t len);

/** diskpages_ahead() - this memory will be read soon: other threads may start on it */
void diskpages_ahead(struct diskpages *p, uint64_t phys, uint64_t len);

#endif /* OTST_DISKPAGES_H */
