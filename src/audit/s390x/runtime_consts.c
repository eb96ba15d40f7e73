// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * runtime_consts.c - constants in instructions (asm/runtime-const.h): sections runtime_ptr_NAME and
 * runtime_shift_NAME list the places that got the value of the variable NAME, or, where the
 * compiler dropped it, one and the same cache's: both halves of iihf and iilf, the
 * distance of srl.
 */
#include <string.h>

#include "s390x.h"

#define LOADS 12u /* iihf, iilf: 32 bits behind 16 */
#define SHIFT 4u  /* srl: the last 12 bits */

static void put_word(uint8_t *bytes, uint64_t value)
{
	size_t i;

	for (i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(value >> 8 * (3 - i));
}

static void put_pointer(uint8_t *bytes, uint64_t value)
{
	put_word(bytes + 2, value >> 32);
	put_word(bytes + 8, value);
}

static void put_shift(uint8_t *bytes, uint64_t value)
{
	put_word(bytes, (otst_get_be(bytes, 4) & ~UINT64_C(0xfff)) | (value & 0xfff));
}

static uint64_t get_pointer(const uint8_t *bytes)
{
	return otst_get_be(bytes + 2, 4) << 32 | otst_get_be(bytes + 8, 4);
}

/*
 * What the kernel wrote at @sites; false when that is unknown. Without a
 * variable the first place that is still there tells: init text is freed.
 */
static bool find_value(struct otst_expect *e, const char *name, const struct otst_vec *sites,
		       size_t len, size_t size, uint64_t *ret)
{
	uint64_t variable = otst_symbol_or0(e->o, name);
	const uint64_t *at = sites->data;
	const uint8_t *found = NULL;
	uint8_t raw[8] = { 0 };
	size_t i;

	if (variable) {
		if (otst_read(e->o, variable, raw, size))
			return false;
		*ret = otst_get_be(raw, size);
		return true;
	}
	for (i = 0; i < sites->count && len == LOADS && !found; i++)
		found = otst_expect_found(e, at[i], len);
	*ret = found ? get_pointer(found) : 0;
	return found && otst_runtime_value(e->o, name, *ret);
}

static int patch_all(struct otst_expect *e, const char *section, const char *name, size_t len,
		     size_t size, void (*put)(uint8_t *bytes, uint64_t value))
{
	struct otst_vec sites = { 0 };
	uint8_t bytes[LOADS];
	const uint64_t *at;
	uint64_t value;
	size_t i;
	int err = otst_expect_sites(e, section, &sites);

	at = sites.data;
	if (err || !sites.count)
		return err;
	if (!find_value(e, name, &sites, len, size, &value)) {
		for (i = 0; i < sites.count && otst_has_symbol(e->o, name); i++)
			otst_expect_unknown(e, at[i], len);
		return i ? otst_expect_lost(e, 0, 0, name, otst_symbol_or0(e->o, name)) : 0;
	}
	for (i = 0; i < sites.count && !err; i++) {
		const uint8_t *now = otst_expect_now(e, at[i], len);

		if (!now)
			continue;
		memcpy(bytes, now, len);
		put(bytes, value);
		err = otst_expect_set(e, OTST_DIFF_RUNTIME_CONST, at[i], bytes, len);
	}
	return err;
}

int otst_s390_runtime_consts(struct otst_expect *e)
{
	static const char ptr[] = "runtime_ptr_", shift[] = "runtime_shift_";
	size_t i;
	int err = 0;

	for (i = 0; i < e->built->count && !err; i++) {
		const char *name = e->built->items[i].name;

		if (!strncmp(name, ptr, sizeof(ptr) - 1))
			err = patch_all(e, name, name + sizeof(ptr) - 1, LOADS, 8, put_pointer);
		else if (!strncmp(name, shift, sizeof(shift) - 1))
			err = patch_all(e, name, name + sizeof(shift) - 1, SHIFT, 4, put_shift);
	}
	return err;
}
