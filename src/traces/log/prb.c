// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * prb.c - kernel/printk/printk_ringbuffer.c (5.10 and newer): descriptors,
 * one for each record, with the span of its text in a ring of data blocks.
 */
#include <inttypes.h>

#include "log.h"

#define STATE_SHIFT 62
#define ID_MASK	    ((UINT64_C(1) << STATE_SHIFT) - 1)
#define COMMITTED   1u
#define FINALIZED   2u
#define MOST_BITS   26 /* LOG_BUF_LEN_MAX is 2 GB; here 64 MB of descriptors and of data each */
#define EMPTY_LINE  3u

struct ring {
	struct otst_log_sink *s;
	/* descriptors */
	unsigned int count_bits;
	unsigned char *descs, *infos;
	uint64_t desc_size, info_size;
	uint64_t head, tail;
	/* text */
	unsigned int size_bits;
	unsigned char *data;
	/* where members are */
	uint64_t state, begin, next;
	uint64_t seq, ts, len, caller, facility;
};

struct member {
	const char *type, *member;
	uint64_t *ret;
};

static int look_up_descriptor(struct otst *o, const struct member *m, size_t count)
{
	int err = 0;

	for (size_t i = 0; i < count && !err; i++)
		err = otst_log_offset(o, m[i].type, m[i].member, m[i].ret);
	return err;
}

static int find_members(struct ring *r)
{
	uint64_t span = 0;
	const struct member m[] = {
		{ "prb_desc", "state_var", &r->state },
		{ "prb_desc", "text_blk_lpos", &span },
		{ "prb_data_blk_lpos", "begin", &r->begin },
		{ "prb_data_blk_lpos", "next", &r->next },
		{ "printk_info", "seq", &r->seq },
		{ "printk_info", "ts_nsec", &r->ts },
		{ "printk_info", "text_len", &r->len },
		{ "printk_info", "caller_id", &r->caller },
	};
	int err = look_up_descriptor(r->s->o, m, sizeof(m) / sizeof(*m));

	err = err ?: otst_log_size(r->s->o, "prb_desc", &r->desc_size);
	err = err ?: otst_log_size(r->s->o, "printk_info", &r->info_size);
	if (err)
		return err;
	/* VMCOREINFO does not name it: it follows the length, which has two bytes */
	if (otst_log_offset(r->s->o, "printk_info", "facility", &r->facility))
		r->facility = r->len + 2;
	r->begin += span;
	r->next += span;
	if (r->desc_size > 256 || r->info_size > 1024 || r->state + 8 > r->desc_size ||
	    r->begin + 8 > r->desc_size || r->next + 8 > r->desc_size ||
	    r->seq + 8 > r->info_size || r->ts + 8 > r->info_size || r->len + 2 > r->info_size ||
	    r->caller + 4 > r->info_size || r->facility >= r->info_size)
		return otst_raise(r->s->o, OTST_ERR_CORRUPT, "layout of the log's descriptors");
	return 0;
}

/* an integer or pointer of the ring buffer itself */
static int read_prb_field(struct otst *o, uint64_t base, const char *type, const char *member,
			  size_t size, uint64_t *ret)
{
	unsigned char b[8];
	uint64_t offset;
	int err = otst_log_offset(o, type, member, &offset);

	err = err ?: otst_read(o, base + offset, b, size);
	if (err)
		return otst_fail(o, err, "%s.%s", type, member);
	*ret = otst_get(o, b, size);
	return 0;
}

static int read_buffers(struct ring *r, uint64_t prb)
{
	struct otst *o = r->s->o;
	uint64_t descs = 0, infos = 0, data = 0, bits = 0, text = 0, at, ring;
	int err;

	err = otst_log_offset(o, "printk_ringbuffer", "desc_ring", &ring);
	err = err ?: otst_log_offset(o, "printk_ringbuffer", "text_data_ring", &at);
	if (err)
		return err;
	ring += prb;
	at += prb;
	err = read_prb_field(o, ring, "prb_desc_ring", "count_bits", 4, &bits);
	err = err ?: read_prb_field(o, ring, "prb_desc_ring", "descs", 8, &descs);
	err = err ?: read_prb_field(o, ring, "prb_desc_ring", "infos", 8, &infos);
	err = err ?: read_prb_field(o, ring, "prb_desc_ring", "head_id", 8, &r->head);
	err = err ?: read_prb_field(o, ring, "prb_desc_ring", "tail_id", 8, &r->tail);
	err = err ?: read_prb_field(o, at, "prb_data_ring", "size_bits", 4, &text);
	err = err ?: read_prb_field(o, at, "prb_data_ring", "data", 8, &data);
	if (err)
		return err;
	if (bits > MOST_BITS - 5 || text > MOST_BITS + 2 || text < 3)
		return otst_raise(o, OTST_ERR_CORRUPT,
				  "log of 2^%" PRIu64 " records and 2^%" PRIu64 " bytes", bits,
				  text);
	r->count_bits = (unsigned int)bits;
	r->size_bits = (unsigned int)text;
	err = otst_log_bulk(r->s, "descriptors of the log", descs, r->desc_size << bits, &r->descs);
	if (!err)
		err = otst_log_bulk(r->s, "records of the log", infos, r->info_size << bits,
				    &r->infos);
	return err ?: otst_log_bulk(r->s, "text of the log", data, UINT64_C(1) << text, &r->data);
}

