// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stacktracer.c - struct otst_stack_tracer as t_show() of
 * kernel/trace/trace_stack.c prints it in stack_trace, and as a summary.
 */
#include <inttypes.h>

#include "rows.h"
#include "stack.h"
#include "stacktracer.h"

static const char disabled[] = "#\n"
			       "#  Stack tracer disabled\n"
			       "#\n"
			       "# To enable the stack tracer, either add 'stacktrace' to the\n"
			       "# kernel command line\n"
			       "# or 'echo 1 > /proc/sys/kernel/stack_tracer_enabled'\n"
			       "#\n";

void otst_print_stack_trace_file(struct otst_printer *p, const struct otst_stack_tracer *t)
{
	otst_printf(p,
		    "        Depth    Size   Location    (%" PRId64 " entries)\n"
		    "        -----    ----   --------\n",
		    t->counted);
	if (!t->enabled && !t->max_size)
		otst_printf(p, "%s", disabled);
	for (size_t i = 0; i < t->count; i++) {
		const struct otst_stack_entry *e = &t->entries[i];
		struct otst_sym sym;

		otst_symbolize_all(p->o, e->addr, &sym);
		otst_printf(p, "%3zu) %8" PRId32 "   %5" PRId32 "   %s\n", i, e->depth, e->size,
			    otst_sym_format(p->o, e->addr, &sym, OTST_SYM_PS_OFFSET));
	}
	if (t->error)
		otst_print_bad(p, "stack_trace", t->error);
}

void otst_print_stack_max_size_file(struct otst_printer *p, const struct otst_stack_tracer *t)
{
	otst_printf(p, "%" PRIu64 "\n", t->max_size);
}

static void stack_tracer_rows(struct otst_rows *r, const void *item)
{
	const struct otst_stack_tracer *t = item;

	ROW_BOOL(r, "enabled", t->enabled);
	ROW_COUNT(r, "max_size", t->max_size, .what = "as stack_max_size reads");
	ROW_NUMBER(r, "entries", t->counted);
	ROW_TEXT_OR_NULL(r, "error", t->error);
}

const struct otst_object otst_stack_tracer_object = {
	OTST_LINE, "stack_tracer", stack_tracer_rows,
	"otst -T: the stack tracer; otst -t -s stacktracer has its stack"
};

void otst_print_stack_tracer(struct otst_printer *p, const struct otst_stack_tracer *t)
{
	if (p->json) {
		p->bad += t->error != NULL;
		otst_print_json(p, &otst_stack_tracer_object, t, NULL);
		return;
	}
	otst_printf(p,
		    "\nstack tracer (%s)\n"
		    "    %-14s %" PRIu64 "\n"
		    "    %-14s %" PRId64 " %s; otst -t -s stacktracer shows them\n",
		    t->enabled ? "on" : "off", "stack_max_size", t->max_size, "stack_trace",
		    t->counted, otst_number(t->counted, "entry", "entries"));
	if (t->error)
		otst_print_bad(p, "stack_trace", t->error);
}
