// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_ring.c - rings written here byte by byte: every kind of event, every
 * state that the kernel can leave a ring in, and damage to each.
 *
 * What a reader returns is written in words, oldest first: TIME.PID, with !
 * where events before it were lost (and how many), ~ where it was read, ?
 * where its time is vague; gap COUNT@TIME/CPU for what could not be read.
 */
#include "../../src/ftrace/tracing.h"
#include "mock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/rings/subbuf.h"

/* a cpu's struct, its buffer_page number i, and the data of that page; 0 is the reader's */
#define CPU(c)	   (0xffff888000001000 + 0x100 * (uint64_t)(c))
#define NODE(c, i) (0xffff888000100000 + 0x10000 * (uint64_t)(c) + 0x40 * (uint64_t)(i))
#define DATA(c, i) (0xffff888001000000 + 0x1000000 * (uint64_t)(c) + 0x10000 * (uint64_t)(i))

static const char types[] = "type list_head 16\n"
			    "	next 0 ptr\n"
			    "	prev 8 ptr\n"
			    "type buffer_page 64\n"
			    "	list 0 struct list_head\n"
			    "	write 16 u64\n"
			    "	read 24 u32\n"
			    "	page 56 ptr\n"
			    "type buffer_data_page 16\n"
			    "	time_stamp 0 u64\n"
			    "	commit 8 u64\n"
			    "	data 16 u8[]\n"
			    "type ring_buffer_per_cpu 128\n"
			    "	nr_pages 0 u64\n"
			    "	head_page 16 ptr\n"
			    "	tail_page 24 ptr\n"
			    "	commit_page 32 ptr\n"
			    "	reader_page 40 ptr\n"
			    "	read_stamp 48 u64\n";

/* a dump being built */
struct dump {
	struct text {
		FILE *f;
		char *data;
		size_t len;
	} * text;
	unsigned int nr_cpus;
	uint32_t subbuf_size;
};

/* the events of a sub-buffer being built */
struct events {
	uint8_t data[65536];
	uint32_t len;
};

static struct dump dump_begin(void)
{
	struct dump d = { .text = calloc(1, sizeof(*d.text)), .subbuf_size = 4096 };

	assert_non_null(d.text);
	d.text->f = open_memstream(&d.text->data, &d.text->len);
	assert_non_null(d.text->f);
	fputs(types, d.text->f);
	return d;
}

static void add_word(struct events *e, uint32_t word)
{
	mock_put(e->data + e->len, word, 4);
	e->len += 4;
}

/* type_len and time_delta */
static void add_head(struct events *e, uint32_t type, uint32_t delta)
{
	add_word(e, type | delta << 5);
}

/* an event with nothing but its struct trace_entry */
static void add_event(struct events *e, uint32_t delta, uint32_t pid)
{
	add_head(e, 2, delta);
	add_word(e, 1);
	add_word(e, pid);
}

/* a sub-buffer with events of these pids, one unit of time from one to the next */
static struct events some_events(uint32_t first, uint32_t count)
{
	struct events e = { .len = 0 };

	for (uint32_t i = 0; i < count; i++)
		add_event(&e, i ? 1 : 0, first + i);
	return e;
}

/* @n pages in a circle, entered at @head, left after @commit; a commit of 0 is the reader's page */
static void put_cpu(struct dump *d, unsigned int cpu, unsigned int n, unsigned int head,
		    unsigned int commit)
{
	FILE *f = d->text->f;
	unsigned int i;

	fprintf(f, "obj ring_buffer_per_cpu 0x%" PRIx64 "\n", CPU(cpu));
	fprintf(f, "	nr_pages = %u\n	head_page = 0x%" PRIx64 "\n", n, NODE(cpu, head));
	fprintf(f, "	tail_page = 0x%" PRIx64 "\n	commit_page = 0x%" PRIx64 "\n",
		NODE(cpu, commit), NODE(cpu, commit));
	fprintf(f, "	reader_page = 0x%" PRIx64 "\n", NODE(cpu, 0));
	for (i = 0; i <= n; i++) {
		unsigned int next = i % n + 1, prev = i > 1 ? i - 1 : n;

		/* a reader's page, once swapped, points into the circle; nothing points back */
		if (!i)
			next = head;
		fprintf(f, "obj buffer_page 0x%" PRIx64 "\n	page = 0x%" PRIx64 "\n",
			NODE(cpu, i), DATA(cpu, i));
		fprintf(f, "	list.next = 0x%" PRIx64 "\n	list.prev = 0x%" PRIx64 "\n",
			NODE(cpu, next) + (i && next == head), NODE(cpu, prev));
		fprintf(f, "fill 0x%" PRIx64 " %" PRIu32 " 0\n", DATA(cpu, i), d->subbuf_size);
	}
	if (cpu >= d->nr_cpus)
		d->nr_cpus = cpu + 1;
}

static void put_commit(struct dump *d, unsigned int cpu, unsigned int i, uint64_t time,
		       uint64_t commit, const struct events *e)
{
	FILE *f = d->text->f;
	uint32_t at;

	fprintf(f, "u64 0x%" PRIx64 ": 0x%" PRIx64 " 0x%" PRIx64 "\n", DATA(cpu, i), time, commit);
	for (at = 0; at < e->len; at += 4)
		fprintf(f, "u32 0x%" PRIx64 ": 0x%" PRIx32 "\n", DATA(cpu, i) + 16 + at,
			(uint32_t)otst_get_le(e->data + at, 4));
}

