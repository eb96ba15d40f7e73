// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stream.c - what SystemTap wrote into one cpu's relay buffer. Since 4.5,
 * and before that in bulk mode (-b), each piece has a header, struct
 * _stp_trace of runtime/transport/transport_msgs.h: a sequence number that all
 * cpus share, and the number of bytes that follow; since 5.0 four bytes of magic
 * precede these. Otherwise the buffer holds plain text. Headers without magic are
 * recognised by their contents: sequences go up, and each header leads to the next.
 * A piece whose end did not fit is followed by the next piece's header; a piece whose
 * beginning was overwritten still has its end. Space at the end of a sub-buffer that
 * is too small for a header is left over. It is zero, or unchanged where 4.8 and older
 * lost a piece, and counts as padding only when a reader's poll has ended the
 * sub-buffer.
 */
#include <string.h>

#include "stap.h"

#define MAGIC	  "\xF0\x9F\xA9\xBA" /* of struct _stp_trace since 5.0 */
#define MAGIC_LEN 4u
#define NUMBERS	  8u	     /* sequence and length, the whole header before 5.0 */
#define MAX_PIECE (1u << 16) /* STP_BUFFER_SIZE is 8192 unless the user sets it */
#define MAX_STEP  (1u << 20) /* pieces of other cpus between two of one cpu */
#define SURE	  2u	     /* this many headers in a row are not there by chance */

struct stream {
	bool big_endian;
	const unsigned char *data;
	size_t len;
	size_t magic;  /* its length in this stream's headers, or 0 */
	size_t header; /* length of one */
	uint32_t last; /* sequence */
	bool any;
};

static uint32_t sequence_at(const struct stream *s, size_t at)
{
	return (uint32_t)otst_get_as(s->big_endian, s->data + at + s->magic, 4);
}

static uint32_t len_at(const struct stream *s, size_t at)
{
	return (uint32_t)otst_get_as(s->big_endian, s->data + at + s->magic + 4, 4);
}

/* could there be a header here, after sequence @last */
static bool is_header(const struct stream *s, size_t at, uint32_t last, bool any)
{
	uint32_t len;

	if (at + s->header > s->len || memcmp(s->data + at, MAGIC, s->magic) != 0)
		return false;
	len = len_at(s, at);
	return len && len <= MAX_PIECE &&
	       (!any || s->magic || sequence_at(s, at) - last - 1 < MAX_STEP);
}

/* do headers follow each other from here on, to the end or for a while */
static bool is_chain(const struct stream *s, size_t at)
{
	uint32_t last = s->last;
	bool any = s->any;
	unsigned int n, sure = s->magic ? 1 : SURE;

	for (n = 0; n < sure && is_header(s, at, last, any); n++) {
		last = sequence_at(s, at);
		any = true;
		at += s->header + len_at(s, at);
	}
	return n == sure || (n && at == s->len);
}

/* the first place from @at on, before @end, where a chain begins; @end when none does */
static size_t find_chain_start(const struct stream *s, size_t at, size_t end)
{
	for (; at + s->header <= end; at++) {
		if (is_chain(s, at))
			return at;
	}
	return end;
}

/*
 * Find the next header after the zero bytes at @at. The header may begin with a zero
 * byte itself; read one byte too early, its sequence is 256 times as large.
 */
static size_t skip_padding(const struct stream *s, size_t at)
{
	uint32_t least = UINT32_MAX;
	size_t i, best = at;

	for (i = at; i < s->len; i++) {
		if (is_chain(s, i) && sequence_at(s, i) < least) {
			least = sequence_at(s, i);
			best = i;
		}
		if (s->data[i])
			return best;
	}
	return least == UINT32_MAX ? s->len : best;
}

/*
 * Skip what 4.8 and older left at the end of a sub-buffer: where the next sub-buffer
 * begins; 0 when it does not begin with a header.
 */
static size_t skip_leftover(const struct stream *s, const struct otst_stap_run *run, size_t at)
{
	size_t i, edge;

	for (i = 0; i < run->nr_edges && run->edges[i] <= at; i++)
		;
	edge = i < run->nr_edges ? run->edges[i] : s->len;
	return edge - at <= s->header && is_header(s, edge, s->last, s->any) ? edge : 0;
}

