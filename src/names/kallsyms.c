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
#include "../base/hash.h"
#include "../memory/memory.h"
#include "../memory/scan.h"
#include "../memory/vmcoreinfo.h"
#include "kallsyms.h"
#include "symbols.h"

#define MAX_SYMBOLS  (4u << 20)
#define NAMES_CHUNK  (64u << 10) /* read at a time after the first guess */
#define TOKENS	     256
#define MARKER_SHIFT 4 /* one marker for 16 names */

/* the hash of a name is made from those of its tokens: the name need not be expanded */
#define HASH_STEP 16777619u

/**
 * struct token - what a code in kallsyms_names stands for
 * @hash: of @text; @tail: of @text without its first character
 * @step: HASH_STEP to the power of the length of @text
 */
struct token {
	const char *text;
	uint32_t hash;
	uint32_t tail;
	uint32_t step;
	bool has_dot;
};

/* @place: where the kernel has it */
struct otst_kallsyms {
	struct otst_kallsyms_place place;
	uint32_t count;
	uint64_t *addr; /* [count], ascending */
	unsigned char *names;
	size_t names_len;
	uint32_t *marker; /* offset of each 16th name */
	struct token token[TOKENS];
	char *token_table;
	uint64_t text_start, text_end; /* _stext .. _end: where the kernel uses this table */
	struct otst_names index;
	bool index_made;
};

static int read_block(struct otst *o, uint64_t addr, size_t len, void *ret)
{
	void *buf = malloc(len ? len : 1);
	int err = buf ? otst_read(o, addr, buf, len) : otst_no_memory(o);

	if (err)
		free(buf);
	else
		*(void **)ret = buf;
	return err;
}

/* ---- names ---- */

/* offset after the entry at @off, or 0 when the entry leaves the table */
static size_t next_entry(const struct otst_kallsyms *k, size_t off, size_t *body, size_t *len)
{
	size_t n;

	if (off >= k->names_len)
		return 0;
	n = k->names[off++];
	/*
	 * Linux 73bbb94466fd ("kallsyms: support "big" kernel symbols") (v6.1)
	 * spends a second length byte on names of more than 127 codes.
	 */
	if (n & 0x80) {
		if (off >= k->names_len)
			return 0;
		n = (n & 0x7f) | (size_t)k->names[off++] << 7;
	}
	if (n > k->names_len - off)
		return 0;
	*body = off;
	*len = n;
	return off + n;
}

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

static uint32_t hash_on(uint32_t h, const char *s, size_t len)
{
	while (len--)
		h = h * HASH_STEP + (unsigned char)*s++;
	return h;
}

/* spreads the hash to all bits: a map uses the low ones */
static uint32_t spread_hash(uint32_t h)
{
	h = (h ^ h >> 15) * 0x85ebca6bu;
	return h ^ h >> 13;
}

static uint32_t hash_kallsyms_name(const char *name, size_t len)
{
	return spread_hash(hash_on(0, name, len));
}

