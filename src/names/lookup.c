// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * lookup.c - does this kernel know a name that the user wrote: as a symbol, with
 * "module:" before it, as a module, as a glob over them. The answer is "no" only when
 * all names can be looked up; it comes with the names that are nearest.
 */
#include <fnmatch.h>
#include <string.h>

#include "../base/coverage.h"
#include "../base/engine.h"
#include "kallsyms.h"
#include "lookup.h"
#include "modules.h"
#include "symbols.h"

#define LONGEST 128u /* longest word that is compared letter by letter */
#define FAR	(LONGEST * 2)

/* ---- near names ---- */

static unsigned int least_of(unsigned int a, unsigned int b, unsigned int c)
{
	a = a < b ? a : b;
	return a < c ? a : c;
}

/*
 * The number of letters to insert, leave out, replace or swap with the next one; FAR
 * when that is more than @most.
 */
static unsigned int edit_distance(const char *a, size_t a_len, const char *b, size_t b_len,
				  unsigned int most)
{
	unsigned int rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *row = rows[2], *t;

	for (size_t j = 0; j <= b_len; j++)
		last[j] = (unsigned int)j;
	for (size_t i = 1; i <= a_len; i++) {
		unsigned int best = row[0] = (unsigned int)i;

		for (size_t j = 1; j <= b_len; j++) {
			row[j] = least_of(last[j] + 1, row[j - 1] + 1,
					  last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
			best = row[j] < best ? row[j] : best;
		}
		/* a swap reaches one row further back */
		if (best > most + 1)
			return FAR;
		t = before;
		before = last;
		last = row;
		row = t;
	}
	return last[b_len] <= most ? last[b_len] : FAR;
}

void otst_near_init(struct otst_near *n, const char *word)
{
	size_t len = strlen(word);

	*n = (struct otst_near){ .word = word, .len = len < LONGEST ? len : 0 };
	n->most = len < 3 ? 0 : len < 6 ? 1 : len < 10 ? 2 : 3;
}

static bool has_near(const struct otst_near *n, const char *name, size_t len)
{
	for (size_t i = 0; i < n->count; i++) {
		if (strlen(n->names[i]) == len && !memcmp(n->names[i], name, len))
			return true;
	}
	return false;
}

int otst_near_offer(struct otst *o, struct otst_near *n, const char *name)
{
	const char *dot = strchr(name, '.');
	size_t len = dot && dot != name ? (size_t)(dot - name) : strlen(name);
	size_t differ = len > n->len ? len - n->len : n->len - len;
	unsigned int d;

	if (!n->len || len > LONGEST || differ > n->most)
		return 0;
	d = edit_distance(n->word, n->len, name, len, n->most);
	if (d > n->most || !d)
		return 0;
	if (d < n->most || !n->count) {
		n->most = d;
		n->count = 0;
	}
	if (n->count == OTST_NEAR_NAMES || has_near(n, name, len))
		return 0;
	n->names[n->count] = otst_format(o, "%.*s", (int)len, name);
	return n->names[n->count++] ? 0 : otst_no_memory(o);
}

/* ---- can all names be looked up ---- */

static const char *or_memory(const char *why)
{
	return why ? why : "out of memory";
}

/* why the symbols of all modules are not known, or NULL */
static const char *modules_gap(struct otst *o)
{
	struct otst_module *const *m;
	int err = otst_modules(o, &m);

	/* a kernel that was built without modules has neither */
	if (err == OTST_ERR_LOOKUP && !otst_has_symbol(o, "modules") &&
	    !otst_has_symbol(o, "__module_address"))
		return NULL;
	if (err) {
		otst_modules(o, &m); /* its message again */
		return or_memory(otst_format(o, "the list of modules: %s", otst_message(o)));
	}
	if (otst_modules_error(o))
		return otst_modules_error(o);
	for (; *m; m++) {
		uint64_t addr;

		/* reads the symbols if they have not been read yet */
		otst_module_symbol(o, *m, "", &addr);
		if ((*m)->symbols_error)
			return (*m)->symbols_error;
		if (!(*m)->nr_symbols && (*m)->state != OTST_MODULE_UNFORMED)
			return or_memory(
				otst_format(o, "symbols of module %s are not known", (*m)->name));
	}
	return NULL;
}

/* a table without data symbols still has all functions */
static const char *kernel_gap(struct otst *o, bool list)
{
	if (!strcmp(otst_symbols_origin(o), "kallsyms"))
		return NULL;
	if (!otst_knows(o, OTST_KNOWS_SYMBOLS))
		return otst_symbols_gap(o);
	/* a log that is read as text comes without a kernel */
	if (!otst_has_symbol(o, "_stext") && !otst_has_symbol(o, "init_uts_ns"))
		return "no kernel's symbols are there";
	return list ? "the kernel's symbol table cannot be read" : NULL;
}

const char *otst_functions_gap(struct otst *o, bool list)
{
	struct doubts doubts = o->doubts;
	const char *why = kernel_gap(o, list);

	why = why ?: modules_gap(o);
	o->doubts = doubts;
	return why;
}

/* ---- one name ---- */

struct looking {
	struct otst *o;
	const char *word;
	const char *module; /* what stands before the colon, or NULL */
	const char *symbol;
	struct otst_near *near;
	bool found;
	bool variable;
};

static bool is_glob(const char *word)
{
	return word[strcspn(word, "*?[")] != '\0';
}

static bool is_function(char type)
{
	return type && strchr("tTwW", type);
}

/* 1 ends the list of symbols: found */
static int match_glob(void *priv, const struct otst_sym *sym, char type)
{
	struct looking *look = priv;

	(void)type;
	if (look->module && (!sym->module || fnmatch(look->module, sym->module, 0)))
		return 0;
	look->found = !fnmatch(look->symbol, sym->name, 0);
	return look->found;
}

static int offer_name(void *priv, const struct otst_sym *sym, char type)
{
	struct looking *look = priv;

	if (!is_function(type))
		return 0;
	if (look->module && (!sym->module || strcmp(look->module, sym->module)))
		return 0;
	return otst_near_offer(look->o, look->near, sym->name);
}

static int find_module(struct looking *look, const char *glob, bool *found)
{
	struct otst_module *const *m;
	int err = otst_modules(look->o, &m);

	*found = false;
	for (; !err && *m && !*found; m++)
		*found = !fnmatch(glob, (*m)->name, 0);
	return err && otst_fatal(err) ? err : 0;
}

static int find_glob(struct looking *look)
{
	int err = otst_symbols(look->o, match_glob, look);

	return err < 0 && otst_fatal(err) ? err : 0;
}

static int find_exact(struct looking *look)
{
	uint64_t addr;
	int err = otst_symbol_any(look->o, look->word, &addr);

	look->found = !err;
	look->variable = !err && !otst_is_text(look->o, addr);
	return err && otst_fatal(err) ? err : 0;
}

/* collects near names of symbols and modules; only fatal errors count */
static int collect_near(struct looking *look)
{
	struct otst_module *const *m;
	int err = otst_symbols(look->o, offer_name, look);

	if (err && otst_fatal(err))
		return err;
	if (look->module || otst_modules(look->o, &m))
		return 0;
	for (err = 0; *m && !err; m++)
		err = otst_near_offer(look->o, look->near, (*m)->name);
	return err;
}

/* "bpf_prog_6deef7357e7b4530_name": the kernel names such functions when they are loaded */
static bool is_program_name(const char *symbol)
{
	return !strncmp(symbol, "bpf_prog_", 9) && strspn(symbol + 9, "0123456789abcdef") == 16;
}

static int look_up_name(struct otst *o, const char *word, struct otst_lookup *ret)
{
	struct looking look = { .o = o, .word = word, .symbol = word };
	const char *colon = strchr(word, ':');
	bool glob = is_glob(word), module = false;
	int err = otst_check(o);

	*ret = (struct otst_lookup){ .glob = glob };
	if (colon) {
		look.module = otst_format(o, "%.*s", (int)(colon - word), word);
		look.symbol = colon + 1;
	}
	if (!err)
		err = find_module(&look, look.module ? look.module : word, &module);
	if (!err)
		err = glob ? find_glob(&look) : find_exact(&look);
	if (err)
		return err;
	ret->module_known = module;
	if (look.found || (module && !look.module)) {
		ret->known = OTST_KNOWN;
		ret->module = !look.found && !glob;
		ret->variable = look.variable && !module;
		return 0;
	}
	ret->why = is_program_name(look.symbol) ?
			   "functions of BPF programs are not looked through" :
			   otst_functions_gap(o, glob);
	err = otst_check(o);
	if (err)
		return err;
	ret->known = ret->why ? OTST_KNOWN_NOT_LOOKED : OTST_KNOWN_NOT;
	otst_near_init(&ret->near, look.symbol);
	look.near = &ret->near;
	return glob || (look.module && !module) ? 0 : collect_near(&look);
}

int otst_lookup(struct otst *o, const char *word, struct otst_lookup *ret)
{
	struct doubts doubts = o->doubts;
	int err = look_up_name(o, word, ret);

	/* a word that is not found casts no doubt on what the command has looked at */
	o->doubts = doubts;
	return err;
}

int otst_raise_unlisted(struct otst *o, const char *what, const char *word, size_t len,
			const char *help)
{
	const char *copy = otst_format(o, "%.*s", (int)len, word);

	if (!len)
		return otst_raise(o, OTST_ERR_USAGE,
				  "a %s is missing beside a comma; %s lists them", what, help);
	return otst_raise(o, OTST_ERR_USAGE, "no %s \"%s\"; %s lists them", what,
			  otst_clean(o, copy), help);
}
