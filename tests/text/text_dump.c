// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text_dump.c - store of a text dump.
 *
 * Memory is kept byte by byte: bytes that the dump's author did not write
 * fault, so that a decoder that reads past the end of a structure is caught.
 */
#include "text_dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *text_xrealloc(void *p, size_t len)
{
	p = realloc(p, len);
	if (!p) {
		fputs("otst-text: out of memory\n", stderr);
		exit(99);
	}
	return p;
}

char *text_xstrdup(const char *s)
{
	size_t len = strlen(s) + 1;

	return memcpy(text_xrealloc(NULL, len), s, len);
}

static size_t slot_of(const struct text_dump *d, uint64_t number)
{
	size_t i = (number * 0x9e3779b97f4a7c15ull >> 20) & (d->nr_slots - 1);

	while (d->table[i] && d->table[i]->number != number)
		i = (i + 1) & (d->nr_slots - 1);
	return i;
}

static struct text_page *find_page(const struct text_dump *d, uint64_t number)
{
	return d->nr_slots ? d->table[slot_of(d, number)] : NULL;
}

static void grow_table(struct text_dump *d)
{
	struct text_page **old = d->table;
	size_t nr_old = d->nr_slots;

	d->nr_slots = nr_old ? 2 * nr_old : 256;
	d->table = text_xrealloc(NULL, d->nr_slots * sizeof(*d->table));
	memset(d->table, 0, d->nr_slots * sizeof(*d->table));
	for (size_t i = 0; i < nr_old; i++)
		if (old[i])
			d->table[slot_of(d, old[i]->number)] = old[i];
	free(old);
}

static struct text_page *make_page(struct text_dump *d, uint64_t number)
{
	struct text_page *page = find_page(d, number);

	if (page)
		return page;
	if (2 * d->nr_pages >= d->nr_slots)
		grow_table(d);
	page = text_xrealloc(NULL, sizeof(*page));
	memset(page, 0, sizeof(*page));
	page->number = number;
	d->table[slot_of(d, number)] = page;
	d->nr_pages++;
	return page;
}

void text_dump_write(struct text_dump *d, uint64_t addr, const void *buf, size_t len)
{
	const uint8_t *p = buf;

	while (len) {
		struct text_page *page = make_page(d, addr / TEXT_PAGE);
		size_t at = addr % TEXT_PAGE;
		size_t n = TEXT_PAGE - at < len ? TEXT_PAGE - at : len;

		memcpy(page->data + at, p, n);
		for (size_t i = at; i < at + n; i++)
			page->valid[i / 8] |= 1u << i % 8;
		addr += n;
		p += n;
		len -= n;
	}
}

void text_dump_unmap(struct text_dump *d, uint64_t addr, uint64_t len)
{
	while (len) {
		struct text_page *page = find_page(d, addr / TEXT_PAGE);
		size_t at = addr % TEXT_PAGE;
		size_t n = TEXT_PAGE - at < len ? TEXT_PAGE - at : len;

		for (size_t i = at; page && i < at + n; i++)
			page->valid[i / 8] &= ~(1u << i % 8);
		addr += n;
		len -= n;
	}
}

void text_dump_physical(struct text_dump *d, const struct text_physical *m)
{
	d->physical = text_xrealloc(d->physical, (d->nr_physical + 1) * sizeof(*m));
	d->physical[d->nr_physical++] = *m;
}

int text_dump_read_physical(const struct text_dump *d, uint64_t phys, void *buf, uint64_t len)
{
	for (size_t i = 0; i < d->nr_physical; i++) {
		const struct text_physical *m = &d->physical[i];

		if (phys >= m->phys && phys - m->phys < m->len && len <= m->len - (phys - m->phys))
			return text_dump_read(d, m->addr + (phys - m->phys), buf, len);
	}
	return OTST_ERR_FAULT;
}

void text_dump_endless(struct text_dump *d, const struct text_endless *e)
{
	d->endless = text_xrealloc(d->endless, (d->nr_endless + 1) * sizeof(*e));
	d->endless[d->nr_endless++] = *e;
}

static bool read_endless(const struct text_dump *d, uint64_t addr, uint8_t *ret)
{
	for (size_t i = 0; i < d->nr_endless; i++) {
		const struct text_endless *e = &d->endless[i];
		uint64_t node, at;

		if (addr < e->start || addr - e->start >= e->len)
			continue;
		node = (addr - e->start) / e->stride;
		at = (addr - e->start) % e->stride - e->offset;
		*ret = at < 8 ? (e->start + (node + 1) * e->stride) >>
					8 * (d->big_endian ? 7 - at : at) :
				0;
		return true;
	}
	return false;
}

