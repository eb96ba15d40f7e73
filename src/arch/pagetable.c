// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * pagetable.c - translates kernel addresses through a kernel's own page tables, read
 * from physical memory. The processor's decode_entry() says what an entry means.
 */
#include <stdlib.h>

#include "arch.h"
#include "bytes.h"

#define TABLE_PIECE 4096u /* bytes read at a time; an arm64 table may be larger */
#define CACHED	    64u
#define LEVELS	    6u

/** struct piece - cached bytes of a table; bit 0 of @phys is set when in use */
struct piece {
	uint64_t phys;
	unsigned char data[TABLE_PIECE];
};

/* @shift: the address bit where each level's index starts, from the last table to the top one */
struct otst_pagetable {
	const struct otst_arch *arch;
	struct otst_paging paging;
	uint8_t shift[LEVELS];
	unsigned int levels;
	otst_phys_fn *read;
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
	*ret = otst_get_as(p->arch->paging.big_tables, c->data + (at - base), 8);
	return 0;
}

/* What @table, at @level, says about @virt. */
static bool find_entry(struct otst_pagetable *p, unsigned int level, uint64_t table, uint64_t virt,
		       uint64_t *next, bool *is_memory)
{
	const struct otst_paging *g = &p->paging;
	unsigned int shift = p->shift[level];
	unsigned int end = level + 1 < p->levels ? p->shift[level + 1] : g->va_bits;
	uint64_t entry, index = virt >> shift & ((1ull << (end - shift)) - 1);

	return !read_entry(p, table, index, &entry) &&
	       p->arch->paging.decode_entry(g, entry, shift, next, is_memory);
}

/* Tables without the linear map are not checked by it: look for an entry that they do have. */
static int walk_linear(struct otst_pagetable *p, uint64_t virt, uint64_t *phys, uint64_t *span)
{
	const struct otst_paging *g = &p->paging;
	uint64_t next;
	bool is_memory;

	if (!find_entry(p, p->levels - 1, g->root, g->mapped, &next, &is_memory) || is_memory)
		return OTST_ERR_FAULT;
	*phys = virt - g->linear;
	*span = g->linear_len - *phys;
	return 0;
}

int otst_pagetable_walk(struct otst_pagetable *p, uint64_t virt, uint64_t *phys, uint64_t *span)
{
	const struct otst_paging *g = &p->paging;
	unsigned int level = p->levels;
	uint64_t table = g->root;

	if (virt - g->linear < g->linear_len)
		return walk_linear(p, virt, phys, span);
	if (!p->arch->paging.translates(g, virt))
		return OTST_ERR_FAULT;
	while (level--) {
		uint64_t size = 1ull << p->shift[level];
		bool is_memory;

		if (!find_entry(p, level, table, virt, &table, &is_memory))
			return OTST_ERR_FAULT;
		if (is_memory) {
			*phys = (table & ~(size - 1)) | (virt & (size - 1));
			*span = size - (virt & (size - 1));
			return 0;
		}
	}
	return OTST_ERR_FAULT;
}

/* Joins what is contiguous in physical memory, such as the direct mapping and the kernel's text. */
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

/* ---- all that is executable ---- */

/**
 * struct sweep - a walk through all tables
 * @quiet: hash of tables that map nothing executable, with their level plus one in the low bits: many entries
 *	may share one, and damaged ones lead back and forth. @room slots, a power of two, or none
 */
struct sweep {
	struct otst_pagetable *p;
	struct otst_mapped_visit *visit;
	uint64_t *quiet;
	size_t nr_quiet;
	size_t room;
	unsigned char *table[LEVELS];
};

/* where @key is, or goes */
static uint64_t *find_quiet(const struct sweep *s, uint64_t key)
{
	size_t i = (key * 0x9e3779b97f4a7c15ull >> 32) & (s->room - 1);

	while (s->quiet[i] && s->quiet[i] != key)
		i = (i + 1) & (s->room - 1);
	return &s->quiet[i];
}

static bool is_quiet(const struct sweep *s, uint64_t key)
{
	return s->room && *find_quiet(s, key) == key;
}

