// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * calls.c - fields of the record, and the functions that print formats call
 * (include/trace/stages/stage3_trace_output.h and the like).
 */
#include <stdlib.h>
#include <string.h>

#include "../memory/sections.h"
#include "parse.h"

#define MAX_PAIRS    1024u
#define COMMON_HZ    250u /* of Debian, Ubuntu, openSUSE */
#define NSEC_PER_SEC 1000000000u
#define MAX_HZ	     10000u /* the highest of any architecture is 1200 */
#define MAX_SHIFT    31u    /* JIFFIES_SHIFT is 6 or 8 */

static const struct otst_event_field *find_field(struct otst_pf *ps, const char *s, size_t len)
{
	for (size_t i = 0; i < ps->f->nr_fields; i++) {
		if (otst_pf_is_word(s, len, ps->f->fields[i].name))
			return &ps->f->fields[i];
	}
	return otst_pf_fail(ps, "no such field");
}

static void point_to_elements(struct otst_expr *e, const struct otst_event_field *f)
{
	e->is_pointer = true;
	e->element = f->element <= 8 ? (uint8_t)f->element : 0;
	e->element_signed = f->is_signed;
}

static struct otst_expr *field_value(struct otst_pf *ps, const struct otst_event_field *f)
{
	struct otst_expr *e;

