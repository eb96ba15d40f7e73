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
#include "lines.h"

/* no other line precedes the entry, and its line has no mark */
static bool is_plain(const struct otst_tf *tf, const struct otst_record *r)
{
	return !r->consumed && !r->lost &&
	       (!tf->overruns || tf->started[r->cpu] || tf->skipped[r->cpu]);
}

/* function and parent, without arguments */
static bool note_function(struct otst_tf *tf, const struct otst_record *r,
			  struct otst_tf_noted *line)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	uint64_t parent = 0;

	if (otst_tf_has_args(r, at->fn_args))
		return false;
	if (tf->opt.print_parent)
		parent = otst_tf_get(r, at->fn_parent) + tf->delta;
	line->event = NULL;
	line->ip = otst_tf_name(tf, otst_tf_get(r, at->fn_ip) + tf->delta);
	line->parent = parent ? otst_tf_name(tf, parent) : NULL;
	return line->ip->len && (!line->parent || line->parent->len);
}

static bool note_event(struct otst_tf *tf, const struct otst_record *r, struct otst_tf_noted *line)
{
	struct otst_tf_batch *b = tf->lines->filled;

	line->event = otst_tf_event(tf, r->type);
	if (!line->event || !line->event->alone || r->size > OTST_TF_RECORDS - b->records_len)
		return false;
	line->data = memcpy(b->records + b->records_len, r->data, r->size);
	line->size = r->size;
	return true;
}

static bool note_entry_line(struct otst_tf *tf, const struct otst_record *r,
			    struct otst_tf_noted *line)
{
	enum otst_tf_kind kind = otst_tf_kind(&tf->kernel, r->type);

	if (kind == OTST_TF_FN)
		return note_function(tf, r, line);
	return kind == OTST_TF_EVENT && note_event(tf, r, line);
}

bool otst_tf_line(struct otst_tf *tf, const struct otst_record *r)
{
	struct otst_tf_batch *b = tf->lines->filled;
	struct otst_tf_noted *line = &b->lines[b->nr_lines];
	unsigned int resets = tf->resets;

	if (!is_plain(tf, r) || !note_entry_line(tf, r, line))
		return false;
	line->columns = otst_tf_columns(tf, r);
	line->time = r->time;
	line->at = otst_text_len(&tf->t);
	if (!line->columns || tf->resets != resets)
		return false;
	b->records_len += line->event ? line->size : 0;
	if (++b->nr_lines == OTST_TF_LINES || b->records_len > OTST_TF_RECORDS / 2)
		otst_tf_lines_flush(tf, false);
	return true;
}
