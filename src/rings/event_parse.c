// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * event_parse.c - the print format of an event, which is C: the format string
 * and the arguments of TP_printk(), as include/trace/stages/ turned them into
 * text. Out come the steps in which a record is printed.
 *
 * Expressions keep the types of C as far as numbers go (size and sign), because
 * formats shift, divide and compare. What is constant is computed here.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

#define MAX_DEPTH 200
#define MAX_STEPS 256u
#define MAX_PAIRS 1024u
#define OP2(a, b) ((uint16_t)((a) << 8 | (b)))

/* a variable of a statement expression, as min() has them */
struct local {
	struct local *next;
	const char *name;
	size_t len;
	struct otst_expr *value;
};

struct parser {
	struct otst *o;
	const struct otst_event_format *f;
	const char *p;
	unsigned int depth;
	struct local *locals;
	int err;
};

static struct otst_expr *parse_cond(struct parser *ps);
static struct otst_expr *parse_unary(struct parser *ps);

/* the first error stays */
static void *fail(struct parser *ps, const char *what)
{
	if (!ps->err)
		ps->err = otst_raise(ps->o, OTST_ERR_UNSUPPORTED, "%s at \"%.40s\"", what, ps->p);
	return NULL;
}

static void *alloc(struct parser *ps, size_t size)
{
	void *p = ps->err ? NULL : otst_alloc(ps->o, size);

	if (!p && !ps->err)
		ps->err = otst_no_memory(ps->o);
	return p;
}

/* ---- words ---- */

static void skip_space(struct parser *ps)
{
	while (isspace((unsigned char)*ps->p))
		ps->p++;
}

static bool eat(struct parser *ps, const char *token)
{
	size_t len = strlen(token);

	skip_space(ps);
	if (strncmp(ps->p, token, len))
		return false;
	ps->p += len;
	return true;
}

static bool expect(struct parser *ps, const char *token)
{
	if (!ps->err && eat(ps, token))
		return true;
	fail(ps, "unexpected text");
	return false;
}

/* length of the word at the place, 0 when there is none */
static size_t word_at(struct parser *ps)
{
	size_t n = 0;

	skip_space(ps);
	if (isdigit((unsigned char)*ps->p))
		return 0;
	while (isalnum((unsigned char)ps->p[n]) || ps->p[n] == '_')
		n++;
	return n;
}

static bool is_word(const char *s, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(s, word, len);
}

static const char *dup_word(struct parser *ps, const char *s, size_t len)
{
	char *copy = alloc(ps, len + 1);

	return copy ? memcpy(copy, s, len) : NULL;
}

/* what would act on a terminal has no place in a format */
static char unescape(const char **p)
{
	char c = **p;

	if (!c)
		return '\\';
	(*p)++;
	if (c == 'n')
		return '\n';
	if (c == 't')
		return '\t';
	return c == '0' ? '\0' : strchr("abfrvx", c) ? '?' : c;
}

/* string literals in a row are one */
static const char *parse_string(struct parser *ps)
{
	char *s = alloc(ps, strlen(ps->p) + 1);
	size_t n = 0;

	while (s && eat(ps, "\"")) {
		while (*ps->p && *ps->p != '"') {
			char c = *ps->p++;

			s[n++] = c == '\\' ? unescape(&ps->p) : c;
		}
		if (!expect(ps, "\""))
			return NULL;
	}
	return s;
}

/* ---- types ---- */

struct c_type {
	uint8_t size;
	bool is_signed;
	bool is_pointer;
	uint8_t element;
	bool element_signed;
};

static const struct {
	const char *name;
	uint8_t size;
	bool is_signed;
} type_names[] = {
	{ "u8", 1, false },
	{ "s8", 1, true },
	{ "u16", 2, false },
	{ "s16", 2, true },
	{ "u32", 4, false },
	{ "s32", 4, true },
	{ "u64", 8, false },
	{ "s64", 8, true },
	{ "__u8", 1, false },
	{ "__s8", 1, true },
	{ "__u16", 2, false },
	{ "__s16", 2, true },
	{ "__u32", 4, false },
	{ "__s32", 4, true },
	{ "__u64", 8, false },
	{ "__s64", 8, true },
	{ "uint8_t", 1, false },
	{ "int8_t", 1, true },
	{ "uint16_t", 2, false },
	{ "int16_t", 2, true },
	{ "uint32_t", 4, false },
	{ "int32_t", 4, true },
	{ "uint64_t", 8, false },
	{ "int64_t", 8, true },
	{ "size_t", 8, false },
	{ "ssize_t", 8, true },
	{ "loff_t", 8, true },
	{ "sector_t", 8, false },
	{ "pgoff_t", 8, false },
	{ "ino_t", 8, false },
	{ "gfp_t", 4, false },
	{ "fmode_t", 4, false },
	{ "dev_t", 4, false },
	{ "pid_t", 4, true },
	{ "uid_t", 4, false },
	{ "gid_t", 4, false },
	{ "bool", 1, false },
	{ "_Bool", 1, false },
	{ "umode_t", 2, false },
	{ "dma_addr_t", 8, false },
	{ "phys_addr_t", 8, false },
	{ "ktime_t", 8, true },
	{ "uintptr_t", 8, false },
	{ "blk_opf_t", 4, false },
	{ "isolate_mode_t", 4, false },
	{ "__be16", 2, false },
	{ "__be32", 4, false },
	{ "__be64", 8, false },
	{ "__le16", 2, false },
	{ "__le32", 4, false },
	{ "__le64", 8, false },
	{ "sa_family_t", 2, false },
	{ "time64_t", 8, true },
	{ "uint", 4, false },
	{ "ulong", 8, false },
	{ "xfs_ino_t", 8, false },
	{ "xfs_daddr_t", 8, true },
	{ "xfs_agnumber_t", 4, false },
	{ "xfs_agblock_t", 4, false },
	{ "cpumask_t", 8, false },
	{ "__kernel_rwf_t", 4, true },
};

