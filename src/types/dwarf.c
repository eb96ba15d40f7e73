// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * dwarf.c - the kernel's types from the debug information of the image file, for
 * kernels that carry no BTF. Through elfutils' libdw.
 *
 * A kernel has thousands of compilation units that repeat the same types. They are
 * read one after the other, only as far as a question needs, and each type is
 * remembered once: by name, line, size and first member. The units into which dwz
 * moves what several others share (DW_TAG_partial_unit) are read like the others, so
 * imports need not be followed.
 */
#include "../base/hash.h"
#include "../image/image.h"
#include "btf.h"
#include "dwarf.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS (1u << 16)

/**
 * struct entry - one remembered name
 * @name: in the debug information; NULL marks a free slot
 * @hash: of @name
 * @line: of its declaration
 * @first: hash of the first member's name: two files can declare structures of the
 *	same name and size at the same line
 * @is_enumerator: types and enumerators have separate name spaces
 * @has_size: a declaration ("struct foo;") has none
 * @size: bytes
 * @die: of the type; for an enumerator, of the enumerator
 */
struct entry {
	const char *name;
	uint32_t hash;
	uint32_t line;
	uint32_t first;
	bool is_enumerator;
	bool has_size;
	uint64_t size;
	Dwarf_Off die;
};

struct otst_dwarf_types {
	struct otst *o;
	Dwarf *dw;	/* image.c's */
	Dwarf_CU *unit; /* the last one read to its end */
	bool finished;
	struct entry *slots; /* open addressing */
	size_t mask;
	size_t used;
};

static int grow_index(struct otst_dwarf_types *types)
{
	size_t size = types->slots ? (types->mask + 1) * 2 : FIRST_SLOTS, from = 0;
	struct entry *slots = calloc(size, sizeof(*slots));

	if (!slots)
		return otst_no_memory(types->o);
	/* start at a free slot, so that the first entry of a name stays its first */
	while (types->slots && types->slots[from].name)
		from++;
	for (size_t i = 0; types->slots && i <= types->mask; i++) {
		const struct entry *e = &types->slots[(from + i) & types->mask];
		size_t slot = e->hash & (size - 1);

		if (!e->name)
			continue;
		while (slots[slot].name)
			slot = (slot + 1) & (size - 1);
		slots[slot] = *e;
	}
	free(types->slots);
	types->slots = slots;
	types->mask = size - 1;
	return 0;
}

/* @known: it was there already */
static int remember_entry(struct otst_dwarf_types *types, const struct entry *new, bool *known)
{
	size_t slot, steps = 0;
	int err = 0;

	*known = false;
	if (types->used * 2 > types->mask)
		err = grow_index(types);
	if (err)
		return err;
	slot = new->hash & types->mask;
	for (; types->slots[slot].name; slot = (slot + 1) & types->mask) {
		const struct entry *e = &types->slots[slot];

		if (++steps == OTST_NAMES_SHARE)
			return 0;
		if (e->hash == new->hash && e->line == new->line && e->size == new->size &&
		    e->first == new->first && e->is_enumerator == new->is_enumerator &&
		    (e->name == new->name || !strcmp(e->name, new->name))) {
			*known = true;
			return 0;
		}
	}
	types->slots[slot] = *new;
	types->used++;
	return 0;
}

/* ---- reading units ---- */

static int take_attribute(Dwarf_Attribute *attr, void *priv)
{
	struct entry *e = priv;
	Dwarf_Word value;

	switch (dwarf_whatattr(attr)) {
	case DW_AT_name:
		e->name = dwarf_formstring(attr);
		break;
	case DW_AT_byte_size:
		e->has_size = !dwarf_formudata(attr, &e->size);
		break;
	case DW_AT_decl_line:
		if (!dwarf_formudata(attr, &value))
			e->line = (uint32_t)value;
		break;
	}
	return DWARF_CB_OK;
}

/* Fills @ret in one pass over the attributes; false when it has no name. */
static bool make_entry(Dwarf_Die *die, struct entry *ret)
{
	size_t len;

	*ret = (struct entry){ 0 };
	dwarf_getattrs(die, take_attribute, ret, 0);
	len = ret->name ? strnlen(ret->name, OTST_NAME_MOST) : OTST_NAME_MOST;
	if (len == OTST_NAME_MOST)
		return false;
	ret->hash = otst_hash(ret->name, len);
	ret->die = dwarf_dieoffset(die);
	return true;
}

