// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * perf.c - samples in the buffers of perf: struct perf_buffer of each event, and in
 * it each PERF_RECORD_SAMPLE with its callchain, or with its one address.
 *
 * Records are streamed. The name of a task comes from its last PERF_RECORD_COMM
 * before the sample, in any buffer; if there is none, it is the name in the dump.
 */
#include <inttypes.h>

#include "../../probes/perf_event.h"
#include "../../rings/perf_sample.h"
#include "perf.h"

#define WORD 8u

struct search {
	struct otst *o;
	const struct otst_trace_filter *filter;
	struct otst_traces *ret;
	const struct otst_perf_events *events;
	const char **names; /* of the events, NULL until asked for */
	struct otst_knowns known;
	struct otst_perf_comms comms;
	struct otst_perf_deferred deferred;
	/* of one buffer */
	uint64_t rb;
	const struct otst_perf_event *any; /* one of those that write to it */
	bool alone;
	uint64_t lost;
};

/* ---- whose record ---- */

static bool writes_to(const struct otst_perf_event *e, uint64_t rb)
{
	return e->rb == rb && !e->error;
}

/* NULL when it does not identify an event of this buffer */
static const struct otst_perf_event *event_of(const struct search *s,
					      const struct otst_perf_record *r)
{
	uint64_t id;

	if (s->alone)
		return s->any;
	if (!otst_perf_record_id(&s->any->attr, r, &id))
		return NULL;
	for (size_t i = 0; i < s->events->count; i++) {
		if (s->events->items[i].id == id && writes_to(&s->events->items[i], s->rb))
			return &s->events->items[i];
	}
	return NULL;
}

/* may its samples be longer than their fields, see &otst_perf_sample.surplus */
static bool has_surplus(const struct otst_perf_event *e)
{
	return e->tp_event && !(e->attr.sample_type & OTST_PERF_SAMPLE_RAW);
}

static bool is_plausible(void *priv, const struct otst_perf_record *r)
{
	const struct search *s = priv;
	const struct otst_perf_event *e = event_of(s, r);
	struct otst_perf_sample sample;

	return e && !otst_perf_sample_read(s->o, &e->attr, r, &sample) &&
	       (!sample.surplus || has_surplus(e));
}

static const char *name_event(struct search *s, const struct otst_perf_event *e)
{
	const char **name = &s->names[e - s->events->items];

	if (!*name)
		*name = otst_perf_event_name(s->o, e);
	return *name;
}

/* ---- a sample ---- */

static void set_time(const struct otst_perf_event *e, const struct otst_perf_sample *sample,
		     struct otst_trace *t)
{
	if (!(sample->has & OTST_PERF_SAMPLE_TIME))
		return;
	t->time = sample->time;
	t->clock = e->attr.use_clockid ? OTST_CLOCK_TRACE : OTST_CLOCK_LOCAL;
	if (e->attr.use_clockid)
		t->clock_name = otst_perf_clock_name(e->attr.clockid);
}

/* for a sample without a callchain, take its one address */
static int take_stack(struct search *s, const struct otst_perf_sample *sample,
		      const struct otst_perf_record *r, struct otst_trace *t)
{
	bool chain = sample->has & OTST_PERF_SAMPLE_CALLCHAIN, fresh;
	uint8_t ip[2 * WORD];
	struct otst_known *k;
	int err;

	if (chain) {
		err = otst_known_find(s->o, &s->known, 0, sample->chain, sample->nr_chain * WORD,
				      &k, &fresh);
	} else {
		otst_perf_chain_of_ip(r, sample->ip, ip);
		err = otst_known_find(s->o, &s->known, 0, ip, sizeof(ip), &k, &fresh);
	}
	if (!err && fresh)
		otst_perf_chain_lines(s->o, k->words, k->size / WORD, true, &k->lines);
	if (err)
		return err;
	t->lines = k->lines.data;
	t->nr_lines = k->lines.count;
	otst_perf_defer(s->o, &s->deferred, t, k->words, k->size / WORD);
	return 0;
}

