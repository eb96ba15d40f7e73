/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * symbol.h - what frames are made of (symbol.c). Functions return where it ends that they look for at @s, or NULL.
 */
#ifndef OTST_LOG_SYMBOL_H
#define OTST_LOG_SYMBOL_H

#include <ctype.h>

#include "line.h"

#define OTST_LOG_GROUP 400 /* bytes of a part of a name that is in brackets, at most */

static inline const char *otst_log_skip_blanks(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

static inline bool otst_log_ends_word(char c)
{
	return !c || c == ' ' || c == '\t';
}

static inline bool otst_log_is_hex(char c)
{
	return isdigit((unsigned char)c) || (c >= 'a' && c <= 'f');
}

/** otst_log_hex() - hexadecimal digits without "0x"; how many, or 0 */
static inline size_t otst_log_hex(const char *s, uint64_t *ret)
{
	size_t n;

	*ret = 0;
	for (n = 0; n <= 16 && otst_log_is_hex(s[n]); n++)
		*ret = *ret << 4 |
		       (uint64_t)(isdigit((unsigned char)s[n]) ? s[n] - '0' : s[n] - 'a' + 10);
	return n <= 16 ? n : 0;
}

/* ---- names ---- */

/** otst_log_skip_name() - behind the bytes of a name, which may be none */
const char *otst_log_skip_name(const char *s);

/** otst_log_skip_module() - behind the bytes of a module's name, which may be none */
const char *otst_log_skip_module(const char *s);

/** otst_log_symbol_name() - a function's name, of Rust, too; a number is none */
const char *otst_log_symbol_name(const char *s);

/** otst_log_escape() - bytes at @s that end a sequence, behind its escape character: "[31m", "(B"; 0: none */
size_t otst_log_escape(const char *s);

/** otst_log_name_start() - where in @text the name of a function that ends at @s begins; @s when there is none */
const char *otst_log_name_start(const char *text, const char *s);

/* ---- a function ---- */

/**
 * otst_log_symbol() - "name+0x1/0x1d [mod]", ":mod:name+0x1/0x1d"
 * @bracketed: its address stands before it, so it need not have a size
 */
const char *otst_log_symbol(const char *s, bool bracketed, struct otst_log_item *ret);

/** otst_log_plain_name() - a name without an offset */
const char *otst_log_plain_name(const char *s, struct otst_log_item *ret);

/** otst_log_plain_symbol() - "f", "f [mod]" */
const char *otst_log_plain_symbol(const char *s, struct otst_log_item *ret);

/** otst_log_decoded() - "f (a.c:12) mod", "f a.c:12 [inline]"; else @ret stays as it is */
const char *otst_log_decoded(const char *s, struct otst_log_item *ret);

/** otst_log_source() - " a.c:12", " (a.c:12)" behind a symbol with its offset; @s when there is none */
const char *otst_log_source(const char *s, struct otst_log_item *ret);

/* ---- an address ---- */

/** otst_log_bare_address() - "0xffffffffa002838a": one that the kernel has no name for */
const char *otst_log_bare_address(const char *s, bool bracketed, struct otst_log_item *ret);

/** otst_log_bracketed() - "[<ffffffffa002838b>]", or "[]", which sets no @addr */
const char *otst_log_bracketed(const char *s, uint64_t *addr);

/** otst_log_no_address() - "[<(ptrval)>]", "[<  (null)>]" */
const char *otst_log_no_address(const char *s);

/** otst_log_null() - "(null)" behind its address */
const char *otst_log_null(const char *s, struct otst_log_item *ret);

/** otst_log_in_square() - "[c00000000087b498] " on powerpc, with capitals up to 2.6.16, and on sparc */
const char *otst_log_in_square(const char *s, uint64_t *addr);

/** otst_log_klogd() - "[lab:f+19/112]", "[f+0x13/0x70]": klogd puts a name in the place of an address */
const char *otst_log_klogd(const char *s, struct otst_log_item *ret);

#endif /* OTST_LOG_SYMBOL_H */
