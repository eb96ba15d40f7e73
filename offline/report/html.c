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

/* the escape for a character that needs one; NULL if it needs none */
static const char *replace_bytes(unsigned int c, enum escape as, char buf[16])
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
		uint32_t c;

		if (!otst_character(text + at, len - at, &c, &n)) {
			snprintf(shown, sizeof(shown), c < 0x100 ? "%sx%02x" : "%su%04x", slash, c);
			html_append(h, shown, strlen(shown));
			continue;
		}
		other = c < 0x80 ? replace_bytes(c, as, buf) : NULL;
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

static const char *fill_until(struct html *h, const struct json *j, const char *markup, bool shown);

/* what stands behind a "{"; returns what comes after its "}" */
static const char *fill_member(struct html *h, const struct json *j, const char *markup, bool shown)
{
	size_t len = strcspn(markup, "?}");
	const char *end = markup + len, *text;
	char name[32];

	snprintf(name, sizeof(name), "%.*s", (int)len, markup);
	text = json_text(j, name);
	if (*end == '?')
		end = fill_until(h, j, end + 1, shown && text);
	else if (shown)
		html_add(h, "%s", text);
	return end + 1;
}

/* up to a "}" or the end, which is returned; @shown: else it is passed over */
static const char *fill_until(struct html *h, const struct json *j, const char *markup, bool shown)
{
	for (;;) {
		size_t len = strcspn(markup, "{}");

		if (shown)
			html_append(h, markup, len);
		markup += len;
		if (*markup != '{')
			return markup;
		markup = fill_member(h, j, markup + 1, shown);
	}
}

void html_fill(struct html *h, const struct json *j, const char *markup)
{
	fill_until(h, j, markup, true);
}

bool html_keep(struct html *h, size_t mark)
{
	if (!h->limit || h->len <= h->limit)
		return true;
	h->len = mark;
	h->left_out++;
	return false;
}

void html_symbol(struct html *h, const struct json *j)
{
	const char *symbol = json_text(j, "symbol");
	char offset[32] = "";

	if (json_number(j, "offset"))
		snprintf(offset, sizeof(offset), "+0x%llx", json_number(j, "offset"));
	html_add(h, "%s%s", symbol ? symbol : json_text(j, "address"), symbol ? offset : "");
	html_fill(h, j, "{module? [{module}]}");
}
