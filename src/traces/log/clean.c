// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * clean.c - a line of a file as the kernel's lines: without what terminals, web
 * pages, mail and log services put into it, and split where one line holds several.
 *
 *	\33[31mCall Trace:\33[0m		dmesg -L, less -R
 *	Call Trace:#012 <TASK>#012#011f+0x1	rsyslog
 *	{"MESSAGE":"Call Trace:\n <TASK>"}	JSON
 *	&nbsp;&lt;TASK&gt;<br>			HTML
 *	[ 1.000000] Call Trace: [ 1.000001]	lines that were joined
 *	\xc3\x9d 1.000000\xc2\xa8 Call Trace:	brackets of a 3270 terminal
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "symbol.h"
#include "words.h"

#define LONG 160 /* a line that may be several that were joined */
#define PADS 8	 /* blanks between two lines of a terminal */

/** struct sink - who takes the lines */
struct sink {
	otst_log_piece_fn *fn;
	void *priv;
	int err;
};

/*
 * its length without "\r" at its end, which `cat -v` writes as "^M"; `cat -A` writes "$" behind
 * each line, and the kernel's own words have none there but as a word
 */
static size_t without_returns(const char *s, size_t len)
{
	if (len > 1 && s[len - 1] == '$' && s[len - 2] != ' ' && !memchr(s, '$', len - 1))
		len--;
	for (;;) {
		if (len && s[len - 1] == '\r')
			len--;
		else if (len > 1 && s[len - 2] == '^' && s[len - 1] == 'M')
			len -= 2;
		else
			return len;
	}
}

/* @len bytes at @s, which are in a line that may be changed for a moment */
static void give_piece(struct sink *to, char *s, size_t len)
{
	char after;

	len = without_returns(s, len);
	if (to->err)
		return;
	after = s[len];
	s[len] = '\0';
	to->err = to->fn(to->priv, s, len);
	s[len] = after;
}

/* ---- several lines in one ---- */

/* "[  121.770022]", as the kernel prints it */
static bool is_stamp(const char *s)
{
	if (*s++ != '[')
		return false;
	s += strspn(s, " ");
	if (!isdigit((unsigned char)*s))
		return false;
	s += strspn(s, "0123456789");
	return *s == '.' && strspn(s + 1, "0123456789") == 6 && (s[7] == ']' || s[7] == '@');
}

static char *next_stamp(char *s)
{
	for (s = strchr(s, '['); s; s = strchr(s + 1, '[')) {
		if (is_stamp(s))
			return s;
	}
	return NULL;
}

/* a line begins at each stamp; false when it has too few of them: two need a terminal's blanks between them */
static bool split_stamps(struct sink *to, char *line, size_t len)
{
	char *first = next_stamp(line), *second = first ? next_stamp(first + 1) : NULL, *at = line;
	size_t pads = 0;

	if (!second)
		return false;
	while (second - pads > line && second[-1 - (long)pads] == ' ')
		pads++;
	if (pads < PADS && !next_stamp(second + 1))
		return false;
	for (; second; at = second, second = next_stamp(second + 1)) {
		size_t n = (size_t)(second - at);

		while (n && (at[n - 1] == ' ' || at[n - 1] == '|'))
			n--;
		give_piece(to, at, n);
	}
	give_piece(to, at, (size_t)(line + len - at));
	return true;
}

/* frames that follow each other, each as a line; where they end */
static char *split_frames(struct sink *to, char *s)
{
	struct otst_log_item item;

	for (;;) {
		const char *end;

		s += strspn(s, " \t");
		end = otst_log_one(s, &item);
		if (!end || (*end && *end != ' ' && *end != '\t'))
			return s;
		give_piece(to, s, (size_t)(end - s));
		s += end - s;
	}
}

static void split_words(struct sink *to, char *line, size_t len)
{
	char *at = line, *s, *end = line + len;

	for (s = line; s < end && !to->err; s++) {
		/* "WARNING: CPU: 1" is one line */
		if (s > at && s[-1] == ' ' && otst_words_begin(OTST_WORDS_GLUED, s) &&
		    !(s - at == 9 && *at == 'W')) {
			give_piece(to, at, (size_t)(s - at));
			at = s;
		}
		if (!strncmp(s, "Call Trace:", 11) || !strncmp(s, "Call trace:", 11)) {
			give_piece(to, at, (size_t)(s + 11 - at));
			at = s = split_frames(to, s + 11);
		}
	}
	if (at < end)
		give_piece(to, at, (size_t)(end - at));
}

/* are there frames behind "Call Trace:" at @s, and then more text: 2.6 prints several in a line */
static bool is_joined(const char *s)
{
	struct otst_log_item item;
	const char *end = s + 11;
	size_t n = 0;

	for (s = end; s; n++) {
		end = s + strspn(s, " \t");
		s = *end ? otst_log_one(end, &item) : NULL;
	}
	return n > OTST_LOG_ITEMS || (n > 1 && *end);
}

static void split_long(struct sink *to, char *line, size_t len)
{
	char *start = len > LONG ? strstr(line, "Call Trace:") ?: strstr(line, "Call trace:") :
				   NULL;

	if (len > LONG && split_stamps(to, line, len))
		return;
	if (start && start > line && is_joined(start))
		split_words(to, line, len);
	else
		give_piece(to, line, len);
}

/* ---- what others have put into a line ---- */

/** struct rewriting - of a line, which begins at @line, in its own place: @to never passes @from */
struct rewriting {
	const char *line;
	const char *from;
	char *to;
	bool escapes; /* "\n" and "\t" stand for what they name */
	bool ebcdic;  /* brackets are those of another code page */
};

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* is what stands before @end within a word: without it, the word would look like another one */
static bool is_in_word(const struct rewriting *r, const char *end)
{
	return r->to > r->line && is_of_word(r->to[-1]) && is_of_word(*end);
}

/* a colour, or the rest of the line in it: what "grep --color" puts around a part of a word moves no letter */
static bool is_colour(const char *s, size_t len)
{
	return s[0] == '[' && (s[len - 1] == 'm' || s[len - 1] == 'K');
}

/* what is behind "\33": a colour goes, and "[2J" outside of words; all else stays, and the escape character */
static void take_escape(struct rewriting *r)
{
	size_t len = otst_log_escape(r->from);

	if (!len || (is_in_word(r, r->from + len) && !is_colour(r->from, len)))
		*r->to++ = '\33';
	else
		r->from += len;
}

/* at the end of a line it is part of that; elsewhere a line ends there */
static void put_return(struct rewriting *r)
{
	static const char *const ends[] = { "\n",   "\r",   "\\n",     "\\r",
					    "#012", "#015", "\\u000a", "\\u000d" };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		if (otst_begins(r->from, ends[i]))
			return;
	}
	if (*r->from)
		*r->to++ = '\n';
}

struct entity {
	const char *name;
	char c;
};

static bool take_entity(struct rewriting *r)
{
	static const struct entity entities[] = {
		{ "&amp;lt;", '<' }, { "&amp;gt;", '>' }, { "&lt;", '<' },   { "&gt;", '>' },
		{ "&amp;", '&' },    { "&nbsp;", ' ' },	  { "&quot;", '"' }, { "&apos;", '\'' },
		{ "&#39;", '\'' },   { "&#x27;", '\'' },  { "&#34;", '"' },  { "&#160;", ' ' },
		{ "&#60;", '<' },    { "&#62;", '>' },	  { "&#43;", '+' },  { "&#xa0;", ' ' },
	};

	for (size_t i = 0; i < sizeof(entities) / sizeof(*entities); i++) {
		size_t n = strlen(entities[i].name);

		if (!strncmp(r->from, entities[i].name, n)) {
			*r->to++ = entities[i].c;
			r->from += n;
			return true;
		}
	}
	return false;
}

/* tags that pages have around logs: those of a paragraph end a line */
static bool take_tag(struct rewriting *r)
{
	static const char *const inside[] = { "span", "code", "pre", "font",   "b", "i",
					      "tt",   "a",    "td",  "strong", "em" };
	static const char *const lines[] = { "br", "p", "div", "li", "tr" };
	const char *s = r->from + 1, *end = strchr(s, '>');
	size_t i, n;

	s += *s == '/';
	for (n = 0; s[n] >= 'a' && s[n] <= 'z'; n++)
		;
	if (!end || !n || (s[n] != '>' && s[n] != ' ' && s[n] != '/'))
		return false;
	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		if (strlen(lines[i]) == n && !strncmp(s, lines[i], n)) {
			*r->to++ = '\n';
			r->from = end + 1;
			return true;
		}
	}
	for (i = 0; i < sizeof(inside) / sizeof(*inside); i++) {
		if (strlen(inside[i]) == n && !strncmp(s, inside[i], n)) {
			r->from = end + 1;
			return true;
		}
	}
	return false;
}

