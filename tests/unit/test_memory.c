// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_memory.c - the page cache, also where pages are not whole, and strings.
 */
#include "mock.h"

#include <string.h>

#define P 0xffff888000001000

static void test_whole_page(void **state)
{
	struct mock *m = mock_open("fill 0xffff888000001000 4096 0x11\nu64 0xffff888000001ff8: 42");
	uint8_t byte;
	uint32_t word;
	uint64_t v;

	(void)state;
	assert_int_equal(otst_read_u64(m->o, P + 4088, &v), 0);
	assert_int_equal(v, 42);
	assert_int_equal(otst_read_u32(m->o, P, &word), 0);
	assert_int_equal(word, 0x11111111);
	assert_int_equal(otst_read_u8(m->o, P + 4095, &byte), 0);
	assert_int_equal(byte, 0);
	/* all of that is one read of the page */
	assert_int_equal(m->reads, 1);
	mock_close(m);
}

static void test_partial_page(void **state)
{
	struct mock *m = mock_open("u64 0xffff888000001010: 42 43");
	uint64_t v = 7, both[2];

	(void)state;
	assert_int_equal(otst_read_u64(m->o, P + 16, &v), 0);
	assert_int_equal(v, 42);
	assert_int_equal(otst_read(m->o, P + 16, both, sizeof(both)), 0);
	assert_int_equal(both[1], 43);
	v = 7;
	assert_int_equal(otst_read_u64(m->o, P + 8, &v), OTST_ERR_FAULT);
	assert_int_equal(otst_read_u64(m->o, P + 28, &v), OTST_ERR_FAULT);
	assert_int_equal(otst_read_u64(m->o, P + 8192, &v), OTST_ERR_FAULT);
	assert_int_equal(v, 7);
	assert_true(strlen(otst_message(m->o)) > 0);
	mock_close(m);
}

static void test_across_pages(void **state)
{
	struct mock *m =
		mock_open("fill 0xffff888000001000 4096 1\nfill 0xffff888000002000 4096 2\n"
			  "u8 0xffff888000003000: 3\n");
	uint8_t buf[32], *big = otst_alloc(m->o, 8193);
	uint32_t v;

	(void)state;
	assert_int_equal(otst_read_u32(m->o, P + 4094, &v), 0);
	assert_int_equal(v, 0x02020101);
	/* a whole page, then one that has a single byte */
	assert_int_equal(otst_read(m->o, P + 8192 - 31, buf, 32), 0);
	assert_int_equal(buf[30], 2);
	assert_int_equal(buf[31], 3);
	assert_int_equal(otst_read(m->o, P + 8192 - 30, buf, 32), OTST_ERR_FAULT);
	assert_int_equal(otst_read(m->o, P, big, 8193), 0);
	assert_int_equal(big[8192], 3);
	mock_close(m);
}

static void test_large_and_wrapping(void **state)
{
	struct mock *m = mock_open("fill 0xffff888000001000 0x10000 7\n"
				   "fill 0xfffffffffffff000 4096 9\n");
	uint8_t *buf = otst_alloc(m->o, 0x10000);
	uint64_t v = 1;

	(void)state;
	assert_int_equal(otst_read(m->o, P, buf, 0x10000), 0);
	assert_int_equal(buf[0xffff], 7);
	assert_int_equal(otst_read(m->o, P + 1, buf, 0x10000), OTST_ERR_FAULT);
	assert_int_equal(otst_read_u64(m->o, UINT64_MAX - 3, &v), OTST_ERR_FAULT);
	assert_int_equal(otst_read(m->o, UINT64_MAX - 100, buf, 0x10000), OTST_ERR_FAULT);
	assert_int_equal(otst_read(m->o, P, buf, 0), 0);
	assert_int_equal(v, 1);
	mock_close(m);
}

/* More pages than any cache holds, twice, so that slots are taken again. */
static void test_many_pages(void **state)
{
	struct mock *m = mock_open("endless 0xffffc90000000000 0x10000000 4096 0\n");
	uint64_t v;

	(void)state;
	for (int round = 0; round < 2; round++) {
		for (uint64_t i = 0; i < 5000; i++) {
			uint64_t at = 0xffffc90000000000 + i * 4096;

			assert_int_equal(otst_read_u64(m->o, at, &v), 0);
			assert_int_equal(v, at + 4096);
		}
	}
	mock_close(m);
}

/* A page that failed once must not leave a slot that looks filled. */
static void test_failed_page_is_not_cached(void **state)
{
	struct mock *m = mock_open("fill 0xffff888000001000 4096 1\n");
	uint64_t v, other = P + (1ull << 30);

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(otst_read_u64(m->o, P, &v), 0);
		assert_int_equal(v, 0x0101010101010101);
		assert_int_equal(otst_read_u64(m->o, other, &v), OTST_ERR_FAULT);
		assert_int_equal(otst_read_u64(m->o, P + (4096u << 10), &v), OTST_ERR_FAULT);
	}
	mock_close(m);
}

