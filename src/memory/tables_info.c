// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tables_info.c - page tables that VMCOREINFO names
 */
#include <string.h>

#include "../base/engine.h"
#include "memory.h"
#include "tables.h"

int otst_read_phys(void *priv, uint64_t phys, void *buf, uint64_t len)
{
	struct otst *o = priv;

	return otst_answer(o, o->ops.read(o->priv, OTST_PHYS, phys, buf, len));
}

bool otst_read_table_word(struct otst *o, uint64_t phys, uint64_t *ret)
{
	unsigned char bytes[8];

	if (otst_read_phys(o, phys, bytes, sizeof(bytes)))
		return false;
	*ret = otst_get(o, bytes, sizeof(bytes));
	return true;
}

/* values that are printed without "0x" */
static bool is_hex(const char *key)
{
	return !strncmp(key, "SYMBOL(", 7) || !strncmp(key, "KERNELOFF", 9) ||
	       !strcmp(key, "SAMODE31");
}

bool otst_find_fact(void *priv, const char *key, uint64_t *ret)
{
	struct otst_facts *f = priv;

	if (otst_vmcoreinfo_value(f->info, key, is_hex(key) ? 16 : 0, ret))
		return true;
	if (strcmp(key, "NUMBER(phys_base)") != 0)
		return false;
	f->asked = true;
	*ret = f->base;
	return true;
}

struct otst_pagetable *otst_tables_of(struct otst *o, const struct otst_arch *arch,
				      struct otst_facts *facts)
{
	struct otst_pagetable *p;

	return otst_pagetable_find(arch->elf_machine, otst_find_fact, facts, otst_read_phys, o,
				   &p) ?
		       NULL :
		       p;
}

/*
 * Before Linux 401721ecd1dc ("kexec: export the value of phys_base instead of symbol
 * address") (v4.10), VMCOREINFO does not say where in physical memory the kernel is:
 * each place that memory has is tried.
 */
static struct otst_pagetable *open_moved(struct otst *o, const struct otst_arch *arch,
					 struct otst_facts *facts)
{
	const uint64_t step = arch->image.align, before = 16u << 20; /* CONFIG_PHYSICAL_START */
	struct otst_pagetable *p = NULL;
	uint64_t start = 0, end;

	for (; !p && o->ops.memory && !o->ops.memory(o->priv, start, &start, &end); start = end) {
		facts->base = (start & -step) - before;
		for (; !p && (int64_t)facts->base < (int64_t)end && !otst_check(o);
		     facts->base += step)
			p = otst_tables_of(o, arch, facts);
	}
	return p;
}

struct otst_pagetable *otst_tables_described(struct otst *o, const struct otst_vmcoreinfo *v)
{
	const struct otst_arch *arch;
	struct otst_pagetable *p = NULL;

	for (size_t i = 0; !p && (arch = otst_arch_row(i)); i++) {
		struct otst_facts facts = { .info = v };

		p = otst_tables_of(o, arch, &facts);
		if (!p && facts.asked)
			p = open_moved(o, arch, &facts);
	}
	return p;
}

bool otst_tables_named(struct otst *o, const struct otst_vmcoreinfo *v, bool *missing)
{
	struct otst_paging pagings[OTST_PAGINGS_MAX];
	struct otst_facts facts = { .info = v };
	const struct otst_arch *arch;
	uint64_t virt, phys, word;
	bool named = false;

	*missing = true;
	for (size_t i = 0; (arch = otst_arch_row(i)); i++) {
		if (!arch->paging.find ||
		    !arch->paging.find(otst_find_fact, &facts, pagings, &virt, &phys))
			continue;
		named = true;
		*missing &=
			!otst_read_table_word(o, pagings[0].root & -(uint64_t)OTST_CHUNK, &word);
	}
	return named;
}
