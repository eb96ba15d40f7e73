/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug.h - DWARF of the kernel's image file and of its modules' files, for
 * the files of this folder that read lines, prototypes and call frames.
 */
#ifndef OTST_DEBUG_H
#define OTST_DEBUG_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "engine.h"

struct otst_units;

/** struct otst_placed - a piece of a debug file's text, and where it is in the dump */
struct otst_placed {
	uint64_t begin;
	uint64_t size;
	uint64_t shift; /**< address in the dump minus address in the DWARF */
};

/**
 * struct otst_dwarf - one debug file
 * @name: module, or NULL for the kernel
 * @placed: its pieces, @nr_placed; of the kernel one
 * @dwfl, @module: of a module's file; NULL for the kernel
 * @units: what lines.c keeps of it
 * @why: there is no such file, or it cannot be used; then @dwarf is NULL
 */
struct otst_dwarf {
	const char *name;
	Dwarf *dwarf;
	struct otst_placed *placed;
	size_t nr_placed;
	Dwfl *dwfl;
	Dwfl_Module *module;
	struct otst_units *units;
	const char *why;
};

/**
 * otst_dwarf_at() - the debug file of the code at @addr, opened at the first question
 * @ret: never NULL on success, but its @dwarf may be
 * @pc: @addr as the DWARF has it
 *
 * Return: 0; LOOKUP when @addr is in nothing known, or there is no file.
 */
int otst_dwarf_at(struct otst *o, uint64_t addr, struct otst_dwarf **ret, uint64_t *pc);

/** otst_dwarf_kernel() - the image file's; its @dwarf is NULL when there is none */
struct otst_dwarf *otst_dwarf_kernel(struct otst *o);

/** otst_units_free() - free &otst_dwarf.units (lines.c); NULL is fine */
void otst_units_free(struct otst_units *units);

/**
 * otst_dwarf_function() - the function of @pc (lines.c)
 * @cu: its compilation unit
 * @ret: DW_TAG_subprogram
 */
bool otst_dwarf_function(struct otst_dwarf *d, uint64_t pc, Dwarf_Die *cu, Dwarf_Die *ret);

/* ---- where modules' files may be (modfile.c) ---- */

/**
 * otst_modfile() - the @i'th file that may be the debug file of @m, best first
 *
 * Return: a path in the command's arena; NULL behind the last.
 */
const char *otst_modfile(struct otst *o, const struct otst_module *m, size_t i);

/** otst_module_build_id() - build id of a module in the dump: bytes at @ret, or 0 when it is not kept */
size_t otst_module_build_id(struct otst *o, const struct otst_module *m, unsigned char ret[64]);

#endif /* OTST_DEBUG_H */