/*
 * Find the data block of @id: its id, then text. A block that would extend past the
 * end of the ring lies at the ring's beginning instead. Kernels differ on whether this
 * includes a block that ends exactly there (7.2 says no), so the id decides.
 */
static const unsigned char *find_record_text(const struct ring *r, uint64_t id, uint64_t begin,
					     uint64_t next, uint64_t *len)
{
	uint64_t size = UINT64_C(1) << r->size_bits, at = begin & (size - 1), span = next - begin;

	if (span > 8 && span <= size - at && otst_get(r->s->o, r->data + at, 8) == id) {
		*len = span - 8;
		return r->data + at + 8;
	}
	span = next & (size - 1);
	if (span > 8 && begin >> r->size_bits != next >> r->size_bits &&
	    otst_get(r->s->o, r->data, 8) == id) {
		*len = span - 8;
		return r->data + 8;
	}
	return NULL;
}

/* 0, even when the record is bad */
static int read_prb_record(struct ring *r, uint64_t id)
{
	uint64_t index = id & ((UINT64_C(1) << r->count_bits) - 1), begin, next, len, want;
	const unsigned char *desc = r->descs + index * r->desc_size;
	const unsigned char *info = r->infos + index * r->info_size, *text;
	uint64_t var = otst_get(r->s->o, desc + r->state, 8), state = var >> STATE_SHIFT;
	struct otst_log_sink *s = r->s;

	if ((var & ID_MASK) != id || (state != COMMITTED && state != FINALIZED)) {
		/*
		 * Not damage: the oldest records, whose text was overwritten, keep
		 * their descriptor (reusable), and a writer may have been at work.
		 */
		s->damaged += (var & ID_MASK) != id && id != r->tail && id != r->head;
		s->gap = true;
		return 0;
	}
	begin = otst_get(r->s->o, desc + r->begin, 8);
	next = otst_get(r->s->o, desc + r->next, 8);
	s->line.seq = otst_get(r->s->o, info + r->seq, 8);
	s->line.clock = OTST_CLOCK_LOCAL;
	s->line.time = otst_get(r->s->o, info + r->ts, 8);
	s->line.caller = (uint32_t)otst_get(r->s->o, info + r->caller, 4);
	s->line.facility = info[r->facility];
	/* no data block: an empty line, or text that was lost */
	if (begin & 1 || next & 1) {
		s->gap |= begin != EMPTY_LINE;
		return 0;
	}
	text = find_record_text(r, id, begin, next, &len);
	if (!text) {
		s->damaged++;
		s->gap = true;
		return 0;
	}
	want = otst_get(r->s->o, info + r->len, 2);
	return otst_log_put(s, text, want < len ? want : len, false);
}

int otst_prb_read(struct otst_log_sink *s, uint64_t prb)
{
	struct ring r = { .s = s };
	uint64_t id, count;
	int err = find_members(&r);

	err = err ?: read_buffers(&r, prb);
	if (err)
		return err;
	r.head &= ID_MASK;
	r.tail &= ID_MASK;
	count = ((r.head - r.tail) & ID_MASK) + 1;
	if (count > UINT64_C(1) << r.count_bits) {
		/* the descriptors themselves say which ids they hold */
		err = otst_raise(s->o, OTST_ERR_CORRUPT,
				 "log from record 0x%" PRIx64 " to 0x%" PRIx64, r.tail, r.head);
		err = otst_traces_note(s->notes, err);
		count = UINT64_C(1) << r.count_bits;
		r.tail = (r.head - count + 1) & ID_MASK;
	}
	for (id = r.tail; count-- && !err; id = (id + 1) & ID_MASK)
		err = read_prb_record(&r, id);
	return err;
}
