// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * modslots.c - what the kernel adds to a module when it loads it, and no file has:
 * entries of its GOT and PLT, stubs. The file's relocations are gone through in the
 * kernel's order (arch/ARCH/kernel/module*.c): they tell how many entries there are,
 * and which symbol each is for.
 */
#include <stdlib.h>
#include <string.h>

#include "../base/sorted.h"
#include "modload.h"

#define LIVEPATCH UINT64_C(0x00100000) /* SHF_RELA_LIVEPATCH: applied when its target is there */

static enum otst_keeper find_keeper(const struct otst_loading *load)
{
	const struct otst_arch *arch = otst_kernel(load->o)->arch;

	if (arch->reloc.toc)
		return OTST_KEPT_AS_STUBS;
	if (!arch->reloc.slot)
		return OTST_KEPT_NOT;
	if (otst_has_member(load->o, "module", "arch.got_offset"))
		return OTST_KEPT_BEHIND_TEXT;
	if (otst_has_member(load->o, "module", "arch.got.num_entries"))
		return OTST_KEPT_IN_SECTIONS;
	return otst_has_member(load->o, "module", "arch.core.plt_num_entries") ? OTST_KEPT_IN_PLT :
										 OTST_KEPT_NOT;
}

/* the relocations of one section, in the order in which the kernel takes them */
struct order {
	GElf_Rela *relas;
	size_t count;
	Elf_Data *symbols;
	size_t strings;
	size_t target;
	size_t first; /* the search for an equal PLT entry starts here: earlier ones do not count */
};

/* relacmp() of arch/powerpc/kernel/module_64.c */
static int by_info_down(const void *a, const void *b)
{
	const GElf_Rela *x = a, *y = b;

	return otst_cmp(y->r_info, x->r_info) ?: otst_cmp(y->r_addend, x->r_addend);
}

static enum otst_reloc_slot kind_of_slot(const struct otst_loading *load, const GElf_Rela *r)
{
	const struct otst_arch *arch = otst_kernel(load->o)->arch;
	uint32_t type = (uint32_t)GELF_R_TYPE(r->r_info);

	if (arch->reloc.toc)
		return arch->reloc.toc->reloc(type) == OTST_TOC_CALL ? OTST_SLOT_PLT :
								       OTST_SLOT_NONE;
	return arch->reloc.slot(type);
}

