/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * modload.h - loading a module's file as the kernel loads it. Private to
 * modtext.c, exports.c and the files that make its GOT and PLT: modslots.c,
 * modplaces.c, modtables.c; and modvalue.c.
 */
#ifndef OTST_MODLOAD_H
#define OTST_MODLOAD_H

#include <gelf.h>

#include "../arch/arch.h"
#include "../base/engine.h"
#include "../dump.h"
#include "built.h"

#define OTST_MADE_MAX  4u /* tables that a loader makes in one module */
#define OTST_GOT_ENTRY 8u /* bytes */

/** enum otst_keeper - where a module's tables are, and which relocations have entries there */
enum otst_keeper {
	OTST_KEPT_NOT,
	OTST_KEPT_BEHIND_TEXT, /**< an entry for each symbol */
	OTST_KEPT_IN_SECTIONS, /**< an entry for each address; in the PLT, for those out of reach */
	OTST_KEPT_IN_PLT,      /**< the same, with a PLT alone */
	OTST_KEPT_AS_STUBS,    /**< a stub for each function outside the module */
};

/**
 * struct otst_slot - one entry of a table
 * @symbol: its index in the file's symbol table; for tables that have an entry for each symbol
 * @target: where it leads
 * @of: the symbol's name; NULL when @target is not known, or only from memory
 * @own: on ppc64le: the stub by which functions call ftrace
 */
struct otst_slot {
	size_t symbol;
	uint64_t target;
	const char *of;
	bool own;
};

/**
 * struct otst_slots - a table of a module
 * @items: vector of struct otst_slot, in the order of the table
 * @at: address of the first, 0 when unknown; @size: bytes of each
 * @shared: another entry follows the last one, with the jump that all share
 * @odd: most are not what the file calls for; @items are what is there
 */
struct otst_slots {
	struct otst_vec items;
	uint64_t at, size;
	bool shared;
	bool odd;
};

/**
 * struct otst_loading - a module and its file
 * @count: sections of the file; @sections has @made more, which the loader made
 * @data: the sections' bytes
 * @percpu: index of the section of per-cpu variables, or 0
 * @keeper: where this kernel keeps the module's GOT and PLT, @slots; stubs count as its PLT
 * @toc: the pointer to its table of contents, or 0
 * @left_out: entries of these tables that are not compared; @odd: those of tables
 *	that are not what the file calls for
 * @why: a relocation that could not be resolved, or NULL
 * @damage: why the file is not whole, or NULL
 */
struct otst_loading {
	struct otst *o;
	const struct otst_module *m;
	Elf *elf;
	size_t count, made;
	struct otst_section *sections;
	uint8_t **data;
	size_t percpu;
	enum otst_keeper keeper;
	struct otst_slots slots[OTST_SLOTS];
	uint64_t toc;
	size_t left_out, odd;
	const char *why;
	const char *damage;
};

/** otst_load_value() - a symbol's value in the running kernel; false when it is not known */
bool otst_load_value(const struct otst_loading *l, const GElf_Sym *sym, const char *name,
		     uint64_t *ret);

/**
 * otst_export_repeated() - look up a name that the kernel exports more than once (exports.c)
 * @ret: the export that modules get
 */
bool otst_export_repeated(struct otst *o, const char *name, uint64_t *ret);

/** otst_load_section() - a section of the file that was loaded; NULL when there is none */
struct otst_section *otst_load_section(const struct otst_loading *l, const char *name);

/**
 * otst_slots_find() - find the module's tables, and what its relocations put
 * into them (modslots.c)
 *
 * If a table cannot be what the file calls for, its entries are those in memory, and
 * are counted in @l->odd.
 *
 * Return: 0; FAULT, CORRUPT; what ends a command.
 */
int otst_slots_find(struct otst_loading *l);

/** otst_slots_have() - is there an entry like @want, from the entry @first on */
bool otst_slots_have(const struct otst_loading *l, enum otst_reloc_slot kind,
		     const struct otst_slot *want, size_t first);

/**
 * otst_slots_locate() - find where the tables of @l->slots are, and which entry is
 * where (modplaces.c)
 *
 * Return: as otst_slots_find().
 */
int otst_slots_locate(struct otst_loading *l);

/**
 * otst_slot_at() - the table entry that a relocation by a symbol with this value refers to
 *
 * Return: false when there is none.
 */
bool otst_slot_at(const struct otst_loading *l, enum otst_reloc_slot kind, const GElf_Rela *r,
		  uint64_t value, uint64_t *ret);

/**
 * otst_slots_make() - make sections with the bytes of these tables (modtables.c)
 *
 * Return: 0 or what ends a command.
 */
int otst_slots_make(struct otst_loading *l);

#endif /* OTST_MODLOAD_H */
