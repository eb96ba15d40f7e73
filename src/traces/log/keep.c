// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * keep.c - what stays in memory of a log: the text and the stacks of its traces,
 * with repeated ones kept once. A log may be larger than memory.
 */
#include <string.h>

#include "../../base/hash.h"
#include "log.h"

/* slots for the last text or stack with a given hash; one that is replaced may be kept again */
#define WORDS  16384u
#define STACKS 4096u

struct stack {
	const struct otst_trace_line *lines;
	size_t count;
};

struct kept {
	const char *words[WORDS];
	struct stack stacks[STACKS];
};

static struct kept *kept(struct otst *o)
{
	static const char key;
	void **memo = otst_memo(o, &key);

	if (!*memo)
		*memo = otst_alloc(o, sizeof(struct kept));
	return *memo;
}

const char *otst_log_keep(struct otst *o, const char *s, size_t len)
{
	struct kept *k = kept(o);
	const char **slot, *clean;
	uint64_t hash = len;
	char *copy;
	size_t i;

	if (!k)
		return NULL;
	for (i = 0; i < len; i++)
		hash = otst_mix(hash, (unsigned char)s[i]);
	slot = &k->words[hash % WORDS];
	if (*slot && !strncmp(*slot, s, len) && !(*slot)[len])
		return *slot;
	copy = otst_alloc(o, len + 1);
	if (!copy) {
		otst_no_memory(o);
		return NULL;
	}
	memcpy(copy, s, len);
	clean = otst_clean(o, copy);
	if (clean == copy)
		*slot = clean;
	return clean;
}

/* their texts have been kept already: equal ones are mostly the same pointer */
static bool is_same(const struct otst_trace_line *a, const struct otst_trace_line *b)
{
	return a->text == b->text && a->addr == b->addr && a->kind == b->kind && a->cs == b->cs &&
	       a->title == b->title && a->reliable == b->reliable && a->exact == b->exact &&
	       a->source == b->source && !memcmp(a->letters, b->letters, sizeof(a->letters));
}

const struct otst_trace_line *otst_log_keep_lines(struct otst *o,
						  const struct otst_trace_line *lines, size_t count)
{
	struct kept *k = kept(o);
	struct otst_trace_line *copy;
	struct stack *slot;
	uint64_t hash = count;
	size_t i;

	if (!k)
		return NULL;
	for (i = 0; i < count; i++)
		hash = otst_mix(otst_mix(hash, (uintptr_t)lines[i].text),
				lines[i].addr + lines[i].reliable);
	slot = &k->stacks[hash % STACKS];
	for (i = 0; slot->count == count && i < count && is_same(&slot->lines[i], &lines[i]); i++)
		;
	if (slot->lines && slot->count == count && i == count)
		return slot->lines;
	copy = otst_alloc(o, count * sizeof(*copy) + 1);
	if (!copy) {
		otst_no_memory(o);
		return NULL;
	}
	if (count)
		memcpy(copy, lines, count * sizeof(*copy));
	*slot = (struct stack){ copy, count };
	return copy;
}
