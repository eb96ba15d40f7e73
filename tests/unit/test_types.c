// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_types.c - members, sizes, enumerators, and views of structures.
 */
#include "mock.h"

#include <stdio.h>
#include <string.h>

static const char dump[] = "type inner 16\n"
			   "	low 0 u32\n"
			   "	ptr 8 ptr outer\n"
			   "type outer 96\n"
			   "	c 0 u8\n"
			   "	s 1 s8\n"
			   "	h 2 s16\n"
			   "	i 4 s32\n"
			   "	u 8 u64\n"
			   "	one 16 u32:1@0\n"
			   "	three 16 u32:3@1\n"
			   "	neg 16 s32:4@4\n"
			   "	top 16 u32:8@24\n"
			   "	in 24 struct inner\n"
			   "	name 40 char[16]\n"
			   "	many 56 u32[4]\n"
			   "	wide 72 u64:64@0\n"
			   "	flag 80 bool\n"
			   "	tail 96 u64[]\n"
			   "enum COLOUR_RED 1\n"
			   "enum COLOUR_NONE -1\n"
			   "obj outer 0xffff888000001000\n"
			   "	c = 200\n"
			   "	s = -56\n"
			   "	h = -2\n"
			   "	i = -3\n"
			   "	u = 0xfedcba9876543210\n"
			   "	one = 1\n"
			   "	three = 5\n"
			   "	neg = 9\n"
			   "	top = 0xab\n"
			   "	in.low = 77\n"
			   "	in.ptr = 0xffff888000001000\n"
			   "	name = \"sixteen letters!\"\n"
			   "	many = 1 2 3 4\n"
			   "	wide = 0x8000000000000001\n"
			   "	flag = 1\n";

#define OUTER 0xffff888000001000

static void check_numbers(struct mock *m)
{
	struct otst_view v;

	assert_int_equal(otst_view_read(m->o, "outer", OUTER, &v), 0);
	assert_int_equal(v.size, 96);
	assert_int_equal(otst_u64(&v, "c"), 200);
	assert_true((int64_t)otst_u64(&v, "s") == -56);
	assert_true((int64_t)otst_u64(&v, "h") == -2);
	assert_true((int64_t)otst_u64(&v, "i") == -3);
	assert_true(otst_u64(&v, "u") == 0xfedcba9876543210);
	assert_int_equal(otst_u64(&v, "flag"), 1);
	assert_int_equal(v.err, 0);
	mock_close(m);
}

static void test_numbers(void **state)
{
	char text[sizeof(dump) + 64];

	(void)state;
	check_numbers(mock_open(dump));
	for (int btf = 0; btf < 2; btf++) {
		snprintf(text, sizeof(text), "big-endian\n%s%s", dump,
			 btf ? "btf 0xffffffffe0000000\n" : "");
		check_numbers(mock_open(text));
	}
}

static void test_bit_fields(void **state)
{
	struct mock *m = mock_open(dump);
	struct otst_view v;

	(void)state;
	assert_int_equal(otst_view_read(m->o, "outer", OUTER, &v), 0);
	assert_int_equal(otst_u64(&v, "one"), 1);
	assert_int_equal(otst_u64(&v, "three"), 5);
	assert_true((int64_t)otst_u64(&v, "neg") == -7);
	assert_int_equal(otst_u64(&v, "top"), 0xab);
	assert_true(otst_u64(&v, "wide") == 0x8000000000000001);
	assert_int_equal(v.err, 0);
	mock_close(m);
}

static void test_nested(void **state)
{
	struct mock *m = mock_open(dump);
	struct otst_view v, in;

	(void)state;
	assert_int_equal(otst_view_read(m->o, "outer", OUTER, &v), 0);
	assert_int_equal(otst_u64(&v, "in.low"), 77);
	assert_true(otst_u64(&v, "in.ptr") == OUTER);
	assert_true(otst_addr_of(&v, "in.ptr") == OUTER + 32);
	assert_int_equal(otst_view_sub(&v, "in", "inner", &in), 0);
	assert_true(in.addr == OUTER + 24);
	assert_int_equal(otst_u64(&in, "low"), 77);
	assert_int_equal(in.err, 0);
	mock_close(m);
}

static void test_strings(void **state)
{
	struct mock *m = mock_open(dump);
	struct otst_view v;

	(void)state;
	assert_int_equal(otst_view_read(m->o, "outer", OUTER, &v), 0);
	/* all 16 bytes are used, there is no NUL */
	assert_string_equal(otst_chars(&v, "name"), "sixteen letters!");
	assert_string_equal(otst_chars(&v, "nothing"), "");
	assert_int_equal(v.err, OTST_ERR_LOOKUP);
	mock_close(m);
}

