// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * prefix.c - where the kernel's part of a line begins, whatever stands before it. No
 * list has all prefixes: their shape is learned from lines of a trace, and then taken
 * off all lines.
 *
 *	> kern  :warn  : [  121.770022] Call Trace:	shape ">a:a:[]"
 *	> kern  :warn  : [  121.770024]  f+0x1/0x2	the same: it is learned
 *
 * A shape is learned from a line with the kernel's stamp and a known text behind it; from
 * "Call Trace:" and a frame with equal prefixes; or from three such frames in a row. The
 * lines of unknown form before them are kept, and then read again.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

#define SHAPES	64  /* bytes of one */
#define MOST	8   /* shapes in use; the one that was used longest ago goes */
#define SUFFIX	16  /* bytes of what follows the kernel's part */
#define WAITING 64  /* lines that are kept */
#define REACH	200 /* lines between the first that is read again and the one that tells the shape */
#define NEAR	16  /* lines between "Call Trace:" and its first frame */
#define ROW	3   /* frames with one prefix that prove it */

/**
 * struct shape - what stands before and behind the kernel's part of a line
 * @before: 'a' for a word, "[]", "()", "<>" for such brackets and what they hold, a blank only
 *	between two words, other characters for themselves
 * @behind: how the rest begins, "" for none: " |"
 */
struct shape {
	char before[SHAPES];
	char behind[SUFFIX];
};

/** struct waiting - a line that was not understood; @line's strings are in @text */
struct waiting {
	char text[OTST_LOG_LINE];
	struct otst_log_line line;
	bool suspect;
};

struct otst_log_prefix {
	struct otst *o;
	struct otst_log_parser *parser;
	struct shape shapes[MOST]; /* the one used last comes first */
	size_t nr_shapes;
	struct shape start; /* before "Call Trace:" at line @start_at */
	uint64_t start_at;
	struct shape row; /* before @row_length frames, the last at line @row_at */
	size_t row_length;
	uint64_t row_at;
	struct waiting *waiting; /* @nr_waiting lines, the oldest at @first */
	size_t first, nr_waiting;
	uint64_t unread, first_unread;
	char cut[OTST_LOG_LINE]; /* a line without what is behind the kernel's part */
	struct otst_log_who who;
	bool again; /* lines are being read again */
};

/* ---- shapes ---- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_./,-@", c)) || (unsigned char)c >= 0x80;
}

/* "[<ffffffff81000000>]" is a frame's address */
static bool is_address(const char *s)
{
	if (!strncmp(s, "[<0>]", 5))
		return true;
	return !strncmp(s, "[<", 2) && strspn(s + 2, "0123456789abcdef") >= 8 &&
	       s[2 + strspn(s + 2, "0123456789abcdef")] == '>';
}

/* the bracket that closes the one at @s; NULL when there is none before @end (NULL: anywhere) */
static const char *find_close(const char *s, const char *end)
{
	char close = *s == '[' ? ']' : *s == '(' ? ')' : '>';
	const char *p;

	if ((*s != '[' && *s != '(' && *s != '<') || is_address(s))
		return NULL;
	/* mail quotes by ">", and by "<" nobody */
	for (p = s + 1; *p && p != end && *p != close && p - s < 64; p++)
		;
	return *p == close && p != end ? p : NULL;
}

/* the shape of @s up to @end; false when it has none that other lines could be matched with */
static bool shape_of(const char *s, const char *end, struct shape *ret)
{
	bool word = false, blank = false;
	const char *close;
	size_t n = 0;

	memset(ret, 0, sizeof(*ret));
	while (s < end && n < SHAPES - 3) {
		blank = *s == ' ' || *s == '\t';
		if (blank) {
			s++;
			continue;
		}
		close = find_close(s, end);
		if (close) {
			ret->before[n++] = *s;
			ret->before[n++] = *close;
			s = close + 1;
			word = false;
		} else if (is_word(*s)) {
			if (word)
				ret->before[n++] = ' ';
			ret->before[n++] = 'a';
			while (s < end && is_word(*s))
				s++;
			word = true;
		} else {
			ret->before[n++] = *s++;
			word = false;
		}
	}
	/* a word that the text follows without a blank has no end */
	return s == end && n && (!word || blank);
}

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

