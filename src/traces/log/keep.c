// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * keep.c - the texts that stay in memory of a log, each once. A log may be larger than memory.
 */
#include <string.h>

#include "../../base/hash.h"
#include "log.h"

#define FIRST 1024u /* texts before the table grows */

/** struct word - a text; @hash: the upper half of its hash, which tells most others from it */
struct word {
	const char *text;
	uint32_t hash;
	uint32_t len;
};

/** struct kept - @words: open addressing, @room of them, a power of two */
struct kept {
	struct word *words;
	size_t room, used;
};

static struct kept *find_kept(struct otst *o)
{
	static const char key;
	void **memo = otst_memo(o, &key);

	if (!*memo)
		*memo = otst_alloc(o, sizeof(struct kept));
	return *memo;
}

/* the slot of a text, or the free one that it gets */
static struct word *find_word(const struct kept *k, uint64_t hash, const char *s, size_t len)
{
	size_t at = hash % k->room;
	struct word *w;

	for (;; at = (at + 1) % k->room) {
		w = &k->words[at];
		if (!w->text ||
		    (w->hash == hash >> 32 && w->len == len && !memcmp(w->text, s, len)))
			return w;
	}
}

static bool grow_words(struct otst *o, struct kept *k)
{
	struct word *old = k->words;
	size_t i, n = k->room;

	if (4 * k->used < 3 * n)
		return true;
	k->words = otst_alloc(o, (n ? 2 * n : FIRST) * sizeof(*k->words));
	if (!k->words) {
		k->words = old;
		return false;
	}
	k->room = n ? 2 * n : FIRST;
	for (i = 0; i < n; i++) {
		if (old[i].text)
			*find_word(k, otst_mix_text(0, old[i].text, old[i].len), old[i].text,
				   old[i].len) = old[i];
	}
	return true;
}

const char *otst_log_keep(struct otst *o, const char *s, size_t len)
{
	struct kept *k = find_kept(o);
	const char *clean;
	struct word *w;
	uint64_t hash;
	char *copy;

	if (!k || !grow_words(o, k))
		return NULL;
	hash = otst_mix_text(0, s, len);
	w = find_word(k, hash, s, len);
	if (w->text)
		return w->text;
	copy = otst_alloc(o, len + 1);
	if (!copy)
		return NULL;
	memcpy(copy, s, len);
	clean = otst_clean(o, copy);
	if (clean != copy)
		return otst_log_keep(o, clean, strlen(clean));
	*w = (struct word){ clean, (uint32_t)(hash >> 32), (uint32_t)len };
	k->used++;
	return clean;
}
