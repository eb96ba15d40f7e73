// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * smp_locks.c - lock prefixes (.smp_locks, arch/x86/kernel/alternative.c,
 * alternatives_smp_unlock()): a machine that boots with one cpu has a harmless
 * prefix instead, until another cpu comes up.
 */
#include "x86_64.h"

#define LOCK 0xf0
#define DS   0x3e

int otst_apply_smp_locks(struct otst_expect *e)
{
	static const uint8_t ds = DS;
	struct otst_vec sites = { 0 };
	uint64_t variable = otst_symbol_or0(e->o, "uniproc_patched");
	const uint64_t *at;
	const uint8_t *now;
	uint8_t patched;
	bool done;
	int err;

	err = variable ? otst_expect_sites(e, ".smp_locks", &sites) : 0;
	if (err || !sites.count)
		return err;
	/* all places have it, or none; if that is unknown, each is tried */
	if (otst_read_u8(e->o, variable, &patched))
		err = otst_expect_lost(e, 0, 0, "uniproc_patched", variable);
	else if (!patched)
		return 0;
	at = sites.data;
	for (size_t i = 0; i < sites.count && !err; i++) {
		now = otst_expect_now(e, at[i], 1);
		if (now && *now == LOCK)
			otst_expect_try(e, OTST_DIFF_SMP_LOCK, at[i], &ds, 1, &done);
	}
	return err;
}
