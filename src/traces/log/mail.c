// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * mail.c - the text of mails, as they are sent and kept: quoted-printable and base64, by
 * the headers of each part. A text that was copied out of one may have no header: then it
 * is quoted-printable when each "=" in it is as there.
 *
 *	size=3D4096; RIP: 0010:lab_read+0x1=	"=3D" is "="; a "=" at the end: the line goes on
 *	2/0x40 [lab]
 *	W0NhbGwgVHJhY2U6Cg==			base64
 *
 * A mail that has its text twice, plain and as HTML, is read once.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "file.h"

#define SHORTEST \
	50u /* bytes of a line that was too long; a line of quoted-printable has 76 at most */
#define LONGEST 76u
#define HEADER	"Content-Transfer-Encoding:"
#define TYPE	"Content-Type:"

/* the value of a header that the line has; NULL when it is another one */
static const char *header_value(const char *line, size_t len, const char *name, size_t *ret)
{
	size_t n = strlen(name);

	if (len < n || strncasecmp(line, name, n) != 0)
		return NULL;
	while (n < len && (line[n] == ' ' || line[n] == '\t'))
		n++;
	*ret = len - n;
	return line + n;
}

static bool begins_as(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && !strncasecmp(s, word, n);
}

/* without blanks at its end */
static size_t text_len(const char *line, size_t len)
{
	while (len && strchr(" \t\r", line[len - 1]))
		len--;
	return len;
}

/* ---- is it a mail ---- */

static bool is_high_hex(char c)
{
	return isdigit((unsigned char)c) || (c >= 'A' && c <= 'F');
}

/** struct signs - of quoted-printable: each "=" is one of @breaks or @codes, or @wrong there */
struct signs {
	size_t breaks, codes, wrong;
};

static void count_signs(struct signs *n, const char *line, size_t len)
{
	len = text_len(line, len);
	for (size_t i = 0; i < len; i++) {
		if (line[i] != '=')
			continue;
		if (i + 1 == len && len >= SHORTEST && len <= LONGEST)
			n->breaks++;
		else if (i + 2 < len && is_high_hex(line[i + 1]) && is_high_hex(line[i + 2]))
			n->codes++;
		else
			n->wrong++;
	}
}

bool otst_log_mail_begin(struct otst_log_mail *m, const char *bytes, size_t len)
{
	const char *end = bytes + len, *newline;
	struct signs n = { 0 };
	size_t unused;

	*m = (struct otst_log_mail){ 0 };
	for (; (newline = memchr(bytes, '\n', (size_t)(end - bytes))); bytes = newline + 1) {
		size_t line = (size_t)(newline - bytes);

		if (header_value(bytes, line, HEADER, &unused))
			return true;
		count_signs(&n, bytes, line);
	}
	if (!n.breaks || n.breaks + n.codes < 2 || n.wrong)
		return false;
	m->transfer = OTST_LOG_MAIL_QUOTED;
	return true;
}

/* ---- what its headers say ---- */

/* "From jo@host Thu Nov 20 10:00:00 2025", before each mail of several; others begin a line with this word, too */
static bool is_separator(const char *line, size_t len)
{
	const char *at = len > 5 && !strncmp(line, "From ", 5) ? memchr(line, ':', len) : NULL;

	return at && line + len - at > 5 && at[3] == ':' && isdigit((unsigned char)at[-1]) &&
	       isdigit((unsigned char)at[1]) && isdigit((unsigned char)at[2]);
}

