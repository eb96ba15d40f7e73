// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * types.c - names of C types in a print format: how wide a number is, and whether it has
 * a sign.
 */
#include <string.h>

#include "parse.h"

static const struct {
	const char *name;
	uint8_t size;
	bool is_signed;
} type_names[] = {
	{ "u8", 1, false },
	{ "s8", 1, true },
	{ "u16", 2, false },
	{ "s16", 2, true },
	{ "u32", 4, false },
	{ "s32", 4, true },
	{ "u64", 8, false },
	{ "s64", 8, true },
	{ "__u8", 1, false },
	{ "__s8", 1, true },
	{ "__u16", 2, false },
	{ "__s16", 2, true },
	{ "__u32", 4, false },
	{ "__s32", 4, true },
	{ "__u64", 8, false },
	{ "__s64", 8, true },
	{ "uint8_t", 1, false },
	{ "int8_t", 1, true },
	{ "uint16_t", 2, false },
	{ "int16_t", 2, true },
	{ "uint32_t", 4, false },
	{ "int32_t", 4, true },
	{ "uint64_t", 8, false },
	{ "int64_t", 8, true },
	{ "size_t", 8, false },
	{ "ssize_t", 8, true },
	{ "loff_t", 8, true },
	{ "sector_t", 8, false },
	{ "pgoff_t", 8, false },
	{ "ino_t", 8, false },
	{ "gfp_t", 4, false },
	{ "fmode_t", 4, false },
	{ "dev_t", 4, false },
	{ "pid_t", 4, true },
	{ "uid_t", 4, false },
	{ "gid_t", 4, false },
	{ "bool", 1, false },
	{ "_Bool", 1, false },
	{ "umode_t", 2, false },
	{ "dma_addr_t", 8, false },
	{ "phys_addr_t", 8, false },
	{ "ktime_t", 8, true },
	{ "uintptr_t", 8, false },
	{ "blk_opf_t", 4, false },
	{ "isolate_mode_t", 4, false },
	{ "__be16", 2, false },
	{ "__be32", 4, false },
	{ "__be64", 8, false },
	{ "__le16", 2, false },
	{ "__le32", 4, false },
	{ "__le64", 8, false },
	{ "sa_family_t", 2, false },
	{ "time64_t", 8, true },
	{ "uint", 4, false },
	{ "ulong", 8, false },
	{ "xfs_ino_t", 8, false },
	{ "xfs_daddr_t", 8, true },
	{ "xfs_agnumber_t", 4, false },
	{ "xfs_agblock_t", 4, false },
	{ "cpumask_t", 8, false },
	{ "__kernel_rwf_t", 4, true },
};

/* a typedef, struct or union by name */
static bool named_type(struct otst_pf *ps, const char *s, size_t len, struct otst_c_type *ret)
{
	uint64_t size;

	for (size_t i = 0; i < sizeof(type_names) / sizeof(*type_names); i++) {
		if (otst_pf_is_word(s, len, type_names[i].name)) {
			ret->size = type_names[i].size;
			ret->is_signed = type_names[i].is_signed;
			return true;
		}
	}
	if (len < 3 || !otst_pf_dup_word(ps, s, len) ||
	    otst_type_size(ps->o, otst_pf_dup_word(ps, s, len), &size) || size > 8)
		return false;
	ret->size = (uint8_t)size;
	return true;
}

/* size for pointers to it; 0 when it is unknown or larger than elements may be */
static unsigned int struct_size(struct otst_pf *ps, const char *s, size_t len)
{
	const char *name = otst_pf_dup_word(ps, s, len);
	uint64_t size;

	return name && !otst_type_size(ps->o, name, &size) && size <= UINT8_MAX ?
		       (unsigned int)size :
		       0;
}

/** struct keywords - what the keywords of a type say */
struct keywords {
	unsigned int size;
	bool is_unsigned;
};

/* pass over the keyword of @n letters, and the name behind "struct"; false when it is none */
static bool take_keyword(struct otst_pf *ps, size_t n, struct keywords *k)
{
	const char *s = ps->p;

	if (otst_pf_is_word(s, n, "unsigned")) {
		k->is_unsigned = true;
	} else if (otst_pf_is_word(s, n, "long")) {
		k->size = 8;
	} else if (otst_pf_is_word(s, n, "short")) {
		k->size = 2;
	} else if (otst_pf_is_word(s, n, "char")) {
		k->size = 1;
	} else if (otst_pf_is_word(s, n, "void")) {
		k->size = 0;
	} else if (otst_pf_is_word(s, n, "struct") || otst_pf_is_word(s, n, "union") ||
		   otst_pf_is_word(s, n, "enum")) {
		ps->p += n;
		n = otst_pf_word_at(ps);
		k->is_unsigned = true;
		k->size = *s == 'e' ? 4 : struct_size(ps, ps->p, n);
	} else if (!otst_pf_is_word(s, n, "int") && !otst_pf_is_word(s, n, "signed") &&
		   !otst_pf_is_word(s, n, "const") && !otst_pf_is_word(s, n, "volatile") &&
		   !otst_pf_is_word(s, n, "__force") && !otst_pf_is_word(s, n, "__user")) {
		return false;
	}
	ps->p += n;
	return true;
}

/* keywords in any order, or one word that is not a variable */
bool otst_pf_type(struct otst_pf *ps, struct otst_c_type *ret)
{
	const char *start = ps->p;
	struct keywords k = { .size = 4 };
	bool any = false, named = false;
	size_t n;

	memset(ret, 0, sizeof(*ret));
	for (; (n = otst_pf_word_at(ps)); any = true) {
		if (take_keyword(ps, n, &k))
			continue;
		if (any || !named_type(ps, ps->p, n, ret))
			break;
		named = true;
		ps->p += n;
	}
	if (!any) {
		ps->p = start;
		return false;
	}
	if (!named) {
		ret->size = (uint8_t)k.size;
		ret->is_signed = !k.is_unsigned;
	}
	while (otst_pf_eat(ps, "*") || otst_pf_eat(ps, "const")) {
		ret->element = ret->is_pointer ? 8 : ret->size;
		ret->element_signed = !ret->is_pointer && ret->is_signed;
		ret->is_pointer = true;
		ret->size = 8;
		ret->is_signed = false;
	}
	return true;
}
