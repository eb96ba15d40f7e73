// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * subbuf.c - loads one sub-buffer into memory and reads its header: struct
 * buffer_data_page of kernel/trace/ring_buffer.c.
 */
#include <inttypes.h>

#include "subbuf.h"

#define HEADER	      16u	/* time_stamp and commit */
#define HEADER_COMMIT 8		/* time_stamp, then commit */
#define MAX_PID	      (1 << 22) /* PID_MAX_LIMIT */

/* in commit: RB_MISSED_EVENTS, RB_MISSED_STORED */
#define COMMIT_LOST   (1u << 31)
#define COMMIT_STORED (1u << 30)

/* read as much as possible; a sub-buffer of many pages may lack one in the middle */
static int read_subbuf(const struct otst_ring *ring, uint64_t addr, uint8_t *buf, uint32_t *got)
{
	uint32_t n;
	int err;

	*got = ring->subbuf_size;
	err = otst_read(ring->o, addr, buf, ring->subbuf_size);
	if (err != OTST_ERR_FAULT || ring->subbuf_size <= OTST_CHUNK)
		return err;
	for (n = 0; n < ring->subbuf_size; n += OTST_CHUNK) {
		err = otst_read(ring->o, addr + n, buf + n, OTST_CHUNK);
		if (err)
			break;
	}
	*got = n;
	return err == OTST_ERR_FAULT && n ? 0 : err;
}

/*
 * On a running kernel, the writer sets commit to 0 and then the time before it overwrites a
 * sub-buffer (rb_tail_page_update(), __rb_reserve_next()). So if after the read the time is the
 * same and no less is committed than before it, what was committed before is whole.
 */
static int read_live(const struct otst_ring *ring, const struct otst_subbuf *s, uint8_t *buf)
{
	const uint64_t room = COMMIT_STORED - 1;
	uint8_t head[HEADER], after[HEADER];
	int err = otst_read_now(ring->o, s->data, head, HEADER);

	err = err ?: otst_read_now(ring->o, s->data, buf, ring->subbuf_size);
	err = err ?: otst_read_now(ring->o, s->data, after, HEADER);
	if (err)
		return err;
	if (s->moved || (s->stamp && otst_get(ring->o, head, 8) != s->stamp) ||
	    memcmp(head, after, 8) != 0 ||
	    (otst_get(ring->o, after + HEADER_COMMIT, 8) & room) <
		    (otst_get(ring->o, head + HEADER_COMMIT, 8) & room))
		return otst_raise(ring->o, OTST_ERR_CORRUPT,
				  "it was written over while it was read");
	memcpy(buf, head, HEADER);
	return 0;
}

static int check_data(const struct otst_ring *ring, const struct otst_subbuf *s)
{
	if (otst_is_kernel_pointer(ring->o, s->data) && !(s->data % 8))
		return 0;
	return otst_raise(ring->o, OTST_ERR_CORRUPT, "its data is at 0x%" PRIx64, s->data);
}

static int read_head(const struct otst_ring *ring, const struct otst_subbuf *s, const uint8_t *buf,
		     uint32_t got, struct otst_subbuf_head *ret)
{
	uint32_t room = ring->subbuf_size - ring->header;
	uint64_t commit = otst_get(ring->o, buf + HEADER_COMMIT, 8);

	*ret = (struct otst_subbuf_head){ .time = otst_get(ring->o, buf, 8) };
	ret->len = commit & ~(COMMIT_LOST | COMMIT_STORED);
	ret->lost = commit & COMMIT_LOST;
	ret->read = s->read;
	ret->start = ring->consumed ? 0 : s->read;
	if (ret->len > room || ret->start > ret->len)
		return otst_raise(ring->o, OTST_ERR_CORRUPT,
				  "%" PRIu32 " byte%s %s committed, from %" PRIu32 " on they count",
				  ret->len, otst_number(ret->len, "", "s"),
				  otst_number(ret->len, "is", "are"), ret->start);
	if (ret->lost && commit & COMMIT_STORED && room - ret->len >= 8 &&
	    got - ring->header >= ret->len + 8)
		ret->lost_count = otst_get(ring->o, buf + ring->header + ret->len, 8);
	if (ret->len > got - ring->header) {
		ret->len = got - ring->header;
		ret->error = "a page of it is not in the dump";
	}
	return 0;
}

static bool is_zero(const uint8_t *p, uint32_t len)
{
	while (len && !*p)
		p++, len--;
	return !len;
}

/*
 * A sub-buffer is emptied when it is full, so its events reach up to its end; or
 * by a reset of the ring, and then a first use leaves zeros after them. Anything
 * else was never written, or is partly overwritten.
 */
static void find_consumed(const struct otst_ring *ring, const struct otst_subbuf *s,
			  const uint8_t *data, uint32_t got, struct otst_subbuf_head *head)
{
	struct otst_subbuf_walk w = { .data = data,
				      .len = got - ring->header,
				      .big_endian = otst_big_endian(ring->o) };
	uint32_t room = w.len;
	enum otst_subbuf_step step;
	struct otst_record rec;

	while ((step = otst_subbuf_next(&w, &rec)) == OTST_SUBBUF_RECORD) {
		if (rec.pid < 0 || rec.pid > MAX_PID)
			return;
	}
	if (step == OTST_SUBBUF_BAD && !is_zero(data + w.len, room - w.len))
		return;
	head->len = w.len;
	if (!head->time) {
		head->time = s->time;
		head->vague = true;
	}
}

int otst_subbuf_load(const struct otst_ring *ring, const struct otst_ring_cpu *c,
		     const struct otst_subbuf *s, uint8_t *buf, struct otst_subbuf_head *head,
		     struct otst_subbuf_walk *ret)
{
	uint32_t got;
	int err = check_data(ring, s);

	if (!err && otst_is_live(ring->o)) {
		got = ring->subbuf_size;
		err = read_live(ring, s, buf);
	} else {
		err = err ?: read_subbuf(ring, s->data, buf, &got);
	}
	err = err ?: read_head(ring, s, buf, got, head);
	if (err)
		return otst_fail(ring->o, err, "sub-buffer 0x%" PRIx64, s->addr);
	if (s->consumed && !head->len)
		find_consumed(ring, s, buf + ring->header, got, head);
	if (s->consumed)
		head->read = head->len;
	*ret = (struct otst_subbuf_walk){
		.data = buf + ring->header,
		.len = head->len,
		.big_endian = otst_big_endian(ring->o),
		.at = head->start < head->len ? head->start : head->len,
		.time = head->start ? c->read_stamp : head->time,
	};
	return 0;
}

int otst_subbuf_stamp_of(const struct otst_ring *ring, const struct otst_subbuf *s, uint64_t *ret)
{
	uint8_t raw[HEADER];
	int err = check_data(ring, s);

	err = err ?: otst_read_now(ring->o, s->data, raw, sizeof(raw));
	if (err)
		return otst_fatal(err) ? err : 0;
	*ret = otst_get(ring->o, raw, 8);
	return (otst_get(ring->o, raw + HEADER_COMMIT, 8) & ~(COMMIT_LOST | COMMIT_STORED)) != 0;
}
