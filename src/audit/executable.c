// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * executable.c - what the kernel's page tables let it execute: all of it belongs to somebody, none
 * of it is data, and text is not writable.
 */
#include <inttypes.h>
#include <string.h>

#include "../memory/translate.h"
#include "stray.h"

#define MOST_STRAYS 65536u
/* no kernel has more; tables that lead to themselves do */
#define MOST_EXECUTABLE (1ull << 32)
#define SAMPLES		64u

static void add_stray(struct otst_pages *p, uint64_t begin, uint64_t end, enum otst_stray_kind kind,
		      bool writable)
{
	struct otst_stray *s =
		p->strays.count ? (struct otst_stray *)p->strays.data + p->strays.count - 1 : NULL;

	if (s && s->end == begin && s->kind == kind && s->writable == writable) {
		s->end = end;
		return;
	}
	s = otst_vec_push(p->o, &p->strays, sizeof(*s));
	*s = (struct otst_stray){ .begin = begin, .end = end, .kind = kind, .writable = writable };
}

/* kernels have made BPF's trampolines and kprobes' pages writable and executable */
static bool must_be_fixed(const struct otst_pages *p, const struct otst_area *a)
{
	return (a->kind == OTST_AREA_KERNEL && p->text_is_fixed) ||
	       (a->kind == OTST_AREA_MODULE && p->modules_are_fixed &&
		a->module->state == OTST_MODULE_LIVE);
}

/* true if no byte of the page at @at is text, nor has been while the module was loaded */
static bool is_module_data(const struct otst_module *m, uint64_t at, uint64_t page)
{
	bool data = false;

	for (unsigned int i = 0; i < m->nr_ranges; i++) {
		const struct otst_module_range *r = &m->ranges[i];

		if (r->base >= at + page || r->base + r->size <= at)
			continue;
		if (r->text || r->init)
			return false;
		data = true;
	}
	return data;
}

/* what the kernel keeps from being executed elsewhere */
static bool is_data(const struct otst_pages *p, const struct otst_area *a, uint64_t at)
{
	if (a->kind == OTST_AREA_KERNEL)
		return at >= p->rodata && at < p->rodata_end;
	return a->kind == OTST_AREA_MODULE && p->modules_have_data &&
	       a->module->state == OTST_MODULE_LIVE && is_module_data(a->module, at, p->page);
}

static void take_owned(struct otst_pages *p, const struct otst_area *a, uint64_t begin,
		       uint64_t end, bool writable)
{
	bool fixed = must_be_fixed(p, a);

	for (; begin < end; begin += p->page) {
		if (is_data(p, a, begin))
			add_stray(p, begin, begin + p->page, OTST_STRAY_DATA, writable);
		else if (writable && fixed)
			add_stray(p, begin, begin + p->page, OTST_STRAY_TEXT, true);
	}
}

/* pages in no area */
static void take_unowned(struct otst_pages *p, uint64_t begin, uint64_t end, uint64_t phys,
			 bool writable)
{
	const struct otst_text_bounds *b = otst_text_bounds(p->o);

	for (; begin < end; begin += p->page, phys += p->page) {
		enum otst_page_owner owner = otst_page_owner(p->o, phys & -p->page);

		if (owner == OTST_PAGE_UNKNOWN && !p->unknown)
			otst_audit_gap(p->o, p->a, "executable memory", OTST_LOOKED_IN_PART,
				       otst_doubt_why(p->o));
		p->unknown |= owner == OTST_PAGE_UNKNOWN;
		if (owner == OTST_PAGE_NOBODY)
			add_stray(p, begin, begin + p->page,
				  begin >= b->stext && begin < b->end ? OTST_STRAY_DATA :
									OTST_STRAY_NOBODYS,
				  writable);
		else if (owner == OTST_PAGE_ALIAS && writable && p->text_is_fixed)
			add_stray(p, begin, begin + p->page, OTST_STRAY_TEXT, true);
	}
}

static int take_mapping(void *priv, const struct otst_mapped *m)
{
	struct otst_pages *p = priv;
	uint64_t at = m->virt, end = m->virt + m->len, next;
	bool writable = m->rights & OTST_MAY_WRITE;

	if (m->len > MOST_EXECUTABLE || p->a->executable > MOST_EXECUTABLE / p->page)
		return otst_raise(p->o, OTST_ERR_CORRUPT,
				  "the page tables make no sense: more than 4 GB is executable");
	p->a->executable += m->len / p->page;
	while (at < end && p->strays.count < MOST_STRAYS) {
		const struct otst_area *area = otst_area_at(p->areas, at, &next);

		next = area ? area->end : next;
		next = next < end ? next : end;
		if (!area)
			take_unowned(p, at, next, m->phys + (at - m->virt), writable);
		else
			take_owned(p, area, at, next, writable);
		at = next;
	}
	return 0;
}

