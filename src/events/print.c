// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * print.c - runs the steps of an event: numbers and strings as the
 * kernel's vsnprintf() prints them (lib/vsprintf.c), and the functions of
 * kernel/trace/trace_output.c that print flags, symbols and arrays.
 */
#include <string.h>

#include "plan.h"

#define MAX_STRING 4096u
#define IS_ERR(v)  ((v) >= (uint64_t)-4095)

static const char memo_key;

/* ---- strings ---- */

/* a string in kernel memory: most are constants and have not changed since they were printed */
static void put_kernel_string(struct otst_run *r, uint64_t addr, size_t max)
{
	char chunk[128];
	size_t done = 0, n, len;

	/* also for a string that the record lacks: this may run on any thread */
	if (!addr) {
		otst_text_string(&r->out, "(null)");
		return;
	}
	if (addr < otst_page_size(r->o) || IS_ERR(addr)) {
		otst_text_string(&r->out, "(efault)");
		return;
	}
	while (done < max && done < MAX_STRING) {
		n = OTST_CHUNK - (addr & (OTST_CHUNK - 1));
		n = n < sizeof(chunk) ? n : sizeof(chunk);
		n = n < max - done ? n : max - done;
		/* a dump may hold only the string itself */
		if (otst_read(r->o, addr, chunk, n) && otst_read(r->o, addr, chunk, n = 1)) {
			otst_text_string(&r->out, "(unreadable)");
			return;
		}
		len = strnlen(chunk, n);
		otst_put_bytes(&r->out, chunk, len);
		if (len < n)
			return;
		addr += n;
		done += n;
	}
}

void otst_put_string(struct otst_run *r, const struct otst_value *v, int32_t precision)
{
	size_t max = precision >= 0 ? (size_t)precision : SIZE_MAX, start = otst_text_len(&r->out);

	if (v->call) {
		otst_put_call(r, v->call);
		if (otst_text_len(&r->out) - start > max)
			r->out.at = r->out.buf + start + max;
	} else if (v->text) {
		otst_put_bytes(&r->out, v->text, strnlen(v->text, max));
	} else if (v->p) {
		otst_put_bytes(&r->out, v->p, v->len < max ? v->len : max);
	} else {
		put_kernel_string(r, v->number, max);
	}
}

/* ---- symbols ---- */

/* where functions that have a return probe return to */
static bool is_trampoline(struct otst *o, uint64_t addr)
{
	static const char *const names[] = { "arch_rethook_trampoline", "__kretprobe_trampoline",
					     "kretprobe_trampoline" };
	uint64_t **memo = (uint64_t **)otst_memo(o, &memo_key);

	if (!*memo) {
		*memo = otst_alloc(o, 3 * sizeof(**memo));
		for (size_t i = 0; *memo && i < 3; i++)
			(*memo)[i] = otst_symbol_or0(o, names[i]);
	}
	return *memo && (addr == (*memo)[0] || addr == (*memo)[1] || addr == (*memo)[2]);
}

/* seq_print_ip_sym() of kernel/trace/trace_output.c */
static void put_place(struct otst_run *r, uint64_t addr, bool offset)
{
	static const struct otst_spec spec = {
		.conversion = 'x', .size = 8, .width = 16, .zero = true, .precision = -1
	};

	if (!addr) {
		otst_text_string(&r->out, "0");
		return;
	}
	if (is_trampoline(r->o, addr))
		otst_text_string(&r->out, "[unknown/kretprobe'd]");
	else
		otst_put_symbol(r, addr, offset, offset);
	if (r->style->sym_addr) {
		otst_text_string(&r->out, " <");
		otst_put_number(&r->out, addr, &spec);
		otst_text_string(&r->out, ">");
	}
}

/* ---- functions of print formats ---- */