/* relocations that need no table are left out */
static int read_order(struct otst_loading *load, Elf_Scn *scn, const GElf_Shdr *sh,
		      struct order *ret)
{
	size_t i, count = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	Elf_Scn *symbols = elf_getscn(load->elf, sh->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Shdr symtab;

	*ret = (struct order){ .target = sh->sh_info };
	if (!data || !symbols || !gelf_getshdr(symbols, &symtab))
		return 0;
	ret->symbols = elf_getdata(symbols, NULL);
	ret->strings = symtab.sh_link;
	ret->relas = otst_alloc(load->o, (count + 1) * sizeof(*ret->relas));
	if (!ret->relas)
		return otst_no_memory(load->o);
	for (i = 0; ret->symbols && i < count; i++) {
		if (gelf_getrela(data, (int)i, &ret->relas[ret->count]) &&
		    kind_of_slot(load, &ret->relas[ret->count]))
			ret->count++;
	}
	if (ret->count && load->keeper == OTST_KEPT_AS_STUBS)
		otst_sort(ret->relas, ret->count, sizeof(*ret->relas), by_info_down);
	return 0;
}

/* does the kernel apply them; arm64's init code has a PLT of its own, freed along with it */
static bool is_applied(const struct otst_loading *load, const GElf_Shdr *sh)
{
	if (load->keeper == OTST_KEPT_IN_PLT && sh->sh_info < load->count &&
	    load->sections[sh->sh_info].name &&
	    !strncmp(load->sections[sh->sh_info].name, ".init", 5))
		return false;
	return sh->sh_info < load->count && sh->sh_info != load->percpu &&
	       !(sh->sh_flags & LIVEPATCH) && load->sections[sh->sh_info].name &&
	       load->sections[sh->sh_info].addr;
}

static bool is_far(const struct otst_loading *load, const struct order *order, const GElf_Rela *r,
		   uint64_t target)
{
	const struct otst_arch *arch = otst_kernel(load->o)->arch;
	uint64_t at = load->sections[order->target].addr + r->r_offset;
	uint8_t place[sizeof(at)] = { 0 };

	if (arch->insn.call_reach)
		return target - at + arch->insn.call_reach >= 2 * arch->insn.call_reach;
	return !arch->reloc.apply(place, sizeof(place), (uint32_t)GELF_R_TYPE(r->r_info), at,
				  target);
}

static void add_module_slot(struct otst_loading *load, const struct order *order,
			    const GElf_Rela *r)
{
	struct otst_slot new = { .symbol = GELF_R_SYM(r->r_info) }, *slot;
	enum otst_reloc_slot kind = kind_of_slot(load, r);
	bool by_symbol = load->keeper == OTST_KEPT_BEHIND_TEXT;
	const char *name;
	GElf_Sym sym;

	if (!gelf_getsym(order->symbols, (int)new.symbol, &sym))
		return;
	if (load->keeper == OTST_KEPT_AS_STUBS && sym.st_shndx != SHN_UNDEF)
		return;
	name = elf_strptr(load->elf, order->strings, sym.st_name);
	name = name ? name : "";
	if (by_symbol && otst_slots_have(load, kind, &new, 0))
		return;
	if (otst_load_value(load, &sym, name, &new.target))
		new.of = otst_strdup(load->o, otst_clean(load->o, name));
	if (!by_symbol)
		new.target += (uint64_t)r->r_addend;
	if (new.of && !by_symbol && kind == OTST_SLOT_PLT) {
		/* a weak function that does not exist has no stub */
		if (load->keeper == OTST_KEPT_AS_STUBS ? !new.target :
							 !is_far(load, order, r, new.target))
			return;
		new.own = load->keeper == OTST_KEPT_AS_STUBS &&
			  !strcmp(name, otst_kernel(load->o)->arch->reloc.toc->own_call);
	}
	if (otst_slots_have(load, kind, &new, order->first))
		return;
	slot = otst_vec_push(load->o, &load->slots[kind].items, sizeof(*slot));
	*slot = new;
}

static int read_relocations(struct otst_loading *load)
{
	Elf_Scn *scn = NULL;
	struct order order;
	GElf_Shdr sh;
	int err = 0;

	while (!err && (scn = elf_nextscn(load->elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_RELA ||
		    (load->keeper != OTST_KEPT_BEHIND_TEXT && !is_applied(load, &sh)))
			continue;
		err = read_order(load, scn, &sh, &order);
		order.first = load->keeper == OTST_KEPT_IN_PLT ?
				      load->slots[OTST_SLOT_PLT].items.count :
				      0;
		for (size_t i = 0; i < order.count && !err; i++) {
			add_module_slot(load, &order, &order.relas[i]);
			err = otst_check(load->o);
		}
	}
	return err;
}

int otst_slots_find(struct otst_loading *load)
{
	int err;

	load->keeper = find_keeper(load);
	err = load->keeper ? read_relocations(load) : 0;
	if (err)
		return err;
	err = otst_slots_locate(load);
	return err ? otst_fail(load->o, err, "module %s: its GOT and PLT", load->m->name) : 0;
}

bool otst_slot_at(const struct otst_loading *load, enum otst_reloc_slot kind, const GElf_Rela *r,
		  uint64_t value, uint64_t *ret)
{
	const struct otst_slots *s = &load->slots[kind];
	const struct otst_slot *items = s->items.data;
	bool by_symbol = load->keeper == OTST_KEPT_BEHIND_TEXT;

	for (size_t i = 0; s->at && i < s->items.count; i++) {
		*ret = s->at + i * s->size + (by_symbol ? (uint64_t)r->r_addend : 0);
		if (by_symbol ? items[i].symbol == GELF_R_SYM(r->r_info) :
				items[i].target == value + (uint64_t)r->r_addend)
			return true;
	}
	return false;
}
