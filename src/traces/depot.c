// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * depot.c - the stack depot, lib/stackdepot.c: a hash table of struct
 * stack_record, each stack kept once for all who saved it (page owner, slab
 * debugging, KASAN). Each stack becomes a trace, with its references where the
 * kernel counts them (6.8 and newer), and with page owner's pages: the record
 * counts them in 6.9 and newer (mm/page_owner.c, stack_list), else they are
 * counted here.
 *
 * A record is trusted if its handle leads back to it: a handle is an index into
 * the pools (slabs before 6.3) and an offset in the pool.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../base/sorted.h"
#include "page_owner.h"
#include "traces.h"

#define MAX_FRAMES  256
#define MAX_BUCKETS (1u << 24)
#define MAX_ORDER   20u /* of a table whose size no variable has: STACK_HASH_ORDER */
#define MAX_STACKS  (1u << 22)
#define MAX_POOLS   8192 /* STACK_ALLOC_SLABS_CAP, DEPOT_POOLS_CAP */
#define CHUNK	    512	 /* buckets that are read in one go: what is missing is missing by pages */
#define ALIGN	    4	 /* offsets count units of 16 bytes */
#define OFFSET_BITS 10	 /* a pool is four pages */
#define UNCOUNTED   0x40000000u /* a reference count from here on is saturated */

struct layout {
	uint64_t table;
	uint64_t buckets;
	bool unsized;	/* that is the most there can be */
	uint64_t pools; /* array of pointers */
	bool list;	/* buckets are list heads, else pointers to the first record */
	bool counted;
	bool plus_one; /* handles count pools from 1 */
	unsigned int index_bits;
	uint64_t link, hash, size, handle, count, entries; /* members of a record */
};

struct reading {
	struct otst *o;
	struct otst_traces *out;
	struct layout l;
	struct otst_vec owned;	      /* records on page owner's list, uint64_t, sorted */
	struct otst_page_owner pages; /* of a kernel without that list */
	size_t stacks;
	size_t bad;
	const char *first_error;
};

/* ---- where everything is ---- */

static int read_depot_members(struct reading *r)
{
	struct layout *layout = &r->l;
	struct otst *o = r->o;
	int err;

	layout->list = otst_has_member(o, "stack_record", "hash_list");
	layout->counted = otst_has_member(o, "stack_record", "count");
	err = otst_offset(o, "stack_record", layout->list ? "hash_list" : "next", &layout->link);
	err = err ?: otst_offset(o, "stack_record", "hash", &layout->hash);
	err = err ?: otst_offset(o, "stack_record", "size", &layout->size);
	err = err ?: otst_offset(o, "stack_record", "handle", &layout->handle);
	if (!err && layout->counted)
		err = otst_offset(o, "stack_record", "count", &layout->count);
	return err ?: otst_offset(o, "stack_record", "entries", &layout->entries);
}

/* how many bits of a handle are the pool's index: all that the other fields leave */
static void read_handle(struct reading *r)
{
	static const char *const names[] = { "pool_index_plus_1", "pool_index", "slabindex" };
	const struct otst_member *m;

	for (size_t i = 0; i < 3; i++) {
		if (otst_member(r->o, "handle_parts", names[i], &m))
			continue;
		r->l.index_bits = m->bit_size;
		r->l.plus_one = i == 0;
		return;
	}
}

/* is the variable at @at a pointer: its symbol is as small as one */
static bool is_pointer(struct otst *o, uint64_t at, uint64_t *size)
{
	struct otst_sym sym;

	otst_symbolize(o, at, &sym);
	*size = sym.addr == at ? sym.size : 0;
	return *size && *size < 64;
}

/*
 * Linux e1fdc403349c ("lib: stackdepot: add support to disable stack depot") (v5.13)
 * made the table dynamic, and f9987921cb54 ("lib/stackdepot: replace
 * CONFIG_STACK_HASH_ORDER with automatic sizing") (v6.0) its size, too. Before that
 * the size is a macro: of an array the symbol tells it, else find_sizes().
 */
