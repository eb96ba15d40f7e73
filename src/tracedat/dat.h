/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * dat.h - trace.dat: the ring buffers as a file for trace-cmd and KernelShark.
 *
 * Version 6 of the format (trace-cmd.dat.v6(5)), which every trace-cmd reads.
 * Sub-buffers go into the file as they are in memory, one at a time; no event
 * is decoded. Everything is in the byte order of the kernel.
 */
#ifndef OTST_DAT_H
#define OTST_DAT_H

#include "../output/file.h"
#include "../output/rows.h"
#include "../rings/rings.h"

/**
 * struct otst_dat_filter - what goes into the file
 * @path: a file on this machine; see otst_file_create()
 * @instance: name of the only trace array, or NULL for all
 * @snapshot: write their snapshots instead
 * @consumed: include events that were already read but are still in memory
 * @cpus: "0,2-3", or NULL for all
 */
struct otst_dat_filter {
	const char *path;
	const char *instance;
	bool snapshot;
	bool consumed;
	const char *cpus;
};

/**
 * otst_dat() - write a trace.dat and print what is in it
 *
 * Return: 0, even if some of it could not be read; USAGE; LOOKUP if there is no
 * such array; FILE; or an error that ends the command. On error there is no file.
 */
int otst_dat(struct otst *o, const struct otst_dat_filter *filter, struct otst_printer *p);

extern const struct otst_object otst_trace_dat_object;

/* ---- parts ---- */

/**
 * struct otst_dat_buffer - one ring buffer for the file
 * @name: name of the trace array; NULL for the buffer that viewers show as the
 *	main one, which comes first
 * @clock: name of its clock, or NULL
 */
struct otst_dat_buffer {
	const char *name;
	const char *clock;
	struct otst_ring *ring;
};

/**
 * struct otst_dat - what is in the file
 * @bytes: its size
 * @events: number of event formats
 * @symbols: number of symbols of the kernel and of modules
 * @tasks: number of task names
 * @subbufs: number of sub-buffers
 * @left_out: sub-buffers that could not be read; @cut: those that are partly invalid
 * @errors: what could not be read, vector of const char *
 */
struct otst_dat {
	const char *path;
	uint64_t bytes;
	size_t buffers;
	size_t events;
	size_t symbols;
	size_t tasks;
	size_t subbufs;
	size_t left_out;
	size_t cut;
	struct otst_messages errors;
};

/**
 * otst_dat_write() - write the whole file
 * @path: see otst_file_create()
 * @buffers: @count of them, at least one
 * @cpus: write only the sub-buffers of these cpus, "0,2-3"; NULL for all
 *
 * Return: 0, even if some of it could not be read (@ret->errors); FILE; or an
 * error that ends the command. On error there is no file.
 */
int otst_dat_write(struct otst *o, const char *path, const struct otst_dat_buffer *buffers,
		   size_t count, const char *cpus, struct otst_dat *ret);

/** otst_dat_formats() - formats of ftrace's own entries, then of events by system (formats.c) */
int otst_dat_formats(struct otst *o, struct otst_file *f, struct otst_dat *ret);

/** otst_dat_symbols() - symbols, as in /proc/kallsyms (names.c) */
int otst_dat_symbols(struct otst *o, struct otst_file *f, struct otst_dat *ret);

/** otst_dat_strings() - format strings of trace_printk(), as in printk_formats (names.c) */
int otst_dat_strings(struct otst *o, struct otst_file *f, struct otst_dat *ret);

/** otst_dat_tasks() - names of tasks, as in saved_cmdlines (names.c) */
int otst_dat_tasks(struct otst *o, struct otst_file *f, struct otst_dat *ret);

/**
 * otst_dat_pages() - the sub-buffers of one cpu (pages.c)
 * @stride: bytes that each sub-buffer takes in the file, at least its size
 * @page: room for one sub-buffer
 */
int otst_dat_pages(struct otst_file *f, const struct otst_ring *ring,
		   const struct otst_ring_cpu *cpu, size_t stride, uint8_t *page,
		   struct otst_dat *ret);

#endif /* OTST_DAT_H */
