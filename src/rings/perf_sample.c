// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * perf_sample.c - records of perf buffers, as perf_output_sample() and
 * perf_event__output_id_sample() of kernel/events/core.c write them: each bit
 * of sample_type is a field, one after the other.
 */
#include "perf_sample.h"

/* fields of sample_type that are only skipped */
#define SAMPLE_READ	     (1ull << 4)
#define SAMPLE_BRANCH_STACK  (1ull << 11)
#define SAMPLE_REGS_USER     (1ull << 12)
#define SAMPLE_STACK_USER    (1ull << 13)
#define SAMPLE_WEIGHT	     (1ull << 14)
#define SAMPLE_DATA_SRC	     (1ull << 15)
#define SAMPLE_TRANSACTION   (1ull << 17)
#define SAMPLE_REGS_INTR     (1ull << 18)
#define SAMPLE_PHYS_ADDR     (1ull << 19)
#define SAMPLE_AUX	     (1ull << 20)
#define SAMPLE_CGROUP	     (1ull << 21)
#define SAMPLE_DATA_PAGE     (1ull << 22)
#define SAMPLE_CODE_PAGE     (1ull << 23)
#define SAMPLE_WEIGHT_STRUCT (1ull << 24)
#define SAMPLE_KNOWN	     ((1ull << 25) - 1)

/* enum perf_event_read_format */
#define FORMAT_ENABLED 1u
#define FORMAT_RUNNING 2u
#define FORMAT_ID      4u
#define FORMAT_GROUP   8u
#define FORMAT_LOST    16u

/* branch_sample_type */
#define BRANCH_HW_INDEX (1ull << 17)
#define BRANCH_COUNTERS (1ull << 19)
#define BRANCH_ENTRY	24u /* struct perf_branch_entry */

/* ---- a cursor that stays in the record ---- */

/* @at: next field; @left: bytes of the record from there on; @short_of: the record was too short */
struct cursor {
	bool big_endian;
	const uint8_t *at;
	uint64_t left;
	bool short_of;
};

static const uint8_t *take_sample_bytes(struct cursor *c, uint64_t len)
{
	const uint8_t *p = c->at;

	if (len > c->left) {
		c->short_of = true;
		c->left = 0;
		return NULL;
	}
	c->at += len;
	c->left -= len;
	return p;
}

static uint64_t take_u64(struct cursor *c)
{
	const uint8_t *p = take_sample_bytes(c, 8);

	return p ? otst_get_as(c->big_endian, p, 8) : 0;
}

static uint32_t take_u32(struct cursor *c)
{
	const uint8_t *p = take_sample_bytes(c, 4);

	return p ? (uint32_t)otst_get_as(c->big_endian, p, 4) : 0;
}

/* @count pieces of @size bytes; a count that makes no sense is too long for any record */
static const uint8_t *take_array(struct cursor *c, uint64_t count, uint64_t size)
{
	return take_sample_bytes(c, count > UINT16_MAX ? UINT64_MAX : count * size);
}

/* ---- fields ---- */

static void take_tid(struct cursor *c, struct otst_perf_sample *s)
{
	s->pid = (int32_t)take_u32(c);
	s->tid = (int32_t)take_u32(c);
}

static void skip_read(struct cursor *c, uint64_t format)
{
	uint64_t words = 1 + !!(format & FORMAT_ID) + !!(format & FORMAT_LOST), count = 1;

	if (format & FORMAT_GROUP)
		count = take_u64(c);
	take_sample_bytes(c, 8 * (!!(format & FORMAT_ENABLED) + !!(format & FORMAT_RUNNING)));
	take_array(c, count, 8 * words);
}

static void skip_branches(struct cursor *c, uint64_t type)
{
	uint64_t count = take_u64(c);

	if (type & BRANCH_HW_INDEX)
		take_u64(c);
	take_array(c, count, BRANCH_ENTRY);
	if (type & BRANCH_COUNTERS)
		take_array(c, count, 8);
}

/* an ABI of 0: there were no registers */
static bool skip_regs(struct cursor *c, uint64_t mask)
{
	if (!take_u64(c))
		return false;
	take_array(c, (uint64_t)__builtin_popcountll(mask), 8);
	return true;
}

/*
 * @regs: there were registers. perf_output_sample_ustack() then writes how much was
 * dumped even when the size is 0 (the task has left its memory: do_exit()), but
 * perf_prepare_sample() counts that word only when the size is not 0. Everything after it
 * is then one word further on than it should be, and the last word is lost. Return: false
 * in that case.
 */
static bool skip_user_stack(struct cursor *c, bool regs)
{
	uint64_t size = take_u64(c);

	take_sample_bytes(c, size);
	if (size)
		take_u64(c);
	return size || !regs;
}

static void take_raw(struct cursor *c, struct otst_perf_sample *s)
{
	s->raw_size = take_u32(c);
	s->raw = take_sample_bytes(c, s->raw_size);
}

/* the fields before READ: one word each, some made of two halves */
static void take_words(struct cursor *c, uint64_t type, struct otst_perf_sample *s)
{
	if (type & OTST_PERF_SAMPLE_IDENTIFIER)
		s->id = take_u64(c);
	if (type & OTST_PERF_SAMPLE_IP)
		s->ip = take_u64(c);
	if (type & OTST_PERF_SAMPLE_TID)
		take_tid(c, s);
	if (type & OTST_PERF_SAMPLE_TIME)
		s->time = take_u64(c);
	if (type & OTST_PERF_SAMPLE_ADDR)
		s->addr = take_u64(c);
	if (type & OTST_PERF_SAMPLE_ID)
		s->id = take_u64(c);
	if (type & OTST_PERF_SAMPLE_STREAM_ID)
		take_u64(c);
	if (type & OTST_PERF_SAMPLE_CPU) {
		s->cpu = take_u32(c);
		take_u32(c);
	}
	if (type & OTST_PERF_SAMPLE_PERIOD)
		take_u64(c);
}

