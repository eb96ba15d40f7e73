// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * words.c - words, punctuation and strings of a print format.
 */
#include <ctype.h>
#include <string.h>

#include "parse.h"

void *otst_pf_fail(struct otst_pf *ps, const char *what)
{
	if (!ps->err)
		ps->err = otst_raise(ps->o, OTST_ERR_UNSUPPORTED, "%s at \"%.40s\"", what, ps->p);
	return NULL;
}

void *otst_pf_alloc(struct otst_pf *ps, size_t size)
{
	void *p = ps->err ? NULL : otst_alloc(ps->o, size);

	if (!p && !ps->err)
		ps->err = otst_no_memory(ps->o);
	return p;
}

void otst_pf_skip_space(struct otst_pf *ps)
{
	while (isspace((unsigned char)*ps->p))
		ps->p++;
}

bool otst_pf_eat(struct otst_pf *ps, const char *token)
{
	size_t len = strlen(token);

	otst_pf_skip_space(ps);
	if (strncmp(ps->p, token, len))
		return false;
	ps->p += len;
	return true;
}

bool otst_pf_expect(struct otst_pf *ps, const char *token)
{
	if (!ps->err && otst_pf_eat(ps, token))
		return true;
	otst_pf_fail(ps, "unexpected text");
	return false;
}

size_t otst_pf_word_at(struct otst_pf *ps)
{
	size_t n = 0;

	otst_pf_skip_space(ps);
	if (isdigit((unsigned char)*ps->p))
		return 0;
	while (isalnum((unsigned char)ps->p[n]) || ps->p[n] == '_')
		n++;
	return n;
}

bool otst_pf_is_word(const char *s, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(s, word, len);
}

const char *otst_pf_dup_word(struct otst_pf *ps, const char *s, size_t len)
{
	char *copy = otst_pf_alloc(ps, len + 1);

	return copy ? memcpy(copy, s, len) : NULL;
}

char otst_pf_unescape(const char **p)
{
	char c = **p;

	if (!c)
		return '\\';
	(*p)++;
	if (c == 'n')
		return '\n';
	if (c == 't')
		return '\t';
	return c == '0' ? '\0' : strchr("abfrvx", c) ? '?' : c;
}

const char *otst_pf_string(struct otst_pf *ps)
{
	char *s = otst_pf_alloc(ps, strlen(ps->p) + 1);
	size_t n = 0;

	while (s && otst_pf_eat(ps, "\"")) {
		while (*ps->p && *ps->p != '"') {
			char c = *ps->p++;

			s[n++] = c == '\\' ? otst_pf_unescape(&ps->p) : c;
		}
		if (!otst_pf_expect(ps, "\""))
			return NULL;
	}
	return s;
}
