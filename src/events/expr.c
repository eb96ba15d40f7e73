// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * expr.c - the expressions of a print format.
 *
 * They keep the types of C as far as numbers go (size and sign), because
 * formats shift, divide and compare.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

static struct otst_expr *parse_unary(struct otst_pf *ps);

static struct otst_expr *parse_number_expr(struct otst_pf *ps)
{
	const char *start = ps->p;
	bool is_unsigned = false, is_long = false;
	uint64_t v = strtoull(start, (char **)&ps->p, 0);

	for (; strchr("uUlL", *ps->p) && *ps->p; ps->p++) {
		is_unsigned |= *ps->p == 'u' || *ps->p == 'U';
		is_long |= *ps->p == 'l' || *ps->p == 'L';
	}
	/* as in C: hexadecimal and octal constants may become unsigned before they become long */
	if (!is_long && v > UINT32_MAX)
		is_long = true;
	if (!is_long && v > INT32_MAX) {
		is_unsigned |= *start == '0';
		is_long = !is_unsigned;
	}
	if (v > INT64_MAX)
		is_unsigned = true;
	return otst_pf_number(ps, v, is_long ? 8 : 4, !is_unsigned);
}

static struct otst_expr *parse_text(struct otst_pf *ps)
{
	const char *text = otst_pf_string(ps);

	return text ? otst_pf_text(ps, text) : NULL;
}

static struct otst_expr *parse_character(struct otst_pf *ps)
{
	char c = *++ps->p;

	if (c)
		ps->p++;
	if (c == '\\')
		c = otst_pf_unescape(&ps->p);
	return otst_pf_expect(ps, "'") ? otst_pf_number(ps, (uint64_t)c, 4, true) : NULL;
}

static bool word_is(struct otst_pf *ps, const char *word)
{
	return otst_pf_is_word(ps->p, otst_pf_word_at(ps), word);
}

/* to the semicolon that ends it, or to the end */
static void skip_statement(struct otst_pf *ps)
{
	unsigned int depth = 0;

	for (; *ps->p && (depth || *ps->p != ';'); ps->p++) {
		if (strchr("({[", *ps->p))
			depth++;
		else if (strchr(")}]", *ps->p) && depth)
			depth--;
	}
}

/* ({ type name = value; ... last; }), which min() and max() expand to */
static struct otst_expr *parse_statements(struct otst_pf *ps)
{
	struct otst_pf_local *before = ps->locals, *l;
	struct otst_expr *e = NULL;
	struct otst_c_type t;
	size_t n;

	while (!ps->err && !otst_pf_eat(ps, "}")) {
		const char *start = ps->p;

		if (otst_pf_type(ps, &t) && (n = otst_pf_word_at(ps))) {
			l = otst_pf_alloc(ps, sizeof(*l));
			if (!l)
				return NULL;
			l->name = ps->p;
			l->len = n;
			ps->p += n;
			if (!otst_pf_expect(ps, "="))
				return NULL;
			l->value = otst_pf_cast(ps, &t, otst_pf_expr(ps));
			l->next = ps->locals;
			ps->locals = l;
		} else {
			ps->p = start;
			/* a compile-time check that leaves no value */
			if (otst_pf_eat(ps, "(void)") || word_is(ps, "do") ||
			    word_is(ps, "_Static_assert"))
				skip_statement(ps);
			else
				e = otst_pf_expr(ps);
		}
		if (!otst_pf_expect(ps, ";"))
			return NULL;
	}
	ps->locals = before;
	return otst_pf_expect(ps, ")") ? e : NULL;
}

/* a name that is not a function: a variable, or an enumerator that the kernel left in */
static struct otst_expr *parse_name_expr(struct otst_pf *ps, const char *s, size_t n)
{
	const char *name;
	struct otst_pf_local *local;
	uint64_t addr;
	bool is_signed;
	int64_t v;

