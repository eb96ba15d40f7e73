// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * text.c - stack traces in lines of a kernel log, whatever printed them.
 *
 * Lines of several cpus mix. Where the log names the caller (thread or cpu), each
 * caller is followed on its own. Otherwise a trace continues after a few strange
 * lines: it is more likely that they come from other cpus than that the frames after
 * them belong to no trace.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

#define FRAMES_TIME  5000000000ull /* a serial console may be that slow between two frames */
#define MESSAGE_TIME 10000000ull   /* between a message and the dump_stack() after it */

/* ---- the header ---- */

/* a message of unknown form right before a stack trace tells why it was printed */
static int use_message(struct otst *o, struct otst_log_context *c, const struct otst_log_line *line)
{
	if (!c->had_message ||
	    otst_log_far_apart(line->clock, c->message_time, line->clock, line->time, MESSAGE_TIME))
		return 0;
	return otst_log_header_line(o, &c->header, c->message);
}

static int begin_header(struct otst_log_parser *p, struct otst_log_context *c,
			const struct otst_log_line *line)
{
	int err = otst_log_header_stale(&c->header, line) ? otst_log_give_up(p, c) : 0;

	c->ended = false;
	return err ? err : otst_log_header_begin(p->o, &c->header, line);
}

/* "CPU: 1 PID: 7 Comm: sh": who made the report whose traces were printed before */
static int tell_owner(struct otst_log_parser *p, struct otst_log_context *c,
		      const struct otst_log_facts *facts)
{
	struct otst_trace t;
	int err;

	if (!c->owner)
		return 0;
	t = *otst_trace_peek(p->ret, c->owner - 1, &p->room);
	if (!facts->comm || (t.pid >= 0 && t.pid != facts->pid))
		return 0;
	/* "read to 0x.. of 8 bytes by interrupt on cpu 1:" */
	if (t.pid < 0 && otst_begins(t.headline, "BUG: KCSAN: "))
		return 0;
	t.pid = facts->pid;
	t.cpu = t.cpu >= 0 ? t.cpu : facts->cpu;
	t.comm = otst_log_keep(p->o, facts->comm, facts->comm_len);
	err = t.comm ? otst_trace_pack(p->ret, c->owner - 1, &t) : OTST_ERR_NOMEM;
	/* with no_hash_pointers, registers and the same stack follow */
	return err ?: otst_log_header_line(p->o, &c->header, t.headline);
}

/* "CPU: 1 PID: 7 Comm: sh" */
static int take_head(struct otst_log_parser *p, struct otst_log_context *c,
		     const struct otst_log_line *line, const struct otst_log_facts *facts)
{
	int err = otst_log_close(p, c);

	otst_log_leave_part(c);
	err = err ?: begin_header(p, c, line);
	err = err ?: tell_owner(p, c, facts);
	if (!err && !facts->is_task)
		err = use_message(p->o, c, line);
	else if (!err)
		err = otst_log_header_line(p->o, &c->header, line->text);
	return err ? err : otst_log_header_facts(p->o, &c->header, facts);
}

static int take_headline(struct otst_log_parser *p, struct otst_log_context *c,
			 const struct otst_log_line *line, enum otst_log_kind kind,
			 const struct otst_log_facts *facts)
{
	int err = otst_log_close(p, c);

	otst_log_leave_part(c);
	c->owner = 0;
	c->other_access = false;
	/* registers that were printed once more, after a trace, are not this report's */
	if (!err && (kind == OTST_LOG_NEW || (c->header.has_ip && !c->header.headline)))
		err = otst_log_give_up(p, c);
	err = err ?: begin_header(p, c, line);
	err = err ?: otst_log_header_line(p->o, &c->header, line->text);
	return err ? err : otst_log_header_facts(p->o, &c->header, facts);
}

/*
 * KCSAN prints the other task's access first, and then that of the task that reports it,
 * whose stack is the report's own
 */
static bool is_own_access(struct otst_log_context *c, const struct otst_log_facts *facts)
{
	bool own = facts->is_own || c->other_access;

	if (!otst_begins(c->header.headline, "BUG: KCSAN: "))
		return false;
	c->other_access = true;
	return own;
}

