// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * slots.c - where keys and values of BPF maps, and records of their event
 * buffers, name a stack. The kernel does not say: a program may put what
 * bpf_get_stackid() returned anywhere. A map's types (BTF) tell by the names of
 * members. Without types, a place is accepted if its contents fit in every
 * sample, and are unlikely to fit by chance.
 */
#include <string.h>

#include "bpf.h"

#define MAX_ERRNO  4095
#define DISTINCT   16u	 /* distinct ids that are looked at */
#define CHANCE	   0.1	 /* accepted chance that random ids fit, too; a guess if it is not rare */
#define RARE	   0.001 /* the same for upper halves of numbers */
#define MAX_PID	   4194304u
#define MIN_FRAMES 2u /* of frames without a count before them */
#define MAX_SLOTS  8u
#define USER_START 4096u

/* ---- by type ---- */

/* the last part of "key.kern_stack_id" */
static const char *last_part(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot + 1 : name;
}

static bool names_stack(const char *name)
{
	static const char *const others[] = { "size", "_sz", "len", "depth", "count", "nr" };

	name = last_part(name);
	if (!strstr(name, "stack") && !strstr(name, "stkid") && !strstr(name, "stk_id"))
		return false;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (strstr(name, others[i]))
			return false;
	}
	return true;
}

static struct otst_slot *add_sample_slot(const struct otst_samples *s, struct otst_vec *slots,
					 const struct otst_slot *slot)
{
	struct otst_slot *added = otst_vec_push(s->o, slots, sizeof(*added));

	*added = *slot;
	added->name = added->name ?: otst_format(s->o, "%s+%u", s->part, slot->offset);
	return added->name ? added : NULL;
}

int64_t otst_slot_id(const struct otst *o, const uint8_t *at, size_t size)
{
	return (int32_t)(uint32_t)otst_get(o, at, size);
}

/* how many samples name a stack of @m in @leaf */
static size_t count_hits(const struct otst_samples *s, const struct otst_stacks *m,
			 const struct otst_leaf *leaf)
{
	size_t i, n = 0;

	for (i = 0; i < s->count; i++)
		n += !!otst_stacks_find(
			m, (uint64_t)otst_slot_id(s->o, s->items[i] + leaf->offset, leaf->size), 0);
	return n;
}

/* of several maps, the one that has most of the ids */
static struct otst_stacks *best_map(const struct otst_samples *s, const struct otst_leaf *leaf)
{
	struct otst_stacks *best = NULL;
	size_t i, n, most = 0;

	for (i = 0; i < s->nr_stacks; i++) {
		if (s->stacks[i]->form == OTST_STACKS_KEYED)
			continue;
		n = s->nr_stacks > 1 ? count_hits(s, s->stacks[i], leaf) : 0;
		if (!best || n > most) {
			best = s->stacks[i];
			most = n;
		}
	}
	return best;
}

int otst_slots_typed(const struct otst_samples *s, struct otst_vec *slots)
{
	const struct otst_leaf *leaf = s->leaves->data;

	for (size_t i = 0; i < s->leaves->count; i++, leaf++) {
		struct otst_slot slot = { .offset = leaf->offset,
					  .size = leaf->size,
					  .name = leaf->name,
					  .evidence = "type" };

		if (!names_stack(leaf->name) || slots->count >= MAX_SLOTS)
			continue;
		if (leaf->kind == OTST_LEAF_WORDS && leaf->size / leaf->count == 8) {
			slot.form = OTST_SLOT_FRAMES;
		} else if ((leaf->kind == OTST_LEAF_SIGNED || leaf->kind == OTST_LEAF_UNSIGNED) &&
			   leaf->size >= 4 && leaf->size <= 8) {
			slot.stacks = best_map(s, leaf);
			if (!slot.stacks)
				continue;
		} else {
			continue;
		}
		if (!add_sample_slot(s, slots, &slot))
			return OTST_ERR_NOMEM;
	}
	return 0;
}

/* ---- by what fits ---- */

/* true if @id is not in @seen yet */
static bool is_new_slot(int64_t *seen, size_t count, int64_t id)
{
	for (size_t i = 0; i < count; i++) {
		if (seen[i] == id)
			return false;
	}
	return true;
}