/* where the kernel's part of a line of this shape begins; NULL when it has another one */
static const char *match_shape(const struct shape *shape, const char *s)
{
	const char *at, *close;

	for (at = shape->before; *at; at++) {
		s = skip_blanks(s);
		switch (*at) {
		case 'a':
			if (!is_word(*s))
				return NULL;
			while (is_word(*s))
				s++;
			break;
		case ' ':
			break;
		case '[':
		case '(':
		case '<':
			close = at[1] == ']' || at[1] == ')' || at[1] == '>' ? find_close(s, NULL) :
									       s;
			if (!close || *s != *at)
				return NULL;
			at += close > s;
			s = close + 1;
			break;
		default:
			if (*s++ != *at)
				return NULL;
		}
	}
	return skip_blanks(s);
}

static bool is_same_shape(const struct shape *a, const struct shape *b)
{
	return !strcmp(a->before, b->before);
}

/* ---- what looks like a part of a trace ---- */

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
static const char *find_line_frame(const char *text, const char **end)
{
	struct otst_log_item item;
	const char *p, *s;

	for (p = strchr(text, '+'); p; p = strchr(p + 1, '+')) {
		if (p[1] != '0' || p[2] != 'x')
			continue;
		for (s = p;
		     s > text && (isalnum((unsigned char)s[-1]) || (s[-1] && strchr("_.$", s[-1])));
		     s--)
			;
		if (s == p)
			continue;
		s = widen_prefix(text, s);
		*end = otst_log_one(s, &item);
		if (*end)
			return s;
	}
	return NULL;
}

/* words after which a function is named that is no frame */
static bool is_named_by(const char *text, const char *s)
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
static const char *find_start(const char *text)
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
static bool is_behind(const char *s)
{
	s = skip_blanks(s);
	return !*s || (!isalnum((unsigned char)*s) && *s != '(' && *s != '[' && *s != '/');
}

/* ---- what a prefix tells ---- */

static bool take_number(const char **at, int64_t *ret)
{
	const char *s = skip_blanks(*at);
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
		s = skip_blanks(s);
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
	const char *end = *s == '[' || *s == '(' ? find_close(s, limit) : NULL, *p = s + 1;
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
		p = find_close(end + 1, limit);
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
	const char *p = skip_blanks(s + 1);
	char kind = *p++;
	int64_t id;

	if (*s == '[' && (kind == 'T' || kind == 'C') && isdigit((unsigned char)*p) &&
	    take_number(&p, &id) && *p == ']')
		line->caller = (uint32_t)id | (kind == 'C' ? OTST_LOG_CPU : 0);
}

/* time, cpu and task that a prefix tells */
static void read_prefix(struct otst_log_prefix *x, struct otst_log_line *line, const char *s,
			const char *end)
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
	x->who = who;
	line->who = &x->who;
}

/* ---- taking prefixes off ---- */

static size_t trimmed(const char *text)
{
	size_t len = strlen(text);

	while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	return len;
}

/* leave out what begins like @behind; it stands at the end, or is long enough to be certain */
static void cut_behind(struct otst_log_prefix *x, struct otst_log_line *line, const char *behind)
{
	size_t len = trimmed(line->text), n = strlen(behind);
	const char *at;

	if (len >= n && !memcmp(line->text + len - n, behind, n))
		len -= n;
	else if (n >= 3 && (at = strstr(line->text, behind)))
		len = (size_t)(at - line->text);
	while (len && line->text[len - 1] == ' ')
		len--;
	memmove(x->cut, line->text, len); /* the line may be one that was cut before */
	x->cut[len] = '\0';
	line->text = x->cut;
}

/* a quote, a border of a table, a tag: no words, or such a sign before them */
static bool is_sign(const char *s)
{
	s = skip_blanks(s);
	if (*s == '"' || (*s == '<' && s[1] == '/'))
		return true;
	while (*s && !isalnum((unsigned char)*s))
		s++;
	return !*s;
}

/* what stands behind lines that are always the same, and behind frames; NULL when nothing does */
static const char *find_behind(const char *text)
{
	static const char *const whole[] = { "------------[ cut here ]------------",
					     "Call Trace:", "Call trace:", "<TASK>" };
	struct otst_log_item item;
	const char *end = NULL;

	text = skip_blanks(text);
	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole) && !end; i++) {
		if (otst_begins(text, whole[i]))
			end = text + strlen(whole[i]);
	}
	end = end ?: otst_log_one(text, &item);
	return end && *skip_blanks(end) && is_sign(end) ? end : NULL;
}

static void set_behind(struct shape *shape, const char *behind)
{
	size_t len;

	behind = skip_blanks(behind);
	len = trimmed(behind);
	len = len < SUFFIX - 1 ? len : SUFFIX - 1;
	memcpy(shape->behind, behind, len);
	shape->behind[len] = '\0';
}

