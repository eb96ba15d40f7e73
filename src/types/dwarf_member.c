// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * dwarf_member.c - finds a member in a structure's debug information, also inside
 * anonymous and named members, and says what it is. The answers are the same as those
 * of BTF for the same kernel.
 */
#include "dwarf.h"
#include "types.h"

#include <dwarf.h>
#include <string.h>

/* Damaged debug information can run in circles. */
#define DEPTH_MAX 32

#define POINTER_SIZE 8u

bool otst_die_is_structure(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

static bool type_of_die(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, ret);
}

bool otst_die_strip(Dwarf_Die *type, Dwarf_Die *ret)
{
	*ret = *type;
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		Dwarf_Die next;

		switch (dwarf_tag(ret)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			if (!type_of_die(ret, &next))
				return false;
			*ret = next;
			break;
		default:
			return true;
		}
	}
	return false;
}

static bool number_of(Dwarf_Die *die, unsigned int name, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &value))
		return false;
	*ret = value;
	return true;
}

/* ---- how large a type is ---- */

/* All dimensions together; 0 for a flexible array. */
static uint32_t count_elements(Dwarf_Die *array)
{
	uint64_t count = 1;
	Dwarf_Die child;
	bool bounded = false;

	if (dwarf_child(array, &child))
		return 0;
	do {
		uint64_t n;

		if (dwarf_tag(&child) != DW_TAG_subrange_type)
			continue;
		if (number_of(&child, DW_AT_upper_bound, &n))
			n++;
		else if (!number_of(&child, DW_AT_count, &n))
			return 0;
		count *= n;
		bounded = true;
	} while (!dwarf_siblingof(&child, &child));
	return bounded && count <= UINT32_MAX ? (uint32_t)count : 0;
}

/*
 * Arrays do not use dwarf_aggregate_size(): it asks the unit's language where an
 * index starts, and units made by dwz do not say.
 */
static uint64_t array_size(Dwarf_Die *array, int depth)
{
	Dwarf_Die type, element;
	uint64_t size;

	if (number_of(array, DW_AT_byte_size, &size))
		return size;
	if (depth == DEPTH_MAX || !type_of_die(array, &type) || !otst_die_strip(&type, &element))
		return 0;
	size = dwarf_tag(&element) == DW_TAG_array_type ? array_size(&element, depth + 1) :
							  otst_die_size(&element);
	return size * count_elements(array);
}

uint64_t otst_die_size(Dwarf_Die *type)
{
	Dwarf_Word size;

	if (dwarf_tag(type) == DW_TAG_array_type)
		return array_size(type, 0);
	if (!dwarf_aggregate_size(type, &size))
		return size;
	return dwarf_tag(type) == DW_TAG_pointer_type ? POINTER_SIZE : 0;
}

/* ---- what a member is ---- */

static bool is_signed(Dwarf_Die *type)
{
	uint64_t encoding;
	Dwarf_Die base, stripped;

	if (number_of(type, DW_AT_encoding, &encoding))
		return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	/* An enumeration has the sign of its underlying type. */
	return dwarf_tag(type) == DW_TAG_enumeration_type && type_of_die(type, &base) &&
	       otst_die_strip(&base, &stripped) &&
	       number_of(&stripped, DW_AT_encoding, &encoding) &&
	       (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char);
}

static enum otst_kind kind_of_die(Dwarf_Die *type)
{
	uint64_t encoding;

	switch (dwarf_tag(type)) {
	case DW_TAG_pointer_type:
		return OTST_KIND_POINTER;
	case DW_TAG_array_type:
		return OTST_KIND_ARRAY;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
		return OTST_KIND_STRUCT;
	case DW_TAG_enumeration_type:
		return OTST_KIND_INT;
	case DW_TAG_base_type:
		return number_of(type, DW_AT_encoding, &encoding) && encoding == DW_ATE_float ?
			       OTST_KIND_OTHER :
			       OTST_KIND_INT;
	default:
		return OTST_KIND_OTHER;
	}
}

static void name_dwarf_target(Dwarf_Die *type, char *ret, size_t room)
{
	Dwarf_Die die = *type, next;
	const char *name;

	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		int tag = dwarf_tag(&die);

		if (tag != DW_TAG_pointer_type && tag != DW_TAG_array_type)
			break;
		if (!type_of_die(&die, &next) || !otst_die_strip(&next, &die))
			return;
	}
	name = dwarf_diename(&die);
	if (name && dwarf_tag(&die) != DW_TAG_subroutine_type)
		strncpy(ret, name, room - 1);
}

