// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * text.c - keys and values of BPF maps, and records, as text for people: with
 * types (BTF) as "pid=42 name=dd", else as a number or as words in hexadecimal.
 */
#include <inttypes.h>
#include <string.h>

#include "bpf.h"

#define MAX_WORDS 16u /* for bytes without a type; JSON has them all */
#define MAX_COMM  16u

static uint64_t get_number(const struct otst *o, const uint8_t *bytes, uint32_t size,
			   bool is_signed)
{
	uint64_t v = otst_get(o, bytes, size);

	if (is_signed && size < 8)
		v = (uint64_t)((int64_t)(v << (64 - 8 * size)) >> (64 - 8 * size));
	return v;
}

static bool is_number(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static bool holds_frames(const struct otst_slot *slot)
{
	return slot->form == OTST_SLOT_INLINE || slot->form == OTST_SLOT_FRAMES;
}

/* the slot of these bytes, or NULL */
static const struct otst_slot *slot_at(const struct otst_vec *slots, uint32_t offset)
{
	const struct otst_slot *slot = slots ? slots->data : NULL;

	for (size_t i = 0; slots && i < slots->count; i++) {
		if (offset >= slot[i].offset && offset < slot[i].offset + slot[i].size)
			return &slot[i];
	}
	return NULL;
}

static const char *chars_text(struct otst *o, const uint8_t *at, uint32_t size)
{
	const char *s = otst_format(o, "%.*s", (int)size, (const char *)at);

	return otst_clean(o, s);
}

/* words of 8 bytes, counted from @bytes; @from may lie inside one */
static const char *hex_words(struct otst *o, const uint8_t *bytes, uint32_t from, uint32_t end)
{
	const char *s = "";
	uint32_t i, n;

	for (i = from; i < end && s; i += n) {
		if ((i - from) / 8 == MAX_WORDS)
			return otst_format(o, "%s ...", s);
		n = end - i < 8 - i % 8 ? end - i : 8 - i % 8;
		s = otst_format(o, "%s%s0x%" PRIx64, s, i > from ? " " : "",
				otst_get(o, bytes + i, n));
	}
	return s;
}

static const char *leaf_text(struct otst *o, const uint8_t *bytes, const struct otst_leaf *leaf)
{
	const uint8_t *at = bytes + leaf->offset;

	switch (leaf->kind) {
	case OTST_LEAF_CHARS:
		return chars_text(o, at, leaf->size);
	case OTST_LEAF_SIGNED:
		if (is_number(leaf->size))
			return otst_format(o, "%" PRId64,
					   (int64_t)get_number(o, at, leaf->size, true));
		break;
	case OTST_LEAF_UNSIGNED:
		if (is_number(leaf->size))
			return otst_format(o, "%" PRIu64, get_number(o, at, leaf->size, false));
		break;
	case OTST_LEAF_WORDS:
	case OTST_LEAF_BYTES:
		break;
	}
	return hex_words(o, at, 0, leaf->size);
}

static const char *typed_text(struct otst *o, const uint8_t *bytes, const struct otst_vec *leaves,
			      const struct otst_vec *slots)
{
	const struct otst_leaf *leaf = leaves->data;
	const char *s = "", *part;

	for (size_t i = 0; i < leaves->count && s; i++, leaf++) {
		const struct otst_slot *slot = slot_at(slots, leaf->offset);

		if (slot && holds_frames(slot))
			continue;
		part = leaf_text(o, bytes, leaf);
		s = part ? otst_format(o, "%s%s%s%s%s", s, *s ? " " : "", leaf->name,
				       *leaf->name ? "=" : "", part) :
			   NULL;
	}
	return s;
}

/* bytes without types, as words; frames are left out */
static const char *untyped_text(struct otst *o, const uint8_t *bytes, uint32_t size,
				const struct otst_vec *slots)
{
	const struct otst_slot *slot;
	const char *s = "", *part;
	uint32_t i, n;

	for (i = 0; i < size && s; i += n) {
		slot = slot_at(slots, i);
		if (slot && holds_frames(slot)) {
			n = slot->offset + slot->size - i;
			continue;
		}
		for (n = 4; i + n < size && !(slots && slot_at(slots, i + n)); n += 4)
			;
		n = n < size - i ? n : size - i;
		part = slot && slot->form == OTST_SLOT_ID ?
			       otst_format(o, "%" PRId64,
					   (int64_t)get_number(o, bytes + i, 4, true)) :
			       hex_words(o, bytes, i, i + n);
		if (slot && slot->form == OTST_SLOT_ID)
			n = 4;
		s = part ? otst_format(o, "%s%s%s", s, *s ? " " : "", part) : NULL;
	}
	return s;
}

const char *otst_bpf_text(struct otst *o, const uint8_t *bytes, uint32_t size,
			  const struct otst_vec *leaves, const struct otst_vec *slots)
{
	if (leaves && leaves->count)
		return typed_text(o, bytes, leaves, slots);
	if (is_number(size))
		return otst_format(o, "%" PRId64, (int64_t)get_number(o, bytes, size, size < 8));
	return untyped_text(o, bytes, size, slots);
}

bool otst_bpf_number(const struct otst *o, const uint8_t *bytes, uint32_t size,
		     const struct otst_vec *leaves, uint64_t *ret)
{
	const struct otst_leaf *leaf = leaves->data;

	if (!leaves->count) {
		if (!is_number(size))
			return false;
		*ret = get_number(o, bytes, size, false);
		return true;
	}
	for (size_t i = 0; i < leaves->count; i++, leaf++) {
		if (leaf->kind > OTST_LEAF_SIGNED || !is_number(leaf->size))
			continue;
		*ret = get_number(o, bytes + leaf->offset, leaf->size, false);
		return true;
	}
	return false;
}

static bool is_called(const char *name, const char *wanted)
{
	const char *dot = strrchr(name, '.');

	return !strcmp(dot ? dot + 1 : name, wanted);
}

int otst_bpf_task(struct otst *o, const uint8_t *bytes, const struct otst_vec *leaves,
		  struct otst_trace *t)
{
	const struct otst_leaf *leaf = leaves->data;
	bool exact = false;

	for (size_t i = 0; i < leaves->count; i++, leaf++) {
		if (leaf->kind == OTST_LEAF_CHARS && leaf->size <= MAX_COMM && !t->comm &&
		    (is_called(leaf->name, "comm") || is_called(leaf->name, "name") ||
		     is_called(leaf->name, "task"))) {
			t->comm = chars_text(o, bytes + leaf->offset, leaf->size);
			if (!t->comm)
				return otst_no_memory(o);
		}
		if (leaf->kind > OTST_LEAF_SIGNED || leaf->size != 4 || exact)
			continue;
		exact = is_called(leaf->name, "pid");
		if (!exact && !is_called(leaf->name, "tgid"))
			continue;
		t->pid = (int64_t)get_number(o, bytes + leaf->offset, 4, true);
		t->pid = t->pid < 0 ? -1 : t->pid;
	}
	return 0;
}
