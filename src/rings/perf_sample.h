/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * perf_sample.h - what is in the records of a perf buffer. Their layout depends
 * on the attributes of the event that they come from.
 */
#ifndef OTST_RINGS_PERF_SAMPLE_H
#define OTST_RINGS_PERF_SAMPLE_H

#include "../probes/perf_event.h"
#include "perf_buffer.h"

/* include/uapi/linux/perf_event.h: enum perf_event_sample_format */
#define OTST_PERF_SAMPLE_IP	    (1ull << 0)
#define OTST_PERF_SAMPLE_TID	    (1ull << 1)
#define OTST_PERF_SAMPLE_TIME	    (1ull << 2)
#define OTST_PERF_SAMPLE_ADDR	    (1ull << 3)
#define OTST_PERF_SAMPLE_CALLCHAIN  (1ull << 5)
#define OTST_PERF_SAMPLE_ID	    (1ull << 6)
#define OTST_PERF_SAMPLE_CPU	    (1ull << 7)
#define OTST_PERF_SAMPLE_PERIOD	    (1ull << 8)
#define OTST_PERF_SAMPLE_STREAM_ID  (1ull << 9)
#define OTST_PERF_SAMPLE_RAW	    (1ull << 10)
#define OTST_PERF_SAMPLE_IDENTIFIER (1ull << 16)

/**
 * struct otst_perf_sample - the fields of a record
 * @has: those that are present, OTST_PERF_SAMPLE_*; the others are 0
 * @id: the event's id, from IDENTIFIER or ID
 * @chain: @nr_chain addresses of 8 bytes each, in the record's own memory; with
 *	marks among them (otst_perf_is_mark())
 * @raw: @raw_size bytes, in the same memory, including padding at the end
 * @surplus: bytes after the fields. Kernels that have perf_sample_save_raw_data() but not
 *	Linux b9c44b91476b ("perf/core: Save raw sample data conditionally based on
 *	sample type") (v6.14) make room for raw data of trace events that no field asks for.
 */
struct otst_perf_sample {
	uint64_t has;
	uint64_t ip;
	int32_t pid;
	int32_t tid;
	uint64_t time;
	uint64_t addr;
	uint64_t id;
	uint32_t cpu;
	const uint8_t *chain;
	uint64_t nr_chain;
	const uint8_t *raw;
	uint32_t raw_size;
	uint64_t surplus;
};

/**
 * otst_perf_sample_read() - the fields of a record of an event with these attributes
 *
 * For a sample, all of its fields; for other records, the trailer that sample_id_all adds.
 *
 * Return: 0; CORRUPT when the record is shorter than its fields.
 */
int otst_perf_sample_read(struct otst *o, const struct otst_perf_attr *attr,
			  const struct otst_perf_record *r, struct otst_perf_sample *ret);

/**
 * otst_perf_record_id() - the event's id in a record, when all events of the
 * buffer have it at the same place
 * @attr: of any of them
 *
 * Return: false when it is not there.
 */
bool otst_perf_record_id(const struct otst_perf_attr *attr, const struct otst_perf_record *r,
			 uint64_t *ret);

/** otst_perf_is_mark() - is this chain entry a mark (kernel, user, .. come next) and no address */
static inline bool otst_perf_is_mark(uint64_t entry)
{
	return entry >= (uint64_t)-4095;
}

#endif /* OTST_RINGS_PERF_SAMPLE_H */
