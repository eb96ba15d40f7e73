// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * perf_find.c - where records start in a stretch of a perf buffer when only its
 * end is known. A record tells where the next one starts, but not where the one
 * before it did, so many positions may look like a record. From each of them,
 * the records are followed; a position that does not lead to the end holds no
 * record. The first position that all others lead through is certain: from there
 * on, the records are those that the kernel wrote.
 */
#include "perf_record.h"

#define UNIT 8u /* records start at multiples of it */

/*
 * @leads: a bit for each position from @from up to @stop, set if a record can
 * start there; @cut: the last one may continue after @stop
 */
struct search {
	struct otst_perf_buffer *b;
	const struct otst_perf_filter *filter;
	uint64_t from;
	uint64_t stop;
	bool cut;
	uint64_t *leads;
};

static uint64_t common_units(const struct search *s)
{
	return (s->stop - s->from) / UNIT;
}

static bool is_lead(const struct search *s, uint64_t i)
{
	return s->leads[i / 64] >> i % 64 & 1;
}

/* can a record start at unit @i: 1, 0, or what ends a command */
static int judge_page(const struct search *s, uint64_t i)
{
	uint64_t left = common_units(s) - i, size;
	struct otst_perf_record rec;
	int err = otst_perf_header_read(s->b, s->from + i * UNIT, &rec);

	if (err)
		return otst_fatal(err) ? err : 0;
	if (!otst_perf_header_plausible(&rec))
		return 0;
	size = rec.size / UNIT;
	if (size > left)
		return s->cut;
	if (size < left && !is_lead(s, i + size))
		return 0;
	if (!s->filter->plausible)
		return 1;
	err = otst_perf_record_read(s->b, rec.at, rec.size, &rec);
	if (err)
		return otst_fatal(err) ? err : 0;
	return s->filter->plausible(s->filter->priv, &rec);
}

static int mark_common(struct search *s)
{
	uint64_t i = common_units(s);
	int is;

	s->leads = otst_alloc(s->b->o, (i / 64 + 1) * sizeof(*s->leads));
	if (!s->leads)
		return otst_no_memory(s->b->o);
	while (i--) {
		is = judge_page(s, i);
		if (is < 0)
			return is;
		s->leads[i / 64] |= (uint64_t)is << i % 64;
	}
	return 0;
}

/*
 * @at: with @certain, the unit that all positions known so far lead through; else the
 * first unit from which this can be so again. @next: where the next record from @at on starts
 */
struct common {
	bool any;
	bool certain;
	uint64_t at;
	uint64_t next;
};

static void step_common(struct common *c, uint64_t i, uint64_t next)
{
	if (!c->any || (!c->certain && i == c->at)) {
		*c = (struct common){ .any = true, .certain = true, .at = i, .next = next };
	} else if (c->certain && i == c->next) {
		c->next = next;
	} else {
		/* this position does not lead through @at */
		c->at = c->certain ? c->next : c->at;
		c->at = next > c->at ? next : c->at;
		c->certain = false;
	}
}

static int choose_common(const struct search *s, struct common *c)
{
	uint64_t i, n = common_units(s);
	struct otst_perf_record rec;
	int err;

	for (i = 0; i < n; i++) {
		if (!is_lead(s, i))
			continue;
		/* the first whole record starts no further away than the longest record is long */
		if (c->certain && i - c->at > OTST_PERF_LONGEST / UNIT)
			break;
		err = otst_perf_header_read(s->b, s->from + i * UNIT, &rec);
		if (err)
			return err;
		step_common(c, i, i + rec.size / UNIT);
	}
	return 0;
}

/* how far the buffer can be read from @from on: at most to @end; @from if not at all */
static int measure_run(struct otst_perf_buffer *b, uint64_t from, uint64_t end, uint64_t *ret)
{
	struct otst_perf_record rec;
	uint64_t at = from;
	int err;

	while (at != end) {
		uint64_t n = OTST_CHUNK - at % OTST_CHUNK;

		err = otst_perf_header_read(b, at, &rec);
		if (otst_fatal(err))
			return err;
		if (err)
			break;
		at = n < end - at ? at + n : end;
	}
	*ret = at;
	return 0;
}

int otst_perf_record_find(struct otst_perf_buffer *b, const struct otst_perf_filter *filter,
			  uint64_t from, uint64_t end, bool cut, uint64_t *ret)
{
	struct search s = { .b = b, .filter = filter, .from = from };
	struct common c = { .any = false };
	int err;

	while (s.from != end) {
		err = measure_run(b, s.from, end, &s.stop);
		if (err)
			return err;
		if (s.stop != s.from) {
			s.cut = cut || s.stop != end;
			err = mark_common(&s);
			err = err ?: choose_common(&s, &c);
			if (err)
				return err;
			if (c.certain) {
				*ret = s.from + c.at * UNIT;
				return 0;
			}
			s.from = s.stop;
		} else {
			uint64_t n = OTST_CHUNK - s.from % OTST_CHUNK;

			s.from = n < end - s.from ? s.from + n : end;
		}
		c = (struct common){ .any = false };
	}
	*ret = end;
	return 0;
}