static int take_breath(void *priv)
{
	return otst_check(((struct otst_pages *)priv)->o);
}

/*
 * May most of these pages be used so? One that was changed does not decide what the kernel
 * protects.
 */
static bool most_may(struct otst *o, uint64_t begin, uint64_t end, unsigned int right)
{
	uint64_t page = otst_page_size(o), step = (end - begin) / SAMPLES & -page, at, phys;
	unsigned int mapped = 0, may = 0;

	/* what may only be read has no rights */
	for (at = begin; at < end; at += step ? step : page) {
		mapped += otst_physical(o, at, &phys);
		may += (otst_page_rights(o, at, NULL) & right) != 0;
	}
	return 2 * may > mapped;
}

/* what of the modules on the list is protected: text of some from being written, data from being executed */
static void look_at_modules(struct otst_pages *p)
{
	struct otst_module *const *m;

	if (otst_modules(p->o, &m))
		return;
	for (; *m; m++) {
		for (unsigned int i = 0; i < (*m)->nr_ranges; i++) {
			const struct otst_module_range *r = &(*m)->ranges[i];
			uint64_t last = (r->base + r->size - 1) & -p->page;
			unsigned int rights;

			if ((*m)->state != OTST_MODULE_LIVE || r->init)
				continue;
			rights = otst_page_rights(p->o, r->text ? r->base : last, NULL);
			if (r->text && rights == OTST_MAY_EXECUTE)
				p->modules_are_fixed = p->text_is_fixed;
			else if (!r->text && rights && !(rights & OTST_MAY_EXECUTE))
				p->modules_have_data = true;
		}
	}
}

static void look_at_kernel(struct otst_pages *p)
{
	const struct otst_text_bounds *b = otst_text_bounds(p->o);
	uint64_t begin = otst_symbol_or0(p->o, "__start_rodata"),
		 end = otst_symbol_or0(p->o, "__end_rodata");

	p->text_is_fixed = !most_may(p->o, b->stext, b->etext, OTST_MAY_WRITE);
	begin = (begin + p->page - 1) & -p->page;
	end &= -p->page;
	if (begin && end > begin && end <= b->end &&
	    !most_may(p->o, begin, end, OTST_MAY_EXECUTE)) {
		p->rodata = begin;
		p->rodata_end = end;
	}
}

static bool data_may_run(struct otst *o, uint64_t data)
{
	uint64_t begin = otst_symbol_or0(o, "_sdata"), end = otst_symbol_or0(o, "_edata");

	if (data < begin || data >= end) {
		begin = data;
		end = data + 1;
	}
	return most_may(o, begin, end, OTST_MAY_EXECUTE);
}

/* why the tables of this kernel cannot be judged; else NULL */
static const char *find_obstacle(struct otst *o)
{
	uint64_t data;
	int over;

	if (!otst_kernel(o)->arch->paging.rights)
		return "what may be executed is not compared on this processor";
	over = otst_init_state(o);
	data = otst_symbol_or0(o, "init_task");
	if (!otst_page_rights(o, otst_text_bounds(o)->stext, NULL))
		return "the kernel's page tables are not known";
	if (over < 0)
		return "the state of the kernel could not be read";
	if (!over)
		return "the kernel was still starting";
	if (!data || !otst_page_rights(o, data, NULL))
		return "the page tables do not have the kernel's data";
	return data_may_run(o, data) ? "this kernel does not keep data from being executed" : NULL;
}

/*
 * The same pages where the kernel has all of memory mapped. Kernels that protect their text protect it
 * there as well: cpa_process_alias() of x86_64, mark_linear_text_alias_ro() of arm64. True if this one
 * does.
 */
static bool add_aliases(struct otst_pages *p, uint64_t begin, uint64_t end)
{
	uint64_t at, phys, all = 0, writable = 0;

	for (at = begin & -p->page; p->direct && at < end && !otst_stopped(p->o); at += p->page) {
		if (!otst_physical(p->o, at, &phys))
			continue;
		all++;
		if (!(otst_page_rights(p->o, phys + p->direct, NULL) & OTST_MAY_WRITE))
			continue;
		writable++;
		add_stray(p, phys + p->direct, phys + p->direct + p->page, OTST_STRAY_ALIAS, true);
	}
	return 2 * writable <= all;
}

static void look_at_aliases(struct otst_pages *p)
{
	const struct otst_text_bounds *b = otst_text_bounds(p->o);
	size_t before = p->strays.count;

	if (!p->text_is_fixed)
		return;
	if (add_aliases(p, b->stext, b->etext))
		add_aliases(p, p->rodata, p->rodata_end);
	else
		p->strays.count = before;
}

