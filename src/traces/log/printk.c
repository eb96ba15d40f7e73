// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * printk.c - the kernel's log buffer of every generation (kernel/printk.c,
 * kernel/printk/printk.c) as lines: plain text up to 3.4, records (struct log,
 * later struct printk_log) up to 5.9, the ring buffer of prb.c since 5.10.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

/* include/linux/printk.h, enum log_flags until 5.9 */
#define FLAG_NEWLINE 2u
#define FLAG_PREFIX  4u
#define FLAG_CONT    8u

/* ---- records: 3.5 to 5.9 ---- */

struct records {
	struct otst_log_sink *s;
	const char *type;
	unsigned char *buf;
	uint64_t size;
	uint64_t ts, len, text_len, flags, facility, caller;
	unsigned int flags_bit;
	uint64_t header;
	bool has_caller;
	unsigned int before; /* flags of the record before */
};

static int find_record_members(struct records *r)
{
	struct otst *o = r->s->o;
	const struct otst_member *m;
	int err;

	r->type = otst_has_type(o, "printk_log") || otst_vmcoreinfo(o, "SIZE(printk_log)") ?
			  "printk_log" :
			  "log{ts_nsec}";
	err = otst_log_size(o, r->type, &r->header);
	err = err ?: otst_log_offset(o, r->type, "ts_nsec", &r->ts);
	err = err ?: otst_log_offset(o, r->type, "len", &r->len);
	err = err ?: otst_log_offset(o, r->type, "text_len", &r->text_len);
	if (err)
		return err;
	/* VMCOREINFO does not name these: flags and level share the byte after the facility */
	r->facility = r->text_len + 4;
	r->flags = r->text_len + 5;
	if (!otst_member(o, r->type, "facility", &m))
		r->facility = m->offset;
	if (!otst_member(o, r->type, "flags", &m)) {
		r->flags = m->offset + m->bit_offset / 8;
		r->flags_bit = m->bit_offset % 8;
	}
	r->has_caller = !otst_member(o, r->type, "caller_id", &m);
	r->caller = r->has_caller ? m->offset : 0;
	if (r->header < 8 || r->header > 256 || r->ts + 8 > r->header || r->len + 2 > r->header ||
	    r->text_len + 2 > r->header || r->flags >= r->header || r->facility >= r->header ||
	    r->caller + 4 > r->header)
		return otst_raise(o, OTST_ERR_CORRUPT, "layout of struct %s",
				  otst_type_name(o, r->type));
	return 0;
}

/*
 * msg_print_text(): a fragment continues the line that the one before it left open.
 * Since 4.10 the kernel joins them before they are stored.
 */
static int put_record(struct records *r, const unsigned char *at, uint64_t text_len)
{
	struct otst_log_sink *s = r->s;
	unsigned int flags = at[r->flags] >> r->flags_bit & 0x1f;
	bool fresh = true, more;
	int err = 0;

	if (r->before & FLAG_CONT && !(flags & FLAG_PREFIX))
		fresh = false;
	if (flags & FLAG_CONT && r->before & FLAG_CONT && !(r->before & FLAG_NEWLINE))
		fresh = false;
	more = flags & FLAG_CONT && !(flags & FLAG_NEWLINE);
	if (s->len && fresh)
		err = otst_log_end_line(s, false);
	if (!s->len) {
		s->line.clock = OTST_CLOCK_LOCAL;
		s->line.time = otst_get(s->o, at + r->ts, 8);
		s->line.caller = r->has_caller ? (uint32_t)otst_get(s->o, at + r->caller, 4) :
						 OTST_LOG_NO_CALLER;
		s->line.facility = at[r->facility];
	}
	r->before = flags;
	return err ? err : otst_log_put(s, at + r->header, text_len, more);
}

static int walk_records(struct records *r, uint64_t at, uint64_t end, uint64_t seq, uint64_t last)
{
	struct otst_log_sink *s = r->s;
	uint64_t len, text_len, walked = 0;
	int err = 0;

	for (; seq != last && !err && walked <= r->size; walked += len) {
		if (at + r->header > r->size)
			break;
		len = otst_get(s->o, r->buf + at + r->len, 2);
		/* the rest of the buffer is unused: the log continues at its beginning */
		if (!len && at) {
			len = r->size - at;
			at = 0;
			continue;
		}
		text_len = otst_get(s->o, r->buf + at + r->text_len, 2);
		if (len < r->header || len > r->size - at)
			break;
		s->line.seq = seq++;
		if (text_len > len - r->header) {
			err = s->len ? otst_log_end_line(s, false) : 0;
			s->damaged++;
			s->gap = true;
		} else {
			err = put_record(r, r->buf + at, text_len);
		}
		at += len;
	}
	if (s->len && !err)
		err = otst_log_end_line(s, false);
	if (err || (seq == last && at == end))
		return err;
	err = otst_raise(s->o, OTST_ERR_CORRUPT,
			 "the log breaks off at record %" PRIu64 " of %" PRIu64 ", byte %" PRIu64
			 " of its buffer",
			 seq, last, at);
	return otst_traces_note(s->notes, err);
}

