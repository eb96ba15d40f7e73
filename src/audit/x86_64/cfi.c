// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * cfi.c - checks of the type of functions that are called indirectly, by clang
 * (CONFIG_CFI_CLANG, CONFIG_CFI) and with FineIBT (arch/x86/kernel/alternative.c,
 * __apply_fineibt()). As built, a hash of the type is before each function
 * (.cfi_sites) and is compared before each indirect call (.retpoline_sites). At
 * boot the hashes are mixed with a seed, and FineIBT moves the comparison from
 * the callers to the functions, or does it in both (cfi=paranoid). A function
 * that is never called indirectly loses its hash (.ibt_endbr_seal, poison_cfi()).
 */
#include <inttypes.h>
#include <string.h>

#include "x86_64.h"

#define PREFIX 16u	   /* bytes before a function */
#define ENDBR  4u	   /* bytes of an ENDBR, or of what seals one */
#define CALLER 14u	   /* bytes before a call */
#define MOST   20u	   /* bytes of the longest template */
#define HASH   0x12345678u /* what stands for it in the kernel's templates */

static const uint8_t mov_r10d[] = { 0x41, 0xba };
static const uint8_t jmp_caller[] = { JMP8, CALLER - 2 };
static const uint8_t jmp_r11[] = { 0x41, 0xff, 0xe3, INT3 };

/* FineIBT's instructions, with HASH at @at; none when @len is 0 */
struct cfi_template {
	uint8_t bytes[MOST];
	size_t len, at;
};

/**
 * struct cfi - what the kernel did at boot
 * @lost: that cannot be read
 * @off, @fineibt: cfi_mode; neither: CFI_KCFI
 * @seed: of the hashes; 0, and they are not mixed, with cfi=norand. cfi_rand does not tell: clang may keep a variable
 *	that is only set to false as one that is true since
 * @preamble: before a function; since 6.15 it ends with what seals its ENDBR
 * @caller: before a call, or with cfi=paranoid that and the call
 * @seal: see otst_seal_endbr()
 */
struct cfi {
	bool lost, off, fineibt;
	uint32_t seed;
	struct cfi_template preamble, caller;
	const uint8_t *seal;
};

/* the instructions from symbol NAME_start to NAME_end: @len bytes, or @late since 6.15 */
static int x86_64_read_cfi_template(struct otst *o, const char *name, size_t len, size_t late,
				    struct cfi_template *ret)
{
	uint64_t start = otst_symbol_or0(o, otst_format(o, "%s_start", name));
	uint64_t end = otst_symbol_or0(o, otst_format(o, "%s_end", name));
	int err;

	ret->len = end - start;
	if (ret->len != len && ret->len != late)
		return otst_fail(o, OTST_ERR_CORRUPT, "%s has %zu bytes", name, ret->len);
	err = otst_read(o, start, ret->bytes, ret->len);
	for (ret->at = 0; !err && ret->at + 4 <= ret->len; ret->at++) {
		if (otst_get_le(ret->bytes + ret->at, 4) == HASH)
			return 0;
	}
	return err ?: otst_fail(o, OTST_ERR_CORRUPT, "%s has no hash", name);
}

static int read_fineibt(struct otst *o, struct cfi *ret)
{
	uint64_t variable = otst_symbol_or0(o, "cfi_paranoid");
	uint8_t paranoid = 0;
	int err = variable ? otst_read_u8(o, variable, &paranoid) : 0;

	if (!err)
		err = x86_64_read_cfi_template(o, "fineibt_preamble", PREFIX, PREFIX + ENDBR,
					       &ret->preamble);
	if (err)
		return err;
	/* Linux 97e59672a9d2 ("x86/ibt: Add paranoid FineIBT mode") (v6.15) */
	if (paranoid)
		return x86_64_read_cfi_template(o, "fineibt_paranoid", MOST, MOST, &ret->caller);
	return x86_64_read_cfi_template(o, "fineibt_caller", CALLER, CALLER, &ret->caller);
}

static int read_cfi(struct otst *o, uint64_t seed, struct cfi *ret)
{
	int64_t off = 0, fineibt = 0;
	uint32_t mode;
	int err = otst_read_u32(o, otst_symbol_or0(o, "cfi_mode"), &mode);

	err = err ?: otst_read_u32(o, seed, &ret->seed);
	err = err ?: otst_enumerator(o, "CFI_OFF", &off);
	err = err ?: otst_enumerator(o, "CFI_FINEIBT", &fineibt);
	if (err)
		return err;
	ret->off = mode == off;
	ret->fineibt = mode == fineibt;
	return ret->fineibt ? read_fineibt(o, ret) : 0;
}

/* is_endbr(): a hash must not look like one, nor like what seals one */
static bool is_endbr(uint32_t v)
{
	return v == 0x001f0f66 || v == 0xd6401f0f || (v & ~0x01000000u) == 0xfa1e0ff3;
}

