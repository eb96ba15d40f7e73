// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * info.c - struct otst_info as a screen of text and as one JSON object.
 */
#include <inttypes.h>

#include "../probes/tracing.h"
#include "output.h"

static void print_kinds(struct otst_printer *p, const struct otst_info *i)
{
	int k;

	otst_printf(p, "probes      %zu, %zu armed", i->probes, i->armed);
	for (k = 0; k < OTST_PROBE_KINDS; k++) {
		if (i->kinds[k])
			otst_printf(p, ", %zu %s", i->kinds[k],
				    otst_probe_kind((enum otst_probe_kind)k)->name);
	}
	otst_printf(p, "\n");
	if (i->disagree)
		otst_printf(p, "            ! %zu disagree with the kernel text\n", i->disagree);
}

static void print_owners(struct otst_printer *p, const struct otst_info *i)
{
	size_t n;

	for (n = 0; n < i->nr_owners; n++)
		otst_printf(p, "%-10s  %zu by %s%s%s\n", n ? "" : "owners", i->owners[n].count,
			    otst_owner_kind_name(i->owners[n].kind), i->owners[n].name ? " " : "",
			    i->owners[n].name ? i->owners[n].name : "");
}

static void print_arrays(struct otst_printer *p, const struct otst_info *i)
{
	size_t n;

	otst_printf(p, "tracers     %zu\n", i->tracers);
	for (n = 0; n < i->nr_arrays; n++) {
		const struct otst_trace_array *t = i->arrays[n];

		otst_printf(p, "%-10s  %s: tracer %s, %s\n", n ? "" : "arrays",
			    t->name ? t->name : "top", t->tracer ? t->tracer : "unknown",
			    t->recording ? "recording" : "not recording");
	}
}

static void print_text(struct otst_printer *p, const struct otst_info *i)
{
	const struct otst_kernel *k = i->kernel;
	size_t n;

	otst_printf(p, "kernel      %s %s\n", k->release, k->version);
	otst_printf(p, "node        %s, %s\n", k->nodename, k->machine);
	otst_printf(p, "cpus        %u possible, %u online\n", k->nr_cpus, k->online);
	otst_printf(p, "target      %s\n", i->target);
	otst_printf(p, "symbols     %s\n", i->symbols);
	otst_printf(p, "types       %s\n", i->types);
	otst_printf(p, "text built  %s\n", i->text_built ? "known" : "unknown");
	otst_printf(p, "modules     %zu\n", i->modules);
	print_kinds(p, i);
	print_owners(p, i);
	otst_printf(p, "ftrace      %zu ftrace_ops, %zu of %zu functions hooked\n", i->ftrace_ops,
		    i->hooked, i->sites);
	print_arrays(p, i);
	for (n = 0; n < i->nr_absent; n++)
		otst_printf(p, "%-10s  %s\n", n ? "" : "absent", i->absent[n]);
	for (n = 0; n < i->nr_bad; n++)
		otst_print_bad(p, NULL, i->bad[n]);
	otst_printf(p, "unreadable  %zu\n", i->nr_bad);
}

static void json_owners(struct json_object *j, const struct otst_info *i)
{
	struct json_object *a = otst_json_array(), *w;
	size_t n;

	for (n = 0; n < i->nr_owners; n++) {
		w = otst_json_new(NULL);
		otst_json_string(w, "kind", otst_owner_kind_name(i->owners[n].kind));
		otst_json_string(w, "name", i->owners[n].name);
		otst_json_u64(w, "count", i->owners[n].count);
		otst_json_append(a, w);
	}
	otst_json_object(j, "owners", a);
}

static void json_arrays(struct json_object *j, const struct otst_info *i)
{
	struct json_object *a = otst_json_array(), *t;
	size_t n;

	for (n = 0; n < i->nr_arrays; n++) {
		t = otst_json_new(NULL);
		otst_json_string(t, "name", i->arrays[n]->name);
		otst_json_string(t, "tracer", i->arrays[n]->tracer);
		otst_json_bool(t, "recording", i->arrays[n]->recording);
		otst_json_append(a, t);
	}
	otst_json_object(j, "trace_arrays", a);
}

static void print_json(struct otst_printer *p, const struct otst_info *i)
{
	const struct otst_kernel *k = i->kernel;
	struct json_object *j = otst_json_new("info"), *kinds = otst_json_new(NULL),
			   *bad = otst_json_array(), *absent = otst_json_array();
	size_t n;

	otst_json_string(j, "release", k->release);
	otst_json_string(j, "version", k->version);
	otst_json_string(j, "nodename", k->nodename);
	otst_json_string(j, "machine", k->machine);
	otst_json_u64(j, "cpus_possible", k->nr_cpus);
	otst_json_u64(j, "cpus_online", k->online);
	otst_json_string(j, "target", i->target);
	otst_json_string(j, "symbols", i->symbols);
	otst_json_string(j, "types", i->types);
	otst_json_bool(j, "text_built", i->text_built);
	otst_json_u64(j, "modules", i->modules);
	otst_json_u64(j, "probes", i->probes);
	otst_json_u64(j, "armed", i->armed);
	otst_json_u64(j, "disagree", i->disagree);
	for (n = 0; n < OTST_PROBE_KINDS; n++)
		otst_json_u64(kinds, otst_probe_kind((enum otst_probe_kind)n)->name, i->kinds[n]);
	otst_json_object(j, "kinds", kinds);
	json_owners(j, i);
	otst_json_u64(j, "ftrace_ops", i->ftrace_ops);
	otst_json_u64(j, "functions_hooked", i->hooked);
	otst_json_u64(j, "functions", i->sites);
	otst_json_u64(j, "tracers", i->tracers);
	json_arrays(j, i);
	for (n = 0; n < i->nr_absent; n++)
		otst_json_append_string(absent, i->absent[n]);
	otst_json_object(j, "absent", absent);
	for (n = 0; n < i->nr_bad; n++)
		otst_json_append_string(bad, i->bad[n]);
	otst_json_object(j, "unreadable", bad);
	otst_json_line(p, j);
	p->bad += i->nr_bad;
}

void otst_print_info(struct otst_printer *p, const struct otst_info *info)
{
	p->findings += info->disagree;
	if (p->json)
		print_json(p, info);
	else
		print_text(p, info);
}
