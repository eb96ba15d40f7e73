// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * modules.c - loaded modules: the list "modules" of struct module,
 * include/linux/module.h, and the memory that each owns.
 */

#include <string.h>

#include "../base/coverage.h"
#include "../base/engine.h"
#include "../base/sorted.h"
#include "../memory/memory.h"
#include "../memory/walk.h"
#include "../types/types.h"
#include "module_sets.h"
#include "modules.h"
#include "symbols.h"

#define SRCVERSION    32u /* more than MODULE_SRCVERSION has */
#define MAX_MODULES   65536u
#define MOD_MEM_TYPES 7
/* enum mod_mem_type */
#define MOD_TEXT      0
#define MOD_INIT_TEXT 4

/* modules, and where one could not be read */
struct module_list {
	struct otst_module **list;
	size_t count;
	size_t room;
	const char *error;
	bool lacks; /* @error: a name that the kernel must have */
};

struct modules {
	struct module_list listed, hidden;
	/* every range of every module by its start, for look-ups by address */
	struct range_owner {
		uint64_t base;
		uint64_t size;
		struct otst_module *module;
	} * owner;
	size_t owners;
};

static void add_range(struct otst *o, struct otst_module *m, uint64_t base, uint64_t size,
		      bool text, bool init)
{
	if (!size || !otst_is_kernel_pointer(o, base) || base + size < base)
		return;
	m->ranges[m->nr_ranges++] = (struct otst_module_range){
		.base = base, .size = size, .text = text, .init = init
	};
}

/*
 * A block of memory that begins with the module's text. Text larger than the block is
 * damage: it must not take the memory of others.
 */
static void add_block(struct otst *o, struct otst_module *m, uint64_t base, uint64_t size,
		      uint64_t text, bool init)
{
	m->text_end[init] = base + text;
	if (text > size)
		text = size;
	add_range(o, m, base, text, true, init);
	add_range(o, m, base + text, size - text, false, init);
}

static int ranges_of_mem(struct otst_view *v, struct otst_module *m)
{
	const struct otst_member *mem;
	unsigned int i, n;
	uint64_t each;
	int err;

	err = otst_member(v->o, "module", "mem", &mem);
	if (err)
		return err;
	n = mem->count < MOD_MEM_TYPES ? mem->count : MOD_MEM_TYPES;
	each = mem->count ? mem->size / mem->count : 0;
	for (i = 0; i < n && mem->offset + (i + 1) * each <= v->size; i++) {
		struct otst_view mv;

		otst_view_at(v->o, "module_memory", 0, v->data + mem->offset + i * each, each, &mv);
		add_range(v->o, m, otst_u64(&mv, "base"), otst_u64(&mv, "size"),
			  i == MOD_TEXT || i == MOD_INIT_TEXT, i >= MOD_INIT_TEXT);
		if (mv.err)
			return mv.err;
	}
	return 0;
}

static int read_ranges(struct otst_view *v, struct otst_module *m)
{
	/*
	 * Linux ac3b43283923 ("module: replace module_layout with
	 * module_memory") (v6.4) split the module's memory by use.
	 */
	if (otst_view_has(v, "mem"))
		return ranges_of_mem(v, m);
	/*
	 * Linux 7523e4dc5057 ("module: use a structure to encapsulate
	 * layout.") (v4.5). Text comes first in both blocks.
	 */
	if (otst_view_has(v, "core_layout") || otst_view_has(v, "init_layout")) {
		add_block(v->o, m, otst_u64(v, "core_layout.base"), otst_u64(v, "core_layout.size"),
			  otst_u64(v, "core_layout.text_size"), false);
		add_block(v->o, m, otst_u64(v, "init_layout.base"), otst_u64(v, "init_layout.size"),
			  otst_u64(v, "init_layout.text_size"), true);
		return v->err;
	}
	if (!otst_view_has(v, "module_core"))
		return ranges_of_mem(v, m);
	add_block(v->o, m, otst_u64(v, "module_core"), otst_u64(v, "core_size"),
		  otst_u64(v, "core_text_size"), false);
	add_block(v->o, m, otst_u64(v, "module_init"), otst_u64(v, "init_size"),
		  otst_u64_or(v, "init_text_size", 0), true);
	return v->err;
}

