// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * layout.c - the structures and constants of otst.h as they were compiled, in words:
 * for callers in other languages to compare with their own declarations.
 */
#include <stdio.h>

#include "../otst.h"

/** struct row - a structure, one of its members, or a constant */
struct row {
	const char *name;
	enum { STRUCTURE, MEMBER, CONSTANT } kind;
	long long value; /* size, offset, value */
	size_t size;	 /* of a member */
};

#define S(type) .name = #type, .kind = STRUCTURE, .value = sizeof(struct type)
#define M(type, m)                                                     \
	.name = #m, .kind = MEMBER, .value = offsetof(struct type, m), \
	.size = sizeof(((struct type *)0)->m)
#define C(constant) .name = #constant, .kind = CONSTANT, .value = constant

static const struct row rows[] = {
	{ S(otst_member) },
	{ M(otst_member, offset) },
	{ M(otst_member, size) },
	{ M(otst_member, bit_offset) },
	{ M(otst_member, bit_size) },
	{ M(otst_member, kind) },
	{ M(otst_member, count) },
	{ M(otst_member, is_signed) },
	{ M(otst_member, type) },
	{ S(otst_symbol) },
	{ M(otst_symbol, addr) },
	{ M(otst_symbol, size) },
	{ M(otst_symbol, name) },
	{ M(otst_symbol, module) },
	{ S(otst_target_ops) },
	{ M(otst_target_ops, size) },
	{ M(otst_target_ops, name) },
	{ M(otst_target_ops, read) },
	{ M(otst_target_ops, symbol) },
	{ M(otst_target_ops, symbol_at) },
	{ M(otst_target_ops, member) },
	{ M(otst_target_ops, type_size) },
	{ M(otst_target_ops, enumerator) },
	{ M(otst_target_ops, vmcoreinfo) },
	{ M(otst_target_ops, interrupted) },
	{ M(otst_target_ops, cpu_regs) },
	{ M(otst_target_ops, module_file) },
	{ M(otst_target_ops, knows) },
	{ M(otst_target_ops, progress) },
	{ M(otst_target_ops, notes) },
	{ M(otst_target_ops, memory) },
	{ M(otst_target_ops, ahead) },
	{ M(otst_target_ops, start) },
	{ M(otst_target_ops, finish) },
	{ M(otst_target_ops, place) },
	{ M(otst_target_ops, extent) },
	{ M(otst_target_ops, hint) },
	{ S(otst_options) },
	{ M(otst_options, size) },
	{ M(otst_options, vmlinux) },
	{ M(otst_options, no_btf) },
	{ M(otst_options, in_session) },
	{ M(otst_options, big_endian) },
	{ M(otst_options, live) },
	{ M(otst_options, search) },
	{ M(otst_options, debuginfod) },
	{ M(otst_options, btf) },
	{ S(otst_output) },
	{ M(otst_output, size) },
	{ M(otst_output, write) },
	{ M(otst_output, priv) },
	{ M(otst_output, width) },
	{ M(otst_output, color) },
	{ S(otst_records) },
	{ M(otst_records, size) },
	{ M(otst_records, record) },
	{ M(otst_records, priv) },
	{ C(OTST_ERR_LOOKUP) },
	{ C(OTST_ERR_FAULT) },
	{ C(OTST_ERR_INTERRUPTED) },
	{ C(OTST_ERR_UNSUPPORTED) },
	{ C(OTST_VIRT) },
	{ C(OTST_PHYS) },
	{ C(OTST_KNOWS_SYMBOLS) },
	{ C(OTST_KNOWS_TYPES) },
	{ C(OTST_KIND_OTHER) },
	{ C(OTST_KIND_INT) },
	{ C(OTST_KIND_POINTER) },
	{ C(OTST_KIND_ARRAY) },
	{ C(OTST_KIND_STRUCT) },
	{ C(OTST_EXIT_FAILED) },
	{ C(OTST_EXIT_USAGE) },
};

/* a new member must not lie where older callers have padding: their size includes it */
#define NO_PADDING(type, last)                                                           \
	_Static_assert(offsetof(struct type, last) + sizeof(((struct type *)0)->last) == \
			       sizeof(struct type),                                      \
		       "padding at the end of struct " #type)

NO_PADDING(otst_target_ops, hint);
NO_PADDING(otst_options, btf);
NO_PADDING(otst_output, color);
NO_PADDING(otst_records, priv);

static int print_row(const struct row *r, char *to, size_t room)
{
	switch (r->kind) {
	case STRUCTURE:
		return snprintf(to, room, "struct %s %lld\n", r->name, r->value);
	case MEMBER:
		return snprintf(to, room, "\t%s %lld %zu\n", r->name, r->value, r->size);
	case CONSTANT:
		break;
	}
	return snprintf(to, room, "%s %lld\n", r->name, r->value);
}

size_t otst_layout(char *ret, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		used += (size_t)print_row(&rows[i], used < size ? ret + used : NULL,
					  used < size ? size - used : 0);
	return used;
}
