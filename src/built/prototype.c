// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * prototype.c - parameters of functions from DWARF: DW_TAG_formal_parameter of the
 * function that starts at an address. A function compiled separately from its
 * declaration names the declaration as its abstract origin, which has all
 * parameters in order.
 */
#include <dwarf.h>
#include <inttypes.h>
#include <string.h>

#include "../names/kallsyms.h"
#include "debug.h"

#define MAX_DEPTH 16 /* of types built from other types */

static bool type_of_param(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, ret);
}

/* strips typedef, const, volatile, restrict, atomic */
static bool strip_qualifiers(Dwarf_Die *type)
{
	int depth;

	for (depth = 0; depth < MAX_DEPTH; depth++) {
		switch (dwarf_tag(type)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			if (!type_of_param(type, type))
				return false;
			break;
		default:
			return true;
		}
	}
	return false;
}

/* ---- how C writes a type ---- */

static const char *write_type(struct otst *o, Dwarf_Die *type, int depth);

static const char *write_target(struct otst *o, Dwarf_Die *type, int depth)
{
	Dwarf_Die target;

	return type_of_param(type, &target) ? write_type(o, &target, depth + 1) : "void";
}

/* "struct dentry *"; the const of a pointer is written before the type that it points to */
static const char *write_type(struct otst *o, Dwarf_Die *type, int depth)
{
	const char *name = dwarf_diename(type), *keyword = "", *s = NULL;

	if (depth > MAX_DEPTH)
		return "?";
	switch (dwarf_tag(type)) {
	case DW_TAG_pointer_type:
		s = write_target(o, type, depth);
		return otst_format(o, "%s%s*", s ? s : "?",
				   s && s[strlen(s) - 1] == '*' ? "" : " ");
	case DW_TAG_const_type:
		s = write_target(o, type, depth);
		return otst_format(o, "const %s", s ? s : "?");
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return write_target(o, type, depth);
	case DW_TAG_subroutine_type:
		return "function";
	case DW_TAG_structure_type:
		keyword = "struct ";
		break;
	case DW_TAG_union_type:
		keyword = "union ";
		break;
	case DW_TAG_enumeration_type:
		keyword = "enum ";
		break;
	}
	s = otst_format(o, "%s%s", keyword, name ? name : "?");
	return s ? otst_clean(o, s) : NULL;
}

/* ---- one parameter ---- */

static void read_values(struct otst *o, Dwarf_Die *type, struct otst_parameter *ret)
{
	struct otst_vec v = { 0 };
	struct otst_enum_value *value;
	Dwarf_Attribute attr;
	Dwarf_Sword number;
	Dwarf_Die die;

	if (dwarf_child(type, &die))
		return;
	do {
		const char *name = dwarf_diename(&die);

		if (!name || !dwarf_attr(&die, DW_AT_const_value, &attr) ||
		    dwarf_formsdata(&attr, &number))
			continue;
		value = otst_vec_push(o, &v, sizeof(*value));
		value->value = number;
		value->name = otst_clean(o, name);
	} while (!dwarf_siblingof(&die, &die) && v.count < OTST_ENUM_VALUES);
	ret->values = v.data;
	ret->nr_values = v.count;
}

static void read_base(Dwarf_Die *type, struct otst_parameter *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word encoding = 0;

	if (dwarf_attr(type, DW_AT_encoding, &attr))
		dwarf_formudata(&attr, &encoding);
	switch (encoding) {
	case DW_ATE_boolean:
		ret->kind = OTST_VALUE_BOOL;
		break;
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		ret->is_signed = true;
		/* fall through */
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
		ret->kind = OTST_VALUE_INT;
		break;
	}
}

static void read_param(struct otst *o, Dwarf_Die *die, struct otst_parameter *ret)
{
	const char *name = dwarf_diename(die);
	Dwarf_Word size = 0;
	Dwarf_Die type;

	*ret = (struct otst_parameter){ .name = name ? otst_clean(o, name) : NULL };
	if (!type_of_param(die, &type))
		return;
	ret->type = write_type(o, &type, 0);
	if (!strip_qualifiers(&type))
		return;
	if (!dwarf_aggregate_size(&type, &size))
		ret->size = size;
	switch (dwarf_tag(&type)) {
	case DW_TAG_pointer_type:
		ret->kind = OTST_VALUE_POINTER;
		ret->size = 8;
		break;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		ret->kind = OTST_VALUE_STRUCT;
		break;
	case DW_TAG_enumeration_type:
		ret->kind = OTST_VALUE_ENUM;
		read_values(o, &type, ret);
		return;
	case DW_TAG_base_type:
		read_base(&type, ret);
		break;
	}
}

/* ---- the function ---- */

static int read_dwarf_params(struct otst *o, Dwarf_Die *function, struct otst_prototype *ret)
{
	struct otst_prototype p = { 0 };
	struct otst_vec v = { 0 };
	struct otst_parameter *param;
	Dwarf_Die die;
	int more = dwarf_child(function, &die);

	for (; !more; more = dwarf_siblingof(&die, &die)) {
		if (dwarf_tag(&die) == DW_TAG_unspecified_parameters)
			p.variadic = true;
		if (dwarf_tag(&die) != DW_TAG_formal_parameter)
			continue;
		if (v.count == OTST_PARAMS)
			return otst_raise(o, OTST_ERR_CORRUPT, "too many parameters");
		param = otst_vec_push(o, &v, sizeof(*param));
		read_param(o, &die, param);
	}
	p.params = v.data;
	p.count = v.count;
	*ret = p;
	return 0;
}

static int from_dwarf(struct otst *o, uint64_t func, struct otst_prototype *ret)
{
	Dwarf_Die cu, function, origin;
	struct otst_dwarf *dwarf;
	Dwarf_Attribute attr;
	Dwarf_Addr entry;
	uint64_t pc;
	int err = otst_dwarf_at(o, func, &dwarf, &pc);

	if (err)
		return err;
	if (!otst_dwarf_function(dwarf, pc, &cu, &function) || dwarf_entrypc(&function, &entry) ||
	    entry != pc)
		return otst_raise(o, OTST_ERR_LOOKUP, "no function starts at 0x%" PRIx64, func);
	if (dwarf_attr(&function, DW_AT_abstract_origin, &attr) &&
	    dwarf_formref_die(&attr, &origin))
		function = origin;
	return read_dwarf_params(o, &function, ret);
}

int otst_prototype(struct otst *o, uint64_t func, struct otst_prototype *ret)
{
	struct otst_sym sym;
	uint64_t addr;
	int err = from_dwarf(o, func, ret);

	if (err != OTST_ERR_LOOKUP)
		return err;
	/* BTF has only names: if several functions share one, it may mean another */
	otst_symbolize(o, func, &sym);
	if (!sym.name || sym.module || sym.addr != func || otst_symbol(o, sym.name, &addr) ||
	    otst_symbol_shared(o, sym.name))
		return otst_raise(o, OTST_ERR_LOOKUP, "no prototype of 0x%" PRIx64, func);
	return otst_btf_prototype(o, sym.name, ret);
}
