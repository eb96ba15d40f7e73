// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * readiness.c - what of a kernel can be read: one line for all that is ready, one for all that
 * the kernel lacks, then each kind that is not ready with the names that its decoder misses.
 */
#include <string.h>

#include "readiness.h"
#include "rows.h"

#define WIDTH 100 /* of the lists of names */

static const char *ready_name(unsigned int state)
{
	static const char *const names[] = { "ready", "not in this kernel", "not ready" };
	OTST_EACH_HAS(names, OTST_READY_COUNT);

	return names[state];
}

static void readiness_rows(struct otst_rows *r, const void *item)
{
	const struct otst_readiness *x = item;

	ROW_TEXT(r, "of", x->of, .words = "probes|tracing|traces|files|stacks|audit|names",
		 .what = "what it is one of");
	ROW_TEXT(
		r, "what", x->what,
		.what = "a kind of probe as -k takes it, a source as -s takes it, a file as -T does");
	ROW_TEXT(r, "state", ready_name(x->state), .names = ready_name, .count = OTST_READY_COUNT);
	ROW_TEXTS(r, "lacks", x->lacks.data, x->lacks.count,
		  .what = "names that its decoder looks up and this kernel lacks or has in another "
			  "shape");
	ROW_TEXT_OR_NULL(r, "why", x->why, .what = "what shows that the kernel does not have it");
}

const struct otst_object otst_readiness_object = {
	OTST_LINE, "readiness", readiness_rows,
	"otst --readiness: can one kind of record of this kernel be read"
};

/* the names of all of @of that are in @state, in lines */
static void print_names(struct otst_printer *p, const struct otst_vec *items, const char *of,
			enum otst_ready state)
{
	const struct otst_readiness *x = items->data;
	size_t i, column = 0;

	for (i = 0; i < items->count; i++) {
		if (x[i].state != state || strcmp(x[i].of, of) != 0)
			continue;
		if (!column)
			otst_printf(p, "%s, %s:", of, ready_name(state));
		if (!column || column > WIDTH) {
			otst_printf(p, "\n   ");
			column = 4;
		}
		otst_printf(p, " %s", x[i].what);
		column += strlen(x[i].what) + 1;
	}
	if (column)
		otst_printf(p, "\n");
}

static void print_lacks(struct otst_printer *p, const struct otst_readiness *x)
{
	const char *const *lacks = x->lacks.data;

	for (size_t i = 0; i < x->lacks.count; i++)
		otst_printf(p, "!! %s, %s: not ready: %s\n", x->of, x->what, lacks[i]);
}

static void print_readiness_text(struct otst_printer *p, const struct otst_vec *items)
{
	static const char *const groups[] = { "probes", "tracing", "traces", "files",
					      "stacks", "audit",   "names" };
	const struct otst_readiness *x = items->data;

	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		print_names(p, items, groups[i], OTST_READY);
		print_names(p, items, groups[i], OTST_READY_ABSENT);
		for (size_t k = 0; k < items->count; k++) {
			if (!strcmp(x[k].of, groups[i]))
				print_lacks(p, &x[k]);
		}
	}
}

void otst_print_readiness(struct otst_printer *p, const struct otst_vec *items, const char *note)
{
	const struct otst_readiness *x = items->data;
	size_t i, missing = 0;

	for (i = 0; i < items->count; i++) {
		missing += x[i].state == OTST_READY_NOT;
		if (p->json)
			otst_print_json(p, &otst_readiness_object, &x[i], NULL);
	}
	p->bad += missing;
	while (otst_unsaid_doubt(p))
		;
	if (!p->json)
		print_readiness_text(p, items);
	otst_print_note(p, note);
	otst_print_end(p, "kind", "kinds", items->count);
}
