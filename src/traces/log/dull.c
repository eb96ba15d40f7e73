// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * dull.c - lines of a file that are certainly of no trace, told in one pass over their
 * bytes: nearly all lines of most logs are. Whatever prefix a line has, what line.c,
 * kind.c and part.c look for begins with one of their words, or has a sign of frames
 * in it. Where that is not certain, the line is not dull.
 *
 * Most lines are told before they are looked at one by one: skim_blocks() looks for signs and for
 * a part of each word, 16 bytes at a time and wherever they stand. It finds all that
 * otst_log_is_dull() finds, and some more.
 */
#include <string.h>

#include "file.h"
#include "line.h"
#include "words.h"

#define BUCKETS	 1024u
#define MOST	 160u /* words */
#define KEY	 4u   /* bytes by which words are found; none is shorter */
#define LONGEST	 1000u
#define STATES	 "RSDTtXZxKWPI?" /* of a task, up to 5.8 */
#define REMEMBER 8u		 /* lines before one that is not dull: one may be its message */
#define BLOCK	 16u		 /* bytes that are skimmed at a time */
#define HASHES	 15u		 /* bits of the hash of a word's part */

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

/** struct passed - a dull line that nobody read; @at: in the bytes that are being skimmed, or @text */
struct passed {
	uint64_t number;
	size_t len;
	const char *at;
	char text[LONGEST + 1];
};

/**
 * struct otst_log_dull - the words, and the last lines that were passed over
 * @first: by the hash of a word's first bytes, 1 + its number
 * @next: of the same hash, 1 + number; 0 ends
 * @part: of a word, where the KEY bytes are that are least common in text
 * @first_part, @next_part: words by the hash of that, likewise
 */
struct otst_log_dull {
	const char *words[MOST];
	uint8_t len[MOST], next[MOST], first[BUCKETS];
	uint8_t part[MOST], next_part[MOST], first_part[1u << HASHES];
	size_t count;
	struct passed lines[REMEMBER];
	uint64_t passed;
};

static uint32_t hash_key(const char *s)
{
	uint32_t key;

	memcpy(&key, s, KEY);
	return key * 0x9e3779b1u;
}

static size_t bucket_of(const char *s)
{
	return hash_key(s) >> 22;
}

static size_t part_bucket(const char *s)
{
	return hash_key(s) >> (32 - HASHES);
}

/* where signs, capitals, digits and rare letters are, which most words of a log do not have */
static size_t rare_part(const char *word, size_t len)
{
	size_t i, k, rare, most = 0, part = 0;

	for (i = 0; i + KEY <= len; i++) {
		for (k = rare = 0; k < KEY; k++)
			rare += strchr("bfgjkqvwxyz", word[i + k]) ? 1 :
				word[i + k] == ' '		   ? 0 :
				word[i + k] < 'a'		   ? 2 :
								     0;
		if (rare >= most)
			part = i;
		most = rare > most ? rare : most;
	}
	return part;
}

static void add_word(void *priv, const char *word)
{
	struct otst_log_dull *dull = priv;
	size_t len = strlen(word), at;
	uint8_t *part;

	if (len < KEY || dull->count == MOST)
		return;
	at = bucket_of(word);
	dull->part[dull->count] = (uint8_t)rare_part(word, len);
	part = &dull->first_part[part_bucket(word + dull->part[dull->count])];
	dull->next_part[dull->count] = *part;
	*part = (uint8_t)(dull->count + 1);
	dull->words[dull->count] = word;
	dull->len[dull->count] = (uint8_t)len;
	dull->next[dull->count] = dull->first[at];
	dull->first[at] = (uint8_t)++dull->count;
}

struct otst_log_dull *otst_log_dull(struct otst *o)
{
	struct otst_log_dull *dull = otst_alloc(o, sizeof(*dull));

	if (!dull)
		return NULL;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		add_word(dull, words[i]);
	for (enum otst_words set = OTST_WORDS_START; set <= OTST_WORDS_HEADLINE; set++)
		otst_words_each(set, add_word, dull);
	otst_log_each_title(add_word, dull);
	return dull;
}

