// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * file_pids.c - struct trace_pid_list of kernel/trace/pid_list.h: the pids
 * in set_ftrace_pid, set_event_pid and their "notrace" twins. It is a bitmap,
 * since 5.16 with three levels. Before 4.8 set_ftrace_pid is a list.
 */
#include <inttypes.h>

#include "tracefs.h"

/* kernel/trace/pid_list.h: 8 + 8 + 14 bits */
#define UPPER	  256
#define LOWER	  16384
#define MAX_PIDS  (1u << 22) /* PID_MAX_LIMIT */
#define LINES_MAX 1000000

static int print_bits(struct otst *o, struct otst_tracefs_file *out, const unsigned char *bits,
		      uint64_t nr, uint64_t first)
{
	const size_t most = out->enough ?: LINES_MAX;
	const bool big = otst_big_endian(o);
	int err = 0;

	for (uint64_t i = 0; i < nr && !err; i++) {
		if (!otst_bit(big, bits, i))
			continue;
		err = out->lines.count < most ?
			      otst_line(out, "%" PRIu64, first + i) :
			      otst_raise(o, OTST_ERR_CORRUPT, "more than %zu pids", most);
	}
	return err;
}

static int print_bitmap(struct otst *o, uint64_t at, uint64_t nr, uint64_t first,
			struct otst_tracefs_file *out)
{
	size_t bytes = (size_t)(nr + 63) / 64 * 8;
	unsigned char *bits = otst_alloc(o, bytes);
	int err = otst_read(o, at, bits, bytes);

	return err ? err : print_bits(o, out, bits, nr, first);
}

/* chunks that do not exist hold no pids */
static int print_chunks(struct otst *o, uint64_t upper1, struct otst_tracefs_file *out)
{
	uint64_t upper2, lower, i, k;
	int err = 0;

	for (i = 0; i < UPPER && !err; i++) {
		err = otst_read_u64(o, upper1 + i * 8, &upper2);
		for (k = 0; k < UPPER && !err && upper2; k++) {
			err = otst_read_u64(o, upper2 + k * 8, &lower);
			if (!err && lower)
				err = print_bitmap(o, lower, LOWER, (i * UPPER + k) * LOWER, out);
		}
	}
	return err;
}

static int print_list(struct otst_array_view *a, const char *member, const char *none)
{
	const struct otst_member *m;
	uint64_t list, max;
	struct otst_view v;
	int err = otst_member(a->o, "trace_array", member, &m);

	if (err)
		return err;
	list = otst_u64(&a->v, member);
	if (!list)
		return none ? otst_line(a->out, "%s", none) : 0;
	err = otst_view_read(a->o, "trace_pid_list", list, &v);
	if (err)
		return err;
	/* Linux 8d6e90983ade ("tracing: Create a sparse bitmask for pid filtering") (v5.16) */
	if (otst_view_has(&v, "upper"))
		return print_chunks(a->o, otst_addr_of(&v, "upper"), a->out);
	max = otst_u64(&v, "pid_max");
	if (max > MAX_PIDS)
		return otst_raise(a->o, OTST_ERR_CORRUPT, "pid_max %" PRIu64, max);
	return print_bitmap(a->o, otst_u64(&v, "pids"), max, 0, a->out);
}

static int print_pid(struct otst_array_view *a, uint64_t pid)
{
	const struct otst_member *numbers, *nr;
	uint32_t v;
	int err;

	if (pid == otst_symbol_or0(a->o, "init_struct_pid"))
		return otst_line(a->out, "swapper tasks");
	err = otst_member(a->o, "pid", "numbers", &numbers);
	if (!err)
		err = otst_member(a->o, "upid", "nr", &nr);
	if (!err)
		err = otst_read_u32(a->o, pid + numbers->offset + nr->offset, &v);
	return err ? err : otst_line(a->out, "%" PRIu32, v);
}

/* fpid_show() */
static int print_pids(struct otst_array_view *a, uint64_t head)
{
	const struct otst_member *link;
	struct otst_walk w;
	uint64_t node, pid;
	int err;

	err = otst_member(a->o, "ftrace_pid", "list", &link);
	if (err)
		return err;
	otst_walk_list(a->o, head, &w);
	while (!err && otst_walk_next(&w, &node)) {
		err = otst_read_member(a->o, "ftrace_pid", node - link->offset, "pid", &pid);
		if (!err)
			err = print_pid(a, pid);
	}
	if (!err)
		err = w.err;
	return err || a->out->lines.count ? err : otst_line(a->out, "no pid");
}

int otst_file_ftrace_pid(struct otst_array_view *a)
{
	/* Linux 345ddcc882d8 ("ftrace: Have set_ftrace_pid use the bitmap like events do") (v4.8) */
	uint64_t head = otst_has_type(a->o, "ftrace_pid") ? otst_symbol_or0(a->o, "ftrace_pids") :
							    0;

	if (head && !a->array->name)
		return print_pids(a, head);
	return print_list(a, "function_pids", "no pid");
}

int otst_file_ftrace_notrace_pid(struct otst_array_view *a)
{
	return print_list(a, "function_no_pids", "no pid");
}

int otst_file_event_pid(struct otst_array_view *a)
{
	return print_list(a, "filtered_pids", NULL);
}

int otst_file_event_notrace_pid(struct otst_array_view *a)
{
	return print_list(a, "filtered_no_pids", NULL);
}
