// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * translate.c - kernel memory that the target cannot translate: crash under
 * --minimal knows the kernel's image alone, gdb on a vmcore the ranges of its
 * headers. The kernel's own page tables are found by the symbol of the top one
 * and walked with physical reads.
 *
 * Where it lies in physical memory, and on which layout of tables it is the top,
 * is found by trying: tables that are understood map the top table's address to
 * the very bytes that the target reads there.
 */
#include <string.h>

#include "engine.h"

static int read_phys(void *priv, uint64_t phys, void *buf, uint64_t len)
{
	struct otst *o = priv;

	return otst_answer(o, o->ops.read(o->priv, OTST_PHYS, phys, buf, len));
}

/* A physical address that none is: stands for the top table, read where the kernel sees it. */
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
	return read_phys(top->o, phys, buf, len);
}

/* Fills in @paging->root when such tables map @top to the bytes that are there. */
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
	       !read_phys(top->o, paging->root, mapped, sizeof(mapped)) &&
	       !memcmp(seen, mapped, sizeof(seen));
	otst_pagetable_destroy(p);
	return fits;
}

/* bits of every entry that are no address, such as those of AMD's memory encryption */
static uint64_t encryption_mask(struct otst *o, const char *variable)
{
	unsigned char mask[8];
	uint64_t at;

	if (!variable || otst_target_symbol(o, variable, &at) ||
	    o->ops.read(o->priv, OTST_VIRT, at, mask, sizeof(mask)))
		return 0;
	return otst_get(o, mask, sizeof(mask));
}

struct tables {
	struct otst_pagetable *p; /* NULL when they are not known */
};

/* the top table by its symbol, which tells the processor, too: what the kernel says of it cannot be read yet */
static const struct otst_arch *find_top(struct otst *o, uint64_t *ret)
{
	const struct otst_arch *arch;
	const char *const *name;
	size_t i;

	for (i = 0; (arch = otst_arch_row(i)); i++) {
		for (name = arch->top_tables; name && *name; name++) {
			if (!otst_target_symbol(o, *name, ret) ||
			    !otst_vmcoreinfo_symbol(o, *name, ret))
				return arch;
		}
	}
	return NULL;
}

static int find_tables(struct otst *o, const void *of, void *value)
{
	struct top top = { .o = o };
	const struct otst_arch *arch = find_top(o, &top.virt);
	uint64_t encryption = arch ? encryption_mask(o, arch->encryption) : 0;
	struct tables *ret = value;
	size_t i;

	(void)of;
	for (i = 0; arch && i < arch->nr_layouts; i++) {
		struct otst_paging paging = arch->layouts[i];

		paging.machine = arch->elf_machine;
		paging.encryption = encryption;
		if (layout_fits(&top, &paging))
			return otst_pagetable_create(&paging, read_phys, o, &ret->p);
	}
	return 0;
}

static void free_tables(void *value)
{
	otst_pagetable_destroy(((struct tables *)value)->p);
}

static const struct otst_once tables = { .size = sizeof(struct tables),
					 .make = find_tables,
					 .destroy = free_tables };

int otst_translated_read(struct otst *o, uint64_t addr, void *buf, size_t len)
{
	const struct tables *t;
	int err = otst_once(o, &tables, NULL, &t);

	if (err)
		return err;
	return t->p ? otst_pagetable_read(t->p, addr, buf, len) : OTST_ERR_FAULT;
}
