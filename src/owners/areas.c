// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * areas.c - all memory that may be executed and has a record: the kernel's text, modules, BPF's
 * code (bpf_kallsyms; pack_list of kernel/bpf/core.c), ftrace's trampolines, kprobes' pages,
 * the page of hypercalls. In full pages, as page tables protect them.
 */
#include <stdlib.h>

#include "../base/engine.h"
#include "../base/hashmap.h"
#include "../base/sorted.h"
#include "owners.h"

#define PACK_SIZE (UINT64_C(2) << 20)

struct builder {
	struct otst *o;
	struct otst_areas *to;
	uint64_t page;
};

static void add_area(struct builder *b, enum otst_area_kind kind, uint64_t begin, uint64_t size,
		     const struct otst_module *m)
{
	struct otst_area *a;

	if (!begin || !size || begin + size < begin)
		return;
	a = otst_vec_push(b->o, &b->to->items, sizeof(*a));
	*a = (struct otst_area){ .begin = begin & -b->page,
				 .end = (begin + size + b->page - 1) & -b->page,
				 .kind = kind,
				 .module = m };
}

/*
 * What is behind the text up to the next section is mapped with it. On some processors
 * read-only data is, too.
 */
static void add_kernel_areas(struct builder *b)
{
	const struct otst_text_bounds *t = otst_text_bounds(b->o);
	uint64_t begin = otst_symbol_or0(b->o, "_text");
	uint64_t end = otst_symbol_or0(b->o, "__end_rodata");

	begin = begin && begin < t->stext ? begin : t->stext;
	end = end > t->etext ? end : t->etext;
	add_area(b, OTST_AREA_KERNEL, begin, end - begin, NULL);
	add_area(b, OTST_AREA_INIT, t->sinittext, t->einittext - t->sinittext, NULL);
	if (!t->stext || !t->etext)
		b->to->gap = "nothing says where the kernel's text is";
}

static void add_thunks(void *priv, const struct otst_module *m, uint64_t page)
{
	struct builder *b = priv;

	add_area(b, OTST_AREA_THUNKS, page, b->page, m);
}

static void add_modules_of(struct builder *b, struct otst_module *const *m)
{
	for (; *m; m++) {
		for (unsigned int i = 0; i < (*m)->nr_ranges; i++)
			add_area(b, OTST_AREA_MODULE, (*m)->ranges[i].base, (*m)->ranges[i].size,
				 *m);
		if (otst_thunk_pages(b->o, *m, add_thunks, b))
			b->to->gap = "not all modules could be read";
	}
}

static void add_modules(struct builder *b)
{
	struct otst_module *const *m;
	int err = otst_modules(b->o, &m);

	if (err == OTST_ERR_LOOKUP && !otst_symbols_gap(b->o))
		return;
	if (err || otst_modules_error(b->o) || otst_hidden_modules_error(b->o)) {
		b->to->gap = "not all modules could be read";
		return;
	}
	add_modules_of(b, m);
	if (!otst_hidden_modules(b->o, &m))
		add_modules_of(b, m);
}

static void add_made(void *priv, enum otst_made_code kind, uint64_t addr, uint64_t size)
{
	add_area(priv, kind == OTST_MADE_BPF ? OTST_AREA_BPF : OTST_AREA_TRAMPOLINE, addr, size,
		 NULL);
}

/* before the list of trampolines: Linux fc0ea795f53c ("ftrace: Add symbols for ftrace trampolines") (v5.8) */
static void add_trampolines(struct builder *b)
{
	const struct otst_member *next, *trampoline, *size;
	uint64_t at, first, ops, begin, len;
	struct otst_walk w;

	if (otst_has_symbol(b->o, "ftrace_ops_trampoline_list") ||
	    otst_symbol(b->o, "ftrace_ops_list", &at) ||
	    otst_member(b->o, "ftrace_ops", "next", &next) ||
	    otst_member(b->o, "ftrace_ops", "trampoline", &trampoline) ||
	    otst_member(b->o, "ftrace_ops", "trampoline_size", &size))
		return;
	if (otst_read_u64(b->o, at, &first)) {
		b->to->gap = "ftrace's list of ops could not be read";
		return;
	}
	otst_walk_chain(b->o, first, next->offset, otst_symbol_or0(b->o, "ftrace_list_end"), &w);
	while (otst_walk_next(&w, &ops)) {
		if (otst_read_u64(b->o, ops + trampoline->offset, &begin) ||
		    otst_read_u64(b->o, ops + size->offset, &len))
			b->to->gap = "ftrace's list of ops could not be read";
		else
			add_area(b, OTST_AREA_TRAMPOLINE, begin, len, NULL);
	}
	if (w.err)
		b->to->gap = "ftrace's list of ops could not be read";
}

