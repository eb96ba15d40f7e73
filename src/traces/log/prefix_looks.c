// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * prefix_looks.c - what looks like a part of a trace, wherever it stands in a line: frames, and the
 * lines before them. A sentence can name a function, too; that is not a frame.
 */
#include <ctype.h>
#include <string.h>

#include "prefix.h"

/* the blank, the guess's mark and the addresses before a symbol are the kernel's */
static const char *widen_prefix(const char *text, const char *s)
{
	const char *p, *open;

	for (;;) {
		for (p = s; p > text && (p[-1] == ' ' || p[-1] == '\t'); p--)
			;
		if (p > text && p[-1] == '?') {
			s = p - 1;
			continue;
		}
		if (p - text < 4 || p[-1] != ']')
			return s;
		for (open = p - 1; open > text && *open != '['; open--)
			;
		if (!strncmp(open, "[<0>]", 5) || !strncmp(open, "[<", 2) ||
		    (strspn(open + 1, "0123456789abcdef") >= 8 && p - open >= 10 &&
		     open[1 + strspn(open + 1, "0123456789abcdef")] == ']'))
			s = open;
		else
			return s;
	}
}

/* the first "f+0x1/0x2" with what belongs to it; NULL when there is none; @end: where it ends */
const char *otst_log_find_frame(const char *text, const char **end)
{
	struct otst_log_item item;
	const char *p, *s;

	for (p = strchr(text, '+'); p; p = strchr(p + 1, '+')) {
		if (p[1] != '0' || p[2] != 'x')
			continue;
		s = otst_log_name_start(text, p);
		if (s == p)
			continue;
		s = widen_prefix(text, s);
		*end = otst_log_one(s, &item);
		if (*end)
			return s;
	}
	return NULL;
}

/* words before the name of a function that is not a frame */
bool otst_log_is_named(const char *text, const char *s)
{
	static const char *const words[] = { "at",   "at:", "is",   "in",      "by",	   "from",
					     "to",   "of",  "func", "calling", "initcall", "probe",
					     "RIP:", "LR:", "for",  "and" };
	const char *end = s;
	size_t i, n;

	/* "hardirqs last enabled at (7): f+0x1/0x2" */
	if (strstr(text, "irqs last "))
		return true;
	while (end > text && end[-1] == ' ')
		end--;
	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		n = strlen(words[i]);
		if ((size_t)(end - text) >= n && !memcmp(end - n, words[i], n) &&
		    ((size_t)(end - text) == n || !isalpha((unsigned char)end[-(long)n - 1])))
			return true;
	}
	return false;
}

/* "Call Trace:" and its like somewhere in a line, or NULL */
const char *otst_log_find_start(const char *text)
{
	static const char *const starts[] = { "Call Trace:", "Call trace:", "Backtrace:" };
	const char *p;

	for (p = strchr(text, ':'); p; p = strchr(p + 1, ':')) {
		/* crash: "PID: 1234   TASK: ...  COMMAND: " */
		if (p - text > 20 && p[-1] == 'D' && !memcmp(p - 7, "COMMAND", 7) &&
		    strstr(text, "PID: "))
			return strstr(text, "PID: ");
		if (p - text < 9 || p[-1] != 'e' || p[-2] != 'c')
			continue;
		for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
			size_t len = strlen(starts[i]);

			if ((size_t)(p + 1 - text) >= len && !memcmp(p + 1 - len, starts[i], len))
				return p + 1 - len;
		}
	}
	return NULL;
}

/* may what follows a frame be put there by others: " |", "\",", not "returned 0" */
bool otst_log_is_behind(const char *s)
{
	s = otst_log_skip_blanks(s);
	return !*s || (!isalnum((unsigned char)*s) && *s != '(' && *s != '[' && *s != '/');
}
