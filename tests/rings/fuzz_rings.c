// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_rings.c - otst-fuzzrings: damaged sub-buffers and rings through the reader.
 *
 *	otst-fuzzrings [--runs N] [--seed S] [--one RUN]
 *
 * Each run walks one damaged sub-buffer of events, in memory that ends where it
 * does; every 16th also makes a ring of several cpus. One in four of those is
 * whole: then exactly what was written must come, in order, also when a time
 * window or the newest records are asked for. From a damaged ring no more may
 * come than fits in, and nothing may crash or hang.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/ftrace/tracing.h"
#include "../../src/rings/subbuf.h"
#include "fuzz_image.h"

#define MOST_CPUS     3u
#define MOST_PAGES    7u /* of a cpu, the reader's included */
#define MOST_RECORDS  (MOST_CPUS * MOST_PAGES * 16384u / 12u)
#define CPU_AT(c)     (0x100u * (c))
#define NODE_AT(c, i) (0x1000u + 0x40u * (8u * (c) + (i)))
#define DATA_AT(c, i) (0x10000u + 0x4000u * (8u * (c) + (i)))
#define HEADER	      16u

struct told {
	uint64_t time;
	uint32_t cpu;
	uint32_t pid;
};

/* @i comes first: a run is given a pointer to it */
struct fuzz {
	struct fuzz_image i;
	/* of one run */
	uint32_t subbuf_size;
	unsigned int nr_cpus;
	struct told told[MOST_RECORDS];
	size_t nr_told;
};

static const struct fuzz_member members[] = {
	{ "buffer_page", "list", 0, 16, OTST_KIND_STRUCT },
	{ "buffer_page", "read", 24, 4, OTST_KIND_INT },
	{ "buffer_page", "page", 56, 8, OTST_KIND_POINTER },
	{ "buffer_data_page", "data", HEADER, 0, OTST_KIND_ARRAY },
	{ "ring_buffer_per_cpu", "nr_pages", 0, 8, OTST_KIND_INT },
	{ "ring_buffer_per_cpu", "head_page", 16, 8, OTST_KIND_POINTER },
	{ "ring_buffer_per_cpu", "tail_page", 24, 8, OTST_KIND_POINTER },
	{ "ring_buffer_per_cpu", "commit_page", 32, 8, OTST_KIND_POINTER },
	{ "ring_buffer_per_cpu", "reader_page", 40, 8, OTST_KIND_POINTER },
	{ "ring_buffer_per_cpu", "read_stamp", 48, 8, OTST_KIND_INT },
	{ NULL, NULL, 0, 0, 0 },
};

/* ---- events ---- */

/* one event, after @time; its struct trace_entry names it */
static uint32_t add_event(struct fuzz *f, uint8_t *at, uint32_t room, uint64_t *time, uint32_t pid)
{
	uint32_t words = 2 + fuzz_below(&f->i, fuzz_below(&f->i, 20) ? 6 : 40),
		 delta = fuzz_below(&f->i, 1000), len = 0;
	uint32_t kind = fuzz_below(&f->i, 40);

	if (room < 4 * words + 32)
		return 0;
	if (kind == 0) {
		/* time extend: 3 << 27 more */
		fuzz_put(at, 30 | 5 << 5, 4);
		fuzz_put(at + 4, 3, 4);
		*time += (3ull << 27) + 5;
		len = 8;
	} else if (kind == 1) {
		/* absolute time; the event's own difference is zero */
		*time += 7;
		fuzz_put(at, 31 | (*time & 0x7ffffff) << 5, 4);
		fuzz_put(at + 4, *time >> 27, 4);
		delta = 0;
		len = 8;
	} else if (kind == 2) {
		/* discarded */
		fuzz_put(at, 29 | 9 << 5, 4);
		fuzz_put(at + 4, 8, 4);
		len = 12;
	}
	*time += delta;
	if (words > 28 || kind == 3) {
		fuzz_put(at + len, delta << 5, 4);
		fuzz_put(at + len + 4, 4 * words + 4, 4);
		len += 8;
	} else {
		fuzz_put(at + len, words | delta << 5, 4);
		len += 4;
	}
	fuzz_put(at + len, 1, 4);
	fuzz_put(at + len + 4, pid, 4);
	return len + 4 * words;
}

/* fills @room bytes; returns the number of events */
static uint32_t add_events(struct fuzz *f, uint8_t *data, uint32_t room, uint64_t *time, int cpu,
			   uint32_t *len)
{
	uint32_t count = fuzz_below(&f->i, fuzz_below(&f->i, 8) ? 12 : 2000), made = 0, n;

	for (*len = 0; made < count; made++, *len += n) {
		uint32_t pid = 1 + (uint32_t)f->nr_told;

		n = add_event(f, data + *len, room - *len, time, pid);
		if (!n)
			break;
		if (cpu >= 0 && f->nr_told < MOST_RECORDS)
			f->told[f->nr_told++] = (struct told){ *time, (uint32_t)cpu, pid };
	}
	return made;
}

