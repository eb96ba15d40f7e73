// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * rows.c - descriptions as JSON, as cells of a table and as lines of -v.
 *
 * A line of JSON is built in the printer's memory and written when it is complete,
 * so a command that is stopped never leaves half a line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rows.h"
#include "table.h"

/* ---- characters of a line ---- */

static void put_chars(struct otst_rows *r, const char *s, size_t len)
{
	otst_text_mem(&r->p->line, s, len);
}

static void put_char(struct otst_rows *r, char c)
{
	otst_text_char(&r->p->line, c);
}

/* separate the next value from the one before it, if there is one */
static void put_comma(struct otst_rows *r)
{
	char before = otst_text_len(&r->p->line) ? r->p->line.at[-1] : '{';

	if (before != '{' && before != '[' && before != ':')
		put_char(r, ',');
}

static void put_escaped(struct otst_rows *r, unsigned char c)
{
	static const char short_ones[] = "\b\t\n\f\r\"\\", letters[] = "btnfr\"\\";
	const char *one = c ? strchr(short_ones, c) : NULL;

	put_char(r, '\\');
	if (one) {
		put_char(r, letters[one - short_ones]);
	} else {
		put_chars(r, "u00", 3);
		otst_text_hex(&r->p->line, c, 2);
	}
}

static void put_quoted(struct otst_rows *r, const char *s, size_t len)
{
	size_t i, from = 0;

	put_char(r, '"');
	for (i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c >= ' ' && c != '"' && c != '\\')
			continue;
		put_chars(r, s + from, i - from);
		put_escaped(r, c);
		from = i + 1;
	}
	put_chars(r, s + from, len - from);
	put_char(r, '"');
}

/* ---- text ---- */

void otst_say_cell(struct otst_rows *r, const char *text, enum otst_style style)
{
	r->cells[r->count - 1] = (struct otst_cell){ text, style };
}

/* a value as text; NULL when there is none */
static void put_shown(struct otst_rows *r, const char *text)
{
	if (r->ask == OTST_ASK_CELLS)
		otst_say_cell(r, text ? text : "-", OTST_STYLE_PLAIN);
	else if (text)
		otst_printf(r->p, "    %-*s %s\n", r->label_width, r->row->label, text);
}

/* ---- values ---- */

void otst_say_null(struct otst_rows *r)
{
	if (r->ask == OTST_ASK_JSON) {
		put_comma(r);
		put_chars(r, "null", 4);
	} else {
		put_shown(r, NULL);
	}
}

void otst_say_chars(struct otst_rows *r, const char *s, size_t len)
{
	if (!s) {
		otst_say_null(r);
		return;
	}
	put_comma(r);
	put_quoted(r, s, len);
}

void otst_say_text(struct otst_rows *r, const char *s)
{
	if (r->ask == OTST_ASK_JSON)
		otst_say_chars(r, s, s ? strlen(s) : 0);
	else
		put_shown(r, s);
}

void otst_say_count(struct otst_rows *r, uint64_t v)
{
	if (r->ask == OTST_ASK_JSON) {
		put_comma(r);
		otst_text_dec(&r->p->line, v);
	} else {
		put_shown(r, otst_or_unknown(otst_format(r->p->o, "%" PRIu64, v)));
	}
}

void otst_say_decimal(struct otst_rows *r, uint64_t v, uint64_t thousandths)
{
	put_comma(r);
	otst_text_printf(&r->p->line, "%" PRIu64 ".%03" PRIu64, v, thousandths);
}

void otst_say_number(struct otst_rows *r, int64_t v)
{
	if (r->ask == OTST_ASK_JSON) {
		put_comma(r);
		otst_text_sdec(&r->p->line, v);
	} else {
		put_shown(r, otst_or_unknown(otst_format(r->p->o, "%" PRId64, v)));
	}
}

void otst_say_bool(struct otst_rows *r, bool v)
{
	put_comma(r);
	put_chars(r, v ? "true" : "false", v ? 4 : 5);
}

