// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * symbol.c - what frames are made of: names of functions and modules, offsets, addresses, places in
 * the source.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "symbol.h"

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* a byte that no compiler puts into a name, and that a module's symbol table may have */
static bool is_odd(char c)
{
	unsigned char byte = (unsigned char)c;

	return byte >= 0x7f || (byte && byte < ' ' && byte != '\t' && byte != '\n' && byte != '\r');
}

/* "\x1b", as the kernel and dmesg write such a byte */
static bool is_written_byte(const char *s)
{
	return *s == '\\' && s[1] == 'x' && isxdigit((unsigned char)s[2]) &&
	       isxdigit((unsigned char)s[3]);
}

/* how many bytes the next character of a name has; 0 where it ends */
static size_t name_bytes(const char *s)
{
	if (is_name(*s))
		return 1;
	if (is_odd(*s))
		return *s == '\33' ? 1 + otst_log_escape(s + 1) : 1;
	return is_written_byte(s) ? 4 : 0;
}

const char *otst_log_skip_name(const char *s)
{
	size_t n;

	do {
		while (is_name(*s))
			s++;
		n = name_bytes(s);
		s += n;
	} while (n);
	return s;
}

/* printk's "\0014", which is a level, is none */
static bool begins_name(const char *s)
{
	if (*s == '\1' && s[1] && strchr("01234567cd", s[1]))
		return false;
	return name_bytes(s) && !isdigit((unsigned char)*s);
}

size_t otst_log_escape(const char *s)
{
	const char *p = s + 1;

	if (*s == '(')
		return isalnum((unsigned char)s[1]) ? 2 : 0;
	if (*s != '[')
		return 0;
	while (*p >= '0' && *p <= '?')
		p++;
	while (*p >= ' ' && *p <= '/')
		p++;
	return *p >= '@' && *p <= '~' ? (size_t)(p + 1 - s) : 0;
}

/* where an escape sequence that ends at @s begins, or @s */
static const char *escape_start(const char *text, const char *s)
{
	const char *p = s - 1;

	while (p > text && *p >= ' ' && *p <= '?')
		p--;
	return p > text && p[-1] == '\33' && otst_log_escape(p) == (size_t)(s - p) ? p - 1 : s;
}

const char *otst_log_name_start(const char *text, const char *s)
{
	const char *start = s;

	do {
		s = start;
		if (s > text && (is_name(s[-1]) || is_odd(s[-1]) || is_written_byte(s - 1)))
			start = s - 1;
		/* its last byte may be a letter */
		if (s > text)
			start = escape_start(text, s) < s ? escape_start(text, s) : start;
	} while (start < s);
	return s;
}

/* "+0x1/0x1d", or NULL */
static const char *offset_and_size(const char *s, bool need_size)
{
	uint64_t v;
	size_t n;

	if (strncmp(s, "+0x", 3))
		return NULL;
	n = otst_log_hex(s + 3, &v);
	if (!n)
		return NULL;
	s += 3 + n;
	if (strncmp(s, "/0x", 3))
		return need_size ? NULL : s;
	n = otst_log_hex(s + 3, &v);
	return n ? s + 3 + n : NULL;
}

const char *otst_log_skip_module(const char *s)
{
	for (size_t n; (n = *s == '-' ? 1 : name_bytes(s)); s += n)
		;
	return s;
}

/* " [mod]", " [mod 0123..ef]" after a symbol; where it ends, or @s when there is none */
static const char *skip_module(const char *s)
{
	const char *p = s;

	if (strncmp(p, " [", 2))
		return s;
	for (p += 2; is_name(*p) || (*p && !strchr(" \t[]<>", *p)); p++)
		;
	if (*p == ' ') {
		for (p++; otst_log_is_hex(*p); p++)
			;
	}
	return p > s + 2 && *p == ']' ? p + 1 : s;
}

/* "<a::B as c::D<u8>>", "{closure#0}", "[846817f741e54dfd]"; where it ends, or NULL */
static const char *skip_group(const char *s)
{
	const char *p = s;
	int depth = 0;

	do {
		if (strchr("<{[(", *p))
			depth++;
		/* "<fn() -> u8>" */
		else if (strchr(">}])", *p) && !(*p == '>' && p[-1] == '-'))
			depth--;
		p++;
	} while (depth > 0 && (unsigned char)*p >= ' ' && p - s < OTST_LOG_GROUP);
	return depth ? NULL : p;
}

