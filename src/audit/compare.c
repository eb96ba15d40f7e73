// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * compare.c - what is left once every record has been applied: places that KASLR
 * relocated, and differences that nothing explains.
 */
#include <string.h>

#include "expect.h"

#define BLOCK 4096u
#define GAP   8u  /* equal bytes between two differences that are still one finding */
#define MOST  64u /* bytes of a finding */

#define SHOWN_OF_FUNCTION 8u   /* findings of one function; the rest is counted */
#define SHOWN_OF_ALL	  100u /* of all functions */

/* the first differing byte from @at on; @end when there is none */
static size_t next_difference(const struct otst_expect_part *p, size_t at, size_t end)
{
	while (at + 8 <= end) {
		uint64_t by = otst_get_le(p->now + at, 8) ^ otst_get_le(p->found + at, 8);

		if (by)
			return at + (size_t)__builtin_ctzll(by) / 8;
		at += 8;
	}
	while (at < end && p->now[at] == p->found[at])
		at++;
	return at;
}

/* of data, the end of the word at @at if it needs no more than otst_audit_word(); else 0 */
static size_t end_of_word(const struct otst_expect *e, const struct otst_expect_part *p, size_t at)
{
	size_t word = at - (size_t)((p->addr + at) & 7);

	return e->data && word <= at && word + 8 <= p->size && otst_audit_explains(e, p, word) ?
		       word + 8 :
		       0;
}

/* the end of a run of differences with small gaps, which are one finding */
static size_t end_of_run(const struct otst_expect *e, const struct otst_expect_part *p, size_t at,
			 size_t end)
{
	size_t i, last = at, from;

	for (i = at + 1; i < end && i <= last + GAP && i < at + MOST; i++) {
		if (p->now[i] == p->found[i])
			continue;
		if (end_of_word(e, p, i) ||
		    otst_expect_relocated(e, p->addr, p->now, p->found, p->size, i, &from))
			break;
		last = i;
	}
	return last + 1;
}

/* in an entry that a loader made, the instructions are one finding, the address is another */
static void find_field(const struct otst_expect_part *p, size_t at, size_t *begin, size_t *end)
{
	const struct otst_section *s = p->section;

	*begin = at / s->entry * s->entry;
	*end = *begin + (at - *begin < s->word ? s->word : s->entry);
	*begin += at - *begin < s->word ? 0 : s->word;
}

/* the last patch that wrote the byte at @addr; NULL when none did */
static const struct otst_audit_place *find_patch(const struct otst_expect *e, uint64_t addr)
{
	const struct otst_audit_place *patches = e->patches.data;

	for (size_t i = e->patches.count; i--;) {
		if (addr - patches[i].addr < patches[i].len)
			return &patches[i];
	}
	return NULL;
}

/* where the instruction begins that @patch replaced; 0 when it may have written only a part of one */
static uint64_t begin_of_code(const struct otst_audit_place *patch)
{
	bool whole = patch && (patch->difference == OTST_DIFF_STATIC_CALL ||
			       patch->difference == OTST_DIFF_JUMP_LABEL ||
			       patch->difference == OTST_DIFF_FTRACE);

	return whole ? patch->addr : 0;
}

/* names the class whose records made the first byte that differs what is expected */
static const char *describe_difference(struct otst_expect *e, const struct otst_expect_part *p,
				       uint64_t addr, bool claimed)
{
	const struct otst_audit_place *patch;

	if (e->data)
		return "read-only data is not as built";
	if (p->section->of)
		return otst_slot_message(e, p, addr);
	if (!claimed)
		return "no record explains what the text shows";
	patch = find_patch(e, addr);
	return otst_format(e->o, "the text is not what the records say (%s)",
			   patch ? otst_difference_name(patch->difference) : "several");
}

/* ---- how many are shown ---- */

/* false when @addr is in the same function as the previous difference */
static bool enter_function(struct otst_expect *e, uint64_t addr)
{
	struct otst_audit_limit *limit = &e->out->limit;
	struct otst_sym sym;

	if (addr >= limit->begin && addr < limit->end)
		return false;
	otst_symbolize(e->o, addr, &sym);
	/* without symbols, go by pages */
	limit->begin = sym.name ? sym.addr : addr & ~(uint64_t)(OTST_CHUNK - 1);
	limit->end = sym.name && sym.size ? sym.addr + sym.size : limit->begin + OTST_CHUNK;
	limit->in_function = 0;
	limit->rest = 0;
	limit->beyond = limit->in_all >= SHOWN_OF_ALL;
	return true;
}

/* counts one more in entry @at, which is created if needed; @function: in one more function */
static int count_more(struct otst_expect *e, size_t *at, uint64_t addr, bool function)
{
	struct otst_finding *f;

	if (!*at) {
		int err;

		otst_vec_push(e->o, &e->out->findings, sizeof(*f));
		err = otst_stopped(e->o);
		if (err)
			return err;
		*at = e->out->findings.count;
		f = (struct otst_finding *)e->out->findings.data + *at - 1;
		*f = (struct otst_finding){ .kind = OTST_FINDING_TEXT, .addr = addr };
	}
	f = (struct otst_finding *)e->out->findings.data + *at - 1;
	f->more++;
	f->functions += function;
	e->out->total++;
	return 0;
}

