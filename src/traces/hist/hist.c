// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * hist.c - struct tracing_map of kernel/trace/tracing_map.h: a table of
 * entries in pages, each with an element that has a key, sums and variables.
 * The result is the entries of a hist trigger in the order of its hist file, and
 * a trace for each entry whose key is a stack.
 */
#include <inttypes.h>

#include "../../ftrace/tracing.h"
#include "hist.h"

#define MAX_ENTRIES (1u << 18) /* 1 << (TRACING_MAP_BITS_MAX + 1) */
#define MAX_KEY	    4096
#define MAX_PAGES   65536
#define COMM	    16 /* TASK_COMM_LEN */
#define POINTER	    8

struct reading {
	struct otst *o;
	struct otst_view map;
	struct otst_hist_map *out;
	struct otst_vec entries;
	uint64_t field_size;
	uint64_t sum_at; /* in a struct tracing_map_field */
};

/* ---- one element ---- */

static int read_sums(struct reading *r, uint64_t fields, const uint64_t **ret)
{
	size_t i, n = r->out->hist->nr_vals, len = n * r->field_size;
	unsigned char *raw = otst_alloc(r->o, len);
	uint64_t *sums = otst_alloc(r->o, n * sizeof(*sums));
	int err;

	if (!raw || !sums)
		return otst_no_memory(r->o);
	err = otst_read(r->o, fields, raw, len);
	for (i = 0; i < n && !err; i++)
		sums[i] = otst_get(r->o, raw + i * r->field_size + r->sum_at, 8);
	*ret = sums;
	return err;
}

static int read_comm(struct reading *r, uint64_t data, const char **ret)
{
	struct otst_view v;
	uint64_t at;
	int err;

	if (!data || !otst_has_type(r->o, "hist_elt_data"))
		return 0;
	err = otst_view_read(r->o, "hist_elt_data", data, &v);
	if (err)
		return err;
	at = otst_u64(&v, "comm");
	return at ? otst_read_string(r->o, at, COMM, ret) : v.err;
}

static bool wants_comm(const struct otst_hist *h)
{
	uint32_t i;

	for (i = h->nr_vals; i < h->nr_vals + h->nr_keys; i++) {
		if (h->fields[i].form == OTST_HIST_EXECNAME)
			return true;
	}
	return false;
}

static int read_elt(struct reading *r, uint64_t at)
{
	const struct otst_hist *h = r->out->hist;
	struct otst_hist_entry e = { .hist = h }, *slot;
	uint8_t *key = otst_alloc(r->o, (size_t)h->key_size + 1);
	struct otst_view v;
	int err;

	if (!key)
		return otst_no_memory(r->o);
	err = otst_view_read(r->o, "tracing_map_elt", at, &v);
	if (err)
		return err;
	at = otst_u64(&v, "key");
	err = v.err ?: otst_read(r->o, at, key, h->key_size);
	at = otst_u64(&v, "fields");
	err = err ?: v.err ?: read_sums(r, at, &e.sums);
	if (!err && wants_comm(h))
		err = read_comm(r, otst_u64(&v, "private_data"), &e.comm);
	if (err)
		return err;
	e.key = key;
	e.vars = otst_u64_or(&v, "vars", 0);
	slot = otst_vec_push(r->o, &r->entries, sizeof(*slot));
	*slot = e;
	return v.err;
}

/* ---- the table ---- */

/* one page of struct tracing_map_entry, @n of them */
static int read_hist_page(struct reading *r, uint64_t at, uint64_t n, uint64_t size)
{
	const struct otst_member *key, *val;
	unsigned char *raw = otst_alloc(r->o, n * size);
	uint64_t i, elt;
	int err = otst_read(r->o, at, raw, n * size);

	err = err ?: otst_member(r->o, "tracing_map_entry", "key", &key);
	err = err ?: otst_member(r->o, "tracing_map_entry", "val", &val);
	for (i = 0; i < n && !err; i++) {
		elt = otst_get(r->o, raw + i * size + val->offset, POINTER);
		if (!otst_get(r->o, raw + i * size + key->offset, 4) || !elt)
			continue;
		err = read_elt(r, elt);
		if (err)
			err = otst_note(r->o, &r->out->errors,
					otst_fail(r->o, err, "element 0x%" PRIx64, elt));
	}
	return err;
}

