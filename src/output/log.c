// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * log.c - the log once more, with its frames decoded, in syzbot's form, which otst -t --text
 * reads again:
 *
 *	[  12.1]  new_sync_write fs/read_write.c:590 [inline]
 *	[  12.1]  vfs_write+0x28c/0x440 fs/read_write.c:683
 *	[  12.1]  hook: entry kprobe, module lab: lab_pre
 *
 * The prefix of a line may be learned from lines behind it, so lines wait until none of
 * them can change what they mean.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../traces/log/log.h"
#include "log.h"
#include "where.h"

#define WAITING 256u /* more than the lines that are read again when a prefix is learned */

/**
 * struct decoded - a frame in a line: @len bytes at @at of it, and what is known of it
 * @prefix: bytes that stand before a line which is added for it
 */
struct decoded {
	size_t at;
	size_t len;
	size_t prefix;
	bool guessed;
	struct otst_lines lines;
	const struct otst_where *where;
};

/** struct waiting - a line, @len of @room bytes; @frames: vector of struct decoded */
struct waiting {
	char *text;
	size_t len, room;
	uint64_t seq;
	struct otst_vec frames;
};

/**
 * struct decoder - one pass through a log
 * @lines: the last lines, by seq; @next: seq of the first that was not printed
 * @dump: there is memory to look for hooks in
 * @hooks: all of them; @functions: struct otst_where by address
 */
struct decoder {
	struct otst *o;
	struct otst_printer *p;
	struct waiting lines[WAITING];
	uint64_t next, last;
	bool dump;
	struct otst_hooks hooks;
	struct otst_hashmap functions;
	struct otst_messages errors;
};

/* ---- safe text ---- */

static void put_text(struct otst_printer *p, const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t i, n, from = 0;
	uint32_t code;

	for (i = 0; i < len; i += n) {
		n = 1;
		if ((s[i] >= ' ' && s[i] < 0x7f) ||
		    (otst_character(text + i, len - i, &code, &n) && code != '\n'))
			continue;
		otst_write(p, text + from, i - from);
		otst_printf(p, "\\x%02x", s[i]);
		from = i + (n = 1);
	}
	otst_write(p, text + from, len - from);
}

/* what stands before a frame, for a line of its own; the guess's mark is not repeated */
static void put_prefix(struct otst_printer *p, const struct waiting *w,
		       const struct decoded *decoded)
{
	size_t len = decoded->prefix;

	while (len && w->text[len - 1] == ' ')
		len--;
	if (decoded->guessed && len && w->text[len - 1] == '?')
		len--;
	put_text(p, w->text, len);
	otst_printf(p, "%*s", (int)(decoded->prefix - len), "");
}

/* ---- a line ---- */

static void put_hooks(struct otst_printer *p, const struct waiting *w,
		      const struct decoded *decoded)
{
	for (size_t i = 0; decoded->where && i < decoded->where->nr_steps; i++) {
		const struct otst_step *s = &decoded->where->steps[i];

		if (!otst_step_runs(s))
			continue;
		put_prefix(p, w, decoded);
		otst_printf(p, "hook: %s %s, %s%s%s\n", otst_stage_name(s->stage),
			    otst_step_kind(s), otst_step_owner_text(p->o, s),
			    s->handler_sym.name ? ": " : "",
			    s->handler_sym.name ? s->handler_sym.name : "");
	}
}

static void put_inlined(struct otst_printer *p, const struct waiting *w,
			const struct decoded *decoded)
{
	for (size_t i = 0; i + 1 < decoded->lines.count; i++) {
		const struct otst_line *line = &decoded->lines.items[i];

		put_prefix(p, w, decoded);
		otst_printf(p, "%s %s:%u [inline]\n", line->function ? line->function : "?",
			    line->file ? line->file : "??", line->line);
	}
}

static void put_line(struct otst_printer *p, const struct waiting *w)
{
	const struct decoded *decoded = w->frames.data;
	size_t i, at = 0;

	for (i = 0; i < w->frames.count; i++)
		put_inlined(p, w, &decoded[i]);
	for (i = 0; i < w->frames.count; i++) {
		const struct otst_line *own =
			decoded[i].lines.count ?
				&decoded[i].lines.items[decoded[i].lines.count - 1] :
				NULL;

		put_text(p, w->text + at, decoded[i].at + decoded[i].len - at);
		at = decoded[i].at + decoded[i].len;
		if (own && own->file && own->line)
			otst_printf(p, " %s:%u", own->file, own->line);
	}
	put_text(p, w->text + at, w->len - at);
	otst_write(p, "\n", 1);
	for (i = 0; i < w->frames.count; i++)
		put_hooks(p, w, &decoded[i]);
}

static void print_oldest(struct decoder *dec)
{
	put_line(dec->p, &dec->lines[dec->next++ % WAITING]);
}

/* ---- frames ---- */

/* what hooks the function at @addr; NULL when nothing does */
static const struct otst_where *find_hooks(struct decoder *dec, uint64_t addr)
{
	struct otst_where *w;
	struct otst_sym sym;
	void **slot;

	otst_symbolize(dec->o, addr, &sym);
	if (!dec->dump || !sym.name)
		return NULL;
	slot = otst_hashmap_place(dec->o, &dec->functions, sym.addr);
	if (!slot || *slot)
		return slot ? *slot : NULL;
	w = otst_new(dec->o, sizeof(*w));
	w->sym = sym;
	*slot = w;
	otst_note(dec->o, &dec->errors, otst_where_steps(dec->o, &dec->hooks, w));
	return w;
}

