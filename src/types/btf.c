// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * btf.c - the kernel's own type information, include/uapi/linux/btf.h, through
 * libbpf: from the file that the user names (btf_file.c); from the .BTF section of the
 * image file; from the dump between __start_BTF and __stop_BTF; or, without these
 * symbols, from where its header is found (btf_find.c). One pass over all types makes a map from names
 * to structures and enumerators; members are then found in place.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "../base/engine.h"
#include "../base/hash.h"
#include "../image/image.h"
#include "../memory/memory.h"
#include "../memory/vmcoreinfo.h"
#include "../names/symbols.h"
#include "btf.h"
#include "types.h"

#define BTF_MAX_SIZE (256u << 20)
#define MAX_DEPTH    32 /* of typedef chains and nested structures */

struct otst_btf {
	struct btf *btf;
	struct otst_names names;     /* structures, unions, typedefs and enums' enumerators */
	struct otst_names functions; /* made when a function is first asked for */
};

int otst_btf_quiet(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

const char *otst_btf_name(const struct btf *btf, uint32_t off)
{
	const char *name = btf__name_by_offset(btf, off);

	return name && strnlen(name, OTST_NAME_MAX) < OTST_NAME_MAX ? name : "";
}

struct btf *otst_btf_parse(const void *data, size_t size)
{
	libbpf_print_fn_t before = libbpf_set_print(otst_btf_quiet);
	struct btf *btf = btf__new(data, (uint32_t)size);

	libbpf_set_print(before);
	return libbpf_get_error(btf) ? NULL : btf;
}

int otst_btf_read(struct otst *o, uint64_t addr, uint64_t size, struct btf **ret)
{
	void *data;
	int err;

	if (!size || size > BTF_MAX_SIZE)
		return otst_raise(o, OTST_ERR_CORRUPT, "the bounds of BTF make no sense");
	/* not from the heap, which would keep the memory: libbpf makes its own copy */
	data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (data == MAP_FAILED)
		return otst_no_memory(o);
	err = otst_read(o, addr, data, size);
	if (!err)
		*ret = otst_btf_parse(data, size);
	munmap(data, size);
	if (!err && !*ret)
		return otst_raise(o, OTST_ERR_CORRUPT, "libbpf cannot read it");
	return err;
}

static int load_from_dump(struct otst *o, struct btf **ret)
{
	uint64_t start, stop;
	int err = 0;

	if (otst_vmcoreinfo_symbol(o, "__start_BTF", &start))
		err = otst_symbol(o, "__start_BTF", &start);
	if (!err && otst_vmcoreinfo_symbol(o, "__stop_BTF", &stop))
		err = otst_symbol(o, "__stop_BTF", &stop);
	if (err)
		return err;
	return otst_btf_read(o, start, stop > start ? stop - start : 0, ret);
}

static int load_btf(struct otst *o, struct btf **ret)
{
	struct otst_mapping view;

	if (o->options.btf)
		return otst_btf_file_read(o, ret);
	if (!otst_image_map_section(o, ".BTF", &view)) {
		*ret = otst_btf_parse(view.data, view.len);
		otst_mapping_close(&view);
		if (*ret)
			return 0;
	}
	return load_from_dump(o, ret);
}

/* one pass: names of everything that can be asked for */
static void index_types(struct otst_btf *b)
{
	uint32_t i, n = btf__type_cnt(b->btf);

	for (i = 1; i < n; i++) {
		const struct btf_type *t = btf__type_by_id(b->btf, i);
		const char *name;
		uint32_t j;

		if (btf_is_composite(t) || btf_is_typedef(t)) {
			name = otst_btf_name(b->btf, t->name_off);
			if (*name)
				otst_names_add(&b->names, otst_hash(name, strlen(name)), i);
		} else if (btf_is_enum(t)) {
			for (j = 0; j < btf_vlen(t); j++) {
				name = otst_btf_name(b->btf, btf_enum(t)[j].name_off);
				if (*name)
					otst_names_add(&b->names, otst_hash(name, strlen(name)), i);
			}
		} else if (btf_is_enum64(t)) {
			for (j = 0; j < btf_vlen(t); j++) {
				name = otst_btf_name(b->btf, btf_enum64(t)[j].name_off);
				if (*name)
					otst_names_add(&b->names, otst_hash(name, strlen(name)), i);
			}
		}
	}
}

static size_t count_names(const struct btf *btf)
{
	uint32_t i, n = btf__type_cnt(btf);
	size_t names = 0;

	for (i = 1; i < n; i++) {
		const struct btf_type *t = btf__type_by_id(btf, i);

		if (btf_is_composite(t) || btf_is_typedef(t))
			names++;
		else if (btf_is_any_enum(t))
			names += btf_vlen(t);
	}
	return names;
}

int otst_btf_take(struct otst *o, struct btf *btf, struct otst_btf **ret)
{
	struct otst_btf *b = calloc(1, sizeof(*b));

	if (!b) {
		btf__free(btf);
		return otst_no_memory(o);
	}
	b->btf = btf;
	if (otst_names_init(&b->names, count_names(btf))) {
		otst_btf_close(b);
		return otst_no_memory(o);
	}
	index_types(b);
	*ret = b;
	return 0;
}

int otst_btf_open(struct otst *o, struct otst_btf **ret)
{
	struct btf *btf = NULL;
	int err = load_btf(o, &btf);

	return err ? err : otst_btf_take(o, btf, ret);
}

void otst_btf_close(struct otst_btf *b)
{
	if (!b)
		return;
	btf__free(b->btf);
	otst_names_deinit(&b->names);
	otst_names_deinit(&b->functions);
	free(b);
}

const struct btf_type *otst_btf_strip(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);
	int depth;

	for (depth = 0; t && depth < MAX_DEPTH; depth++) {
		if (!btf_is_mod(t) && !btf_is_typedef(t))
			return t;
		t = btf__type_by_id(btf, t->type);
	}
	return t;
}

