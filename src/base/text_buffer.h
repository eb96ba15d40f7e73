/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * text_buffer.h - text that is put together piece by piece, without stdio in code
 * that runs several times for each of millions of entries.
 *
 * The text lies in the caller's buffer, and what does not fit is dropped; or it
 * grows in the command's arena, up to OTST_TEXT_MOST. Only what otst_text_done()
 * returns is NUL-terminated.
 */
#ifndef OTST_TEXT_BUFFER_H
#define OTST_TEXT_BUFFER_H

#include <stdarg.h>
#include <string.h>

#include "command.h"

#define OTST_TEXT_MOST (64u << 20)

/**
 * struct otst_text - @buf up to @at is filled, up to @end there is room
 * @o: the text grows in this engine's arena; NULL when it does not grow
 *
 * { .o = o } is an empty text that grows.
 */
struct otst_text {
	char *buf;
	char *at;
	char *end;
	struct otst *o;
};

/** otst_text_in() - an empty text in the caller's buffer */
static inline struct otst_text otst_text_in(char *buf, size_t size)
{
	return (struct otst_text){ .buf = buf, .at = buf, .end = buf + size };
}

/** otst_text_grow() - make room for @len bytes if possible; returns how many of them fit */
size_t otst_text_grow(struct otst_text *t, size_t len);

/** otst_text_tight() - otst_text_mem() for when there may be too little room */
void otst_text_tight(struct otst_text *t, const char *s, size_t len);

