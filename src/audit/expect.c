// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * expect.c - an image's text in three copies: as built, as the records make
 * it, as found; and what all classes of differences do with them.
 */
#include <inttypes.h>
#include <string.h>

#include "../image/image.h"
#include "expect.h"

#define CHUNK (1u << 20)

/* how many of these bytes are to be compared */
static size_t count_asked(const struct otst_expect *e, uint64_t addr, size_t len)
{
	const struct otst_audit_range *r = e->out->only;
	size_t n = e->out->nr_only ? 0 : len;

	for (size_t i = 0; i < e->out->nr_only; i++) {
		uint64_t begin = addr > r[i].begin ? addr : r[i].begin,
			 end = addr + len < r[i].end ? addr + len : r[i].end;

		n += begin < end ? end - begin : 0;
	}
	return n;
}

static bool is_in(const struct otst_expect_part *p, uint64_t addr, size_t len)
{
	return addr >= p->addr && len <= p->size && addr - p->addr <= p->size - len;
}

static struct otst_expect_part *part_of(const struct otst_expect *e, uint64_t addr, size_t len)
{
	/* nearly all entries of a table are in the first part */
	for (size_t i = 0; i < e->nr_parts; i++) {
		if (is_in(&e->parts[i], addr, len))
			return &e->parts[i];
	}
	return NULL;
}

uint8_t *otst_expect_now(const struct otst_expect *e, uint64_t addr, size_t len)
{
	const struct otst_expect_part *p = part_of(e, addr, len);

	return p ? p->now + (addr - p->addr) : NULL;
}

const uint8_t *otst_expect_built(const struct otst_expect *e, uint64_t addr, size_t len)
{
	const struct otst_expect_part *p = part_of(e, addr, len);

	return p ? p->built + (addr - p->addr) : NULL;
}

uint8_t *otst_expect_found(const struct otst_expect *e, uint64_t addr, size_t len)
{
	const struct otst_expect_part *p = part_of(e, addr, len);

	return p && p->found ? p->found + (addr - p->addr) : NULL;
}

bool otst_expect_missing(const struct otst_expect *e, uint64_t addr, size_t len)
{
	const struct otst_expect_part *p = part_of(e, addr, len);
	size_t at = p ? addr - p->addr : 0;

	return p && p->found && !(p->have[at / OTST_CHUNK] && p->have[(at + len - 1) / OTST_CHUNK]);
}

size_t otst_expect_relocated(const struct otst_expect *e, uint64_t addr, const uint8_t *expected,
			     const uint8_t *found, size_t len, size_t at, size_t *from)
{
	return e->arch->relocated ? e->arch->relocated(e, addr, expected, found, len, at, from) : 0;
}

bool otst_expect_fits(const struct otst_expect *e, uint64_t addr, const uint8_t *bytes, size_t len)
{
	const uint8_t *found = otst_expect_found(e, addr, len);
	size_t i, end, from;

	if (!found)
		return false;
	if (!memcmp(bytes, found, len))
		return true;
	for (i = 0; i < len; i++) {
		if (bytes[i] == found[i])
			continue;
		end = otst_expect_relocated(e, addr, bytes, found, len, i, &from);
		if (!end)
			return false;
		i = end - 1;
	}
	return true;
}

static void push_place(struct otst_expect *e, struct otst_vec *to,
		       const struct otst_audit_place *place)
{
	struct otst_audit_place *p = otst_vec_push(e->o, to, sizeof(*p));

	*p = *place;
}

static void count_place(struct otst_expect *e, const struct otst_audit_place *place)
{
	e->out->count[place->difference]++;
	if (e->out->want_places)
		push_place(e, &e->out->places, place);
}

void otst_expect_leads(struct otst_expect *e, uint64_t addr, uint64_t to)
{
	const struct otst_audit_place p = { addr, sizeof(to), OTST_DIFF_DATA_POINTER, to };

	count_place(e, &p);
}

void otst_expect_place(struct otst_expect *e, enum otst_difference d, uint64_t addr, size_t len)
{
	const struct otst_audit_place p = { addr, (uint32_t)len, d, 0 };

	count_place(e, &p);
}

void otst_expect_set(struct otst_expect *e, enum otst_difference d, uint64_t addr,
		     const uint8_t *bytes, size_t len)
{
	const struct otst_audit_place place = { addr, (uint32_t)len, d, 0 };
	struct otst_expect_part *p = part_of(e, addr, len);
	uint8_t *now;

	if (!p)
		return;
	now = p->now + (addr - p->addr);
	if (!memcmp(now, bytes, len))
		return;
	memcpy(now, bytes, len);
	if (e->data)
		return;
	push_place(e, &e->patches, &place);
	if (p->found)
		count_place(e, &place);
}

