// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * syscall_names.c - system calls by number, as kernel/trace/trace_syscalls.c learnt them at boot
 * from the table of system calls.
 */
#include "../base/coverage.h"
#include "events.h"

#define MAX_SYSCALLS 4096u
#define MAX_NAME     64

/* how many system calls tracing knows; 0 when it knows none (CONFIG_FTRACE_SYSCALLS) */
static size_t count_syscalls(struct otst *o)
{
	const struct otst_member *m;
	int err = otst_member(o, "trace_array", "enter_syscall_files", &m);

	if (err == OTST_ERR_LOOKUP && otst_has_witness(o, "perf_syscall_enter"))
		otst_lack(o, otst_member(o, "trace_array", "enter_syscall_files", &m));
	return err || m->count > MAX_SYSCALLS ? 0 : m->count;
}

/* the table is an array of pointers if the numbers are dense */
int otst_syscall_name(struct otst *o, uint64_t nr, const char **ret)
{
	uint64_t table = otst_symbol_or0(o, "syscalls_metadata"), at;
	struct otst_view v;
	int err;

	*ret = NULL;
	if (!table || nr >= count_syscalls(o))
		return 0;
	err = otst_read_u64(o, table, &table);
	err = err ?: otst_read_u64(o, table + nr * 8, &at);
	if (err || !at)
		return err;
	err = otst_view_read(o, "syscall_metadata", at, &v);
	return err ?: otst_view_string(&v, "name", MAX_NAME, ret);
}
