// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * elements.c - elements of BPF hash maps whose key or value names a stack, as
 * traces: what stackcount, offcputime, profile and bpftrace's @[kstack] count.
 */
#include <inttypes.h>

#include "bpf.h"

#define SAMPLE 4096u /* elements that are searched for slots */

/* a hash map that is being read */
struct reading {
	struct otst_bpf_search *s;
	const struct otst_map *map;
	struct otst_vec elements;
	struct otst_vec keys, values;		/* of struct otst_leaf */
	struct otst_vec key_slots, value_slots; /* of struct otst_slot */
	struct otst_vec stacks;			/* of the element at hand */
	const struct otst_probe *probe;
};

static int read_types(struct reading *r)
{
	struct otst *o = r->s->o;
	struct otst_blob *blob;
	int err;

	if (!r->map->btf)
		return 0;
	err = otst_blob_open(o, r->map->btf, &blob);
	err = err ?: otst_blob_leaves(o, blob, r->map->key_type, r->map->key_size, &r->keys);
	err = err ?: otst_blob_leaves(o, blob, r->map->value_type, r->map->value_size, &r->values);
	if (!err)
		return 0;
	return otst_traces_note(r->s->out, otst_fail(o, err, "types of BPF map %u", r->map->id));
}

/* keys, or first values, of the elements */
static int collect_samples(struct reading *r, bool values, const struct otst_vec *candidates,
			   struct otst_samples *ret)
{
	const struct otst_element *e = r->elements.data;
	const uint8_t **items = otst_alloc(r->s->o, (r->elements.count + 1) * sizeof(*items));
	size_t i, n = 0;

	if (!items)
		return otst_no_memory(r->s->o);
	for (i = 0; i < r->elements.count; i++) {
		if (values ? !!e[i].value : true)
			items[n++] = values ? e[i].value : e[i].key;
	}
	*ret = (struct otst_samples){
		.o = r->s->o,
		.part = values ? "value" : "key",
		.items = items,
		.count = n,
		.size = values ? r->map->value_size : r->map->key_size,
		.leaves = values ? &r->values : &r->keys,
		.stacks = candidates->data,
		.nr_stacks = candidates->count,
	};
	return 0;
}

static int find_slots(struct reading *r, const struct otst_vec *candidates)
{
	struct otst_samples keys, values;
	int err = collect_samples(r, false, candidates, &keys);

	err = err ?: collect_samples(r, true, candidates, &values);
	err = err ?: otst_slots_typed(&keys, &r->key_slots);
	err = err ?: otst_slots_typed(&values, &r->value_slots);
	if (err || r->key_slots.count || r->value_slots.count)
		return err;
	err = otst_slots_guess(&keys, &r->key_slots);
	return err ? err : otst_slots_guess(&values, &r->value_slots);
}

static int join_element(struct reading *r, const struct otst_element *e, struct otst_trace *t)
{
	struct otst *o = r->s->o;
	int err;

	r->stacks.count = 0;
	err = otst_slots_join(o, &r->key_slots, e->key, r->map->key_size, t, &r->stacks);
	if (!err && e->value)
		err = otst_slots_join(o, &r->value_slots, e->value, r->map->value_size, t,
				      &r->stacks);
	if (!err)
		otst_stacks_lines(o, &r->stacks, t);
	return err;
}

static bool is_one_number(const struct reading *r)
{
	return r->values.count <= 1;
}

/* the values of all cpus, and their sum */
static int add_values(struct reading *r, const struct otst_element *e, struct otst_trace_bpf *b,
		      struct otst_trace *t)
{
	/* a value that itself names a stack is not a count: it belongs to one capture */
	bool counts = !r->value_slots.count, known = false;
	struct otst *o = r->s->o;
	uint64_t number, sum = 0;
	const char **texts;

	texts = otst_alloc(o, (e->nr_values + 1) * sizeof(*texts));
	if (!texts)
		return otst_no_memory(o);
	for (uint32_t i = 0; i < e->nr_values; i++) {
		const uint8_t *at = e->value + (size_t)i * e->stride;

		texts[i] = otst_bpf_text(o, at, r->map->value_size, &r->values, &r->value_slots);
		if (!texts[i])
			return otst_no_memory(o);
		if (counts &&
		    otst_bpf_number(r->s->o, at, r->map->value_size, &r->values, &number)) {
			known = true;
			sum += number;
		}
	}
	if (known)
		t->count = sum;
	if (e->nr_values == 1) {
		b->value = texts[0];
	} else if (e->nr_values) {
		b->values = texts;
		b->nr_values = e->nr_values;
		b->value = known && is_one_number(r) ? otst_format(o, "%" PRIu64, sum) : NULL;
	}
	return 0;
}

static int add_element(struct reading *r, const struct otst_element *e)
{
	struct otst *o = r->s->o;
	struct otst_trace *t =
		otst_bpf_trace(r->s, r->map, r->key_slots.count + r->value_slots.count);
	struct otst_trace_bpf *b;
	int err;

	if (!t)
		return OTST_ERR_NOMEM;
	b = t->bpf;
	b->key = otst_bpf_text(o, e->key, r->map->key_size, &r->keys, &r->key_slots);
	if (!b->key)
		return otst_no_memory(o);
	b->key_bytes = (struct otst_trace_bytes){ e->key, r->map->key_size };
	if (e->value)
		b->value_bytes = (struct otst_trace_bytes){
			e->value, (size_t)(e->nr_values - 1) * e->stride + r->map->value_size
		};
	t->error = e->error;
	otst_bpf_belongs(t, r->probe);
	err = otst_bpf_task(o, e->key, &r->keys, t);
	if (!err && e->value)
		err = otst_bpf_task(o, e->value, &r->values, t);
	err = err ?: add_values(r, e, b, t);
	return err ? err : join_element(r, e, t);
}

int otst_bpf_elements(struct otst_bpf_search *s, const struct otst_map *m)
{
	struct reading r = { .s = s, .map = m };
	struct otst_vec candidates = { 0 };
	const struct otst_element *e;
	struct otst_messages errors = { 0 };
	size_t i;
	int err;

	otst_bpf_candidates(s, m, &candidates);
	err = read_types(&r);
	/* look at some of them first: most maps have nothing to do with stacks */
	err = err ?: otst_map_elements(s->o, m, SAMPLE, &r.elements, &errors);
	err = err ?: find_slots(&r, &candidates);
	if (err)
		return err;
	if (!r.key_slots.count && !r.value_slots.count)
		return otst_bpf_errors(s, m, &errors);
	if (r.elements.count >= SAMPLE) {
		r.elements.count = errors.count = 0;
		err = otst_map_elements(s->o, m, 0, &r.elements, &errors);
	}
	err = err ?: otst_bpf_errors(s, m, &errors);
	err = err ?: otst_bpf_probe(s, m, &r.probe);
	for (i = 0, e = r.elements.data; i < r.elements.count && !err; i++)
		err = add_element(&r, &e[i]);
	return err;
}
