// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * hash.c - elements of BPF's hash maps: struct bpf_htab, bucket and
 * htab_elem of kernel/bpf/hashtab.c. In an element the head is followed by the
 * key, rounded up to 8 bytes, and then by the value, or in a per-cpu map by a
 * per-cpu pointer to it. Elements on free lists are on no bucket's chain.
 */
#include <inttypes.h>

#include "bpf.h"

#define MAX_BUCKETS	(64u << 20)
#define MAX_ELEMENTS	(4u << 20)
#define MOST_BEFORE_KEY 4096u
#define CHUNK		65536u /* bytes of buckets read at once */

struct table {
	struct otst *o;
	const struct otst_map *map;
	uint64_t buckets, count; /* address and number of the buckets */
	uint64_t stride;	 /* bytes of one bucket */
	uint64_t key, hash, link;
	bool percpu;
	size_t most;
	struct otst_vec *elements;
	size_t bad;
	const char *first_error;
};

static size_t round_up(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

bool otst_map_is_hash(const struct otst_map *m)
{
	return m->type == OTST_MAP_HASH || m->type == OTST_MAP_PERCPU_HASH ||
	       m->type == OTST_MAP_LRU_HASH || m->type == OTST_MAP_LRU_PERCPU_HASH;
}

/*
 * Other structures have these names, too. Before 5.10 net/core/sock_map.c has a
 * bpf_htab with buckets_num, and net/core/bpf_sk_storage.c has a bucket that starts
 * with "list"; bcache has a bucket in every kernel.
 */
static int read_hash_layout(struct table *t)
{
	static const char htab[] = "bpf_htab{n_buckets}";
	const struct otst_member *buckets;
	struct otst *o = t->o;
	const char *type;
	int err;

	err = otst_read_member(o, htab, t->map->addr, "buckets", &t->buckets);
	err = err ?: otst_read_member(o, htab, t->map->addr, "n_buckets", &t->count);
	err = err ?: otst_member(o, htab, "buckets", &buckets);
	if (err)
		return err;
	/* before v4.5 buckets are plain list heads */
	type = !*buckets->type || !strcmp(buckets->type, "bucket") ? "bucket{head}" : buckets->type;
	err = otst_type_size(o, type, &t->stride);
	err = err ?: otst_offset(o, "htab_elem", "key", &t->key);
	err = err ?: otst_offset(o, "htab_elem", "hash", &t->hash);
	err = err ?: otst_offset(o, "htab_elem", "hash_node", &t->link);
	if (err)
		return err;
	if (!t->count || t->count > MAX_BUCKETS || t->count & (t->count - 1) || t->stride < 8 ||
	    t->stride > 4096)
		return otst_raise(o, OTST_ERR_CORRUPT, "%" PRIu64 " buckets of %" PRIu64 " bytes",
				  t->count, t->stride);
	/* what precedes the key is read with it; types may be damaged, too */
	if (t->key > MOST_BEFORE_KEY || t->hash + 4 > t->key)
		return otst_raise(o, OTST_ERR_CORRUPT, "struct htab_elem makes no sense");
	return 0;
}

static int read_percpu_slot(struct table *t, uint64_t ptr, struct otst_element *e)
{
	const struct otst_kernel *k = otst_kernel(t->o);
	size_t size = round_up(t->map->value_size);
	uint8_t *values = otst_alloc(t->o, size * k->nr_cpus + 1);
	int err = 0;

	if (!values)
		return otst_no_memory(t->o);
	for (unsigned int cpu = 0; cpu < k->nr_cpus && !err; cpu++)
		err = otst_read(t->o, otst_percpu(t->o, ptr, cpu), values + cpu * size,
				t->map->value_size);
	if (err)
		return err;
	e->value = values;
	e->nr_values = k->nr_cpus;
	e->stride = (uint32_t)size;
	return 0;
}

/*
 * The pointer to the values of all cpus comes right after the key in 5.10 and 6.1,
 * later at the next multiple of 8. If it is read too early, what is read is padding
 * and half a pointer, and leads nowhere.
 */
static uint64_t percpu_pointer(struct table *t, const uint8_t *key)
{
	uint64_t packed = otst_get(t->o, key + t->map->key_size, 8);
	uint64_t at = otst_percpu(t->o, packed, 0);
	uint8_t byte;

	if (packed && otst_is_kernel_pointer(t->o, at) && !otst_read(t->o, at, &byte, 1))
		return packed;
	return otst_get(t->o, key + round_up(t->map->key_size), 8);
}

static int read_element(struct table *t, uint64_t at, uint64_t bucket)
{
	size_t key_room = round_up(t->map->key_size);
	size_t size = t->key + key_room + (t->percpu ? 8 : t->map->value_size);
	uint8_t *raw = otst_alloc(t->o, size);
	struct otst_element e, *slot;
	uint64_t hash;
	int err = otst_read(t->o, at, raw, size);

	if (err)
		return err;
	hash = otst_get(t->o, raw + t->hash, 4);
	if ((hash & (t->count - 1)) != bucket)
		return otst_raise(t->o, OTST_ERR_CORRUPT,
				  "what lies at 0x%" PRIx64 " has the hash of another bucket", at);
	e = (struct otst_element){ .at = at, .size = size, .key = raw + t->key };
	if (t->percpu) {
		e.percpu = percpu_pointer(t, raw + t->key);
		err = read_percpu_slot(t, e.percpu, &e);
		if (err && otst_fatal(err))
			return err;
		e.error = err ? otst_format(t->o, "value: %s", otst_message(t->o)) : NULL;
	} else {
		e.value = raw + t->key + key_room;
		e.nr_values = 1;
		e.stride = t->map->value_size;
	}
	if (t->elements->count >= MAX_ELEMENTS)
		return otst_raise(t->o, OTST_ERR_CORRUPT, "more than %u elements", MAX_ELEMENTS);
	slot = otst_vec_push(t->o, t->elements, sizeof(*slot));
	*slot = e;
	return 0;
}

static int read_map_bucket(struct table *t, uint64_t bucket, uint64_t first)
{
	struct otst_walk w;
	uint64_t node, null = bucket << 1 | 1;
	int err = 0;

	/* hlist_nulls: the bucket's own odd number ends a chain; up to 4.10 it is NULL */
	if (!first || first == null)
		return 0;
	otst_walk_chain(t->o, first, 0, null, &w);
	while (!err && t->elements->count < t->most && otst_walk_next(&w, &node))
		err = read_element(t, node - t->link, bucket);
	return err ? err : w.err;
}

/* a damaged table may have thousands of bad buckets: report all of them in one line */
static int note_bad_element(struct table *t, uint64_t bucket, int err)
{
	if (otst_fatal(err))
		return err;
	if (!t->bad++)
		t->first_error =
			otst_format(t->o, "bucket %" PRIu64 ": %s", bucket, otst_message(t->o));
	return 0;
}

static int read_map_buckets(struct table *t)
{
	size_t many = CHUNK / t->stride, i, k, n;
	uint8_t *raw = otst_alloc(t->o, CHUNK);
	int err = 0;

	if (!raw)
		return otst_no_memory(t->o);
	for (i = 0; i < t->count && !err && t->elements->count < t->most; i += n) {
		n = t->count - i < many ? t->count - i : many;
		err = otst_read(t->o, t->buckets + i * t->stride, raw, n * t->stride);
		for (k = 0; k < n && !err; k++) {
			err = read_map_bucket(t, i + k, otst_get(t->o, raw + k * t->stride, 8));
			if (err)
				err = note_bad_element(t, i + k, err);
		}
		if (err)
			err = note_bad_element(t, i, err);
		err = err ?: otst_check(t->o);
	}
	return err;
}

int otst_map_elements(struct otst *o, const struct otst_map *m, size_t most,
		      struct otst_vec *elements, struct otst_messages *errors)
{
	struct table t = {
		.o = o,
		.map = m,
		.percpu = m->type == OTST_MAP_PERCPU_HASH || m->type == OTST_MAP_LRU_PERCPU_HASH,
		.most = most ? most : MAX_ELEMENTS + 1,
		.elements = elements,
	};
	int err;

	if (m->key_size > CHUNK || m->value_size > (1u << 26))
		return otst_raise(o, OTST_ERR_CORRUPT, "keys of %u byte%s, values of %u",
				  m->key_size, otst_number(m->key_size, "", "s"), m->value_size);
	err = read_hash_layout(&t);
	err = err ?: read_map_buckets(&t);
	if (!err && t.bad)
		err = otst_note(o, errors,
				otst_raise(o, OTST_ERR_CORRUPT, "%zu bad bucket%s, the first: %s",
					   t.bad, otst_number(t.bad, "", "s"), t.first_error));
	return err;
}
