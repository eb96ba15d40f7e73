// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * jump_labels.c - branches of static keys (struct jump_entry, kernel/jump_label.c,
 * arch/x86/kernel/jump_label.c): a nop or a jump, of 2 or 5 bytes, depending on the
 * key's current value and on whether the branch is likely.
 */
#include <string.h>

#include "expect.h"

#define KEY_BITS UINT64_C(3)
#define LIKELY	 1u /* bit of jump_entry.key */

/* @entries: if the default branch is bit 0 of static_key.entries, not of jump_entry.key */
struct layout {
	uint64_t size;
	const struct otst_member *code, *target, *key, *enabled, *entries;
};

static int read_label_layout(struct otst *o, struct layout *ret)
{
	int err = otst_type_size(o, "jump_entry", &ret->size);

	err = err ?: otst_member(o, "jump_entry", "code", &ret->code);
	err = err ?: otst_member(o, "jump_entry", "target", &ret->target);
	err = err ?: otst_member(o, "jump_entry", "key", &ret->key);
	err = err ?: otst_member(o, "static_key", "enabled", &ret->enabled);
	/*
	 * Linux 11276d5306b8 ("locking/static_keys: Add a new static_key interface") (v4.3)
	 * moved the bit, and named what an entry becomes JUMP_LABEL_NOP and JUMP_LABEL_JMP
	 */
	ret->entries = NULL;
	if (!err && otst_enumerator_or(o, "JUMP_LABEL_ENABLE", 0))
		err = otst_member(o, "static_key", "entries", &ret->entries);
	return err;
}

/* members are distances from themselves since 4.20, addresses before */
static uint64_t pick_distance(struct otst *o, const uint8_t *raw, uint64_t at,
			      const struct otst_member *m, bool relative)
{
	uint64_t v = otst_get(o, raw + m->offset, m->size);

	if (m->size == 4)
		v = (uint64_t)(int64_t)(int32_t)v;
	return relative ? at + m->offset + v : v;
}

/* @len: length of the jump, when @target is 0 */
static size_t put_jump(const struct otst_expect *e, const uint8_t *built, uint64_t addr,
		       uint64_t target, size_t len, uint8_t *ret)
{
	if (e->arch->put_jump)
		return e->arch->put_jump(e, built, addr, target, ret);
	if (target)
		return e->arch->arch->insn.put_branch(ret, OTST_BRANCH_JUMP, addr, target);
	memcpy(ret, e->arch->arch->insn.nop.bytes, len);
	return len;
}

static int patch_label(struct otst_expect *e, const struct layout *layout, const uint8_t *raw,
		       uint64_t at)
{
	bool relative = layout->code->size == 4;
	uint64_t code = pick_distance(e->o, raw, at, layout->code, relative);
	uint64_t target = pick_distance(e->o, raw, at, layout->target, relative);
	uint64_t key = pick_distance(e->o, raw, at, layout->key, relative);
	const uint8_t *built = otst_expect_built(e, code, e->arch->arch->insn.branch_len);
	uint64_t likely = key & LIKELY;
	uint8_t bytes[OTST_BRANCH_MAX];
	uint32_t enabled;
	size_t len;

	if (!built)
		return 0;
	if (otst_expect_found(e, code, 1))
		otst_audit_pointer(e->o, e->out, "jump label", "target", target, at);
	len = put_jump(e, built, code, target, 0, bytes);
	if (otst_read_u32(e->o, (key & ~KEY_BITS) + layout->enabled->offset, &enabled))
		return otst_expect_lost(e, code, len, "static key", key & ~KEY_BITS);
	if (layout->entries) {
		if (otst_read_u64(e->o, key + layout->entries->offset, &likely))
			return otst_expect_lost(e, code, len, "static key", key);
		likely &= LIKELY;
	}
	if (!enabled == !likely)
		put_jump(e, built, code, 0, len, bytes);
	otst_expect_set(e, OTST_DIFF_JUMP_LABEL, code, bytes, len);
	return 0;
}

/* the table in the kernel, which sorts the entries and keeps them */
static int find_jump_table(struct otst_expect *e, const struct layout *layout, uint64_t *ret,
			   uint64_t *count)
{
	uint64_t end;
	int err;

	if (!e->module) {
		err = otst_symbol(e->o, "__start___jump_table", ret);
		err = err ?: otst_symbol(e->o, "__stop___jump_table", &end);
		*count = err ? 0 : (end - *ret) / layout->size;
		return err;
	}
	err = otst_read_member(e->o, "module", e->module->addr, "jump_entries", ret);
	return err ? err :
		     otst_read_member(e->o, "module", e->module->addr, "num_jump_entries", count);
}

int otst_apply_jump_labels(struct otst_expect *e)
{
	struct layout layout;
	uint64_t table = 0, count = 0, i;
	const uint8_t *raw = NULL;
	size_t len = 0;
	int err = read_label_layout(e->o, &layout);

	err = err ?: find_jump_table(e, &layout, &table, &count);
	/* a kernel without jump labels */
	if (err == OTST_ERR_LOOKUP)
		return otst_expect_absent(e, err, "jump_label_lock");
	if (!err && count > OTST_TABLE_MAX)
		err = otst_raise(e->o, OTST_ERR_CORRUPT, "%llu entries", (unsigned long long)count);
	len = count * layout.size;
	if (!err && count)
		err = otst_expect_table(e, "__jump_table", &table, &len, &raw);
	if (err)
		return otst_note(e->o, &e->out->errors, otst_fail(e->o, err, "jump labels"));
	for (i = 0; i < len / layout.size && !err; i++) {
		err = patch_label(e, &layout, raw + i * layout.size, table + i * layout.size);
		if (!err && !(i & 0xfff))
			err = otst_check(e->o);
	}
	return err;
}
