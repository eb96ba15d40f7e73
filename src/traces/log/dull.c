// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * dull.c - lines of a file that are certainly of no trace, told in one pass over their
 * bytes: nearly all lines of most logs are. Whatever prefix a line has, what line.c,
 * kind.c and part.c look for begins with one of their words, or has a sign of frames
 * in it. Where that is not certain, the line is not dull.
 */
#include <string.h>

#include "log.h"

#define BUCKETS	 1024u
#define MOST	 160u /* words */
#define KEY	 4u   /* bytes by which words are found; none is shorter */
#define LONGEST	 1000u
#define STATES	 "RSDTtXZxKWPI?" /* of a task, up to 5.8 */
#define REMEMBER 8u		 /* lines before one that is not dull: one may be its message */

/* words that kind.c and part.c look for in code */
static const char *const words[] = {
	"CPU ",
	"CPU: ",
	"CPU#",
	"Pid: ",
	"PID: ",
	"PID = ",
	"Process ",
	"task:",
	"COMMAND: ",
	"comm ",
	"Comm: ",
	"kmemleak: ",
	"page last ",
	"page allocat",
	"Page allocat",
	"triggered ",
	"allie: ",
	"allie_",
	"Allocated",
	"Freed",
	"Allocation:",
	"Deallocation:",
	"allocated by ",
	"freed by ",
	"Uninit was ",
	"Local var",
	"Last ",
	"Second to last",
	"bytes by ",
	"race at ",
	"state was ",
	"-> #",
	"Inexact ",
	"Leftover ",
	"stack backtrace",
	"Object ",
	"Linux version ",
	"message repeated",
	"Repeated ",
	"exception RIP",
	"--- ",
	"Exception ",
	"MESSAGE",
	"bytes of stack",
};

/** struct passed - a dull line that nobody read */
struct passed {
	uint64_t number;
	size_t len;
	char text[LONGEST + 1];
};

/**
 * struct otst_log_dull - the words, and the last lines that were passed over
 * @first: by the hash of a word's first bytes, 1 + its number
 * @next: of the same hash, 1 + number; 0 ends
 */
struct otst_log_dull {
	const char *words[MOST];
	uint8_t len[MOST], next[MOST], first[BUCKETS];
	size_t count;
	struct passed lines[REMEMBER];
	uint64_t passed;
};

static size_t bucket(const char *s)
{
	uint32_t key;

	memcpy(&key, s, KEY);
	return key * 0x9e3779b1u >> 22;
}

static void add_word(void *priv, const char *word)
{
	struct otst_log_dull *d = priv;
	size_t len = strlen(word), at;

	if (len < KEY || d->count == MOST)
		return;
	at = bucket(word);
	d->words[d->count] = word;
	d->len[d->count] = (uint8_t)len;
	d->next[d->count] = d->first[at];
	d->first[at] = (uint8_t)++d->count;
}

struct otst_log_dull *otst_log_dull(struct otst *o)
{
	struct otst_log_dull *d = otst_alloc(o, sizeof(*d));
	size_t i;

	if (!d)
		return NULL;
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		add_word(d, words[i]);
	otst_log_each_word(add_word, d);
	otst_log_each_title(add_word, d);
	return d;
}

static bool has_word(const struct otst_log_dull *d, const char *s, size_t len)
{
	size_t i;

	if (len < KEY)
		return false;
	for (i = d->first[bucket(s)]; i; i = d->next[i - 1]) {
		if (len >= d->len[i - 1] && !memcmp(s, d->words[i - 1], d->len[i - 1]))
			return true;
	}
	return false;
}

/* what a character is: a word begins where the character before it is of another class */
enum {
	BETWEEN,
	CLOSER,	 /* what stands around it decides */
	UNKNOWN, /* of a line that is rewritten, or of another alphabet */
	LETTER,	 /* of a word */
	DASH,	 /* "---[ end trace", "-> #1" */
};

#define A LETTER
#define C CLOSER
#define U UNKNOWN
static const uint8_t
	classes
		[256] = {
			[0 ... 8] = U,	   [10 ... 31] = U, ['#'] = U,	       ['&'] = U,
			['('] = C,	   ['+'] = C,	    ['-'] = DASH,      ['.'] = C,
			['0' ... '9'] = A, [':'] = C,	    ['<'] = U,	       ['='] = C,
			['A' ... 'Z'] = A, ['['] = C,	    ['\\'] = U,	       ['_'] = A,
			['a' ... 'z'] = A, ['{'] = U,	    [127 ... 255] = U,
		};
#undef A
#undef C
#undef U

/* does the character at @i make the line one that is looked at */
static bool is_sign(const char *s, size_t i, size_t len)
{
	size_t left = len - i;

	switch (s[i]) {
	case '+': /* f+0x1 */
		return left > 2 && s[i + 1] == '0' && s[i + 2] == 'x';
	case '=': /* " => f" of ftrace, a ruler of lockdep */
		return left > 1 && (s[i + 1] == '>' || s[i + 1] == '=');
	case '[': /* "[inline]", "[#1]" */
		return left > 2 && s[i + 1] == 'i' && s[i + 2] == 'n';
	case '.': /* "..." of 2.6 */
		return left > 2 && s[i + 1] == '.' && s[i + 2] == '.';
	case '(': /* "(null)" */
		return left > 4 && !memcmp(s + i + 1, "null", 4);
	case ':': /* "f (a.c:1)", "state was registered at:" */
		return i > 3 &&
		       ((s[i - 2] == '.' && s[i - 1] > '9') || !memcmp(s + i - 3, ".rs", 3) ||
			(s[i - 2] == 'a' && s[i - 1] == 't'));
	default:
		return false;
	}
}

/* "bash   D 0 7 1" of kernels up to 5.8 has the state as a word */
static bool is_state(const char *s, size_t i, size_t len)
{
	return i && s[i - 1] == ' ' && i + 1 < len && s[i + 1] == ' ' && strchr(STATES, s[i]);
}

bool otst_log_is_dull(const struct otst_log_dull *d, const char *line, size_t len)
{
	const uint8_t *s = (const uint8_t *)line;
	size_t i = 0;

	if (len > LONGEST)
		return false;
	while (i < len) {
		uint8_t class = classes[s[i]];

		if (class == UNKNOWN || (class == CLOSER && is_sign(line, i, len)))
			return false;
		if (class != BETWEEN && (has_word(d, line + i, len - i) || is_state(line, i, len)))
			return false;
		do {
			i++;
		} while (i < len && class >= LETTER && classes[s[i]] == class);
	}
	return true;
}

void otst_log_pass(struct otst_log_dull *d, const char *line, size_t len, uint64_t number)
{
	struct passed *p = &d->lines[d->passed++ % REMEMBER];

	p->number = number;
	p->len = len;
	memcpy(p->text, line, len);
	p->text[len] = '\0';
}

int otst_log_passed(struct otst_log_dull *d, otst_log_ordered_fn *fn, void *priv)
{
	uint64_t i = d->passed > REMEMBER ? d->passed - REMEMBER : 0, end = d->passed;
	int err = 0;

	for (d->passed = 0; i < end && !err; i++) {
		struct passed *p = &d->lines[i % REMEMBER];

		err = fn(priv, p->text, p->len, p->number);
	}
	return err;
}