/* a stack that was kept before the report has its own header */
static int begin_kept_part(struct otst_log_parser *p, struct otst_log_context *c,
			   const struct otst_log_line *line, const struct otst_log_facts *facts)
{
	struct otst_log_header report;
	int err = otst_log_close(p, c);

	otst_log_leave_part(c);
	if (err || is_own_access(c, facts))
		return err ? err : otst_log_header_facts(p->o, &c->header, facts);
	report = c->header;
	c->header = c->report;
	c->report = report;
	c->in_part = true;
	err = begin_header(p, c, line);
	c->header.who_cpu = -1;
	c->header.who_comm = NULL;
	err = err ?: otst_log_header_line(p->o, &c->header, line->text);
	err = err ?: otst_log_header_facts(p->o, &c->header, facts);
	if (facts->was_freed && c->free_time) {
		const struct otst_log_facts freed = {
			.cpu = -1, .pid = -1, .has_time = true, .time = c->free_time
		};

		err = err ?: otst_log_header_facts(p->o, &c->header, &freed);
	}
	c->free_time = facts->free_time;
	return err;
}

/* "stack backtrace:" of lockdep, behind the stacks of its locks */
static int leave_parts(struct otst_log_parser *p, struct otst_log_context *c,
		       const struct otst_log_line *line)
{
	int err = otst_log_close(p, c);

	otst_log_leave_part(c);
	err = err ?: begin_header(p, c, line);
	return err ? err : otst_log_header_line(p->o, &c->header, line->text);
}

/* ---- frames ---- */

static int open_trace(struct otst_log_parser *p, struct otst_log_context *c,
		      const struct otst_log_line *line, bool announced)
{
	int err = otst_log_close(p, c);

	err = err ?: begin_header(p, c, line);
	err = err ?: use_message(p->o, c, line);
	c->open = true;
	c->announced = announced;
	/* kmemleak's, with %pK */
	c->hashed = otst_begins(c->header.headline, "unreferenced object ") ||
		    otst_begins(c->header.headline, "Object 0x");
	c->inexact = c->truncated = c->ends = c->gap = false;
	c->unread = 0;
	c->overwritten = p->lost && !announced;
	c->frames = 0;
	c->nr_inlined = 0;
	c->strange = 0;
	c->clock = line->clock;
	c->time = line->time;
	return err;
}

/*
 * Without "Call Trace:" (2.6 i386), the next trace is recognised by its innermost
 * function, which is not called again before it returns.
 */
static bool begins_again(const struct otst_log_context *c, const struct otst_log_item *item)
{
	static const char *const outermost[] = { "dump_stack+",		"show_trace+",
						 "show_trace_log_lvl+", "allie_pre_handler+",
						 "allie_post_handler+", "kasan_save_stack+" };
	const struct otst_trace_line *first = c->lines.data;

	if (c->announced || !c->frames || !first->text || item->kind != OTST_LINE_FRAME ||
	    !item->text || strlen(first->text) != item->len ||
	    memcmp(first->text, item->text, item->len))
		return false;
	for (size_t i = 0; i < sizeof(outermost) / sizeof(*outermost); i++) {
		if (!strncmp(first->text, outermost[i], strlen(outermost[i])))
			return true;
	}
	return false;
}

/* can this line begin a trace without "Call Trace:"? */
static bool is_text_frame(const struct otst_log_item *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		/* a name alone may be a word: "error (a.c:12)" */
		if (items[i].kind == OTST_LINE_FRAME && items[i].text &&
		    strncmp(items[i].text, "0x", 2) &&
		    (items[i].addr || memchr(items[i].text, '+', items[i].len)))
			return true;
	}
	return false;
}

/* the files /proc/PID/stack one after the other: a task's outermost function ends its stack */
static bool begins_task(const struct otst_log_context *c, const char *text)
{
	static const char *const outermost[] = {
		"entry_SYSCALL_64", "entry_SYSENTER_compat", "ret_from_fork",
		"ret_fast_syscall", "el0t_64_sync",	     "el0_sync",
		"system_call",	    "0xffffffffffffffff",
	};
	const struct otst_trace_line *lines = c->lines.data;
	const char *last;

	text += strspn(text, " \t");
	if (c->announced || !c->lines.count || strncmp(text, "[<0>]", 5) != 0)
		return false;
	last = lines[c->lines.count - 1].text ?: "";
	for (size_t i = 0; i < sizeof(outermost) / sizeof(*outermost); i++) {
		if (!strncmp(last, outermost[i], strlen(outermost[i])))
			return true;
	}
	return false;
}

static int take_frames(struct otst_log_parser *p, struct otst_log_context *c,
		       const struct otst_log_line *line, const struct otst_log_item *items,
		       size_t count, const struct otst_log_frame *known)
{
	int err = 0;

	if (c->open &&
	    (begins_again(c, &items[0]) || begins_task(c, line->text) ||
	     otst_log_far_apart(c->clock, c->time, line->clock, line->time, FRAMES_TIME)))
		err = otst_log_close(p, c);
	if (err)
		return err;
	if (!c->open) {
		if (!is_text_frame(items, count) && !c->in_part)
			return 0;
		err = open_trace(p, c, line, false);
	}
	c->strange = 0;
	c->clock = line->clock;
	c->time = line->time;
	if (known) {
		otst_log_add_known(p, c, known);
		return 0;
	}
	for (size_t i = 0; i < count && !err; i++)
		err = otst_log_add_item(p, c, &items[i]);
	return err;
}

