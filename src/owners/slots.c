// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * slots.c - the pages in which kprobes run single instructions, and those of their detour buffers:
 * struct kprobe_insn_cache of kernel/kprobes.c.
 */
#include "../base/coverage.h"
#include "../base/engine.h"
#include "owners.h"

/* a cache of slots, struct kprobe_insn_cache: its pages; @cut: some could not be read */
struct slots {
	uint64_t *page;
	size_t count;
	uint64_t size;
	bool cut;
};

static int read_slots(struct otst *o, const char *name, struct slots *slots)
{
	const struct otst_member *pages, *link, *insns;
	struct otst_vec v = { 0 };
	struct otst_walk w;
	uint64_t cache, node, page, *slot;
	int err;

	slots->size = otst_page_size(o);
	err = otst_symbol(o, name, &cache);
	if (err)
		return err;
	err = otst_member(o, "kprobe_insn_cache", "pages", &pages);
	err = err ?: otst_member(o, "kprobe_insn_page", "list", &link);
	err = err ?: otst_member(o, "kprobe_insn_page", "insns", &insns);
	if (err)
		return otst_lack(o, err);
	otst_walk_list(o, cache + pages->offset, &w);
	while (otst_walk_next(&w, &node)) {
		if (otst_read_u64(o, node - link->offset + insns->offset, &page)) {
			slots->cut = true;
			continue;
		}
		slot = otst_vec_push(o, &v, sizeof(*slot));
		*slot = page;
	}
	slots->cut |= w.err != 0;
	slots->page = v.data;
	slots->count = v.count;
	return 0;
}

/* &caches[0]: single instructions; &caches[1]: detour buffers */
static const struct slots *slot_caches(struct otst *o)
{
	static const char key;
	void **memo = otst_memo(o, &key);
	struct slots *caches = *memo;

	if (!caches) {
		*memo = caches = otst_new(o, 2 * sizeof(*caches));
		caches[0].cut = read_slots(o, "kprobe_insn_slots", &caches[0]) || caches[0].cut;
		(void)read_slots(o, "kprobe_optinsn_slots", &caches[1]);
	}
	return caches;
}

static bool has_slot(const struct slots *slots, uint64_t addr)
{
	for (size_t i = 0; i < slots->count; i++) {
		if (addr - slots->page[i] < slots->size)
			return true;
	}
	return false;
}

bool otst_may_be_slot(struct otst *o, uint64_t addr)
{
	const struct slots *slots = slot_caches(o);

	return slots[0].cut || slots[1].cut || has_slot(&slots[0], addr) ||
	       has_slot(&slots[1], addr);
}

bool otst_is_detour_slot(struct otst *o, uint64_t addr, bool *cut)
{
	const struct slots *slots = &slot_caches(o)[1];

	*cut = slots->cut;
	return has_slot(slots, addr);
}

void otst_slot_pages(struct otst *o, void (*each)(void *priv, uint64_t page, uint64_t size),
		     void *priv, bool *cut)
{
	const struct slots *slots = slot_caches(o);

	*cut = slots[0].cut || slots[1].cut;
	for (size_t i = 0; i < 2; i++) {
		for (size_t k = 0; k < slots[i].count; k++)
			each(priv, slots[i].page[k], slots[i].size);
	}
}