/* a typedef, struct or union by its name */
static bool named_type(struct parser *ps, const char *s, size_t len, struct c_type *ret)
{
	uint64_t size;
	size_t i;

	for (i = 0; i < sizeof(type_names) / sizeof(*type_names); i++) {
		if (is_word(s, len, type_names[i].name)) {
			ret->size = type_names[i].size;
			ret->is_signed = type_names[i].is_signed;
			return true;
		}
	}
	if (len < 3 || !dup_word(ps, s, len) ||
	    otst_type_size(ps->o, dup_word(ps, s, len), &size) || size > 8)
		return false;
	ret->size = (uint8_t)size;
	return true;
}

/* for pointers to it; 0 when it is unknown or larger than elements may be */
static unsigned int struct_size(struct parser *ps, const char *s, size_t len)
{
	const char *name = dup_word(ps, s, len);
	uint64_t size;

	return name && !otst_type_size(ps->o, name, &size) && size <= UINT8_MAX ?
		       (unsigned int)size :
		       0;
}

/*
 * The name of a type at the place, which is left alone when there is none:
 * keywords in any order, or one word that is no variable.
 */
static bool parse_type(struct parser *ps, struct c_type *ret)
{
	const char *start = ps->p;
	bool any = false, is_unsigned = false, is_enum, named = false;
	unsigned int size = 4;
	size_t n;

	memset(ret, 0, sizeof(*ret));
	for (; (n = word_at(ps)); ps->p += n) {
		if (is_word(ps->p, n, "unsigned"))
			is_unsigned = true;
		else if (is_word(ps->p, n, "long"))
			size = 8;
		else if (is_word(ps->p, n, "short"))
			size = 2;
		else if (is_word(ps->p, n, "char"))
			size = 1;
		else if (is_word(ps->p, n, "void"))
			size = 0;
		else if (is_word(ps->p, n, "struct") || is_word(ps->p, n, "union") ||
			 is_word(ps->p, n, "enum")) {
			is_unsigned = true;
			is_enum = ps->p[0] == 'e';
			ps->p += n;
			n = word_at(ps);
			size = is_enum ? 4 : struct_size(ps, ps->p, n);
		} else if (!is_word(ps->p, n, "int") && !is_word(ps->p, n, "signed") &&
			   !is_word(ps->p, n, "const") && !is_word(ps->p, n, "volatile") &&
			   !is_word(ps->p, n, "__force") && !is_word(ps->p, n, "__user")) {
			if (any || !named_type(ps, ps->p, n, ret))
				break;
			named = true;
		}
		any = true;
	}
	if (!any) {
		ps->p = start;
		return false;
	}
	if (!named) {
		ret->size = (uint8_t)size;
		ret->is_signed = !is_unsigned;
	}
	while (eat(ps, "*") || eat(ps, "const")) {
		ret->element = ret->is_pointer ? 8 : ret->size;
		ret->element_signed = !ret->is_pointer && ret->is_signed;
		ret->is_pointer = true;
		ret->size = 8;
		ret->is_signed = false;
	}
	return true;
}

/* ---- nodes ---- */

static struct otst_expr *new_node(struct parser *ps, enum otst_expr_kind kind, unsigned int size,
				  bool is_signed)
{
	struct otst_expr *e = alloc(ps, sizeof(*e));

	if (!e)
		return NULL;
	e->kind = kind;
	e->size = (uint8_t)size;
	e->is_signed = is_signed;
	return e;
}

static struct otst_expr *new_number(struct parser *ps, uint64_t v, unsigned int size,
				    bool is_signed)
{
	struct otst_expr *e = new_node(ps, OTST_EXPR_NUMBER, size, is_signed);

	if (e)
		e->number = otst_extend(v, size, is_signed);
	return e;
}

/* compute what depends on no record */
static struct otst_expr *fold(struct parser *ps, struct otst_expr *e)
{
	static const struct otst_event_style style;
	struct otst_run nothing = { .o = ps->o, .style = &style };
	struct otst_value v;
	unsigned int i;

