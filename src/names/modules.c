// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * modules.c - loaded modules: the list "modules" of struct module,
 * include/linux/module.h, the memory that each owns, and its own symbol table
 * (struct mod_kallsyms), read as kernel/module/kallsyms.c does.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/coverage.h"
#include "../base/engine.h"
#include "../base/hashmap.h"
#include "../base/sorted.h"
#include "../memory/memory.h"
#include "../memory/walk.h"
#include "../types/types.h"
#include "kallsyms.h"
#include "module_sets.h"
#include "modules.h"
#include "symbols.h"

#define SRCVERSION	   32u /* more than MODULE_SRCVERSION has */
#define MAX_MODULES	   65536u
#define MAX_MODULE_SYMBOLS (1u << 20)
#define MAX_STRINGS	   (64u << 20)
#define MOD_MEM_TYPES	   7
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

/* ---- symbols of a module ---- */

#define SYM_SIZE 24 /* Elf64_Sym */

static int by_module_symbol(const void *a, const void *b)
{
	const struct otst_module_symbol *x = a, *y = b;

	return otst_cmp(x->addr, y->addr) ?: otst_cmp(x->order, y->order);
}

/*
 * include/linux/module_symbol.h, is_mapping_symbol(). Those of riscv64 ("$x" and the
 * extensions in use) are left out since Linux 0a3bf86092c3 ("module: Ignore RISC-V
 * mapping symbols too") (v6.6).
 */
static bool is_mapping_symbol(const char *name)
{
	if (name[0] == '.' && name[1] == 'L')
		return true;
	if (name[0] == 'L' && name[1] == '0')
		return true;
	return name[0] == '$';
}

/* where the symbol and string tables lie: {symtab, strtab, count} */
static int find_module_tables(struct otst *o, const struct otst_module *m, uint64_t *symtab,
			      uint64_t *strtab, uint64_t *count)
{
	struct otst_view v, k;
	uint64_t at;
	int err;

	err = otst_view_read(o, "module", m->addr, &v);
	if (err)
		return err;
	/* Linux 8244062ef1e5 ("modules: fix longstanding /proc/kallsyms vs module insertion race.") (v4.5) */
	if (otst_view_has(&v, "kallsyms") || otst_has_type(o, "mod_kallsyms")) {
		at = otst_u64(&v, "kallsyms");
		err = v.err ?: otst_view_read(o, "mod_kallsyms", at, &k);
		if (err)
			return err;
		*symtab = otst_u64(&k, "symtab");
		*strtab = otst_u64(&k, "strtab");
		*count = otst_u64(&k, "num_symtab");
		return k.err;
	}
	*symtab = otst_u64(&v, "symtab");
	*strtab = otst_u64(&v, "strtab");
	*count = otst_u64(&v, "num_symtab");
	return v.err;
}

/* as otst_clean(), but offsets into the table stay valid */
static void clean_in_place(char *s, size_t len)
{
	while (len--) {
		if (*s && (*s < ' ' || *s > '~'))
			*s = '?';
		s++;
	}
}

/* the strings, as far as the names in @raw reach */
static int read_module_strings(struct otst *o, const unsigned char *raw, uint64_t count,
			       uint64_t strtab, char **ret, size_t *len)
{
	uint64_t i, last = 0;
	size_t n, most;
	char *s;
	int err;

	for (i = 0; i < count; i++) {
		uint64_t off = otst_get(o, raw + i * SYM_SIZE, 4);

		last = off > last ? off : last;
	}
	if (last > MAX_STRINGS)
		return otst_raise(o, OTST_ERR_CORRUPT, "module symbol name at offset %" PRIu64,
				  last);
	most = last + OTST_NAME_MAX;
	s = otst_keep(o, most + 1);
	if (!s)
		return otst_no_memory(o);
	/* the last name may end just before memory that is not there */
	err = otst_read_head(o, strtab, s, last + 1, most, &n);
	if (!err) {
		memset(s + n, 0, most - n);
		clean_in_place(s, n);
		*ret = s;
		*len = n;
	}
	return err;
}

static int load_symbols(struct otst *o, struct otst_module *m)
{
	uint64_t symtab, strtab, count, i;
	size_t len = 0, n = 0;
	unsigned char *raw;
	char *strings = NULL;
	int err = find_module_tables(o, m, &symtab, &strtab, &count);

	if (err)
		return err;
	if (!count)
		return 0;
	if (count > MAX_MODULE_SYMBOLS)
		return otst_raise(o, OTST_ERR_CORRUPT, "module %s has %" PRIu64 " symbols", m->name,
				  count);
	raw = otst_alloc(o, count * SYM_SIZE);
	m->symbols = otst_keep(o, count * sizeof(*m->symbols));
	if (!raw || !m->symbols)
		return otst_no_memory(o);
	err = otst_read(o, symtab, raw, count * SYM_SIZE);
	err = err ?: read_module_strings(o, raw, count, strtab, &strings, &len);
	if (err)
		return otst_fail(o, err, "symbols of module %s", m->name);
	for (i = 1; i < count; i++) {
		const unsigned char *s = raw + i * SYM_SIZE;
		uint64_t name = otst_get(o, s, 4), shndx = otst_get(o, s + 6, 2);

		if (!shndx || name >= len || !strings[name] || is_mapping_symbol(strings + name))
			continue;
		m->symbols[n].order = (uint32_t)i;
		m->symbols[n].addr = otst_get(o, s + 8, 8);
		m->symbols[n].size = otst_get(o, s + 16, 8);
		m->symbols[n++].name = strings + name;
	}
	otst_sort(m->symbols, n, sizeof(*m->symbols), by_module_symbol);
	m->nr_symbols = n;
	return 0;
}