static void put_page(struct dump *d, unsigned int cpu, unsigned int i, uint64_t time,
		     struct events e)
{
	put_commit(d, cpu, i, time, e.len, &e);
}

static void put_u64(struct dump *d, uint64_t addr, uint64_t value)
{
	fprintf(d->text->f, "u64 0x%" PRIx64 ": 0x%" PRIx64 "\n", addr, value);
}

static void put_u32(struct dump *d, uint64_t addr, uint32_t value)
{
	fprintf(d->text->f, "u32 0x%" PRIx64 ": 0x%" PRIx32 "\n", addr, value);
}

static void unmap(struct dump *d, uint64_t addr, uint64_t len)
{
	fprintf(d->text->f, "unmap 0x%" PRIx64 " %" PRIu64 "\n", addr, len);
}

/* ---- what a reader gives ---- */

static const struct otst_reader_filter all = { .pid = -1, .to = UINT64_MAX };

static const struct otst_options live = { .size = sizeof(live), .live = 1 };
static const struct otst_options *options;

static struct mock *open_ring(struct dump *d, bool consumed, struct otst_ring **ret)
{
	struct otst_cpu_buffer cpus[8] = { 0 };
	struct otst_trace_buffer b = { .addr = 1, .cpus = cpus };
	struct mock *m;

	fclose(d->text->f);
	m = options ? mock_open_options(d->text->data, options) : mock_open(d->text->data);
	free(d->text->data);
	free(d->text);
	b.nr_cpus = d->nr_cpus;
	b.subbuf_size = d->subbuf_size;
	for (unsigned int i = 0; i < d->nr_cpus; i++) {
		cpus[i].cpu = i;
		cpus[i].addr = CPU(i);
	}
	otst_command_begin(m->o);
	assert_int_equal(otst_ring_open(m->o, &b, consumed, ret), 0);
	return m;
}

static void tell(FILE *f, const struct otst_record *r)
{
	if (r->gap) {
		fprintf(f, "gap %u@%" PRIu64 "/%u ", r->gap, r->time, r->cpu);
		assert_non_null(r->error);
		assert_null(r->data);
		return;
	}
	assert_int_equal(otst_get_le(r->data + 4, 4), r->pid);
	if (r->lost)
		fprintf(f, "!");
	if (r->lost_count)
		fprintf(f, "%" PRIu64 "!", r->lost_count);
	fprintf(f, "%s%s%" PRIu64 ".%d ", r->consumed ? "~" : "", r->vague ? "?" : "", r->time,
		r->pid);
}

static void check_filter(struct otst_ring *ring, const struct otst_reader_filter *filter,
			 const char *want)
{
	struct otst_reader *r;
	struct otst_record rec;
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	int more;

	assert_int_equal(otst_reader_open(ring, filter, &r), 0);
	while ((more = otst_reader_next(r, &rec)) > 0)
		tell(f, &rec);
	assert_int_equal(more, 0);
	/* the end stays the end */
	assert_int_equal(otst_reader_next(r, &rec), 0);
	fclose(f);
	if (len)
		text[len - 1] = '\0';
	assert_string_equal(text, want);
	free(text);
}

/* all records of the dump, and the number of complaints about lists */
static void check_mode(struct dump *d, bool consumed, size_t errors, const char *want)
{
	struct otst_ring *ring;
	struct mock *m = open_ring(d, consumed, &ring);
	size_t count = 0;

	for (size_t i = 0; i < ring->nr_cpus; i++)
		count += ring->cpus[i].errors.count;
	check_filter(ring, &all, want);
	assert_int_equal(count, errors);
	mock_close(m);
}

static void check(struct dump *d, const char *want)
{
	check_mode(d, false, 0, want);
}

/* ---- the events of a sub-buffer ---- */

/* walks @len bytes that start at time 1000; the bytes end where memory does */
static void check_walk(const uint8_t *bytes, uint32_t len, const char *want)
{
	uint8_t *data = malloc(len ? len : 1);
	struct otst_subbuf_walk w = { .data = data, .len = len, .time = 1000 };
	struct otst_record r = { 0 };
	enum otst_subbuf_step step;
	char *text;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (len)
		memcpy(data, bytes, len);
	while ((step = otst_subbuf_next(&w, &r)) == OTST_SUBBUF_RECORD)
		fprintf(f, "%" PRIu64 ".%d type %u size %u, ", r.time, r.pid, r.type, r.size);
	fprintf(f, "%s", step == OTST_SUBBUF_END ? "end" : w.error);
	fclose(f);
	assert_string_equal(text, want);
	assert_int_equal(otst_subbuf_next(&w, &r), OTST_SUBBUF_END);
	free(text);
	free(data);
}

#define WALK(want, ...)                                         \
	do {                                                    \
		static const uint8_t bytes[] = { __VA_ARGS__ }; \
		check_walk(bytes, sizeof(bytes), want);         \
	} while (0)