	if (!e || e->is_pointer)
		return e;
	/* a branch that a constant chooses may still be text */
	if (e->kind == OTST_EXPR_COND && e->args[0]->kind == OTST_EXPR_NUMBER)
		return e->args[e->args[0]->number ? 1 : 2];
	for (i = 0; i < e->nr_args; i++) {
		if (e->args[i]->kind != OTST_EXPR_NUMBER)
			return e;
	}
	otst_eval(&nothing, e, &v);
	return new_number(ps, v.number, e->size, e->is_signed);
}

/* C's usual arithmetic conversions */
static void common_type(const struct otst_expr *a, const struct otst_expr *b, struct otst_expr *ret)
{
	unsigned int size = a->size > b->size ? a->size : b->size;

	ret->size = (uint8_t)(size < 4 ? 4 : size);
	ret->is_signed = !((a->size == ret->size && !a->is_signed) ||
			   (b->size == ret->size && !b->is_signed));
}

static struct otst_expr *new_unary(struct parser *ps, uint16_t op, struct otst_expr *a)
{
	struct otst_expr *e = a ? new_node(ps, OTST_EXPR_UNARY, 4, true) : NULL;

	if (!e)
		return NULL;
	e->op = op;
	e->args[0] = a;
	e->nr_args = 1;
	if (op != '!')
		common_type(a, a, e);
	return fold(ps, e);
}

static struct otst_expr *new_binary(struct parser *ps, uint16_t op, struct otst_expr *a,
				    struct otst_expr *b)
{
	struct otst_expr *e = a && b ? new_node(ps, OTST_EXPR_BINARY, 4, true) : NULL;

	if (!e)
		return NULL;
	/* a pointer moves by elements */
	if (op == '+' && a->is_pointer && a->element > 1)
		b = new_binary(ps, '*', b, new_number(ps, a->element, 8, false));
	if (!b)
		return NULL;
	e->op = op;
	e->args[0] = a;
	e->args[1] = b;
	e->nr_args = 2;
	switch (op) {
	case OP2('<', '<'):
	case OP2('>', '>'):
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
		e->is_pointer = a->is_pointer && op == '+';
		e->element = a->element;
		e->element_signed = a->element_signed;
		break;
	}
	return fold(ps, e);
}

static struct otst_expr *new_cond(struct parser *ps, struct otst_expr *c, struct otst_expr *a,
				  struct otst_expr *b)
{
	struct otst_expr *e = c && a && b ? new_node(ps, OTST_EXPR_COND, 8, false) : NULL;

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
	return fold(ps, e);
}

static struct otst_expr *new_cast(struct parser *ps, const struct c_type *t, struct otst_expr *a)
{
	struct otst_expr *e;

	/* a pointer keeps where it points to */
	if (!a || (a->is_pointer && !t->is_pointer && t->size == 8 && a->kind == OTST_EXPR_TEXT))
		return a;
	if (!t->size)
		return fail(ps, "a cast to a structure");
	e = new_node(ps, OTST_EXPR_CAST, t->size, t->is_signed);
	if (!e)
		return NULL;
	e->args[0] = a;
	e->nr_args = 1;
	e->is_pointer = t->is_pointer;
	e->element = t->element;
	e->element_signed = t->element_signed;
	return fold(ps, e);
}

/* ---- fields ---- */

static const struct otst_event_field *find_field(struct parser *ps, const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < ps->f->nr_fields; i++) {
		if (is_word(s, len, ps->f->fields[i].name))
			return &ps->f->fields[i];
	}
	return fail(ps, "no such field");
}

static void point_to_elements(struct otst_expr *e, const struct otst_event_field *f)
{
	e->is_pointer = true;
	e->element = f->element <= 8 ? (uint8_t)f->element : 0;
	e->element_signed = f->is_signed;
}

static struct otst_expr *field_value(struct parser *ps, const struct otst_event_field *f)
{
	struct otst_expr *e;

	if (f->kind == OTST_FIELD_VALUE && f->size <= 8) {
		e = new_node(ps, OTST_EXPR_FIELD, f->size, f->is_signed);
		if (e && strchr(f->type, '*')) {
			e->is_pointer = true;
			e->element = strstr(f->type, "char") ? 1 : 0;
		}
	} else if (f->kind == OTST_FIELD_DATA_LOC || f->kind == OTST_FIELD_REL_LOC) {
		e = new_node(ps, OTST_EXPR_FIELD, 4, false);
	} else {
		e = new_node(ps, OTST_EXPR_BYTES, 8, false);
		if (e)
			point_to_elements(e, f);
	}
	if (e) {
		e->field = f;
		e->place = f->offset;
	}
	return e;
}

/* REC->ent.pid is the field common_pid */
static struct otst_expr *parse_common_field(struct parser *ps)
{
	const struct otst_event_field *f;
	const char *name;
	size_t n;

	if (!eat(ps, "ent") || !expect(ps, "."))
		return NULL;
	n = word_at(ps);
	name = otst_format(ps->o, "common_%.*s", (int)n, ps->p);
	f = name ? find_field(ps, name, strlen(name)) : NULL;
	ps->p += n;
	return f ? field_value(ps, f) : NULL;
}

