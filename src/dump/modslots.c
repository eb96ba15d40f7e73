// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * modslots.c - what the kernel makes in a module when it loads it, and no file has: entries of its
 * GOT and PLT, stubs. The file's relocations are gone through in the kernel's order
 * (arch/ARCH/kernel/module*.c): they tell how many entries there are, whom each is for, and with
 * the addresses of the running kernel's symbols what it holds.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "modload.h"

#define MAX_ENTRIES 65536u
#define WORD	    8u
#define STUB_MIN    32u
#define LIVEPATCH   UINT64_C(0x00100000) /* SHF_RELA_LIVEPATCH: applied when its target is there */

/** enum keeper - where a module's tables are, and which relocations have entries there */
enum keeper {
	KEPT_NOT,
	KEPT_BEHIND_TEXT, /**< an entry for each symbol */
	KEPT_IN_SECTIONS, /**< for each address; those of the PLT for what is out of reach */
	KEPT_IN_PLT,	  /**< the same, of the PLT alone */
	KEPT_AS_STUBS,	  /**< for each function of others */
};

static enum keeper find_keeper(const struct otst_loading *l)
{
	const struct otst_arch *arch = otst_kernel(l->o)->arch;

	if (arch->toc)
		return KEPT_AS_STUBS;
	if (!arch->reloc_slot)
		return KEPT_NOT;
	if (otst_has_member(l->o, "module", "arch.got_offset"))
		return KEPT_BEHIND_TEXT;
	if (otst_has_member(l->o, "module", "arch.got.num_entries"))
		return KEPT_IN_SECTIONS;
	return otst_has_member(l->o, "module", "arch.core.plt_num_entries") ? KEPT_IN_PLT :
									      KEPT_NOT;
}

/* ---- what the relocations ask for ---- */

/* the relocations of one section, in the order in which the kernel takes them */
struct order {
	GElf_Rela *relas;
	size_t count;
	Elf_Data *symbols;
	size_t strings;
	size_t target;
	size_t first; /* of the PLT's entries so far: those before are not looked at for another one */
};

/* relacmp() of arch/powerpc/kernel/module_64.c */
static int by_info_down(const void *a, const void *b)
{
	const GElf_Rela *x = a, *y = b;

	if (x->r_info != y->r_info)
		return x->r_info < y->r_info ? 1 : -1;
	return (x->r_addend < y->r_addend) - (x->r_addend > y->r_addend);
}

static enum otst_reloc_slot kind_of(const struct otst_loading *l, const GElf_Rela *r)
{
	const struct otst_arch *arch = otst_kernel(l->o)->arch;
	uint32_t type = (uint32_t)GELF_R_TYPE(r->r_info);

	if (arch->toc)
		return arch->toc->reloc(type) == OTST_TOC_CALL ? OTST_SLOT_PLT : OTST_SLOT_NONE;
	return arch->reloc_slot(type);
}

