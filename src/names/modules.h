/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * modules.h - loaded modules (modules.c), and their symbols (module_symbols.c)
 */
#ifndef OTST_MODULES_H
#define OTST_MODULES_H

#include "../base/command.h"

/** enum otst_module_state - the kernel's enum module_state */
enum otst_module_state {
	OTST_MODULE_LIVE,
	OTST_MODULE_COMING,
	OTST_MODULE_GOING,
	OTST_MODULE_UNFORMED
};

#define OTST_MODULE_RANGES 9

/**
 * struct otst_module - one loaded module (kernel: struct module)
 * @ranges: memory regions that it owns, unused ones with size 0; text and data are separate
 * @text_end: where its text ends and, in [1], its init text; as the record
 *	says, unchecked. Only for blocks that hold text and data, that is,
 *	without module.mem
 * @symbols: sorted by address, then by their place in the module's table
 * @srcversion: a sum of its sources, as modinfo shows it; NULL when it was built without, or that
 *	cannot be read
 * @hidden: it is not on the list of modules, but in these sets: bits, by enum otst_module_set;
 *	0 for a module of the list
 */
struct otst_module {
	uint64_t addr; /**< struct module */
	const char *name;
	unsigned int state; /**< enum otst_module_state */
	uint64_t percpu;    /**< per-cpu area, as stored; 0 when none */
	unsigned int nr_ranges;
	struct otst_module_range {
		uint64_t base;
		uint64_t size;
		bool text;
		bool init;
	} ranges[OTST_MODULE_RANGES];
	uint64_t text_end[2];
	size_t nr_symbols;
	struct otst_module_symbol {
		uint64_t addr;
		uint64_t size; /**< as its file says; 0 when that does not */
		const char *name;
		uint32_t order; /**< place in the module's table */
	} * symbols;
	const char *symbols_error; /**< why they could not be read, or NULL */
	bool symbols_lack;	   /**< it is a name that the kernel must have */
	const char *srcversion;
	unsigned int hidden;
};

/**
 * otst_modules() - the kernel's module list, read once
 * @ret: NULL-terminated array in the engine's memory
 *
 * Return: 0, or the error that kept the whole list from being read. When the
 * list breaks off in the middle, the modules before the break are returned and
 * otst_modules_error() tells why.
 */
int otst_modules(struct otst *o, struct otst_module *const **ret);

/**
 * otst_hidden_modules() - modules that are loaded, but not on the list
 * @ret: NULL-terminated array in the engine's memory
 *
 * The kernel finds whose an address is by its tree of modules, so that it names the functions
 * of most of these; otst_module_at() finds all of them. A module that is about to be loaded or
 * freed is not hidden. Return: as otst_modules().
 */
int otst_hidden_modules(struct otst *o, struct otst_module *const **ret);

/** otst_hidden_modules_error() - why a module that hides could not be read, or NULL */
const char *otst_hidden_modules_error(struct otst *o);

/** otst_modules_error() - why the list broke off, or NULL */
const char *otst_modules_error(struct otst *o);

/**
 * otst_modules_notes() - append what kept modules, or their symbols, from being read
 *
 * Symbols are read when they are first asked for. Return: 0, or a fatal error.
 */
int otst_modules_notes(struct otst *o, struct otst_messages *errors);

/**
 * otst_may_have_modules() - false for a kernel without CONFIG_MODULES
 *
 * Some structures and lists of modules are there all the same; nothing fills the lists.
 */
bool otst_may_have_modules(struct otst *o);

/** otst_module_at() - module that owns @addr, or NULL */
const struct otst_module *otst_module_at(struct otst *o, uint64_t addr);

/** otst_module_range_at() - the range of @m that contains @addr, or NULL */
const struct otst_module_range *otst_module_range_at(const struct otst_module *m, uint64_t addr);

/** otst_module_srcversion() - the srcversion of module @name; NULL when it has none, or is not loaded */
const char *otst_module_srcversion(struct otst *o, const char *name);

/** otst_module_symbol() - address of symbol @name in @m; LOOKUP when it has none */
int otst_module_symbol(struct otst *o, const struct otst_module *m, const char *name,
		       uint64_t *ret);

#endif /* OTST_MODULES_H */