/* struct trace_entry: type 9, flags and preempt_count set, pid 42 */
#define ENTRY 0x09, 0x00, 0x04, 0x01, 0x2a, 0x00, 0x00, 0x00

static void test_data(void **state)
{
	(void)state;
	check_walk(NULL, 0, "end");
	/* two words of data; time_delta 5 is 5 << 5 */
	WALK("1005.42 type 9 size 8, end", 0xa2, 0x00, 0x00, 0x00, ENTRY);
	/* two events; the largest time_delta */
	WALK("1000.42 type 9 size 8, 134218727.42 type 9 size 12, end", 0x02, 0, 0, 0, ENTRY, 0xe3,
	     0xff, 0xff, 0xff, ENTRY, 1, 2, 3, 4);
	/* type_len 0: the length is in the next word, and counts itself */
	WALK("1001.42 type 9 size 12, end", 0x20, 0, 0, 0, 0x10, 0, 0, 0, ENTRY, 1, 2, 3, 4);
}

static void test_time(void **state)
{
	(void)state;
	/* extend: time_delta 3, and 2 << 27; then an event 4 later */
	WALK("268436463.42 type 9 size 8, end", 0x7e, 0, 0, 0, 2, 0, 0, 0, 0x82, 0, 0, 0, ENTRY);
	/* absolute: 2 << 27, and 3; the event's own time_delta is for those after it */
	WALK("268435459.42 type 9 size 8, 268435466.42 type 9 size 8, end", 0x7f, 0, 0, 0, 2, 0, 0,
	     0, 0x82, 0, 0, 0, ENTRY, 0x62, 0, 0, 0, ENTRY);
	/* an absolute time may go back */
	WALK("3.42 type 9 size 8, end", 0x7f, 0, 0, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, ENTRY);
	/* a discarded event's time_delta does not count; that of an extend before it does */
	WALK("1007.42 type 9 size 8, end", 0x3d, 0, 0, 0, 8, 0, 0, 0, 1, 2, 3, 4, 0xe2, 0, 0, 0,
	     ENTRY);
	WALK("134218735.42 type 9 size 8, end", 0x1e, 0, 0, 0, 1, 0, 0, 0, 0x3d, 0, 0, 0, 4, 0, 0,
	     0, 0xe2, 0, 0, 0, ENTRY);
	/* an absolute time before a discarded event: the next one counts from it */
	WALK("10.42 type 9 size 8, end", 0x7f, 0, 0, 0, 0, 0, 0, 0, 0x3d, 0, 0, 0, 4, 0, 0, 0, 0xe2,
	     0, 0, 0, ENTRY);
}

static void test_stamp_top_bits(void **state)
{
	(void)state;
	/* 59 bits are written; the others come from the time before */
	assert_int_equal(otst_subbuf_stamp(5, 3), 5);
	assert_int_equal(otst_subbuf_stamp(5, 0x0800000000000003), 0x0800000000000005);
	/* unless that went backwards */
	assert_int_equal(otst_subbuf_stamp(5, 0x0800000000000007), 0x1000000000000005);
	assert_int_equal(otst_subbuf_stamp(5, 7), 5);
}

static void test_padding(void **state)
{
	(void)state;
	/* time_delta 0: the rest is unused */
	WALK("1000.42 type 9 size 8, end", 0x02, 0, 0, 0, ENTRY, 0x1d, 0, 0, 0, 0xff, 0xff, 0xff,
	     0xff, 0x02, 0, 0, 0, ENTRY);
	WALK("1000.42 type 9 size 8, end", 0x02, 0, 0, 0, ENTRY, 0x1d, 0, 0, 0);
	WALK("end", 0x1d, 0, 0, 0);
}

static void test_bad_events(void **state)
{
	(void)state;
	WALK("1000.42 type 9 size 8, an event has a wrong length", 0x02, 0, 0, 0, ENTRY, 0x03, 0, 0,
	     0, ENTRY);
	WALK("an event has a wrong length", 0x00, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, ENTRY);
	WALK("an event has a wrong length", 0x00, 0, 0, 0, 0xfc, 0xff, 0xff, 0xff, ENTRY);
	/* zeros */
	WALK("1000.42 type 9 size 8, an event has a wrong length", 0x02, 0, 0, 0, ENTRY, 0, 0, 0, 0,
	     0, 0, 0, 0, 0, 0, 0, 0);
	WALK("an event has a wrong length", 0x01, 0, 0, 0, 1, 0, 0, 0);
	WALK("an event has a wrong length", 0x00, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0);
	WALK("an event has a wrong length", 0x00, 0, 0, 0, 0x0d, 0, 0, 0, ENTRY, 1, 2, 3, 4);
	WALK("a discarded event has a wrong length", 0x3d, 0, 0, 0, 0x05, 0, 0, 0, 1, 2, 3, 4);
	WALK("a discarded event has a wrong length", 0x3d, 0, 0, 0, 12, 0, 0, 0, 1, 2, 3, 4);
	WALK("a discarded event has a wrong length", 0x3d, 0, 0, 0, 0, 0, 0, 0);
	WALK("an event is cut off", 0x02, 0, 0, 0);
	WALK("an event is cut off", 0x02);
	WALK("an event is cut off", 0x7e, 0, 0, 0, 2, 0, 0, 0, 0x82, 0, 0, 0);
}