/* REC->name */
static struct otst_expr *parse_field(struct parser *ps)
{
	const struct otst_event_field *f;
	size_t n;

	if (!expect(ps, "->"))
		return NULL;
	n = word_at(ps);
	if (is_word(ps->p, n, "ent"))
		return parse_common_field(ps);
	f = n ? find_field(ps, ps->p, n) : fail(ps, "no field");
	if (!f)
		return NULL;
	ps->p += n;
	return field_value(ps, f);
}

/* (name) or (name[i]) of __get_str() and its like */
static struct otst_expr *parse_dynamic(struct parser *ps, enum otst_expr_kind kind)
{
	const struct otst_event_field *f;
	struct otst_expr *e;
	size_t n = word_at(ps);

	f = n ? find_field(ps, ps->p, n) : fail(ps, "no field");
	e = f ? new_node(ps, kind, kind == OTST_EXPR_DYNAMIC ? 8 : 4, false) : NULL;
	if (!e)
		return NULL;
	ps->p += n;
	e->field = f;
	e->place = f->offset;
	if (kind == OTST_EXPR_DYNAMIC)
		point_to_elements(e, f);
	if (eat(ps, "[")) {
		e->place += (uint32_t)strtoul(ps->p, (char **)&ps->p, 0) * 4;
		e->element = 1;
		expect(ps, "]");
	}
	return e;
}

/* ---- functions ---- */

static struct otst_expr *new_call(struct parser *ps, enum otst_call call, unsigned int size)
{
	struct otst_expr *e = new_node(ps, OTST_EXPR_CALL, size, false);

	if (e)
		e->call = call;
	return e;
}

/* { value, "text" }, ... up to the closing parenthesis */
static bool parse_pairs(struct parser *ps, struct otst_expr *call)
{
	struct otst_vec pairs = { 0 };
	struct otst_pair *pair;
	struct otst_expr *v;
	size_t i;

	while (!ps->err && eat(ps, ",")) {
		if (!expect(ps, "{"))
			return false;
		v = parse_cond(ps);
		if (!v || !expect(ps, ","))
			return false;
		if (v->kind != OTST_EXPR_NUMBER)
			return fail(ps, "not a constant");
		pair = pairs.count < MAX_PAIRS ? otst_vec_push(ps->o, &pairs, sizeof(*pair)) : NULL;
		if (!pair)
			return fail(ps, "too many flags");
		pair->value = v->number;
		skip_space(ps);
		if (*ps->p == '"')
			pair->text = parse_string(ps);
		else
			v = parse_cond(ps);
		if (!v || !expect(ps, "}"))
			return false;
	}
	call->pairs = pairs.data;
	call->nr_pairs = pairs.count;
	/* the kernel stops at a row without text: { -1, NULL } */
	for (i = 0; i < pairs.count; i++) {
		if (!call->pairs[i].text) {
			call->nr_pairs = i;
			break;
		}
	}
	return !ps->err;
}

static struct otst_expr *parse_flags(struct parser *ps, enum otst_call kind)
{
	struct otst_expr *e = new_call(ps, kind, 8);

	if (!e)
		return NULL;
	e->is_pointer = true;
	e->args[0] = parse_cond(ps);
	e->nr_args = 1;
	if (!e->args[0])
		return NULL;
	if (kind == OTST_CALL_FLAGS) {
		if (!expect(ps, ","))
			return NULL;
		e->text = parse_string(ps);
	}
	return parse_pairs(ps, e) ? e : NULL;
}

/* a function of expressions */
static struct otst_expr *parse_arguments(struct parser *ps, enum otst_call kind, unsigned int size)
{
	struct otst_expr *e = new_call(ps, kind, size), *arg;

	while (e && !ps->err) {
		arg = parse_cond(ps);
		if (!arg || e->nr_args == 4)
			return fail(ps, "arguments");
		e->args[e->nr_args++] = arg;
		if (!eat(ps, ","))
			break;
	}
	return e;
}

/* __print_dynamic_array(field, size of an element) */
static struct otst_expr *parse_dynamic_array(struct parser *ps)
{
	struct otst_expr *e = new_call(ps, OTST_CALL_ARRAY, 8), *len;
	const char *start = ps->p;

	if (!e)
		return NULL;
	e->args[0] = parse_dynamic(ps, OTST_EXPR_DYNAMIC);
	ps->p = start;
	len = parse_dynamic(ps, OTST_EXPR_DYNAMIC_LEN);
	if (!expect(ps, ","))
		return NULL;
	e->args[2] = parse_cond(ps);
	e->args[1] = new_binary(ps, '/', len, e->args[2]);
	e->nr_args = 3;
	return e->args[0] && e->args[1] && e->args[2] ? e : NULL;
}

static struct otst_expr *parse_bitmask(struct parser *ps)
{
	struct otst_expr *e = new_call(ps, OTST_CALL_BITMASK, 8);

