// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * blob.c - the type information that comes with BPF objects: struct btf of
 * kernel/bpf/btf.c keeps the user's blob (include/uapi/linux/btf.h) as it was loaded.
 * A type is flattened: each integer and array is listed with its path.
 */
#include <inttypes.h>

#include <bpf/btf.h>

#include "../base/engine.h"
#include "../memory/memory.h"
#include "blob.h"
#include "btf.h"
#include "types.h"

#define MAX_BLOB   (16u << 20)
#define MAX_DEPTH  8
#define MAX_LEAVES 512u

struct otst_blob {
	struct btf *btf;
};

static void close_blob(void *what)
{
	struct otst_blob *b = what;

	btf__free(b->btf);
	b->btf = NULL;
}

int otst_blob_open(struct otst *o, uint64_t addr, struct otst_blob **ret)
{
	struct otst_blob *b = otst_new(o, sizeof(*b));
	uint64_t data, size;
	void *copy;
	int err;

	err = otst_read_member(o, "btf", addr, "data", &data);
	err = err ?: otst_read_member(o, "btf", addr, "data_size", &size);
	if (err)
		return err;
	if (!size || size > MAX_BLOB)
		return otst_raise(o, OTST_ERR_CORRUPT, "a BTF blob of %" PRIu64 " bytes", size);
	copy = otst_alloc(o, size);
	err = otst_read(o, data, copy, size);
	if (err)
		return err;
	b->btf = otst_btf_parse(copy, size);
	if (!b->btf)
		return otst_raise(o, OTST_ERR_CORRUPT, "the BTF blob makes no sense");
	err = otst_at_end(o, close_blob, b);
	*ret = err ? *ret : b;
	return err;
}

const char *otst_blob_name(struct otst *o, const struct otst_blob *b, uint32_t type)
{
	const struct btf_type *t = btf__type_by_id(b->btf, type);

	return t ? otst_clean(o, otst_btf_name(b->btf, t->name_off)) : "";
}

struct flattening {
	struct otst *o;
	const struct btf *btf;
	struct otst_vec *leaves;
};

static int flatten_type(struct flattening *f, uint32_t id, const char *path, uint64_t at,
			int depth);

static void add_leaf(struct flattening *f, const char *path, uint64_t at, enum otst_leaf_kind kind,
		     uint64_t size, uint64_t count)
{
	struct otst_leaf *leaf;

	if (f->leaves->count >= MAX_LEAVES || !size || size > UINT32_MAX || at > UINT32_MAX)
		return;
	leaf = otst_vec_push(f->o, f->leaves, sizeof(*leaf));
	*leaf = (struct otst_leaf){ path, (uint32_t)at, (uint32_t)size, (uint32_t)count, kind };
}

/* the type behind typedefs and qualifiers; NULL when there are too many */
static const struct btf_type *resolve_member(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);
	int depth;

	for (depth = 0; t && depth < 4 * MAX_DEPTH; depth++) {
		if (!btf_is_mod(t) && !btf_is_typedef(t))
			return t;
		t = btf__type_by_id(btf, t->type);
	}
	return NULL;
}

static int flatten_members(struct flattening *f, const struct btf_type *t, const char *path,
			   uint64_t at, int depth)
{
	const char *name, *whole;
	uint32_t i, bit;
	int err = 0;

	for (i = 0; i < btf_vlen(t) && !err; i++) {
		const struct btf_member *m = &btf_members(t)[i];

		bit = btf_member_bit_offset(t, i);
		/* bit fields get no leaf: they stay among the bytes without a name */
		if (btf_member_bitfield_size(t, i) || bit % 8)
			continue;
		name = otst_clean(f->o, otst_btf_name(f->btf, m->name_off));
		whole = *path && *name ? otst_format(f->o, "%s.%s", path, name) :
			*name	       ? name :
					 path;
		if (!name || !whole)
			return otst_no_memory(f->o);
		err = flatten_type(f, m->type, whole, at + bit / 8, depth + 1);
	}
	return err;
}

static void flatten_array(struct flattening *f, const struct btf_type *t, const char *path,
			  uint64_t at)
{
	const struct btf_array *a = btf_array(t);
	const struct btf_type *e = resolve_member(f->btf, a->type);
	enum otst_leaf_kind kind = OTST_LEAF_BYTES;
	int64_t size = btf__resolve_size(f->btf, a->type);

	if (!e || size <= 0 || !a->nelems)
		return;
	if (btf_is_int(e) && size == 1 && btf_int_encoding(e) & (BTF_INT_CHAR | BTF_INT_SIGNED))
		kind = OTST_LEAF_CHARS;
	else if (btf_is_int(e) && size > 1)
		kind = OTST_LEAF_WORDS;
	add_leaf(f, path, at, kind, (uint64_t)size * a->nelems,
		 kind == OTST_LEAF_WORDS ? a->nelems : 0);
}

static int flatten_type(struct flattening *f, uint32_t id, const char *path, uint64_t at, int depth)
{
	const struct btf_type *t = resolve_member(f->btf, id);

	if (!t || depth > MAX_DEPTH)
		return 0;
	if (btf_is_composite(t))
		return flatten_members(f, t, path, at, depth);
	if (btf_is_array(t))
		flatten_array(f, t, path, at);
	else if (btf_is_int(t) && btf_int_bits(t))
		add_leaf(f, path, at,
			 btf_int_encoding(t) & BTF_INT_SIGNED ? OTST_LEAF_SIGNED :
								OTST_LEAF_UNSIGNED,
			 t->size, 0);
	else if (btf_is_any_enum(t))
		add_leaf(f, path, at, OTST_LEAF_SIGNED, t->size, 0);
	else if (btf_is_ptr(t))
		add_leaf(f, path, at, OTST_LEAF_UNSIGNED, 8, 0);
	return 0;
}

int otst_blob_leaves(struct otst *o, const struct otst_blob *b, uint32_t type, uint32_t size,
		     struct otst_vec *ret)
{
	struct flattening f = { o, b->btf, ret };
	struct otst_leaf *leaves;
	int err;

	*ret = (struct otst_vec){ 0 };
	if (!type)
		return 0;
	err = flatten_type(&f, type, "", 0, 0);
	leaves = ret->data;
	for (size_t i = 0; i < ret->count && !err; i++) {
		/* the bytes are of another type */
		if ((uint64_t)leaves[i].offset + leaves[i].size > size) {
			*ret = (struct otst_vec){ 0 };
			break;
		}
	}
	return err;
}
