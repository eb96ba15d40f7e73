// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * lime.c - images that LiME writes with format=lime, and AVML without compression: ranges of
 * physical memory in any order, each after a header of 32 bytes in the byte order of the machine:
 *
 *	u32 magic, u32 version, u64 first address, u64 last address, 8 bytes reserved
 *
 * AVML cuts memory into ranges of at most 16 MiB and leaves out those that are zero.
 */
#include "forms.h"
#include "../front/notes.h"

#include <inttypes.h>

#define LIME_MAGIC   0x4c694d45u
#define LIME_VERSION 1u
#define AVML_RANGE   (16u << 20)

bool range_header_read(int fd, bool big, uint64_t at, struct range_header *ret)
{
	unsigned char head[RANGE_HEADER];

	if (!read_fully(fd, head, sizeof(head), at))
		return false;
	ret->magic = (uint32_t)get_number(big, head, 4);
	ret->version = (uint32_t)get_number(big, head + 4, 4);
	ret->start = get_number(big, head + 8, 8);
	ret->size = get_number(big, head + 16, 8) - ret->start + 1;
	return true;
}

bool range_header_valid(const struct range_header *r, uint32_t magic)
{
	return r->magic == magic && r->size && r->size <= UINT64_MAX - r->start;
}

/* Adds all ranges. What follows a damaged header cannot be found. */
static int add_ranges(struct segments *s, int fd, bool big)
{
	uint64_t size = segments_file_size(s), at = 0, longest = 0;
	struct range_header r;
	int err = 0;

	while (!err && at < size) {
		if (size - at < RANGE_HEADER || !range_header_read(fd, big, at, &r)) {
			complain("the LiME image is truncated: it ends within a header");
			break;
		}
		if (!range_header_valid(&r, LIME_MAGIC)) {
			complain("the LiME image is damaged at byte %" PRIu64
				 ": what follows is left out",
				 at);
			break;
		}
		at += RANGE_HEADER;
		err = segments_add(s, r.start, r.size, at);
		longest = r.size > longest ? r.size : longest;
		at = r.size < size - at ? at + r.size : size;
	}
	if (longest <= AVML_RANGE)
		segments_fill_gaps(s);
	return err;
}

static int open_lime(const struct form_file *file, void **ret)
{
	bool big = headers_big_endian(file->fd);
	struct range_header r;
	struct segments *s;
	int err;

	if (range_header_read(file->fd, big, 0, &r) && r.version != LIME_VERSION) {
		complain("a LiME image of version %" PRIu32 ": only version %u can be read",
			 r.version, LIME_VERSION);
		return OTST_ERR_UNSUPPORTED;
	}
	err = segments_create(file->fd, &s);
	if (err)
		return err;
	err = add_ranges(s, file->fd, big);
	return segments_finish(s, err, "LiME image", ret);
}

const struct form_ops lime_form = {
	/* AVML's headers are little-endian on every machine */
	.has_no_byte_order = true, .open = open_lime,	  .close = segments_close,
	.read = segments_read,	   .next = segments_next,
};