	if (!e)
		return NULL;
	e->args[0] = parse_dynamic(ps, OTST_EXPR_DYNAMIC);
	e->nr_args = 1;
	return e->args[0] ? e : NULL;
}

static struct otst_expr *parse_stack(struct parser *ps)
{
	struct otst_expr *e = new_call(ps, OTST_CALL_STACK, 8);

	if (!e)
		return NULL;
	e->args[0] = parse_dynamic(ps, OTST_EXPR_DYNAMIC);
	e->nr_args = 1;
	return e->args[0] ? e : NULL;
}

/* of a field, of a type, of an expression */
static struct otst_expr *parse_sizeof(struct parser *ps)
{
	struct c_type t;
	struct otst_expr *e;

	if (parse_type(ps, &t))
		return new_number(ps, t.size, 8, false);
	e = parse_cond(ps);
	if (!e)
		return NULL;
	if (e->kind == OTST_EXPR_BYTES)
		return new_number(ps, e->field->size, 8, false);
	return new_number(ps, e->size, 8, false);
}

/* value / NSEC_PER_SEC or its rest, as __print_ns_to_secs() */
static struct otst_expr *parse_ns(struct parser *ps, uint16_t op)
{
	return new_binary(ps, op, parse_cond(ps), new_number(ps, 1000000000, 8, false));
}

/* the workqueues have an enumerator that is HZ; the most common one where they have not */
static struct otst_expr *parse_jiffies(struct parser *ps)
{
	uint64_t hz = (uint64_t)otst_enumerator_or(ps->o, "CREATE_COOLDOWN", 250);
	struct otst_expr *e = parse_cond(ps);

	if (hz && 1000 % hz == 0)
		return new_binary(ps, '*', e, new_number(ps, 1000 / hz, 4, false));
	e = new_binary(ps, '*', e, new_number(ps, 1000, 8, false));
	e = new_binary(ps, '+', e, new_number(ps, hz - 1, 8, false));
	return new_binary(ps, '/', e, new_number(ps, hz, 8, false));
}

/* the value of its first argument, whatever follows */
static struct otst_expr *parse_first(struct parser *ps)
{
	struct otst_expr *e = parse_cond(ps);

	while (e && eat(ps, ",")) {
		if (!parse_cond(ps))
			return NULL;
	}
	return e;
}

static struct otst_expr *parse_no(struct parser *ps)
{
	return parse_first(ps) ? new_number(ps, 0, 4, true) : NULL;
}

/* what a function of an unknown name would print cannot be known */
static struct otst_expr *parse_function(struct parser *ps, const char *s, size_t n)
{
	static const struct {
		const char *name;
		struct otst_expr *(*parse)(struct parser *ps);
	} special[] = {
		{ "__print_dynamic_array", parse_dynamic_array },
		{ "__get_bitmask", parse_bitmask },
		{ "__get_rel_bitmask", parse_bitmask },
		{ "__get_cpumask", parse_bitmask },
		{ "__get_rel_cpumask", parse_bitmask },
		{ "__get_stacktrace", parse_stack },
		{ "sizeof", parse_sizeof },
		{ "jiffies_to_msecs", parse_jiffies },
		{ "__builtin_expect", parse_first },
		{ "__builtin_constant_p", parse_no },
		{ "pte_val", parse_first },
		{ "pmd_val", parse_first },
		{ "pud_val", parse_first },
		{ "p4d_val", parse_first },
		{ "pgd_val", parse_first },
		{ "native_make_pte", parse_first },
		{ "native_make_pmd", parse_first },
		{ "native_make_pud", parse_first },
		{ "native_make_p4d", parse_first },
		{ "native_make_pgd", parse_first },
	};
	static const struct {
		const char *name;
		enum otst_call call;
		unsigned int size;
	} plain[] = {
		{ "__print_hex", OTST_CALL_HEX, 8 },
		{ "__print_hex_str", OTST_CALL_HEX_STR, 8 },
		{ "__print_array", OTST_CALL_ARRAY, 8 },
		{ "__fswab16", OTST_CALL_SWAP16, 2 },
		{ "__fswab32", OTST_CALL_SWAP32, 4 },
		{ "__fswab64", OTST_CALL_SWAP64, 8 },
		{ "__builtin_bswap16", OTST_CALL_SWAP16, 2 },
		{ "__builtin_bswap32", OTST_CALL_SWAP32, 4 },
		{ "__builtin_bswap64", OTST_CALL_SWAP64, 8 },
		{ "mc_event_error_type", OTST_CALL_MC_ERROR_TYPE, 8 },
	};
	size_t i;

