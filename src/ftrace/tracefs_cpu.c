// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracefs_cpu.c - files of one cpu's buffer: per_cpu/cpuN/ (kernel/trace/trace.c).
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tracefs.h"
#include "tracing.h"

/*
 * rb_set_head_page(): the oldest sub-buffer is the one that the one before it
 * points to with a flag in the pointer; head_page is only a hint.
 */
static int find_head(struct otst *o, struct otst_view *cpu, uint64_t nr_pages, uint64_t *ret)
{
	uint64_t page = otst_u64(cpu, "head_page"), i, prev, next;
	const struct otst_member *list;
	int err;

	err = otst_member(o, "buffer_page", "list", &list);
	for (i = 0; !err && i <= nr_pages; i++) {
		err = otst_read_u64(o, page + list->offset + 8, &prev);
		if (!err)
			err = otst_read_u64(o, prev, &next);
		if (!err && next & 3) {
			*ret = page;
			return 0;
		}
		if (!err)
			err = otst_read_u64(o, page + list->offset, &next);
		page = (next & ~UINT64_C(3)) - list->offset;
	}
	return err ? err : otst_raise(o, OTST_ERR_CORRUPT, "no head page");
}

/* ring_buffer_oldest_event_ts() */
static int oldest_event(struct otst *o, const struct otst_cpu_buffer *c, uint64_t *ret)
{
	uint64_t page, reader;
	struct otst_view cpu, bpage, data;
	int err;

	err = otst_view_read(o, "ring_buffer_per_cpu", c->addr, &cpu);
	if (err)
		return err;
	page = reader = otst_u64(&cpu, "reader_page");
	if (otst_u64(&cpu, "tail_page") != reader)
		err = find_head(o, &cpu, c->nr_pages, &page);
	if (!err)
		err = otst_view_read(o, "buffer_page", page, &bpage);
	if (!err)
		err = otst_view_read(o, "buffer_data_page", otst_u64(&bpage, "page"), &data);
	if (err)
		return err;
	*ret = otst_u64(&data, "time_stamp");
	return data.err ? data.err : cpu.err;
}

/* tracing_stats_read(); the time at which it would be read is no part of a dump */
static int show_stats(struct otst_array_view *a, const struct otst_cpu_buffer *c)
{
	uint64_t oldest = 0, us;
	int err = 0, none;

	none = c->error ? otst_raise(a->o, OTST_ERR_FAULT, "%s", c->error) :
			  oldest_event(a->o, c, &oldest);
	if (c->error || (none && otst_fatal(none)))
		return none;
	if (none && none != OTST_ERR_LOOKUP)
		err = otst_note(a->o, &a->out->errors, none);
	/* ns2usecs() */
	us = (oldest + 500) / 1000;
	if (!err)
		err = otst_line(a->out, "entries: %" PRId64, (int64_t)c->entries);
	if (!err)
		err = otst_line(a->out, "overrun: %" PRId64, (int64_t)c->overrun);
	if (!err)
		err = otst_line(a->out, "commit overrun: %" PRId64, (int64_t)c->commit_overrun);
	if (!err)
		err = otst_line(a->out, "bytes: %" PRId64, (int64_t)c->bytes);
	if (!err && a->array->clock_in_ns && !none)
		err = otst_line(a->out, "oldest event ts: %5" PRIu64 ".%06" PRIu64, us / 1000000,
				us % 1000000);
	else if (!err)
		err = none ? otst_line(a->out, "oldest event ts: ?") :
			     otst_line(a->out, "oldest event ts: %" PRIu64, oldest);
	if (!err)
		err = otst_line(a->out, "now ts: ?");
	if (!err)
		err = otst_line(a->out, "dropped events: %" PRId64, (int64_t)c->dropped);
	if (!err)
		err = otst_line(a->out, "read events: %" PRId64, (int64_t)c->read);
	return err;
}

int otst_file_percpu(struct otst_array_view *a, const char *path, const char *rest)
{
	const struct otst_trace_buffer *b = &a->array->buffer;
	unsigned long cpu;
	char *end;
	size_t i;

	cpu = strtoul(rest, &end, 10);
	if (!isdigit((unsigned char)*rest) || *end != '/')
		return otst_file_unknown(a->o, path);
	for (i = 0; i < b->nr_cpus && b->cpus[i].cpu != cpu; i++)
		;
	if (i == b->nr_cpus)
		return otst_raise(a->o, OTST_ERR_USAGE, "cpu %lu has no buffer there", cpu);
	if (!strcmp(end, "/stats"))
		return show_stats(a, &b->cpus[i]);
	if (!strcmp(end, "/buffer_size_kb"))
		return otst_line(a->out, "%" PRIu64, b->cpus[i].size >> 10);
	return otst_file_unknown(a->o, path);
}