void otst_expect_unknown(struct otst_expect *e, uint64_t addr, size_t len)
{
	struct otst_expect_part *p = part_of(e, addr, len);

	if (p && p->found)
		memcpy(p->now + (addr - p->addr), p->found + (addr - p->addr), len);
}

int otst_expect_lost(struct otst_expect *e, uint64_t addr, size_t len, const char *what,
		     uint64_t record)
{
	otst_expect_unknown(e, addr, len);
	if (len && !count_asked(e, addr, len))
		return 0;
	return otst_note(e->o, &e->out->errors,
			 otst_fail(e->o, OTST_ERR_FAULT, "%s 0x%" PRIx64, what, record));
}

int otst_expect_absent(struct otst_expect *e, int err, const char *witnesses)
{
	uint64_t before = otst_doubts(e->o);

	err = otst_doubt_absence(e->o, err, witnesses);
	if (err != OTST_ERR_LOOKUP)
		return err;
	if (otst_doubts(e->o) > before) /* it has a witness */
		e->out->unread = otst_strdup(e->o, otst_message(e->o));
	return 0;
}

int otst_expect_unread(struct otst_expect *e, int err, const char *what)
{
	err = otst_note(e->o, &e->out->errors, otst_fail(e->o, err, "%s", what));
	e->out->unread = otst_strdup(e->o, otst_message(e->o));
	return err;
}

void otst_expect_set_word(struct otst_expect *e, enum otst_difference d, uint64_t addr,
			  uint64_t value)
{
	uint8_t bytes[8];

	if (otst_big_endian(e->o))
		otst_put_be(bytes, value, sizeof(bytes));
	else
		otst_put_le(bytes, value, sizeof(bytes));
	otst_expect_set(e, d, addr, bytes, sizeof(bytes));
}

void otst_expect_try(struct otst_expect *e, enum otst_difference d, uint64_t addr,
		     const uint8_t *bytes, size_t len, bool *ret)
{
	*ret = otst_expect_fits(e, addr, bytes, len);
	if (*ret)
		otst_expect_set(e, d, addr, bytes, len);
}

static const struct otst_section *bare_section(struct otst *o, const char *name)
{
	static const uint8_t zeros[64];
	static const struct otst_section table = { .name = "",
						   .size = sizeof(zeros),
						   .data = zeros };
	const void *data;
	size_t len;

	return otst_image_bytes(o, name, &data, &len) ? NULL : &table;
}

const struct otst_section *otst_expect_section(const struct otst_expect *e, const char *name)
{
	if (e->bare)
		return bare_section(e->o, name);

	for (size_t i = 0; i < e->built->count; i++) {
		if (e->built->items[i].data && !strcmp(e->built->items[i].name, name))
			return &e->built->items[i];
	}
	return NULL;
}

#define RELA 24u /* sizeof(Elf64_Rela) */

bool otst_expect_rela(const struct otst_expect *e, const struct otst_section *section, size_t i,
		      struct otst_rela *ret)
{
	const uint8_t *raw;

	if (!section || i >= section->size / RELA)
		return false;
	raw = section->data + i * RELA;
	*ret = (struct otst_rela){ otst_get(e->o, raw, 8) + e->built->slide,
				   otst_get(e->o, raw + 8, 8), otst_get(e->o, raw + 16, 8) };
	return true;
}

uint64_t otst_expect_call_ops(const struct otst_expect *e, const struct otst_ftrace_function *f)
{
	if (f && f->unique)
		return f->unique->addr;
	return otst_symbol_or0(e->o, f ? "ftrace_list_ops" : "ftrace_nop_ops");
}

int otst_expect_sites(struct otst_expect *e, const char *section, struct otst_vec *ret)
{
	const struct otst_section *s = otst_expect_section(e, section);
	uint64_t *slot, at;
	int32_t distance;

	for (at = 0; s && at + 4 <= s->size; at += 4) {
		distance = (int32_t)otst_get(e->o, s->data + at, 4);
		if (!distance)
			continue;
		slot = otst_vec_push(e->o, ret, sizeof(*slot));
		*slot = s->addr + at + (uint64_t)(int64_t)distance;
	}
	return otst_check(e->o);
}

int otst_expect_table(struct otst_expect *e, const char *section, uint64_t *at, size_t *len,
		      const uint8_t **ret)
{
	const struct otst_section *s = otst_expect_section(e, section);
	uint8_t *raw = otst_alloc(e->o, *len);
	int err;

	if (!raw)
		return otst_no_memory(e->o);
	*ret = raw;
	err = otst_read(e->o, *at, raw, *len);
	if (err != OTST_ERR_FAULT || !s)
		return err;
	*ret = s->data;
	*at = s->addr;
	*len = s->size;
	return 0;
}

/* ---- the three copies ---- */

