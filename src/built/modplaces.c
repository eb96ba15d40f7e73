// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * modplaces.c - where the entries of a module's GOT and PLT and its stubs are, and
 * which entry is where.
 */
#include <string.h>

#include "modload.h"

#define MAX_ENTRIES 65536u
#define STUB_MIN    32u

/* are all entries known; if one is not, which ones follow is not known either */
static bool is_complete(const struct otst_slots *s)
{
	const struct otst_slot *items = s->items.data;

	for (size_t i = 0; i < s->items.count; i++) {
		if (!items[i].of)
			return false;
	}
	return true;
}

/* for a table whose place, or the form of its entries, is not known */
static void leave_out(struct otst_loading *load, struct otst_slots *s)
{
	load->left_out += s->items.count;
	s->items.count = 0;
}

/* for a table that is not the one the file calls for */
static void forget_slots(struct otst_loading *load, struct otst_slots *s)
{
	load->odd += s->items.count;
	s->items.count = 0;
}

/* the first text range of the module */
static uint64_t find_module_text(const struct otst_module *m)
{
	for (unsigned int i = 0; i < m->nr_ranges; i++) {
		if (m->ranges[i].text && !m->ranges[i].init)
			return m->ranges[i].base;
	}
	return 0;
}

/* how many PLT entries match those in memory if they have @size bytes */
static size_t count_fitting(const struct otst_loading *load, const struct otst_slots *s)
{
	const struct otst_arch *arch = otst_kernel(load->o)->arch;
	const struct otst_slot *items = s->items.data;
	uint64_t via = s->shared ? s->at + s->items.count * s->size : 0;
	uint8_t bytes[OTST_SLOT_MAX], found[OTST_SLOT_MAX];
	size_t i, n = 0;

	for (i = 0; i < s->items.count; i++) {
		uint64_t at = s->at + i * s->size;

		n += items[i].of && arch->reloc.put_plt(bytes, s->size, at, items[i].target, via) &&
		     !otst_read(load->o, at, found, s->size) && !memcmp(found, bytes, s->size);
	}
	return n;
}

/* entries of different sizes may fill the same number of bytes */
static void find_form(struct otst_loading *load, struct otst_slots *s, uint64_t all)
{
	const uint8_t *sizes = otst_kernel(load->o)->arch->reloc.plt_sizes;
	struct otst_slots best = *s;
	size_t most = 0, n, i, fitting;

	for (i = 0; sizes[i / 2]; i++) {
		s->size = sizes[i / 2];
		s->shared = i % 2;
		n = s->items.count + s->shared;
		if (all != n * s->size)
			continue;
		fitting = count_fitting(load, s);
		if (best.size && fitting <= most)
			continue;
		best = *s;
		most = fitting;
	}
	*s = best;
}

/* module_frob_arch_sections() of arch/s390/kernel/module.c */
static int locate_behind_text(struct otst_loading *load)
{
	struct otst_slots *got = &load->slots[OTST_SLOT_GOT], *plt = &load->slots[OTST_SLOT_PLT];
	uint64_t text = find_module_text(load->m), at[2], all[2];
	int err = otst_read_member(load->o, "module", load->m->addr, "arch.got_offset", &at[0]);

	err = err ?: otst_read_member(load->o, "module", load->m->addr, "arch.got_size", &all[0]);
	err = err ?: otst_read_member(load->o, "module", load->m->addr, "arch.plt_offset", &at[1]);
	err = err ?: otst_read_member(load->o, "module", load->m->addr, "arch.plt_size", &all[1]);
	if (err || !text)
		return err;
	got->size = OTST_GOT_ENTRY;
	got->at = all[0] == got->items.count * OTST_GOT_ENTRY ? text + at[0] : 0;
	plt->at = text + at[1];
	find_form(load, plt, all[1]);
	plt->at = plt->size ? plt->at : 0;
	if (!got->at)
		forget_slots(load, got);
	if (!plt->at)
		forget_slots(load, plt);
	return 0;
}

static int locate_section(struct otst_loading *load, struct otst_slots *s, const char *section,
			  const char *number, uint64_t size)
{
	const struct otst_section *at = otst_load_section(load, section);
	uint64_t count;
	int err = otst_read_member(load->o, "module", load->m->addr, number, &count);

	if (err || !at) {
		forget_slots(load, s);
		return err;
	}
	s->at = at->addr;
	s->size = size;
	if (count == s->items.count && is_complete(s))
		return 0;
	/* if a symbol is not known, it cannot be told which entries they are */
	if (!is_complete(s)) {
		leave_out(load, s);
		return 0;
	}
	s->items.count = count < MAX_ENTRIES ? count : 0;
	forget_slots(load, s);
	return 0;
}

