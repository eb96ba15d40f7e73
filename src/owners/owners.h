/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * owners.h - whose executable memory is: the kernel's, a module's, BPF's, ftrace's, kprobes', the
 * firmware's, or nobody's.
 */
#ifndef OTST_OWNERS_H
#define OTST_OWNERS_H

#include "../dump.h"

/** enum otst_area_kind - whose an area is */
enum otst_area_kind {
	OTST_AREA_KERNEL,     /**< text of the kernel, with the read-only data mapped with it */
	OTST_AREA_INIT,	      /**< init text of the kernel, also where it was freed */
	OTST_AREA_MODULE,     /**< a module's, whatever it has there */
	OTST_AREA_BPF,	      /**< a BPF program, trampoline or dispatcher */
	OTST_AREA_BPF_PACK,   /**< memory that BPF programs share */
	OTST_AREA_TRAMPOLINE, /**< of an ftrace_ops */
	OTST_AREA_SLOTS,      /**< instructions and detour buffers of kprobes */
	OTST_AREA_HYPERCALL,  /**< Hyper-V's page of calls */
	OTST_AREA_THUNKS,     /**< of a module: jumps through registers */
};

/**
 * struct otst_area - memory with an owner
 * @begin, @end: full pages
 * @module: NULL for other owners
 */
struct otst_area {
	uint64_t begin, end;
	enum otst_area_kind kind;
	const struct otst_module *module;
};

/**
 * struct otst_areas - all that is known to be owned
 * @items: vector of struct otst_area, by address; they may overlap
 * @gap: why areas may be missing, or NULL
 */
struct otst_areas {
	struct otst_vec items;
	const char *gap;
};

/** otst_areas() - as they are now; never NULL, in the command's arena */
const struct otst_areas *otst_areas(struct otst *o);

/**
 * otst_area_at() - an area that has @addr, the one that reaches farthest
 * @next: when there is none, where the next one begins; UINT64_MAX for none
 */
const struct otst_area *otst_area_at(const struct otst_areas *a, uint64_t addr, uint64_t *next);

/** enum otst_page_owner - who owns a page that is in no area, by where it is in physical memory */
enum otst_page_owner {
	OTST_PAGE_NOBODY,
	OTST_PAGE_UNKNOWN,   /**< a name is missing by which the kernel's own would be told */
	OTST_PAGE_ALIAS,     /**< another address of the kernel's text */
	OTST_PAGE_VSYSCALL,  /**< programs' page of system calls */
	OTST_PAGE_REAL_MODE, /**< what starts processors */
	OTST_PAGE_KEXEC,     /**< what starts another kernel */
};

/** otst_page_owner() - @phys: its physical address */
enum otst_page_owner otst_page_owner(struct otst *o, uint64_t phys);

/**
 * struct otst_vmap - an area of the kernel's vmalloc space
 * @caller: the code that asked for it, as recorded
 */
struct otst_vmap {
	uint64_t begin, end, caller;
};

/**
 * otst_vmap_at() - the area that has @addr
 * @ret: when there is none, its end is where the next one begins, UINT64_MAX for none; all else is 0
 *
 * Return: 0; LOOKUP when there is none; why they cannot be read.
 */
int otst_vmap_at(struct otst *o, uint64_t addr, struct otst_vmap *ret);

/* ---- pages of thunks (thunks.c) ---- */

/**
 * otst_thunk_pages() - those that @m records
 *
 * Return: 0, also when the kernel has none; why they cannot be read.
 */
int otst_thunk_pages(struct otst *o, const struct otst_module *m,
		     void (*each)(void *priv, const struct otst_module *m, uint64_t page),
		     void *priv);

/** otst_is_thunks() - has a page of x86_64 jumps through registers, breakpoints, and nothing else */
bool otst_is_thunks(const uint8_t *bytes, size_t size);

/* ---- kprobes' pages (slots.c) ---- */

/** otst_may_be_slot() - true if @addr is in a page of kprobes' slots or detour buffers, or when not all are known */
bool otst_may_be_slot(struct otst *o, uint64_t addr);

/**
 * otst_is_detour_slot() - is @addr in a page of detour buffers
 * @cut: not all of these are known
 */
bool otst_is_detour_slot(struct otst *o, uint64_t addr, bool *cut);

/**
 * otst_slot_pages() - pages of slots and of detour buffers
 * @cut: not all of them are known
 */
void otst_slot_pages(struct otst *o, void (*each)(void *priv, uint64_t page, uint64_t size),
		     void *priv, bool *cut);

#endif /* OTST_OWNERS_H */
