// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * required.c - structures of which it is known that a kernel has them, members that each kernel has which has the
 * structure, and enumerators: where one is missing, the kernel has it by another name. Decoders that can do without
 * such a name leave out what it would tell; a look-up in vain is a doubt.
 */
#include <string.h>

#include "../names/symbols.h"
#include "types.h"

static const struct otst_required required[] = {
	{ "bpf_prog", " aux bpf_func len ", "bpf_prog_alloc" },
	{ "buffer_data_page", " commit data time_stamp ", "ring_buffer_read_page" },
	{ OTST_ENUMERATORS, " EVENT_FILE_FL_ENABLED_BIT EVENT_FILE_FL_SOFT_DISABLED_BIT ",
	  "trace_event_reg" },
	{ OTST_ENUMERATORS, " TRACE_EVENT_FL_IGNORE_ENABLE TRACE_EVENT_FL_TRACEPOINT ",
	  "trace_event_reg" },
	{ OTST_ENUMERATORS, " TRACE_USER_STACK __TRACE_LAST_TYPE ", "tracing_open" },
	/* Linux 7dcd182bec27 ("ftrace/module: remove ftrace module notifier") (v4.6), when all of these were there */
	{ OTST_ENUMERATORS,
	  " FTRACE_FL_ENABLED FTRACE_FL_REGS FTRACE_FL_REGS_EN FTRACE_FL_TRAMP FTRACE_FL_TRAMP_EN FTRACE_FL_IPMODIFY ",
	  "ftrace_module_enable" },
	{ OTST_ENUMERATORS,
	  " FTRACE_OPS_FL_ENABLED FTRACE_OPS_FL_DYNAMIC FTRACE_OPS_FL_SAVE_REGS FTRACE_OPS_FL_INITIALIZED "
	  "FTRACE_OPS_FL_ALLOC_TRAMP ",
	  "ftrace_module_enable" },
	/* Linux 763e34e74bb7 ("ftrace: Add register_ftrace_direct()") (v5.5) */
	{ OTST_ENUMERATORS, " FTRACE_FL_DIRECT FTRACE_FL_DIRECT_EN FTRACE_OPS_FL_DIRECT ",
	  "register_ftrace_direct ftrace_set_filter_ips" },
	/*
	 * Linux e11b521a7b69 ("ftrace: Show a list of all functions that have ever been enabled") (v6.4), and
	 * 6ce2c04fcbcd ("ftrace: Add MODIFIED flag to show if IPMODIFY or direct was attached") beside it
	 */
	{ OTST_ENUMERATORS,
	  " FTRACE_FL_CALL_OPS FTRACE_FL_CALL_OPS_EN FTRACE_FL_MODIFIED FTRACE_FL_TOUCHED ",
	  "ftrace_touched_open" },
	{ "ftrace_func_map", " data entry ", "ftrace_func_mapper_add_ip" },
	{ "ftrace_ops", " flags func next ", "register_ftrace_function" },
	{ "ftrace_ops_hash", " filter_hash notrace_hash ", "ftrace_module_enable" },
	{ "klp_func", " new_func old_name ", "klp_enable_patch" },
	{ "kprobe", " addr ainsn flags hlist list nmissed offset opcode pre_handler symbol_name ",
	  "register_kprobe" },
	{ "kretprobe", " handler kp maxactive nmissed ", "pre_handler_kretprobe" },
	{ "mini_Qdisc", " filter_list ", "mini_qdisc_pair_swap" },
	{ "module", " list name state ", "load_module" },
	{ "perf_event", " attr ctx owner pmu state ", "perf_event_release_kernel" },
	{ "perf_event_attr", " config sample_type type ", "perf_event_release_kernel" },
	{ "pool_workqueue", " pool pwqs_node wq ", "process_one_work" },
	{ "proc_dir_entry", " mode name subdir ", "proc_symlink" },
	{ "real_mode_header", " ro_end text_start ", "reserve_real_mode" },
	{ "seq_operations", " next show start stop ", "seq_open" },
	{ "task_struct", " comm flags pid signal stack tasks tgid ", "wake_up_process" },
	{ "trace_array", " buffer_disabled clock_id events list ", "tracing_open" },
	{ "trace_event", " funcs type ", "register_trace_event" },
	{ "trace_event_call", " class data event flags list name print_fmt tp ",
	  "trace_event_reg" },
	{ "trace_event_class", " fields reg system ", "trace_event_reg" },
	{ "trace_event_file", " event_call filter flags list tr triggers ", "event_triggers_call" },
	{ "tracepoint", " funcs name ", "tracepoint_probe_register" },
	{ "tracer", " flags name next ", "register_tracer" },
	{ "tracing_map", " fields key_idx n_keys ", "tracing_map_insert" },
	{ "tracing_map_array", " entries_per_page entry_size_shift n_pages pages ",
	  "tracing_map_insert" },
	{ "uprobe", " consumers flags inode offset rb_node ", "uprobe_register" },
	{ "worker", " current_func current_pwq task ", "process_one_work" },
	{ "worker_pool", " worklist ", "process_one_work" },
};