static int read_depot(struct reading *r)
{
	uint64_t table = otst_symbol_or0(r->o, "stack_table"), size;
	uint64_t mask_at = otst_symbol_or0(r->o, "stack_hash_mask");
	uint32_t mask = 0;
	int err = 0;

	if (!table)
		return otst_raise(
			r->o, OTST_ERR_LOOKUP,
			"no stack_table: this kernel has no stack depot (CONFIG_STACKDEPOT)");
	if (mask_at)
		err = otst_read_u32(r->o, mask_at, &mask);
	if (!err && (mask & (mask + 1) || mask >= MAX_BUCKETS))
		err = otst_raise(r->o, OTST_ERR_CORRUPT, "stack_hash_mask 0x%" PRIx32, mask);
	r->l.buckets = mask_at ? (uint64_t)mask + 1 : UINT64_C(1) << MAX_ORDER;
	r->l.unsized = !mask_at;
	if (err || mask_at || is_pointer(r->o, table, &size))
		return err ? err : otst_read_u64(r->o, table, &r->l.table);
	r->l.table = table;
	while (size && r->l.buckets * 8 > size)
		r->l.buckets /= 2;
	return 0;
}

static int read_pools(struct reading *r)
{
	uint64_t at = otst_symbol_or0(r->o, "stack_pools"), size;

	at = at ?: otst_symbol_or0(r->o, "stack_slabs");
	if (!at)
		return otst_raise(r->o, OTST_ERR_LOOKUP, "no stack_pools in this kernel");
	r->l.pools = at;
	/* 6.18 and newer allocate the array */
	return is_pointer(r->o, at, &size) ? otst_read_u64(r->o, at, &r->l.pools) : 0;
}

/* ---- page owner ---- */

/* list of struct stack { stack_record, next }, beginning at stack_list; since 6.9 */
static int read_owned(struct reading *r)
{
	static const char stack[] = "stack{stack_record}";
	const struct otst_member *record, *next;
	uint64_t at = otst_symbol_or0(r->o, "stack_list"), node, *slot;
	struct otst_walk w;
	int err;

	if (!at || otst_member(r->o, stack, "stack_record", &record) ||
	    otst_member(r->o, stack, "next", &next))
		return 0;
	err = otst_read_u64(r->o, at, &node);
	if (err)
		return err;
	otst_walk_chain(r->o, node, next->offset, 0, &w);
	while (otst_walk_next(&w, &node)) {
		slot = otst_vec_push(r->o, &r->owned, sizeof(*slot));
		err = otst_read_u64(r->o, node + record->offset, slot);
		if (err)
			return err;
	}
	return w.err;
}

static int count_pages(struct reading *r)
{
	struct otst *o = r->o;
	int err = otst_page_owner_read(o, &r->pages);

	if (err)
		return otst_traces_note(r->out, otst_fail(o, err, "page owner's pages"));
	if (!r->pages.bad)
		return 0;
	return otst_traces_note(r->out,
				otst_raise(o, OTST_ERR_CORRUPT,
					   "page owner: %" PRIu64 " bad place%s, the first: %s",
					   r->pages.bad, otst_number(r->pages.bad, "", "s"),
					   r->pages.first_error));
}

static bool is_owned(const struct reading *r, uint64_t record)
{
	return r->owned.count &&
	       bsearch(&record, r->owned.data, r->owned.count, sizeof(record), otst_by_u64);
}

/* ---- one record ---- */

/* does its handle lead back to it */
static bool check_handle(struct reading *r, uint64_t at, uint32_t handle)
{
	const struct layout *layout = &r->l;
	uint64_t index, offset, pool;

	if (!layout->index_bits)
		return true;
	index = handle & ((UINT64_C(1) << layout->index_bits) - 1);
	offset = handle >> layout->index_bits & ((1u << OFFSET_BITS) - 1);
	if (layout->plus_one && !index--)
		return false;
	if (index >= MAX_POOLS || otst_read_u64(r->o, layout->pools + index * 8, &pool))
		return false;
	return pool + (offset << ALIGN) == at;
}

