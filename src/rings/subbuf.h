/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * subbuf.h - the events of one sub-buffer (kernel: struct buffer_data_page).
 *
 * Each event has a head of one word: type_len in the low 5 bits, time_delta
 * above. otst_subbuf_next() runs for every event of buffers that hold millions
 * of them, so it is defined here, where the compiler can inline it.
 */
#ifndef OTST_RINGS_SUBBUF_H
#define OTST_RINGS_SUBBUF_H

#include "rings.h"

/* include/linux/ring_buffer.h: enum ring_buffer_type; below that, data of so many words */
#define OTST_SUBBUF_PADDING 29u
#define OTST_SUBBUF_EXTEND  30u
#define OTST_SUBBUF_STAMP   31u

#define OTST_SUBBUF_DELTA_BITS 27
#define OTST_SUBBUF_ENTRY      8u /* struct trace_entry, with which each payload starts */

/** enum otst_subbuf_step - what otst_subbuf_next() found */
enum otst_subbuf_step { OTST_SUBBUF_END, OTST_SUBBUF_RECORD, OTST_SUBBUF_BAD };

/**
 * struct otst_subbuf_walk - records of one sub-buffer in memory
 * @data: after its header; @len: committed bytes
 * @at: next event; @time: of the last one
 * @big_endian: byte order of @data
 * @error: with OTST_SUBBUF_BAD, what is wrong; the rest cannot be walked, and
 *	@len is cut to what could be walked
 */
struct otst_subbuf_walk {
	const uint8_t *data;
	uint32_t len;
	uint32_t at;
	bool big_endian;
	uint64_t time;
	const char *error;
};

/**
 * struct otst_subbuf_head - what its header says
 * @time: of the first event
 * @len: committed bytes
 * @start: the first of them that counts; @read: how many somebody has read
 * @lost: events before it were lost; @lost_count: how many, 0 when unknown
 * @vague: @time is not certain
 * @error: only the first @len bytes could be read, or NULL
 */
struct otst_subbuf_head {
	uint64_t time;
	uint32_t len;
	uint32_t start;
	uint32_t read;
	bool lost;
	bool vague;
	uint64_t lost_count;
	const char *error;
};

/**
 * otst_subbuf_load() - read a sub-buffer
 * @buf: &otst_ring.subbuf_size bytes
 * @ret: set to the first event that counts
 *
 * Return: 0; FAULT, CORRUPT when it cannot be walked at all; or what ends a command.
 */
int otst_subbuf_load(const struct otst_ring *ring, const struct otst_ring_cpu *c,
		     const struct otst_subbuf *s, uint8_t *buf, struct otst_subbuf_head *head,
		     struct otst_subbuf_walk *ret);

/**
 * otst_subbuf_stamp_of() - the time in the header of a sub-buffer, without reading the rest
 *
 * Return: 1; 0 when it has no events or its header cannot be read; or what ends a command.
 */
int otst_subbuf_stamp_of(const struct otst_ring *ring, const struct otst_subbuf *s, uint64_t *ret);

/** otst_subbufs_date() - sets &otst_subbuf.time of those that were consumed (consumed.c) */
int otst_subbufs_date(const struct otst_ring *ring, struct otst_ring_cpu *c);

/** otst_subbuf_word() - a 32-bit word of a sub-buffer */
static inline uint32_t otst_subbuf_word(const struct otst_subbuf_walk *w, const uint8_t *p)
{
	return (uint32_t)otst_get_as(w->big_endian, p, 4);
}

/* the head of an event: type_len in the 5 lowest bits, which a big-endian kernel keeps on top */
static inline uint32_t otst_subbuf_event(const struct otst_subbuf_walk *w, const uint8_t *p)
{
	uint32_t word = otst_subbuf_word(w, p);

	return w->big_endian ? word << 5 | word >> OTST_SUBBUF_DELTA_BITS : word;
}

/*
 * rb_fix_abs_ts(): a time stamp has room for 59 bits; the rest comes from the time
 * before it. Kernels before 5.16 leave the rest out, and have no clock that needs it.
 */