/* ---- tables whose entries may be in another order ---- */

static int set_items(struct otst *o, struct otst_slots *s, const struct otst_slot *items,
		     size_t count)
{
	s->items = (struct otst_vec){ 0 };
	for (size_t i = 0; i < count; i++)
		*(struct otst_slot *)otst_vec_push(o, &s->items, sizeof(*items)) = items[i];
	return otst_check(o);
}

/* gives each entry the place that leads to it; the remaining entries get the remaining places */
static int settle_slots(struct otst_loading *load, struct otst_slots *s, const uint64_t *found,
			size_t count)
{
	size_t n = s->items.count, i, k, pass, fitting = 0;
	struct otst_slot *items = s->items.data, *placed;
	bool *done = otst_alloc(load->o, n + 1), *used = otst_alloc(load->o, count + 1);

	placed = otst_alloc(load->o, (count + 1) * sizeof(*placed));
	if (!done || !used || !placed)
		return otst_no_memory(load->o);
	for (pass = 0; pass < 3; pass++) {
		for (i = 0; i < n; i++) {
			for (k = pass ? 0 : i; !done[i] && k < (pass ? count : i + 1); k++) {
				if (k >= count || used[k] ||
				    (pass < 2 && found[k] != items[i].target))
					continue;
				done[i] = used[k] = true;
				placed[k] = items[i];
				fitting += pass < 2;
			}
		}
		/* where most entries differ, the file does not describe this table */
		if (pass == 1 && 2 * fitting < n)
			n = 0;
	}
	s->odd = !n && s->items.count;
	if (s->odd)
		memset(placed, 0, count * sizeof(*placed));
	for (k = 0; k < count; k++)
		placed[k].target = placed[k].of ? placed[k].target : found[k];
	return set_items(load->o, s, placed, count);
}

/* module_finalize_ftrace(): after the stubs that relocations use */
static void add_own_stub(struct otst_loading *load, const char *member, const char *name)
{
	struct otst_slots *s = &load->slots[OTST_SLOT_PLT];
	struct otst_slot *slot, new = { .of = name, .own = true };

	if (!otst_has_member(load->o, "module", member) ||
	    otst_symbol(load->o, name, &new.target) ||
	    otst_slots_have(load, OTST_SLOT_PLT, &new, 0))
		return;
	slot = otst_vec_push(load->o, &s->items, sizeof(*slot));
	*slot = new;
}

/* since v6.13 (CONFIG_PPC_FTRACE_OUT_OF_LINE): stubs of ftrace sites follow in the same section */
static uint64_t find_other_stubs(const struct otst_loading *load, uint64_t at)
{
	uint64_t first;

	if (!otst_has_member(load->o, "module", "arch.ool_stubs") ||
	    otst_read_member(load->o, "module", load->m->addr, "arch.ool_stubs", &first))
		return UINT64_MAX;
	return first > at ? first : UINT64_MAX;
}

/*
 * stub_for_addr() of arch/powerpc/kernel/module_64.c: the stubs end at the first without a target
 */
static int locate_stubs(struct otst_loading *load)
{
	const struct otst_toc *toc = otst_kernel(load->o)->arch->reloc.toc;
	const struct otst_section *at = otst_load_section(load, toc->stubs);
	struct otst_slots *s = &load->slots[OTST_SLOT_PLT];
	const struct otst_member *function;
	struct otst_vec found = { 0 };
	uint64_t to, end, *slot;
	int err;

	if (!at) {
		forget_slots(load, s);
		return 0;
	}
	add_own_stub(load, "arch.tramp", "ftrace_caller");
	add_own_stub(load, "arch.tramp_regs", "ftrace_regs_caller");
	err = otst_type_size(load->o, toc->stub, &s->size);
	err = err ?: otst_member(load->o, toc->stub, toc->function, &function);
	if (err)
		return otst_fail(load->o, err, "module %s: its stubs", load->m->name);
	if (s->size < STUB_MIN || s->size > OTST_SLOT_MAX ||
	    function->offset > s->size - OTST_GOT_ENTRY) {
		leave_out(load, s);
		return 0;
	}
	s->at = at->addr;
	end = find_other_stubs(load, s->at);
	for (size_t i = 0;
	     i < MAX_ENTRIES && (i < s->items.count || s->at + (i + 1) * s->size <= end); i++) {
		err = otst_read_u64(load->o, s->at + i * s->size + function->offset, &to);
		if (otst_fatal(err))
			return err;
		if (i >= s->items.count && (err || !to))
			break;
		slot = otst_vec_push(load->o, &found, sizeof(*slot));
		/* a stub that is not in the dump is assumed to be the one that belongs there */
		*slot = err ? ((struct otst_slot *)s->items.data)[i].target : to;
	}
	return settle_slots(load, s, found.data, found.count);
}