static int read_structure(struct otst_dwarf_types *types, Dwarf_Die *die)
{
	const char *first;
	Dwarf_Die child;
	struct entry e;
	bool known;

	if (!make_entry(die, &e) || !e.has_size)
		return 0;
	if (!dwarf_child(die, &child) && (first = dwarf_diename(&child)))
		e.first = otst_hash(first, strnlen(first, OTST_NAME_MOST));
	return remember_entry(types, &e, &known);
}

static int read_typedef(struct otst_dwarf_types *types, Dwarf_Die *die)
{
	struct entry e;
	bool known;

	return make_entry(die, &e) ? remember_entry(types, &e, &known) : 0;
}

/* When the first of its names is already known at this line, all of them are. */
static int read_enumeration(struct otst_dwarf_types *types, Dwarf_Die *die)
{
	bool known = false;
	struct entry whole, e;
	Dwarf_Die child;
	int err = 0;

	if (make_entry(die, &whole) && whole.has_size)
		err = remember_entry(types, &whole, &known);
	if (err || dwarf_child(die, &child))
		return err;
	do {
		if (dwarf_tag(&child) != DW_TAG_enumerator || !make_entry(&child, &e))
			continue;
		e.is_enumerator = true;
		e.line = whole.line;
		err = remember_entry(types, &e, &known);
	} while (!err && !known && !dwarf_siblingof(&child, &child));
	return err;
}

static int read_unit(struct otst_dwarf_types *types, Dwarf_Die *unit)
{
	Dwarf_Die die;
	int err = 0;

	if (dwarf_child(unit, &die))
		return 0;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
			err = read_structure(types, &die);
			break;
		case DW_TAG_typedef:
			err = read_typedef(types, &die);
			break;
		case DW_TAG_enumeration_type:
			err = read_enumeration(types, &die);
			break;
		}
	} while (!err && !dwarf_siblingof(&die, &die));
	return err;
}

/*
 * Reads the next unit; LOOKUP when there is none left. A unit that was left half read
 * is read again: names that are known are not remembered twice.
 */
static int read_next(struct otst_dwarf_types *types)
{
	Dwarf_CU *next = NULL;
	Dwarf_Die unit;
	int err;

	if (types->finished)
		return OTST_ERR_LOOKUP;
	err = otst_check(types->o);
	if (err)
		return err;
	err = dwarf_get_units(types->dw, types->unit, &next, NULL, NULL, &unit, NULL);
	if (err < 0)
		return otst_raise(types->o, OTST_ERR_CORRUPT,
				  "debug information of the image file: %s", dwarf_errmsg(-1));
	if (err) {
		types->finished = true;
		return OTST_ERR_LOOKUP;
	}
	err = read_unit(types, &unit);
	if (!err)
		types->unit = next;
	return err;
}

int otst_dwarf_types_open(struct otst *o, struct otst_dwarf_types **ret)
{
	Dwarf *dw = otst_image_dwarf(o);
	struct otst_dwarf_types *types;
	uint64_t size;
	int err;

	if (!dw)
		return OTST_ERR_LOOKUP;
	types = calloc(1, sizeof(*types));
	if (!types)
		return otst_no_memory(o);
	types->o = o;
	types->dw = dw;
	err = grow_index(types);
	err = err ?: otst_dwarf_type_size(types, "list_head", &size);
	if (err) {
		otst_dwarf_types_close(types);
		return err;
	}
	*ret = types;
	return 0;
}

void otst_dwarf_types_close(struct otst_dwarf_types *types)
{
	if (!types)
		return;
	free(types->slots);
	free(types);
}

/* ---- questions ---- */

/**
 * struct question - a name, and what is asked about the type that it stands for
 * @name: of a type, with or without members that it has; or of an enumerator
 * @len: of the plain name; @hash: of it
 * @answer: tried on each @die of the plain name; sets @found if that is the right
 *	one, and what it returns is then the answer
 */
