// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * plts.c - calls and jumps of a module that do not reach their target and go to a veneer
 * in the module instead (arch/arm64/kernel/module-plts.c), which leads to exactly
 * that target. Because of an erratum of some cores (843419) an adrp at the end of a
 * page becomes an adr, or a branch to a veneer that does its work.
 */
#include <string.h>

#include "../../ftrace/ftrace.h"
#include "aarch64.h"

/* does a branch hold the bits of @target that fit, even if it cannot reach it */
static bool same_bits(uint32_t insn, uint64_t addr, uint64_t target)
{
	return (insn & 0x03ffffff) == ((target - addr) >> 2 & 0x03ffffff);
}

static bool is_plt(struct otst_expect *e, uint32_t now, uint32_t found, uint64_t addr)
{
	uint64_t at, target;

	return (now & 0x7c000000) == 0x14000000 && (now ^ found) >> 26 == 0 &&
	       otst_a64_branch(found, addr, &at) && otst_module_at(e->o, at) == e->module &&
	       otst_veneer_at(e->o, at, &target) && same_bits(now, addr, target) &&
	       otst_is_text(e->o, target);
}

static bool is_adrp_veneer(struct otst_expect *e, uint32_t now, uint32_t found, uint64_t addr)
{
	uint8_t veneer[3 * INSN];
	uint64_t at, back, page = otst_a64_page(now, addr);
	uint32_t first;

	if ((now & ADRP_MASK) != ADRP || (addr & 0xfff) < 0xff8)
		return false;
	if ((found & ADRP_MASK) == ADR && (found & 31) == (now & 31))
		return otst_a64_page(found, addr) == page;
	if (!otst_a64_branch(found, addr, &at) || otst_module_at(e->o, at) != e->module ||
	    otst_read(e->o, at, veneer, sizeof(veneer)))
		return false;
	first = otst_a64_get(veneer);
	return (first & (ADRP_MASK | 31)) == (ADRP | (now & 31)) &&
	       otst_a64_page(first, at) == page &&
	       otst_a64_branch(otst_a64_get(veneer + 8), at + 8, &back) && back == addr + INSN;
}

/* what the kernel makes of these sections has no counterpart in the file */
static bool is_made(const struct otst_expect *e, uint64_t addr)
{
	static const char *const names[] = { ".plt", ".init.plt", ".text.ftrace_trampoline" };

	for (size_t i = 0; i < e->built->count; i++) {
		for (size_t k = 0; e->built->items[i].addr == addr && k < 3; k++) {
			if (!strcmp(e->built->items[i].name, names[k]))
				return true;
		}
	}
	return false;
}

static int compare_plts(struct otst_expect *e, const struct otst_expect_part *p)
{
	for (size_t at = 0; at + INSN <= p->size; at += INSN) {
		uint32_t now = otst_a64_get(p->now + at), found = otst_a64_get(p->found + at);
		uint64_t addr = p->addr + at;

		if (now != found &&
		    (is_plt(e, now, found, addr) || is_adrp_veneer(e, now, found, addr)))
			otst_expect_set(e, OTST_DIFF_RELOCATION, addr, p->found + at, INSN);
	}
	return otst_check(e->o);
}

int otst_a64_plts(struct otst_expect *e)
{
	int err = 0;

	for (size_t i = 0; e->module && i < e->nr_parts && !err; i++) {
		struct otst_expect_part *p = &e->parts[i];

		if (p->section->of)
			continue;
		if (p->found && is_made(e, p->addr))
			otst_expect_unknown(e, p->addr, p->size);
		else if (p->found)
			err = compare_plts(e, p);
	}
	return err;
}