/* does this kernel protect its read-only data: one large page of the tables may be all of it */
static bool rodata_is_fixed(const struct otst_pages *p)
{
	uint64_t at = otst_symbol_or0(p->o, "rodata_enabled");
	uint8_t enabled;

	if (!p->text_is_fixed || !at || otst_read_u8(p->o, at, &enabled))
		return p->text_is_fixed &&
		       !most_may(p->o, p->rodata, p->rodata_end, OTST_MAY_WRITE);
	return enabled;
}

static void look_at_rodata(struct otst_pages *p)
{
	uint64_t at = p->rodata;

	if (at >= p->rodata_end || !rodata_is_fixed(p))
		return;
	for (; at < p->rodata_end && !otst_stopped(p->o); at += p->page) {
		if (otst_page_rights(p->o, at, NULL) & OTST_MAY_WRITE)
			add_stray(p, at, at + p->page, OTST_STRAY_RODATA, true);
	}
}

/* clears what the kernel has between two symbols in the @len bytes that p->bytes holds of @at */
static void clear_between(struct otst_pages *p, uint64_t at, uint64_t len, const char *begin,
			  const char *end)
{
	uint64_t from = otst_symbol_or0(p->o, begin), to = otst_symbol_or0(p->o, end);

	if (from < at || to <= from || from >= at + len)
		return;
	memset(p->bytes + (from - at), 0, (to < at + len ? to : at + len) - from);
}

/*
 * The rest of the last page of text: the linker fills it with zeros or breakpoints. Linux
 * eaf937075c9a ("vmlinux.lds.h: Move NOTES into RO_DATA") and "x86/vmlinux: Move EXCEPTION_TABLE
 * to RO_DATA segment" (both v5.5): before them, these two are there.
 */
static void look_behind_text(struct otst_pages *p)
{
	uint64_t at = otst_text_bounds(p->o)->etext, len = -at & (p->page - 1), i = 0;

	if (!len || !(otst_page_rights(p->o, at, NULL) & OTST_MAY_EXECUTE))
		return;
	if (otst_read(p->o, at, p->bytes, len)) {
		p->a->missing += len;
		return;
	}
	clear_between(p, at, len, "__start_notes", "__stop_notes");
	clear_between(p, at, len, "__start___ex_table", "__stop___ex_table");
	while (i < len && (!p->bytes[i] || p->bytes[i] == 0xcc))
		i++;
	if (i < len)
		add_stray(p, at + i, at + len, OTST_STRAY_BEHIND, false);
}

/* all executable pages of the kernel's page tables */
static int walk_tables(struct otst_pages *p)
{
	struct otst_mapped_visit v = { .map = take_mapping, .tick = take_breath, .priv = p };
	const char *why;
	int err = otst_executable(p->o, &v);

	why = err ? otst_strdup(p->o, otst_message(p->o)) : NULL;
	if (err && otst_fatal(err))
		return err;
	if (why) {
		otst_audit_gap(p->o, p->a, "executable memory", OTST_LOOKED_NOT, why);
		p->strays.count = 0;
	} else if (v.lost) {
		otst_note_text(
			p->o, &p->a->errors,
			otst_format(p->o,
				    "%zu page table%s of the kernel could not be read, the first "
				    "one at physical address 0x%" PRIx64,
				    v.lost, otst_number(v.lost, "", "s"), v.lost_at));
	}
	return 0;
}

int otst_audit_executable(struct otst *o, struct otst_audit *a)
{
	struct otst_pages p = { .o = o, .a = a, .page = otst_page_size(o) };
	const struct doubts doubts = o->doubts;
	const char *why = find_obstacle(o);
	int err;

	if (why) {
		otst_audit_gap(o, a, "executable memory", OTST_LOOKED_NOT, why);
		o->doubts = doubts;
		return otst_check(o);
	}
	p.areas = otst_areas(o);
	p.bytes = otst_alloc(o, p.page);
	if (!p.bytes)
		return otst_no_memory(o);
	p.direct = otst_direct_map(o);
	p.has_cache = otst_has_symbol(o, "execmem_cache");
	p.has_thunks = otst_has_symbol(o, "__x86_indirect_its_thunk_array");
	look_at_kernel(&p);
	look_at_modules(&p);
	err = walk_tables(&p);
	if (!err) {
		look_behind_text(&p);
		look_at_rodata(&p);
		look_at_aliases(&p);
		err = otst_strays_judge(&p);
	}
	if (p.told > OTST_STRAYS_TOLD || p.strays.count >= MOST_STRAYS)
		otst_audit_gap(o, a, "executable memory", OTST_LOOKED_IN_PART,
			       "there are too many pieces of it; the rest is not shown");
	o->doubts = doubts;
	return err ? err : otst_check(o);
}
