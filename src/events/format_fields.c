// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * format_fields.c - the fields of an event, and its format file (f_show() in
 * kernel/trace/trace_events.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

#define MAX_NAME      256
#define MAX_TYPE      512
#define MAX_PRINT_FMT (1u << 20)
#define MAX_FIELDS    1024u
/* which form the bytes have; the type has the kernel's own words for it */
static enum otst_field_kind kind_of_field(const struct otst_event_field *f)
{
	if (!strncmp(f->type, "__data_loc", strlen("__data_loc")))
		return OTST_FIELD_DATA_LOC;
	if (!strncmp(f->type, "__rel_loc", strlen("__rel_loc")))
		return OTST_FIELD_REL_LOC;
	return strchr(f->type, '[') ? OTST_FIELD_ARRAY : OTST_FIELD_VALUE;
}

/* size of an array element, as far as the words of the type tell */
static uint32_t element_of(const struct otst_event_field *f)
{
	static const struct {
		const char *word;
		uint32_t size;
	} sizes[] = {
		{ "long", 8 }, { "u64", 8 },	  { "s64", 8 }, { "int64_t", 8 }, { "size_t", 8 },
		{ "*", 8 },    { "char", 1 },	  { "u8", 1 },	{ "s8", 1 },	  { "int8_t", 1 },
		{ "bool", 1 }, { "short", 2 },	  { "u16", 2 }, { "s16", 2 },	  { "int16_t", 2 },
		{ "be16", 2 }, { "u32", 4 },	  { "s32", 4 }, { "int32_t", 4 }, { "be32", 4 },
		{ "int", 4 },  { "unsigned", 4 },
	};
	unsigned long count = f->len;

	if (f->kind == OTST_FIELD_VALUE)
		return f->size;
	if (f->kind == OTST_FIELD_ARRAY && !count)
		count = strtoul(strchr(f->type, '[') + 1, NULL, 0);
	if (f->kind == OTST_FIELD_ARRAY && count && f->size % count == 0)
		return f->size / (uint32_t)count;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		if (strstr(f->type, sizes[i].word))
			return sizes[i].size;
	}
	return 1;
}

static int finish_field(struct otst *o, struct otst_event_field *f, uint64_t name, uint64_t type)
{
	int err = otst_read_string(o, name, MAX_NAME, &f->name);

	err = err ?: otst_read_string(o, type, MAX_TYPE, &f->type);
	if (err)
		return err;
	f->kind = kind_of_field(f);
	f->element = element_of(f);
	return 0;
}

static int read_format_field(struct otst *o, uint64_t addr, struct otst_event_field *f)
{
	struct otst_view v;
	uint64_t name, type;
	int err = otst_view_read(o, "ftrace_event_field", addr, &v);

	if (err)
		return err;
	name = otst_u64(&v, "name");
	type = otst_u64(&v, "type");
	f->offset = (uint32_t)otst_u64(&v, "offset");
	f->size = (uint32_t)otst_u64(&v, "size");
	f->is_signed = otst_u64(&v, "is_signed");
	f->len = (uint32_t)otst_u64_or(&v, "len", 0);
	f->filter = (int)otst_u64_or(&v, "filter_type", 0);
	return v.err ? v.err : finish_field(o, f, name, type);
}

/* the kernel puts a new field at the front: the list is read backwards */
int otst_format_fields(struct otst *o, uint64_t head, struct otst_vec *fields)
{
	const struct otst_member *link;
	struct otst_event_field *f;
	struct otst_walk w;
	uint64_t node, last;
	int err = otst_member(o, "ftrace_event_field", "link", &link);

	err = err ?: otst_read_u64(o, head + 8, &last);
	if (err)
		return err;
	otst_walk_chain(o, last, 8, head, &w);
	while (!err && fields->count < MAX_FIELDS && otst_walk_next(&w, &node)) {
		f = otst_vec_push(o, fields, sizeof(*f));
		err = read_format_field(o, node - link->offset, f);
		/* do not keep half a field */
		if (err)
			otst_vec_pop(fields);
	}
	return err ? err : w.err;
}

/*
 * The table that a class was made from, for when the list is empty: the kernel
 * fills the list when it makes the event's files. Linux 04ae87a52074 ("ftrace:
 * Rework event_create_dir()") (v5.5) gave classes the table.
 */