static int add_depot_frames(struct reading *r, struct otst_trace *t, const unsigned char *raw,
			    size_t n)
{
	struct otst_trace_line *lines = otst_alloc(r->o, (n + 1) * sizeof(*lines));

	if (!lines)
		return otst_no_memory(r->o);
	for (size_t i = 0; i < n; i++)
		lines[i] = (struct otst_trace_line){ .addr = otst_get(r->o, raw + i * 8, 8),
						     .reliable = true,
						     .exact = true };
	t->lines = lines;
	t->nr_lines = n;
	return 0;
}

static const char *depot_headline(struct otst *o, bool counted, uint32_t count, bool owned)
{
	/* page owner's list itself holds one reference */
	if (owned && counted && count < UNCOUNTED)
		return otst_format(o, "page owner: %" PRIu32 " page%s", count ? count - 1 : 0,
				   otst_number(count ? count - 1 : 0, "", "s"));
	if (owned)
		return "page owner";
	if (!counted || count >= UNCOUNTED)
		return NULL;
	return otst_format(o, "%" PRIu32 " reference%s", count, otst_number(count, "", "s"));
}

static int add_depot_trace(struct reading *r, uint64_t at, const unsigned char *head, uint32_t size)
{
	unsigned char raw[MAX_FRAMES * 8];
	uint32_t handle = (uint32_t)otst_get(r->o, head + r->l.handle, 4);
	uint32_t count = r->l.counted ? (uint32_t)otst_get(r->o, head + r->l.count, 4) : 0;
	uint64_t pages = otst_page_owner_pages(&r->pages, handle);
	bool owned = is_owned(r, at);
	struct otst_trace *t;
	int err = otst_read(r->o, at + r->l.entries, raw, (size_t)size * 8);

	if (err)
		return err;
	t = otst_trace_add(r->out, OTST_SOURCE_DEPOT);
	t->seq = ++r->stacks;
	t->where = otst_format(r->o, "handle 0x%08" PRIx32, handle);
	t->headline = depot_headline(r->o, r->l.counted, count, owned);
	if (r->l.counted && count < UNCOUNTED)
		t->count = owned && count ? count - 1 : count;
	if (pages) {
		t->headline = otst_format(r->o, "page owner: %" PRIu64 " page%s", pages,
					  otst_number(pages, "", "s"));
		t->count = pages;
	}
	return add_depot_frames(r, t, raw, size);
}

static int read_depot_record(struct reading *r, uint64_t at, uint64_t bucket)
{
	unsigned char head[128];
	uint32_t size, hash;
	int err;

	if (r->l.entries > sizeof(head))
		return otst_raise(r->o, OTST_ERR_CORRUPT, "struct stack_record makes no sense");
	err = otst_read(r->o, at, head, r->l.entries);
	if (err)
		return err;
	size = (uint32_t)otst_get(r->o, head + r->l.size, 4);
	hash = (uint32_t)otst_get(r->o, head + r->l.hash, 4);
	if ((hash & (r->l.buckets - 1)) != bucket || size > MAX_FRAMES ||
	    !check_handle(r, at, (uint32_t)otst_get(r->o, head + r->l.handle, 4)))
		return otst_raise(r->o, OTST_ERR_CORRUPT,
				  "0x%" PRIx64 " is not a record of bucket %" PRIu64, at, bucket);
	return add_depot_trace(r, at, head, size);
}

/* ---- the table ---- */

/* a record that was freed is on no chain (and its count is 0) */
static int read_depot_chain(struct reading *r, uint64_t bucket, uint64_t first, uint64_t end)
{
	struct otst_walk w;
	uint64_t node;
	int err = 0;

	if (!first || first == end)
		return 0;
	otst_walk_chain(r->o, first, r->l.list ? 0 : r->l.link, end, &w);
	while (!err && otst_walk_next(&w, &node)) {
		if (r->stacks >= MAX_STACKS)
			return otst_raise(r->o, OTST_ERR_CORRUPT, "more than %u stacks",
					  MAX_STACKS);
		err = read_depot_record(r, r->l.list ? node - r->l.link : node, bucket);
	}
	return err ? err : w.err;
}

