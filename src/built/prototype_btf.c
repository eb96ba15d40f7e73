// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * prototype_btf.c - parameters of the kernel's functions from BTF
 * (include/uapi/linux/btf.h): BTF_KIND_FUNC by its name, and the
 * BTF_KIND_FUNC_PROTO behind it. Functions whose parameters the compiler
 * changed are not in there: pahole leaves them out.
 */
#include <string.h>

#include <bpf/btf.h>

#include "../base/engine.h"
#include "../dump.h"
#include "../types/btf.h"
#include "built.h"
#include "debug.h"

#define MAX_DEPTH 16 /* of types built from other types */

static const char *clean_name(struct otst *o, const struct btf *btf, uint32_t off)
{
	const char *s = otst_btf_name(btf, off);

	return *s ? otst_clean(o, s) : NULL;
}

/* "struct dentry *", as prototype.c writes it */
static const char *write_type(struct otst *o, const struct btf *btf, uint32_t id, int depth)
{
	const struct btf_type *t = id ? btf__type_by_id(btf, id) : NULL;
	const char *s, *keyword = "";

	if (!id)
		return "void";
	if (!t || depth > MAX_DEPTH)
		return "?";
	if (btf_is_ptr(t)) {
		s = write_type(o, btf, t->type, depth + 1);
		return otst_format(o, "%s%s*", s ? s : "?",
				   s && s[strlen(s) - 1] == '*' ? "" : " ");
	}
	if (btf_is_const(t)) {
		s = write_type(o, btf, t->type, depth + 1);
		return otst_format(o, "const %s", s ? s : "?");
	}
	if (btf_is_mod(t))
		return write_type(o, btf, t->type, depth + 1);
	if (btf_is_func_proto(t))
		return "function";
	if (btf_is_struct(t) || btf_is_union(t))
		keyword = btf_is_struct(t) ? "struct " : "union ";
	else if (btf_is_fwd(t))
		keyword = btf_kflag(t) ? "union " : "struct ";
	else if (btf_is_any_enum(t))
		keyword = "enum ";
	s = clean_name(o, btf, t->name_off);
	return otst_format(o, "%s%s", keyword, s ? s : "?");
}

static int read_btf_values(struct otst *o, const struct btf *btf, const struct btf_type *t,
			   struct otst_parameter *ret)
{
	size_t i, n = btf_vlen(t) < OTST_ENUM_VALUES ? btf_vlen(t) : OTST_ENUM_VALUES;
	struct otst_enum_value *v = otst_alloc(o, (n + 1) * sizeof(*v));

	if (!v)
		return otst_no_memory(o);
	for (i = 0; i < n; i++) {
		bool wide = btf_is_enum64(t);

		v[i].name = clean_name(o, btf,
				       wide ? btf_enum64(t)[i].name_off : btf_enum(t)[i].name_off);
		if (wide)
			v[i].value = (int64_t)btf_enum64_value(&btf_enum64(t)[i]);
		else
			v[i].value = btf_kflag(t) ? btf_enum(t)[i].val :
						    (int64_t)(uint32_t)btf_enum(t)[i].val;
	}
	ret->values = v;
	ret->nr_values = n;
	return 0;
}

static int read_btf_param(struct otst *o, const struct btf *btf, const struct btf_param *p,
			  struct otst_parameter *ret)
{
	const struct btf_type *t = otst_btf_strip(btf, p->type);
	int64_t size = btf__resolve_size(btf, p->type);

	*ret = (struct otst_parameter){ .name = clean_name(o, btf, p->name_off),
					.type = write_type(o, btf, p->type, 0),
					.size = size > 0 ? (uint64_t)size : 0 };
	if (!t)
		return 0;
	if (btf_is_ptr(t)) {
		ret->kind = OTST_VALUE_POINTER;
		ret->size = 8;
	} else if (btf_is_int(t)) {
		ret->kind = btf_int_encoding(t) & BTF_INT_BOOL ? OTST_VALUE_BOOL : OTST_VALUE_INT;
		ret->is_signed = btf_int_encoding(t) & BTF_INT_SIGNED;
	} else if (btf_is_composite(t)) {
		ret->kind = OTST_VALUE_STRUCT;
	} else if (btf_is_any_enum(t)) {
		ret->kind = OTST_VALUE_ENUM;
		return read_btf_values(o, btf, t, ret);
	}
	return 0;
}

static int read_btf_params(struct otst *o, const struct btf *btf, const struct btf_type *proto,
			   struct otst_prototype *ret)
{
	size_t i, n = btf_vlen(proto);
	struct otst_parameter *params;
	int err = 0;

	if (n > OTST_PARAMS)
		return otst_raise(o, OTST_ERR_CORRUPT, "too many parameters");
	params = otst_alloc(o, (n + 1) * sizeof(*params));
	if (!params)
		return otst_no_memory(o);
	*ret = (struct otst_prototype){ .params = params, .count = n };
	/* the last parameter of a variadic function has neither type nor name */
	if (n && !btf_params(proto)[n - 1].type) {
		ret->variadic = true;
		ret->count--;
	}
	for (i = 0; i < ret->count && !err; i++)
		err = read_btf_param(o, btf, &btf_params(proto)[i], &params[i]);
	return err;
}

int otst_btf_prototype(struct otst *o, const char *name, struct otst_prototype *ret)
{
	struct otst_btf *b = otst_types_btf(o);
	const struct btf *btf = b ? otst_btf_raw(b) : NULL;
	const struct btf_type *t = NULL;
	uint32_t id = b ? otst_btf_function(b, name) : 0;

	if (id)
		t = btf__type_by_id(btf, id);
	if (!t || !btf_is_func_proto(t))
		return otst_raise(o, OTST_ERR_LOOKUP, "no prototype of %s", name);
	return read_btf_params(o, btf, t, ret);
}
