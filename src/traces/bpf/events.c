// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * events.c - records that BPF programs sent to user space, as traces when
 * they name a stack. They come from BPF ring buffers, and from the perf events in
 * a perf event array (struct bpf_array and bpf_event_entry of include/linux/bpf.h).
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/sorted.h"
#include "bpf.h"
#include "../../rings/bpf_ringbuf.h"
#include "../../rings/perf_sample.h"

#define MAX_CPUS   8192u
#define MAX_EVENTS (4u << 20)
#define MAX_PID	   4194304u /* PID_MAX_LIMIT */
#define PID_AT	   8u	    /* stacksnoop: u64 stack_id, u32 pid, char comm[16] */
#define COMM_AT	   12u
#define COMM_SIZE  16u

/* a record from either kind of buffer */
struct event {
	const uint8_t *data;
	uint32_t size;
	const char *state;
	const char *where;
	int cpu;
	int64_t pid;
	uint64_t time;
	bool has_time;
};

struct reading {
	struct otst_bpf_search *s;
	const struct otst_map *map;
	struct otst_vec events;
	struct otst_vec candidates;
	struct otst_vec stacks; /* of the record at hand */
	struct otst_perf_attr attr;
	const struct otst_probe *probe;
	int cpu;
	size_t without; /* records that name no stack */
};

static struct event *add_perf_event(struct reading *r)
{
	struct event *e;

	if (r->events.count >= MAX_EVENTS) {
		otst_raise(r->s->o, OTST_ERR_CORRUPT, "more than %u records", MAX_EVENTS);
		return NULL;
	}
	e = otst_vec_push(r->s->o, &r->events, sizeof(*e));
	if (!e)
		otst_no_memory(r->s->o);
	else
		*e = (struct event){ .cpu = -1, .pid = -1 };
	return e;
}

/* ---- ring buffers ---- */

static const char *ring_state(const struct otst_ringbuf_record *rec)
{
	static const char *const states[] = {
		[OTST_RINGBUF_UNREAD] = "unread",
		[OTST_RINGBUF_READ] = "read",
		[OTST_RINGBUF_BUSY] = "busy",
	};

	return rec->discarded ? "discarded" : states[rec->state];
}

static int read_bpf_ring(struct reading *r)
{
	struct otst_vec records = { 0 };
	struct otst_messages errors = { 0 };
	const struct otst_ringbuf_record *rec;
	struct event *e;
	size_t i;
	int err = otst_ringbuf_read(r->s->o, r->map->addr, &records, &errors);

	err = err ?: otst_bpf_errors(r->s, r->map, &errors);
	for (i = 0, rec = records.data; i < records.count && !err; i++, rec++) {
		e = add_perf_event(r);
		if (!e)
			return OTST_ERR_NOMEM;
		e->data = rec->data;
		e->size = rec->size;
		e->state = ring_state(rec);
		e->where = otst_format(r->s->o, "BPF map %u position %" PRIu64, r->map->id,
				       rec->position);
	}
	return err;
}

/* ---- perf event arrays ---- */

static int add_event_gap(struct reading *r, const struct otst_perf_record *rec)
{
	struct otst *o = r->s->o;

	return otst_traces_note(r->s->out, otst_raise(o, OTST_ERR_CORRUPT,
						      "BPF map %u %s, cpu %d: %" PRIu64
						      " byte%s at %" PRIu64 ": %s",
						      r->map->id, r->map->name, r->cpu, rec->gap,
						      otst_number(rec->gap, "", "s"), rec->at,
						      rec->error ? rec->error : "no records"));
}