static void put_flags(struct otst_run *r, const struct otst_expr *c)
{
	const struct otst_pair *pair = c->pairs, *end = c->pairs + c->nr_pairs;
	struct otst_text *t = &r->out;
	struct otst_value v;
	bool first = true;

	otst_eval(r, c->args[0], &v);
	for (; pair < end && v.number; pair++) {
		if ((v.number & pair->value) != pair->value)
			continue;
		v.number &= ~pair->value;
		if (!first)
			otst_text_string(t, c->text);
		first = false;
		otst_text_string(t, pair->text);
	}
	if (!v.number)
		return;
	if (!first)
		otst_text_string(t, c->text);
	otst_put_hex(t, v.number);
}

static void put_symbolic(struct otst_run *r, const struct otst_expr *c)
{
	size_t i, start = otst_text_len(&r->out);
	struct otst_value v;

	otst_eval(r, c->args[0], &v);
	for (i = 0; i < c->nr_pairs; i++) {
		if (c->pairs[i].value == v.number) {
			otst_text_string(&r->out, c->pairs[i].text);
			break;
		}
	}
	/* a symbol with empty text counts as none */
	if (otst_text_len(&r->out) == start)
		otst_put_hex(&r->out, v.number);
}

static void put_hex_bytes(struct otst_run *r, const struct otst_expr *c, const char *separator)
{
	static const char digits[] = "0123456789abcdef";
	struct otst_value v, len;
	uint32_t i, n;

	otst_eval(r, c->args[0], &v);
	otst_eval(r, c->args[c->nr_args > 1 ? 1 : 0], &len);
	n = v.p ? v.len : 0;
	if (c->nr_args > 1 && (int32_t)len.number < (int64_t)n)
		n = (int32_t)len.number < 0 ? 0 : (uint32_t)len.number;
	for (i = 0; i < n; i++) {
		char text[2] = { digits[v.p[i] >> 4], digits[v.p[i] & 15] };

		if (i)
			otst_text_string(&r->out, separator);
		otst_text_mem(&r->out, text, sizeof(text));
	}
}

/* __print_array(bytes, count, size of an element) */
static void put_array(struct otst_run *r, const struct otst_expr *c)
{
	struct otst_value v, count, size;
	uint64_t i, n;

	otst_eval(r, c->args[0], &v);
	if (c->nr_args != 3)
		return;
	otst_eval(r, c->args[1], &count);
	otst_eval(r, c->args[2], &size);
	otst_text_string(&r->out, "{");
	if (size.number == 1 || size.number == 2 || size.number == 4 || size.number == 8) {
		n = v.p ? v.len / size.number : 0;
		n = (uint32_t)count.number < n ? (uint32_t)count.number : n;
		for (i = 0; i < n; i++) {
			if (i)
				otst_text_string(&r->out, ",");
			otst_put_hex(&r->out, otst_get(r->o, v.p + i * size.number, size.number));
		}
	}
	otst_text_string(&r->out, "}");
}

/* return addresses of a synthetic event; the first word is their count */
static void put_stack(struct otst_run *r, const struct otst_expr *c)
{
	struct otst_value v;

	otst_eval(r, c->args[0], &v);
	otst_text_string(&r->out, "STACK:\n");
	for (uint32_t i = 1; v.p && i < v.len / 8; i++) {
		otst_text_string(&r->out, "=> ");
		otst_put_symbol(r, otst_get(r->o, v.p + i * 8, 8), true, true);
		otst_text_string(&r->out, "\n");
	}
}

/* include/linux/edac.h, enum hw_event_mc_err_type */
static const char *mc_error_type(uint64_t type)
{
	static const char *const names[] = { "Corrected", "Uncorrected", "Deferred", "Fatal" };

	return (uint32_t)type < 4 ? names[(uint32_t)type] : "Info";
}

/* drivers/nvme/host/trace.c */
static void put_disk_name(struct otst_run *r, const struct otst_value *v)
{
	if (!v->p || !v->len || !*v->p)
		return;
	otst_text_string(&r->out, "disk=");
	otst_put_bytes(&r->out, v->p, v->len);
	otst_text_string(&r->out, ", ");
}

