// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * log.c - the source "log": stack traces in the kernel's log, or in a text
 * file such as an old /var/log/messages, which needs no dump.
 */
#include <stdio.h>
#include <string.h>

#include "file.h"
#include "log.h"

#define MOST_REPEAT 32u /* for "last message repeated N times": only a recursive frame matters */

/**
 * struct part - one of the files: @first is the seq before its first line
 * @backwards: how many lines it has, when they are read from the last to the first; else 0
 * @place: room for the name of a line in it; @name: where in there "line 7" begins
 */
struct part {
	uint64_t first;
	uint64_t backwards;
	char *place, *name;
};

#define NAME sizeof("record 18446744073709551615")

struct reader {
	struct otst *o;
	struct otst_log_parser *parser;
	struct otst_log_prefix *prefix;
	char line[OTST_LOG_LINE];
	uint64_t number;
	struct otst_vec parts; /* of struct part */
	char record[NAME];
	struct otst_log_order *order;
	struct otst_log_wrap *wrap;
	struct otst_log_dull *dull;
	const struct otst_log_taker *to;
	/* the line that syslog may say was repeated */
	char before[OTST_LOG_LINE];
	struct otst_log_line before_line;
	/* a line had syslog's stamp and the kernel's tag */
	bool tagged;
	/* of the last line that had a stamp: the stamp, and how wide its prefix is */
	char stamp[64];
	size_t width;
};

/* who wrote a line to /dev/kmsg is not who the line is about */
static int feed_kernel_line(void *priv, struct otst_log_line *line, bool raw)
{
	struct reader *r = priv;

	if (raw && !otst_log_strip(line))
		return 0;
	if (line->facility > 0)
		line->caller = OTST_LOG_NO_CALLER;
	return otst_log_feed(r->parser, line);
}

/* ---- text files ---- */

static int repeat_line(struct reader *r, unsigned int times)
{
	struct otst_log_item items[OTST_LOG_ITEMS];
	int err = 0;

	if (!r->before_line.text || !otst_log_items(r->before_line.text, items))
		return 0;
	for (times = times < MOST_REPEAT ? times : MOST_REPEAT; times-- && !err;)
		err = otst_log_feed(r->parser, &r->before_line);
	return err;
}

/* syslog's line that is not from the kernel by its tag; or it has another form */
static int feed_foreign(struct reader *r, struct otst_log_line *line, uint64_t number)
{
	unsigned int times = otst_log_repeated(r->line);

	if (times)
		return repeat_line(r, times);
	/* an agent that reads kmsg and logs it once more */
	if (r->tagged && otst_log_is_process(r->line))
		return 0;
	*line = (struct otst_log_line){
		.text = r->line,
		.seq = number,
		.caller = OTST_LOG_NO_CALLER,
		.facility = -1,
	};
	return otst_log_foreign(r->prefix, line);
}

/*
 * A message of several lines has its stamp in the first: lockdep prints "\n-> #1 (..", which
 * becomes one line with "#012" in it, or two, of which the second is indented or not.
 */
static void inherit_stamp(struct reader *r, struct otst_log_line *line)
{
	const struct otst_log_line *b = &r->before_line;
	size_t len = b->stamp_len < sizeof(r->stamp) ? b->stamp_len : sizeof(r->stamp);

	if (line->clock != OTST_CLOCK_NONE) {
		r->width = (size_t)(line->text - r->line);
		return;
	}
	if (!b->text || b->clock == OTST_CLOCK_NONE || b->seq + 1 < line->seq)
		return;
	if (b->seq != line->seq && b->text[strspn(b->text, " \t")] &&
	    (!r->width || strspn(r->line, " ") < r->width))
		return;
	line->clock = b->clock;
	line->time = b->time;
	line->caller = b->caller;
	if (!b->stamp)
		return;
	memmove(r->stamp, b->stamp, len);
	line->stamp = r->stamp;
	line->stamp_len = len;
}

