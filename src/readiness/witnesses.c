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
};

static const struct witness probes[] = {
	{ "kprobe", "register_kprobe" },
	{ "kretprobe", "register_kretprobe" },
	{ "otst", "register_kprobe" },
	{ "allie", "register_kprobe" },
	{ "leftover", "register_kprobe" },
	{ "jprobe", "setjmp_pre_handler" },
	{ "fprobe", "register_fprobe register_fprobe_ips" },
	{ "kprobe_multi", "kprobe_multi_link_handler kprobe_multi_link_exit_handler" },
	{ "fentry", "bpf_trampoline_link_prog bpf_trampoline_get" },
	{ "fexit", "bpf_trampoline_link_prog bpf_trampoline_get" },
	{ "uprobe", "uprobe_register" },
	{ "uprobe_multi", "uprobe_multi_link_handler uprobe_multi_link_ret_handler" },
	{ "livepatch", "klp_enable_patch" },
	{ "ftrace", "register_ftrace_function" },
	{ "tracepoint", "tracepoint_probe_register" },
	{ "syscall", "perf_syscall_enter" },
	{ "user_event", "user_events_ioctl user_events_open" },
	{ "hwbreakpoint", "register_user_hw_breakpoint" },
	{ "perf_event", "perf_event_create_kernel_counter" },
	{ "bpf", "bpf_prog_put" },
};

static const struct witness traces[] = {
	{ "log", "vprintk_emit" },
	{ "inflight", "register_kretprobe ftrace_return_to_handler" },
	{ "task", "register_kprobe register_ftrace_function" },
	{ "stacktracer", "stack_trace_sysctl" },
	{ "hist", "event_hist_trigger_func event_hist_trigger_parse" },
	{ "depot", "stack_depot_save" },
	{ "perf", "perf_event_create_kernel_counter" },
	{ "callchain", "get_callchain_buffers" },
	{ "bpf", "bpf_map_put" },
	{ "ftrace", "tracing_open" },
	{ "snapshot", "tracing_snapshot_write" },
};

/* kernel/trace/: trace.c, ftrace.c, trace_events.c and the file of each tracer */
static const struct witness files[] = {
	{ "tracing_on", "rb_simple_write" },
	{ "current_tracer", "tracing_set_trace_write" },
	{ "trace_options", "tracing_trace_options_write" },
	{ "trace_clock", "tracing_clock_write" },
	{ "buffer_size_kb", "tracing_entries_write" },
	{ "per_cpu/cpuN/buffer_size_kb", "tracing_entries_write" },
	{ "buffer_total_size_kb", "tracing_total_entries_read" },
	{ "tracing_cpumask", "tracing_cpumask_write" },
	{ "events/enable", "system_enable_write" },
	{ "available_tracers", "show_traces_open" },
	{ "saved_cmdlines", "tracing_saved_cmdlines_open" },
	{ "saved_cmdlines_size", "tracing_saved_cmdlines_size_write" },
	{ "printk_formats", "ftrace_formats_open" },
	{ "buffer_percent", "buffer_percent_write" },
	{ "timestamp_mode", "tracing_time_stamp_mode_open" },
	{ "tracing_thresh", "tracing_thresh_write" },
	{ "available_events", "ftrace_event_avail_open" },
	{ "buffer_subbuf_size_kb", "buffer_subbuf_size_write" },
	{ "set_ftrace_filter", "ftrace_filter_write" },
	{ "set_ftrace_notrace", "ftrace_notrace_write" },
	{ "set_graph_function", "ftrace_graph_write" },
	{ "set_graph_notrace", "ftrace_graph_write" },
	{ "stack_trace_filter", "stack_trace_filter_open" },
	{ "set_ftrace_pid", "ftrace_pid_write" },
	{ "set_ftrace_notrace_pid", "ftrace_no_pid_write" },
	{ "set_event_pid", "ftrace_event_pid_write" },
	{ "set_event_notrace_pid", "ftrace_event_npid_write" },
	{ "set_event", "ftrace_event_write" },
	{ "dynamic_events", "dyn_event_write" },
	{ "kprobe_events", "trace_kprobe_create create_trace_kprobe" },
	{ "uprobe_events", "trace_uprobe_create create_trace_uprobe" },
	{ "synthetic_events", "synth_events_write" },
	{ "kprobe_profile", "trace_kprobe_create create_trace_kprobe" },
	{ "uprobe_profile", "trace_uprobe_create create_trace_uprobe" },
	{ "enabled_functions", "ftrace_enabled_open" },
	{ "touched_functions", "ftrace_touched_open" },
	{ "max_graph_depth", "graph_depth_write" },
	{ "../kprobes/list", "kprobes_open" },
	{ "tracing_max_latency", "tracing_max_lat_write" },
	{ "error_log", "tracing_err_log_write" },
	{ "saved_tgids", "tracing_saved_tgids_open" },
	{ "dyn_ftrace_total_info", "tracing_read_dyn_info" },
	{ "function_profile_enabled", "ftrace_profile_write" },
	{ "per_cpu/cpuN/stats", "tracing_stats_read" },
	{ "trace_stat/functionN", "ftrace_profile_write" },
	{ "trace_stat/branch_annotated", "annotate_branch_stat_show" },
	{ "trace_stat/branch_all", "all_branch_stat_show" },
	{ "user_events_status", "user_events_ioctl user_events_open" },
	{ "osnoise/period_us", "osnoise_cpus_write" },
	{ "osnoise/runtime_us", "osnoise_cpus_write" },
	{ "osnoise/stop_tracing_us", "osnoise_cpus_write" },
	{ "osnoise/stop_tracing_total_us", "osnoise_cpus_write" },
	{ "osnoise/cpus", "osnoise_cpus_write" },
	{ "osnoise/options", "osnoise_options_write" },
	{ "osnoise/timerlat_period_us", "timerlat_main" },
	{ "osnoise/print_stack", "timerlat_main" },
	{ "hwlat_detector/mode", "hwlat_mode_write" },
	{ "hwlat_detector/width", "hwlat_tracer_init" },
	{ "hwlat_detector/window", "hwlat_tracer_init" },
};