/* Rust's path, as demanglers write it, of two parts at least: "<a::B as c::D>::f"; where it ends, or NULL */
static const char *rust_name(const char *s)
{
	const char *end;
	size_t parts;

	for (parts = 1;; parts++, s = end + 2) {
		end = begins_name(s) ? otst_log_skip_name(s) : s;
		while (end && (*end == '<' || *end == '{' || *end == '['))
			end = skip_group(end);
		if (!end || end == s)
			return NULL;
		if (strncmp(end, "::", 2) != 0)
			return parts > 1 ? end : NULL;
	}
}

/* where the name at @s ends, or NULL; a number is not one */
const char *otst_log_symbol_name(const char *s)
{
	const char *p = begins_name(s) ? otst_log_skip_name(s) : s;

	if (*p == '<' || (p > s && *p && strchr(":{[", *p)))
		return rust_name(s);
	return p > s ? p : NULL;
}

/* "name+0x1/0x1d [mod]" */
const char *otst_log_symbol(const char *s, bool bracketed, struct otst_log_item *ret)
{
	const char *p = s;

	if (*p == ':') {
		ret->module = ++p;
		p = otst_log_skip_module(p);
		ret->module_len = (size_t)(p - ret->module);
		if (*p++ != ':' || !ret->module_len)
			return NULL;
		s = p;
	}
	/* old arm64 and powerpc64 print a function descriptor's dot */
	p = otst_log_symbol_name(p);
	p = p ? offset_and_size(p, !bracketed) : NULL;
	if (!p)
		return NULL;
	if (!ret->module)
		p = skip_module(p);
	ret->text = s;
	ret->len = (size_t)(p - s);
	return p;
}

/* "fs/read_write.c:582", "??:?"; where it ends, or NULL */
static const char *skip_place(const char *s)
{
	const char *p = s;

	while (*p && *p != ' ' && *p != ':' && *p != ')')
		p++;
	if (p == s || *p != ':')
		return NULL;
	if (p[1] == '?' || p[1] == '0')
		return p - s == 2 && !strncmp(s, "??", 2) ? p + 2 : NULL;
	s = ++p;
	while (isdigit((unsigned char)*p))
		p++;
	return p > s ? p : NULL;
}

/* "(a.h:3 a.c:12 (discriminator 4))": the calls inlined there come first; where it ends, or NULL */
static const char *source_places(const char *s, struct otst_log_item *ret)
{
	const char *p = s + 1, *end;

	if (*s != '(')
		return NULL;
	ret->source = p;
	while ((end = skip_place(p))) {
		ret->source_len = (size_t)(end - ret->source);
		p = end;
		if (!strncmp(p, " (discriminator ", 16)) {
			p += 16 + strspn(p + 16, "0123456789");
			if (*p++ != ')')
				return NULL;
		}
		if (*p == ')')
			return p + 1;
		if (*p++ != ' ')
			return NULL;
	}
	return NULL;
}

/* a name without an offset */
const char *otst_log_plain_name(const char *s, struct otst_log_item *ret)
{
	const char *p = s;

	if (!begins_name(p))
		return NULL;
	p = otst_log_skip_name(p);
	ret->text = s;
	ret->len = (size_t)(p - s);
	return p;
}

/* "f", "f [mod]" */
const char *otst_log_plain_symbol(const char *s, struct otst_log_item *ret)
{
	const char *p = otst_log_plain_name(s, ret);

	p = p ? skip_module(p) : NULL;
	ret->len = p ? (size_t)(p - s) : 0;
	return p;
}

/* "f (a.c:12) mod", "f a.c:12 [inline]" */
static const char *decoded_name(const char *s, struct otst_log_item *ret)
{
	const char *p = otst_log_symbol_name(s), *end;

	if (!p || *p != ' ')
		return NULL;
	ret->text = s;
	ret->len = (size_t)(p - s);
	end = source_places(p + 1, ret);
	if (end) {
		/* the module is a word */
		p = end + 1;
		if (*end != ' ' || !name_bytes(p))
			return end;
		p = otst_log_skip_module(p);
		if (!otst_log_ends_word(*p))
			return end;
		ret->module = end + 1;
		ret->module_len = (size_t)(p - ret->module);
		return p;
	}
	end = skip_place(p + 1);
	if (!end || strncmp(end, " [inline]", 9) != 0)
		return NULL;
	ret->source = p + 1;
	ret->source_len = (size_t)(end - p - 1);
	ret->inlined = true;
	return end + 9;
}

const char *otst_log_decoded(const char *s, struct otst_log_item *ret)
{
	struct otst_log_item item = *ret;
	const char *end = decoded_name(s, &item);

	if (end)
		*ret = item;
	return end;
}

