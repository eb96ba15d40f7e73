// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * objects.c - every BPF program and map with an id: prog_idr and map_idr
 * of kernel/bpf/syscall.c, struct bpf_map and bpf_prog_aux.used_maps of
 * include/linux/bpf.h.
 */
#include <inttypes.h>

#include "bpf.h"

#define MAX_USED 4096u /* maps of one program */

const char *otst_map_type_name(uint32_t type)
{
	static const char *const names[] = {
		[OTST_MAP_HASH] = "hash",
		[OTST_MAP_ARRAY] = "array",
		[OTST_MAP_PROG_ARRAY] = "prog_array",
		[OTST_MAP_PERF_EVENT_ARRAY] = "perf_event_array",
		[OTST_MAP_PERCPU_HASH] = "percpu_hash",
		[OTST_MAP_PERCPU_ARRAY] = "percpu_array",
		[OTST_MAP_STACK_TRACE] = "stack_trace",
		[OTST_MAP_LRU_HASH] = "lru_hash",
		[OTST_MAP_LRU_PERCPU_HASH] = "lru_percpu_hash",
		[OTST_MAP_RINGBUF] = "ringbuf",
	};

	return type < sizeof(names) / sizeof(*names) ? names[type] : NULL;
}

static int check_id(struct otst *o, uint64_t id, uint64_t entry)
{
	if (id == entry)
		return 0;
	return otst_raise(o, OTST_ERR_CORRUPT, "says it is %" PRIu64, id);
}

static int read_bpf_map(struct otst *o, const struct otst_idr_entry *e, struct otst_map *ret)
{
	struct otst_view v;
	int err;

	err = otst_view_read(o, "bpf_map", e->ptr, &v);
	if (err)
		return err;
	*ret = (struct otst_map){
		.addr = e->ptr,
		.id = (uint32_t)otst_u64(&v, "id"),
		.type = (uint32_t)otst_u64(&v, "map_type"),
		.key_size = (uint32_t)otst_u64(&v, "key_size"),
		.value_size = (uint32_t)otst_u64(&v, "value_size"),
		.max_entries = (uint32_t)otst_u64(&v, "max_entries"),
		.flags = (uint32_t)otst_u64_or(&v, "map_flags", 0),
		.name = otst_view_has(&v, "name") ? otst_chars(&v, "name") : "",
		.btf = otst_u64_or(&v, "btf", 0),
		.key_type = (uint32_t)otst_u64_or(&v, "btf_key_type_id", 0),
		.value_type = (uint32_t)otst_u64_or(&v, "btf_value_type_id", 0),
	};
	return v.err ? v.err : check_id(o, ret->id, e->id);
}

static int read_used_maps(struct otst *o, uint64_t prog, struct otst_user *ret)
{
	uint64_t aux, at, count, i, *maps;
	int err;

	err = otst_read_member(o, "bpf_prog", prog, "aux", &aux);
	err = err ?: otst_read_member(o, "bpf_prog_aux", aux, "used_map_cnt", &count);
	err = err ?: otst_read_member(o, "bpf_prog_aux", aux, "used_maps", &at);
	if (err || !count)
		return err;
	if (count > MAX_USED)
		return otst_raise(o, OTST_ERR_CORRUPT, "uses %" PRIu64 " maps", count);
	maps = otst_alloc(o, count * sizeof(*maps));
	err = otst_read(o, at, maps, count * sizeof(*maps));
	if (err)
		return err;
	for (i = 0; i < count; i++)
		maps[i] = otst_get(o, &maps[i], sizeof(*maps));
	ret->maps = maps;
	ret->nr_maps = count;
	return 0;
}

static int read_user(struct otst *o, const struct otst_idr_entry *e, struct otst_user *ret)
{
	int err = otst_program_read(o, e->ptr, &ret->program);

	err = err ?: check_id(o, ret->program.id, e->id);
	return err ? err : read_used_maps(o, e->ptr, ret);
}

static int read_maps(struct otst *o, const struct otst_vec *entries, struct otst_bpf *b)
{
	const struct otst_idr_entry *e = entries->data;
	struct otst_map *m;
	int err = 0;

	for (size_t i = 0; i < entries->count && !err; i++) {
		m = otst_vec_push(o, &b->maps, sizeof(*m));
		err = read_bpf_map(o, &e[i], m);
		if (!err)
			continue;
		otst_vec_pop(&b->maps);
		err = otst_note(o, &b->errors, otst_fail(o, err, "BPF map %" PRIu64, e[i].id));
	}
	return err;
}

static int read_users(struct otst *o, const struct otst_vec *entries, struct otst_bpf *b)
{
	const struct otst_idr_entry *e = entries->data;
	struct otst_user *u;
	int err = 0;

	for (size_t i = 0; i < entries->count && !err; i++) {
		u = otst_vec_push(o, &b->users, sizeof(*u));
		err = read_user(o, &e[i], u);
		if (!err)
			continue;
		/* keep a program even if its maps are unknown */
		if (!u->program.addr)
			otst_vec_pop(&b->users);
		err = otst_note(o, &b->errors, otst_fail(o, err, "BPF program %" PRIu64, e[i].id));
	}
	return err;
}

int otst_idr_symbol(struct otst *o, const char *name, struct otst_vec *entries,
		    struct otst_messages *errors)
{
	struct otst_messages branches = { 0 };
	uint64_t idr;
	int err = otst_symbol(o, name, &idr);

	err = err ?: otst_idr(o, idr, entries, &branches);
	for (size_t i = 0; i < branches.count && !err; i++)
		err = otst_note(o, errors,
				otst_raise(o, OTST_ERR_CORRUPT, "%s: %s", name, branches.texts[i]));
	return err;
}

static int read_all_objects(struct otst *o, struct otst_bpf *b)
{
	struct otst_vec maps = { 0 }, programs = { 0 };
	int err;

	err = otst_idr_symbol(o, "map_idr", &maps, &b->errors);
	if (err)
		return otst_fail(o, err, "BPF maps");
	err = read_maps(o, &maps, b);
	if (err)
		return err;
	err = otst_idr_symbol(o, "prog_idr", &programs, &b->errors);
	if (err)
		return otst_note(o, &b->errors, otst_fail(o, err, "BPF programs"));
	return read_users(o, &programs, b);
}

int otst_bpf_read(struct otst *o, const struct otst_bpf **ret)
{
	static const char key;
	void **slot = otst_memo(o, &key);
	struct otst_bpf *b;
	int err;

	if (*slot) {
		*ret = *slot;
		return 0;
	}
	b = otst_new(o, sizeof(*b));
	err = read_all_objects(o, b);
	if (err)
		return err;
	*ret = *slot = b;
	return 0;
}

static bool uses_map(const struct otst_user *u, uint64_t map)
{
	for (size_t i = 0; i < u->nr_maps; i++) {
		if (u->maps[i] == map)
			return true;
	}
	return false;
}

bool otst_bpf_uses(const struct otst_bpf *b, uint64_t prog, uint64_t map)
{
	const struct otst_user *u = b->users.data;

	for (size_t i = 0; i < b->users.count; i++) {
		if (u[i].program.addr == prog)
			return uses_map(&u[i], map);
	}
	return false;
}

bool otst_bpf_shares(const struct otst_bpf *b, uint64_t map, uint64_t other)
{
	const struct otst_user *u = b->users.data;

	for (size_t i = 0; i < b->users.count; i++) {
		if (uses_map(&u[i], map) && uses_map(&u[i], other))
			return true;
	}
	return false;
}