static void test_missing(void **state)
{
	struct mock *m = mock_open(dump);
	struct otst_view v;

	(void)state;
	assert_int_equal(otst_view_read(m->o, "outer", OUTER, &v), 0);
	assert_true(otst_view_has(&v, "c"));
	assert_false(otst_view_has(&v, "z"));
	assert_int_equal(otst_u64_or(&v, "z", 9), 9);
	assert_int_equal(otst_u64_or(&v, "c", 9), 200);
	assert_int_equal(v.err, 0);
	/* the first error stays, later picks still work */
	assert_int_equal(otst_u64(&v, "z"), 0);
	assert_int_equal(v.err, OTST_ERR_LOOKUP);
	assert_int_equal(otst_u64(&v, "c"), 200);
	assert_int_equal(v.err, OTST_ERR_LOOKUP);
	/* arrays and structures are not numbers */
	v.err = 0;
	otst_u64(&v, "many");
	assert_int_not_equal(v.err, 0);
	assert_int_equal(otst_view_read(m->o, "none", OUTER, &v), OTST_ERR_LOOKUP);
	assert_int_equal(otst_view_read(m->o, "outer", OUTER + 8, &v), OTST_ERR_FAULT);
	mock_close(m);
}

/* A member read by itself has the value that it has in a view. */
static void test_read_member(void **state)
{
	static const char *const numbers[] = { "c",	"s",   "h",   "i",    "u",	"one",
					       "three", "neg", "top", "wide", "in.low", "flag" };
	struct mock *m = mock_open(dump);
	struct otst_view v;
	uint64_t value;

	(void)state;
	assert_int_equal(otst_view_read(m->o, "outer", OUTER, &v), 0);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		assert_int_equal(otst_read_member(m->o, "outer", OUTER, numbers[i], &value), 0);
		assert_true(value == otst_u64(&v, numbers[i]));
	}
	assert_int_equal(v.err, 0);
	assert_int_equal(otst_read_member(m->o, "outer", OUTER, "s", &value), 0);
	assert_true((int64_t)value == -56);
	assert_int_equal(otst_read_member(m->o, "outer", OUTER, "three", &value), 0);
	assert_int_equal(value, 5);
	assert_int_equal(otst_read_member(m->o, "outer", OUTER, "neg", &value), 0);
	assert_true((int64_t)value == -7);
	/* what cannot be read leaves the result alone */
	assert_int_equal(otst_read_member(m->o, "outer", OUTER, "many", &value), OTST_ERR_LOOKUP);
	assert_int_equal(otst_read_member(m->o, "outer", OUTER, "z", &value), OTST_ERR_LOOKUP);
	assert_int_equal(otst_read_member(m->o, "outer", 8, "c", &value), OTST_ERR_FAULT);
	assert_true((int64_t)value == -7);
	mock_close(m);
}

/* Bytes that were read with another structure's size. */
static void test_short_view(void **state)
{
	struct mock *m = mock_open(dump);
	static const uint8_t bytes[8] = { 5 };
	struct otst_view v;

	(void)state;
	otst_view_at(m->o, "outer", OUTER, bytes, sizeof(bytes), &v);
	assert_int_equal(otst_u64(&v, "c"), 5);
	assert_int_equal(v.err, 0);
	assert_int_equal(otst_u64(&v, "u"), 0);
	assert_int_equal(v.err, OTST_ERR_CORRUPT);
	mock_close(m);
}

static void test_questions(void **state)
{
	struct mock *m = mock_open(dump);
	const struct otst_member *where;
	uint64_t size;
	int64_t value = 5;

	(void)state;
	assert_int_equal(otst_member(m->o, "outer", "many", &where), 0);
	assert_int_equal(where->offset, 56);
	assert_int_equal(where->size, 16);
	assert_int_equal(where->count, 4);
	assert_int_equal(where->kind, OTST_KIND_ARRAY);
	assert_int_equal(otst_member(m->o, "outer", "nope", &where), OTST_ERR_LOOKUP);
	assert_non_null(strstr(otst_message(m->o), "nope"));
	assert_true(otst_has_member(m->o, "outer", "in.ptr"));
	assert_false(otst_has_member(m->o, "outer", "in.nope"));
	assert_false(otst_has_member(m->o, "nope", "in"));
	assert_int_equal(otst_type_size(m->o, "inner", &size), 0);
	assert_int_equal(size, 16);
	assert_int_equal(otst_type_size(m->o, "nope", &size), OTST_ERR_LOOKUP);
	assert_true(otst_has_type(m->o, "inner"));
	assert_false(otst_has_type(m->o, "nope"));
	assert_int_equal(otst_enumerator(m->o, "COLOUR_NONE", &value), 0);
	assert_int_equal(value, -1);
	assert_int_equal(otst_enumerator(m->o, "COLOUR_BLUE", &value), OTST_ERR_LOOKUP);
	assert_int_equal(otst_enumerator_or(m->o, "COLOUR_BLUE", 12), 12);
	assert_int_equal(otst_enumerator_or(m->o, "COLOUR_RED", 12), 1);
	assert_string_equal(otst_types_origin(m->o), "target");
	mock_close(m);
}

