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

static char *print_function(char *to, const struct otst_tf_noted *line)
{
	to = otst_text_put_block(to, line->ip->text, line->ip->len);
	if (line->parent) {
		memcpy(to, " <-", 3);
		to = otst_text_put_block(to + 3, line->parent->text, line->parent->len);
	}
	*to++ = '\n';
	return to;
}

/* @to has room for LINE_MOST bytes; returns the end of the line */
static char *print_batch_line(char *to, struct otst_tf_batch *b, const struct otst_tf_noted *line)
{
	to = otst_text_put_block(to, line->columns->text, line->columns->len);
	*to++ = ' ';
	to = otst_tf_put_ns(to, &b->secs, line->time);
	*to++ = ':';
	*to++ = ' ';
	return line->event ? otst_tf_put_event(to, b->tf, line->event, line->data, line->size) :
			     print_function(to, line);
}

/* as many lines as fit, with room left for all other text of the batch */
static void print_batch_lines(struct otst_tf_batch *b)
{
	for (; b->done < b->nr_lines; b->done++) {
		const struct otst_tf_noted *line = &b->lines[b->done];

		if ((size_t)(b->out.end - b->out.at) < LINE_MOST + OTST_TF_TEXT_ROOM)
			return;
		if (line->at != b->copied)
			copy_other(b, line->at);
		b->out.at = print_batch_line(b->out.at, b, line);
	}
}

static void print_batch(void *what)
{
	struct otst_tf_batch *b = what;

	print_batch_lines(b);
	if (b->done == b->nr_lines)
		copy_other(b, b->other_len);
}

/* ---- the engine's thread ---- */

static void finish_batch(struct otst_tf_lines *lines, struct otst_tf_batch *b)
{
	if (b->job)
		otst_finish(lines->o, b->job);
	b->job = 0;
}

static void write_out(struct otst_tf_lines *lines, struct otst_tf_batch *b)
{
	otst_write(lines->p, b->out.buf, otst_text_len(&b->out));
	b->out.at = b->out.buf;
}

static void print_first(struct otst_tf_lines *lines)
{
	struct otst_tf_batch *b = &lines->batches[(lines->now - lines->waiting) % OTST_TF_BATCHES];

	lines->waiting--;
	finish_batch(lines, b);
	while (b->done < b->nr_lines) {
		write_out(lines, b);
		print_batch(b);
	}
	write_out(lines, b);
}

static void finish_all(void *what)
{
	struct otst_tf_lines *lines = what;

	for (size_t i = 0; i < OTST_TF_BATCHES; i++)
		finish_batch(lines, &lines->batches[i]);
}

void otst_tf_lines_settle(struct otst_tf *tf)
{
	struct otst_tf_lines *lines = tf->lines;

	tf->resets++;
	if (!lines)
		return;
	while (lines->waiting)
		print_first(lines);
	print_batch_lines(lines->filled);
	while (lines->filled->done < lines->filled->nr_lines) {
		write_out(lines, lines->filled);
		print_batch_lines(lines->filled);
	}
}

static void begin_batch(struct otst_tf *tf)
{
	struct otst_tf_lines *lines = tf->lines;
	struct otst_tf_batch *b = &lines->batches[lines->now % OTST_TF_BATCHES];

	lines->filled = b;
	b->nr_lines = b->done = b->copied = b->records_len = 0;
	b->out.at = b->out.buf;
	tf->t = otst_text_in(b->other, OTST_TF_TEXT_ROOM);
}

void otst_tf_lines_flush(struct otst_tf *tf, bool all)
{
	struct otst_tf_lines *lines = tf->lines;
	struct otst_tf_batch *b = lines->filled;

	b->other_len = otst_text_len(&tf->t);
	/* a small amount is not worth another thread */
	if (!all || lines->waiting)
		b->job = otst_start(lines->o, print_batch, b);
	if (!b->job)
		print_batch(b);
	lines->now++;
	lines->waiting++;
	while (lines->waiting == OTST_TF_BATCHES || (all && lines->waiting))
		print_first(lines);
	begin_batch(tf);
}

int otst_tf_lines_create(struct otst_tf *tf, struct otst_printer *p)
{
	const struct otst_tf_options *opt = &tf->opt;
	struct otst_tf_lines *lines;

	if (!otst_has_threads(tf->o) || tf->tracer != OTST_TF_PLAIN || !tf->in_ns || opt->hex ||
	    opt->raw || !opt->context_info || opt->latency_file || tf->style.fields)
		return 0;
	lines = otst_alloc(tf->o, sizeof(*lines));
	for (size_t i = 0; lines && i < OTST_TF_BATCHES; i++) {
		struct otst_tf_batch *b = &lines->batches[i];

		b->other = i ? otst_alloc(tf->o, OTST_TF_TEXT_ROOM) : tf->t.buf;
		b->tf = tf;
		b->records = otst_alloc(tf->o, OTST_TF_RECORDS);
		b->lines = otst_alloc(tf->o, OTST_TF_LINES * sizeof(*b->lines));
		b->out = otst_text_in(otst_alloc(tf->o, OUT), OUT);
		if (!b->other || !b->records || !b->lines || !b->out.buf)
			return otst_no_memory(tf->o);
	}
	if (!lines)
		return otst_no_memory(tf->o);
	lines->o = tf->o;
	lines->p = p;
	tf->lines = lines;
	begin_batch(tf);
	return otst_at_end(tf->o, finish_all, lines);
}
