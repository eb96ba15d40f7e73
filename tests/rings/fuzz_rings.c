// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_rings.c - otst-fuzzrings: damaged sub-buffers and rings through the reader.
 *
 *	otst-fuzzrings [--runs N] [--seed S] [--one RUN]
 *
 * Each run walks one sub-buffer of events that was damaged, in memory that ends
 * where it does; each 16th makes a ring of several cpus as well. One in four of
 * those is whole: then just what was written must come, in order, also when a
 * window of time or the newest are asked for. Of a damaged ring no more may
 * come than fits in, and nothing may crash or hang.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../src/rings/subbuf.h"

#define MOST_CPUS     3u
#define MOST_PAGES    7u /* of a cpu, the reader's included */
#define MOST_RECORDS  (MOST_CPUS * MOST_PAGES * 16384u / 12u)
#define IMAGE	      (1u << 19)
#define CPU_AT(c)     (0x100u * (c))
#define NODE_AT(c, i) (0x1000u + 0x40u * (8u * (c) + (i)))
#define DATA_AT(c, i) (0x10000u + 0x4000u * (8u * (c) + (i)))
#define HEADER	      16u

struct told {
	uint64_t time;
	uint32_t cpu;
	uint32_t pid;
};

struct fuzz {
	struct otst *o;
	uint64_t state;
	uint64_t run;
	/* of one run */
	uint64_t base; /* address of image[0] */
	uint8_t image[IMAGE];
	bool missing[IMAGE / OTST_PAGE_SIZE];
	uint32_t subbuf_size;
	unsigned int nr_cpus;
	struct told told[MOST_RECORDS];
	size_t nr_told;
	const char *wrong;
};

static uint64_t next(struct fuzz *f)
{
	/* xorshift64* */
	f->state ^= f->state >> 12;
	f->state ^= f->state << 25;
	f->state ^= f->state >> 27;
	return f->state * 0x2545f4914f6cdd1dull;
}

static uint32_t below(struct fuzz *f, uint32_t n)
{
	return n ? (uint32_t)(next(f) >> 16) % n : 0;
}

static void put(void *to, uint64_t v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((uint8_t *)to)[i] = (uint8_t)(v >> 8 * i);
}

/* ---- the target ---- */

static int read_image(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	struct fuzz *f = priv;
	uint64_t at = addr - f->base, i;

	if (space != OTST_VIRT || at >= IMAGE || len > IMAGE - at)
		return OTST_ERR_FAULT;
	for (i = at / OTST_PAGE_SIZE; i <= (at + len - 1) / OTST_PAGE_SIZE; i++) {
		if (f->missing[i])
			return OTST_ERR_FAULT;
	}
	memcpy(buf, f->image + at, len);
	return 0;
}

static const struct member {
	const char *type;
	const char *name;
	unsigned int offset;
	unsigned int size;
	unsigned int kind;
} members[] = {
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
};

static int find_member(void *priv, const char *type, const char *name, struct otst_member *ret)
{
	(void)priv;
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		if (strcmp(members[i].type, type) || strcmp(members[i].name, name))
			continue;
		*ret = (struct otst_member){ .offset = members[i].offset,
					     .size = members[i].size,
					     .kind = members[i].kind };
		return 0;
	}
	return OTST_ERR_LOOKUP;
}

static int find_size(void *priv, const char *type, uint64_t *ret)
{
	(void)priv, (void)type;
	*ret = 64;
	return 0;
}

/* ---- events ---- */

/* one event, after @time; its struct trace_entry names it */
static uint32_t add_event(struct fuzz *f, uint8_t *at, uint32_t room, uint64_t *time, uint32_t pid)
{
	uint32_t words = 2 + below(f, below(f, 20) ? 6 : 40), delta = below(f, 1000), len = 0;
	uint32_t kind = below(f, 40);

	if (room < 4 * words + 32)
		return 0;
	if (kind == 0) {
		/* time extend: 3 << 27 more */
		put(at, 30 | 5 << 5, 4);
		put(at + 4, 3, 4);
		*time += (3ull << 27) + 5;
		len = 8;
	} else if (kind == 1) {
		/* absolute time; the event's own difference is none */
		*time += 7;
		put(at, 31 | (*time & 0x7ffffff) << 5, 4);
		put(at + 4, *time >> 27, 4);
		delta = 0;
		len = 8;
	} else if (kind == 2) {
		/* discarded */
		put(at, 29 | 9 << 5, 4);
		put(at + 4, 8, 4);
		len = 12;
	}
	*time += delta;
	if (words > 28 || kind == 3) {
		put(at + len, delta << 5, 4);
		put(at + len + 4, 4 * words + 4, 4);
		len += 8;
	} else {
		put(at + len, words | delta << 5, 4);
		len += 4;
	}
	put(at + len, 1, 4);
	put(at + len + 4, pid, 4);
	return len + 4 * words;
}

