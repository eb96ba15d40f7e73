// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pagetable.c - translates kernel addresses by a kernel's own page tables, read
 * from physical memory: x86_64 with four and five levels (Linux
 * arch/x86/include/asm/pgtable_types.h) and arm64 with any size of pages (Linux
 * arch/arm64/include/asm/pgtable-hwdef.h), large pages included.
 */
#include <stdlib.h>
#include <string.h>

#include "dump.h"

#define TABLE_PIECE 4096u /* what is read at a time; a table of arm64 may be larger */
#define CACHED	    64u

#define PTE_PRESENT 1u
#define PTE_HUGE    (1u << 7)
#define PTE_ADDRESS 0x000ffffffffff000ull

#define DESC_VALID 1u
#define DESC_TABLE 2u /* at the last level: a page */

/** struct piece - cached bytes of a table; bit 0 of @phys is set when in use */
struct piece {
	uint64_t phys;
	unsigned char data[TABLE_PIECE];
};

struct otst_pagetable {
	struct otst_paging paging;
	int (*read)(void *priv, uint64_t phys, void *buf, uint64_t len);
	void *priv;
	struct piece cache[CACHED];
};

static int read_entry(struct otst_pagetable *p, uint64_t table, uint64_t index, uint64_t *ret)
{
	uint64_t at = table + index * 8, base = at & ~(uint64_t)(TABLE_PIECE - 1);
	struct piece *c = &p->cache[base / TABLE_PIECE % CACHED];

	if (c->phys != (base | 1)) {
		c->phys = 0;
		if (p->read(p->priv, base, c->data, TABLE_PIECE))
			return OTST_ERR_FAULT;
		c->phys = base | 1;
	}
	*ret = otst_get_le(c->data + (at - base), 8);
	return 0;
}

/*
 * What an entry at @shift says: where the next table or the memory is, and
 * whether it is memory. False when it is not present.
 */
static bool decode_x86_64(const struct otst_paging *g, uint64_t entry, unsigned int shift,
			  uint64_t *next, bool *is_memory)
{
	/* pages of 2 MiB and of 1 GiB */
	bool huge = (shift == 21 || shift == 30) && entry & PTE_HUGE;

	if (!(entry & PTE_PRESENT))
		return false;
	*next = entry & PTE_ADDRESS & ~g->encryption;
	*is_memory = shift == g->page_shift || huge;
	return true;
}

/*
 * Physical addresses of 52 bits keep their upper ones below the others: in 15:12
 * with pages of 64 KiB; in 9:8 with smaller ones, if virtual addresses have 52
 * bits, too (FEAT_LPA2).
 */
static uint64_t arm64_address(const struct otst_paging *g, uint64_t entry)
{
	uint64_t mask = ((1ull << 48) - 1) & ~((1ull << g->page_shift) - 1);

	if (g->page_shift == 16)
		return (entry & mask) | (entry >> 12 & 15) << 48;
	if (g->va_bits == 52)
		return (entry & (mask | 3ull << 48)) | (entry >> 8 & 3) << 50;
	return entry & mask;
}

static bool decode_arm64(const struct otst_paging *g, uint64_t entry, unsigned int shift,
			 uint64_t *next, bool *is_memory)
{
	bool last = shift == g->page_shift;

	/* a block is what a table is not, and no such thing at the last level */
	if (!(entry & DESC_VALID) || (last && !(entry & DESC_TABLE)))
		return false;
	*next = arm64_address(g, entry);
	*is_memory = last || !(entry & DESC_TABLE);
	return true;
}

/*
 * x86_64 extends the upper bit. On arm64 the kernel's addresses have all upper
 * bits set, whatever the next one is: the linear map starts where it is clear.
 */
static bool is_address(const struct otst_paging *g, uint64_t virt)
{
	unsigned int unused = 64 - g->va_bits;

	if (g->arm64)
		return virt >> g->va_bits == UINT64_MAX >> g->va_bits;
	return (uint64_t)((int64_t)(virt << unused) >> unused) == virt;
}

int otst_pagetable_walk(struct otst_pagetable *p, uint64_t virt, uint64_t *phys, uint64_t *span)
{
	const struct otst_paging *g = &p->paging;
	const unsigned int bits = g->page_shift - 3;
	unsigned int shift = g->page_shift + (g->va_bits - g->page_shift - 1) / bits * bits;
	unsigned int top = g->va_bits - shift;
	uint64_t table = g->root;

	if (!is_address(g, virt))
		return OTST_ERR_FAULT;
	for (;; shift -= bits, top = bits) {
		uint64_t entry, size = 1ull << shift, index = virt >> shift & ((1ull << top) - 1);
		bool is_memory;

		if (read_entry(p, table, index, &entry) ||
		    !(g->arm64 ? decode_arm64(g, entry, shift, &table, &is_memory) :
				 decode_x86_64(g, entry, shift, &table, &is_memory)))
			return OTST_ERR_FAULT;
		if (is_memory) {
			*phys = (table & ~(size - 1)) | (virt & (size - 1));
			*span = size - (virt & (size - 1));
			return 0;
		}
		if (shift == g->page_shift)
			return OTST_ERR_FAULT;
	}
}

/* Joins what is contiguous in physical memory, as the direct mapping and the kernel's text are. */
int otst_pagetable_read(struct otst_pagetable *p, uint64_t virt, void *buf, uint64_t len)
{
	uint64_t run_phys = 0, run = 0;
	unsigned char *to = buf;
	int err;

	while (len) {
		uint64_t phys, span;

		err = otst_pagetable_walk(p, virt, &phys, &span);
		if (err)
			return err;
		if (span > len)
			span = len;
		if (run && phys != run_phys + run) {
			err = p->read(p->priv, run_phys, to, run);
			if (err)
				return err;
			to += run;
			run = 0;
		}
		if (!run)
			run_phys = phys;
		run += span;
		virt += span;
		len -= span;
	}
	return run ? p->read(p->priv, run_phys, to, run) : 0;
}

int otst_pagetable_create(const struct otst_paging *paging,
			  int (*read)(void *priv, uint64_t phys, void *buf, uint64_t len),
			  void *priv, struct otst_pagetable **ret)
{
	unsigned int shift = paging->page_shift, bits = paging->va_bits;
	struct otst_pagetable *p;

	if ((shift != 12 && shift != 14 && shift != 16) || bits <= shift || bits > 57)
		return OTST_ERR_UNSUPPORTED;
	p = calloc(1, sizeof(*p));
	if (!p)
		return OTST_ERR_NOMEM;
	p->paging = *paging;
	p->read = read;
	p->priv = priv;
	*ret = p;
	return 0;
}

void otst_pagetable_destroy(struct otst_pagetable *p)
{
	free(p);
}