static int take_perf_record(void *priv, const struct otst_perf_record *rec)
{
	struct reading *r = priv;
	struct otst_perf_sample sample;
	struct otst *o = r->s->o;
	uint8_t *copy;
	struct event *e;
	int err;

	if (rec->gap)
		return add_event_gap(r, rec);
	if (rec->type != OTST_PERF_RECORD_SAMPLE)
		return 0;
	err = otst_perf_sample_read(o, &r->attr, rec, &sample);
	if (!err && sample.surplus)
		err = otst_raise(o, OTST_ERR_CORRUPT, "%" PRIu64 " byte%s behind its fields",
				 sample.surplus, otst_number(sample.surplus, "", "s"));
	if (err)
		return otst_traces_note(
			r->s->out, otst_fail(o, err, "BPF map %u %s, cpu %d, record at %" PRIu64,
					     r->map->id, r->map->name, r->cpu, rec->at));
	e = add_perf_event(r);
	copy = otst_alloc(o, (size_t)sample.raw_size + 1);
	if (!e || !copy)
		return OTST_ERR_NOMEM;
	if (sample.raw_size)
		memcpy(copy, sample.raw, sample.raw_size);
	e->data = copy;
	e->size = sample.raw_size;
	e->state = rec->writing ? "busy" : rec->consumed ? "read" : "unread";
	e->cpu = r->cpu;
	e->pid = sample.has & OTST_PERF_SAMPLE_TID ? sample.pid : -1;
	e->time = sample.time;
	e->has_time = sample.has & OTST_PERF_SAMPLE_TIME;
	e->where =
		otst_format(o, "BPF map %u cpu %d position %" PRIu64, r->map->id, r->cpu, rec->at);
	return 0;
}

/* bytes that look like a record are one if its fields fill it exactly */
static bool is_plausible(void *priv, const struct otst_perf_record *rec)
{
	struct reading *r = priv;
	struct otst_perf_sample sample;

	return rec->type != OTST_PERF_RECORD_SAMPLE ||
	       (!otst_perf_sample_read(r->s->o, &r->attr, rec, &sample) && !sample.surplus);
}

static int read_event_buffer(struct reading *r, uint64_t entry)
{
	struct otst_perf_filter filter = {
		.each = take_perf_record, .consumed = true, .plausible = is_plausible, .priv = r
	};
	struct otst_perf_buffer *buffer;
	const struct otst_member *attr;
	struct otst *o = r->s->o;
	uint64_t event, rb;
	int err;

	err = otst_read_member(o, "bpf_event_entry", entry, "event", &event);
	err = err ?: otst_read_member(o, "perf_event", event, "rb", &rb);
	if (err || !rb)
		return err;
	err = otst_member(o, "perf_event", "attr", &attr);
	err = err ?: otst_perf_attr_read(o, event + attr->offset, &r->attr);
	err = err ?: otst_perf_buffer_open(o, rb, &buffer);
	return err ? err : otst_perf_buffer_walk(buffer, &filter);
}

static int read_perf_array(struct reading *r)
{
	struct otst *o = r->s->o;
	const struct otst_member *ptrs;
	uint64_t entry;
	uint32_t i, n = r->map->max_entries < MAX_CPUS ? r->map->max_entries : MAX_CPUS;
	int err;

	err = otst_member(o, "bpf_array", "ptrs", &ptrs);
	for (i = 0; i < n && !err; i++) {
		err = otst_read_u64(o, r->map->addr + ptrs->offset + i * 8, &entry);
		if (err || !entry)
			continue;
		r->cpu = (int)i;
		err = read_event_buffer(r, entry);
		if (err)
			err = otst_traces_note(r->s->out, otst_fail(o, err, "BPF map %u %s, cpu %u",
								    r->map->id, r->map->name, i));
	}
	return err;
}

/* ---- traces ---- */

static bool is_comm(const uint8_t *at)
{
	size_t i;

	for (i = 0; i < COMM_SIZE && at[i]; i++) {
		if (!isprint(at[i]))
			return false;
	}
	return i && i < COMM_SIZE;
}

/* stacksnoop's record: its stack id, a process and its name */
static void read_task(const struct reading *r, const struct event *e, const struct otst_vec *slots,
		      struct otst_trace *t)
{
	const struct otst_slot *slot = slots->data;
	uint64_t pid;

	t->pid = e->pid;
	if (slot->form != OTST_SLOT_ID || slot->offset || e->size < COMM_AT + COMM_SIZE)
		return;
	pid = otst_get(r->s->o, e->data + PID_AT, 4);
	if (pid > MAX_PID || !is_comm(e->data + COMM_AT))
		return;
	t->pid = (int64_t)pid;
	t->comm = otst_clean(r->s->o, (const char *)e->data + COMM_AT);
}