/* fills @room bytes; the number of events */
static uint32_t add_events(struct fuzz *f, uint8_t *data, uint32_t room, uint64_t *time, int cpu,
			   uint32_t *len)
{
	uint32_t count = below(f, below(f, 8) ? 12 : 2000), made = 0, n;

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

static void damage(struct fuzz *f, uint8_t *data, uint32_t len)
{
	for (uint32_t i = 1 + below(f, 4); i-- && len;) {
		uint32_t at = below(f, len), n = below(f, len - at);

		switch (below(f, 5)) {
		case 0:
			data[at] = (uint8_t)next(f);
			break;
		case 1: /* a head */
			if (len - at / 4 * 4 >= 4)
				put(data + at / 4 * 4, next(f), 4);
			break;
		case 2:
			memset(data + at, below(f, 2) ? 0 : 0xff, n);
			break;
		case 3:
			memmove(data + at, data + below(f, at + 1), n);
			break;
		default:
			data[at] ^= (uint8_t)(1u << below(f, 8));
		}
	}
}

/* one sub-buffer, in memory that ends where it does; false when what comes is too much */
static bool walk_one(struct fuzz *f)
{
	uint32_t room = 8 + below(f, below(f, 8) ? 400 : 4080), len, used = 0;
	uint8_t *data = malloc(room), *exact;
	struct otst_subbuf_walk w = { .time = next(f) >> below(f, 64) };
	enum otst_subbuf_step step;
	struct otst_record rec;
	uint64_t time = w.time;

	memset(data, 0, room);
	add_events(f, data, room, &time, -1, &len);
	damage(f, data, room);
	if (!below(f, 4))
		len = below(f, room);
	exact = malloc(len ? len : 1);
	memcpy(exact, data, len);
	w.data = exact;
	w.len = len;
	w.at = below(f, 8) ? 0 : below(f, len + 1);
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
	uint8_t *page = f->image + DATA_AT(cpu, i);
	uint32_t len = 0;

	memset(page, 0, f->subbuf_size);
	*time += below(f, 2) ? below(f, 100000) : 0;
	put(page, *time, 8);
	if (counts)
		add_events(f, page + HEADER, f->subbuf_size - HEADER, time, (int)cpu, &len);
	put(page + 8, len, 8);
}

/* a ring as the kernel leaves it: reader's page, then from a head to a commit page */
static void make_cpu(struct fuzz *f, unsigned int cpu)
{
	unsigned int n = 2 + below(f, MOST_PAGES - 2), head = 1 + below(f, n),
		     used = below(f, n + 1);
	unsigned int commit = used ? (head + used - 2) % n + 1 : 0, i;
	uint64_t time = 1 + below(f, 1000000), node = f->base + NODE_AT(cpu, 0);
	uint8_t *c = f->image + CPU_AT(cpu);

	memset(c, 0, 0x100);
	put(c, n, 8);
	put(c + 16, node + 0x40 * head, 8);
	put(c + 24, node + 0x40 * commit, 8);
	put(c + 32, node + 0x40 * commit, 8);
	put(c + 40, node, 8);
	for (i = 0; i <= n; i++) {
		uint8_t *at = f->image + NODE_AT(cpu, i);
		unsigned int to = i ? i % n + 1 : head;

		memset(at, 0, 0x40);
		put(at, node + 0x40 * to + (i && to == head ? 1 + below(f, 2) : 0), 8);
		put(at + 8, node + 0x40 * (i > 1 ? i - 1 : n), 8);
		put(at + 56, f->base + DATA_AT(cpu, i), 8);
	}
	make_page(f, cpu, 0, &time, below(f, 2));
	for (i = 0; i < n; i++)
		make_page(f, cpu, (head + i - 1) % n + 1, &time, i < used);
}

static void damage_ring(struct fuzz *f)
{
	uint64_t somewhere;
	unsigned int i;

	for (i = 1 + below(f, 5); i--;) {
		unsigned int cpu = below(f, f->nr_cpus), page = below(f, MOST_PAGES + 1);

		switch (below(f, 6)) {
		case 0:
			damage(f, f->image + DATA_AT(cpu, page), f->subbuf_size);
			break;
		case 1:
			damage(f, f->image + DATA_AT(cpu, page), HEADER);
			break;
		case 2:
			damage(f, f->image + NODE_AT(cpu, page), 64);
			break;
		case 3:
			damage(f, f->image + CPU_AT(cpu), 64);
			break;
		case 4:
			f->missing[below(f, IMAGE / OTST_PAGE_SIZE)] = true;
			break;
		default: /* a pointer to another page, as likely as not in a loop */
			somewhere = f->base + NODE_AT(below(f, 3), below(f, 8)) + below(f, 3);
			put(f->image + NODE_AT(cpu, page) + 8 * below(f, 2), somewhere, 8);
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
	volatile uint8_t sum = 0;

	if (rec->gap)
		return !rec->data && rec->error;
	for (uint32_t i = 0; i < rec->size; i++)
		sum += rec->data[i];
	return rec->size >= 8 && rec->size <= f->subbuf_size && rec->cpu < f->nr_cpus;
}

/* all that @wish lets through; @exact: it must be told[first] to told[end - 1] */
static void read_ring(struct fuzz *f, struct otst_ring *ring, const struct otst_reader_wish *wish,
		      bool exact, size_t first, size_t end)
{
	struct otst_record rec, ahead;
	struct otst_reader *r;
	size_t count = 0;
	int more = otst_reader_open(ring, wish, &r);

	while (!more && (more = otst_reader_next(r, &rec)) > 0) {
		const struct told *t = &f->told[first + count];

		if (!below(f, 4) && otst_reader_peek(r, below(f, f->nr_cpus), &ahead) > 0 &&
		    !check_record(f, &ahead))
			f->wrong = "a record ahead";
		if (!check_record(f, &rec))
			f->wrong = "a record";
		if (exact && (first + count >= end || rec.gap || rec.time != t->time ||
			      rec.cpu != t->cpu || (uint32_t)rec.pid != t->pid))
			f->wrong = "not what was written";
		if (++count > 4 * MOST_RECORDS)
			f->wrong = "no end";
		more = f->wrong ? -1 : 0;
	}
	if (more < 0 && !f->wrong)
		f->wrong = "an error";
	if (exact && !f->wrong && first + count != end)
		f->wrong = "less than was written";
}

static void read_wishes(struct fuzz *f, struct otst_ring *ring, bool whole)
{
	struct otst_reader_wish wish = { .pid = -1, .to = UINT64_MAX };
	size_t first = 0, end = f->nr_told;

	read_ring(f, ring, &wish, whole, 0, end);
	if (f->wrong)
		return;
	if (end && below(f, 2)) {
		first = below(f, (uint32_t)end);
		wish.from = f->told[first].time;
		wish.to = f->told[first + below(f, (uint32_t)(end - first))].time;
		while (first && f->told[first - 1].time == wish.from)
			first--;
		while (end && f->told[end - 1].time > wish.to)
			end--;
	}
	if (below(f, 4)) {
		wish.last = 1 + below(f, 50);
		first = end - first > wish.last ? end - wish.last : first;
	}
	read_ring(f, ring, &wish, whole, first, end);
}

static bool read_rings(struct fuzz *f)
{
	struct otst_cpu_buffer cpus[MOST_CPUS] = { 0 };
	struct otst_trace_buffer b = { .addr = 1, .cpus = cpus };
	bool whole = !below(f, 4);
	struct otst_ring *ring;
	unsigned int i;

	f->base = 0xff00000000000000 + f->run * IMAGE;
	f->subbuf_size = 4096u << (below(f, 8) ? 0 : below(f, 3));
	f->nr_cpus = 1 + below(f, MOST_CPUS);
	f->nr_told = 0;
	f->wrong = NULL;
	memset(f->missing, 0, sizeof(f->missing));
	for (i = 0; i < f->nr_cpus; i++) {
		make_cpu(f, i);
		cpus[i].cpu = i;
		cpus[i].addr = f->base + CPU_AT(i);
	}
	qsort(f->told, f->nr_told, sizeof(*f->told), by_time);
	if (!whole)
		damage_ring(f);
	b.nr_cpus = f->nr_cpus;
	b.subbuf_size = f->subbuf_size;
	otst_command_begin(f->o);
	if (otst_ring_open(f->o, &b, !whole && below(f, 2), &ring))
		f->wrong = "it does not open";
	else
		read_wishes(f, ring, whole);
	return !f->wrong;
}

/* each run has its own beginning, so that one can be repeated alone */
static int run_all(struct fuzz *f, uint64_t first, uint64_t runs, uint64_t seed)
{
	for (f->run = first; f->run < first + runs; f->run++) {
		f->state = (seed * 0x9e3779b97f4a7c15ull) ^ (f->run + 1) * 0xbf58476d1ce4e5b9ull;
		f->state = f->state ? f->state : 1;
		f->wrong = "a walk";
		/* a run takes microseconds: whatever takes seconds hangs */
		if (!(f->run % 1024) || runs == 1)
			alarm(20);
		if (!walk_one(f) || (f->run % 16 == 0 && !read_rings(f))) {
			printf("FAIL: %s: --seed %" PRIu64 " --one %" PRIu64 "\n", f->wrong, seed,
			       f->run);
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const struct otst_target_ops ops = { .size = sizeof(ops),
						    .name = "fuzz",
						    .read = read_image,
						    .member = find_member,
						    .type_size = find_size };
	struct fuzz *f = calloc(1, sizeof(*f));
	uint64_t runs = 100000, seed = 1, first = 0;
	int i, status;

	for (i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--runs"))
			runs = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--seed"))
			seed = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--one"))
			first = strtoull(argv[i + 1], NULL, 10), runs = 1;
	}
	if (!f || otst_open(&ops, f, NULL, &f->o))
		return 99;
	status = run_all(f, first, runs, seed);
	otst_close(f->o);
	free(f);
	if (!status)
		printf("note: %" PRIu64 " damaged sub-buffers, %" PRIu64 " rings, seed %" PRIu64
		       "\n",
		       runs, runs / 16, seed);
	return status;
}
