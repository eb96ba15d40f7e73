// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * bpf_ringbuf.c - struct bpf_ringbuf of kernel/bpf/ringbuf.c. Positions count
 * bytes since the beginning. The data pages are mapped twice in a row, so a
 * record is always contiguous. A record is a struct bpf_ringbuf_hdr {len with
 * two flags, number of pages from the structure's start} and its bytes, rounded
 * up to 8.
 */
#include <inttypes.h>

#include "bpf_ringbuf.h"

#define BUSY	    (1u << 31) /* BPF_RINGBUF_BUSY_BIT */
#define DISCARDED   (1u << 30) /* BPF_RINGBUF_DISCARD_BIT */
#define HEAD	    8u	       /* BPF_RINGBUF_HDR_SZ */
#define MAX_SIZE    (1u << 30)
#define MAX_RECORDS (4u << 20)

struct ring {
	struct otst *o;
	uint64_t size; /* of the data */
	uint64_t page;
	uint64_t pages; /* between the structure's start and the data */
	uint64_t consumer, producer;
	uint64_t oldest; /* position of the oldest byte that was not overwritten */
	bool begins;	 /* a record begins there, and was not cut */
	uint8_t *data;	 /* all of it, once */
	struct otst_vec *records;
};

static int read_positions(struct ring *r, uint64_t rb, uint64_t *data)
{
	const struct otst_member *m;
	struct otst *o = r->o;
	uint64_t mask;
	int err;

	err = otst_member(o, "bpf_ringbuf", "data", &m);
	err = err ?: otst_read_member(o, "bpf_ringbuf", rb, "mask", &mask);
	err = err ?: otst_read_member(o, "bpf_ringbuf", rb, "consumer_pos", &r->consumer);
	err = err ?: otst_read_member(o, "bpf_ringbuf", rb, "producer_pos", &r->producer);
	if (err)
		return err;
	r->size = mask + 1;
	r->page = otst_page_size(o);
	r->pages = m->offset / r->page;
	*data = rb + m->offset;
	if (!r->size || r->size & mask || r->size > MAX_SIZE)
		return otst_raise(o, OTST_ERR_CORRUPT, "a mask of 0x%" PRIx64, mask);
	r->oldest = r->producer > r->size ? r->producer - r->size : 0;
	r->begins = !r->oldest;
	/*
	 * User space writes the consumer's position, so it may be nonsense. In a
	 * buffer that overwrites the oldest records (6.19), nobody has to move it.
	 */
	if (r->consumer > r->producer || r->consumer % 8)
		return otst_raise(o, OTST_ERR_CORRUPT,
				  "read up to %" PRIu64 ", but written up to %" PRIu64, r->consumer,
				  r->producer);
	if (otst_has_member(o, "bpf_ringbuf", "overwrite_mode")) {
		err = otst_read_member(o, "bpf_ringbuf", rb, "overwrite_mode", &mask);
		if (!err && mask)
			err = otst_read_member(o, "bpf_ringbuf", rb, "overwrite_pos", &r->oldest);
		r->begins |= mask;
		if (!err && mask && r->consumer < r->oldest)
			r->consumer = r->oldest;
	}
	if (!err && (r->producer - r->consumer > r->size || r->oldest > r->producer))
		err = otst_raise(o, OTST_ERR_CORRUPT,
				 "%" PRIu64 " bytes unread, room is for %" PRIu64,
				 r->producer - r->consumer, r->size);
	return err;
}

static uint32_t ring_word(const struct ring *r, uint64_t position)
{
	return (uint32_t)otst_get(r->o, r->data + (position & (r->size - 1)), 4);
}

/* bytes of a record with its header; 0 when no record can be at @position */
static uint64_t record_len_at(const struct ring *r, uint64_t position, uint64_t end)
{
	uint64_t len = ring_word(r, position) & ~(BUSY | DISCARDED);
	uint64_t page = r->pages + (position & (r->size - 1)) / r->page;

	len = (len + HEAD + 7) & ~UINT64_C(7);
	return len <= end - position && ring_word(r, position + 4) == page ? len : 0;
}

static int add_ringbuf_record(struct ring *r, uint64_t position)
{
	uint32_t len = ring_word(r, position), i;
	struct otst_ringbuf_record *rec;
	uint8_t *copy;

	if (r->records->count >= MAX_RECORDS)
		return otst_raise(r->o, OTST_ERR_CORRUPT, "more than %u records", MAX_RECORDS);
	rec = otst_vec_push(r->o, r->records, sizeof(*rec));
	rec->position = position;
	rec->state = len & BUSY		    ? OTST_RINGBUF_BUSY :
		     position < r->consumer ? OTST_RINGBUF_READ :
					      OTST_RINGBUF_UNREAD;
	rec->discarded = len & DISCARDED;
	rec->size = len & ~(BUSY | DISCARDED);
	rec->data = copy = otst_alloc(r->o, (size_t)rec->size + 1);
	if (!copy)
		return otst_no_memory(r->o);
	for (i = 0; i < rec->size; i++)
		copy[i] = r->data[(position + HEAD + i) & (r->size - 1)];
	return 0;
}

/* records from @at to @end */
static int add_records(struct ring *r, uint64_t at, uint64_t end)
{
	uint64_t len;
	int err = 0;

	for (; at < end && !err; at += len) {
		len = record_len_at(r, at, end);
		if (!len)
			return otst_raise(r->o, OTST_ERR_CORRUPT,
					  "no record begins at position %" PRIu64, at);
		err = add_ringbuf_record(r, at);
		err = err ?: otst_check(r->o);
	}
	return err;
}

/*
 * The first position that leads to the end. The remains of a record that was cut
 * may contain older bytes that look like a header. If another possible header
 * lies inside the record that such a header describes, nothing tells which of
 * the two is real. Then take the first position that all of them lead to.
 */
static uint64_t choose_first(const struct ring *r, const uint8_t *leads, uint64_t first)
{
	uint64_t at, end, start = 0, reach = 0;
	bool sure = false;

	for (at = first; at < r->consumer; at += 8) {
		if (!leads[(at - first) / 8])
			continue;
		if (r->begins || (reach && at == reach))
			return sure ? start : at;
		end = at + record_len_at(r, at, r->consumer);
		sure = !reach;
		start = at;
		reach = end > reach ? end : reach;
	}
	return sure ? start : r->consumer;
}

/*
 * Where the oldest record that is still whole begins: the first position from
 * which a chain of headers leads to where user space reads on.
 */
static int find_oldest(struct ring *r, uint64_t *ret)
{
	uint64_t first = (r->oldest + 7) & ~UINT64_C(7), slots, at, len;
	uint8_t *leads;

	*ret = r->consumer;
	if (first >= r->consumer)
		return 0;
	slots = (r->consumer - first) / 8;
	leads = otst_alloc(r->o, slots + 1);
	if (!leads)
		return otst_no_memory(r->o);
	leads[slots] = 1;
	for (at = r->consumer - 8; at + 8 > first && slots; at -= 8) {
		slots--;
		if (ring_word(r, at) & BUSY)
			continue;
		len = record_len_at(r, at, r->consumer);
		if (!len || !leads[slots + len / 8])
			continue;
		leads[slots] = 1;
	}
	*ret = choose_first(r, leads, first);
	return 0;
}

int otst_ringbuf_read(struct otst *o, uint64_t map, struct otst_vec *records,
		      struct otst_messages *errors)
{
	struct ring r = { .o = o, .records = records };
	uint64_t rb, data, oldest;
	int err;

	err = otst_read_member(o, "bpf_ringbuf_map", map, "rb", &rb);
	err = err ?: read_positions(&r, rb, &data);
	if (err)
		return err;
	r.data = otst_alloc(o, r.size);
	err = otst_read(o, data, r.data, r.size);
	err = err ?: find_oldest(&r, &oldest);
	err = err ?: add_records(&r, oldest, r.consumer);
	err = err ?: add_records(&r, r.consumer, r.producer);
	return err ? otst_note(o, errors, err) : 0;
}
