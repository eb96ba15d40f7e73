// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * runtime_consts.c - constants in instructions that the kernel knows only when
 * it has booted (arch/x86/include/asm/runtime-const.h, since 6.11): sections
 * runtime_ptr_NAME and runtime_shift_NAME list the places that got the value of
 * the variable NAME. Variables of slab caches are no more than that to the
 * compiler: there the value has to be a cache, and the same at each place. That
 * of USER_PTR_MAX is a local variable of arch/x86/kernel/cpu/common.c up to 6.14.
 */
#include <string.h>

#include "x86_64.h"

/* is this the address of one of the kernel's slab caches */
static bool is_cache(struct otst *o, uint64_t value)
{
	const struct otst_member *link;
	struct otst_walk w;
	uint64_t head, node;

	if (otst_symbol(o, "slab_caches", &head) || otst_member(o, "kmem_cache", "list", &link))
		return false;
	otst_walk_list(o, head, &w);
	while (otst_walk_next(&w, &node)) {
		if (node - link->offset == value)
			return true;
	}
	return false;
}

/* arch_cpu_finalize_init(): TASK_SIZE_MAX, with four or five levels of page tables */
static bool is_user_end(const char *name, uint64_t value)
{
	const uint64_t page = 4096;

	return !strcmp(name, "USER_PTR_MAX") &&
	       (value == (UINT64_C(1) << 47) - page || value == (UINT64_C(1) << 56) - page);
}

/* what the kernel wrote at the places; false when that is unknown */
static bool find_value(struct otst_expect *e, const char *name, uint64_t first, size_t size,
		       uint8_t *ret)
{
	uint64_t variable = otst_symbol_or0(e->o, name);
	const uint8_t *found;

	if (variable)
		return !otst_read(e->o, variable, ret, size);
	found = size == 8 ? otst_expect_found(e, first, size) : NULL;
	if (!found || (!is_user_end(name, otst_get_le(found, size)) &&
		       !is_cache(e->o, otst_get_le(found, size))))
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
	if (!find_value(e, name, at[0], size, value)) {
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
	static const char ptr[] = "runtime_ptr_", shift[] = "runtime_shift_";
	size_t i;
	int err = 0;

	for (i = 0; i < e->built->count && !err; i++) {
		const char *name = e->built->items[i].name;

		if (!strncmp(name, ptr, sizeof(ptr) - 1))
			err = patch_all(e, name, name + sizeof(ptr) - 1, 8);
		else if (!strncmp(name, shift, sizeof(shift) - 1))
			err = patch_all(e, name, name + sizeof(shift) - 1, 1);
	}
	return err;
}
