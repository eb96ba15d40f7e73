// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_perf.c - otst-fuzzperf: perf buffers, whole and damaged, through the reader.
 *
 *	otst-fuzzperf [--runs N] [--seed S] [--one RUN]
 *
 * Each run writes records of any length as the kernel does, into a buffer of
 * any kind that is read now and then. From every other buffer exactly the
 * records that are still whole must come, in order, and told apart by who read
 * them. Where no word inside a record looks like one, that needs no help;
 * otherwise the reader is told which are records. From a damaged buffer no more
 * may come than fits in, its records are decoded as those of events with any
 * attributes, and nothing may crash or hang.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/rings/perf_sample.h"
#include "fuzz_image.h"

#define MOST_PAGES   16u /* of 4096 bytes, of all chunks */
#define MOST_RECORDS 8192u
#define BUFFER_AT    0x0u
#define USER_AT	     0x1000u
#define DATA_AT(i)   (0x4000u + 0x1000u * (i))

/* struct perf_buffer; DATA_PAGES fits MOST_PAGES pointers */
enum { NR_PAGES = 0, ORDER = 4, OVERWRITE = 8, HEAD = 16, LOST = 24, USER = 32, PAGES = 40 };
enum { DATA_HEAD = 1024, DATA_TAIL = 1032 };

static const struct fuzz_member members[] = {
	{ "perf_buffer", "nr_pages", NR_PAGES, 4, OTST_KIND_INT },
	{ "perf_buffer", "page_order", ORDER, 4, OTST_KIND_INT },
	{ "perf_buffer", "overwrite", OVERWRITE, 4, OTST_KIND_INT },
	{ "perf_buffer", "head", HEAD, 8, OTST_KIND_STRUCT },
	{ "perf_buffer", "lost", LOST, 8, OTST_KIND_STRUCT },
	{ "perf_buffer", "user_page", USER, 8, OTST_KIND_POINTER },
	{ "perf_buffer", "data_pages", PAGES, 0, OTST_KIND_ARRAY },
	{ "perf_event_mmap_page", "data_head", DATA_HEAD, 8, OTST_KIND_INT },
	{ "perf_event_mmap_page", "data_tail", DATA_TAIL, 8, OTST_KIND_INT },
	{ NULL, NULL, 0, 0, 0 },
};

/* a record that was written: where it starts, how long it is */
struct told {
	uint64_t at;
	uint32_t size;
};

/* @i comes first: a run is given a pointer to it */
struct fuzz {
	struct fuzz_image i;
	uint32_t order;
	uint32_t nr_pages;
	uint32_t size;
	uint32_t tail_of; /* how many of @told were read */
	uint64_t head;
	uint64_t written;
	bool overwrite;
	bool backward;
	bool lookalikes; /* the records have words that could be headers */
	bool whole;
	struct told told[MOST_RECORDS];
	uint32_t nr_told;
	uint32_t expected; /* next of @told */
	uint32_t count;
};

static uint8_t *byte_at(struct fuzz *f, uint64_t at)
{
	uint32_t chunk = OTST_CHUNK << f->order, offset = (uint32_t)at & (f->size - 1);
	/* chunks lie in the image in the reverse order of the buffer */
	uint32_t i = f->nr_pages - 1 - offset / chunk;

	return f->i.bytes + DATA_AT(i << f->order) + offset % chunk;
}

static uint64_t tail_position(const struct fuzz *f)
{
	const struct told *t;

	if (!f->tail_of)
		return 0;
	t = &f->told[f->tail_of - 1];
	return f->backward ? t->at : t->at + t->size;
}

/* what a record holds: depends on its position, so that no other record is the same */
static uint64_t word_of(uint64_t at, uint32_t i)
{
	return (at * 0x9e3779b97f4a7c15ull + i) | 0x80000000u;
}

static void write_record(struct fuzz *f, uint64_t at, uint32_t size)
{
	fuzz_put(byte_at(f, at), 1 + fuzz_below(&f->i, 22), 4);
	fuzz_put(byte_at(f, at) + 4, fuzz_below(&f->i, 3), 2);
	fuzz_put(byte_at(f, at) + 6, size, 2);
	for (uint32_t i = 8; i < size; i += 8) {
		uint64_t word = word_of(at, i);

		if (f->lookalikes && i > 8 && !fuzz_below(&f->i, 8))
			word = (uint64_t)(8 * (1 + fuzz_below(&f->i, 60))) << 48 | 9;
		fuzz_put(byte_at(f, at + i), word, 8);
	}
}

