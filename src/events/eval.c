// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * eval.c - values of the expressions of a print format for one record.
 *
 * A field that does not fit in the record is 0, and a pointer into it carries how far it may go.
 * Nothing outside the record is read, except where the pages of a section are.
 */
#include <string.h>

#include "../memory/sections.h"
#include "plan.h"

uint64_t otst_extend(uint64_t v, unsigned int size, bool is_signed)
{
	switch (size) {
	case 1:
		return is_signed ? (uint64_t)(int64_t)(int8_t)v : (uint8_t)v;
	case 2:
		return is_signed ? (uint64_t)(int64_t)(int16_t)v : (uint16_t)v;
	case 4:
		return is_signed ? (uint64_t)(int64_t)(int32_t)v : (uint32_t)v;
	default:
		return v;
	}
}

/* a number in the record; with a constant size, reading it is one instruction */
static uint64_t load_number(bool big_endian, const uint8_t *p, unsigned int size)
{
	switch (size) {
	case 1:
		return *p;
	case 2:
		return otst_get_as(big_endian, p, 2);
	case 4:
		return otst_get_as(big_endian, p, 4);
	default:
		return otst_get_as(big_endian, p, size);
	}
}

bool otst_location(bool big_endian, const uint8_t *data, uint32_t size, uint32_t at, bool relative,
		   struct otst_value *ret)
{
	uint32_t word, offset, len;

	if (at > size || size - at < 4)
		return false;
	word = (uint32_t)load_number(big_endian, data + at, 4);
	offset = (word & 0xffff) + (relative ? at + 4 : 0);
	len = word >> 16;
	if (offset > size)
		return false;
	ret->p = data + offset;
	ret->len = len < size - offset ? len : size - offset;
	return true;
}

static void eval_bytes(const struct otst_run *r, const struct otst_expr *e, struct otst_value *ret)
{
	uint32_t size = e->field->size;

	if (e->place > r->size)
		return;
	/* an array at the end of a record may have no size of its own */
	if (!size || size > r->size - e->place)
		size = r->size - e->place;
	ret->p = r->data + e->place;
	ret->len = size;
}

static uint64_t divide_signed(uint16_t op, uint64_t a, uint64_t b, bool is_signed)
{
	if (!b)
		return 0;
	if (!is_signed)
		return op == '/' ? a / b : a % b;
	/* the only quotient that does not fit */
	if ((int64_t)b == -1)
		return op == '/' ? 0 - a : 0;
	return (uint64_t)(op == '/' ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b);
}

/* as unsigned numbers, or as signed ones when both are */
static bool compare_numbers(uint16_t op, uint64_t a, uint64_t b, bool is_signed)
{
	bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;

	switch (op) {
	case '<':
		return less;
	case '>':
		return !less && a != b;
	case OTST_OP2('<', '='):
		return less || a == b;
	case OTST_OP2('>', '='):
		return !less;
	case OTST_OP2('=', '='):
		return a == b;
	default:
		return a != b;
	}
}

static uint64_t compute_binary(const struct otst_expr *e, uint64_t a, uint64_t b)
{
	unsigned int bits = e->size * 8u;

	switch (e->op) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	case '/':
	case '%':
		return divide_signed(e->op, a, b, e->is_signed);
	case '&':
		return a & b;
	case '|':
		return a | b;
	case '^':
		return a ^ b;
	case OTST_OP2('<', '<'):
		return b < bits ? a << b : 0;
	default:
		if (b >= bits)
			return 0;
		return e->is_signed ? (uint64_t)((int64_t)a >> b) : a >> b;
	}
}

/* advance a pointer into the record, to its end at most */
static void move_pointer(struct otst_value *v, uint64_t by)
{
	if (by > v->len)
		by = v->len;
	v->p += by;
	v->len -= (uint32_t)by;
}

/* true for a number or pointer that is not 0 */
static bool is_true(const struct otst_value *v)
{
	return v->number || v->p || v->text || v->call;
}

static void eval_binary(const struct otst_run *r, const struct otst_expr *e, struct otst_value *ret)
{
	struct otst_value a, b;
	const struct otst_expr *x = e->args[0], *y = e->args[1];
	bool both_signed;

	otst_eval(r, x, &a);
	if (e->op == OTST_OP2('&', '&') || e->op == OTST_OP2('|', '|')) {
		if (is_true(&a) == (e->op == OTST_OP2('|', '|'))) {
			ret->number = is_true(&a);
			return;
		}
		otst_eval(r, y, &b);
		ret->number = is_true(&b);
		return;
	}
	otst_eval(r, y, &b);
	if (a.p && e->op == '+') {
		*ret = a;
		move_pointer(ret, b.number);
		return;
	}
	switch (e->op) {
	case '<':
	case '>':
	case OTST_OP2('<', '='):
	case OTST_OP2('>', '='):
	case OTST_OP2('=', '='):
	case OTST_OP2('!', '='):
		/* smaller types are promoted to int, which holds all their values */
		both_signed = (x->is_signed || x->size < 4) && (y->is_signed || y->size < 4);
		both_signed |= x->is_signed && x->size > y->size;
		both_signed |= y->is_signed && y->size > x->size;
		if (!both_signed && x->size <= 4 && y->size <= 4) {
			a.number = (uint32_t)a.number;
			b.number = (uint32_t)b.number;
		}
		ret->number = compare_numbers(e->op, a.number, b.number, both_signed);
		return;
	}
	if (e->op != OTST_OP2('<', '<') && e->op != OTST_OP2('>', '>')) {
		a.number = otst_extend(a.number, e->size, e->is_signed);
		b.number = otst_extend(b.number, e->size, e->is_signed);
	}
	ret->number = otst_extend(compute_binary(e, a.number, b.number), e->size, e->is_signed);
}

