// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * text.c - a record as text, as the kernel's trace file has it after the
 * event's name (kernel/trace/trace_output.c), and its fields one by one.
 */
#include <string.h>

#include "plan.h"

/* print_trace_fmt() with the kernel's default options */
static const struct otst_event_style default_style = { .hash_ptr = true };

static const char memo_key;

/* ---- fields ---- */

static bool is_text_step(const struct otst_event_field *f)
{
	return f->kind != OTST_FIELD_VALUE && strstr(f->type, "char") &&
	       !strstr(f->type, "unsigned char");
}

bool otst_event_value(const struct otst_event_field *f, const struct otst_record *r,
		      struct otst_event_value *ret)
{
	struct otst_value v = { 0 };
	uint32_t size = f->size;

	memset(ret, 0, sizeof(*ret));
	if (f->kind == OTST_FIELD_DATA_LOC || f->kind == OTST_FIELD_REL_LOC) {
		if (!otst_location(r->big_endian, r->data, r->size, f->offset,
				   f->kind == OTST_FIELD_REL_LOC, &v))
			return false;
	} else {
		if (f->offset > r->size || size > r->size - f->offset)
			return false;
		v.p = r->data + f->offset;
		/* an array at the end of a record may have no size of its own */
		v.len = size ? size : r->size - f->offset;
	}
	ret->data = v.p;
	ret->size = v.len;
	ret->string = is_text_step(f);
	if (ret->string)
		ret->size = (uint32_t)strnlen((const char *)v.p, v.len);
	ret->is_number = f->kind == OTST_FIELD_VALUE && size && size <= 8;
	if (ret->is_number)
		ret->number =
			otst_extend(otst_get_as(r->big_endian, v.p, size), size, f->is_signed);
	return true;
}

static void put_elements(struct otst_run *r, const struct otst_event_field *f,
			 const struct otst_event_value *v)
{
	uint32_t size = f->element >= 1 && f->element <= 8 ? f->element : 1, i;

	otst_text_string(&r->out, "{");
	for (i = 0; i < v->size / size; i++) {
		otst_text_string(&r->out, i ? "," : "");
		otst_put_hex(&r->out, otst_get(r->o, v->data + (size_t)i * size, size));
	}
	otst_text_string(&r->out, "}");
}

/* an event whose print format is not understood */
static void put_raw(struct otst_run *r, const struct otst_event_format *f,
		    const struct otst_record *record)
{
	static const struct otst_spec decimal = { .conversion = 'd', .size = 8, .precision = -1 };
	struct otst_event_value v;

	for (size_t i = f->nr_common; i < f->nr_fields; i++) {
		const struct otst_event_field *field = &f->fields[i];

		otst_text_string(&r->out, i == f->nr_common ? "" : " ");
		otst_text_string(&r->out, field->name);
		otst_text_string(&r->out, "=");
		if (!otst_event_value(field, record, &v)) {
			otst_text_string(&r->out, "?");
		} else if (v.string) {
			otst_text_string(&r->out, "\"");
			otst_put_bytes(&r->out, v.data, v.size);
			otst_text_string(&r->out, "\"");
		} else if (v.is_number && field->is_signed) {
			otst_put_number(&r->out, v.number, &decimal);
		} else if (v.is_number) {
			otst_put_hex(&r->out, v.number);
		} else {
			put_elements(r, field, &v);
		}
	}
}

/* ---- text ---- */

static void start_run(struct otst_run *r, struct otst *o, const struct otst_event_style *style,
		      char *buf, size_t room)
{
	memset(r, 0, sizeof(*r));
	r->o = o;
	r->style = style ? style : &default_style;
	/* leave one byte for the NUL */
	r->out = otst_text_in(buf, room - 1);
}

static bool by_fields(const struct otst_event_format *f, const struct otst_event_style *style)
{
	return f->as_fields || (style && style->fields);
}

bool otst_event_fieldless(const struct otst_event_format *f, const struct otst_event_style *style)
{
	return by_fields(f, style) && f->text && f->nr_fields == f->nr_common;
}

int otst_event_text(struct otst *o, const struct otst_event_format *f,
		    const struct otst_event_style *style, const struct otst_record *record,
		    char *buf, size_t room)
{
	const struct otst_plan *plan = NULL;
	struct otst_run r;
	int err = 0;

	if (!room)
		return 0;
	if (!by_fields(f, style))
		err = otst_event_plan(o, f, &plan);
	if (err)
		return err;
	start_run(&r, o, style, buf, room);
	r.data = record->data;
	r.size = record->size;
	r.hash = r.style->hash_ptr && !(plan && plan->real_pointers);
	if (by_fields(f, style) && f->text)
		otst_put_fields(&r, f);
	else if (!plan)
		put_raw(&r, f, record);
	else if (plan->syscall)
		otst_put_syscall(&r, plan->syscall);
	else
		otst_plan_run(&r, plan);
	buf[otst_text_len(&r.out)] = '\0';
	return (int)otst_text_len(&r.out);
}

int otst_event_alone(struct otst *o, const struct otst_event_format *f,
		     const struct otst_event_style *style, const struct otst_plan **ret)
{
	int err = by_fields(f, style) ? 0 : otst_event_plan(o, f, ret);

	if (err || by_fields(f, style) || (*ret && !(*ret)->alone))
		*ret = NULL;
	return err;
}

