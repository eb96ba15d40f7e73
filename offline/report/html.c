// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * html.c - pieces of the page. All strings of a dump go through put_escaped(),
 * once, whether they become text, an attribute or a JSON string.
 */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum escape { ESCAPE_HTML, ESCAPE_JSON };

void html_append(struct html *h, const char *text, size_t len)
{
	if (h->len + len + 1 > h->size) {
		size_t size = (h->len + len + 1) * 2;
		char *grown = h->broken ? NULL : realloc(h->text, size);

		if (!grown) {
			h->broken = true;
			return;
		}
		h->text = grown;
		h->size = size;
	}
	memcpy(h->text + h->len, text, len);
	h->len += len;
	h->text[h->len] = '\0';
}

/* the character at @s and its bytes; 0 bytes when it is not UTF-8 */
static size_t decode(const unsigned char *s, size_t len, unsigned int *ret)
{
	static const unsigned int least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = *s < 0x80 ? 1 : *s >> 5 == 6 ? 2 : *s >> 4 == 14 ? 3 : *s >> 3 == 30 ? 4 : 0, i;
	unsigned int c = n == 1 ? *s : *s & (0x7fU >> n);

	if (!n || n > len)
		return 0;
	for (i = 1; i < n; i++) {
		if (s[i] >> 6 != 2)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	*ret = c;
	return c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : n;
}

/*
 * Control characters, and those that are invisible, reorder the text around them, or look like a
 * space: Unicode's classes Cc, Cf, Zs, Zl, Zp, variation selectors, fillers of Hangul, noncharacters
 */
static bool is_unsafe(unsigned int c)
{
	static const struct {
		unsigned int first, last;
	} ranges[] = {
		{ 0x00, 0x08 },	       { 0x0b, 0x1f },	     { 0x7f, 0xa0 },
		{ 0xad, 0xad },	       { 0x34f, 0x34f },     { 0x600, 0x605 },
		{ 0x61c, 0x61c },      { 0x6dd, 0x6dd },     { 0x70f, 0x70f },
		{ 0x890, 0x891 },      { 0x8e2, 0x8e2 },     { 0x115f, 0x1160 },
		{ 0x1680, 0x1680 },    { 0x17b4, 0x17b5 },   { 0x180b, 0x180f },
		{ 0x2000, 0x200f },    { 0x2028, 0x202f },   { 0x205f, 0x206f },
		{ 0x2800, 0x2800 },    { 0x3000, 0x3000 },   { 0x3164, 0x3164 },
		{ 0xfe00, 0xfe0f },    { 0xfeff, 0xfeff },   { 0xffa0, 0xffa0 },
		{ 0xfff0, 0xfffc },    { 0x110bd, 0x110bd }, { 0x110cd, 0x110cd },
		{ 0x13430, 0x1343f },  { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a },
		{ 0xe0000, 0x10ffff },
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	}
	return (c & 0xfffe) == 0xfffe;
}

/* the escape for a character that needs one; NULL if it needs none */
static const char *replace(unsigned int c, enum escape as, char buf[16])
{
	if (as == ESCAPE_JSON) {
		if (c >= 0x20 && !strchr("\"\\<>&", (int)c))
			return NULL;
		snprintf(buf, 16, "\\u%04x", c);
		return buf;
	}
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static void put_escaped(struct html *h, const char *text, size_t len, enum escape as)
{
	/* JSON needs the backslash itself escaped */
	const char *slash = as == ESCAPE_JSON ? "\\u005c" : "\\";
	char buf[16], shown[32];
	size_t at, n;

	for (at = 0; at < len; at += n) {
		const char *other;
		unsigned int c;

		n = decode((const unsigned char *)text + at, len - at, &c);
		if (!n || is_unsafe(c)) {
			c = n ? c : (unsigned char)text[at];
			snprintf(shown, sizeof(shown), c < 0x100 ? "%sx%02x" : "%su%04x", slash, c);
			html_append(h, shown, strlen(shown));
			n = n ? n : 1;
			continue;
		}
		other = c < 0x80 ? replace(c, as, buf) : NULL;
		if (other)
			html_append(h, other, strlen(other));
		else
			html_append(h, text + at, n);
	}
}

void html_text(struct html *h, const char *text, size_t len)
{
	put_escaped(h, text, len, ESCAPE_HTML);
}

void html_json(struct html *h, const char *text)
{
	html_append(h, "\"", 1);
	put_escaped(h, text, strlen(text), ESCAPE_JSON);
	html_append(h, "\"", 1);
}

void html_add(struct html *h, const char *markup, ...)
{
	char number[32];
	va_list args;

	va_start(args, markup);
	for (;;) {
		size_t len = strcspn(markup, "%");

		html_append(h, markup, len);
		markup += len;
		if (!*markup)
			break;
		if (markup[1] == 's') {
			const char *s = va_arg(args, const char *);

			html_text(h, s ? s : "-", s ? strlen(s) : 1);
			markup += 2;
			continue;
		}
		if (!strncmp(markup, "%lld", 4)) {
			snprintf(number, sizeof(number), "%lld", va_arg(args, long long));
			markup += 4;
		} else {
			snprintf(number, sizeof(number), "%zu", va_arg(args, size_t));
			markup += 3;
		}
		html_append(h, number, strlen(number));
	}
	va_end(args);
}

bool html_keep(struct html *h, size_t mark)
{
	if (!h->limit || h->len <= h->limit)
		return true;
	h->len = mark;
	h->left_out++;
	return false;
}
