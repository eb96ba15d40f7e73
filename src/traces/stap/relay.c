// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * relay.c - the relay channel of a SystemTap module, struct
 * _stp_relay_data_type of its runtime/transport/relay_v2.c: a struct rchan of
 * kernel/relay.c with a buffer of sub-buffers for each cpu, or one for all.
 * What was produced and has not been overwritten is still there, read or not.
 */
#include <inttypes.h>

#include "stap.h"

#define DATA_SIZE   256u /* of struct _stp_relay_data_type: rchan is among its first words */
#define MAX_SUBBUF  (256u << 20) /* sizes that make sense */
#define MAX_SUBBUFS (1u << 24)

/* a struct rchan of the module, and what all its buffers have in common */
struct channel {
	uint64_t addr;
	uint64_t size; /* of a sub-buffer */
	uint64_t count;
};

/* one struct rchan_buf */
struct buffer {
	uint64_t start;
	uint64_t offset;
	uint64_t produced;
	uint64_t consumed;
	uint64_t bytes_consumed;
	uint64_t padding;
	int cpu;
};

/* is this a channel of this module: its callbacks are the module's; LOOKUP when not */
static int read_channel(struct otst_stap_reader *r, uint64_t addr, struct channel *ret)
{
	struct otst_view v;
	uint64_t alloc, cb;
	int err;

	if (!otst_is_kernel_pointer(r->o, addr))
		return OTST_ERR_LOOKUP;
	err = otst_view_read(r->o, "rchan", addr, &v);
	if (err)
		return err;
	ret->addr = addr;
	ret->size = otst_u64(&v, "subbuf_size");
	ret->count = otst_u64(&v, "n_subbufs");
	alloc = otst_u64(&v, "alloc_size");
	cb = otst_u64(&v, "cb");
	if (v.err || !ret->size || ret->size > MAX_SUBBUF || !ret->count ||
	    ret->count > MAX_SUBBUFS)
		return OTST_ERR_LOOKUP;
	return alloc - ret->size * ret->count < otst_page_size(r->o) &&
			       otst_module_has(r->stap->module, cb) ?
		       0 :
		       OTST_ERR_LOOKUP;
}

/*
 * Its place among the first words differs between versions. If no channel is
 * found, a word that could not be followed may have led to it.
 */
static int find_channel(struct otst_stap_reader *r, struct channel *ret)
{
	const struct otst_module *m = r->stap->module;
	uint64_t at, end, word;
	int err, lost = 0;

	if (otst_module_symbol(r->o, m, "_stp_relay_data", &at))
		return OTST_ERR_LOOKUP;
	for (end = at + otst_stap_extent(m, at, DATA_SIZE); at + 8 <= end; at += 8) {
		err = otst_read_u64(r->o, at, &word);
		err = err ?: read_channel(r, word, ret);
		if (!err || otst_fatal(err))
			return err;
		if (err == OTST_ERR_FAULT)
			lost = otst_fail(r->o, err, "_stp_relay_data");
	}
	return lost ? lost : OTST_ERR_LOOKUP;
}

/* ---- buffers ---- */

static int read_relay_buffer(struct otst_stap_reader *r, const struct channel *c, uint64_t addr,
			     struct buffer *ret)
{
	struct otst_view v;
	int err = otst_view_read(r->o, "rchan_buf", addr, &v);

	if (err)
		return err;
	*ret = (struct buffer){
		.start = otst_u64(&v, "start"),
		.offset = otst_u64(&v, "offset"),
		.produced = otst_u64(&v, "subbufs_produced"),
		.consumed = otst_u64(&v, "subbufs_consumed"),
		.bytes_consumed = otst_u64(&v, "bytes_consumed"),
		.padding = otst_u64(&v, "padding"),
		.cpu = (int)otst_u64(&v, "cpu"),
	};
	if (v.err)
		return v.err;
	if (otst_u64(&v, "chan") != c->addr || ret->offset > c->size + 1 ||
	    ret->consumed > ret->produced || !otst_is_kernel_pointer(r->o, ret->start))
		return otst_raise(r->o, OTST_ERR_CORRUPT, "its counters make no sense");
	return 0;
}

/* bytes written into sub-buffer @n, counted from the first ever; the last one is being written */
static int find_used_bytes(struct otst_stap_reader *r, const struct channel *c,
			   const struct buffer *b, uint64_t n, uint64_t *ret)
{
	uint64_t padding;
	int err;

	if (n == b->produced) {
		*ret = b->offset;
		return 0;
	}
	err = otst_read_u64(r->o, b->padding + 8 * (n % c->count), &padding);
	if (!err && padding > c->size)
		err = otst_raise(r->o, OTST_ERR_CORRUPT,
				 "0x%" PRIx64 " bytes of padding in sub-buffer %" PRIu64, padding,
				 n);
	*ret = err ? 0 : c->size - padding;
	return err;
}

