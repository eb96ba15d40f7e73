// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * layout.c - how the trace file differs between kernels: numbers of enum
 * trace_type, members of the entries, flags, and some of the wording.
 */
#include <stddef.h>

#include "../names/rodata.h"
#include "../ftrace/tracing.h"
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

/* types whose numbers never changed, for a kernel whose enumerators are unknown */
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
	size_t to; /* offset in struct otst_tf_layout */
};

#define TO(field) offsetof(struct otst_tf_layout, field)

/* of several rows with the same @to, the first that the kernel has counts */
static const struct member members[] = {
	{ "trace_entry", "preempt_lazy_count", TO(lazy_count) },
	{ "ftrace_entry", "ip", TO(fn_ip) },
	{ "ftrace_entry", "parent_ip", TO(fn_parent) },
	{ "ftrace_entry", "args", TO(fn_args) },
	{ "ftrace_graph_ent_entry", "graph_ent.func", TO(ent_func) },
	{ "ftrace_graph_ent_entry", "graph_ent.depth", TO(ent_depth) },
	{ "ftrace_graph_ent_entry", "args", TO(ent_args) },
	/* func and depth have the same offsets as in the other entries, in any structure */
	{ "fgraph_retaddr_ent_entry", "graph_rent.retaddr", TO(rent_retaddr) },
	{ "fgraph_retaddr_ent_entry", "graph_ent.retaddr", TO(rent_retaddr) },
	{ "fgraph_retaddr_ent_entry", "args", TO(rent_args) },
	{ "ftrace_graph_ret_entry", "ret.func", TO(ret_func) },
	{ "ftrace_graph_ret_entry", "ret.depth", TO(ret_depth) },
	{ "ftrace_graph_ret_entry", "ret.overrun", TO(ret_overrun) },
	{ "ftrace_graph_ret_entry", "ret.retval", TO(ret_retval) },
	/*
	 * Newer kernels moved the times out of struct ftrace_graph_ret. Some
	 * have them in both places (Debian's 6.12.117) and use those in it.
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
		/* nonzero: the place is known, also that of an array of any size */
		f->size = m->size && m->size <= 8 && m->kind != OTST_KIND_ARRAY ? (uint8_t)m->size :
										  1;
		f->is_signed = m->is_signed;
	}
}

/* ---- the kernel's own words ---- */

enum word {
	WORD_NO_FUNCS_OFF = OTST_SAYS_NO_FUNCS_OFF,
	WORD_OR_FREE = OTST_SAYS_OR_FREE,
	WORD_LAZY = OTST_SAYS_LAZY,
	WORD_OLD,
	WORD_TGID,
	WORD_MIGRATE,
	WORD_PID_5,
	WORD_REL_TIME,
	WORD_GRAPH_WIDE,
	WORD_STATES, /* of 3.10, 4.4 and 4.9 */
	WORD_STATES_4_4,
	WORD_STATES_4_9,
	WORDS,
};

/* texts that tell how the kernel prints; with NULs where a longer text contains it, too */
static const struct otst_needle words[WORDS] = {
	[WORD_NO_FUNCS_OFF] = OTST_NEEDLE("#### no functions disabled ####"),
	[WORD_OR_FREE] = OTST_NEEDLE("(but does not allocate or free)"),
	[WORD_LAZY] = OTST_NEEDLE("\0LAZY%s\0"),
	[WORD_OLD] = OTST_NEEDLE("\0#                              _-----=> irqs-off\n"),
	[WORD_TGID] = OTST_NEEDLE("\0#                          %s  _-----=> irqs-off\n"),
	/* timerlat and osnoise, which vendors backport alone, have the word but not this format */
	[WORD_MIGRATE] = OTST_NEEDLE("%.*s||| / _-=> migrate-disable"),
	[WORD_PID_5] = OTST_NEEDLE("%16s-%-5d "),
	[WORD_REL_TIME] = OTST_NEEDLE("   REL TIME     "),
	[WORD_GRAPH_WIDE] = OTST_NEEDLE("\0||||   \0"),
	[WORD_STATES] = OTST_NEEDLE("RSDTtZXxKWP\0"),
	[WORD_STATES_4_4] = OTST_NEEDLE("RSDTtXZxKWPN\0"),
	[WORD_STATES_4_9] = OTST_NEEDLE("RSDTtXZxKWPNn\0"),
};

