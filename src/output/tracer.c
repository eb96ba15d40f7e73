// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracer.c - struct otst_tracing as text and JSON: a table of tracers, then a
 * block for each trace array.
 */
#include <inttypes.h>
#include <string.h>

#include <json-c/json.h>

#include "../ftrace/tracing.h"
#include "table.h"

/* columns of the tracers; the order is that of the line */
enum { ADDRESS, TRACER, INIT, FLAGS, CURRENT, OPTIONS, COLUMNS };

static const struct otst_column columns[COLUMNS] = {
	[ADDRESS] = { .title = "ADDRESS" },
	[TRACER] = { .title = "TRACER", .most = 40 },
	[INIT] = { .title = "INIT", .most = 40 },
	[FLAGS] = { .title = "FLAGS" },
	[CURRENT] = { .title = "CURRENT IN", .most = 40 },
	[OPTIONS] = { .title = "OPTIONS" },
};

static const char *or_unknown(const char *s)
{
	return s ? s : "?";
}

/* a list of words, or what stands for none */
static const char *join(struct otst *o, const char *const *list, const char *between,
			const char *none)
{
	const char *s = NULL;

	for (; list && *list; list++)
		s = or_unknown(otst_format(o, "%s%s%s", s ? s : "", s ? between : "", *list));
	return s ? s : none;
}

/* ---- text ---- */

static const char *init_name(struct otst *o, const struct otst_tracer *t)
{
	return t->init ? otst_sym_name(o, t->init, &t->init_sym) : "-";
}

static void fill_row(struct otst *o, const struct otst_tracer *t, struct otst_cell ret[COLUMNS])
{
	memset(ret, 0, COLUMNS * sizeof(*ret));
	ret[ADDRESS].text = or_unknown(otst_format(o, "%016" PRIx64, t->addr));
	ret[TRACER].text = or_unknown(t->name);
	ret[INIT].text = init_name(o, t);
	ret[FLAGS].text = or_unknown(otst_format(o, "%016" PRIx64, t->flags));
	ret[CURRENT].text = join(o, t->current_in, ", ", "-");
	ret[OPTIONS].text = join(o, t->options, " ", "-");
}

static void print_tracers(struct otst_printer *p, const struct otst_tracing *t)
{
	struct otst_cell row[COLUMNS];
	struct otst_table table;
	size_t i;

	otst_table_init(&table, p, columns, COLUMNS, FLAGS);
	for (i = 0; i < t->nr_tracers; i++) {
		fill_row(p->o, t->tracers[i], row);
		otst_table_measure(&table, row);
	}
	otst_table_head(&table);
	for (i = 0; i < t->nr_tracers; i++) {
		const struct otst_tracer *tr = t->tracers[i];

		fill_row(p->o, tr, row);
		otst_table_row(&table, row);
		if (tr->error)
			otst_print_bad(p,
				       or_unknown(otst_format(p->o, "tracer 0x%" PRIx64, tr->addr)),
				       tr->error);
	}
}

