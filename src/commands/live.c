// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * live.c - runs a command on a live kernel. Its text is held back until two consecutive
 * readings could read everything and say the same except for numbers, which keep
 * counting. If that does not happen, the reading with the fewest marks is printed, with
 * a note that the kernel changed meanwhile.
 */
#include <ctype.h>
#include <string.h>

#include "../output/rows.h"
#include "commands.h"

#define READINGS 4

/* a piece of the output; @type: of a record that goes to &otst_printer.records, else NULL */
struct piece {
	const char *type;
	const char *text;
	size_t len;
};

/**
 * struct reading - one run of the command
 * @p: its printer, with what it counted
 * @pieces: vector of struct piece
 */
struct reading {
	struct otst *o;
	struct otst_printer p;
	struct otst_vec pieces;
	struct otst_output out;
	struct otst_records records;
	int err;
};

static int keep_piece(struct reading *r, const char *type, const char *text, size_t len)
{
	struct piece *piece = otst_vec_push(r->o, &r->pieces, sizeof(*piece));
	char *copy = otst_alloc(r->o, len + 1);

	if (!copy)
		return otst_no_memory(r->o);
	*piece = (struct piece){ type ? otst_strdup(r->o, type) : NULL, memcpy(copy, text, len),
				 len };
	return 0;
}

static int keep_reading(void *priv, const char *text, size_t len)
{
	return keep_piece(priv, NULL, text, len);
}

static int keep_record(void *priv, const char *type, const char *json, size_t len)
{
	return keep_piece(priv, type, json, len);
}

/* ---- do two readings say the same ---- */

/* a place in the text of all pieces */
struct place {
	const struct reading *r;
	size_t piece;
	size_t at;
};

static int next_char(struct place *w)
{
	const struct piece *pieces = w->r->pieces.data;

	while (w->piece < w->r->pieces.count && w->at == pieces[w->piece].len) {
		w->piece++;
		w->at = 0;
	}
	return w->piece < w->r->pieces.count ? (unsigned char)pieces[w->piece].text[w->at++] : -1;
}

/* skip digits and blanks: a number that grows also moves its column */
static int next_word_char(struct place *w)
{
	int c = next_char(w);

	while (c >= 0 && (isdigit(c) || isspace(c)))
		c = next_char(w);
	return c;
}

static bool is_same_reading(const struct reading *a, const struct reading *b)
{
	struct place x = { .r = a }, y = { .r = b };
	int c;

	if (a->err != b->err)
		return false;
	while ((c = next_word_char(&x)) == next_word_char(&y)) {
		if (c < 0)
			return true;
	}
	return false;
}

/* ---- the command ---- */

static size_t count_marks(const struct reading *r)
{
	return r->p.bad + r->p.gaps + r->p.findings + (r->err != 0);
}

static void run_once(struct reading *r, otst_command_fn *run, const struct otst_args *args)
{
	otst_read_anew(r->o);
	r->out = *r->p.out;
	r->out.write = keep_reading;
	r->out.priv = r;
	r->records = (struct otst_records){ sizeof(r->records), keep_record, r };
	r->p.out = &r->out;
	r->p.records = r->p.records ? &r->records : NULL;
	r->err = run(r->o, args, &r->p);
	otst_flush(&r->p);
}

static void print_moved(struct otst_printer *p)
{
	const struct otst_coverage c = { .of = "command",
					 .what = "live",
					 .looked = OTST_LOOKED_IN_PART,
					 .why = "the kernel runs, and changed while it was read" };

	otst_print_json(p, &otst_coverage_object, &c, NULL);
}

/* where the last line of the text begins; a line may continue in the next piece */
static size_t last_line(const struct reading *r)
{
	struct place w = { .r = r };
	size_t at = 0, line = 0;
	int c, before = '\n';

	for (; (c = next_char(&w)) >= 0; at++, before = c) {
		if (before == '\n')
			line = at;
	}
	return line;
}

/* the bytes @from up to @to of the text */
static void print_reading(const struct reading *r, struct otst_printer *p, size_t from, size_t to)
{
	const struct piece *piece = r->pieces.data;
	size_t i, start = 0;

	for (i = 0; i < r->pieces.count; start += piece[i++].len) {
		size_t first = from > start ? from - start : 0;
		size_t end = to > start ? to - start : 0;

		end = end < piece[i].len ? end : piece[i].len;
		if (first < end)
			otst_write(p, piece[i].text + first, end - first);
	}
}

/* JSON lines; a remark on the whole output goes before the last line, which ends the list */
static void print_marked_lines(const struct reading *r, struct otst_printer *p)
{
	size_t last = last_line(r);

	print_reading(r, p, 0, last);
	print_moved(p);
	print_reading(r, p, last, SIZE_MAX);
}

static void print_records(const struct reading *r, bool moved, struct otst_printer *p)
{
	const struct piece *pieces = r->pieces.data;

	for (size_t i = 0; i < r->pieces.count; i++) {
		if (moved && i + 1 == r->pieces.count)
			print_moved(p);
		otst_print_record(p, pieces[i].type, pieces[i].text, pieces[i].len);
	}
}

int otst_run_live(struct otst *o, otst_command_fn *run, const struct otst_args *args,
		  struct otst_printer *p)
{
	struct reading *before = NULL, *best = NULL, *r;
	bool settled = false;

	for (int i = 0; i < READINGS && !settled && !otst_stopped(o); i++) {
		r = otst_new(o, sizeof(*r));
		r->o = o;
		r->p = *p;
		r->p.buf = otst_alloc(o, OTST_PRINTER_BUFFER);
		if (!r->p.buf)
			return otst_no_memory(o);
		run_once(r, run, args);
		settled = before && is_same_reading(before, r);
		if (!best || settled || count_marks(r) < count_marks(best))
			best = r;
		before = r;
	}
	if (!best || otst_stopped(o))
		return otst_stopped(o);
	if (p->records)
		print_records(best, !settled, p);
	else if (p->json && !settled)
		print_marked_lines(best, p);
	else
		print_reading(best, p, 0, SIZE_MAX);
	p->bad += best->p.bad;
	p->findings += best->p.findings;
	p->gaps += best->p.gaps + !settled;
	p->said = best->p.said;
	p->unknown += best->p.unknown;
	if (!settled && p->aside) {
		otst_raise(o, OTST_ERR_CORRUPT,
			   "looked at in part: the kernel runs, and changed while it was read");
		otst_complain(o, p->aside);
	}
	return best->err;
}
