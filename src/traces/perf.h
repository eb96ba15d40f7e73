/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf.h - what a sample of perf says about stack and task.
 */
#ifndef OTST_TRACES_PERF_H
#define OTST_TRACES_PERF_H

#include "../rings/perf_buffer.h"
#include "traces.h"

/* ---- callchains (perf_chain.c) ---- */

/**
 * otst_perf_chain_lines() - entries of a callchain as frames
 * @words: @count of 8 bytes, innermost first; marks among them tell whose stack comes next
 * @lines: vector of struct otst_trace_line
 */
int otst_perf_chain_lines(struct otst *o, const uint8_t *words, uint64_t count,
			  struct otst_vec *lines);

/** otst_perf_chain_of_ip() - a callchain of one address, with the mark that @r's misc gives; 16 bytes at @words */
void otst_perf_chain_of_ip(const struct otst_perf_record *r, uint64_t ip, uint8_t *words);

/** otst_perf_clock_name() - "mono", "boot" and so on, for clockid of struct perf_event_attr */
const char *otst_perf_clock_name(int32_t clockid);

/* ---- names of tasks (perf_comm.c) ---- */

/** struct otst_perf_comms - what PERF_RECORD_COMM and _FORK told, and the tasks of the dump; zero-initialise */
struct otst_perf_comms {
	struct otst_vec items;
	const struct otst_tasks *tasks;
};

/** otst_perf_comm_add() - note a PERF_RECORD_COMM of @time */
int otst_perf_comm_add(struct otst *o, struct otst_perf_comms *c, const struct otst_perf_record *r,
		       uint64_t time);

/** otst_perf_fork_add() - note a PERF_RECORD_FORK: a task begins with its parent's name */
int otst_perf_fork_add(struct otst *o, struct otst_perf_comms *c, const struct otst_perf_record *r);

/** otst_perf_comms_sort() - after the last of them */
int otst_perf_comms_sort(struct otst *o, struct otst_perf_comms *c);

/** otst_perf_comm() - name of the thread @tid at @time, on @cpu when it is the idle task; NULL when unknown */
const char *otst_perf_comm(const struct otst_perf_comms *c, int64_t tid, uint64_t time, int cpu);

#endif /* OTST_TRACES_PERF_H */
