// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * live.c - probes of a live kernel: they come and go while they are read, and a
 * list may lead into memory that was freed. So each mechanism is read again until two
 * consecutive readings say the same. What the last two do not agree on is
 * marked; what only the earlier one has is left out and counted. Text that contradicts a
 * record is given time: the kernel changes text in steps, behind an int3, and the record before
 * or after that.
 */
#include <time.h>

#include "probes.h"

#define READINGS 6
#define PAUSE	 (20 * 1000000) /* nanoseconds; doubled each time */

static bool same_handlers(const struct otst_probe *a, const struct otst_probe *b)
{
	if (a->nr_handlers != b->nr_handlers)
		return false;
	for (unsigned int i = 0; i < a->nr_handlers; i++) {
		if (a->handlers[i].role != b->handlers[i].role ||
		    a->handlers[i].addr != b->handlers[i].addr)
			return false;
	}
	return true;
}

/* what a kernel does not change in a probe that stays; counters and neighbours change */
static bool is_same_probe(const struct otst_probe *a, const struct otst_probe *b)
{
	return a->kind == b->kind && a->record == b->record && a->node == b->node &&
	       a->addr == b->addr && a->offset == b->offset && a->flags == b->flags &&
	       a->node_flags == b->node_flags && a->claim == b->claim && a->via == b->via &&
	       a->evidence.seen == b->evidence.seen && a->evidence.target == b->evidence.target &&
	       a->slot == b->slot && a->detour == b->detour && a->at_return == b->at_return &&
	       a->programs.count == b->programs.count && a->owner.kind == b->owner.kind &&
	       otst_same_text(a->owner.name, b->owner.name) &&
	       otst_same_text(a->target, b->target) &&
	       otst_same_text(a->symbol_name, b->symbol_name) &&
	       otst_same_text(a->sym.name, b->sym.name) && otst_same_text(a->queue, b->queue) &&
	       otst_same_text(a->disagree, b->disagree) && otst_same_text(a->error, b->error) &&
	       same_handlers(a, b);
}

/**
 * struct reading - what one reading found
 * @alone: for each probe: the reading before does not have it exactly like this
 */
struct reading {
	struct otst_probes probes;
	bool *alone;
};

/* both have about the same order; sets @moved: how many in either have no match in the other */
static int compare_readings(struct otst *o, const struct otst_probes *before, struct reading *last)
{
	size_t i, j, k = 0, left = before->count, count = last->probes.count;
	bool *matched = otst_alloc(o, left + 1);

	last->alone = otst_alloc(o, count + 1);
	if (!matched || !last->alone)
		return otst_no_memory(o);
	for (i = 0; i < count; i++) {
		for (j = 0; j < before->count; j++, k++) {
			k = k < before->count ? k : 0;
			if (!matched[k] && is_same_probe(before->items[k], last->probes.items[i]))
				break;
		}
		last->alone[i] = j == before->count;
		last->probes.moved += last->alone[i];
		if (!last->alone[i]) {
			matched[k] = true;
			left--;
		}
	}
	last->probes.moved += left;
	return 0;
}

static bool probe_disagrees(const struct otst_probes *p)
{
	size_t i;

	for (i = 0; i < p->count && !p->items[i]->disagree; i++)
		;
	return i < p->count;
}

/* prefer fewer broken walks, then fewer probes that did not stay the same */
static bool is_better(const struct otst_probes *a, const struct otst_probes *b)
{
	if (a->errors.count != b->errors.count)
		return a->errors.count < b->errors.count;
	return a->moved != b->moved ? a->moved < b->moved :
				      !probe_disagrees(a) || probe_disagrees(b);
}

static bool has_probe(const struct otst_probes *p, const struct otst_probe *probe)
{
	size_t i;

	for (i = 0; i < p->count && !is_same_probe(p->items[i], probe); i++)
		;
	return i < p->count;
}

/*
 * Record and text of a probe may be from different moments. So mark what the reading before
 * does not have exactly like this, and any contradiction that not all @readings have.
 */
static void mark_seen(struct reading *r, const struct otst_probes *readings, int count)
{
	size_t i;
	int k;

	for (i = 0; i < r->probes.count; i++) {
		struct otst_probe *p = r->probes.items[i];

		for (k = 0; p->disagree && k < count && has_probe(&readings[k], p); k++)
			;
		if (!r->alone[i] && (!p->disagree || k == count))
			continue;
		r->probes.moved += !r->alone[i];
		p->disagree = NULL;
		p->error = p->error ?: "it changed while it was read";
	}
}

int otst_collect_live(struct otst *o, otst_collect_fn *collect, struct otst_probes *ret)
{
	struct reading best = { .probes.errors.count = SIZE_MAX }, last;
	struct otst_probes readings[READINGS], before = { 0 };
	int i, count = 0, err = 0;

	for (i = 0; i < READINGS; i++) {
		const struct timespec pause = { .tv_nsec = (long)PAUSE << i };

		last = (struct reading){ 0 };
		otst_read_anew(o);
		err = collect(o, &last.probes);
		if (err && ((err == OTST_ERR_LOOKUP && !i) || otst_fatal(err)))
			return err;
		/* nothing could be read this time */
		if (err)
			continue;
		if (compare_readings(o, &before, &last))
			return otst_stopped(o);
		before = last.probes;
		readings[count++] = before;
		if (!i)
			continue;
		if (is_better(&last.probes, &best.probes))
			best = last;
		if (probe_disagrees(&best.probes))
			nanosleep(&pause, NULL);
		else if (!best.probes.errors.count && !best.probes.moved)
			break;
	}
	if (best.probes.errors.count == SIZE_MAX)
		return err;
	mark_seen(&best, readings, count);
	*ret = best.probes;
	return 0;
}
