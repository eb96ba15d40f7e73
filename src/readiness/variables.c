// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * variables.c - variables by which decoders see whether the kernel has something, and what came with them:
 * where the names of variables are not known, that tells whether the kernel has them.
 */
#include <string.h>

#include "../types/types.h"
#include "readiness.h"

static const struct otst_variable variables[] = {
	{ "ftrace_graph_hash", "ftrace_graph_write", "ftrace_hash" },
	{ "ftrace_graph_notrace_hash", "ftrace_graph_write", "ftrace_hash" },
	{ "dyn_event_list", "dyn_event_register", "dyn_event" },
	{ "link_idr", "bpf_link_prime bpf_link_new_fd", "bpf_link" },
	{ "fprobe_table", "fprobe_return", "fprobe_hlist" },
	{ "ftrace_profile_stats", "ftrace_profile_write", "ftrace_profile_stat" },
	{ "ftrace_profile_enabled", "ftrace_profile_write", "ftrace_profile_stat" },
	{ "osnoise_cpumask", "osnoise_cpus_write", "osnoise_data" },
	{ "synth_event_show", "synth_event_show", "synth_event" },
	{ "stack_pools", "stack_depot_save stack_depot_save_flags", "stack_record" },
	{ "stack_slabs", "stack_depot_save stack_depot_save_flags", "stack_record" },
	{ "prb", "prb_reserve", "printk_ringbuffer" },
	{ "kprobe_ctlblk", "register_kprobe", "kprobe_ctlblk" },
	{ "cfi_mode", "handle_cfi_failure", "CFI_OFF" },
	{ "opt_pre_handler", "opt_pre_handler", "optimized_kprobe" },
	{ "optimizing_list", "opt_pre_handler", "optimized_kprobe" },
	{ "unoptimizing_list", "opt_pre_handler", "optimized_kprobe" },
	{ "freeing_list", "opt_pre_handler", "optimized_kprobe" },
	{ "ftrace_ops_trampoline_list", NULL, "ftrace_ops{list}" },
	{ "ftrace_mod_maps", "ftrace_mod_address_lookup", "ftrace_mod_map" },
	{ "trace_bprintk_fmt_list", NULL, "trace_bprintk_fmt" },
	{ "kprobe_insn_slots", NULL, "kprobe_insn_cache" },
	{ "kprobe_optinsn_slots", NULL, "kprobe_insn_cache" },
	{ "modules", "load_module", "load_info" },
	{ "mod_tree", "load_module", "mod_tree_root" },
	{ "module_bug_list", "module_bug_finalize", "module{bug_list}" },
	{ "global_trace", "tracing_open", "trace_array" },
	{ "uprobes_tree", "uprobe_register", "uprobe" },
	{ "__start_orc_unwind", "unwind_module_init", "orc_entry" },
	/* no kernel without the member has a header */
	{ "__start_orc_header", NULL, "orc_entry{signal}" },
	{ "perf_trace_init", "perf_trace_init", "perf_event{tp_event}" },
	{ "__start___tracepoints_ptrs", "tracepoint_probe_register", "module{num_tracepoints}" },
	/* of what src/registered/ walks */
	{ "security_hook_heads", NULL, "security_hook_heads" },
	{ "static_calls_table", NULL, "lsm_static_calls_table" },
	{ "console_list", "console_list_lock", "console{node}" },
	{ "console_drivers", "register_console", "console" },
	{ "sparse_irqs", NULL, "maple_tree" },
	{ "timer_bases", "mod_timer", "timer_base" },
	{ "rcu_data", "rcu_barrier", "rcu_segcblist" },
	{ "softirq_vec", "open_softirq", "softirq_action" },
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
	{ "ptype_all", "dev_add_pack", "packet_type{list}" },
	{ "ptype_base", "dev_add_pack", "packet_type{list}" },
	{ "netdev_chain", "register_netdevice_notifier", "net" },
	{ "proc_root", "proc_symlink", "proc_dir_entry" },
	{ "syscalls_metadata", "perf_syscall_enter", "syscall_metadata" },
};

const struct otst_variable *otst_variable(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		if (!strcmp(variables[i].name, name))
			return &variables[i];
	}
	return NULL;
}

bool otst_variable_shape(struct otst *o, const char *name, bool *ret)
{
	const struct otst_member *m;

	/*
	 * Linux bd2756811766 ("perf: Rewrite core context handling") (v6.2): one context per cpu, and one per task
	 * in the place of an array
	 */
	if (strcmp(name, "perf_cpu_context") != 0 ||
	    otst_member(o, "task_struct", "perf_event_ctxp", &m))
		return false;
	*ret = m->size == 8;
	return true;
}
