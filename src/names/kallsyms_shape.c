// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * kallsyms_shape.c - the kernel's symbol table where neither VMCOREINFO nor an image file
 * says where it is: up to Linux 6.0. scripts/kallsyms.c writes its parts one after the
 * other, each at a multiple of 8 bytes, and one leads to the next:
 *
 *	kallsyms_offsets	32 bits a symbol, then kallsyms_relative_base; or
 *	kallsyms_addresses	64 bits a symbol
 *	kallsyms_num_syms	their number
 *	kallsyms_names		the names, coded
 *	kallsyms_markers	offset of each 256th name: it begins with 0 and ascends
 *	kallsyms_token_table	256 strings, one after the other
 *	kallsyms_token_index	the offset of each of them, 16 bits: it begins with 0 and ascends
 *
 * The last part is searched for. What does not fit is not taken, and a table that fits
 * must then have the addresses that VMCOREINFO has (kallsyms.c).
 */
#include <inttypes.h>
#include <string.h>

#include "../base/engine.h"
#include "../memory/memory.h"
#include "../memory/scan.h"
#include "../memory/vmcoreinfo.h"
#include "kallsyms.h"

#define TOKENS	    256u
#define TOKEN_MAX   512u /* a token is part of a name */
#define INDEX_BYTES (2 * TOKENS)
#define GROUP	    256u	/* names for which there is one marker */
#define GROUP_LEAST (2 * GROUP) /* bytes of their codes: a name has a length and a type */
#define GROUP_MOST  (130 * GROUP)
#define MARKERS_MAX (1u << 14)

_Static_assert(INDEX_BYTES <= OTST_SCAN_BEHIND, "an index may begin at the end of a window");

/**
 * struct search - a search that goes on
 * @place: of the parts that the candidate at hand has so far
 * @found: @try took a place
 */
struct search {
	struct otst *o;
	int (*try)(void *priv, const struct otst_kallsyms_place *place);
	void *priv;
	uint64_t stext;
	struct otst_kallsyms_place place;
	struct otst_scan scan;
	bool found;
};

static uint64_t align_to_8(uint64_t n)
{
	return (n + 7) & ~(uint64_t)7;
}

/* ---- addresses ---- */

/* A base is the lowest address of the image; without one, the last address is in its place. */
static int try_addresses(struct search *s, uint64_t count)
{
	struct otst_kallsyms_place *p = &s->place;
	uint64_t base = 0;
	int err = otst_read_u64(s->o, p->num_syms - 8, &base);

	p->relative_base = p->offsets = p->addresses = 0;
	if (base <= s->stext && s->stext - base <= UINT32_MAX) {
		p->relative_base = p->num_syms - 8;
		p->offsets = p->relative_base - align_to_8(4 * count);
	} else {
		p->addresses = p->num_syms - 8 * count;
	}
	err = err ? err : s->try(s->priv, p);
	s->found = !err;
	return otst_scan_note(s->o, &s->scan, err, otst_message(s->o));
}

/* ---- names ---- */

/*
 * kallsyms_num_syms before names at @at. It is an unsigned long before Linux 80ffbaa5b1bd
 * ("kallsyms: reduce size a little on 64-bit") (v5.0), then an unsigned int and padding.
 */
static uint64_t count_before(const struct otst *o, const unsigned char *at)
{
	uint64_t first = otst_get(o, at - 8, 4), second = otst_get(o, at - 4, 4);

	if (first && second)
		return 0;
	return first ? first : otst_big_endian(o) ? second : 0;
}

/* The names before @end, of which the last group begins at @last, of @groups. */
static int try_names(struct search *s, uint64_t end, uint64_t last, uint64_t groups)
{
	unsigned char *buf = otst_alloc(s->o, GROUP_MOST + 16);
	const uint64_t top = end - last;
	uint64_t back, count;
	size_t got;
	int err;

	if (!buf)
		return otst_no_memory(s->o);
	err = otst_read_tail(s->o, top, buf, 0, GROUP_MOST + 16, &got);
	if (err)
		return err;
	for (back = 8; !err && !s->found && back + 8 <= got; back += 8) {
		s->place.names = (top - back + 7) & ~(uint64_t)7;
		count = count_before(s->o, buf + GROUP_MOST + 16 - (top - s->place.names));
		if (!count || (count + GROUP - 1) / GROUP != groups)
			continue;
		s->place.num_syms = s->place.names - 8;
		err = try_addresses(s, count);
	}
	if (err || s->found || got == GROUP_MOST + 16)
		return err;
	return otst_scan_note(s->o, &s->scan, OTST_ERR_FAULT,
			      otst_format(s->o, "kallsyms_names: cannot read below 0x%" PRIx64,
					  top - got));
}

/* ---- markers ---- */

/**
 * struct markers - kallsyms_markers, which end where the tokens begin
 * @raw: @len bytes up to their end
 */
struct markers {
	const unsigned char *raw;
	size_t len;
};

