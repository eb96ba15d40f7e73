// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_comms.c - names and thread groups of tasks, in all three layouts of the
 * kernel's table.
 */
#include "mock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/rings/rings.h"

/* pids 7, 32775 (7 and 32768 more) and 300 in slots 0 to 2; 9 lost slot 2 to 300 */
#define TABLES                                  \
	"fill 0xffff888000200000 131104 0xff\n" \
	"u32 0xffff888000200000+4*7: 1\n"       \
	"u32 0xffff888000200000+4*300: 2\n"     \
	"u32 0xffff888000200000+4*9: 2\n"       \
	"u32 0xffff888000200000+4*11: 77\n"     \
	"fill 0xffff888000300000 512 0xff\n"    \
	"u32 0xffff888000300000: 7 32775 300\n"

#define NAMES(at)                        \
	"fill " at " 2048 0\n"           \
	"str " at " \"seven\"\n"         \
	"str " at "+16 \"more\"\n"       \
	"str " at "+32 \"a\\x1b[2Jb\"\n" \
	"mem " at "+41: 63 64 65 66 67 68 69\n"

static const char array[] = "sym savedcmd 0xffffffff82000000\n"
			    "u64 0xffffffff82000000: 0xffff888000200000\n"
			    "type saved_cmdlines_buffer 131104\n"
			    "	map_pid_to_cmdline 0 u32[32769]\n"
			    "	map_cmdline_to_pid 131080 ptr\n"
			    "	cmdline_num 131088 u32\n"
			    "	cmdline_idx 131092 u32\n"
			    "	saved_cmdlines 131096 char[]\n" TABLES
			    "u64 0xffff888000200000+131080: 0xffff888000300000\n"
			    "u32 0xffff888000200000+131088: 128 0\n" NAMES("0xffff888000220018");

static const char pointer[] =
	"sym savedcmd 0xffffffff82000000\n"
	"u64 0xffffffff82000000: 0xffff888000200000\n"
	"type saved_cmdlines_buffer 131104\n"
	"	map_pid_to_cmdline 0 u32[32769]\n"
	"	map_cmdline_to_pid 131080 ptr\n"
	"	cmdline_num 131088 u32\n"
	"	cmdline_idx 131092 u32\n"
	"	saved_cmdlines 131096 ptr\n" TABLES
	"u64 0xffff888000200000+131080: 0xffff888000300000\n"
	"u32 0xffff888000200000+131088: 128 0\n"
	"u64 0xffff888000200000+131096: 0xffff888000400000\n" NAMES("0xffff888000400000");

static const char old[] =
	"sym map_pid_to_cmdline 0xffff888000200000\n"
	"sym map_cmdline_to_pid 0xffff888000300000\n"
	"sym saved_cmdlines 0xffff888000400000\n" TABLES NAMES("0xffff888000400000");

static void check_names(const char *text)
{
	struct mock *m = mock_open(text);

	otst_command_begin(m->o);
	assert_string_equal(otst_comm(m->o, 0), "<idle>");
	assert_string_equal(otst_comm(m->o, -1), "<XXX>");
	assert_string_equal(otst_comm(m->o, 32775), "more");
	/* the slot belongs to another pid with the same low bits */
	assert_string_equal(otst_comm(m->o, 7), "<...>");
	assert_string_equal(otst_comm(m->o, 9), "<...>");
	assert_string_equal(otst_comm(m->o, 11), "<...>");
	assert_string_equal(otst_comm(m->o, 12), "<...>");
	/* no end: cut as the kernel cuts it, and without raw escapes for a terminal */
	assert_string_equal(otst_comm(m->o, 300), "a\\x1b[2Jb");
	/* it remains after the command ends */
	otst_command_begin(m->o);
	assert_string_equal(otst_comm(m->o, 32775), "more");
	mock_close(m);
}

static void test_layouts(void **state)
{
	(void)state;
	check_names(array);
	check_names(pointer);
	check_names(old);
}

static void test_damage(void **state)
{
	struct mock *m;
	char *text;

	(void)state;
	m = mock_open("u8 0xffffffff82000000: 0\n");
	otst_command_begin(m->o);
	assert_string_equal(otst_comm(m->o, 7), "<...>");
	mock_close(m);

	/* a page of the map is missing: pids 0 to 1023 */
	assert_true(asprintf(&text, "%sunmap 0xffff888000200000 4096\n", old) > 0);
	m = mock_open(text);
	otst_command_begin(m->o);
	assert_string_equal(otst_comm(m->o, 32775), "<...>");
	mock_close(m);
	free(text);
	assert_true(asprintf(&text, "%sunmap 0xffff888000201000 4096\n", pointer) > 0);
	m = mock_open(text);
	otst_command_begin(m->o);
	assert_string_equal(otst_comm(m->o, 32775), "more");
	mock_close(m);
	free(text);

	/* more names than possible */
	assert_true(asprintf(&text, "%su32 0xffff888000200000+131088: 0xffffffff\n", pointer) > 0);
	m = mock_open(text);
	otst_command_begin(m->o);
	assert_string_equal(otst_comm(m->o, 32775), "<...>");
	mock_close(m);
	free(text);
}

static void test_tgid(void **state)
{
	struct mock *m = mock_open("sym tgid_map 0xffffffff82000000\n"
				   "sym tgid_map_max 0xffffffff82000008\n"
				   "u64 0xffffffff82000000: 0xffff888000200000 40000\n"
				   "fill 0xffff888000200000 160004 0\n"
				   "u32 0xffff888000200000+4*7: 5\n"
				   "u32 0xffff888000200000+4*40000: 6\n");

	(void)state;
	assert_int_equal(otst_tgid(m->o, 7), 5);
	assert_int_equal(otst_tgid(m->o, 8), 0);
	assert_int_equal(otst_tgid(m->o, 40000), 6);
	assert_int_equal(otst_tgid(m->o, 40001), 0);
	assert_int_equal(otst_tgid(m->o, -1), 0);
	mock_close(m);
	/* nobody asked for it, and no such thing */
	m = mock_open("sym tgid_map 0xffffffff82000000\nu64 0xffffffff82000000: 0\n");
	assert_int_equal(otst_tgid(m->o, 7), 0);
	mock_close(m);
	m = mock_open("u64 0xffffffff82000000: 0\n");
	assert_int_equal(otst_tgid(m->o, 7), 0);
	mock_close(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_tgid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
