// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * alternatives.c - instructions chosen by facilities of the machine (struct alt_instr,
 * arch/s390/kernel/alternative.c): if the machine has the entry's facility, the
 * replacement is copied to its place unchanged. alt_stfle_fac_list has a bit for each
 * facility, starting with the highest bit of its first byte; the kernel's own choices about
 * branch prediction are facilities there as well. Since 6.11 an entry says what its number
 * means: a facility (stfle_fac_list), a feature (machine_features), or a choice (nobp). If
 * the variable is not known, the text decides.
 */
#include "s390x.h"

#define FACILITIES 128u /* bytes of the list */

/* bits of alt_instr.feature, and types: ALT_TYPE_FACILITY and others */
#define TYPE_SHIFT 20u
#define TYPE_MASK  0xffu
#define DATA_MASK  0xfffffu

enum { FACILITY, FEATURE, CHOICE };

struct layout {
	uint64_t size;
	const struct otst_member *orig, *repl, *facility, *len;
	bool typed;
};

static int s390x_read_alternative_layout(struct otst *o, struct layout *ret)
{
	static const char type[] = "alt_instr";
	int err = otst_type_size(o, type, &ret->size);

	err = err ?: otst_member(o, type, "instr_offset", &ret->orig);
	err = err ?: otst_member(o, type, "repl_offset", &ret->repl);
	err = err ?: otst_member(o, type, "instrlen", &ret->len);
	ret->typed = !err && otst_has_member(o, type, "feature");
	return err ?: otst_member(o, type, ret->typed ? "feature" : "facility", &ret->facility);
}

/** struct facts - what decides; a list is NULL when it is not known */
struct facts {
	const uint8_t *facilities;
	const uint8_t *features;
	const uint8_t *choice;
};

static uint64_t s390x_pick(const uint8_t *raw, const struct otst_member *m)
{
	return otst_get_be(raw + m->offset, m->size);
}

static uint64_t s390x_pick_address(const uint8_t *raw, uint64_t at, const struct otst_member *m)
{
	return at + m->offset + (uint64_t)(int64_t)(int32_t)s390x_pick(raw, m);
}

/* does an entry apply: 0 or 1; -1 when the text has to decide */
static int applies_here(const struct layout *layout, const struct facts *f, uint64_t number)
{
	uint64_t type = layout->typed ? number >> TYPE_SHIFT & TYPE_MASK : FACILITY;
	uint64_t bit = layout->typed ? number & DATA_MASK : number;

	if (type == FACILITY && f->facilities && bit / 8 < FACILITIES)
		return (f->facilities[bit / 8] & 0x80u >> bit % 8) != 0;
	/* a bitmap of one word */
	if (type == FEATURE && f->features && bit < 64)
		return otst_get_be(f->features, 8) >> bit & 1;
	if (type == CHOICE && f->choice)
		return otst_get_be(f->choice, 4) != 0;
	return -1;
}

static void apply_entry(struct otst_expect *e, const struct layout *layout, const uint8_t *raw,
			uint64_t at, const struct facts *f)
{
	uint64_t orig = s390x_pick_address(raw, at, layout->orig);
	size_t len = s390x_pick(raw, layout->len);
	const uint8_t *repl = otst_expect_now(e, s390x_pick_address(raw, at, layout->repl), len);
	int applied = applies_here(layout, f, s390x_pick(raw, layout->facility));
	bool done;

	if (!repl || !applied)
		return;
	if (applied > 0)
		otst_expect_set(e, OTST_DIFF_ALTERNATIVE, orig, repl, len);
	else
		otst_expect_try(e, OTST_DIFF_ALTERNATIVE, orig, repl, len, &done);
}

/* reads a variable; NULL when there is none, or when it cannot be read, which is counted */
static int s390x_read_list(struct otst_expect *e, const char *name, uint8_t *buf, size_t len,
			   const uint8_t **ret)
{
	uint64_t at = otst_symbol_or0(e->o, name);

	*ret = NULL;
	if (!at)
		return 0;
	if (otst_read(e->o, at, buf, len))
		return otst_expect_lost(e, 0, 0, name, at);
	*ret = buf;
	return 0;
}

int otst_s390x_alternatives(struct otst_expect *e)
{
	const struct otst_section *s = otst_expect_section(e, ".altinstructions");
	uint8_t facilities[FACILITIES], features[8], choice[4];
	struct facts f;
	struct layout layout;
	int err;

	if (!s)
		return 0;
	err = s390x_read_alternative_layout(e->o, &layout);
	if (err)
		return otst_expect_unread(e, err, "alternatives");
	err = s390x_read_list(e, layout.typed ? "stfle_fac_list" : "alt_stfle_fac_list", facilities,
			      sizeof(facilities), &f.facilities);
	if (!err)
		err = s390x_read_list(e, "machine_features", features, sizeof(features),
				      &f.features);
	err = err ?: s390x_read_list(e, "nobp", choice, sizeof(choice), &f.choice);
	for (uint64_t at = 0; at + layout.size <= s->size && !err; at += layout.size)
		apply_entry(e, &layout, s->data + at, s->addr + at, &f);
	return err ? err : otst_check(e->o);
}
