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

/* trace_min_max_read(): a number of the static structure @data, whose type has the same name */
static int show_number(struct otst_array_view *a, const char *data, const char *member)
{
	uint64_t at, v;
	int err = otst_file_symbol(a->o, data, &at);

	err = err ?: otst_read_member(a->o, data, at, member, &v);
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

int otst_file_osnoise_cpus(struct otst_array_view *a)
{
	uint64_t at;
	int err = otst_file_symbol(a->o, "osnoise_cpumask", &at);

	return err ?: otst_file_mask(a, at, otst_kernel(a->o)->nr_cpus, true);
}

/* text @i of an array of them */
static int read_latency_name(struct otst *o, uint64_t names, int64_t i, const char **ret)
{
	uint64_t at;
	int err = otst_read_u64(o, names + 8 * (uint64_t)i, &at);

	return err ?: otst_read_string(o, at, MAX_NAME, ret);
}

/* s_options_show(): the first one stands for all the others together */
int otst_file_osnoise_options(struct otst_array_view *a)
{
	struct otst_text t = { .o = a->o };
	uint64_t names, at, bits, standard;
	int64_t i, count = 0;
	const char *s;
	int err = otst_file_symbol(a->o, "osnoise_options_str", &names);

	err = err ?: otst_file_symbol(a->o, "osnoise_options", &at);
	err = err ?: otst_read_u64(a->o, at, &bits);
	err = err ?: otst_enumerator(a->o, "OSN_MAX", &count);
	/* OSN_DEFAULT_OPTIONS, a macro up to 7.2, is the workload alone */
	standard = UINT64_C(1) << (otst_enumerator_or(a->o, "OSN_WORKLOAD", 1) & 63);
	for (i = 0; !err && i < count && i < MAX_OPTIONS; i++) {
		bool on = i ? bits >> i & 1 : bits == standard;

		err = read_latency_name(a->o, names, i, &s);
		if (!err)
			otst_text_printf(&t, "%s%s ", on ? "" : "NO_", s);
	}
	return err ?: otst_line_text(a->out, &t);
}

/* s_mode_show() of trace_hwlat.c, since Linux 8fa826b7344d ("trace/hwlat: Implement the mode config option") (v5.14) */
int otst_file_hwlat_mode(struct otst_array_view *a)
{
	struct otst_text t = { .o = a->o };
	uint64_t names, at, mode;
	int64_t i, last = 0;
	const char *s;
	int err = otst_file_symbol(a->o, "thread_mode_str", &names);

	err = err ?: otst_file_symbol(a->o, "hwlat_data", &at);
	err = err ?: otst_read_member(a->o, "hwlat_data", at, "thread_mode", &mode);
	err = err ?: otst_enumerator(a->o, "MODE_PER_CPU", &last);
	for (i = 0; !err && i <= last && i < MAX_OPTIONS; i++) {
		bool is = (int64_t)(int32_t)mode == i;

		err = read_latency_name(a->o, names, i, &s);
		if (!err)
			otst_text_printf(&t, "%s%s%s%s", is ? "[" : "", s, is ? "]" : "",
					 i < last ? " " : "");
	}
	return err ?: otst_line_text(a->out, &t);
}
