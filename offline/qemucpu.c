// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * qemucpu.c - registers of x86_64's cpus in QEMU's migration stream. The section "cpu" of each
 * has its fields one after the other, as they are in that release of QEMU. What they are says
 * the description at the end of the stream (vmdesc of migration/savevm.c), in JSON:
 *
 *	{"devices": [{"name": "cpu", "instance_id": 0, "fields": [
 *		{"name": "env.regs", "array_len": 16, "type": "uint64", "size": 8}, ...]}, ...]}
 *
 * Registers are found by these names alone. Without them, or without one cpu's, there are none.
 */
#include "qemu.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TEXT    (64u << 20) /* bytes of the description */
#define MOST_SECTION (1u << 20)	 /* bytes of a cpu */
#define WORD	     8u

/* ---- JSON, as far as the description needs it ---- */

/** struct json - what is left of the text */
struct json {
	const char *at;
	const char *end;
};

/** struct text - a string as it stands in the text */
struct text {
	const char *at;
	size_t len;
};

static bool is_text(const struct text *t, const char *what)
{
	return t->len == strlen(what) && !memcmp(t->at, what, t->len);
}

/* the next character that means something; commas and colons only separate; 0 at the end */
static char next_char(struct json *j)
{
	while (j->at < j->end && memchr(" \t\r\n,:", *j->at, 6))
		j->at++;
	return j->at < j->end ? *j->at : '\0';
}

static bool read_string(struct json *j, struct text *ret)
{
	*ret = (struct text){ NULL, 0 };
	if (next_char(j) != '"')
		return false;
	ret->at = ++j->at;
	for (; j->at < j->end && *j->at != '"'; j->at++)
		j->at += *j->at == '\\';
	if (j->at >= j->end)
		return false;
	ret->len = (size_t)(j->at++ - ret->at);
	return true;
}

/* Passes over a string, or over anything up to what ends or separates values. */
static bool skip_plain(struct json *j)
{
	struct text text;

	if (next_char(j) == '"')
		return read_string(j, &text);
	while (j->at < j->end && !memchr(" \t\r\n,:\"{}[]", *j->at, 11))
		j->at++;
	return j->at < j->end;
}

/* Passes over a value with all that is in it. */
static bool skip_value(struct json *j)
{
	size_t depth = 0;

	do {
		char c = next_char(j);

		if (c == '{' || c == '[')
			depth++;
		else if ((c == '}' || c == ']') && !depth--)
			return false;
		else if (c != '}' && c != ']' && !skip_plain(j))
			return false;
		if (memchr("{[}]", c, 4))
			j->at++;
	} while (depth);
	return true;
}

static bool read_number(struct json *j, uint64_t *ret)
{
	*ret = 0;
	if (next_char(j) < '0' || *j->at > '9')
		return false;
	for (; j->at < j->end && *j->at >= '0' && *j->at <= '9'; j->at++)
		*ret = *ret * 10 + (uint64_t)(*j->at - '0');
	return true;
}

/* Enters an object or array, whose first character is @open. */
static bool enter_brackets(struct json *j, char open)
{
	if (next_char(j) != open)
		return false;
	j->at++;
	return true;
}

/* ---- the description ---- */

/**
 * struct item - a device, or a field of one
 * @id: instance_id; @fields: of a device, from behind its bracket on; @fields.at is NULL without
 * @size, @count: bytes of the field, and how many of that size there are
 */
struct item {
	struct text name;
	uint64_t id;
	struct json fields;
	uint64_t size;
	uint64_t count;
};

static bool read_member(struct json *j, struct item *ret)
{
	struct text key;

	if (!read_string(j, &key))
		return false;
	if (is_text(&key, "name"))
		return read_string(j, &ret->name);
	if (is_text(&key, "instance_id"))
		return read_number(j, &ret->id);
	if (is_text(&key, "size"))
		return read_number(j, &ret->size);
	if (is_text(&key, "array_len"))
		return read_number(j, &ret->count);
	if (is_text(&key, "fields") && next_char(j) == '[')
		ret->fields = (struct json){ j->at + 1, j->end };
	return skip_value(j);
}

