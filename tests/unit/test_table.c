// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_table.c - tables at many widths: what fits stays on one line, what does not
 * moves to the next, and no word is lost; colours only where they are requested.
 */
#include "mock.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/output/table.h"

#define ROWS 3

struct line {
	const char *kind;
	uint64_t n;
	const char *owner;
	enum otst_style look;
	const char *handlers;
};

static const struct line lines[ROWS] = {
	{ "kprobe", 7, "module lab", OTST_STYLE_GOOD, "pre=first [lab] post=second [lab]" },
	{ "uprobe", 12345, "event some_group:an_event_with_a_long_name", OTST_STYLE_BAD, NULL },
	{ "bpf", 0, "bpf x", OTST_STYLE_QUIET, "f=g" },
};

static void line_rows(struct otst_rows *r, const void *item)
{
	const struct line *l = item;

	ROW_TEXT(r, "kind", l->kind, .title = "KIND");
	ROW_TEXT(r, "json only", "\"");
	ROW_COUNT_OR_NULL(r, "n", l->n, l->n, .title = "N", .right = true);
	ROW_CELL(r, "OWNER", l->owner, l->look, .most = 20, .flow = true);
	ROW_TEXT_OR_NULL(r, "handlers", l->handlers, .title = "HANDLERS");
}

static const struct otst_object line_object = { OTST_LINE, "line", line_rows, "of a table" };

static int collect(void *priv, const char *text, size_t len)
{
	return fwrite(text, 1, len, priv) != len;
}

/* the table; to be freed by the caller */
static char *print(struct mock *m, uint32_t width, bool color)
{
	struct otst_output out = {
		.size = sizeof(out), .write = collect, .width = width, .color = color
	};
	struct otst_printer p;
	struct otst_table t;
	char *text;
	size_t len;
	int i;

	out.priv = open_memstream(&text, &len);
	assert_int_equal(otst_printer_init(m->o, &out, &p), 0);
	otst_table_init(&t, &p, &line_object, NULL);
	for (i = 0; i < ROWS; i++)
		otst_table_measure(&t, &lines[i]);
	otst_table_head(&t);
	for (i = 0; i < ROWS; i++)
		otst_table_row(&t, &lines[i]);
	assert_int_equal(otst_flush(&p), 0);
	fclose(out.priv);
	return text;
}

static void check(uint32_t width, const char *want)
{
	struct mock *m = mock_open("");
	char *got = print(m, width, false);

	assert_string_equal(got, want);
	free(got);
	mock_close(m);
}

static void test_layouts(void **state)
{
	(void)state;
	check(200, "KIND        N  OWNER                 HANDLERS\n"
		   "kprobe      7  module lab            pre=first [lab] post=second [lab]\n"
		   "uprobe  12345  event some_group:an_event_with_a_long_name  -\n"
		   "bpf         -  bpf x                 f=g\n");
	/* some room: rows that do not fit go below, whole and from their first such cell on */
	check(66, "KIND        N  OWNER                 HANDLERS\n"
		  "kprobe      7  module lab\n"
		  "        pre=first [lab] post=second [lab]\n"
		  "uprobe  12345  event some_group:an_event_with_a_long_name  -\n"
		  "bpf         -  bpf x                 f=g\n");
	/* no room for the last column: it stands below, where it says something; words wrap */
	check(44, "KIND        N  OWNER\n"
		  "        HANDLERS\n"
		  "kprobe      7  module lab\n"
		  "        pre=first [lab] post=second [lab]\n"
		  "uprobe  12345\n"
		  "        event\n"
		  "        some_group:an_event_with_a_long_name\n"
		  "bpf         -  bpf x\n"
		  "        f=g\n");
	/* a module stays with its symbol */
	check(30, "KIND        N\n"
		  "        OWNER  HANDLERS\n"
		  "kprobe      7\n"
		  "        module lab\n"
		  "        pre=first [lab]\n"
		  "        post=second [lab]\n"
		  "uprobe  12345\n"
		  "        event\n"
		  "        some_group:an_event_with_a_long_name\n"
		  "bpf         -\n"
		  "        bpf x  f=g\n");
}

