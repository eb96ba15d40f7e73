// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * prefix_shape.c - the shape of what stands before the kernel's part of a line, and whether another
 * line has the same
 */
#include <ctype.h>
#include <string.h>

#include "prefix.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_./,-@", c)) || (unsigned char)c >= 0x80;
}

/* "[<ffffffff81000000>]" is a frame's address */
static bool is_address(const char *s)
{
	if (!strncmp(s, "[<0>]", 5) || otst_log_no_address(s))
		return true;
	return !strncmp(s, "[<", 2) && strspn(s + 2, "0123456789abcdef") >= 8 &&
	       s[2 + strspn(s + 2, "0123456789abcdef")] == '>';
}

/* the bracket that closes the one at @s; NULL when there is none before @end (NULL: anywhere) */
const char *otst_log_bracket_end(const char *s, const char *end)
{
	char close = *s == '[' ? ']' : *s == '(' ? ')' : '>';
	const char *p;

	if ((*s != '[' && *s != '(' && *s != '<') || is_address(s))
		return NULL;
	/* mail quotes by ">", and by "<" nobody */
	for (p = s + 1; *p && p != end && *p != close && p - s < 64; p++)
		;
	return *p == close && p != end ? p : NULL;
}

/* the shape of @s up to @end; false when it has none that other lines could be matched with */
bool otst_log_shape_of(const char *s, const char *end, struct otst_log_shape *ret)
{
	bool word = false, blank = false;
	const char *close;
	size_t n = 0;

	memset(ret, 0, sizeof(*ret));
	while (s < end && n < OTST_LOG_SHAPE - 3) {
		blank = *s == ' ' || *s == '\t';
		if (blank) {
			s++;
			continue;
		}
		close = otst_log_bracket_end(s, end);
		if (close) {
			ret->before[n++] = *s;
			ret->before[n++] = *close;
			s = close + 1;
			word = false;
		} else if (is_word(*s)) {
			if (word)
				ret->before[n++] = ' ';
			ret->before[n++] = 'a';
			while (s < end && is_word(*s))
				s++;
			word = true;
		} else {
			ret->before[n++] = *s++;
			word = false;
		}
	}
	/* a word that the text follows without a blank has no end */
	return s == end && n && (!word || blank);
}

/* where the kernel's part of a line of this shape begins; NULL when it has another one */
const char *otst_log_match_shape(const struct otst_log_shape *shape, const char *s)
{
	const char *at, *close;

	for (at = shape->before; *at; at++) {
		s = otst_log_skip_blanks(s);
		switch (*at) {
		case 'a':
			if (!is_word(*s))
				return NULL;
			while (is_word(*s))
				s++;
			break;
		case ' ':
			break;
		case '[':
		case '(':
		case '<':
			close = at[1] == ']' || at[1] == ')' || at[1] == '>' ?
					otst_log_bracket_end(s, NULL) :
					s;
			if (!close || *s != *at)
				return NULL;
			at += close > s;
			s = close + 1;
			break;
		default:
			if (*s++ != *at)
				return NULL;
		}
	}
	return otst_log_skip_blanks(s);
}
