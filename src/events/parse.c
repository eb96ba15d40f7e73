// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * parse.c - the print format of an event, which is C: the format string
 * and the arguments of TP_printk(), as include/trace/stages/ turned them into
 * text. The result is the steps in which a record is printed.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

#define MAX_STEPS 256u

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

static struct otst_expr *next_argument(struct otst_pf *ps)
{
	return otst_pf_expect(ps, ",") ? otst_pf_expr(ps) : NULL;
}

/* one step: text up to a conversion, and its arguments */
static bool parse_step(struct otst_pf *ps, const char **fmt, struct otst_step *s)
{
	bool star_width, star_precision;

	s->text = *fmt;
	s->len = (uint32_t)strcspn(*fmt, "%");
	*fmt += s->len;
	if (!**fmt)
		return true;
	(*fmt)++;
	if (!otst_spec_parse(fmt, &s->spec, &star_width, &star_precision))
		return otst_pf_fail(ps, "an unknown conversion");
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
	struct otst_pf ps = { .o = o, .f = f, .p = print_fmt };
	struct otst_vec steps = { 0 };
	struct otst_step *s;
	const char *fmt;

	otst_pf_skip_space(&ps);
	fmt = *ps.p == '"' ? otst_pf_string(&ps) : otst_pf_fail(&ps, "no format string");
	while (fmt && *fmt && !ps.err) {
		s = steps.count < MAX_STEPS ? otst_vec_push(o, &steps, sizeof(*s)) : NULL;
		if (!s || !parse_step(&ps, &fmt, s))
			otst_pf_fail(&ps, "too many conversions");
	}
	if (ps.err)
		return ps.err;
	ret->steps = steps.data;
	ret->nr_steps = steps.count;
	ret->note = ps.note;
	return 0;
}
