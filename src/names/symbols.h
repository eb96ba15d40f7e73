/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * symbols.h - symbols of the kernel and of modules (symbols.c; kallsyms.c)
 */
#ifndef OTST_SYMBOLS_H
#define OTST_SYMBOLS_H

#include "../base/command.h"

struct otst_coverage;
struct otst_text;

#define OTST_NAME_MAX 512 /* KSYM_NAME_LEN of the largest kernels */

/**
 * struct otst_sym - an address by name, as the kernel itself would print it
 * @name: symbol; NULL when the address belongs to nothing known
 * @module: module name, NULL for the kernel
 * @addr: start of the symbol
 * @size: bytes to the next symbol, 0 when unknown
 *
 * Strings are in the engine's memory.
 */
struct otst_sym {
	const char *name;
	const char *module;
	uint64_t addr;
	uint64_t size;
};

/**
 * otst_symbol() - address of a symbol of the kernel
 *
 * A symbol to which the compiler gave a suffix (".constprop.0", ".isra.0", ".llvm.1")
 * is also found by its plain name when there is no exact match.
 *
 * Return: 0 or LOOKUP.
 */
int otst_symbol(struct otst *o, const char *name, uint64_t *ret);

/** otst_has_symbol() - is there such a symbol; leaves no message */
bool otst_has_symbol(struct otst *o, const char *name);

/** otst_symbol_or0() - address of a symbol, or 0; leaves no message */
uint64_t otst_symbol_or0(struct otst *o, const char *name);

/**
 * otst_symbol_any() - address of a symbol of the kernel or of any module
 * @name: "symbol" or "module:symbol"
 */
int otst_symbol_any(struct otst *o, const char *name, uint64_t *ret);

/**
 * otst_symbolize() - name an address by the rules of the kernel's kallsyms_lookup()
 * @ret: @ret->name is NULL when nothing is known; never fails
 */
void otst_symbolize(struct otst *o, uint64_t addr, struct otst_sym *ret);

/**
 * otst_sym_is_one_of() - is it one of these functions of the kernel itself
 * @names: ends with NULL
 */
bool otst_sym_is_one_of(const struct otst_sym *sym, const char *const *names);

/**
 * otst_sym_is_part() - did the compiler make @part out of the function @whole
 *
 * "f.cold", "f.part.0", "f.constprop.0", "f.isra.0" and "f.llvm.1" are parts or copies of "f".
 */
bool otst_sym_is_part(const struct otst_sym *part, const struct otst_sym *whole);

/**
 * otst_symbolize_part() - otst_symbolize_all()
 *
 * Return: the name is one that the compiler may have made: otst_sym_is_part() tells of what function.
 */
bool otst_symbolize_part(struct otst *o, uint64_t addr, struct otst_sym *ret);

/**
 * otst_symbolize_all() - otst_symbolize(), then the two places where the
 * kernel's kallsyms_lookup() looks last: BPF images and the functions of
 * module init text that was freed (ftrace_mod_maps)
 *
 * What it finds there lives as long as the command.
 */
void otst_symbolize_all(struct otst *o, uint64_t addr, struct otst_sym *ret);

/**
 * otst_symbolize_code() - otst_symbolize(), then BPF images: for a function that is to be called
 *
 * Where init text was freed, another module may have been loaded and be gone again:
 * the function of the init text is then not the one that would be called.
 */
void otst_symbolize_code(struct otst *o, uint64_t addr, struct otst_sym *ret);

/**
 * otst_symbolize_frame() - otst_symbolize_all(), then ftrace's trampolines: for frames of stacks
 *
 * They are "ftrace_trampoline [__builtin__ftrace]", as in /proc/kallsyms. The kernel's own
 * stack traces and the files of tracefs print them as numbers.
 */
void otst_symbolize_frame(struct otst *o, uint64_t addr, struct otst_sym *ret);

/** enum otst_made_code - code that the kernel makes while it runs */
enum otst_made_code { OTST_MADE_BPF, OTST_MADE_TRAMPOLINE };

/**
 * otst_made_code() - what of it has a record in the kernel's lists of names
 *
 * Return: are these lists known to be complete.
 */
bool otst_made_code(struct otst *o,
		    void (*each)(void *priv, enum otst_made_code kind, uint64_t addr,
				 uint64_t size),
		    void *priv);

/**
 * otst_code_gap() - why an address without a name may be code all the same
 *
 * Return: the reason; NULL when all code is known: the kernel's, modules', BPF's.
 */
const char *otst_code_gap(struct otst *o);

/**
 * otst_sym_printed() - how the kernel's own files name @addr
 * @sym: what otst_symbolize() or the like found
 *
 * The kernel names a module's data by the symbol before it, even if that is a
 * function: without CONFIG_KALLSYMS_ALL a module's table has no other symbols. If
 * this differs from @sym, it replaces @sym.
 */