static int add_perf_trace(struct reading *r, const struct event *e, const struct otst_vec *slots)
{
	struct otst_trace *t = otst_bpf_trace(r->s, r->map, slots->count);
	int err;

	if (!t)
		return OTST_ERR_NOMEM;
	t->where = e->where;
	t->cpu = e->cpu;
	t->seq = r->s->out->items.count;
	if (e->has_time) {
		t->clock = OTST_CLOCK_LOCAL;
		t->time = e->time;
	}
	t->consumed = !strcmp(e->state, "read");
	t->bpf->state = e->state;
	t->bpf->data = otst_bpf_text(r->s->o, e->data, e->size, NULL, slots);
	t->bpf->data_bytes = (struct otst_trace_bytes){ e->data, e->size };
	otst_bpf_belongs(t, r->probe);
	read_task(r, e, slots, t);
	r->stacks.count = 0;
	err = otst_slots_join(r->s->o, slots, e->data, e->size, t, &r->stacks);
	if (!err)
		otst_stacks_lines(r->s->o, &r->stacks, t);
	return err;
}

static int by_size(const void *a, const void *b)
{
	const struct event *x = *(struct event *const *)a, *y = *(struct event *const *)b;

	return otst_cmp(x->size, y->size) ?: otst_cmp(x, y);
}

/* find the stacks in @count records of the same size; records being written do not count */
static int find_event_slots(struct reading *r, struct event *const *events, size_t count,
			    struct otst_vec *slots)
{
	const uint8_t **items = otst_alloc(r->s->o, (count + 1) * sizeof(*items));
	struct otst_vec leaves = { 0 };
	struct otst_samples s = {
		.o = r->s->o,
		.part = "data",
		.items = items,
		.size = events[0]->size,
		.leaves = &leaves,
		.stacks = r->candidates.data,
		.nr_stacks = r->candidates.count,
	};

	if (!items)
		return otst_no_memory(r->s->o);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(events[i]->state, "busy") && strcmp(events[i]->state, "discarded"))
			items[s.count++] = events[i]->data;
	}
	return otst_slots_guess(&s, slots);
}

/* find the slots of each record, by its size; @ret has one entry per record */
static int find_all_slots(struct reading *r, struct otst_vec *ret)
{
	struct event *all = r->events.data, **sorted;
	size_t i, next, k, n = r->events.count;
	struct otst_vec slots;
	int err = 0;

	sorted = otst_alloc(r->s->o, (n + 1) * sizeof(*sorted));
	if (!sorted)
		return otst_no_memory(r->s->o);
	for (i = 0; i < n; i++)
		sorted[i] = &all[i];
	otst_sort(sorted, n, sizeof(*sorted), by_size);
	for (i = 0; i < n && !err; i = next) {
		for (next = i + 1; next < n && sorted[next]->size == sorted[i]->size;)
			next++;
		slots = (struct otst_vec){ 0 };
		err = find_event_slots(r, sorted + i, next - i, &slots);
		for (k = i; k < next; k++)
			ret[sorted[k] - all] = slots;
	}
	return err;
}

static void note_without(struct reading *r)
{
	if (!r->without)
		return;
	otst_note_text(r->s->o, &r->s->out->notes,
		       otst_format(r->s->o, "%zu record%s of BPF map %u %s name%s no stack",
				   r->without, otst_number(r->without, "", "s"), r->map->id,
				   r->map->name, otst_number(r->without, "s", "")));
}

static int add_event_traces(struct reading *r)
{
	struct otst_vec *slots = otst_alloc(r->s->o, (r->events.count + 1) * sizeof(*slots));
	const struct event *e = r->events.data;
	int err;

	if (!slots)
		return otst_no_memory(r->s->o);
	err = find_all_slots(r, slots);
	err = err ?: otst_bpf_probe(r->s, r->map, &r->probe);
	for (size_t i = 0; i < r->events.count && !err; i++) {
		if (slots[i].count)
			err = add_perf_trace(r, &e[i], &slots[i]);
		else
			r->without++;
	}
	if (!err)
		note_without(r);
	return err;
}

int otst_bpf_events(struct otst_bpf_search *s, const struct otst_map *m)
{
	struct reading r = { .s = s, .map = m };
	int err;

	otst_bpf_candidates(s, m, &r.candidates);
	err = m->type == OTST_MAP_RINGBUF ? read_bpf_ring(&r) : read_perf_array(&r);
	return err || !r.events.count ? err : add_event_traces(&r);
}
