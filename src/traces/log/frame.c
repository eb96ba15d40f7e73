// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * frame.c - lines that are one frame and were read before: the frames of a log are few,
 * and each occurs many times. What such a line means depends on nothing but its text.
 */
#include <string.h>

#include "../../base/hash.h"
#include "log.h"

#define WAYS  2u /* lines with one hash that are known at the same time */
#define SETS  8192u
#define ALIGN 128u /* two lines of a processor's cache: a frame is that long */

/** struct otst_log_frames - the frames; @newest: which of a set's was added last */
struct otst_log_frames {
	_Alignas(ALIGN) struct otst_log_frame all[SETS][WAYS];
	uint8_t newest[SETS];
};

struct otst_log_frames *otst_log_frames(struct otst *o)
{
	char *p = otst_alloc(o, sizeof(struct otst_log_frames) + ALIGN);

	return p ? (void *)(p + (-(uintptr_t)p & (ALIGN - 1))) : NULL;
}

static size_t set_of(const char *text, size_t len)
{
	return otst_mix_text(0, text, len) % SETS;
}

const struct otst_log_frame *otst_log_frame_find(const struct otst_log_frames *frames,
						 const char *text, size_t len)
{
	const struct otst_log_frame *set;

	if (!frames || !len || len > OTST_LOG_FRAME)
		return NULL;
	set = frames->all[set_of(text, len)];
	for (size_t i = 0; i < WAYS; i++) {
		if (set[i].len == len && !memcmp(set[i].text, text, len))
			return &set[i];
	}
	return NULL;
}

/* all that matters of the item is in the line that is made of it */
static bool is_simple(const struct otst_log_item *item)
{
	return item->kind == OTST_LINE_FRAME && item->text && !item->module && !item->decimal &&
	       !item->source && !item->inlined && !item->callee;
}

int otst_log_frame_add(struct otst *o, struct otst_log_frames *frames, const char *text, size_t len,
		       const struct otst_log_item *item)
{
	struct otst_log_frame *f;
	struct otst_trace_line line;
	size_t set;

	if (!frames || !len || len > OTST_LOG_FRAME || !is_simple(item))
		return 0;
	if (otst_log_item_line(o, item, false, &line))
		return OTST_ERR_NOMEM;
	/* it is another text when bytes of it are escaped */
	if (strlen(line.text) != item->len)
		return 0;
	set = set_of(text, len);
	f = &frames->all[set][++frames->newest[set] % WAYS];
	f->line = line;
	f->len = (uint8_t)len;
	f->item_len = (uint8_t)item->len;
	memcpy(f->text, text, len);
	return 0;
}
