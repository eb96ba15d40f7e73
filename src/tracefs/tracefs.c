// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tracefs.c - the table of files whose text can be derived from a dump, and
 * their paths.
 */
#include <string.h>

#include "../names/lookup.h"
#include "tracefs.h"

struct file {
	const char *name;
	bool top; /* only the top array has it */
	otst_array_file_fn *show;
};

static const struct file files[] = {
	{ "tracing_on", false, otst_file_tracing_on },
	{ "current_tracer", false, otst_file_current_tracer },
	{ "trace_options", false, otst_file_trace_options },
	{ "trace_clock", false, otst_file_trace_clock },
	{ "buffer_size_kb", false, otst_file_buffer_size },
	{ "buffer_total_size_kb", false, otst_file_buffer_total },
	{ "buffer_subbuf_size_kb", false, otst_file_subbuf_size },
	{ "tracing_cpumask", false, otst_file_cpumask },
	{ "set_ftrace_filter", false, otst_file_ftrace_filter },
	{ "set_ftrace_notrace", false, otst_file_ftrace_notrace },
	{ "set_graph_function", true, otst_file_graph_function },
	{ "set_graph_notrace", true, otst_file_graph_notrace },
	{ "stack_trace_filter", true, otst_file_stack_trace_filter },
	{ "set_ftrace_pid", false, otst_file_ftrace_pid },
	{ "set_ftrace_notrace_pid", false, otst_file_ftrace_notrace_pid },
	{ "set_event_pid", false, otst_file_event_pid },
	{ "set_event_notrace_pid", false, otst_file_event_notrace_pid },
	{ "set_event", false, otst_file_set_event },
	{ "show_event_filters", false, otst_file_event_filters },
	{ "show_event_triggers", false, otst_file_event_triggers },
	{ "events/enable", false, otst_file_events_enable },
};

/* also covered by -l, -f and -t: shown when asked for by name, not with all files of an array */
static const struct file others[] = {
	{ "dynamic_events", true, otst_file_dynamic_events },
	{ "kprobe_events", true, otst_file_kprobe_events },
	{ "uprobe_events", true, otst_file_uprobe_events },
	{ "synthetic_events", true, otst_file_synthetic_events },
	{ "kprobe_profile", true, otst_file_kprobe_profile },
	{ "uprobe_profile", true, otst_file_uprobe_profile },
	{ "enabled_functions", true, otst_file_enabled_functions },
	{ "touched_functions", true, otst_file_touched_functions },
	{ "max_graph_depth", true, otst_file_graph_depth },
	{ "available_tracers", false, otst_file_available_tracers },
	{ "saved_cmdlines", true, otst_file_saved_cmdlines },
	{ "printk_formats", true, otst_file_printk_formats },
	{ "../kprobes/list", true, otst_file_kprobes_list },
	{ "buffer_percent", false, otst_file_buffer_percent },
	{ "timestamp_mode", false, otst_file_timestamp_mode },
	{ "tracing_max_latency", false, otst_file_max_latency },
	{ "tracing_thresh", true, otst_file_tracing_thresh },
	{ "error_log", false, otst_file_error_log },
	{ "available_events", true, otst_file_available_events },
	{ "saved_tgids", true, otst_file_saved_tgids },
	{ "saved_cmdlines_size", true, otst_file_cmdlines_size },
	{ "dyn_ftrace_total_info", true, otst_file_dyn_ftrace },
	{ "function_profile_enabled", true, otst_file_function_profile },
	{ "trace_stat/branch_annotated", true, otst_file_branch_annotated },
	{ "trace_stat/branch_all", true, otst_file_branch_all },
	{ "user_events_status", true, otst_file_user_events },
	{ "osnoise/period_us", true, otst_file_osnoise_period },
	{ "osnoise/runtime_us", true, otst_file_osnoise_runtime },
	{ "osnoise/stop_tracing_us", true, otst_file_osnoise_stop },
	{ "osnoise/stop_tracing_total_us", true, otst_file_osnoise_stop_total },
	{ "osnoise/cpus", true, otst_file_osnoise_cpus },
	{ "osnoise/options", true, otst_file_osnoise_options },
	{ "osnoise/timerlat_period_us", true, otst_file_timerlat_period },
	{ "osnoise/print_stack", true, otst_file_timerlat_stack },
	{ "hwlat_detector/mode", true, otst_file_hwlat_mode },
	{ "hwlat_detector/width", true, otst_file_hwlat_width },
	{ "hwlat_detector/window", true, otst_file_hwlat_window },
};

#define FILES  (sizeof(files) / sizeof(*files))
#define OTHERS (sizeof(others) / sizeof(*others))

int otst_tracefs_find(struct otst *o, const struct otst_tracing *t, const char *path,
		      struct otst_tracefs_file *ret)
{
	static const char *const tops[] = { "/sys/kernel/tracing/", "/sys/kernel/debug/tracing/" };
	static const char kprobes[] = "/sys/kernel/debug/kprobes/list";
	const char *name = NULL;
	size_t i, len = 0;