static int add_quiet(struct sweep *s, uint64_t key)
{
	struct sweep old = *s;

	if (2 * s->nr_quiet >= s->room) {
		s->room = old.room ? 2 * old.room : 4096;
		s->quiet = calloc(s->room, sizeof(*s->quiet));
		if (!s->quiet) {
			*s = old;
			return OTST_ERR_NOMEM;
		}
		for (size_t i = 0; i < old.room; i++) {
			if (old.quiet[i])
				*find_quiet(s, old.quiet[i]) = old.quiet[i];
		}
		free(old.quiet);
	}
	*find_quiet(s, key) = key;
	s->nr_quiet++;
	return 0;
}

static unsigned int index_bits(const struct otst_pagetable *p, unsigned int level)
{
	return (level + 1 < p->levels ? p->shift[level + 1] : p->paging.va_bits) - p->shift[level];
}

/* the upper bits of an address are not in the tables; false for an address that is a program's */
static bool complete_address(const struct otst_pagetable *p, uint64_t low, uint64_t *ret)
{
	const struct otst_paging *g = &p->paging;
	const uint64_t tops[] = { 0, UINT64_MAX << g->va_bits,
				  g->mapped >> g->va_bits << g->va_bits,
				  p->arch->space.kernel_begin >> g->va_bits << g->va_bits };

	for (size_t i = 0; i < sizeof(tops) / sizeof(*tops); i++) {
		*ret = low | tops[i];
		if (*ret >= (p->arch->space.kernel_begin & ~UINT64_C(0xffff)) &&
		    p->arch->paging.translates(g, *ret))
			return true;
	}
	return false;
}

static int sweep_table(struct sweep *s, unsigned int level, uint64_t table, uint64_t virt,
		       unsigned int rights, bool *loud);

static int sweep_entry(struct sweep *s, unsigned int level, uint64_t entry, uint64_t virt,
		       unsigned int rights, bool *loud)
{
	struct otst_pagetable *p = s->p;
	struct otst_mapped m = { .len = 1ull << p->shift[level] };
	bool is_memory;

	if (!p->arch->paging.decode_entry(&p->paging, entry, p->shift[level], &m.phys, &is_memory))
		return 0;
	m.rights = rights & p->arch->paging.rights(&p->paging, entry, is_memory);
	if (!(m.rights & OTST_MAY_EXECUTE) ||
	    (level + 1 == p->levels && !complete_address(p, virt, &virt)))
		return 0;
	if (!is_memory)
		return level ? sweep_table(s, level - 1, m.phys, virt, m.rights, loud) : 0;
	*loud = true;
	m.virt = virt;
	m.phys &= ~(m.len - 1);
	return s->visit->map(s->visit->priv, &m);
}

static int sweep_table(struct sweep *s, unsigned int level, uint64_t table, uint64_t virt,
		       unsigned int rights, bool *loud)
{
	struct otst_pagetable *p = s->p;
	uint64_t i, count = 1ull << index_bits(p, level), key = table | (level + 1);
	bool any = false;
	int err;

	if (is_quiet(s, key))
		return 0;
	err = s->visit->tick(s->visit->priv);
	if (err)
		return err;
	if (p->read(p->priv, table, s->table[level], count * 8)) {
		if (!s->visit->lost++)
			s->visit->lost_at = table;
		return add_quiet(s, key);
	}
	s->visit->tables++;
	for (i = 0; i < count && !err; i++) {
		uint64_t entry =
			otst_get_as(p->arch->paging.big_tables, s->table[level] + i * 8, 8);

		if (entry)
			err = sweep_entry(s, level, entry, virt | i << p->shift[level], rights,
					  &any);
	}
	*loud |= any;
	return err || any ? err : add_quiet(s, key);
}

static void free_sweep(struct sweep *s)
{
	for (unsigned int i = 0; i < s->p->levels; i++)
		free(s->table[i]);
	free(s->quiet);
	free(s);
}