static int read_hist_pages(struct reading *r, struct otst_view *array, uint64_t map_size)
{
	uint64_t per_page = otst_u64(array, "entries_per_page"), n = otst_u64(array, "n_pages");
	uint64_t page = otst_page_size(r->o), pages, at,
		 shift = otst_u64(array, "entry_size_shift"), i, left = map_size;
	const struct otst_member *m;
	uint64_t entry;
	int err;

	err = otst_member(r->o, "tracing_map_array", "pages", &m);
	err = err ?: otst_type_size(r->o, "tracing_map_entry", &entry);
	if (err)
		return err;
	pages = array->addr + m->offset;
	/* a pointer up to 6.18 */
	if (m->kind == OTST_KIND_POINTER)
		err = otst_read_u64(r->o, pages, &pages);
	if (!err && (!per_page || per_page > page || shift > 16 || n > MAX_PAGES ||
		     per_page << shift > page || UINT64_C(1) << shift < entry))
		err = otst_raise(r->o, OTST_ERR_CORRUPT, "%" PRIu64 " page%s of %" PRIu64 " %s", n,
				 otst_number(n, "", "s"), per_page,
				 otst_number(per_page, "entry", "entries"));
	for (i = 0; i < n && !err && left; i++) {
		uint64_t here = left < per_page ? left : per_page;

		err = otst_read_u64(r->o, pages + i * POINTER, &at);
		err = err ?: read_hist_page(r, at, here, UINT64_C(1) << shift);
		if (err)
			err = otst_note(r->o, &r->out->errors,
					otst_fail(r->o, err, "page %" PRIu64 " of the map", i));
		err = err ?: otst_check(r->o);
		left -= here;
	}
	return err;
}

static int read_hist_elements(struct reading *r)
{
	uint64_t map_size = otst_u64(&r->map, "map_size"), array = otst_u64(&r->map, "map");
	const struct otst_member *sum;
	struct otst_view v;
	int err;

	r->out->hits = otst_u64(&r->map, "hits");
	r->out->drops = otst_u64(&r->map, "drops");
	if (r->map.err)
		return r->map.err;
	if (map_size > MAX_ENTRIES || r->out->hist->key_size > MAX_KEY)
		return otst_raise(r->o, OTST_ERR_CORRUPT, "%" PRIu64 " %s with keys of %u byte%s",
				  map_size, otst_number(map_size, "entry", "entries"),
				  r->out->hist->key_size,
				  otst_number(r->out->hist->key_size, "", "s"));
	err = otst_type_size(r->o, "tracing_map_field", &r->field_size);
	err = err ?: otst_member(r->o, "tracing_map_field", "sum", &sum);
	err = err ?: otst_view_read(r->o, "tracing_map_array", array, &v);
	if (err)
		return err;
	r->sum_at = sum->offset;
	err = read_hist_pages(r, &v, map_size);
	return err ? err : v.err;
}

int otst_hist_map(struct otst *o, uint64_t trigger, struct otst_hist_map *ret)
{
	struct reading r = { .o = o, .out = ret };
	int err;

	*ret = (struct otst_hist_map){ .hist = otst_new(o, sizeof(*ret->hist)) };
	if (!ret->hist)
		return otst_no_memory(o);
	err = otst_hist_trigger(o, trigger, ret->hist);
	err = err ?: otst_view_read(o, "tracing_map", ret->hist->map, &r.map);
	err = err ?: read_hist_elements(&r);
	err = err ?: otst_hist_sort(o, &r.map, ret->hist, r.entries.data, r.entries.count);
	ret->entries = r.entries.data;
	ret->count = r.entries.count;
	return err ? err : r.map.err;
}

/* ---- snapshots ---- */

/* struct track_data of kernel/trace/trace_events_hist.c */
static int read_track(struct reading *r, uint64_t addr, struct otst_hist_snapshot *ret)
{
	uint8_t *key = otst_alloc(r->o, r->out->hist->key_size + 1);
	struct otst_view v;
	int err = otst_view_read(r->o, "track_data", addr, &v);

	if (err || !otst_u64(&v, "updated"))
		return err ? err : v.err;
	addr = otst_u64(&v, "key");
	err = v.err ?: otst_read(r->o, addr, key, r->out->hist->key_size);
	if (!err && wants_comm(r->out->hist))
		err = read_comm(r, otst_u64(&v, "elt.private_data"), &ret->entry.comm);
	ret->entry.hist = r->out->hist;
	ret->entry.key = key;
	ret->value = otst_u64(&v, "track_val");
	return err ? err : v.err;
}

int otst_hist_snapshot(struct otst *o, uint64_t array, const struct otst_hist *h,
		       struct otst_hist_snapshot *ret)
{
	struct otst_hist hist = *h;
	struct otst_hist_map map = { .hist = &hist };
	struct reading r = { .o = o, .out = &map };
	uint64_t cond = 0, track = 0;
	uint32_t i;
	int err;

	*ret = (struct otst_hist_snapshot){ 0 };
	for (i = 0; i < h->nr_actions && h->actions[i].does != OTST_HIST_SNAPSHOTS; i++)
		;
	if (i == h->nr_actions)
		return 0;
	err = otst_read_member(o, "trace_array", array, "cond_snapshot", &cond);
	if (!err && cond)
		err = otst_read_member(o, "cond_snapshot", cond, "cond_data", &track);
	if (!err && track)
		err = read_track(&r, track, ret);
	if (!err && ret->entry.key)
		ret->action = &h->actions[i];
	return err;
}

