// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pagetable.c - translates kernel addresses of x86_64 by the kernel's own
 * page table, init_top_pgt (Linux arch/x86/kernel/head_64.S), as
 * Linux arch/x86/mm/fault.c's dump_pagetable() walks it.
 *
 * libkdumpfile can do this too, but starts from the CR3 of the first cpu where
 * the dump has it (up to 0.5.3): with page table isolation that is a table
 * without the kernel when the cpu was in user mode. It also maps out the
 * direct mapping before the first read, which costs more than a whole listing
 * here.
 */
#include "offline.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_SIZE  4096u
#define ENTRY_BITS 9
#define ENTRIES	   (PAGE_SIZE / sizeof(uint64_t))
#define CACHED	   64

#define PTE_PRESENT 1u
#define PTE_HUGE    (1u << 7)
#define PTE_ADDRESS 0x000ffffffffff000ull

/* Linux arch/x86/include/asm/page_64_types.h: __START_KERNEL_map */
#define KERNEL_MAP 0xffffffff80000000ull

/** struct table - a cached page of the table; @phys has bit 0 set when in use */
struct table {
	uint64_t phys;
	uint64_t entries[ENTRIES];
};

struct pagetable {
	struct dump *d;
	uint64_t root;
	uint64_t address_mask; /* of an entry, less the encryption bit */
	int levels;
	struct table cache[CACHED];
};

static int read_entry(struct pagetable *p, uint64_t table, size_t index, uint64_t *ret)
{
	struct table *t = &p->cache[table / PAGE_SIZE % CACHED];

	if (t->phys != (table | 1)) {
		t->phys = 0;
		if (dump_read(p->d, OTST_PHYS, table, t->entries, PAGE_SIZE))
			return OTST_ERR_FAULT;
		t->phys = table | 1;
	}
	*ret = le64toh(t->entries[index]);
	return 0;
}

int pagetable_walk(struct pagetable *p, uint64_t virt, uint64_t *phys, uint64_t *span)
{
	unsigned int shift = 12 + ENTRY_BITS * (unsigned int)p->levels;
	uint64_t table = p->root;

	/* Addresses are sign-extended; others are none. */
	if ((uint64_t)((int64_t)(virt << (64 - shift)) >> (64 - shift)) != virt)
		return OTST_ERR_FAULT;
	for (int level = p->levels; level; level--) {
		uint64_t entry, size;

		shift -= ENTRY_BITS;
		if (read_entry(p, table, virt >> shift & (ENTRIES - 1), &entry) ||
		    !(entry & PTE_PRESENT))
			return OTST_ERR_FAULT;
		table = entry & p->address_mask;
		if (level > 1 && !((level == 2 || level == 3) && entry & PTE_HUGE))
			continue;
		size = 1ull << shift;
		*phys = (table & ~(size - 1)) | (virt & (size - 1));
		*span = size - (virt & (size - 1));
		return 0;
	}
	return OTST_ERR_FAULT;
}

/*
 * A root that maps the kernel's start to where phys_base says it is can be
 * trusted; stale copies of VMCOREINFO, of an earlier boot, do not pass.
 */
static bool root_fits(struct pagetable *p, uint64_t text, uint64_t phys_base)
{
	uint64_t phys, span;

	return !pagetable_walk(p, text, &phys, &span) && phys == text - KERNEL_MAP + phys_base;
}

static bool find_root(const char *info, size_t len, uint64_t *ret)
{
	/* v4.13 renamed init_level4_pgt; on x86 swapper_pg_dir is a macro for either. */
	return vmcoreinfo_hex(info, len, "SYMBOL(init_top_pgt)", ret) ||
	       vmcoreinfo_hex(info, len, "SYMBOL(swapper_pg_dir)", ret) ||
	       vmcoreinfo_hex(info, len, "SYMBOL(init_level4_pgt)", ret);
}

int pagetable_open(struct dump *d, const char *info, size_t len, const uint64_t *phys_base,
		   struct pagetable **ret)
{
	uint64_t root, base, five = 0, mask = 0, text;
	struct pagetable *p;

	/*
	 * Linux 401721ecd1dc ("kexec: export the value of phys_base instead of
	 * symbol address") (v4.10).
	 */
	if (!vmcoreinfo_number(info, len, "NUMBER(phys_base)", &base)) {
		if (!phys_base)
			return OTST_ERR_CORRUPT;
		base = *phys_base;
	}
	if (!find_root(info, len, &root) || root < KERNEL_MAP)
		return OTST_ERR_CORRUPT;
	if (!vmcoreinfo_hex(info, len, "SYMBOL(_stext)", &text))
		text = root;
	vmcoreinfo_number(info, len, "NUMBER(pgtable_l5_enabled)", &five);
	vmcoreinfo_number(info, len, "NUMBER(sme_mask)", &mask);

	p = calloc(1, sizeof(*p));
	if (!p)
		return OTST_ERR_NOMEM;
	p->d = d;
	p->root = root - KERNEL_MAP + base;
	p->levels = five ? 5 : 4;
	p->address_mask = PTE_ADDRESS & ~mask;
	if (!root_fits(p, text, base)) {
		free(p);
		return OTST_ERR_CORRUPT;
	}
	*ret = p;
	return 0;
}

void pagetable_close(struct pagetable *p)
{
	free(p);
}