static int give_piece(struct otst_stap_reader *r, const struct stream *s, int cpu, size_t at,
		      size_t end, const struct otst_stap_run *run, bool cut)
{
	struct otst_stap_piece p = {
		.place = OTST_STAP_RELAY,
		.text = (const char *)s->data + at + s->header,
		.len = end - at - s->header,
		.cpu = cpu,
		.sequence = sequence_at(s, at),
		.has_sequence = true,
		.read = at + s->header < run->unread,
		.cut = cut,
	};

	return otst_stap_piece(r, &p);
}

/*
 * There is no header at @at: find the next one; what comes before it is the end of a piece
 * whose beginning is lost.
 */
static int give_rest(struct otst_stap_reader *r, const struct stream *s, int cpu,
		     const struct otst_stap_run *run, size_t at, size_t *next)
{
	struct otst_stap_piece p = {
		.place = OTST_STAP_RELAY,
		.cpu = cpu,
		.read = at < run->unread,
		.begun = true,
	};
	size_t end;

	*next = find_chain_start(s, at, s->len);
	end = *next;
	while (at < end && !s->data[at])
		at++;
	while (end > at && !s->data[end - 1])
		end--;
	p.text = (const char *)s->data + at;
	p.len = end - at;
	p.sequence = *next < s->len ? sequence_at(s, *next) - 1 : s->last;
	return p.len ? otst_stap_piece(r, &p) : 0;
}

static int read_framed(struct otst_stap_reader *r, struct stream *s, int cpu,
		       const struct otst_stap_run *run)
{
	size_t at = 0, end, stop, next;
	int err = 0;

	while (at < s->len && !err) {
		if (!is_header(s, at, s->last, s->any)) {
			err = give_rest(r, s, cpu, run, at, &at);
			continue;
		}
		end = at + s->header + len_at(s, at);
		stop = end < s->len ? end : s->len;
		s->last = sequence_at(s, at);
		s->any = true;
		next = skip_padding(s, stop);
		if (next < s->len && !is_header(s, next, s->last, true))
			next = skip_leftover(s, run, stop);
		/* the header that should follow is missing: this piece's end was lost */
		if (!next) {
			next = find_chain_start(s, at + s->header, stop);
			stop = next;
			end = s->len;
		}
		err = give_piece(r, s, cpu, at, stop, run, stop < end);
		at = next;
		err = err ?: otst_check(r->o);
	}
	return err;
}

/* plain text; a piece ends where the reader stopped reading */
static int read_plain_text(struct otst_stap_reader *r, int cpu, const struct otst_stap_run *run)
{
	size_t unread = run->unread < run->len ? run->unread : run->len;
	struct otst_stap_piece p = {
		.place = OTST_STAP_RELAY,
		.text = (const char *)run->data,
		.len = unread,
		.cpu = cpu,
		.read = true,
		.begun = !run->whole,
	};
	int err = p.len ? otst_stap_piece(r, &p) : 0;

	if (err || unread == run->len)
		return err;
	p.text += unread;
	p.len = run->len - unread;
	p.read = false;
	p.begun = p.begun && !unread;
	return otst_stap_piece(r, &p);
}

/* does the stream have headers with magic: one of them is enough to tell */
static bool has_magic(struct stream *s)
{
	const unsigned char *at = s->data, *end = s->data + s->len;

	s->magic = MAGIC_LEN;
	s->header = MAGIC_LEN + NUMBERS;
	while ((at = memmem(at, (size_t)(end - at), MAGIC, MAGIC_LEN))) {
		if (is_header(s, (size_t)(at - s->data), 0, false))
			return true;
		at++;
	}
	s->magic = 0;
	s->header = NUMBERS;
	return false;
}

int otst_stap_stream(struct otst_stap_reader *r, int cpu, const struct otst_stap_run *run)
{
	struct stream s = { .big_endian = otst_big_endian(r->o),
			    .data = run->data,
			    .len = run->len };

	if (!run->len)
		return 0;
	/* the length of a piece never looks like text: its highest byte is 0 */
	if (!has_magic(&s) && !(run->whole && is_header(&s, 0, 0, false)) &&
	    find_chain_start(&s, 0, s.len) == s.len)
		return read_plain_text(r, cpu, run);
	return read_framed(r, &s, cpu, run);
}
