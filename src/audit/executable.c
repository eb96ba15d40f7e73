// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * executable.c - what the kernel's page tables let it execute: all of it belongs to somebody, none
 * of it is data, and text is not writable.
 */
#include <inttypes.h>
#include <string.h>

#include "../memory/translate.h"
#include "../owners/owners.h"
#include "everywhere.h"

#define MOST_STRAYS  65536u
#define MOST_TOLD    4096u /* of them: most may be programs of BPF, which are not told */
#define MOST_MISSING 64u
/* no kernel has more; tables that lead to themselves do */
#define MOST_EXECUTABLE (1ull << 32)
#define FIRST_BYTES	16u
#define SAMPLES		64u

enum stray_kind {
	STRAY_NOBODYS, /* executable memory in no area */
	STRAY_TEXT,    /* that is writable as well */
	STRAY_DATA,
	STRAY_BEHIND, /* what is behind the text on its last page */
	STRAY_RODATA, /* read-only data that is writable */
	STRAY_ALIAS,  /* where text, or read-only data, can be written at another address */
};

struct stray {
	uint64_t begin, end;
	enum stray_kind kind;
	bool writable;
};

/* who makes or frees executable memory, or NULL; once asked */
struct makers {
	bool asked;
	const char *who;
};

struct pages {
	struct otst *o;
	struct otst_audit *a;
	const struct otst_areas *areas;
	struct otst_vec strays;
	uint64_t page;
	uint8_t *bytes; /* a page */
	bool text_is_fixed, modules_are_fixed, modules_have_data;
	bool has_cache, has_thunks;  /* this kernel has execmem's cache, thunks of ITS */
	uint64_t rodata, rodata_end; /* full pages that are kept from being executed */
	uint64_t direct;	     /* otst_direct_map() */
	struct makers makers[2];     /* of any memory, of memory in the direct map */
	size_t told;
	bool unknown; /* whose a page is cannot be told for want of a name */
};

static bool is_enough(struct pages *p)
{
	return p->told++ >= MOST_TOLD;
}

static void add_stray(struct pages *p, uint64_t begin, uint64_t end, enum stray_kind kind,
		      bool writable)
{
	struct stray *s = p->strays.count ? (struct stray *)p->strays.data + p->strays.count - 1 :
					    NULL;

	if (s && s->end == begin && s->kind == kind && s->writable == writable) {
		s->end = end;
		return;
	}
	s = otst_vec_push(p->o, &p->strays, sizeof(*s));
	*s = (struct stray){ .begin = begin, .end = end, .kind = kind, .writable = writable };
}

/* kernels have made BPF's trampolines and kprobes' pages writable and executable */
static bool must_be_fixed(const struct pages *p, const struct otst_area *a)
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
static bool is_data(const struct pages *p, const struct otst_area *a, uint64_t at)
{
	if (a->kind == OTST_AREA_KERNEL)
		return at >= p->rodata && at < p->rodata_end;
	return a->kind == OTST_AREA_MODULE && p->modules_have_data &&
	       a->module->state == OTST_MODULE_LIVE && is_module_data(a->module, at, p->page);
}

static void take_owned(struct pages *p, const struct otst_area *a, uint64_t begin, uint64_t end,
		       bool writable)
{
	bool fixed = must_be_fixed(p, a);

	for (; begin < end; begin += p->page) {
		if (is_data(p, a, begin))
			add_stray(p, begin, begin + p->page, STRAY_DATA, writable);
		else if (writable && fixed)
			add_stray(p, begin, begin + p->page, STRAY_TEXT, true);
	}
}

/* pages in no area */
static void take_unowned(struct pages *p, uint64_t begin, uint64_t end, uint64_t phys,
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
				  begin >= b->stext && begin < b->end ? STRAY_DATA : STRAY_NOBODYS,
				  writable);
		else if (owner == OTST_PAGE_ALIAS && writable && p->text_is_fixed)
			add_stray(p, begin, begin + p->page, STRAY_TEXT, true);
	}
}

static int take_mapping(void *priv, const struct otst_mapped *m)
{
	struct pages *p = priv;
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
	return otst_check(((struct pages *)priv)->o);
}

/* ---- memory in no area ---- */

/* an area of the vmalloc space; @sym: who asked for it; @why: what kept it from being found */
struct asked {
	struct otst_vmap v;
	struct otst_sym sym;
	const char *why;
};

/* the kernel itself asked for it, or nothing says who */
static bool is_kernels_page(const struct asked *by)
{
	return !by->v.caller || (by->sym.name && !by->sym.module);
}

/* programs of classic BPF have no name in the kernel's lists */
static bool is_bpf(const struct otst_sym *asker)
{
	return asker->name && !asker->module && strstr(asker->name, "bpf_");
}

