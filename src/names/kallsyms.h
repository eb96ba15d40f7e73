/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * kallsyms.h - the symbol tables that symbols.c asks: the kernel's own (kallsyms.c), those of modules
 * (module_symbols.c), the front end's
 */
#ifndef OTST_KALLSYMS_H
#define OTST_KALLSYMS_H

#include "modules.h"
#include "symbols.h"

/** otst_knows() - does the front end know all of @what */
bool otst_knows(struct otst *o, enum otst_knowledge what);

/** otst_target_symbol() - symbol from the front end or from the image file, not from kallsyms */
int otst_target_symbol(struct otst *o, const char *name, uint64_t *ret);

/**
 * otst_symbol_shared() - does the kernel's own table have several symbols of this name (symbols.c)
 */
bool otst_symbol_shared(struct otst *o, const char *name);

struct otst_kallsyms;

/**
 * struct otst_kallsyms_place - addresses of the variables in kernel/kallsyms_internal.h
 * @offsets, @addresses: one of them is not 0
 * @relative_base: 0 when @offsets are not relative to a base
 */
struct otst_kallsyms_place {
	uint64_t num_syms, names;
	uint64_t token_table, token_index;
	uint64_t offsets, addresses;
	uint64_t relative_base;
};

/**
 * otst_kallsyms_search() - find the tables in the kernel's image by their shape (kallsyms_shape.c)
 * @try: judges a place; returns 0 to take it, CORRUPT to go on, FAULT when it cannot be read
 *
 * Return: 0; LOOKUP when nothing looks like them; FAULT when memory is missing in which they may
 * be; what ends a command.
 */
int otst_kallsyms_search(struct otst *o,
			 int (*try)(void *priv, const struct otst_kallsyms_place *place),
			 void *priv);

/**
 * otst_kallsyms_open() - the table in the dump
 *
 * Return: 0; LOOKUP when it is nowhere; FAULT, CORRUPT, or what ends a command.
 */
int otst_kallsyms_open(struct otst *o, struct otst_kallsyms **ret);

void otst_kallsyms_close(struct otst_kallsyms *k);

/** otst_kallsyms_has_data() - does the table have data symbols, or only functions */
bool otst_kallsyms_has_data(const struct otst_kallsyms *k);
int otst_kallsyms_find(struct otst *o, struct otst_kallsyms *k, const char *name, uint64_t *ret);

/**
 * otst_kallsyms_shared() - does the kernel have several symbols of this name
 *
 * Call after otst_kallsyms_find().
 */
bool otst_kallsyms_shared(struct otst_kallsyms *k, const char *name);
int otst_kallsyms_at(struct otst *o, struct otst_kallsyms *k, uint64_t addr, struct otst_sym *ret);

/** otst_kallsyms_each() - symbols of the table; see otst_kernel_symbols() */
int otst_kallsyms_each(struct otst *o, struct otst_kallsyms *k, const char *prefix,
		       otst_symbol_fn *each, void *priv);

/** otst_module_symbols_each() - all symbols of @m; see otst_symbols() */
int otst_module_symbols_each(struct otst *o, const struct otst_module *m, otst_symbol_fn *each,
			     void *priv);

/** otst_module_same_range() - are both addresses in the same range of @m: its text, its data */
bool otst_module_same_range(const struct otst_module *m, uint64_t a, uint64_t b);

/**
 * otst_module_symbol_at() - the symbol of @m that an address belongs to
 *
 * A text symbol does not name data. Return: 0; LOOKUP when @m has none there.
 */
int otst_module_symbol_at(struct otst *o, const struct otst_module *m, uint64_t addr,
			  struct otst_sym *ret);

/**
 * otst_module_symbol_printed() - what the kernel's find_kallsyms_symbol() finds
 *
 * Without module.mem that is the last symbol at or before @addr, even if the symbol
 * is text and @addr is data. As in the kernel, it ends where the module's text ends:
 * the size of a data symbol is negative.
 */
int otst_module_symbol_printed(struct otst *o, const struct otst_module *m, uint64_t addr,
			       struct otst_sym *ret);

#endif /* OTST_KALLSYMS_H */