/* rsyslog's "#012": a newline, "#011": a tab */
static bool take_octal(struct rewriting *r)
{
	static const struct entity octals[] = { { "#012", '\n' },
						{ "#011", '\t' },
						{ "#015", '\r' } };

	for (size_t i = 0; i < sizeof(octals) / sizeof(*octals); i++) {
		if (strncmp(r->from, octals[i].name, 4) != 0)
			continue;
		r->from += 4;
		if (octals[i].c != '\r')
			*r->to++ = octals[i].c;
		else
			put_return(r);
		return true;
	}
	return false;
}

/* "\u003c": Go writes "<", ">" and "&" so */
static bool take_unicode(struct rewriting *r)
{
	unsigned long c;
	char digits[5] = "", *end;

	memcpy(digits, r->from + 2, strnlen(r->from + 2, 4));
	c = strtoul(digits, &end, 16);
	if (end != digits + 4 || !isxdigit((unsigned char)*digits) || (c > 0x7e && c != 0xa0))
		return false;
	r->from += 6;
	if (c == '\r')
		put_return(r);
	else if (c == '\33')
		take_escape(r);
	else
		*r->to++ = !c || c == 0xa0 ? ' ' : (char)c;
	return true;
}

/* "\n", "\t", "\"" of JSON and of C */
static bool take_backslash(struct rewriting *r)
{
	char c = r->from[1];

	if (r->escapes && c == 'u')
		return take_unicode(r);
	if (!r->escapes || !c || !strchr("nrt\"/\\", c))
		return false;
	r->from += 2;
	if (c == 'r')
		put_return(r);
	else
		*r->to++ = c == 'n' ? '\n' : c == 't' ? '\t' : c;
	return true;
}

