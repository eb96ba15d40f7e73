// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * other.c - entries of smaller tracers: context switches and wake-ups, hwlat,
 * osnoise, timerlat, raw data, branches, mmiotrace
 * (kernel/trace/trace_output.c, trace_branch.c, trace_mmiotrace.c).
 */
#include <string.h>

#include "print.h"

static void dec(struct otst_tf *tf, const struct otst_record *r, struct otst_tf_field f,
		size_t width)
{
	otst_text_dec_right(&tf->t, otst_tf_get(r, f), width);
}

/* ---- context switch, wake-up ---- */

char otst_tf_state(const struct otst_tf *tf, uint64_t state)
{
	static const char chars[] = "RSDTtXZPI";
	const char *old = tf->kernel.state_chars;
	unsigned int bit = state ? (unsigned int)__builtin_ctzll(state) + 1 : 0;

	/* up to 4.13 an entry holds the state mask */
	if (old)
		return bit < strlen(old) ? old[bit] : '?';
	return state < sizeof(chars) - 1 ? chars[state] : '?';
}

/* "%7d:%3d:%c " */
static void print_task(struct otst_tf *tf, int64_t pid, uint64_t prio, uint64_t state)
{
	otst_text_sdec_right(&tf->t, pid, tf->kernel.pid_width);
	otst_text_char(&tf->t, ':');
	otst_text_dec_right(&tf->t, prio, 3);
	otst_text_char(&tf->t, ':');
	otst_text_char(&tf->t, otst_tf_state(tf, state));
	otst_text_char(&tf->t, ' ');
}

void otst_tf_ctxwake(struct otst_tf *tf, const struct otst_record *r, bool wake)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	int32_t next = (int32_t)otst_tf_get(r, at->ctx_next_pid);

	otst_text_char(&tf->t, ' ');
	print_task(tf, (int32_t)otst_tf_get(r, at->ctx_prev_pid), otst_tf_get(r, at->ctx_prev_prio),
		   otst_tf_get(r, at->ctx_prev_state));
	otst_text_mem(&tf->t, wake ? "  +" : "==>", 3);
	otst_text_mem(&tf->t, " [", 2);
	otst_text_dec_zero(&tf->t, otst_tf_get(r, at->ctx_next_cpu), 3);
	otst_text_mem(&tf->t, "] ", 2);
	print_task(tf, next, otst_tf_get(r, at->ctx_next_prio), otst_tf_get(r, at->ctx_next_state));
	otst_text_string(&tf->t, otst_comm(tf->o, next));
	otst_text_char(&tf->t, '\n');
}

/* ---- latencies ---- */

void otst_tf_hwlat(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	uint64_t nmis = otst_tf_get(r, at->hwlat_nmi_count);

	otst_text_char(&tf->t, '#');
	otst_text_dec_left(&tf->t, otst_tf_get(r, at->hwlat_seqnum), 5);
	otst_text_string(&tf->t, " inner/outer(us): ");
	dec(tf, r, at->hwlat_duration, 4);
	otst_text_char(&tf->t, '/');
	otst_text_dec_left(&tf->t, otst_tf_get(r, at->hwlat_outer), 5);
	otst_text_string(&tf->t, " ts:");
	otst_text_sdec(&tf->t, otst_tf_sget(r, at->hwlat_sec));
	otst_text_char(&tf->t, '.');
	otst_text_dec_zero(&tf->t, otst_tf_get(r, at->hwlat_nsec), 9);
	otst_text_string(&tf->t, " count:");
	dec(tf, r, at->hwlat_count, 0);
	if (nmis && !tf->kernel.sched_clock_generic) {
		otst_text_string(&tf->t, " nmi-total:");
		dec(tf, r, at->hwlat_nmi_ts, 0);
	}
	if (nmis) {
		otst_text_string(&tf->t, " nmi-count:");
		otst_text_dec(&tf->t, nmis);
	}
	otst_text_char(&tf->t, '\n');
}

void otst_tf_osnoise(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	const struct otst_tf_field counts[] = { at->noise_hw, at->noise_nmi, at->noise_irq,
						at->noise_softirq, at->noise_thread };
	uint64_t runtime = otst_tf_get(r, at->noise_runtime);
	uint64_t noise = otst_tf_get(r, at->noise_noise);
	uint64_t ratio = runtime ? (runtime - noise) * 10000000 / runtime : 0;
	size_t i;

	otst_text_dec(&tf->t, runtime);
	otst_text_char(&tf->t, ' ');
	otst_text_dec_right(&tf->t, noise, 10);
	otst_text_char(&tf->t, ' ');
	otst_text_dec_right(&tf->t, ratio / 100000, 3);
	otst_text_char(&tf->t, '.');
	otst_text_dec_zero(&tf->t, ratio % 100000, 5);
	otst_text_char(&tf->t, ' ');
	dec(tf, r, at->noise_max, 7);
	for (i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		otst_text_char(&tf->t, ' ');
		dec(tf, r, counts[i], 6);
	}
	otst_text_char(&tf->t, '\n');
}

