// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_engine.c - memory of a command and of the engine, errors, VMCOREINFO.
 */
#include "mock.h"

#include <limits.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

static int read_nothing(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	(void)priv, (void)space, (void)addr, (void)buf, (void)len;
	return OTST_ERR_FAULT;
}

static int symbol_not_asked(void *priv, const char *name, uint64_t *ret)
{
	(void)priv, (void)name, (void)ret;
	fail_msg("a member beyond the size was used");
	return OTST_ERR_LOOKUP;
}

static int collect(void *priv, const char *text, size_t len)
{
	return fwrite(text, 1, len, priv) != len;
}

/* one command with the caller's own outputs; returns what it prints, to be freed by the caller */
static char *run_to(struct otst *o, struct otst_output *out, struct otst_output *err, int *status)
{
	const char *const words[] = { "otst", "-l" };
	size_t len;
	char *text;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	out->write = err->write = collect;
	out->priv = err->priv = f;
	*status = otst_run(o, 2, words, out, err);
	fclose(f);
	return text;
}

static void test_ops_of_an_older_header(void **state)
{
	struct otst_target_ops ops = {
		.size = offsetof(struct otst_target_ops, symbol),
		.read = read_nothing,
		.symbol = symbol_not_asked,
	};
	struct otst_output out = { .size = sizeof(out) }, err = out;
	struct otst *o = NULL;
	int status;

	(void)state;
	assert_int_equal(otst_open(&ops, NULL, NULL, &o), 0);
	/* they are copied */
	memset(&ops, 0xff, sizeof(ops));
	free(run_to(o, &out, &err, &status));
	assert_int_equal(status, OTST_EXIT_PARTIAL);
	otst_close(o);
}

static void test_ops_of_a_newer_header(void **state)
{
	struct {
		struct otst_target_ops known;
		void (*more[2])(void);
	} ops = { .known = { .size = sizeof(ops), .read = read_nothing } };
	struct otst *o = NULL;

	(void)state;
	assert_int_equal(otst_open(&ops.known, NULL, NULL, &o), 0);
	otst_close(o);
	o = NULL;
	ops.more[1] = (void (*)(void))symbol_not_asked;
	assert_int_equal(otst_open(&ops.known, NULL, NULL, &o), OTST_ERR_NEWER);
	assert_null(o);
	assert_non_null(strstr(otst_error_text(OTST_ERR_NEWER), "does not know"));
}

static void test_ops_of_no_size(void **state)
{
	static const uint64_t sizes[] = { 0,	   1,
					  8,	   offsetof(struct otst_target_ops, read),
					  1 << 20, UINT64_MAX };
	struct otst_target_ops ops = { .read = read_nothing };
	struct otst *o = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		ops.size = sizes[i];
		assert_int_equal(otst_open(&ops, NULL, NULL, &o), OTST_ERR_SIZE);
	}
	ops.size = sizeof(ops);
	ops.read = NULL;
	assert_int_equal(otst_open(&ops, NULL, NULL, &o), OTST_ERR_UNSUPPORTED);
	assert_null(o);
	otst_close(NULL);
}

static int keep_text(void *priv, const char *text, size_t len)
{
	char *to = priv;

	strncat(to, text, len);
	return 0;
}

/* a file that the caller names and that cannot be used ends every command */
static void test_unusable_image(void **state)
{
	static const struct otst_target_ops ops = { .size = sizeof(ops), .read = read_nothing };
	static const char *const words[] = { "otst", "-l", "do_nanosleep" };
	static const char *const paths[] = { "/mistyped/vmlinux", "", "/" };
	static const char *const whys[] = { "No such file or directory",
					    "No such file or directory", "not a kernel image" };
	static const struct otst_stack_walk walk = { .size = sizeof(walk) };
	char said[4096], want[256];
	struct otst_output out = { .size = sizeof(out), .write = keep_text, .priv = said };
	struct otst *o;
	unsigned int i;

	(void)state;
	for (i = 0; i < 6; i++) {
		const struct otst_options options = { .size = sizeof(options),
						      .vmlinux = paths[i % 3],
						      .in_session = i / 3 };

		snprintf(want, sizeof(want), "otst: vmlinux %s: %s\n", paths[i % 3], whys[i % 3]);
		assert_int_equal(otst_open(&ops, NULL, &options, &o), 0);
		*said = '\0';
		assert_int_equal(otst_run(o, 3, words, &out, &out), OTST_EXIT_FAILED);
		assert_string_equal(said, want);
		*said = '\0';
		assert_int_equal(otst_stack_tasks(o, &walk, &out), OTST_ERR_FILE);
		assert_string_equal(said, want);
		otst_close(o);
	}
}

