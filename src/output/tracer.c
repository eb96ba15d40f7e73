// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tracer.c - struct otst_tracing: a table of tracers, then a block for each
 * trace array.
 */
#include <inttypes.h>

#include "../ftrace/tracing.h"
#include "table.h"

/* a list of words, or what stands for none */
static const char *join_words(struct otst *o, const char *const *list, const char *between,
			      const char *none)
{
	const char *s = NULL;

	for (; list && *list; list++)
		s = otst_or_unknown(otst_format(o, "%s%s%s", s ? s : "", s ? between : "", *list));
	return s ? s : none;
}

/* ---- descriptions ---- */

static void tracer_rows(struct otst_rows *r, const void *item)
{
	const struct otst_tracer *t = item;

	ROW_ADDRESS(r, "address", t->addr, .title = "ADDRESS");
	ROW_CELL(r, "TRACER", otst_or_unknown(t->name), OTST_STYLE_PLAIN, .most = 40);
	ROW_TEXT_OR_NULL(r, "name", t->name);
	ROW_SYMBOL(r, "init", t->init, &t->init_sym, .title = "INIT", .most = 40);
	ROW_CELL(r, "FLAGS", otst_or_unknown(otst_format(r->p->o, "%016" PRIx64, t->flags)),
		 OTST_STYLE_PLAIN, .flow = true);
	ROW_ADDRESS_OR_NULL(r, "flags", t->flags);
	ROW_CELL(r, "CURRENT IN", join_words(r->p->o, t->current_in, ", ", "-"), OTST_STYLE_PLAIN,
		 .most = 40);
	ROW_CELL(r, "OPTIONS", join_words(r->p->o, t->options, " ", "-"), OTST_STYLE_PLAIN);
	ROW_TEXTS(r, "options", t->options, OTST_UNTIL_NULL);
	ROW_TEXTS(r, "current_in", t->current_in, OTST_UNTIL_NULL);
	ROW_COUNT(r, "enabled", t->enabled);
	ROW_TEXT_OR_NULL(r, "error", t->error);
}

const struct otst_object otst_tracer_object = { OTST_LINE, "tracer", tracer_rows,
						"otst -T: one struct tracer" };

static void cpu_rows(struct otst_rows *r, const void *item)
{
	const struct otst_cpu_buffer *c = item;

	ROW_COUNT(r, "cpu", c->cpu);
	ROW_COUNT(r, "size", c->size, .what = "bytes");
	ROW_COUNT(r, "entries", c->entries);
	ROW_COUNT(r, "overrun", c->overrun);
	ROW_COUNT(r, "commit_overrun", c->commit_overrun);
	ROW_COUNT(r, "dropped", c->dropped);
	ROW_COUNT(r, "read", c->read);
	ROW_COUNT(r, "bytes", c->bytes);
	ROW_COUNT(r, "pages", c->nr_pages);
	ROW_COUNT(r, "record_disabled", c->record_disabled);
	ROW_COUNT(r, "disabled", c->disabled);
	ROW_TEXT_OR_NULL(r, "error", c->error);
}

static const struct otst_object cpu_object = { OTST_PART, "cpu_buffer", cpu_rows,
					       "what one cpu has of a ring buffer" };

static void buffer_rows(struct otst_rows *r, const void *item)
{
	const struct otst_trace_buffer *b = item;

	ROW_ADDRESS(r, "address", b->addr);
	ROW_COUNT(r, "subbuf_size", b->subbuf_size);
	ROW_COUNT(r, "record_disabled", b->record_disabled);
	ROW_OBJECTS(r, "cpus", cpu_object, b->cpus, b->nr_cpus);
	ROW_TEXT_OR_NULL(r, "error", b->error);
}

static const struct otst_object buffer_object = { OTST_PART, "buffer", buffer_rows,
						  "a ring buffer" };

static void array_rows(struct otst_rows *r, const void *item)
{
	const struct otst_trace_array *a = item;

	ROW_ADDRESS(r, "address", a->addr);
	ROW_TEXT(r, "name", a->name ? a->name : "top");
	ROW_BOOL(r, "instance", a->name != NULL);
	ROW_TEXT_OR_NULL(r, "tracer", a->tracer);
	ROW_BOOL_OR_NULL(r, "recording", a->switches_known, a->recording,
			 .what = "null when the buffer could not be read");
	ROW_TEXTS(r, "off", a->switches, OTST_UNTIL_NULL,
		  .what = "switches that keep it from recording");
	ROW_BOOL_OR_NULL(r, "tracing_on", a->switches_known, a->tracing_on,
			 .what = "null when the buffer could not be read");
	ROW_TEXT_OR_NULL(r, "clock", a->clock);
	ROW_TEXTS(r, "options", a->options, OTST_UNTIL_NULL);
	ROW_OBJECT(r, "buffer", buffer_object, &a->buffer);
	ROW_BOOL(r, "snapshot_allocated", a->snapshot_allocated);
	ROW_OBJECT_OR_NULL(r, "snapshot", buffer_object,
			   a->snapshot_allocated ? &a->snapshot : NULL);
	ROW_TEXT_OR_NULL(r, "error", a->error);
}

const struct otst_object otst_trace_array_object = { OTST_LINE, "trace_array", array_rows,
						     "otst -T: one trace array" };

