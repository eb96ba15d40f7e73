// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * struct_ops.c - BPF programs that are the functions of a kernel structure, for
 * example tcp_congestion_ops: struct bpf_struct_ops_map of
 * kernel/bpf/struct_ops.c. Since 6.4 a link may hold a map; without a link the
 * map itself says that it is in use.
 */
#include <inttypes.h>

#include "attach.h"

#define TYPE_STRUCT_OPS 26u /* BPF_MAP_TYPE_STRUCT_OPS */
#define MAX_FUNCTIONS	256u
#define MAX_NAME	64

#define MAP "bpf_struct_ops_map"

/* @ret: name of the structure; @nr: maximum number of its members */
static int read_ops_structure(struct otst *o, uint64_t map, const char **ret, uint64_t *nr)
{
	const char *holder = "bpf_struct_ops";
	uint64_t ops, type, info;
	int err;

	/* Linux 4c5763ed996a ("bpf, net: introduce bpf_struct_ops_desc.") (v6.9) */
	if (otst_has_member(o, MAP, "st_ops_desc")) {
		err = otst_read_member(o, MAP, map, "st_ops_desc", &ops);
		holder = "bpf_struct_ops_desc";
	} else {
		err = otst_read_member(o, MAP, map, "st_ops", &ops);
	}
	err = err ?: otst_read_member(o, holder, ops, "type", &type);
	err = err ?: otst_read_member(o, "btf_type", type, "info", &info);
	if (!err && strcmp(holder, "bpf_struct_ops"))
		err = otst_read_member(o, holder, ops, "st_ops", &ops);
	err = err ?: otst_read_member_string(o, "bpf_struct_ops", ops, "name", MAX_NAME, ret);
	if (!err)
		*nr = info & 0xffff;
	return err;
}

static int add_programs(struct otst *o, uint64_t map, uint64_t count, struct otst_probe *p)
{
	/* Linux f7e0beaf39d3 ("bpf, x86: Generate trampolines from bpf_tramp_links") (v5.19) */
	bool links = otst_has_member(o, MAP, "links");
	uint64_t at, item, i;
	int err = otst_read_member(o, MAP, map, links ? "links" : "progs", &at);

	if (!err && otst_has_member(o, MAP, "funcs_cnt"))
		err = otst_read_member(o, MAP, map, "funcs_cnt", &count);
	if (!err && count > MAX_FUNCTIONS)
		err = otst_raise(o, OTST_ERR_CORRUPT, "%" PRIu64 " functions", count);
	for (i = 0; i < count && !err; i++) {
		err = otst_read_u64(o, at + 8 * i, &item);
		if (!err && item && links)
			err = otst_read_member(o, "bpf_link", item, "prog", &item);
		/* members that are not functions, and functions that were left out */
		if (!err && item)
			err = otst_probe_program(o, p, item);
	}
	return err;
}

int otst_struct_ops_row(struct otst *o, uint64_t map, struct otst_probe *p)
{
	const struct otst_program *first;
	const char *structure;
	struct otst_view v;
	uint64_t members;
	int err;

	err = otst_view_read(o, "bpf_map", map, &v);
	if (err)
		return err;
	p->owner.name = otst_chars(&v, "name");
	if (!v.err) {
		otst_probe_fact(o, p, "map", p->owner.name, 0);
		otst_probe_fact(o, p, "map_id", NULL, (int64_t)otst_u64(&v, "id"));
	}
	err = v.err ?: read_ops_structure(o, map, &structure, &members);
	if (err)
		return err;
	p->target = otst_format(o, "struct_ops %s (%s)", p->owner.name, structure);
	err = add_programs(o, map, members, p);
	first = p->programs.data;
	if (p->programs.count && *first->name)
		p->owner.name = first->name;
	return err;
}

static int add_struct_ops_map(struct otst_attach *a, const struct otst_map *m)
{
	const char *state = otst_either(a->o, MAP, "kvalue.common.state", "kvalue.state");
	struct otst_probe *p;
	uint64_t value;
	int err = otst_read_member(a->o, MAP, m->addr, state, &value);

	if (!err && (int64_t)value != otst_enumerator_or(a->o, "BPF_STRUCT_OPS_STATE_INUSE", 1))
		return 0;
	p = otst_attach_row(a, m->addr, otst_format(a->o, "map_idr %" PRIu32, m->id));
	if (err)
		p->claim = OTST_CLAIM_UNKNOWN;
	else
		err = otst_struct_ops_row(a->o, m->addr, p);
	return otst_probe_error(a->o, p, err);
}

int otst_attach_struct_ops(struct otst_attach *a)
{
	const struct otst_bpf *b;
	const struct otst_map *m;
	uint64_t size;
	size_t i;
	int err;

	err = otst_type_size(a->o, MAP, &size);
	err = err ?: otst_bpf_read(a->o, &b);
	for (i = 0, m = err ? NULL : b->maps.data; !err && i < b->maps.count; i++) {
		if (m[i].type == TYPE_STRUCT_OPS)
			err = add_struct_ops_map(a, &m[i]);
	}
	if (!err)
		otst_notes(a->o, &a->errors, &b->errors);
	return err;
}