	for (local = ps->locals; local; local = local->next) {
		if (local->len == n && !memcmp(local->name, s, n))
			return local->value;
	}
	if (otst_pf_is_word(s, n, "true"))
		return otst_pf_number(ps, 1, 4, true);
	if (otst_pf_is_word(s, n, "false") || otst_pf_is_word(s, n, "NULL"))
		return otst_pf_number(ps, 0, 4, true);
	name = otst_pf_dup_word(ps, s, n);
	if (name && !otst_enumerator(ps->o, name, &v))
		return otst_pf_number(ps, (uint64_t)v, v == (int32_t)v ? 4 : 8, true);
	/* kernel variables, with their values in the dump */
	is_signed = otst_pf_is_word(s, n, "memstart_addr");
	if ((is_signed || otst_pf_is_word(s, n, "jiffies") ||
	     otst_pf_is_word(s, n, "vmemmap_base")) &&
	    !otst_symbol(ps->o, name, &addr) && !otst_read_u64(ps->o, addr, &addr))
		return otst_pf_number(ps, addr, 8, is_signed);
	/* an array, so its address: the offsets in preemptirq's events count from it */
	if (otst_pf_is_word(s, n, "_stext") && !otst_symbol(ps->o, name, &addr))
		return otst_pf_number(ps, addr, 8, false);
	ps->p = s;
	return otst_pf_fail(ps, "unknown name");
}

static struct otst_expr *parse_primary(struct otst_pf *ps)
{
	struct otst_expr *e;
	size_t n = otst_pf_word_at(ps);
	const char *s = ps->p;

	if (n) {
		ps->p += n;
		if (otst_pf_is_word(s, n, "REC"))
			return otst_pf_field(ps);
		if (!otst_pf_eat(ps, "("))
			return parse_name_expr(ps, s, n);
		e = otst_pf_function(ps, s, n);
		return e && otst_pf_expect(ps, ")") ? e : NULL;
	}
	if (isdigit((unsigned char)*s))
		return parse_number_expr(ps);
	if (*s == '"')
		return parse_text(ps);
	if (*s == '\'')
		return parse_character(ps);
	if (!otst_pf_eat(ps, "("))
		return otst_pf_fail(ps, "no expression");
	if (otst_pf_eat(ps, "{"))
		return parse_statements(ps);
	if (otst_pf_eat(ps, "REC)"))
		return otst_pf_field(ps);
	e = otst_pf_expr(ps);
	return e && otst_pf_expect(ps, ")") ? e : NULL;
}

static struct otst_expr *new_index(struct otst_pf *ps, struct otst_expr *base, struct otst_expr *at)
{
	struct otst_expr *e;

	if (!base || !at)
		return NULL;
	if (!base->is_pointer || !base->element || base->element > 8)
		return otst_pf_fail(ps, "elements of unknown size");
	e = otst_pf_node(ps, OTST_EXPR_INDEX, base->element, base->element_signed);
	if (!e)
		return NULL;
	e->args[0] = base;
	e->args[1] = at;
	e->nr_args = 2;
	return e;
}

static struct otst_expr *parse_postfix(struct otst_pf *ps)
{
	struct otst_expr *e = parse_primary(ps);

	while (e && !ps->err && otst_pf_eat(ps, "[")) {
		e = new_index(ps, e, otst_pf_expr(ps));
		if (!otst_pf_expect(ps, "]"))
			return NULL;
	}
	otst_pf_skip_space(ps);
	if (e && (*ps->p == '.' || (ps->p[0] == '-' && ps->p[1] == '>')))
		return otst_pf_fail(ps, "a member of a structure");
	return e;
}

/* (type) before an operand; does not move when there is no cast */
static bool parse_cast(struct otst_pf *ps, struct otst_c_type *ret)
{
	const char *start = ps->p;

	if (otst_pf_eat(ps, "(") && otst_pf_word_at(ps) && otst_pf_type(ps, ret) &&
	    otst_pf_eat(ps, ")")) {
		otst_pf_skip_space(ps);
		if (*ps->p && !strchr(",)]}?:", *ps->p))
			return true;
	}
	ps->p = start;
	return false;
}

