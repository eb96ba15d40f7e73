// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * raw.c - entries for the options raw and hex (print_raw_fmt(), print_hex_fmt()
 * of kernel/trace/trace.c and the _raw() and _hex() functions of
 * trace_output.c). Entries without such a function print only their type.
 */
#include <inttypes.h>

#include "print.h"

static void print_type(struct otst_tf *tf, const struct otst_record *r)
{
	otst_text_printf(&tf->t, "type: %u\n", r->type);
}

static bool is_known_entry(struct otst_tf *tf, const struct otst_record *r)
{
	switch (otst_tf_kind(&tf->kernel, r->type)) {
	case OTST_TF_UNKNOWN:
	case OTST_TF_MMIO_RW:
	case OTST_TF_MMIO_MAP:
		return false;
	case OTST_TF_EVENT:
		return otst_event_format(tf->o, r->type);
	default:
		return true;
	}
}

/* ---- raw ---- */

/* trace_ctxwake_raw() */
static void raw_switch(struct otst_tf *tf, const struct otst_record *r, bool wake)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	char before = wake ? '+' : otst_tf_state(tf, otst_tf_get64(r, at->ctx_prev_state));

	otst_text_printf(&tf->t, "%d %d %c %d %d %d %c\n", otst_tf_get32(r, at->ctx_prev_pid),
			 otst_tf_get32(r, at->ctx_prev_prio), before,
			 otst_tf_get32(r, at->ctx_next_cpu), otst_tf_get32(r, at->ctx_next_pid),
			 otst_tf_get32(r, at->ctx_next_prio),
			 otst_tf_state(tf, otst_tf_get64(r, at->ctx_next_state)));
}

static void raw_repeats(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;

	otst_text_printf(&tf->t, "%llu %llu %u %llu\n", otst_tf_get64(r, at->rep_ip),
			 otst_tf_get64(r, at->rep_parent), otst_tf_get32(r, at->rep_count),
			 otst_tf_get64(r, at->rep_top) << 32 | otst_tf_get64(r, at->rep_bottom));
}

static void raw_osnoise(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;

	otst_text_printf(&tf->t, "%llu %llu %llu %u %u %u %u %u\n",
			 otst_tf_get64(r, at->noise_runtime), otst_tf_get64(r, at->noise_noise),
			 otst_tf_get64(r, at->noise_max), otst_tf_get32(r, at->noise_hw),
			 otst_tf_get32(r, at->noise_nmi), otst_tf_get32(r, at->noise_irq),
			 otst_tf_get32(r, at->noise_softirq), otst_tf_get32(r, at->noise_thread));
}

static void raw_body(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	struct otst_text *t = &tf->t;

	switch (otst_tf_kind(&tf->kernel, r->type)) {
	case OTST_TF_FN:
		otst_text_printf(t, "%llx %llx\n", otst_tf_get64(r, at->fn_ip),
				 otst_tf_get64(r, at->fn_parent));
		break;
	case OTST_TF_CTX:
		raw_switch(tf, r, false);
		break;
	case OTST_TF_WAKE:
		raw_switch(tf, r, true);
		break;
	case OTST_TF_PRINT:
		otst_text_printf(t, "# %llx ", otst_tf_get64(r, at->print_ip));
		otst_tf_message(tf, r);
		break;
	case OTST_TF_BPRINT:
		otst_text_printf(t, ": %llx : ", otst_tf_get64(r, at->bprint_ip));
		otst_tf_message(tf, r);
		break;
	case OTST_TF_BPUTS:
		otst_text_printf(t, ": %llx : ", otst_tf_get64(r, at->bputs_ip));
		otst_tf_message(tf, r);
		break;
	case OTST_TF_HWLAT:
		otst_text_printf(t, "%llu %llu %lld %09llu %u\n",
				 otst_tf_get64(r, at->hwlat_duration),
				 otst_tf_get64(r, at->hwlat_outer),
				 (long long)otst_tf_sget(r, at->hwlat_sec),
				 otst_tf_get64(r, at->hwlat_nsec),
				 otst_tf_get32(r, at->hwlat_seqnum));
		break;
	case OTST_TF_OSNOISE:
		raw_osnoise(tf, r);
		break;
	case OTST_TF_TIMERLAT:
		otst_text_printf(t, "%u %u %llu\n", otst_tf_get32(r, at->lat_seqnum),
				 otst_tf_get32(r, at->lat_context),
				 otst_tf_get64(r, at->lat_latency));
		break;
	case OTST_TF_RAW_DATA:
		otst_tf_raw_data(tf, r);
		break;
	case OTST_TF_FUNC_REPEATS:
		raw_repeats(tf, r);
		break;
	/* these have no such function */
	case OTST_TF_UNKNOWN:
	case OTST_TF_STACK:
	case OTST_TF_MMIO_RW:
	case OTST_TF_MMIO_MAP:
	case OTST_TF_BRANCH:
	case OTST_TF_GRAPH_RET:
	case OTST_TF_GRAPH_ENT:
	case OTST_TF_GRAPH_RETADDR_ENT:
	case OTST_TF_USER_STACK:
	case OTST_TF_BLK:
	case OTST_TF_EVENT:
	case OTST_TF_KINDS:
		print_type(tf, r);
		break;
	}
}

