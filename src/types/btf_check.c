// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * btf_check.c - are these types those of the dump's kernel? BTF has neither a build ID nor a
 * version. But VMCOREINFO has sizes, offsets and enumerators of the running kernel
 * (kernel/crash_core.c, later kernel/vmcore_info.c), and kallsyms the places of per-cpu
 * variables, which BTF lists with their offsets in .data..percpu.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>

#include "../base/engine.h"
#include "../memory/vmcoreinfo.h"
#include "../names/kallsyms.h"
#include "../names/symbols.h"
#include "btf.h"

struct check {
	struct otst *o;
	struct otst_btf *btf;
	struct otst_btf_match *ret;
};

/* 1 ends the comparison */
static int note_number(struct check *c, const char *kind, const char *name, int64_t dump,
		       int64_t types)
{
	if (dump == types) {
		c->ret->same++;
		return 0;
	}
	c->ret->differs = otst_format(c->o, "%s(%s) is %" PRId64 " there, %" PRId64 " in the dump",
				      kind, otst_clean(c->o, name), types, dump);
	return 1;
}

/* Some sizes are of no structure: LENGTH() and SIZE() of types that BTF does not have. */
static int compare_size(void *priv, const char *name, const char *value)
{
	uint64_t want = strtoull(value, NULL, 10), size;
	struct check *c = priv;

	if (!otst_btf_says(c->btf, name, NULL, want, &size))
		return 0;
	return note_number(c, "SIZE", name, (int64_t)want, (int64_t)size);
}

static int compare_offset(void *priv, const char *name, const char *value)
{
	uint64_t want = strtoull(value, NULL, 10), offset;
	const char *dot = strchr(name, '.');
	struct check *c = priv;
	const char *type = dot ? otst_format(c->o, "%.*s", (int)(dot - name), name) : NULL;

	if (!type || !otst_btf_says(c->btf, type, dot + 1, want, &offset))
		return 0;
	return note_number(c, "OFFSET", name, (int64_t)want, (int64_t)offset);
}

/* most of them are macros, and some enumerators */
static int compare_enumerator(void *priv, const char *name, const char *value)
{
	struct check *c = priv;
	int64_t number;

	if (otst_btf_enumerator(c->btf, name, &number))
		return 0;
	return note_number(c, "NUMBER", name, strtoll(value, NULL, 0), number);
}

/* @start: of the per-cpu section */
static int compare_variable(struct check *c, const struct btf_var_secinfo *v, uint64_t start)
{
	const struct btf *btf = otst_btf_raw(c->btf);
	const struct btf_type *var = btf__type_by_id(btf, v->type);
	const char *name = var && btf_is_var(var) ? otst_btf_name(btf, var->name_off) : NULL;
	uint64_t addr;

	/* several static variables may have one name */
	if (!name || otst_symbol(c->o, name, &addr) || otst_symbol_shared(c->o, name))
		return 0;
	return note_number(c, "offset of", name, (int64_t)(addr - start), v->offset);
}

static int compare_percpu(struct check *c)
{
	const struct btf *btf = otst_btf_raw(c->btf);
	uint32_t i, j, n = btf__type_cnt(btf);
	uint64_t start;
	int differs = 0;

	if (otst_symbol(c->o, "__per_cpu_start", &start))
		return 0;
	for (i = 1; i < n && !differs; i++) {
		const struct btf_type *t = btf__type_by_id(btf, i);
		const char *name = btf_is_datasec(t) ? otst_btf_name(btf, t->name_off) : NULL;

		if (!name || strcmp(name, ".data..percpu") != 0)
			continue;
		for (j = 0; j < btf_vlen(t) && !differs; j++)
			differs = compare_variable(c, &btf_var_secinfos(t)[j], start);
	}
	return differs;
}

int otst_btf_check(struct otst *o, struct otst_btf *b, struct otst_btf_match *ret)
{
	const struct doubts doubts = o->doubts;
	struct check c = { o, b, ret };
	bool big_endian = btf__endianness(otst_btf_raw(b)) == BTF_BIG_ENDIAN;

	*ret = (struct otst_btf_match){ 0 };
	if (big_endian != otst_big_endian(o))
		ret->differs = big_endian ? "its kernel is big-endian" :
					    "its kernel is little-endian";
	else if (!otst_vmcoreinfo_each(o, "SIZE", compare_size, &c) &&
		 !otst_vmcoreinfo_each(o, "OFFSET", compare_offset, &c) &&
		 !otst_vmcoreinfo_each(o, "NUMBER", compare_enumerator, &c))
		compare_percpu(&c);
	/* nothing is concluded from a name that was not found */
	o->doubts = doubts;
	return otst_stopped(o);
}