/* cfi_rehash() */
static uint32_t mix_hash(const struct cfi *c, uint32_t hash)
{
	bool low;

	if (!c->seed)
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

static void fill_template(const struct cfi_template *t, uint32_t hash, uint8_t *ret)
{
	memcpy(ret, t->bytes, t->len);
	otst_put_le32(ret + t->at, hash);
}

/* the bytes before a function as built: a move to a register, which tells how many arguments there are */
static bool has_hash(const uint8_t *prefix)
{
	return prefix && prefix[0] >= 0xb8 && prefix[0] < 0xc0;
}

/* @at: the bytes before a function */
static void patch_preamble(struct otst_expect *e, struct cfi *c, uint64_t at)
{
	const uint8_t *now = otst_expect_now(e, at, PREFIX + ENDBR);
	uint8_t bytes[MOST];
	bool rewritten = c->fineibt;
	uint32_t hash;

	if (c->lost)
		otst_expect_unknown(e, at, PREFIX + ENDBR);
	if (c->lost || !has_hash(now))
		return;
	hash = mix_hash(c, (uint32_t)otst_get_le(now + 1, 4));
	fill_template(&c->preamble, hash, bytes);
	/* since 6.15 a function without ENDBR keeps what is before it */
	if (rewritten && !is_endbr((uint32_t)otst_get_le(now + PREFIX, ENDBR)))
		rewritten = otst_expect_fits(e, at, bytes, c->preamble.len);
	if (!rewritten) {
		set_hash(e, at + 1, hash);
		return;
	}
	otst_expect_set(e, OTST_DIFF_CFI, at, bytes, c->preamble.len);
	otst_seal_endbr(e, OTST_DIFF_CFI, at + PREFIX, &c->seal);
}

static void patch_fineibt_caller(struct otst_expect *e, const struct cfi *c, uint64_t at,
				 uint32_t hash)
{
	const uint8_t *call = otst_expect_now(e, at + CALLER, 2);
	uint8_t bytes[MOST];

	fill_template(&c->caller, mix_hash(c, hash), bytes);
	/* cfi=paranoid: the template calls, and what is a function's last call jumps */
	if (c->caller.len > CALLER && call[call[0] == CS] == JMP)
		memcpy(bytes + MOST - sizeof(jmp_r11), jmp_r11, sizeof(jmp_r11));
	otst_expect_set(e, OTST_DIFF_CFI, at, bytes, c->caller.len);
}

/* @at: the bytes before an indirect call; one that is not checked has other instructions there */
static void patch_caller(struct otst_expect *e, const struct cfi *c, uint64_t at)
{
	const uint8_t *now = otst_expect_now(e, at, MOST);
	uint32_t hash;

	if (!now || memcmp(now, mov_r10d, sizeof(mov_r10d)))
		return;
	hash = -(uint32_t)otst_get_le(now + sizeof(mov_r10d), 4);
	if (!hash)
		return;
	if (c->lost) {
		otst_expect_unknown(e, at, MOST);
	} else if (c->fineibt) {
		patch_fineibt_caller(e, c, at, hash);
	} else {
		if (c->off)
			otst_expect_set(e, OTST_DIFF_CFI, at, jmp_caller, sizeof(jmp_caller));
		set_hash(e, at + sizeof(mov_r10d), -mix_hash(c, hash));
	}
}

/*
 * poison_cfi(); @at: the bytes before a function that is never called indirectly. It may have
 * no hash, and yet up to 6.14 the kernel writes there.
 */
static void seal_preamble(struct otst_expect *e, struct cfi *c, uint64_t at)
{
	static const uint8_t none[4];
	size_t hash = c->fineibt ? c->preamble.at : 1;
	bool done;

	if (c->lost || c->off)
		return;
	if (c->fineibt)
		otst_seal_endbr(e, OTST_DIFF_CFI, at, &c->seal);
	if (has_hash(otst_expect_built(e, at, PREFIX)))
		otst_expect_set(e, OTST_DIFF_CFI, at + hash, none, sizeof(none));
	else
		otst_expect_try(e, OTST_DIFF_CFI, at + hash, none, sizeof(none), &done);
}

static int patch_sites(struct otst_expect *e, struct cfi *c)
{
	struct otst_vec functions = { 0 }, calls = { 0 }, sealed = { 0 };
	int err = otst_expect_sites(e, ".cfi_sites", &functions);

	err = err ?: otst_expect_sites(e, ".retpoline_sites", &calls);
	err = err ?: otst_expect_sites(e, ".ibt_endbr_seal", &sealed);
	for (size_t i = 0; !err && i < functions.count; i++)
		patch_preamble(e, c, ((const uint64_t *)functions.data)[i]);
	for (size_t i = 0; !err && i < calls.count; i++)
		patch_caller(e, c, ((const uint64_t *)calls.data)[i] - CALLER);
	for (size_t i = 0; !err && i < sealed.count; i++)
		seal_preamble(e, c, ((const uint64_t *)sealed.data)[i] - PREFIX);
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
