// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * nodes.c - expressions with the types that C gives them; what does not depend on
 * a record is computed here.
 */

#include "parse.h"

struct otst_expr *otst_pf_node(struct otst_pf *ps, enum otst_expr_kind kind, unsigned int size,
			       bool is_signed)
{
	struct otst_expr *e = otst_pf_alloc(ps, sizeof(*e));

	if (!e)
		return NULL;
	e->kind = kind;
	e->size = (uint8_t)size;
	e->is_signed = is_signed;
	return e;
}

struct otst_expr *otst_pf_number(struct otst_pf *ps, uint64_t v, unsigned int size, bool is_signed)
{
	struct otst_expr *e = otst_pf_node(ps, OTST_EXPR_NUMBER, size, is_signed);

	if (e)
		e->number = otst_extend(v, size, is_signed);
	return e;
}

struct otst_expr *otst_pf_text(struct otst_pf *ps, const char *text)
{
	struct otst_expr *e = otst_pf_node(ps, OTST_EXPR_TEXT, 8, false);

	if (e) {
		e->is_pointer = true;
		e->element = 1;
		e->text = text;
	}
	return e;
}

/* compute what does not depend on a record */
static struct otst_expr *fold_constant(struct otst_pf *ps, struct otst_expr *e)
{
	static const struct otst_event_style style;
	struct otst_run nothing = { .o = ps->o, .style = &style };
	struct otst_value v;

	if (!e || e->is_pointer)
		return e;
	/* a branch that a constant selects may still be text */
	if (e->kind == OTST_EXPR_COND && e->args[0]->kind == OTST_EXPR_NUMBER)
		return e->args[e->args[0]->number ? 1 : 2];
	for (unsigned int i = 0; i < e->nr_args; i++) {
		if (e->args[i]->kind != OTST_EXPR_NUMBER)
			return e;
	}
	otst_eval(&nothing, e, &v);
	return otst_pf_number(ps, v.number, e->size, e->is_signed);
}

/* C's usual arithmetic conversions */
static void common_type(const struct otst_expr *a, const struct otst_expr *b, struct otst_expr *ret)
{
	unsigned int size = a->size > b->size ? a->size : b->size;

	ret->size = (uint8_t)(size < 4 ? 4 : size);
	ret->is_signed = !((a->size == ret->size && !a->is_signed) ||
			   (b->size == ret->size && !b->is_signed));
}

struct otst_expr *otst_pf_unary(struct otst_pf *ps, uint16_t op, struct otst_expr *a)
{
	struct otst_expr *e = a ? otst_pf_node(ps, OTST_EXPR_UNARY, 4, true) : NULL;

	if (!e)
		return NULL;
	e->op = op;
	e->args[0] = a;
	e->nr_args = 1;
	if (op != '!')
		common_type(a, a, e);
	return fold_constant(ps, e);
}

struct otst_expr *otst_pf_binary(struct otst_pf *ps, uint16_t op, struct otst_expr *a,
				 struct otst_expr *b)
{
	struct otst_expr *e = a && b ? otst_pf_node(ps, OTST_EXPR_BINARY, 4, true) : NULL;
	bool moves;

	if (!e)
		return NULL;
	/* a pointer moves by whole elements */
	moves = a->is_pointer && (op == '+' || (op == '-' && !b->is_pointer));
	if (moves && a->element > 1)
		b = otst_pf_binary(ps, '*', b, otst_pf_number(ps, a->element, 8, false));
	if (!b)
		return NULL;
	e->op = op;
	e->args[0] = a;
	e->args[1] = b;
	e->nr_args = 2;
	switch (op) {
	case OTST_OP2('<', '<'):
	case OTST_OP2('>', '>'):
		common_type(a, a, e);
		break;
	case '+':
	case '-':
	case '*':
	case '/':
	case '%':
	case '&':
	case '|':
	case '^':
		common_type(a, b, e);
		e->is_pointer = moves;
		e->element = a->element;
		e->element_signed = a->element_signed;
		break;
	}
	return fold_constant(ps, e);
}

struct otst_expr *otst_pf_cond(struct otst_pf *ps, struct otst_expr *c, struct otst_expr *a,
			       struct otst_expr *b)
{
	struct otst_expr *e = c && a && b ? otst_pf_node(ps, OTST_EXPR_COND, 8, false) : NULL;

	if (!e)
		return NULL;
	e->args[0] = c;
	e->args[1] = a;
	e->args[2] = b;
	e->nr_args = 3;
	if (a->is_pointer || b->is_pointer) {
		e->is_pointer = true;
		e->element = a->is_pointer ? a->element : b->element;
		e->element_signed = a->is_pointer ? a->element_signed : b->element_signed;
	} else {
		common_type(a, b, e);
	}
	if (c->kind == OTST_EXPR_NUMBER)
		return c->number ? a : b;
	return fold_constant(ps, e);
}

struct otst_expr *otst_pf_cast(struct otst_pf *ps, const struct otst_c_type *t, struct otst_expr *a)
{
	struct otst_expr *e;

	/* a pointer keeps what it points to */
	if (!a || (a->is_pointer && !t->is_pointer && t->size == 8 && a->kind == OTST_EXPR_TEXT))
		return a;
	if (!t->size)
		return otst_pf_fail(ps, "a cast to a structure");
	e = otst_pf_node(ps, OTST_EXPR_CAST, t->size, t->is_signed);
	if (!e)
		return NULL;
	e->args[0] = a;
	e->nr_args = 1;
	e->is_pointer = t->is_pointer;
	e->element = t->element;
	e->element_signed = t->element_signed;
	return fold_constant(ps, e);
}
