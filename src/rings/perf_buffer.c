// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * perf_buffer.c - struct perf_buffer of kernel/events/internal.h: where its
 * pages are, how far it is filled, and a record at a position.
 */
#include <inttypes.h>
#include <string.h>

#include "perf_record.h"

#define MOST_PAGES (1u << 20) /* data_pages[] is one allocation of 4 MB at most */

/* ---- what describes it ---- */

/*
 * Linux 56de4e8f9146 ("perf: Make struct ring_buffer less ambiguous") (v5.8).
 * Before that, ftrace's structure has the same name but other members.
 */
static const char *type_of_buffer(struct otst *o)
{
	return otst_has_type(o, "perf_buffer") ? "perf_buffer" : "ring_buffer{user_page}";
}

static int read_perf_pages(struct otst_perf_buffer *b, const char *type)
{
	const struct otst_member *m;
	uint64_t order = 0, i;
	int err;

	err = otst_read_member(b->o, type, b->addr, "nr_pages", &b->nr_pages);
	if (!err && otst_has_member(b->o, type, "page_order"))
		err = otst_read_member(b->o, type, b->addr, "page_order", &order);
	if (err)
		return err;
	/* no page at all: a buffer for hardware trace (AUX) alone */
	if (b->nr_pages > MOST_PAGES || b->nr_pages & (b->nr_pages - 1) || order > 20 ||
	    b->nr_pages << order > MOST_PAGES)
		return otst_raise(b->o, OTST_ERR_CORRUPT, "%" PRIu64 " page%s of order %" PRIu64,
				  b->nr_pages, otst_number(b->nr_pages, "", "s"), order);
	b->chunk = otst_page_size(b->o) << order;
	b->size = b->nr_pages * b->chunk;
	b->pages = otst_alloc(b->o, (b->nr_pages + 1) * sizeof(*b->pages));
	if (!b->pages)
		return otst_no_memory(b->o);
	err = otst_member(b->o, type, "data_pages", &m);
	err = err ?: otst_read(b->o, b->addr + m->offset, b->pages, b->nr_pages * 8);
	for (i = 0; i < b->nr_pages && !err; i++)
		b->pages[i] = otst_get(b->o, &b->pages[i], 8);
	return err;
}

static int read_flag(struct otst_perf_buffer *b, const char *type, const char *member, bool *ret)
{
	uint64_t value = 0;
	int err = 0;

	if (otst_has_member(b->o, type, member))
		err = otst_read_member(b->o, type, b->addr, member, &value);
	*ret = value;
	return err;
}

static int read_state(struct otst_perf_buffer *b, const char *type)
{
	static const char user[] = "perf_event_mmap_page";
	uint64_t page;
	int err;

	err = otst_read_member(b->o, type, b->addr, "head", &b->written);
	err = err ?: otst_read_member(b->o, type, b->addr, "lost", &b->lost);
	err = err ?: read_flag(b, type, "overwrite", &b->overwrite);
	err = err ?: read_flag(b, type, "paused", &b->paused);
	err = err ?: otst_read_member(b->o, type, b->addr, "user_page", &page);
	if (err)
		return err;
	if (!otst_is_kernel_pointer(b->o, page) || page % 8)
		return otst_raise(b->o, OTST_ERR_CORRUPT, "its user_page is at 0x%" PRIx64, page);
	err = otst_read_member(b->o, user, page, "data_head", &b->head);
	err = err ?: otst_read_member(b->o, user, page, "data_tail", &b->tail);
	/* counting down from 0, it is always above anything that a buffer can be filled to */
	b->backward = (int64_t)b->written < 0;
	return err ? otst_fail(b->o, err, "user_page") : 0;
}

/* Linux 45bfb2e50471 ("perf: Add AUX area to ring buffer for raw data streams") (v4.1) */
static int read_aux(struct otst_perf_buffer *b, const char *type)
{
	uint64_t pages, page;
	int err;

	if (!otst_has_member(b->o, type, "aux_nr_pages"))
		return 0;
	err = otst_read_member(b->o, type, b->addr, "aux_nr_pages", &pages);
	if (err || !pages)
		return err;
	if (pages > MOST_PAGES)
		return otst_raise(b->o, OTST_ERR_CORRUPT, "%" PRIu64 " pages", pages);
	err = otst_read_member(b->o, type, b->addr, "aux_head", &b->aux_head);
	err = err ?: read_flag(b, type, "aux_overwrite", &b->aux_overwrite);
	err = err ?: otst_read_member(b->o, type, b->addr, "user_page", &page);
	err = err ?: otst_read_member(b->o, "perf_event_mmap_page", page, "aux_tail", &b->aux_tail);
	b->aux_size = err ? 0 : pages * otst_page_size(b->o);
	return err;
}