/* those of no table are left out */
static int read_order(struct otst_loading *l, Elf_Scn *scn, const GElf_Shdr *sh, enum keeper keeper,
		      struct order *ret)
{
	size_t i, count = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	Elf_Scn *symbols = elf_getscn(l->elf, sh->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Shdr symtab;

	*ret = (struct order){ .target = sh->sh_info };
	if (!data || !symbols || !gelf_getshdr(symbols, &symtab))
		return 0;
	ret->symbols = elf_getdata(symbols, NULL);
	ret->strings = symtab.sh_link;
	ret->relas = otst_alloc(l->o, (count + 1) * sizeof(*ret->relas));
	if (!ret->relas)
		return otst_no_memory(l->o);
	for (i = 0; ret->symbols && i < count; i++) {
		if (gelf_getrela(data, (int)i, &ret->relas[ret->count]) &&
		    kind_of(l, &ret->relas[ret->count]))
			ret->count++;
	}
	if (ret->count && keeper == KEPT_AS_STUBS)
		qsort(ret->relas, ret->count, sizeof(*ret->relas), by_info_down);
	return 0;
}

/* the kernel applies no others; arm64's code of initialisation has another PLT, which goes when it does */
static bool is_applied(const struct otst_loading *l, const GElf_Shdr *sh, enum keeper keeper)
{
	if (keeper == KEPT_IN_PLT && sh->sh_info < l->count && l->sections[sh->sh_info].name &&
	    !strncmp(l->sections[sh->sh_info].name, ".init", 5))
		return false;
	return sh->sh_info < l->count && sh->sh_info != l->percpu && !(sh->sh_flags & LIVEPATCH) &&
	       l->sections[sh->sh_info].name && l->sections[sh->sh_info].addr;
}

static bool is_far(const struct otst_loading *l, const struct order *order, const GElf_Rela *r,
		   uint64_t target)
{
	const struct otst_arch *arch = otst_kernel(l->o)->arch;
	uint64_t at = l->sections[order->target].addr + r->r_offset;
	uint8_t place[WORD] = { 0 };

	if (arch->call_reach)
		return target - at + arch->call_reach >= 2 * arch->call_reach;
	return !arch->relocate(place, sizeof(place), (uint32_t)GELF_R_TYPE(r->r_info), at, target);
}

static bool has_slot(const struct otst_slots *s, enum keeper keeper, const struct otst_slot *want,
		     size_t first)
{
	const struct otst_slot *items = s->items.data;
	size_t i;

	for (i = first; i < s->items.count; i++) {
		if (keeper == KEPT_BEHIND_TEXT ? items[i].symbol == want->symbol :
						 items[i].of && items[i].target == want->target)
			return true;
	}
	return false;
}

static void add_slot(struct otst_loading *l, const struct order *order, const GElf_Rela *r,
		     enum keeper keeper)
{
	struct otst_slot new = { .symbol = GELF_R_SYM(r->r_info) }, *slot;
	enum otst_reloc_slot kind = kind_of(l, r);
	bool by_symbol = keeper == KEPT_BEHIND_TEXT;
	const char *name;
	GElf_Sym sym;