static void write_all(struct fuzz *f)
{
	uint32_t n = fuzz_below(&f->i, fuzz_below(&f->i, 4) ? 60 : 2000), size;
	uint64_t used;

	while (n-- && f->nr_told < MOST_RECORDS) {
		size = 16 + 8 * fuzz_below(&f->i, fuzz_below(&f->i, 20) ? 40 : f->size / 16);
		used = f->backward ? tail_position(f) - f->head : f->head - tail_position(f);
		if (!f->overwrite && used + size >= f->size) {
			if (fuzz_below(&f->i, 2))
				f->tail_of += fuzz_below(&f->i, f->nr_told - f->tail_of + 1);
			continue;
		}
		f->told[f->nr_told].at = f->backward ? f->head - size : f->head;
		f->told[f->nr_told++].size = size;
		write_record(f, f->told[f->nr_told - 1].at, size);
		f->head = f->backward ? f->head - size : f->head + size;
	}
	f->written = f->head;
}

/* one more was begun: its header may or may not be there */
static void begin_record(struct fuzz *f)
{
	uint32_t size = 16 + 8 * fuzz_below(&f->i, 20);
	uint64_t used = f->backward ? tail_position(f) - f->head : f->head - tail_position(f);

	if (!f->nr_told || (!f->overwrite && used + size >= f->size))
		return;
	f->written = f->backward ? f->head - size : f->head + size;
	if (fuzz_below(&f->i, 2))
		write_record(f, f->backward ? f->written : f->head, size);
}

static void make_buffer(struct fuzz *f)
{
	uint8_t *b = f->i.bytes + BUFFER_AT, *user = f->i.bytes + USER_AT;

	f->order = fuzz_below(&f->i, 4) ? 0 : fuzz_below(&f->i, 3);
	f->nr_pages = f->order ? 1 : 1u << fuzz_below(&f->i, 5);
	f->size = f->nr_pages * OTST_CHUNK << f->order;
	f->overwrite = fuzz_below(&f->i, 2);
	f->backward = fuzz_below(&f->i, 2);
	f->lookalikes = fuzz_below(&f->i, 2);
	f->nr_told = f->tail_of = f->expected = f->count = 0;
	f->head = 0;
	memset(f->i.bytes + DATA_AT(0), 0, MOST_PAGES * OTST_CHUNK);
	write_all(f);
	if (!fuzz_below(&f->i, 3))
		begin_record(f);
	memset(b, 0, PAGES);
	fuzz_put(b + NR_PAGES, f->nr_pages, 4);
	fuzz_put(b + ORDER, f->order, 4);
	fuzz_put(b + OVERWRITE, f->overwrite, 4);
	fuzz_put(b + HEAD, f->written, 8);
	fuzz_put(b + USER, f->i.base + USER_AT, 8);
	for (uint32_t i = 0; i < f->nr_pages; i++)
		fuzz_put(b + PAGES + 8 * i, f->i.base + DATA_AT((f->nr_pages - 1 - i) << f->order),
			 8);
	fuzz_put(user + DATA_HEAD, f->head, 8);
	fuzz_put(user + DATA_TAIL, f->overwrite ? fuzz_next(&f->i) : tail_position(f), 8);
}

static void damage_buffer(struct fuzz *f)
{
	for (uint32_t i = 1 + fuzz_below(&f->i, 4); i--;) {
		switch (fuzz_below(&f->i, 6)) {
		case 0:
			fuzz_damage(&f->i, f->i.bytes + BUFFER_AT, PAGES + 8 * f->nr_pages);
			break;
		case 1:
			fuzz_damage(&f->i, f->i.bytes + USER_AT + DATA_HEAD, 16);
			break;
		case 2:
			f->i.missing[fuzz_below(&f->i, DATA_AT(MOST_PAGES) / OTST_CHUNK)] = true;
			break;
		default:
			fuzz_damage(&f->i, f->i.bytes + DATA_AT(0), f->size);
		}
	}
}

/* ---- what comes ---- */

static bool is_record(void *priv, const struct otst_perf_record *r)
{
	(void)priv;
	return r->size >= 16 && otst_get_le(r->data + 8, 8) == word_of(r->at, 8);
}

