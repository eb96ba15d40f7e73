/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * image.h - the kernel's ELF file: its sections, its text, its symbols (image.c)
 */
#ifndef OTST_IMAGE_H
#define OTST_IMAGE_H

#include "../base/command.h"

/**
 * struct otst_mapping - a part of the kernel's image file, in a mapping of its own:
 * its pages can be released, so they stay in memory no longer than needed
 */
struct otst_mapping {
	void *map;
	size_t map_len;
	const void *data;
	size_t len;
};

#define OTST_MAP_ALIGNED 65536u /* no machine has larger pages */

/** otst_image_map() - map @len bytes at @offset of the file; LOOKUP when it does not have them */
int otst_image_map(struct otst *o, uint64_t offset, size_t len, struct otst_mapping *ret);

/** otst_image_map_section() - map a section; LOOKUP when there is none */
int otst_image_map_section(struct otst *o, const char *name, struct otst_mapping *ret);

/** otst_mapping_forget() - release the pages of the mapping, which stays valid */
void otst_mapping_forget(const struct otst_mapping *v);
void otst_mapping_close(struct otst_mapping *v);

/** otst_image_text() - bytes of the image file's text at a run-time address; 0 or LOOKUP */
int otst_image_text(struct otst *o, uint64_t addr, void *buf, size_t len);

/** otst_image_string() - NUL-terminated string at a global symbol, cut to @size; 0 or LOOKUP */
int otst_image_string(struct otst *o, const char *symbol, char *ret, size_t size);

/** otst_image_string_at() - the same at a link address */
int otst_image_string_at(struct otst *o, uint64_t addr, char *ret, size_t size);

/**
 * otst_sections_inflate() - true if compressed sections of a file have more in them than those of kernels and modules:
 *	libdw takes all of it into memory
 * @elf: libelf's Elf
 */
bool otst_sections_inflate(void *elf);

#define OTST_SECTIONS_INFLATE "its compressed sections would have more than 32 times their size"

/** otst_image_elf() - libelf's Elf of the image file, or NULL */
void *otst_image_elf(struct otst *o);

/** otst_image_dwarf() - libdw's Dwarf of the image file, opened at first use, or NULL */
void *otst_image_dwarf(struct otst *o);

/* ---- symbols of the image file (symbols.c); LOOKUP without a message ---- */

/** otst_image_has_symbols() - true if it has a symbol table, which then has all symbols */
bool otst_image_has_symbols(struct otst *o);

/** otst_image_symbol() - link address of a global symbol */
int otst_image_symbol(struct otst *o, const char *name, uint64_t *ret);

/** otst_image_running_symbol() - run-time address of any symbol, preferably a global one */
int otst_image_running_symbol(struct otst *o, const char *name, uint64_t *ret);

/**
 * otst_image_each() - symbols whose names begin with @prefix, at their run-time addresses
 *
 * A non-zero return of @each ends it and is returned. Return: 0; LOOKUP when the file has no table.
 */
int otst_image_each(struct otst *o, const char *prefix,
		    int (*each)(void *priv, const char *name, uint64_t addr), void *priv);

/** otst_image_symbol_at() - see &otst_target_ops.symbol_at */
int otst_image_symbol_at(struct otst *o, uint64_t addr, struct otst_symbol *ret);

/* ---- the image file (image.c); LOOKUP without a message ---- */

/**
 * otst_elf_shift() - the same for a file that is not yet the image file, by what VMCOREINFO says
 * @elf: libelf's Elf
 */
bool otst_elf_shift(struct otst *o, void *elf, uint64_t *ret);

/** otst_flat_shift() - the same for an image without symbols, for processor @machine (EM_) */
bool otst_flat_shift(struct otst *o, unsigned int machine, uint64_t *ret);

/** otst_image_shift() - run-time address minus link address; false when unknown */
bool otst_image_shift(struct otst *o, uint64_t *ret);

/** otst_image_global() - run-time address of a global symbol; LOOKUP without a message */
int otst_image_global(struct otst *o, const char *name, uint64_t *ret);

/**
 * otst_image_usable() - 0; FILE when the image file that the front end named cannot be
 * opened or is no ELF file (image.c)
 */
int otst_image_usable(struct otst *o);

/**
 * otst_image_bytes() - bytes of a section of the kernel's image file
 * @ret: valid as long as the engine
 *
 * Return: 0 or LOOKUP, without a message.
 */
int otst_image_bytes(struct otst *o, const char *section, const void **ret, size_t *len);

#endif /* OTST_IMAGE_H */
