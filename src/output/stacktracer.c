// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stacktracer.c - struct otst_stack_tracer as t_show() of
 * kernel/trace/trace_stack.c prints it in stack_trace, and as a summary.
 */
#include <inttypes.h>

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
	size_t i;

	otst_printf(p,
		    "        Depth    Size   Location    (%" PRId64 " entries)\n"
		    "        -----    ----   --------\n",
		    t->counted);
	if (!t->enabled && !t->max_size)
		otst_printf(p, "%s", disabled);
	for (i = 0; i < t->count; i++) {
		const struct otst_stack_entry *e = &t->entries[i];
		struct otst_frame f = { .pc = e->addr, .exact = true };

		otst_printf(p, "%3zu) %8" PRId32 "   %5" PRId32 "   %s\n", i, e->depth, e->size,
			    otst_frame_name(p->o, &f));
	}
	if (t->error)
		otst_print_bad(p, "stack_trace", t->error);
}

void otst_print_stack_max_size_file(struct otst_printer *p, const struct otst_stack_tracer *t)
{
	otst_printf(p, "%" PRIu64 "\n", t->max_size);
}

void otst_print_stack_tracer(struct otst_printer *p, const struct otst_stack_tracer *t)
{
	struct json_object *j;

	if (p->json) {
		j = otst_json_new("stack_tracer");
		otst_json_bool(j, "enabled", t->enabled);
		otst_json_u64(j, "max_size", t->max_size);
		otst_json_s64(j, "entries", t->counted);
		otst_json_string(j, "error", t->error);
		p->bad += t->error != NULL;
		otst_json_line(p, j);
		return;
	}
	otst_printf(p,
		    "\nstack tracer (%s)\n"
		    "    %-14s %" PRIu64 "\n"
		    "    %-14s %" PRId64 " entries; otst -t -s stacktracer shows them\n",
		    t->enabled ? "on" : "off", "stack_max_size", t->max_size, "stack_trace",
		    t->counted);
	if (t->error)
		otst_print_bad(p, "stack_trace", t->error);
}
