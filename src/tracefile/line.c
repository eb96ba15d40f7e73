// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * line.c - one record: which printer prints it, and what precedes it
 * (print_trace_line(), print_trace_fmt() of kernel/trace/trace.c).
 */
#include <inttypes.h>

#include "print.h"

static void (*const printers[OTST_TF_KINDS])(struct otst_tf *tf, const struct otst_record *r) = {
	[OTST_TF_UNKNOWN] = otst_tf_unknown,
#define ENTRY(type, json, group, print, raw, hex) [OTST_TF_##type] = print,
#include "entries.def"
	[OTST_TF_EVENT] = otst_tf_event_line,
};

void otst_tf_body(struct otst_tf *tf, const struct otst_record *r)
{
	if (tf->style.fields)
		otst_tf_event_line(tf, r);
	else
		printers[otst_tf_kind(&tf->kernel, r->type)](tf, r);
}

static void print_lost(struct otst_tf *tf, const struct otst_record *r)
{
	if (r->lost_count)
		otst_text_printf(&tf->t, "CPU:%u [LOST %" PRIu64 " EVENTS]\n", r->cpu,
				 r->lost_count);
	else
		otst_text_printf(&tf->t, "CPU:%u [LOST EVENTS]\n", r->cpu);
}

/* test_cpu_buff_start() */
static void print_started(struct otst_tf *tf, const struct otst_record *r)
{
	if (!tf->opt.annotate || !tf->overruns || tf->started[r->cpu] || tf->skipped[r->cpu] ||
	    r->consumed)
		return;
	tf->started[r->cpu] = true;
	if (tf->index <= 1)
		return;
	otst_text_printf(&tf->t, "##### CPU %u buffer started ####\n", r->cpu);
}

static bool is_message(const struct otst_tf *tf, const struct otst_record *r)
{
	enum otst_tf_kind kind = otst_tf_kind(&tf->kernel, r->type);

	return kind == OTST_TF_PRINT || kind == OTST_TF_BPRINT || kind == OTST_TF_BPUTS;
}

/* the tracer's own print_line(); false: it has none for this entry */
static bool print_by_tracer(struct otst_tf *tf, const struct otst_record *r)
{
	switch (tf->tracer) {
	case OTST_TF_GRAPH:
	case OTST_TF_LATENCY_GRAPH:
		return otst_tf_graph(tf, r);
	case OTST_TF_MMIO:
		otst_tf_mmio(tf, r);
		return true;
	case OTST_TF_PLAIN:
	case OTST_TF_OSNOISE_TRACER:
	case OTST_TF_TIMERLAT_TRACER:
	case OTST_TF_BLK_TRACER:
	case OTST_TF_BRANCH_TRACER:
		break;
	}
	return false;
}

void otst_tf_record(struct otst_tf *tf, const struct otst_record *r)
{
	if (r->lost)
		print_lost(tf, r);
	if (tf->tracer != OTST_TF_PLAIN && print_by_tracer(tf, r))
		return;
	if (tf->opt.printk_msgonly && tf->opt.printk && is_message(tf, r)) {
		otst_tf_message(tf, r);
		return;
	}
	if (tf->opt.hex) {
		otst_tf_hex(tf, r);
		return;
	}
	if (tf->opt.raw) {
		otst_tf_raw(tf, r);
		return;
	}
	print_started(tf, r);
	if (tf->opt.context_info && tf->opt.latency_file)
		otst_tf_lat_context(tf, r);
	else if (tf->opt.context_info)
		otst_tf_context(tf, r);
	otst_tf_body(tf, r);
}
