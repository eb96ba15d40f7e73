/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * perf_buffer.h - the ring buffers of kernel/events/ring_buffer.c: what perf
 * and BPF's perf event arrays write, one record after the other.
 *
 * A buffer is opened once, then its records are handed out one by one. Memory use
 * does not grow with their number: one page, one record, and one bit for every
 * eight bytes of a part whose first record has to be found.
 */
#ifndef OTST_RINGS_PERF_BUFFER_H
#define OTST_RINGS_PERF_BUFFER_H

#include "../dump.h"

/* include/uapi/linux/perf_event.h: enum perf_event_type */
#define OTST_PERF_RECORD_LOST	      2u
#define OTST_PERF_RECORD_COMM	      3u
#define OTST_PERF_RECORD_FORK	      7u
#define OTST_PERF_RECORD_SAMPLE	      9u
#define OTST_PERF_RECORD_LOST_SAMPLES 13u
#define OTST_PERF_RECORD_DEFERRED     22u

#define OTST_PERF_HEADER 8u /* struct perf_event_header: type u32, misc u16, size u16 */

/**
 * struct otst_perf_buffer - one buffer (kernel: struct perf_buffer; struct ring_buffer up to 5.7)
 * @size: bytes of records that it has room for, a power of two
 * @chunk: bytes of each of its @nr_pages data pages
 * @head: position after the newest record; positions only grow. With @backward they
 *	only decrease, and the newest record starts here
 * @tail: position that a reader has reached; meaningless with @overwrite
 * @written: like @head, but includes what was being written when the kernel stopped
 * @lost: records that found no room since the last that did
 * @overwrite: the newest records take the place of the oldest (mapped read only)
 * @backward: attr.write_backward: it is filled from its end
 * @paused: nothing is written any more (PERF_EVENT_IOC_PAUSE_OUTPUT)
 * @aux_size: bytes of the AUX area beside it, which hardware fills with a trace
 *	of its own; 0 when it has none
 * @aux_head: bytes written to that area, or with @aux_overwrite the place of the newest
 * @aux_tail: how many of them a reader has taken
 * @aux_error: why nothing is known about the AUX area, or NULL
 */
struct otst_perf_buffer {
	struct otst *o;
	uint64_t addr;
	uint64_t size;
	uint64_t chunk;
	uint64_t nr_pages;
	uint64_t head;
	uint64_t tail;
	uint64_t written;
	uint64_t lost;
	bool overwrite;
	bool backward;
	bool paused;
	uint64_t aux_size;
	uint64_t aux_head;
	uint64_t aux_tail;
	bool aux_overwrite;
	const char *aux_error;

	/* private to perf_buffer.c */
	uint64_t *pages;
	uint8_t *window; /* the chunk that was loaded last */
	uint64_t window_at;
	uint8_t *record;
};

/**
 * struct otst_perf_record - one record (kernel: struct perf_event_header and what follows)
 * @at: its position in the buffer
 * @data: all of it, header included; NULL with @gap. Valid during the call.
 * @consumed: somebody has read it, and it is not overwritten yet
 * @writing: was being written when the kernel stopped: any part of it may belong
 *	to an older record
 * @big_endian: byte order of @data
 * @gap: not a record: number of bytes that make no sense or cannot be read; @error says why
 */
struct otst_perf_record {
	uint64_t at;
	uint32_t type;
	uint16_t misc;
	uint16_t size;
	const uint8_t *data;
	bool consumed;
	bool writing;
	bool big_endian;
	uint64_t gap;
	const char *error;
};

/**
 * struct otst_perf_filter - what to do with the records of a buffer
 * @each: gets each one; a non-zero return ends the walk and is returned
 * @consumed: also hand out records that were already read
 * @plausible: NULL, or tells a record from bytes that only look like one. Called only
 *	where no position says where a record starts; the more it knows, the more
 *	old records are found.
 */
struct otst_perf_filter {
	int (*each)(void *priv, const struct otst_perf_record *r);
	bool consumed;
	bool (*plausible)(void *priv, const struct otst_perf_record *r);
	void *priv;
};

/**
 * otst_perf_buffer_open() - read what describes a buffer
 * @addr: perf_event.rb
 *
 * Return: 0; LOOKUP, FAULT, CORRUPT; NOMEM.
 */
int otst_perf_buffer_open(struct otst *o, uint64_t addr, struct otst_perf_buffer **ret);

/**
 * otst_perf_buffer_walk() - hand out the records, oldest first
 *
 * First come the records that somebody has read, as far as they are whole and it
 * is certain where each starts; then the unread ones; then what was being
 * written. Damaged bytes come as one gap, after which the walk goes on with the
 * first record that is certain.
 *
 * Return: 0; what @filter->each returned; or what ends a command.
 */
int otst_perf_buffer_walk(struct otst_perf_buffer *b, const struct otst_perf_filter *filter);

#endif /* OTST_RINGS_PERF_BUFFER_H */
