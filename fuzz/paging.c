// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * paging.c - page tables of every processor. The input is a byte that chooses the layout, 15 that
 * stand for numbers of VMCOREINFO, and physical memory from 0 on, with the top table first.
 */
#include <stdlib.h>
#include <string.h>

#include "../src/arch/arch.h"
#include "harness.h"

#define FACTS	    16u
#define MOST_TABLES 128u

static struct {
	const uint8_t *facts;
	const uint8_t *memory;
	size_t size;
} input;

/* what is behind the input is zero up to 1 MB */
static int read_memory(void *priv, uint64_t phys, void *buf, uint64_t len)
{
	(void)priv;
	if (phys >= 1 << 20 || len > (1 << 20) - phys)
		return OTST_ERR_FAULT;
	memset(buf, 0, len);
	if (phys < input.size)
		memcpy(buf, input.memory + phys, len < input.size - phys ? len : input.size - phys);
	return 0;
}

static bool find_fact(void *priv, const char *key, uint64_t *ret)
{
	size_t at = 1;

	(void)priv;
	for (const char *c = key; *c; c++)
		at = (at * 31 + (unsigned char)*c) % (FACTS - 1);
	/* a small number, a power of two, or an address of the kernel */
	*ret = input.facts[at + 1];
	if (*ret & 0x80)
		*ret = 1ull << (*ret & 63);
	else if (*ret & 0x40)
		*ret = 0xffffffff80000000 + ((*ret & 63) << 20);
	return input.facts[at + 1] != 0xff;
}

/** struct seen - where the last mapping ended, and how many tables were read */
struct seen {
	uint64_t end;
	unsigned int tables;
};

static int take_mapped(void *priv, const struct otst_mapped *m)
{
	struct seen *s = priv;

	if (!m->len || m->virt < s->end)
		abort();
	s->end = m->virt + m->len;
	return 0;
}

/* tables that lead to themselves have more entries than anyone waits for */
static int count_table(void *priv)
{
	struct seen *s = priv;

	return ++s->tables < MOST_TABLES ? 0 : OTST_ERR_INTERRUPTED;
}

static void walk(struct otst_pagetable *p)
{
	struct seen seen = { 0 };
	struct otst_mapped_visit v = { .map = take_mapped, .tick = count_table, .priv = &seen };
	uint64_t virt, phys, span;
	bool lost;

	for (size_t i = 0; i + 8 <= input.size && i < 256; i += 8) {
		memcpy(&virt, input.memory + i, 8);
		if (!otst_pagetable_walk(p, virt, &phys, &span) && !span)
			abort();
		otst_pagetable_rights(p, virt, &lost);
	}
	otst_pagetable_executable(p, &v);
	otst_pagetable_forget(p);
}

/* the layout with this number, of all processors */
static const struct otst_paging *find_layout(size_t number, uint32_t *machine)
{
	const struct otst_arch *arch;

	for (size_t i = 0; (arch = otst_arch_row(i)); i++) {
		if (number < arch->paging.nr_layouts) {
			*machine = arch->elf_machine;
			return &arch->paging.layouts[number];
		}
		number -= arch->paging.nr_layouts;
	}
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct otst_paging *layout;
	struct otst_paging paging;
	struct otst_pagetable *p;
	uint32_t machine;

	if (size < FACTS)
		return 0;
	input.facts = data;
	input.memory = data + FACTS;
	input.size = size - FACTS;
	layout = find_layout(*data, &machine);
	if (!layout)
		return 0;
	paging = *layout;
	paging.machine = machine;
	if (!otst_pagetable_create(&paging, read_memory, NULL, &p)) {
		walk(p);
		otst_pagetable_destroy(p);
	}
	if (!otst_pagetable_find(machine, find_fact, NULL, read_memory, NULL, &p)) {
		walk(p);
		otst_pagetable_destroy(p);
	}
	return 0;
}