/* one sub-buffer, in memory that ends where it does; false when too much comes out */
static bool walk_one(struct fuzz *f)
{
	uint32_t room = 8 + fuzz_below(&f->i, fuzz_below(&f->i, 8) ? 400 : 4080), len, used = 0;
	uint8_t *data = malloc(room), *exact;
	struct otst_subbuf_walk w = { .time = fuzz_next(&f->i) >> fuzz_below(&f->i, 64) };
	enum otst_subbuf_step step;
	struct otst_record rec;
	uint64_t time = w.time;

	memset(data, 0, room);
	add_events(f, data, room, &time, -1, &len);
	fuzz_damage(&f->i, data, room);
	if (!fuzz_below(&f->i, 4))
		len = fuzz_below(&f->i, room);
	exact = malloc(len ? len : 1);
	memcpy(exact, data, len);
	w.data = exact;
	w.len = len;
	w.at = fuzz_below(&f->i, 8) ? 0 : fuzz_below(&f->i, len + 1);
	while ((step = otst_subbuf_next(&w, &rec)) == OTST_SUBBUF_RECORD) {
		used += rec.size + 4;
		if (rec.data < exact || rec.size < 8 || rec.size > len ||
		    rec.data + rec.size > exact + len || used > len)
			break;
	}
	if (step == OTST_SUBBUF_BAD && !w.error)
		used = len + 1;
	free(data);
	free(exact);
	return step != OTST_SUBBUF_RECORD && used <= len;
}

/* ---- rings ---- */

static void make_page(struct fuzz *f, unsigned int cpu, unsigned int i, uint64_t *time, bool counts)
{
	uint8_t *page = f->i.bytes + DATA_AT(cpu, i);
	uint32_t len = 0;

	memset(page, 0, f->subbuf_size);
	*time += fuzz_below(&f->i, 2) ? fuzz_below(&f->i, 100000) : 0;
	fuzz_put(page, *time, 8);
	if (counts)
		add_events(f, page + HEADER, f->subbuf_size - HEADER, time, (int)cpu, &len);
	fuzz_put(page + 8, len, 8);
}

/* a ring as the kernel leaves it: the reader's page, then from a head to a commit page */
static void make_cpu(struct fuzz *f, unsigned int cpu)
{
	unsigned int n = 2 + fuzz_below(&f->i, MOST_PAGES - 2), head = 1 + fuzz_below(&f->i, n),
		     used = fuzz_below(&f->i, n + 1);
	unsigned int commit = used ? (head + used - 2) % n + 1 : 0, i;
	uint64_t time = 1 + fuzz_below(&f->i, 1000000), node = f->i.base + NODE_AT(cpu, 0);
	uint8_t *c = f->i.bytes + CPU_AT(cpu);

	memset(c, 0, 0x100);
	fuzz_put(c, n, 8);
	fuzz_put(c + 16, node + 0x40 * head, 8);
	fuzz_put(c + 24, node + 0x40 * commit, 8);
	fuzz_put(c + 32, node + 0x40 * commit, 8);
	fuzz_put(c + 40, node, 8);
	for (i = 0; i <= n; i++) {
		uint8_t *at = f->i.bytes + NODE_AT(cpu, i);
		unsigned int to = i ? i % n + 1 : head;

		memset(at, 0, 0x40);
		fuzz_put(at, node + 0x40 * to + (i && to == head ? 1 + fuzz_below(&f->i, 2) : 0),
			 8);
		fuzz_put(at + 8, node + 0x40 * (i > 1 ? i - 1 : n), 8);
		fuzz_put(at + 56, f->i.base + DATA_AT(cpu, i), 8);
	}
	make_page(f, cpu, 0, &time, fuzz_below(&f->i, 2));
	for (i = 0; i < n; i++)
		make_page(f, cpu, (head + i - 1) % n + 1, &time, i < used);
}

static void damage_ring(struct fuzz *f)
{
	uint64_t somewhere;
	unsigned int i;

	for (i = 1 + fuzz_below(&f->i, 5); i--;) {
		unsigned int cpu = fuzz_below(&f->i, f->nr_cpus),
			     page = fuzz_below(&f->i, MOST_PAGES + 1);

		switch (fuzz_below(&f->i, 6)) {
		case 0:
			fuzz_damage(&f->i, f->i.bytes + DATA_AT(cpu, page), f->subbuf_size);
			break;
		case 1:
			fuzz_damage(&f->i, f->i.bytes + DATA_AT(cpu, page), HEADER);
			break;
		case 2:
			fuzz_damage(&f->i, f->i.bytes + NODE_AT(cpu, page), 64);
			break;
		case 3:
			fuzz_damage(&f->i, f->i.bytes + CPU_AT(cpu), 64);
			break;
		case 4:
			f->i.missing[fuzz_below(&f->i, FUZZ_IMAGE / OTST_CHUNK)] = true;
			break;
		default: /* a pointer to another page, as likely as not in a loop */
			somewhere = f->i.base +
				    NODE_AT(fuzz_below(&f->i, 3), fuzz_below(&f->i, 8)) +
				    fuzz_below(&f->i, 3);
			fuzz_put(f->i.bytes + NODE_AT(cpu, page) + 8 * fuzz_below(&f->i, 2),
				 somewhere, 8);
		}
	}
}