bool otst_kernel_says(struct otst *o, enum otst_says what)
{
	bool found[WORDS] = { false };

	return !otst_rodata_has(o, words, WORDS, found) || found[what];
}

/*
 * Linux 54357f0c9149 ("tracing: Add migrate-disabled counter to tracing output")
 * (v5.15) changed nothing but texts, and so did the commit that widened pids:
 * only the texts themselves tell. RHEL 9 has preempt-lazy-depth in each entry.
 */
static void read_texts(struct otst *o, struct otst_tf_kernel *k)
{
	bool found[WORDS] = { false };
	size_t i;

	k->pid_width = 7;
	k->rel_time = k->graph_wide = true;
	k->legend = k->flags.bh_off ? OTST_LEGEND_MIGRATE : OTST_LEGEND_WIDE;
	if (k->at.lazy_count.size)
		k->legend = OTST_LEGEND_LAZY;
	if (k->legend >= OTST_LEGEND_MIGRATE || !otst_rodata_has(o, words, WORDS, found))
		return;
	for (i = WORD_STATES; i <= WORD_STATES_4_9; i++) {
		if (found[i])
			k->state_chars = words[i].text;
	}
	if (found[WORD_MIGRATE])
		k->legend = OTST_LEGEND_MIGRATE;
	else if (found[WORD_TGID])
		k->legend = OTST_LEGEND_TGID;
	else if (found[WORD_OLD])
		k->legend = OTST_LEGEND_OLD;
	if (k->legend < OTST_LEGEND_MIGRATE && found[WORD_PID_5])
		k->pid_width = 5;
	k->rel_time = found[WORD_REL_TIME];
	k->graph_wide = found[WORD_GRAPH_WIDE];
}

/* ---- marks ---- */

#define MAX_MARKS 16u

/* static const struct trace_mark mark[] of trace_output.c, if the dump has it */
static const struct otst_tf_mark *read_table(struct otst *o)
{
	uint64_t at = otst_symbol_or0(o, "mark"), size, n, i;
	struct otst_tf_mark *ret;
	struct otst_view v;
	struct otst_sym sym;

	if (!at || otst_type_size(o, "trace_mark", &size))
		return NULL;
	otst_symbolize(o, at, &sym);
	n = sym.size / size < MAX_MARKS ? sym.size / size : MAX_MARKS;
	ret = otst_alloc(o, (n + 1) * sizeof(*ret));
	for (i = 0; ret && i < n; i++) {
		if (otst_view_read(o, "trace_mark", at + i * size, &v))
			return NULL;
		ret[i].ns = otst_u64(&v, "val");
		ret[i].sign = (char)otst_u64(&v, "sym");
		if (v.err || ret[i].sign <= ' ' || (i && ret[i].ns >= ret[i - 1].ns))
			return NULL;
	}
	return n ? ret : NULL;
}

/* 3.10 has two signs, and other thresholds in the latency format */
static void read_marks(struct otst *o, struct otst_tf_kernel *k)
{
	static const struct otst_tf_mark now[] = {
		{ 1000000000, '$' }, { 100000000, '@' }, { 10000000, '*' }, { 1000000, '#' },
		{ 100000, '!' },     { 10000, '+' },	 { 0, 0 },
	};
	static const struct otst_tf_mark graph[] = { { 100000, '!' }, { 10000, '+' }, { 0, 0 } };
	static const struct otst_tf_mark latency[] = { { 100000, '!' }, { 1000, '+' }, { 0, 0 } };

	/* its neighbour shows that the symbols of that file are known */
	k->graph_plain = !otst_has_symbol(o, "trace_find_mark") &&
			 otst_has_symbol(o, "trace_print_graph_duration");
	if (k->graph_plain) {
		k->marks = graph;
		k->latency_marks = latency;
		return;
	}
	k->marks = read_table(o);
	k->marks = k->marks ?: now;
	k->latency_marks = k->marks;
}

static uint8_t bit(struct otst *o, const char *name, uint8_t fallback)
{
	return (uint8_t)otst_enumerator_or(o, name, fallback);
}