static void test_strings(void **state)
{
	struct mock *m = mock_open("str 0xffff888000001000 \"do_fork\"\n"
				   "str 0xffff888000001ffa \"end\"\n"
				   "str 0xffff888000002ffe \"over\"\n"
				   "fill 0xffff888000010000 0x100000 0x41\n"
				   "fill 0xffff888000300ff0 16 0x42\n");
	const char *s = NULL;

	(void)state;
	assert_int_equal(otst_read_string(m->o, P, 128, &s), 0);
	assert_string_equal(s, "do_fork");
	assert_int_equal(otst_read_string(m->o, P + 0xffa, 128, &s), 0);
	assert_string_equal(s, "end");
	assert_int_equal(otst_read_string(m->o, P + 0x1ffe, 128, &s), 0);
	assert_string_equal(s, "over");
	/* cut, not an error */
	assert_int_equal(otst_read_string(m->o, P, 3, &s), 0);
	assert_string_equal(s, "do_");
	assert_int_equal(otst_read_string(m->o, 0xffff888000010000, 512, &s), 0);
	assert_int_equal(strlen(s), 512);
	/* no NUL before the memory ends */
	s = NULL;
	assert_int_equal(otst_read_string(m->o, 0xffff888000300ff0, 512, &s), OTST_ERR_FAULT);
	assert_null(s);
	assert_int_equal(otst_read_string(m->o, 0xffff888000400000, 512, &s), OTST_ERR_FAULT);
	assert_int_equal(otst_read_string(m->o, 0, 512, &s), OTST_ERR_FAULT);
	mock_close(m);
}

static void test_strings_are_clean(void **state)
{
	struct mock *m =
		mock_open("str 0xffff888000001000 \"a\\x1b[2J\\x07\\x7f\\x9b\\n\\t\\xffz\"\n");
	const char *s;

	(void)state;
	assert_int_equal(otst_read_string(m->o, P, 128, &s), 0);
	assert_int_equal(s[0], 'a');
	assert_int_equal(s[strlen(s) - 1], 'z');
	for (; *s; s++)
		assert_true(*s >= ' ' && *s < 0x7f);
	mock_close(m);
}

static void test_byte_orders(void **state)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 0x88 };
	struct mock *little = mock_open("mem 0xffff888000001000: 01 02 03 04 05 06 07 88");
	struct mock *big = mock_open("big-endian\nmem 0xffff888000001000: 01 02 03 04 05 06 07 88");
	uint64_t v;
	uint32_t word;

	(void)state;
	assert_int_equal(otst_get(little->o, bytes, 1), 1);
	assert_int_equal(otst_get(little->o, bytes, 2), 0x0201);
	assert_int_equal(otst_get(little->o, bytes, 3), 0x030201);
	assert_int_equal(otst_get(little->o, bytes, 8), 0x8807060504030201);
	assert_int_equal(otst_get(big->o, bytes, 1), 1);
	assert_int_equal(otst_get(big->o, bytes, 2), 0x0102);
	assert_int_equal(otst_get(big->o, bytes, 3), 0x010203);
	assert_int_equal(otst_get(big->o, bytes, 8), 0x0102030405060788);
	assert_int_equal(otst_read_u64(little->o, P, &v), 0);
	assert_int_equal(v, 0x8807060504030201);
	assert_int_equal(otst_read_u64(big->o, P, &v), 0);
	assert_int_equal(v, 0x0102030405060788);
	assert_int_equal(otst_read_u32(big->o, P, &word), 0);
	assert_int_equal(word, 0x01020304);
	mock_close(big);
	mock_close(little);
}

static uint64_t page_size_of(const char *text)
{
	struct mock *m = mock_open(text);
	uint64_t size = otst_page_size(m->o);

	mock_close(m);
	return size;
}

static void test_page_size(void **state)
{
	(void)state;
	assert_int_equal(page_size_of("vmcoreinfo PAGESIZE=65536"), 65536);
	assert_int_equal(page_size_of("vmcoreinfo PAGESIZE=12345"), 4096);
	assert_int_equal(page_size_of("vmcoreinfo OSRELEASE=1"), 4096);
	assert_int_equal(page_size_of("type bpf_ringbuf 49160\n"
				      "	consumer_pos 16384 u64\n"
				      "	producer_pos 32768 u64\n"),
			 16384);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole_page),
		cmocka_unit_test(test_partial_page),
		cmocka_unit_test(test_across_pages),
		cmocka_unit_test(test_large_and_wrapping),
		cmocka_unit_test(test_many_pages),
		cmocka_unit_test(test_failed_page_is_not_cached),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_strings_are_clean),
		cmocka_unit_test(test_byte_orders),
		cmocka_unit_test(test_page_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
