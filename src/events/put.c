// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * put.c - numbers and symbols as the kernel's vsnprintf() prints them (lib/vsprintf.c).
 */
#include <string.h>

#include "plan.h"

static void put_repeated(struct otst_text *t, char c, int32_t n)
{
	for (; n > 0; n--)
		otst_text_mem(t, &c, 1);
}

void otst_put_bytes(struct otst_text *t, const void *bytes, size_t len)
{
	otst_text_clean(t, bytes, strnlen(bytes, len));
}

void otst_put_padded(struct otst_text *t, size_t start, const struct otst_spec *spec)
{
	size_t len = otst_text_len(t) - start, pad;

	if (spec->width <= 0 || len >= (size_t)spec->width)
		return;
	pad = (size_t)spec->width - len;
	put_repeated(t, ' ', (int32_t)pad);
	/* text that was cut off at the end of the buffer stays where it is */
	if (spec->left || otst_text_len(t) - start < len + pad)
		return;
	memmove(t->buf + start + pad, t->buf + start, len);
	memset(t->buf + start, ' ', pad);
}

/* ---- numbers ---- */

static unsigned int base_of(char conversion)
{
	switch (conversion) {
	case 'x':
	case 'X':
		return 16;
	case 'o':
		return 8;
	default:
		return 10;
	}
}

/* digits, last one first */
static int32_t make_digits(char *to, uint64_t v, unsigned int base, bool upper)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	int32_t n = 0;

	/* the usual bases, without a division by a variable */
	if (base == 16) {
		do
			to[n++] = digits[v & 15];
		while (v >>= 4);
	} else if (base == 10) {
		do
			to[n++] = (char)('0' + v % 10);
		while (v /= 10);
	} else {
		do
			to[n++] = (char)('0' + v % base);
		while (v /= base);
	}
	return n;
}

/* true for nearly all numbers: just digits */
static bool is_bare(const struct otst_spec *spec)
{
	return spec->width <= 0 && spec->precision <= 1 && !spec->plus && !spec->space &&
	       !spec->special;
}

static bool put_bare(struct otst_text *t, uint64_t v, const struct otst_spec *spec)
{
	switch (spec->conversion) {
	case 'd':
	case 'i':
		otst_text_sdec(t, (int64_t)otst_extend(v, spec->size, true));
		return true;
	case 'u':
		otst_text_dec(t, otst_extend(v, spec->size, false));
		return true;
	case 'x':
		otst_text_hex(t, otst_extend(v, spec->size, false), 1);
		return true;
	default:
		return false;
	}
}

/* number() of lib/vsprintf.c: it puts 0x before a zero, too */
void otst_put_number(struct otst_text *t, uint64_t v, const struct otst_spec *spec)
{
	unsigned int base = base_of(spec->conversion);
	bool is_signed = spec->conversion == 'd' || spec->conversion == 'i';
	int32_t width = spec->width, precision = spec->precision, n;
	bool zero = spec->zero && !spec->left;
	char digits[24], out[32], sign = 0;
	size_t len = 0;

	if (is_bare(spec) && put_bare(t, v, spec))
		return;
	v = otst_extend(v, spec->size, is_signed);
	if (is_signed && (int64_t)v < 0) {
		sign = '-';
		v = 0 - v;
	} else if (is_signed && (spec->plus || spec->space)) {
		sign = spec->plus ? '+' : ' ';
	}
	n = make_digits(digits, v, base, spec->conversion == 'X');
	if (sign)
		out[len++] = sign;
	if (spec->special && base != 10 && (base == 16 || v)) {
		out[len++] = '0';
		if (base == 16)
			out[len++] = spec->conversion;
	}
	if (n > precision)
		precision = n;
	width -= precision + (int32_t)len;
	if (!zero && !spec->left)
		put_repeated(t, ' ', width);
	otst_text_mem(t, out, len);
	if (zero)
		put_repeated(t, '0', width);
	put_repeated(t, '0', precision - n);
	for (len = 0; n > 0;)
		out[len++] = digits[--n];
	otst_text_mem(t, out, len);
	if (spec->left)
		put_repeated(t, ' ', width);
}

void otst_put_hex(struct otst_text *t, uint64_t v)
{
	static const struct otst_spec spec = {
		.conversion = 'x', .size = 8, .special = true, .precision = -1
	};

	otst_put_number(t, v, &spec);
}

/* ---- symbols ---- */

void otst_put_symbol(struct otst_run *r, uint64_t addr, bool offset, bool module)
{
	struct otst_sym sym;

	otst_symbolize_all(r->o, addr, &sym);
	otst_sym_printed(r->o, addr, &sym);
	otst_text_sym(&r->out, addr, &sym,
		      (offset ? OTST_SYM_OFFSET | OTST_SYM_SIZE : 0) |
			      (module ? OTST_SYM_MODULE : 0));
}
