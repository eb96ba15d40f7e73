// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * witnesses.c - functions that a kernel has if and only if it has a mechanism: what registers a kind of probe,
 * what takes a stack, the file operation that serves a file. Some are static: BTF and kallsyms
 * have those, too, as long as something takes their address or they are not inlined.
 */
#include <string.h>

#include "readiness.h"

struct witness {
	const char *what;
	const char *functions;
	const char *type; /* where the names of functions are not known; NULL: nothing tells */
};

static const struct witness probes[] = {
	{ "kprobe", "register_kprobe", NULL },
	{ "kretprobe", "register_kretprobe", NULL },
	{ "otst", "register_kprobe", NULL },
	{ "allie", "register_kprobe", NULL },
	{ "leftover", "register_kprobe", NULL },
	{ "jprobe", "setjmp_pre_handler", NULL },
	{ "fprobe", "register_fprobe register_fprobe_ips", NULL },
	{ "kprobe_multi", "kprobe_multi_link_handler kprobe_multi_link_exit_handler", NULL },
	{ "fentry", "bpf_trampoline_link_prog bpf_trampoline_get", NULL },
	{ "fexit", "bpf_trampoline_link_prog bpf_trampoline_get", NULL },
	{ "uprobe", "uprobe_register", NULL },
	{ "uprobe_multi", "uprobe_multi_link_handler uprobe_multi_link_ret_handler", NULL },
	{ "livepatch", "klp_enable_patch", NULL },
	{ "ftrace", "register_ftrace_function", NULL },
	{ "tracepoint", "tracepoint_probe_register", NULL },
	{ "syscall", "perf_syscall_enter", NULL },
	{ "user_event", "user_events_ioctl user_events_open", NULL },
	{ "hwbreakpoint", "register_user_hw_breakpoint", NULL },
	{ "perf_event", "perf_event_create_kernel_counter", NULL },
	{ "bpf", "bpf_prog_put", NULL },
};

static const struct witness traces[] = {
	{ "log", "vprintk_emit", NULL },
	{ "inflight", "register_kretprobe ftrace_return_to_handler", NULL },
	{ "task", "register_kprobe register_ftrace_function", NULL },
	{ "stacktracer", "stack_trace_sysctl", NULL },
	{ "hist", "event_hist_trigger_func event_hist_trigger_parse", NULL },
	{ "depot", "stack_depot_save", NULL },
	{ "perf", "perf_event_create_kernel_counter", NULL },
	{ "callchain", "get_callchain_buffers", NULL },
	{ "bpf", "bpf_map_put", NULL },
	{ "ftrace", "tracing_open", NULL },
	{ "snapshot", "tracing_snapshot_write", NULL },
};

/* kernel/trace/: trace.c, ftrace.c, trace_events.c and the file of each tracer */
static const struct witness files[] = {
	{ "buffer_subbuf_size_kb", "buffer_subbuf_size_write", NULL },
	{ "set_ftrace_filter", "ftrace_filter_write", NULL },
	{ "set_ftrace_notrace", "ftrace_notrace_write", NULL },
	{ "set_graph_function", "ftrace_graph_write", NULL },
	{ "set_graph_notrace", "ftrace_graph_write", NULL },
	{ "stack_trace_filter", "stack_trace_filter_open", NULL },
	{ "set_ftrace_pid", "ftrace_pid_write", NULL },
	{ "set_ftrace_notrace_pid", "ftrace_no_pid_write", NULL },
	{ "set_event_pid", "ftrace_event_pid_write", NULL },
	{ "set_event_notrace_pid", "ftrace_event_npid_write", NULL },
	{ "set_event", "ftrace_event_write", NULL },
	{ "dynamic_events", "dyn_event_write", NULL },
	{ "kprobe_events", "trace_kprobe_create create_trace_kprobe", NULL },
	{ "uprobe_events", "trace_uprobe_create create_trace_uprobe", NULL },
	{ "synthetic_events", "synth_events_write", NULL },
	{ "kprobe_profile", "trace_kprobe_create create_trace_kprobe", NULL },
	{ "uprobe_profile", "trace_uprobe_create create_trace_uprobe", NULL },
	{ "enabled_functions", "ftrace_enabled_open", NULL },
	{ "touched_functions", "ftrace_touched_open", NULL },
	{ "max_graph_depth", "graph_depth_write", NULL },
	{ "../kprobes/list", "kprobes_open", NULL },
	{ "tracing_max_latency", "tracing_max_lat_write", NULL },
	{ "error_log", "tracing_err_log_write", NULL },
	{ "saved_tgids", "tracing_saved_tgids_open", NULL },
	{ "dyn_ftrace_total_info", "tracing_read_dyn_info", NULL },
	{ "function_profile_enabled", "ftrace_profile_write", NULL },
	{ "user_events_status", "user_events_ioctl user_events_open", NULL },
	{ "osnoise/period_us", "osnoise_cpus_write", NULL },
	{ "osnoise/runtime_us", "osnoise_cpus_write", NULL },
	{ "osnoise/stop_tracing_us", "osnoise_cpus_write", NULL },
	{ "osnoise/stop_tracing_total_us", "osnoise_cpus_write", NULL },
	{ "osnoise/cpus", "osnoise_cpus_write", NULL },
	{ "osnoise/options", "osnoise_options_write", NULL },
	{ "osnoise/timerlat_period_us", "timerlat_main", NULL },
	{ "osnoise/print_stack", "timerlat_main", NULL },
	{ "hwlat_detector/mode", "hwlat_mode_write", NULL },
	{ "hwlat_detector/width", "hwlat_tracer_init", NULL },
	{ "hwlat_detector/window", "hwlat_tracer_init", NULL },
};

/* variables, where only the names of functions are known */
static const struct witness variables[] = {
	{ "ftrace_graph_hash", "ftrace_graph_write", "ftrace_hash" },
	{ "ftrace_graph_notrace_hash", "ftrace_graph_write", "ftrace_hash" },
	{ "dyn_event_list", "dyn_event_register", "dyn_event" },
	{ "link_idr", "bpf_link_prime bpf_link_new_fd", "bpf_link" },
	{ "prb", "prb_reserve", "printk_ringbuffer" },
};

#define FIND(table, what) find_witness(table, sizeof(table) / sizeof(*(table)), what)

static const struct witness *find_witness(const struct witness *table, size_t count,
					  const char *what)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (!strcmp(table[i].what, what))
			return &table[i];
	}
	return NULL;
}

const char *otst_witnesses(const char *of, const char *what)
{
	const struct witness *w = !strcmp(of, "probes") ? FIND(probes, what) :
				  !strcmp(of, "traces") ? FIND(traces, what) :
							  FIND(files, what);

	return w ? w->functions : NULL;
}

const char *otst_variable_witnesses(const char *name, const char **type)
{
	const struct witness *w = FIND(variables, name);

	*type = w ? w->type : NULL;
	return w ? w->functions : NULL;
}