static bool is_wide_as_nothing(const unsigned char *s)
{
	if (s[0] == 0xe2)
		return s[1] == 0x80 && s[2] >= 0x8b && s[2] <= 0x8d;
	return s[0] == 0xef && s[1] == 0xbb && s[2] == 0xbf;
}

/* blanks of Unicode; those of no width, and the mark at the start of a file, are left out, unless within a word */
static bool take_blank(struct rewriting *r)
{
	const unsigned char *s = (const unsigned char *)r->from;

	if (s[0] == 0xc2 && s[1] == 0xa0) {
		*r->to++ = ' ';
		r->from += 2;
		return true;
	}
	if (s[0] == 0xe2 && s[1] == 0x80 && ((s[2] >= 0x80 && s[2] <= 0x8a) || s[2] == 0xaf)) {
		*r->to++ = ' ';
		r->from += 3;
		return true;
	}
	if (is_wide_as_nothing(s) && !is_in_word(r, r->from + 3)) {
		r->from += 3;
		return true;
	}
	return false;
}

#define OPEN_3270  "\xc3\x9d"
#define CLOSE_3270 "\xc2\xa8"

/*
 * x3270 takes one code page for another: its brackets are those above; "\xef\xbf\xbd " is what
 * became of the first
 */
static bool take_bracket(struct rewriting *r)
{
	static const struct {
		const char *text;
		char c;
	} brackets[] = { { OPEN_3270, '[' }, { CLOSE_3270, ']' }, { "\xef\xbf\xbd ", '[' } };

	for (size_t i = 0; r->ebcdic && i < sizeof(brackets) / sizeof(*brackets); i++) {
		if (!otst_begins(r->from, brackets[i].text))
			continue;
		r->from += strlen(brackets[i].text);
		*r->to++ = brackets[i].c;
		return true;
	}
	return false;
}

static bool take_special(struct rewriting *r, const char *end)
{
	switch (*r->from) {
	case '\0':
		*r->to++ = ' ';
		r->from++;
		return true;
	case '\33':
		r->from++;
		take_escape(r);
		return true;
	case '\r':
		/* at the end of a line it is part of its end */
		r->from++;
		if (r->from + strspn(r->from, "\r") < end)
			*r->to++ = '\n';
		return true;
	case '&':
		return take_entity(r);
	case '<':
		return take_tag(r);
	case '#':
		return take_octal(r);
	case '\\':
		return take_backslash(r);
	default:
		return take_bracket(r) || take_blank(r);
	}
}

/* true if it is text within quotes: it has two newlines as C and JSON write them, or characters as JSON does */
static bool has_escapes(const char *s)
{
	const char *p = strstr(s, "\\n");

	if (strstr(s, "\\u00"))
		return true;
	return p && (strstr(p + 2, "\\n") || *s == '{' || *s == '"');
}

static size_t rewrite_line(char *line, size_t len, bool escapes)
{
	struct rewriting r = { line, line, line, escapes, false };

	r.ebcdic = strstr(line, CLOSE_3270) &&
		   (strstr(line, OPEN_3270) || strstr(line, "\xef\xbf\xbd "));

	while (r.from < line + len) {
		if (!take_special(&r, line + len))
			*r.to++ = *r.from++;
	}
	*r.to = '\0';
	return (size_t)(r.to - line);
}

/* ---- JSON ---- */