static void test_options_of_other_headers(void **state)
{
	static const struct otst_target_ops ops = { .size = sizeof(ops), .read = read_nothing };
	struct {
		struct otst_options known;
		uint64_t more;
	} options = { .known = { .vmlinux = "a", .no_btf = 1, .in_session = 1 } };
	struct otst *o = NULL;

	(void)state;
	/* older */
	options.known.size = offsetof(struct otst_options, no_btf);
	assert_int_equal(otst_open(&ops, NULL, &options.known, &o), 0);
	assert_string_equal(otst_options(o)->vmlinux, "a");
	assert_int_equal(otst_options(o)->no_btf, 0);
	assert_int_equal(otst_options(o)->in_session, 0);
	otst_close(o);
	/* newer */
	options.known.size = sizeof(options);
	assert_int_equal(otst_open(&ops, NULL, &options.known, &o), 0);
	assert_int_equal(otst_options(o)->no_btf, 1);
	assert_int_equal(otst_options(o)->in_session, 1);
	otst_close(o);
	o = NULL;
	options.more = (uint64_t)1 << 63;
	assert_int_equal(otst_open(&ops, NULL, &options.known, &o), OTST_ERR_NEWER);
	/* not set */
	options.known.size = 0;
	assert_int_equal(otst_open(&ops, NULL, &options.known, &o), OTST_ERR_SIZE);
	assert_null(o);
}

static void test_outputs_of_other_headers(void **state)
{
	struct mock *m = mock_open("");
	struct {
		struct otst_output known;
		uint64_t more;
	} out = { .known = { .size = sizeof(out), .color = 1 } }, err = out;
	char *text;
	int status;

	(void)state;
	/* newer */
	text = run_to(m->o, &out.known, &err.known, &status);
	assert_int_equal(status, OTST_EXIT_PARTIAL);
	assert_non_null(strchr(text, '\033'));
	free(text);
	/* older: without colours */
	out.known.size = offsetof(struct otst_output, width);
	text = run_to(m->o, &out.known, &err.known, &status);
	assert_int_equal(status, OTST_EXIT_PARTIAL);
	assert_null(strchr(text, '\033'));
	free(text);
	/* newer, and it says so; also when it is the complaints' own */
	for (int i = 0; i < 2; i++) {
		out.known.size = err.known.size = sizeof(out);
		out.more = !i;
		err.more = i;
		text = run_to(m->o, &out.known, &err.known, &status);
		assert_int_equal(status, OTST_EXIT_FAILED);
		assert_non_null(strstr(text, "does not know"));
		free(text);
	}
	/* not set: silent when nobody can be told */
	err.more = 0;
	out.known.size = 0;
	text = run_to(m->o, &out.known, &err.known, &status);
	assert_int_equal(status, OTST_EXIT_FAILED);
	assert_non_null(strstr(text, "cannot be right"));
	free(text);
	out.known.size = sizeof(out);
	err.known.size = offsetof(struct otst_output, priv);
	text = run_to(m->o, &out.known, &err.known, &status);
	assert_int_equal(status, OTST_EXIT_FAILED);
	assert_string_equal(text, "");
	free(text);
	mock_close(m);
}