/* reads them into the module itself: the cached answer only says that they were read */
static int read_module_symbols(struct otst *o, const void *of, void *value)
{
	struct otst_module *m = (struct otst_module *)of;
	int err = load_symbols(o, m);

	(void)value;
	if (!err)
		return 0;
	m->nr_symbols = 0;
	/* a kernel may keep no symbols of its modules */
	if (err != OTST_ERR_LOOKUP || otst_has_type(o, "mod_kallsyms") ||
	    otst_has_member(o, "module", "kallsyms") || otst_has_member(o, "module", "symtab"))
		m->symbols_error = otst_keep_string(o, otst_message(o));
	m->symbols_lack = m->symbols_error && err == OTST_ERR_LOOKUP;
	return otst_stopped(o);
}

static const struct otst_once symbols = { .size = 0, .make = read_module_symbols };

static void need_symbols(struct otst *o, const struct otst_module *m)
{
	if (m->state != OTST_MODULE_UNFORMED)
		otst_once_or_null(o, &symbols, m);
	if (m->symbols_lack)
		otst_doubt(o, m->symbols_error, NULL);
}

int otst_module_symbol(struct otst *o, const struct otst_module *m, const char *name, uint64_t *ret)
{
	need_symbols(o, m);
	for (size_t i = 0; i < m->nr_symbols; i++) {
		if (!strcmp(m->symbols[i].name, name)) {
			*ret = m->symbols[i].addr;
			return 0;
		}
	}
	return otst_raise(o, OTST_ERR_LOOKUP, "no symbol %s in module %s", name, m->name);
}

int otst_module_symbols_each(struct otst *o, const struct otst_module *m, otst_symbol_fn *each,
			     void *priv)
{
	int err = 0;

	need_symbols(o, m);
	for (size_t i = 0; i < m->nr_symbols && !err; i++) {
		struct otst_sym sym = { .name = m->symbols[i].name,
					.module = m->name,
					.addr = m->symbols[i].addr };

		err = each(priv, &sym, otst_is_text(o, sym.addr) ? 't' : 'd');
	}
	return err;
}

const struct otst_module_range *otst_module_range_at(const struct otst_module *m, uint64_t addr)
{
	for (unsigned int i = 0; i < m->nr_ranges; i++) {
		if (addr - m->ranges[i].base < m->ranges[i].size)
			return &m->ranges[i];
	}
	return NULL;
}

bool otst_module_same_range(const struct otst_module *m, uint64_t a, uint64_t b)
{
	const struct otst_module_range *r = otst_module_range_at(m, a);

	return r && b - r->base < r->size;
}

/* how many symbols are at or before @addr */
static size_t count_up_to(const struct otst_module *m, uint64_t addr)
{
	return otst_count_up_to(m->symbols, m->nr_symbols, addr, addr);
}

/* takes the last of the first @n symbols; @end: where it ends if no other starts before that */
static void take_symbol(const struct otst_module *m, size_t n, uint64_t end, struct otst_sym *ret)
{
	size_t i = n - 1;

	/* of several names for one address the kernel takes the table's first */
	while (i && m->symbols[i - 1].addr == m->symbols[i].addr)
		i--;
	if (n < m->nr_symbols && m->symbols[n].addr < end)
		end = m->symbols[n].addr;
	ret->name = m->symbols[i].name;
	ret->module = m->name;
	ret->addr = m->symbols[i].addr;
	ret->size = end - ret->addr;
}

int otst_module_symbol_at(struct otst *o, const struct otst_module *m, uint64_t addr,
			  struct otst_sym *ret)
{
	const struct otst_module_range *r = otst_module_range_at(m, addr);
	size_t n;

	need_symbols(o, m);
	n = count_up_to(m, addr);
	/* without CONFIG_KALLSYMS_ALL there are no data symbols: a function must not name data */
	if (!r || !n || m->symbols[n - 1].addr < r->base)
		return OTST_ERR_LOOKUP;
	take_symbol(m, n, r->base + r->size, ret);
	return 0;
}

/*
 * A newer find_kallsyms_symbol(), which 6.12.117 has, looks only in the range of the
 * address. It needs the ranges of mem[]. Kernels since 6.4 have these as well, but at
 * first the older function: nothing in a dump tells the two apart.
 */
int otst_module_symbol_printed(struct otst *o, const struct otst_module *m, uint64_t addr,
			       struct otst_sym *ret)
{
	const struct otst_module_range *r = otst_module_range_at(m, addr);
	size_t n;

	if (otst_has_member(o, "module", "mem"))
		return otst_module_symbol_at(o, m, addr, ret);
	need_symbols(o, m);
	n = count_up_to(m, addr);
	/* a symbol must be above entry 0 of the table, which is at 0 */
	if (!r || !n || !m->symbols[n - 1].addr)
		return OTST_ERR_LOOKUP;
	take_symbol(m, n, m->text_end[r->init], ret);
	return 0;
}
