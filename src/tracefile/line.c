// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * line.c - one record: which printer prints it, and what precedes it
 * (print_trace_line(), print_trace_fmt() of kernel/trace/trace.c).
 */
#include "print.h"

static void print_unknown(struct otst_tf *tf, const struct otst_record *r)
{
	otst_text_string(&tf->t, "Unknown type ");
	otst_text_dec(&tf->t, r->type);
	otst_text_char(&tf->t, '\n');
}

void otst_tf_body(struct otst_tf *tf, const struct otst_record *r)
{
	if (tf->style.fields) {
		otst_tf_event_line(tf, r);
		return;
	}
	switch (otst_tf_kind(&tf->kernel, r->type)) {
	case OTST_TF_FN:
		otst_tf_function(tf, r);
		break;
	case OTST_TF_FUNC_REPEATS:
		otst_tf_repeats(tf, r);
		break;
	case OTST_TF_CTX:
	case OTST_TF_WAKE:
		otst_tf_ctxwake(tf, r, otst_tf_kind(&tf->kernel, r->type) == OTST_TF_WAKE);
		break;
	case OTST_TF_STACK:
		otst_tf_stack(tf, r);
		break;
	case OTST_TF_USER_STACK:
		otst_tf_user_stack(tf, r);
		break;
	case OTST_TF_PRINT:
	case OTST_TF_BPRINT:
	case OTST_TF_BPUTS:
		otst_tf_print(tf, r);
		break;
	case OTST_TF_GRAPH_ENT:
	case OTST_TF_GRAPH_RETADDR_ENT:
	case OTST_TF_GRAPH_RET:
		otst_tf_graph(tf, r);
		break;
	case OTST_TF_BRANCH:
		otst_tf_branch(tf, r);
		break;
	case OTST_TF_HWLAT:
		otst_tf_hwlat(tf, r);
		break;
	case OTST_TF_OSNOISE:
		otst_tf_osnoise(tf, r);
		break;
	case OTST_TF_TIMERLAT:
		otst_tf_timerlat(tf, r);
		break;
	case OTST_TF_RAW_DATA:
		otst_tf_raw_data(tf, r);
		break;
	case OTST_TF_EVENT:
		otst_tf_event_line(tf, r);
		break;
	default:
		print_unknown(tf, r);
	}
}

static void print_lost(struct otst_tf *tf, const struct otst_record *r)
{
	otst_text_string(&tf->t, "CPU:");
	otst_text_dec(&tf->t, r->cpu);
	otst_text_string(&tf->t, " [LOST ");
	if (r->lost_count) {
		otst_text_dec(&tf->t, r->lost_count);
		otst_text_char(&tf->t, ' ');
	}
	otst_text_string(&tf->t, "EVENTS]\n");
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
	otst_text_string(&tf->t, "##### CPU ");
	otst_text_dec(&tf->t, r->cpu);
	otst_text_string(&tf->t, " buffer started ####\n");
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
	default:
		return false;
	}
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