/* behind " (P)", which belongs to the frame */
static size_t skip_mark(const char *s)
{
	size_t n;

	if (strncmp(s, " (", 2) != 0)
		return 0;
	n = strspn(s + 2, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
	return n && n <= 4 && s[2 + n] == ')' ? n + 3 : 0;
}

static int decode_item(struct decoder *dec, struct waiting *w, const struct otst_log_item *item,
		       const char *text)
{
	const struct decoded *before = w->frames.data;
	size_t from = w->frames.count ? before[w->frames.count - 1].at + 1 : 0;
	struct otst_trace_line line;
	struct decoded *f;
	const char *at;
	uint64_t addr;

	if (item->kind == OTST_LINE_MARK || !item->text || item->inlined || item->cs & 3)
		return 0;
	at = memmem(w->text + from, w->len - from, item->text, item->len);
	if (otst_log_item_line(dec->o, item, false, &line))
		return OTST_ERR_NOMEM;
	addr = at ? otst_trace_line_code(dec->o, &line) : 0;
	if (!addr)
		return 0;
	f = otst_vec_push(dec->o, &w->frames, sizeof(*f));
	*f = (struct decoded){ .at = (size_t)(at - w->text), .len = item->len };
	f->len += skip_mark(at + item->len);
	/* behind "RIP: 0010:" no call can stand */
	if (item->kind == OTST_LINE_IP)
		at = memmem(w->text, w->len, text, strlen(text)) ?: w->text;
	f->prefix = (size_t)(at - w->text);
	f->guessed = !item->reliable;
	if (!item->source && otst_lines(dec->o, addr, &f->lines) == OTST_ERR_NOMEM)
		return OTST_ERR_NOMEM;
	f->where = find_hooks(dec, addr);
	return otst_check(dec->o);
}

/* @text: what line @w is without its prefix */
static int decode_line(struct decoder *dec, struct waiting *w, const char *text)
{
	struct otst_log_item items[OTST_LOG_ITEMS];
	size_t i, n = otst_log_items(text, items);
	int err = 0;

	if (!n)
		n = otst_log_ip(text, items);
	for (i = 0; i < n && !err; i++)
		err = decode_item(dec, w, &items[i], text);
	return err;
}

/* ---- lines as they come ---- */

static int keep_log_line(struct decoder *dec, uint64_t seq, const char *text, size_t len)
{
	struct waiting *w = &dec->lines[seq % WAITING];

	while (dec->next + WAITING <= seq)
		print_oldest(dec);
	if (len >= w->room) {
		w->room = 2 * len + 256;
		w->text = otst_alloc(dec->o, w->room);
	}
	if (!w->text)
		return otst_no_memory(dec->o);
	memcpy(w->text, text, len);
	w->text[len] = '\0';
	w->len = len;
	w->seq = seq;
	w->frames.count = 0;
	dec->last = seq;
	return dec->p->err;
}

static int take_raw(void *priv, uint64_t seq, const char *text, size_t len)
{
	while (len && text[len - 1] == '\r')
		len--;
	return keep_log_line(priv, seq, text, len);
}

static int take_log_line(void *priv, const struct otst_log_line *line, bool sure)
{
	struct decoder *dec = priv;
	struct waiting *w = &dec->lines[line->seq % WAITING];

	(void)sure;
	return w->seq == line->seq ? decode_line(dec, w, line->text) : 0;
}

/* a line of the dump's log, as dmesg prints it */
static int take_log_record(void *priv, struct otst_log_line *line, bool raw)
{
	char text[OTST_LOG_LINE + 64] = "";
	struct decoder *dec = priv;
	const char *whole = line->text;
	size_t n = 0;

	if (raw && !otst_log_strip(line))
		line->text = whole;
	if (!raw && line->clock != OTST_CLOCK_NONE)
		n = (size_t)snprintf(text, sizeof(text), "[%5" PRIu64 ".%06" PRIu64 "]",
				     line->time / 1000000000, line->time % 1000000000 / 1000);
	if (!raw && line->caller != OTST_LOG_NO_CALLER)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "[%*c%u]", 5,
				      line->caller & OTST_LOG_CPU ? 'C' : 'T',
				      line->caller & ~OTST_LOG_CPU);
	n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", n ? " " : "", whole);
	n = n < sizeof(text) ? n : sizeof(text) - 1;
	return keep_log_line(dec, dec->last + 1, text, n) ?:
		       decode_line(dec, &dec->lines[dec->last % WAITING], line->text);
}

static bool is_chosen_log_frame(void *priv, uint64_t ip, const struct otst_sym *sym)
{
	(void)priv, (void)ip, (void)sym;
	return true;
}

int otst_print_log(struct otst_printer *p, const char *const *texts)
{
	struct decoder *dec = otst_new(p->o, sizeof(*dec));
	struct otst_traces traces = { .o = p->o };
	int err = 0;

	dec->o = p->o;
	dec->p = p;
	dec->next = 1;
	dec->dump = !otst_is_alone(p->o);
	if (dec->dump) {
		err = otst_hooks_probes(p->o, &dec->hooks, &dec->errors);
		if (!err)
			err = otst_hooks_ftrace(p->o, &dec->hooks, is_chosen_log_frame, NULL,
						&dec->errors);
	}
	if (!err && texts)
		err = otst_log_texts(p->o, texts,
				     &(struct otst_log_taker){ take_log_line, take_raw, dec },
				     &traces);
	else if (!err)
		err = otst_printk_read(p->o, take_log_record, dec, &traces);
	while (!p->err && dec->next <= dec->last)
		print_oldest(dec);
	/* the text is the log's alone: complaints are for the exit status only */
	p->bad += traces.errors.count + dec->errors.count;
	return err;
}