static int read_u32(struct otst *o, const char *name, uint64_t *ret)
{
	uint64_t addr = otst_log_symbol_or0(o, name);
	uint32_t v;
	int err;

	if (!addr)
		return otst_raise(o, OTST_ERR_LOOKUP, "no symbol %s in this kernel", name);
	err = otst_read_u32(o, addr, &v);
	if (err)
		return otst_fail(o, err, "%s", name);
	*ret = v;
	return 0;
}

static int read_u64(struct otst *o, const char *name, uint64_t *ret)
{
	uint64_t addr = otst_log_symbol_or0(o, name);
	int err;

	if (!addr)
		return otst_raise(o, OTST_ERR_LOOKUP, "no symbol %s in this kernel", name);
	err = otst_read_u64(o, addr, ret);
	return err ? otst_fail(o, err, "%s", name) : 0;
}

static int read_printk_buffer(struct otst_log_sink *s, uint64_t *size, unsigned char **ret)
{
	uint64_t addr = 0;
	int err;

	err = read_u64(s->o, "log_buf", &addr);
	err = err ?: read_u32(s->o, "log_buf_len", size);
	if (!err && *size & (*size - 1))
		return otst_raise(s->o, OTST_ERR_CORRUPT, "log_buf_len is %" PRIu64, *size);
	return err ? err : otst_log_bulk(s, "log_buf", addr, *size, ret);
}

static int read_records(struct otst_log_sink *s)
{
	struct records r = { .s = s, .before = FLAG_NEWLINE };
	uint64_t first = 0, next = 0, seq = 0, last = 0;
	int err = find_record_members(&r);

	err = err ?: read_printk_buffer(s, &r.size, &r.buf);
	err = err ?: read_u32(s->o, "log_first_idx", &first);
	err = err ?: read_u32(s->o, "log_next_idx", &next);
	/* the numbers only order records; without them the place in the buffer ends the walk */
	if (!err &&
	    (read_u64(s->o, "log_first_seq", &seq) || read_u64(s->o, "log_next_seq", &last)))
		err = read_u64(s->o, "log_next_seq", &last);
	if (err)
		return err;
	s->gap = seq != 0;
	return walk_records(&r, first, next, seq, last);
}

/* ---- plain text: up to 3.4 ---- */

static int read_printk_text(struct otst_log_sink *s)
{
	uint64_t size = 0, end = 0, chars = 0, i, start;
	unsigned char *buf;
	int err = read_printk_buffer(s, &size, &buf);

	/* log_end is an unsigned long, later an unsigned int; both wrap around in the buffer alike */
	err = err ?: read_u32(s->o, "log_end", &end);
	err = err ?: read_u32(s->o, "logged_chars", &chars);
	if (err)
		return err;
	chars = chars < size ? chars : size;
	s->gap = chars == size;
	start = end - chars;
	for (i = 0; i < chars && !err; i++) {
		unsigned char c = buf[(start + i) & (size - 1)];

		if (c == '\n') {
			s->line.seq++;
			err = otst_log_end_line(s, true);
		} else if (s->len < sizeof(s->text) - 1) {
			s->text[s->len++] = c ? (char)c : ' ';
		}
	}
	s->line.seq++;
	return err || !s->len ? err : otst_log_end_line(s, true);
}

int otst_printk_read(struct otst *o, otst_log_line_fn *fn, void *priv, struct otst_traces *notes)
{
	struct otst_log_sink *s = otst_new(o, sizeof(*s));
	uint64_t at, prb = 0;
	int err;

	*s = (struct otst_log_sink){ .o = o, .fn = fn, .priv = priv, .notes = notes };
	s->line.caller = OTST_LOG_NO_CALLER;
	s->line.facility = -1;
	/* Linux 896fbe20b4e2 ("printk: use the lockless ringbuffer") (v5.10) */
	at = otst_log_symbol_or0(o, "prb");
	if (at) {
		err = otst_read_u64(o, at, &prb);
		err = err ? otst_fail(o, err, "prb") : otst_prb_read(s, prb);
	} else if (otst_log_symbol_or0(o, "log_first_idx")) {
		/* Linux 7ff9554bb578 ("printk: convert byte-buffer to variable-length record buffer") (v3.5) */
		err = read_records(s);
	} else {
		err = read_printk_text(s);
	}
	if (!err && s->damaged)
		err = otst_traces_note(
			notes, otst_raise(o, OTST_ERR_CORRUPT, "%zu record%s of the log %s damaged",
					  s->damaged, otst_number(s->damaged, "", "s"),
					  otst_number(s->damaged, "is", "are")));
	return err ? otst_fail(o, err, "kernel log") : 0;
}
