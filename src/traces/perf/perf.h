/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * perf.h - what a perf sample says about its stack and its task.
 */
#ifndef OTST_TRACES_PERF_H
#define OTST_TRACES_PERF_H

#include "../../rings/perf_buffer.h"
#include "../traces.h"

/* ---- callchains (chain.c) ---- */

/* PERF_CONTEXT_KERNEL: the entries that follow are from the kernel stack */
#define OTST_PERF_MARK_KERNEL ((uint64_t)-128)

/**
 * otst_perf_chain_lines() - entries of a callchain as frames
 * @words: @count words of 8 bytes, innermost first; marks among them tell whose stack comes next
 * @kernel: the entries before the first mark are from the kernel stack
 * @lines: vector of struct otst_trace_line
 */
void otst_perf_chain_lines(struct otst *o, const uint8_t *words, uint64_t count, bool kernel,
			   struct otst_vec *lines);

/**
 * otst_perf_chain_of_ip() - make a callchain of one address, with the mark that @r's misc calls for
 * @words: 16 bytes
 */
void otst_perf_chain_of_ip(const struct otst_perf_record *r, uint64_t ip, uint8_t *words);

/** otst_perf_clock_name() - "mono", "boot" and so on, for clockid of struct perf_event_attr */
const char *otst_perf_clock_name(int32_t clockid);

/* ---- user parts that come later (deferred.c) ---- */

/* PERF_CONTEXT_USER_DEFERRED: the next entry of the callchain is a cookie, not an address */
#define OTST_PERF_MARK_USER_DEFERRED ((uint64_t)-640)

/** struct otst_perf_deferred - samples whose user part has not arrived yet; zero-initialise */
struct otst_perf_deferred {
	struct otst_vec waiting;
};

/** otst_perf_defer() - queue @t if part of its callchain comes later; it is truncated until then */
void otst_perf_defer(struct otst *o, struct otst_perf_deferred *d, struct otst_trace *t,
		     const uint8_t *words, uint64_t count);

/**
 * otst_perf_deferred_take() - give a PERF_RECORD_CALLCHAIN_DEFERRED to all traces waiting for it
 *
 * Return: 0; CORRUPT; or NOMEM.
 */
int otst_perf_deferred_take(struct otst *o, struct otst_perf_deferred *d, struct otst_knowns *known,
			    const struct otst_perf_record *r);

/* ---- names of tasks (comm.c) ---- */

/**
 * struct otst_perf_comms - names from PERF_RECORD_COMM and _FORK, and the dump's tasks by pid
 *
 * Zero-initialise.
 */
struct otst_perf_comms {
	struct otst_vec items;
	struct otst_task **tasks;
	size_t nr_tasks;
};

/** otst_perf_comm_add() - note a PERF_RECORD_COMM of @time */
void otst_perf_comm_add(struct otst *o, struct otst_perf_comms *c, const struct otst_perf_record *r,
			uint64_t time);

/** otst_perf_fork_add() - note a PERF_RECORD_FORK: a task begins with its parent's name */
void otst_perf_fork_add(struct otst *o, struct otst_perf_comms *c,
			const struct otst_perf_record *r);

/** otst_perf_comms_sort() - to be called after the last one was added */
int otst_perf_comms_sort(struct otst *o, struct otst_perf_comms *c);

/**
 * otst_perf_comm() - name of the thread @tid at @time
 * @cpu: tells which idle task, when @tid is one
 *
 * Return: NULL when unknown.
 */
const char *otst_perf_comm(const struct otst_perf_comms *c, int64_t tid, uint64_t time, int cpu);

#endif /* OTST_TRACES_PERF_H */
