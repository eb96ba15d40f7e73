// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * alternatives.c - instructions chosen by facilities of the machine (struct alt_instr,
 * arch/s390/kernel/alternative.c): where the machine has the entry's facility, the
 * replacement is copied to its place as it is. alt_stfle_fac_list has a bit for each
 * facility, the first one the highest of its first byte; the kernel's own choices about
 * branch prediction are facilities there as well.
 */
#include <inttypes.h>

#include "s390x.h"

#define FACILITIES 128u /* bytes of the list */

struct layout {
	uint64_t size;
	const struct otst_member *orig, *repl, *facility, *len;
};

static int read_layout(struct otst *o, struct layout *ret)
{
	static const char type[] = "alt_instr";
	int err = otst_type_size(o, type, &ret->size);

	err = err ?: otst_member(o, type, "instr_offset", &ret->orig);
	err = err ?: otst_member(o, type, "repl_offset", &ret->repl);
	err = err ?: otst_member(o, type, "instrlen", &ret->len);
	ret->facility = NULL;
	if (!err && otst_member(o, type, "facility", &ret->facility))
		err = otst_stopped(o);
	return err;
}

static uint64_t pick(const uint8_t *raw, const struct otst_member *m)
{
	return otst_get_be(raw + m->offset, m->size);
}

static uint64_t pick_address(const uint8_t *raw, uint64_t at, const struct otst_member *m)
{
	return at + m->offset + (uint64_t)(int64_t)(int32_t)pick(raw, m);
}

static int apply(struct otst_expect *e, const struct layout *l, const uint8_t *raw, uint64_t at,
		 const uint8_t *list)
{
	uint64_t orig = pick_address(raw, at, l->orig), facility = pick(raw, l->facility);
	size_t len = pick(raw, l->len);
	const uint8_t *repl = otst_expect_now(e, pick_address(raw, at, l->repl), len);

	if (!repl || facility / 8 >= FACILITIES || !(list[facility / 8] & 0x80u >> facility % 8))
		return 0;
	return otst_expect_set(e, OTST_DIFF_ALTERNATIVE, orig, repl, len);
}

/* nothing tells which apply: all of them are taken as found */
static void skip(struct otst_expect *e, const struct layout *l, const struct otst_section *s)
{
	uint64_t at;

	for (at = 0; at + l->size <= s->size; at += l->size)
		otst_expect_unknown(e, pick_address(s->data + at, s->addr + at, l->orig),
				    pick(s->data + at, l->len));
}

int otst_s390_alternatives(struct otst_expect *e)
{
	const struct otst_section *s = otst_expect_section(e, ".altinstructions");
	uint64_t list = otst_symbol_or0(e->o, "alt_stfle_fac_list"), at;
	uint8_t facilities[FACILITIES];
	struct layout l;
	int err;

	if (!s)
		return 0;
	err = read_layout(e->o, &l);
	if (err)
		return otst_note(e->o, &e->out->notes, otst_fail(e->o, err, "alternatives"));
	if (!l.facility || !list) {
		skip(e, &l, s);
		return otst_note(e->o, &e->out->notes,
				 otst_raise(e->o, OTST_ERR_LOOKUP,
					    "alternatives: when they apply is not known: "
					    "%" PRIu64 " places are taken as found",
					    s->size / l.size));
	}
	if (otst_read(e->o, list, facilities, sizeof(facilities))) {
		skip(e, &l, s);
		return otst_expect_lost(e, 0, 0, "facilities of the machine", list);
	}
	for (at = 0; at + l.size <= s->size && !err; at += l.size)
		err = apply(e, &l, s->data + at, s->addr + at, facilities);
	return err ? err : otst_check(e->o);
}