/* a damaged table has thousands of bad buckets: one line for all of them */
static int note_bad_stack(struct reading *r, uint64_t bucket, int err)
{
	if (otst_fatal(err))
		return err;
	if (!r->bad++)
		r->first_error =
			otst_format(r->o, "bucket %" PRIu64 ": %s", bucket, otst_message(r->o));
	return 0;
}

/*
 * Each record's hash ends in the number of its bucket. As long as that is not so with all
 * bits of the number, the table is smaller; what lies behind it is no record.
 */
static void find_depot_size(struct reading *r, uint64_t bucket, uint64_t at)
{
	uint32_t handle, hash;

	if (!at || otst_read_u32(r->o, at + r->l.handle, &handle) || !check_handle(r, at, handle) ||
	    otst_read_u32(r->o, at + r->l.hash, &hash))
		return;
	while (bucket < r->l.buckets && (hash & (r->l.buckets - 1)) != bucket)
		r->l.buckets /= 2;
}

static int find_sizes(struct reading *r)
{
	unsigned char raw[CHUNK * 8];
	int err = 0;

	for (uint64_t i = 0; i < r->l.buckets && !err; i += CHUNK) {
		if (otst_read(r->o, r->l.table + i * 8, raw, sizeof(raw)))
			continue;
		for (uint64_t k = 0; k < CHUNK; k++)
			find_depot_size(r, i + k, otst_get(r->o, raw + k * 8, 8));
		err = otst_check(r->o);
	}
	return err;
}

static int read_depot_buckets(struct reading *r)
{
	size_t width = r->l.list ? 16 : 8;
	unsigned char *raw = otst_alloc(r->o, CHUNK * width);
	uint64_t i, k, n, at;
	int err = 0;

	if (!raw)
		return otst_no_memory(r->o);
	for (i = 0; i < r->l.buckets && !err; i += n) {
		n = r->l.buckets - i < CHUNK ? r->l.buckets - i : CHUNK;
		at = r->l.table + i * width;
		err = otst_read(r->o, at, raw, n * width);
		if (err) {
			err = note_bad_stack(r, i, err);
			continue;
		}
		for (k = 0; k < n && !err; k++) {
			err = read_depot_chain(r, i + k, otst_get(r->o, raw + k * width, 8),
					       r->l.list ? at + k * width : 0);
			if (err)
				err = note_bad_stack(r, i + k, err);
		}
		err = err ?: otst_check(r->o);
	}
	return err;
}

int otst_source_depot(struct otst *o, const struct otst_trace_filter *filter,
		      struct otst_traces *ret)
{
	struct reading r = { .o = o, .out = ret };
	int err;

	/* tens of thousands of stacks, none of which shows a moment when something was caught */
	if (!filter->sources)
		return 0;
	err = read_depot(&r);
	err = err ?: read_depot_members(&r);
	err = err ?: read_pools(&r);
	if (err)
		return err;
	/* nothing in this kernel uses the depot, so the table was not allocated */
	if (!r.l.table)
		return 0;
	read_handle(&r);
	err = read_owned(&r);
	if (err)
		err = otst_traces_note(ret, otst_fail(o, err, "page owner's list"));
	otst_sort(r.owned.data, r.owned.count, sizeof(uint64_t), otst_by_u64);
	if (!err && !otst_has_symbol(o, "stack_list"))
		err = count_pages(&r);
	if (!err && r.l.unsized)
		err = find_sizes(&r);
	err = err ?: read_depot_buckets(&r);
	if (!err && r.bad)
		err = otst_traces_note(
			ret, otst_raise(o, OTST_ERR_CORRUPT,
					"stack depot: %zu bad bucket%s, the first: %s", r.bad,
					otst_number(r.bad, "", "s"), r.first_error));
	return err;
}