/* ---- lists ---- */

static void test_virgin(void **state)
{
	struct dump d = dump_begin();

	(void)state;
	/* nothing was read yet: the reader's page is empty and points to itself */
	put_cpu(&d, 0, 3, 1, 2);
	put_u64(&d, NODE(0, 0), NODE(0, 0));
	put_u64(&d, NODE(0, 0) + 8, NODE(0, 0));
	put_page(&d, 0, 1, 100, some_events(1, 2));
	put_page(&d, 0, 2, 200, some_events(3, 1));
	check(&d, "100.1 101.2 200.3");

	d = dump_begin();
	put_cpu(&d, 0, 3, 1, 1);
	check(&d, "");
}

static void test_around(void **state)
{
	struct dump d = dump_begin();

	(void)state;
	/* the circle is full and has been overwritten: from 3 over 1 to 2 */
	put_cpu(&d, 0, 3, 3, 2);
	put_page(&d, 0, 0, 50, some_events(9, 1));
	put_page(&d, 0, 3, 100, some_events(1, 2));
	put_page(&d, 0, 1, 200, some_events(3, 1));
	put_page(&d, 0, 2, 300, some_events(4, 1));
	check(&d, "50.9 100.1 101.2 200.3 300.4");
}

static void test_reader_page(void **state)
{
	struct dump d = dump_begin();
	struct events e = some_events(1, 4);

	(void)state;
	/* the first two were read, the second at 101 */
	put_cpu(&d, 0, 2, 1, 0);
	put_commit(&d, 0, 0, 100, e.len, &e);
	put_u32(&d, NODE(0, 0) + 24, 24);
	put_u64(&d, CPU(0) + 48, 101);
	/* the writer is on the reader's page: what is in the circle is old */
	put_page(&d, 0, 1, 10, some_events(7, 1));
	check(&d, "102.3 103.4");

	/* all was read */
	d = dump_begin();
	put_cpu(&d, 0, 2, 1, 1);
	put_commit(&d, 0, 0, 100, e.len, &e);
	put_u32(&d, NODE(0, 0) + 24, 48);
	put_u64(&d, CPU(0) + 48, 103);
	put_page(&d, 0, 1, 110, some_events(7, 1));
	check(&d, "110.7");
}

/* two events, the second of which is not committed, and one on the next page */
static void test_not_committed(void **state)
{
	struct dump d = dump_begin();
	struct events e = some_events(1, 2);

	(void)state;
	put_cpu(&d, 0, 3, 1, 1);
	put_commit(&d, 0, 1, 100, 12, &e);
	put_page(&d, 0, 2, 200, some_events(3, 1));
	put_u64(&d, CPU(0) + 24, NODE(0, 2));
	check(&d, "100.1");
}

static struct dump dump_of_three(void)
{
	struct dump d = dump_begin();

	put_cpu(&d, 0, 3, 2, 1);
	put_page(&d, 0, 2, 100, some_events(1, 1));
	put_page(&d, 0, 3, 200, some_events(2, 1));
	put_page(&d, 0, 1, 300, some_events(3, 1));
	return d;
}

static void test_head(void **state)
{
	struct dump d = dump_of_three();

	(void)state;
	/* RB_PAGE_UPDATE */
	put_u64(&d, NODE(0, 1), NODE(0, 2) + 2);
	check(&d, "100.1 200.2 300.3");

	/* head_page is where it was before */
	d = dump_of_three();
	put_u64(&d, CPU(0) + 16, NODE(0, 1));
	check(&d, "100.1 200.2 300.3");
	d = dump_of_three();
	put_u64(&d, CPU(0) + 16, NODE(0, 3));
	check(&d, "100.1 200.2 300.3");

	/* head_page is nothing at all */
	d = dump_of_three();
	put_u64(&d, CPU(0) + 16, 0x6b6b6b6b6b6b6b6b);
	check(&d, "100.1 200.2 300.3");

	/* that one's link back is wrong, too */
	d = dump_of_three();
	put_u64(&d, CPU(0) + 16, NODE(0, 3));
	put_u64(&d, NODE(0, 3) + 8, NODE(0, 1));
	check(&d, "100.1 200.2 300.3");

	/* no mark anywhere */
	d = dump_of_three();
	put_u64(&d, NODE(0, 1), NODE(0, 2));
	check_mode(&d, false, 1, "100.1 200.2 300.3");

	/* a reader has just taken the head out of the circle, and not yet said so */
	d = dump_of_three();
	put_u64(&d, NODE(0, 1), NODE(0, 0));
	put_u64(&d, NODE(0, 0), NODE(0, 3) + 1);
	put_u64(&d, NODE(0, 0) + 8, NODE(0, 1));
	check(&d, "100.1 200.2 300.3");
}

/* ---- all cpus ---- */

static void test_merge(void **state)
{
	struct dump d = dump_begin();
	unsigned int cpu;

	(void)state;
	for (cpu = 0; cpu < 3; cpu++)
		put_cpu(&d, cpu, 2, 1, 2);
	put_page(&d, 2, 1, 100, some_events(21, 3));
	put_page(&d, 0, 1, 100, some_events(1, 1));
	put_page(&d, 0, 2, 102, some_events(2, 2));
	put_page(&d, 1, 1, 101, some_events(11, 2));
	check(&d, "100.1 100.21 101.11 101.22 102.2 102.12 102.23 103.3");
}

