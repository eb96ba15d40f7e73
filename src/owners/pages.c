// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * pages.c - executable pages that are known by their place in physical memory: the kernel's text
 * at another address (entry trampolines), the vsyscall page, the real-mode trampoline of
 * arch/x86/realmode, the control page of a loaded kexec image.
 */
#include "../memory/translate.h"
#include "../base/coverage.h"
#include "../base/engine.h"
#include "owners.h"

#define OWNERS_MOST 6u

/** struct page_owners - physical memory in whole pages: from @begin on, @size bytes */
struct page_owners {
	struct owned {
		uint64_t begin, size;
		enum otst_page_owner owner;
	} list[OWNERS_MOST];
	size_t nr;
};

static void add_owned(struct page_owners *p, uint64_t begin, uint64_t size,
		      enum otst_page_owner owner)
{
	if (p->nr < OWNERS_MOST)
		p->list[p->nr++] = (struct owned){ begin, size, owner };
}

/* @begin, @end: addresses in the kernel's image, which is one piece of physical memory */
static void add_part(struct otst *o, struct page_owners *p, uint64_t begin, uint64_t end,
		     enum otst_page_owner owner)
{
	uint64_t at, page = otst_page_size(o);

	if (begin && end > begin && otst_physical(o, begin, &at))
		add_owned(p, at & -page, end - (begin & -page), owner);
}

static void add_real_mode(struct otst *o, struct page_owners *p)
{
	uint64_t at = otst_symbol_or0(o, "real_mode_header"), header, from, to;
	struct otst_view v;

	if (!at || otst_read_u64(o, at, &header) || !header ||
	    otst_view_read(o, "real_mode_header", header, &v))
		return;
	from = otst_u64(&v, "text_start") & -otst_page_size(o);
	to = otst_u64(&v, "ro_end");
	if (!v.err && to > from)
		add_owned(p, from, to - from, OTST_PAGE_REAL_MODE);
}

static void add_control(struct otst *o, struct page_owners *p, const char *image)
{
	uint64_t at = otst_symbol_or0(o, image), kimage, base, size;
	uint64_t map = otst_symbol_or0(o, "vmemmap_base"), page;
	const struct otst_member *m;

	if (!at || !map || otst_read_u64(o, at, &kimage) || !kimage ||
	    otst_read_u64(o, map, &base) || otst_member(o, "kimage", "control_code_page", &m) ||
	    otst_type_size(o, "page", &size) || !size ||
	    otst_read_u64(o, kimage + m->offset, &page))
		return;
	add_owned(p, (page - base) / size * otst_page_size(o), 2 * otst_page_size(o),
		  OTST_PAGE_KEXEC);
}

static int find_owners(struct otst *o, const void *of, void *value)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);
	uint64_t vsyscall = otst_symbol_or0(o, "__vsyscall_page");
	struct page_owners *p = value;

	(void)of;
	add_part(o, p, b->stext, b->etext, OTST_PAGE_ALIAS);
	/* arm64's fixmap has a part of its read-only data that is entered from programs */
	add_part(o, p, otst_symbol_or0(o, "__entry_tramp_text_start"),
		 otst_symbol_or0(o, "__entry_tramp_text_end"), OTST_PAGE_ALIAS);
	add_part(o, p, vsyscall, vsyscall + 1, OTST_PAGE_VSYSCALL);
	add_real_mode(o, p);
	add_control(o, p, "kexec_image");
	add_control(o, p, "kexec_crash_image");
	return otst_check(o);
}

/* true if the types do not tell where pages are that their symbols stand for */
static bool lacks_places(struct otst *o)
{
	static const char *const places[][3] = {
		{ "real_mode_header", "real_mode_header", "text_start" },
		{ "real_mode_header", "real_mode_header", "ro_end" },
		{ "kexec_crash_image", "kimage", "control_code_page" },
	};
	const struct otst_member *m;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (otst_has_symbol(o, places[i][0]) &&
		    otst_lack(o, otst_member(o, places[i][1], places[i][2], &m)))
			return true;
	}
	return false;
}

enum otst_page_owner otst_page_owner(struct otst *o, uint64_t phys)
{
	static const struct otst_once owners = { .size = sizeof(struct page_owners),
						 .make = find_owners,
						 .moves = true };
	const struct doubts doubts = o->doubts;
	const struct page_owners *p = otst_once_or_null(o, &owners, NULL);

	o->doubts = doubts;
	for (size_t i = 0; p && i < p->nr; i++) {
		if (phys - p->list[i].begin < p->list[i].size)
			return p->list[i].owner;
	}
	return lacks_places(o) ? OTST_PAGE_UNKNOWN : OTST_PAGE_NOBODY;
}