/* ---- text ---- */

static void print_tracers(struct otst_printer *p, const struct otst_tracing *t)
{
	struct otst_table table;

	otst_table_init(&table, p, &otst_tracer_object, NULL);
	for (size_t i = 0; i < t->nr_tracers; i++)
		otst_table_measure(&table, t->tracers[i]);
	otst_table_head(&table);
	for (size_t i = 0; i < t->nr_tracers; i++) {
		const struct otst_tracer *tr = t->tracers[i];

		otst_table_row(&table, tr);
		if (tr->error)
			otst_print_bad(
				p,
				otst_or_unknown(otst_format(p->o, "tracer 0x%" PRIx64, tr->addr)),
				tr->error);
	}
}

static void print_cpus(struct otst_printer *p, const char *what, const struct otst_trace_buffer *b)
{
	otst_printf(p, "    %-10s 0x%" PRIx64 ", sub-buffers of %s bytes\n", what, b->addr,
		    b->subbuf_size ?
			    otst_or_unknown(otst_format(p->o, "%" PRIu64, b->subbuf_size)) :
			    "?");
	otst_printf(p, "    %4s %8s %10s %10s %10s %10s %10s %12s %8s\n", "CPU", "SIZE_KB",
		    "ENTRIES", "OVERRUN", "COMMITOVR", "DROPPED", "READ", "BYTES", "PAGES");
	for (size_t i = 0; i < b->nr_cpus; i++) {
		const struct otst_cpu_buffer *c = &b->cpus[i];

		if (c->error) {
			otst_print_bad(
				p, otst_or_unknown(otst_format(p->o, "%s of cpu %u", what, c->cpu)),
				c->error);
			continue;
		}
		otst_printf(p,
			    "    %4u %8" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64
			    " %10" PRIu64 " %10" PRIu64 " %12" PRIu64 " %8" PRIu64 "%s%s\n",
			    c->cpu, c->size >> 10, c->entries, c->overrun, c->commit_overrun,
			    c->dropped, c->read, c->bytes, c->nr_pages,
			    c->record_disabled ? " off" : "", c->disabled ? " held" : "");
	}
	if (b->error)
		otst_print_bad(p, what, b->error);
}

static void print_array(struct otst_printer *p, const struct otst_trace_array *a)
{
	struct otst *o = p->o;

	otst_printf(p, "\n%s (trace_array 0x%" PRIx64 ")\n", a->name ? a->name : "top", a->addr);
	otst_printf(p, "    %-10s %s\n", "tracer", otst_or_unknown(a->tracer));
	if (!a->switches_known)
		otst_printf(p, "    %-10s ?\n", "recording");
	else if (a->recording)
		otst_printf(p, "    %-10s yes\n", "recording");
	else
		otst_printf(p, "    %-10s no, off: %s\n", "recording",
			    join_words(o, a->switches, ", ", "?"));
	otst_printf(p, "    %-10s %s\n", "tracing_on",
		    !a->switches_known ? "?" :
		    a->tracing_on      ? "1" :
					 "0");
	otst_printf(p, "    %-10s %s\n", "clock", otst_or_unknown(a->clock));
	if (p->verbose)
		otst_printf(p, "    %-10s %s\n", "options", join_words(o, a->options, " ", "-"));
	if (a->buffer.addr || a->buffer.error)
		print_cpus(p, "buffer", &a->buffer);
	if (a->snapshot_known && !a->snapshot_allocated)
		otst_printf(p, "    %-10s not allocated\n", "snapshot");
	else if (a->snapshot_known)
		print_cpus(p, "snapshot", &a->snapshot);
	if (a->error)
		otst_print_bad(p,
			       otst_or_unknown(otst_format(o, "trace_array 0x%" PRIx64, a->addr)),
			       a->error);
}

/* ---- all of it ---- */

static size_t count_bad(const struct otst_trace_buffer *b)
{
	size_t i, n = b->error != NULL;

	for (i = 0; i < b->nr_cpus; i++)
		n += b->cpus[i].error != NULL;
	return n;
}

void otst_print_tracers(struct otst_printer *p, const struct otst_tracing *t)
{
	if (t->disabled && !p->json)
		otst_printf(p, "tracing shut itself down (tracing_disabled)\n");
	if (!p->json)
		print_tracers(p, t);
	for (size_t i = 0; p->json && i < t->nr_tracers; i++) {
		p->bad += t->tracers[i]->error != NULL;
		otst_print_json(p, &otst_tracer_object, t->tracers[i], NULL);
	}
}

void otst_print_trace_array(struct otst_printer *p, const struct otst_trace_array *a)
{
	if (!p->json) {
		print_array(p, a);
		return;
	}
	p->bad += (a->error != NULL) + count_bad(&a->buffer) +
		  (a->snapshot_allocated ? count_bad(&a->snapshot) : 0);
	otst_print_json(p, &otst_trace_array_object, a, NULL);
}

void otst_print_tracing_end(struct otst_printer *p, const struct otst_tracing *t)
{
	otst_print_errors(p, &t->errors);
	if (!p->json)
		otst_printf(p, "\n");
	otst_print_end(p, "trace array", "trace arrays", t->nr_arrays);
}