static void test_backwards(void **state)
{
	struct dump d = dump_begin();

	(void)state;
	/* as in the kernel: a cpu's records keep their order */
	put_cpu(&d, 0, 3, 1, 3);
	put_page(&d, 0, 1, 200, some_events(1, 2));
	put_page(&d, 0, 2, 100, some_events(3, 2));
	put_page(&d, 0, 3, 300, some_events(5, 1));
	put_cpu(&d, 1, 3, 1, 1);
	put_page(&d, 1, 1, 150, some_events(11, 1));
	check(&d, "150.11 200.1 201.2 100.3 101.4 300.5");
}

static void test_lost(void **state)
{
	struct dump d = dump_begin();
	struct events e = some_events(1, 2);
	struct otst_reader_filter filter = all;
	struct otst_ring *ring;
	struct mock *m;

	(void)state;
	/* bit 31: events were lost; bit 30: their number stands after the data */
	put_cpu(&d, 0, 3, 1, 2);
	put_commit(&d, 0, 1, 100, 1u << 31 | e.len, &e);
	add_word(&e, 77);
	put_commit(&d, 0, 2, 200, 3u << 30 | (e.len - 4), &e);
	m = open_ring(&d, false, &ring);
	check_filter(ring, &all, "!100.1 101.2 !77!200.1 201.2");
	/* reported with the first record that is selected */
	filter.pid = 2;
	check_filter(ring, &filter, "!101.2 !77!201.2");
	mock_close(m);
}

/* ---- which records ---- */

static bool is_odd(void *priv, const struct otst_record *r)
{
	++*(unsigned int *)priv;
	return r->pid % 2;
}

static struct dump dump_of_many(void)
{
	struct dump d = dump_begin();

	/* one per unit of time: cpu 0 has 100 to 139, cpu 1 120 to 134, four per page */
	put_cpu(&d, 0, 10, 1, 10);
	for (unsigned int i = 1; i <= 10; i++)
		put_page(&d, 0, i, 96 + 4 * i, some_events(4 * i, 4));
	put_cpu(&d, 1, 5, 1, 4);
	for (unsigned int i = 1; i <= 3; i++)
		put_page(&d, 1, i, 116 + 4 * i, some_events(100 + 4 * i, 4));
	put_page(&d, 1, 4, 132, some_events(116, 3));
	return d;
}

static void test_filter(void **state)
{
	struct otst_reader_filter filter = all;
	struct dump d = dump_of_many();
	uint64_t second[] = { 2 };
	unsigned int asked = 0;
	struct otst_ring *ring;
	struct mock *m = open_ring(&d, false, &ring);

	(void)state;
	filter.cpus = second;
	filter.nr_cpus = 2;
	filter.to = 121;
	check_filter(ring, &filter, "120.104 121.105");
	filter = all;
	filter.from = 118;
	filter.to = 121;
	check_filter(ring, &filter, "118.22 119.23 120.24 120.104 121.25 121.105");
	filter.chosen = is_odd;
	filter.priv = &asked;
	check_filter(ring, &filter, "119.23 121.25 121.105");
	/* the window comes first */
	assert_int_equal(asked, 6);
	filter = all;
	filter.pid = 117;
	check_filter(ring, &filter, "133.117");
	filter = all;
	filter.from = 1000;
	check_filter(ring, &filter, "");
	filter.from = 0;
	filter.to = 99;
	check_filter(ring, &filter, "");
	mock_close(m);
}

static void test_window_reads_little(void **state)
{
	struct otst_reader_filter filter = all;
	struct dump d = dump_begin();
	struct otst_ring *ring;
	struct mock *m;
	unsigned int before;

	(void)state;
	put_cpu(&d, 0, 256, 1, 256);
	for (unsigned int i = 1; i <= 256; i++)
		put_page(&d, 0, i, 1000 * i, some_events(i, 2));
	m = open_ring(&d, false, &ring);
	before = m->reads;
	filter.from = 200000;
	filter.to = 200001;
	check_filter(ring, &filter, "200000.200 200001.201");
	/* two searches of 8 steps each, and what is in the window */
	assert_true(m->reads > before && m->reads - before <= 20);
	before = m->reads;
	filter = all;
	filter.last = 3;
	check_filter(ring, &filter, "255001.256 256000.256 256001.257");
	assert_true(m->reads > before && m->reads - before <= 5);
	mock_close(m);
}

static void test_last(void **state)
{
	struct otst_reader_filter filter = all;
	struct dump d = dump_of_many();
	unsigned int asked = 0;
	struct otst_ring *ring;
	struct mock *m = open_ring(&d, false, &ring);

	(void)state;
	filter.last = 1;
	check_filter(ring, &filter, "139.43");
	filter.last = 7;
	check_filter(ring, &filter, "134.38 134.118 135.39 136.40 137.41 138.42 139.43");
	filter.last = 3;
	filter.to = 121;
	check_filter(ring, &filter, "120.104 121.25 121.105");
	filter = all;
	filter.last = 2;
	filter.pid = 5;
	check_filter(ring, &filter, "101.5");
	filter = all;
	filter.last = 4;
	filter.chosen = is_odd;
	filter.priv = &asked;
	check_filter(ring, &filter, "133.117 135.39 137.41 139.43");
	mock_close(m);
}

