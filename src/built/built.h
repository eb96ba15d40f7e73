/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * built.h - what image and debug files say about code: its bytes as built, the layout
 * of its frames, source lines, parameters.
 *
 * Memory and errors are as in command.h.
 */
#ifndef OTST_BUILT_H
#define OTST_BUILT_H

#include "../dump.h"

/* ---- do files belong to the dump (buildid.c) ---- */

/**
 * otst_image_check() - refuse an image file, or a file of types, of another kernel; call it
 * before a command does anything
 * @force: accept it all the same, and module files of other builds
 *
 * Return: what otst_image_usable() returns; UNSUPPORTED, with both build IDs or versions in the
 * message; what ends a command.
 */
int otst_image_check(struct otst *o, bool force);

/**
 * otst_image_doubt() - why the image file may not be that of the dump
 *
 * Return: that it is another kernel's (@force), or why that cannot be told; NULL
 * when it is the dump's.
 */
const char *otst_image_doubt(struct otst *o);

/**
 * otst_module_misfits() - module files not used in this command because they are of another build
 *
 * Never NULL.
 */
struct otst_messages *otst_module_misfits(struct otst *o);

/* ---- text as built (text.c) ---- */

/**
 * otst_text_built() - bytes of the kernel's image file, or of a module's, at a run-time address
 *
 * A module's file is read when its first byte is asked for, as by otst_built_module().
 *
 * Return: 0; LOOKUP when there is no such file or the address is not in its text;
 * what kept a module's file from being placed; NOMEM, INTERRUPTED.
 */
int otst_text_built(struct otst *o, uint64_t addr, void *buf, size_t len);

/** otst_text_notes() - append what went wrong with module files since the last call */
void otst_text_notes(struct otst *o, struct otst_messages *errors);

/* ---- whole images as built (built.c, modtext.c) ---- */

/**
 * struct otst_section - a section that is loaded
 * @addr: in the running kernel
 * @data: @size bytes as in the file, relocated for a module; NULL when it has none
 * @text: it holds instructions
 * @init: it was freed once the kernel, or the module, had started
 * @of: for a table that the module loader made, such as a GOT: the symbol of
 *	each entry of @entry bytes, NULL for an entry taken as found. NULL for
 *	all other sections
 * @word: offset in an entry of the address that it leads to; @entry when it has none
 */
struct otst_section {
	const char *name;
	uint64_t addr;
	uint64_t size;
	const uint8_t *data;
	bool text;
	bool init;
	const char **of;
	uint64_t entry;
	uint64_t word;
};

/**
 * struct otst_built - the kernel's image file, or a module's
 * @slide: how far KASLR moved the kernel; the bytes are as before that move. 0 for a module
 * @begin, @end: link addresses; only for the kernel
 * @percpu_end: end of the per-cpu variables, if these are linked from 0 on: references to them do
 *	not move; else 0
 * @left_out: entries of loader-made tables that are not compared because it is not
 *	known what they are for; @odd: not compared because the whole table is not
 *	what the file calls for
 * @tables: the loader gives a module a GOT, a PLT or stubs, and decides how many there are
 */
struct otst_built {
	const struct otst_section *items;
	size_t count;
	uint64_t slide;
	uint64_t begin;
	uint64_t end;
	uint64_t percpu_end;
	size_t left_out;
	size_t odd;
	bool tables;
};

/** otst_built_kernel() - the image file's sections; LOOKUP when there is no such file (built.c) */
int otst_built_kernel(struct otst *o, struct otst_built *ret);

/**
 * otst_built_module() - a module's sections, relocated to where it was loaded
 * (modtext.c), and what its loader made (modtables.c)
 * @ret: in the command's arena
 * @why: a relocation that could not be resolved, or NULL
 *
 * The file is searched for as debug files are; it must contain the module's text.
 *
 * Return: 0; LOOKUP when there is no such file, or the kernel does not say where its
 * sections are; FAULT, INTERRUPTED, NOMEM.
 */
int otst_built_module(struct otst *o, const struct otst_module *m, struct otst_built *ret,
		      const char **why);

/* ---- call frame information (cfi.c) ---- */

