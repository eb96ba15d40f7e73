// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * relocation.c - addresses in the kernel's text, which the kernel writes when it
 * boots, wherever it was loaded (arch/arm64/kernel/head.S and pi/relocate.c): for RELA
 * entries the addend, for RELR entries what was linked there, each plus the load
 * offset. In KVM's own text, those that .hyp.reloc names then become addresses that are
 * valid at EL2 (kvm_apply_hyp_relocations(), arch/arm64/kvm/va_layout.c).
 */
#include <elf.h>

#include "aarch64.h"

static void write_word(struct otst_expect *e, uint64_t at, uint64_t value)
{
	otst_expect_set_word(e, OTST_DIFF_RELOCATION, at, value);
}

static void apply_rela(struct otst_expect *e)
{
	const struct otst_section *rela = otst_expect_section(e, ".rela.dyn");
	struct otst_rela r;

	for (size_t i = 0; otst_expect_rela(e, rela, i, &r); i++) {
		if ((uint32_t)r.info == R_AARCH64_RELATIVE)
			write_word(e, r.at, r.addend + e->built->slide);
	}
}

static void move_word(struct otst_expect *e, uint64_t at)
{
	const uint8_t *now = otst_expect_now(e, at, 8);

	if (now)
		write_word(e, at, otst_get_le(now, 8) + e->built->slide);
}

/* entries are an address, or bits for the 63 words after what was named so far */
static void apply_relr(struct otst_expect *e, const struct otst_section *s)
{
	uint64_t at, entry, next = 0, word;

	for (at = 0; at + 8 <= s->size; at += 8) {
		entry = otst_get_le(s->data + at, 8);
		if (!(entry & 1)) {
			next = entry + e->built->slide;
			move_word(e, next);
			next += 8;
			continue;
		}
		for (word = next; (entry >>= 1); word += 8) {
			if (entry & 1)
				move_word(e, word);
		}
		next += 63 * UINT64_C(8);
	}
}

/* what makes up addresses at EL2; @mask is 0 if the kernel itself runs at EL2 */
struct el2 {
	uint64_t mask, tag, offset;
};

static int read_el2(struct otst_expect *e, struct el2 *ret)
{
	static const char *const names[] = { "va_mask", "tag_val", "kimage_voffset",
					     "memstart_addr", "tag_lsb" };
	uint64_t v[5] = { 0 }, at;
	uint8_t raw[8];

	for (size_t i = 0; i < 5; i++) {
		int err = otst_symbol(e->o, names[i], &at);

		err = err ?: otst_read(e->o, at, raw, i == 4 ? 1 : sizeof(raw));
		if (err)
			return err;
		v[i] = otst_get(e->o, raw, i == 4 ? 1 : sizeof(raw));
	}
	*ret = (struct el2){ v[0], v[4] < 64 ? v[1] << v[4] : 0, v[2] + v[3] };
	return 0;
}

static int apply_hyp(struct otst_expect *e)
{
	struct otst_vec sites = { 0 };
	struct el2 el2 = { 0 };
	const uint64_t *at;
	int err = otst_expect_sites(e, ".hyp.reloc", &sites), why = 0;

	if (!err && sites.count)
		why = read_el2(e, &el2);
	at = sites.data;
	for (size_t i = 0; i < sites.count && !err && (why || el2.mask); i++) {
		const uint8_t *now = otst_expect_now(e, at[i], 8);

		if (why)
			otst_expect_unknown(e, at[i], 8);
		else if (now)
			write_word(e, at[i],
				   ((otst_get_le(now, 8) - el2.offset) & el2.mask) | el2.tag);
	}
	return err || !why ? err :
			     otst_note(e->o, &e->out->errors,
				       otst_fail(e->o, why, "addresses of KVM's text"));
}

int otst_a64_relocation(struct otst_expect *e)
{
	const struct otst_section *relr = otst_expect_section(e, ".relr.dyn");

	/* a module's relocations are applied where its file is read */
	if (e->module)
		return 0;
	apply_rela(e);
	if (relr)
		apply_relr(e, relr);
	return apply_hyp(e);
}
