// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * dat.c - writes a trace.dat from its first byte to its last: trace-cmd.dat.v6(5).
 *
 * The description of the kernel comes first, then the options, then for each
 * ring buffer a table that locates each cpu's sub-buffers, and the sub-buffers.
 * Version 6 cannot describe ring buffers whose sub-buffers differ in size:
 * every sub-buffer then takes the room of the largest.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dat.h"
#include "../traces/traces.h"

/* option ids */
enum option {
	OPTION_DONE = 0,
	OPTION_BUFFER = 3,
	OPTION_TRACECLOCK = 4,
	OPTION_UNAME = 5,
	OPTION_VERSION = OTST_DAT_VERSION,
};

/**
 * struct dat - a file being written
 * @clock: in brackets, as the trace_clock file marks it
 * @stride: bytes that a sub-buffer takes in the file
 * @nr_cpus: number of entries in each cpu table
 * @offset_at: for each buffer, the file offset where its own offset is to be written
 */
struct dat {
	struct otst *o;
	struct otst_file *f;
	const struct otst_dat_buffer *buffers;
	size_t count;
	const char *clock;
	size_t stride;
	size_t nr_cpus;
	uint64_t *offset_at;
	const char *cpus;
	struct otst_dat *ret;
};

/* ---- description of the kernel ---- */

/* events/header_page: struct buffer_data_page */
static int add_header_page(struct dat *d)
{
	uint32_t header = d->buffers[0].ring->header;
	char text[512];
	int len = snprintf(text, sizeof(text),
			   "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
			   "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
			   "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
			   "\tfield: char data;\toffset:%" PRIu32 ";\tsize:%" PRIu32
			   ";\tsigned:1;\n",
			   header, (uint32_t)d->stride - header);
	int err = otst_file_string(d->f, "header_page");

	err = err ?: otst_file_number(d->f, (uint64_t)len, 8);
	return err ? err : otst_file_write(d->f, text, (size_t)len);
}

/* events/header_event: the 32 bits before each event */
static int add_header_event(struct dat *d)
{
	static const char text[] = "# compressed entry header\n"
				   "\ttype_len    :    5 bits\n"
				   "\ttime_delta  :   27 bits\n"
				   "\tarray       :   32 bits\n"
				   "\n"
				   "\tpadding     : type == 29\n"
				   "\ttime_extend : type == 30\n"
				   "\ttime_stamp : type == 31\n"
				   "\tdata max type_len  == 28\n";
	int err = otst_file_string(d->f, "header_event");

	err = err ?: otst_file_number(d->f, sizeof(text) - 1, 8);
	return err ? err : otst_file_write(d->f, text, sizeof(text) - 1);
}

static int add_start(struct dat *d)
{
	static const uint8_t magic[] = "\x17\x08\x44"
				       "tracing6";
	int err = otst_file_write(d->f, magic, sizeof(magic));

	/* byte order, bytes of a long */
	if (!err)
		err = otst_file_write(d->f, otst_big_endian(d->o) ? "\1\x08" : "\0\x08", 2);
	err = err ?: otst_file_number(d->f, d->stride, 4);
	err = err ?: add_header_page(d);
	return err ? err : add_header_event(d);
}

static int add_kernel(struct dat *d)
{
	int err = otst_dat_formats(d->o, d->f, d->ret);

	err = err ?: otst_dat_symbols(d->o, d->f, d->ret);
	err = err ?: otst_dat_strings(d->o, d->f, d->ret);
	err = err ?: otst_dat_tasks(d->o, d->f, d->ret);
	return err ? err : otst_file_number(d->f, d->nr_cpus, 4);
}

/* ---- options ---- */

static int add_option(struct dat *d, enum option id, size_t size)
{
	int err = otst_file_number(d->f, id, 2);

	return err ? err : otst_file_number(d->f, size, 4);
}

static int add_option_string(struct dat *d, enum option id, const char *s)
{
	int err = s ? add_option(d, id, strlen(s) + 1) : otst_no_memory(d->o);

	return err ? err : otst_file_string(d->f, s);
}

static int add_buffer_options(struct dat *d)
{
	size_t i;
	int err = 0;

	for (i = 1; i < d->count && !err; i++) {
		const char *name = d->buffers[i].name;

		err = add_option(d, OPTION_BUFFER, 8 + strlen(name) + 1);
		d->offset_at[i] = otst_file_at(d->f);
		err = err ?: otst_file_number(d->f, 0, 8);
		err = err ?: otst_file_string(d->f, name);
	}
	return err;
}