/* ---- events that have one ---- */

static bool has_hist(struct otst *o, const struct otst_event_file *e, struct otst_vec *triggers,
		     struct otst_messages *errors)
{
	const struct otst_trigger *t;
	size_t i;
	int err;

	if (!e->has_triggers || !e->name)
		return false;
	err = otst_triggers(o, e, triggers, errors);
	if (err) {
		otst_note(o, errors, err);
		return false;
	}
	for (i = 0, t = triggers->data; i < triggers->count; i++) {
		if (t[i].hist)
			return true;
	}
	return false;
}

int otst_hist_events(struct otst *o, struct otst_messages *errors, otst_hist_event_fn *each,
		     void *priv)
{
	const struct otst_event_files *files;
	struct otst_tracing tracing;
	uint64_t size;
	size_t i, k;
	int err = otst_type_size(o, "hist_trigger_data", &size);

	if (err)
		return otst_fail(o, err, "hist triggers (CONFIG_HIST_TRIGGERS)");
	err = otst_tracing(o, &tracing);
	if (!err)
		otst_notes_once(o, errors, &tracing.errors);
	for (i = 0; !err && i < tracing.nr_arrays; i++) {
		err = otst_event_files(o, tracing.arrays[i], &files);
		for (k = 0; !err && k < files->count; k++) {
			struct otst_vec triggers = { 0 };

			if (has_hist(o, &files->items[k], &triggers, errors))
				err = each(priv, tracing.arrays[i], &files->items[k], &triggers);
		}
		if (!err)
			err = otst_check(o);
		else
			err = otst_note(o, errors, err);
	}
	return err;
}

/* ---- as a source of traces ---- */

/* the frames of a key; they end with 0, or with ULONG_MAX in old kernels */
static void add_hist_frames(struct otst *o, const struct otst_hist *h,
			    const struct otst_hist_field *k, const struct otst_hist_entry *e,
			    struct otst_trace *t)
{
	struct otst_vec lines = { 0 };
	uint32_t at, end = k->offset + k->size;

	for (at = k->offset; at + 8 <= end && at + 8 <= h->key_size; at += 8) {
		uint64_t pc = otst_get(o, e->key + at, 8);
		struct otst_trace_line *line;

		if (!pc || pc == UINT64_MAX)
			break;
		line = otst_trace_line_add(o, &lines);
		*line = (struct otst_trace_line){ .addr = pc, .reliable = true, .exact = true };
	}
	t->truncated = at + 8 > end;
	t->lines = lines.data;
	t->nr_lines = lines.count;
}

static void add_hist_traces(struct otst_traces *ret, const char *where,
			    const struct otst_hist_map *m, const struct otst_hist_field *key)
{
	struct otst *o = ret->o;
	size_t i;

	for (i = 0; i < m->count; i++) {
		struct otst_trace *t = otst_trace_add(ret, OTST_SOURCE_HIST);

		t->where = where;
		t->seq = ret->items.count;
		t->comm = m->entries[i].comm;
		t->count = m->entries[i].sums[0];
		t->counted = &m->entries[i];
		add_hist_frames(o, m->hist, key, &m->entries[i], t);
	}
	otst_notes(o, &ret->errors, &m->errors);
}

static int add_hist(void *priv, const struct otst_trace_array *a, const struct otst_event_file *e,
		    const struct otst_vec *triggers)
{
	const struct otst_trigger *t = triggers->data;
	struct otst_traces *ret = priv;
	struct otst_hist_map m;
	const char *where;
	size_t i;
	uint32_t k;
	int err = 0;

	where = otst_format(ret->o, "%s%s%sevents/%s/%s/hist", a->name ? "instances/" : "",
			    a->name ? a->name : "", a->name ? "/" : "", e->system, e->name);
	for (i = 0; i < triggers->count && !err; i++) {
		if (!t[i].hist)
			continue;
		err = otst_hist_map(ret->o, t[i].addr, &m);
		for (k = 0; !err && k < m.hist->nr_keys; k++) {
			const struct otst_hist_field *key = &m.hist->fields[m.hist->nr_vals + k];

			if (key->form == OTST_HIST_STACK)
				add_hist_traces(ret, where, &m, key);
		}
		if (err)
			err = otst_traces_note(ret, otst_fail(ret->o, err, "%s", where));
	}
	return err;
}

int otst_source_hist(struct otst *o, const struct otst_trace_filter *filter,
		     struct otst_traces *ret)
{
	(void)filter;
	return otst_hist_events(o, &ret->errors, add_hist, ret);
}