/*
 * May @item be the header's program counter: the first that has a symbol, for i386 prints the
 * address first and the symbol on another line. "IP:" comes before all of them, and counts if none follows.
 */
static bool is_better(const struct otst_log_header *h, const struct otst_log_item *item)
{
	if (!h->has_ip)
		return true;
	return item->title != OTST_PC_IP && item->text &&
	       (!h->ip.text || h->ip.title == OTST_PC_IP);
}

/* i386: "EIP: 0060:[<f8a01010>] EFLAGS: 00010246 CPU: 1" */
static void take_cpu(struct otst_log_header *h, const struct otst_log_line *line,
		     const struct otst_log_item *item)
{
	const char *s = item->title == OTST_PC_EIP ? strstr(line->text, " EFLAGS: ") : NULL;
	unsigned long cpu;
	char *end;

	s = s ? strstr(s, " CPU: ") : NULL;
	cpu = s ? strtoul(s + 6, &end, 10) : 0;
	if (s && end > s + 6 && cpu < 65536)
		h->cpu = (int)cpu;
}

/* "RIP: ...": of an exception in the middle of a trace, or before it */
static int take_instruction(struct otst_log_parser *p, struct otst_log_context *c,
			    const struct otst_log_line *line, const struct otst_log_item *item)
{
	struct otst_log_header *h = &c->header;
	int err;

	if (c->open && c->frames)
		return item->title == OTST_PC_IP ? 0 : otst_log_add_item(p, c, item);
	if (c->ended || item->cs & 3)
		return 0;
	err = begin_header(p, c, line);
	if (err)
		return err;
	take_cpu(h, line, item);
	if (!is_better(h, item))
		return 0;
	h->has_ip = true;
	c->cut = true;
	err = otst_log_item_line(p->o, item, c->inexact, &h->ip);
	if (!err && item->source)
		h->ip.source = otst_log_sources(p, c, item);
	return err;
}

/* ---- all other lines ---- */

static int start_trace(struct otst_log_parser *p, struct otst_log_context *c,
		       const struct otst_log_line *line, const char *rest,
		       const struct otst_log_facts *facts)
{
	struct otst_log_item items[OTST_LOG_ITEMS];
	size_t n;
	int err;

	/* a part without frames: the report's own follow */
	if (!c->open)
		otst_log_leave_part(c);
	err = open_trace(p, c, line, true);
	err = err ?: otst_log_header_facts(p->o, &c->header, facts);
	if (err)
		return err;
	n = otst_log_items(rest, items);
	return n ? take_frames(p, c, line, items, n, NULL) : 0;
}

/* a line among the frames */
static int note_context_line(struct otst_log_parser *p, struct otst_log_context *c,
			     const struct otst_log_line *line)
{
	struct otst_log_item item = { .kind = OTST_LINE_MARK, .reliable = true };

	item.text = line->text + strspn(line->text, " \t");
	item.len = strlen(item.text);
	return c->open ? otst_log_add_item(p, c, &item) : 0;
}

static int begin_guesses(struct otst_log_parser *p, struct otst_log_context *c,
			 const struct otst_log_line *line)
{
	int err = c->open ? 0 : open_trace(p, c, line, true);

	err = err ?: note_context_line(p, c, line);
	c->inexact = true;
	return err;
}

static int end_trace(struct otst_log_parser *p, struct otst_log_context *c, const char *text)
{
	int err = otst_log_close(p, c);

	otst_log_leave_part(c);
	/* s390: the last branch before the exception */
	c->aside = strstr(text, "Last Breaking-Event-Address:");
	if (!err && strstr(text, "====="))
		return otst_log_give_up(p, c);
	if (!strstr(text, "---[ end "))
		return err;
	c->late = c->header.headline;
	if (!c->late)
		otst_log_header_reset(&c->header);
	c->ended = true;
	return err;
}

/* "lab_write", "lab_write [lab]": a function whose offset somebody took away */
static bool is_name_alone(const char *s)
{
	const char *name = s;
	size_t n;

	if (isdigit((unsigned char)*s))
		return false;
	while (isalnum((unsigned char)*s) || *s == '_' || *s == '.')
		s++;
	n = (size_t)(s - name);
	if (*s == ' ' && s[1] == '[' && strchr(s, ']'))
		s = strchr(s, ']') + 1;
	return n && memchr(name, '_', n) && !s[strspn(s, " \t")];
}

