/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * sections.h - sections of physical memory, CONFIG_SPARSEMEM_EXTREME (sections.c)
 */
#ifndef OTST_SECTIONS_H
#define OTST_SECTIONS_H

#include "../base/command.h"

/**
 * struct otst_sections - where the array of all sections is
 * @roots: array of pointers to arrays of struct mem_section
 * @size: of struct mem_section; @per_root: how many are in one array
 * @pages: page frames of a section
 */
struct otst_sections {
	uint64_t roots;
	uint64_t size;
	uint64_t per_root;
	uint64_t pages;
};

/** otst_sections_find() - Return: 0; LOOKUP: this kernel has none, or it is not known how large they are */
int otst_sections_find(struct otst *o, struct otst_sections *ret);

/**
 * otst_section_map() - __section_mem_map_addr() of the section of page frame @pfn: where struct page
 *	of frame 0 would be if it were in this section's array
 *
 * Return: 0; an error of a read; LOOKUP if there is no such section.
 */
int otst_section_map(struct otst *o, uint64_t pfn, uint64_t *ret);

#endif /* OTST_SECTIONS_H */
