// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * view.c - structures that are read in one go, and their members as numbers and strings.
 */
#include <inttypes.h>
#include <string.h>

#include "../base/coverage.h"
#include "../base/recorder.h"
#include "../memory/memory.h"
#include "types.h"

#define VIEW_MAX (1u << 20) /* no structure of the kernel is larger */

int otst_view_read(struct otst *o, const char *type, uint64_t addr, struct otst_view *ret)
{
	uint64_t size;
	void *data;
	int err = otst_type_size(o, type, &size);

	if (err)
		return err;
	if (size > VIEW_MAX)
		return otst_raise(o, OTST_ERR_CORRUPT, "struct %s has %" PRIu64 " bytes",
				  otst_type_name(o, type), size);
	data = otst_alloc(o, size);
	err = otst_read(o, addr, data, size);
	if (err)
		return otst_fail(o, err, "struct %s at 0x%" PRIx64, otst_type_name(o, type), addr);
	otst_view_at(o, type, addr, data, size, ret);
	return 0;
}

void otst_view_at(struct otst *o, const char *type, uint64_t addr, const void *data, size_t size,
		  struct otst_view *ret)
{
	*ret = (struct otst_view){ .o = o, .type = type, .addr = addr, .data = data, .size = size };
}

/* the member, when it lies inside the bytes of the view */
static const struct otst_member *locate_member(struct otst_view *v, const char *member)
{
	const struct otst_member *m = NULL;
	int err = otst_member(v->o, v->type, member, &m);

	if (!err && (m->offset > v->size || m->size > v->size - m->offset))
		err = otst_raise(v->o, OTST_ERR_CORRUPT, "%s.%s lies outside the structure",
				 otst_type_name(v->o, v->type), member);
	if (err && !v->err)
		v->err = err;
	return err ? NULL : m;
}

int otst_view_sub(struct otst_view *v, const char *member, const char *type, struct otst_view *ret)
{
	const struct otst_member *m = locate_member(v, member);

	if (!m)
		return v->err;
	otst_view_at(v->o, type, v->addr + m->offset, v->data + m->offset, m->size, ret);
	return 0;
}

/* true if it has the size of a number; a bit field has that of its storage unit */
static bool is_number(const struct otst_member *m)
{
	return m->size && m->size <= sizeof(uint64_t);
}

/* the number in @raw, the @m->size bytes at @m->offset */
static uint64_t number_in(const struct otst *o, const struct otst_member *m, const void *raw)
{
	uint64_t value = otst_get(o, raw, m->size);
	unsigned int bits = m->bit_size ? m->bit_size : (unsigned int)m->size * 8;

	if (m->bit_size)
		value >>= m->bit_offset & 63;
	if (bits < 64) {
		value &= (UINT64_C(1) << bits) - 1;
		if (m->is_signed && value >> (bits - 1) & 1)
			value |= ~UINT64_C(0) << bits;
	}
	return value;
}

static int is_no(struct otst *o, const char *what, const char *type, const char *member)
{
	return otst_record(o,
			   otst_raise(o, OTST_ERR_LOOKUP, "%s.%s is not a %s",
				      otst_type_name(o, type), member, what),
			   OTST_SOUGHT_MEMBER, type, member);
}

int otst_pointer(struct otst *o, const char *type, const char *member,
		 const struct otst_member **ret)
{
	int err = otst_member(o, type, member, ret);

	return !err && (*ret)->size != sizeof(uint64_t) ? is_no(o, "pointer", type, member) : err;
}

uint64_t otst_u64(struct otst_view *v, const char *member)
{
	const struct otst_member *m = locate_member(v, member);

	if (!m)
		return 0;
	if (!is_number(m)) {
		v->err = v->err ?: is_no(v->o, "number", v->type, member);
		return 0;
	}
	return number_in(v->o, m, v->data + m->offset);
}

uint64_t otst_u64_or(struct otst_view *v, const char *member, uint64_t fallback)
{
	return otst_view_has(v, member) ? otst_u64(v, member) : fallback;
}

uint64_t otst_u64_with(struct otst_view *v, const char *member, const char *sibling)
{
	return otst_view_has(v, sibling) ? otst_u64(v, member) : otst_u64_or(v, member, 0);
}

int otst_view_follow(struct otst_view *v, const char *member, const char *type,
		     struct otst_view *ret)
{
	const struct otst_member *m;
	uint64_t at = otst_u64(v, member);
	int err = v->err ?: otst_pointer(v->o, v->type, member, &m);

	return err ?: otst_view_read(v->o, type, at, ret);
}

int otst_view_string(struct otst_view *v, const char *member, size_t max, const char **ret)
{
	const struct otst_member *m;
	uint64_t at = otst_u64(v, member);
	int err = v->err ?: otst_pointer(v->o, v->type, member, &m);

	return err ?: otst_read_string(v->o, at, max, ret);
}

bool otst_view_has(struct otst_view *v, const char *member)
{
	return otst_has_member(v->o, v->type, member);
}

uint64_t otst_addr_of(struct otst_view *v, const char *member)
{
	const struct otst_member *m = NULL;
	int err = otst_member(v->o, v->type, member, &m);

	/* whoever asks takes it to be there, and what is then read at 0 fails with another message */
	(void)otst_lack(v->o, err);
	if (err && !v->err)
		v->err = err;
	return m ? v->addr + m->offset : 0;
}

const char *otst_chars(struct otst_view *v, const char *member)
{
	const struct otst_member *m = locate_member(v, member);
	char *s;

	if (!m)
		return "";
	s = otst_alloc(v->o, m->size + 1);
	if (!s) {
		v->err = otst_no_memory(v->o);
		return "";
	}
	memcpy(s, v->data + m->offset, m->size);
	return otst_clean(v->o, s);
}

int otst_read_member(struct otst *o, const char *type, uint64_t addr, const char *member,
		     uint64_t *ret)
{
	const struct otst_member *m = NULL;
	unsigned char raw[sizeof(uint64_t)];
	int err = otst_member(o, type, member, &m);

	if (err)
		return err;
	if (!is_number(m))
		return is_no(o, "number", type, member);
	err = otst_read(o, addr + m->offset, raw, m->size);
	if (!err)
		*ret = number_in(o, m, raw);
	return err;
}

int otst_read_member_string(struct otst *o, const char *type, uint64_t addr, const char *member,
			    size_t max, const char **ret)
{
	uint64_t at;
	int err = otst_read_member(o, type, addr, member, &at);

	return err ? err : otst_read_string(o, at, max, ret);
}
