// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * modtables.c - the bytes of a module's GOT, PLT and stubs: what the kernel wrote
 * there, with the addresses of its symbols.
 */
#include <string.h>

#include "modload.h"

/* what is not known is taken from memory */
static void read_as_found(struct otst_loading *load, uint64_t at, uint8_t *to, size_t len)
{
	if (!otst_read(load->o, at, to, len))
		return;
	/* byte by byte: the next page may be missing */
	for (size_t i = 0; i < len; i++) {
		if (otst_read(load->o, at + i, to + i, 1))
			to[i] = 0;
	}
}

/* a section of the file for which the file has no bytes, or a new one */
static struct otst_section *new_table(struct otst_loading *load, const char *name, uint64_t at,
				      size_t count, size_t size, size_t word)
{
	struct otst_section *s = otst_load_section(load, name);
	const char **of = otst_alloc(load->o, (count + 1) * sizeof(*of));
	uint8_t *data = otst_alloc(load->o, count * size + 1);

	if (!of || !data)
		return NULL;
	s = s ? s : &load->sections[load->count + load->made++];
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
static void check_table(struct otst_loading *load, struct otst_section *table)
{
	uint8_t found[OTST_SLOT_MAX];
	size_t i, known = 0, fitting = 0;

	for (i = 0; i * table->entry < table->size; i++) {
		known += table->of[i] != NULL;
		fitting +=
			table->of[i] &&
			(otst_read(load->o, table->addr + i * table->entry, found, table->entry) ||
			 !memcmp(found, table->data + i * table->entry, table->entry));
	}
	if (known <= 2 || 2 * fitting >= known)
		return;
	load->odd += known;
	memset(table->of, 0, i * sizeof(*table->of));
	read_as_found(load, table->addr, (uint8_t *)table->data, table->size);
}

typedef bool put_fn(const struct otst_loading *l, const struct otst_slot *slot, uint64_t at,
		    uint64_t via, uint8_t *to);

/* @via: that of the first entry; each entry that follows has @step more */
static int make_table(struct otst_loading *load, const char *name, const struct otst_slots *s,
		      size_t word, put_fn *put, uint64_t via, uint64_t step)
{
	struct otst_section *table = new_table(load, name, s->at, s->items.count, s->size, word);
	const struct otst_slot *items = s->items.data;

	if (!table)
		return otst_no_memory(load->o);
	for (size_t i = 0; i < s->items.count; i++) {
		uint8_t *to = (uint8_t *)table->data + i * s->size;
		uint64_t at = s->at + i * s->size;

		if (items[i].of && put(load, &items[i], at, via + i * step, to)) {
			((const char **)table->of)[i] = items[i].of;
			continue;
		}
		read_as_found(load, at, to, s->size);
		load->odd += s->odd;
		load->left_out += !s->odd;
	}
	check_table(load, table);
	return otst_check(load->o);
}

static bool put_word(const struct otst_loading *load, const struct otst_slot *slot, uint64_t at,
		     uint64_t via, uint8_t *to)
{
	(void)at, (void)via;
	if (otst_big_endian(load->o))
		otst_put_be(to, slot->target, OTST_GOT_ENTRY);
	else
		otst_put_le(to, slot->target, OTST_GOT_ENTRY);
	return true;
}

static bool put_plt(const struct otst_loading *load, const struct otst_slot *slot, uint64_t at,
		    uint64_t via, uint8_t *to)
{
	const struct otst_slots *s = &load->slots[OTST_SLOT_PLT];

	return otst_kernel(load->o)->arch->reloc.put_plt(to, s->size, at, slot->target, via);
}

static int read_kernel_toc(const struct otst_loading *load, uint64_t *toc, uint64_t *offset)
{
	const struct otst_member *m;
	uint64_t pacas;
	int err = otst_member(load->o, "paca_struct", otst_kernel(load->o)->arch->reloc.toc->kernel,
			      &m);

	err = err ?: otst_symbol(load->o, "paca_ptrs", &pacas);
	err = err ?: otst_read_u64(load->o, pacas, &pacas);
	err = err ?: otst_read_u64(load->o, pacas, &pacas);
	*offset = err ? 0 : m->offset;
	return err ?: otst_read_u64(load->o, pacas + *offset, toc);
}

static bool put_stub(const struct otst_loading *load, const struct otst_slot *slot, uint64_t at,
		     uint64_t via, uint8_t *to)
{
	const struct otst_toc *toc = otst_kernel(load->o)->arch->reloc.toc;
	const struct otst_member *function, *magic;
	uint64_t kernel, offset;

	(void)via;
	if (!load->toc || otst_member(load->o, toc->stub, toc->function, &function) ||
	    !otst_has_member(load->o, toc->stub, toc->magic) ||
	    otst_member(load->o, toc->stub, toc->magic, &magic) ||
	    magic->offset + 4 > load->slots[OTST_SLOT_PLT].size)
		return false;
	if (slot->own && read_kernel_toc(load, &kernel, &offset))
		return false;
	if (slot->own)
		toc->put_own(to, slot->target - kernel, offset);
	else
		toc->put(to, at - load->toc);
	otst_put_le(to + magic->offset, toc->mark, 4);
	otst_put_le(to + function->offset, slot->target, OTST_GOT_ENTRY);
	return true;
}

/* the entry after the last one, through which all others jump */
static int make_shared(struct otst_loading *load, const struct otst_slots *s)
{
	const struct otst_plt_jump *jump = &otst_kernel(load->o)->arch->reloc.plt_jump;
	uint64_t at = s->at + s->items.count * s->size;
	struct otst_section *table = new_table(load, "PLT's jump", at, 1, jump->len, jump->len);

	if (!table)
		return otst_no_memory(load->o);
	((const char **)table->of)[0] = "all";
	memcpy((uint8_t *)table->data, jump->bytes, jump->len);
	return 0;
}

static int make_behind_text(struct otst_loading *load)
{
	const struct otst_slots *got = &load->slots[OTST_SLOT_GOT],
				*plt = &load->slots[OTST_SLOT_PLT];
	uint64_t via = plt->shared ? plt->at + plt->items.count * plt->size : 0;
	int err = got->items.count ? make_table(load, "GOT", got, 0, put_word, 0, 0) : 0;

	if (err || !plt->items.count)
		return err;
	err = make_table(load, "PLT", plt, plt->size - OTST_GOT_ENTRY, put_plt, via, 0);
	return err || !plt->shared ? err : make_shared(load, plt);
}

static int make_in_sections(struct otst_loading *load)
{
	const struct otst_slots *plt = &load->slots[OTST_SLOT_PLT];
	const struct otst_section *words = otst_load_section(load, ".got.plt");
	struct otst_slots targets = { .items = plt->items,
				      .at = words ? words->addr : 0,
				      .size = OTST_GOT_ENTRY };
	int err = make_table(load, ".got", &load->slots[OTST_SLOT_GOT], 0, put_word, 0, 0);

	if (err || !words)
		return err;
	err = make_table(load, ".plt", plt, plt->size, put_plt, words->addr, OTST_GOT_ENTRY);
	return err ?: make_table(load, ".got.plt", &targets, 0, put_word, 0, 0);
}

/* module_init_ftrace_plt() */
static int make_in_plt(struct otst_loading *load)
{
	static const char *const names[] = { "ftrace_caller", "ftrace_regs_caller" };
	const struct otst_section *own = otst_load_section(load, ".text.ftrace_trampoline");
	struct otst_slots *plt = &load->slots[OTST_SLOT_PLT];
	struct otst_slots ftrace = { .at = own ? own->addr : 0, .size = plt->size };
	struct otst_slot slot = { 0 };
	int err = make_table(load, ".plt", plt, plt->size, put_plt, 0, 0);

	for (size_t i = 0; !err && own && plt->size && i < 2; i++) {
		if (otst_symbol(load->o, names[i], &slot.target))
			continue;
		slot.of = names[i];
		*(struct otst_slot *)otst_vec_push(load->o, &ftrace.items, sizeof(slot)) = slot;
	}
	return err || !ftrace.items.count ? err :
					    make_table(load, ".text.ftrace_trampoline", &ftrace,
						       plt->size, put_plt, 0, 0);
}

int otst_slots_make(struct otst_loading *load)
{
	const struct otst_toc *toc = otst_kernel(load->o)->arch->reloc.toc;
	struct otst_slots *plt = &load->slots[OTST_SLOT_PLT];

	switch (load->keeper) {
	case OTST_KEPT_BEHIND_TEXT:
		return make_behind_text(load);
	case OTST_KEPT_IN_SECTIONS:
		return make_in_sections(load);
	case OTST_KEPT_IN_PLT:
		return make_in_plt(load);
	case OTST_KEPT_AS_STUBS:
		return plt->at ? make_table(load, toc->stubs, plt, plt->size - OTST_GOT_ENTRY,
					    put_stub, 0, 0) :
				 0;
	case OTST_KEPT_NOT:
		break;
	}
	return 0;
}