static bool all_valid(const struct text_page *page, size_t at, size_t n)
{
	for (size_t i = at; i < at + n; i++) {
		/* whole bytes of the bitmap where that is possible */
		if (i % 8 == 0 && i + 8 <= at + n && page->valid[i / 8] == 0xff)
			i += 7;
		else if (!(page->valid[i / 8] & 1u << i % 8))
			return false;
	}
	return true;
}

int text_dump_read(const struct text_dump *d, uint64_t addr, void *buf, uint64_t len)
{
	uint8_t *p = buf;
	uint64_t done = 0;

	/* look first, then copy: a failed read must leave the buffer alone */
	for (int copy = 0; copy < 2; copy++) {
		for (done = 0; done < len;) {
			uint64_t a = addr + done;
			size_t at = a % TEXT_PAGE;
			uint64_t n = TEXT_PAGE - at < len - done ? TEXT_PAGE - at : len - done;
			const struct text_page *page = find_page(d, a / TEXT_PAGE);
			uint8_t byte;

			if (page && all_valid(page, at, n)) {
				if (copy)
					memcpy(p + done, page->data + at, n);
				done += n;
				continue;
			}
			if (!read_endless(d, a, &byte))
				return OTST_ERR_FAULT;
			if (copy)
				p[done] = byte;
			done++;
		}
	}
	return 0;
}

void text_dump_symbol(struct text_dump *d, const char *name, const char *module, uint64_t addr,
		      uint64_t size, bool hidden)
{
	struct text_symbol *s = (struct text_symbol *)text_dump_find(d, name, module);

	if (!s) {
		if (d->nr_symbols == d->room_symbols) {
			d->room_symbols = 2 * d->room_symbols + 64;
			d->symbols =
				text_xrealloc(d->symbols, d->room_symbols * sizeof(*d->symbols));
		}
		s = &d->symbols[d->nr_symbols++];
		s->name = text_xstrdup(name);
		s->module = text_xstrdup(module);
	}
	s->addr = addr;
	s->size = size;
	s->hidden = hidden;
}

const struct text_symbol *text_dump_find(const struct text_dump *d, const char *name,
					 const char *module)
{
	const struct text_symbol *any = NULL;

	if (d->by_addr) {
		size_t lo = 0, hi = d->nr_symbols;

		while (lo < hi) {
			size_t mid = (lo + hi) / 2;

			if (strcmp(d->symbols[mid].name, name) < 0)
				lo = mid + 1;
			else
				hi = mid;
		}
		for (; lo < d->nr_symbols && !strcmp(d->symbols[lo].name, name); lo++)
			if (!module || !strcmp(d->symbols[lo].module, module))
				return &d->symbols[lo];
		return NULL;
	}
	for (size_t i = 0; i < d->nr_symbols; i++) {
		const struct text_symbol *s = &d->symbols[i];

		if (strcmp(s->name, name) || (module && strcmp(s->module, module)))
			continue;
		if (!*s->module)
			return s;
		any = s;
	}
	return any;
}

static struct text_type *find_type(const struct text_dump *d, const char *name, enum text_twin twin)
{
	for (size_t i = 0; i < d->nr_types; i++)
		if (d->types[i].twin == twin && !strcmp(d->types[i].name, name))
			return &d->types[i];
	return NULL;
}

struct text_type *text_dump_type(struct text_dump *d, const char *name, bool create)
{
	struct text_type *t = find_type(d, name, TEXT_NO_TWIN);

	return t || !create ? t : text_dump_add_twin(d, name, TEXT_NO_TWIN);
}

const struct text_type *text_dump_first_type(const struct text_dump *d, const char *name)
{
	const struct text_type *t = find_type(d, name, TEXT_TWIN_BEFORE);

	if (!t)
		t = find_type(d, name, TEXT_NO_TWIN);
	return t ? t : find_type(d, name, TEXT_TWIN_BEHIND);
}

struct text_type *text_dump_add_twin(struct text_dump *d, const char *name, enum text_twin twin)
{
	struct text_type *t;

	d->types = text_xrealloc(d->types, (d->nr_types + 1) * sizeof(*d->types));
	t = &d->types[d->nr_types++];
	memset(t, 0, sizeof(*t));
	t->name = text_xstrdup(name);
	t->twin = twin;
	return t;
}

