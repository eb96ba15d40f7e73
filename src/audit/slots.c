// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * slots.c - tables that the kernel makes in a module when it loads it: its GOT, its PLT, stubs
 * (../dump/modslots.c). Nothing patches them, so each entry must still be what it was then. An
 * entry that leads elsewhere diverts calls, or reads of a variable, from their target in the
 * module's file.
 */
#include <inttypes.h>
#include <string.h>

#include "expect.h"

#define WORD 8u

void otst_audit_slots(struct otst_expect *e)
{
	for (size_t i = 0; i < e->nr_parts; i++) {
		const struct otst_expect_part *p = &e->parts[i];
		const struct otst_section *s = p->section;

		for (size_t at = 0; p->found && s->of && at < p->size; at += s->entry) {
			if (s->of[at / s->entry] &&
			    !otst_expect_missing(e, p->addr + at, s->entry) &&
			    !memcmp(p->now + at, p->found + at, s->entry))
				otst_expect_place(e, OTST_DIFF_MODULE_SLOT, p->addr + at, s->entry);
		}
	}
}

const char *otst_slot_message(struct otst_expect *e, const struct otst_expect_part *p,
			      uint64_t addr)
{
	const struct otst_section *s = p->section;
	size_t at = (addr - p->addr) / s->entry * s->entry;
	const char *of = s->of[at / s->entry];
	const char *entry = otst_format(e->o, "the entry of %s in %s is not what loading made",
					of ? of : "nobody", s->name);
	uint64_t target;

	if (s->word >= s->entry || otst_expect_missing(e, p->addr + at + s->word, WORD) ||
	    !memcmp(p->now + at + s->word, p->found + at + s->word, WORD))
		return entry;
	target = otst_get(e->o, p->found + at + s->word, WORD);
	return otst_format(e->o, "%s: it leads to 0x%016" PRIx64 " %s", entry, target,
			   otst_name(e->o, target));
}
