// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * callbacks.c - alternatives whose instructions a function generates when the kernel
 * boots (arch/arm64/kernel/proton-pack.c, kvm/va_layout.c and others). They depend on
 * mitigations, KASLR and the layout of KVM's addresses, so each instruction only has to
 * be one that the function can write there.
 */
#include <string.h>

#include "aarch64.h"

/* what may be there */
enum {
	NOPS = 1,	/* nop */
	KEPT = 2,	/* as built */
	MOVES = 4,	/* movz or movk into the register that was there */
	CONDUIT = 8,	/* hvc #0, smc #0 */
	IMMEDIATE = 16, /* another immediate of and, extr, add or orr */
	VECTOR = 32,	/* stp x0, x1; moves into x0; br x0 */
	PATCHED = 64,	/* nop, and nothing else */
};

static const struct {
	const char *name;
	unsigned int may;
} callbacks[] = {
	{ "alt_cb_patch_nops", PATCHED },
	{ "spectre_v4_patch_fw_mitigation_enable", NOPS | KEPT },
	{ "spectre_v4_patch_fw_mitigation_conduit", CONDUIT | NOPS | KEPT },
	{ "smccc_patch_fw_mitigation_conduit", CONDUIT | NOPS | KEPT },
	{ "spectre_bhb_patch_loop_mitigation_enable", NOPS | KEPT },
	{ "spectre_bhb_patch_fw_mitigation_enabled", NOPS | KEPT },
	{ "spectre_bhb_patch_loop_iter", MOVES | KEPT },
	{ "spectre_bhb_patch_wa3", IMMEDIATE | KEPT },
	{ "spectre_bhb_patch_clearbhb", NOPS | KEPT },
	{ "arm64_update_smccc_conduit", CONDUIT | KEPT },
	{ "arm64_enable_wa2_handling", NOPS | KEPT },
	{ "kasan_hw_tags_enable", NOPS | KEPT },
	{ "kvm_update_va_mask", IMMEDIATE | NOPS | KEPT },
	{ "kvm_get_kimage_voffset", MOVES | KEPT },
	{ "kvm_compute_final_ctr_el0", MOVES | KEPT },
	{ "kvm_compute_ich_hcr_trap_bits", MOVES | KEPT },
	{ "kvm_patch_vector_branch", VECTOR | NOPS | KEPT },
	{ "kvm_pan_patch_el2_entry", NOPS | KEPT },
};

static bool is_move(uint32_t insn, uint32_t reg)
{
	return (insn & 0x5f80001f) == (0x52800000 | reg);
}

static bool fits_insn(uint32_t built, uint32_t found, unsigned int may)
{
	uint32_t reg = built & 31;

	if (found == NOP)
		return may & (NOPS | PATCHED);
	return (may & KEPT && found == built) || (may & MOVES && is_move(found, reg)) ||
	       (may & CONDUIT && (found == 0xd4000002 || found == 0xd4000003)) ||
	       (may & IMMEDIATE && !((found ^ built) & ~0x007ffc00u)) ||
	       (may & VECTOR && (found == 0xa9bf07e0 || found == 0xd61f0000 || is_move(found, 0)));
}

void otst_a64_callback(struct otst_expect *e, const char *name, uint64_t addr, size_t len,
		       bool *known)
{
	const uint8_t *found = otst_expect_found(e, addr, len), *built;
	size_t i, at, n = sizeof(callbacks) / sizeof(*callbacks);
	uint8_t bytes[OTST_PATCH_MAX + 1];

	built = otst_expect_now(e, addr, len);
	for (i = 0; i < n && strcmp(callbacks[i].name, name); i++)
		;
	if (i == n || !found || !built) {
		*known = i < n;
		otst_expect_unknown(e, addr, len);
		return;
	}
	for (at = 0; at + INSN <= len; at += INSN) {
		uint32_t is = otst_a64_get(found + at), was = otst_a64_get(built + at);
		uint32_t other = callbacks[i].may & PATCHED ? NOP : was;

		otst_a64_put(bytes + at, fits_insn(was, is, callbacks[i].may) ? is : other);
	}
	otst_expect_set(e, OTST_DIFF_ALTERNATIVE, addr, bytes, at);
}
