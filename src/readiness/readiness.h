/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * readiness.h - can a kernel be read, before there is a dump of it: asks the decoders
 * themselves. dream.c makes an engine with the kernel's types and names and with memory that is
 * made up; readiness.c runs every decoder on it and sees which names they miss.
 *
 * Memory belongs to the command's arena of the engine that asks.
 */
#ifndef OTST_READINESS_H
#define OTST_READINESS_H

#include "../output/readiness.h"

/** enum otst_dream - what made-up memory holds */
enum otst_dream {
	/** each word points to one place: every list has an entry, every pointer leads on */
	OTST_DREAM_FULL,
	/** the same, but a node that it points to has no parent and no children: the root of a tree */
	OTST_DREAM_TREES,
	OTST_DREAM_ZEROS,
	/** each half of a word is this number: tables have so many entries, kinds and handlers this number */
	OTST_DREAM_ONES,
	OTST_DREAM_TWOS,
	OTST_DREAM_THREES,
	OTST_DREAM_FOURS,
	/** each word is 1: counts of eight bytes */
	OTST_DREAM_WIDE,
	/** all bits are set: every flag, every option */
	OTST_DREAM_ALL,
	/** each word is one of these, at random, and so on in the next ones: what depends on two of them */
	OTST_DREAM_MIXED,
	OTST_DREAM_COUNT = OTST_DREAM_MIXED + 8,
};

struct dream;

/**
 * otst_dream_open() - an engine with the types and names of @o, and memory that is made up
 *
 * Return: 0, or an error that ends the command. otst_dream_close() undoes it.
 */
int otst_dream_open(struct otst *o, enum otst_dream kind, struct dream **ret);

void otst_dream_close(struct dream *d);

/** otst_dream_engine() - the engine */
struct otst *otst_dream_engine(struct dream *d);

/** otst_dream_place() - where made-up memory leads to: any address will do */
uint64_t otst_dream_place(struct dream *d);

/**
 * otst_dream_has() - does the kernel have one of these symbols, "a b"
 * @certain: false where that is not known; else true
 */
bool otst_dream_has(struct dream *d, const char *names, bool certain);

/**
 * otst_dream_asked() - @asked gets the name of each symbol that is looked up from now on and exists
 */
void otst_dream_asked(struct dream *d, void (*asked)(void *priv, const char *name), void *priv);

/**
 * otst_dream_lead() - from now on each pointer leads to the kernel's symbol @name
 * @name: NULL for none
 */
void otst_dream_lead(struct dream *d, const char *name);

/** otst_readiness_names_known() - are the names of all symbols of this kernel known */
bool otst_readiness_names_known(struct otst *o);

/** otst_readiness_functions_known() - are those of all functions known, static ones too */
bool otst_readiness_functions_known(struct otst *o);

/**
 * struct otst_variable - a symbol by which a decoder sees whether the kernel has something
 * @functions: "a b", of which a kernel has one if it has the symbol; NULL where none came with it
 * @type: a structure or an enumerator that came with it, where the names of functions are not known
 */
struct otst_variable {
	const char *name;
	const char *functions;
	const char *type;
};

/** otst_variable() - by its name; NULL when nothing tells (variables.c) */
const struct otst_variable *otst_variable(const char *name);

/** otst_variable_shape() - true if the shape of a member tells whether the kernel has the variable @name: @ret */
bool otst_variable_shape(struct otst *o, const char *name, bool *ret);

/**
 * struct otst_inner - a part of a decoder that made-up memory does not lead to: it is called by itself (inner.c)
 * @of, @what: as in struct otst_readiness
 * @ask: run it on the record at @at; returns what it returned, and adds what else it said to @said; doubts are heard
 */
struct otst_inner {
	const char *of;
	const char *what;
	int (*ask)(struct otst *o, uint64_t at, struct otst_messages *said);
};

/** otst_inner() - the @i-th; NULL after the last one */
const struct otst_inner *otst_inner(size_t i);

/**
 * otst_readiness() - run every decoder
 * @ret: vector of struct otst_readiness
 *
 * Return: 0, or an error that ends the command.
 */
int otst_readiness(struct otst *o, struct otst_vec *ret);

#endif /* OTST_READINESS_H */