/* does it begin like a frame, with something behind that none has, or without its offset or end */
static bool begins_like_frame(const struct otst_log_context *c, const struct otst_log_line *line)
{
	const char *text = line->text + strspn(line->text, " \t");
	struct otst_log_item item;

	/* who takes offsets away takes stamps, too; with them it is a piece of what another cpu prints */
	if (otst_log_is_cut(text) ||
	    (c->frames && line->clock == OTST_CLOCK_NONE && is_name_alone(text)))
		return true;
	return otst_log_one(text, &item) && is_text_frame(&item, 1);
}

static int take_other(struct otst_log_parser *p, struct otst_log_context *c,
		      const struct otst_log_line *line)
{
	size_t len = strlen(line->text);
	int err = 0;

	if (c->open && begins_like_frame(c, line)) {
		c->first_unread = c->unread++ ? c->first_unread : line->seq;
		return 0;
	}
	/* the same caller says something else: it is done with its trace */
	if (c->open && (c->caller != OTST_LOG_NO_CALLER || ++c->strange > OTST_LOG_MOST_STRANGE))
		err = otst_log_close(p, c);
	len = len < OTST_LOG_MESSAGE - 1 ? len : OTST_LOG_MESSAGE - 1;
	memcpy(c->message, line->text, len);
	c->message[len] = '\0';
	c->message_time = line->time;
	return err ? err : otst_log_header_message(p->o, &c->header, line->clock, c->message);
}

static int take_kind(struct otst_log_parser *p, struct otst_log_context *c,
		     const struct otst_log_line *line, const struct otst_log_lexed *x)
{
	if (x->kind != OTST_LOG_EMPTY)
		c->header.age++;
	if (x->kind == OTST_LOG_OTHER && otst_begins(line->text, "Linux version "))
		return otst_log_end(p, c);
	c->cut &= x->kind == OTST_LOG_EMPTY || x->kind == OTST_LOG_HEAD ||
		  x->kind == OTST_LOG_END || x->kind == OTST_LOG_OTHER ||
		  (c->header.ip.title == OTST_PC_IP && otst_begins(line->text, "Oops: "));
	switch (x->kind) {
	case OTST_LOG_START:
		return start_trace(p, c, line, x->rest, &x->facts);
	case OTST_LOG_INEXACT:
		return begin_guesses(p, c, line);
	case OTST_LOG_NOTE:
		return note_context_line(p, c, line);
	case OTST_LOG_HEAD:
		c->cut &= !x->facts.is_task;
		return take_head(p, c, line, &x->facts);
	case OTST_LOG_HEADLINE:
	case OTST_LOG_NEW:
		return take_headline(p, c, line, x->kind, &x->facts);
	case OTST_LOG_PART:
		return begin_kept_part(p, c, line, &x->facts);
	case OTST_LOG_BACK:
		return leave_parts(p, c, line);
	case OTST_LOG_FACT:
		return c->header.begun ? otst_log_header_facts(p->o, &c->header, &x->facts) : 0;
	case OTST_LOG_END:
		return end_trace(p, c, line->text);
	case OTST_LOG_ASIDE:
		c->aside = true;
		return 0;
	case OTST_LOG_EMPTY:
		c->has_message = c->had_message;
		return 0;
	case OTST_LOG_OTHER:
		break;
	}
	c->has_message = true;
	return take_other(p, c, line);
}

static void note_gap(struct otst_log_parser *p)
{
	for (size_t i = 0; i < p->nr_contexts; i++)
		p->contexts[i].gap |= p->contexts[i].open;
}

int otst_log_take(struct otst_log_parser *p, const struct otst_log_line *line,
		  const struct otst_log_lexed *x)
{
	struct otst_log_context *c;
	bool aside;
	int err;

	if (line->gap)
		note_gap(p);
	p->lost |= line->gap;
	err = otst_log_context(p, line->caller, &c);
	if (err)
		return err;
	c->used = ++p->lines;
	c->had_message = c->has_message;
	c->has_message = false;
	aside = c->aside;
	c->aside = false;
	if (c->late && (x->count || x->is_ip || x->kind != OTST_LOG_EMPTY)) {
		c->late = false;
		if (x->count || x->kind != OTST_LOG_START)
			err = otst_log_give_up(p, c);
	}
	if (err || (x->count && aside))
		return err;
	if (x->count)
		err = take_frames(p, c, line, x->items, x->count, x->known);
	else if (x->is_ip)
		err = take_instruction(p, c, line, &x->items[0]);
	else
		err = take_kind(p, c, line, x);
	/* frames right after a gap have lost what came before them */
	if (!x->count)
		p->lost = false;
	return err;
}
