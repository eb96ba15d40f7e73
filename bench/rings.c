// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rings - measures the cost of decoding the top ring buffer of a dump.
 *
 *   rings [--runs N] [VMLINUX] VMCORE
 *
 * All passes read the same sub-buffers through the same target, in one
 * process; CPU time, the least of N runs:
 *
 *   open      find the sub-buffers
 *   plain     read them once, without looking at them
 *   decode    all records, merged by time, not formatted
 *   kbuffer   the same sub-buffers read and walked by libtraceevent's kbuffer, not merged
 *   last 100  the newest 100 records, including finding the sub-buffers
 *
 * Memory is the process's own, without mapped files: what it has after decoding
 * beyond what it had when the dump was open.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <traceevent/kbuffer.h>

#include "../src/rings/rings.h"
#include "../tests/dumps/on_dump.h"

struct bench {
	struct otst *o;
	const struct otst_trace_buffer *buffer;
	struct otst_ring *ring;
	uint8_t *buf;
	uint64_t events;
	unsigned int runs;
	uint64_t sum; /* so that the compiler cannot leave out a pass */
};

typedef int (*pass_fn)(struct bench *b);

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static long own_kb(void)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[256];
	long kb = 0;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "RssAnon: %ld", &kb) == 1)
			break;
	}
	if (f)
		fclose(f);
	return kb;
}

static int open_ring(struct bench *b)
{
	return otst_ring_open(b->o, b->buffer, false, &b->ring);
}

/* read each sub-buffer into memory, then call @each */
static int read_all(struct bench *b, void (*each)(struct bench *b, void *priv), void *priv)
{
	for (size_t c = 0; c < b->ring->nr_cpus; c++) {
		const struct otst_ring_cpu *cpu = &b->ring->cpus[c];

		for (size_t i = 0; i < cpu->nr_subbufs; i++) {
			int err =
				otst_read(b->o, cpu->subbufs[i].data, b->buf, b->ring->subbuf_size);

			if (err && otst_fatal(err))
				return err;
			if (!err && each)
				each(b, priv);
			b->sum += b->buf[0];
		}
	}
	return 0;
}

static int plain(struct bench *b)
{
	return read_all(b, NULL, NULL);
}

static void walk_kbuffer(struct bench *b, void *priv)
{
	unsigned long long time;
	const uint8_t *data;

	kbuffer_load_subbuffer(priv, b->buf);
	for (data = kbuffer_read_event(priv, &time); data; data = kbuffer_next_event(priv, &time)) {
		b->sum += time + data[0] + data[4];
		b->events++;
	}
}

static int with_kbuffer(struct bench *b)
{
	struct kbuffer *k = kbuffer_alloc(KBUFFER_LSIZE_8, KBUFFER_ENDIAN_LITTLE);
	int err = k ? read_all(b, walk_kbuffer, k) : OTST_ERR_NOMEM;

	kbuffer_free(k);
	return err;
}

static int read_records(struct bench *b, uint64_t last)
{
	const struct otst_reader_filter filter = { .pid = -1, .to = UINT64_MAX, .last = last };
	struct otst_record rec;
	struct otst_reader *r;
	int more = otst_reader_open(b->ring, &filter, &r);

	while (!more && (more = otst_reader_next(r, &rec)) > 0) {
		b->sum += rec.time + rec.type + (uint64_t)rec.pid;
		b->events++;
		more = 0;
	}
	return more;
}

static int decode(struct bench *b)
{
	return read_records(b, 0);
}

static int last100(struct bench *b)
{
	int err = open_ring(b);

	return err ? err : read_records(b, 100);
}

static void run(struct bench *b, const char *name, pass_fn pass, unsigned int runs, double *plain_s)
{
	double best = 0;

	for (unsigned int i = 0; i < runs; i++) {
		double start = cpu_seconds();
		int err;

		b->events = 0;
		err = pass(b);
		if (err) {
			printf("%-9s %s\n", name, otst_message(b->o));
			return;
		}
		start = cpu_seconds() - start;
		best = !i || start < best ? start : best;
	}
	if (pass == plain)
		*plain_s = best;
	printf("%-9s %8.3f s", name, best);
	if (*plain_s > 0)
		printf("  %6.2f of plain", best / *plain_s);
	if (b->events > 100)
		printf("  %6.1f ns an event", best / (double)b->events * 1e9);
	printf("\n");
}

static int run_all(struct otst *o, void *arg)
{
	struct bench *b = arg;
	size_t subbufs = 0;
	double plain_s = 0;
	long before = own_kb();
	struct otst_tracing t;
	int err = otst_tracing(o, &t);

	if (err)
		return err;
	b->o = o;
	for (size_t i = 0; i < t.nr_arrays; i++) {
		if (!t.arrays[i]->name)
			b->buffer = &t.arrays[i]->buffer;
	}
	if (!b->buffer)
		return OTST_ERR_LOOKUP;
	b->buf = malloc(b->buffer->subbuf_size);
	if (!b->buf)
		return OTST_ERR_NOMEM;
	run(b, "open", open_ring, 1, &plain_s);
	if (!b->ring)
		return OTST_ERR_CORRUPT;
	for (size_t i = 0; i < b->ring->nr_cpus; i++)
		subbufs += b->ring->cpus[i].nr_subbufs;
	printf("%zu sub-buffers, %.1f MB\n", subbufs, (double)subbufs * b->ring->subbuf_size / 1e6);
	run(b, "plain", plain, b->runs, &plain_s);
	run(b, "decode", decode, b->runs, &plain_s);
	printf("%" PRIu64 " events, %.1f MB more memory\n", b->events,
	       (double)(own_kb() - before) / 1e3);
	run(b, "kbuffer", with_kbuffer, b->runs, &plain_s);
	run(b, "last 100", last100, 1, &plain_s);
	free(b->buf);
	return b->sum == 1; /* never */
}

int main(int argc, char **argv)
{
	static const struct option longs[] = { { "runs", required_argument, NULL, 'r' },
					       { NULL, 0, NULL, 0 } };
	struct bench b = { .runs = 3 };
	int c;

	while ((c = getopt_long(argc, argv, "r:", longs, NULL)) != -1)
		b.runs = c == 'r' ? (unsigned int)strtoul(optarg, NULL, 0) : b.runs;
	return on_dump(argv + optind, argc - optind, run_all, &b);
}
