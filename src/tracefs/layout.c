// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * layout.c - what differs between kernels in the trace file: numbers of enum
 * trace_type, members of the entries, flags, and a few words of the texts.
 */
#include <stddef.h>

#include "print.h"

/* ---- numbers of entry types ---- */

static const struct {
	const char *name;
	uint8_t kind;
} types[] = {
	{ "TRACE_FN", OTST_TF_FN },
	{ "TRACE_CTX", OTST_TF_CTX },
	{ "TRACE_WAKE", OTST_TF_WAKE },
	{ "TRACE_STACK", OTST_TF_STACK },
	{ "TRACE_PRINT", OTST_TF_PRINT },
	{ "TRACE_BPRINT", OTST_TF_BPRINT },
	{ "TRACE_MMIO_RW", OTST_TF_MMIO_RW },
	{ "TRACE_MMIO_MAP", OTST_TF_MMIO_MAP },
	{ "TRACE_BRANCH", OTST_TF_BRANCH },
	{ "TRACE_GRAPH_RET", OTST_TF_GRAPH_RET },
	{ "TRACE_GRAPH_ENT", OTST_TF_GRAPH_ENT },
	{ "TRACE_GRAPH_RETADDR_ENT", OTST_TF_GRAPH_RETADDR_ENT },
	{ "TRACE_USER_STACK", OTST_TF_USER_STACK },
	{ "TRACE_BLK", OTST_TF_BLK },
	{ "TRACE_BPUTS", OTST_TF_BPUTS },
	{ "TRACE_HWLAT", OTST_TF_HWLAT },
	{ "TRACE_OSNOISE", OTST_TF_OSNOISE },
	{ "TRACE_TIMERLAT", OTST_TF_TIMERLAT },
	{ "TRACE_RAW_DATA", OTST_TF_RAW_DATA },
	{ "TRACE_FUNC_REPEATS", OTST_TF_FUNC_REPEATS },
};

/* these have never moved: for a kernel whose enumerators are unknown */
#define FIXED_TYPES 11

static void read_types(struct otst *o, struct otst_tf_kernel *k)
{
	int64_t v;
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(*types); i++) {
		v = otst_enumerator_or(o, types[i].name, i < FIXED_TYPES ? (int64_t)i + 1 : 0);
		if (v > 0 && v < OTST_TF_TYPES)
			k->kinds[v] = types[i].kind;
	}
	v = otst_enumerator_or(o, "__TRACE_LAST_TYPE", OTST_TF_TYPES);
	k->first_event = (uint16_t)v;
}

/* ---- members ---- */

struct member {
	const char *type;
	const char *member;
	size_t to; /* of struct otst_tf_layout */
};

#define TO(field) offsetof(struct otst_tf_layout, field)

