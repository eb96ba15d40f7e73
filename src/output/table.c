// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * table.c - tables that fit the width of the output: columns that do not fit go
 * to a second line of each row.
 */
#include <limits.h>
#include <string.h>

#include "table.h"

#define GAP	    2u	/* blanks between columns */
#define MOST_INDENT 14u /* of the second line, which begins below the second column */
#define LITTLE \
	24u /* a column with less room than this goes to the second line, unless it is the last one */

void otst_table_init(struct otst_table *t, struct otst_printer *p, const struct otst_object *object,
		     const void *of)
{
	struct otst_rows r = { .p = p, .ask = OTST_ASK_TITLES, .columns = t->columns };

	*t = (struct otst_table){ .p = p, .object = object, .of = of, .shortest = UINT_MAX };
	object->rows(&r, NULL);
	t->count = t->flow = t->split = r.count;
	for (unsigned int i = 0; i < t->count; i++) {
		t->width[i] = (unsigned int)strlen(t->columns[i].title);
		if (t->columns[i].flow)
			t->flow = i < t->flow ? i : t->flow;
	}
}

static void fill_cells(const struct otst_table *t, const void *item,
		       struct otst_cell cells[OTST_COLUMNS])
{
	struct otst_rows r = { .p = t->p, .ask = OTST_ASK_CELLS, .cells = cells, .of = t->of };

	t->object->rows(&r, item);
}

void otst_table_measure(struct otst_table *t, const void *item)
{
	struct otst_cell row[OTST_COLUMNS];
	unsigned int i, len;

	fill_cells(t, item, row);
	for (i = 0; i < t->count; i++) {
		len = (unsigned int)strlen(row[i].text);
		if (i == t->count - 1 && len < t->shortest && strcmp(row[i].text, "-") != 0)
			t->shortest = len;
		if (t->columns[i].most && len > t->columns[i].most)
			len = t->columns[i].most;
		if (len > t->width[i])
			t->width[i] = len;
	}
}

/* is column @i worth having in @room columns, where not all of its cells fit */
static bool is_worth(const struct otst_table *t, unsigned int i, unsigned int room)
{
	return strlen(t->columns[i].title) <= room &&
	       (i == t->count - 1 ? t->shortest : LITTLE) <= room;
}

/* decide which columns the first line of every row has, and how wide they are */
static void settle_columns(struct otst_table *t)
{
	unsigned int room = t->p->width, at = 0, i;

	for (i = 0; i < t->count; i++) {
		if (i >= t->flow && at + t->width[i] > room) {
			if (at > room || !is_worth(t, i, room - at))
				break;
			t->width[i] = room - at;
		}
		at += t->width[i] + GAP;
	}
	t->split = i;
}

static unsigned int indent_of(const struct otst_table *t)
{
	unsigned int indent = t->width[0] + GAP;

	return indent > MOST_INDENT ? 2 * GAP : indent;
}

static void put_blanks(struct otst_printer *p, unsigned int n)
{
	otst_printf(p, "%*s", (int)n, "");
}

/* where the cells below the first line end, without empty ones at the end */
static unsigned int last_cell(const struct otst_table *t, const struct otst_cell *row,
			      unsigned int first)
{
	unsigned int n = t->count;

	while (n > first && !strcmp(row[n - 1].text, "-"))
		n--;
	return n;
}

/* length up to a blank; a module in brackets stays with its symbol */
static size_t word_length(const char *s)
{
	size_t len = strcspn(s, " ");

	while (s[len] == ' ' && s[len + 1] == '[')
		len += 1 + strcspn(s + len + 1, " ");
	return len;
}

/* cells @from to @to as a paragraph */
static void put_below(struct otst_table *t, const struct otst_cell *row, unsigned int from,
		      unsigned int to)
{
	unsigned int indent = indent_of(t), at = 0, gap;
	const char *s;
	size_t len;

	for (; from < to; from++) {
		gap = GAP;
		for (s = row[from].text; *s; s += len + strspn(s + len, " ")) {
			len = word_length(s);
			if (!at || at + gap + len > t->p->width) {
				otst_printf(t->p, "\n");
				at = gap = indent;
			} else {
				at += gap;
			}
			put_blanks(t->p, gap);
			otst_print_styled(t->p, row[from].style, s, len);
			at += (unsigned int)len;
			gap = 1;
		}
	}
}

static void put_row(struct otst_table *t, const struct otst_cell *row)
{
	unsigned int blanks = 0, at = 0, i, len;

	for (i = 0; i < t->split; i++) {
		len = (unsigned int)strlen(row[i].text);
		if (i >= t->flow && at + len > t->p->width)
			break;
		if (t->columns[i].right && len < t->width[i])
			blanks += t->width[i] - len;
		put_blanks(t->p, blanks);
		otst_print_styled(t->p, row[i].style, row[i].text, len);
		blanks = GAP + (!t->columns[i].right && len < t->width[i] ? t->width[i] - len : 0);
		at += (len > t->width[i] ? len : t->width[i]) + GAP;
	}
	put_below(t, row, i, last_cell(t, row, i));
	otst_printf(t->p, "\n");
}

void otst_table_row(struct otst_table *t, const void *item)
{
	struct otst_cell row[OTST_COLUMNS];

	fill_cells(t, item, row);
	put_row(t, row);
}

void otst_table_head(struct otst_table *t)
{
	struct otst_cell titles[OTST_COLUMNS];

	settle_columns(t);
	for (unsigned int i = 0; i < t->count; i++)
		titles[i] = (struct otst_cell){ t->columns[i].title, OTST_STYLE_PLAIN };
	put_row(t, titles);
}