/**
 * struct otst_cfi - the layout of one instruction's frame, as DWARF describes it
 * @cfa_reg: number of a register of the architecture; @cfa_offset is added to it
 * @cfa_deref: the frame address is the word at that sum, plus @cfa_sum, not the sum itself
 * @outermost: there is no caller
 * @ret_offset: return address, from the frame address; with @ret_in_reg it is
 *	still in its register
 * @fp_saved: the caller's frame pointer is at @fp_offset from the frame address;
 *	else it is unchanged
 * @sp_saved: the caller's stack pointer is at @sp_offset; else it is the frame address
 */
struct otst_cfi {
	unsigned int cfa_reg;
	int64_t cfa_offset;
	bool cfa_deref;
	int64_t cfa_sum;
	bool outermost;
	int64_t ret_offset;
	bool ret_in_reg;
	bool fp_saved;
	int64_t fp_offset;
	bool sp_saved;
	int64_t sp_offset;
};

/**
 * otst_cfi_read() - read .eh_frame or .debug_frame of the image file, or of a
 * module's debug file, for a run-time address
 *
 * Return: 0; LOOKUP when there is no file, nothing about the address, or something
 * that struct otst_cfi cannot express.
 */
int otst_cfi_read(struct otst *o, uint64_t addr, struct otst_cfi *ret);

/* ---- source lines (lines.c; debug.c, modfile.c) ---- */

/**
 * struct otst_line - a place in the sources
 * @function: NULL when unknown
 * @file: relative to the top of the kernel's sources if it is one of them; NULL when unknown
 * @line: 0 when unknown
 */
struct otst_line {
	const char *function;
	const char *file;
	unsigned int line;
};

/**
 * struct otst_lines - the places of one address, innermost first: @count - 1 inlined
 * functions, then the function itself; @count is at least 1
 */
struct otst_lines {
	const struct otst_line *items;
	size_t count;
};

/**
 * otst_lines() - where an instruction comes from, by the DWARF of the image file or
 * of its module's debug file; in the command's arena
 * @addr: of an instruction; for a return address, one less
 *
 * Return: 0; LOOKUP when there is no such file, or nothing in it.
 */
int otst_lines(struct otst *o, uint64_t addr, struct otst_lines *ret);

/**
 * otst_lines_missing() - a line naming the debug files that otst_lines() lacked in
 * this command, or NULL
 */
const char *otst_lines_missing(struct otst *o);

/**
 * otst_debug_dir() - also look for debug files of modules in this directory
 * @dir: NULL for none; searched with all its subdirectories when the first module is asked for
 *
 * Return: 0; FILE when there is no such directory; NOMEM.
 */
int otst_debug_dir(struct otst *o, const char *dir);

/* ---- parameters of functions (prototype.c, prototype_btf.c) ---- */

/** enum otst_value_kind - what a parameter is */
enum otst_value_kind {
	OTST_VALUE_OTHER, /**< none of the kinds below: floating point, vectors */
	OTST_VALUE_INT,
	OTST_VALUE_BOOL,
	OTST_VALUE_ENUM,
	OTST_VALUE_POINTER,
	OTST_VALUE_STRUCT, /**< structure or union by value */
};

/** struct otst_enum_value - an enumerator of a parameter's enum */
struct otst_enum_value {
	int64_t value;
	const char *name;
};

/**
 * struct otst_parameter - one parameter
 * @name: NULL when unknown
 * @type: as C writes it: "struct dentry *"
 * @size: bytes of its value
 * @values: of an enum, @nr_values of them
 */
struct otst_parameter {
	const char *name;
	const char *type;
	enum otst_value_kind kind;
	uint64_t size;
	bool is_signed;
	const struct otst_enum_value *values;
	size_t nr_values;
};

/**
 * struct otst_prototype - a function's parameters; in the command's arena
 * @variadic: more arguments may follow, which are not declared
 */
struct otst_prototype {
	const struct otst_parameter *params;
	size_t count;
	bool variadic;
};

/**
 * otst_prototype() - parameters of the function that starts at @func
 *
 * From the DWARF of its image or debug file; else, for the kernel, from BTF by
 * the function's name.
 *
 * Return: 0; LOOKUP when neither knows it.
 */
int otst_prototype(struct otst *o, uint64_t func, struct otst_prototype *ret);

#endif /* OTST_BUILT_H */
