// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * format.c - print formats of events, with the fields and records that they print. The input is
 * the format, a NUL, for each field 8 bytes that change it, and the record.
 */
#include <stdlib.h>
#include <string.h>

#include "../src/events/plan.h"
#include "harness.h"

#define FORMAT_AT 0xffff888000001000
#define FIELDS	  8u
#define CHANGE	  8u /* bytes for each field */

struct input {
	struct otst *o;
	const uint8_t *data;
	size_t size;
};

/* the dump holds the print format, and nothing else */
static int read_format(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	const struct input *in = priv;
	size_t i;

	(void)space;
	for (i = 0; i < len; i++) {
		uint64_t at = addr - FORMAT_AT + i;

		if (addr < FORMAT_AT || at > in->size + OTST_CHUNK)
			return OTST_ERR_FAULT;
		((uint8_t *)buf)[i] = at < in->size ? in->data[at] : 0;
	}
	return 0;
}

static void change(struct otst_event_field *f, const uint8_t *by)
{
	f->offset += (uint32_t)(int8_t)by[0] + ((uint32_t)by[1] << 24);
	f->size += (uint32_t)(int8_t)by[2] + ((uint32_t)by[3] << 24);
	f->element = by[4] ? by[4] : f->element;
	f->filter = by[5] % 7;
	f->kind = (enum otst_field_kind)(((unsigned int)f->kind + by[6]) % 4);
	f->is_signed ^= by[7] & 1;
}

static void print_record(struct otst *o, const struct otst_event_format *format,
			 const struct otst_plan *plan, const uint8_t *data, size_t size)
{
	static const struct otst_event_style style;
	static char text[1024];
	uint8_t *exact = malloc(size ? size : 1);
	struct otst_run r = { .o = o, .style = &style, .size = (uint32_t)size };
	struct otst_record record = { .data = exact, .size = (uint32_t)size };
	struct otst_event_value v;

	memcpy(exact, data, size);
	r.data = exact;
	r.out = otst_text_in(text, sizeof(text) - 1);
	if (plan)
		otst_plan_run(&r, plan);
	r.out = otst_text_in(text, sizeof(text) - 1);
	otst_put_fields(&r, format);
	for (size_t i = 0; i < format->nr_fields; i++) {
		if (otst_event_value(&format->fields[i], &record, &v) &&
		    (v.data < exact || v.data + v.size > exact + size))
			abort();
	}
	otst_bprint_text(o, FORMAT_AT, NULL, exact, (uint32_t)size, text, sizeof(text));
	free(exact);
}

static void run(struct input *in, const struct otst_event_field *fields, const uint8_t *record,
		size_t size)
{
	struct otst_event_format format = { .system = "fuzz", .name = "event" };
	struct otst_plan plan = { 0 };
	const char *text;
	int err;

	otst_command_begin(in->o);
	format.fields = fields;
	format.nr_fields = FIELDS;
	err = otst_print_fmt_read(in->o, FORMAT_AT, &text);
	if (!err)
		err = otst_plan_parse(in->o, &format, text, &plan);
	if (err > 0 || (err && !otst_message(in->o)[0]))
		abort();
	print_record(in->o, &format, err ? NULL : &plan, record, size);
	otst_command_end(in->o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct otst_target_ops ops = { .size = sizeof(ops),
						    .name = "fuzz",
						    .read = read_format };
	struct otst_event_field fields[FIELDS] = {
		{ "a", "char[16]", 8, 16, 16, 1, true, OTST_FIELD_ARRAY, 0 },
		{ "b", "int", 24, 4, 0, 4, true, OTST_FIELD_VALUE, 0 },
		{ "c", "u8", 28, 1, 0, 1, false, OTST_FIELD_VALUE, 0 },
		{ "d", "void *", 32, 8, 0, 8, false, OTST_FIELD_VALUE, 0 },
		{ "e", "__data_loc char[]", 40, 4, 0, 1, true, OTST_FIELD_DATA_LOC, 0 },
		{ "f", "__data_loc unsigned long[]", 44, 4, 0, 8, false, OTST_FIELD_DATA_LOC, 0 },
		{ "g", "__rel_loc char[]", 48, 4, 0, 1, true, OTST_FIELD_REL_LOC, 0 },
		{ "h", "struct x", 52, 20, 0, 20, false, OTST_FIELD_VALUE, 0 },
	};
	struct input in = { .data = data };
	size_t len = strnlen((const char *)data, size), at = len + 1 + (size_t)FIELDS * CHANGE;

	in.size = len;
	/* an engine of its own: the next one has another memory */
	if (at > size || otst_open(&ops, &in, NULL, &in.o))
		return 0;
	for (size_t i = 0; i < FIELDS; i++)
		change(&fields[i], data + len + 1 + CHANGE * i);
	run(&in, fields, data + at, size - at);
	otst_close(in.o);
	return 0;
}
