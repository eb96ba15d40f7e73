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
#include <string.h>

#include "prefix.h"

#define MOST	8   /* shapes in use; the one that was used longest ago goes */
#define WAITING 64  /* lines that are kept */
#define REACH	200 /* lines between the first that is read again and the one that tells the shape */
#define NEAR	16  /* lines between "Call Trace:" and its first frame */
#define ROW	3   /* frames with one prefix that prove it */

/** struct waiting - a line that was not understood; @line's strings are in @text */
struct waiting {
	char text[OTST_LOG_LINE];
	struct otst_log_line line;
	bool suspect;
};

struct otst_log_prefix {
	struct otst *o;
	struct otst_log_parser *parser;
	struct otst_log_shape shapes[MOST]; /* the one used last comes first */
	size_t nr_shapes;
	struct otst_log_shape start; /* before "Call Trace:" at line @start_at */
	uint64_t start_at;
	struct otst_log_shape row; /* before @row_length frames, the last at line @row_at */
	size_t row_length;
	uint64_t row_at;
	struct waiting *waiting; /* @nr_waiting lines, the oldest at @first */
	size_t first, nr_waiting;
	uint64_t unread, first_unread;
	char cut[OTST_LOG_LINE]; /* a line without what is behind the kernel's part */
	struct otst_log_who who;
	bool again; /* lines are being read again */
};

/* ---- taking prefixes off ---- */

static size_t trimmed_len(const char *text)
{
	size_t len = strlen(text);

	while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	return len;
}

/* leave out what begins like @behind; it stands at the end, or is long enough to be certain */
static void cut_behind(struct otst_log_prefix *x, struct otst_log_line *line, const char *behind)
{
	size_t len = trimmed_len(line->text), n = strlen(behind);
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
	s = otst_log_skip_blanks(s);
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

	text = otst_log_skip_blanks(text);
	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole) && !end; i++) {
		if (otst_begins(text, whole[i]))
			end = text + strlen(whole[i]);
	}
	end = end ?: otst_log_one(text, &item);
	return end && *otst_log_skip_blanks(end) && is_sign(end) ? end : NULL;
}

static void set_behind(struct otst_log_shape *shape, const char *behind)
{
	size_t len;

	behind = otst_log_skip_blanks(behind);
	len = trimmed_len(behind);
	len = len < OTST_LOG_SUFFIX - 1 ? len : OTST_LOG_SUFFIX - 1;
	memcpy(shape->behind, behind, len);
	shape->behind[len] = '\0';
}

static void take_off(struct otst_log_prefix *x, struct otst_log_line *line, const char *text,
		     const char *behind)
{
	const char *s = line->text;

	line->text = text;
	otst_log_read_prefix(line, s, text, &x->who);
	if (*behind)
		cut_behind(x, line, behind);
}

/* behind the kernel's stamp and caller: some lines of a mail have them, and others have the same quoting alone */
static const char *skip_own_stamp(const char *text)
{
	const char *s = otst_log_skip_blanks(text), *end;
	uint64_t ns;

	if (*s != '[' || !otst_log_dmesg_stamp(s, &ns, &end))
		return text;
	s = otst_log_skip_blanks(end);
	s = *s == '[' ? otst_log_skip_blanks(s + 1) : end;
	if ((*s == 'T' || *s == 'C') && s[1 + strspn(s + 1, "0123456789")] == ']' && s[1] != ']')
		end = s + 2 + strspn(s + 1, "0123456789");
	return end;
}

/* take off the prefix of a shape that is known; false when it has none */
static bool use_shapes(struct otst_log_prefix *x, struct otst_log_line *line)
{
	const char *text, *behind;
	struct otst_log_shape used;

	for (size_t i = 0; i < x->nr_shapes; i++) {
		text = otst_log_match_shape(&x->shapes[i], line->text);
		if (!text)
			continue;
		text = skip_own_stamp(text);
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

static int learn_shape(struct otst_log_prefix *x, const struct otst_log_shape *shape, uint64_t now)
{
	size_t i;

	for (i = 0; i < x->nr_shapes && !otst_log_same_shape(&x->shapes[i], shape); i++)
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
	end = otst_log_one(otst_log_skip_blanks(text), &item);
	if (!end || !otst_log_is_behind(end))
		return false;
	*behind = end;
	return true;
}

/* where known text begins, with brackets at most before it; NULL when it does not */
static const char *find_known(const char *s, const char **behind)
{
	while (!is_known_prefix(s, behind)) {
		s = otst_log_skip_blanks(s);
		s = *s == '[' ? otst_log_bracket_end(s, NULL) : NULL;
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
	struct otst_log_shape shape;
	uint64_t ns;
	int err;

	for (s = strchr(line->text, '['); s; s = strchr(s + 1, '[')) {
		end = otst_log_dmesg_stamp(s, &ns, &end) ? find_known(end, &behind) : NULL;
		if (!end)
			continue;
		if (otst_log_shape_of(line->text, end, &shape)) {
			set_behind(&shape, *behind ? behind : find_quote(line->text, s) ?: "");
			err = learn_shape(x, &shape, line->seq);
			if (err)
				return err;
		}
		take_off(x, line, otst_log_skip_blanks(end), shape.behind);
		return 1;
	}
	return 0;
}

static int learn_and_use(struct otst_log_prefix *x, const struct otst_log_shape *shape,
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
	text = otst_log_match_shape(&x->start, line->text);
	if (!text || !is_known_prefix(text, &behind))
		return 0;
	set_behind(&x->start, behind);
	return learn_and_use(x, &x->start, line);
}

/* frames in a row that have one prefix */
static int learn_by_row(struct otst_log_prefix *x, struct otst_log_line *line, const char *frame,
			const char *end)
{
	struct otst_log_shape shape;

	if (!otst_log_shape_of(line->text, frame, &shape))
		return 0;
	set_behind(&shape, end);
	if (!otst_log_same_shape(&shape, &x->row) || line->seq > x->row_at + 1)
		x->row_length = 0;
	x->row = shape;
	x->row_at = line->seq;
	return ++x->row_length < ROW ? 0 : learn_and_use(x, &shape, line);
}

/* true if a line has a frame at its end that no sentence names */
static bool is_suspect(const char *text, const char **frame, const char **end)
{
	*frame = otst_log_find_frame(text, end);
	return *frame && otst_log_is_behind(*end) && !otst_log_is_named(text, *frame);
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
	start = otst_log_find_start(line->text);
	if (start && otst_log_shape_of(line->text, start, &x->start))
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
