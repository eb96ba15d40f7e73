// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tables_image.c - page tables by the image file: its linux_banner is searched for in physical
 * memory, where the boot loader puts the image as one piece. The tables are variables of that
 * piece, and it records how far its addresses were moved.
 */
#include <gelf.h>
#include <string.h>

#include "../arch/arch.h"
#include "../base/engine.h"
#include "../image/image.h"
#include "tables.h"

#define BANNER_MAX 256u /* bytes that are compared */

/**
 * struct image - the image file, as physical memory has it
 * @banner: link address of linux_banner; @text: the text there
 * @move: what has to be added to the file's addresses
 */
struct image {
	struct otst *o;
	const struct otst_arch *arch;
	uint64_t banner;
	char text[BANNER_MAX];
	uint64_t move;
};

static bool read_variable(const struct image *i, const char *name, uint64_t offset, uint64_t *ret)
{
	uint64_t at;

	return name && !otst_image_symbol(i->o, name, &at) &&
	       otst_read_table_word(i->o, at + i->move + offset, ret);
}

static bool maps_to(struct otst_pagetable *p, uint64_t virt, uint64_t phys)
{
	uint64_t at, span;

	return !otst_pagetable_walk(p, virt, &at, &span) && at == phys;
}

/* Opens tables that map the banner and the tables themselves to where they are. */
static bool open_image_tables(const struct image *i, const char *name, struct otst_tables *ret)
{
	uint64_t encryption = 0, top;

	if (otst_image_symbol(i->o, name, &top))
		return false;
	read_variable(i, i->arch->paging.encryption, 0, &encryption);
	for (size_t l = 0; l < i->arch->paging.nr_layouts; l++) {
		struct otst_paging paging = i->arch->paging.layouts[l];

		paging.machine = i->arch->elf_machine;
		paging.root = top + i->move;
		paging.encryption = encryption;
		if (otst_pagetable_create(&paging, otst_read_phys, i->o, &ret->p))
			continue;
		if (maps_to(ret->p, i->banner + ret->shift, i->banner + i->move) &&
		    maps_to(ret->p, top + ret->shift, paging.root)) {
			ret->found.by_image = true;
			ret->found.at = i->banner + i->move;
			return true;
		}
		otst_pagetable_destroy(ret->p);
		ret->p = NULL;
	}
	return false;
}

static bool is_image(struct image *i, uint64_t phys, struct otst_tables *ret)
{
	const char *const *top = i->arch->paging.top_tables;
	char found[BANNER_MAX];
	size_t len = strlen(i->text);
	uint64_t offset;

	if (otst_read_phys(i->o, phys, found, len) || memcmp(found, i->text, len) != 0)
		return false;
	i->move = phys - i->banner;
	if (!read_variable(i, i->arch->image.offset, i->arch->image.offset_at, &offset))
		return false;
	ret->shift = i->arch->image.shift(i->move, offset);
	for (; *top && !ret->shifted; top++)
		ret->shifted = open_image_tables(i, *top, ret);
	return ret->shifted;
}

bool otst_tables_by_image(struct otst *o, struct otst_tables *ret)
{
	struct image i = { .o = o };
	uint64_t start = 0, end, step, at;
	void *elf = o->ops.memory ? otst_image_elf(o) : NULL;
	GElf_Ehdr eh;

	if (!elf || !gelf_getehdr(elf, &eh) || otst_image_symbol(o, "linux_banner", &i.banner) ||
	    otst_image_string(o, "linux_banner", i.text, sizeof(i.text)) || !*i.text)
		return false;
	i.arch = otst_arch_of_elf(eh.e_machine);
	step = i.arch->image.align;
	for (; step && !o->ops.memory(o->priv, start, &start, &end); start = end) {
		at = start + ((i.banner - start) & (step - 1));
		for (; at >= start && at < end && !otst_check(o); at += step) {
			if (is_image(&i, at, ret))
				return true;
		}
	}
	return false;
}