static const struct text_member *find_member(const struct text_type *t, const char *name,
					     size_t len)
{
	/* the last one wins: a twin may repeat a member */
	for (size_t i = t->nr_members; i-- > 0;)
		if (strlen(t->members[i].name) == len && !memcmp(t->members[i].name, name, len))
			return &t->members[i];
	return NULL;
}

int text_dump_member(const struct text_dump *d, const struct text_type *t, const char *path,
		     struct otst_member *ret)
{
	struct otst_member m = { 0 };
	uint64_t base = 0;

	for (;;) {
		size_t len = strcspn(path, ".[");
		const struct text_member *found = t ? find_member(t, path, len) : NULL;

		if (!found)
			return OTST_ERR_LOOKUP;
		m = found->m;
		base += m.offset;
		path += len;
		if (*path == '[') {
			char *end;
			uint64_t index = strtoull(path + 1, &end, 0);

			if (*end != ']' || m.kind != OTST_KIND_ARRAY)
				return OTST_ERR_LOOKUP;
			if (!m.count || index >= m.count)
				return OTST_ERR_LOOKUP;
			m.size /= m.count;
			m.count = 0;
			m.kind = text_dump_type((struct text_dump *)d, m.type, false) ?
					 OTST_KIND_STRUCT :
					 OTST_KIND_INT;
			base += index * m.size;
			path = end + 1;
		}
		if (!*path)
			break;
		if (*path != '.' || m.kind != OTST_KIND_STRUCT)
			return OTST_ERR_LOOKUP;
		t = find_type(d, found->m.type, TEXT_NO_TWIN);
		path++;
	}
	m.offset = base;
	*ret = m;
	return 0;
}

void text_dump_enum(struct text_dump *d, const char *name, int64_t value)
{
	for (size_t i = 0; i < d->nr_enums; i++) {
		if (!strcmp(d->enums[i].name, name)) {
			d->enums[i].value = value;
			return;
		}
	}
	d->enums = text_xrealloc(d->enums, (d->nr_enums + 1) * sizeof(*d->enums));
	d->enums[d->nr_enums].name = text_xstrdup(name);
	d->enums[d->nr_enums++].value = value;
}

static int by_name(const void *a, const void *b)
{
	const struct text_symbol *x = a, *y = b;
	int diff = strcmp(x->name, y->name);

	/* "" first: the kernel's own symbol is the answer to a bare name */
	return diff ? diff : strcmp(x->module, y->module);
}

/* qsort() has no argument for it, and the tests have one thread */
static const struct text_symbol *sort_base;

static int by_addr(const void *a, const void *b)
{
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	uint64_t x = sort_base[i].addr, y = sort_base[j].addr;

	if (x != y)
		return x < y ? -1 : 1;
	return i < j ? -1 : i > j;
}

void text_dump_seal(struct text_dump *d)
{
	if (d->nr_symbols)
		qsort(d->symbols, d->nr_symbols, sizeof(*d->symbols), by_name);
	d->by_addr = text_xrealloc(d->by_addr, (d->nr_symbols + 1) * sizeof(*d->by_addr));
	d->nr_by_addr = 0;
	for (size_t i = 0; i < d->nr_symbols; i++)
		if (!d->symbols[i].hidden)
			d->by_addr[d->nr_by_addr++] = i;
	sort_base = d->symbols;
	if (d->nr_by_addr)
		qsort(d->by_addr, d->nr_by_addr, sizeof(*d->by_addr), by_addr);
}

void text_dump_deinit(struct text_dump *d)
{
	for (size_t i = 0; i < d->nr_slots; i++)
		free(d->table[i]);
	for (size_t i = 0; i < d->nr_symbols; i++) {
		free(d->symbols[i].name);
		free(d->symbols[i].module);
	}
	for (size_t i = 0; i < d->nr_types; i++) {
		for (size_t j = 0; j < d->types[i].nr_members; j++)
			free(d->types[i].members[j].name);
		free(d->types[i].members);
		free(d->types[i].name);
	}
	for (size_t i = 0; i < d->nr_enums; i++)
		free(d->enums[i].name);
	free(d->table);
	free(d->physical);
	free(d->endless);
	free(d->symbols);
	free(d->by_addr);
	free(d->types);
	free(d->enums);
	free(d->vmcoreinfo);
	free(d->notes);
	memset(d, 0, sizeof(*d));
}