	if (f->kind == OTST_FIELD_VALUE && f->size <= 8) {
		e = otst_pf_node(ps, OTST_EXPR_FIELD, f->size, f->is_signed);
		if (e && strchr(f->type, '*')) {
			e->is_pointer = true;
			e->element = strstr(f->type, "char") ? 1 : 0;
		}
	} else if (f->kind == OTST_FIELD_DATA_LOC || f->kind == OTST_FIELD_REL_LOC) {
		e = otst_pf_node(ps, OTST_EXPR_FIELD, 4, false);
	} else {
		e = otst_pf_node(ps, OTST_EXPR_BYTES, 8, false);
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
static struct otst_expr *parse_common_field(struct otst_pf *ps)
{
	const struct otst_event_field *f;
	const char *name;
	size_t n;

	if (!otst_pf_eat(ps, "ent") || !otst_pf_expect(ps, "."))
		return NULL;
	n = otst_pf_word_at(ps);
	name = otst_format(ps->o, "common_%.*s", (int)n, ps->p);
	f = name ? find_field(ps, name, strlen(name)) : NULL;
	ps->p += n;
	return f ? field_value(ps, f) : NULL;
}

struct otst_expr *otst_pf_field(struct otst_pf *ps)
{
	const struct otst_event_field *f;
	size_t n;

	if (!otst_pf_expect(ps, "->"))
		return NULL;
	n = otst_pf_word_at(ps);
	if (otst_pf_is_word(ps->p, n, "ent"))
		return parse_common_field(ps);
	f = n ? find_field(ps, ps->p, n) : otst_pf_fail(ps, "no field");
	if (!f)
		return NULL;
	ps->p += n;
	return field_value(ps, f);
}

/* (name) or (name[i]) of __get_str() and the like */
static struct otst_expr *parse_dynamic(struct otst_pf *ps, enum otst_expr_kind kind)
{
	const struct otst_event_field *f;
	struct otst_expr *e;
	size_t n = otst_pf_word_at(ps);

	f = n ? find_field(ps, ps->p, n) : otst_pf_fail(ps, "no field");
	e = f ? otst_pf_node(ps, kind, kind == OTST_EXPR_DYNAMIC ? 8 : 4, false) : NULL;
	if (!e)
		return NULL;
	ps->p += n;
	e->field = f;
	e->place = f->offset;
	if (kind == OTST_EXPR_DYNAMIC)
		point_to_elements(e, f);
	if (otst_pf_eat(ps, "[")) {
		e->place += (uint32_t)strtoul(ps->p, (char **)&ps->p, 0) * 4;
		e->element = 1;
		otst_pf_expect(ps, "]");
	}
	return e;
}

static struct otst_expr *new_call(struct otst_pf *ps, enum otst_call call, unsigned int size)
{
	struct otst_expr *e = otst_pf_node(ps, OTST_EXPR_CALL, size, false);

	if (e)
		e->call = call;
	return e;
}

/* { value, "text" }, ... up to the closing parenthesis */
static bool parse_pairs(struct otst_pf *ps, struct otst_expr *call)
{
	struct otst_vec pairs = { 0 };
	struct otst_pair *pair;
	struct otst_expr *v;

	while (!ps->err && otst_pf_eat(ps, ",")) {
		if (!otst_pf_expect(ps, "{"))
			return false;
		v = otst_pf_expr(ps);
		if (!v || !otst_pf_expect(ps, ","))
			return false;
		if (v->kind != OTST_EXPR_NUMBER)
			return otst_pf_fail(ps, "not a constant");
		pair = pairs.count < MAX_PAIRS ? otst_vec_push(ps->o, &pairs, sizeof(*pair)) : NULL;
		if (!pair)
			return otst_pf_fail(ps, "too many flags");
		pair->value = v->number;
		otst_pf_skip_space(ps);
		if (*ps->p == '"')
			pair->text = otst_pf_string(ps);
		else
			v = otst_pf_expr(ps);
		if (!v || !otst_pf_expect(ps, "}"))
			return false;
	}
	call->pairs = pairs.data;
	call->nr_pairs = pairs.count;
	/* the kernel stops at a row without text: { -1, NULL } */
	for (size_t i = 0; i < pairs.count; i++) {
		if (!call->pairs[i].text) {
			call->nr_pairs = i;
			break;
		}
	}
	return !ps->err;
}

static struct otst_expr *parse_flags(struct otst_pf *ps, enum otst_call kind)
{
	struct otst_expr *e = new_call(ps, kind, 8);

	if (!e)
		return NULL;
	e->is_pointer = true;
	e->args[0] = otst_pf_expr(ps);
	e->nr_args = 1;
	if (!e->args[0])
		return NULL;
	if (kind == OTST_CALL_FLAGS) {
		if (!otst_pf_expect(ps, ","))
			return NULL;
		e->text = otst_pf_string(ps);
	}
	return parse_pairs(ps, e) ? e : NULL;
}

/* a function whose arguments are expressions */
static struct otst_expr *parse_arguments(struct otst_pf *ps, enum otst_call kind, unsigned int size)
{
	struct otst_expr *e = new_call(ps, kind, size), *arg;

	while (e && !ps->err) {
		arg = otst_pf_expr(ps);
		if (!arg || e->nr_args == 4)
			return otst_pf_fail(ps, "arguments");
		e->args[e->nr_args++] = arg;
		if (!otst_pf_eat(ps, ","))
			break;
	}
	return e;
}

/* __print_dynamic_array(field, size of an element) */
static struct otst_expr *parse_dynamic_array(struct otst_pf *ps)
{
	struct otst_expr *e = new_call(ps, OTST_CALL_ARRAY, 8), *len;
	const char *start = ps->p;

	if (!e)
		return NULL;
	e->args[0] = parse_dynamic(ps, OTST_EXPR_DYNAMIC);
	ps->p = start;
	len = parse_dynamic(ps, OTST_EXPR_DYNAMIC_LEN);
	if (!otst_pf_expect(ps, ","))
		return NULL;
	e->args[2] = otst_pf_expr(ps);
	e->args[1] = otst_pf_binary(ps, '/', len, e->args[2]);
	e->nr_args = 3;
	return e->args[0] && e->args[1] && e->args[2] ? e : NULL;
}

static struct otst_expr *parse_bitmask(struct otst_pf *ps)
{
	struct otst_expr *e = new_call(ps, OTST_CALL_BITMASK, 8);

	if (!e)
		return NULL;
	e->args[0] = parse_dynamic(ps, OTST_EXPR_DYNAMIC);
	e->nr_args = 1;
	return e->args[0] ? e : NULL;
}

static struct otst_expr *parse_stack(struct otst_pf *ps)
{
	struct otst_expr *e = new_call(ps, OTST_CALL_STACK, 8);

	if (!e)
		return NULL;
	e->args[0] = parse_dynamic(ps, OTST_EXPR_DYNAMIC);
	e->nr_args = 1;
	return e->args[0] ? e : NULL;
}

/* sizeof a field, a type or an expression */
static struct otst_expr *parse_sizeof(struct otst_pf *ps)
{
	struct otst_c_type t;
	struct otst_expr *e;

	if (otst_pf_type(ps, &t))
		return otst_pf_number(ps, t.size, 8, false);
	e = otst_pf_expr(ps);
	if (!e)
		return NULL;
	if (e->kind == OTST_EXPR_BYTES)
		return otst_pf_number(ps, e->field->size, 8, false);
	return otst_pf_number(ps, e->size, 8, false);
}

/* value / NSEC_PER_SEC or the remainder, as __print_ns_to_secs() */
static struct otst_expr *parse_ns(struct otst_pf *ps, uint16_t op)
{
	return otst_pf_binary(ps, op, otst_pf_expr(ps), otst_pf_number(ps, 1000000000, 8, false));
}

/* mult is TICK_NSEC << JIFFIES_SHIFT, shift is JIFFIES_SHIFT */
static uint64_t hz_of_clocksource(struct otst *o)
{
	uint64_t at = otst_symbol_or0(o, "clocksource_jiffies"), mult, shift, ns;

	if (!at || otst_read_member(o, "clocksource", at, "mult", &mult) ||
	    otst_read_member(o, "clocksource", at, "shift", &shift) || shift > MAX_SHIFT)
		return 0;
	ns = (uint32_t)mult >> shift;
	return ns ? (NSEC_PER_SEC + ns / 2) / ns : 0;
}

/*
 * HZ, ticks per second. A kernel keeps this constant of its configuration as the
 * enumerator CREATE_COOLDOWN of kernel/workqueue.c, and as the length of a tick
 * in clocksource_jiffies of kernel/time/jiffies.c.
 */
static unsigned int ticks_per_second(struct otst *o)
{
	int64_t hz = otst_enumerator_or(o, "CREATE_COOLDOWN", 0);

	if (hz <= 0 || hz > MAX_HZ)
		hz = (int64_t)hz_of_clocksource(o);
	return hz <= MAX_HZ ? (unsigned int)hz : 0;
}

static struct otst_expr *parse_jiffies(struct otst_pf *ps)
{
	uint64_t hz = ticks_per_second(ps->o);
	struct otst_expr *e = otst_pf_expr(ps);

	if (!hz) {
		ps->note = "HZ is not known: jiffies in events are taken for 4 ms, as with HZ 250";
		hz = COMMON_HZ;
	}
	if (1000 % hz == 0)
		return otst_pf_binary(ps, '*', e, otst_pf_number(ps, 1000 / hz, 4, false));
	e = otst_pf_binary(ps, '*', e, otst_pf_number(ps, 1000, 8, false));
	e = otst_pf_binary(ps, '+', e, otst_pf_number(ps, hz - 1, 8, false));
	return otst_pf_binary(ps, '/', e, otst_pf_number(ps, hz, 8, false));
}

/* the value of its first argument, whatever follows */
static struct otst_expr *parse_first(struct otst_pf *ps)
{
	struct otst_expr *e = otst_pf_expr(ps);

	while (e && otst_pf_eat(ps, ",")) {
		if (!otst_pf_expr(ps))
			return NULL;
	}
	return e;
}

static struct otst_expr *parse_no(struct otst_pf *ps)
{
	return parse_first(ps) ? otst_pf_number(ps, 0, 4, true) : NULL;
}

/* leading zeros of a 64-bit number */
static unsigned int zeros_of(uint64_t v)
{
	return v ? (unsigned int)__builtin_clzll(v) : 64;
}

static struct otst_expr *parse_constant(struct otst_pf *ps)
{
	struct otst_expr *e = parse_first(ps);

	return !e || e->kind == OTST_EXPR_NUMBER ? e : otst_pf_fail(ps, "not a constant");
}

/* functions of constants; arm64's formats use them to give the size of struct page */
static struct otst_expr *parse_zeros(struct otst_pf *ps)
{
	struct otst_expr *e = parse_constant(ps);

	return e ? otst_pf_number(ps, zeros_of(e->number), 4, true) : NULL;
}

static struct otst_expr *parse_log2(struct otst_pf *ps)
{
	struct otst_expr *e = parse_constant(ps);

	return e ? otst_pf_number(ps, 63 - zeros_of(e->number), 4, true) : NULL;
}

/* order of the next power of two */
static struct otst_expr *parse_order(struct otst_pf *ps)
{
	struct otst_expr *e = parse_constant(ps);

	return e ? otst_pf_number(ps, 64 - zeros_of(e->number > 1 ? e->number - 1 : 0), 4, true) :
		   NULL;
}

/*
 * pfn_to_page() of kernels without CONFIG_SPARSEMEM_VMEMMAP is
 * __section_mem_map_addr(__pfn_to_section(pfn)) + pfn: here, the section is its page frame.
 */
static struct otst_expr *parse_section_map(struct otst_pf *ps)
{
	struct otst_expr *e = new_call(ps, OTST_CALL_SECTION_MAP, 8);
	struct otst_sections sections;
	uint64_t size;

	if (!e)
		return NULL;
	if (otst_type_size(ps->o, "page", &size) || size > UINT8_MAX ||
	    otst_sections_find(ps->o, &sections))
		return otst_pf_fail(ps, "sections of memory are not known");
	e->is_pointer = true;
	e->element = (uint8_t)size;
	e->args[0] = otst_pf_expr(ps);
	e->nr_args = 1;
	return e->args[0] ? e : NULL;
}

/* one of two words, as chosen by str_on_off() and the like; NULL when @s is none of them */
static struct otst_expr *parse_choice(struct otst_pf *ps, const char *s, size_t n)
{
	static const struct {
		const char *name, *yes, *no;
	} choices[] = {
		{ "str_on_off", "on", "off" },
		{ "str_read_write", "read", "write" },
		{ "str_write_read", "write", "read" },
		{ "str_yes_no", "yes", "no" },
		{ "str_true_false", "true", "false" },
		{ "str_enable_disable", "enable", "disable" },
		{ "str_enabled_disabled", "enabled", "disabled" },
		{ "str_up_down", "up", "down" },
		{ "str_high_low", "high", "low" },
	};

	for (size_t i = 0; i < sizeof(choices) / sizeof(*choices); i++) {
		if (otst_pf_is_word(s, n, choices[i].name))
			return otst_pf_cond(ps, otst_pf_expr(ps), otst_pf_text(ps, choices[i].yes),
					    otst_pf_text(ps, choices[i].no));
	}
	return NULL;
}

/* functions with a parser of their own */
static const struct {
	const char *name;
	struct otst_expr *(*parse)(struct otst_pf *ps);
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
	{ "__builtin_clzll", parse_zeros },
	{ "__ilog2_u32", parse_log2 },
	{ "__ilog2_u64", parse_log2 },
	{ "__order_base_2", parse_order },
	{ "__pfn_to_section", parse_first },
	{ "__section_mem_map_addr", parse_section_map },
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

/* those whose arguments are values of @size bytes */
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

struct otst_expr *otst_pf_function(struct otst_pf *ps, const char *s, size_t n)
{
	struct otst_expr *e;

	for (size_t i = 0; i < sizeof(special) / sizeof(*special); i++) {
		if (otst_pf_is_word(s, n, special[i].name))
			return special[i].parse(ps);
	}
	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
		if (otst_pf_is_word(s, n, plain[i].name))
			return parse_arguments(ps, plain[i].call, plain[i].size);
	}
	if (otst_pf_is_word(s, n, "__print_flags") || otst_pf_is_word(s, n, "__print_flags_u64"))
		return parse_flags(ps, OTST_CALL_FLAGS);
	if (otst_pf_is_word(s, n, "__print_symbolic") ||
	    otst_pf_is_word(s, n, "__print_symbolic_u64"))
		return parse_flags(ps, OTST_CALL_SYMBOLIC);
	if (otst_pf_is_word(s, n, "__print_ns_to_secs"))
		return parse_ns(ps, '/');
	if (otst_pf_is_word(s, n, "__print_ns_without_secs"))
		return parse_ns(ps, '%');
	if (n > 4 && !memcmp(s, "str_", 4) && (e = parse_choice(ps, s, n)))
		return e;
	/* nvme_trace_disk_name(p, field) */
	if (otst_pf_is_word(s, n, "nvme_trace_disk_name") && otst_pf_eat(ps, "p") &&
	    otst_pf_eat(ps, ","))
		return parse_arguments(ps, OTST_CALL_DISK_NAME, 8);
	if (n > 4 && (!memcmp(s, "__get_", 6))) {
		if (n > 4 && !memcmp(s + n - 4, "_len", 4))
			return parse_dynamic(ps, OTST_EXPR_DYNAMIC_LEN);
		return parse_dynamic(ps, OTST_EXPR_DYNAMIC);
	}
	ps->p = s;
	return otst_pf_fail(ps, "unknown function");
}