/* the kernel's line as it printed it, with its prefix */
static int feed_whole(void *priv, char *text, size_t len, uint64_t number)
{
	struct reader *r = priv;
	struct otst_log_line line = { .text = r->line, .seq = number };

	memcpy(r->line, text, len);
	r->line[len] = '\0';
	if (!otst_log_strip(&line))
		return feed_foreign(r, &line, number);
	r->tagged |= line.stamp != NULL;
	inherit_stamp(r, &line);
	memcpy(r->before, r->line, len + 1);
	r->before_line = line;
	r->before_line.text = r->before + (line.text - r->line);
	if (line.stamp && line.stamp != r->stamp)
		r->before_line.stamp = r->before + (line.stamp - r->line);
	return otst_log_feed(r->parser, &line);
}

static int feed_piece(void *priv, const char *text, size_t len)
{
	struct reader *r = priv;
	char line[OTST_LOG_LINE];

	len = len < sizeof(line) - 1 ? len : sizeof(line) - 1;
	memcpy(line, text, len);
	line[len] = '\0';
	return otst_log_wrap_line(r->wrap, line, len, r->number);
}

/* one of pstore's parts may have waited: its number is that of its place in the file */
static int feed_ordered(void *priv, char *line, size_t len, uint64_t number)
{
	struct reader *r = priv;
	uint64_t now = r->number;
	int err;

	r->number = number;
	err = otst_log_pieces(line, len, feed_piece, r);
	r->number = now;
	return err;
}

static int order_line(void *priv, char *line, size_t len, uint64_t number)
{
	struct reader *r = priv;

	return otst_log_order_line(r->order, line, len, number);
}

/* nothing waits for what a line of no trace says: most lines of most logs go no further */
static bool is_idle(const struct reader *r)
{
	return !r->to && !otst_log_order_waits(r->order) && !otst_log_wrap_waits(r->wrap) &&
	       otst_log_is_idle(r->parser);
}

static size_t skip_lines(void *priv, const char *bytes, size_t len)
{
	struct reader *r = priv;

	return is_idle(r) ? otst_log_skim(r->dull, bytes, len, &r->number) : 0;
}

static int feed_line(void *priv, char *line, size_t len, uint64_t lines)
{
	struct reader *r = priv;
	uint64_t before = r->number++;
	int err = 0;

	if (is_idle(r) && otst_log_is_dull(r->dull, line, len)) {
		otst_log_pass(r->dull, line, len, r->number);
	} else {
		err = otst_log_passed(r->dull, order_line, r);
		if (!err && r->to && r->to->raw)
			err = r->to->raw(r->to->priv, r->number, line, len);
		err = err ?: order_line(r, line, len, r->number);
	}
	r->number = before + lines;
	return err;
}

static struct part *part_of(const struct reader *r, uint64_t seq)
{
	struct part *parts = r->parts.data;
	size_t i = r->parts.count;

	while (i > 1 && parts[i - 1].first >= seq)
		i--;
	return &parts[i - 1];
}

/* "line 7", "messages.1 line 7" where there are several files; valid until the next call */
static const char *name_line(void *priv, uint64_t seq)
{
	const struct reader *r = priv;
	const struct part *p = part_of(r, seq);

	uint64_t number = p->backwards ? p->backwards + 1 - (seq - p->first) : seq - p->first;

	snprintf(p->name, NAME, "line %llu", (unsigned long long)number);
	return p->place;
}

static const char *name_record(void *priv, uint64_t seq)
{
	struct reader *r = priv;

	snprintf(r->record, NAME, "record %llu", (unsigned long long)seq);
	return r->record;
}

/* what looks like a part of a trace and was understood by nobody */
static void note_unread_log(struct reader *r, const char *(*name)(void *priv, uint64_t seq),
			    struct otst_traces *ret)
{
	uint64_t first, n = otst_log_unread(r->prefix, &first);

	if (n)
		otst_note_text(r->o, &ret->errors,
			       otst_format(r->o, "%llu %s of stack traces, first at %s",
					   (unsigned long long)n,
					   otst_number(n, "line looks like a part",
						       "lines look like parts"),
					   name(r, first)));
}

/* @several: the names of lines begin with the file's; 0 or NOMEM */
static int add_part(struct reader *r, const char *path, bool several)
{
	const char *name = otst_clean(r->o, several ? path : "");
	size_t len = strlen(name);
	struct part *p = otst_vec_push(r->o, &r->parts, sizeof(*p));
	char *place = otst_alloc(r->o, len + 1 + NAME);

	if (!place)
		return OTST_ERR_NOMEM;
	memcpy(place, name, len);
	place[len] = ' ';
	*p = (struct part){
		.first = r->number,
		.place = place,
		.name = several ? place + len + 1 : place,
	};
	return 0;
}

