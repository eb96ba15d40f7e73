// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * log_header.c - what a report in the log says before its frames, collected
 * line by line and given to the trace; and frames as lines of a trace.
 */
#include <stdlib.h>
#include <string.h>

#include "log.h"

#define MOST_HEADER 256 /* lines between what a report says first and its frames: lockdep */
#define HEADER_TIME UINT64_C(2000000000)

/* bytes of the log as a clean string; NULL when out of memory, raised */
static const char *keep(struct otst *o, const char *s, size_t len)
{
	const char *copy = otst_format(o, "%.*s", (int)len, s);

	copy = copy ? otst_clean(o, copy) : NULL;
	if (!copy)
		otst_no_memory(o);
	return copy;
}

void otst_log_header_reset(struct otst_log_header *h)
{
	*h = (struct otst_log_header){ .cpu = -1, .pid = -1 };
}

/* what the header knows, and what the caller is when it does not */
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
	t->cpu = h->cpu;
	t->pid = h->pid;
	t->comm = h->comm;
	if (caller == OTST_LOG_NO_CALLER)
		return;
	if (caller & OTST_LOG_CPU && t->cpu < 0)
		t->cpu = (int)(caller & ~OTST_LOG_CPU);
	if (!(caller & OTST_LOG_CPU) && t->pid < 0)
		t->pid = caller;
}

bool otst_log_far_apart(enum otst_clock a, uint64_t t, enum otst_clock b, uint64_t u,
			uint64_t limit)
{
	if (a == OTST_CLOCK_NONE || b == OTST_CLOCK_NONE)
		return false;
	/* cpus' clocks differ a little: a line may be older than the one before it */
	return a != b || (u > t ? u - t : t - u) > limit;
}

/* a header that nothing followed does not belong to what comes much later */
static void drop_stale(struct otst_log_header *h, const struct otst_log_line *line)
{
	if (h->begun &&
	    (h->age > MOST_HEADER ||
	     otst_log_far_apart(h->clock, h->printed, line->clock, line->time, HEADER_TIME)))
		otst_log_header_reset(h);
}

int otst_log_header_begin(struct otst *o, struct otst_log_header *h,
			  const struct otst_log_line *line)
{
	drop_stale(h, line);
	if (h->begun)
		return 0;
	h->begun = true;
	h->age = 0;
	h->clock = line->clock;
	h->time = h->printed = line->time;
	h->seq = line->seq;
	if (!line->stamp)
		return 0;
	h->stamp = keep(o, line->stamp, line->stamp_len);
	return h->stamp ? 0 : OTST_ERR_NOMEM;
}

int otst_log_header_facts(struct otst *o, struct otst_log_header *h, const struct otst_log_facts *f)
{
	if (f->cpu >= 0)
		h->cpu = f->cpu;
	if (f->pid >= 0)
		h->pid = f->pid;
	if (f->comm)
		h->comm = keep(o, f->comm, f->comm_len);
	if (f->probe) {
		h->probe = keep(o, f->probe, f->probe_len);
		h->probe_addr = f->probe_addr;
		h->handler = f->handler;
	}
	if (f->has_time && h->clock == OTST_CLOCK_LOCAL)
		h->time = f->time;
	return (f->comm && !h->comm) || (f->probe && !h->probe) ? OTST_ERR_NOMEM : 0;
}

int otst_log_header_line(struct otst *o, struct otst_log_header *h, const char *text)
{
	size_t len;

	text += strspn(text, " \t");
	for (len = strlen(text); len && (text[len - 1] == ' ' || text[len - 1] == '\r'); len--)
		;
	/* a ruler says nothing */
	if (h->headline || !strncmp(text, "------", 6))
		return 0;
	h->headline = keep(o, text, len);
	return h->headline ? 0 : OTST_ERR_NOMEM;
}

/* ---- frames ---- */

/* the item's text in today's form; NULL when out of memory, raised */
static const char *item_text(struct otst *o, const struct otst_log_item *i)
{
	const char *plus, *s;

	if (i->decimal) {
		plus = memchr(i->text, '+', i->len);
		s = otst_format(o, "%.*s+0x%llx%s%.*s%s", (int)(plus - i->text), i->text,
				strtoull(plus + 1, NULL, 10), i->module ? " [" : "",
				(int)i->module_len, i->module ? i->module : "",
				i->module ? "]" : "");
	} else if (i->module) {
		s = otst_format(o, "%.*s [%.*s]", (int)i->len, i->text, (int)i->module_len,
				i->module);
	} else {
		return keep(o, i->text, i->len);
	}
	s = s ? otst_clean(o, s) : NULL;
	if (!s)
		otst_no_memory(o);
	return s;
}

int otst_log_item_line(struct otst *o, const struct otst_log_item *item, bool guessed,
		       struct otst_trace_line *ret)
{
	*ret = (struct otst_trace_line){
		.kind = item->kind,
		.addr = item->addr,
		.cs = item->cs,
		.reliable = item->reliable && !guessed,
		.exact = item->kind == OTST_LINE_IP,
	};
	if (item->text)
		ret->text = item_text(o, item);
	return item->text && !ret->text ? OTST_ERR_NOMEM : 0;
}
