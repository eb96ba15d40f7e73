// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_events.c - otst-fuzzevents: damaged print formats, fields and records.
 *
 *	otst-fuzzevents [--runs N] [--seed S] [--one RUN]
 *
 * Each run takes a print format, damages it or its fields, and prints records
 * of random bytes and sizes into a buffer of random size. Text must be
 * printable and bounded, and nothing may crash or hang (the sanitizers and the
 * caller's clock watch over that). Records are allocated with their exact size.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fuzz/random.h"
#include "../../src/events/plan.h"

#define MOST_TEXT 2048
#define MOST_DATA 300
#define FORMAT_AT 0xffff888000001000
#define NR_FIELDS 8

static const char *const formats[] = {
	"\"comm=%s pid=%d %16s %-8d\", REC->a, REC->b, __get_str(e), REC->c",
	"\"%s %*pbl %*ph\", __print_flags(REC->b, \"|\", { 1, \"A\" }, { 0x8, \"B\" }), 64, "
	"__get_dynamic_array(f), 6, REC->a",
	"\"%pM %pI4 %pI6c %pISpc %pUl %p %pS\", REC->a, &REC->b, REC->a, __get_sockaddr(f), REC->a, "
	"REC->d, REC->d",
	"\"%s\", __print_symbolic(REC->c, { 0, \"zero\" }, { 1, \"one\" })",
	"\"%s %s\", __print_array(__get_dynamic_array(f), __get_dynamic_array_len(f) / 8, 8), "
	"__print_hex(REC->a, __get_dynamic_array_len(e))",
	"\"%d %x %llx\", REC->a[REC->b], ((u32 *)__get_dynamic_array(f))[REC->c], "
	"*(u64 *)__get_rel_dynamic_array(g)",
	"\"%d,%d\", ((unsigned int) ((REC->b) >> 20)), REC->d / REC->c % REC->b << REC->b",
	"\"%*d %.*s\", REC->b, REC->c, REC->b, __get_rel_str(g)",
	"\"%s\", REC->b ? (REC->c ? \"a\" : __get_str(e)) : __print_hex_str(REC->a, REC->b)",
	"\"%s %s\", __get_bitmask(f), __print_dynamic_array(f, 2)",
	"\"%d\", ({ int _x = (REC->b); int _y = (128); ((_x) < (_y) ? (_x) : (_y)); })",
	"\"%s%s\", (char *)REC->d, __get_stacktrace(f)",
};

struct fuzz {
	struct otst *o;
	uint64_t state;
	char print_fmt[MOST_TEXT];
	struct otst_event_field fields[NR_FIELDS];
	bool bad;
};

/* the dump holds the print format, and nothing else */
static int read_format(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	struct fuzz *f = priv;

	(void)space;
	if (addr < FORMAT_AT || addr - FORMAT_AT + len > sizeof(f->print_fmt))
		return OTST_ERR_FAULT;
	memcpy(buf, f->print_fmt + (addr - FORMAT_AT), len);
	return 0;
}

/* enum of include/linux/trace_events.h, for fields printed by their filter type */
static int find_enumerator(void *priv, const char *name, int64_t *ret)
{
	static const char *const names[] = { "FILTER_OTHER",	  "FILTER_STATIC_STRING",
					     "FILTER_DYN_STRING", "FILTER_RDYN_STRING",
					     "FILTER_PTR_STRING", "FILTER_TRACE_FN",
					     "FILTER_COMM" };
	size_t i;

	(void)priv;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(name, names[i])) {
			*ret = (int64_t)i;
			return 0;
		}
	}
	return OTST_ERR_LOOKUP;
}

static void set_fields(struct fuzz *f)
{
	static const struct otst_event_field good[NR_FIELDS] = {
		{ "a", "char[16]", 8, 16, 16, 1, true, OTST_FIELD_ARRAY, 0 },
		{ "b", "int", 24, 4, 0, 4, true, OTST_FIELD_VALUE, 0 },
		{ "c", "u8", 28, 1, 0, 1, false, OTST_FIELD_VALUE, 0 },
		{ "d", "void *", 32, 8, 0, 8, false, OTST_FIELD_VALUE, 0 },
		{ "e", "__data_loc char[]", 40, 4, 0, 1, true, OTST_FIELD_DATA_LOC, 0 },
		{ "f", "__data_loc unsigned long[]", 44, 4, 0, 8, false, OTST_FIELD_DATA_LOC, 0 },
		{ "g", "__rel_loc char[]", 48, 4, 0, 1, true, OTST_FIELD_REL_LOC, 0 },
		{ "h", "struct x", 52, 20, 0, 20, false, OTST_FIELD_VALUE, 0 },
	};
	size_t i, n = random_below(&f->state, 3);

	memcpy(f->fields, good, sizeof(good));
	for (i = 0; i < n; i++) {
		struct otst_event_field *field = &f->fields[random_below(&f->state, NR_FIELDS)];

		field->offset = (uint32_t)(random_below(&f->state, 4) ?
						   random_below(&f->state, MOST_DATA) :
						   random_next(&f->state));
		if (!random_below(&f->state, 3))
			field->size = (uint32_t)(random_below(&f->state, 2) ?
							 random_below(&f->state, 40) :
							 random_next(&f->state));
		if (!random_below(&f->state, 5))
			field->element = (uint32_t)random_below(&f->state, 20);
		if (!random_below(&f->state, 3))
			field->filter = (int)random_below(&f->state, 7);
		if (!random_below(&f->state, 5))
			field->kind = (enum otst_field_kind)random_below(&f->state, 4);
	}
}

