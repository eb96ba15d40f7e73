// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * shadow_stacks.c - if the cpu lacks pointer authentication, a kernel built for it keeps
 * return addresses on a stack of their own instead (CONFIG_DYNAMIC_SCS,
 * arch/arm64/kernel/pi/patch-scs.c): paciasp and autiasp become a store and a load.
 */
#include "aarch64.h"

static const uint32_t pairs[][2] = {
	{ 0xd503233f, 0xf800865e }, /* paciasp: str x30, [x18], #8 */
	{ 0xd50323bf, 0xf85f8e5e }, /* autiasp: ldr x30, [x18, #-8]! */
};

static int patch_shadow_stacks(struct otst_expect *e, const struct otst_expect_part *p)
{
	for (size_t at = 0; at + INSN <= p->size; at += INSN) {
		uint32_t found = otst_a64_get(p->found + at);

		for (size_t i = 0; i < 2; i++) {
			if (found == pairs[i][1] && otst_a64_get(p->now + at) == pairs[i][0])
				otst_expect_set(e, OTST_DIFF_ALTERNATIVE, p->addr + at,
						p->found + at, INSN);
		}
	}
	return otst_check(e->o);
}

int otst_a64_shadow_stacks(struct otst_expect *e)
{
	uint64_t key = otst_symbol_or0(e->o, "dynamic_scs_enabled");
	const struct otst_member *enabled;
	uint32_t on;
	int err = 0;

	if (!key || otst_member(e->o, "static_key", "enabled", &enabled))
		return 0;
	if (otst_read_u32(e->o, key + enabled->offset, &on))
		return otst_expect_lost(e, 0, 0, "dynamic_scs_enabled", key);
	for (size_t i = 0; on && i < e->nr_parts && !err; i++) {
		if (e->parts[i].found)
			err = patch_shadow_stacks(e, &e->parts[i]);
	}
	return err;
}