/* what text is taken from: breakpoints are where nothing is (mm/execmem.c) */
static bool is_unused(const struct pages *p, const struct otst_sym *asker)
{
	static const char made_by[] = "execmem_";

	if (!p->has_cache || !asker->name || asker->module ||
	    strncmp(asker->name, made_by, sizeof(made_by) - 1) != 0)
		return false;
	for (uint64_t i = 0; i < p->page; i++) {
		if (p->bytes[i] != 0xcc)
			return false;
	}
	return true;
}

/* @missing: pages in a row that could not be read; behind many of them no other is tried */
static bool is_filler(struct pages *p, const struct stray *s, const struct asked *by, uint64_t at,
		      unsigned int *missing)
{
	bool may_be_thunks = p->has_thunks && !s->writable;

	if ((!p->has_cache && !may_be_thunks) || *missing >= MOST_MISSING)
		return false;
	if (otst_read(p->o, at, p->bytes, p->page)) {
		++*missing;
		return false;
	}
	*missing = 0;
	return is_unused(p, &by->sym) || (may_be_thunks && otst_is_thunks(p->bytes, p->page));
}

static size_t count_pointers(const struct otst_audit *a, const struct stray *s)
{
	const struct otst_finding *f = a->findings.data;
	size_t i, n = 0;

	for (i = 0; i < a->findings.count; i++)
		n += f[i].kind == OTST_FINDING_POINTER && f[i].addr >= s->begin &&
		     f[i].addr < s->end;
	return n;
}

static const char *first_bytes(struct pages *p, const struct stray *s)
{
	uint8_t bytes[FIRST_BYTES];
	const char *text = "";

	if (otst_read(p->o, s->begin, bytes, sizeof(bytes)))
		return "; it is not in the dump";
	for (unsigned int i = 0; i < sizeof(bytes); i++)
		text = otst_format(p->o, "%s %02x", text, bytes[i]);
	return otst_format(p->o, "; it begins with%s", text);
}

/* where the kernel itself has what can be written at @s */
static const char *describe_alias(struct pages *p, const struct stray *s)
{
	const struct otst_text_bounds *b = otst_text_bounds(p->o);
	uint64_t first = 0, at;

	if (otst_physical(p->o, b->stext, &first))
		first = s->begin - p->direct - first;
	at = b->stext + first;
	return otst_format(p->o, "a writable alias of %s, of %s",
			   at < b->etext ? "text" : "read-only data", otst_name(p->o, at));
}

static int report_stray(struct pages *p, const struct stray *s, uint64_t caller)
{
	int err = s->kind == STRAY_NOBODYS ? otst_audit_variables(p->o, p->a, s->begin, s->end,
								  "executable memory of nobody") :
					     0;
	size_t n = count_pointers(p->a, s);
	const char *what = s->kind == STRAY_TEXT   ? "text that is writable" :
			   s->kind == STRAY_RODATA ? "read-only data that is writable" :
			   s->kind == STRAY_ALIAS  ? describe_alias(p, s) :
			   s->kind == STRAY_BEHIND ? "code behind the kernel's text" :
			   s->kind == STRAY_DATA   ? "data that is executable" :
			   s->writable		   ? "executable and writable memory of nobody" :
						     "executable memory of nobody";
	bool shown = s->kind != STRAY_TEXT && s->kind != STRAY_RODATA && s->kind != STRAY_ALIAS;

	/* the kernel has addresses of the end of its text */
	if (shown && s->kind != STRAY_BEHIND)
		otst_audit_seek(p->o, p->a, s->begin, s->end);
	otst_finding_add(
		p->o, p->a, OTST_FINDING_MEMORY, s->begin,
		otst_format(p->o, "%s: %" PRIu64 " byte%s%s%s%s%s", what, s->end - s->begin,
			    otst_number(s->end - s->begin, "", "s"),
			    caller ? ", asked for by " : "", caller ? otst_name(p->o, caller) : "",
			    shown ? first_bytes(p, s) : "",
			    n ? otst_format(p->o, "; %zu %s into it", n,
					    otst_number(n, "pointer leads", "pointers lead")) :
				""));
	return err;
}

static const char *describe_stray(struct otst *o, const struct stray *s, const char *why)
{
	return otst_format(o, "%" PRIu64 " bytes at 0x%" PRIx64 ": %s", s->end - s->begin, s->begin,
			   why);
}

/* most memory of the direct map never becomes executable, whatever is loaded or freed */
static int find_makers(struct pages *p, const struct stray *s, const char **ret)
{
	uint64_t phys;
	bool direct = p->direct && otst_physical(p->o, s->begin, &phys) &&
		      s->begin - phys == p->direct;
	struct makers *m = &p->makers[direct];
	int err = m->asked ? 0 : otst_audit_makers(p->o, direct, &m->who);

	m->asked = true;
	*ret = m->who;
	return err;
}