void otst_say_address(struct otst_rows *r, uint64_t addr)
{
	if (r->ask == OTST_ASK_JSON) {
		put_comma(r);
		put_chars(r, "\"0x", 3);
		otst_text_hex(&r->p->line, addr, 1);
		put_char(r, '"');
	} else {
		put_shown(r, otst_or_unknown(otst_format(r->p->o,
							 r->ask == OTST_ASK_CELLS ? "%016" PRIx64 :
										    "0x%" PRIx64,
							 addr)));
	}
}

void otst_say_address_or_null(struct otst_rows *r, uint64_t addr)
{
	if (addr)
		otst_say_address(r, addr);
	else
		otst_say_null(r);
}

void otst_say_bytes(struct otst_rows *r, const void *bytes, size_t n)
{
	const unsigned char *b = bytes;

	if (!n) {
		otst_say_null(r);
		return;
	}
	put_comma(r);
	put_char(r, '"');
	for (size_t i = 0; i < n; i++)
		otst_text_hex(&r->p->line, b[i], 2);
	put_char(r, '"');
}

void otst_say_texts(struct otst_rows *r, const char *const *list, size_t count)
{
	otst_say_open(r, '[');
	for (size_t i = 0; list && i < count && (count != OTST_UNTIL_NULL || list[i]); i++)
		otst_say_text(r, list[i]);
	otst_say_close(r, ']');
}

/* ---- objects ---- */

void otst_say_open(struct otst_rows *r, char bracket)
{
	put_comma(r);
	put_char(r, bracket);
}

void otst_say_close(struct otst_rows *r, char bracket)
{
	put_char(r, bracket);
}

void otst_say_key(struct otst_rows *r, const char *name)
{
	put_comma(r);
	put_quoted(r, name, strlen(name));
	put_char(r, ':');
}

void otst_say_key_text(struct otst_rows *r, const char *name, const char *text)
{
	otst_say_key(r, name);
	otst_say_text(r, text);
}

static void go_through(struct otst_rows *r, const struct otst_object *object, const void *item)
{
	const void *of = r->of;

	r->of = r->item;
	r->item = item;
	object->rows(r, item);
	r->item = r->of;
	r->of = of;
}

void otst_say_object(struct otst_rows *r, const struct otst_object *object, const void *item)
{
	if (r->ask != OTST_ASK_JSON) {
		if (item)
			go_through(r, object, item);
		return;
	}
	if (!item) {
		otst_say_null(r);
		return;
	}
	otst_say_open(r, '{');
	go_through(r, object, item);
	otst_say_close(r, '}');
}

void otst_say_objects(struct otst_rows *r, const struct otst_object *object, const void *items,
		      size_t count, size_t size)
{
	otst_say_open(r, '[');
	for (size_t i = 0; i < count; i++)
		otst_say_object(r, object, (const char *)items + i * size);
	otst_say_close(r, ']');
}

bool otst_row(struct otst_rows *r, const struct otst_row *row)
{
	switch (r->ask) {
	case OTST_ASK_JSON:
		if (!row->key)
			return false;
		put_comma(r);
		put_chars(r, row->key, row->key_len);
		return true;
	case OTST_ASK_TITLES:
		if (row->title)
			r->columns[r->count++] = (struct otst_column){ row->title, row->right,
								       row->most, row->flow };
		return false;
	case OTST_ASK_CELLS:
		r->count += row->title != NULL;
		return row->title != NULL;
	case OTST_ASK_LINES:
		r->row = row;
		return row->label != NULL;
	case OTST_ASK_SCHEMA:
		break;
	}
	if (row->key)
		r->visit(r, row);
	return false;
}

bool otst_row_named(struct otst_rows *r, const char *name)
{
	char key[64];
	const struct otst_row row = {
		.key = key,
		.key_len = (unsigned int)snprintf(key, sizeof(key), "\"%s\":", name),
		.type = OTST_ROW_COUNT,
	};

	return otst_row(r, &row);
}

struct otst_rows otst_json_begin(struct otst_printer *p)
{
	p->line.o = p->o;
	p->line.at = p->line.buf;
	return (struct otst_rows){ .p = p, .ask = OTST_ASK_JSON };
}