size_t otst_event_alone_text(struct otst *o, const struct otst_plan *plan,
			     const struct otst_event_style *style, const uint8_t *data,
			     uint32_t size, char *buf, size_t room)
{
	struct otst_run r;

	start_run(&r, o, style, buf, room);
	r.data = data;
	r.size = size;
	if (plan->syscall)
		otst_put_syscall(&r, plan->syscall);
	else
		otst_plan_run(&r, plan);
	return otst_text_len(&r.out);
}

/* ---- trace_printk() ---- */

/* the words of vbin_printf() (lib/vsprintf.c); @at: the next one */
struct words {
	const struct otst *o;
	const uint8_t *data;
	uint32_t size;
	uint32_t at;
};

static uint64_t next_number(struct words *w, uint32_t size)
{
	/* a long word is aligned like two short ones */
	uint32_t align = size > 4 ? 4 : size;
	uint64_t v = 0;

	w->at = (w->at + align - 1) & ~(align - 1);
	if (w->at <= w->size && size <= w->size - w->at)
		v = otst_get(w->o, w->data + w->at, size);
	w->at += size;
	return v;
}

static void next_string(struct words *w, struct otst_value *ret)
{
	static const uint8_t nothing[1];
	uint32_t left = w->at < w->size ? w->size - w->at : 0;

	ret->p = left ? w->data + w->at : nothing;
	ret->len = (uint32_t)strnlen((const char *)ret->p, left);
	w->at += ret->len + 1;
}

/* pointers that the kernel keeps as such; it formats all others at once */
static bool is_kept_pointer(const struct otst_spec *spec)
{
	return !spec->suffix[0] || strchr("SsxKefFB", spec->suffix[0]);
}

/*
 * Linux v6.14 ("vsnprintf: collapse the number format state into one single
 * state") turned FORMAT_TYPE_SHORT and the like into FORMAT_STATE_NUM: %hd and %hhd
 * have been kept as an int since.
 */
static uint32_t kept_size(struct otst *o, const struct otst_spec *spec)
{
	if (spec->conversion == 'c')
		return 1;
	if (spec->size < 4 && otst_enumerator_or(o, "FORMAT_STATE_NUM", -1) >= 0)
		return 4;
	return spec->size;
}

static void put_word(struct otst_run *r, struct otst_spec *spec, bool star_width,
		     bool star_precision, struct words *w)
{
	struct otst_value v = { 0 };

	if (star_width) {
		spec->width = (int32_t)next_number(w, 4);
		spec->left |= spec->width < 0;
		if (spec->width < 0)
			spec->width = spec->width < -4096 ? 4096 : -spec->width;
		spec->width = spec->width > 4096 ? 4096 : spec->width;
	}
	if (star_precision) {
		spec->precision = (int32_t)next_number(w, 4);
		spec->precision = spec->precision < 0	 ? 0 :
				  spec->precision > 4096 ? 4096 :
							   spec->precision;
	}
	if (spec->conversion == 's' || (spec->conversion == 'p' && !is_kept_pointer(spec))) {
		next_string(w, &v);
		spec->conversion = 's';
	} else {
		v.number = next_number(w, kept_size(r->o, spec));
	}
	otst_put_value(r, spec, &v);
}

/* the format string at @addr; of those that share a slot, the last one is kept */
static int get_format(struct otst *o, uint64_t addr, const char **ret)
{
	struct format {
		uint64_t addr;
		const char *text;
	} * last;
	void **memo = otst_memo(o, &memo_key);
	int err;

	last = *memo;
	if (!last) {
		last = *memo = otst_alloc(o, 256 * sizeof(*last));
		if (!last)
			return otst_no_memory(o);
	}
	last += addr / 8 % 256;
	if (!last->text || last->addr != addr) {
		err = otst_print_fmt_read(o, addr, &last->text);
		if (err) {
			last->text = NULL;
			return err;
		}
		last->addr = addr;
	}
	*ret = last->text;
	return 0;
}

int otst_bprint_text(struct otst *o, uint64_t addr, const struct otst_event_style *style,
		     const uint8_t *args, uint32_t size, char *buf, size_t room)
{
	struct words w = { .o = o, .data = args, .size = size };
	bool star_width, star_precision;
	struct otst_spec spec;
	struct otst_run r;
	const char *fmt;
	size_t n;
	int err = get_format(o, addr, &fmt);

	if (err || !room)
		return err;
	start_run(&r, o, style, buf, room);
	/* the option hash-ptr is for events only */
	r.hash = true;
	while (*fmt) {
		n = strcspn(fmt, "%");
		otst_text_mem(&r.out, fmt, n);
		fmt += n;
		if (!*fmt)
			break;
		fmt++;
		if (!otst_spec_parse(&fmt, &spec, &star_width, &star_precision))
			break;
		if (spec.conversion == '%')
			otst_text_string(&r.out, "%");
		else
			put_word(&r, &spec, star_width, star_precision, &w);
	}
	buf[otst_text_len(&r.out)] = '\0';
	return (int)otst_text_len(&r.out);
}
