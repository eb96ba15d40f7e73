// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * header.c - what a report in the log says before its frames, collected
 * line by line and given to the trace; and frames as lines of a trace.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

#define MOST_HEADER 256 /* lines between the first line of a report and its frames: lockdep */
#define HEADER_TIME UINT64_C(2000000000)

/* @len bytes as a clean string in the header's own buffer; only a trace keeps a copy of it */
static int note_text(struct otst *o, struct otst_log_header *h, enum otst_log_text which,
		     const char *s, size_t len, const char **ret)
{
	char *room = h->room[which];
	const char *clean;

	if (!room)
		room = h->room[which] = otst_alloc(o, OTST_LOG_ROOM);
	if (!room)
		return otst_no_memory(o);
	len = len < OTST_LOG_LINE ? len : OTST_LOG_LINE - 1;
	memcpy(room, s, len);
	room[len] = '\0';
	clean = otst_clean(o, room);
	if (clean != room)
		memcpy(room, clean, strlen(clean) + 1);
	*ret = room;
	return 0;
}

void otst_log_header_reset(struct otst_log_header *h)
{
	char *room[OTST_LOG_TEXTS];

	memcpy(room, h->room, sizeof(room));
	*h = (struct otst_log_header){ .cpu = -1, .pid = -1, .who_cpu = -1 };
	memcpy(h->room, room, sizeof(room));
}

/* what the header knows; the cpu or pid of the caller where the header has none */
void otst_log_header_fill(const struct otst_log_header *h, uint32_t caller, struct otst_trace *t)
{
	t->clock = h->clock;
	t->time = h->time;
	t->time_text = h->stamp;
	t->seq = h->seq;
	t->headline = h->headline;
	t->probe = h->probe;
	t->probe_addr = h->probe_addr;
	t->handler = h->handler;
	t->cpu = h->cpu >= 0 ? h->cpu : h->who_cpu;
	t->pid = h->pid;
	t->comm = h->comm ?: h->who_comm;
	if (caller != OTST_LOG_NO_CALLER) {
		if (caller & OTST_LOG_CPU && t->cpu < 0)
			t->cpu = (int)(caller & ~OTST_LOG_CPU);
		if (!(caller & OTST_LOG_CPU) && t->pid < 0)
			t->pid = caller;
	}
}

bool otst_log_far_apart(enum otst_clock a, uint64_t t, enum otst_clock b, uint64_t u,
			uint64_t limit)
{
	if (a == OTST_CLOCK_NONE || b == OTST_CLOCK_NONE)
		return false;
	/* cpus' clocks differ a little: a line may be older than the one before it */
	return a != b || (u > t ? u - t : t - u) > limit;
}

bool otst_log_header_is_old(const struct otst_log_header *h)
{
	return h->age > MOST_HEADER;
}

/* a header that nothing followed does not belong to what comes much later */
bool otst_log_header_stale(const struct otst_log_header *h, const struct otst_log_line *line)
{
	return h->begun && (otst_log_header_is_old(h) ||
			    otst_log_far_apart(h->printed_clock, h->printed, line->clock,
					       line->time, HEADER_TIME));
}

int otst_log_header_begin(struct otst *o, struct otst_log_header *h,
			  const struct otst_log_line *line)
{
	if (otst_log_header_stale(h, line))
		otst_log_header_reset(h);
	h->age = 0;
	h->printed_clock = line->clock;
	h->printed = line->time;
	if (h->begun)
		return 0;
	h->begun = true;
	h->clock = line->clock;
	h->time = line->time;
	h->seq = line->seq;
	if (line->who)
		h->who_cpu = line->who->cpu;
	if (line->who && line->who->comm &&
	    note_text(o, h, OTST_LOG_WHO, line->who->comm, line->who->comm_len, &h->who_comm))
		return OTST_ERR_NOMEM;
	if (!line->stamp)
		return 0;
	return note_text(o, h, OTST_LOG_STAMP, line->stamp, line->stamp_len, &h->stamp);
}

