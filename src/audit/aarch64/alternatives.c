// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * alternatives.c - instructions chosen by the features of the cpus (struct
 * alt_instr, arch/arm64/kernel/alternative.c, __apply_alternatives()): if the system has an
 * entry's feature, the replacement is moved to its place, or the entry's callback writes
 * there what it chooses. Entries of features that the boot cpu alone decides come first.
 */
#include <string.h>

#include "aarch64.h"

#define CALLBACK  0x8000u /* ARM64_CB_BIT, since 6.1 */
#define MAX_NAMED 3u	  /* unknown callbacks that are named */

struct layout {
	uint64_t size;
	const struct otst_member *orig, *repl, *cap, *len, *repl_len;
};

/* feature bits: all of them, and those that the boot cpu decides */
struct caps {
	uint8_t all[CALLBACK / 8], boot[CALLBACK / 8];
};

/* @named: some unknown callbacks; @count: places of unknown callbacks */
struct unknown {
	const char *named[MAX_NAMED];
	size_t count, functions;
};

static int aarch64_read_alternative_layout(struct otst *o, struct layout *ret)
{
	static const char type[] = "alt_instr";
	int err = otst_type_size(o, type, &ret->size);

	err = err ?: otst_member(o, type, "orig_offset", &ret->orig);
	err = err ?: otst_member(o, type, "alt_offset", &ret->repl);
	err = err ?: otst_member(o, type, "orig_len", &ret->len);
	err = err ?: otst_member(o, type, "alt_len", &ret->repl_len);
	/* Linux 6.3 calls it cpucap */
	if (!err && otst_has_member(o, type, "cpucap"))
		return otst_member(o, type, "cpucap", &ret->cap);
	return err ? err : otst_member(o, type, "cpufeature", &ret->cap);
}

static uint64_t aarch64_pick(const uint8_t *raw, const struct otst_member *m)
{
	return otst_get_le(raw + m->offset, m->size);
}

static uint64_t aarch64_pick_address(const uint8_t *raw, uint64_t at, const struct otst_member *m)
{
	return at + m->offset + (uint64_t)(int64_t)(int32_t)aarch64_pick(raw, m);
}

/* reads @bytes of a bitmap that has one of two names */
static int read_bitmap(struct otst *o, const char *name, const char *before, uint8_t *ret,
		       size_t bytes)
{
	uint64_t at = otst_symbol_or0(o, name);

	if (!at)
		at = otst_symbol_or0(o, before);
	return at ? otst_read(o, at, ret, bytes) :
		    otst_raise(o, OTST_ERR_LOOKUP, "no %s in this kernel", name);
}

static bool has_cap(const uint8_t *bits, uint64_t cap)
{
	return bits[cap / 8] >> cap % 8 & 1;
}

/* bits above the table's highest feature are not read: they may belong to another variable */
static int aarch64_read_caps(struct otst_expect *e, const struct layout *layout,
			     const struct otst_section *s, struct caps *ret)
{
	uint64_t at, cap, highest = 0;
	size_t bytes;
	int err;

	for (at = 0; at + layout->size <= s->size; at += layout->size) {
		cap = aarch64_pick(s->data + at, layout->cap);
		if (!(cap & CALLBACK) && !aarch64_pick(s->data + at, layout->repl_len))
			continue;
		cap &= ~(uint64_t)CALLBACK;
		highest = cap > highest ? cap : highest;
	}
	bytes = (size_t)highest / 64 * 8 + 8;
	err = read_bitmap(e->o, "system_cpucaps", "cpu_hwcaps", ret->all, bytes);
	return err ? err : read_bitmap(e->o, "boot_cpucaps", "boot_capabilities", ret->boot, bytes);
}

static void replace_insns(struct otst_expect *e, uint64_t orig, uint64_t repl, size_t len)
{
	const uint8_t *from = otst_expect_now(e, repl, len);
	uint8_t bytes[OTST_PATCH_MAX + 1];
	uint64_t target;
	uint32_t insn;

	if (!from || len % INSN)
		return;
	for (size_t i = 0; i < len; i += INSN) {
		insn = otst_a64_get(from + i);
		/* a branch inside the replacement is already right */
		if (!otst_a64_branch(insn, repl + i, &target) || target - repl > len)
			insn = otst_a64_move(insn, repl + i, orig + i);
		otst_a64_put(bytes + i, insn);
	}
	otst_expect_set(e, OTST_DIFF_ALTERNATIVE, orig, bytes, len);
}

