// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * meanings.c - which words of a dump's records are pointers, numbers and strings, and the changes to
 * them that mean something.
 *
 * Nothing says where a record begins: that is the nearest address below to which a pointer leads.
 */
#include "meanings.h"

#include <stdlib.h>
#include <string.h>

#include "../text/text_dump.h"

#define RECORD_MOST  1024u /* bytes between a word and the beginning of its record */
#define STRING_LEAST 4u

/** struct pointer - a word at @at that leads to @to */
struct pointer {
	uint64_t at;
	uint64_t to;
};

struct list {
	struct meaning_step *steps;
	size_t nr;
	size_t room;
	struct pointer *pointers; /* by @to */
	size_t nr_pointers;
	const struct store_page *const *pages;
	size_t nr_pages;
	bool big_endian;
};

static bool is_given(const struct store_page *p, unsigned int at)
{
	return p->whole || p->valid[at / 8] >> at % 8 & 1;
}

/* the word at @at; false when not all of it is in the dump */
static bool get_word(const struct list *l, const struct store_page *p, unsigned int at,
		     uint64_t *ret)
{
	*ret = 0;
	for (unsigned int i = 0; i < 8; i++) {
		if (!is_given(p, at + i))
			return false;
		*ret |= (uint64_t)p->data[at + i] << 8 * (l->big_endian ? 7 - i : i);
	}
	return true;
}

/* true if one of the walked pages is there: users' addresses and the kernel's are alike on s390x */
static bool leads_somewhere(const struct list *l, uint64_t value)
{
	size_t low = 0, high = l->nr_pages;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (l->pages[mid]->number < value / STORE_PAGE)
			low = mid + 1;
		else
			high = mid;
	}
	return value >= STORE_PAGE && low < l->nr_pages &&
	       l->pages[low]->number == value / STORE_PAGE;
}

static int compare_pointers(const void *a, const void *b)
{
	const struct pointer *p = a, *q = b;

	return (p->to > q->to) - (p->to < q->to);
}

static void find_pointers(struct list *l)
{
	size_t room = 0;
	uint64_t value;

	for (size_t i = 0; i < l->nr_pages; i++) {
		for (unsigned int at = 0; at < STORE_PAGE; at += 8) {
			if (!get_word(l, l->pages[i], at, &value) || !leads_somewhere(l, value))
				continue;
			if (l->nr_pointers == room) {
				room = 2 * room + 256;
				l->pointers =
					text_xrealloc(l->pointers, room * sizeof(*l->pointers));
			}
			l->pointers[l->nr_pointers++] =
				(struct pointer){ .at = l->pages[i]->number * STORE_PAGE + at,
						  .to = value };
		}
	}
	if (l->nr_pointers)
		qsort(l->pointers, l->nr_pointers, sizeof(*l->pointers), compare_pointers);
}

/* number of the first pointer that leads above @addr */
static size_t find_above(const struct list *l, uint64_t addr)
{
	size_t low = 0, high = l->nr_pointers;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (l->pointers[mid].to <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void add_step(struct list *l, const struct store_page *p, unsigned int at, uint64_t old,
		     enum meaning what, uint64_t value)
{
	if (value == old && what != MEANING_GONE)
		return;
	if (l->nr == l->room) {
		l->room = 2 * l->room + 1024;
		l->steps = text_xrealloc(l->steps, l->room * sizeof(*l->steps));
	}
	l->steps[l->nr++] = (struct meaning_step){ .what = what,
						   .addr = p->number * STORE_PAGE + at,
						   .value = value,
						   .old = old,
						   .users = p->users };
}

static void add_pointer(struct list *l, const struct store_page *p, unsigned int at, uint64_t old)
{
	uint64_t addr = p->number * STORE_PAGE + at;
	size_t own = find_above(l, addr), next = find_above(l, old);

	add_step(l, p, at, old, MEANING_NULL, 0);
	add_step(l, p, at, old, MEANING_NOWHERE, 0xdead000000000100);
	add_step(l, p, at, old, MEANING_ITSELF, addr);
	if (own && addr - l->pointers[own - 1].to < RECORD_MOST) {
		add_step(l, p, at, old, MEANING_CYCLE, l->pointers[own - 1].to);
		add_step(l, p, at, old, MEANING_BACK, l->pointers[own - 1].at);
	}
	if (next < l->nr_pointers)
		add_step(l, p, at, old, MEANING_MIDDLE, l->pointers[next].to + 12);
}

static void add_number(struct list *l, const struct store_page *p, unsigned int at, uint64_t old)
{
	const uint64_t low = 0xffffffff;

	add_step(l, p, at, old, MEANING_COUNT, (old & ~low) | 0x80000000);
	add_step(l, p, at, old, MEANING_MOST, UINT64_MAX);
	if (old & ~low)
		add_step(l, p, at, old, MEANING_HIGH, (old & low) | 1ull << 63);
}

static unsigned int measure_string(const struct store_page *p, unsigned int at)
{
	unsigned int len = 0;

	while (at + len < STORE_PAGE && is_given(p, at + len) && p->data[at + len] >= ' ' &&
	       p->data[at + len] < 0x7f)
		len++;
	return at + len < STORE_PAGE && is_given(p, at + len) && !p->data[at + len] ? len : 0;
}

static void add_strings(struct list *l, const struct store_page *p)
{
	for (unsigned int at = 0, len; at < STORE_PAGE; at += len + 1) {
		len = measure_string(p, at);
		if (len >= STRING_LEAST)
			add_step(l, p, at + len, 1, MEANING_ENDLESS, 0);
	}
}

static void add_page(struct list *l, const struct store_page *p)
{
	uint64_t value;

	add_step(l, p, 0, 0, MEANING_GONE, 0);
	add_strings(l, p);
	for (unsigned int at = 0; at < STORE_PAGE; at += 8) {
		if (!get_word(l, p, at, &value) || !value)
			continue;
		if (leads_somewhere(l, value))
			add_pointer(l, p, at, value);
		else
			add_number(l, p, at, value);
	}
}

size_t meanings_list(struct page_store *s, bool big_endian, struct meaning_step **ret)
{
	struct list l = { .big_endian = big_endian };

	l.pages = page_store_walked(s, true, &l.nr_pages);
	find_pointers(&l);
	for (size_t i = 0; i < l.nr_pages; i++)
		add_page(&l, l.pages[i]);
	free(l.pointers);
	*ret = l.steps;
	return l.nr;
}

void meanings_add(struct fault_target *f, const struct meaning_step *step)
{
	const uint64_t letters = 0x4141414141414141;
	uint64_t at = step->addr, end = step->addr / STORE_PAGE * STORE_PAGE + STORE_PAGE;

	if (step->what == MEANING_GONE) {
		fault_target_cut(f, step->addr);
	} else if (step->what == MEANING_ENDLESS) {
		/* what the dump lacks behind the string stays missing */
		for (; at % 8; at++)
			fault_target_patch(f, at, f->options.big_endian ? 0xffull << 56 : 0xff,
					   letters);
		for (; at < end; at += 8)
			fault_target_patch(f, at, UINT64_MAX, letters);
	} else {
		fault_target_patch(f, step->addr, UINT64_MAX, step->value);
	}
}