struct question {
	const char *name;
	size_t len;
	uint32_t hash;
	bool is_enumerator;
	const char *member;
	int (*answer)(Dwarf_Die *die, const struct question *q, bool *found, void *ret);
};

/* @found: the answer is final */
static int try_remembered(struct otst_dwarf_types *types, const struct question *q, bool *found,
			  void *ret)
{
	size_t slot = q->hash & types->mask;

	for (; types->slots[slot].name; slot = (slot + 1) & types->mask) {
		const struct entry *e = &types->slots[slot];
		Dwarf_Die die;
		int err;

		if (e->hash != q->hash || e->is_enumerator != q->is_enumerator ||
		    strncmp(e->name, q->name, q->len) || e->name[q->len] ||
		    !dwarf_offdie(types->dw, e->die, &die))
			continue;
		err = q->answer(&die, q, found, ret);
		if (*found)
			return err;
	}
	return OTST_ERR_LOOKUP;
}

static int ask_dwarf(struct otst_dwarf_types *types, struct question *q, void *ret)
{
	bool found = false;
	size_t seen;
	int err;

	q->len = q->is_enumerator ? strlen(q->name) : otst_type_length(q->name);
	q->hash = otst_hash(q->name, q->len);
	err = try_remembered(types, q, &found, ret);
	while (!found) {
		seen = types->used;
		err = read_next(types);
		if (err)
			break;
		if (types->used != seen)
			err = try_remembered(types, q, &found, ret);
	}
	return err;
}

static int has_member(void *priv, const char *member)
{
	struct otst_member m;

	return otst_die_member(priv, member, &m);
}

/* The type of @die if it is the one that @q's name stands for. */
static bool is_chosen_type(Dwarf_Die *die, const struct question *q, Dwarf_Die *ret)
{
	return otst_die_strip(die, ret) && !dwarf_hasattr(ret, DW_AT_declaration) &&
	       !otst_type_fits(q->name, has_member, ret);
}

static int answer_member(Dwarf_Die *die, const struct question *q, bool *found, void *ret)
{
	Dwarf_Die type;

	*found = is_chosen_type(die, q, &type) && otst_die_is_structure(&type);
	return *found ? otst_die_member(&type, q->member, ret) : OTST_ERR_LOOKUP;
}

static int answer_size(Dwarf_Die *die, const struct question *q, bool *found, void *ret)
{
	uint64_t size = 0;
	Dwarf_Die type;

	if (is_chosen_type(die, q, &type))
		size = otst_die_size(&type);
	*found = size;
	if (!size)
		return OTST_ERR_LOOKUP;
	*(uint64_t *)ret = size;
	return 0;
}

/*
 * GCC writes non-negative values in the fewest bytes that hold them, without a sign
 * bit, and negative values as DW_FORM_sdata.
 */
static int answer_value(Dwarf_Die *die, const struct question *q, bool *found, void *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Sword value;
	Dwarf_Word word;

	(void)q;
	if (!dwarf_attr(die, DW_AT_const_value, &attr))
		return OTST_ERR_LOOKUP;
	switch (dwarf_whatform(&attr)) {
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_udata:
		*found = !dwarf_formudata(&attr, &word);
		value = (Dwarf_Sword)word;
		break;
	default:
		*found = !dwarf_formsdata(&attr, &value);
	}
	if (!*found)
		return OTST_ERR_LOOKUP;
	*(int64_t *)ret = value;
	return 0;
}

int otst_dwarf_type_member(struct otst_dwarf_types *types, const char *type, const char *member,
			   struct otst_member *ret)
{
	struct question q = { .name = type, .member = member, .answer = answer_member };

	return ask_dwarf(types, &q, ret);
}

int otst_dwarf_type_size(struct otst_dwarf_types *types, const char *type, uint64_t *ret)
{
	struct question q = { .name = type, .answer = answer_size };

	return ask_dwarf(types, &q, ret);
}

int otst_dwarf_enumerator(struct otst_dwarf_types *types, const char *name, int64_t *ret)
{
	struct question q = { .name = name, .answer = answer_value, .is_enumerator = true };

	return ask_dwarf(types, &q, ret);
}
