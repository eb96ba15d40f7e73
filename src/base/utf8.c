// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * utf8.c - characters of a text in UTF-8, and which of them may be shown.
 */
#include "../otst.h"

/* the character at @s and its bytes; 0 bytes when it is not UTF-8 */
static size_t decode_char(const unsigned char *s, size_t len, uint32_t *ret)
{
	static const unsigned int least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = *s < 0x80 ? 1 : *s >> 5 == 6 ? 2 : *s >> 4 == 14 ? 3 : *s >> 3 == 30 ? 4 : 0, i;
	uint32_t c = n == 1 ? *s : *s & (0x7fU >> n);

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
 * Control characters, and those that are invisible, reorder the text around them, look like a space, or
 * like anything (private use): Unicode's classes Cc, Cf, Co, Zs, Zl, Zp, variation selectors, fillers of
 * Hangul and Khitan, a note without a head, noncharacters
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
		{ 0xe000, 0xf8ff },    { 0xfe00, 0xfe0f },   { 0xfeff, 0xfeff },
		{ 0xffa0, 0xffa0 },    { 0xfff0, 0xfffc },   { 0x110bd, 0x110bd },
		{ 0x110cd, 0x110cd },  { 0x13430, 0x1343f }, { 0x16fe4, 0x16fe4 },
		{ 0x1bca0, 0x1bca3 },  { 0x1d159, 0x1d159 }, { 0x1d173, 0x1d17a },
		{ 0xe0000, 0x10ffff },
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	}
	return (c & 0xfffe) == 0xfffe;
}

bool otst_character(const char *text, size_t len, uint32_t *code, size_t *bytes)
{
	*bytes = decode_char((const unsigned char *)text, len, code);
	if (*bytes)
		return !is_unsafe(*code);
	*code = (unsigned char)*text;
	*bytes = 1;
	return false;
}
