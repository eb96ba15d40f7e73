// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_file.c - a file that a command writes: its contents, and that neither
 * the file nor a part of it exists when the command could not finish it.
 */
#include "mock.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../src/output/file.h"

/* what --report wrote before may be replaced */
#define PAGE "<!doctype html><title>otst: before</html>\n"

static char folder[] = "/tmp/otst-test-file.XXXXXX";
static char path[64];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/out", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

static void put_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* @ret: what the file holds */
static void put_page(char ret[128])
{
	snprintf(ret, 128, PAGE OTST_PAGE_SEAL, otst_page_sum(PAGE, strlen(PAGE)));
	put_file(path, ret);
}

/* nothing is left of unfinished files */
static void expect_alone(void)
{
	DIR *d = opendir(folder);
	struct dirent *e;

	assert_non_null(d);
	while ((e = readdir(d)))
		assert_true(e->d_name[0] == '.' || !strcmp(e->d_name, "out"));
	closedir(d);
}

static void expect_file(const void *want, size_t len)
{
	char *got = malloc(len + 1);
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	assert_int_equal(fread(got, 1, len + 1, f), len);
	assert_memory_equal(got, want, len);
	fclose(f);
	free(got);
	expect_alone();
}

static void test_contents(void **state)
{
	static const uint8_t want[] = { 'a', 'b',  0,	 0x22, 0x11, 0,	   0,	 0,    0,
					0,   0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01 };
	struct mock *m = mock_open("");
	struct otst_file *f;
	char before[128];

	(void)state;
	put_page(before);
	assert_int_equal(otst_file_create(m->o, path, OTST_WRITTEN_PAGE, &f), 0);
	assert_int_equal(otst_file_string(f, "ab"), 0);
	assert_int_equal(otst_file_number(f, 0, 2), 0);
	assert_int_equal(otst_file_align(f, 2), 0);
	assert_int_equal(otst_file_at(f), 6);
	assert_int_equal(otst_file_align(f, 8), 0);
	assert_int_equal(otst_file_at(f), 8);
	assert_int_equal(otst_file_number(f, 0, 2), 0);
	assert_int_equal(otst_file_number(f, 0x0102030405060708, 8), 0);
	assert_int_equal(otst_file_patch(f, 3, 0x1122, 2), 0);
	assert_int_equal(otst_file_finish(f), 0);
	mock_close(m);
	expect_file(want, sizeof(want));
}

/* more than fits into any buffer, in pieces small and large */
static void test_much(void **state)
{
	enum { SIZE = 3 << 20 };
	struct mock *m = mock_open("");
	uint8_t *data = malloc(SIZE);
	struct otst_file *f;
	size_t at = 0, n;

	(void)state;
	unlink(path);
	for (size_t i = 0; i < SIZE; i++)
		data[i] = (uint8_t)(i * 7 ^ i >> 11);
	assert_int_equal(otst_file_create(m->o, path, OTST_WRITTEN_PAGE, &f), 0);
	for (n = 1; at < SIZE; n = n * 3 % 700001) {
		n = n < SIZE - at ? n : SIZE - at;
		assert_int_equal(otst_file_write(f, data + at, n), 0);
		at += n;
		assert_int_equal(otst_file_at(f), at);
	}
	assert_int_equal(otst_file_finish(f), 0);
	mock_close(m);
	expect_file(data, SIZE);
	free(data);
}

static void test_not_finished(void **state)
{
	struct mock *m = mock_open("");
	struct otst_file *f;
	char before[128];

	(void)state;
	put_page(before);
	assert_int_equal(otst_file_create(m->o, path, OTST_WRITTEN_PAGE, &f), 0);
	assert_int_equal(otst_file_string(f, "part"), 0);
	otst_command_begin(m->o);
	expect_file(before, strlen(before));
	/* the same when the engine is closed in the middle of a command */
	assert_int_equal(otst_file_create(m->o, path, OTST_WRITTEN_PAGE, &f), 0);
	mock_close(m);
	expect_file(before, strlen(before));
}

static void test_interrupted(void **state)
{
	static uint8_t much[1 << 20];
	struct mock *m = mock_open("");
	struct otst_file *f;

	(void)state;
	unlink(path);
	assert_int_equal(otst_file_create(m->o, path, OTST_WRITTEN_PAGE, &f), 0);
	m->interrupted = true;
	assert_int_equal(otst_file_write(f, much, sizeof(much)), OTST_ERR_INTERRUPTED);
	mock_close(m);
	expect_alone();
}

static void test_no_room(void **state)
{
	static uint8_t much[1 << 20];
	struct rlimit old, small;
	struct mock *m = mock_open("");
	struct otst_file *f;
	char before[128];
	int err;

	(void)state;
	put_page(before);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	small = (struct rlimit){ 100000, old.rlim_max };
	setrlimit(RLIMIT_FSIZE, &small);
	assert_int_equal(otst_file_create(m->o, path, OTST_WRITTEN_PAGE, &f), 0);
	err = otst_file_write(f, much, sizeof(much));
	setrlimit(RLIMIT_FSIZE, &old);
	assert_int_equal(err, OTST_ERR_FILE);
	assert_non_null(strstr(otst_message(m->o), "out: File too large"));
	mock_close(m);
	expect_file(before, strlen(before));
}

static void test_refused(void **state)
{
	char nowhere[128];
	struct mock *m = mock_open("");
	struct otst_file *f;

	(void)state;
	snprintf(nowhere, sizeof(nowhere), "%s/none/out", folder);
	assert_int_equal(otst_file_create(m->o, nowhere, OTST_WRITTEN_PAGE, &f), OTST_ERR_FILE);
	assert_non_null(strstr(otst_message(m->o), "No such file"));
	assert_int_equal(otst_file_create(m->o, "/dev/null", OTST_WRITTEN_DAT, &f), OTST_ERR_USAGE);
	assert_int_equal(otst_file_create(m->o, folder, OTST_WRITTEN_DAT, &f), OTST_ERR_USAGE);
	put_file(path, "the user's");
	assert_int_equal(otst_file_create(m->o, path, OTST_WRITTEN_DAT, &f), OTST_ERR_USAGE);
	assert_non_null(strstr(otst_message(m->o), "ASCII text"));
	mock_close(m);
	assert_int_equal(access("/dev/null", F_OK), 0);
	expect_file("the user's", 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contents),     cmocka_unit_test(test_much),
		cmocka_unit_test(test_not_finished), cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_no_room),	     cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
