/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * translate.h - below the cache: reads of the target, page tables, where the image lies (translate.c)
 */
#ifndef OTST_TRANSLATE_H
#define OTST_TRANSLATE_H

#include "../base/command.h"
#include "../arch/arch.h"
#include "vmcoreinfo.h"

/** otst_target_read() - read straight from the target, without the cache */
int otst_target_read(struct otst *o, int space, uint64_t addr, void *buf, size_t len);

/**
 * otst_translated_read() - read virtual memory that the target does not translate (translate.c)
 *
 * Return: 0, FAULT without a message, or what a physical read returned.
 */
int otst_translated_read(struct otst *o, uint64_t addr, void *buf, size_t len);

/**
 * otst_executable() - the kernel's addresses at which it may execute, by its page tables
 * @v: see otst_pagetable_executable()
 *
 * Return: 0; LOOKUP when the tables are not known, UNSUPPORTED where they do not tell; what
 * the visitor returned.
 */
int otst_executable(struct otst *o, struct otst_mapped_visit *v);

/**
 * otst_page_rights() - of enum otst_right; 0 also when it is not mapped or not known
 * @lost: set when a page table cannot be read; may be NULL
 */
unsigned int otst_page_rights(struct otst *o, uint64_t virt, bool *lost);

/** otst_physical() - translate an address by the kernel's page tables; false: not mapped, not known */
bool otst_physical(struct otst *o, uint64_t virt, uint64_t *ret);

/**
 * otst_image_found() - how far the image is moved, by its place in physical memory (translate.c)
 */
bool otst_image_found(struct otst *o, uint64_t *shift);

/**
 * otst_vmcoreinfo_proved() - what the front end supplies, unless it does not lead to the page
 * tables (translate.c); else what was found in physical memory
 */
bool otst_vmcoreinfo_proved(struct otst *o, struct otst_vmcoreinfo *ret);

/** struct otst_refused - a text of VMCOREINFO in memory that does not describe the kernel */
struct otst_refused {
	uint64_t at;
	const char *release;
	const char *why;
};

#define OTST_REFUSED_MOST 4u

/**
 * struct otst_whereabouts - where the kernel was found in physical memory
 * @by_image: by the image file's banner, which is at @at; else by VMCOREINFO, which is there
 * @refused: the first of @nr_refused, up to OTST_REFUSED_MOST: those that were met before
 */
struct otst_whereabouts {
	bool by_image;
	uint64_t at;
	struct otst_refused refused[OTST_REFUSED_MOST];
	size_t nr_refused;
};

/** otst_whereabouts() - NULL unless the kernel had to be searched for (translate.c) */
const struct otst_whereabouts *otst_whereabouts(struct otst *o);

/** struct otst_extent - @size bytes of the file from @offset on were taken for memory at @phys */
struct otst_extent {
	uint64_t phys;
	uint64_t size;
	uint64_t offset;
};

/** otst_extents() - vector of struct otst_extent; empty when the file itself says it (tables_search.c) */
void otst_extents(struct otst *o, struct otst_vec *ret);

/** otst_vmcoreinfo_refused() - says which source replaces a wrong VMCOREINFO; or NULL */
const char *otst_vmcoreinfo_refused(struct otst *o);

/**
 * otst_memory_check() - refuse the core of a program, and a dump whose memory cannot be
 * translated at all (translate.c)
 *
 * Return: 0; UNSUPPORTED, with the program in the message; CORRUPT, with what is missing; what
 * ends a command.
 */
int otst_memory_check(struct otst *o);

#endif /* OTST_TRANSLATE_H */