int otst_pagetable_executable(struct otst_pagetable *p, struct otst_mapped_visit *v)
{
	struct sweep *s;
	bool any = false;
	int err = 0;

	if (!p->arch->paging.rights)
		return OTST_ERR_UNSUPPORTED;
	s = calloc(1, sizeof(*s));
	if (!s)
		return OTST_ERR_NOMEM;
	s->p = p;
	s->visit = v;
	for (unsigned int i = 0; i < p->levels; i++) {
		s->table[i] = malloc(8ull << index_bits(p, i));
		err = s->table[i] ? err : OTST_ERR_NOMEM;
	}
	err = err ?: sweep_table(s, p->levels - 1, p->paging.root, 0, OTST_MAY_ALL, &any);
	free_sweep(s);
	return err;
}

unsigned int otst_pagetable_rights(struct otst_pagetable *p, uint64_t virt, bool *lost)
{
	const struct otst_paging *g = &p->paging;
	unsigned int level = p->levels, rights = OTST_MAY_ALL;
	uint64_t table = g->root, entry;
	bool is_memory = false;

	if (!p->arch->paging.rights || !p->arch->paging.translates(g, virt))
		return 0;
	while (level-- && !is_memory) {
		unsigned int shift = p->shift[level];
		uint64_t index = virt >> shift & ((1ull << index_bits(p, level)) - 1);

		if (read_entry(p, table, index, &entry)) {
			if (lost)
				*lost = true;
			return 0;
		}
		if (!p->arch->paging.decode_entry(g, entry, shift, &table, &is_memory))
			return 0;
		rights &= p->arch->paging.rights(g, entry, is_memory);
	}
	return is_memory ? rights : 0;
}

static void find_levels(struct otst_pagetable *p)
{
	const struct otst_paging *g = &p->paging;
	unsigned int shift = g->page_shift;

	for (; shift < g->va_bits && p->levels < LEVELS; p->levels++) {
		p->shift[p->levels] = (uint8_t)shift;
		shift += p->arch->paging.index_bits ? p->arch->paging.index_bits(g, shift) :
						      g->page_shift - 3;
	}
}

int otst_pagetable_create(const struct otst_paging *paging, otst_phys_fn *read, void *priv,
			  struct otst_pagetable **ret)
{
	unsigned int shift = paging->page_shift, bits = paging->va_bits;
	const struct otst_arch *arch = otst_arch_of_elf((uint16_t)paging->machine);
	struct otst_pagetable *p;

	if (!arch->paging.nr_layouts || (shift != 12 && shift != 14 && shift != 16) ||
	    bits <= shift || bits > 57)
		return OTST_ERR_UNSUPPORTED;
	p = calloc(1, sizeof(*p));
	if (!p)
		return OTST_ERR_NOMEM;
	p->arch = arch;
	p->paging = *paging;
	p->read = read;
	p->priv = priv;
	find_levels(p);
	*ret = p;
	return 0;
}

int otst_pagetable_find(uint32_t machine, otst_fact_fn *fact, void *facts, otst_phys_fn *read,
			void *priv, struct otst_pagetable **ret)
{
	const struct otst_arch *arch = otst_arch_of_elf((uint16_t)machine);
	struct otst_paging pagings[OTST_PAGINGS_MAX];
	uint64_t virt, at, phys, span;
	size_t i, count = 0;
	int err;

	if (arch->paging.nr_layouts)
		count = arch->paging.find(fact, facts, pagings, &virt, &at);
	for (i = 0; i < count; i++) {
		pagings[i].machine = machine;
		err = otst_pagetable_create(&pagings[i], read, priv, ret);
		if (err == OTST_ERR_NOMEM)
			return err;
		if (err)
			continue;
		if (!otst_pagetable_walk(*ret, virt, &phys, &span) && phys == at)
			return 0;
		otst_pagetable_destroy(*ret);
		*ret = NULL;
	}
	return OTST_ERR_CORRUPT;
}

void otst_pagetable_forget(struct otst_pagetable *p)
{
	for (size_t i = 0; i < CACHED; i++)
		p->cache[i].phys = 0;
}

void otst_pagetable_destroy(struct otst_pagetable *p)
{
	free(p);
}