int otst_log_header_facts(struct otst *o, struct otst_log_header *h, const struct otst_log_facts *f)
{
	int err = 0;

	if (f->cpu >= 0)
		h->cpu = f->cpu;
	if (f->pid >= 0)
		h->pid = f->pid;
	if (f->comm)
		err = note_text(o, h, OTST_LOG_COMM, f->comm, f->comm_len, &h->comm);
	if (f->probe && !err) {
		err = note_text(o, h, OTST_LOG_PROBE, f->probe, f->probe_len, &h->probe);
		h->probe_addr = f->probe_addr;
		h->handler = f->handler;
	}
	if (f->has_time) {
		h->time = f->time;
		h->clock = OTST_CLOCK_LOCAL;
		h->stamp = NULL;
	}
	return err;
}

int otst_log_header_message(struct otst *o, struct otst_log_header *h, enum otst_clock clock,
			    const char *text)
{
	size_t len = strlen(text);

	/* what has another kind of stamp, or none, is not the kernel's */
	if (!h->is_cut_here || h->headline || clock != h->clock || h->messages++)
		return 0;
	while (len && (text[len - 1] == ' ' || text[len - 1] == '\r'))
		len--;
	return len ? note_text(o, h, OTST_LOG_MESSAGE, text, len, &h->message) : 0;
}

/* "WARNING: .. at lib/refcount.c:28 ..: refcount_t: underflow; use-after-free." */
static int join_message(struct otst *o, struct otst_log_header *h, const char *text, size_t len)
{
	char joined[OTST_LOG_LINE];

	snprintf(joined, sizeof(joined), "%.*s: %s", (int)len, text, h->message);
	return note_text(o, h, OTST_LOG_HEADLINE_TEXT, joined, strlen(joined), &h->headline);
}

int otst_log_header_line(struct otst *o, struct otst_log_header *h, const char *text)
{
	size_t len;

	text += strspn(text, " \t");
	for (len = strlen(text); len && (text[len - 1] == ' ' || text[len - 1] == '\r'); len--)
		;
	/* a ruler says nothing */
	if (!strncmp(text, "------", 6)) {
		h->is_cut_here |= !h->headline && strstr(text, "[ cut here ]");
		return 0;
	}
	if (h->headline)
		return 0;
	/* several may be of other programs */
	if (h->message && h->messages == 1 && !strncmp(text, "WARNING:", 8))
		return join_message(o, h, text, len);
	return note_text(o, h, OTST_LOG_HEADLINE_TEXT, text, len, &h->headline);
}

/* ---- frames ---- */

/* the item's text in the form of current kernels; NULL when out of memory, raised */
static const char *item_text(struct otst *o, const struct otst_log_item *i)
{
	char text[2 * OTST_LOG_LINE];
	const char *plus;
	char size[24] = "", *end;

	if (i->decimal) {
		unsigned long long offset;

		plus = memchr(i->text, '+', i->len);
		offset = strtoull(plus + 1, &end, 10);
		if (*end == '/')
			snprintf(size, sizeof(size), "/0x%llx", strtoull(end + 1, NULL, 10));
		snprintf(text, sizeof(text), "%.*s+0x%llx%s%s%.*s%s", (int)(plus - i->text),
			 i->text, offset, size, i->module ? " [" : "", (int)i->module_len,
			 i->module ? i->module : "", i->module ? "]" : "");
	} else if (i->module) {
		snprintf(text, sizeof(text), "%.*s [%.*s]", (int)i->len, i->text,
			 (int)i->module_len, i->module);
	} else {
		return otst_log_keep(o, i->text, i->len);
	}
	return otst_log_keep(o, text, strlen(text));
}

int otst_log_item_line(struct otst *o, const struct otst_log_item *item, bool guessed,
		       struct otst_trace_line *ret)
{
	*ret = (struct otst_trace_line){
		.kind = item->kind,
		.addr = item->addr,
		.cs = item->cs,
		.title = item->title,
		.reliable = item->reliable && !guessed,
		.exact = item->exact || item->kind == OTST_LINE_IP,
	};
	if (item->nr_letters && item->nr_letters < sizeof(ret->letters))
		memcpy(ret->letters, item->letters, item->nr_letters);
	if (item->text)
		ret->text = item_text(o, item);
	if (ret->text && item->kind != OTST_LINE_MARK)
		ret->role = (uint8_t)otst_log_role(ret->text);
	return item->text && !ret->text ? OTST_ERR_NOMEM : 0;
}