/* of several rows with the same place, the first that the kernel has counts */
static const struct member members[] = {
	{ "ftrace_entry", "ip", TO(fn_ip) },
	{ "ftrace_entry", "parent_ip", TO(fn_parent) },
	{ "ftrace_entry", "args", TO(fn_args) },
	{ "ftrace_graph_ent_entry", "graph_ent.func", TO(ent_func) },
	{ "ftrace_graph_ent_entry", "graph_ent.depth", TO(ent_depth) },
	{ "ftrace_graph_ent_entry", "args", TO(ent_args) },
	/* func and depth lie as in the others, whatever structures they are in */
	{ "fgraph_retaddr_ent_entry", "graph_rent.retaddr", TO(rent_retaddr) },
	{ "fgraph_retaddr_ent_entry", "graph_ent.retaddr", TO(rent_retaddr) },
	{ "fgraph_retaddr_ent_entry", "args", TO(rent_args) },
	{ "ftrace_graph_ret_entry", "ret.func", TO(ret_func) },
	{ "ftrace_graph_ret_entry", "ret.depth", TO(ret_depth) },
	{ "ftrace_graph_ret_entry", "ret.overrun", TO(ret_overrun) },
	{ "ftrace_graph_ret_entry", "ret.retval", TO(ret_retval) },
	/*
	 * Newer kernels took the times out of struct ftrace_graph_ret. Some
	 * have them in both places (Debian's 6.12.117), and use these.
	 */
	{ "ftrace_graph_ret_entry", "ret.calltime", TO(ret_call) },
	{ "ftrace_graph_ret_entry", "calltime", TO(ret_call) },
	{ "ftrace_graph_ret_entry", "ret.rettime", TO(ret_ret) },
	{ "ftrace_graph_ret_entry", "rettime", TO(ret_ret) },
	{ "ctx_switch_entry", "prev_pid", TO(ctx_prev_pid) },
	{ "ctx_switch_entry", "prev_prio", TO(ctx_prev_prio) },
	{ "ctx_switch_entry", "prev_state", TO(ctx_prev_state) },
	{ "ctx_switch_entry", "next_pid", TO(ctx_next_pid) },
	{ "ctx_switch_entry", "next_prio", TO(ctx_next_prio) },
	{ "ctx_switch_entry", "next_state", TO(ctx_next_state) },
	{ "ctx_switch_entry", "next_cpu", TO(ctx_next_cpu) },
	{ "stack_entry", "caller", TO(stack_caller) },
	{ "userstack_entry", "tgid", TO(user_tgid) },
	{ "userstack_entry", "caller", TO(user_caller) },
	{ "print_entry", "ip", TO(print_ip) },
	{ "print_entry", "buf", TO(print_buf) },
	{ "bprint_entry", "ip", TO(bprint_ip) },
	{ "bprint_entry", "fmt", TO(bprint_fmt) },
	{ "bprint_entry", "buf", TO(bprint_buf) },
	{ "bputs_entry", "ip", TO(bputs_ip) },
	{ "bputs_entry", "str", TO(bputs_str) },
	{ "raw_data_entry", "id", TO(raw_id) },
	{ "raw_data_entry", "buf", TO(raw_buf) },
	{ "trace_mmiotrace_rw", "rw.phys", TO(rw_phys) },
	{ "trace_mmiotrace_rw", "rw.value", TO(rw_value) },
	{ "trace_mmiotrace_rw", "rw.pc", TO(rw_pc) },
	{ "trace_mmiotrace_rw", "rw.map_id", TO(rw_map) },
	{ "trace_mmiotrace_rw", "rw.opcode", TO(rw_opcode) },
	{ "trace_mmiotrace_rw", "rw.width", TO(rw_width) },
	{ "trace_mmiotrace_map", "map.phys", TO(map_phys) },
	{ "trace_mmiotrace_map", "map.virt", TO(map_virt) },
	{ "trace_mmiotrace_map", "map.len", TO(map_len) },
	{ "trace_mmiotrace_map", "map.map_id", TO(map_map) },
	{ "trace_mmiotrace_map", "map.opcode", TO(map_opcode) },
	{ "trace_branch", "line", TO(branch_line) },
	{ "trace_branch", "func", TO(branch_func) },
	{ "trace_branch", "file", TO(branch_file) },
	{ "trace_branch", "correct", TO(branch_correct) },
	{ "hwlat_entry", "duration", TO(hwlat_duration) },
	{ "hwlat_entry", "outer_duration", TO(hwlat_outer) },
	{ "hwlat_entry", "nmi_total_ts", TO(hwlat_nmi_ts) },
	{ "hwlat_entry", "timestamp.tv_sec", TO(hwlat_sec) },
	{ "hwlat_entry", "timestamp.tv_nsec", TO(hwlat_nsec) },
	{ "hwlat_entry", "nmi_count", TO(hwlat_nmi_count) },
	{ "hwlat_entry", "seqnum", TO(hwlat_seqnum) },
	{ "hwlat_entry", "count", TO(hwlat_count) },
	{ "func_repeats_entry", "ip", TO(rep_ip) },
	{ "func_repeats_entry", "parent_ip", TO(rep_parent) },
	{ "func_repeats_entry", "count", TO(rep_count) },
	{ "func_repeats_entry", "top_delta_ts", TO(rep_top) },
	{ "func_repeats_entry", "bottom_delta_ts", TO(rep_bottom) },
	{ "osnoise_entry", "noise", TO(noise_noise) },
	{ "osnoise_entry", "runtime", TO(noise_runtime) },
	{ "osnoise_entry", "max_sample", TO(noise_max) },
	{ "osnoise_entry", "hw_count", TO(noise_hw) },
	{ "osnoise_entry", "nmi_count", TO(noise_nmi) },
	{ "osnoise_entry", "irq_count", TO(noise_irq) },
	{ "osnoise_entry", "softirq_count", TO(noise_softirq) },
	{ "osnoise_entry", "thread_count", TO(noise_thread) },
	{ "timerlat_entry", "seqnum", TO(lat_seqnum) },
	{ "timerlat_entry", "context", TO(lat_context) },
	{ "timerlat_entry", "timer_latency", TO(lat_latency) },
};

