// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * kgdb.c - breakpoints that a debugger has put into the text through kgdb or
 * kdb (kgdb_break[], kernel/debug/debug_core.c). While the debugger has the
 * machine stopped they are not in the text, else each active one is. What a
 * breakpoint covers is put back into what was found, as for kprobes.
 */
#include <string.h>

#include "expect.h"

#define MAX_BREAKS  16384u /* KGDB_MAX_BREAKPOINTS is 1000 */
#define READ_BREAKS 256u   /* at a time */

struct layout {
	uint64_t size;
	const struct otst_member *addr, *saved, *state;
	uint64_t active;
};

static int read_breakpoint_layout(struct otst *o, struct layout *ret)
{
	static const char type[] = "kgdb_bkpt";
	int err = otst_type_size(o, type, &ret->size);

	err = err ?: otst_member(o, type, "bpt_addr", &ret->addr);
	err = err ?: otst_member(o, type, "saved_instr", &ret->saved);
	err = err ?: otst_member(o, type, "state", &ret->state);
	/* UNDEFINED, REMOVED, SET, ACTIVE */
	ret->active = (uint64_t)otst_enumerator_or(o, "BP_ACTIVE", 3);
	return err;
}

static void put_back(struct otst_expect *e, const struct layout *layout, const uint8_t *raw)
{
	uint64_t addr = otst_get(e->o, raw + layout->addr->offset, layout->addr->size);
	const struct otst_insn_form *brk = &e->arch->arch->insn.kgdb_breakpoint;
	uint8_t *found;

	if (otst_get(e->o, raw + layout->state->offset, layout->state->size) != layout->active)
		return;
	found = otst_expect_found(e, addr, brk->len);
	if (!found || !otst_insn_is(brk, found, brk->len) || layout->saved->size < brk->len)
		return;
	memcpy(found, raw + layout->saved->offset, brk->len);
	otst_expect_place(e, OTST_DIFF_KGDB, addr, brk->len);
}

/* entries of the array, which ends at the next symbol */
static uint64_t count_breaks(struct otst *o, uint64_t at, uint64_t size)
{
	struct otst_sym sym;

	otst_symbolize(o, at, &sym);
	return size && sym.name && sym.addr == at ? sym.size / size : 0;
}

int otst_apply_kgdb(struct otst_expect *e)
{
	uint64_t at = otst_symbol_or0(e->o, "kgdb_break"), count, i, k, n;
	struct layout layout = { 0 };
	uint8_t *raw;
	int err = at ? read_breakpoint_layout(e->o, &layout) : OTST_ERR_LOOKUP;

	/* a kernel without kgdb */
	if (err)
		return err == OTST_ERR_LOOKUP ? 0 : err;
	count = count_breaks(e->o, at, layout.size);
	if (count > MAX_BREAKS)
		count = MAX_BREAKS;
	raw = otst_alloc(e->o, READ_BREAKS * layout.size);
	if (!raw)
		return otst_no_memory(e->o);
	for (i = 0; i < count && !err; i += n) {
		n = count - i < READ_BREAKS ? count - i : READ_BREAKS;
		if (otst_read(e->o, at + i * layout.size, raw, n * layout.size))
			err = otst_expect_lost(e, 0, 0, "kgdb_break", at + i * layout.size);
		for (k = 0; !err && k < n; k++)
			put_back(e, &layout, raw + k * layout.size);
	}
	return err;
}
