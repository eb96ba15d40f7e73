// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * context.c - the callers whose lines are followed in a log at the same time; what their lines
 * gave becomes a trace when it is complete (text.c reads the lines).
 */
#include <inttypes.h>
#include <string.h>

#include "context.h"

/* ---- a trace is complete ---- */

/* the innermost frame is where the oops happened; the printed trace begins with its caller */
static int put_ip_first(struct otst *o, struct otst_log_context *c)
{
	struct otst_trace_line *lines;
	size_t count = c->lines.count;

	if (!c->header.has_ip)
		return 0;
	/* arm64's trace begins with it */
	lines = c->lines.data;
	if (count && lines[0].text && c->header.ip.text &&
	    !strcmp(lines[0].text, c->header.ip.text))
		return 0;
	if (!otst_trace_line_add(o, &c->lines))
		return OTST_ERR_NOMEM;
	lines = c->lines.data;
	memmove(lines + 1, lines, count * sizeof(*lines));
	lines[0] = c->header.ip;
	return 0;
}

void otst_log_leave_part(struct otst_log_context *c)
{
	struct otst_log_header part = c->header;

	if (!c->in_part)
		return;
	c->in_part = false;
	c->header = c->report;
	c->report = part;
	if (part.begun) {
		c->header.printed_clock = part.printed_clock;
		c->header.printed = part.printed;
		c->header.age = 0;
	}
	otst_log_header_reset(&c->report);
}

/* KFENCE, KCSAN and KMSAN tell the task after the traces */
static bool is_told_later(const struct otst_log_context *c)
{
	return !c->in_part && c->header.headline &&
	       (otst_begins(c->header.headline, "BUG: KFENCE: ") ||
		otst_begins(c->header.headline, "BUG: KCSAN: ") ||
		otst_begins(c->header.headline, "BUG: KMSAN: ")) &&
	       !c->header.comm;
}

/* what is wrong with a trace, or NULL */
static const char *trace_error(struct otst_log_parser *p, const struct otst_log_context *c)
{
	if (c->gap)
		return "lines of the log that may belong to it are missing";
	if (!c->unread)
		return NULL;
	return otst_format(p->o, "%" PRIu64 " %s not read, first at %s", c->unread,
			   otst_number(c->unread, "line looks like a frame, and was",
				       "lines look like frames, and were"),
			   p->name ? p->name(p->name_priv, c->first_unread) : "?");
}

/* what is known of it, packed: a log may have more traces than memory has room for */
static int add_text_trace(struct otst_log_parser *p, struct otst_log_context *c)
{
	struct otst_trace t = { .source = OTST_SOURCE_LOG, .count = 1 };
	/* who printed it is not who was there, and a report that tells who was knows better */
	bool later = is_told_later(c);
	uint32_t caller = c->in_part || c->hashed || later ? OTST_LOG_NO_CALLER : c->caller;

	otst_log_header_fill(&c->header, caller, &t);
	t.error = trace_error(p, c);
	t.where = p->name ? p->name(p->name_priv, t.seq) : NULL;
	t.lines = c->lines.data;
	t.nr_lines = c->lines.count;
	t.truncated = c->truncated;
	t.ends = c->ends;
	t.overwritten = c->overwritten;
	otst_log_probe(p->o, &t);
	if (later)
		c->owner = p->ret->items.count + 1;
	return otst_trace_pack(p->ret, p->ret->items.count, &t);
}

static int finish_trace(struct otst_log_parser *p, struct otst_log_context *c)
{
	int err = 0;

	/* nothing announced frames, and none came */
	if (c->frames || c->announced || c->header.has_ip) {
		err = put_ip_first(p->o, c);
		err = err ?: add_text_trace(p, c);
	}
	c->lines.count = 0;
	c->open = false;
	otst_log_header_reset(&c->header);
	otst_log_leave_part(c);
	return err;
}

int otst_log_close(struct otst_log_parser *p, struct otst_log_context *c)
{
	return c->open ? finish_trace(p, c) : 0;
}

int otst_log_give_up(struct otst_log_parser *p, struct otst_log_context *c)
{
	int err = otst_log_close(p, c);

	otst_log_leave_part(c);
	c->owner = 0;
	c->late = false;
	c->cut = false;
	otst_log_header_reset(&c->header);
	return err;
}

int otst_log_end(struct otst_log_parser *p, struct otst_log_context *c)
{
	int err;

	/* it ends before the first frame */
	if (c->open && !c->frames && !c->unread)
		c->truncated = c->ends = true;
	err = otst_log_close(p, c);
	if (!err && c->cut && c->header.headline && c->header.age <= OTST_LOG_MOST_STRANGE) {
		c->truncated = c->ends = true;
		c->gap = c->overwritten = false;
		c->unread = 0;
		err = finish_trace(p, c);
	}
	return err ? err : otst_log_give_up(p, c);
}

/* ---- contexts ---- */

int otst_log_context(struct otst_log_parser *p, uint32_t caller, struct otst_log_context **ret)
{
	struct otst_log_context *c, *oldest = p->contexts;
	struct otst_log_header header, report;
	struct otst_vec lines;
	int err;

	if (p->last && p->last->caller == caller) {
		*ret = p->last;
		return 0;
	}
	for (size_t i = 0; i < p->nr_contexts; i++) {
		c = &p->contexts[i];
		if (c->caller == caller) {
			*ret = p->last = c;
			return 0;
		}
		oldest = c->used < oldest->used ? c : oldest;
	}
	if (p->nr_contexts < OTST_LOG_CONTEXTS)
		oldest = &p->contexts[p->nr_contexts++];
	err = otst_log_give_up(p, oldest);
	if (err)
		return err;
	lines = oldest->lines;
	lines.count = 0;
	header = oldest->header;
	report = oldest->report;
	memset(oldest, 0, sizeof(*oldest));
	oldest->caller = caller;
	oldest->lines = lines;
	oldest->header = header;
	oldest->report = report;
	otst_log_header_reset(&oldest->header);
	otst_log_header_reset(&oldest->report);
	*ret = p->last = oldest;
	return 0;
}