static void test_every_error_has_its_own_text(void **state)
{
	(void)state;
	for (int i = 0; i >= OTST_ERR_NEWER; i--)
		for (int j = 0; j > i; j--)
			assert_string_not_equal(otst_error_text(i), otst_error_text(j));
	assert_string_equal(otst_error_text(1), "unknown error");
	assert_string_equal(otst_error_text(OTST_ERR_NEWER - 1), "unknown error");
	assert_string_equal(otst_error_text(INT_MIN), "unknown error");
}

static void test_memory_is_zeroed_and_apart(void **state)
{
	struct mock *m = mock_open("");
	unsigned char *big, *p[1000];

	(void)state;
	for (int i = 0; i < 1000; i++) {
		p[i] = otst_alloc(m->o, 1 + i % 37);
		assert_non_null(p[i]);
		for (int j = 0; j < 1 + i % 37; j++)
			assert_int_equal(p[i][j], 0);
		memset(p[i], i, 1 + i % 37);
	}
	for (int i = 0; i < 1000; i++)
		for (int j = 0; j < 1 + i % 37; j++)
			assert_int_equal(p[i][j], (unsigned char)i);
	big = otst_alloc(m->o, 3 << 20);
	assert_non_null(big);
	assert_int_equal(big[(3 << 20) - 1], 0);
	memset(big, 1, 3 << 20);
	assert_null(otst_alloc(m->o, SIZE_MAX));
	assert_null(otst_alloc(m->o, SIZE_MAX - 8));
	assert_non_null(otst_alloc(m->o, 0));
	mock_close(m);
}

static void test_keep_outlives_a_command(void **state)
{
	struct mock *m = mock_open("");
	const char *const words[] = { "otst", "-i", NULL };
	char *kept = otst_keep(m->o, 16), *text;

	(void)state;
	strcpy(kept, "still here");
	mock_run(m, words, &text);
	free(text);
	assert_string_equal(kept, "still here");
	mock_close(m);
}

static void test_strings(void **state)
{
	struct mock *m = mock_open("");
	const char *s = otst_strdup(m->o, "abc");

	(void)state;
	assert_string_equal(s, "abc");
	assert_string_equal(otst_format(m->o, "%s-%d", s, 7), "abc-7");
	s = otst_format(m->o, "%0*d", 100000, 1);
	assert_int_equal(strlen(s), 100000);
	mock_close(m);
}

/* allocating more memory than there is returns NULL, with the address sanitizer too */
const char *__asan_default_options(void) __attribute__((visibility("default")));
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

/* no machine has that much: what cannot fail goes on, and the command counts as failed */
static void test_out_of_memory_stays(void **state)
{
	struct mock *m = mock_open("");
	struct otst_vec v = { .room = 0 };
	uint64_t *first = otst_vec_push(m->o, &v, sizeof(*first)), *a, *b;

	(void)state;
	*first = 7;
	assert_int_equal(otst_check(m->o), 0);
	assert_null(otst_alloc(m->o, SIZE_MAX / 4));
	assert_int_equal(otst_check(m->o), OTST_ERR_NOMEM);
	/* a vector that cannot grow */
	v.room = v.count = SIZE_MAX / 64;
	a = otst_vec_push(m->o, &v, sizeof(*a));
	*a = 1;
	b = otst_vec_push(m->o, &v, sizeof(*b));
	assert_int_equal(*b, 0);
	assert_ptr_not_equal(a, b);
	assert_int_equal(v.count, SIZE_MAX / 64);
	assert_int_equal(*first, 7);
	for (int i = 0; i < 100000; i++) {
		b = otst_vec_push(m->o, &v, sizeof(*b));
		assert_int_equal(*b, 0);
		*b = UINT64_MAX;
	}
	assert_int_equal(otst_vec_end(m->o, &v), OTST_ERR_NOMEM);
	mock_close(m);
}

