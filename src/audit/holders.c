// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * holders.c - what a page of physical memory is used for: the kernel's image, a module, the stack
 * of a task, a slab cache (struct slab of mm/slab.h, struct page before 5.17).
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../base/engine.h"
#include "../base/hashmap.h"
#include "../memory/translate.h"
#include "../tasks/task.h"
#include "everywhere.h"

#define MOST_PAGES 65536u /* of one stack or module */
#define NAME_SIZE  64u
#define MASK	   (-(UINT64_C(1) << 32)) /* no address of a struct page */

struct page_use {
	const char *what;
	uint64_t virt;
};

/* the pages at @virt, which need not lie together */
static void learn_pages(struct otst *o, struct otst_page_holders *h, uint64_t virt, uint64_t size,
			const char *what)
{
	uint64_t at = virt & -h->page, phys;
	struct page_use *use;
	void **place;

	if (size > MOST_PAGES * h->page)
		return;
	for (; at < virt + size && !otst_stopped(o); at += h->page) {
		if (!otst_physical(o, at, &phys))
			continue;
		place = otst_hashmap_place(o, &h->pages, phys / h->page + 1);
		if (!place || *place)
			continue;
		use = otst_new(o, sizeof(*use));
		*use = (struct page_use){ what, at };
		*place = use;
	}
}

static void learn_modules(struct otst *o, struct otst_page_holders *h, struct otst_module *const *m)
{
	for (; *m; m++) {
		for (unsigned int i = 0; i < (*m)->nr_ranges; i++)
			learn_pages(o, h, (*m)->ranges[i].base, (*m)->ranges[i].size,
				    otst_format(o, "module %s", (*m)->name));
	}
}

static void learn_stacks(struct otst *o, struct otst_page_holders *h, const struct otst_tasks *t)
{
	uint64_t size = otst_thread_size(o);

	for (size_t i = 0; i < t->count; i++) {
		const struct otst_task *task = t->items[i];

		if (task->stack)
			learn_pages(o, h, task->stack, size,
				    otst_format(o, "stack of %s/%" PRIu64,
						task->comm ? task->comm : "?", task->pid));
	}
}

static void learn_caches(struct otst *o, struct otst_page_holders *h)
{
	uint64_t head = otst_symbol_or0(o, "slab_caches"), node, at;
	const struct otst_member *link;
	const char *name;
	struct otst_walk w;
	void **place;

	if (!head || otst_member(o, "kmem_cache", "list", &link))
		return;
	otst_walk_list(o, head, &w);
	while (otst_walk_next(&w, &node)) {
		node -= link->offset;
		if (otst_read_member(o, "kmem_cache", node, "name", &at) ||
		    otst_read_string(o, at, NAME_SIZE, &name))
			continue;
		place = otst_hashmap_place(o, &h->caches, node);
		if (place)
			*place = (void *)(uintptr_t)otst_format(o, "slab %s", name);
	}
}

/* x86_64 has a variable, arm64 a constant for the page of the first memory */
static void find_map(struct otst *o, struct otst_page_holders *h)
{
	const char *type = otst_has_member(o, "slab", "slab_cache") ? "slab" : "page";
	const char *start = otst_vmcoreinfo(o, "NUMBER(VMEMMAP_START)");
	uint64_t at = otst_symbol_or0(o, "vmemmap_base"),
		 first = otst_symbol_or0(o, "memstart_addr");
	const struct otst_member *cache, *head;

	if (otst_type_size(o, "page", &h->map_item) || !h->map_item ||
	    otst_member(o, type, "slab_cache", &cache) ||
	    otst_member(o, "page", otst_either(o, "page", "compound_info", "compound_head"), &head))
		return;
	h->cache = cache->offset;
	h->head = head->offset;
	if (at && !otst_read_u64(o, at, &h->map))
		return;
	if (!start || !first || otst_read_u64(o, first, &h->map_first))
		return;
	/* it may be negative */
	h->map_first = (uint64_t)((int64_t)h->map_first / (int64_t)h->page);
	h->map = strtoull(start, NULL, 0);
}

/* x86_64 has a variable; arm64's addresses of all memory begin with those of the kernel */
uint64_t otst_direct_map(struct otst *o)
{
	const char *bits = otst_vmcoreinfo(o, "NUMBER(VA_BITS)");
	uint64_t at = otst_symbol_or0(o, "page_offset_base"),
		 first = otst_symbol_or0(o, "memstart_addr"), start;

	if (at && !otst_read_u64(o, at, &start))
		return start;
	return bits && first && !otst_read_u64(o, first, &start) ?
		       -(UINT64_C(1) << (strtoull(bits, NULL, 10) & 63)) - start :
		       0;
}

int otst_page_holders(struct otst *o, struct otst_page_holders *ret)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);
	const struct doubts doubts = o->doubts;
	const struct otst_tasks *tasks;
	struct otst_module *const *m;

	*ret = (struct otst_page_holders){ .page = otst_page_size(o) };
	if (b->stext && otst_physical(o, b->stext, &ret->image)) {
		ret->image_virt = b->stext;
		ret->image_end = ret->image + (b->end - b->stext);
	}
	if (!otst_modules(o, &m))
		learn_modules(o, ret, m);
	if (!otst_hidden_modules(o, &m))
		learn_modules(o, ret, m);
	if (!otst_tasks(o, &tasks))
		learn_stacks(o, ret, tasks);
	learn_caches(o, ret);
	find_map(o, ret);
	ret->direct = otst_direct_map(o);
	o->doubts = doubts;
	return otst_check(o);
}

/*
 * The cache whose slab has the page; NULL when it is in none. What a page behind the first one has is
 * marked by its lowest bit: the address of the first one, or the mask that leads there (compound_info).
 */
static const char *find_slab(struct otst *o, const struct otst_page_holders *h, uint64_t frame)
{
	uint64_t page = h->map + (frame - h->map_first) * h->map_item, head, cache;

	if (!h->map || otst_read_u64(o, page + h->head, &head))
		return NULL;
	if (head & 1)
		page = head >= MASK ? page & (head - 1) : head - 1;
	return otst_read_u64(o, page + h->cache, &cache) ? NULL :
							   otst_hashmap_find(&h->caches, cache);
}

const char *otst_page_holder(struct otst *o, struct otst_page_holders *h, uint64_t phys,
			     uint64_t *virt)
{
	const struct page_use *use = otst_hashmap_find(&h->pages, phys / h->page + 1);
	const char *slab;
	struct otst_sym sym;
	uint64_t back;

	if (use) {
		*virt = use->virt + phys % h->page;
		return use->what;
	}
	if (phys >= h->image && phys < h->image_end) {
		*virt = h->image_virt + (phys - h->image);
		otst_symbolize(o, *virt, &sym);
		return sym.name ? sym.name : "the kernel's image";
	}
	*virt = phys + h->direct;
	if (!h->direct || !otst_physical(o, *virt, &back) || back != phys)
		*virt = 0;
	slab = find_slab(o, h, phys / h->page);
	return slab ? slab : "other memory";
}
