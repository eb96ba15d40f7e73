// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tracefs.c - the table of files whose text can be derived from a dump, and
 * their paths.
 */
#include <string.h>

#include "../names/lookup.h"
#include "tracefs.h"

/*
 * @top: only the top array has it
 * @witnesses: of otst_doubt_absence(): functions that serve the file; BTF is without those to which link-time
 *	optimization gave a suffix
 */
struct file {
	const char *name;
	bool top;
	otst_array_file_fn *show;
	const char *witnesses;
};

static const struct file files[] = {
	{ "tracing_on", false, otst_file_tracing_on, "rb_simple_write" },
	{ "current_tracer", false, otst_file_current_tracer, "tracing_set_trace_write" },
	{ "trace_options", false, otst_file_trace_options, "tracing_trace_options_write" },
	{ "trace_clock", false, otst_file_trace_clock, "tracing_clock_write" },
	{ "buffer_size_kb", false, otst_file_buffer_size, "tracing_entries_write" },
	{ "buffer_total_size_kb", false, otst_file_buffer_total, "tracing_total_entries_read" },
	{ "buffer_subbuf_size_kb", false, otst_file_subbuf_size, "buffer_subbuf_size_write" },
	{ "tracing_cpumask", false, otst_file_cpumask, "tracing_cpumask_write" },
	{ "set_ftrace_filter", false, otst_file_ftrace_filter, "ftrace_filter_write" },
	{ "set_ftrace_notrace", false, otst_file_ftrace_notrace, "ftrace_notrace_write" },
	{ "set_graph_function", true, otst_file_graph_function, "ftrace_graph_write" },
	{ "set_graph_notrace", true, otst_file_graph_notrace, "ftrace_graph_write" },
	{ "stack_trace_filter", true, otst_file_stack_trace_filter, "stack_trace_filter_open" },
	{ "set_ftrace_pid", false, otst_file_ftrace_pid, "ftrace_pid_write ftrace_pid_func" },
	{ "set_ftrace_notrace_pid", false, otst_file_ftrace_notrace_pid,
	  "ftrace_no_pid_write fnpid_next" },
	{ "set_event_pid", false, otst_file_event_pid, "ftrace_event_pid_write" },
	{ "set_event_notrace_pid", false, otst_file_event_notrace_pid, "ftrace_event_npid_write" },
	{ "set_event", false, otst_file_set_event, "ftrace_event_write" },
	{ "show_event_filters", false, otst_file_event_filters, "ftrace_event_write" },
	{ "show_event_triggers", false, otst_file_event_triggers, "ftrace_event_write" },
	{ "events/enable", false, otst_file_events_enable, "system_enable_write" },
};

/* also covered by -l, -f and -t: shown when asked for by name, not with all files of an array */
static const struct file others[] = {
	{ "dynamic_events", true, otst_file_dynamic_events, "dyn_event_write" },
	{ "kprobe_events", true, otst_file_kprobe_events,
	  "trace_kprobe_create create_trace_kprobe" },
	{ "uprobe_events", true, otst_file_uprobe_events,
	  "trace_uprobe_create create_trace_uprobe" },
	{ "synthetic_events", true, otst_file_synthetic_events, "synth_events_write" },
	{ "kprobe_profile", true, otst_file_kprobe_profile,
	  "trace_kprobe_create create_trace_kprobe" },
	{ "uprobe_profile", true, otst_file_uprobe_profile,
	  "trace_uprobe_create create_trace_uprobe" },
	{ "enabled_functions", true, otst_file_enabled_functions, "ftrace_enabled_open" },
	{ "touched_functions", true, otst_file_touched_functions, "ftrace_touched_open" },
	{ "max_graph_depth", true, otst_file_graph_depth, "graph_depth_write" },
	{ "available_tracers", false, otst_file_available_tracers, "show_traces_open" },
	{ "saved_cmdlines", true, otst_file_saved_cmdlines,
	  "tracing_saved_cmdlines_open saved_cmdlines_show" },
	{ "printk_formats", true, otst_file_printk_formats, "ftrace_formats_open" },
	{ "../kprobes/list", true, otst_file_kprobes_list, "kprobes_open" },
	{ "buffer_percent", false, otst_file_buffer_percent, "buffer_percent_write" },
	{ "timestamp_mode", false, otst_file_timestamp_mode, "tracing_time_stamp_mode_open" },
	{ "tracing_max_latency", false, otst_file_max_latency, "tracing_max_lat_write" },
	{ "tracing_thresh", true, otst_file_tracing_thresh, "tracing_thresh_write" },
	{ "error_log", false, otst_file_error_log, "tracing_err_log_write" },
	{ "available_events", true, otst_file_available_events, "ftrace_event_avail_open" },
	{ "saved_tgids", true, otst_file_saved_tgids, "tracing_saved_tgids_open saved_tgids_show" },
	{ "saved_cmdlines_size", true, otst_file_cmdlines_size,
	  "tracing_saved_cmdlines_size_write saved_cmdlines_show" },
	{ "dyn_ftrace_total_info", true, otst_file_dyn_ftrace, "tracing_read_dyn_info" },
	{ "function_profile_enabled", true, otst_file_function_profile, "ftrace_profile_write" },
	{ "trace_stat/branch_annotated", true, otst_file_branch_annotated,
	  "annotate_branch_stat_show" },
	{ "trace_stat/branch_all", true, otst_file_branch_all, "all_branch_stat_show" },
	{ "user_events_status", true, otst_file_user_events, "user_events_ioctl user_events_open" },
	{ "osnoise/period_us", true, otst_file_osnoise_period, "osnoise_cpus_write" },
	{ "osnoise/runtime_us", true, otst_file_osnoise_runtime, "osnoise_cpus_write" },
	{ "osnoise/stop_tracing_us", true, otst_file_osnoise_stop, "osnoise_cpus_write" },
	{ "osnoise/stop_tracing_total_us", true, otst_file_osnoise_stop_total,
	  "osnoise_cpus_write" },
	{ "osnoise/cpus", true, otst_file_osnoise_cpus, "osnoise_cpus_write" },
	{ "osnoise/options", true, otst_file_osnoise_options, "osnoise_options_write" },
	{ "osnoise/timerlat_period_us", true, otst_file_timerlat_period, "timerlat_main" },
	{ "osnoise/print_stack", true, otst_file_timerlat_stack, "timerlat_main" },
	{ "hwlat_detector/mode", true, otst_file_hwlat_mode, "hwlat_mode_write" },
	{ "hwlat_detector/width", true, otst_file_hwlat_width, "hwlat_tracer_init" },
	{ "hwlat_detector/window", true, otst_file_hwlat_window, "hwlat_tracer_init" },
};