static const char *read_srcversion(struct otst *o, struct otst_view *v)
{
	uint64_t at = otst_u64_or(v, "srcversion", 0);
	const char *text;

	return at && !otst_read_string(o, at, SRCVERSION, &text) && *text ?
		       otst_keep_string(o, text) :
		       NULL;
}

const char *otst_module_srcversion(struct otst *o, const char *name)
{
	struct otst_module *const *m;

	if (otst_modules(o, &m))
		return NULL;
	while (*m && strcmp((*m)->name, name) != 0)
		m++;
	return *m ? (*m)->srcversion : NULL;
}

static int read_listed_module(struct otst *o, uint64_t addr, struct otst_module **ret)
{
	struct otst_module *m = otst_keep(o, sizeof(*m));
	struct otst_view v;
	int err;

	if (!m)
		return otst_no_memory(o);
	err = otst_view_read(o, "module", addr, &v);
	if (err)
		return err;
	m->addr = addr;
	m->state = (unsigned int)otst_u64(&v, "state");
	m->name = otst_keep_string(o, otst_chars(&v, "name"));
	m->percpu = otst_u64_or(&v, "percpu", 0);
	if (!m->name)
		return otst_no_memory(o);
	/* only the name is safe in a module that is still being put together */
	err = v.err;
	if (!err && m->state != OTST_MODULE_UNFORMED) {
		m->srcversion = read_srcversion(o, &v);
		err = read_ranges(&v, m);
	}
	if (!err)
		*ret = m;
	return err;
}

static int by_base(const void *a, const void *b)
{
	const struct range_owner *x = a, *y = b;

	/* the larger range last, so that a search backwards meets it first */
	return otst_cmp(x->base, y->base) ?: otst_cmp(x->size, y->size);
}

static size_t count_ranges(const struct module_list *list)
{
	size_t i, n = 0;

	for (i = 0; i < list->count; i++)
		n += list->list[i]->nr_ranges;
	return n;
}

static void add_module_owners(struct modules *c, const struct module_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct otst_module *m = list->list[i];

		for (unsigned int j = 0; j < m->nr_ranges; j++)
			c->owner[c->owners++] = (struct range_owner){
				.base = m->ranges[j].base,
				.size = m->ranges[j].size,
				.module = m,
			};
	}
}

static int index_ranges(struct otst *o, struct modules *c)
{
	size_t n = count_ranges(&c->listed) + count_ranges(&c->hidden);

	c->owner = otst_keep(o, (n ? n : 1) * sizeof(*c->owner));
	if (!c->owner)
		return otst_no_memory(o);
	add_module_owners(c, &c->listed);
	add_module_owners(c, &c->hidden);
	otst_sort(c->owner, c->owners, sizeof(*c->owner), by_base);
	return 0;
}

static int push_module(struct otst *o, struct module_list *c, struct otst_module *m)
{
	if (c->count + 1 >= c->room) {
		size_t more = c->room ? c->room * 2 : 128;
		struct otst_module **list = otst_keep(o, more * sizeof(*list));

		if (!list)
			return otst_no_memory(o);
		if (c->count)
			memcpy(list, c->list, c->count * sizeof(*list));
		c->list = list;
		c->room = more;
	}
	c->list[c->count++] = m;
	return 0;
}

static struct otst_module *find_listed_module(const struct module_list *list, uint64_t addr)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->list[i]->addr == addr)
			return list->list[i];
	}
	return NULL;
}

/* a module that comes or goes is unformed while it is in one place and not in the other */
static int take_hidden(struct otst *o, struct module_list *hidden, enum otst_module_set set,
		       uint64_t addr)
{
	struct otst_module *m = find_listed_module(hidden, addr);
	int err = m ? 0 : read_listed_module(o, addr, &m);

	if (!err && m->state < OTST_MODULE_UNFORMED) {
		if (!m->hidden)
			err = push_module(o, hidden, m);
		m->hidden |= 1u << set;
	}
	if (!err || otst_fatal(err))
		return err;
	otst_fail(o, err, "a module in %s", otst_module_set_name(set));
	hidden->error = otst_keep_string(o, otst_message(o));
	return 0;
}

static int load_hidden(struct otst *o, struct modules *c)
{
	int set, err = push_module(o, &c->hidden, NULL);

	c->hidden.count = 0;
	for (set = 0; set < OTST_MODULES_SETS && !err; set++) {
		struct otst_module_members s = { 0 };
		const uint64_t *addr;

		err = otst_module_set_read(o, (enum otst_module_set)set, &s);
		addr = s.items.data;
		for (size_t i = 0; i < s.items.count && !err; i++) {
			if (!find_listed_module(&c->listed, addr[i]))
				err = take_hidden(o, &c->hidden, (enum otst_module_set)set,
						  addr[i]);
		}
	}
	return err;
}

