// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * fields.c - a record as the option "fields" prints it: every field as
 * its filter type says (print_event_fields() of kernel/trace/trace_output.c).
 */
#include <string.h>

#include "plan.h"

static const char memo_key;

/*
 * enum of the filter types, and what later kernels do: @symbols: print 8-byte
 * words as symbols, since they adjust addresses of an earlier boot; @dots: also
 * print strings that are not text, since events of system calls have such
 */
struct kinds {
	int static_string, dyn_string, rel_string, ptr_string, function, comm;
	bool symbols;
	bool dots;
};

static const struct kinds *get_kinds(struct otst *o)
{
	struct kinds **memo = (struct kinds **)otst_memo(o, &memo_key), *k;

	if (*memo)
		return *memo;
	k = otst_new(o, sizeof(*k));
	k->static_string = (int)otst_enumerator_or(o, "FILTER_STATIC_STRING", -1);
	k->dyn_string = (int)otst_enumerator_or(o, "FILTER_DYN_STRING", -1);
	k->rel_string = (int)otst_enumerator_or(o, "FILTER_RDYN_STRING", -1);
	k->ptr_string = (int)otst_enumerator_or(o, "FILTER_PTR_STRING", -1);
	k->function = (int)otst_enumerator_or(o, "FILTER_TRACE_FN", -1);
	k->comm = (int)otst_enumerator_or(o, "FILTER_COMM", -1);
	k->symbols = otst_has_symbol(o, "trace_adjust_address");
	k->dots = otst_has_member(o, "syscall_metadata", "user_mask");
	return *memo = k;
}

static void put_bytes(struct otst_run *r, const uint8_t *p, uint32_t len, const char *separator)
{
	static const struct otst_spec spec = {
		.conversion = 'x', .size = 4, .width = 2, .zero = true, .precision = -1
	};

	for (uint32_t i = 0; i < len; i++) {
		otst_text_string(&r->out, i ? separator : "");
		otst_put_number(&r->out, p[i], &spec);
	}
}

/* isprint() of lib/ctype.c, which knows Latin-1 */
static bool is_text_field(uint8_t c)
{
	return (c >= ' ' && c < 0x7f) || c >= 0xa0;
}

/* characters, with dots for those that are not text, then all bytes */
static void put_dotted(struct otst_run *r, const struct otst_value *v)
{
	for (uint32_t i = 0; i < v->len; i++)
		otst_put_bytes(&r->out, is_text_field(v->p[i]) ? (const char *)v->p + i : ".", 1);
	otst_text_string(&r->out, " (");
	put_bytes(r, v->p, v->len, ":");
	otst_text_string(&r->out, ")");
}

/* the bytes that the word at the field names; false when not all of them are in the record */
static bool find_field_value(const struct otst_run *r, const struct otst_event_field *f,
			     bool relative, struct otst_value *ret)
{
	uint32_t word = (uint32_t)otst_get(r->o, r->data + f->offset, 4);

	memset(ret, 0, sizeof(*ret));
	return otst_location(otst_big_endian(r->o), r->data, r->size, f->offset, relative, ret) &&
	       ret->len == word >> 16;
}

static void put_dynamic_string(struct otst_run *r, const struct otst_event_field *f,
			       const struct kinds *k)
{
	struct otst_value v;

	if (!find_field_value(r, f, f->filter == k->rel_string, &v)) {
		otst_text_string(&r->out, "<OVERFLOW>");
		return;
	}
	for (uint32_t i = 0; k->dots && i < v.len; i++) {
		if (v.p[i] && !is_text_field(v.p[i])) {
			put_dotted(r, &v);
			return;
		}
	}
	otst_put_bytes(&r->out, v.p, v.len);
}

/* 0x10 (16) */
static void put_both(struct otst_run *r, uint64_t v, unsigned int size)
{
	struct otst_spec spec = { .conversion = 'd', .size = (uint8_t)size, .precision = -1 };

	otst_put_hex(&r->out, v);
	otst_text_string(&r->out, " (");
	otst_put_number(&r->out, v, &spec);
	otst_text_string(&r->out, ")");
}

