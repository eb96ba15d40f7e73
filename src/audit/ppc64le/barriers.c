// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * barriers.c - speculation mitigations: barriers and flushes at kernel entry and exit
 * (arch/powerpc/lib/feature-fixups.c), each kind as the variables of
 * arch/powerpc/kernel/security.c say; and the places that flush branch predictions
 * (update_branch_cache_flush()), where any instruction that the kernel may put is accepted.
 */

#include "ppc64le.h"

#define MOST 6u /* instructions in one place */

/* enum l1d_flush_type, enum stf_barrier_type */
enum { NONE = 1, FALLBACK = 2, FLUSH_ORI = 4, FLUSH_MTTRIG = 8, STF_EIEIO = 4, STF_SYNC_ORI = 8 };

/* arch/powerpc/include/asm/ppc-opcode.h */
#define MFLR_R10    0x7d4802a6u
#define MTLR_R10    0x7d4803a6u
#define EIEIO_HINT  0x7e0006acu
#define SYNC	    0x7c0004acu
#define LD_R10_R13  0xe94d0000u
#define LD_R13_R13  0xe9ad0000u
#define L1D_FLUSH   0x63de0000u /* ori r30, r30, 0 */
#define MTTRIG2	    0x7c12dba6u
#define BRANCH_16   0x48000010u
#define LI_R9_7FFF  0x39207fffu
#define MTCTR_R9    0x7d2903a6u
#define BCCTR_FLUSH 0x4c400420u

enum form { FLUSH, ENTRY_FLUSH, UACCESS_FLUSH, STF_ENTRY, STF_EXIT, NOSPEC };

/*
 * @enabled: a bool; @types: what is on if it is true; NULL: there is only one kind
 * @fallback: the function that the second instruction calls
 */
static const struct barrier {
	const char *section;
	enum form form;
	unsigned int count;
	const char *enabled, *types, *fallback;
} barriers[] = {
	{ "__stf_entry_barrier_fixup", STF_ENTRY, 3, "stf_barrier", "stf_enabled_flush_types",
	  "stf_barrier_fallback" },
	{ "__stf_exit_barrier_fixup", STF_EXIT, 6, "stf_barrier", "stf_enabled_flush_types", NULL },
	{ "__uaccess_flush_fixup", UACCESS_FLUSH, 4, "uaccess_flush", "enabled_flush_types", NULL },
	{ "__entry_flush_fixup", ENTRY_FLUSH, 3, "entry_flush", "enabled_flush_types",
	  "entry_flush_fallback" },
	{ "__scv_entry_flush_fixup", ENTRY_FLUSH, 3, "entry_flush", "enabled_flush_types",
	  "scv_entry_flush_fallback" },
	{ "__rfi_flush_fixup", FLUSH, 3, "rfi_flush", "enabled_flush_types", NULL },
	{ "__spec_barrier_fixup", NOSPEC, 1, "barrier_nospec_enabled", NULL, NULL },
};

/* with and without hypervisor mode: mtspr and mfspr of r13, with two scratch registers */
static const uint32_t scratch[2][3] = {
	{ 0x7db14ba6, 0x7db04aa6, 0x7db14aa6 },
	{ 0x7db243a6, 0x7db142a6, 0x7db242a6 },
};

static size_t put_flush(uint32_t *to, size_t i, uint32_t types)
{
	if (types & FLUSH_ORI) {
		to[i++] = SPEC_BARRIER;
		to[i++] = L1D_FLUSH;
	}
	if (types & FLUSH_MTTRIG)
		to[i++] = MTTRIG2;
	return i;
}

static void put_fallback(uint32_t *to)
{
	to[0] = MFLR_R10;
	to[2] = MTLR_R10;
}

static void put_stf_exit(uint32_t *to, const uint32_t *regs)
{
	to[0] = regs[0];
	to[1] = regs[1];
	to[2] = SYNC;
	to[3] = LD_R13_R13;
	to[4] = SPEC_BARRIER;
	to[5] = regs[2];
}

static void put_stf_entry(uint32_t *to)
{
	to[0] = SYNC;
	to[1] = LD_R10_R13;
	to[2] = SPEC_BARRIER;
}

/* @hv: which row of scratch[] */
static void compose_insn(const struct barrier *b, uint32_t types, size_t hv, uint32_t *ret)
{
	bool stf = b->form == STF_ENTRY || b->form == STF_EXIT;

	for (size_t i = 0; i < MOST; i++)
		ret[i] = NOP;
	if (b->form == NOSPEC) {
		ret[0] = types & NONE ? NOP : SPEC_BARRIER;
	} else if (stf && types & STF_EIEIO && !(types & FALLBACK)) {
		ret[0] = EIEIO_HINT;
	} else if (b->form == STF_EXIT && types & (FALLBACK | STF_SYNC_ORI)) {
		put_stf_exit(ret, scratch[hv]);
	} else if (b->fallback && types & FALLBACK) {
		put_fallback(ret);
	} else if (b->form == STF_ENTRY && types & STF_SYNC_ORI) {
		put_stf_entry(ret);
	} else if (!stf) {
		if (b->form == FLUSH && types & FALLBACK)
			ret[0] = BRANCH_16;
		if (b->form == UACCESS_FLUSH && types != FALLBACK)
			ret[3] = BLR;
		put_flush(ret, 0, types);
	}
}