/* hash of a name without its type letter, from its codes; false when it has to be expanded */
static bool hash_codes(const struct otst_kallsyms *k, size_t body, size_t len, uint32_t *ret)
{
	const struct token *t = len ? &k->token[k->names[body]] : NULL;
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

static void set_token(struct token *t, const char *text)
{
	size_t i, len = strlen(text);

	t->text = text;
	t->hash = hash_on(0, text, len);
	t->tail = len ? hash_on(0, text + 1, len - 1) : 0;
	t->step = 1;
	for (i = 0; i < len; i++)
		t->step *= HASH_STEP;
	t->has_dot = memchr(text, '.', len);
}

static int read_tokens(struct otst *o, struct otst_kallsyms *k)
{
	const uint64_t table = k->place.token_table, at = k->place.token_index;
	unsigned char index[TOKENS * 2];
	size_t len, i;
	int err = otst_read(o, at, index, sizeof(index));

	if (err)
		return err;
	/* the last token starts where the index says and is short */
	len = otst_get(o, index + 2 * (TOKENS - 1), 2) + 256;
	if (at > table && at - table < len)
		len = at - table;
	k->token_table = calloc(1, len + 1);
	err = otst_read(o, table, k->token_table, len);
	if (err)
		return err;
	for (i = 0; i < TOKENS; i++) {
		size_t off = otst_get(o, index + 2 * i, 2);

		set_token(&k->token[i], off < len ? k->token_table + off : "");
	}
	return 0;
}

/* read up to @chunk more bytes of the names, less where the dump ends before that */
static int read_more_names(struct otst *o, struct otst_kallsyms *k, size_t chunk)
{
	unsigned char *more = realloc(k->names, k->names_len + chunk);
	size_t got;
	int err;

	if (!more)
		return otst_no_memory(o);
	k->names = more;
	err = otst_read_head(o, k->place.names + k->names_len, more + k->names_len, 1, chunk, &got);
	if (err)
		return otst_fail(o, err, "kallsyms_names");
	k->names_len += got;
	return 0;
}

/*
 * The length of kallsyms_names is stored nowhere: read as much as the names
 * usually need, then more until the last one is complete.
 */
static int read_kallsyms_names(struct otst *o, struct otst_kallsyms *k)
{
	size_t chunk = (size_t)k->count * 14 + OTST_CHUNK, off = 0, body = 0, len = 0;
	uint32_t i = 0;
	int err;

	k->marker = calloc((k->count >> MARKER_SHIFT) + 1, sizeof(*k->marker));
	if (!k->marker)
		return otst_no_memory(o);
	while (i < k->count) {
		size_t next = next_entry(k, off, &body, &len);

		if (next) {
			if (!(i & ((1u << MARKER_SHIFT) - 1)))
				k->marker[i >> MARKER_SHIFT] = (uint32_t)off;
			off = next;
			i++;
			continue;
		}
		if (k->names_len > (size_t)k->count * OTST_NAME_MAX)
			return otst_raise(o, OTST_ERR_CORRUPT, "kallsyms_names has no end");
		err = read_more_names(o, k, chunk);
		if (err)
			return err;
		chunk = NAMES_CHUNK;
	}
	return 0;
}

/* ---- markers: the offset of each 256th name, 32 bits since 5.0 ---- */

#define MARKED	   256u
#define LEAST_NAME 2u	/* a length, a type */
#define MOST_NAME  130u /* as kallsyms_shape.c */

static bool are_markers(const struct otst *o, const unsigned char *raw, size_t count)
{
	uint64_t last = 0, at;

	for (size_t i = 0; i < count; i++, last = at) {
		at = otst_get(o, raw + 4 * i, 4);
		if (i ? at < last + MARKED * LEAST_NAME || at > last + MARKED * MOST_NAME : at)
			return false;
	}
	return true;
}

static int compare_markers(struct otst *o, const struct otst_kallsyms *k, const unsigned char *raw,
			   size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (otst_get(o, raw + 4 * i, 4) != k->marker[i * MARKED >> MARKER_SHIFT])
			return otst_raise(o, OTST_ERR_CORRUPT,
					  "kallsyms_names is damaged between its names %zu and %zu "
					  "of %" PRIu32,
					  (i - 1) * MARKED, i * MARKED, k->count);
	}
	return 0;
}

/*
 * They lie before the tokens; in kernels since 6.2 the order of the names, 3 bytes a name, may lie
 * between. Where nothing looks like them, nothing is compared.
 */
static int check_markers(struct otst *o, const struct otst_kallsyms *k)
{
	const size_t count = (k->count + MARKED - 1) / MARKED, size = (4 * count + 7) & -(size_t)8;
	const size_t order = (3 * (size_t)k->count + 7) & -(size_t)8;
	const uint64_t ends[] = { k->place.token_table, k->place.token_table - order };
	unsigned char *raw = malloc(size);
	int err = raw ? 0 : otst_no_memory(o);

	for (size_t i = 0; i < 2 && !err; i++) {
		if (otst_read(o, ends[i] - size, raw, size) || !are_markers(o, raw, count))
			continue;
		err = compare_markers(o, k, raw, count);
		break;
	}
	free(raw);
	return err ?: otst_stopped(o);
}

/* ---- addresses ---- */

static int read_absolute(struct otst *o, struct otst_kallsyms *k)
{
	unsigned char *raw = NULL;
	int err = read_block(o, k->place.addresses, (size_t)k->count * 8, &raw);

	if (err)
		return otst_fail(o, err, "kallsyms_addresses");
	for (uint32_t i = 0; i < k->count; i++)
		k->addr[i] = otst_get(o, raw + 8 * (size_t)i, 8);
	free(raw);
	return 0;
}