/* goes down to the first marker, which is 0; returns how many there are, 0 when these are none */
static uint64_t count_markers(const struct otst *o, const struct markers *m, size_t width,
			      uint64_t *last)
{
	uint64_t count = 1, above = 0, v;

	for (size_t at = m->len; at >= width && count <= MARKERS_MAX; at -= width, count++) {
		v = otst_get(o, m->raw + at - width, width);
		if (count == 1)
			*last = v;
		else if (above < v + GROUP_LEAST || above > v + GROUP_MOST)
			return 0;
		if (!v)
			return count;
		above = v;
	}
	return 0;
}

/* 64 bits a marker, with 0 as @pad, before Linux 80ffbaa5b1bd (v5.0); then 32 */
static int try_markers(struct search *s, const struct markers *all, size_t width, size_t pad)
{
	struct markers m = { all->raw, all->len - pad };
	uint64_t last, end, count;

	if (pad && otst_get(s->o, all->raw + m.len, pad))
		return 0;
	count = count_markers(s->o, &m, width, &last);
	end = s->place.token_table - pad - width * count;
	return count && !(end & 7) ? try_names(s, end, last, count) : 0;
}

/* a machine word holds two markers, or one and padding, or one of 64 bits */
static int find_markers(struct search *s)
{
	const size_t most = 8 * (size_t)MARKERS_MAX;
	unsigned char *buf = otst_alloc(s->o, most + 8);
	struct markers m;
	size_t got;
	int err;

	if (!buf)
		return otst_no_memory(s->o);
	err = otst_read_tail(s->o, s->place.token_table, buf, 8, most, &got);
	if (err)
		return otst_scan_note(s->o, &s->scan, err,
				      otst_format(s->o, "kallsyms_markers: %s",
						  otst_message(s->o)));
	m = (struct markers){ buf + most - got, got };
	err = try_markers(s, &m, 4, 0);
	if (!err && !s->found)
		err = try_markers(s, &m, 4, 4);
	if (!err && !s->found)
		err = try_markers(s, &m, 8, 0);
	return err;
}

/* ---- tokens ---- */

static bool is_word(const unsigned char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] <= ' ' || s[i] >= 0x7f)
			return false;
	}
	return true;
}

/* do 256 strings begin here that start where @index says, and end less than 8 bytes before @len */
static bool is_token_table(const struct otst *o, const unsigned char *table, size_t len,
			   const unsigned char *index)
{
	size_t i, at, end;

	for (i = 0; i < TOKENS; i++) {
		at = otst_get(o, index + 2 * i, 2);
		end = i + 1 < TOKENS ? otst_get(o, index + 2 * (i + 1), 2) :
				       at + strnlen((const char *)table + at, len - at) + 1;
		if (end > len || table[end - 1] || !is_word(table + at, end - 1 - at))
			return false;
	}
	for (at = end; at < len; at++) {
		if (table[at])
			return false;
	}
	return len - end < 8;
}

/* The tokens stand before their index, and the last one's length is not known. */
static int try_index(struct search *s, uint64_t addr, const unsigned char *index)
{
	const size_t last = otst_get(s->o, index + INDEX_BYTES - 2, 2);
	const size_t least = align_to_8(last + 1), most = align_to_8(last + TOKEN_MAX);
	unsigned char *buf = otst_alloc(s->o, most);
	size_t got, len;
	int err;

	if (!buf)
		return otst_no_memory(s->o);
	err = otst_read_tail(s->o, addr, buf, least, most, &got);
	for (len = least; !err && len <= got; len += 8) {
		if (!is_token_table(s->o, buf + most - len, len, index))
			continue;
		s->place = (struct otst_kallsyms_place){ .token_index = addr,
							 .token_table = addr - len };
		return find_markers(s);
	}
	return err && otst_fatal(err) ? err : 0;
}

static bool is_index(const struct otst *o, const unsigned char *p)
{
	uint64_t before = 0, at;

	if (p[0] || p[1])
		return false;
	for (size_t i = 1; i < TOKENS; i++, before = at) {
		at = otst_get(o, p + 2 * i, 2);
		if (at <= before || at - before > TOKEN_MAX)
			return false;
	}
	return true;
}

/* 1 ends the search: found */
static int look_for_kallsyms(void *priv, uint64_t addr, const unsigned char *data, size_t len,
			     size_t behind)
{
	struct search *s = priv;
	int err = 0;

	for (size_t at = 0; at < len && at + INDEX_BYTES <= len + behind && !err && !s->found;
	     at += 8) {
		if (is_index(s->o, data + at))
			err = try_index(s, addr + at, data + at);
	}
	return s->found ? 1 : err;
}

int otst_kallsyms_search(struct otst *o,
			 int (*try)(void *priv, const struct otst_kallsyms_place *place),
			 void *priv)
{
	struct search s = {
		.o = o, .try = try, .priv = priv, .scan = { .window = look_for_kallsyms }
	};
	int err = otst_vmcoreinfo_symbol(o, "_stext", &s.stext);

	s.scan.priv = &s;
	err = err ? err : otst_scan_image(o, &s.scan);
	return s.found ? 0 :
			 otst_scan_failed(o, &s.scan, err, "it was not found", " where it may be");
}