static bool is_error(int64_t id)
{
	return id < 0 && id >= -MAX_ERRNO;
}

/*
 * Are the lower halves that go with @offset neither PIDs nor ids? Then @offset may hold the
 * upper half of times, which stays the same for seconds: a stack with that id is easily found.
 */
static bool ends_number(const struct otst_samples *s, uint32_t offset)
{
	bool big_endian = otst_big_endian(s->o);
	uint32_t lower = big_endian ? offset + 4 : offset - 4;
	size_t i, n = 0;

	if (offset % 8 != (big_endian ? 0 : 4) || lower + 4 > s->size)
		return false;
	for (i = 0; i < s->count; i++) {
		int64_t low = otst_slot_id(s->o, s->items[i] + lower, 4);

		n += (uint32_t)low > MAX_PID && !is_error(low);
	}
	return n * 2 > s->count;
}

/*
 * Each sample names a stack of @m there, or an error, and is unlikely to do so by chance.
 * @guess: but not very unlikely
 */
static bool fits_ids(const struct otst_samples *s, const struct otst_stacks *m, uint32_t offset,
		     bool *guess)
{
	double density = (double)m->held.count / (double)(m->buckets ? m->buckets : 1), chance = 1;
	int64_t seen[DISTINCT], id;
	size_t i, distinct = 0;

	for (i = 0; i < s->count; i++) {
		id = otst_slot_id(s->o, s->items[i] + offset, 4);
		if (is_error(id))
			continue;
		if (id < 0 || !otst_stacks_find(m, (uint64_t)id, 0))
			return false;
		if (distinct < DISTINCT && is_new_slot(seen, distinct, id)) {
			seen[distinct++] = id;
			chance *= density;
		}
	}
	*guess = chance >= RARE;
	return distinct && chance < (ends_number(s, offset) ? RARE : CHANCE);
}

static bool fits_keyed(const struct otst_samples *s, const struct otst_stacks *m, uint32_t offset)
{
	uint64_t id, frames;
	size_t i, n = 0;

	for (i = 0; i < s->count; i++) {
		id = otst_get(s->o, s->items[i] + offset, 8);
		frames = otst_get(s->o, s->items[i] + offset + 8, 4);
		if (!id && !frames)
			continue;
		if (!otst_stacks_find(m, id, (uint32_t)frames))
			return false;
		n++;
	}
	return n;
}

static bool is_user(struct otst *o, uint64_t addr)
{
	return addr >= USER_START && addr < otst_kernel(o)->arch->space.user_window;
}

/* how many addresses of one mode lie at @at, before @end */
static size_t count_frames(struct otst *o, const uint8_t *at, const uint8_t *end, bool user)
{
	uint64_t addr;
	size_t n;

	for (n = 0; at + 8 <= end; n++, at += 8) {
		addr = otst_get(o, at, 8);
		if (user ? !is_user(o, addr) :
			   !otst_is_kernel_pointer(o, addr) || !otst_is_text(o, addr))
			break;
	}
	return n;
}

/*
 * When programs keep no frame pointers, the walk over a user stack ends in whatever
 * was there: it is enough if the first half of the frames are user addresses.
 */
static bool are_users(struct otst *o, const uint8_t *at, uint64_t n)
{
	uint64_t run = count_frames(o, at, at + n * 8, true);

	if (run < (n + 1) / 2)
		return false;
	while (run < n && otst_get(o, at + run * 8, 8))
		run++;
	return run == n;
}

/* JITed and unloaded code has no symbols: require text for half the frames */
static bool are_kernels(struct otst *o, const uint8_t *at, uint64_t n)
{
	uint64_t i, addr, text = 0;

	for (i = 0; i < n; i++) {
		addr = otst_get(o, at + i * 8, 8);
		if (!otst_is_kernel_pointer(o, addr))
			return false;
		text += otst_is_text(o, addr);
	}
	return text >= (n + 1) / 2;
}

static bool are_frames(struct otst *o, const uint8_t *at, uint64_t n)
{
	return is_user(o, otst_get(o, at, 8)) ? are_users(o, at, n) : are_kernels(o, at, n);
}

