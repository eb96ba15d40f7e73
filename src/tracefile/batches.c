// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * batches.c - batches of lines that lines.c noted: another thread turns them into
 * text, and the engine's thread prints them in order.
 */
#include "lines.h"

#define OUT (1024u * 1024)
#define LINE_MOST                                                                       \
	(sizeof(struct otst_tf_columns) + 4 * OTST_TEXT_BLOCK + 2 * OTST_TF_NAME_MOST + \
	 OTST_TF_EVENT_MOST)

/* ---- any thread ---- */

static void copy_other(struct otst_tf_batch *b, size_t end)
{
	otst_text_mem(&b->out, b->other + b->copied, end - b->copied);
	b->copied = end;
}

static char *print_function(char *to, const struct otst_tf_noted *l)
{
	to = otst_text_put_block(to, l->ip->text, l->ip->len);
	if (l->parent) {
		memcpy(to, " <-", 3);
		to = otst_text_put_block(to + 3, l->parent->text, l->parent->len);
	}
	*to++ = '\n';
	return to;
}

/* @to has room for LINE_MOST bytes; returns the end of the line */
static char *print_line(char *to, struct otst_tf_batch *b, const struct otst_tf_noted *l)
{
	to = otst_text_put_block(to, l->columns->text, l->columns->len);
	*to++ = ' ';
	to = otst_tf_put_ns(to, &b->secs, l->time);
	*to++ = ':';
	*to++ = ' ';
	return l->event ? otst_tf_put_event(to, b->tf, l->event, l->data, l->size) :
			  print_function(to, l);
}

/* as many lines as fit, with room left for all other text of the batch */
static void print_lines(struct otst_tf_batch *b)
{
	for (; b->done < b->nr_lines; b->done++) {
		const struct otst_tf_noted *l = &b->lines[b->done];

		if ((size_t)(b->out.end - b->out.at) < LINE_MOST + OTST_TF_TEXT_ROOM)
			return;
		if (l->at != b->copied)
			copy_other(b, l->at);
		b->out.at = print_line(b->out.at, b, l);
	}
}

static void print_batch(void *what)
{
	struct otst_tf_batch *b = what;

	print_lines(b);
	if (b->done == b->nr_lines)
		copy_other(b, b->other_len);
}

/* ---- the engine's thread ---- */

static void finish(struct otst_tf_lines *l, struct otst_tf_batch *b)
{
	if (b->job)
		otst_finish(l->o, b->job);
	b->job = 0;
}

static void write_out(struct otst_tf_lines *l, struct otst_tf_batch *b)
{
	otst_write(l->p, b->out.buf, otst_text_len(&b->out));
	b->out.at = b->out.buf;
}

static void print_first(struct otst_tf_lines *l)
{
	struct otst_tf_batch *b = &l->batches[(l->now - l->waiting) % OTST_TF_BATCHES];

	l->waiting--;
	finish(l, b);
	while (b->done < b->nr_lines) {
		write_out(l, b);
		print_batch(b);
	}
	write_out(l, b);
}

static void finish_all(void *what)
{
	struct otst_tf_lines *l = what;

	for (size_t i = 0; i < OTST_TF_BATCHES; i++)
		finish(l, &l->batches[i]);
}

void otst_tf_lines_settle(struct otst_tf *tf)
{
	struct otst_tf_lines *l = tf->lines;

	tf->resets++;
	if (!l)
		return;
	while (l->waiting)
		print_first(l);
	print_lines(l->filled);
	while (l->filled->done < l->filled->nr_lines) {
		write_out(l, l->filled);
		print_lines(l->filled);
	}
}

static void begin(struct otst_tf *tf)
{
	struct otst_tf_lines *l = tf->lines;
	struct otst_tf_batch *b = &l->batches[l->now % OTST_TF_BATCHES];

	l->filled = b;
	b->nr_lines = b->done = b->copied = b->records_len = 0;
	b->out.at = b->out.buf;
	tf->t = otst_text_in(b->other, OTST_TF_TEXT_ROOM);
}

void otst_tf_lines_flush(struct otst_tf *tf, bool all)
{
	struct otst_tf_lines *l = tf->lines;
	struct otst_tf_batch *b = l->filled;

	b->other_len = otst_text_len(&tf->t);
	/* a small amount is not worth another thread */
	if (!all || l->waiting)
		b->job = otst_start(l->o, print_batch, b);
	if (!b->job)
		print_batch(b);
	l->now++;
	l->waiting++;
	while (l->waiting == OTST_TF_BATCHES || (all && l->waiting))
		print_first(l);
	begin(tf);
}

int otst_tf_lines_create(struct otst_tf *tf, struct otst_printer *p)
{
	const struct otst_tf_options *opt = &tf->opt;
	struct otst_tf_lines *l;

	if (!otst_has_threads(tf->o) || tf->tracer != OTST_TF_PLAIN || !tf->in_ns || opt->hex ||
	    opt->raw || !opt->context_info || opt->latency_file || tf->style.fields)
		return 0;
	l = otst_alloc(tf->o, sizeof(*l));
	for (size_t i = 0; l && i < OTST_TF_BATCHES; i++) {
		struct otst_tf_batch *b = &l->batches[i];

		b->other = i ? otst_alloc(tf->o, OTST_TF_TEXT_ROOM) : tf->t.buf;
		b->tf = tf;
		b->records = otst_alloc(tf->o, OTST_TF_RECORDS);
		b->lines = otst_alloc(tf->o, OTST_TF_LINES * sizeof(*b->lines));
		b->out = otst_text_in(otst_alloc(tf->o, OUT), OUT);
		if (!b->other || !b->records || !b->lines || !b->out.buf)
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