/* the structure has these members only in kernels with the witness */
static const struct otst_required partly[] = {
	/* Linux 067fe038e70f ("tracing: Add variable reference handling to hist triggers") (v4.17) */
	{ "hist_field", " event_name name system ", "tracing_map_read_var" },
	/* Linux 73f9b911faa7 ("kprobes: Use rethook for kretprobe if possible") (v5.18) */
	{ "kretprobe", " rh ", "kretprobe_rethook_handler" },
	{ "module", " arch.num_orcs arch.orc_unwind arch.orc_unwind_ip ", "unwind_module_init" },
	/* Linux e420bed02507 ("bpf: Add fd-based tcx multi-prog infra with link support") (v6.6) */
	{ "net_device", " tcx_egress tcx_ingress ", "tcx_prog_attach" },
	/* Linux 3f3942aca6da ("proc: introduce proc_create_single{,_data}") (v4.18) */
	{ "proc_dir_entry", " seq_ops single_show ", "proc_create_single_data" },
	{ "ring_buffer_per_cpu", " entries_bytes ", "ring_buffer_bytes_cpu" },
	{ "rcu_data", " cblist.head ", "rcu_segcblist_init" },
	/* Linux e32cf5dfbe22 ("kthread: Generalize pf_io_worker so it can point to struct kthread") (v5.17) */
	{ "task_struct", " worker_private ", "kthread_complete_and_exit" },
	/* Linux 04ec7bb642b7 ("tracing: Have the trace_array hold the list of registered func probes") (v4.12) */
	{ "trace_array", " func_probes ", "clear_ftrace_function_probes" },
	/* Linux f9b94daa542a ("ring-buffer: Set new size of the ring buffer sub page") (v6.8) */
	{ "trace_buffer", " subbuf_order ", "ring_buffer_subbuf_order_set" },
	{ "trace_eprobe", " event_name event_system tp ", "eprobe_dyn_event_show" },
	/* Linux ca89bc071d5e ("tracing/kprobe: Add multi-probe per event support") (v5.4) */
	{ "trace_probe", " list ", "trace_probe_append" },
	{ "trace_probe_event", " call probes ", "trace_probe_append" },
};

#define REQUIRED (sizeof(required) / sizeof(*required))

const struct otst_required *otst_required(size_t i, bool *ret)
{
	*ret = i >= REQUIRED;
	if (i < REQUIRED)
		return &required[i];
	return i - REQUIRED < sizeof(partly) / sizeof(*partly) ? &partly[i - REQUIRED] : NULL;
}

bool otst_is_required(struct otst *o, const char *type, const char *member)
{
	const char *word = member ? otst_format(o, " %s ", member) : "";
	const struct otst_required *r;
	bool some;

	for (size_t i = 0; (r = otst_required(i, &some)); i++) {
		if (!strcmp(type, r->type) && strstr(r->members, word) &&
		    otst_has_witness(o, r->witness))
			return true;
	}
	return false;
}