bool otst_may_have_modules(struct otst *o)
{
	/* struct module is there without them */
	return otst_has_symbol(o, "modules") || otst_has_witness(o, "load_module");
}

static int load_listed(struct otst *o, struct module_list *c)
{
	const struct otst_member *link;
	struct otst_module *m = NULL;
	struct otst_walk w;
	uint64_t head, node;
	int err = push_module(o, c, NULL);

	c->count = 0;
	err = err ?: otst_symbol(o, "modules", &head);
	if (err)
		return err == OTST_ERR_LOOKUP ? err : otst_fail(o, err, "module list");
	err = otst_member(o, "module", "list", &link);
	if (err == OTST_ERR_LOOKUP && !otst_has_witness(o, "load_module"))
		return otst_member(o, "module", "list", &link);
	otst_walk_list(o, head, &w);
	while (!err && otst_walk_next(&w, &node)) {
		err = read_listed_module(o, node - link->offset, &m);
		err = err ?: push_module(o, c, m);
		if (c->count >= MAX_MODULES)
			break;
	}
	err = err ?: w.err;
	if (err && !otst_fatal(err)) {
		otst_fail(o, err, "module list");
		c->error = otst_keep_string(o, otst_message(o));
		c->lacks = err == OTST_ERR_LOOKUP;
		err = 0;
	}
	return err;
}

/* symbol look-ups ask for modules and the other way round: no modules until all are loaded */
static int load_modules(struct otst *o, const void *of, void *value)
{
	struct modules *c = value;
	int err = load_listed(o, &c->listed);

	(void)of;
	/* where the list breaks off, a module behind the break is not hidden */
	if (!err && !c->listed.error)
		err = load_hidden(o, c);
	return err ? err : index_ranges(o, c);
}

static const struct otst_once modules = { .size = sizeof(struct modules),
					  .make = load_modules,
					  .moves = true };

/* whoever asks for modules, and is told of some, cannot have seen all */
static void doubt_modules(struct otst *o, const struct modules *c)
{
	if (c->listed.lacks)
		otst_doubt(o, c->listed.error, NULL);
}

int otst_modules(struct otst *o, struct otst_module *const **ret)
{
	const struct modules *c;
	int err = otst_once(o, &modules, NULL, &c);

	if (err)
		return err;
	doubt_modules(o, c);
	*ret = c->listed.list;
	return 0;
}

const char *otst_modules_error(struct otst *o)
{
	const struct modules *c = otst_once_or_null(o, &modules, NULL);

	return c ? c->listed.error : NULL;
}

int otst_hidden_modules(struct otst *o, struct otst_module *const **ret)
{
	static struct otst_module *const none;
	const struct modules *c;
	int err = otst_once(o, &modules, NULL, &c);

	if (!err)
		*ret = c->hidden.list ? c->hidden.list : &none;
	return err;
}

const char *otst_hidden_modules_error(struct otst *o)
{
	const struct modules *c = otst_once_or_null(o, &modules, NULL);

	return c ? c->hidden.error : NULL;
}

int otst_modules_notes(struct otst *o, struct otst_messages *errors)
{
	struct otst_module *const *m = NULL;
	int err = otst_modules(o, &m);
	const char *broken = otst_modules_error(o);

	/* a kernel without modules */
	if (err == OTST_ERR_LOOKUP)
		return 0;
	if (err)
		return otst_note(o, errors, err);
	if (broken)
		otst_note_text(o, errors, broken);
	for (; *m; m++) {
		if ((*m)->symbols_error)
			otst_note_text(o, errors, (*m)->symbols_error);
	}
	return 0;
}

const struct otst_module *otst_module_at(struct otst *o, uint64_t addr)
{
	const struct modules *c = otst_once_or_null(o, &modules, NULL);
	size_t n = c ? otst_count_up_to(c->owner, c->owners, base, addr) : 0;

	if (c)
		doubt_modules(o, c);
	return n && addr - c->owner[n - 1].base < c->owner[n - 1].size ? c->owner[n - 1].module :
									 NULL;
}
