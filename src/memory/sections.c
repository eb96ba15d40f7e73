// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * sections.c - sections of physical memory: struct mem_section of include/linux/mmzone.h. An array
 * has pointers to arrays, each a page, of sections (CONFIG_SPARSEMEM_EXTREME).
 */
#include <stdlib.h>

#include "../arch/arch.h"
#include "../base/engine.h"
#include "../names/symbols.h"
#include "../types/types.h"
#include "kernel.h"
#include "memory.h"
#include "sections.h"

#define MAX_BITS 40

/* flags below SECTION_MAP_LAST_BIT: three to six, and arrays of struct page begin at a page */
#define MAP_FLAGS UINT64_C(0x3f)

/* 4.15 and newer allocate the array: the symbol is then a pointer, and as small as one */
static int find_roots(struct otst *o, uint64_t *ret)
{
	uint64_t at = otst_symbol_or0(o, "mem_section");
	struct otst_sym sym;

	if (!at)
		return OTST_ERR_LOOKUP;
	otst_symbolize(o, at, &sym);
	if (sym.addr == at && sym.size && sym.size < otst_page_size(o))
		return otst_read_u64(o, at, ret);
	*ret = at;
	return 0;
}

int otst_sections_find(struct otst *o, struct otst_sections *ret)
{
	const char *bits = otst_vmcoreinfo(o, "NUMBER(SECTION_SIZE_BITS)");
	unsigned long n = bits ? strtoul(bits, NULL, 10) : otst_kernel(o)->arch->space.section_bits;
	uint64_t page = otst_page_size(o);
	struct otst_sections s;
	int err;

	if (!n)
		return OTST_ERR_LOOKUP;
	if (n > MAX_BITS || UINT64_C(1) << n <= page)
		return otst_raise(o, OTST_ERR_CORRUPT, "sections of 2^%lu bytes", n);
	s.pages = (UINT64_C(1) << n) / page;
	err = otst_type_size(o, "mem_section", &s.size);
	if (!err && (!s.size || s.size > page))
		err = OTST_ERR_LOOKUP;
	err = err ?: find_roots(o, &s.roots);
	if (err)
		return err;
	s.per_root = page / s.size;
	*ret = s;
	return 0;
}

static int find_once(struct otst *o, const void *of, void *value)
{
	(void)of;
	return otst_sections_find(o, value);
}

int otst_section_map(struct otst *o, uint64_t pfn, uint64_t *ret)
{
	static const struct otst_once once = { .size = sizeof(struct otst_sections),
					       .make = find_once };
	const struct otst_sections *s;
	const struct otst_member *m;
	uint64_t nr, root, map;
	int err = otst_once(o, &once, NULL, &s);

	err = err ?: otst_member(o, "mem_section", "section_mem_map", &m);
	if (err)
		return err;
	nr = pfn / s->pages;
	err = otst_read_u64(o, s->roots + nr / s->per_root * 8, &root);
	if (!err && !root)
		return OTST_ERR_LOOKUP;
	err = err ?: otst_read_u64(o, root + nr % s->per_root * s->size + m->offset, &map);
	if (!err)
		*ret = map & ~MAP_FLAGS;
	return err;
}