/* Linux 57631054fae6 ("bpf: Introduce bpf_prog_pack allocator") (v5.18) */
static void add_packs(struct builder *b)
{
	const struct otst_member *link, *ptr;
	uint64_t head, node, pack;
	struct otst_vmap v;
	struct otst_walk w;

	if (otst_symbol(b->o, "pack_list", &head) ||
	    otst_member(b->o, "bpf_prog_pack", "list", &link) ||
	    otst_member(b->o, "bpf_prog_pack", "ptr", &ptr))
		return;
	otst_walk_list(b->o, head, &w);
	while (otst_walk_next(&w, &node)) {
		if (otst_read_u64(b->o, node - link->offset + ptr->offset, &pack)) {
			b->to->gap = "BPF's memory could not all be read";
			continue;
		}
		/* its size depends on the number of nodes; it may be a part of larger memory */
		add_area(b, OTST_AREA_BPF_PACK, pack,
			 !otst_vmap_at(b->o, pack, &v) && v.begin == pack &&
					 v.end - pack > b->page ?
				 v.end - pack - b->page :
				 PACK_SIZE,
			 NULL);
	}
	if (w.err)
		b->to->gap = "BPF's memory could not all be read";
}

static void add_area_slot(void *priv, uint64_t page, uint64_t size)
{
	add_area(priv, OTST_AREA_SLOTS, page, size, NULL);
}

static void add_hypercalls(struct builder *b)
{
	uint64_t at = otst_symbol_or0(b->o, "hv_hypercall_pg"), page;

	if (at && !otst_read_u64(b->o, at, &page))
		add_area(b, OTST_AREA_HYPERCALL, page, b->page, NULL);
}

static void build_areas(struct otst *o, struct otst_areas *to)
{
	struct builder b = { .o = o, .to = to, .page = otst_page_size(o) };
	const struct doubts doubts = o->doubts;
	bool cut;

	add_kernel_areas(&b);
	add_modules(&b);
	if (!otst_made_code(o, add_made, &b))
		to->gap = "BPF's code and ftrace's trampolines could not all be read";
	add_trampolines(&b);
	add_packs(&b);
	otst_slot_pages(o, add_area_slot, &b, &cut);
	if (cut)
		to->gap = "kprobes' pages could not all be read";
	add_hypercalls(&b);
	if (o->doubts.count > doubts.count && otst_symbols_gap(o))
		to->gap = otst_symbols_gap(o);
	o->doubts = doubts;
	otst_sort(to->items.data, to->items.count, sizeof(struct otst_area), otst_by_u64);
}

const struct otst_areas *otst_areas(struct otst *o)
{
	static const char key;
	void **memo = otst_memo(o, &key);

	if (!*memo) {
		struct otst_areas *a = otst_new(o, sizeof(*a));

		build_areas(o, a);
		*memo = a;
	}
	return *memo;
}

const struct otst_area *otst_area_at(const struct otst_areas *a, uint64_t addr, uint64_t *next)
{
	const struct otst_area *items = a->items.data, *found = NULL;

	*next = UINT64_MAX;
	for (size_t i = 0; i < a->items.count; i++) {
		if (items[i].begin > addr) {
			*next = items[i].begin;
			break;
		}
		if (addr < items[i].end && (!found || items[i].end > found->end))
			found = &items[i];
	}
	return found;
}
