// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * lines.c - lines of the function tracer, put together by another thread.
 *
 * Most entries of a large trace file are calls of functions, and most of the time goes into
 * copying their columns. The engine's thread reads them, finds columns and names, and notes
 * both; another thread makes text of a batch of notes. All other text stands in the batch as
 * it is printed. Batches are printed in their order, by the engine's thread.
 *
 * Columns and names lie in caches, which are emptied only after otst_tf_lines_settle().
 */
#include "print.h"

#define BATCHES	  4u
#define LINES	  4096u
#define LINE_MOST (sizeof(struct otst_tf_columns) + 4 * OTST_TEXT_BLOCK)

/* one line, behind @at bytes of the batch's other text; no @parent: it is not printed */
struct line {
	const struct otst_tf_columns *columns;
	const struct otst_tf_name *ip;
	const struct otst_tf_name *parent;
	uint64_t time;
	size_t at;
};

/*
 * @other: text that is not of lines, up to @other_len; &otst_tf.t while the batch is filled
 * @out: text of the first @done lines, and @copied bytes of @other before and between them
 * @job: of the thread that works on it, or 0
 */
struct batch {
	char *other;
	size_t other_len;
	struct line *lines;
	size_t nr_lines;
	struct otst_text out;
	size_t done;
	size_t copied;
	struct otst_tf_secs secs;
	uint64_t job;
};

/* @now: number of the batch that is @filled; before it, @waiting are not printed yet */
struct otst_tf_lines {
	struct otst *o;
	struct otst_printer *p;
	struct batch batches[BATCHES];
	struct batch *filled;
	unsigned int now;
	unsigned int waiting;
};

/* ---- any thread ---- */

static void copy_other(struct batch *b, size_t end)
{
	otst_text_mem(&b->out, b->other + b->copied, end - b->copied);
	b->copied = end;
}

/* there is room for LINE_MOST bytes at @to; the end of it */
static char *print_line(char *to, struct otst_tf_secs *secs, const struct line *l)
{
	to = otst_text_put_block(to, l->columns->text, l->columns->len);
	*to++ = ' ';
	to = otst_tf_put_ns(to, secs, l->time);
	*to++ = ':';
	*to++ = ' ';
	to = otst_text_put_block(to, l->ip->text, l->ip->name_len);
	if (l->parent) {
		memcpy(to, " <-", 3);
		to = otst_text_put_block(to + 3, l->parent->text, l->parent->name_len);
	}
	*to++ = '\n';
	return to;
}

static void print_lines(struct batch *b)
{
	for (; b->done < b->nr_lines; b->done++) {
		const struct line *l = &b->lines[b->done];

		if (l->at != b->copied)
			copy_other(b, l->at);
		b->out.at = print_line(b->out.at, &b->secs, l);
	}
}

static void print_batch(void *what)
{
	struct batch *b = what;

	print_lines(b);
	copy_other(b, b->other_len);
}

/* ---- the engine's ---- */

static void finish(struct otst_tf_lines *l, struct batch *b)
{
	if (b->job)
		otst_finish(l->o, b->job);
	b->job = 0;
}

static void print_first(struct otst_tf_lines *l)
{
	struct batch *b = &l->batches[(l->now - l->waiting) % BATCHES];

	l->waiting--;
	finish(l, b);
	otst_write(l->p, b->out.buf, otst_text_len(&b->out));
}

static void finish_all(void *what)
{
	struct otst_tf_lines *l = what;

	for (size_t i = 0; i < BATCHES; i++)
		finish(l, &l->batches[i]);
}

void otst_tf_lines_settle(struct otst_tf *tf)
{
	tf->resets++;
	if (!tf->lines)
		return;
	finish_all(tf->lines);
	print_lines(tf->lines->filled);
}

static void begin(struct otst_tf *tf)
{
	struct otst_tf_lines *l = tf->lines;
	struct batch *b = &l->batches[l->now % BATCHES];

	l->filled = b;
	b->nr_lines = b->done = b->copied = 0;
	b->out.at = b->out.buf;
	tf->t = otst_text_in(b->other, OTST_TF_TEXT_ROOM);
}

void otst_tf_lines_flush(struct otst_tf *tf, bool all)
{
	struct otst_tf_lines *l = tf->lines;
	struct batch *b = l->filled;

	b->other_len = otst_text_len(&tf->t);
	/* what is little is not worth another thread */
	if (!all || l->waiting)
		b->job = otst_start(l->o, print_batch, b);
	if (!b->job)
		print_batch(b);
	l->now++;
	l->waiting++;
	while (l->waiting == BATCHES || (all && l->waiting))
		print_first(l);
	begin(tf);
}

/* a line of no more than columns, time, function and parent */
static bool is_plain(const struct otst_tf *tf, const struct otst_record *r)
{
	return otst_tf_kind(&tf->kernel, r->type) == OTST_TF_FN && !r->consumed && !r->lost &&
	       (!tf->overruns || tf->started[r->cpu] || tf->skipped[r->cpu]) &&
	       !otst_tf_has_args(r, tf->kernel.at.fn_args);
}

bool otst_tf_line(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	struct batch *b = tf->lines->filled;
	struct line *l = &b->lines[b->nr_lines];
	unsigned int resets = tf->resets;
	uint64_t parent = 0;

	if (!is_plain(tf, r))
		return false;
	if (tf->opt.print_parent)
		parent = otst_tf_get(r, at->fn_parent) + tf->delta;
	l->columns = otst_tf_columns(tf, r);
	l->ip = otst_tf_name(tf, otst_tf_get(r, at->fn_ip) + tf->delta);
	l->parent = parent ? otst_tf_name(tf, parent) : NULL;
	l->time = r->time;
	l->at = otst_text_len(&tf->t);
	if (!l->columns || !l->ip->plain || (l->parent && !l->parent->plain) ||
	    tf->resets != resets)
		return false;
	if (++b->nr_lines == LINES)
		otst_tf_lines_flush(tf, false);
	return true;
}

int otst_tf_lines_create(struct otst_tf *tf, struct otst_printer *p)
{
	const size_t room = LINES * LINE_MOST + OTST_TF_TEXT_ROOM;
	const struct otst_tf_options *opt = &tf->opt;
	struct otst_tf_lines *l;

	if (!otst_has_threads(tf->o) || tf->tracer != OTST_TF_PLAIN || !tf->in_ns || opt->hex ||
	    opt->raw || !opt->context_info || opt->latency_file || tf->style.fields)
		return 0;
	l = otst_alloc(tf->o, sizeof(*l));
	for (size_t i = 0; l && i < BATCHES; i++) {
		struct batch *b = &l->batches[i];

		b->other = i ? otst_alloc(tf->o, OTST_TF_TEXT_ROOM) : tf->t.buf;
		b->lines = otst_alloc(tf->o, LINES * sizeof(*b->lines));
		b->out = otst_text_in(otst_alloc(tf->o, room), room);
		if (!b->other || !b->lines || !b->out.buf)
			return otst_no_memory(tf->o);
	}
	if (!l)
		return otst_no_memory(tf->o);
	l->o = tf->o;
	l->p = p;
	tf->lines = l;
	begin(tf);
	return otst_at_end(tf->o, finish_all, l);
}
