// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dwarf.c - the kernel's types from the debug information of the image file, for
 * kernels that carry no BTF. Through elfutils' libdw.
 *
 * A kernel has thousands of compilation units that repeat the same types. They
 * are read one after the other, only as far as a question needs, and each type
 * is remembered once: by name, place in its source file and size. The units
 * into which dwz moves what several others share (DW_TAG_partial_unit) are
 * among them, so imports need not be followed.
 */
#include "dwarf.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS	(1u << 16)
#define NAME_HASH_START 2166136261u /* FNV-1a */
#define NAME_HASH_STEP	16777619u

/**
 * struct entry - one remembered name
 * @name: in the debug information; NULL marks a free slot
 * @hash: of @name
 * @line: of its declaration
 * @size: bytes
 * @die: of the type; for an enumerator, of the enumerator
 * @is_enumerator: names of types and of enumerators are apart
 */
struct entry {
	const char *name;
	uint32_t hash;
	uint32_t line;
	uint64_t size;
	Dwarf_Off die;
	bool is_enumerator;
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

static uint32_t hash_name(const char *name)
{
	uint32_t h = NAME_HASH_START;

	while (*name)
		h = (h ^ (unsigned char)*name++) * NAME_HASH_STEP;
	return h;
}

static int grow(struct otst_dwarf_types *d)
{
	size_t size = d->slots ? (d->mask + 1) * 2 : FIRST_SLOTS;
	struct entry *slots = calloc(size, sizeof(*slots));

	if (!slots)
		return otst_no_memory(d->o);
	for (size_t i = 0; d->slots && i <= d->mask; i++) {
		size_t slot = d->slots[i].hash & (size - 1);

		if (!d->slots[i].name)
			continue;
		while (slots[slot].name)
			slot = (slot + 1) & (size - 1);
		slots[slot] = d->slots[i];
	}
	free(d->slots);
	d->slots = slots;
	d->mask = size - 1;
	return 0;
}

/* @known: it was there already */
static int remember(struct otst_dwarf_types *d, const struct entry *new, bool *known)
{
	size_t slot;
	int err = 0;

	*known = false;
	if (d->used * 2 > d->mask)
		err = grow(d);
	if (err)
		return err;
	slot = new->hash & d->mask;
	for (; d->slots[slot].name; slot = (slot + 1) & d->mask) {
		const struct entry *e = &d->slots[slot];

		if (e->hash == new->hash && e->line == new->line && e->size == new->size &&
		    e->is_enumerator == new->is_enumerator && !strcmp(e->name, new->name)) {
			*known = true;
			return 0;
		}
	}
	d->slots[slot] = *new;
	d->used++;
	return 0;
}

/* ---- reading units ---- */

static uint32_t line_of(Dwarf_Die *die)
{
	int line;

	return dwarf_decl_line(die, &line) ? 0 : (uint32_t)line;
}

static bool make_entry(Dwarf_Die *die, uint32_t line, uint64_t size, struct entry *ret)
{
	const char *name = dwarf_diename(die);

	if (!name)
		return false;
	*ret = (struct entry){
		.name = name,
		.hash = hash_name(name),
		.line = line,
		.size = size,
		.die = dwarf_dieoffset(die),
	};
	return true;
}

/* A declaration ("struct foo;") has no size. */
static int read_structure(struct otst_dwarf_types *d, Dwarf_Die *die)
{
	int size = dwarf_bytesize(die);
	struct entry e;
	bool known;

	if (size < 0 || !make_entry(die, line_of(die), (uint64_t)size, &e))
		return 0;
	return remember(d, &e, &known);
}

static int read_typedef(struct otst_dwarf_types *d, Dwarf_Die *die)
{
	struct entry e;
	bool known;

	return make_entry(die, line_of(die), 0, &e) ? remember(d, &e, &known) : 0;
}

/* When the first of its names is known at this line, so are all. */
static int read_enumeration(struct otst_dwarf_types *d, Dwarf_Die *die)
{
	uint32_t line = line_of(die);
	bool known = false;
	Dwarf_Die child;
	struct entry e;
	int err;

	err = read_structure(d, die);
	if (err || dwarf_child(die, &child))
		return err;
	do {
		if (dwarf_tag(&child) != DW_TAG_enumerator || !make_entry(&child, line, 0, &e))
			continue;
		e.is_enumerator = true;
		err = remember(d, &e, &known);
	} while (!err && !known && !dwarf_siblingof(&child, &child));
	return err;
}

static int read_unit(struct otst_dwarf_types *d, Dwarf_Die *unit)
{
	Dwarf_Die die;
	int err = 0;

	if (dwarf_child(unit, &die))
		return 0;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
			err = read_structure(d, &die);
			break;
		case DW_TAG_typedef:
			err = read_typedef(d, &die);
			break;
		case DW_TAG_enumeration_type:
			err = read_enumeration(d, &die);
			break;
		}
	} while (!err && !dwarf_siblingof(&die, &die));
	return err;
}