/** otst_text_printf() - append formatted text */
void otst_text_printf(struct otst_text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void otst_text_vprintf(struct otst_text *t, const char *fmt, va_list args);

/** otst_text_done() - the text so far as a string; NULL when out of memory */
const char *otst_text_done(struct otst_text *t);

/** otst_text_len() - bytes so far */
static inline size_t otst_text_len(const struct otst_text *t)
{
	return (size_t)(t->at - t->buf);
}

static inline void otst_text_char(struct otst_text *t, char c)
{
	if (t->at < t->end || otst_text_grow(t, 1))
		*t->at++ = c;
}

static inline void otst_text_mem(struct otst_text *t, const char *s, size_t len)
{
	/* out of line, so that a constant @len stays constant here; also nothing into no buffer */
	if (len >= (size_t)(t->end - t->at)) {
		otst_text_tight(t, s, len);
		return;
	}
	memcpy(t->at, s, len);
	t->at += len;
}

#define OTST_TEXT_BLOCK 48u

/** otst_text_pair() - write "%02u" of @v, which is below 100, to @to */
static inline void otst_text_pair(char *to, unsigned int v)
{
	to[0] = (char)('0' + v / 10);
	to[1] = (char)('0' + v % 10);
}

/**
 * otst_text_block() - append @len bytes of @s in one wide move
 *
 * OTST_TEXT_BLOCK bytes of @s must be readable.
 */
static inline void otst_text_block(struct otst_text *t, const char *s, size_t len)
{
	if ((size_t)(t->end - t->at) < OTST_TEXT_BLOCK || len > OTST_TEXT_BLOCK) {
		otst_text_mem(t, s, len);
		return;
	}
	memcpy(t->at, s, OTST_TEXT_BLOCK);
	t->at += len;
}

/** otst_text_put_block() - the same at @to, which has room for both moves; returns the end */
static inline char *otst_text_put_block(char *to, const char *s, size_t len)
{
	memcpy(to, s, OTST_TEXT_BLOCK);
	if (len > OTST_TEXT_BLOCK)
		memcpy(to + OTST_TEXT_BLOCK, s + OTST_TEXT_BLOCK, len - OTST_TEXT_BLOCK);
	return to + len;
}

static inline void otst_text_string(struct otst_text *t, const char *s)
{
	otst_text_mem(t, s, strlen(s));
}

static inline void otst_text_spaces(struct otst_text *t, size_t n)
{
	if (n > (size_t)(t->end - t->at))
		n = otst_text_grow(t, n);
	if (!n)
		return;
	memset(t->at, ' ', n);
	t->at += n;
}

/** otst_text_digits() - write decimal digits of @v that end at @end; returns where they start */
static inline char *otst_text_digits(char *end, uint64_t v)
{
	do {
		*--end = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	return end;
}

#define OTST_TEXT_DIGITS 24 /* more than any 64-bit number has, with its sign */

/** otst_text_dec() - "%llu" */
static inline void otst_text_dec(struct otst_text *t, uint64_t v)
{
	char digits[OTST_TEXT_DIGITS], *end = digits + sizeof(digits);
	char *at = otst_text_digits(end, v);

	otst_text_mem(t, at, (size_t)(end - at));
}

/** otst_text_right() - @len bytes of @s, right-aligned in @width */
static inline void otst_text_right(struct otst_text *t, const char *s, size_t len, size_t width)
{
	if (len < width)
		otst_text_spaces(t, width - len);
	otst_text_mem(t, s, len);
}

/** otst_text_left() - @len bytes of @s, left-aligned in @width */
static inline void otst_text_left(struct otst_text *t, const char *s, size_t len, size_t width)
{
	otst_text_mem(t, s, len);
	if (len < width)
		otst_text_spaces(t, width - len);
}

/** otst_text_dec_right() - "%*llu" */
static inline void otst_text_dec_right(struct otst_text *t, uint64_t v, size_t width)
{
	char digits[OTST_TEXT_DIGITS], *end = digits + sizeof(digits);
	char *at = otst_text_digits(end, v);

	otst_text_right(t, at, (size_t)(end - at), width);
}

/** otst_text_dec_zero() - "%0*llu" */
static inline void otst_text_dec_zero(struct otst_text *t, uint64_t v, size_t width)
{
	char digits[OTST_TEXT_DIGITS], *end = digits + sizeof(digits);
	char *at = otst_text_digits(end, v);

	for (; (size_t)(end - at) < width && at > digits; *--at = '0')
		;
	otst_text_mem(t, at, (size_t)(end - at));
}

/**
 * otst_text_signed() - write the digits of a signed number into @digits (OTST_TEXT_DIGITS)
 *
 * Return: where they start.
 */
static inline char *otst_text_signed(char *digits, int64_t v)
{
	char *at = otst_text_digits(digits + OTST_TEXT_DIGITS, v < 0 ? -(uint64_t)v : (uint64_t)v);

	if (v < 0)
		*--at = '-';
	return at;
}

/** otst_text_sdec() - "%lld" */
static inline void otst_text_sdec(struct otst_text *t, int64_t v)
{
	char digits[OTST_TEXT_DIGITS], *at = otst_text_signed(digits, v);

	otst_text_mem(t, at, (size_t)(digits + OTST_TEXT_DIGITS - at));
}

/** otst_text_sdec_right() - "%*lld" */
static inline void otst_text_sdec_right(struct otst_text *t, int64_t v, size_t width)
{
	char digits[OTST_TEXT_DIGITS], *at = otst_text_signed(digits, v);

	otst_text_right(t, at, (size_t)(digits + OTST_TEXT_DIGITS - at), width);
}

/** otst_text_hex() - "%0*llx" */
static inline void otst_text_hex(struct otst_text *t, uint64_t v, size_t width)
{
	char digits[16], *end = digits + sizeof(digits), *at = end;

	do {
		*--at = "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (at > digits && (v || (size_t)(end - at) < width));
	otst_text_mem(t, at, (size_t)(end - at));
}

/**
 * otst_text_clean() - append bytes of the dump: what would act on a terminal is
 * written as \x1b, as otst_clean() does; newlines and tabs stay
 */
void otst_text_clean(struct otst_text *t, const char *s, size_t len);

#endif /* OTST_TEXT_BUFFER_H */