static void test_vec_grows(void **state)
{
	struct mock *m = mock_open("");
	struct otst_vec v = { 0 };

	(void)state;
	for (int i = 0; i < 10000; i++) {
		int *p = otst_vec_push(m->o, &v, sizeof(*p));

		assert_int_equal(*p, 0);
		*p = i;
	}
	assert_int_equal(v.count, 10000);
	for (int i = 0; i < 10000; i++)
		assert_int_equal(((int *)v.data)[i], i);
	mock_close(m);
}

static void test_messages_grow_a_phrase_per_level(void **state)
{
	struct mock *m = mock_open("");
	int err;

	(void)state;
	assert_non_null(otst_message(m->o));
	err = otst_raise(m->o, OTST_ERR_CORRUPT, "bad %s", "pointer");
	assert_int_equal(err, OTST_ERR_CORRUPT);
	err = otst_fail(m->o, err, "kprobe_table[%d]", 17);
	assert_int_equal(err, OTST_ERR_CORRUPT);
	assert_string_equal(otst_message(m->o), "kprobe_table[17]: bad pointer");
	/* however many levels there are, it stays a string */
	for (int i = 0; i < 1000; i++)
		otst_fail(m->o, err, "level %d", i);
	assert_true(strlen(otst_message(m->o)) < 10000);
	assert_memory_equal(otst_message(m->o), "level 999: level 998", 20);
	mock_close(m);
}

static void test_which_errors_end_a_listing(void **state)
{
	(void)state;
	assert_true(otst_fatal(OTST_ERR_NOMEM));
	assert_true(otst_fatal(OTST_ERR_INTERRUPTED));
	assert_true(otst_fatal(OTST_ERR_OUTPUT));
	assert_true(otst_fatal(OTST_ERR_FILE));
	assert_false(otst_fatal(OTST_ERR_FAULT));
	assert_false(otst_fatal(OTST_ERR_CORRUPT));
	assert_false(otst_fatal(OTST_ERR_LOOKUP));
	assert_false(otst_fatal(0));
}

static void test_interrupt(void **state)
{
	struct mock *m = mock_open("u64 0xffff888000000000: 1");
	uint64_t v = 5;

	(void)state;
	assert_int_equal(otst_check(m->o), 0);
	m->interrupted = true;
	assert_int_equal(otst_check(m->o), OTST_ERR_INTERRUPTED);
	assert_int_equal(otst_read_u64(m->o, 0xffff888000000000, &v), OTST_ERR_INTERRUPTED);
	assert_int_equal(v, 5);
	mock_close(m);
}

static void test_vmcoreinfo(void **state)
{
	struct mock *m = mock_open("vmcoreinfo OSRELEASE=6.1.0\n"
				   "vmcoreinfo KERNELOFFSET=1a000000\n"
				   "vmcoreinfo EMPTY=\n"
				   "vmcoreinfo ESC=a\x1b[2J\n");
	struct mock *none = mock_open("");

	(void)state;
	assert_string_equal(otst_vmcoreinfo(m->o, "OSRELEASE"), "6.1.0");
	assert_string_equal(otst_vmcoreinfo(m->o, "KERNELOFFSET"), "1a000000");
	assert_string_equal(otst_vmcoreinfo(m->o, "EMPTY"), "");
	assert_null(otst_vmcoreinfo(m->o, "OSREL"));
	assert_null(otst_vmcoreinfo(m->o, "SRELEASE"));
	assert_null(otst_vmcoreinfo(m->o, "OSRELEASE="));
	assert_null(strchr(otst_vmcoreinfo(m->o, "ESC"), 0x1b));
	assert_null(otst_vmcoreinfo(none->o, "OSRELEASE"));
	mock_close(m);
	mock_close(none);
}

