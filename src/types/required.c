// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * required.c - structures of which it is known that a kernel has them, and members that each kernel has which has the
 * structure: where one is missing, the kernel has it by another name. Decoders that can do without such a
 * member leave out what it would tell; a look-up in vain is a doubt.
 */
#include <string.h>

#include "../names/symbols.h"
#include "types.h"

static const struct otst_required required[] = {
	{ "bpf_prog", " aux bpf_func len ", "bpf_prog_alloc" },
	{ "buffer_data_page", " commit data time_stamp ", "ring_buffer_read_page" },
	{ "ftrace_func_map", " data entry ", "ftrace_func_mapper_add_ip" },
	{ "ftrace_ops", " flags func next ", "register_ftrace_function" },
	{ "klp_func", " new_func old_name ", "klp_enable_patch" },
	{ "kprobe", " addr ainsn flags hlist list nmissed offset opcode pre_handler symbol_name ",
	  "register_kprobe" },
	{ "kretprobe", " handler kp maxactive nmissed ", "pre_handler_kretprobe" },
	{ "module", " list name state ", "load_module" },
	{ "perf_event", " attr ctx owner pmu state ", "perf_event_release_kernel" },
	{ "perf_event_attr", " config sample_type type ", "perf_event_release_kernel" },
	{ "pool_workqueue", " pool pwqs_node wq ", "process_one_work" },
	{ "real_mode_header", " ro_end text_start ", "reserve_real_mode" },
	{ "seq_operations", " next show start stop ", "seq_open" },
	{ "task_struct", " comm flags pid signal stack tasks tgid ", "wake_up_process" },
	{ "trace_array", " buffer_disabled clock_id events list ", "tracing_open" },
	{ "trace_event_call", " class data event flags list name print_fmt tp ",
	  "trace_event_reg" },
	{ "trace_event_class", " fields reg system ", "trace_event_reg" },
	{ "trace_event_file", " event_call filter flags list tr triggers ", "event_triggers_call" },
	{ "tracepoint", " funcs name ", "tracepoint_probe_register" },
	{ "tracer", " flags name next ", "register_tracer" },
	{ "uprobe", " consumers inode offset rb_node ", "uprobe_register" },
	{ "worker", " current_func current_pwq task ", "process_one_work" },
	{ "worker_pool", " worklist ", "process_one_work" },
};

const struct otst_required *otst_required(size_t i)
{
	return i < sizeof(required) / sizeof(*required) ? &required[i] : NULL;
}

bool otst_is_required(struct otst *o, const char *type, const char *member)
{
	const char *word = otst_format(o, " %s ", member);
	const struct otst_required *r;

	for (size_t i = 0; (r = otst_required(i)); i++) {
		if (!strcmp(type, r->type))
			return strstr(r->members, word) && otst_has_witness(o, r->witness);
	}
	return false;
}