static bool is_intact(const struct fuzz *f, const struct told *t)
{
	if (f->backward)
		return t->at + t->size - f->written <= f->size;
	return f->written - t->at <= f->size;
}

static const char *compare(struct fuzz *f, const struct otst_perf_record *r)
{
	const struct told *t;

	if (r->writing)
		return NULL;
	if (!r->data)
		return "a gap in what is whole";
	while (f->expected < f->nr_told && !is_intact(f, &f->told[f->expected]))
		f->expected++;
	if (f->expected == f->nr_told)
		return "more than was written";
	t = &f->told[f->expected++];
	if (r->at != t->at || r->size != t->size ||
	    otst_get_le(r->data + 8, 8) != word_of(t->at, 8))
		return "not what was written";
	if (r->consumed != (!f->overwrite && f->expected <= f->tail_of))
		return "read by another";
	return NULL;
}

/* of an event with any attributes, in memory that ends where the record does; false when a field is not in it */
static bool read_fields(struct fuzz *f, const struct otst_perf_record *r)
{
	struct otst_perf_attr attr = {
		.sample_type = fuzz_next(&f->i) & fuzz_next(&f->i) & ((1u << 26) - 1),
		.read_format = fuzz_below(&f->i, 32),
		.branch_sample_type = fuzz_next(&f->i),
		.sample_regs_user = fuzz_next(&f->i),
		.sample_regs_intr = fuzz_below(&f->i, 256),
		.sample_id_all = fuzz_below(&f->i, 2),
	};
	struct otst_perf_record copy = *r;
	struct otst_perf_sample s;
	uint8_t *exact = malloc(r->size);
	uint64_t id;
	bool fine = true;

	copy.data = memcpy(exact, r->data, r->size);
	copy.type = fuzz_below(&f->i, 2) ? OTST_PERF_RECORD_SAMPLE : r->type;
	otst_perf_record_id(&attr, &copy, &id);
	if (!otst_perf_sample_read(f->i.o, &attr, &copy, &s)) {
		fuzz_touch(s.chain, 8 * s.nr_chain);
		fuzz_touch(s.raw, s.raw_size);
		fine = 8 * s.nr_chain + s.raw_size < r->size;
	}
	free(exact);
	return fine;
}

static int take(void *priv, const struct otst_perf_record *r)
{
	struct fuzz *f = priv;

	if (r->data)
		fuzz_touch(r->data, r->size);
	if (r->data && !f->whole && !read_fields(f, r))
		f->i.wrong = "fields longer than the record";
	if (f->i.wrong)
		return OTST_ERR_INTERRUPTED;
	if (!r->data == !r->error)
		f->i.wrong = "neither record nor gap";
	else if (++f->count > 2 * DATA_AT(MOST_PAGES) / 8)
		f->i.wrong = "no end";
	else if (f->whole)
		f->i.wrong = compare(f, r);
	return f->i.wrong ? OTST_ERR_INTERRUPTED : 0;
}

static bool run(struct fuzz_image *image)
{
	struct fuzz *f = (struct fuzz *)image;
	struct otst_perf_filter filter = { .each = take, .consumed = true, .priv = f };
	struct otst_perf_buffer *b;
	int err;

	image->wrong = NULL;
	memset(image->missing, 0, sizeof(image->missing));
	make_buffer(f);
	f->whole = fuzz_below(image, 2);
	if (f->lookalikes)
		filter.plausible = is_record;
	if (!f->whole)
		damage_buffer(f);
	otst_command_begin(image->o);
	err = otst_perf_buffer_open(image->o, image->base + BUFFER_AT, &b);
	if (!err)
		err = otst_perf_buffer_walk(b, &filter);
	if (err && f->whole && !image->wrong)
		image->wrong = "an error";
	while (f->expected < f->nr_told && !is_intact(f, &f->told[f->expected]))
		f->expected++;
	if (!image->wrong && f->whole && f->expected != f->nr_told)
		image->wrong = "less than was written";
	return !image->wrong;
}

int main(int argc, char **argv)
{
	struct fuzz *f = calloc(1, sizeof(*f));
	int status;

	if (!f)
		return 99;
	f->i.members = members;
	status = fuzz_main(&f->i, argc, argv, "perf buffers", run);
	free(f);
	return status;
}
