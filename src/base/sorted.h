/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * sorted.h - sorted arrays: how their elements compare, and where a number is among them
 */
#ifndef OTST_SORTED_H
#define OTST_SORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** otst_cmp() - -1, 0 or 1 as @x is less than, equal to or more than @y; for qsort() */
#define otst_cmp(x, y) (((x) > (y)) - ((x) < (y)))

/** otst_by_u64() - for qsort() and bsearch(): by the number that each element begins with */
static inline int otst_by_u64(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return otst_cmp(*x, *y);
}

/** otst_sort() - qsort(), which an array of nothing may not have */
static inline void otst_sort(void *items, size_t count, size_t size,
			     int (*compare)(const void *, const void *))
{
	if (count > 1)
		qsort(items, count, size, compare);
}

static inline size_t otst_count_sorted(const void *items, size_t count, size_t size, size_t offset,
				       uint64_t value, bool equal_too)
{
	size_t low = 0, high = count, mid;
	uint64_t found;

	while (low < high) {
		mid = low + (high - low) / 2;
		memcpy(&found, (const char *)items + mid * size + offset, sizeof(found));
		if (found < value || (equal_too && found == value))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/** otst_count_below() - how many of @items, sorted by their u64 @member, have one below @value */
#define otst_count_below(items, count, member, value)         \
	otst_count_sorted((items), (count), sizeof(*(items)), \
			  offsetof(__typeof__(*(items)), member), (value), false)

/** otst_count_up_to() - the same, with those that have @value */
#define otst_count_up_to(items, count, member, value)         \
	otst_count_sorted((items), (count), sizeof(*(items)), \
			  offsetof(__typeof__(*(items)), member), (value), true)

#endif /* OTST_SORTED_H */
