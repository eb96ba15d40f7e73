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
static int add_header_page(struct dat *dat)
{
	uint32_t header = dat->buffers[0].ring->header;
	char text[512];
	int len = snprintf(text, sizeof(text),
			   "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
			   "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
			   "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
			   "\tfield: char data;\toffset:%" PRIu32 ";\tsize:%" PRIu32
			   ";\tsigned:1;\n",
			   header, (uint32_t)dat->stride - header);
	int err = otst_file_string(dat->f, "header_page");

	err = err ?: otst_file_number(dat->f, (uint64_t)len, 8);
	return err ? err : otst_file_write(dat->f, text, (size_t)len);
}

/* events/header_event: the 32 bits before each event */
static int add_header_event(struct dat *dat)
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
	int err = otst_file_string(dat->f, "header_event");

	err = err ?: otst_file_number(dat->f, sizeof(text) - 1, 8);
	return err ? err : otst_file_write(dat->f, text, sizeof(text) - 1);
}

static int add_start(struct dat *dat)
{
	static const uint8_t magic[] = "\x17\x08\x44"
				       "tracing6";
	int err = otst_file_write(dat->f, magic, sizeof(magic));

	/* byte order, bytes of a long */
	if (!err)
		err = otst_file_write(dat->f, otst_big_endian(dat->o) ? "\1\x08" : "\0\x08", 2);
	err = err ?: otst_file_number(dat->f, dat->stride, 4);
	err = err ?: add_header_page(dat);
	return err ? err : add_header_event(dat);
}

static int add_kernel_option(struct dat *dat)
{
	int err = otst_dat_formats(dat->o, dat->f, dat->ret);

	err = err ?: otst_dat_symbols(dat->o, dat->f, dat->ret);
	err = err ?: otst_dat_strings(dat->o, dat->f, dat->ret);
	err = err ?: otst_dat_tasks(dat->o, dat->f, dat->ret);
	return err ? err : otst_file_number(dat->f, dat->nr_cpus, 4);
}

/* ---- options ---- */

static int add_option(struct dat *dat, enum option id, size_t size)
{
	int err = otst_file_number(dat->f, id, 2);

	return err ? err : otst_file_number(dat->f, size, 4);
}

static int add_option_string(struct dat *dat, enum option id, const char *s)
{
	int err = s ? add_option(dat, id, strlen(s) + 1) : otst_no_memory(dat->o);

	return err ? err : otst_file_string(dat->f, s);
}

static int add_buffer_options(struct dat *dat)
{
	int err = 0;

	for (size_t i = 1; i < dat->count && !err; i++) {
		const char *name = dat->buffers[i].name;

		err = add_option(dat, OPTION_BUFFER, 8 + strlen(name) + 1);
		dat->offset_at[i] = otst_file_at(dat->f);
		err = err ?: otst_file_number(dat->f, 0, 8);
		err = err ?: otst_file_string(dat->f, name);
	}
	return err;
}

static int add_options(struct dat *dat)
{
	const struct otst_kernel *k = otst_kernel(dat->o);
	int err = otst_file_write(dat->f, "options  ", 10);

	err = err ?: add_option_string(dat, OPTION_TRACECLOCK, dat->clock);
	if (!err)
		err = add_option_string(dat, OPTION_UNAME,
					otst_format(dat->o, "Linux %s %s %s %s", k->nodename,
						    k->release, k->version, k->machine));
	if (!err)
		err = add_option_string(dat, OPTION_VERSION,
					otst_format(dat->o, "otst %s", otst_version()));
	err = err ?: add_buffer_options(dat);
	return err ? err : otst_file_number(dat->f, OPTION_DONE, 2);
}

/* ---- ring buffers ---- */

static int add_cpu(struct dat *dat, const struct otst_ring *ring, const struct otst_ring_cpu *cpu,
		   uint64_t table, uint8_t *page)
{
	int err = otst_file_align(dat->f, dat->stride);
	uint64_t start = otst_file_at(dat->f);

	err = err ?: otst_dat_pages(dat->f, ring, cpu, dat->stride, page, dat->ret);
	err = err ?: otst_file_patch(dat->f, table + 16 * cpu->cpu, start, 8);
	if (!err)
		err = otst_file_patch(dat->f, table + 16 * cpu->cpu + 8,
				      otst_file_at(dat->f) - start, 8);
	return err;
}

static int add_table(struct dat *dat, size_t which, uint64_t *table)
{
	uint64_t start = otst_file_at(dat->f);
	int err = otst_file_write(dat->f, "flyrecord", 10);

	*table = otst_file_at(dat->f);
	for (size_t i = 0; i < 2 * dat->nr_cpus && !err; i++)
		err = otst_file_number(dat->f, 0, 8);
	/* old readers take the clock from here, not from the option */
	err = err ?: otst_file_number(dat->f, strlen(dat->clock), 8);
	err = err ?: otst_file_write(dat->f, dat->clock, strlen(dat->clock));
	if (!err && which)
		err = otst_file_patch(dat->f, dat->offset_at[which], start, 8);
	return err;
}

static int add_buffer(struct dat *dat, size_t which, uint8_t *page)
{
	const struct otst_ring *ring = dat->buffers[which].ring;
	uint64_t table;
	int err = add_table(dat, which, &table);

	for (size_t i = 0; i < ring->nr_cpus && !err; i++) {
		if (!dat->cpus || otst_cpu_wanted(dat->cpus, (int)ring->cpus[i].cpu))
			err = add_cpu(dat, ring, &ring->cpus[i], table, page);
	}
	return err;
}

static int add_buffers(struct dat *dat)
{
	uint8_t *page = otst_alloc(dat->o, dat->stride);
	int err = page ? 0 : otst_no_memory(dat->o);

	for (size_t i = 0; i < dat->count && !err; i++)
		err = add_buffer(dat, i, page);
	return err;
}

/* ---- the whole ---- */

static int prepare_dat(struct dat *dat)
{
	const char *clock = dat->buffers[0].clock;

	dat->stride = (uint32_t)otst_page_size(dat->o);
	for (size_t i = 0; i < dat->count; i++) {
		const struct otst_ring *ring = dat->buffers[i].ring;

		while (dat->stride < ring->subbuf_size)
			dat->stride *= 2;
		for (size_t j = 0; j < ring->nr_cpus; j++) {
			if (ring->cpus[j].cpu >= dat->nr_cpus)
				dat->nr_cpus = ring->cpus[j].cpu + 1;
		}
	}
	dat->offset_at = otst_alloc(dat->o, dat->count * sizeof(*dat->offset_at));
	dat->clock = otst_format(dat->o, "[%s]", clock ? clock : "local");
	return dat->offset_at ? 0 : otst_no_memory(dat->o);
}

int otst_dat_write(struct otst *o, const char *path, const struct otst_dat_buffer *buffers,
		   size_t count, const char *cpus, struct otst_dat *ret)
{
	struct dat dat = { .o = o, .buffers = buffers, .count = count, .cpus = cpus, .ret = ret };
	int err;

	*ret = (struct otst_dat){ .path = otst_clean(o, path), .buffers = count };
	err = cpus ? otst_cpus_check(o, cpus, true) : 0;
	err = err ?: prepare_dat(&dat);
	err = err ?: otst_file_create(o, path, OTST_WRITTEN_DAT, &dat.f);
	err = err ?: add_start(&dat);
	err = err ?: add_kernel_option(&dat);
	err = err ?: add_options(&dat);
	err = err ?: add_buffers(&dat);
	if (err)
		return err;
	ret->bytes = otst_file_at(dat.f);
	return otst_file_finish(dat.f);
}