/* ---- damage ---- */

static void test_gaps(void **state)
{
	struct dump d = dump_of_three();

	(void)state;
	/* data that is not in the dump */
	unmap(&d, DATA(0, 3), 4096);
	check(&d, "100.1 gap 1@300/0 300.3");
	d = dump_of_three();
	unmap(&d, DATA(0, 2), 4096);
	unmap(&d, DATA(0, 3), 4096);
	check(&d, "gap 2@300/0 300.3");
	d = dump_of_three();
	unmap(&d, DATA(0, 1), 4096);
	check(&d, "100.1 200.2 gap 1@200/0");
	/* a data pointer that leads nowhere */
	d = dump_of_three();
	put_u64(&d, NODE(0, 3) + 56, 0x1234);
	check(&d, "100.1 gap 1@300/0 300.3");
	/* commit beyond the page */
	d = dump_of_three();
	put_u64(&d, DATA(0, 3) + 8, 4081);
	check(&d, "100.1 gap 1@300/0 300.3");
	/* torn: zeros from its third event on */
	d = dump_of_three();
	put_page(&d, 0, 3, 200, some_events(20, 2));
	put_u64(&d, DATA(0, 3) + 8, 48);
	check(&d, "100.1 200.20 201.21 gap 1@300/0 300.3");
	/* more was read than was written */
	d = dump_of_three();
	put_u32(&d, NODE(0, 0) + 24, 12);
	check(&d, "gap 1@100/0 100.1 200.2 300.3");
}

static void test_cut_list(void **state)
{
	struct dump d = dump_of_many();

	(void)state;
	/* one struct buffer_page is missing: the rest is found from the other end */
	unmap(&d, NODE(1, 2), 64);
	check_mode(&d, false, 1,
		   "100.4 101.5 102.6 103.7 104.8 105.9 106.10 107.11 108.12 109.13 110.14 111.15 "
		   "112.16 113.17 114.18 115.19 116.20 117.21 118.22 119.23 120.24 120.104 121.25 "
		   "121.105 122.26 122.106 123.27 123.107 124.28 125.29 126.30 127.31 "
		   "128.32 gap 1@128/1 128.112 129.33 129.113 130.34 130.114 131.35 131.115 "
		   "132.36 132.116 133.37 133.117 134.38 134.118 135.39 136.40 137.41 138.42 "
		   "139.43");
	/* the first, the last */
	d = dump_of_three();
	unmap(&d, NODE(0, 2), 64);
	check_mode(&d, false, 1, "gap 1@200/0 200.2 300.3");
	d = dump_of_three();
	/* its pointer marks the head, too */
	unmap(&d, NODE(0, 1), 64);
	check_mode(&d, false, 2, "100.1 200.2 gap 1@200/0");
	d = dump_of_three();
	unmap(&d, NODE(0, 0), 64);
	check_mode(&d, false, 1, "gap 1@100/0 100.1 200.2 300.3");
	/* a pointer is wrong, and all pages are there */
	d = dump_of_three();
	put_u64(&d, NODE(0, 2), 0xffff888000000800);
	check_mode(&d, false, 1, "100.1 200.2 300.3");
	d = dump_of_three();
	put_u64(&d, NODE(0, 2), 0x10);
	check_mode(&d, false, 1, "100.1 200.2 300.3");
}

static void test_missing_neighbours(void **state)
{
	struct otst_reader_filter filter = all;
	struct dump d = dump_of_many();
	uint64_t first[] = { 1 };
	struct otst_ring *ring;
	struct mock *m;

	(void)state;
	/* three pages that nothing points to any more: what is left of all pages tells how many */
	unmap(&d, NODE(0, 4), 3 * 64);
	m = open_ring(&d, false, &ring);
	filter.cpus = first;
	filter.nr_cpus = 1;
	check_filter(
		ring, &filter,
		"100.4 101.5 102.6 103.7 104.8 105.9 106.10 107.11 108.12 109.13 110.14 111.15 "
		"gap 3@124/0 124.28 125.29 126.30 127.31 128.32 129.33 130.34 131.35 132.36 "
		"133.37 134.38 135.39 136.40 137.41 138.42 139.43");
	mock_close(m);
}

static void test_loops(void **state)
{
	struct dump d = dump_of_many();
	struct otst_reader_filter filter = all;
	uint64_t first[] = { 1 };
	struct otst_ring *ring;
	struct mock *m;

	(void)state;
	/* back to the second page: what follows it comes from the other end */
	put_u64(&d, NODE(0, 8), NODE(0, 2));
	m = open_ring(&d, false, &ring);
	assert_int_equal(ring->cpus[0].errors.count, 1);
	assert_int_equal(ring->cpus[0].nr_subbufs, 11);
	filter.cpus = first;
	filter.nr_cpus = 1;
	filter.from = 124;
	check_filter(ring, &filter,
		     "124.28 125.29 126.30 127.31 128.32 129.33 130.34 131.35 132.36 133.37 134.38 "
		     "135.39 136.40 137.41 138.42 139.43");
	mock_close(m);

	/* to itself, and a commit page that is not in the circle */
	d = dump_of_three();
	put_u64(&d, NODE(0, 3), NODE(0, 3));
	check_mode(&d, false, 1, "100.1 200.2 300.3");
	d = dump_of_three();
	put_u64(&d, CPU(0) + 32, 0xffff888000000800);
	check_mode(&d, false, 1, "100.1 200.2 300.3 gap 1@300/0");
}

