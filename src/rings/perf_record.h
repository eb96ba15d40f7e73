/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * perf_record.h - shared by the files that read perf buffers.
 *
 * Positions are those of head and tail; they may be above or below 0.
 */
#ifndef OTST_RINGS_PERF_RECORD_H
#define OTST_RINGS_PERF_RECORD_H

#include "perf_buffer.h"

#define OTST_PERF_LONGEST   65536u /* bytes of a record: its size has 16 bits */
#define OTST_PERF_MOST_TYPE 31u	   /* enum perf_event_type: 7.2 has 22 of them */

/** otst_perf_header_plausible() - can this be the header of a record that the kernel wrote */
static inline bool otst_perf_header_plausible(const struct otst_perf_record *r)
{
	return r->type && r->type <= OTST_PERF_MOST_TYPE && r->size >= OTST_PERF_HEADER &&
	       !(r->size % 8);
}

/** otst_perf_header_read() - the header at @at, whatever it says; FAULT, CORRUPT when its page cannot be read */
int otst_perf_header_read(struct otst_perf_buffer *b, uint64_t at, struct otst_perf_record *ret);

/**
 * otst_perf_record_read() - the record at @at, which is at most @left bytes long
 *
 * Return: 0; FAULT; CORRUPT, with what its header says in @ret; or what ends a command.
 */
int otst_perf_record_read(struct otst_perf_buffer *b, uint64_t at, uint64_t left,
			  struct otst_perf_record *ret);

/**
 * otst_perf_record_find() - where the first certain record at or after @from starts
 * @end: a record ends there; with @cut it may also continue after it
 * @ret: @end when there is none
 *
 * Return: 0, or what ends a command.
 */
int otst_perf_record_find(struct otst_perf_buffer *b, const struct otst_perf_filter *filter,
			  uint64_t from, uint64_t end, bool cut, uint64_t *ret);

#endif /* OTST_RINGS_PERF_RECORD_H */