static void call_back(struct otst_expect *e, uint64_t orig, uint64_t function, size_t len,
		      struct unknown *unknown)
{
	struct otst_sym sym;
	bool known = true;
	size_t i;

	otst_symbolize(e->o, function, &sym);
	otst_a64_callback(e, sym.name ? sym.name : "?", orig, len, &known);
	if (known)
		return;
	unknown->count++;
	for (i = 0; i < MAX_NAMED && unknown->named[i] && sym.name; i++) {
		if (!strcmp(unknown->named[i], sym.name))
			return;
	}
	if (i < MAX_NAMED)
		unknown->named[i] = sym.name ? sym.name : "?";
}

/* @boot: apply only entries of features that the boot cpu decides, else only the others */
static int aarch64_apply_all(struct otst_expect *e, const struct layout *layout,
			     const struct otst_section *s, const struct caps *caps, bool boot,
			     struct unknown *unknown)
{
	for (uint64_t at = 0; at + layout->size <= s->size; at += layout->size) {
		const uint8_t *raw = s->data + at;
		uint64_t cap = aarch64_pick(raw, layout->cap),
			 orig = aarch64_pick_address(raw, s->addr + at, layout->orig);
		uint64_t repl = aarch64_pick_address(raw, s->addr + at, layout->repl);
		size_t len = aarch64_pick(raw, layout->len);
		bool callback = !aarch64_pick(raw, layout->repl_len);
		/* up to 6.0 a callback has no feature: its number comes after the last one */
		bool always = callback && !(cap & CALLBACK);

		cap &= ~(uint64_t)CALLBACK;
		/* seen in 7.2: entries without an instruction */
		if (!len || (!always && !has_cap(caps->all, cap)) ||
		    boot != (!always && !e->module && has_cap(caps->boot, cap)) ||
		    !otst_expect_found(e, orig, len))
			continue;
		if (callback)
			call_back(e, orig, repl, len, unknown);
		else
			replace_insns(e, orig, repl, len);
	}
	return otst_check(e->o);
}

static int aarch64_note_unknown(struct otst_expect *e, const struct unknown *u)
{
	const char *names = u->named[0];

	if (!u->count)
		return 0;
	for (size_t i = 1; i < MAX_NAMED && u->named[i]; i++)
		names = otst_format(e->o, "%s, %s", names, u->named[i]);
	return otst_note(
		e->o, &e->out->notes,
		otst_raise(
			e->o, OTST_ERR_LOOKUP,
			"alternatives: what %s writes is not known: %zu place%s %s taken as found",
			names, u->count, otst_number(u->count, "", "s"),
			otst_number(u->count, "is", "are")));
}

/* nothing tells which entries apply: all places are taken as found */
static int lose_alternatives(struct otst_expect *e, const struct layout *layout,
			     const struct otst_section *s, int err)
{
	for (uint64_t at = 0; at + layout->size <= s->size; at += layout->size)
		otst_expect_unknown(e,
				    aarch64_pick_address(s->data + at, s->addr + at, layout->orig),
				    aarch64_pick(s->data + at, layout->len));
	return otst_note(e->o, &e->out->errors, otst_fail(e->o, err, "the features of the cpus"));
}

int otst_a64_alternatives(struct otst_expect *e)
{
	const struct otst_section *s = otst_expect_section(e, ".altinstructions");
	struct caps *caps = otst_alloc(e->o, sizeof(*caps));
	struct unknown unknown = { .count = 0 };
	struct layout layout = { 0 };
	int err;

	if (!s)
		return 0;
	if (!caps)
		return otst_no_memory(e->o);
	err = aarch64_read_alternative_layout(e->o, &layout);
	if (err)
		return otst_expect_unread(e, err, "alternatives");
	err = aarch64_read_caps(e, &layout, s, caps);
	if (err)
		return lose_alternatives(e, &layout, s, err);
	err = aarch64_apply_all(e, &layout, s, caps, true, &unknown);
	err = err ?: aarch64_apply_all(e, &layout, s, caps, false, &unknown);
	return err ? err : aarch64_note_unknown(e, &unknown);
}