void otst_tf_timerlat(struct otst_tf *tf, const struct otst_record *r)
{
	static const char *const contexts[] = { "irq", "thread", "user-ret" };
	const struct otst_tf_layout *at = &tf->kernel.at;
	uint64_t context = otst_tf_get(r, at->lat_context);
	const char *name = context < 3 ? contexts[context] : "?";

	otst_text_char(&tf->t, '#');
	otst_text_dec_left(&tf->t, otst_tf_get(r, at->lat_seqnum), 5);
	otst_text_string(&tf->t, " context ");
	otst_text_right(&tf->t, name, strlen(name), 6);
	otst_text_string(&tf->t, " timer_latency ");
	dec(tf, r, at->lat_latency, 9);
	otst_text_string(&tf->t, " ns\n");
}

/* ---- raw data, branches ---- */

void otst_tf_raw_data(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	uint32_t i;

	otst_text_mem(&tf->t, "# ", 2);
	otst_text_hex(&tf->t, otst_tf_get(r, at->raw_id), 1);
	otst_text_string(&tf->t, " buf:");
	for (i = at->raw_buf.offset; i < r->size; i++) {
		otst_text_char(&tf->t, ' ');
		otst_text_hex(&tf->t, r->data[i], 2);
	}
	otst_text_char(&tf->t, '\n');
}

/* a character array of the entry */
static void print_chars(struct otst_tf *tf, const struct otst_record *r, struct otst_tf_field f)
{
	const char *s = (const char *)r->data + f.offset;

	if (f.offset < r->size)
		otst_text_clean(&tf->t, s, strnlen(s, r->size - f.offset));
}

void otst_tf_branch(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;

	otst_text_string(&tf->t, otst_tf_get(r, at->branch_correct) ? "[  ok  ] " : "[ MISS ] ");
	print_chars(tf, r, at->branch_func);
	otst_text_char(&tf->t, ':');
	print_chars(tf, r, at->branch_file);
	otst_text_char(&tf->t, ':');
	dec(tf, r, at->branch_line, 0);
	otst_text_char(&tf->t, '\n');
}

/* ---- mmiotrace ---- */

/* enum mm_io_opcode of include/linux/mmiotrace.h */
enum { MMIO_READ = 1, MMIO_WRITE, MMIO_PROBE, MMIO_UNPROBE, MMIO_UNKNOWN_OP };

static void print_hex(struct otst_tf *tf, uint64_t v)
{
	otst_text_mem(&tf->t, " 0x", 3);
	otst_text_hex(&tf->t, v, 1);
}

/* "%u.%06lu", rounded */
static void print_time(struct otst_tf *tf, uint64_t ts)
{
	uint64_t us = (ts + 500) / 1000;

	otst_text_dec(&tf->t, us / 1000000);
	otst_text_char(&tf->t, '.');
	otst_text_dec_zero(&tf->t, us % 1000000, 6);
	otst_text_char(&tf->t, ' ');
}

static void print_rw(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	uint64_t op = otst_tf_get(r, at->rw_opcode), value = otst_tf_get(r, at->rw_value);
	int shift;

	if (op != MMIO_READ && op != MMIO_WRITE && op != MMIO_UNKNOWN_OP) {
		otst_text_string(&tf->t, "rw what?\n");
		return;
	}
	if (op == MMIO_UNKNOWN_OP) {
		otst_text_string(&tf->t, "UNKNOWN ");
	} else {
		otst_text_mem(&tf->t, op == MMIO_READ ? "R " : "W ", 2);
		dec(tf, r, at->rw_width, 0);
		otst_text_char(&tf->t, ' ');
	}
	print_time(tf, r->time);
	otst_text_sdec(&tf->t, otst_tf_sget(r, at->rw_map));
	print_hex(tf, otst_tf_get(r, at->rw_phys));
	if (op == MMIO_UNKNOWN_OP) {
		for (shift = 16; shift >= 0; shift -= 8) {
			otst_text_char(&tf->t, shift == 16 ? ' ' : ',');
			otst_text_hex(&tf->t, value >> shift & 0xff, 2);
		}
	} else {
		print_hex(tf, value);
	}
	print_hex(tf, otst_tf_get(r, at->rw_pc));
	otst_text_mem(&tf->t, " 0\n", 3);
}

static void print_map(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	uint64_t op = otst_tf_get(r, at->map_opcode);

	if (op != MMIO_PROBE && op != MMIO_UNPROBE) {
		otst_text_string(&tf->t, "map what?\n");
		return;
	}
	otst_text_string(&tf->t, op == MMIO_PROBE ? "MAP " : "UNMAP ");
	print_time(tf, r->time);
	otst_text_sdec(&tf->t, otst_tf_sget(r, at->map_map));
	if (op == MMIO_PROBE) {
		print_hex(tf, otst_tf_get(r, at->map_phys));
		print_hex(tf, otst_tf_get(r, at->map_virt));
		print_hex(tf, otst_tf_get(r, at->map_len));
	}
	otst_text_string(&tf->t, " 0x0 0\n");
}

void otst_tf_mmio(struct otst_tf *tf, const struct otst_record *r)
{
	switch (otst_tf_kind(&tf->kernel, r->type)) {
	case OTST_TF_MMIO_RW:
		print_rw(tf, r);
		break;
	case OTST_TF_MMIO_MAP:
		print_map(tf, r);
		break;
	case OTST_TF_PRINT:
		otst_text_string(&tf->t, "MARK ");
		print_time(tf, r->time);
		otst_tf_message(tf, r);
		break;
	default:
		break;
	}
}
