// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * other.c - entries of smaller tracers: context switches and wake-ups, hwlat,
 * osnoise, timerlat, raw data, branches, mmiotrace
 * (kernel/trace/trace_output.c, trace_branch.c, trace_mmiotrace.c).
 */
#include <string.h>

#include "print.h"

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

void otst_tf_ctxwake(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	bool wake = otst_tf_kind(&tf->kernel, r->type) == OTST_TF_WAKE;
	int next = (int)otst_tf_get32(r, at->ctx_next_pid), width = tf->kernel.pid_width;

	otst_text_printf(&tf->t, " %*d:%3d:%c %s [%03d] %*d:%3d:%c %s\n", width,
			 otst_tf_get32(r, at->ctx_prev_pid), otst_tf_get32(r, at->ctx_prev_prio),
			 otst_tf_state(tf, otst_tf_get64(r, at->ctx_prev_state)),
			 wake ? "  +" : "==>", otst_tf_get32(r, at->ctx_next_cpu), width, next,
			 otst_tf_get32(r, at->ctx_next_prio),
			 otst_tf_state(tf, otst_tf_get64(r, at->ctx_next_state)),
			 otst_comm(tf->o, next));
}

/* ---- latencies ---- */

void otst_tf_hwlat(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	unsigned int nmis = otst_tf_get32(r, at->hwlat_nmi_count);

	otst_text_printf(&tf->t, "#%-5u inner/outer(us): %4llu/%-5llu ts:%lld.%09llu",
			 otst_tf_get32(r, at->hwlat_seqnum), otst_tf_get64(r, at->hwlat_duration),
			 otst_tf_get64(r, at->hwlat_outer),
			 (long long)otst_tf_sget(r, at->hwlat_sec),
			 otst_tf_get64(r, at->hwlat_nsec));
	/*
	 * Linux b396bfdebffc ("tracing: Have hwlat ts be first instance and record count of
	 * instances"): 5.4 has no count.
	 */
	if (at->hwlat_count.size)
		otst_text_printf(&tf->t, " count:%u", otst_tf_get32(r, at->hwlat_count));
	if (nmis && !tf->kernel.sched_clock_generic)
		otst_text_printf(&tf->t, " nmi-total:%llu", otst_tf_get64(r, at->hwlat_nmi_ts));
	if (nmis)
		otst_text_printf(&tf->t, " nmi-count:%u", nmis);
	otst_text_char(&tf->t, '\n');
}

void otst_tf_osnoise(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	unsigned long long runtime = otst_tf_get64(r, at->noise_runtime),
			   noise = otst_tf_get64(r, at->noise_noise);
	unsigned long long ratio = runtime ? (runtime - noise) * 10000000 / runtime : 0;

	otst_text_printf(&tf->t, "%llu %10llu %3llu.%05llu %7llu", runtime, noise, ratio / 100000,
			 ratio % 100000, otst_tf_get64(r, at->noise_max));
	otst_text_printf(&tf->t, " %6u %6u %6u %6u %6u\n", otst_tf_get32(r, at->noise_hw),
			 otst_tf_get32(r, at->noise_nmi), otst_tf_get32(r, at->noise_irq),
			 otst_tf_get32(r, at->noise_softirq), otst_tf_get32(r, at->noise_thread));
}

void otst_tf_timerlat(struct otst_tf *tf, const struct otst_record *r)
{
	static const char *const contexts[] = { "irq", "thread", "user-ret" };
	const struct otst_tf_layout *at = &tf->kernel.at;
	unsigned int context = otst_tf_get32(r, at->lat_context);

	otst_text_printf(&tf->t, "#%-5u context %6s timer_latency %9llu ns\n",
			 otst_tf_get32(r, at->lat_seqnum), context < 3 ? contexts[context] : "?",
			 otst_tf_get64(r, at->lat_latency));
}

/* ---- raw data, branches ---- */