/* &field, &array[i] */
static struct otst_expr *parse_address(struct otst_pf *ps)
{
	struct otst_expr *e = parse_unary(ps), *at;

	if (!e || e->kind == OTST_EXPR_BYTES)
		return e;
	if (e->kind == OTST_EXPR_INDEX)
		return otst_pf_binary(ps, '+', e->args[0], e->args[1]);
	if (e->kind != OTST_EXPR_FIELD)
		return otst_pf_fail(ps, "an address of a value");
	at = otst_pf_node(ps, OTST_EXPR_BYTES, 8, false);
	if (at) {
		at->field = e->field;
		at->place = e->place;
		at->is_pointer = true;
		at->element = e->size;
		at->element_signed = e->is_signed;
	}
	return at;
}

static struct otst_expr *parse_unary_operator(struct otst_pf *ps)
{
	struct otst_c_type t;
	uint16_t op;

	otst_pf_skip_space(ps);
	switch (*ps->p) {
	case '!':
	case '~':
	case '-':
		op = (uint16_t)*ps->p++;
		return otst_pf_unary(ps, op, parse_unary(ps));
	case '+':
		ps->p++;
		return parse_unary(ps);
	case '*':
		ps->p++;
		return new_index(ps, parse_unary(ps), otst_pf_number(ps, 0, 4, true));
	case '&':
		ps->p++;
		return parse_address(ps);
	}
	if (parse_cast(ps, &t))
		return otst_pf_cast(ps, &t, parse_unary(ps));
	return parse_postfix(ps);
}

static struct otst_expr *parse_unary(struct otst_pf *ps)
{
	struct otst_expr *e;

	if (++ps->depth > OTST_PF_DEPTH)
		return otst_pf_fail(ps, "too deep");
	e = parse_unary_operator(ps);
	ps->depth--;
	return e;
}

/* C operators by precedence; an operator that begins with another one comes before it */
static const struct {
	const char *text;
	unsigned int rank;
} operators[] = {
	{ "||", 1 }, { "&&", 2 }, { "==", 6 }, { "!=", 6 }, { "<<", 8 }, { ">>", 8 },
	{ "<=", 7 }, { ">=", 7 }, { "|", 3 },  { "^", 4 },  { "&", 5 },	 { "<", 7 },
	{ ">", 7 },  { "+", 9 },  { "-", 9 },  { "*", 10 }, { "/", 10 }, { "%", 10 },
};

static struct otst_expr *parse_binary(struct otst_pf *ps, unsigned int lowest)
{
	struct otst_expr *e = parse_unary(ps);
	size_t i, nr = sizeof(operators) / sizeof(*operators);

	while (e && !ps->err) {
		const char *op;

		otst_pf_skip_space(ps);
		for (i = 0; i < nr; i++) {
			if (!strncmp(ps->p, operators[i].text, strlen(operators[i].text)))
				break;
		}
		if (i == nr || operators[i].rank < lowest)
			return e;
		op = operators[i].text;
		ps->p += strlen(op);
		e = otst_pf_binary(ps, op[1] ? OTST_OP2(op[0], op[1]) : (uint16_t)op[0], e,
				   parse_binary(ps, operators[i].rank + 1));
	}
	return ps->err ? NULL : e;
}

struct otst_expr *otst_pf_expr(struct otst_pf *ps)
{
	struct otst_expr *e, *a;

	if (ps->err || ++ps->depth > OTST_PF_DEPTH)
		return otst_pf_fail(ps, "too deep");
	e = parse_binary(ps, 1);
	if (e && otst_pf_eat(ps, "?")) {
		/* GNU C: an omitted operand is the condition */
		otst_pf_skip_space(ps);
		a = *ps->p == ':' ? e : otst_pf_expr(ps);
		e = a && otst_pf_expect(ps, ":") ? otst_pf_cond(ps, e, a, otst_pf_expr(ps)) : NULL;
	}
	ps->depth--;
	return ps->err ? NULL : e;
}