	for (i = 0; i < sizeof(special) / sizeof(*special); i++) {
		if (is_word(s, n, special[i].name))
			return special[i].parse(ps);
	}
	for (i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
		if (is_word(s, n, plain[i].name))
			return parse_arguments(ps, plain[i].call, plain[i].size);
	}
	if (is_word(s, n, "__print_flags") || is_word(s, n, "__print_flags_u64"))
		return parse_flags(ps, OTST_CALL_FLAGS);
	if (is_word(s, n, "__print_symbolic") || is_word(s, n, "__print_symbolic_u64"))
		return parse_flags(ps, OTST_CALL_SYMBOLIC);
	if (is_word(s, n, "__print_ns_to_secs"))
		return parse_ns(ps, '/');
	if (is_word(s, n, "__print_ns_without_secs"))
		return parse_ns(ps, '%');
	/* nvme_trace_disk_name(p, field) */
	if (is_word(s, n, "nvme_trace_disk_name") && eat(ps, "p") && eat(ps, ","))
		return parse_arguments(ps, OTST_CALL_DISK_NAME, 8);
	if (n > 4 && (!memcmp(s, "__get_", 6))) {
		if (n > 4 && !memcmp(s + n - 4, "_len", 4))
			return parse_dynamic(ps, OTST_EXPR_DYNAMIC_LEN);
		return parse_dynamic(ps, OTST_EXPR_DYNAMIC);
	}
	ps->p = s;
	return fail(ps, "unknown function");
}

/* ---- expressions ---- */

static struct otst_expr *parse_number(struct parser *ps)
{
	const char *start = ps->p;
	bool is_unsigned = false, is_long = false;
	uint64_t v = strtoull(start, (char **)&ps->p, 0);

	for (; strchr("uUlL", *ps->p) && *ps->p; ps->p++) {
		is_unsigned |= *ps->p == 'u' || *ps->p == 'U';
		is_long |= *ps->p == 'l' || *ps->p == 'L';
	}
	/* as C chooses: hexadecimal and octal constants may become unsigned before long */
	if (!is_long && v > UINT32_MAX)
		is_long = true;
	if (!is_long && v > INT32_MAX) {
		is_unsigned |= *start == '0';
		is_long = !is_unsigned;
	}
	if (v > INT64_MAX)
		is_unsigned = true;
	return new_number(ps, v, is_long ? 8 : 4, !is_unsigned);
}

static struct otst_expr *parse_text(struct parser *ps)
{
	struct otst_expr *e = new_node(ps, OTST_EXPR_TEXT, 8, false);

	if (!e)
		return NULL;
	e->is_pointer = true;
	e->element = 1;
	e->text = parse_string(ps);
	return e->text ? e : NULL;
}

static struct otst_expr *parse_character(struct parser *ps)
{
	char c = *++ps->p;

	if (c)
		ps->p++;
	if (c == '\\')
		c = unescape(&ps->p);
	return expect(ps, "'") ? new_number(ps, (uint64_t)c, 4, true) : NULL;
}

static bool word_is(struct parser *ps, const char *word)
{
	return is_word(ps->p, word_at(ps), word);
}

/* to the semicolon that ends it, or to the end */
static void skip_statement(struct parser *ps)
{
	unsigned int depth = 0;

	for (; *ps->p && (depth || *ps->p != ';'); ps->p++) {
		if (strchr("({[", *ps->p))
			depth++;
		else if (strchr(")}]", *ps->p) && depth)
			depth--;
	}
}

/* ({ type name = value; ... last; }), as min() and max() expand to */
static struct otst_expr *parse_statements(struct parser *ps)
{
	struct local *before = ps->locals, *l;
	struct otst_expr *e = NULL;
	struct c_type t;
	size_t n;

	while (!ps->err && !eat(ps, "}")) {
		const char *start = ps->p;

		if (parse_type(ps, &t) && (n = word_at(ps))) {
			l = alloc(ps, sizeof(*l));
			if (!l)
				return NULL;
			l->name = ps->p;
			l->len = n;
			ps->p += n;
			if (!expect(ps, "="))
				return NULL;
			l->value = new_cast(ps, &t, parse_cond(ps));
			l->next = ps->locals;
			ps->locals = l;
		} else {
			ps->p = start;
			/* a check at compile time that leaves no value */
			if (eat(ps, "(void)") || word_is(ps, "do") || word_is(ps, "_Static_assert"))
				skip_statement(ps);
			else
				e = parse_cond(ps);
		}
		if (!expect(ps, ";"))
			return NULL;
	}
	ps->locals = before;
	return expect(ps, ")") ? e : NULL;
}

/* a name that is no function: a variable, or an enumerator that the kernel left in */
static struct otst_expr *parse_name(struct parser *ps, const char *s, size_t n)
{
	const char *name;
	struct local *l;
	uint64_t addr;
	int64_t v;

	for (l = ps->locals; l; l = l->next) {
		if (l->len == n && !memcmp(l->name, s, n))
			return l->value;
	}
	if (is_word(s, n, "true"))
		return new_number(ps, 1, 4, true);
	if (is_word(s, n, "false") || is_word(s, n, "NULL"))
		return new_number(ps, 0, 4, true);
	name = dup_word(ps, s, n);
	if (name && !otst_enumerator(ps->o, name, &v))
		return new_number(ps, (uint64_t)v, v == (int32_t)v ? 4 : 8, true);
	/* variables of the kernel, as they are in the dump */
	if ((is_word(s, n, "jiffies") || is_word(s, n, "vmemmap_base")) &&
	    !otst_symbol(ps->o, name, &addr) && !otst_read_u64(ps->o, addr, &addr))
		return new_number(ps, addr, 8, false);
	ps->p = s;
	return fail(ps, "unknown name");
}

