// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * text_buffer.c - struct otst_text: how it grows, and the functions that are not inline.
 */
#include <stdio.h>

#include "text_buffer.h"

#define FIRST_ROOM 64u

size_t otst_text_grow(struct otst_text *t, size_t len)
{
	size_t used = otst_text_len(t), room = (size_t)(t->end - t->at), size;
	char *more;

	if (len <= room)
		return len;
	if (!t->o || len > OTST_TEXT_MOST - used)
		return room;
	size = used + len > 2 * used ? used + len : 2 * used;
	size = size < FIRST_ROOM ? FIRST_ROOM : size;
	more = otst_alloc(t->o, size);
	if (!more)
		return room;
	if (used)
		memcpy(more, t->buf, used);
	t->buf = more;
	t->at = more + used;
	t->end = more + size;
	return len;
}

void otst_text_tight(struct otst_text *t, const char *s, size_t len)
{
	len = otst_text_grow(t, len);
	if (!len)
		return;
	memcpy(t->at, s, len);
	t->at += len;
}

void otst_text_vprintf(struct otst_text *t, const char *fmt, va_list args)
{
	size_t room = (size_t)(t->end - t->at);
	va_list again;
	int n;

	va_copy(again, args);
	n = vsnprintf(t->at, room, fmt, again);
	va_end(again);
	if (n > 0 && (size_t)n >= room) {
		room = otst_text_grow(t, (size_t)n + 1);
		n = vsnprintf(t->at, room, fmt, args);
		if ((size_t)n >= room)
			n = room ? (int)room - 1 : 0;
	}
	t->at += n > 0 ? n : 0;
}

void otst_text_printf(struct otst_text *t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	otst_text_vprintf(t, fmt, args);
	va_end(args);
}

const char *otst_text_done(struct otst_text *t)
{
	if (!otst_text_grow(t, 1))
		return NULL;
	*t->at = '\0';
	return t->buf;
}

static bool is_clean(unsigned char c)
{
	return (c >= ' ' && c < 0x7f) || c == '\n' || c == '\t';
}

void otst_text_clean(struct otst_text *t, const char *s, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	size_t i, run = 0;

	for (i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];
		char hex[4] = { '\\', 'x', digits[c >> 4], digits[c & 15] };

		if (is_clean(c))
			continue;
		otst_text_mem(t, s + run, i - run);
		otst_text_mem(t, hex, sizeof(hex));
		run = i + 1;
	}
	otst_text_mem(t, s + run, len - run);
}
