// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stamp.c - the prefixes of a kernel line in a file or on a console: syslog's
 * time, host and tag, the level, dmesg's time and caller.
 */
#include <ctype.h>
#include <string.h>

#include "line.h"

#define SECOND 1000000000ull

static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

/* unsigned decimal of at most @most digits, any blanks before it */
static bool parse_stamp_number(const char **at, unsigned int most, uint64_t *ret)
{
	const char *s = *at;
	uint64_t v = 0;

	while (*s == ' ')
		s++;
	if (!isdigit((unsigned char)*s))
		return false;
	for (; most-- && isdigit((unsigned char)*s); s++)
		v = v * 10 + (uint64_t)(*s - '0');
	*at = s;
	*ret = v;
	return true;
}

static bool skip_char(const char **at, char c)
{
	if (**at != c)
		return false;
	++*at;
	return true;
}

/* seconds since 1 January; a stamp has no year, so each February has 29 days */
static uint64_t since_new_year(unsigned int month, uint64_t day, uint64_t h, uint64_t m, uint64_t s)
{
	static const unsigned short before[] = { 0,   31,  60,	91,  121, 152,
						 182, 213, 244, 274, 305, 335 };

	return (((before[month] + day - 1) * 24 + h) * 60 + m) * 60 + s;
}

static bool month_name(const char *s, unsigned int *ret)
{
	for (*ret = 0; *ret < 12; ++*ret) {
		if (*s == months[3 * *ret] && !strncmp(s, months + 3 * *ret, 3))
			return true;
	}
	return false;
}

/* "20:47:42", "20:47:42.123456" */
static bool clock_time(const char **at, uint64_t hms[3], uint64_t *ns)
{
	uint64_t scale = SECOND / 10;

	*ns = 0;
	if (!parse_stamp_number(at, 2, &hms[0]) || !skip_char(at, ':') ||
	    !parse_stamp_number(at, 2, &hms[1]) || !skip_char(at, ':') ||
	    !parse_stamp_number(at, 2, &hms[2]))
		return false;
	if (**at != '.' && **at != ',')
		return true;
	for (++*at; isdigit((unsigned char)**at); ++*at, scale /= 10)
		*ns += (uint64_t)(**at - '0') * scale;
	return true;
}

/* "Apr 19 20:47:42 " */
static bool syslog_stamp(const char **at, uint64_t *ret)
{
	uint64_t day, hms[3], ns;
	const char *s = *at;
	unsigned int month;

	if (!month_name(s, &month))
		return false;
	s += 3;
	if (*s != ' ' || !parse_stamp_number(&s, 2, &day) || day < 1 || day > 31 ||
	    !skip_char(&s, ' ') || !clock_time(&s, hms, &ns) || *s != ' ')
		return false;
	*ret = since_new_year(month, day, hms[0], hms[1], hms[2]) * SECOND + ns;
	*at = s;
	return true;
}

/* "2021-04-19T20:47:42.123456+02:00 " */
static bool iso_stamp(const char **at, uint64_t *ret)
{
	uint64_t year, month, day, hms[3], ns;
	const char *s = *at;

	if (!isdigit((unsigned char)*s) || !parse_stamp_number(&s, 4, &year) ||
	    !skip_char(&s, '-') || !parse_stamp_number(&s, 2, &month) || month < 1 || month > 12 ||
	    !skip_char(&s, '-') || !parse_stamp_number(&s, 2, &day) || day < 1 || day > 31 ||
	    !(skip_char(&s, 'T') || skip_char(&s, ' ')) || !clock_time(&s, hms, &ns))
		return false;
	while (*s && *s != ' ')
		s++;
	if (*s != ' ')
		return false;
	*ret = since_new_year((unsigned int)month - 1, day, hms[0], hms[1], hms[2]) * SECOND + ns;
	*at = s;
	return true;
}

/* "[Mon Apr 19 20:47:42 2021] " of dmesg -T */
static bool human_stamp(struct otst_log_line *line)
{
	const char *s = line->text + 1, *end = strchr(line->text, ']');
	uint64_t time;

	if (!end || end - s < 20 || s[3] != ' ')
		return false;
	s += 4;
	if (!syslog_stamp(&s, &time))
		return false;
	line->stamp = line->text + 1;
	line->stamp_len = (size_t)(end - line->stamp);
	line->clock = OTST_CLOCK_SYSLOG;
	line->time = time;
	line->text = end[1] == ' ' ? end + 2 : end + 1;
	return true;
}