/*
 * 32-bit values, newest way first: relative to the place of the value itself
 * (no kallsyms_relative_base); relative to the base, where negative values
 * count down from it and others are absolute per-cpu addresses
 * (CONFIG_KALLSYMS_ABSOLUTE_PERCPU, up to 6.14); relative to the base.
 */
static int read_offsets(struct otst *o, struct otst_kallsyms *k)
{
	const uint64_t at = k->place.offsets;
	const bool self = !k->place.relative_base;
	uint64_t base = 0;
	bool percpu = false;
	unsigned char *raw = NULL;
	int err;

	if (!self) {
		err = otst_read_u64(o, k->place.relative_base, &base);
		if (err)
			return otst_fail(o, err, "kallsyms_relative_base");
	}
	err = read_block(o, at, (size_t)k->count * 4, &raw);
	if (err)
		return otst_fail(o, err, "kallsyms_offsets");
	for (uint32_t i = 0; !self && i < k->count && !percpu; i++)
		percpu = otst_get(o, raw + 4 * (size_t)i, 4) >> 31;
	for (uint32_t i = 0; i < k->count; i++) {
		uint32_t v = (uint32_t)otst_get(o, raw + 4 * (size_t)i, 4);

		if (self)
			k->addr[i] = at + 4 * (uint64_t)i + (uint64_t)(int64_t)(int32_t)v;
		else if (!percpu)
			k->addr[i] = base + v;
		else if ((int32_t)v < 0)
			k->addr[i] = base - 1 - (uint64_t)(int64_t)(int32_t)v;
		else
			k->addr[i] = v;
	}
	free(raw);
	return 0;
}

static int read_addresses(struct otst *o, struct otst_kallsyms *k)
{
	int err;

	k->addr = calloc(k->count, sizeof(*k->addr));
	if (!k->addr)
		return otst_no_memory(o);
	err = k->place.offsets ? read_offsets(o, k) : read_absolute(o, k);
	if (err)
		return err;
	for (uint32_t i = 1; i < k->count; i++) {
		if (k->addr[i] < k->addr[i - 1])
			return otst_raise(o, OTST_ERR_CORRUPT, "kallsyms addresses are not sorted");
	}
	return 0;
}

/* ---- look-ups ---- */

static size_t entry_of(const struct otst_kallsyms *k, uint32_t i, size_t *len)
{
	size_t off = k->marker[i >> MARKER_SHIFT], body = 0, next;
	uint32_t skip;

	*len = 0;
	for (skip = i & ((1u << MARKER_SHIFT) - 1);; skip--) {
		next = next_entry(k, off, &body, len);
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
		off = next_entry(k, off, &body, &len);
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

		off = next_entry(k, off, &body, &len);
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
		off = next_entry(k, off, &body, &len);
		if (len && *k->token[k->names[body]].text &&
		    strchr("bd", *k->token[k->names[body]].text))
			return true;
	}
	return false;
}

/* Up to 4.20 it is an unsigned long, whose lower half comes last on big-endian machines. */
static int read_count(struct otst *o, struct otst_kallsyms *k)
{
	int err = otst_read_u32(o, k->place.num_syms, &k->count);

	if (!err && !k->count && otst_big_endian(o))
		err = otst_read_u32(o, k->place.num_syms + 4, &k->count);
	if (err)
		return otst_fail(o, err, "kallsyms_num_syms");
	if (!k->count || k->count > MAX_SYMBOLS)
		return otst_raise(o, OTST_ERR_CORRUPT, "kallsyms_num_syms is %" PRIu32, k->count);
	return 0;
}

static int open_place(struct otst *o, const struct otst_kallsyms_place *place,
		      struct otst_kallsyms **ret)
{
	struct otst_kallsyms *k = calloc(1, sizeof(*k));
	int err;

	if (!k)
		return otst_no_memory(o);
	k->place = *place;
	err = read_count(o, k);
	err = err ?: read_tokens(o, k);
	err = err ?: read_kallsyms_names(o, k);
	err = err ?: check_markers(o, k);
	err = err ?: read_addresses(o, k);
	if (err) {
		otst_kallsyms_close(k);
		return err;
	}
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

void otst_kallsyms_close(struct otst_kallsyms *k)
{
	if (!k)
		return;
	free(k->addr);
	free(k->names);
	free(k->marker);
	free(k->token_table);
	otst_names_deinit(&k->index);
	free(k);
}
