// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * page_owner.c - what page owner recorded for each page: struct page_owner in the
 * page's struct page_ext (mm/page_ext.c, mm/page_owner.c). Each section of memory
 * has an array of these (struct mem_section, CONFIG_SPARSEMEM_EXTREME).
 *
 * Pages are counted as read_page_owner() lists them in the kernel's file page_owner:
 * an allocation appears at its first page only, with all its pages.
 */
#include <inttypes.h>

#include "../memory/sections.h"
#include "page_owner.h"

#define MAX_PFN	     (UINT64_C(1) << 34)
#define MAX_EXT_SIZE 1024 /* bytes for one page */
#define MAX_ORDER    20
#define MAX_HANDLES  (1u << 22)
#define CHUNK	     1024	 /* pages that are read in one go */
#define EXT_INVALID  UINT64_C(1) /* PAGE_EXT_INVALID: the section is going offline */

struct walk {
	struct otst *o;
	struct otst_page_owner *out;
	struct otst_sections sections;
	uint64_t page_ext;		      /* member of struct mem_section */
	uint64_t ext_size;		      /* bytes for one page */
	uint64_t flags, owner, order, handle; /* where they are in those bytes */
	uint64_t allocated;		      /* flags that an allocated page has */
	uint64_t max_pfn;
	unsigned char *raw;
};

/* ---- pages by handle ---- */

static int count_pages(struct walk *w, uint32_t handle, uint64_t pages)
{
	struct otst_page_owner *p = w->out;
	void **place;

	if (p->pages.count >= MAX_HANDLES)
		return otst_raise(w->o, OTST_ERR_CORRUPT, "more than %u stacks", MAX_HANDLES);
	place = otst_hashmap_place(w->o, &p->pages, handle);
	if (!place)
		return OTST_ERR_NOMEM;
	*place = (void *)((uintptr_t)*place + pages);
	return 0;
}

uint64_t otst_page_owner_pages(const struct otst_page_owner *p, uint32_t handle)
{
	return (uintptr_t)otst_hashmap_find(&p->pages, handle);
}

/* ---- where everything is ---- */

static uint64_t offset_of(struct otst *o, const char *type, const char *name, int *err)
{
	const struct otst_member *m;

	if (!*err)
		*err = otst_member(o, type, name, &m);
	return *err ? 0 : m->offset;
}

/* the file shows pages that have both flags; kernels before 5.4 have only the first */
static uint64_t allocated_flags(struct otst *o)
{
	int64_t owner = otst_enumerator_or(o, "PAGE_EXT_OWNER", -1);
	int64_t allocated = otst_enumerator_or(o, "PAGE_EXT_OWNER_ALLOCATED", owner);

	if (owner < 0 || owner > 63 || allocated < 0 || allocated > 63)
		return 0;
	return UINT64_C(1) << owner | UINT64_C(1) << allocated;
}

static int read_owner_layout(struct walk *w)
{
	struct otst *o = w->o;
	uint64_t owner_size = 0, section_size = 0;
	int err = 0;

	w->page_ext = offset_of(o, "mem_section", "page_ext", &err);
	w->flags = offset_of(o, "page_ext{flags}", "flags", &err);
	w->order = offset_of(o, "page_owner", "order", &err);
	w->handle = offset_of(o, "page_owner", "handle", &err);
	w->allocated = allocated_flags(o);
	err = err ?: otst_type_size(o, "mem_section", &section_size);
	err = err ?: otst_type_size(o, "page_owner", &owner_size);
	if (err || !w->allocated)
		return OTST_ERR_LOOKUP;
	err = otst_read_u64(o, otst_symbol_or0(o, "page_ext_size"), &w->ext_size);
	if (!err)
		err = otst_read_member(o, "page_ext_operations",
				       otst_symbol_or0(o, "page_owner_ops"), "offset", &w->owner);
	/* page owner is off: it has no place in struct page_ext */
	if (!err && !w->owner)
		return OTST_ERR_LOOKUP;
	if (!err && (w->ext_size > MAX_EXT_SIZE || w->owner > w->ext_size ||
		     owner_size > w->ext_size - w->owner || w->flags + 8 > w->ext_size ||
		     w->handle + 4 > owner_size || w->order + 2 > owner_size ||
		     section_size < w->page_ext + 8))
		err = otst_raise(o, OTST_ERR_CORRUPT, "page_ext_size %" PRIu64 " makes no sense",
				 w->ext_size);
	return err;
}

