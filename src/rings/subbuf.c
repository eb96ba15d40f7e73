// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * subbuf.c - one sub-buffer into memory, and its header: struct
 * buffer_data_page of kernel/trace/ring_buffer.c.
 */
#include <inttypes.h>

#include "subbuf.h"

#define HEADER_COMMIT 8 /* time_stamp, then commit */

/* in commit: RB_MISSED_EVENTS, RB_MISSED_STORED */
#define COMMIT_LOST   (1u << 31)
#define COMMIT_STORED (1u << 30)

/* as far as it can be read; a sub-buffer of many pages may miss one in the middle */
static int read_subbuf(const struct otst_ring *ring, uint64_t addr, uint8_t *buf, uint32_t *got)
{
	uint32_t n;
	int err;

	*got = ring->subbuf_size;
	err = otst_read(ring->o, addr, buf, ring->subbuf_size);
	if (err != OTST_ERR_FAULT || ring->subbuf_size <= OTST_PAGE_SIZE)
		return err;
	for (n = 0; n < ring->subbuf_size; n += OTST_PAGE_SIZE) {
		err = otst_read(ring->o, addr + n, buf + n, OTST_PAGE_SIZE);
		if (err)
			break;
	}
	*got = n;
	return err == OTST_ERR_FAULT && n ? 0 : err;
}

static int check_data(const struct otst_ring *ring, const struct otst_subbuf *s)
{
	if (otst_is_kernel_pointer(s->data) && !(s->data % 8))
		return 0;
	return otst_raise(ring->o, OTST_ERR_CORRUPT, "its data is at 0x%" PRIx64, s->data);
}

static int read_head(const struct otst_ring *ring, const struct otst_subbuf *s, const uint8_t *buf,
		     uint32_t got, struct otst_subbuf_head *ret)
{
	uint32_t room = ring->subbuf_size - ring->header;
	uint64_t commit = otst_get_le(buf + HEADER_COMMIT, 8);

	*ret = (struct otst_subbuf_head){ .time = otst_get_le(buf, 8) };
	ret->len = commit & ~(COMMIT_LOST | COMMIT_STORED);
	ret->lost = commit & COMMIT_LOST;
	if (ret->len > room || s->start > ret->len)
		return otst_raise(ring->o, OTST_ERR_CORRUPT,
				  "%" PRIu32 " bytes are committed, from %" PRIu32 " on they count",
				  ret->len, s->start);
	if (ret->lost && commit & COMMIT_STORED && room - ret->len >= 8 &&
	    got - ring->header >= ret->len + 8)
		ret->lost_count = otst_get_le(buf + ring->header + ret->len, 8);
	if (ret->len > got - ring->header) {
		ret->len = got - ring->header;
		ret->error = "a page of it is not in the dump";
	}
	return 0;
}

int otst_subbuf_load(const struct otst_ring *ring, const struct otst_ring_cpu *c,
		     const struct otst_subbuf *s, uint8_t *buf, struct otst_subbuf_head *head,
		     struct otst_subbuf_walk *ret)
{
	uint32_t got, start;
	int err;

	err = check_data(ring, s);
	if (!err)
		err = read_subbuf(ring, s->data, buf, &got);
	if (!err)
		err = read_head(ring, s, buf, got, head);
	if (err)
		return otst_fail(ring->o, err, "sub-buffer 0x%" PRIx64, s->addr);
	start = s->start < head->len ? s->start : head->len;
	*ret = (struct otst_subbuf_walk){
		.data = buf + ring->header,
		.len = head->len,
		.at = start,
		.time = s->start ? c->read_stamp : head->time,
	};
	return 0;
}
