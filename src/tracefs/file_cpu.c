// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * file_cpu.c - files of one cpu's buffer: per_cpu/cpuN/ (kernel/trace/trace.c).
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/coverage.h"
#include "../rings/rings.h"
#include "tracefs.h"

/* tracing_stats_read(); a dump has no time of reading for "now ts" */
static int show_stats(struct otst_array_view *a, const struct otst_cpu_buffer *c)
{
	uint64_t oldest = 0, us;
	int err = 0, none;

	none = c->error ? otst_raise(a->o, OTST_ERR_FAULT, "%s", c->error) :
			  otst_ring_oldest(a->o, c, &oldest);
	if (c->error || (none && otst_fatal(none)))
		return none;
	if (otst_doubt_absence(a->o, none, "tracing_stats_read") != OTST_ERR_LOOKUP && none)
		err = otst_note(a->o, &a->out->errors, none);
	/* ns2usecs() */
	us = (oldest + 500) / 1000;
	err = err ?: otst_line(a->out, "entries: %" PRId64, (int64_t)c->entries);
	err = err ?: otst_line(a->out, "overrun: %" PRId64, (int64_t)c->overrun);
	err = err ?: otst_line(a->out, "commit overrun: %" PRId64, (int64_t)c->commit_overrun);
	err = err ?: otst_line(a->out, "bytes: %" PRId64, (int64_t)c->bytes);
	if (!err && a->array->clock_in_ns && !none)
		err = otst_line(a->out, "oldest event ts: %5" PRIu64 ".%06" PRIu64, us / 1000000,
				us % 1000000);
	else if (!err)
		err = none ? otst_line(a->out, "oldest event ts: ?") :
			     otst_line(a->out, "oldest event ts: %" PRIu64, oldest);
	err = err ?: otst_line(a->out, "now ts: ?");
	err = err ?: otst_line(a->out, "dropped events: %" PRId64, (int64_t)c->dropped);
	return err ?: otst_line(a->out, "read events: %" PRId64, (int64_t)c->read);
}

int otst_file_percpu(struct otst_array_view *a, const char *rest)
{
	const struct otst_trace_buffer *b = &a->array->buffer;
	unsigned long cpu;
	char *end;
	size_t i;

	cpu = strtoul(rest, &end, 10);
	if (!isdigit((unsigned char)*rest) || *end != '/')
		return OTST_FILE_UNKNOWN;
	for (i = 0; i < b->nr_cpus && b->cpus[i].cpu != cpu; i++)
		;
	if (i == b->nr_cpus)
		return otst_raise(a->o, OTST_ERR_USAGE, "cpu %lu has no buffer there", cpu);
	if (!strcmp(end, "/stats"))
		return show_stats(a, &b->cpus[i]);
	if (!strcmp(end, "/buffer_size_kb"))
		return otst_line(a->out, "%" PRIu64, b->cpus[i].size >> 10);
	return OTST_FILE_UNKNOWN;
}