	if (!gelf_getsym(order->symbols, (int)new.symbol, &sym))
		return;
	if (keeper == KEPT_AS_STUBS && sym.st_shndx != SHN_UNDEF)
		return;
	name = elf_strptr(l->elf, order->strings, sym.st_name);
	name = name ? name : "";
	if (by_symbol && has_slot(&l->slots[kind], keeper, &new, 0))
		return;
	if (otst_load_value(l, &sym, name, &new.target))
		new.of = otst_strdup(l->o, otst_clean(l->o, name));
	if (!by_symbol)
		new.target += (uint64_t)r->r_addend;
	if (new.of && !by_symbol && kind == OTST_SLOT_PLT) {
		/* a weak function that is not there has no stub */
		if (keeper == KEPT_AS_STUBS ? !new.target : !is_far(l, order, r, new.target))
			return;
		new.own = keeper == KEPT_AS_STUBS &&
			  !strcmp(name, otst_kernel(l->o)->arch->toc->own_call);
	}
	if (has_slot(&l->slots[kind], keeper, &new, order->first))
		return;
	slot = otst_vec_push(l->o, &l->slots[kind].items, sizeof(*slot));
	*slot = new;
}

static int read_relocations(struct otst_loading *l, enum keeper keeper)
{
	Elf_Scn *scn = NULL;
	struct order order;
	GElf_Shdr sh;
	size_t i;
	int err = 0;

	while (!err && (scn = elf_nextscn(l->elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_RELA ||
		    (keeper != KEPT_BEHIND_TEXT && !is_applied(l, &sh, keeper)))
			continue;
		err = read_order(l, scn, &sh, keeper, &order);
		order.first = keeper == KEPT_IN_PLT ? l->slots[OTST_SLOT_PLT].items.count : 0;
		for (i = 0; i < order.count && !err; i++) {
			add_slot(l, &order, &order.relas[i], keeper);
			err = otst_check(l->o);
		}
	}
	return err;
}

/* ---- where they are ---- */

/* is one of them not known: then which ones follow is not known either */
static bool is_complete(const struct otst_slots *s)
{
	const struct otst_slot *items = s->items.data;
	size_t i;

	for (i = 0; i < s->items.count; i++) {
		if (!items[i].of)
			return false;
	}
	return true;
}

/* what its entries look like, or where they are, is not known */
static void leave_out(struct otst_loading *l, struct otst_slots *s)
{
	l->left_out += s->items.count;
	s->items.count = 0;
}

/* it is another table than the file leads to */
static void forget(struct otst_loading *l, struct otst_slots *s)
{
	l->odd += s->items.count;
	s->items.count = 0;
}

/* the first of the module's ranges of text */
static uint64_t find_text(const struct otst_module *m)
{
	unsigned int i;

	for (i = 0; i < m->nr_ranges; i++) {
		if (m->ranges[i].text && !m->ranges[i].init)
			return m->ranges[i].base;
	}
	return 0;
}

/* how many of the PLT's entries are there when they have @size bytes */
static size_t count_fitting(const struct otst_loading *l, const struct otst_slots *s)
{
	const struct otst_arch *arch = otst_kernel(l->o)->arch;
	const struct otst_slot *items = s->items.data;
	uint64_t via = s->shared ? s->at + s->items.count * s->size : 0;
	uint8_t bytes[OTST_SLOT_MAX], found[OTST_SLOT_MAX];
	size_t i, n = 0;

	for (i = 0; i < s->items.count; i++) {
		uint64_t at = s->at + i * s->size;

		n += items[i].of && arch->put_plt(bytes, s->size, at, items[i].target, via) &&
		     !otst_read(l->o, at, found, s->size) && !memcmp(found, bytes, s->size);
	}
	return n;
}

/* entries of several sizes may fill as many bytes */
static void find_form(struct otst_loading *l, struct otst_slots *s, uint64_t all)
{
	const uint8_t *sizes = otst_kernel(l->o)->arch->plt_sizes;
	struct otst_slots best = *s;
	size_t most = 0, n, i, fitting;

	for (i = 0; sizes[i / 2]; i++) {
		s->size = sizes[i / 2];
		s->shared = i % 2;
		n = s->items.count + s->shared;
		if (all != n * s->size)
			continue;
		fitting = count_fitting(l, s);
		if (best.size && fitting <= most)
			continue;
		best = *s;
		most = fitting;
	}
	*s = best;
}

/* module_frob_arch_sections() of arch/s390/kernel/module.c */
static int locate_behind_text(struct otst_loading *l)
{
	struct otst_slots *got = &l->slots[OTST_SLOT_GOT], *plt = &l->slots[OTST_SLOT_PLT];
	uint64_t text = find_text(l->m), at[2], all[2];
	int err = otst_read_member(l->o, "module", l->m->addr, "arch.got_offset", &at[0]);

	err = err ?: otst_read_member(l->o, "module", l->m->addr, "arch.got_size", &all[0]);
	err = err ?: otst_read_member(l->o, "module", l->m->addr, "arch.plt_offset", &at[1]);
	err = err ?: otst_read_member(l->o, "module", l->m->addr, "arch.plt_size", &all[1]);
	if (err || !text)
		return err;
	got->size = WORD;
	got->at = all[0] == got->items.count * WORD ? text + at[0] : 0;
	plt->at = text + at[1];
	find_form(l, plt, all[1]);
	plt->at = plt->size ? plt->at : 0;
	if (!got->at)
		forget(l, got);
	if (!plt->at)
		forget(l, plt);
	return 0;
}

static int locate_section(struct otst_loading *l, struct otst_slots *s, const char *section,
			  const char *number, uint64_t size)
{
	const struct otst_section *at = otst_load_section(l, section);
	uint64_t count;
	int err = otst_read_member(l->o, "module", l->m->addr, number, &count);

	if (err || !at) {
		forget(l, s);
		return err;
	}
	s->at = at->addr;
	s->size = size;
	if (count == s->items.count && is_complete(s))
		return 0;
	/* which ones they are cannot be told where a symbol is not known */
	if (!is_complete(s)) {
		leave_out(l, s);
		return 0;
	}
	s->items.count = count < MAX_ENTRIES ? count : 0;
	forget(l, s);
	return 0;
}

/* ---- those that may stand in another order ---- */

/* gives each entry to the place that leads to it, those that are left to the places that are left */
static int settle(struct otst_loading *l, struct otst_slots *s, const uint64_t *found, size_t count)
{
	size_t n = s->items.count, i, k, pass, fitting = 0;
	struct otst_slot *items = s->items.data, *placed;
	bool *done = otst_alloc(l->o, n + 1), *used = otst_alloc(l->o, count + 1);

	placed = otst_alloc(l->o, (count + 1) * sizeof(*placed));
	if (!done || !used || !placed)
		return otst_no_memory(l->o);
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
	s->items = (struct otst_vec){ 0 };
	for (k = 0; k < count; k++) {
		struct otst_slot *slot = otst_vec_push(l->o, &s->items, sizeof(*slot));

		*slot = placed[k];
		slot->target = slot->of ? slot->target : found[k];
	}
	return otst_check(l->o);
}

/* module_finalize_ftrace(): behind those that relocations use */
static void add_own_stub(struct otst_loading *l, const char *member, const char *name)
{
	struct otst_slots *s = &l->slots[OTST_SLOT_PLT];
	struct otst_slot *slot, new = { .of = name, .own = true };

	if (!otst_has_member(l->o, "module", member) || otst_symbol(l->o, name, &new.target) ||
	    has_slot(s, KEPT_AS_STUBS, &new, 0))
		return;
	slot = otst_vec_push(l->o, &s->items, sizeof(*slot));
	*slot = new;
}

/* since v6.13 (CONFIG_PPC_FTRACE_OUT_OF_LINE): stubs of ftrace's sites, behind the others in the same section */
static uint64_t find_other_stubs(const struct otst_loading *l, uint64_t at)
{
	uint64_t first;

	if (!otst_has_member(l->o, "module", "arch.ool_stubs") ||
	    otst_read_member(l->o, "module", l->m->addr, "arch.ool_stubs", &first))
		return UINT64_MAX;
	return first > at ? first : UINT64_MAX;
}

/* stub_for_addr() of arch/powerpc/kernel/module_64.c: up to the first that calls nobody */
static int locate_stubs(struct otst_loading *l)
{
	const struct otst_toc *toc = otst_kernel(l->o)->arch->toc;
	const struct otst_section *at = otst_load_section(l, toc->stubs);
	struct otst_slots *s = &l->slots[OTST_SLOT_PLT];
	const struct otst_member *function;
	struct otst_vec found = { 0 };
	uint64_t to, end, *slot;
	size_t i;
	int err;

	if (!at) {
		forget(l, s);
		return 0;
	}
	add_own_stub(l, "arch.tramp", "ftrace_caller");
	add_own_stub(l, "arch.tramp_regs", "ftrace_regs_caller");
	err = otst_type_size(l->o, toc->stub, &s->size);
	err = err ?: otst_member(l->o, toc->stub, toc->function, &function);
	if (err)
		return otst_fail(l->o, err, "module %s: its stubs", l->m->name);
	if (s->size < STUB_MIN || s->size > OTST_SLOT_MAX || function->offset > s->size - WORD) {
		leave_out(l, s);
		return 0;
	}
	s->at = at->addr;
	end = find_other_stubs(l, s->at);
	for (i = 0; i < MAX_ENTRIES && (i < s->items.count || s->at + (i + 1) * s->size <= end);
	     i++) {
		err = otst_read_u64(l->o, s->at + i * s->size + function->offset, &to);
		if (otst_fatal(err))
			return err;
		if (i >= s->items.count && (err || !to))
			break;
		slot = otst_vec_push(l->o, &found, sizeof(*slot));
		/* of one that is not in the dump: the one that belongs there, for all that is known */
		*slot = err ? ((struct otst_slot *)s->items.data)[i].target : to;
	}
	return settle(l, s, found.data, found.count);
}

/* of an erratum: adrp to another register than those that lead away use, or left empty */
static bool is_other_veneer(const uint8_t *bytes)
{
	uint64_t first = otst_get_le(bytes, 4);

	return !first || ((first & 0x9f000000) == 0x90000000 && (first & 31) != 16);
}

/* one of @items that leads to @to, one that has no place so far before the others */
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
 * The kernel sorts nearly all relocations of a section, and makes no entry that would be like the one
 * before. Which place each has is not worked out: all have to lead where one of the calls does.
 */
static int settle_plt(struct otst_loading *l, struct otst_slots *s, size_t count)
{
	const struct otst_arch *arch = otst_kernel(l->o)->arch;
	struct otst_slot *items = s->items.data, *placed;
	size_t n = s->items.count, i, k, fitting = 0;
	uint8_t bytes[OTST_VENEER_MAX] = { 0 };
	bool *done = otst_alloc(l->o, n + 1);
	bool known = is_complete(s);
	uint64_t to;

	placed = otst_alloc(l->o, (count + 1) * sizeof(*placed));
	if (!done || !placed)
		return otst_no_memory(l->o);
	for (k = 0; k < count; k++) {
		if (otst_read(l->o, s->at + k * s->size, bytes, s->size) ||
		    !arch->veneer(bytes, s->at + k * s->size, &to))
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
		    !otst_read(l->o, s->at + k * s->size, bytes, s->size) &&
		    !is_other_veneer(bytes))
			placed[k] = items[i++];
	}
	s->items = (struct otst_vec){ 0 };
	for (k = 0; k < count; k++) {
		struct otst_slot *slot = otst_vec_push(l->o, &s->items, sizeof(*slot));

		*slot = placed[k];
	}
	return otst_check(l->o);
}

/* module_emit_plt_entry() of arch/arm64/kernel/module-plts.c */
static int locate_plt(struct otst_loading *l)
{
	const struct otst_arch *arch = otst_kernel(l->o)->arch;
	struct otst_slots *s = &l->slots[OTST_SLOT_PLT];
	const struct otst_section *at = otst_load_section(l, ".plt");
	uint64_t size, count;
	int err;

	if (!at || otst_type_size(l->o, "plt_entry", &size) || size != arch->plt_sizes[0]) {
		leave_out(l, s);
		return otst_check(l->o);
	}
	err = otst_read_member(l->o, "module", l->m->addr, "arch.core.plt_num_entries", &count);
	if (err || count > MAX_ENTRIES) {
		forget(l, s);
		return err;
	}
	s->at = at->addr;
	s->size = size;
	return settle_plt(l, s, count);
}

int otst_slots_find(struct otst_loading *l)
{
	enum keeper keeper = find_keeper(l);
	int err = keeper ? read_relocations(l, keeper) : 0;

	if (err)
		return err;
	switch (keeper) {
	case KEPT_BEHIND_TEXT:
		err = locate_behind_text(l);
		break;
	case KEPT_IN_SECTIONS:
		err = locate_section(l, &l->slots[OTST_SLOT_GOT], ".got", "arch.got.num_entries",
				     WORD);
		err = err   ?:
			      locate_section(l, &l->slots[OTST_SLOT_PLT], ".plt",
					     "arch.plt.num_entries",
					     otst_kernel(l->o)->arch->plt_sizes[0]);
		break;
	case KEPT_AS_STUBS:
		err = locate_stubs(l);
		break;
	case KEPT_IN_PLT:
		err = locate_plt(l);
		break;
	default:
		break;
	}
	return err ? otst_fail(l->o, err, "module %s: its GOT and PLT", l->m->name) : 0;
}

bool otst_slot_at(const struct otst_loading *l, enum otst_reloc_slot kind, const GElf_Rela *r,
		  uint64_t value, uint64_t *ret)
{
	const struct otst_slots *s = &l->slots[kind];
	const struct otst_slot *items = s->items.data;
	bool by_symbol = find_keeper(l) == KEPT_BEHIND_TEXT;
	size_t i;

	for (i = 0; s->at && i < s->items.count; i++) {
		*ret = s->at + i * s->size + (by_symbol ? (uint64_t)r->r_addend : 0);
		if (by_symbol ? items[i].symbol == GELF_R_SYM(r->r_info) :
				items[i].target == value + (uint64_t)r->r_addend)
			return true;
	}
	return false;
}

/* ---- their bytes ---- */

/* what is not known is taken as it is */
static void read_as_found(struct otst_loading *l, uint64_t at, uint8_t *to, size_t len)
{
	size_t i;

	if (!otst_read(l->o, at, to, len))
		return;
	/* at the end of a page that is there */
	for (i = 0; i < len; i++) {
		if (otst_read(l->o, at + i, to + i, 1))
			to[i] = 0;
	}
}

/* a section of the file that has no bytes of it, or one more */
static struct otst_section *new_table(struct otst_loading *l, const char *name, uint64_t at,
				      size_t count, size_t size, size_t word)
{
	struct otst_section *s = otst_load_section(l, name);
	const char **of = otst_alloc(l->o, (count + 1) * sizeof(*of));
	uint8_t *data = otst_alloc(l->o, count * size + 1);

	if (!of || !data)
		return NULL;
	s = s ? s : &l->sections[l->count + l->made++];
	*s = (struct otst_section){ .name = name,
				    .addr = at,
				    .size = count * size,
				    .data = data,
				    .text = count,
				    .of = of,
				    .entry = size,
				    .word = word };
	return s;
}

/* where most entries differ, the file does not describe this table */
static void check_table(struct otst_loading *l, struct otst_section *table)
{
	uint8_t found[OTST_SLOT_MAX];
	size_t i, known = 0, fitting = 0;

	for (i = 0; i * table->entry < table->size; i++) {
		known += table->of[i] != NULL;
		fitting += table->of[i] &&
			   (otst_read(l->o, table->addr + i * table->entry, found, table->entry) ||
			    !memcmp(found, table->data + i * table->entry, table->entry));
	}
	if (known <= 2 || 2 * fitting >= known)
		return;
	l->odd += known;
	memset(table->of, 0, i * sizeof(*table->of));
	read_as_found(l, table->addr, (uint8_t *)table->data, table->size);
}

typedef bool put_fn(const struct otst_loading *l, const struct otst_slot *slot, uint64_t at,
		    uint64_t via, uint8_t *to);

/* @via: of the first, which is @step bytes more with each that follows */
static int make_table(struct otst_loading *l, const char *name, const struct otst_slots *s,
		      size_t word, put_fn *put, uint64_t via, uint64_t step)
{
	struct otst_section *table = new_table(l, name, s->at, s->items.count, s->size, word);
	const struct otst_slot *items = s->items.data;
	size_t i;

	if (!table)
		return otst_no_memory(l->o);
	for (i = 0; i < s->items.count; i++) {
		uint8_t *to = (uint8_t *)table->data + i * s->size;
		uint64_t at = s->at + i * s->size;

		if (items[i].of && put(l, &items[i], at, via + i * step, to)) {
			((const char **)table->of)[i] = items[i].of;
			continue;
		}
		read_as_found(l, at, to, s->size);
		l->odd += s->odd;
		l->left_out += !s->odd;
	}
	check_table(l, table);
	return otst_check(l->o);
}

static bool put_word(const struct otst_loading *l, const struct otst_slot *slot, uint64_t at,
		     uint64_t via, uint8_t *to)
{
	(void)at, (void)via;
	if (otst_big_endian(l->o))
		otst_put_be(to, slot->target, WORD);
	else
		otst_put_le(to, slot->target, WORD);
	return true;
}

static bool put_plt(const struct otst_loading *l, const struct otst_slot *slot, uint64_t at,
		    uint64_t via, uint8_t *to)
{
	const struct otst_slots *s = &l->slots[OTST_SLOT_PLT];

	return otst_kernel(l->o)->arch->put_plt(to, s->size, at, slot->target, via);
}

static int read_kernel_toc(const struct otst_loading *l, uint64_t *toc, uint64_t *offset)
{
	const struct otst_member *m;
	uint64_t pacas;
	int err = otst_member(l->o, "paca_struct", otst_kernel(l->o)->arch->toc->kernel, &m);

	err = err ?: otst_symbol(l->o, "paca_ptrs", &pacas);
	err = err ?: otst_read_u64(l->o, pacas, &pacas);
	err = err ?: otst_read_u64(l->o, pacas, &pacas);
	*offset = err ? 0 : m->offset;
	return err ?: otst_read_u64(l->o, pacas + *offset, toc);
}

static bool put_stub(const struct otst_loading *l, const struct otst_slot *slot, uint64_t at,
		     uint64_t via, uint8_t *to)
{
	const struct otst_toc *toc = otst_kernel(l->o)->arch->toc;
	const struct otst_member *function, *magic;
	uint64_t kernel, offset;

	(void)via;
	if (!l->toc || otst_member(l->o, toc->stub, toc->function, &function) ||
	    !otst_has_member(l->o, toc->stub, toc->magic) ||
	    otst_member(l->o, toc->stub, toc->magic, &magic) ||
	    magic->offset + 4 > l->slots[OTST_SLOT_PLT].size)
		return false;
	if (slot->own && read_kernel_toc(l, &kernel, &offset))
		return false;
	if (slot->own)
		toc->put_own(to, slot->target - kernel, offset);
	else
		toc->put(to, at - l->toc);
	otst_put_le(to + magic->offset, toc->mark, 4);
	otst_put_le(to + function->offset, slot->target, WORD);
	return true;
}

/* the entry behind the last one, which all jump by */
static int make_shared(struct otst_loading *l, const struct otst_slots *s)
{
	const struct otst_plt_jump *jump = &otst_kernel(l->o)->arch->plt_jump;
	uint64_t at = s->at + s->items.count * s->size;
	struct otst_section *table = new_table(l, "PLT's jump", at, 1, jump->len, jump->len);

	if (!table)
		return otst_no_memory(l->o);
	((const char **)table->of)[0] = "all";
	memcpy((uint8_t *)table->data, jump->bytes, jump->len);
	return 0;
}

static int make_behind_text(struct otst_loading *l)
{
	const struct otst_slots *got = &l->slots[OTST_SLOT_GOT], *plt = &l->slots[OTST_SLOT_PLT];
	uint64_t via = plt->shared ? plt->at + plt->items.count * plt->size : 0;
	int err = got->items.count ? make_table(l, "GOT", got, 0, put_word, 0, 0) : 0;

	if (err || !plt->items.count)
		return err;
	err = make_table(l, "PLT", plt, plt->size - WORD, put_plt, via, 0);
	return err || !plt->shared ? err : make_shared(l, plt);
}

static int make_in_sections(struct otst_loading *l)
{
	const struct otst_slots *plt = &l->slots[OTST_SLOT_PLT];
	const struct otst_section *words = otst_load_section(l, ".got.plt");
	struct otst_slots targets = { .items = plt->items,
				      .at = words ? words->addr : 0,
				      .size = WORD };
	int err = make_table(l, ".got", &l->slots[OTST_SLOT_GOT], 0, put_word, 0, 0);

	if (err || !words)
		return err;
	err = make_table(l, ".plt", plt, plt->size, put_plt, words->addr, WORD);
	return err ?: make_table(l, ".got.plt", &targets, 0, put_word, 0, 0);
}

/* module_init_ftrace_plt() */
static int make_in_plt(struct otst_loading *l)
{
	static const char *const names[] = { "ftrace_caller", "ftrace_regs_caller" };
	const struct otst_section *own = otst_load_section(l, ".text.ftrace_trampoline");
	struct otst_slots *plt = &l->slots[OTST_SLOT_PLT];
	struct otst_slots ftrace = { .at = own ? own->addr : 0, .size = plt->size };
	struct otst_slot slot = { 0 };
	size_t i;
	int err = make_table(l, ".plt", plt, plt->size, put_plt, 0, 0);

	for (i = 0; !err && own && plt->size && i < 2; i++) {
		if (otst_symbol(l->o, names[i], &slot.target))
			continue;
		slot.of = names[i];
		*(struct otst_slot *)otst_vec_push(l->o, &ftrace.items, sizeof(slot)) = slot;
	}
	return err || !ftrace.items.count ?
		       err :
		       make_table(l, ".text.ftrace_trampoline", &ftrace, plt->size, put_plt, 0, 0);
}

int otst_slots_make(struct otst_loading *l)
{
	const struct otst_toc *toc = otst_kernel(l->o)->arch->toc;
	struct otst_slots *plt = &l->slots[OTST_SLOT_PLT];

	switch (find_keeper(l)) {
	case KEPT_BEHIND_TEXT:
		return make_behind_text(l);
	case KEPT_IN_SECTIONS:
		return make_in_sections(l);
	case KEPT_IN_PLT:
		return make_in_plt(l);
	case KEPT_AS_STUBS:
		return plt->at ? make_table(l, toc->stubs, plt, plt->size - WORD, put_stub, 0, 0) :
				 0;
	default:
		return 0;
	}
}