static void take_off(struct otst_log_prefix *x, struct otst_log_line *line, const char *text,
		     const char *behind)
{
	const char *s = line->text;

	line->text = text;
	read_prefix(x, line, s, text);
	if (*behind)
		cut_behind(x, line, behind);
}

/* take off the prefix of a shape that is known; false when it has none */
static bool use_shapes(struct otst_log_prefix *x, struct otst_log_line *line)
{
	const char *text, *behind;
	struct shape used;

	for (size_t i = 0; i < x->nr_shapes; i++) {
		text = match_shape(&x->shapes[i], line->text);
		if (!text)
			continue;
		used = x->shapes[i];
		behind = *used.behind ? NULL : find_behind(text);
		if (behind)
			set_behind(&used, behind);
		memmove(x->shapes + 1, x->shapes, i * sizeof(used));
		x->shapes[0] = used;
		take_off(x, line, text, used.behind);
		return true;
	}
	return false;
}

/* ---- lines that wait ---- */

static struct waiting *waiting_at(struct otst_log_prefix *x, size_t i)
{
	return &x->waiting[(x->first + i) % WAITING];
}

static void drop_oldest(struct otst_log_prefix *x)
{
	const struct waiting *w = waiting_at(x, 0);

	if (w->suspect && !x->unread++)
		x->first_unread = w->line.seq;
	x->first = (x->first + 1) % WAITING;
	x->nr_waiting--;
}

static void wait_for(struct otst_log_prefix *x, const struct otst_log_line *line, bool suspect)
{
	size_t len = strlen(line->text), stamp = line->stamp ? line->stamp_len : 0;
	struct waiting *w;

	if (x->nr_waiting == WAITING)
		drop_oldest(x);
	w = waiting_at(x, x->nr_waiting++);
	len = len < OTST_LOG_LINE - 1 ? len : OTST_LOG_LINE - 1;
	memcpy(w->text, line->text, len);
	w->text[len++] = '\0';
	w->line = *line;
	w->line.text = w->text;
	w->line.who = NULL;
	w->suspect = suspect;
	/* the stamp comes behind the text */
	if (stamp && len + stamp < OTST_LOG_LINE) {
		memcpy(w->text + len, line->stamp, stamp);
		w->line.stamp = w->text + len;
	} else {
		w->line.stamp = NULL;
	}
}

/* a shape was learned: lines that waited may have it */
static int read_again(struct otst_log_prefix *x, uint64_t now)
{
	int err = 0;

	x->again = true;
	while (x->nr_waiting && !err) {
		struct waiting *w = waiting_at(x, 0);
		struct otst_log_line line = w->line;

		if (line.seq + REACH < now || !use_shapes(x, &line)) {
			drop_oldest(x);
			continue;
		}
		w->suspect = w->suspect && otst_log_is_strange(line.text);
		err = otst_log_feed(x->parser, &line);
		drop_oldest(x);
	}
	x->again = false;
	return err;
}

/* ---- learning ---- */

static int learn_shape(struct otst_log_prefix *x, const struct shape *shape, uint64_t now)
{
	size_t i;

	for (i = 0; i < x->nr_shapes && !is_same_shape(&x->shapes[i], shape); i++)
		;
	if (i == x->nr_shapes)
		x->nr_shapes += x->nr_shapes < MOST;
	if (i == MOST)
		i--;
	memmove(x->shapes + 1, x->shapes, i * sizeof(*shape));
	x->shapes[0] = *shape;
	return read_again(x, now);
}

/* true if @text begins with something known; @behind: what stands behind a frame, "" for none */
static bool is_known_prefix(const char *text, const char **behind)
{
	struct otst_log_item item;
	const char *end;

	*behind = find_behind(text) ?: "";
	if (otst_log_known(text))
		return true;
	end = otst_log_one(skip_blanks(text), &item);
	if (!end || !is_behind(end))
		return false;
	*behind = end;
	return true;
}

/* where known text begins, with brackets at most before it; NULL when it does not */
static const char *find_known(const char *s, const char **behind)
{
	while (!is_known_prefix(s, behind)) {
		s = skip_blanks(s);
		s = *s == '[' ? find_close(s, NULL) : NULL;
		if (!s)
			return NULL;
		s++;
	}
	return s;
}

/* the other one of the quotes before @s; NULL when there is none */
static const char *find_quote(const char *text, const char *s)
{
	const char *end = s > text && strchr("\"'`", s[-1]) ? strrchr(s, s[-1]) : NULL;

	return end && is_sign(end) ? end : NULL;
}

