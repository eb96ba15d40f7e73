/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * bpf_ringbuf.h - BPF's ring buffer (kernel/bpf/ringbuf.c): records that
 * programs wrote for user space, read or not, as far as the pages still have them.
 */
#ifndef OTST_BPF_RINGBUF_H
#define OTST_BPF_RINGBUF_H

#include "../dump.h"

/** enum otst_ringbuf_state - what became of a record */
enum otst_ringbuf_state {
	OTST_RINGBUF_UNREAD,
	OTST_RINGBUF_READ, /**< user space has read it, and it is not overwritten yet */
	OTST_RINGBUF_BUSY, /**< a program was still writing it */
};

/**
 * struct otst_ringbuf_record - one record
 * @position: of its header, in bytes since the buffer was created
 * @discarded: its program discarded it
 * @data: its bytes, @size of them, in the command's arena
 */
struct otst_ringbuf_record {
	uint64_t position;
	enum otst_ringbuf_state state;
	bool discarded;
	const uint8_t *data;
	uint32_t size;
};

/**
 * otst_ringbuf_read() - all records of the struct bpf_ringbuf_map at @map, oldest first
 * @records: vector of struct otst_ringbuf_record
 * @errors: vector of messages: where the records break off
 *
 * Return: 0, or why nothing could be read.
 */
int otst_ringbuf_read(struct otst *o, uint64_t map, struct otst_vec *records,
		      struct otst_messages *errors);

#endif /* OTST_BPF_RINGBUF_H */
