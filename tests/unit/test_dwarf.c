// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_dwarf.c - types from the DWARF of an image file that has two structures
 * of one name, in both orders: unit-dwarf-perf and unit-dwarf-ftrace are linked
 * from dwarf/perf.c and dwarf/ftrace.c, each with its own unit first.
 */
#include "mock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HERE 0xffff888000001000

/* What the front end says belongs to another kernel: it must not be asked. */
static const char dump[] = "type ring_buffer 8\n"
			   "	head 0 u64\n"
			   "	buffers 0 u64\n"
			   "type only_target 8\n"
			   "	a 0 u64\n"
			   "mem 0xffff888000001000: fd 00 fe ff 00 00 00 00\n";

static const char *program;

static struct mock *open_image(const char *first)
{
	struct otst_options options = { .size = sizeof(options) };
	struct mock *m;
	char *path;

	assert_true(asprintf(&path, "%s-%s", program, first) > 0);
	options.vmlinux = path;
	m = mock_open_options(dump, &options);
	free(path);
	return m;
}

static uint64_t offset_of(struct mock *m, const char *type, const char *member)
{
	const struct otst_member *where;

	if (otst_member(m->o, type, member, &where))
		fail_msg("%s", otst_message(m->o));
	return where->offset;
}

static uint64_t size_of(struct mock *m, const char *type)
{
	uint64_t size;

	if (otst_type_size(m->o, type, &size))
		fail_msg("%s", otst_message(m->o));
	return size;
}

/* Each is found by its members, whichever comes first; nothing is mixed. */
static void check_both(struct mock *m)
{
	assert_int_equal(size_of(m, "ring_buffer{buffers}"), 48);
	assert_int_equal(offset_of(m, "ring_buffer{buffers}", "buffers"), 24);
	assert_int_equal(offset_of(m, "ring_buffer{buffers}", "list.prev"), 40);
	assert_false(otst_has_member(m->o, "ring_buffer{buffers}", "head"));
	assert_int_equal(size_of(m, "ring_buffer{user_page}"), 48);
	assert_int_equal(offset_of(m, "ring_buffer{user_page}", "user_page"), 16);
	assert_int_equal(offset_of(m, "ring_buffer{head,data_pages}", "head"), 8);
	assert_false(otst_has_member(m->o, "ring_buffer{user_page}", "cpus"));
	/* a typedef leads to the same two */
	assert_int_equal(offset_of(m, "rb_alias{cpumask}", "cpumask"), 16);
	assert_int_equal(offset_of(m, "rb_alias{head}", "head"), 8);
	/* no structure has members of both */
	assert_false(otst_has_type(m->o, "ring_buffer{head,buffers}"));
	assert_false(otst_has_member(m->o, "ring_buffer{head,buffers}", "head"));
}

static void test_perf_first(void **state)
{
	struct mock *m = open_image("perf");

	(void)state;
	check_both(m);
	assert_int_equal(offset_of(m, "ring_buffer", "head"), 8);
	assert_false(otst_has_member(m->o, "ring_buffer", "buffers"));
	mock_close(m);
}

static void test_ftrace_first(void **state)
{
	struct mock *m = open_image("ftrace");

	(void)state;
	check_both(m);
	assert_int_equal(offset_of(m, "ring_buffer", "buffers"), 24);
	assert_false(otst_has_member(m->o, "ring_buffer", "head"));
	mock_close(m);
}

/* The image file is the only source; messages have plain names. */
static void test_source(void **state)
{
	struct mock *m = open_image("perf");
	const struct otst_member *where;
	uint64_t size;
	int64_t value;

	(void)state;
	assert_string_equal(otst_types_origin(m->o), "DWARF");
	assert_false(otst_has_type(m->o, "only_target"));
	assert_int_equal(otst_member(m->o, "ring_buffer{head}", "z", &where), OTST_ERR_LOOKUP);
	assert_string_equal(otst_message(m->o),
			    "struct ring_buffer has no member z in this kernel");
	assert_int_equal(otst_type_size(m->o, "state{z}", &size), OTST_ERR_LOOKUP);
	assert_string_equal(otst_message(m->o), "no struct state in this kernel");
	assert_int_equal(otst_enumerator(m->o, "COLOUR_NONE", &value), 0);
	assert_int_equal(value, -1);
	assert_int_equal(otst_enumerator(m->o, "COLOUR_RED", &value), 0);
	assert_int_equal(value, 200);
	mock_close(m);
}

/* In perf.c's unit, struct state is only a declaration. */
static void test_numbers(void **state)
{
	struct mock *m = open_image("perf");
	struct otst_view v;
	uint64_t value;

	(void)state;
	assert_int_equal(size_of(m, "state"), 4);
	assert_int_equal(otst_view_read(m->o, "state", HERE, &v), 0);
	assert_true((int64_t)otst_u64(&v, "low") == -3);
	assert_true((int64_t)otst_u64(&v, "high") == -1);
	assert_int_equal(otst_u64(&v, "mode"), 0);
	assert_true((int64_t)otst_u64(&v, "temperature") == -2);
	assert_int_equal(v.err, 0);
	assert_int_equal(otst_read_member(m->o, "state", HERE, "low", &value), 0);
	assert_true((int64_t)value == -3);
	assert_int_equal(otst_read_member(m->o, "state", HERE, "temperature", &value), 0);
	assert_true((int64_t)value == -2);
	mock_close(m);
}

/* Interrupted is not "no such type". */
static void test_interrupted(void **state)
{
	struct mock *m = open_image("ftrace");
	const struct otst_member *where;
	uint64_t size;

	(void)state;
	m->interrupted = true;
	assert_int_equal(otst_member(m->o, "ring_buffer{user_page}", "head", &where),
			 OTST_ERR_INTERRUPTED);
	m->interrupted = false;
	otst_command_begin(m->o);
	assert_int_equal(offset_of(m, "ring_buffer{user_page}", "head"), 8);
	mock_close(m);
	/* half-way, too */
	m = open_image("ftrace");
	assert_int_equal(size_of(m, "list_head"), 16);
	m->interrupted = true;
	assert_int_equal(otst_type_size(m->o, "nowhere", &size), OTST_ERR_INTERRUPTED);
	m->interrupted = false;
	otst_command_begin(m->o);
	assert_int_equal(otst_type_size(m->o, "nowhere", &size), OTST_ERR_LOOKUP);
	assert_int_equal(offset_of(m, "ring_buffer{user_page}", "head"), 8);
	mock_close(m);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_perf_first),  cmocka_unit_test(test_ftrace_first),
		cmocka_unit_test(test_source),	    cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_interrupted),
	};

	(void)argc;
	program = argv[0];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