static int add_sample_trace(struct search *s, const struct otst_perf_event *e,
			    const struct otst_perf_sample *sample, const struct otst_perf_record *r)
{
	struct otst_trace *t = otst_trace_add(s->ret, OTST_SOURCE_PERF);
	const char *owner = otst_perf_owner_name(s->o, e);

	set_time(e, sample, t);
	t->seq = s->ret->items.count;
	t->where = otst_format(s->o, "buffer 0x%" PRIx64 " at %" PRIu64 ", event %" PRIu64 "%s%s%s",
			       s->rb, r->at, e->id, owner ? " of " : "", owner ? owner : "",
			       sample->surplus ? ", longer than its fields" : "");
	t->cpu = sample->has & OTST_PERF_SAMPLE_CPU ? (int)sample->cpu : e->cpu;
	t->pid = sample->has & OTST_PERF_SAMPLE_TID ? sample->tid : -1;
	t->headline = name_event(s, e);
	t->consumed = r->consumed;
	if (r->writing)
		t->error = "it was being written when the kernel stopped";
	else if (sample->surplus && !has_surplus(e))
		t->error = otst_format(s->o,
				       "a record of %u byte%s has %" PRIu64 " more than its fields",
				       r->size, otst_number(r->size, "", "s"), sample->surplus);
	return take_stack(s, sample, r, t);
}

static int take_sample(struct search *s, const struct otst_perf_record *r)
{
	const struct otst_perf_event *e = event_of(s, r);
	struct otst_perf_sample sample;
	int err;

	if (!e)
		return otst_raise(s->o, OTST_ERR_CORRUPT, "a sample of no event of this buffer");
	err = otst_perf_sample_read(s->o, &e->attr, r, &sample);
	if (err)
		return err;
	if (!(sample.has & (OTST_PERF_SAMPLE_CALLCHAIN | OTST_PERF_SAMPLE_IP)) ||
	    (s->filter->pid >= 0 && sample.tid != s->filter->pid))
		return 0;
	return add_sample_trace(s, e, &sample, r);
}

/* ---- records ---- */

static int take_other(struct search *s, const struct otst_perf_record *r)
{
	const struct otst_perf_event *e = event_of(s, r);
	struct otst_perf_sample trailer = { .has = 0 };
	const uint8_t *body = r->data + OTST_PERF_HEADER;

	if (e && otst_perf_sample_read(s->o, &e->attr, r, &trailer))
		trailer.time = 0;
	if (r->type == OTST_PERF_RECORD_COMM) {
		otst_perf_comm_add(s->o, &s->comms, r, trailer.time);
		return 0;
	}
	if (r->type == OTST_PERF_RECORD_DEFERRED)
		return otst_perf_deferred_take(s->o, &s->deferred, &s->known, r);
	if (r->type == OTST_PERF_RECORD_FORK) {
		otst_perf_fork_add(s->o, &s->comms, r);
		return 0;
	}
	if (r->type == OTST_PERF_RECORD_LOST && r->size >= OTST_PERF_HEADER + 2 * WORD)
		s->lost += otst_get(s->o, body + WORD, WORD);
	else if (r->type == OTST_PERF_RECORD_LOST_SAMPLES && r->size >= OTST_PERF_HEADER + WORD)
		s->lost += otst_get(s->o, body, WORD);
	return 0;
}

static int take_record(void *priv, const struct otst_perf_record *r)
{
	struct search *s = priv;
	int err;

	if (!r->data)
		err = otst_raise(s->o, OTST_ERR_CORRUPT, "%" PRIu64 " byte%s left out: %s", r->gap,
				 otst_number(r->gap, "", "s"), r->error);
	else if (r->type == OTST_PERF_RECORD_SAMPLE)
		err = take_sample(s, r);
	else
		err = take_other(s, r);
	if (!err || otst_fatal(err))
		return err;
	otst_fail(s->o, err, "perf buffer 0x%" PRIx64 " at %" PRId64, s->rb, (int64_t)r->at);
	return otst_traces_note(s->ret, err);
}

/* ---- buffers ---- */