/* only note a failure: the records do not depend on the AUX area */
static int read_or_note_aux(struct otst_perf_buffer *b, const char *type)
{
	int err = read_aux(b, type);

	if (!err || otst_fatal(err))
		return err;
	b->aux_error = otst_strdup(b->o, otst_message(b->o));
	return 0;
}

/* ---- a record ---- */

/* load the chunk that holds @at into the window */
static int load_chunk(struct otst_perf_buffer *b, uint64_t at)
{
	uint64_t offset = at & (b->size - 1) & ~(uint64_t)(OTST_CHUNK - 1);
	uint64_t i = offset / b->chunk, page = b->pages[i];
	int err;

	if (offset == b->window_at)
		return 0;
	b->window_at = UINT64_MAX;
	if (!otst_is_kernel_pointer(b->o, page) || page % otst_page_size(b->o))
		return otst_raise(b->o, OTST_ERR_CORRUPT, "data_pages[%" PRIu64 "] is 0x%" PRIx64,
				  i, page);
	err = otst_read(b->o, page + offset % b->chunk, b->window, OTST_CHUNK);
	if (err)
		return otst_fail(b->o, err, "data_pages[%" PRIu64 "]", i);
	b->window_at = offset;
	return otst_check(b->o);
}

int otst_perf_header_read(struct otst_perf_buffer *b, uint64_t at, struct otst_perf_record *ret)
{
	const uint8_t *p;
	int err = load_chunk(b, at);

	if (err)
		return err;
	p = b->window + at % OTST_CHUNK;
	*ret = (struct otst_perf_record){
		.at = at,
		.big_endian = otst_big_endian(b->o),
		.type = (uint32_t)otst_get(b->o, p, 4),
		.misc = (uint16_t)otst_get(b->o, p + 4, 2),
		.size = (uint16_t)otst_get(b->o, p + 6, 2),
	};
	return 0;
}

int otst_perf_record_read(struct otst_perf_buffer *b, uint64_t at, uint64_t left,
			  struct otst_perf_record *ret)
{
	uint32_t got = 0, n;
	int err;

	*ret = (struct otst_perf_record){ .at = at };
	err = otst_perf_header_read(b, at, ret);
	if (err)
		return err;
	if (!otst_perf_header_plausible(ret))
		return otst_raise(b->o, OTST_ERR_CORRUPT, "no record: type %" PRIu32 ", %u byte%s",
				  ret->type, ret->size, otst_number(ret->size, "", "s"));
	if (ret->size > left)
		return otst_raise(b->o, OTST_ERR_CORRUPT,
				  "a record of %u byte%s where %" PRIu64 " %s left", ret->size,
				  otst_number(ret->size, "", "s"), left,
				  otst_number(left, "is", "are"));
	for (; got < ret->size; got += n) {
		uint32_t offset = (uint32_t)((at + got) % OTST_CHUNK);

		err = load_chunk(b, at + got);
		if (err)
			return err;
		n = OTST_CHUNK - offset;
		n = n < ret->size - got ? n : ret->size - got;
		memcpy(b->record + got, b->window + offset, n);
	}
	ret->data = b->record;
	return 0;
}

/* ---- open ---- */

int otst_perf_buffer_open(struct otst *o, uint64_t addr, struct otst_perf_buffer **ret)
{
	struct otst_perf_buffer *b = otst_new(o, sizeof(*b));
	const char *type = type_of_buffer(o);
	int err;

	*b = (struct otst_perf_buffer){ .o = o, .addr = addr, .window_at = UINT64_MAX };
	b->window = otst_alloc(o, OTST_CHUNK);
	b->record = otst_alloc(o, OTST_PERF_LONGEST);
	if (!b->window || !b->record)
		return otst_no_memory(o);
	if (!otst_is_kernel_pointer(o, addr))
		err = otst_raise(o, OTST_ERR_CORRUPT, "it is at no address of the kernel");
	else
		err = read_perf_pages(b, type);
	err = err ?: read_state(b, type);
	err = err ?: read_or_note_aux(b, type);
	if (err)
		return otst_fail(o, err, "perf buffer 0x%" PRIx64, addr);
	*ret = b;
	return 0;
}
