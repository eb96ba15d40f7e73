// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text_btf.c - the types of a text dump as BTF, in the dump's own memory.
 *
 * Structures come first, so that their ids are known when members name them; what
 * members are made of comes after them. libbpf does not mind the order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>

#include "text_dump.h"

/**
 * struct writer - BTF being made
 * @order: the dump's types in their final order, @count of them: ids from 1 on
 * @shapes: members after them, @nr of them: ids from @count + 1 on; an array's
 *	element and a pointer's target come before it
 */
struct writer {
	const struct text_dump *d;
	struct btf *btf;
	const struct text_type **order;
	size_t count;
	struct shape {
		enum { SHAPE_INT, SHAPE_FWD, SHAPE_PTR, SHAPE_ARRAY } kind;
		const char *name;
		uint64_t size;
		bool is_signed;
		int of;
		uint32_t nelems;
	} * shapes;
	size_t nr;
};

static void must(int ret)
{
	if (ret < 0) {
		fprintf(stderr, "otst-text: BTF: %s\n", strerror(-ret));
		exit(99);
	}
}

static void put_in_order(struct writer *w)
{
	static const enum text_twin turns[] = { TEXT_TWIN_BEFORE, TEXT_NO_TWIN, TEXT_TWIN_BEHIND };

	w->order = text_xrealloc(NULL, (w->d->nr_types + 1) * sizeof(*w->order));
	for (size_t turn = 0; turn < 3; turn++)
		for (size_t i = 0; i < w->d->nr_types; i++)
			if (w->d->types[i].twin == turns[turn])
				w->order[w->count++] = &w->d->types[i];
}

static int add_shape(struct writer *w, struct shape s)
{
	w->shapes = text_xrealloc(w->shapes, (w->nr + 1) * sizeof(*w->shapes));
	w->shapes[w->nr++] = s;
	return (int)(w->count + w->nr);
}

/* id of the structure that an embedded member is; 0 when there is no structure of that name */
static int structure_id(const struct writer *w, const char *name)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->order[i]->twin == TEXT_NO_TWIN && !strcmp(w->order[i]->name, name))
			return (int)i + 1;
	return 0;
}

static int number_id(struct writer *w, const struct otst_member *m, uint64_t size)
{
	return add_shape(w, (struct shape){ SHAPE_INT, *m->type ? m->type : "number", size,
					    m->is_signed, 0, 0 });
}

static int pointer_id(struct writer *w, const struct otst_member *m)
{
	int to = 0;

	if (*m->type)
		to = add_shape(w, (struct shape){ SHAPE_FWD, m->type, 0, false, 0, 0 });
	return add_shape(w, (struct shape){ SHAPE_PTR, NULL, 8, false, to, 0 });
}

static int member_id(struct writer *w, const struct otst_member *m)
{
	int of = structure_id(w, m->type);
	uint64_t size;

	switch (m->kind) {
	case OTST_KIND_STRUCT:
		return of;
	case OTST_KIND_POINTER:
		return pointer_id(w, m);
	case OTST_KIND_ARRAY:
		size = m->count ? m->size / m->count : 1;
		/* what "char[16]" and "ptr X[4]" leave of their elements */
		if (!of || size != w->order[of - 1]->size)
			of = number_id(w, m, size > 8 ? 1 : size);
		return add_shape(w, (struct shape){ SHAPE_ARRAY, NULL, 0, false, of, m->count });
	default:
		return number_id(w, m, m->size);
	}
}

/* of a member that is repeated the last one counts */
static bool is_said_again(const struct text_type *t, size_t i)
{
	for (size_t j = i + 1; j < t->nr_members; j++)
		if (!strcmp(t->members[j].name, t->members[i].name))
			return true;
	return false;
}

/* BTF counts the bits of a bit field in the order in which the kernel fills its unit */
static uint32_t bit_of(const struct writer *w, const struct otst_member *m)
{
	if (w->d->big_endian && m->bit_size)
		return (uint32_t)((m->offset + m->size) * 8 - m->bit_offset - m->bit_size);
	return (uint32_t)(m->offset * 8 + m->bit_offset);
}

static void add_structure(struct writer *w, const struct text_type *t)
{
	must(btf__add_struct(w->btf, t->name, (uint32_t)t->size));
	for (size_t i = 0; i < t->nr_members; i++) {
		const struct otst_member *m = &t->members[i].m;

		if (!is_said_again(t, i))
			must(btf__add_field(w->btf, t->members[i].name, member_id(w, m),
					    bit_of(w, m), m->bit_size));
	}
}

static void add_shapes(struct writer *w)
{
	for (size_t i = 0; i < w->nr; i++) {
		const struct shape *s = &w->shapes[i];

		switch (s->kind) {
		case SHAPE_INT:
			must(btf__add_int(w->btf, s->name, s->size,
					  s->is_signed ? BTF_INT_SIGNED : 0));
			break;
		case SHAPE_FWD:
			must(btf__add_fwd(w->btf, s->name, BTF_FWD_STRUCT));
			break;
		case SHAPE_PTR:
			must(btf__add_ptr(w->btf, s->of));
			break;
		case SHAPE_ARRAY:
			must(btf__add_array(w->btf, s->of, s->of, s->nelems));
			break;
		}
	}
}

static void add_enumerators(struct writer *w)
{
	must(btf__add_enum(w->btf, NULL, 4));
	for (size_t i = 0; i < w->d->nr_enums; i++)
		must(btf__add_enum_value(w->btf, w->d->enums[i].name, w->d->enums[i].value));
}

void text_dump_btf(struct text_dump *d, uint64_t addr, bool named)
{
	struct writer w = { .d = d, .btf = btf__new_empty() };
	const void *data;
	uint32_t size;

	if (!w.btf)
		must(-1);
	put_in_order(&w);
	for (size_t i = 0; i < w.count; i++)
		add_structure(&w, w.order[i]);
	add_shapes(&w);
	add_enumerators(&w);
	must(btf__set_endianness(w.btf, d->big_endian ? BTF_BIG_ENDIAN : BTF_LITTLE_ENDIAN));
	data = btf__raw_data(w.btf, &size);
	if (!data)
		must(-1);
	text_dump_write(d, addr, data, size);
	if (named) {
		text_dump_symbol(d, "__start_BTF", "", addr, 0, false);
		text_dump_symbol(d, "__stop_BTF", "", addr + size, 0, false);
	}
	btf__free(w.btf);
	free(w.order);
	free(w.shapes);
}
