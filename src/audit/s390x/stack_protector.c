// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stack_protector.c - loads of the stack protector's value (.stack_prot_table,
 * __stack_protector_apply() of arch/s390/kernel/stackprotector.c): the address of
 * __stack_chk_guard becomes that of lowcore.stack_canary, the same in every place.
 */
#include <string.h>

#include "s390x.h"

#define INSN 6u /* larl or lgrl, then llilf, to the same register */

/* where lowcore is mapped on machines that have it elsewhere: LOWCORE_ALT_ADDRESS */
#define LOWCORE_MOVED 0x70000u

static void s390x_put_load(uint8_t *bytes, uint64_t at)
{
	bytes[0] = 0xc0;
	bytes[1] |= 0x0f;
	for (size_t i = 0; i < 4; i++)
		bytes[2 + i] = (uint8_t)(at >> 8 * (3 - i));
}

static bool is_load(const uint8_t *insn)
{
	return (insn[0] == 0xc0 && !(insn[1] & 0x0f)) || (insn[0] == 0xc4 && (insn[1] & 0x0f) == 8);
}

/* the first place that is compared tells which of the two addresses it is */
static uint64_t pick_lowcore(const struct otst_expect *e, uint64_t at)
{
	const uint8_t *found = otst_expect_found(e, at, INSN);

	return found && otst_get_be(found + 2, 4) >= LOWCORE_MOVED ? LOWCORE_MOVED : 0;
}

int otst_s390x_stack_protector(struct otst_expect *e)
{
	const struct otst_section *s =
		otst_expect_section(e, e->module ? "__stack_protector_loc" : ".stack_prot_table");
	const struct otst_member *canary;
	uint64_t at, place, lowcore = 0;
	bool known = false;
	int err;

	if (!s)
		return 0;
	err = otst_member(e->o, "lowcore", "stack_canary", &canary);
	if (err)
		return otst_note(e->o, &e->out->notes, otst_fail(e->o, err, "stack protector"));
	for (at = 0; at + 8 <= s->size; at += 8) {
		const uint8_t *now;
		uint8_t bytes[INSN];

		place = otst_get_be(s->data + at, 8) + e->built->slide;
		now = otst_expect_now(e, place, INSN);
		if (!now || !is_load(now))
			continue;
		if (!known && otst_expect_found(e, place, INSN)) {
			lowcore = pick_lowcore(e, place);
			known = true;
		}
		memcpy(bytes, now, INSN);
		s390x_put_load(bytes, lowcore + canary->offset);
		otst_expect_set(e, OTST_DIFF_ALTERNATIVE, place, bytes, INSN);
	}
	return otst_check(e->o);
}
