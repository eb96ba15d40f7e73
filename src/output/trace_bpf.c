// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trace_bpf.c - struct otst_trace_bpf as text and JSON: the BPF map that a
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
	size_t i;

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
	for (i = 0; i < b->nr_values; i++)
		otst_printf(p, "%s%s%s", i ? ", " : " (per cpu: ", b->values[i],
			    i + 1 == b->nr_values ? ")\n" : "");
	for (i = 0; i < b->ids.count; i++)
		print_id(p, &id[i]);
}

static struct json_object *json_id(const struct otst_trace_id *id)
{
	struct json_object *j = otst_json_new(NULL);

	otst_json_string(j, "name", id->name);
	otst_json_string(j, "evidence", id->evidence);
	if (id->has_id)
		otst_json_s64(j, "id", id->id);
	else
		otst_json_null(j, "id");
	if (id->map)
		otst_json_u64(j, "map", id->map);
	else
		otst_json_null(j, "map");
	otst_json_string(j, "problem", id->problem);
	return j;
}

struct json_object *otst_json_trace_bpf(const struct otst_trace_bpf *b)
{
	struct json_object *j = b ? otst_json_new(NULL) : NULL, *ids, *values;
	const struct otst_trace_id *id = b ? b->ids.data : NULL;
	size_t i;

	if (!b)
		return NULL;
	ids = otst_json_array();
	values = otst_json_array();
	otst_json_u64(j, "map", b->map);
	otst_json_string(j, "name", b->name);
	otst_json_string(j, "map_type", b->type);
	otst_json_string(j, "key", b->key);
	otst_json_bytes(j, "key_bytes", b->key_bytes.at, b->key_bytes.size);
	otst_json_string(j, "value", b->value);
	otst_json_bytes(j, "value_bytes", b->value_bytes.at, b->value_bytes.size);
	for (i = 0; i < b->nr_values; i++)
		otst_json_append_string(values, b->values[i]);
	otst_json_object(j, "per_cpu", values);
	otst_json_string(j, "state", b->state);
	otst_json_string(j, "data", b->data);
	otst_json_bytes(j, "data_bytes", b->data_bytes.at, b->data_bytes.size);
	for (i = 0; i < b->ids.count; i++)
		otst_json_append(ids, json_id(&id[i]));
	otst_json_object(j, "stacks", ids);
	return j;
}
