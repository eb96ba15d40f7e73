// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * raw.c - entries for the options raw and hex (print_raw_fmt(), print_hex_fmt()
 * of kernel/trace/trace.c and the _raw() and _hex() functions of
 * trace_output.c). Entries without such a function print only their type.
 */
#include "print.h"

static void dec(struct otst_tf *tf, const struct otst_record *r, struct otst_tf_field f)
{
	otst_text_dec(&tf->t, otst_tf_get(r, f));
}

/* numbers with blanks between them, and a newline */
static void decs(struct otst_tf *tf, const struct otst_record *r, const struct otst_tf_field *f,
		 size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (i)
			otst_text_char(&tf->t, ' ');
		dec(tf, r, f[i]);
	}
	otst_text_char(&tf->t, '\n');
}

static void print_type(struct otst_tf *tf, const struct otst_record *r)
{
	otst_text_string(&tf->t, "type: ");
	otst_text_dec(&tf->t, r->type);
	otst_text_char(&tf->t, '\n');
}

static bool is_known(struct otst_tf *tf, const struct otst_record *r)
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
	char before = wake ? '+' : otst_tf_state(tf, otst_tf_get(r, at->ctx_prev_state));

	otst_text_sdec(&tf->t, (int32_t)otst_tf_get(r, at->ctx_prev_pid));
	otst_text_char(&tf->t, ' ');
	dec(tf, r, at->ctx_prev_prio);
	otst_text_char(&tf->t, ' ');
	otst_text_char(&tf->t, before);
	otst_text_char(&tf->t, ' ');
	dec(tf, r, at->ctx_next_cpu);
	otst_text_char(&tf->t, ' ');
	otst_text_sdec(&tf->t, (int32_t)otst_tf_get(r, at->ctx_next_pid));
	otst_text_char(&tf->t, ' ');
	dec(tf, r, at->ctx_next_prio);
	otst_text_char(&tf->t, ' ');
	otst_text_char(&tf->t, otst_tf_state(tf, otst_tf_get(r, at->ctx_next_state)));
	otst_text_char(&tf->t, '\n');
}

/* ": ip : text", and "# ip text" of trace_marker */
static void raw_message(struct otst_tf *tf, const struct otst_record *r, struct otst_tf_field ip,
			bool marker)
{
	otst_text_string(&tf->t, marker ? "# " : ": ");
	otst_text_hex(&tf->t, otst_tf_get(r, ip), 1);
	otst_text_string(&tf->t, marker ? " " : " : ");
	otst_tf_message(tf, r);
}

static void raw_hwlat(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;

	dec(tf, r, at->hwlat_duration);
	otst_text_char(&tf->t, ' ');
	dec(tf, r, at->hwlat_outer);
	otst_text_char(&tf->t, ' ');
	otst_text_sdec(&tf->t, otst_tf_sget(r, at->hwlat_sec));
	otst_text_char(&tf->t, ' ');
	otst_text_dec_zero(&tf->t, otst_tf_get(r, at->hwlat_nsec), 9);
	otst_text_char(&tf->t, ' ');
	decs(tf, r, &at->hwlat_seqnum, 1);
}

static void raw_repeats(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;

	dec(tf, r, at->rep_ip);
	otst_text_char(&tf->t, ' ');
	dec(tf, r, at->rep_parent);
	otst_text_char(&tf->t, ' ');
	dec(tf, r, at->rep_count);
	otst_text_char(&tf->t, ' ');
	otst_text_dec(&tf->t, otst_tf_get(r, at->rep_top) << 32 | otst_tf_get(r, at->rep_bottom));
	otst_text_char(&tf->t, '\n');
}

