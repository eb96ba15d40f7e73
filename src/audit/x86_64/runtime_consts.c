// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * runtime_consts.c - constants in instructions that the kernel knows only when
 * it has booted (arch/x86/include/asm/runtime-const.h, since 6.11): sections
 * runtime_ptr_NAME, runtime_shift_NAME and (7.3) runtime_mask_NAME list the
 * places that got the value of the variable NAME, or, where the compiler dropped that,
 * one that it may have had, the same at each place. The variable of USER_PTR_MAX
 * is a local variable of arch/x86/kernel/cpu/common.c up to 6.14.
 */
#include <string.h>

#include "x86_64.h"

/* arch_cpu_finalize_init(): TASK_SIZE_MAX, with four or five levels of page tables */
static bool is_user_end(const char *name, uint64_t value)
{
	const uint64_t page = 4096;

	return !strcmp(name, "USER_PTR_MAX") &&
	       (value == (UINT64_C(1) << 47) - page || value == (UINT64_C(1) << 56) - page);
}

/*
 * What the kernel wrote at @sites; false when that is unknown. Without a
 * variable the first place that is still there tells: init text is freed.
 */
static bool find_value(struct otst_expect *e, const char *name, const struct otst_vec *sites,
		       size_t size, uint8_t *ret)
{
	uint64_t variable = otst_symbol_or0(e->o, name), value;
	const uint64_t *at = sites->data;
	const uint8_t *found = NULL;
	size_t i;

	if (variable)
		return !otst_read(e->o, variable, ret, size);
	for (i = 0; i < sites->count && size == 8 && !found; i++)
		found = otst_expect_found(e, at[i], size);
	value = found ? otst_get_le(found, size) : 0;
	if (!found || (!is_user_end(name, value) && !otst_runtime_value(e->o, name, value)))
		return false;
	memcpy(ret, found, size);
	return true;
}

static int patch_all(struct otst_expect *e, const char *section, const char *name, size_t size)
{
	struct otst_vec sites = { 0 };
	uint8_t value[8];
	const uint64_t *at;
	size_t i;
	int err = otst_expect_sites(e, section, &sites);

	at = sites.data;
	if (err || !sites.count)
		return err;
	if (!find_value(e, name, &sites, size, value)) {
		for (i = 0; i < sites.count && otst_has_symbol(e->o, name); i++)
			otst_expect_unknown(e, at[i], size);
		return i ? otst_expect_lost(e, 0, 0, name, otst_symbol_or0(e->o, name)) : 0;
	}
	for (i = 0; i < sites.count && !err; i++)
		err = otst_expect_set(e, OTST_DIFF_RUNTIME_CONST, at[i], value, size);
	return err;
}

int otst_apply_runtime_consts(struct otst_expect *e)
{
	static const struct {
		const char *prefix;
		size_t size;
	} kinds[] = { { "runtime_ptr_", 8 }, { "runtime_shift_", 1 }, { "runtime_mask_", 4 } };
	size_t i, k, len;
	int err = 0;

	for (i = 0; i < e->built->count && !err; i++) {
		const char *name = e->built->items[i].name;

		for (k = 0; k < sizeof(kinds) / sizeof(*kinds) && !err; k++) {
			len = strlen(kinds[k].prefix);
			if (!strncmp(name, kinds[k].prefix, len))
				err = patch_all(e, name, name + len, kinds[k].size);
		}
	}
	return err;
}
