// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * features.c - instructions chosen by features of the cpu, of the MMU and of the
 * firmware (struct fixup_entry, arch/powerpc/lib/feature-fixups.c): if the system lacks a
 * section's features, the section is replaced by its alternative, moved there, and nops.
 * This file also covers barriers, which are lwsync on every 64-bit cpu.
 */
#include "ppc64le.h"

#define ENTRY	 48u
#define LONGEST	 4096u /* bytes of a section; more are not believed */
#define LWSYNC	 0x7c2004acu
#define PREFIXED 1u /* primary opcode of instructions of two words */

struct place {
	uint64_t start, end, alt, alt_end;
};

static struct place ppc64le_find_feature_place(const uint8_t *raw, uint64_t at)
{
	return (struct place){ at + otst_get_le(raw + 16, 8), at + otst_get_le(raw + 24, 8),
			       at + otst_get_le(raw + 32, 8), at + otst_get_le(raw + 40, 8) };
}

static void replace_feature(struct otst_expect *e, const struct place *p)
{
	size_t len = p->end - p->start, alt_len = p->alt_end - p->alt, i;
	const uint8_t *from = otst_expect_now(e, p->alt, alt_len);
	uint8_t bytes[LONGEST];
	uint64_t target;
	uint32_t insn;

	if (len > sizeof(bytes) || alt_len > len || (alt_len && !from))
		return;
	for (i = 0; i + INSN <= len; i += INSN) {
		insn = i < alt_len ? otst_ppc64le_get(from + i) : NOP;
		/* a branch inside the alternative is already right */
		if (i < alt_len && otst_ppc64le_branch(insn, p->alt + i, &target) &&
		    (target < p->alt || target > p->alt_end))
			insn = otst_ppc64le_move(insn, p->start + i, target);
		otst_ppc64le_put(bytes + i, insn);
		if (insn >> 26 == PREFIXED && i + 2 * (size_t)INSN <= alt_len) {
			i += INSN;
			otst_ppc64le_put(bytes + i, otst_ppc64le_get(from + i));
		}
	}
	otst_expect_set(e, OTST_DIFF_ALTERNATIVE, p->start, bytes, i);
}

/* cur_cpu_spec leads to the features of the cpu and of its MMU */
static int read_features(struct otst *o, const char *member, uint64_t *ret)
{
	uint64_t at;
	int err;

	if (!member) {
		err = otst_symbol(o, "powerpc_firmware_features", &at);
		return err ? err : otst_read_u64(o, at, ret);
	}
	err = otst_symbol(o, "cur_cpu_spec", &at);
	err = err ?: otst_read_u64(o, at, &at);
	return err ? err : otst_read_member(o, "cpu_spec", at, member, ret);
}

/* @member: member of struct cpu_spec; NULL for the firmware's features */
static int apply_table(struct otst_expect *e, const char *section, const char *member)
{
	const struct otst_section *s = otst_expect_section(e, section);
	uint64_t features = 0, at;
	int err, lost = 0;

	if (!s)
		return 0;
	err = read_features(e->o, member, &features);
	if (otst_fatal(err))
		return err;
	if (err) {
		lost = otst_note(e->o, &e->out->errors,
				 otst_fail(e->o, err, "features of %s", section));
		if (lost)
			return lost;
	}
	lost = err;
	err = 0;
	for (at = 0; at + ENTRY <= s->size && !err; at += ENTRY) {
		const uint8_t *raw = s->data + at;
		struct place p = ppc64le_find_feature_place(raw, s->addr + at);

		if (lost)
			otst_expect_unknown(e, p.start, p.end - p.start);
		else if ((features & otst_get_le(raw, 8)) != otst_get_le(raw + 8, 8))
			replace_feature(e, &p);
	}
	return err ? err : otst_check(e->o);
}

static void apply_lwsync(struct otst_expect *e)
{
	const struct otst_section *s = otst_expect_section(e, "__lwsync_fixup");
	uint8_t bytes[INSN];

	otst_ppc64le_put(bytes, LWSYNC);
	for (uint64_t at = 0; s && at + 8 <= s->size; at += 8)
		otst_expect_set(e, OTST_DIFF_ALTERNATIVE,
				s->addr + at + otst_get_le(s->data + at, 8), bytes, INSN);
}

int otst_ppc64le_features(struct otst_expect *e)
{
	int err = apply_table(e, "__ftr_fixup", "cpu_features");

	err = err ?: apply_table(e, "__mmu_ftr_fixup", "mmu_features");
	if (!err)
		apply_lwsync(e);
	return err ? err : apply_table(e, "__fw_ftr_fixup", NULL);
}
