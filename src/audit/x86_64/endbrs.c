// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * endbrs.c - entries of functions that are never called indirectly. They lose
 * their ENDBR (.ibt_endbr_seal, arch/x86/kernel/alternative.c,
 * apply_seal_endbr()): a nop of the same length takes its place.
 */
#include <string.h>

#include "x86_64.h"

#define SIZE 4

/* gen_endbr_poison(): up to 6.14, and since */
static const uint8_t seals[][SIZE] = { { 0x66, 0x0f, 0x1f, 0x00 }, { 0x0f, 0x1f, 0x40, 0xd6 } };
static const uint8_t endbr[SIZE] = { 0xf3, 0x0f, 0x1e, 0xfa };

void otst_seal_endbr(struct otst_expect *e, enum otst_difference d, uint64_t at,
		     const uint8_t **seal)
{
	const uint8_t *now = otst_expect_now(e, at, SIZE);
	bool done;

	if (!now || memcmp(now, endbr, SIZE))
		return;
	for (size_t k = 0; !*seal && k < sizeof(seals) / sizeof(*seals); k++)
		*seal = otst_expect_fits(e, at, seals[k], SIZE) ? seals[k] : NULL;
	if (*seal)
		otst_expect_try(e, d, at, *seal, SIZE, &done);
}

int otst_apply_endbrs(struct otst_expect *e)
{
	struct otst_vec sites = { 0 };
	const uint8_t *seal = NULL;
	int err = otst_expect_sites(e, ".ibt_endbr_seal", &sites);
	const uint64_t *at = sites.data;

	for (size_t i = 0; i < sites.count && !err; i++)
		otst_seal_endbr(e, OTST_DIFF_ENDBR, at[i], &seal);
	return err;
}
