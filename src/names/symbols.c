// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * symbols.c - names to addresses and back: the kernel's own tables in the
 * dump (kallsyms, modules' symbol tables) first, because they give the names
 * that the kernel prints; then the front end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../base/coverage.h"
#include "../base/engine.h"
#include "../base/recorder.h"
#include "../base/text_buffer.h"
#include "../image/image.h"
#include "../memory/walk.h"
#include "kallsyms.h"
#include "modules.h"
#include "symbols.h"

/* addresses repeat: one handler serves many probes */
#define RECENT 4096u

/* @gap: why a symbol that is not found may exist all the same */
struct symbols {
	uint64_t reading;		/* the &otst.reading for which @recent is valid */
	struct otst_kallsyms *kallsyms; /* NULL when it cannot be read */
	const char *gap;
	uint64_t recent_addr[RECENT];
	struct otst_sym recent[RECENT];
};

bool otst_knows(struct otst *o, enum otst_knowledge what)
{
	if (o->ops.knows)
		return o->ops.knows(o->priv, what);
	return what == OTST_KNOWS_SYMBOLS && !o->ops.symbol && otst_image_has_symbols(o);
}

static int open_symbols(struct otst *o, const void *of, void *value)
{
	struct symbols *s = value;
	uint64_t addr;
	int err;

	(void)of;
	err = otst_kallsyms_open(o, &s->kallsyms);
	if (err && otst_fatal(err))
		return err;
	/* without a readable table, the front end's symbols are left */
	if (otst_knows(o, OTST_KNOWS_SYMBOLS))
		return 0;
	if (err == OTST_ERR_LOOKUP) {
		s->gap = "nothing says where the kernel's symbol table is";
	} else if (err) {
		s->gap = otst_keep_format(o, "the kernel's symbol table: %s", otst_message(o));
	} else if (otst_kallsyms_find(o, s->kallsyms, "_stext", &addr)) {
		s->gap = "the kernel's symbol table has no _stext";
	} else if (!otst_kallsyms_has_data(s->kallsyms)) {
		s->gap = "the kernel's symbol table has functions only";
	}
	return otst_stopped(o);
}

static void close_symbols(void *value)
{
	otst_kallsyms_close(((struct symbols *)value)->kallsyms);
}

static const struct otst_once symbols = { .size = sizeof(struct symbols),
					  .make = open_symbols,
					  .destroy = close_symbols };

/* NULL when the command has been stopped */
static struct symbols *get_symbols(struct otst *o)
{
	/* @recent is filled in behind a constant handle */
	return (struct symbols *)otst_once_or_null(o, &symbols, NULL);
}

int otst_target_symbol(struct otst *o, const char *name, uint64_t *ret)
{
	int err = otst_stopped(o);

	if (err)
		return err;
	err = o->ops.symbol ? otst_answer(o, o->ops.symbol(o->priv, name, ret)) :
			      otst_image_running_symbol(o, name, ret);
	if (err == OTST_ERR_LOOKUP)
		return otst_record(o, otst_raise(o, err, "no symbol %s in this kernel", name),
				   OTST_SOUGHT_SYMBOL, NULL, name);
	return err;
}

int otst_symbol(struct otst *o, const char *name, uint64_t *ret)
{
	struct symbols *s = get_symbols(o);
	int err;

	if (!s)
		return otst_stopped(o);
	if (s->kallsyms && !otst_kallsyms_find(o, s->kallsyms, name, ret))
		return 0;
	err = otst_target_symbol(o, name, ret);
	if (err == OTST_ERR_LOOKUP && s->gap)
		otst_doubt(o, s->gap, "the kernel's vmlinux");
	return err;
}

const char *otst_symbols_gap(struct otst *o)
{
	const struct symbols *s = get_symbols(o);

	return s ? s->gap : NULL;
}

static bool has_any(struct otst *o, const char *names)
{
	char name[64];
	size_t len;

	for (; *names; names += len + (names[len] == ' ')) {
		len = strcspn(names, " ");
		snprintf(name, sizeof(name), "%.*s", (int)len, names);
		if (otst_has_symbol(o, name))
			return true;
	}
	return false;
}

int otst_look_names(struct otst *o, const char *names, struct otst_coverage *ret)
{
	struct otst_look look = otst_look_begin(o);

	if (has_any(o, names)) {
		ret->looked = OTST_LOOKED_PRESENT;
		return otst_stopped(o);
	}
	return otst_look_end(o, &look,
			     otst_raise(o, OTST_ERR_LOOKUP, "no symbol %s in this kernel", names),
			     ret);
}

bool otst_has_witness(struct otst *o, const char *functions)
{
	const struct doubts before = o->doubts;
	bool has = o->recorder ? o->recorder->has(o->recorder->priv, functions) :
				 has_any(o, functions);

	o->doubts = before;
	return has;
}

int otst_doubt_absence(struct otst *o, int err, const char *witnesses)
{
	const char *why;

	if (err != OTST_ERR_LOOKUP || !witnesses)
		return err;
	why = otst_strdup(o, otst_message(o));
	if (otst_has_witness(o, witnesses))
		otst_doubt(o, why, NULL);
	return otst_raise(o, err, "%s", why);
}

bool otst_symbol_shared(struct otst *o, const char *name)
{
	struct symbols *s = get_symbols(o);

	return s && s->kallsyms && otst_kallsyms_shared(s->kallsyms, name);
}

bool otst_has_symbol(struct otst *o, const char *name)
{
	return otst_symbol_or0(o, name) != 0;
}

uint64_t otst_symbol_or0(struct otst *o, const char *name)
{
	uint64_t addr;

	return otst_symbol(o, name, &addr) ? 0 : addr;
}

int otst_symbol_any(struct otst *o, const char *name, uint64_t *ret)
{
	const char *colon = strchr(name, ':');
	struct otst_module *const *m;
	int err;

	if (!colon && !otst_symbol(o, name, ret))
		return 0;
	err = otst_modules(o, &m);
	if (err)
		return err;
	for (; *m; m++) {
		size_t len = strlen((*m)->name);

		if (colon && (len != (size_t)(colon - name) || memcmp((*m)->name, name, len)))
			continue;
		if (!otst_module_symbol(o, *m, colon ? colon + 1 : name, ret))
			return 0;
	}
	return otst_raise(o, OTST_ERR_LOOKUP, "no symbol %s in this kernel", name);
}

/* the front end's answer, its strings copied to the engine */
static void ask_target_symbol(struct otst *o, uint64_t addr, struct otst_sym *ret)
{
	struct otst_symbol s = { 0 };

	int err = OTST_ERR_LOOKUP;

	if (o->ops.symbol_at)
		err = otst_answer(o, o->ops.symbol_at(o->priv, addr, &s));
	else if (!o->ops.symbol)
		err = otst_image_symbol_at(o, addr, &s);
	if (err)
		return;
	s.name[sizeof(s.name) - 1] = '\0';
	s.module[sizeof(s.module) - 1] = '\0';
	ret->name = otst_keep_string(o, s.name);
	ret->module = *s.module ? otst_keep_string(o, s.module) : NULL;
	ret->addr = s.addr;
	ret->size = s.size;
}

static void look_up_symbol(struct otst *o, uint64_t addr, struct otst_sym *ret)
{
	struct symbols *c = get_symbols(o);
	const struct otst_module *m;

	if (c && c->kallsyms && !otst_kallsyms_at(o, c->kallsyms, addr, ret))
		return;
	m = otst_module_at(o, addr);
	if (m && !otst_module_symbol_at(o, m, addr, ret))
		return;
	if (!c || !c->kallsyms || m)
		ask_target_symbol(o, addr, ret);
	/* the front end may take the nearest symbol, whatever it belongs to */
	if (m && ret->name && !otst_module_same_range(m, addr, ret->addr))
		*ret = (struct otst_sym){ 0 };
	if (m && !ret->module)
		ret->module = m->name;
}

bool otst_sym_is_one_of(const struct otst_sym *sym, const char *const *names)
{
	if (!sym->name || sym->module)
		return false;
	while (*names && strcmp(sym->name, *names) != 0)
		names++;
	return *names;
}

bool otst_sym_is_part(const struct otst_sym *part, const struct otst_sym *whole)
{
	static const char *const suffixes[] = { ".cold", ".part.", ".constprop.", ".isra.",
						".llvm." };
	size_t i, len;

	if (!part->name || !whole->name || !part->module != !whole->module ||
	    (part->module && strcmp(part->module, whole->module) != 0))
		return false;
	len = strlen(whole->name);
	if (strncmp(part->name, whole->name, len) != 0)
		return false;
	for (i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		if (!strncmp(part->name + len, suffixes[i], strlen(suffixes[i])))
			return true;
	}
	return false;
}

void otst_symbolize(struct otst *o, uint64_t addr, struct otst_sym *ret)
{
	struct symbols *c = get_symbols(o);
	size_t slot = (addr * 0x9e3779b97f4a7c15u) >> 32 & (RECENT - 1);

	*ret = (struct otst_sym){ 0 };
	if (!otst_is_kernel_pointer(o, addr))
		return;
	if (c && c->reading != o->reading) {
		memset(c->recent_addr, 0, sizeof(c->recent_addr));
		c->reading = o->reading;
	}
	if (c && c->recent_addr[slot] == addr) {
		*ret = c->recent[slot];
		return;
	}
	look_up_symbol(o, addr, ret);
	if (c) {
		c->recent_addr[slot] = addr;
		c->recent[slot] = *ret;
	}
}

void otst_sym_printed(struct otst *o, uint64_t addr, struct otst_sym *sym)
{
	const struct otst_module *m = NULL;

	/* the kernel's own symbols come first */
	if (!sym->name || sym->module)
		m = otst_module_at(o, addr);
	if (m)
		otst_module_symbol_printed(o, m, addr, sym);
}

static void put_hex(struct otst_text *t, uint64_t v)
{
	otst_text_mem(t, "0x", 2);
	otst_text_hex(t, v, 1);
}

void otst_text_sym(struct otst_text *t, uint64_t addr, const struct otst_sym *sym,
		   unsigned int parts)
{
	if (!sym->name) {
		put_hex(t, addr);
		return;
	}
	otst_text_string(t, sym->name);
	if (parts & OTST_SYM_OFFSET) {
		otst_text_char(t, '+');
		put_hex(t, addr - sym->addr);
	}
	if (parts & OTST_SYM_SIZE) {
		otst_text_char(t, '/');
		put_hex(t, sym->size);
	}
	if (parts & OTST_SYM_MODULE && sym->module) {
		otst_text_mem(t, " [", 2);
		otst_text_string(t, sym->module);
		otst_text_char(t, ']');
	}
}

const char *otst_sym_format(struct otst *o, uint64_t addr, const struct otst_sym *sym,
			    unsigned int parts)
{
	struct otst_text t = { .o = o };
	const char *s;

	otst_text_sym(&t, addr, sym, parts);
	s = otst_text_done(&t);
	return s ? s : "?";
}

const char *otst_sym_name(struct otst *o, uint64_t addr, const struct otst_sym *sym)
{
	unsigned int offset = addr != sym->addr ? OTST_SYM_OFFSET : 0;

	if (sym->name || !sym->module)
		return otst_sym_format(o, addr, sym, offset | OTST_SYM_MODULE);
	return otst_format(o, "0x%" PRIx64 " [%s]", addr, sym->module);
}

const char *otst_name(struct otst *o, uint64_t addr)
{
	struct otst_sym sym;

	otst_symbolize(o, addr, &sym);
	return otst_sym_name(o, addr, &sym);
}

struct each {
	struct otst *o;
	otst_symbol_fn *each;
	void *priv;
};

static int give_image_symbol(void *priv, const char *name, uint64_t addr)
{
	const struct each *e = priv;
	const struct otst_sym sym = { .name = otst_clean(e->o, name), .addr = addr };

	return e->each(e->priv, &sym, '?');
}

/* the image file's, of which not all are in the kernel's own table; so not for a list of all */
int otst_kernel_symbols(struct otst *o, const char *prefix, otst_symbol_fn *each, void *priv)
{
	struct symbols *c = get_symbols(o);

	if (!c)
		return otst_stopped(o);
	if (!c->kallsyms && *prefix && !o->ops.symbol && otst_image_has_symbols(o))
		return otst_image_each(o, prefix, give_image_symbol,
				       &(struct each){ o, each, priv });
	if (!c->kallsyms)
		return otst_raise(o, OTST_ERR_LOOKUP, "the kernel's symbol table cannot be read");
	return otst_kallsyms_each(o, c->kallsyms, prefix, each, priv);
}

int otst_symbols(struct otst *o, otst_symbol_fn *each, void *priv)
{
	struct otst_module *const *m = NULL;
	int err = otst_kernel_symbols(o, "", each, priv);

	err = err ?: otst_modules(o, &m);
	for (; !err && *m; m++)
		err = otst_module_symbols_each(o, *m, each, priv);
	return err;
}

static int find_bounds(struct otst *o, const void *of, void *value)
{
	struct otst_text_bounds *b = value;

	(void)of;
	b->stext = otst_symbol_or0(o, "_stext");
	b->etext = otst_symbol_or0(o, "_etext");
	b->sinittext = otst_symbol_or0(o, "_sinittext");
	b->einittext = otst_symbol_or0(o, "_einittext");
	b->end = otst_symbol_or0(o, "_end");
	return 0;
}

const struct otst_text_bounds *otst_text_bounds(struct otst *o)
{
	static const struct otst_once bounds = { .size = sizeof(struct otst_text_bounds),
						 .make = find_bounds };
	static const struct otst_text_bounds none;
	const struct otst_text_bounds *b = otst_once_or_null(o, &bounds, NULL);

	return b ? b : &none;
}

bool otst_is_text(struct otst *o, uint64_t addr)
{
	const struct otst_module *m;

	if (otst_in_bounds(otst_text_bounds(o), addr))
		return true;
	m = otst_module_at(o, addr);
	for (unsigned int i = 0; m && i < m->nr_ranges; i++) {
		if (m->ranges[i].text && addr - m->ranges[i].base < m->ranges[i].size)
			return true;
	}
	return false;
}

const char *otst_symbols_origin(struct otst *o)
{
	struct symbols *c = get_symbols(o);

	return c && c->kallsyms ? "kallsyms" : "target";
}
