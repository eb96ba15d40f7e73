// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * map.c - what the readers of elements and of records need of one map: stacks that it may refer
 * to, the probe whose program writes it, and a trace to fill.
 */
#include <inttypes.h>

#include "bpf.h"

void otst_bpf_candidates(struct otst_bpf_search *s, const struct otst_map *m, struct otst_vec *ret)
{
	struct otst_stacks *const *all = s->stacks.data, **slot;

	for (size_t i = 0; i < s->stacks.count; i++) {
		const struct otst_map *other = all[i]->map;

		/* used by one program; or from one object file, when its programs are gone */
		if (!otst_bpf_shares(s->bpf, m->addr, other->addr) &&
		    (!m->btf || m->btf != other->btf))
			continue;
		slot = otst_vec_push(s->o, ret, sizeof(*slot));
		*slot = all[i];
	}
}

int otst_bpf_errors(struct otst_bpf_search *s, const struct otst_map *m,
		    const struct otst_messages *errors)
{
	int err = 0;

	for (size_t i = 0; i < errors->count && !err; i++)
		err = otst_traces_note(s->out,
				       otst_raise(s->o, OTST_ERR_CORRUPT, "BPF map %u %s: %s",
						  m->id, m->name, errors->texts[i]));
	return err;
}

struct otst_trace *otst_bpf_trace(struct otst_bpf_search *s, const struct otst_map *m, size_t ids)
{
	struct otst_trace *t = otst_trace_add(s->out, OTST_SOURCE_BPF);
	struct otst_trace_bpf *b = otst_new(s->o, sizeof(*b));
	struct otst_trace_id *room = otst_alloc(s->o, (ids + 1) * sizeof(*room));

	if (!room) {
		otst_no_memory(s->o);
		return NULL;
	}
	b->ids = (struct otst_vec){ .data = room, .room = ids };
	b->map = m->id;
	b->name = m->name;
	b->type = otst_map_type_name(m->type);
	t->bpf = b;
	if (s->where_of != m) {
		s->where = otst_format(s->o, "BPF map %u at 0x%" PRIx64, m->id, m->addr);
		s->where_of = m;
	}
	t->where = s->where;
	return t;
}

static int read_map_probes(struct otst_bpf_search *s)
{
	static const char *const kinds[] = { "kprobe",	"kretprobe", "kprobe_multi", "fentry",
					     "fexit",	"fmod_ret",  "lsm",	     "tracepoint",
					     "syscall", NULL };
	int err;

	if (s->probes_read)
		return 0;
	s->probes_read = true;
	/* -l says what is wrong with them */
	err = otst_probes(s->o, kinds, &s->probes);
	return otst_fatal(err) ? err : 0;
}

static bool is_users(const struct otst_bpf_search *s, const struct otst_probe *p, uint64_t map)
{
	const struct otst_program *program = p->programs.data;

	for (size_t i = 0; i < p->programs.count; i++) {
		if (otst_bpf_uses(s->bpf, program[i].addr, map))
			return true;
	}
	return false;
}

int otst_bpf_probe(struct otst_bpf_search *s, const struct otst_map *m,
		   const struct otst_probe **ret)
{
	const struct otst_probe *found = NULL;
	int err;

	*ret = NULL;
	err = read_map_probes(s);
	for (size_t i = 0; i < s->probes.count && !err; i++) {
		if (!is_users(s, s->probes.items[i], m->addr))
			continue;
		if (found)
			return 0;
		found = s->probes.items[i];
	}
	*ret = found;
	return err;
}

void otst_bpf_belongs(struct otst_trace *t, const struct otst_probe *p)
{
	if (!p)
		return;
	t->probe = p->sym.name ? p->sym.name : p->target;
	t->probe_addr = p->addr;
	t->handler = ((const struct otst_program *)p->programs.data)->name;
}
