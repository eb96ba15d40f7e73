/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * page_owner.h - how many pages were allocated with each stack of the stack depot.
 */
#ifndef OTST_PAGE_OWNER_H
#define OTST_PAGE_OWNER_H

#include "../dump.h"

/**
 * struct otst_page_owner - pages by the handle of their stack
 * @pages: how many, by handle
 * @bad: blocks that could not be read, and pages that make no sense
 * @first_error: message of the first of them
 */
struct otst_page_owner {
	struct otst_hashmap pages;
	uint64_t bad;
	const char *first_error;
};

/**
 * otst_page_owner_read() - count the pages that are allocated
 * @ret: zeroed by the caller; stays empty when page owner is off or not in this kernel
 *
 * Return: 0, even with @ret->bad; CORRUPT; or an error that ends the command.
 */
int otst_page_owner_read(struct otst *o, struct otst_page_owner *ret);

/** otst_page_owner_pages() - number of pages with this stack */
uint64_t otst_page_owner_pages(const struct otst_page_owner *p, uint32_t handle);

#endif
