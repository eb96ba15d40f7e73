// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * coverage.c - struct otst_coverage as lines: what could not be looked at, before
 * the count that ends a listing, with one line for all kinds that share a reason.
 */
#include <string.h>

#include "../base/text_buffer.h"
#include "rows.h"

#define MOST_NAMES 5 /* in a line, without -v */

static bool same_reason(const struct otst_coverage *a, const struct otst_coverage *b)
{
	return a->looked == b->looked && a->help == b->help &&
	       (a->why == b->why || (a->why && b->why && !strcmp(a->why, b->why)));
}

static void coverage_rows(struct otst_rows *r, const void *item)
{
	const struct otst_coverage *c = item;

	ROW_TEXT(r, "of", c->of,
		 .what = "what it is one of: probes, tracing, traces, stacks, text; command: all "
			 "that it looked at");
	ROW_TEXT(r, "what", c->what,
		 .what = "a kind of probe as -k takes it, a source as -s takes it");
	ROW_TEXT(r, "state", otst_looked_name(c->looked), .names = otst_looked_name,
		 .count = OTST_LOOKED_COUNT,
		 .what = "all of it was looked at; some of it may be missing; the kernel has it, "
			 "and otst -i did not read it; the kernel does not have it; there may be "
			 "records");
	ROW_COUNT(r, "records", c->records,
		  .what = "how many were found, before operands chose among them");
	ROW_TEXT_OR_NULL(r, "why", c->why,
			 .what = "what shows that it is absent, or what kept it from being "
				 "looked at");
	ROW_TEXT_OR_NULL(r, "help", c->help, .what = "what would help");
}

const struct otst_object otst_coverage_object = {
	OTST_LINE, "coverage", coverage_rows,
	"how far one kind of record was looked at: in listings those that were not, in otst -i all"
};

const char *otst_gap_text(struct otst *o, enum otst_looked looked, const char *names,
			  const char *why, const char *help)
{
	struct otst_text t = { .o = o };
	const char *s;

	otst_text_string(&t, looked == OTST_LOOKED_NOT ? "not looked at: " : "looked at in part: ");
	if (names)
		otst_text_printf(&t, "%s: ", names);
	otst_text_string(&t, why);
	if (help)
		otst_text_printf(&t, "; %s would help", help);
	s = otst_text_done(&t);
	return s ? s : "?";
}

/* the names of @first and of later entries that share its reason */
static const char *join_names(const struct otst_printer *p, const struct otst_coverage *first,
			      const struct otst_coverage *end)
{
	size_t most = p->verbose ? SIZE_MAX : MOST_NAMES, n = 1;
	struct otst_text t = { .o = p->o };
	const struct otst_coverage *c;
	const char *s;

	otst_text_string(&t, first->what);
	for (c = first + 1; c < end; c++) {
		if (otst_is_gap(c) && !c->told && same_reason(first, c) && n++ < most)
			otst_text_printf(&t, ", %s", c->what);
	}
	if (n > most)
		otst_text_printf(&t, " and %zu more", n - most);
	s = otst_text_done(&t);
	return s ? s : "?";
}

static void print_gap_line(struct otst_printer *p, const struct otst_coverage *first,
			   const struct otst_coverage *end)
{
	otst_print_styled(p, OTST_STYLE_BAD, "!!", 2);
	otst_printf(p, " %s\n",
		    otst_gap_text(p->o, first->looked, join_names(p, first, end), first->why,
				  first->help));
}

/* true if @c was named in the line of an earlier entry */
static bool is_printed(const struct otst_coverage *items, const struct otst_coverage *c)
{
	for (; items < c; items++) {
		if (otst_is_gap(items) && !items->told && same_reason(items, c))
			return true;
	}
	return false;
}

/* true the first time */
static bool say_why(struct otst_printer *p, const char *why)
{
	const char *const *said = p->said.data;

	for (size_t i = 0; i < p->said.count; i++) {
		if (!strcmp(said[i], why))
			return false;
	}
	*(const char **)otst_vec_push(p->o, &p->said, sizeof(why)) = why;
	return true;
}

bool otst_is_said(struct otst_printer *p, const char *message)
{
	static const char lack[] = "in this kernel";
	const char *last = otst_last_phrase(message);
	size_t len = strlen(last), end = sizeof(lack) - 1;

	if (otst_doubt_find(p->o, last))
		return true;
	return len > end && !strcmp(last + len - end, lack) && !say_why(p, last);
}

const struct otst_doubt *otst_unsaid_doubt(struct otst_printer *p)
{
	const struct otst_doubt *d;

	for (size_t i = 0; (d = otst_doubt_at(p->o, i)) && !say_why(p, d->why); i++)
		;
	return d;
}

void otst_count_gaps(struct otst_printer *p, const struct otst_vec *coverage)
{
	const struct otst_coverage *items = coverage->data;

	for (size_t i = 0; i < coverage->count; i++) {
		if (!otst_is_gap(&items[i]))
			continue;
		p->gaps++;
		say_why(p, items[i].why);
	}
}

void otst_print_gaps(struct otst_printer *p, const struct otst_vec *coverage)
{
	const struct otst_coverage *items = coverage->data, *end = items + coverage->count, *c;

	otst_count_gaps(p, coverage);
	for (c = items; c < end; c++) {
		if (!otst_is_gap(c))
			continue;
		if (p->json)
			otst_print_json(p, &otst_coverage_object, c, NULL);
		else if (!c->told && !is_printed(items, c))
			print_gap_line(p, c, end);
	}
}

void otst_print_doubts(struct otst_printer *p, const char *what)
{
	const struct otst_doubt *d;

	while ((d = otst_unsaid_doubt(p))) {
		const struct otst_coverage c = { .of = what,
						 .what = what,
						 .looked = OTST_LOOKED_IN_PART,
						 .why = d->why,
						 .help = d->help };

		p->gaps++;
		if (p->json)
			otst_print_json(p, &otst_coverage_object, &c, NULL);
		else
			print_gap_line(p, &c, &c + 1);
	}
}
