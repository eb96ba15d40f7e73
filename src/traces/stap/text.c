// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * text.c - text that a script printed, as traces: lines from
 * print_backtrace() and the like are frames, the others stay text. A
 * piece that was written at once is one trace; where nothing tells pieces
 * apart, a trace ends after its frames.
 */
#include <string.h>

#include "../../ftrace/ftrace.h"
#include "stap.h"

#define MAX_LINE  8192u
#define MAX_LINES 4096u /* of one trace */

struct builder {
	struct otst_stap_reader *r;
	const struct otst_stap_piece *piece;
	struct otst_vec lines;
	bool frames;
	bool first; /* of the piece */
};

static const char *stap_headline(struct otst_stap_reader *r, const struct otst_stap_piece *p)
{
	static const char *const places[] = { "relay channel", "print buffer, not flushed",
					      "messages, not sent" };
	const char *script = r->stap->script;

	return otst_format(r->o, "%s%s%s%s: %s%s", r->stap->module->name, script ? " (" : "",
			   script ? script : "", script ? ")" : "", places[p->place],
			   p->place != OTST_STAP_RELAY ? "" :
			   p->read		       ? ", read" :
							 ", not read");
}

static const char *piece_place(struct otst_stap_reader *r, const struct otst_stap_piece *p)
{
	static const char *const places[] = { "relay", "print buffer", "messages" };
	const char *name = r->stap->module->name;

	if (p->has_sequence)
		return otst_format(r->o, "%s relay, sequence %u", name, p->sequence);
	return otst_format(r->o, "%s %s", name, places[p->place]);
}

/* make a trace of what was collected so far */
static void finish_piece(struct builder *b, bool last)
{
	struct otst_stap_reader *r = b->r;
	const struct otst_stap_piece *p = b->piece;
	struct otst_trace *t;

	if (!b->lines.count || (r->frames_only && !b->frames)) {
		b->lines = (struct otst_vec){ 0 };
		b->first = false;
		return;
	}
	t = otst_trace_add(r->ret, OTST_SOURCE_STAP);
	t->seq = (uint64_t)p->place << 32 | p->sequence;
	t->cpu = p->cpu;
	t->headline = stap_headline(r, p);
	t->where = piece_place(r, p);
	t->lines = b->lines.data;
	t->nr_lines = b->lines.count;
	t->overwritten = p->begun && b->first;
	t->truncated = p->cut && last;
	b->lines = (struct otst_vec){ 0 };
	b->frames = false;
	b->first = false;
}

/*
 * A return address is named by the call before it. But a guess that is the first
 * byte of a function is not a return address: SystemTap, which looks addresses up
 * as they are, prints this function, not the end of the one before it.
 */
static bool is_start(struct otst *o, const struct otst_trace_line *frame)
{
	struct otst_sym sym;

	if (frame->reliable)
		return false;
	otst_symbolize_all(o, frame->addr, &sym);
	return sym.name && sym.addr == frame->addr;
}

static void add_stap_line(struct builder *b, const char *text)
{
	struct otst *o = b->r->o;
	struct otst_trace_line frame, *line;
	size_t len;
	bool is_frame = otst_stap_line(o, text, &frame, &len);

	/* a piece with a header cannot contain anything else */
	if ((!is_frame && b->frames && !b->piece->has_sequence) || b->lines.count >= MAX_LINES)
		finish_piece(b, false);
	line = otst_trace_line_add(o, &b->lines);
	if (is_frame) {
		/* the first is where the probe is, the others are return addresses */
		frame.exact |= !b->frames || is_start(o, &frame);
		/* a module's name may have any byte in it */
		if (frame.text)
			frame.text = otst_clean(o, otst_format(o, "%.*s", (int)len, frame.text));
		*line = frame;
		b->frames = true;
	} else {
		line->kind = OTST_LINE_TEXT;
		line->text = otst_clean(o, text);
		line->reliable = true;
	}
}

int otst_stap_piece(struct otst_stap_reader *r, const struct otst_stap_piece *p)
{
	struct builder b = { .r = r, .piece = p, .first = true };
	const char *at = p->text, *end = p->text + p->len, *stop;
	char *line;
	size_t i, len;

	while (at < end) {
		stop = memchr(at, '\n', (size_t)(end - at));
		len = (size_t)((stop ? stop : end) - at);
		len = len < MAX_LINE ? len : MAX_LINE;
		line = otst_alloc(r->o, len + 1);
		if (!line)
			return otst_no_memory(r->o);
		for (i = 0; i < len; i++)
			line[i] = at[i] ? at[i] : ' ';
		add_stap_line(&b, line);
		at += len + (at + len == stop);
	}
	finish_piece(&b, true);
	return 0;
}