static void set_place(struct otst_expect *e, const struct barrier *b, uint32_t types, uint64_t at)
{
	const uint8_t *found = otst_expect_found(e, at, b->count * (size_t)INSN);
	uint64_t fallback = b->fallback ? otst_symbol_or0(e->o, b->fallback) : 0;
	uint8_t bytes[MOST * INSN];
	uint32_t insns[MOST];
	size_t i, hv = found && b->form == STF_EXIT && otst_ppc64le_get(found) == scratch[0][0] ?
			       0 :
			       1;

	compose_insn(b, types, hv, insns);
	for (i = 0; i < b->count; i++)
		otst_ppc64le_put(bytes + i * INSN, insns[i]);
	if (fallback && types & FALLBACK)
		e->arch->arch->insn.put_branch(bytes + INSN, OTST_BRANCH_CALL, at + INSN, fallback);
	otst_expect_set(e, OTST_DIFF_ALTERNATIVE, at, bytes, b->count * (size_t)INSN);
}

/* LOOKUP for a kernel that keeps them elsewhere */
static int ppc64le_read_types(struct otst *o, const struct barrier *b, uint32_t *ret)
{
	uint64_t enabled, types = 0;
	uint8_t on;
	int err = otst_symbol(o, b->enabled, &enabled);

	if (!err && b->types)
		err = otst_symbol(o, b->types, &types);
	err = err ?: otst_read(o, enabled, &on, sizeof(on));
	*ret = !on ? NONE : FALLBACK;
	return err || !on || !types ? err : otst_read_u32(o, types, ret);
}

static int apply_barrier(struct otst_expect *e, const struct barrier *b)
{
	const struct otst_section *s = otst_expect_section(e, b->section);
	uint32_t types;
	uint64_t i, at;
	int err = 0, lost;

	if (!s)
		return 0;
	lost = ppc64le_read_types(e->o, b, &types);
	if (lost)
		err = otst_note(
			e->o, lost == OTST_ERR_LOOKUP ? &e->out->notes : &e->out->errors,
			otst_fail(e->o, lost, "%s: %llu place%s %s taken as found", b->section,
				  (unsigned long long)(s->size / 8),
				  otst_number((unsigned long long)(s->size / 8), "", "s"),
				  otst_number((unsigned long long)(s->size / 8), "is", "are")));
	for (i = 0; i + 8 <= s->size && !err; i += 8) {
		at = s->addr + i + otst_get_le(s->data + i, 8);
		if (lost)
			otst_expect_unknown(e, at, b->count * (size_t)INSN);
		else
			set_place(e, b, types, at);
	}
	return err;
}

/* ---- branch predictions ---- */

/* @call: a function that may be called there; @insn: an instruction that may be there instead */
static const struct {
	const char *site, *call;
	uint32_t insn;
} sites[] = {
	{ "patch__call_flush_branch_caches1", "flush_branch_caches", LI_R9_7FFF },
	{ "patch__call_flush_branch_caches2", NULL, MTCTR_R9 },
	{ "patch__call_flush_branch_caches3", NULL, BCCTR_FLUSH },
	{ "patch__call_flush_count_cache", "flush_count_cache", 0 },
	{ "patch__flush_link_stack_return", NULL, BLR },
	{ "patch__flush_count_cache_return", NULL, BLR },
	{ "patch__call_kvm_flush_link_stack", "kvm_flush_link_stack", 0 },
	{ "patch__call_kvm_flush_link_stack_p9", "kvm_flush_link_stack", 0 },
};

/* the file's data has the place as a distance from that word itself; 0 when there is none */
static uint64_t ppc64le_find_barrier_site(const struct otst_expect *e, const char *name)
{
	uint64_t at = otst_symbol_or0(e->o, name);

	for (size_t i = 0; at && i < e->built->count; i++) {
		const struct otst_section *s = &e->built->items[i];

		if (s->data && s->size >= INSN && at - s->addr <= s->size - INSN)
			return at + (uint64_t)(int64_t)(int32_t)otst_ppc64le_get(s->data +
										 (at - s->addr));
	}
	return 0;
}

static void flush_branches(struct otst_expect *e)
{
	uint8_t bytes[INSN];

	for (size_t i = 0; i < sizeof(sites) / sizeof(*sites); i++) {
		uint64_t site = ppc64le_find_barrier_site(e, sites[i].site), call;
		bool done = false;

		call = sites[i].call ? otst_symbol_or0(e->o, sites[i].call) : 0;
		if (call) {
			e->arch->arch->insn.put_branch(bytes, OTST_BRANCH_CALL, site, call);
			otst_expect_try(e, OTST_DIFF_ALTERNATIVE, site, bytes, INSN, &done);
		}
		otst_ppc64le_put(bytes, sites[i].insn);
		if (!done && sites[i].insn)
			otst_expect_try(e, OTST_DIFF_ALTERNATIVE, site, bytes, INSN, &done);
	}
}

int otst_ppc64le_barriers(struct otst_expect *e)
{
	int err = 0;

	for (size_t i = 0; i < sizeof(barriers) / sizeof(*barriers) && !err; i++)
		err = apply_barrier(e, &barriers[i]);
	if (!err && !e->module)
		flush_branches(e);
	return err;
}
