/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * parse.h - the parser of print formats, shared by its files:
 * words.c (the text), types.c (names of C types), nodes.c
 * (what an expression becomes), calls.c (fields of a record, and the
 * functions that formats call), expr.c (C's operators), parse.c
 * (the format string and its steps).
 *
 * Everything lives as long as the command (otst_alloc()). After the first error
 * each function returns NULL, false or 0 at once; otst_pf.err keeps it.
 */
#ifndef OTST_PARSE_H
#define OTST_PARSE_H

#include "plan.h"

/** OTST_PF_DEPTH - how deep an expression may nest */
#define OTST_PF_DEPTH 200

/** struct otst_pf_local - a variable of a statement expression, such as min() has */
struct otst_pf_local {
	struct otst_pf_local *next;
	const char *name;
	size_t len;
	struct otst_expr *value;
};

/**
 * struct otst_pf - a print format that is being parsed
 * @p: current position in its text
 * @depth: nesting depth of the expression
 * @err: the first error, raised
 * @note: what is guessed, or NULL
 */
struct otst_pf {
	struct otst *o;
	const struct otst_event_format *f;
	const char *p;
	unsigned int depth;
	struct otst_pf_local *locals;
	int err;
	const char *note;
};

/**
 * struct otst_c_type - a C type, as far as numbers need it
 * @size: bytes; 8 for a pointer
 * @element: size of what a pointer points to, 0 when unknown
 */
struct otst_c_type {
	uint8_t size;
	bool is_signed;
	bool is_pointer;
	uint8_t element;
	bool element_signed;
};

/* ---- words.c ---- */

/** otst_pf_fail() - fail the parsing, unless it has failed before. Return: NULL */
void *otst_pf_fail(struct otst_pf *ps, const char *what);

/** otst_pf_alloc() - zeroed memory, or NULL */
void *otst_pf_alloc(struct otst_pf *ps, size_t size);

/** otst_pf_skip_space() - to the next character that is not a space */
void otst_pf_skip_space(struct otst_pf *ps);

/** otst_pf_eat() - skip @token, and space before it, if it comes next */
bool otst_pf_eat(struct otst_pf *ps, const char *token);

/** otst_pf_expect() - the same; an error if it does not come next */
bool otst_pf_expect(struct otst_pf *ps, const char *token);

/** otst_pf_word_at() - length of the word at the current position, 0 when there is none */
size_t otst_pf_word_at(struct otst_pf *ps);

/** otst_pf_is_word() - is @s of @len characters just @word? */
bool otst_pf_is_word(const char *s, size_t len, const char *word);

/** otst_pf_dup_word() - a copy that ends with NUL */
const char *otst_pf_dup_word(struct otst_pf *ps, const char *s, size_t len);

/** otst_pf_unescape() - the character at *@p, which moves past it; '?' if a terminal acts on it */
char otst_pf_unescape(const char **p);

/** otst_pf_string() - adjacent string literals, joined */
const char *otst_pf_string(struct otst_pf *ps);

/* ---- types.c ---- */

/** otst_pf_type() - the type name at the current position; stays there if there is none */
bool otst_pf_type(struct otst_pf *ps, struct otst_c_type *ret);

/* ---- nodes.c: operands may be NULL, then so is the node ---- */

/** otst_pf_node() - a node without operands */
struct otst_expr *otst_pf_node(struct otst_pf *ps, enum otst_expr_kind kind, unsigned int size,
			       bool is_signed);

/** otst_pf_number() - a constant of @size bytes */
struct otst_expr *otst_pf_number(struct otst_pf *ps, uint64_t v, unsigned int size, bool is_signed);

/** otst_pf_unary() - @op: an operator character of C */
struct otst_expr *otst_pf_unary(struct otst_pf *ps, uint16_t op, struct otst_expr *a);

/** otst_pf_binary() - @op: a character, or OTST_OP2() */
struct otst_expr *otst_pf_binary(struct otst_pf *ps, uint16_t op, struct otst_expr *a,
				 struct otst_expr *b);

/** otst_pf_text() - the string @text, which is not copied */
struct otst_expr *otst_pf_text(struct otst_pf *ps, const char *text);

/** otst_pf_cond() - @c ? @a : @b */
struct otst_expr *otst_pf_cond(struct otst_pf *ps, struct otst_expr *c, struct otst_expr *a,
			       struct otst_expr *b);

/** otst_pf_cast() - @a as a @t */
struct otst_expr *otst_pf_cast(struct otst_pf *ps, const struct otst_c_type *t,
			       struct otst_expr *a);

/* ---- calls.c ---- */

/** otst_pf_field() - what follows REC->: the value of a field of the record */
struct otst_expr *otst_pf_field(struct otst_pf *ps);

/** otst_pf_function() - what follows NAME and its opening parenthesis */
struct otst_expr *otst_pf_function(struct otst_pf *ps, const char *s, size_t n);

/* ---- expr.c ---- */

/** otst_pf_expr() - an expression, up to a comma or what closes it */
struct otst_expr *otst_pf_expr(struct otst_pf *ps);

#endif /* OTST_PARSE_H */