static struct otst_expr *parse_primary(struct parser *ps)
{
	const char *s;
	struct otst_expr *e;
	size_t n = word_at(ps);

	s = ps->p;
	if (n) {
		ps->p += n;
		if (is_word(s, n, "REC"))
			return parse_field(ps);
		if (!eat(ps, "("))
			return parse_name(ps, s, n);
		e = parse_function(ps, s, n);
		return e && expect(ps, ")") ? e : NULL;
	}
	if (isdigit((unsigned char)*s))
		return parse_number(ps);
	if (*s == '"')
		return parse_text(ps);
	if (*s == '\'')
		return parse_character(ps);
	if (!eat(ps, "("))
		return fail(ps, "no expression");
	if (eat(ps, "{"))
		return parse_statements(ps);
	if (eat(ps, "REC)"))
		return parse_field(ps);
	e = parse_cond(ps);
	return e && expect(ps, ")") ? e : NULL;
}

static struct otst_expr *new_index(struct parser *ps, struct otst_expr *base, struct otst_expr *at)
{
	struct otst_expr *e;

	if (!base || !at)
		return NULL;
	if (!base->is_pointer || !base->element || base->element > 8)
		return fail(ps, "elements of unknown size");
	e = new_node(ps, OTST_EXPR_INDEX, base->element, base->element_signed);
	if (!e)
		return NULL;
	e->args[0] = base;
	e->args[1] = at;
	e->nr_args = 2;
	return e;
}

static struct otst_expr *parse_postfix(struct parser *ps)
{
	struct otst_expr *e = parse_primary(ps);

	while (e && !ps->err && eat(ps, "[")) {
		e = new_index(ps, e, parse_cond(ps));
		if (!expect(ps, "]"))
			return NULL;
	}
	skip_space(ps);
	if (e && (*ps->p == '.' || (ps->p[0] == '-' && ps->p[1] == '>')))
		return fail(ps, "a member of a structure");
	return e;
}

/* (type) before an operand; leaves the place alone when it is no cast */
static bool parse_cast(struct parser *ps, struct c_type *ret)
{
	const char *start = ps->p;

	if (eat(ps, "(") && word_at(ps) && parse_type(ps, ret) && eat(ps, ")")) {
		skip_space(ps);
		if (*ps->p && !strchr(",)]}?:", *ps->p))
			return true;
	}
	ps->p = start;
	return false;
}

/* &field, &array[i] */
static struct otst_expr *parse_address(struct parser *ps)
{
	struct otst_expr *e = parse_unary(ps), *at;

	if (!e || e->kind == OTST_EXPR_BYTES)
		return e;
	if (e->kind == OTST_EXPR_INDEX)
		return new_binary(ps, '+', e->args[0], e->args[1]);
	if (e->kind != OTST_EXPR_FIELD)
		return fail(ps, "an address of a value");
	at = new_node(ps, OTST_EXPR_BYTES, 8, false);
	if (at) {
		at->field = e->field;
		at->place = e->place;
		at->is_pointer = true;
		at->element = e->size;
		at->element_signed = e->is_signed;
	}
	return at;
}

static struct otst_expr *parse_unary_operator(struct parser *ps)
{
	struct c_type t;
	uint16_t op;

	skip_space(ps);
	switch (*ps->p) {
	case '!':
	case '~':
	case '-':
		op = (uint16_t)*ps->p++;
		return new_unary(ps, op, parse_unary(ps));
	case '+':
		ps->p++;
		return parse_unary(ps);
	case '*':
		ps->p++;
		return new_index(ps, parse_unary(ps), new_number(ps, 0, 4, true));
	case '&':
		ps->p++;
		return parse_address(ps);
	}
	if (parse_cast(ps, &t))
		return new_cast(ps, &t, parse_unary(ps));
	return parse_postfix(ps);
}

static struct otst_expr *parse_unary(struct parser *ps)
{
	struct otst_expr *e;

	if (++ps->depth > MAX_DEPTH)
		return fail(ps, "too deep");
	e = parse_unary_operator(ps);
	ps->depth--;
	return e;
}

/* operators of C by rank, longer ones first where one begins another */
static const struct {
	const char *text;
	unsigned int rank;
} operators[] = {
	{ "||", 1 }, { "&&", 2 }, { "==", 6 }, { "!=", 6 }, { "<<", 8 }, { ">>", 8 },
	{ "<=", 7 }, { ">=", 7 }, { "|", 3 },  { "^", 4 },  { "&", 5 },	 { "<", 7 },
	{ ">", 7 },  { "+", 9 },  { "-", 9 },  { "*", 10 }, { "/", 10 }, { "%", 10 },
};