static void print_cpus(struct otst_printer *p, const char *what, const struct otst_trace_buffer *b)
{
	size_t i;

	otst_printf(p, "    %-10s 0x%" PRIx64 ", sub-buffers of %s bytes\n", what, b->addr,
		    b->subbuf_size ? or_unknown(otst_format(p->o, "%" PRIu64, b->subbuf_size)) :
				     "?");
	otst_printf(p, "    %4s %8s %10s %10s %10s %10s %10s %12s %8s\n", "CPU", "SIZE_KB",
		    "ENTRIES", "OVERRUN", "COMMITOVR", "DROPPED", "READ", "BYTES", "PAGES");
	for (i = 0; i < b->nr_cpus; i++) {
		const struct otst_cpu_buffer *c = &b->cpus[i];

		if (c->error) {
			otst_print_bad(p,
				       or_unknown(otst_format(p->o, "%s of cpu %u", what, c->cpu)),
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
	otst_printf(p, "    %-10s %s\n", "tracer", or_unknown(a->tracer));
	if (!a->switches_known)
		otst_printf(p, "    %-10s ?\n", "recording");
	else if (a->recording)
		otst_printf(p, "    %-10s yes\n", "recording");
	else
		otst_printf(p, "    %-10s no, off: %s\n", "recording",
			    join(o, a->switches, ", ", "?"));
	otst_printf(p, "    %-10s %s\n", "tracing_on",
		    !a->switches_known ? "?" :
		    a->tracing_on      ? "1" :
					 "0");
	otst_printf(p, "    %-10s %s\n", "clock", or_unknown(a->clock));
	if (p->verbose)
		otst_printf(p, "    %-10s %s\n", "options", join(o, a->options, " ", "-"));
	if (a->buffer.addr || a->buffer.error)
		print_cpus(p, "buffer", &a->buffer);
	if (a->snapshot_known && !a->snapshot_allocated)
		otst_printf(p, "    %-10s not allocated\n", "snapshot");
	else if (a->snapshot_known)
		print_cpus(p, "snapshot", &a->snapshot);
	if (a->error)
		otst_print_bad(p, or_unknown(otst_format(o, "trace_array 0x%" PRIx64, a->addr)),
			       a->error);
}

/* ---- JSON ---- */

static void json_tracer(struct otst_printer *p, const struct otst_tracer *t)
{
	struct json_object *j = otst_json_new("tracer");

	p->bad += t->error != NULL;
	otst_json_address(j, "address", t->addr);
	otst_json_string(j, "name", t->name);
	otst_json_sym(j, "init", t->init, &t->init_sym);
	if (t->flags)
		otst_json_address(j, "flags", t->flags);
	else
		otst_json_null(j, "flags");
	otst_json_strings(j, "options", t->options);
	otst_json_strings(j, "current_in", t->current_in);
	otst_json_u64(j, "enabled", t->enabled);
	otst_json_string(j, "error", t->error);
	otst_json_line(p, j);
}

static struct json_object *json_cpu(struct otst_printer *p, const struct otst_cpu_buffer *c)
{
	struct json_object *j = otst_json_new(NULL);

	p->bad += c->error != NULL;
	otst_json_u64(j, "cpu", c->cpu);
	otst_json_u64(j, "size", c->size);
	otst_json_u64(j, "entries", c->entries);
	otst_json_u64(j, "overrun", c->overrun);
	otst_json_u64(j, "commit_overrun", c->commit_overrun);
	otst_json_u64(j, "dropped", c->dropped);
	otst_json_u64(j, "read", c->read);
	otst_json_u64(j, "bytes", c->bytes);
	otst_json_u64(j, "pages", c->nr_pages);
	otst_json_u64(j, "record_disabled", c->record_disabled);
	otst_json_u64(j, "disabled", c->disabled);
	otst_json_string(j, "error", c->error);
	return j;
}

static struct json_object *json_buffer(struct otst_printer *p, const struct otst_trace_buffer *b)
{
	struct json_object *j = otst_json_new(NULL), *cpus = json_object_new_array();
	size_t i;

	p->bad += b->error != NULL;
	otst_json_address(j, "address", b->addr);
	otst_json_u64(j, "subbuf_size", b->subbuf_size);
	otst_json_u64(j, "record_disabled", b->record_disabled);
	for (i = 0; cpus && i < b->nr_cpus; i++)
		json_object_array_add(cpus, json_cpu(p, &b->cpus[i]));
	otst_json_object(j, "cpus", cpus);
	otst_json_string(j, "error", b->error);
	return j;
}

static void json_switch(struct json_object *j, const char *key, const struct otst_trace_array *a,
			bool on)
{
	if (a->switches_known)
		otst_json_bool(j, key, on);
	else
		otst_json_null(j, key);
}

static void json_array(struct otst_printer *p, const struct otst_trace_array *a)
{
	struct json_object *j = otst_json_new("trace_array");

	p->bad += a->error != NULL;
	otst_json_address(j, "address", a->addr);
	otst_json_string(j, "name", a->name ? a->name : "top");
	otst_json_bool(j, "instance", a->name != NULL);
	otst_json_string(j, "tracer", a->tracer);
	json_switch(j, "recording", a, a->recording);
	otst_json_strings(j, "off", a->switches);
	json_switch(j, "tracing_on", a, a->tracing_on);
	otst_json_string(j, "clock", a->clock);
	otst_json_strings(j, "options", a->options);
	otst_json_object(j, "buffer", json_buffer(p, &a->buffer));
	otst_json_bool(j, "snapshot_allocated", a->snapshot_allocated);
	otst_json_object(j, "snapshot",
			 a->snapshot_allocated ? json_buffer(p, &a->snapshot) : NULL);
	otst_json_string(j, "error", a->error);
	otst_json_line(p, j);
}

void otst_print_tracers(struct otst_printer *p, const struct otst_tracing *t)
{
	size_t i;

	if (t->disabled && !p->json)
		otst_printf(p, "tracing shut itself down (tracing_disabled)\n");
	if (!p->json)
		print_tracers(p, t);
	for (i = 0; p->json && i < t->nr_tracers; i++)
		json_tracer(p, t->tracers[i]);
}

void otst_print_trace_array(struct otst_printer *p, const struct otst_trace_array *a)
{
	if (p->json)
		json_array(p, a);
	else
		print_array(p, a);
}

void otst_print_tracing_end(struct otst_printer *p, const struct otst_tracing *t)
{
	size_t i;

	for (i = 0; i < t->nr_errors; i++)
		otst_print_bad(p, NULL, t->errors[i]);
	if (!p->json)
		otst_printf(p, "\n");
	otst_print_end(p, "trace arrays", t->nr_arrays);
}