/* what cannot be read in one go is read page by page */
static int read_expected_pages(struct otst_expect *e, struct otst_expect_part *p, size_t begin,
			       size_t end)
{
	size_t at, next;
	int err;

	for (at = begin; at < end; at = next) {
		next = (at + p->addr + OTST_CHUNK) / OTST_CHUNK * OTST_CHUNK - p->addr;
		if (next > end)
			next = end;
		err = otst_read(e->o, p->addr + at, p->found + at, next - at);
		if (otst_fatal(err))
			return err;
		if (!err) {
			memset(p->have + at / OTST_CHUNK, 1,
			       (next - 1) / OTST_CHUNK - at / OTST_CHUNK + 1);
			continue;
		}
		/* neither equal nor different: it is skipped */
		memset(p->have + at / OTST_CHUNK, 0, (next - 1) / OTST_CHUNK - at / OTST_CHUNK + 1);
		*(e->data ? &e->out->data_missing : &e->out->missing) +=
			count_asked(e, p->addr + at, next - at);
	}
	return 0;
}

static int read_found(struct otst_expect *e, struct otst_expect_part *p)
{
	size_t at, n;
	int err = 0;

	p->found = otst_alloc(e->o, p->size);
	p->have = otst_alloc(e->o, p->size / OTST_CHUNK + 1);
	if (!p->found || !p->have)
		return otst_no_memory(e->o);
	for (at = 0; at < p->size && !err; at += n) {
		n = p->size - at < CHUNK ? p->size - at : CHUNK;
		err = otst_check(e->o);
		err = err ?: otst_read(e->o, p->addr + at, p->found + at, n);
		if (!err)
			memset(p->have + at / OTST_CHUNK, 1, (n - 1) / OTST_CHUNK + 1);
		else if (!otst_fatal(err))
			err = read_expected_pages(e, p, at, at + n);
	}
	if (!p->pointers)
		*(e->data ? &e->out->data_compared : &e->out->compared) +=
			count_asked(e, p->addr, p->size);
	return err;
}

int otst_expect_add(struct otst_expect *e, const struct otst_section *s, uint64_t begin,
		    uint64_t end, bool pointers)
{
	struct otst_expect_part *p = &e->parts[e->nr_parts++];

	p->addr = begin;
	p->size = end - begin;
	p->built = s->data + (begin - s->addr);
	p->section = s;
	p->pointers = pointers;
	p->now = otst_alloc(e->o, p->size);
	if (!p->now)
		return otst_no_memory(e->o);
	memcpy(p->now, p->built, p->size);
	return s->init ? 0 : read_found(e, p);
}

/* the pages of the functions from @i on, with what patches may reach into; returns the next one apart */
static size_t find_piece(const struct otst_expect *e, size_t i, struct otst_audit_range *ret)
{
	const struct otst_audit_range *r = e->out->only;
	uint64_t begin;

	for (*ret = (struct otst_audit_range){ 0 }; i < e->out->nr_only; i++) {
		begin = (r[i].begin - OTST_PATCH_MAX) & -(uint64_t)OTST_CHUNK;
		if (!ret->end)
			ret->begin = begin;
		else if (begin > ret->end)
			break;
		if (r[i].end > ret->end)
			ret->end = (r[i].end + OTST_PATCH_MAX + OTST_CHUNK) & -(uint64_t)OTST_CHUNK;
	}
	return i;
}

static int add_pieces(struct otst_expect *e, const struct otst_section *s)
{
	struct otst_audit_range piece;
	uint64_t end = s->addr + s->size;
	int err = 0;

	for (size_t i = 0; i < e->out->nr_only && !err;) {
		i = find_piece(e, i, &piece);
		piece.begin = piece.begin > s->addr ? piece.begin : s->addr;
		piece.end = piece.end < end ? piece.end : end;
		if (piece.begin < piece.end)
			err = otst_expect_add(e, s, piece.begin, piece.end, false);
	}
	return err;
}

/* what is only a source of patches stays whole */
static int add_text(struct otst_expect *e, const struct otst_section *s)
{
	if (e->out->nr_only && e->arch->in_pieces && !e->module && !s->init)
		return add_pieces(e, s);
	return otst_expect_add(e, s, s->addr, s->addr + s->size, false);
}

int otst_expect_create(struct otst *o, const struct otst_built *built, const struct otst_module *m,
		       struct otst_audit *out, struct otst_expect *ret)
{
	int err = 0;

	*ret = (struct otst_expect){ .o = o, .out = out, .built = built, .module = m };
	ret->arch = otst_audit_arch(o);
	ret->parts = otst_alloc(o, (built->count + out->nr_only + 1) * sizeof(*ret->parts));
	if (!ret->parts)
		return otst_no_memory(o);
	for (size_t i = 0; i < built->count && !err; i++) {
		const struct otst_section *s = &built->items[i];

		if (s->text && s->data && s->size)
			err = add_text(ret, s);
	}
	return err || !ret->arch->prepare ? err : ret->arch->prepare(ret);
}
