// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * bpf.c - source "bpf": stacks that BPF programs collected. First come the hash
 * map elements and event buffer records that refer to a stack; then the stacks
 * that nothing refers to.
 */
#include <string.h>

#include "bpf.h"

/* ---- what a map's programs are attached to ---- */

/* ---- maps ---- */

/* true if @m is among "bpf", "bpf:NAME", "bpf:ID" of the list */
static bool is_chosen_map(const struct otst_bpf_search *s, const struct otst_map *m)
{
	const char *list = s->wanted, *id = otst_format(s->o, "%u", m->id);
	size_t word;

	for (; list; list = list[word] ? list + word + 1 : NULL) {
		word = strcspn(list, ",");
		if (word == 3 && !strncmp(list, "bpf", 3))
			return true;
		if (word < 4 || strncmp(list, "bpf:", 4))
			continue;
		if ((strlen(m->name) == word - 4 && !strncmp(list + 4, m->name, word - 4)) ||
		    (strlen(id) == word - 4 && !strncmp(list + 4, id, word - 4)))
			return true;
	}
	return !s->wanted;
}

static int read_stacks(struct otst_bpf_search *s, const struct otst_map *m)
{
	struct otst_stacks *stacks = otst_new(s->o, sizeof(*stacks)), **slot;
	struct otst_messages errors = { 0 };
	int err = otst_stacks_read(s->o, m, stacks, &errors);

	if (err)
		return err;
	slot = otst_vec_push(s->o, &s->stacks, sizeof(*slot));
	*slot = stacks;
	err = otst_bpf_errors(s, m, &errors);
	return err || !is_chosen_map(s, m) ? err : otst_held_all(stacks);
}

/* a stack that nothing refers to */
static int add_held(struct otst_bpf_search *s, const struct otst_stacks *stacks,
		    struct otst_held *h)
{
	struct otst_trace_id *id;
	struct otst_trace *t;
	int err = otst_held_lines(stacks, h);

	if (err)
		return err;
	t = otst_bpf_trace(s, stacks->map, 1);
	id = t ? otst_vec_push(s->o, &t->bpf->ids, sizeof(*id)) : NULL;
	if (!id)
		return otst_no_memory(s->o);
	*id = (struct otst_trace_id){ .name = "id",
				      .evidence = "map",
				      .id = (int64_t)h->id,
				      .has_id = true,
				      .map = stacks->map->id };
	t->lines = h->lines;
	t->nr_lines = h->nr_lines;
	t->error = h->error;
	return otst_check(s->o);
}

static int add_unclaimed(struct otst_bpf_search *s, const struct otst_stacks *stacks)
{
	struct otst_held *h = stacks->held.data;
	int err = 0;

	for (size_t i = 0; i < stacks->held.count && !err; i++) {
		if (!h[i].claimed)
			err = add_held(s, stacks, &h[i]);
	}
	return err;
}

/* a map that fails costs one line at most */
static int note_map(struct otst_bpf_search *s, const struct otst_map *m, int err)
{
	return err ? otst_traces_note(s->out,
				      otst_fail(s->o, err, "BPF map %u %s", m->id, m->name)) :
		     0;
}

static int read_referrers(struct otst_bpf_search *s)
{
	const struct otst_map *m = s->bpf->maps.data;
	int err = 0;

	for (size_t i = 0; i < s->bpf->maps.count && !err; i++, m++) {
		if (!is_chosen_map(s, m))
			continue;
		s->any = true;
		if (otst_stacks_holds(m))
			continue;
		if (otst_map_is_hash(m))
			err = note_map(s, m, otst_bpf_elements(s, m));
		else if (m->type == OTST_MAP_RINGBUF || m->type == OTST_MAP_PERF_EVENT_ARRAY)
			err = note_map(s, m, otst_bpf_events(s, m));
		err = err ?: otst_check(s->o);
	}
	return err;
}

int otst_source_bpf(struct otst *o, const struct otst_trace_filter *filter, struct otst_traces *ret)
{
	struct otst_bpf_search s = { .o = o, .out = ret, .wanted = filter->sources };
	struct otst_stacks *const *stacks;
	const struct otst_map *m;
	size_t i;
	int err = otst_bpf_read(o, &s.bpf);

	if (!err)
		otst_notes(o, &ret->errors, &s.bpf->errors);
	if (err)
		return err;
	for (i = 0, m = s.bpf->maps.data; i < s.bpf->maps.count && !err; i++) {
		if (otst_stacks_holds(&m[i]))
			err = note_map(&s, &m[i], read_stacks(&s, &m[i]));
	}
	err = err ?: read_referrers(&s);
	stacks = s.stacks.data;
	for (i = 0; i < s.stacks.count && !err; i++) {
		if (is_chosen_map(&s, stacks[i]->map))
			err = add_unclaimed(&s, stacks[i]);
	}
	if (!err && !s.any && filter->sources && strstr(filter->sources, "bpf:"))
		err = otst_raise(o, OTST_ERR_LOOKUP, "no BPF map \"%s\"",
				 otst_clean(o, filter->sources));
	return err;
}
