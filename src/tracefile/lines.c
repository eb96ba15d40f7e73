// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * lines.c - lines of functions and events, formatted by another thread.
 *
 * Most entries of a large trace file are function calls, or events whose text needs only their
 * record, and most of the time goes into that text and into copying columns. The engine's thread
 * reads the entries, looks up columns and names, and notes both, and the record of an event;
 * another thread turns a batch of notes into text. All other text is stored in the batch as it
 * will be printed. The engine's thread prints the batches in order.
 *
 * Columns and names are in caches, which are emptied only after otst_tf_lines_settle().
 */
#include "print.h"

#define BATCHES 4u
#define LINES	4096u
#define RECORDS (256u * 1024) /* bytes of a batch's events */
#define OUT	(1024u * 1024)
#define APART	128u /* bytes: two cache lines */
#define LINE_MOST                                                                       \
	(sizeof(struct otst_tf_columns) + 4 * OTST_TEXT_BLOCK + 2 * OTST_TF_NAME_MOST + \
	 OTST_TF_EVENT_MOST)

/*
 * one line, after @at bytes of the batch's other text
 * @event: an event, with its record; NULL: a function, with its @parent if that is printed
 */
struct line {
	const struct otst_tf_columns *columns;
	const struct otst_tf_event *event;
	union {
		struct {
			const struct otst_tf_name *ip;
			const struct otst_tf_name *parent;
		};
		struct {
			const uint8_t *data;
			uint32_t size;
		};
	};
	uint64_t time;
	size_t at;
};

/*
 * @other: text other than lines, @other_len bytes; &otst_tf.t while the batch is filled
 * @records: records of events, @records_len bytes
 * @out: text not printed yet: of the lines before @done, and of @other before @copied
 * @job: job of the thread that works on it, or 0
 * @apart: keeps what two threads write at the same time out of adjacent cache lines
 */
struct batch {
	const struct otst_tf *tf;
	char *other;
	size_t other_len;
	uint8_t *records;
	size_t records_len;
	struct line *lines;
	size_t nr_lines;
	struct otst_text out;
	size_t done;
	size_t copied;
	struct otst_tf_secs secs;
	uint64_t job;
	char apart[APART];
};

/* @now: number of the batch being @filled; the @waiting batches before it are not printed yet */
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

static char *print_function(char *to, const struct line *l)
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
static char *print_line(char *to, struct batch *b, const struct line *l)
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
static void print_lines(struct batch *b)
{
	for (; b->done < b->nr_lines; b->done++) {
		const struct line *l = &b->lines[b->done];

		if ((size_t)(b->out.end - b->out.at) < LINE_MOST + OTST_TF_TEXT_ROOM)
			return;
		if (l->at != b->copied)
			copy_other(b, l->at);
		b->out.at = print_line(b->out.at, b, l);
	}
}

static void print_batch(void *what)
{
	struct batch *b = what;

	print_lines(b);
	if (b->done == b->nr_lines)
		copy_other(b, b->other_len);
}

/* ---- the engine's thread ---- */

static void finish(struct otst_tf_lines *l, struct batch *b)
{
	if (b->job)
		otst_finish(l->o, b->job);
	b->job = 0;
}

static void write_out(struct otst_tf_lines *l, struct batch *b)
{
	otst_write(l->p, b->out.buf, otst_text_len(&b->out));
	b->out.at = b->out.buf;
}

static void print_first(struct otst_tf_lines *l)
{
	struct batch *b = &l->batches[(l->now - l->waiting) % BATCHES];

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

	for (size_t i = 0; i < BATCHES; i++)
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
	struct batch *b = &l->batches[l->now % BATCHES];

	l->filled = b;
	b->nr_lines = b->done = b->copied = b->records_len = 0;
	b->out.at = b->out.buf;
	tf->t = otst_text_in(b->other, OTST_TF_TEXT_ROOM);
}

void otst_tf_lines_flush(struct otst_tf *tf, bool all)
{
	struct otst_tf_lines *l = tf->lines;
	struct batch *b = l->filled;

	b->other_len = otst_text_len(&tf->t);
	/* a small amount is not worth another thread */
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

/* no other line precedes the entry, and its line has no mark */
static bool is_plain(const struct otst_tf *tf, const struct otst_record *r)
{
	return !r->consumed && !r->lost &&
	       (!tf->overruns || tf->started[r->cpu] || tf->skipped[r->cpu]);
}

/* function and parent, without arguments */
static bool note_function(struct otst_tf *tf, const struct otst_record *r, struct line *l)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	uint64_t parent = 0;

	if (otst_tf_has_args(r, at->fn_args))
		return false;
	if (tf->opt.print_parent)
		parent = otst_tf_get(r, at->fn_parent) + tf->delta;
	l->event = NULL;
	l->ip = otst_tf_name(tf, otst_tf_get(r, at->fn_ip) + tf->delta);
	l->parent = parent ? otst_tf_name(tf, parent) : NULL;
	return l->ip->len && (!l->parent || l->parent->len);
}

static bool note_event(struct otst_tf *tf, const struct otst_record *r, struct line *l)
{
	struct batch *b = tf->lines->filled;

	l->event = otst_tf_event(tf, r->type);
	if (!l->event || !l->event->alone || r->size > RECORDS - b->records_len)
		return false;
	l->data = memcpy(b->records + b->records_len, r->data, r->size);
	l->size = r->size;
	return true;
}

static bool note_entry_line(struct otst_tf *tf, const struct otst_record *r, struct line *l)
{
	switch (otst_tf_kind(&tf->kernel, r->type)) {
	case OTST_TF_FN:
		return note_function(tf, r, l);
	case OTST_TF_EVENT:
		return note_event(tf, r, l);
	default:
		return false;
	}
}

bool otst_tf_line(struct otst_tf *tf, const struct otst_record *r)
{
	struct batch *b = tf->lines->filled;
	struct line *l = &b->lines[b->nr_lines];
	unsigned int resets = tf->resets;

	if (!is_plain(tf, r) || !note_entry_line(tf, r, l))
		return false;
	l->columns = otst_tf_columns(tf, r);
	l->time = r->time;
	l->at = otst_text_len(&tf->t);
	if (!l->columns || tf->resets != resets)
		return false;
	b->records_len += l->event ? l->size : 0;
	if (++b->nr_lines == LINES || b->records_len > RECORDS / 2)
		otst_tf_lines_flush(tf, false);
	return true;
}

int otst_tf_lines_create(struct otst_tf *tf, struct otst_printer *p)
{
	const struct otst_tf_options *opt = &tf->opt;
	struct otst_tf_lines *l;

	if (!otst_has_threads(tf->o) || tf->tracer != OTST_TF_PLAIN || !tf->in_ns || opt->hex ||
	    opt->raw || !opt->context_info || opt->latency_file || tf->style.fields)
		return 0;
	l = otst_alloc(tf->o, sizeof(*l));
	for (size_t i = 0; l && i < BATCHES; i++) {
		struct batch *b = &l->batches[i];

		b->other = i ? otst_alloc(tf->o, OTST_TF_TEXT_ROOM) : tf->t.buf;
		b->tf = tf;
		b->records = otst_alloc(tf->o, RECORDS);
		b->lines = otst_alloc(tf->o, LINES * sizeof(*b->lines));
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
