/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * everywhere.h - words anywhere in memory that lead where nothing should lead, and what has them.
 */
#ifndef OTST_EVERYWHERE_H
#define OTST_EVERYWHERE_H

#include "../base/hashmap.h"
#include "expect.h"

/**
 * struct otst_page_holders - what pages of physical memory are used for (holders.c)
 * @pages: stacks and modules, by frame number plus one
 * @caches: names of slab caches by address
 * @image, @image_end, @image_virt: the kernel's image
 * @map: address of the struct page of frame @map_first, 0 when it is not known; @map_item: its size
 * @direct: otst_direct_map()
 * @head, @cache: offsets in it: of the pointer to the first page, of the slab cache
 */
struct otst_page_holders {
	struct otst_hashmap pages;
	struct otst_hashmap caches;
	uint64_t image, image_end, image_virt;
	uint64_t map, map_first, map_item;
	uint64_t direct;
	uint64_t head, cache;
	uint64_t page;
};

/** otst_direct_map() - what is added to a physical address where the kernel has all memory mapped; 0: not known */
uint64_t otst_direct_map(struct otst *o);

/** otst_page_holders() - learn of all stacks, modules, slab caches; 0, or what ends the command */
int otst_page_holders(struct otst *o, struct otst_page_holders *ret);

/**
 * otst_page_holder() - what has the word at the physical address @phys
 * @virt: an address at which the kernel sees it; 0 when none is known
 *
 * Return: "slab kmalloc-64", "stack of kworker/1:1/34", "tcp_prot", "module lab"; never NULL.
 */
const char *otst_page_holder(struct otst *o, struct otst_page_holders *h, uint64_t phys,
			     uint64_t *virt);

#endif /* OTST_EVERYWHERE_H */
