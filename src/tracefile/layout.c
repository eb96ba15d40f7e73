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

static const char *const types[OTST_TF_KINDS] = {
#define ENTRY(type, json, group, print, raw, hex) [OTST_TF_##type] = "TRACE_" #type,
#include "entries.def"
};

static void read_entry_types(struct otst *o, struct otst_tf_kernel *k)
{
	int64_t v;

	for (size_t i = OTST_TF_UNKNOWN + 1; i < OTST_TF_EVENT; i++) {
		v = otst_enumerator_or(o, types[i], i <= OTST_TF_FIXED ? (int64_t)i : 0);
		if (v > 0 && v < OTST_TF_TYPES)
			k->kinds[v] = (uint8_t)i;
	}
	v = otst_enumerator_or(o, "__TRACE_LAST_TYPE", OTST_TF_TYPES);
	k->first_event = (uint16_t)v;
}

/* ---- members ---- */

/* of several rows with the same @to, the first that the kernel has counts */
const struct otst_tf_member otst_tf_members[] = {
#define OF(type)				    1u << OTST_TF_##type
#define NUMBER					    false
#define ADDRESS					    true
#define TO(field)				    offsetof(struct otst_tf_layout, field)
#define MEMBER(field, entries, shown, type, member) { type, member, TO(field), entries, shown },
#define OR(field, type, member)			    { type, member, TO(field), 0, false },
#include "entries.def"
	{ NULL, NULL, 0, 0, false },
};

static void read_members(struct otst *o, struct otst_tf_layout *at)
{
	const struct otst_tf_member *row;
	const struct otst_member *m;

	for (row = otst_tf_members; row->type; row++) {
		struct otst_tf_field *f = (void *)((char *)at + row->to);

		if (f->size || otst_member(o, row->type, row->member, &m) || m->offset > UINT16_MAX)
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

	k->pid_width = 7;
	k->rel_time = k->graph_wide = true;
	k->legend = k->flags.bh_off ? OTST_LEGEND_MIGRATE : OTST_LEGEND_WIDE;
	if (k->at.lazy_count.size)
		k->legend = OTST_LEGEND_LAZY;
	if (k->legend >= OTST_LEGEND_MIGRATE || !otst_rodata_has(o, words, WORDS, found))
		return;
	for (size_t i = WORD_STATES; i <= WORD_STATES_4_9; i++) {
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
static const struct otst_tf_mark *read_entry_table(struct otst *o)
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
	k->marks = read_entry_table(o);
	k->marks = k->marks ?: now;
	k->latency_marks = k->marks;
}

static uint8_t trace_flag_bit(struct otst *o, const char *name, uint8_t fallback)
{
	return (uint8_t)otst_enumerator_or(o, name, fallback);
}

static void read_trace_flags(struct otst *o, struct otst_tf_flag_bits *ret)
{
	*ret = (struct otst_tf_flag_bits){
		.irqs_off = trace_flag_bit(o, "TRACE_FLAG_IRQS_OFF", 0x01),
		.need_resched = trace_flag_bit(o, "TRACE_FLAG_NEED_RESCHED", 0x04),
		.lazy = trace_flag_bit(o, "TRACE_FLAG_NEED_RESCHED_LAZY", 0),
		.preempt_resched = trace_flag_bit(o, "TRACE_FLAG_PREEMPT_RESCHED", 0),
		.hardirq = trace_flag_bit(o, "TRACE_FLAG_HARDIRQ", 0x08),
		.softirq = trace_flag_bit(o, "TRACE_FLAG_SOFTIRQ", 0x10),
		.nmi = trace_flag_bit(o, "TRACE_FLAG_NMI", 0x40),
		.bh_off = trace_flag_bit(o, "TRACE_FLAG_BH_OFF", 0),
	};
	ret->irqs_nosupport = trace_flag_bit(o, "TRACE_FLAG_IRQS_NOSUPPORT", ret->lazy ? 0 : 0x02);
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
	read_entry_types(o, ret);
	read_members(o, &ret->at);
	read_trace_flags(o, &ret->flags);
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
	int err = addr ? otst_trace_options(o, addr, &names) : 0;

	name = names.data;
	for (size_t i = 0; i < names.count; i++) {
		for (size_t j = 0; j < sizeof(options) / sizeof(*options); j++) {
			if (!strcmp(name[i], options[j].name))
				*ret |= options[j].flag;
		}
	}
	return err ? otst_fail(o, err, "options of function_graph") : 0;
}
