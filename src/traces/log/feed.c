// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * feed.c - takes the lines of a log: says of each what it is, once, and hands it on to text.c.
 */
#include <string.h>

#include "context.h"

struct otst_log_parser *otst_log_parser(struct otst *o, struct otst_traces *ret)
{
	struct otst_log_parser *p = otst_new(o, sizeof(*p));

	p->o = o;
	p->ret = ret;
	p->frames = otst_log_frames(o);
	return p;
}

static void lex_line(const char *text, struct otst_log_lexed *x)
{
	x->known = NULL;
	x->count = otst_log_items(text, x->items);
	x->is_ip = !x->count && otst_log_ip(text, &x->items[0]);
	x->kind = OTST_LOG_OTHER;
	if (!x->count && !x->is_ip)
		x->kind = otst_log_kind(text, &x->facts, &x->rest);
}

static bool is_other(const struct otst_log_lexed *x)
{
	return !x->count && !x->is_ip && x->kind == OTST_LOG_OTHER;
}

/* pr_fmt() of kmemleak is before each line of its reports */
static const char *skip_source(const char *text)
{
	return *text == 'k' && otst_begins(text, "kmemleak: ") ? text + 10 : text;
}

bool otst_log_known(const char *text)
{
	struct otst_log_lexed x;

	lex_line(skip_source(text), &x);
	return !is_other(&x) && x.kind != OTST_LOG_EMPTY;
}

bool otst_log_is_strange(const char *text)
{
	struct otst_log_lexed x;

	lex_line(skip_source(text), &x);
	return is_other(&x);
}

void otst_log_set_other(struct otst_log_parser *p,
			int (*other)(void *priv, struct otst_log_line *line), void *priv)
{
	p->other = other;
	p->priv = priv;
}

void otst_log_expect_copies(struct otst_log_parser *p)
{
	p->twice = otst_log_twice(p->o);
}

void otst_log_set_name(struct otst_log_parser *p, const char *(*name)(void *priv, uint64_t seq),
		       void *priv)
{
	p->name = name;
	p->name_priv = priv;
}

void otst_log_set_taken(struct otst_log_parser *p, otst_log_taken_fn *taken, void *priv)
{
	p->taken = taken;
	p->taken_priv = priv;
}

static int feed_and_tell(struct otst_log_parser *p, const struct otst_log_line *line,
			 const struct otst_log_lexed *x, bool sure)
{
	int err = otst_log_take(p, line, x);

	return err || !p->taken ? err : p->taken(p->taken_priv, line, sure);
}

static bool is_copy(struct otst_log_parser *p, const struct otst_log_line *line,
		    const struct otst_log_lexed *x)
{
	return p->twice && !is_other(x) && (x->count || x->is_ip || x->kind != OTST_LOG_EMPTY) &&
	       otst_log_is_twice(p->twice, line, x->kind);
}

/* the same for most frames, which were read before */
static int lex_again(struct otst_log_parser *p, const char *text, struct otst_log_lexed *x)
{
	size_t len = strlen(text);

	x->known = otst_log_frame_find(p->frames, text, len);
	if (x->known) {
		x->items[0] = (struct otst_log_item){
			.kind = OTST_LINE_FRAME,
			.addr = x->known->line.addr,
			.text = x->known->line.text,
			.len = x->known->item_len,
		};
		x->count = 1;
		x->is_ip = false;
		x->kind = OTST_LOG_OTHER;
		return 0;
	}
	lex_line(text, x);
	return x->count == 1 ? otst_log_frame_add(p->o, p->frames, text, len, &x->items[0]) : 0;
}

int otst_log_feed(struct otst_log_parser *p, const struct otst_log_line *line)
{
	struct otst_log_line changed = *line;
	struct otst_log_lexed x;
	int ret = 1;

	changed.text = skip_source(line->text);
	if (lex_again(p, changed.text, &x))
		return OTST_ERR_NOMEM;
	if (p->other && is_other(&x)) {
		ret = p->other(p->priv, &changed);
		if (ret < 0)
			return ret;
		changed.text = skip_source(changed.text);
		if (ret)
			lex_line(changed.text, &x);
	}
	return is_copy(p, &changed, &x) ? 0 : feed_and_tell(p, &changed, &x, ret);
}

static bool is_idle(const struct otst_log_context *c)
{
	return !c->open && !c->in_part && !c->owner && !c->late && !c->aside && !c->cut &&
	       (!c->header.begun || otst_log_header_is_old(&c->header));
}

bool otst_log_is_idle(const struct otst_log_parser *p)
{
	size_t i;

	if (p->last && !is_idle(p->last))
		return false;
	for (i = 0; i < p->nr_contexts && is_idle(&p->contexts[i]); i++)
		;
	return i == p->nr_contexts;
}

int otst_log_finish(struct otst_log_parser *p)
{
	int err = 0;

	for (size_t i = 0; i < p->nr_contexts && !err; i++)
		err = otst_log_end(p, &p->contexts[i]);
	return err;
}
