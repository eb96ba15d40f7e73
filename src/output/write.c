// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * write.c - the buffer between printers and the front end.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../base/engine.h"
#include "output.h"

int otst_printer_init(struct otst *o, const struct otst_output *out, struct otst_printer *ret)
{
	*ret = (struct otst_printer){
		.o = o,
		.out = out,
		.color = out->color,
		.width = out->width ? out->width : UINT_MAX,
		.buf = otst_alloc(o, OTST_PRINTER_BUFFER),
	};
	return ret->buf ? 0 : otst_no_memory(o);
}

static void emit_text(struct otst_printer *p, const char *text, size_t len)
{
	if (!p->err && len && p->out->write(p->out->priv, text, len))
		p->err = otst_raise(p->o, OTST_ERR_OUTPUT, "output closed");
	p->err = p->err ?: otst_check(p->o);
}

int otst_flush(struct otst_printer *p)
{
	emit_text(p, p->buf, p->len);
	p->len = 0;
	return p->err;
}

/* print nothing after a command was stopped: it may rest on answers that never came */
static bool goes_on(struct otst_printer *p)
{
	if (!p->err && otst_stopped(p->o))
		otst_flush(p);
	return !p->err;
}

void otst_write(struct otst_printer *p, const char *text, size_t len)
{
	if (!goes_on(p))
		return;
	if (p->records) {
		p->err = len ? OTST_ERR_USAGE : 0;
		return;
	}
	if (p->len + len > OTST_PRINTER_BUFFER)
		otst_flush(p);
	if (len > OTST_PRINTER_BUFFER) {
		emit_text(p, text, len);
		return;
	}
	memcpy(p->buf + p->len, text, len);
	p->len += len;
}

void otst_print_record(struct otst_printer *p, const char *type, const char *json, size_t len)
{
	if (!p->records) {
		otst_write(p, json, len);
		otst_write(p, "\n", 1);
		return;
	}
	if (!goes_on(p))
		return;
	if (p->records->record(p->records->priv, type, json, len))
		p->err = otst_raise(p->o, OTST_ERR_OUTPUT, "output closed");
	else
		p->err = otst_check(p->o);
}

void otst_printf(struct otst_printer *p, const char *fmt, ...)
{
	char line[512], *text = line;
	va_list ap;
	int len;

	if (!goes_on(p))
		return;
	va_start(ap, fmt);
	len = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (len < 0)
		return;
	if ((size_t)len >= sizeof(line)) {
		text = otst_alloc(p->o, (size_t)len + 1);
		if (!text) {
			p->err = otst_no_memory(p->o);
			return;
		}
		va_start(ap, fmt);
		vsnprintf(text, (size_t)len + 1, fmt, ap);
		va_end(ap);
	}
	otst_write(p, text, (size_t)len);
}

void otst_print_styled(struct otst_printer *p, enum otst_style style, const char *text, size_t len)
{
	/* green, bright black, bold red */
	static const char *const begin[] = { "", "\033[32m", "\033[90m", "\033[1;31m" };
	static const char end[] = "\033[m";
	bool painted = p->color && style != OTST_STYLE_PLAIN && len;

	if (painted)
		otst_write(p, begin[style], strlen(begin[style]));
	otst_write(p, text, len);
	if (painted)
		otst_write(p, end, sizeof(end) - 1);
}
