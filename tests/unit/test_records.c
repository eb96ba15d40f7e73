// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_records.c - results as records: the same as the lines of -j, one by one.
 */
#include "mock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* what came: lines of JSON, types of records; @stop_after records, 0 for never */
struct seen {
	FILE *lines;
	char types[4096];
	unsigned int count;
	unsigned int stop_after;
};

static int take_record(void *priv, const char *type, const char *json, size_t len)
{
	struct seen *s = priv;
	char start[128];

	assert_int_equal(strlen(json), len);
	assert_null(strchr(json, '\n'));
	snprintf(start, sizeof(start), "{\"type\":\"%s\"", type);
	assert_memory_equal(json, start, strlen(start));
	fprintf(s->lines, "%s\n", json);
	assert_true(strlen(s->types) + strlen(type) + 2 < sizeof(s->types));
	strcat(strcat(s->types, type), " ");
	return ++s->count == s->stop_after;
}

static int take_text(void *priv, const char *text, size_t len)
{
	return fwrite(text, 1, len, priv) != len;
}

/* one command; JSON lines go to @json, complaints to @said, both to be freed by the caller */
static int run_records(struct mock *m, const char *const *words, struct seen *s, char **json,
		       char **said)
{
	size_t json_len, said_len;
	FILE *complaints = open_memstream(said, &said_len);
	struct otst_records records = { .size = sizeof(records), .record = take_record, .priv = s };
	struct otst_output err = { .size = sizeof(err), .write = take_text, .priv = complaints };
	int count = 0, status;

	s->lines = open_memstream(json, &json_len);
	assert_non_null(s->lines);
	assert_non_null(complaints);
	while (words[count])
		count++;
	status = otst_records(m->o, count, words, &records, &err);
	fclose(s->lines);
	fclose(complaints);
	return status;
}

static void test_they_are_the_lines_of_json(void **state)
{
	static const char *const commands[] = { "-l", "-f", "-T", "-t", "-i", "-a" };
	struct mock *m = mock_open("vmcoreinfo OSRELEASE=6.1.0\n");
	unsigned int total = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		const char *const with[] = { "otst", "-j", commands[i], NULL };
		const char *const without[] = { "otst", commands[i], NULL };
		struct seen s = { 0 };
		char *text, *json, *said;
		int status;

		/* which of several reasons a gap has depends on what is kept from the command before */
		mock_run(m, with, &text);
		free(text);
		status = mock_run(m, with, &text);
		assert_int_equal(run_records(m, without, &s, &json, &said), status);
		/* the text has the complaints, too */
		assert_memory_equal(text, json, strlen(json));
		assert_string_equal(text + strlen(json), said);
		total += s.count;
		free(text);
		free(json);
		free(said);
	}
	assert_true(total > 20);
	mock_close(m);
}

static void test_the_callback_stops_it(void **state)
{
	static const char *const words[] = { "otst", "-l", NULL };
	struct mock *m = mock_open("");
	struct seen all = { 0 };
	char *json, *said;

	(void)state;
	run_records(m, words, &all, &json, &said);
	free(json);
	free(said);
	assert_true(all.count > 2);
	assert_string_equal(all.types + strlen(all.types) - 5, " end ");
	for (unsigned int i = 1; i <= all.count; i++) {
		struct seen s = { .stop_after = i };

		run_records(m, words, &s, &json, &said);
		assert_int_equal(s.count, i);
		assert_string_equal(said, "");
		free(json);
		free(said);
	}
	mock_close(m);
}

static void test_text_is_refused(void **state)
{
	static const char *const commands[][4] = {
		{ "otst", "-h" },	    { "otst", "-V" },	      { "otst", "-l", "-khelp" },
		{ "otst", "-t", "-xhelp" }, { "otst", "-T", "help" },
	};
	struct mock *m = mock_open("");

	(void)state;
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		struct seen s = { 0 };
		char *json, *said;

		assert_int_equal(run_records(m, commands[i], &s, &json, &said), OTST_EXIT_USAGE);
		assert_int_equal(s.count, 0);
		assert_string_equal(said, "otst: this command gives text, no records\n");
		free(json);
		free(said);
	}
	mock_close(m);
}

static void test_structures_of_other_headers(void **state)
{
	static const char *const words[] = { "otst", "-l" };
	struct mock *m = mock_open("");
	struct seen s = { 0 };
	struct {
		struct otst_records known;
		uint64_t more;
	} records = { .known = { .size = sizeof(records), .record = take_record, .priv = &s } };
	size_t len;
	char *said;
	FILE *f = open_memstream(&said, &len);
	struct otst_output err = { .size = sizeof(err), .write = take_text, .priv = f };

	(void)state;
	s.lines = fopen("/dev/null", "w");
	assert_int_equal(otst_records(m->o, 2, words, &records.known, &err), OTST_EXIT_PARTIAL);
	assert_true(s.count > 0);
	s.count = 0;
	records.more = 1;
	assert_int_equal(otst_records(m->o, 2, words, &records.known, &err), OTST_EXIT_FAILED);
	records.known.size = offsetof(struct otst_records, priv);
	assert_int_equal(otst_records(m->o, 2, words, &records.known, &err), OTST_EXIT_FAILED);
	assert_int_equal(s.count, 0);
	fclose(f);
	fclose(s.lines);
	assert_non_null(strstr(said, "does not know"));
	assert_non_null(strstr(said, "cannot be right"));
	free(said);
	mock_close(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_they_are_the_lines_of_json),
		cmocka_unit_test(test_the_callback_stops_it),
		cmocka_unit_test(test_text_is_refused),
		cmocka_unit_test(test_structures_of_other_headers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
