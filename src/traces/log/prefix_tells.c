// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * prefix_tells.c - what a prefix tells of its line: time, cpu and task, in the forms of netconsole,
 * /dev/kmsg, the kernel's own options and vendors
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "prefix.h"

static bool take_number(const char **at, int64_t *ret)
{
	const char *s = otst_log_skip_blanks(*at);
	int64_t v = 0;
	int n;

	for (n = 0; n < 9 && isdigit((unsigned char)s[n]); n++)
		v = v * 10 + (s[n] - '0');
	*at = s + n;
	*ret = v;
	return n > 0;
}

/* "dd:  310]" or "310:dd]" or "310:dd)" up to @end: name and pid in either order */
static void take_task(struct otst_log_who *who, const char *s, const char *end)
{
	const char *colon, *p;
	int64_t pid;

	for (colon = end; colon > s && *colon != ':'; colon--)
		;
	p = colon + 1;
	if (colon > s && take_number(&p, &pid) && p == end) {
		s = otst_log_skip_blanks(s);
		who->pid = pid;
		who->comm = s;
		who->comm_len = (size_t)(colon - s);
		return;
	}
	p = s;
	if (!take_number(&p, &pid) || *p != ':')
		return;
	who->pid = pid;
	who->comm = p + 1;
	who->comm_len = (size_t)(end - p - 1);
}

/* "[1:   dd:  310]", "(1)[310:dd]", "[pid:310,cpu1,dd]", "@1]", "/proc/310/stack" */
static void take_vendor(struct otst_log_who *who, const char *s, const char *limit)
{
	const char *end = *s == '[' || *s == '(' ? otst_log_bracket_end(s, limit) : NULL,
		   *p = s + 1;
	int64_t v;

	if (end && !strncmp(p, "pid:", 4)) {
		p += 4;
		if (take_number(&p, &v))
			who->pid = v;
		if (!strncmp(p, ",cpu", 4) && (p += 4, take_number(&p, &v)))
			who->cpu = (int)v;
		if (*p++ == ',') {
			who->comm = p;
			who->comm_len = strcspn(p, ",]");
		}
	} else if (end && *s == '(' && take_number(&p, &v) && p == end && end[1] == '[') {
		who->cpu = (int)v;
		p = otst_log_bracket_end(end + 1, limit);
		if (p)
			take_task(who, end + 2, p);
	} else if (end && *s == '[' && take_number(&p, &v) && *p == ':' && v < 4096 &&
		   memchr(p + 1, ':', (size_t)(end - p - 1))) {
		who->cpu = (int)v;
		take_task(who, p + 1, end);
	} else if (*s == '@' && take_number(&p, &v) && (*p == ']' || *p == ' ')) {
		who->cpu = (int)v;
	} else if (!strncmp(s, "/proc/", 6) && (p = s + 6, take_number(&p, &v)) && *p == '/') {
		who->pid = v;
	}
}

/* "4,1234,121770022,-,caller=T310;": netconsole and /dev/kmsg */
static bool take_prefix_record(struct otst_log_line *line, const char *s, const char *end)
{
	int64_t level, seq, us;
	const char *p = s, *caller;
	char *after;

	if (!take_number(&p, &level) || *p++ != ',' || !take_number(&p, &seq) || *p++ != ',' ||
	    !isdigit((unsigned char)*p))
		return false;
	us = strtoll(p, &after, 10);
	if (*after != ',' || us < 0 || us > INT64_MAX / 1000)
		return false;
	line->facility = (int)(level >> 3);
	line->clock = OTST_CLOCK_LOCAL;
	line->time = (uint64_t)us * 1000;
	caller = strstr(after, ",caller=");
	if (!caller || caller > end)
		return true;
	p = caller + 9;
	if ((p[-1] == 'T' || p[-1] == 'C') && take_number(&p, &level))
		line->caller = (uint32_t)level | (caller[8] == 'C' ? OTST_LOG_CPU : 0);
	return true;
}

static void take_date(struct otst_log_line *line, const char *s)
{
	const char *end = s;
	uint64_t ns;
	size_t len;

	if (line->stamp || !otst_log_date(&end, &ns))
		return;
	for (len = (size_t)(end - s); len && (s[len - 1] == ']' || s[len - 1] == '|'); len--)
		;
	line->stamp = s;
	line->stamp_len = len;
	if (line->clock != OTST_CLOCK_NONE)
		return;
	line->clock = OTST_CLOCK_SYSLOG;
	line->time = ns;
}

/* "[ T310]", "[  C1]" */
static void take_caller(struct otst_log_line *line, const char *s)
{
	const char *p = otst_log_skip_blanks(s + 1);
	char kind = *p++;
	int64_t id;

	if (*s == '[' && (kind == 'T' || kind == 'C') && isdigit((unsigned char)*p) &&
	    take_number(&p, &id) && *p == ']')
		line->caller = (uint32_t)id | (kind == 'C' ? OTST_LOG_CPU : 0);
}

void otst_log_read_prefix(struct otst_log_line *line, const char *s, const char *end,
			  struct otst_log_who *ret)
{
	struct otst_log_who who = { .cpu = -1, .pid = -1 };
	bool begins = true;
	const char *after;
	uint64_t ns;

	for (; s < end; s++) {
		if (*s == '[' && line->clock != OTST_CLOCK_LOCAL &&
		    otst_log_dmesg_stamp(s, &ns, &after)) {
			line->clock = OTST_CLOCK_LOCAL;
			line->time = ns;
		}
		if (*s == '[' || *s == '(' || *s == '@' || *s == '/')
			take_vendor(&who, s, end);
		if (*s == '[')
			take_caller(line, s);
		if (begins && line->clock == OTST_CLOCK_NONE && isdigit((unsigned char)*s))
			take_prefix_record(line, s, end);
		if (begins && isalnum((unsigned char)*s))
			take_date(line, s);
		begins = !isalnum((unsigned char)*s);
	}
	if (line->caller == OTST_LOG_NO_CALLER && who.pid >= 0)
		line->caller = (uint32_t)who.pid;
	else if (line->caller == OTST_LOG_NO_CALLER && who.cpu >= 0)
		line->caller = (uint32_t)who.cpu | OTST_LOG_CPU;
	if (who.cpu < 0 && !who.comm)
		return;
	*ret = who;
	line->who = ret;
}