static const struct otst_variable variables[] = {
	{ "ftrace_graph_hash", "ftrace_graph_write", "ftrace_hash" },
	{ "ftrace_graph_notrace_hash", "ftrace_graph_write", "ftrace_hash" },
	{ "dyn_event_list", "dyn_event_register", "dyn_event" },
	{ "link_idr", "bpf_link_prime bpf_link_new_fd", "bpf_link" },
	{ "fprobe_table", "fprobe_return", "fprobe_hlist" },
	{ "ftrace_profile_stats", "ftrace_profile_write", "ftrace_profile_stat" },
	{ "prb", "prb_reserve", "printk_ringbuffer" },
	{ "kprobe_ctlblk", "register_kprobe", "kprobe_ctlblk" },
	{ "cfi_mode", "handle_cfi_failure", "CFI_OFF" },
	{ "opt_pre_handler", "opt_pre_handler", "optimized_kprobe" },
	{ "optimizing_list", "opt_pre_handler", "optimized_kprobe" },
	{ "unoptimizing_list", "opt_pre_handler", "optimized_kprobe" },
	{ "freeing_list", "opt_pre_handler", "optimized_kprobe" },
	{ "module_bug_list", "module_bug_finalize", "module{bug_list}" },
	/* of what src/registered/ walks */
	{ "security_hook_heads", NULL, "security_hook_heads" },
	{ "static_calls_table", NULL, "lsm_static_calls_table" },
	{ "console_list", "console_list_lock", "console{node}" },
	{ "console_drivers", "register_console", "console" },
	{ "sparse_irqs", NULL, "maple_tree" },
	{ "timer_bases", NULL, "timer_base" },
	{ "sysrq_key_table", "register_sysrq_key", "sysrq_key_op" },
	{ "input_handler_list", "input_register_handler", "input_handler" },
	{ "tty_ldiscs", "tty_register_ldisc", "tty_ldisc_ops" },
	{ "inet_protos", "inet_add_protocol", "net_protocol" },
	{ "inet6_protos", "inet6_add_protocol", "inet6_protocol" },
	{ "inet_offloads", "inet_add_offload", "net_offload" },
	{ "inet6_offloads", "inet6_add_offload", "net_offload" },
	{ "net_families", "sock_register", "net_proto_family" },
	{ "net_namespace_list", "sock_register", "net" },
	{ "nf_register_net_hook", "nf_register_net_hook", "nf_hook_entries" },
	{ "kthread_func", "kthread_func", "kthread{threadfn}" },
	{ "netdev_chain", "register_netdevice_notifier", "net" },
	{ "proc_root", "proc_symlink", "proc_dir_entry" },
	{ "syscalls_metadata", "perf_syscall_enter", "syscall_metadata" },
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

const struct otst_variable *otst_variable(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		if (!strcmp(variables[i].name, name))
			return &variables[i];
	}
	return NULL;
}