/* the fields after RAW: skipped only to find the end of the last one */
static void skip_rest(struct cursor *c, const struct otst_perf_attr *attr)
{
	uint64_t type = attr->sample_type;
	uint64_t words = type &
			 (SAMPLE_PHYS_ADDR | SAMPLE_CGROUP | SAMPLE_DATA_PAGE | SAMPLE_CODE_PAGE);
	bool regs;

	if (type & SAMPLE_BRANCH_STACK)
		skip_branches(c, attr->branch_sample_type);
	regs = type & SAMPLE_REGS_USER && skip_regs(c, attr->sample_regs_user);
	if (type & SAMPLE_STACK_USER && !skip_user_stack(c, regs)) {
		take_sample_bytes(c, c->left);
		return;
	}
	if (type & (SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT))
		take_u64(c);
	if (type & SAMPLE_DATA_SRC)
		take_u64(c);
	if (type & SAMPLE_TRANSACTION)
		take_u64(c);
	if (type & SAMPLE_REGS_INTR)
		skip_regs(c, attr->sample_regs_intr);
	take_sample_bytes(c, 8u * (unsigned int)__builtin_popcountll(words));
	if (type & SAMPLE_AUX)
		take_sample_bytes(c, take_u64(c));
}

static void read_sample(struct cursor *c, const struct otst_perf_attr *attr,
			struct otst_perf_sample *s)
{
	uint64_t type = attr->sample_type;

	take_words(c, type, s);
	if (type & SAMPLE_READ)
		skip_read(c, attr->read_format);
	if (type & OTST_PERF_SAMPLE_CALLCHAIN) {
		s->nr_chain = take_u64(c);
		s->chain = take_array(c, s->nr_chain, 8);
	}
	if (type & OTST_PERF_SAMPLE_RAW)
		take_raw(c, s);
	skip_rest(c, attr);
	s->has = type;
}

/* the fields that records of other types have, at their end */
#define TRAILER_FIELDS                                                        \
	(OTST_PERF_SAMPLE_TID | OTST_PERF_SAMPLE_TIME | OTST_PERF_SAMPLE_ID | \
	 OTST_PERF_SAMPLE_STREAM_ID | OTST_PERF_SAMPLE_CPU | OTST_PERF_SAMPLE_IDENTIFIER)

static void read_trailer(struct cursor *c, const struct otst_perf_attr *attr,
			 struct otst_perf_sample *s)
{
	uint64_t type = attr->sample_id_all ? attr->sample_type & TRAILER_FIELDS : 0;
	uint64_t size = 8u * (unsigned int)__builtin_popcountll(type);

	take_sample_bytes(c, size > c->left ? UINT64_MAX : c->left - size);
	take_words(c, type & ~OTST_PERF_SAMPLE_IDENTIFIER, s);
	if (type & OTST_PERF_SAMPLE_IDENTIFIER)
		s->id = take_u64(c);
	s->has = type;
}

int otst_perf_sample_read(struct otst *o, const struct otst_perf_attr *attr,
			  const struct otst_perf_record *r, struct otst_perf_sample *ret)
{
	struct cursor c = { .big_endian = r->big_endian,
			    .at = r->data + OTST_PERF_HEADER,
			    .left = r->size - OTST_PERF_HEADER };

	*ret = (struct otst_perf_sample){ .has = 0 };
	if (r->type == OTST_PERF_RECORD_SAMPLE)
		read_sample(&c, attr, ret);
	else
		read_trailer(&c, attr, ret);
	if (c.short_of)
		return otst_raise(o, OTST_ERR_CORRUPT,
				  "a record of %u bytes is shorter than its fields", r->size);
	/* unknown fields may account for the bytes that are left */
	ret->surplus = attr->sample_type & ~SAMPLE_KNOWN ? 0 : c.left;
	return 0;
}

bool otst_perf_record_id(const struct otst_perf_attr *attr, const struct otst_perf_record *r,
			 uint64_t *ret)
{
	static const uint64_t before = OTST_PERF_SAMPLE_IP | OTST_PERF_SAMPLE_TID |
				       OTST_PERF_SAMPLE_TIME | OTST_PERF_SAMPLE_ADDR;
	static const uint64_t behind = OTST_PERF_SAMPLE_STREAM_ID | OTST_PERF_SAMPLE_CPU;
	bool sample = r->type == OTST_PERF_RECORD_SAMPLE;
	uint64_t words = 0, at;

	if (!(attr->sample_type & (OTST_PERF_SAMPLE_IDENTIFIER | OTST_PERF_SAMPLE_ID)) ||
	    (!sample && !attr->sample_id_all))
		return false;
	if (!(attr->sample_type & OTST_PERF_SAMPLE_IDENTIFIER))
		words = attr->sample_type & (sample ? before : behind);
	words = (uint64_t)__builtin_popcountll(words);
	if (r->size < OTST_PERF_HEADER + 8 * (words + 1))
		return false;
	at = sample ? OTST_PERF_HEADER + 8 * words : r->size - 8 * (words + 1);
	*ret = otst_get_as(r->big_endian, r->data + at, 8);
	return true;
}