static int by_time(const void *a, const void *b)
{
	const struct told *l = a, *r = b;

	if (l->time != r->time)
		return l->time < r->time ? -1 : 1;
	if (l->cpu != r->cpu)
		return l->cpu < r->cpu ? -1 : 1;
	return l->pid < r->pid ? -1 : 1;
}

static bool check_record(struct fuzz *f, const struct otst_record *rec)
{
	if (rec->gap)
		return !rec->data && rec->error;
	fuzz_touch(rec->data, rec->size);
	return rec->size >= 8 && rec->size <= f->subbuf_size && rec->cpu < f->nr_cpus;
}

/* all that @filter lets through; with @exact it must be told[first] to told[end - 1] */
static void read_ring(struct fuzz *f, struct otst_ring *ring,
		      const struct otst_reader_filter *filter, bool exact, size_t first, size_t end)
{
	struct otst_record rec, ahead;
	struct otst_reader *r;
	size_t count = 0;
	int more = otst_reader_open(ring, filter, &r);

	while (!more && (more = otst_reader_next(r, &rec)) > 0) {
		const struct told *t = &f->told[first + count];

		if (!fuzz_below(&f->i, 4) &&
		    otst_reader_peek(r, fuzz_below(&f->i, f->nr_cpus), &ahead) > 0 &&
		    !check_record(f, &ahead))
			f->i.wrong = "a record ahead";
		if (!check_record(f, &rec))
			f->i.wrong = "a record";
		if (exact && (first + count >= end || rec.gap || rec.time != t->time ||
			      rec.cpu != t->cpu || (uint32_t)rec.pid != t->pid))
			f->i.wrong = "not what was written";
		if (++count > 4 * MOST_RECORDS)
			f->i.wrong = "no end";
		more = f->i.wrong ? -1 : 0;
	}
	if (more < 0 && !f->i.wrong)
		f->i.wrong = "an error";
	if (exact && !f->i.wrong && first + count != end)
		f->i.wrong = "less than was written";
}

static void read_filters(struct fuzz *f, struct otst_ring *ring, bool whole)
{
	struct otst_reader_filter filter = { .pid = -1, .to = UINT64_MAX };
	size_t first = 0, end = f->nr_told;

	read_ring(f, ring, &filter, whole, 0, end);
	if (f->i.wrong)
		return;
	if (end && fuzz_below(&f->i, 2)) {
		first = fuzz_below(&f->i, (uint32_t)end);
		filter.from = f->told[first].time;
		filter.to = f->told[first + fuzz_below(&f->i, (uint32_t)(end - first))].time;
		while (first && f->told[first - 1].time == filter.from)
			first--;
		while (end && f->told[end - 1].time > filter.to)
			end--;
	}
	if (fuzz_below(&f->i, 4)) {
		filter.last = 1 + fuzz_below(&f->i, 50);
		first = end - first > filter.last ? end - filter.last : first;
	}
	read_ring(f, ring, &filter, whole, first, end);
}

static bool read_rings(struct fuzz *f)
{
	struct otst_cpu_buffer cpus[MOST_CPUS] = { 0 };
	struct otst_trace_buffer b = { .addr = 1, .cpus = cpus };
	bool whole = !fuzz_below(&f->i, 4);
	struct otst_ring *ring;
	unsigned int i;

	f->subbuf_size = 4096u << (fuzz_below(&f->i, 8) ? 0 : fuzz_below(&f->i, 3));
	f->nr_cpus = 1 + fuzz_below(&f->i, MOST_CPUS);
	f->nr_told = 0;
	f->i.wrong = NULL;
	memset(f->i.missing, 0, sizeof(f->i.missing));
	for (i = 0; i < f->nr_cpus; i++) {
		make_cpu(f, i);
		cpus[i].cpu = i;
		cpus[i].addr = f->i.base + CPU_AT(i);
	}
	qsort(f->told, f->nr_told, sizeof(*f->told), by_time);
	if (!whole)
		damage_ring(f);
	b.nr_cpus = f->nr_cpus;
	b.subbuf_size = f->subbuf_size;
	otst_command_begin(f->i.o);
	if (otst_ring_open(f->i.o, &b, !whole && fuzz_below(&f->i, 2), &ring))
		f->i.wrong = "it does not open";
	else
		read_filters(f, ring, whole);
	return !f->i.wrong;
}

static bool run(struct fuzz_image *image)
{
	struct fuzz *f = (struct fuzz *)image;

	image->wrong = "a walk";
	return walk_one(f) && (image->run % 16 || read_rings(f));
}

int main(int argc, char **argv)
{
	struct fuzz *f = calloc(1, sizeof(*f));
	int status;

	if (!f)
		return 99;
	f->i.members = members;
	status = fuzz_main(&f->i, argc, argv, "damaged sub-buffers, a ring after every 16th", run);
	free(f);
	return status;
}
