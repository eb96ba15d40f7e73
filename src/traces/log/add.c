// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * add.c - adds frames to the trace that is open, with the places in the source that the log has for them.
 */
#include <string.h>

#include "context.h"

#define MOST_LINES 1024 /* of one trace; the kernel's deepest is far below this */

/* "a.c:12" of at most @len bytes, as a line of source; where the next one may begin */
static const char *read_place(struct otst_log_parser *p, const char *s, size_t len,
			      struct otst_line *ret)
{
	const char *colon = memchr(s, ':', len), *end = s + len;

	if (!colon)
		return end;
	ret->file = *s == '?' ? NULL : otst_log_keep(p->o, s, (size_t)(colon - s));
	for (colon++; colon < end && *colon >= '0' && *colon <= '9'; colon++)
		ret->line = ret->line * 10 + (unsigned int)(*colon - '0');
	/* " (discriminator 3)" */
	while (colon < end && (*colon != ' ' || (colon + 1 < end && colon[1] == '(')))
		colon = *colon == ' ' ? memchr(colon, ')', (size_t)(end - colon)) ?: end :
					colon + 1;
	return colon < end ? colon + 1 : end;
}

static void add_inlined(struct otst_log_parser *p, struct otst_log_context *c,
			const struct otst_log_item *item)
{
	struct otst_line line = { .function = otst_log_keep(p->o, item->text, item->len) };

	read_place(p, item->source, item->source_len, &line);
	if (c->nr_inlined < OTST_LOG_INLINED)
		c->inlined[c->nr_inlined++] = line;
}

const struct otst_lines *otst_log_sources(struct otst_log_parser *p, struct otst_log_context *c,
					  const struct otst_log_item *item)
{
	struct otst_line all[2 * OTST_LOG_INLINED], *items;
	const char *s = item->source, *end = s ? s + item->source_len : NULL;
	struct otst_lines *ret;
	size_t n = c->nr_inlined;

	memcpy(all, c->inlined, n * sizeof(*all));
	c->nr_inlined = 0;
	for (; s && s < end && n < 2 * OTST_LOG_INLINED; n++) {
		all[n] = (struct otst_line){ .function = NULL };
		s = read_place(p, s, (size_t)(end - s), &all[n]);
	}
	if (!item->source || (n == 1 && !all[0].file))
		return NULL;
	ret = otst_new(p->o, sizeof(*ret));
	items = otst_alloc(p->o, n * sizeof(*items));
	if (!items)
		return NULL;
	memcpy(items, all, n * sizeof(*items));
	*ret = (struct otst_lines){ items, n };
	return ret;
}

/* arm32 names each function twice: as the caller, then as what was called */
static bool is_named_already(const struct otst_log_context *c, const struct otst_log_item *item)
{
	const struct otst_trace_line *lines = c->lines.data, *last;
	size_t len = 0;

	if (!item->callee || !c->lines.count)
		return false;
	while (len < item->len && item->text[len] != '+' && item->text[len] != ' ')
		len++;
	last = &lines[c->lines.count - 1];
	return last->text && !strncmp(last->text, item->text, len) &&
	       (last->text[len] == '+' || last->text[len] == ' ' || !last->text[len]);
}

static bool is_full(struct otst_log_context *c)
{
	if (c->lines.count < MOST_LINES)
		return false;
	c->truncated = true;
	return true;
}

/* kmemleak's addresses are made up */
static void clear_hashed(const struct otst_log_context *c, struct otst_trace_line *line)
{
	if (c->hashed && line->addr <= UINT32_MAX && line->text && *line->text != '0')
		line->addr = 0;
}

void otst_log_add_known(struct otst_log_parser *p, struct otst_log_context *c,
			const struct otst_log_frame *f)
{
	struct otst_trace_line *line;

	if (is_full(c))
		return;
	line = otst_trace_line_add(p->o, &c->lines);
	c->frames++;
	*line = f->line;
	line->reliable &= !c->inexact;
	clear_hashed(c, line);
}

int otst_log_add_item(struct otst_log_parser *p, struct otst_log_context *c,
		      const struct otst_log_item *item)
{
	struct otst_trace_line *line;

	if (is_full(c))
		return 0;
	if (item->inlined)
		add_inlined(p, c, item);
	if (item->inlined || is_named_already(c, item))
		return 0;
	line = otst_trace_line_add(p->o, &c->lines);
	c->frames += item->kind != OTST_LINE_MARK;
	if (otst_log_item_line(p->o, item, c->inexact, line))
		return OTST_ERR_NOMEM;
	clear_hashed(c, line);
	if (item->source)
		line->source = otst_log_sources(p, c, item);
	return 0;
}
