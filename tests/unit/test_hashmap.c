// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_hashmap.c - keys are found again, whatever they are and however many.
 */
#include "mock.h"

#define MANY 100000u

/* keys that differ in their low bits, in their high bits, and everywhere */
static uint64_t make_key(unsigned int kind, uint64_t i)
{
	return kind == 0 ? i : kind == 1 ? i << 40 : kind == 2 ? i << 12 : ~(i * 0x12345677);
}

static void *value_of(uint64_t i)
{
	return (void *)(uintptr_t)(i + 1);
}

static void test_many(void **state)
{
	struct mock *m = mock_open("");

	(void)state;
	for (unsigned int kind = 0; kind < 8; kind++) {
		struct otst_hashmap map = { .keep = kind & 4 };
		uint64_t i;

		for (i = 0; i < MANY; i++) {
			void **place = otst_hashmap_place(m->o, &map, make_key(kind & 3, i));

			assert_non_null(place);
			assert_null(*place);
			*place = value_of(i);
		}
		assert_int_equal(map.count, MANY);
		for (i = 0; i < MANY; i++) {
			uint64_t key = make_key(kind & 3, i);

			assert_ptr_equal(otst_hashmap_find(&map, key), value_of(i));
			assert_ptr_equal(*otst_hashmap_place(m->o, &map, key), value_of(i));
		}
		assert_null(otst_hashmap_find(&map, make_key(kind & 3, MANY)));
		assert_int_equal(map.count, MANY);
	}
	mock_close(m);
}

static void test_empty(void **state)
{
	struct otst_hashmap map = { 0 };

	(void)state;
	assert_null(otst_hashmap_find(&map, 0));
	assert_null(otst_hashmap_find(&map, UINT64_MAX));
}

/* a set holds 0 like any other value, and tells what is new */
static void test_set(void **state)
{
	struct mock *m = mock_open("");
	struct otst_set set = { 0 };
	bool added;

	(void)state;
	assert_false(otst_set_has(&set, 0));
	for (uint64_t i = 0; i < 1000; i++) {
		assert_int_equal(otst_set_add(m->o, &set, i * 8, &added), 0);
		assert_true(added);
		assert_int_equal(otst_set_add(m->o, &set, i * 8, &added), 0);
		assert_false(added);
		assert_true(otst_set_has(&set, i * 8));
		assert_false(otst_set_has(&set, i * 8 + 8));
	}
	mock_close(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