static void eval_unary(const struct otst_run *r, const struct otst_expr *e, struct otst_value *ret)
{
	struct otst_value a;

	otst_eval(r, e->args[0], &a);
	if (e->op == '!')
		ret->number = !is_true(&a);
	else
		ret->number =
			otst_extend(e->op == '-' ? 0 - a.number : ~a.number, e->size, e->is_signed);
}

static void eval_cast(const struct otst_run *r, const struct otst_expr *e, struct otst_value *ret)
{
	otst_eval(r, e->args[0], ret);
	ret->number = otst_extend(ret->number, e->size, e->is_signed);
}

static void eval_index(const struct otst_run *r, const struct otst_expr *e, struct otst_value *ret)
{
	struct otst_value base, at;

	otst_eval(r, e->args[0], &base);
	otst_eval(r, e->args[1], &at);
	if (base.text && at.number <= strlen(base.text))
		ret->number = (uint64_t)base.text[at.number];
	if (!base.p || at.number >= base.len / e->size)
		return;
	ret->number = otst_extend(load_number(otst_big_endian(r->o), base.p + at.number * e->size,
					      e->size),
				  e->size, e->is_signed);
}

static void eval_call(const struct otst_run *r, const struct otst_expr *e, struct otst_value *ret)
{
	struct otst_value a = { 0 };

	if (e->nr_args)
		otst_eval(r, e->args[0], &a);
	switch (e->call) {
	case OTST_CALL_SWAP16:
		ret->number = __builtin_bswap16((uint16_t)a.number);
		break;
	case OTST_CALL_SWAP32:
		ret->number = __builtin_bswap32((uint32_t)a.number);
		break;
	case OTST_CALL_SWAP64:
		ret->number = __builtin_bswap64(a.number);
		break;
	case OTST_CALL_SECTION_MAP:
		/* the kernel read it, so there is one, unless the dump is damaged */
		if (otst_section_map(r->o, a.number, &ret->number))
			ret->number = 0;
		break;
	default:
		ret->call = e;
	}
}

static void eval_field(const struct otst_run *r, const struct otst_expr *e, struct otst_value *ret)
{
	uint64_t v;

	if (e->place > r->size || e->size > r->size - e->place)
		return;
	v = load_number(otst_big_endian(r->o), r->data + e->place, e->size);
	ret->number = otst_extend(v, e->size, e->is_signed);
}

static void eval_dynamic_len(const struct otst_run *r, const struct otst_expr *e,
			     struct otst_value *ret)
{
	if (e->place <= r->size && r->size - e->place >= 4)
		ret->number = load_number(otst_big_endian(r->o), r->data + e->place, 4) >> 16;
}

static void eval_cond(const struct otst_run *r, const struct otst_expr *e, struct otst_value *ret)
{
	struct otst_value c;

	otst_eval(r, e->args[0], &c);
	otst_eval(r, e->args[is_true(&c) ? 1 : 2], ret);
	if (!e->is_pointer)
		ret->number = otst_extend(ret->number, e->size, e->is_signed);
}

void otst_eval(const struct otst_run *r, const struct otst_expr *e, struct otst_value *ret)
{
	memset(ret, 0, sizeof(*ret));
	switch (e->kind) {
	case OTST_EXPR_NUMBER:
		ret->number = e->number;
		break;
	case OTST_EXPR_TEXT:
		ret->text = e->text;
		break;
	case OTST_EXPR_FIELD:
		eval_field(r, e, ret);
		break;
	case OTST_EXPR_BYTES:
		eval_bytes(r, e, ret);
		break;
	case OTST_EXPR_DYNAMIC:
		otst_location(otst_big_endian(r->o), r->data, r->size, e->place,
			      e->field->kind == OTST_FIELD_REL_LOC, ret);
		break;
	case OTST_EXPR_DYNAMIC_LEN:
		eval_dynamic_len(r, e, ret);
		break;
	case OTST_EXPR_UNARY:
		eval_unary(r, e, ret);
		break;
	case OTST_EXPR_BINARY:
		eval_binary(r, e, ret);
		break;
	case OTST_EXPR_COND:
		eval_cond(r, e, ret);
		break;
	case OTST_EXPR_CAST:
		eval_cast(r, e, ret);
		break;
	case OTST_EXPR_INDEX:
		eval_index(r, e, ret);
		break;
	case OTST_EXPR_CALL:
		eval_call(r, e, ret);
		break;
	}
}