/* the files in their order; one of several that cannot be read costs a line */
static int read_log_files(struct reader *r, const char *const *paths, struct otst_traces *ret)
{
	size_t i, read = 0;
	int err = 0;

	for (i = 0; paths[i]; i++) {
		err = add_part(r, paths[i], paths[1]);
		if (!err) {
			struct part *part = (struct part *)r->parts.data + r->parts.count - 1;

			/* who wants the lines wants them as they come */
			err = otst_log_file(r->o, paths[i], feed_line, skip_lines, r,
					    r->to && r->to->raw ? NULL : &part->backwards);
		}
		if (err && (otst_fatal(err) || (!paths[i + 1] && !read && err != OTST_ERR_CORRUPT)))
			return err;
		read += !err;
		err = err ? otst_traces_note(ret, err) : 0;
		if (err)
			return err;
	}
	return 0;
}

/* ---- addresses of what was captured as text ---- */

static void resolve_line(void *priv, struct otst_trace_line *line)
{
	struct otst_sym_text sym;
	struct otst *o = priv;

	if (line->text && !line->addr && line->kind != OTST_LINE_MARK && !otst_check(o) &&
	    otst_sym_text_parse(line->text, &sym))
		line->addr = otst_sym_text_address(o, &sym);
}

static int read_log_text(struct reader *r, const char *const *paths, struct otst_traces *ret)
{
	int err;

	otst_log_set_name(r->parser, name_line, r);
	otst_log_expect_copies(r->parser);
	r->prefix = otst_log_prefix(r->o, r->parser);
	r->order = otst_log_order(r->o, feed_ordered, r);
	r->wrap = otst_log_wrap(r->o, feed_whole, r);
	r->dull = otst_log_dull(r->o);
	err = r->prefix && r->dull ? read_log_files(r, paths, ret) : otst_no_memory(r->o);
	err = err ?: otst_log_order_end(r->order);
	return err ? err : otst_log_wrap_end(r->wrap);
}

static struct reader *make_reader(struct otst *o, struct otst_traces *ret)
{
	struct reader *r = otst_new(o, sizeof(*r));

	r->o = o;
	r->parser = otst_log_parser(o, ret);
	return r;
}

int otst_log_texts(struct otst *o, const char *const *paths, const struct otst_log_taker *to,
		   struct otst_traces *ret)
{
	struct reader *r = make_reader(o, ret);
	size_t first = ret->items.count;
	int err, end;

	r->to = to;
	if (to)
		otst_log_set_taken(r->parser, to->taken, to->priv);
	err = read_log_text(r, paths, ret);
	if (err && otst_fatal(err))
		return err;
	end = otst_log_finish(r->parser);
	end = end ?: otst_log_drop_copies(o, ret, first);
	if (!err)
		note_unread_log(r, name_line, ret);
	return end ? end : err;
}

int otst_log_buffer(struct otst *o, const struct otst_log_taker *to, struct otst_traces *ret)
{
	struct reader *r = make_reader(o, ret);
	int err, end;

	otst_log_set_name(r->parser, name_record, r);
	r->prefix = otst_log_prefix(o, r->parser);
	if (!r->prefix)
		return OTST_ERR_NOMEM;
	if (to)
		otst_log_set_taken(r->parser, to->taken, to->priv);
	err = otst_printk_read(o, feed_kernel_line, r, ret);
	if (err && otst_fatal(err))
		return err;
	end = otst_log_finish(r->parser);
	if (!err)
		note_unread_log(r, name_record, ret);
	return end ? end : err;
}

static int read_log_buffer(struct otst *o, struct otst_traces *ret)
{
	int err = otst_log_buffer(o, NULL, ret);

	if (err && otst_fatal(err))
		return err;
	otst_traces_each_line(ret, resolve_line, o);
	return otst_check(o) ?: err;
}

int otst_source_log(struct otst *o, const struct otst_trace_filter *filter, struct otst_traces *ret)
{
	return filter->texts ? otst_log_texts(o, filter->texts, NULL, ret) :
			       read_log_buffer(o, ret);
}