void otst_sym_printed(struct otst *o, uint64_t addr, struct otst_sym *sym);

/** otst_handler_is() - is @addr the start of the kernel function @name, compiler suffixes aside */
bool otst_handler_is(struct otst *o, uint64_t addr, const char *name);

/**
 * otst_name() - an address for people: "symbol+0x1c [module]", or a plain number
 *
 * "+0x0" is left out. In the command's arena; never NULL.
 */
const char *otst_name(struct otst *o, uint64_t addr);

/** enum otst_sym_part - what is written after the name of a symbol */
enum otst_sym_part {
	OTST_SYM_OFFSET = 1,	       /**< "+0x1c", also when it is 0 */
	OTST_SYM_SIZE = 2,	       /**< "/0x40" */
	OTST_SYM_MODULE = 4,	       /**< " [module]" */
	OTST_SYM_PS = OTST_SYM_MODULE, /**< as the kernel's %ps */
	OTST_SYM_PS_OFFSET = OTST_SYM_OFFSET | OTST_SYM_SIZE | OTST_SYM_MODULE, /**< as its %pS */
};

/**
 * otst_sym_format() - a symbol in the kernel's form
 * @parts: of enum otst_sym_part
 *
 * A symbol without a name gives "0x" and the address. In the command's arena; never NULL.
 */
const char *otst_sym_format(struct otst *o, uint64_t addr, const struct otst_sym *sym,
			    unsigned int parts);

/** otst_text_sym() - append a symbol as otst_sym_format() writes it */
void otst_text_sym(struct otst_text *t, uint64_t addr, const struct otst_sym *sym,
		   unsigned int parts);

/** otst_sym_name() - as otst_name(), for an address that was looked up already */
const char *otst_sym_name(struct otst *o, uint64_t addr, const struct otst_sym *sym);

/**
 * called for each symbol, with the letter of its type; the symbol's name is valid only during the call;
 * a non-zero return ends the list and is returned
 */
typedef int otst_symbol_fn(void *priv, const struct otst_sym *sym, char type);

/**
 * otst_symbols() - every symbol of the kernel, then of each module, as /proc/kallsyms lists them
 *
 * Return: 0; LOOKUP when there is no such table; after the kernel's own symbols, what
 * kept the list of modules from being read; or what ends a command.
 */
int otst_symbols(struct otst *o, otst_symbol_fn *each, void *priv);

/** otst_kernel_symbols() - the same for symbols of the kernel whose names begin with @prefix */
int otst_kernel_symbols(struct otst *o, const char *prefix, otst_symbol_fn *each, void *priv);

/**
 * struct otst_text_bounds - where the kernel's own text lies, looked up once (symbols.c)
 * @end: of the kernel's image, data included
 */
struct otst_text_bounds {
	uint64_t stext, etext;
	uint64_t sinittext, einittext;
	uint64_t end;
};

/** otst_text_bounds() - never NULL; 0 for what is unknown */
const struct otst_text_bounds *otst_text_bounds(struct otst *o);

/** otst_in_bounds() - does the address lie in the kernel's own text */
static inline bool otst_in_bounds(const struct otst_text_bounds *b, uint64_t addr)
{
	return (addr >= b->stext && addr < b->etext) ||
	       (addr >= b->sinittext && addr < b->einittext);
}

/** otst_is_text() - does the address lie in the kernel's or a module's text */
bool otst_is_text(struct otst *o, uint64_t addr);

/** otst_symbols_origin() - "kallsyms", or "target" when the front end gives the symbols */
const char *otst_symbols_origin(struct otst *o);

/**
 * otst_symbols_gap() - why a symbol that is not found may exist all the same
 *
 * Return: the reason; NULL when such a symbol does not exist.
 */
const char *otst_symbols_gap(struct otst *o);

/**
 * otst_look_names() - does the kernel have something, judged by names alone
 * @symbols: separated by blanks: the kernel has it when it has one of them
 * @ret: as for otst_look_end(); PRESENT when one is there
 *
 * Return: 0, or what ends a command.
 */
int otst_look_names(struct otst *o, const char *symbols, struct otst_coverage *ret);

/**
 * otst_has_witness() - does the kernel have one of these functions
 * @functions: separated by blanks
 *
 * Costs no doubt: every symbol table has functions.
 */
bool otst_has_witness(struct otst *o, const char *functions);

/**
 * otst_doubt_absence() - a kernel that has a mechanism's functions has the mechanism
 * @err: what its decoder returned: LOOKUP when it takes the kernel to be without it
 * @witnesses: functions, separated by blanks, of which a kernel has one if and only if it has the
 *	mechanism, whatever its structures are called; NULL when none tells
 *
 * If the kernel has one of them, the decoder's message becomes a doubt (coverage.h).
 *
 * Return: @err.
 */
int otst_doubt_absence(struct otst *o, int err, const char *witnesses);

#endif /* OTST_SYMBOLS_H */