/* the name of the innermost type behind pointers and arrays */
static void name_btf_target(const struct btf *btf, const struct btf_type *t, char *ret, size_t room)
{
	const char *name;
	int depth;

	for (depth = 0; t && depth < MAX_DEPTH; depth++) {
		if (btf_is_array(t))
			t = otst_btf_strip(btf, btf_array(t)->type);
		else if (btf_is_ptr(t))
			t = otst_btf_strip(btf, t->type);
		else
			break;
	}
	name = t ? otst_btf_name(btf, t->name_off) : "";
	strncpy(ret, name, room - 1);
}

static void describe_btf(const struct btf *btf, uint32_t type_id, struct otst_member *ret)
{
	const struct btf_type *t = otst_btf_strip(btf, type_id);
	int64_t size = btf__resolve_size(btf, type_id);

	ret->size = size > 0 ? (uint64_t)size : 0;
	if (!t)
		return;
	if (btf_is_ptr(t)) {
		ret->kind = OTST_KIND_POINTER;
	} else if (btf_is_array(t)) {
		ret->kind = OTST_KIND_ARRAY;
		ret->count = btf_array(t)->nelems;
	} else if (btf_is_composite(t)) {
		ret->kind = OTST_KIND_STRUCT;
	} else if (btf_is_int(t) || btf_is_any_enum(t)) {
		ret->kind = OTST_KIND_INT;
		ret->is_signed = btf_is_int(t) ? !!(btf_int_encoding(t) & BTF_INT_SIGNED) :
						 btf_kflag(t);
	}
	name_btf_target(btf, t, ret->type, sizeof(ret->type));
}

/* turns a bit position into a unit of the member's size; big-endian kernels fill it from the top */
static void place_btf_bits(uint64_t bit, uint32_t bits, bool big_endian, struct otst_member *ret)
{
	ret->offset = bit / 8;
	if (!bits)
		return;
	ret->bit_size = bits;
	ret->size = ret->size ?: 4;
	ret->offset = bit / 8 / ret->size * ret->size;
	ret->bit_offset = (uint32_t)(bit - ret->offset * 8);
	if (big_endian)
		ret->bit_offset = (uint32_t)ret->size * 8 - ret->bit_offset - bits;
}

/* @left: members to look at; structures without a name may have the same ones again and again */
static int find_btf_below(const struct btf *btf, const struct btf_type *t, const char *name,
			  size_t len, uint64_t base, int depth, unsigned int *left,
			  struct otst_member *ret)
{
	for (uint32_t i = 0; i < btf_vlen(t) && *left; i++, --*left) {
		const struct btf_member *m = &btf_members(t)[i];
		const char *mname = otst_btf_name(btf, m->name_off);
		uint64_t bit = base + btf_member_bit_offset(t, i);
		const struct btf_type *mt;

		if (*mname) {
			if (strncmp(mname, name, len) || mname[len])
				continue;
			mt = otst_btf_strip(btf, m->type);
			if (name[len] == '.' && mt && btf_is_composite(mt))
				return find_btf_below(btf, mt, name + len + 1,
						      strcspn(name + len + 1, "."), bit, depth + 1,
						      left, ret);
			if (name[len])
				return OTST_ERR_LOOKUP;
			describe_btf(btf, m->type, ret);
			place_btf_bits(bit, btf_member_bitfield_size(t, i),
				       btf__endianness(btf) == BTF_BIG_ENDIAN, ret);
			return 0;
		}
		mt = otst_btf_strip(btf, m->type);
		if (mt && btf_is_composite(mt) && depth < MAX_DEPTH &&
		    !find_btf_below(btf, mt, name, len, bit, depth + 1, left, ret))
			return 0;
		if (!*left)
			break;
	}
	return OTST_ERR_LOOKUP;
}

