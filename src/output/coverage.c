// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * coverage.c - struct otst_coverage as lines: what could not be looked at stands
 * before the count of a listing, a line for all that shares a reason.
 */
#include <string.h>

#include "output.h"

#define MOST_NAMES 5 /* in a line, without -v */

static bool is_gap(const struct otst_coverage *c)
{
	return c->looked == OTST_LOOKED_NOT || c->looked == OTST_LOOKED_IN_PART;
}

static bool same_reason(const struct otst_coverage *a, const struct otst_coverage *b)
{
	return a->looked == b->looked && a->help == b->help &&
	       (a->why == b->why || (a->why && b->why && !strcmp(a->why, b->why)));
}

void otst_print_coverage_json(struct otst_printer *p, const struct otst_coverage *c)
{
	struct json_object *j = otst_json_new("coverage");

	otst_json_string(j, "of", c->of);
	otst_json_string(j, "what", c->what);
	otst_json_string(j, "state", otst_looked_name(c->looked));
	otst_json_u64(j, "records", c->records);
	otst_json_string(j, "why", c->why);
	otst_json_string(j, "help", c->help);
	otst_json_line(p, j);
}

/* @first and those behind it that share its reason */
static void print_names(struct otst_printer *p, const struct otst_coverage *first,
			const struct otst_coverage *end)
{
	size_t most = p->verbose ? SIZE_MAX : MOST_NAMES, n = 1;
	const struct otst_coverage *c;

	otst_printf(p, "%s", first->what);
	for (c = first + 1; c < end; c++) {
		if (is_gap(c) && !c->told && same_reason(first, c) && n++ < most)
			otst_printf(p, ", %s", c->what);
	}
	if (n > most)
		otst_printf(p, " and %zu more", n - most);
}

static void print_line(struct otst_printer *p, const struct otst_coverage *first,
		       const struct otst_coverage *end)
{
	otst_print_styled(p, OTST_STYLE_BAD, "!!", 2);
	otst_printf(p, " %s: ",
		    first->looked == OTST_LOOKED_NOT ? "not looked at" : "looked at in part");
	print_names(p, first, end);
	otst_printf(p, ": %s", first->why);
	if (first->help)
		otst_printf(p, "; %s would help", first->help);
	otst_printf(p, "\n");
}

/* is there one before @c in the same line */
static bool is_printed(const struct otst_coverage *items, const struct otst_coverage *c)
{
	for (; items < c; items++) {
		if (is_gap(items) && !items->told && same_reason(items, c))
			return true;
	}
	return false;
}

void otst_count_gaps(struct otst_printer *p, const struct otst_vec *coverage)
{
	const struct otst_coverage *items = coverage->data;
	size_t i;

	p->covered = true;
	for (i = 0; i < coverage->count; i++)
		p->gaps += is_gap(&items[i]);
}

void otst_print_gaps(struct otst_printer *p, const struct otst_vec *coverage)
{
	const struct otst_coverage *items = coverage->data, *end = items + coverage->count, *c;

	otst_count_gaps(p, coverage);
	for (c = items; c < end; c++) {
		if (!is_gap(c))
			continue;
		if (p->json)
			otst_print_coverage_json(p, c);
		else if (!c->told && !is_printed(items, c))
			print_line(p, c, end);
	}
}

void otst_print_doubts(struct otst_printer *p, const char *what)
{
	struct otst_coverage c = {
		.of = what,
		.what = what,
		.looked = OTST_LOOKED_IN_PART,
		.why = otst_doubt_why(p->o),
		.help = otst_doubt_help(p->o),
	};

	if (p->covered || !c.why)
		return;
	p->covered = true;
	p->gaps++;
	if (p->json)
		otst_print_coverage_json(p, &c);
	else
		print_line(p, &c, &c + 1);
}