static inline uint64_t otst_subbuf_stamp(uint64_t stamp, uint64_t before)
{
	stamp |= before & 0xf8ull << 56;
	return before >> 59 && stamp < before ? stamp + (1ull << 59) : stamp;
}

static inline enum otst_subbuf_step otst_subbuf_fail(struct otst_subbuf_walk *w, const char *error)
{
	w->len = w->at;
	w->error = error;
	return OTST_SUBBUF_BAD;
}

/*
 * Skips an event of type_len 29 to 31, with @left bytes available after its head.
 * Return: RECORD to go on, END, or BAD.
 */
static inline enum otst_subbuf_step otst_subbuf_skip(struct otst_subbuf_walk *w, uint32_t head,
						     uint32_t left, uint64_t *stamp)
{
	uint32_t type = head & 31, delta = head >> 5;
	uint32_t first = otst_subbuf_word(w, w->data + w->at + 4);
	uint64_t time = ((uint64_t)first << OTST_SUBBUF_DELTA_BITS) + delta;

	if (type == OTST_SUBBUF_PADDING) {
		/* the rest was not used */
		if (!delta) {
			w->at = w->len;
			return OTST_SUBBUF_END;
		}
		if (first > left || first < 4 || first % 4)
			return otst_subbuf_fail(w, "a discarded event has a wrong length");
		/* its time does not count */
		*stamp = 0;
		w->at += 4 + first;
		return OTST_SUBBUF_RECORD;
	}
	if (type == OTST_SUBBUF_EXTEND)
		w->time += time;
	else
		*stamp = w->time = otst_subbuf_stamp(time, w->time);
	w->at += 8;
	return OTST_SUBBUF_RECORD;
}

/**
 * otst_subbuf_next() - the next data event of a sub-buffer
 * @ret: only @time, @data, @big_endian, @size, @type, @pid are set
 *
 * Mirrors rb_iter_peek() and rb_update_iter_read_stamp(). Reads nothing outside
 * @data, whatever is in it. When inlined, it keeps @w and @ret in registers.
 */
static inline __attribute__((always_inline)) enum otst_subbuf_step
otst_subbuf_next(struct otst_subbuf_walk *w, struct otst_record *ret)
{
	uint64_t stamp = 0;

	while (w->len - w->at >= 8) {
		const uint8_t *data = w->data + w->at + 4;
		uint32_t left = w->len - w->at - 4, word = otst_subbuf_event(w, data - 4);
		uint32_t type = word & 31, size = type * 4, before = 4;

		if (type >= OTST_SUBBUF_PADDING) {
			enum otst_subbuf_step step = otst_subbuf_skip(w, word, left, &stamp);

			if (step != OTST_SUBBUF_RECORD)
				return step;
			continue;
		}
		/* the length is in the next word, and counts itself */
		if (!type) {
			size = otst_subbuf_word(w, data) - 4;
			before = 8;
			data += 4;
			left -= 4;
		}
		if (size > left || size < OTST_SUBBUF_ENTRY || size % 4)
			return otst_subbuf_fail(w, "an event has a wrong length");
		w->at += before + size;
		w->time += word >> 5;
		ret->time = stamp ? stamp : w->time;
		ret->data = data;
		ret->big_endian = w->big_endian;
		ret->size = size;
		ret->type = (uint16_t)otst_get_as(w->big_endian, data, 2);
		ret->pid = (int32_t)otst_subbuf_word(w, data + 4);
		return OTST_SUBBUF_RECORD;
	}
	if (w->at == w->len)
		return OTST_SUBBUF_END;
	if (w->len - w->at >= 4 && otst_subbuf_event(w, w->data + w->at) == OTST_SUBBUF_PADDING) {
		w->at = w->len;
		return OTST_SUBBUF_END;
	}
	return otst_subbuf_fail(w, "an event is cut off");
}

#endif /* OTST_RINGS_SUBBUF_H */
