// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * order.c - the parts that pstore keeps of a log: fs/pstore/platform.c writes the
 * newest lines first, so "Panic#1 Part1" is the end of the log and Part 2 comes before it.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/sorted.h"
#include "file.h"

#define MOST_PARTS 256
#define MOST_BYTES (16u << 20) /* of all parts: firmware and memory have room for less */
#define MOST_NAME  48

/** struct kept - a line that waits for the parts before it */
struct kept {
	struct kept *next;
	uint64_t number;
	size_t len;
	char text[];
};

struct part {
	unsigned long number;
	struct kept *first, **end;
};

/**
 * struct otst_log_order - the parts of one message: @name is "Panic#1 Part"
 * @bytes: of all lines that are kept
 */
struct otst_log_order {
	struct otst *o;
	otst_log_ordered_fn *fn;
	void *priv;
	char name[MOST_NAME];
	struct part parts[MOST_PARTS];
	size_t nr_parts;
	size_t bytes;
};

struct otst_log_order *otst_log_order(struct otst *o, otst_log_ordered_fn *fn, void *priv)
{
	struct otst_log_order *r = otst_new(o, sizeof(*r));

	r->o = o;
	r->fn = fn;
	r->priv = priv;
	return r;
}

/* "Panic#1 Part2": how long the name is that all parts share, and the number; 0 when it is none */
static size_t part_name(const char *line, size_t len, unsigned long *number)
{
	size_t n = 0;

	if (len > MOST_NAME || !isupper((unsigned char)*line))
		return 0;
	while (isalpha((unsigned char)line[n]) || line[n] == ' ')
		n++;
	if (line[n] != '#' || !isdigit((unsigned char)line[n + 1]))
		return 0;
	n += 1 + strspn(line + n + 1, "0123456789");
	if (strncmp(line + n, " Part", 5) != 0 || !isdigit((unsigned char)line[n + 5]))
		return 0;
	n += 5;
	*number = strtoul(line + n, NULL, 10);
	return line[n + strspn(line + n, "0123456789\r")] ? 0 : n;
}

static int by_number(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return (x->number < y->number) - (x->number > y->number);
}

int otst_log_order_end(struct otst_log_order *r)
{
	size_t i, n = r->nr_parts;
	struct kept *k;
	int err = 0;

	otst_sort(r->parts, n, sizeof(*r->parts), by_number);
	r->nr_parts = 0;
	r->bytes = 0;
	for (i = 0; i < n; i++) {
		for (k = r->parts[i].first; k && !err; k = k->next)
			err = r->fn(r->priv, k->text, k->len, k->number);
	}
	return err;
}

static bool has_part(const struct otst_log_order *r, unsigned long number)
{
	size_t i;

	for (i = 0; i < r->nr_parts && r->parts[i].number != number; i++)
		;
	return i < r->nr_parts;
}

/* a part begins: of the same message, or of another one */
static int begin_part(struct otst_log_order *r, const char *line, size_t n, unsigned long number)
{
	int err = 0;

	if (r->nr_parts == MOST_PARTS || strlen(r->name) != n || strncmp(r->name, line, n) != 0 ||
	    has_part(r, number))
		err = otst_log_order_end(r);
	memcpy(r->name, line, n);
	r->name[n] = '\0';
	r->parts[r->nr_parts++] = (struct part){ .number = number };
	return err;
}

static int keep_ordered_line(struct otst_log_order *r, const char *line, size_t len,
			     uint64_t number)
{
	struct part *p = &r->parts[r->nr_parts - 1];
	struct kept *k = otst_alloc(r->o, sizeof(*k) + len + 1);

	if (!k)
		return otst_no_memory(r->o);
	k->next = NULL;
	k->number = number;
	k->len = len;
	memcpy(k->text, line, len);
	k->text[len] = '\0';
	if (!p->first)
		p->end = &p->first;
	*p->end = k;
	p->end = &k->next;
	r->bytes += len;
	return 0;
}

bool otst_log_order_waits(const struct otst_log_order *r)
{
	return r->nr_parts > 0;
}

int otst_log_order_line(struct otst_log_order *r, char *line, size_t len, uint64_t number)
{
	unsigned long part;
	size_t n = part_name(line, len, &part);
	int err = 0;

	if (n)
		return begin_part(r, line, n, part);
	if (r->nr_parts && r->bytes > MOST_BYTES)
		err = otst_log_order_end(r);
	if (err || !r->nr_parts)
		return err ? err : r->fn(r->priv, line, len, number);
	return keep_ordered_line(r, line, len, number);
}