/* is the difference at @addr one too many to show? Then it is only counted. */
static int is_too_many(struct otst_expect *e, uint64_t addr, bool *ret)
{
	struct otst_audit_limit *limit = &e->out->limit;
	bool new = enter_function(e, addr);

	*ret = !e->out->want_all && (limit->beyond || limit->in_function >= SHOWN_OF_FUNCTION);
	if (*ret)
		return limit->beyond ? count_more(e, &limit->rest_all, 0, new) :
				       count_more(e, &limit->rest, limit->begin, !limit->rest);
	limit->in_function++;
	limit->in_all++;
	return 0;
}

static int report_difference(struct otst_expect *e, const struct otst_expect_part *p, size_t at,
			     size_t len)
{
	bool claimed = !e->data && memcmp(p->built + at, p->now + at, len);
	const char *what = describe_difference(e, p, p->addr + at, claimed);
	uint8_t *found = otst_alloc(e->o, len);
	struct otst_finding *f;

	f = otst_finding_add(e->o, e->out,
			     e->data ? OTST_FINDING_DATA :
			     claimed ? OTST_FINDING_CLAIM :
				       OTST_FINDING_TEXT,
			     p->addr + at, what);
	if (!found)
		return otst_no_memory(e->o);
	/* as it is in the dump, with the probes in it */
	if (otst_read(e->o, p->addr + at, found, len))
		memcpy(found, p->found + at, len);
	f->found = found;
	f->len = (uint32_t)len;
	f->code = claimed ? begin_of_code(find_patch(e, p->addr + at)) : 0;
	f->data = e->data || (p->section->of && at % p->section->entry >= p->section->word);
	f->built = p->built + at;
	f->expected = p->now + at;
	return 0;
}

/* may a class explain the difference at @at that could not be applied; counts them */
static bool is_undecided(struct otst_expect *e, const struct otst_expect_part *p, size_t at)
{
	if (!e->out->unread || e->data || p->section->of)
		return false;
	if (!e->out->unexplained++)
		e->out->unexplained_at = p->addr + at;
	return true;
}

static int compare_block(struct otst_expect *e, const struct otst_expect_part *p, size_t *at,
			 size_t end)
{
	size_t i = *at, stop, from, begin;
	bool many;
	int err = 0;

	for (i = next_difference(p, i, end); i < end && !err; i = next_difference(p, i, end)) {
		stop = end_of_word(e, p, i);
		if (stop) {
			err = otst_audit_word(e, p, stop - 8, NULL);
			i = stop;
			continue;
		}
		stop = otst_expect_relocated(e, p->addr, p->now, p->found, p->size, i, &from);
		if (stop && !e->data) {
			otst_expect_place(e, OTST_DIFF_RELOCATION, p->addr + from, stop - from);
		} else if (!stop) {
			begin = i;
			stop = end_of_run(e, p, i, end);
			if (is_undecided(e, p, i)) {
				i = stop;
				continue;
			}
			if (p->section->of)
				find_field(p, i, &begin, &stop);
			err = is_too_many(e, p->addr + i, &many);
			if (!err && !many)
				err = report_difference(e, p, begin, stop - begin);
		}
		i = stop;
	}
	*at = i;
	return err;
}

static int compare_range(struct otst_expect *e, const struct otst_expect_part *p, size_t at,
			 size_t last)
{
	size_t end;
	int err = 0;

	for (; at < last && !err; at = at > end ? at : end) {
		end = (at + p->addr + BLOCK) / BLOCK * BLOCK - p->addr;
		if (end > last)
			end = last;
		if (!p->have[at / OTST_CHUNK] || !memcmp(p->now + at, p->found + at, end - at))
			continue;
		err = compare_block(e, p, &at, end);
		err = err ?: otst_check(e->o);
	}
	return err;
}

static int compare_part(struct otst_expect *e, const struct otst_expect_part *p)
{
	const struct otst_audit_range *r = e->out->only;
	int err = e->out->nr_only ? 0 : compare_range(e, p, 0, p->size);

	for (size_t i = 0; i < e->out->nr_only && !err; i++) {
		uint64_t begin = r[i].begin > p->addr ? r[i].begin : p->addr,
			 end = p->addr + p->size;

		end = r[i].end < end ? r[i].end : end;
		if (begin < end)
			err = compare_range(e, p, begin - p->addr, end - p->addr);
	}
	return err;
}

int otst_compare(struct otst_expect *e)
{
	int err = 0;

	for (size_t i = 0; i < e->nr_parts && !err; i++) {
		if (e->parts[i].found && !e->parts[i].pointers)
			err = compare_part(e, &e->parts[i]);
	}
	return err;
}
