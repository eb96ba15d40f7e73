/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * debug.h - DWARF of the kernel's image file and of its modules' files, for
 * the files of this folder that read lines, prototypes and call frames.
 */
#ifndef OTST_DEBUG_H
#define OTST_DEBUG_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "../base/engine.h"
#include "../dump.h"
#include "built.h"

struct otst_units;

/** struct otst_placed - a piece of a debug file's text, and where it is in the dump */
struct otst_placed {
	uint64_t begin;
	uint64_t size;
	uint64_t shift; /**< address in the dump minus address in the DWARF */
};

#define OTST_TREES 2u /* the compiler and the assembler may have different names for one */

/**
 * struct otst_dwarf - one debug file
 * @name: module, or NULL for the kernel
 * @placed: its @nr_placed pieces; the kernel has one
 * @dwfl, @module: for a module's file; NULL for the kernel
 * @units: what units.c keeps about it
 * @trees: of the kernel: directories of the sources, with their '/' (lines.c)
 * @why: when @dwarf is NULL: why there is no file, or why it cannot be used
 * @misfit: message about a file of another build, for otst_module_misfits(); or NULL
 */
struct otst_dwarf {
	const char *name;
	Dwarf *dwarf;
	struct otst_placed *placed;
	size_t nr_placed;
	Dwfl *dwfl;
	Dwfl_Module *module;
	struct otst_units *units;
	const char *trees[OTST_TREES];
	bool trees_read;
	const char *why;
	const char *misfit;
};

/**
 * otst_dwarf_at() - the debug file of the code at @addr, opened at first use
 * @ret: never NULL on success, but its @dwarf may be
 * @pc: @addr as the DWARF has it
 *
 * Return: 0; LOOKUP when there is no debug file, or it does not cover @addr.
 */
int otst_dwarf_at(struct otst *o, uint64_t addr, struct otst_dwarf **ret, uint64_t *pc);

/** otst_dwarf_kernel() - that of the image file; its @dwarf is NULL when there is none */
struct otst_dwarf *otst_dwarf_kernel(struct otst *o);

/* ---- units.c ---- */

/** otst_units_free() - free &otst_dwarf.units; NULL is fine */
void otst_units_free(struct otst_units *units);

/** otst_dwarf_unit() - the compilation unit that contains @pc */
bool otst_dwarf_unit(struct otst_dwarf *d, uint64_t pc, Dwarf_Die *ret);

/**
 * otst_dwarf_function() - the function that contains @pc
 * @cu: its compilation unit
 * @ret: DW_TAG_subprogram
 */
bool otst_dwarf_function(struct otst_dwarf *d, uint64_t pc, Dwarf_Die *cu, Dwarf_Die *ret);

/* ---- where modules' files may be (modfile.c) ---- */

/**
 * otst_modfile() - the @i'th file that may be the debug file of @m, best first
 *
 * Return: a path in the command's arena; NULL after the last.
 */
const char *otst_modfile(struct otst *o, const struct otst_module *m, size_t i);

/**
 * otst_modfile_open() - open such a file; a compressed one is decompressed as far as a kernel image is
 * @ret: a descriptor, which the caller closes
 * @why: set to why a compressed one cannot be used
 *
 * Return: 0; LOOKUP when it cannot be read; what ends a command.
 */
int otst_modfile_open(struct otst *o, const char *path, int *ret, const char **why);

/* ---- build IDs (buildid.c) ---- */

/** struct otst_build_id - @len is 0 when there is none */
struct otst_build_id {
	unsigned char bytes[64];
	size_t len;
};

/** otst_build_id_text() - in hexadecimal digits; in the command's arena, never NULL */
const char *otst_build_id_text(struct otst *o, const struct otst_build_id *id);

/**
 * otst_kernel_build_id() - build ID of the kernel in the dump
 * @ret: its @len is 0 when it is not known
 *
 * Return: 0, or what ends a command.
 */
int otst_kernel_build_id(struct otst *o, struct otst_build_id *ret);

/**
 * otst_elf_is_kernels() - is it the image file of the dump's kernel, by both build IDs
 * @elf: libelf's Elf
 *
 * Return: 0; LOOKUP, without a message, when it is not, or when one has no build ID; what
 * ends a command.
 */
int otst_elf_is_kernels(struct otst *o, void *elf);

/** otst_module_build_id() - build ID of a module in the dump */
void otst_module_build_id(struct otst *o, const struct otst_module *m, struct otst_build_id *ret);

/**
 * otst_modinfo() - a word that a module's file says of itself (modinfo.c)
 * @elf: libelf's Elf of the file
 * @tag: "vermagic"
 *
 * Return: the value, in the command's arena; NULL when there is none.
 */
const char *otst_modinfo(struct otst *o, void *elf, const char *tag);

/**
 * otst_module_misfit() - is a file not the module's
 * @elf: libelf's Elf of the file
 *
 * Return: "is of another build: ..." with both build IDs; what the file lacks, or says of itself; NULL
 * when it fits, when nothing can be compared, and when files are accepted all the same.
 */
const char *otst_module_misfit(struct otst *o, const struct otst_module *m, void *elf);

/**
 * otst_btf_prototype() - parameters of a function by name (prototype_btf.c); LOOKUP when unknown
 */
int otst_btf_prototype(struct otst *o, const char *name, struct otst_prototype *ret);

#define OTST_PARAMS	 32u  /* per function; more are not believed */
#define OTST_ENUM_VALUES 512u /* kept per enum */

#endif /* OTST_DEBUG_H */