static void read_flags(struct otst *o, struct otst_tf_flag_bits *ret)
{
	*ret = (struct otst_tf_flag_bits){
		.irqs_off = bit(o, "TRACE_FLAG_IRQS_OFF", 0x01),
		.need_resched = bit(o, "TRACE_FLAG_NEED_RESCHED", 0x04),
		.lazy = bit(o, "TRACE_FLAG_NEED_RESCHED_LAZY", 0),
		.preempt_resched = bit(o, "TRACE_FLAG_PREEMPT_RESCHED", 0),
		.hardirq = bit(o, "TRACE_FLAG_HARDIRQ", 0x08),
		.softirq = bit(o, "TRACE_FLAG_SOFTIRQ", 0x10),
		.nmi = bit(o, "TRACE_FLAG_NMI", 0x40),
		.bh_off = bit(o, "TRACE_FLAG_BH_OFF", 0),
	};
	ret->irqs_nosupport = bit(o, "TRACE_FLAG_IRQS_NOSUPPORT", ret->lazy ? 0 : 0x02);
}

static void read_symbols(struct otst *o, struct otst_tf_kernel *k)
{
	/* kretprobed() of trace_output.c compares this one by name, and the others by address */
	k->kretprobe = otst_symbol_or0(o, "kretprobe_trampoline");
	k->kretprobe_by_name = k->kretprobe != 0;
	k->kretprobe = k->kretprobe ?: otst_symbol_or0(o, "arch_rethook_trampoline");
	k->kretprobe = k->kretprobe ?: otst_symbol_or0(o, "__kretprobe_trampoline");
	k->irq_start = otst_symbol_or0(o, "__irqentry_text_start");
	k->irq_end = otst_symbol_or0(o, "__irqentry_text_end");
	k->sched_clock_generic = otst_has_symbol(o, "sched_clock_register");
}

int otst_tf_kernel_read(struct otst *o, struct otst_tf_kernel *ret)
{
	memset(ret, 0, sizeof(*ret));
	read_types(o, ret);
	read_members(o, &ret->at);
	read_flags(o, &ret->flags);
	read_texts(o, ret);
	read_marks(o, ret);
	read_symbols(o, ret);
	/* print_graph_retval() prints "ret=" in kernels that know return addresses */
	ret->ret_equals = otst_enumerator_or(o, "TRACE_GRAPH_RETADDR_ENT", 0) != 0;
	ret->retaddr = ret->at.rent_retaddr.size != 0;
	/* no address has this value: it never occurs in kernels that do not use it */
	ret->marker = INT32_MAX;
	return otst_check(o);
}

/* ---- options of function_graph ---- */

int otst_tf_graph_options(struct otst *o, uint64_t addr, uint32_t *ret)
{
	static const struct {
		const char *name;
		uint32_t flag;
	} options[] = {
		{ "funcgraph-overrun", OTST_GRAPH_OVERRUN },
		{ "funcgraph-cpu", OTST_GRAPH_CPU },
		{ "funcgraph-overhead", OTST_GRAPH_OVERHEAD },
		{ "funcgraph-proc", OTST_GRAPH_PROC },
		{ "funcgraph-duration", OTST_GRAPH_DURATION },
		{ "funcgraph-abstime", OTST_GRAPH_ABS_TIME },
		{ "funcgraph-irqs", OTST_GRAPH_IRQS },
		{ "funcgraph-tail", OTST_GRAPH_TAIL },
		{ "funcgraph-retval", OTST_GRAPH_RETVAL },
		{ "funcgraph-retval-hex", OTST_GRAPH_RETVAL_HEX },
		{ "funcgraph-retaddr", OTST_GRAPH_RETADDR },
	};
	struct otst_vec names = { 0 };
	const char *const *name;
	size_t i, j;
	int err = addr ? otst_trace_options(o, addr, &names) : 0;

	name = names.data;
	for (i = 0; i < names.count; i++) {
		for (j = 0; j < sizeof(options) / sizeof(*options); j++) {
			if (!strcmp(name[i], options[j].name))
				*ret |= options[j].flag;
		}
	}
	return err ? otst_fail(o, err, "options of function_graph") : 0;
}