static void test_no_ring(void **state)
{
	struct dump d = dump_of_three();

	(void)state;
	put_cpu(&d, 1, 2, 1, 1);
	put_page(&d, 1, 1, 110, some_events(11, 1));
	unmap(&d, CPU(0), 128);
	check_mode(&d, false, 1, "110.11");
}

static void test_large_subbufs(void **state)
{
	struct dump d = dump_begin();
	struct events e = some_events(1, 1000);
	struct otst_reader_filter filter = all;
	struct otst_ring *ring;
	struct mock *m;

	(void)state;
	/* 16 KiB: events of 12 bytes up to 12000 */
	d.subbuf_size = 16384;
	put_cpu(&d, 0, 2, 1, 2);
	put_commit(&d, 0, 1, 1000, e.len, &e);
	put_page(&d, 0, 2, 3000, some_events(5000, 1));
	/* the third page of the first: 8192 bytes can be read, 8176 without the header */
	unmap(&d, DATA(0, 1) + 8192, 4096);
	m = open_ring(&d, false, &ring);
	filter.from = 1679;
	check_filter(ring, &filter, "1679.680 1680.681 gap 1@3000/0 3000.5000");
	mock_close(m);
}

/* ---- what was read ---- */

/* a page of 4080 bytes full of events from @pid on, as it is when a reader gives it back */
static struct events full_page(uint32_t pid)
{
	return some_events(pid, 340);
}

static void test_consumed(void **state)
{
	struct otst_reader_filter filter = all;
	struct events e = full_page(1000);
	struct dump d = dump_begin();
	struct otst_ring *ring;
	struct mock *m;

	(void)state;
	/* ftrace_dump() has read all: pages 1 and 2 were given back, the reader's is the last */
	put_cpu(&d, 0, 4, 3, 0);
	put_commit(&d, 0, 1, 1000, 0, &e);
	e = full_page(2000);
	put_commit(&d, 0, 2, 2000, 0, &e);
	e = some_events(1, 2);
	put_commit(&d, 0, 0, 3000, e.len, &e);
	put_u32(&d, NODE(0, 0) + 24, e.len);
	m = open_ring(&d, true, &ring);
	filter.from = 2338;
	check_filter(ring, &filter, "~2338.2338 ~2339.2339 ~3000.1 ~3001.2");
	filter = all;
	filter.last = 4;
	check_filter(ring, &filter, "~2338.2338 ~2339.2339 ~3000.1 ~3001.2");
	/* as the kernel gives them, there are none */
	mock_close(m);
	d = dump_begin();
	put_cpu(&d, 0, 4, 3, 0);
	put_commit(&d, 0, 0, 3000, e.len, &e);
	put_u32(&d, NODE(0, 0) + 24, e.len);
	m = open_ring(&d, false, &ring);
	check_filter(ring, &all, "");
	mock_close(m);
}

static bool is_near(void *priv, const struct otst_record *r)
{
	(void)priv;
	return r->pid < 1001 || (r->pid > 1337 && r->pid < 2001) || r->pid == 2199;
}

/* kernels that clear the time of a page that is given back: the latest possible time */
static void test_vague(void **state)
{
	struct events e = full_page(1000), mixed = { .len = 0 };
	struct otst_reader_filter filter = all;
	struct dump d = dump_begin();
	struct otst_ring *ring;
	struct mock *m;

	(void)state;
	put_cpu(&d, 0, 4, 4, 0);
	/* never written, all zeros: page 1; read: pages 2 and 3, from 0 to 339 each */
	put_commit(&d, 0, 2, 0, 0, &e);
	/* in page 3 the last events come after an absolute time, 2700 */
	for (uint32_t i = 0; i < 200; i++)
		add_event(&mixed, 1, 2000 + i);
	add_head(&mixed, 31, 2700);
	add_word(&mixed, 0);
	while (mixed.len < 4076)
		add_event(&mixed, 0, 3000);
	add_head(&mixed, 29, 0);
	put_commit(&d, 0, 3, 0, 0, &mixed);
	e = some_events(1, 2);
	put_commit(&d, 0, 0, 5000, e.len, &e);
	put_u32(&d, NODE(0, 0) + 24, e.len);
	m = open_ring(&d, true, &ring);
	filter.to = 2161;
	/* page 3 starts no later than 2500, so that its 200th event is not after 2700 */
	filter.chosen = is_near;
	check_filter(ring, &filter, "~?2161.1000");
	filter.to = UINT64_MAX;
	filter.from = 2499;
	check_filter(ring, &filter,
		     "~?2499.1338 ~?2500.1339 ~?2501.2000 ~?2700.2199 ~5000.1 ~5001.2");
	mock_close(m);
}