void otst_tf_raw(struct otst_tf *tf, const struct otst_record *r)
{
	if (tf->opt.context_info)
		otst_text_printf(&tf->t, "%d %d %" PRIu64 " ", r->pid, r->cpu, r->time);
	if (is_known_entry(tf, r))
		raw_body(tf, r);
	else
		otst_text_printf(&tf->t, "%d ?\n", r->type);
}

/* ---- hex ---- */

/* trace_seq_putmem_hex(): all digits of the member's bytes */
static void put_hex(struct otst_tf *tf, uint64_t v, size_t size)
{
	otst_text_hex(&tf->t, size < 8 ? v & ((UINT64_C(1) << 8 * size) - 1) : v, 2 * size);
	otst_text_char(&tf->t, ' ');
}

/* trace_ctxwake_hex() */
static void hex_switch(struct otst_tf *tf, const struct otst_record *r, bool wake)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	char before = wake ? '+' : otst_tf_state(tf, otst_tf_get(r, at->ctx_prev_state));

	put_hex(tf, otst_tf_get(r, at->ctx_prev_pid), 4);
	put_hex(tf, otst_tf_get(r, at->ctx_prev_prio), 1);
	put_hex(tf, (uint64_t)before, 4);
	put_hex(tf, otst_tf_get(r, at->ctx_next_cpu), 4);
	put_hex(tf, otst_tf_get(r, at->ctx_next_pid), 4);
	put_hex(tf, otst_tf_get(r, at->ctx_next_prio), 1);
	put_hex(tf, (uint64_t)otst_tf_state(tf, otst_tf_get(r, at->ctx_next_state)), 4);
}

void otst_tf_hex(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;

	if (tf->opt.context_info) {
		put_hex(tf, (uint32_t)r->pid, 4);
		put_hex(tf, r->cpu, 4);
		put_hex(tf, r->time, 8);
	}
	switch (otst_tf_kind(&tf->kernel, r->type)) {
	case OTST_TF_FN:
		put_hex(tf, otst_tf_get(r, at->fn_ip), 8);
		put_hex(tf, otst_tf_get(r, at->fn_parent), 8);
		break;
	case OTST_TF_CTX:
		hex_switch(tf, r, false);
		break;
	case OTST_TF_WAKE:
		hex_switch(tf, r, true);
		break;
	/* these have no such function */
	case OTST_TF_UNKNOWN:
	case OTST_TF_STACK:
	case OTST_TF_MMIO_RW:
	case OTST_TF_MMIO_MAP:
	case OTST_TF_BRANCH:
	case OTST_TF_GRAPH_RET:
	case OTST_TF_GRAPH_ENT:
	case OTST_TF_GRAPH_RETADDR_ENT:
	case OTST_TF_USER_STACK:
	case OTST_TF_BLK:
	case OTST_TF_PRINT:
	case OTST_TF_BPRINT:
	case OTST_TF_BPUTS:
	case OTST_TF_HWLAT:
	case OTST_TF_OSNOISE:
	case OTST_TF_TIMERLAT:
	case OTST_TF_RAW_DATA:
	case OTST_TF_FUNC_REPEATS:
	case OTST_TF_EVENT:
	case OTST_TF_KINDS:
		if (is_known_entry(tf, r))
			print_type(tf, r);
		break;
	}
	otst_text_char(&tf->t, '\n');
}