static void read_members(struct otst *o, struct otst_tf_layout *at)
{
	const struct otst_member *m;
	size_t i;

	for (i = 0; i < sizeof(members) / sizeof(*members); i++) {
		struct otst_tf_field *f = (void *)((char *)at + members[i].to);

		if (f->size || otst_member(o, members[i].type, members[i].member, &m) ||
		    m->offset > UINT16_MAX)
			continue;
		f->offset = (uint16_t)m->offset;
		/* an array's place is known, whatever its size */
		f->size = m->size && m->size <= 8 && m->kind != OTST_KIND_ARRAY ? (uint8_t)m->size :
										  1;
		f->is_signed = m->is_signed;
	}
}

/* ---- the kernel's own words ---- */

#define CHUNK (1u << 20)

/* does the kernel's read-only data hold one of its texts */
static bool has_text(struct otst *o, const char *text)
{
	uint64_t at = otst_symbol_or0(o, "__start_rodata"),
		 end = otst_symbol_or0(o, "__end_rodata");
	size_t len = strlen(text), n;
	char *buf = at < end ? otst_alloc(o, CHUNK) : NULL;

	while (buf && at < end) {
		n = end - at < CHUNK ? end - at : CHUNK;
		if (!otst_read(o, at, buf, n) && memmem(buf, n, text, len))
			return true;
		/* the next piece starts where a text could have been cut */
		at += n == CHUNK ? n - len : n;
	}
	return false;
}

/*
 * Linux 54357f0c9149 ("tracing: Add migrate-disabled counter to tracing output")
 * (v5.15) changed texts and nothing else, and so did what made pids wider: only
 * the texts themselves tell.
 */
static void read_texts(struct otst *o, struct otst_tf_kernel *k)
{
	k->pid_width = 7;
	k->migrate = k->bh_off;
	if (k->bh_off)
		return;
	k->migrate = has_text(o, "/ _-=> migrate-disable");
	if (!k->migrate && has_text(o, "%16s-%-5d "))
		k->pid_width = 5;
}

static void read_flags(struct otst *o, struct otst_tf_kernel *k)
{
	k->bh_off = otst_enumerator_or(o, "TRACE_FLAG_BH_OFF", 0);
	k->lazy = otst_enumerator_or(o, "TRACE_FLAG_NEED_RESCHED_LAZY", 0);
	k->preempt_resched = otst_enumerator_or(o, "TRACE_FLAG_PREEMPT_RESCHED", 0);
}

static void read_symbols(struct otst *o, struct otst_tf_kernel *k)
{
	/* kretprobed() of trace_output.c compares this one's name, and the address of the others */
	k->kretprobe = otst_symbol_or0(o, "kretprobe_trampoline");
	k->kretprobe_by_name = k->kretprobe != 0;
	if (!k->kretprobe)
		k->kretprobe = otst_symbol_or0(o, "arch_rethook_trampoline");
	if (!k->kretprobe)
		k->kretprobe = otst_symbol_or0(o, "__kretprobe_trampoline");
	k->irq_start = otst_symbol_or0(o, "__irqentry_text_start");
	k->irq_end = otst_symbol_or0(o, "__irqentry_text_end");
	k->sched_clock_generic = otst_has_symbol(o, "sched_clock_register");
}

int otst_tf_kernel_read(struct otst *o, struct otst_tf_kernel *ret)
{
	memset(ret, 0, sizeof(*ret));
	read_types(o, ret);
	read_members(o, &ret->at);
	read_flags(o, ret);
	read_texts(o, ret);
	read_symbols(o, ret);
	/* print_graph_retval() got its words when return addresses came */
	ret->ret_equals = otst_enumerator_or(o, "TRACE_GRAPH_RETADDR_ENT", 0) != 0;
	ret->retaddr = ret->at.rent_retaddr.size != 0;
	/* a number that no address has: kernels that do not use it never see it */
	ret->marker = INT32_MAX;
	return otst_check(o);
}