void otst_json_end(struct otst_printer *p)
{
	otst_text_char(&p->line, '\n');
	otst_write(p, p->line.buf, otst_text_len(&p->line));
}

void otst_print_json(struct otst_printer *p, const struct otst_object *object, const void *item,
		     const void *of)
{
	struct otst_rows r = otst_json_begin(p);

	r.item = of;
	put_chars(&r, "{\"type\":\"", 9);
	put_chars(&r, object->name, strlen(object->name));
	put_char(&r, '"');
	go_through(&r, object, item);
	put_chars(&r, "}", 2); /* with the NUL */
	otst_print_record(p, object->name, p->line.buf, otst_text_len(&p->line) - 1);
}

void otst_print_lines(struct otst_printer *p, const struct otst_object *object, int width,
		      const void *item)
{
	struct otst_rows r = { .p = p, .ask = OTST_ASK_LINES, .label_width = width };

	go_through(&r, object, item);
}

/* ---- objects that many descriptions share ---- */

struct named {
	uint64_t addr;
	const struct otst_sym *sym;
};

static void symbol_rows(struct otst_rows *r, const void *item)
{
	const struct named *n = item;

	ROW_PLACE(r, n->addr, n->sym);
}

const struct otst_object otst_symbol_object = { OTST_PART, "symbol", symbol_rows,
						"an address by name" };

void otst_say_place(struct otst_rows *r, uint64_t addr, const struct otst_sym *sym)
{
	const struct named n = { addr, sym };

	otst_say_object(r, &otst_symbol_object, &n);
}

void otst_say_symbol(struct otst_rows *r, uint64_t addr, const struct otst_sym *sym)
{
	const char *name = r->ask == OTST_ASK_JSON || !addr ? NULL :
							      otst_sym_name(r->p->o, addr, sym);

	if (!addr)
		otst_say_null(r);
	else if (r->ask == OTST_ASK_JSON)
		otst_say_place(r, addr, sym);
	else if (r->ask == OTST_ASK_CELLS)
		put_shown(r, name);
	else
		put_shown(r, otst_or_unknown(otst_format(r->p->o, "0x%" PRIx64 "%s%s", addr,
							 sym->name ? " " : "",
							 sym->name ? name : "")));
}

void otst_say_named(struct otst_rows *r, uint64_t addr)
{
	struct otst_sym sym;

	otst_symbolize(r->p->o, addr, &sym);
	otst_say_symbol(r, addr, &sym);
}

static const char *srcversion_of(struct otst_rows *r, const struct otst_owner *w)
{
	return w && w->name && (w->kind == OTST_OWNER_MODULE || w->kind == OTST_OWNER_SYSTEMTAP) ?
		       otst_module_srcversion(r->p->o, w->name) :
		       NULL;
}

static void owner_rows(struct otst_rows *r, const void *item)
{
	const struct otst_owner *w = item;

	ROW_TEXT(r, "kind", otst_owner_kind_name(w->kind), .names = otst_owner_kind_name,
		 .count = OTST_OWNER_COUNT);
	ROW_TEXT_OR_NULL(r, "name", w->name, .what = "module, group:event, or symbol");
	ROW_TEXT_OR_NULL(r, "reason", w->reason, .what = "why it is unknown, or nobody");
	ROW_TEXT_OR_NULL(r, "event_type",
			 !w->event_type	      ? NULL :
			 w->event_type == 'r' ? "r" :
						"p",
			 .words = "p|r", .what = "of trace events and perf probes");
	ROW_TEXT_OR_NULL(r, "script", w->script,
			 .what = "the file that a SystemTap module was made of");
	ROW_TEXT_OR_NULL(r, "srcversion", srcversion_of(r, w),
			 .what = "sum of the module's sources, as modinfo shows it");
	ROW_BOOL(r, "hidden", w->hidden, .what = "the module is not on the list of modules");
}

const struct otst_object otst_owner_object = { OTST_PART, "owner", owner_rows,
					       "who put a probe or an ftrace_ops there" };