/* all characters but blanks, in order */
static char *words(char *text)
{
	char *from, *to = text;

	for (from = text; *from; from++) {
		if (!strchr(" \n", *from))
			*to++ = *from;
	}
	*to = '\0';
	return text;
}

static void drop(char *text, const char *what)
{
	char *at;

	while ((at = strstr(text, what)))
		memmove(at, at + strlen(what), strlen(at + strlen(what)) + 1);
}

static void test_nothing_is_lost(void **state)
{
	struct mock *m = mock_open("");
	char *whole = words(print(m, UINT_MAX, false)), *got, *line;
	uint32_t width;

	(void)state;
	drop(whole, "-");
	for (width = 1; width < 200; width++) {
		got = print(m, width, false);
		/* the longest word, and what stands before it */
		for (line = got; width >= 45 && *line; line += strcspn(line, "\n") + 1)
			assert_true(strcspn(line, "\n") <= width);
		drop(words(got), "-");
		assert_string_equal(got, whole);
		free(got);
	}
	free(whole);
	mock_close(m);
}

/* columns stay in place, escape sequences aside */
static void test_colors(void **state)
{
	struct mock *m = mock_open("");
	char *plain = print(m, 100, false), *got = print(m, 100, true);

	(void)state;
	assert_null(strchr(plain, '\033'));
	assert_non_null(strstr(got, "  \033[32mmodule lab\033[m            pre="));
	assert_non_null(strstr(got, "12345  \033[1;31mevent some_group:"));
	assert_non_null(strstr(got, "\033[90mbpf x\033[m"));
	drop(got, "\033[32m");
	drop(got, "\033[90m");
	drop(got, "\033[1;31m");
	drop(got, "\033[m");
	assert_string_equal(got, plain);
	free(plain);
	free(got);
	mock_close(m);
}

/* a command with --color and --width; @status, and whether its output has escape sequences */
static void check_options(const char *const *argv, int status, bool escapes)
{
	struct mock *m = mock_open("sym kprobe_table 0xffffffff82000000 512\n");
	char *text;

	/* kprobe_table cannot be read: a line "!!" */
	assert_int_equal(mock_run(m, argv, &text), status);
	assert_int_equal(strchr(text, '\033') != NULL, escapes);
	free(text);
	mock_close(m);
}

#define CHECK(status, escapes, ...) \
	check_options((const char *const[]){ "otst", "-l", __VA_ARGS__, NULL }, status, escapes)

static void test_options(void **state)
{
	(void)state;
	CHECK(OTST_EXIT_PARTIAL, false, "-v");
	CHECK(OTST_EXIT_PARTIAL, true, "--color=always");
	CHECK(OTST_EXIT_PARTIAL, true, "--color", "always");
	CHECK(OTST_EXIT_PARTIAL, false, "--color=never");
	CHECK(OTST_EXIT_PARTIAL, false, "--color=auto");
	CHECK(OTST_EXIT_PARTIAL, false, "--color=always", "-j");
	CHECK(OTST_EXIT_USAGE, false, "--color=red");
	CHECK(OTST_EXIT_USAGE, false, "--color");
	CHECK(OTST_EXIT_PARTIAL, false, "--width=0");
	CHECK(OTST_EXIT_PARTIAL, false, "--width", "80");
	CHECK(OTST_EXIT_USAGE, false, "--width=wide");
	CHECK(OTST_EXIT_USAGE, false, "--width=-1");
	CHECK(OTST_EXIT_USAGE, false, "--width=99999999999999999999");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_nothing_is_lost),
		cmocka_unit_test(test_colors),
		cmocka_unit_test(test_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