void otst_tf_raw_data(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;

	otst_text_printf(&tf->t, "# %x buf:", otst_tf_get32(r, at->raw_id));
	for (uint32_t i = at->raw_buf.offset; i < r->size; i++)
		otst_text_printf(&tf->t, " %02x", r->data[i]);
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

	otst_text_printf(&tf->t, "[%s] ",
			 otst_tf_get64(r, at->branch_correct) ? "  ok  " : " MISS ");
	print_chars(tf, r, at->branch_func);
	otst_text_char(&tf->t, ':');
	print_chars(tf, r, at->branch_file);
	otst_text_printf(&tf->t, ":%u\n", otst_tf_get32(r, at->branch_line));
}

/* ---- mmiotrace ---- */

/* enum mm_io_opcode of include/linux/mmiotrace.h */
enum { MMIO_READ = 1, MMIO_WRITE, MMIO_PROBE, MMIO_UNPROBE, MMIO_UNKNOWN_OP };

static unsigned long long rounded_us(const struct otst_record *r)
{
	return (r->time + 500) / 1000;
}

/* mmio_print_rw() */
static void print_rw(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	unsigned long long us = rounded_us(r), op = otst_tf_get64(r, at->rw_opcode);
	unsigned long long value = otst_tf_get64(r, at->rw_value);
	int map = (int)otst_tf_sget(r, at->rw_map);

	if (op == MMIO_UNKNOWN_OP)
		otst_text_printf(&tf->t,
				 "UNKNOWN %llu.%06llu %d 0x%llx %02llx,%02llx,%02llx 0x%llx %d\n",
				 us / 1000000, us % 1000000, map, otst_tf_get64(r, at->rw_phys),
				 value >> 16 & 0xff, value >> 8 & 0xff, value & 0xff,
				 otst_tf_get64(r, at->rw_pc), 0);
	else if (op == MMIO_READ || op == MMIO_WRITE)
		otst_text_printf(&tf->t, "%c %u %llu.%06llu %d 0x%llx 0x%llx 0x%llx %d\n",
				 op == MMIO_READ ? 'R' : 'W', otst_tf_get32(r, at->rw_width),
				 us / 1000000, us % 1000000, map, otst_tf_get64(r, at->rw_phys),
				 value, otst_tf_get64(r, at->rw_pc), 0);
	else
		otst_text_string(&tf->t, "rw what?\n");
}

/* mmio_print_map() */
static void print_map(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	unsigned long long us = rounded_us(r), op = otst_tf_get64(r, at->map_opcode);
	int map = (int)otst_tf_sget(r, at->map_map);

	if (op == MMIO_PROBE)
		otst_text_printf(&tf->t, "MAP %llu.%06llu %d 0x%llx 0x%llx 0x%llx 0x%x %d\n",
				 us / 1000000, us % 1000000, map, otst_tf_get64(r, at->map_phys),
				 otst_tf_get64(r, at->map_virt), otst_tf_get64(r, at->map_len), 0,
				 0);
	else if (op == MMIO_UNPROBE)
		otst_text_printf(&tf->t, "UNMAP %llu.%06llu %d 0x%x %d\n", us / 1000000,
				 us % 1000000, map, 0, 0);
	else
		otst_text_string(&tf->t, "map what?\n");
}

/* mmio_print_mark() */
static void print_mark(struct otst_tf *tf, const struct otst_record *r)
{
	unsigned long long us = rounded_us(r);

	otst_text_printf(&tf->t, "MARK %llu.%06llu ", us / 1000000, us % 1000000);
	otst_tf_message(tf, r);
}

void otst_tf_mmio(struct otst_tf *tf, const struct otst_record *r)
{
	enum otst_tf_kind kind = otst_tf_kind(&tf->kernel, r->type);

	if (kind == OTST_TF_MMIO_RW)
		print_rw(tf, r);
	else if (kind == OTST_TF_MMIO_MAP)
		print_map(tf, r);
	else if (kind == OTST_TF_PRINT)
		print_mark(tf, r);
}
