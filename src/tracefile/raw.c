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

/* has the kernel functions that print it */
static bool is_known_entry(struct otst_tf *tf, const struct otst_record *r)
{
	enum otst_tf_kind kind = otst_tf_kind(&tf->kernel, r->type);

	if (kind == OTST_TF_EVENT)
		return otst_event_format(tf->o, r->type);
	return kind != OTST_TF_UNKNOWN && kind != OTST_TF_MMIO_RW && kind != OTST_TF_MMIO_MAP;
}

/* ---- raw ---- */

static void raw_function(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;

	otst_text_printf(&tf->t, "%llx %llx\n", otst_tf_get64(r, at->fn_ip),
			 otst_tf_get64(r, at->fn_parent));
}

/* trace_ctxwake_raw() */
static void raw_ctxwake(struct otst_tf *tf, const struct otst_record *r, bool wake)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	char before = wake ? '+' : otst_tf_state(tf, otst_tf_get64(r, at->ctx_prev_state));

	otst_text_printf(&tf->t, "%d %d %c %d %d %d %c\n", otst_tf_get32(r, at->ctx_prev_pid),
			 otst_tf_get32(r, at->ctx_prev_prio), before,
			 otst_tf_get32(r, at->ctx_next_cpu), otst_tf_get32(r, at->ctx_next_pid),
			 otst_tf_get32(r, at->ctx_next_prio),
			 otst_tf_state(tf, otst_tf_get64(r, at->ctx_next_state)));
}

static void raw_switch(struct otst_tf *tf, const struct otst_record *r)
{
	raw_ctxwake(tf, r, false);
}

static void raw_wakeup(struct otst_tf *tf, const struct otst_record *r)
{
	raw_ctxwake(tf, r, true);
}

static void raw_print(struct otst_tf *tf, const struct otst_record *r)
{
	otst_text_printf(&tf->t, "# %llx ", otst_tf_get64(r, tf->kernel.at.print_ip));
	otst_tf_message(tf, r);
}

static void raw_bprint(struct otst_tf *tf, const struct otst_record *r)
{
	otst_text_printf(&tf->t, ": %llx : ", otst_tf_get64(r, tf->kernel.at.bprint_ip));
	otst_tf_message(tf, r);
}

static void raw_bputs(struct otst_tf *tf, const struct otst_record *r)
{
	otst_text_printf(&tf->t, ": %llx : ", otst_tf_get64(r, tf->kernel.at.bputs_ip));
	otst_tf_message(tf, r);
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

static void raw_hwlat(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;

	otst_text_printf(&tf->t, "%llu %llu %lld %09llu %u\n", otst_tf_get64(r, at->hwlat_duration),
			 otst_tf_get64(r, at->hwlat_outer),
			 (long long)otst_tf_sget(r, at->hwlat_sec),
			 otst_tf_get64(r, at->hwlat_nsec), otst_tf_get32(r, at->hwlat_seqnum));
}

static void raw_timerlat(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;

	otst_text_printf(&tf->t, "%u %u %llu\n", otst_tf_get32(r, at->lat_seqnum),
			 otst_tf_get32(r, at->lat_context), otst_tf_get64(r, at->lat_latency));
}

typedef void entry_fn(struct otst_tf *tf, const struct otst_record *r);

static entry_fn *const raw_bodies[OTST_TF_KINDS] = {
#define ENTRY(type, json, group, print, raw, hex) [OTST_TF_##type] = raw,
#include "entries.def"
};

void otst_tf_raw(struct otst_tf *tf, const struct otst_record *r)
{
	if (tf->opt.context_info)
		otst_text_printf(&tf->t, "%d %d %" PRIu64 " ", r->pid, r->cpu, r->time);
	if (!is_known_entry(tf, r))
		otst_text_printf(&tf->t, "%d ?\n", r->type);
	else
		(raw_bodies[otst_tf_kind(&tf->kernel, r->type)] ?: print_type)(tf, r);
}

/* ---- hex ---- */

/* trace_seq_putmem_hex(): all digits of the member's bytes */
static void put_hex(struct otst_tf *tf, uint64_t v, size_t size)
{
	otst_text_hex(&tf->t, size < 8 ? v & ((UINT64_C(1) << 8 * size) - 1) : v, 2 * size);
	otst_text_char(&tf->t, ' ');
}

static void hex_function(struct otst_tf *tf, const struct otst_record *r)
{
	put_hex(tf, otst_tf_get(r, tf->kernel.at.fn_ip), 8);
	put_hex(tf, otst_tf_get(r, tf->kernel.at.fn_parent), 8);
}

/* trace_ctxwake_hex() */
static void hex_ctxwake(struct otst_tf *tf, const struct otst_record *r, bool wake)
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

static void hex_switch(struct otst_tf *tf, const struct otst_record *r)
{
	hex_ctxwake(tf, r, false);
}

static void hex_wakeup(struct otst_tf *tf, const struct otst_record *r)
{
	hex_ctxwake(tf, r, true);
}

static entry_fn *const hex_bodies[OTST_TF_KINDS] = {
#define ENTRY(type, json, group, print, raw, hex) [OTST_TF_##type] = hex,
#include "entries.def"
};

void otst_tf_hex(struct otst_tf *tf, const struct otst_record *r)
{
	if (tf->opt.context_info) {
		put_hex(tf, (uint32_t)r->pid, 4);
		put_hex(tf, r->cpu, 4);
		put_hex(tf, r->time, 8);
	}
	if (is_known_entry(tf, r))
		(hex_bodies[otst_tf_kind(&tf->kernel, r->type)] ?: print_type)(tf, r);
	otst_text_char(&tf->t, '\n');
}
