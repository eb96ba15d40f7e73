// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * page.c - the kernel's page size: PAGESIZE of VMCOREINFO, else the only size that
 * the processor has. Where it has several, the kernel's types show the size: the two
 * positions in struct bpf_ringbuf (kernel/bpf/ringbuf.c) lie one page apart.
 */
#include <stdlib.h>

#include "../base/engine.h"
#include "../types/types.h"
#include "kernel.h"
#include "memory.h"

#define DEFAULT_SIZE 4096u
#define LARGEST_SIZE 65536u

static bool is_page_size(uint64_t size)
{
	return size >= DEFAULT_SIZE && size <= LARGEST_SIZE && !(size & (size - 1));
}

static uint64_t size_in_types(struct otst *o)
{
	const struct otst_member *consumer, *producer;

	if (!otst_has_member(o, "bpf_ringbuf", "producer_pos") ||
	    otst_member(o, "bpf_ringbuf", "consumer_pos", &consumer) ||
	    otst_member(o, "bpf_ringbuf", "producer_pos", &producer))
		return 0;
	return producer->offset - consumer->offset;
}

static int find_page_size(struct otst *o, const void *of, void *value)
{
	const char *text = otst_vmcoreinfo(o, "PAGESIZE");
	uint64_t *ret = value;

	(void)of;
	*ret = text ? strtoull(text, NULL, 10) : otst_kernel(o)->arch->page_size;
	if (!is_page_size(*ret))
		*ret = size_in_types(o);
	if (!is_page_size(*ret))
		*ret = DEFAULT_SIZE;
	return 0;
}

static const struct otst_once page_size = { .size = sizeof(uint64_t), .make = find_page_size };

uint64_t otst_page_size(struct otst *o)
{
	const uint64_t *size = otst_once_or_null(o, &page_size, NULL);

	return size ? *size : DEFAULT_SIZE;
}
