// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_exports.c - names that a kernel exports more than once: which one its bsearch() finds, worked
 * out by hand; tables of addresses and of distances, and damaged ones.
 */
#include "mock.h"

#include <string.h>

#include "../../src/built/modload.h"

#define HEAD                     \
	"type new_utsname 390\n" \
	"	machine 325 char[65]\n"

#define ADDRESSES                 \
	"type kernel_symbol 24\n" \
	"	value 0 u64\n"          \
	"	name 8 ptr\n"           \
	"	namespace 16 ptr\n"

#define DISTANCES                 \
	"type kernel_symbol 12\n" \
	"	value_offset 0 s32\n"   \
	"	name_offset 4 s32\n"    \
	"	namespace_offset 8 s32\n"

#define NAMES                                              \
	"str 0xffffffff82000000 \"alpha\"\n"               \
	"str 0xffffffff82000010 \"memset\"\n"              \
	"str 0xffffffff82000020 \"memset\"\n"              \
	"str 0xffffffff82000030 \"omega\"\n"               \
	"sym __start___ksymtab_gpl 0xffffffff82003000 0\n" \
	"sym __stop___ksymtab_gpl 0xffffffff82003000 0\n"

/* "alpha", "memset" twice, "omega": the third of four is looked at first */
#define TABLE_OF_ADDRESSES                                                  \
	"sym __start___ksymtab 0xffffffff82001000 0\n"                      \
	"sym __stop___ksymtab 0xffffffff82001060 0\n"                       \
	"u64 0xffffffff82001000: 0xffffffff81000100 0xffffffff82000000 0\n" \
	"u64 0xffffffff82001018: 0xffffffff81000200 0xffffffff82000010 0\n" \
	"u64 0xffffffff82001030: 0xffffffff81000300 0xffffffff82000020 0\n" \
	"u64 0xffffffff82001048: 0xffffffff81000400 0xffffffff82000030 0\n"

/* the same without "alpha": of three the second is looked at first */
#define TABLE_OF_DISTANCES                                  \
	"sym __start___ksymtab 0xffffffff82001000 0\n"      \
	"sym __stop___ksymtab 0xffffffff82001024 0\n"       \
	"u32 0xffffffff82001000: 0xfefff200 0xfffff00c 0\n" \
	"u32 0xffffffff8200100c: 0xfefff2f4 0xfffff010 0\n" \
	"u32 0xffffffff82001018: 0xfefff3e8 0xfffff014 0\n"

static bool repeated(const char *text, const char *name, uint64_t *ret)
{
	struct mock *m = mock_open(text);
	bool found = otst_export_repeated(m->o, name, ret);

	mock_close(m);
	return found;
}

static void test_found(void **state)
{
	uint64_t addr;

	(void)state;
	assert_true(repeated(HEAD ADDRESSES NAMES TABLE_OF_ADDRESSES, "memset", &addr));
	assert_int_equal(addr, 0xffffffff81000300);
	assert_true(repeated(HEAD DISTANCES NAMES TABLE_OF_DISTANCES, "memset", &addr));
	assert_int_equal(addr, 0xffffffff81000300);
	/* a name that is exported once is what its symbol says */
	assert_false(repeated(HEAD ADDRESSES NAMES TABLE_OF_ADDRESSES, "alpha", &addr));
	assert_false(repeated(HEAD ADDRESSES NAMES TABLE_OF_ADDRESSES, "nosuch", &addr));
}

static void test_none(void **state)
{
	uint64_t addr;

	(void)state;
	assert_false(repeated(HEAD, "memset", &addr));
	assert_false(repeated(HEAD NAMES TABLE_OF_ADDRESSES, "memset", &addr));
	/* names that cannot be read */
	assert_false(repeated(HEAD ADDRESSES TABLE_OF_ADDRESSES, "memset", &addr));
	/* half an entry */
	assert_false(repeated(HEAD ADDRESSES NAMES TABLE_OF_ADDRESSES
			      "sym __stop___ksymtab 0xffffffff8200105c 0\n",
			      "memset", &addr));
	/* members of another size */
	assert_false(repeated(HEAD "type kernel_symbol 12\n"
				   "	value_offset 0 s16\n"
				   "	name_offset 4 s16\n" NAMES TABLE_OF_DISTANCES,
			      "memset", &addr));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
