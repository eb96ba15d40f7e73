// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * file_latency.c - how the tracers that measure latencies are set up: osnoise/ of
 * kernel/trace/trace_osnoise.c, hwlat_detector/ of trace_hwlat.c.
 */
#include <inttypes.h>

#include "tracefs.h"

#define MAX_OPTIONS 64
#define MAX_NAME    64
#define MAX_CPUS    65536u

/* trace_min_max_read(): a number of the static structure @data, whose type has the same name */
static int show_number(struct otst_array_view *a, const char *data, const char *member)
{
	uint64_t at, v;
	int err = otst_symbol(a->o, data, &at);

	err = err ? otst_fail(a->o, err, "this kernel does not have the file") :
		    otst_read_member(a->o, data, at, member, &v);
	return err ?: otst_line(a->out, "%" PRIu64, v);
}

int otst_file_osnoise_period(struct otst_array_view *a)
{
	return show_number(a, "osnoise_data", "sample_period");
}

int otst_file_osnoise_runtime(struct otst_array_view *a)
{
	return show_number(a, "osnoise_data", "sample_runtime");
}

int otst_file_osnoise_stop(struct otst_array_view *a)
{
	return show_number(a, "osnoise_data", "stop_tracing");
}

int otst_file_osnoise_stop_total(struct otst_array_view *a)
{
	return show_number(a, "osnoise_data", "stop_tracing_total");
}

int otst_file_timerlat_period(struct otst_array_view *a)
{
	return show_number(a, "osnoise_data", "timerlat_period");
}

int otst_file_timerlat_stack(struct otst_array_view *a)
{
	return show_number(a, "osnoise_data", "print_stack");
}

int otst_file_hwlat_width(struct otst_array_view *a)
{
	return show_number(a, "hwlat_data", "sample_width");
}

int otst_file_hwlat_window(struct otst_array_view *a)
{
	return show_number(a, "hwlat_data", "sample_window");
}

/* a bitmap as the kernel's %*pbl prints it: "0-3,8" */
static void put_range(struct otst_text *t, unsigned int first, unsigned int last, bool more)
{
	otst_text_printf(t, "%s%u", more ? "," : "", first);
	if (last > first)
		otst_text_printf(t, "-%u", last);
}

int otst_file_osnoise_cpus(struct otst_array_view *a)
{
	struct otst_text t = { .o = a->o };
	unsigned int nr = otst_kernel(a->o)->nr_cpus, i, first = 0;
	bool set, before = false, more = false;
	uint64_t at, word = 0;
	int err = otst_symbol(a->o, "osnoise_cpumask", &at);

	if (err)
		return otst_fail(a->o, err, "this kernel does not have the file");
	for (i = 0; i <= nr && nr <= MAX_CPUS; i++, before = set) {
		if (i < nr && !(i & 63))
			err = otst_read_u64(a->o, at + i / 8, &word);
		if (err)
			return err;
		set = i < nr && word >> (i & 63) & 1;
		if (set && !before)
			first = i;
		if (before && !set) {
			put_range(&t, first, i - 1, more);
			more = true;
		}
	}
	return otst_line_text(a->out, &t);
}

/* s_options_show(): the first one stands for all the others together */
int otst_file_osnoise_options(struct otst_array_view *a)
{
	struct otst_text t = { .o = a->o };
	uint64_t names, at, name, bits, standard;
	int64_t i, count;
	const char *s;
	int err = otst_symbol(a->o, "osnoise_options_str", &names);

	err = err ?: otst_symbol(a->o, "osnoise_options", &at);
	if (err)
		return otst_fail(a->o, err, "this kernel does not have the file");
	err = otst_read_u64(a->o, at, &bits);
	err = err ?: otst_enumerator(a->o, "OSN_MAX", &count);
	/* OSN_DEFAULT_OPTIONS, a macro up to 7.2, is the workload alone */
	standard = UINT64_C(1) << (otst_enumerator_or(a->o, "OSN_WORKLOAD", 1) & 63);
	for (i = 0; !err && i < count && i < MAX_OPTIONS; i++) {
		bool on = i ? bits >> i & 1 : bits == standard;

		err = otst_read_u64(a->o, names + 8 * (uint64_t)i, &name);
		err = err ?: otst_read_string(a->o, name, MAX_NAME, &s);
		if (!err)
			otst_text_printf(&t, "%s%s ", on ? "" : "NO_", s);
	}
	return err ?: otst_line_text(a->out, &t);
}

/* s_mode_show() of trace_hwlat.c, since Linux 8fa826b7344d ("trace/hwlat: Implement the mode config option") (v5.14) */
int otst_file_hwlat_mode(struct otst_array_view *a)
{
	struct otst_text t = { .o = a->o };
	uint64_t names, at, name, mode;
	int64_t i, last;
	const char *s;
	int err = otst_symbol(a->o, "thread_mode_str", &names);

	err = err ?: otst_symbol(a->o, "hwlat_data", &at);
	if (err)
		return otst_fail(a->o, err, "this kernel does not have the file");
	err = otst_read_member(a->o, "hwlat_data", at, "thread_mode", &mode);
	err = err ?: otst_enumerator(a->o, "MODE_PER_CPU", &last);
	for (i = 0; !err && i <= last && i < MAX_OPTIONS; i++) {
		bool is = (int64_t)(int32_t)mode == i;

		err = otst_read_u64(a->o, names + 8 * (uint64_t)i, &name);
		err = err ?: otst_read_string(a->o, name, MAX_NAME, &s);
		if (!err)
			otst_text_printf(&t, "%s%s%s%s", is ? "[" : "", s, is ? "]" : "",
					 i < last ? " " : "");
	}
	return err ?: otst_line_text(a->out, &t);
}
