/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_store.h - a target that remembers what it was asked.
 *
 * Wraps another target and keeps every page and every answer in memory, so
 * that many runs over one dump touch the file once. Pages that are read while
 * recording are the walked ones: they hold what otst looks at, and damage
 * elsewhere would show nothing.
 */
#ifndef PAGE_STORE_H
#define PAGE_STORE_H

#include "../../src/otst.h"

#define STORE_PAGE 4096u

/**
 * struct store_page - one page of the dump
 * @number: virtual address divided by the page size
 * @present: some of it is in the dump
 * @whole: all of it is
 * @users: who read it while recording, a bit each
 * @record: read in small pieces while recording, as records are; tables of
 *	symbols and types are read in large ones
 * @valid: one bit per byte, used when not @whole
 */
struct store_page {
	uint64_t number;
	bool present;
	bool whole;
	unsigned int users;
	bool record;
	uint8_t data[STORE_PAGE];
	uint8_t valid[STORE_PAGE / 8];
};

struct page_store;

/** page_store_create() - wrap a target; it must outlive the store. Ends the program when out of memory. */
struct page_store *page_store_create(const struct otst_target_ops *ops, void *priv);
void page_store_destroy(struct page_store *s);

/** page_store_record() - mark the pages that are read from now on as walked, by the user with the bit @user; 0 stops */
void page_store_record(struct page_store *s, unsigned int user);

/** page_store_ops() - the store's operations, to be used with the store as private pointer */
const struct otst_target_ops *page_store_ops(const struct page_store *s);

/** page_store_walked() - the walked pages that are in the dump, by address; records only when @records */
const struct store_page *const *page_store_walked(struct page_store *s, bool records,
						  size_t *count);

#endif /* PAGE_STORE_H */