/* " a.c:12", " (a.c:12)" behind a symbol with its offset */
const char *otst_log_source(const char *s, struct otst_log_item *ret)
{
	const char *end = *s == ' ' ? skip_place(s + 1) : NULL;

	if (!strncmp(s, " (", 2)) {
		struct otst_log_item item = *ret;

		end = source_places(s + 1, &item);
		if (end && memchr(item.source, '.', item.source_len))
			*ret = item;
		else
			end = s;
		return end;
	}
	if (!end || !otst_log_ends_word(*end) || !memchr(s, '.', (size_t)(end - s)))
		return s;
	ret->source = s + 1;
	ret->source_len = (size_t)(end - s - 1);
	return end;
}

/* "0xffffffffa002838a": an address that the kernel has no name for */
const char *otst_log_bare_address(const char *s, bool bracketed, struct otst_log_item *ret)
{
	uint64_t v;
	size_t n;

	if (strncmp(s, "0x", 2))
		return NULL;
	n = otst_log_hex(s + 2, &v);
	if (!n || (n < 8 && !bracketed))
		return NULL;
	ret->addr = v;
	ret->text = s;
	ret->len = n + 2;
	return s + n + 2;
}

/*
 * "[<          (null)>]": how kernels up to 4.15 print the address 0; "[<(____ptrval____)>]",
 * in 4.15 "[<        (ptrval)>]": before they can hash it. NULL if this is not one
 */
const char *otst_log_no_address(const char *s)
{
	static const char *const words[] = { "(null)>]", "(ptrval)>]", "(____ptrval____)>]" };

	if (strncmp(s, "[<", 2) != 0)
		return NULL;
	s = otst_log_skip_blanks(s + 2);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (otst_begins(s, words[i]))
			return s + strlen(words[i]);
	}
	return NULL;
}

/* "[<ffffffffa002838b>]" or "[]"; NULL when neither */
const char *otst_log_bracketed(const char *s, uint64_t *addr)
{
	size_t n;

	if (!strncmp(s, "[]", 2))
		return s + 2;
	/* /proc/PID/stack hides addresses */
	if (!strncmp(s, "[<0>]", 5))
		return s + 5;
	if (strncmp(s, "[<", 2))
		return NULL;
	if (s[2] == ' ' || s[2] == '(')
		return otst_log_no_address(s);
	n = otst_log_hex(s + 2, addr);
	return n >= 8 && !strncmp(s + 2 + n, ">]", 2) ? s + 4 + n : NULL;
}

/* "(null)" behind its address; where it ends, or NULL */
const char *otst_log_null(const char *s, struct otst_log_item *ret)
{
	if (strncmp(s, "(null)", 6) != 0)
		return NULL;
	ret->text = s;
	ret->len = 6;
	return s + 6;
}

/* "[c00000000087b498]" on powerpc, with capitals up to 2.6.16, and on sparc; NULL if this is not one */
const char *otst_log_in_square(const char *s, uint64_t *addr)
{
	size_t n = *s == '[' ? strspn(s + 1, "0123456789abcdefABCDEF") : 0;

	if ((n != 8 && n != 16) || s[n + 1] != ']' || s[n + 2] != ' ')
		return NULL;
	*addr = strtoull(s + 1, NULL, 16);
	return otst_log_skip_blanks(s + n + 2);
}

/* "19", "0x13"; where it ends, NULL when it is none */
static const char *klogd_number(const char *s, bool decimal)
{
	size_t n;

	if (!decimal && strncmp(s, "0x", 2) != 0)
		return NULL;
	s += decimal ? 0 : 2;
	n = strspn(s, decimal ? "0123456789" : "0123456789abcdef");
	return n ? s + n : NULL;
}

const char *otst_log_klogd(const char *s, struct otst_log_item *ret)
{
	const char *name = s + 1, *p, *module = NULL;

	if (*s != '[')
		return NULL;
	p = otst_log_skip_name(name);
	if (*p == ':') {
		module = name;
		name = p + 1;
	}
	p = begins_name(name) ? otst_log_skip_name(name) : name;
	if (p == name || *p != '+')
		return NULL;
	ret->decimal = strncmp(p, "+0x", 3) != 0;
	p = klogd_number(p + 1, ret->decimal);
	p = p && *p == '/' ? klogd_number(p + 1, ret->decimal) : NULL;
	if (!p || *p != ']')
		return NULL;
	ret->text = name;
	ret->len = (size_t)(p - name);
	ret->module = module;
	ret->module_len = module ? (size_t)(name - 1 - module) : 0;
	return p + 1;
}
