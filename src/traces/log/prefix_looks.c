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
		    (strspn(open + 1, "0123456789abcdefABCDEF") >= 8 && p - open >= 10 &&
		     open[1 + strspn(open + 1, "0123456789abcdefABCDEF")] == ']'))
			s = open;
		else
			return s;
	}
}

/* where the brackets that end at @s begin, or @s: "<u8>", "{closure#0}" */
static const char *group_start(const char *text, const char *s)
{
	const char *p = s;
	int depth = 0;

	if (s == text || !strchr(">}])", s[-1]))
		return s;
	do {
		if (p-- == text)
			return s;
		if (strchr("<{[(", *p))
			depth--;
		else if (strchr(">}])", *p) && !(*p == '>' && p > text && p[-1] == '-'))
			depth++;
	} while (depth > 0 && s - p < OTST_LOG_GROUP);
	return depth ? s : p;
}

/* where a name that ends at @s begins, with Rust's path before it; @s when there is none */
static const char *path_start(const char *text, const char *s)
{
	const char *end = s, *p;

	for (;;) {
		for (p = end; group_start(text, p) < p;)
			p = group_start(text, p);
		p = otst_log_name_start(text, p);
		if (p == end)
			return s;
		s = p;
		if (s - text < 2 || s[-1] != ':' || s[-2] != ':')
			return s;
		end = s - 2;
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
		s = path_start(text, p);
		if (s == p)
			continue;
		s = widen_prefix(text, s);
		*end = otst_log_one(s, &item);
		if (*end)
			return s;
	}
	return NULL;
}

/* "0xffffffff9f2a3e84 (f+0x1/0x2)", "[<ffffffff81400000>] (f+0x1/0x2)", "10:<ffffffff81400000> {f+0x1/0x2}" */
static bool is_behind_address(const char *text, const char *s)
{
	const char *p = s;

	if (s - text < 4 || (s[-1] != '(' && s[-1] != '{') || s[-2] != ' ')
		return false;
	for (p = s - 2; p > text && (p[-1] == '>' || p[-1] == ']'); p--)
		;
	for (s = p; p > text && isxdigit((unsigned char)p[-1]); p--)
		;
	/* arm32's frames */
	return s - p >= 8 && !strstr(text, ") from ");
}

/* words before the name of a function that is not a frame */
bool otst_log_is_named(const char *text, const char *s)
{
	static const char *const words[] = {
		"at",	"at:",	   "is",       "in",	 "by",	     "from", "to",	"of",
		"func", "calling", "initcall", "probe",	 "RIP:",     "LR:",  "for",	"and",
		"ip:",	"hint:",   "lock:",    "ENDBR:", "variable", "for:", "Stopper:"
	};
	const char *end = s;
	size_t i, n;

	/* "hardirqs last enabled at (7): f+0x1/0x2", "->handle_irq():  00000000e5a2fd06, f+0x0/0x1e0" */
	if (strstr(text, "irqs last ") || is_behind_address(text, s) ||
	    (s - text > 2 && s[-2] == ',' && strstr(text, "(): ")))
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
