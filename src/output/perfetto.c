// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * perfetto.c - captures as a file for Perfetto (https://ui.perfetto.dev) and chrome://tracing: the
 * JSON of Chrome's "Trace Event Format". A capture is an instant event of its task's thread, with
 * the stack as an argument. A source and its clock make a process, because every clock starts at a
 * different time.
 */
#include <inttypes.h>
#include <string.h>

#include "trace.h"

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static const char *clock_of(const struct otst_trace *t)
{
	return t->clock_name ? t->clock_name : otst_clock_name(t->clock);
}

/* number of the first trace with the same source and clock: it names the process */
static size_t process_of(const struct otst_traces *traces, const struct otst_trace *t,
			 struct otst_trace_room *room)
{
	const struct otst_trace *first;
	size_t i;

	for (i = 0; i < traces->items.count; i++) {
		first = otst_trace_peek(traces, i, room);
		if (first->clock != OTST_CLOCK_NONE && first->source == t->source &&
		    is_same_text(clock_of(first), clock_of(t)))
			break;
	}
	return i;
}

/* what every event has: phase, process, thread */
static void open_event(struct otst_rows *r, const char *phase, const char *name, uint64_t process,
		       const struct otst_trace *t)
{
	otst_say_open(r, '{');
	otst_say_key_text(r, "ph", phase);
	otst_say_key_text(r, "name", name);
	otst_say_key(r, "pid");
	otst_say_count(r, process);
	otst_say_key(r, "tid");
	otst_say_number(r, t->pid < 0 ? 0 : t->pid);
}

static void say_name(struct otst_rows *r, const char *what, const char *name, uint64_t process,
		     const struct otst_trace *t)
{
	open_event(r, "M", what, process, t);
	otst_say_key(r, "args");
	otst_say_open(r, '{');
	otst_say_key_text(r, "name", name);
	otst_say_close(r, '}');
	otst_say_close(r, '}');
}

static void say_stack(struct otst_rows *r, const struct otst_trace *t)
{
	const struct otst_trace_line *lines;
	size_t i, n;

	otst_trace_lines(r->p->o, t, &lines, &n);
	otst_say_key(r, "stack");
	otst_say_open(r, '[');
	for (i = 0; !r->p->err && i < n; i++) {
		const char *name;

		if (!otst_trace_line_is_code(&lines[i]))
			continue;
		name = otst_trace_line_name(r->p->o, &lines[i]);
		otst_say_text(r, lines[i].reliable ? name : otst_format(r->p->o, "? %s", name));
	}
	otst_say_close(r, ']');
}

static void say_capture(struct otst_rows *r, const struct otst_trace *t, uint64_t process)
{
	const char *name = t->probe ? t->probe : t->headline;

	open_event(r, "i", name ? name : otst_source_name(t->source), process, t);
	otst_say_key_text(r, "cat", otst_source_name(t->source));
	otst_say_key_text(r, "s", "t");
	/* in us, with ns as decimals */
	otst_say_key(r, "ts");
	otst_say_decimal(r, t->time / 1000, t->time % 1000);
	otst_say_key(r, "args");
	otst_say_open(r, '{');
	otst_say_key(r, "cpu");
	otst_say_number(r, t->cpu);
	otst_say_key(r, "count");
	otst_say_count(r, t->count);
	otst_say_key_text(r, "handler", t->handler);
	otst_say_key_text(r, "headline", t->headline);
	otst_say_key_text(r, "error", t->error);
	say_stack(r, t);
	otst_say_close(r, '}');
	otst_say_close(r, '}');
}

void otst_print_perfetto(struct otst_printer *p, const struct otst_traces *traces)
{
	struct otst_rows r = otst_json_begin(p);
	struct otst_trace_room rooms[2] = { 0 };
	uint64_t untimed = 0;

	otst_say_open(&r, '{');
	otst_say_key_text(&r, "displayTimeUnit", "ns");
	otst_say_key(&r, "traceEvents");
	otst_say_open(&r, '[');
	for (size_t i = 0; i < traces->items.count && !p->err; i++) {
		const struct otst_trace *t = otst_trace_peek(traces, i, &rooms[0]);
		size_t process;

		if (t->clock == OTST_CLOCK_NONE) {
			untimed++;
			continue;
		}
		process = process_of(traces, t, &rooms[1]);
		if (process == i)
			say_name(&r, "process_name",
				 otst_format(p->o, "%s, %s clock", otst_source_name(t->source),
					     clock_of(t)),
				 process + 1, t);
		if (t->comm)
			say_name(&r, "thread_name", t->comm, process + 1, t);
		say_capture(&r, t, process + 1);
	}
	otst_say_close(&r, ']');
	otst_say_key(&r, "otherData");
	otst_say_open(&r, '{');
	otst_say_key_text(&r, "version", otst_format(p->o, "otst %s", otst_version()));
	otst_say_key_text(&r, "left_out",
			  otst_format(p->o, "%" PRIu64 " capture%s without a time", untimed,
				      otst_number(untimed, "", "s")));
	otst_say_close(&r, '}');
	otst_say_close(&r, '}');
	if (!p->err)
		otst_json_end(p);
}
