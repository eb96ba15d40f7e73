// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * alternatives.c - instructions chosen by extensions and errata of the cpus (struct
 * alt_entry, arch/riscv/include/asm/alternative.h): a replacement is copied to its place, and
 * its calls and jumps keep their targets (riscv_alternative_fix_offsets()). An entry for an
 * extension that the system lacks is not applied. Only the text tells which errata a vendor's
 * code assumes, and which block size an extension asks for: for these a replacement is
 * accepted wherever it is found.
 */
#include <string.h>

#include "riscv64.h"

#define INSN 4u
#define EXTENSIONS \
	0x8000u /* RISCV_VENDOR_EXT_ALTERNATIVES_BASE: numbers from here on are a vendor's */

struct layout {
	uint64_t size;
	const struct otst_member *orig, *repl, *vendor, *len, *id;
};

static int riscv64_read_alternative_layout(struct otst *o, struct layout *ret)
{
	static const char type[] = "alt_entry";
	int err = otst_type_size(o, type, &ret->size);

	err = err ?: otst_member(o, type, "old_offset", &ret->orig);
	err = err ?: otst_member(o, type, "alt_offset", &ret->repl);
	err = err ?: otst_member(o, type, "vendor_id", &ret->vendor);
	err = err ?: otst_member(o, type, "alt_len", &ret->len);
	return err ? err : otst_member(o, type, "patch_id", &ret->id);
}

static uint64_t riscv64_pick(const uint8_t *raw, const struct otst_member *m)
{
	return otst_get_le(raw + m->offset, m->size);
}

static uint64_t riscv64_pick_address(const uint8_t *raw, uint64_t at, const struct otst_member *m)
{
	return at + m->offset + (uint64_t)(int64_t)(int32_t)riscv64_pick(raw, m);
}

/* moves calls through ra and jal instructions that leave the replacement */
static void move_calls(const struct otst_arch *arch, uint8_t *bytes, size_t len, uint64_t repl,
		       uint64_t orig)
{
	struct otst_branch b;
	uint8_t moved[OTST_BRANCH_MAX];

	for (size_t i = 0; i + INSN <= len; i += INSN) {
		unsigned int link = bytes[i + 1] & 15 ? 5 : bytes[i] >> 7;

		if (!arch->insn.branch(bytes + i, len - i, repl + i, &b) || b.target - repl < len ||
		    (b.len == 2 * INSN && link != 1))
			continue;
		if (b.len == INSN &&
		    arch->insn.put_branch(moved, OTST_BRANCH_JUMP, orig + i, b.target)) {
			/* keep the register that holds the return address */
			moved[0] = bytes[i];
			moved[1] = (uint8_t)((moved[1] & 0xf0) | (bytes[i + 1] & 0x0f));
			memcpy(bytes + i, moved, INSN);
		} else if (b.len == 2 * INSN) {
			arch->insn.put_branch(moved, OTST_BRANCH_CALL, orig + i, b.target);
			otst_riscv64_by_ra(moved);
			memcpy(bytes + i, moved, 2 * (size_t)INSN);
			i += INSN;
		}
	}
}

static int apply_alternative(struct otst_expect *e, uint64_t orig, uint64_t repl, size_t len)
{
	const uint8_t *from = otst_expect_built(e, repl, len);
	uint8_t bytes[UINT8_MAX];
	bool done;

	if (!from || len > sizeof(bytes))
		return 0;
	memcpy(bytes, from, len);
	move_calls(e->arch->arch, bytes, len, repl, orig);
	otst_expect_try(e, OTST_DIFF_ALTERNATIVE, orig, bytes, len, &done);
	return 0;
}

/* does the system have the extension; -1 when that cannot be read */
static int has_extension(struct otst *o, uint64_t id)
{
	uint64_t at = otst_symbol_or0(o, "riscv_isa"), word;

	if (!at || otst_read_u64(o, at + id / 64 * 8, &word))
		return -1;
	return (int)(word >> id % 64 & 1);
}

static int riscv64_apply_all(struct otst_expect *e, const struct layout *layout,
			     const struct otst_section *s)
{
	uint64_t at, lost = 0;
	int err = 0, has;

	for (at = 0; at + layout->size <= s->size && !err; at += layout->size) {
		const uint8_t *raw = s->data + at;
		uint64_t orig = riscv64_pick_address(raw, s->addr + at, layout->orig);
		uint64_t repl = riscv64_pick_address(raw, s->addr + at, layout->repl);
		uint64_t id = riscv64_pick(raw, layout->id) & 0xffff;
		size_t len = riscv64_pick(raw, layout->len);

		/* PATCH_ID_CPUFEATURE_ID() */
		has = riscv64_pick(raw, layout->vendor) || id >= EXTENSIONS ?
			      1 :
			      has_extension(e->o, id);
		if (otst_stopped(e->o))
			return otst_stopped(e->o);
		if (has < 0) {
			lost++;
			otst_expect_unknown(e, orig, len);
		} else if (has) {
			err = apply_alternative(e, orig, repl, len);
		}
	}
	if (err || !lost)
		return err;
	err = otst_raise(e->o, OTST_ERR_FAULT, "riscv_isa");
	return otst_note(e->o, &e->out->errors, otst_fail(e->o, err, "extensions of the cpus"));
}

int otst_riscv64_alternatives(struct otst_expect *e)
{
	const struct otst_section *s = otst_expect_section(e, ".alternative");
	struct layout layout;
	int err;

	if (!s)
		return 0;
	err = riscv64_read_alternative_layout(e->o, &layout);
	return err ? otst_expect_unread(e, err, "alternatives") : riscv64_apply_all(e, &layout, s);
}

void otst_riscv64_by_ra(uint8_t *pair)
{
	/* rd of auipc; rd and rs1 of jalr */
	pair[0] = (uint8_t)((pair[0] & 0x7f) | 0x80);
	pair[1] = (uint8_t)(pair[1] & 0xf0);
	pair[4] = (uint8_t)((pair[4] & 0x7f) | 0x80);
	pair[5] = (uint8_t)(pair[5] & 0x70) | 0x80;
	pair[6] = (uint8_t)(pair[6] & 0xf0);
}