/* the kernel's stamp anywhere in the line, and known text behind it: 1 when it was taken off */
static int learn_by_stamp(struct otst_log_prefix *x, struct otst_log_line *line)
{
	const char *s, *end, *behind;
	struct shape shape;
	uint64_t ns;
	int err;

	for (s = strchr(line->text, '['); s; s = strchr(s + 1, '[')) {
		end = otst_log_dmesg_stamp(s, &ns, &end) ? find_known(end, &behind) : NULL;
		if (!end)
			continue;
		if (shape_of(line->text, end, &shape)) {
			set_behind(&shape, *behind ? behind : find_quote(line->text, s) ?: "");
			err = learn_shape(x, &shape, line->seq);
			if (err)
				return err;
		}
		take_off(x, line, skip_blanks(end), shape.behind);
		return 1;
	}
	return 0;
}

static int learn_and_use(struct otst_log_prefix *x, const struct shape *shape,
			 struct otst_log_line *line)
{
	int err = learn_shape(x, shape, line->seq);

	return err ? err : use_shapes(x, line);
}

/* a frame in the shape of the line that had "Call Trace:" */
static int learn_by_start(struct otst_log_prefix *x, struct otst_log_line *line)
{
	const char *text, *behind;

	if (!x->start.before[0] || line->seq > x->start_at + NEAR)
		return 0;
	text = match_shape(&x->start, line->text);
	if (!text || !is_known_prefix(text, &behind))
		return 0;
	set_behind(&x->start, behind);
	return learn_and_use(x, &x->start, line);
}

/* frames in a row that have one prefix */
static int learn_by_row(struct otst_log_prefix *x, struct otst_log_line *line, const char *frame,
			const char *end)
{
	struct shape shape;

	if (!shape_of(line->text, frame, &shape))
		return 0;
	set_behind(&shape, end);
	if (!is_same_shape(&shape, &x->row) || line->seq > x->row_at + 1)
		x->row_length = 0;
	x->row = shape;
	x->row_at = line->seq;
	return ++x->row_length < ROW ? 0 : learn_and_use(x, &shape, line);
}

/* true if a line has a frame at its end that no sentence names */
static bool is_suspect(const char *text, const char **frame, const char **end)
{
	*frame = find_line_frame(text, end);
	return *frame && is_behind(*end) && !is_named_by(text, *frame);
}

/* its prefix was known, and what follows that is not */
static void count_unread(struct otst_log_prefix *x, const struct otst_log_line *line)
{
	const char *frame, *end;

	if (otst_log_is_strange(line->text) && is_suspect(line->text, &frame, &end) && !x->unread++)
		x->first_unread = line->seq;
}

/* a line of unknown form: 1 when its prefix was found and taken off, 0, or an error */
static int other_line(void *priv, struct otst_log_line *line)
{
	struct otst_log_prefix *x = priv;
	const char *start, *frame, *end;
	bool suspect;
	int ret;

	if (x->again)
		return 0;
	if (x->nr_shapes && use_shapes(x, line)) {
		count_unread(x, line);
		return 1;
	}
	ret = learn_by_stamp(x, line);
	ret = ret ?: learn_by_start(x, line);
	if (ret)
		return ret;
	suspect = is_suspect(line->text, &frame, &end);
	if (suspect)
		ret = learn_by_row(x, line, frame, end);
	if (ret)
		return ret;
	start = find_start(line->text);
	if (start && shape_of(line->text, start, &x->start))
		x->start_at = line->seq;
	wait_for(x, line, suspect || start);
	return 0;
}

int otst_log_foreign(struct otst_log_prefix *x, const struct otst_log_line *line)
{
	struct otst_log_line own = *line;
	int ret = other_line(x, &own);

	return ret > 0 ? otst_log_feed(x->parser, &own) : ret;
}

uint64_t otst_log_unread(struct otst_log_prefix *x, uint64_t *first)
{
	while (x->nr_waiting)
		drop_oldest(x);
	*first = x->first_unread;
	return x->unread;
}

struct otst_log_prefix *otst_log_prefix(struct otst *o, struct otst_log_parser *p)
{
	struct otst_log_prefix *x = otst_alloc(o, sizeof(*x));

	if (!x)
		return NULL;
	x->o = o;
	x->parser = p;
	x->waiting = otst_alloc(o, WAITING * sizeof(*x->waiting));
	if (!x->waiting)
		return NULL;
	otst_log_set_other(p, other_line, x);
	return x;
}