/* a frame count, that many addresses, and then only zeros up to the next number */
static bool is_inline(struct otst *o, const uint8_t *at, const uint8_t *end, uint64_t *frames)
{
	uint64_t n = otst_get(o, at, 8), first = at + 16 <= end ? otst_get(o, at + 8, 8) : 0;

	*frames = n;
	if (!n)
		return !first;
	if (n > (uint64_t)(end - at) / 8 - 1)
		return false;
	if (!are_frames(o, at + 8, n))
		return false;
	return at + 8 + n * 8 + 8 > end || !otst_get(o, at + 8 + n * 8, 8);
}

/* the most frames of a sample, where a count precedes them; 0 if a sample has something else */
static uint64_t count_inline(const struct otst_samples *s, uint32_t offset)
{
	uint64_t frames, most = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (!is_inline(s->o, s->items[i] + offset, s->items[i] + s->size, &frames))
			return 0;
		most = frames > most ? frames : most;
	}
	return most;
}

/* the most frames without a count; 0 unless more than half of the samples have some */
static uint64_t count_bare(const struct otst_samples *s, uint32_t offset)
{
	uint64_t frames, most = 0;
	size_t i, n = 0;

	for (i = 0; i < s->count; i++) {
		frames = count_frames(s->o, s->items[i] + offset, s->items[i] + s->size, false);
		n += frames >= MIN_FRAMES;
		most = frames > most ? frames : most;
	}
	return n * 2 > s->count ? most : 0;
}

/* skip what is 0 in all samples from @end on: it was room for more frames */
static uint32_t skip_zeros(const struct otst_samples *s, uint32_t end)
{
	for (; end + 8 <= s->size; end += 8) {
		for (size_t i = 0; i < s->count; i++) {
			if (otst_get(s->o, s->items[i] + end, 8))
				return end;
		}
	}
	return end;
}

static void guess_frames(const struct otst_samples *s, struct otst_slot *ret)
{
	uint64_t frames = count_inline(s, ret->offset);

	if (frames >= MIN_FRAMES) {
		ret->form = OTST_SLOT_INLINE;
		ret->evidence = "layout";
		frames++;
	} else {
		/* as few as two pointers to text, which need not be return addresses */
		ret->form = OTST_SLOT_FRAMES;
		ret->guess = true;
		frames = count_bare(s, ret->offset);
	}
	if (frames)
		ret->size = skip_zeros(s, ret->offset + (uint32_t)frames * 8) - ret->offset;
}

/* @ret->size is 0 when nothing fits */
static void guess_at(const struct otst_samples *s, uint32_t offset, struct otst_slot *ret)
{
	*ret = (struct otst_slot){ .offset = offset, .evidence = "fits" };
	for (size_t i = 0; i < s->nr_stacks && !ret->size; i++) {
		struct otst_stacks *m = s->stacks[i];

		ret->stacks = m;
		if (m->form != OTST_STACKS_KEYED && offset + 4 <= s->size &&
		    fits_ids(s, m, offset, &ret->guess)) {
			ret->form = OTST_SLOT_ID;
			ret->size = 4;
		} else if (m->form == OTST_STACKS_KEYED && offset % 8 == 0 &&
			   offset + 16 <= s->size && fits_keyed(s, m, offset)) {
			ret->form = OTST_SLOT_KEYED;
			ret->size = 16;
			ret->evidence = "layout";
		}
	}
	if (ret->size)
		return;
	ret->stacks = NULL;
	ret->guess = false;
	if (offset % 8 || offset + 16 > s->size)
		return;
	guess_frames(s, ret);
}

int otst_slots_guess(const struct otst_samples *s, struct otst_vec *slots)
{
	struct otst_slot slot;
	uint32_t offset;
	int err = 0;

	for (offset = 0; offset + 4 <= s->size && s->count && !err;
	     offset += slot.size ? slot.size : 4) {
		guess_at(s, offset, &slot);
		if (!slot.size)
			continue;
		if (slots->count >= MAX_SLOTS)
			break;
		if (!add_sample_slot(s, slots, &slot))
			return OTST_ERR_NOMEM;
		err = otst_check(s->o);
	}
	return err;
}
