// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stap.c - the source "stap": output of SystemTap's scripts that is still in
 * their modules: the relay channel, read or not; the print buffer of each
 * cpu (runtime/linux/print.c), which is flushed when a probe ends; the queue
 * of messages for stapio (runtime/transport/control.c).
 */
#include <stdlib.h>

#include "../../base/sorted.h"
#include "stap.h"

#define MAX_BUFFER (1u << 20)

/*
 * struct _stp_log, _stp_pbuf before 4.5: the length, then the text; since 4.8 a
 * pointer to the text, which cannot be mistaken for text
 */
#define LOG_TEXT 4u
#define LOG_BUF	 8u

/* struct _stp_buffer: list, len, type, buf[] */
#define MESSAGE_LEN  16u
#define MESSAGE_TYPE 20u
#define MESSAGE_TEXT 24u
#define MAX_MESSAGES 65536u

/* STP_OOB_DATA, warnings and errors; STP_SYSTEM, a command for a shell */
#define TYPE_OOB_DATA 2u
#define TYPE_SYSTEM   3u

/* ---- print buffers ---- */

static int read_stap_text(struct otst_stap_reader *r, struct otst_stap_piece *p, uint64_t at,
			  uint32_t len)
{
	char *text;
	int err;

	if (len > MAX_BUFFER)
		return otst_raise(r->o, OTST_ERR_CORRUPT, "0x%x bytes of text", len);
	text = otst_alloc(r->o, len + 1);
	err = otst_read(r->o, at, text, len);
	p->text = text;
	p->len = len;
	return err ? err : otst_stap_piece(r, p);
}

static int read_stap_buffer(struct otst_stap_reader *r, uint64_t at, unsigned int cpu)
{
	struct otst_stap_piece p = { .place = OTST_STAP_BUFFER, .cpu = (int)cpu };
	uint64_t buf;
	uint32_t len;
	int err = otst_read_u32(r->o, at, &len);

	if (err || !len)
		return err;
	err = otst_read_u64(r->o, at + LOG_BUF, &buf);
	if (err)
		return err;
	return read_stap_text(r, &p, otst_is_kernel_pointer(r->o, buf) ? buf : at + LOG_TEXT, len);
}

static int read_stap_buffers(struct otst_stap_reader *r)
{
	const struct otst_module *m = r->stap->module;
	uint64_t symbol, buffers;
	int err;

	if (otst_module_symbol(r->o, m, "_stp_log_pcpu", &symbol) &&
	    otst_module_symbol(r->o, m, "Stp_pbuf", &symbol))
		return 0;
	err = otst_read_u64(r->o, symbol, &buffers);
	if (err || !buffers)
		return err;
	for (unsigned int cpu = 0; cpu < otst_kernel(r->o)->nr_cpus && !err; cpu++) {
		err = read_stap_buffer(r, otst_percpu(r->o, buffers, cpu), cpu);
		if (err && !otst_fatal(err))
			err = otst_traces_note(r->ret,
					       otst_fail(r->o, err, "%s: print buffer of cpu %u",
							 m->name, cpu));
	}
	return err;
}

/* ---- messages ---- */

static int read_message(struct otst_stap_reader *r, uint64_t at)
{
	struct otst_stap_piece p = { .place = OTST_STAP_QUEUE, .cpu = -1 };
	uint32_t len, type;
	int err = otst_read_u32(r->o, at + MESSAGE_LEN, &len);

	err = err ?: otst_read_u32(r->o, at + MESSAGE_TYPE, &type);
	if (err || (type != TYPE_OOB_DATA && type != TYPE_SYSTEM))
		return err;
	return read_stap_text(r, &p, at + MESSAGE_TEXT, len);
}

static int read_message_queue(struct otst_stap_reader *r)
{
	struct otst_walk w;
	uint64_t head, node;
	int err = 0;

	if (otst_module_symbol(r->o, r->stap->module, "_stp_ctl_ready_q", &head))
		return 0;
	/* the list is made when the module starts */
	if (otst_read_u64(r->o, head, &node) || !node)
		return 0;
	otst_walk_list(r->o, head, &w);
	while (!err && w.steps < MAX_MESSAGES && otst_walk_next(&w, &node))
		err = read_message(r, node);
	return err ? err : w.err;
}

/* ---- the source ---- */

static int by_seq(const void *a, const void *b)
{
	const struct otst_trace_item *x = a, *y = b;

	return (x->whole->seq > y->whole->seq) - (x->whole->seq < y->whole->seq);
}

/* sequences put the pieces of all cpus in order; without them, each cpu's stay together */
static void order_pieces(struct otst_stap_reader *r)
{
	struct otst_trace_item *items = otst_trace_items(r->ret);
	size_t i, n = r->ret->items.count;
	bool counted = true;

	for (i = r->first; i < n; i++)
		counted &= items[i].whole->seq >> 32 != OTST_STAP_RELAY ||
			   (uint32_t)items[i].whole->seq;
	if (counted && n > r->first)
		otst_sort(items + r->first, n - r->first, sizeof(*items), by_seq);
	for (i = r->first; i < n; i++)
		items[i].whole->seq = i;
}

static int read_stap_module(struct otst_stap_reader *r)
{
	static int (*const parts[])(struct otst_stap_reader * r) = {
		otst_stap_relay,
		read_stap_buffers,
		read_message_queue,
	};
	int err = 0;

	r->first = r->ret->items.count;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && !err; i++) {
		err = parts[i](r);
		if (err && !otst_fatal(err))
			err = otst_traces_note(r->ret,
					       otst_fail(r->o, err, "%s", r->stap->module->name));
	}
	order_pieces(r);
	return err;
}

int otst_source_stap_present(struct otst *o)
{
	struct otst_stap *const *s;
	int err = otst_staps(o, &s);

	/* a module that was not seen may be SystemTap's */
	if (!err && !*s && otst_modules_error(o))
		err = otst_raise(o, OTST_ERR_CORRUPT, "%s", otst_modules_error(o));
	return !err && !*s ? otst_raise(o, OTST_ERR_LOOKUP, "there is no SystemTap module") : err;
}

int otst_source_stap(struct otst *o, const struct otst_trace_filter *filter,
		     struct otst_traces *ret)
{
	struct otst_stap_reader r = { .o = o, .ret = ret, .frames_only = !filter->sources };
	struct otst_stap *const *s;
	int err = otst_staps(o, &s);

	/* a module that was not seen may be SystemTap's */
	err = err ?: otst_modules_notes(o, &ret->errors);
	if (!err && !*s)
		return otst_raise(o, OTST_ERR_LOOKUP, "there is no SystemTap module");
	for (; !err && *s; s++) {
		r.stap = *s;
		err = read_stap_module(&r);
	}
	return err;
}
