// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * cfi.c - checks of the type of functions that are called indirectly, by clang
 * (CONFIG_CFI_CLANG) and with FineIBT (arch/x86/kernel/alternative.c,
 * __apply_fineibt()). As built, a hash of the type is before each function
 * (.cfi_sites) and is compared before each indirect call (.retpoline_sites). At
 * boot the hashes are mixed with a seed, and FineIBT moves the comparison from
 * the callers to the functions. A function that is never called indirectly loses
 * its hash (.ibt_endbr_seal, poison_cfi()).
 */
#include <inttypes.h>
#include <string.h>

#include "x86_64.h"

#define PREAMBLE 16u	     /* bytes before a function: fineibt_preamble_size */
#define CALLER	 14u	     /* bytes before a call: fineibt_caller_size */
#define ENDBR	 4u	     /* bytes of an ENDBR */
#define HASH	 0x12345678u /* what stands for it in the kernel's templates */

static const uint8_t mov_eax[] = { 0xb8 };
static const uint8_t mov_r10d[] = { 0x41, 0xba };
static const uint8_t jmp_caller[] = { JMP8, CALLER - 2 };

/**
 * struct cfi - what the kernel did at boot
 * @lost: that cannot be read
 * @off, @fineibt: cfi_mode; neither: CFI_KCFI
 * @seed: of the hashes, if @mixed
 * @preamble, @caller: FineIBT's instructions, with HASH at @preamble_at and @caller_at
 * @seal: see otst_seal_endbr()
 */
struct cfi {
	bool lost, off, fineibt, mixed;
	uint32_t seed;
	uint8_t preamble[PREAMBLE], caller[CALLER];
	size_t preamble_at, caller_at;
	const uint8_t *seal;
};

/* the instructions from symbol NAME_start to NAME_end, and where HASH is in them */
static int read_template(struct otst *o, const char *name, uint8_t *ret, size_t len, size_t *at)
{
	uint64_t start = otst_symbol_or0(o, otst_format(o, "%s_start", name));
	uint64_t end = otst_symbol_or0(o, otst_format(o, "%s_end", name));
	size_t i;
	int err;

	if (end - start != len)
		return otst_fail(o, OTST_ERR_CORRUPT, "%s has %" PRIu64 " bytes", name,
				 end - start);
	err = otst_read(o, start, ret, len);
	for (i = 0; !err && i + 4 <= len; i++) {
		if (otst_get_le(ret + i, 4) == HASH) {
			*at = i;
			return 0;
		}
	}
	return err ?: otst_fail(o, OTST_ERR_CORRUPT, "%s has no hash", name);
}

static int read_cfi(struct otst *o, uint64_t seed, struct cfi *ret)
{
	int64_t off = 0, fineibt = 0;
	uint8_t mixed = 0;
	uint32_t mode;
	int err = otst_read_u32(o, otst_symbol_or0(o, "cfi_mode"), &mode);

	err = err ?: otst_read_u32(o, seed, &ret->seed);
	err = err ?: otst_read_u8(o, otst_symbol_or0(o, "cfi_rand"), &mixed);
	err = err ?: otst_enumerator(o, "CFI_OFF", &off);
	err = err ?: otst_enumerator(o, "CFI_FINEIBT", &fineibt);
	if (err)
		return err;
	ret->mixed = mixed;
	ret->off = mode == off;
	ret->fineibt = mode == fineibt;
	if (!ret->fineibt)
		return 0;
	err = read_template(o, "fineibt_preamble", ret->preamble, PREAMBLE, &ret->preamble_at);
	return err ?: read_template(o, "fineibt_caller", ret->caller, CALLER, &ret->caller_at);
}

/* is_endbr(): a hash must not look like one, nor like what seals one */
static bool is_endbr(uint32_t v)
{
	return v == 0x001f0f66 || v == 0xd6401f0f || (v & ~0x01000000u) == 0xfa1e0ff3;
}

/* cfi_rehash() */
static uint32_t mix(const struct cfi *c, uint32_t hash)
{
	bool low;

	if (!c->mixed)
		return hash;
	hash ^= c->seed;
	while (is_endbr(hash) || is_endbr(-hash)) {
		low = hash & 1;
		hash >>= 1;
		if (low)
			hash ^= 0x80200003;
	}
	return hash;
}