/* syslog's tag: the kernel's lines are "host kernel: text" */
static bool skip_tag(const char **at)
{
	const char *s = *at + 1, *colon = strchr(s, ':');

	while (*s && *s != ' ')
		s++;
	if (!*s || !colon)
		return false;
	while (*s == ' ')
		s++;
	if (strncmp(s, "kernel:", 7))
		return false;
	s += 7;
	*at = *s == ' ' ? s + 1 : s;
	return true;
}

/* "<4>", "<12>": the level, and the facility above it; -1 when there is none */
static int skip_level(const char **at)
{
	const char *s = *at;
	uint64_t level;

	if (*s++ != '<' || !parse_stamp_number(&s, 4, &level) || *s != '>')
		return -1;
	*at = s + 1;
	return (int)(level >> 3);
}

/* "[  121.770022"; @end: behind the digits */
static bool open_stamp(const char *s, uint64_t *ns, const char **end)
{
	uint64_t seconds, digits;
	unsigned int n = 0;

	if (*s++ != '[' || !parse_stamp_number(&s, 12, &seconds) || !skip_char(&s, '.'))
		return false;
	for (digits = 0; n < 9 && isdigit((unsigned char)*s); s++, n++)
		digits = digits * 10 + (uint64_t)(*s - '0');
	*end = s;
	if (!n)
		return false;
	for (; n < 9; n++)
		digits *= 10;
	*ns = seconds * SECOND + digits;
	return true;
}

/* "[  121.770022] " */
static bool dmesg_stamp(struct otst_log_line *line)
{
	const char *end;
	uint64_t ns;

	if (!open_stamp(line->text, &ns, &end) || *end != ']')
		return false;
	line->clock = OTST_CLOCK_LOCAL;
	line->time = ns;
	line->text = end + 1;
	return true;
}

/*
 * "[  121.770022 <    0.000012>]" of dmesg -d, "[  121.770022@1]", "[  121.770022s]" of vendors.
 * Others count seconds since 1970: those have ten digits before the point.
 */
bool otst_log_dmesg_stamp(const char *s, uint64_t *ns, const char **end)
{
	const char *p;

	if (!open_stamp(s, ns, &p) || *ns >= 1000000000 * SECOND)
		return false;
	if (*p == ']' || (*p == '@' && isdigit((unsigned char)p[1])) || *p == 's' || *p == ' ')
		*end = strchr(p, ']');
	else
		return false;
	if (!*end || *end - p > 24)
		return false;
	++*end;
	return true;
}

bool otst_log_date(const char **at, uint64_t *ns)
{
	return syslog_stamp(at, ns) || iso_stamp(at, ns);
}

/* "[ T123]", "[  C4]" after the time, with CONFIG_PRINTK_CALLER */
static void strip_caller(struct otst_log_line *line)
{
	const char *s = line->text;
	uint64_t id;
	bool cpu;

	if (*s++ != '[')
		return;
	while (*s == ' ')
		s++;
	cpu = *s == 'C';
	if (*s != 'C' && *s != 'T')
		return;
	s++;
	if (*s == ' ' || !parse_stamp_number(&s, 9, &id) || *s != ']')
		return;
	line->caller = (uint32_t)id | (cpu ? OTST_LOG_CPU : 0);
	line->text = s + 1;
}

bool otst_log_strip(struct otst_log_line *line)
{
	const char *s = line->text;
	bool syslog;

	line->clock = OTST_CLOCK_NONE;
	line->time = 0;
	line->stamp = NULL;
	line->stamp_len = 0;
	line->caller = OTST_LOG_NO_CALLER;
	syslog = syslog_stamp(&s, &line->time) || iso_stamp(&s, &line->time);
	if (syslog) {
		line->clock = OTST_CLOCK_SYSLOG;
		line->stamp = line->text;
		line->stamp_len = (size_t)(s - line->text);
		if (!skip_tag(&s))
			return false;
	}
	line->facility = skip_level(&s);
	line->text = s;
	if (*s != '[' || (!dmesg_stamp(line) && !human_stamp(line)))
		return true;
	strip_caller(line);
	if (*line->text == ' ')
		line->text++;
	return true;
}

bool otst_log_is_process(const char *text)
{
	uint64_t n;

	if (!syslog_stamp(&text, &n) && !iso_stamp(&text, &n))
		return false;
	text += strspn(text, " ");
	text += strcspn(text, " ");
	text += strspn(text, " ");
	text += strcspn(text, " [:");
	return skip_char(&text, '[') && parse_stamp_number(&text, 10, &n) && *text++ == ']' &&
	       *text == ':';
}

unsigned int otst_log_repeated(const char *text)
{
	const char *s = strstr(text, "last message repeated ");
	uint64_t n;

	if (!s)
		return 0;
	s += strlen("last message repeated ");
	return parse_stamp_number(&s, 3, &n) && !strncmp(s, " time", 5) ? (unsigned int)n : 0;
}