/* of these there are many: "N" stands for a number, SYSTEM and EVENT for names */
static const struct file patterns[] = {
	{ "per_cpu/cpuN/stats", false, NULL, "tracing_stats_read" },
	{ "per_cpu/cpuN/buffer_size_kb", false, NULL, "tracing_entries_write" },
	{ "trace_stat/functionN", true, NULL, "ftrace_profile_write" },
	{ "events/SYSTEM/enable", false, NULL, NULL },
	{ "events/SYSTEM/filter", false, NULL, NULL },
	{ "events/SYSTEM/EVENT/enable", false, NULL, NULL },
	{ "events/SYSTEM/EVENT/filter", false, NULL, NULL },
	{ "events/SYSTEM/EVENT/trigger", false, NULL, NULL },
	{ "events/SYSTEM/EVENT/id", false, NULL, NULL },
};

#define FILES	 (sizeof(files) / sizeof(*files))
#define OTHERS	 (sizeof(others) / sizeof(*others))
#define PATTERNS (sizeof(patterns) / sizeof(*patterns))

static const struct file *find_file(size_t i)
{
	if (i < FILES)
		return &files[i];
	i -= FILES;
	if (i < OTHERS)
		return &others[i];
	i -= OTHERS;
	return i < PATTERNS ? &patterns[i] : NULL;
}

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
		otst_near_offer(o, &near, find_file(i)->name);
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
		const struct file *f = find_file(i);

		if (!strcmp(path, f->name) && !(f->top && a->array->name))
			return f->show(a);
	}
	if (!strncmp(path, "events/", 7))
		return otst_file_event(a, path + 7);
	return OTST_FILE_UNKNOWN;
}

/* true if @path is that of a file whose name has "N" for a number */
static bool fits_name(const char *name, const char *path)
{
	size_t len = strcspn(name, "N"), digits;

	if (strncmp(path, name, len) != 0)
		return false;
	digits = strspn(path + len, "0123456789");
	return name[len] ? digits && !strcmp(path + len + digits, name + len + 1) : !path[len];
}

static const char *find_witnesses(const char *path)
{
	const struct file *f;

	for (size_t i = 0; (f = find_file(i)); i++) {
		if (fits_name(f->name, path))
			return f->witnesses;
	}
	return NULL;
}

int otst_tracefs_read(struct otst *o, bool all, struct otst_tracefs_file *f)
{
	struct otst_array_view a = { .o = o, .array = f->array, .all = all, .out = f };
	int err;

	err = otst_view_read(o, "trace_array", f->array->addr, &a.v);
	err = err ?: read_file(&a, f->path);
	if (err == OTST_FILE_UNKNOWN)
		return complain_of_path(o, f->path);
	return otst_doubt_absence(o, err ?: a.v.err, find_witnesses(f->path));
}

const char *otst_tracefs_name(size_t i, const char **witnesses)
{
	const struct file *f = find_file(i);

	if (witnesses)
		*witnesses = f ? f->witnesses : NULL;
	return f ? f->name : NULL;
}

/* ---- all of an array ---- */

struct each {
	struct otst *o;
	const struct otst_trace_array *array;
	otst_tracefs_fn *each;
	void *priv;
};

/* a file that this kernel lacks is left out; one that cannot be read says why */
static int hand_out_file(struct each *e, const char *path)
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

int otst_tracefs_each(struct otst *o, const struct otst_trace_array *a, otst_tracefs_fn *each,
		      void *priv)
{
	struct each e = { o, a, each, priv };
	int err = 0;

	for (size_t i = 0; i < FILES && !err; i++) {
		if (!files[i].top || !a->name)
			err = hand_out_file(&e, files[i].name);
	}
	for (size_t i = 0; i < a->buffer.nr_cpus && !err; i++) {
		err = hand_out_file(&e,
				    otst_format(o, "per_cpu/cpu%u/stats", a->buffer.cpus[i].cpu));
		err = err ?: otst_check(o);
	}
	return err;
}