static struct otst_expr *parse_binary(struct parser *ps, unsigned int lowest)
{
	struct otst_expr *e = parse_unary(ps);
	size_t i, nr = sizeof(operators) / sizeof(*operators);

	while (e && !ps->err) {
		const char *op;

		skip_space(ps);
		for (i = 0; i < nr; i++) {
			if (!strncmp(ps->p, operators[i].text, strlen(operators[i].text)))
				break;
		}
		if (i == nr || operators[i].rank < lowest)
			return e;
		op = operators[i].text;
		ps->p += strlen(op);
		e = new_binary(ps, op[1] ? OP2(op[0], op[1]) : (uint16_t)op[0], e,
			       parse_binary(ps, operators[i].rank + 1));
	}
	return ps->err ? NULL : e;
}

static struct otst_expr *parse_cond(struct parser *ps)
{
	struct otst_expr *e, *a;

	if (ps->err || ++ps->depth > MAX_DEPTH)
		return fail(ps, "too deep");
	e = parse_binary(ps, 1);
	if (e && eat(ps, "?")) {
		/* GNU C: what is left out is the condition */
		skip_space(ps);
		a = *ps->p == ':' ? e : parse_cond(ps);
		e = a && expect(ps, ":") ? new_cond(ps, e, a, parse_cond(ps)) : NULL;
	}
	ps->depth--;
	return ps->err ? NULL : e;
}

/* ---- the format string ---- */

static unsigned int parse_size(const char **p)
{
	unsigned int size = 4;

	for (;; (*p)++) {
		if (**p == 'h')
			size = size == 2 ? 1 : 2;
		else if (**p && strchr("lLqjzZt", **p))
			size = 8;
		else
			return size;
	}
}

bool otst_spec_parse(const char **p, struct otst_spec *ret, bool *star_width, bool *star_precision)
{
	size_t n = 0;

	memset(ret, 0, sizeof(*ret));
	ret->precision = -1;
	for (;; (*p)++) {
		ret->left |= **p == '-';
		ret->plus |= **p == '+';
		ret->space |= **p == ' ';
		ret->special |= **p == '#';
		ret->zero |= **p == '0';
		if (!**p || !strchr("-+ #0", **p))
			break;
	}
	*star_width = **p == '*';
	if (*star_width)
		(*p)++;
	else
		ret->width = (int32_t)strtol(*p, (char **)p, 10);
	*star_precision = false;
	if (**p == '.') {
		(*p)++;
		*star_precision = **p == '*';
		if (*star_precision)
			(*p)++;
		else
			ret->precision = isdigit((unsigned char)**p) ?
						 (int32_t)strtol(*p, (char **)p, 10) :
						 0;
	}
	ret->size = (uint8_t)parse_size(p);
	if (!**p || !strchr("cdiouxXsp%", **p))
		return false;
	ret->conversion = *(*p)++;
	if (ret->conversion == 'p') {
		ret->size = 8;
		while (isalnum((unsigned char)**p)) {
			if (n < sizeof(ret->suffix) - 1)
				ret->suffix[n++] = **p;
			(*p)++;
		}
	}
	return ret->width <= 4096 && ret->width >= 0 && ret->precision <= 4096;
}

static struct otst_expr *next_argument(struct parser *ps)
{
	return expect(ps, ",") ? parse_cond(ps) : NULL;
}

/* one step: text up to a conversion, and its arguments */
static bool parse_step(struct parser *ps, const char **fmt, struct otst_step *s)
{
	bool star_width, star_precision;

	s->text = *fmt;
	s->len = (uint32_t)strcspn(*fmt, "%");
	*fmt += s->len;
	if (!**fmt)
		return true;
	(*fmt)++;
	if (!otst_spec_parse(fmt, &s->spec, &star_width, &star_precision))
		return fail(ps, "an unknown conversion");
	if (s->spec.conversion == '%') {
		s->len++;
		s->spec.conversion = 0;
		return true;
	}
	if (star_width)
		s->width = next_argument(ps);
	if (star_precision)
		s->precision = next_argument(ps);
	s->arg = ps->err ? NULL : next_argument(ps);
	return s->arg != NULL;
}

int otst_plan_parse(struct otst *o, const struct otst_event_format *f, const char *print_fmt,
		    struct otst_plan *ret)
{
	struct parser ps = { .o = o, .f = f, .p = print_fmt };
	struct otst_vec steps = { 0 };
	struct otst_step *s;
	const char *fmt;

	skip_space(&ps);
	fmt = *ps.p == '"' ? parse_string(&ps) : fail(&ps, "no format string");
	while (fmt && *fmt && !ps.err) {
		s = steps.count < MAX_STEPS ? otst_vec_push(o, &steps, sizeof(*s)) : NULL;
		if (!s || !parse_step(&ps, &fmt, s))
			fail(&ps, "too many conversions");
	}
	if (ps.err)
		return ps.err;
	ret->steps = steps.data;
	ret->nr_steps = steps.count;
	return 0;
}
