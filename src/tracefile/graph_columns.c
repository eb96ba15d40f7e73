// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * graph_columns.c - what function_graph prints before a function: time, cpu,
 * task, duration, interrupts (kernel/trace/trace_functions_graph.c).
 */
#include "print.h"

#define PROCINFO_LENGTH 14
#define COMM_LENGTH	7
#define TASK_LENGTH	64

static void print_cpu(struct otst_tf *tf, unsigned int cpu)
{
	otst_text_char(&tf->t, ' ');
	otst_text_dec_right(&tf->t, cpu, tf->cpu_digits);
	otst_text_mem(&tf->t, ") ", 2);
}

/* print_graph_proc(): "comm-pid" centered in its column */
static void print_proc(struct otst_tf *tf, int32_t pid)
{
	char line[TASK_LENGTH];
	struct otst_text t = otst_text_in(line, sizeof(line));
	const char *comm = otst_comm(tf->o, pid);
	size_t len = strlen(comm), spaces;

	otst_text_mem(&t, comm, len < COMM_LENGTH ? len : COMM_LENGTH);
	otst_text_char(&t, '-');
	otst_text_sdec(&t, pid);
	len = (size_t)(t.at - line);
	spaces = len < PROCINFO_LENGTH ? PROCINFO_LENGTH - len : 0;
	otst_text_spaces(&tf->t, spaces / 2);
	otst_text_mem(&tf->t, line, len);
	otst_text_spaces(&tf->t, spaces - spaces / 2);
}

/* verif_pid(): a block where the task changes */
static void print_switch(struct otst_tf *tf, const struct otst_record *r)
{
	static const char rule[] = " ------------------------------------------\n";
	struct otst_tf_graph_cpu *cpu = tf->graph ? &tf->graph[r->cpu] : NULL;
	int64_t before;

	if (!cpu || cpu->last_pid == r->pid)
		return;
	before = cpu->last_pid;
	cpu->last_pid = r->pid;
	if (before == -1)
		return;
	otst_text_mem(&tf->t, rule, sizeof(rule) - 1);
	print_cpu(tf, r->cpu);
	print_proc(tf, (int32_t)before);
	otst_text_mem(&tf->t, " => ", 4);
	print_proc(tf, r->pid);
	otst_text_char(&tf->t, '\n');
	otst_text_mem(&tf->t, rule, sizeof(rule) - 1);
	otst_text_char(&tf->t, '\n');
}

/* print_graph_abs_time(): not rounded */
static void print_abs_time(struct otst_tf *tf, uint64_t ts)
{
	otst_text_dec_right(&tf->t, ts / 1000000000, 5);
	otst_text_char(&tf->t, '.');
	otst_text_dec_zero(&tf->t, ts % 1000000000 / 1000, 6);
	otst_text_mem(&tf->t, " |  ", 4);
}

static void print_rel_time(struct otst_tf *tf, uint64_t ts)
{
	otst_text_dec_right(&tf->t, (ts - tf->time_start) / 1000, 9);
	otst_text_string(&tf->t, " us |  ");
}

static void print_graph_columns(struct otst_tf *tf, const struct otst_record *r, bool lat)
{
	uint32_t flags = tf->graph_flags;

	if (!tf->opt.context_info)
		return;
	if (flags & OTST_GRAPH_ABS_TIME)
		print_abs_time(tf, r->time);
	if (flags & OTST_GRAPH_REL_TIME)
		print_rel_time(tf, r->time);
	if (flags & OTST_GRAPH_CPU)
		print_cpu(tf, r->cpu);
	if (flags & OTST_GRAPH_PROC) {
		print_proc(tf, r->pid);
		otst_text_mem(&tf->t, " | ", 3);
	}
	if (lat && tf->opt.latency_fmt) {
		otst_text_char(&tf->t, ' ');
		otst_tf_lat_fmt(tf, r);
		if (tf->kernel.graph_wide)
			otst_text_mem(&tf->t, " | ", 3);
	}
}

/* trace_print_graph_duration(): at most 7 digits */
void otst_graph_duration(struct otst_text *t, uint64_t ns)
{
	char digits[OTST_TEXT_DIGITS], *end = digits + sizeof(digits);
	char *at = otst_text_digits(end, ns / 1000);
	size_t len = (size_t)(end - at), more;
	uint64_t rest = ns % 1000;
	char three[3] = { (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
			  (char)('0' + rest % 10) };

	otst_text_mem(t, at, len);
	if (len < 7) {
		more = 7 - len < sizeof(three) ? 7 - len : sizeof(three);
		otst_text_char(t, '.');
		otst_text_mem(t, three, more);
		len += more + 1;
	}
	otst_text_mem(t, " us ", 4);
	if (len < 8)
		otst_text_spaces(t, 8 - len);
}

void otst_tf_graph_duration(struct otst_tf *tf, uint64_t duration, uint32_t fill)
{
	if (!(tf->graph_flags & OTST_GRAPH_DURATION) || !tf->opt.context_info)
		return;
	switch (fill) {
	case OTST_GRAPH_FILL_FULL:
		otst_text_string(&tf->t, "              |  ");
		return;
	case OTST_GRAPH_FILL_START:
		otst_text_mem(&tf->t, "  ", 2);
		return;
	case OTST_GRAPH_FILL_END:
		otst_text_mem(&tf->t, " |", 2);
		return;
	default:
		break;
	}
	otst_text_char(&tf->t, tf->graph_flags & OTST_GRAPH_OVERHEAD ?
				       otst_tf_sign(tf->kernel.marks, duration) :
				       ' ');
	otst_text_char(&tf->t, ' ');
	otst_graph_duration(&tf->t, duration);
	otst_text_mem(&tf->t, "|  ", 3);
}

void otst_tf_graph_irq(struct otst_tf *tf, const struct otst_record *r, uint64_t addr, bool entry)
{
	addr += tf->delta;
	if (addr < tf->kernel.irq_start || addr >= tf->kernel.irq_end)
		return;
	print_graph_columns(tf, r, !tf->kernel.graph_plain);
	otst_tf_graph_duration(tf, 0, OTST_GRAPH_FILL_START);
	otst_text_string(&tf->t, entry ? "==========>" : "<==========");
	otst_tf_graph_duration(tf, 0, OTST_GRAPH_FILL_END);
	otst_text_char(&tf->t, '\n');
}

void otst_tf_graph_prologue(struct otst_tf *tf, const struct otst_record *r, uint64_t addr)
{
	print_switch(tf, r);
	if (addr)
		otst_tf_graph_irq(tf, r, addr, true);
	print_graph_columns(tf, r, true);
}