/* the next object of an array; false at its end */
static bool read_item(struct json *j, struct item *ret)
{
	*ret = (struct item){ .count = 1 };
	if (!enter_brackets(j, '{'))
		return false;
	while (next_char(j) == '"') {
		if (!read_member(j, ret))
			return false;
	}
	return enter_brackets(j, '}');
}

static bool enter_devices(struct json *j)
{
	struct text key;

	if (!enter_brackets(j, '{'))
		return false;
	while (read_string(j, &key)) {
		if (is_text(&key, "devices"))
			return enter_brackets(j, '[');
		if (!skip_value(j))
			return false;
	}
	return false;
}

/* @devices: those behind the last one that was found: they stand in the order of their sections */
static bool find_cpu(struct json *devices, uint64_t id, struct json *fields)
{
	struct item device;

	while (read_item(devices, &device)) {
		*fields = device.fields;
		if (is_text(&device.name, "cpu") && device.id == id)
			return device.fields.at;
	}
	return false;
}

/* ---- a cpu ---- */

/* Notes where the field is in the section, if it is one of those that are wanted. */
static void take_field(const struct item *f, const unsigned char *at, struct qemu_cpu *ret)
{
	if (is_text(&f->name, "env.regs") && f->size == WORD && f->count == 16)
		ret->regs = at;
	else if (is_text(&f->name, "env.eip") && f->size == WORD)
		ret->ip = at;
	else if (is_text(&f->name, "env.eflags") && f->size == WORD)
		ret->flags = at;
	else if (is_text(&f->name, "env.segs") && f->size >= 4 && f->count == 6)
		ret->segments = at;
	else
		return;
	if (ret->segments == at)
		ret->segment_size = f->size;
}

/* @len bytes of fields at @section */
static bool find_fields(struct json fields, const unsigned char *section, size_t len,
			struct qemu_cpu *ret)
{
	struct item f;
	size_t at = 0;

	*ret = (struct qemu_cpu){ 0 };
	while (!(ret->regs && ret->ip && ret->flags && ret->segments)) {
		if (!read_item(&fields, &f) || f.count > len || f.size > len ||
		    f.size * f.count > len - at)
			return false;
		take_field(&f, section + at, ret);
		at += f.size * f.count;
	}
	return true;
}

static int add_cpu(int fd, const struct qemu_section *s, struct json *devices, void **notes,
		   size_t *len)
{
	unsigned char *section = s->size <= MOST_SECTION ? malloc(s->size + 1) : NULL;
	int err = section ? OTST_ERR_LOOKUP : OTST_ERR_NOMEM;
	struct json fields;
	struct qemu_cpu cpu;

	if (section && read_fully(fd, section, s->size, s->at) &&
	    find_cpu(devices, s->id, &fields) && find_fields(fields, section, s->size, &cpu))
		err = registers_of_qemu(&cpu, notes, len);
	free(section);
	return err;
}

static int add_cpus(int fd, const struct qemu_devices *d, struct json text, void **notes,
		    size_t *len)
{
	const size_t before = *len;
	size_t i;
	int err = enter_devices(&text) ? 0 : OTST_ERR_LOOKUP;

	for (i = 0; !err && i < d->nr_cpus; i++)
		/* a note says nothing of its cpu but by its place */
		err = d->cpus[i].id == i ? add_cpu(fd, &d->cpus[i], &text, notes, len) :
					   OTST_ERR_LOOKUP;
	if (err != OTST_ERR_LOOKUP)
		return err;
	*len = before;
	return 0;
}

int qemu_registers(int fd, const struct qemu_devices *d, void **notes, size_t *len)
{
	char *text;
	int err = 0;

	if (!d->nr_cpus || !d->text_size || d->text_size > MOST_TEXT)
		return 0;
	text = malloc(d->text_size);
	if (!text)
		return OTST_ERR_NOMEM;
	if (read_fully(fd, text, d->text_size, d->text_at))
		err = add_cpus(fd, d, (struct json){ text, text + d->text_size }, notes, len);
	free(text);
	return err;
}