/* a BTF of one enum: LINK_NONE 0, LINK_ROCKET 99 */
static const char btf_dump[] = "let blob 0xffffffff82000000\n"
			       "sym __start_BTF blob\n"
			       "sym __stop_BTF blob+81\n"
			       "mem blob: 9f eb 01 00\n"
			       "u32 blob+4: 24 0 28 28 29\n"
			       "u32 blob+24: 1 0x06000002 4 6 0 16 99\n"
			       "fill blob+52 29 0\n"
			       "str blob+53 \"link\"\n"
			       "str blob+58 \"LINK_NONE\"\n"
			       "str blob+68 \"LINK_ROCKET\"\n";

static void test_names_of_values(void **state)
{
	struct mock *m = mock_open(btf_dump);

	(void)state;
	assert_string_equal(otst_types_origin(m->o), "BTF");
	assert_string_equal(otst_enum_name(m->o, "LINK_NONE", 99), "LINK_ROCKET");
	assert_string_equal(otst_enum_name(m->o, "LINK_ROCKET", 0), "LINK_NONE");
	assert_null(otst_enum_name(m->o, "LINK_NONE", 98));
	assert_null(otst_enum_name(m->o, "LINK_NOWHERE", 0));
	mock_close(m);
	/* only BTF tells */
	m = mock_open(dump);
	assert_null(otst_enum_name(m->o, "COLOUR_NONE", 1));
	mock_close(m);
}

/* a BTF of a structure of 8 bytes; "far" lies 8 KB behind its start, half of "half" behind its end */
static const char outside_dump[] = "let blob 0xffffffff82000000\n"
				   "sym __start_BTF blob\n"
				   "sym __stop_BTF blob+111\n"
				   "mem blob: 9f eb 01 00\n"
				   "u32 blob+4: 24 0 64 64 23\n"
				   "u32 blob+24: 1 0x01000000 4 32\n"
				   "u32 blob+40: 5 0x04000003 8\n"
				   "u32 blob+52: 9 1 0\n"
				   "u32 blob+64: 14 1 0x10000\n"
				   "u32 blob+76: 18 1 48\n"
				   "fill blob+88 23 0\n"
				   "str blob+89 \"u32\"\n"
				   "str blob+93 \"box\"\n"
				   "str blob+97 \"near\"\n"
				   "str blob+102 \"far\"\n"
				   "str blob+106 \"half\"\n";

static void test_member_outside(void **state)
{
	struct mock *m = mock_open(outside_dump);
	uint64_t offset;

	(void)state;
	assert_string_equal(otst_types_origin(m->o), "BTF");
	assert_int_equal(otst_offset(m->o, "box", "near", &offset), 0);
	assert_int_equal(offset, 0);
	assert_int_equal(otst_offset(m->o, "box", "far", &offset), OTST_ERR_LOOKUP);
	assert_int_equal(otst_offset(m->o, "box", "half", &offset), OTST_ERR_LOOKUP);
	mock_close(m);
}

#define NESTED	  40
#define TYPES_LEN (NESTED * 36 + 16)

/* each of the structures has two members without a name, and both are the next structure */
static void test_member_nested(void **state)
{
	char text[8192];
	size_t at = 0;
	struct mock *m;
	uint64_t offset;

	(void)state;
	at += (size_t)snprintf(text, sizeof(text),
			       "let blob 0xffffffff82000000\n"
			       "sym __start_BTF blob\n"
			       "sym __stop_BTF blob+%u\n"
			       "mem blob: 9f eb 01 00\n"
			       "u32 blob+4: 24 0 %u %u 9\n",
			       24 + TYPES_LEN + 9, TYPES_LEN, TYPES_LEN);
	for (unsigned int i = 0; i < NESTED; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "u32 blob+%u: %u 0x04000002 16 0 %u 0 0 %u 64\n",
				       24 + i * 36, i ? 0 : 5, i + 2, i + 2);
	snprintf(text + at, sizeof(text) - at,
		 "u32 blob+%u: 1 0x01000000 4 32\n"
		 "fill blob+%u 9 0\n"
		 "str blob+%u \"u32\"\n"
		 "str blob+%u \"box\"\n",
		 24 + NESTED * 36, 24 + TYPES_LEN, 24 + TYPES_LEN + 1, 24 + TYPES_LEN + 5);
	m = mock_open(text);
	assert_string_equal(otst_types_origin(m->o), "BTF");
	assert_int_equal(otst_offset(m->o, "box", "absent", &offset), OTST_ERR_LOOKUP);
	mock_close(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),	      cmocka_unit_test(test_bit_fields),
		cmocka_unit_test(test_nested),	      cmocka_unit_test(test_strings),
		cmocka_unit_test(test_missing),	      cmocka_unit_test(test_short_view),
		cmocka_unit_test(test_questions),     cmocka_unit_test(test_names_of_values),
		cmocka_unit_test(test_read_member),   cmocka_unit_test(test_member_outside),
		cmocka_unit_test(test_member_nested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
