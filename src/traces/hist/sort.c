// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * sort.c - the order of a histogram's entries. Entries that compare equal
 * stay as the kernel's sort() leaves them. That sort is not stable, so printing
 * them in the same order takes the same comparisons and swaps. lib/sort.c is a
 * heap sort that sifts down to a leaf first and then climbs back up, with the same
 * result as the plain heap sort up to 5.1; newer kernels take the two largest
 * elements from the heap at a time.
 *
 * kernel/trace/tracing_map.c, tracing_map_sort_entries(): first by the bytes of
 * the key, then by the first sort key, then equal ones by the second.
 */
#include <stdlib.h>
#include <string.h>

#include "../../built/disassemble.h"
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

struct sorting {
	struct otst_hist_entry *e;
	const struct otst_hist *h;
	const struct order *order; /* NULL: by all bytes of the key */
	bool by_two;
	bool unequal; /* keys that differ compare as 1, either way round */
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

static int compare(const struct sorting *s, size_t x, size_t y)
{
	const struct otst_hist_entry *a = &s->e[x], *b = &s->e[y];
	const struct order *k = s->order;
	int c;

	if (!k) {
		c = memcmp(a->key, b->key, s->h->key_size);
		return s->unequal ? !!c : c;
	}
	if (k->none)
		return 0;
	if (k->is_string)
		c = k->offset < s->h->key_size ?
			    strncmp((const char *)a->key + k->offset,
				    (const char *)b->key + k->offset, s->h->key_size - k->offset) :
			    0;
	else
		c = compare_numbers(value_of(s->h, k, a), value_of(s->h, k, b), k);
	return k->descending ? -c : c;
}

static void swap(const struct sorting *s, size_t x, size_t y)
{
	struct otst_hist_entry t = s->e[x];

	s->e[x] = s->e[y];
	s->e[y] = t;
}

/* sift @top down to its place; @right: of two equal children, follow the second */
static void sift(const struct sorting *s, size_t top, size_t n, bool right)
{
	size_t at = top, child, place;
	int c;

	while ((child = 2 * at + 1) + 1 < n) {
		c = compare(s, child, child + 1);
		at = c > 0 || (!c && !right) ? child : child + 1;
	}
	if (child + 1 == n)
		at = child;
	while (at != top && compare(s, top, at) >= 0)
		at = (at - 1) / 2;
	for (place = at; at != top;) {
		at = (at - 1) / 2;
		swap(s, at, place);
	}
}

/* up to 6.10 */
static void sort_by_one(const struct sorting *s, size_t n)
{
	size_t i;

	for (i = n / 2; i--;)
		sift(s, i, n, false);
	for (i = n; i-- > 1;) {
		swap(s, 0, i);
		sift(s, 0, i, false);
	}
}

static void sort_by_two(const struct sorting *s, size_t n)
{
	size_t i, second;

	for (i = n / 2; i--;)
		sift(s, i, n, true);
	while (n > 3) {
		swap(s, 0, --n);
		second = compare(s, 1, 2) <= 0 ? 2 : 1;
		swap(s, second, --n);
		/* sift the child in its own subtree first, then the root in the whole heap */
		sift(s, second, n, true);
		sift(s, 0, n, true);
	}
	if (n < 2)
		return;
	swap(s, 0, --n);
	if (n == 2 && compare(s, 0, 1) > 0)
		swap(s, 0, 1);
}

#define COMPARE_SIZE 256u

/*
 * Does cmp_entries_dup() return 1 for keys that differ, instead of memcmp()'s sign,
 * as kernels do before Linux e63fbd5f6810 ("tracing: Fix cmp_entries_dup() to respect
 * sort() comparison rules") (v6.13)? If so, its code tests what memcmp() returned.
 */
static int read_unequal(struct otst *o, bool *ret)
{
	static const char *const tests[] = { "set", "cset", "sbb", "cmov" };
	struct otst_insns insns;
	size_t i, j;
	int err;

	*ret = false;
	err = otst_disassemble_function(o, "cmp_entries_dup", COMPARE_SIZE, &insns);
	for (i = 0; i < insns.count; i++) {
		for (j = 0; j < sizeof(tests) / sizeof(*tests); j++)
			*ret |= !strncmp(insns.items[i].text, tests[j], strlen(tests[j]));
	}
	return err;
}

/*
 * Linux 0e02ca29a563 ("lib/sort: optimize heapsort with double-pop variation")
 * leaves no trace in a dump. It came with the same release, 6.11, as the sub-ops
 * of ftrace.
 */
static void sort(const struct sorting *s, size_t n)
{
	if (s->by_two)
		sort_by_two(s, n);
	else
		sort_by_one(s, n);
}

/* the field's comparison function tells what it is */
static int read_order(struct otst *o, struct otst_view *map, const struct otst_hist *h,
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

/* sort_secondary() */
static void sort_equals(const struct sorting *first, const struct sorting *second, size_t n)
{
	size_t i, start = 0, equal = 1;

	for (i = 0; i + 1 < n; i++) {
		struct sorting part = *second;

		if (!compare(first, i, i + 1)) {
			equal++;
			if (i + 2 < n)
				continue;
		}
		if (equal >= 2) {
			part.e += start;
			sort(&part, equal);
		}
		start = i + 1;
		equal = 1;
	}
}

int otst_hist_sort(struct otst *o, struct otst_view *map, const struct otst_hist *h,
		   struct otst_hist_entry *entries, size_t count)
{
	struct sorting s = { .e = entries, .h = h }, first, second;
	struct order orders[2];
	int err;

	if (count < 2)
		return 0;
	s.by_two = otst_has_member(o, "ftrace_ops", "subop_list");
	err = read_unequal(o, &s.unequal);
	if (err)
		return err;
	sort(&s, count);
	err = read_order(o, map, h, &h->sorts[0], &orders[0]);
	if (!err && h->nr_sorts > 1)
		err = read_order(o, map, h, &h->sorts[1], &orders[1]);
	if (err)
		return err;
	first = second = s;
	first.order = &orders[0];
	second.order = &orders[1];
	sort(&first, count);
	if (h->nr_sorts > 1)
		sort_equals(&first, &second, count);
	return 0;
}