/* find the events that write to the buffer of event @first; false if it was met before */
static bool meet_buffer(struct search *s, size_t first)
{
	const struct otst_perf_event *items = s->events->items;
	uint64_t rb = items[first].rb;

	if (!rb)
		return false;
	for (size_t i = 0; i < first; i++) {
		if (writes_to(&items[i], rb))
			return false;
	}
	s->rb = rb;
	s->any = &items[first];
	s->alone = true;
	for (size_t i = first + 1; i < s->events->count; i++)
		s->alone &= !writes_to(&items[i], rb);
	return true;
}

/* its buffer, if it has one of its own, is not read */
static int note_event(struct search *s, const struct otst_perf_event *e)
{
	return otst_traces_note(s->ret,
				otst_raise(s->o, OTST_ERR_CORRUPT, "perf event 0x%" PRIx64 ": %s",
					   e->addr, e->error));
}

/* Intel PT, BTS and the like: branches of a cpu, in their own format */
static int note_aux(struct search *s, const struct otst_perf_buffer *b)
{
	const char *owner = otst_perf_owner_name(s->o, s->any);

	if (b->aux_error)
		return otst_traces_note(s->ret,
					otst_raise(s->o, OTST_ERR_CORRUPT,
						   "AUX area of perf buffer 0x%" PRIx64 ": %s",
						   s->rb, b->aux_error));
	if (!b->aux_size)
		return 0;
	otst_note_text(s->o, &s->ret->notes,
		       otst_format(s->o,
				   "perf: buffer 0x%" PRIx64 " has an AUX area of %" PRIu64
				   " bytes, which is not decoded: %s%s%s, head %" PRIu64
				   ", tail %" PRIu64 "%s",
				   s->rb, b->aux_size, name_event(s, s->any), owner ? " of " : "",
				   owner ? owner : "", b->aux_head, b->aux_tail,
				   b->aux_overwrite ? ", overwrite" : ""));
	return 0;
}

static int read_perf_buffer(struct search *s)
{
	struct otst_perf_filter filter = {
		.each = take_record, .consumed = true, .plausible = is_plausible, .priv = s
	};
	struct otst_perf_buffer *b;
	int err = otst_perf_buffer_open(s->o, s->rb, &b);

	if (err)
		return otst_traces_note(s->ret, err);
	s->lost += b->lost;
	s->deferred.waiting.count = 0;
	err = note_aux(s, b);
	return err ? err : otst_perf_buffer_walk(b, &filter);
}

static void note_lost(struct search *s)
{
	if (!s->lost)
		return;
	otst_note_text(s->o, &s->ret->notes,
		       otst_format(s->o, "perf: %" PRIu64 " record%s found no room in their buffer",
				   s->lost, otst_number(s->lost, "", "s")));
}

/* after all buffers are read, as each may name the tasks of any other */
static int name_tasks(struct search *s, size_t first)
{
	int err = otst_perf_comms_sort(s->o, &s->comms);

	for (size_t i = first; !err && i < s->ret->items.count; i++) {
		struct otst_trace *t = otst_trace_at(s->ret, i);

		t->comm = otst_perf_comm(&s->comms, t->pid, t->time, t->cpu);
	}
	return err;
}

int otst_source_perf(struct otst *o, const struct otst_trace_filter *filter,
		     struct otst_traces *ret)
{
	struct search s = { .o = o, .filter = filter, .ret = ret };
	size_t i, first = ret->items.count;
	int err = otst_perf_events(o, &s.events);

	if (err)
		return err;
	s.names = otst_alloc(o, (s.events->count + 1) * sizeof(*s.names));
	if (!s.names)
		return otst_no_memory(o);
	for (i = 0; i < s.events->count && !err; i++) {
		if (s.events->items[i].error)
			err = note_event(&s, &s.events->items[i]);
		else if (meet_buffer(&s, i))
			err = read_perf_buffer(&s);
	}
	if (!err)
		note_lost(&s);
	err = err ?: name_tasks(&s, first);
	if (!err)
		otst_notes(o, &ret->errors, &s.events->errors);
	return err;
}