static void put_long(struct otst_run *r, uint64_t v, const struct kinds *k)
{
	static const struct otst_spec spec = { .conversion = 'd', .size = 8, .precision = -1 };

	if (!k->symbols) {
		put_both(r, v, 8);
		return;
	}
	otst_put_symbol(r, v, true, true);
	otst_text_string(&r->out, " (");
	otst_put_number(&r->out, v, &spec);
	otst_text_string(&r->out, ")");
}

/* a string that the kernel reads from its own memory: of a user's it prints the address alone */
static void put_pointed(struct otst_run *r, uint64_t addr)
{
	static const struct otst_spec spec = {
		.conversion = 'x', .size = 8, .width = 16, .zero = true, .precision = -1
	};
	struct otst_value v = { .number = addr };

	otst_text_string(&r->out, "(0x");
	otst_put_number(&r->out, addr, &spec);
	if (otst_is_kernel_pointer(r->o, addr)) {
		otst_text_string(&r->out, ":");
		otst_put_string(r, &v, -1);
	}
	otst_text_string(&r->out, ")");
}

static void put_field_number(struct otst_run *r, const struct otst_event_field *f,
			     const struct kinds *k)
{
	static const struct otst_spec spec = { .conversion = 'u', .size = 4, .precision = -1 };
	uint64_t v = f->size <= 8 ? otst_get(r->o, r->data + f->offset, f->size) : 0;
	struct otst_value bytes;
	char c = (char)v;

	switch (f->size) {
	case 1:
		if (is_text_field((uint8_t)c)) {
			otst_text_string(&r->out, "'");
			otst_put_bytes(&r->out, &c, 1);
			otst_text_string(&r->out, "'");
		}
		otst_text_string(&r->out, "(");
		otst_put_number(&r->out, v, &spec);
		otst_text_string(&r->out, ")");
		return;
	case 2:
		/* as an int */
		put_both(r, v, 4);
		return;
	case 4:
		if (f->kind != OTST_FIELD_DATA_LOC && f->kind != OTST_FIELD_REL_LOC)
			put_both(r, v, 4);
		else if (find_field_value(r, f, f->kind == OTST_FIELD_REL_LOC, &bytes))
			put_bytes(r, bytes.p, bytes.len, ",");
		else
			otst_text_string(&r->out, "<OVERFLOW>");
		return;
	case 8:
		put_long(r, v, k);
		return;
	default:
		otst_text_string(&r->out, "<INVALID-SIZE>");
	}
}

static void put_event_field(struct otst_run *r, const struct otst_event_field *f,
			    const struct kinds *k)
{
	if (f->offset > r->size || f->size > r->size - f->offset) {
		otst_text_string(&r->out, "<OVERFLOW>");
	} else if (f->filter == k->static_string || f->filter == k->comm) {
		otst_put_bytes(&r->out, r->data + f->offset, f->size);
	} else if (f->size >= 4 && (f->filter == k->dyn_string || f->filter == k->rel_string)) {
		put_dynamic_string(r, f, k);
	} else if (f->size == 8 && f->filter == k->ptr_string) {
		put_pointed(r, otst_get(r->o, r->data + f->offset, 8));
	} else if (f->size == 8 && f->filter == k->function) {
		otst_put_symbol(r, otst_get(r->o, r->data + f->offset, 8), true, true);
	} else {
		put_field_number(r, f, k);
	}
}

void otst_put_fields(struct otst_run *r, const struct otst_event_format *f)
{
	const struct kinds *k = get_kinds(r->o);

	if (f->nr_fields == f->nr_common)
		otst_text_string(&r->out, "No fields found");
	for (size_t i = f->nr_common; i < f->nr_fields; i++) {
		otst_text_string(&r->out, i == f->nr_common ? "" : " ");
		otst_text_string(&r->out, f->fields[i].name);
		otst_text_string(&r->out, "=");
		put_event_field(r, &f->fields[i], k);
	}
}
