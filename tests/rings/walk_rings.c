// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * walk_rings - the records of all ring buffers of a dump, counted or listed,
 * for comparison with what the guest's own files said.
 *
 *   walk_rings [-v] [-l] [-n LAST] [-p PID] [VMLINUX] VMCORE
 *
 * -v: also those that were read; -l: list them. Starts at the time at which
 * the trace file starts. One line per cpu:
 *
 *   ARRAY [snapshot] cpu N entries E records R read C gaps G first TIME last TIME
 *
 * ENTRIES is the kernel's own count.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../src/ftrace/tracing.h"
#include "../../src/rings/rings.h"
#include "../dumps/on_dump.h"

static struct otst_reader_filter filter = { .pid = -1, .to = UINT64_MAX };
static bool consumed, listed;

struct count {
	uint64_t records;
	uint64_t read;
	uint64_t gaps;
	uint64_t first;
	uint64_t last;
};

static void print_record(struct otst *o, const struct otst_record *r)
{
	printf("%s%s%" PRIu64 " cpu %u", r->consumed ? "read " : "", r->vague ? "before " : "",
	       r->time, r->cpu);
	if (r->lost)
		printf(" lost %" PRIu64, r->lost_count);
	if (r->gap)
		printf(" gap %u: %s\n", r->gap, r->error);
	else
		printf(" type %u size %u pid %d comm %s\n", r->type, r->size, r->pid,
		       otst_comm(o, r->pid));
}

static void count_record(struct count *c, const struct otst_record *r)
{
	if (r->gap) {
		c->gaps += r->gap;
		return;
	}
	if (!c->records++)
		c->first = r->time;
	c->read += r->consumed;
	c->last = r->time;
}

static int read_all(struct otst_ring *ring, struct count *counts)
{
	struct otst_record rec;
	struct otst_reader *r;
	size_t i;
	int more;

	more = otst_reader_open(ring, &filter, &r);
	while (!more && (more = otst_reader_next(r, &rec)) > 0) {
		if (listed)
			print_record(ring->o, &rec);
		for (i = 0; i < ring->nr_cpus; i++) {
			if (ring->cpus[i].cpu == rec.cpu)
				count_record(&counts[i], &rec);
		}
		more = 0;
	}
	return more;
}

static int print_ring(struct otst *o, const char *name, const struct otst_trace_buffer *b)
{
	struct count *counts = calloc(b->nr_cpus + 1, sizeof(*counts));
	struct otst_ring *ring;
	size_t i, j;
	int err;

	if (!counts)
		return OTST_ERR_NOMEM;
	err = otst_ring_open(o, b, consumed, &ring);
	filter.from = b->time_start;
	if (!err)
		err = read_all(ring, counts);
	for (i = 0; !err && i < ring->nr_cpus; i++) {
		const struct otst_ring_cpu *c = &ring->cpus[i];

		printf("%s cpu %u entries %" PRIu64 " records %" PRIu64 " read %" PRIu64
		       " gaps %" PRIu64 " first %" PRIu64 " last %" PRIu64 "\n",
		       name, c->cpu, b->cpus[i].entries, counts[i].records, counts[i].read,
		       counts[i].gaps, counts[i].first, counts[i].last);
		for (j = 0; j < c->errors.count; j++)
			printf("error: %s\n", c->errors.texts[j]);
	}
	free(counts);
	return err;
}

static int print_all(struct otst *o, void *arg)
{
	struct otst_tracing t;
	char name[600];
	size_t i;
	int err = otst_tracing(o, &t);

	(void)arg;
	for (i = 0; !err && i < t.nr_arrays; i++) {
		const struct otst_trace_array *a = t.arrays[i];

		snprintf(name, sizeof(name), "%s", a->name ? a->name : "top");
		err = print_ring(o, name, &a->buffer);
		if (!err && a->snapshot_allocated) {
			snprintf(name, sizeof(name), "%s snapshot", a->name ? a->name : "top");
			err = print_ring(o, name, &a->snapshot);
		}
	}
	return err;
}

int main(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "vln:p:")) != -1) {
		consumed |= c == 'v';
		listed |= c == 'l';
		if (c == 'n')
			filter.last = strtoull(optarg, NULL, 0);
		if (c == 'p')
			filter.pid = strtoll(optarg, NULL, 0);
	}
	return on_dump(argv + optind, argc - optind, print_all, NULL);
}