void otst_put_call(struct otst_run *r, const struct otst_expr *c)
{
	bool big = otst_big_endian(r->o);
	struct otst_value v;

	switch (c->call) {
	case OTST_CALL_FLAGS:
		put_flags(r, c);
		break;
	case OTST_CALL_SYMBOLIC:
		put_symbolic(r, c);
		break;
	case OTST_CALL_HEX:
		put_hex_bytes(r, c, " ");
		break;
	case OTST_CALL_HEX_STR:
		put_hex_bytes(r, c, "");
		break;
	case OTST_CALL_ARRAY:
		put_array(r, c);
		break;
	case OTST_CALL_STACK:
		put_stack(r, c);
		break;
	case OTST_CALL_BITMASK:
		otst_eval(r, c->args[0], &v);
		otst_put_bitmap(big, &r->out, v.p, v.p ? otst_bitmap_bits(big, v.len) : 0);
		break;
	case OTST_CALL_MC_ERROR_TYPE:
		otst_eval(r, c->args[0], &v);
		otst_text_string(&r->out, mc_error_type(v.number));
		break;
	case OTST_CALL_DISK_NAME:
		otst_eval(r, c->args[0], &v);
		put_disk_name(r, &v);
		break;
	case OTST_CALL_NONE:
	case OTST_CALL_SWAP16:
	case OTST_CALL_SWAP32:
	case OTST_CALL_SWAP64:
	case OTST_CALL_SECTION_MAP:
		break;
	}
}

/* ---- steps ---- */

void otst_put_value(struct otst_run *r, const struct otst_spec *spec, const struct otst_value *v)
{
	size_t start = otst_text_len(&r->out);
	char c = (char)v->number;

	switch (spec->conversion) {
	case 's':
		otst_put_string(r, v, spec->precision);
		otst_put_padded(&r->out, start, spec);
		break;
	case 'c':
		if (c)
			otst_put_bytes(&r->out, &c, 1);
		else
			otst_text_string(&r->out, "\\x00");
		otst_put_padded(&r->out, start, spec);
		break;
	case 'p':
		otst_put_pointer(r, spec, v);
		break;
	case OTST_SPEC_PLACE:
		put_place(r, v->number, true);
		break;
	case OTST_SPEC_FUNCTION:
		put_place(r, v->number, false);
		break;
	case OTST_SPEC_QUOTED:
		/* a string that could not be fetched has length 0 */
		if (!v->p || !v->len) {
			otst_text_string(&r->out, "(fault)");
			break;
		}
		otst_text_string(&r->out, "\"");
		otst_put_bytes(&r->out, v->p, v->len);
		otst_text_string(&r->out, "\"");
		break;
	default:
		otst_put_number(&r->out, v->number, spec);
	}
}

static int32_t bounded_width(uint64_t v)
{
	int32_t n = (int32_t)v;

	return n > 4096 ? 4096 : n < -4096 ? -4096 : n;
}

static void run_step(struct otst_run *r, const struct otst_step *s)
{
	const struct otst_spec *spec = &s->spec;
	struct otst_spec with_stars;
	struct otst_value v;

	if (s->width || s->precision) {
		with_stars = *spec;
		spec = &with_stars;
		if (s->width) {
			otst_eval(r, s->width, &v);
			with_stars.width = bounded_width(v.number);
			/* as in C: a negative width means left-justified */
			if (with_stars.width < 0) {
				with_stars.width = -with_stars.width;
				with_stars.left = true;
			}
		}
		if (s->precision) {
			otst_eval(r, s->precision, &v);
			with_stars.precision = bounded_width(v.number);
			if (with_stars.precision < 0)
				with_stars.precision = 0;
		}
	}
	otst_eval(r, s->arg, &v);
	otst_put_value(r, spec, &v);
}

void otst_plan_run(struct otst_run *r, const struct otst_plan *plan)
{
	const struct otst_step *s = r->style->verbose && plan->verbose ? plan->verbose :
									 plan->steps;

	for (size_t i = 0; i < plan->nr_steps; i++, s++) {
		otst_text_mem(&r->out, s->text, s->len);
		if (s->spec.conversion)
			run_step(r, s);
	}
}