/* "[27,91,51]", which the journal has for bytes that JSON has no text for: as a text, in its place */
static char *take_byte_array(char *s, size_t *len)
{
	char *from = s + 1, *to = s;

	while (isdigit((unsigned char)*from)) {
		unsigned long byte = strtoul(from, &from, 10);

		if (byte > UINT8_MAX)
			return NULL;
		/* it takes two characters at least: a digit, and what follows it */
		if (byte == '\\')
			*to++ = '\\';
		*to++ = byte ? (char)byte : ' ';
		from += *from == ',';
	}
	*len = (size_t)(to - s);
	return *from == ']' && *len ? s : NULL;
}

/* the string that @key has, without its quotes; NULL when there is none */
static char *find_json_value(char *line, const char *key, size_t *len)
{
	char *s = strstr(line, key), *end;

	if (!s)
		return NULL;
	s += strlen(key);
	s += strspn(s, " ");
	if (*s++ != ':')
		return NULL;
	s += strspn(s, " ");
	if (*s == '[')
		return take_byte_array(s, len);
	if (*s++ != '"')
		return NULL;
	for (end = s; *end && *end != '"'; end++)
		end += *end == '\\' && end[1];
	*len = (size_t)(end - s);
	return s;
}

/*
 * The message of an entry of the journal, or of a container's log, with its time, in the
 * place of the entry; false when @line is not one.
 */
static bool take_message(char *line, size_t *len)
{
	static const char *const keys[] = { "\"MESSAGE\"", "\"log\"",  "\"message\"",	 "\"msg\"",
					    "\"line\"",	   "\"_raw\"", "\"textPayload\"" };
	char *text = NULL, *time, stamp[48] = "";
	size_t i, n = 0, digits = 0, m;

	for (i = 0; i < sizeof(keys) / sizeof(*keys) && !text; i++)
		text = find_json_value(line, keys[i], &n);
	if (!text)
		return false;
	time = find_json_value(line, "\"__MONOTONIC_TIMESTAMP\"", &digits);
	if (time && digits < 20 && strspn(time, "0123456789") == digits) {
		uint64_t us = strtoull(time, NULL, 10);

		snprintf(stamp, sizeof(stamp), "[%llu.%06llu] ", (unsigned long long)us / 1000000,
			 (unsigned long long)us % 1000000);
	}
	m = strlen(stamp);
	memmove(line + m, text, n);
	memcpy(line, stamp, m);
	line[m + n] = '\0';
	*len = m + n;
	return true;
}

/* a line that is one text of JSON: without its quotes */
static bool take_string(char *line, size_t *len)
{
	size_t i;

	for (i = 1; i < *len && line[i] != '"'; i++)
		i += line[i] == '\\';
	if (*line != '"' || i + 1 != *len)
		return false;
	*len -= 2;
	memmove(line, line + 1, *len);
	line[*len] = '\0';
	return true;
}

/* ---- the line ---- */

/* is there nothing to take out */
static bool is_plain(const char *line, size_t len)
{
	static const char special[] = OTST_LOG_SPECIAL;

	for (size_t i = strcspn(line, special); i < len; i += 1 + strcspn(line + i + 1, special)) {
		char c = line[i], next = line[i + 1];

		/* "[<ffffffff8002a1b2>]" is not a tag */
		if (c == '<' &&
		    ((next != '/' && !(next >= 'a' && next <= 'z')) || (i && line[i - 1] == '[')))
			continue;
		if (c == '#' && next != '0')
			continue;
		if (c == '\r' && i + 1 == len)
			continue;
		return false;
	}
	return true;
}

/* without the "\r\n" that C and Python print at its end, and the quote behind that */
static size_t trim_line(char *line, size_t len)
{
	size_t n = len;

	while (n && strchr("'\",", line[n - 1]))
		n--;
	if (n < 2 || memcmp(line + n - 2, "\\n", 2) != 0)
		return len;
	n -= 2;
	n -= n > 1 && !memcmp(line + n - 2, "\\r", 2) ? 2 : 0;
	line[n] = '\0';
	return n;
}

int otst_log_pieces(char *line, size_t len, otst_log_piece_fn *fn, void *priv)
{
	struct sink to = { fn, priv, 0 };
	bool json = *line == '{' ? take_message(line, &len) : take_string(line, &len);
	char *end;

	if (!json)
		len = trim_line(line, len);
	if (!json && len <= LONG && is_plain(line, len)) {
		give_piece(&to, line, len);
		return to.err;
	}
	len = rewrite_line(line, len, json || has_escapes(line));
	for (; (end = memchr(line, '\n', len)) && !to.err; line = end + 1) {
		size_t n = (size_t)(end - line);

		*end = '\0';
		split_long(&to, line, n);
		len -= n + 1;
	}
	if (!to.err)
		split_long(&to, line, len);
	return to.err;
}
