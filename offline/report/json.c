// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * json.c - reads the engine's records. A record is one block of memory: values,
 * then the decoded strings.
 */
#include "report.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 32 /* nesting of values; a record has 6 levels */

struct reader {
	const char *at;
	struct json *value; /* the next free one */
	char *text;	    /* the next free byte of strings */
	int depth;
};

static void skip_space(struct reader *r)
{
	while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')
		r->at++;
}

static unsigned int read_hex4(const char *s)
{
	unsigned int value = 0, i;

	for (i = 0; i < 4; i++) {
		const char *digits = "0123456789abcdef",
			   *d = s[i] ? strchr(digits, s[i] | 0x20) : NULL;

		if (!d)
			return 0;
		value = value * 16 + (unsigned int)(d - digits);
	}
	return value;
}

static char *put_utf8(char *to, unsigned int c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 0x3f));
	} else {
		if (c < 0x10000) {
			*to++ = (char)(0xe0 | c >> 12);
		} else {
			*to++ = (char)(0xf0 | c >> 18);
			*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		}
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	}
	return to;
}

/* called after "\u"; unpaired surrogates, and 0, become U+FFFD */
static char *read_unicode(struct reader *r, char *to)
{
	unsigned int c = read_hex4(r->at), low;

	r->at += strnlen(r->at, 4);
	if (c >= 0xd800 && c < 0xdc00 && r->at[0] == '\\' && r->at[1] == 'u') {
		low = read_hex4(r->at + 2);
		if (low >= 0xdc00 && low < 0xe000) {
			r->at += 2 + strnlen(r->at + 2, 4);
			return put_utf8(to, 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00));
		}
	}
	return put_utf8(to, !c || (c >= 0xd800 && c < 0xe000) ? 0xfffd : c);
}

static const char *read_string(struct reader *r)
{
	static const char names[] = "bfnrt", bytes[] = "\b\f\n\r\t";
	char *start = r->text;

	for (r->at++; *r->at && *r->at != '"';) {
		const char *name;

		if (*r->at != '\\') {
			*r->text++ = *r->at++;
			continue;
		}
		if (!*++r->at)
			return NULL;
		if (*r->at == 'u') {
			r->at++;
			r->text = read_unicode(r, r->text);
			continue;
		}
		name = strchr(names, *r->at);
		*r->text++ = name ? bytes[name - names] : *r->at;
		r->at++;
	}
	if (*r->at++ != '"')
		return NULL;
	*r->text++ = '\0';
	return start;
}

static struct json *read_value(struct reader *r);

static bool read_members(struct reader *r, struct json *v)
{
	char end = v->kind == '{' ? '}' : ']';
	struct json **to = &v->child;

	r->at++;
	skip_space(r);
	if (*r->at == end)
		return r->at++;
	for (;;) {
		const char *key = NULL;

		skip_space(r);
		if (v->kind == '{') {
			key = *r->at == '"' ? read_string(r) : NULL;
			skip_space(r);
			if (!key || *r->at++ != ':')
				return false;
		}
		*to = read_value(r);
		if (!*to)
			return false;
		(*to)->key = key;
		to = &(*to)->next;
		skip_space(r);
		if (*r->at == end)
			return r->at++;
		if (*r->at++ != ',')
			return false;
	}
}

static bool read_word(struct reader *r, struct json *v)
{
	size_t len = strcspn(r->at, ",]} \t\r\n");

	if (v->kind == '-' || (v->kind >= '0' && v->kind <= '9')) {
		v->kind = '0';
		v->text = r->text;
		memcpy(r->text, r->at, len);
		r->text += len;
		*r->text++ = '\0';
	}
	r->at += len;
	return len;
}

static struct json *read_value(struct reader *r)
{
	struct json *v = r->value++;
	bool good;

	if (r->depth == DEEPEST)
		return NULL;
	r->depth++;
	skip_space(r);
	v->kind = *r->at;
	if (v->kind == '{' || v->kind == '[')
		good = read_members(r, v);
	else if (v->kind == '"')
		good = (v->text = read_string(r));
	else
		good = read_word(r, v);
	r->depth--;
	return good ? v : NULL;
}

struct json *json_parse(const char *text)
{
	size_t values = 2, len = strlen(text), i;
	struct json *all;
	struct reader r = { .at = text };

	/* a value follows one of these; a JSON string is at least as long as its decoded form */
	for (i = 0; i < len; i++)
		values += text[i] == '{' || text[i] == '[' || text[i] == ',' || text[i] == ':';
	all = calloc(1, values * sizeof(*all) + 2 * len + 1);
	if (!all)
		return NULL;
	r.value = all;
	r.text = (char *)(all + values);
	if (read_value(&r))
		return all;
	free(all);
	return NULL;
}

const struct json *json_get(const struct json *j, const char *path)
{
	while (j && *path) {
		size_t len = strcspn(path, ".");

		for (j = j->kind == '{' ? j->child : NULL; j; j = j->next) {
			if (!strncmp(j->key, path, len) && !j->key[len])
				break;
		}
		path += len + (path[len] == '.');
	}
	return j;
}

const char *json_text(const struct json *j, const char *path)
{
	j = json_get(j, path);
	return j ? j->text : NULL;
}

long long json_number(const struct json *j, const char *path)
{
	const char *text = json_text(j, path);

	return text ? strtoll(text, NULL, 10) : 0;
}

bool json_is(const struct json *j, const char *path, const char *text)
{
	const char *is = json_text(j, path);

	return is && !strcmp(is, text);
}

bool json_true(const struct json *j, const char *path)
{
	j = json_get(j, path);
	return j && j->kind == 't';
}
