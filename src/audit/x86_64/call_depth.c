// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * call_depth.c - counting of calls on cpus whose returns mispredict
 * (retbleed=stuff, since 6.2; arch/x86/kernel/callthunks.c): the nops before a
 * function become skl_call_thunk_template, moved there, and calls of the
 * function (.call_sites) go to these instructions. A function may have them
 * even if it is called only from modules, static calls or BPF programs, so the
 * bytes before it tell whether it does: they must be exactly the template.
 */
#include <string.h>

#include "../../built/disassemble.h"
#include "x86_64.h"

#define NOP   0x90
#define SIZE  5
#define ALIGN 16u /* alignment of functions on kernels that can count calls */
#define MAX   64u /* bytes of the template */
#define MOST  4u  /* distances in it */

/**
 * struct thunk_template - what is before functions; none when @len is 0
 * @addr: where it was read
 * @at: where its distances are, @count of them
 */
struct thunk_template {
	uint64_t addr;
	size_t len;
	uint8_t bytes[MAX];
	size_t at[MOST];
	size_t count;
};

/* finds the distances that lead out of it */
static int find_distances(struct otst *o, struct thunk_template *t)
{
	struct otst_insns insns;
	size_t i, end = 0;
	int err = otst_disassemble(o, t->addr, t->bytes, t->len, t->len, &insns);

	for (i = 0; !err && i < insns.count; i++) {
		const struct otst_insn *insn = &insns.items[i];
		size_t at = end;

		end += insn->len;
		if (!insn->target)
			continue;
		for (; at + 4 <= end && t->count < MOST; at++) {
			if (t->addr + end +
				    (uint64_t)(int64_t)(int32_t)otst_get_le(t->bytes + at, 4) ==
			    insn->target) {
				t->at[t->count++] = at;
				break;
			}
		}
	}
	return err;
}

static int x86_64_read_template(struct otst *o, struct thunk_template *t)
{
	uint64_t end = otst_symbol_or0(o, "skl_call_thunk_tail"), on;
	uint64_t variable = otst_symbol_or0(o, "thunks_initialized");
	uint8_t initialized = 1;
	int err;

	t->addr = otst_symbol_or0(o, "skl_call_thunk_template");
	on = t->addr && end > t->addr && end - t->addr <= MAX;
	if (on && variable)
		err = otst_read_u8(o, variable, &initialized);
	else
		err = 0;
	if (err || !on || !initialized)
		return err;
	err = otst_read(o, t->addr, t->bytes, end - t->addr);
	if (err)
		return err;
	t->len = end - t->addr;
	return find_distances(o, t);
}

/* read once per command; NULL when out of memory */
static const struct thunk_template *template_bytes(struct otst_expect *e)
{
	static const char key;
	void **memo = otst_memo(e->o, &key);
	struct thunk_template *t = *memo;

	if (t)
		return t;
	t = otst_new(e->o, sizeof(*t));
	*memo = t;
	if (x86_64_read_template(e->o, t)) {
		t->len = 0;
		if (otst_expect_lost(e, 0, 0, "skl_call_thunk_template", t->addr))
			return NULL;
	}
	return t;
}

/* the template as it is at @addr */
static void move_template(const struct thunk_template *t, uint64_t addr, uint8_t *ret)
{
	memcpy(ret, t->bytes, t->len);
	for (size_t i = 0; i < t->count; i++)
		otst_put_le32(ret + t->at[i],
			      (uint32_t)(otst_get_le(t->bytes + t->at[i], 4) + (t->addr - addr)));
}

/* ---- what is before functions ---- */

static bool is_nops(const uint8_t *p, size_t len)
{
	while (len && *p == NOP)
		len--, p++;
	return !len;
}

/* functions are aligned, except for some that are not written in C */
static bool x86_64_is_function(struct otst *o, uint64_t addr)
{
	struct otst_sym sym;

	if (addr % ALIGN == 0)
		return true;
	otst_symbolize(o, addr, &sym);
	return sym.name && sym.addr == addr;
}

static void x86_64_add_thunks(struct otst_expect *e, const struct thunk_template *t,
			      const struct otst_expect_part *p)
{
	/* the template is the same everywhere up to its first distance */
	size_t head = t->count ? t->at[0] : t->len, at;
	const uint8_t *found = p->found, *end = p->found + p->size;
	uint8_t bytes[MAX];

	while ((found = memmem(found, (size_t)(end - found), t->bytes, head))) {
		at = (size_t)(found++ - p->found);
		if (at + t->len > p->size || !is_nops(p->now + at, t->len) ||
		    !x86_64_is_function(e->o, p->addr + at + t->len))
			continue;
		move_template(t, p->addr + at, bytes);
		if (!memcmp(bytes, p->found + at, t->len))
			otst_expect_set(e, OTST_DIFF_CALL_DEPTH, p->addr + at, bytes, t->len);
	}
}

uint64_t otst_call_thunk(struct otst_expect *e, uint64_t func)
{
	const struct thunk_template *t = template_bytes(e);
	uint8_t want[MAX], found[MAX];

	if (!t || !t->len || otst_read(e->o, func - t->len, found, t->len))
		return 0;
	move_template(t, func - t->len, want);
	return memcmp(want, found, t->len) ? 0 : func - t->len;
}

/* ---- calls ---- */

static void patch_call_depth(struct otst_expect *e, uint64_t at)
{
	const uint8_t *now = otst_expect_now(e, at, SIZE);
	uint64_t thunk;
	uint8_t bytes[SIZE];
	bool done;

	if (!now || now[0] != CALL)
		return;
	thunk = otst_call_thunk(e, otst_get_rel32(now, at));
	if (!thunk)
		return;
	otst_put_rel32(bytes, CALL, at, thunk);
	/* text that is not compared only matters as a source of alternatives */
	if (!otst_expect_found(e, at, SIZE))
		otst_expect_set(e, OTST_DIFF_CALL_DEPTH, at, bytes, SIZE);
	else
		otst_expect_try(e, OTST_DIFF_CALL_DEPTH, at, bytes, SIZE, &done);
}

int otst_apply_call_depth(struct otst_expect *e)
{
	const struct thunk_template *t = template_bytes(e);
	struct otst_vec sites = { 0 };
	const uint64_t *at;
	int err = 0;

	if (!t)
		return otst_no_memory(e->o);
	if (!t->len)
		return 0;
	for (size_t i = 0; i < e->nr_parts; i++) {
		if (e->parts[i].found)
			x86_64_add_thunks(e, t, &e->parts[i]);
	}
	err = otst_expect_sites(e, ".call_sites", &sites);
	at = sites.data;
	for (size_t i = 0; i < sites.count && !err; i++) {
		patch_call_depth(e, at[i]);
		if (!err && !(i & 0xfff))
			err = otst_check(e->o);
	}
	return err;
}
