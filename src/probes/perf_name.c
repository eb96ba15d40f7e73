// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * perf_name.c - what a perf event counts, in the words that perf accepts for
 * it: the numbers of include/uapi/linux/perf_event.h, a trace event's name, or
 * the name of the PMU.
 */
#include <inttypes.h>
#include <string.h>

#include "perf_event.h"
#include "../ftrace/event_file.h"

#define MAX_NAME 256u

static const char *const hardware[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};

static const char *const software[] = {
	"cpu-clock",	    "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",	    "bpf-output",   "cgroup-switches",
};

/* since 5.13, where there are several PMUs, the upper half of the config has the PMU */
static const char *by_number(const struct otst_perf_attr *attr)
{
	uint64_t config = attr->config & UINT32_MAX;

	if (attr->type == OTST_PERF_TYPE_HARDWARE && config < sizeof(hardware) / sizeof(*hardware))
		return hardware[config];
	if (attr->type == OTST_PERF_TYPE_SOFTWARE && config < sizeof(software) / sizeof(*software))
		return software[config];
	return NULL;
}

/*
 * perf_swevent_init(): up to 6.1 the two clocks keep the software type;
 * 6.12 gives them the type of their PMU, a number that differs from boot to boot.
 */
static const char *clock_of(const char *pmu)
{
	return strcmp(pmu, "cpu_clock") == 0  ? "cpu-clock" :
	       strcmp(pmu, "task_clock") == 0 ? "task-clock" :
						NULL;
}

static const char *by_pmu(struct otst *o, const struct otst_perf_event *e)
{
	const char *pmu, *clock;

	if (!e->pmu || otst_read_member_string(o, "pmu", e->pmu, "name", MAX_NAME, &pmu))
		return otst_format(o, "type %" PRIu32 " config 0x%" PRIx64, e->attr.type,
				   e->attr.config);
	clock = clock_of(pmu);
	if (clock)
		return clock;
	return otst_format(o, "%s/config=0x%" PRIx64 "/", pmu, e->attr.config);
}

const char *otst_perf_event_name(struct otst *o, const struct otst_perf_event *e)
{
	const char *name = by_number(&e->attr), *system, *event;

	if (name)
		return name;
	if (e->tp_event && !otst_event_name(o, e->tp_event, &system, &event))
		name = otst_format(o, "%s:%s", system, event);
	else if (e->attr.type == OTST_PERF_TYPE_BREAKPOINT)
		name = otst_format(o, "mem:0x%" PRIx64, e->attr.bp_addr);
	else if (e->attr.type == OTST_PERF_TYPE_RAW)
		name = otst_format(o, "r%" PRIx64, e->attr.config);
	else
		name = by_pmu(o, e);
	return name ? name : "?";
}