	if (!strcmp(path, kprobes))
		path = "../kprobes/list";
	for (i = 0; i < 2; i++) {
		if (!strncmp(path, tops[i], strlen(tops[i])))
			path += strlen(tops[i]);
	}
	if (!strncmp(path, "instances/", 10)) {
		name = path + 10;
		len = strcspn(name, "/");
		path = name + len + (name[len] == '/');
	}
	for (i = 0; i < t->nr_arrays; i++) {
		const struct otst_trace_array *a = t->arrays[i];

		if (name ? !a->name || strlen(a->name) != len || strncmp(a->name, name, len) :
			   a->name != NULL)
			continue;
		*ret = (struct otst_tracefs_file){ .path = path, .array = a, .o = o };
		return 0;
	}
	if (t->errors.count)
		return otst_raise(o, OTST_ERR_FAULT, "its trace array is not known: %s",
				  t->errors.texts[0]);
	return otst_raise(o, OTST_ERR_USAGE, "no instance %.*s", (int)len,
			  name ? otst_clean(o, name) : "");
}

static int complain_of_path(struct otst *o, const char *path)
{
	struct otst_text t = { .o = o };
	struct otst_near near;
	const char *names;

	otst_near_init(&near, path);
	for (size_t i = 0; i < FILES + OTHERS; i++)
		otst_near_offer(o, &near, i < FILES ? files[i].name : others[i - FILES].name);
	for (size_t i = 0; i < near.count; i++)
		otst_text_printf(&t, "%s%s", i ? ", " : "; near: ", near.names[i]);
	names = otst_text_done(&t);
	return otst_raise(o, OTST_ERR_USAGE, "otst knows no such file%s; -T help lists them",
			  names ? names : "");
}

static int read_file(struct otst_array_view *a, const char *path)
{
	if (!strncmp(path, "per_cpu/cpu", 11))
		return otst_file_percpu(a, path + 11);
	if (!strncmp(path, "trace_stat/function", 19) && !a->array->name)
		return otst_file_function_stat(a, path + 19);
	for (size_t i = 0; i < FILES + OTHERS; i++) {
		const struct file *f = i < FILES ? &files[i] : &others[i - FILES];

		if (!strcmp(path, f->name) && !(f->top && a->array->name))
			return f->show(a);
	}
	if (!strncmp(path, "events/", 7))
		return otst_file_event(a, path + 7);
	return OTST_FILE_UNKNOWN;
}

int otst_tracefs_read(struct otst *o, bool all, struct otst_tracefs_file *f)
{
	struct otst_array_view a = { .o = o, .array = f->array, .all = all, .out = f };
	int err;

	err = otst_view_read(o, "trace_array", f->array->addr, &a.v);
	err = err ?: read_file(&a, f->path);
	if (err == OTST_FILE_UNKNOWN)
		return complain_of_path(o, f->path);
	return err ? err : a.v.err;
}

const char *otst_tracefs_name(size_t i)
{
	static const char *const more[] = {
		"per_cpu/cpuN/stats",	      "per_cpu/cpuN/buffer_size_kb",
		"trace_stat/functionN",	      "events/SYSTEM/enable",
		"events/SYSTEM/filter",	      "events/SYSTEM/EVENT/enable",
		"events/SYSTEM/EVENT/filter", "events/SYSTEM/EVENT/trigger",
		"events/SYSTEM/EVENT/id",
	};

	if (i < FILES)
		return files[i].name;
	i -= FILES;
	if (i < OTHERS)
		return others[i].name;
	i -= OTHERS;
	return i < sizeof(more) / sizeof(*more) ? more[i] : NULL;
}

/* ---- all of an array ---- */

struct each {
	struct otst *o;
	const struct otst_trace_array *array;
	int (*each)(void *priv, const struct otst_tracefs_file *f);
	void *priv;
};

/* a file that this kernel lacks is left out; one that cannot be read says why */
static int hand_out(struct each *e, const char *path)
{
	struct otst_tracefs_file f = { .path = path, .array = e->array, .o = e->o };
	int err;

	if (!path)
		return otst_no_memory(e->o);
	err = otst_tracefs_read(e->o, true, &f);
	if (err == OTST_ERR_LOOKUP)
		return 0;
	if (err)
		err = otst_note(e->o, &f.errors, err);
	return err ? err : e->each(e->priv, &f);
}

int otst_tracefs_each(struct otst *o, const struct otst_trace_array *a,
		      int (*each)(void *priv, const struct otst_tracefs_file *f), void *priv)
{
	struct each e = { o, a, each, priv };
	int err = 0;

	for (size_t i = 0; i < FILES && !err; i++) {
		if (!files[i].top || !a->name)
			err = hand_out(&e, files[i].name);
	}
	for (size_t i = 0; i < a->buffer.nr_cpus && !err; i++) {
		err = hand_out(&e, otst_format(o, "per_cpu/cpu%u/stats", a->buffer.cpus[i].cpu));
		err = err ?: otst_check(o);
	}
	return err;
}