/* The kernel's own copy, where the target has no note: behind a pointer, or in the array itself. */
static void test_vmcoreinfo_in_memory(void **state)
{
	static const char *const good[] = {
		"u64 0xffffffff81000000: 0xffff888000001000\n"
		"str 0xffff888000001000 \"OSRELEASE=6.1.0\\nPAGESIZE=4096\\n\"\n",
		"str 0xffffffff81000000 \"OSRELEASE=6.1.0\\nPAGESIZE=4096\\n\"\n",
	};
	static const char *const bad[] = {
		"",
		"u64 0xffffffff81000000: 0xffff888000001000\n",
		"u64 0xffffffff81000000: 0xffff888000001000\n"
		"str 0xffff888000001000 \"no such text, but of the same length\"\n",
		/* shorter than its size says */
		"u64 0xffffffff81000000: 0xffff888000001000\n"
		"str 0xffff888000001000 \"OSRELEASE=6.1.0\"\n",
	};
	static const char symbols[] = "sym vmcoreinfo_data 0xffffffff81000000\n"
				      "sym vmcoreinfo_size 0xffffffff81002000\n"
				      "u64 0xffffffff81002000: 30\n";
	char text[512];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		snprintf(text, sizeof(text), "%s%s", symbols, good[i]);
		struct mock *m = mock_open(text);

		assert_string_equal(otst_vmcoreinfo(m->o, "OSRELEASE"), "6.1.0");
		assert_string_equal(otst_vmcoreinfo(m->o, "PAGESIZE"), "4096");
		assert_null(otst_vmcoreinfo(m->o, "KERNELOFFSET"));
		mock_close(m);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(text, sizeof(text), "%s%s", symbols, bad[i]);
		struct mock *m = mock_open(text);

		assert_null(otst_vmcoreinfo(m->o, "OSRELEASE"));
		mock_close(m);
	}
}

/* Commands that fail, one after the other, on an empty dump. */
static void test_empty_dump(void **state)
{
	static const char *const options[] = { "-l", "-f", "-T", "-i" };
	struct mock *m = mock_open("");

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		const char *words[] = { "otst", options[i % 4], NULL };
		char *text;
		int status = mock_run(m, words, &text);

		assert_true(status == OTST_EXIT_FAILED || status == OTST_EXIT_PARTIAL ||
			    (i % 4 == 3 && status == OTST_EXIT_CLEAN));
		/* a user who sees nothing must see why */
		assert_true(strlen(text) > 0);
		free(text);
	}
	mock_close(m);
}

static char undone[8];

static void undo(void *what)
{
	strcat(undone, what);
}

static void test_what_a_command_has_to_give_back(void **state)
{
	const char *const words[] = { "otst", "-h", NULL };
	struct mock *m = mock_open("");
	char *text;

	(void)state;
	undone[0] = '\0';
	otst_command_begin(m->o);
	assert_int_equal(otst_at_end(m->o, undo, "1"), 0);
	assert_int_equal(otst_at_end(m->o, undo, "2"), 0);
	assert_string_equal(undone, "");
	/* as if a front end had left the previous command by longjmp */
	mock_run(m, words, &text);
	free(text);
	assert_string_equal(undone, "21");
	assert_int_equal(otst_at_end(m->o, undo, "3"), 0);
	mock_close(m);
	assert_string_equal(undone, "213");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ops_of_an_older_header),
		cmocka_unit_test(test_ops_of_a_newer_header),
		cmocka_unit_test(test_ops_of_no_size),
		cmocka_unit_test(test_unusable_image),
		cmocka_unit_test(test_options_of_other_headers),
		cmocka_unit_test(test_outputs_of_other_headers),
		cmocka_unit_test(test_every_error_has_its_own_text),
		cmocka_unit_test(test_memory_is_zeroed_and_apart),
		cmocka_unit_test(test_keep_outlives_a_command),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_out_of_memory_stays),
		cmocka_unit_test(test_vec_grows),
		cmocka_unit_test(test_messages_grow_a_phrase_per_level),
		cmocka_unit_test(test_which_errors_end_a_listing),
		cmocka_unit_test(test_interrupt),
		cmocka_unit_test(test_what_a_command_has_to_give_back),
		cmocka_unit_test(test_vmcoreinfo),
		cmocka_unit_test(test_vmcoreinfo_in_memory),
		cmocka_unit_test(test_empty_dump),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
