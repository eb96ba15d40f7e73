// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * exports.c - names that the kernel exports more than once, and which of the exports
 * a module gets: tables of struct kernel_symbol (include/linux/export.h), sorted by
 * name, which find_symbol() of kernel/module.c searches. In 5.10 the code that arm64
 * runs at EL2 (arch/arm64/kvm/hyp/nvhe) has its own memset(), under another symbol,
 * with its own export: modules call that one.
 */
#include <string.h>

#include "modload.h"

#define NAME_MAX_LEN 128u
#define MAX_TABLE    (4u << 20)
#define MAX_REPEATED 64u

/* @count: number of @items, each a name and the address it stands for */
struct exports {
	size_t count;
	struct export
	{
		const char *name;
		uint64_t addr;
	}
	items[MAX_REPEATED];
};

/*
 * struct table - one of the kernel's tables
 * @name, @value: members of an entry; @relative: they are offsets from their own address
 *	Linux 7290d5809571 ("module: use relative references for __ksymtab entries") (v4.19)
 */
struct table {
	struct otst *o;
	uint64_t at, entry;
	size_t count;
	const uint8_t *bytes;
	const struct otst_member *name, *value;
	bool relative;
};

static uint64_t export_field(const struct table *t, size_t i, const struct otst_member *m)
{
	uint64_t at = i * t->entry + m->offset;

	if (t->relative)
		return t->at + at + (uint64_t)(int32_t)otst_get(t->o, t->bytes + at, 4);
	return otst_get(t->o, t->bytes + at, 8);
}

static int read_export_layout(struct table *t)
{
	int err = otst_type_size(t->o, "kernel_symbol", &t->entry);

	t->relative = !err && otst_has_member(t->o, "kernel_symbol", "value_offset");
	if (!err)
		err = otst_member(t->o, "kernel_symbol", t->relative ? "name_offset" : "name",
				  &t->name);
	if (!err)
		err = otst_member(t->o, "kernel_symbol", t->relative ? "value_offset" : "value",
				  &t->value);
	if (!err && (t->name->offset + t->name->size > t->entry ||
		     t->value->offset + t->value->size > t->entry ||
		     t->name->size != (t->relative ? 4 : 8) || t->value->size != t->name->size))
		err = otst_raise(t->o, OTST_ERR_CORRUPT, "struct kernel_symbol");
	return err;
}

static int read_exports(struct table *t, const char *start, const char *stop)
{
	uint64_t end;
	uint8_t *bytes;
	int err = otst_symbol(t->o, start, &t->at);

	err = err ?: otst_symbol(t->o, stop, &end);
	err = err ?: read_export_layout(t);
	if (err)
		return err;
	if (end < t->at || end - t->at > MAX_TABLE || (end - t->at) % t->entry)
		return otst_raise(t->o, OTST_ERR_CORRUPT, "%s has no whole entries", start);
	t->count = (end - t->at) / t->entry;
	bytes = otst_alloc(t->o, t->count * t->entry + 1);
	if (!bytes)
		return otst_no_memory(t->o);
	t->bytes = bytes;
	return otst_read(t->o, t->at, bytes, t->count * t->entry);
}

/* as lib/bsearch.c: of several equal entries it need not find the first */
static size_t search_names(const char *const *names, size_t count, const char *name)
{
	size_t base = 0, pivot;
	int order;

	for (; count; count >>= 1) {
		pivot = base + (count >> 1);
		order = strcmp(name, names[pivot]);
		if (!order)
			return pivot;
		if (order > 0) {
			base = pivot + 1;
			count--;
		}
	}
	/* the table is not sorted */
	return base;
}

static int add_export(struct otst *o, struct exports *e, const char *name, uint64_t addr)
{
	const char *kept = otst_keep_string(o, name);

	if (e->count == MAX_REPEATED)
		return otst_raise(o, OTST_ERR_CORRUPT, "too many names are exported twice");
	if (!kept)
		return otst_no_memory(o);
	e->items[e->count++] = (struct export){ kept, addr };
	return 0;
}

static int add_repeated(struct otst *o, struct exports *e, const char *start, const char *stop)
{
	struct table t = { .o = o };
	const char **names;
	size_t i, found;
	int err = read_exports(&t, start, stop);

	if (err)
		return err;
	names = otst_alloc(o, (t.count + 1) * sizeof(*names));
	if (!names)
		return otst_no_memory(o);
	for (i = 0; i < t.count && !err; i++)
		err = otst_read_string(o, export_field(&t, i, t.name), NAME_MAX_LEN, &names[i]);
	for (i = 1; i < t.count && !err; i++) {
		if (strcmp(names[i - 1], names[i]) != 0 ||
		    (i > 1 && !strcmp(names[i - 2], names[i])))
			continue;
		found = search_names(names, t.count, names[i]);
		if (found < t.count && !strcmp(names[found], names[i]))
			err = add_export(o, e, names[i], export_field(&t, found, t.value));
	}
	return err;
}

static int find_exports(struct otst *o, const void *of, void *value)
{
	struct exports *e = value;
	int err = add_repeated(o, e, "__start___ksymtab", "__stop___ksymtab");

	(void)of;
	return err ?: add_repeated(o, e, "__start___ksymtab_gpl", "__stop___ksymtab_gpl");
}

static const struct otst_once exports = { .size = sizeof(struct exports), .make = find_exports };

bool otst_export_repeated(struct otst *o, const char *name, uint64_t *ret)
{
	const struct exports *e = otst_once_or_null(o, &exports, NULL);

	for (size_t i = 0; e && i < e->count; i++) {
		if (!strcmp(e->items[i].name, name)) {
			*ret = e->items[i].addr;
			return true;
		}
	}
	return false;
}