static void test_peek(void **state)
{
	struct dump d = dump_of_three();
	struct otst_record rec, next;
	struct otst_ring *ring;
	struct otst_reader *r;
	struct mock *m;

	(void)state;
	put_cpu(&d, 1, 2, 1, 1);
	put_page(&d, 1, 1, 150, some_events(11, 1));
	m = open_ring(&d, false, &ring);
	assert_int_equal(otst_reader_open(ring, &all, &r), 0);
	assert_int_equal(otst_reader_peek(r, 1, &next), 1);
	assert_int_equal(next.pid, 11);
	assert_int_equal(otst_reader_next(r, &rec), 1);
	/* the next of this cpu is in the next sub-buffer, and both can be seen */
	assert_int_equal(otst_reader_peek(r, 0, &next), 1);
	assert_int_equal(rec.pid, 1);
	assert_int_equal(otst_get_le(rec.data + 4, 4), 1);
	assert_int_equal(next.pid, 2);
	assert_int_equal(otst_get_le(next.data + 4, 4), 2);
	assert_int_equal(otst_reader_next(r, &rec), 1);
	assert_int_equal(rec.pid, 11);
	assert_int_equal(otst_reader_peek(r, 1, &next), 0);
	assert_int_equal(otst_reader_peek(r, 7, &next), 0);
	assert_int_equal(otst_reader_next(r, &rec), 1);
	assert_int_equal(rec.pid, 2);
	assert_int_equal(otst_reader_next(r, &rec), 1);
	assert_int_equal(rec.pid, 3);
	assert_int_equal(otst_reader_peek(r, 0, &next), 0);
	assert_int_equal(otst_reader_next(r, &rec), 0);
	mock_close(m);
}

static void test_skipped(void **state)
{
	struct dump d = dump_of_many();
	struct otst_ring *ring;
	struct mock *m = open_ring(&d, false, &ring);
	uint64_t count;

	(void)state;
	assert_int_equal(otst_ring_skipped(ring, 0, 0, &count), 0);
	assert_int_equal(count, 0);
	assert_int_equal(otst_ring_skipped(ring, 0, 107, &count), 0);
	assert_int_equal(count, 7);
	assert_int_equal(otst_ring_skipped(ring, 1, 1000, &count), 0);
	assert_int_equal(count, 15);
	mock_close(m);
}

/* ---- a ring that is written while it is read ---- */

static struct {
	uint64_t addr;	    /* of a sub-buffer's header */
	unsigned int after; /* after so many reads of it */
	unsigned int at;    /* of the header */
	uint64_t value;	    /* what it becomes */
} writer;

static void write_over(uint64_t addr, void *buf, uint64_t len)
{
	if (addr != writer.addr || len < 16)
		return;
	if (writer.after)
		writer.after--;
	else
		mock_put((char *)buf + writer.at, writer.value, 8);
}

/* all records, when @value appears @at the second sub-buffer's header after @reads reads of it */
static void check_moving(unsigned int reads, unsigned int at, uint64_t value, const char *want)
{
	struct dump d = dump_of_three();
	struct otst_ring *ring;
	struct mock *m;

	writer.addr = DATA(0, 3);
	writer.after = reads;
	writer.at = at;
	writer.value = value;
	options = &live;
	m = open_ring(&d, false, &ring);
	options = NULL;
	m->moves = write_over;
	check_filter(ring, &all, want);
	mock_close(m);
}

static void test_written_over(void **state)
{
	struct dump d;
	struct otst_ring *ring;
	struct mock *m;

	(void)state;
	/* not at all */
	check_moving(1000, 0, 0, "100.1 200.2 300.3");
	/* since it was found; while its data were read: a new time, or emptied */
	check_moving(0, 0, 400, "100.1 gap 1@300/0 300.3");
	check_moving(1, 0, 400, "100.1 gap 1@300/0 300.3");
	check_moving(2, 0, 400, "100.1 gap 1@300/0 300.3");
	check_moving(2, 8, 0, "100.1 gap 1@300/0 300.3");
	/* more was committed: what was there before is whole */
	check_moving(1, 8, 24, "100.1 200.2 300.3");
	/* before it was found: it starts later than the ones behind it */
	d = dump_of_three();
	put_page(&d, 0, 2, 400, some_events(4, 1));
	options = &live;
	m = open_ring(&d, false, &ring);
	options = NULL;
	check_filter(ring, &all, "gap 1@200/0 200.2 300.3");
	mock_close(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_stamp_top_bits),
		cmocka_unit_test(test_padding),
		cmocka_unit_test(test_bad_events),
		cmocka_unit_test(test_virgin),
		cmocka_unit_test(test_around),
		cmocka_unit_test(test_reader_page),
		cmocka_unit_test(test_not_committed),
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_backwards),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_window_reads_little),
		cmocka_unit_test(test_last),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_cut_list),
		cmocka_unit_test(test_missing_neighbours),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_no_ring),
		cmocka_unit_test(test_large_subbufs),
		cmocka_unit_test(test_consumed),
		cmocka_unit_test(test_vague),
		cmocka_unit_test(test_peek),
		cmocka_unit_test(test_skipped),
		cmocka_unit_test(test_written_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
