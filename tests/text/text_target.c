// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text_target.c - struct otst_target_ops over a text dump.
 */
#include "text_target.h"

#include <stdlib.h>
#include <string.h>

#include "text_dump.h"

static int target_read(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	return space == OTST_VIRT ? text_dump_read(priv, addr, buf, len) :
				    text_dump_read_physical(priv, addr, buf, len);
}

static int target_symbol(void *priv, const char *name, uint64_t *ret)
{
	const struct text_symbol *s = text_dump_find(priv, name, "");

	if (!s || s->hidden)
		return OTST_ERR_LOOKUP;
	*ret = s->addr;
	return 0;
}

static void copy_cut(char *to, size_t size, const char *from)
{
	size_t len = strlen(from);

	if (len >= size)
		len = size - 1;
	memcpy(to, from, len);
	to[len] = '\0';
}

static int target_symbol_at(void *priv, uint64_t addr, struct otst_symbol *ret)
{
	const struct text_dump *d = priv;
	size_t lo = 0, hi = d->nr_by_addr;
	const struct text_symbol *s;
	uint64_t size;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (d->symbols[d->by_addr[mid]].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return OTST_ERR_LOOKUP;
	s = &d->symbols[d->by_addr[lo - 1]];
	/* when an address has several names, the kernel prints the first */
	for (size_t i = lo - 1; i > 0; i--) {
		if (d->symbols[d->by_addr[i - 1]].addr != s->addr)
			break;
		s = &d->symbols[d->by_addr[i - 1]];
	}
	size = s->size;
	if (!size && lo < d->nr_by_addr)
		size = d->symbols[d->by_addr[lo]].addr - s->addr;
	if (size && addr - s->addr >= size)
		return OTST_ERR_LOOKUP;
	memset(ret, 0, sizeof(*ret));
	ret->addr = s->addr;
	ret->size = size;
	copy_cut(ret->name, sizeof(ret->name), s->name);
	copy_cut(ret->module, sizeof(ret->module), s->module);
	return 0;
}

static int target_member(void *priv, const char *type, const char *member, struct otst_member *ret)
{
	return text_dump_member(priv, text_dump_first_type(priv, type), member, ret);
}

static int target_type_size(void *priv, const char *type, uint64_t *ret)
{
	const struct text_type *t = text_dump_first_type(priv, type);

	if (!t)
		return OTST_ERR_LOOKUP;
	*ret = t->size;
	return 0;
}

static int target_enumerator(void *priv, const char *name, int64_t *ret)
{
	const struct text_dump *d = priv;

	for (size_t i = 0; i < d->nr_enums; i++) {
		if (!strcmp(d->enums[i].name, name)) {
			*ret = d->enums[i].value;
			return 0;
		}
	}
	return OTST_ERR_LOOKUP;
}

static int target_vmcoreinfo(void *priv, const char **ret, uint64_t *len)
{
	const struct text_dump *d = priv;

	if (!d->vmcoreinfo)
		return OTST_ERR_LOOKUP;
	*ret = d->vmcoreinfo;
	*len = d->vmcoreinfo_len;
	return 0;
}

static int target_notes(void *priv, const void **ret, uint64_t *len)
{
	const struct text_dump *d = priv;

	if (!d->notes)
		return OTST_ERR_LOOKUP;
	*ret = d->notes;
	*len = d->notes_len;
	return 0;
}

static bool target_knows(void *priv, int what)
{
	const struct text_dump *d = priv;

	return what == OTST_KNOWS_TYPES ? !d->lacks_types : !d->lacks_symbols;
}

bool text_target_big_endian(const struct text_dump *d)
{
	return d->big_endian;
}

void text_target_close(struct text_dump *d)
{
	if (!d)
		return;
	text_dump_deinit(d);
	free(d);
}

const struct otst_target_ops *text_target_ops(void)
{
	static const struct otst_target_ops ops = {
		.size = sizeof(ops),
		.name = "text",
		.read = target_read,
		.symbol = target_symbol,
		.symbol_at = target_symbol_at,
		.member = target_member,
		.type_size = target_type_size,
		.enumerator = target_enumerator,
		.vmcoreinfo = target_vmcoreinfo,
		.notes = target_notes,
		.knows = target_knows,
	};

	return &ops;
}

static int target_memory(void *priv, uint64_t phys, uint64_t *start, uint64_t *end)
{
	const struct text_dump *d = priv;
	int err = OTST_ERR_LOOKUP;

	for (size_t i = 0; i < d->nr_physical; i++) {
		const struct text_physical *m = &d->physical[i];
		uint64_t from = m->phys > phys ? m->phys : phys;

		if (m->phys + m->len <= phys || (!err && from >= *start))
			continue;
		*start = from;
		*end = m->phys + m->len;
		err = 0;
	}
	return err;
}

const struct otst_target_ops *text_target_ops_of(const struct text_dump *d)
{
	static struct otst_target_ops ops;

	if (!d->says_memory)
		return text_target_ops();
	ops = *text_target_ops();
	ops.memory = target_memory;
	return &ops;
}
