// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tables_visible.c - page tables by the symbol of the top one, if the target reads the kernel's image
 * by its virtual addresses: they must map it to the very bytes that are read there
 */
#include <string.h>

#include "../base/engine.h"
#include "../names/kallsyms.h"
#include "memory.h"
#include "tables.h"

/* Not a real physical address: stands for the top table, read where the kernel sees it. */
#define TOP_MARK (1ull << 62)

/** struct top - the top table as the target reads it */
struct top {
	struct otst *o;
	uint64_t virt;
};

static int read_from_top(void *priv, uint64_t phys, void *buf, uint64_t len)
{
	const struct top *top = priv;

	if (phys >= TOP_MARK)
		return otst_answer(top->o,
				   top->o->ops.read(top->o->priv, OTST_VIRT,
						    top->virt + (phys - TOP_MARK), buf, len));
	return otst_read_phys(top->o, phys, buf, len);
}

/* Fills in @paging->root if tables of this layout map @top to the bytes that are there. */
static bool layout_fits(struct top *top, struct otst_paging *paging)
{
	unsigned char seen[OTST_CHUNK], mapped[OTST_CHUNK];
	struct otst_pagetable *p;
	uint64_t span;
	bool fits;

	paging->root = TOP_MARK;
	if (otst_pagetable_create(paging, read_from_top, top, &p))
		return false;
	fits = !otst_pagetable_walk(p, top->virt, &paging->root, &span) &&
	       !read_from_top(top, TOP_MARK, seen, sizeof(seen)) &&
	       !otst_read_phys(top->o, paging->root, mapped, sizeof(mapped)) &&
	       !memcmp(seen, mapped, sizeof(seen));
	otst_pagetable_destroy(p);
	return fits;
}

/* bits of every entry that do not belong to the address: AMD's memory encryption */
static uint64_t encryption_mask(struct otst *o, const char *variable)
{
	unsigned char mask[8];
	uint64_t at;

	if (!variable || otst_target_symbol(o, variable, &at) ||
	    o->ops.read(o->priv, OTST_VIRT, at, mask, sizeof(mask)))
		return 0;
	return otst_get(o, mask, sizeof(mask));
}

/* finds the top table by its symbol */
static bool find_top(struct otst *o, const struct otst_arch *arch, uint64_t *ret)
{
	const char *const *name;

	for (name = arch->paging.top_tables; name && *name; name++) {
		if (!otst_target_symbol(o, *name, ret) || !otst_vmcoreinfo_symbol(o, *name, ret))
			return true;
	}
	return false;
}

static void open_as(struct otst *o, const struct otst_arch *arch, struct otst_tables *ret)
{
	uint64_t encryption = encryption_mask(o, arch->paging.encryption);
	struct top top = { .o = o };

	for (size_t i = 0; find_top(o, arch, &top.virt) && !ret->p && i < arch->paging.nr_layouts;
	     i++) {
		struct otst_paging paging = arch->paging.layouts[i];

		paging.machine = arch->elf_machine;
		paging.encryption = encryption;
		if (layout_fits(&top, &paging))
			otst_pagetable_create(&paging, otst_read_phys, o, &ret->p);
	}
}

void otst_tables_visible(struct otst *o, struct otst_tables *ret)
{
	const struct otst_arch *arch;

	for (size_t i = 0; !ret->p && (arch = otst_arch_row(i)); i++)
		open_as(o, arch, ret);
}