static int add_options(struct dat *d)
{
	const struct otst_kernel *k = otst_kernel(d->o);
	int err = otst_file_write(d->f, "options  ", 10);

	err = err ?: add_option_string(d, OPTION_TRACECLOCK, d->clock);
	if (!err)
		err = add_option_string(d, OPTION_UNAME,
					otst_format(d->o, "Linux %s %s %s %s", k->nodename,
						    k->release, k->version, k->machine));
	if (!err)
		err = add_option_string(d, OPTION_VERSION,
					otst_format(d->o, "otst %s", otst_version()));
	err = err ?: add_buffer_options(d);
	return err ? err : otst_file_number(d->f, OPTION_DONE, 2);
}

/* ---- ring buffers ---- */

static int add_cpu(struct dat *d, const struct otst_ring *ring, const struct otst_ring_cpu *cpu,
		   uint64_t table, uint8_t *page)
{
	uint64_t start;
	int err = otst_file_align(d->f, d->stride);

	start = otst_file_at(d->f);
	err = err ?: otst_dat_pages(d->f, ring, cpu, d->stride, page, d->ret);
	err = err ?: otst_file_patch(d->f, table + 16 * cpu->cpu, start, 8);
	if (!err)
		err = otst_file_patch(d->f, table + 16 * cpu->cpu + 8, otst_file_at(d->f) - start,
				      8);
	return err;
}

static int add_table(struct dat *d, size_t which, uint64_t *table)
{
	uint64_t start = otst_file_at(d->f);
	size_t i;
	int err = otst_file_write(d->f, "flyrecord", 10);

	*table = otst_file_at(d->f);
	for (i = 0; i < 2 * d->nr_cpus && !err; i++)
		err = otst_file_number(d->f, 0, 8);
	/* old readers take the clock from here, not from the option */
	err = err ?: otst_file_number(d->f, strlen(d->clock), 8);
	err = err ?: otst_file_write(d->f, d->clock, strlen(d->clock));
	if (!err && which)
		err = otst_file_patch(d->f, d->offset_at[which], start, 8);
	return err;
}

static int add_buffer(struct dat *d, size_t which, uint8_t *page)
{
	const struct otst_ring *ring = d->buffers[which].ring;
	uint64_t table;
	size_t i;
	int err = add_table(d, which, &table);

	for (i = 0; i < ring->nr_cpus && !err; i++) {
		if (!d->cpus || otst_cpu_wanted(d->cpus, (int)ring->cpus[i].cpu))
			err = add_cpu(d, ring, &ring->cpus[i], table, page);
	}
	return err;
}

static int add_buffers(struct dat *d)
{
	uint8_t *page = otst_alloc(d->o, d->stride);
	size_t i;
	int err = page ? 0 : otst_no_memory(d->o);

	for (i = 0; i < d->count && !err; i++)
		err = add_buffer(d, i, page);
	return err;
}

/* ---- the whole ---- */

static int prepare(struct dat *d)
{
	const char *clock = d->buffers[0].clock;
	size_t i, j;

	d->stride = (uint32_t)otst_page_size(d->o);
	for (i = 0; i < d->count; i++) {
		const struct otst_ring *ring = d->buffers[i].ring;

		while (d->stride < ring->subbuf_size)
			d->stride *= 2;
		for (j = 0; j < ring->nr_cpus; j++) {
			if (ring->cpus[j].cpu >= d->nr_cpus)
				d->nr_cpus = ring->cpus[j].cpu + 1;
		}
	}
	d->offset_at = otst_alloc(d->o, d->count * sizeof(*d->offset_at));
	d->clock = otst_format(d->o, "[%s]", clock ? clock : "local");
	return d->offset_at ? 0 : otst_no_memory(d->o);
}

int otst_dat_write(struct otst *o, const char *path, const struct otst_dat_buffer *buffers,
		   size_t count, const char *cpus, struct otst_dat *ret)
{
	struct dat d = { .o = o, .buffers = buffers, .count = count, .cpus = cpus, .ret = ret };
	int err;

	*ret = (struct otst_dat){ .path = otst_clean(o, path), .buffers = count };
	err = cpus ? otst_cpus_check(o, cpus, true) : 0;
	err = err ?: prepare(&d);
	err = err ?: otst_file_create(o, path, OTST_WRITTEN_DAT, &d.f);
	err = err ?: add_start(&d);
	err = err ?: add_kernel(&d);
	err = err ?: add_options(&d);
	err = err ?: add_buffers(&d);
	if (err)
		return err;
	ret->bytes = otst_file_at(d.f);
	return otst_file_finish(d.f);
}