/*
 * Read sub-buffers @n to @last-1 one after the other. One that cannot be read ends the
 * run: *@next is where to go on.
 */
static int read_run(struct otst_stap_reader *r, const struct channel *c, const struct buffer *b,
		    uint64_t n, uint64_t last, uint64_t *next, struct otst_stap_run *ret)
{
	size_t room = (size_t)((last - n) * c->size);
	unsigned char *data = otst_alloc(r->o, room + 1);
	size_t *edges = otst_alloc(r->o, (size_t)(last - n) * sizeof(*edges));
	uint64_t len;
	int err = 0;

	if (!data || !edges)
		return otst_no_memory(r->o);
	*ret = (struct otst_stap_run){
		.data = data, .whole = !n, .unread = SIZE_MAX, .edges = edges
	};
	for (; n < last && !err; n++) {
		if (n >= b->consumed && ret->unread == SIZE_MAX)
			ret->unread = ret->len + (n == b->consumed ? b->bytes_consumed : 0);
		err = find_used_bytes(r, c, b, n, &len);
		if (!err)
			err = otst_read(r->o, b->start + n % c->count * c->size, data + ret->len,
					len);
		ret->len += err ? 0 : len;
		ret->edges[ret->nr_edges++] = ret->len;
	}
	*next = n;
	return err ? otst_fail(r->o, err, "sub-buffer %" PRIu64, n - 1) : 0;
}

static int read_all_relays(struct otst_stap_reader *r, const struct channel *c,
			   const struct buffer *b)
{
	/* no room, the last sub-buffer is full: none is being written */
	bool stopped = b->offset > c->size;
	uint64_t last = b->produced + !stopped;
	uint64_t n = last > c->count ? last - c->count : 0, next = last;
	struct otst_stap_run run;
	int err, failed;

	for (; n < last; n = next) {
		failed = read_run(r, c, b, n, last, &next, &run);
		if (failed && otst_fatal(failed))
			return failed;
		if (failed)
			otst_traces_note(r->ret, otst_fail(r->o, failed, "%s, cpu %d",
							   r->stap->module->name, b->cpu));
		err = otst_stap_stream(r, b->cpu, &run);
		if (err)
			return err;
	}
	return 0;
}

/* ---- of each cpu ---- */

/*
 * Linux 017c59c042d0 ("relay: Use per CPU constructs for the relay channel
 * buffer pointers") (v4.9) turned an array of pointers into a per-cpu pointer.
 */
static int buffer_at(struct otst *o, const struct channel *c, unsigned int cpu, uint64_t *ret)
{
	const struct otst_member *buf;
	uint64_t at;
	int err = otst_member(o, "rchan", "buf", &buf);

	if (err)
		return err;
	if (buf->size > 8)
		return otst_read_u64(o, c->addr + buf->offset + 8 * (uint64_t)cpu, ret);
	err = otst_read_u64(o, c->addr + buf->offset, &at);
	return err ? err : otst_read_u64(o, otst_percpu(o, at, cpu), ret);
}

int otst_stap_relay_holds(struct otst *o, const struct otst_stap *stap, uint64_t at, bool *ret)
{
	struct otst_stap_reader r = { .o = o, .stap = stap };
	struct channel c;
	struct buffer b;
	uint64_t addr;
	int err = find_channel(&r, &c);

	*ret = false;
	for (unsigned int cpu = 0; cpu < otst_kernel(o)->nr_cpus && !err && !*ret; cpu++) {
		err = buffer_at(o, &c, cpu, &addr);
		if (err || !addr)
			continue;
		err = read_relay_buffer(&r, &c, addr, &b);
		*ret = !err && at - b.start < c.size * c.count;
	}
	return err == OTST_ERR_LOOKUP ? 0 : err;
}

int otst_stap_relay(struct otst_stap_reader *r)
{
	const struct otst_kernel *k = otst_kernel(r->o);
	uint64_t addr = 0, global = 0;
	struct channel c;
	struct buffer b;
	int err = 0;

	/* without the types of kernel/relay.c, or with the transport closed, there is no channel */
	err = find_channel(r, &c);
	if (err)
		return err == OTST_ERR_LOOKUP ? 0 : err;
	for (unsigned int cpu = 0; cpu < k->nr_cpus && !err; cpu++) {
		err = buffer_at(r->o, &c, cpu, &addr);
		/* a cpu that was offline when the module started has none */
		if (!err && (!addr || addr == global))
			continue;
		err = err ?: read_relay_buffer(r, &c, addr, &b);
		if (!err) {
			global = addr;
			err = read_all_relays(r, &c, &b);
		}
		if (err && !otst_fatal(err))
			err = otst_traces_note(r->ret, otst_fail(r->o, err, "%s, cpu %u",
								 r->stap->module->name, cpu));
	}
	return err;
}
