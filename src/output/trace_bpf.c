// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * trace_bpf.c - struct otst_trace_bpf: the BPF map that a
 * trace was found in, its key and value, and how its stacks were found.
 */
#include <inttypes.h>
#include <string.h>

#include "trace.h"

static const char *evidence_text(const char *evidence)
{
	if (!strcmp(evidence, "fits"))
		return "as the ids there fit";
	return !strcmp(evidence, "layout") ? "as bpftrace lays it out" : NULL;
}

static void print_id(struct otst_printer *p, const struct otst_trace_id *id)
{
	const char *why = evidence_text(id->evidence);

	if (!id->problem && !why)
		return;
	otst_printf(p, " (%s", id->name);
	if (id->has_id)
		otst_printf(p, " %" PRId64, id->id);
	if (why && id->map)
		otst_printf(p, " is taken for a stack of map %u, %s", id->map, why);
	else if (why)
		otst_printf(p, " is taken for a stack, %s", why);
	if (id->problem)
		otst_printf(p, ": %s", id->problem);
	otst_printf(p, ")\n");
}

void otst_print_trace_bpf(struct otst_printer *p, const struct otst_trace_bpf *b)
{
	const struct otst_trace_id *id = b->ids.data;

	otst_printf(p, "%s %u%s%s", b->type, b->map, *b->name ? " " : "", b->name);
	if (b->ids.count == 1 && !strcmp(id->evidence, "map"))
		otst_printf(p, ": id %" PRId64, id->id);
	if (b->key)
		otst_printf(p, ": %s", b->key);
	if (b->value)
		otst_printf(p, ": %s", b->value);
	if (b->state)
		otst_printf(p, ", %s", b->state);
	if (b->data)
		otst_printf(p, ": %s", b->data);
	otst_printf(p, "\n");
	for (size_t i = 0; i < b->nr_values; i++)
		otst_printf(p, "%s%s%s", i ? ", " : " (per cpu: ", b->values[i],
			    i + 1 == b->nr_values ? ")\n" : "");
	for (size_t i = 0; i < b->ids.count; i++)
		print_id(p, &id[i]);
}

static void id_rows(struct otst_rows *r, const void *item)
{
	const struct otst_trace_id *id = item;

	ROW_TEXT(r, "name", id->name, .what = "member, or place: \"key+4\"");
	ROW_TEXT(r, "evidence", id->evidence, .words = "type|fits|layout|map",
		 .what = "type: the map's types name it; fits: what lies there fits in all "
			 "elements; layout: as bpftrace lays it out; map: the map's own");
	ROW_NUMBER_OR_NULL(
		r, "id", id->has_id, id->id,
		.what = "negative: an errno, no stack was taken; null: the frames lie there themselves");
	ROW_COUNT_OR_NULL(r, "map", id->map, id->map, .what = "id of the map that holds the stack");
	ROW_TEXT_OR_NULL(r, "problem", id->problem, .what = "why there are no frames");
}

static const struct otst_object id_object = { OTST_PART, "stack_id", id_rows,
					      "a stack that an element of a BPF map names" };

static void bpf_rows(struct otst_rows *r, const void *item)
{
	const struct otst_trace_bpf *b = item;

	ROW_COUNT(r, "map", b->map, .what = "the map's id");
	ROW_TEXT(r, "name", b->name);
	ROW_TEXT(r, "map_type", b->type, .what = "as bpftool names it");
	ROW_TEXT_OR_NULL(
		r, "key", b->key,
		.what = "of an element: by its type, else as a number or words in hexadecimal");
	ROW_BYTES(r, "key_bytes", b->key_bytes.at, b->key_bytes.size, .what = "as they are");
	ROW_TEXT_OR_NULL(r, "value", b->value,
			 .what = "the same; of a per-cpu map the sum, when it is one number");
	ROW_BYTES(
		r, "value_bytes", b->value_bytes.at, b->value_bytes.size,
		.what = "as they are; of a per-cpu map one value behind the other, each in whole words of 8 bytes");
	ROW_TEXTS(r, "per_cpu", b->values, b->nr_values,
		  .what = "of a per-cpu map: the value of each cpu");
	ROW_TEXT_OR_NULL(r, "state", b->state, .words = "unread|read|busy|discarded",
			 .what = "of a record in an event buffer");
	ROW_TEXT_OR_NULL(r, "data", b->data, .what = "of a record: its bytes");
	ROW_BYTES(r, "data_bytes", b->data_bytes.at, b->data_bytes.size, .what = "as they are");
	ROW_OBJECTS(r, "stacks", id_object, (const struct otst_trace_id *)b->ids.data, b->ids.count,
		    .what = "the stacks that it names, in the order of the frames");
}

const struct otst_object otst_trace_bpf_object = { OTST_PART, "bpf_element", bpf_rows,
						   "an element or a record of a BPF map" };