static int read_mem_sections(struct walk *w)
{
	int err = otst_sections_find(w->o, &w->sections);

	err = err ?: otst_read_u64(w->o, otst_symbol_or0(w->o, "max_pfn"), &w->max_pfn);
	if (err)
		return err;
	if (w->max_pfn > MAX_PFN)
		return otst_raise(w->o, OTST_ERR_CORRUPT, "max_pfn 0x%" PRIx64, w->max_pfn);
	return 0;
}

/* ---- the walk ---- */

/* damage comes in thousands: one line for all of it */
static int note_bad_page(struct walk *w, int err)
{
	if (otst_fatal(err))
		return err;
	if (!w->out->bad++)
		w->out->first_error = otst_strdup(w->o, otst_message(w->o));
	return 0;
}

static int read_owned_page(struct walk *w, uint64_t pfn, const unsigned char *ext)
{
	uint64_t flags = otst_get(w->o, ext + w->flags, 8);
	uint64_t order = otst_get(w->o, ext + w->owner + w->order, 2);
	uint32_t handle = (uint32_t)otst_get(w->o, ext + w->owner + w->handle, 4);

	if ((flags & w->allocated) != w->allocated || !handle)
		return 0;
	if (order > MAX_ORDER)
		return note_bad_page(w, otst_raise(w->o, OTST_ERR_CORRUPT,
						   "page frame 0x%" PRIx64 " has order %" PRIu64,
						   pfn, order));
	/* the other pages of an allocation say the same */
	if (pfn & ((UINT64_C(1) << order) - 1))
		return 0;
	return count_pages(w, handle, UINT64_C(1) << order);
}

/* @base: where page frame 0 would be if it were in this array, as the kernel stores it */
static int read_section(struct walk *w, uint64_t base, uint64_t first)
{
	uint64_t pfn, i, n, end = first + w->sections.pages;
	int err = 0;

	if (end > w->max_pfn)
		end = w->max_pfn;
	for (pfn = first; pfn < end && !err; pfn += n) {
		n = end - pfn < CHUNK ? end - pfn : CHUNK;
		err = otst_read(w->o, base + pfn * w->ext_size, w->raw, n * w->ext_size);
		for (i = 0; i < n && !err; i++)
			err = read_owned_page(w, pfn + i, w->raw + i * w->ext_size);
		if (err)
			err = note_bad_page(w, err);
		err = err ?: otst_check(w->o);
	}
	return err;
}

/* one page of struct mem_section */
static int read_root(struct walk *w, uint64_t root, uint64_t first)
{
	uint64_t per_root = w->sections.per_root, i, base, pfn;
	unsigned char *raw = otst_alloc(w->o, per_root * w->sections.size);
	int err = otst_read(w->o, root, raw, per_root * w->sections.size);

	for (i = 0; i < per_root && !err; i++) {
		pfn = (first + i) * w->sections.pages;
		base = otst_get(w->o, raw + i * w->sections.size + w->page_ext, 8);
		if (base && !(base & EXT_INVALID) && pfn < w->max_pfn)
			err = read_section(w, base, pfn);
	}
	return err;
}

static int read_roots(struct walk *w)
{
	uint64_t per_root = w->sections.per_root, at = w->sections.roots, root, first;
	int err = 0;

	for (first = 0; first * w->sections.pages < w->max_pfn && !err; first += per_root) {
		/* this is one array: if it cannot be read here, neither can the rest of it */
		err = otst_read_u64(w->o, at, &root);
		if (err)
			return note_bad_page(w, err);
		if (root)
			err = read_root(w, root, first);
		if (err)
			err = note_bad_page(w, err);
		at += 8;
		err = err ?: otst_check(w->o);
	}
	return err;
}

int otst_page_owner_read(struct otst *o, struct otst_page_owner *ret)
{
	struct walk w = { .o = o, .out = ret };
	int err;

	if (!otst_has_symbol(o, "page_owner_ops") || !otst_has_symbol(o, "page_ext_size") ||
	    !otst_has_symbol(o, "mem_section") || !otst_has_symbol(o, "max_pfn"))
		return 0;
	err = read_owner_layout(&w);
	err = err ?: read_mem_sections(&w);
	if (err)
		return err == OTST_ERR_LOOKUP ? 0 : err;
	w.raw = otst_alloc(o, CHUNK * w.ext_size);
	if (!w.raw)
		return otst_no_memory(o);
	return read_roots(&w);
}
