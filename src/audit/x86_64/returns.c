// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * returns.c - returns that were built as jumps to a thunk (.return_sites,
 * arch/x86/kernel/alternative.c, apply_returns()): a plain return followed by
 * breakpoints on a cpu that needs no thunk, else a jump to the thunk that
 * x86_return_thunk names. All are done the same way, except where only returns
 * in the lower half of a cache line need a thunk.
 */
#include <string.h>

#include "x86_64.h"

#define SIZE 5u
#define MOST 6u	   /* clang's jump has a prefix (-mindirect-branch-cs-prefix) */
#define HALF 0x20u /* of a cache line */

struct patching {
	struct otst_expect *e;
	uint64_t thunk;
	bool by_half;
	size_t plain; /* sites that are a plain return */
	size_t jumps;
	bool returns; /* most are */
};

static void make_return(const struct patching *p, uint64_t at, bool plain, uint8_t *to)
{
	memset(to, INT3, MOST);
	if (plain)
		*to = RET;
	else
		otst_put_rel32(to, JMP, at, p->thunk);
}

static void count_return(struct patching *p, uint64_t at)
{
	uint8_t bytes[MOST];

	make_return(p, at, true, bytes);
	if (otst_expect_fits(p->e, at, bytes, SIZE)) {
		p->plain++;
		return;
	}
	make_return(p, at, false, bytes);
	p->jumps += p->thunk && otst_expect_fits(p->e, at, bytes, SIZE);
}

/* how long the jump is that was built; 0: none was */
static size_t jump_len(const uint8_t *now)
{
	size_t prefix = now && now[0] == CS;

	return now && now[prefix] == JMP ? prefix + SIZE : 0;
}

static void patch_return(struct patching *p, uint64_t at)
{
	size_t len = jump_len(otst_expect_now(p->e, at, SIZE));
	uint8_t bytes[MOST];
	bool done;

	if (!len)
		return;
	make_return(p, at, p->by_half ? at & HALF : p->returns, bytes);
	/* text that is not compared only matters as a source of alternatives */
	if (!otst_expect_found(p->e, at, len))
		otst_expect_set(p->e, OTST_DIFF_RETURN_THUNK, at, bytes, len);
	else
		otst_expect_try(p->e, OTST_DIFF_RETURN_THUNK, at, bytes, len, &done);
}

/* where jumps lead is not known; a plain return can still be checked */
static int lose_returns(struct patching *p, const uint64_t *at, size_t n, uint64_t variable)
{
	const uint8_t *found;

	for (size_t i = 0; i < n; i++) {
		found = otst_expect_found(p->e, at[i], SIZE);
		if (found && found[0] == JMP)
			otst_expect_unknown(p->e, at[i], SIZE);
	}
	return otst_expect_lost(p->e, 0, 0, "x86_return_thunk", variable);
}

int otst_apply_returns(struct otst_expect *e)
{
	struct patching p = { .e = e };
	struct otst_vec sites = { 0 };
	const uint64_t *at;
	uint64_t variable;
	int err = otst_expect_sites(e, ".return_sites", &sites);

	if (err || !sites.count)
		return err;
	at = sites.data;
	variable = otst_symbol_or0(e->o, "x86_return_thunk");
	if (!variable)
		p.thunk = otst_symbol_or0(e->o, "__x86_return_thunk");
	else if (otst_read_u64(e->o, variable, &p.thunk))
		err = lose_returns(&p, at, sites.count, variable);
	p.by_half = p.thunk && p.thunk == otst_symbol_or0(e->o, "its_return_thunk");
	for (size_t i = 0; i < sites.count; i++)
		count_return(&p, at[i]);
	p.returns = p.plain >= p.jumps || !p.thunk;
	for (size_t i = 0; i < sites.count && !err; i++)
		patch_return(&p, at[i]);
	return err;
}
