// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * module_symbols.c - the symbol table of a module (struct mod_kallsyms), read as
 * kernel/module/kallsyms.c does.
 */
#include <inttypes.h>
#include <string.h>

#include "../base/coverage.h"
#include "../base/engine.h"
#include "../base/sorted.h"
#include "../memory/memory.h"
#include "../types/types.h"
#include "kallsyms.h"
#include "modules.h"
#include "symbols.h"

#define SYM_SIZE	   24 /* Elf64_Sym */
#define MAX_MODULE_SYMBOLS (1u << 20)
#define MAX_STRINGS	   (64u << 20)

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
	/* without CONFIG_KALLSYMS_ALL data has no symbols: it must not get a function's name */
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