/* true if it is for an erratum: adrp to another register than normal veneers use, or left empty */
static bool is_other_veneer(const uint8_t *bytes)
{
	uint64_t first = otst_get_le(bytes, 4);

	return !first || ((first & 0x9f000000) == 0x90000000 && (first & 31) != 16);
}

/* one of @items that leads to @to, if possible one that has no place yet */
static size_t find_target(const struct otst_slot *items, size_t count, const bool *done,
			  uint64_t to)
{
	size_t i, other = count;

	for (i = 0; i < count; i++) {
		if (items[i].of && items[i].target == to && !done[i])
			return i;
		if (items[i].of && items[i].target == to)
			other = i;
	}
	return other;
}

/*
 * The kernel sorts nearly all relocations of a section, and makes no entry that would
 * equal the one before. The place of each entry is not worked out: every entry has to
 * lead where one of the calls leads.
 */
static int settle_plt(struct otst_loading *load, struct otst_slots *s, size_t count)
{
	const struct otst_arch *arch = otst_kernel(load->o)->arch;
	struct otst_slot *items = s->items.data, *placed;
	size_t n = s->items.count, i, k, fitting = 0;
	uint8_t bytes[OTST_VENEER_MAX] = { 0 };
	bool *done = otst_alloc(load->o, n + 1);
	bool known = is_complete(s);
	uint64_t to;

	placed = otst_alloc(load->o, (count + 1) * sizeof(*placed));
	if (!done || !placed)
		return otst_no_memory(load->o);
	for (k = 0; k < count; k++) {
		if (otst_read(load->o, s->at + k * s->size, bytes, s->size) ||
		    !arch->reloc.veneer(bytes, s->at + k * s->size, &to))
			continue;
		i = find_target(items, n, done, to);
		if (i == n)
			continue;
		placed[k] = items[i];
		done[i] = true;
		fitting++;
	}
	/* where most entries differ, the file does not describe this table */
	s->odd = 2 * fitting < count;
	for (k = i = 0; k < count && known && !s->odd; k++) {
		while (i < n && done[i])
			i++;
		if (i < n && !placed[k].of &&
		    !otst_read(load->o, s->at + k * s->size, bytes, s->size) &&
		    !is_other_veneer(bytes))
			placed[k] = items[i++];
	}
	return set_items(load->o, s, placed, count);
}

/* module_emit_plt_entry() of arch/arm64/kernel/module-plts.c */
static int locate_plt(struct otst_loading *load)
{
	const struct otst_arch *arch = otst_kernel(load->o)->arch;
	struct otst_slots *s = &load->slots[OTST_SLOT_PLT];
	const struct otst_section *at = otst_load_section(load, ".plt");
	uint64_t size, count;
	int err;

	if (!at || otst_type_size(load->o, "plt_entry", &size) ||
	    size != arch->reloc.plt_sizes[0]) {
		leave_out(load, s);
		return otst_check(load->o);
	}
	err = otst_read_member(load->o, "module", load->m->addr, "arch.core.plt_num_entries",
			       &count);
	if (err || count > MAX_ENTRIES) {
		forget_slots(load, s);
		return err;
	}
	s->at = at->addr;
	s->size = size;
	return settle_plt(load, s, count);
}

static int locate_sections(struct otst_loading *load)
{
	int err = locate_section(load, &load->slots[OTST_SLOT_GOT], ".got", "arch.got.num_entries",
				 OTST_GOT_ENTRY);

	if (!err)
		err = locate_section(load, &load->slots[OTST_SLOT_PLT], ".plt",
				     "arch.plt.num_entries",
				     otst_kernel(load->o)->arch->reloc.plt_sizes[0]);
	return err;
}

int otst_slots_locate(struct otst_loading *load)
{
	switch (load->keeper) {
	case OTST_KEPT_BEHIND_TEXT:
		return locate_behind_text(load);
	case OTST_KEPT_IN_SECTIONS:
		return locate_sections(load);
	case OTST_KEPT_AS_STUBS:
		return locate_stubs(load);
	case OTST_KEPT_IN_PLT:
		return locate_plt(load);
	case OTST_KEPT_NOT:
		break;
	}
	return 0;
}

bool otst_slots_have(const struct otst_loading *load, enum otst_reloc_slot kind,
		     const struct otst_slot *want, size_t first)
{
	const struct otst_slots *s = &load->slots[kind];
	const struct otst_slot *items = s->items.data;

	for (size_t i = first; i < s->items.count; i++) {
		if (load->keeper == OTST_KEPT_BEHIND_TEXT ?
			    items[i].symbol == want->symbol :
			    items[i].of && items[i].target == want->target)
			return true;
	}
	return false;
}