static void set_format(struct fuzz *f)
{
	static const char interesting[] = "%\"()[]{},*&?:->|<+/\\ 019sdplM#.";
	const char *from = formats[random_below(&f->state, sizeof(formats) / sizeof(*formats))];
	size_t len = strlen(from), i, n = random_below(&f->state, 4), at;

	memset(f->print_fmt, 0, sizeof(f->print_fmt));
	memcpy(f->print_fmt, from, len);
	for (i = 0; i < n; i++) {
		at = random_below(&f->state, len);
		switch (random_below(&f->state, 4)) {
		case 0: /* another character */
			f->print_fmt[at] =
				interesting[random_below(&f->state, sizeof(interesting) - 1)];
			break;
		case 1: /* one less */
			memmove(f->print_fmt + at, f->print_fmt + at + 1, len - at);
			break;
		case 2: /* a part of it again */
			n = random_below(&f->state, 60);
			if (at + n < len && len + n < sizeof(f->print_fmt) - 1) {
				memmove(f->print_fmt + at + n, f->print_fmt + at, len - at);
				len += n;
			}
			break;
		default: /* any byte */
			f->print_fmt[at] = (char)random_next(&f->state);
		}
	}
}

static void check_text(struct fuzz *f, const char *text, int len, size_t room)
{
	int i;

	if (len < 0)
		return;
	f->bad |= (size_t)len >= room || text[len];
	for (i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		f->bad |= (c < ' ' && c != '\n' && c != '\t') || c >= 0x7f;
	}
}

static void print_record(struct fuzz *f, const struct otst_event_format *format,
			 const struct otst_plan *plan)
{
	static const struct otst_event_style style;
	static char text[1024];
	size_t room = 1 +
		      random_below(&f->state, random_below(&f->state, 2) ? sizeof(text) - 1 : 40),
	       size, i;
	struct otst_run r = { .o = f->o, .style = &style, .hash = random_below(&f->state, 2) };
	struct otst_event_value v;
	struct otst_record record;
	uint8_t *data;

	size = random_below(&f->state, MOST_DATA);
	data = malloc(size ? size : 1);
	if (!data)
		exit(99);
	for (i = 0; i < size; i++)
		data[i] = (uint8_t)(random_below(&f->state, 3) ? random_below(&f->state, 80) :
								 random_next(&f->state));
	/* offsets that exist, more often than by chance */
	for (i = 40; i + 4 <= size && i < 52; i += 4) {
		data[i + 1] = 0;
		data[i + 3] = 0;
	}
	r.data = data;
	r.size = (uint32_t)size;
	r.out = otst_text_in(text, room - 1);
	if (plan) {
		otst_plan_run(&r, plan);
		text[otst_text_len(&r.out)] = '\0';
		check_text(f, text, (int)otst_text_len(&r.out), room);
	}
	r.out.at = text;
	otst_put_fields(&r, format);
	text[otst_text_len(&r.out)] = '\0';
	check_text(f, text, (int)otst_text_len(&r.out), room);
	record = (struct otst_record){ .data = data, .size = (uint32_t)size };
	for (i = 0; i < NR_FIELDS; i++) {
		if (otst_event_value(&f->fields[i], &record, &v))
			f->bad |= v.data < data || v.data + v.size > data + size;
	}
	check_text(f, text,
		   otst_bprint_text(f->o, FORMAT_AT, NULL, data, (uint32_t)size, text, room), room);
	free(data);
}

static void run_one(struct fuzz *f, uint64_t seed, uint64_t run)
{
	struct otst_event_format format = { .system = "fuzz", .name = "event" };
	struct otst_plan plan = { 0 };
	const char *text;
	int err;

	f->state = (seed + 1) * 0x9e3779b97f4a7c15ull ^ (run + 1) * 0xbf58476d1ce4e5b9ull;
	otst_command_begin(f->o);
	set_format(f);
	set_fields(f);
	format.fields = f->fields;
	format.nr_fields = NR_FIELDS;
	err = otst_print_fmt_read(f->o, FORMAT_AT, &text);
	if (!err)
		err = otst_plan_parse(f->o, &format, text, &plan);
	f->bad |= err > 0 || (err && !otst_message(f->o)[0]);
	print_record(f, &format, err ? NULL : &plan);
	print_record(f, &format, err ? NULL : &plan);
}

int main(int argc, char **argv)
{
	static const struct otst_target_ops ops = { .size = sizeof(ops),
						    .name = "fuzz",
						    .read = read_format,
						    .enumerator = find_enumerator };
	uint64_t runs = 100000, seed = 1, one = UINT64_MAX, run;
	static struct fuzz f;
	int i;

	for (i = 1; i + 1 < argc; i += 2) {
		uint64_t v = strtoull(argv[i + 1], NULL, 0);

		if (!strcmp(argv[i], "--runs"))
			runs = v;
		else if (!strcmp(argv[i], "--seed"))
			seed = v;
		else if (!strcmp(argv[i], "--one"))
			one = v;
	}
	if (otst_open(&ops, &f, NULL, &f.o))
		return 99;
	for (run = one == UINT64_MAX ? 0 : one; run < runs && !f.bad; run++) {
		run_one(&f, seed, run);
		if (f.bad)
			fprintf(stderr, "run %" PRIu64 ": %s\n", run, f.print_fmt);
		if (one != UINT64_MAX)
			break;
	}
	printf("%" PRIu64 " runs\n", run);
	otst_close(f.o);
	return f.bad;
}