static void describe_dwarf(Dwarf_Die *member, struct otst_member *ret)
{
	Dwarf_Die type, stripped;

	if (!type_of_die(member, &type) || !otst_die_strip(&type, &stripped))
		return;
	ret->size = otst_die_size(&stripped);
	ret->kind = kind_of_die(&stripped);
	if (ret->kind == OTST_KIND_ARRAY)
		ret->count = count_elements(&stripped);
	else if (ret->kind == OTST_KIND_INT)
		ret->is_signed = is_signed(&stripped);
	name_dwarf_target(&stripped, ret->type, sizeof(ret->type));
}

/* ---- where it is ---- */

static bool big_endian(Dwarf_Die *member)
{
	GElf_Ehdr eh;

	return gelf_getehdr(dwarf_getelf(dwarf_cu_getdwarf(member->cu)), &eh) &&
	       eh.e_ident[EI_DATA] == ELFDATA2MSB;
}

/*
 * In bits from the start of the structure. DWARF 2 counts a bit field from the
 * most significant bit of its storage unit, DWARF 4 and later from the start.
 */
static uint64_t bit_position(Dwarf_Die *member, uint64_t bits, uint64_t unit)
{
	uint64_t byte = 0, bit;

	if (number_of(member, DW_AT_data_bit_offset, &bit))
		return bit;
	number_of(member, DW_AT_data_member_location, &byte);
	if (!number_of(member, DW_AT_bit_offset, &bit))
		return byte * 8;
	number_of(member, DW_AT_byte_size, &unit);
	return byte * 8 + (big_endian(member) ? bit : unit * 8 - bit - bits);
}

static uint64_t position_of(Dwarf_Die *member)
{
	uint64_t bits = 0;
	Dwarf_Die type;

	number_of(member, DW_AT_bit_size, &bits);
	if (!bits || !type_of_die(member, &type))
		return bit_position(member, 0, 0);
	return bit_position(member, bits, otst_die_size(&type));
}

static void place_dwarf_bits(Dwarf_Die *member, uint64_t bit, struct otst_member *ret)
{
	uint64_t bits = 0;

	ret->offset = bit / 8;
	if (!number_of(member, DW_AT_bit_size, &bits) || !bits)
		return;
	ret->size = ret->size ?: 4;
	ret->bit_size = (uint32_t)bits;
	ret->offset = bit / 8 / ret->size * ret->size;
	ret->bit_offset = (uint32_t)(bit - ret->offset * 8);
	if (big_endian(member))
		ret->bit_offset = (uint32_t)(ret->size * 8 - ret->bit_offset - bits);
}

/* ---- finding ---- */

/* @left: members to look at, see btf.c */
static int find_path(Dwarf_Die *type, const char *path, uint64_t base, int depth,
		     unsigned int *left, struct otst_member *ret);

/* The member's own type, for a path that goes on below it. */
static int find_below(Dwarf_Die *member, const char *path, uint64_t base, int depth,
		      unsigned int *left, struct otst_member *ret)
{
	Dwarf_Die type, stripped;

	if (depth == DEPTH_MAX || !type_of_die(member, &type) ||
	    !otst_die_strip(&type, &stripped) || !otst_die_is_structure(&stripped))
		return OTST_ERR_LOOKUP;
	return find_path(&stripped, path, base, depth + 1, left, ret);
}

static int find_path(Dwarf_Die *type, const char *path, uint64_t base, int depth,
		     unsigned int *left, struct otst_member *ret)
{
	size_t len = strcspn(path, ".");
	Dwarf_Die member;

	if (dwarf_child(type, &member))
		return OTST_ERR_LOOKUP;
	do {
		const char *name;
		uint64_t bit;

		if (!*left || !--*left)
			break;
		if (dwarf_tag(&member) != DW_TAG_member)
			continue;
		name = dwarf_diename(&member);
		if (name && (strncmp(name, path, len) || name[len]))
			continue;
		bit = base + position_of(&member);
		if (!name) {
			if (!find_below(&member, path, bit, depth, left, ret))
				return 0;
			continue;
		}
		if (path[len])
			return find_below(&member, path + len + 1, bit, depth, left, ret);
		describe_dwarf(&member, ret);
		place_dwarf_bits(&member, bit, ret);
		return 0;
	} while (!dwarf_siblingof(&member, &member));
	return OTST_ERR_LOOKUP;
}

int otst_die_member(Dwarf_Die *type, const char *path, struct otst_member *ret)
{
	unsigned int left = OTST_MEMBERS_MAX;
	struct otst_member m = { 0 };
	int err = find_path(type, path, 0, 0, &left, &m);

	if (!err)
		*ret = m;
	return err;
}
