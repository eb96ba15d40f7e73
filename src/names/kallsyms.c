// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * kallsyms.c - the kernel's own symbol table, kernel/kallsyms.c: kallsyms_names holds
 * the names compressed with kallsyms_token_table, in the order of their addresses;
 * the addresses are stored in one of four ways. The result is the names that the
 * kernel itself prints, aliases and sizes included, without any debug information.
 *
 * VMCOREINFO says where the tables are since Linux 5fd8fea935a1 ("vmcoreinfo: include
 * kallsyms symbols") (v6.0); before that the image's symbols do, and without those they
 * are found by their shape (kallsyms_shape.c).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/engine.h"
#include "../memory/memory.h"
#include "../memory/scan.h"
#include "../memory/vmcoreinfo.h"
#include "kallsyms_table.h"
#include "symbols.h"

/* ---- names ---- */

/* expand a name without its type letter */
static size_t expand_name(const struct otst_kallsyms *k, size_t body, size_t len, char *ret)
{
	size_t n = 0;
	bool skipped = false;

	while (len--) {
		const char *t = k->token[k->names[body++]].text;

		for (; *t; t++) {
			if (!skipped)
				skipped = true;
			else if (n < OTST_NAME_MAX - 1)
				ret[n++] = *t;
		}
	}
	ret[n] = '\0';
	return n;
}

/* spreads the hash to all bits: a map uses the low ones */
static uint32_t spread_hash(uint32_t h)
{
	h = (h ^ h >> 15) * 0x85ebca6bu;
	return h ^ h >> 13;
}

static uint32_t hash_kallsyms_name(const char *name, size_t len)
{
	return spread_hash(otst_kallsyms_hash(0, name, len));
}

/* hash of a name without its type letter, from its codes; false when it has to be expanded */
static bool hash_codes(const struct otst_kallsyms *k, size_t body, size_t len, uint32_t *ret)
{
	const struct otst_kallsyms_token *t = len ? &k->token[k->names[body]] : NULL;
	uint32_t h;

	if (!t || !*t->text || t->has_dot)
		return false;
	h = t->tail;
	for (size_t i = 1; i < len; i++) {
		t = &k->token[k->names[body + i]];
		if (t->has_dot)
			return false;
		h = h * t->step + t->hash;
	}
	*ret = spread_hash(h);
	return true;
}

/* ---- look-ups ---- */

static size_t entry_of(const struct otst_kallsyms *k, uint32_t i, size_t *len)
{
	size_t off = k->marker[i >> OTST_KALLSYMS_SHIFT], body = 0, next;
	uint32_t skip;

	*len = 0;
	for (skip = i & ((1u << OTST_KALLSYMS_SHIFT) - 1);; skip--) {
		next = otst_kallsyms_next(k, off, &body, len);
		if (!next || !skip)
			return next ? body : 0;
		off = next;
	}
}

/* length of @name without a compiler suffix */
static size_t plain_length(const char *name, size_t len)
{
	const char *dot = memchr(name, '.', len);

	return dot && dot != name ? (size_t)(dot - name) : len;
}

/* true if the symbol is called @name or, if @appended, @name with a compiler suffix */
static bool is_called(const struct otst_kallsyms *k, uint32_t i, const char *name, size_t want,
		      bool appended)
{
	char found[OTST_NAME_MAX];
	size_t len, body = entry_of(k, i, &len), n = body ? expand_name(k, body, len, found) : 0;

	return body && (n == want || (appended && plain_length(found, n) == want)) &&
	       !memcmp(found, name, want);
}

/*
 * Thousands of variables have the same name, and more when compiler suffixes are left
 * out. No question needs more than the first two of them.
 */
static void add_name(struct otst_kallsyms *k, uint32_t i, uint32_t hash, const char *name,
		     size_t len, bool appended)
{
	size_t slot = SIZE_MAX, same = 0;
	uint32_t other;

	while (same < (appended ? 1 : 2) && (other = otst_names_find(&k->index, hash, &slot)))
		same += is_called(k, other - 1, name, len, appended);
	if (same < (appended ? 1 : 2))
		otst_names_add(&k->index, hash, i + 1);
}

static int make_index(struct otst *o, struct otst_kallsyms *k)
{
	char name[OTST_NAME_MAX];
	size_t off = 0, body = 0, len = 0, n, plain, slot;
	uint32_t i, hash;

	if (otst_names_init(&k->index, (size_t)k->count + k->count / 8))
		return otst_no_memory(o);
	for (i = 0; i < k->count; i++) {
		off = otst_kallsyms_next(k, off, &body, &len);
		slot = SIZE_MAX;
		if (hash_codes(k, body, len, &hash) && !otst_names_find(&k->index, hash, &slot)) {
			otst_names_add(&k->index, hash, i + 1);
			continue;
		}
		n = expand_name(k, body, len, name);
		plain = plain_length(name, n);
		add_name(k, i, hash_kallsyms_name(name, n), name, n, false);
		if (plain != n)
			add_name(k, i, hash_kallsyms_name(name, plain), name, plain, true);
	}
	k->index_made = true;
	return 0;
}

/* is there a symbol of exactly this name; the index is made */
static bool is_exact(const struct otst_kallsyms *k, const char *name)
{
	size_t slot = SIZE_MAX, want = strlen(name);
	uint32_t i, hash = hash_kallsyms_name(name, want);

	while ((i = otst_names_find(&k->index, hash, &slot))) {
		if (is_called(k, i - 1, name, want, false))
			return true;
	}
	return false;
}

bool otst_kallsyms_shared(struct otst_kallsyms *k, const char *name)
{
	size_t slot = SIZE_MAX, want = strlen(name);
	uint32_t i, hash = hash_kallsyms_name(name, want);
	unsigned int count = 0;

	while (k->index_made && (i = otst_names_find(&k->index, hash, &slot)))
		count += is_called(k, i - 1, name, want, false);
	return count > 1;
}

int otst_kallsyms_find(struct otst *o, struct otst_kallsyms *k, const char *name, uint64_t *ret)
{
	size_t slot = SIZE_MAX, want = strlen(name);
	uint32_t i, hash = hash_kallsyms_name(name, want), plain = 0;
	int err;

	if (!k->index_made) {
		err = make_index(o, k);
		if (err)
			return err;
	}
	while ((i = otst_names_find(&k->index, hash, &slot))) {
		if (is_called(k, i - 1, name, want, false)) {
			*ret = k->addr[i - 1];
			return 0;
		}
		if (!plain && is_called(k, i - 1, name, want, true))
			plain = i;
	}
	if (!plain)
		return otst_raise(o, OTST_ERR_LOOKUP, "no symbol %s in this kernel", name);
	*ret = k->addr[plain - 1];
	return 0;
}

int otst_kallsyms_at(struct otst *o, struct otst_kallsyms *k, uint64_t addr, struct otst_sym *ret)
{
	uint32_t low = 0, high = k->count;
	size_t body, len;
	char name[OTST_NAME_MAX];
	uint64_t end;

	if (addr < k->text_start || addr >= k->text_end)
		return OTST_ERR_LOOKUP;
	while (high - low > 1) {
		uint32_t mid = low + (high - low) / 2;

		if (k->addr[mid] <= addr)
			low = mid;
		else
			high = mid;
	}
	if (k->addr[low] > addr)
		return OTST_ERR_LOOKUP;
	for (high = low + 1; high < k->count && k->addr[high] == k->addr[low]; high++)
		;
	end = high < k->count ? k->addr[high] : k->text_end;
	/* of several names for one address the kernel takes the first */
	while (low && k->addr[low - 1] == k->addr[low])
		low--;
	body = entry_of(k, low, &len);
	if (!body)
		return OTST_ERR_LOOKUP;
	expand_name(k, body, len, name);
	ret->name = otst_keep_string(o, name);
	if (!ret->name)
		return OTST_ERR_NOMEM;
	ret->module = NULL;
	ret->addr = k->addr[low];
	ret->size = end - k->addr[low];
	return 0;
}

/* does a name, without its type letter, begin with @prefix; does not expand the name */
static bool begins_with(const struct otst_kallsyms *k, size_t body, size_t len, const char *prefix)
{
	bool skipped = false;

	for (; *prefix && len; len--) {
		const char *t = k->token[k->names[body++]].text;

		if (*t && !skipped) {
			skipped = true;
			t++;
		}
		for (; *t && *prefix; t++) {
			if (*t != *prefix++)
				return false;
		}
	}
	return !*prefix;
}

int otst_kallsyms_each(struct otst *o, struct otst_kallsyms *k, const char *prefix,
		       otst_symbol_fn *each, void *priv)
{
	char name[OTST_NAME_MAX];
	struct otst_sym sym = { 0 };
	size_t off = 0, body = 0, len = 0;
	int err = 0;

	for (uint32_t i = 0; i < k->count && !err; i++) {
		char type;

		off = otst_kallsyms_next(k, off, &body, &len);
		type = len ? *k->token[k->names[body]].text : '\0';
		if (!begins_with(k, body, len, prefix) || !expand_name(k, body, len, name))
			continue;
		sym.name = otst_clean(o, name);
		sym.addr = k->addr[i];
		err = each(priv, &sym, type > ' ' && type <= '~' ? type : '?');
	}
	return err;
}

/*
 * Without CONFIG_KALLSYMS_ALL the table has only text symbols. Where the text ends there
 * may still be a global data symbol, so only static ones prove that there is data.
 */
bool otst_kallsyms_has_data(const struct otst_kallsyms *k)
{
	size_t off = 0, body = 0, len = 0;

	for (uint32_t i = 0; i < k->count; i++) {
		off = otst_kallsyms_next(k, off, &body, &len);
		if (len && *k->token[k->names[body]].text &&
		    strchr("bd", *k->token[k->names[body]].text))
			return true;
	}
	return false;
}

static int open_place(struct otst *o, const struct otst_kallsyms_place *place,
		      struct otst_kallsyms **ret)
{
	struct otst_kallsyms *k;
	int err = otst_kallsyms_read(o, place, &k);

	if (err)
		return err;
	/* kernel/kallsyms.c, is_ksym_addr(): other addresses are looked for in modules */
	k->text_end = UINT64_MAX;
	if (otst_kallsyms_find(o, k, "_stext", &k->text_start))
		k->text_start = 0;
	if (otst_kallsyms_find(o, k, "_end", &k->text_end))
		k->text_end = k->addr[k->count - 1] + 1;
	*ret = k;
	return 0;
}

/* ---- where it is ---- */

static int find_kallsyms_table(struct otst *o, const char *name, uint64_t *ret)
{
	if (!otst_vmcoreinfo_symbol(o, name, ret))
		return 0;
	return otst_target_symbol(o, name, ret);
}

static int find_kallsyms_place(struct otst *o, struct otst_kallsyms_place *ret)
{
	int err;

	*ret = (struct otst_kallsyms_place){ 0 };
	err = find_kallsyms_table(o, "kallsyms_num_syms", &ret->num_syms);
	err = err ?: find_kallsyms_table(o, "kallsyms_token_table", &ret->token_table);
	err = err ?: find_kallsyms_table(o, "kallsyms_token_index", &ret->token_index);
	err = err ?: find_kallsyms_table(o, "kallsyms_names", &ret->names);
	if (err)
		return err;
	if (find_kallsyms_table(o, "kallsyms_relative_base", &ret->relative_base))
		ret->relative_base = 0;
	if (!find_kallsyms_table(o, "kallsyms_offsets", &ret->offsets) ||
	    !find_kallsyms_table(o, "kallsyms_addresses", &ret->addresses))
		return 0;
	return otst_raise(o, OTST_ERR_LOOKUP, "neither kallsyms_offsets nor kallsyms_addresses");
}

/** struct check - a table that was found by its shape, against what VMCOREINFO says */
struct check {
	struct otst *o;
	struct otst_kallsyms *k;
	uint64_t stext;
	bool proved;
};

/* 1 ends the comparison: the table says something else */
static int compare_symbol(void *priv, const char *name, const char *value)
{
	struct check *c = priv;
	uint64_t want = strtoull(value, NULL, 16), addr;

	/* not an address of the image: SYMBOL(mem_section) is the value of that pointer */
	if (want - c->stext >= OTST_IMAGE_MAX || otst_kallsyms_find(c->o, c->k, name, &addr))
		return 0;
	if (addr == want) {
		c->proved |= !strcmp(name, "_stext");
		return 0;
	}
	/* of several symbols with this name it may be another one */
	return !otst_kallsyms_shared(c->k, name) && is_exact(c->k, name);
}

static int try_place(void *priv, const struct otst_kallsyms_place *place)
{
	struct check *c = priv;
	int err = open_place(c->o, place, &c->k);

	if (err)
		return err;
	if (!otst_vmcoreinfo_each(c->o, "SYMBOL", compare_symbol, c) && c->proved)
		return 0;
	otst_kallsyms_close(c->k);
	c->k = NULL;
	return otst_raise(c->o, OTST_ERR_CORRUPT, "VMCOREINFO has other addresses");
}

int otst_kallsyms_open(struct otst *o, struct otst_kallsyms **ret)
{
	struct otst_kallsyms_place place;
	struct check c = { .o = o };
	int err = find_kallsyms_place(o, &place);

	if (!err)
		return open_place(o, &place, ret);
	/* a kernel without kallsyms, when all its symbols are known */
	if (err != OTST_ERR_LOOKUP || otst_knows(o, OTST_KNOWS_SYMBOLS) ||
	    otst_vmcoreinfo_symbol(o, "_stext", &c.stext))
		return err;
	err = otst_kallsyms_search(o, try_place, &c);
	if (!err)
		*ret = c.k;
	return err;
}