static int judge_stray_by(struct pages *p, const struct stray *s, const struct asked *by)
{
	const char *why = p->areas->gap ? p->areas->gap : by->why, *makers;
	int err = 0;

	if (is_enough(p))
		return 0;
	if (!why && is_kernels_page(by)) {
		err = find_makers(p, s, &makers);
		if (makers)
			why = otst_format(
				p->o,
				"memory of nobody; perhaps it is just being made or freed: %s",
				makers);
		else if (otst_read(p->o, s->begin, p->bytes, FIRST_BYTES))
			why = "memory of nobody; it is not in the dump";
	}
	if (why)
		otst_audit_gap(p->o, p->a, "executable memory", OTST_LOOKED_IN_PART,
			       describe_stray(p->o, s, why));
	else
		err = report_stray(p, s, by->v.caller);
	return err;
}

/* what of @s is not filler; @by has asked for all of it */
static int judge_area(struct pages *p, const struct stray *s, const struct asked *by)
{
	struct stray piece = *s;
	unsigned int missing = 0;
	int err = 0;

	for (uint64_t at = s->begin; at <= s->end && !err; at += p->page) {
		if (at < s->end && !is_filler(p, s, by, at, &missing))
			continue;
		piece.end = at;
		if (piece.begin < piece.end)
			err = judge_stray_by(p, &piece, by);
		piece.begin = at + p->page;
	}
	return err;
}

static struct asked find_asker(struct otst *o, uint64_t at)
{
	struct asked by = { 0 };
	int err = otst_vmap_at(o, at, &by.v);

	if (err && err != OTST_ERR_LOOKUP)
		by.why = otst_strdup(o, otst_message(o));
	if (by.v.caller)
		otst_symbolize(o, by.v.caller, &by.sym);
	return by;
}

/* @s, area by area of the vmalloc space */
static int judge_stray(struct pages *p, const struct stray *s)
{
	struct stray piece = *s;
	struct asked by;
	int err = 0;

	for (; piece.begin < s->end && !err; piece.begin = piece.end) {
		by = find_asker(p->o, piece.begin);
		piece.end = s->end;
		if (by.v.end < s->end)
			piece.end = (by.v.end + p->page - 1) & -p->page;
		err = is_bpf(&by.sym) ? 0 : judge_area(p, &piece, &by);
		err = err ?: otst_check(p->o);
	}
	return err;
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
static void look_at_modules(struct pages *p)
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

static void look_at_kernel(struct pages *p)
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
static bool add_aliases(struct pages *p, uint64_t begin, uint64_t end)
{
	uint64_t at, phys, all = 0, writable = 0;

	for (at = begin & -p->page; p->direct && at < end && !otst_stopped(p->o); at += p->page) {
		if (!otst_physical(p->o, at, &phys))
			continue;
		all++;
		if (!(otst_page_rights(p->o, phys + p->direct, NULL) & OTST_MAY_WRITE))
			continue;
		writable++;
		add_stray(p, phys + p->direct, phys + p->direct + p->page, STRAY_ALIAS, true);
	}
	return 2 * writable <= all;
}

static void look_at_aliases(struct pages *p)
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
static bool rodata_is_fixed(const struct pages *p)
{
	uint64_t at = otst_symbol_or0(p->o, "rodata_enabled");
	uint8_t enabled;

	if (!p->text_is_fixed || !at || otst_read_u8(p->o, at, &enabled))
		return p->text_is_fixed &&
		       !most_may(p->o, p->rodata, p->rodata_end, OTST_MAY_WRITE);
	return enabled;
}

static void look_at_rodata(struct pages *p)
{
	uint64_t at = p->rodata;

	if (at >= p->rodata_end || !rodata_is_fixed(p))
		return;
	for (; at < p->rodata_end && !otst_stopped(p->o); at += p->page) {
		if (otst_page_rights(p->o, at, NULL) & OTST_MAY_WRITE)
			add_stray(p, at, at + p->page, STRAY_RODATA, true);
	}
}

/* clears what the kernel has between two symbols in the @len bytes that p->bytes holds of @at */
static void clear_between(struct pages *p, uint64_t at, uint64_t len, const char *begin,
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
static void look_behind_text(struct pages *p)
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
		add_stray(p, at + i, at + len, STRAY_BEHIND, false);
}

/* all executable pages of the kernel's page tables */
static int walk_tables(struct pages *p)
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
	struct pages p = { .o = o, .a = a, .page = otst_page_size(o) };
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
	}
	for (size_t i = 0; !err && i < p.strays.count; i++) {
		const struct stray *s = (struct stray *)p.strays.data + i;

		if (s->kind == STRAY_NOBODYS)
			err = judge_stray(&p, s);
		else if (!is_enough(&p))
			err = report_stray(&p, s, 0);
	}
	if (p.told > MOST_TOLD || p.strays.count >= MOST_STRAYS)
		otst_audit_gap(o, a, "executable memory", OTST_LOOKED_IN_PART,
			       "there are too many pieces of it; the rest is not shown");
	o->doubts = doubts;
	return err ? err : otst_check(o);
}
