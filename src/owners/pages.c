// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * pages.c - executable pages that are known by their place in physical memory: the kernel's text
 * at another address (entry trampolines), the vsyscall page, the real-mode trampoline of
 * arch/x86/realmode, the control page of a loaded kexec image.
 */
#include "../memory/translate.h"
#include "../base/engine.h"
#include "owners.h"

/* @at: the symbol of a page-aligned variable or function */
static bool is_page_of(struct otst *o, const char *symbol, uint64_t phys)
{
	uint64_t virt = otst_symbol_or0(o, symbol), at;

	return virt && otst_physical(o, virt, &at) && (at & -otst_page_size(o)) == phys;
}

/* @begin, @end: addresses in the kernel's image, which is one piece of physical memory */
static bool is_part(struct otst *o, uint64_t begin, uint64_t end, uint64_t phys)
{
	uint64_t at, page = otst_page_size(o);

	return begin && end > begin && otst_physical(o, begin, &at) &&
	       phys - (at & -page) < end - (begin & -page);
}

/* arm64's fixmap has a part of its read-only data that is entered from programs */
static bool is_text_page(struct otst *o, uint64_t phys)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);

	return is_part(o, b->stext, b->etext, phys) ||
	       is_part(o, otst_symbol_or0(o, "__entry_tramp_text_start"),
		       otst_symbol_or0(o, "__entry_tramp_text_end"), phys);
}

static bool is_real_mode(struct otst *o, uint64_t phys)
{
	uint64_t at = otst_symbol_or0(o, "real_mode_header"), header, from, to;
	struct otst_view v;

	if (!at || otst_read_u64(o, at, &header) || !header ||
	    otst_view_read(o, "real_mode_header", header, &v))
		return false;
	from = otst_u64(&v, "text_start");
	to = otst_u64(&v, "ro_end");
	return !v.err && phys >= (from & -otst_page_size(o)) && phys < to;
}

static bool is_control(struct otst *o, const char *image, uint64_t phys)
{
	uint64_t at = otst_symbol_or0(o, image), kimage, base, size;
	uint64_t map = otst_symbol_or0(o, "vmemmap_base"), page;
	const struct otst_member *m;

	if (!at || !map || otst_read_u64(o, at, &kimage) || !kimage ||
	    otst_read_u64(o, map, &base) || otst_member(o, "kimage", "control_code_page", &m) ||
	    otst_type_size(o, "page", &size) || !size ||
	    otst_read_u64(o, kimage + m->offset, &page))
		return false;
	page = (page - base) / size * otst_page_size(o);
	return phys >= page && phys - page < 2 * otst_page_size(o);
}

static enum otst_page_owner find_page_owner(struct otst *o, uint64_t phys)
{
	if (is_text_page(o, phys))
		return OTST_PAGE_ALIAS;
	if (is_page_of(o, "__vsyscall_page", phys))
		return OTST_PAGE_VSYSCALL;
	if (is_real_mode(o, phys))
		return OTST_PAGE_REAL_MODE;
	return is_control(o, "kexec_image", phys) || is_control(o, "kexec_crash_image", phys) ?
		       OTST_PAGE_KEXEC :
		       OTST_PAGE_NOBODY;
}

enum otst_page_owner otst_page_owner(struct otst *o, uint64_t phys)
{
	const struct doubts doubts = o->doubts;
	enum otst_page_owner owner = find_page_owner(o, phys);

	o->doubts = doubts;
	return owner;
}
