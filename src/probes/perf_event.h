/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * perf_event.h - perf events: struct perf_event of
 * include/linux/perf_event.h, whatever they count or probe, with what user
 * space asked for (struct perf_event_attr) and who owns them.
 */
#ifndef OTST_PROBES_PERF_EVENT_H
#define OTST_PROBES_PERF_EVENT_H

#include "../tasks/task.h"
#include "probes.h"

/* include/uapi/linux/perf_event.h: enum perf_type_id */
#define OTST_PERF_TYPE_HARDWARE	  0u
#define OTST_PERF_TYPE_SOFTWARE	  1u
#define OTST_PERF_TYPE_RAW	  4u
#define OTST_PERF_TYPE_BREAKPOINT 5u

/**
 * struct otst_perf_attr - what an event was opened with (kernel: struct perf_event_attr)
 *
 * Members have the kernel's names; those that an older kernel does not have are 0.
 */
struct otst_perf_attr {
	uint32_t type;
	uint64_t config;
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_sample_type;
	uint64_t sample_regs_user;
	uint64_t sample_regs_intr;
	bool sample_id_all;
	bool use_clockid;
	int32_t clockid;
	uint32_t bp_type;
	uint64_t bp_addr;
	uint64_t bp_len;
};

/** otst_perf_attr_read() - read the struct perf_event_attr at @addr */
int otst_perf_attr_read(struct otst *o, uint64_t addr, struct otst_perf_attr *ret);

/** enum otst_perf_state - the kernel's enum perf_event_state, as far as it matters */
enum otst_perf_state {
	OTST_PERF_OFF = -1,
	OTST_PERF_INACTIVE = 0, /**< on, but not scheduled: its task does not run */
	OTST_PERF_ACTIVE = 1,
};

/**
 * struct otst_perf_event - one event
 * @place: the list that it was found on
 * @owner: task that opened it, 0 when that is gone; @kernel: the kernel itself opened it
 * @owner_pid, @owner_comm: of @owner; -1 and NULL when unknown
 * @task: the task that is watched, 0 for all on @cpu; @task_pid: like @owner_pid
 * @cpu: -1 for any; @oncpu: where it is active, or -1
 * @count: includes what inherited events have left
 * @parent: the event that it was inherited from, else 0
 * @rb: its struct perf_buffer, or 0
 * @tp_event: its struct trace_event_call, or 0
 * @prog: the struct bpf_prog that it runs, or 0
 * @pmu: struct pmu
 * @error: what could not be read, or NULL
 */
struct otst_perf_event {
	uint64_t addr;
	const char *place;
	struct otst_perf_attr attr;
	uint64_t id;
	uint64_t owner;
	bool kernel;
	int64_t owner_pid;
	const char *owner_comm;
	uint64_t task;
	int64_t task_pid;
	int cpu;
	int oncpu;
	int32_t state;
	uint64_t count;
	uint64_t parent;
	uint64_t rb;
	uint64_t tp_event;
	uint64_t prog;
	uint64_t pmu;
	uint64_t overflow_handler;
	const char *error;
};

/**
 * struct otst_perf_events - all events: those of the cpus, then task by task
 * @items: in the order in which they were found, @count of them
 * @errors: of const char *: what could not be walked
 */
struct otst_perf_events {
	struct otst_perf_event *items;
	size_t count;
	struct otst_messages errors;
};

/**
 * otst_perf_events() - walk all events, once per command
 *
 * These are the events that a cpu's or a task's context schedules, and those
 * that a task opened and holds.
 *
 * Return: 0, even when some are bad; LOOKUP when the kernel has no perf; or
 * an error that ends the command.
 */
int otst_perf_events(struct otst *o, const struct otst_perf_events **ret);

/**
 * otst_perf_on_event() - note who opened perf events on a trace event
 *
 * Arguments as for otst_bpf_on_event(). Adds the fact "perf" to @p: "PID COMM", or several.
 */
int otst_perf_on_event(struct otst *o, const char *type, uint64_t at, const char *call,
		       struct otst_probe *p);

/** otst_perf_owner_name() - "PID COMM"; NULL when the owner is unknown */
const char *otst_perf_owner_name(struct otst *o, const struct otst_perf_event *e);

/** otst_perf_is_twin() - are these one request of one user, on two cpus */
bool otst_perf_is_twin(const struct otst_perf_event *a, const struct otst_perf_event *b);

/** otst_perf_claim() - the claim that @state amounts to */
enum otst_claim otst_perf_claim(int32_t state);

/** otst_perf_add_cpu() - add the cpu of @e to @cpus ("0,1", "all", NULL at first) */
void otst_perf_add_cpu(struct otst *o, const struct otst_perf_event *e, const char **cpus);

/** otst_perf_programs() - append kind perf_event to a vector of probes (perf_program.c) */
int otst_perf_programs(struct otst *o, const struct otst_perf_events *all, struct otst_vec *probes);

/**
 * otst_perf_event_name() - "cpu-clock", "sched:sched_switch", "cpu/config=0x3c/": what it counts;
 * never NULL (perf_name.c)
 */
const char *otst_perf_event_name(struct otst *o, const struct otst_perf_event *e);

/** otst_event_holder() - note whether the process that the event is named after still exists (event_holder.c) */
void otst_event_holder(struct otst *o, struct otst_probe *p, const char *group, const char *event);

#endif /* OTST_PROBES_PERF_EVENT_H */