static void set_hash(struct otst_expect *e, uint64_t at, uint32_t hash)
{
	uint8_t bytes[sizeof(hash)];

	otst_put_le32(bytes, hash);
	otst_expect_set(e, OTST_DIFF_CFI, at, bytes, sizeof(bytes));
}

/* @at: the bytes before a function */
static void patch_preamble(struct otst_expect *e, struct cfi *c, uint64_t at)
{
	const uint8_t *now = otst_expect_now(e, at, PREAMBLE);
	uint8_t bytes[PREAMBLE];
	uint32_t hash;

	if (c->lost)
		otst_expect_unknown(e, at, PREAMBLE + ENDBR);
	if (c->lost || !now || memcmp(now, mov_eax, sizeof(mov_eax)))
		return;
	hash = mix(c, (uint32_t)otst_get_le(now + sizeof(mov_eax), 4));
	if (!c->fineibt) {
		set_hash(e, at + sizeof(mov_eax), hash);
		return;
	}
	memcpy(bytes, c->preamble, PREAMBLE);
	otst_put_le32(bytes + c->preamble_at, hash);
	otst_expect_set(e, OTST_DIFF_CFI, at, bytes, PREAMBLE);
	otst_seal_endbr(e, OTST_DIFF_CFI, at + PREAMBLE, &c->seal);
}

/* @at: the bytes before an indirect call; one that is not checked has other instructions there */
static void patch_caller(struct otst_expect *e, const struct cfi *c, uint64_t at)
{
	const uint8_t *now = otst_expect_now(e, at, CALLER);
	uint8_t bytes[CALLER];
	uint32_t hash;

	if (!now || memcmp(now, mov_r10d, sizeof(mov_r10d)))
		return;
	hash = -(uint32_t)otst_get_le(now + sizeof(mov_r10d), 4);
	if (!hash)
		return;
	if (c->lost) {
		otst_expect_unknown(e, at, CALLER);
	} else if (c->fineibt) {
		memcpy(bytes, c->caller, CALLER);
		otst_put_le32(bytes + c->caller_at, mix(c, hash));
		otst_expect_set(e, OTST_DIFF_CFI, at, bytes, CALLER);
	} else {
		if (c->off)
			otst_expect_set(e, OTST_DIFF_CFI, at, jmp_caller, sizeof(jmp_caller));
		set_hash(e, at + sizeof(mov_r10d), -mix(c, hash));
	}
}

/* poison_cfi(); @at: the bytes before a function that is never called indirectly */
static void seal_preamble(struct otst_expect *e, struct cfi *c, uint64_t at)
{
	if (c->lost || c->off)
		return;
	if (c->fineibt)
		otst_seal_endbr(e, OTST_DIFF_CFI, at, &c->seal);
	set_hash(e, at + (c->fineibt ? c->preamble_at : sizeof(mov_eax)), 0);
}

static int patch_sites(struct otst_expect *e, struct cfi *c)
{
	struct otst_vec functions = { 0 }, calls = { 0 }, sealed = { 0 };
	size_t i;
	int err = otst_expect_sites(e, ".cfi_sites", &functions);

	err = err ?: otst_expect_sites(e, ".retpoline_sites", &calls);
	err = err ?: otst_expect_sites(e, ".ibt_endbr_seal", &sealed);
	for (i = 0; !err && i < functions.count; i++)
		patch_preamble(e, c, ((const uint64_t *)functions.data)[i]);
	for (i = 0; !err && i < calls.count; i++)
		patch_caller(e, c, ((const uint64_t *)calls.data)[i] - CALLER);
	for (i = 0; !err && i < sealed.count; i++)
		seal_preamble(e, c, ((const uint64_t *)sealed.data)[i] - PREAMBLE);
	return err ?: otst_check(e->o);
}

int otst_apply_cfi(struct otst_expect *e)
{
	/*
	 * Linux 931ab63664f0 ("x86/ibt: Implement FineIBT") (v6.2). A kernel without it leaves
	 * the checks as they were built.
	 */
	uint64_t seed = otst_symbol_or0(e->o, "cfi_seed");
	struct cfi c = { 0 };
	int err;

	if (!seed)
		return 0;
	err = read_cfi(e->o, seed, &c);
	if (otst_fatal(err))
		return err;
	c.lost = err;
	err = err ? otst_expect_lost(e, 0, 0, "cfi_seed", seed) : 0;
	return err ?: patch_sites(e, &c);
}