static void raw_body(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	const struct otst_tf_field noise[] = { at->noise_runtime, at->noise_noise, at->noise_max,
					       at->noise_hw,	  at->noise_nmi,   at->noise_irq,
					       at->noise_softirq, at->noise_thread };
	const struct otst_tf_field lat[] = { at->lat_seqnum, at->lat_context, at->lat_latency };

	switch (otst_tf_kind(&tf->kernel, r->type)) {
	case OTST_TF_FN:
		otst_text_hex(&tf->t, otst_tf_get(r, at->fn_ip), 1);
		otst_text_char(&tf->t, ' ');
		otst_text_hex(&tf->t, otst_tf_get(r, at->fn_parent), 1);
		otst_text_char(&tf->t, '\n');
		break;
	case OTST_TF_CTX:
		raw_switch(tf, r, false);
		break;
	case OTST_TF_WAKE:
		raw_switch(tf, r, true);
		break;
	case OTST_TF_PRINT:
		raw_message(tf, r, at->print_ip, true);
		break;
	case OTST_TF_BPRINT:
		raw_message(tf, r, at->bprint_ip, false);
		break;
	case OTST_TF_BPUTS:
		raw_message(tf, r, at->bputs_ip, false);
		break;
	case OTST_TF_HWLAT:
		raw_hwlat(tf, r);
		break;
	case OTST_TF_OSNOISE:
		decs(tf, r, noise, sizeof(noise) / sizeof(*noise));
		break;
	case OTST_TF_TIMERLAT:
		decs(tf, r, lat, sizeof(lat) / sizeof(*lat));
		break;
	case OTST_TF_RAW_DATA:
		otst_tf_raw_data(tf, r);
		break;
	case OTST_TF_FUNC_REPEATS:
		raw_repeats(tf, r);
		break;
	default:
		print_type(tf, r);
	}
}

void otst_tf_raw(struct otst_tf *tf, const struct otst_record *r)
{
	if (tf->opt.context_info) {
		otst_text_sdec(&tf->t, r->pid);
		otst_text_char(&tf->t, ' ');
		otst_text_dec(&tf->t, r->cpu);
		otst_text_char(&tf->t, ' ');
		otst_text_dec(&tf->t, r->time);
		otst_text_char(&tf->t, ' ');
	}
	if (is_known(tf, r)) {
		raw_body(tf, r);
		return;
	}
	otst_text_dec(&tf->t, r->type);
	otst_text_mem(&tf->t, " ?\n", 3);
}

/* ---- hex ---- */

/* trace_seq_putmem_hex(): all digits of the member's bytes */
static void hex(struct otst_tf *tf, uint64_t v, size_t size)
{
	otst_text_hex(&tf->t, size < 8 ? v & ((UINT64_C(1) << 8 * size) - 1) : v, 2 * size);
	otst_text_char(&tf->t, ' ');
}

/* trace_ctxwake_hex() */
static void hex_switch(struct otst_tf *tf, const struct otst_record *r, bool wake)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	char before = wake ? '+' : otst_tf_state(tf, otst_tf_get(r, at->ctx_prev_state));

	hex(tf, otst_tf_get(r, at->ctx_prev_pid), 4);
	hex(tf, otst_tf_get(r, at->ctx_prev_prio), 1);
	hex(tf, (uint64_t)before, 4);
	hex(tf, otst_tf_get(r, at->ctx_next_cpu), 4);
	hex(tf, otst_tf_get(r, at->ctx_next_pid), 4);
	hex(tf, otst_tf_get(r, at->ctx_next_prio), 1);
	hex(tf, (uint64_t)otst_tf_state(tf, otst_tf_get(r, at->ctx_next_state)), 4);
}

void otst_tf_hex(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;

	if (tf->opt.context_info) {
		hex(tf, (uint32_t)r->pid, 4);
		hex(tf, r->cpu, 4);
		hex(tf, r->time, 8);
	}
	switch (otst_tf_kind(&tf->kernel, r->type)) {
	case OTST_TF_FN:
		hex(tf, otst_tf_get(r, at->fn_ip), 8);
		hex(tf, otst_tf_get(r, at->fn_parent), 8);
		break;
	case OTST_TF_CTX:
		hex_switch(tf, r, false);
		break;
	case OTST_TF_WAKE:
		hex_switch(tf, r, true);
		break;
	default:
		if (is_known(tf, r))
			print_type(tf, r);
	}
	otst_text_char(&tf->t, '\n');
}