static int find_btf_member(const struct btf *btf, const struct btf_type *t, const char *name,
			   unsigned int *left, struct otst_member *ret)
{
	return find_btf_below(btf, t, name, strcspn(name, "."), 0, 0, left, ret);
}

/* struct structure - a structure or union in which otst_type_fits() looks for members */
struct structure {
	const struct btf *btf;
	const struct btf_type *type;
	unsigned int left;
};

static int has_member(void *priv, const char *member)
{
	struct structure *s = priv;
	struct otst_member m = { 0 };

	return find_btf_member(s->btf, s->type, member, &s->left, &m);
}

/* the structure or union that @name stands for, itself or behind a typedef */
static const struct btf_type *find_structure(struct otst_btf *b, const char *name)
{
	size_t len = otst_type_length(name), slot = SIZE_MAX;
	uint32_t hash = otst_hash(name, len), id;
	struct structure s = { .btf = b->btf, .left = OTST_MEMBERS_MAX };

	while ((id = otst_names_find(&b->names, hash, &slot))) {
		const struct btf_type *t = btf__type_by_id(b->btf, id);
		const char *own = otst_btf_name(b->btf, t->name_off);

		if (btf_is_any_enum(t) || strncmp(own, name, len) || own[len])
			continue;
		s.type = otst_btf_strip(b->btf, id);
		if (s.type && btf_is_composite(s.type) && !otst_type_fits(name, has_member, &s))
			return s.type;
	}
	return NULL;
}

/* the next structure or union that @name stands for; start with *@slot = SIZE_MAX */
static const struct btf_type *next_structure(struct otst_btf *b, const char *name, size_t *slot)
{
	uint32_t hash = otst_hash(name, strlen(name)), id;

	while ((id = otst_names_find(&b->names, hash, slot))) {
		const struct btf_type *t = btf__type_by_id(b->btf, id);

		if (btf_is_any_enum(t) || strcmp(otst_btf_name(b->btf, t->name_off), name) != 0)
			continue;
		t = otst_btf_strip(b->btf, id);
		if (t && btf_is_composite(t))
			return t;
	}
	return NULL;
}

bool otst_btf_says(struct otst_btf *b, const char *type, const char *member, uint64_t want,
		   uint64_t *ret)
{
	unsigned int left = OTST_MEMBERS_MAX;
	const struct btf_type *t;
	size_t slot = SIZE_MAX;
	bool known = false;

	while ((t = next_structure(b, type, &slot))) {
		struct otst_member m = { .offset = t->size };

		if (member && find_btf_member(b->btf, t, member, &left, &m))
			continue;
		known = true;
		*ret = m.offset;
		if (m.offset == want)
			break;
	}
	return known;
}

int otst_btf_member(struct otst_btf *b, const char *type, const char *member,
		    struct otst_member *ret)
{
	const struct btf_type *t = find_structure(b, type);
	unsigned int left = OTST_MEMBERS_MAX;
	struct otst_member m = { 0 };
	int err = OTST_ERR_LOOKUP;

	if (t)
		err = find_btf_member(b->btf, t, member, &left, &m);
	if (!err)
		*ret = m;
	return err;
}

int otst_btf_type_size(struct otst_btf *b, const char *type, uint64_t *ret)
{
	const struct btf_type *t = find_structure(b, type);

	if (!t)
		return OTST_ERR_LOOKUP;
	*ret = t->size;
	return 0;
}

static int enum_value(const struct btf *btf, const struct btf_type *t, const char *name,
		      int64_t *ret)
{
	for (uint32_t i = 0; i < btf_vlen(t); i++) {
		uint32_t off = btf_is_enum(t) ? btf_enum(t)[i].name_off : btf_enum64(t)[i].name_off;

		if (strcmp(otst_btf_name(btf, off), name))
			continue;
		if (btf_is_enum64(t))
			*ret = (int64_t)btf_enum64_value(&btf_enum64(t)[i]);
		else if (btf_kflag(t))
			*ret = btf_enum(t)[i].val;
		else
			*ret = (uint32_t)btf_enum(t)[i].val;
		return 0;
	}
	return OTST_ERR_LOOKUP;
}