/* a mail begins, a part of one, or none */
static void take_mail_header(struct otst_log_mail *m, const char *line, size_t len)
{
	const char *value;
	size_t n;

	if (is_separator(line, len))
		*m = (struct otst_log_mail){ 0 };
	value = header_value(line, len, HEADER, &n);
	if (value) {
		m->transfer = begins_as(value, n, "quoted-printable") ? OTST_LOG_MAIL_QUOTED :
			      begins_as(value, n, "base64")	      ? OTST_LOG_MAIL_BASE64 :
									OTST_LOG_MAIL_PLAIN;
		m->in_text = false;
		m->bits = m->nr_bits = 0;
	}
	value = header_value(line, len, TYPE, &n);
	if (!value)
		return;
	m->twice |= begins_as(value, n, "multipart/alternative");
	m->is_copy = m->twice && m->has_text && begins_as(value, n, "text/html");
	m->has_text |= begins_as(value, n, "text/plain");
}

/* ---- its text ---- */

static unsigned int hex_digit(char c)
{
	return isdigit((unsigned char)c) ? (unsigned int)(c - '0') : (unsigned int)(c - 'A' + 10);
}

/* Latin-1's blank without a break has no byte of UTF-8 before it */
static char blank_or(unsigned int byte, const char *line, const char *to)
{
	return byte == 0xa0 && (to == line || !(to[-1] & 0x80)) ? ' ' : (char)byte;
}

static size_t decode_quoted(char *line, size_t len, bool *open)
{
	char *to = line, *s, *end;

	end = line + text_len(line, len);
	*open = end > line && end[-1] == '=';
	end = *open ? end - 1 : line + len;
	for (s = line; s < end; s++) {
		if (*s == '=' && end - s > 2 && is_high_hex(s[1]) && is_high_hex(s[2])) {
			*to = blank_or(hex_digit(s[1]) << 4 | hex_digit(s[2]), line, to);
			s += 2;
		} else {
			*to = *s;
		}
		to++;
	}
	return (size_t)(to - line);
}

/* 0 to 63, or 64 */
static unsigned int base64_digit(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (unsigned int)(at - digits) : 64;
}

static bool is_base64(const char *line, size_t len)
{
	size_t i;

	for (i = 0; i < len && base64_digit(line[i]) < 64; i++)
		;
	return i + 2 >= len && strspn(line + i, "=") >= len - i;
}

/* binary files have such characters at their beginning, or soon after it */
static bool is_no_text(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)s[i] < '\a')
			return true;
	}
	return false;
}

static size_t decode_base64(struct otst_log_mail *m, char *line, size_t len)
{
	char *to = line;

	for (size_t i = 0; i < len && line[i] != '='; i++) {
		m->bits = m->bits << 6 | base64_digit(line[i]);
		m->nr_bits += 6;
		if (m->nr_bits < 8)
			continue;
		m->nr_bits -= 8;
		*to++ = (char)(m->bits >> m->nr_bits & 0xff);
	}
	m->is_copy |= is_no_text(line, (size_t)(to - line));
	return m->is_copy ? 0 : (size_t)(to - line);
}

static size_t take_base64(struct otst_log_mail *m, char *line, size_t len, bool *open)
{
	len = text_len(line, len);
	/* the headers, which end in an empty line */
	if (!m->in_text) {
		m->in_text = !len;
		return len;
	}
	if (!is_base64(line, len)) {
		m->transfer = OTST_LOG_MAIL_PLAIN;
		m->is_copy = false;
		return 0;
	}
	*open = true;
	return decode_base64(m, line, len);
}

size_t otst_log_mail_line(struct otst_log_mail *m, char *line, size_t len, bool *open)
{
	*open = false;
	if (!m->nr_open)
		take_mail_header(m, line, len);
	switch (m->transfer) {
	case OTST_LOG_MAIL_QUOTED:
		len = decode_quoted(line, len, open);
		break;
	case OTST_LOG_MAIL_BASE64:
		len = take_base64(m, line, len, open);
		break;
	case OTST_LOG_MAIL_PLAIN:
	case OTST_LOG_MAIL_TRANSFERS:
		break;
	}
	m->nr_open = *open && m->transfer == OTST_LOG_MAIL_QUOTED ? m->nr_open + 1 : 0;
	return m->is_copy ? 0 : len;
}