static bool has_word(const struct otst_log_dull *dull, const char *s, size_t len)
{
	if (len < KEY)
		return false;
	for (size_t i = dull->first[bucket_of(s)]; i; i = dull->next[i - 1]) {
		if (len >= dull->len[i - 1] && !memcmp(s, dull->words[i - 1], dull->len[i - 1]))
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

bool otst_log_is_dull(const struct otst_log_dull *dull, const char *line, size_t len)
{
	const uint8_t *s = (const uint8_t *)line;
	size_t i = 0;

	if (len > LONGEST)
		return false;
	while (i < len) {
		uint8_t class = classes[s[i]];

		if (class == UNKNOWN || (class == CLOSER && is_sign(line, i, len)))
			return false;
		if (class != BETWEEN &&
		    (has_word(dull, line + i, len - i) || is_state(line, i, len)))
			return false;
		do {
			i++;
		} while (i < len && class >= LETTER && classes[s[i]] == class);
	}
	return true;
}

/* ---- many lines at once ---- */

typedef uint8_t bytes16 __attribute__((vector_size(BLOCK)));

static bytes16 load_bytes(const char *s)
{
	bytes16 v;

	memcpy(&v, s, sizeof(v));
	return v;
}

static bytes16 is_char(bytes16 v, char c)
{
	return (bytes16)(v == (uint8_t)c);
}

static bytes16 is_between(bytes16 v, char first, char last)
{
	return (bytes16)(v - (uint8_t)first <= (uint8_t)(last - first));
}

/* characters of class UNKNOWN but for a newline */
static bytes16 find_unknown(bytes16 a)
{
	return is_between(a, 0, 8) | is_between(a, 11, 31) | (bytes16)(a >= 127) | is_char(a, '#') |
	       is_char(a, '&') | is_char(a, '<') | is_char(a, '\\') | is_char(a, '{');
}

/* what is_sign() and is_state() find, and more: all ones where it begins */
static bytes16 find_signs(const char *s)
{
	bytes16 a = load_bytes(s), b = load_bytes(s + 1), c = load_bytes(s + 2),
		d = load_bytes(s + 3);

	return find_unknown(a) | (is_char(a, '+') & is_char(b, '0') & is_char(c, 'x')) |
	       (is_char(a, '=') & (is_char(b, '>') | is_char(b, '='))) |
	       (is_char(a, '[') & is_char(b, 'i') & is_char(c, 'n')) |
	       (is_char(a, '(') & is_char(b, 'n') & is_char(c, 'u')) |
	       (is_char(a, 'a') & is_char(b, 't') & is_char(c, ':')) |
	       (is_char(a, '.') &
		((is_char(b, '.') & is_char(c, '.')) | ((bytes16)(b > '9') & is_char(c, ':')) |
		 (is_char(b, 'r') & is_char(c, 's') & is_char(d, ':')))) |
	       (is_char(a, ' ') & is_char(c, ' ') &
		(is_between(b, '?', 'Z') | is_char(b, 't') | is_char(b, 'x')));
}

static bool has_sign(const char *s)
{
	bytes16 signs = find_signs(s);
	uint64_t halves[2];

	memcpy(halves, &signs, sizeof(signs));
	return halves[0] | halves[1];
}

/* may a part of a word begin in the block at @s */
static bool may_have_part(const struct otst_log_dull *dull, const char *s)
{
	unsigned int i, found = 0;

#pragma GCC unroll 16
	for (i = 0; i < BLOCK; i++)
		found |= dull->first_part[part_bucket(s + i)];
	return found;
}

/** struct text - that is skimmed */
struct text {
	const char *begin, *end;
};

/* is the part of a word at @s, and the word around it */
static bool is_word_at(const struct otst_log_dull *dull, const struct text *t, const char *s)
{
	for (size_t i = dull->first_part[part_bucket(s)]; i; i = dull->next_part[i - 1]) {
		size_t before = dull->part[i - 1], len = dull->len[i - 1];

		if ((size_t)(s - t->begin) >= before && (size_t)(t->end - s) >= len - before &&
		    !memcmp(s - before, dull->words[i - 1], len))
			return true;
	}
	return false;
}

static bool has_word_at(const struct otst_log_dull *dull, const struct text *t, const char *s)
{
	size_t i;

	for (i = 0; i < BLOCK && !is_word_at(dull, t, s + i); i++)
		;
	return i < BLOCK;
}

/* the first block that has a sign or a part of a word, or the last one */
static const char *skim_blocks(const struct otst_log_dull *dull, const struct text *t,
			       const char *s)
{
	while (t->end - s >= (long)(BLOCK + KEY - 1) && !has_sign(s) &&
	       (!may_have_part(dull, s) || !has_word_at(dull, t, s)))
		s += BLOCK;
	return s;
}

static struct passed *pass_line(struct otst_log_dull *dull, const char *line, size_t len,
				uint64_t number)
{
	struct passed *p = &dull->lines[dull->passed++ % REMEMBER];

	p->number = number;
	p->len = len;
	p->at = line;
	return p;
}

static void keep_dull_text(struct passed *p)
{
	if (p->at == p->text)
		return;
	memcpy(p->text, p->at, p->len);
	p->text[p->len] = '\0';
	p->at = p->text;
}

void otst_log_pass(struct otst_log_dull *dull, const char *line, size_t len, uint64_t number)
{
	keep_dull_text(pass_line(dull, line, len, number));
}

size_t otst_log_skim(struct otst_log_dull *dull, const char *bytes, size_t len, uint64_t *number)
{
	const struct text t = { bytes, bytes + len };
	const char *s = bytes, *sign = skim_blocks(dull, &t, s), *newline;

	while ((newline = memchr(s, '\n', (size_t)(t.end - s)))) {
		size_t n = (size_t)(newline - s);

		if (n > LONGEST || (sign <= newline && !otst_log_is_dull(dull, s, n)))
			break;
		if (sign <= newline)
			sign = skim_blocks(dull, &t, newline + 1);
		pass_line(dull, s, n, ++*number);
		s = newline + 1;
	}
	for (size_t i = 0; i < REMEMBER && i < dull->passed; i++)
		keep_dull_text(&dull->lines[i]);
	return (size_t)(s - bytes);
}

int otst_log_passed(struct otst_log_dull *dull, otst_log_ordered_fn *fn, void *priv)
{
	uint64_t i = dull->passed > REMEMBER ? dull->passed - REMEMBER : 0, end = dull->passed;
	int err = 0;

	for (dull->passed = 0; i < end && !err; i++) {
		struct passed *p = &dull->lines[i % REMEMBER];

		err = fn(priv, p->text, p->len, p->number);
	}
	return err;
}
