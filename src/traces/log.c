// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * log.c - the source "log": stack traces in the kernel's log, or in a text
 * file such as an old /var/log/messages, which needs no dump.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "log.h"

#define CHUNK	    (64u * 1024)
#define MOST_REPEAT 32u /* for "last message repeated N times": only a recursive frame matters */

struct reader {
	struct otst *o;
	struct otst_log_parser *parser;
	char line[OTST_LOG_LINE];
	size_t len;
	uint64_t number;
	/* the line that syslog may say was repeated */
	char before[OTST_LOG_LINE];
	struct otst_log_line before_line;
};

static int feed(void *priv, struct otst_log_line *line, bool raw)
{
	struct reader *r = priv;

	if (raw && !otst_log_strip(line))
		return 0;
	return otst_log_feed(r->parser, line);
}

/* ---- text files ---- */

static int repeat(struct reader *r, unsigned int times)
{
	struct otst_log_item items[OTST_LOG_ITEMS];
	int err = 0;

	if (!r->before_line.text || !otst_log_items(r->before_line.text, items))
		return 0;
	for (times = times < MOST_REPEAT ? times : MOST_REPEAT; times-- && !err;)
		err = otst_log_feed(r->parser, &r->before_line);
	return err;
}

static int feed_line(struct reader *r)
{
	struct otst_log_line line = { .text = r->line, .seq = ++r->number };
	unsigned int times;

	while (r->len && r->line[r->len - 1] == '\r')
		r->len--;
	r->line[r->len] = '\0';
	r->len = 0;
	if (!otst_log_strip(&line)) {
		times = otst_log_repeated(r->line);
		return times ? repeat(r, times) : 0;
	}
	memcpy(r->before, r->line, sizeof(r->before));
	r->before_line = line;
	r->before_line.text = r->before + (line.text - r->line);
	if (line.stamp)
		r->before_line.stamp = r->before + (line.stamp - r->line);
	return otst_log_feed(r->parser, &line);
}

static int feed_chunk(struct reader *r, const char *chunk, size_t len)
{
	int err = otst_check(r->o);
	size_t i;

	for (i = 0; i < len && !err; i++) {
		if (chunk[i] == '\n')
			err = feed_line(r);
		else if (r->len < sizeof(r->line) - 1)
			r->line[r->len++] = chunk[i] ? chunk[i] : ' ';
	}
	return err;
}

static int read_file(struct reader *r, const char *path)
{
	char *chunk = otst_alloc(r->o, CHUNK);
	uint64_t done = 0, all = 0;
	struct stat st;
	FILE *f;
	size_t n;
	int err = 0;

	if (!chunk)
		return otst_no_memory(r->o);
	f = fopen(path, "re");
	if (!f)
		return otst_raise(r->o, OTST_ERR_LOOKUP, "%s: %s", otst_clean(r->o, path),
				  strerror(errno));
	if (!fstat(fileno(f), &st) && S_ISREG(st.st_mode))
		all = (uint64_t)st.st_size;
	while (!err && (n = fread(chunk, 1, CHUNK, f))) {
		otst_progress(r->o, "log", done += n, all);
		err = feed_chunk(r, chunk, n);
	}
	if (!err && ferror(f))
		err = otst_raise(r->o, OTST_ERR_LOOKUP, "%s: %s", otst_clean(r->o, path),
				 strerror(errno));
	fclose(f);
	/* the last line may lack a newline */
	if (!err && r->len)
		err = feed_line(r);
	return err;
}

/* ---- addresses of what was captured as text ---- */

struct known {
	uint64_t hash;
	const char *text;
	uint64_t addr;
};

#define KNOWN 4096u

/* the same frames occur again and again */
static uint64_t remembered(struct otst *o, struct known *table, const char *text)
{
	struct otst_sym_text sym;
	uint64_t hash = 14695981039346656037u;
	struct known *k;
	const char *s;

	for (s = text; *s; s++)
		hash = (hash ^ (unsigned char)*s) * 1099511628211u;
	k = &table[(hash ^ hash >> 32) & (KNOWN - 1)];
	if (k->text && k->hash == hash && !strcmp(k->text, text))
		return k->addr;
	k->hash = hash;
	k->text = text;
	k->addr = otst_sym_text_parse(text, &sym) ? otst_sym_text_address(o, &sym) : 0;
	return k->addr;
}

static int resolve(struct otst *o, const struct otst_traces *t, size_t first)
{
	struct known *table = otst_alloc(o, KNOWN * sizeof(*table));
	size_t i, j;
	int err = 0;

	if (!table)
		return otst_no_memory(o);
	for (i = first; i < t->items.count && !err; i++) {
		const struct otst_trace *trace = otst_trace_at(t, i);
		/* the parser's own vector */
		struct otst_trace_line *l = (struct otst_trace_line *)trace->lines;

		for (j = 0; j < trace->nr_lines; j++) {
			if (l[j].text && !l[j].addr && l[j].kind != OTST_LINE_MARK)
				l[j].addr = remembered(o, table, l[j].text);
		}
		err = otst_check(o);
	}
	return err;
}

static void name_places(struct otst *o, const struct otst_traces *t, size_t first, const char *unit)
{
	size_t i;

	for (i = first; i < t->items.count; i++) {
		struct otst_trace *trace = otst_trace_at(t, i);

		trace->where = otst_format(o, "%s %llu", unit, (unsigned long long)trace->seq);
	}
}

int otst_source_log(struct otst *o, const struct otst_trace_filter *filter, struct otst_traces *ret)
{
	struct reader *r = otst_new(o, sizeof(*r));
	size_t first = ret->items.count;
	int err, end;

	r->o = o;
	r->parser = otst_log_parser(o, ret);
	if (!r->parser)
		return OTST_ERR_NOMEM;
	err = filter->text ? read_file(r, filter->text) : otst_printk_read(o, feed, r, ret);
	if (err && otst_fatal(err))
		return err;
	end = otst_log_finish(r->parser);
	if (!end && !filter->text)
		end = resolve(o, ret, first);
	name_places(o, ret, first, filter->text ? "line" : "record");
	return end ? end : err;
}
