/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * tables.h - the search for the kernel's page tables: one file a source of them (translate.c)
 */
#ifndef OTST_TABLES_H
#define OTST_TABLES_H

#include "translate.h"

/**
 * struct otst_tables - the kernel's page tables
 * @p: NULL when they are not known
 * @info: VMCOREINFO that was found in memory; its text is NULL when there was none
 * @refused: VMCOREINFO that the front end supplies and that does not lead to the tables
 * @found: how they were found; @found.at is 0 unless they were searched for
 * @tries: of places of raw memory
 * @given_up: the search for VMCOREINFO in memory ended before the end of memory
 * @shift: of the image file's addresses, when @shifted
 * @why: why no memory can be read at all; or NULL
 * @reading: the &otst.reading for which the cache of @p is valid
 */
struct otst_tables {
	struct otst_pagetable *p;
	struct otst_vmcoreinfo info;
	struct otst_vmcoreinfo refused;
	struct otst_whereabouts found;
	unsigned int tries;
	bool given_up;
	uint64_t shift;
	bool shifted;
	const char *why;
	uint64_t reading;
};

/* ---- tables_info.c ---- */

/**
 * struct otst_facts - what VMCOREINFO says
 * @base: stands in for NUMBER(phys_base) if VMCOREINFO has none; @asked: it was needed
 */
struct otst_facts {
	const struct otst_vmcoreinfo *info;
	uint64_t base;
	bool asked;
};

/** otst_find_fact() - a value of the struct otst_facts @priv, for otst_pagetable_find() */
bool otst_find_fact(void *priv, const char *key, uint64_t *ret);

/** otst_read_phys() - physical memory of the struct otst @priv, for otst_pagetable_find() */
int otst_read_phys(void *priv, uint64_t phys, void *buf, uint64_t len);

/** otst_read_table_word() - false if it is not in the dump */
bool otst_read_table_word(struct otst *o, uint64_t phys, uint64_t *ret);

/** otst_tables_of() - open those of a processor by what VMCOREINFO says; NULL: it does not lead to them */
struct otst_pagetable *otst_tables_of(struct otst *o, const struct otst_arch *arch,
				      struct otst_facts *facts);

/** otst_tables_described() - open those of any processor that VMCOREINFO leads to, or NULL */
struct otst_pagetable *otst_tables_described(struct otst *o, const struct otst_vmcoreinfo *v);

/**
 * otst_tables_named() - true if VMCOREINFO names the page tables of any processor
 * @missing: none of them is in the dump
 */
bool otst_tables_named(struct otst *o, const struct otst_vmcoreinfo *v, bool *missing);

/* ---- tables_image.c, tables_search.c, tables_visible.c: what is found is filled in ---- */

bool otst_tables_by_image(struct otst *o, struct otst_tables *ret);

/** otst_tables_in_memory() - by VMCOREINFO there, from the last range to the first */
bool otst_tables_in_memory(struct otst *o, struct otst_tables *ret);

/**
 * otst_tables_in_pieces() - by the texts that led to no tables: a piece of memory may begin at an odd
 * page. This takes longer than the search.
 */
bool otst_tables_in_pieces(struct otst *o, struct otst_tables *ret);

/** otst_tables_astray() - why no text in memory leads to tables: the first one that names some, or NULL */
const char *otst_tables_astray(struct otst *o, const struct otst_whereabouts *f);

/** otst_tables_visible() - the processor is not known yet, and several have a table of the same name */
void otst_tables_visible(struct otst *o, struct otst_tables *ret);

#endif