/*
 * Reads on; LOOKUP when there is nothing left to read. A unit that was left in
 * the middle is read again: what is known is not remembered twice.
 */
static int read_next(struct otst_dwarf_types *d)
{
	Dwarf_CU *next = NULL;
	Dwarf_Die unit;
	int err;

	if (d->finished)
		return OTST_ERR_LOOKUP;
	err = otst_check(d->o);
	if (err)
		return err;
	if (dwarf_get_units(d->dw, d->unit, &next, NULL, NULL, &unit, NULL)) {
		d->finished = true;
		return OTST_ERR_LOOKUP;
	}
	err = read_unit(d, &unit);
	if (!err)
		d->unit = next;
	return err;
}

int otst_dwarf_types_open(struct otst *o, struct otst_dwarf_types **ret)
{
	Dwarf *dw = otst_image_dwarf(o);
	struct otst_dwarf_types *d;
	uint64_t size;
	int err;

	if (!dw)
		return OTST_ERR_LOOKUP;
	d = calloc(1, sizeof(*d));
	if (!d)
		return otst_no_memory(o);
	d->o = o;
	d->dw = dw;
	err = grow(d);
	if (!err)
		err = otst_dwarf_type_size(d, "list_head", &size);
	if (err) {
		otst_dwarf_types_close(d);
		return err;
	}
	*ret = d;
	return 0;
}

void otst_dwarf_types_close(struct otst_dwarf_types *d)
{
	if (!d)
		return;
	free(d->slots);
	free(d);
}

/* ---- questions ---- */

/** struct question - a name, and what has to be found behind it */
struct question {
	const char *name;
	const char *member;
	int (*answer)(Dwarf_Die *die, const struct question *q, void *ret);
	bool is_enumerator;
};

static int try_remembered(struct otst_dwarf_types *d, const struct question *q, uint32_t hash,
			  void *ret)
{
	size_t slot = hash & d->mask;

	for (; d->slots[slot].name; slot = (slot + 1) & d->mask) {
		const struct entry *e = &d->slots[slot];
		Dwarf_Die die;

		if (e->hash != hash || e->is_enumerator != q->is_enumerator ||
		    strcmp(e->name, q->name) || !dwarf_offdie(d->dw, e->die, &die))
			continue;
		if (!q->answer(&die, q, ret))
			return 0;
	}
	return OTST_ERR_LOOKUP;
}

static int ask(struct otst_dwarf_types *d, const struct question *q, void *ret)
{
	uint32_t hash = hash_name(q->name);
	size_t seen;
	int err;

	if (!try_remembered(d, q, hash, ret))
		return 0;
	do {
		seen = d->used;
		err = read_next(d);
		if (err)
			return err;
	} while (d->used == seen || try_remembered(d, q, hash, ret));
	return 0;
}

static int answer_member(Dwarf_Die *die, const struct question *q, void *ret)
{
	Dwarf_Die type;

	if (!otst_die_strip(die, &type))
		return OTST_ERR_LOOKUP;
	return otst_die_member(&type, q->member, ret);
}

static int answer_size(Dwarf_Die *die, const struct question *q, void *ret)
{
	Dwarf_Die type;

	(void)q;
	if (!otst_die_strip(die, &type))
		return OTST_ERR_LOOKUP;
	*(uint64_t *)ret = otst_die_size(&type);
	return *(uint64_t *)ret ? 0 : OTST_ERR_LOOKUP;
}

/*
 * GCC writes what is not negative in the fewest bytes that hold it, without a
 * bit for a sign, and negative values as DW_FORM_sdata.
 */
static int answer_value(Dwarf_Die *die, const struct question *q, void *ret)
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
		if (dwarf_formudata(&attr, &word))
			return OTST_ERR_LOOKUP;
		*(int64_t *)ret = (int64_t)word;
		return 0;
	default:
		if (dwarf_formsdata(&attr, &value))
			return OTST_ERR_LOOKUP;
		*(int64_t *)ret = value;
		return 0;
	}
}

int otst_dwarf_type_member(struct otst_dwarf_types *d, const char *type, const char *member,
			   struct otst_member *ret)
{
	struct question q = { .name = type, .member = member, .answer = answer_member };

	return ask(d, &q, ret);
}

int otst_dwarf_type_size(struct otst_dwarf_types *d, const char *type, uint64_t *ret)
{
	struct question q = { .name = type, .answer = answer_size };

	return ask(d, &q, ret);
}

int otst_dwarf_enumerator(struct otst_dwarf_types *d, const char *name, int64_t *ret)
{
	struct question q = { .name = name, .answer = answer_value, .is_enumerator = true };

	return ask(d, &q, ret);
}
