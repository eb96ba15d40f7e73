// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * sort.c - the order of a histogram's entries: by its sort keys, as the kernel's
 * tracing_map_sort_entries() has it (kernel/trace/tracing_map.c). Entries that are equal by
 * these come in the order of their keys; the kernel prints them as its sort(), which is not
 * stable, leaves them.
 */
#include <stdlib.h>
#include <string.h>

#include "hist.h"

#define MAX_SIZE 8

/* how two entries compare by one field of the map */
struct order {
	bool is_key;
	bool is_string;
	bool is_signed;
	bool none; /* a stack: all are equal */
	bool descending;
	uint32_t offset; /* of a key */
	uint32_t index;	 /* of a value */
	unsigned int size;
};

#define MAX_ORDERS 8 /* two sort keys, three keys (TRACING_MAP_KEYS_MAX) */

/* compare by these, the first that tells two entries apart decides */
struct sorting {
	const struct otst_hist *h;
	struct order orders[MAX_ORDERS];
	size_t count;
};

static uint64_t value_of(const struct otst_hist *h, const struct order *k,
			 const struct otst_hist_entry *e)
{
	if (!k->is_key)
		return k->index < h->nr_vals ? e->sums[k->index] : 0;
	if (k->offset + MAX_SIZE > h->key_size)
		return k->offset < h->key_size ? otst_get_as(h->big_endian, e->key + k->offset,
							     h->key_size - k->offset) :
						 0;
	return otst_get_as(h->big_endian, e->key + k->offset, MAX_SIZE);
}

/* as a number of @size bytes */
static int compare_numbers(uint64_t a, uint64_t b, const struct order *k)
{
	unsigned int shift = 64 - 8 * k->size;

	a <<= shift;
	b <<= shift;
	if (k->is_signed)
		return ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);
	return (a > b) - (a < b);
}

static int compare_by(const struct otst_hist *h, const struct order *k,
		      const struct otst_hist_entry *a, const struct otst_hist_entry *b)
{
	int c;

	if (k->none)
		return 0;
	if (k->is_string)
		c = k->offset < h->key_size ?
			    strncmp((const char *)a->key + k->offset,
				    (const char *)b->key + k->offset, h->key_size - k->offset) :
			    0;
	else
		c = compare_numbers(value_of(h, k, a), value_of(h, k, b), k);
	return k->descending ? -c : c;
}

static int compare_entries(const void *x, const void *y, void *priv)
{
	const struct otst_hist_entry *a = x, *b = y;
	const struct sorting *s = priv;
	int c = 0;

	for (size_t i = 0; i < s->count && !c; i++)
		c = compare_by(s->h, &s->orders[i], a, b);
	return c ? c : memcmp(a->key, b->key, s->h->key_size);
}

/* the field's comparison function tells what it is */
static int read_sort_order(struct otst *o, struct otst_view *map, const struct otst_hist *h,
			   const struct otst_hist_sort *by, struct order *ret)
{
	uint64_t size, fn, keys = otst_addr_of(map, "key_idx"), i, n = otst_u64(map, "n_keys");
	struct otst_view field;
	struct otst_sym sym;
	uint32_t idx;
	int err;

	*ret = (struct order){ .descending = by->descending, .index = by->field, .size = 8 };
	err = otst_type_size(o, "tracing_map_field", &size);
	if (!err)
		err = otst_view_read(o, "tracing_map_field",
				     otst_addr_of(map, "fields") + by->field * size, &field);
	for (i = 0; !err && i < n && i < h->nr_keys; i++) {
		err = otst_read_u32(o, keys + i * 4, &idx);
		ret->is_key |= !err && idx == by->field;
	}
	if (err)
		return err;
	ret->offset = ret->is_key ? (uint32_t)otst_u64(&field, "offset") : 0;
	fn = otst_u64(&field, "cmp_fn");
	otst_symbolize(o, fn, &sym);
	if (field.err || !sym.name || strncmp(sym.name, "tracing_map_cmp_", 16))
		return field.err ? field.err :
				   otst_raise(o, OTST_ERR_CORRUPT, "no order of a map's field");
	ret->is_string = !strncmp(sym.name + 16, "string", 6);
	ret->none = !strncmp(sym.name + 16, "none", 4);
	ret->is_signed = sym.name[16] == 's' && !ret->is_string;
	for (i = 8; i <= 64; i *= 2) {
		if ((sym.name[16] == 's' || sym.name[16] == 'u') &&
		    strtoul(sym.name + 17, NULL, 10) == i)
			ret->size = (unsigned int)i / 8;
	}
	return 0;
}

static int add_order(struct otst *o, struct otst_view *map, const struct otst_hist_sort *by,
		     struct sorting *s)
{
	if (s->count == MAX_ORDERS)
		return 0;
	return read_sort_order(o, map, s->h, by, &s->orders[s->count++]);
}

int otst_hist_sort(struct otst *o, struct otst_view *map, const struct otst_hist *h,
		   struct otst_hist_entry *entries, size_t count)
{
	uint64_t keys = otst_addr_of(map, "key_idx"), n = otst_u64(map, "n_keys");
	struct sorting s = { .h = h };
	struct otst_hist_sort by;
	int err = 0;

	if (count < 2)
		return 0;
	for (uint32_t i = 0; i < h->nr_sorts && !err; i++)
		err = add_order(o, map, &h->sorts[i], &s);
	for (uint32_t i = 0; i < n && i < h->nr_keys && !err; i++) {
		by = (struct otst_hist_sort){ 0 };
		err = otst_read_u32(o, keys + i * 4, &by.field);
		err = err ?: add_order(o, map, &by, &s);
	}
	if (!err)
		qsort_r(entries, count, sizeof(*entries), compare_entries, &s);
	return err;
}