int otst_format_table(struct otst *o, uint64_t table, struct otst_vec *fields)
{
	struct otst_event_field *f;
	struct otst_view v;
	uint64_t size, at = 8, align, type;
	int err = otst_type_size(o, "trace_event_fields", &size);

	/* fields start after struct trace_entry */
	for (; !err && fields->count < MAX_FIELDS; table += size) {
		err = otst_view_read(o, "trace_event_fields", table, &v);
		if (err)
			break;
		type = otst_u64(&v, "type");
		if (!type || v.err)
			return v.err;
		f = otst_vec_push(o, fields, sizeof(*f));
		align = otst_u64(&v, "align");
		at = align && !(align & (align - 1)) ? (at + align - 1) & ~(align - 1) : at;
		f->offset = (uint32_t)at;
		f->size = (uint32_t)otst_u64(&v, "size");
		f->is_signed = otst_u64(&v, "is_signed");
		f->len = (uint32_t)otst_u64_or(&v, "len", 0);
		f->filter = (int)otst_u64_or(&v, "filter_type", 0);
		at += f->size;
		err = v.err ? v.err : finish_field(o, f, otst_u64(&v, "name"), type);
		if (err)
			otst_vec_pop(fields);
	}
	return err;
}

/* control characters other than line ends have no place in a print format */
int otst_print_fmt_read(struct otst *o, uint64_t addr, const char **ret)
{
	size_t len = 0, room = 0, n, i;
	char *s = NULL, *nul = NULL;
	int err;

	while (!nul) {
		/* do not read across the end of a page: each page of the dump is there or not */
		n = OTST_CHUNK - ((addr + len) & (OTST_CHUNK - 1));
		n = n < 512 ? n : 512;
		if (len + n > MAX_PRINT_FMT)
			return otst_raise(o, OTST_ERR_CORRUPT, "its print format has no end");
		if (len + n >= room) {
			char *more = otst_alloc(o, (room = (room + n) * 2));

			if (!more)
				return otst_no_memory(o);
			s = len ? memcpy(more, s, len) : more;
		}
		err = otst_read(o, addr + len, s + len, n);
		/* a dump may hold only the string itself */
		if (err == OTST_ERR_FAULT && n > 1) {
			n = 1;
			err = otst_read(o, addr + len, s + len, n);
		}
		if (err)
			return err;
		nul = memchr(s + len, '\0', n);
		len += n;
	}
	for (i = 0; s[i]; i++) {
		if (((unsigned char)s[i] < ' ' && s[i] != '\n' && s[i] != '\t') ||
		    (unsigned char)s[i] >= 0x7f)
			s[i] = '?';
	}
	*ret = s;
	return 0;
}

/* lines of f_show(); @to has room for them */
static size_t put_format_field(char *to, const struct otst_event_field *f, bool has_len)
{
	const char *bracket = strchr(f->type, '[');
	int width = (int)strlen(f->type);
	char array[24] = "";

	/*
	 * Linux b6c7abd1c28a ("tracing: Fix TASK_COMM_LEN in trace event format
	 * file") (v6.2): the length is a number, and not what the type says
	 */
	if (bracket && f->kind != OTST_FIELD_DATA_LOC) {
		width = (int)(bracket - f->type);
		if (has_len && f->len)
			snprintf(array, sizeof(array), "[%d]", (int)f->len);
		else
			bracket = has_len ? "[]" : bracket;
	} else {
		bracket = "";
	}
	return (size_t)sprintf(to, "\tfield:%.*s %s%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", width,
			       f->type, f->name, array[0] ? array : bracket, f->offset, f->size,
			       f->is_signed);
}

int otst_format_text(struct otst *o, struct otst_event_format *f)
{
	bool has_len = otst_has_member(o, "ftrace_event_field", "len");
	size_t room = 128 + strlen(f->name) + strlen(f->print_fmt), len = 0, i;
	char *text;

	for (i = 0; i < f->nr_fields; i++)
		room += 128 + strlen(f->fields[i].type) * 2 + strlen(f->fields[i].name);
	text = otst_alloc(o, room);
	if (!text)
		return otst_no_memory(o);
	len += (size_t)sprintf(text, "name: %s\nID: %u\nformat:\n", f->name, f->id);
	for (i = 0; i < f->nr_fields; i++) {
		if (i == f->nr_common)
			text[len++] = '\n';
		len += put_format_field(text + len, &f->fields[i], has_len);
	}
	if (f->nr_fields == f->nr_common)
		text[len++] = '\n';
	sprintf(text + len, "\nprint fmt: %s\n", f->print_fmt);
	f->text = text;
	return 0;
}
