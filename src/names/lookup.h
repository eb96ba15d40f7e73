/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * lookup.h - names that the user wrote (lookup.c)
 */
#ifndef OTST_LOOKUP_H
#define OTST_LOOKUP_H

#include "../base/command.h"

#define OTST_NEAR_NAMES 4

/**
 * struct otst_near - the names nearest to a word, out of those offered
 * @most: how far they are from it: letters inserted, left out, replaced, swapped
 * @names: in the command's arena, without compiler suffixes; @count of them
 */
struct otst_near {
	const char *word;
	size_t len;
	unsigned int most;
	const char *names[OTST_NEAR_NAMES];
	size_t count;
};

/** otst_near_init() - start with no name offered; @word must outlive @n */
void otst_near_init(struct otst_near *n, const char *word);

/** otst_near_offer() - take @name in if no nearer one was offered; 0 or NOMEM */
int otst_near_offer(struct otst *o, struct otst_near *n, const char *name);

/** enum otst_answer - does the kernel know a name */
enum otst_answer {
	OTST_KNOWN,	       /**< it does */
	OTST_KNOWN_NOT,	       /**< it does not: all names were looked at */
	OTST_KNOWN_NOT_LOOKED, /**< it was not found, but not all names can be looked at */
};

/**
 * struct otst_lookup - what became of a word
 * @glob: it is a pattern
 * @module_known: the module that it names, before the colon or as a whole, is loaded
 * @module: it is the name of a module, and of no symbol
 * @variable: it is a symbol, but not a function
 * @why: why not all names can be looked at, else NULL
 * @near: functions and modules with names like it; none for a pattern
 */
struct otst_lookup {
	enum otst_answer known;
	bool glob;
	bool module_known;
	bool module;
	bool variable;
	const char *why;
	struct otst_near near;
};

/**
 * otst_lookup() - look for a symbol of the kernel or of a module, or for a module
 * @word: "symbol", "module:symbol", "module", or a glob of these
 *
 * Return: 0, or what ends a command.
 */
int otst_lookup(struct otst *o, const char *word, struct otst_lookup *ret);

/**
 * otst_raise_unlisted() - USAGE: a word of a list that the user wrote is none of those there are
 * @what: "kind"; @word: it has @len characters; @help: what prints the words there are: "-l -k help"
 */
int otst_raise_unlisted(struct otst *o, const char *what, const char *word, size_t len,
			const char *help);

/**
 * otst_functions_gap() - why not all names of this kernel's functions can be looked up
 * @list: they are to be listed, not just looked up one by one
 *
 * Return: NULL when they can.
 */
const char *otst_functions_gap(struct otst *o, bool list);

#endif /* OTST_LOOKUP_H */