int otst_btf_enumerator(struct otst_btf *b, const char *name, int64_t *ret)
{
	uint32_t hash = otst_hash(name, strlen(name));
	size_t slot = SIZE_MAX;
	uint32_t id;

	while ((id = otst_names_find(&b->names, hash, &slot))) {
		const struct btf_type *t = btf__type_by_id(b->btf, id);

		if (btf_is_any_enum(t) && !enum_value(b->btf, t, name, ret))
			return 0;
	}
	return OTST_ERR_LOOKUP;
}

const char *otst_btf_enum_name(struct otst_btf *b, const char *sibling, int64_t value)
{
	uint32_t hash = otst_hash(sibling, strlen(sibling)), id, i;
	size_t slot = SIZE_MAX;
	int64_t own;

	while ((id = otst_names_find(&b->names, hash, &slot))) {
		const struct btf_type *t = btf__type_by_id(b->btf, id);

		if (!btf_is_enum(t) || enum_value(b->btf, t, sibling, &own))
			continue;
		for (i = 0; i < btf_vlen(t); i++) {
			if (btf_enum(t)[i].val == value)
				return otst_btf_name(b->btf, btf_enum(t)[i].name_off);
		}
	}
	return NULL;
}

/* ---- functions ---- */

static void index_functions(struct otst_btf *b)
{
	uint32_t i, n = btf__type_cnt(b->btf);
	size_t count = 0;

	for (i = 1; i < n; i++)
		count += btf_is_func(btf__type_by_id(b->btf, i));
	if (otst_names_init(&b->functions, count))
		return;
	for (i = 1; i < n; i++) {
		const struct btf_type *t = btf__type_by_id(b->btf, i);
		const char *name = otst_btf_name(b->btf, t->name_off);

		if (btf_is_func(t))
			otst_names_add(&b->functions, otst_hash(name, strlen(name)), i);
	}
}

uint32_t otst_btf_function(struct otst_btf *b, const char *name)
{
	uint32_t hash = otst_hash(name, strlen(name)), id;
	size_t slot = SIZE_MAX;

	if (!b->functions.value)
		index_functions(b);
	while ((id = otst_names_find(&b->functions, hash, &slot))) {
		const struct btf_type *t = btf__type_by_id(b->btf, id);

		if (!strcmp(otst_btf_name(b->btf, t->name_off), name))
			return t->type;
	}
	return 0;
}

static const char *btf_kind_name(const struct btf_type *t)
{
	static const char *const names[] = {
		"UNKNOWN", "INT",     "PTR",	  "ARRAY",    "STRUCT",	  "UNION",  "ENUM",
		"FWD",	   "TYPEDEF", "VOLATILE", "CONST",    "RESTRICT", "FUNC",   "FUNC_PROTO",
		"VAR",	   "DATASEC", "FLOAT",	  "DECL_TAG", "TYPE_TAG", "ENUM64",
	};
	unsigned int kind = btf_kind(t);

	return kind < sizeof(names) / sizeof(*names) ? names[kind] : "UNKNOWN";
}

bool otst_btf_param(struct otst_btf *b, uint32_t function, unsigned int i, struct otst_param *ret)
{
	const struct btf_type *proto = btf__type_by_id(b->btf, function), *t;
	const struct btf_param *p;

	if (!proto || !btf_is_func_proto(proto) || i >= btf_vlen(proto))
		return false;
	p = &btf_params(proto)[i];
	t = otst_btf_strip(b->btf, p->type);
	*ret = (struct otst_param){ .name = otst_btf_name(b->btf, p->name_off), .type = "UNKNOWN" };
	if (!t || !btf_kind(t))
		return true;
	ret->type = btf_kind_name(t);
	ret->size = t->size;
	ret->enumeration = t;
	if (btf_is_ptr(t))
		ret->kind = OTST_PARAM_POINTER;
	else if (btf_is_int(t))
		ret->kind = btf_int_encoding(t) & BTF_INT_SIGNED ? OTST_PARAM_SIGNED :
								   OTST_PARAM_UNSIGNED;
	else if (btf_is_enum(t))
		ret->kind = OTST_PARAM_ENUM;
	else
		ret->kind = OTST_PARAM_OTHER;
	return true;
}

const char *otst_btf_param_enum(struct otst_btf *b, const struct otst_param *p, int64_t value)
{
	const struct btf_type *t = p->enumeration;

	for (uint32_t i = 0; p->kind == OTST_PARAM_ENUM && i < btf_vlen(t); i++) {
		if (btf_enum(t)[i].val == value)
			return otst_btf_name(b->btf, btf_enum(t)[i].name_off);
	}
	return NULL;
}

struct btf *otst_btf_raw(struct otst_btf *b)
{
	return b->btf;
}
