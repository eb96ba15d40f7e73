/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * rings.h - the ring buffers of kernel/trace/ring_buffer.c: which sub-buffers
 * hold events, the records in them, and all cpus merged by time.
 *
 * A ring is opened once: that follows the lists of sub-buffers and reads no
 * event. A reader then streams: it holds two sub-buffers per cpu in memory,
 * whatever the size of the ring. Records come as the kernel's own iterator
 * gives them to the trace file: merged by time, the lower cpu first at equal
 * times, discarded events and time stamps left out.
 *
 * What cannot be read costs its sub-buffer and nothing else. In its place comes a
 * record of its own, a gap.
 */
#ifndef OTST_RINGS_H
#define OTST_RINGS_H

#include "../events/events.h"
#include "../ftrace/tracing.h"

/**
 * struct otst_subbuf - one sub-buffer that holds events (kernel: struct buffer_page)
 * @addr: struct buffer_page
 * @data: struct buffer_data_page
 * @time: when not 0, the latest possible start, because the kernel cleared the time
 * @stamp: on a live kernel, the time in its header when it was found, 0 when it was empty
 * @read: number of bytes after its header that somebody has read
 * @missing: number of sub-buffers that could not be found right before this one
 * @consumed: all was read and the kernel counts it as empty; what it held may
 *	still be there, and nothing tells how much that was
 * @moved: on a live kernel, it was overwritten while the others were being found
 */
struct otst_subbuf {
	uint64_t addr;
	uint64_t data;
	uint64_t time;
	uint64_t stamp;
	uint32_t read;
	uint32_t missing : 30;
	uint32_t consumed : 1;
	uint32_t moved : 1;
};

/**
 * struct otst_ring_cpu - one cpu's ring (kernel: struct ring_buffer_per_cpu)
 * @nr_pages: sub-buffers that it has, without the one for readers
 * @subbufs: oldest first
 * @read_stamp: time of the last event that was read from the first of them
 * @missing: sub-buffers that could not be found after the last one
 * @apart: the one for readers is not the one being written
 * @errors: what is wrong with the list, vector of const char *
 */
struct otst_ring_cpu {
	unsigned int cpu;
	uint64_t addr;
	uint64_t nr_pages;
	struct otst_subbuf *subbufs;
	size_t nr_subbufs;
	uint64_t read_stamp;
	uint32_t missing;
	bool apart;
	struct otst_messages errors;
};

/**
 * struct otst_ring - one ring buffer (kernel: struct trace_buffer; struct ring_buffer before 5.6)
 * @subbuf_size: bytes of a sub-buffer, its header of @header bytes included
 * @consumed: what was already read counts, too
 */
struct otst_ring {
	struct otst *o;
	uint64_t addr;
	uint32_t subbuf_size;
	uint32_t header;
	bool consumed;
	struct otst_ring_cpu *cpus;
	size_t nr_cpus;
};

/**
 * otst_ring_open() - find the sub-buffers of a ring
 * @buffer: &otst_trace_array.buffer or &otst_trace_array.snapshot
 * @consumed: also those whose events somebody has read and that are not overwritten yet
 *
 * Return: 0, also when parts are bad (&otst_ring_cpu.errors) and when there is
 * no buffer; LOOKUP when the kernel has no such rings; or what ends a command.
 */
int otst_ring_open(struct otst *o, const struct otst_trace_buffer *buffer, bool consumed,
		   struct otst_ring **ret);

/**
 * otst_ring_oldest() - time stamp of the oldest sub-buffer that is written to, as
 * ring_buffer_oldest_event_ts() returns it: the reader's own counts only if it is the last
 */
int otst_ring_oldest(struct otst *o, const struct otst_cpu_buffer *buffer, uint64_t *ret);

/**
 * struct otst_reader_filter - which records
 * @cpus: bitmap of @nr_cpus bits, or NULL for all
 * @pid: -1 for all
 * @from: not before this time; @to: not after it. 0 and UINT64_MAX for all.
 *	The trace file's own start is &otst_trace_buffer.time_start.
 * @last: how many of the newest records that pass all the other conditions, 0 for all;
 *	sub-buffers are then judged from the newest on, and no more of them than needed
 * @chosen: NULL, or called after all other conditions, and not for gaps. With @last it
 *	is called twice for a record, and not in order of time.
 */
struct otst_reader_filter {
	const uint64_t *cpus;
	size_t nr_cpus;
	int64_t pid;
	uint64_t from;
	uint64_t to;
	uint64_t last;
	bool (*chosen)(void *priv, const struct otst_record *r);
	void *priv;
};

struct otst_reader;

/** otst_reader_open() - a reader of all records of @ring that @filter lets through; in the command's arena */
int otst_reader_open(struct otst_ring *ring, const struct otst_reader_filter *filter,
		     struct otst_reader **ret);

/**
 * otst_reader_next() - the next record of all cpus
 * @ret: untouched at the end
 *
 * Return: 1; 0 at the end; or what ends a command.
 */
int otst_reader_next(struct otst_reader *r, struct otst_record *ret);

/**
 * otst_reader_peek() - the next record of @cpu, without moving on; it may be a gap
 * @ret: untouched when there is none
 *
 * Return: 1; 0 when there is none; or what ends a command.
 */
int otst_reader_peek(struct otst_reader *r, unsigned int cpu, struct otst_record *ret);

/**
 * otst_ring_skipped() - events of @cpu that lie before @from, up to the first that does not
 *
 * What tracing_iter_reset() counts as skipped_entries when the trace file is opened.
 */
int otst_ring_skipped(struct otst_ring *ring, unsigned int cpu, uint64_t from, uint64_t *ret);

/* ---- names of tasks (comms.c) ---- */

/**
 * otst_comm() - name of a task as the kernel's own table (saved_cmdlines) has it
 *
 * Return: "<idle>", "<...>" and "<XXX>" as __trace_find_cmdline() says; never
 * NULL. In the engine's memory.
 */
const char *otst_comm(struct otst *o, int32_t pid);

/**
 * otst_comms() - all names of that table, as the file saved_cmdlines lists them
 * @each: gets one; a non-zero return ends the list and is returned
 *
 * Return: 0; FAULT after the last when parts of the table could not be read; or
 * what ends a command.
 */
int otst_comms(struct otst *o, int (*each)(void *priv, int32_t pid, const char *comm), void *priv);

/** otst_tgid() - thread group of @pid from tgid_map; 0 when unknown */
int32_t otst_tgid(struct otst *o, int32_t pid);

#endif /* OTST_RINGS_H */
